# SPDX-License-Identifier: GPL-2.0-or-later
# Pack::Fleet::Report::Group - the section of a group of equal hosts: how large the natural spread is and the
# plan that follows, all hosts as a strip and as a table, what goes with differences, and on a page a strip
# for each figure and the variance of each:
#
#   Group 1: 30 hosts, AMD EPYC 7763, 8 CPUs, KVM
#   Between hosts 1.1 % (0.8 to 1.6), between runs of a host 0.6 % (0.5 to 0.8), within a run 0.3 %.
#   To see a change of 1 %: 14 hosts x 2 runs on each side, or 6 hosts x 2 runs before and after.
#
#     Host   Of median  95 % interval   Runs  Verdict
#     web09      0.884  0.871 to 0.897     4  bad
#
# A group with more hosts than fit on a screen has the ends, the quartiles and all that stand out.
package Touchstone::Pack::Fleet::Report::Group;
use 5.014;
use strict;
use warnings;

use Touchstone::Base::Figure qw(part human);
use Touchstone::Base::Symbols qw($DASH);
use Touchstone::Base::Text qw(copies plural short);
use Touchstone::Pack::Fleet::Report::Headline;
use Touchstone::Pack::Fleet::Report::Phrases
    qw(class figure for_letters for_page label limits names number percent
    ratio shown_name spread table word);
use Touchstone::Pack::Fleet::Report::Strips;
use Touchstone::Suite;

# A table has at most so many hosts; of more than that it has so many of each end, and so many that stand out.
my ($MOST, $END) = (60, 8);

# A name or a fact has so many letters in a table or a list, which names so many figures, or values of a fact.
my ($LETTERS, $NAMED, $VALUES) = (28, 6, 3);

# A page has such columns, and shows them on a narrow screen when its reader asks.
my %OF_PAGE = (in => 'page', more => 1);

# `at`: where each host has all its figures, of Pack::Fleet::Report::HostPages.
sub section {
    my ($judgement, $group, $addresses) = @_;
    my $title = title($group);
    my @facts = _facts($judgement, $group);
    return [
        section => { id => "g$group->{number}", description => $title },
        for_letters([ text => $title, @facts ]),
        for_page(@facts ? [ text => @facts ] : (), _strip($group)),
        _hosts($group, $addresses),
        _goes_with($group),
        for_page(_figures($group), _variance($group))
    ];
}

sub title {
    my ($group) = @_;
    return "Group $group->{number}: " . plural(scalar @{ $group->{hosts} }, 'host') . ', ' . kind($group);
}

