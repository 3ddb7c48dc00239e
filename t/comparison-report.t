# SPDX-License-Identifier: GPL-2.0-or-later
# Report::Compare in all its forms: the place of each part, and the escaping of hostile names.
use 5.014;
use strict;
use warnings;

use JSON::PP ();
use Test::More;

BEGIN {
    $SIG{__WARN__} = sub { fail("no warning: $_[0]") }
}
use lib 't/lib';
use Runs;
use Touchstone::Base::Text;
use Touchstone::Compare::SelfCompare;
use Touchstone::Compare;
use Touchstone::Report::Compare;
use Touchstone::Report::Csv;
use Touchstone::Report::Page;

my @FORMATS = qw(text markdown html csv json);

# Returns facts that differ in the compiler only.
sub facts { return { 'h name' => 'vm', 'b compiler_version' => $_[0] } }

sub runs {
    my (@runs) = @_;
    return Touchstone::Compare::compare(runs => \@runs);
}

my $pair = sub {
    return runs(
        Runs::compared_run(
            old => {
                '1 pipe'  => [ Runs::steady(1000) ],
                '1 spawn' => [ Runs::steady(50) ],
                '2 pipe'  => [ Runs::steady(2000) ]
            },
            facts => facts('gcc 12')
        ),
        Runs::compared_run(
            new => {
                '1 pipe'  => [ Runs::steady(1030) ],
                '1 spawn' => [ Runs::steady(50) ],
                '2 pipe'  => [ 1 .. 3 ]
            },
            facts => facts('clang 14')
        ),
    );
};

sub render {
    my ($format, $comparison) = @_;
    return Touchstone::Report::Compare::render($format, $comparison // $pair->());
}

# Returns the fields of each line.
sub csv {
    my ($text) = @_;
    my @rows;
    for my $line (split /\n/, $text) {
        my @fields;
        while ($line =~ /\G(?:"((?:[^"]|"")*)"|([^",]*))(,|\z)/g) {
            my ($quoted, $bare, $end) = ($1, $2, $3);
            push @fields, defined $quoted ? $quoted =~ s/""/"/gr : $bare;
            last if $end eq '';
        }
        push @rows, \@fields;
    }
    return @rows;
}

# Returns the cells of each row of the tables.
sub cells {
    my ($text) = @_;
    return map {
        [ map { s/\\(.)/$1/gr } /(?<=\| )((?:[^|\\]|\\.)*?)(?= \|)/g ]
    } grep { /^\| / } split /\n/, $text;
}

subtest 'what differs between the runs stands on top' => sub {
    for my $format (qw(text markdown html)) {
        my $text = render($format);
        like($text, qr/one thing differs: compiler/, "$format: it is said");
        ok(index($text, 'one thing differs') < index($text, 'A is old'), "$format: before any figure");
        like($text, qr/compiler\W.*gcc 12.*clang 14/, "$format: with both values");
    }
};

subtest 'several differences are said to leave the cause open' => sub {
    my $text = render(
        text => runs(
            map {
                Runs::compared_run(
                    "r$_",
                    { '1 pipe' => [1] },
                    facts => { 'h name' => "vm$_", 'b compiler_version' => "cc $_" }
                )
            } 1,
            2
        )
    );
    like(
        $text,
        qr/^2 things differ, and any of them can be the cause of a difference in scores: machine, compiler$/m,
        'two'
    );
};

subtest 'runs of one machine and build are said to be that' => sub {
    like(
        render(text => runs(map { Runs::compared_run($_, { '1 pipe' => [1] }) } qw(a b))),
        qr/^no difference is known between the machines and builds$/m,
        'nothing differs'
    );
};

subtest 'a long fact is cut' => sub {
    my $text = render(
        text => runs(
            map { Runs::compared_run($_, { '1 pipe' => [1] }, facts => { 'b flags' => "-f$_ " . 'x' x 500 }) }
                qw(a b)
        )
    );
    is((sort { $b <=> $a } map { length } split /\n/, $text)[0] < 200,
        1, 'no line is longer than 200 letters');
};

subtest 'the verdicts stand before the tables' => sub {
    my $text = render('text');
    like(
        $text,
        qr/^  - index, 1 copy: faster \(\+1\.5 %, \+1\.3 % to \+1\.7 %\)\n  - index, 2 copies: not tested \(0\.001x\)\n  - faster: pipe \(\+3\.0 %\)\n  - no difference: spawn\n  - not tested: pipe × 2$/m,
        'in short'
    );
    ok(index($text, 'faster: pipe') < index($text, 'Verdict'), 'before the tables');
};

