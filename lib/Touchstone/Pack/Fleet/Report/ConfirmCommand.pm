# SPDX-License-Identifier: GPL-2.0-or-later
# Pack::Fleet::Report::ConfirmCommand - what an operator types next, for the carrier of a campaign:
#
#   measure($judgement)    goes on with the hosts that are missing
#   confirm($judgement)    measures suspects and controls again
#   run($judgement)        Run itself
#
# The first two are a line for a shell, or nothing where there is no campaign. FILE stands in it for the list
# of hosts, which a campaign does not know the place of. A judgement knows where its reader types: `run` is
# the command, and `home`, which ends with a slash, is the directory of fleet/, unless the reader is there.
package Touchstone::Pack::Fleet::Report::ConfirmCommand;
use 5.014;
use strict;
use warnings;

use Exporter qw(import);

use Touchstone::Record::Json;

our @EXPORT_OK = qw(confirm measure quoted run);

# HOME is the directory of the carriers, ID the name of the campaign, DIR its directory, WORDS what it
# measures, and ANSIBLE the same as variables.
my %MEASURE = (
    ansible    => 'ansible-playbook -i hosts HOME/measure.yml -e touchstone_campaign=ID ANSIBLE',
    slurm      => 'HOME/slurm/submit DIR FILE WORDS',
    kubernetes => 'HOME/kubernetes/make ... DIR FILE -- WORDS | kubectl apply -f -',
    ssh        => 'HOME/ssh DIR FILE WORDS'
);
my %CONFIRM = (ansible => 'ansible-playbook -i hosts HOME/confirm.yml -e touchstone_campaign=ID');

# Where a carrier has no command of its own, these are the words of Run itself.
my $CONFIRM = 'RUN --confirm DIR';
my $MEASURE = 'RUN --plan FILE --campaign DIR WORDS';

sub measure { my ($judgement) = @_; return _line($judgement, \%MEASURE, $MEASURE) }
sub confirm { my ($judgement) = @_; return _line($judgement, \%CONFIRM, $CONFIRM) }

sub run { my ($judgement) = @_; return $judgement->{run} // './Run' }

sub _line {
    my ($judgement, $of, $otherwise) = @_;
    my $campaign = $judgement->{campaign} or return;
    my $line     = $of->{ $campaign->{carrier} // '' } // $otherwise;
    my %stands   = (
        HOME    => quoted(($judgement->{home} // '') . 'fleet'),
        RUN     => run($judgement),
        ID      => $campaign->{campaign},
        DIR     => quoted($judgement->{directory}),
        WORDS   => join(' ', map { quoted($_) } @{ $campaign->{words} || [] }),
        ANSIBLE => _variables($campaign)
    );
    return $line =~ s/\b(HOME|RUN|ID|DIR|WORDS|ANSIBLE)\b/$stands{$1}/gr =~ s/ +\z//r =~ s/ -- +(?=\|)/ /r;
}

# What a campaign is known by besides its name: with other words, or more runs, it is another one. Ansible
# prints the line with a backslash before each double quote, so plain words are YAML without any.
sub _variables {
    my ($campaign) = @_;
    my @words      = @{ $campaign->{words} || [] };
    my $plain      = join ' ', @words;
    my $is_plain   = $plain =~ m{\A[\w./=+-]+(?: [\w./=+-]+)*\z}a;
    my $value      = $is_plain ? $plain : Touchstone::Record::Json::encode_line(\@words);
    return join ' ',
        (($campaign->{runs} // 1) > 1 ? "-e touchstone_runs=$campaign->{runs}"       : ()),
        (@words                       ? '-e ' . quoted("{touchstone_words: $value}") : ());
}

# A word for a shell; names are a stranger's.
sub quoted {
    my ($word) = @_;
    return $word =~ m{\A[\w./:\@%+=,-]+\z}a ? $word : "'" . $word =~ s/'/'\\''/gr . "'";
}

1;
