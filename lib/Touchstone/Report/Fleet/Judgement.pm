# SPDX-License-Identifier: GPL-2.0-or-later
# Report::Fleet::Judgement - a judgement as parts of a page of letters, for text and Markdown:
#
#   web09 is slow: 0.884 times as fast as hosts like it, measured again 3 times.
#   ...
#   Group 1: 30 hosts, AMD EPYC 7763, 8 CPUs, KVM
#   between hosts 1.1 % (0.8 to 1.6), between runs of a host 0.6 % (0.5 to 0.8), within a run 0.3 %
#   To see a change of 1 %: 14 hosts x 2 runs on each side, or 6 hosts x 2 runs before and after
#
#     Host   Of median  95 % interval   Runs  Verdict
#     web09      0.884  0.871 to 0.897     4  bad
#
# A group with more hosts than fit on a screen has the ends, the quartiles and all that stand out.
package Touchstone::Report::Fleet::Judgement;
use 5.014;
use strict;
use warnings;

use Touchstone::Base::Figure qw(part people);
use Touchstone::Base::Signs qw($DASH);
use Touchstone::Base::Text qw(copies many short);
use Touchstone::Report::Fleet::Headline;
use Touchstone::Report::Fleet::ConfirmCommand;
use Touchstone::Report::Fleet::Trouble;
use Touchstone::Report::Fleet::Phrases
    qw(class conspicuous figure limits missing names number ratio shown_name word);

# A table has at most so many hosts; of more than that it has so many of each end.
our $MOST = 60;
my $END = 8;

# A name has so many letters in a table, a fact so many, and a list names so many hosts or figures.
my ($NAME, $FACT, $NAMED) = (28, 30, 6);

# `form`: text or markdown.
sub parts {
    my ($judgement, $form) = @_;
    return (
        _answer($judgement, $form),                       _standing($judgement),
        (map { _remarks($_) } @{ $judgement->{groups} }), _confirm($judgement),
        _missing($judgement),                             _warnings($judgement),
        map { _group($judgement, $_) } @{ $judgement->{groups} }
    );
}

# The same of a judgement that has nothing but the standing of its campaign.
sub standing {
    my ($judgement) = @_;
    return (_standing($judgement), _missing($judgement), _warnings($judgement));
}

sub _answer {
    my ($judgement, $form)   = @_;
    my ($first,     @others) = Touchstone::Report::Fleet::Headline::sentences($judgement);
    return [ text => $first, @others ] if $form eq 'text';
    return ([ heading => $first ], @others ? [ text => join ' ', @others ] : ());
}

sub _standing {
    my ($judgement) = @_;
    my $campaign    = ($judgement->{campaign} || {})->{campaign};
    my $where       = Touchstone::Report::Fleet::Headline::standing($judgement);
    my @lines       = (
        defined $where ? (defined $campaign ? "Campaign $campaign: " : '') . $where : (),
        Touchstone::Report::Fleet::Trouble::programs($judgement)
    );
    return @lines ? [ text => @lines ] : ();
}

# Those that are missing for the same reason stand together.
sub _missing {
    my ($judgement) = @_;
    my @missing = missing($judgement) or return;
    my (@order, %of);
    for my $host (@missing) {
        my $why = join ': ', grep { length } @$host{qw(what why)};
        push @order,         $why if !$of{$why};
        push @{ $of{$why} }, $host;
    }
    my $command = Touchstone::Report::Fleet::ConfirmCommand::measure($judgement);
    return (
        [ text => 'Missing:' ],
        [
            points => map {
                my @hosts = @{ $of{$_} };
                join "\n", "$_: " . names($MOST, map { $_->{host} } @hosts),
                    grep { length }
                    $hosts[0]{remedy}
            } @order
        ],
        defined $command ? [ form => "  $command" ] : ()
    );
}

# Why a host is missing, with the remedy.
sub why {
    my ($missing) = @_;
    return join '; ', grep { length } @$missing{qw(why remedy)};
}

sub _warnings {
    my ($judgement) = @_;
    my @said = map { Touchstone::Report::Fleet::Trouble::warning($_) } @{ $judgement->{warnings} || [] };
    push @said, Touchstone::Report::Fleet::Trouble::strange($judgement);
    return @said ? [ points => @said ] : ();
}

