# SPDX-License-Identifier: GPL-2.0-or-later
# Programs count page faults always, and events of processor and kernel where perf_event_open allows it; where
# it does not, they give the reason.
use 5.014;
use strict;
use warnings;

use POSIX qw(EACCES EPERM ENOSYS);
use Test::More;

use lib 't/lib';
use Counted;
use Filtered;
use NoWarnings;
use Programs;

my $ALL = 'instructions,cycles,branch_misses,cache_misses,tlb_misses,migrations';

sub is_within {
    my ($value, $wanted, $share, $what) = @_;
    return cmp_ok(abs($value - $wanted), '<=', $share * $wanted, $what) || diag("$value is not $wanted");
}

sub cannot { return !-x Programs::path($_[0]) }

# These counts are known, whatever the machine.
subtest 'page faults of an operation' => sub {
    plan skip_all => 'fault is not built' if cannot('fault');
    my ($got) = Counted::output('fault', 0.1);
    plan skip_all => $got->{skip} if defined $got->{skip};
    my $cost = Counted::cost('fault', 0.2);
    is_within($cost->{minor_faults}, 1, 0.02, 'a minor fault for each page');
    is($cost->{major_faults}, 0, 'and no major one');
};

# A process that reads from an empty pipe sleeps, unless the other one has preempted it and answered.
subtest 'context switches of a round trip' => sub {
    for my $cpus ($^O eq 'linux' ? ({ TS_CPUS => 0 }, {}) : {}) {
        my $cost = Counted::cost('context1', 0.3, env => $cpus);
        is_within($cost->{voluntary} + $cost->{involuntary},
            2, 0.02, %$cpus ? 'two on one CPU' : 'two on the CPUs that the kernel chose');
    }
};

# The faults of the start of a process are those that it does not count itself.
subtest 'page faults of children' => sub {
    my @runs = map {
        my $before = faults_of_children();
        my $pass   = Counted::pass('spawn', $_);
        {
            counted => $pass->{minor_faults}[0],
            all     => faults_of_children() - $before,
            count   => $pass->{counts}[0]
        }
    } 0.01, 0.6;
    my ($short, $long) = @runs;
    my $start = $short->{all} - $short->{counted};
    is_within($long->{counted}, $long->{all} - $start, 0.02, 'the same as its parent counts');
    cmp_ok($long->{counted} / $long->{count}, '>', 10, 'dozens for each process');
};

sub faults_of_children {
    my $usage = "\0" x 144;
    my %call  = (x86_64 => 98, aarch64 => 165, riscv64 => 165, ppc64le => 77, s390x => 77);
    my $call  = $^O eq 'linux' && $call{ (POSIX::uname())[4] };
    plan skip_all => 'the number of getrusage is not known here' if !$call;
    syscall($call, -1, $usage) == 0 or die "cannot read the usage of children: $!\n";
    return (unpack 'q18', $usage)[8];
}

subtest 'each event is counted, or there is a reason' => sub {
    for my $program (qw(pipe execl spawn looper)) {
        my ($got) = Counted::output($program, 0.1, events => $ALL);
        is($got->{status}, 0, "$program ends well");
        my %known = (%{ $got->{events} || {} }, %{ $got->{uncounted} || {} });
        my @names = grep { !exists $known{hardware} } map { ("${_}_user", "${_}_kernel") }
            grep { $_ ne 'migrations' } split /,/, $ALL;
        is_deeply([ grep { !exists $known{$_} } @names, 'migrations' ], [], 'nothing is missing');
        ok(!(grep { !length } values %{ $got->{uncounted} || {} }), 'reasons are texts');
        is($got->{rubbish}, undef, 'the lines are as they should be');
    }
};

subtest 'nothing is counted unless Run asks for it' => sub {
    my ($got) = Counted::output('pipe', 0.05);
    is($got->{$_}, undef, $_) for qw(events uncounted);
};

my %WHY = (
    EACCES, qr/\Aperf_event_paranoid is /,
    EPERM,  qr/\Aa filter of system calls forbids perf_event_open\z/,
    ENOSYS, qr/\Athe kernel has no perf_event_open\z/
);
subtest 'a kernel that refuses' => sub {
    plan skip_all => 'this system knows no filter of system calls' if !Filtered::can();
    for my $error (sort keys %WHY) {
        my ($got) = Counted::output('execl', 0.05, events => $ALL, filter => { perf => $error });
        is($got->{status}, 0,     'the program ends well');
        is($got->{events}, undef, 'and has no count, not even zero');
        is_deeply([ sort keys %{ $got->{uncounted} } ],
            [qw(hardware migrations)], 'one reason for all counters');
        like($got->{uncounted}{hardware}, $WHY{$error}, "$got->{uncounted}{hardware}");
    }
};

done_testing;
