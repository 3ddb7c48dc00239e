# SPDX-License-Identifier: GPL-2.0-or-later
# Report::Run::Warnings - what a reader must know before the scores, and what else there is to know, by
# weight. What makes a run not valid, or cut it short, is a banner; failures, skipped tests and warnings that
# matter are a list; notes, which a run of an ordinary machine has too, are folded:
#
#   Not valid: 204 of 206 passes were disturbed by other processes. Run it again on an idle machine.
#
#   Failed: pipe with 1 copy: exit status 3
#   What to do: ...
#
#   > 3 notes: load-average, locale, passes
package Touchstone::Report::Run::Warnings;
use 5.014;
use strict;
use warnings;

use Touchstone::Base::Text qw(plural);
use Touchstone::Report::Notes;

# More items than these would push the results off the first screen.
my $SHOWN = 4;

# A fold names so many notes.
my $NAMED = 6;

my %WORD = (failed => 'Failed', skipped => 'Skipped', warning => 'Warning', note => 'Note');

# What makes the scores not valid, or incomplete; nothing for a good run.
sub banners {
    my ($model) = @_;
    return map { [ block => { class => 'banner' }, [ text => @$_ ] ] }
        grep { @$_ } [ _invalid($model) ], [ _unfinished($model) ];
}

sub _invalid {
    my ($model) = @_;
    my $void    = $model->{void} or return;
    my $passes  = grep { $_->{id} eq 'disturbed' } @{ $void->{reasons} };
    return (
        [
            _bold('Not valid:'),
            ' ' . ucfirst($void->{text} =~ s/[^.]\K\z/./r),
            $passes ? (' ', { text => 'Which passes', link => '#passes' }) : ()
        ],
        map { 'What to do: ' . Touchstone::Report::Notes::without_log($_) } $void->{remedy} // ()
    );
}

# A duet cannot be resumed, and neither can a run that still goes on.
sub _unfinished {
    my ($model) = @_;
    return if !defined $model->{unfinished};
    my ($how, $rest) = split /: /, $model->{unfinished}, 2;
    my $resumes = ($model->{status} // '') eq 'stopped' && ($model->{purpose} // '') ne 'duet';
    return (
        defined $rest ? [ _bold("$how:"), " $rest." ]                            : [ _bold("$how.") ],
        $resumes      ? "What to do: --resume $model->{name} measures the rest." : ()
    );
}

sub _bold { my ($text) = @_; return { text => $text, as => 'b' } }

# The list of what matters, for the place above the results.
sub parts {
    my ($model) = @_;
    my @groups  = @{ Touchstone::Report::Notes::of($model)->{grave} } or return;
    my @more    = @groups > $SHOWN + 1 ? splice @groups, $SHOWN : ();
    return (_list(@groups), @more ? [ fold => @more . ' more', _list(@more) ] : ());
}

# The folded notes.
sub notes {
    my ($model) = @_;
    my @groups = @{ Touchstone::Report::Notes::of($model)->{light} } or return;
    return [ fold => title($model) . ': ' . _names(@groups), _list(@groups) ];
}

# "3 notes"
sub title {
    my ($model) = @_;
    my $many = map { @{ $_->{texts} } } @{ Touchstone::Report::Notes::of($model)->{light} } or return undef;
    return plural($many, 'note');
}

sub _names {
    my (@groups) = @_;
    my %seen;
    my @names = grep { !$seen{$_}++ } map { @{ $_->{ids} } } @groups;
    my @more  = splice @names, $NAMED if @names > $NAMED;
    return join ', ', @names, @more ? '...' : ();
}

sub _list {
    my (@groups) = @_;
    return [
        list => { class => 'trouble' },
        map { { class => $_->{kind}, parts => [ _item($_) ] } } @groups
    ];
}

sub _item {
    my ($group) = @_;
    my $word = $WORD{ $group->{kind} };
    return (
        [
            text => (map { [ _bold("$word:"), " $_" ] } @{ $group->{texts} }),
            map { "What to do: $_" } $group->{remedy} // ()
        ],
        @{ $group->{output} } ? [ fold => 'What it printed', [ form => @{ $group->{output} } ] ] : ()
    );
}

1;
