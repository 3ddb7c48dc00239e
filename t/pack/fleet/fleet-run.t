#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# ./Run fleet judge: what it prints, which pages it leaves where, its exit status, and its words where it
# cannot judge anything.
use 5.014;
use strict;
use warnings;

use File::Temp ();
use POSIX ();
use Test::More;

use lib 't/lib';
use NoWarnings;
use KilledAt;
use Amount;
use Fake;
use Fleetful;
use Touchstone::Pack::Fleet::Campaign;
use Touchstone::Pack::Fleet::RecordIndex;
use Touchstone::Record::Json;

my $fake = Fake->new;
my $temp = File::Temp->newdir;

# A small campaign is quick to make and to judge.
my %SMALL = (tests => [qw(pipe spawn syscall)], copies => [1]);

sub campaign { my ($name, %with) = @_; return Fleetful::campaign("$temp/$name", %SMALL, @_ > 1 ? %with : ()) }

# Judges, and tests that nothing but the path of a page, or a message, is on standard error.
sub judged {
    my (@words) = @_;
    my $got = $fake->run([ 'fleet', 'judge', @words ]);
    unlike($got->{err}, qr/ at \S+ line \d+|uninitialized/, 'Perl has no remark');
    return $got;
}

sub last_line { my ($text) = @_; return (split /\n/, $text)[-1] // '' }

campaign('k1', hosts => 12, missing => ['web4'], effect => { web3 => -0.15 });

subtest 'a campaign is judged: the answer, the page, the status' => sub {
    my $got = judged("$temp/k1");
    is($got->{status}, 1, '1: a host is missing');
    like($got->{out}, qr/\A1 of 11 hosts is suspect, not yet confirmed: web3 \(1\d % slower\)\./,
        'the answer');
    like($got->{out}, qr/^  web3 .* suspect$/m,                                           'the host');
    like($got->{out}, qr/^Campaign k68: 12 hosts expected: 11 received, 1 unreachable$/m, 'the sum');
    is(scalar(grep { length > 80 } split /\n/, $got->{out}), 0,                     '80 columns');
    is(last_line($got->{err}),                               "$temp/k1/index.html", 'the place of the page');
    for my $file (qw(index.html hosts-1.html verdicts summary.json)) { ok(-s "$temp/k1/$file", $file) }
    like(Fake::read_file("$temp/k1/verdicts"), qr/^suspect k68 \d+ web3$/m, 'the verdict');
    like(
        Fake::read_file("$temp/k1/hosts-1.html"),
        qr{<a href="runs/\d{4}-\d\d/k68\.[0-9a-f]{16}\.1\.json">},
        'a link to the record'
    );
};

subtest 'its commands work from where the reader is' => sub {
    my $said = `cd $temp && $^X $Fake::BASE/Run fleet judge k1 2>/dev/null`;
    my ($confirm) = $said =~ /^  (\S+) --confirm /m;
    is($confirm, "$Fake::BASE/fleet/ssh", 'the command has its path') or diag($said);
};

subtest 'the same records give the same answer and the same page' => sub {
    my @first  = (judged("$temp/k1")->{out},  Fake::read_file("$temp/k1/index.html"));
    my @second = (judged("$temp/k1/")->{out}, Fake::read_file("$temp/k1/index.html"));
    is_deeply(\@second, \@first, 'also with a slash behind the directory');
};

# Returns what somebody was writing in a campaign.
sub left {
    my ($place) = @_;
    return join ' ', map { s{\A\Q$place\E/}{}r } grep { m{/\.[^/]*new[^/]*\z} } map {
        my $folder = $_;
        map { "$folder/$_" } Fake::entries($folder)
    } $place, "$place/conflicts", glob "\Q$place\E/runs/*";
}

subtest 'whenever it is killed, the next one leaves nothing of it' => sub {
    my $place = "$temp/killed";
    campaign('killed', hosts => 5);
    my ($moment, $left, $every, $got) = (0, 0, Amount::of(7, 1));
    while (1) {
        $moment += $every;
        $got = $fake->run([ 'fleet', 'judge', $place ], env => { KILLED_AT => $moment });
        last    if $got->{signal} != POSIX::SIGKILL();
        $left++ if length left($place);
        is(judged($place)->{status}, 0,  "killed at $moment: the next one ends");
        is(left($place),             '', 'and nothing is left');
    }
    cmp_ok($left, '>', Amount::of(1, 2), "$left of $moment moments left something");
};

subtest 'fleet judge and fleet collect sweep wherever files are written' => sub {
    my $place = "$temp/swept";
    campaign('swept', hosts => 5);
    my ($month) = glob "\Q$place\E/runs/*";
    for my $words ([ 'fleet', 'judge', $place ],
        [ 'fleet', 'collect', "$place/staging", '--campaign', $place ]) {
        Fake::write_file($_, '')
            for "$place/.index.html.new29999999", "$place/conflicts/.a.json.new29999999-abcdefghij",
            "$month/.b.json.new29999999-abcdefghij";
        Fake::write_file("$place/.living.new$$", '');
        is($fake->run($words)->{status}, 0,               "$words->[0] ends");
        is(left($place),                 ".living.new$$", 'what a living process may be writing is left');
    }
    my ($status) = map { $_->{status} } judged($month);
    Fake::write_file("$month/fleet/.index.html.new29999999", '');
    is(judged($month)->{status},                                $status, 'a directory of records is judged');
    is(join(' ', grep { /new/ } Fake::entries("$month/fleet")), '',      'and its pages are swept');
    unlink "$place/campaign.json" or die "cannot remove: $!\n";
    like(
        judged($place)->{out},
        qr/\ANo host stands out: all 5 were judged/,
        'a manifest that is lost hides no record'
    );
};

subtest 'each form, and no other' => sub {
    my %begins = (
        text     => qr/\A1 of 11/,
        markdown => qr/\A# 1 of 11/,
        html     => qr/\A<!DOCTYPE html>/,
        csv      => qr/\Agroup,host,/,
        json     => qr/\A\{/
    );
    for my $form (sort keys %begins) {
        my $got = judged("$temp/k1", '--format', $form);
        like($got->{out}, $begins{$form}, $form);
        is($got->{status}, 1, "$form: the status");
    }
    my $data = Touchstone::Record::Json::decode(judged("$temp/k1", '--format', 'json')->{out});
    is(join(' ', map { $_->{host} } @{ $data->{suspects} }), 'web3', 'JSON names the suspect');
    my $got = judged("$temp/k1", '--format', 'junit');
    is($got->{status}, 2, 'junit is refused');
    like(
        $got->{err},
        qr/--format of a fleet needs text, markdown, html, csv, json or status, not 'junit'/,
        'with those that there are'
    );
};

subtest 'who is where is told without a look at any record' => sub {
    my $place = "$temp/where";
    campaign('where', hosts => 12, missing => ['web5']);
    my $known =
        Touchstone::Pack::Fleet::RecordIndex::read_index(Touchstone::Pack::Fleet::Campaign::expect($place));
    unlink "$place/received.jsonl";
    Touchstone::Pack::Fleet::RecordIndex::append("$place/received.jsonl", $_)
        for grep { $_->{host} ne 'web3' } values %$known;
    Fake::write_file("$place/runs/$_", 'damaged') for map { s{.*/runs/}{}sr } glob "\Q$place\E/runs/*/*.json";
    my @before = sort glob "\Q$place\E/*";
    my $got    = judged($place, '--format', 'status');
    is($got->{status}, 1,  'hosts are missing');
    is($got->{err},    '', 'no page is named');
    like(
        $got->{out},
        qr/\ACampaign k68: 12 hosts expected: 10 received, 2 unreachable\n\nMissing:\n\n  - unreachable: no news: web3 and web5\n.*run the same\s+command again.*fleet\/ssh/s,
        'the sum, who is missing (a damaged record is none), why, and what to do'
    );
    unlike($got->{out}, qr/stand|suspect|Group/, 'nobody is judged');
    is_deeply([ sort glob "\Q$place\E/*" ], \@before, 'nothing is written');
    is(judged($place, '--format', 'status', '--allow-missing', '20%')->{status}, 0, 'they may be missing');

    for my $case ([ [ $place, $place ], qr/\ARun: --format status takes one campaign/, 'two campaigns' ],
        [ ["$temp"], qr/\ARun: no campaign in '/, 'no campaign' ]) {
        my ($words, $says, $name) = @$case;
        my $wrong = judged(@$words, '--format', 'status');
        is($wrong->{status}, 2, $name);
        like($wrong->{err}, $says, 'with the reason');
    }
};

subtest 'missing hosts may be allowed' => sub {
    is(judged("$temp/k1", '--allow-missing', '5%')->{status},  1, 'one of twelve is more than 5 %');
    is(judged("$temp/k1", '--allow-missing', '10%')->{status}, 0, 'and less than 10 %');
};

subtest 'three hosts are too few, and it says so' => sub {
    campaign('three', hosts => 3);
    my $got = judged("$temp/three");
    is($got->{status}, 125, 'the status');
    like($got->{out}, qr/\ANo host could be judged: 3 hosts/, 'the answer');
    is(Fake::read_file("$temp/three/verdicts"), '', 'there are no verdicts');
};

subtest 'a campaign that has no record yet' => sub {
    campaign('none', hosts => 3, missing => [qw(web1 web2 web3)]);
    my $got = judged("$temp/none");
    is($got->{status}, 1, 'the status');
    like(
        $got->{out},
        qr/\ANo host has a record yet, of 3 that are expected\.\n3 hosts are missing: web1, web2 and web3\./,
        'the answer'
    );
    ok(-s "$temp/none/index.html", 'the page');
};

subtest 'records without a campaign are judged, and no page of theirs is replaced' => sub {
    campaign('plain', hosts => 8, plain => 1, between => 0.004, within => 0.002);
    Fake::write_file("$temp/plain/index.html", 'another page');
    my $got = judged("$temp/plain");
    is($got->{status}, 0, 'the status');
    like($got->{out}, qr/\ANo host stands out: all 8 were judged/, 'the answer');
    is(Fake::read_file("$temp/plain/index.html"), 'another page',                 'what was there');
    is(last_line($got->{err}),                    "$temp/plain/fleet/index.html", 'the place of the page');
    my ($link) = Fake::read_file("$temp/plain/fleet/hosts-1.html") =~ /<a href="(\.\.[^"]*\.json)">/;
    ok(defined $link && -e "$temp/plain/fleet/$link", 'whose links lead to records');
    ok(!-e "$temp/plain/fleet/summary.json",          'it is no campaign for browse');
};

subtest 'a campaign is also known by its name' => sub {
    Fleetful::campaign(
        "$fake->{results}/campaigns/k7", %SMALL,
        hosts   => 6,
        id      => 'k7',
        between => 0.004,
        within  => 0.002
    );
    my $got = judged('k7');
    is($got->{status},         0,                                          'the status');
    is(last_line($got->{err}), "$fake->{results}/campaigns/k7/index.html", 'the place of the page');
    for my $words (
        [qw(place web3 --among k7)],
        [qw(fleet confirm k7)],
        [qw(fleet mark web1=unreachable --campaign k7)],
        [ 'fleet', 'collect', "$fake->{results}/campaigns/k7/runs", qw(--campaign k7) ]
    ) {
        my $of = $fake->run($words);
        is($of->{status} == 2 ? $of->{err} : '', '', "@$words[0]");
    }
    $fake->run(['browse']);
    like(
        Fake::read_file("$fake->{results}/index.html"),
        qr{<a href="campaigns/k7/index.html">k7</a>},
        'browse has it'
    );
};

subtest 'pages of hosts that are gone go, too' => sub {
    Fake::write_file("$temp/k1/hosts-7.html", 'old');
    judged("$temp/k1");
    ok(!-e "$temp/k1/hosts-7.html", 'the old one');
    ok(-e "$temp/k1/hosts-1.html",  'the new one stays');
};

subtest 'two campaigns are compared' => sub {
    campaign('before', hosts => 12, id => 'k80', seed => 5);
    campaign('after', hosts => 12, id => 'k81', seed => 5, effect => sub { -0.05 });
    my $got = judged("$temp/before", "$temp/after");
    is($got->{status}, 1, 'slower: 1');
    like($got->{out}, qr/\Aworse: /, 'the answer');
    is(last_line($got->{err}), "$temp/after/rollout.html", 'the place of the page');
    like(Fake::read_file("$temp/after/rollout.html"), qr/<h1/, 'the page');
};

subtest 'what cannot be judged is refused with a sentence' => sub {
    mkdir "$temp/empty";
    mkdir "$temp/broken";
    Fake::write_file("$temp/broken/$_.json", '{ "record": 1') for qw(a b);
    my @cases = (
        [ [],                qr/fleet judge needs DIR \[DIR\]/ ],
        [ ["$temp/nowhere"], qr/cannot open '\Q$temp\E\/nowhere': No such file or directory/ ],
        [
            ["$temp/broken"],
            qr/no valid records in '\Q$temp\E\/broken': 2 files refused\n *cannot read '.*a\.json': /
        ],
        [ ["$temp/empty"], qr/no records in '\Q$temp\E\/empty'\n.*directory of a campaign/ ],
        [
            [ map { "$temp/$_" } qw(k1 k1 k1) ],
            qr/fleet judge takes DIR \[DIR\] only: '\Q$temp\E\/k1' is one too many/
        ],
        [ [ "$temp/k1", qw(--control ring=b) ], qr/--control needs two campaigns/ ],
        [ [ "$temp/k1", qw(--wave 1/2) ],       qr/--wave needs two campaigns/ ],
        [ [ "$temp/k1", "$temp/empty" ],        qr/no records in '\Q$temp\E\/empty'/ ],
    );
    for my $case (@cases) {
        my ($words, $message) = @$case;
        my $got = judged(@$words);
        is($got->{status}, 2, join ' ', '2:', map { s/\Q$temp\E/DIR/r } @$words);
        like($got->{err}, $message, 'the message');
        is($got->{out}, '', 'no answer');
    }
    Fake::write_file("$temp/empty/campaign.json", '{');
    my $got = judged("$temp/empty");
    is($got->{status}, 2, 'a damaged manifest');
    like($got->{err}, qr/campaign\.json' is not a manifest of a campaign/, 'the message');
};

subtest 'a page that cannot be written is told after the answer' => sub {
    mkdir "$temp/k1/verdicts.d";
    unlink "$temp/k1/verdicts";
    rename "$temp/k1/verdicts.d", "$temp/k1/verdicts";
    my $got = judged("$temp/k1");
    is($got->{status}, 125, 'the status is not that of a bad host');
    like($got->{out}, qr/\A1 of 11/,                              'the answer is there');
    like($got->{err}, qr/cannot write '\Q$temp\E\/k1\/verdicts'/, 'and the message');
    rmdir "$temp/k1/verdicts";
};

done_testing;
