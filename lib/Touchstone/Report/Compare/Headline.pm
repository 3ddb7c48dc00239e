# SPDX-License-Identifier: GPL-2.0-or-later
# Report::Compare::Headline - the result of a comparison in sentences with names:
#
#   m7a-large is 21 % faster than c7i-large (+21 to +22 %): system index, 1 copy
#   with 2 copies: 19 % faster (+18 to +20 %)
#
# A comparison of builds that are not alike says so first, and then which runs are not valid:
#
#   not builds of one kind: vm (native build), vm2 (portable build); compare portable builds with portable
#   builds only
package Touchstone::Report::Compare::Headline;
use 5.014;
use strict;
use warnings;

use Exporter qw(import);
use List::Util qw(max);
use POSIX qw(ceil);

use Touchstone::Base::Text qw(copies named plural short);
use Touchstone::Compare::Drift;
use Touchstone::Compare;
use Touchstone::Report::Columns qw(label);
use Touchstone::Report::Compare::Groups;
use Touchstone::Report::Compare::Verdict qw(difference factor is_factor limits);
use Touchstone::Report::Price;
use Touchstone::Report::Verdict qw(is_clear word);
use Touchstone::Report::Run::Warnings;

our @EXPORT_OK = qw(facts on_page reach sentences with_commands);

# This stands before a name that begins a sentence, because a name keeps its first letter.
my $NAME = "\0";

# So many other indexes are named, and so many runs beside the fastest.
my ($INDEXES, $RUNS) = (6, 8);

# So many facts that differ are named, and a reason has so many letters.
my ($FACTS, $WHY) = (10, 120);

my %NUMBER = (
    2 => 'Two',
    3 => 'Three',
    4 => 'Four',
    5 => 'Five',
    6 => 'Six',
    7 => 'Seven',
    8 => 'Eight',
    9 => 'Nine'
);

# What the run with a reference is called.
our $THIS_RUN = 'this run';

my $MEASURES = 'measure three with ./Run --again 3 --every 1h';

my $REACH_OF_TWO = 'two runs of one machine may differ by more: repeat both.';

