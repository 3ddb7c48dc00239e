# SPDX-License-Identifier: GPL-2.0-or-later
# Pack::Fleet::HostList - the hosts of a campaign as a person writes them, a line each:
#
#   # NAME [slot=S] [LABEL=VALUE] ...
#   web1 slot=hv07 rack=b4
#   db1
#
# or as a carrier writes them, where names may be anything and all but the hosts may be missing:
#
#   { "campaign": "k68", "carrier": "ansible", "runs": 1, "retries": 2, "at_once": 3, "lease": 1800,
#     "seed": 4711, "programs": { "x86_64": { "digest": "3d1f02a9...", "passport": "8ecfc154..." } },
#     "hosts": [ { "name": "web1", "slot": "hv07", "labels": { "rack": "b4" } }, ... ] }
#
# Both become the latter, as data.
package Touchstone::Pack::Fleet::HostList;
use 5.014;
use strict;
use warnings;

use Touchstone::Base::Text qw(plain);
use Touchstone::Record::Campaign;
use Touchstone::Record::Json;

# What each of these must be. `hosts` is looked at for itself.
my $WHOLE = qr/\A[1-9]\d{0,6}\z/;
my %IS    = (
    campaign => [ \&Touchstone::Record::Campaign::is_id, $Touchstone::Record::Campaign::ID_ALLOWED ],
    carrier  => [ \&_is_text,                            'a text of at most 200 letters' ],
    runs     => [ sub { $_[0] =~ /\A[1-9]\d{0,2}\z/ },   'a whole number from 1 to 999' ],
    retries  => [ sub { $_[0] =~ /\A\d{1,3}\z/ },        'a whole number from 0 to 999' ],
    at_once  => [ sub { $_[0] =~ $WHOLE },               'a whole number above 0' ],
    lease    => [ sub { $_[0] =~ $WHOLE },               'seconds, a whole number above 0' ],
    seed     => [ sub { $_[0] =~ /\A\d{1,9}\z/ },        'a whole number of at most 9 digits' ],
);
my $MOST_HOSTS = 100_000;
my $LONGEST    = 200;
my $SUM        = qr/\A[0-9a-f]{8,128}\z/;
my $LABEL      = qr/[A-Za-z_][\w.-]{0,63}/a;

# Returns the data of a text, or dies with what is wrong with it.
sub read {
    my ($text) = @_;
    my $asked  = $text =~ /\A\s*\{/ ? _of_carrier($text) : _written({ hosts => [ _lines($text) ] });
    my @hosts  = @{ $asked->{hosts} };
    die "it names no host\n"                     if !@hosts;
    die "it names more than $MOST_HOSTS hosts\n" if @hosts > $MOST_HOSTS;
    my %seen;
    for my $host (@hosts) {
        die "it names the host '" . plain($host->{name}) . "' twice: each needs a name of its own\n"
            if $seen{ $host->{name} }++;
    }
    return $asked;
}

# What it will be when it was written into the manifest and read again: octets that are no UTF-8 change.
sub _written {
    my ($data) = @_;
    return Touchstone::Record::Json::decode(Touchstone::Record::Json::encode($data));
}

sub _lines {
    my ($text) = @_;
    my (@hosts, $number);
    for my $line (split /\n/, $text) {
        $number++;
        my ($name, @facts) = split ' ', $line =~ s/(?:\A|\s)#.*//sr;
        next if !defined $name;
        my @wrong = grep { !/=/ } @facts;
        die "line $number: '"
            . plain($wrong[0])
            . "' is no LABEL=VALUE: a line is NAME [slot=S] [LABEL=VALUE] ...\n"
            if @wrong;
        my @pairs = map { [ split /=/, $_, 2 ] } @facts;
        my %labels;
        for my $pair (@pairs) {
            die "line $number: '" . plain($pair->[0]) . "' stands there twice\n"
                if defined $labels{ $pair->[0] };
            $labels{ $pair->[0] } = $pair->[1];
        }
        my $slot = delete $labels{slot};
        push @hosts,
            eval { _host({ name => $name, slot => $slot, labels => \%labels }) } // die "line $number: $@";
    }
    return @hosts;
}

sub _of_carrier {
    my ($text) = @_;
    my $asked = Touchstone::Record::Json::decode($text);
    die "'hosts' is missing or no list\n" if ref $asked->{hosts} ne 'ARRAY';
    my %known = map { $_ => 1 } keys %IS, qw(hosts programs);
    for my $name (sort keys %$asked) {
        die "it has an unknown key '" . plain($name) . "'\n" if !$known{$name};
        my $is    = $IS{$name} or next;
        my $value = $asked->{$name} // next;
        die "'$name' needs $is->[1]\n" if ref $value || !$is->[0]->($value);
    }
    my $number = 0;
    my @hosts =
        map {
        $number++;
        my $host = $_;
        eval { _host($host) } // die "host $number: $@"
        } @{ $asked->{hosts} };
    return {
        (map { $_ => $asked->{$_} } grep { defined $asked->{$_} } keys %IS),
        defined $asked->{programs} ? (programs => _programs($asked->{programs})) : (),
        hosts => \@hosts
    };
}

# A host is named in words of commands and in names of nothing else, so its name may be nearly anything.
sub _host {
    my ($host) = @_;
    die "it is no object\n" if ref $host ne 'HASH';
    my ($name, $slot, $labels) = ($host->{name}, $host->{slot}, $host->{labels} // {});
    die "its name is missing\n" if ref $name || !length($name // '');
    die "the name '"
        . plain($name)
        . "' cannot be that of a host: it needs at most $LONGEST letters, none of control\n"
        if !Touchstone::Record::Campaign::is_host($name);
    my $called = "'" . plain($name) . "'";
    die "the slot of $called needs a text of at most $LONGEST letters\n"
        if defined $slot && !_is_text($slot);
    die "the labels of $called are no object\n" if ref $labels ne 'HASH';
    my %own = map { $_ => 1 } @Touchstone::Record::Campaign::OWN_LABELS;

    for my $label (sort keys %$labels) {
        my $shown = "the label '" . plain($label) . "' of $called";
        die "$shown cannot be given: Touchstone says it itself\n" if $own{$label};
        die "$shown needs another name: a letter, then at most 63 letters, digits and _ . -\n"
            if $label !~ /\A$LABEL\z/;
        die "$shown needs a text of at most $LONGEST letters\n"
            if ref $labels->{$label} || length($labels->{$label} // '') && !_is_text($labels->{$label});
    }
    return {
        name   => "$name",
        slot   => length($slot // '') ? "$slot" : undef,
        labels => { map { $_ => "$labels->{$_}" } grep { defined $labels->{$_} } keys %$labels }
    };
}

sub _is_text { my ($text) = @_; return !ref $text && length $text <= $LONGEST && $text !~ /[\x00-\x1f\x7f]/ }

sub _programs {
    my ($programs) = @_;
    die "'programs' is no object\n" if ref $programs ne 'HASH';
    for my $arch (sort keys %$programs) {
        my $of = $programs->{$arch};
        die "'programs' of '" . plain($arch) . "' needs digest, passport or both, in hexadecimal digits\n"
            if ref $of ne 'HASH'
            || !keys %$of
            || grep { !/\A(?:digest|passport)\z/ || ref $of->{$_} || ($of->{$_} // '') !~ $SUM }
            keys %$of;
    }
    return $programs;
}

1;
