#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# Where a run stands among others of its kind: its place, what is out of line, who is of its kind, and the
# forms that a set of references may have.
use 5.014;
use strict;
use warnings;

use File::Temp ();
use Test::More;

use lib 't/lib';
use NoWarnings;
use Fake;
use Fleetful;
use Touchstone::Pack::Fleet::Peers;
use Touchstone::Pack::Fleet::Peers::Filter;
use Touchstone::Pack::Fleet::Store;
use Touchstone::Record::PasteBlock;
use Touchstone::Record;
use Touchstone::Record::Json;
use Touchstone::Pack::Fleet::Report;
use Touchstone::Score;

my $temp  = File::Temp->newdir;
my $count = 0;

# The directory of records of some hosts, and their members by the names of the hosts.
sub fleet {
    my (%with) = @_;
    my $directory = "$temp/" . ++$count;
    Fleetful::campaign($directory, seed => $count, copies => [1], within => 0.005, hosts => 20, %with);
    my %of;
    push @{ $of{ $_->{host} } }, $_ for @{ Touchstone::Pack::Fleet::Store::read($directory)->{members} };
    return ($directory, \%of);
}

# Where the first run of a host stands among all records of its fleet.
sub placed {
    my ($host, %with) = @_;
    my (undef, $of)   = fleet(%with);
    return Touchstone::Pack::Fleet::Peers::judge($of->{$host}[0], [ map { @$_ } values %$of ]);
}

sub lines { return split /\n/, Touchstone::Pack::Fleet::Report::render('text', peers => $_[0]) }

my %SLOW_FILES = map { $_ => -0.4 } qw(fstime fsbuffer fsdisk);

subtest 'a run like the others is in line, and its place has an interval' => sub {
    my $found = placed('web3');
    is($found->{status},   0,  'status');
    is($found->{machines}, 19, 'it is no reference of itself');
    my ($index) = @{ $found->{indexes} };
    is($index->{of}, 19, 'all of them have the index');
    ok($index->{low} < $index->{percentile} && $index->{high} > $index->{percentile}, 'around its place');
    my ($first, $second) = lines($found);
    like($first,
        qr/\A\S+ is (?:slower|faster) than \d+ of 19 like it: \d+(?:st|nd|rd|th) percentile, \d+ to \d+/,
        $first);
    is($second, 'in line: no test is further from the others than chance explains', 'second line');
};

subtest 'a run with slow files is out of line there, with what kind of slowness it is' => sub {
    my $found = placed('web7', effect => { web7 => { %SLOW_FILES, '*' => 0 } });
    is($found->{status}, 1, 'status');
    is(
        join(' ', sort map { $_->{name} } grep { $_->{far} } @{ $found->{figures} }),
        'fsbuffer fsdisk fstime',
        'these tests and no other'
    );
    is(($found->{signature} || {})->{id}, 'files', 'it is the files');
    my ($first, $second) = lines($found);
    like($first, qr/ is slower than 19 of 19 like it: 0th percentile, 0 to 1\d /, 'first line');
    like($second, qr/\Aout of line: fs\w+ 0\.6\d, fs\w+ 0\.6\d, fs\w+ 0\.6\d times as fast as/,
        'second line');
};

subtest 'a run that is too fast is out of line, too' => sub {
    my $found = placed('web7', effect => { web7 => 0.3 });
    is($found->{status}, 1, 'status');
    ok($found->{all}{far} && $found->{all}{ratio} > 1.2, 'in all tests together');
    like((lines($found))[0], qr/ is faster than 19 of 19 like it: 100th percentile, /, 'first line');
};

subtest 'fewer than five references are inconclusive' => sub {
    is(placed('web1', hosts => 5)->{status}, 125, 'four others');
    is(placed('web1', hosts => 6)->{status}, 0,   'five others');
    like(
        (lines(placed('web1', hosts => 5)))[0],
        qr/\Ainconclusive: 4 machines like it in the set \(AMD EPYC 7763, 8 CPUs, KVM\), and 5 are needed\z/,
        'said'
    );
    like((lines(placed('web1', hosts => 1)))[0], qr/\Ainconclusive: no machine like it/, 'alone');
};

subtest 'a machine that was measured often is one reference, and its own runs are none' => sub {
    my $found = placed('web2', hosts => 8, runs => 3);
    is($found->{machines}, 7,  'machines');
    is($found->{records},  21, 'records');
    is($found->{itself},   3,  'its own');
};

