# SPDX-License-Identifier: GPL-2.0-or-later
# Pack::Fleet::HostRun and Pack::Fleet::Store: records of many hosts as members of a fleet, read from a
# campaign's directory or from a plain one.
use 5.014;
use strict;
use warnings;

use File::Temp ();
use Test::More;

use lib 't/lib';
use Fake;
use Fleetful;
use Runs;
use Scored;
use Touchstone::Pack::Fleet::HostRun;
use Touchstone::Pack::Fleet::Store;
use Touchstone::Record::Json;
use Touchstone::Record;
use Touchstone::Score;

my @warnings;
local $SIG{__WARN__} = sub { push @warnings, @_ };

sub read_of { my ($dir) = @_; return Touchstone::Pack::Fleet::Store::read("$dir") }

# Returns data as text, with numbers in the form of a record, however they were computed.
sub said {
    my ($data) = @_;
    return Touchstone::Record::Json::encode_line($data) =~
        s/(?<=[\[ ])"?(-?\d+(?:\.\d+)?)"?(?=[,\]}])/sprintf '%.9g', $1/gaer;
}

subtest 'a record that was made says in its results what its passes say' => sub {
    my $dir   = File::Temp->newdir;
    my $fleet = Fleetful::campaign("$dir", hosts => 2, tests => [qw(pipe sieve84)], copies => [ 1, 4 ]);
    for my $file (@{ $fleet->{files} }) {
        my $quick = Touchstone::Pack::Fleet::Store::member_of("$dir", $file, {});
        my $facts = Touchstone::Record->load("$dir/$file", "$dir");
        my $whole =
            Touchstone::Pack::Fleet::HostRun::from_record($facts, Touchstone::Score::scores($facts), $file);
        is(said($quick), said($whole), $file);
    }
};

subtest 'a member says who was measured, what is like him, and how fast he was' => sub {
    my $dir   = File::Temp->newdir;
    my $fleet = Fleetful::campaign(
        "$dir",
        hosts    => [qw(web1 web2)],
        between  => 0,
        within   => 0,
        tests    => [ 'pipe', 'sieve84' ],
        copies   => [1],
        effect   => { web2 => -0.05 },
        campaign => { web2 => { slot => 'hv07', labels => { rack => 'b4' } } },
        record   => {
            web2 => {
                failures => [ { test => 'C',       why  => "exit status 1\n" } ],
                skipped  => [ { test => 'dc',      why  => 'not installed' } ],
                warnings => [ { id   => 'battery', text => 'it runs on battery', invalid => 1 } ]
            }
        }
    );
    my ($one, $two) = @{ read_of($dir)->{members} };
    is($two->{name}, $two->{file} =~ s{.*/|\.json\z}{}gr, 'the name is that of its file');
    is_deeply([ @$two{qw(host slot carrier attempt campaign labels)} ],
        [ 'web2', 'hv07', 'ssh', 1, 'k68', { rack => 'b4' } ], 'who');
    isnt($one->{host_id}, $two->{host_id}, 'each has an id');
    is_deeply(
        $two->{group},
        {
            vendor         => 'AuthenticAMD',
            model          => 'AMD EPYC 7763 64-Core Processor',
            sockets        => '1',
            cores          => '4',
            threads        => '8',
            memory         => '32 GB',
            virtualisation => 'kvm'
        },
        'what is like him'
    );
    is_deeply($two->{lost}, [ 'C failed: exit status 1?', 'dc skipped: not installed' ], 'what was lost');
    is($two->{doubt},   'it runs on battery', 'a run that is not valid is marked, and its host judged by it');
    is($two->{invalid}, undef,                'as that is what the host is like');
    is($one->{doubt},   undef,                'the other is valid');
    my @y = map {
        [ map { $_->{y} } @{ $_->{figures} }{ '1 pipe', '1 sieve84' } ]
    } $one, $two;
    ok($two->{figures}{'1 sieve84'}{better} eq 'lower', 'one figure is in seconds');
    is(sprintf('%.6f', $y[1][$_] - $y[0][$_]), '-0.050000', 'slower by the effect') for 0, 1;
    my $figure = $one->{figures}{'1 pipe'};
    is_deeply(
        [ @$figure{qw(name title copies suite unit passes version)} ],
        [ 'pipe', 'Pipe Throughput', 1, 'unixbench', 'lps', 6, 1 ],
        'a figure'
    );
    cmp_ok($figure->{error}, '>', 0.0005, 'the error within the run is not none');
    cmp_ok($figure->{error}, '<', 0.004,  'and not more than the deviation of the passes');
};

