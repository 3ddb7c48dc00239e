# SPDX-License-Identifier: GPL-2.0-or-later
# Report::Browse::Runs - the table of all runs, newest first. What is the same in all of them is said once
# above it; each scale of an index has a column of its own; a run that is not valid says so.
package Touchstone::Report::Browse::Runs;
use 5.014;
use strict;
use warnings;

use Touchstone::Base::Figure;
use Touchstone::Base::Text qw(copies many short);
use Touchstone::Compare::Ranking;
use Touchstone::Report::Browse::Words qw(dim label release shown value with_copies);
use Touchstone::Report::Render::Html qw(table text);

# A table with more rows than these scrolls in a box of its own.
my $LONG = 25;

# So many scales have columns; the figures of others stand in one, each with its name.
my $SCALES = 4;

# What may be the same in all runs: a column, what a run says there, and how it is said of all.
my @FACTS = (
    [ Schedule => sub { return $_[0]{schedule} }, '%s schedule' ],
    [ CPU      => sub { return $_[0]{cpu} } ],
    [ Kernel   => sub { return $_[0]{kernel} }, 'kernel %s' ],
    [ Compiler => sub { return release($_[0]{compiler}) } ],
    [ Build    => sub { return $_[0]{build} }, 'built with %s' ],
);

sub render {
    my ($model) = @_;
    my @runs = @{ $model->{runs} };
    return '' if !@runs;
    my ($agreed, @facts) = _facts(@runs);
    my @columns = (
        { head => 'Run', cell => sub { return _name($model, @_) } },
        _scales($model, @runs),
        { head => 'Notes', left => 1, cell => \&_notes },
        _where_and_when(@runs), @facts
    );
    my $said = text("$model->{command} --compare");
    my @rows;
    for my $place (0 .. $#runs) {
        push @rows, [ map { $_->{cell}->($runs[$place], $place) } @columns ];
    }
    my @names = sort { $model->{which}{$a} <=> $model->{which}{$b} } keys %{ $model->{which} };
    return join '', qq{<section id="runs">\n<h2>Runs <small>}, scalar @runs, "</small></h2>\n",
        (length $agreed ? qq{<p class="agreed">All runs: $agreed.</p>\n} : ''),
        qq{<p class="how">To compare runs: <code>$said OLDER NEWER</code>, with names from the first column.</p>\n},
        '<div class="runs', (@rows > $LONG ? ' long' : ''), qq{" data-command="$said" data-hosts="},
        join("\n", map { shown($_) } @names), qq{">\n},
        table(
        caption => 'All stored runs, newest first',
        head    => [ map { $_->{head} } @columns ],
        rows    => \@rows,
        left    => [ grep { $columns[$_]{left} } 0 .. $#columns ],
        class   => 'pinned'
        ),
        "</div>\n</section>\n";
}

# Words about all runs, and columns of that in which they differ.
sub _facts {
    my (@runs) = @_;
    my (@agreed, @columns);
    my ($host,   @hosts) = sort keys %{ { map { $_->{host} => 1 } @runs } };
    push @agreed, 'host ' . shown($host) if !@hosts;
    push @agreed, 'complete'             if !grep { $_->{status} ne 'complete' || $_->{lost} } @runs;
    for my $fact (@FACTS) {
        my ($head, $of, $words) = @$fact;
        my %seen = map { ($of->($_) // '') => 1 } @runs;
        my ($only, @others) = keys %seen;
        if (@others) {
            push @columns, { head => $head, left => 1, cell => sub { return shown($of->($_[0])) } };
        } elsif (length $only) {
            push @agreed, sprintf $words // '%s', shown($only);
        }
    }
    return (join(', ', @agreed), @columns);
}

# Host and date, for those whose names do not say them.
sub _where_and_when {
    my (@runs) = @_;
    my $host   = sub { my ($run) = @_; return index($run->{name}, $run->{host}) == 0 };
    my $date   = sub { my ($run) = @_; return index($run->{name}, substr $run->{date}, 0, 10) >= 0 };
    return (
        (
            (grep { !$host->($_) } @runs) && (grep { $_->{host} ne $runs[0]{host} } @runs)
            ? {
                head => 'Host',
                left => 1,
                cell => sub { return [ $host->($_[0]) ? '' : shown($_[0]{host}), short($_[0]{host}, 60) ] }
                }
            : ()
        ),
        (
            (grep { !$date->($_) } @runs)
            ? {
                head => 'Date',
                left => 1,
                cell => sub { return [ $date->($_[0]) ? '' : text($_[0]{date}), $_[0]{date} ] }
                }
            : ()
        )
    );
}

# The name links to the page of the run. A run that a command cannot name cannot be ticked.
sub _name {
    my ($model, $run, $place) = @_;
    my $data = qq{ data-host="$model->{which}{ $run->{host} }"};
    $data .= ' data-word="' . text($run->{word} // '') . '"' if ($run->{word} // '') ne $run->{name};
    my ($html, $text) = @{ $run->{links} }{qw(html text)};
    my $first = $html // $text;
    my $name  = text($run->{name});
    return
        defined $first
        ? qq{<a id="r$place"$data href="$first">$name</a>}
        . (defined $html && defined $text ? qq{ <a class="text" href="$text">text</a>} : '')
        : qq{<span id="r$place"$data>$name</span>};
}

# A column for each scale, in the order of the rankings, and one for all others.
sub _scales {
    my ($model, @runs) = @_;
    my (%many, %first, @found);
    for my $run (@runs) {
        push @found,
            {
            map  { Touchstone::Compare::Ranking::scale_of($run, $_) => $_ }
            grep { !$_->{partial} } @{ $run->{indexes} }
            };
        $many{$_}++ for keys %{ $found[-1] };
        $first{$_} //= $found[-1]{$_} for keys %{ $found[-1] };
    }
    my $n     = 0;
    my %place = map { $_ => ++$n } map { $_->{scale} } @{ $model->{ranking}{indexes} };
    my @keys =
        sort { $many{$b} <=> $many{$a} || $first{$a}{copies} <=> $first{$b}{copies} || $a cmp $b } keys %many;
    my @others  = splice @keys, @keys > $SCALES ? $SCALES : @keys;
    my %titles  = map { label($first{$_}) => 1 } @keys;
    my @columns = map {
        my $key  = $_;
        my $head = keys %titles > 1 ? with_copies($first{$key}) : 'Index, ' . copies($first{$key}{copies});
        { head => shown($head), cell => sub { return _figure($_[0], $found[ $_[1] ]{$key}) } }
    } sort { ($place{$a} // 1e9) <=> ($place{$b} // 1e9) || $a cmp $b } @keys;
    push @columns, {
        head => 'Other indexes',
        left => 1,
        cell => sub {
            return _others($_[0], map { $found[ $_[1] ]{$_} // () } @others);
        }
        }
        if @others;
    return @columns;
}

sub _figure {
    my ($run, $index) = @_;
    return [ '', '' ] if !$index;
    my $figure = value({ index => 1 }, @$index{qw(score interval)});
    return [ qq{<s class="struck">$figure</s> <small class="not-valid">not valid</small>}, $index->{score} ]
        if $run->{void};
    return [
        $figure . dim(Touchstone::Base::Figure::sureness(Touchstone::Compare::Ranking::half($index))),
        $index->{score}
    ];
}

sub _others {
    my ($run, @indexes) = @_;
    return [ '', '' ] if !@indexes;
    my @said = map { '<li>' . shown(with_copies($_)) . ': ' . _figure($run, $_)->[0] . '</li>' } @indexes;
    return [
        '<details><summary>' . @indexes . ' more</summary><ul>' . join('', @said) . '</ul></details>',
        scalar @indexes
    ];
}

# Why a run is not among those that are compared, and what was seen while it ran.
sub _notes {
    my ($run)    = @_;
    my @notes    = _unusual($run);
    my @warnings = @{ $run->{warnings} };
    push @notes,
          '<details><summary>'
        . many(scalar @warnings, 'warning')
        . '</summary><ul>'
        . join('', map { '<li>' . text($_->{text}) . '</li>' } @warnings)
        . '</ul></details>'
        if @warnings;
    return [
        @notes
        ? '<div class="notes' . (defined $run->{void} ? ' long' : '') . '">' . join(' ', @notes) . '</div>'
        : '',
        $run->{void} ? 1e6 : 100 * (@notes - !!@warnings) + @warnings
    ];
}

sub _unusual {
    my ($run) = @_;
    my %whole = map { $_->{key} => 1 } grep { !$_->{partial} } @{ $run->{indexes} };
    my @parts =
        map { copies($_->{copies}) } grep { $_->{partial} && $whole{ $_->{key} } } @{ $run->{indexes} };
    return (
        (defined $run->{void} ? '<b class="not-valid">not valid: ' . shown($run->{void}, 56) . '</b>' : ()),
        map { "<span>$_</span>" } (
            $run->{status} ne 'complete' ? shown($run->{status})                   : (),
            $run->{lost}                 ? "$run->{lost} failed or skipped"        : (),
            $run->{duet}                 ? 'one of a duet'                         : (),
            $run->{set}                  ? 'made by --build'                       : (),
            @parts                       ? 'partial with ' . join(' and ', @parts) : (),
            %whole                       ? ()                                      : _scores($run)
        )
    );
}

# What a run has that has no whole index: a suite may have none at all.
sub _scores {
    my ($run) = @_;
    my $scores = @{ $run->{tests} };
    return $scores ? many($scores, 'score') . (@{ $run->{indexes} } ? ', index partial' : '') : 'no scores';
}

1;
