# SPDX-License-Identifier: GPL-2.0-or-later
# Report::Fleet::Overview - the page of a fleet, index.html, which an operator reads from its top: the answer
# with counts; who is bad and why; who is suspect and what to type; who is missing and what to type; warnings.
# Then each group of equal hosts (Report::Fleet::Group).
package Touchstone::Report::Fleet::Overview;
use 5.014;
use strict;
use warnings;

use Touchstone::Base::Signs qw($DASH $DOT);
use Touchstone::Base::Text qw(many short);
use Touchstone::Report::Fleet::Headline;
use Touchstone::Report::Fleet::ConfirmCommand;
use Touchstone::Report::Fleet::Group;
use Touchstone::Report::Fleet::HostPages;
use Touchstone::Report::Fleet::Style;
use Touchstone::Report::Fleet::Judgement;
use Touchstone::Report::Fleet::Trouble;
use Touchstone::Report::Fleet::Phrases qw(class days hosts_that limits missing names ratio shown_name word);
use Touchstone::Report::Render::Html qw(folded page table text);

# So many cases of a kind are told in full, and so many missing hosts stand in a table; more are folded.
my ($CASES, $MISSING) = (12, 25);

# So many hosts of a warning are named.
my $NAMED = 8;

sub page_of {
    my ($judgement) = @_;
    my $at          = Touchstone::Report::Fleet::HostPages::addresses($judgement);
    my ($answer)    = Touchstone::Report::Fleet::Headline::sentences($judgement);
    my $campaign    = ($judgement->{campaign} || {})->{campaign} // 'hosts';
    return page(
        short($answer, 80) =~ s/\.\z//r . " $DOT $campaign $DOT Touchstone",
        join(
            '',
            '<div class="fleet">',
            "\n",
            _head($judgement),
            _ways_to_groups($judgement),
            _cases($judgement, $at),
            _missing($judgement),
            _warnings($judgement),
            _groups_in_a_row($judgement),
            (
                map { Touchstone::Report::Fleet::Group::section($judgement, $_, $at) }
                    @{ $judgement->{groups} }
            ),
            _ends($judgement, $at),
            "</div>\n"
        ),
        style => $Touchstone::Report::Fleet::Style::CSS
    );
}

sub _head {
    my ($judgement) = @_;
    my ($first, @others) = Touchstone::Report::Fleet::Headline::sentences($judgement);
    my $campaign = $judgement->{campaign} || {};
    my @run      = (
        'Touchstone',
        defined $campaign->{campaign} ? "campaign $campaign->{campaign}" : (),
        days($judgement->{ended}) // (),
        defined $campaign->{carrier} ? "by $campaign->{carrier}"                  : (),
        $campaign->{runs}            ? many($campaign->{runs}, 'run') . ' a host' : ()
    );
    my $alarm = hosts_that($judgement, 'bad') ? ' class="alarm"' : '';
    return join '', '<p class="run">', text(join " $DOT ", map { short($_, 80) } @run), "</p>\n<h1$alarm>",
        text($first), "</h1>\n", (map { '<p class="said">' . text($_) . "</p>\n" } @others),
        _tally($judgement), map { '<p class="dim">' . text($_) . "</p>\n" }
        grep { defined } scalar Touchstone::Report::Fleet::Headline::standing($judgement),
        scalar Touchstone::Report::Fleet::Trouble::programs($judgement);
}

# Figures with their names: what is nought and would be a worry is not there.
sub _tally {
    my ($judgement) = @_;
    my $received = 0;
    $received += @{ $_->{hosts} } for @{ $judgement->{groups} };
    my %many =
        map { $_ => scalar(my @is = hosts_that($judgement, $_)) } qw(bad suspect inconclusive fast cleared);
    my @missing = missing($judgement);
    my $to      = @{ $judgement->{groups} } > 1 ? '#groups' : '#g1';
    my @boxes   = (
        [ '',           $received,       $received == 1 ? 'host measured' : 'hosts measured', $to ],
        [ 'is-bad',     $many{bad},      'bad',                                               '#cases' ],
        [ 'is-suspect', $many{suspect},  'suspect',                                           '#cases' ],
        [ 'is-missing', scalar @missing, 'missing',                                           '#missing' ],
        [ '',           $many{inconclusive}, 'inconclusive',                                  '#cases' ],
        [ '',           $many{fast},         'fast',                                          '#cases' ],
        [ '',           $many{cleared},      'cleared',                                       '#cases' ]
    );
    return join '', qq{<ul class="tally">\n}, (
        map {
            my ($class, $number, $word, $to) = @$_;
            $number
                ? '<li'
                . (length $class ? qq{ class="$class"} : '')
                . "><b>$number</b> "
                . qq{<a class="target" href="$to">$word</a>}
                . "</li>\n"
                : ()
        } @boxes
        ),
        "</ul>\n";
}

