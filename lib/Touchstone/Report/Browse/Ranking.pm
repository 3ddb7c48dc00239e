# SPDX-License-Identifier: GPL-2.0-or-later
# Report::Browse::Ranking - the first answer of the page of all runs: which host is how fast, how it got
# there, and what changed last.
package Touchstone::Report::Browse::Ranking;
use 5.014;
use strict;
use warnings;

use Touchstone::Base::Figure;
use Touchstone::Base::Signs qw($DOT);
use Touchstone::Base::Text qw(many short);
use Touchstone::Compare::Ranking;
use Touchstone::Report::Browse::History;
use Touchstone::Report::Browse::Words
    qw(coloured day difference dim figure_data half is_noise label release shown value with_copies);
use Touchstone::Report::Render::Html qw(folded table text);
use Touchstone::Report::Plot::Svg qw(element);

# So many rankings stand on the page; others are folded.
my $OPEN = 3;

# So many hosts without a rank are named.
my $UNRANKED = 20;

# A change names so many of its tests, and shows so many letters of each cause.
my ($NAMED, $CAUSE) = (3, 48);

# The model has runs, hosts, ranking, and chosen: the host that others are compared with.
sub render {
    my ($model) = @_;
    my @indexes = @{ $model->{ranking}{indexes} };
    my %said;

    # What stands below a ranking is not said again below the next.
    my @sections = map { s{(<p class="dim">[^\n]*\n)\z}{$said{$1}++ ? '' : $1}er }
        map { _section($model, $_, _apart($_, @indexes)) } @indexes;
    my @more = splice @sections, @sections > $OPEN ? $OPEN : @sections;
    return join '', qq{<section class="ranking" id="ranking"}, _chosen_of($model), qq{>\n<h2>Ranking</h2>\n},
        (@indexes ? () : "<p>No host has a valid run with a whole index yet.</p>\n"), @sections,
        (@more    ? folded(many(scalar @more, 'more ranking'), join '', @more) : ()),
        (@indexes ? _unranked(@{ $model->{ranking}{unranked} })                : ()), "</section>\n";
}

sub _chosen_of {
    my ($model) = @_;
    my $which = $model->{which}{ $model->{chosen} };
    return defined $which ? qq{ data-chosen="$which"} : '';
}

sub _unranked {
    my (@names) = @_;
    return () if !@names;
    my @more = splice @names, @names > $UNRANKED ? $UNRANKED : @names;
    return
          '<p class="dim">Not ranked, since they have no valid run with a whole index: '
        . join(', ', (map { shown($_) } @names), @more ? scalar(@more) . ' more' : ())
        . ".</p>\n";
}

