#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# Who is where in a campaign: each expected host is one of received, failed, unreachable, running and given
# up, whatever happened to it.
use 5.014;
use strict;
use warnings;

use Test::More;

use lib 't/lib';
use Campaigns;
use Fake;
use NoWarnings;
use Touchstone::Base::Random;
use Touchstone::Pack::Fleet::Campaign;
use Touchstone::Pack::Fleet::RecordIndex;
use Touchstone::Pack::Fleet::Leases;
use Touchstone::Pack::Fleet::Status;
use Touchstone::Record::Campaign;

my $fake  = Fake->new;
my $next  = 0;
my @LISTS = qw(failed unreachable running given_up);

sub campaign {
    my ($hosts, %asked) = @_;
    my $dir = "$fake->{dir}/c" . ++$next;
    return Touchstone::Pack::Fleet::Campaign::expect(
        Campaigns::planned(
            $dir, { lease => 100, at_once => 100, hosts => [ map { { name => $_ } } @$hosts ], %asked }
        )
    );
}

# A record comes in: what stands in it does not matter here.
sub receive {
    my ($it, $host, $attempt, %of) = @_;
    my $facts  = Campaigns::facts(host => $host, attempt => $attempt, %of);
    my $folder = "$it->{directory}/runs/2026-11";
    mkdir $folder;
    Fake::write_file("$folder/$facts->{name}.json", "{}\n");
    Touchstone::Pack::Fleet::RecordIndex::note_record($it->{directory}, "2026-11/$facts->{name}.json",
        $facts);
    return;
}

sub event {
    my ($it, $host, $what, $why, $at) = @_;
    Touchstone::Pack::Fleet::RecordIndex::append("$it->{directory}/events.jsonl",
        { at => $at, host => $host, what => $what, defined $why ? (why => $why) : () });
    return;
}

sub standing {
    my ($it, $now) = @_;
    return Touchstone::Pack::Fleet::Status::read_status($it->{directory}, now => $now);
}

# Where each host is: "received web1; failed web2 web3".
sub where {
    my ($standing) = @_;
    return join '; ', "received $standing->{received}", map {
        my $list = $_;
        @{ $standing->{$list} } ? "$list " . join ' ', sort map { $_->{host} } @{ $standing->{$list} } : ()
    } @LISTS;
}

# The campaigns of this test are made now.
my $NOW = time;