# Hosts that stand out: the bad, the suspects with the command that measures them again, and the others.
sub _cases {
    my ($judgement, $at) = @_;
    my %group;
    for my $group (@{ $judgement->{groups} }) { $group{$_} = $group for @{ $group->{hosts} } }
    my $command = Touchstone::Report::Fleet::ConfirmCommand::confirm($judgement);
    my @parts;
    for my $class (qw(bad suspect inconclusive fast cleared)) {
        my @cases = map { _case($group{$_}, $_, $at) } hosts_that($judgement, $class) or next;
        my @more  = splice @cases, @cases > $CASES ? $CASES : @cases;
        push @parts, @cases, @more ? folded(@more . " more that are $class", join '', @more) : ();
        push @parts, '<p>To find out whether the suspects are bad, measure them again at another time:</p>',
            "\n", _command($command)
            if $class eq 'suspect' && defined $command;
    }
    return @parts
        ? join '', qq{<section id="cases">\n<h2>Hosts that stand out</h2>\n}, @parts, "</section>\n"
        : '';
}

sub _command {
    my ($command) = @_;
    return '<pre class="command"><code>' . text($command) . "</code></pre>\n";
}

sub _case {
    my ($group, $host, $at) = @_;
    my $class  = class($host);
    my $remedy = ($host->{signature} || {})->{remedy};
    my @said   = map {
        defined $remedy && $_ eq $remedy
            ? qq{<span class="remedy">} . text(ucfirst) . '</span>'
            : text(ucfirst)
    } Touchstone::Report::Fleet::Judgement::remarks($group, $host);
    my $limits = defined $host->{ratio} ? limits(@$host{qw(ratio interval)}) : '';
    my @speed  = (
        defined $host->{ratio}
        ? ratio(@$host{qw(ratio interval)}) . ' of the median' . (length $limits ? " ($limits)" : '')
        : (),
        many(scalar @{ $host->{runs} || [] }, 'run'),
        defined $host->{slot} ? 'slot ' . short($host->{slot}, 40) : (),
        "group $group->{number}"
    );
    return join '', qq{<div class="case is-$class">\n<h3><a class="target" href="$at->{$host}{address}">},
        text(shown_name($host->{host})),
        qq{</a> <small class="$class">}, text(word($host)), '</small> <small class="dim">',
        text(join " $DOT ", @speed), "</small></h3>\n",
        @said ? ('<ul>', (map { "<li>$_</li>" } @said), "</ul>\n") : (), "</div>\n";
}

sub _missing {
    my ($judgement) = @_;
    my @missing = missing($judgement) or return '';
    my @rows =
        map {
        [
            text(shown_name($_->{host})), text($_->{what}),
            text(short(Touchstone::Report::Fleet::Judgement::why($_), 300))
        ]
        } @missing;
    my $command = Touchstone::Report::Fleet::ConfirmCommand::measure($judgement);
    my @more    = splice @rows, @rows > $MISSING ? $MISSING : @rows;
    my @table   = map {
        table(
            caption => $_->[0],
            head    => [ 'Host', 'What', 'Why' ],
            left    => [ 1, 2 ],
            rows    => $_->[1]
        )
    } [ 'Hosts without a record', \@rows ], [ 'Further hosts without a record', \@more ];
    return join '', qq{<section id="missing">\n<h2>Missing</h2>\n}, $table[0],
        @more ? folded(@more . ' more', $table[1]) : (),
        defined $command
        ? ("<p>To measure them, say the same again: what is done stays as it is.</p>\n", _command($command))
        : (),
        "</section>\n";
}

