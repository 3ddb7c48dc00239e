# SPDX-License-Identifier: GPL-2.0-or-later
# Report::Verdict - the words, colours and signs of verdicts. Keys are what Compare::Judgement,
# Pack::Fleet::Stats::BeforeAfter and Pack::Fleet::Judge call them: records, JSON and CSV have these, so
# they never change. All that people read has the words of this table.
#
#   word     what people read
#   class    its colour on pages; a comparison that is good or bad is significant
#   colour   that of its word in a terminal, where it has one
#   sign     what stands behind a figure without a colour
#   rank     the verdicts that matter most come first
package Touchstone::Report::Verdict;
use 5.014;
use strict;
use warnings;

use Exporter qw(import);

our @EXPORT_OK = qw(class is_clear sign word);

my %VERDICT = (

    # of two runs
    slower           => { word => 'slower',         class => 'bad',  colour => 'bad',  rank => 1 },
    faster           => { word => 'faster',         class => 'good', colour => 'good', rank => 2 },
    'no difference'  => { word => 'no difference',  class => 'dim',  sign   => '=',    rank => 3 },
    inconclusive     => { word => 'inconclusive',   class => 'dim',  sign   => '?',    rank => 4 },
    'not tested'     => { word => 'not tested',     class => 'dim',  rank   => 5 },
    'not comparable' => { word => 'not comparable', class => 'dim',  rank   => 6 },

    # of a run, of a roll-out, and of the hosts of a fleet
    invalid    => { word => 'not valid', class => 'bad', colour => 'bad' },
    worse      => { word => 'worse',     class => 'bad' },
    'no worse' => { word => 'no worse',  class => 'good' },
    bad        => { word => 'slow',      class => 'bad' },
    suspect    => { word => 'suspect',   class => 'suspect' },
    cleared    => { word => 'cleared',   class => 'good' },
    fast       => { word => 'fast',      class => 'good' },
);

sub word  { my ($verdict) = @_; return ($VERDICT{$verdict} || {})->{word}  // $verdict }
sub class { my ($verdict) = @_; return ($VERDICT{$verdict} || {})->{class} // 'dim' }
sub sign  { my ($verdict) = @_; return ($VERDICT{$verdict} || {})->{sign}  // '' }

# True for a significant difference.
sub is_clear { my ($verdict) = @_; return class($verdict) ne 'dim' }

# The verdicts of comparisons, in the order of interest.
sub order {
    my @order = sort { $VERDICT{$a}{rank} <=> $VERDICT{$b}{rank} } grep { $VERDICT{$_}{rank} } keys %VERDICT;
    return @order;
}

# The colour of each word that a terminal shows in one.
sub coloured_words {
    return map { ($_->{word} => $_->{colour}) } grep { defined $_->{colour} } values %VERDICT;
}

1;
