# SPDX-License-Identifier: GPL-2.0-or-later
# Report::Run::Cost - what an operation of each test costs, folded on a page: a sentence, its time as user,
# kernel and waiting time, its context switches and page faults, and what the processor counted.
package Touchstone::Report::Run::Cost;
use 5.014;
use strict;
use warnings;

use List::Util qw(sum);

use Touchstone::Base::Direction;
use Touchstone::Base::Figure qw(seconds spelled three_digits);
use Touchstone::Base::Symbols qw($DASH);
use Touchstone::Base::Text qw(copies grouped list_and_more);
use Touchstone::Report::Tails;
use Touchstone::Base::Time qw(@PARTS);
use Touchstone::Suite;

# The operations for which switches are shown, and the most tests that are named for one reason.
my ($MANY, $NAMED) = (1000, 8);

my $HOW =
    'User, kernel and waiting time add up to the time that a copy sees for an operation. Waiting: the rest of the '
    . 'time, for a CPU, a disk, a wake-up or a hypervisor. Medians of the passes with 95 % intervals.';

my %OPERATION = (lps => 'operation', lpm => 'operation', s => 'unit of work');

# The figures of a cost that exports have: name, explanation, and the keys whose sum it is.
our @FIGURES = (
    [ user_seconds    => 'User time of an operation.',                'user' ],
    [ kernel_seconds  => 'Kernel time of an operation.',              'kernel' ],
    [ waiting_seconds => 'Waiting time of an operation.',             'waiting' ],
    [ switches        => 'Context switches of an operation.',         qw(voluntary involuntary) ],
    [ faults          => 'Page faults of an operation.',              qw(minor_faults major_faults) ],
    [ instructions    => 'Instructions of an operation.',             'instructions' ],
    [ cycles          => 'Cycles of the processor for an operation.', 'cycles' ]
);

# { user_seconds => 1e-8, ... } of a result, without unknown ones.
sub figures {
    my ($cost) = map { $_->{cost} || {} } @_;
    my %figure;
    for my $row (@FIGURES) {
        my ($name, undef, @parts) = @$row;
        $figure{$name} = sum(@$cost{@parts}) if !grep { !defined $cost->{$_} } @parts;
    }
    return \%figure;
}

sub parts {
    my ($model) = @_;
    my @tables = map { _of_block($_) } @{ $model->{blocks} } or return;
    return [ fold => 'What an operation costs', [ text => { text => $HOW, class => 'dim' } ], @tables ];
}

sub _of_block {
    my ($block) = @_;
    my @tests   = Touchstone::Suite::arranged(sub { $_[0]{name} }, grep { $_->{cost} } @{ $block->{exact} });
    my @known   = grep { !defined $_->{cost}{why} } @tests or return;
    return (
        [ points => map { "$_->{name}: " . sentence($_) } @known ],
        _tables($block, @known),
        _unknown('Not counted in', \&_uncounted,             @known),
        _unknown('Left out:',      sub { $_[0]{cost}{why} }, @tests)
    );
}

# Less than this of an operation is none.
my $NONE = 5e-3;

# "1.02 us = 0.06 user + 0.95 kernel + 0.01 waiting; 0 faults, 2 switches; 2,140 instructions, 1.10 per cycle"
# of a test whose cost is known.
sub sentence {
    my ($test)   = @_;
    my $cost     = $test->{cost};
    my $unit     = operation($test->{unit});
    my @phrases  = (_time($cost), join ', ', _counts($cost));
    my ($places) = grep { defined $cost->{"instructions$_"} && defined $cost->{"cycles$_"} } '', '_user';
    push @phrases,
          _many($cost->{"instructions$places"}, 'instruction')
        . ($places eq '_user' ? ' in user mode' : '') . ', '
        . three_digits($cost->{per_cycle})
        . ' per cycle'
        if defined $places && defined $cost->{per_cycle};
    return ($unit eq 'operation' ? '' : "per $unit ") . join '; ', grep { length } @phrases;
}

# The parts have the unit and the digits of the time and add up to it.
sub _time {
    my ($cost) = @_;
    my ($figure, $unit) = seconds($cost->{seconds}) =~ /\A(\S+) (.*)\z/;
    my ($in)    = grep { spelled($_) eq $unit } keys %Touchstone::Base::Direction::IN_SECOND;
    my $places  = $figure =~ /\.(\d+)\z/ ? length $1 : 0;
    my @scaled  = map { $cost->{$_} * $Touchstone::Base::Direction::IN_SECOND{$in} * 10**$places } @PARTS;
    my @rounded = map { int } @scaled;
    my @by_rest =
        sort { $scaled[$b] - $rounded[$b] <=> $scaled[$a] - $rounded[$a] || $a <=> $b } 0 .. $#PARTS;
    my $rest = sprintf('%.0f', $figure * 10**$places) - sum(@rounded);
    $rounded[ $by_rest[$_] ]++ for 0 .. ($rest < @PARTS ? $rest : @PARTS) - 1;
    return "$figure $unit = " . join ' + ',
        map { sprintf "%.${places}f $PARTS[$_]", $rounded[$_] / 10**$places } 0 .. $#PARTS;
}

