# SPDX-License-Identifier: GPL-2.0-or-later
# Pack::Fleet::Report::Headline - what a report on a fleet begins with, as sentences:
#
#   web09 is 12 % slower than hosts like it (confirmed, 3 runs).
#   2 hosts are suspect: web22 (3.8 % slower) and web26 (2.2 % slower).
#   2 hosts are missing: web98 and db9.
#
# A fact that divides the hosts is the answer if no host is bad:
#
#   microcode divides the hosts: 20 with 0x1 are 3.7 % slower than 20 with 0x2 (66 % of the variance).
#   No host stands out: all 40 were judged; the slowest is web16 (3.0 % slower), within what these hosts
#     differ by.
#   Hosts up to 6.7 % slow cannot be distinguished from the others here.
#
# and the sentences that follow: who is where, how large the natural spread is, and how many hosts and runs
# would see a change.
package Touchstone::Pack::Fleet::Report::Headline;
use 5.014;
use strict;
use warnings;

use List::Util qw(max);

use Touchstone::Base::Figure qw(part);
use Touchstone::Base::Symbols qw($TIMES);
use Touchstone::Stats qw(median);
use Touchstone::Base::Text qw(plural);
use Touchstone::Pack::Fleet::Report::Phrases
    qw(are best_known outstanding_hosts hosts_that figure label missing names number percent shown_name slower
    spread);

# Hosts that a sentence names. A fact associated with a difference is named below this p.
my ($NAMED, $CHANCE) = (4, 0.05);

# Returns the sentences, the most important first.
sub sentences {
    my ($judgement) = @_;
    my @divided     = _divided($judgement);
    my @slow        = (
        _bad($judgement),    _suspects($judgement),
        _within($judgement), _of_class($judgement, 'inconclusive', 'inconclusive even after new runs')
    );
    my @common   = _of_a_kind($judgement);
    my @facts    = map { _dividing($_) } @{ $judgement->{groups} };
    my $affected = max(0, map { $_->[0] } @common);
    my @most     = $affected > hosts_that($judgement, 'bad') ? map { $_->[1] } splice @common : ();
    my @bad      = hosts_that($judgement, 'bad');
    return (
        @most,
        @bad  ? ()    : splice(@facts),
        @slow ? @slow : @divided
            && !_judged($judgement) ? splice @divided : @most ? () : _no_host($judgement),
        _disturbed($judgement),
        _missing($judgement),
        _of_class($judgement, 'cleared', 'cleared: like the others in new runs'),
        _of_class($judgement, 'fast',    'faster than the others'),
        @divided,
        @facts,
        map { $_->[1] } @common
    );
}

# The weightiest fact that goes with the differences between the hosts of a group: it divides them, whether or
# not a gap lies between both parts. If the group or single figures are two groups, another sentence
# has it.
sub _dividing {
    my ($group) = @_;
    my ($fact)  = @{ $group->{goes_with} || [] };
    return if !$fact || !$group->{judged} || $group->{split} || grep { $_->{divided} } @{ $group->{figures} };
    my ($slow, $fast) = @{ $fact->{values} }[ 0, -1 ];
    return if !defined $slow->{ratio} || !$fast->{ratio};
    my $much = slower({ ratio => $slow->{ratio} / $fast->{ratio} });
    my ($these, $others) = map { number($_->{hosts}) . ' with ' . shown_name($_->{text}, 30) } $slow, $fast;
    my $values = @{ $fact->{values} };
    return
          join(' + ', @{ $fact->{associated} })
        . " divides the hosts: $these are $much than $others ("
        . ($values > 2 ? "of $values values; " : '')
        . percent($fact->{part})
        . ' % of the variance between hosts).';
}

# What part of a group has in common, as [ how many hosts, sentence ]: these are slower in some figures, in
# which the group is split in two.
#
#   8 of 24 hosts are 5.0 to 8.1 % slower in Context switch, Pipe throughput and System call; microcode is
#   0xa0011a8 on these hosts.
sub _of_a_kind {
    my ($judgement) = @_;
    return map { _split_figures($_) } grep { $_->{judged} && !$_->{split} } @{ $judgement->{groups} };
}

