# SPDX-License-Identifier: GPL-2.0-or-later
# Pack::Fleet::Command::Plan - fleet plan creates a campaign, or reads it; fleet confirm: one of the suspects
# of another. What is still to be measured is printed as JSON. Words that measure are looked at as if they
# were to measure here before anything is written.
package Touchstone::Pack::Fleet::Command::Plan;
use 5.014;
use strict;
use warnings;

use File::Basename ();
use Time::HiRes ();

use Touchstone::Base::Directories;
use Touchstone::Base::Text qw(list_and_more natural_key plain plural);
use Touchstone::Base::Trouble qw(or_refuse refuse);
use Touchstone::Cli::Output;
use Touchstone::Cli::App;
use Touchstone::Cli::Options;
use Touchstone::Pack::Fleet::Campaign;
use Touchstone::Pack::Fleet::Retests;
use Touchstone::Pack::Fleet::Plan;
use Touchstone::Pack::Fleet::Stats::Outliers qw($FEWEST);
use Touchstone::Record::Campaign;
use Touchstone::Record::Json;
use Touchstone::Record;
use Touchstone::Run::Request;
use Touchstone::Run::Plan;

# Options that are not for hosts, and whether a value follows.
my %OWN = (campaign => 1, 'dry-run' => 0);

# Suspects that a note names.
my $NAMED = 3;

# These name a stored run of this machine.
my @ALONE = qw(baseline fail-on);

sub run {
    my ($options, %at) = @_;
    my $plan =
        $options->{command} eq 'fleet confirm'
        ? _confirmed($options, %at)
        : _planned($options, %at);
    return Touchstone::Cli::Output::say(Touchstone::Record::Json::encode($plan));
}

sub _planned {
    my ($options, %at) = @_;
    my $asked = _asked($options->{operands}[0]);
    my ($conflicting) = grep { defined $options->{$_} } @ALONE;
    refuse("fleet plan and --$conflicting cannot be combined: hosts do not have that run\n")
        if defined $conflicting;
    my ($directory, $id) = _place($options, $asked, $at{base});
    my $takes    = _dry_plan($options, $at{base});
    my $manifest = Touchstone::Pack::Fleet::Plan::make(
        $directory, $asked,
        campaign => $id,
        words    => [ _measuring($options->{operands}[0], @{ $at{words} }) ],
        seconds  => $takes->{most},
        seed     => $options->{seed} // _seed(),
        dry      => $options->{'dry-run'}
    );
    my $hosts = @{ $manifest->{hosts} };
    my $few =
        plural($hosts, 'host') . ": fewer than $FEWEST of one kind are listed by speed, without verdicts";
    return {
        %{ Touchstone::Pack::Fleet::Plan::todo($manifest) },
        %$takes,
        $hosts < $FEWEST ? (note => $few) : ()
    };
}

sub _seed { return int(Time::HiRes::time() * 1e6 + $$) % 1e9 }

sub _asked {
    my ($file) = @_;
    my $shown  = $file eq $Touchstone::Record::STANDARD_INPUT ? 'standard input' : "'$file'";
    my $asked  = eval { Touchstone::Pack::Fleet::Plan::read_hosts(Touchstone::Record->text_of($file)) };
    return $asked if $asked;
    refuse($@ =~ /\Acannot (?:open|read)/ ? $@ : "$shown is not a list of hosts: $@");
}

# A campaign of suspects that has not come to its end goes on; otherwise a new one is made of those that are
# suspects now. `within` limits it to new suspects, and to retests of at most this many minutes.
sub _confirmed {
    my ($options, %at) = @_;
    my $results   = Touchstone::Base::Directories::find($at{base})->{results};
    my $directory = Touchstone::Pack::Fleet::Campaign::title($results, $options->{operands}[0]);
    my $manifest  = or_refuse(sub { Touchstone::Pack::Fleet::Campaign::expect($directory) });
    refuse("'$directory' measures suspects of '$manifest->{of}' itself: confirm that one\n")
        if defined $manifest->{of};
    my $takes   = _dry_plan(Touchstone::Cli::Options::parse(@{ $manifest->{words} }), $at{base});
    my @earlier = map {
        my $place = $_;
        or_refuse(sub { Touchstone::Pack::Fleet::Campaign::expect($place) })
    } Touchstone::Pack::Fleet::Campaign::confirmations($directory);
    my $again = $earlier[-1];
    my $plan  = $again ? Touchstone::Pack::Fleet::Plan::todo($again) : { todo => [] };
    return { %$plan, %$takes,
        note => 'retest of ' . (_retest($again, $takes->{most}, @{ $again->{hosts} }))[0] }
        if @{ $plan->{todo} };
    return { %{ _new_retests($manifest, $takes->{most}, $options->{within}, @earlier) }, %$takes };
}

