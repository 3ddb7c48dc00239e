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
#       slow    => 1, when copies may take longer while they use CPU time,
#       stopped => sub { $signal },
#       progress    => sub { what a copy says it is doing },
#       each    => [ { program, args, env, called } in which a copy differs from the others ],
#       turns   => a Run::Turns, when the copies are of several sides and are to take turns,
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
# names the copy that counted nothing, when that is all that went wrong and others counted; `unable` says
# that turns were wanted and the program cannot take turns.
#
# The number of descriptors decides how many copies fit below the usual limit of 1,024. Each copy has one
# pipe, its standard error, so that a program is understood which knows only COUNT lines there, and another
# one for its turns; all else is shared. Nothing is read while the clock runs unless a program prints.
package Touchstone::Run::Launcher;
use 5.014;
use strict;
use warnings;

use Fcntl qw(F_SETFD);
use List::Util qw(max min);
use POSIX qw(:sys_wait_h setpgid);
use Time::HiRes qw(clock_gettime CLOCK_MONOTONIC);

use Touchstone::Base::Time;
use Touchstone::Run::Turns;
use Touchstone::Machine::Limits;
use Touchstone::Machine::Command;
use Touchstone::Record::Channel;
use Touchstone::Record::Largest;
use Touchstone::Run::Launcher::Patience;
use Touchstone::Run::Launcher::Result;

# A program that ignores SIGTERM gets so many seconds before SIGKILL, and select wakes after so many even if
# no pipe tells anything.
my $MERCY = 1;
my $TICK  = 0.5;

# With the fewest slices the record of 256 copies is no larger than with ten that tell no CPU time.
my ($FEWEST_SLICES, $MOST_SLICES, $SLICES_IN_ALL) = (7, 100, 1600);

# Bytes that are kept of the output of a copy apart from its results; the rest is discarded.
my $KEPT_OUTPUT  = 8192;
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
        takers  => 0,
        taken   => {},
        line    => '',
        results => '',
        out     => '',
        group   => 0,
        began   => []
    };
    local $SIG{CHLD} = sub { };
    _start_all($p);

    # A copy that has ended without a word shall not keep the others waiting, so those that live must be
    # ready.
    my $all_ready = sub { $p->{ready} >= keys %{ $p->{pids} } };
    _wait($p, $all_ready);
    _too_late($p, 'the set-up') if !$p->{trouble} && !$all_ready->();
    my ($opened, $shut) = (Touchstone::Base::Time::now(), _now());
    my $unable =
        $p->{turns} && $p->{takers} < @{ $p->{dirs} } && !$p->{trouble} && !$p->{stopped}->();
    if (!$unable) {
        _shut($p, 'gate');
        _take_turns($p) if $p->{turns} && !$p->{trouble};
        _wait($p, sub { 0 });
        _too_late($p, 'its work') if !$p->{trouble} && %{ $p->{pids} };
    }
    my $seconds = _now() - $shut;
    _end_all($p);
    return { unable => 1 } if $unable || $p->{turns} && $p->{turns}->ends_early;
    return Touchstone::Run::Launcher::Result::from_copies($p, $opened, $seconds);
}

