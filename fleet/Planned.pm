# SPDX-License-Identifier: GPL-2.0-or-later
# Planned - what Run fleet plan says is still to be measured, for carriers that are no playbook.
#
#   my $plan = planned('slurm', 'k68', 'hosts', '--quick');     a file of hosts, as Run fleet plan reads it
#   my $plan = planned('slurm', 'k68', \"web1\nweb2\n", '--quick');     the hosts themselves
#   $plan->{campaign}, $plan->{seconds}, $plan->{todo}[0]{name}, $plan->{todo}[0]{words}
package Planned;
use 5.014;
use strict;
use warnings;

use Cwd qw(abs_path);
use Exporter qw(import);
use File::Basename qw(dirname);
use File::Temp ();

our $TREE;
BEGIN { $TREE = dirname(dirname(abs_path(__FILE__))) }
use lib "$TREE/lib";

use Touchstone::Base::Text qw(plain);
use Touchstone::Pack::Fleet::Plan;
use Touchstone::Record::Json;
use Touchstone::Record;

our @EXPORT_OK = qw($TREE output planned run shell_word);

# Returns the plan of a campaign, which is made where there is none. It ends this program if Run cannot plan,
# and has said why.
sub planned {
    my ($carrier, $directory, $hosts, @what) = @_;
    my $text  = ref $hosts ? $$hosts : Touchstone::Record->text_of($hosts);
    my $asked = eval { Touchstone::Pack::Fleet::Plan::read_hosts($text) }
        // die ref $hosts ? 'no list of hosts: ' : "'" . plain($hosts) . "' is no list of hosts: ", $@;
    my $file = File::Temp->new;
    print {$file} Touchstone::Record::Json::encode({ carrier => $carrier, %$asked });
    close $file or die "cannot write '$file': $!\n";
    my ($status, $said) = output("$TREE/Run", 'fleet', 'plan', "$file", '--campaign', $directory, @what);
    exit($status >> 8 || 1) if $status != 0;
    return Touchstone::Record::Json::decode($said);
}

# Returns the status and the standard output of a program.
sub output {
    my (@words) = @_;
    open my $from, '-|', @words or die "cannot run '$words[0]': $!\n";
    local $/;
    my $said = <$from> // '';
    close $from;
    return ($?, $said);
}

# Runs Run with words, and returns whether it ended well.
sub run { my (@words) = @_; return system("$TREE/Run", @words) == 0 }

sub shell_word { my ($text) = @_; return q{'} . ($text =~ s/'/'\\''/gr) . q{'} }

1;
