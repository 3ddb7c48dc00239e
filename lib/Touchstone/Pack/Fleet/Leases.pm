# SPDX-License-Identifier: GPL-2.0-or-later
# Pack::Fleet::Leases - who may measure now: of each slot one host, and in all as many as the manifest allows.
# A host holds a lease with an end, in leases.json:
#
#   { "web1": { "slot": "hv07", "since": 1795240225, "until": 1795242025 } }
#
# Its holder may renew it. Others get it when it was given back or has ended, not before: a host behind a cut
# link may still be measuring, and whatever would tell of its end may be dead.
package Touchstone::Pack::Fleet::Leases;
use 5.014;
use strict;
use warnings;

use List::Util qw(min);
use Time::HiRes ();

use Touchstone::Machine::File;
use Touchstone::Record::Json;
use Touchstone::Record;

my $FILE = 'leases.json';
my $LOCK = 'leases.lock';

# A waiting process looks so often whether something changed, and whether the clock was set, in seconds.
my $LOOK       = 0.25;
my $LOOK_AGAIN = 60;

# Gives a host its lease and returns 1, or returns who has what it needs: { wait => seconds, holder }.
# `manifest` is what Pack::Fleet::Campaign::read returned.
sub take {
    my ($manifest, $name, $now) = @_;
    my ($host) = grep { $_->{name} eq $name } @{ $manifest->{hosts} };
    my $lock = _locked($manifest->{directory});
    my ($leases, $was_set) = _current($manifest, $now);
    _write($manifest->{directory}, $leases) if $was_set;
    my @others      = grep { $_ ne $name } sort keys %$leases;
    my $slot        = $host->{slot};
    my ($same_slot) = grep { defined $slot && ($leases->{$_}{slot} // '') eq $slot } @others;
    return _wait($leases, $now, $same_slot) if defined $same_slot;
    return _wait($leases, $now, @others)    if @others >= $manifest->{at_once};
    $leases->{$name} = { slot => $slot, since => $now, until => $now + $manifest->{lease} };
    _write($manifest->{directory}, $leases);
    return 1;
}

# How long until the first of these ends.
sub _wait {
    my ($leases, $now, @holders) = @_;
    my ($first) = sort { $leases->{$a}{until} <=> $leases->{$b}{until} } @holders;
    return { wait => $leases->{$first}{until} - $now, holder => $first };
}

sub give_back {
    my ($manifest, $name, $now) = @_;
    my $lock = _locked($manifest->{directory});
    my ($leases) = _current($manifest, $now);
    return if !delete $leases->{$name};
    return _write($manifest->{directory}, $leases);
}

# Returns { host => seconds until its lease ends }, and why nobody knows where the file is damaged: who only
# looks can go on without it.
sub held {
    my ($manifest, $now) = @_;
    my ($leases) = eval { _current($manifest, $now) };
    return ({}, $@) if !$leases;
    return { map { $_ => $leases->{$_}{until} - $now } keys %$leases };
}

# Waits until a host has its lease; returns whether it has. `stopped` is asked whether to stop.
sub wait_for {
    my ($manifest, $name, $stopped) = @_;
    until ($stopped->()) {
        my $seen = _stamp($manifest->{directory});
        my $got  = take($manifest, $name, time);
        return 1 if !ref $got;
        my $until = Time::HiRes::time() + min($got->{wait}, $LOOK_AGAIN);
        while (!$stopped->() && $seen eq _stamp($manifest->{directory})) {
            my $left = $until - Time::HiRes::time();
            last if $left <= 0 || $left > $LOOK_AGAIN;
            Time::HiRes::sleep(min($LOOK, $left));
        }
    }
    return 0;
}

# Each change makes a new file.
sub _stamp {
    my ($directory) = @_;
    return join ' ', (Time::HiRes::stat("$directory/$FILE"))[ 1, 7, 9 ];
}

# The system gives the lock back however its holder ends.
sub _locked {
    my ($directory) = @_;
    return Touchstone::Machine::File::locked("$directory/$LOCK");
}

# The leases that have not ended, and whether the clock was set back. One that begins in the future was given
# before that: it lasts from now on, as nobody knows how much of it is over.
sub _current {
    my ($manifest, $now) = @_;
    my $file    = "$manifest->{directory}/$FILE";
    my $leases  = -e $file ? _read($file) : {};
    my $was_set = 0;
    for my $name (keys %$leases) {
        my $lease = $leases->{$name};
        if ($lease->{since} > $now) {
            @$lease{qw(since until)} = ($now, $now + $manifest->{lease});
            $was_set = 1;
        }
        delete $leases->{$name} if $lease->{until} <= $now;
    }
    return ($leases, $was_set);
}

sub _read {
    my ($file) = @_;
    my $leases = eval { Touchstone::Record::Json::decode(Touchstone::Record->text_of($file)) };
    my $wrong  = ref $leases ne 'HASH' || grep { !_is_lease($_) } values %$leases;
    die "'$file' is damaged\nremove it when no host is measuring\n" if $wrong;
    return $leases;
}

sub _is_lease {
    my ($lease) = @_;
    return
        ref $lease eq 'HASH' && !ref $lease->{slot} && !grep { ref || ($_ // '') !~ /\A\d{1,12}(?:\.\d+)?\z/ }
        @$lease{qw(since until)};
}

sub _write {
    my ($directory, $leases) = @_;
    Touchstone::Machine::File::sweep($directory);
    Touchstone::Machine::File::write_file("$directory/$FILE", Touchstone::Record::Json::encode($leases));
    return;
}

1;
