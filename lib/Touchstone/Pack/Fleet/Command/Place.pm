# SPDX-License-Identifier: GPL-2.0-or-later
# Pack::Fleet::Command::Place - the command place: ranks a stored run among similar machines.
package Touchstone::Pack::Fleet::Command::Place;
use 5.014;
use strict;
use warnings;

use Touchstone::Base::Directories;
use Touchstone::Base::Text qw(plain);
use Touchstone::Base::Trouble qw(or_refuse refuse);
use Touchstone::Cli::Output;
use Touchstone::Pack::Fleet::Campaign;
use Touchstone::Pack::Fleet::Peers;
use Touchstone::Pack::Fleet::HostRun;
use Touchstone::Pack::Fleet::Peers::Filter;
use Touchstone::Record;
use Touchstone::Pack::Fleet::Report;
use Touchstone::Score;
use Touchstone::Terminal;

# The columns of a text where there is not a terminal.
my $COLUMNS = 110;

sub run {
    my ($options, %at) = @_;
    my $places = Touchstone::Base::Directories::find($at{base});
    my ($run)  = @{ $options->{operands} };
    my $set    = $options->{among} // refuse(
        "place needs --among FILE-OR-DIR, the records of similar machines, such as results/.runs\n");
    my $position = eval {
        my $directory  = Touchstone::Pack::Fleet::Campaign::title($places->{results}, $set);
        my $references = or_refuse(sub { Touchstone::Pack::Fleet::Peers::Filter::read($directory) });
        refuse("no record of a run in '$set'\n", _why(@{ $references->{damaged} }))
            if !@{ $references->{members} };
        my $measured = or_refuse(sub { _run($run, $places->{runs}, @{ $references->{members} }) });
        my $position = {
            %{ Touchstone::Pack::Fleet::Peers::judge($measured, $references->{members}) },
            damaged => $references->{damaged}
        };
        _say($options->{format} // 'text', $position);
        $position;
    };
    die Touchstone::Base::Trouble::of_judge($@) if !$position;
    return $position->{status};
}

# A run by name or path, the newest of a host of the set, or the newest that is stored.
sub _run {
    my ($run, $directory, @set) = @_;
    return _newest($directory) if !defined $run;
    my $facts = eval { Touchstone::Record->load($run, $directory) };
    my $why   = $@;
    return _member($facts, $run) if $facts;
    my ($of_set) =
        sort { $b->{started} <=> $a->{started} } grep { $_->{host} eq $run || $_->{name} eq $run } @set;
    return $of_set // die $why;
}

sub _newest {
    my ($directory) = @_;
    my $facts = Touchstone::Record->newest($directory, sub { 1 })
        // die "no stored run in '$directory'\ntry: ./Run place RUN --among FILE-OR-DIR\n";
    return _member($facts, $facts->{name});
}

sub _member {
    my ($facts, $name) = @_;
    return Touchstone::Pack::Fleet::HostRun::from_record($facts, Touchstone::Score::scores($facts), $name);
}

sub _why {
    my ($first) = @_;
    return $first ? plain("'$first->{file}': $first->{why}") . "\n" : '';
}

sub _say {
    my ($format, $position) = @_;
    my $terminal = Touchstone::Terminal->detect(\*STDOUT);
    my $text =
        Touchstone::Pack::Fleet::Report::render($format, peers => $position, ascii => !$terminal->is_utf8);
    return Touchstone::Cli::Output::say($text) if $format ne 'text';

    # The answer is a line where there are no columns, so that a script can take the first.
    my ($answer, $rest) = $text =~ /\A(.*?\n)(.*)\z/s;
    return Touchstone::Cli::Output::say(
        Touchstone::Cli::Output::wrapped($answer) . Touchstone::Cli::Output::wrapped($rest, $COLUMNS));
}

1;
