# SPDX-License-Identifier: GPL-2.0-or-later
# Report::Browse - all stored runs as one page: a table of them, then for each host where its scores have
# changed, and the course of each score. The model holds what Touchstone::Compare::Archive found, and `hosts`
# of Touchstone::Compare::Trend.
package Touchstone::Report::Browse;
use 5.014;
use strict;
use warnings;

use Touchstone::Base::Figure qw(figure index_score sureness);
use Touchstone::Report::Browse::Course;
use Touchstone::Report::Browse::Looks;
use Touchstone::Report::Page::Markup qw(page table text folded);
use Touchstone::Base::Text qw(copies short);
use Touchstone::Compare::Trend;

# A table with more rows than these scrolls in a box of its own.
my $LONG = 25;

# A series with more runs than these has a table of its levels instead of all its scores.
my $LISTED = 30;

# A name or fact has at most this many letters.
my $WIDEST = 60;
my $NEEDED = 'at least ' . 2 * $Touchstone::Compare::Trend::LASTS . ' of one kind';

# The model has runs, damaged and hosts; `command` is how to start Run here, quoted for a shell.
sub render {
    my ($model) = @_;
    my ($runs, $hosts, $command) = @$model{qw(runs hosts command)};
    return page(
        'Touchstone: results',
        join('',
            "<h1>Results</h1>\n",             _summary($model),
            _ways($hosts),                    _runs($runs, $command),
            _damaged(@{ $model->{damaged} }), map { _host($runs, $hosts->[$_], $_) } 0 .. $#$hosts),
        style  => $Touchstone::Report::Browse::Looks::CSS,
        script => $Touchstone::Report::Browse::Looks::JS
    );
}

sub _summary {
    my ($model) = @_;
    my @runs    = @{ $model->{runs} };
    my %hosts   = map { $_->{host} => 1 } @runs;
    my $command = text($model->{command});
    return "<p>There are no stored runs yet. <code>$command</code> makes one, <code>$command "
        . "--browse</code> then makes this page anew.</p>\n"
        if !@runs;
    my ($first, $last) = (sort map { substr $_->{date}, 0, 10 } @runs)[ 0, -1 ];
    return '<p class="when">'
        . join(' ',
        _many(scalar @runs, 'run'),
        'of',
        _many(scalar keys %hosts, 'host'),
        $first eq $last ? "on $first" : "from $first to $last")
        . "</p>\n";
}

sub _many { my ($n, $what) = @_; return "$n $what" . ($n == 1 ? '' : 's') }

# Links to the hosts, with the newest change of each.
sub _ways {
    my ($hosts) = @_;
    return '' if @$hosts < 2;
    my @rows;
    for my $i (0 .. $#$hosts) {
        my ($host, $newest) = ($hosts->[$i], $hosts->[$i]{changes}[0]);
        push @rows,
            [
            qq{<a href="#h$i">} . _shown($host->{name}) . '</a>',
            $host->{runs},
            scalar @{ $host->{changes} },
            $newest           ? $newest->{date} : '---',
            $newest           ? text("$newest->{title}, " . copies($newest->{copies})) . ' ' . _size($newest)
            : $host->{tested} ? 'none is larger than chance explains'
            :                   "too few runs to tell: $NEEDED"
            ];
    }
    return table(
        caption => 'Hosts',
        head    => [ 'Host', 'Runs', 'Changes', 'Newest', 'What changed last' ],
        rows    => \@rows,
        left    => [ 0, 4 ]
    );
}

sub _shown { my ($name) = @_; return text(short($name, $WIDEST)) }

sub _size {
    my ($change) = @_;
    return sprintf '<span class="%s">%s</span>', $change->{speed} > 1 ? 'good' : 'bad',
        Touchstone::Report::Browse::Course::size($change);
}

sub _runs {
    my ($runs, $command) = @_;
    return '' if !@$runs;
    my @rows = map { _run($runs->[$_], $_) } 0 .. $#$runs;
    my $said = text("$command --compare");
    return join '',
        qq{<h2 id="runs">Runs</h2>\n<p class="how">Two of them are compared by <code>$said }
        . qq{OLDER NEWER</code>, with the names that stand in the first column.</p>\n},
        '<div class="runs', (@rows > $LONG ? ' long' : ''), qq{" data-command="$said">\n},
        table(
        caption => 'Stored runs',
        head    => [
            'Run',             'Date',   'Host',     'Index, 1 copy',
            'Index, N copies', 'CPU',    'Kernel',   'Compiler',
            'Warnings',        'Status', 'Schedule', 'Build'
        ],
        rows => \@rows,
        left => [ 0, 1, 2, 5, 6, 7, 8, 9, 10, 11 ]
        ),
        "</div>\n";
}

sub _run {
    my ($run, $place) = @_;
    my $lost = $run->{lost} ? "; $run->{lost} failed or skipped" : '';
    my ($one, $more) = _indexes($run);
    my ($cpu, $kernel, $compiler, $build) = map { _shown($_) } @$run{qw(cpu kernel)},
        _release($run->{compiler}), $run->{build};
    return [
        _name($run, $place),
        text($run->{date}),
        _shown($run->{host}),
        $one, $more, $cpu, $kernel, $compiler,
        _warnings(@{ $run->{warnings} }),
        text($run->{status} . $lost),
        text($run->{schedule}), $build
    ];
}

# Turns "cc (Debian 12.2.0-14+deb12u1) 12.2.0" into "cc 12.2.0".
sub _release { my ($compiler) = @_; return $compiler =~ s/(\S) \([^()]*\)(?= \d)/$1/r }

# The name links to the page of the run. A run that a command cannot name cannot be ticked.
sub _name {
    my ($run, $place) = @_;
    my $word =
          !defined $run->{word}        ? ' data-word=""'
        : $run->{word} ne $run->{name} ? ' data-word="' . text($run->{word}) . '"'
        :                                '';
    my $first = $run->{links}{html} // $run->{links}{text};
    my $name =
        defined $first
        ? qq{<a id="r$place"$word href="$first">} . text($run->{name}) . '</a>'
        : qq{<span id="r$place"$word>} . text($run->{name}) . '</span>';
    return $name
        . (    defined $run->{links}{html}
            && defined $run->{links}{text} ? qq{ <a href="$run->{links}{text}">text</a>} : '');
}

# Shows the indexes with one copy and with the most: that of the machine, which has no name beside `index`, or
# another if there is none.
sub _indexes {
    my ($run)  = @_;
    my ($most) = sort { $b <=> $a } @{ $run->{counts} };
    return map { _index_cell($run, $_) } 1, defined $most && $most > 1 ? $most : 0;
}

sub _index_cell {
    my ($run, $copies) = @_;
    my @indexes = grep { $_->{copies} == $copies } @{ $run->{indexes} };
    my ($machine) = grep { $_->{name} eq 'index' && !$_->{partial} } @indexes;
    return [ _figure($machine), $machine->{score} ] if $machine;
    return [ _figure($indexes[0], ($indexes[0]{partial} ? 'partial ' : '') . $indexes[0]{name}), '' ]
        if @indexes == 1;
    my $tests = grep { $_->{copies} == $copies } @{ $run->{tests} };
    return [ $tests ? _many($tests, 'test') . _small(_copies($copies)) : '', '' ];
}

# Shows an index, and behind it in small letters: `name`, if the index is not the machine's, the number of
# copies, if there are several, and how sure the index is.
sub _figure {
    my ($index, @name) = @_;
    my $limits = $index->{interval};
    my $sure =
        $limits
        ? join ' to ', map { figure($_, $limits) } @$limits
        : sureness(undef);
    return index_score({ %$index, places => 1 }) . _small(@name, _copies($index->{copies}), $sure);
}

sub _copies { my ($n) = @_; return $n > 1 ? copies($n) : () }

sub _small { my (@words) = @_; return @words ? ' <small>' . text(join ': ', @words) . '</small>' : '' }

sub _warnings {
    my (@warnings) = @_;
    return [ '', 0 ] if !@warnings;
    return [
        "<details><summary>"
            . @warnings
            . '</summary><ul>'
            . join('', map { '<li>' . text($_->{text}) . '</li>' } @warnings)
            . '</ul></details>',
        scalar @warnings
    ];
}

sub _damaged {
    my (@damaged) = @_;
    return '' if !@damaged;
    return qq{<h2 id="damaged">Files that cannot be read</h2>\n}
        . table(
        caption => 'Files and what is wrong with them',
        head    => [ 'File', 'What is wrong' ],
        rows    => [ map { [ text(short($_->{file}, 200)), text($_->{why}) ] } @damaged ],
        left    => [ 0, 1 ]
        );
}

sub _host {
    my ($runs, $host, $number) = @_;
    my @main  = grep { $_->{index} } @{ $host->{series} };
    my @tests = grep { !$_->{index} } @{ $host->{series} };
    my $folded =
        @tests
        ? folded(
        'All tests and their course (' . @tests . ')',
        _tests($runs, @tests) . join '',
        map { _course($runs, $_) } @tests
        )
        : '';
    return join '', qq{<section id="h$number">\n<h2>}, _shown($host->{name}), "</h2>\n",
        _changes($runs, $host), (map { _course($runs, $_) } @main), $folded, "</section>\n";
}

sub _changes {
    my ($runs, $host) = @_;
    my @changes = @{ $host->{changes} };
    return '<p>'
        . (
        $host->{tested}
        ? 'No score of this host has changed by more than chance explains.'
        : "There are too few runs to tell whether a score has changed: $NEEDED are needed."
        )
        . "</p>\n"
        if !@changes;
    my @rows;
    for my $change (@changes) {
        my ($before, $after) =
            map { _value($change, $change->{ [qw(before after)]->[$_] }, $change->{intervals}[$_]) } 0, 1;
        push @rows,
            [
            _title($change),
            $change->{copies},
            [ $change->{date}, $change->{at} ],
            $before,
            $after,
            [ _size($change), $change->{speed} ],
            qq{<a href="#r$change->{run}">} . text($runs->[ $change->{run} ]{name}) . '</a>',
            text(join '; ', @{ $change->{differ} })
            ];
    }
    return table(
        caption => 'Changes; + is faster',
        rows    => \@rows,
        left    => [ 0, 6, 7 ],
        head    => [
            'Test',         'Copies', 'Since',     'Median before',
            'Median after', 'Change', 'First run', 'What else changed then'
        ]
    );
}

# Adds what tells a series from the other series of its test.
sub _title {
    my ($series) = @_;
    return text($series->{title} . (length $series->{said} ? " ($series->{said})" : ''));
}

# Returns a median or score as a cell.
sub _value {
    my ($series, $value, $interval) = @_;
    return [
        text(Touchstone::Report::Browse::Course::value($series, $value, $interval))
            . ($interval ? '' : _small(sureness(undef))),
        $value
    ];
}

# Shows the present level of each test.
sub _tests {
    my ($runs, @series) = @_;
    my @rows;
    for my $one (@series) {
        my ($last, $level) = ($one->{points}[-1], $one->{levels}[-1]);
        my ($since, $change) = ($one->{points}[ $level->{from} ], $one->{changes}[-1]);
        push @rows,
            [
            _title($one),
            $one->{copies},
            scalar @{ $one->{points} },
            _value($one, @$level{qw(value interval)}),
            [ @$since{qw(date at)} ],
            $change ? [ _size($change), $change->{speed} ] : '---',
            _value($one, @$last{qw(score interval)}),
            text($runs->[ $last->{run} ]{date}),
            ];
    }
    return table(
        caption => 'Tests: the median since the last change',
        head    => [ 'Test', 'Copies', 'Runs', 'Median', 'Since', 'Change then', 'Newest', 'Date' ],
        rows    => \@rows
    );
}

sub _course {
    my ($runs, $series) = @_;
    return '' if @{ $series->{points} } < 2;
    my $table = @{ $series->{points} } > $LISTED ? _levels($series) : _scores($runs, $series);
    return
          qq{<div class="course">\n}
        . Touchstone::Report::Browse::Course::figure($series)
        . folded('As a table', $table)
        . "</div>\n";
}

sub _levels {
    my ($series) = @_;
    my ($points, @rows) = ($series->{points});
    for my $level (@{ $series->{levels} }) {
        push @rows,
            [
            (map { $points->[ $level->{$_} ]{date} } qw(from to)),
            1 + $level->{to} - $level->{from},
            _value($series, @$level{qw(value interval)})
            ];
    }
    return table(
        caption => text($series->{title}) . ': medians between changes',
        head    => [ 'From', 'To', 'Runs', 'Median' ],
        rows    => \@rows
    );
}

sub _limits {
    my ($series, $limits) = @_;
    return $limits
        ? join ' to ', map { Touchstone::Report::Browse::Course::value($series, $_, $limits) } @$limits
        : sureness(undef);
}

sub _scores {
    my ($runs, $series) = @_;
    my @rows = map {
        [
            text($runs->[ $_->{run} ]{date}),
            text($runs->[ $_->{run} ]{name}),
            text(Touchstone::Report::Browse::Course::value($series, $_->{score}, $_->{interval})),
            text(_limits($series, $_->{interval}))
        ]
    } reverse @{ $series->{points} };
    return table(
        caption => text($series->{title}),
        head    => [ 'Date', 'Run', 'Score', '95 % interval' ],
        rows    => \@rows,
        left    => [1]
    );
}

1;
