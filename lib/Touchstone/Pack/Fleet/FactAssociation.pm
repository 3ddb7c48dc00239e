# SPDX-License-Identifier: GPL-2.0-or-later
# Pack::Fleet::FactAssociation - which facts go with the difference between the hosts of a group. The hosts of
# a judged group go in, of which these matter:
#
#   { host_id => '9f31...', ratio => 0.95, facts => {...}, labels => { rack => 'b4' }, slot => 'hv07' }
#
# goes_with(\@hosts, $random) gives those that do, the weightiest first:
#
#   ( {
#       associated => [ 'microcode', 'kernel' ],       they divide the hosts in the same way, so they are
#                                                  indistinguishable
#       part   => 0.62,                            of the variance between hosts (omega squared)
#       p      => 0.004,                           corrected for the number of lines (Holm)
#       values => [ { text => '0x1; 6.1', hosts => 12, ratio => 0.97 }, ... ]     of the group's median, the
#                                                                                 slowest first
#   } )
#
# A fact may go with a difference that has another cause. unique_to(\@hosts, \@ids) gives for each of these
# hosts in what it differs from all other hosts, where these agree:
#
#   { '9f31...' => [ { thing => 'CPU quota', its => '0.85', others => 'none' } ] }
#
# add_associations($group, $random) puts all of this into a judged group: goes_with, and of
# each slow host `signature` (Compare::Cause) and `alone_in`.
package Touchstone::Pack::Fleet::FactAssociation;
use 5.014;
use strict;
use warnings;

use Exporter qw(import);
use List::Util qw(max min);

use Touchstone::Base::Text qw(short);
use Touchstone::Compare::Differences;
use Touchstone::Compare::Cause;
use Touchstone::Pack::Fleet::Stats::Outliers qw(scale);
use Touchstone::Pack::Fleet::Stats::VarianceComponents qw(associate);
use Touchstone::Stats qw(mean median);
use Touchstone::Stats::Significance;

our @EXPORT_OK = qw(add_associations);

# A value says something of so many hosts, and two must.
my $FEWEST = 3;

# What goes with a difference by chance in more cases is not told.
my $LEVEL = 0.05;

# A host that is further than so many deviations from the middle counts as if it were there: else one bad
# host would hide what goes with all others.
my $FURTHEST = 4;

# Others agree where this part of them has one value.
my $AGREE = 0.75;

# A value has so many letters in a line.
my $LETTERS = 60;

# Hosts of these verdicts have a reason to be slow.
my %SLOW = map { $_ => 1 } qw(suspect bad inconclusive);

my $UNKNOWN = qr/\A(?:unknown(?:; )?)+\z/;