sub _split_figures {
    my ($group)  = @_;
    my @figures  = grep { $_->{divided} } @{ $group->{figures} } or return;
    my $count    = grep { defined $_->{ratio} } @{ $group->{hosts} };
    my ($fact)   = grep { @{ $_->{values} } == 2 && ($_->{p} // 1) < $CHANCE } @{ $group->{goes_with} || [] };
    my ($slow)   = sort { ($a->{ratio} // 1) <=> ($b->{ratio} // 1) } $fact ? @{ $fact->{values} } : ();
    my %names    = map  { label($_) => 1 } @figures;
    my @clusters = map  { _slow_cluster($group, $_) } @figures;
    my @sizes    = sort { $a <=> $b } map { $_->[0] } grep { $_->[0] } @clusters or return;
    my @losses   = sort { $a <=> $b } map { $_->[1] } grep { $_->[0] } @clusters;
    my $hosts    = $slow ? number($slow->{hosts}) : $sizes[ $#sizes / 2 ];
    my ($low, $high) = map { percent($_) } @losses[ 0, -1 ];
    my $loss = $low eq $high ? $low : "$low to $high";
    my $with =
        $slow
        ? '; '
        . join(' + ', @{ $fact->{associated} }) . ' is '
        . shown_name($slow->{text}, 30)
        . ' on these hosts'
        : '';
    return [
        $hosts, "$hosts of $count hosts are $loss % slower in " . names($NAMED, sort keys %names) . "$with."
    ];
}

# The slower hosts of a figure, below its largest gap, without those that are slow in all figures: how many,
# and by how much their median is below that of the others.
sub _slow_cluster {
    my ($group, $figure) = @_;
    my @ratios = sort { $a <=> $b } map {
        my $is = ($_->{figures}{ $figure->{key} } || {})->{ratio};
        defined $is && class_of($_) ne 'bad' ? $is : ()
    } @{ $group->{hosts} };
    return [ 0, 0 ] if @ratios < 3;
    my ($widest) = sort { $ratios[$b] / $ratios[ $b - 1 ] <=> $ratios[$a] / $ratios[ $a - 1 ] } 1 .. $#ratios;
    my ($slow, $fast) = (median(@ratios[ 0 .. $widest - 1 ]), median(@ratios[ $widest .. $#ratios ]));
    return [ $widest, 1 - $slow / $fast ];
}

sub class_of { return Touchstone::Pack::Fleet::Report::Phrases::class(@_) }

sub _bad {
    my ($judgement) = @_;
    my @bad = hosts_that($judgement, 'bad') or return;
    return _one_bad($judgement, @bad) if @bad == 1;
    return @bad . ' hosts are slow: ' . names($NAMED, map { _with_ratio($judgement, $_) } @bad) . '.';
}

sub _one_bad {
    my ($judgement, $host) = @_;
    my $again = ($host->{confirmed} || {})->{runs};
    my $times = $again ? ' (confirmed, ' . plural($again, 'run') . ')' : '';
    my ($worst, @more) = _slow_figures($judgement, $host);
    my $most = @more  ? plural(1 + @more, 'figure') . ', most in ' : '';
    my $in   = $worst ? " in $most" . figure($worst->[0])          : '';
    my $much = slower($worst ? $worst->[1] : best_known($host));

    # New runs are compared with those of a few of them.
    my $others = plural(@{ _group_of($judgement, $host)->{hosts} } - 1, 'other');
    my $like   = $again ? 'hosts like it' : "the $others like it";
    return shown_name($host->{host}) . " is $much than $like$in$times.";
}

# True where the mean over all figures is low, and no few figures make it so, which would have to be named.
# After new runs their mean counts, though few figures of three runs are beyond chance by themselves.
sub _is_slow_in_all {
    my ($judgement, $host) = @_;
    my $group = _group_of($judgement, $host);
    my @far   = outstanding_hosts($group, $host);
    return best_known($host)->{ratio} < 1 - ($judgement->{smallest} // 0.03)
        && (!@far || 2 * @far > @{ $group->{figures} });
}

# The figures in which a host is far, unless all of it is slow, as new runs have found them if it has some:
# those for which it became a suspect were slow by chance, in part.
sub _slow_figures {
    my ($judgement, $host) = @_;
    return if _is_slow_in_all($judgement, $host);
    my $group = _group_of($judgement, $host);
    my $new   = ($host->{confirmed} || {})->{figures} || {};
    my @bad   = grep { (($new->{ $_->{key} } || {})->{verdict} // '') eq 'bad' } @{ $group->{figures} };
    return outstanding_hosts($group, $host) if !@bad;
    return sort { $a->[1]{ratio} <=> $b->[1]{ratio} || $a->[0]{key} cmp $b->[0]{key} }
        map { [ $_, $new->{ $_->{key} } ] } @bad;
}

# "web22 (3.8 % slower)", or the worst figure where the mean is none of its trouble.
sub _with_ratio {
    my ($judgement, $host) = @_;
    my ($worst) = _slow_figures($judgement, $host);
    my $ratio = $worst ? slower($worst->[1]) . ' in ' . figure($worst->[0]) : slower(best_known($host));
    return shown_name($host->{host}) . " ($ratio)";
}

sub _group_of {
    my ($judgement, $host) = @_;
    for my $group (@{ $judgement->{groups} }) {
        return $group if grep { $_ == $host } @{ $group->{hosts} };
    }
    return;
}

sub _suspects {
    my ($judgement) = @_;
    my @suspects = hosts_that($judgement, 'suspect') or return;
    my $hosts =
          hosts_that($judgement, 'bad')
        ? plural(scalar @suspects, 'host')
        : @suspects . ' of ' . plural(_judged($judgement), 'host');
    my $names = names($NAMED, map { _with_ratio($judgement, $_) } @suspects);
    return join ' ', $hosts, are(scalar @suspects), "suspect, not yet confirmed: $names.";
}

sub _missing {
    my ($judgement) = @_;
    my @missing = map { $_->{host} } missing($judgement) or return;
    return join ' ', plural(scalar @missing, 'host'), are(scalar @missing), 'missing:',
        names($NAMED, @missing) . '.';
}

# Those that are slow again, and that no more than these hosts differ by.
sub _within {
    my ($judgement) = @_;
    my @hosts = grep { ($_->{confirmed} || {})->{within} } hosts_that($judgement, 'inconclusive') or return;
    my $names = names($NAMED, map { shown_name($_->{host}) . ' (' . slower(best_known($_)) . ')' } @hosts);
    return join ' ', $names, are(scalar @hosts),
        'slow again in new runs, but within what these hosts differ by.';
}

sub _of_class {
    my ($judgement, $class, $words) = @_;
    my @hosts = map { $_->{host} } grep { !($_->{confirmed} || {})->{within} } hosts_that($judgement, $class)
        or return;
    return join ' ', names($NAMED, @hosts), are(scalar @hosts), "$words.";
}

sub _no_host {
    my ($judgement) = @_;
    my @groups      = @{ $judgement->{groups} };
    my $hosts       = _judged($judgement);
    return _no_records($judgement)                               if !grep { @{ $_->{hosts} } } @groups;
    return 'No host could be judged: ' . _why_not(@groups) . '.' if !$hosts;
    my $is_what = hosts_that($judgement, 'fast') ? 'is slow' : 'stands out';
    my $were    = $hosts == 1                    ? '1 was'   : "all $hosts were";
    my $slowest = slowest($judgement);
    my $limit   = max(map { $_->{detectable} // 0 } @groups);
    return "No host $is_what: $were judged." if !$slowest;
    my $name  = shown_name($slowest->{host}) . ' (' . slower($slowest) . ')';
    my $least = part($limit);
    return (
        "No host $is_what: $were judged; the slowest is $name, within what these hosts differ by.",
        $limit > ($judgement->{smallest} // 0.03)
        ? "Hosts up to $least slow cannot be distinguished from the others here."
        : ()
    );
}

# The slowest host of its group without a verdict of its own.
sub slowest {
    my ($judgement) = @_;
    my ($slowest) =
        sort { $a->{ratio} <=> $b->{ratio} } grep { ($_->{ratio} // 1) < 1 && !length $_->{verdict} }
        map  { @{ $_->{hosts} } } grep            { $_->{judged} && !$_->{split} } @{ $judgement->{groups} };
    return $slowest;
}

# Where most hosts did other work, there is little to say of all of them.
sub _disturbed {
    my ($judgement) = @_;
    my ($warning)   = grep { $_->{id} eq 'disturbed' } @{ $judgement->{warnings} || [] } or return;
    my $disturbed   = @{ $warning->{hosts} };
    my $hosts       = map { @{ $_->{hosts} } } @{ $judgement->{groups} };
    return                                                     if $disturbed <= $hosts / 2;
    return 'Other work ran on the host while it was measured.' if $hosts == 1;
    my $which = $disturbed == $hosts ? "all $hosts" : "$disturbed of the $hosts";
    return "Other work ran on $which hosts while they were measured.";
}

# How many hosts were compared with their like.
sub _judged {
    my ($judgement) = @_;
    return scalar grep { defined $_->{ratio} }
        map { @{ $_->{hosts} } } grep { $_->{judged} && !$_->{split} } @{ $judgement->{groups} };
}

sub _no_records {
    my ($judgement) = @_;
    my $expected = ($judgement->{standing} || {})->{expected};
    return 'No host has a record yet' . ($expected ? ", of $expected that are expected." : '.');
}

sub _why_not {
    my (@groups) = @_;
    my %seen;
    my @why = grep { !$seen{$_}++ } map { $_->{why_not} // 'fewer than 5 hosts of one kind' } @groups;
    return @why == 1 ? $why[0] : 'in each group of equal hosts there are fewer than 5';
}

# A group that is two groups has nobody who is bad.
sub _divided {
    my ($judgement) = @_;
    return map { 'Group ' . $_->{number} . ' is two groups: ' . divided($_->{split}) . '.' }
        grep { $_->{split} } @{ $judgement->{groups} };
}

# "9 hosts are 0.93 times as fast as 21 others, and kernel divides them (6.1 and 6.8)"
sub divided {
    my ($split) = @_;
    my ($slow, $fast) = map { scalar @$_ } @{ $split->{clusters} };
    my $values = join ' and ', map { shown_name($_) } @{ $split->{values} || [] };
    my $fact   = ($split->{fact} // 'no recorded fact') . ' divides them';
    $fact .= " ($values)" if defined $split->{fact} && length $values;
    my $ratio = sprintf '%.3f', $split->{ratio};
    return join ' ', plural($slow, 'host'), are($slow), "$ratio times as fast as $fast others, and $fact";
}

# "40 hosts expected: 38 received, 1 unreachable, 1 failed"
sub standing {
    my ($judgement) = @_;
    my $standing    = $judgement->{standing} or return;
    my @parts       = ("$standing->{received} received");
    for my $what (@Touchstone::Pack::Fleet::Report::Phrases::MISSING) {
        my $many = @{ $standing->{$what} || [] };
        push @parts, "$many " . $what =~ s/_/ /r if $many;
    }
    return plural($standing->{expected}, 'host') . ' expected: ' . join ', ', @parts;
}

# What one may say of the spread of a group.
sub variance {
    my ($variance) = @_;
    my @levels =
        ([ hosts => 'between hosts' ], [ runs => 'between runs of a host' ], [ passes => 'within a run' ]);
    return join ', ', map {
        my $text = spread(($variance || {})->{ $_->[0] });
        defined $text ? "$_->[1] $text" : ()
    } @levels;
}

# "To see a change of 1 %: 14 hosts x 2 runs on each side, or 6 hosts x 2 runs before and after." for each
# difference of a plan, where more runs are only told if they save hosts. So many differences are enough.
my $PLANNED = 2;

sub plan {
    my ($plan) = @_;
    my (@order, %of);
    for my $row (@{ $plan || [] }) {
        push @order,                         $row->{difference} if !$of{ $row->{difference} };
        push @{ $of{ $row->{difference} } }, $row;
    }
    splice @order, $PLANNED if @order > $PLANNED;
    return map {
        my @ways = (
            _ways('unpaired', ' on each side',     @{ $of{$_} }),
            _ways('paired',   ' before and after', @{ $of{$_} })
        );
        @ways ? sprintf('To detect a change of %g %%: ', 100 * $_) . join(', or ', @ways) . '.' : ()
    } @order;
}

# "14 hosts x 2 runs" for each number of runs that needs fewer hosts than the one before.
sub _ways {
    my ($kind, $when, @rows) = @_;
    my ($fewest, @ways);
    for my $row (sort { ($a->{runs} // 1) <=> ($b->{runs} // 1) } grep { defined $_->{$kind} } @rows) {
        next if defined $fewest && $row->{$kind} >= $fewest;
        $fewest = $row->{$kind};
        push @ways, plural($fewest, 'host') . " $TIMES " . plural($row->{runs} // 1, 'run') . $when;
    }
    return @ways;
}

1;
