# SPDX-License-Identifier: GPL-2.0-or-later
# Planned - what Run fleet plan says is still to be measured, for carriers that are no playbook.
#
#   my $plan = planned('slurm', 'k68', 'hosts', '--quick');     a file of hosts, as Run fleet plan reads it
#   my $plan = planned('slurm', 'k68', \"web1\nweb2\n", '--quick');     the hosts themselves
#   my $plan = retests('k68', @options);                         what Run fleet confirm says
#   $plan->{campaign}, $plan->{directory}, $plan->{seconds}, $plan->{todo}[0]{name}, $plan->{todo}[0]{words}
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

our @EXPORT_OK = qw($TREE output planned retests run shell_word typed);

# The typed command, which the report repeats.
my @TYPED = ($0, @ARGV);

# The commands of a carrier are such, with what stands before and after; no longer than this.
my %FRAME   = (kubernetes => [ '', ' | kubectl apply -f -' ], slurm => [ '', '' ], ssh => [ _bundle(), '' ]);
my $LONGEST = 1000;

# Returns the plan of a campaign, which is made where there is none. It ends this program if Run cannot plan,
# and has said why.
sub planned {
    my ($carrier, $directory, $hosts, @what) = @_;
    my $text  = ref $hosts ? $$hosts : Touchstone::Record->text_of($hosts);
    my $asked = eval { Touchstone::Pack::Fleet::Plan::read_hosts($text) }
        // die ref $hosts ? 'no list of hosts: ' : "'" . plain($hosts) . "' is no list of hosts: ", $@;
    my $file = File::Temp->new;
    print {$file}
        Touchstone::Record::Json::encode({ carrier => $carrier, _command($carrier, $directory), %$asked });
    close $file or die "cannot write '$file': $!\n";
    return _plan('plan', "$file", '--campaign', $directory, @what);
}

# Returns the plan of retests of a campaign's suspects.
sub retests { my (@words) = @_; return _plan('confirm', @words) }

sub _plan {
    my (@words) = @_;
    my ($status, $said) = output("$TREE/Run", 'fleet', @words);
    exit($status >> 8 || 1) if $status != 0;
    my $plan = Touchstone::Record::Json::decode($said);
    print STDERR "$plan->{note}\n" if defined $plan->{note} && (@{ $plan->{todo} } || $words[0] eq 'confirm');
    return $plan;
}

# The command that goes on with a campaign, and the one that retests its suspects: the options before the
# directory are those of both.
sub _command {
    my ($carrier, $directory) = @_;
    my $frame = $FRAME{$carrier} or return;
    my @typed = @TYPED;
    if ($carrier eq 'ssh') {
        splice @typed, 0, 2, $ENV{TOUCHSTONE_TYPED} // return;
    }
    my ($at) = grep { $typed[$_] eq $directory } 1 .. $#typed;
    my ($measure, $confirm) = map {
              $frame->[0]
            . join(' ', map { typed($_) } @$_)
            . $frame->[1]
    } \@typed, [ @typed[ 0 .. $at - 1 ], '--confirm', $directory ];
    return if length $measure > $LONGEST;
    return (command => { in => Cwd::getcwd(), measure => $measure, confirm => $confirm });
}

sub _bundle { return defined $ENV{BUNDLE} ? 'BUNDLE=' . typed($ENV{BUNDLE}) . ' ' : '' }

# A word for a shell, in quotes only if it needs them.
sub typed { my ($word) = @_; return $word =~ m{\A[\w./:\@%+=,-]+\z}a ? $word : shell_word($word) }

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
