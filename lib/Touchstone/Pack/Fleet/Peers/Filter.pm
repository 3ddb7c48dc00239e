# SPDX-License-Identifier: GPL-2.0-or-later
# Pack::Fleet::Peers::Filter - which of a set of members (Pack::Fleet::HostRun) are of the kind of one: of the
# same hardware and the same programs, or, where these are too few, of what comes next. chosen($run,
# \@members) gives
#
#   {
#     members  => [ [ members of a machine ], ... ],
#     hardware => 'equal', or 'alike': the same CPU model and virtualisation,
#     programs => 'equal': one passport, 'portable': portable builds, or 'other',
#     enough   => 1 where there are at least $FEWEST machines,
#     equal    => machines of equal hardware and programs,
#     itself, void, unlike => records that are left out: of the run or its machine, not valid, without one test
#                 in common
#   }
#
# A machine of a campaign has one place, however often it was measured. Elsewhere nobody knows which records
# are of one machine, and each record is one.
package Touchstone::Pack::Fleet::Peers::Filter;
use 5.014;
use strict;
use warnings;

use Touchstone::Build;
use Touchstone::Pack::Fleet::HostRun;

# Fewer machines say nothing of what is usual.
our $FEWEST = 5;

my @EQUAL = @Touchstone::Pack::Fleet::HostRun::GROUPED;
my @ALIKE = qw(model virtualisation);

my $UNKNOWN = qr/\A(?:unknown)?\z/;

# Hardware counts more than programs: their difference can be said, and is the same for all tests of a
# compiler.
my @LADDER = map {
    my $programs = $_->[1];
    { hardware => $_->[0], programs => $programs }
    } [qw(equal equal)], [qw(equal portable)], [qw(equal other)], [qw(alike equal)], [qw(alike portable)],
    [qw(alike other)];

sub chosen {
    my ($run, $members) = @_;
    my (@usable, %out);
    for my $member (@$members) {
        my $why =
              _is_itself($run, $member)         ? 'itself'
            : defined $member->{void}           ? 'void'
            : !figures_in_common($run, $member) ? 'unlike'
            :                                     undef;
        if   (defined $why) { $out{$why}++ }
        else                { push @usable, $member }
    }
    my %none    = map  { $_ => $out{$_} // 0 } qw(itself void unlike);
    my @found   = map  { +{ %$_, members => [ _machines(_of_kind($run, $_, @usable)) ] } } @LADDER;
    my ($first) = grep { @{ $_->{members} } >= $FEWEST } @found;
    return {
        %none, %{ $first // $found[-1] },
        enough => $first ? 1 : 0,
        equal  => scalar @{ $found[0]{members} }
    };
}

# The same record under any name, and other runs of its machine.
sub _is_itself {
    my ($run, $member) = @_;
    return 1
        if defined $run->{campaign} && defined $member->{campaign} && $run->{host_id} eq $member->{host_id};
    return 0 if $run->{started} != $member->{started} || $run->{host} ne $member->{host};
    my ($own, $its) = map { $_->{figures} } $run, $member;
    my @both = grep { $its->{$_} } keys %$own;
    return !grep { abs($own->{$_}{y} - $its->{$_}{y}) > 1e-6 } @both;
}

# The keys of figures that both measured with the same version of the test.
sub figures_in_common {
    my ($run, $member) = @_;
    my ($own, $its) = map { $_->{figures} } $run, $member;
    return grep { $its->{$_} && is_same($own->{$_}, $its->{$_}) } sort keys %$own;
}

sub is_same {
    my ($one, $other) = @_;
    return ($one->{version} // '') eq ($other->{version} // '') && $one->{unit} eq $other->{unit};
}

sub _of_kind {
    my ($run, $kind, @members) = @_;
    my @facts = $kind->{hardware} eq 'equal' ? @EQUAL : @ALIKE;
    my $own   = join "\n", @{ $run->{group} }{@facts};
    return if $run->{group}{model} =~ $UNKNOWN;
    return
        grep { join("\n", @{ $_->{group} }{@facts}) eq $own && _has_programs($kind->{programs}, $run, $_) }
        @members;
}

sub _has_programs {
    my ($programs, $run, $member) = @_;
    return 1 if $programs eq 'other';
    return 1 if _is_same_passport($run, $member);
    return $programs eq 'portable' && is_portable($run) && is_portable($member);
}

sub _is_same_passport {
    my ($own, $its) = map { $_->{passport} // '' } @_;
    return $own !~ $UNKNOWN && $own eq $its;
}

sub is_portable {
    my ($member) = @_;
    return (Touchstone::Build::kind($member->{facts}{'b isa'}) // '') eq $Touchstone::Build::PORTABLE;
}

# A list of members for each machine.
sub _machines {
    my (@members) = @_;
    my (%of, @order);
    my $number = 0;
    for my $member (@members) {
        my $id = defined $member->{campaign} ? "c $member->{host_id}" : 'r ' . $number++;
        push @order,        $id if !$of{$id};
        push @{ $of{$id} }, $member;
    }
    return map { $of{$_} } @order;
}

1;
