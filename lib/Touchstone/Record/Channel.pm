# SPDX-License-Identifier: GPL-2.0-or-later
# Record::Channel - turns what a copy of a program printed into numbers. src/channel.h defines the input:
#
#   SLICE|825366029664|0|1650321
#   SLICE|825467731174|352980|103290113
#   COUNT|352980|1|lps
#   TIME|0.101701
#   CPU|0.031040|0.070661
#   PREEMPTED|3
#   SLEPT|0
#   FAULTS|4096|0
#   EVENT|instructions_user|84621070|101701011|101701011
#   NOEVENT|hardware|the kernel has no hardware counters here
#   FIGURE|lost|3
#   FIGURE|decompress|4170.5|MBps
#   MISSING|caa10text|Could not load font 'charter'
#   HOW|futex
#   NOW|412 objects
#   TURN|825366029664|0|5031200:5030100:17012 10064000:10062000:34041
package Touchstone::Record::Channel;
use 5.014;
use strict;
use warnings;

use List::Util qw(min);

use Touchstone::Base::Direction;
use Touchstone::Base::Text qw(plain short);

# A number cannot keep more digits than these: a longer text is no measurement.
my $NUMBER  = qr/\d{1,30}(?:\.\d{1,30})?(?:e[-+]?\d{1,2})?/;
my $LONGEST = 100;

# Nanoseconds.
my $US = 1000;

# A reason may be longer than other texts, because it may end in what to do.
my $REASON = 400;
my $LOOK   = qr/\d{1,15}:\d{1,15}:\d{1,15}/a;
my $LOOKS  = qr/$LOOK(?: $LOOK){0,19}/;
my $NAME   = qr/[\w.-]{1,40}/a;
my $MOST   = 100;

# The keys of lines that have numbers only.
my %KEYS = (
    TIME      => ['time'],
    CPU       => [qw(user sys)],
    PREEMPTED => ['preempted'],
    SLEPT     => ['slept'],
    FAULTS    => [qw(minor_faults major_faults)]
);

# Returns the numbers that a copy printed, or { error => why }, or { skip => why }:
#
#   { count, timebase, unit,    the last COUNT: some programs print preliminary ones
#     time, user, sys,          seconds
#     preempted, slept, minor_faults, major_faults,
#     events    => { instructions_user => count },    src/perf.h explains them
#     counted   => the least share of the time for which a counter counted: its count is scaled
#     uncounted => { hardware => why },
#     start   => ns,
#     slices  => 'ns since start:count so far:us of CPU time since start ...',
#     figures => { name => number },                   further figures that the program printed
#     units   => { name => unit },                     only for figures that are measurements
#     missing => { name => why },                      parts of the test that cannot run here
#     how     => a name of the means by which the work was done,
#     turns   => [ [ns, sleeps, 'ns:cpu ns:count ...'], ... ] }   src/turn.h explains them
sub parse {
    my ($text) = @_;
    my %got;
    for my $line (split /\n/, $text) {
        if    ($line =~ /^SLICE\|(\d{1,18})\|($NUMBER)(?:\|(\d{1,18}))?$/) { _add_slice(\%got, $1, $2, $3) }
        elsif ($line =~ /^([A-Z]+)\|($NUMBER)(?:\|($NUMBER))?$/ && _add_numbers(\%got, $1, $2, $3)) { next }
        elsif ($line =~ /^(?:NO)?EVENT\|/ && _add_event(\%got, $line))                              { next }
        elsif ($line =~ /^COUNT\|($NUMBER|-$NUMBER(?=\|0\|s$))\|(\d{1,9})\|(\w+)\s*$/a) {
            @got{qw(count timebase unit)} = ($1 + 0, $2 + 0, $3);
        } elsif ($line =~ /^ERROR\|(.*)/) {
            $got{error} //= readable($1, $REASON);
        } elsif ($line =~ /^SKIP\|(.*)/) {
            $got{skip} //= readable($1, $REASON);
        } elsif ($line =~ /^FIGURE\|($NAME)\|($NUMBER)(?:\|(\w{1,20}))?$/a) {
            _put($got{figures} ||= {}, $1, $2 + 0);
            _put($got{units}   ||= {}, $1, $3) if defined $3;
        } elsif ($line =~ /^MISSING\|($NAME)\|(.*)/) {
            _put($got{missing} ||= {}, $1, readable($2));
        } elsif ($line =~ /^HOW\|($NAME)$/) {
            $got{how} = $1;
        } elsif ($line =~ /^TURN\|(\d{1,18})\|(\d{1,9})\|($LOOKS)$/a) {
            push @{ $got{turns} }, [ $1 + 0, $2 + 0, $3 ];
        } elsif ($line eq 'TURNS|0') {
            $got{own_figure} = 1;
        } elsif ($line =~ /^(?:COUNT|TIME|CPU|SLICE|PREEMPTED|SLEPT|FAULTS|EVENT|FIGURE|MISSING|TURN)\|/) {
            $got{rubbish} //= readable($line);
        }
    }
    delete @got{qw(last cpu)};
    return \%got;
}

