# SPDX-License-Identifier: GPL-2.0-or-later
# The indexes of BYTEmark, computed from complete outputs that users have published, agree to the printed
# digit.
use 5.014;
use strict;
use warnings;

use File::Basename qw(dirname);
use Test::More;

use lib 't/lib';
use NoWarnings;
use Scored;
use Touchstone::Compare::Baseline;
use Touchstone::Report::Render::Html;
use Touchstone::Report::Render::Text;
use Touchstone::Score;
use Touchstone::Suite::Bytemark::Parts;
use Touchstone::Suite::Bytemark::Tables;
use Touchstone::Suite::Published;
use Touchstone::Suite;

my $base   = dirname(dirname(dirname(__FILE__)));
my $suite  = Touchstone::Suite::load();
my @rows   = $suite->expand('bytemark');
my $own    = $suite->suites_of(@rows)->{bytemark};
my %TABLES = map { $_ => Touchstone::Suite::Published::load("$base/pgms/$_.csv", %{ $own->{published}{$_} }) }
    sort keys %{ $own->{published} };
my %known = map { $_ => { file => $_, key => 'machine', rows => $TABLES{$_} } } keys %TABLES;
my @NAMES = qw(numeric-sort string-sort bitfield fp-emulation fourier assignment idea huffman neural-net
    lu-decomposition);

# Each machine has its scores in the order of @NAMES, then the indexes (memory, integer, floating point,
# original integer and floating point) as the formulas give them, and as they were printed where the last
# digit differs.
my %PUBLISHED = (
    'Raspberry Pi B' => [
        [ 217.2, 30.638, 8.3354e7, 41.334, 2359.7, 2.5804, 694.72, 428.85, 3.1952, 75.29 ],
        [qw(2.526 3.165 2.093 11.514 3.773)]
    ],
    'Raspberry Pi 2' => [
        [ 450.72, 36.422, 1.2923e8, 70.276, 4762.7, 6.8898, 1308.5, 657.63, 6.2476, 229.36 ],
        [qw(4.296 5.654 4.794 20.143 8.644)]
    ],
    'EPYC virtual machine' => [
        [ 2183.2, 244.38, 1.0502e9, 1047.7, 1.9891e5, 74.021, 16882, 10364, 228.19, 4746.7 ],
        [qw(35.950 62.242 151.522 197.141 273.187)]
    ],
    'AMD K6/233' => [
        [ 118.73, 14.459, 27910000, 9.0314, 1565.5, 1.0132, 220.21, 112.93, 1.4799, 26.732 ],
        [qw(1.000 1.000 1.000 4.007 1.803)]
    ],
    'Dell XPS P90' => [
        [ 38.993, 2.238, 5829704, 2.084, 879.278, 0.2628, 65.382, 36.062, 0.6225, 19.3031 ],
        [qw(0.203 0.291 0.555 1.000 1.000)]
    ],
);

