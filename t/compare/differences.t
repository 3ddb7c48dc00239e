# SPDX-License-Identifier: GPL-2.0-or-later
# Compare::Differences: which facts are reported as different between runs, and which are not.
use 5.014;
use strict;
use warnings;

use Test::More;

use lib 't/lib';
use NoWarnings;
use Runs;
use Touchstone::Compare::Differences;

# Returns the facts of a record with these facts of host, build or the whole changed.
sub facts_of {
    return Touchstone::Compare::Differences::of_record(Runs::record('r', { '1 pipe' => [1] }, @_));
}

# Returns the differences as "thing: A | B", ...
sub differ {
    return join ', ',
        map { "$_->{thing}: " . join ' | ', @{ $_->{values} } }
        Touchstone::Compare::Differences::differences(@_);
}

subtest 'nothing differs between a run and itself' => sub {
    is(differ(facts_of(), facts_of()), '', 'the same record twice');
    is(differ(facts_of()),             '', 'a single run');
};

subtest 'one thing that differs is named with both values' => sub {
    is(
        differ(
            facts_of(build => { compiler_version => 'gcc 12' }),
            facts_of(build => { compiler_version => 'clang 14' })
        ),
        'compiler: gcc 12 | clang 14',
        'compiler'
    );
    is(
        differ(
            facts_of(host => { governor => 'powersave' }), facts_of(host => { governor => 'performance' })
        ),
        'governor: powersave | performance',
        'governor'
    );
    is(differ(facts_of(pin => 'none'), facts_of(pin => 'spread')), 'placement: none | spread', 'placement');
    is(
        differ(
            facts_of(locale => { name => 'C',           charmap => 'x', collate => 'x' }),
            facts_of(locale => { name => 'en_US.UTF-8', charmap => 'y', collate => 'y' })
        ),
        'locale: C | en_US.UTF-8',
        'locale'
    );
    is(
        differ(
            facts_of(tool => { name => 'Touchstone', version => '7.0.0' }),
            facts_of(tool => { name => 'Touchstone', version => '7.1.0' })
        ),
        'tool: Touchstone 7.0.0 | Touchstone 7.1.0',
        'tool'
    );
};

subtest 'flags of all suites are one thing, those of the harness are none' => sub {
    is(
        differ(
            facts_of(build => { flags_unixbench => '-O0', flags_other => '-O2' }),
            facts_of(build => { flags_unixbench => '-O3', flags_other => '-O2' })
        ),
        'flags: -O2 -O0 | -O2 -O3',
        'in the order of the suites'
    );
    is(
        differ(facts_of(build => { flags_harness => '-O1' }), facts_of(build => { flags_harness => '-O2' })),
        '',
        'the harness'
    );
};

subtest 'what programs were built for is a difference where both tell it' => sub {
    my ($native, $portable, $old) = map { facts_of(build => $_) } { isa => 'native' }, { isa => 'baseline' },
        {};
    is(differ($native, $portable), 'programs for: native | baseline', 'named');
    is(differ($native, $old),      '',                                'an older record does not tell');
};

subtest 'facts that tell of one thing make one difference' => sub {
    my ($one, $other) = map { facts_of(host => $_) } { release => '6.1', version => '#1 SMP' },
        { release => '6.6', version => '#2 SMP' };
    is(differ($one, $other), 'kernel: 6.1; #1 SMP | 6.6; #2 SMP', 'release and version');
    is(
        differ(facts_of(host => { release => '6.1' }), facts_of(host => { release => '6.6' })),
        'kernel: 6.1 | 6.6',
        'only what differs of them is shown'
    );
};

subtest 'a filter of system calls is a difference' => sub {
    is(differ(facts_of(host => { seccomp => 'none' }), facts_of(host => { seccomp => '1 filter' })),
        'seccomp: none | 1 filter', 'seccomp');
};

subtest 'several things make several differences' => sub {
    my ($one, $other) = map {
        facts_of(
            build => { compiler_version => "cc $_", flags_unixbench => "-O$_" },
            host  => { name             => "host$_" }
        )
    } 1, 2;
    is_deeply(
        [ map { $_->{thing} } Touchstone::Compare::Differences::differences($one, $other) ],
        [qw(machine compiler flags)],
        'in their order'
    );
};

subtest 'memory that differs in less than a GB is the same' => sub {
    is(differ(facts_of(host => { memory_kb => 8_100_000 }), facts_of(host => { memory_kb => 8_150_000 })),
        '', 'what kernels keep for themselves');
    is(
        differ(facts_of(host => { memory_kb => 8 * 2**20 }), facts_of(host => { memory_kb => 16 * 2**20 })),
        'memory: 8 GB | 16 GB',
        'twice as much'
    );
    is(differ(facts_of(host => { memory_kb => 'unknown' }), facts_of(host => { memory_kb => 8 * 2**20 })),
        '', 'unknown');
};

subtest 'CPUs of several models are one text' => sub {
    my @cpus = map { { id => 0, model => $_, bogomips => 1, flags => [] } } qw(big big little);
    is(
        differ(facts_of(host => { cpus => \@cpus }), facts_of(host => { cpus => [ $cpus[0] ] })),
        'CPU: big, little | big',
        'each model once'
    );
};

subtest 'what changes from run to run is no difference' => sub {
    my ($one, $other) = map {
        facts_of(
            host     => { uptime => "up $_:00", load => "0.0$_", work_directory => "/tmp/$_" },
            name     => "run$_",
            started  => $_,
            passport => "p$_"
        )
    } 1, 2;
    is(differ($one, $other), '', 'uptime, load, work directory, name, date');
};

