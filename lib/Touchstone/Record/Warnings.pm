# SPDX-License-Identifier: GPL-2.0-or-later
# Record::Warnings - what a warning of a run is, wherever it is made, and all warnings of a run:
#
#   { id => 'overlap', text => '...', remedy => '...', invalid => 1, late => 1, weight => 'invalid' }
#
# invalid: scores are not valid; late: found out while the run went on, or at its end. The facts of a run
# hold the warnings that were noted while it went on. What scoring found at the end of a run gets its words
# here; a stored run has it among its facts. The weight follows from the others and is not stored: `invalid`,
# `warning`, or `note` for what holds for many an ordinary machine, or says how the run was asked for.
#
# Reports show warnings in the order of collect(): those that were noted, then those of the end.
package Touchstone::Record::Warnings;
use 5.014;
use strict;
use warnings;

use Touchstone::Base::Figure qw(no_interval part human seconds plus_minus);
use Touchstone::Base::Symbols qw($PLUS_MINUS);
use Touchstone::Base::Direction qw(is_lower_better);
use Touchstone::Base::Text qw(copies named plural);
use Touchstone::Score::Disturbance;
use Touchstone::Score::Levels;

# This many tests of a finding are named.
my $MAX_NAMED_TESTS = 3;

# What all warnings of a kind have in common:
#
#   note       it is a note, and nothing more
#   finding    makes text, remedy and more of what Score::Diagnostics found
#   details    a part of the text that a narrow line leaves out, because another line or the log has it
#   text, remedy, invalid, late    as above
#
# A kind that is not here is a warning of its own words; those of Machine::Advice have no others.
our %KIND = (
    (map { $_ => { note => 1 } } qw(baseline boost build clock-source load-average locale smt steal)),
    load => {
        note   => 1,
        text   => 'other processes were running when the run began',
        remedy => 'check with top, wait for them to finish'
    },
    overlap   => { late    => 1, remedy => $Touchstone::Score::Disturbance::MARK{overlap}{remedy} },
    partial   => { late    => 1 },
    changed   => { late    => 1, invalid => 1, remedy => 'repeat the run' },
    reference => { invalid => 1, remedy  => 'choose another run with --baseline' },
    disturbed => { late    => 1, finding => \&_disturbed, details => qr/(?: by |: ).*/ },
    precision => { late    => 1, finding => \&_too_wide,  details => qr/(?:: |; widest).*/ },
    passes    => { late    => 1, finding => \&_too_few,   note    => 1 },
    levels    => { late    => 1, finding => \&_levels,    note    => 1 },
);

# Marks of a pass in words, and the colour of one, if it has any.
sub causes {
    return map { $Touchstone::Score::Disturbance::MARK{$_}{words} } @_;
}

sub colour { my ($mark) = @_; return $Touchstone::Score::Disturbance::MARK{$mark}{colour} }

# A record may have any id.
sub _kind { my ($id) = @_; return $KIND{$id} || {} }

# A warning of this kind, with what it does not have in common with all others.
sub warning {
    my ($id, %with) = @_;
    my $kind = _kind($id);
    return {
        id => $id,
        (map { $kind->{$_} ? ($_ => $kind->{$_}) : () } qw(text remedy invalid late)), %with
    };
}

# All warnings of a run, as a list. A run that is gone on with has findings of its former end among its facts:
# they are no longer so.
sub collect {
    my ($facts, $results) = @_;
    my $findings = $results->{findings};
    my @noted    = grep { !$findings || !_kind($_->{id})->{finding} } @{ $facts->{warnings} };
    my @late     = map  { warning($_->{id}, _kind($_->{id})->{finding}->($_, $facts)) } @{ $findings || [] };
    return [
        map { +{ %$_, weight => $_->{invalid} ? 'invalid' : _kind($_->{id})->{note} ? 'note' : 'warning' } }
            @noted,
        @late
    ];
}

# The same as a file has them.
sub stored {
    my ($facts, $results) = @_;
    return [ map { my %warning = %$_; delete $warning{weight}; \%warning } @{ collect($facts, $results) } ];
}

# A warning in a line, with its remedy.
sub sentence {
    my ($warning) = @_;
    return $warning->{text} . (defined $warning->{remedy} ? "; $warning->{remedy}" : '');
}

# The text of a warning without its details.
sub without_details {
    my ($warning) = @_;
    my $details = _kind($warning->{id})->{details} // return $warning->{text};
    return $warning->{text} =~ s/$details//r;
}

# Returns why the scores of a run are not valid, the one rule for every report that is ours: undef, or
#
#   { text    => '204 of 206 passes were disturbed by other processes (204); the index ... 12 % too low',
#     brief   => '204 of 206 passes were disturbed by other processes',
#     main    => the weightiest of the reasons,
#     remedy  => 'run it again on an idle machine',
#     reasons => [ the warnings that make it so ] }
#
# `but`: the id of a warning that is no reason where builds are compared that took turns.
sub why_invalid {
    my ($facts, $results, %with) = @_;
    my $but     = $with{but} // '';
    my @reasons = grep { $_->{invalid} && $_->{id} ne $but } @{ collect($facts, $results) } or return undef;
    my ($first) = @reasons;
    my %seen;
    my $main = (grep({ $_->{id} eq 'disturbed' } @reasons), $first)[0];
    return {
        text    => join('; ', grep { !$seen{$_}++ } map { $_->{text} } @reasons),
        brief   => _brief($main, @reasons - 1),
        main    => $main,
        remedy  => $first->{remedy},
        reasons => \@reasons
    };
}

