# SPDX-License-Identifier: GPL-2.0-or-later
# Pack::Fleet::Report::Judgement - the hosts of a campaign, judged, as an operator reads it from its top: who
# is bad and why; who is suspect and what to type; who is missing and what to type; warnings. Then each group
# of equal hosts (Pack::Fleet::Report::Group). A page has counts, too, and links.
package Touchstone::Pack::Fleet::Report::Judgement;
use 5.014;
use strict;
use warnings;

use Touchstone::Base::Symbols qw($DASH $DOT);
use Touchstone::Base::Text qw(natural_key plural short);
use Touchstone::Base::Time qw(date);
use Touchstone::Pack::Fleet::Report::Group;
use Touchstone::Pack::Fleet::Report::Headline;
use Touchstone::Pack::Fleet::Report::HostPages qw(addresses remarks_of ways_to_pages);
use Touchstone::Report::Verdict;
use Touchstone::Pack::Fleet::Report::Phrases
    qw(are best_known class command confirm for_letters for_page hosts_that measure missing names number
    quoted ratio remarks run shown_name spread table ways with_limits word);

# All classes of hosts that stand out, in this order.
my @CLASSES = qw(bad suspect inconclusive fast cleared);

# A page tells so many hosts of a class in full, and folds the others. A list has so many points, and so many
# missing hosts.
my ($CASES, $MOST) = (12, 60);

# So many hosts, files or groups are named in a line; a fact and a passport have so many letters.
my ($NAMED, $FACT, $PASSPORT) = (6, 90, 12);

sub title {
    my ($judgement) = @_;
    my ($answer)    = Touchstone::Pack::Fleet::Report::Headline::sentences($judgement);
    my $campaign    = ($judgement->{campaign} || {})->{campaign} // 'hosts';
    return short($answer, 80) =~ s/\.\z//r . " $DOT $campaign $DOT Touchstone";
}

sub about {
    my ($judgement) = @_;
    my $campaign = $judgement->{campaign} || {};
    return join " $DOT ", 'Touchstone',
        map { short($_, 80) } defined $campaign->{campaign} ? "campaign $campaign->{campaign}" : (),
        _day($judgement->{ended}),
        defined $campaign->{carrier} ? "by $campaign->{carrier}" : (),
        _runs_per_host($judgement);
}

# The runs that the hosts have, and not those that the campaign planned.
sub _runs_per_host {
    my ($judgement) = @_;
    my @runs        = sort { $a <=> $b }
        map { scalar @{ $_->{runs} || [] } } map { @{ $_->{hosts} } } @{ $judgement->{groups} || [] };
    return if !@runs;
    return ($runs[0] < $runs[-1] ? "$runs[0] to " : '') . plural($runs[-1], 'run') . ' per host';
}

# "22 Nov 2026, 03:42 UTC"
sub _day {
    my ($seconds) = @_;
    return if !defined $seconds;
    return date('%d %b %Y, %H:%M UTC', $seconds) =~ s/\A0//r;
}

sub parts {
    my ($judgement) = @_;
    my $addresses = addresses($judgement);
    return (
        for_page(_tally($judgement)),
        _standing($judgement),
        for_page(_ways_to_groups($judgement)),
        _cases($judgement, $addresses),
        _missing($judgement),
        _warnings($judgement),
        for_page(_groups($judgement)),
        (
            map { Touchstone::Pack::Fleet::Report::Group::section($judgement, $_, $addresses) }
                @{ $judgement->{groups} }
        ),
        for_page(_more($judgement, $addresses))
    );
}

# The same of a judgement that has nothing but the standing of its campaign.
sub standing {
    my ($judgement) = @_;
    return (_standing($judgement), _missing($judgement), _warnings($judgement));
}

