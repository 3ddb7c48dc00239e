# SPDX-License-Identifier: GPL-2.0-or-later
# Pack::Fleet::Signature - what kind of slowness that of a host is, from which of its tests are slow. The
# figures of a host of a judged group go in, as parts of its group's median:
#
#   find_signature({ '1 pipe' => { ratio => 0.82, interval => [0.80, 0.84] }, '8 pipe' => { ... }, ... })
#
# and what a person can act on comes out, or undef where no test is slow:
#
#   { id     => 'kernel',
#     text   => 'only system calls are slow (0.82 of the speed of the others): mitigations or seccomp',
#     remedy => 'compare with another host: grep . /sys/devices/system/cpu/vulnerabilities/*; ...' }
#
# A kind is claimed only where the tests that could speak against it are there and do not. Otherwise
# (`mixed`) the text names the slowest tests.
package Touchstone::Pack::Fleet::Signature;
use 5.014;
use strict;
use warnings;

use Exporter qw(import);
use List::Util qw(max min sum);

use Touchstone::Base::Text qw(named);
use Touchstone::Stats qw(deviation mean);
use Touchstone::Suite;

our @EXPORT_OK = qw(find_signature);

# What tests measure, by the kind that their suites say. Tests of other kinds mix several things.
my %CLASS = (
    (map { $_ => 'cpu' } 'CPU', 'Compute', 'Integer', 'Floating point', 'Compression'),
    (map { $_ => 'files' } 'Files', 'Files (page cache)', 'File transfers'),
    (map { $_ => 'drive' } 'Disk',  'Durable'),
    Kernel => 'kernel',
    Memory => 'memory'
);

# The kinds of slowness, in the order in which they are tried. A claim is a sub of figures by class that
# gives the figures that are slow, or nothing.
my @KINDS = (
    [
        clock => \&_clock,
        'all tests of the CPU are slow by one factor (%s): clock or quota',
        'cat /sys/fs/cgroup/cpu.max; grep MHz /proc/cpuinfo; cpupower frequency-info'
    ],
    [
        copies => \&_copies,
        'slow only with several copies (%s): SMT, steal or quota',
        'lscpu (threads per core); vmstat 5 (column st); cat /sys/fs/cgroup/cpu.max'
    ],
    [
        kernel => sub { return _only($_[0], 'kernel') || _calls($_[0]) },
        'only system calls are slow (%s): mitigations or seccomp',
        'grep . /sys/devices/system/cpu/vulnerabilities/*; grep Seccomp /proc/self/status'
    ],
    [
        files =>
            sub { return _only($_[0], qw(files drive)) || _only($_[0], 'drive') || _only($_[0], 'files') },
        'only files are slow (%s): the drive or its mount',
        'findmnt -T DIR of the tests; smartctl -a of its drive'
    ],
    [
        memory => sub { return _only($_[0], 'memory') },
        'only memory is slow (%s): its modules or its NUMA nodes',
        'sudo dmidecode -t memory; numactl --hardware'
    ],
);
my %OF_FILES = map { $_ => 1 } qw(files drive);

# What mixes several kinds of work, and others, must not be slower than what is claimed.
my $COMPARE = 'compare with another host: ';

# Tests are slow from the first on, if that is so many times the standard error; they are as fast as others
# below the second, or below a part of what is slow.
my ($SLOW, $DEVIATIONS, $SAME, $PART) = (0.02, 3, 0.01, 0.25);

# What is slower than this is never as fast as others, however slow the rest is.
my $CAP = 0.05;

# A single figure is out of line from so many of its own standard errors on.
my $FAR = 3;

# So many figures, of so many tests, make a claim, and so large a part of them must be slow.
my ($FIGURES, $TESTS, $MOST) = (3, 2, 0.66);

# The error of a figure that says none.
my $NO_INTERVAL = 0.02;

# The id of what has no one kind.
my $MIXED = 'mixed';

# So many of the slowest tests are named.
my $NAMED = 3;

