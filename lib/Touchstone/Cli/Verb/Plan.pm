# SPDX-License-Identifier: GPL-2.0-or-later
# Cli::Verb::Plan - --plan: a campaign is made, or read, and what is still to be measured is printed as JSON.
# Words that measure are looked at as if they were to measure here before anything is written.
package Touchstone::Cli::Verb::Plan;
use 5.014;
use strict;
use warnings;

use File::Basename ();
use Time::HiRes ();

use Touchstone::Base::Places;
use Touchstone::Cli::Answer;
use Touchstone::Fleet::HostList;
use Touchstone::Fleet::Plan;
use Touchstone::Record::Campaign;
use Touchstone::Record::Json;
use Touchstone::Record;
use Touchstone::Run::Request;
use Touchstone::Run::Session;

my %USAGE = (exit => 2);

# Options that are not for hosts, and whether a value follows.
my %OWN = (plan => 1, campaign => 1, 'dry-run' => 0);

sub run {
    my ($want, %at) = @_;
    my $file  = $want->{plan};
    my $shown = $file eq $Touchstone::Record::STANDARD_INPUT ? 'standard input' : "'$file'";
    my $asked = eval { Touchstone::Fleet::HostList::read(Touchstone::Record->text_of($file)) };
    die { %USAGE, message => $@ =~ /\Acannot open/ ? $@ : "$shown is no list of hosts: $@" } if !$asked;
    my ($directory, $id) = _place($want, $asked, $at{base});
    my $takes    = _dry_plan($want, $at{base});
    my $manifest = Touchstone::Fleet::Plan::make(
        $directory, $asked,
        campaign => $id,
        words    => [ _measuring(@{ $at{words} }) ],
        seconds  => $takes->{most},
        seed     => $want->{seed} // int(Time::HiRes::time() * 1e6 + $$) % 1e9
    );
    my $plan = Touchstone::Fleet::Plan::todo($manifest);
    return Touchstone::Cli::Answer::say(Touchstone::Record::Json::encode({ %$plan, %$takes }));
}

# The directory of the campaign and its name; each follows from the other where only one is said.
sub _place {
    my ($want, $asked, $base) = @_;
    my $directory = $want->{campaign};
    my $id        = $asked->{campaign} // (defined $directory ? File::Basename::basename($directory) : undef);
    die { %USAGE, message => "--plan needs --campaign DIR, or a name in FILE, \"campaign\": \"NAME\"\n" }
        if !defined $id;
    die { %USAGE,
        message =>
            "'$id' cannot be the name of a campaign: it needs $Touchstone::Record::Campaign::ID_ALLOWED\n" }
        if !Touchstone::Record::Campaign::is_id($id);
    return ($directory // Touchstone::Base::Places::find($base)->{results} . "/campaigns/$id", $id);
}

# What a run takes by its plan, in seconds, if hosts are like this one. They may have CPUs that it lacks.
sub _dry_plan {
    my ($want, $base) = @_;
    my %here = %$want;
    delete $here{pin};
    my $request = Touchstone::Run::Request::make(\%here, $base);
    my $plan    = Touchstone::Run::Session::plan_of($request->{schedule}, @{ $request->{tests} });
    return { seconds => $plan->{seconds}, most => $plan->{most} };
}

# The words of the command but those that are for the plan alone.
sub _measuring {
    my (@words) = @_;
    my @measuring;
    while (@words) {
        my $word = shift @words;
        if ($word eq '--') { push @measuring, $word, @words; last }
        my ($name, $value) = $word =~ /\A--([\w-]+)(=.*)?\z/s;
        if    (!defined $name || !exists $OWN{$name}) { push @measuring, $word }
        elsif ($OWN{$name} && !defined $value)        { shift @words }
    }
    return @measuring;
}

1;
