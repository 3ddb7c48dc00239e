# SPDX-License-Identifier: GPL-2.0-or-later
# Pack::Fleet::Campaign - the directory of a campaign and its manifest, campaign.json, which says before
# anything runs which hosts are expected:
#
#   {
#     "format": 1, "campaign": "k68", "made": 1795240225, "seed": 4711, "carrier": "ansible",
#     "runs": 1,               how often each host is measured
#     "retries": 2,            so many lost runs of a host are repeated; runs that ended never are
#     "at_once": 3,            so many hosts may measure at the same time
#     "lease": 1800,           seconds after which a host that nobody heard of gives its slot free
#     "words": ["--quick", "-c", "1"],      what is measured
#     "programs": { "x86_64": { "digest": "3d1f02a9...", "passport": "8ecfc154..." } },
#     "of": "k67",             the campaign whose suspects this one measures again, or null
#     "hosts": [ { "name": "web1", "order": 1, "slot": "hv07", "labels": { "rack": "b4" }, "role": "suspect" } ]
#   }
#
# It is made once and never changed. Beside it are:
#
#   runs/YYYY-MM/KEY.json    records, by the month in which they began; also .json.gz
#   conflicts/               other records of a key that is there
#   staging/                 what a carrier brought and nobody has taken in yet
#   events.jsonl             what carriers say of hosts (Pack::Fleet::Events)
#   leases.json              who measures now (Pack::Fleet::Leases)
#   confirm-1/ ...           campaigns that measure suspects again
#   index.html ...           the page
package Touchstone::Pack::Fleet::Campaign;
use 5.014;
use strict;
use warnings;

use Touchstone::Base::Text qw(plain);
use Touchstone::Base::Time;
use Touchstone::Machine::File;
use Touchstone::Machine::Sysfile;
use Touchstone::Record::Campaign;
use Touchstone::Record::Json;
use Touchstone::Record;

our $FORMAT   = 1;
our $MANIFEST = 'campaign.json';

# Those that have no other place have this one below the results.
our $CAMPAIGNS = 'campaigns';

my $MOST_BYTES = 50_000_000;
my $NUMBER     = qr/\A\d{1,12}(?:\.\d{1,9})?\z/;
my $WHOLE      = qr/\A\d{1,9}\z/;
my $COUNT      = qr/\A[1-9]\d{0,8}\z/;
my %NUMBERS =
    (made => $NUMBER, seed => $NUMBER, retries => $WHOLE, map { $_ => $COUNT } qw(runs at_once lease));

# Returns the manifest in a directory, with `directory`; nothing where there
# is none. Dies where it is damaged.
sub read {
    my ($directory) = @_;
    my $file = "$directory/$MANIFEST";
    return                                          if !-e $file;
    die "'$file' is no manifest: larger than any\n" if -s $file > $MOST_BYTES;
    my $manifest = eval { Touchstone::Record::Json::decode(Touchstone::Record->text_of($file)) };
    die "'$file' is no manifest of a campaign: $@" if !defined $manifest;
    my $wrong = complaint($manifest);
    die "'$file' is no manifest of a campaign: $wrong\n" if defined $wrong;
    return { %$manifest, directory => $directory };
}

# Returns the manifest in a directory or dies with the remedy.
sub expect {
    my ($directory) = @_;
    return &read($directory)
        // die "no campaign in '$directory': it has no $MANIFEST\n"
        . "--plan FILE --campaign DIR makes one\n";
}

# Writes a new manifest; one that is there stays. Returns the one that is there then.
sub write {
    my ($directory, $manifest) = @_;
    my $wrong = complaint($manifest);
    die "this cannot be a campaign: $wrong\n" if defined $wrong;
    Touchstone::Machine::File::make_directory($_)
        for $directory, map { "$directory/$_" } qw(runs conflicts staging);
    my $file = "$directory/$MANIFEST";
    eval {
        Touchstone::Machine::File::write_file($file, Touchstone::Record::Json::encode($manifest), new => 1);
    }
        or -e $file
        or die $@;
    return expect($directory);
}

# The first thing that is wrong with a manifest, or undef.
sub complaint {
    my ($it) = @_;
    return 'it is no object'           if ref $it ne 'HASH';
    return "its format is not $FORMAT" if ($it->{format} // '') ne $FORMAT;
    return "'campaign' is missing or wrong"
        if ref $it->{campaign} || !Touchstone::Record::Campaign::is_id($it->{campaign} // '');
    for my $name (sort keys %NUMBERS) {
        return "'$name' is missing or wrong" if ref $it->{$name} || ($it->{$name} // '') !~ $NUMBERS{$name};
    }
    for my $name (qw(carrier of)) { return "'$name' is wrong" if ref $it->{$name} }
    return "'words' is missing or wrong"
        if ref $it->{words} ne 'ARRAY' || grep { !defined || ref } @{ $it->{words} };
    return "'programs' is wrong" if ref($it->{programs} // {}) ne 'HASH';
    for my $of (values %{ $it->{programs} // {} }) {
        return "'programs' is wrong" if ref $of ne 'HASH' || grep { !defined || ref } values %$of;
    }
    return "'hosts' is missing or wrong" if ref $it->{hosts} ne 'ARRAY';
    my %seen;
    for my $i (0 .. $#{ $it->{hosts} }) {
        my $wrong = _complaint_of_host($it->{hosts}[$i]);
        return "'hosts/" . ($i + 1) . "': $wrong" if defined $wrong;
        my $name = $it->{hosts}[$i]{name};
        return "the host '" . plain($name) . "' stands there twice" if $seen{$name}++;
    }
    return @{ $it->{hosts} } ? undef : 'it has no hosts';
}

sub _complaint_of_host {
    my ($host) = @_;
    return 'it is no object' if ref $host ne 'HASH';
    return 'its name is missing or wrong'
        if ref $host->{name} || !Touchstone::Record::Campaign::is_host($host->{name} // '');
    return 'its order is missing or wrong' if ref $host->{order} || ($host->{order} // '') !~ /\A\d{1,7}\z/;
    return 'its slot is wrong'             if ref $host->{slot};
    my $labels = $host->{labels} // {};
    return 'its labels are wrong' if ref $labels ne 'HASH' || grep { !defined || ref } values %$labels;
    return;
}

# Returns the directory of a campaign that is named by its path, or by its name where it is stored with the
# results.
sub called {
    my ($results, $name) = @_;
    my $stored = stored($results, $name);
    return -e $name || !-d $stored ? $name : $stored;
}

sub stored { my ($results, $name) = @_; return "$results/$CAMPAIGNS/$name" }

# Returns the directory in which a record is kept, by when it began.
sub folder_of {
    my ($directory, $started) = @_;
    return "$directory/runs/" . Touchstone::Base::Time::date('%Y-%m', $started);
}

# Returns the directories of campaigns that measured suspects of this one again, in their order.
sub confirmations {
    my ($directory) = @_;
    my @numbers     = sort { $a <=> $b }
        map { /\Aconfirm-([1-9]\d{0,3})\z/ ? $1 : () } Touchstone::Machine::Sysfile::names($directory);
    return grep { -e "$_/$MANIFEST" } map { "$directory/confirm-$_" } @numbers;
}

1;
