#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# A roll-out on invented fleets: what is worse, what is not, what nobody can say, who is compared with whom,
# and what changed between the two campaigns.
use 5.014;
use strict;
use warnings;

use File::Temp ();
use Test::More;

use lib 't/lib';
use NoWarnings;
use Fleetful;
use Touchstone::Pack::Fleet::Rollout;
use Touchstone::Record::Json;
use Touchstone::Pack::Fleet::Report;
use Touchstone::Suite;

my $temp  = File::Temp->newdir;
my $count = 0;

# The directory of a new campaign, of the twelve tests with one copy.
sub fleet {
    my (%with) = @_;
    my $directory = "$temp/" . ++$count;
    Fleetful::campaign(
        $directory,
        id      => "k$count",
        seed    => 100 + $count,
        hosts   => 12,
        between => 0,
        within  => 0.003,
        copies  => [1],
        %with
    );
    return $directory;
}

# Two campaigns, of which the second `is` something more. Returns what is found.
sub rolled_out {
    my ($both, $is, %options) = @_;
    return Touchstone::Pack::Fleet::Rollout::judge(fleet(%$both), fleet(%$both, %$is), %options);
}

sub slower {
    my ($test, $by) = @_;
    return sub { my ($host, $run, $key) = @_; return $key eq $test ? $by : 0 };
}

sub first_line {
    my ($found) = @_;
    return (split /\n/, Touchstone::Pack::Fleet::Report::render('text', rollout => $found))[0];
}

sub figure {
    my ($found, $key) = @_;
    return (grep { $_->{key} eq $key } @{ $found->{figures} })[0];
}

