# SPDX-License-Identifier: GPL-2.0-or-later
# Compare - judges two or more runs, which come from Compare::Run; the first is what the others are compared
# with:
#
#   {
#       runs        => [ names ],
#       label      => [ their labels, those of Compare::Run ],
#       origins     => [ { name, started, utc_offset, kernel, compiler } of each ],
#       invalid        => [ { name, called, text } of those that are not valid ],
#       isa         => [ what the programs of each run were built for: native, baseline ..., or undef ],
#       unlike      => that these are not builds of one kind, as a sentence, or undef,
#       builds      => [ { name, asked, compiler } of the sets of one --build ],
#       unbuilt     => [ what failed ],
#       differences => [ those of Compare::Differences ],
#       pairs       => [
#           {
#               name    => 'the second run',
#               label  => what people call it,
#               notes   => [...],
#               invalid    => those of `invalid` that are of this pair: then nothing is judged,
#               missing => 0,
#               cause   => that of Compare::Cause, if tests differ
#               judged  => 0,       tests of both that have verdicts and no scores
#               tests   => [
#                   {
#                       name       => 'pipe',
#                       title, unit,
#                       copies     => 1,
#                       scores     => [3481930, 3581930],
#                       ratio      => 1.03,
#                       interval   => [1.02, 1.04],
#                       p          => 0.0003,
#                       verdict    => 'faster',
#                       detectable => 0.012,
#                       drift      => that of Compare::Drift, if it is known
#                       split      => that of Compare::CostSplit, of a test that differs
#                   },
#                   ...
#               ],
#               indexes => [ the same for indexes; where both runs have a price in one unit, with
#                            per_price => { unit, ratio, interval } ]
#           }
#       ],
#       drift       => { machines, unknown }, those of Compare::Drift, where it was looked for,
#       fail_on     => undef,
#       status      => 0
#   }
#
# A ratio above 1 means that the second run is faster, whether high or low figures are better; to a score of
# zero there is none. It is the ratio of both scores, and never outside its interval, which is made of the
# intervals of the scores. For a duet of interleaved blocks it is that of Compare::SequentialTest, and
# such a test has `rounds` and `base` too.
package Touchstone::Compare;
use 5.014;
use strict;
use warnings;

use List::Util qw(max min sum);

# The words of the verdicts are ours too: reports know them by this package.
use Touchstone::Compare::Judgement qw($FASTER $SAME $SLOWER $UNKNOWN $UNLIKE $UNTESTED);

use Touchstone::Base::Direction qw(is_lower_better);
use Touchstone::Base::Price;
use Touchstone::Base::Random;
use Touchstone::Base::Text qw(copies list_and_more plural);
use Touchstone::Build;
use Touchstone::Compare::Cause;
use Touchstone::Compare::CostSplit;
use Touchstone::Compare::Differences;
use Touchstone::Compare::Drift;
use Touchstone::Compare::EventSplit;
use Touchstone::Compare::Run;
use Touchstone::Compare::SequentialTest;
use Touchstone::Suite;
use Touchstone::Score::Interval;
use Touchstone::Stats::Confidence;
use Touchstone::Stats::Significance;
use Touchstone::Stats qw(geometric_mean median);

# So many tests of a note, and runs of a sentence, are named.
my $NAMED = 3;

# Logarithms of ratios of rounded scores differ by so much.
my $ROUNDED = 0.01;

# A report shows its figures in tenths.
my $TENTH = 0.1;