subtest 'other hardware, other tests and runs that are not valid are no references' => sub {
    my %cpus  = (cpus => [ { id => 0, model => 'Another CPU', bogomips => 1, flags => [] } ]);
    my $found = placed(
        'web1',
        host   => { map { ("web$_" => \%cpus) } 2 .. 4 },
        record => {
            web5 => { warnings => [ { id => 'changed', text => 'CPU 1 went offline', invalid => 1 } ] },
            web6 => { warnings => [ { id => 'battery', text => 'it runs on battery', invalid => 1 } ] }
        }
    );
    is($found->{machines}, 15,      'without three of another CPU and one that is not valid');
    is($found->{invalid},  1,       'which is counted');
    is($found->{hardware}, 'equal', 'the others are equal');
    like(
        Touchstone::Pack::Fleet::Report::render('text', peers => $found),
        qr/^  - 1 of the 15 records are not valid runs$/m,
        'one that is not valid because of its host counts'
    );
    my (undef, $mine)   = fleet(tests => ['pipe']);
    my (undef, $theirs) = fleet(tests => [ 'syscall', 'spawn' ]);
    $found = Touchstone::Pack::Fleet::Peers::judge($mine->{web1}[0], [ map { @$_ } values %$theirs ]);
    is($found->{status}, 125, 'no test in common');
};

subtest 'where few are equal, machines of the same CPU and virtualisation count, and that is said' => sub {
    my %host  = map { my $gb = 8 * $_; ("web$_" => { memory_kb => $gb * 1e6 }) } 2 .. 20;
    my $found = placed('web1', host => \%host);
    is($found->{hardware}, 'alike', 'alike');
    is($found->{machines}, 19,      'all');
    like(join("\n", lines($found)),
        qr/^  - of equal hardware with the same programs there (?:is|are) \d, fewer/m, 'said');
};

subtest 'other programs are compared only where no others are there, with a warning' => sub {
    my %record = map { ("web$_" => { passport => "$_" x 32 }) } 10 .. 20;
    my $found  = placed('web1', record => \%record);
    is($found->{programs}, 'equal', 'nine others have the same');
    is($found->{machines}, 8,       'and count alone') or diag $found->{machines};
    $record{"web$_"} = { passport => "$_" x 64 } for 2 .. 9;
    $found = placed('web1', record => \%record);
    is($found->{programs}, 'other', 'nobody has the same');
    like(join("\n", lines($found)),
        qr/other programs: compilers and flags are part of each difference$/m, 'said');
    $found = placed('web1', record => \%record, build => { '*' => { isa => 'baseline' } });
    is($found->{programs}, 'portable', 'portable builds');
};

# The names of members in order.
sub names_in {
    my ($place) = @_;
    my $read = Touchstone::Pack::Fleet::Peers::Filter::read($place);
    return (scalar @{ $read->{members} }, scalar @{ $read->{damaged} });
}

sub blocks_of {
    return join "\n some words\n", map {
        my $facts = Touchstone::Record->load($_, '.');
        Touchstone::Record::PasteBlock::block(
            Touchstone::Record::document($facts, Touchstone::Score::score_run($facts)))->{text}
    } @_;
}

my ($directory) = fleet(plain => 1, hosts => 7);
my @files = sort glob "\Q$directory\E/*.json";

subtest 'a set may be a directory, a record, records in a row, lines or a text with blocks' => sub {
    my @texts = map { Fake::read_file($_) } @files;
    my @lines =
        map { Touchstone::Record::Json::encode_line(Touchstone::Record::Json::decode($_)) . "\n" } @texts;
    Fake::write_file("$temp/row.json",   join '', @texts);
    Fake::write_file("$temp/set.jsonl",  join '', @lines);
    Fake::write_file("$temp/thread.txt", 'hello ' . blocks_of(@files));
    is_deeply([ names_in($directory) ],         [ 7, 0 ], 'directory');
    is_deeply([ names_in($files[0]) ],          [ 1, 0 ], 'record');
    is_deeply([ names_in("$temp/row.json") ],   [ 7, 0 ], 'records in a row');
    is_deeply([ names_in("$temp/set.jsonl") ],  [ 7, 0 ], 'lines');
    is_deeply([ names_in("$temp/thread.txt") ], [ 7, 0 ], 'blocks');
    mkdir "$temp/results" or die "cannot make a directory: $!\n";
    rename $directory, "$temp/results/.runs" or die "cannot rename: $!\n";
    is_deeply([ names_in("$temp/results") ], [ 7, 0 ], 'directory of results');
    rename "$temp/results/.runs", $directory or die "cannot rename: $!\n";

    eval { require IO::Compress::Gzip } or return plan skip_all => 'no IO::Compress::Gzip';
    IO::Compress::Gzip::gzip("$temp/row.json" => "$temp/row.json.gz") or die "cannot pack\n";
    is_deeply([ names_in("$temp/row.json.gz") ], [ 7, 0 ], 'packed');
    my $half = substr Fake::read_file("$temp/row.json.gz"), 0, -200;
    Fake::write_file("$temp/half.json.gz", $half);
    my ($whole, $damaged) = names_in("$temp/half.json.gz");
    ok($whole < 7 && $damaged == 1, "cut off: $whole records, the rest is named");
};