sub find_signature {
    my ($figures) = @_;
    my @figures   = map  { _figure($_, $figures->{$_}) } sort keys %$figures;
    my @slow      = grep { _is_slow($DEVIATIONS, $_) } @figures;
    return undef if !@slow;
    my %of;
    push @{ $of{ $_->{class} } }, $_ for @figures;
    for my $kind (@KINDS) {
        my ($id, $claim, $text, $remedy) = @$kind;
        my $slow = $claim->(\%of) or next;
        my $part = sprintf '%.2f of the speed of the others', exp mean(map { $_->{y} } @$slow);
        return { id => $id, text => sprintf($text, $part), remedy => "$COMPARE$remedy" };
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

sub _figure {
    my ($key, $figure) = @_;
    my ($copies, $name) = split / /, $key, 2;
    return if ($figure->{ratio} // 0) <= 0;
    my ($low, $high) = @{ $figure->{interval} || [] };
    my $is_known = defined $low && $low > 0 && $high > $low;
    return {
        name   => $name,
        copies => $copies,
        class  => $CLASS{ Touchstone::Suite::shown($name)->{kind} // '' } // 'other',
        y      => log $figure->{ratio},
        error  => $is_known ? log($high / $low) / 2 / $Touchstone::Stats::NORMAL : $NO_INTERVAL
    };
}

# Figures are slow together where their mean is.
sub _is_slow {
    my ($deviations, @figures) = @_;
    my $mean = mean(map { $_->{y} } @figures);
    return $mean < -$SLOW && $mean < -$deviations * _error(@figures);
}

sub _error {
    my (@figures) = @_;
    my $mean_error = sqrt(sum(map { $_->{error}**2 } @figures)) / @figures;
    return $mean_error                                                           if @figures < 2;
    return max($mean_error, deviation(map { $_->{y} } @figures) / sqrt @figures) if @figures > 2;
    return $mean_error;
}

# There are enough of them to say something.
sub _explain {
    my ($fewest, @figures) = @_;
    my %names = map { $_->{name} => 1 } @figures;
    return @figures >= $fewest && keys %names >= $TESTS;
}

# Most of them are slow, and their mean is.
sub _are_slow {
    my (@figures) = @_;
    return 0 if !_explain($FIGURES, @figures) || !_is_slow($DEVIATIONS, @figures);
    my $mean = mean(map { $_->{y} } @figures);
    return (grep { $_->{y} < $PART * $mean } @figures) >= $MOST * @figures;
}

sub _is_each_slow {
    return !grep { !_is_slow($DEVIATIONS, $_) } @_;
}

# They are as fast as those of other hosts, beside what is slow: their mean, and each as far as one can know.
sub _are_as_others {
    my ($slow, @figures) = @_;
    return 0 if !_explain($TESTS, @figures);
    my $mean  = mean(map { $_->{y} } @figures);
    my $limit = min($CAP, _limit(mean(map { $_->{y} } @$slow)));
    return abs $mean <= $limit && _error(@figures) <= $limit && _are_alike($limit, @figures);
}

sub _limit { my ($slow) = @_; return max($SAME, $PART * abs $slow) }

# None is further from their mean than the limit or what its error explains.
sub _are_alike {
    my ($limit, @figures) = @_;
    my $mean = mean(map { $_->{y} } @figures);
    return !grep { abs($_->{y} - $mean) > max($limit, $FAR * $_->{error}) } @figures;
}

# None is clearly slower than the slowest of those.
sub _are_no_slower {
    my ($slow, @figures) = @_;
    my $least = min(map { $_->{y} } @$slow);
    my $limit = _limit($least);
    return !grep { $_->{y} < $least - max($limit, $FAR * $_->{error}) } @figures;
}

# All tests of the CPU by one factor, which is that of one copy, too; the others by no more.
sub _clock {
    my ($classes) = @_;
    my @cpu       = @{ $classes->{cpu} || [] };
    my @one       = grep { $_->{copies} == 1 } @cpu;
    return if !_are_slow(@cpu) || !_explain($TESTS, @one);
    my $mean  = mean(map { $_->{y} } @cpu);
    my $limit = _limit($mean);
    return if !_are_alike($limit, @cpu) || mean(map { $_->{y} } @one) > $mean + $limit;
    for my $class (grep { $_ ne 'cpu' } keys %$classes) {
        my @figures = @{ $classes->{$class} };
        return if mean(map { $_->{y} } @figures) < $mean - max($limit, $FAR * _error(@figures));
        return if !_are_no_slower(\@cpu, @figures);
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

# These classes alone: those that tell the CPU's and the kernel's speed are there, and as fast as others.
sub _only {
    my ($classes, @classes) = @_;
    my %mine = map { $_ => 1 } @classes;
    my @slow = map { @{ $classes->{$_} || [] } } @classes;
    return if !_are_slow(@slow);
    for my $class (grep { !$mine{$_} } 'cpu', 'kernel', keys %$classes) {
        my @figures = @{ $classes->{$class} || [] };

        # Files and what mixes several things also call the kernel, or wait for the drive.
        my $may = $class eq 'other' || $OF_FILES{$class};
        return if !($may ? _are_no_slower(\@slow, @figures) : _are_as_others(\@slow, @figures));
    }
    return \@slow;
}

# Most tests of the kernel, with any number of copies, and nothing else: what enters the kernel costs more,
# though others of its tests, which wait for its scheduler, do not feel it.
sub _calls {
    my ($classes) = @_;
    my %tests;
    push @{ $tests{ $_->{name} } }, $_ for @{ $classes->{kernel} || [] };
    my @names = grep { _is_each_slow(@{ $tests{$_} }) } keys %tests;
    my @slow  = map  { @{ $tests{$_} } } @names;
    return if 2 * @names <= keys %tests || !_are_slow(@slow);
    delete @tests{@names};
    return
        if grep { _is_slow($DEVIATIONS, $_) } map { @$_ } values %tests,
        map { $_ || [] } @$classes{qw(files drive memory)};
    return if !_are_as_others(\@slow, @{ $classes->{cpu} || [] });
    return _are_no_slower(\@slow, @{ $classes->{other} || [] }) ? \@slow : undef;
}

1;
