# SPDX-License-Identifier: GPL-2.0-or-later
# Pack::Place::Phrases - positions (Pack::Place::Position) in words:
#
#   higher than 71 % of 188 published results with 1 copy (UnixBench 5.1.2 to 6.0.0, 2011 to 2025); nearest:
#   1071 (AMD EPYC 7763, virtual machine) and 1102 (...); others with an EPYC 7763: 960 to 1240 (6 results)
package Touchstone::Pack::Place::Phrases;
use 5.014;
use strict;
use warnings;

use Exporter qw(import);

use Touchstone::Base::Text qw(copies grouped_count list_with plural short);
use Touchstone::Pack::Place::Position qw($FEWEST);

our @EXPORT_OK = qw(brief heading machine number sentences $LIMITS);

# What a published figure cannot carry.
our $LIMITS =
    'Published results are what people chose to publish: compilers are not printed, most are of UnixBench 5.1.3, '
    . 'and few mention other load. A place is a hint, not a verdict. docs/typical.md has typical values.';

# UnixBench 5 did other work than 6 and Touchstone.
my $SHELLS =
      'UnixBench before 6 is built without -O3 -march=native, and its shell tests start one more process '
    . '(expr) per ten, so its indexes may be lower.';
my $FILES = 'The values compared are indexes of the nine tests without the file tests: with several copies, '
    . 'UnixBench before 6 lets all copies share one file.';
my $UNKNOWN =
      'The version of UnixBench is not in this report; before 6, the shell tests and several copies of '
    . 'the file tests do other work.';
my $UNKNOWN_FILES =
      'With several copies, UnixBench before 6 lets all copies share one file, so whole indexes '
    . 'are only roughly comparable.';

# The characters of a name, and an index with fewer digits than are shown.
my ($LETTERS, $SMALL) = (50, 100);

sub number { my ($value) = @_; return $value < $SMALL ? sprintf '%.3g', $value : grouped_count($value) }

# "higher than 71 % of 188 published results with 1 copy"
sub brief {
    my ($position, $name) = @_;
    return $position->{why} if defined $position->{why};
    my $with = 'with ' . _copies_of($position);
    return "no other result $with in $name" if !$position->{of};
    my $results = plural($position->{of}, $name eq 'published' ? 'published result' : 'result') . " $with";
    return "$results, too few for a percentage" if !defined $position->{percent};
    my $all = { 0 => 'lower than all', $position->{of} => 'higher than all' }->{ $position->{below} };
    return ($all // "higher than $position->{percent} %") . " of $results";
}

# "2 copies", or "7 to 10 copies" of the others.
sub _copies_of {
    my ($position) = @_;
    my ($fewest, $most) = @{ $position->{copies_of} || [ ($position->{copies}) x 2 ] };
    return $fewest == $most ? copies($most) : "$fewest to $most copies";
}

# "1 copy: index 1,071", with the value that is compared if it is not the index.
sub heading {
    my ($position) = @_;
    my $other =
        ($position->{tests} // 12) < 12 ? '; ' . number($position->{value}) . ' without the file tests' : '';
    return copies($position->{copies}) . ': index ' . number($position->{index}) . $other;
}

# All that is known of a position, each a sentence without its point; the first is its place.
sub sentences {
    my ($position, $name) = @_;
    return brief($position, $name) if defined $position->{why} || !$position->{of};
    return (_first($position, $name), _of_classes($position), _nearest($position), _same_cpu($position));
}

sub _first {
    my ($position, $name) = @_;
    my $range = $position->{percents};
    my @about = (
        $range
            && $range->[0] != $range->[1] ? "the interval of this result: $range->[0] to $range->[1] %" : (),
        _versions($position),
        $position->{years} ? _range(@{ $position->{years} }) : ()
    );
    return brief($position, $name) . (@about ? ' (' . join(', ', @about) . ')' : '');
}

sub _versions {
    my ($position) = @_;
    my @versions   = @{ $position->{versions} } or return;
    my @numbers    = map { s/\ATouchstone //r } @versions;
    return join ' to ', @versions == 1 ? $versions[0] : ($numbers[0], $versions[-1])
        if grep { /\AT/ } @versions;
    return 'UnixBench ' . _range(@numbers[ 0, -1 ]);
}

sub _range { my ($from, $to) = @_; return $from eq $to ? $from : "$from to $to" }

sub _nearest {
    my ($position) = @_;
    my @nearest    = map { number($_->{value}) . ' (' . machine($_) . ')' }
        grep { defined } @$position{qw(lower higher)}
        or return;
    return 'nearest: ' . list_with('and', @nearest);
}

# "AMD EPYC 7763, virtual machine, 2024"
sub machine {
    my ($entry) = @_;
    my $cpu     = Touchstone::Pack::Place::Position::model($entry->{cpu});
    my $name    = length $cpu ? $cpu : $entry->{machine} // 'unknown';
    return join ', ', short($name, $LETTERS),
        ($entry->{class} // '') eq 'not stated' ? () : $entry->{class} // (),
        length($entry->{date} // '') ? substr $entry->{date}, 0, 4 : ();
}

sub _same_cpu {
    my ($position) = @_;
    my $same       = $position->{same_cpu} or return 'no other result has this CPU';
    my @values     = map { number($_) } @{ $same->{values} };
    return "others with this CPU ($same->{name}): " . list_with('and', @values) if $same->{of} < $FEWEST;
    return
          "others with this CPU ($same->{name}): $values[0] to $values[-1] ("
        . plural($same->{of}, 'result')
        . ", $same->{below} of them lower)";
}

my %OF_CLASS = (
    'single-board'      => 'single-board computers',
    'laptop or desktop' => 'laptops and desktops',
    'virtual machine'   => 'virtual machines',
    'server'            => 'servers'
);

sub _of_classes {
    my ($position) = @_;
    my @classes    = map { "$_->{below} of $_->{of} $OF_CLASS{ $_->{class} }" }
        grep { $OF_CLASS{ $_->{class} } } @{ $position->{classes} };
    return @classes ? 'higher than ' . list_with('and', @classes) : ();
}

# Sentences about differences in the work of versions.
sub marks {
    my (@positions) = @_;
    my @placed      = grep { !defined $_->{why} && $_->{of} } @positions;
    my @several     = grep { $_->{copies} > 1 } @placed;
    return if !@placed;
    return (
        (grep { defined $_->{version} && !length $_->{version} } @placed) ? $UNKNOWN       : (),
        (grep { /\A[45]/ } map { @{ $_->{versions} } } @placed)           ? $SHELLS        : (),
        (grep { $_->{tests} < 12 } @several)                              ? $FILES         : (),
        (grep { $_->{tests} == 12 } @several)                             ? $UNKNOWN_FILES : ()
    );
}

1;
