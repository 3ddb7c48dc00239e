#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# Planning a campaign: the list of hosts, the order, what is still to be measured, and what is refused.
use 5.014;
use strict;
use warnings;

use POSIX ();
use Test::More;

use lib 't/lib';
use KilledAt;
use Campaigns;
use Fake;
use NoWarnings;
use Touchstone::Base::Random;
use Touchstone::Pack::Fleet::Plan;
use Touchstone::Record::Json;

my $fake = Fake->new;
my @PIPE = qw(--quick -c 1 pipe);

# Writes a list of hosts and plans with it.
sub planned {
    my ($text, @words) = @_;
    state $files = 0;
    my $file = "$fake->{dir}/hosts." . ++$files;
    Fake::write_file($file, $text);
    return $fake->run([ 'fleet', 'plan', $file, @words ]);
}

sub decoded { my ($got) = @_; return Touchstone::Record::Json::decode($got->{out}) }

subtest 'a list of lines becomes a campaign, and all hosts are to be measured' => sub {
    my $dir = "$fake->{dir}/k68";
    my $got = planned("web1 slot=hv07 rack=b4\n# none\nweb2 slot=hv07 # the same\n\ndb1\n",
        '--campaign', $dir, @PIPE);
    is("$got->{status} $got->{err}", '0 ', 'planned');
    my $plan = decoded($got);
    is($plan->{campaign},     'k68',   'it is called as its directory');
    is($plan->{directory},    $dir,    'its directory');
    is("@{ $plan->{words} }", "@PIPE", 'the words that measure');
    is($plan->{at_once},      3,       'where there are slots, these alone say how many measure at once');
    ok($plan->{seconds} > 0 && $plan->{most} >= $plan->{seconds}, 'seconds of a run');
    is(join(' ', sort map { $_->{name} } @{ $plan->{todo} }), 'db1 web1 web2', 'all are to be measured');
    my ($web1) = grep { $_->{name} eq 'web1' } @{ $plan->{todo} };
    is(
        "@{ $web1->{words} }",
        "fleet once k68 --run 1 --as web1 --label slot=hv07 --label order=$web1->{order}"
            . " --label seed="
            . Touchstone::Record::Json::decode(Fake::read_file("$dir/campaign.json"))->{seed}
            . " --label rack=b4 @PIPE",
        'the words for a host'
    );
    is($plan->{standing}{expected}, 3, 'three are expected');
    is($plan->{note}, '3 hosts: fewer than 5 of one kind are listed by speed, without verdicts', 'a note');
    my $before = Fake::read_file("$dir/campaign.json");
    is(planned("db1\nweb2 slot=hv07\nweb1 slot=hv07 rack=b4\n", '--campaign', $dir, @PIPE)->{out},
        $got->{out}, 'the same hosts again, in any order: the same plan');
    is(Fake::read_file("$dir/campaign.json"), $before, 'the manifest stays');
};

subtest 'what differs from the campaign that is there is named and refused' => sub {
    my $dir   = "$fake->{dir}/k68";
    my $files = join ' ', Fake::entries($dir);
    my @same  = ("web1 slot=hv07 rack=b4\n", "web2 slot=hv07\n", "db1\n");
    for my $case (
        [
            join('', @same, "web9\n", map { "new$_\n" } 1 .. 4),
            \@PIPE,
            q(it does not have 'new1', 'new2', 'new3' and 2 more)
        ],
        [ join('', @same[ 0, 1 ]), \@PIPE, q(it also has 'db1') ],
        [ join('', "web1 slot=hv08 rack=b4\n", @same[ 1, 2 ]), \@PIPE, q(slot or labels differ of 'web1') ],
        [
            join('', @same),
            [qw(--quick -c 1 spawn)], q(it measures '--quick -c 1 pipe', not '--quick -c 1 spawn')
        ],
        [
            '{ "campaign": "k69", "hosts": [ { "name": "db1" } ] }',
            \@PIPE,
            q(it is called 'k68', not 'k69'; it also has)
        ],
        [ '{ "runs": 3, "hosts": [ { "name": "db1" } ] }', \@PIPE, q(its runs is 1, not 3) ],
    ) {
        my ($text, $words, $said) = @$case;
        my $got = planned($text, '--campaign', $dir, @$words);
        is($got->{status}, 2, $said);
        like(
            $got->{err} =~ s/\n  / /gr,
            qr/\ARun: the campaign 'k68' in '.*' is another one: .*\Q$said\E/,
            'the sentence'
        );
        like($got->{err}, qr/^choose another name/m, 'and the remedy');
    }
    is(join(' ', Fake::entries($dir)), $files, 'nothing was written');
};

