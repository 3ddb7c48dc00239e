#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# Touchstone::Run::Launcher with programs that behave well, badly and not at all.
use 5.014;
use strict;
use warnings;

use Errno qw(EAGAIN);
use File::Path qw(make_path);
use List::Util qw(max min);
use POSIX ();
use Test::More;
use Time::HiRes ();

# If this is set, so many forks succeed, and then the system has no more processes.
our $forks_left;

# If this is set, a child gets this signal as soon as it is there.
our $greeting;

BEGIN {
    *CORE::GLOBAL::fork = sub () {
        if (!defined $forks_left || $forks_left-- > 0) {
            my $pid = CORE::fork();
            kill $greeting, $$ if defined $greeting && defined $pid && !$pid;
            return $pid;
        }
        $! = EAGAIN;
        return;
    };
}

use lib 't/lib';
use Fake;
use Inherited;
use Touchstone::Run::Launcher::Patience;
use Touchstone::Run::Launcher;

# The causes of errors are compared as English texts.
$ENV{LC_ALL} = 'C';
POSIX::setlocale(POSIX::LC_ALL(), 'C');

my @warnings;
local $SIG{__WARN__} = sub { push @warnings, @_ };

# Runs a pass of t/fake/fake.c with copies, limit, stopped, and further arguments of run_pass.
# $result->{dirs} are its directories.
sub run_fake {
    my ($behaviour, %how) = @_;
    my $copies = delete $how{copies} || 1;
    my $temp   = File::Temp->newdir;
    my @dirs   = map { "$temp/$_" } 1 .. $copies;
    mkdir $_ or die "cannot make '$_': $!\n" for @dirs;
    my $result = Touchstone::Run::Launcher::run_pass(
        program => $Fake::PROGRAM,
        args    => [ split / /, $behaviour, 2 ],
        dirs    => \@dirs,
        env     => { FAKE_STATE => "$temp" },
        cpus    => [],
        limit   => 30,
        stopped => sub { 0 },
        %how,
    );
    my @pids = map { split ' ', Fake::read_file($_) } glob "$temp/pids.* $temp/grandchild.*";
    ok(!grep({ !Fake::gone($_) } @pids), "$behaviour: no process is left") or diag("alive: @pids");
    return { %$result, temp => $temp, dirs => \@dirs, pids => \@pids };
}

sub notes {
    my ($result, $what) = @_;
    return map { split /\n/, Fake::read_file("$result->{temp}/$what.$_") } 0 .. $#{ $result->{dirs} };
}

sub failure {
    my ($behaviour, %how) = @_;
    my $result = run_fake($behaviour, %how);
    is($result->{copies}, undef, "$behaviour: there is no result");
    return $result->{failure};
}

subtest 'a copy that answers at once gives its numbers' => sub {
    my $result = run_fake('measure');
    my $copy   = $result->{copies}[0];
    is(scalar @{ $result->{copies} }, 1, 'one copy');
    is_deeply(
        [ @$copy{qw(count timebase unit time user sys)} ],
        [ 1000, 1, 'lps', 1, 0.5, 0.25 ],
        'its numbers'
    );
    like($copy->{start},  qr/\A\d+\z/,      'its start');
    like($copy->{slices}, qr/\A\d+:1000\z/, 'its slices');
    ok($result->{seconds} > 0 && $result->{started} > 1e9, 'when, and how long');
};

subtest 'every one of 2 and of 100 copies gives its own numbers' => sub {
    for my $copies (2, 100) {
        my $result = run_fake('measure', copies => $copies);
        is($result->{failure}, undef, "$copies copies: no failure");
        is(scalar(grep { $_->{count} == 1000 } @{ $result->{copies} }),
            $copies, "$copies copies: all have a result");
        is(scalar(keys %{ { map { $_ => 1 } @{ $result->{pids} } } }),
            $copies, "$copies copies: as many processes");
    }
};

subtest 'no copy starts its clock before all are ready' => sub {
    my $result = run_fake('second-late', copies => 3);
    cmp_ok(
        min(notes($result, 'started')),
        '>=',
        max(notes($result, 'ready')),
        'the first start is after the last ready'
    );
};

