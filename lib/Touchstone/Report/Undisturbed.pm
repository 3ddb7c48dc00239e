# SPDX-License-Identifier: GPL-2.0-or-later
# Report::Undisturbed - the cost of interference, in a sentence:
#
#   measured 1093; would have been about 1390 without other processes (-21 %)
#   measured 1093; would have been at least 1340 without interference (at least -18 %); unknown for spawn
#
# A loss that is small or may be chance is not mentioned. Where no counter has a cause, it is interference.
package Touchstone::Report::Undisturbed;
use 5.014;
use strict;
use warnings;

use List::Util qw(min);

use Touchstone::Base::Figure qw(column_index part human seconds shown);
use Touchstone::Base::Direction qw(is_lower_better);
use Touchstone::Base::Symbols qw(signed);
use Touchstone::Base::Text qw(plural);

# More tests than these are counted instead of named.
my $NAMED = 4;

# The sentence of an index of the model, or nothing. `brief`: without what a line of a terminal has no room
# for; `measured`: its score in other words.
sub of_index {
    my ($line, %how) = @_;
    return if !$line->{shows_loss};
    my $limits = [ @$line{qw(undisturbed_low undisturbed_high)} ];
    return _sentence(
        $line,
        $how{measured} // shown(@$line{qw(score interval places)}),
        column_index($line->{undisturbed}, $limits), %how
    );
}

# The same of a test, with seconds that are not in another unit.
sub of_test {
    my ($test, %how) = @_;
    return if !$test->{shows_loss};
    return _sentence($test, _shown($test, @$test{qw(score interval)}), speed($test), %how);
}

# The undisturbed speed of a test for people.
sub speed {
    my ($test) = @_;
    my $limits = defined $test->{undisturbed_low} ? [ @$test{qw(undisturbed_low undisturbed_high)} ] : undef;
    return _shown($test, $test->{undisturbed}, $limits);
}

sub _shown {
    my ($test, $figure, $interval) = @_;
    return is_lower_better($test) ? seconds($figure, $interval) : human($figure, $interval, $test->{unit});
}

sub _sentence {
    my ($figure, $measured, $undisturbed, %how) = @_;
    my @unknown = ref $figure->{undisturbed_unknown} ? @{ $figure->{undisturbed_unknown} } : ();
    my ($about, $least) = @unknown ? ('at least', 'at least ') : ('about', '');
    my $cause  = join(' and ', @{ $figure->{took} || [] }) || 'interference';
    my $limits = ', ' . join(' to ', map { _part($_) =~ s/ %//r } @$figure{qw(lost_high lost_low)}) . ' %';
    my $behind =
        @unknown
        ? '; unknown for ' . (@unknown > $NAMED ? plural(scalar @unknown, 'test') : join ', ', @unknown)
        : '';
    return
          "measured $measured; would have been $about $undisturbed without $cause ($least"
        . _part($figure->{lost})
        . ($how{brief} ? ')' : "$limits)$behind");
}

sub _part { my ($part) = @_; return signed(sprintf '%+.0f %%', -100 * $part) }

# The consistency of a test as a whole number, or nothing.
sub consistency {
    my ($test) = @_;
    return defined $test->{consistency} ? sprintf('%.0f', min(100, $test->{consistency})) : undef;
}

# What is known of a test, for the log.
sub lines {
    my ($test) = @_;
    my $value = consistency($test) // return;
    return (
        'undisturbed: '
            . (defined $test->{undisturbed} ? _of_log($test) : "unknown, $test->{undisturbed_unknown}"),
        "consistency: $value of 100"
    );
}

sub _of_log {
    my ($test) = @_;
    my $lost = $test->{lost} > 0 ? ', ' . part($test->{lost}) . ' lost' : '';
    my @limits =
        map { _shown({ %$test, unit => '' }, $test->{$_}, [ @$test{qw(undisturbed_low undisturbed_high)} ]) }
        grep { defined $test->{$_} } qw(undisturbed_low undisturbed_high);
    return speed($test) . (@limits ? " ($limits[0] to $limits[1])" : '') . $lost;
}

1;
