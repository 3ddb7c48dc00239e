# SPDX-License-Identifier: GPL-2.0-or-later
# Chromium - a browser without a window, for tests of pages. It is driven over two pipes by the protocol of
# its developer tools: each message is one JSON text, ended by a NUL.
#
#   {"id": 7, "method": "Page.navigate", "params": {"url": "file:///tmp/x.html"}, "sessionId": "9D..."}NUL
#   {"id":7,"result":{"frameId":"B2..."},"sessionId":"9D..."}NUL              its answer
#   {"method":"Page.loadEventFired","params":{...},"sessionId":"9D..."}NUL    an event in between
#
#   my $browser = Chromium->start;
#   $browser->look(width => 390, scheme => 'dark');
#   $browser->open("$dir/x.html");
#   is($browser->value('document.title'), 'x');
#   is(join("\n", $browser->said, $browser->requests), '');
package Chromium;
use 5.014;
use strict;
use warnings;

use Errno ();
use File::Temp ();
use IO::Select;
use JSON::PP ();
use POSIX ();
use Time::HiRes qw(time);

use Touchstone::Machine::Command;
use Touchstone::Record::Json;

my @NAMES = qw(chromium chromium-browser google-chrome);
my @FLAGS =
    qw(--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking
    --disable-component-update --disable-sync
    --disable-breakpad --disable-dev-shm-usage --hide-scrollbars --force-color-profile=srgb
    --remote-debugging-pipe);

# Seconds to wait for one answer: none takes this long, unless the browser is broken or the machine very busy.
my $PATIENCE = 240;
my ($YES, $NO) = (JSON::PP::true(), JSON::PP::false());

# Codes of the keys that are pressed, and the text that some of them enter.
my %KEY = (Tab => [9], Enter => [ 13, "\r" ], Space => [ 32, ' ' ], Escape => [27]);

# Returns the path of a browser, or nothing.
sub path {
    my ($path) = grep { defined } map { Touchstone::Machine::Command::find($_) } @NAMES;
    return $path;
}

sub start {
    my ($class) = @_;
    my $path    = path() // die "no browser here\n";
    my $home    = File::Temp->newdir(CLEANUP => 0);
    my ($to, $from, $pid) = _spawned($path, "$home");
    my $self = bless {
        pid    => $pid,
        owner  => $$,
        to     => $to,
        from   => $from,
        home   => "$home",
        read   => '',
        id     => 0,
        events => []
    }, $class;
    my $target = $self->_ask('Target.createTarget', url => 'about:blank')->{targetId};
    $self->{session} =
        $self->_ask('Target.attachToTarget', targetId => $target, flatten => $YES)->{sessionId};
    $self->_ask("$_.enable") for qw(Page Runtime Log Network);
    $self->look;
    return $self;
}

# Starts the browser, which reads from descriptor 3 and writes to 4, whatever these were before. It gets its
# own process group, so that all of its processes can be ended.
sub _spawned {
    my ($path, $home) = @_;
    pipe my $in,   my $to  or die "cannot make a pipe: $!\n";
    pipe my $from, my $out or die "cannot make a pipe: $!\n";
    my $pid = fork // die "cannot fork: $!\n";
    return ($to, $from, $pid) if $pid;
    setpgrp 0, 0;
    @ENV{qw(HOME TMPDIR XDG_CONFIG_HOME XDG_CACHE_HOME XDG_RUNTIME_DIR)} = ($home) x 5;
    delete @ENV{qw(DISPLAY DBUS_SESSION_BUS_ADDRESS)};
    POSIX::dup2(fileno $in,  20);
    POSIX::dup2(fileno $out, 21);
    POSIX::dup2(20,          3);
    POSIX::dup2(21,          4);
    POSIX::close($_) for 20, 21;
    open STDIN,  '<', '/dev/null' or POSIX::_exit(126);
    open STDOUT, '>', '/dev/null' or POSIX::_exit(126);
    open STDERR, '>', '/dev/null' or POSIX::_exit(126);
    { no warnings 'exec'; exec {$path} $path, @FLAGS, "--user-data-dir=$home/profile", 'about:blank' }
    POSIX::_exit(127);
}

