# SPDX-License-Identifier: GPL-2.0-or-later
# Pack::Fleet::RecordIndex - which records a campaign has, by the key of each:
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

use Fcntl qw(SEEK_SET);

use Touchstone::Pack::Fleet::Events;
use Touchstone::Machine::File;
use Touchstone::Machine::Sysfile;
use Touchstone::Record::Campaign;
use Touchstone::Record::Largest;
use Touchstone::Record::Json;
use Touchstone::Record;

my $NOTES = 'received.jsonl';
our $SUFFIX = qr/\.json(?:\.gz)?/;

# `manifest` is what Pack::Fleet::Campaign::read returned. `members`: those that somebody has read already
# (Pack::Fleet::HostRun), which need not be read again.
sub of { my ($manifest, @members) = @_; return begin($manifest, @members)->{of} }

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
        my ($is) = $noted{$file} // _of_member($file, $read{"runs/$file"})
            // _read($state->{directory}, $file);
        $state->{of}{$key} = $is if $is;
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
            my ($key) = $name =~ /\A(.+?)$SUFFIX\z/s               or next;
            my $of    = Touchstone::Record::Campaign::parsed($key) or next;
            $files{$key} = "$month/$name" if $of->{id} eq $manifest->{campaign};
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
sub note {
    my ($directory, $file, $facts) = @_;
    my $note = entry($file, $facts);
    Touchstone::Pack::Fleet::Events::append("$directory/$NOTES", $note);
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
        my $text =
            Touchstone::Record::Largest::inflated(Touchstone::Record->text_of("$directory/runs/$file"));
        Touchstone::Record->of_text("$directory/runs/$file", $text);
    };
    return undef if !$facts || !$facts->{campaign};
    return eval { note($directory, $file, $facts) } // entry($file, $facts);
}

1;
