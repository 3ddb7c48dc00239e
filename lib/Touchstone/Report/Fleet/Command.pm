# SPDX-License-Identifier: GPL-2.0-or-later
# Report::Fleet::Command - what an operator types next, for the carrier of a campaign:
#
#   measure($judgement)    goes on with the hosts that are missing
#   confirm($judgement)    measures suspects and controls again
#
# Each is a line for a shell, or nothing where there is no campaign.
package Touchstone::Report::Fleet::Command;
use 5.014;
use strict;
use warnings;

use Touchstone::Report::Fleet::Words qw(missing);

# ID is the name of the campaign, DIR its directory, HOSTS the hosts that it is about.
my %MEASURE = (
    ansible    => 'ansible-playbook -i hosts fleet/measure.yml -e campaign=ID',
    slurm      => 'fleet/slurm/submit ID HOSTS',
    kubernetes => 'fleet/kubernetes/make ID HOSTS | kubectl apply -f -',
    ssh        => 'fleet/ssh ID HOSTS'
);
my %CONFIRM = (ansible => 'ansible-playbook -i hosts fleet/confirm.yml -e campaign=ID');

# Where a carrier has no command of its own, these are the words of Run itself.
my $CONFIRM = './Run --confirm DIR';
my $OTHER   = './Run --plan FILE --campaign DIR';

# So many hosts are named; more do not fit on a line.
my $NAMED = 6;

sub measure {
    my ($judgement) = @_;
    return _line($judgement, \%MEASURE, $OTHER, map { $_->{host} } missing($judgement));
}

sub confirm {
    my ($judgement) = @_;
    return _line($judgement, \%CONFIRM, $CONFIRM);
}

sub _line {
    my ($judgement, $of, $otherwise, @hosts) = @_;
    my $campaign = $judgement->{campaign} or return;
    my $line     = $of->{ $campaign->{carrier} // '' } // $otherwise;
    my %stands   = (
        ID    => $campaign->{campaign},
        DIR   => quoted($judgement->{directory}),
        HOSTS => @hosts > $NAMED ? 'HOST...' : join ' ',
        map { quoted($_) } @hosts
    );
    return $line =~ s/\b(ID|DIR|HOSTS)\b/$stands{$1}/gr;
}

# A word for a shell; names are a stranger's.
sub quoted {
    my ($word) = @_;
    return $word =~ m{\A[\w./:\@%+=,-]+\z}a ? $word : "'" . $word =~ s/'/'\\''/gr . "'";
}

1;
