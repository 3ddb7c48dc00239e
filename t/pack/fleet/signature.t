# SPDX-License-Identifier: GPL-2.0-or-later
# Pack::Fleet::Signature: which kind of slowness is claimed of made-up hosts, and that none is claimed of
# hosts that are slow in several ways.
use 5.014;
use strict;
use warnings;

use Test::More;

use lib 't/lib';
use Touchstone::Base::Random qw(normal);
use Touchstone::Pack::Fleet::Signature;
use Touchstone::Suite;

my @warnings;
local $SIG{__WARN__} = sub { push @warnings, @_ };

my $SUITE  = Touchstone::Suite::load();
my $HOSTS  = 40;
my %PHRASE = (
    clock  => qr/clock or quota/,
    copies => qr/several copies.*SMT, steal or quota/,
    kernel => qr/mitigations or seccomp/,
    files  => qr/the drive or its mount/,
    memory => qr/its modules or its NUMA nodes/,
    mixed  => qr/no single cause fits its slow tests; the slowest: \w/
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

# Returns how often each kind is said of hosts with an effect.
sub said {
    my ($effect, @tests) = @_;
    my $random = Touchstone::Base::Random::generator(3);
    my %said;
    for (1 .. $HOSTS) {
        my $said = Touchstone::Pack::Fleet::Signature::find_signature(figures($random, $effect, @tests));
        $said{ $said ? $said->{id} : 'none' }++;
        next if !$said;
        like($said->{text},   $PHRASE{ $said->{id} }, $said->{text})   if $said{ $said->{id} } == 1;
        like($said->{remedy}, qr/\Acompare with /,    'with a remedy') if $said{ $said->{id} } == 1;
    }
    return \%said;
}

sub kind     { my ($row) = @_; return $row->{kind} // '' }
sub is_files { return kind(@_) =~ /\AFiles/ }

# A test that mixes several kinds of work feels a part of each.
my %KINDS = (
    clock => [
        'all tests of the CPU by one factor' => sub { is_files($_[0])      ? -0.1  : -0.16 },
        'nothing but tests of the CPU'       => sub { kind($_[0]) eq 'CPU' ? -0.08 : 0 },
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
    files => [
        'tests of files'                        => sub { is_files($_[0]) ? -0.2 : 0 },
        'and scripts, which write files, a bit' =>
            sub { is_files($_[0]) ? -0.3 : kind($_[0]) eq 'Shell' ? -0.1 : 0 },
    ],
);
for my $id (sort keys %KINDS) {
    my @cases = @{ $KINDS{$id} };
    while (my ($name, $effect) = splice @cases, 0, 2) {
        subtest "$id: $name" => sub {
            my $said = said($effect, 'index');
            cmp_ok($said->{$id} // 0, '>=', 0.8 * $HOSTS, 'it is claimed') || diag explain $said;
            is(($said->{$id} // 0) + ($said->{mixed} // 0), $HOSTS, 'and no other kind is');
        };
    }
}

subtest 'memory: tests of memory in another suite' => sub {
    my $said = said(
        sub { kind($_[0]) eq 'Memory' ? -0.2 : 0 }, qw(json interp branch matrix mem-latency cache-latency
            mem-parallel mem-bandwidth fault fork null-call signal)
    );
    cmp_ok($said->{memory} // 0, '>=', 0.8 * $HOSTS, 'it is claimed') || diag explain $said;
};

subtest 'files: a slow drive leaves the page cache alone' => sub {
    my $said = said(sub { kind($_[0]) eq 'Durable' ? -0.5 : 0 }, qw(index commit replace disk-read));
    cmp_ok($said->{files} // 0, '>=', 0.8 * $HOSTS, 'it is claimed') || diag explain $said;
};

my %mixed = (
    'the CPU and the files'           => sub { kind($_[0]) eq 'CPU' ? -0.1 : is_files($_[0]) ? -0.3 : 0 },
    'the CPU, and the kernel by more' =>
        sub { kind($_[0]) eq 'CPU' ? -0.1 : kind($_[0]) eq 'Kernel' ? -0.3 : 0 },
    'the kernel, and the files by more' =>
        sub { kind($_[0]) eq 'Kernel' ? -0.1 : is_files($_[0]) ? -0.4 : 0 },
    'one test of the CPU'             => sub { $_[0]{name} eq 'whetstone-double'       ? -0.2 : 0 },
    'one test of the kernel'          => sub { $_[0]{name} eq 'pipe'                   ? -0.2 : 0 },
    'two tests of files, and scripts' => sub { $_[0]{name} =~ /\A(?:fstime|shell\d)\z/ ? -0.3 : 0 },
    'the CPU by two factors'          =>
        sub { $_[0]{name} eq 'dhry2reg' ? -0.3 : $_[0]{name} eq 'whetstone-double' ? -0.05 : 0 },
    'one copy alone'                     => sub { $_[1] == 1                   ? -0.15 : 0 },
    'eight copies, and files with one'   => sub { $_[1] > 1 || is_files($_[0]) ? -0.2  : 0 },
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
    'scripts'                 => sub { kind($_[0]) eq 'Shell'                 ? -0.2 : 0 },
);
for my $name (sort keys %mixed) {
    subtest "mixed: $name" => sub {
        my $said = said($mixed{$name}, 'index');
        cmp_ok($said->{mixed} // 0, '>=', 0.95 * $HOSTS, 'no kind is claimed') || diag explain $said;
    };
}

subtest 'where tests that could speak against it are missing, nothing is claimed' => sub {
    my $slow = sub { kind($_[0]) eq 'Kernel' ? -0.2 : 0 };
    is(said($slow,        qw(pipe syscall execl spawn))->{mixed}, $HOSTS, 'the kernel alone was measured');
    is(said(sub { -0.2 }, qw(dhry2reg))->{mixed},                 $HOSTS, 'one test');
};

subtest 'a host like the others has no signature' => sub {
    my $said = said(sub { 0 }, 'index');
    cmp_ok($said->{none} // 0, '>=', 0.8 * $HOSTS, 'most have none') || diag explain $said;
    is(($said->{none} // 0) + ($said->{mixed} // 0),           $HOSTS, 'none has a kind');
    is(Touchstone::Pack::Fleet::Signature::find_signature({}), undef,  'nothing was measured');
};

subtest 'figures without an interval, and tests that no suite knows, do no harm' => sub {
    my $said = Touchstone::Pack::Fleet::Signature::find_signature(
        {
            '1 <b>x' => { ratio => 0.5, interval => undef },
            '1 pipe' => { ratio => 0 },
            '2 pipe' => { ratio => undef }
        }
    );
    is($said->{id}, 'mixed', 'the one that is known');
    like($said->{text}, qr/<b>x \(0\.50\)/, 'by its name');
};

is_deeply(\@warnings, [], 'nothing warns');
done_testing();
