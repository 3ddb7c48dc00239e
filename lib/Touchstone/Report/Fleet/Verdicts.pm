# SPDX-License-Identifier: GPL-2.0-or-later
# Report::Fleet::Verdicts - the last verdict on each host, for checks of health that have milliseconds: a line
# with the verdict, the campaign, when its newest record ended (seconds since 1970), and the name of the host,
# which may have blanks:
#
#   bad k68-rollout 1795317005 web09
#   good k68-rollout 1795317005 web10
#
# Nobody knows anything of a host without a line: it is missing, or it was not judged. Fast and cleared ones
# are good, and one that new runs left inconclusive is still suspect.
package Touchstone::Report::Fleet::Verdicts;
use 5.014;
use strict;
use warnings;

use Touchstone::Report::Fleet::Phrases qw(class);

my %WORD = (bad => 'bad', suspect => 'suspect', inconclusive => 'suspect');

sub render {
    my ($judgement) = @_;
    my $campaign    = ($judgement->{campaign} || {})->{campaign} // '-';
    my $ended       = int($judgement->{ended} // 0);
    return join '', map { "$_\n" }
        sort map { ($WORD{ class($_) } // 'good') . " $campaign $ended $_->{host}" }
        map { @{ $_->{hosts} } } grep { $_->{judged} } @{ $judgement->{groups} };
}

1;
