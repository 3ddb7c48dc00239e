# SPDX-License-Identifier: GPL-2.0-or-later
# Report::Run::Results - the table of a run: a row for each test, in the order of its suite and by kind, with
# a bar and the index for each copy count, the speed-up of several copies, and the score:
#
#   Test              Index, bars from 0    1 copy       2 copies     Speed-up  Score, 1 copy
#   KERNEL
#   Pipe throughput   ##########-+-         1484 +-0.4 %  2801 +-1 %    1.89 x     1.85 M lps
#
# Tests without an index have a table of their own, with their scores. Touchstone::Report::Run::Details has
# the rest.
package Touchstone::Report::Run::Results;
use 5.014;
use strict;
use warnings;

use Touchstone::Base::Figure qw(column_index shown plus_minus three_digits);
use Touchstone::Base::Symbols qw($DASH $DOT $TIMES);
use Touchstone::Base::Direction qw(is_lower_better);
use Touchstone::Base::Text qw(copies);
use Touchstone::Report::Plot::ScoreBars;
use Touchstone::Report::Columns qw(score);
use Touchstone::Report::Document qw(number);
use Touchstone::Report::Model;
use Touchstone::Report::Undisturbed;
use Touchstone::Suite;

# More copy counts than these have columns without intervals, and more than those no column each: Details and
# Scaling have all. A narrow screen has room for the fewest and the most.
my ($WITH_INTERVALS, $COLUMNS) = (3, 6);

# A test below this consistency is uneven.
my $EVEN = 90;

my $OTHERS = 'Tests without an index';

# All tables of the run.
sub parts {
    my ($model) = @_;
    my @panels = _panels($model);
    return map { _table($model, $_) } @panels if @panels;
    return Touchstone::Report::Model::verdicts($model) ? () : [ text => 'No test has a result.' ];
}

# What is shown together: a panel for the tests of each category with indexes, and one for all others.
#
#   { title, base, reference, indexed => 1,
#     tests => [ { name, title, label, kind, rows => [ a row of the model for each block, or undef ] } ] }
sub _panels {
    my ($model) = @_;
    my (%panel, @order, %rest, @others);
    for my $place (0 .. $#{ $model->{blocks} }) {
        my $block = $model->{blocks}[$place];
        my %in;
        for my $table (grep { $_->{is_index} } @{ $block->{tables} }) {
            my $key = $table->{category};
            push @order, $key if !$panel{$key};
            $panel{$key} ||= { %$table, indexed => 1, test => {} };
            for my $row (grep { defined $_->{index} } @{ $table->{rows} }) {
                $in{ $row->{name} } = 1;
                _put($panel{$key}{test}, $place, $row);
            }
        }
        push @others, map { [ $place, $_ ] }
            grep { !$in{ $_->{name} } } @{ $block->{tests} }, @{ $block->{below_resolution} };
    }

    # What is too small to be measured with some copies stands where the test is with others.
    for my $other (@others) {
        my ($with) = grep { $other->[1]{below_resolution} && $_->{test}{ $other->[1]{name} } } values %panel;
        _put($with ? $with->{test} : \%rest, @$other);
    }
    return map {
        {
            %$_, tests => [ Touchstone::Suite::arranged(sub { $_[0]{name} }, values %{ $_->{test} }) ]
        }
    } grep { %{ $_->{test} } } @panel{@order}, { title => @order ? $OTHERS : 'Results', test => \%rest };
}

sub _put {
    my ($tests, $place, $row) = @_;
    my $test = $tests->{ $row->{name} } ||= {
        name  => $row->{name},
        title => $row->{title},
        label => Touchstone::Suite::label($row),
        kind  => Touchstone::Suite::shown($row->{name})->{kind}
    };
    $test->{rows}[$place] = $row;
    return;
}

sub _table {
    my ($model, $panel) = @_;
    my @counts = map { $_->{count} } @{ $model->{blocks} };
    my @places = grep {
        my $column = $_;
        grep { $_->{rows}[$column] } @{ $panel->{tests} }
    } 0 .. $#counts;
    $panel = { %$panel, places => \@places, counts => \@counts, _speedups($model) };
    my @rows = grep { defined && defined $_->{index} } map { @{ $_->{rows} } } @{ $panel->{tests} };
    with_scale($panel, @rows) if $panel->{indexed};
    my @groups = _by_kind(@{ $panel->{tests} });
    return [
        table => {
            class   => $panel->{scale} ? 'results pinned' : 'results plain pinned',
            caption => _caption($model, $panel),
            columns => [ _first_column($panel), _columns($panel) ],
            rows    => [ map { (@groups > 1 ? { group => $_->{name} } : (), @{ $_->{tests} }) } @groups ]
        }
    ];
}

sub _speedups {
    my ($model) = @_;
    my $curves = $model->{curves} or return;
    return (
        speedup => { map { $_->{name} => $_ } grep { !$_->{index} } @{ $curves->{rows} } },
        curve   => $curves
    );
}

