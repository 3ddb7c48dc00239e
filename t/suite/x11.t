# SPDX-License-Identifier: GPL-2.0-or-later
# The program x11 run by hand. With a fake x11perf and a fake Xvfb this tests what it makes of their answers;
# with the real ones, if they are installed, that it measures, and that nothing is left behind, whatever ends
# it.
use 5.014;
use strict;
use warnings;

use lib 't/lib';
use Fcntl qw(F_SETFD);
use IO::Socket::UNIX;
use POSIX ();
use Test::More;

use lib 't/lib', 'lib';
use ByHand;
use NoWarnings;
use Programs;
use Tools;
use Waiting;
use Touchstone::Machine::Command;

use constant { SECONDS => 0.05 };

my @VARIABLES =
    qw(DISPLAY XAUTHORITY FAKE_X11PERF FAKE_X11PERF_LOG FAKE_XVFB FAKE_XVFB_LOG TS_RESULT TS_COPY TS_READY
    TS_GATE TS_CPUS TS_SLICES);
delete @ENV{@VARIABLES};
my $PATH   = $ENV{PATH};
my $NUMBER = qr/\d+(?:\.\d+)?/;
my $TIMES  = qr/TIME\|$NUMBER\nCPU\|$NUMBER\|$NUMBER\nPREEMPTED\|\d+\nSLEPT\|\d+\nFAULTS\|\d+\|\d+\n\z/;

# Makes a directory that can be the whole PATH: Perl, and these programs by name.
sub bin {
    my (%programs) = @_;
    state $n = 0;
    my $bin = "$work/bin" . $n++;
    mkdir $bin or die "cannot make '$bin': $!\n";
    symlink $^X,           "$bin/perl" or die "cannot make a link: $!\n";
    symlink $programs{$_}, "$bin/$_"   or die "cannot make a link: $!\n" for keys %programs;
    return $bin;
}

sub script {
    my ($name, $text) = @_;
    open my $out, '>', "$work/$name" or die "cannot write '$name': $!\n";
    print {$out} $text;
    close $out or die "cannot write '$name': $!\n";
    chmod 0755, "$work/$name" or die "cannot make '$name' executable: $!\n";
    return "$work/$name";
}

my %FAKE  = map { $_ => "$Programs::BASE/t/fake/$_" } qw(x11perf Xvfb);
my $FAKES = bin(%FAKE);

# Runs x11 with FAKE_X11PERF=$does.
sub fake {
    my ($does, @arguments) = @_;
    local @ENV{qw(PATH FAKE_X11PERF FAKE_X11PERF_LOG)} = ($FAKES, $does, "$work/calls");
    unlink "$work/calls";
    return program('x11', @arguments);
}

sub calls { return -e "$work/calls" ? split /\n/, slurp("$work/calls") : () }

# Starts a program in its own process group.
sub start {
    my (@command) = @_;
    my $pid = fork // die "cannot fork: $!\n";
    if (!$pid) {
        setpgrp;
        open STDOUT, '>', "$work/started.out" or POSIX::_exit(127);
        open STDERR, '>', "$work/started.err" or POSIX::_exit(127);
        { no warnings 'exec'; exec { $command[0] } @command }
        POSIX::_exit(127);
    }
    return $pid;
}

sub lines { my ($path) = @_; return -e $path ? split /\n/, slurp($path) : () }

# --- hangs that take long, which run beside other tests

my %waited;

sub start_waiting {
    my ($name, %how) = @_;
    local @ENV{ 'PATH', 'FAKE_XVFB_LOG', keys %how } = ($FAKES, "$work/$name.log", values %how);
    $waited{$name} = fork // die "cannot fork: $!\n";
    return if $waited{$name};
    open STDERR, '>', "$work/$name.err" or POSIX::_exit(127);
    { no warnings 'exec'; exec { Programs::path('x11') } 'x11', SECONDS, 'xvfb', 'rect10', 'seg100' }
    POSIX::_exit(127);
}

sub waited {
    my ($name) = @_;
    waitpid $waited{$name}, 0;
    return ($?, slurp("$work/$name.err"));
}

