# SPDX-License-Identifier: GPL-2.0-or-later
# Run::Launcher - one pass: N copies of one program, started together, watched, ended.
#
#   my $result = Touchstone::Run::Launcher::run_pass(
#       program => '/.../pgms/pipe',
#       args    => [1],
#       env     => { ... },
#       dirs    => [ a directory for each copy ],
#       cpus    => [ '0', '1' ],
#       limit   => 33,
#       stopped => sub { $signal },
#       said    => sub { what a copy says it is doing },
#       each    => [ { program, args, env } in which a copy differs from the others ],
#   );
#
#   {
#     copies  => [ the numbers of each copy, as Record::Channel reads them ],
#     seconds => 1.02,
#     started => 1795240226.5,
#     output  => 'what the copies printed otherwise',
#   }
#
# A pass without a result has no copies, and says why: failure, skip or stopped. Beside a failure, `idle`
# names the copy that counted nothing, when that is all that went wrong and others counted.
#
# The number of descriptors decides how many copies fit below the usual limit of 1,024. Each copy has one
# pipe, its standard error, so that a program is understood which knows only COUNT lines there; all else is
# shared. Nothing is read while the clock runs unless a program prints.
package Touchstone::Run::Launcher;
use 5.014;
use strict;
use warnings;

use Fcntl qw(F_SETFD);
use POSIX qw(:sys_wait_h setpgid);
use Time::HiRes qw(time clock_gettime CLOCK_MONOTONIC);
use Config;

use Touchstone::Machine::Limits;
use Touchstone::Machine::Process;
use Touchstone::Record::Channel;

# A program that ignores SIGTERM gets so many seconds before SIGKILL, and select wakes after so many even if
# no pipe tells anything.
my $MERCY = 1;
my $TICK  = 0.5;

# So many octets of what a copy prints beside its results are kept; the rest is read and forgotten.
my $KEPT_OUTPUT  = 8192;
my $LOGGED       = 4096;
my $READ_AT_ONCE = 65536;

sub run_pass {
    my (%pass) = @_;
    my $p = {
        each => [],
        %pass,
        pids    => {},
        ended   => [],
        err     => [],
        pipe    => {},
        ready   => 0,
        results => '',
        out     => '',
        group   => 0,
        begun   => []
    };
    local $SIG{CHLD} = sub { };
    _start_all($p);
    my $setup_end = _now() + $p->{limit};

    # A copy that has ended without a word shall not keep the others waiting, so those that live must be
    # ready.
    my $all_ready = sub { $p->{ready} >= keys %{ $p->{pids} } };
    _pump($p, $setup_end, $all_ready);
    _too_late($p, 'the set-up') if !$p->{trouble} && !$all_ready->();
    my ($opened, $begin) = (time, _now());
    _shut($p, 'gate');
    _pump($p, $begin + $p->{limit}, sub { 0 });
    _too_late($p, 'its work') if !$p->{trouble} && %{ $p->{pids} };
    my $seconds = _now() - $begin;
    _end_all($p);
    return result($p, $opened, $seconds);
}

# Durations and limits need this clock: the time of day may be set while a pass runs.
sub _now { return clock_gettime(CLOCK_MONOTONIC) }

sub _start_all {
    my ($p) = @_;
    my %child;
    for my $name (qw(result out ready gate)) {
        pipe my $read, my $write or return _give_up($p, 'cannot make a pipe', $!);
        binmode $read;
        ($p->{pipe}{$name}, $child{$name}) = $name eq 'gate' ? ($write, $read) : ($read, $write);
    }
    my $copies = @{ $p->{dirs} };
    for my $i (0 .. $copies - 1) {
        my $which = $copies > 1 ? 'copy ' . ($i + 1) . " of $copies" : 'it';
        pipe my $read, my $write or return _give_up($p, "cannot make a pipe for $which", $!);
        binmode $read;
        my $pid =
            Touchstone::Machine::Process::start(sub { _become_copy($p, $i, { %child, err => $write }) });
        return _give_up($p, "cannot start $which", $!) if !defined $pid;
        $p->{begun}[$i] = _now();
        $p->{group} ||= $pid;
        setpgid($pid, $p->{group});
        $p->{pids}{$pid} = $i;
        $p->{pipe}{"err $i"} = $read;
        return if $p->{stopped}->();
    }
    return;
}

sub _give_up {
    my ($p, $what, $error) = @_;
    $p->{trouble} = "$what: " . Touchstone::Machine::Limits::why($error);
    return;
}

