# SPDX-License-Identifier: GPL-2.0-or-later
# Score - makes results from the facts of a run: rates of passes, scores, indexes, gains.
package Touchstone::Score;
use 5.014;
use strict;
use warnings;

use List::Util qw(max min sum);

use Touchstone::Base::Direction qw(index_of interval_of is_lower_better);
use Touchstone::Score::Cost;
use Touchstone::Score::Disturbance;
use Touchstone::Score::Index;
use Touchstone::Score::Measures;
use Touchstone::Score::Interval;
use Touchstone::Score::Rate;
use Touchstone::Score::Undisturbed;
use Touchstone::Stats::Confidence;
use Touchstone::Score::Levels;
use Touchstone::Stats qw(geometric_mean mean median);
use Touchstone::Suite;

# Each schedule makes one figure of the passes of a test by a rule of its own. A rule takes passes as
# _countable has them, and returns what Score::Interval has of a score, with the score, and the passes that
# count.
my %RULE = (classic => \&_classic_rule, default => \&_over_time_rule, quick => \&_over_time_rule);

# The results of a run, a value of their own beside its facts, which stay as they are:
#
#   {
#       passes   => [ the rates and, where it was disturbed, the marks of each pass ],
#       counted  => { 2 => { pipe => [1, 4, 7] } },     the places of the passes that count, by copies
#       blocks   => [ { copies => 2, tests => [...], below_resolution => [...], verdict_tests => [...], indexes => [...] }, ... ],
#       scaling  => what several copy counts gain, or undef,
#       speedup  => the table of --scaling, where that was wanted, or undef,
#       curves   => the same with points, whenever there are two copy counts, or undef,
#       spreads  => { 2 => { pipe => what Rate::evenness says of its copies } },
#       findings => what the run found out about its scores, when it has just ended, or undef,
#       against  => the comparison with the run that --baseline named, as a stored run has it,
#       published_results => { byte1984 => what this suite shows with published results }
#   }
#
# rates: those of passes whose rates are known; ended: the run has just come to its end.
sub score_run {
    my ($facts, %with) = @_;
    require Touchstone::Score::Scaling;
    my $scores  = scores($facts, %with);
    my $blocks  = $scores->{blocks};
    my $speedup = $facts->{scaling_wanted} ? Touchstone::Score::Scaling::table($facts, $blocks) : undef;
    my %results = (
        %$scores,
        scaling  => scalar scaling($blocks),
        speedup  => $speedup,
        curves   => scalar Touchstone::Score::Scaling::curves($facts, $blocks, $speedup),
        spreads  => _spreads($facts, $scores),
        findings => $with{ended} ? _findings($facts, $scores) : undef
    );
    return { %results, against => $facts->{against}, published_results => _published($facts, \%results) };
}

sub _findings {
    my ($facts, $scores) = @_;
    my $with_verdict = _with_verdict($facts);
    my @scored       = grep { !$with_verdict->{ $facts->{passes}[$_]{test} } } 0 .. $#{ $facts->{passes} };
    my @marks        = map  { $_->{marks} || [] } @{ $scores->{passes} }[@scored];
    my $without      = { %$facts, passes => [ @{ $facts->{passes} }[@scored] ] };
    require Touchstone::Score::Diagnostics;
    return Touchstone::Score::Diagnostics::diagnose($without, \@marks, $scores->{blocks});
}

# The names of tests whose passes are evidence for a verdict, which judges by itself what disturbed them.
sub _with_verdict {
    my ($facts) = @_;
    return { map { $_->{name} => 1 } grep { $_->{verdict} } @{ $facts->{tests} } };
}