subtest 'lines on standard error are a result when there is no other' => sub {
    is_deeply(
        run_fake('lines COUNT|1234|1|lps;TIME|2.0')->{copies},
        [ { count => 1234, timebase => 1, unit => 'lps', time => 2 } ],
        'COUNT and TIME'
    );
    my $copy = run_fake('lines COUNT|1234|60|lpm')->{copies}[0];
    is($copy->{count}, 1234, 'COUNT alone');
    cmp_ok($copy->{time}, '>', 0, 'the time is then that of the process');
    is(run_fake('lines COUNT|11|0|KBps;noise;COUNT|22|0|KBps;noise')->{copies}[0]{count},
        22, 'the last COUNT stands');
    my $result = run_fake('lines COUNT|5|1|lps', copies => 3);
    is_deeply([ map { $_->{count} } @{ $result->{copies} } ], [ 5, 5, 5 ],
        'several copies: each has its own');
    is(run_fake('flood-lines COUNT|1234|1|lps')->{copies}[0]{count}, 1234,
        'after a megabyte of other things');
};

subtest 'what a program prints beside its result is kept and cannot break it' => sub {
    my $result = run_fake('flood');
    is($result->{copies}[0]{count}, 1000, 'a megabyte on both streams, then a result');
    cmp_ok(length $result->{output}, '<', 10_000, 'not all of it is kept');
    like($result->{output}, qr/\Ax{63}\n/, 'but some is');
    is(run_fake('channel COUNT|7|1|lps;TIME|1')->{copies}[0]{count}, 7, 'the channel');
};

subtest 'a program that prints results without end is ended' => sub {
    my $result = run_fake(
        'results without end',
        program => $^X,
        args    => [ '-e', 'open F, ">&=", $ENV{TS_RESULT}; print F "FIGURE|x|1\n" x 1000 while 1' ]
    );
    is($result->{failure}, 'printed more than 10 MB of results and was killed', 'and why');
    is($result->{copies},  undef,                                               'no numbers');
};

subtest 'a program that hangs is killed and the failure says so' => sub {
    like(
        failure('hang', limit => 1),
        qr/\Adid not end the set-up within 1 s and was killed\z/,
        'in its set-up'
    );
    like(
        failure('hang-late', limit => 2, copies => 2),
        qr/\Adid not end its work within 2 s and was killed\z/,
        'in its work'
    );
    like(
        failure('stubborn', limit => 2),
        qr/\Adid not end its work within 2 s and was killed\z/,
        'though it ignores SIGTERM'
    );
};