# The child does this. Whatever goes wrong here is told the way a program tells it.
sub _become_copy {
    my ($p, $i, $pipe) = @_;
    my %own = (%$p, %{ $p->{each}[$i] || {} });
    setpgid(0, $p->{group});
    open STDERR, '>&', $pipe->{err} or POSIX::_exit(1);
    binmode STDERR;
    my $ok = open(STDIN, '<:raw', '/dev/null') && open(STDOUT, '>&', $pipe->{out});
    %ENV = (%ENV, %{ $own{env} }, TS_COPY => $i, TS_SLICES => 1);

    for (qw(result ready gate)) {
        fcntl $pipe->{$_}, F_SETFD, 0;
        $ENV{ 'TS_' . uc } = fileno $pipe->{$_};
    }
    $ENV{TS_CPUS} = $p->{cpus}[$i] if defined $p->{cpus}[$i];
    if (!$ok) {
        syswrite STDERR, "ERROR|cannot redirect its input and output: $!\n";
    } elsif (chdir $p->{dirs}[$i]) {
        no warnings 'exec';
        exec { $own{program} } $own{program}, @{ $own{args} };
        syswrite STDERR, "ERROR|cannot run '$own{program}': $!\n";
    } else {
        syswrite STDERR, "ERROR|cannot enter '$p->{dirs}[$i]': $!\n";
    }
    POSIX::_exit(1);
}

# Sleeps and reads until `done` is true, all copies have ended, one has failed, the time is up or the user
# wants to stop.
sub _pump {
    my ($p, $until, $done) = @_;
    while (%{ $p->{pids} } && !$p->{trouble} && !$done->() && _now() < $until && !$p->{stopped}->()) {
        my $left = $until - _now();
        _read_ready($p, $left < $TICK ? $left : $TICK);
        _reap($p);
    }
    return;
}

sub _read_ready {
    my ($p, $seconds) = @_;
    my %name = map { fileno($p->{pipe}{$_}) => $_ } grep { $_ ne 'gate' } keys %{ $p->{pipe} };
    my $bits = '';
    vec($bits, $_, 1) = 1 for keys %name;
    my $readable = $bits;
    my $n = select $readable, undef, undef, $seconds < 0 ? 0 : $seconds;
    return 0 if $n <= 0;
    _read_pipe($p, $name{$_}) for grep { vec $readable, $_, 1 } sort { $a <=> $b } keys %name;
    return $n;
}

