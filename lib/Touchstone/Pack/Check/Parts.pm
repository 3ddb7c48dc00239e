# SPDX-License-Identifier: GPL-2.0-or-later
# Pack::Check::Parts - a check as a document: for a forum, and as a card that is one page.
package Touchstone::Pack::Check::Parts;
use 5.014;
use strict;
use warnings;

use List::Util qw(max min);

use Touchstone::Base::Figure qw(plus_minus);
use Touchstone::Base::Symbols qw($DASH);
use Touchstone::Base::Time qw(date duration);
use Touchstone::Pack::Check::Screen;
use Touchstone::Report::Plot qw(bars element);

my $CSS = <<'CSS';
main.check, main { max-width: 46rem; margin: 0 auto; }
.quote { font-size: 1.3rem; font-weight: 600; border-left: 4px solid var(--accent); padding: .5rem 0 .5rem .8rem; margin: 1rem 0; }
.found li { color: var(--bad); font-weight: 600; }
table.check { width: 100%; }
table.check td:nth-child(4), table.check th:nth-child(4) { width: 30%; min-width: 5rem; }
table.check .full { fill: var(--accent); }
table.check .rest { fill: var(--line); display: inline; }
table.check .half { stroke: var(--ink); stroke-width: 1; }
.probes .good, .probes .bad { font-weight: 600; }
@media (max-width: 40rem) { table.check th, table.check td { padding: .2rem .3rem; font-size: .85rem; } table.check th:first-child { min-width: 0; } }
CSS

# The height of a bar and of its lines.
my ($HEIGHT, $THICK) = (16, 8);

# Powers of two from the reference to each end of a bar.
my $REACH = 3;

sub document {
    my ($result) = @_;
    my $title = "Touchstone check $result->{version}: $result->{name}";
    return {
        title => $title,
        style => $CSS,
        level => 2,
        parts => [ [ heading => { text => $title, level => 1 } ], _parts($result) ]
    };
}

sub _parts {
    my ($result) = @_;
    my @found =
        (Touchstone::Pack::Check::Screen::missing($result), map { $_->{text} } @{ $result->{verdicts} });
    my $place = Touchstone::Pack::Check::Screen::place($result);
    return (
        [ text => { text => _when($result), class => 'when' } ],
        [ in   => 'page',  [ text => { text => $result->{quote}, class => 'quote' } ] ],
        [ in   => 'plain', [ text => $result->{quote} ] ],
        (@found ? [ block => { class => 'found' }, [ points => @found ] ] : ()),
        _table($result),
        (defined $place ? [ text => 'Place: ' . $place . '.' ] : ()),
        _probes($result),
        [ heading => 'Machine' ],
        [ in      => 'page',  [ terms  => map { [ $_->[0], $_->[1] ] } @{ $result->{machine} } ] ],
        [ in      => 'plain', [ points => map { "$_->[0]: $_->[1]" } @{ $result->{machine} } ] ],
    );
}

sub _when {
    my ($result) = @_;
    return join ', ', date('%Y-%m-%d %H:%M', @$result{qw(started utc_offset)}),
        (defined $result->{seconds} ? 'measured in ' . duration($result->{seconds}) : ()),
        "Touchstone $result->{tool}";
}

sub _table {
    my ($result) = @_;
    return if !@{ $result->{figures} };
    return [
        table => {
            class   => 'check',
            caption => 'Figures',
            columns => [
                { title => 'Figure', cell => sub { $_[0]{label} } },
                { title => 'Result', cell => sub { $_[0]{text} } },
                {
                    title => '95 %',
                    cell  => sub { defined $_[0]{precision} ? plus_minus($_[0]{precision}) : $DASH }
                },
                {
                    title => 'Against the reference',
                    in    => 'page',
                    left  => 1,
                    cell  => sub { [ { picture => _bar($_[0]) } ] }
                },
                { title => 'Note', in => 'plain', left => 1, cell => sub { $_[0]{note} // '' } }
            ],
            rows => $result->{figures}
        }
    ];
}

# The reference is the line in the middle.
sub _bar {
    my ($figure) = @_;
    my $strength = Touchstone::Pack::Check::Screen::strength($figure);
    return '' if !defined $strength;
    my $width = max(1, min(100, 50 + 50 * $strength / $REACH));
    my $top   = ($HEIGHT - $THICK) / 2;
    return bars(
        $HEIGHT,
        element(rect => { class => 'rest', x => 0, y => $top, width => '100%', height => $THICK, rx => 2 }),
        element(
            rect => {
                class  => 'full',
                x      => 0,
                y      => $top,
                width  => sprintf('%.0f%%', $width),
                height => $THICK,
                rx     => 2
            }
        ),
        element(line => { class => 'half', x1 => '50%', x2 => '50%', y1 => 0, y2 => $HEIGHT })
    );
}

my %LOOK = (confirmed => 'good', contradicted => 'bad');

sub _probes {
    my ($result) = @_;
    my @probes   = @{ $result->{probes} } or return;
    my @points   = map {
        [
            { text => ucfirst $_->{name}, as => 'b' },
            ', ',
            { text => $_->{verdict}, class => $LOOK{ $_->{verdict} } },
            length $_->{sentence} ? ": $_->{sentence}" : ''
        ]
    } @probes;
    return ([ heading => 'Probes' ], [ block => { class => 'probes' }, [ points => @points ] ]);
}

1;
