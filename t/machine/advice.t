# SPDX-License-Identifier: GPL-2.0-or-later
# Advice: each warning is given if its facts call for it, never if they are unknown, and is short enough to
# be read.
use 5.014;
use strict;
use warnings;

use Test::More;

use lib 't/lib';
use NoWarnings;
use Readers;
use Touchstone::Machine::Advice;

my @WRITING = ({ name => 'fstime', space => 4000 });

# Facts of a machine that call for no warning.
my %GOOD = (
    governor         => 'performance',
    boost            => 'off',
    smt              => 'off',
    cores            => 4,
    load             => 0.2,
    power            => 'mains',
    cpu_quota        => 'unknown',
    clock_source     => 'tsc',
    clock_cost_ns    => 25,
    usable_cpus      => 4,
    online_cpus      => 4,
    usable_cpu_ids   => [ 0 .. 3 ],
    file_system      => 'ext4',
    virtualisation   => 'none',
    steal_accounting => 'none seen',
    debug_kernel     => 'none',
    cpu_driver       => 'acpi-cpufreq',
);

my %seen;

sub warned {
    my ($host, %also) = @_;
    my @warnings = Touchstone::Machine::Advice::before_run(
        host   => { %GOOD, %$host },
        locale => { name => 'en_US.utf8' },
        copies => [ 1, 4 ],
        tests  => [],
        %also
    );
    for my $warning (@warnings) {
        $seen{ $warning->{id} } = 1;
        cmp_ok(length $warning->{text},   '<', 100, "short: $warning->{text}");
        cmp_ok(length $warning->{remedy}, '<', 140, "short: $warning->{remedy}");
        unlike("$warning->{text}; $warning->{remedy}",
            $Readers::FORBIDDEN, "$warning->{id}: nothing that looks like a result");
        unlike(
            "$warning->{text}; $warning->{remedy}",
            qr/[^ -~]|\.\z/,
            "$warning->{id}: one line, without a full stop"
        );
        is(
            join(' ', sort keys %$warning),
            join(' ', 'id', ('invalid') x !!$warning->{invalid}, 'remedy', 'text'),
            "$warning->{id}: id, text and remedy"
        );
    }
    return @warnings;
}

# Returns the ids, such as 'governor smt quota!'; the mark means that the warning voids scores.
sub ids {
    return join ' ', map { $_->{id} . ($_->{invalid} ? '!' : '') } warned(@_);
}

subtest 'a good machine gives no warning, nor does one that tells nothing' => sub {
    is(ids({}),                     '', 'good');
    is(ids({}, tests => \@WRITING), '', 'and writing tests');
    is(ids({ map { $_ => 'unknown' } keys %GOOD }, tests => \@WRITING, copies => [ 1, 512 ]), '', 'unknown');
    is(
        join(' ',
            map { $_->{id} }
                Touchstone::Machine::Advice::before_run(host => {}, locale => {}, copies => [], tests => [])),
        '',
        'nothing at all'
    );
};

subtest 'each fact gives its warning' => sub {
    my @cases = (
        [ 'governor', { governor => 'powersave' } ],
        [ 'governor', { governor => 'performance, powersave' } ],
        [ 'governor', { governor => 'schedutil' } ],
        [ 'boost',    { boost    => 'on' } ],
        [ 'battery!', { power    => 'battery' } ],
        [ 'smt',      { smt      => 'on',  cores => 2 } ],
        [ '',         { smt      => 'on',  cores => 4 } ],
        [ '',         { smt      => 'off', cores => 2 } ],
        [
            '',
            {
                smt   => 'on',
                cores => 'unknown'
            }
        ],
        [ 'load-average', { load         => 1.01 } ],
        [ '',             { load         => 1 } ],
        [ '',             { load         => 6,   online_cpus => 64, usable_cpus => 64 } ],
        [ 'load-average', { load         => 6.5, online_cpus => 64, usable_cpus => 64 } ],
        [ 'quota!',       { cpu_quota    => 3.5 } ],
        [ '',             { cpu_quota    => 4 } ],
        [ '',             { cpu_quota    => 7 } ],
        [ 'quota!',       { cpu_quota    => 0.25 } ],
        [ 'cpus',         { usable_cpus  => 4,      online_cpus   => 9 } ],
        [ '',             { usable_cpus  => 4,      online_cpus   => 8 } ],
        [ 'clock-source', { clock_source => 'hpet', clock_cost_ns => 1200 } ],
        [
            'clock-source',
            {
                clock_source  => 'acpi_pm',
                clock_cost_ns => 'unknown'
            }
        ],
        [ '', { clock_source => 'a good new one', clock_cost_ns => 40 } ],
        (map { [ '', { clock_source => $_ } ] } qw(kvm-clock arch_sys_counter hyperv_clocksource_tsc_page)),
        [ 'steal', { virtualisation => 'kvm' } ],
        [ '',      { virtualisation => 'kvm', steal_accounting => 'yes' } ],
        [
            '',
            {
                virtualisation   => 'kvm',
                steal_accounting => 'unknown'
            }
        ],
        [ '',              { virtualisation => 'unknown' } ],
        [ 'debug-kernel!', { debug_kernel   => 'kasan, lockdep' } ],
        [ '',              { seccomp        => '1 filter' } ],
    );
    for my $case (@cases) {
        my ($ids, $host) = @$case;
        is(ids($host), $ids, join ', ', map { "$_: $host->{$_}" } sort keys %$host);
    }
    is(ids({ cpu_quota => 2.5 }, copies => [ 1, 2 ]),
        'quota', 'a quota that is enough for every copy voids nothing');
    my %remedy = map {
        my ($quota) = grep { $_->{id} eq 'quota' } warned({ cpu_quota => $_ });
        ($_ => $quota->{remedy})
    } 0.25, 3.5;
    like($remedy{3.5}, qr/, or run fewer copies: \.\/Run -c 3\z/, 'so many copies fit into it');
    unlike($remedy{0.25}, qr/copies/, 'not even one does');
    is(ids({ smt => 'on', cores => 2 }, copies => [2]), '', 'a copy on each core is no trouble');
};

