# SPDX-License-Identifier: GPL-2.0-or-later
# Record::Warnings - all warnings of a run, as its file has them and reports say them:
#
#   { id => 'overlap', text => '...', remedy => '...', invalid => 1, late => 1, weight => 'void' }
#
# invalid: scores are not valid; late: found out while the run went on, or at its end. The facts of a run
# hold those that were noted while it went on. What scoring found at the end of a run gets its words here; a
# stored run has them among its facts. The weight follows from the others and is not stored: `void`,
# `warning`, or `note` for what is as it is on most machines and needs no action before scores are read.
package Touchstone::Record::Warnings;
use 5.014;
use strict;
use warnings;

use Exporter qw(import);

use Touchstone::Base::Figure qw(no_interval part people seconds sureness);
use Touchstone::Base::Speed qw(is_lower_better);
use Touchstone::Base::Signs qw($PLUS_MINUS);
use Touchstone::Base::Text qw(copies named plural);

our @EXPORT_OK = qw(causes);

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
    memory    => 'waiting for memory',
    io        => 'waiting for disks',
    cpu       => 'waiting for a CPU',
);

# Marks of a pass in words.
sub causes { return @DISTURBED_BY{@_} }

# What helps against them.
my $ELSEWHERE = 'run it again on an idle machine (to see what runs: top)';
my %REMEDY    = (
    overlap   => 'run fewer copies, or longer windows (-i)',
    steal     => 'run it again at another time (to see what neighbours take: vmstat 5)',
    throttled => 'run fewer copies, or raise the CPU quota (cpu.max; docker run --cpus)',
    heat      => 'let the machine cool down, and run it again',
    swap      => 'end programs that need much memory (ps aux --sort=-rss), and run it again',
    other     => $ELSEWHERE,
    memory    => 'end programs that need much memory (ps aux --sort=-rss), and run it again',
    io        => $ELSEWHERE,
    cpu       => $ELSEWHERE,
);

# These say what a machine is like, or how it was asked.
my %NOTE =
    map { $_ => 1 } qw(boost smt steal levels locale work-tmpfs work-overlay passes precision baseline);

my %WORDS = (disturbed => \&_disturbed, precision => \&_unsure, passes => \&_too_few, levels => \&_levels);

# A list of them. A run that is gone on with has findings of its former end among its facts: they are no
# longer so.
sub of {
    my ($facts, $results) = @_;
    my @noted = @{ $facts->{warnings} };
    return [ map { _weighed($_) } @noted ] if !$results->{findings};
    return [
        map { _weighed($_) } (grep { !$WORDS{ $_->{id} } } @noted),
        map { +{ id => $_->{id}, $WORDS{ $_->{id} }->($_, $facts), late => 1 } } @{ $results->{findings} }
    ];
}

sub _weighed {
    my ($warning) = @_;
    return { %$warning,
        weight => $warning->{invalid} ? 'void' : $NOTE{ $warning->{id} } ? 'note' : 'warning' };
}

# The same as a file has them.
sub stored {
    my ($facts, $results) = @_;
    return [ map { my %warning = %$_; delete $warning{weight}; \%warning } @{ of($facts, $results) } ];
}

