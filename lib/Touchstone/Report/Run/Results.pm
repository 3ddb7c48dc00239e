# SPDX-License-Identifier: GPL-2.0-or-later
# Report::Run::Results - the table of a run: a row for each test, in the order of its suite and by kind, with
# a bar and the index for each copy count, the speed-up of several copies, and the score:
#
#   Test              Index, log scale      1 copy       2 copies     Speed-up  Score, 1 copy
#   KERNEL
#   Pipe throughput   ##########-+-         1484 +-0.4 %  2801 +-1 %    1.89 x     1.85 M lps
#
# Tests without an index have a table of their own, with their scores. Touchstone::Report::Run::Details has
# the rest.
package Touchstone::Report::Run::Results;
use 5.014;
use strict;
use warnings;

use List::Util qw(min);

use Touchstone::Base::Figure qw(column_index shown sureness three_digits);
use Touchstone::Base::Signs qw($DASH $DOT $TIMES);
use Touchstone::Base::Speed qw(is_lower_better);
use Touchstone::Base::Text qw(copies);
use Touchstone::Report::Plot::ScoreBars;
use Touchstone::Report::Run::Slices;
use Touchstone::Report::Model;
use Touchstone::Report::Render::Html qw(spaced table text);
use Touchstone::Report::Score;
use Touchstone::Suite;

our $CSS = <<'CSS';
.results { width: 100%; }
.results th:first-child { width: 100%; max-width: none; padding-right: .6rem; }
.plain { width: auto; }
.plain th:first-child { width: auto; padding-right: 2rem; }
.results b { font-weight: 600; }
.results td small { font-size: .8em; display: inline-block; min-width: 3.9em; text-align: left; }
.results .left { padding-left: 1rem; max-width: 32rem; min-width: 9rem; }
.results caption { padding-bottom: 0; }
.results .group th { font-size: .75rem; padding-top: .6rem; }
.test { display: grid; grid-template-columns: minmax(9rem, 16rem) minmax(9rem, 1fr); align-items: center; gap: 0 .8rem; }
.invalid .results td { text-decoration: line-through; color: var(--dim); }
.invalid .results .holds { display: inline-block; }
.invalid .results b { font-weight: 400; }
@media (max-width: 40rem) {
.results th:first-child { min-width: 44vw; max-width: 44vw; width: 44vw; }
.results .group th:first-child { position: static; max-width: none; }
.plain th:first-child { min-width: 7rem; width: auto; }
.test { grid-template-columns: 1fr; }
.results td small { display: block; min-width: 0; text-align: right; }
}
@media print {
.test { grid-template-columns: 38mm 1fr; }
.test svg { font-size: 8px; }
.results th:first-child { width: 100% !important; }
.results th + th, .results td { white-space: nowrap !important; padding: .1rem .3rem !important; }
.results.plain th:first-child { width: auto !important; }
}
CSS

# More copy counts than these have columns without intervals, and more than those no column each: Details and
# Scaling have all. A narrow screen has room for those of so many.
my ($WITH_INTERVALS, $COLUMNS, $NARROW) = (3, 6, 2);

# Figures with it are sorted by a key.
my $SPACE = qr/&#8239;/;

my $OTHERS = 'Tests without an index';

# All tables of the run.
sub html {
    my ($model) = @_;
    my @panels = _panels($model);
    return Touchstone::Report::Model::verdicts($model) ? '' : "<p>No test has a result.</p>\n" if !@panels;
    return join '', map { _table($model, $_) } @panels;
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
        my %exact = map { $_->{name} => $_ } @{ $block->{exact} };
        my %in;
        for my $table (grep { $_->{is_index} } @{ $block->{tables} }) {
            my $key = $table->{category};
            push @order, $key if !$panel{$key};
            $panel{$key} ||= { %$table, indexed => 1, test => {} };
            for my $row (grep { defined $_->{index} } @{ $table->{rows} }) {
                $in{ $row->{name} } = 1;
                _put($panel{$key}{test}, $place, $row, $exact{ $row->{name} });
            }
        }
        push @others, map { [ $place, $_, $exact{ $_->{name} } ] }
            grep { !$in{ $_->{name} } } @{ $block->{tests} }, @{ $block->{below} };
    }

    # What is too small to be measured with some copies stands where the test is with others.
    for my $other (@others) {
        my ($with) = grep { $other->[1]{below} && $_->{test}{ $other->[1]{name} } } values %panel;
        _put($with ? $with->{test} : \%rest, @$other);
    }
    return map {
        { %$_, tests => [ _in_order(values %{ $_->{test} }) ] }
    } grep { %{ $_->{test} } } @panel{@order}, { title => @order ? $OTHERS : 'Results', test => \%rest };
}

