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
    is(differ({}, facts_of()),         '', 'nothing is known of one');
};

# Records that differ in this fact of a part.
sub each_with {
    my ($part, $fact, @values) = @_;
    return map { +{ $part => { $fact => $_ } } } @values;
}

# What a case shows, the differences, and what the record of each run says.
my @cpus = map { { id => 0, model => $_, bogomips => 1, flags => [] } } qw(big big little);
#<<<
my @CASES = (
    [ 'a compiler', 'compiler: gcc 12 | clang 14',
        each_with(build => 'compiler_version', 'gcc 12', 'clang 14') ],
    [ 'a governor', 'governor: powersave | performance',
        each_with(host => 'governor', qw(powersave performance)) ],
    [ 'placement', 'placement: none | spread', map { { pin => $_ } } qw(none spread) ],
    [ 'locale', 'locale: C | en_US.UTF-8',
        map { { locale => { name => $_, charmap => length, collate => length } } } qw(C en_US.UTF-8) ],
    [ 'tool', 'tool: Touchstone 7.0.0 | Touchstone 7.1.0',
        map { { tool => { name => 'Touchstone', version => $_ } } } '7.0.0', '7.1.0' ],
    [ 'a filter of system calls', 'seccomp: none | 1 filter',
        each_with(host => 'seccomp', 'none', '1 filter') ],

    [ 'flags of all suites are one thing, in the order of the suites', 'flags: -O2 -O0 | -O2 -O3',
        map { { build => { flags_unixbench => $_, flags_other => '-O2' } } } '-O0', '-O3' ],
    [ 'flags of the harness are none', '', each_with(build => 'flags_harness', '-O1', '-O2') ],
    [ 'no flags', 'flags: none | -O2', each_with(build => 'flags_unixbench', '', '-O2') ],
    [ 'what programs were built for', 'programs for: native | baseline',
        each_with(build => 'isa', qw(native baseline)) ],
    [ 'an older record does not say for what', '', { build => { isa => 'native' } }, { build => {} } ],

    [ 'facts of one thing make one difference', 'kernel: 6.1; #1 SMP | 6.6; #6 SMP',
        map { { host => { release => "6.$_", version => "#$_ SMP" } } } 1, 6 ],
    [ 'only what differs of them is shown', 'kernel: 6.1 | 6.6', each_with(host => 'release', '6.1', '6.6') ],
    [ 'several things, in their order', 'machine: host1 | host2, compiler: cc 1 | cc 2, flags: -O1 | -O2',
        map { { build => { compiler_version => "cc $_", flags_unixbench => "-O$_" },
                host => { name => "host$_" } } } 1, 2 ],
    [ 'memory that differs in less than a GB', '', each_with(host => 'memory_kb', 8_100_000, 8_150_000) ],
    [ 'twice as much memory', 'memory: 8 GB | 16 GB', map { { host => { memory_kb => $_ * 2**20 } } } 8, 16 ],
    [ 'unknown memory', '', each_with(host => 'memory_kb', 'unknown', 8 * 2**20) ],
    [ 'each model of several CPUs once', 'CPU: big, little | big',
        each_with(host => 'cpus', \@cpus, [ $cpus[0] ]) ],
    [ 'uptime, load, work directory, name, date', '',
        map { { host => { uptime => "up $_:00", load => "0.0$_", work_directory => "/tmp/$_" },
                name => "run$_", started => $_, passport => "p$_" } } 1, 2 ],

    [ 'a number has a word', 'CPU: cores 2; caches L1d 32K | cores 1; caches L1d 48K',
        { host => { cores => 2, caches => 'L1d 32K' } }, { host => { cores => 1, caches => 'L1d 48K' } } ],
    [ 'options of a file system have a word', 'file system: options rw | options ro',
        each_with(host => 'mount_options', qw(rw ro)) ],
    [ 'a hash is cut where we want', "input of the compressors: SHA-256 ${\ ('a' x 16)}... | SHA-256 ${\ ('b' x 16)}...",
        map { { equipment => { input => { sha256 => $_ x 64 } } } } qw(a b) ],

    [ 'versions of a suite', 'suite: unixbench 1 | unixbench 2', each_with(suites => 'unixbench', 1, 2) ],
    [ 'a suite that one of three does not know', 'suite: unixbench 1 | unixbench 2 | unknown',
        map { { suites => $_ } } { unixbench => 1 }, { unixbench => 2 }, {} ],
    [ 'a suite that one of two does not know', '', map { { suites => $_ } } { unixbench => 1 }, {} ],
    [ 'unknown suites', '', { suites => undef }, {} ],

    [ 'unknown by name', '', each_with(host => 'boost', qw(unknown on)) ],
    [ 'not in the record', '', {}, { host => { boost => 'on' } } ],
    [ 'all of three know', 'boost: on | off | on', each_with(host => 'boost', qw(on off on)) ],
    [ 'one of three says unknown', 'boost: on | off | unknown',
        each_with(host => 'boost', qw(on off unknown)) ],
    [ 'one of three says nothing', 'boost: on | off | unknown', each_with(host => 'boost', qw(on off)), {} ],

    [ 'flags explain other programs', 'flags: -O0 | -O1',
        map { { build => { binaries => { pipe => $_, spawn => 'cc' }, flags_unixbench => "-O$_" } } } 0, 1 ],
    [ 'programs without a cause', 'programs: other programs | other programs',
        map { { build => { binaries => { pipe => $_, spawn => 'cc' } } } } qw(aa bb) ],
    [ 'a program that one has not used', '',
        each_with(build => 'binaries', { pipe => 'a', spawn => 'c' }, { spawn => 'c', execl => 'd' }) ],
    [ 'unknown programs', '', { build => { binaries => { pipe => 'aa', spawn => 'cc' } } }, {} ],
    [ 'a governor explains no programs', 'governor: y | x, programs: other programs | other programs',
        map { { host => { governor => $_ }, build => { binaries => { pipe => $_ } } } } qw(y x) ],

    [ 'measured tools, sorted', 'measured tools: od 9.1, sh dash | od 9.1, sh bash 5',
        map { { build => { tools => { sh => $_, od => '9.1' } } } } 'dash', 'bash 5' ],
    [ 'a tool that a run did not use', '',
        each_with(build => 'tools', { sh => 'dash' }, { sh => 'dash', md5sum => 'md5sum 9.1' }) ],
    [ 'a tool is not named twice', 'measured tools: md5sum 9.1 | md5sum 9.2',
        map { { build => { tools => { md5sum => "md5sum 9.$_" } } } } 1, 2 ],
    [ 'the compiler of C and cc84', 'compiler that is measured: command cc, version 12 | command cc, version 13',
        map { { build => { measured_compiler => { command => 'cc', version => $_ } } } } 12, 13 ],
);
#>>>
subtest 'what differs between records is named with its values' => sub {
    for my $case (@CASES) {
        my ($name, $differences, @runs) = @$case;
        is(differ(map { facts_of(%$_) } @runs), $differences, $name);
    }
};

subtest 'a hash that is cut differs in its last letter, too' => sub {
    my @late = map { facts_of(equipment => { input => { sha256 => 'a' x 63 . $_ } }) } 1, 2;
    is(scalar(my @found = Touchstone::Compare::Differences::differences(@late)), 1, 'one difference');
};

done_testing;
