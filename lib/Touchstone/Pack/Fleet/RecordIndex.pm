# SPDX-License-Identifier: GPL-2.0-or-later
# Pack::Fleet::RecordIndex - what was noted of a campaign: which records it has, and the events of its hosts.
# read_index() gives the records by the key of each:
#
#   {
#     'k68.9f31c07d5a64b2e8.1' => {
#       file => '2026-11/k68.9f31c07d5a64b2e8.1.json', host => 'web1', host_id => '9f31c07d5a64b2e8',
#       machine => '51d09c3a7e442f10', started => 1795240225.8, arch => 'x86_64', passport => '8ecfc154...'
#     }
#   }
#
# Names of files say which there are. What stands in each was noted in received.jsonl when it came, so that
# nobody has to read a thousand records to know the names of their hosts; of a file that is not noted, it is
# read again. That list can be thrown away.
package Touchstone::Pack::Fleet::RecordIndex;
use 5.014;
use strict;
use warnings;

use Exporter qw(import);
use Fcntl qw(:flock SEEK_END SEEK_SET);
use IO::Handle;

use Touchstone::Machine::File;
use Touchstone::Machine::Limits;
use Touchstone::Machine::Sysfile;
use Touchstone::Record;
use Touchstone::Record::Campaign;
use Touchstone::Record::Largest;
use Touchstone::Record::Json;

our @EXPORT_OK = qw(by_host note_event refusals file_of read_index);

my $NOTES = 'received.jsonl';
our $SUFFIX = qr/\.json(?:\.gz)?/;

# `manifest` is what Pack::Fleet::Campaign::read returned. `members`: those that somebody has read already
# (Pack::Fleet::HostRun), which need not be read again.
sub read_index { my ($manifest, @members) = @_; return begin($manifest, @members)->{of} }

# Returns what `news` takes, with all that is known as `of`.
sub begin {
    my ($manifest, @members) = @_;
    my $state = { directory => $manifest->{directory}, offset => 0, of => {} };
    news($state);
    my %noted = map { $_->{file} => $_ } values %{ $state->{of} };
    my %read  = map { $_->{file} => $_ } @members;
    my %files = files($manifest);
    $state->{of} = {};
    for my $key (keys %files) {
        my $file = $files{$key};
        my ($member) = $noted{$file} // _of_member($file, $read{"runs/$file"})
            // _read($state->{directory}, $file);
        $state->{of}{$key} = $member if $member;
    }
    return $state;
}

# Reads what was noted since the last time, and returns all that is known. The last line may not be whole yet.
sub news {
    my ($state) = @_;
    open my $in, '<:raw', "$state->{directory}/$NOTES" or return $state->{of};
    seek $in, $state->{offset}, SEEK_SET;
    while (my $line = <$in>) {
        last if $line !~ /\n\z/;
        $state->{offset} += length $line;
        my $note = eval { Touchstone::Record::Json::decode($line) };
        $state->{of}{ _key($note->{file}) } = $note if ref $note eq 'HASH' && _is_note($note);
    }
    close $in;
    return $state->{of};
}

