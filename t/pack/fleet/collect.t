#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# Records into a campaign: each exactly once, whatever comes, and whoever is killed.
use 5.014;
use strict;
use warnings;

use Digest::SHA qw(sha256_hex);
use File::Copy qw(copy);
use File::Path ();
use POSIX ();
use Test::More;

use lib 't/lib';
use KilledAt;
use Amount;
use Campaigns;
use Fake;
use NoWarnings;
use Touchstone::Pack::Fleet::Collect;
use Touchstone::Pack::Fleet::Status;
use Touchstone::Machine::Command;
use Touchstone::Record::Json;

my $fake = Fake->new;
my $next = 0;

# A campaign of these hosts and a directory for what is to be collected.
sub campaign {
    my ($hosts, %asked) = @_;
    my $dir = "$fake->{dir}/c" . ++$next;
    Campaigns::planned($dir, { hosts => [ map { { name => $_ } } @$hosts ], %asked });
    mkdir "$dir.got" or die "cannot make a directory: $!\n";
    return ($dir, "$dir.got");
}

# Calls fleet collect; messages are in one line each.
sub collect {
    my ($dir, @froms) = @_;
    my $got = $fake->run([ 'fleet', 'collect', @froms, '--campaign', $dir ]);
    $got->{err} =~ s/\n  / /g;
    return $got;
}

