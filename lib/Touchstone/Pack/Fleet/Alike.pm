# SPDX-License-Identifier: GPL-2.0-or-later
# Pack::Fleet::Alike - judges a run by records of machines of its kind (Pack::Fleet::Peers), for the command
# place of another pack.
package Touchstone::Pack::Fleet::Alike;
use 5.014;
use strict;
use warnings;

use Touchstone::Base::Text qw(plain plain_data);
use Touchstone::Base::Trouble qw(or_refuse refuse);
use Touchstone::Pack::Fleet::Campaign;
use Touchstone::Pack::Fleet::HostRun;
use Touchstone::Pack::Fleet::Peers;
use Touchstone::Pack::Fleet::Peers::Filter;
use Touchstone::Pack::Fleet::Report::HostPages;
use Touchstone::Pack::Fleet::Report::Peers;
use Touchstone::Record;
use Touchstone::Score;

# A campaign is also known by its name.
sub path {
    my ($set, $places) = @_;
    return Touchstone::Pack::Fleet::Campaign::title($places->{results}, $set);
}

# `set`: a file or a directory of records; `run`: a name or path, or nothing for the newest.
sub judged {
    my (%of) = @_;
    my $references = or_refuse(sub { Touchstone::Pack::Fleet::Peers::Filter::read($of{set}) });
    refuse("no record of a run in '$of{set}'\n", _why(@{ $references->{damaged} }))
        if !@{ $references->{members} };
    my $run      = or_refuse(sub { _run($of{run}, $of{places}{runs}, @{ $references->{members} }) });
    my $position = {
        %{ Touchstone::Pack::Fleet::Peers::judge($run, $references->{members}) },
        damaged => $references->{damaged}
    };
    my $plain = plain_data($position);
    my ($columns, @rows) = Touchstone::Pack::Fleet::Report::Peers::rows($plain);
    return {
        status    => $position->{status},
        file      => $run->{file},
        data      => $position,
        columns   => $columns,
        rows      => \@rows,
        sentences => [ Touchstone::Pack::Fleet::Report::Peers::sentences($plain) ],
        parts     => [ Touchstone::Pack::Fleet::Report::Peers::parts($plain) ],
        style     => $Touchstone::Pack::Fleet::Report::HostPages::CSS
    };
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

1;