sub _put {
    my ($tests, $place, $row, $exact) = @_;
    my $shown = Touchstone::Suite::shown($row->{name});
    my $test  = $tests->{ $row->{name} } ||= {
        name  => $row->{name},
        title => $row->{title},
        label => $shown->{label} // $row->{title},
        kind  => $shown->{kind},
        rows  => []
    };
    $test->{rows}[$place] = { %$row, exact => $exact || $row };
    return;
}

sub _in_order {
    return Touchstone::Suite::arranged(sub { $_[0]{name} }, @_);
}

sub _table {
    my ($model, $panel) = @_;
    my @counts = map { $_->{count} } @{ $model->{blocks} };
    my @places = grep {
        my $at = $_;
        grep { $_->{rows}[$at] } @{ $panel->{tests} }
    } 0 .. $#counts;
    $panel = { %$panel, places => \@places, counts => \@counts, _speedups($model) };
    @{ $panel->{solid} }{@places} = Touchstone::Report::Plot::ScoreBars::solidity(scalar @places);
    $panel->{scale} = _scale($panel) if $panel->{indexed};
    my @columns = _columns($panel);
    my @groups  = _by_kind(@{ $panel->{tests} });
    return table(
        class   => $panel->{scale} ? 'results pinned' : 'results plain pinned',
        caption => text(_caption($model, $panel)),
        head    => [ _head($panel), map { $_->{head} } @columns ],
        rows    => [ map { _group($panel, $_, \@columns, @groups > 1) } @groups ],
        left    => [ grep { $columns[ $_ - 1 ]{left} } 1 .. @columns ],
        more    => [ grep { $columns[ $_ - 1 ]{more} } 1 .. @columns ]
    );
}

sub _speedups {
    my ($model) = @_;
    my $curves = $model->{curves} or return;
    return (
        speedup => { map { $_->{name} => $_ } grep { !$_->{index} } @{ $curves->{rows} } },
        curve   => $curves
    );
}

sub _scale {
    my ($panel) = @_;
    my @rows = grep { defined $_ && defined $_->{index} } map { @{ $_->{rows} } } @{ $panel->{tests} };
    return Touchstone::Report::Plot::ScoreBars::scale($panel->{base},
        map { +{ index => $_->{index}, interval => $_->{index_interval} } } @rows);
}

