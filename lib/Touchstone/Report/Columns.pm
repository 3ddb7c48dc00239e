# SPDX-License-Identifier: GPL-2.0-or-later
# Report::Columns - the figures of a test, described once for all forms: the columns of pages, of Markdown and
# of CSV, the lines of the log, and the metrics of collectors. A row is one of the model, which has that of
# the results as `exact`.
package Touchstone::Report::Columns;
use 5.014;
use strict;
use warnings;

use Exporter qw(import);

use Touchstone::Base::Figure
    qw(figure for_people index_score no_interval part human seconds shown spelled plus_minus);
use Touchstone::Base::Symbols qw($DASH);
use Touchstone::Base::Direction qw(is_lower_better);
use Touchstone::Base::Text qw(copies);
use Touchstone::Report::Document qw(number);
use Touchstone::Report::Run::Cost;
use Touchstone::Suite;

our @EXPORT_OK = qw(label score);

our $BELOW = 'below the resolution';

# title               the head of the column
# cell, foot          what a page shows of a test and of an index; columns are sorted by the exact figure,
#                     because tests in seconds are shown in several units
# brief, brief_foot   the same in Markdown, which has little room
# if                  whether a table needs the column; `fixed`: that of Markdown has it in any case
# log                 the lines of the log
my @COLUMNS = (
    {
        title => 'Index',
        brief => sub {
            defined $_[0]{index}
                && !$_[0]{lacks_overlap} ? Touchstone::Base::Figure::index_figure($_[0]) : $DASH;
        },
        brief_foot => \&index_score,
        if         => _any('index')
    },
    {
        title => 'Score',
        cell  => sub { { text => _figure($_[0], 'score'), key => $_[0]{exact}{score} } },
        foot  => sub { _figure($_[0], 'score') },
        brief => sub { score($_[0]) },
        log   => sub {
            my ($test) = @_;
            my $unit = is_lower_better($test) ? '' : " $test->{unit}";
            return
                  "$test->{name}: "
                . _of_log($test, 'score')
                . "$unit, $test->{samples} of $test->{passes} passes";
        }
    },
    {
        title => 'Unit',
        left  => 1,
        cell  => sub {
            my $less = { text => 'less is better', as => 'small' };
            return [ spelled(for_people($_[0])->{unit}), is_lower_better($_[0]) ? (' ', $less) : () ];
        }
    },
    {
        title      => '95 % interval',
        cell       => sub { { text => _limits($_[0]), key => ($_[0]{exact}{interval} || [''])->[0] } },
        foot       => \&_limits,
        brief      => sub { plus_minus($_[0]{precision}) },
        brief_foot => sub { plus_minus($_[0]{precision}) },
        if         => _any('interval'),
        log        => sub {
            my ($test)   = @_;
            my $interval = $test->{interval} && join ' to ', map { _of_log($test, $_) } 0, 1;
            my $cv       = defined $test->{cv} ? ', CV ' . part($test->{cv}) : '';
            return
                  '  95 % interval: '
                . ($interval ? "$interval, " . plus_minus($test->{precision}) : no_interval($test->{passes}))
                . $cv;
        }
    },
    {
        title => 'CV',
        cell  => sub { [ { text => _cv($_[0]), unbroken => 1 } ] },
        brief => \&_cv,
        if    => _any('cv'),
        fixed => 1
    },
    {
        title => 'Passes',
        cell  => sub { $_[0]{passes} },
        brief => sub { $_[0]{passes} },
        log   => sub {
            my @outliers = @{ $_[0]{outliers} };
            return @outliers ? '  outliers: pass ' . join ', ', @outliers : ();
        }
    },
    {
        title => 'Disturbed',
        cell  => sub { $_[0]{disturbed} || '0' },
        foot  => sub { $_[0]{disturbed} || '0' },
        if    => sub {
            return scalar grep { $_->{disturbed} } @_;
        }
    },
    {
        title => 'Undisturbed only',
        cell  => sub { { text => _undisturbed($_[0]), key => $_[0]{exact}{clean_score} // '' } },
        foot  => \&_undisturbed,
        if    => _any('clean_score'),
        log   => sub {
            my ($test) = @_;
            return if !defined $test->{clean_score};
            return "  $test->{disturbed} disturbed; without them " . _of_log($test, 'clean_score');
        }
    },
    {
        title => 'Outliers',
        cell  => sub { scalar @{ $_[0]{outliers} } },
        if    => sub {
            return scalar grep { @{ $_->{outliers} } } @_;
        }
    },
);

# A narrow screen shows the first columns of a page, up to the unit, at first.
my %ALWAYS = map { $_ => 1 } qw(Score Unit);

# The exact figures of a row of the results, in the order of CSV, whose readers count on it: the name, the key
# or a sub, and for collectors of metrics the name and what it is.
our @EXACT = (
    [ score             => 'score', score => 'Score of a test in its unit.' ],
    [ unit              => 'unit' ],
    [ low               => _limit(0), score_low  => 'Lower end of the 95 % interval of a score.' ],
    [ high              => _limit(1), score_high => 'Upper end of the 95 % interval of a score.' ],
    [ cv_percent        => sub { defined $_[0]{cv} ? sprintf '%.4g', $_[0]{cv} * 100 : '' } ],
    [ passes            => 'passes', passes => 'Passes that a score is computed from.' ],
    [ outliers          => sub { $_[0]{outliers} && @{ $_[0]{outliers} } } ],
    [ disturbed         => 'disturbed', disturbed => 'Disturbed passes among them.' ],
    [ score_undisturbed => 'clean_score' ],
    (map { [ $_ => $_ ] } qw(baseline index valid undisturbed undisturbed_low undisturbed_high consistency)),
    map { my ($name, $help) = @$_; [ $name => _of_cost($name), $name => $help ] }
        @Touchstone::Report::Run::Cost::FIGURES
);

# The columns of the page of a run, and of Markdown, for Report::Document.
sub of_page {
    return map {
        { %$_, more => !$ALWAYS{ $_->{title} } }
    } grep { $_->{cell} } @COLUMNS;
}

sub of_markdown {
    return map {
        {
            title => $_->{title},
            cell  => $_->{brief},
            foot  => $_->{brief_foot},
            if    => !$_->{fixed} && $_->{if}
        }
    } grep { $_->{brief} } @COLUMNS;
}

# The lines of the log about a test of the results.
sub log_lines {
    my ($test) = @_;
    return map { $_->{log}->($test) } grep { $_->{log} } @COLUMNS;
}

# The exact figures of a row of the results.
sub exact {
    my ($row) = @_;
    return map { ref $_->[1] ? scalar $_->[1]->($row) : $row->{ $_->[1] } } @EXACT;
}

# Returns "system index, 1 copy" for the index of the machine, and "pipe, 2 copies" for a test.
sub label {
    my ($figure) = @_;
    my $name =
        $figure->{name} eq 'index' ? 'system index' : $figure->{name} =~ s/\Aindex \((.*)\)\z/$1 index/sr;
    return "$name, " . copies($figure->{copies});
}

# A score as people read it, with its unit: "38.4 M lps", "48.1 us" for a unit of fixed work.
sub score {
    my ($row) = @_;
    return $BELOW                                if $row->{below_resolution};
    return human(@$row{qw(score interval unit)}) if !is_lower_better($row);
    return seconds(@{ $row->{exact} || $row }{qw(score interval)});
}

sub _of_cost {
    my ($name) = @_;
    return sub { return Touchstone::Report::Run::Cost::figures($_[0])->{$name} };
}

sub _limit {
    my ($end) = @_;
    return sub { return $_[0]{interval} && $_[0]{interval}[$end] };
}

sub _any {
    my ($key) = @_;
    return sub {
        return scalar grep { defined $_->{$key} } @_;
    };
}

sub _figure {
    my ($row, $key) = (for_people(shift), @_);
    return [ number(shown($row->{$key}, @$row{qw(interval places)})) ];
}

# A figure of a row, or an end of its interval, with the digits of the log.
sub _of_log {
    my ($test, $key) = @_;
    my $figure = $key =~ /\A\d/ ? $test->{interval}[$key] : $test->{$key};
    return is_lower_better($test) ? seconds($figure, $test->{interval}) : figure($figure, $test->{interval});
}

# Paper is narrow, so the second limit may go below the first, but no other break is allowed.
sub _limits {
    my ($row) = for_people(@_);
    my ($low, $high) = map { number(shown($_, $row->{interval})) } @{ $row->{interval} || [] };
    return $low ? [ $low, " $DASH", { text => ' ', unbroken => 1 }, $high ] : $DASH;
}

sub _cv { my ($row) = @_; return defined $row->{cv} ? part($row->{cv}) : $DASH }

sub _undisturbed {
    my ($row) = @_;
    return _figure($row, 'clean_score') if defined $row->{clean_score};
    return $row->{disturbed} ? $DASH : '';
}

# What a unit of fixed work takes of the CPU, and what a part of it takes, in seconds of the results:
#
#   Test                    User   System  Each
#   System Calls 1984    1.20 ms  1.49 ms  264 ns a call (193 ns to 376 ns)
#
# Rates have only the last column. A block without such figures has no table.
sub fixed_work {
    my ($block) = @_;
    my @shown   = grep { is_lower_better($_) || $_->{each} } @{ $block->{exact} };
    my @tests   = Touchstone::Suite::arranged(sub { $_[0]{name} }, @{ $block->{below_resolution} }, @shown);
    my @known =
        grep { $_->{below_resolution} || $_->{each} || defined $_->{user} || defined $_->{sys} } @tests
        or return;
    my $has_time = grep { is_lower_better($_) } @known;
    my %of_time  = (if => sub { $has_time });
    return {
        caption => ($has_time ? 'CPU time of a unit of work' : 'Time of an operation') . ", $block->{copies}",
        rows    => \@known,
        columns => [
            { title => 'Test', cell => sub { $_[0]{title} } },
            {
                title => 'User',
                cell  => sub { $_[0]{below_resolution} ? $BELOW : _time($_[0]{user}) },
                %of_time
            },
            { title => 'System', cell => sub { _time($_[0]{sys}) }, %of_time },
            { title => 'Each',   cell => sub { each_part($_[0]) // $DASH } }
        ]
    };
}

sub _time { my ($time) = @_; return defined $time ? seconds($time) : $DASH }

# "0.962 ns a call (0.957 ns to 0.969 ns)"; "1.2 us an event"
sub each_part {
    my ($test)   = @_;
    my $each     = $test->{each} or return;
    my $interval = $each->{interval};
    return
          seconds($each->{seconds}, $interval)
        . ($each->{of} =~ /\A[aeio]/ ? ' an ' : ' a ')
        . $each->{of}
        . (
        $interval
        ? ' (' . join(' to ', map { seconds($_, $interval) } @$interval) . ')'
        : ''
        );
}

1;
