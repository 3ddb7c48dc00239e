# SPDX-License-Identifier: GPL-2.0-or-later
# Pack::Fleet::Report::Rollout - what Pack::Fleet::Rollout found: the answer, how far to believe it, and the
# figures:
#
#   worse: 2 of 24 figures are slower after the change; pipe × 4 most: −3.0 % (−3.6 to −2.4 %)
#   all figures together: −0.3 % (−0.6 to −0.1 %)
#   changed between k67 and k68: kernel 6.1.0-40 → 6.1.0-41 on 11 of 12 hosts
#
#     Figure     Change   95 % interval  Verdict  Can hide  Limit       p
#     pipe × 4   −3.0 %  −3.6 to −2.4 %  worse           –  1.3 %  0.0122
package Touchstone::Pack::Fleet::Report::Rollout;
use 5.014;
use strict;
use warnings;

use List::Util qw(max);

use Touchstone::Base::Figure qw(part);
use Touchstone::Base::Symbols qw($ARROW $DASH);
use Touchstone::Base::Text qw(list_and_more named plural short);
use Touchstone::Pack::Fleet::Report::Phrases qw(are cannot_be_read for_letters for_page limit_range p table);
use Touchstone::Pack::Fleet::Rollout::Pairs qw(%OF_MEASURING);
use Touchstone::Pack::Fleet::Stats::BeforeAfter
    qw($FASTER $FEWEST_CONTROLS $INCONCLUSIVE $LEVEL $NOT_TESTED $NO_WORSE $WORSE);
use Touchstone::Report::Compare::Cause;
use Touchstone::Report::Compare::Verdict;
use Touchstone::Report::Plot::Forest;
use Touchstone::Report::Verdict qw(word);

# Limits of the names in a list, and of figures and changes in a sentence; letters of a name, and in a table.
my ($NAMED, $FIGURES, $CHANGES, $LETTERS, $IN_TABLE) = (6, 4, 5, 60, 40);

# A text has so many changes, and a page folds more of them.
my $MAX_CHANGES = 12;

sub parts {
    my ($rollout) = @_;
    return (
        [ points => _points($rollout) ],
        for_page(_picture($rollout)),
        _figures($rollout), _worst($rollout), _groups($rollout), _moved($rollout), _changes($rollout)
    );
}

my @COLUMNS = qw(test copies suite hosts controls ratio low high p verdict hides limit drift slowest);

# A line a figure; the first is the mean over all.
sub rows {
    my ($rollout) = @_;
    my $all = $rollout->{all};
    return (
        \@COLUMNS,
        map { _row($_) } $all ? { name => 'all figures', %$all } : (),
        @{ $rollout->{figures} }
    );
}

sub _row {
    my ($figure) = @_;
    return [
        @$figure{qw(name copies suite hosts controls ratio)},
        @{ $figure->{interval} || [ '', '' ] },
        @$figure{qw(p verdict hides limit drift)},
        join ' ',
        map { $_->{host} } @{ $figure->{worst} || [] }
    ];
}

# How far to believe what a roll-out is said to have done: which hosts count, which do not and why, the drift,
# and what would have been seen.
sub _points {
    my ($rollout) = @_;
    return (_paired($rollout), _drift($rollout), _limits($rollout), _unlike_measured($rollout),
        _not_compared($rollout), _lost($rollout), map { cannot_be_read($_) } @{ $rollout->{damaged} || [] });
}

sub _paired {
    my ($rollout) = @_;
    my $wave      = $rollout->{wave} ? " in wave $rollout->{wave}{nth} of $rollout->{wave}{of}" : '';
    my $figures   = plural(scalar @{ $rollout->{figures} }, 'figure');
    return plural($rollout->{hosts}, 'host')
        . " measured before and after ($figures$wave need $rollout->{needed} or more)";
}