sub _warnings {
    my ($judgement) = @_;
    my @said        = map { _warning($_) } @{ $judgement->{warnings} || [] };
    push @said, map { text(ucfirst) } Touchstone::Report::Fleet::Trouble::strange($judgement);
    return '' if !@said;
    return join '', qq{<section id="warnings">\n<h2>Before you trust these numbers</h2>\n<ul>},
        (map { "<li>$_</li>\n" } @said), "</ul>\n</section>\n";
}

sub _warning {
    my ($warning) = @_;
    my @hosts = @{ $warning->{hosts} || [] };
    return
          (@hosts ? '<b>' . text(names($NAMED, @hosts)) . '</b>: ' : '')
        . text($warning->{text})
        . (
        length($warning->{remedy} // '')
        ? '. <span class="remedy">' . text(ucfirst $warning->{remedy}) . '</span>'
        : ''
        );
}

# Where there are several groups, each can be reached from the top.
sub _ways_to_groups {
    my ($judgement) = @_;
    my @groups = @{ $judgement->{groups} };
    return '' if @groups < 2;
    my @more = splice @groups, @groups > $NAMED ? $NAMED : @groups;
    return join '', '<nav><p>Groups: ', join(
        ', ',
        (
            map {
                      qq{<a href="#g$_->{number}">}
                    . text(short(Touchstone::Report::Fleet::Judgement::kind($_), 60))
                    . '</a> ('
                    . many(scalar @{ $_->{hosts} }, 'host') . ')'
            } @groups
        ),
        @more ? '<a href="#groups">' . @more . ' more</a>' : ()
        ),
        "</p></nav>\n";
}

# Groups side by side, where there are several.
sub _groups_in_a_row {
    my ($judgement) = @_;
    my @groups = @{ $judgement->{groups} };
    return '' if @groups < 2;
    return qq{<section id="groups">\n<h2>Groups</h2>\n}
        . table(
        caption => 'Groups of equal hosts',
        head    => [ 'Group', 'Hosts', 'Slowest', 'Fastest', 'Between hosts', 'Stand out' ],
        left    => [5],
        class   => 'pinned',
        rows    => [ map { _group_row($_) } @groups ]
        ) . "</section>\n";
}

sub _group_row {
    my ($group) = @_;
    my @known = grep { defined $_->{ratio} } @{ $group->{hosts} };
    my %many;
    $many{ class($_) }++ for @known;
    my @out = map { $many{$_} ? "$many{$_} $_" : () } qw(bad suspect inconclusive fast cleared);
    return [
        qq{<a href="#g$group->{number}">}
            . text("$group->{number}: " . short(Touchstone::Report::Fleet::Judgement::kind($group), 80))
            . '</a>',
        scalar @{ $group->{hosts} },
        @known ? (map { ratio(@{$_}{qw(ratio interval)}) } @known[ 0, -1 ]) : ($DASH, $DASH),
        text(Touchstone::Report::Fleet::Phrases::spread(($group->{variance} || {})->{hosts}) // $DASH),
        $group->{judged} ? text(join ', ', @out) : text($group->{why_not} // 'not tested')
    ];
}

# Where the rest is.
sub _ends {
    my ($judgement, $at) = @_;
    my %pages = map { $_->{file} => 1 } values %$at;
    my @pages = map { "hosts-$_.html" } 1 .. keys %pages;
    my $path  = Touchstone::Report::Fleet::ConfirmCommand::quoted($judgement->{directory});
    return join '', "<h2>More</h2>\n",
        @pages
        ? (
        '<nav><p>Each host with all its figures and records: ',
        join(', ', map { my ($n) = /(\d+)/; qq{<a href="$_">page $n</a>} } @pages),
        "</p></nav>\n"
        )
        : (),
        '<p class="dim">The same for programs: <code>',
        text(Touchstone::Report::Fleet::ConfirmCommand::run($judgement) . " --fleet $path"),
        " --format json</code>; csv has a line for each host and figure.</p>\n";
}

1;