subtest 'a part of the passes was disturbed' => sub {
    my $text = Fake::read_file("$Fake::BASE/t/golden/sure.json");
    my $dir  = File::Temp->newdir;
    Fake::write_file("$dir/sure.json", $text);
    my ($member) = @{ read_of($dir)->{members} };
    is(sprintf('%.4f', $member->{disturbed}), sprintf('%.4f', 1 / 13), '1 of 13');
};

subtest 'old records without a campaign belong to the host that they name' => sub {
    my $dir = File::Temp->newdir;
    Fleetful::campaign("$dir", hosts => 2, runs => 2, plain => 1, tests => ['pipe'], copies => [1]);
    my $read = read_of($dir);
    is_deeply(
        [ map { "$_->{host} $_->{host_id}" } @{ $read->{members} } ],
        [ ('web1 web1') x 2, ('web2 web2') x 2 ],
        'two runs each'
    );
    is_deeply($read->{damaged}, [], 'none is damaged');
    mkdir "$dir/2026-11" or die "cannot make a folder: $!\n";
    rename "$dir/$_", "$dir/2026-11/$_"
        or die "cannot rename '$_': $!\n"
        for map { $_->{file} } @{ $read->{members} }[ 2, 3 ];
    is_deeply(
        [ map { $_->{name} } @{ read_of($dir)->{members} } ],
        [ map { $_->{name} } @{ $read->{members} } ],
        'they may stand in folders by month'
    );
};

subtest 'packed records are read, and damaged ones are named' => sub {
    my $dir   = File::Temp->newdir;
    my $fleet = Fleetful::campaign("$dir", hosts => 3, gz => 1, tests => ['pipe'], copies => [1]);
    my @files = @{ $fleet->{files} };
    my $whole = Fake::read_file("$dir/$files[0]");
    Fake::write_file("$dir/$files[1]",             substr $whole, 0, length($whole) / 2);
    Fake::write_file("$dir/$files[2]",             'no gzip at all');
    Fake::write_file("$dir/runs/2026-11/cut.json", '{ "format": 1,');
    mkdir "$dir/runs/2026-11/folder.json" or die "cannot make a folder: $!\n";
    my $read = read_of($dir);
    is_deeply([ map { $_->{file} } @{ $read->{members} } ], [ $files[0] ], 'the one that is whole');
    my %why = map { $_->{file} => $_->{why} } @{ $read->{damaged} };
    like($why{ $files[1] },             qr/\Aits gzip is damaged or cut short\z/, 'half a file');
    like($why{ $files[2] },             qr/\Aits gzip is damaged or cut short\z/, 'another file');
    like($why{'runs/2026-11/cut.json'}, qr/\Aline 1: /,                           'a cut text');
    is($why{'runs/2026-11/folder.json'}, 'not a regular file', 'a folder');
};

subtest 'a record that is there packed, too, is one record' => sub {
    my $dir   = File::Temp->newdir;
    my $fleet = Fleetful::campaign("$dir", hosts => 2, tests => ['pipe'], copies => [1]);
    Fleetful::campaign("$dir", hosts => 1, tests => ['pipe'], copies => [1], gz => 1);
    is_deeply(
        [ Touchstone::Pack::Fleet::Store::files("$dir") ],
        [ sort @{ $fleet->{files} } ],
        'the one that is not'
    );
};