# The interval is 2.22814 x 0.001 x sqrt(7 / 6) = 0.0024067 on each side.
subtest 'a ratio has no more digits than its interval supports' => sub {
    my ($row) = grep { /^  pipe / } split /\n/, render('text');
    like($row, qr/ lps +1\.0300 +1\.0275 to 1\.0325 /, 'four decimals');
};

subtest 'without an interval there are a ratio and the reason' => sub {
    my ($row) = grep { /^  pipe .* 0\.00/ } split /\n/, render('text');
    like($row, qr/ lps +0\.00\d+ +--- +--- +not tested: 3 passes, 6 needed$/, 'too few passes');
};

subtest 'a score without an interval has four digits, and one of passes that are all the same has all' =>
    sub {
    my $text = render(
        text => runs(
            Runs::compared_run(a => { '1 pipe' => [795714.1], '1 spawn' => [3456.4] }),
            Runs::compared_run(b => { '1 pipe' => [24900],    '1 spawn' => [345.64] })
        )
    );
    like($text, qr/^  pipe +795700 +24900 +lps +0\.031 /m, 'of many, and of few');
    like($text, qr/^  spawn +3456 +345\.6 +lps +0\.100 /m, 'behind the point too');
    my ($pipe) =
        render(text => runs(map { Runs::compared_run("r$_", { '1 pipe' => [ (1234567 + $_) x 6 ] }) } 0, 300))
        =~ /^(  pipe .*)$/m;
    like(
        $pipe,
        qr/^  pipe +1234567\.0 +1234867\.0 +lps +1\.0002 +1\.0002 to 1\.0002 /,
        'and so has their ratio'
    );
    };

subtest 'indexes against two baselines are on two scales, and are not shown beside their ratio' => sub {
    my @runs = map { Runs::compared_run("r$_", { '1 pipe' => [ Runs::steady(1000) ] }) } 0, 1;
    like(render(text => runs(@runs)), qr/^  index +100\S* +100\S* +1\.00\d+ /m, 'those against one are');
    $runs[1]{indexes}{'1 system'}{score} = 10;
    like(render(text => runs(@runs)), qr/^  index +--- +--- +1\.00\d+ /m, 'those against two are not');
};

subtest 'a score of zero has no ratio' => sub {
    my $zero = runs(map { Runs::compared_run($_, { '1 pipe' => [ (0) x 6 ] }) } qw(a b));
    like(
        render(text => $zero),
        qr/^  pipe +0\.0 +0\.0 +lps +--- +--- +--- +not tested: a pass without a result$/m,
        'in the table'
    );
    like(render(text => $zero), qr/^  - index, 1 copy: not tested \(---\)$/m, 'in short');
    is(JSON::PP->new->decode(render(json => $zero))->{pairs}[0]{tests}[0]{ratio}, undef, 'as JSON');
    render($_, $zero) for @FORMATS;
};

subtest 'notes are shown' => sub {
    for my $format (qw(text markdown html)) {
        like(
            render(
                $format, runs(map { Runs::compared_run($_, { '1 pipe' => [1], "1 of$_" => [1] }) } qw(a b))
            ),
            qr/not in b: ofa with 1 copy/,
            $format
        );
    }
};

subtest 'the columns of the text stand below each other' => sub {
    my ($table) = render('text') =~ /^1 copy\n\n(.*?)\n\n/ms;
    my @lines   = split /\n/, $table;
    my $at      = index $lines[0], 'Verdict';
    is_deeply([ map { substr $_, $at, 2 } @lines ], [ 'Ve', 'fa', 'no', 'fa' ], 'verdicts');
};

subtest 'the tables of Markdown have as many cells in each row' => sub {
    my %cells;
    $cells{ scalar @$_ }++ for cells(render('markdown'));
    is_deeply(\%cells, { 3 => 2, 8 => 2 + 3 + 2 }, 'the facts, and a table for each copy count');
    is(scalar(grep { /^\|(?:---:?\|)+$/ } split /\n/, render('markdown')), 3, 'each has its rule');
};

# Returns the elements that are not closed, or the first tag that is closed in the wrong place.
sub open_elements {
    my ($html) = @_;
    my @open;
    for my $tag ($html =~ s{<[^>]*/>}{}gr =~ /<(\/?[a-z]+\d?)/g) {
        next if $tag eq 'meta';
        if ($tag =~ s{^/}{}) { return "$tag closed within @open" if !@open || pop @open ne $tag }
        else                 { push @open, $tag }
    }
    return "@open";
}

# Returns a page without its style and script, which are the same on every page.
sub body {
    my ($html) = @_;
    my ($main) = $html =~ m{<main>(.*)</main>}s;
    return $main;
}

