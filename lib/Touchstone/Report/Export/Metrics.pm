# SPDX-License-Identifier: GPL-2.0-or-later
# Report::Export::Metrics - figures of a run for collectors of metrics: Prometheus (the textfile collector of
# node_exporter), OpenMetrics and InfluxDB's line protocol:
#
#   # HELP touchstone_score Score of a test in its unit.
#   # TYPE touchstone_score gauge
#   touchstone_score{suite="unixbench",test="pipe",copies="1",unit="lps",better="higher"} 3237107.4
#
#   touchstone,copies=1,host=vm,suite=unixbench,test=pipe,unit=lps better="higher",rate=3237107.4 1795240226500000000
#
# There are no time stamps in the first: node_exporter refuses a file that has one. A run that is not valid
# says so in touchstone_run_valid, because its scores look like any others.
package Touchstone::Report::Export::Metrics;
use 5.014;
use strict;
use warnings;

use Touchstone::Report::Columns;
use Touchstone::Report::Figures qw(exact);
use Touchstone::Report::Run::Cost;

my $NS = 1e9;

# Each metric: name, what it is, which figures have it, and the key of its value. Indexes stand behind scores.
my @OF_TESTS =
    map { my ($key, undef, $name, $help) = @$_; $name ? [ "touchstone_$name", $help, test => $key ] : () }
    @Touchstone::Report::Columns::EXACT;
my @METRICS = (
    (grep { $_->[0] =~ /_score/ } @OF_TESTS),
    [ touchstone_index      => 'Index of a test, or of a group of tests.',         any   => 'index' ],
    [ touchstone_index_low  => 'Lower end of the 95 % interval of a group index.', index => 'low' ],
    [ touchstone_index_high => 'Upper end of the 95 % interval of a group index.', index => 'high' ],
    (grep { $_->[0] !~ /_score/ } @OF_TESTS),
);

sub prometheus_of_run {
    my ($all) = @_;
    return join '', map { "$_\n" } map { _family(@$_) } _families($all, 'touchstone_run_info', 'gauge');
}

sub openmetrics_of_run {
    my ($all) = @_;
    my @families = _families($all, 'touchstone_run', 'info');
    for my $family (@families) {
        splice @$family, 3, 0, $family->[0] =~ /_seconds\z/ ? "# UNIT $family->[0] seconds" : ();
    }
    return join '', map { "$_\n" } (map { _family(@$_) } @families), '# EOF';
}

sub _family {
    my ($name, $type, $help, @lines) = @_;
    return ("# HELP $name $help", "# TYPE $name $type", @lines);
}

# [name, type, what it is, samples ...]
sub _families {
    my ($all, $info, $type) = @_;
    my $run      = $all->{run};
    my @families = map { _samples($_, @{ $all->{figures} }) } @METRICS;
    push @families,
        [
        'touchstone_run_end_time_seconds',
        'gauge',
        'When the run ended, in seconds since 1970.',
        'touchstone_run_end_time_seconds ' . exact($run->{ended})
        ]
        if defined $run->{ended};
    return @families,
        [
        'touchstone_run_valid', 'gauge',
        'Whether the scores are valid: 0 where too much disturbed the run.',
        "touchstone_run_valid $run->{valid}"
        ],
        [
        $info,
        $type,
        'Which run these figures are of.',
        'touchstone_run_info'
            . _labels(run => $run->{name}, version => $run->{version}, passport => $run->{passport}) . ' 1'
        ];
}

sub _samples {
    my ($metric, @figures) = @_;
    my ($name, $help, $subject, $key) = @$metric;
    my @lines = map {
        my %is     = %$_;
        my @labels = map { $_ => $is{$_} } qw(suite test copies);
        push @labels, map { $_ => $is{$_} } qw(unit better) if $subject eq 'test';
        $name . _labels(@labels) . ' ' . exact($is{$key})
    } grep { defined $_->{$key} && ($subject eq 'any' || $_->{kind} eq $subject) } @figures;
    return @lines ? [ $name, 'gauge', $help, @lines ] : ();
}

sub _labels {
    my (@labels) = @_;
    my @phrases;
    while (my ($name, $value) = splice @labels, 0, 2) {
        next if !defined $value;
        $value =~ s/([\\"])/\\$1/g;
        $value =~ s/\n/\\n/g;
        push @phrases, qq{$name="$value"};
    }
    return '{' . join(',', @phrases) . '}';
}

# A line for each figure, its tags in order. Tags without a value are left out, because nothing may be empty.
sub influx_of_run {
    my ($all) = @_;
    my $run   = $all->{run};
    my $when  = defined $run->{ended} ? sprintf ' %.0f', $run->{ended} * $NS : '';
    return join '', map { _point($run, $_) . "$when\n" } @{ $all->{figures} };
}

sub _point {
    my ($run, $figure) = @_;
    my %tags = (host => $run->{host}, map { $_ => $figure->{$_} } qw(copies suite test unit));
    my @tags = map { "$_=" . _tag($tags{$_}) } grep { length($tags{$_} // '') } sort keys %tags;
    my @fields =
        map { my ($name, $key) = @$_; defined $figure->{$key} ? "$name=" . exact($figure->{$key}) : () }
        [ rate => 'score' ],
        map { [ $_ => $_ ] } qw(low high index), map { $_->[0] } @Touchstone::Report::Run::Cost::FIGURES;
    push @fields, "passes=$figure->{passes}i" if defined $figure->{passes};
    push @fields, 'valid=' . ($run->{valid} ? 'true' : 'false');
    return join(',', 'touchstone', @tags) . ' ' . join ',', @fields;
}

# A backslash at the end of a tag would take the comma behind it, and there is no way to write one.
sub _tag {
    my ($text) = @_;
    $text =~ tr{\\}{/};
    return $text =~ s/([,= ])/\\$1/gr;
}

1;
