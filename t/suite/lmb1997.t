# SPDX-License-Identifier: GPL-2.0-or-later
# Lmb1997: the tables of a run beside the seconds of the article.
use 5.014;
use strict;
use warnings;

use File::Basename qw(dirname);
use Test::More;

use lib 't/lib';
use Near;
use NoWarnings;
use Scored;
use Touchstone::Record::Json;
use Touchstone::Report::Render::Html;
use Touchstone::Report::Render::Markdown;
use Touchstone::Report::Render::Text;
use Touchstone::Score;
use Touchstone::Stats::Confidence;
use Touchstone::Suite::Lmb1997::Parts;
use Touchstone::Suite::Lmb1997::Tables;
use Touchstone::Suite::Published;

my $BASE      = dirname(dirname(dirname(__FILE__)));
my $PUBLISHED = Touchstone::Suite::Published::load(
    "$BASE/pgms/lmb1997.csv",
    text    => [ 'program', 'system' ],
    numbers => ['seconds']
);
my ($NT, $LINUX) = ('KPC PentiumPro-200 Windows NT 4.0', 'KPC PentiumPro-200 Linux 2.0.27');
my @ODD = (
    undef, '',     'x', '1x', '0', 0, -1, '1e400', 'nan', 'inf', '-inf', 1e300, 1e-300, [], {}, [ 1, 2 ],
    "1\0", '0x10', ' ', "<b>\e[31m\n"
);

sub test_of {
    my ($name, $score, %more) = @_;
    return {
        name     => $name,
        score    => $score,
        interval => [ $score * 0.98, $score * 1.02 ],
        error    => 0.01,
        user     => $score / 2,
        sys      => $score / 4,
        %more
    };
}

# Returns sixteen tests, each of which takes half a second.
sub sixteen {
    my (@without) = @_;
    my %without   = map { $_ => 1 } @without;
    return map { test_of($_, 0.5) } grep { !$without{$_} } @Touchstone::Suite::Lmb1997::Tables::PROGRAMS;
}