# Takes
#
#   runs     => each with `from`, what the user called it
#   fail_on  => the part by which a run may be slower
#   smallest => { '1 pipe' => part } that this machine can tell, from self-compare
#   drift    => what Compare::Drift found
#   label   => what the runs are called, where that is known
#   asked    => { '1 pipe' => 1 }, when the other runs were to measure no more
sub compare {
    my (%what) = @_;
    my @runs   = _distinguished(@{ $what{runs} });
    my @labels = $what{label} ? @{ $what{label} } : Touchstone::Compare::Run::labels(@runs);
    @runs = map { +{ %{ $runs[$_] }, label => $labels[$_] } } 0 .. $#runs;
    my ($first, @others) = @runs;
    my $invalid = _invalid(@runs);
    my @pairs   = map { _pair($first, $_, %what, invalid => $invalid) } @others;
    return {
        runs    => [ map { $_->{name} } @runs ],
        origins => [ map { _origin($_) } @runs ],
        label   => \@labels,
        invalid => $invalid,
        isa     => [ map { $_->{facts}{'b isa'} } @runs ],
        unlike  => scalar _unlike_builds(@runs),
        (grep { !$_->{is_check} } @runs) ? () : (checks => 1),
        _builds(@runs),
        differences => [ Touchstone::Compare::Differences::differences(map { $_->{facts} } @runs) ],
        pairs       => \@pairs,
        $what{drift} ? (drift => { map { $_ => $what{drift}{$_} } qw(machines unknown) }) : (),
        fail_on => $what{fail_on},
        status  => Touchstone::Compare::Judgement::status(
            $what{fail_on},
            scalar @$invalid,
            map { (@{ $_->{tests} }, @{ $_->{indexes} }, (+{ verdict => $UNKNOWN }) x $_->{missing}) } @pairs
        ),
    };
}

# When a run was measured, and with what.
sub _origin {
    my ($run) = @_;
    my $facts = $run->{facts};
    return {
        (map { $_ => $run->{$_} } qw(name started utc_offset)),
        kernel   => $facts->{'h release'},
        compiler => $facts->{'b compiler_version'}
    };
}

