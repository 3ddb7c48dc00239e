# SPDX-License-Identifier: GPL-2.0-or-later
# Pack::Fleet::Report::Rollout::Headline - what a roll-out did, in sentences: the answer, all figures
# together, and what changed between the two campaigns.
package Touchstone::Pack::Fleet::Report::Rollout::Headline;
use 5.014;
use strict;
use warnings;

use Exporter qw(import);
use List::Util qw(max);

use Touchstone::Base::Figure qw(part);
use Touchstone::Base::Symbols qw($ARROW);
use Touchstone::Base::Text qw(list_and_more named plural short);
use Touchstone::Report::Compare::Verdict;
use Touchstone::Pack::Fleet::Report::Phrases qw(are);
use Touchstone::Pack::Fleet::Stats::BeforeAfter;

our @EXPORT_OK = qw(difference from_to interval of_verdict);

# A sentence names so many figures and so many changes; a value has so many letters.
my ($FIGURES, $CHANGES, $LETTERS) = (4, 5, 60);

sub sentences {
    my ($found) = @_;
    return (_answer($found), _slight($found), _all($found), _groups($found), _moved($found),
        _changed($found));
}

sub _answer {
    my ($found) = @_;
    my $missing = _missing($found);
    return ($missing ? "$missing; speeds: " : '') . _of_speed($found);
}

# The hosts that did not come back are the answer where they are too many.
sub _missing {
    my ($found) = @_;
    my $missing = $found->{missing} or return;
    my @hosts   = @{ $missing->{hosts} };
    return if !@hosts || @hosts <= $missing->{allowed} * $missing->{expected};
    return
          'missing after the change: '
        . @hosts
        . " of $missing->{expected} hosts, "
        . list_and_more($FIGURES, @hosts);
}

sub _of_speed {
    my ($found) = @_;
    my $verdict = $found->{verdict};
    return _worse($found)    if $verdict eq $Touchstone::Pack::Fleet::Stats::BeforeAfter::WORSE;
    return _no_worse($found) if $verdict eq $Touchstone::Pack::Fleet::Stats::BeforeAfter::NO_WORSE;
    return "inconclusive: " . _why_open($found);
}

sub _worse {
    my ($found) = @_;
    my @worse   = of_verdict($found, $Touchstone::Pack::Fleet::Stats::BeforeAfter::WORSE);
    my $all     = @{ $found->{figures} };
    return 'worse: all figures together are slower after the change: ' . change($found->{all}) if !@worse;
    my $many = @worse == $all && $all > 1 ? "all $all" : @worse . " of $all";
    my $most = @worse == 1                ? ': '       : ', most of all ';
    return join ' ', "worse: $many figures", are(scalar @worse),
        'slower after the change' . $most . named($worse[0]), change($worse[0]);
}

sub _no_worse {
    my ($found)  = @_;
    my ($most)   = sort { $b->{hides} <=> $a->{hides} } @{ $found->{figures} };
    my $figures  = plural(scalar @{ $found->{figures} }, 'figure') . ' on ' . plural($found->{hosts}, 'host');
    my $smallest = part($found->{smallest});
    my $largest  = part($most->{hides}) . ' (' . named($most) . ')';
    return "no worse: no slow-down of $smallest can hide in $figures; the largest possible is $largest";
}

# Slow-downs that are proven, and certainly smaller than what the user named.
sub _slight {
    my ($found) = @_;
    my @slight =
        map  { named($_) . ' ' . change($_) }
        grep { $_->{ratio} < 1 && $_->{p} <= $found->{level} }
        of_verdict($found, $Touchstone::Pack::Fleet::Stats::BeforeAfter::NO_WORSE)
        or return;
    return 'slower, but by less than ' . part($found->{smallest}) . ': ' . list_and_more($FIGURES, @slight);
}

