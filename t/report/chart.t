# SPDX-License-Identifier: GPL-2.0-or-later
# Report::Plot::Chart and its pictures in Report::Render: the places of marks and names, and the escaping of
# hostile names.
use 5.014;
use strict;
use warnings;

use List::Util qw(max);
use Test::More;

use lib 't/lib';
use NoWarnings;
use Touchstone::Report::Plot::Chart;
use Touchstone::Report::Render::Html;
use Touchstone::Report::Render::Markdown;
use Touchstone::Report::Render::Text;

sub chart_of {
    my (@lines) = @_;
    return { title => 'Shells', x => 'concurrent shells', y => 'seconds', lines => [@lines] };
}

sub line {
    my ($name, @y) = @_;
    return { name => $name, points => [ map { [ $_, $y[ $_ - 1 ] ] } 1 .. @y ] };
}

# Returns all matches of a pattern in an SVG.
sub all_of { my ($pattern, $svg) = @_; my @found = $svg =~ /$pattern/g; return @found }

# Tests that every tag is closed, in order.
sub is_closed {
    my ($markup, $name) = @_;
    my @open;
    for my $tag ($markup =~ m{<(/?[a-z0-9]+[^>]*?/?)>}g) {
        next if $tag =~ m{/\z};
        if ($tag =~ m{\A/(.*)}) { return fail($name) if !@open || pop(@open) ne $1 }
        else                    { push @open, $tag =~ /\A([a-z0-9]+)/ }
    }
    return is("@open", '', $name);
}