# Returns what the load reports of all its programs except these.
sub load_of {
    my (@without) = @_;
    my %without = map { $_ => 1 } @without;
    my %figures =
        map { s/\.c\z//r => 1.5 } grep { !$without{$_} } @Touchstone::Suite::Lmb1997::Tables::OF_LOAD;
    return test_of(
        'load1997', 6,
        figures => { %figures, programs => scalar keys %figures },
        missing => [ map { +{ name => s/\.c\z//r, why => 'it was not built' } } @without ]
    );
}

sub record_of {
    my (@tests) = @_;
    return {
        host      => { usable_cpus   => 2,     online_cpus => 4 },
        build     => { flags_lmb1997 => '-O2', flags_lmb1997_fortran => '-O3', flags_user => '' },
        published => { lmb1997       => $PUBLISHED },
        results   => [ { copies => 1, tests => [@tests] } ]
    };
}

sub tables_of { return Scored::tables(Lmb1997 => record_of(@_)) }

sub program {
    my ($tables, $name) = @_;
    return (grep { $_->{name} eq $name } @{ $tables->{programs} })[0];
}

# Whatever a record holds, its tables can be made, are JSON, and become a page in each form.
sub check_harmless {
    my ($record, $name) = @_;
    my $tables = eval { Scored::tables(Lmb1997 => $record) };
    is($@, '', "$name: it lives");
    ok(eval { Touchstone::Record::Json::encode($tables); 1 }, "$name: JSON") or diag($@);
    my @wide = eval { Touchstone::Suite::Lmb1997::Parts::parts($tables, wide => 1) };
    my $html = eval { Touchstone::Report::Render::Html::fragment(@wide) };
    my $text = eval {
        join '', $html,
            Touchstone::Report::Render::Text::render(Touchstone::Suite::Lmb1997::Parts::parts($tables)),
            Touchstone::Report::Render::Markdown::render(@wide);
    };
    is($@, '', "$name: pages");
    unlike(
        $text,
        qr/[\x00-\x09\x0b-\x1f]|\b(?:nan|inf) (?:s|[mun]s|MB)\b/i,
        "$name: no odd letter, no odd figure"
    );
    unlike($html, qr/<b>/, "$name: no mark of others");
    return $tables;
}

subtest 'a run without tests of the suite has no such tables' => sub {
    is(tables_of(test_of('pipe', 1), test_of('m-permut.c', 1), test_of('load', 1)), undef, 'undef');
    is(Scored::tables(Lmb1997 => $_), undef, 'nor has an odd record') for { }
    , { results => [] }, { results => 'x' }, { results => [ undef, 7, { tests => {} }, { copies => 1 } ] };
};

subtest 'each of the sixteen programs has a row with the seconds of the article' => sub {
    my $tables = tables_of(sixteen('m-comb.f'));
    is(
        join(' ', map { $_->{name} } @{ $tables->{programs} }),
        'm-permut m-comb.c m-comb.f m-deriv.c m-deriv.f m-carac.c m-matr.c m-matr.f m-moncar.c m-nmemvir1.c m-nmemvir1.f m-vir.f m-vir4.c '
            . 'm-stadis1.f m-nnstadis.c m-debi.c',
        'in the order of the suite'
    );
    my $permut = program($tables, 'm-permut');
    is_deeply([ @$permut{qw(real user sys)} ], [ 0.5, 0.25, 0.125 ], 'seconds of this machine');
    near($permut->{interval}[0], 0.49, 'and how sure they are');
    is_deeply(
        $permut->{published},
        {
            $NT                              => 47,
            $LINUX                           => 52,
            'DEC 2100-5/250 Digital Unix'    => 32,
            'DEC 2100-5/250 Windows NT 3.51' => 32
        },
        'm-permut.c of the article, not those of the options'
    );
    is_deeply(
        [ map { $_->{best} } map { program($tables, $_) } qw(m-permut m-comb.f m-carac.c) ],
        [ { $NT => 1 }, { $LINUX => 1, 'DEC 2100-5/250 Windows NT 3.51' => 1 }, { $LINUX => 1 } ],
        'the faster system of each machine, where one is'
    );
    is_deeply(
        [ @{ program($tables, 'm-comb.f') }{qw(real interval user sys)} ],
        [ undef, undef, undef, undef ],
        'nothing of what was not measured'
    );
    is(program($tables, 'm-comb.f')->{published}{$LINUX}, 89, 'but what was published');
    is_deeply($tables->{systems},
        [ $NT, $LINUX, 'DEC 2100-5/250 Digital Unix', 'DEC 2100-5/250 Windows NT 3.51' ],
        'the systems');
    like(
        $tables->{note},
        qr/never published.*orientation.*m-nnstadis\.c and m-stadis1\.f.*512 bytes is our choice/,
        'a note what they are worth'
    );
};

subtest 'only the two programs whose work the article states have times' => sub {
    my $tables = tables_of(sixteen());
    is(join(' ', map { $_->{name} } grep { $_->{times} } @{ $tables->{programs} }),
        'm-stadis1.f m-nnstadis.c', 'these');
    is_deeply(program($tables, 'm-stadis1.f')->{times}, { $NT => 46, $LINUX => 58 }, 'published / ours');
    is(program($tables, 'm-nnstadis.c')->{times}{'DEC 2100-5/250 Digital Unix'},
        48, 'also of the other machine');
    ok(!grep({ $_->{times} } @{ tables_of(sixteen('m-stadis1.f', 'm-nnstadis.c'))->{programs} }),
        'none when they were not measured');
};

subtest 'the load stands beside the sum of the programs that took part' => sub {
    my $load = tables_of(sixteen(), load_of())->{load};
    is_deeply(
        [ $load->{real}, $load->{cpus}, $load->{count}, $load->{absent}, $load->{unknown} ],
        [ 6,             2,             15,             [],              [] ],
        'all fifteen'
    );
    near($load->{sum},   7.5, 'not m-carac.c');
    near($load->{ratio}, 0.8, 'load / sum');
    my $sure = Touchstone::Stats::Confidence::confidence(1, [ 0.98, 1.02 ], 0.01);
    my $of   = Touchstone::Stats::Confidence::product([ $sure, 1 ], map { [ $sure, -1 / 15 ] } 1 .. 15);
    near($load->{ratio_interval}[0], 0.8 * exp(-$of->{low}), 'its interval, from those of all');
    near($load->{ratio_interval}[1], 0.8 * exp($of->{high}), 'to its end');
    is_deeply(
        $load->{programs}[1],
        { name => 'm-comb.c', seconds => 1.5, single => 0.5, single_interval => [ 0.49, 0.51 ] },
        'a program by the name of its test'
    );
    my $less = tables_of(sixteen(), load_of('m-comb.f', 'm-matr.c'))->{load};
    near($less->{sum}, 6.5, 'of thirteen');
    is_deeply(
        $less->{absent},
        [ map { +{ name => $_, why => 'it was not built' } } 'm-comb.f', 'm-matr.c' ],
        'and which did not'
    );
};

subtest 'there is no sum when a program was not measured alone or is not named' => sub {
    my $load = tables_of(sixteen('m-vir.f', 'm-debi.c'), load_of())->{load};
    is_deeply(
        [ @$load{qw(sum ratio ratio_interval unknown)} ],
        [ undef, undef, undef, [ 'm-vir.f', 'm-debi.c' ] ],
        'they are named'
    );
    my $alone = tables_of(load_of());
    is_deeply(
        [ $alone->{programs}, $alone->{options}, scalar @{ $alone->{load}{unknown} } ],
        [ [],                 undef,             15 ],
        'of the load alone: it has no other table'
    );
    my $silent = load_of();
    delete $silent->{figures}{'m-permut'};
    is(tables_of(sixteen(), $silent)->{load}{sum}, undef, 'fifteen took part, and fourteen are named');
    delete $silent->{figures}{programs};
    near(tables_of(sixteen(), $silent)->{load}{sum}, 7, 'when nobody says how many, those that are named');
    my $mute = test_of('load1997', 6);
    is_deeply(
        [ @{ tables_of(sixteen(), $mute)->{load} }{qw(sum ratio programs)} ],
        [ undef, undef, [] ],
        'nobody is named'
    );
};

subtest 'published loads have a sum where the fifteen are published' => sub {
    my %of = map { $_->{system} => $_ } @{ tables_of(load_of())->{load}{others} };
    is_deeply(
        [
            map { "$_->{seconds} " . ($_->{sum} // 'unknown') }
                @of{ $NT, $LINUX, map { "DEC 2100-5/250 $_ 1 processor" } 'Digital Unix', 'Windows NT 3.51' }
        ],
        [ '2806 2994', '1866 1307', '1168 unknown', '1344 unknown' ],
        'all four'
    );
    near($of{$NT}{ratio},    2806 / 2994, 'Windows NT');
    near($of{$LINUX}{ratio}, 1866 / 1307, 'Linux');
};

subtest 'the options of the compiler have a row for each program published with and without' => sub {
    my $options = tables_of(sixteen('m-matr.c'))->{options};
    is(scalar @{ $options->{programs} }, 16, 'sixteen');
    my ($permut, $matr) = @{ $options->{programs} }[ 0, 6 ];
    is_deeply([ @$permut{qw(name none optimised real)} ], [ 'm-permut', 102, 47, 0.5 ], 'one');
    near($permut->{ratio}, 102 / 47, 'its ratio');
    is_deeply(
        [ @$matr{qw(name none optimised real)} ],
        [ 'm-matr.c', 344, 53, undef ],
        'one that was not measured here'
    );
    is_deeply([ @$options{qw(c fortran user)} ], [ '-O2', '-O3', '' ], 'flags of this build');
};

subtest 'figures of the disk and of the array are taken along' => sub {
    my $tables = tables_of(test_of('m-debi.c', 1, figures => { write_mbps => 812.5, read_mbps => 4000 }),
        test_of('m-vir4.c', 1, figures => { array_kb => 4096 }));
    is_deeply(
        [ @$tables{qw(disk array_kb array_usual)} ],
        [ { write_mbps => 812.5, read_mbps => 4000 }, 4096, 65536 ],
        'one copy'
    );
    my $record = record_of(test_of('m-vir.f', 1, figures => { array_kb => 4 * 65536 }));
    $record->{results}[0]{copies} = 4;
    is(Scored::tables(Lmb1997 => $record)->{array_kb}, 65536, 'four copies have four arrays');
    is_deeply([ @{ tables_of(sixteen()) }{qw(disk array_kb)} ], [ undef, undef ], 'nothing of nothing');
};

subtest 'the tables are of the fewest copies that ran a test of the suite' => sub {
    my $record = record_of(test_of('pipe', 1));
    push @{ $record->{results} }, { copies => 4, tests => [ test_of('m-permut', 1) ] },
        { copies => 2, tests => [ test_of('m-permut', 2), load_of() ] };
    my $tables = Scored::tables(Lmb1997 => $record);
    is("$tables->{copies} " . program($tables, 'm-permut')->{real}, '2 2', 'two copies');
    is($tables->{load},                                             undef, 'and no load, which is of one');
};

subtest 'published tables of a stranger do no harm' => sub {
    my @rows = map {
        my $odd = $_;
        (map { +{ program => $_, system => $NT, seconds => $odd } } 'm-permut.c', 'load', 'm-stadis1.f'),
            { program => $odd, system => $odd, seconds => 5 },
            map { +{ program => 'm-permut.c', system => "KPC NT 4.0 $_", seconds => $odd } } '-O', '-none'
    } @ODD;
    for my $table (
        @ODD, 'x',
        [ undef, 'text', 7, @rows ],
        { rows => 1 },
        [ { program => 'm-permut.c', system => 'mine', seconds => 1 } ]
    ) {
        my $record = record_of(sixteen(), load_of());
        $record->{published} = { lmb1997 => $table };
        my $tables = check_harmless($record, ref $table || 'no table');
        is_deeply(
            [ $tables->{systems}, $tables->{options}, $tables->{load}{others} ],
            [ [],                 undef,              [] ],
            'no figure of them'
        );
    }
    for my $odd (@ODD) {
        my $record = record_of(sixteen(), load_of());
        $record->{published} = $odd;
        is(check_harmless($record, 'no tables')->{programs}[0]{real}, 0.5, 'this machine alone');
    }
};

subtest 'odd results of ours do no harm either' => sub {
    for my $odd (@ODD) {
        my %odd =
            (interval => $odd, error => $odd, user => $odd, sys => $odd, figures => $odd, missing => $odd);
        my $record = record_of(
            test_of('m-permut', 1, %odd),
            { name => 'm-comb.c', score => $odd, %odd },
            test_of(
                'load1997', 2, %odd,
                missing => [ $odd, { name => $odd, why => $odd }, { name => 'm-comb', why => $odd } ]
            ),
            { name => $odd, score => 1 },
            $odd
        );
        @$record{qw(host build)} = (
            { usable_cpus   => $odd, online_cpus => $odd },
            { flags_lmb1997 => $odd, flags_lmb1997_fortran => $odd, flags_user => $odd }
        );
        my $tables = check_harmless($record, 'an odd value everywhere');
        is_deeply([ map { program($tables, $_)->{real} } 'm-permut', 'm-comb.c' ], [ 1, undef ],
            'no seconds');
        is_deeply([ @{ $tables->{load} }{qw(sum cpus)} ], [ undef, undef ], 'no sum, no CPUs');
        my %figures = (
            figures => {
                (map { s/\.c\z//r => $odd } @Touchstone::Suite::Lmb1997::Tables::OF_LOAD),
                programs   => $odd,
                array_kb   => $odd,
                write_mbps => $odd,
                read_mbps  => $odd
            }
        );
        $tables =
            check_harmless(record_of(test_of('m-debi.c', 1, %figures), test_of('load1997', 1, %figures)),
            'odd figures');
        is_deeply(
            [ @$tables{qw(disk array_kb)}, $tables->{load}{programs} ],
            [ undef, undef, [] ],
            'no figure'
        );
        @$record{qw(host build)} = ($odd, $odd);
        $record->{results}[0]{copies} = $odd;
        check_harmless($record, 'no host, no build');
    }
};

done_testing;