# What its hosts are; how many there are is said elsewhere.
sub kind { my ($group) = @_; return $group->{title} =~ s/\A\d+ hosts?, //r }

# What is to be known of a group before its hosts are named.
sub _facts {
    my ($judgement, $group) = @_;
    my $variance = Touchstone::Pack::Fleet::Report::Headline::variance($group->{variance});
    return (
        (
            map { "$_->{title}, " . copies($_->{copies}) . ': median ' . human($_->{median}) }
                @{ $group->{index} || [] }
        ),
        $group->{judged} ? ()                   : ucfirst(($group->{why_not} // 'not tested') . '.'),
        length $variance ? ucfirst "$variance." : (),
        Touchstone::Pack::Fleet::Report::Headline::plan($group->{plan}),
        _hidden($judgement, $group),
        _divided($group),
        $group->{split}
        ? ucfirst Touchstone::Pack::Fleet::Report::Headline::divided($group->{split}) . '.'
        : (),
        _of_day($group)
    );
}

# What may be there and was not found.
sub _hidden {
    my ($judgement, $group) = @_;
    return if ($group->{detectable} // 0) <= ($judgement->{smallest} // 0);
    my $hosts = plural(scalar(grep { defined $_->{ratio} } @{ $group->{hosts} }), 'host');
    my $least = part($group->{detectable});
    return
        "With $hosts that vary like this, a host is flagged reliably if it is $least slower or more. Smaller"
        . ' differences are flagged by chance.';
}

# Figures in which hosts are of two kinds.
sub _divided {
    my ($group) = @_;
    my @figures = map { figure($_) } grep { $_->{divided} } @{ $group->{figures} } or return;
    my $split = @figures == 1 ? ' splits the group in two, so it is' : ' split the group in two, so they are';
    return names($NAMED, @figures) . "$split not used to flag hosts.";
}

sub _of_day {
    my ($group) = @_;
    return if !$group->{judged} || grep { defined $_->{ratio} && !$_->{of_day} } @{ $group->{hosts} };
    return 'One run per host: run-to-run variance is unknown.';
}

sub _strip {
    my ($group) = @_;
    return if !$group->{judged};
    my $picture = Touchstone::Pack::Fleet::Report::Strips::of_mean($group) or return;
    my @legend  = Touchstone::Pack::Fleet::Report::Strips::legend(@{ $group->{hosts} });
    my $axes    = 'From left to right: the slowest to the fastest host. Lines: 95 % intervals.';
    return (
        [ picture => $picture ],
        [
            text => { text => $axes, class => 'dim' },
            @legend ? { text => \@legend, class => 'legend dim' } : ()
        ]
    );
}

sub _hosts {
    my ($group, $addresses) = @_;
    my @hosts  = @{ $group->{hosts} } or return;
    my @chosen = _chosen(@hosts);
    my $is_all = @chosen == @hosts;
    my $which =
        $is_all ? 'Hosts, slowest first' : 'The slowest, the fastest, the quartiles, and all that stand out';
    my $table = table(
        { description => $which, class => 'pinned hosts' },
        \@chosen,
        { title => 'Host',      cell => sub { _name_of($_[0], $addresses) } },
        { title => 'Of median', cell => \&ratio },
        $group->{judged} ? { title => '95 % interval', cell => sub { limits($_[0]) || $DASH } } : (),
        { title => 'Runs',      cell => sub { scalar @{ $_[0]{runs} || [] } }, more => 1 },
        { title => 'Slot',      cell => sub { short($_[0]{slot} // '', 40) },  left => 1, %OF_PAGE },
        { title => 'Labels',    cell => \&_labels,                             left => 1, %OF_PAGE },
        { title => 'Disturbed', cell => \&_disturbed,                          %OF_PAGE },
        { title => 'Verdict',   cell => \&_verdict,                            left => 1 }
    );
    return $is_all && $group->{judged}
        ? [ fold => 'All ' . plural(scalar @hosts, 'host') . ' in figures', $table ]
        : $table;
}

# "rack=b4, type=m6a"
sub _labels {
    my ($host) = @_;
    my $labels = $host->{labels} || {};
    return short(join(', ', map { "$_=$labels->{$_}" } sort keys %$labels), 80);
}

sub _disturbed { my ($host) = @_; return defined $host->{disturbed} ? part($host->{disturbed}) : $DASH }

sub _name_of {
    my ($host, $addresses) = @_;
    return [
        {
            text  => short($host->{host}, $LETTERS),
            link  => $addresses->{$host}{address},
            title => $host->{host}
        }
    ];
}

sub _verdict {
    my ($host) = @_;
    return { text => 'not valid', class => 'not-valid' } if defined $host->{invalid};
    return { text => word($host), class => class($host) || undef };
}

# The hosts that a table has: all, or the ends, the quartiles and those that stand out, with a text such as
# "(12 more)" for those between.
sub _chosen {
    my (@hosts) = @_;
    return @hosts if @hosts <= $MOST;
    my @out   = grep { length class($hosts[$_]) } 0 .. $#hosts;
    my %shown = map  { $_ => 1 } 0 .. $END - 1, $#hosts - $END + 1 .. $#hosts,
        (map { int($#hosts * $_ / 4 + 0.5) } 1 .. 3),
        splice @out, 0, $MOST;
    my (@chosen, $skipped);
    for my $i (0 .. $#hosts) {
        if (!$shown{$i}) { $skipped++; next }
        push @chosen, { gap => "($skipped more)" } if $skipped;
        push @chosen, $hosts[$i];
        $skipped = 0;
    }
    return @chosen;
}

# A page says all values where the pointer rests.
sub _goes_with {
    my ($group) = @_;
    my @found = map { _association($_) } @{ $group->{goes_with} || [] } or return;
    return ([ text => 'Facts that correlate with the differences between these hosts:' ],
        [ points => @found ]);
}

# "microcode + kernel (always together): 61 % of the variance, p 0.001; 6.1: 3 hosts, 0.941"
sub _association {
    my ($association) = @_;
    my @associated    = @{ $association->{associated} };
    my @values        = map { _value($_) } @{ $association->{values} };
    my $title         = @values > $VALUES ? join '; ', @values : undef;
    splice @values, $VALUES, @values - $VALUES, '...' if defined $title;
    my $together = @associated > 1 ? ' (always together)' : '';
    my $p        = defined $association->{p} ? sprintf '%.2g', $association->{p} : $DASH;
    my $part =
        join(' + ', @associated) . "$together: " . part($association->{part}) . " of the variance, p $p";
    return { text => join('; ', $part, @values), title => $title };
}

sub _value {
    my ($value) = @_;
    my $ratio   = defined $value->{ratio} ? sprintf ', %.3f', $value->{ratio} : '';
    return short($value->{text}, 30) . ': ' . plural(number($value->{hosts}), 'host') . $ratio;
}

# A row of a heat map for each figure, in the order of the suites; the hosts are in one order in all of them.
sub _figures {
    my ($group) = @_;
    my %of;
    for my $figure (_arranged($group)) {
        my @hosts = sort { $a->[1]{ratio} <=> $b->[1]{ratio} || $a->[0]{host} cmp $b->[0]{host} }
            Touchstone::Pack::Fleet::Report::Strips::compared($group, $figure);
        push @{ $of{ $figure->{copies} } }, { %$figure, slowest => $hosts[0] } if @hosts > 1;
    }
    my $strip =
        sub { return { picture => Touchstone::Pack::Fleet::Report::Strips::of_figure($group, $_[0]) } };
    my @columns = (
        { title => 'Figure',                                cell => \&label },
        { title => 'All hosts, the slowest to the fastest', cell => $strip },
        { title => 'Median',                                cell => \&_median,        more => 1 },
        { title => 'Between hosts',                         cell => \&_between_hosts, more => 1 },
        { title => 'Slowest here',                          cell => \&_slowest,       more => 1, left => 1 }
    );
    my @tables = map { table({ caption => copies($_), class => 'pinned strips' }, $of{$_}, @columns) }
        sort { $a <=> $b } keys %of;
    my @shades =
        ('Speed compared with the median of the group: ', Touchstone::Pack::Fleet::Report::Strips::shades());
    return @tables
        ? [
        section => { title => 'Test by test' },
        [ text => { text => \@shades, class => 'legend dim' } ],
        @tables
        ]
        : ();
}

sub _slowest {
    my ($figure) = @_;
    my ($host, $result) = @{ $figure->{slowest} };
    return shown_name($host->{host}, 24) . ' ' . ratio($result);
}

sub _arranged {
    my ($group) = @_;
    return Touchstone::Suite::arranged(sub { $_[0]{name} }, @{ $group->{figures} || [] });
}

sub _median {
    my ($figure) = @_;
    my $median = $figure->{median};
    return defined $median ? { text => human($median, undef, $figure->{unit}), key => $median } : $DASH;
}

sub _between_hosts {
    my ($figure) = @_;
    my $sd = (($figure->{variance} || {})->{hosts} || {})->{sd};
    return defined $sd ? percent($sd) . ' %' : $DASH;
}

# How much of the spread is between hosts, between runs and within them.
sub _variance {
    my ($group) = @_;
    my @figures = grep { $_->{variance} } _arranged($group) or return;
    unshift @figures, { mean => 'Mean over all figures', variance => $group->{variance} }
        if $group->{variance};
    my $unit  = 'Standard deviations of logarithms, as per cent, with 95 % intervals.';
    my $level = sub {
        my ($title, $which) = @_;
        return { title => $title, cell => sub { spread($_[0]{variance}{$which}) // $DASH } };
    };
    my $table = table(
        { caption => 'Sources of the spread', class => 'pinned' },
        \@figures,
        { title => 'Figure', cell => sub { $_[0]{mean} // figure($_[0]) } },
        $level->('Between hosts',          'hosts'),
        $level->('Between runs of a host', 'runs'),
        $level->('Within a run',           'passes'),
        { title => 'Hosts', cell => sub { ($_[0]{variance}{count} || {})->{hosts} // $DASH } }
    );
    return [ fold => 'Variance of each figure', [ text => { text => $unit, class => 'dim' } ], $table ];
}

1;
