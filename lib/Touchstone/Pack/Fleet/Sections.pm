# SPDX-License-Identifier: GPL-2.0-or-later
# Pack::Fleet::Sections - the campaigns that are stored with the runs, for the page of all runs: when, how
# many hosts, who is bad or missing, and where the page of each is.
package Touchstone::Pack::Fleet::Sections;
use 5.014;
use strict;
use warnings;

use Touchstone::Base::Symbols qw($DASH);
use Touchstone::Base::Text qw(plural short);
use Touchstone::Base::Time qw(date);
use Touchstone::Pack::Fleet::Campaign;

# The newest campaigns that are shown; older ones are folded.
my $OPEN = 12;

my @COLUMNS = (
    { title => 'Campaign', cell => \&_name },
    { title => 'When',     cell => \&_when },
    { title => 'Hosts',    cell => \&_hosts },
    { title => 'Bad',      cell => \&_bad },
    { title => 'Suspects', cell => sub { _judged($_[0], 'suspects') } },
    { title => 'Missing',  cell => sub { _judged($_[0], 'missing') } },
);

# Maximum length of a name, and of one among others.
my ($WIDEST, $NARROW) = (60, 24);

# `places` are those of Base::Directories, `command` starts Run here. Returns { anchor, title, parts },
# or nothing where there is no campaign.
sub sections {
    my ($places, $command) = @_;
    my @campaigns =
        Touchstone::Pack::Fleet::Campaign::summaries(
        "$places->{results}/$Touchstone::Pack::Fleet::Campaign::CAMPAIGNS")
        or return;
    return { anchor => 'campaigns', title => 'Campaigns', parts => [ _parts($command, @campaigns) ] };
}

sub _parts {
    my ($command, @campaigns) = @_;
    my @unknown = grep { !defined $_->{status} } @campaigns;
    my @older   = splice @campaigns, @campaigns > $OPEN ? $OPEN : @campaigns;
    my $code    = { text => "$command fleet judge DIR", as => 'code' };
    my $how     = [ 'Not looked at yet: ', $code, ' makes the page of a campaign.' ];
    return (
        _table('Campaigns, the newest first', @campaigns),
        @older ? [ fold => plural(scalar @older, 'older campaign'), _table('Older campaigns', @older) ] : (),
        @unknown ? [ text => { text => $how, class => 'dim' } ]                                         : ()
    );
}

sub _table {
    my ($caption, @campaigns) = @_;
    return [ table => { caption => $caption, columns => \@COLUMNS, rows => \@campaigns, class => 'pinned' } ];
}

sub _name {
    my ($campaign) = @_;
    my $name = short($campaign->{id}, $WIDEST);
    return [
        $campaign->{page}        ? { text => $name, link => "campaigns/$name/index.html" } : $name,
        defined $campaign->{why} ? _small('cannot be read')                                : ()
    ];
}

sub _when {
    my ($campaign) = @_;
    my $when = $campaign->{ended} // $campaign->{made} // return $DASH;
    return { text => date('%d %b %Y', $when) =~ s/\A0//r, key => $when };
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
    my @named = map { short($_, $NARROW) } @{ $campaign->{named} || [] };
    push @named, '...' if $bad > @named;
    return { text => [ { text => $bad, class => 'bad' }, _small(join ', ', @named) ], key => $bad };
}

sub _small { return (' ', { text => [@_], as => 'small' }) }

# A figure of a campaign that was looked at.
sub _judged {
    my ($campaign, $what) = @_;
    return defined $campaign->{status} ? $campaign->{$what} // $DASH : $DASH;
}

1;
