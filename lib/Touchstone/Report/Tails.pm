# SPDX-License-Identifier: GPL-2.0-or-later
# Report::Tails - the slowest operations of a test in words and figures:
#
#   wakeup: in half of the seconds 99 of 100 wake-ups came within 54 µs (48 to 61); the worst of 19,800 was
#   1.3 ms late
#
#   Slowest operations, 1 copy
#
#     Test          50 %                99 %  99.9 %   Worst
#     wakeup  10.3 µs ...                             1.3 ms
package Touchstone::Report::Tails;
use 5.014;
use strict;
use warnings;

use Touchstone::Base::Figure qw(seconds plus_minus);
use Touchstone::Base::Symbols qw($DASH);
use Touchstone::Base::Direction qw(is_lower_better);
use Touchstone::Base::Text qw(copies grouped_count);
use Touchstone::Report::Model;
use Touchstone::Suite;

# The share that is scored, or could be.
my $SCORED = 0.99;

# A pass of about a second is called so.
my ($SHORT, $LONG) = (0.8, 1.25);

# A table of a text has so many columns.
my $COLUMNS = 80;

# What the shares of a tail are called, here and in programs.
my @SHARES = (
    [ 0.5   => '50 %',   'p50' ],
    [ 0.9   => '90 %',   'p90' ],
    [ 0.99  => '99 %',   'p99' ],
    [ 0.999 => '99.9 %', 'p99.9' ]
);

# The columns of a text are 50, 99 and 99.9 % and the worst: with intervals it has no room for more.
my @SHOWN_COLUMNS = (0, 2, 3, 4);

# The tests of a block that have a tail, in the order of the suite; seconds are those of the results.
sub of_block {
    my ($block) = @_;
    return Touchstone::Suite::arranged(sub { $_[0]{name} }, grep { $_->{tail} } @{ $block->{exact} });
}

# "In half of the seconds 99 of 100 wake-ups came within 54 µs (48 to 61); the worst of 19,800 was 1.3 ms
# late".
sub sentence {
    my ($tail)  = @_;
    my $late    = $tail->{late};
    my ($point) = grep { $_->[0] == $SCORED } @{ $tail->{points} };
    my $each    = $tail->{passes}                 ? $tail->{seconds} / $tail->{passes} : 0;
    my $noun    = $each > $SHORT && $each < $LONG ? 'seconds'                          : 'passes';
    my $text =
          "In half of the $noun 99 of 100 $tail->{of}s "
        . ($late ? 'came within ' : 'took no more than ')
        . within(@$point[ 1, 2 ]);
    return $text if !defined $tail->{worst};
    my $many  = defined $tail->{samples} ? ' of ' . grouped_count($tail->{samples}) : '';
    my $worst = seconds($tail->{worst});
    return "$text; the worst$many " . ($late ? "was $worst late" : "took $worst");
}

# "54 µs (48 to 61)"
sub within {
    my ($value, $interval) = @_;
    my $text = seconds($value, $interval);
    return $text if !$interval;
    my ($unit) = $text =~ / (\S+)\z/;
    return "$text (" . join(' to ', map { seconds($_, $interval, $unit) =~ s/ \S+\z//r } @$interval) . ')';
}

# The sentences of a run, which begin with the test. `brief`: those of tests whose score is a time alone, as a
# terminal has little room.
sub sentences {
    my ($model, %how) = @_;
    my @blocks  = @{ $model->{blocks} };
    my $invalid = Touchstone::Report::Model::not_valid($model);
    return map {
        my $with = @blocks > 1 ? ', ' . copies($_->{count}) : '';
        map      { "$_->{name}$with: " . lcfirst(sentence($_->{tail})) . $invalid }
            grep { !$how{brief} || is_lower_better($_) }
            of_block($_)
    } @blocks;
}

# The sentences and a table of each copy count, for Report::Document.
sub parts {
    my ($model) = @_;
    my $invalid = Touchstone::Report::Model::not_valid($model);
    return map {
        my @tests = of_block($_);
        @tests
            ? (
            [ table => table($_, $model->{invalid}) ],
            [
                points => map { Touchstone::Suite::label($_) . ': ' . sentence($_->{tail}) . "$invalid." }
                    @tests
            ]
            )
            : ()
    } @{ $model->{blocks} };
}

sub table {
    my ($block, $invalid) = @_;
    my @tests = of_block($block);
    return {
        caption => 'Slowest operations, ' . copies($block->{count}) . ($invalid ? " $DASH not valid" : ''),
        head    => [ 'Test', (heads())[@SHOWN_COLUMNS] ],
        more    => [ 1, 3 ],
        class   => 'pinned',
        within  => $COLUMNS,
        rows    => [
            map {
                [ $_->{name}, (cells($_->{tail}))[ map { $_ + 1 } @SHOWN_COLUMNS ] ]
            } @tests
        ]
    };
}

# "54 µs ±12 %", where there is little room.
sub _brief {
    my ($value, $interval) = @_;
    return seconds($value, $interval)
        . ($interval ? ' ' . plus_minus(($interval->[1] - $interval->[0]) / 2 / $value) : '');
}

# `brief`: intervals are halves of them. The heads of what cells() gives behind the word for an operation.
sub heads {
    return ((map { $_->[1] } @SHARES), 'Worst', 'Of');
}

sub cells {
    my ($tail, %how) = @_;
    my %point  = map { $_->[0] => $_ } @{ $tail->{points} };
    my $format = $how{brief} ? \&_brief : \&within;
    return (
        "$tail->{of}s",
        (map { my $point = $point{ $_->[0] }; $point ? $format->(@$point[ 1, 2 ]) : $DASH } @SHARES),
        defined $tail->{worst}   ? seconds($tail->{worst})         : $DASH,
        defined $tail->{samples} ? grouped_count($tail->{samples}) : $DASH
    );
}

# The same for the log.
sub lines {
    my ($test)  = @_;
    my $tail    = $test->{tail} or return;
    my %name    = map { $_->[0] => $_->[2] } @SHARES;
    my @phrases = map { "$name{ $_->[0] } " . within(@$_[ 1, 2 ]) } @{ $tail->{points} };
    push @phrases, 'max ' . seconds($tail->{worst}) if defined $tail->{worst};
    my $many = defined $tail->{samples} ? grouped_count($tail->{samples}) . ' ' : '';
    return "$many$tail->{of}s: " . join ', ', @phrases;
}

# What is only shown, as results that are no measures: for tables of figures.
sub rows {
    my ($test) = @_;
    my $tail   = $test->{tail} or return;
    my %known  = map { $_->{name} => 1 } @{ $test->{measures} || [] };
    my %name   = map { $_->[0]    => $_->[2] } @SHARES;
    my %common = (unit => 's', passes => $tail->{passes}, outliers => [], disturbed => $test->{disturbed});
    return (
        (
            map {
                +{
                    %common,
                    name     => "$test->{name} $name{ $_->[0] }",
                    score    => $_->[1],
                    interval => $_->[2]
                }
                }
                grep { !$known{ $name{ $_->[0] } } } @{ $tail->{points} }
        ),
        defined $tail->{worst} ? { %common, name => "$test->{name} max", score => $tail->{worst} } : ()
    );
}

1;