subtest 'the page is whole and has no script of its own' => sub {
    my $html = render('html');
    like($html, qr/\A<!DOCTYPE html>/, 'a page');
    is(open_elements($html =~ s{<script>.*</script>}{}sr), '', 'each element is closed');
    unlike(
        body($html),
        qr/<script|javascript:|\s(?:on[a-z]+|style|src|href)=/i,
        'and nothing that its policy forbids'
    );
};

subtest 'the page has a picture before each table of figures' => sub {
    my $html = body(render('html'));
    is(join(' ', $html =~ m{<figcaption>(.*?)</figcaption>}g), '1 copy 2 copies', 'for each copy count');
    ok(
        index($html, '<svg') > index($html, 'one thing differs')
            && index($html, '<svg') < index($html, '<caption>1 copy'),
        'below what differs, above the figures'
    );
    unlike(render($_), qr/<svg|figcaption/, "and not in $_") for qw(text markdown csv);
};

subtest 'each pair of the page has a heading' => sub {
    my $three =
        runs(map { Runs::compared_run("r$_", { '1 pipe' => [ Runs::steady(1000 + 30 * $_) ] }) } 0 .. 2);
    is(
        join(', ', render(html => $three) =~ m{<h2>(.*?)</h2>}g),
        'B against A, C against A',
        'with the letters of the tables'
    );
};

subtest 'the CSV has a line for every figure' => sub {
    my ($head, @rows) = csv(render('csv'));
    is("@$head", 'a b test copies unit score_a score_b ratio low high p detectable_percent verdict why',
        'head');
    is_deeply(
        [ map { "@$_[0 .. 3]: $_->[12]" } @rows ],
        [
            'old new pipe 1: faster',
            'old new spawn 1: no difference',
            'old new pipe 2: not tested',
            'old new index 1: faster',
            'old new index 2: not tested'
        ],
        'tests and indexes'
    );
    is_deeply([ map { scalar @$_ } @rows ], [ (14) x 5 ], 'fields');
    ok(abs($rows[0][7] - 1.03) < 1e-9, 'the ratio has all its digits');
    is_deeply(
        [ @{ $rows[2] }[ 8 .. 11, 13 ] ],
        [ '', '', '', '', '3 passes, 6 needed' ],
        'what is not known is empty'
    );
};

subtest 'the JSON holds the whole comparison and no code' => sub {
    my $text = render('json');
    unlike($text, qr/CODE|HASH|ARRAY|GLOB/, 'data only');
    my $data = JSON::PP->new->decode($text);
    is_deeply([ sort keys %$data ], [qw(differences fail_on pairs runs status)], 'its parts');
    is_deeply($data->{runs},        [qw(old new)],                               'runs');
    is_deeply($data->{differences}, [ { thing => 'compiler', values => [ 'gcc 12', 'clang 14' ] } ],
        'differences');
    my ($test) = @{ $data->{pairs}[0]{tests} };
    is("$test->{name} $test->{copies} $test->{verdict}", 'pipe 1 faster', 'a test');
    like($text, qr/"$_": -?[\d.]+(?:e-?\d+)?[,\n]/, "$_ is a number") for qw(status ratio p detectable);
};

subtest 'three runs make two parts' => sub {
    my $three = runs(
        map {
            Runs::compared_run(
                "r$_",
                { '1 pipe' => [ Runs::steady(1000 + 30 * $_) ] },
                facts => { 'b flags' => "-O$_" }
            )
        } 0 .. 2
    );
    my $text = render(text => $three);
    like($text, qr/^A is r0, B is r1\n.*^A is r0, C is r2\n/ms, 'each with the first');
    like($text, qr/^  flags +-O0 +-O1 +-O2$/m,                  'facts of all');
    is(scalar(csv(render(csv => $three))), 1 + 2 * 2, 'lines of the CSV');
    render($_, $three) for @FORMATS;
};

subtest 'runs without a common test are reported in every format' => sub {
    my $none =
        runs(Runs::compared_run(a => { '1 pipe' => [1] }), Runs::compared_run(b => { '1 spawn' => [1] }));
    ok(length render($_, $none), $_) for @FORMATS;
    like(render(text => $none), qr/not in b: pipe with 1 copy/,       'what is missing');
    like(render($_   => $none), qr/A and B have no test in common\./, "$_: said in a sentence")
        for qw(text markdown html);
    unlike(render($_ => $none), qr/Holm/, "$_: nothing else is explained") for qw(text markdown html);
};