sub _caption {
    my ($model, $panel) = @_;
    my $what = $panel->{indexed} ? "$panel->{title}: index of each test" : $panel->{title};
    return $model->{invalid} ? "$what $DASH not valid" : $what;
}

# [ { name, tests } ] by kind, in the order in which kinds come first; tests of no kind are last.
sub _by_kind {
    my (@tests) = @_;
    my (%of, @order);
    for my $test (@tests) {
        my $kind = $test->{kind} // '';
        push @order,          $kind if !$of{$kind};
        push @{ $of{$kind} }, $test;
    }
    return map { { name => length $_ ? $_ : 'Other', tests => $of{$_} } } (grep { length } @order),
        grep { !length } @order;
}

# Gives a panel { base, places, counts } the scale of these rows, and how solid the bars of its places are.
sub with_scale {
    my ($panel, @rows) = @_;
    @{ $panel->{solid} }{ @{ $panel->{places} } } =
        Touchstone::Report::Plot::ScoreBars::solidity(scalar @{ $panel->{places} });
    $panel->{scale} = Touchstone::Report::Plot::ScoreBars::scale($panel->{base},
        map { +{ index => $_->{index}, interval => $_->{index_interval} } } @rows);
    return $panel;
}

# The head of a column of bars: its title, a legend of copy counts, and the axis.
sub bars_head {
    my ($panel, $title) = @_;
    my @places = @{ $panel->{places} };
    my @keys   = map {
        my $bar = { picture => Touchstone::Report::Plot::ScoreBars::key($panel->{solid}{$_}) };
        ({ text => [ $bar, copies($panel->{counts}[$_]) ], class => 'key' }, ' ')
    } @places > 1 ? @places : ();
    my $axis = { picture => Touchstone::Report::Plot::ScoreBars::axis($panel->{scale}) };
    return _with_bars({ text => $title, as => 'span' },
        { text => [ 'Index, bars from 0 ', @keys, $axis ], as => 'div' });
}

# The cell of a test, or of a part of an index: its label, and a bar for what is known of each place of the
# panel, { index, index_interval }.
sub bars_cell {
    my ($panel, $label, @rows) = @_;
    my @bars = map {
        my ($row, $place) = ($rows[$_], $panel->{places}[$_]);
        $row && defined $row->{index}
            ? {
            index    => $row->{index},
            interval => $row->{index_interval},
            solid    => $panel->{solid}{$place},
            tip      => _tip($panel->{counts}[$place], $row)
            }
            : undef
    } 0 .. $#{ $panel->{places} };
    return _with_bars({ %$label, as => 'span' },
        { picture => Touchstone::Report::Plot::ScoreBars::row($panel->{scale}, @bars) });
}

sub _with_bars { return [ { text => [@_], as => 'div', class => 'test' } ] }

