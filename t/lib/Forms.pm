# SPDX-License-Identifier: GPL-2.0-or-later
# Forms - runs of the toolkit on the machines of Hardware, and their expected forms, t/golden/lbt-NAME.txt.
package Forms;
use 5.014;
use strict;
use warnings;

use File::Basename qw(dirname);
use lib dirname(__FILE__);
use Example;
use Hardware;
use Pretend;
use Scored;
use Touchstone::Report::Render::Markdown;
use Touchstone::Score;
use Touchstone::Suite::Lbt::Parts;
use Touchstone::Suite::Lbt::Tables;

# name => [category, suite, baseline, unit]
my %TEST = (
    (
        map { my ($name, $baseline) = @$_; ($name => [ 'system', 'unixbench', $baseline, 'lps' ]) }
            [ execl => 43 ],
        [ fstime   => 3960 ],
        [ fsbuffer => 1655 ],
        [ fsdisk   => 5800 ],
        [ pipe     => 12440 ],
        [ context1 => 4000 ],
        [ spawn    => 126 ],
        [ syscall  => 15000 ],
        [ shell8   => 6 ]
    ),
    'whetstone-double' => [ 'system', 'unixbench', 55, 'MWIPS' ],
    (map { ($_ => [ 'bytemark', 'bytemark', 1, 'lps' ]) } qw(idea numeric-sort string-sort)),
    (
        map { ($_->[0] => [ 'lbt', 'lbt', undef, $_->[1] ]) } [ 'whetstone-o2' => 'MWIPS' ],
        [ kernel            => 's' ],
        [ xbench            => 'score' ],
        [ '2d-rects'        => 'score' ],
        [ 'net-tcp'         => 'MiBps' ],
        [ 'net-tcp-latency' => 'lps' ],
        [ 'net-udp-latency' => 'lps' ]
    ),
);
my @EVEN = map { $_ / 1000 } 995, 1005, 1000, 998, 1002, 1001, 999;

sub _pass {
    my ($name, $copies, $round, $figure) = @_;
    my $unit = $TEST{$name}[3];

    # A test of fixed work counts one unit in so many seconds. Any other has a rate, which the copies share.
    my ($count, $time, $timebase) = $unit eq 's' ? (1 / $copies, $figure, 1) : ($figure / $copies, 1, 0);
    my @all = (1) x $copies;
    return {
        test     => $name,
        copies   => $copies,
        round    => $round,
        window   => 1,
        timebase => $timebase,
        unit     => $unit,
        counts   => [ map { $count } @all ],
        times    => [ map { $time } @all ],
        user     => [ map { $count * $figure * 0.9 } @all ],
        sys      => [ map { $count * $figure * 0.1 } @all ],
        starts   => [ map { undef } @all ],
        slices   => [ map { undef } @all ]
    };
}

# Returns a run in which these tests were measured: { 'pipe 1' => 124400, 'kernel 2' => [seconds, ...] }, by
# name and number of copies. `with` is added to the record.
sub run {
    my ($host, $measured, %with) = @_;
    my (%copies, %names, @passes);
    for my $what (sort keys %$measured) {
        my ($name, $copies) = split / /, $what;
        my @values = ref $measured->{$what} ? @{ $measured->{$what} } : map { $_ * $measured->{$what} } @EVEN;
        $copies{$copies} = $names{$name} = 1;
        push @passes, map { _pass($name, $copies, $_ + 1, $values[$_]) } 0 .. $#values;
    }
    my @tests = map {
        my ($category, $suite, $baseline) = @{ $TEST{$_} };
        +{ name => $_, title => "Test $_", category => $category, suite => $suite, baseline => $baseline }
    } sort keys %names;
    return Scored::document(
        {
            Example::head(),
            name       => "$host->{name}-01",
            status     => 'complete',
            baseline   => 'George',
            host       => $host,
            tests      => \@tests,
            passes     => \@passes,
            failures   => [],
            skipped    => [],
            warnings   => [],
            blocks     => [ map { { copies => $_, started => 1795240226 } } sort { $a <=> $b } keys %copies ],
            categories => [
                { key => 'system', title => 'System', index => [] },
                { key => 'lbt',    title => 'L',      index => [] }
            ],
            indexes => [
                map { +{ %$_, category => 'bytemark', title => $_->{key}, scale => 1 } } {
                    key       => 'bytemark-integer',
                    tests     => [qw(idea numeric-sort)],
                    exponent  => 0.5,
                    baselines => { idea => 220.21, 'numeric-sort' => 118.73 }
                },
                {
                    key       => 'bytemark-memory',
                    tests     => [qw(string-sort bitfield)],
                    exponent  => 0.5,
                    baselines => { 'string-sort' => 14.459, bitfield => 2e7 }
                }
            ],
            %with,
        }
    );
}

my %SYSTEM = map {
    my $n = $_;
    ($Touchstone::Suite::Lbt::Rows::SYSTEM[$n]
            . ' 1' => $TEST{ $Touchstone::Suite::Lbt::Rows::SYSTEM[$n] }[2] * (50 + 10 * $n))
} 0 .. 8;