subtest 'parts that say little alone have a word, and what is empty says so' => sub {
    is(
        differ(
            facts_of(host => { cores => 2, caches => 'L1d 32K' }),
            facts_of(host => { cores => 1, caches => 'L1d 48K' })
        ),
        'CPU: cores 2; caches L1d 32K | cores 1; caches L1d 48K',
        'a number'
    );
    is(
        differ(facts_of(host => { mount_options => 'rw' }), facts_of(host => { mount_options => 'ro' })),
        'file system: options rw | options ro',
        'options of a file system'
    );
    is(
        differ(map { facts_of(build => { flags_unixbench => $_ }) } '', '-O2'),
        'flags: none | -O2',
        'no flags'
    );
    my ($one, $other, $empty) = map { facts_of(suites => $_) } { unixbench => 1 }, { unixbench => 2 }, {};
    is(
        differ($one, $other, $empty),
        'suite: unixbench 1 | unixbench 2 | unknown',
        'a suite that nobody knows'
    );
    is(differ($one, $empty), '', 'which is no difference');
    is(
        differ(map { facts_of(equipment => { input => { sha256 => $_ x 64 } }) } 'a', 'b'),
        'input of the compressors: SHA-256 ' . 'a' x 16 . '... | SHA-256 ' . 'b' x 16 . '...',
        'a hash is cut where we want'
    );
    my @late = map { facts_of(equipment => { input => { sha256 => 'a' x 63 . $_ } }) } 1, 2;
    is(scalar(my @found = Touchstone::Compare::Differences::differences(@late)),
        1, 'but differs in its last letter, too');
};

subtest 'nobody can say whether what is unknown differs' => sub {
    is(differ(facts_of(host => { boost => 'unknown' }), facts_of(host => { boost => 'on' })),
        '', 'unknown by name');
    is(differ(facts_of(), facts_of(host => { boost => 'on' })), '', 'not in the record');
    is(differ({},         facts_of()),                          '', 'nothing is known');
};

subtest 'of three runs what two know of can differ' => sub {
    my @runs = (facts_of(host => { boost => 'on' }), facts_of(host => { boost => 'off' }));
    is(differ(@runs, facts_of(host => { boost => 'on' })), 'boost: on | off | on', 'all know');
    is(
        differ(@runs, facts_of(host => { boost => 'unknown' })),
        'boost: on | off | unknown',
        'one says unknown'
    );
    is(differ(@runs, facts_of()), 'boost: on | off | unknown', 'one says nothing');
};

subtest 'programs that differ differ by what they were made of, when that is known' => sub {
    my @binaries = map { { binaries => { pipe => $_ x 8, spawn => 'c' x 8 } } } qw(a b);
    my ($one, $other) = map { facts_of(build => { %{ $binaries[$_] }, flags_unixbench => "-O$_" }) } 0, 1;
    is(differ($one, $other), 'flags: -O0 | -O1', 'flags explain them');
};

subtest 'programs that differ without a cause are named as that' => sub {
    my ($one, $other, $lacks) = map { facts_of(build => { binaries => $_ }) } { pipe => 'aa', spawn => 'cc' },
        { pipe => 'bb', spawn => 'cc' }, { spawn => 'cc', execl => 'dd' };
    is_deeply([ map { $_->{thing} } Touchstone::Compare::Differences::differences($one, $other) ],
        ['programs'], 'another pipe');
    is(differ($one, $lacks),     '', 'a program that one has not used is no difference');
    is(differ($one, facts_of()), '', 'nor are unknown ones');
    my $governor = facts_of(host => { governor => 'x' }, build => { binaries => { pipe => 'bb' } });
    is_deeply(
        [
            map { $_->{thing} } Touchstone::Compare::Differences::differences(
                facts_of(host => { governor => 'y' }, build => { binaries => { pipe => 'aa' } }), $governor
            )
        ],
        [qw(governor programs)],
        'a governor explains no programs'
    );
};

subtest 'tools that are measured are listed by name' => sub {
    is(
        differ(
            facts_of(build => { tools => { sh => 'dash',   od => '9.1' } }),
            facts_of(build => { tools => { sh => 'bash 5', od => '9.1' } })
        ),
        'measured tools: od 9.1, sh dash | od 9.1, sh bash 5',
        'sorted'
    );
    is(
        differ(
            facts_of(build => { tools => { sh => 'dash' } }),
            facts_of(build => { tools => { sh => 'dash', md5sum => 'md5sum 9.1' } })
        ),
        '',
        'one that a run did not use is no difference'
    );
    is(
        differ(map { facts_of(build => { tools => { md5sum => "md5sum 9.$_" } }) } 1, 2),
        'measured tools: md5sum 9.1 | md5sum 9.2',
        'and is not named twice'
    );
    is(
        differ(
            facts_of(build => { measured_compiler => { command => 'cc', version => '12' } }),
            facts_of(build => { measured_compiler => { command => 'cc', version => '13' } })
        ),
        'compiler that is measured: command cc, version 12 | command cc, version 13',
        'the compiler of C and cc84'
    );
};

subtest 'another version of a suite is a difference' => sub {
    is(differ(facts_of(suites => { unixbench => 1 }), facts_of(suites => { unixbench => 2 })),
        'suite: unixbench 1 | unixbench 2', 'versions');
    is(differ(facts_of(suites => undef), facts_of()), '', 'unless unknown');
};

done_testing;