# Shows a file. script: 0 turns scripts off; fragment: the end of the address, from # on.
sub open {
    my ($self, $file, %how) = @_;
    $self->_ask('Emulation.setScriptExecutionDisabled', value => ($how{script} // 1) ? $NO : $YES);
    $self->{page} =
        'file://' . ($file =~ s{([^A-Za-z0-9/._~-])}{sprintf '%%%02X', ord $1}ger) . ($how{fragment} // '');
    $self->{events} = [];
    my $answer = $self->_ask('Page.navigate', url => $self->{page});
    die "cannot open '$file': $answer->{errorText}\n" if defined $answer->{errorText};
    my $until = time + $PATIENCE;
    $self->_read($until) until grep { $_->{method} eq 'Page.loadEventFired' } @{ $self->{events} };
    return;
}

# width, height: size of the window in pixels; scheme: light or dark; media: screen or print. What is not
# given has its usual value.
sub look {
    my ($self, %how) = @_;
    $self->_ask(
        'Emulation.setDeviceMetricsOverride',
        width             => $how{width}  // 1280,
        height            => $how{height} // 900,
        deviceScaleFactor => 1,
        mobile            => $NO
    );
    $self->_ask(
        'Emulation.setEmulatedMedia',
        media    => $how{media} // 'screen',
        features => [ { name => 'prefers-color-scheme', value => $how{scheme} // 'light' } ]
    );
    return;
}

# Returns the value of an expression in the page's language as data. A promise is waited for.
sub value {
    my ($self, $expression) = @_;
    my $answer = $self->_ask(
        'Runtime.evaluate',
        expression    => $expression,
        returnByValue => $YES,
        awaitPromise  => $YES
    );
    my $trouble = $answer->{exceptionDetails};
    die 'the page says: ' . ($trouble->{exception}{description} // $trouble->{text}) . "\n" if $trouble;
    return $answer->{result}{value};
}

# The console's messages since the page was opened, each once: output of scripts, their errors, and
# violations of the page's policy.
my $LETTERS = 160;
my %SAYS    = (
    'Runtime.consoleAPICalled' => sub {
        return join ' ', map { $_->{value} // $_->{description} // $_->{type} } @{ $_[0]{args} };
    },
    'Runtime.exceptionThrown' =>
        sub { return $_[0]{exceptionDetails}{exception}{description} // $_[0]{exceptionDetails}{text} },
    'Log.entryAdded' => sub { return "$_[0]{entry}{level}: $_[0]{entry}{text}" },
);

sub said {
    my ($self) = @_;
    $self->value('0');
    my %seen;
    return grep { !$seen{$_}++ }
        map     { substr $SAYS{ $_->{method} }->($_->{params}), 0, $LETTERS }
        grep    { $SAYS{ $_->{method} } } @{ $self->{events} };
}

# Returns the addresses that the page requested besides itself.
sub requests {
    my ($self) = @_;
    $self->value('0');
    return grep { $_ ne $self->{page} }
        map     { $_->{params}{request}{url} }
        grep    { $_->{method} eq 'Network.requestWillBeSent' } @{ $self->{events} };
}

# Moves the pointer to the first element that a selector finds.
sub point {
    my ($self, $selector) = @_;
    my $where = $self->value(
        sprintf '(() => { const e = document.querySelector(%s); if (!e) return null;'
            . ' e.scrollIntoView({ block: "center", inline: "center" });'
            . ' const r = e.getBoundingClientRect();'
            . ' return [r.left + r.width / 2, r.top + r.height / 2]; })()',
        _quoted($selector)
    ) // die "the page has no '$selector'\n";
    $self->_ask('Input.dispatchMouseEvent', type => 'mouseMoved', x => 0 + $where->[0], y => 0 + $where->[1]);
    return $where;
}

sub click {
    my ($self, $selector) = @_;
    my ($x,    $y)        = @{ $self->point($selector) };
    $self->_ask(
        'Input.dispatchMouseEvent',
        type       => $_,
        x          => 0 + $x,
        y          => 0 + $y,
        button     => 'left',
        clickCount => 1
    ) for qw(mousePressed mouseReleased);
    return;
}

# Presses keys by name: Tab, Enter, Space, Escape.
sub press {
    my ($self, @keys) = @_;
    for my $key (@keys) {
        my ($code, $text) = @{ $KEY{$key} || die "no key '$key'\n" };
        my %is = (key => $key eq 'Space' ? ' ' : $key, code => $key, windowsVirtualKeyCode => $code);
        $self->_ask(
            'Input.dispatchKeyEvent',
            type => defined $text ? 'keyDown' : 'rawKeyDown',
            %is, defined $text ? (text => $text) : ()
        );
        $self->_ask('Input.dispatchKeyEvent', type => 'keyUp', %is);
    }
    return;
}

# Types text into the element that has the focus.
sub type { my ($self, $text) = @_; $self->_ask('Input.insertText', text => $text); return }

# Stores the whole page as a PNG, or a part of it: x, y, width, height; scale makes it larger.
sub screenshot {
    my ($self, $file, %clip) = @_;
    $clip{height} //= $self->value('document.documentElement.scrollHeight');
    $clip{width}  //= $self->value('window.innerWidth');

    # The browser cannot make higher pictures.
    my $most = 16_000;
    $clip{height} = $most if $clip{height} > $most;
    return $self->_store(
        $file,
        $self->_ask(
            'Page.captureScreenshot',
            format                => 'png',
            captureBeyondViewport => $YES,
            clip                  => { x => 0, y => 0, scale => 1, map { $_ => 0 + $clip{$_} } keys %clip }
        )
    );
}

# Stores what would be printed, on paper of the page's own size.
sub pdf {
    my ($self, $file) = @_;
    $self->_ask('Emulation.setEmulatedMedia', media => '', features => []);
    return $self->_store($file, $self->_ask('Page.printToPDF', preferCSSPageSize => $YES));
}

sub _store {
    my ($self, $file, $answer) = @_;
    require MIME::Base64;
    CORE::open my $out, '>:raw', $file or die "cannot write '$file': $!\n";
    print {$out} MIME::Base64::decode_base64($answer->{data});
    close $out or die "cannot write '$file': $!\n";
    return;
}

sub _quoted { my ($text) = @_; return JSON::PP->new->allow_nonref->ascii->encode($text) }

# Returns the answer to a message. Its data are Perl's, except true and false, which this protocol
# distinguishes from numbers.
sub _ask {
    my ($self, $method, %parameters) = @_;
    my $id      = ++$self->{id};
    my $message = JSON::PP->new->utf8->encode(
        {
            id     => $id,
            method => $method,
            params => \%parameters,
            $self->{session} ? (sessionId => $self->{session}) : ()
        }
    );
    local $SIG{PIPE} = 'IGNORE';
    my $until = time + $PATIENCE;
    $self->_write("$message\0");
    my $answer;
    $answer = $self->_read($until, $id) until $answer;
    die "the browser refuses '$method': $answer->{error}{message}\n" if $answer->{error};
    return $answer->{result};
}

sub _write {
    my ($self, $bytes) = @_;
    while (length $bytes) {
        my $n = syswrite $self->{to}, $bytes;
        die "the browser has gone: $!\n" if !defined $n && !$!{EINTR};
        substr $bytes, 0, $n // 0, '';
    }
    return;
}

# Reads the next message and returns it if it is the awaited answer, else nothing. Events are kept.
sub _read {
    my ($self, $until, $id) = @_;
    my $end;
    while (($end = index $self->{read}, "\0") < 0) {
        die "the browser says nothing\n"
            if !IO::Select->new($self->{from})->can_read($until - time > 0 ? $until - time : 0)
            && time >= $until;
        my $n = sysread $self->{from}, $self->{read}, 1 << 20, length $self->{read};
        die "the browser has gone\n" if !$n && !$!{EINTR};
    }
    my $message = Touchstone::Record::Json::decode(substr($self->{read}, 0, $end + 1, '') =~ s{\0\z}{}r);
    return $message if defined $message->{id} && $message->{id} == ($id // 0);
    push @{ $self->{events} }, $message if defined $message->{method};
    return;
}

# Ends the browser with all of its processes, and removes its profile.
sub stop {
    my ($self) = @_;
    my $pid = delete $self->{pid};
    return if !$pid || $self->{owner} != $$;
    local ($?, $!, $@);
    kill 'KILL', -$pid;
    waitpid $pid, 0;
    require File::Path;
    File::Path::remove_tree($self->{home}, { error => \my $ignored });
    return;
}

sub DESTROY { $_[0]->stop; return }

1;
