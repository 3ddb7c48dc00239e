# SPDX-License-Identifier: GPL-2.0-or-later
# Report::Run::Cost - what an operation of each test costs, folded on a page: its time as user, kernel and
# waiting time, and its context switches.
package Touchstone::Report::Run::Cost;
use 5.014;
use strict;
use warnings;

use Touchstone::Base::Figure qw(seconds three_digits);
use Touchstone::Base::Symbols qw($DASH);
use Touchstone::Base::Text qw(copies list_and_more);
use Touchstone::Report::Tails;
use Touchstone::Base::Time qw(@PARTS);
use Touchstone::Suite;

# The operations for which switches are shown, and the most tests that are named for one reason.
my ($MANY, $NAMED) = (1000, 8);

my $HOW =
    'User, kernel and waiting time add up to the time that a copy sees for an operation. Waiting: the rest of the '
    . 'time, for a CPU, a disk, a wake-up or a hypervisor. Medians of the passes with 95 % intervals.';

my %OPERATION = (lps => 'operation', lpm => 'operation', s => 'unit of work');

sub parts {
    my ($model) = @_;
    my @tables = map { _of_block($_) } @{ $model->{blocks} } or return;
    return [ fold => 'What an operation costs', [ text => { text => $HOW, class => 'dim' } ], @tables ];
}

sub _of_block {
    my ($block) = @_;
    my @tests   = Touchstone::Suite::arranged(sub { $_[0]{name} }, grep { $_->{cost} } @{ $block->{exact} });
    my @known   = grep { !defined $_->{cost}{why} } @tests or return;
    return ([ table => _table($block, @known) ], _unknown(@tests));
}

sub _table {
    my ($block, @known) = @_;
    my $part = sub {
        my ($name) = @_;
        return sub { _with_limits(\&seconds, 1, $_[0]{cost}, $name) }
    };
    my $switches = sub {
        my ($name) = @_;
        return sub { _with_limits(\&three_digits, $MANY, $_[0]{cost}, $name) };
    };
    return {
        caption => 'Time and context switches of an operation, ' . copies($block->{count}),
        class   => 'pinned',
        columns => [
            { title => 'Test', cell => \&Touchstone::Suite::label },
            { title => 'Of',   left => 1, cell => sub { operation($_[0]{unit}) } },
            { title => 'Time', cell => sub { seconds($_[0]{cost}{seconds}) } },
            (map { { title => ucfirst, cell => $part->($_) } } @PARTS),
            map { { title => ucfirst "$_ switches per $MANY", cell => $switches->($_) } }
                qw(voluntary involuntary)
        ],
        rows => \@known
    };
}

# What a rate counts: "operation", or "KB" of KBps.
sub operation {
    my ($unit) = @_;
    return $OPERATION{$unit} // ($unit =~ /\A(\w+)ps\z/ ? $1 : $unit);
}

sub _with_limits {
    my ($shown, $factor, $cost, $name) = @_;
    my ($value, @limits) = map { defined $cost->{$_} ? $cost->{$_} * $factor : () } $name, "${name}_low",
        "${name}_high";
    return $DASH                                                                 if !defined $value;
    return Touchstone::Report::Tails::within($value, @limits ? \@limits : undef) if $shown == \&seconds;
    return three_digits($value)
        . (@limits ? ' (' . join(' to ', map { three_digits($_) } @limits) . ')' : '');
}

sub _unknown {
    my (@tests) = @_;
    my (%names, @reasons);
    for my $test (grep { defined $_->{cost}{why} } @tests) {
        my $why = $test->{cost}{why};
        push @reasons,          $why if !$names{$why};
        push @{ $names{$why} }, $test->{name};
    }
    return map { [ text => 'Left out: ' . list_and_more($NAMED, @{ $names{$_} }) . ": $_." ] } @reasons;
}

1;