# Native builds of two machines are not the same program, but the usual one of each. Builds that are measured
# together are compared because they differ.
sub _unlike_builds {
    my (@runs) = @_;
    return if !grep { !_together($runs[0], $_) } @runs;
    my (%labels, @kinds);
    for my $run (@runs) {
        my $kind = Touchstone::Build::kind($run->{facts}{'b isa'}) // next;
        push @kinds,              $kind if !$labels{$kind};
        push @{ $labels{$kind} }, $run->{label};
    }
    return if @kinds < 2;
    return
          'not builds of one kind: '
        . join(', ', map { list_and_more($NAMED, @{ $labels{$_} }) =~ s/ \Q($_)\E\z//r . " ($_)" } @kinds)
        . '; '
        . Touchstone::Build::only_with(@kinds);
}

# Those that are not valid, each once. What disturbs builds that take turns disturbs all of them alike.
sub _invalid {
    my (@runs) = @_;
    my $why = (grep { !_together($runs[0], $_) || !_by_turns($_) } @runs) ? 'invalid' : 'unfair';
    my %seen;
    return [
        map  { +{ name => $_->{name}, label => $_->{label}, %{ $_->{$why} } } }
        grep { $_->{$why} && !$seen{ $_->{name} }++ } @runs
    ];
}

sub _by_turns {
    my ($run) = @_;
    return scalar grep { $_->{most_rounds} } values %{ $run->{tests} };
}

# Many hosts have the same name: what several runs are called is followed by where each came from.
sub _distinguished {
    my (@runs) = @_;
    my %labels;
    $labels{ $_->{name} }{ _figures($_) } = 1 for @runs;
    return map {
        keys %{ $labels{ $_->{name} } } > 1 && defined $_->{from} && $_->{from} ne $_->{name}
            ? { %$_, name => "$_->{name} ($_->{from})" }
            : $_
    } @runs;
}

# The sets of one --build, which its reports put side by side.
sub _builds {
    my ($first, @others) = @_;
    return if grep { !$_->{set} || !_together($first, $_) } $first, @others;
    my %seen;
    return (
        builds =>
            [ map { +{ %{ $_->{set} }, compiler => $_->{facts}{'b compiler_version'} } } $first, @others ],
        unbuilt => [ grep { !$seen{$_}++ } map { @{ $_->{unbuilt} } } $first, @others ]
    );
}

# True if the passes of two runs were measured in pairs.
sub _together {
    my ($one, $other) = @_;
    return defined $one->{duet} && defined $other->{duet} && $one->{duet} eq $other->{duet};
}

sub _pair {
    my ($first, $second, %what) = @_;
    my @tests = map { _test($_, $first->{tests}{$_}, $second->{tests}{$_}, _together($first, $second)) }
        grep { $second->{tests}{$_} } _arranged($first);
    my @indexes = map { _index($_, $first, $second, \@tests) }
        grep { $second->{indexes}{$_} } _arranged_indexes($first);
    _add_drift($what{drift}, $first, $second, @tests, @indexes) if $what{drift};
    Touchstone::Compare::Judgement::judge($what{smallest} || {}, $what{fail_on}, @tests, @indexes);
    my @invalid = grep { $_->{name} eq $first->{name} || $_->{name} eq $second->{name} } @{ $what{invalid} };
    Touchstone::Compare::Judgement::withhold([ map { $_->{label} } @invalid ], @tests, @indexes);
    my $cause = _cause($first, $second, @tests);
    undef $cause if @invalid;
    _add_prices($first, $second, @indexes);

    # A measure has the name of its test before its own.
    my @asked   = grep { !$what{asked} || /\A(\S+ \S+)/ && $what{asked}{$1} } keys %{ $first->{tests} };
    my $missing = grep { !$second->{tests}{$_} } @asked;
    return {
        name    => $second->{name},
        label   => $second->{label},
        invalid => \@invalid,
        missing => $missing,
        $cause ? (cause => $cause) : (),
        tests   => \@tests,
        indexes => \@indexes,
        judged  => scalar(grep { $second->{judged}{$_} } keys %{ $first->{judged} }),
        notes   => [ _notes($first, $second) ]
    };
}

# Splits the differences of tests, and returns the cause that their pattern fits. Tests that do not differ are
# evidence, too.
sub _cause {
    my ($first, $second, @tests) = @_;
    my @evidence;
    for my $test (@tests) {
        my @costs = grep { $_ } _costs($test->{key}, $first, $second);
        my $split = Touchstone::Compare::CostSplit::of_test($test, @costs);
        $test->{split} = $split if $split && Touchstone::Compare::Judgement::is_clear($test);
        Touchstone::Compare::EventSplit::add($test, @costs);
        my $cpu = Touchstone::Compare::CostSplit::of_cpu_time($test, @costs);
        push @evidence,
            { %$test, $split && $split->{parts} ? (split => $split) : (), $cpu ? (cpu => $cpu) : () };
    }
    my @facts = Touchstone::Compare::Differences::differences(map { $_->{facts} } $first, $second);
    return Touchstone::Compare::Cause::of_pair(\@evidence, \@facts);
}

sub _costs {
    my ($key, @runs) = @_;
    return map { $_->{tests}{$key}{costs} } @runs;
}

# Passes that were measured in pairs met the same minutes, so they need none.
sub _add_drift {
    my ($drift, $first, $second, @figures) = @_;
    my $figures = Touchstone::Compare::Drift::between($drift, $first, $second);
    $_->{drift} = $figures->{ $_->{key} }
        for grep { !$_->{paired} && !defined $_->{why} && $figures->{ $_->{key} } } @figures;
    return;
}

# How many times as much of an index the second run gives for a unit of the price; prices in two units have no
# ratio.
sub _add_prices {
    my ($first, $second, @indexes) = @_;
    my ($one, $other) = map { $_->{price} || return } $first, $second;
    return if _unit_of($one) ne _unit_of($other);
    my $price_ratio = $one->{amount} / $other->{amount};
    for my $index (grep { defined $_->{ratio} && ($_->{role} // 'answer') eq 'answer' } @indexes) {
        $index->{per_price} = {
            defined $one->{unit} ? (unit => $one->{unit}) : (),
            ratio => $index->{ratio} * $price_ratio,
            $index->{interval} ? (interval => [ map { $_ * $price_ratio } @{ $index->{interval} } ]) : ()
        };
    }
    return;
}

sub _unit_of { my ($price) = @_; return $price->{unit} // '' }

# The keys of the tests of a run by copy count, in the order of the suites.
sub _arranged {
    my ($run) = @_;
    my $tests = $run->{tests};
    return
        sort { $tests->{$a}{copies} <=> $tests->{$b}{copies} }
        Touchstone::Suite::arranged(sub { $tests->{ $_[0] }{name} }, sort keys %$tests);
}

# The keys of its indexes by copy count, in the order of the suites.
sub _arranged_indexes {
    my ($run) = @_;
    my $indexes = $run->{indexes};
    return sort {
               $indexes->{$a}{copies} <=> $indexes->{$b}{copies}
            || ($indexes->{$a}{order} // 0) <=> ($indexes->{$b}{order} // 0)
            || $a cmp $b
    } keys %$indexes;
}

# Lists the tests that one run has and the other lacks, or has otherwise.
sub _notes {
    my ($first, $second) = @_;
    my @notes = map { "$_->{label}: $_->{note}" } grep { defined $_->{note} } $first, $second;
    push @notes, $first->{name} eq $second->{name}
        ? "$first->{label} is compared with itself"
        : "$second->{label} holds the same results as $first->{label}"
        if %{ $first->{tests} } && _figures($first) eq _figures($second);
    my @prices = grep { defined } map { $_->{price} } $first, $second;
    push @notes, 'their prices cannot be compared: ' . join ' and ',
        map { Touchstone::Base::Price::as_text($_) } @prices
        if @prices == 2 && _unit_of($prices[0]) ne _unit_of($prices[1]);
    for my $case ([ $first, $second ], [ $second, $first ]) {
        my ($has, $lacks) = @$case;
        my @missing = map {
            my $t = $has->{tests}{$_};
            "$t->{name} with " . copies($t->{copies})
        } grep { !$lacks->{tests}{$_} } sort keys %{ $has->{tests} };
        push @notes, "not in $lacks->{label}: " . join(', ', @missing) if @missing;
    }
    push @notes, Touchstone::Compare::Differences::notes(map { $_->{tool} } $first, $second);
    my %seen;
    return grep { !$seen{$_}++ } @notes, _uneven($first, $second);
}

# Tests that were less even in one of the runs by so many points, the worst ones.
my $MAX_DISTANCE = 15;

sub _uneven {
    my ($first, $second) = @_;
    my @distant;
    for my $key (sort keys %{ $first->{tests} }) {
        my ($one, $other) = map { $_->{tests}{$key} || {} } $first, $second;
        next if grep { !defined $_->{consistency} } $one, $other;
        push @distant, [ $one, map { sprintf '%.0f', $_->{consistency} } $one, $other ]
            if abs($one->{consistency} - $other->{consistency}) >= $MAX_DISTANCE;
    }
    @distant = sort { abs($b->[1] - $b->[2]) <=> abs($a->[1] - $a->[2]) } @distant or return;
    return "consistency differs between $first->{label} and $second->{label}: " . list_and_more(
        $NAMED,
        map {
            my ($test, @even) = @$_;
            "$test->{name} with " . copies($test->{copies}) . " has $even[0] % and $even[1] %"
        } @distant
    );
}

# All that a run found, as a text.
sub _figures {
    my ($run) = @_;
    return join "\n", map { my $test = $run->{tests}{$_}; "$_: $test->{score} @{ $test->{rates} }" }
        sort keys %{ $run->{tests} };
}

# One test at one copy count; the verdict comes later, because it depends on how many there are.
sub _test {
    my ($key, $one, $other, $paired) = @_;
    my %test = (
        key       => $key,
        name      => $one->{name},
        title     => $one->{title},
        copies    => $one->{copies},
        unit      => $one->{unit},
        scores    => [ map { $_->{score} } $one,                   $other ],
        intervals => [ map { $_->{interval} } $one,                $other ],
        passes    => [ map { scalar @{ $_->{rates} || [] } } $one, $other ],
        $one->{tail} && $other->{tail} ? (tails => [ map { $_->{tail} } $one, $other ]) : ()
    );
    my ($over, $under) = $one->{better} eq 'lower' ? @{ $test{scores} } : reverse @{ $test{scores} };
    $test{ratio} = $under > 0 ? $over / $under : undef;
    my $unlike = _unlike($one, $other);
    return { %test, ratio => undef, verdict => $UNLIKE, why => $unlike } if defined $unlike;
    my $changed = _changed($one, $other);
    return { %test, ratio => undef, why => $changed } if defined $changed;
    my $why = _incomparable($one, $other);
    return { %test, why => $why } if defined $why;
    my $sign = $one->{better} eq 'lower' ? -1 : 1;
    return { %test, paired => 1, _of_rounds($one, $other, $sign) }
        if $paired && $one->{most_rounds} && $other->{most_rounds};
    my $random = Touchstone::Base::Random::generator(1);
    return { %test, paired => 1, _of_pairs($one, $other, $sign, $random) } if $paired;
    return {
        %test,
        _of_passes($one, $other, $sign, $random),
        spread => Touchstone::Stats::Confidence::product([ _spread($one), -1 ], [ _spread($other), 1 ])
    };
}

# Where the score of one is limited by a mean over time, means over time are compared: logarithms and ranks
# know nothing of how much more the faster passes did.
sub _of_passes {
    my ($one, $other, $sign, $random) = @_;
    my @means    = grep { defined } map { $_->{over_time} } $one, $other;
    my $by_means = @means == 2 && grep { $_->{limited} } $one, $other;
    my @values   = map {
        my $test = $_;
        [ map { $sign * ($by_means ? $_ : log) } @{ $test->{rates} } ]
    } $one, $other;
    my @dealt = $by_means ? @values : Touchstone::Stats::Significance::ranks(@values);
    return (
        %{
            $by_means
            ? Touchstone::Stats::Significance::of_means(
                map { [ $sign * log $_->{mean}, $_->{error}**2, $_->{freedom} ] } @means
                )
            : Touchstone::Stats::Significance::differ(@values)
        },
        agrees => sub { Touchstone::Stats::Significance::permutation(@dealt, $random) }
    );
}

# A duet of interleaved blocks is judged as it was while it went on. What a test measured beside its score has
# a figure in each round.
sub _of_rounds {
    my ($one, $other, $sign) = @_;
    my %with = (n_max => max(map { $_->{most_rounds} } $one, $other), margin => $one->{margin});
    my $outcome =
        $one->{passes} && $other->{passes}
        ? Touchstone::Compare::SequentialTest::of_passes($one->{passes}, $other->{passes}, %with)
        : Touchstone::Compare::SequentialTest::in_the_end([ _logs_of_pairs($one, $other, $sign) ], %with);
    my $rounds = $outcome ? $outcome->{rounds} : 0;
    return (why => plural($rounds, 'round') . ", $Touchstone::Stats::FEWEST needed")
        if $rounds < $Touchstone::Stats::FEWEST;
    return (%$outcome, margin => $one->{margin});
}

# How sure the speed of a test is. Every test with enough passes that all did something has a median, and that
# stands in where the interval of its score reaches below zero.
sub _spread {
    my ($test) = @_;
    return Touchstone::Score::Interval::of_speed($test)
        || Touchstone::Score::Interval::of_speed(
        { %$test, %{ Touchstone::Score::Interval::of_score($test->{score}, @{ $test->{rates} }) } });
}

# Passes of a duet ran side by side, and what disturbed one disturbed the other: their pairs decide, not the
# scores.
sub _of_pairs {
    my ($one, $other, $sign) = @_;
    my @differences = _logs_of_pairs($one, $other, $sign);
    my $random      = $_[3];
    my @reach       = Touchstone::Stats::Significance::reach(@differences);
    my $middle      = median(@differences);
    return (
        %{ Touchstone::Stats::Significance::paired(@differences) },
        middle => $middle,
        reach  => \@reach,
        agrees => sub { Touchstone::Stats::Significance::sign_flip(\@differences, $random) }
    );
}

sub _logs_of_pairs {
    my ($one, $other, $sign) = @_;
    return
        map { $sign * log($other->{rates}[$_] / $one->{rates}[$_]) }
        0 .. min($#{ $one->{rates} }, $#{ $other->{rates} });
}

# Returns why the work of one is not the other's, if only one of them says so.
sub _unlike {
    my ($one, $other) = map { $_->{unlike} } @_;
    return defined $one && defined $other ? undef : $one // $other;
}

# The test has come to measure something else since then.
sub _changed {
    my ($one, $other) = @_;
    my ($here, $there) = map { $_->{work} } $one, $other;
    return "not the same work: $here here, $there there"
        if defined $here && defined $there && $here ne $there;
    my @versions = grep { defined } map { $_->{version} } $one, $other;
    return if @versions < 2 || $versions[0] eq $versions[1];
    return "another version of the test: $versions[0] here, $versions[1] there";
}

sub _incomparable {
    my ($one, $other) = @_;
    return "its unit is $one->{unit} here and $other->{unit} there"
        if 2 == (grep { length } $one->{unit}, $other->{unit}) && $one->{unit} ne $other->{unit};
    my ($condition) = grep { ($one->{conditions}{$_} // '') ne ($other->{conditions}{$_} // '') }
        sort keys %{ { %{ $one->{conditions} || {} }, %{ $other->{conditions} || {} } } };
    return "another $condition"                        if defined $condition;
    return 'parts of it are missing, and not the same' if _without($one) ne _without($other);
    return 'no passes are known'                       if grep { !@{ $_->{rates} } } $one, $other;
    my $fewest = min(map { scalar @{ $_->{rates} } } $one, $other);
    my @word   = $one->{most_rounds} ? qw(round rounds) : qw(pass passes);
    return plural($fewest, @word) . ", $Touchstone::Stats::FEWEST needed"
        if $fewest < $Touchstone::Stats::FEWEST;
    return 'a pass without a result' if grep { $_ <= 0 } map { @{ $_->{rates} } } $one, $other;
    return;
}

sub _without {
    my ($test) = @_;
    return join ' ', map { $_->{name} } @{ $test->{missing} || [] };
}

# The ratio of two indexes is the product of the roots of the ratios of their tests. Indexes of different
# tests are compared by those that both have; a test of another version is none of these.
sub _index {
    my ($key, $first, $second, $tests) = @_;
    my ($one, $other) = map { $_->{indexes}{$key} } $first, $second;
    my %count;
    $count{$_}++ for @{ $one->{tests} }, @{ $other->{tests} };
    my @common = grep { $_->{copies} == $one->{copies} && ($count{ $_->{name} } // 0) == 2 } @$tests
        or return;
    my @changed =
        grep { defined _changed($first->{tests}{ $_->{key} }, $second->{tests}{ $_->{key} }) } @common;
    my %changed = map  { $_->{name} => 1 } @changed;
    my @members = grep { !$changed{ $_->{name} } } @common;
    my $same    = @members == keys %count;
    my $partial = $same && grep { $_->{partial} } $one, $other;
    my $name    = ($partial ? 'partial ' : '') . ($one->{name} // 'index');
    my %index   = (
        key       => $key,
        name      => $name,
        of_common => 0,
        title     => "$one->{title} Index",
        (map { $_ => $one->{$_} } grep { defined $one->{$_} } qw(role label)),
        copies    => $one->{copies},
        unit      => '',
        scores    => [ $one->{score},    $other->{score} ],
        intervals => [ $one->{interval}, $other->{interval} ],
        ratio     => undef
    );

    return { %index, why => 'other baselines' } if _has_other_baselines($first, $second, @members);

    # The indexes of its tests are against another baseline than an index of a suite may be.
    if (!$same && (!@members || defined $one->{reference})) {
        return %changed
            ? { %index, why => 'another version of ' . join ', ', sort keys %changed }
            : ();
    }
    %index = (
        %index,
        $same ? () : _of_common($name, $first, $second, @members),
        _of_members(_in_parts($one->{weights}, @members))
    );
    $index{scaled} = 1 if !defined $index{level} && _is_scaled(\%index);
    return \%index;
}

# Whether a report has an index against other baselines than the other run. They follow from its figures,
# which have one decimal.
sub _has_other_baselines {
    my ($first, $second, @members) = @_;
    return 0 if !grep { $_->{report} } $first, $second;
    for my $key (map { $_->{key} } @members) {
        my @tests = grep { $_->{index} && $_->{score} } map { $_->{tests}{$key} } $first, $second;
        next if @tests < 2;
        my @levels =
            map { is_lower_better($_) ? $_->{index} * $_->{score} : $_->{index} / $_->{score} } @tests;
        my $rounded = sum(map { ($TENTH / $_->{index}, $TENTH / $_->{score}) } @tests);
        return 1 if abs(log $levels[0] / $levels[1]) > $ROUNDED + $rounded;
    }
    return 0;
}

# An index of the tests that both runs have.
sub _of_common {
    my ($name, $first, $second, @members) = @_;
    return (
        name      => "$name of " . plural(scalar @members, 'test'),
        of_common => 1,
        intervals => [ undef,                                    undef ],
        scores    => [ map { _mean_index($_, @members) } $first, $second ]
    );
}

sub _mean_index {
    my ($run, @members) = @_;
    return geometric_mean(map { $run->{tests}{ $_->{key} }{index} } @members);
}

# The tests of an index with their powers in it: all alike, where it has no weights.
sub _in_parts {
    my ($weights, @members) = @_;
    return map { +{ %$_, part => $weights ? $weights->{ $_->{name} } : 1 / @members } } @members;
}

sub _of_members {
    my (@members) = @_;
    my @known     = grep { ($_->{ratio} // 0) > 0 } @members;
    my $ratio     = @known == @members ? exp sum(map { $_->{part} * log $_->{ratio} } @known) : undef;
    my ($wide)    = grep { defined $_->{why} } @members;
    return (ratio  => $ratio, map { $_ => $wide->{$_} } qw(verdict why)) if $wide;
    return (paired => 1,      %{ Touchstone::Compare::SequentialTest::of_members(@members) })
        if !grep { !defined $_->{level} } @members;
    my $variance = sum(map { ($_->{part} * $_->{error})**2 } @members);
    my $below    = sum(map { ($_->{part} * $_->{error})**4 / $_->{freedom} } @members);
    my $freedom  = $below > 0 ? $variance**2 / $below : $members[0]{freedom};
    my $mean     = sum(map { $_->{part} * $_->{difference} } @members);
    return (
        ratio => $ratio,
        $members[0]{paired}
        ? _paired(@members)
        : (spread => Touchstone::Stats::Confidence::product(map { [ $_->{spread}, $_->{part} ] } @members)),
        %{ Touchstone::Stats::Significance::judged($mean, sqrt $variance, $freedom) }
    );
}

# What an index of a duet has beside its means.
sub _paired {
    my (@members) = @_;
    my @reach = map {
        my $side = $_;
        sqrt sum(map { ($_->{part} * $_->{reach}[$side])**2 } @members)
    } 0, 1;
    return (paired => 1, middle => sum(map { $_->{part} * $_->{middle} } @members), reach => \@reach);
}

# Indexes against two baselines, as after --baseline, are on two scales: their ratio is not that of the
# scores. Scores of a text report are rounded.
sub _is_scaled {
    my ($index) = @_;
    my ($one, $other) = @{ $index->{scores} };
    return 0 if !$index->{ratio} || !$one || !$other;
    return abs(log($other / $one / $index->{ratio})) > $ROUNDED;
}

1;