sub _read_pipe {
    my ($p, $name) = @_;
    my $n = sysread $p->{pipe}{$name}, (my $text), $READ_AT_ONCE;
    return                  if !defined $n;
    return _shut($p, $name) if $n == 0;
    if    ($name eq 'ready')  { $p->{ready} += $n }
    elsif ($name eq 'result') { _add_results($p, $text) }
    elsif ($name eq 'out')    { _keep(\$p->{out}, $text) }
    elsif ($name =~ /(\d+)$/) { _keep(\($p->{err}[$1] //= ''), $text) }
    return;
}

sub _add_results {
    my ($p, $text) = @_;
    $p->{results} .= $text;
    my $doing = $p->{said} ? Touchstone::Record::Channel::doing($text) : undef;
    $p->{said}->($doing) if defined $doing;
    return;
}

# Keeps the beginning and the end of a flood: causes stand first, results last.
sub _keep {
    my ($kept, $text) = @_;
    $$kept .= $text;
    return if length $$kept <= 2 * $KEPT_OUTPUT;
    substr $$kept, $KEPT_OUTPUT / 2, length($$kept) - $KEPT_OUTPUT, "\n...\n";
    return;
}

sub _shut {
    my ($p, $name) = @_;
    my $pipe = delete $p->{pipe}{$name};
    close $pipe if $pipe;
    return;
}

sub _reap {
    my ($p) = @_;
    for my $pid (keys %{ $p->{pids} }) {
        next if waitpid($pid, WNOHANG) != $pid;
        my $status = $?;
        my $i      = delete $p->{pids}{$pid};
        $p->{ended}[$i] = { status => $status, when => _now() };
        $p->{trouble} //= 'a copy failed' if $status;
    }
    return;
}

sub _too_late {
    my ($p, $what) = @_;
    $p->{trouble} = $p->{stopped}->() ? 'stopped' : sprintf 'did not end %s within %.0f s and was killed',
        $what, $p->{limit};
    return;
}

# Nothing of the group may live on, and neither may what the copies started and left behind.
sub _end_all {
    my ($p) = @_;
    return if !$p->{group};
    if (%{ $p->{pids} }) {
        kill 'TERM', -$p->{group};
        my $until = _now() + $MERCY;
        while (%{ $p->{pids} } && _now() < $until) {
            _read_ready($p, 0.05);
            _reap($p);
        }
    }
    kill 'KILL', -$p->{group};
    for my $pid (keys %{ $p->{pids} }) {
        waitpid $pid, 0;
        $p->{ended}[ delete $p->{pids}{$pid} ] = { status => $?, when => _now() };
    }
    1 while _read_ready($p, 0);
    return;
}

# Returns what comes of a pass whose copies have ended. `p` has what run_pass was called with, and
#
#   {
#     results => 'what they said of their results: COPY|LINE, each on a line',
#     out     => 'what they printed on standard output',
#     err     => [ what each of them printed on standard error ],
#     begun   => [ when each of them began, in seconds ],
#     ended   => [ { status, when } of each ],
#     trouble => why the pass was given up, or nothing,
#   }
sub result {
    my ($p, $opened, $seconds) = @_;
    my %result = (started => $opened, seconds => $seconds, output => _output($p));
    if (my $signal = $p->{stopped}->()) {
        return { %result, stopped => $signal };
    }
    my @lines;
    push @{ $lines[$1] }, $2 while $p->{results} =~ /^(\d{1,6})\|(.*)$/mg;
    my @copies = map  { _copy($p, $_, $lines[$_]) } 0 .. $#{ $p->{dirs} };
    my @bad    = grep { $copies[$_]{bad} } 0 .. $#copies;
    if (my ($skipped) = grep { $copies[$_]{bad}{skip} } @bad) {
        return { %result, skip => $copies[$skipped]{bad}{skip} };
    }
    if ($p->{trouble} && $p->{trouble} ne 'a copy failed') {
        return { %result, failure => $p->{trouble} };
    }
    if (@bad) {

        # A copy that was killed because another had failed is not the cause.
        my ($first) = sort { $copies[$a]{bad}{when} <=> $copies[$b]{bad}{when} } @bad;
        my $which   = @copies > 1 ? 'copy ' . ($first + 1) . ' of ' . @copies . ': ' : '';
        my $why     = $copies[$first]{bad}{why};
        my $limit   = Touchstone::Machine::Limits::explanation(
            join("\n", $why, $p->{out}, map { $_ // '' } @{ $p->{err} }),
            scalar @copies);
        my $alone = @bad < @copies && !grep { !$copies[$_]{bad}{idle} } @bad;
        my $idle  = $alone ? { idle => $which =~ s/: \z//r } : {};
        return { %result, %$idle, failure => $which . $why . (defined $limit ? " ($limit)" : '') };
    }
    return { %result, copies => \@copies };
}

# Returns the numbers of one copy, or { bad } when they are none.
sub _copy {
    my ($p, $i, $lines) = @_;
    my $err   = $p->{err}[$i] // '';
    my $got   = Touchstone::Record::Channel::parse($lines ? join "\n", @$lines : $err);
    my $begun = $p->{begun}[$i] // 0;
    my $end   = $p->{ended}[$i] || { status => 0, when => $begun };

    # A program that only counts is timed from its fork to its end.
    $got->{time} //= $end->{when} - $begun;
    my ($exit, $signal) = ($end->{status} >> 8, $end->{status} & 127);

    # A copy tells its own words and the last of what it started: the shell knows better than looper why it
    # failed.
    my $why = defined $got->{error} ? $got->{error} . ($lines ? _last_words($err) : '') : undef;
    $why //= 'killed by signal ' . _signal_name($signal)  if $signal;
    $why //= "exit status $exit" . _last_words($err)      if $exit && !defined $got->{skip};
    $why //= Touchstone::Record::Channel::complaint($got) if !$exit;
    return $got if !defined $why && $exit != 77;
    my $idle =
        !$exit && !defined $got->{error} && !$got->{rubbish} && defined $got->{count} && $got->{count} == 0;
    my $skip = $exit == 77 ? $got->{skip} // 'it cannot run here' : undef;
    return { bad => { when => $end->{when}, why => $why, skip => $skip, idle => $idle } };
}

sub _signal_name {
    my ($number) = @_;
    my @names    = split / /, $Config{sig_name};
    return "$number (SIG$names[$number])";
}

sub _last_words {
    my ($err)  = @_;
    my ($last) = grep { /\S/ } reverse split /\n/, $err;
    return defined $last ? ': ' . Touchstone::Record::Channel::readable($last) : '';
}

# Returns what the copies printed. A text is told once, however many copies said it.
sub _output {
    my ($p) = @_;
    my %seen;
    my $text = join '', grep { length && !$seen{$_}++ } $p->{out}, map { $_ // '' } @{ $p->{err} };
    return substr $text, 0, $LOGGED;
}

1;
