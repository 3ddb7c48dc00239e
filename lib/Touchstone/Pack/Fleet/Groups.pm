# SPDX-License-Identifier: GPL-2.0-or-later
# Pack::Fleet::Groups - members of a fleet (Pack::Fleet::HostRun) in groups that may be ranked: of equal
# hardware, passport and asked labels. make_groups($members, \@labels) gives, the largest first:
#
#   ( {
#       number   => 1,
#       title    => '30 hosts, AMD EPYC 7763, 8 CPUs, KVM',
#       facts    => { vendor, model, sockets, cores, threads, memory, virtualisation },
#       labels   => { type => 'c7i.2xlarge' },     those asked for
#       passport => '8ecfc154...',
#       members  => [ ... ],                       in the order in which they came
#       hosts    => 30
#   }, ... )
#
# A title says what tells its group from the others. The CPU quota is no part of a group: it is what may make
# one of its hosts slow. passports($members) says in what their programs differ, the most used first:
#
#   ( { passport => '8ecfc154...', hosts => [ 'web1', ... ],
#       differs => [ 'compiler: gcc 12.2.0; gcc 13.1.0' ] } )
#
# where the second value of a line is that of the most used one.
package Touchstone::Pack::Fleet::Groups;
use 5.014;
use strict;
use warnings;

use Exporter qw(import);
use List::Util qw(max sum);

use Touchstone::Base::Text qw(natural_key plain plural short);
use Touchstone::Compare::Differences;
use Touchstone::Machine::Identity;
use Touchstone::Pack::Fleet::HostRun qw(@GROUPED);
use Touchstone::Pack::Fleet::Stats::Outliers qw($FEWEST $IN_THE_MEAN);
use Touchstone::Stats qw(mean median);

our @EXPORT_OK = qw(dividing_fact make_groups passports two_clusters);

my @FACTS = @GROUPED;

# So many digits tell passports apart for people.
my $DIGITS = 8;

# A host without a label stands in a group of its own.
my $NO_LABEL = 'none';

# A fact has so many letters in a line.
my $LETTERS = 60;

my $NOTHING = qr/\A(?:unknown|none|)\z/;

