# SPDX-License-Identifier: GPL-2.0-or-later
# Report::Run::Scaling - how scores grow with the copies: a table of Touchstone::Score::Scaling for the
# terminal and the log, and the section of a page, which has curves and a table of its own:
#
#   copies (8 usable CPUs)          1          2          4          8         16
#   pipe
#     index                    2840.1     5605.6    10722.8    17886.5    17978.5
#     speed-up                   1.00       1.97       3.78       6.30       6.33
#     efficiency                100 %       99 %       94 %       79 %       79 %
#     contention 0.4 % (0.0 to 1.1), coherency 0.42 % (0.34 to 0.49)
#     no peak up to 8 copies
#
#   Test              1 copy  2 copies  4 copies  Efficiency, 4
#   Pipe throughput     2840    1.97 x    3.78 x           94 %
package Touchstone::Report::Run::Scaling;
use 5.014;
use strict;
use warnings;

use POSIX qw(floor);

use Touchstone::Base::Figure qw(column_index human three_digits);
use Touchstone::Base::Symbols qw($DASH $TIMES);
use Touchstone::Report::SpeedupText;
use Touchstone::Report::Plot::ScalingChart;
use Touchstone::Report::Document qw(number);
use Touchstone::Base::Text qw(copies plural);
use Touchstone::Suite;

# A table has this many copy counts beside the first: more are too wide for paper.
my $COUNTS = 6;

# A speed-up that is worth more copies, and the most tests that a sentence names.
my ($WORTH, $NAMED) = (1.1, 4);

# What the rows are that say so.
my $THREADS = 'threads: one process with one thread per copy';

