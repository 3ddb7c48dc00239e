# SPDX-License-Identifier: GPL-2.0-or-later
# Report::Compare::CostSplit - the differences of a pair as parts of user, kernel and waiting time: a sentence
# for all tests, one for each of the largest differences, and on a page a table of all.
#
#   Kernel time explains most of the differences (2 of 2 tests).
#
#     - syscall: 34 % slower, all of it in the kernel
#     - shell8: 12 % slower: 8 points of waiting, 4 points of kernel time
package Touchstone::Report::Compare::CostSplit;
use 5.014;
use strict;
use warnings;

use Touchstone::Base::Symbols qw(signed);
use Touchstone::Base::Text qw(list_and_more named plural);
use Touchstone::Compare::CostSplit;
use Touchstone::Report::Compare::EventSplit;
use Touchstone::Report::Compare::Tables;
use Touchstone::Report::Compare::Verdict qw(difference is_factor label);
use Touchstone::Base::Time qw(@PARTS);

# The most sentences, and the most names in one of them.
my ($SENTENCES, $NAMED) = (6, 5);

# A part that is at least this share of a difference is all of it.
my $ALL = 0.9;

my %ALL_OF_IT = (user => 'in user mode', kernel => 'in the kernel', waiting => 'waiting', cpu => 'CPU time');

sub parts {
    my ($pair) = @_;
    my @tests  = sort { abs(log $b->{ratio}) <=> abs(log $a->{ratio}) || $a->{name} cmp $b->{name} }
        grep { $_->{split} } @{ $pair->{tests} }
        or return;
    my @known  = grep { $_->{split}{parts} } @tests;
    my @points = map  { _points($_, @known) } qw(text markdown html);
    my @table =
        @known ? ([ table => _table(@known) ], Touchstone::Report::Compare::EventSplit::tables(@known)) : ();
    my @rest = _unknown(@tests);
    return (
        ($pair->{cause} || {})->{part} ? () : _common(@tests),
        @points,
        [ in => ['plain'], @rest ],
        [ in => ['page'],  @table ? [ fold => 'Parts of the differences', @table, @rest ] : @rest ]
    );
}

sub _common {
    my (@tests) = @_;
    my ($part, $explained, $all) = Touchstone::Compare::CostSplit::common_part(@tests) or return;
    return [ text => ucfirst
              "$Touchstone::Compare::CostSplit::TIME{$part} explains most of the differences ($explained of "
            . plural($all, 'test')
            . ').' ];
}

sub _points {
    my ($form, @known) = @_;
    my @sentences = map {
        my $sentence = sentence($_, $form);
        defined $sentence ? $sentence . Touchstone::Report::Compare::EventSplit::clause($_, $sentence) : ()
    } @known or return;
    my $more = @sentences - $SENTENCES;
    splice @sentences, $SENTENCES, $more, 'and ' . plural($more, 'more test') if $more > 1;
    return [ in => [$form], [ points => @sentences ] ];
}

# Why there are no parts, by reason.
sub _unknown {
    my (@tests) = @_;
    my (%names, @reasons);
    for my $test (grep { $_->{split}{why} } @tests) {
        my $why = $test->{split}{why};
        push @reasons,          $why if !$names{$why};
        push @{ $names{$why} }, named($test);
    }
    return (Touchstone::Report::Compare::EventSplit::missing(@tests),
        map { [ text => 'No parts of ' . list_and_more($NAMED, @{ $names{$_} }) . ": $_." ] } @reasons);
}

# "syscall: 34 % slower, all of it in the kernel", or nothing if no part is certain.
sub sentence {
    my ($test,  $form) = @_;
    my ($first, @more) = @{ $test->{split}{named} } or return;
    my $difference = named({ %$test, name => label($test, $form) }) . ': ' . _difference($test);
    return "$difference, all of it $ALL_OF_IT{$first}" if !@more && _share($test, $first) >= $ALL;
    my $points = sub {
        my ($part) = @_;
        return sprintf '%.0f %% of it %s', 100 * _share($test, $part),
            $Touchstone::Compare::CostSplit::TIME{$part}
            if is_factor($test->{ratio});
        my $many = _rounded(
            $test,
            Touchstone::Compare::CostSplit::log_of($test->{split}, $part),
            $test->{ratio} > 1 ? 1 : -1
        );
        return "$many point" . ($many eq '1' ? '' : 's') . " of $Touchstone::Compare::CostSplit::TIME{$part}";
    };
    return "$difference: " . join ', ', map { $points->($_) } $first, @more;
}

sub _difference {
    my ($test) = @_;
    return difference($test->{ratio}) . ' as fast' if is_factor($test->{ratio});
    return difference(@$test{qw(ratio interval)}) =~ s/\A[^\d]+//r . " $test->{verdict}";
}

sub _share {
    my ($test, $part) = @_;
    return Touchstone::Compare::CostSplit::log_of($test->{split}, $part) / $test->{split}{log};
}

# Points of the difference of speed in per cent, of which less time is more.
sub _rounded {
    my ($test, $log, $sign) = @_;
    my $points = $sign * 100 * ($test->{ratio} - 1) * $log / $test->{split}{log};
    my $places = Touchstone::Report::Compare::Verdict::places(@$test{qw(ratio interval)});
    return _signed("%.${places}f", $points);
}

# A figure whose digits are all zeros has no sign.
sub _signed {
    my ($format, $figure) = @_;
    my $text = sprintf $format, $figure;
    return $text =~ /\A-[0.]+\z/ ? substr $text, 1 : signed($text);
}

sub _table {
    my (@tests) = @_;
    my $speed   = sub { difference(@{ $_[0] }{qw(ratio interval)}) };
    my @columns = map {
        my $part = $_;
        { title => ucfirst, cell => sub { _cell($_[0], $part) } }
    } @PARTS;
    return {
        caption => 'Parts of the differences, in points of per cent of the speed (95 % interval)',
        columns => [
            Touchstone::Report::Compare::Tables::test_columns(),
            { title => 'Copies', cell => sub { $_[0]{copies} } },
            { title => 'Speed',  cell => $speed },
            @columns
        ],
        rows => \@tests
    };
}

sub _cell {
    my ($test, $part) = @_;
    my $match = $test->{split}{parts}{$part};
    my ($low, $high) = sort { $a <=> $b }
        map { 100 * ($test->{ratio} - 1) * $_ / $test->{split}{log} } @{ $match->{interval} };
    return
        _rounded($test, $match->{log}, 1) . ' ('
        . join(' to ', map { _signed('%.1f', $_) } $low, $high) . ')';
}

1;
