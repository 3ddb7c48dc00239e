#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# Turns of hosts: of each slot one at a time, with an end, whoever dies; and what is marked of a host.
use 5.014;
use strict;
use warnings;

use Fcntl qw(:flock);
use POSIX ();
use Test::More;
use Time::HiRes qw(sleep);

use lib 't/lib';
use KilledAt;
use Campaigns;
use Fake;
use NoWarnings;
use Touchstone::Pack::Fleet::Campaign;
use Touchstone::Pack::Fleet::RecordIndex;
use Touchstone::Pack::Fleet::Leases;
use Touchstone::Record::Json;

my $fake = Fake->new;
my $next = 0;

# The manifest of a campaign of hosts, given as name => slot.
sub campaign {
    my ($slots, %asked) = @_;
    my $dir   = "$fake->{dir}/c" . ++$next;
    my @hosts = map { +{ name => $_, slot => $slots->{$_} } } sort keys %$slots;
    return Touchstone::Pack::Fleet::Campaign::expect(
        Campaigns::planned($dir, { lease => 100, at_once => 10, hosts => \@hosts, %asked }));
}

sub take {
    my ($manifest, $host, $now) = @_;
    my $got = Touchstone::Pack::Fleet::Leases::take($manifest, $host, $now);
    return ref $got ? "$got->{wait} s for $got->{holder}" : 'taken';
}

sub held {
    my ($manifest, $now) = @_;
    my $held = Touchstone::Pack::Fleet::Leases::held($manifest, $now);
    return join ', ', map { "$_ $held->{$_}" } sort keys %$held;
}

subtest 'of a slot one host has its turn, until it gives it back or the lease ends' => sub {
    my $it = campaign({ web1 => 'hv1', web2 => 'hv1', db1 => 'hv2', free => undef });
    is(take($it, 'web1', 1000), 'taken',                     'the first');
    is(take($it, 'web2', 1010), '90 s for web1',             'its neighbour waits');
    is(take($it, $_, 1010),     'taken',                     "$_ has another slot or none") for qw(db1 free);
    is(take($it, 'web1', 1050), 'taken',                     'its owner renews it');
    is(take($it, 'web2', 1149), '1 s for web1',              'for all of the time');
    is(held($it, 1050),         'db1 60, free 60, web1 100', 'who has one');
    is(take($it, 'web2', 1150), 'taken',                     'after its end another may take it');
    is(take($it, 'web1', 1151), '99 s for web2',             'and its old owner waits');
    Touchstone::Pack::Fleet::Leases::give_back($it, 'web2', 1152);
    is(take($it, 'web1', 1152), 'taken', 'what was given back is free');
    Touchstone::Pack::Fleet::Leases::give_back($it, 'web2', 1152);
    is(held($it, 1152), 'web1 100', 'who has none gives nothing back');
};

subtest 'no more hosts have their turn than may measure at once' => sub {
    my $it = campaign({ map { ("h$_" => undef) } 1 .. 5 }, at_once => 2);
    is(take($it, 'h1', 1000), 'taken',       'one');
    is(take($it, 'h2', 1010), 'taken',       'two');
    is(take($it, 'h3', 1020), '80 s for h1', 'the third waits for the first that ends');
    is(take($it, 'h1', 1030), 'taken',       'an owner renews');
    is(take($it, 'h3', 1110), 'taken',       'the third takes the place of the second');
};

subtest 'a clock that is set back makes no lease longer than it was' => sub {
    my $it = campaign({ web1 => 'hv1', web2 => 'hv1' });
    is(take($it, 'web1', 1_000_000), 'taken',          'taken');
    is(take($it, 'web2', 500_000),   '100 s for web1', 'a clock far back: it lasts from now on');
    is(take($it, 'web2', 500_060),   '40 s for web1',  'and ends');
    is(take($it, 'web2', 500_100),   'taken',          'so that another may take it');
};

subtest 'a list of leases that is damaged is refused with the remedy' => sub {
    my $it = campaign({ web1 => 'hv1' });
    for my $text ('{ "web1": {', '[]', '{ "web1": 1 }', '{ "web1": { "since": "x", "until": 3 } }') {
        Fake::write_file("$it->{directory}/leases.json", $text);
        my $got = $fake->run([ 'fleet', 'turn', 'web1', '--campaign', $it->{directory} ]);
        like("$got->{status} $got->{err}",
            qr/\A1 Run: '.*leases\.json' is damaged\nremove it when no host is measuring\n\z/, $text);
    }
};

# Says whether two intervals of these, [begin, end, slot], overlap that share a slot, and how many are open at
# once at most.
sub overlaps {
    my (@open) = @_;
    my (%slots, $most, $now);
    $most = $now = 0;
    my $twice = 0;
    for my $event (@open) {
        my ($what, $slot) = @$event;
        $now          += $what eq 'begin' ? 1 : -1;
        $slots{$slot} += $what eq 'begin' ? 1 : -1;
        $twice++     if $slots{$slot} > 1;
        $most = $now if $now > $most;
    }
    return "$twice twice, at most $most at once";
}

