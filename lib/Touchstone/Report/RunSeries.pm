# SPDX-License-Identifier: GPL-2.0-or-later
# Report::RunSeries - the runs of one --again, in lines for a terminal:
#
#   3 of 3 runs of the set vm-2026-11-21-01:
#     run               began  index (1 copy)
#     vm-2026-11-21-01  14:10            1093
#     vm-2026-11-21-02  15:10            1088
#     vm-2026-11-21-03  16:10            1101
#   index (1 copy): runs vary by 0.6 % (standard deviation); 19 of 20 differences between two of them are
#   within ±3.1 %
#   single tests: ±1.1 % (pipe) to ±9 % (fsdisk)
package Touchstone::Report::RunSeries;
use 5.014;
use strict;
use warnings;

use Touchstone::Base::Figure qw(figure part human shown);
use Touchstone::Base::Text qw(copies named);
use Touchstone::Base::Time qw(local_time);
use Touchstone::Compare::Drift;
use Touchstone::Report::Render::Text;

# So many scores have a column where there is no index.
my $COLUMNS = 3;

# Takes a set with its runs and their drift, as Compare::Drift gives it.
sub lines {
    my ($set) = @_;
    my @runs  = @{ $set->{runs} } or return;
    my @shown = _figures($runs[0]);
    my $days  = grep { _date($_) ne _date($runs[0]) } @runs;
    my %table = (
        head => [ 'run', 'began', (map { _label($_) } @shown), '' ],
        rows => [ map { _row($_, $days, @shown) } @runs ]
    );
    return (
        @runs . " of $set->{of} runs of the set $set->{name}:",
        split(/\n/, Touchstone::Report::Render::Text::render([ table => \%table ])),
        _unlike(@runs), _spreads($set, @shown)
    );
}

# The whole indexes of a run, or its first tests.
sub _figures {
    my ($run)   = @_;
    my @indexes = grep { !$_->{partial} && $_->{name} eq 'index' }
        map { +{ %{ $run->{indexes}{$_} }, key => $_ } } sort keys %{ $run->{indexes} };
    return sort { $a->{copies} <=> $b->{copies} } @indexes if @indexes;
    my @tests = sort { $a->{copies} <=> $b->{copies} || $a->{name} cmp $b->{name} }
        map { +{ %{ $run->{tests}{$_} }, key => $_ } } keys %{ $run->{tests} };
    splice @tests, $COLUMNS if @tests > $COLUMNS;
    return @tests;
}

sub _label {
    my ($figure) = @_;
    return "$figure->{name} (" . copies($figure->{copies}) . ')';
}

sub _date { my ($run) = @_; return (local_time($run->{started}, $run->{utc_offset}))[0] }

sub _row {
    my ($run, $days, @shown) = @_;
    my ($date, $time) = local_time($run->{started}, $run->{utc_offset});
    my $began = $time =~ s/:\d\d\z//r;
    my @words = split ' ', $date;
    return [
        $run->{name},
        $days ? "$words[1] $words[2] $began" : $began,
        (map { _score($run, $_) } @shown),
        $run->{invalid} ? 'not valid' : ''
    ];
}

sub _score {
    my ($run, $wanted) = @_;
    my $figure = $run->{tests}{ $wanted->{key} } // $run->{indexes}{ $wanted->{key} } or return 'none';
    my $limits = $figure->{interval};
    return human($figure->{score}, $limits, undef) if $run->{tests}{ $wanted->{key} };
    return $limits && @$limits ? figure($figure->{score}, $limits) : shown($figure->{score}, undef, 1);
}

# Programs or a kernel that are new between two runs are no drift.
sub _unlike {
    my ($first, @others) = @_;
    my @unlike = map { $_->{number} } grep { $_->{group} ne $first->{group} } @others;
    return if !@unlike;
    return 'programs, kernel, memory or baseline differ from the first: run ' . join ', ', @unlike;
}

sub _spreads {
    my ($set, @shown) = @_;
    my $drift = $set->{drift};
    my @known = grep { $drift->{ $_->{key} } } @shown;
    return 'the run-to-run variance needs three comparable runs with intervals' if !@known;
    my $run   = $set->{runs}[0];
    my @tests = sort { $a->{spread} <=> $b->{spread} || $a->{key} cmp $b->{key} }
        map { +{ %{ $run->{tests}{$_} }, key => $_, spread => $drift->{$_}{spread} } }
        grep { $drift->{$_} } keys %{ $run->{tests} };
    return (
        (
            map {
                my $wanted = $drift->{ $_->{key} };
                _label($_)
                    . ': runs vary by '
                    . part($wanted->{error} / sqrt 2)
                    . ' (standard deviation); 19 of 20 differences between two of them are within '
                    . Touchstone::Compare::Drift::far($wanted->{spread})
            } @known
        ),
        @tests > @known
        ? 'single tests: ' . join ' to ',
        map { Touchstone::Compare::Drift::far($_->{spread}) . ' (' . named($_) . ')' } @tests[ 0, -1 ]
        : ()
    );
}

1;