sub add_associations {
    my ($group, $random) = @_;
    my @hosts  = @{ $group->{hosts} };
    my @slow   = grep { $SLOW{ $_->{verdict} // '' } } @hosts;
    my $unique = unique_to(\@hosts, [ map { $_->{host_id} } @slow ]);
    $group->{goes_with} = $group->{judged} ? [ goes_with(\@hosts, $random) ] : [];
    for my $host (@slow) {
        $host->{signature}    = Touchstone::Compare::Cause::of_host($host->{figures});
        $host->{unique_facts} = $unique->{ $host->{host_id} };
    }
    return $group;
}

# In what these hosts differ: [ { thing => 'kernel', values => [ a text for each host, or undef ] }, ... ].
sub facts_of_hosts {
    my (@hosts) = @_;
    my @associated = map {
        my $values = $_->{values};
        +{ thing => $_->{thing}, values => [ map { /$UNKNOWN/ ? undef : $_ } @$values ] }
    } Touchstone::Compare::Differences::differences(map { $_->{facts} || {} } @hosts);
    my %label = map { $_ => 1 } map { keys %{ $_->{labels} || {} } } @hosts;
    push @associated, { thing => 'slot', values => [ map { $_->{slot} } @hosts ] };
    for my $label (sort keys %label) {
        push @associated,
            { thing => "label $label", values => [ map { ($_->{labels} || {})->{$label} } @hosts ] };
    }
    return \@associated;
}

sub goes_with {
    my ($hosts, $random) = @_;
    my @sample = grep { ($_->{ratio} // 0) > 0 } @$hosts;
    return if @sample < 2 * $FEWEST;
    my @y      = map { log $_->{ratio} } @sample;
    my $middle = median(@y);
    my $most   = $FURTHEST * scale(@y);
    my @near   = map { max($middle - $most, min($middle + $most, $_)) } @y;
    my @lines;

    for my $line (_lines(facts_of_hosts(@sample))) {
        my @groups      = map { [ @near[@$_] ] } @{ $line->{of} };
        my $association = associate(\@groups, $random) or next;
        push @lines, { %$line, %$association, values => [ _values($line, $middle, @near) ] };
    }
    my @corrected = Touchstone::Stats::Significance::holm(map { $_->{p} } @lines);
    $lines[$_]{p} = $corrected[$_] for 0 .. $#lines;
    return map {
        my $line = $_;
        +{ map { $_ => $line->{$_} } qw(associated part p values) }
        }
        sort { $b->{part} <=> $a->{part} || "@{ $a->{associated} }" cmp "@{ $b->{associated} }" }
        grep { $_->{p} < $LEVEL && $_->{part} > 0 } @lines;
}

# The things that can be looked at, those that divide the hosts alike as one: { things, of => [ [ places of
# hosts ], ... ], texts => [ that of each ] }. A value of too few hosts is left out.
sub _lines {
    my ($associated) = @_;
    my (%line, @lines);
    for my $thing (@$associated) {
        my %places;
        for my $i (grep { defined $thing->{values}[$_] } 0 .. $#{ $thing->{values} }) {
            push @{ $places{ $thing->{values}[$i] } }, $i;
        }
        my @values =
            sort { $places{$a}[0] <=> $places{$b}[0] } grep { @{ $places{$_} } >= $FEWEST } keys %places;
        next if @values < 2;
        my $division = join ' | ', map { "@{ $places{$_} }" } @values;
        push @lines, $line{$division} = { associated => [], of => [ @places{@values} ], texts => [] }
            if !$line{$division};
        my $line = $line{$division};
        push @{ $line->{associated} }, $thing->{thing};
        push @{ $line->{texts}[$_] },  short($values[$_], $LETTERS) for 0 .. $#values;
    }
    return @lines;
}

sub _values {
    my ($line, $middle, @y) = @_;
    my @values = map {
        my @places = @{ $line->{of}[$_] };
        +{
            text  => join('; ', @{ $line->{texts}[$_] }),
            hosts => scalar @places,
            ratio => exp(mean(@y[@places]) - $middle)
        }
    } 0 .. $#{ $line->{of} };
    return sort { $a->{ratio} <=> $b->{ratio} || $a->{text} cmp $b->{text} } @values;
}

sub unique_to {
    my ($hosts, $ids) = @_;
    my %asked  = map  { $_ => 1 } @$ids;
    my @place  = grep { $asked{ $hosts->[$_]{host_id} } } 0 .. $#$hosts;
    my %unique = map  { $_ => [] } @$ids;
    for my $thing (@place ? @{ facts_of_hosts(@$hosts) } : ()) {
        my $values = $thing->{values};
        my ($usual, $among) =
            _usual(map { $asked{ $hosts->[$_]{host_id} } ? () : $values->[$_] } 0 .. $#$hosts)
            or next;
        for my $i (grep { defined $values->[$_] && !$among->{ $values->[$_] } } @place) {
            push @{ $unique{ $hosts->[$i]{host_id} } },
                {
                thing  => $thing->{thing},
                its    => short($values->[$i], $LETTERS),
                others => short($usual,        $LETTERS)
                };
        }
    }
    return \%unique;
}

# The value that most of these have, and all of them; nothing where they do not agree.
sub _usual {
    my (@values) = grep { defined } @_;
    my %many;
    $many{$_}++ for @values;
    my ($usual) = sort { $many{$b} <=> $many{$a} || $a cmp $b } keys %many;
    return if @values < $FEWEST || $many{$usual} < $AGREE * @values;
    return ($usual, \%many);
}

1;
