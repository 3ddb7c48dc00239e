# SPDX-License-Identifier: GPL-2.0-or-later
# Pack::Browse::Page - all stored runs as one page, for people who pick machines and watch them: a ranking of
# the hosts, their newest runs test by test, campaigns of many hosts, all runs, and the history of each host.
package Touchstone::Pack::Browse::Page;
use 5.014;
use strict;
use warnings;

use Touchstone::Base::Symbols qw($DASH $DOT);
use Touchstone::Base::Text qw(plural short);
use Touchstone::Base::Time qw(date);
use Touchstone::Pack::Browse::Host;
use Touchstone::Pack::Browse::Assets;
use Touchstone::Pack::Browse::RankingTable;
use Touchstone::Pack::Browse::Runs;
use Touchstone::Pack::Browse::Phrases qw(day dim joined shown span);
use Touchstone::Report::Render::Html;
use Touchstone::Report::Verdict qw(word);

# So many hosts are linked to before the list of them is folded.
my $LINKED = 12;

# The page shows this many campaigns, the newest; older ones are folded.
my $OPEN_CAMPAIGNS = 12;

my @CAMPAIGN_COLUMNS = (
    { title => 'Campaign', cell => \&_campaign },
    { title => 'When',     cell => \&_when },
    { title => 'Hosts',    cell => \&_hosts },
    { title => 'Bad',      cell => \&_bad },
    { title => 'Suspects', cell => sub { _judged($_[0], 'suspects') } },
    { title => 'Missing',  cell => sub { _judged($_[0], 'missing') } },
);