# Returns a run with these scores by name, one pass or several for each.
sub run_of {
    my ($scores, %with) = @_;
    my @passes;
    for my $name (sort keys %$scores) {
        my @values = ref $scores->{$name} ? @{ $scores->{$name} } : $scores->{$name};
        push @passes, map {
            {
                test     => $name,
                copies   => 1,
                round    => $_ + 1,
                timebase => 0,
                unit     => 'lps',
                counts   => [ $values[$_] ],
                times    => [5],
                starts   => [undef],
                slices   => [undef]
            }
        } 0 .. $#values;
    }
    my $baselines = Touchstone::Compare::Baseline::of_tables(\%known, @rows);
    return Scored::document(
        {
            schedule  => { kind => $with{kind} // 'default' },
            failures  => [],
            warnings  => [],
            blocks    => [ { copies => 1, started => 0 } ],
            passes    => \@passes,
            published => \%TABLES,
            tests     => [
                map {
                    my $row = $_;
                    +{
                        (map { $_ => $row->{$_} } qw(name title category suite scale rule)),
                        baseline => $baselines->{ $row->{name} }{score}
                    }
                } @rows
            ],
            categories => [ { key => 'bytemark', title => 'BYTEmark', index => [] } ],
            indexes    => [ Touchstone::Compare::Baseline::of_indexes(\%known, @{ $own->{indexes} }) ],
            host       => {},
            build      => { flags_bytemark => '-O3' },
        }
    );
}

sub indexes_of {
    return { map { $_->{key} => $_ } @{ run_of(@_)->{results}[0]{indexes} } };
}

my @KEYS = map { "bytemark-$_" } qw(memory integer float original-integer original-float);

for my $machine (sort keys %PUBLISHED) {
    my ($scores, $indexes) = @{ $PUBLISHED{$machine} };
    subtest "the indexes of $machine come out" => sub {
        my %score;
        @score{@NAMES} = @$scores;
        my $got = indexes_of(\%score);

        # 4.2965 is printed as 4.296, because its scores have five digits.
        is(
            abs($got->{ $KEYS[$_] }{score} - $indexes->[$_]) < 6e-4
            ? $indexes->[$_]
            : $got->{ $KEYS[$_] }{score},
            $indexes->[$_], $KEYS[$_]
        ) for 0 .. $#KEYS;
        is(join(' ', map { $got->{$_}{partial} } @KEYS), '0 0 0 0 0', 'all are complete');
    };
}

subtest 'an index of which a test is missing is partial, and none stands for nothing' => sub {
    my $got = indexes_of({ 'numeric-sort' => 118.73 * 3, 'idea' => 220.21 * 12 });
    is(join(' ', sort keys %$got), 'bytemark-integer bytemark-original-integer', 'those that have a test');
    is($got->{'bytemark-integer'}{partial}, 1,                                   'partial');
    cmp_ok(abs($got->{'bytemark-integer'}{score} - 6), '<', 1e-9, 'the geometric mean of what there is');
    is("@{ $got->{'bytemark-integer'}{tests} }", 'idea numeric-sort', 'of these');
};

subtest 'each index has an interval from those of its tests' => sub {
    my %score = map {
        my $s = $PUBLISHED{'AMD K6/233'}[0][$_];
        $NAMES[$_] => [ map { $s * $_ } 0.99, 1.01, 1, 0.995, 1.005, 1 ]
    } 0 .. $#NAMES;
    my $got = indexes_of(\%score);
    for my $name (@KEYS) {
        my ($low, $high) = @{ $got->{$name}{interval} };
        ok($low < $got->{$name}{score} && $got->{$name}{score} < $high, $name);
    }
    cmp_ok(
        $got->{'bytemark-original-integer'}{error},
        '<',
        $got->{'bytemark-memory'}{error},
        'more tests make an index surer'
    );
};

subtest 'in the classic schedule a score is the mean of all passes, with Student\'s interval' => sub {
    my ($test) =
        @{ run_of({ 'idea' => [ 100, 101, 99, 100, 100 ] }, kind => 'classic')->{results}[0]{tests} };
    is($test->{score}, 100, 'the mean');
    cmp_ok(abs(($test->{interval}[1] - $test->{interval}[0]) / 2 - 0.87785),
        '<', 3e-4, 'the half of its interval');
    cmp_ok(abs($test->{precision} - 0.0087785), '<', 3e-6, 'as a part of it');
    my ($default) = @{ run_of({ 'idea' => [ 100, 101, 99, 100, 102 ] })->{results}[0]{tests} };
    is("$default->{score} " . ($default->{interval} // 'none'), '100 none', 'in the others it is the median');
};

subtest 'the report has the ratios, and says who has the index 1' => sub {
    my %score;
    @score{@NAMES} = @{ $PUBLISHED{'EPYC virtual machine'}[0] };
    my $record = run_of(\%score);
    my $text   = Touchstone::Report::Render::Text::render(
        Touchstone::Suite::Bytemark::Parts::parts(
            $record->{published_results}{bytemark},
            build => { flags_bytemark => '-O3', libc => 'musl 1.2' }
        )
    );
    like($text, qr/^  Numeric Sort +2183 +56\.0 +18\.4$/m, 'a test, against both machines');
    like(
        $text,
        qr/^An index of 1 is the Dell XPS P90: Original Integer, Original Floating-Point$/m,
        'whose index is 1'
    );
    like($text, qr/^  this machine +35\.950 +62\.241 +151\.522$/m,      'this machine among the published');
    like($text, qr/^  Pentium II 300 +Linux +1\.255 +1\.093 +1\.842$/m, 'one of them');
    like($text, qr/^Built by -O3, musl 1\.2$/m,                         'and what it was built with');
};

subtest 'a stranger\'s record does no harm' => sub {
    my $record = run_of({ idea => 1 });
    $record->{published} = {
        'bytemark-machines' => [
            { machine => "<b>\e", idea => 'x' },
            { machine => 'b',     idea => -1 },
            { machine => 'c',     idea => '1e-300' },
            'x',
            {}
        ],
        'bytemark-indexes' => [ { machine => 'd', memory => [] }, 7 ]
    };
    my $tables = Scored::tables(Bytemark => $record);
    is_deeply(
        [ map { defined } @{ $tables->{tests}[0]{ratios} }{ "<b>\e", 'b', 'c' } ],
        [ '', '', '' ],
        'a cell that is no number is unknown'
    );
    unlike(Touchstone::Report::Render::Html::fragment(Touchstone::Suite::Bytemark::Parts::parts($tables)),
        qr/<b>|\e/, 'names are escaped');
};

done_testing;
