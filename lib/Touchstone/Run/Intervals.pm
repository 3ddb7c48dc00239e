# SPDX-License-Identifier: GPL-2.0-or-later
# Run::Intervals - which tests of a plan will have too few passes for an interval, however the run goes, and
# what is said of that before it begins:
#
#   no intervals: kernel and transfer-1gb have 1 pass, 6 needed; leave out --quick to get them
#
# A duet and a run of several builds compare passes: without an interval they have no verdict.
package Touchstone::Run::Intervals;
use 5.014;
use strict;
use warnings;

use List::Util qw(max);

use Touchstone::Base::Text qw(list_and_more list_with plural);
use Touchstone::Run::Plan;
use Touchstone::Suite;

# So many tests are named.
my $NAMED = 3;

# A list of { test, copies, passes }, tests in their order, for each copy count.
sub lacking {
    my ($plan) = @_;
    return map { _lacking_of_block($plan, $_) } @{ $plan->{blocks} };
}

sub _lacking_of_block {
    my ($plan, $block) = @_;
    my (%passes, @tests);
    for my $test (map { $_->{test} } grep { $_->{round} } @{ $block->{passes} }) {
        push @tests, $test if !$passes{ $test->{name} }++;
    }
    return map { { test => $_, copies => $block->{copies}, passes => $passes{ $_->{name} } } }
        grep { $passes{ $_->{name} } < $plan->{needed} && !_may_have_more($plan, $_) } @tests;
}

# A pass that takes as long as it takes may leave time for others. The classic schedule has a rule that
# repeats some tests, and a score that is a mean has Student's interval from two passes on, but no verdict.
sub _may_have_more {
    my ($plan, $test) = @_;
    return defined $plan->{precision} || $plan->{sittings} if Touchstone::Run::Plan::is_whole($test);
    return 0 if $plan->{schedule} ne 'classic' || ($test->{rule} // '') ne 'mean';
    return !$plan->{compares};
}

# What is said of that, or nothing.
sub sentence {
    my ($plan)  = @_;
    my @lacking = lacking($plan) or return;
    my $planned = grep { $_->{round} == 1 } map { @{ $_->{passes} } } @{ $plan->{blocks} };
    my (%by_passes, %seen);
    for my $one (Touchstone::Suite::arranged(sub { $_[0]{test}{name} }, @lacking)) {
        next if $seen{"$one->{passes} $one->{test}{name}"}++;
        push @{ $by_passes{ $one->{passes} } }, $one->{test}{name};
    }
    my @word = $plan->{sittings} ? ('sitting', 'sittings') : ('pass', 'passes');
    my @groups =
        map { _group(plural($_, @word), $planned == @lacking && keys %by_passes == 1, @{ $by_passes{$_} }) }
        sort { $a <=> $b } keys %by_passes;
    my $remedy = _remedy($plan, @lacking);
    return
          ($plan->{compares} ? 'no intervals and no verdicts: ' : 'no intervals: ')
        . join(', ', @groups, "$plan->{needed} needed")
        . (defined $remedy ? "; $remedy" : '');
}

sub _group {
    my ($passes, $is_all, @names) = @_;
    my $have = ($is_all || @names == 1 ? 'has ' : 'have ') . $passes;
    return "every test $have"                       if $is_all && @names > 1;
    return list_and_more($NAMED, @names) . " $have" if @names > $NAMED;
    return list_with('and', @names) . " $have";
}

# Returns what gives all of them an interval, or nothing where passes are too long for that.
sub _remedy {
    my ($plan, @lacking) = @_;
    if ($plan->{schedule} eq 'classic') {
        my $most = max map { Touchstone::Run::Plan::iterations_for($plan->{needed}, $_->{test}) } @lacking;
        return "-i $most is enough";
    }
    return                                 if grep { $_->{test}{least_seconds} } @lacking;
    return 'leave out --quick to get them' if $plan->{schedule} eq 'quick';
    return 'use a longer --budget'         if defined $plan->{limit};
    return;
}

1;
