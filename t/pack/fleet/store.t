# SPDX-License-Identifier: GPL-2.0-or-later
# Pack::Fleet::Store and Pack::Fleet::Store: members come out of the derived file as out of the records,
# whatever became of either, and only records that are new are read.
use 5.014;
use strict;
use warnings;

use File::Temp ();
use Test::More;

use lib 't/lib';
use Fake;
use Fleetful;
use Touchstone::Pack::Fleet::Store;
use Touchstone::Record::Json;

my @warnings;
local $SIG{__WARN__} = sub { push @warnings, @_ };

my $HAS_SQLITE = eval { require DBI; require DBD::SQLite; 1 };

# Returns what is read from a directory as text, without a cache or, for 1, with one.
sub said {
    my ($dir, $cached, @choice) = @_;
    local $Touchstone::Pack::Fleet::Store::CACHED = $cached ? 0 : 1e9;
    return Touchstone::Record::Json::encode_line(Touchstone::Pack::Fleet::Store::read("$dir", @choice)) =~
        s/(?<=[\[ ])"?(-?\d+(?:\.\d+)?)"?(?=[,\]}])/sprintf '%.9g', $1/gaer;
}

sub fleet {
    my (%with) = @_;
    my $dir = File::Temp->newdir;
    Fleetful::campaign("$dir", hosts => 4, runs => 2, tests => [qw(pipe sieve84)], copies => [ 1, 4 ], %with);
    return $dir;
}

sub records {
    my ($dir) = @_;
    return map { "$dir/$_" } Touchstone::Pack::Fleet::Store::files("$dir");
}

# Returns how many records are read while a sub runs.
sub many_read {
    my ($code) = @_;
    my $many   = 0;
    my $read   = \&Touchstone::Pack::Fleet::Store::member_of;
    no warnings 'redefine';
    local *Touchstone::Pack::Fleet::Store::member_of = sub { $many++; return $read->(@_) };
    $code->();
    return $many;
}

# Does something to the cache of a directory as other programs may.
sub do_sql {
    my ($dir, @statements) = @_;
    my $db = DBI->connect("dbi:SQLite:dbname=$dir/fleet.db", '', '', { RaiseError => 1 });
    $db->do($_) for @statements;
    $db->disconnect;
    return;
}

subtest 'a choice is made of what is read' => sub {
    my $dir = fleet();
    local $Touchstone::Pack::Fleet::Store::CACHED = 1e9;
    my $read = sub {
        return
            map { "$_->{host} $_->{attempt}" }
            @{ Touchstone::Pack::Fleet::Store::read("$dir", @_)->{members} };
    };
    is_deeply([ $read->(hosts  => [qw(web2 web9)]) ], [ 'web2 1', 'web2 2' ],       'some hosts');
    is_deeply([ $read->(newest => 1) ],               [ map { "web$_ 2" } 1 .. 4 ], 'the newest of each');
    is_deeply([ $read->(newest => 1, hosts => ['web1']) ], ['web1 2'],              'both');
    ok(!-e "$dir/fleet.db", 'few records need no cache');
};