subtest 'a manifest of which a part is wrong is refused, whatever reads it' => sub {
    my $dir = "$fake->{dir}/wrong";
    planned("web1\n", '--campaign', $dir, @PIPE);
    my $text  = Fake::read_file("$dir/campaign.json");
    my @wrong = (
        [ runs     => 0 ],
        [ runs     => 1.5 ],
        [ at_once  => 0 ],
        [ lease    => 0 ],
        [ retries  => -1 ],
        [ of       => ['k67'] ],
        [ carrier  => {} ],
        [ programs => { x86_64 => 1 } ],
        [ programs => { x86_64 => { passport => [1] } } ],
    );
    for my $wrong (@wrong) {
        my ($name, $value) = @$wrong;
        Fake::write_file(
            "$dir/campaign.json",
            Touchstone::Record::Json::encode(
                { %{ Touchstone::Record::Json::decode($text) }, $name => $value }
            )
        );
        for my $words ([ 'fleet', 'collect', $dir ], [qw(fleet turn web1)], [qw(fleet mark web1=over)]) {
            my $got = $fake->run([ @$words, '--campaign', $dir ]);
            is($got->{status}, 2, "$words->[0]: exit 2");
            like($got->{err}, qr/campaign\.json' is not a manifest of a campaign: '$name' is .*wrong$/,
                $name);
        }
    }
};

subtest 'words that measure nothing are refused before anything is written' => sub {
    my $dir = "$fake->{dir}/never";
    for my $words ([qw(--quick nope)], [qw(-c 0 pipe)], [qw(--no-such pipe)], [qw(--quick --classic pipe)]) {
        my $got = planned("web1\n", '--campaign', $dir, @$words);
        is($got->{status}, 2, "@$words");
        ok(!-e $dir, 'nothing was written');
    }
};

subtest 'a list that is none is refused with what is wrong' => sub {
    my $dir = "$fake->{dir}/never";
    for my $case (
        [ '',             'it names no host' ],
        [ "web1\nweb1\n", q(it names the host 'web1' twice) ],
        [ "web1 fast\n",  q(line 1: 'fast' is not LABEL=VALUE) ],
        [
            "web1\nweb2 order=3\n",
            q(line 2: the label 'order' of 'web2' cannot be given: Touchstone says it itself)
        ],
        [ "web1 a=1 a=2\n",                          q('a' stands there twice) ],
        [ 'x' x 201,                                 'cannot be that of a host' ],
        [ '{ "hosts": {} }',                         q('hosts' is missing or no list) ],
        [ '{ "hosts": [ 1 ] }',                      'host 1: it is not an object' ],
        [ '{ "hosts": [ { "name": "a\u0000b" } ] }', q(the name 'a?b' cannot be that of a host) ],
        [
            '{ "hosts": [ { "name": "a", "labels": { "a b": 1 } } ] }',
            q(the label 'a b' of 'a' needs another name)
        ],
        [ '{ "runs": 0, "hosts": [ { "name": "a" } ] }', q('runs' needs a whole number from 1 to 999) ],
        [ '{ "programs": { "x": "y" }, "hosts": [ { "name": "a" } ] }', q('programs' of 'x' needs digest) ],
        [ '{ "host": [] , "hosts": [ { "name": "a" } ] }',              q(unknown key 'host') ],
        [ '{ "hosts": [',                                               'a value is missing' ],
    ) {
        my ($text, $said) = @$case;
        my $got = planned($text, '--campaign', $dir, @PIPE);
        is($got->{status}, 2, $said);
        like($got->{err} =~ s/\n  / /gr, qr/\ARun: '.*' is not a list of hosts: .*\Q$said\E/, 'the sentence');
    }
    my $got = $fake->run([ 'fleet', 'plan', "$fake->{dir}/none", '--campaign', $dir, @PIPE ]);
    like("$got->{status} $got->{err}", qr/\A2 Run: cannot open '.*none': No such file/, 'no file');
    $got = planned("web1\n", @PIPE);
    like("$got->{status} $got->{err}", qr/\A2 Run: fleet plan needs --campaign DIR/, 'no name');
    $got = planned("web1\n", '--campaign', "$fake->{dir}/a.b", @PIPE);
    like(
        "$got->{status} $got->{err}",
        qr/\A2 Run: 'a\.b' cannot be the name of a campaign/,
        'a name that is none'
    );
    ok(!-e $dir, 'nothing was written');
};

