# SPDX-License-Identifier: GPL-2.0-or-later
# Pack::Check::Result - what a check found, from its facts and results, which may be a stranger's:
#
#   {
#     version  => 1,
#     name, started, utc_offset, seconds, tool => the Touchstone's version,
#     cpus     => usable ones, as many copies as the second index has,
#     machine  => [ [ 'CPU', 'AMD EPYC, 2 CPUs ...' ], ... ],
#     figures  => [ { key, label, value, unit => s, MB/s, /s or undef, interval, precision, passes,
#                     text => '98 ns', reference => where half a bar ends, higher => 1 if more is better,
#                     note => '1.90 x one copy' } ],
#     missing  => [ { key, label, why } ],
#     probes   => [ { name => 'CPU', verdict => 'confirmed', sentence } ],
#     verdicts => [ { text, bad => 1 } ],
#     taken    => { steal, other, throttled },     parts of the time, or undef
#     variation => { test, factor } if passes of the same work differ by much
#     invalid  => why figures are not valid, or undef,
#     place    => { tests, percent, of } among published results, or undef,
#     quote    => 'Touchstone check 1: 1 CPU 1,043 ...'
#   }
package Touchstone::Pack::Check::Result;
use 5.014;
use strict;
use warnings;

use Touchstone::Base::Figure qw(human plus_minus seconds three_digits);
use Touchstone::Base::Symbols qw($TIMES);
use Touchstone::Base::Text qw(grouped plain);
use Touchstone::Base::Untrusted qw(as_hash as_hashes as_number as_text as_word);
use Touchstone::Pack::Check::Choice;
use Touchstone::Pack::Check::Machine;
use Touchstone::Pack::Check::Verdicts;
use Touchstone::Record::Warnings;
use Touchstone::Score::Index;
use Touchstone::Suite;

# Half a bar of an index; letters of a reason.
my ($REFERENCE, $LETTERS) = (1000, 200);

sub build_result {
    my ($facts, $results) = @_;
    my $cpus   = as_number($facts->{host}{usable_cpus}, 1, 1e6) // 1;
    my %blocks = map { $_->{copies} => $_ } @{ $results->{blocks} };
    my (@figures, @missing);
    for my $wanted (Touchstone::Pack::Check::Choice::figures()) {
        next if $wanted->{key} eq 'cpu-all' && $cpus == 1;
        my $figure = _figure($wanted, $cpus, \%blocks);
        my %named  = (key => $wanted->{key}, label => $wanted->{label} =~ s/%d/$cpus/r);
        if   ($figure) { push @figures, { %$figure, %named } }
        else           { push @missing, { %named,   why => _why_missing($facts, $wanted, $cpus) } }
    }
    my $invalid = Touchstone::Record::Warnings::why_invalid($facts, $results);
    my %result  = (
        version => as_number($facts->{check}{version}, 1, 1e6) // 1,
        name    => plain($facts->{name}),
        tool    => plain($facts->{tool}{version}),
        (map { $_ => $facts->{$_} } qw(started utc_offset)),
        seconds => defined $facts->{ended} ? $facts->{ended} - $facts->{started} : undef,
        cpus    => $cpus,
        figures => \@figures,
        missing => \@missing,
        invalid => $invalid ? plain($invalid->{brief}) : undef,
        taken   => Touchstone::Pack::Check::Verdicts::taken($facts),
        probes  => [ Touchstone::Pack::Check::Verdicts::probes($results) ],
    );
    _mark_commit(\%result);
    $result{variation} = Touchstone::Pack::Check::Verdicts::variation($blocks{1});
    $result{machine}   = [ Touchstone::Pack::Check::Machine::lines($facts, \%result) ];
    $result{facts}     = Touchstone::Pack::Check::Machine::data($facts);
    $result{place}     = _place($facts, $blocks{1}) if !$invalid;
    $result{verdicts}  = [ Touchstone::Pack::Check::Verdicts::verdicts($facts, \%result) ];
    $result{quote}     = _quote(\%result);
    return \%result;
}

# A commit that is not durable must not be taken for one.
sub _mark_commit {
    my ($result) = @_;
    my ($probe)  = grep { $_->{key} eq 'disk' } @{ $result->{probes} };
    for my $figure (grep { $_->{key} eq 'commit' } @{ $result->{figures} }) {
        next if !Touchstone::Pack::Check::Verdicts::is_not_durable($figure->{value}, $probe);
        @$figure{qw(label durable)} = ('Commit, not durable', 0);
        delete $figure->{reference};
    }
    return;
}