# Migrations are seldom, and named only if there are some.
sub _counts {
    my ($cost) = @_;
    my @known = grep { defined $_->[0] } [ _sum($cost, qw(minor_faults major_faults)), 'fault' ],
        [ _sum($cost, qw(voluntary involuntary)), 'switch', 'switches' ];
    push @known, [ $cost->{migrations}, 'migration' ] if ($cost->{migrations} // 0) >= $NONE;
    return map { _many(@$_) } @known;
}

sub _sum {
    my ($cost, @names) = @_;
    return (grep { !defined $cost->{$_} } @names) ? undef : sum(@$cost{@names});
}

# "0 faults", "1 fault", "0.021 faults", "2,140 instructions"
sub _many {
    my ($value, $one, $several) = @_;
    my $figure = $value < $NONE ? '0' : grouped(three_digits($value));
    $figure =~ s/\.?0+\z// if $figure =~ /\./;
    return "$figure " . ($figure eq '1' ? $one : $several // "${one}s");
}

# The columns of each table: the key of a cost, the title, and the factor of the figures.
my @TIME   = map { [ $_ => ucfirst, undef ] } @PARTS;
my @SELDOM = map { [ @$_, $MANY ] } [ voluntary => 'Voluntary switches' ],
    [ involuntary   => 'Involuntary switches' ],  [ minor_faults => 'Minor faults' ],
    [ major_faults  => 'Major faults' ],          [ migrations   => 'Migrations' ],
    [ branch_misses => 'Mispredicted branches' ], [ cache_misses => 'Cache misses' ],
    [ tlb_misses    => 'TLB misses' ];
my @PROCESSOR = (
    [ instructions_user   => 'Instructions, user',     1 ],
    [ instructions_kernel => 'Instructions, kernel',   1 ],
    [ per_cycle           => 'Instructions per cycle', 1 ],
    [ clock               => 'Clock, GHz',             1e-9 ]
);

sub _tables {
    my ($block, @known) = @_;
    return (
        _table($block, 'Time of an operation',                             \@known, \@TIME),
        _table($block, "Switches, faults and misses per $MANY operations", \@known, \@SELDOM),
        _table($block, 'Instructions of an operation',                     \@known, \@PROCESSOR)
    );
}

# A table with the columns and rows that have figures, or nothing.
sub _table {
    my ($block, $caption, $tests, $columns) = @_;
    my @columns = grep {
        my $name = $_->[0];
        grep { defined $_->{cost}{$name} } @$tests
    } @$columns or return;
    my @rows = grep {
        my $cost = $_->{cost};
        grep { defined $cost->{ $_->[0] } } @columns
    } @$tests;
    return [
        table => {
            caption => "$caption, " . copies($block->{count}),
            class   => 'pinned',
            columns => [
                { title => 'Test', cell => \&Touchstone::Suite::label },
                { title => 'Of',   left => 1, cell => sub { operation($_[0]{unit}) } },
                $columns == \@TIME ? { title => 'Time', cell => sub { seconds($_[0]{cost}{seconds}) } } : (),
                map { _column(@$_) } @columns
            ],
            rows => \@rows
        }
    ];
}

sub _column {
    my ($name, $title, $factor) = @_;
    return { title => $title, cell => sub { _with_limits($_[0]{cost}, $name, $factor) } };
}

# What a rate counts: "operation", or "KB" of KBps.
sub operation {
    my ($unit) = @_;
    return $OPERATION{$unit} // ($unit =~ /\A(\w+)ps\z/ ? $1 : $unit);
}

# A figure with its limits, in seconds if there is no factor.
sub _with_limits {
    my ($cost, $name, $factor) = @_;
    my ($value, @limits) = map { defined $cost->{$_} ? $cost->{$_} * ($factor // 1) : () } $name,
        "${name}_low", "${name}_high";
    return $DASH                                                                 if !defined $value;
    return Touchstone::Report::Tails::within($value, @limits ? \@limits : undef) if !defined $factor;
    return '0' if !grep { $_ } $value, @limits;
    return three_digits($value)
        . (@limits ? ' (' . join(' to ', map { three_digits($_) } @limits) . ')' : '');
}

# Why events were not counted. Reports name the events of the processor.
sub _uncounted {
    my ($test) = @_;
    my $why = $test->{cost}{uncounted} // return undef;
    return $why =~ s/\bhardware\b/instructions, cycles, misses/r;
}

# Tests that share a reason why figures are missing, a line for each reason.
sub _unknown {
    my ($begin, $reason_of, @tests) = @_;
    my (%names, @reasons);
    for my $test (@tests) {
        my $why = $reason_of->($test) // next;
        push @reasons,          $why if !$names{$why};
        push @{ $names{$why} }, $test->{name};
    }
    return map { [ text => "$begin " . list_and_more($NAMED, @{ $names{$_} }) . ": $_." ] } @reasons;
}

1;