subtest 'hosts may be called anything, and the words of each are one word' => sub {
    my @names = (
        '-rf',           q($(touch harmed)), q(a b'c"d), '../../etc',
        '<script>',      "\xc3\xbf",         'x' x 200,  "--",
        "m\xc3\xbcller", '1'
    );
    my $asked = { campaign => 'odd', hosts => [ map { { name => $_, labels => { note => $_ } } } @names ] };
    my $got   = planned(Touchstone::Record::Json::encode($asked), @PIPE);
    is("$got->{status} $got->{err}", '0 ', 'planned');
    my $plan = decoded($got);
    is($plan->{directory}, "$fake->{results}/campaigns/odd", 'without --campaign it is beside the results');
    is_deeply(
        [ sort map { $_->{name} } @{ $plan->{todo} } ],
        [ sort @names ],
        'all names come out as they went in'
    );
    for my $todo (@{ $plan->{todo} }) {
        my $want = Touchstone::Cli::Options::parse(@{ $todo->{words} });
        is($want->{as}, $todo->{name}, 'its words name it') if length $todo->{name} < 100;
        is((grep { /\Anote=/ } @{ $want->{label} })[0], "note=$todo->{name}", 'and its label');
    }
};

subtest 'a tenth of the hosts measures at once where no host has a slot' => sub {
    for my $case ([ 1, 1 ], [ 9, 1 ], [ 10, 1 ], [ 25, 2 ], [ 200, 20 ]) {
        my ($hosts, $at_once) = @$case;
        my $asked = { hosts => [ map { { name => "h$_", labels => {} } } 1 .. $hosts ] };
        is(
            Touchstone::Pack::Fleet::Plan::manifest($asked, seed => 1, seconds => 10, words => [])->{at_once},
            $at_once,
            "of $hosts"
        );
    }
};

# Returns how many neighbours in an order are of one value.
sub neighbours {
    my ($of, @order) = @_;
    return scalar grep { ($of->($order[$_]) // "\0$_") eq ($of->($order[ $_ - 1 ]) // "\0") } 1 .. $#order;
}

subtest 'the order is random, slots stand apart and groups alternate' => sub {
    my $slot  = sub { $_[0]{slot} };
    my $group = sub { $_[0]{labels}{group} };
    for my $seed (1 .. 40) {
        my @hosts =
            map { { name => "h$_", slot => 'hv' . $_ % 7, labels => { group => $_ <= 21 ? 'old' : 'new' } } }
            1 .. 42;
        my @order = Touchstone::Pack::Fleet::Plan::ordered($seed, @hosts);
        my @again = Touchstone::Pack::Fleet::Plan::ordered($seed, reverse @hosts);
        is(
            join(' ', map { $_->{name} } @order),
            join(' ', map { $_->{name} } @again),
            "seed $seed: the same again"
        );
        is(join(' ', sort { $a <=> $b } map { $_->{order} } @order), join(' ', 1 .. 42), 'each has a place');
        is(neighbours($slot,  @order), 0, 'no two of a slot follow each other');
        is(neighbours($group, @order), 0, 'groups alternate');
    }
    my %first = map {
        my $seed = $_;
        ((Touchstone::Pack::Fleet::Plan::ordered($seed, map { { name => "h$_", labels => {} } } 1 .. 20))
            [0]{name} => 1)
    } 1 .. 100;
    cmp_ok(scalar keys %first, '>', 15, 'nearly every host comes first once in a hundred orders');
    my @few =
        Touchstone::Pack::Fleet::Plan::ordered(3,
        map { { name => "h$_", slot => 'one', labels => {} } } 1 .. 5);
    is(scalar @few, 5, 'of one slot alone nobody can stand apart');
};

subtest 'a list comes from standard input, too, and from a carrier as JSON' => sub {
    my $asked = {
        campaign => 'json',
        carrier  => 'ansible',
        runs     => 2,
        retries  => 0,
        at_once  => 1,
        lease    => 77,
        seed     => 4711,
        programs => { x86_64 => { digest => 'a' x 64, passport => 'b' x 64 } },
        hosts    => [ { name => 'web1', slot => 'hv1', labels => { rack => 'b4' } }, { name => 'web2' } ]
    };
    Fake::write_file("$fake->{dir}/asked.json", Touchstone::Record::Json::encode($asked));
    my @command = ('sh', '-c', 'exec "$@" <"$0"', "$fake->{dir}/asked.json", @Fake::RUN);
    my $got     = $fake->run([ 'fleet', 'plan', '-', '--campaign', "$fake->{dir}/elsewhere", @PIPE ],
        command => \@command);
    is("$got->{status} $got->{err}", '0 ', 'planned');
    my $plan = decoded($got);
    is(
        join(' ', map { $plan->{$_} } qw(campaign carrier runs at_once lease)),
        'json ansible 2 1 77',
        'as it was asked for'
    );
    is($plan->{programs}{x86_64}{passport},             'b' x 64,  'with its programs');
    is(join(' ', map { $_->{run} } @{ $plan->{todo} }), '1 1 2 2', 'all hosts once, then all once more');
    like(
        "@{ $plan->{todo}[3]{words} }",
        qr/\Afleet once json --run 2 --as web\d --label carrier=ansible /,
        'the words of a second run'
    );
    my @file = ('fleet', 'plan', "$fake->{dir}/asked.json", '--campaign', "$fake->{dir}/elsewhere", @PIPE);
    is($fake->run(\@file)->{out}, $got->{out}, 'from a file it is the same');
    Fake::write_file("$fake->{dir}/asked.json",
        Touchstone::Record::Json::encode({ %$asked, programs => { x86_64 => { digest => 'c' x 64 } } }));
    $got = $fake->run(\@file);
    like(
        "$got->{status} $got->{err}" =~ s/\n  / /gr,
        qr/\A2 .*: its programs are others for 'x86_64'\n/,
        'other programs are another campaign'
    );
};

subtest 'what came, and what was given up, is not to be measured' => sub {
    my $dir = Campaigns::planned("$fake->{dir}/some",
        { retries => 1, hosts => [ map { { name => $_ } } qw(a b c d) ] });
    my $todo = sub {
        my $plan = Touchstone::Pack::Fleet::Plan::todo(Touchstone::Pack::Fleet::Campaign::expect($dir));
        return join ' ', sort map { $_->{name} } @{ $plan->{todo} };
    };
    is($todo->(), 'a b c d', 'at first all');
    $fake->run(
        [
            'fleet',      'collect', Campaigns::record($fake->{dir}, host => 'b', campaign => 'k68'),
            '--campaign', $dir
        ]
    );
    my $fail = sub { $fake->run([ 'fleet', 'mark', 'c=failed: no space', '--campaign', $dir ]) };
    $fail->() for 1 .. 3;
    is($todo->(), 'a c d', 'one came, and one that could not begin is tried again');
    for my $time (1, 2) {
        is($todo->(), 'a c d', "before run $time is lost");
        $fake->run([ 'fleet', 'turn', 'c', '--campaign', $dir ]);
        $fail->();
    }
    $fake->run([ 'fleet', 'mark', "d=running", '--campaign', $dir ]);
    is($todo->(), 'a d', 'not for ever; one that runs is looked after');
};

subtest 'two that plan at the same time make one campaign' => sub {
    for my $time (1 .. 5) {
        my $dir = "$fake->{dir}/both$time";
        Fake::write_file("$fake->{dir}/both", join '', map { "web$_\n" } 1 .. 30);
        my @runs =
            map { $fake->start([ 'fleet', 'plan', "$fake->{dir}/both", '--campaign', $dir, @PIPE ]) } 1, 2;
        my @got = map { $fake->wait_for_end($_) } @runs;
        is(join(' ', map { "$_->{status}$_->{err}" } @got),    '0 0',        'both go on');
        is($got[0]{out},                                       $got[1]{out}, 'with one plan');
        is(join(' ', grep { /\A\.|new/ } Fake::entries($dir)), '',           'nothing is left over');
    }
};

subtest 'killed at any moment while it plans, the next one makes the campaign or reads it' => sub {
    my $moments = 0;
    for (my $killed = 1; $killed && $moments < 60; $moments += $killed) {
        my $dir   = "$fake->{dir}/killed$moments";
        my @asked = ($dir, { hosts => [ { name => 'web1' } ] });
        my $pid   = fork // die "cannot fork: $!\n";
        if (!$pid) {
            $ENV{KILLED_AT} = $moments + 1;
            Campaigns::planned(@asked);
            POSIX::_exit(0);
        }
        waitpid $pid, 0;
        $killed = $? & 127 ? 1 : 0;
        ok(!-e "$dir/campaign.json" || Touchstone::Pack::Fleet::Campaign::expect($dir),
            "moment $moments: whole or not there");
        Campaigns::planned(@asked);
        is(join(' ', Fake::entries($dir)), 'campaign.json conflicts runs staging', 'nothing is left over');
    }
    cmp_ok($moments, '>', 3, 'there were such moments');
};

subtest '--dry-run shows a plan and writes nothing' => sub {
    my $got = planned("web1\n", '--campaign', "$fake->{dir}/dry", '--dry-run', @PIPE);
    is("$got->{status} $got->{err}", '0 ', 'planned');
    my $plan = decoded($got);
    is("@{ $plan->{words} } $plan->{todo}[0]{name}", "@PIPE web1", 'the plan');
    ok(!-e "$fake->{dir}/dry", 'no directory');
    $got = planned("web1\n", '--campaign', "$fake->{dir}/dry", '--baseline', 'x', @PIPE);
    like(
        "$got->{status} $got->{err}" =~ s/\n  / /gr,
        qr/\A2 Run: fleet plan and --baseline cannot be combined: hosts do not have that run/,
        'a stored run is here, not on hosts'
    );
};

subtest 'suspects and controls are measured again in a campaign of their own' => sub {
    my $long = 'k' x 60;
    my $dir  = Campaigns::planned(
        "$fake->{dir}/$long",
        {
            at_once => 2,
            carrier => 'ssh',
            lease   => 50,
            hosts   => [ map { { name => "h$_", slot => "s$_" } } 1 .. 6 ]
        },
        campaign => $long,
        words    => \@PIPE
    );
    my $manifest = Touchstone::Pack::Fleet::Campaign::expect($dir);
    my @chosen =
        map { { name => "h$_", slot => "s$_", labels => {}, role => $_ == 1 ? 'suspect' : 'control' } }
        1 .. 3;
    my $again = Touchstone::Pack::Fleet::Plan::again($manifest, 3, 99, @chosen);
    is($again->{directory}, "$dir/confirm-1",        'in the directory of the first');
    is($again->{campaign},  'k' x 54 . '-confirm-1', 'a name that is short enough');
    is(
        join(' ', map { $again->{$_} } qw(of runs at_once lease carrier)),
        "$long 3 2 50 ssh",
        'measured as the first'
    );
    is("@{ $again->{words} }", "@PIPE", 'with the same words');
    is(join(' ', map { "$_->{name} $_->{role}" } sort { $a->{name} cmp $b->{name} } @{ $again->{hosts} }),
        'h1 suspect h2 control h3 control', 'roles');
    my @todo = @{ Touchstone::Pack::Fleet::Plan::todo($again)->{todo} };
    is(join(' ', map { $_->{run} } @todo), '1 1 1 2 2 2 3 3 3', 'interleaved');
    is(
        $todo[0]{role},
        (grep { $_->{name} eq $todo[0]{name} } @chosen)[0]{role},
        'what is to be measured says its role'
    );
    is(
        Touchstone::Pack::Fleet::Plan::again($manifest, 3, 99, @chosen)->{campaign},
        'k' x 54 . '-confirm-2',
        'the next one has the next number'
    );
    my $got = $fake->run([ 'fleet', 'confirm', "$dir/confirm-1" ]);
    like(
        "$got->{status} $got->{err}" =~ s/\n  / /gr,
        qr/\A2 Run: '.*confirm-1' measures suspects of 'k+' itself: confirm that one/,
        'one of these has none'
    );
    my $last = Touchstone::Pack::Fleet::Campaign::expect("$dir/confirm-2");
    $got = $fake->run([ 'fleet', 'confirm', $dir ]);
    is(
        "$got->{status} " . decoded($got)->{campaign},
        "0 $last->{campaign}",
        'one that has not come to its end goes on'
    );
    like(
        "@{ decoded($got)->{todo}[0]{words} }",
        qr/\Afleet once \S+-confirm-2 --run 1 --as h\d .*@PIPE\z/,
        'with words for hosts'
    );
};

# A record of a host that has this part of the speed of the others, and noise.
sub of_speed {
    my ($random, $host, $speed) = @_;
    my $facts  = Campaigns::facts(host => $host);
    my @passes = map {
        my $factor = $speed * (0.995 + 0.01 * $random->());
        +{
            %$_,
            counts => [ map { $_ * $factor } @{ $_->{counts} } ],
            slices => [ map { undef } @{ $_->{slices} } ]
        }
    } @{ $facts->{passes} };
    return Touchstone::Record::Json::encode(
        { %$facts, passes => \@passes, results => undef, map { $_ => [] } qw(warnings failures skipped) });
}

subtest 'fleet confirm plans new runs of those that are suspected' => sub {
    plan skip_all => 'there is nothing that judges'
        if !eval { require Touchstone::Pack::Fleet::Judge; require Touchstone::Pack::Fleet::Retests };
    my $dir = Campaigns::planned(
        "$fake->{dir}/judged",
        { hosts => [ map { { name => "h$_" } } 1 .. 9 ] },
        words => \@PIPE
    );
    my $random = Touchstone::Base::Random::generator(7);
    mkdir "$dir.got" or die "cannot make a directory: $!\n";
    Fake::write_file("$dir.got/$_.json", of_speed($random, "h$_", $_ == 3 ? 0.7 : 1)) for 1 .. 9;
    is($fake->run([ 'fleet', 'collect', "$dir.got", '--campaign', $dir ])->{status},
        0, 'nine hosts sent records');
    my $got = $fake->run([ 'fleet', 'confirm', $dir, '--within', 0 ]);
    like(
        decoded($got)->{note},
        qr/\Ah3 and 2 other hosts, 3 runs each, at most 1 minute: not retested automatically\z/,
        'not where they take too long'
    );
    is_deeply(decoded($got)->{todo}, [], 'nothing is planned');
    $got = $fake->run([ 'fleet', 'confirm', $dir ]);
    is("$got->{status} $got->{err}", '0 ', 'planned');
    my $plan = decoded($got);
    is(join(' ', @$plan{qw(campaign of runs)}), 'k68-confirm-1 k68 3', 'a campaign of its own');
    my %roles = map { $_->{name} => $_->{role} } @{ $plan->{todo} };
    is(delete $roles{h3},                               'suspect',         'the slow one');
    is(join(' ', values %roles),                        'control control', 'and two controls');
    is($fake->run([ 'fleet', 'confirm', $dir ])->{out}, $got->{out},       'said again it goes on');
    rename "$dir/confirm-1/campaign.json", "$dir/kept" or die "cannot rename: $!\n";
    is(decoded($fake->run([ 'fleet', 'confirm', $dir, '--within', 60 ]))->{campaign},
        'k68-confirm-1', 'within an hour they are planned');
    rename "$dir/kept", "$dir/confirm-1/campaign.json" or die "cannot rename: $!\n";
    Fake::write_file("$dir/confirm-1/campaign.json", 'x');
    like(
        $fake->run([ 'fleet', 'confirm', $dir ])->{err},
        qr/confirm-1\/campaign\.json' is not a manifest of a campaign/,
        'a damaged one is told'
    );
    my $even = Campaigns::planned("$fake->{dir}/even", { hosts => [ map { { name => "h$_" } } 1 .. 9 ] });
    $got = $fake->run([ 'fleet', 'confirm', $even ]);
    like(
        "$got->{status} $got->{err}" =~ s/\n  / /gr,
        qr/\A0 Run: no host is suspected in '.*even': nothing to measure again\n\z/,
        'without a suspect'
    );
    is_deeply(decoded($got)->{todo}, [], 'there is nothing to do');
    $got = $fake->run([ 'fleet', 'confirm', $even, '--within', 60 ]);
    is("$got->{status} $got->{err}", '0 ', 'which --within takes for normal');
};

is("@Fake::PERL_WARNINGS", '', 'perl warned of nothing');
done_testing;