# Returns a run in which everything was measured with one copy, and some tests also with two.
sub desktop {
    my $record = run(
        Pretend::host_of(Hardware::desktop()),
        {
            %SYSTEM,
            'kernel 1'           => 72.31,
            'kernel 2'           => 41.077,
            'whetstone-o2 1'     => 2345.67,
            'whetstone-o2 2'     => 4680,
            'whetstone-double 1' => 4000,
            'xbench 1'           => 97243,
            'pipe 2'             => 9e5,
            'idea 1'             => 4404,
            'numeric-sort 1'     => 1187,
            'string-sort 1'      => 144,
            'net-tcp 1'          => 5123.4,
            'net-tcp-latency 1'  => 45678
        },
        build => {
            compiler         => 'cc',
            compiler_version => 'gcc (Debian 12.2.0-14) 12.2.0',
            flags_harness    => '-O2',
            flags_lbt        => '-O2 -fno-fast-math -fno-lto',
            flags_unixbench  => '-O3 -ffast-math -march=native -mtune=native -fno-lto',
            flags_bytemark   => '-O3 -fno-lto',
            flags_user       => '',
            libc             => 'glibc 2.36'
        },
        published => {
            'bytemark-machines' => [
                {
                    machine      => 'Dell XPS P90',
                    idea         => 65.382,
                    numeric_sort => 38.993,
                    string_sort  => 2.238
                }
            ]
        },
        equipment => {
            display => {
                display    => ':0',
                server     => 'The X.Org Foundation',
                version    => '1.21.1.7',
                dimensions => '1920x1080',
                depth      => '24'
            },
            kernel => {
                version       => '6.1.90',
                sha256        => '0123456789abcdef' x 4,
                configuration => 'tinyconfig',
                architecture  => 'x86_64'
            }
        }
    );
    my %test = map { $_->{name} => $_ } @{ $record->{results}[0]{tests} };
    $test{xbench}{figures}    = { rect100 => 110000.4, seg500 => 97.25 };
    $test{xbench}{missing}    = [ { name => 'fitext', why => 'the server has no font fixed' } ];
    $test{'net-tcp'}{figures} = { sender_cpu => 0.61, receiver_cpu => 0.7, calls => 655360, reads => 654321 };
    $test{'net-tcp-latency'}{figures} = { lost => 0 };
    return $record;
}

# Returns a run of UnixBench alone, with several copies only.
sub guest {
    my %measured =
        map { ("$_ 2" => $TEST{$_}[2] * 40) } grep { $_ ne 'shell8' } @Touchstone::Suite::Lbt::Rows::SYSTEM;
    return run(
        Pretend::host_of(Hardware::guest()),
        { %measured, 'whetstone-double 2' => 8123.4 },
        status  => 'stopped',
        skipped => [
            { test => 'kernel', why => "no source of a kernel in '/usr/src'" },
            { test => 'xbench', why => "'x11perf' is not installed" }
        ],
        warnings => [
            { id => 'quota', text => 'CPU quota: 1 of 2 CPUs', invalid => 1 },
            { id => 'smt',   text => 'not shown' }
        ]
    );
}

# Returns a run with few passes, and a user who knows more than the machine tells.
sub board {
    return run(
        Pretend::host_of(Hardware::board()),
        { 'kernel 1' => [ 754.2, 751.9 ], 'whetstone-o2 1' => [1234.5], 'pipe 1' => [124400] },
        lbt => Touchstone::Suite::Lbt::Field::given(
            'ram-type=LPDDR4',
            'RAM speed=3200 MT/s',
            'disk vendor=SanDisk',
            'test-notes=in a case without a fan; ' . 'it gets warm. ' x 12,
            'Comments=' . "\xc3\xa9t\xc3\xa9 " x 30
        )
    );
}

sub container {
    return run(
        Pretend::host_of(Hardware::container()),
        { 'net-udp-latency 1' => 30000 },
        failures => [
            { test => 'kernel', why => "'flex' is not installed" },
            { test => 'pipe',   why => 'copy 1 of 1: killed' }
        ]
    );
}

sub MACHINES { return qw(desktop guest board container) }

# Returns the text of each file in t/golden.
sub files {
    my %text;
    for my $machine (MACHINES()) {
        my $record = Forms->can($machine)->();
        my $form   = Touchstone::Suite::Lbt::Tables::form(Scored::parted($record));
        $text{"lbt-$machine.txt"} = Touchstone::Suite::Lbt::Parts::text($form);
        next if $machine ne 'desktop';
        my @parts = Touchstone::Suite::Lbt::Parts::parts(
            Scored::tables(Lbt => $record),
            wide  => 1,
            build => $record->{build}
        );
        $text{'lbt-desktop.json'} = Touchstone::Suite::Lbt::Parts::json($form);
        $text{'lbt-desktop.md'}   = Touchstone::Report::Render::Markdown::render(@parts);
    }
    return %text;
}

1;