sub _tip {
    my ($count, $row) = @_;
    my $limits = join " $DASH ", map { shown($_, $row->{index_interval}) } @{ $row->{index_interval} || [] };
    return
          copies($count) . ': '
        . ($row->{shown} // Touchstone::Base::Figure::shown_index($row))
        . (length $limits ? ", 95 %: $limits" : '');
}

sub _first_column {
    my ($panel) = @_;
    my $label = sub {
        my ($test) = @_;
        return {
            text  => $test->{label},
            as    => 'span',
            title => $test->{title} eq $test->{label} ? undef : $test->{title}
        };
    };
    return { title => 'Test', cell => sub { [ $label->(@_) ] } } if !$panel->{scale};
    return {
        title => bars_head($panel, 'Test'),
        cell  => sub { bars_cell($panel, $label->(@_), @{ $_[0]{rows} }[ @{ $panel->{places} } ]) }
    };
}

sub _columns {
    my ($panel) = @_;
    my @places  = @{ $panel->{places} };
    my @shown   = @places > $COLUMNS ? @places[ 0 .. 2, -3 .. -1 ] : @places;
    my $value   = $panel->{indexed}  ? \&index_cell                : \&_score;
    my $sure    = @shown <= $WITH_INTERVALS;
    my @columns = map {
        my $place = $_;
        {
            title => copies($panel->{counts}[$place]),
            cell  => sub { $value->($_[0]{rows}[$place], $sure) },
            more  => $place != $shown[0] && $place != $shown[-1]
        }
    } @shown;
    push @columns, _speedup_column($panel, $places[-1]) if @places > 1 && $panel->{speedup};
    push @columns, _score_column($panel, $places[0])    if $panel->{indexed};
    push @columns, _columns_of_slices($panel), _measures_column($places[0]);
    return @columns;
}

# An index with its interval, if that is wanted. The column is sorted by the exact one.
sub index_cell {
    my ($row, $sure) = @_;
    return $DASH                                      if !$row;
    return [ { text => 'too small', as => 'small' } ] if $row->{below_resolution};
    return {
        text => _with_interval($row, column_index(@$row{qw(index index_interval)}), $sure),
        key  => $row->{index}
    };
}

sub _with_interval {
    my ($row, $value, $sure) = @_;
    return [
        { %{ number($value) }, as => 'b' },
        $sure && defined $row->{precision}
        ? (' ', { text => plus_minus($row->{precision}), as => 'small' })
        : ()
    ];
}

sub _dim { my ($text, $class) = @_; return [ { text => $text, class => $class // 'dim' } ] }

sub _score {
    my ($row, $sure) = @_;
    return $DASH if !$row;
    return $row->{below_resolution} ? score($row) : _with_interval($row, score($row), $sure);
}

sub _score_column {
    my ($panel, $place) = @_;
    my @rows   = grep { defined } map { $_->{rows}[$place] } @{ $panel->{tests} };
    my $copies = copies($panel->{counts}[$place]);
    return {
        title => (grep { !is_lower_better($_) } @rows)
        ? [ 'Score, ',                  { text => $copies,            class => 'unbroken' } ]
        : [ "Time of a unit, $copies ", { text => '(less is better)', as    => 'small' } ],
        more => 1,
        cell => sub { my ($row) = $_[0]{rows}[$place]; $row ? _dim(score($row)) : $DASH }
    };
}

# Further measures of a test, such as the speed of decompression.
sub _measures_column {
    my ($place) = @_;
    return {
        title => 'Also',
        left  => 1,
        more  => 1,
        if    => sub {
            grep { _others($_->{rows}[$place]) } @_;
        },
        cell => sub {
            my @measures = _others($_[0]{rows}[$place]);
            _dim(join " $DOT ", map { "$_->{name} " . score($_) } @measures);
        }
    };
}

# A test with a tail has its quantiles in the section about these.
sub _others {
    my ($row) = @_;
    return grep { !$row->{tail} || $_->{name} !~ /\Ap\d/a } @{ ($row || {})->{measures} || [] };
}

# The speed-up of the most copies over the fewest.
sub _speedup_column {
    my ($panel, $place) = @_;
    my $copies   = copies($panel->{counts}[$place]);
    my $curve    = $panel->{curve};
    my ($column) = grep { $curve->{copies}[$_] == $panel->{counts}[$place] } 0 .. $#{ $curve->{copies} };
    return {
        title => [
            { text => 'Speed-up', class => 'unbroken' },
            @{ $panel->{places} } > 2 ? (', ', { text => $copies, class => 'unbroken' }) : ()
        ],
        more => 1,
        cell => sub {
            my $row    = $panel->{speedup}{ $_[0]{name} };
            my $factor = defined $column && $row ? $row->{speedup}[$column] : undef;
            return $DASH if !defined $factor;
            my $limits = $row->{limits}[$column];
            return {
                text  => three_digits($factor, $limits) . " $TIMES",
                title => $limits
                ? '95 % interval: ' . join " $DASH ",
                map { three_digits($_, $limits) } @$limits
                : undef
            };
        }
    };
}

# What follows from slices, where they say something: the undisturbed speed and the consistency, of the first
# copies that lost something, or of which a test is uneven.
sub _columns_of_slices {
    my ($panel) = @_;
    my $first = sub {
        my ($matches) = @_;
        for my $place (@{ $panel->{places} }) {
            return $place if grep { $matches->($_) } map { _measured($_, $place) } @{ $panel->{tests} };
        }
        return undef;
    };
    my $lost        = $first->(sub { $_[0]{shows_loss} });
    my $consistency = $lost // $first->(sub { defined $_[0]{consistency} && $_[0]{consistency} < $EVEN });
    return map {
        my ($title, $place, $shown) = @$_;
        {
            title => [
                $title,
                @{ $panel->{places} } > 1
                ? (', ', { text => copies($panel->{counts}[$place]), class => 'unbroken' })
                : ()
            ],
            more => 1,
            cell => sub {
                my ($row) = _measured($_[0], $place) or return $DASH;
                my $text = $shown->($row) // return $DASH;
                my $lost =
                    $row->{shows_loss}
                    ? sprintf "%.0f %% lost to interference", 100 * $row->{lost}
                    : undef;
                return [ { text => $text, class => 'dim holds', title => $lost } ];
            }
        }
        } grep { defined $_->[1] } [ 'Undisturbed', $lost, \&_undisturbed ],
        [ 'Consistency', $consistency, \&Touchstone::Report::Undisturbed::consistency ];
}

# The row of a test in its own unit, unless it is too small to be measured.
sub _measured {
    my ($test, $place) = @_;
    return map { $_->{exact} } grep { defined && !$_->{below_resolution} } $test->{rows}[$place];
}

sub _undisturbed {
    my ($row) = @_;
    return defined $row->{undisturbed} ? Touchstone::Report::Undisturbed::speed($row) : undef;
}

1;
