# SPDX-License-Identifier: GPL-2.0-or-later
# Report::Comparison - what Compare found, as text, Markdown, HTML, CSV or JSON:
#
#   one thing differs: compiler
#
#             A            B
#   compiler  gcc 12.2.0   clang 14.0.6
#
#   Test        A        B  Unit  Ratio   95 % interval  Detects  Verdict
#   pipe  3481900  3581900   lps  1.029  1.021 to 1.037    1.1 %  faster
package Touchstone::Report::Comparison;
use 5.014;
use strict;
use warnings;

use Touchstone::Compare;
use Touchstone::Json;
use Touchstone::Report;
use Touchstone::Report::Builds;
use Touchstone::Report::Page;
use Touchstone::Speed;
use Touchstone::Text;

my $CLASS  = 'Touchstone: comparison';
my %RENDER = (
    text     => sub { return Touchstone::Report::Page::text(_parts($_[0])) },
    markdown => sub { return Touchstone::Report::Page::markdown(_parts($_[0])) },
    html     => sub { return Touchstone::Report::Page::html($CLASS, _parts($_[0])) },
    csv      => \&_csv,
    json     => sub { return Touchstone::Json::encode($_[0]) },
);

sub render {
    my ($format, $comparison) = @_;
    return $RENDER{$format}->($format eq 'json' ? $comparison : Touchstone::Report::plain($comparison));
}

sub _parts {
    my ($comparison) = @_;
    return Touchstone::Report::Builds::parts($comparison) if $comparison->{builds};
    my ($first, @others) = @{ $comparison->{runs} };
    my @parts = ([ heading => "Comparison with $first" ], _differences($comparison));
    for my $i (0 .. $#{ $comparison->{pairs} }) {
        my $pair   = $comparison->{pairs}[$i];
        my $letter = _letter($i + 1);
        push @parts, [ text => "A is $first, $letter is $pair->{name}" ], (@{ $pair->{notes} } ? [ points => @{ $pair->{notes} } ] : ()),
            in_short($pair), _tables($pair, $letter);
    }
    return (@parts, [ text => 'ratio: above 1, the other run is faster than A. detects: the smallest difference that would have been seen. Verdicts are corrected for their number (Holm).' ]);
}

