# SPDX-License-Identifier: GPL-2.0-or-later
# Pack::Browse::RankingTable - the first answer of the page of all runs: which host is how fast, how it got
# there, what changed last, and how its newest run compares test by test.
package Touchstone::Pack::Browse::RankingTable;
use 5.014;
use strict;
use warnings;

use Touchstone::Base::Figure;
use Touchstone::Base::Symbols qw($DASH $DOT $PLUS_MINUS);
use Touchstone::Base::Direction qw(is_lower_better);
use Touchstone::Base::Text qw(copies plural short);
use Touchstone::Pack::Browse::Ranking;
use Touchstone::Pack::Browse::History;
use Touchstone::Pack::Browse::Phrases
    qw(coloured day difference dim figure_data half is_noise joined label release shown value with_copies);
use Touchstone::Suite;
use Touchstone::Report::Plot qw(element);

# So many rankings stand on the page; others are folded.
my $OPEN = 3;

# So many hosts without a rank are named.
my $UNRANKED = 20;

# A change names so many of its tests, and shows so many letters of each cause.
my ($NAMED, $CAUSE) = (3, 48);

# A table with more hosts would be wider than a page.
my $SHEET = 8;

# Differences from these are shaded, the larger the darker.
my @SHADES = (0, 0.05, 0.15, 0.3);

# The model has runs, hosts, ranking, and chosen: the host that others are compared with.
sub parts {
    my ($model) = @_;
    return if !@{ $model->{runs} };
    my @indexes = @{ $model->{ranking}{indexes} };
    my %phrases;

    # What stands below a ranking is not said again below the next.
    my @sections = map {
        my ($table, $note) = _section($model, $_, _distances($_, @indexes));
        [ $table, defined $note && !$phrases{$note}++ ? _note($note) : () ]
    } @indexes;
    my @more = splice @sections, @sections > $OPEN ? $OPEN : @sections;
    my $many = plural(scalar @more, 'more ranking');
    my $none = 'No host has a valid run with a whole index yet.';
    my %data = (chosen => $model->{which}{ $model->{chosen} });
    return [
        section => { class => 'ranking', id => 'ranking', data => \%data, title => 'Ranking' },
        @indexes ? () : [ text => $none ],
        (map { @$_ } @sections),
        @more    ? [ fold => $many, map { @$_ } @more ]        : (),
        @indexes ? _unranked(@{ $model->{ranking}{unranked} }) : ()
    ];
}

sub _note { my ($text) = @_; return [ text => { text => $text, class => 'dim' } ] }

sub _unranked {
    my (@names) = @_;
    return if !@names;
    my @more  = splice @names, @names > $UNRANKED ? $UNRANKED : @names;
    my $names = join ', ', (map { shown($_) } @names), @more ? @more . ' more' : ();
    return _note("Not ranked, since they have no valid run with a whole index: $names.");
}