# Says what tells a ranking from others of its title.
sub _apart {
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

sub _section {
    my ($model, $index, @apart) = @_;
    my @hosts = @{ $index->{hosts} };
    my ($chosen) = grep { $_->{name} eq $model->{chosen} } @hosts;
    $chosen //= $hosts[-1];
    my $title = text(short(join(', ', with_copies($index), @apart), 200));
    my @head  = (
        'Host, newest run',
        'Bars from 0',
        'Index',
        sprintf(
            'Against <span class="chosen" data-spread="%.3g">%s</span>',
            $index->{spread} // 0,
            shown($chosen->{name})
        ),
        'History, each to its own scale',
        'Last change'
    );
    return join '', @hosts > 1 ? '' : qq{<div class="alone">\n},
        table(
        caption => "$title: higher is better",
        head    => \@head,
        rows    => [ map { _row($model, $index, $_, $chosen) } @hosts ],
        left    => [ 1, 4, 5 ],
        class   => 'pinned'
        ),
        @hosts > 1 ? _spread($index) : "</div>\n";
}

sub _row {
    my ($model, $index, $host, $chosen) = @_;
    my $fastest = $index->{hosts}[0];
    my $run     = $model->{runs}[ $host->{run} ];
    my $half    = Touchstone::Compare::Ranking::half($host);
    return [
        _name($model, $run) . _machine($run),
        [ _bar($host->{score} / $fastest->{score}), $host->{score} ],
        [
            '<b>'
                . text(value({ index => 1 }, @$host{qw(score interval)})) . '</b>'
                . dim(Touchstone::Base::Figure::sureness($half)),
            $host->{score}
        ],
        _against($index, $host, $chosen),
        _history($model, $host),
        _last_change($model, $host)
    ];
}

# The difference between two figures as a cell, with what a script needs to choose another host.
sub _against {
    my ($index, $one, $chosen) = @_;
    my ($ratio, $error) = Touchstone::Compare::Ranking::against($one, $chosen);
    my $class = is_noise($ratio, $error, $index->{spread}) ? 'ratio even' : 'ratio';
    my $says  = $one == $chosen                            ? '='          : difference($ratio, $error);
    return [ qq{<span class="$class" } . figure_data($one) . ">$says</span>", sprintf '%.5g', $ratio ];
}

sub _name {
    my ($model, $run) = @_;
    my $page  = $run->{links}{html} // $run->{links}{text};
    my $name  = shown($run->{host});
    my $which = qq{data-name="$model->{which}{ $run->{host} }"};
    return defined $page ? qq{<a $which href="$page">$name</a>} : qq{<span $which>$name</span>};
}

# What the machine is, in a line.
sub _machine {
    my ($run) = @_;
    return '<small class="machine">'
        . join(
        ' ' . $DOT . ' ',
        map { shown($_) } grep { length($_ // '') } @$run{qw(cpu memory kernel)},
        release($run->{compiler})
        ) . '</small>';
}

sub _bar {
    my ($part) = @_;
    return element(
        svg => { class => 'bar', 'aria-hidden' => 'true' },
        element(
            rect => { class => 'mark', width => sprintf('%.1f%%', 100 * $part), height => '100%', rx => 2 }
        )
    );
}

sub _history {
    my ($model, $host) = @_;
    my $series = $host->{series};
    return '' if !$series;
    return [
        Touchstone::Report::Browse::History::spark($series, $model->{year})
            . '<small>'
            . many(scalar @{ $series->{points} }, 'run')
            . '</small>',
        scalar @{ $series->{points} }
    ];
}

# -2.4 % 16 May: kernel 6.12.30 -> 6.15.4 (Pipe throughput -9 %; Context switch -8 %)
sub _last_change {
    my ($model, $host) = @_;
    my $change = $host->{change};
    return [ _no_change($host), '' ] if !$change;
    my @causes = map { text(short(release($_), $CAUSE)) } map { s/\A([^:]*): /$1 /r } @{ $change->{differ} };
    my @more   = splice @causes, @causes > 2 ? 2 : @causes;
    push @causes, scalar(@more) . ' more' if @more;
    my $tests = join '; ', map { _tests(@$_) } _both_ways(@{ $change->{tests} });
    my $when  = day($change->{date}, $model->{year});
    return [
          (defined $change->{speed} ? coloured($change->{speed}) . " $when: " : "$when: ")
        . (@causes                  ? join ', ', @causes                      : 'no cause is recorded')
            . (length $tests        ? " ($tests)"                             : '')
            . qq{ <a href="#h$model->{number}{ $host->{name} }">history</a>},
        $change->{at}
    ];
}

sub _no_change {
    my ($host) = @_;
    my $many = $host->{series} ? @{ $host->{series}{points} } : 0;
    return $many < $Touchstone::Report::Browse::Words::NEEDED
        ? $Touchstone::Report::Browse::Words::NEEDS
        : 'none';
}

# Those that became slower, and those that became faster.
sub _both_ways {
    my (@tests) = @_;
    return grep { @$_ } [ grep { $_->{speed} < 1 } @tests ], [ grep { $_->{speed} >= 1 } @tests ];
}

sub _tests {
    my (@tests) = @_;
    my @named   = map { shown(label({ unit => 1, %$_ })) . ' ' . coloured($_->{speed}) } splice @tests, 0,
        @tests > $NAMED + 1 ? $NAMED : @tests;
    return join '; ', @named, @tests ? @tests . ' more' : ();
}

sub _spread {
    my ($index) = @_;
    my $spread = $index->{spread};
    return '' if !defined $spread;
    return
          '<p class="dim">The indexes of two runs of one host in a row differ by up to '
        . half($spread)
        . " %, 19 times in 20: believe no smaller difference. Single tests differ by more: see below.</p>\n";
}

1;