sub _drift {
    my ($rollout) = @_;
    return 'no control hosts: drift of all hosts counts as part of the change (--control LABEL)'
        if !defined $rollout->{control};
    my $control = "control: $rollout->{control}, " . plural($rollout->{controls}, 'host');
    my $drift   = $rollout->{drift} or return "$control, drift not known";
    my @changes = map { "$_->{thing} on $_->{controls}" }
        grep { $_->{controls} && $_->{hosts} } @{ $rollout->{changes} };
    return ("$control drifted by " . difference($drift) . ', which is taken off',
        _named('control hosts changed, too', @changes));
}

# What would have been seen.
sub _limits {
    my ($rollout) = @_;
    my $range     = $rollout->{hosts} < $rollout->{needed} ? '' : limit_range($rollout);
    return length $range ? "detection limit: $range, seen in four of five such roll-outs" : ();
}

sub _unlike_measured {
    my ($rollout) = @_;
    return map { "the campaigns were not measured alike: $_->{thing} " . from_to($_) }
        grep { $OF_MEASURING{ $_->{thing} } } @{ $rollout->{changes} };
}

# Hosts that are not compared.
sub _not_compared {
    my ($rollout) = @_;
    my @renamed = map { "$_->{before} is now $_->{after}" } @{ $rollout->{renamed} };
    return (
        _named('only before',                             @{ $rollout->{only_before} }),
        _named('only after',                              @{ $rollout->{only_after} }),
        _named('not paired, one machine under two names', @renamed),
        _named('not paired, installed again',             @{ $rollout->{reinstalled} }),
        _for_reasons('not compared',              @{ $rollout->{unlike} }),
        _for_reasons('left out, not a valid run', _at_once(@{ $rollout->{invalid} })),
        _missing($rollout->{missing})
    );
}

# Merges what is equal before and after the change.
sub _at_once {
    my (%when, %last);
    for my $invalid (@_) {
        my $key = "$invalid->{host}\n$invalid->{why}";
        push @{ $when{$key} }, $invalid->{when} if !grep { $_ eq $invalid->{when} } @{ $when{$key} };
        $last{$key} = $invalid;
    }
    return map { +{ %{ $last{$_} }, why => join(' and ', @{ $when{$_} }) . ": $last{$_}{why}" } }
        sort keys %last;
}

# A line for each reason.
sub _for_reasons {
    my ($what, @hosts) = @_;
    my %of;
    push @{ $of{ $_->{why} } }, $_->{host} for @hosts;
    return map { "$what: " . _list(@{ $of{$_} }) . ': ' . short($_, 2 * $LETTERS) } sort keys %of;
}

sub _missing {
    my ($missing) = @_;
    my @hosts     = @{ ($missing || {})->{hosts} || [] } or return;
    my $allowed   = $missing->{allowed} ? part($missing->{allowed}) : 'none';
    return _named('expected after the change and not measured', @hosts) . ' (' . @hosts
        . " of $missing->{expected}, $allowed allowed)";
}

sub _lost {
    my ($rollout) = @_;
    my @lost = map { named($_) . ' has no result after the change on ' . _list(@{ $_->{hosts} }) }
        @{ $rollout->{lost} };
    my @left_out = map { named($_) } @{ $rollout->{left_out} };
    return (@lost, _named('on fewer than half of the hosts, and left out', @left_out));
}

# "only before: web1, web2".
sub _named {
    my ($what, @names) = @_;
    return @names ? "$what: " . _list(@names) : ();
}

sub _list {
    return list_and_more($NAMED, map { short($_, $LETTERS) } @_);
}

my %LOOK = (
    $WORSE  => 'bad',
    $FASTER => 'good'
);

sub _picture {
    my ($rollout) = @_;
    my @rows =
        map {
        +{ %$_, name => named($_), class => $LOOK{ $_->{verdict} }, is_clear => $LOOK{ $_->{verdict} } }
        } @{ $rollout->{figures} };
    return Touchstone::Report::Plot::Forest::parts(
        title => 'Change of each figure, with its 95 % interval',
        rows  => \@rows
    );
}

