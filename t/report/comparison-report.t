# SPDX-License-Identifier: GPL-2.0-or-later
# Report::Compare in all its forms: the place of each part, and the escaping of hostile names.
use 5.014;
use strict;
use warnings;

use JSON::PP ();
use Test::More;

use lib 't/lib';
use NoWarnings;
use Runs;
use Touchstone::Base::Text;
use Touchstone::Compare::SelfCompare;
use Touchstone::Compare;
use Touchstone::Report::Compare;
use Touchstone::Report::Csv;
use Touchstone::Report::Render::Text;

my @FORMATS = qw(text markdown html csv json);

# Returns facts that differ in the compiler only.
sub facts { return { 'h name' => 'vm', 'b compiler_version' => $_[0] } }

sub runs {
    my (@runs) = @_;
    return Touchstone::Compare::compare(runs => \@runs);
}

# Compares runs that a sub makes of these values: it returns what Runs::compared_run takes.
sub made {
    my ($how, @values) = @_;
    return runs(map { Runs::compared_run($how->($_)) } @values);
}

sub pipe_of { my ($rate) = @_; return { '1 pipe' => [ Runs::steady($rate) ] } }

my %TWO = (
    old => [ 1000, [ Runs::steady(2000) ], 'gcc 12' ],
    new => [ 1030, [ 1 .. 3 ],             'clang 14' ]
);

sub two {
    return made(
        sub {
            my ($pipe, $with_two, $compiler) = @{ $TWO{ $_[0] } };
            my %tests = (%{ pipe_of($pipe) }, '1 spawn' => [ Runs::steady(50) ], '2 pipe' => $with_two);
            return ($_[0] => \%tests, facts => facts($compiler));
        },
        qw(old new)
    );
}

