# SPDX-License-Identifier: GPL-2.0-or-later
# Pack::Browse::Host - the hosts of the page of all runs: what has changed on them, the history of each score,
# and the present level of each test.
package Touchstone::Pack::Browse::Host;
use 5.014;
use strict;
use warnings;

use Touchstone::Base::Figure;
use Touchstone::Base::Symbols qw($DOT);
use Touchstone::Base::Text qw(copies);
use Touchstone::Pack::Browse::History;
use Touchstone::Report::Compare::Cause;
use Touchstone::Suite;
use Touchstone::Pack::Browse::Phrases qw(coloured dim joined label release shown value with_copies);

# Changes that are shown before the list is folded.
my $CHANGES = 10;

# More links to charts than these are folded.
my $LINKED = 16;

# A series with more runs than these has a table of its levels instead of all its scores.
my $LISTED = 30;

# The model has runs, hosts and year; `number` is that of the host.
sub parts {
    my ($model, $number) = @_;
    my ($host,  $runs)   = ($model->{hosts}[$number], $model->{runs});
    my @tests = grep { !$_->{index} } @{ $host->{series} };
    my %names = map  { $_->{name} => 1 } @tests;
    my $title = keys %names == 1 ? 'Its test' : 'All ' . keys(%names) . ' tests';
    return [
        section => { class => 'host', id => "h$number", title => shown($host->{name}) },
        _unchanged($host),
        @tests ? [ fold => $title, _tests($runs, @tests) ] : ()
    ];
}

# The history of each score of all hosts, one below the other over one time axis. Those of tests without a
# change are folded.
sub histories {
    my ($model) = @_;
    my (%of, @order);
    for my $host (@{ $model->{hosts} }) {
        for my $series (grep { @{ $_->{points} } > 1 } @{ $host->{series} }) {
            my $place = Touchstone::Suite::shown($series->{name})->{place} // 0;
            my $key   = join "\0", !$series->{index}, $series->{copies}, sprintf('%04d', $place),
                _title($series),
                $series->{unit} // '';
            push @order, $key if !$of{$key};
            push @{ $of{$key} }, { %$series, host => $host->{name} };
        }
    }
    return if !@order;
    my (%seen, @links, @folds);
    for my $all (map { [ _aligned(@$_) ] } @of{ sort @order }) {
        my $first = $all->[0];
        my $words = with_copies($first) . (length $first->{text} ? " ($first->{text})" : '');
        my $id    = _address($first);
        $id .= ".$seen{$id}" if $seen{$id}++;
        my $is_open = $first->{index} || grep { @{ $_->{changes} || [] } } @$all;
        push @links, { text => $words, link => "#$id" };
        push @folds,
            [
            fold => { text => $words, open => $is_open ? 1 : 0 },
            [ block => { id => $id, class => 'test' }, map { _history($model, $_, $id) } @$all ]
            ];
    }
    my @list = ([ text => [ joined(" $DOT ", @links) ] ]);
    @list = [ fold => @links . ' charts', @list ] if @links > $LINKED;
    return [
        section => { class => 'host', id => 'history', title => 'History' },
        @links > 1 ? [ block => { as => 'nav', class => 'screen' }, @list ] : (),
        @folds
    ];
}

# "test=syscall-1" is the place of the histories of a test, and "test=syscall-1&host=web1" that of one host.
sub _address {
    my ($series) = @_;
    return 'test=' . _word(join '-', grep { length } @$series{qw(name copies text)});
}

sub _word { my ($name) = @_; return $name =~ s/([^\w.-])/sprintf '_%x', ord $1/ger }

# Series with the same first and last time.
sub _aligned {
    my (@series) = @_;
    my @ends     = map  { @{ $_->{points} }[ 0, -1 ] } @series;
    my @times    = sort { $a <=> $b } map { $_->{at} } @ends;
    return map { +{ %$_, from => $times[0], to => $times[-1] } } @series;
}

sub _unchanged {
    my ($host) = @_;
    return if @{ $host->{changes} };
    return [
        text => $host->{tested}
        ? 'No score of this host has changed by more than chance explains.'
        : "To find changes, this host $Touchstone::Pack::Browse::Phrases::NEEDS."
    ];
}

# What has changed on which host, the largest change first.
sub changes {
    my ($model) = @_;
    my $runs    = $model->{runs};
    my @changes = sort { abs(log $b->{speed}) <=> abs(log $a->{speed}) || $b->{at} <=> $a->{at} } map {
        my $host = $_;
        map { +{ %$_, host => $host->{name} } } @{ $host->{changes} }
    } @{ $model->{hosts} };
    return if !@changes;
    my @more = splice @changes, @changes > $CHANGES + 1 ? $CHANGES : @changes;
    my @parts =
        (_changes($model, @changes), @more ? [ fold => @more . ' more', _changes($model, @more) ] : ());
    my @causes = map { _causes($_) } @{ $model->{hosts} };
    return [
        section => { class => 'host', id => 'changes', title => 'What changed' },
        @causes ? [ points => @causes ] : (), @parts
    ];
}