# What can hide matters where no slow-down is proven.
sub _figures {
    my ($rollout) = @_;
    my @rows = map { +{ %$_, title => named($_) } } @{ $rollout->{figures} };
    push @rows, { %{ $rollout->{all} }, title => 'all figures' } if $rollout->{all} && @rows > 1;
    my $share    = sub { return defined $_[0] ? part($_[0]) : $DASH };
    my $is_worse = sub { return $_[0]{verdict} eq $WORSE };
    my $hosts    = sub { return $_[0]{hosts} == $rollout->{hosts} ? '' : $_[0]{hosts} };
    return table(
        { caption => 'Figures, the slowest first', class => 'stacked' },
        \@rows,
        { title => 'Figure',        cell => sub { short($_[0]{title}, $IN_TABLE) } },
        { title => 'Change',        cell => \&difference },
        { title => '95 % interval', cell => \&interval },
        { title => 'Verdict',       cell => sub { word($_[0]{verdict}) }, left => 1 },
        { title => 'Can hide',      cell => sub { $is_worse->(@_) ? $DASH : $share->($_[0]{hides}) } },
        { title => 'Limit',         cell => sub { $share->($_[0]{limit}) } },
        { title => 'p',             cell => sub { p($_[0]{p}) } },
        { title => 'Hosts',         cell => $hosts, spare => 1 }
    );
}

# The hosts on which what is worse is worst.
sub _worst {
    my ($rollout) = @_;
    my @worse     = of_verdict($rollout, $WORSE);
    my $host      = sub { return short($_[0]{host}, $IN_TABLE) . ' ' . difference($_[0]) };
    return table(
        { caption => 'Hosts on which worse figures are slowest', class => 'stacked' },
        \@worse,
        { title => 'Figure', cell => \&named },
        {
            title => 'Hosts',
            cell  => sub {
                join ', ', map { $host->($_) } @{ $_[0]{worst} };
            },
            left => 1
        }
    );
}

sub _groups {
    my ($rollout) = @_;
    return if @{ $rollout->{groups} } < 2;
    my $p = ($rollout->{differ} || {})->{p};
    my $whether =
          !defined $p  ? 'too few hosts to say whether they differ'
        : $p <= $LEVEL ? sprintf('they differ (p %.3g)', $p)
        :                sprintf('no difference is proven (p %.3g)', $p);
    return table(
        { caption => "Groups of hosts, all figures together: $whether" },
        $rollout->{groups},
        { title => 'Group',         cell => sub { short($_[0]{title}, 2 * $IN_TABLE) } },
        { title => 'Hosts',         cell => sub { $_[0]{hosts} } },
        { title => 'Change',        cell => \&difference },
        { title => '95 % interval', cell => \&interval }
    );
}

sub _moved {
    my ($rollout) = @_;
    my $figures = sub {
        return map { named($_) . ' ' . difference($_) } @{ $_[0]{figures} };
    };
    return table(
        { caption => 'Hosts that changed unlike the others', class => 'stacked' },
        $rollout->{moved},
        { title => 'Host',                     cell => sub { short($_[0]{host}, $IN_TABLE) } },
        { title => 'Compared with the others', cell => \&difference },
        { title => 'Most in',                  cell => sub { list_and_more(3, $figures->(@_)) }, left => 1 }
    );
}

