# SPDX-License-Identifier: GPL-2.0-or-later
# Record::Warnings - all warnings of a run, as its file has them and reports say them:
#
#   { id => 'overlap', text => '...', remedy => '...', invalid => 1, late => 1 }
#
# invalid: scores are not valid; late: found out while the run went on, or at its end. The facts of a run
# hold those that were noted while it went on. What scoring found at the end of a run gets its words here; a
# stored run has them among its facts.
package Touchstone::Record::Warnings;
use 5.014;
use strict;
use warnings;

use Touchstone::Base::Figure qw(sureness);
use Touchstone::Base::Text qw(named);

# So many tests of a finding are named.
my $NAMED = 3;

# The marks of a disturbed pass in words.
our %DISTURBED_BY = (
    overlap   => 'copies that hardly ran together',
    steal     => 'CPU time taken by the hypervisor',
    throttled => 'throttling by the CPU quota',
    heat      => 'a CPU slowed down by heat',
    swap      => 'swapping',
    other     => 'other processes',
    memory    => 'processes that waited for memory',
    io        => 'processes that waited for disks',
    cpu       => 'processes that waited for a CPU',
);

my %WORDS = (disturbed => \&_disturbed, precision => \&_unsure, passes => \&_too_few);

# A list of them. A run that is gone on with has findings of its former end among its facts: they are no
# longer so.
sub of {
    my ($facts, $results) = @_;
    my @noted = @{ $facts->{warnings} };
    return \@noted if !$results->{findings};
    return [
        (grep { !$WORDS{ $_->{id} } } @noted),
        map { +{ id => $_->{id}, $WORDS{ $_->{id} }->($_, $facts), late => 1 } } @{ $results->{findings} }
    ];
}

# Tells that the scores of a run are not valid, the one rule for every report that is ours: undef, or
#
#   { text    => '204 of 206 passes were disturbed by other processes',
#     remedy  => 'run it again on an idle machine',
#     reasons => [ the warnings that say so ] }
sub void {
    my ($facts, $results) = @_;
    my @reasons = grep { $_->{invalid} } @{ of($facts, $results) } or return undef;
    my ($first) = @reasons;
    my %seen;
    return {
        text    => join('; ', grep { !$seen{$_}++ } map { $_->{text} } @reasons),
        remedy  => $first->{remedy},
        reasons => \@reasons
    };
}

sub _disturbed {
    my ($found) = @_;
    my $causes  = join ', ', map { "$DISTURBED_BY{ $_->[0] } ($_->[1])" } @{ $found->{causes} };
    return (
        text   => "$found->{passes} of $found->{among} passes were disturbed by $causes",
        remedy => 'run it again on an idle machine; the log names the passes',
        $found->{invalid} ? (invalid => 1) : ()
    );
}

sub _unsure {
    my ($found) = @_;
    my @unsure  = @{ $found->{tests} };
    my $many    = @unsure;
    splice @unsure, $NAMED if @unsure > $NAMED;
    my $names = join(', ', map { named($_) . ' ' . sureness($_->{precision}) } @unsure)
        . ($many > $NAMED ? ', ...' : '');
    return (
        text => sprintf(
            '%d of %d %s less sure than +- %g %%: %s',
            $many, $found->{scores},
            $found->{scores} == 1 ? 'score is' : 'scores are',
            $found->{wanted} * 100, $names
        ),
        remedy => 'use a longer --budget, or a quieter machine'
    );
}

sub _too_few {
    my ($found, $facts) = @_;
    my @few = @{ $found->{tests} };
    my ($least, $most) = (sort { $a <=> $b } map { $_->{passes} } @few)[ 0, -1 ];
    my $passes =
        $most == 1 ? '1 pass gives' : ($least == $most ? $least : "$least to $most") . ' passes give';
    my $scores = @few == 1 ? "the score of $few[0]{name} is" : @few . ' scores are';
    return (
        text   => "n too small: $passes no interval, so it is unknown how sure $scores",
        remedy => _more_passes($facts)
    );
}

sub _more_passes {
    my ($facts) = @_;
    my $stopped = ($facts->{status} // '') eq 'stopped';
    return 'let the duet come to its end'    if $stopped && ($facts->{purpose} // '') eq 'duet';
    return "--resume $facts->{name} goes on" if $stopped;
    my %remedy = (
        default => 'use a longer --budget',
        quick   => 'use the default schedule',
        classic => 'use the default schedule, or -i 17'
    );
    return $remedy{ $facts->{schedule}{kind} // 'default' };
}

1;
