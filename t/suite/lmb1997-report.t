# SPDX-License-Identifier: GPL-2.0-or-later
# Suite::Lmb1997::Parts: the place of each part, and the digits of figures.
use 5.014;
use strict;
use warnings;

use File::Basename qw(dirname);
use List::Util qw(max);
use Test::More;

use lib 't/lib';
use NoWarnings;
use Scored;
use Touchstone::Report::PublishedResults;
use Touchstone::Report::Classic;
use Touchstone::Report::Document;
use Touchstone::Report::Render::Html;
use Touchstone::Report::Render::Markdown;
use Touchstone::Report::Render::Text;
use Touchstone::Suite::Lmb1997::Parts;
use Touchstone::Suite::Lmb1997::Tables;
use Touchstone::Suite::Published;

my $BASE      = dirname(dirname(dirname(__FILE__)));
my $PUBLISHED = Touchstone::Suite::Published::load(
    "$BASE/pgms/lmb1997.csv",
    text    => [ 'program', 'system' ],
    numbers => ['seconds']
);

sub test_of {
    my ($name, $score, %more) = @_;
    return {
        name     => $name,
        score    => $score,
        interval => [ $score * 0.98, $score * 1.02 ],
        error    => 0.01,
        user     => $score / 5,
        sys      => $score / 2,
        %more
    };
}