sub _changes {
    my ($rollout) = @_;
    my @changes   = @{ $rollout->{changes} };
    my @first     = @changes > $MAX_CHANGES ? @changes[ 0 .. $MAX_CHANGES - 1 ] : ();
    my $controls  = $rollout->{controls};
    my @columns   = (
        { title => 'Fact',          cell => sub { $_[0]{thing} } },
        { title => 'Before',        cell => sub { short($_[0]{from}, $IN_TABLE) }, left => 1 },
        { title => 'After',         cell => sub { short($_[0]{to},   $IN_TABLE) }, left => 1 },
        { title => 'Hosts',         cell => sub { "$_[0]{hosts} of $rollout->{hosts}" } },
        { title => 'Control hosts', cell => sub { "$_[0]{controls} of $controls" }, if => sub { $controls } }
    );
    my $caption = 'Facts that changed';
    my @all     = table({ caption => $caption, class => 'stacked' }, \@changes, @columns);
    return @all if !@first;
    my $suffix = " (the first $MAX_CHANGES of " . @changes . ')';
    return (for_letters(table({ caption => $caption . $suffix }, \@first, @columns)),
        for_page([ fold => $caption, @all ]));
}

sub _cause {
    my ($rollout) = @_;
    my $cause = $rollout->{cause} or return;
    return Touchstone::Report::Compare::Cause::sentences($cause, $rollout->{changes}, @{ $cause->{tests} });
}

# What a roll-out did, in sentences: the answer, all figures
# together, and what changed between the two campaigns.

sub sentences {
    my ($rollout) = @_;
    return (
        _answer($rollout),      _slight($rollout), _all($rollout), _unlike_groups($rollout),
        _moved_hosts($rollout), _changed_facts($rollout),
        _cause($rollout)
    );
}

sub _answer {
    my ($rollout) = @_;
    my $missing = _missing_hosts($rollout);
    return ($missing ? "$missing; speeds: " : '') . _of_speed($rollout);
}

# The hosts that did not come back are the answer where they are too many.
sub _missing_hosts {
    my ($rollout) = @_;
    my $missing   = $rollout->{missing} or return;
    my @hosts     = @{ $missing->{hosts} };
    return if !@hosts || @hosts <= $missing->{allowed} * $missing->{expected};
    return
          'missing after the change: '
        . @hosts
        . " of $missing->{expected} hosts, "
        . list_and_more($FIGURES, @hosts);
}

sub _of_speed {
    my ($rollout) = @_;
    my $verdict   = $rollout->{verdict};
    my $because   = $verdict eq $WORSE ? \&_worse : $verdict eq $NO_WORSE ? \&_no_worse : \&_why_open;
    return word($verdict) . ': ' . $because->($rollout);
}

sub _worse {
    my ($rollout) = @_;
    my @worse     = of_verdict($rollout, $WORSE);
    my $all       = @{ $rollout->{figures} };
    return 'all figures together are slower after the change: ' . change($rollout->{all}) if !@worse;
    my $many = @worse == $all && $all > 1 ? "all $all" : @worse . " of $all";
    my $most = @worse == 1                ? ': '       : ', most of all ';
    return join ' ', "$many figures", are(scalar @worse),
        'slower after the change' . $most . named($worse[0]), change($worse[0]);
}

sub _no_worse {
    my ($rollout) = @_;
    my ($most)    = sort { $b->{hides} <=> $a->{hides} } @{ $rollout->{figures} };
    my $figures =
        plural(scalar @{ $rollout->{figures} }, 'figure') . ' on ' . plural($rollout->{hosts}, 'host');
    my $smallest = part($rollout->{smallest});
    my $largest  = part($most->{hides}) . ' (' . named($most) . ')';
    return "no slow-down of $smallest can hide in $figures; the largest possible is $largest";
}

# Slow-downs that are proven, and certainly smaller than what the user named.
sub _slight {
    my ($rollout) = @_;
    my @slight =
        map  { named($_) . ' ' . change($_) }
        grep { $_->{ratio} < 1 && $_->{p} <= $rollout->{level} } of_verdict($rollout, $NO_WORSE)
        or return;
    return 'slower, but by less than ' . part($rollout->{smallest}) . ': ' . list_and_more($FIGURES, @slight);
}

