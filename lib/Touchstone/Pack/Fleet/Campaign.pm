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
#     "command": { "in": "/home/op", "measure": "fleet/ssh k68 hosts", "confirm": "..." },    what was typed
#     "of": "k67",             the campaign whose suspects this one measures again, or null
#     "hosts": [ { "name": "web1", "order": 1, "slot": "hv07", "labels": { "rack": "b4" }, "role": "suspect" } ]
#   }
#
# It is made once and never changed. Beside it are:
#
#   runs/YYYY-MM/KEY.json    records, by the month in which they began; also .json.gz
#   conflicts/               other records of a key that is there
#   staging/                 what a carrier brought and nobody has taken in yet
#   events.jsonl             what carriers say of hosts (Pack::Fleet::RecordIndex)
#   leases.json              who measures now (Pack::Fleet::Leases)
#   confirm-1/ ...           campaigns that measure suspects again
#   index.html ...           the page
package Touchstone::Pack::Fleet::Campaign;
use 5.014;
use strict;
use warnings;

use Exporter qw(import);

use Touchstone::Base::Text qw(plain);
use Touchstone::Base::Time;
use Touchstone::Machine::File;
use Touchstone::Machine::Sysfile;
use Touchstone::Record;
use Touchstone::Record::Campaign;
use Touchstone::Record::Json;

our @EXPORT_OK = qw($MANIFEST confirmations expect folder_of);

our $FORMAT   = 1;
our $MANIFEST = 'campaign.json';

# Those that have no other place have this one below the results.
our $CAMPAIGNS = 'campaigns';

my $MOST_BYTES   = 50_000_000;
my $LONGEST_LINE = 5_000;
my $NUMBER       = qr/\A\d{1,12}(?:\.\d{1,9})?\z/;
my $WHOLE        = qr/\A\d{1,9}\z/;
my $COUNT        = qr/\A[1-9]\d{0,8}\z/;
my %NUMBERS =
    (made => $NUMBER, seed => $NUMBER, retries => $WHOLE, map { $_ => $COUNT } qw(runs at_once lease));

# Returns the manifest in a directory, with `directory`; nothing where there
# is none. Dies where it is damaged.
sub read {
    my ($directory) = @_;
    my $file = "$directory/$MANIFEST";
    return                                             if !-e $file;
    die "'$file' is not a manifest: it is too large\n" if -s $file > $MOST_BYTES;
    my $manifest = eval { Touchstone::Record::Json::decode(Touchstone::Record->text_of($file)) };
    die "'$file' is not a manifest of a campaign: $@" if !defined $manifest;
    my $wrong = complaint($manifest);
    die "'$file' is not a manifest of a campaign: $wrong\n" if defined $wrong;
    return { %$manifest, directory => $directory };
}

# Returns the manifest in a directory or dies with the remedy.
sub expect {
    my ($directory) = @_;
    return &read($directory)
        // die "no campaign in '$directory': it has no $MANIFEST\n"
        . "try: ./Run fleet plan FILE --campaign DIR\n";
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
    return 'it is not an object'       if ref $it ne 'HASH';
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
    for my $program (values %{ $it->{programs} // {} }) {
        return "'programs' is wrong" if ref $program ne 'HASH' || grep { !defined || ref } values %$program;
    }
    my $wrong = defined $it->{command} ? complaint_of_command($it->{command}) : undef;
    return $wrong                        if defined $wrong;
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

# The typed commands, for the report: { in => directory, measure, confirm => lines for a shell }.
sub complaint_of_command {
    my ($command) = @_;
    return "'command' is wrong" if ref $command ne 'HASH';
    return (
        grep { ref || !length || length > $LONGEST_LINE || /[\x00-\x1f\x7f]/ }
        map  { $command->{$_} // '' } qw(in measure confirm)
    ) ? "'command' is wrong" : undef;
}

sub _complaint_of_host {
    my ($host) = @_;
    return 'it is not an object' if ref $host ne 'HASH';
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
sub title {
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

# What a list of campaigns needs to know of each. Whoever judges a campaign leaves it
# there as summary.json, so that nobody has to read a thousand records for a line of a table:
#
#   { "format": 1, "campaign": "k68", "made": 1795240225, "ended": 1795317005, "carrier": "ansible",
#     "expected": 40, "received": 38, "bad": 1, "suspects": 2, "missing": 2, "status": 1,
#     "named": ["web09"] }
#
# all() returns these of every campaign below a directory, the newest first, with `id` (the name of its
# folder), and `page` where it has one. A campaign that nobody has judged has no `status`.

our $FILE = 'summary.json';

my $SUMMARY_FORMAT = 1;

# A summary names so many bad hosts, and its file is no larger than this.
my ($NAMED, $MOST_IN_SUMMARY) = (5, 20_000);

my @NUMBERS = qw(made ended expected received bad suspects missing status);

sub summary {
    my ($judgement) = @_;
    my ($campaign, $standing, $counts) = @$judgement{qw(campaign standing counts)};
    my @bad =
        map { $_->{host} } grep { $_->{verdict} eq 'bad' } map { @{ $_->{hosts} } } @{ $judgement->{groups} };
    return {
        format   => $SUMMARY_FORMAT,
        campaign => $campaign->{campaign},
        made     => $campaign->{made},
        carrier  => $campaign->{carrier},
        ended    => $judgement->{ended},
        expected => $standing->{expected},
        received => $standing->{received},
        missing  => $standing->{expected} - $standing->{received},
        bad      => $counts->{bad},
        suspects => $counts->{suspect},
        status   => $judgement->{status},
        named    => [ @bad > $NAMED ? @bad[ 0 .. $NAMED - 1 ] : @bad ]
    };
}

sub write_summary {
    my ($directory, $summary) = @_;
    return Touchstone::Machine::File::write_file("$directory/$FILE",
        Touchstone::Record::Json::encode($summary));
}

# `place`: the directory that holds the campaigns' folders.
sub summaries {
    my ($place) = @_;
    my @ids = grep { Touchstone::Record::Campaign::is_id($_) } Touchstone::Machine::Sysfile::names($place);
    my @found =
        map { _summary_of($place, $_) } grep { -e "$place/$_/$MANIFEST" } @ids;
    return sort { ($b->{made} // 0) <=> ($a->{made} // 0) || $a->{id} cmp $b->{id} } @found;
}

sub _summary_of {
    my ($place, $id) = @_;
    my $summary = _read_summary("$place/$id/$FILE") // _planned("$place/$id");
    return { %$summary, id => $id, page => -e "$place/$id/index.html" ? 1 : 0 };
}

# A summary, or undef where there is none or it is damaged: the next judgement writes it anew.
sub _read_summary {
    my ($file) = @_;
    return if !-e $file || -s _ > $MOST_IN_SUMMARY;
    my $summary = eval { Touchstone::Record::Json::decode(Touchstone::Record->text_of($file)) };
    return
        if ref $summary ne 'HASH' || ref $summary->{named} ne 'ARRAY' || grep { ref } @{ $summary->{named} };
    return if grep { ref $summary->{$_} || ($summary->{$_} // 0) !~ /\A\d{1,12}(?:\.\d{1,9})?\z/ } @NUMBERS;
    return if ref $summary->{carrier};
    return $summary;
}

sub _planned {
    my ($directory) = @_;
    my $manifest = eval { &read($directory) }
        or return { why => _first_line($@) };
    return {
        made     => $manifest->{made},
        carrier  => $manifest->{carrier},
        expected => scalar @{ $manifest->{hosts} }
    };
}

sub _first_line { my ($text) = @_; return (split /\n/, $text)[0] // 'it cannot be read' }

1;