my $abstract = $^O eq 'linux';
if ($abstract) {
    start_waiting('hang', FAKE_X11PERF => 'seg100=later-hang');
    start_waiting('mute', FAKE_XVFB    => 'mute');
}

# --- with fakes

subtest 'the score is the mean of rate / base x 1000' => sub {
    my ($status, $err) = fake('', SECONDS, ':7', 'rect10=1000000', 'seg100=1000000');
    is($status, 0, 'exit 0');
    like(
        $err,
        qr/\AFIGURE\|rect10\|2000000\.000\nFIGURE\|seg100\|500000\.000\nCOUNT\|1250\.000\|0\|score\n$TIMES/,
        'figures and the score'
    );
};

subtest 'without bases it is the geometric mean of the rates' => sub {
    my ($status, $err) = fake('', SECONDS, ':7', 'seg100', 'rect10');
    like(
        $err,
        qr/\AFIGURE\|seg100\|500000\.000\nFIGURE\|rect10\|2000000\.000\nCOUNT\|1000000\.000\|0\|score\n$TIMES/,
        'the root of the product'
    );
};

subtest 'a slow rate is taken from the milliseconds, which have more digits' => sub {
    my ($status, $err) = fake('', 0.5, ':7', 'putimagexy500');
    like($err, qr/\AFIGURE\|putimagexy500\|93\.724\n/, 'six digits, not the three of 93.7');
};

subtest 'x11perf gets its display by argument and speaks English' => sub {
    local @ENV{qw(DISPLAY LC_ALL LANG)} = (':99', 'de_DE.UTF-8', 'de_DE.UTF-8');
    fake('', SECONDS, 'host:1.0', 'rect10');
    my @calls = calls();
    is(scalar(grep { !/\Anone C -display host:1\.0 -subs 25 -repeat \d -reps [1-9]\d* -rect10\z/ } @calls),
        0, 'every call')
        or diag("@calls");
};

subtest 'a short share is filled with repetitions found in the set-up' => sub {
    fake('', 0.4, ':7', 'rect10', 'popup');
    my %last = map { /-repeat (\d+) -reps (\d+) -(\w+)/ ? ($3 => "$1 x $2") : () } calls();
    is_deeply(\%last, { rect10 => '4 x 100', popup => '4 x 1600' }, '0.2 s each');
    fake('', SECONDS, ':7', 'putimagexy500');
    like((calls())[-1], qr/-repeat [14] -reps [1-9]/, 'never none');
};

subtest 'a long share is measured by one x11perf, which scales by itself' => sub {
    my ($status, $err) = fake('rect10=later-faster', 12, ':7', 'seg100', 'rect10', 'putimagexy500');
    is($status, 0, 'exit 0');
    like(
        $err,
        qr/\AFIGURE\|seg100\|500000\.000\nFIGURE\|rect10\|4000000\.000\nFIGURE\|putimagexy500\|93\.724\nCOUNT\|/,
        'each rate for its own test, in whichever order x11perf has them'
    );
    is((calls())[-1], 'none C -display :7 -subs 25 -repeat 3 -time 1 -seg100 -rect10 -putimagexy500',
        'the call');
    is(scalar(@{ [ calls() ] }), 4, 'and one call each before it');
};

