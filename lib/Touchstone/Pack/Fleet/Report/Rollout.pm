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

use Touchstone::Base::Figure qw(part);
use Touchstone::Base::Signs qw($DASH);
use Touchstone::Base::Text qw(list_and_more named plural short);
use Touchstone::Pack::Fleet::Rollout::Facts;
use Touchstone::Pack::Fleet::Report::Phrases qw(cannot_be_read for_letters for_page limit_range p table);
use Touchstone::Pack::Fleet::Report::Rollout::Headline qw(difference from_to interval of_verdict);
use Touchstone::Pack::Fleet::Stats::BeforeAfter;
use Touchstone::Report::Plot::Forest;

# A list names so many hosts, a name or a value has so many letters, and in a table so many.
my ($NAMED, $LETTERS, $IN_TABLE) = (6, 60, 40);

# A text has so many changes, and a page folds more of them.
my $CHANGES = 12;

sub parts {
    my ($found) = @_;
    return (
        [ points => _points($found) ],
        for_page(_picture($found)),
        _figures($found), _worst($found), _groups($found), _moved($found), _changes($found)
    );
}

my @COLUMNS = qw(test copies suite hosts controls ratio low high p verdict hides limit drift slowest);

# A line a figure; the first is the mean over all.
sub rows {
    my ($found) = @_;
    my $all = $found->{all};
    return (\@COLUMNS, map { _row($_) } $all ? { name => 'all figures', %$all } : (), @{ $found->{figures} });
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
    my ($found) = @_;
    return (_paired($found), _drift($found), _limits($found), _unlike_measured($found),
        _not_compared($found), _lost($found), map { cannot_be_read($_) } @{ $found->{damaged} || [] });
}

sub _paired {
    my ($found) = @_;
    my $wave    = $found->{wave} ? " in wave $found->{wave}{nth} of $found->{wave}{of}" : '';
    my $figures = plural(scalar @{ $found->{figures} }, 'figure');
    return plural($found->{hosts}, 'host')
        . " measured before and after ($figures$wave need $found->{needed} or more)";
}

sub _drift {
    my ($found) = @_;
    return 'no control hosts: what the season did to all hosts counts as the change (--control LABEL)'
        if !defined $found->{control};
    my $control = "control: $found->{control}, " . plural($found->{controls}, 'host');
    my $drift   = $found->{drift} or return "$control, drift not known";
    my @changes = map { "$_->{thing} on $_->{controls}" }
        grep { $_->{controls} && $_->{hosts} } @{ $found->{changes} };
    return ("$control drifted by " . difference($drift) . ', which is taken off',
        _named('control hosts changed, too', @changes));
}

# What would have been seen.
sub _limits {
    my ($found) = @_;
    my $range   = $found->{hosts} < $found->{needed} ? '' : limit_range($found);
    return length $range ? "detection limit: $range, seen in four of five such roll-outs" : ();
}

sub _unlike_measured {
    my ($found) = @_;
    return map { "the campaigns were not measured alike: $_->{thing} " . from_to($_) }
        grep { $Touchstone::Pack::Fleet::Rollout::Facts::OF_MEASURING{ $_->{thing} } } @{ $found->{changes} };
}

# Hosts that are not compared.
sub _not_compared {
    my ($found) = @_;
    my @renamed = map { "$_->{before} is now $_->{after}" } @{ $found->{renamed} };
    return (
        _named('only before',                             @{ $found->{only_before} }),
        _named('only after',                              @{ $found->{only_after} }),
        _named('not paired, one machine under two names', @renamed),
        _named('not paired, installed anew',              @{ $found->{reinstalled} }),
        _for_reasons('not compared',              @{ $found->{unlike} }),
        _for_reasons('left out, not a valid run', _at_once(@{ $found->{void} })),
        _missing($found->{missing})
    );
}