subtest 'a difference in per cent has a sign and as many digits as help' => sub {
    my %said = (
        1.031   => '+3.1 %',
        0.97    => '-3.0 %',
        1       => '+0.0 %',
        0.99999 => '+0.0 %',
        2       => '+100 %',
        0.5     => '-50 %',
        1.2345  => '+23 %',
        2.005   => '2.00x',
        0.4     => '0.400x',
        999999  => '1000000x',
        1e6     => '1e+06x',
        1e-12   => '1e-12x',
        0       => '0x'
    );
    is(Touchstone::Report::Compare::Verdict::difference($_), $said{$_}, "ratio $_") for sort keys %said;
};

subtest 'limits are said as what they belong to' => sub {
    is(join(' ', map { Touchstone::Report::Compare::Verdict::difference($_, 2.1) } 1.9, 2.3),
        '1.90x 2.30x', 'as factors');
    is(join(' ', map { Touchstone::Report::Compare::Verdict::difference($_, 1.9) } 1.8, 2.1),
        '+80 % +110 %', 'or in per cent');
};

subtest 'ratios without an interval have three decimals, and extreme ones are readable' => sub {
    my $shown = sub {
        my ($ratio, @interval) = @_;
        return join ' ',
            Touchstone::Report::Compare::Verdict::ratio(
            { ratio => $ratio, interval => @interval ? \@interval : undef });
    };
    is($shown->($_->[0]), $_->[1], $_->[1])
        for [ 1, '1.000 ---' ], [ 0.99, '0.990 ---' ], [ 1.0004, '1.000 ---' ], [ 1e-12, '1e-12 ---' ],
        [ 1e58, '1e+58 ---' ], [ undef, '--- ---' ];
    is($shown->(1.03,  1.0275,  1.0325),  '1.0300 1.0275 to 1.0325', 'an interval decides');
    is($shown->(1e-12, 0.9e-12, 1.1e-12), '1e-12 9e-13 to 1.1e-12',  'not of what is next to nothing');
};

subtest 'an index of fewer tests is explained, and only where there is one' => sub {
    my @runs =
        map { Runs::compared_run($_, { '1 pipe' => [ Runs::steady(1000) ], "1 $_" => [ Runs::steady(10) ] }) }
        qw(a b);
    for my $format (qw(text html)) {
        like(render($format, runs(@runs)), qr/index of 1 test\b.*is of those that both runs have/s, $format);
        unlike(render($format), qr/that both runs have/, "$format: all tests");
    }
};

subtest 'a machine compared with itself has a line a test' => sub {
    my $run =
        Runs::record(a => { '1 pipe' => [ map { ($_, $_) } Runs::steady(1000) ], '2 pipe' => [ 1 .. 4 ] });
    my $comparison = Touchstone::Compare::SelfCompare::comparison($run, Touchstone::Score::scores($run));
    my $smallest   = Touchstone::Compare::SelfCompare::smallest($comparison);
    my $text       = Touchstone::Report::Page::text(
        Touchstone::Report::Compare::self_parts(Touchstone::Base::Text::plain_data($comparison), $smallest));
    like($text, qr/^  pipe +\+0\.0 % +0\.24 % +no difference$/m, 'what it can tell');
    like($text, qr/^  pipe × 2 +.* +--- +not tested$/m,          'and what it cannot');
};

