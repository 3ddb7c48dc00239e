# SPDX-License-Identifier: GPL-2.0-or-later
# Score::Findings - what a run found out about its own scores: warnings for its end.
package Touchstone::Score::Findings;
use 5.014;
use strict;
use warnings;

use Touchstone::Base::Figure;
use Touchstone::Base::Text;
use Touchstone::Score::Disturbance;

# A score of which more than this part of the passes was disturbed is not valid.
our $TOO_MANY = 0.5;
my $NAMED = 3;

# Of a record with results: [{ id, text, remedy, invalid, late => 1 }, ...]
sub of_record {
    my ($record) = @_;
    return map {
        { %$_, late => 1 }
    } _disturbed($record), _unsure($record), _too_few($record);
}

# Puts them into the record. A run that is gone on with found some already: they are no longer so.
sub renew {
    my ($record) = @_;
    my %ours = map { $_ => 1 } qw(disturbed precision passes);
    $record->{warnings} = [ (grep { !$ours{ $_->{id} } } @{ $record->{warnings} }), of_record($record) ];
    return $record;
}

sub _disturbed {
    my ($record)  = @_;
    my @passes    = grep { $_->{round} } @{ $record->{passes} };
    my @disturbed = grep { $_->{marks} } @passes;
    return if !@disturbed;
    my $causes = join ', ',
        map { "$Touchstone::Score::Disturbance::WORDS{ $_->[0] } ($_->[1])" }
        Touchstone::Score::Disturbance::counted(@disturbed);
    my $lost = grep { $_->{disturbed} > $TOO_MANY * $_->{passes} } _tests($record);
    return {
        id     => 'disturbed',
        text   => sprintf('%d of %d passes were disturbed by %s', scalar @disturbed, scalar @passes, $causes),
        remedy => 'the log names them; repeat the run when nothing else happens',
        $lost ? (invalid => 1) : ()
    };
}

# The time was spent before every score was sure.
sub _unsure {
    my ($record) = @_;
    my $wanted = $record->{schedule}{precision};

    # A duet goes on until the ratios of its pairs are sure, and the comparison tells how sure they are.
    return if !$wanted || ($record->{purpose} // '') eq 'duet' || ($record->{status} // '') eq 'stopped';
    my @all    = _tests($record);
    my @unsure = sort { $b->{precision} <=> $a->{precision} }
        grep { defined $_->{precision} && $_->{precision} > $wanted } @all;
    return if !@unsure;
    my $many = @unsure;
    splice @unsure, $NAMED if @unsure > $NAMED;
    my $names = join(', ',
        map { Touchstone::Base::Text::named($_) . ' ' . Touchstone::Base::Figure::sureness($_->{precision}) }
            @unsure)
        . ($many > $NAMED ? ', ...' : '');
    return {
        id   => 'precision',
        text => sprintf(
            '%d of %d %s less sure than +- %g %%: %s',
            $many, scalar @all,
            @all == 1 ? 'score is' : 'scores are',
            $wanted * 100, $names
        ),
        remedy => 'use a longer --budget, or a quieter machine'
    };
}

sub _too_few {
    my ($record) = @_;
    my @few = grep { !defined $_->{interval} } _tests($record);
    return if !@few;
    my ($least, $most) = (sort { $a <=> $b } map { $_->{passes} } @few)[ 0, -1 ];
    my $passes =
        $most == 1 ? '1 pass gives' : ($least == $most ? $least : "$least to $most") . ' passes give';
    my $scores = @few == 1 ? "the score of $few[0]{name} is" : @few . ' scores are';
    return {
        id     => 'passes',
        text   => "n too small: $passes no interval, so it is unknown how sure $scores",
        remedy => _more_passes($record)
    };
}

sub _more_passes {
    my ($record) = @_;
    my $stopped  = ($record->{status} // '') eq 'stopped';
    return 'let the duet come to its end'     if $stopped && ($record->{purpose} // '') eq 'duet';
    return "--resume $record->{name} goes on" if $stopped;
    my %remedy = (
        default => 'use a longer --budget',
        quick   => 'use the default schedule',
        classic => 'use the default schedule, or -i 17'
    );
    return $remedy{ $record->{schedule}{kind} // 'default' };
}

sub _tests {
    my ($record) = @_;
    return map {
        my $copies = $_->{copies};
        map {
            { %$_, copies => $copies }
        } @{ $_->{tests} }
    } @{ $record->{results} };
}

1;
