#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# Processes that measured programs start (src/child.h), what they tidy up (src/tidy.h), and how they notice
# that Run is gone (src/watch.h), tested through the program t/child.c.
use 5.014;
use strict;
use warnings;

use Config;
use Fcntl qw(F_SETFD);
use POSIX ();
use Test::More;

use lib 't/lib';
use ByHand;
use NoWarnings;
use Programs;
use Touchstone::Machine::Command;
use Waiting;

my ($compiler) = grep { defined Touchstone::Machine::Command::find($_) } qw(cc gcc clang);
$compiler or plan skip_all => 'there is no compiler';
my @FLAGS   = qw(-std=gnu11 -D_POSIX_C_SOURCE=200809L -O2 -Wall -Wextra -Wpedantic -Wconversion -Wshadow);
my $PROGRAM = "$work/children";
my @SOURCES = map { "$Programs::BASE/$_.c" } 't/child',
    map { "src/$_" } qw(bench channel perf pin turn child tidy watch);
my ($failed, $words) = run($compiler, @FLAGS, "-I$Programs::BASE/src", '-o', $PROGRAM, @SOURCES);
is("$failed$words", '0', 'the program is built');

# Standard input has text that no child may read.
open STDIN, '<', "$Programs::BASE/t/child.c" or die "cannot read t/child.c: $!\n";

# Returns what the program prints of a child: how it ended, its standard output and its standard error.
sub children {
    my (@arguments) = @_;
    my ($status, $err, $out) = run($PROGRAM, 'run', @arguments);
    is($status, 0, 'it has reaped the child') or diag($err);
    return "$err$out";
}

sub blocked { return POSIX::sigprocmask(POSIX::SIG_BLOCK(), POSIX::SigSet->new(@_)) }

sub sh { return ('sh', '-c', @_) }

subtest 'a child answers, and how it ends is known' => sub {
    my @answers = (
        [ 'both streams apart',     '-', 'echo out; echo err >&2; exit 3', "exit 3\nout\n--\nerr\n--\n" ],
        [ 'both as one',            'm', 'echo out; echo err >&2',         "exit 0\nout\nerr\n--\n--\n" ],
        [ 'standard output alone',  'o', 'echo out; echo err >&2',         "err\nexit 0\nout\n--\n--\n" ],
        [ 'one that a signal ends', '-', 'kill -9 $$',                     "signal 9\n--\n--\n" ],
        [ 'its input is empty',     '-', 'cat; echo end',                  "exit 0\nend\n--\n--\n" ],
        [ 'what has no room is dropped', '-', 'printf "%0300d" 7', "exit 0\n" . '0' x 199 . "--\n--\n" ],
        [ 'it closes its output first',  '-', 'echo out; exec >&- 2>&-; exit 4', "exit 4\nout\n--\n--\n" ],
    );
    for my $answer (@answers) {
        my ($what, $how, $script, $said) = @$answer;
        is(children($how, 0, sh($script)), $said, $what);
    }
    my @speaks = sh('cat; echo out; echo err >&2');
    my (undef, undef, $out) = run(sh('exec "$0" "$@" <&- 2>&-', $PROGRAM, 'run', '-', 0, @speaks));
    is($out, "exit 0\nout\n--\nerr\n--\n", 'this process has no standard input and no standard error');
    like(children('n', 0, sh('echo out')), qr/^out$/m, 'nobody listens: its output is this process\'s own');
};

subtest 'what cannot be run is told by its cause' => sub {
    my $file = "$work/file";
    open my $out, '>', $file or die "cannot write '$file': $!\n";
    close $out or die "cannot write '$file': $!\n";
    my ($absent, $denied) = (POSIX::ENOENT(), POSIX::EACCES());
    my %cause = ("$work" => $denied, $file => $denied);
    @cause{ "$work/absent", 'no such program' } = ($absent) x 2;

    # The first directory of PATH that the user may not enter would be the cause, whatever comes behind it.
    local $ENV{PATH} = "$work";
    for my $program (sort keys %cause) {
        my $cause = $cause{$program};
        is(children('-', 0, $program), 'cannot run it: ' . POSIX::strerror($cause) . "\n", $program);
    }
};

subtest 'what hangs is killed when its time is up' => sub {
    my %hangs = (
        'it ignores SIGTERM'                => 'trap "" TERM INT HUP; while :; do sleep 0.1; done',
        'it prints without end'             => 'while :; do echo more; done',
        'it closes its output and lives on' => 'exec >&- 2>&-; sleep 300',
    );
    like(children('-', 300, sh($hangs{$_})), qr/\Ahung\n/, $_) for sort keys %hangs;
};

