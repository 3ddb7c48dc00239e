#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# Report::Document: what its parts become in each form, and that no text of a stranger is markup.
use 5.014;
use strict;
use warnings;

use Test::More;

use lib 't/lib';
use NoWarnings;
use Touchstone::Base::Symbols qw($DASH);
use Touchstone::Report::Document qw(number plain);
use Touchstone::Report::Render::Html;
use Touchstone::Report::Render::Markdown;
use Touchstone::Report::Render::Text;

my %RENDER = (
    text     => \&Touchstone::Report::Render::Text::render,
    markdown => \&Touchstone::Report::Render::Markdown::render,
    html     => \&Touchstone::Report::Render::Html::fragment
);

# Tests what parts become in the forms that are named.
sub becomes {
    my ($what, $parts, %want) = @_;
    is($RENDER{$_}->(@$parts), $want{$_}, "$what: $_") for sort keys %want;
    return;
}

subtest 'a text has spans, which only a page shows' => sub {
    my $text = [
        'from ',
        { %{ number('29300000') }, as => 'b' },
        { break                       => '; ' },
        { text                        => 'a & b', class => 'bad', title => q(it's) },
        ' ',
        { text => 'web <1>', link => '#g1', class => 'target' },
        ' ',
        { text    => [ 'x ', { text => 'y z', as => 'small' } ], unbroken => 1 },
        { picture => '<svg/>' }
    ];
    is(plain($text), 'from 29300000; a & b web <1> x y z', 'without them');
    becomes(
        'a paragraph',
        [ [ text => { text => $text, class => 'dim' } ] ],
        text => "from 29300000; a & b web <1> x y z\n",
        html => '<p class="dim">from <b>29&#8239;300&#8239;000</b><br>'
            . '<span class="bad" title="it&#39;s">a &amp; b</span> '
            . '<a class="target" href="#g1">web &lt;1&gt;</a> x&#160;<small>y&#160;z</small><svg/>'
            . "</p>\n"
    );
    becomes('a heading of a page', [ [ heading => { text => 'A', level => 1 } ] ], html => "<h1>A</h1>\n");
    becomes(
        'a heading', [ [ heading => { text => 'Bad', class => 'alarm' } ] ],
        text     => "Bad\n===\n",
        markdown => "# Bad\n",
        html     => qq{<h2 class="alarm">Bad</h2>\n}
    );
};

subtest 'sections, blocks and folds are levels of a page, and nothing elsewhere' => sub {
    my @parts = (
        [
            section => { id => 's', title => 'One' },
            [ block => { class => 'case' }, [ heading => 'Two' ], [ points => 'p' ] ],
            [ fold  => 'more', [ text => 'q' ] ]
        ]
    );
    becomes(
        'one', \@parts,
        text     => "One\n===\n\nTwo\n===\n\n  - p\n\nq\n",
        markdown => "# One\n\n# Two\n\n- p\n\nq\n",
        html     =>
            qq{<section id="s">\n<h2>One</h2>\n<div class="case">\n<h3>Two</h3>\n<ul>\n<li>p</li>\n</ul>\n}
            . "</div>\n<details>\n<summary>more</summary>\n<p>q</p>\n</details>\n</section>\n"
    );
    like(
        Touchstone::Report::Render::Html::document('T', \@parts),
        qr{<title>T</title>.*<h1>One</h1>.*<h2>Two</h2>}s,
        'in a page of its own they are one level higher'
    );
    becomes(
        'a heading of the page, and a fold that is open',
        [
            [ heading => { text => 'H', level => 1 } ],
            [
                fold => { text => 'F', class => 'says', open => 1 },
                [ text => [ 'x', { text => 'Open', opens => 'details.f' } ] ]
            ]
        ],
        text => "H\n=\n\nx\n",
        html => qq{<h1>H</h1>\n<details class="says" open>\n<summary>F</summary>\n}
            . qq{<p>x<button type="button" hidden data-opens="details.f">Open</button></p>\n</details>\n}
    );
};

subtest 'parts may be for some forms only' => sub {
    my @parts = ([ in => [qw(text markdown)], [ text => 'short' ] ], [ in => ['html'], [ text => 'long' ] ]);
    becomes('one', \@parts, text => "short\n", markdown => "short\n", html => "<p>long</p>\n");
    my $name = { text => 'a long name', brief => 'name' };
    becomes(
        'a brief text',
        [ [ points => $name ], [ table => { head => [ 'x', $name ], rows => [ [ $name, 1 ] ] } ] ],
        text     => "  - name\n\n  x     name\n  name     1\n",
        markdown => "- name\n\n| x | name |\n|---|---:|\n| name | 1 |\n",
        html     => $RENDER{html}->(
            [ points => 'a long name' ],
            [ table  => { head => [ 'x', 'a long name' ], rows => [ [ 'a long name', 1 ] ] } ]
        )
    );
    becomes(
        'a title for pages', [ [ section => { description => 'One' }, [ heading => 'Two' ] ] ],
        text => "Two\n===\n",
        html => "<section>\n<h2>One</h2>\n<h3>Two</h3>\n</section>\n"
    );
    becomes(
        'lists, terms and pictures',
        [
            [
                list => { class => 'tally' },
                { text => '1', class => 'is-bad' }, { parts => [ [ text => 'x' ] ] }
            ],
            [ list    => { label => 'Groups' },                  'a' ],
            [ terms   => [ 'T', { text => 'D', class => 'd' } ], [ 'U', { parts => [ [ text => 'y' ] ] } ] ],
            [ picture => '<svg></svg>' ]
        ],
        text => '',
        html => qq{<ul class="tally">\n<li class="is-bad">1</li>\n<li>\n<p>x</p>\n</li>\n</ul>\n}
            . qq{<nav aria-label="Groups">\n<ul>\n<li>a</li>\n</ul>\n</nav>\n}
            . qq{<dl>\n<dt>T</dt><dd class="d">D</dd>\n<dt>U</dt><dd>\n<p>y</p>\n</dd>\n</dl>\n<svg></svg>\n}
    );
    becomes(
        'a command', [ [ command => "./Run 'a<b'" ] ],
        text     => "  ./Run 'a<b'\n",
        markdown => "```\n./Run 'a<b'\n```\n",
        html     => qq{<pre class="command"><code>./Run &#39;a&lt;b&#39;</code></pre>\n}
    );
};

subtest 'the columns of a table are data: each form has those that it can show' => sub {
    my @rows    = map { { name => $_->[0], score => $_->[1] } } [ 'a|b', 1200000 ], [ 'c', 7 ];
    my %columns = (
        name  => { title => 'Test', cell => sub { $_[0]{name} }, foot => sub { 'all' } },
        score => {
            title => 'Score',
            cell  => sub { { text => { text => $_[0]{score}, number => 1 }, key => $_[0]{score} } },
            more  => 1
        },
        strip => { title => 'Strip', in    => ['html'], cell => sub { { picture => '<svg/>' } }, left => 1 },
        none  => { title => 'None',  spare => 1, cell => sub { $DASH } },
        never => {
            title => 'Never',
            if    => sub {
                grep { $_->{score} < 0 } @_;
            },
            cell => sub { die }
        }
    );
    my @columns = @columns{qw(name strip score none never)};
    becomes(
        'a table',
        [
            [
                table => {
                    caption => 'C',
                    columns => \@columns,
                    rows    => \@rows,
                    foot    => [ {} ],
                    class   => 'pinned'
                }
            ]
        ],
        text     => "C\n\n  Test    Score\n  a|b   1200000\n  c           7\n  all\n",
        markdown => "**C**\n\n| Test | Score |\n|---|---:|\n| a\\|b | 1200000 |\n| c | 7 |\n| all |  |\n",
        html     => qq{<details class="columns narrow"><summary>More columns</summary></details>\n}
            . qq{<div class="scroll"><table class="pinned">\n<caption>C</caption>\n}
            . q{<thead><tr><th scope="col">Test</th><th scope="col" class="left">Strip</th>}
            . qq{<th scope="col" class="more">Score</th></tr>\n</thead>\n<tbody>\n}
            . q{<tr><th scope="row">a|b</th><td class="left"><svg/></td>}
            . qq{<td class="more" data-key="1200000">1&#8239;200&#8239;000</td></tr>\n}
            . q{<tr><th scope="row">c</th><td class="left"><svg/></td>}
            . qq{<td class="more" data-key="7">7</td></tr>\n</tbody>\n}
            . q{<tfoot><tr><th scope="row">all</th><td></td><td class="more"></td></tr>}
            . "\n</tfoot>\n</table></div>\n\n"
    );
    my @grouped = ({ group => 'G' }, $rows[1], { gap => '(5 more)' });
    becomes(
        'groups and gaps',
        [ [ table => { columns => [ @columns{qw(name score)} ], rows => \@grouped } ] ],
        text => "  Test      Score\n  c             7\n  (5 more)    ...\n",
        html => $RENDER{html}->([ table => { columns => [ @columns{qw(name score)} ], rows => \@grouped } ])
    );
    like(
        $RENDER{html}->([ table => { columns => [ @columns{qw(name score)} ], rows => \@grouped } ]),
        qr{<tr class="group"><th scope="rowgroup" colspan="2">G</th>.*<tr class="group"><th [^>]*>\(5 more\)</th>}s,
        'on a page'
    );
};

subtest 'scripts find data, lists that open and landmarks' => sub {
    my @parts = (
        [
            block => { as => 'nav', class => 'screen', data => { b => '"', a => 1, c => undef } },
            [ text => { text => 'web1', id => 'r0', data => { score => 1 } } ]
        ],
        [ text => [ 'now ', { fold => '2 more', points => [ 'a&b', 'c' ] } ] ],
        [ in   => ['html'], sub { return [ picture => '<svg/>' ] } ],
        [ in   => ['none'], sub { die 'nobody needs it' } ]
    );
    becomes(
        'one', \@parts,
        text => "web1\n\nnow 2 more\n",
        html =>
            qq{<nav class="screen" data-a="1" data-b="&quot;">\n<p id="r0" data-score="1">web1</p>\n</nav>\n}
            . q{<p>now <details><summary>2 more</summary><ul><li>a&amp;b</li><li>c</li></ul></details></p>}
            . "\n<svg/>\n"
    );
};

subtest 'cells may have classes and tips of their own' => sub {
    like(
        $RENDER{html}->(
            [
                table => {
                    head => [ 'A', 'B' ],
                    rows => [ [ 'x', { text => '<b>', class => 'up1', title => '"' } ] ]
                }
            ]
        ),
        qr{<td class="up1" title="&quot;">&lt;b&gt;</td>},
        'escaped'
    );
};

done_testing;