# Figures with their names: what is nought and would be a worry is not there.
sub _tally {
    my ($judgement) = @_;
    my %hosts = map { my $class = $_; ($class => [ hosts_that($judgement, $class) ]) } @CLASSES;
    $hosts{missing}  = [ missing($judgement) ];
    $hosts{measured} = [ map { @{ $_->{hosts} } } @{ $judgement->{groups} } ];
    my %place = (missing => 'missing', measured => _is_one($judgement) ? 'g1'            : 'groups');
    my %word  = (bad => 'slow', measured => @{ $hosts{measured} } == 1 ? 'host measured' : 'hosts measured');
    my @boxes = map {
        my $way = { text => $word{$_} // $_, link => '#' . ($place{$_} // 'cases'), class => 'target' };
        +{ class => "is-$_", text => [ { text => scalar @{ $hosts{$_} }, as => 'b' }, ' ', $way ] }
    } grep { @{ $hosts{$_} } } qw(measured bad suspect missing inconclusive fast cleared);
    return [ list => { class => 'tally' }, @boxes ];
}

sub _is_one { my ($judgement) = @_; return @{ $judgement->{groups} } < 2 }

sub _standing {
    my ($judgement) = @_;
    my $campaign    = ($judgement->{campaign} || {})->{campaign};
    my $standing    = Touchstone::Pack::Fleet::Report::Headline::standing($judgement);
    my @lines       = (
        defined $standing ? (defined $campaign ? "Campaign $campaign: " : '') . $standing : (),
        _programs($judgement)
    );
    return @lines ? [ text => map { +{ text => $_, class => 'dim' } } @lines ] : ();
}

# Whether all measured with the same programs.
sub _programs {
    my ($judgement) = @_;
    my @passports   = @{ $judgement->{passports} || [] } or return;
    my @programs    = map {
        my $differs = join ', ', map { short($_, $FACT) } @{ $_->{differs} || [] };
        my $hosts   = plural(number($_->{hosts}), 'host') . (length $differs ? " ($differs)" : '');
        [ short($_->{passport} // 'unknown', $PASSPORT), $hosts ]
    } @passports;
    return "Programs: the same on all hosts (build fingerprint $programs[0][0])." if @passports == 1;
    return 'Programs: ' . @passports . ' builds, and hosts are compared within each of them: ' . join '; ',
        map { "$_->[0] on $_->[1]" } @programs;
}

# Where there are several groups, each can be reached from the top.
sub _ways_to_groups {
    my ($judgement) = @_;
    return if _is_one($judgement);
    my @ways = map {
        [
            { text => short(Touchstone::Pack::Fleet::Report::Group::kind($_), 60), link => "#g$_->{number}" },
            ' (' . plural(scalar @{ $_->{hosts} }, 'host') . ')'
        ]
    } @{ $judgement->{groups} };
    my $more = @ways - $NAMED;
    splice @ways, $NAMED, $more, { text => { text => "$more more", link => '#groups' } } if $more > 0;
    return ways('Groups', 'Groups:', @ways);
}

# Hosts that stand out, with the command that measures suspects again.
sub _cases {
    my ($judgement, $addresses) = @_;
    my %of = map { my $class = $_; ($class => [ hosts_that($judgement, $class) ]) } @CLASSES;
    return _slowest($judgement) if !grep { @$_ } values %of;
    my $command = @{ $of{suspect} } ? confirm($judgement) : undef;
    my $advice  = 'To confirm or clear the suspects, measure them again at another time:';
    return [
        section => { id => 'cases', description => 'Hosts that stand out' },
        for_letters(map { _remarks_of($_) } @{ $judgement->{groups} }),
        for_page(map { _cases_of($_, $addresses, @{ $of{$_} }) } @CLASSES),
        defined $command ? ([ text => $advice ], command($command)) : ()
    ];
}

# If no host stands out, the slowest host can be measured again.
sub _slowest {
    my ($judgement) = @_;
    my $slowest     = Touchstone::Pack::Fleet::Report::Headline::slowest($judgement) or return;
    my $command     = confirm($judgement) // return;
    my $name        = shown_name($slowest->{host});
    return ([ text => "To measure the slowest host, $name, again with two from the middle:" ],
        command($command));
}

# A point for each host of a group that stands out.
sub _remarks_of {
    my ($group) = @_;
    my @points = map {
        my ($first, @others) = remarks($group, $_);
        defined $first
            ? [ shown_name($_->{host}) . ' (' . word($_) . '): ', $first, map { ("\n", $_) } @others ]
            : ()
    } grep { length class($_) } @{ $group->{hosts} };
    splice @points, $MOST if @points > $MOST;
    return @points ? [ points => @points ] : ();
}

sub _cases_of {
    my ($class, $addresses, @hosts) = @_;
    my @cases = map { _case($_, $addresses->{$_}) } @hosts;
    my @more  = splice @cases, @cases > $CASES ? $CASES : @cases;
    return (@cases, @more ? [ fold => @more . " more that are $class", @more ] : ());
}

sub _case {
    my ($host, $place) = @_;
    my $class = class($host);
    my $facts = join " $DOT ",
        defined $host->{ratio} ? with_limits(best_known($host), ' than the median') : (),
        plural(scalar @{ $host->{runs} || [] }, 'run'),
        defined $host->{slot} ? 'slot ' . short($host->{slot}, 40) : (),
        "group $place->{group}{number}";
    my @heading = (
        { text => shown_name($host->{host}), link => $place->{address}, class => 'target' },
        { text => word($host),               as   => 'small',           class => $class },
        { text => $facts,                    as   => 'small',           class => 'dim' }
    );
    return [
        block => { class => "case is-$class" },
        [ heading => [ map { ($_, ' ') } @heading ] ],
        remarks_of($host, $place)
    ];
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
    my @points  = map { [ "$_: " . _hosts($MOST, @{ $of{$_} }), _remedy($of{$_}[0]) ] } @order;
    my @all     = @missing > $MOST ? [ text => _hosts(scalar @missing, @missing) ] : ();
    my $command = measure($judgement);
    my $advice  = 'To measure them, run the same command again. Finished hosts are skipped:';
    return [
        section => { id => 'missing', description => 'Missing' },
        for_letters([ text => 'Missing:' ]),
        [ points => @points ],
        for_page(@all ? [ fold => 'All that are missing', @all ] : ()),
        defined $command ? (for_page([ text => $advice ]), command($command)) : ()
    ];
}

sub _hosts {
    my ($most, @hosts) = @_;
    return names($most, map { $_->{host} } @hosts);
}

# What to do, in a line of its own.
sub _remedy {
    my ($trouble) = @_;
    return length($trouble->{remedy} // '') ? ("\n", { text => $trouble->{remedy}, class => 'remedy' }) : ();
}

sub _warnings {
    my ($judgement) = @_;
    my @points = ((map { _warning($_) } @{ $judgement->{warnings} || [] }), _strange($judgement)) or return;
    return [
        section => { id => 'warnings', description => 'Before you trust these numbers' },
        [ points => @points ]
    ];
}

sub _warning {
    my ($warning) = @_;
    my @hosts = sort { natural_key($a) cmp natural_key($b) } @{ $warning->{hosts} || [] };
    return [
        @hosts ? ({ text => names($NAMED, @hosts), as => 'b' }, ': ') : (), $warning->{text},
        _remedy($warning)
    ];
}

# What was found in the campaign that does not belong there.
sub _strange {
    my ($judgement) = @_;
    my $standing    = $judgement->{standing} || {};
    my @unexpected  = map { ref $_ ? $_->{host} : $_ } @{ $standing->{unexpected} || [] };
    my $conflicts   = number($standing->{conflicts});
    my $lost        = plural($conflicts, 'record')
        . ' in conflicts/: another of the same key is there, and none was replaced';
    my $are = are(scalar @unexpected);
    return (
        $conflicts  ? [ $lost, _remedy({ remedy => 'check whether two machines have the same name' }) ] : (),
        @unexpected ? names($NAMED, @unexpected) . " delivered records, but $are not expected"          : (),
        _files('refused',     @{ $standing->{refused}  || [] }),
        _files('cannot read', @{ $judgement->{damaged} || [] })
    );
}

# "refused 'x.json': it was cut short" for each file, or how many more there are.
sub _files {
    my ($what, @files) = @_;
    my @more = splice @files, @files > $NAMED ? $NAMED : @files;
    return ((map { [ "$what '" . shown_name($_->{file}, $FACT) . "': $_->{why}", _remedy($_) ] } @files),
        @more ? "$what " . plural(scalar @more, 'more file') : ());
}

# Groups side by side, where there are several.
sub _groups {
    my ($judgement) = @_;
    return if _is_one($judgement);
    my @rows = map {
        +{ %$_, known => [ grep { defined $_->{ratio} } @{ $_->{hosts} } ] }
    } @{ $judgement->{groups} };
    my $table = table(
        { caption => 'Groups of equal hosts', class => 'pinned' },
        \@rows,
        { title => 'Group',         cell => \&_way_to },
        { title => 'Hosts',         cell => sub { scalar @{ $_[0]{hosts} } } },
        { title => 'Slowest',       cell => sub { ratio($_[0]{known}[0]  // {}) } },
        { title => 'Fastest',       cell => sub { ratio($_[0]{known}[-1] // {}) } },
        { title => 'Between hosts', cell => sub { spread(($_[0]{variance} || {})->{hosts}) // $DASH } },
        { title => 'Stand out',     cell => \&_outstanding, left => 1 }
    );
    return [ section => { id => 'groups', title => 'Groups' }, $table ];
}

sub _way_to {
    my ($group) = @_;
    my $kind = short(Touchstone::Pack::Fleet::Report::Group::kind($group), 80);
    return [ { text => "$group->{number}: $kind", link => "#g$group->{number}" } ];
}

sub _outstanding {
    my ($group) = @_;
    return $group->{why_not} // 'not tested' if !$group->{judged};
    my %many;
    $many{ class($_) }++ for @{ $group->{known} };
    return join ', ', map { $many{$_} ? "$many{$_} " . Touchstone::Report::Verdict::word($_) : () } @CLASSES;
}

# Where the rest is.
sub _more {
    my ($judgement, $addresses) = @_;
    my @pages   = ways_to_pages($addresses);
    my $command = run($judgement) . ' fleet judge ' . quoted($judgement->{directory}) . ' --format json';
    my @data    = ({ text => $command, as => 'code' }, '; csv has a line for each host and figure.');
    return [
        section => { title => 'More' },
        @pages ? ([ text => 'Each host with all its figures and records:' ], ways('Hosts', @pages)) : (),
        [ text => { text => [ 'The same data for programs: ', @data ], class => 'dim' } ]
    ];
}

1;
