# SPDX-License-Identifier: GPL-2.0-or-later
# Pack::Fleet::Rollout::Pairs - hosts before and after a change, from the members (Pack::Fleet::HostRun) of
# two campaigns:
#
#   {
#     pairs => [ { host => 'web1', group => 'AMD EPYC 7763, 8 CPUs, KVM', labels => { ring => 'canary' },
#                  had     => { '1 pipe' => {...} },        the figures before
#                  change  => { '1 pipe' => -0.021 },       logarithms of speeds, after less before
#                  error   => { '1 pipe' => 0.002 },        what the passes say of that, or undef
#                  differs => [ { thing => 'kernel', values => [ '6.1.0-40', '6.1.0-41' ] } ] } ],
#     only_before => [ 'db3' ], only_after => [ 'web9' ],   measured in one of both
#     renamed     => [ { before => 'web3', after => 'app3' } ],      one machine under two names
#     reinstalled => [ 'web4' ],                                     one name, another installation
#     unlike      => [ { host => 'web5', why => 'other programs' } ],
#     invalid        => [ { host => 'web6', when => 'after', why => 'most passes were disturbed' } ]
#   }
#
# A host is its host_id, made of its name and its installation. What is one machine under another name, or one
# name on another installation, may have changed in more than what was rolled out: it is named and left out.
package Touchstone::Pack::Fleet::Rollout::Pairs;
use 5.014;
use strict;
use warnings;

use Exporter qw(import);
use List::Util qw(sum);

use Touchstone::Base::Text qw(natural_key);
use Touchstone::Compare::Differences;
use Touchstone::Pack::Fleet::Groups qw(make_groups);
use Touchstone::Stats qw(mean);

our @EXPORT_OK = qw(%OF_MEASURING changed_facts lost_figures pair_hosts);

my @SIDES = qw(before after);

# A passport of older records.
my $UNKNOWN = qr/\A(?:unknown)?\z/;

# `by`: labels whose values make groups, too.
sub pair_hosts {
    my ($before, $after, @by) = @_;
    my @invalid = map  { _invalid($_, @{ { before => $before, after => $after }->{$_} }) } @SIDES;
    my @side    = map  { _by_host(@$_) } $before, $after;
    my @both    = grep { $side[1]{$_} } sort keys %{ $side[0] };
    my (@pairs, @unlike);
    for my $id (@both) {
        my @runs = map { $_->{$id} } @side;
        my ($why, @alike) = _alike(@runs);
        if (defined $why) { push @unlike, { host => $runs[1][-1]{host}, why => $why } }
        else              { push @pairs, _pair(@alike, @by) }
    }
    _grouped(\@by, @pairs);
    return {
        pairs   => [ sort { natural_key($a->{host}) cmp natural_key($b->{host}) } @pairs ],
        unlike  => \@unlike,
        invalid => \@invalid,
        _without_pair(@side)
    };
}

sub _invalid {
    my ($when, @members) = @_;
    return map { +{ host => $_->{host}, when => $when, why => $_->{invalid} } }
        grep { defined $_->{invalid} } @members;
}

sub _by_host {
    my %of;
    push @{ $of{ $_->{host_id} } }, $_ for grep { !defined $_->{invalid} } @_;
    return \%of;
}

