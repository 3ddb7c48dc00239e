# SPDX-License-Identifier: GPL-2.0-or-later
# Cli::Verb::Compare - --compare: stored runs, judged.
package Touchstone::Cli::Verb::Compare;
use 5.014;
use strict;
use warnings;

use Touchstone::Base::Directories;
use Touchstone::Base::Trouble qw(or_refuse);
use Touchstone::Cli::Output;
use Touchstone::Cli::Comparison;
use Touchstone::Compare;
use Touchstone::Compare::Drift;
use Touchstone::Compare::Run;
use Touchstone::Compare::SelfCompare;
use Touchstone::Suite;

# The exit status of trouble differs from that of "worse", so that no script takes one for the other.
sub run {
    my ($want, %at) = @_;
    my $places = Touchstone::Base::Directories::find($at{base});
    my $titles = Touchstone::Suite::load()->titles;
    my @prices = @{ $want->{price} || [] };
    my @runs   = map {
        my $run = $_;
        +{
            %{ or_refuse(sub { Touchstone::Compare::Run::load($run, $places->{runs}, $titles) }) },
            from => $run,
            @prices ? (price => shift @prices) : ()
        }
    } @{ $want->{tests} };
    my $comparison = eval {
        my $smallest = Touchstone::Compare::SelfCompare::find($places, @runs);
        my $found    = Touchstone::Compare::compare(
            runs     => \@runs,
            fail_on  => $want->{'fail-on'},
            smallest => $smallest,
            drift    => Touchstone::Compare::Drift::find($places, @runs)
        );
        Touchstone::Cli::Output::say(Touchstone::Cli::Comparison::render($want->{format} // 'text', $found));
        $found;
    } or die Touchstone::Base::Trouble::of_judge($@);
    return $comparison->{status};
}

1;
