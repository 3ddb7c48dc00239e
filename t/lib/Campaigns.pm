# SPDX-License-Identifier: GPL-2.0-or-later
# Campaigns - directories of campaigns and records of them, for tests: copies of one record with other names.
#
#   my $dir  = Campaigns::planned("$temp/k68", { hosts => [ { name => 'web1' } ] }, words => ['--quick']);
#   my $file = Campaigns::record($temp, host => 'web1', attempt => 1);
package Campaigns;
use 5.014;
use strict;
use warnings;

use Fake;
use Touchstone::Pack::Fleet::Plan;
use Touchstone::Record::Campaign;
use Touchstone::Record::Json;

# Plans a campaign as fleet plan does, and returns its directory.
sub planned {
    my ($directory, $asked, %with) = @_;
    my $list = Touchstone::Pack::Fleet::Plan::read_hosts(Touchstone::Record::Json::encode($asked));
    Touchstone::Pack::Fleet::Plan::make(
        $directory, $list,
        campaign => 'k68',
        words    => [],
        seconds  => 10,
        seed     => 1,
        %with
    );
    return $directory;
}

# Facts of a record: host, and where it matters campaign, attempt, machine (a machine-id), labels, started,
# and other members.
sub facts {
    my (%of) = @_;
    state $fixed = Touchstone::Record::Json::decode(Fake::read_file("$Fake::BASE/t/golden/fixed.json"));
    my $facts   = {%$fixed};
    my $host    = delete $of{host};
    my $machine = delete $of{machine} // "machine of $host";
    $facts->{campaign} = {
        id      => delete $of{campaign} // 'k68',
        host    => $host,
        host_id => Touchstone::Record::Campaign::host_id($machine, $host),
        machine => Touchstone::Record::Campaign::machine($machine),
        attempt => delete $of{attempt} // 1,
        labels  => delete $of{labels}  // {}
    };
    return {
        %$facts,
        name    => Touchstone::Record::Campaign::name($facts->{campaign}),
        status  => 'complete',
        started => time - 60,
        %of
    };
}

# Writes such a record into a directory and returns its file.
sub record {
    my ($directory, %of) = @_;
    my $facts = facts(%of);
    my $file  = "$directory/$facts->{name}.json";
    Fake::write_file($file, Touchstone::Record::Json::encode($facts));
    return $file;
}

sub key { my ($file) = @_; return $file =~ s{.*/}{}sr =~ s/\.json(?:\.gz)?\z//r }

1;
