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
use Touchstone::Machine::File;
use Touchstone::Pack::Fleet::Campaign qw($MANIFEST);
use Touchstone::Pack::Fleet::HostRun qw(@FIGURES from_record);
use Touchstone::Record;
use Touchstone::Record::ResultReader;
use Touchstone::Record::Largest;
use Touchstone::Record::Json;
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
    return with_cache(
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
    my ($directory, $file, $cache) = @_;
    my $member = eval { member_of($directory, $file, $cache) };
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

# The names of all records in the directory, also of a campaign without its manifest. Dies if it cannot be
# read.
sub files {
    my ($directory) = @_;
    my $is_campaign = -e "$directory/$MANIFEST" || -d "$directory/runs";
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
    my ($directory, $file, $cache) = @_;
    my $path = "$directory/$file";
    die "not a regular file\n" if !-f $path;
    my $text = Touchstone::Record->text_of($path);
    my ($facts, $results) = Touchstone::Record::ResultReader::parted($text, $cache, @FIGURES);
    if (!$facts) {
        $facts   = Touchstone::Record->of_text($path, $text);
        $results = Touchstone::Score::scores($facts);
    }
    return from_record($facts, $results, $file);
}

# The reason without the file, which stands beside it.
sub _why {
    my ($why, $path) = @_;
    return plain($why =~ s/\A'\Q$path\E' is not a run record: //r =~ s/\n+\z//r);
}

# The members of a directory (Pack::Fleet::HostRun) in a file of SQLite, fleet.db, so
# that of many records only the new ones are read. It is derived: anybody may remove it, one that is damaged
# or of another version is made anew, and where DBD::SQLite is missing or the directory is read-only there is
# none.
#
#   file    id, name, size, mtime, why        every record, and why one is none
#   run     file, name, host, host_id, ...    what a member says beside its figures
#   figure  file, kind, y, error, passes, score, low, high
#   kind    id, name, title, copies, suite, unit, better, version         of a figure
#   text    id, text                          facts and hardware as JSON, which many runs have in common
#
# A record is taken in again when its size or its time has changed. One process writes at a time.

our $FILE = 'fleet.db';

# This changes with the tables, and with what a member is.
my $VERSION = 2;

# So many records are taken in before another process may write, which waits for so many milliseconds.
my $BATCH = 2000;
my $WAIT  = 120_000;

# So many runs are asked for at once.
my $AT_ONCE = 500;

# Columns of a run, and those that hold data as JSON: their own, and what is in the table of texts.
my @FACTS = qw(name status started ended host host_id machine attempt campaign slot carrier passport arch tool
    invalid doubt disturbed);
my @OWN    = qw(labels lost indexes);
my @SHARED = qw(facts hardware);

# Columns of a kind of figures, and of a figure.
my @KIND   = qw(name title copies suite unit better version);
my @FIGURE = qw(y error passes score low high);

# Columns that are no texts.
my %TYPE = (
    (map { $_ => 'INTEGER' } qw(attempt copies passes), @SHARED),
    (map { $_ => 'REAL' } qw(started ended disturbed y error score low high))
);
my @TABLES = (
    'file (id INTEGER PRIMARY KEY, name TEXT UNIQUE, size INTEGER, mtime TEXT, why TEXT)',
    'run (file INTEGER PRIMARY KEY, ' . _columns(@FACTS, @OWN, @SHARED) . ')',
    'kind (id INTEGER PRIMARY KEY, ' . _columns(@KIND) . ')',
    'figure (file INTEGER, kind INTEGER, ' . _columns(@FIGURE) . ', PRIMARY KEY (file, kind)) WITHOUT ROWID',
    'text (id INTEGER PRIMARY KEY, text TEXT)'
);

sub _columns {
    return join ', ', map { "$_ " . ($TYPE{$_} // 'TEXT') } @_;
}

my @INDEXES = ('run_host ON run (host)', 'figure_kind ON figure (kind)');

# What DBI dies with, and what we do where the file is not ours.
my $OF_DATABASE = qr/\A(?:DBI |DBD::SQLite::|another version)/;

# Another file than one of ours: that of another version, or a damaged one.
my $UNUSABLE = qr/not a database|malformed|corrupt|no such (?:table|column)|another version/;

# Returns what a sub makes of the cache of a directory, or nothing where there can be none, or it failed:
# then the records have to do without.
sub with_cache {
    my ($directory, $code) = @_;
    return if !-w $directory || !eval { require DBI; require DBD::SQLite; 1 };
    my $file = "$directory/$FILE";

    # SQLite follows links, and takes an empty file for a new one.
    eval { Touchstone::Machine::File::opened($file) } or return;
    for my $try (1, 2) {
        my $got = eval { $code->(_opened($file)) };
        return $got if $got;
        die $@      if $@ !~ $OF_DATABASE;
        return      if $@ !~ $UNUSABLE || !unlink $file;
    }
    return;
}

sub _opened {
    my ($file) = @_;
    my $db = DBI->connect("dbi:SQLite:dbname=$file", '', '',
        { RaiseError => 1, PrintError => 0, PrintWarn => 0, AutoCommit => 1 });
    my $self = bless { db => $db }, __PACKAGE__;
    $db->sqlite_busy_timeout($WAIT);
    $self->_write(sub { _make($db) }) if !_version($db);
    die "another version\n"           if _version($db) != $VERSION;
    return $self;
}

sub _version { my ($db) = @_; return ($db->selectrow_array('PRAGMA user_version'))[0] }

# Another process may have been faster.
sub _make {
    my ($db) = @_;
    return                  if _version($db);
    die "another version\n" if $db->selectrow_array('SELECT count(*) FROM sqlite_master');
    $db->do("CREATE TABLE $_") for @TABLES;
    $db->do("CREATE INDEX $_") for @INDEXES;
    $db->do("PRAGMA user_version = $VERSION");
    return;
}

# Does all that a sub does or, when it dies, nothing of it; nobody else writes meanwhile.
sub _write {
    my ($self, $code) = @_;
    my $db = $self->{db};
    $db->do('BEGIN IMMEDIATE');
    delete $self->{ids};
    return if eval { $code->(); $db->do('COMMIT'); 1 };
    my $why = $@;
    eval { $db->do('ROLLBACK') };
    die $why;
}

# Takes in what is new or changed, and forgets what is gone. `files`: { name => [ size, time ] }; `read`
# gives for a name (member), or (undef, why it is none).
sub update {
    my ($self, $files, $read) = @_;
    while ($self->_differ($files)) {
        $self->_write(
            sub {
                my ($new, $gone) = $self->_differ($files) or return;
                splice @$new, $BATCH if @$new > $BATCH;
                $self->_forget(@$gone, @$new);
                $self->_take($_, @{ $files->{$_} }, $read->($_)) for @$new;
            }
        );
    }
    return;
}

# ([ new and changed files ], [ files that are gone ]), or nothing where all is as it was.
sub _differ {
    my ($self, $files) = @_;
    my $rows = $self->{db}->selectall_arrayref('SELECT name, size, mtime FROM file');
    my %same = map { $_->[0] => 1 }
        grep { my $file = $files->{ $_->[0] }; $file && $file->[0] == $_->[1] && $file->[1] eq $_->[2] }
        @$rows;
    my @gone = grep { !$files->{$_} } map { $_->[0] } @$rows;
    my @new  = sort grep { !$same{$_} } keys %$files;
    return @new || @gone ? (\@new, \@gone) : ();
}

sub _forget {
    my ($self, @names) = @_;
    my $db   = $self->{db};
    my $id   = $db->prepare_cached('SELECT id FROM file WHERE name = ?');
    my @from = map { $db->prepare_cached("DELETE FROM $_ = ?") } 'figure WHERE file', 'run WHERE file',
        'file WHERE id';
    for my $name (@names) {
        my ($file) = $db->selectrow_array($id, undef, $name) or next;
        $_->execute($file) for @from;
    }
    return;
}

sub _take {
    my ($self, $name, $size, $mtime, $member, $why) = @_;
    $self->_insert('file', name => $name, size => $size, mtime => $mtime, why => $member ? undef : $why);
    return if !$member;
    my $file = $self->{db}->sqlite_last_insert_rowid;
    my %data = (%$member, hardware => $member->{group});
    $self->_insert(
        'run',
        file => $file,
        (map { $_ => $data{$_} } @FACTS),
        (map { $_ => Touchstone::Record::Json::encode_line($data{$_}) } @OWN),
        map { $_ => $self->_id('text', text => Touchstone::Record::Json::encode_line($data{$_})) } @SHARED
    );
    for my $figure (values %{ $member->{figures} }) {
        my %of = (%$figure, map { $_ => undef } qw(low high));
        @of{qw(low high)} = @{ $figure->{interval} } if $figure->{interval};
        my $kind = $self->_id('kind', map { $_ => $of{$_} } @KIND);
        $self->_insert('figure', file => $file, kind => $kind, map { $_ => $of{$_} } @FIGURE);
    }
    return;
}

sub _insert {
    my ($self, $table, @pairs) = @_;
    my (@names, @values);
    while (my ($name, $value) = splice @pairs, 0, 2) { push @names, $name; push @values, $value }
    my $into =
        "INSERT INTO $table (" . join(', ', @names) . ') VALUES (' . join(', ', map { '?' } @names) . ')';
    $self->{db}->prepare_cached($into)->execute(@values);
    return;
}

# The number of a row that many have in common.
sub _id {
    my ($self, $table, @pairs) = @_;
    my %of  = @pairs;
    my $ids = $self->{ids}{$table} //= $self->_ids($table, sort keys %of);
    return $ids->{ join "\0", map { $of{$_} // '' } sort keys %of } //= do {
        $self->_insert($table, @pairs);
        $self->{db}->sqlite_last_insert_rowid;
    };
}

sub _ids {
    my ($self, $table, @names) = @_;
    my $rows = $self->{db}->selectall_arrayref('SELECT ' . join(', ', 'id', @names) . " FROM $table");
    return {
        map {
            my ($id, @of) = @$_;
            (join("\0", map { $_ // '' } @of) => $id)
        } @$rows
    };
}

# What a choice is made of: [ { file, host, host_id, campaign, started }, ... ].
sub runs {
    my ($self) = @_;
    my @names  = qw(file host host_id campaign started);
    my $rows   = $self->{db}->selectall_arrayref('SELECT ' . join(', ', @names) . ' FROM run');
    return [ map { my %run; @run{@names} = @$_; \%run } @$rows ];
}

# All that are no records: { file, why }.
sub damaged {
    my ($self) = @_;
    my $rows =
        $self->{db}->selectall_arrayref('SELECT name, why FROM file WHERE why IS NOT NULL ORDER BY name');
    return map { +{ file => $_->[0], why => $_->[1] } } @$rows;
}

# The members of these numbers of files.
sub members {
    my ($self, @files) = @_;
    my @members;
    while (my @some = splice @files, 0, $AT_ONCE) {
        push @members, $self->_members(join ', ', map { 0 + $_ } @some);
    }
    return @members;
}

sub _members {
    my ($self, $files) = @_;
    my $db   = $self->{db};
    my %name = map { @$_ } @{ $db->selectall_arrayref("SELECT id, name FROM file WHERE id IN ($files)") };
    my %of;
    for my $run (@{ $db->selectall_arrayref("SELECT * FROM run WHERE file IN ($files)", { Slice => {} }) }) {
        my $file   = $run->{file};
        my %member = (
            (map { $_ => $run->{$_} } @FACTS),
            (map { $_ => Touchstone::Record::Json::decode($run->{$_}) } @OWN),
            file    => $name{$file},
            facts   => $self->_text($run->{facts}),
            group   => $self->_text($run->{hardware}),
            figures => {}
        );
        $of{$file} = \%member;
    }
    my $kinds = $self->{kinds} //= $db->selectall_hashref('SELECT * FROM kind', 'id');
    my $rows  = $db->selectall_arrayref(
        'SELECT file, kind, ' . join(', ', @FIGURE) . " FROM figure WHERE file IN ($files)");
    for my $row (@$rows) {
        my ($file, $id, %figure) = (shift @$row, shift @$row);
        my $kind = $kinds->{$id};
        @figure{ @KIND, @FIGURE } = (@$kind{@KIND}, @$row);
        my @interval = delete @figure{qw(low high)};
        $figure{interval} = defined $interval[0] ? \@interval : undef;
        $of{$file}{figures}{"$kind->{copies} $kind->{name}"} = \%figure;
    }
    return values %of;
}

# Data that many runs share, which nobody changes.
sub _text {
    my ($self, $id) = @_;
    return $self->{texts}{$id} //= Touchstone::Record::Json::decode($self->{db}
            ->selectrow_array($self->{db}->prepare_cached('SELECT text FROM text WHERE id = ?'), undef, $id));
}

1;