# Returns the seconds that a group gets with a limit of 30 on two CPUs. In a second it uses `used` of CPU
# time, and each CPU is idle for `idle`. Without `idle` the system tells nothing of its CPUs.
sub granted {
    my (%of) = @_;
    my $root = File::Temp->newdir;
    my $now  = 1000;
    make_path("$root/proc/77", "$root/proc/78", "$root/proc/self", "$root/sys/devices/system/cpu");
    Fake::write_file("$root/sys/devices/system/cpu/online", "0-1\n");
    Fake::write_file("$root/proc/self/status",              "Cpus_allowed_list:\t0-1\n");
    my $patience = Touchstone::Run::Launcher::Patience->new(
        limit  => 30,
        group  => 77,
        copies => $of{copies} // 1,
        slow   => $of{slow},
        root   => "$root",
        now    => sub { $now }
    );
    my $tick = POSIX::sysconf(POSIX::_SC_CLK_TCK());
    do {
        $now = $patience->until;
        my ($idle, $used) = map { int(($now - 1000) * ($of{$_} // 0) * $tick) } qw(idle used);
        Fake::write_file("$root/proc/stat", "cpu  1 1 1 1\ncpu0 5 5 5 $idle 0\ncpu1 5 5 5 $idle 0\n")
            if defined $of{idle};

        # Half of it was used by children, and another group is no matter.
        my $half = int($used / 2);
        Fake::write_file("$root/proc/77/stat", "77 (a ) b) R 1 77 77 0 0 0 0 0 0 0 $half 0 0 $half 0\n");
        Fake::write_file("$root/proc/78/stat", "78 (x) R 1 78 78 0 0 0 0 0 0 0 $now 0 0 0 0\n");
    } while ($patience->goes_on);
    return $patience->seconds;
}

subtest 'what goes slowly because others have the CPUs does not hang' => sub {
    is(granted(idle => 0,   used => 0),    30,  'nothing done: the limit');
    is(granted(idle => 0,   used => 0.02), 600, 'a fiftieth of a CPU: twenty times the limit');
    is(granted(idle => 0.5, used => 0.02), 30,  'idle CPUs: the limit');
    is(granted(idle => 0,   used => 0.9),  30,  'most of a CPU: the limit');
    is(granted(idle => 0,   used => 0.9, copies => 100),
        69, 'with more copies than CPUs that is less than half');
    is(granted(idle => 0, used => 0.3), 102, 'until it has had the CPU time of its limit');
    is(granted(used => 0.02),           30,  'a system that tells nothing: the limit');
};

subtest 'on a slow machine a program may work for longer, and a hang is a hang' => sub {
    is(granted(slow => 1, idle => 0.9, used => 0.02), 600, 'a quota: twenty times the limit');
    is(granted(slow => 1, idle => 0,   used => 1),    600, 'a whole CPU: the same');
    is(granted(slow => 1, idle => 0,   used => 0),    30,  'nothing done: the limit');
};

subtest 'a program that dies is a failure with its cause' => sub {
    is(failure('signal SEGV'), 'killed by signal 11 (SIGSEGV)', 'by a signal');
    is(failure('exit 3'),      'exit status 3: out of cheese',  'with a status and a last word');
    is(
        failure('channel ERROR|cannot make cheese: No space left on device'),
        'cannot make cheese: No space left on device',
        'with an ERROR line'
    );
    is(failure('lines ERROR|no cheese;COUNT|1|1|lps'), 'no cheese', 'though it also prints a COUNT');
};

subtest 'a program without a sound result is a failure' => sub {
    my $rubbish = qr/\Aprinted rubbish: '/;
    is(failure('nothing'),                              'printed no result', 'nothing');
    is(failure("lines cheese;\xff\xfe\x00;COUNT is 7"), 'printed no result', 'junk');
    like(failure("lines $_"), $rubbish, $_)
        for 'COUNT|cheese|1|lps', 'COUNT|1|1', 'COUNT|-5|1|lps', 'COUNT||1|lps', 'COUNT|nan|1|lps',
        'COUNT|1|1|lps;TIME|soon', 'COUNT|1|-1|lps';
    like(failure('channel COUNT|7|1|lps;SLICE|x|y'), $rubbish,             'SLICE|x|y in the channel');
    like(failure('lines COUNT|1|1|lps;TIME|0'),      qr/\Atook no time\z/, 'no time');
    like(failure("lines $_"), qr/\A(?:counted|printed rubbish)/, $_) for 'COUNT|0|1|lps', 'COUNT|1e999|1|lps';
    ok(defined failure('lines COUNT|1|1|lps;TIME|1e999'), 'a time without end');
};

subtest 'exit status 77 is neither a result nor a failure' => sub {
    for my $behaviour (qw(skip skip-alone)) {
        my $result = run_fake($behaviour, copies => 2);
        is_deeply(
            [ @$result{qw(copies failure skip)} ],
            [ undef, undef, 'this machine has no cheese' ],
            "$behaviour: the reason"
        );
    }
    my $result = run_fake('exit 77');
    ok(!defined $result->{failure} && length $result->{skip}, 'without a reason there is one all the same');
};

subtest 'what a copy leaves behind is gone after the pass' => sub {
    my $result = run_fake('grandchild', copies => 2);
    is(scalar @{ $result->{copies} || [] }, 2, 'the copies have their results');
    is(scalar @{ $result->{pids} },         4, 'two copies and two grandchildren, all gone');
};

subtest 'when one of four copies fails the others are ended and the message names it' => sub {
    is(failure('third-fails', copies => 4), 'copy 3 of 4: exit status 3: out of cheese', 'the third');
    is(
        failure('second-quits', copies => 2, limit => 3),
        'copy 2 of 2: printed no result',
        'the second, which says nothing and is never ready'
    );
};

subtest 'a program that cannot be started is a failure with its cause' => sub {
    my $temp = File::Temp->newdir;
    Fake::write_file("$temp/plain", "no program\n");
    is(failure('measure', program => "$temp/none"),
        "cannot run '$temp/none': No such file or directory", 'missing');
    is(failure('measure', program => "$temp"), "cannot run '$temp': Permission denied", 'a directory');
    is(
        failure('measure', program => "$temp/plain"),
        "cannot run '$temp/plain': Permission denied",
        'not executable'
    );
    like(
        failure('measure', dirs => ["$temp/none"]),
        qr{\Acannot enter '\Q$temp\E/none': No such file},
        'in a missing directory'
    );
};

subtest 'a stop request in the middle ends every copy' => sub {
    for my $behaviour (qw(hang hang-late stubborn)) {
        my $stop;
        local $SIG{ALRM} = sub { $stop = 'INT' };
        Time::HiRes::alarm(0.5);
        my $result = run_fake($behaviour, copies => 3, stopped => sub { $stop });
        is_deeply(
            [ @$result{qw(copies failure stopped)} ],
            [ undef, undef, 'INT' ],
            "$behaviour: it says that it was stopped"
        );
    }
    is(run_fake('measure', copies => 3, stopped => sub { 'TERM' })->{stopped},
        'TERM', 'before the second copy is started');
};

subtest 'a signal that comes before a copy is a program ends it, and nothing complains' => sub {
    local $greeting = 'TERM';
    local $SIG{TERM} = sub { };
    my $result = run_fake('measure');
    is($result->{failure},      'killed by signal 15 (SIGTERM)', 'the copy was ended');
    is($result->{output} // '', '',                              'and said nothing');
};

subtest 'without processes or descriptors the failure has cause and remedy' => sub {
    for my $allowed (0, 2) {
        local $forks_left = $allowed;
        like(
            failure('hang', copies => 4),
            qr/\Acannot start copy @{[ $allowed + 1 ]} of 4: .+ \(.*'ulimit -u unlimited'(?: where it was set)?\)\z/,
            "fork number $allowed + 1 fails"
        );
    }
    my $script =
        q(my %p = (program => shift, args => ['hang'], dirs => [('.') x 20], env => {}, cpus => [], limit => 9, stopped => sub { 0 });)
        . q(print Touchstone::Run::Launcher::run_pass(%p)->{failure});
    my $temp  = File::Temp->newdir;
    my @shell = (
        '/bin/sh', '-c', 'cd "$1" && shift && ulimit -n 20 && exec "$@"',
        'sh', "$temp", $^X, "-I$Fake::BASE/lib", '-MTouchstone::Run::Launcher', '-e', $script, $Fake::PROGRAM
    );
    open my $out, '-|', @shell or die "cannot start a shell: $!\n";
    like(
        do { local $/; <$out> },
        qr/\Acannot (?:start|make a pipe for) copy \d+ of 20: .+ \(.*'ulimit -n 4096'(?: where it was set)?\)\z/,
        'a limit of 20 descriptors'
    );
    close $out;
};

subtest 'a copy sees its place and nothing of the launcher' => sub {
    my $result = run_fake('see', copies => 3, cpus => [ 0, 1, undef ], env => { WANTED => 'yes' });
    my @saw    = map {
        my $dir    = $_;
        my ($file) = glob "$dir/saw.*";
        my %fact   = Fake::read_file($file) =~ /^(\w+)=(.*)$/mg;
        +{ %fact, dir => $dir }
    } @{ $result->{dirs} };
    is($_->{cwd}, Cwd::abs_path($_->{dir}), 'its own working directory') for @saw;
    is_deeply([ map { $_->{TS_COPY} } @saw ], [ 0, 1, 2 ],      'the number of the copy');
    is_deeply([ map { $_->{TS_CPUS} } @saw ], [ 0, 1, undef ],  'its CPU, if it has one');
    is_deeply([ map { $_->{WANTED} } @saw ],  [ ('yes') x 3 ],  'the environment of the pass');
    is_deeply([ map { $_->{input} } @saw ],   [ ('null') x 3 ], 'standard input is /dev/null');
    is_deeply(
        [ map { $_->{group} } @saw ],
        [ ($saw[0]{pid}) x 3 ],
        'one process group, led by the first copy'
    );
    isnt($saw[0]{group}, getpgrp, 'which is not that of the launcher');
    like($result->{output}, qr/see me/, 'what it prints on standard output is kept');
    my $ours = descriptors_of_ours();

    for my $copy (@saw) {
        my %open = map { $_ => 1 } split(/ /, $ours), @$copy{qw(TS_RESULT TS_READY TS_GATE)};
        is(
            $copy->{fds},
            join(' ', sort { $a <=> $b } keys %open),
            'the three standard descriptors, result, ready and gate, none more'
        );
    }
};

# Returns the descriptors that a program has when this test starts it without Run: the test may have
# inherited some.
sub descriptors_of_ours {
    my $temp = File::Temp->newdir;
    local $ENV{FAKE_STATE} = "$temp";
    open my $out, '-|', $Fake::PROGRAM, 'look' or die "cannot start '$Fake::PROGRAM': $!\n";
    1 while <$out>;
    close $out;
    return Fake::read_file("$temp/saw.") =~ /^fds=(.*)$/m ? $1 : '';
}

subtest 'nothing of this makes Perl complain' => sub { is_deeply(\@warnings, [], 'no warning') };

done_testing;