# All records of a campaign, below its directory.
sub records {
    my ($dir, $folder) = @_;
    return map { s{\A\Q$dir\E/}{}r } sort glob "\Q$dir\E/" . ($folder // 'runs/*') . '/*';
}

sub hidden {
    my ($dir) = @_;
    return grep { /\A\./ } map { Fake::entries($_) } glob "\Q$dir\E/{runs/*,conflicts,.}";
}

my $MONTH = POSIX::strftime('%Y-%m', gmtime time - 60);

subtest 'a record is taken once, and known from then on' => sub {
    my ($dir, $got) = campaign([qw(web1 web2)]);
    my $file = Campaigns::record($got, host => 'web1');
    my $key  = Campaigns::key($file);
    my $said = collect($dir, $file);
    is("$said->{status} $said->{err}", '0 ',                    'collected');
    is($said->{out},                   "taken web1 $key\n",     'a line says so');
    is(join(' ', records($dir)),       "runs/$MONTH/$key.json", 'it is in the folder of its month');
    is(Fake::read_file("$dir/runs/$MONTH/$key.json"), Fake::read_file($file), 'it came as it was');
    ok(-e $file, 'what was collected stays where it was');

    for my $from ($file, $got) {
        $said = collect($dir, $from);
        is("$said->{status} $said->{out}$said->{err}", "0 known web1 $key\n", 'the same again is known');
    }
    copy($file, "$got/called-otherwise.json") or die "cannot copy: $!\n";
    $said = collect($dir, "$got/called-otherwise.json");
    is("$said->{status} $said->{out}", "0 known web1 $key\n",             'whatever its file is called');
    is(scalar records($dir),           1,                                 'there is one');
    is(Touchstone::Pack::Fleet::Status::read_status($dir)->{received}, 1, 'and it counts once');
};

subtest 'what was fetched goes from staging when it is safe, and what is refused stays' => sub {
    my ($dir, $got) = campaign([qw(web1 web2)]);
    mkdir "$dir/staging/$_" or die "cannot make a directory: $!\n" for qw(web1 web2);
    my $file = Campaigns::record("$dir/staging/web1", host => 'web1');
    Fake::write_file("$dir/staging/web2/half.json", substr Fake::read_file($file), 0, 5000);
    my $said = collect($dir, "$dir/staging");
    is($said->{status}, 1, 'one of two');
    like($said->{out}, qr/\Ataken web1 \S+\n\z/, 'the whole one is taken');
    like(
        $said->{err},
        qr/refused: the record in '.*half\.json': damaged or cut short: line \d+: .*\nit is still on its host: fetch it again$/m,
        'the other is refused'
    );
    ok(!-e $file,                        'the whole one went');
    ok(-e "$dir/staging/web2/half.json", 'the other stayed');
    my $standing = Touchstone::Pack::Fleet::Status::read_status($dir);
    is(scalar @{ $standing->{refused} }, 1, 'standing tells of it');
    Campaigns::record("$dir/staging/web2", host => 'web2');
    unlink "$dir/staging/web2/half.json";
    is(collect($dir, "$dir/staging")->{status}, 0, 'fetched again it is taken');
    is(scalar @{ Touchstone::Pack::Fleet::Status::read_status($dir)->{refused} }, 0, 'and no longer refused');
};

subtest 'another record of a key that is here is kept apart, and nothing is replaced' => sub {
    my ($dir, $got) = campaign(['web1']);
    my $file = Campaigns::record($got, host => 'web1');
    my $key  = Campaigns::key($file);
    collect($dir, $file);
    my $before = Fake::read_file($file);
    Campaigns::record($got, host => 'web1', started => time - 9000);
    for my $time (1, 2) {
        my $said = collect($dir, $file);
        is("$said->{status} $said->{out}", '1 ', "time $time: exit 1");
        like(
            $said->{err},
            qr/\ARun: conflict: the record of 'web1' in '\Q$file\E' is kept in 'conflicts\/\Q$key\E\.[0-9a-f]{16}\.json': another record with its key is here\nkeep the right one/,
            'the sentence'
        );
        is(scalar records($dir, 'conflicts'), 1, 'it is kept once');
    }
    is(Fake::read_file("$dir/" . (records($dir))[0]), $before, 'the first one is as it was');
    is(Fake::read_file("$dir/" . (records($dir, 'conflicts'))[0]),
        Fake::read_file($file), 'the other is whole');
    is(Touchstone::Pack::Fleet::Status::read_status($dir)->{conflicts}, 1, 'standing counts it');
};

subtest 'a second machine of a name is a conflict, and clones are told' => sub {
    my ($dir, $got) = campaign([qw(web1 web2)]);
    collect($dir, Campaigns::record($got, host => 'web1', machine => 'one'));
    my $said = collect($dir, Campaigns::record($got, host => 'web1', machine => 'two'));
    is("$said->{status} $said->{out}", '1 ', 'exit 1');
    like(
        $said->{err},
        qr/record of 'web1' .*: another machine has this name: its number was [0-9a-f]{16} and is [0-9a-f]{16}\nif two hosts have one name, rename one/,
        'the sentence'
    );
    is(scalar records($dir, 'conflicts'), 1, 'it is kept apart');
    is(collect($dir, Campaigns::record($got, host => 'web1', machine => 'one', attempt => 2))->{status},
        0, 'the first one may send more');
    is(collect($dir, Campaigns::record($got, host => 'web2', machine => 'one'))->{status},
        0, 'a clone is taken');
    my ($warning) = @{ Touchstone::Pack::Fleet::Status::read_status($dir)->{warnings} };
    is(
        "$warning->{id}: $warning->{text}: @{ $warning->{hosts} }",
        'cloned: they share a machine-id: web1 web2',
        'and told'
    );
    like($warning->{remedy}, qr/systemd-machine-id-setup/, 'with the remedy');
};

subtest 'a host that calls itself another is a conflict, and displaces nobody' => sub {
    my ($dir, $got) = campaign([qw(web1 web3)]);
    my $forged = Campaigns::record($got, host => 'web1', machine => 'of web3');
    my $own    = Campaigns::record($got, host => 'web3', machine => 'of web3');
    my $said   = collect($dir, '--as', 'web3', $forged, $own);
    is($said->{status}, 1,                                           'exit 1');
    is($said->{out},    'taken web3 ' . Campaigns::key($own) . "\n", 'what is its own is taken');
    like(
        $said->{err},
        qr/\ARun: conflict: the record of 'web3' in '.*' is kept in 'conflicts\/\S+\.json': it names the host 'web1'\na host sends records of its own only: look at this one\n\z/,
        'the sentence'
    );
    is(scalar records($dir, 'conflicts'), 1, 'the other is kept apart');
    my $true = Campaigns::record($got, host => 'web1', machine => 'of web1');
    $said = collect($dir, '--as', 'web1', $true);
    is(
        "$said->{status} $said->{out}",
        '0 taken web1 ' . Campaigns::key($true) . "\n",
        'the true one is taken'
    );
    like(collect($dir, '--as', 'web3', $true)->{err}, qr/: it names the host 'web1'/, 'also a copy of it');
    $said = collect($dir, '--as', 'web9', $true);
    is("$said->{status} $said->{err}", "2 Run: no host 'web9' in the campaign 'k68'\n",
        'a name that is none');
};

subtest 'a host has as many records as its runs and their retries make' => sub {
    my ($dir, $got) = campaign([qw(web1 web2)], runs => 2, retries => 1);
    Campaigns::record($got, host => 'web1', attempt => $_) for 1 .. 9;
    Campaigns::record($got, host => 'web2', attempt => 7);
    my $said = collect($dir, $got);
    is($said->{status}, 1, 'exit 1');
    is(scalar(() = $said->{out} =~ /^taken web1 /mg), 3, 'three of nine');
    is(scalar(() = $said->{out} =~ /^taken web2 /mg), 1, 'the number of an attempt is no limit');
    like(
        $said->{err} =~ s/\n  / /gr,
        qr/^Run: refused: the record of 'web1' in '.*': 3 records of it are here, and the plan is 2 runs and 1 retry\nmore runs need a campaign of another name$/m,
        'the sentence'
    );
    is(scalar(() = $said->{err}             =~ /refused/g),        6,                'for each');
    is(join(' ', collect($dir, $got)->{out} =~ /^known (web1)/mg), 'web1 web1 web1', 'those are known');
};

# What is refused, with the sentence. Nothing of it may get into the campaign, and all of it stays.
my $FAR     = time + 365 * 86_400;
my %REFUSED = (
    'of another campaign' => [
        { host => 'web1', campaign => 'k69' },
        qr/of 'web1' .*it is of the campaign 'k69', and this is 'k68'\ncollect it with --campaign and the directory of that one/
    ],
    'of a host that nobody planned' => [
        { host => 'web9' }, qr/of 'web9' .*no host 'web9' was planned\nplan a campaign that has this host/
    ],
    'stopped' => [
        { host => 'web1', status => 'stopped' },
        qr/of 'web1' .*its run was stopped: still to be resumed on its host\nrepeat its command fleet once there/
    ],
    'of other programs' => [
        { host => 'web1', passport => 'f' x 64 },
        qr/of 'web1' .*its programs are not those that were planned for x86_64: build fingerprint ffffffffffff, not 5a0c0d0bd1f3\nship the planned programs/
    ],
    'with a name that is no file' =>
        [ { host => '../../<b>' }, qr/of '\.\.\/\.\.\/<b>' .*no host '\.\.\/\.\.\/<b>' was planned/ ],
    'with a name of 200 letters'         => [ { host => 'x' x 200 },    qr/no host 'x{200}' was planned/ ],
    'with a name that clears the screen' => [ { host => "\xc2\x9b2J" }, qr/no host '\?2J' was planned/ ],
);

for my $what (sort keys %REFUSED) {
    subtest "a record $what is refused, and stays where it was" => sub {
        my ($of, $sentence) = @{ $REFUSED{$what} };
        my ($dir, $got) =
            campaign([qw(web1 web2)], programs => { x86_64 => { passport => '5a0c0d0bd1f3' x 5 . '5a0c' } });
        my $file = Campaigns::record($got, %$of);
        my $it   = "$dir/staging/it.json";
        rename $file, $it or die "cannot rename: $!\n";
        my $said = collect($dir, $it);
        is("$said->{status} $said->{out}", '1 ', 'exit 1');
        like($said->{err} =~ s/\n /  /gr, $sentence, 'the sentence and the remedy');
        ok(-e $it, 'it stays');
        is(join(' ', records($dir), records($dir, 'conflicts')), '', 'nothing came in');
        my $standing = Touchstone::Pack::Fleet::Status::read_status($dir);
        is("$standing->{refused}[0]{file}", $it, 'standing tells of it');
        is(
            scalar @{ $standing->{unexpected} },
            $what =~ /nobody|name/ ? 1 : 0,
            'and of hosts that nobody planned'
        );
    };
}

subtest 'what is no record is refused, and does not hold up the others' => sub {
    my ($dir, $got) = campaign([qw(web1 web2)]);
    my $good = Campaigns::record($got, host => 'web2');
    Fake::write_file("$got/empty.json",   '');
    Fake::write_file("$got/words.json",   "not this\n");
    Fake::write_file("$got/run.json",     Fake::read_file("$Fake::BASE/t/golden/fixed.json"));
    Fake::write_file("$got/gzip.json.gz", "\x1f\x8b\x08\x00broken");
    POSIX::mkfifo("$got/pipe.json", 0600) or die "cannot make a pipe: $!\n";
    symlink "$got/none", "$got/link.json" or die "cannot make a link: $!\n";
    open my $large, '>', "$got/large.json" or die "cannot write: $!\n";
    truncate $large, 2**31 + 1 or die "cannot make a large file: $!\n";
    close $large;
    my %says = (
        'empty.json'   => 'it is not a record: neither JSON nor lines of fleet give --whole',
        'words.json'   => 'it is not a record: neither JSON nor lines of fleet give --whole',
        'run.json'     => 'it is of no campaign',
        'gzip.json.gz' => 'its gzip is damaged or cut short',
        'pipe.json'    => 'it is not a regular file',
        'link.json'    => 'No such file or directory',
        'large.json'   => 'it is larger than 200 MB: no record is so large',
        'none.json'    => 'No such file or directory',
    );
    my $said = collect($dir, (map { "$got/$_" } sort keys %says), $good);
    is($said->{status}, 2, 'exit 2 where a file is absent');
    like($said->{out}, qr/\Ataken web2 \S+\n\z/, 'the record after them is taken');
    like($said->{err}, qr/refused: the record in '\Q$got\/$_\E': \Q$says{$_}\E/, $_) for sort keys %says;
    is(collect($dir, "$got/run.json")->{status}, 1, 'exit 1 where it is no record');
    $said = collect($dir, $got);
    is(
        "$said->{status} $said->{out}",
        '0 known web2 ' . Campaigns::key($good) . "\n",
        'in a directory of others it is found'
    );
    like(
        $said->{err},
        qr/\ARun: passed over \d+ files of no record of this campaign$/,
        'and these are counted'
    );
};

subtest 'a tree of directories may be deep' => sub {
    my ($dir, $got) = campaign([qw(web1)]);
    my $deep = "$got/deep" . '/d' x 150;
    File::Path::make_path($deep);
    Campaigns::record($deep, host => 'web1');
    my $said = collect($dir, "$got/deep");
    like($said->{out}, qr/\Ataken web1 \S+\n\z/, 'what lies there is taken');
    is($said->{err}, '', 'and Perl does not complain');
};

subtest 'records of other campaigns that are named are refused, and are no matter of this one' => sub {
    my ($dir, $got) = campaign([qw(web1 web2)]);
    my @others = (
        Campaigns::record($got,           host => 'web1', campaign => 'k67'),
        Campaigns::record("$dir/staging", host => 'web2', campaign => 'k67')
    );
    Fake::write_file("$got/notes.json", "no record\n");
    Fake::write_file("$got/run.json",   Fake::read_file("$Fake::BASE/t/golden/fixed.json"));
    my $said =
        collect($dir, @others, "$got/notes.json", "$got/run.json", Campaigns::record($got, host => 'web1'));
    is($said->{status}, 1, 'exit 1');
    like($said->{out}, qr/\Ataken web1 \S+\n\z/, 'its own is taken');
    is(scalar(() = $said->{err} =~ /^Run: refused: /mg), 4, 'each is named');
    is(join(' ', map { $_->{file} } @{ Touchstone::Pack::Fleet::Status::read_status($dir)->{refused} }),
        $others[1], 'of what its carrier brought standing tells');
};

subtest 'without permission a record is refused, and taken when there is some' => sub {
    my ($dir, $got) = campaign(['web1']);
    my $file = Campaigns::record($got, host => 'web1');
    chmod 0, $file or die "cannot change a mode: $!\n";
    my $nobody = $> ? undef : (getpwnam 'nobody')[2];
    plan skip_all => 'root may read everything, and there is no other user' if !$> && !$nobody;

    # Root becomes somebody else, who may write there.
    my @all = ($dir, map { "$dir/$_" } qw(runs conflicts staging));
    if ($nobody) {
        chmod 0777, "$fake->{temp}", $got or die "cannot change a mode: $!\n";
        chown $nobody, -1, @all or die "cannot change an owner: $!\n";
    }
    my $said = do { local $> = $nobody // $>; collect($dir, $got) };
    is($said->{status}, 1, 'exit 1');
    like($said->{err}, qr/refused: .*Permission denied/, 'the reason');
    chmod 0644, $file;
    $said = do { local $> = $nobody // $>; collect($dir, $got) };
    is($said->{status}, 0, 'later it is taken');
};

subtest 'something else at the place of a record holds up nobody' => sub {
    my ($dir, $got) = campaign([qw(web1 web2)]);
    my @files = map { Campaigns::record($got, host => $_) } qw(web1 web2);
    my @keys  = map { Campaigns::key($_) } @files;
    mkdir $_ or die "cannot make a directory: $!\n" for "$dir/runs/$MONTH", "$dir/runs/$MONTH/$keys[0].json";
    my $said = collect($dir, @files);
    is("$said->{status} $said->{out}", "1 taken web2 $keys[1]\n", 'the other is taken');
    like(
        $said->{err},
        qr{kept in 'conflicts/\Q$keys[0]\E\.[0-9a-f]{16}\.json': 'runs/$MONTH/\Q$keys[0]\E\.json' with its key is damaged},
        'and this one is kept, with the reason'
    );
};

subtest 'a digest that was sent along is looked at' => sub {
    my ($dir, $got) = campaign([qw(web1 web2)]);
    my $file = Campaigns::record($got, host => 'web1');
    Fake::write_file("$file.sha256", '0' x 64 . "  it\n");
    my $said = collect($dir, $file);
    is("$said->{status} $said->{out}", '1 ', 'a wrong one: exit 1');
    like(
        $said->{err},
        qr/its SHA-256 is not the one in '\Q$file\E\.sha256': cut short or changed on its way\nit is still on its host: fetch it again/,
        'the sentence'
    );
    Fake::write_file("$file.sha256", "none\n");
    like(collect($dir, $file)->{err}, qr/holds no SHA-256/, 'one that is none');
    Fake::write_file("$file.sha256", sha256_hex(Fake::read_file($file)) . " 1 $file\n");
    is(collect($dir, $file)->{status}, 0, 'the right one');
    is(scalar @{ Touchstone::Pack::Fleet::Status::read_status($dir)->{refused} },
        0, 'it is refused no longer');
};

subtest 'a record of a clock that is a year off is taken, and told' => sub {
    my ($dir, $got) = campaign([qw(web1 web2 web3)]);
    Campaigns::record($got, host => 'web1', started => time + 365 * 86_400);
    Campaigns::record($got, host => 'web2', started => 100);
    Campaigns::record($got, host => 'web3');
    my $said = collect($dir, $got);
    is($said->{status}, 0, 'taken');
    like(
        $said->{err},
        qr/^Run: warning: the record of 'web1' is taken, and its clock is fast by about 36[45] days$/m,
        'with a warning'
    );
    like($said->{err}, qr/^Run: warning: the record of 'web2' is taken, and its clock is slow by /m,
        'for each');
    unlike($said->{err}, qr/web3/, 'that needs one');
    my @folders = map { (split m{/})[1] } records($dir);
    is("@folders[0, 1]", "1970-01 $MONTH", 'in the folder of the month that its host believes');
    cmp_ok($folders[2], 'gt', $MONTH, 'also in one that is to come');
    my @warnings = @{ Touchstone::Pack::Fleet::Status::read_status($dir)->{warnings} };
    like($warnings[0]{text}, qr/\Aits clock is fast by about 36[45] days\z/, 'fast');
    like($warnings[1]{text}, qr/\Aits clock is slow by about \d+ days\z/,    'slow');
    is(scalar @warnings,                      2, 'no other');
    is(collect($dir, $got)->{out} =~ tr/\n//, 3, 'all are known again');
};

subtest 'compressed records are kept as they came, and known in either form' => sub {
    my ($dir, $got) = campaign([qw(web1 web2)]);
    require IO::Compress::Gzip;
    my @files = map { Campaigns::record($got, host => $_) } qw(web1 web2);
    IO::Compress::Gzip::gzip($_ => "$_.gz") or die "cannot compress\n" for @files;
    is(collect($dir, "$files[0].gz", $files[1])->{status}, 0, 'taken');
    is(join(' ', map { /(json.*)/ } sort { ($b =~ /gz/) <=> ($a =~ /gz/) } records($dir)),
        'json.gz json', 'as they came');
    my $said = collect($dir, $files[0], "$files[1].gz", "$files[0].gz");
    is(
        join(' ', $said->{out} =~ /^(\w+ \w+)/mg),
        'known web1 known web2 known web1',
        'the same in another form is known'
    );
    is(scalar records($dir), 2, 'there are two');
    unlink "$dir/received.jsonl";
    is(Touchstone::Pack::Fleet::Status::read_status($dir)->{received},
        2, 'what was noted of them can be thrown away');
};

# Ends a process that does this at its n-th change of the disk; returns whether it was killed.
sub killed_at {
    my ($n, $work) = @_;
    my $pid = fork // die "cannot fork: $!\n";
    if (!$pid) {
        $ENV{KILLED_AT} = $n;
        my $done = eval { $work->(); 1 };
        print STDERR $@ if !$done;
        POSIX::_exit($done ? 0 : 1);
    }
    waitpid $pid, 0;
    return $? & 127 ? 1 : 0;
}

subtest 'killed at any moment it loses nothing, leaves nothing half, and the next one goes on' => sub {
    my ($moments, $killed, $every) = (0, 1, Amount::of(3, 1));
    for (; $killed && $moments < 60; $moments += $every) {
        my ($dir) = campaign(['web1']);
        mkdir "$dir/staging/web1" or die "cannot make a directory: $!\n";
        my $file = Campaigns::record("$dir/staging/web1", host => 'web1');
        my $key  = Campaigns::key($file);
        my $text = Fake::read_file($file);
        $killed = killed_at(
            $moments + 1,
            sub {
                Touchstone::Pack::Fleet::Collect::collect($dir, ["$dir/staging"], sub { });
            }
        );
        my @there = records($dir);
        ok(
            !@there || Fake::read_file("$dir/$there[0]") eq $text,
            "moment $moments: a record is whole or not there"
        );
        ok(@there || -e $file, 'it is in one place at least');
        is(
            Touchstone::Pack::Fleet::Status::read_status($dir)->{received},
            scalar @there,
            'and counts where it is there'
        );
        utime 1, 1, map { glob "\Q$dir\E/$_/.*.new*" } 'runs/*';
        my $said = collect($dir, "$dir/staging");
        is("$said->{status} $said->{err}", '0 ',                    'the next one takes it or knows it');
        is(join(' ', records($dir)),       "runs/$MONTH/$key.json", 'it is there once');
        is(Touchstone::Pack::Fleet::Status::read_status($dir)->{received}, 1,  'and counts once');
        is(join(' ', grep { /new/ } hidden($dir)),                         '', 'nothing is left over');
        is(join(' ', Fake::entries("$dir/staging/web1")),                  '', 'staging is empty');
    }
    cmp_ok($moments, '>', 5, 'there were such moments');
};

subtest 'several at the same time take each record once' => sub {
    my @hosts = map { "web$_" } 1 .. 12;
    my ($dir, $got) = campaign(\@hosts);
    my @files = map { Campaigns::record($got, host => $_) } @hosts;
    my @runs =
        map { $fake->start([ 'fleet', 'collect', $_ % 2 ? @files : reverse(@files), '--campaign', $dir ]) }
        1 .. 4;
    my @said = map { $fake->wait_for_end($_) } @runs;
    is(join(' ', map { $_->{status} } @said), '0 0 0 0', 'all end well');
    my $lines = join '', map { $_->{out} } @said;
    is(scalar(() = $lines =~ /^taken /mg), 12, 'each is taken once');
    is(scalar(() = $lines =~ /^known /mg), 36, 'and known by the others');
    is(scalar records($dir),               12, 'there are twelve');
    is(join('', map { $_->{err} } @said),  '', 'nobody complains');
    my @others = map {
        Campaigns::record($got, host => 'web1', started => 1_700_000_000 + $_) && Fake::read_file($files[0])
    } 1 .. 4;
    @runs = map {
        Fake::write_file("$got/other$_", $others[ $_ - 1 ]);
        $fake->start([ 'fleet', 'collect', "$got/other$_", '--campaign', $dir ])
    } 1 .. 4;
    is(join(' ', map { $fake->wait_for_end($_)->{status} } @runs),
        '1 1 1 1', 'four others of a key are conflicts');
    is(scalar records($dir, 'conflicts'), 4, 'each of which is kept');
};

subtest 'a full disk is told, and the record is taken when there is room' => sub {
    my ($dir, $got) = campaign(['web1']);
    my $file = Campaigns::record($got, host => 'web1');
    my @tiny = ('sh', '-c', 'ulimit -f 100; exec "$@"', 'sh', @Fake::RUN);
    my $said = $fake->run([ 'fleet', 'collect', $file, '--campaign', $dir ], command => \@tiny);
    is("$said->{status} $said->{out}", '1 ', 'a limit on files: exit 1');
    like(
        $said->{err} =~ s/\n  / /gr,
        qr/refused: the record of 'web1' in '.*': cannot keep it: File too large .*\nit stays where it was: collect it again/,
        'the sentence'
    );
    is(join(' ', records($dir), grep { /new/ } hidden($dir)), '', 'nothing half is there');
    ok(-e $file, 'the record stays');
    is(collect($dir, $file)->{status}, 0, 'later it is taken');

SKIP: {
        skip 'mounts need root and unshare', 1 if $> || !Touchstone::Machine::Command::find('unshare');
        my $mount = "$fake->{dir}/full";
        mkdir $mount or die "cannot make a directory: $!\n";
        my $run = join ' ', map { "'$_'" } @Fake::RUN;
        Campaigns::planned("$fake->{dir}/small", { hosts => [ { name => 'web1' } ] });
        my ($status, $text) =
            Touchstone::Machine::Command::output([ 'unshare', '-m', 'sh', '-c', <<"END" ], errors => 1);
mount -t tmpfs -o size=100k tmpfs '$mount' && cp -r '$fake->{dir}/small' '$mount/k68' || exit 9
$run fleet collect '$file' --campaign '$mount/k68'; echo "first \$?"
find '$mount/k68' -type f -name '*9*'
mount -o remount,size=4m '$mount'
$run fleet collect '$file' --campaign '$mount/k68'; echo "then \$?"
END
        skip 'no tmpfs can be mounted here', 1 if $status >> 8 == 9;
        like(
            $text,
            qr/cannot keep it: No space left on device\nit stays where it was: collect it again\nfirst 1\ntaken web1 \S+\nthen 0\n\z/,
            'a full disk, and then a larger one'
        );
    }
};

subtest 'a log that holds records is taken in from standard input or from a file' => sub {
    my ($dir, $got) = campaign([qw(web1 web2 web3)]);
    require Touchstone::Pack::Fleet::LogEncoding;
    my @files = map { Campaigns::record($got, host => $_) } qw(web1 web2 web3);
    my $log   = join '',
        map { Touchstone::Pack::Fleet::LogEncoding::written(Fake::read_file($_), Campaigns::key($_)) }
        @files[ 0, 1 ];
    my $cut =
        Touchstone::Pack::Fleet::LogEncoding::written(Fake::read_file($files[2]), Campaigns::key($files[2]));
    $cut =~ s/^(?:.*\n){3}\K.*\n//;
    Fake::write_file("$got/pod.log", "starting\n$log$cut");
    my $from = sub {
        return $fake->run([ 'fleet', 'collect', $_[0], '--campaign', $dir ],
            command => [ 'sh', '-c', 'exec "$@" <"$0"', $_[1], @Fake::RUN ]);
    };
    my $said = $from->('-', "$got/pod.log");
    is(
        "$said->{status} $said->{out}",
        "1 taken web1 " . Campaigns::key($files[0]) . "\ntaken web2 " . Campaigns::key($files[1]) . "\n",
        'two of three'
    );
    like(
        $said->{err} =~ s/\n  / /gr,
        qr/refused: the record in 'standard input, \Q${\ Campaigns::key($files[2]) }\E': 1 line of \d+ is missing/,
        'the third is not whole'
    );
    $said = collect($dir, "$got/pod.log");
    is(join(' ', $said->{out} =~ /^(\w+ \w+)/mg), 'known web1 known web2', 'the same as a file');
    $said = $from->('-', $files[2]);
    is(
        $said->{out},
        'taken web3 ' . Campaigns::key($files[2]) . "\n",
        'a record alone may come that way, too'
    );

    for my $first ("{\"state\": \"complete\"}\n", '{"log": "') {
        Fake::write_file("$got/waited.log", $first . $log);
        $said = $from->('-', "$got/waited.log");
        is(
            join(' ', $said->{status}, $said->{out} =~ /^(\w+ \w+)/mg),
            '0 known web1 known web2',
            'it may begin with JSON'
        );
        is(
            join(' ', collect($dir, "$got/waited.log")->{out} =~ /^(\w+ \w+)/mg),
            'known web1 known web2',
            'as a file, too'
        );
    }
    Fake::write_file("$got/none.log", "nothing\n");
    $said = $from->('-', "$got/none.log");
    like(
        "$said->{status} $said->{err}" =~ s/\n  / /gr,
        qr/\A1 Run: refused: the record in 'standard input': it holds no record/,
        'a log without one'
    );
};

subtest 'in a directory of runs those of the campaign are found' => sub {
    my ($dir, $got) = campaign([qw(web1 web2)]);
    my $one = Campaigns::record($got, host => 'web1');
    my $two = Campaigns::record($got, host => 'web2');
    mkdir "$got/deeper" or die "cannot make a directory: $!\n";
    rename $two, "$got/deeper/mine.json" or die "cannot rename: $!\n";
    Campaigns::record($got, host => 'web1', campaign => 'k67');
    Fake::write_file("$got/host-2026-11-21-01.json",      Fake::read_file("$Fake::BASE/t/golden/fixed.json"));
    Fake::write_file("$got/.hidden.json",                 'x');
    Fake::write_file("$got/k68.0123456789abcdef.1.jsonl", 'x');
    symlink $one, "$got/link.json" or die "cannot make a link: $!\n";
    my $said = collect($dir, $got);
    is("$said->{status} " . join(' ', $said->{out} =~ /^(\w+ \w+)/mg), '0 taken web2 taken web1', 'both');
    is(
        $said->{err},
        "Run: passed over 3 files of no record of this campaign, 1 run not ended yet\n",
        'and the others are counted'
    );
    $said = collect($dir);
    like("$said->{status} $said->{err}", qr/\A2 Run: fleet collect needs FROM \.\.\./, 'nothing to collect');
};

is("@Fake::PERL_WARNINGS", '', 'perl warned of nothing');
done_testing;