# Merges what is equal before and after the change.
sub _at_once {
    my (%when, %last);
    for my $void (@_) {
        my $key = "$void->{host}\n$void->{why}";
        push @{ $when{$key} }, $void->{when} if !grep { $_ eq $void->{when} } @{ $when{$key} };
        $last{$key} = $void;
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
    my ($found) = @_;
    my @lost = map { named($_) . ' has no result after the change on ' . _list(@{ $_->{hosts} }) }
        @{ $found->{lost} };
    my @left_out = map { named($_) } @{ $found->{left_out} };
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
    $Touchstone::Pack::Fleet::Stats::BeforeAfter::WORSE  => 'bad',
    $Touchstone::Pack::Fleet::Stats::BeforeAfter::FASTER => 'good'
);

sub _picture {
    my ($found) = @_;
    my @rows =
        map {
        +{ %$_, name => named($_), class => $LOOK{ $_->{verdict} }, is_clear => $LOOK{ $_->{verdict} } }
        } @{ $found->{figures} };
    return Touchstone::Report::Plot::Forest::parts(
        title => 'Change of each figure, with its 95 % interval',
        rows  => \@rows
    );
}

# What can hide matters where no slow-down is proven.
sub _figures {
    my ($found) = @_;
    my @rows = map { +{ %$_, title => named($_) } } @{ $found->{figures} };
    push @rows, { %{ $found->{all} }, title => 'all figures' } if $found->{all} && @rows > 1;
    my $share    = sub { return defined $_[0] ? part($_[0]) : $DASH };
    my $is_worse = sub { return $_[0]{verdict} eq $Touchstone::Pack::Fleet::Stats::BeforeAfter::WORSE };
    my $hosts    = sub { return $_[0]{hosts} == $found->{hosts} ? '' : $_[0]{hosts} };
    return table(
        { caption => 'Figures, the slowest first' },
        \@rows,
        { title => 'Figure',        cell => sub { short($_[0]{title}, $IN_TABLE) } },
        { title => 'Change',        cell => \&difference },
        { title => '95 % interval', cell => \&interval },
        { title => 'Verdict',       cell => sub { $_[0]{verdict} }, left => 1 },
        { title => 'Can hide',      cell => sub { $is_worse->(@_) ? $DASH : $share->($_[0]{hides}) } },
        { title => 'Limit',         cell => sub { $share->($_[0]{limit}) } },
        { title => 'p',             cell => sub { p($_[0]{p}) } },
        { title => 'Hosts',         cell => $hosts, spare => 1 }
    );
}

# The hosts on which what is worse is worst.
sub _worst {
    my ($found) = @_;
    my @worse   = of_verdict($found, $Touchstone::Pack::Fleet::Stats::BeforeAfter::WORSE);
    my $host    = sub { return short($_[0]{host}, $IN_TABLE) . ' ' . difference($_[0]) };
    return table(
        { caption => 'Where worse figures are slowest' },
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
    my ($found) = @_;
    return if @{ $found->{groups} } < 2;
    my $p = ($found->{differ} || {})->{p};
    my $whether =
          !defined $p ? 'too few hosts to say whether they differ'
        : $p <= $Touchstone::Pack::Fleet::Stats::BeforeAfter::LEVEL ? sprintf('they differ (p %.3g)', $p)
        :   sprintf('no difference is proven (p %.3g)', $p);
    return table(
        { caption => "Groups of hosts, all figures together: $whether" },
        $found->{groups},
        { title => 'Group',         cell => sub { short($_[0]{title}, 2 * $IN_TABLE) } },
        { title => 'Hosts',         cell => sub { $_[0]{hosts} } },
        { title => 'Change',        cell => \&difference },
        { title => '95 % interval', cell => \&interval }
    );
}

sub _moved {
    my ($found) = @_;
    my $figures = sub {
        return map { named($_) . ' ' . difference($_) } @{ $_[0]{figures} };
    };
    return table(
        { caption => 'Hosts that changed unlike the others' },
        $found->{moved},
        { title => 'Host',                     cell => sub { short($_[0]{host}, $IN_TABLE) } },
        { title => 'Compared with the others', cell => \&difference },
        { title => 'Most in',                  cell => sub { list_and_more(3, $figures->(@_)) }, left => 1 }
    );
}

sub _changes {
    my ($found)  = @_;
    my @changes  = @{ $found->{changes} };
    my @first    = @changes > $CHANGES ? @changes[ 0 .. $CHANGES - 1 ] : ();
    my $controls = $found->{controls};
    my @columns  = (
        { title => 'Fact',          cell => sub { $_[0]{thing} } },
        { title => 'Before',        cell => sub { short($_[0]{from}, $IN_TABLE) }, left => 1 },
        { title => 'After',         cell => sub { short($_[0]{to},   $IN_TABLE) }, left => 1 },
        { title => 'Hosts',         cell => sub { "$_[0]{hosts} of $found->{hosts}" } },
        { title => 'Control hosts', cell => sub { "$_[0]{controls} of $controls" }, if => sub { $controls } }
    );
    my $caption = 'Facts that changed';
    my @all     = table({ caption => $caption }, \@changes, @columns);
    return @all if !@first;
    my $of = " (the first $CHANGES of " . @changes . ')';
    return (for_letters(table({ caption => $caption . $of }, \@first, @columns)),
        for_page([ fold => $caption, @all ]));
}

1;