sub _group {
    my ($judgement, $group) = @_;
    my @hosts = @{ $group->{hosts} };
    return (
        [ text => title($group), facts($judgement, $group) ],
        @hosts ? [ table => _hosts($group) ] : (),
        _goes_with($group)
    );
}

sub title {
    my ($group) = @_;
    return "Group $group->{number}: " . many(scalar @{ $group->{hosts} }, 'host') . ', ' . kind($group);
}

# What its hosts are; how many there are is said elsewhere.
sub kind { my ($group) = @_; return $group->{title} =~ s/\A\d+ hosts?, //r }

# What is to be known of a group before its hosts are named.
sub facts {
    my ($judgement, $group) = @_;
    my $variance = Touchstone::Report::Fleet::Headline::variance($group->{variance});
    my $smallest = part($judgement->{smallest} // 0.03);
    return (
        (
            map { "$_->{title}, " . copies($_->{copies}) . ': median ' . people($_->{median}) }
                @{ $group->{index} || [] }
        ),
        $group->{judged} ? ()                   : ucfirst(($group->{why_not} // 'not tested') . '.'),
        length $variance ? ucfirst "$variance." : (),
        Touchstone::Report::Fleet::Headline::plan($group->{plan}),
        _hidden($judgement, $group),
        _divided($group),
        $group->{split}  ? ucfirst Touchstone::Report::Fleet::Headline::divided($group->{split}) . '.' : (),
        $group->{judged} ? _of_day($group)                                                             : ()
    );
}

# What may be there and was not found.
sub _hidden {
    my ($judgement, $group) = @_;
    return if ($group->{detectable} // 0) <= ($judgement->{smallest} // 0);
    return
          'With '
        . many(scalar(grep { defined $_->{ratio} } @{ $group->{hosts} }), 'host')
        . ' that scatter like this, one that is less than '
        . part($group->{detectable})
        . ' slower may not be found.';
}

# Figures in which hosts are of two kinds.
sub _divided {
    my ($group) = @_;
    my @figures = map { figure($_) } grep { $_->{divided} } @{ $group->{figures} } or return;
    return 'Hosts are of two kinds in ' . names($NAMED, @figures) . ': these make nobody suspect.';
}

sub _of_day {
    my ($group) = @_;
    return if grep { defined $_->{ratio} && !$_->{of_day} } @{ $group->{hosts} };
    return 'One run a host: what is slow here was slow on that day.';
}

sub _hosts {
    my ($group) = @_;
    my @rows = map { ref $_ ? _host($_) : [ $_, ('...') x 4 ] } chosen($group);
    return {
        head => [ 'Host', 'Of median', '95 % interval', 'Runs', 'Verdict' ],
        left => [ 0, 4 ],
        rows => \@rows
    };
}

# The hosts that a table has: all, or the ends, the quartiles and those that stand out, with a text such as
# "(12 more)" for those between.
sub chosen {
    my ($group, $end) = @_;
    my @hosts = @{ $group->{hosts} };
    return @hosts if @hosts <= $MOST;
    $end //= $END;
    my %shown = map { $_ => 1 } 0 .. $end - 1, $#hosts - $end + 1 .. $#hosts,
        (map { int($#hosts * $_ / 4 + 0.5) } 1 .. 3),
        _first($MOST, grep { length class($hosts[$_]) } 0 .. $#hosts);
    my (@found, $skipped);
    for my $i (0 .. $#hosts) {
        if (!$shown{$i}) { $skipped++; next }
        push @found, "($skipped more)" if $skipped;
        push @found, $hosts[$i];
        $skipped = 0;
    }
    return @found;
}

sub _first { my ($most, @all) = @_; return @all > $most ? @all[ 0 .. $most - 1 ] : @all }

sub _host {
    my ($host) = @_;
    return [
        short($host->{host}, $NAME),
        defined $host->{ratio} ? ratio(@$host{qw(ratio interval)})           : $DASH,
        defined $host->{ratio} ? limits(@$host{qw(ratio interval)}) || $DASH : $DASH,
        scalar @{ $host->{runs} || [] },
        defined $host->{void} ? 'not valid' : word($host)
    ];
}

# A point for each host that stands out.
sub _remarks {
    my ($group) = @_;
    my @said = map {
        my $host  = $_;
        my @lines = remarks($group, $host);
        @lines
            ? join "\n", shown_name($host->{host}) . ' (' . word($host) . '): ' . shift(@lines), @lines
            : ()
    } grep { length class($_) } @{ $group->{hosts} };
    return @said ? [ points => _first($MOST, @said) ] : ();
}

# What is known of a host that stands out, a line each: its signature with the remedy, where it is far from
# the others, what it alone has, and what new runs found.
sub remarks {
    my ($group, $host) = @_;
    my @far =
        map { figure($_->[0]) . ' ' . ratio(@{ $_->[1] }{qw(ratio interval)}) } conspicuous($group, $host);
    my $new = $host->{confirmed};
    return (
        $host->{signature} ? ($host->{signature}{text}, $host->{signature}{remedy} // ()) : (),
        @far
        ? 'furthest: ' . join('; ', _first(3, @far)) . (@far > 3 ? '; ' . (@far - 3) . ' more' : '')
        : (),
        (map { alone($_) } @{ $host->{alone_in} || [] }),
        $new && defined $new->{ratio}
        ? 'measured again'
            . ($new->{runs} ? ' ' . many($new->{runs}, 'time') : '') . ': '
            . ratio(@$new{qw(ratio interval)}) . ' ('
            . limits(@$new{qw(ratio interval)}) . ')'
        : (),
        _inconclusive($group, $host),
        doubts($host)
    );
}

# In which figures new runs did not tell.
sub _inconclusive {
    my ($group, $host) = @_;
    my $new  = ($host->{confirmed} || {})->{figures} || {};
    my @open = map { [ $_, $new->{ $_->{key} } ] }
        grep { (($new->{ $_->{key} } || {})->{verdict} // '') eq $host->{verdict} } @{ $group->{figures} };
    return if $host->{verdict} ne 'inconclusive' || !@open;
    my ($worst,  @more)  = sort { $a->[1]{interval}[0] <=> $b->[1]{interval}[0] } @open;
    my ($figure, $found) = @$worst;
    return
          'inconclusive in '
        . figure($figure) . ': '
        . ratio(@$found{qw(ratio interval)}) . ' ('
        . limits(@$found{qw(ratio interval)}) . ')'
        . (@more ? '; ' . @more . ' more' : '');
}

# Why its runs are not valid: all of them, or those that count nevertheless.
sub doubts {
    my ($host) = @_;
    return 'not valid: ' . $host->{void} if defined $host->{void};
    my @doubts = @{ $host->{doubts} || [] } or return;
    my $runs   = @{ $host->{runs}   || [] };
    my $which  = $runs == 1 ? 'its run is' : scalar(@doubts) . " of its $runs runs are";
    return "$which not valid: $doubts[-1]{why}";
}

sub alone {
    my ($fact) = @_;
    return
          "alone in $fact->{thing}: "
        . short($fact->{its} // 'none', $FACT)
        . ', others '
        . short($fact->{others} // 'none', $FACT);
}

sub _goes_with {
    my ($group) = @_;
    my @found = @{ $group->{goes_with} || [] } or return;
    return (
        [ text => 'What goes with the difference between these hosts:' ],
        [
            points => map {
                      things($_) . ': '
                    . part($_->{part})
                    . ' of the variance, p '
                    . p($_->{p}) . '; '
                    . _values($_)
            } @found
        ]
    );
}

# "microcode + kernel (they change together here)"
sub things {
    my ($found) = @_;
    my @things = @{ $found->{things} };
    return join(' + ', @things) . (@things > 1 ? ' (always together)' : '');
}

sub p { my ($p) = @_; return defined $p ? sprintf('%.2g', $p) : $DASH }

sub _values {
    my ($found) = @_;
    my @values = map { value($_) } @{ $found->{values} };
    return join '; ', _first(3, @values), @values > 3 ? '...' : ();
}

sub value {
    my ($value) = @_;
    return
          short($value->{text}, $FACT) . ': '
        . many(number($value->{hosts}), 'host')
        . (defined $value->{ratio} ? sprintf ', %.3f', $value->{ratio} : '');
}

sub _confirm {
    my ($judgement) = @_;
    return if !grep { class($_) eq 'suspect' } map { @{ $_->{hosts} } } @{ $judgement->{groups} };
    my $command = Touchstone::Report::Fleet::ConfirmCommand::confirm($judgement) // return;
    return ([ text => 'To find out whether the suspects are bad, measure them again at another time:' ],
        [ form => "  $command" ]);
}

1;