subtest 'where tests write matters when they do' => sub {
    for my $type (qw(nfs nfs4 cifs smb3 fuse.sshfs 9p ceph glusterfs fuse.glusterfs afs lustre)) {
        is(ids({ file_system => $type }, tests => \@WRITING), 'work-network!', $type);
        is(ids({ file_system => $type }, tests => [ { name => 'pipe', space => 0 } ]),
            '', "$type, and nothing is written");
    }
    is(ids({ file_system => $_ }, tests => \@WRITING), 'work-tmpfs',   $_) for qw(tmpfs ramfs);
    is(ids({ file_system => $_ }, tests => \@WRITING), 'work-overlay', $_)
        for qw(overlay fuse.fuse-overlayfs);
    is(ids({ file_system => 'overlay' }),              '', 'overlay, and nothing is written');
    is(ids({ file_system => $_ }, tests => \@WRITING), '', $_) for qw(ext4 xfs btrfs zfs ufs apfs fuseblk);
};

subtest 'a filter of system calls matters to tests that make many' => sub {
    for my $kind (qw(Kernel Shell Programs Files), 'Files (page cache)', 'File transfers') {
        my @tests = ({ name => 'x', kind => $kind });
        is(ids({ seccomp => $_ },        tests => \@tests), 'seccomp', "$kind, $_") for '1 filter', 'filter';
        is(ids({ seccomp => 'none' },    tests => \@tests), '',        "$kind, none");
        is(ids({ seccomp => 'unknown' }, tests => \@tests), '',        "$kind, unknown");
    }
    for my $kind (qw(CPU Memory Compute Integer), 'Floating point') {
        is(ids({ seccomp => '1 filter' }, tests => [ { name => 'x', kind => $kind } ]), '', $kind);
    }
    my ($in, $out) =
        map { warned({ seccomp => '2 filters', container => $_ }, tests => [ { kind => 'Kernel' } ]) }
        'docker', 'none';
    like($in->{remedy},  qr/docker run --security-opt/, 'what to do in a container');
    like($out->{remedy}, qr/service/,                   'and elsewhere');
};

subtest 'the locale is missed when it is missing' => sub {
    is(ids({}, locale => { name => 'C' }), 'locale', 'C');
    is(ids({}, locale => { name => $_ }), '', $_) for 'en_US.utf8', 'en_US.UTF-8';
};

subtest 'boost is turned off where its driver is' => sub {
    my %file = (
        intel_pstate   => '1 .*/intel_pstate/no_turbo',
        intel_cpufreq  => '1 .*/intel_pstate/no_turbo',
        'acpi-cpufreq' => '0 .*/cpufreq/boost',
        unknown        => '0 .*/cpufreq/boost'
    );
    for my $driver (sort keys %file) {
        my ($warning) = warned({ boost => 'on', cpu_driver => $driver });
        like($warning->{remedy}, qr/echo $file{$driver}/, $driver);
    }
};

subtest 'facts of strangers do no harm' => sub {
    for my $odd ("\e[2J\n\0", 'x' x 10_000, "\xff\xfe", '', '0', '-5', '1e999', 'nan', '9' x 400,
        "\xe2\x82\xac") {
        warned(
            {
                %GOOD,
                clock_source  => substr($odd, 0, 1) =~ /[\x80-\xff]/ ? 'x' : $odd,
                load          => $odd,
                cores         => $odd,
                cpu_quota     => $odd,
                usable_cpus   => $odd,
                online_cpus   => $odd,
                clock_cost_ns => $odd,
                file_system   => $odd,
                smt           => 'on',
                boost         => $odd,
                power         => $odd,
                governor      => 'x',
                debug_kernel  => 'none'
            },
            tests => \@WRITING
        );
    }
};

subtest 'every warning was seen here' =>
    sub { is(join(' ', sort keys %seen), join(' ', sort(Touchstone::Machine::Advice::ids())), 'ids') };

done_testing;