subtest 'what cannot be read is named, and the rest counts' => sub {
    my @texts = map { Fake::read_file($_) } @files;
    $texts[2] =~ s/"format": 2/"format": 9/;
    Fake::write_file("$temp/damaged.json", join '', @texts[ 0 .. 4 ]);
    my $read = Touchstone::Pack::Fleet::Peers::Filter::read("$temp/damaged.json");
    is(scalar @{ $read->{members} }, 4,                              'four are good');
    is($read->{damaged}[0]{file},    "$temp/damaged.json, record 3", 'which one is not');
    for my $text ('no words of ours', '', "\0\xff") {
        Fake::write_file("$temp/none.txt", $text);
        ok(!eval { Touchstone::Pack::Fleet::Peers::Filter::read("$temp/none.txt") },
            'a text without records');
        like($@, qr/\A'.*none\.txt' holds neither records nor blocks/, 'is refused');
    }
    ok(!eval { Touchstone::Pack::Fleet::Peers::Filter::read("$temp/not-there") }, 'no file');
    like($@, qr/\Acannot open '.*not-there': No such file/, 'is said');
};

my $fake = Fake->new;

subtest 'the command answers with its exit status, and refuses what it cannot read' => sub {
    my $ask = sub {
        my ($set, @words) = @_;
        my $got = $fake->run([ 'place', @words, defined $set ? ('--among', $set) : () ]);
        return ($got->{status}, $got->{out}, $got->{err});
    };
    my ($status, $out, $err) = $ask->($directory, $files[0]);
    is("$status$err", '0', 'in line');
    like($out, qr/\A\S+ is (?:slower|faster) than \d of 6 like it: .*\nin line: /, 'the answer');
    my ($slow) = fleet(effect => { web4 => { %SLOW_FILES, '*' => 0 } });
    my ($its)  = grep { $_->{host} eq 'web4' } @{ Touchstone::Pack::Fleet::Store::read($slow)->{members} };
    is(($ask->($slow, "$slow/$its->{file}", '--format', 'json'))[0], 1, 'out of line');
    is(($ask->($slow, 'web4',               '--format', 'csv'))[0],  1, 'a host of the set by its name');
    is(($ask->($files[1], $files[0]))[0], 125, 'one reference');
    my %refused = (
        'no words'         => [ [],                             qr/no stored run in '/ ],
        'three words'      => [ [ $directory, $files[0], 'x' ], qr/'x' is one too many/ ],
        'no run'           => [ [$directory],                   qr/no stored run in '/ ],
        'an unknown run'   => [ [ $directory, 'none' ],         qr/no run 'none' here or in/ ],
        'an unknown set'   => [ [ "$temp/no", $files[0] ],      qr/cannot open '.*\/no': No such file/ ],
        'no records'       => [ [ 'docs', $files[0] ],          qr/no record of a run in 'docs'/ ],
        'a foreign format' => [
            [ $directory, $files[0], '--format', 'junit' ],
            qr/--format of place needs text, markdown, html, csv or json, not 'junit'/
        ]
    );

    for my $what (sort keys %refused) {
        my ($words, $why) = @{ $refused{$what} };
        my ($status, $out, $err) = $ask->(@$words);
        is("$status$out", '2', "$what: status");
        like($err, $why, $what);
    }
};

subtest 'every format holds the answer, and names of strangers are data' => sub {
    my $evil = "w<script>alert(1)</script>\"'\$(x)=1";
    my (undef, $of) = fleet(hosts => 8, host => { '*' => { vendor => "=1\n\e[31m<b>" } });
    my $run   = { %{ $of->{web1}[0] }, name => "$evil\n\e[31m" };
    my $found = {
        %{ Touchstone::Pack::Fleet::Peers::judge($run, [ map { @$_ } values %$of ]) },
        damaged => [ { file => $evil, why => "\e[2J" } ]
    };
    my %text = map { $_ => Touchstone::Pack::Fleet::Report::render($_, peers => $found) }
        Touchstone::Report::Forms::names('fleet');
    unlike($text{html}, qr/<script>alert|<b>/,    'the page has no markup of theirs');
    unlike($text{$_},   qr/[\x00-\x09\x0b-\x1f]/, "$_ has no control characters") for qw(text markdown csv);
    is(scalar(my @dots = $text{html} =~ /<circle class="faint"/g), 13 * 7, 'the page has a dot for each');
    like($text{csv}, qr/^test,pipe,1,unixbench,[\d.]+,7,/m, 'a line of CSV');
    is(Touchstone::Record::Json::decode($text{json})->{status}, $found->{status}, 'JSON');
};

done_testing;