sub _new_retests {
    my ($manifest, $seconds, $within, @earlier) = @_;
    my %known = map { $_->{name} => 1 } grep { ($_->{role} // '') eq 'suspect' }
        map { @{ $_->{hosts} } } @earlier;
    require Touchstone::Pack::Fleet::Judge;
    my $judgement = Touchstone::Pack::Fleet::Judge::judge($manifest->{directory});
    my @chosen    = Touchstone::Pack::Fleet::Retests::chosen($judgement, defined $within ? \%known : undef);
    Touchstone::Cli::App::print_trouble(
        "no host is suspected in '$manifest->{directory}': nothing to measure again\n")
        if !@chosen && !defined $within;
    return _nothing($manifest) if !@chosen;
    my ($note, $minutes) = _retest($manifest, $seconds, @chosen);
    return _nothing($manifest, "$note: not retested automatically") if $minutes > ($within // $minutes);
    my $again = Touchstone::Pack::Fleet::Plan::again($manifest, $Touchstone::Pack::Fleet::Retests::RUNS,
        _seed(), @chosen);
    return { %{ Touchstone::Pack::Fleet::Plan::todo($again) }, note => "retest of $note" };
}

# What the retests of hosts are, in words, and how many minutes they take at most.
sub _retest {
    my ($manifest, $seconds, @hosts) = @_;
    my $runs    = $Touchstone::Pack::Fleet::Retests::RUNS;
    my $minutes = Touchstone::Pack::Fleet::Plan::duration($manifest, $seconds, $runs, @hosts) / 60;
    my @names   = map { $_->{name} } grep { $_->{role} eq 'suspect' } @hosts;
    my $note    = sprintf '%s and %s, %d runs each, at most %s',
        plain(list_and_more($NAMED, sort { natural_key($a) cmp natural_key($b) } @names)),
        plural(@hosts - @names, 'other host'), $runs, plural(1 + int $minutes, 'minute');
    return ($note, $minutes);
}

sub _nothing {
    my ($manifest, $note) = @_;
    my $plan = Touchstone::Pack::Fleet::Plan::todo($manifest);
    return {
        %$plan,
        campaign  => undef,
        directory => undef,
        of        => $manifest->{campaign},
        todo      => [],
        defined $note ? (note => $note) : ()
    };
}

# The directory of the campaign and its name; each follows from the other where only one is said.
sub _place {
    my ($options, $asked, $base) = @_;
    my $directory = $options->{campaign};
    my $id        = $asked->{campaign} // (defined $directory ? File::Basename::basename($directory) : undef);
    refuse("fleet plan needs --campaign DIR, or a name in FILE, \"campaign\": \"NAME\"\n")
        if !defined $id;
    refuse("'$id' cannot be the name of a campaign: it needs $Touchstone::Record::Campaign::ID_ALLOWED\n")
        if !Touchstone::Record::Campaign::is_id($id);
    $directory //=
        Touchstone::Pack::Fleet::Campaign::stored(Touchstone::Base::Directories::find($base)->{results}, $id);
    return ($directory, $id);
}

# What a run takes by its plan, in seconds, if hosts are like this one. They may have CPUs that it lacks.
sub _dry_plan {
    my ($options, $base) = @_;
    my %here = %$options;
    delete $here{pin};
    my $request = Touchstone::Run::Request::make(\%here, $base);
    my $plan    = Touchstone::Run::Plan::make(%{ $request->{schedule} }, tests => $request->{tests});
    return { seconds => $plan->{seconds}, most => $plan->{most} };
}

# The arguments without the command, its operand, and the options that are only for the plan.
sub _measuring {
    my ($file, $family, $name, @words) = @_;
    my @measuring;
    my ($operand) = grep { $words[$_] eq $file } 0 .. $#words;
    splice @words, $operand, 1 if defined $operand;
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
