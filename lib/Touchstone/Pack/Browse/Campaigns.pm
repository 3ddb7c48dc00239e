# SPDX-License-Identifier: GPL-2.0-or-later
# Pack::Browse::Campaigns - the campaigns that are stored with the runs: when, how many hosts, who is bad or
# missing, and where the page of each is.
package Touchstone::Pack::Browse::Campaigns;
use 5.014;
use strict;
use warnings;

use Touchstone::Base::Symbols qw($DASH);
use Touchstone::Base::Text qw(plural);
use Touchstone::Base::Time qw(date);
use Touchstone::Pack::Browse::Phrases qw(day dim shown);

# So many stand on the page, the newest; older ones are folded.
my $OPEN = 12;

my @COLUMNS = (
    { title => 'Campaign', cell => \&_name },
    { title => 'When',     cell => \&_when },
    { title => 'Hosts',    cell => \&_hosts },
    { title => 'Bad',      cell => \&_bad },
    { title => 'Suspects', cell => sub { _judged($_[0], 'suspects') } },
    { title => 'Missing',  cell => sub { _judged($_[0], 'missing') } },
);

# The model has campaigns, as Pack::Fleet::Campaign::summaries returns them.
sub parts {
    my ($model)   = @_;
    my @campaigns = @{ $model->{campaigns} || [] } or return;
    my @unknown   = grep { !defined $_->{status} } @campaigns;
    my @older     = splice @campaigns, @campaigns > $OPEN ? $OPEN : @campaigns;
    my $command   = { text => "$model->{command} --fleet DIR", as => 'code' };
    my $how       = [ 'Not looked at yet: ', $command, ' makes the page of a campaign.' ];
    return [
        section => { id => 'campaigns', title => 'Campaigns' },
        _table('Campaigns, the newest first', @campaigns),
        @older ? [ fold => plural(scalar @older, 'older campaign'), _table('Older campaigns', @older) ] : (),
        @unknown ? [ text => { text => $how, class => 'dim' } ]                                         : ()
    ];
}

sub _table {
    my ($caption, @campaigns) = @_;
    return [ table => { caption => $caption, columns => \@COLUMNS, rows => \@campaigns, class => 'pinned' } ];
}

sub _name {
    my ($is) = @_;
    my $name = shown($is->{id});
    return [
        $is->{page}        ? { text => $name, link => "campaigns/$name/index.html" } : $name,
        defined $is->{why} ? dim('cannot be read')                                   : ()
    ];
}

sub _when {
    my ($is) = @_;
    my $when = $is->{ended} // $is->{made} // return $DASH;
    return { text => day(date('%Y-%m-%d', $when)), key => $when };
}

sub _hosts {
    my ($is) = @_;
    my ($received, $expected) = @$is{qw(received expected)};
    return $expected // $DASH if !defined $received || !defined $expected || $received >= $expected;
    return "$received of $expected";
}

sub _bad {
    my ($is) = @_;
    my $bad  = $is->{bad} || 0;
    return defined $is->{status} ? 0 : $DASH if !$bad || !defined $is->{status};
    my @named = map { shown($_, 24) } @{ $is->{named} || [] };
    push @named, '...' if $bad > @named;
    return { text => [ { text => $bad, class => 'bad' }, dim(join ', ', @named) ], key => $bad };
}

# A figure of a campaign that was looked at.
sub _judged {
    my ($is, $what) = @_;
    return defined $is->{status} ? $is->{$what} // $DASH : $DASH;
}

1;