subtest 'what cannot be done here is named and left out' => sub {
    for my $seconds (SECONDS, 12) {
        my ($status, $err) = fake('seg100=omit,popup=none,noop=odd',
            $seconds, ':7', 'seg100=1', 'popup=1', 'noop=1', 'rect10=2000000');
        is($status, 0, "$seconds s: exit 0");
        like(
            $err,
            qr/\AMISSING\|seg100\|Could not load font '-a-b-10', benchmark omitted\nMISSING\|popup\|x11perf has no rate [^\n]*\nMISSING\|noop\|Caf\?\?\?\?\[2J\nFIGURE\|rect10\|2000000\.000\nCOUNT\|1000\.000\|0\|score\n/,
            'in x11perf\'s own words, which break no line'
        );
    }
};

subtest 'a test that breaks x11perf itself is left out when it does so before anything is measured' => sub {
    my %says = (
        'segv'    => 'x11perf -seg100 died by signal 11',
        'x-error' => 'X Error of failed request:  BadMatch'
    );
    for my $how (sort keys %says) {
        my ($status, $err) = fake("seg100=$how", SECONDS, ':7', 'seg100=1', 'rect10=2000000');
        like(
            $err,
            qr/\AMISSING\|seg100\|$says{$how}.*\nFIGURE\|rect10\|2000000\.000\nCOUNT\|1000\.000\|0\|score\n/,
            $how
        );
    }
};

subtest 'where nothing can be done it is skipped, with the remedy for fonts' => sub {
    my ($status, $err) = fake('seg100=omit,popup=none', SECONDS, ':7', 'seg100', 'popup');
    is($status, 77 << 8, 'exit 77');
    like(
        $err,
        qr/\AMISSING\|seg100\|.*\nMISSING\|popup\|.*\nSKIP\|Could not load font '-a-b-10', benchmark omitted \(fonts: Debian package xfonts-base\)\n\z/,
        'the first reason'
    );
};

# Each row is [what happens, to what, pattern of the message].
my @FAILURES = (
    [
        'display=refuse',
        ':7',
        q{the display ':7' cannot be opened: Authorization required, but .*; .*xhost or XAUTHORITY.*--x-display xvfb}
    ],
    [ 'display=none',    'host:1.0', q{the display 'host:1\.0' cannot be opened: no server answers there; } ],
    [ 'rect10=io',       ':7',       q{x11perf \(rect10\) ended with status 1: X connection to :7 broken} ],
    [ 'rect10=later-io', ':7',       q{x11perf \(rect10\) ended with status 1: X connection to :7 broken} ],
    [ 'rect10=later-kill',    ':7',  q{x11perf \(rect10\) ended with signal 9: it does not say why} ],
    [ 'rect10=kill',          ':7',  q{x11perf \(rect10\) ended with signal 9} ],
    [ 'rect10=later-segv',    ':7',  q{x11perf \(rect10\) ended with signal 11} ],
    [ 'rect10=later-x-error', ':7',  q{x11perf \(rect10\) ended with status 1: X Error} ],
    [ 'rect10=later-none',    ':7',  q{x11perf printed no rate for 'rect10'} ],
    [ 'rect10=later-garbage', ':7',  q{x11perf printed no rate for 'rect10'} ],
    [ 'rect10=later-fewer',   ':7',  q{x11perf printed for its test 'rect10' something that is not a rate} ],
    [ 'rect10=later-zero',    ':7',  q{x11perf printed for its test 'rect10' something that is not a rate} ],
    [ 'rect10=infinite',      ':7',  q{x11perf printed for its test 'rect10' something that is not a rate} ],
    [ 'rect10=nan',           ':7',  q{x11perf printed for its test 'rect10' something that is not a rate} ],
    [ 'rect10=minus',         ':7',  q{x11perf printed for its test 'rect10' something that is not a rate} ],
    [ 'rect10=later-other',   ':7',  q{x11perf did something else than its test 'rect10': 'Dot'} ],
    [ 'rect10=later-flood',   ':7',  q{x11perf printed no rate for 'rect10'} ],
    [ 'rect10=fast',          ':7',  q{x11perf cannot measure 'rect10': it is too fast} ],
);

subtest 'whatever goes wrong with x11perf is a failure in words' => sub {
    is_error($_->[0], $_->[2], fake($_->[0], SECONDS, $_->[1], 'rect10')) for @FAILURES;
    is_error(
        "$_, together",
        qr{x11perf printed \d of 3 rates for 'seg100'},
        fake("seg100=later-$_", 12, ':7', 'rect10', 'seg100')
    ) for qw(none garbage fewer zero);
    is_error(
        'broken, together',
        q{x11perf \(rect10 and 1 more\) ended with status 1: X conn},
        fake('seg100=later-io', 12, ':7', 'rect10', 'seg100')
    );
};

subtest 'a test that x11perf does not know is named' => sub {
    is_error(
        'unknown',
        q{x11perf does not know the test 'rect11'},
        fake('', SECONDS, ':7', 'rect10', 'rect11')
    );
};

subtest 'a rate with an exponent is one' => sub {
    my ($status, $err) = fake('rect10=exponent', SECONDS, ':7', 'rect10');
    like($err, qr/\AFIGURE\|rect10\|2000000\.000\n/, '2.00e+06');
};

subtest 'what it cannot be told is a usage error' => sub {
    is_usage("'@$_'", fake('', @$_))
        for [], [SECONDS], [ SECONDS, ':7' ], [ 'x', ':7', 'rect10' ], [ SECONDS, 'seven', 'rect10' ],
        [ SECONDS, '-:7', 'rect10' ], [ SECONDS, ': 7', 'rect10' ], [ SECONDS, ':' . 7 x 100, 'rect10' ],
        [ SECONDS, ':7',  'rect10=' ],
        [ SECONDS, ':7',  'rect10=0' ], [ SECONDS, ':7', 'rect10=-1' ], [ SECONDS, ':7', 'rect10=1e3' ],
        [ SECONDS, ':7',  'rect10=1=2' ],
        [ SECONDS, ':7',  '-rect10' ], [ SECONDS, ':7', '' ], [ SECONDS, ':7', '=1' ],
        [ SECONDS, ':7',  'a b' ],     [ SECONDS, ':7', 'r' x 100 ],
        [ SECONDS, ':7',  'rect10=1', 'seg100' ], [ SECONDS, ':7', 'rect10', 'seg100=1' ],
        [ SECONDS, ':7',  'rect10',   'rect10' ],
        ['--facts'], [ '--facts', 'seven' ], [ '--facts', ':7', 'rect10' ];
    ok(!calls(), 'and starts nothing');
};

sub is_skip {
    my ($what, $pattern, $status, $err) = @_;
    is($status, 77 << 8, "$what: exit 77");
    like($err, qr/\ASKIP\|[^\n]*$pattern[^\n]*\n\z/, "$what: says what to install");
    return;
}

subtest 'a program that is not installed is named with its package' => sub {
    local $ENV{PATH} = bin(Xvfb => $FAKE{Xvfb});
    is_skip(
        'x11perf',
        qr/x11perf is not installed \(Debian package x11-apps\)/,
        program('x11', SECONDS, ':7', 'rect10')
    );
    is_skip('facts', qr/x11perf is not installed/, program('x11', '--facts', ':7'));
    $ENV{PATH} = bin(x11perf => $FAKE{x11perf});
    is_skip(
        'Xvfb',
        qr/Xvfb is not installed \(Debian package xvfb\)/,
        program('x11', SECONDS, 'xvfb', 'rect10')
    );
    is_skip('facts', qr/Xvfb is not installed/, program('x11', '--facts', 'xvfb'));
};

subtest 'an Xvfb that does not do its part is a failure in words' => sub {
    $abstract or plan skip_all => 'names of sockets without a file are for Linux';
    my %says = (
        die    => q{Xvfb ended before it had a display \(status 1\): Cannot establish any listening sockets},
        junk   => q{Xvfb ended before it had a display \(status 0\)},
        deaf   => q{cannot connect to Xvfb on display ':59999'},
        refuse => q{Xvfb on display ':\d+' does not let its own user in}
    );
    for my $how (sort keys %says) {
        local @ENV{qw(FAKE_XVFB FAKE_XVFB_LOG)} = ($how, "$work/$how.log");
        is_error($how, $says{$how}, fake('', SECONDS, 'xvfb', 'rect10'));
        ok(gone(slurp("$work/$how.log") =~ /\A(\d+)/), "$how: no Xvfb is left");
    }
};

subtest 'a server of its own is on a number that it chooses, and ends with the test' => sub {
    $abstract or plan skip_all => 'names of sockets without a file are for Linux';
    local $ENV{FAKE_XVFB_LOG} = "$work/own.log";
    my ($status, $err) = fake('', SECONDS, 'xvfb', 'rect10');
    is($status, 0, 'exit 0') or diag($err);
    like(
        slurp("$work/own.log"),
        qr/\A\d+ -displayfd 1 -screen 0 1024x768x24 -nolisten tcp -terminate\n\z/,
        'one server, away from the network'
    );
    like((calls())[-1], qr/-display :5\d+ /, 'its display');
    ok(gone(slurp("$work/own.log") =~ /\A(\d+)/), 'no Xvfb is left');
};

subtest 'it leaves when nobody reads the results any more' => sub {
    my ($reading, $writing);
    pipe $reading, $writing or die "cannot make a pipe: $!\n";
    fcntl $_, F_SETFD, 0 or die "cannot hand on a pipe: $!\n" for $writing;
    local @ENV{qw(PATH FAKE_X11PERF FAKE_X11PERF_LOG TS_RESULT TS_COPY)} =
        ($FAKES, 'rect10=hang', "$work/dead.log", fileno $writing, 0);
    my $pid = start(Programs::path('x11'), SECONDS, ':7', 'rect10');
    close $writing;
    ok(comes(sub { -s "$work/dead.log" }), 'x11perf runs');
    close $reading;
    waitpid $pid, 0;
    is($?, POSIX::SIGKILL(), 'with its process group');
};

subtest 'facts are what xdpyinfo or else x11perf tells' => sub {
    my @x11   = (x11perf => $FAKE{x11perf});
    my $facts = sub {
        my ($text) = @_;
        local $ENV{PATH} = bin(@x11,
            defined $text
            ? (xdpyinfo => script("xdpyinfo" . length $text, "#!/usr/bin/env perl\n$text"))
            : ());
        my ($status, $err, $out) = program('x11', '--facts', ':7');
        is("$status$err", '0', 'exit 0 and no complaint');
        return $out;
    };
    my $header = "display=:7\nserver=The X.Org Foundation\nversion=12101007\nx11perf=1.2\n";
    is($facts->(undef),                         $header, 'without xdpyinfo');
    is($facts->('exit 1'),                      $header, 'with one that fails');
    is($facts->('print "\0\xff: |=\n" x 9999'), $header, 'with one that prints junk');
    my $text =
        "name of display:    :7\nversion number:    11.0\nvendor string:    HC|X\e Org\nvendor release number:    40300000\nnumber of extensions:    1\n    SHAPE\ndefault screen number:    1\n"
        . join '', map {
        "\nscreen #$_:\n  dimensions:    ${_}024x768 pixels (270x203 millimeters)\n  depth of root window:    $_ planes\n"
        } 0, 1;
    is(
        $facts->("print <<'END';\n${text}END"),
        "display=:7\nserver=HC?X? Org\nversion=40300000\ndimensions=1024x768\ndepth=1\nx11perf=1.2\n",
        'of the default screen'
    );
    is(
        $facts->("print <<'END';\nvendor string:    X\nX.Org version: 1.21\nEND"),
        "display=:7\nserver=X\nversion=1.21\nx11perf=1.2\n",
        'what is absent is left out'
    );
    local $ENV{PATH} =
        bin(@x11, xdpyinfo => script('none', "#!/usr/bin/env perl\nprint <<'END';\n${text}END"));
    my (undef, $err) = program('x11', SECONDS, ':7', 'aa4trap300', 'rect10');
    like(
        $err,
        qr/\AMISSING\|aa4trap300\|the X server has no extension RENDER.*\nFIGURE\|rect10/,
        'a test that would draw nothing is left out'
    );
    is_error(
        'a display that refuses',
        q{the display ':7' cannot be opened: Auth},
        do {
            local $ENV{PATH}         = $FAKES;
            local $ENV{FAKE_X11PERF} = 'display=refuse';
            program('x11', '--facts', ':7');
        }
    );
};

# --- with the real ones

my %real  = map   { $_ => Touchstone::Machine::Command::find($_) } qw(x11perf Xvfb);
my $real  = !grep { !defined } values %real;
my ($why) = Tools::lacking(qw(x11perf Xvfb));

# Wrappers record their arguments before they start the real programs, with the same standard output,
# standard error and process id.
my $told = script('told', <<'END');
#!/bin/sh
for word; do last=$word; done
case $0 in
*/Xvfb) echo $$ >>"$LOG.server"; exec "$REAL_XVFB" "$@" ;;
*) echo "$2 $last" >>"$LOG.display"; exec "$REAL_X11PERF" "$@" ;;
esac
END
my $TOLD = bin(map { $_ => $told } qw(x11perf Xvfb));