# Returns (first, others): the sentence that is the answer, and those that follow it.
sub sentences {
    return map { s/\A$NAME//r } _sentences(@_);
}

# The same sentences as a page has them, with a capital at the beginning.
sub on_page {
    return map { s/\A$NAME// ? $_ : ucfirst } _sentences(@_);
}

# A sentence in which no line breaks within a command.
sub with_commands {
    my ($sentence) = @_;
    my @parts      = split /(\.\/Run --again 3 --every 1h)/, $sentence;
    return @parts > 1
        ? [ map { m{\A\./Run } ? { text => $_, as => 'code', class => 'unbroken' } : $_ } @parts ]
        : $sentence;
}

sub _capitalised { my ($label) = @_; return $label eq $THIS_RUN ? $label : "$NAME$label" }

sub _sentences {
    my ($comparison) = @_;
    my $first        = $comparison->{label}[0];
    my @pairs        = _ranked(@{ $comparison->{pairs} });
    my @phrases      = _once(map { [ _sentence($first, $_) ] } @pairs);
    my @more =
          @pairs != 1           ? ()
        : $comparison->{checks} ? Touchstone::Report::Compare::Groups::by_purpose($first, $pairs[0])
        :                         _others($pairs[0]);
    my @of_prices = map { Touchstone::Report::Price::compared($first, $_) } @pairs;
    splice @of_prices, 1 + $RUNS if @of_prices > 1 + $RUNS;
    push @more, map { $_ . (@{ $comparison->{invalid} || [] } ? ', ' . word('invalid') : '') } @of_prices;
    my $cut = @phrases - 1 - $RUNS;
    splice @phrases, 1 + $RUNS, $cut, "... and $cut more: see the table" if $cut > 0;
    my @invalid = invalid($comparison);
    my @unlike  = grep { defined } $comparison->{unlike};
    return (@unlike, @invalid, @phrases, @invalid ? () : _of_drift($comparison), @more);
}

# Says whether the runs differ by more than their machine differs from itself, or that nobody knows.
sub _of_drift {
    my ($comparison) = @_;
    my $drift        = $comparison->{drift} or return;
    my @rows         = map { (@{ $_->{tests} }, @{ $_->{indexes} }) } @{ $comparison->{pairs} };
    return if !grep { $_->{interval} && !$_->{paired} } @rows;
    return
          'the verdict holds for these minutes only, because there are fewer than three valid stored runs of '
        . _either(@{ $drift->{unknown} })
        . " with these programs; $MEASURES"
        if !grep { $_->{drift} } @rows;
    return if @{ $comparison->{pairs} } > 1;
    my $main  = _main($comparison->{pairs}[0]);
    my @tests = grep { $_->{drift} } @{ $comparison->{pairs}[0]{tests} };
    my $clear = grep { _is_clear($_) } @tests;
    return _beyond($main, $clear) if $main && $main->{drift};
    return                        if !@tests;
    return
          ($clear ? plural($clear, 'score differs', 'scores differ') : 'no score differs')
        . ' by more than '
        . Touchstone::Compare::Drift::itself($tests[0]{drift});
}

sub _either { my (@hosts) = @_; return @hosts < 2 ? 'this machine' : join ' or ', @hosts }

# `clear`: so many tests differ by more, whatever the figure that speaks for all does.
sub _beyond {
    my ($figure, $clear)  = @_;
    my ($drift,  $beyond) = ($figure->{drift}, _is_clear($figure));
    return
          'these runs differ by '
        . ($beyond ? 'more' : 'no more')
        . ' than '
        . Touchstone::Compare::Drift::itself($drift) . ': '
        . Touchstone::Compare::Drift::as_sentence($drift)
        . ($clear && !$beyond ? '; ' . plural($clear, 'score differs', 'scores differ') . ' by more' : '');
}

# Says which runs are not valid, each reason once, and what to do.
sub invalid {
    my ($comparison) = @_;
    my @invalid = @{ $comparison->{invalid} || [] };
    my (%labels, @reasons);
    for my $run (@invalid) {
        push @reasons,                     $run->{text} if !$labels{ $run->{text} };
        push @{ $labels{ $run->{text} } }, $run->{label};
    }
    my %seen;
    return (
        (map { word('invalid') . ': ' . join(' and ', @{ $labels{$_} }) . ": $_" } @reasons),
        map { "what to do: " . Touchstone::Report::Run::Warnings::without_log($_) }
            grep { defined && !$seen{$_}++ } map { $_->{remedy} } @invalid
    );
}

# The run that is furthest above the first comes first.
sub _ranked {
    my (@pairs) = @_;
    my %ratio   = map  { $_ => (_main($_) // {})->{ratio} // 0 } @pairs;
    my @order   = sort { $ratio{ $pairs[$b] } <=> $ratio{ $pairs[$a] } || $a <=> $b } 0 .. $#pairs;
    return @pairs[@order];
}

# The figure that speaks for a pair: the index of the machine or of a suite with the fewest copies; without
# one the only test.
sub _main {
    my ($pair)  = @_;
    my ($index) = _whole_indexes($pair);
    return $index if $index;
    return @{ $pair->{tests} } == 1 ? $pair->{tests}[0] : undef;
}

sub _whole_indexes {
    my ($pair) = @_;
    my @whole =
        grep { $_->{name} !~ /\Apartial / && !$_->{of_common} && !_is_part($_) } @{ $pair->{indexes} };
    my %own = map { $_ => $_->{name} eq 'index' ? 0 : ($_->{role} // '') eq 'aside' ? 2 : 1 } @whole;
    return
        sort { $own{$a} <=> $own{$b} || $a->{copies} <=> $b->{copies} || $a->{name} cmp $b->{name} } @whole;
}

# Parts of an index have a table of their own.
sub _is_part { my ($index) = @_; return ($index->{role} // '') eq 'part' }

sub _sentence {
    my ($first, $pair) = @_;
    my $figure = _main($pair);
    return _counted($first, $pair) if !$figure;
    return (_verdict($figure, $first, $pair->{label}), label($figure));
}

# What several sentences speak of stands behind the first alone.
sub _once {
    my %seen;
    return map {
        my ($text, $topic) = @$_;
        defined $topic && !$seen{$topic}++ ? "$text: $topic" : $text
    } @_;
}

sub _verdict {
    my ($figure, $first,   $second)   = @_;
    my ($ratio,  $verdict, $interval) = @$figure{qw(ratio verdict interval)};
    my $limits = _in_brackets($figure);
    return _capitalised($second) . ' is ' . _speed($ratio, $interval) . " $first$limits"
        if _is_clear($figure);
    return word($verdict) . ": $first and $second are within " . _within(@$interval) . $limits
        if $verdict eq $Touchstone::Compare::SAME;
    return word($verdict) . ": $second is between " . _between(@$interval) . " $first"
        if $verdict eq $Touchstone::Compare::UNKNOWN && $interval->[0] < 1 && $interval->[1] > 1;
    my $measured = $ratio ? "; $second was measured as " . _speed($ratio, $interval) . " $first$limits" : '';
    return word($verdict) . ': ' . short($figure->{why} // 'no reason is known', $WHY) . $measured;
}

sub _is_clear {
    my ($figure) = @_;
    return is_clear($figure->{verdict}) ? 1 : 0;
}

sub _in_brackets {
    my ($figure) = @_;
    my ($low, $high) = @{ $figure->{interval} || [ 1, 1 ] };
    return '' if $low == $high;
    return ' (' . limits(@$figure{qw(ratio interval)}) . ')';
}

# Returns "21 % faster than" or "3.06 x as fast as".
sub _speed {
    my ($ratio, $interval) = @_;
    return factor($ratio) . ' as fast as'
        if is_factor($ratio);
    my $percent = _percent($ratio, $interval);
    return 'as fast as' if $percent !~ /[1-9]/;
    return $percent . ($ratio < 1 ? ' slower than' : ' faster than');
}

sub _percent {
    my ($ratio, $interval) = @_;
    return difference($ratio, $interval) =~ s/\A[^\d]+//r;
}

# Returns "0.8 %", which neither end of an interval exceeds.
sub _within {
    my (@limits) = @_;
    my $most = max(map { abs($_ - 1) * 100 } @limits);
    return sprintf '%.1f %%', abs(ceil($most * 10 - 1e-6) / 10);
}

# Returns "5.0 % slower and 3.1 % faster than", for an interval around 1.
sub _between {
    my ($low, $high) = @_;
    return join ' and ', _percent($low) . ' slower', _percent($high) . ' faster than'
        if !grep { is_factor($_) } $low, $high;
    return join(' and ', map { factor($_) } $low, $high) . ' as fast as';
}

# Returns the sentence of runs without an index in common, "B is faster than A in 3 of 5 tests, slower in 1".
sub _counted {
    my ($first, $pair) = @_;
    my @tests = @{ $pair->{tests} };
    return _capitalised($first) . " and $pair->{label} have only verdicts in common, which are not compared"
        if !@tests && $pair->{judged};
    return _capitalised($first) . " and $pair->{label} have no test in common" if !@tests;
    my %count;
    $count{ $_->{verdict} }++ for @tests;
    my %counts = map { $_->{copies} => 1 } @tests;
    my $words  = keys %counts > 1 ? 'scores' : 'tests';
    my ($most, @others) =
        sort { is_clear($b) <=> is_clear($a) || $count{$b} <=> $count{$a} }
        grep { $count{$_} } Touchstone::Report::Verdict::order();
    my $many =
        $count{$most} == @tests ? (@tests == 2 ? 'both' : 'all ' . @tests) : "$count{$most} of " . @tests;
    my $text =
        is_clear($most)
        ? ' is ' . word($most) . " than $first in $many $words"
        : " against $first: " . word($most) . " in $many $words";
    return join ', ', _capitalised($pair->{label}) . $text, map { word($_) . " in $count{$_}" } @others;
}

# Lists the other indexes of a pair.
sub _others {
    my ($pair) = @_;
    my $main   = _main($pair);
    my @whole  = _whole_indexes($pair);
    my %whole  = map  { $_ => 1 } @whole;
    my @others = grep { !$main || $_ != $main } @whole,
        grep { !$whole{$_} && !_is_part($_) } @{ $pair->{indexes} };
    splice @others, $INDEXES;
    return map { _title($_, $main) . ': ' . _in_short($_) } @others;
}

# An index that has a name keeps its first letter.
sub _title {
    my ($index, $main) = @_;
    return 'with ' . copies($index->{copies}) if $main && $index->{name} eq $main->{name};
    return $index->{name} =~ /\Aindex \(/ ? _capitalised(label($index)) : label($index);
}

sub _in_short {
    my ($figure) = @_;
    my $why = defined $figure->{why} ? ' (' . short($figure->{why}, $WHY) . ')' : '';
    return word($figure->{verdict}) . (_in_brackets($figure) || $why) if !_is_clear($figure);
    return _speed(@$figure{qw(ratio interval)}) =~ s/ (?:than|as)\z//r . _in_brackets($figure);
}

# Returns what differs between machines and builds, as a sentence.
sub facts {
    my ($comparison) = @_;
    my @words = map { $_->{thing} } @{ $comparison->{differences} };
    return 'Machines and builds are the same, as far as recorded.' if !@words;
    return "One fact differs: $words[0]."                          if @words == 1;
    my $number = $NUMBER{ scalar @words } // scalar @words;
    my @named  = @words > $FACTS ? (@words[ 0 .. $FACTS - 1 ], '...') : @words;
    return
          "$number facts differ ("
        . join(', ', @named)
        . '), so the difference cannot be attributed to one of them.';
}

# Returns how far the intervals reach: beyond these runs by what is known of other runs of their machines.
sub reach {
    my ($comparison) = @_;
    my @tests        = map { @{ $_->{tests} } } @{ $comparison->{pairs} };
    return                                        if !grep { $_->{interval} } @tests;
    return _of_duet(grep { $_->{rounds} } @tests) if !grep { !$_->{paired} } @tests;
    my $these = @{ $comparison->{runs} } == 2 ? 'two' : scalar @{ $comparison->{runs} };
    my $drift = $comparison->{drift} || {};
    my @known = @{ $drift->{machines} || [] }
        or return "Intervals cover these $these runs only; $REACH_OF_TWO";
    my @phrases = map { _differ($_) } @known;
    my $unknown = join ' and ', @{ $drift->{unknown} };
    return join ' ', 'Intervals and verdicts allow for run-to-run variance.',
        map({ "$_." } @phrases), length $unknown ? "The run-to-run variance of $unknown is not known." : ();
}

# "Two runs of vm are within ±0.8 % (pipe) to ±3.1 % (fsdisk) of each other, 19 times in 20: 7 runs in 4
# days".
sub _differ {
    my ($machine) = @_;
    my @ends = grep { defined } @$machine{qw(least most)};
    pop @ends if $ends[0]{spread} == $ends[1]{spread};
    my $far = join ' to ',
        map { Touchstone::Compare::Drift::far($_->{spread}) . ' (' . named($_) . ')' } @ends;
    return "Two runs of $machine->{host} are within $far of each other, 19 times in 20: "
        . Touchstone::Compare::Drift::between_runs($machine);
}

# Where processes never sleep CPU time counts, so that what others took of it is left out.
sub _of_duet {
    my (@sat) = @_;
    my $alike = 'so disturbances affected all of them';
    my (%seen, %base);
    push @{ $base{ $_->{base} // 'passes' } }, $_->{name} for grep { !$seen{ $_->{name} }++ } @sat;
    my ($awake, $slept, $in_sequence) = map { $base{$_} || [] } qw(cpu wall passes);
    return "Passes of the builds are compared in pairs, $alike." if !@$awake && !@$slept;
    my $base =
          !@$slept ? 'CPU time counts'
        : !@$awake ? 'wall time counts'
        :            'CPU time counts, for ' . join(', ', @$slept) . ' wall time';
    $base .= '; passes one after the other: ' . join ', ', @$in_sequence if @$in_sequence;
    return "The builds were interleaved on the same CPUs, $alike; $base.";
}

1;