SKIP: {
    skip 'DBD::SQLite is not installed (Debian: libdbd-sqlite3-perl)', 1 if !$HAS_SQLITE;

    subtest 'the cache says what the records say' => sub {
        my $dir = fleet(
            gz       => 1,
            campaign => { web2 => { labels => { rack => "b\xc3\xa9" }, slot => '007' } },
            record   => {
                web3 => {
                    failures => [ { test => 'C', why  => 'no' } ],
                    warnings => [ { id   => 'x', text => 'invalid', invalid => 1 } ]
                }
            }
        );
        my ($first) = records($dir);
        Fake::write_file($first, 'no gzip');
        for my $choice ([], [ newest => 1 ], [ hosts => ['web2'] ]) {
            my $plain = said($dir, 0, @$choice);
            is(said($dir, 1, @$choice), $plain, "first, @$choice");
            is(said($dir, 1, @$choice), $plain, "again, @$choice");
        }
        ok(-e "$dir/fleet.db", 'there is one');
    };

    subtest 'only what is new is read' => sub {
        my $dir = fleet();
        is(many_read(sub { said($dir, 1) }), 8, 'all at first');
        is(many_read(sub { said($dir, 1) }), 0, 'none again');
        my ($one, $two, $three) = records($dir);
        my ($text, $gone) = map { Fake::read_file($_) } $one, $two;
        Fake::write_file($one, $text =~ s/"ended": \K\d+/7/r);
        unlink $two or die "cannot remove '$two': $!\n";
        utime 1, 1, $three or die "cannot set the time of '$three': $!\n";
        my $plain = said($dir, 0);
        is(many_read(sub { is(said($dir, 1), $plain, 'the cache says what is there now') }),
            2, 'the two that changed');
        Fake::write_file($two, $gone);
        $plain = said($dir, 0);
        is(many_read(sub { is(said($dir, 1), $plain, 'with a new one') }), 1, 'the one');
    };

    my %damage = (
        'another file'          => sub { Fake::write_file("$_[0]/fleet.db", 'x' x 5000) },
        'an empty file'         => sub { Fake::write_file("$_[0]/fleet.db", '') },
        'a cut file'            => sub { truncate "$_[0]/fleet.db", 9000 },
        'that of a new version' => sub { do_sql($_[0], 'PRAGMA user_version = 99') },
        'that of a stranger'    => sub { do_sql($_[0], 'PRAGMA user_version = 0') },
        'one without a table'   => sub { do_sql($_[0], 'DROP TABLE figure') },
        'one without a column'  => sub { do_sql($_[0], 'DROP TABLE run', 'CREATE TABLE run (file)') },
    );
    for my $what (sort keys %damage) {
        subtest "$what is made anew" => sub {
            my $dir   = fleet();
            my $plain = said($dir, 0);
            said($dir, 1);
            $damage{$what}->("$dir");
            is(said($dir, 1),                    $plain, 'what is read is right');
            is(many_read(sub { said($dir, 1) }), 0,      'and there is a cache again');
        };
    }

    subtest 'what cannot be a cache is left alone' => sub {
        my $dir   = fleet();
        my $plain = said($dir, 0);
        mkdir "$dir/fleet.db" or die "cannot make a folder: $!\n";
        is(said($dir, 1), $plain, 'a folder of its name');
    };

    subtest 'an error of ours is not hidden' => sub {
        my $dir = fleet();
        ok(
            !eval {
                Touchstone::Pack::Fleet::Store::with_cache("$dir", sub { die "ours\n" });
                1;
            },
            'it dies'
        );
        is($@, "ours\n", 'with its message');
    };

    subtest 'several processes may fill it at once' => sub {
        my $dir   = fleet(hosts => 20);
        my $plain = said($dir, 0);
        my @pids  = map {
            my $pid = fork // die "cannot fork: $!\n";
            if (!$pid) {
                my $same = eval { said($dir, 1) } // "died: $@";
                Fake::write_file("$dir/said$$", $same);
                require POSIX;
                POSIX::_exit(0);
            }
            $pid
        } 1 .. 3;
        waitpid $_, 0 for @pids;
        is(Fake::read_file("$dir/said$_"), $plain, 'each sees all') for @pids;
        is(many_read(sub { said($dir, 1) }), 0, 'nothing is left to be read');
    };
}

subtest 'without DBD::SQLite records are read' => sub {
    my $dir   = fleet();
    my $plain = said($dir, 0);
    local @INC = (sub { die "not here\n" if $_[1] =~ m{\ADB[DI]\b}; return }, @INC);
    local %INC = map { $_ => $INC{$_} } grep { !/\ADB[DI]\b/ } keys %INC;
    is(said($dir, 1), $plain, 'the same');
    ok(!-e "$dir/fleet.db", 'there is no cache');
};

is_deeply(\@warnings, [], 'nothing warns');
done_testing();
