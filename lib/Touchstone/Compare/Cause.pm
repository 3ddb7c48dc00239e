# SPDX-License-Identifier: GPL-2.0-or-later
# Compare::Cause - which class of cause the pattern of differences over tests fits. of_host judges a host of a
# group by its figures, as parts of its group's median,
#
#   of_host({ '1 pipe' => { ratio => 0.82, interval => [0.80, 0.84] }, '8 pipe' => { ... }, ... })
#
# and returns undef if no test is slow, or
#
#   { id     => 'kernel',
#     text   => 'only system calls are slow (0.82 of the speed of the others): mitigations or seccomp',
#     remedy => 'compare with another host: grep . /sys/devices/system/cpu/vulnerabilities/*; ...' }
#
# of_pair judges the tests of a pair of Compare, faster or slower, and the facts that differ:
#
#   { id    => 'kernel',
#     text  => 'only system calls are slower (pipe, syscall: 0.82 times as fast): mitigations or seccomp',
#     ratio => 0.82, tests => [ 'pipe', 'syscall' ],
#     facts => [ 'seccomp' ] }              those that would explain it
#
# A class is claimed only if the tests that could contradict it were measured and do not. Otherwise the id is
# `mixed`.
package Touchstone::Compare::Cause;
use 5.014;
use strict;
use warnings;

use List::Util qw(max min sum);

use Touchstone::Base::Text qw(list_and_more named);
use Touchstone::Compare::CostSplit;
use Touchstone::Compare::Judgement;
use Touchstone::Stats qw(deviation mean);
use Touchstone::Suite;

# What tests exercise, by their kind; their suites state it for tests of other kinds. The rest mixes several
# things.
my %CLASS = (
    (map { $_ => 'cpu' } 'CPU', 'Compute', 'Integer', 'Floating point', 'Compression'),
    (map { $_ => 'files' } 'Files',    'Files (page cache)', 'File transfers'),
    (map { $_ => 'drive' } 'Disk',     'Durable'),
    (map { $_ => 'programs' } 'Shell', 'Programs'),
    Kernel  => 'calls',
    Latency => 'wake-ups',
    Memory  => 'memory'
);

# The classes of the kernel.
my @KERNEL = qw(calls processes wake-ups);