sub make_groups {
    my ($members, $labels) = @_;
    _expect($members, $_) for @{ $labels || [] };
    my (%group, %seen);
    for my $member (@$members) {
        my %label = map { $_ => $member->{labels}{$_} // $NO_LABEL } @{ $labels || [] };
        my $key   = join "\0", @{ $member->{group} }{@FACTS}, $member->{passport},
            map { $label{$_} } sort keys %label;
        my $group = $group{$key} //=
            { facts => $member->{group}, labels => \%label, passport => $member->{passport}, hosts => 0 };
        push @{ $group->{members} }, $member;
        $group->{hosts}++ if !$seen{$key}{ $member->{host_id} }++;
    }
    my @groups = map { $group{$_} }
        sort { $group{$b}{hosts} <=> $group{$a}{hosts} || natural_key($a) cmp natural_key($b) } keys %group;
    my @titles = _titles(@groups);
    return map { +{ %{ $groups[$_] }, number => $_ + 1, title => $titles[$_] } } 0 .. $#groups;
}

# A label that nobody has is one that was mistyped.
sub _expect {
    my ($members, $label) = @_;
    return if !@$members || grep { defined $_->{labels}{$label} } @$members;
    my %labels = map { $_ => 1 } map { keys %{ $_->{labels} } } @$members;
    die "no host has the label '"
        . plain($label) . "'\n"
        . (
        %labels
        ? 'their labels: ' . join(', ', map { short($_, $LETTERS) } sort keys %labels)
        : 'they have no labels'
        ) . "\n";
}

# What may tell groups apart whose titles are the same, in this order.
my @MORE = (
    sub { return $_[0]{memory} },
    sub { return _many_of($_[0]{sockets}, 'socket') },
    sub { return _many_of($_[0]{cores},   'core') },
    sub { return $_[0]{vendor} },
    sub { return "virtualisation $_[0]{virtualisation}" },
    sub { return "CPU $_[0]{model}" },
    \&_passport
);

# A title says more where another is the same and it tells them apart.
sub _titles {
    my (@groups) = @_;
    my @titles = map { _title($_) } @groups;
    for my $more (@MORE) {
        my @words = map { $more->($_->{facts}, $_) } @groups;
        my %seen;
        $seen{ $titles[$_] }{ $words[$_] } = 1 for 0 .. $#groups;
        @titles = map { keys %{ $seen{ $titles[$_] } } > 1 ? "$titles[$_], $words[$_]" : $titles[$_] }
            0 .. $#groups;
    }
    return map { plural($groups[$_]{hosts}, 'host') . ", $titles[$_]" } 0 .. $#groups;
}

sub _many_of {
    my ($number, $one) = @_;
    return $number =~ /\A\d+\z/a ? plural($number, $one) : "$one count $number";
}

sub _title {
    my ($group) = @_;
    my $facts   = $group->{facts};
    my $under   = $facts->{virtualisation};
    my $cpu =
        $facts->{model} =~ $NOTHING
        ? 'unknown CPU'
        : Touchstone::Machine::Identity::cpu_name($facts->{model});
    return join ', ', map { short($_, $LETTERS) } $cpu,
        $facts->{threads} =~ $NOTHING ? () : _many_of($facts->{threads}, 'CPU'),
        $under            =~ $NOTHING ? () : Touchstone::Machine::Identity::hypervisor_name($under),
        map { "$_ $group->{labels}{$_}" } sort keys %{ $group->{labels} };
}

sub _passport {
    my (undef, $group) = @_;
    my $passport = $group->{passport};
    return length $passport ? 'build ' . substr $passport, 0, $DIGITS : 'unknown build';
}

sub passports {
    my ($members) = @_;
    my %of;
    for my $member (@$members) {
        my $one = $of{ $member->{passport} } //=
            { passport => $member->{passport}, facts => $member->{facts} };
        $one->{hosts}{ $member->{host} } = 1;
    }
    my @all = sort { keys %{ $b->{hosts} } <=> keys %{ $a->{hosts} } || $a->{passport} cmp $b->{passport} }
        values %of;
    return map {
        my $one = $_;
        +{
            passport => $one->{passport},
            hosts    => [
                map  { $_->[1] }
                sort { $a->[0] cmp $b->[0] }
                map  { [ natural_key($_) . "\0$_", $_ ] } keys %{ $one->{hosts} }
            ],
            differs => [ $one == $all[0] ? () : _differs($one->{facts}, $all[0]{facts}) ]
        }
    } @all;
}

# In what two builds differ, in lines.
sub _differs {
    my @builds = map { _of_build($_) } @_;
    return map {
        "$_->{thing}: " . join '; ',
            map { short($_, $LETTERS) }
            @{ $_->{values} }
    } Touchstone::Compare::Differences::differences(@builds);
}

# The facts that a passport is made of, and what tells why programs are not the same.
sub _of_build {
    my ($facts) = @_;
    return { map { $_ => $facts->{$_} } grep { /\Ab |\Ar (?:suites|tool)\z|\Atools\z/ } keys %$facts };
}

# Whether a group is rather two groups: where more than a fifth of the hosts are
# slow, or fast, or a clear gap parts their sorted means. Then nobody is bad, and a fact may tell what divides
# them:
#
#   make_groups({ web1 => { y => -0.08, error => 0.002 }, ... }, { web1 => 'slow', web9 => 'fast' }, 0.03)
#
#   { clusters => [ [ 'web1', 'web4', ... ], [ 'web2', ... ] ],    slower hosts first
#     ratio => 0.92 }                                              of the means of both

# More than this part of the hosts is a group of its own, and no more than some far ones.
my $PART = 0.2;

# A gap is clear from so many deviations within both clusters on, over the number of hosts, and from $LEAST.
# It comes about by chance in 1 of 200 groups of 10 or more hosts, and in 1 of 100 of fewer.
my ($CLEAR, $LEAST) = (42, 1);

sub two_clusters {
    my ($means, $named, $smallest) = @_;
    my @order = sort { $means->{$a}{y} <=> $means->{$b}{y} || $a cmp $b } keys %$means;
    return if @order < $FEWEST;
    my $place = _gap($means, \@order, $smallest);
    return _clusters($means, [ @order[ 0 .. $place - 1 ] ], [ @order[ $place .. $#order ] ]) if $place;
    for my $kind (qw(slow fast)) {
        my @far  = grep { ($named->{$_} // '') eq $kind } @order;
        my @rest = grep { ($named->{$_} // '') ne $kind } @order;
        return _clusters($means, $kind eq 'slow' ? (\@far, \@rest) : (\@rest, \@far))
            if @far > $PART * @order && @rest;
    }
    return;
}

sub _clusters {
    my ($means,  @clusters) = @_;
    my ($slower, $faster)   = map {
        mean(map { $means->{$_}{y} } @$_)
    } @clusters;
    return { clusters => \@clusters, ratio => exp($slower - $faster) };
}

# The number of hosts before the clearest gap, or 0.
sub _gap {
    my ($means, $order, $smallest) = @_;
    my @y      = map { $means->{$_}{y} } @$order;
    my $floor  = median(map { $means->{$_}{error} // 0 } @$order);
    my $fewest = int($PART * @y) + 1;
    my ($best, $place) = (0, 0);
    for my $k ($fewest .. @y - $fewest) {
        my @parts = ([ @y[ 0 .. $k - 1 ] ], [ @y[ $k .. $#y ] ]);
        my ($below, $above) = map { mean(@$_) } @parts;
        next
            if exp($below - $above) > 1 - $IN_THE_MEAN * $smallest;
        my $gap   = $y[$k] - $y[ $k - 1 ];
        my $limit = max($LEAST, $CLEAR / @y) * max($floor, _within(@parts));
        ($best, $place) = ($gap, $k) if $gap > $limit && $gap > $best;
    }
    return $place;
}

# The deviation within clusters.
sub _within {
    my (@parts) = @_;
    my ($squares, $freedom) = (0, 0);
    for my $part (@parts) {
        my $mean = mean(@$part);
        $squares += sum(map { ($_ - $mean)**2 } @$part);
        $freedom += @$part - 1;
    }
    return sqrt($squares / $freedom);
}

# The fact that divides the clusters best, with its values in each: ('kernel', [ '6.1.0-39', '6.1.0-40' ]),
# or nothing. Every host of a cluster must have values that no host of the other has.
sub dividing_fact {
    my ($clusters, $facts) = @_;
    my @of   = map { 0 + @$_ } @$clusters;
    my @runs = map { $facts->{$_} } map { @$_ } @$clusters;
    my @found;
    for my $row (Touchstone::Compare::Differences::differences(@runs)) {
        my @values = @{ $row->{values} };
        my (%one, %other);
        $one{$_}++   for @values[ 0 .. $of[0] - 1 ];
        $other{$_}++ for @values[ $of[0] .. $#values ];
        next if grep { $other{$_} } keys %one;
        push @found,
            {
            fact   => $row->{thing},
            values => [ map { join ', ', sort keys %$_ } \%one, \%other ],
            many   => keys(%one) + keys %other
            };
    }
    my ($best) = sort { $a->{many} <=> $b->{many} } @found;
    return $best && $best->{many} < @runs ? ($best->{fact}, $best->{values}) : ();
}

1;