# Tells that the scores of a run are not valid, the one rule for every report that is ours: undef, or
#
#   { text    => '204 of 206 passes were disturbed by other processes (204); the index ... 12 % too low',
#     brief   => '204 of 206 passes were disturbed by other processes',
#     main    => the weightiest of the reasons,
#     remedy  => 'run it again on an idle machine',
#     reasons => [ the warnings that say so ] }
#
# `but`: the id of a warning that is no reason where builds are compared that took turns.
sub void {
    my ($facts, $results, %with) = @_;
    my $but     = $with{but} // '';
    my @reasons = grep { $_->{invalid} && $_->{id} ne $but } @{ of($facts, $results) } or return undef;
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

# One reason is enough in a line: what disturbed the passes tells more than what was seen before them. How
# many passes each cause has disturbed, and what the lesser causes are, is left out.
sub _brief {
    my ($main, $more) = @_;
    my $others = $more ? ', and ' . plural($more, 'more reason') : '';
    return $main->{text} =~ s/ (?:in \d+ of them|\(\d+\)).*//sr . $others;
}

sub _disturbed {
    my ($found) = @_;
    my ($first) = map { $_->[0] } @{ $found->{causes} };

    my $causes = _causes($found);
    my $all    = $found->{passes} == $found->{among} && $found->{among} > 1;
    my $text   = sprintf '%s %s disturbed by %s',
        $all ? "all $found->{among} passes" : "$found->{passes} of $found->{among} passes",
        $found->{passes} == 1 ? 'was' : 'were', $causes;
    $text = 'others took CPU time during all of the run' if !$found->{passes};
    return (
        text =>
            join('; ', $text, $found->{invalid} ? _consequence($found->{worst}) : _gathered($found, $all)),
        remedy => $REMEDY{ $first // 'other' } . '; the log names the passes',
        $found->{invalid} ? (invalid => 1) : ()
    );
}

# "other processes, swapping in 3 of them": a cause that all of these passes have needs no number.
sub _causes {
    my ($found) = @_;
    my $of = ' of them';
    my @said;
    for my $cause (@{ $found->{causes} }) {
        my ($mark, $many) = @$cause;
        push @said, causes($mark) . ($many == $found->{passes} ? '' : " in $many$of");
        $of = '' if $many != $found->{passes};
    }
    return join ', ', @said;
}

sub _consequence {
    my ($worst) = @_;
    my $what = ($worst->{of} // 'the mean of the scores') . ' with ' . copies($worst->{copies});
    return sprintf '%d of the %d passes of the %s had a disturbance whose cost is not known',
        @$worst{qw(untold among)}, $what
        if $worst->{untold};
    my $part = !defined $worst->{lost} ? part($worst->{loss}) : sprintf '%s%.0f %%',
        $worst->{least} ? 'at least ' : '', 100 * $worst->{lost};
    return sprintf '%s may be %s below that of an idle machine', $what =~ s/\A(?=index)/the /r, $part;
}

# A test that had more than half of its passes disturbed is named where it is not one of many.
sub _gathered {
    my ($found, $all) = @_;
    my $most = $found->{most};
    return if $all || !$most || $most->{disturbed} <= $most->{passes} / 2;
    return sprintf 'most of all %s: %d of %d', named($most), @$most{qw(disturbed passes)};
}

sub _unsure {
    my ($found) = @_;
    my @unsure  = @{ $found->{tests} };
    my $many    = @unsure;
    splice @unsure, $NAMED if @unsure > $NAMED;
    my $names = join(', ', map { named($_) . ' ' . sureness($_->{precision}) } @unsure)
        . ($many > $NAMED ? ', ...' : '');
    my $missed = sprintf 'reached %s%g %%', $PLUS_MINUS, $found->{wanted} * 100;
    my $scores = $found->{scores};
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
    my ($found, $facts) = @_;
    my @few = @{ $found->{tests} };
    my ($least, $most) = (sort { $a <=> $b } map { $_->{passes} } @few)[ 0, -1 ];
    my $have = no_interval($most) =~ s/: \K(?=\d)/$least < $most ? "$least to " : ''/er;
    my $all  = $found->{scores};
    my $who =
          @few == $all && @few > 1 ? "none of $all scores has an interval"
        : @few == 1                ? named($few[0]) . ' has no interval'
        :                            @few . " of $all scores have no interval";
    return (text => $have =~ s/\Ano interval/$who/r, remedy => _more_passes($facts));
}

sub _levels {
    my ($found) = @_;
    return (
        text   => join('; ', map { named($_) . ' has two speeds: ' . _speeds($_) } @{ $found->{tests} }),
        remedy => 'the score is within 2 % of the mean over time; the log has every pass'
    );
}

# "15.1 k lps in 88 % of its passes, 128 k lps in 12 %"
sub _speeds {
    my ($test) = @_;
    my @levels = map {
        my $speed = is_lower_better($test) ? seconds($_->{value}) : people($_->{value}, undef, $test->{unit});
        $speed . ' in ' . part($_->{share})
    } @{ $test->{levels} };
    return "$levels[0] of its passes, $levels[1]";
}

sub _more_passes {
    my ($facts) = @_;
    my $stopped = ($facts->{status} // '') eq 'stopped';
    return 'let the duet come to its end'             if $stopped && ($facts->{purpose} // '') eq 'duet';
    return "resume it: ./Run --resume $facts->{name}" if $stopped;
    my %remedy = (
        default => 'use a longer --budget',
        quick   => 'leave out --quick',
        classic => 'leave out --classic and -i, or use -i 17'
    );
    return $remedy{ $facts->{schedule}{kind} // 'default' };
}

1;
