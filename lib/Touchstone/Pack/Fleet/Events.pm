# SPDX-License-Identifier: GPL-2.0-or-later
# Pack::Fleet::Events - what carriers say of the hosts of a campaign, and which records were refused: a line
# of events.jsonl each, in the order in which they were said.
#
#   {"at": 1795240224, "host": "web1", "what": "turn"}
#   {"at": 1795240225, "host": "web1", "what": "running"}
#   {"at": 1795240301, "host": "web1", "what": "failed", "why": "illegal instruction"}
#   {"at": 1795240377, "file": "/srv/got/web9.json", "host": "web9", "what": "refused", "why": "..."}
#   {"at": 1795240377, "file": "/srv/got/web9.json", "host": "web9", "what": "accepted"}
package Touchstone::Pack::Fleet::Events;
use 5.014;
use strict;
use warnings;

use Fcntl qw(:flock SEEK_END);
use IO::Handle;

use Touchstone::Machine::File;
use Touchstone::Machine::Limits;
use Touchstone::Record::Json;

my $FILE = 'events.jsonl';

# What is said of a host: by its carrier, and that it may measure. After these two a run of it may be lost.
my %SAID     = map { $_ => 1 } qw(turn running over unreachable failed);
my %IS_TRIED = map { $_ => 1 } qw(turn running);

my $TIME = qr/\A\d{1,12}(?:\.\d+)?\z/;

sub note {
    my ($directory, $host, $what, %more) = @_;
    return append("$directory/$FILE", { at => time, host => $host, what => $what, %more });
}

# Returns what is known of each host that something was said of:
#
#   { web1 => { what => 'failed', why => 'illegal instruction', at => 1795240301, lost => 1 } }
#
# `lost` counts the runs that failed: one that could not begin is none.
sub of {
    my ($directory) = @_;
    my (%of, %tried, %lost);
    for my $event (grep { $SAID{ $_->{what} } && defined $_->{host} } all($directory)) {
        my ($host, $what) = @$event{qw(host what)};
        $tried{$host} = 1 if $IS_TRIED{$what};
        $lost{$host}++ if $what eq 'failed' && delete $tried{$host};
        $of{$host} = $event;
    }
    $_->{lost} = $lost{ $_->{host} } // 0 for values %of;
    return \%of;
}

# Returns the last refusal of each file that was not accepted later.
sub refused {
    my ($directory) = @_;
    my %of;
    for my $event (grep { defined $_->{file} } all($directory)) {
        if    ($event->{what} eq 'refused')  { $of{ $event->{file} } = $event }
        elsif ($event->{what} eq 'accepted') { delete $of{ $event->{file} } }
    }
    return \%of;
}

sub all {
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