sub _caption {
    my ($model, $panel) = @_;
    my $what = $panel->{indexed} ? "$panel->{title}: index of each test" : $panel->{title};
    return $model->{void} ? "$what $DASH not valid" : $what;
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

sub _group {
    my ($panel, $group, $columns, $headed) = @_;
    return (
        $headed ? { group => text($group->{name}) } : (),
        map { _row($panel, $_, $columns) } @{ $group->{tests} }
    );
}

sub _head {
    my ($panel) = @_;
    my $scale   = $panel->{scale} or return 'Test';
    my @places  = @{ $panel->{places} };
    my @keys = map { Touchstone::Report::Plot::ScoreBars::key($panel->{solid}{$_}, copies($panel->{counts}[$_])) }
        @places > 1 ? @places : ();
    return join '', '<div class="test"><span>Test</span><div>Index, log scale ', @keys,
        Touchstone::Report::Plot::ScoreBars::axis($scale), '</div></div>';
}

sub _row {
    my ($panel, $test, $columns) = @_;
    my $title = $test->{title} eq $test->{label} ? '' : ' title="' . text($test->{title}) . '"';
    my $label = "<span$title>" . text($test->{label}) . '</span>';
    my $first = $panel->{scale} ? qq{<div class="test">$label} . _bars($panel, $test) . '</div>' : $label;
    return [ $first, map { $_->{cell}->($test) } @$columns ];
}

sub _bars {
    my ($panel, $test) = @_;
    return Touchstone::Report::Plot::ScoreBars::row(
        $panel->{scale},
        map {
            my $row = $test->{rows}[$_];
            $row && defined $row->{index}
                ? {
                index    => $row->{index},
                interval => $row->{index_interval},
                solid    => $panel->{solid}{$_},
                tip      => _tip($panel->{counts}[$_], $row)
                }
                : undef
        } @{ $panel->{places} }
    );
}

sub _tip {
    my ($count, $row) = @_;
    my $limits = join " $DASH ", map { shown($_, $row->{index_interval}) } @{ $row->{index_interval} || [] };
    return
          copies($count) . ': '
        . Touchstone::Base::Figure::shown_index($row)
        . (length $limits ? ", 95 %: $limits" : '');
}

# { head, cell => a sub that gives the markup of a cell for a test, left, more: what Render::Html knows of
# columns }
sub _columns {
    my ($panel) = @_;
    my @places  = @{ $panel->{places} };
    my @shown   = @places > $COLUMNS ? @places[ 0 .. 2, -3 .. -1 ] : @places;
    my $value   = $panel->{indexed}  ? \&_index                    : \&_score;
    my $sure    = @shown <= $WITH_INTERVALS;
    my @columns = map {
        my $place = $_;
        {
            head => copies($panel->{counts}[$place]),
            cell => sub { $value->($_[0]{rows}[$place], $sure) },
            more => $place > $shown[ min($NARROW, @shown) - 1 ]
        }
    } @shown;
    push @columns, _speedup_column($panel, $places[-1]) if @places > 1 && $panel->{speedup};
    push @columns, _score_column($panel, $places[0])    if $panel->{indexed};
    push @columns, Touchstone::Report::Run::Slices::columns($panel, @places);
    push @columns, _measures_column($places[0])
        if grep { _others($_->{rows}[ $places[0] ]) } @{ $panel->{tests} };
    return @columns;
}

sub _index {
    my ($row, $sure) = @_;
    return _none()                    if !$row;
    return '<small>too small</small>' if $row->{below};
    my $shown = _valued(column_index(@$row{qw(index index_interval)}), $sure ? $row->{precision} : undef);
    return $shown =~ /$SPACE/ ? [ $shown, $row->{index} ] : $shown;
}

sub _valued {
    my ($value, $precision) = @_;
    return
          '<b>'
        . spaced(text($value)) . '</b>'
        . (defined $precision ? ' <small>' . text(sureness($precision)) . '</small>' : '');
}

sub _none { return $DASH }

sub _dim { return '<span class="dim">' . text($_[0]) . '</span>' }

sub _people { my ($row) = @_; return Touchstone::Report::Score::of($row, $row->{exact}) }

sub _score {
    my ($row, $sure) = @_;
    return _none() if !$row;
    return $row->{below} ? text(_people($row)) : _valued(_people($row), $sure ? $row->{precision} : undef);
}

sub _score_column {
    my ($panel, $place) = @_;
    my @rows   = grep { defined } map { $_->{rows}[$place] } @{ $panel->{tests} };
    my $copies = copies($panel->{counts}[$place]);
    my $head =
        (grep { !is_lower_better($_) } @rows)
        ? "Score, $copies"
        : "Time of a unit, $copies <small>(less is better)</small>";
    return {
        head => $head,
        more => 1,
        cell => sub { my ($row) = $_[0]{rows}[$place]; $row ? _dim(_people($row)) : _none() }
    };
}

# Further measures of a test, such as the speed of decompression.
sub _measures_column {
    my ($place) = @_;
    return {
        head => 'Also',
        left => 1,
        more => 1,
        cell => sub {
            my @measures = _others($_[0]{rows}[$place]);
            _dim(join " $DOT ", map { "$_->{name} " . Touchstone::Report::Score::of($_, $_) } @measures);
        }
    };
}

# A test with a tail has its quantiles in the section about these.
sub _others {
    my ($row) = @_;
    return grep { !$row->{tail} || $_->{name} !~ /\Ap\d/a } @{ ($row || {})->{measures} || [] };
}

# The speed-up of the most copies over the fewest, with its interval where a pointer rests.
sub _speedup_column {
    my ($panel, $place) = @_;
    my $copies = copies($panel->{counts}[$place]);
    my $curve  = $panel->{curve};
    my ($at)   = grep { $curve->{copies}[$_] == $panel->{counts}[$place] } 0 .. $#{ $curve->{copies} };
    return {
        head => @{ $panel->{places} } > 2 ? "Speed-up, $copies" : 'Speed-up',
        more => 1,
        cell => sub {
            my $row    = $panel->{speedup}{ $_[0]{name} };
            my $factor = defined $at && $row ? $row->{speedup}[$at] : undef;
            return _none() if !defined $factor;
            return text(three_digits($factor, $row->{limits}[$at]) . " $TIMES");
        }
    };
}

1;