# Returns the tables of tests with half a second each, and a load without the programs in `absent`.
sub tables_of {
    my (%with) = @_;
    my %absent = map { $_ => 1 } @{ $with{absent} || [] };
    my %figures =
        map { s/\.c\z//r => 1.5 } grep { !$absent{$_} } @Touchstone::Suite::Lmb1997::Tables::OF_LOAD;
    my @tests = map {
        test_of($_, 0.5,
            figures => { array_kb => $with{array} // 65536, write_mbps => 812.3, read_mbps => 4.56 })
    } @Touchstone::Suite::Lmb1997::Tables::PROGRAMS;
    push @tests,
        test_of(
        'load1997', $with{load} // 6,
        figures => { %figures, programs => scalar keys %figures },
        missing => [ map { +{ name => $_, why => $with{why} // 'it was not built' } } sort keys %absent ]
        );
    @tests = grep { $_->{name} =~ $with{only} } @tests    if $with{only};
    @tests = grep { $_->{name} !~ $with{without} } @tests if $with{without};
    my $flags = $with{flags} // '-O2 -funroll-all-loops';
    return Scored::tables(
        Lmb1997 => {
            host => {
                usable_cpus => $with{cpus} // 2,
                memory_kb   => $with{memory}
            },
            build => {
                flags_lmb1997         => $flags,
                flags_lmb1997_fortran => '-O3',
                flags_user            => $with{user} // ''
            },
            published => { lmb1997 => $with{published} // $PUBLISHED },
            results   => [ { copies => $with{copies} // 1, tests => \@tests } ]
        }
    );
}

sub text_of { return Touchstone::Report::Render::Text::render(Touchstone::Suite::Lmb1997::Parts::parts(@_)) }

# The parts of the page of a whole run, those in folds among them.
sub wide_parts {
    return
        map { $_->[0] eq 'fold' ? @$_[ 2 .. $#$_ ] : $_ }
        Touchstone::Report::Document::for_form('html', Touchstone::Suite::Lmb1997::Parts::parts(tables_of()));
}

# Returns the lines that match, with single blanks between their columns.
sub lines_with {
    my ($text, $pattern) = @_;
    return join "\n", map { s/ {2,}/  /gr } grep { /$pattern/ } split /\n/, $text;
}

subtest 'no line in a terminal has more than 100 letters' => sub {
    my @most = map { my $row = $_; +{ %$row, seconds => 99_999 } } @$PUBLISHED;
    for my $tables (
        tables_of(),
        tables_of(copies    => 16),
        tables_of(flags     => "-f\xc3\xa4" x 200,                                         user => 'x' x 300),
        tables_of(absent    => [ @Touchstone::Suite::Lmb1997::Tables::OF_LOAD[ 1 .. 9 ] ], why  => 'w' x 300),
        tables_of(published => \@most,                                                     array => 1000),
        tables_of(without   => qr/^m-/),
        tables_of(without   => qr/vir/)
    ) {
        $_->{interval} = undef for @{ $tables->{programs} };
        my $text = text_of($tables);
        utf8::decode($text);
        cmp_ok(max(map { length } split /\n/, $text), '<=', 100, 'none')
            or diag(grep { length > 101 } map { "$_\n" } split /\n/, $text);
    }
};

subtest 'every form says what the seconds of 1997 are worth' => sub {
    my @parts = Touchstone::Suite::Lmb1997::Parts::parts(tables_of());
    my %page  = (
        text     => text_of(tables_of()),
        markdown => Touchstone::Report::Render::Markdown::render(@parts),
        html     => Touchstone::Report::Render::Html::fragment(@parts),
        load     => text_of(tables_of(only => qr/load/))
    );
    for my $form (sort keys %page) {
        like(
            $page{$form} =~ s/\s+/ /gr =~ s/\\//gr,
            qr/sources were never published\. .* only for orientation, except those of m-nnstadis\.c and m-stadis1\.f, whose work the article specifies\. .* 512 bytes is our choice\./,
            $form
        );
    }
};

subtest 'the systems of each program are in the order of its time, this machine among them' => sub {
    my $tables = tables_of();
    my $text   = text_of($tables);
    like($text, qr/\APrograms of 1997\n/, 'a heading');
    my $ours = '500 ms  ±2.0 %  100 ms  250 ms';
    my $rows = sub {
        my ($name)  = @_;
        my ($first) = text_of($tables) =~ /^(Time for one unit .*?)^How many/ms;
        return join '|', map { s/^ +//r } split /\n/, lines_with($first, qr/^  $name /);
    };
    is($rows->('program'), 'program  system  real  95 %  user  sys', 'the head');
    is(
        $rows->('m-permut'),
        "m-permut  this machine  $ours|m-permut  DEC Unix  32 s|m-permut  DEC NT  32 s|m-permut  KPC NT 4.0  47 s|m-permut  KPC Linux  52 s",
        'the fastest first; of equal ones the order of the article'
    );
    my %row = map { $_->{name} => $_ } @{ $tables->{programs} };
    @{ $row{'m-nnstadis.c'} }{qw(real interval)} = (100, [ 98, 102 ]);
    is(
        $rows->('m-nnstadis.c') =~ s/ {2,}/ /gr =~ s/m-nnstadis\.c //gr,
        'DEC Unix 24 s|KPC Linux 39 s|this machine 100 s ±2.0 % 100 ms 250 ms|DEC NT 273 s|KPC NT 4.0 1695 s',
        'a slow machine has its place between others'
    );
    $row{'m-carac.c'}{$_} = undef for qw(real interval user sys);
    is(
        $rows->('m-carac.c'),
        'm-carac.c  KPC Linux  59 s|m-carac.c  KPC NT 4.0  128 s|m-carac.c  this machine  ---  ---  ---  ---',
        'without a time it is the last'
    );
    like($text, qr/^The large array has 64 MB$/m,                     'the array');
    like($text, qr/^m-debi\.c: written 812 MB\/s, read 4\.6 MB\/s$/m, 'the disk');
    like(
        text_of(tables_of(array => 1000)),
        qr/^The large array has 0\.9766 MB, not 64: not comparable with machines with more memory$/m,
        'a small array'
    );
    unlike(
        text_of(tables_of(published => [])),
        qr/KPC|DEC|times as fast|Compiler options/,
        'without published figures this machine alone'
    );
    my ($table) = map { $_->[1] }
        grep { $_->[0] eq 'table' } wide_parts();
    is(
        join(', ', @{ $table->{head} }),
        'program, system, real, 95 %, user, sys',
        'a page has the same columns'
    );
};

subtest 'below the table stands what is known of its systems' => sub {
    my $text = text_of(tables_of());
    like(
        $text,
        qr/^  - faster of the two systems of a machine: KPC NT 4\.0 8, KPC Linux 8, DEC Unix 1, DEC NT 2$/m,
        'how often each was faster: of equal seconds neither is'
    );
    like(
        $text,
        qr{^  - KPC: Pentium Pro of 200 MHz, caches of 256 KB \+ 512 KB, 128 MB of EDO memory, IDE disk of 850 MB\n}m,
        'the machine'
    );
    like(
        $text,
        qr{^  - KPC Windows NT 4\.0: .* Power Station Professional Edition 4\.0\n  - KPC Linux 2\.0\.27: Red Hat 4\.1, gcc 2\.7\.2}m,
        'the compilers'
    );
    my $other = text_of(tables_of(published => [ grep { $_->{system} =~ /DEC/ } @$PUBLISHED ]));
    like(
        $other,
        qr/^  - DEC 2100-5\/250 Digital Unix 3\.7: .*\n  - DEC 2100-5\/250 Windows NT 3\.51: .*F77 V1\.1/m,
        'of systems that are shown'
    );
    unlike($other, qr/KPC/, 'and of no other');
    my ($table) = map { $_->[1] } grep { $_->[0] eq 'table' } wide_parts();
    is(
        join('|', map { ref $_->[1] ? $_->[1]{text} : $_->[1] } @{ $table->{rows} }[ 0 .. 4 ]),
        'this machine|DEC 2100-5/250 Digital Unix|DEC 2100-5/250 Windows NT 3.51|KPC PentiumPro-200 Windows NT 4.0|KPC PentiumPro-200 Linux 2.0.27',
        'a page has room for the names of the article'
    );
};

subtest 'files that fit into the memory say that they are no disk' => sub {
    my $cached = sub {
        return text_of(tables_of(@_)) =~ /^(.*the page cache, so the disk is not measured)$/m ? $1 : '';
    };
    is($cached->(memory => 2**20),
        'm-stadis1.f and m-nnstadis.c: their files fit into the page cache, so the disk is not measured',
        'both');
    is($cached->(memory => 2**20, without => qr/nnstadis/),
        'm-stadis1.f: its file fits into the page cache, so the disk is not measured', 'one');
    is(
        $cached->(memory => 2**16),
        'm-stadis1.f: its file fits into the page cache, so the disk is not measured',
        'a small machine'
    );
    is($cached->(memory => 2**17, copies => 16), '', 'many copies have many files');
    is($cached->(memory => $_), '', 'an unknown memory') for undef, 'unknown', [];
};

subtest 'times have two digits, and two programs only' => sub {
    my $times =
        sub { return lines_with($_[0] =~ s/.*^How many times as fast.*?$(.*?)^\S.*/$1/msr, qr/^  m-/) };
    is($times->(text_of(tables_of())),
        "  m-stadis1.f  46  58  ---  ---\n  m-nnstadis.c  3,400  78  48  550", 'both');
    is(
        $times->(text_of(tables_of(without => qr/stadis1/))),
        '  m-nnstadis.c  3,400  78  48  550',
        'one of them'
    );
    unlike(text_of(tables_of(without => qr/stadis/)), qr/times as fast/, 'neither');
    my @nine = map { +{ %$_, seconds => 4.5 } } @$PUBLISHED;
    is(
        $times->(text_of(tables_of(published => \@nine, without => qr/nnstadis/))),
        '  m-stadis1.f  9.0  9.0',
        'also where the second is a nought'
    );
};

subtest 'the load says who took part and what its share of the sum means' => sub {
    my $said = sub {
        return join '|', map { s/^  - //r } split /\n/,
            lines_with($_[0] =~ s/\A.*^(?=Load of)//msr =~ s/^Compiler options.*//msr, qr/^  - /);
    };
    is(
        $said->(text_of(tables_of())),
        'load1997 took 6.00 s (±2.0 %) until its last program had ended|15 programs took part|there are 2 usable CPUs|'
            . 'the load took 0.800 (0.784 to 0.817) of the sum of the single times of these programs|1: as long as in sequence; lower: CPUs shared the work; higher: they slowed each other down',
        'all of them'
    );
    like(
        $said->(text_of(tables_of(absent => ['m-comb.f'], cpus => 1))),
        qr/\|14 programs took part\|there is 1 usable CPU\|without m-comb\.f: it was not built\|the load took 0\.857 /,
        'one less, on one CPU'
    );
    like(
        $said->(text_of(tables_of(without => qr/^m-(?:vir|debi)/))),
        qr/\|without single times: m-vir\.f, m-vir4\.c, m-debi\.c\|there is no sum .*: measure them in the same run, as lmb1997 does\z/,
        'no sum'
    );
    my $most = text_of(tables_of(without => qr/^m-(?!permut)/));
    like(
        $most,
        qr/^  - without single times: m-comb\.c, .*,\n    .*m-debi\.c$/m,
        'many names are one point of several lines'
    );
    is(
        lines_with(text_of(tables_of()), qr/^  (?:this machine|KPC P|DEC 2)/),
        join("\n",
            '  this machine  6.00 s  7.50 s  0.80',
            '  DEC 2100-5/250 Digital Unix 1 processor  1168 s  ---  ---',
            '  DEC 2100-5/250 Windows NT 3.51 1 processor  1344 s  ---  ---',
            '  KPC PentiumPro-200 Linux 2.0.27  1866 s  1307 s  1.43',
            '  KPC PentiumPro-200 Windows NT 4.0  2806 s  2994 s  0.94'),
        'among the published ones, of which the best is the first'
    );
    is(
        lines_with(text_of(tables_of(load => 1500)), qr/^  (?:this machine +1|KPC P|DEC 2)/) =~
            s/ {2}\S+ s.*//gmr,
        join("\n",
            '  DEC 2100-5/250 Digital Unix 1 processor',
            '  DEC 2100-5/250 Windows NT 3.51 1 processor',
            '  this machine',
            '  KPC PentiumPro-200 Linux 2.0.27',
            '  KPC PentiumPro-200 Windows NT 4.0'),
        'a slow one has its place between them'
    );
    like(text_of(tables_of()), qr/^  m-comb\.f +500 ms +1\.5 s +3\.0$/m,
        'each program alone and in the load');
    unlike(
        text_of(tables_of(without => qr/load/)),
        qr/Load of 1997/,
        'nothing of a load that was not measured'
    );
    unlike(
        text_of(tables_of(only => qr/load/)),
        qr/Time for one unit|Options of/,
        'a load alone has no other table'
    );
};

subtest 'the options of the compiler stand beside this build and its flags' => sub {
    my $text = text_of(tables_of(user => '-g'));
    like($text, qr/^  m-matr\.c +344 s +53 s +6\.49 +500 ms$/m, 'a row');
    like($text, qr/^  - C: -O2 -funroll-all-loops\n  - Fortran: -O3\n  - all, in addition: -g$/m,
        'the flags');
    like($text, qr/^--build none=-O0 --build o2=-O2 measures both here\.$/m, 'how to measure both');
};

subtest 'readers of classic reports find no result in these parts' => sub {
    my $model = {
        version   => '7',
        host      => { map { $_ => 'x' } qw(name os release version machine platform uptime runlevel) },
        locale    => { map { $_ => 'C' } qw(name charmap collate) },
        cpus      => [],
        blocks    => [],
        brief     => 1,
        build     => {},
        published => {
            lmb1997 => tables_of(
                flags  => '-O2 1.0 lps (1.0 s, 6 samples) 5.0 MWIPS ',
                absent => ['m-comb.f'],
                why    => 'lpm 1.0 lps (10.0 s, 7 samples)'
            )
        }
    };
    my $text = Touchstone::Report::Classic::render($model);
    like($text, qr/^Load of 1997$/m, 'they are in the text');
    unlike(
        $text,
        qr/\blps\b|MWIPS |^System Benchmarks|Index Score|BASELINE/m,
        'and hold no word that is looked for'
    );
    is(join(' ', Touchstone::Report::PublishedResults::headlines($model)), '', 'nor a headline');
};

subtest 'nothing is said when nothing was measured' => sub {
    is(scalar(my @none = Touchstone::Suite::Lmb1997::Parts::parts(undef)), 0, 'no part');
    like(
        text_of(tables_of(copies => 4)),
        qr/^With 4 concurrent copies: .*^m-debi\.c: .*, all copies together$/ms,
        'several copies say so'
    );
};

done_testing;