sub _figure {
    my ($wanted, $cpus, $blocks) = @_;
    return _index($wanted, $cpus, $blocks) if !defined $wanted->{test};
    my ($test) = grep { $_->{name} eq $wanted->{test} } @{ ($blocks->{1} || {})->{tests} } or return;
    return if ($test->{score} // 0) <= 0;
    my %figure = (
        passes    => $test->{passes},
        precision => $test->{precision},
        %{ _shown($wanted->{as}, @$test{qw(score interval)}, $test->{unit}) }
    );
    my $reference = $wanted->{reference} // $test->{baseline};
    $figure{reference} = _shown($wanted->{as}, $reference, undef, $test->{unit})->{value} if $reference;
    $figure{note}      = grouped(human(@$test{qw(score interval)})) . ' per second'       if $wanted->{each};
    return \%figure;
}

# A score in the unit of people: { value, interval, unit, text, higher }.
sub _shown {
    my ($as, $score, $interval, $unit) = @_;
    if ($as eq 'time') {
        my @limits = map { 1 / $_ } reverse grep { $_ > 0 } @{ $interval || [] };
        return _of_seconds(1 / $score, @limits == 2 ? \@limits : undef);
    }
    return _of_seconds($score, $interval) if $as eq 'seconds';
    my $is_bytes = $as eq 'bytes';
    return {
        value    => $score,
        interval => $interval,
        unit     => $is_bytes ? 'MB/s'                           : '/s',
        text     => $is_bytes ? human($score, $interval, 'MBps') : grouped(human($score, $interval)) . '/s',
        higher   => 1
    };
}

sub _of_seconds {
    my ($seconds, $interval) = @_;
    return { value => $seconds, interval => $interval, unit => 's', text => seconds($seconds, $interval) };
}

# The index of the check, which needs all of its tests.
sub _index {
    my ($wanted, $cpus, $blocks) = @_;
    my $copies = $wanted->{key} eq 'cpu-all' ? $cpus : 1;
    my %index  = _index_of($blocks->{$copies}) or return;
    my $note;
    if ($copies > 1 and my %one = _index_of($blocks->{1})) {
        $note = three_digits($index{score} / $one{score}) . " $TIMES one copy";
    }
    return {
        value     => $index{score},
        interval  => $index{interval},
        precision => $index{precision},
        passes    => $index{passes},
        unit      => undef,
        text      => index_text($index{score}, $index{interval}),
        reference => $REFERENCE,
        higher    => 1,
        note      => $note
    };
}

sub _index_of {
    my ($block) = @_;
    my %test    = map  { $_->{name} => $_ } @{ ($block || {})->{tests} };
    my @tests   = grep { $_ && $_->{baseline} && ($_->{score} // 0) > 0 && !$_->{missing} }
        @test{@Touchstone::Pack::Check::Choice::COMPUTE};
    return if @tests < @Touchstone::Pack::Check::Choice::COMPUTE;
    my ($passes) = sort { $a <=> $b } map { $_->{passes} // 0 } @tests;
    return (Touchstone::Score::Index::of_tests(undef, @tests), passes => $passes);
}

# "1,043", without more digits than its interval supports.
sub index_text {
    my ($value, $interval) = @_;
    return grouped(Touchstone::Base::Figure::column_index($value, $interval));
}

# Why a figure is not here: the reason of its tests, or the end of the run.
sub _why_missing {
    my ($facts, $wanted, $cpus) = @_;
    my $copies = $wanted->{key} eq 'cpu-all' ? $cpus           : 1;
    my @tests  = defined $wanted->{test}     ? $wanted->{test} : @Touchstone::Pack::Check::Choice::COMPUTE;
    my %wanted = map { $_ => 1 } @tests;
    for my $lost (map { as_hashes($facts->{$_}) } qw(skipped failures)) {
        next if !$wanted{ as_word($lost->{test}) } || ($lost->{copies} // $copies) != $copies;
        my $name = @tests > 1 ? "$lost->{test}: " : '';
        return $name . (as_text($lost->{why}, $LETTERS) // 'unknown');
    }
    my $directory = as_text($facts->{check}{work_directory}, $LETTERS);
    return $directory if defined $directory && grep { Touchstone::Pack::Check::Choice::uses_disk($_) } @tests;
    return 'the run was stopped' if ($facts->{status} // '') ne 'complete';
    return 'no pass was measured';
}

# The tests whose published scores with one copy are of the same work, whatever the version and the flags.
my @PLACED = qw(execl spawn);
my $FEWEST = 20;

# Without the pack of places there is none.
sub _place {
    my ($facts, $block) = @_;
    my ($table) = grep { $_->can('read') } values %{ Touchstone::Suite::packages('Table') } or return undef;
    my %score = map { $_->{name} => $_->{score} } @{ ($block || {})->{tests} };
    return undef if grep { !$score{$_} } @PLACED;
    my $mean    = sub { my ($scores) = @_; my $log = 0; $log += log $scores->{$_} for @PLACED; return $log };
    my $entries = eval { $table->can('read')->() };
    my @others = map { $mean->($_->{scores}) } grep { $_->{scores} && $_->{copies} == 1 } @{ $entries || [] };
    return undef if @others < $FEWEST;
    my $below = grep { $_ < $mean->(\%score) } @others;
    return {
        tests   => \@PLACED,
        below   => $below,
        of      => scalar @others,
        percent => sprintf '%.0f',
        100 * $below / @others
    };
}

# The line to quote.
sub _quote {
    my ($result) = @_;
    my %figure   = map { $_->{key} => $_ } @{ $result->{figures} };
    my $all      = $result->{cpus} > 1 ? "all $result->{cpus} CPUs" : undef;
    my @parts    = map {
        my ($key, $what) = @$_;
        my $figure = $figure{$key};
        $figure ? "$what $figure->{text} " . _precision($figure) : "$what missing"
    } [ 'cpu-1' => '1 CPU' ], defined $all ? [ 'cpu-all' => $all ] : ();
    return
          "Touchstone check $result->{version}: "
        . join(', ', @parts)
        . (defined $result->{invalid} ? ', not valid' : '');
}

sub _precision {
    my ($figure) = @_;
    return defined $figure->{precision}
        ? plus_minus($figure->{precision})
        : '(n=' . ($figure->{passes} // 0) . ')';
}

1;