# (why, before, after): the runs of the same programs, or why there are none.
sub _alike {
    my ($before, $after) = @_;
    my %many;
    $many{ $_->{passport} // '' }++ for @$before;
    my %after = map { ($_->{passport} // '') => 1 } @$after;
    my ($passport) = sort { $many{$b} <=> $many{$a} || $a cmp $b }
        grep { $after{$_} && !/$UNKNOWN/ } keys %many;
    return _why_unlike($before->[-1], $after->[-1]) if !defined $passport;
    return (
        undef,
        map {
            [ grep { ($_->{passport} // '') eq $passport } @$_ ]
        } $before,
        $after
    );
}

sub _why_unlike {
    my ($before, $after) = @_;
    my ($old, $new) = map { $_->{tool} // 'unknown' } $before, $after;
    return "$old before, $new after" if $old ne $new;
    return 'its programs have no passport' if grep { ($_->{passport} // '') =~ $UNKNOWN } $before, $after;
    my @differ = map { $_->{thing} }
        grep {
        $_->{thing} =~ /\A(?:suite|sources|(?:Fortran )?compiler|flags|programs for|C library|linker)\z/
        } Touchstone::Compare::Differences::differences(map { $_->{facts} } $before, $after);
    return 'other programs' . (@differ ? ' (' . join(', ', @differ) . ')' : '');
}

sub _pair {
    my ($before, $after) = @_;
    my $first = $before->[-1];
    my %of    = (
        host    => $after->[-1]{host},
        first   => $first,
        labels  => { %{ $first->{labels} }, %{ $after->[-1]{labels} } },
        had     => { map { %{ $_->{figures} } } @$before },
        differs => [ Touchstone::Compare::Differences::differences($first->{facts}, $after->[0]{facts}) ]
    );
    for my $key (keys %{ $of{had} }) {
        my @runs = map {
            [ grep { defined } map { $_->{figures}{$key} } @$_ ]
        } $before, $after;
        next if !@{ $runs[1] } || _kind($runs[0][0]) ne _kind($runs[1][0]);
        my @means = map {
            mean(map { $_->{y} } @$_)
        } @runs;
        $of{change}{$key} = $means[1] - $means[0];
        $of{error}{$key}  = _error(@runs);
    }
    return { change => {}, error => {}, %of };
}

sub _kind {
    my ($figure) = @_;
    return join "\n", map { $_ // '' } @$figure{qw(unit version)};
}

sub _error {
    my @errors = map {
        my $runs = $_;
        map { defined $_->{error} ? ($_->{error} / @$runs)**2 : undef } @$runs
    } @_;
    return (grep { !defined } @errors) ? undef : sqrt sum(@errors);
}

# Names the hardware of each pair, with the values of labels.
sub _grouped {
    my ($labels, @pairs) = @_;
    my %of = map { $_->{first}{host_id} => $_ } @pairs;
    for my $group (make_groups([ map { delete $_->{first} } @pairs ], $labels)) {
        my $title = $group->{title} =~ s/\A\d+ hosts?, //r;
        $of{ $_->{host_id} }{group} = $title for @{ $group->{members} };
    }
    return;
}

# Hosts that are in one campaign alone; who is the same machine or has the same name is told.
sub _without_pair {
    my ($before, $after) = @_;
    my @left  = grep { !$after->{$_} } keys %$before;
    my @new   = grep { !$before->{$_} } keys %$after;
    my %named = map  { $after->{$_}[-1]{host} => $_ } @new;
    my %machine;
    push @{ $machine{ $after->{$_}[-1]{machine} } }, $_ for grep { defined $after->{$_}[-1]{machine} } @new;
    my (@renamed, @reinstalled, @gone, %known);
    for my $id (@left) {
        my $member = $before->{$id}[-1];
        my $same   = defined $member->{machine} ? $machine{ $member->{machine} } : undef;
        my $other  = $named{ $member->{host} };
        if (defined $other) {
            push @reinstalled, $member->{host};
            $known{$other} = 1;
        } elsif ($same && @$same == 1 && !$known{ $same->[0] }++) {
            push @renamed, { before => $member->{host}, after => $after->{ $same->[0] }[-1]{host} };
        } else {
            push @gone, $member->{host};
        }
    }
    return (
        only_before => [ _sorted(@gone) ],
        only_after  => [ _sorted(map { $after->{$_}[-1]{host} } grep { !$known{$_} } @new) ],
        renamed     => [ sort { natural_key($a->{before}) cmp natural_key($b->{before}) } @renamed ],
        reinstalled => [ _sorted(@reinstalled) ]
    );
}

sub _sorted {
    return sort { natural_key($a) cmp natural_key($b) || $a cmp $b } @_;
}

# What changed between two campaigns besides the speeds: of the pairs of hosts
# that Pack::Fleet::Rollout::Pairs makes,
#
#   [ { thing => 'kernel', from => '6.1.0-40-amd64', to => '6.1.0-41-amd64', hosts => 28, controls => 0 }, ... ]
#
# and the figures that hosts had before and have lost:
#
#   [ { key => '1 pipe', hosts => [ 'web3', 'web4' ] } ]

# These say how a host was measured, not what it is: campaigns that differ in them do not compare hosts alone.
our %OF_MEASURING = map { $_ => 1 } qw(schedule placement);

sub changed_facts {
    my (@pairs) = @_;
    my %found;
    for my $pair (@pairs) {
        for my $differs (@{ $pair->{differs} }) {
            my ($from, $to) = @{ $differs->{values} };
            my $change = $found{ join "\n", $differs->{thing}, $from, $to } ||=
                { thing => $differs->{thing}, from => $from, to => $to, hosts => 0, controls => 0 };
            $change->{ $pair->{control} ? 'controls' : 'hosts' }++;
        }
    }
    return [
        sort {
                   $b->{hosts} <=> $a->{hosts}
                || $b->{controls} <=> $a->{controls}
                || join("\n", @$a{qw(thing from to)}) cmp join("\n", @$b{qw(thing from to)})
        } values %found
    ];
}

sub lost_figures {
    my (@pairs) = @_;
    my %lost;
    for my $pair (@pairs) {
        push @{ $lost{$_} }, $pair->{host} for grep { !exists $pair->{change}{$_} } keys %{ $pair->{had} };
    }
    return [ map { +{ key => $_, hosts => $lost{$_} } } sort keys %lost ];
}

1;
