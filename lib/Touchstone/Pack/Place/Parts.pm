# SPDX-License-Identifier: GPL-2.0-or-later
# Pack::Place::Parts - positions as parts of a report: of a run (Pack::Place::Tables), or of the command
# place.
package Touchstone::Pack::Place::Parts;
use 5.014;
use strict;
use warnings;

use List::Util qw(max min);

use Touchstone::Base::Symbols qw($DASH);
use Touchstone::Base::Text qw(copies plain_data short);
use Touchstone::Pack::Place::Phrases qw(brief heading machine number sentences $LIMITS);
use Touchstone::Pack::Place::Position qw(@CLASSES chosen);
use Touchstone::Pack::Place::References;
use Touchstone::Pack::Place::Strip;

# Characters of a source, and the results in the table of a run's page, which has much else.
my ($OF_A_SOURCE, $NEAREST) = (60, 20);

# A line for the summary of a run: "place: higher than 71 % of 188 published results with 1 copy".
sub headlines {
    my ($tables) = @_;
    my @placed   = grep { !defined $_->{why} && $_->{of} } @{ $tables->{positions} } or return;
    my ($first, @more) = map { brief($_, $tables->{references}) } @placed;
    return join '; ', $first, map { s/ published results / /r } @more;
}

# The parts of a run, whose references are the published results. The classic text has no such section: its
# form is that of UnixBench.
sub parts {
    my ($tables, %with) = @_;
    return if !$tables || !grep { $with{$_} } qw(wide markup);
    my $published = Touchstone::Pack::Place::References::read($Touchstone::Pack::Place::References::NAME);
    return (
        [ heading => 'Place among published results' ],
        of_positions(
            { name => $tables->{references}, entries => $published->{entries}, most => $NEAREST },
            @{ $tables->{positions} }
        )
    );
}

sub css { return $Touchstone::Pack::Place::Strip::CSS }

# `references`: { name, entries, most => how many the table has, or nothing for all }.
sub of_positions {
    my ($references, @positions) = @_;
    my $name = $references->{name};
    @positions = @{ plain_data(\@positions) };
    return (
        (map { _of_position($references, $_) } @positions),
        (map { [ text => $_ ] } Touchstone::Pack::Place::Phrases::marks(@positions)),
        $name eq $Touchstone::Pack::Place::References::NAME ? [ text => $LIMITS ] : ()
    );
}

sub _of_position {
    my ($references, $position) = @_;
    my ($first,      @more)     = map { ucfirst } sentences($position, $references->{name});
    my @shown = defined $position->{why} ? () : _chosen($position, $references->{entries});
    return (
        [ text => [ { text => heading($position), as => 'b' }, ". $first." ] ],
        (@more ? [ points => @more ] : ()),
        @shown
        ? ([ in => 'page', _strip($position, @shown) ], _table($position, $references->{most}, @shown))
        : ()
    );
}

# The entries again, as a position has only figures of them.
sub _chosen {
    my ($position, $entries) = @_;
    my %entry = (%$position, $position->{tests} < 12 ? (scores => {}) : ());
    my (undef, @chosen) = chosen(\%entry, $entries);
    return @{ plain_data(\@chosen) };
}

sub _strip {
    my ($position, @chosen) = @_;
    my $scale = Touchstone::Pack::Place::Strip::scale($position, @chosen);
    my @rows  = map {
        my $class = $_;
        my @of    = grep { Touchstone::Pack::Place::Position::class_of($_) eq $class } @chosen;
        @of ? +{ class => $class, of => \@of } : ()
    } @CLASSES;
    return [
        table => {
            caption => 'Each dot is a result, the line is this run: ' . copies($position->{copies}),
            class   => 'places',
            columns => [
                { title => 'Class', cell => sub { "$_[0]{class} (" . @{ $_[0]{of} } . ')' } },
                {
                    title => [ { picture => Touchstone::Pack::Place::Strip::head($scale) } ],
                    left  => 1,
                    cell  => sub {
                        [
                            {
                                picture =>
                                    Touchstone::Pack::Place::Strip::row($scale, $position, @{ $_[0]{of} })
                            }
                        ]
                    }
                }
            ],
            rows => \@rows
        }
    ];
}

sub _table {
    my ($position, $most, @chosen) = @_;
    my @rows  = _nearest($position, $most, @chosen);
    my $which = @rows < @chosen ? 'The nearest ' . @rows . ' of ' . @chosen : 'All ' . @chosen;
    my $title = "$which results with " . copies($position->{copies});
    my @cells = (
        [ Value   => sub { number($_[0]{value}) } ],
        [ Machine => sub { machine({ %{ $_[0] }, date => '', class => undef }) }, left => 1 ],
        [ Class   => sub { $_[0]{class} || 'not stated' },                        left => 1 ],
        [ Copies  => sub { $_[0]{copies} } ],
        [ Version => sub { $_[0]{version} // $DASH }, left => 1 ],
        [ Date    => sub { $_[0]{date} || $DASH },    left => 1 ],
        [ Source  => \&_source,                       left => 1 ]
    );
    return [
        in => 'page',
        [
            fold => $title,
            [
                table => {
                    caption => $title,
                    columns =>
                        [ map { my ($t, $c, @more) = @$_; +{ title => $t, cell => $c, @more } } @cells ],
                    rows => [ reverse @rows ]
                }
            ]
        ]
    ];
}

# Those around the value, half of them below it.
sub _nearest {
    my ($position, $most, @chosen) = @_;
    return @chosen if !defined $most || @chosen <= $most;
    my $below = grep { $_->{value} < $position->{value} } @chosen;
    my $from  = max(0, min($#chosen - $most + 1, $below - int($most / 2)));
    return @chosen[ $from .. $from + $most - 1 ];
}

sub _source {
    my ($entry)   = @_;
    my $source    = $entry->{source} // '';
    my ($address) = $source =~ m{\A(https?://[\w./%~#?=&:+-]+)};
    my $text      = short($source =~ s{\Ahttps?://}{}r, $OF_A_SOURCE);
    return defined $address ? [ { text => $text, link => $address } ] : $text;
}

1;