# Starts x11 with the real programs: { pid, log }.
sub start_real {
    my (@arguments) = @_;
    state $n = 0;
    my $log = "$work/real" . $n++;
    local @ENV{qw(PATH LOG REAL_XVFB REAL_X11PERF)} = ("$TOLD:$PATH", $log, @real{qw(Xvfb x11perf)});
    return { log => $log, pid => start(Programs::path('x11'), @arguments) };
}

# Another server may have taken its number meanwhile; then something answers there.
sub nothing_left {
    my ($what, $run) = @_;
    my ($server) = lines("$run->{log}.server");
    ok(defined $server && comes(sub { gone($server) }), "$what: no Xvfb is left");
    my ($number) = map { /\A:(\d+)/ } lines("$run->{log}.display");
    my $socket = '/tmp/.X11-unix/X' . ($number // return);
    ok(!-e $socket               || IO::Socket::UNIX->new(Peer => $socket), "$what: no socket is left");
    ok(!-e "/tmp/.X$number-lock" || -e $socket,                             "$what: no lock is left");
    return;
}

sub run_real {
    my $run = start_real(@_);
    waitpid $run->{pid}, 0;
    return ($run, $?, slurp("$work/started.err"), slurp("$work/started.out"));
}

subtest 'the real x11perf draws rectangles on the real Xvfb' => sub {
    $real or plan skip_all => $why;
    my ($run, $status, $err) =
        run_real(0.2, 'xvfb', 'rect10=7180000', 'rect100=110000', 'oddtilerect10=1430000',
        'eschertilerect100=18000');
    is($status, 0, 'exit 0') or diag($err);
    like(
        $err,
        qr/\A(?:FIGURE\|\w+\|[1-9]\d*\.\d+\n){4}COUNT\|[1-9]\d*\.\d+\|0\|score\n$TIMES/,
        'four figures and a score'
    );
    nothing_left('measured', $run);
};

subtest 'the real x11perf draws text, with the fonts that are there' => sub {
    $real or plan skip_all => $why;
    my ($run, $status, $err) =
        run_real(0.2, 'xvfb', qw(polytext16=369000 rgb24text=2510 caa10text=15300 ca24text=2540 tr10text=1));
    is($status, 0, 'exit 0') or diag($err);
    is(
        scalar(
            () =
                $err =~
                /^(?:FIGURE\|\w+\|[1-9]\d*\.\d+|MISSING\|\w+\|Could not load font '.*', benchmark omitted)$/mg
        ),
        5,
        'a rate or the missing font of each'
    ) or diag($err);
    nothing_left('text', $run);
};

subtest 'the real x11perf scales by itself' => sub {
    $real or plan skip_all => $why;
    plan skip_all => 'takes 8 s: set TEST_LONG' if !$ENV{TEST_LONG};
    my ($run, $status, $err) = run_real(3, 'xvfb', 'rect10');
    like(
        $err,
        qr/\AFIGURE\|rect10\|[1-9]\d*\.\d+\nCOUNT\|[1-9]\d*\.\d+\|0\|score\n$TIMES/,
        'a figure and a score'
    );
    nothing_left('long', $run);
};

subtest 'the real server says what it is' => sub {
    $real or plan skip_all => $why;
    my ($run, $status, $err, $out) = run_real('--facts', 'xvfb');
    is("$status$err", '0', 'exit 0 and no complaint');
    like(
        $out,
        qr/\Adisplay=xvfb\nserver=\S.*\nversion=\d\S*\n(?:dimensions=1024x768\ndepth=24\n)?x11perf=\d\S*\n\z/,
        'the facts'
    );
    nothing_left('facts', $run);
};

subtest 'the real x11perf does not know a test, or has no server' => sub {
    $real or plan skip_all => $why;
    my ($run, @got) = run_real(SECONDS, 'xvfb', 'rect11');
    is_error('unknown', q{x11perf does not know the test 'rect11'}, @got);
    nothing_left('unknown', $run);
    my ($none, @failed) = run_real(SECONDS, 'unix:60001', 'rect10');
    is_error('none', q{the display 'unix:60001' cannot be opened: }, @failed);
};

subtest 'a real server that wants a cookie refuses' => sub {
    $real or plan skip_all => $why;
    script('cookie',
        pack('n (n/a*)5', 65535, '', '', 'MIT-MAGIC-COOKIE-1', 'sixteen letters!') =~ s/\0\0\z//r);
    pipe my $number, my $tell or die "cannot make a pipe: $!\n";
    my $server = fork // die "cannot fork: $!\n";
    if (!$server) {
        open STDOUT, '>&', $tell       or POSIX::_exit(127);
        open STDERR, '>',  '/dev/null' or POSIX::_exit(127);
        {
            no warnings 'exec';
            exec { $real{Xvfb} } 'Xvfb', '-displayfd', 1, '-nolisten', 'tcp', '-auth', "$work/cookie"
        }
        POSIX::_exit(127);
    }
    close $tell;
    chomp(my $display = ':' . (<$number> // ''));
    local $ENV{XAUTHORITY} = '/dev/null';
    is_error(
        'refused',
        qr{the display '$display' cannot be opened: \S.*; allow it with xhost},
        program('x11', SECONDS, $display, 'rect10')
    );
    kill TERM => $server;
    waitpid $server, 0;
};

subtest 'whatever ends it, no server stays' => sub {
    $real or plan skip_all => $why;
    for my $signal (qw(TERM INT HUP KILL)) {
        for my $when ('server', 'display') {
            my $run = start_real(3, 'xvfb', 'rect10', 'seg100', 'putimagexy500');
            comes(sub { -s "$run->{log}.$when" }) or fail("no $when");

            # Before Xvfb has a client, only Linux ends it after a SIGKILL of x11.
            if ($signal eq 'KILL' && $^O ne 'linux') {
                comes(sub { @{ [ lines("$run->{log}.display") ] } > 1 });
            }
            kill $signal, $signal eq 'TERM' ? -$run->{pid} : $run->{pid};
            waitpid $run->{pid}, 0;
            is($? & 127, POSIX->can("SIG$signal")->(), "SIG$signal, $when: ended by it");
            nothing_left("SIG$signal, $when", $run);
        }
    }
};

subtest 'a server that dies in the middle is a failure, and takes its socket with it' => sub {
    $real or plan skip_all => $why;
    my $run = start_real(5, 'xvfb', 'rect10', 'seg100');
    ok(comes(sub { @{ [ lines("$run->{log}.display") ] } > 5 }), 'it measures');
    kill KILL => lines("$run->{log}.server");
    waitpid $run->{pid}, 0;
    is_error('killed', q{the X server ended in the middle of x11perf}, $?, slurp("$work/started.err"));
    nothing_left('killed', $run);
};

# --- the tests that ran beside the others

subtest 'an x11perf that hangs is killed' => sub {
    $abstract or plan skip_all => 'names of sockets without a file are for Linux';
    is_error('hang', q{x11perf \(seg100\) did not end within 10 seconds and was killed}, waited('hang'));
    ok(gone(slurp("$work/hang.log") =~ /\A(\d+)/), 'no Xvfb is left');
};

subtest 'an Xvfb that never has a display is stopped' => sub {
    $abstract or plan skip_all => 'names of sockets without a file are for Linux';
    is_error('mute', q{Xvfb did not report its display number within 15 seconds}, waited('mute'));
    ok(gone(slurp("$work/mute.log") =~ /\A(\d+)/), 'no Xvfb is left');
};

done_testing;
