# SPDX-License-Identifier: GPL-2.0-or-later
# Report::Export::Json - figures of a run as JSON for services that keep them: Bencher's metric format (bmf),
# github-action-benchmark (gh-benchmark), and a line a figure (jsonl) for databases and pandas:
#
#   {"pipe 1 copy": {"rate": {"value": 3237107.4, "lower_value": 3230011.8, "upper_value": 3241912.5}}}
#
#   [{"name": "pipe, 1 copy", "unit": "lps", "value": 3237107.4, "range": "± 0.2 %", "extra": "6 passes"}]
#
#   {"better": "higher", "copies": 1, "disturbed": 0, "high": 3241912.5, ..., "test": "pipe", "unit": "lps"}
package Touchstone::Report::Export::Json;
use 5.014;
use strict;
use warnings;

use Touchstone::Base::Symbols qw($PLUS_MINUS);
use Touchstone::Base::Text qw(plural);
use Touchstone::Record::Json;
use Touchstone::Report::Figures qw(label exact);
use Touchstone::Report::Run::Cost;

my $SECONDS = 's';

# A number as a number, or undef.
sub _number { my ($value) = @_; return defined $value ? 0 + exact($value) : undef }

# What is measured of a figure: an index, a rate or seconds.
sub _measure {
    my ($figure) = @_;
    return 'index' if $figure->{kind} eq 'index';
    return $figure->{unit} eq $SECONDS ? 'seconds' : 'rate';
}

# Beside the figures there is no room for a word, so a run that is not valid has a figure that says it.
sub bmf_of_run {
    my ($all) = @_;
    my %benchmarks = $all->{run}{valid} ? () : (run => { valid => { value => 0 } });
    for my $figure (@{ $all->{figures} }) {
        my %value = (value => 'score', lower_value => 'low', upper_value => 'high');
        $benchmarks{ label($figure) =~ s{, }{ }r }{ _measure($figure) } = {
            map  { $_ => _number($figure->{ $value{$_} }) }
            grep { defined $figure->{ $value{$_} } } keys %value
        };
    }
    return Touchstone::Record::Json::encode(\%benchmarks);
}

# All figures of a file must be better when they are higher, so seconds go as their inverse.
sub gh_benchmark_of_run {
    my ($all) = @_;
    return Touchstone::Record::Json::encode([ map { _entry($all->{run}, $_) } @{ $all->{figures} } ]);
}

sub _entry {
    my ($run, $figure) = @_;
    my ($score, $low, $high) = @$figure{qw(score low high)};
    my $inverse = $figure->{better} eq 'lower';
    return if $inverse && $score <= 0;
    my @extra = (
        $run->{name},
        "version $run->{version}",
        defined $figure->{passes} ? plural($figure->{passes}, 'pass', 'passes') : (),
        $run->{valid}             ? ()                                          : "not valid: $run->{why}"
    );
    return {
        name  => label($figure),
        unit  => $inverse ? "1/$figure->{unit}" : $figure->{unit},
        value => _number($inverse ? 1 / $score : $score),
        defined $low && $score > 0
        ? (range => sprintf "$PLUS_MINUS %.2g %%", 100 * ($high - $low) / 2 / $score)
        : (),
        extra => join ', ',
        @extra
    };
}

sub lines_of_run {
    my ($all) = @_;
    my %run   = %{ $all->{run} };
    my %of    = (
        run   => $run{name},
        valid => 0 + $run{valid},
        (map { $_ => $run{$_} } qw(host version passport)), map { $_ => _number($run{$_}) } qw(started ended)
    );
    return join '', map { _line(%of, %$_) } @{ $all->{figures} };
}

sub lines_of_comparison {
    my (@pairs) = @_;
    my @lines;
    for my $pair (@pairs) {
        my %of = (run => $pair->{name}, of => $pair->{of}, valid => 0 + $pair->{valid});
        push @lines, map {
            my ($before, $after) = @{ $_->{scores} };
            _line(%of, %$_, before => $before, after => $after)
        } @{ $pair->{figures} };
    }
    return join '', @lines;
}

my %IS_NUMBER = map { $_ => 1 } qw(copies score low high index passes disturbed partial before after ratio),
    map { $_->[0] } @Touchstone::Report::Run::Cost::FIGURES;

sub _line {
    my (%line) = @_;
    delete @line{qw(scores)};
    $line{$_} = _number($line{$_}) for grep { $IS_NUMBER{$_} } keys %line;
    return Touchstone::Record::Json::encode_line(\%line) . "\n";
}

1;