# "vm since 2026-12-02: Only system calls are slower ..."
sub _causes {
    my ($host) = @_;
    return map {
        my @names = map { Touchstone::Suite::shown($_)->{label} // shown($_) } @{ $_->{cause}{tests} };
        shown($host->{name}) . " since $_->{date}: " . join ' ',
            Touchstone::Report::Compare::Cause::sentences(@$_{qw(cause differences)}, @names)
    } @{ $host->{causes} };
}

sub _changes {
    my ($model, @changes) = @_;
    my $runs   = $model->{runs};
    my $median = sub {
        my ($change, $i) = @_;
        return _value($change, $change->{ (qw(before after))[$i] }, $change->{intervals}[$i]);
    };
    my $run     = sub { return [ { text => $runs->[ $_[0] ]{name}, link => "#r$_[0]" } ] };
    my $host    = sub { return { text => shown($_[0]), link => "#h$model->{number}{ $_[0] }" } };
    my @columns = (
        { title => 'Test',   cell => \&_linked },
        { title => 'Change', cell => \&_change },
        { title => 'Host',   left => 1, cell => sub { [ $host->($_[0]{host}) ] } },
        { title => 'Copies', cell => sub { $_[0]{copies} } },
        { title => 'Since',  cell => sub { { text => $_[0]{date}, key => $_[0]{at} } } },
        {
            title => 'Also changed',
            left  => 1,
            cell  => sub {
                join '; ', map { release($_) } @{ $_[0]{differ} };
            }
        },
        { title => 'Median before', cell => sub { $median->($_[0], 0) } },
        { title => 'Median after',  cell => sub { $median->($_[0], 1) } },
        { title => 'First run',     left => 1, cell => sub { $run->($_[0]{run}) } }
    );
    return [
        table => {
            caption => 'Changes, the largest first; + is faster',
            columns => \@columns,
            rows    => \@changes,
            class   => 'stacked'
        }
    ];
}

sub _change { my ($change) = @_; return { text => coloured($change->{speed}), key => $change->{speed} } }

# Adds what tells a series from the other series of its test.
sub _title {
    my ($series) = @_;
    return label($series) . (length $series->{text} ? " ($series->{text})" : '');
}

sub _linked { my ($series) = @_; return [ { text => _title($series), link => '#' . _address($series) } ] }

# Returns a median or score as a cell.
sub _value {
    my ($series, $value, $interval) = @_;
    my @wide = $interval ? () : dim(Touchstone::Base::Figure::plus_minus(undef));
    return { text => [ value($series, $value, $interval), @wide ], key => $value };
}

# Shows the present level of each test.
sub _tests {
    my ($runs, @series) = @_;
    my $last    = sub { return $_[0]{points}[-1] };
    my $level   = sub { return $_[0]{levels}[-1] };
    my $since   = sub { return $_[0]{points}[ $level->($_[0])->{from} ] };
    my @columns = (
        { title => 'Test',   cell => sub { @{ $_[0]{points} } > 1 ? _linked($_[0]) : _title($_[0]) } },
        { title => 'Copies', cell => sub { $_[0]{copies} } },
        { title => 'Runs',   more => 1, cell => sub { scalar @{ $_[0]{points} } } },
        { title => 'Median', cell => sub { _value($_[0], @{ $level->($_[0]) }{qw(value interval)}) } },
        {
            title => 'Since',
            more  => 1,
            cell  => sub { my $point = $since->($_[0]); { text => $point->{date}, key => $point->{at} } }
        },
        {
            title => 'Change then',
            cell  => sub { $_[0]{changes}[-1] ? _change($_[0]{changes}[-1]) : { text => '', key => '' } }
        },
        { title => 'Newest', cell => sub { _value($_[0], @{ $last->($_[0]) }{qw(score interval)}) } },
        { title => 'Date',   more => 1, cell => sub { $runs->[ $last->($_[0])->{run} ]{date} } }
    );
    my $caption = 'Tests: the median since the last change';
    return [ table => { caption => $caption, columns => \@columns, rows => \@series, class => 'pinned' } ];
}

sub _history {
    my ($model, $series, $id) = @_;
    my $table = @{ $series->{points} } > $LISTED ? _levels($series) : _scores($model->{runs}, $series);
    return [
        block => {
            class => 'history',
            id    => "$id&host=" . _word($series->{host}),
            data  => { host => shown($series->{host}) }
        },
        [ picture => Touchstone::Pack::Browse::History::figure($series, $model->{year}) ],
        [ fold    => 'As a table', [ table => $table ] ]
    ];
}

sub _levels {
    my ($series) = @_;
    my $points   = $series->{points};
    my @columns  = (
        { title => 'From',   cell => sub { $points->[ $_[0]{from} ]{date} } },
        { title => 'To',     cell => sub { $points->[ $_[0]{to} ]{date} } },
        { title => 'Runs',   cell => sub { 1 + $_[0]{to} - $_[0]{from} } },
        { title => 'Median', cell => sub { _value($series, @{ $_[0] }{qw(value interval)}) } }
    );
    my $caption = with_copies($series) . ': medians between changes';
    return { caption => $caption, columns => \@columns, rows => $series->{levels} };
}

sub _limits {
    my ($series, $limits) = @_;
    return $limits
        ? join ' to ', map { value($series, $_, $limits) } @$limits
        : Touchstone::Base::Figure::plus_minus(undef);
}

sub _scores {
    my ($runs, $series) = @_;
    my @columns = (
        { title => 'Date',          cell => sub { $runs->[ $_[0]{run} ]{date} } },
        { title => 'Run',           left => 1, cell => sub { $runs->[ $_[0]{run} ]{name} } },
        { title => 'Score',         cell => sub { value($series, @{ $_[0] }{qw(score interval)}) } },
        { title => '95 % interval', cell => sub { _limits($series, $_[0]{interval}) } }
    );
    return {
        caption => with_copies($series),
        columns => \@columns,
        rows    => [ reverse @{ $series->{points} } ]
    };
}

1;