my $HOSTILE = qq{<script>alert("1")</script>&'`*|};

subtest 'digits stand where their time is on the scale' => sub {
    my ($title, $empty, $scale, $line, $other) = Touchstone::Report::Plot::Chart::text(
        chart_of(line('one', 0.001, 0.01, 0.1, 1, 10, 100), line('twins', 1, 1, 1, 10)));
    is("$title$empty", 'Shells', 'the title');
    like($scale, qr/\A  seconds  0\.001 +0\.01 +0\.1 +1 +10 +100\z/, 'a label for each power of ten');
    for my $power (-3 .. 2) {
        my $label = (qw(0.001 0.01 0.1 1 10 100))[ $power + 3 ];
        $scale =~ /(?<!\S)\Q$label\E(?!\S)/;
        is(substr($line, $-[0], 1), $power + 4, "$label stands above");
    }
    my ($one) = $scale =~ /\A(.*?)1(?!\S)(?<= 1)/;
    is(substr($other, 0, length $one), '  twins  ' . ' ' x (length($one) - 9), 'nothing before');
    is(substr($other, length $one) =~ s/ +/ /r,
        '123 4', 'digits that fall on one place stand one behind the other');
};

subtest 'no digit of a line is lost, whatever falls on its place' => sub {
    my $text   = sub { return Touchstone::Report::Plot::Chart::text(chart_of(line('far', 0.001, 1000), @_)) };
    my $digits = sub { return ($text->(line('this', @_)))[4] =~ s/\A  this +//r };
    is($digits->(0.018, 0.028, 0.045, 0.0424, 0.046, 0.078), '1 2 4356', 'in the order of their times');
    is($digits->((1000) x 6),                                '123456',   'at the end of the scale');
    my @text = $text->(line('this', (1000) x 6));
    cmp_ok(max(map { length } @text), '<=', 80, 'none is beyond the last column');
    my $legend = 'each digit: the time with that number of concurrent shells';
    is("$text[-2]; $text[-1]", "$legend; a digit that falls on another stands behind it", 'which is said');
    is(($text->())[-1],        $legend,                                                   'where it is so');
    my $many = { name => 'many', points => [ map { [ $_, 5 ] } 10 .. 300 ] };
    like(($text->($many))[4], qr/\A  many +\*\z/, 'counts without a digit of their own share a star');
};

subtest 'no line of text is wider than 80 columns' => sub {
    for my $lines (
        [ line('x' x 200, 1,     2) ],
        [ line('a',       1e-15, 1e15) ],
        [ line('a',       99,    100, 999.9999, 1000) ],
        [ line('a',       5) ],
        [ map { line("n$_" x 20, $_) } 1 .. 20 ]
    ) {
        cmp_ok(
            max(map { length } Touchstone::Report::Plot::Chart::text(chart_of(@$lines))),
            '<=', 80, substr $lines->[0]{name},
            0,    9
        );
    }
};

subtest 'odd points are left out, and lines without a point are named' => sub {
    my @odd = (0, -1, undef, 'x', '', 9**9**9, -9**9**9, -sin 9**9**9, 1e300, 1e-300);
    for my $chart (
        chart_of(),
        chart_of(line('none')),
        chart_of(line('odd', @odd)),
        chart_of({ name => 'x', points => [ [ 'x', 1 ], [ undef, 1 ], [ 9**9**9, 1 ] ] })
    ) {
        my @text = Touchstone::Report::Plot::Chart::text($chart);
        unlike("@text",                                      qr/\d/,   'no scale');
        unlike(Touchstone::Report::Plot::Chart::svg($chart), qr/<svg/, 'no picture');
    }
    my $chart = chart_of(
        line('odd', @odd),
        line('Omnibyte'),
        line('odd', @odd, 3),
        { name => 'y', points => [ [ 2.5, 4 ], [ -1, 5 ], [ 12, 6 ] ] }
    );
    like(
        (Touchstone::Report::Plot::Chart::text($chart))[-1],
        qr/\Ano figures: odd, Omnibyte\z/,
        'in the text'
    );
    like(
        Touchstone::Report::Plot::Chart::svg($chart),
        qr{</figure>\n<p>No figures: odd, Omnibyte</p>\n\z},
        'and on the page'
    );
    unlike(Touchstone::Report::Plot::Chart::svg($chart), qr/nan|inf|e[+-]\d\d/i, 'no number that is none');
};

subtest 'the picture has a line a machine, this one last and thick' => sub {
    my $svg = Touchstone::Report::Plot::Chart::svg(
        chart_of({ %{ line('mine', 0.002, 0.003, 0.004) }, this => 1 }, line('VAX', 4, 5, 6), line('one', 7))
    );
    is_closed($svg, 'every tag is closed');
    is(join(' ', all_of(qr{<title>(.*?)</title>}, $svg)), 'VAX one mine', 'this machine over the others');
    my ($mine) = $svg =~ m{<title>mine</title>(.*)}s;
    like($mine, qr/<path class="line" /, 'thick');
    unlike($svg =~ s{<title>mine.*}{}sr, qr/class="(?:line|mark|bold)"/, 'and it alone');
    is(scalar(all_of(qr/<circle class="mark"/, $mine)), 3, 'a dot at each point');
    unlike($svg, qr/ style=| on\w+=/, 'looks are classes, which a page allows');
    like($svg, qr/<svg aria-label="Shells" [^>]*role="img"/, 'said to those who cannot see it');
    like($svg, qr/<svg [^>]*viewBox="0 0 900 \d+"/,          'it scales');
    is(
        join(' ', all_of(qr{>([\d.]+)</text>}, $svg)),
        '0.001 0.01 0.1 1 10 1 2 3',
        'decades, and what is counted'
    );
    unlike(
        $svg,
        qr/script|href|url|#[0-9a-f]{3}(?![^(]*\))/,
        'nothing from elsewhere, no colour that is not the page\'s'
    );
};

subtest 'names do not overlap' => sub {
    my @crowds = (
        [ map { line("n$_", 1, 5) } 1 .. 16 ],
        [ map { line("n$_", 1, $_ < 9 ? 100 : 0.01) } 1 .. 16 ],
        [ map { line("n$_", 2**-$_) } 1 .. 16 ],
        [ map { line("n$_", 1, 5 + $_) } 1 .. 200 ]
    );
    for my $crowd (@crowds) {
        my $svg      = Touchstone::Report::Plot::Chart::svg(chart_of(@$crowd));
        my ($height) = $svg =~ /viewBox="0 0 900 (\d+)"/;
        my @y        = sort { $a <=> $b } all_of(qr/<text class="dim" x="717" y="([\d.]+)"/, $svg);
        is(scalar(@y),                                             scalar(@$crowd), 'every name is there');
        is(scalar(grep { $y[$_] - $y[ $_ - 1 ] < 15.8 } 1 .. $#y), 0,               'apart from each other');
        ok($y[0] > 10 && $y[-1] < $height, 'within the picture');
    }
};

subtest 'a page of each kind has the chart' => sub {
    my @parts = ([ heading => 'H <1>' ], [ chart => chart_of(line('VAX', 1, 2)) ]);
    like(Touchstone::Report::Render::Text::render(@parts),
        qr/\AH <1>\n=====\n\nShells\n\n  seconds  1/, 'text');
    like(
        Touchstone::Report::Render::Markdown::render(@parts),
        qr/^\*\*Shells\*\*\n\n```\n  seconds  1.*?\n  VAX .*\n```\n\z/ms,
        'Markdown: a block of code'
    );
    like(
        Touchstone::Report::Render::Html::document('T', \@parts),
        qr{<h1>H &lt;1&gt;</h1>\n<figure.*</figure>}s,
        'a page'
    );
    my $fragment = Touchstone::Report::Render::Html::fragment(@parts);
    like(
        $fragment,
        qr{\A<h2>H &lt;1&gt;</h2>\n<figure.*</figure>\n\n\z}s,
        'a fragment: nothing around it, headings below that of the page'
    );
    is_closed($fragment, 'every tag is closed');
};

subtest 'names that mean harm do none' => sub {
    my $chart = {
        title => $HOSTILE,
        x     => $HOSTILE,
        y     => $HOSTILE,
        lines => [ line($HOSTILE, 1, 2), line('````', 3), line($HOSTILE) ]
    };
    my $svg = Touchstone::Report::Plot::Chart::svg($chart);
    unlike($svg, qr/<script|"1"/, 'escaped');
    is_closed($svg, 'every tag is closed');
    my $markdown = Touchstone::Report::Render::Markdown::render([ chart => $chart ]);
    like($markdown, qr/\A\*\*\\<script\\>/,     'marked outside the block');
    like($markdown, qr/^`````\n.*^`````\n\z/ms, 'and none can end the block');
};

done_testing;