subtest 'fifty processes that want a turn at the same time all get one, and never two of a slot' => sub {
    my %slots = map { ("h$_" => 'hv' . $_ % 12) } 1 .. 50;
    my $it    = campaign(\%slots, at_once => 8, lease => 600);
    my $log   = "$it->{directory}/log";
    my @pids  = map {
        my $host = "h$_";
        my $pid  = fork // die "cannot fork: $!\n";
        if (!$pid) {
            my $status = eval {
                Touchstone::Pack::Fleet::Leases::wait_for($it, $host, sub { 0 }) or die "no turn\n";
                Touchstone::Pack::Fleet::RecordIndex::append($log, [ 'begin', $slots{$host} ]);
                sleep 0.01;
                Touchstone::Pack::Fleet::RecordIndex::append($log, [ 'end', $slots{$host} ]);
                Touchstone::Pack::Fleet::Leases::give_back($it, $host, time);
                0;
            } // do { print STDERR $@; 1 };
            POSIX::_exit($status);
        }
        $pid;
    } 1 .. 50;
    my $failed = grep { waitpid $_, 0; $? } @pids;
    is($failed, 0, 'all had their turn');
    my @events = map { Touchstone::Record::Json::decode($_) } split /\n/, Fake::read_file($log);
    is(scalar @events, 100, 'each began and ended');
    like(overlaps(@events), qr/\A0 twice, at most [1-8] at once\z/, 'one of a slot, and eight in all');
    is(held($it, time), '', 'all leases were given back');
};

subtest 'whoever is killed at any moment, the next one gets its turn' => sub {
    my $moments = 0;
    while ($moments < 40) {
        my $it = campaign({ web1 => 'hv1', web2 => 'hv2' });
        take($it, 'web2', time);
        my $pid = fork // die "cannot fork: $!\n";
        if (!$pid) {
            $ENV{KILLED_AT} = $moments + 1;
            Touchstone::Pack::Fleet::Leases::take($it, 'web1', time);
            POSIX::_exit(0);
        }
        waitpid $pid, 0;
        my $killed = $? & 127;
        is(take($it, 'web1', time), 'taken', "killed at moment $moments: the next one takes it") if $killed;
        like(held($it, time), qr/\Aweb1 \d+, web2 \d+\z/, 'and the other keeps its own');
        is(join(' ', grep { /\A\.leases/ } Fake::entries($it->{directory})), '', 'nothing is left over');
        last if !$killed;
        $moments++;
    }
    cmp_ok($moments, '>', 2, 'there were such moments');
    my $it  = campaign({ web1 => 'hv1' });
    my $pid = fork // die "cannot fork: $!\n";
    if (!$pid) {
        open my $lock, '>', "$it->{directory}/leases.lock" or POSIX::_exit(1);
        flock $lock, LOCK_EX;
        Fake::write_file("$it->{directory}/holds", 'the lock');
        sleep 1000;
    }
    until (-s "$it->{directory}/holds") { sleep 0.01 }
    kill 'KILL', $pid;
    is(take($it, 'web1', time), 'taken', 'a lock goes with its holder');
    waitpid $pid, 0;
};

sub turn {
    my ($it, $host) = @_;
    return $fake->run([ 'fleet', 'turn', $host, '--campaign', $it->{directory} ]);
}

sub mark {
    my ($it, $mark) = @_;
    return $fake->run([ 'fleet', 'mark', '--campaign', $it->{directory}, '--', $mark ]);
}

sub ended {
    my ($got) = @_;
    return "$got->{status} $got->{out}$got->{err}";
}