# The model has what Pack::Browse::Archive found: runs and damaged; `hosts` of Pack::Browse::Series and
# `ranking` of Pack::Browse::Ranking; campaigns, of Pack::Fleet::Campaign; `command` is how to start Run here,
# quoted for a shell. `chosen` may name the host that others are compared with.
sub render {
    my ($found) = @_;
    my ($runs, $hosts) = @$found{qw(runs hosts)};
    my %model = (
        %$found,
        chosen => $found->{chosen} // _chosen($found->{ranking}),
        which  => _which($runs),
        number => { map { $hosts->[$_]{name} => $_ } 0 .. $#$hosts },
        year   => @$runs ? substr($runs->[0]{date}, 0, 4) : undef
    );
    my @parts = (
        [ heading => { text => 'Results', level => 1 } ],
        _summary(\%model),
        @$runs ? _ways(\%model) : (),
        Touchstone::Pack::Browse::RankingTable::parts(\%model),
        Touchstone::Pack::Browse::RankingTable::newest(\%model),
        _campaigns(\%model),
        Touchstone::Pack::Browse::Runs::parts(\%model),
        _damaged(@{ $model{damaged} }),
        map { Touchstone::Pack::Browse::Host::parts(\%model, $_) } 0 .. $#$hosts
    );
    return Touchstone::Report::Render::Html::page(
        @$runs ? 'Results: ' . _extent($runs) . ' - Touchstone' : 'Results - Touchstone',
        Touchstone::Report::Render::Html::fragment(@parts),
        style  => $Touchstone::Pack::Browse::Assets::CSS,
        script => $Touchstone::Pack::Browse::Assets::JS
    );
}

# A number for each host: their names may be cut, and then be the same.
sub _which {
    my ($runs) = @_;
    my ($n, %which) = (0);
    $which{ $_->{host} } //= $n++ for @$runs;
    return \%which;
}

# The host that others are compared with: the slowest of the first ranking.
sub _chosen {
    my ($ranking) = @_;
    my ($first)   = @{ $ranking->{indexes} };
    return $first->{hosts}[-1]{name} if $first;
    my ($tests) = @{ $ranking->{tests} };
    return $tests ? $tests->{hosts}[0]{name} : '';
}

sub _summary {
    my ($model) = @_;
    my $runs    = $model->{runs};
    my @command = map { { text => $_, as => 'code' } } $model->{command}, "$model->{command} --browse";
    return [
        text => [
            'There are no stored runs yet. ',
            $command[0],
            ' makes one, ',
            $command[1],
            ' then makes this page anew.'
        ]
        ]
        if !@$runs;
    my ($first, $last)  = (sort map { $_->{date} } @$runs)[ 0, -1 ];
    my ($many,  @looks) = _looks($model);
    my @said = _extent($runs) . ', ' . span($first, $last);
    push @said, [ "$many need" . ($many == 1 ? 's' : '') . ' a look: ', joined('; ', @looks) ] if @looks;
    return [ text => { text => [ joined(" $DOT ", @said) ], class => 'when' } ];
}

sub _extent {
    my ($runs) = @_;
    my %hosts = map { $_->{host} => 1 } @$runs;
    return plural(scalar @$runs, 'run') . ' of ' . plural(scalar keys %hosts, 'host');
}

# How many things should be looked at, and links to them.
sub _looks {
    my ($model) = @_;
    my ($first) = @{ $model->{ranking}{indexes} };
    my @slower  = grep { $_->{change} && $_->{change}{slower} } $first ? @{ $first->{hosts} } : ();
    my $void    = grep { defined $_->{void} } @{ $model->{runs} };
    my $damaged = @{ $model->{damaged} };
    my @looks;
    push @looks, [ joined(', ', map { _host($model, $_->{name}) } @slower), ' became slower' ] if @slower;
    push @looks, [ { text => plural($void,    'run'),  link => '#runs' },    ' ' . word('invalid') ] if $void;
    push @looks, [ { text => plural($damaged, 'file'), link => '#damaged' }, ' not readable' ] if $damaged;
    return (@slower + $void + $damaged, @looks);
}

# A link to the history of a host.
sub _host {
    my ($model, $name) = @_;
    return { text => shown($name), link => "#h$model->{number}{$name}" };
}

# Links to the parts of the page.
sub _ways {
    my ($model) = @_;
    my @hosts   = map { _host($model, $_->{name}) } @{ $model->{hosts} };
    my $many    = @hosts;
    my @ways    = (
        { text => 'Ranking', link => '#ranking' },
        @{ $model->{campaigns} || [] } ? { text => 'Campaigns', link => '#campaigns' } : (),
        { text => 'Runs', link => '#runs' }
    );
    my $history = [ 'History of ', joined(', ', @hosts) ];
    push @ways, $history if $many && $many <= $LINKED;
    return [
        block => { as => 'nav', class => 'screen' },
        [ text => [ joined(" $DOT ", @ways) ] ],
        $many > $LINKED ? [ fold => "History of $many hosts", [ text => $history ] ] : ()
    ];
}

sub _damaged {
    my (@damaged) = @_;
    return if !@damaged;
    my @columns = (
        { title => 'File',          left => 1, cell => sub { short($_[0]{file}, 200) } },
        { title => 'What is wrong', left => 1, cell => sub { $_[0]{why} } }
    );
    return [
        section => { id => 'damaged', title => 'Files that cannot be read' },
        [
            table =>
                { caption => 'Files and what is wrong with them', columns => \@columns, rows => \@damaged }
        ]
    ];
}

# The model has campaigns, as Pack::Fleet::Campaign::all returns them.
sub _campaigns {
    my ($model)   = @_;
    my @campaigns = @{ $model->{campaigns} || [] } or return;
    my @unknown   = grep { !defined $_->{status} } @campaigns;
    my @older     = splice @campaigns, @campaigns > $OPEN_CAMPAIGNS ? $OPEN_CAMPAIGNS : @campaigns;
    my $command   = { text => "$model->{command} --fleet DIR", as => 'code' };
    my $how       = [ 'Not looked at yet: ', $command, ' makes the page of a campaign.' ];
    return [
        section => { id => 'campaigns', title => 'Campaigns' },
        _campaign_table('Campaigns, the newest first', @campaigns),
        @older
        ? [ fold => plural(scalar @older, 'older campaign'), _campaign_table('Older campaigns', @older) ]
        : (),
        @unknown ? [ text => { text => $how, class => 'dim' } ] : ()
    ];
}

sub _campaign_table {
    my ($caption, @campaigns) = @_;
    return [ table =>
            { caption => $caption, columns => \@CAMPAIGN_COLUMNS, rows => \@campaigns, class => 'pinned' } ];
}

sub _campaign {
    my ($campaign) = @_;
    my $name = shown($campaign->{id});
    return [
        $campaign->{page}        ? { text => $name, link => "campaigns/$name/index.html" } : $name,
        defined $campaign->{why} ? dim('cannot be read')                                   : ()
    ];
}

sub _when {
    my ($campaign) = @_;
    my $when = $campaign->{ended} // $campaign->{made} // return $DASH;
    return { text => day(date('%Y-%m-%d', $when)), key => $when };
}

sub _hosts {
    my ($campaign) = @_;
    my ($received, $expected) = @$campaign{qw(received expected)};
    return $expected // $DASH if !defined $received || !defined $expected || $received >= $expected;
    return "$received of $expected";
}

sub _bad {
    my ($campaign) = @_;
    my $bad        = $campaign->{bad} || 0;
    return defined $campaign->{status} ? 0 : $DASH if !$bad || !defined $campaign->{status};
    my @named = map { shown($_, 24) } @{ $campaign->{named} || [] };
    push @named, '...' if $bad > @named;
    return { text => [ { text => $bad, class => 'bad' }, dim(join ', ', @named) ], key => $bad };
}

# A figure of a campaign that was looked at.
sub _judged {
    my ($campaign, $key) = @_;
    return defined $campaign->{status} ? $campaign->{$key} // $DASH : $DASH;
}

1;
