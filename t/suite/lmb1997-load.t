# SPDX-License-Identifier: GPL-2.0-or-later
# The load test of 1997: programs start together, and one of them may be missing, skip, fail, hang or be
# killed. Most are scripts that use the harness's channel (src/channel.h) and do what the test needs.
use 5.014;
use strict;
use warnings;

use Fcntl qw(F_SETFD);
use File::Glob qw(bsd_glob);
use POSIX ();
use Test::More;
use Time::HiRes qw(sleep time);

use lib 't/lib';
use ByHand;
use NoWarnings;
use Programs;
use Sources ();
use Touchstone::Machine::Command;
use Touchstone::Record::Channel;
use Touchstone::Run::Launcher;
use Waiting;

my $PROGRAM = Programs::path('load1997');
my $bin     = "$work/bin";
mkdir $bin or die "cannot make '$bin': $!\n";

# Every script begins with this. `note` leaves a file beside the scripts.
my $BEGIN = <<'PERL';
use strict;
use warnings;
use Time::HiRes qw(sleep clock_gettime CLOCK_MONOTONIC);
my ($name) = $0 =~ m{([^/]+)\z};
sub note { open my $out, '>', "$0.$_[0]" or die $!; print {$out} $_[1] // ''; close $out }
sub now { return clock_gettime(CLOCK_MONOTONIC) }
sub handed { open my $fd, "$_[1]&=", $ENV{"TS_$_[0]"} or die "$_[0]: $!"; return $fd }
my ($results, $ready, $gate) = (handed(RESULT => '>'), handed(READY => '>'), handed(GATE => '<'));
sub tell_of { syswrite $results, "$ENV{TS_COPY}|$_\n" for @_ }
sub wait_at_gate { note(ready => now()); syswrite $ready, 'r'; close $ready; sysread $gate, my $byte, 1; note(begun => now()) }
sub result { tell_of('COUNT|1|1|s', "TIME|$_[0]", 'CPU|0.1|0.1', 'PREEMPTED|0'); exit 0 }
# As long as somebody reads.
sub hang { note(pid => $$); $SIG{PIPE} = 'DEFAULT'; alarm 50; while () { sleep 0.05; tell_of('NOW|hanging') } }
PERL

my %SCRIPTS = (
    good   => 'wait_at_gate(); result(0.25);',
    late   => 'sleep 0.3; wait_at_gate(); result(0.125);',
    long   => 'wait_at_gate(); sleep 0.4; result(0.4);',
    told   => 'note(arguments => join " ", map { "<$_>" } @ARGV); wait_at_gate(); result(1);',
    placed => 'note(environment => join " ", map { "$_=$ENV{$_}" } grep { /^TS_/ } sort keys %ENV);
                   note(open => join " ", map { readlink($_) // () } glob "/proc/$$/fd/*");
                   wait_at_gate(); result(1);',
    skips        => 'tell_of("SKIP|no such thing here"); exit 77;',
    silent_77    => 'exit 77;',
    skips_late   => 'wait_at_gate(); tell_of("SKIP|too late"); exit 77;',
    says_error   => 'tell_of("ERROR|no room: No space left on device"); exit 1;',
    late_error   => 'wait_at_gate(); tell_of("ERROR|no room any more"); sleep 50;',
    status       => 'wait_at_gate(); print STDERR "last words\n"; exit 3;',
    early        => 'result(1);',
    no_result    => 'wait_at_gate(); exit 0;',
    killed       => 'wait_at_gate(); kill 9, $$; sleep 50;',
    killed_early => 'kill 9, $$; sleep 50;',
    deaf         => 'close $results; close $ready; close $gate; exit 5;',
    floods       =>
        'wait_at_gate(); tell_of("NOW|" . "x" x 300) for 1 .. 3000; syswrite $results, "x" x 5000 . "\n99|ERROR|of nobody\n-1|ERROR|x\n|ERROR|x\n"; result(1);',
    background => 'wait_at_gate(); if (!fork) { note(pid => $$); sleep 5000; exit } result(1);',
    hangs      => 'note(ready => now()); hang();',
    works_on   => 'wait_at_gate(); hang();',
);

sub script {
    my ($name, $text) = @_;
    Sources::spew("$bin/$name", $text);
    chmod 0755, "$bin/$name" or die "cannot make '$name' executable: $!\n";
    return;
}
script($_, "#!$^X\n$BEGIN$SCRIPTS{$_}\n") for sort keys %SCRIPTS;

# Returns what a script has left, or undef.
sub noted  { my ($name, $what) = @_; return -e "$bin/$name.$what" ? slurp("$bin/$name.$what") : undef }
sub forget { unlink bsd_glob("\Q$bin\E/*.{ready,begun,pid,arguments,environment,open}") }

sub load { forget(); return program('load1997', 1, $bin, @_) }

sub is_alive {
    my ($pid) = @_;
    return kill(0, $pid)
        && (Touchstone::Machine::Command::first_line('ps', '-o', 'stat=', '-p', $pid) // 'R') !~ /\AZ/;
}

sub is_over {
    my ($what, $pid) = @_;
    ok($pid && comes(sub { !is_alive($pid) }), "$what is over") or kill 'KILL', grep { $_ } $pid;
    return;
}

# Tests the result of a load that reports nothing else.
sub is_load {
    my ($what, $status, $err) = @_;
    is($status, 0, "$what: exit 0");
    my $got = Touchstone::Record::Channel::parse($err);
    is(Touchstone::Record::Channel::complaint($got), undef, "$what: it is a result") or diag($err);
    is(
        "$got->{count} $got->{unit} $got->{timebase}",
        '1 s 1',
        "$what: one load, whose seconds are the result"
    ) if $got->{count};
    return $got;
}

subtest 'real programs are run at once, and each says how long it took' => sub {
    my @names = grep { -x Programs::path($_) } qw(m-permut m-vir.f);
    my ($status, $err) =
        program('load1997', 1, "$Programs::BASE/pgms", map { /vir/ ? "$_=4096" : $_ } @names);
    my $got = is_load('real', $status, $err);
    is(join(' ', sort keys %{ $got->{figures} }), join(' ', @names, 'programs'), 'a figure for each');
    is($got->{figures}{programs},                 scalar @names,                 'as many took part');
    cmp_ok($got->{figures}{$_}, '>',  0,                   "$_: above zero")         for @names;
    cmp_ok($got->{time},        '>=', $got->{figures}{$_}, "$_: no longer than all") for @names;
};

subtest 'none begins before all have set themselves up, and the last to end is the end' => sub {
    my $got     = is_load('three', load(qw(good late long)));
    my @ready   = map  { noted($_, 'ready') } qw(good late long);
    my @begun   = map  { noted($_, 'begun') } qw(good late long);
    my ($first) = sort { $a <=> $b } @begun;
    cmp_ok($first,       '>=', $_,  'ready before the first begins') for @ready;
    cmp_ok($got->{time}, '>=', 0.4, 'it took as long as the longest');
    is_deeply(
        $got->{figures},
        { programs => 3, good => 0.25, late => 0.125, long => 0.4 },
        'the seconds are those that each says'
    );
    ok(!$got->{missing}, 'nothing is missing');
};

subtest 'each is told to do one unit, and its argument' => sub {
    is_load('without', load('told'));
    is(noted('told', 'arguments'), '<0.000001>', 'none');
    is_load('with', load('told=64 = 1'));
    is(noted('told', 'arguments'), '<0.000001> <64 = 1>', 'one');
};

subtest 'what is not there is missing, and the others are measured' => sub {
    my $got = is_load('two missing', load(qw(good m-none m-none.f=3 late)));
    is_deeply(
        $got->{missing},
        {
            'm-none'   => 'the program is missing',
            'm-none.f' => 'it is not built: Fortran needs gfortran'
        },
        'they are named, with the reason'
    );
    is_deeply($got->{figures}, { programs => 2, good => 0.25, late => 0.125 }, 'two took part');
};

subtest 'what cannot run here is missing, with its own words' => sub {
    my $got = is_load('three skip', load(qw(skips good silent_77 skips_late)));
    is_deeply(
        $got->{missing},
        { skips => 'no such thing here', silent_77 => 'it cannot run here', skips_late => 'too late' },
        'they are named'
    );
    is_deeply($got->{figures}, { programs => 1, good => 0.25 }, 'one took part');
};

subtest 'a load of nothing cannot run here' => sub {
    my %says = (
        'the program is missing' => [qw(none m-none.f)],
        'no such thing here'     => [qw(skips none)],
        'too late'               => [qw(skips_late)]
    );
    for my $why (sort keys %says) {
        my ($status, $err) = load(@{ $says{$why} });
        is($status, 77 << 8, "$why: exit 77");
        like($err, qr/\ASKIP\|none of the programs can run: \w+: \Q$why\E\n\z/, "$why: it is said");
    }
};

subtest 'one that fails ends the load and the others, and is named' => sub {
    script('unreadable', "#!/nonexistent/interpreter\n");
    my %says = (
        says_error   => 'says_error: no room: No space left on device',
        late_error   => 'late_error: no room any more',
        no_result    => 'no_result: it did not say how long it took',
        killed       => 'killed: it was killed by signal 9',
        killed_early => 'killed_early: it was killed by signal 9',
        early        => 'early: it ended before all could begin',
        deaf         => 'deaf: it ended with exit status 5',
        unreadable   => 'unreadable: cannot run it: No such file or directory',
    );
    for my $program (sort keys %says) {
        my $others = $program =~ /early|says|deaf|unreadable/ ? 'hangs' : 'works_on';
        is_error($program, qr/(?<=\AERROR\|)\Q$says{$program}\E(?=\n)/, load('good', $others, $program));
        my $pid = noted($others, 'pid');
        ok(!$pid || !is_alive($pid), "$program: the other is over");
    }
};

subtest 'what one prints on standard error goes where ours goes' => sub {
    my ($status, $err) = load(qw(good status));
    is($status, 1 << 8, 'exit 1');
    like($err, qr/^last words$/m,                                 'its words');
    like($err, qr/^ERROR\|status: it ended with exit status 3$/m, 'and ours');
};

subtest 'a file that is no program is a failure' => sub {
    Sources::spew("$bin/data", "no program\n");
    chmod 0644, "$bin/data";
    is_error('data', 'data: cannot run it: Permission denied', load('good', 'data'));
};

subtest 'lines that are long, many or of nobody do no harm' => sub {
    my $got = is_load('floods', load(qw(floods good)));
    is_deeply($got->{figures}, { programs => 2, floods => 1, good => 0.25 }, 'the results are there');
};

subtest 'what one leaves in the background is not waited for' => sub {
    is_load('background', load('background'));
    my $pid = comes(sub { noted('background', 'pid') });
    ok($pid && is_alive($pid), 'it ends before that does') and kill 'KILL', $pid;
};

subtest 'as many as may be run at once, and no more' => sub {
    my $got = is_load('64', load(('good') x 64));
    is($got->{figures}{programs}, 64, '64 took part');
    is_usage('65', load(('good') x 65));
};

subtest 'wrong arguments are usage errors' => sub {
    is_usage('nothing',            program('load1997'));
    is_usage('no directory',       program('load1997', 1));
    is_usage('no program',         program('load1997', 1, $bin));
    is_usage('an empty directory', program('load1997', 1, '', 'good'));
    is_usage("program '$_'", load('good', $_)) for 'a/b', '../good', '', '=3', '..', 'a b', 'a|b', 'x' x 41;
    is_usage("seconds '$_'", program('load1997', $_, $bin, 'good')) for '0', 'x', '';
};

subtest 'who started it may ignore the end of children' => sub {
    is_load('ignored',
        run($^X, '-e', '$SIG{CHLD} = "IGNORE"; exec @ARGV', $PROGRAM, 1, $bin, 'good', 'late'));
};

# Starts the load test with a gate of its own, and a reader for its results: { pid, results, ready, gate }.
sub start_at_gate {
    my (@programs) = @_;
    forget();
    pipe my $results, my $to_results or die "cannot make a pipe: $!\n";
    pipe my $ready,   my $to_ready   or die "cannot make a pipe: $!\n";
    pipe my $at_gate, my $gate       or die "cannot make a pipe: $!\n";
    my $pid = fork // die "cannot fork: $!\n";
    if (!$pid) {
        fcntl $_, F_SETFD, 0 for $to_results, $to_ready, $at_gate;
        @ENV{qw(TS_RESULT TS_READY TS_GATE TS_COPY TS_SLICES)} =
            ((map { fileno $_ } $to_results, $to_ready, $at_gate), 5, 1);
        close $_ for $results, $gate;
        { no warnings 'exec'; exec {$PROGRAM} $PROGRAM, 1, $bin, @programs }
        POSIX::_exit(127);
    }
    return { pid => $pid, results => $results, ready => $ready, gate => $gate };
}

subtest 'it waits at its own gate until it is opened' => sub {
    my $run = start_at_gate(qw(late placed));
    is(sysread($run->{ready}, my $byte, 1), 1, 'it is ready');
    ok(noted($_, 'ready'), "$_ was ready before") for qw(late placed);
    sleep 0.1;
    ok(!noted($_, 'begun'), "$_ has not begun") for qw(late placed);
    close $run->{gate};
    my $said = do { local $/; readline $run->{results} };
    waitpid $run->{pid}, 0;
    is($?, 0, 'exit 0');
    is_load('at a gate', 0, join "\n", map { s/\A5\|//r } split /\n/, $said);
    like(
        $said,
        qr/\A(?:5\|[^|]+\|[^\n]+\n)+\z/,
        'each line has the number that it was given, and none of those of the programs'
    );
    is(join(' ', map { /^5\|(SLICE)/ ? $1 : () } split /\n/, $said), 'SLICE SLICE', 'the slices are its own');
};

subtest 'the programs have nothing of its own gate and results' => sub {
    my $run = start_at_gate('placed');
    is(sysread($run->{ready}, my $byte, 1), 1, 'it is ready');
    close $run->{gate};
    my $said = do { local $/; readline $run->{results} };
    waitpid $run->{pid}, 0;
    my %has = map { split /=/ } split ' ', noted('placed', 'environment');
    is(join(' ', sort keys %has), 'TS_COPY TS_GATE TS_READY TS_RESULT', 'no slices are wanted of them');
    is($has{TS_COPY},             0,                                    'the number of the first');
    my %open = map { $_ => 1 } split ' ', noted('placed', 'open');

    for my $pipe (qw(results ready)) {
        my $link = readlink "/proc/$$/fd/" . fileno $run->{$pipe} or return;
        ok(!$open{$link}, "the pipe of its $pipe is not open there");
    }
};

subtest 'it ends with the programs when nobody reads its results any more' => sub {
    my $run = start_at_gate(qw(good works_on));
    sysread $run->{ready}, my $byte, 1;
    close $run->{gate};
    ok(comes(sub { noted('works_on', 'pid') }), 'it is at work');
    close $run->{results};
    waitpid $run->{pid}, 0;
    isnt($?, 0, 'it has failed');
    is_over('its program', noted('works_on', 'pid'));
    $run = start_at_gate(qw(good hangs));
    ok(comes(sub { noted('hangs', 'pid') }), 'it waits for the set-up');
    close $run->{results};
    waitpid $run->{pid}, 0;
    is_over('what hangs', noted('hangs', 'pid'));
};

# Returns the processes whose command line begins with this path.
sub running {
    my ($path) = @_;
    my @found;
    for my $file (bsd_glob('/proc/[0-9]*/cmdline')) {
        open my $in, '<', $file or next;
        my $line = do { local $/; <$in> }
            // '';
        push @found, $file if index($line, "$path\0") == 0;
    }
    return @found;
}

subtest 'when it is killed its programs end by themselves' => sub {
    -e '/proc/self/cmdline' or plan skip_all => 'there is no /proc to look for processes in';
    symlink Programs::path($_), "$bin/$_" or die "cannot link: $!\n" for qw(m-permut m-nnstadis);
    my %wait = (hangs => 'm-permut', works_on => 'm-nnstadis');
    for my $other (sort keys %wait) {
        my $run = start_at_gate($wait{$other}, $other);
        close $run->{gate};
        ok(comes(sub { noted($other, 'pid') && ($other eq 'works_on' || running("$bin/$wait{$other}")) }),
            "$other: it is at work");
        kill 'KILL', $run->{pid};
        waitpid $run->{pid}, 0;
        is($?, POSIX::SIGKILL(), "$other: it was killed");
        is_over($other, noted($other, 'pid'));
        ok(comes(sub { !running("$bin/$wait{$other}") }), "$wait{$other} is over");
    }
};

subtest 'under Run the figures and what is missing are results, and a load that hangs is ended' => sub {
    my %pass   = (program => $PROGRAM, dirs => ["$work"], env => {}, cpus => [], stopped => sub { 0 });
    my $result = Touchstone::Run::Launcher::run_pass(
        %pass,
        args  => [ 1, $bin, qw(good m-none skips late) ],
        limit => 20
    );
    my $got = $result->{copies}[0] or return fail($result->{failure});
    is_deeply($got->{figures}, { programs => 2, good => 0.25, late => 0.125 }, 'figures');
    is_deeply($got->{missing}, { 'm-none' => 'the program is missing', skips => 'no such thing here' },
        'missing');
    like(
        Touchstone::Run::Launcher::run_pass(%pass, args => [ 1, $bin, qw(good status) ], limit => 20)
            ->{failure},
        qr/\Astatus: it ended with exit status 3: last words\z/,
        'its own last words'
    );
    forget();
    like(
        Touchstone::Run::Launcher::run_pass(%pass, args => [ 1, $bin, qw(good works_on) ], limit => 1)
            ->{failure},
        qr/did not end its work/,
        'it hangs'
    );
    is_over('what hangs', noted('works_on', 'pid'));
};

done_testing;