# Says what tells a ranking from others of its title.
sub _distances {
    my ($index, @all) = @_;
    my @same  = grep { with_copies($_) eq with_copies($index) } @all;
    my %words = (
        reference => 'reference ' .        ($index->{reference} // 'unknown'),
        version   => 'tests of version ' . ($index->{version}   // 'unknown')
    );
    return map {
        my $what = $_;
        my %seen = map { ($_->{$what} // '') => 1 } @same;
        keys %seen > 1 ? $words{$what} : ();
    } sort keys %words;
}

# A table and, where the spread is known, how to read it.
sub _section {
    my ($model, $index, @ratios) = @_;
    my @hosts = @{ $index->{hosts} };
    my ($chosen) = grep { $_->{name} eq $model->{chosen} } @hosts;
    $chosen //= $hosts[-1];
    my $other = {
        text  => shown($chosen->{name}),
        class => 'chosen',
        data  => { spread => sprintf '%.3g', $index->{spread} // 0 }
    };
    my @columns = (
        { title => 'Host, newest run', cell => sub { _host($model, $model->{runs}[ $_[0]{run} ]) } },
        { title => 'Bars from 0',      left => 1, cell => sub { _bar($_[0], $hosts[0]) } },
        { title => 'Index',                      cell => \&_index },
        { title => [ 'Compared with ', $other ], cell => sub { _against($index, $_[0], $chosen) } },
        {
            title => 'History, each to its own scale',
            left  => 1,
            more  => 1,
            cell  => sub { _history($model, $_[0]) }
        },
        { title => 'Last change', left => 1, more => 1, cell => sub { _last_change($model, $_[0]) } }
    );
    my $title = short(join(', ', with_copies($index), @ratios), 200);
    my $table = [
        table => {
            caption => "$title: higher is better",
            columns => \@columns,
            rows    => \@hosts,
            class   => 'pinned'
        }
    ];
    return @hosts > 1 ? ($table, _spread($index)) : [ block => { class => 'alone' }, $table ];
}

sub _index {
    my ($host) = @_;
    my $half = Touchstone::Pack::Browse::Ranking::half($host);
    return {
        text => [
            { text => value({ index => 1 }, @$host{qw(score interval)}), as => 'b' },
            dim(Touchstone::Base::Figure::plus_minus($half))
        ],
        key => $host->{score}
    };
}

# The difference between two figures as a cell, with what a script needs to choose another host.
sub _against {
    my ($index, $one, $chosen) = @_;
    my ($ratio, $error) = Touchstone::Pack::Browse::Ranking::against($one, $chosen);
    my $class = is_noise($ratio, $error, $index->{spread}) ? 'ratio even' : 'ratio';
    my @text  = $one == $chosen                            ? '='          : difference($ratio, $error);
    return {
        text => { text => \@text, class => $class, data => { figure_data($one) } },
        key  => sprintf '%.5g',
        $ratio
    };
}

# A host and, in a line, what the machine is.
sub _host {
    my ($model, $run) = @_;
    my @machine = map { shown($_) } grep { length($_ // '') } @$run{qw(cpu memory kernel)},
        release($run->{compiler});
    return [
        {
            text => shown($run->{host}),
            link => $run->{links}{html} // $run->{links}{text},
            data => { name => $model->{which}{ $run->{host} } }
        },
        { text => join(" $DOT ", @machine), as => 'small', class => 'machine' }
    ];
}

sub _bar {
    my ($host, $fastest) = @_;
    my $width = sprintf '%.1f%%', 100 * $host->{score} / $fastest->{score};
    my $bar   = element(rect => { class => 'mark', width => $width, height => '100%', rx => 2 });
    return {
        text => { picture => element(svg => { class => 'bar', 'aria-hidden' => 'true' }, $bar) },
        key  => $host->{score}
    };
}

sub _history {
    my ($model, $host) = @_;
    my $series = $host->{series} or return '';
    my $many   = @{ $series->{points} };
    my $spark  = { picture => Touchstone::Pack::Browse::History::spark($series, $model->{year}) };
    return { text => [ $spark, { text => plural($many, 'run'), as => 'small' } ], key => $many };
}

# Pipe throughput -9 %; Context switch -8 %; index -2.4 % since 16 May: kernel 6.12.30 -> 6.15.4
sub _last_change {
    my ($model, $host) = @_;
    my $change = $host->{change} or return { text => _no_change($host), key => '' };
    my @causes = map { short(release($_), $CAUSE) } map { s/\A([^:]*): /$1 /r } @{ $change->{differ} };
    my @more   = splice @causes, @causes > 2 ? 2 : @causes;
    push @causes, scalar(@more) . ' more' if @more;
    my @tests = map { _tests(@$_) } _both_ways(@{ $change->{tests} });
    return {
        text => [
            joined('; ', @tests, defined $change->{speed} ? [ 'index ', coloured($change->{speed}) ] : ()),
            ' since ' . day($change->{date}, $model->{year}) . ': ',
            @causes ? join(', ', @causes) : 'no cause is recorded',
            ' ',
            { text => 'host', link => "#h$model->{number}{ $host->{name} }" }
        ],
        key => $change->{at}
    };
}

sub _no_change {
    my ($host) = @_;
    my $many = $host->{series} ? @{ $host->{series}{points} } : 0;
    return $many < $Touchstone::Pack::Browse::Phrases::NEEDED
        ? $Touchstone::Pack::Browse::Phrases::NEEDS
        : 'none';
}

# Those that became slower, and those that became faster.
sub _both_ways {
    my (@tests) = @_;
    return grep { @$_ } [ grep { $_->{speed} < 1 } @tests ], [ grep { $_->{speed} >= 1 } @tests ];
}

sub _tests {
    my (@tests) = @_;
    my @named   = splice @tests, 0, @tests > $NAMED + 1 ? $NAMED : @tests;
    return ((map { [ shown(label({ unit => 1, %$_ })) . ' ', coloured($_->{speed}) ] } @named),
        @tests ? @tests . ' more' : ());
}

sub _spread {
    my ($index) = @_;
    my $spread = $index->{spread};
    return if !defined $spread;
    return
          'The indexes of two consecutive runs of one host differ by up to '
        . half($spread)
        . ' % in 95 of 100 cases, so a smaller difference means nothing. Single tests vary more: see below.';
}

# The newest run of each host, test by test: the scores of a chosen host, and by how much the others differ.
# Without a script the chosen host is the slowest.
sub newest {
    my ($model) = @_;
    my @tests = grep { @{ $_->{hosts} } > 1 } @{ $model->{ranking}{tests} } or return;
    my (%seen, %suites);
    $suites{ $_->{suite} }++ for @tests;
    my @parts;
    for my $part (@tests) {
        my $words =
            'Scores with ' . copies($part->{copies}) . (keys %suites > 1 ? ', ' . shown($part->{suite}) : '');
        my @tables =
            map { [ table => _newest_table($model, $part, $words, @$_) ] } _sheets($#{ $part->{hosts} });
        my $block = [ block => { class => 'part' }, @tables ];
        push @parts, $seen{ $part->{suite} }++ ? [ fold => $words, $block ] : $block;
    }
    my $chosen = { text => shown($model->{chosen}), class => 'chosen' };
    return [
        section => {
            class => 'newest',
            id    => 'newest',
            title => [ 'Newest run of each host, compared with ', $chosen ]
        },
        @parts,
        [ text => { text => _how(map { @{ $_->{rows} } } @tests), class => 'dim' } ]
    ];
}

# [first, last] of the hosts of each table.
sub _sheets {
    my ($last) = @_;
    return map { [ $_, $_ + $SHEET - 1 < $last ? $_ + $SHEET - 1 : $last ] }
        grep { $_ % $SHEET == 0 } 0 .. $last;
}

sub _how {
    my (@rows) = @_;
    my $spread =
        (grep { defined $_->{spread} } @rows)
        ? 'Run to run: the difference of two consecutive runs of one host in 95 of 100 cases; only larger differences'
        . ' are shaded: green is faster, red is slower.'
        : 'The run-to-run variance is unknown, because a host has too few runs: repeat some before you trust a small'
        . ' difference.';
    return "+ is faster; $PLUS_MINUS is half of the 95 % interval, from the passes of both runs. $spread";
}

sub _newest_table {
    my ($model, $part, $words, $from, $to) = @_;
    my @hosts = @{ $part->{hosts} };
    my ($chosen) = grep { $hosts[$_]{name} eq $model->{chosen} } 0 .. $#hosts;
    $chosen //= 0;
    my $which =
        $to - $from < $#hosts
        ? sprintf ', hosts %d to %d of %d', $from + 1, $to + 1, scalar @hosts
        : '';
    my @columns = map {
        my $i    = $_;
        my $name = $hosts[$i]{name};
        {
            title => { text => { text => shown($name), data => { name => $model->{which}{$name} } } },
            cell  =>
                sub { _figure($_[0]{cells}[$i], $_[0]{cells}[$chosen], $i == $chosen, $_[0]{spread} // 0) }
        }
    } $from .. $to;
    return {
        caption => $words . $which,
        columns => [
            { title => 'Test', cell => sub { shown(label({ unit => '', %{ $_[0] } })) } },
            @columns,
            {
                title => 'Run to run',
                if    => sub {
                    return scalar grep { defined $_->{spread} } @_;
                },
                cell => \&_run_to_run
            }
        ],
        rows  => [ _by_kind(@{ $part->{rows} }) ],
        class => 'pinned'
    };
}

sub _run_to_run {
    my ($row) = @_;
    my $spread = $row->{spread};
    return { text => defined $spread ? half($spread) . ' %' : '', key => $spread // '' };
}

# Rows with the kinds of tests between them, where there are several.
sub _by_kind {
    my (@rows) = @_;
    my (@kinds, %of);
    for my $row (@rows) {
        my $kind = Touchstone::Suite::shown($row->{name})->{kind} // 'Other';
        push @kinds,          $kind if !$of{$kind};
        push @{ $of{$kind} }, $row;
    }
    return @rows if @kinds < 2;
    return map { ({ group => shown($_) }, @{ $of{$_} }) } @kinds;
}

# The script makes the text again from score and half the interval.
sub _figure {
    my ($one, $chosen, $is_chosen, $spread) = @_;
    return { text => $DASH, key => '' } if !$one;
    my $score = value($one, @$one{qw(score interval)});
    my ($ratio, $error) = Touchstone::Pack::Browse::Ranking::against($one, $chosen);
    my %data = (
        figure_data($one),
        shown => $score,
        less  => is_lower_better($one) ? 1 : undef,
        kind  => $one->{kind} || undef
    );
    return { text => { text => $score, class => 'other', data => \%data }, key => $one->{score} }
        if $is_chosen || !defined $ratio;
    my $class = is_noise($ratio, $error, $spread) ? 'even' : _shade($ratio);
    return {
        text => { text => [ difference($ratio, $error) ], class => $class, data => \%data },
        key  => sprintf '%.5g',
        $ratio
    };
}

sub _shade {
    my ($ratio) = @_;
    my $ratios  = abs log $ratio;
    my $shade   = grep { $ratios >= $_ } @SHADES;
    return ($ratio > 1 ? 'up' : 'down') . $shade;
}

1;