# This text is used for everything that a stranger's record can choose.
my $EVIL = qq{<script>alert("1")</script>|=cmd()'\n\e[31m\r\x00&lt;`x`*b*[a](javascript:1)\xff\xe2\x80\xae};

sub evil {
    my @rates  = map { [ Runs::steady($_) ] } 1000, 1030;
    my %change = map { $_ => { title => $EVIL, unit => "=$EVIL" } } "1 $EVIL";
    return runs(
        map {
            Runs::compared_run(
                "$EVIL$_", { "1 $EVIL" => $rates[$_], '1 pipe' => $rates[$_], "1 only$_$EVIL" => [1] },
                note   => $EVIL,
                facts  => { 'b flags' => "=$_$EVIL", 'h name' => "\@$EVIL" },
                change => $_ ? { "1 $EVIL" => { title => $EVIL, unit => "+$EVIL" } } : \%change
            )
        } 0,
        1
    );
}

# Returns a comparison like the hostile one, with harmless names.
sub tame {
    my @rates = map { [ Runs::steady($_) ] } 1000, 1030;
    return runs(
        map {
            Runs::compared_run(
                "r$_", { '1 a' => $rates[$_], '1 pipe' => $rates[$_], "1 only$_" => [1] },
                note   => 'x',
                facts  => { 'b flags' => $_, 'h name' => 'x' },
                change => { '1 a'     => { unit => $_ } }
            )
        } 0,
        1
    );
}

subtest 'no name reaches a report raw' => sub {
    for my $format (@FORMATS) {
        my $text = render($format, evil()) =~ s{<script>'use strict';.*</script>}{}sr;
        unlike($text, qr/[\x00-\x09\x0b-\x1f\x7f]/, "$format: no control character");
        unlike($text, qr/\xe2\x80\xae/, "$format: no letter that turns the line round") if $format ne 'json';
        ok(utf8::decode(my $copy = $text), "$format: valid UTF-8");
    }
};

subtest 'no name makes lines of its own' => sub {
    for my $format (@FORMATS) {
        is(scalar(() = render($format, evil()) =~ /\n/g),
            scalar(() = render($format, tame()) =~ /\n/g), $format);
    }
};

subtest 'no name becomes markup in HTML' => sub {
    my $html = render(html => evil());
    my %names =
        map { $_ => 1 }
        map { m{\A/?([a-z0-9]+)(?: [a-zA-Z-]+="[^"<>]*")*/?\z} ? $1 : "no element: <$_>" }
        body($html) =~ /<([^>]*)>/g;
    delete @names{
        qw(h1 h2 p ul li div table caption thead tbody tr th td figure figcaption svg path text g rect circle
            title)
    };
    is_deeply([ sort keys %names ], [], 'no other element');
    my %attributes = map { $_ => 1 } body($html) =~ / ([a-zA-Z-]+)="[^"<>]*"(?=[^<>]*>)/g;
    delete @attributes{qw(class scope d x y cx cy r width height viewBox role aria-label)};
    is_deeply([ sort keys %attributes ], [], 'and no other attribute');
    is(open_elements($html =~ s{<script>.*</script>}{}sr), '', 'each is closed');
    unlike(
        body($html) =~ s/<[^>]*>//gr,
        qr/["']|&(?!(?:amp|lt|gt|quot|#39);)/,
        'quotes and ampersands are escaped'
    );
};

subtest 'no name becomes a mark in Markdown' => sub {
    my $text  = render(markdown => evil());
    my %width = map { scalar(() = $_ =~ /(?<!\\)(?:\\\\)*\|/g) => 1 } grep { /^\|/ } split /\n/, $text;
    is_deeply([ sort keys %width ], [ 4, 9 ], 'no row has more cells');
    unlike($text,                        qr/(?<!\\)(?:\\\\)*[<`\[]/, 'no element, code or link');
    unlike($text =~ s/^\*\*.*\*\*$//gmr, qr/(?<!\\)(?:\\\\)*\*/,     'nothing is bold');
};

subtest 'no name becomes a field or a formula in CSV' => sub {
    my @rows = csv(render(csv => evil()));
    is_deeply([ map { scalar @$_ } @rows ], [ (14) x @rows ], 'fields of each line');
    is_deeply([ grep { /\A[=+\@\t\r-]/ && !/\A-?[\d.]+(?:e[-+]?\d+)?\z/ } map { @$_ } @rows ],
        [], 'no formula');
};

subtest 'a name that is a formula is kept behind an apostrophe' => sub {
    my %field = (
        '=1+1'    => q{"'=1+1"},
        '+x'      => q{"'+x"},
        '@x'      => q{"'@x"},
        '-x'      => q{"'-x"},
        '-1.5'    => '-1.5',
        'x=1'     => 'x=1',
        'a,b'     => '"a,b"',
        'say "x"' => '"say ""x"""'
    );
    is(Touchstone::Report::Csv::field($_), $field{$_}, $_) for sort keys %field;
};

subtest 'the JSON keeps every name as it is' => sub {
    my $data = JSON::PP->new->utf8->decode(render(json => evil()));
    my $name = $data->{runs}[0];
    like($name, qr/\A\Q<script>alert("1")<\/script>|=cmd()'\E\n\e\[31m\r\x00/, 'also control characters');
};

subtest 'passes that differ beyond measure are no trouble' => sub {
    my @wild = map { 10**$_ } -29, 29, -28, 28, 1, 20;
    for my $case (
        [ \@wild,                  [ reverse @wild ] ],
        [ \@wild,                  [ Runs::steady(1) ] ],
        [ [ Runs::steady(1e-29) ], [ Runs::steady(1e29) ] ]
    ) {
        my $comparison = runs(
            map { Runs::compared_run("r$_", { '1 pipe' => $case->[$_], '1 spawn' => $case->[ 1 - $_ ] }) } 0,
            1
        );
        for my $format (@FORMATS) {
            ok(length render($format, $comparison), $format);
        }
        unlike(render(text => $comparison), qr/nan/i, 'nothing is no number');
    }
};

done_testing;