subtest 'only what was taken in belongs to a campaign' => sub {
    my $dir   = File::Temp->newdir;
    my $fleet = Fleetful::campaign("$dir", hosts => 1, tests => ['pipe'], copies => [1]);
    my $text  = Fake::read_file("$dir/$fleet->{files}[0]");
    Fake::write_file("$dir/$_", $text)
        for 'staging/a.json', 'conflicts/b.json', 'c.json', 'runs/d.json', 'runs/2026-11/.e.json',
        'runs/2026-11/f.jsonl', 'runs/2026-11/g.json.new';
    is(scalar @{ read_of($dir)->{members} }, 1, 'one record');
    ok(!eval { Touchstone::Pack::Fleet::Store::read("$dir/none"); 1 }, 'a directory that is not there');
    like($@, qr{\Acannot read '.*/none': }, 'is said');
};

subtest 'a record that is not as Json writes it is scored anew' => sub {
    my $dir     = File::Temp->newdir;
    my $fleet   = Fleetful::campaign("$dir", hosts => 1, tests => ['pipe'], copies => [1]);
    my $text    = Fake::read_file("$dir/$fleet->{files}[0]");
    my ($quick) = @{ read_of($dir)->{members} };
    Fake::write_file("$dir/$fleet->{files}[0]", $text =~ s/\A\{\n/{ /r);
    my ($whole) = @{ read_of($dir)->{members} };
    is(said($whole), said($quick), 'with the same figures');
};

subtest 'names of strangers are data' => sub {
    my $dir  = File::Temp->newdir;
    my $host = "<b>\xff ../\$(x)";
    Fleetful::campaign(
        "$dir",
        hosts    => [$host],
        tests    => ['pipe'],
        copies   => [1],
        campaign => { '*' => { labels    => { "a\nb" => "\e[1m" }, slot => "\n" } },
        host     => { '*' => { microcode => "\e]0;x\a" } }
    );
    my $file = (Touchstone::Pack::Fleet::Store::files("$dir"))[0];
    my $text = Fake::read_file("$dir/$file");
    Fake::write_file("$dir/$file",
        $text =~ s/"(?:name|test)": "\Kpipe"/\\u001bpipe\\n"/gr =~ s/"passport": "\K8/\\n/r);
    my ($member) = @{ read_of($dir)->{members} };
    is_deeply(
        [ map { [ $_, $member->{figures}{$_}{name} ] } keys %{ $member->{figures} } ],
        [ [ '1 ?pipe?', '?pipe?' ] ],
        'a test'
    );
    like($member->{passport}, qr/\A\?ecfc/, 'a passport');
    is_deeply($member->{labels}, { 'a?b' => '?[1m' }, 'labels');
    is($member->{slot},                 '?',                    'the slot');
    is($member->{facts}{'h microcode'}, '?]0;x?',               'a fact');
    is($member->{host},                 "<b>\xc3\xbf ../\$(x)", 'the host is named as its manifest names it');
    my $manifest = Touchstone::Pack::Fleet::Campaign::read("$dir");
    is($member->{host}, $manifest->{hosts}[0]{name}, 'in bytes');
};

subtest 'memory is what somebody bought' => sub {
    my %gb = (
        '4 GB'    => [ 3_900_000,  4_030_712 ],
        '32 GB'   => [ 32_803_412, 32_799_000, 33_554_432 ],
        '96 GB'   => [ 97e6,       98.8e6 ],
        '1024 GB' => [1056e6]
    );
    for my $gb (sort keys %gb) {
        is(Touchstone::Pack::Fleet::HostRun::installed($_), $gb, "$_ KB") for @{ $gb{$gb} };
    }
    is(Touchstone::Pack::Fleet::HostRun::installed($_ // ()), undef, 'unknown') for undef, 'unknown', '', 0;
};

is_deeply(\@warnings, [], 'nothing warns');
done_testing();