# Why nothing is proven, the most important reason alone.
sub _why_open {
    my ($rollout) = @_;
    my ($hosts, $controls) = @$rollout{qw(hosts controls)};
    my $figures = @{ $rollout->{figures} };
    my $fewest  = $FEWEST_CONTROLS;
    return 'no host was measured before and after with the same programs' if !$figures;
    return join ' ', plural($figures, 'figure'), $figures == 1 ? 'needs' : 'need',
        "$rollout->{needed} hosts that were measured before and after, and there", are($hosts), $hosts
        if $hosts < $rollout->{needed};
    return plural($controls, 'control host') . " are too few to know the drift: $fewest are needed"
        if defined $rollout->{control} && $controls < $fewest;
    my @few =
        map { named($_) . " ($_->{hosts})" } of_verdict($rollout, $NOT_TESTED);
    return 'too few hosts have ' . list_and_more($FIGURES, @few) . ' after the change' if @few;
    return _can_hide($rollout) // 'the change does not act on all groups alike';
}

sub _can_hide {
    my ($rollout) = @_;
    my @open =
        sort { $b->{hides} <=> $a->{hides} } of_verdict($rollout, $INCONCLUSIVE)
        or return;
    my $smallest = part($rollout->{smallest});
    my $figures  = list_and_more($FIGURES, map { named($_) . ' (up to ' . part($_->{hides}) . ')' } @open);
    my $needed   = max(map { $_->{takes} // 0 } @open);
    return "no figure is proven slower, but a slow-down of $smallest can hide in $figures"
        . ($needed > $rollout->{hosts} ? "; about $needed hosts would rule it out" : '');
}

sub _all {
    my ($rollout) = @_;
    my $all = $rollout->{all};
    return if !$all || !$all->{interval} || @{ $rollout->{figures} } < 2;
    return 'all figures together: ' . change($all);
}

sub _unlike_groups {
    my ($rollout) = @_;
    my $differ = $rollout->{differ} or return;
    return if $differ->{p} > $LEVEL;
    my ($worst) = sort { $a->{ratio} <=> $b->{ratio} } grep { $_->{interval} } @{ $rollout->{groups} };
    return sprintf 'the change does not act on all groups alike (p %.3f); slowest: %s, %s', $differ->{p},
        short($worst->{title}, $LETTERS), change($worst);
}

sub _moved_hosts {
    my ($rollout) = @_;
    my @moved = map { short($_->{host}, $LETTERS) . ' ' . difference($_) } @{ $rollout->{moved} } or return;
    my $hosts = plural(scalar @moved, 'host');
    return "$hosts changed unlike the others: " . list_and_more($FIGURES, @moved) . '; measure them again';
}

sub _changed_facts {
    my ($rollout) = @_;
    my @names     = map { $rollout->{$_}{campaign} // $rollout->{$_}{directory} // $_ } qw(before after);
    my $between   = $names[0] eq $names[1] ? 'before and after' : join ' and ',
        map { short($_, $LETTERS) } @names;
    my $hosts   = plural($rollout->{hosts}, 'host');
    my @changes = map { "$_->{thing} " . from_to($_) . " on $_->{hosts} of $hosts" }
        grep { $_->{hosts} } @{ $rollout->{changes} };
    return "between $between no recorded fact changed" if !@changes;
    return "changed between $between: " . list_and_more($CHANGES, @changes);
}

sub from_to {
    my ($change) = @_;
    return join " $ARROW ", map { short($_, $LETTERS) } @$change{qw(from to)};
}

sub of_verdict {
    my ($figure, $verdict) = @_;
    return grep { $_->{verdict} eq $verdict } @{ $figure->{figures} };
}

sub difference {
    my ($figure) = @_;
    return Touchstone::Report::Compare::Verdict::difference(@$figure{qw(ratio interval)});
}

sub interval {
    my ($figure) = @_;
    return Touchstone::Report::Compare::Verdict::limits(@$figure{qw(ratio interval)});
}

# "−3.0 % (−3.6 to −2.4 %)".
sub change {
    my ($figure) = @_;
    return difference($figure) . ($figure->{interval} ? ' (' . interval($figure) . ')' : '');
}

1;