# This Perl program, run as a child, prints the blocked and the ignored signals.
my $TELLS = <<'PERL';
use POSIX ();
POSIX::sigprocmask(POSIX::SIG_BLOCK(), POSIX::SigSet->new, my $mask = POSIX::SigSet->new);
my @blocked = grep { $mask->ismember(POSIX->can("SIG$_")->()) } qw(TERM CHLD ALRM);
my @ignored = grep { ($SIG{$_} // '') eq 'IGNORE' } qw(HUP PIPE CHLD);
print "blocked: @blocked, ignored: @ignored\n";
PERL

subtest 'a caller who blocks and ignores signals does no harm' => sub {
    local @SIG{qw(CHLD PIPE HUP)} = ('IGNORE') x 3;
    my $pid = fork // die "cannot fork: $!\n";
    if (!$pid) {
        blocked(POSIX::SIGTERM(), POSIX::SIGCHLD(), POSIX::SIGALRM());
        open STDOUT, '>', "$work/told" or POSIX::_exit(126);
        exec $PROGRAM, 'run', '-', 0, $^X, '-e', $TELLS;
    }
    $SIG{CHLD} = 'DEFAULT';
    waitpid $pid, 0;
    is(slurp("$work/told"), "exit 0\nblocked: , ignored: HUP\n--\n--\n", 'what nohup has set alone is left');
};

# --- processes that are left behind

my ($FILE, $PIDS) = ("$work/to be removed", "$work/pids");

# Children that write their process ids to $PIDS.
my $NOTE  = 'open my $to, ">>", $ARGV[0]; sub note { syswrite $to, join "", map { "$_\n" } @_ }';
my %CHILD = (
    plain    => [ sh(qq{echo \$\$ >>'$PIDS'; exec sleep 300}) ],
    stubborn => [ $^X, '-e', $NOTE . <<'PERL', $PIDS ],
@SIG{qw(TERM INT HUP)} = ('IGNORE') x 3;
note($$);
sleep 1 while 1;
PERL

    # This child ends its own child too, slowly, and prints more than a pipe holds.
    parent => [ $^X, '-e', $NOTE . <<'PERL', $PIDS ],
my $pid = fork;
if (!$pid) { sleep 1 while 1 }
my $ended = 0;
$SIG{TERM} = sub { $ended = 1 };
note($$, $pid);
select undef, undef, undef, 0.05 until $ended;
syswrite STDOUT, 'x' x 200_000;
kill 'KILL', $pid;
waitpid $pid, 0;
exit 0;
PERL

    # Neither this child nor its own child ends by the first signal of a group.
    deaf => [ $^X, '-e', $NOTE . <<'PERL', $PIDS ],
$SIG{TERM} = 'IGNORE';
my $pid = fork;
if (!$pid) { sleep 1 while 1 }
note($$, $pid);
sleep 1 while 1;
PERL
);
my %WRITES = (plain => 1, stubborn => 1, parent => 2, deaf => 2);

# Starts the program with a child and a function, and returns when all are running: its id, a handle that
# tells it to go on, its output, and the ids of the others. `prepare` is called in its process.
sub held {
    my ($child, $end, %how) = @_;
    unlink $PIDS;
    pipe my $from, my $go or die "cannot make a pipe: $!\n";
    pipe my $told, my $to or die "cannot make a pipe: $!\n";
    my $pid = fork // die "cannot fork: $!\n";
    if (!$pid) {
        close $go;
        open STDIN,  '<&', $from            or POSIX::_exit(126);
        open STDOUT, '>&', $to              or POSIX::_exit(126);
        open STDERR, '>',  "$work/held.err" or POSIX::_exit(126);
        close $to;
        $how{prepare}->() if $how{prepare};
        my @hold = ($PROGRAM, 'hold', $FILE, $how{mercy} ? 'm' : '-', $end, @{ $CHILD{$child} });
        { no warnings 'exec'; exec 'sh', '-c', 'ulimit -c 0; exec "$0" "$@"', @hold }
        POSIX::_exit(127);
    }
    close $_ for $from, $to;
    my $function = <$told> // '';
    my $ready    = <$told> // '';
    is($ready, "ready\n", "$child, $end: it is ready");
    my $all = sub { -e $PIDS && slurp($PIDS) =~ tr/\n// == $WRITES{$child} };
    ok(comes($all), "$child, $end: and so are its children");
    return { pid => $pid, go => $go, told => $told, others => [ ($function . slurp($PIDS)) =~ /(\d+)/g ] };
}

sub nothing_left {
    my ($what, $held) = @_;
    ok(comes(sub { gone($held->{pid}) }), "$what: it ends") or kill 'KILL', $held->{pid};
    waitpid $held->{pid}, 0;
    my $status = $?;

    # Those that were killed together with it need a moment to be gone.
    my @left;
    comes(
        sub {
            !(@left = grep { !gone($_) } @{ $held->{others} });
        }
    );
    is("@left", '', "$what: no process is left") or kill 'KILL', @left;
    ok(!-e $FILE, "$what: no file is left") or unlink $FILE;
    return $status;
}

my %NUMBER;
@NUMBER{ split ' ', $Config{sig_name} } = split ' ', $Config{sig_num};

subtest 'a signal ends it when it has ended all and tidied up' => sub {
    for my $signal (qw(INT TERM HUP QUIT XCPU PIPE)) {
        my $held = held('plain', 'wait');
        kill $signal, $held->{pid};
        is(nothing_left("SIG$signal", $held) & 127, $NUMBER{$signal}, "SIG$signal: by that signal");
    }
    for my $child (qw(stubborn parent)) {
        my $held = held($child, 'wait', mercy => 1);
        kill 'TERM', $held->{pid};
        is(nothing_left("mercy, $child", $held) & 127, POSIX::SIGTERM(), "mercy, $child: by that signal");
    }
};

subtest 'what was ignored at the start stays ignored' => sub {
    my $held = held('plain', 'wait', prepare => sub { @SIG{qw(HUP INT)} = ('IGNORE') x 2 });
    kill $_,     $held->{pid} for qw(HUP INT);
    kill 'TERM', $held->{pid};
    is(nothing_left('ignored', $held) & 127, POSIX::SIGTERM(), 'another signal ends it');
};

subtest 'SIGKILL takes the children along' => sub {
    plan skip_all => 'only Linux tells a child that its parent has gone' if $^O ne 'linux';
    my $held = held('plain', 'wait');
    kill 'KILL', $held->{pid};
    waitpid $held->{pid}, 0;
    for my $pid (@{ $held->{others} }) {
        ok(comes(sub { gone($pid) }), 'a child has gone') or kill 'KILL', $pid;
    }
    unlink $FILE;
};

subtest 'however it ends by itself, nothing is left' => sub {
    my %ends = (
        fail  => [ 1,  'ERROR|what was asked for: ' . POSIX::strerror(POSIX::ENOSPC()) . "\n" ],
        wrong => [ 1,  "ERROR|wrong result: what was asked for\n" ],
        skip  => [ 77, "SKIP|what was asked for\n" ],
        usage => [ 2,  "usage: $PROGRAM run|hold ...\n" ],
        exit  => [ 0,  '' ],
    );
    for my $end (sort keys %ends) {
        my $held = held('stubborn', $end);
        syswrite $held->{go}, "\n";
        is(nothing_left($end, $held) >> 8, $ends{$end}[0], "$end: its exit status");
        is(slurp("$work/held.err"),        $ends{$end}[1], "$end: its words");
    }
};

subtest 'a process that was forked tidies nothing of its parent' => sub {
    for my $end (qw(forked-fail forked-exit)) {
        my $held = held('plain', $end);
        syswrite $held->{go}, "\n";
        is(readline $held->{told},    "the file is there\n", $end);
        is(nothing_left($end, $held), 0,                     "$end: the parent ends well");
    }
};

# The results of the program go into a pipe, whose reading end the test has.
sub held_by_run {
    my ($child, $own_group, %how) = @_;
    pipe my $results, my $to_results or die "cannot make a pipe: $!\n";
    my $held = held(
        $child, 'wait', %how,
        prepare => sub {
            POSIX::setpgid(0, 0) if $own_group;
            fcntl $to_results, F_SETFD, 0;
            @ENV{qw(TS_RESULT TS_COPY)} = (fileno $to_results, 0);
            $how{prepare}->() if $how{prepare};
        }
    );
    return ($held, $results);
}

subtest 'it notices that Run is gone' => sub {
    for my $child (qw(plain stubborn)) {
        my ($held, $results) = held_by_run($child, 0);
        close $results;
        is(nothing_left("Run is gone, $child", $held), 1 << 8, "Run is gone, $child: exit 1");
    }
    my ($held, $results) = held_by_run('deaf', 1);
    close $results;
    is(nothing_left('Run is gone, own group', $held) & 127, POSIX::SIGKILL(), 'its own group ends with it');
    ($held, $results) = held_by_run('plain', 0, prepare => sub { blocked(POSIX::SIGALRM()) });
    close $results;
    is(nothing_left('Run is gone, alarms blocked', $held), 1 << 8, 'also when alarms were blocked');
};

subtest 'an alarm that was set before it began rings, and nothing is left' => sub {
    my $held = held('plain', 'wait', prepare => sub { alarm 60 });

    # Each check counts as one second of the alarm.
    comes(sub { kill 'ALRM', $held->{pid}; gone($held->{pid}) });
    is(nothing_left('alarm', $held) & 127, POSIX::SIGALRM(), 'it ends by the alarm');
};

subtest 'a program that calls nothing of this is linked without it' => sub {
    for my $program (qw(pipe spawn execl syscall context1 loop84 scall84)) {
        unlike(slurp(Programs::path($program)), qr/child_start|bench_tidy|bench_watch/, $program);
    }
    like(slurp($PROGRAM), qr/child_start/, 'and the names are there where it is called');
};

done_testing;