sub render {
    my ($format, $comparison) = @_;
    return Touchstone::Report::Compare::render($format, $comparison // two());
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

subtest 'the first line is the answer, with names that tell the runs apart' => sub {
    my $answer =
        'vm with clang 14 is 1.5 % faster than vm with gcc 12 (+1.3 to +1.7 %): system index, 1 copy';
    is((split /\n/, render('text'))[0],                 $answer,     'text');
    is((split /\n/, render('markdown'))[0] =~ s/\\//gr, "# $answer", 'Markdown');
    like(render('html'), qr{<h1>\Q$answer\E</h1>}, 'page');
    like(render('html'), qr{<title>\Q$answer\E },  'and its title');
};

subtest 'a run that is not valid is named first, and nothing is claimed' => sub {
    my @runs = map { Runs::compared_run($_, pipe_of($_ eq 'a' ? 1000 : 1030)) } qw(a b);
    $runs[1]{invalid} = {
        text    => '204 of 206 passes were disturbed',
        remedy  => 'again; the log lists the passes',
        reasons => []
    };
    my @lines = split /\n/, render(text => runs(@runs));
    is($lines[0], 'not valid: b: 204 of 206 passes were disturbed', 'which and why');
    is($lines[1], 'what to do: again',                              'what helps here');
    is(
        $lines[2],
        'inconclusive: b is not valid; b was measured as 3.0 % faster than a (+2.7 to +3.3 %): system index, 1 copy',
        'the rest'
    );
    like(render(html => runs(@runs)), qr{<h1 class="not-valid">Not valid: b: }, 'in colour on a page');
    like(
        render(csv => runs(@runs)),
        qr/\A[^\n]*,valid,[^\n]*\n(?:[^\n]*,no,{8}\n)+\z/,
        'in each line of the CSV'
    );
    is(runs(@runs)->{status}, 125, 'the exit status is neither good nor bad');
    delete $runs[1]{invalid};
    like(render(csv => runs(@runs)), qr/\A[^\n]*\n(?:[^\n]*,yes,{8}\n)+\z/, 'which says yes of valid runs');
    is(runs(@runs)->{status}, 0, 'the exit status is that of the figures then');
};

# Two and more runs of builds for this, with a duet where one is named.
sub built_for {
    my ($duet, @isa) = @_;
    my @runs = map {
        Runs::compared_run(
            "r$_" => pipe_of(1000),
            duet  => $duet,
            facts => { 'h name' => "host$_", defined $isa[$_] ? ('b isa' => $isa[$_]) : () }
        )
    } 0 .. $#isa;
    return runs(@runs);
}

subtest 'builds that are not of one kind are named first, in every form' => sub {
    my $mixed = built_for(undef, 'native', 'baseline');
    my $said  = 'not builds of one kind: host0 (native build), host1 (portable build); '
        . 'compare portable builds with portable builds only';
    my @lines = split /\n/, render(text => $mixed);
    is($lines[0], $said, 'text');
    like($lines[1], qr/\Ano difference: host0 and host1 /, 'and then the answer');
    is((split /\n/, render(markdown => $mixed))[0] =~ s/\\//gr, '# ' . ucfirst $said, 'Markdown');
    like(render(html => $mixed),                 qr{<h1>\Q\u$said\E</h1>}, 'page');
    like((split /\n/, render(csv => $mixed))[1], qr/,native,baseline,/,    'CSV');
    my $data = JSON::PP->new->decode(render(json => $mixed));
    is_deeply([ $data->{unlike}, @{ $data->{isa} } ], [ $said, qw(native baseline) ], 'JSON');
    my @messages = split /\n/, render(github => $mixed);
    is_deeply([ map { /\A::(\w+) / } @messages ], [qw(warning notice)], 'GitHub');
    like($messages[0], qr/::not builds of one kind: /, 'which it says');
    is(
        (map { "@{ $_->{values} }" } grep { $_->{thing} eq 'programs for' } @{ $mixed->{differences} })[0],
        'native baseline',
        'and it is a difference'
    );
};

subtest 'builds of two kinds on one host are told apart by it, before what is not valid' => sub {
    my @runs = map {
        Runs::compared_run(
            $_    => pipe_of(1000),
            facts => { 'h name' => 'vm', 'b isa' => $_, 'b flags' => "-m$_" }
        )
    } qw(native baseline);
    $runs[1]{invalid} = { text => 'all passes were disturbed', remedy => 'again', reasons => [] };
    my @lines = split /\n/, render(text => runs(@runs));
    is(
        $lines[0],
        'not builds of one kind: vm (native build), vm (portable build); '
            . 'compare portable builds with portable builds only',
        'each kind is said once'
    );
    is($lines[1], 'not valid: vm (portable build): all passes were disturbed', 'then what is not valid');
    like(render(html => runs(@runs)), qr{<h1 class="not-valid">Not builds of one kind: }, 'page');
};

subtest 'other builds than portable ones are not told what these need' => sub {
    is(
        built_for(undef, 'native', 'x86-64-v3', 'native')->{unlike},
        'not builds of one kind: host0, host2 (native build), host1 (build for x86-64-v3); '
            . 'compare builds of one kind only',
        'three runs, two kinds'
    );
    like(
        built_for(undef, ('native') x 5, 'baseline')->{unlike},
        qr/: host0, host1, host2 and 2 more \(native build\), host5/,
        'many runs'
    );
};

subtest 'builds of one kind, of which nobody knows, and of a duet are not said to differ' => sub {
    is(built_for(undef, @$_)->{unlike}, undef, join ' and ', map { $_ // 'nothing' } @$_)
        for [qw(native native)], [qw(baseline baseline)], [ 'baseline', undef ], [ 'unknown', 'native' ],
        [ undef, undef ];
    is(built_for('d', 'native', 'baseline')->{unlike}, undef, 'a duet compares builds because they differ');
    unlike(render(text => built_for(undef, undef, 'baseline')), qr/builds of one kind/, 'nor in the text');
};

subtest 'where means differ and scores may not, more rounds help' => sub {
    my @rates = map {
        [ map { 1000 * exp(0.001 * $_) } @$_ ]
    } [ 1, 3, 3, 4, 6, 10, 14, 15 ], [ 10, 11, 12, 12, 15, 20, 22, 24 ];
    my $found = made(sub { ("r$_[0]", { '1 pipe' => $rates[ $_[0] ] }, indexed => []) }, 0, 1);
    my $text  = render(text => $found) =~ s{\s+}{ }gr;
    like($text, qr/the means of the passes differ \(p = 0\.006\), the scores may not/,          'the reason');
    like($text, qr/measure again for longer, with --budget or --precision, on an idle machine/, 'what helps');
};

subtest 'a single difference is the explanation, and stands before the figures' => sub {
    for my $format (qw(text markdown html)) {
        my $text = render($format);
        like($text, qr/One fact differs: compiler\./, "$format: it is said");
        ok(index($text, 'One fact differs') < index($text, 'Test'), "$format: before any table");
        like($text, qr/compiler\W.*gcc 12.*clang 14/, "$format: with both values");
    }
};

subtest 'the number of differences is named, and whether one explains the result' => sub {
    my $found = sub {
        my ($facts, @values) = @_;
        return render(text => made(sub { ("r$_[0]", { '1 pipe' => [1] }, facts => $facts->(@_)) }, @values));
    };
    like(
        $found->(sub { return { 'h name' => "vm$_[0]", 'b compiler_version' => "cc $_[0]" } }, 1, 2),
        qr/^Two facts differ \(machine, compiler\), so the difference cannot be attributed to one of them\.$/m,
        'two'
    );
    like($found->(sub { return {} }, 'a', 'b'),
        qr/^Machines and builds are the same, as far as recorded\.$/m, 'none');
    my $long = $found->(sub { return { 'b flags' => "-f$_[0] " . 'x' x 500 } }, 'a', 'b');
    is(scalar(grep { length > 100 } grep { /x{40}/ } split /\n/, $long), 0, 'a long one is cut in a text');
};

subtest 'tests are listed by their verdict before the tables, the largest difference first' => sub {
    my $text = render('text');
    like(
        $text,
        qr/^  faster \(1\)  pipe \+3\.0 %\n  no difference \(1\)  spawn\n  not tested \(1\)  pipe × 2: 3 passes, 6 needed\n  slower \(0\)  inconclusive \(0\)\n\nWhat to do: /m,
        'with reasons, and what helps'
    );
    ok(index($text, 'faster (1)') < index($text, 'Verdict'), 'before the tables');
    my $found =
        made(sub { ("r$_[0]", { %{ pipe_of($_[0]) }, '1 spawn' => [ Runs::steady($_[0]**2) ] }) }, 10, 11);
    like(render(text => $found), qr/^  faster \(2\)  spawn \+21 %  pipe \+10 %$/m, 'sorted by size');
};

subtest 'a page names the largest differences, and how many more there are' => sub {
    my $found = made(
        sub {
            my ($speed) = @_;
            return ("r$speed", { map { ("1 test$_" => [ Runs::steady($speed) ]) } 1 .. 20 });
        },
        1000,
        1100
    );
    my ($list) = render(html => $found) =~ m{<dt>Faster \(20\)</dt><dd>(.*?)</dd>}s;
    is(scalar(() = $list =~ /test\d+/g), 12, 'twelve are named');
    like($list, qr/and.{1,2}8.{1,2}more\s*\z/, 'and eight more are in the table');
};

subtest 'another copy count has a sentence of its own' => sub {
    like(render('text'), qr/^with 2 copies: not tested \(3 passes, 6 needed\)$/m, 'below the first');
};

# The interval is 2.22814 x 0.001 x sqrt(7 / 6) = 0.24067 % on each side.
subtest 'a row has the difference of speed and its interval' => sub {
    my ($row) = grep { /^  pipe / } split /\n/, render('text');
    like($row, qr/^  pipe +1000 lps +1030 lps +\+3\.0 % +\+2\.7 to \+3\.3 % +faster$/, 'in per cent');
    my ($other) = grep { /^  pipe .* 0\.00/ } split /\n/, render('text');
    like($other, qr/ 0\.001 × +– +not tested$/, 'without an interval there is a dash');
};

subtest 'every table of a text fits 80 columns, and has more where there is room' => sub {
    my @names = map { 'host-' . $_ x 30 } qw(a b);
    my @runs  = map {
        Runs::compared_run(
            $_,
            { '1 a-name-of-18-lette' => [ Runs::steady(123_456_789) ], '1 pipe' => [ Runs::steady(1e6) ] },
            facts => { 'h name' => $_ }
        )
    } @names;
    my $text = render(text => runs(@runs));
    is(scalar(grep { Touchstone::Base::Text::width($_) > 80 } grep { /^  (?!- )/ } split /\n/, $text),
        0, 'no row is longer')
        or diag($text);
    like(
        $text,
        qr/^  A  host-a+\.\.\.a+\n  B  host-b+\.\.\.b+$/m,
        'long names are letters, and are explained'
    );
    unlike($text, qr/Min\. detectable/, 'without what few need');
    my $wide = Touchstone::Report::Compare::render(text => runs(@runs), columns => 180);
    like($wide, qr/^  Test +host-a\S+ +host-b\S+ +Speed +95 % interval +Min\. detectable +Verdict$/m, 'all');
    like($wide, qr/^  pipe +1\.00 M lps /m, 'with units');
    my $narrow = Touchstone::Report::Compare::render(text => runs(@runs), columns => 64);
    like($narrow, qr/^  Test +Speed +95 % interval +Verdict$/m, 'a narrow window has what matters');
};

subtest 'a reader without other signs has ASCII, in columns' => sub {
    my $text = Touchstone::Report::Compare::render(
        text  => made(sub { ("r$_[0]", pipe_of(1000 - $_[0])) }, 0, 40, 1),
        ascii => 1
    );
    unlike($text, qr/[\x80-\xff]/, 'nothing else');
    like($text, qr/^  pipe   1000 lps  -4\.0 % \+-0\.3  -0\.1 % \+-0\.3 =$/m, 'and the columns fit it');
};

subtest 'indexes against two baselines are on two scales, and are not shown beside their ratio' => sub {
    my @runs = map { Runs::compared_run("r$_", pipe_of(1000)) } 0, 1;
    like(render(text => runs(@runs)), qr/^  index +100\S* +100\S* +\+0\.0 % /m, 'those against one are');
    $runs[1]{indexes}{'1 system'}{score} = 10;
    like(render(text => runs(@runs)), qr/^  index +– +– +\+0\.0 % /m, 'those against two are not');
};

subtest 'a score of zero has no ratio' => sub {
    my $zero = made(sub { ($_[0], { '1 pipe' => [ (0) x 6 ] }) }, qw(a b));
    like(render(text => $zero), qr/^  pipe +0\S* lps +0\S* lps +– +– +– +not tested$/m, 'in the table');
    like(render(text => $zero), qr/\Anot tested: a pass without a result: system index, 1 copy$/m,
        'in short');
    is(JSON::PP->new->decode(render(json => $zero))->{pairs}[0]{tests}[0]{ratio}, undef, 'as JSON');
    render($_, $zero) for @FORMATS;
};

subtest 'notes are shown' => sub {
    my $found = made(sub { ($_[0], { '1 pipe' => [1], "1 of$_[0]" => [1] }) }, qw(a b));
    like(render($_, $found), qr/not in b: ofa with 1 copy/, $_) for qw(text markdown html);
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

subtest 'the page has a picture before each table of figures' => sub {
    my $html = body(render('html'));
    is(join(' ', $html =~ m{<figcaption>(.*?)</figcaption>}g), '1 copy 2 copies', 'for each copy count');
    ok(
        index($html, '<svg') > index($html, 'One fact differs')
            && index($html, '<svg') < index($html, '<caption>Scores, 1 copy'),
        'below what differs, above the figures'
    );
    unlike(render($_), qr/<svg|figcaption/, "and not in $_") for qw(text markdown csv);
    my @heads = map {
        [ map { s/<[^>]*>//gr } m{<th scope="col"[^>]*>(.*?)</th>}g ]
    } $html =~ m{<caption>Scores, \d (.*?)</thead>}gs;
    is(
        join("\n", map { join ', ', @$_ } @heads),
        "Test, gcc 12, clang 14, Speed, 95 % interval, Min. detectable, Passes\nTest, gcc 12, clang 14, Speed, Passes",
        'what was not tested has no empty columns'
    );
};

subtest 'three runs have one table, and the pairs of a page are folded below it' => sub {
    my $three = made(sub { ("r$_[0]", pipe_of(1000 + 30 * $_[0])) }, 0, -1, 2);
    my $html  = body(render(html => $three));
    like(
        $html,
        qr{<th scope="col">Test</th><th scope="col" class="more">r0</th><th scope="col">r-1</th><th scope="col">r2</th>},
        'the heads are names'
    );
    like($html, qr{<td class="up4" [^>]*><b>\+6\.0 %</b> <small>±0\.3</small></td>}, 'faster is shaded');
    like(
        $html,
        qr{<td class="down3" [^>]*><b>−3\.0 %</b> <small>±0\.3</small></td>},
        'and so is slower, by size'
    );
    is(
        join(', ', grep { !/columns/ } $html =~ m{<summary>(.*?)</summary>}g),
        'r-1 compared with r0, r2 compared with r0',
        'one fold for each further run'
    );
    ok(index($html, 'grid">') < index($html, 'r-1 compared'), 'below the table');
    ok(index($html, '<svg') > index($html, 'r-1 compared'),   'with the pictures');
};

subtest 'the CSV has a line for every figure' => sub {
    my ($head, @rows) = csv(render('csv'));
    is(
        "@$head",
        'a b test copies unit score_a score_b ratio low high p detectable_percent verdict why valid drift_percent drift_runs isa_a isa_b time_log user_log kernel_log waiting_log',
        'head'
    );
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
    is_deeply([ map { scalar @$_ } @rows ], [ (23) x 5 ], 'fields');
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
    is_deeply(
        [ sort keys %$data ],
        [qw(differences fail_on invalid isa label origins pairs runs status unlike)],
        'its parts'
    );
    is_deeply($data->{runs}, [qw(old new)], 'runs');
    is_deeply($data->{differences}, [ { thing => 'compiler', values => [ 'gcc 12', 'clang 14' ] } ],
        'differences');
    my ($test) = @{ $data->{pairs}[0]{tests} };
    is("$test->{name} $test->{copies} $test->{verdict}", 'pipe 1 faster', 'a test');
    like($text, qr/"$_": -?[\d.]+(?:e-?\d+)?[,\n]/, "$_ is a number") for qw(status ratio p detectable);
};

subtest 'the best of three runs is in the first line' => sub {
    my $three =
        made(sub { ("r$_[0]", pipe_of(1000 + 30 * $_[0]), facts => { 'b flags' => "-O$_[0]" }) }, 0 .. 2);
    my $text = render(text => $three);
    like($text, qr/\Ar2 is 6\.0 % faster than r0 .*\nr1 is 3\.0 % faster than r0 /, 'each with the first');
    like($text, qr/^  pipe +1000 lps +\+3\.0 % ±0\.3 +\+6\.0 % ±0\.3$/m,            'in one row');
    like($text, qr/^  flags +-O0 +-O1 +-O2$/m,                                      'facts of all');
    is(scalar(csv(render(csv => $three))), 1 + 2 * 2, 'lines of the CSV');
    render($_, $three) for @FORMATS;
};

subtest 'runs without a common test are reported in every format' => sub {
    my %test = (a => 'pipe', b => 'spawn');
    my $none = made(sub { ($_[0], { "1 $test{ $_[0] }" => [1] }) }, qw(a b));
    ok(length render($_, $none), $_) for @FORMATS;
    like(render(text => $none), qr/not in b: pipe with 1 copy/,     'what is missing');
    like(render($_   => $none), qr/a and b have no test in common/, "$_: said in a sentence")
        for qw(text markdown html);
    unlike(render($_ => $none), qr/Holm/, "$_: nothing else is explained") for qw(text markdown html);
};

subtest 'runs that have verdicts alone in common are not said to have nothing' => sub {
    my @runs    = map { +{ %{ Runs::compared_run($_ => {}) }, judged => { 'truth-exit' => 1 } } } qw(a b);
    my $verdict = qr/a and b have only verdicts in common, which are not compared/;
    like(render($_ => runs(@runs)), $verdict, "$_: said in a sentence") for qw(text markdown html);
    delete $runs[1]{judged};
    like(render(text => runs(@runs)), qr/have no test in common/, 'but one run alone has none in common');
};

subtest 'a difference in per cent has a sign and as many digits as help' => sub {
    #<<<
    my %said = (
        1.031 => '+3.1 %', 0.97 => '−3.0 %', 1 => '+0.0 %', 0.99999 => '+0.0 %', 2 => '+100 %',
        0.5 => '−50 %', 1.2345 => '+23 %', 2.005 => '2.00 ×', 0.4 => '0.400 ×',
        999999 => '1000000 ×', 1e6 => '1e+06 ×', 1e-12 => '1e-12 ×', 0 => '0 ×'
    );
    #>>>
    is(Touchstone::Report::Compare::Verdict::difference($_), $said{$_}, "ratio $_") for sort keys %said;
};

subtest 'limits are said as what they belong to' => sub {
    my $limits = \&Touchstone::Report::Compare::Verdict::limits;
    is($limits->(2.1,   [ 1.9,   2.3 ]),   '1.90 to 2.30 ×',   'as factors');
    is($limits->(1.9,   [ 1.8,   2.1 ]),   '+80 to +110 %',    'or in per cent');
    is($limits->(1.21,  [ 1.209, 1.211 ]), '+20.9 to +21.1 %', 'with digits that tell them apart');
    is($limits->(1.002, [ 0.8,   1.25 ]),  '−20 to +25 %',     'and with few where they are far apart');
    is($limits->(1.03,  undef), "\xe2\x80\x93", 'without an interval a dash');
    my $half = \&Touchstone::Report::Compare::Verdict::half;
    is(join(' ', $half->(1.13, [ 1.121, 1.139 ]), $half->(3, [ 2.95, 3.05 ]), $half->(1, undef)),
        '±0.9 ±0.05 ', 'half of it is said in the same way');
};

subtest 'an index of fewer tests is explained, and only where there is one' => sub {
    my $found = made(sub { ($_[0], { %{ pipe_of(1000) }, "1 $_[0]" => [ Runs::steady(10) ] }) }, qw(a b));
    for my $format (qw(text html)) {
        like(render($format, $found), qr/index of 1 test\b.*covers those that both runs have/s, $format);
        unlike(render($format), qr/that both runs have/, "$format: all tests");
    }
};

subtest 'a machine compared with itself has a line a test' => sub {
    my $run =
        Runs::record(a => { '1 pipe' => [ map { ($_, $_) } Runs::steady(1000) ], '2 pipe' => [ 1 .. 4 ] });
    my $comparison = Touchstone::Compare::SelfCompare::comparison($run, Touchstone::Score::scores($run));
    my $smallest   = Touchstone::Compare::SelfCompare::smallest($comparison);
    my $text       = Touchstone::Report::Render::Text::render(
        Touchstone::Report::Compare::self_parts(Touchstone::Base::Text::plain_data($comparison), $smallest));
    is(
        (split /\n/, $text)[0],
        'This machine can detect differences of 0.29 % in its index',
        'the answer first'
    );
    my $part = Touchstone::Base::Text::plain_data($comparison);
    $_->{name} = 'partial index' for @{ $part->{pairs}[0]{indexes} };
    like(
        Touchstone::Report::Render::Text::render(Touchstone::Report::Compare::self_parts($part, $smallest)),
        qr/\AThis machine .* 0\.29 % in its partial index$/m,
        'of a part of the index it says so'
    );
    like($text, qr/^  pipe +\+0\.0 % +0\.29 % +no difference$/m, 'what it can tell');
    like($text, qr/^  pipe × 2 +.* +– +not tested$/m,            'and what it cannot');
};

# This text is used for everything that a stranger's record can choose.
my $EVIL = qq{<script>alert("1")</script>|=cmd()'\n\e[31m\r\x00&lt;`x`*b*[a](javascript:1)\xff\xe2\x80\xae};

sub evil { return strange($EVIL, '=', '@') }

# Returns a comparison like the hostile one, with harmless names.
sub tame {
    return strange('x' x Touchstone::Base::Text::width(Touchstone::Base::Text::plain($EVIL)), '', '');
}

sub strange {
    my ($name, $formula, $at) = @_;
    return made(
        sub {
            my ($i) = @_;
            my @rates = Runs::steady(1000 + 30 * $i);
            my %own =
                (unit => $formula ? ($i ? '+' : '=') . $name : "$i$name", $formula ? (title => $name) : ());
            return (
                "$name$i", { "1 $name" => \@rates, '1 pipe' => \@rates, "1 only$i$name" => [1] },
                note   => $name,
                facts  => { 'b flags' => "=$i$name", 'h name' => "$at$name" },
                change => { "1 $name" => \%own }
            );
        },
        0,
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
        map { m{\A/?([a-z0-9]+)(?: [a-zA-Z0-9-]+="[^"<>]*")*/?\z} ? $1 : "no element: <$_>" }
        body($html) =~ /<([^>]*)>/g;
    delete @names{
        qw(h1 h2 p ul li div table caption thead tbody tr th td figure figcaption svg path text g rect circle
            line             span title dl dt dd details summary)
    };
    is_deeply([ sort keys %names ], [], 'no other element');
    my %attributes = map { $_ => 1 } body($html) =~ / ([a-zA-Z0-9-]+)="[^"<>]*"(?=[^<>]*>)/g;
    delete @attributes{
        qw(class scope d x y x1 x2 y1 y2 cx cy r width height viewBox role aria-label aria-hidden overflow
            title data-key)
    };
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
    is_deeply([ sort keys %width ], [ 4, 8 ], 'no row has more cells');
    unlike($text,                        qr/(?<!\\)(?:\\\\)*[<`\[]/, 'no element, code or link');
    unlike($text =~ s/^\*\*.*\*\*$//gmr, qr/(?<!\\)(?:\\\\)*\*/,     'nothing is bold');
};

subtest 'no name becomes a field or a formula in CSV' => sub {
    my @rows = csv(render(csv => evil()));
    is_deeply([ map { scalar @$_ } @rows ], [ (23) x @rows ], 'fields of each line');
    is_deeply([ grep { /\A[=+\@\t\r-]/ && !/\A-?[\d.]+(?:e[-+]?\d+)?\z/ } map { @$_ } @rows ],
        [], 'no formula');
};

subtest 'a name that is a formula is kept behind an apostrophe' => sub {
    #<<<
    my %field = (
        '=1+1' => q{"'=1+1"}, '+x' => q{"'+x"}, '@x' => q{"'@x"}, '-x' => q{"'-x"}, '-1.5' => '-1.5',
        'x=1' => 'x=1', 'a,b' => '"a,b"', 'say "x"' => '"say ""x"""'
    );
    #>>>
    is(Touchstone::Report::Csv::field($_), $field{$_}, $_) for sort keys %field;
};

subtest 'the JSON keeps every name as it is' => sub {
    my $data = JSON::PP->new->utf8->decode(render(json => evil()));
    my $name = $data->{runs}[0];
    like($name, qr/\A\Q<script>alert("1")<\/script>|=cmd()'\E\n\e\[31m\r\x00/, 'also control characters');
};

subtest 'every verdict has its word, and those of comparisons an order' => sub {
    my @verdicts = (
        $Touchstone::Compare::SLOWER,  $Touchstone::Compare::FASTER,   $Touchstone::Compare::SAME,
        $Touchstone::Compare::UNKNOWN, $Touchstone::Compare::UNTESTED, $Touchstone::Compare::UNLIKE
    );
    is_deeply([ Touchstone::Report::Verdict::order() ], \@verdicts, 'what matters most comes first');
    is(Touchstone::Report::Verdict::word($_), $_, $_) for @verdicts, 'a word of a stranger';
    is(
        join(' ', grep { Touchstone::Report::Verdict::is_clear($_) } @verdicts),
        'slower faster',
        'significant'
    );
    is_deeply(
        { Touchstone::Report::Verdict::coloured_words() },
        { slower => 'bad', faster => 'good', 'not valid' => 'bad' },
        'colours of a terminal'
    );
};

subtest 'passes that differ beyond measure are no trouble' => sub {
    my @wild = map { 10**$_ } -29, 29, -28, 28, 1, 20;
    for my $case (
        [ \@wild,                  [ reverse @wild ] ],
        [ \@wild,                  [ Runs::steady(1) ] ],
        [ [ Runs::steady(1e-29) ], [ Runs::steady(1e29) ] ]
    ) {
        my $comparison =
            made(sub { ("r$_[0]", { '1 pipe' => $case->[ $_[0] ], '1 spawn' => $case->[ 1 - $_[0] ] }) },
            0, 1);
        ok(length render($_, $comparison), $_) for @FORMATS;
        unlike(render(text => $comparison), qr/nan/i, 'nothing is no number');
    }
};

done_testing;