# The causes, in the order in which they are tried. A claim takes figures by class and returns those that are
# slow, or nothing. `facts`: things of Compare::Differences that would explain it.
my @CAUSES = (
    {
        id     => 'clock',
        claim  => \&_clock,
        what   => 'all tests of the CPU are %s by one factor',
        why    => 'clock or quota',
        remedy => 'cat /sys/fs/cgroup/cpu.max; grep MHz /proc/cpuinfo; cpupower frequency-info',
        of     => {
            waiting => 'a quota, steal, or other work',
            cpu     => 'clock, or a busy thread of the same core'
        },
        facts => [
            'CPU',        'CPU quota', 'microcode', 'governor',
            'CPU driver', 'boost',     'SMT',       'virtualisation',
            'container',  'power',     'architecture'
        ]
    },
    {
        id     => 'copies',
        waits  => 1,
        claim  => \&_copies,
        what   => '%s only with several copies',
        why    => 'SMT, steal or quota',
        remedy => 'lscpu (threads per core); vmstat 5 (column st); cat /sys/fs/cgroup/cpu.max',
        facts  =>
            [ 'CPU', 'CPUs', 'CPU quota', 'SMT', 'scheduler', 'virtualisation', 'container', 'placement' ]
    },
    {
        id     => 'kernel',
        claim  => \&_calls,
        what   => 'only system calls are %s',
        why    => 'mitigations or seccomp',
        remedy => 'grep . /sys/devices/system/cpu/vulnerabilities/*; grep Seccomp /proc/self/status',
        facts  => [
            'CPU',                 'microcode',    'mitigations',    'kernel',
            'kernel command line', 'debug kernel', 'virtualisation', 'container',
            'seccomp',             'architecture'
        ]
    },
    {
        id     => 'processes',
        claim  => sub { return _only($_[0], ['processes'], [ ['cpu'], ['calls'] ], 'wake-ups', 'programs') },
        what   => 'only fork, exec and page faults are %s',
        why    => 'page tables, nested paging, huge pages, or pages touched per fork',
        remedy => 'cat /sys/kernel/mm/transparent_hugepage/enabled; env | grep ^LD_',
        facts  => [
            'CPU',            'microcode',    'mitigations',           'memory',
            'huge pages',     'kernel',       'kernel command line',   'scheduler',
            'idle governor',  'debug kernel', 'address randomisation', 'limits',
            'virtualisation', 'container',    'C library',             'linker',
            'architecture',   'CPUs',         'placement'
        ]
    },
    {
        id    => 'wake-ups',
        waits => 1,
        claim =>
            sub { return _only($_[0], ['wake-ups'], [ ['cpu'], ['calls'] ], qw(processes programs drive)) },
        what   => 'only wake-ups are %s',
        why    => 'idle states, timer slack, or two processes on one CPU or two',
        remedy => 'grep . /sys/devices/system/cpu/cpuidle/*; taskset -p $$',
        facts  => [
            'CPU',          'CPUs',           'governor',      'SMT',
            'kernel',       'scheduler',      'idle governor', 'kernel command line',
            'debug kernel', 'virtualisation', 'container',     'preemption',
            'clock source', 'power',          'placement'
        ]
    },
    {
        id    => 'files',
        claim => sub {
            my @same = ([ ['cpu'], \@KERNEL ], 'programs');
            return
                   _only($_[0], [qw(files drive)], @same)
                || _only($_[0], ['drive'], @same, 'files')
                || _only($_[0], ['files'], @same, 'drive');
        },
        what   => 'only files are %s',
        why    => 'the file system, its mount, the drive, or a security module',
        remedy => 'findmnt -T DIR of the tests; smartctl -a of its drive',
        facts  => [
            'drive',        'memory',    'kernel',         'kernel command line',
            'debug kernel', 'container', 'virtualisation', 'file system',
            'size of the disk'
        ]
    },
    {
        id     => 'memory',
        claim  => sub { return _only($_[0], ['memory'], [ ['cpu'], ['calls'] ], qw(processes programs)) },
        what   => 'only memory is %s',
        why    => 'its modules, NUMA nodes, huge pages, or a neighbour in the cache',
        remedy => 'sudo dmidecode -t memory; numactl --hardware',
        facts  => [
            'CPU',        'microcode',  'board',  'memory modules',
            'memory',     'huge pages', 'kernel', 'kernel command line',
            'NUMA nodes', 'virtualisation'
        ]
    },
    {
        id     => 'programs',
        claim  => sub { return _only($_[0], ['programs'], [ ['cpu'], \@KERNEL ]) },
        what   => 'only scripts and programs of the system are %s',
        why    => 'shell, tools or C library',
        remedy => 'ls -l /bin/sh; ldd --version; sort --version',
        facts  => [
            'system', 'architecture', 'address randomisation',
            'limits', 'locale',       'C library',
            'measured tools',
            'compiler that is measured',
            'amount of shell work',
            'file system'
        ]
    },
    {
        id     => 'compiler',
        claim  => sub { return _only($_[0], ['cpu'], [ ['calls'] ], qw(processes wake-ups memory files)) },
        what   => 'only arithmetic is %s',
        why    => 'compiler, flags or their target',
        remedy => './Run report RUN (compiler and flags)',
        facts  => [
            'CPU',              'architecture', 'sources',      'compiler',
            'Fortran compiler', 'flags',        'programs for', 'C library',
            'linker',           'programs',     'microcode'
        ]
    },
);

my $COMPARE = 'compare with another host: ';

# Tests are slow from the first on, if that is so many times the standard error; they are as fast as others
# below the second, or below a part of what is slow.
my ($SLOW, $DEVIATIONS, $SAME, $PART) = (0.02, 3, 0.01, 0.25);

# What is slower than this is never as fast as others, or than a part of what is very slow.
my ($CAP, $CAP_PART) = (0.05, 0.1);

# A single figure is out of line from so many of its own standard errors on.
my $FAR = 3;

# So many figures, of so many tests, make a claim, and so large a part of them must be slow. Passes of a pair
# have errors of their own, so fewer suffice. One test that is slower by a factor suffices.
my ($FIGURES, $FIGURES_OF_PAIR, $TESTS, $MOST, $FACTOR) = (3, 2, 2, 0.66, log 1.5);

# What enters the kernel costs other tests less than this part of what it costs those that do little else.
my $LESS = 0.75;

# The error of a figure without an interval. Equal tests differ by more than their intervals: those of builds
# that took turns, and of runs whose variance is unknown.
my ($NO_INTERVAL, $BY_TURNS, $RUN_TO_RUN) = (0.02, 0.01, 0.025);

# The chance that any CPU time differs only by chance.
my $ALPHA = 0.03;

# The id of what has no one cause.
my $MIXED = 'mixed';

# The most names of the slowest tests, and of those of a claim.
my ($NAMED, $NAMED_OF_PAIR) = (3, 4);

