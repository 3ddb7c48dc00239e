# SPDX-License-Identifier: GPL-2.0-or-later
# Pack::Browse::Runs - the table of all runs, newest first. What is the same in all of them is said once
# above it; each scale of an index has a column of its own; a run that is not valid says so.
package Touchstone::Pack::Browse::Runs;
use 5.014;
use strict;
use warnings;

use Touchstone::Base::Figure;
use Touchstone::Base::Text qw(copies plural short);
use Touchstone::Pack::Browse::Ranking;
use Touchstone::Pack::Browse::Phrases qw(dim joined label release shown value with_copies);
use Touchstone::Report::Verdict qw(word);

# A table with more rows than these scrolls in a box of its own.
my $LONG = 25;

# So many scales have columns; the figures of others stand in one, each with its name.
my $SCALES = 4;

# A page with more runs than these shows their table when its reader asks for it.
my $SHORT = 10;

# What may be the same in all runs: a column, what a run says there, and how it is said of all.
my @FACTS = (
    [ Schedule => sub { return $_[0]{schedule} }, '%s schedule' ],
    [ CPU      => sub { return $_[0]{cpu} } ],
    [ Kernel   => sub { return $_[0]{kernel} }, 'kernel %s' ],
    [ Compiler => sub { return release($_[0]{compiler}) } ],
    [ Build    => sub { return $_[0]{build} }, 'built with %s' ],
);