# Lets the copies take their turns, as Run::Turns says; then they end. When the user stops that, they still
# have a moment to report their counts.
sub _take_turns {
    my ($p) = @_;

    # A copy that has died shall be found by its end. Programs that are started later shall not inherit this.
    local $SIG{PIPE} = sub { };
    my $trouble = $p->{turns}->take(
        now  => \&_now,
        give => sub {
            my ($copy, $message) = @_;
            return (syswrite($p->{pipe}{"turn $copy"}, $message) // 0) == length $message;
        },
        taken => sub { $p->{taken}{ $_[0] } // 0 },
        lives => sub {
            my ($copy) = @_;
            return scalar grep { $_ == $copy } values %{ $p->{pids} };
        },
        late => sub { _late($p, @_) },
        wait => sub {
            my ($done) = @_;
            _wait($p, $done);
            return !$p->{trouble} && !$p->{stopped}->();
        }
    );
    $p->{trouble} //= $trouble;
    _shut($p, $_) for grep { /^turn/ } keys %{ $p->{pipe} };
    return if !$p->{stopped}->();
    local $p->{stopped} = sub { return };
    _pump($p, _now() + $MERCY, sub { 0 });
    return;
}

# A process that something has stopped is still there. Perl does not tell by what.
sub _late {
    my ($p, @copies) = @_;
    for my $pid (keys %{ $p->{pids} }) {
        next if !grep { $_ == $p->{pids}{$pid} } @copies;
        return 'was stopped in its turn, as by SIGSTOP, and killed'
            if waitpid($pid, WNOHANG | WUNTRACED) == $pid && kill 0 => $pid;
    }
    return sprintf 'did not end its turn within %.0f s and was killed', $p->{allowed};
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
        my $turn;
        if ($p->{turns}) {
            pipe $turn, $p->{pipe}{"turn $i"} or return _give_up($p, "cannot make a pipe for $which", $!);
        }
        my $pid = Touchstone::Machine::Command::start_child(
            sub { _become_copy($p, $i, { %child, err => $write, $turn ? (turn => $turn) : () }) });
        return _give_up($p, "cannot start $which", $!) if !defined $pid;
        $p->{began}[$i] = _now();
        $p->{group} ||= $pid;
        setpgid($pid, $p->{group});
        $p->{pids}{$pid} = $i;
        $p->{pipe}{"err $i"} = $read;
        close $turn if $turn;
        return      if $p->{stopped}->();
    }
    return;
}

sub _give_up {
    my ($p, $what, $error) = @_;
    $p->{trouble} = "$what: " . Touchstone::Machine::Limits::why($error);
    return;
}

# The child does this. Whatever goes wrong here is reported as a program reports it.
sub _become_copy {
    my ($p, $i, $pipe) = @_;
    my %own = (%$p, %{ $p->{each}[$i] || {} });
    setpgid(0, $p->{group});
    open STDERR, '>&', $pipe->{err} or POSIX::_exit(1);
    binmode STDERR;
    my $ok = open(STDIN, '<:raw', '/dev/null') && open(STDOUT, '>&', $pipe->{out});
    %ENV = (
        %ENV, %{ $own{env} },
        TS_COPY   => $i,
        TS_SLICES => $pipe->{turn} ? 0 : _slices(scalar @{ $p->{dirs} })
    );

    for (grep { $_ ne 'err' && $_ ne 'out' } keys %$pipe) {
        fcntl $pipe->{$_}, F_SETFD, 0;
        $ENV{ 'TS_' . uc } = fileno $pipe->{$_};
    }
    $ENV{TS_CPUS} = $p->{cpus}[$i]       if defined $p->{cpus}[$i];
    _lay_out($p->{turns}{layout}, \%own) if $p->{turns};
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

# Programs that are compared lie at the same places in memory.
sub _lay_out {
    my ($layout, $place) = @_;
    Touchstone::Run::Turns::fix_layout();
    $ENV{TS_PADDING} = '';
    $ENV{TS_PADDING} =
        'x' x Touchstone::Run::Turns::padding($layout, \%ENV, $place->{program}, @{ $place->{args} });
    return;
}

# Each copy tells of a hundred slices of its time, or of fewer where so many copies would tell a lot.
sub _slices {
    my ($copies) = @_;
    return max($FEWEST_SLICES, min($MOST_SLICES, int($SLICES_IN_ALL / $copies)));
}

# Waits until `done` is true or nothing is to be waited for any more, as long as copies may take.
sub _wait {
    my ($p, $done) = @_;
    my $patience = Touchstone::Run::Launcher::Patience->new(
        copies => scalar keys %{ $p->{pids} },
        map { $_ => $p->{$_} } qw(limit slow group)
    );
    do { _pump($p, $patience->until, $done) } while (_is_waited_for($p, $done) && $patience->goes_on);
    $p->{allowed} = $patience->seconds;
    return;
}

sub _is_waited_for {
    my ($p, $done) = @_;
    return %{ $p->{pids} } && !$p->{trouble} && !$done->() && !$p->{stopped}->();
}

# Sleeps and reads until `done` is true, all copies have ended, one has failed, the time is up or the user
# wants to stop.
sub _pump {
    my ($p, $until, $done) = @_;
    while (_now() < $until && _is_waited_for($p, $done)) {
        my $left = $until - _now();
        _read_ready($p, $left < $TICK ? $left : $TICK);
        _reap($p);
    }

    # A Run that was halted for a while finds the time over, and output that it has not read.
    _read_ready($p, 0);
    return;
}

sub _read_ready {
    my ($p, $seconds) = @_;
    my %name = map { fileno($p->{pipe}{$_}) => $_ } grep { !/^(?:gate|turn)/ } keys %{ $p->{pipe} };
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
    if    ($name eq 'ready')  { $p->{ready} += $n; $p->{takers} += $text =~ tr/t// }
    elsif ($name eq 'result') { _add_results($p, $text) }
    elsif ($name eq 'out')    { _keep(\$p->{out}, $text) }
    elsif ($name =~ /(\d+)$/) { _keep(\($p->{err}[$1] //= ''), $text) }
    return;
}

sub _add_results {
    my ($p, $text) = @_;
    return if $p->{flooded};
    my $most =
        $Touchstone::Record::Largest::RESULTS + $Touchstone::Record::Largest::OF_COPY * @{ $p->{dirs} };
    if (length($p->{results}) + length $text > $most) {
        $p->{flooded} = 1;
        $p->{trouble} = sprintf 'printed more than %d MB of results and was killed', $most / 1e6;
        return;
    }
    if ($p->{turns}) {
        my ($lines, $rest) = ("$p->{line}$text") =~ /\A(.*\n)?(.*)\z/s;
        $p->{line} = $rest;
        $p->{taken}{$_}++ for ($lines // '') =~ /^(\d{1,6})\|TURN\|/mg;
    }
    $p->{results} .= $text;
    my $doing = $p->{progress} ? Touchstone::Record::Channel::doing($text) : undef;
    $p->{progress}->($doing) if defined $doing;
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
        $what, $p->{allowed};
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

    # What has escaped may print for ever.
    my $until = _now() + $MERCY;
    1 while _now() < $until && _read_ready($p, 0);
    return;
}

1;
