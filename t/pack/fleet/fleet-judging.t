#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# What Fleet says of hosts: their ranking, suspects, two groups in one, and what new runs of suspects say.
use 5.014;
use strict;
use warnings;

use File::Temp ();
use Test::More;

use lib 't/lib';
use Fake;
use Fleetful;
use NoWarnings;
use Touchstone::Base::Random qw(normal);
use Touchstone::Pack::Fleet::Retests;
use Touchstone::Pack::Fleet::Groups;
use Touchstone::Pack::Fleet::Judge;
use Touchstone::Pack::Fleet::Ranking;
use Touchstone::Record::Json;
use Touchstone::Stats qw(mean);

my $HOSTILE = "we\n<script>\$(x)'\"\xff../";
my %GROUP   = map { $_ => 'unknown' } @Touchstone::Pack::Fleet::HostRun::GROUPED;

# A fleet of members. `slow` says by how much a host is slower, in all figures or in one; a host is h1, h2
# ... or as `names` say.
sub fleet {
    my ($n, %with) = @_;
    my $random = Touchstone::Base::Random::generator($with{seed} // 17);
    my ($between, $within, $error) = map { $with{$_} // 0.01 } qw(between within error);
    my @names = @{ $with{names} || [ map { "h$_" } 1 .. $n ] };
    my @members;
    for my $name (@names) {
        my $host = $between * normal($random);
        for my $attempt (1 .. $with{runs} // 1) {
            my %figures = map {
                my $slow = ref $with{slow}{$name} ? $with{slow}{$name}{$_} : $with{slow}{$name};
                my $y    = log(1 - ($slow // 0)) + $host + $within * normal($random);
                ("1 $_" => figure($_, 12 + $y, $error))
            } map { "f$_" } 1 .. $with{figures} // 8;
            push @members, member($name, $attempt, \%figures, %{ $with{of}{$name} || {} });
        }
    }
    return @members;
}

sub figure {
    my ($name, $y, $error) = @_;
    return {
        (map { $_ => $name } qw(name title)),
        y      => $y,
        error  => $error,
        passes => 9,
        copies => 1,
        suite  => 's',
        unit   => 'lps',
        better => 'higher',
        score  => exp $y
    };
}

sub member {
    my ($name, $attempt, $figures, %more) = @_;
    return {
        host      => $name,
        host_id   => $name,
        name      => "k.$name.$attempt",
        file      => "runs/k.$name.$attempt.json",
        attempt   => $attempt,
        passport  => 'p',
        group     => \%GROUP,
        labels    => {},
        facts     => {},
        slot      => undef,
        invalid   => undef,
        disturbed => 0,
        lost      => [],
        figures   => $figures,
        %more
    };
}

sub judged {
    my (@members) = @_;
    return Touchstone::Pack::Fleet::Judge::of_group({ number => 1, title => 'x', members => \@members });
}

sub host {
    my ($group, $name) = @_;
    my ($host) = grep { $_->{host} eq $name } @{ $group->{hosts} };
    return $host;
}

sub named {
    my ($group, $verdict) = @_;
    return join ' ', sort map { $_->{host} } grep { $_->{verdict} eq $verdict } @{ $group->{hosts} };
}

subtest 'hosts are ranked by the median of their group, the slowest first' => sub {
    my $group = judged(fleet(12, slow => { h5 => 0.1 }, runs => 3));
    my ($first, @rest) = @{ $group->{hosts} };
    is($first->{host}, 'h5', 'the slow one');
    cmp_ok(abs($first->{ratio} - 0.9), '<', 0.03, "at $first->{ratio} of the median");
    ok($first->{interval}[0] < $first->{ratio} && $first->{ratio} < $first->{interval}[1], 'in its interval');
    is((grep { $rest[ $_ - 1 ]{ratio} > $rest[$_]{ratio} } 1 .. $#rest), 0, 'the others in their order');
    cmp_ok(abs(exp(Touchstone::Stats::median(map { log $_->{ratio} } @{ $group->{hosts} })) - 1),
        '<', 1e-9, 'the median is 1');
    is($first->{of_day},               0,                      'three runs tell more than a day');
    is(join(' ', @{ $first->{runs} }), 'k.h5.1 k.h5.2 k.h5.3', 'its runs');
    my $once = host(judged(fleet(12, slow => { h5 => 0.1 })), 'h5');
    is($once->{of_day},  1,         'one run may be of that day alone');
    is($once->{verdict}, 'suspect', 'and a suspect all the same');
};

subtest 'an interval holds the scatter between runs' => sub {
    my %runs = map { $_ => Touchstone::Pack::Fleet::Ranking::figures({ h1 => [ fleet(1, runs => $_) ] }) } 1,
        2;
    my %values =
        (a => [ 0.00, 0.02 ], b => [ 0.05, 0.07 ], c => [ -0.04, -0.06 ], d => [ 0.1, 0.12 ], e => [0.2]);
    my $ranked = Touchstone::Pack::Fleet::Ranking::rank_hosts(
        {
            map {
                my $host = $_;
                $host => [ map { +{ y => $_, error => 0, passes => 9 } } @{ $values{$host} } ]
            } keys %values
        }
    );
    my ($low, $high) = map { log $_ } @{ $ranked->{a}{interval} };
    my $t = 2.776;
    cmp_ok(($high - $low) / 2,
        '>', $t * 0.01, 'that of two runs, of all hosts with two: at least t s / root 2');
    cmp_ok(($high - $low) / 2, '<', $t * 0.01 * 1.6, 'and not much more for the median');
    ($low, $high) = map { log $_ } @{ $ranked->{e}{interval} };
    cmp_ok(($high - $low) / 2, '>', $t * 0.0141, 'a host with one run has a wider one');
    is(
        join(' ', sort keys %{ $runs{1} }),
        join(' ', sort keys %{ $runs{2} }),
        'figures are those of the runs'
    );
};

subtest 'few hosts are listed, and what they do not show is said' => sub {
    my $group = judged(fleet(4));
    is($group->{judged},     0,                       'four are too few');
    is($group->{why_not},    '4 hosts; 5 are needed', 'which is said');
    is(@{ $group->{hosts} }, 4,                       'and listed with a ratio')
        if ok(defined $group->{hosts}[0]{ratio}, 'a ratio');
    my $mean = sub {
        my ($hosts) = @_;
        return mean(map { judged(fleet($hosts, seed => $_))->{detectable} } 1 .. 6);
    };
    my $part = $mean->(8);
    ok($part > 0.01 && $part < 0.2, "eight do not find the least: $part");
    cmp_ok($mean->(30), '<', $part, 'thirty find more');
    my ($small) = judged(fleet(8, slow => { h2 => 1.5 * $part }))->{hosts}[0];
    is("$small->{host} $small->{verdict}", 'h2 suspect', 'half as much more is found');
    $group = judged();
    is_deeply([ @$group{qw(judged why_not)}, @{ $group->{hosts} } ],
        [ 0, 'no host with a valid run; 5 are needed' ], 'nobody');
    $group = judged(fleet(1));
    is($group->{why_not},         '1 host; 5 are needed', 'one host');
    is($group->{hosts}[0]{ratio}, undef,                  'has no median but its own');
};

subtest 'figures without an error do not make the mean surer' => sub {
    my @members = fleet(6);
    my $error   = sub {
        my $figures = Touchstone::Pack::Fleet::Ranking::figures({ map { $_->{host} => [$_] } @members });
        my $mean =
            Touchstone::Pack::Fleet::Ranking::with_mean({ map { $_->{host} => [$_] } @members }, $figures);
        return $mean->{$Touchstone::Pack::Fleet::Ranking::MEAN}{h1}[0]{error};
    };
    my $before = $error->();
    $members[0]{figures}{"1 f$_"}{error} = undef for 1 .. 4;
    cmp_ok(abs($error->() / $before - 1), '<', 1e-9, 'the others stand for them');
    $members[0]{figures}{"1 f$_"}{error} = undef for 5 .. 8;
    is($error->(), undef, 'where none is known, that of the mean is not');
    ok(judged(@members)->{judged}, 'which does no harm');
};

subtest 'a single host is listed, and compared with nobody' => sub {
    my $group = judged(fleet(1, runs => 3));
    is("$group->{judged} $group->{why_not}", '0 1 host; 5 are needed', 'not judged');
    is($group->{hosts}[0]{ratio},            undef,                    'no part of a median that is its own');
    is(join(' ', @{ $group->{hosts}[0]{runs} }), 'k.h1.1 k.h1.2 k.h1.3', 'its runs');
};

subtest 'slow hosts are suspects, fast ones are not' => sub {
    my $group = judged(fleet(20, slow => { h3 => 0.09, h9 => -0.12, h11 => { f2 => 0.2 } }));
    is(named($group, 'suspect'),                                               'h11 h3', 'the slow ones');
    is(join(' ', map { $_->{host} } grep { $_->{fast} } @{ $group->{hosts} }), 'h9',     'the fast one');
    my $figures = host($group, 'h11')->{figures};
    is(join(' ', grep { $figures->{$_}{far} } sort keys %$figures), '1 f2', 'in the figure that is slow');
    is_deeply(
        [ named(judged(fleet(20)), 'suspect'), judged(fleet(20))->{split} ],
        [ '',                                  undef ],
        'nobody of healthy ones'
    );
    my $wide = Touchstone::Pack::Fleet::Judge::of_group({ members => [ fleet(20, slow => { h3 => 0.09 }) ] },
        smallest => 0.3);
    is(named($wide, 'suspect'), '', 'nor below what is of interest');
};

subtest 'strange values are data' => sub {
    my $equal = judged(fleet(8, between => 0, within => 0, error => 0));
    is(named($equal, 'suspect'), '', 'equal hosts are alike');
    is_deeply($equal->{hosts}[0]{interval}, [ 1, 1 ], 'without an interval');
    is($equal->{variance}{hosts}{sd}, 0, 'or scatter');
    is(named(judged(fleet(8, between => 0, within => 0, error => 0, slow => { h2 => 0.05 })), 'suspect'),
        'h2', 'and one that differs from equal ones is a suspect');
    my @members = fleet(12, slow => { h4 => 0.1 });
    delete $members[$_]{figures}{'1 f1'} for 0 .. 9;
    $members[11]{figures} = { '1 f2' => $members[11]{figures}{'1 f2'} };
    $members[10]{figures}{$_}{error} = undef for keys %{ $members[10]{figures} };
    my $group = judged(@members);
    is(named($group, 'suspect'),                            'h4',   'figures that some hosts lack');
    is(join(' ', keys %{ host($group, 'h12')->{figures} }), '1 f2', 'a host with one figure');
    my @names = ($HOSTILE, map { "n$_" } 1 .. 7);
    $group = judged(fleet(8, names => \@names, slow => { $HOSTILE => 0.2 }));
    is(named($group, 'suspect'), $HOSTILE, 'a name may be anything');
    my %twins = (n1 => { host => 'same' }, n2 => { host => 'same' });
    $group = judged(fleet(8, names => \@names, of => \%twins));
    is((grep { $_->{host} eq 'same' } @{ $group->{hosts} }), 2, 'two hosts of one name are two');
};

subtest 'runs that are not valid are listed, and do not count' => sub {
    my @members = fleet(10, runs => 2, slow => { h2 => 0.3 });
    $_->{invalid} = 'on battery' for grep { $_->{host} eq 'h2' } @members;
    $members[0]{invalid} = 'debug kernel';
    my $group   = judged(@members);
    my $invalid = host($group, 'h2');
    is_deeply(
        [ @$invalid{qw(invalid ratio verdict)} ],
        [ 'on battery', undef, '' ],
        'a host without a valid run'
    );
    is($group->{hosts}[-1]{host}, 'h2', 'stands last');
    my $half = host($group, 'h1');
    is_deeply(
        $half->{invalid_runs},
        [ { name => 'k.h1.1', why => 'debug kernel' } ],
        'a run of a host with another'
    );
    is($half->{invalid}, undef, 'which counts');
    $group = judged(map { +{ %$_, invalid => 'no' } } fleet(6));
    is("$group->{judged} $group->{why_not}", '0 no host with a valid run; 5 are needed', 'all');
    is(@{ $group->{hosts} },                 6,                                          'are listed');
};

subtest 'runs that are not valid because of what their host is like count' => sub {
    my @members = fleet(10, slow => { h2 => 0.15 });
    $_->{doubt} = 'all passes were disturbed by throttling' for grep { $_->{host} eq 'h2' } @members;
    my $group = judged(@members);
    my $slow  = host($group, 'h2');
    is($slow->{verdict}, 'suspect', 'a host that is slow is named');
    is_deeply(
        $slow->{doubts},
        [ { name => 'k.h2.1', why => 'all passes were disturbed by throttling' } ],
        'and why its run is not valid is told'
    );
};

subtest 'two groups in one are no suspects, and a fact divides them' => sub {
    my %of = map {
        ("h$_" => { facts => { 'h release' => $_ <= 5 ? '6.1.0-40' : '6.1.0-39', 'h name' => "h$_" } })
    } 1 .. 15;
    my %slow  = map { ("h$_" => 0.08) } 1 .. 5;
    my $group = judged(fleet(15, slow => \%slow, of => \%of, between => 0.005, within => 0.005));
    is(named($group, 'suspect'),                     '',               'nobody is a suspect');
    is(join(' ', @{ $group->{split}{clusters}[0] }), 'h1 h2 h3 h4 h5', 'the slower ones');
    cmp_ok(abs($group->{split}{ratio} - 0.92), '<', 0.01, 'by so much');
    is_deeply(
        [ @{ $group->{split} }{qw(fact values)} ],
        [ 'kernel', [ '6.1.0-40', '6.1.0-39' ] ],
        'the kernel'
    );
    delete $_->{facts}{'h release'} for values %of;
    $group = judged(fleet(15, slow => \%slow, of => \%of, between => 0.005, within => 0.005));
    ok($group->{split} && !exists $group->{split}{fact}, 'a name of each host divides nothing');
    is(join(' ', map { defined $group->{$_} ? $_ : () } qw(variance plan detectable)),
        '', 'no figures that would be those of neither');
    $group = judged(fleet(15, slow => { (map { ("h$_" => 0.1 + 0.02 * $_) } 1 .. 3), h4 => -0.3 }));
    is(named($group, 'suspect'),   'h1 h2 h3', 'a fast one does not make three slow ones more than a fifth');
    is(host($group, 'h4')->{fast}, 1,          'and is named');
    $group = judged(fleet(15, slow => { map { ("h$_" => -0.1 - 0.03 * $_) } 1 .. 4 }));
    is(join(' ', sort @{ ($group->{split} || { clusters => [ [], [] ] })->{clusters}[1] }),
        'h1 h2 h3 h4', 'more than a fifth that are fast are the faster ones');
    is(judged(fleet(15, slow => { h1 => 0.08, h2 => 0.09 }))->{split},
        undef, 'two of fifteen are two slow hosts');
};

subtest 'where the scatter lies, and what a plan takes' => sub {
    my $group =
        judged(fleet(30, runs => 3, between => 0.02, within => 0.01, error => 0.001, slow => { h7 => 0.4 }));
    my $figure = $group->{figures}[0];
    is($figure->{key}, '1 f1', 'of each figure');
    cmp_ok(abs($figure->{variance}{hosts}{sd} / 0.02 - 1), '<', 0.4, 'between hosts, without the slow one');
    cmp_ok(abs($figure->{variance}{runs}{sd} / 0.01 - 1),  '<', 0.3, 'between runs');
    is($figure->{variance}{count}{hosts}, 29, 'of so many hosts');
    my ($plan) = grep { $_->{difference} == 0.01 && $_->{runs} == 2 } @{ $group->{plan} };
    cmp_ok($plan->{unpaired}, '>', $plan->{paired}, 'before and after takes fewer hosts');
    is((sort { $a <=> $b } map { $_->{paired} } @{ $group->{plan} })[0],
        6, 'but no fewer than a roll-out is judged with');
    is(judged(fleet(30))->{plan}[0]{paired}, undef, 'with one run each nobody knows');
};

# New runs of suspects and controls: verdicts by host.
sub again {
    my ($group, %with) = @_;
    my %role =
        map { $_->{name} => $_->{role} } Touchstone::Pack::Fleet::Retests::chosen({ groups => [$group] });
    my @new = fleet(0, names => [ sort keys %role ], runs => 3, within => 0.004, seed => 5, %with);
    Touchstone::Pack::Fleet::Retests::confirmed([$group], undef, $with{id} // 'c1', \%role, @new);
    return \%role;
}

subtest 'what is suspect in everything is cleared by its mean, not by each noisy figure' => sub {
    my $runs = sub {
        my ($by) = @_;
        [ map { { y => $by * $_, error => 0.001, passes => 9 } } -1 .. 1 ];
    };
    my %of    = (mean => 0.002, noisy => 0.05);
    my %hosts = map {
        my $by = $of{$_};
        ($_ => { map { $_ => $runs->($by) } qw(suspect one other) })
    } keys %of;
    my $verdict = sub {
        my ($found) = Touchstone::Pack::Fleet::Retests::judge_retests(
            [
                {
                    suspects => { suspect => [@_] },
                    controls => [qw(one other)],
                    figures  => {
                        $Touchstone::Pack::Fleet::Ranking::MEAN => $hosts{mean},
                        '1 pipe'                                => $hosts{noisy}
                    }
                }
            ],
            0.03
        );
        return $found->{suspect}{verdict};
    };
    is($verdict->($Touchstone::Pack::Fleet::Ranking::MEAN, '1 pipe'), 'cleared', 'by its mean');
    is($verdict->('1 pipe'), 'inconclusive',                                     'in one figure, by that');
};

subtest 'a host that is slow again is bad only beyond what its group differs by' => sub {
    my $verdict = sub {
        my ($limit) = @_;
        my $runs = sub {
            my ($y) = @_;
            return [ map { { y => $y + 0.002 * $_, error => 0.001, passes => 9 } } -1 .. 1 ];
        };
        my %hosts = (suspect => $runs->(-0.06), one => $runs->(0), other => $runs->(0.001));
        my ($host) = Touchstone::Pack::Fleet::Retests::judge_retests(
            [
                {
                    suspects => { suspect => [$Touchstone::Pack::Fleet::Ranking::MEAN] },
                    limits   => { suspect => { $Touchstone::Pack::Fleet::Ranking::MEAN => $limit } },
                    controls => [qw(one other)],
                    figures  => { $Touchstone::Pack::Fleet::Ranking::MEAN => \%hosts }
                }
            ],
            0.03
        );
        return join ' ', @{ $host->{suspect} }{qw(verdict within)};
    };
    is($verdict->(0.05), 'bad 0',          'beyond it');
    is($verdict->(0.08), 'inconclusive 1', 'and not within it');
};

subtest 'new runs make a suspect bad, or clear it' => sub {
    my @fleet = fleet(20, slow => { h3 => 0.09, h8 => 0.08, h9 => -0.12 });
    my $group = judged(@fleet);
    my $roles = again($group, between => 0, slow => { h3 => 0.08 });
    is(join(' ', grep { $roles->{$_} eq 'suspect' } sort keys %$roles),
        'h3 h8', 'slow hosts are measured again');
    is((grep { $_ eq 'control' } values %$roles), 2, 'with two controls');
    ok(!$roles->{h9}, 'and the fast one is not');
    is(named($group, 'bad'),     'h3', 'slow again');
    is(named($group, 'cleared'), 'h8', 'like the others');
    my $bad = host($group, 'h3')->{confirmed};
    is("$bad->{campaign} $bad->{runs}", 'c1 3', 'by which campaign, with how many runs');
    cmp_ok(abs($bad->{ratio} - 0.92), '<', 0.01, 'by how much');
    ok($bad->{interval}[0] < 0.92 && $bad->{interval}[1] > 0.92 && $bad->{interval}[1] < 0.95,
        'with an interval');
    is_deeply(Touchstone::Pack::Fleet::Judge::counts([$group]),
        { bad => 1, suspect => 0, fast => 1, cleared => 1, inconclusive => 0 }, 'counted');
    is(Touchstone::Pack::Fleet::Judge::status([$group]), 1, 'a bad host is status 1');
    again($group, between => 0, id => 'c2');
    is(named($group, 'bad'), '', 'after it was mended');
    is(
        join(' ', map { "$_->{campaign} $_->{verdict}" } @{ host($group, 'h3')->{confirmations} }),
        'c1 bad c2 cleared',
        'both are told'
    );
    is(Touchstone::Pack::Fleet::Judge::status([$group]), 0, 'and the newest counts');
};

subtest 'new runs that say too little are inconclusive, and none leave a suspect' => sub {
    my $group = judged(fleet(20, slow => { h3 => 0.12 }));
    Touchstone::Pack::Fleet::Retests::confirmed(
        [$group], undef, 'c1',
        { h3 => 'suspect' },
        fleet(0, names => ['h3'], runs => 3)
    );
    is(named($group, 'suspect'), 'h3', 'without controls');
    Touchstone::Pack::Fleet::Retests::confirmed(
        [$group], undef, 'c1',
        { h3 => 'suspect', h5 => 'control' },
        fleet(0, names => [qw(h3 h5)])
    );
    is(named($group, 'suspect'), 'h3', 'with one run each');
    my @new = fleet(0, names => [qw(h3 h5 h6)], runs => 3, slow => { h3 => 0.1 });
    $_->{invalid} = 'on battery' for @new;
    Touchstone::Pack::Fleet::Retests::confirmed([$group], undef, 'c1',
        { h3 => 'suspect', h5 => 'control', h6 => 'control' }, @new);
    is(named($group, 'suspect'), 'h3', 'with runs that are not valid');
    @new = fleet(
        0,
        names   => [qw(h3 h5 h6)],
        runs    => 3,
        between => 0,
        within  => 0.1,
        slow    => { h3 => 0.05 },
        figures => 8
    );
    Touchstone::Pack::Fleet::Retests::confirmed([$group], undef, 'c1',
        { h3 => 'suspect', h5 => 'control', h6 => 'control' }, @new);
    is(named($group, 'inconclusive'), 'h3', 'with runs that scatter widely');
};

subtest 'statuses say who is bad, who is missing, and that nobody was tested' => sub {
    my $few      = judged(fleet(4));
    my $fine     = judged(fleet(9));
    my $standing = { expected => 10, received => 9, conflicts => 0 };
    my @cases    = (
        [ [$fine],         undef,     undef, 0,                                    'nobody is bad' ],
        [ [$few],          undef,     undef, 125,                                  'nobody was tested' ],
        [ [ $few, $fine ], undef,     undef, 0,                                    'one group was' ],
        [ [],              undef,     undef, 125,                                  'no group' ],
        [ [$fine],         $standing, undef, 1,                                    'one of ten is missing' ],
        [ [$fine],         $standing, 0.1,   0,                                    'as is allowed' ],
        [ [$fine],         $standing, 0.05,  1,                                    'more than is allowed' ],
        [ [$fine],         { %$standing, received => 10, conflicts => 1 }, 0.5, 1, 'a conflict' ]
    );
    is(Touchstone::Pack::Fleet::Judge::status(@$_[ 0 .. 2 ]), $_->[3], $_->[4]) for @cases;
};

subtest 'hosts with other programs are ranked apart' => sub {
    my %of = map { ("h$_" => { passport => 'q' }) } 1 .. 6;
    my @groups =
        map { Touchstone::Pack::Fleet::Judge::of_group($_) }
        Touchstone::Pack::Fleet::Groups::make_groups(
        [ fleet(14, of => \%of, slow => { map { ("h$_" => 0.2) } 1 .. 6 }) ]);
    is(join(' ', map { scalar @{ $_->{hosts} } } @groups),               '8 6', 'two groups');
    is((grep { length $_->{verdict} } map { @{ $_->{hosts} } } @groups), 0, 'and nobody is slow in either');
};

# Writes the roles of hosts into a manifest that Fleetful made.
sub give_roles {
    my ($directory, %role) = @_;
    my $file     = "$directory/campaign.json";
    my $manifest = Touchstone::Record::Json::decode(Fake::read_file($file));
    $_->{role} = $role{ $_->{name} } for @{ $manifest->{hosts} };
    return Fake::write_file($file, Touchstone::Record::Json::encode($manifest));
}

subtest 'runs that do not count, and tests that were lost, are told' => sub {
    my $place = File::Temp->newdir;
    my @lost  = ({ test => 'pipe', copies => 1, why => 'it fell' });
    Fleetful::campaign(
        "$place/k",
        tests  => [qw(dhry2reg pipe)],
        copies => [1],
        hosts  => 8,
        record => {
            web2 => { warnings => [ { id => 'changed', text => 'it was changed', invalid => 1 } ] },
            web3 => { warnings => [ { id => 'quota',   text => '0.85 of a CPU',  invalid => 1 } ] },
            (map { ($_ => { failures => \@lost }) } qw(web4 web5)),
            web6 => { skipped => [ { %{ $lost[0] }, why => 'it was built without libzstd' } ] }
        }
    );
    my $judgement = Touchstone::Pack::Fleet::Judge::judge("$place/k");
    is(
        join('; ',
            map { "$_->{id}: $_->{text}: " . join ' ', sort @{ $_->{hosts} } } @{ $judgement->{warnings} }),
        'not valid: a run is not valid: it was changed: web2; '
            . 'lost: pipe failed: it fell: web4 web5; lost: pipe skipped: it was built without libzstd: web6; '
            . "doubt: a run is not valid, such as that of 'web3': 0.85 of a CPU: web3",
        'each reason once'
    );
    is(
        join(' ', map { $_->{remedy} || '-' } grep { $_->{id} eq 'lost' } @{ $judgement->{warnings} }),
        '- install it where their programs are built, and measure again in a new campaign',
        'what a host cannot build has a remedy elsewhere'
    );
};

subtest 'a campaign is read with the new runs of its suspects' => sub {
    my $place = File::Temp->newdir;
    my %small = (tests => [qw(dhry2reg pipe)], copies => [1], between => 0.004, within => 0.004);
    Fleetful::campaign("$place/k", %small, hosts => 8, missing => ['web8'], effect => { web3 => -0.15 });
    my $judgement = Touchstone::Pack::Fleet::Judge::judge("$place/k", allow_missing => 0.2);
    is(
        join(' ',
            map  { "$_->{name} $_->{role}" }
            grep { $_->{role} eq 'suspect' } Touchstone::Pack::Fleet::Retests::chosen($judgement)),
        'web3 suspect',
        'the suspect'
    );
    is("$judgement->{status} $judgement->{standing}{expected} $judgement->{standing}{received}",
        '0 8 7', 'nobody is bad yet');
    is(Touchstone::Pack::Fleet::Judge::judge("$place/k")->{status}, 1, 'a host is missing');
    my @chosen = Touchstone::Pack::Fleet::Retests::chosen($judgement);
    Fleetful::campaign(
        "$place/k/confirm-1", %small,
        id     => 'k68-confirm-1',
        of     => 'k68',
        runs   => 3,
        seed   => 3,
        hosts  => [ map { $_->{name} } @chosen ],
        effect => { web3 => -0.15 }
    );
    give_roles("$place/k/confirm-1", map { $_->{name} => $_->{role} } @chosen);
    $judgement = Touchstone::Pack::Fleet::Judge::judge("$place/k", allow_missing => 0.2);
    my $host = $judgement->{groups}[0]{hosts}[0];
    is(
        "$host->{host} $host->{verdict} $host->{confirmed}{campaign} $judgement->{status}",
        'web3 bad k68-confirm-1 1',
        'the new runs make it bad'
    );
    Fleetful::campaign("$place/plain", %small, hosts => 6, plain => 1);
    my $plain = Touchstone::Pack::Fleet::Judge::judge("$place/plain");
    is_deeply([ @$plain{qw(campaign standing status)} ], [ undef, undef, 0 ],
        'records alone are judged, too');
    mkdir "$place/none" or die "cannot make a directory: $!\n";
    is(Touchstone::Pack::Fleet::Judge::judge("$place/none")->{status},  125,   'none are not');
    is(eval { Touchstone::Pack::Fleet::Judge::judge("$place/not"); 1 }, undef, 'no directory');
    is($@, "cannot judge '$place/not': no such directory\n",                   'is refused with a sentence');
};

done_testing();