subtest 'a figure that is slower on all hosts is worse, with its interval and the hosts it is worst on' =>
    sub {
    my $found = rolled_out({}, { effect => slower('1 pipe' => -0.03) });
    is($found->{status},              1,       'status');
    is($found->{figures}[0]{name},    'pipe',  'the slowest stands first');
    is($found->{figures}[0]{verdict}, 'worse', 'and is worse');
    my ($low, $high) = @{ $found->{figures}[0]{interval} };
    ok($low < exp(-0.03) && $high > exp(-0.03) && $high < 0.98,
        "the interval holds the truth: $low to $high");
    is(scalar @{ $found->{figures}[0]{worst} },                    3, 'three hosts are named');
    is((grep { $_->{verdict} eq 'worse' } @{ $found->{figures} }), 1, 'no other figure');
    like(
        first_line($found),
        qr/\Aworse: 1 of 12 figures is slower after the change: pipe \xe2\x88\x92[23]\.\d % \(/,
        'the first line says so'
    );
    };

subtest 'a fleet that did not change is no worse, and the answer says what cannot hide' => sub {
    my $found = rolled_out({}, {});
    is($found->{status}, 0, 'status');
    like(
        first_line($found),
        qr/\Ano worse: no slow-down of 3\.0 % can hide in 12 figures on 12 hosts; the/,
        'in the first line'
    );
};

subtest 'a fleet of which one figure scatters is inconclusive, and the answer names hosts that it takes' =>
    sub {
    my $n     = 0;
    my $found = rolled_out({}, { effect => sub { $_[2] eq '1 fstime' ? (++$n % 2 ? 0.08 : -0.08) : 0 } });
    is($found->{status},                      125,            'status');
    is(figure($found, '1 fstime')->{verdict}, 'inconclusive', 'the figure');
    like(
        first_line($found),
        qr/\Ainconclusive: no figure .* 3\.0 % can hide in fstime \(up to \d\.\d %\); about \d+ hosts would/,
        'first line'
    );
    is(rolled_out({}, {}, smallest => 0.0001)->{status}, 125, 'so is any fleet for a smallest of 0.01 %');
    };

subtest 'a proven slow-down below the limit that the user named is no worse, and is said' => sub {
    my @fleet = ({}, { effect => slower('1 pipe' => -0.02) });
    is(rolled_out(@fleet)->{status}, 1, 'worse without a limit');
    my $found = rolled_out(@fleet, smallest => 0.05);
    is($found->{status}, 0, 'no worse below 5 %');
    like(Touchstone::Pack::Fleet::Report::render('text', rollout => $found),
        qr/\n^slower, but by less than 5\.0 %: pipe \xe2\x88\x92[12]\.\d % \(/m, 'said');
    is(rolled_out(@fleet, smallest => 0.02)->{status}, 1, 'it may be more than 2 %');
};

subtest 'too few hosts are inconclusive, with the number that is needed' => sub {
    my $found = rolled_out({ hosts => 8 }, { effect => slower('1 pipe' => -0.2) });
    is($found->{status}, 125, 'eight hosts and twelve figures');
    is($found->{needed}, 9,   'nine are needed');
    like(first_line($found), qr/\Ainconclusive: 12 figures need 9 hosts .* and there are 8\z/, 'said');
    is(rolled_out({ hosts => 9 }, { effect => slower('1 pipe' => -0.2) })->{status}, 1, 'nine hosts');
    my $one = { hosts => 5, tests => ['pipe'] };
    is(rolled_out($one, { effect => slower('1 pipe' => -0.2) })->{needed}, 6, 'one figure needs six');
    is(rolled_out({ hosts => 9 }, { effect => slower('1 pipe' => -0.2) }, wave => '1/4')->{status},
        125, 'a wave has less to spend');
};

subtest 'control hosts take the drift off' => sub {
    my %ring  = map { ("web$_" => { labels => { ring => $_ <= 5 ? 'control' : 'canary' } }) } 1 .. 18;
    my @fleet = ({ hosts => 18, campaign => \%ring }, { effect => sub { -0.04 } });
    is(rolled_out(@fleet)->{status}, 1, 'without them all is slower');
    my $found = rolled_out(@fleet, control => 'ring=control');
    is($found->{status},   0,  'with them nothing');
    is($found->{hosts},    13, 'they are no part of the sample');
    is($found->{controls}, 5,  'but the controls');
    ok(abs($found->{drift}{ratio} - exp(-0.04)) < 0.003,     'the drift is said');
    ok(!eval { rolled_out(@fleet, control => 'ring=none') }, 'a label that nobody has');
    like($@, qr/\Ano host that was measured twice has the label 'ring=none'\n\z/, 'is refused');
    delete $ring{"web$_"} for 3 .. 5;
    $found = rolled_out(@fleet, control => 'ring=control');
    is($found->{status}, 125, 'two controls');
    like(first_line($found), qr/2 control hosts are too few to know the drift: 3 are needed\z/,
        'are too few');
};

subtest 'the cause that the figures fit' => sub {
    my $found = rolled_out({}, { effect => sub { $_[2] =~ /\A1 (?:pipe|syscall)\z/ ? -0.15 : 0 } });
    is($found->{cause}{id}, 'kernel', 'system calls');
    like(
        Touchstone::Pack::Fleet::Report::render('text', rollout => $found),
        qr/^Only system calls are slower \((?:pipe, syscall|syscall, pipe): 0\.86 times as fast\)/m,
        'in the report'
    );
};

subtest 'what changed stands next to the answer' => sub {
    my $host = sub {
        my ($release) = @_;
        return { '*' => { release => $release }, web2 => { release => '6.1.0-40' } };
    };
    my $found = rolled_out({ host => $host->('6.1.0-40') }, { host => $host->('6.1.0-41') });
    is_deeply(
        $found->{changes},
        [ { thing => 'kernel', from => '6.1.0-40', to => '6.1.0-41', hosts => 11, controls => 0 } ],
        'fact, values and hosts'
    );
    like(
        Touchstone::Pack::Fleet::Report::render('text', rollout => $found),
        qr/^changed between k\d+ and k\d+: kernel 6\.1\.0-40 \xe2\x86\x92 6\.1\.0-41 on 11 of 12 hosts$/m,
        'in words'
    );
};

subtest 'hosts in one campaign alone, renamed and installed again are named, not paired' => sub {
    my @names = map { "web$_" } 1 .. 12;
    my %anew  = (web3 => { host_id => '0' x 16, machine => '0' x 16 });
    my $first = fleet(hosts => [ @names, 'old', 'gone' ]);
    my $of    = Touchstone::Pack::Fleet::Store::read($first)->{members};
    my ($old) = grep { $_->{host} eq 'old' } @$of;
    my $found = Touchstone::Pack::Fleet::Rollout::judge(
        $first,
        fleet(
            hosts    => [ @names, 'fresh', 'other' ],
            campaign => { %anew, other => { machine => $old->{machine} } }
        )
    );
    is($found->{hosts}, 11, 'pairs');
    is_deeply($found->{reinstalled}, ['web3'],                                  'installed again');
    is_deeply($found->{renamed},     [ { before => 'old', after => 'other' } ], 'renamed');
    is_deeply([ map { @{ $found->{$_} } } qw(only_before only_after) ], [ 'gone', 'fresh' ], 'alone');
    my $text = Touchstone::Pack::Fleet::Report::render('text', rollout => $found);
    like($text, qr/^  - $_$/m, $_)
        for 'only before: gone', 'only after: fresh', 'not paired, installed again: web3',
        'not paired, one machine under two names: old is now other';
};

subtest 'other programs are never compared, and runs that are not valid do not count' => sub {
    my %invalid = (
        record => {
            web4 => { warnings => [ { id => 'changed', text => 'CPU 1 went offline', invalid => 1 } ] },
            web5 => { passport => 'f' x 64 }
        }
    );
    my $found = rolled_out({}, { %invalid, effect => slower('1 pipe' => -0.5) });
    is($found->{hosts}, 10, 'pairs');
    is_deeply($found->{invalid}, [ { host => 'web4', when => 'after', why => 'CPU 1 went offline' } ],
        'not valid');
    is_deeply([ map { $_->{host} } @{ $found->{unlike} } ], ['web5'], 'other programs');
    like(Touchstone::Pack::Fleet::Report::render('text', rollout => $found),
        qr/^  - not compared: web5: other programs\n  - left out, .*: web4: after: CPU 1 went offline$/m,
        'said');
    $found = rolled_out({ runs => 2, record => { web4 => $invalid{record}{web4} } }, { %invalid, runs => 2 });
    is(
        join('; ',
            grep { /left out/ } split /\n/,
            Touchstone::Pack::Fleet::Report::render('text', rollout => $found)),
        '  - left out, not a valid run: web4: before and after: CPU 1 went offline',
        'once, where it is so on both sides'
    );
    $found = rolled_out({}, { record => { '*' => { passport => 'f' x 64 } } });
    is($found->{status}, 125, 'a fleet of other programs');
    is(first_line($found), 'inconclusive: no host was measured before and after with the same programs',
        'says why');
};

subtest 'hosts that are missing after the change are no "no worse"' => sub {
    my $found = rolled_out({}, { missing => ['web7'] });
    is($found->{status}, 1, 'one of twelve');
    like(first_line($found), qr/\Amissing after the change: 1 of 12 hosts, web7; speeds: no worse: /, 'said');
    is(rolled_out({}, { missing => ['web7'] }, allow_missing => 0.1)->{status}, 0, 'allowed');
};

subtest 'a figure that was lost on most hosts leaves the answer open' => sub {
    my @tests = map { $_->{name} } Touchstone::Suite::load()->expand('index');
    my $last  = pop @tests;
    my $found = Touchstone::Pack::Fleet::Rollout::judge(fleet(), fleet(tests => \@tests));
    is($found->{status},                     125,                                         'status');
    is(figure($found, "1 $last")->{verdict}, 'not tested',                                'verdict');
    is(first_line($found), "inconclusive: too few hosts have $last (0) after the change", 'said');
    like(
        Touchstone::Pack::Fleet::Report::render('text', rollout => $found),
        qr/^  - $last has no result after the change on web1, .* and 6 more$/m,
        'and who lost it'
    );
};

subtest 'groups on which the change acts in different ways are told' => sub {
    my %amd   = map { ("web$_" => { memory_kb => 64e6 }) } 1 .. 6;
    my $found = rolled_out({ host => \%amd }, { effect => sub { $_[0] =~ /\Aweb[1-6]\z/ ? -0.02 : 0.02 } });
    ok($found->{differ}{p} < 0.01, "they differ: p $found->{differ}{p}");
    is(scalar @{ $found->{groups} }, 2,   'two groups');
    is($found->{status},             125, 'no "no worse" for all');
    is(
        scalar @{
            rolled_out({ campaign => { web1 => { labels => { type => 'a' } } } }, {}, group_by => ['type'])
                ->{groups}
        },
        2,
        'labels make groups, too'
    );
};

subtest 'a host that changed unlike the others is named' => sub {
    my $found = rolled_out({}, { effect => { web9 => { fstime => -0.3, fsdisk => -0.3, '*' => 0 } } });
    is_deeply([ map { $_->{host} } @{ $found->{moved} } ], ['web9'], 'it alone');
    is(join(' ', sort map { $_->{name} } @{ $found->{moved}[0]{figures} }), 'fsdisk fstime', 'in these');
};

subtest 'every format holds the answer, and names of strangers are data' => sub {
    my $evil  = "w<script>alert(1)</script>\"'\$(x)=1";
    my @names = ((map { "web$_" } 1 .. 9), $evil);
    my $found = rolled_out({ hosts => \@names },
        { effect => slower('1 pipe' => -0.05), host => { $evil => { release => "6\n\e[31m<b>" } } });
    my %text = map { $_ => Touchstone::Pack::Fleet::Report::render($_, rollout => $found) }
        Touchstone::Report::Forms::names('fleet');
    unlike($text{html}, qr/<script>alert|<b>/,    'the page has no markup of theirs');
    unlike($text{$_},   qr/[\x00-\x09\x0b-\x1f]/, "$_ has no control characters") for qw(text markdown csv);
    like($text{html}, qr/<h1 class="bad">Worse: /,                   'the page begins with the answer');
    like($text{html}, qr/<svg .*<g class="bad">/s,                   'and has the figures as lines');
    like($text{csv},  qr/^pipe,1,unixbench,10,0,0\.9\d+,.*,worse,/m, 'a line of CSV');
    is(Touchstone::Record::Json::decode($text{json})->{status}, 1, 'JSON');
    ok(!eval { Touchstone::Pack::Fleet::Report::render('xml', rollout => $found) }, 'no other format');
};

subtest 'several runs of a host count as one host' => sub {
    my $found = rolled_out({ hosts => 5, runs => 3 }, { effect => slower('1 pipe' => -0.2) });
    is($found->{hosts},  5,   'five hosts of fifteen records each time');
    is($found->{status}, 125, 'are too few');
};

done_testing;
