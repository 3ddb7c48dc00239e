# SPDX-License-Identifier: GPL-2.0-or-later
# Cli::FinishRun - the end of a run: its results and reports are stored, the answer goes to standard output,
# notes on it to the terminal, and the exit status follows.
package Touchstone::Cli::FinishRun;
use 5.014;
use strict;
use warnings;

use Touchstone::Cli::Output;
use Touchstone::Cli::Compare;
use Touchstone::Cli::ExitStatus;
use Touchstone::Cli::Report;
use Touchstone::Compare::Run;
use Touchstone::Compare::SelfCompare;
use Touchstone::Compare;
use Touchstone::Report::Files;
use Touchstone::Report::Summary;
use Touchstone::Base::Trouble;

# The statuses of a comparison.
my %MEANS = (
    0   => 'not worse than the reference',
    1   => 'worse than the reference',
    125 => 'inconclusive: it could be worse than the reference'
);
my $NOT_VALID = 'inconclusive: a run is not valid,';
my %WEIGHT    = (0 => 0, 125 => 1, 1 => 2);

# Reports of what was measured, whatever happened. Exit 0 only when that is everything. `outcome`: what
# Run::Session returned.
sub report {
    my ($outcome, $progress) = @_;
    my ($options, $signal)   = @$outcome{qw(want signal)};
    my @runs    = map { stored($outcome, $_) } @{ $outcome->{records} };
    my @trouble = map { @{ $_->{trouble} } } @runs;

    # On a terminal the summary follows the report, so that it is seen last. In a pipe the report comes last,
    # because readers look for it at the end, and so does a comparison, which is the answer then: of its runs
    # a line is enough.
    my $is_run = $outcome->{purpose} eq 'run';
    my $after  = -t STDOUT && $is_run;
    my $say    = sub { $is_run ? _summarize($progress, @runs) : _name_runs($progress, @runs) };
    $say->() if !$after;
    my $status;
    push @trouble, $@ if !eval { $status = _answer($outcome, $progress, @runs); 1 };
    $say->() if $after;
    push @trouble, (map { "the build '$_' failed" } @{ $outcome->{unbuilt} }),
        Touchstone::Cli::ExitStatus::lost($runs[0]{facts}, $signal),
        $options->{strict} ? Touchstone::Cli::ExitStatus::invalid(map { $_->{model} } @runs) : ();
    my @partial = Touchstone::Cli::ExitStatus::partial(@{ $runs[0] }{qw(facts results)});
    chomp @trouble;
    return $status // _judged($progress, @runs) if !@trouble && !@partial;
    my $exit = $signal ? 128 + $Touchstone::Base::Trouble::SIGNAL{$signal} : 1;
    my $message =
        join('; ', @trouble, @partial) . "\n" . ($signal ? _how_to_resume($options, $runs[0]{facts}) : '');
    die { exit => $exit, message => $message, measured => !@trouble };
}