# Returns the lines of the table; `label` is the key of the tests' names, name or title.
sub lines {
    my ($table, $label) = @_;
    my $row    = sub { sprintf '%-22s' . ' %10s' x @{ $table->{copies} }, @_ };
    my @lines  = $row->('copies (' . _cpus($table) . ')', @{ $table->{copies} });
    my $reason = _reason_of_all($table);
    for my $test (Touchstone::Suite::arranged(sub { $_[0]{name} // q{} }, @{ $table->{rows} })) {
        push @lines, Touchstone::Report::SpeedupText::row_label({ %$test, unit => undef }, $label);
        push @lines,
            $row->(_value_of($test, $label),
            map { Touchstone::Base::Figure::value($_) } @{ $test->{values} }),
            $row->('  speed-up',   map { _factor($_) } @{ $test->{speedup} }),
            $row->('  efficiency', map { _percent($_) } @{ $test->{efficiency} });
        push @lines, map { "  $_" } _law(@$test{qw(fit team)}, _fitted($table)) if !defined $reason;
    }
    push @lines, $THREADS                          if grep { $_->{team} } @{ $table->{rows} };
    push @lines, "scaling law not fitted: $reason" if defined $reason;
    return map { s/ +\z//r } @lines;
}

# Names the figures of the copy counts.
sub _value_of {
    my ($test, $label) = @_;
    return '  index' if !defined $test->{unit};
    return '  score, ' . ($label eq 'name' ? Touchstone::Suite::spoken_unit($test->{unit}) : $test->{unit});
}

# Returns the parts of the section. A run with two copy counts has none: their speed-ups are in its results.
sub parts {
    my ($model) = @_;
    my $curves = $model->{curves} or return;
    return if @{ $curves->{copies} } < 3;
    $curves =
        { %$curves, rows => [ _human(@{ $curves->{rows} }) ], marks => [ _boundaries($model->{host}) ] };
    return (
        [ text    => { text => Touchstone::Report::Plot::ScalingChart::legend($curves), class => 'dim' } ],
        [ picture => Touchstone::Report::Plot::ScalingChart::pictures($curves) ],
        _tables($curves),
        [ text => { text => _how_to_read($curves), class => 'dim' } ],
        $model->{speedup} ? _laws($model->{speedup}) : ()
    );
}

# The findings for the head of the page.
sub headline {
    my ($model) = @_;
    my $curves = $model->{curves};
    return if !$curves || @{ $curves->{copies} } < 3;
    my @phrases = sentences({ %$curves, rows => [ _human(@{ $curves->{rows} }) ] }) or return;
    return [
        text => {
            text  => [ join(' ', @phrases), ' ', { text => 'Scaling', link => '#scaling' } ],
            class => 'lead'
        }
    ];
}

# The counts of copies from which on they share a core, or sit on another socket: [ 8, '8 cores' ].
sub _boundaries {
    my ($host) = @_;
    my ($cpus, $cores, $sockets) =
        map { my $n = $host->{$_}; defined $n && $n =~ /\A[1-9]\d*\z/a ? $n : undef }
        qw(usable_cpus cores sockets);
    return (
        $cores && $sockets && $sockets > 1 ? [ $cores / $sockets, 'one socket' ] : (),
        $cores && $cpus && $cores < $cpus  ? [ $cores, plural($cores, 'core') ] : (),
        $cpus                              ? [ $cpus,  plural($cpus, 'CPU') ]   : ()
    );
}

# The findings in sentences:
#
#   16 copies do 9.6 times the work of one (60 % efficiency).
#   Shell scripts, 8 at once is less than 10 % faster with more than 4 copies.
sub sentences {
    my ($curves) = @_;
    my ($first, $most) = @{ $curves->{copies} }[ 0, -1 ];
    my @rows    = grep { defined $_->{speedup}[-1] && defined $_->{efficiency}[-1] } @{ $curves->{rows} };
    my ($index) = grep { $_->{index} && !$_->{minor} } @rows;
    my @tests   = grep { !$_->{index} } @rows;
    my %beyond;
    for my $test (@tests) {
        my $place = _last_useful($curves, $test->{speedup}) // next;
        push @{ $beyond{$place} }, $test->{title};
    }
    return (
        $index
        ? sprintf(
            '%s do %s times the work of %s (%.0f %% efficiency).',
            copies($most),                        three_digits($index->{speedup}[-1], $index->{limits}[-1]),
            $first == 1 ? 'one' : copies($first), $index->{efficiency}[-1]
            )
        : (),
        map {
            my @names = @{ $beyond{$_} };
            (@names > $NAMED   ? plural(scalar @names, 'test') : join '; ', @names)
                . (@names == 1 ? ' is'                         : ' are')
                . ' less than 10 % faster with more than '
                . copies($curves->{copies}[$_]) . '.'
        } sort { $a <=> $b } keys %beyond
    );
}

# The place of the copy count from which on more copies are less than a tenth faster, though there are CPUs
# for them; undef if there is none.
sub _last_useful {
    my ($curves, $speedup) = @_;
    my @counts = @{ $curves->{copies} };
    my ($place) = grep {
        my $at = $_;
        $counts[$at] < $curves->{cpus}
            && !grep { !defined $speedup->[$_] || $speedup->[$_] >= $WORTH * $speedup->[$at] }
            $at + 1 .. $#counts
    } grep { defined $speedup->[$_] } 0 .. $#counts - 1;
    return $place;
}

# The rows in the order of the suite, tests by their labels.
sub _human {
    my (@rows) = @_;
    return (
        Touchstone::Suite::arranged(
            sub { $_[0]{name} // '' },
            map { +{ %$_, title => Touchstone::Suite::label($_) } } grep { !$_->{index} } @rows
        ),
        grep { $_->{index} } @rows
    );
}

sub _tables {
    my ($curves) = @_;
    my @later = 1 .. $#{ $curves->{copies} };
    my @tables;
    while (my @some = splice @later, 0, $COUNTS) { push @tables, _table($curves, @some) }
    return @tables;
}

# Makes a table of the speed-ups of some copy counts over the first, tests above indexes. The efficiency is
# that of the most copies.
sub _table {
    my ($curves, @places) = @_;
    my $first   = copies($curves->{copies}[0]);
    my $last    = $places[-1];
    my @columns = (
        [ 'Test', sub { Touchstone::Report::SpeedupText::row_label($_[0], 'title') } ],
        [ $first, sub { _value($_[0], 0) }, 1 ],
        (
            map {
                my $place = $_;
                [
                    copies($curves->{copies}[$place]),
                    sub { _speedup($_[0]{speedup}[$place], $_[0]{limits}[$place]) },
                    $place != $last
                ]
            } @places
        ),
        [ "Efficiency, $curves->{copies}[$last]", sub { _percent($_[0]{efficiency}[$last]) } ]
    );
    return [
        table => {
            caption => "Speed-up over $first",
            class   => 'pinned',
            columns =>
                [ map { { title => $_->[0], cell => $_->[1], foot => $_->[1], more => $_->[2] } } @columns ],
            rows => [ grep { !$_->{index} } @{ $curves->{rows} } ],
            foot => [ grep { $_->{index} } @{ $curves->{rows} } ]
        }
    ];
}

sub _value {
    my ($row, $place) = @_;
    my $value = $row->{values}[$place];
    my $shown = defined $row->{unit} ? \&human : \&column_index;
    return { text => number($shown->($value, $row->{intervals}[$place])), key => $value };
}

# Returns "1.97 x", with its interval for a pointer that rests there.
sub _speedup {
    my ($speedup, $limits) = @_;
    return $DASH if !defined $speedup;
    my ($value, @limits) = map { three_digits($_, $limits) } $speedup, @{ $limits || [] };
    return {
        text  => [ { text => "$value $TIMES", unbroken => 1 } ],
        key   => $speedup,
        title => @limits ? "95 % interval: $limits[0] $DASH $limits[1]" : undef
    };
}

sub _how_to_read {
    my ($curves) = @_;
    my $threads  = (grep { $_->{team} } @{ $curves->{rows} }) ? ' ' . ucfirst "$THREADS." : '';
    my $seen     = grep {
        !grep { defined }
            @{ $_->{efficiency} }
    } @{ $curves->{rows} };
    return
          'Index of each test (score, if it has none). Efficiency: speed-up as a fraction of perfect scaling'
        . ($seen ? '; scores per copy have none.' : '.')
        . $threads;
}

sub _laws {
    my ($table)  = @_;
    my @all      = Touchstone::Suite::arranged(sub { $_[0]{name} // '' }, @{ $table->{rows} });
    my @fitted   = grep { !defined $_->{fit}{why} } @all;
    my $reason   = _reason_of_all($table);
    my @unfitted = defined $reason ? $reason : map { Touchstone::Suite::label($_) . ": $_->{fit}{why}" }
        grep { defined $_->{fit}{why} } @all;
    my @columns = (
        { title => 'Test',       cell => \&Touchstone::Suite::label },
        { title => 'Contention', cell => sub { _share($_[0]{fit}, 'contention') } },
        { title => 'Coherency',  cell => sub { _share($_[0]{fit}, 'coherency') } },
        { title => 'Peak', cell => sub { _peak(@{ $_[0] }{qw(fit team)}, _fitted($table)) } },
        { title => 'R2',   cell => sub { defined $_[0]{fit}{r2} ? sprintf('%.3f', $_[0]{fit}{r2}) : $DASH } }
    );
    my $caption = 'Universal Scalability Law (95 % intervals)';
    return (
        @fitted
        ? [ table => { caption => $caption, class => 'stacked', columns => \@columns, rows => \@fitted } ]
        : (),
        @unfitted ? [ text => map { "Scaling law not fitted: $_" } @unfitted ] : ()
    );
}

sub _cpus {
    my ($table) = @_;
    return plural($table->{cpus}, 'usable CPU');
}

sub _factor  { return defined $_[0] ? sprintf('%.2f',    $_[0]) : $DASH }
sub _percent { return defined $_[0] ? sprintf('%.0f %%', $_[0]) : $DASH }

# Returns why no test has a law, if all have the same reason, usually too few copy counts.
sub _reason_of_all {
    my ($table) = @_;
    my %reasons = map { ($_->{fit}{why} // '') => 1 } @{ $table->{rows} };
    my ($reason, @more) = keys %reasons;
    return length $reason && !@more ? $reason : undef;
}

sub _law {
    my ($fit, $team, $most) = @_;
    return "scaling law not fitted: $fit->{why}" if defined $fit->{why};
    return ('contention ' . _share($fit, 'contention') . ', coherency ' . _share($fit, 'coherency'),
        _peak($fit, $team, $most));
}

# Returns "3.0 % (2.5 to 3.6)".
sub _share {
    my ($fit, $name) = @_;
    my ($value, $low, $high) =
        map { defined $_ ? $_ * 100 : undef } @$fit{ $name, "${name}_low", "${name}_high" };
    my $form = _form($value, $low, $high);
    return sprintf("$form %%", $value) . _interval($form, $low, $high);
}

# The most copies to which a law is fitted.
sub _fitted {
    my ($table) = @_;
    return (grep { $_ <= $table->{cpus} } @{ $table->{copies} })[-1] // $table->{copies}[-1];
}

# A peak beyond the most copies is not a finding.
sub _peak {
    my ($fit, $team, $most)  = @_;
    my ($one, $several)      = $team ? qw(thread threads) : qw(copy copies);
    my ($value, $low, $high) = @$fit{qw(best best_low best_high)};
    return "no peak up to $most $several" if !defined $value || $fit->{beyond};
    return "peak at 1 $one: more do less" if $value == 1 && defined $high && $high == 1;
    my $form = _form($value, $low, $high);
    return
        sprintf("peak at $form ", $value) . ($value == 1 ? $one : $several) . _interval($form, $low, $high);
}

sub _interval {
    my ($form, $low, $high) = @_;
    return sprintf(" ($form to ", $low) . (defined $high ? sprintf($form, $high) : 'no limit') . ')';
}

# Returns a format with as many digits as the interval supports: its width has two.
sub _form {
    my ($value, $low, $high) = @_;
    my $width  = defined $high && defined $low && $high > $low ? $high - $low : abs($value // 0) / 10;
    my $digits = $width > 0                                    ? 1 - floor(log($width) / log 10) : 0;
    return '%.' . ($digits < 0 ? 0 : $digits > 5 ? 5 : $digits) . 'f';
}

1;