sub _key { my ($file) = @_; return $file =~ s{.*/}{}sr =~ s/$SUFFIX\z//r }

sub _is_note {
    my ($note) = @_;
    return 0 if grep { !defined $note->{$_} || ref $note->{$_} } qw(file host host_id machine started arch);
    return $note->{started} =~ /\A\d{1,12}(?:\.\d+)?\z/ ? 1 : 0;
}

# Returns { key => file below runs/ }.
sub files {
    my ($manifest) = @_;
    my %files;
    for my $month (months($manifest->{directory})) {
        for my $name (Touchstone::Machine::Sysfile::names("$manifest->{directory}/runs/$month")) {
            my ($key)  = $name =~ /\A(.+?)$SUFFIX\z/s               or next;
            my $parsed = Touchstone::Record::Campaign::parsed($key) or next;
            $files{$key} = "$month/$name" if $parsed->{id} eq $manifest->{campaign};
        }
    }
    return %files;
}

# Returns the folders of records.
sub months {
    my ($directory) = @_;
    my @months = grep { /\A\d{4,}-\d\d\z/ } Touchstone::Machine::Sysfile::names("$directory/runs");
    return @months;
}

# Removes what killed ones were writing in a campaign.
sub sweep {
    my ($directory) = @_;
    return Touchstone::Machine::File::sweep($directory, "$directory/conflicts",
        map { "$directory/runs/$_" } months($directory));
}

# Returns the file of a key, below runs/, or nothing.
sub file_of {
    my ($directory, $key) = @_;
    for my $month (months($directory)) {
        for my $file (map { "$month/$key$_" } '.json', '.json.gz') {
            return $file if -e "$directory/runs/$file";
        }
    }
    return;
}

# Notes what stands in a record that was taken in, and returns that.
sub note_record {
    my ($directory, $file, $facts) = @_;
    my $note = entry($file, $facts);
    append("$directory/$NOTES", $note);
    return $note;
}

sub entry {
    my ($file, $facts) = @_;
    return {
        file     => $file,
        started  => $facts->{started},
        arch     => $facts->{host}{machine},
        passport => $facts->{passport},
        map { $_ => $facts->{campaign}{$_} } qw(host host_id machine)
    };
}

# A member says the same, but names no machine where its record names none.
sub _of_member {
    my ($file, $member) = @_;
    return undef if !$member;
    my $note = { file => $file, map { $_ => $member->{$_} } qw(started arch passport host host_id machine) };
    return _is_note($note) ? $note : undef;
}

# A damaged file is one that nobody has received. Whoever can write there notes it for the next time.
sub _read {
    my ($directory, $file) = @_;
    my $facts = eval {
        Touchstone::Record->of_text("$directory/runs/$file",
            Touchstone::Record->text_of("$directory/runs/$file"));
    };
    return undef if !$facts || !$facts->{campaign};
    return eval { note_record($directory, $file, $facts) } // entry($file, $facts);
}

# What carriers say of the hosts of a campaign, and which records were refused: a line
# of events.jsonl each, in the order in which they were said.
#
#   {"at": 1795240224, "host": "web1", "what": "turn"}
#   {"at": 1795240225, "host": "web1", "what": "running"}
#   {"at": 1795240301, "host": "web1", "what": "failed", "why": "illegal instruction"}
#   {"at": 1795240377, "file": "/srv/got/web9.json", "host": "web9", "what": "refused", "why": "..."}
#   {"at": 1795240377, "file": "/srv/got/web9.json", "host": "web9", "what": "accepted"}

my $FILE = 'events.jsonl';

# What is said of a host: by its carrier, and that it may measure. After these two a run of it may be lost.
my %FACTS_STORED = map { $_ => 1 } qw(turn running over unreachable failed);
my %IS_TRIED     = map { $_ => 1 } qw(turn running);

my $TIME = qr/\A\d{1,12}(?:\.\d+)?\z/;

sub note_event {
    my ($directory, $host, $what, %more) = @_;
    return append("$directory/$FILE", { at => time, host => $host, what => $what, %more });
}

# Returns what is known of each host that something was said of:
#
#   { web1 => { what => 'failed', why => 'illegal instruction', at => 1795240301, lost => 1 } }
#
# `lost` counts the runs that failed: one that could not begin is none.
sub by_host {
    my ($directory) = @_;
    my (%of, %tried, %lost);
    for my $event (grep { $FACTS_STORED{ $_->{what} } && defined $_->{host} } events($directory)) {
        my ($host, $what) = @$event{qw(host what)};
        $tried{$host} = 1 if $IS_TRIED{$what};
        $lost{$host}++ if $what eq 'failed' && delete $tried{$host};
        $of{$host} = $event;
    }
    $_->{lost} = $lost{ $_->{host} } // 0 for values %of;
    return \%of;
}

# Returns the last refusal of each file that was not accepted later.
sub refusals {
    my ($directory) = @_;
    my %of;
    for my $event (grep { defined $_->{file} } events($directory)) {
        if    ($event->{what} eq 'refused')  { $of{ $event->{file} } = $event }
        elsif ($event->{what} eq 'accepted') { delete $of{ $event->{file} } }
    }
    return \%of;
}

sub events {
    my ($directory) = @_;
    return grep {
               defined $_->{what}
            && !(grep { ref } values %$_)
            && ($_->{at} // '') =~ $TIME
    } read_lines("$directory/$FILE");
}

# Returns the objects of a file with one in each line. A writer that was killed leaves half a line.
sub read_lines {
    my ($file) = @_;
    open my $in, '<:raw', $file or return $!{ENOENT} ? () : die "cannot open '$file': $!\n";
    my @entries =
        grep { ref eq 'HASH' } map {
        scalar eval { Touchstone::Record::Json::decode($_) }
        } <$in>;
    close $in or die "cannot read '$file': $!\n";
    return @entries;
}

# Adds an object to such a file. It begins a line of its own, also after half a line.
sub append {
    my ($file, $entry) = @_;
    my $line    = Touchstone::Record::Json::encode_line($entry) . "\n";
    my $out     = Touchstone::Machine::File::opened($file, append => 1);
    my $trouble = flock($out, LOCK_EX) ? undef : $!;
    my $last    = "\n";
    read $out, $last, 1 if !defined $trouble && seek $out, -1, SEEK_END;
    seek $out, 0, SEEK_END;
    $trouble //= $! if !print({$out} $last eq "\n" ? '' : "\n", $line) || !$out->flush;
    close $out or $trouble //= $!;
    die "cannot write '$file': ", Touchstone::Machine::Limits::why($trouble), "\n" if defined $trouble;
    return;
}

1;