# Ends a record of what Run::Session returned, stores its results and writes its reports. Returns the same,
# with text, the report, and files, { format => file }.
sub stored {
    my ($outcome, $record) = @_;
    my $options = $outcome->{want};
    my $run     = Touchstone::Cli::Report::evaluated(
        $record->end($outcome->{signal} ? 'stopped' : 'complete'),
        rates => $record->rates,
        ended => 1,
        map({ $_ => $outcome->{$_} } qw(reference places)),

        # In a duet --fail-on judges the second build, and not the baseline.
        fail_on => $options->{command} eq 'duet' ? undef : $options->{'fail-on'}
    );
    my ($facts, $results, $model) = @$run{qw(facts results model)};
    push @{ $run->{trouble} }, $@ if !eval { $record->finish($results) };
    my ($files, $texts, @unwritten) = Touchstone::Report::Files::write_reports($outcome->{places}{results},
        $model, $facts, $results, csv => ($ENV{UB_OUTPUT_CSV} // '') eq 'true');
    push @{ $run->{trouble} }, @unwritten;
    return { %$run, text => $texts->{text}, files => $files };
}

# The runs of several builds cannot be resumed.
sub _how_to_resume {
    my ($options, $facts) = @_;
    return "resume it with the same words\n" if $options->{campaign_run};
    return $facts->{purpose} eq 'duet' ? '' : "try: ./Run resume $facts->{name}\n";
}

# Says what came of a run: the answer, what may be wrong with it, and where all of it is.
sub _summarize {
    my ($progress, @runs) = @_;
    my %how = (columns => $progress->columns);
    for my $run (@runs) {
        $progress->note(_heading($run->{facts})) if $run->{facts}{set};
        $progress->note($_)   for Touchstone::Report::Summary::before($run->{model}, %how);
        $progress->answer($_) for Touchstone::Report::Summary::answer($run->{model}, %how);
        $progress->note($_)
            for Touchstone::Report::Summary::details($run->{model}, %how),
            Touchstone::Report::Files::places($run->{files});
    }
    return;
}

sub _name_runs {
    my ($progress, @runs) = @_;
    for my $run (@runs) {
        my $page = $run->{files}{html};
        $progress->note(_heading($run->{facts}) . ': '
                . Touchstone::Report::Summary::line($run->{model})
                . (defined $page ? "; page: $page" : ''));
    }
    return;
}

# The exit status by --fail-on, with what it means. Among several builds one that is worse counts more than
# one that cannot be told.
sub _judged {
    my ($progress, @runs) = @_;
    my $status = 0;
    for my $run (grep { defined +($_->{results}{against} || {})->{fail_on} } @runs) {
        my $against = $run->{results}{against};
        my $rule    = sprintf 'by --fail-on %g%% (exit status %d)', $against->{fail_on} * 100,
            $against->{status};
        my $means = @{ $against->{invalid} } ? $NOT_VALID : $MEANS{ $against->{status} };
        $progress->note(_heading($run->{facts}) . ": $means $rule");
        $status = $against->{status} if $WEIGHT{ $against->{status} } > $WEIGHT{$status};
    }
    return $status;
}

# The name of one of several builds, as comparisons call it.
sub _heading {
    my ($facts) = @_;
    return $facts->{set} ? "build '$facts->{set}{name}'" : Touchstone::Compare::Run::name_of($facts);
}

# Standard output: the report, or what the comparison says. Returns the exit status of a duet that was
# compared, and nothing else.
sub _answer {
    my ($outcome, $progress, @runs)    = @_;
    my ($options, $signal,   $purpose) = @$outcome{qw(want signal purpose)};
    my ($facts, $results) = @{ $runs[0] }{qw(facts results)};
    if (!$signal && $purpose eq 'self-compare') {
        my $comparison = Touchstone::Compare::SelfCompare::comparison($facts, $results);
        my $smallest   = Touchstone::Compare::SelfCompare::smallest($comparison);
        my $file       = Touchstone::Compare::SelfCompare::store($outcome->{places}, $facts, $smallest);
        $progress->note("detection limits stored in $file, used by compare");
        _say($options, Touchstone::Cli::Compare::of_itself($comparison, $smallest));
        return;
    }
    if (!$signal && $purpose eq 'duet') {
        my $comparison = Touchstone::Compare::compare(
            runs    => [ map { Touchstone::Compare::Run::from_record(@$_{qw(facts results)}) } @runs ],
            fail_on => $options->{'fail-on'}
        );
        _say($options, Touchstone::Cli::Compare::render($options->{format} // 'text', $comparison));
        return $options->{command} eq 'duet' ? $comparison->{status} : undef;
    }

    # The answer of a run for a campaign is its name, which its command prints.
    _say($options, '=' x 72 . "\n$runs[0]{text}") if !$options->{campaign_run};
    return;
}

# A quiet run shows nothing on a terminal. A pipe or file gets the report all the same, as UnixBench prints it
# with -q, too: scripts run `./Run -q ... 2>&1 | tee LOG` and read LOG.
sub _say {
    my ($options, $text) = @_;
    Touchstone::Cli::Output::say($text) if !$options->{quiet} || !-t STDOUT;
    return;
}

1;