# One reason is enough in a line: what disturbed the passes is more than what was seen before them. How
# many passes each cause has disturbed, and what the lesser causes are, is left out.
sub _brief {
    my ($main, $more) = @_;
    my $others = $more ? ', and ' . plural($more, 'more reason') : '';
    return $main->{text} =~ s/ (?:in \d+ of them|\(\d+\)).*//sr . $others;
}

sub _disturbed {
    my ($findings) = @_;
    my ($first)    = map { $_->[0] } @{ $findings->{causes} };

    my $causes = _causes($findings);
    my $all    = $findings->{passes} == $findings->{among} && $findings->{among} > 1;
    my $text   = sprintf '%s %s disturbed by %s',
        $all ? "all $findings->{among} passes" : "$findings->{passes} of $findings->{among} passes",
        $findings->{passes} == 1 ? 'was' : 'were', $causes;
    $text = 'other processes took CPU time during the whole run' if !$findings->{passes};
    return (
        text => join('; ',
            $text, $findings->{invalid} ? _consequence($findings->{worst}) : _gathered($findings, $all)),
        remedy => $Touchstone::Score::Disturbance::MARK{ $first // 'other' }{remedy}
            . '; the log lists the passes',
        $findings->{invalid} ? (invalid => 1) : ()
    );
}

# "other processes, swapping in 3 of them": a cause that all of these passes have needs no number.
sub _causes {
    my ($findings) = @_;
    my $suffix = ' of them';
    my @reasons;
    for my $cause (@{ $findings->{causes} }) {
        my ($mark, $many) = @$cause;
        push @reasons,
            $Touchstone::Score::Disturbance::MARK{$mark}{words}
            . ($many == $findings->{passes} ? '' : " in $many$suffix");
        $suffix = '' if $many != $findings->{passes};
    }
    return join ', ', @reasons;
}

sub _consequence {
    my ($worst) = @_;
    my $what = ($worst->{of} // 'the mean of the scores') . ' with ' . copies($worst->{copies});
    return sprintf '%d of the %d passes of the %s had a disturbance of unknown cost',
        @$worst{qw(unknown among)}, $what
        if $worst->{unknown};
    my $part =
        !defined $worst->{lost}
        ? 'may be ' . part($worst->{loss})
        : sprintf '%s%.0f %%', $worst->{least} ? 'is at least ' : 'may be ', 100 * $worst->{lost};
    return sprintf '%s %s below that of an idle machine', $what =~ s/\A(?=index)/the /r, $part;
}

# A test that had more than half of its passes disturbed is named where it is not one of many.
sub _gathered {
    my ($findings, $all) = @_;
    my $most = $findings->{most};
    return if $all || !$most || $most->{disturbed} <= $most->{passes} / 2;
    return sprintf 'most affected: %s, %d of %d', named($most), @$most{qw(disturbed passes)};
}

sub _too_wide {
    my ($findings) = @_;
    my @wide       = @{ $findings->{tests} };
    my $many       = @wide;
    splice @wide, $MAX_NAMED_TESTS if $many > $MAX_NAMED_TESTS;
    my $names = join(', ', map { named($_) . ' ' . plus_minus($_->{precision}) } @wide)
        . ($many > $MAX_NAMED_TESTS ? ', ...' : '');
    my $missed = sprintf 'reached %s%g %%', $PLUS_MINUS, $findings->{wanted} * 100;
    my $scores = $findings->{scores};
    return (
        text => (
              $many < $scores ? "$many of $scores scores have not $missed"
            : $scores == 1    ? "the score has not $missed"
            :                   "none of $scores scores has $missed"
            )
            . ($many > 1 ? '; widest: ' : ': ')
            . $names,
        remedy => 'run it on an idle machine, or give it more time: ./Run --budget 20m'
    );
}

sub _too_few {
    my ($findings, $facts) = @_;
    my @few = @{ $findings->{tests} };
    my ($least, $most) = (sort { $a <=> $b } map { $_->{passes} } @few)[ 0, -1 ];
    my $have = no_interval($most) =~ s/: \K(?=\d)/$least < $most ? "$least to " : ''/er;
    my $all  = $findings->{scores};
    my $tests =
          @few == $all && @few > 1 ? "none of $all scores has an interval"
        : @few == 1                ? named($few[0]) . ' has no interval'
        :                            @few . " of $all scores have no interval";
    return (text => $have =~ s/\Ano interval/$tests/r, remedy => _more_passes($facts));
}

sub _levels {
    my ($findings) = @_;
    return (
        text   => join('; ', map { named($_) . ' has two speeds: ' . _speeds($_) } @{ $findings->{tests} }),
        remedy => 'the score is within 2 % of the mean over time; the log has every pass'
    );
}

# "15.1 k lps in 88 % of its passes, 128 k lps in 12 %"
sub _speeds {
    my ($test) = @_;
    my @levels = map {
        my $speed = is_lower_better($test) ? seconds($_->{value}) : human($_->{value}, undef, $test->{unit});
        $speed . ' in ' . part($_->{share})
    } @{ $test->{levels} };
    my $reason = Touchstone::Score::Levels::reason(@{ $test->{levels} });
    return "$levels[0] of its passes, $levels[1]" . (defined $reason ? " ($reason)" : '');
}

sub _more_passes {
    my ($facts) = @_;
    my $stopped = ($facts->{status} // '') eq 'stopped';
    return 'let the duet finish'                    if $stopped && ($facts->{purpose} // '') eq 'duet';
    return "resume it: ./Run resume $facts->{name}" if $stopped;
    my %remedy = (
        default => 'use a longer --budget',
        quick   => 'leave out --quick',
        classic => 'leave out --classic and -i, or use -i 17'
    );
    return $remedy{ $facts->{schedule}{kind} // 'default' };
}

1;
