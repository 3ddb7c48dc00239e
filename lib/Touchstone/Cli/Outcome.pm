# SPDX-License-Identifier: GPL-2.0-or-later
# Cli::Outcome - what comes of a run: results and findings into its records, reports, the answer on standard
# output, and the exit status.
package Touchstone::Cli::Outcome;
use 5.014;
use strict;
use warnings;

use Time::HiRes qw(time);

use Touchstone::Cli::Answer;
use Touchstone::Cli::Comparison;
use Touchstone::Compare::Against;
use Touchstone::Compare::Run;
use Touchstone::Compare::SelfCompare;
use Touchstone::Compare;
use Touchstone::Report::Files;
use Touchstone::Run::Signals;
use Touchstone::Score::Findings;
use Touchstone::Score;

# The statuses of a comparison.
my %MEANS = (
    0   => 'not worse than the reference',
    1   => 'worse than the reference',
    125 => 'whether it is worse than the reference cannot be told'
);
my %WEIGHT = (0 => 0, 125 => 1, 1 => 2);

# Reports of what was measured, whatever happened. Exit 0 only when that is everything. `outcome`: what
# Run::Session returned.
sub report {
    my ($outcome, $progress) = @_;
    my ($want, $places, $signal) = @$outcome{qw(want places signal)};
    my @records = @{ $outcome->{records} };
    my @data    = map { Touchstone::Score::complete($_->data) } @records;
    my (@trouble, @said);

    # In a duet it is said of the second build.
    my $allowed = $want->{duet} ? undef : $want->{'fail-on'};
    for my $i (0 .. $#data) {
        my $data = $data[$i];
        @$data{qw(ended status)} = (time, $signal ? 'stopped' : 'complete');
        Touchstone::Score::Findings::renew($data);
        push @trouble, $@ if $outcome->{reference} && !eval {
            Touchstone::Compare::Against::put($data, $outcome->{reference}, $places, fail_on => $allowed);
        };
        Touchstone::Score::put_beside($data);
        push @trouble, $@ if !eval { $records[$i]->finish };
        my ($files, @unwritten) = Touchstone::Report::Files::write_reports($places->{results},
            $data, csv => ($ENV{UB_OUTPUT_CSV} // '') eq 'true');
        push @trouble, @unwritten;
        push @said, (@data > 1 || $data->{set} ? _heading($data) : ()),
            Touchstone::Report::Files::summary($data, $files, $progress->columns);
    }

    # Who looks at both sees what comes last; who reads both together as text expects the report there. A
    # comparison is what its run is for.
    my $after = -t STDOUT && $outcome->{purpose} eq 'run';
    $progress->note($_) for $after ? () : @said;
    my $status;
    push @trouble, $@ if !eval { $status = _answer($outcome, $progress, @data); 1 };
    $progress->note($_) for $after ? @said : ();
    push @trouble, (map { "the build '$_' failed" } @{ $outcome->{unbuilt} }),
        _lost($data[0], $signal), $want->{strict} ? _invalid(@data) : ();
    my @partial = _partial($data[0]);
    chomp @trouble;
    return $status // _judged($progress, @data) if !@trouble && !@partial;
    my $exit = $signal ? 128 + $Touchstone::Run::Signals::NUMBER{$signal} : 1;
    die { exit => $exit, message => join('; ', @trouble, @partial) . "\n", measured => !@trouble };
}

# By --fail-on: the exit status, and what it means. Among several builds one that is worse counts more than
# one that cannot be told.
sub _judged {
    my ($progress, @data) = @_;
    my $status = 0;
    for my $data (grep { defined +($_->{against} || {})->{fail_on} } @data) {
        my $against = $data->{against};
        my $rule    = sprintf 'by --fail-on %g%% (exit status %d)', $against->{fail_on} * 100,
            $against->{status};
        $progress->note(_heading($data) . ": $MEANS{ $against->{status} } $rule");
        $status = $against->{status} if $WEIGHT{ $against->{status} } > $WEIGHT{$status};
    }
    return $status;
}

# Which of several builds: as comparisons call it.
sub _heading {
    my ($data) = @_;
    return $data->{set} ? "build '$data->{set}{name}'" : Touchstone::Compare::Run::of_record($data)->{name};
}

# Standard output: the report, or what the comparison says. Returns the exit status of a duet that was compared,
# and nothing else.
sub _answer {
    my ($outcome, $progress, @data)    = @_;
    my ($want,    $signal,   $purpose) = @$outcome{qw(want signal purpose)};
    if (!$signal && $purpose eq 'self-compare') {
        my $comparison = Touchstone::Compare::SelfCompare::comparison($data[0]);
        my $smallest   = Touchstone::Compare::SelfCompare::smallest($comparison);
        my $file       = Touchstone::Compare::SelfCompare::store($outcome->{places}, $data[0], $smallest);
        $progress->note("what this machine can tell: $file; --compare uses it");
        Touchstone::Cli::Answer::say(Touchstone::Cli::Comparison::of_itself($comparison, $smallest))
            if !$want->{quiet};
        return;
    }
    if (!$signal && $purpose eq 'duet') {
        my $comparison = Touchstone::Compare::compare(
            runs    => [ map { Touchstone::Compare::Run::of_record($_) } @data ],
            fail_on => $want->{'fail-on'}
        );
        Touchstone::Cli::Answer::say(
            Touchstone::Cli::Comparison::render($want->{format} // 'text', $comparison))
            if !$want->{quiet};
        return $want->{duet} ? $comparison->{status} : undef;
    }
    Touchstone::Cli::Answer::say('=' x 72 . "\n" . Touchstone::Report::Files::render('text', $data[0]))
        if !$want->{quiet};
    return;
}

sub _lost {
    my ($data, $signal) = @_;
    my (%seen, @words);
    push @words, "stopped by SIG$signal" if $signal;
    push @words, "$_->{test} failed"      for grep { !$seen{ $_->{test} }++ } @{ $data->{failures} };
    push @words, "$_->{test} was skipped" for grep { !$seen{ $_->{test} }++ } @{ $data->{skipped} };
    return join ', ', @words if @words;
    return;
}

# Tests that have a score but not all of their parts, in the words of their warnings; a reason of several
# is said once.
sub _partial {
    my ($data)  = @_;
    my @tests   = map { @{ $_->{tests} } } @{ $data->{results} };
    my %partial = map { $_->{name} => 1 } grep { $_->{missing} } @tests;
    my (%names, @order);
    for my $text (map { $_->{text} } grep { $_->{id} eq 'partial' } @{ $data->{warnings} }) {
        my ($name, $rest) = $text =~ /\A(\S+) is (.*)/s or next;
        next if !$partial{$name};
        push @order, $rest if !$names{$rest};
        push @{ $names{$rest} }, $name;
    }
    return if !@order;
    my $are = sub { return join(', ', @{ $_[0] }) . (@{ $_[0] } > 1 ? ' are ' : ' is ') };
    return 'not all was measured: ' . join '; ', map { $are->($names{$_}) . $_ } @order;
}

sub _invalid {
    my (@data) = @_;
    my %seen;
    my @ids = grep { !$seen{$_}++ } map { $_->{id} } grep { $_->{invalid} } map { @{ $_->{warnings} } } @data;
    return @ids ? 'the scores are not valid (--strict): ' . join(', ', @ids) : ();
}

1;
