# SPDX-License-Identifier: GPL-2.0-or-later
# Compare::Cause: which cause is claimed of simulated hosts and pairs of runs, and that none is claimed if
# several fit.
use 5.014;
use strict;
use warnings;

use Test::More;

use lib 't/lib';
use Touchstone::Base::Random qw(normal);
use Touchstone::Compare::Cause;
use Touchstone::Suite;

my @warnings;
local $SIG{__WARN__} = sub { push @warnings, @_ };

my $SUITE  = Touchstone::Suite::load();
my $HOSTS  = 40;
my %PHRASE = (
    clock      => qr/clock or quota/,
    copies     => qr/several copies.*SMT, steal or quota/,
    kernel     => qr/mitigations or seccomp/,
    processes  => qr/page tables/,
    'wake-ups' => qr/idle states/,
    files      => qr/file system/,
    memory     => qr/its modules, NUMA nodes/,
    programs   => qr/C library/,
    compiler   => qr/compiler, flags/,
    mixed      => qr/no single cause fits its slow tests; the slowest: \w/
);

# Returns the figures of a host: the effect is a sub of a row and a number of copies that gives a logarithm,
# to which come 1 % of the host, 1 % of the run, as its interval says.
sub figures {
    my ($random, $effect, @tests) = @_;
    my $host = 0.01 * normal($random);
    my %figures;
    for my $row ($SUITE->expand(@tests)) {
        for my $copies (1, 8) {
            my $y = $effect->($row, $copies) + $host + 0.01 * normal($random);
            $figures{"$copies $row->{name}"} =
                { ratio => exp $y, interval => [ exp($y - 0.0196), exp($y + 0.0196) ] };
        }
    }
    return \%figures;
}

# Returns how often each kind is claimed for hosts with an effect.
sub causes_of {
    my ($effect, @tests) = @_;
    my $random = Touchstone::Base::Random::generator(3);
    my %count;
    for (1 .. $HOSTS) {
        my $cause = Touchstone::Compare::Cause::of_host(figures($random, $effect, @tests));
        my $id    = $cause ? $cause->{id} : 'none';
        next if $count{$id}++ || !$cause;
        like($cause->{text},   $PHRASE{$id},        $cause->{text});
        like($cause->{remedy}, qr/\Acompare with /, 'with a remedy');
    }
    return \%count;
}

