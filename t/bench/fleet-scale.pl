#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# What many records cost: makes those of a campaign, of 24 figures each and packed, in a new directory and
# reads them in several ways. Each way is a process of its own, of which it says the seconds, the seconds of
# CPU time and the most memory that it had:
#
#   $ perl -Ilib t/bench/fleet-scale.pl DIRECTORY [HOSTS [RUNS [PASSES]]]       1000, 1 and 6
#
#   1000 hosts, 1 runs of each, 6 passes of each test
#   made                                         2.5 s     2.2 s of CPU    52 MB   1000 files
#   read, without a cache                        2.9 s     2.6 s of CPU   110 MB   1000 members
#
# A record of 6 passes has 104 KB, and 13 KB packed; with 1 pass 36 and 7. 100 runs of each of 1000 hosts with
# one pass need 700 MB.
# Nothing removes the directory afterwards.
use 5.014;
use strict;
use warnings;

use Time::HiRes qw(time);

use lib 't/lib';
use Fleetful;
use Touchstone::Base::Random;
use Touchstone::Pack::Fleet::FactAssociation;
use Touchstone::Pack::Fleet::Groups;
use Touchstone::Pack::Fleet::Store;

my ($DIRECTORY, $HOSTS, $RUNS, $PASSES) = @ARGV;
die "usage: $0 DIRECTORY [HOSTS [RUNS [PASSES]]]\n" if !defined $DIRECTORY;
die "'$DIRECTORY' is there already\n"               if -e $DIRECTORY;
$HOSTS  //= 1000;
$RUNS   //= 1;
$PASSES //= 6;

# Without a cache the memory for more is wasted.
my $MOST_IN_MEMORY = 5000;

$| = 1;
print "$HOSTS hosts, $RUNS runs of each, $PASSES passes of each test\n";
mkdir $DIRECTORY or die "cannot make '$DIRECTORY': $!\n";

# Does something in a process of its own, and says what it cost and returned.
sub cost {
    my ($what, $code) = @_;
    my $begin = time;
    my $pid   = open(my $child, '-|') // die "cannot fork: $!\n";
    if (!$pid) {
        my $said = $code->();
        my ($user, $system) = times;
        open my $status, '<', '/proc/self/status' or die "cannot open '/proc/self/status': $!\n";
        my ($peak) = map { /\AVmHWM:\s+(\d+)/a ? $1 : () } <$status>;
        printf "%7.1f s of CPU %5d MB   %s", $user + $system, $peak / 1024, $said;
        exit 0;
    }
    my $said = do { local $/; <$child> };
    close $child or die "'$what' failed\n";
    printf "%-44s %7.1f s %s\n", $what, time - $begin, $said;
    return;
}

sub members { return scalar @{ $_[0]{members} } . ' members' }

cost(
    'made' => sub {
        my $fleet = Fleetful::campaign(
            $DIRECTORY,
            hosts  => $HOSTS,
            runs   => $RUNS,
            gz     => 1,
            passes => $PASSES,
            effect => { web3 => -0.1 },
            host   => sub {
                return {
                    release   => (substr $_[0], 3) % 2 ? '6.1' : '6.8',
                    memory_kb => 32_803_000 + substr $_[0],
                    3
                };
            }
        );
        return scalar @{ $fleet->{files} } . ' files';
    }
);

if ($HOSTS * $RUNS <= $MOST_IN_MEMORY) {
    cost(
        'read, without a cache' => sub {
            $Touchstone::Pack::Fleet::Store::CACHED = 1e9;
            return members(Touchstone::Pack::Fleet::Store::read($DIRECTORY));
        }
    );
}

# The newest records come later.
my @files = Touchstone::Pack::Fleet::Store::files($DIRECTORY);
my @late  = splice @files, -($HOSTS < @files / 2 ? $HOSTS : int @files / 100);
rename "$DIRECTORY/$_", "$DIRECTORY/$_.later" or die "cannot rename '$_': $!\n" for @late;
my $query = sub {
    my @choice = @_;
    return sub { return members(Touchstone::Pack::Fleet::Store::read($DIRECTORY, @choice)) }
};
cost('the cache filled, and one host read' => $query->(hosts => ['web7']));
cost('the runs of one host'                => $query->(hosts => ['web7']));
rename "$DIRECTORY/$_.later", "$DIRECTORY/$_" or die "cannot rename '$_': $!\n" for @late;
cost(@late . ' new records, and one host' => $query->(hosts  => ['web7']));
cost('the newest run of each host'        => $query->(newest => 1));
cost(
    'one figure of all runs' => sub {
        return Touchstone::Pack::Fleet::Store::with_cache(
            $DIRECTORY,
            sub {
                my ($cache) = @_;
                my $rows =
                    $cache->{db}->selectall_arrayref(
                          'SELECT run.host, figure.y FROM figure JOIN run ON run.file = figure.file '
                        . "WHERE kind = (SELECT id FROM kind WHERE name = 'pipe' AND copies = 1)");
                return @$rows . ' figures';
            }
        );
    }
);
cost(
    'what goes with the difference' => sub {
        my $read    = Touchstone::Pack::Fleet::Store::read($DIRECTORY, newest => 1);
        my ($group) = Touchstone::Pack::Fleet::Groups::make_groups($read->{members});
        my @hosts = map { +{ %$_, ratio => exp($_->{figures}{'1 pipe'}{y} - 15.7) } } @{ $group->{members} };
        my @lines = Touchstone::Pack::Fleet::FactAssociation::goes_with(\@hosts,
            Touchstone::Base::Random::generator(1));
        return "$group->{title}: " . @lines . ' lines';
    }
);
printf "%-44s %7.0f MB\n", 'fleet.db', (-s "$DIRECTORY/fleet.db" // 0) / 1e6;