subtest 'fleet turn gives the lease, and fleet mark what gives it back' => sub {
    my $it = campaign({ web1 => 'hv1', web2 => 'hv1' });
    is(ended(turn($it, 'web1')), '0 ', 'it prints nothing');
    for my $case ([ running => 1 ], [ unreachable => 1 ], [ over => 0 ], [ 'failed: why' => 0 ]) {
        my ($what, $keeps) = @$case;
        turn($it, 'web1');
        is(ended(mark($it, "web1=$what")),                                   '0 ',   "$what is marked");
        is(Touchstone::Pack::Fleet::Leases::held($it, time)->{web1} ? 1 : 0, $keeps, 'the lease');
    }
    my $event = Touchstone::Pack::Fleet::RecordIndex::by_host($it->{directory})->{web1};
    is("$event->{what}: $event->{why}, $event->{lost}", 'failed: why, 1', 'the last event of it');
    for my $words ([ 'fleet', 'turn', 'web9' ], [ 'fleet', 'mark', 'web9=over' ]) {
        my $got = $fake->run([ @$words, '--campaign', $it->{directory} ]);
        like(ended($got), qr/\A2 Run: no host 'web9' was planned in '.*'\ntry: \.\/Run fleet judge /,
            "@$words");
    }
    like(
        ended($fake->run([ 'fleet', 'turn', 'web1', '--campaign', "$fake->{dir}/none" ])),
        qr/\A2 Run: no campaign in '.*none': it has no campaign\.json\n/,
        'no campaign'
    );
    is(
        join(' ',
            map { ended($fake->run($_)) =~ s/\n.*//sr } [ 'fleet', 'turn', 'x' ],
            [ 'fleet', 'mark', 'x=over' ]),
        '2 Run: fleet turn needs --campaign DIR 2 Run: fleet mark needs --campaign DIR',
        'no directory'
    );
};

subtest 'a host whose name has signs of its own is marked as it is called' => sub {
    my @names = ('a=over', 'a', 'a=failed: x', '-x', "m\xc3\xbcller", '$(x)');
    my $it    = campaign({ map { $_ => undef } @names });
    is(ended(mark($it, "$_=failed: b=over")), '0 ', $_) for @names;
    my $events = Touchstone::Pack::Fleet::RecordIndex::by_host($it->{directory});
    is($events->{$_}{why},                            'b=over', 'why') for grep { $_ ne 'a' } @names;
    is(join(' ', map { $events->{$_}{what} } @names), join(' ', ('failed') x @names), 'each was marked');
};

subtest 'many hosts are marked by one call, or none of them' => sub {
    my $it   = campaign({ map { $_ => undef } qw(web1 web2 web3) }, at_once => 3);
    my $mark = sub {
        return $fake->run([ 'fleet', 'mark', '--campaign', $it->{directory}, '--', @_ ]);
    };
    my $what = sub {
        my $events = Touchstone::Pack::Fleet::RecordIndex::by_host($it->{directory});
        return join ' ', map { "$_=$events->{$_}{what}" } sort keys %$events;
    };
    my $got = $mark->('web1=over', 'web9=over', 'web2=unreachable');
    like(ended($got), qr/\A2 Run: no host 'web9' was planned/, 'one of them is not expected');
    is($what->(), '', 'nothing is noted');
    $got = $mark->('web1=over', 'web2');
    like(
        ended($got),
        qr/\A2 Run: fleet mark needs HOST=STATE, .* not 'web2'\n/,
        'one says nothing of its host'
    );
    turn($it, $_) for qw(web1 web2);
    is(ended($mark->('web1=failed: no space', 'web2=unreachable', 'web3=unreachable: Host key = bad')),
        '0 ', 'three hosts');
    is($what->(),                       'web1=failed web2=unreachable web3=unreachable', 'each is noted');
    is(held($it, time) =~ s/ \d+,?//gr, 'web2', 'what gives a turn back does');
};

subtest 'a host of which all records are here needs no turn' => sub {
    my $it = campaign({ web1 => 'hv1', web2 => 'hv1' });
    take($it, 'web2', time);
    my $file = Campaigns::record($fake->{dir}, host => 'web1');
    is($fake->run([ 'fleet', 'collect', $file, '--campaign', $it->{directory} ])->{status}, 0, 'collected');
    is(ended(turn($it, 'web1')), '0 ', 'it returns at once, although its neighbour has its turn');
    like(held($it, time), qr/\Aweb2 \d+\z/, 'and takes none');
};

subtest 'a host of which the last record came needs no turn' => sub {
    my $it = campaign({ web1 => 'hv1', web2 => 'hv2' }, runs => 2);
    take($it, $_, time) for qw(web1 web2);
    for my $case ([ 1, 'web1 web2' ], [ 2, 'web2' ]) {
        my ($attempt, $hold) = @$case;
        my $file = Campaigns::record($fake->{dir}, host => 'web1', attempt => $attempt);
        $fake->run([ 'fleet', 'collect', $file, '--campaign', $it->{directory} ]);
        is(held($it, time) =~ s/ \d+,?//gr, $hold, "record $attempt of 2");
    }
};

subtest 'a waiting fleet turn ends silently with a signal' => sub {
    my $it = campaign({ web1 => 'hv1', web2 => 'hv1' });
    for my $case ([ INT => 130 ], [ TERM => 143 ]) {
        my ($signal, $status) = @$case;
        take($it, 'web1', time);
        unlink "$it->{directory}/leases.lock";
        my $run = $fake->start([ 'fleet', 'turn', 'web2', '--campaign', $it->{directory} ]);
        until (-e "$it->{directory}/leases.lock") { sleep 0.01 }
        kill $signal, $run->{pid};
        is(ended($fake->wait_for_end($run)), "$status ", "SIG$signal");
        like(held($it, time), qr/\Aweb1 \d+\z/, 'no lease was taken');
    }
};

is("@Fake::PERL_WARNINGS", '', 'perl warned of nothing');
done_testing;
