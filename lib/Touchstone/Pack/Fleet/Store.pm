# SPDX-License-Identifier: GPL-2.0-or-later
# Pack::Fleet::Store - all records of a directory as members (Pack::Fleet::HostRun), of a campaign or of a
# plain directory:
#
#   {
#       members => [ ... ],                          by host, then by the time at which they began
#       damaged => [ { file => 'runs/2026-11/x.json', why => 'line 3: ...' } ]
#   }
#
# Records are NAME.json and NAME.json.gz: in the directory of a campaign those in runs/YYYY-MM/, in a plain
# one its own and those in its YYYY-MM/. What is being written or was cut off is no record yet, and what
# stands in staging/ or conflicts/ does not belong to the campaign.
package Touchstone::Pack::Fleet::Store;
use 5.014;
use strict;
use warnings;

use Time::HiRes ();

use Touchstone::Base::Text qw(natural_key plain);
use Touchstone::Pack::Fleet::Cache;
use Touchstone::Pack::Fleet::Campaign;
use Touchstone::Pack::Fleet::HostRun;
use Touchstone::Record::ResultReader;
use Touchstone::Record::Largest;
use Touchstone::Record;
use Touchstone::Score;

# So many records are read faster with a cache; fewer need no file beside them.
our $CACHED = 200;

# `choice`, where not all records are wanted:
#
#   hosts  => [ 'web1', ... ]     those of these hosts
#   newest => 10                  so many of each host
sub read {
    my ($directory, %choice) = @_;
    my @files = files($directory);
    my $read  = @files >= $CACHED && _cached($directory, \@files, \%choice);
    $read ||= _read($directory, \@files, \%choice);
    return { %$read, members => [ in_order(@{ $read->{members} }) ] };
}

sub _read {
    my ($directory, $files, $choice) = @_;
    my (@members, @damaged, %known);
    for my $file (@$files) {
        my ($member, $why) = _looked_at($directory, $file, \%known);
        if   ($member) { push @members, $member }
        else           { push @damaged, { file => plain($file), why => $why } }
    }
    return { members => [ @members[ _chosen($choice, @members) ] ], damaged => \@damaged };
}

# The same, or nothing where there is no cache.
sub _cached {
    my ($directory, $files, $choice) = @_;
    my %is = map {
        my @is = Time::HiRes::stat("$directory/$_");
        $_ => [ $is[7] // 0, sprintf '%.6f', $is[9] // 0 ]
    } @$files;
    return Touchstone::Pack::Fleet::Cache::with(
        $directory,
        sub {
            my ($cache) = @_;
            my %known;
            $cache->update(\%is, sub { return _looked_at($directory, $_[0], \%known) });
            my $runs    = $cache->runs;
            my @members = $cache->members(map { $_->{file} } @$runs[ _chosen($choice, @$runs) ]);
            my @damaged = map { +{ file => plain($_->{file}), why => $_->{why} } } $cache->damaged;
            return { members => \@members, damaged => \@damaged };
        }
    );
}

# (member), or (undef, why the file is no record).
sub _looked_at {
    my ($directory, $file, $known) = @_;
    my $member = eval { member_of($directory, $file, $known) };
    return $member ? $member : (undef, _why($@, "$directory/$file"));
}

# The places of the runs that are wanted.
sub _chosen {
    my ($choice, @runs) = @_;
    my %host   = map  { $_ => 1 } @{ $choice->{hosts} || [] };
    my @places = grep { !$choice->{hosts} || $host{ $runs[$_]{host} } } 0 .. $#runs;
    return @places if !$choice->{newest};
    my %many;
    return grep { ++$many{ $runs[$_]{host_id} } <= $choice->{newest} }
        sort { $runs[$b]{started} <=> $runs[$a]{started} || $b <=> $a } @places;
}

sub in_order {
    my (@members) = @_;
    my %key = map { $_->{host} => natural_key($_->{host}) } @members;
    return sort {
               $key{ $a->{host} } cmp $key{ $b->{host} }
            || $a->{host} cmp $b->{host}
            || $a->{started} <=> $b->{started}
            || $a->{attempt} <=> $b->{attempt}
            || $a->{file} cmp $b->{file}
    } @members;
}

# The names of all records in the directory. Dies where it cannot be read.
sub files {
    my ($directory) = @_;
    my $is_campaign = -e "$directory/$Touchstone::Pack::Fleet::Campaign::MANIFEST";
    my $base        = $is_campaign ? "$directory/runs" : $directory;
    return if $is_campaign && !-e $base;
    my @names  = _names($base);
    my @months = sort grep { /\A\d{4}-\d\d\z/ && -d "$base/$_" } @names;
    my @found  = (
        $is_campaign ? () : _records(@names),
        map {
            my $month = $_;
            map { "$month/$_" } _records(_names("$base/$month"))
        } @months
    );
    return map { $is_campaign ? "runs/$_" : $_ } @found;
}

# A record that is there packed, too, is one record: somebody may be packing it.
sub _records {
    my (@names) = @_;
    my %is      = map { $_ => 1 } @names;
    return sort grep { /\A[^.].*\.json(\.gz)?\z/s && !($1 && $is{s/\.gz\z//r}) } @names;
}

sub _names {
    my ($directory) = @_;
    opendir my $dir, $directory or die "cannot read '$directory': $!\n";
    my @names = readdir $dir;
    closedir $dir;
    return @names;
}

# The member of a file, or dies. `known`: a hash for what was seen in others.
sub member_of {
    my ($directory, $file, $known) = @_;
    my $path = "$directory/$file";
    my $text = text_of($path);
    my ($facts, $results) =
        Touchstone::Record::ResultReader::parted($text, $known, @Touchstone::Pack::Fleet::HostRun::FIGURES);
    if (!$facts) {
        $facts   = Touchstone::Record->of_text($path, $text);
        $results = Touchstone::Score::scores($facts);
    }
    return Touchstone::Pack::Fleet::HostRun::of($facts, $results, $file);
}

# The text of a record, which may be packed.
sub text_of {
    my ($path) = @_;
    die "not a regular file\n" if !-f $path;
    my $text = Touchstone::Record->text_of($path);
    return $text                             if $path !~ /\.gz\z/;
    die "its gzip is damaged or cut short\n" if !Touchstone::Record::Largest::is_gzip($text);
    return Touchstone::Record::Largest::inflated($text);
}

# The reason without the file, which stands beside it.
sub _why {
    my ($why, $path) = @_;
    return plain($why =~ s/\A'\Q$path\E' is no record of a run: //r =~ s/\n+\z//r);
}

1;