# Why nothing is proven, the most important reason alone.
sub _why_open {
    my ($found) = @_;
    my ($hosts, $controls) = @$found{qw(hosts controls)};
    my $figures = @{ $found->{figures} };
    my $fewest  = $Touchstone::Pack::Fleet::Stats::BeforeAfter::FEWEST_CONTROLS;
    return 'no host was measured before and after with the same programs' if !$figures;
    return join ' ', plural($figures, 'figure'), $figures == 1 ? 'needs' : 'need',
        "$found->{needed} hosts that were measured before and after, and there", are($hosts), $hosts
        if $hosts < $found->{needed};
    return plural($controls, 'control host') . " are too few to know the drift: $fewest are needed"
        if defined $found->{control} && $controls < $fewest;
    my @few =
        map { named($_) . " ($_->{hosts})" }
        of_verdict($found, $Touchstone::Pack::Fleet::Stats::BeforeAfter::NOT_TESTED);
    return 'too few hosts have ' . list_and_more($FIGURES, @few) . ' after the change' if @few;
    return _can_hide($found) // 'the change does not act on all groups alike';
}

sub _can_hide {
    my ($found) = @_;
    my @open =
        sort { $b->{hides} <=> $a->{hides} }
        of_verdict($found, $Touchstone::Pack::Fleet::Stats::BeforeAfter::INCONCLUSIVE)
        or return;
    my $smallest = part($found->{smallest});
    my $figures  = list_and_more($FIGURES, map { named($_) . ' (up to ' . part($_->{hides}) . ')' } @open);
    my $needed   = max(map { $_->{takes} // 0 } @open);
    return "no figure is proven slower, but a slow-down of $smallest can hide in $figures"
        . ($needed > $found->{hosts} ? "; about $needed hosts would rule it out" : '');
}

sub _all {
    my ($found) = @_;
    my $all = $found->{all};
    return if !$all || !$all->{interval} || @{ $found->{figures} } < 2;
    return 'all figures together: ' . change($all);
}

sub _groups {
    my ($found) = @_;
    my $differ = $found->{differ} or return;
    return if $differ->{p} > $Touchstone::Pack::Fleet::Stats::BeforeAfter::LEVEL;
    my ($worst) = sort { $a->{ratio} <=> $b->{ratio} } grep { $_->{interval} } @{ $found->{groups} };
    return sprintf 'the change does not act on all groups alike (p %.3f); slowest: %s, %s', $differ->{p},
        short($worst->{title}, $LETTERS), change($worst);
}

sub _moved {
    my ($found) = @_;
    my @moved   = map { short($_->{host}, $LETTERS) . ' ' . difference($_) } @{ $found->{moved} } or return;
    my $hosts   = plural(scalar @moved, 'host');
    return "$hosts changed unlike the others: " . list_and_more($FIGURES, @moved) . '; measure them again';
}

sub _changed {
    my ($found) = @_;
    my @names   = map { $found->{$_}{campaign} // $found->{$_}{directory} // $_ } qw(before after);
    my $between = $names[0] eq $names[1] ? 'before and after' : join ' and ',
        map { short($_, $LETTERS) } @names;
    my $hosts   = plural($found->{hosts}, 'host');
    my @changes = map { "$_->{thing} " . from_to($_) . " on $_->{hosts} of $hosts" }
        grep { $_->{hosts} } @{ $found->{changes} };
    return "between $between no recorded fact changed" if !@changes;
    return "changed between $between: " . list_and_more($CHANGES, @changes);
}

sub from_to {
    my ($change) = @_;
    return join " $ARROW ", map { short($_, $LETTERS) } @$change{qw(from to)};
}

sub of_verdict {
    my ($found, $verdict) = @_;
    return grep { $_->{verdict} eq $verdict } @{ $found->{figures} };
}

sub difference {
    my ($found) = @_;
    return Touchstone::Report::Compare::Verdict::difference(@$found{qw(ratio interval)});
}

sub interval {
    my ($found) = @_;
    return Touchstone::Report::Compare::Verdict::limits(@$found{qw(ratio interval)});
}

# "−3.0 % (−3.6 to −2.4 %)".
sub change {
    my ($found) = @_;
    return difference($found) . ($found->{interval} ? ' (' . interval($found) . ')' : '');
}

1;