subtest 'the sum is right in any history' => sub {
    my $random = Touchstone::Base::Random::generator(23);
    my $pick   = sub { $_[ int($random->() * @_) ] };
    for my $history (1 .. 60) {
        my @hosts = map { "h$_" } 1 .. 1 + int($random->() * 12);
        my $runs  = $pick->(1, 1, 3);
        my $it    = campaign(\@hosts, runs => $runs, retries => $pick->(0, 2));
        my (%attempt, $at);
        $at = $NOW;
        for (1 .. int($random->() * 60)) {
            my $host = $pick->(@hosts, 'nobody');
            $at += int($random->() * 40);
            my $what = $pick->(qw(running running over failed unreachable record turn));
            if    ($what eq 'record') { receive($it, $host, ++$attempt{$host}) if $host ne 'nobody' }
            elsif ($what eq 'turn') {
                Touchstone::Pack::Fleet::Leases::take($it, $host, $at) if $host ne 'nobody';
            } else {
                event($it, $host, $what, $what eq 'failed' ? 'why' : undef, $at);
            }
        }
        my $standing = standing($it, $at + $pick->(0, 50, 10_000));
        my @all      = map  { @{ $standing->{$_} } } @LISTS;
        my $received = grep { ($attempt{$_} // 0) >= $runs } @hosts;
        my %seen;
        $seen{ $_->{host} }++ for @all;
        is(
            join(' ', $standing->{expected}, $standing->{received}, $standing->{received} + @all),
            join(' ', scalar @hosts,         $received,             scalar @hosts),
            "history $history"
        );
        is(join(' ', grep { $seen{$_} != 1 || ($attempt{$_} // 0) >= $runs } keys %seen),
            '', 'each is there once');
        is(scalar(grep { !length $_->{why} || !length $_->{remedy} } @all),
            0, 'each with a reason and a remedy');
    }
};

subtest 'why a host is unreachable is shown, and a changed host key is a warning' => sub {
    my $it = campaign([qw(a b)]);
    event($it, a => 'unreachable', 'ssh: connect to host a port 22: Connection refused', $NOW);
    event($it, b => 'unreachable', 'Host key verification failed.',                      $NOW);
    my $standing = standing($it, $NOW);
    my %remedy   = map { $_->{why} => $_->{remedy} } @{ $standing->{unreachable} };
    like($remedy{'ssh: connect to host a port 22: Connection refused'}, qr/\Asee that it is on/,  'why');
    like($remedy{'Host key verification failed.'}, qr/\Afind out whether it is the same machine/, 'the key');
    is(join(' ', map { "$_->{id}: @{ $_->{hosts} }" } @{ $standing->{warnings} }), 'host key: b',
        'a warning');
};

subtest 'what was said last, and how old it is, tells where a host is' => sub {
    my $it = campaign([qw(a b c d e f g)]);
    is(where(standing($it, $NOW)), 'received 0; unreachable a b c d e f g', 'nobody said anything');
    receive($it, 'a', 1);
    event($it, b => 'running',     undef,                 $NOW - 99);
    event($it, c => 'running',     undef,                 $NOW - 101);
    event($it, d => 'failed',      'illegal instruction', $NOW);
    event($it, e => 'unreachable', undef,                 $NOW);
    event($it, f => 'over',        undef,                 $NOW);

    for my $time (1 .. 3) {
        event($it, g => 'running', undef,                  $NOW);
        event($it, g => 'failed',  "no <b>\n space $time", $NOW) for 1, 2;
        event($it, d => 'failed',  'illegal instruction',  $NOW);
    }
    my $standing = standing($it, $NOW);
    is(where($standing), 'received 1; failed d f; unreachable c e; running b; given_up g', 'where');
    my %why   = map { $_->{host} => "$_->{why}; $_->{remedy}" } map { @{ $standing->{$_} } } @LISTS;
    my $again = 'run the same command again: it resumes';
    is_deeply(
        \%why,
        {
            b => 'since 99 seconds; wait, or run there: ./Run fleet state CAMPAIGN',
            c => "no news since 101 seconds; see that it is on and lets you in; $again",
            d => "illegal instruction; put that right; $again",
            e => "no connection to it; see that it is on and lets you in; $again",
            f => "its run has ended, and its record is not here; $again",
            g => '3 runs lost: no <b>? space 3; put it right, and measure it in a new campaign',
        },
        'sentences and remedies'
    );
    Touchstone::Pack::Fleet::Leases::take($it, 'c', $NOW - 50);
    is(
        where(standing($it, $NOW)),
        'received 1; failed d f; unreachable e; running b c; given_up g',
        'a lease that was renewed is news'
    );
    is(where(standing($it, $NOW + 1000)), 'received 1; failed d f; unreachable b c e; given_up g',
        'and ends');
    receive($it, 'g', 4);
    is(
        where(standing($it, $NOW + 1000)),
        'received 2; failed d f; unreachable b c e',
        'a record counts more than all that was said'
    );
};

subtest 'of several runs each has to come' => sub {
    my $it = campaign(['a'], runs => 3);
    receive($it, 'a', $_) for 1, 2;
    event($it, a => 'over', undef, $NOW);
    is(standing($it, $NOW)->{unreachable}[0]{why}, 'no news of run 3 of 3', 'two of three');
    receive($it, 'a', 7);
    is(where(standing($it, $NOW)), 'received 1', 'whatever their attempts');
};

subtest 'lines that a killed writer left are passed over, and the next one begins a line' => sub {
    my $it = campaign([qw(a b)]);
    event($it, a => 'running', undef, $NOW);
    open my $out, '>>', "$it->{directory}/events.jsonl" or die "cannot write: $!\n";
    print {$out} '{"at": 1795240000, "host": "a", "wh';
    close $out;
    event($it, b => 'running', undef, $NOW);
    is(where(standing($it, $NOW)), 'received 0; running a b', 'both are known');
    Fake::write_file("$it->{directory}/events.jsonl",
        "null\n[]\n{}\n{\"what\": {}, \"at\": 1}\n{\"what\": \"over\", \"at\": \"x\"}\nx\n");
    is(where(standing($it, $NOW)), 'received 0; unreachable a b', 'and so is what is none');
};

subtest 'what is damaged in the directory of a campaign hides nothing else' => sub {
    my $it = campaign([qw(web1 web2 web3)]);
    receive($it, 'web1', 1, started => 1000);
    my $key = Touchstone::Record::Campaign::name(Campaigns::facts(host => 'web2')->{campaign});
    Fake::write_file("$it->{directory}/runs/2026-11/$key.json", 'half a rec');
    is(where(standing($it, 1000)), 'received 1; unreachable web2 web3', 'a damaged record is none')
        or diag(where(standing($it, 1000)));
    unlink "$it->{directory}/runs/2026-11/$key.json";
    mkdir "$it->{directory}/runs/2026-11/$key.json" or die "cannot make a directory: $!\n";
    is(where(standing($it, 1000)), 'received 1; unreachable web2 web3', 'and so is a directory');

    my %note  = (file => "2026-11/$key.json", map { $_ => 'x' } qw(host host_id machine started arch));
    my @wrong = (
        { what => 'failed',  host => ['web3'] },
        { what => 'failed',  host => 'web3', why => { a => 1 } },
        { what => 'refused', host => 'web3', why => undef, file => ['/'] }
    );
    Touchstone::Pack::Fleet::RecordIndex::append("$it->{directory}/received.jsonl", \%note);
    Touchstone::Pack::Fleet::RecordIndex::append("$it->{directory}/events.jsonl",   { at => 900, %$_ })
        for @wrong;
    is(where(standing($it, 1000)), 'received 1; unreachable web2 web3', 'notes of another form do not count');

    Fake::write_file("$it->{directory}/leases.json", '{');
    my $standing = standing($it, 1000);
    is(where($standing), 'received 1; unreachable web2 web3', 'a list of turns is not needed');
    is(
        join('; ',
            map  { "$_->{id}: $_->{text}: $_->{remedy}" }
            grep { $_->{id} ne 'clock' } @{ $standing->{warnings} }),
        "leases: '$it->{directory}/leases.json' is damaged: remove it when no host is measuring",
        'and its damage is told'
    );
};

subtest 'clocks that are off are one warning each way' => sub {
    my @hosts = map { "h$_" } 1 .. 14;
    my $it    = campaign(\@hosts);
    receive($it, $_, 1, started => $NOW + 86_400 * 3) for @hosts[ 0 .. 11 ];
    receive($it, h13 => 1, started => $NOW - 86_400 * 20_000);
    my @warnings = grep { $_->{id} eq 'clock' } @{ standing($it, $NOW)->{warnings} };
    is(join('; ', map { scalar(@{ $_->{hosts} }) . " $_->{text}" } @warnings) =~ s/\d{4,} days/many days/r,
        '12 their clocks are fast by up to 3 days; 1 its clock is slow by about many days', 'two');
    like($warnings[0]{remedy}, qr/fix this machine's clock/, 'so many, and it is rather the clock here');
    is($warnings[0]{hosts}[1], 'h2', 'names are in the order of people');
};

subtest 'records that somebody has read are not read again' => sub {
    my $it     = campaign([qw(a b)]);
    my $facts  = Campaigns::facts(host => 'a', attempt => 1);
    my $file   = "runs/2026-11/$facts->{name}.json";
    my $member = {
        file => $file,
        arch => 'x86_64',
        (map { $_ => $facts->{$_} } qw(started passport)),
        map { $_ => $facts->{campaign}{$_} } qw(host host_id machine)
    };
    mkdir "$it->{directory}/runs/2026-11";
    Fake::write_file("$it->{directory}/$file", "not read\n");
    my $standing =
        Touchstone::Pack::Fleet::Status::read_status($it->{directory}, now => $NOW, members => [$member]);
    is(where($standing), 'received 1; unreachable b', 'what was read is what was received');
};

is("@Fake::PERL_WARNINGS", '', 'perl warned of nothing');

done_testing;