# A stranger's program may print any number of figures, so only the first $MOST are kept.
sub _put {
    my ($into, $name, $value) = @_;
    $into->{$name} = $value if keys %$into < $MOST;
    return;
}

# True for a line with as many numbers as its word has.
sub _add_numbers {
    my ($got, $word, @values) = @_;
    my $keys = $KEYS{$word} // return 0;
    @values = grep { defined } @values;
    @$got{@$keys} = map { $_ + 0 } @values if @values == @$keys;
    return @values == @$keys;
}

# True for an event, or why it was not counted. A counter that shares the processor with others counts for a
# part of the time, and its count is scaled.
sub _add_event {
    my ($got, $line) = @_;
    if ($line =~ /^NOEVENT\|($NAME)\|(.*)/) { _put($got->{uncounted} ||= {}, $1, readable($2)); return 1 }
    my ($name, $count, $wanted, $counted) = $line =~ /^EVENT\|($NAME)\|(\d{1,18})\|(\d{1,18})\|(\d{1,18})$/a
        or return 0;
    if (!$counted || $counted > $wanted) {
        _put($got->{uncounted} ||= {}, $name, 'other counters had the processor all the time');
        return 1;
    }
    _put($got->{events} ||= {}, $name, $count * $wanted / $counted);
    $got->{counted} = min($got->{counted} // 1, $counted / $wanted);
    return 1;
}

# Returns what a program last said it is doing, or undef. The text comes from a pipe of results, where a line
# may begin with the number of the copy.
sub doing {
    my ($text) = @_;
    my @lines = $text =~ /^(?:\d{1,6}\|)?NOW\|(.*)$/mg;
    return @lines ? readable($lines[-1]) : undef;
}

sub _add_slice {
    my ($got, $when, $count, $cpu) = @_;
    my $last = $got->{last} || [ $when, $count, $cpu ];
    $got->{rubbish} //= "SLICE|$when|$count" if $when < $last->[0] || $count < $last->[1];
    $got->{rubbish} //= "SLICE|$when|$count|$cpu" if defined $cpu && $cpu < ($last->[2] // 0);
    $got->{last} = [ $when, $count, $cpu ];
    if (!defined $got->{start}) { @$got{qw(start cpu slices)} = ($when + 0, $cpu, ''); return }
    $got->{slices} .= ' ' x !!length($got->{slices}) . ($when - $got->{start}) . ":$count";
    $got->{slices} .= sprintf ':%.0f', ($cpu - $got->{cpu}) / $US if defined $cpu && defined $got->{cpu};
    return;
}

# Returns why these numbers are no result, or undef.
sub complaint {
    my ($got) = @_;
    return "printed rubbish: '$got->{rubbish}'" if $got->{rubbish};
    return 'printed no result'                  if !defined $got->{count};
    return "counted $got->{count}"              if $got->{count} <= 0   && !may_be_negative($got);
    return 'took no time'                       if defined $got->{time} && $got->{time} <= 0;
    return;
}

# A result or a pass in seconds without a time base may be negative: the program worked it out as the
# difference of two times.
sub may_be_negative {
    my ($figure) = @_;
    return $figure->{unit} eq $Touchstone::Base::Direction::SECONDS && !$figure->{timebase};
}

# Makes a program's text fit for a message: one line, printable, not long.
sub readable {
    my ($text, $longest) = @_;
    $text = plain($text, ' ');
    $text =~ s/ +/ /g;
    $text =~ s/^ | $//g;
    return short($text, $longest // $LONGEST);
}

1;