# The part of the results that comparisons need: { passes, counted, blocks }
sub scores {
    my ($facts, %with) = @_;
    my $passes       = $facts->{passes};
    my $rates        = $with{rates} || [];
    my @rates        = map { $rates->[$_] // Touchstone::Score::Rate::of_pass($passes->[$_]) } 0 .. $#$passes;
    my @marks        = Touchstone::Score::Disturbance::marks($facts, @rates);
    my $with_verdict = _with_verdict($facts);
    my @judged       = map {
        +{
            %{ $rates[$_] },
            @{ $marks[$_] } && !$with_verdict->{ $passes->[$_]{test} } ? (marks => $marks[$_]) : ()
        }
    } 0 .. $#rates;
    my %counted;
    push @{ $counted{ $passes->[$_]{copies} }{ $passes->[$_]{test} } }, $_
        for grep { $passes->[$_]{round} > 0 } 0 .. $#$passes;
    my %events;
    push @{ $events{ $_->{copies} }{ $_->{test} } }, $_ for grep { $_->{events} || $_->{uncounted} } @$passes;
    my @blocks = map {
        my $copies = $_->{copies};
        _block($facts, \@judged, $copies, $counted{$copies} || {}, $events{$copies} || {})
    } @{ $facts->{blocks} };
    return { passes => \@judged, counted => \%counted, blocks => \@blocks };
}

# Collects the tables in which suites show the run beside published results.
sub _published {
    my ($facts, $results) = @_;
    my $packages  = Touchstone::Suite::packages('Tables');
    my %published = map { $_ => scalar $packages->{$_}->can('tables')->($facts, $results) } keys %$packages;
    return { map { $_ => $published{$_} } grep { $published{$_} } keys %published };
}

# The results of a copy count; `counted`: the places of the passes of each test; `events`: its passes that
# count events.
sub _block {
    my ($facts, $judged, $copies, $counted, $events) = @_;
    my %row    = map { $_->{name} => $_ } @{ $facts->{tests} };
    my %failed = map { $_->{test} => 1 }
        grep { !defined $_->{copies} || $_->{copies} == $copies } @{ $facts->{failures} };
    my @tests;
    for my $name (grep { $row{$_} && !$failed{$_} } sort keys %$counted) {
        my @places = @{ $counted->{$name} };
        push @tests,
            _test_result(
            $facts, $copies, $row{$name},
            [ @{ $facts->{passes} }[@places] ],
            [ @$judged[@places] ],
            $events->{$name}
            );
    }
    @tests = sort { $a->{title} cmp $b->{title} } @tests;
    my @with_verdict = grep { $row{ $_->{name} }{verdict} } @tests;
    @tests = grep { !$row{ $_->{name} }{verdict} } @tests;
    my @below = grep { $_->{below_resolution} } @tests;
    @tests = grep { !$_->{below_resolution} } @tests;
    return {
        copies           => $copies,
        tests            => \@tests,
        below_resolution => \@below,
        verdict_tests    => \@with_verdict,
        indexes          => _indexes($facts, $copies, \@tests)
    };
}

sub _spreads {
    my ($facts, $scores) = @_;
    my %spreads;
    for my $block (grep { $_->{copies} > 1 } @{ $scores->{blocks} }) {
        my $counted = $scores->{counted}{ $block->{copies} };
        $spreads{ $block->{copies} }{ $_->{name} } =
            Touchstone::Score::Rate::evenness($_->{unit},
            @{ $scores->{passes} }[ @{ $counted->{ $_->{name} } } ])
            for @{ $block->{tests} };
    }
    return \%spreads;
}

# Returns the score of a test that has these rates so far, and how sure it is; `kind` is that of its schedule.
# `disturbances` are those of the passes as Score::Disturbance has them, where they are known.
sub precision_of {
    my ($kind, $test, $rates, $disturbances) = @_;
    my ($interval) = _rule($kind, $test)->(
        map {
            +{
                rate   => $rates->[$_],
                count  => $rates->[$_],
                better => $test->{better},
                %{ $disturbances->[$_] || {} }
            }
        } 0 .. $#$rates
    );
    return $interval;
}

# Returns the result of a test as far as it is known while a run goes on. `so_far` is what `sureness` gives.
sub result_so_far {
    my ($row, $copies, $so_far) = @_;
    my %result = (
        %$so_far,
        (map { $_ => $row->{$_} } qw(name category scale better)),
        baseline  => ($row->{baselines} || {})->{$copies} // $row->{baseline},
        disturbed => 0
    );
    return { %result, _index_of_test(\%result) };
}

# Returns whether a run measures all tests of just one index, or of one with its parts.
sub will_have_index {
    my ($facts) = @_;
    return defined _key_of_answer($facts);
}

sub _key_of_answer {
    my ($facts) = @_;
    my %tests   = map { $_->{name} => 1 } @{ $facts->{tests} };
    my @whole   = grep {
        my @mine = @{ $_->{tests} };
        @mine && !grep { !$tests{$_} } @mine
    } _definitions($facts);
    my @answers = Touchstone::Score::Index::answers(@whole);
    return @answers == 1 ? $answers[0]{key} : undef;
}

# Returns the index of such results, if they are all that a copy count measures and have just one that
# answers, is not partial, and is the one that the run will have: { score, precision, ... }.
sub index_so_far {
    my ($facts, $copies, @results) = @_;
    return if grep { $_->{score} <= 0 } @results;
    my ($index, @more) =
        Touchstone::Score::Index::answers(@{ _indexes($facts, $copies, \@results) });
    return if !$index || @more || $index->{partial};
    return $index->{key} eq (_key_of_answer($facts) // '') ? $index : undef;
}

# The quantile of slow operations that a test with a tail scores is one of a pass.
sub _rule {
    my ($kind, $test) = @_;
    return $RULE{$kind}   if $kind ne 'classic' && !defined $test->{tail};
    return \&_median_rule if $kind ne 'classic';
    return ($test->{rule} // '') eq 'mean' ? \&_mean_rule : $RULE{$kind};
}

# A test with a copy count, from its passes and what was judged of them.
sub _test_result {
    my ($facts, $copies, $row, $passes, $judged, $events) = @_;

    # The unit decides, not what a record says of the test.
    my $better = (grep { $_->{unit} eq $Touchstone::Base::Direction::SECONDS } @$passes) ? 'lower' : 'higher';
    my @losses = Touchstone::Score::Disturbance::losses({ %$facts, passes => $passes });
    my @rates  = map { _countable($passes->[$_], $judged->[$_], $losses[$_], $better) } 0 .. $#$passes;
    my @values = map { $_->{rate} } @rates;
    my $rule   = _rule($facts->{schedule}{kind}, $row);
    my ($score, @used) = $rule->(@rates);
    my @shares = grep { defined } map { $_->{share} } @$judged;
    my @clean  = grep { !$_->{disturbed} } @rates;
    my %result = (
        _derived($row->{name}, $score->{score}),
        name     => $row->{name},
        title    => $row->{title},
        category => $row->{category},
        unit     => $passes->[0]{unit},
        scale    => $row->{scale},
        better   => $better,
        seconds  => mean(map { $_->{seconds} } @used),
        samples  => scalar @used,
        passes   => scalar @rates,
        rates    => \@values,
        baseline => ($row->{baselines} || {})->{$copies} // $row->{baseline},
        share    => @shares ? min(@shares) : undef,
        (map { $_ => $passes->[0]{$_} } grep { defined $passes->[0]{$_} } qw(team seen)),
        %$score,
        disturbed => @rates - @clean,
        _measured($rule, $row, $passes, @rates),
        clean_score => @clean && @clean < @rates ? ($rule->(@clean))[0]{score} : undef,
    );
    return { %result, below_resolution => 1 } if _is_below(\%result);
    my @levels =
        Touchstone::Score::Levels::of_test(\%result, $passes, grep { !$rates[$_]{disturbed} } 0 .. $#rates);
    return {
        %result,
        _cost(@$passes),
        _part(\%result, $passes->[0], @{ $row->{per} || [] }),
        _index_of_test(\%result),
        @levels ? (levels => \@levels) : (),
        _undisturbed($facts, \%result, $passes, $judged, @losses),
        cost => Touchstone::Score::Cost::of_test(\%result, $passes, $events)
    };
}

# What passes found out beside the score. Where the row says that the slowest operations matter, they have a
# tail, whose quantiles are no measures, which comparisons would judge.
sub _measured {
    my ($rule, $row, $passes, @rates) = @_;
    my %found = Touchstone::Score::Measures::of_passes($rule,
        map { +{ %{ $passes->[$_] }, disturbed => $rates[$_]{disturbed}, lost => $rates[$_]{lost} } }
            0 .. $#rates);
    return %found if !defined $row->{tail};
    my $tail = Touchstone::Score::Measures::tail_of_passes($passes, map { $_->{rate} } @rates)
        or return %found;
    my $is_time  = $passes->[0]{unit} eq $Touchstone::Base::Direction::SECONDS;
    my @measures = grep { !Touchstone::Score::Measures::is_only_shown($_->{name}, $is_time) }
        @{ delete $found{measures} || [] };
    return (
        %found,
        @measures ? (measures => \@measures) : (),
        tail => { of => $row->{tail}, late => $row->{late} ? 1 : 0, %$tail }
    );
}

sub _undisturbed {
    my ($facts, $result, $passes, $judged, @losses) = @_;
    return Touchstone::Score::Undisturbed::of_test(
        score  => $result->{score},
        error  => $result->{error},
        better => $result->{better},
        rates  => $result->{rates},
        passes => $passes,
        marks  => [ map { $_->{marks} } @$judged ],
        losses => \@losses,
        cpus   => $facts->{host}{usable_cpus} // $facts->{host}{online_cpus}
    );
}

# Adds the figures that rows derive from a score. Each name is a key of every result; it is undef for other
# tests.
sub _derived {
    my ($name, $score) = @_;
    my $derived = Touchstone::Suite::derived();
    my $mine    = $derived->{$name} || {};
    return (
        (map { $_ => undef } map { keys %$_ } values %$derived),
        map { $_ => $score / $mine->{$_}{divisor} } keys %$mine
    );
}

# A rate as rules take it.
sub _countable {
    my ($pass, $judged, $lost, $better) = @_;
    return {
        rate    => $judged->{rate},
        count   => sum(@{ $pass->{counts} }),
        seconds => mean(@{ $pass->{times} }),
        better  => $better,
        %{ Touchstone::Score::Disturbance::disturbance($judged->{marks}, $lost) }
    };
}

# A unit of work, or what a rate counts, has so many equal parts: a part has the time that one copy sees for
# it.
sub _part {
    my ($result, $pass, $many, $name) = @_;
    return if !$many || $result->{score} <= 0;
    my $time   = sub { return Touchstone::Score::Cost::time_of($result, $pass, $_[0]) / $many };
    my @limits = @{ $result->{interval} || [] };
    @limits = reverse @limits if !is_lower_better($result);
    return (
        each => {
            of       => $name,
            seconds  => $time->($result->{score}),
            interval => @limits && $limits[-1] > 0 ? [ map { $time->($_) } @limits ] : undef
        }
    );
}

# Seconds may be the difference of two times, which could as well be none.
sub _is_below {
    my ($result) = @_;
    return 0 if !is_lower_better($result);
    return 1 if $result->{score} <= 0;
    return $result->{interval} ? $result->{interval}[0] <= 0 : grep { $_ <= 0 } @{ $result->{rates} };
}

# CPU seconds of a unit of fixed work, where a program counts units and its CPU time was all for them.
sub _cost {
    my (@passes) = @_;
    return if grep { $_->{unit} ne $Touchstone::Base::Direction::SECONDS || !$_->{timebase} } @passes;
    return map     { my $kind = $_; ($kind => _cost_of($kind, @passes)) } qw(user sys);
}

sub _cost_of {
    my ($kind, @passes) = @_;
    my @known = grep {
        my $spent = $_->{$kind};
        $spent && !grep { !defined } @$spent
    } @passes;
    return @known
        ? median(map { sum(@{ $_->{$kind} }) / sum(@{ $_->{counts} }) } @known)
        : undef;
}

sub _index_of_test {
    my ($result) = @_;
    return (index => undef, index_interval => undef) if !defined $result->{baseline};
    return (
        index          => index_of($result, $result->{score}),
        index_interval => $result->{interval}
        ? interval_of($result, $result->{interval})
        : undef
    );
}

# This is the rule of rows that say `mean`, in the classic schedule.
sub _mean_rule {
    my (@rates) = @_;
    my @values  = map { $_->{rate} } @rates;
    my $score   = mean(@values);
    return ({ score => $score, %{ Touchstone::Score::Interval::of_mean($score, @values) } }, @rates);
}

# This is the rule of the classic schedule, UnixBench's: the worst third of the passes is dropped, the
# geometric mean of the rest is the score.
sub _classic_rule {
    my (@rates) = @_;
    my @best =
        is_lower_better($rates[0])
        ? sort { $a->{rate}  <=> $b->{rate} } @rates
        : sort { $b->{count} <=> $a->{count} } @rates;
    splice @best, @best - int(@best / 3);
    my @kept  = map { $_->{rate} } @best;
    my $score = (grep { $_ < 0 } @kept) ? median(@kept) : geometric_mean(@kept);
    return (_of_score($score, @rates), @best);
}

# This is the rule of a figure that each pass has for itself.
sub _median_rule {
    my (@rates) = @_;
    return (_of_score(median(map { $_->{rate} } @rates), @rates), @rates);
}

sub _of_score {
    my ($score, @rates) = @_;
    return { score => $score, %{ Touchstone::Score::Interval::of_score($score, map { $_->{rate} } @rates) } };
}

sub _over_time_rule {
    my (@rates) = @_;
    my $score = Touchstone::Score::Interval::of_score_of_passes(@rates);
    return (Touchstone::Score::Interval::of_score_over_time($score, map { $_->{rate} } @rates), @rates);
}

# An index that is defined is there when something of it was measured; it is partial when a test is missing.
sub _indexes {
    my ($facts, $copies, $results) = @_;
    return [
        Touchstone::Score::Undisturbed::with_consistency(
            $results,
            Touchstone::Score::Index::priced(
                $facts->{price},
                Touchstone::Score::Index::with_roles(
                    Touchstone::Score::Index::without_duplicates(
                        map { _index($_, $copies, $results) } _definitions($facts)
                    )
                )
            )
        )
    ];
}

# The indexes of suites; and for each other category, unless its tests stand apart, the mean of its tests
# with a baseline:
#
#   {
#       key, name, title, category,
#       tests     => [names],
#       based     => [names of those with a baseline], where a category has no index,
#       exponent  => where it is not the usual one,
#       baselines => { name => score }, where these are not the usual ones,
#       by_copies => { name => { 2 => score } }, where a copy count has its own
#   }
sub _definitions {
    my ($facts) = @_;
    my @defined =
        map { +{ %$_, name => Touchstone::Score::Index::name_of($_->{key}) } } @{ $facts->{indexes} || [] };
    my %has = map { $_->{category} => 1 } @defined;
    return (
        (
            map {
                my $key = $_->{key};
                {
                    key      => $key,
                    name     => Touchstone::Score::Index::name_of($key),
                    title    => $_->{title},
                    category => $key,
                    tests    => $_->{index},
                    based    => $_->{based}
                }
                }
                grep { !$has{ $_->{key} } && !$_->{separate} } @{ $facts->{categories} }
        ),
        @defined
    );
}

# An index covers its tests; when none of those of a category was measured, the others with a baseline. The
# mean of a category whose tests are all kept out of an index stands in the classic text alone.
sub _index {
    my ($definition, $copies, $results) = @_;
    my @mine = map { _against($definition, $copies, $_) }
        grep { $_->{category} eq $definition->{category} && defined $_->{index} } @$results;
    my $outside = !@{ $definition->{tests} };
    my %member  = map  { $_ => 1 } @{ $outside ? $definition->{based} || [] : $definition->{tests} };
    my @members = grep { $member{ $_->{name} } } @mine;
    @mine = () if $definition->{baselines};
    return if !@members && !@mine;
    my $partial = @members < keys %member || !@members || (grep { $_->{missing} } @members) ? 1 : 0;
    @members = @mine if !@members;
    my $exponent = $partial              ? undef                           : $definition->{exponent};
    my $weights  = $definition->{groups} ? _weights($definition, @members) : undef;
    my $parts    = defined $exponent     ? [ ($exponent) x @members ]      : _parts($weights, @members);
    my %index    = Touchstone::Score::Index::of_tests($parts, @members);
    return {
        (map { $_ => $definition->{$_} } qw(key name title category)),
        (map { $_ => $definition->{$_} } grep { defined $definition->{$_} } qw(part_of place steady)),
        $weights ? (weights => $weights) : (),
        reference => $definition->{reference},
        scale     => $definition->{scale},
        partial   => $partial,
        $outside ? (outside => 1) : (),
        tests => [ map { $_->{name} } @members ],
        %index,
        Touchstone::Score::Undisturbed::of_index(
            $index{score}, $parts // [ (1 / @members) x @members ], @members
        )
    };
}

# The powers of tests in an index whose groups count alike, by name.
sub _weights {
    my ($definition, @members) = @_;
    return Touchstone::Suite::weights($definition, map { $_->{name} } @members);
}

# The same in a list; undef in another index.
sub _parts {
    my ($weights, @members) = @_;
    return $weights ? [ map { $weights->{ $_->{name} } } @members ] : undef;
}

# A result against the baseline of an index.
sub _against {
    my ($definition, $copies, $test) = @_;
    return $test if !$definition->{baselines};
    my $name     = $test->{name};
    my $baseline = (($definition->{by_copies} || {})->{$name} || {})->{$copies}
        // $definition->{baselines}{$name};
    return defined $baseline ? { %$test, baseline => $baseline, scale => $definition->{scale} } : ();
}

# Compares each copy count with the first:
#
#   {
#       copies => [1, 2],
#       rows   => [ { title, name, values => [...], gains => [undef, 97.4], intervals => [...] } ]
#   }
#
# Tests that were measured with every copy count come first, then indexes. Values are indexes where there is
# a baseline, otherwise scores; fixed work has units a second.
sub scaling {
    my ($blocks) = @_;
    return if @$blocks < 2;
    my @rows;
    for my $test (@{ $blocks->[0]{tests} }) {
        my @found = map {
            my $b = $_;
            grep { $_->{name} eq $test->{name} } @{ $b->{tests} }
        } @$blocks;
        push @rows, _gains(
            $test,
            map {
                [
                    Touchstone::Base::Direction::direction_of($_, $_->{score}),
                    Touchstone::Score::Interval::of_speed($_)
                ]
            } @found
        ) if @found == @$blocks;
    }
    for my $index (@{ $blocks->[0]{indexes} }) {
        my @found = map {
            my $b = $_;
            grep { _same_tests($_, $index) } @{ $b->{indexes} }
        } @$blocks;
        push @rows,
            _gains(
            { title => "$index->{title} Index", name => $index->{name} },
            map { [ $_->{score}, Touchstone::Score::Interval::of_speed($_) ] } @found
            ) if @found == @$blocks;
    }
    return if !@rows;
    return { copies => [ map { $_->{copies} } @$blocks ], rows => \@rows };
}

sub _same_tests {
    my ($one, $other) = @_;
    return "$one->{key}: @{ $one->{tests} }" eq "$other->{key}: @{ $other->{tests} }";
}

# A row of [value, how sure it is]s; gains and their intervals are in per cent.
sub _gains {
    my ($what, $first, @more) = @_;
    my (@gains, @intervals) = (undef);
    $intervals[0] = undef;
    for my $value (@more) {
        my $ratio = $first->[0] > 0 ? $value->[0] / $first->[0] : undef;
        my $limits =
            defined $ratio
            ? Touchstone::Stats::Confidence::limits($ratio,
            Touchstone::Stats::Confidence::product([ $first->[1], -1 ], [ $value->[1], 1 ]))
            : undef;
        push @gains,     defined $ratio ? ($ratio - 1) * 100                  : undef;
        push @intervals, $limits        ? [ map { ($_ - 1) * 100 } @$limits ] : undef;
    }
    return {
        title => $what->{title},
        name  => $what->{name},
        $what->{team} ? (team => 1) : (),
        values    => [ map { $_->[0] } $first, @more ],
        gains     => \@gains,
        intervals => \@intervals
    };
}

1;