sub _differences {
    my ($comparison) = @_;
    my @different = @{ $comparison->{differences} };
    return [ text => 'nothing differs in what is known of machines and builds' ] if !@different;
    my $rows = [ map { [ $_->{thing}, map { Touchstone::Text::short($_, 60) } @{ $_->{values} } ] } @different ];
    my $said = @different == 1 ? "one thing differs: $different[0]{thing}" : @different . ' things differ, so a difference in scores has no one cause: ' . join ', ', map { $_->{thing} } @different;
    return ([ text => $said ], [ table => { head => [ '', map { _letter($_) } 0 .. $#{ $comparison->{runs} } ], rows => $rows, left => [ 0 .. @{ $comparison->{runs} } ] } ]);
}

sub _letter { return $_[0] < 26 ? chr(65 + $_[0]) : $_[0] + 1 }

# What a person wants to know first.
sub in_short {
    my ($pair) = @_;
    my %named;
    push @{ $named{ $_->{verdict} } }, $_ for @{ $pair->{tests} };
    my @points = map { _index_line($_) } @{ $pair->{indexes} };
    for my $verdict ($Touchstone::Compare::SLOWER, $Touchstone::Compare::FASTER, $Touchstone::Compare::SAME, $Touchstone::Compare::UNKNOWN) {
        my @tests = @{ $named{$verdict} || [] } or next;
        my $detail = $verdict eq $Touchstone::Compare::SLOWER || $verdict eq $Touchstone::Compare::FASTER;
        push @points, "$verdict: " . join ', ', map { Touchstone::Text::named($_) . ($detail ? ' (' . percent($_->{ratio}) . ')' : '') } @tests;
    }
    return @points ? [ points => @points ] : ();
}

sub _index_line {
    my ($index) = @_;
    my $copies = Touchstone::Text::copies($index->{copies});
    my $interval = $index->{interval} ? ', ' . join ' to ', map { percent($_) } @{ $index->{interval} } : '';
    return "$index->{name}, $copies: $index->{verdict} (" . percent($index->{ratio}) . "$interval)";
}

# "+3.1 %" of a ratio of 1.031.
sub percent {
    my ($ratio) = @_;
    return '---' if !defined $ratio;
    my $text = sprintf '%+.*f %%', abs($ratio - 1) < 0.1 ? 1 : 0, ($ratio - 1) * 100;
    return $text =~ s/^-(0(?:\.0)? %)/+$1/r;
}

sub _tables {
    my ($pair, $letter) = @_;
    my (%rows, @tables);
    push @{ $rows{ $_->{copies} } }, $_ for @{ $pair->{tests} }, @{ $pair->{indexes} };
    for my $copies (sort { $a <=> $b } keys %rows) {
        push @tables, [ table => { caption => Touchstone::Text::copies($copies), head => [ 'Test', 'A', $letter, 'Unit', 'Ratio', '95 % interval', 'Detects', 'Verdict' ], left => [ 0, 7 ],
            rows => [ map { _row($_) } @{ $rows{$copies} } ] } ];
    }
    return @tables;
}

sub _row {
    my ($test) = @_;
    my ($unit, @scores) = scores($test);
    return [
        $test->{name}, @scores, $unit, ratio($test),
        defined $test->{detectable} ? Touchstone::Report::part($test->{detectable}) : '---',
        $test->{verdict} . (defined $test->{why} ? ": $test->{why}" : ''),
    ];
}

# The unit of a test, and both scores in it.
sub scores {
    my ($test) = @_;
    my ($unit, $by) = $test->{unit} eq $Touchstone::Speed::SECONDS ? @{ Touchstone::Report::unit_for($test->{scores}[0]) } : ($test->{unit}, 1);
    my @limits = map { $_ ? [ map { $_ * $by } @$_ ] : undef } @{ $test->{intervals} };
    return ($unit, map { Touchstone::Report::figure($test->{scores}[$_] * $by, $limits[$_]) } 0, 1);
}

# The ratio of both, and its interval.
sub ratio {
    my ($test) = @_;
    my ($ratio, @interval) = ($test->{ratio}, @{ $test->{interval} || [] });
    return (defined $ratio ? Touchstone::Report::figure($ratio, @interval ? \@interval : [ $ratio * 0.99, $ratio * 1.01 ]) : '---',
        @interval ? join(' to ', map { Touchstone::Report::figure($_, \@interval) } @interval) : '---');
}

# A machine compared with itself.
sub self_parts {
    my ($comparison, $smallest) = @_;
    my ($pair) = @{ $comparison->{pairs} };
    my @rows = map { [ Touchstone::Text::named($_), percent($_->{ratio}), defined $smallest->{ $_->{key} } ? Touchstone::Report::part($smallest->{ $_->{key} }) : '---', $_->{verdict} ] }
        @{ $pair->{tests} }, @{ $pair->{indexes} };
    return ([ heading => 'The machine compared with itself' ], [ text => 'By how much two interleaved halves of one run differ, and the smallest difference that this machine can tell.' ],
        [ table => { head => [ 'Test', 'Halves differ', 'Smallest', 'Verdict' ], left => [ 0, 3 ], rows => \@rows } ]);
}

sub _csv {
    my ($comparison) = @_;
    my ($first) = @{ $comparison->{runs} };
    my @lines = ('a,b,test,copies,unit,score_a,score_b,ratio,low,high,p,detectable_percent,verdict,why');
    for my $pair (@{ $comparison->{pairs} }) {
        for my $test (@{ $pair->{tests} }, @{ $pair->{indexes} }) {
            push @lines, join ',', map { Touchstone::Report::field($_) } $first, $pair->{name}, @$test{qw(name copies unit)}, @{ $test->{scores} }, $test->{ratio},
                @{ $test->{interval} || [ '', '' ] }, $test->{p}, defined $test->{detectable} ? $test->{detectable} * 100 : '', @$test{qw(verdict why)};
        }
    }
    return join '', map { "$_\n" } @lines;
}

1;