sub of_host {
    my ($figures) = @_;
    my @figures   = map  { _figure_of_host($_, $figures->{$_}) } sort keys %$figures;
    my @slow      = grep { _is_slow($DEVIATIONS, $_) } @figures or return undef;
    if (my ($cause, $claimed) = _claimed(@figures)) {
        my $part = sprintf '%.2f of the speed of the others', _ratio(@$claimed);
        return {
            id     => $cause->{id},
            text   => sprintf($cause->{what}, 'slow') . " ($part): $cause->{why}",
            remedy => "$COMPARE$cause->{remedy}"
        };
    }
    my @worst = sort { $a->{y} <=> $b->{y} || $a->{name} cmp $b->{name} } @slow;
    splice @worst, $NAMED if @worst > $NAMED;
    return {
        id   => $MIXED,
        text => 'no single cause fits its slow tests; the slowest: '
            . join(', ', map { sprintf '%s (%.2f)', named($_), exp $_->{y} } @worst),
        remedy => "${COMPARE}./Run compare with its run and one near the median"
    };
}

sub _ratio {
    return exp mean(map { $_->{y} } @_);
}

sub _figure_of_host {
    my ($key, $figure) = @_;
    my ($copies, $name) = split / /, $key, 2;
    return if ($figure->{ratio} // 0) <= 0;
    my ($low, $high) = @{ $figure->{interval} || [] };
    return {
        _test($name),
        copies => $copies,
        fewest => $FIGURES,
        y      => log $figure->{ratio},
        error  => _error_of(map { defined && $_ > 0 ? log : undef } $low, $high) // $NO_INTERVAL
    };
}

sub _test {
    my ($name) = @_;
    my $shown = Touchstone::Suite::shown($name);
    return (name => $name, class => $shown->{exercises} // $CLASS{ $shown->{kind} // '' } // 'other');
}

# The standard error that belongs to an interval.
sub _error_of {
    my ($low, $high) = @_;
    return undef if !defined $low || !defined $high || $high <= $low;
    return ($high - $low) / 2 / $Touchstone::Stats::NORMAL;
}

# The cause of the differences of these tests, faster ones or slower ones; undef if hardly any differ. Time
# that other work took is waiting, so CPU time decides if time does not.
sub of_pair {
    my ($tests, $differences) = @_;
    my @tests = grep { ($_->{ratio} // 0) > 0 && $_->{interval} && $_->{name} !~ / / } @$tests;
    my @cpu   = grep { $_->{cpu} } @tests;
    my $match = _match(map { _figure_by_time($_) } @tests)
        || @cpu && _match(map { _more_certain($_, scalar @cpu) } @tests);
    if ($match) {
        my %differs = map { $_->{thing} => 1 } @$differences;
        my $cause   = delete $match->{cause};
        return { %$match, facts => [ grep { $differs{$_} } @{ $cause->{facts} } ] };
    }
    return undef if $TESTS > grep { Touchstone::Compare::Judgement::is_clear($_) } @tests;
    return { id => $MIXED, text => 'no single cause fits the differences', tests => [], facts => [] };
}

sub _figure_by_time {
    my ($test) = @_;
    return _figure_of_pair(
        $test,
        log $test->{ratio},
        _error_of(map { log } @{ $test->{interval} }),
        Touchstone::Compare::Judgement::is_clear($test)
    );
}

# By time or by CPU time, whichever is more certain.
sub _more_certain {
    my ($test, $many) = @_;
    my $by_time = _figure_by_time($test);
    return $by_time if !$test->{cpu};
    my $by_cpu_time = _figure_by_cpu_time($test, $many);
    return $by_cpu_time->{error} < $by_time->{error} ? $by_cpu_time : $by_time;
}

# Its CPU time differs clearly, corrected for the number of tests.
sub _figure_by_cpu_time {
    my ($test, $many) = @_;
    my $cpu   = $test->{cpu};
    my $error = _error_of(@{ $cpu->{interval} });
    return { %{ _figure_of_pair($test, -$cpu->{log}, $error, $cpu->{p} * $many <= $ALPHA) }, by_cpu => 1 };
}

sub _figure_of_pair {
    my ($test, $y, $error, $is_clear) = @_;
    return {
        _test($test->{name}),
        copies   => $test->{copies},
        fewest   => $FIGURES_OF_PAIR,
        y        => $y,
        error    => sqrt(($error // 0)**2 + ($test->{paired} || $test->{drift} ? $BY_TURNS : $RUN_TO_RUN)**2),
        is_clear => $is_clear,
        split    => $test->{split}
    };
}

# The cause that these figures fit.
sub _match {
    my (@figures) = @_;
    return undef if !@figures;
    my $direction = sum(map { max(-1, min(1, $_->{y} / $FAR / $_->{error})) } @figures) > 0 ? -1 : 1;
    for my $sign ($direction, -$direction) {
        my ($cause, $claimed) = _claimed(map { +{ %$_, y => $sign * $_->{y} } } @figures) or next;
        next if !grep { $_->{is_clear} && !($cause->{waits} && $_->{by_cpu}) } @$claimed;
        return { cause => $cause, %{ _described($cause, $sign, @$claimed) } };
    }
    return undef;
}

sub _described {
    my ($cause, $sign, @figures) = @_;
    my $by_cpu = !grep { !$_->{by_cpu} } @figures;
    my %seen;
    my @names = grep { !$seen{$_}++ } map { $_->{name} } sort { $a->{y} <=> $b->{y} } @figures;
    my $ratio = _ratio(@figures)**$sign;
    my $part  = Touchstone::Compare::CostSplit::joined_part(map { $_->{split} || () } @figures);
    my $why   = ($cause->{of} || {})->{ $by_cpu ? 'cpu' : $part // '' } // $cause->{why};
    my $size  = sprintf '%.2f times as fast', $ratio;
    $size .= ', by CPU time' if $by_cpu;
    $size .= "; mostly $Touchstone::Compare::CostSplit::TIME{$part}"
        if defined $part && !($by_cpu && $part =~ /\A(?:cpu|waiting)\z/);
    my %match = (
        id    => $cause->{id},
        what  => sprintf($cause->{what}, $sign > 0 ? 'slower' : 'faster'),
        size  => $size,
        why   => $why,
        ratio => $ratio,
        tests => \@names,
        defined $part ? (part => $part) : ()
    );
    return { %match, text => sentence(\%match, @names) };
}

# The sentence of a cause, with the names that its tests have in a report.
sub sentence {
    my ($cause, @names) = @_;
    return $cause->{text} if !@names;
    return "$cause->{what} (" . list_and_more($NAMED_OF_PAIR, @names) . ": $cause->{size}): $cause->{why}";
}

# (the first cause that is claimed, its figures)
sub _claimed {
    my (@figures) = @_;
    my %of;
    push @{ $of{ $_->{class} } }, $_ for @figures;
    for my $cause (@CAUSES) {
        my $slow = $cause->{claim}->(\%of);
        return ($cause, $slow) if $slow;
    }
    return;
}

# Figures are slow together if their mean is.
sub _is_slow {
    my ($deviations, @figures) = @_;
    my $mean = mean(map { $_->{y} } @figures);
    return $mean < -$SLOW && $mean < -$deviations * _error(@figures);
}

sub _error {
    my (@figures) = @_;
    my $mean_error = sqrt(sum(map { $_->{error}**2 } @figures)) / @figures;
    return $mean_error if @figures < 3;
    return max($mean_error, deviation(map { $_->{y} } @figures) / sqrt @figures);
}

# They are enough to show something.
sub _explain {
    my ($fewest, @figures) = @_;
    my %names = map { $_->{name} => 1 } @figures;
    return @figures >= $fewest && keys %names >= $TESTS;
}

# Most of them are slow, and their mean is; or some are slow by a factor, and none is faster.
sub _are_slow {
    my (@figures) = @_;
    return 0 if !@figures;
    return 1
        if grep { $_->{y} < -$FACTOR && _is_slow($DEVIATIONS, $_) } @figures
        and _are_between(\@figures, @figures);
    my $mean = mean(map { $_->{y} } @figures);
    return 0 if !_explain($figures[0]{fewest}, @figures);
    return (grep { $_->{y} < $PART * $mean } @figures) >= $MOST * @figures && _is_slow_in_all(@figures);
}

# Tests that a cause slows down by different factors are slow, each or together.
sub _is_slow_in_all {
    my (@figures) = @_;
    return _is_slow($DEVIATIONS, @figures) || _is_each_slow(@figures);
}

sub _is_each_slow {
    return !grep { !_is_slow($DEVIATIONS, $_) } @_;
}

# They are as fast as those of other hosts, compared with what is slow: their mean, to which certain figures
# contribute most, and each as far as one can know.
sub _are_as_others {
    my ($slow, @figures) = @_;
    return 0 if !_explain($TESTS, @figures);
    my $weights = sum(map { $_->{error}**-2 } @figures);
    my $mean    = sum(map { $_->{y} * $_->{error}**-2 } @figures) / $weights;
    my $effect  = abs mean(map { $_->{y} } @$slow);
    my $limit   = min(max($CAP, $CAP_PART * $effect), _limit($effect));
    return abs $mean <= $limit && 1 / sqrt $weights <= $limit && _are_alike($mean, $limit, @figures);
}

sub _limit { my ($slow) = @_; return max($SAME, $PART * abs $slow) }

# None is further from their mean than the limit or what its error explains.
sub _are_alike {
    my ($mean, $limit, @figures) = @_;
    return !grep { abs($_->{y} - $mean) > max($limit, $FAR * $_->{error}) } @figures;
}

# None is clearly slower than the slowest of those, or faster than others.
sub _are_between {
    my ($slow, @figures) = @_;
    my $least = min(map { $_->{y} } @$slow);
    my $limit = _limit($least);
    return !grep {
        my $reach = max($limit, $FAR * $_->{error});
        $_->{y} < $least - $reach || $_->{y} > $reach
    } @figures;
}

sub _of {
    my ($classes, @classes) = @_;
    return map { @{ $classes->{$_} || [] } } @classes;
}

# All tests of the CPU by one factor, which is that of one copy, too; the others by no more, and those of the
# kernel by something.
sub _clock {
    my ($classes) = @_;
    my @cpu       = _of($classes, 'cpu');
    my @one       = grep { $_->{copies} == 1 } @cpu;
    return if !_are_slow(@cpu) || !_explain($TESTS, @one) || !_of($classes, 'calls');
    return if _are_as_others(\@cpu, _of($classes, 'calls'));
    my $mean  = mean(map { $_->{y} } @cpu);
    my $limit = _limit($mean);
    return if !_are_alike($mean, $limit, @cpu) || mean(map { $_->{y} } @one) > $mean + $limit;

    for my $class (grep { $_ ne 'cpu' } keys %$classes) {
        my @figures = @{ $classes->{$class} };
        return if mean(map { $_->{y} } @figures) < $mean - max($limit, $FAR * _error(@figures));
        return if !_are_between(\@cpu, @figures);
    }
    return \@cpu;
}

# Tests with several copies, above all those of the CPU, and none with one.
sub _copies {
    my ($classes)     = @_;
    my @all           = map  { @$_ } values %$classes;
    my @many          = grep { $_->{copies} > 1 } @all;
    my @cpu           = grep { $_->{class} eq 'cpu' } @many;
    my @single_copies = grep { $_->{copies} == 1 } @all;
    return if !_are_slow(@many) || !_explain($TESTS, @cpu) || !_is_slow($DEVIATIONS, @cpu);
    return if grep { !_is_slow(0, $_) } @cpu;
    return _are_as_others(\@cpu, @single_copies) ? \@many : undef;
}

# These classes alone. The classes of `same` were measured and are as fast as others; those of `may` call upon
# what is slow, and are no slower; the rest is not slow.
sub _only {
    my ($classes, $mine, $same, @may) = @_;
    my @slow = _of($classes, @$mine);
    return if !_are_slow(@slow);
    return if grep { !_are_as_others(\@slow, _of($classes, @$_)) } @$same;
    return if !_are_between(\@slow, _of($classes, @may, 'other'));
    my %known = map { $_ => 1 } @$mine, 'other', @may, map { @$_ } @$same;
    return (grep { !_are_quiet(\@slow, _of($classes, $_)) } grep { !$known{$_} } keys %$classes)
        ? undef
        : \@slow;
}

# As fast as others, as far as so few tests show.
sub _are_quiet {
    my ($slow, @figures) = @_;
    return 1 if !@figures;
    return _explain($TESTS, @figures)
        ? _are_as_others($slow, @figures)
        : !grep { _is_slow($DEVIATIONS, $_) } @figures;
}

# What enters the kernel. Other tests of the kernel, which wait for its scheduler or for memory, hardly feel
# it, and tests of files less.
sub _calls {
    my ($classes) = @_;
    my @calls = _of($classes, 'calls');
    return if !@calls || !_is_each_slow(@calls);
    my $all = _only($classes, \@KERNEL, [ ['cpu'] ], qw(files drive programs));
    return $all if $all;
    my @others = _of($classes, grep { $_ ne 'calls' } @KERNEL);
    my @slow   = (@calls, grep { _is_each_slow($_) } @others);
    my $least  = min(map { $_->{y} } @calls);
    return if !_are_slow(@slow) || !_explain($TESTS, @calls);
    return if grep { $_->{y} < $LESS * $least } _of($classes, qw(files drive));
    return if !_are_as_others(\@calls, _of($classes, 'cpu')) || !_are_quiet(\@calls, _of($classes, 'memory'));
    return _are_between(\@calls, @others, _of($classes, qw(files drive programs other))) ? \@calls : undef;
}

1;