sub kind       { my ($row) = @_; return $row->{kind} // '' }
sub is_files   { return kind(@_) =~ /\AFiles/ }
sub exercises  { my ($row) = @_; return $row->{exercises} // '' }
sub is_process { return exercises(@_) eq 'processes' }

# A test that mixes several kinds of work feels a part of each.
my %KINDS = (
    clock => [
        'all tests of the CPU by one factor' => sub { is_files($_[0])      ? -0.1  : -0.16 },
        'a fifth of the clock is missing'    => sub { kind($_[0]) eq 'CPU' ? -0.22 : -0.15 },
    ],
    copies => [
        'with eight copies, all tests'     => sub { $_[1] > 1                     ? -0.2 : 0 },
        'with eight copies, all but files' => sub { $_[1] > 1 && !is_files($_[0]) ? -0.2 : 0 },
    ],
    kernel => [
        'what calls the kernel' => sub { kind($_[0]) eq 'Kernel' ? -0.2 : kind($_[0]) eq 'CPU' ? 0 : -0.06 },
        'pipe, syscall and execl, and nothing else' =>
            sub { $_[0]{name} =~ /\A(?:pipe|syscall|execl)\z/ ? -0.2 : 0 },
        'those, and scripts, which call execl, a bit' =>
            sub { $_[0]{name} =~ /\A(?:pipe|syscall|execl)\z/ ? -0.2 : kind($_[0]) eq 'Shell' ? -0.06 : 0 },
        'and small writes to files as much' => sub { kind($_[0]) eq 'Kernel' || is_files($_[0]) ? -0.15 : 0 },
    ],
    compiler => [
        'nothing but tests of the CPU' => sub { kind($_[0]) eq 'CPU' ? -0.08 : 0 },
        'and by two factors'           => sub {
            $_[0]{name} eq 'dhry2reg' ? -0.3 : $_[0]{name} eq 'whetstone-double' ? -0.1 : 0;
        },
    ],
    processes => [
        'fork and exec'                     => sub { is_process($_[0]) ? -0.2 : 0 },
        'and scripts, which start programs' =>
            sub { is_process($_[0]) ? -0.3 : kind($_[0]) eq 'Shell' ? -0.2 : 0 },
    ],
    programs => [ 'scripts' => sub { kind($_[0]) eq 'Shell' ? -0.2 : 0 } ],
    files    => [
        'tests of files'                        => sub { is_files($_[0]) ? -0.2 : 0 },
        'and scripts, which write files, a bit' =>
            sub { is_files($_[0]) ? -0.3 : kind($_[0]) eq 'Shell' ? -0.1 : 0 },
    ],
);
for my $id (sort keys %KINDS) {
    my @cases = @{ $KINDS{$id} };
    while (my ($name, $effect) = splice @cases, 0, 2) {
        subtest "$id: $name" => sub {
            my $count = causes_of($effect, 'index');
            cmp_ok($count->{$id} // 0, '>=', 0.8 * $HOSTS, 'it is claimed') || diag explain $count;
            is(($count->{$id} // 0) + ($count->{mixed} // 0), $HOSTS, 'and no other kind is');
        };
    }
}

subtest 'memory: tests of memory in another suite' => sub {
    my $count = causes_of(
        sub { kind($_[0]) eq 'Memory' ? -0.2 : 0 }, qw(json interp branch matrix mem-latency cache-latency
            mem-parallel mem-bandwidth fault fork null-call signal)
    );
    cmp_ok($count->{memory} // 0, '>=', 0.8 * $HOSTS, 'it is claimed') || diag explain $count;
};

subtest 'files: a slow drive leaves the page cache alone' => sub {
    my $count = causes_of(sub { kind($_[0]) eq 'Durable' ? -0.5 : 0 }, qw(index commit replace disk-read));
    cmp_ok($count->{files} // 0, '>=', 0.8 * $HOSTS, 'it is claimed') || diag explain $count;
};

my %mixed = (
    'the CPU and the files'           => sub { kind($_[0]) eq 'CPU' ? -0.1 : is_files($_[0]) ? -0.3 : 0 },
    'the CPU, and the kernel by more' =>
        sub { kind($_[0]) eq 'CPU' ? -0.1 : kind($_[0]) eq 'Kernel' ? -0.3 : 0 },
    'the kernel, and the files by more' =>
        sub { kind($_[0]) eq 'Kernel' ? -0.1 : is_files($_[0]) ? -0.4 : 0 },
    'one test of the CPU'                => sub { $_[0]{name} eq 'whetstone-double'       ? -0.2  : 0 },
    'one test of the kernel'             => sub { $_[0]{name} eq 'pipe'                   ? -0.2  : 0 },
    'two tests of files, and scripts'    => sub { $_[0]{name} =~ /\A(?:fstime|shell\d)\z/ ? -0.3  : 0 },
    'one copy alone'                     => sub { $_[1] == 1                              ? -0.15 : 0 },
    'eight copies, and files with one'   => sub { $_[1] > 1 || is_files($_[0])            ? -0.2  : 0 },
    'the kernel, with eight copies only' => sub { $_[1] > 1 && kind($_[0]) eq 'Kernel' ? -0.2 : 0 },
    'the CPU, with eight copies only'    => sub { $_[1] > 1 && kind($_[0]) eq 'CPU'    ? -0.2 : 0 },
    'pipe, syscall and one of files'     => sub { $_[0]{name} =~ /\A(?:pipe|syscall|fsdisk)\z/ ? -0.2 : 0 },
    'pipe, syscall, execl and the CPU'   =>
        sub { $_[0]{name} =~ /\A(?:pipe|syscall|execl|dhry2reg)\z/ ? -0.2 : 0 },
    'pipe, syscall, execl and files' =>
        sub { $_[0]{name} =~ /\A(?:pipe|syscall|execl|fs.*)\z/ ? $_[0]{name} =~ /\Afs/ ? -0.4 : -0.2 : 0 },
    'pipe, syscall, execl in one copy' =>
        sub { $_[0]{name} =~ /\A(?:pipe|syscall|execl)\z/ && $_[1] == 1 ? -0.2 : 0 },
    'two tests of the kernel' => sub { $_[0]{name} =~ /\A(?:pipe|context1)\z/ ? -0.2 : 0 },
);
for my $name (sort keys %mixed) {
    subtest "mixed: $name" => sub {
        my $count = causes_of($mixed{$name}, 'index');
        cmp_ok($count->{mixed} // 0, '>=', 0.95 * $HOSTS, 'no kind is claimed') || diag explain $count;
    };
}

subtest 'where tests that could speak against it are missing, nothing is claimed' => sub {
    my $slow = sub { kind($_[0]) eq 'Kernel' ? -0.2 : 0 };
    is(causes_of($slow, qw(pipe syscall execl spawn))->{mixed}, $HOSTS, 'the kernel alone was measured');
    is(causes_of(sub { -0.2 }, qw(dhry2reg))->{mixed},          $HOSTS, 'one test');
};

subtest 'a host like the others has no signature' => sub {
    my $count = causes_of(sub { 0 }, 'index');
    cmp_ok($count->{none} // 0, '>=', 0.8 * $HOSTS, 'most have none') || diag explain $count;
    is(($count->{none} // 0) + ($count->{mixed} // 0), $HOSTS, 'none has a kind');
    is(Touchstone::Compare::Cause::of_host({}),        undef,  'nothing was measured');
};

subtest 'figures without an interval, and tests that no suite knows, do no harm' => sub {
    my $cause = Touchstone::Compare::Cause::of_host(
        {
            '1 <b>x' => { ratio => 0.5, interval => undef },
            '1 pipe' => { ratio => 0 },
            '2 pipe' => { ratio => undef }
        }
    );
    is($cause->{id}, 'mixed', 'the one that is known');
    like($cause->{text}, qr/<b>x \(0\.50\)/, 'by its name');
};

# The tests of a pair of runs with an effect, as Compare judges them.
sub tests_of_pair {
    my ($random, $effect, @names) = @_;
    return map {
        my $y     = $effect->($_, 1) + 0.005 * normal($random);
        my $clear = abs $y > 0.02;
        +{
            name     => $_->{name},
            copies   => 1,
            ratio    => exp $y,
            interval => [ exp($y - 0.01), exp($y + 0.01) ],
            verdict  => !$clear ? 'no difference' : $y > 0 ? 'faster' : 'slower'
        }
    } $SUITE->expand(@names);
}

my @MEASURED = qw(index interp null-call fork fault handoff grep cache-latency mem-latency);
my %OF_PAIR  = (
    clock      => sub { is_files($_[0])                                 ? -0.1 : -0.16 },
    kernel     => sub { $_[0]{name} =~ /\A(?:pipe|syscall|null-call)\z/ ? -0.4 : 0 },
    processes  => sub { is_process($_[0])                               ? -0.3 : 0 },
    'wake-ups' => sub { exercises($_[0]) eq 'wake-ups'                  ? 1.5  : 0 },
    files      => sub { is_files($_[0])                                 ? 0.3  : 0 },
    memory     => sub { kind($_[0]) eq 'Memory'                         ? -0.2 : 0 },
    programs   => sub { kind($_[0]) =~ /\A(?:Shell|Programs)\z/         ? -0.1 : 0 },
    compiler   => sub { kind($_[0]) =~ /\A(?:CPU|Compute)\z/            ? -0.8 : 0 }
);

sub of_pair {
    my ($random, $effect, @facts) = @_;
    return Touchstone::Compare::Cause::of_pair([ tests_of_pair($random, $effect, @MEASURED) ],
        [ map { { thing => $_ } } @facts ]);
}

subtest 'pairs of runs' => sub {
    my $random = Touchstone::Base::Random::generator(5);
    for my $id (sort keys %OF_PAIR) {
        my $named = grep { (of_pair($random, $OF_PAIR{$id}) || { id => '' })->{id} eq $id } 1 .. $HOSTS;
        cmp_ok($named, '>=', 0.9 * $HOSTS, $id);
    }
    my $named = grep {
        of_pair($random, sub { 0 })
    } 1 .. $HOSTS;
    cmp_ok($named, '<=', 0.05 * $HOSTS, 'equal runs have no cause');
    my $mixed = of_pair($random, sub { kind($_[0]) eq 'Memory' || is_files($_[0]) ? -0.2 : 0 });
    is($mixed->{id}, 'mixed', 'two causes');
};

subtest 'only facts that would explain the pattern are offered' => sub {
    my $random = Touchstone::Base::Random::generator(6);
    my $cause  = of_pair($random, $OF_PAIR{kernel}, 'flags', 'seccomp', 'locale');
    is_deeply($cause->{facts}, ['seccomp'], 'seccomp for system calls');
    like($cause->{text},
        qr/\Aonly system calls are slower \(.*0\.67 times as fast\): mitigations or seccomp\z/,
        'the sentence');
    is_deeply(of_pair($random, $OF_PAIR{compiler}, 'flags', 'seccomp')->{facts},
        ['flags'], 'flags for arithmetic');
};

is_deeply(\@warnings, [], 'nothing warns');
done_testing();