sub parts {
    my ($model) = @_;
    my @runs = @{ $model->{runs} } or return;
    my ($agreed, @facts) = _facts(@runs);
    my @columns = (
        { title => 'Run', cell => sub { return _name($model, @_) } },
        _scales($model, @runs),
        { title => 'Notes', left => 1, cell => \&_notes },
        _where_and_when(@runs), @facts
    );
    my $text  = "$model->{command} compare";
    my @how   = ({ text => "$text OLDER NEWER", as => 'code' }, ', with names from the first column.');
    my @names = sort { $model->{which}{$a} <=> $model->{which}{$b} } keys %{ $model->{which} };
    my %table = (
        caption => 'All stored runs, newest first',
        columns => [
            map {
                my $cell = $_->{cell};
                +{ %$_, cell => sub { $cell->($runs[ $_[0] ], $_[0]) } }
            } @columns
        ],
        rows  => [ 0 .. $#runs ],
        class => 'pinned'
    );
    return [
        section => { id => 'runs', title => [ 'Runs', dim(scalar @runs) ] },
        length $agreed ? [ text => { text => "All runs: $agreed.", class => 'agreed' } ] : (),
        [
            fold => { text => 'Table of all runs', open => @runs <= $SHORT },
            [ text => { text => [ 'To compare runs: ', @how ], class => 'how' } ],
            [
                block => {
                    class => @runs > $LONG ? 'runs long' : 'runs',
                    data  => { command => $text, hosts => join "\n", map { shown($_) } @names }
                },
                [ table => \%table ]
            ]
        ]
    ];
}

# Words about all runs, and columns of that in which they differ.
sub _facts {
    my (@runs) = @_;
    my (@agreed, @columns);
    my ($host,   @hosts) = sort keys %{ { map { $_->{host} => 1 } @runs } };
    push @agreed, 'host ' . shown($host) if !@hosts;
    push @agreed, 'complete'             if !grep { $_->{status} ne 'complete' || $_->{lost} } @runs;
    for my $fact (@FACTS) {
        my ($head, $value, $words) = @$fact;
        my %seen = map { ($value->($_) // '') => 1 } @runs;
        my ($only, @others) = keys %seen;
        if (@others) {
            push @columns, { title => $head, left => 1, cell => sub { return shown($value->($_[0])) } };
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
    my @columns;
    push @columns, {
        title => 'Host',
        left  => 1,
        cell  => sub { { text => $host->($_[0]) ? '' : shown($_[0]{host}), key => short($_[0]{host}, 60) } }
        }
        if (grep { !$host->($_) } @runs) && grep { $_->{host} ne $runs[0]{host} } @runs;
    push @columns, {
        title => 'Date',
        left  => 1,
        cell  => sub { { text => $date->($_[0]) ? '' : $_[0]{date}, key => $_[0]{date} } }
        }
        if grep { !$date->($_) } @runs;
    return @columns;
}

# The name links to the page of the run. A run that a command cannot name cannot be ticked.
sub _name {
    my ($model, $run, $place) = @_;
    my $word = $run->{word} // '';
    my %data = (host => $model->{which}{ $run->{host} }, word => $word eq $run->{name} ? undef : $word);
    my ($html, $text) = @{ $run->{links} }{qw(html text)};
    return [
        { text => $run->{name}, id => "r$place", data => \%data, link => $html // $text },
        defined $html && defined $text ? (' ', { text => 'text', class => 'text', link => $text }) : ()
    ];
}

# A column for each scale, in the order of the rankings, and one for all others.
sub _scales {
    my ($model, @runs) = @_;
    my (%many, %first, @found);
    for my $run (@runs) {
        push @found,
            {
            map  { Touchstone::Pack::Browse::Ranking::scale_of($run, $_) => $_ }
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
        { title => shown($head), cell => sub { return _figure($_[0], $found[ $_[1] ]{$key}) } }
    } sort { ($place{$a} // 1e9) <=> ($place{$b} // 1e9) || $a cmp $b } @keys;
    push @columns, {
        title => 'Other indexes',
        left  => 1,
        cell  => sub {
            return _others($_[0], map { $found[ $_[1] ]{$_} // () } @others);
        }
        }
        if @others;
    return @columns;
}

sub _figure {
    my ($run, $index) = @_;
    return { text => '', key => '' } if !$index;
    my $figure = value({ index => 1 }, @$index{qw(score interval)});
    my @text   = (
        $figure, dim(Touchstone::Base::Figure::plus_minus(Touchstone::Pack::Browse::Ranking::half($index)))
    );
    @text = (
        { text => $figure, as => 's', class => 'struck' },
        ' ', { text => word('invalid'), as => 'small', class => 'not-valid' }
    ) if $run->{invalid};
    return { text => \@text, key => $index->{score} };
}

sub _others {
    my ($run, @indexes) = @_;
    return { text => '', key => '' } if !@indexes;
    my @points = map { [ shown(with_copies($_)) . ': ', _figure($run, $_)->{text} ] } @indexes;
    return { text => { fold => @indexes . ' more', points => \@points }, key => scalar @indexes };
}

# Why a run is not among those that are compared, and what was seen while it ran.
sub _notes {
    my ($run)    = @_;
    my @notes    = _unusual($run);
    my @warnings = @{ $run->{warnings} };
    my $key      = $run->{invalid} ? 1e6 : 100 * @notes + @warnings;
    push @notes, { fold => plural(scalar @warnings, 'warning'), points => [ map { $_->{text} } @warnings ] }
        if @warnings;
    return { text => '', key => $key } if !@notes;
    my $class = defined $run->{invalid} ? 'notes long' : 'notes';
    return { text => { text => [ joined(' ', @notes) ], as => 'div', class => $class }, key => $key };
}

sub _unusual {
    my ($run) = @_;
    my %whole = map { $_->{key} => 1 } grep { !$_->{partial} } @{ $run->{indexes} };
    my @parts =
        map { copies($_->{copies}) } grep { $_->{partial} && $whole{ $_->{key} } } @{ $run->{indexes} };
    my @invalid =
        defined $run->{invalid}
        ? { text => word('invalid') . ': ' . shown($run->{invalid}, 56), as => 'b', class => 'not-valid' }
        : ();
    return (
        @invalid,
        map { { text => $_, as => 'span' } } (
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
    return $scores ? plural($scores, 'score') . (@{ $run->{indexes} } ? ', index partial' : '') : 'no scores';
}

1;
