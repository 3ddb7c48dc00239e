#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# fleet/slurm and fleet/ssh with programs that stand in for Slurm's and for ssh: which jobs are sent and which
# are not, what a job does, what a check of health says, which hosts are connected to, and that no name of a
# host is more than a name. t/fleet/ has the real ones.
use 5.014;
use strict;
use warnings;

use File::Basename qw(dirname);
use File::Path qw(make_path);
use File::Temp ();
use JSON::PP ();
use POSIX ();
use Test::More;

use lib 't/lib';
use Carrier;
use Fake;
use NoWarnings;
use Tools;
use Touchstone::Machine::Command;
use Touchstone::Pack::Fleet::Campaign;
use Touchstone::Pack::Fleet::Plan;

my @WHAT = qw(--quick -c 1 pipe);

# Returns a carrier whose Slurm has these nodes and no job.
sub with_slurm {
    my (@nodes) = @_;
    my $carrier = Carrier->new;
    $carrier->fake(scontrol => join "\n", map { "echo $_" } @nodes);
    $carrier->fake(squeue   => ':');
    $carrier->fake(sacctmgr => 'exit 1');
    $carrier->fake(sbatch   => 'echo x >>"$dir/jobs"; wc -l <"$dir/jobs" | tr -d " "');
    return $carrier;
}

sub hosts {
    my ($carrier, @hosts) = @_;
    return $carrier->write('hosts',
        JSON::PP->new->canonical->encode({ hosts => [ map { ref ? $_ : { name => $_ } } @hosts ] }));
}

# Returns the words of a job that begin with an option, without the option.
sub value {
    my ($job, $option) = @_;
    return join '|', map { /\A\Q$option\E=(.*)/s ? $1 : () } @$job;
}

subtest 'each node that is still to be measured gets a job of its own' => sub {
    my $carrier = with_slurm(qw(node1 node2 node3));
    my $got     = $carrier->run('fleet/slurm/submit', 'k68', 'node[1-3]', @WHAT);
    is("$got->{status} " . Carrier::heard($got), '0 ', 'it ends well and says nothing else');
    like(
        $got->{err},
        qr/\A3 hosts: fewer than 5 of one kind are listed by speed, without verdicts\n/,
        'that they are few is said'
    );
    is_deeply([ sort $got->{out} =~ /^(node\d) job \d+$/mg ], [qw(node1 node2 node3)], 'it names each job');
    is_deeply(
        [ $carrier->told('scontrol') ],
        [ [ 'show', 'hostnames', 'node[1-3]' ] ],
        'Slurm expands the list'
    );
    my @jobs = $carrier->told('sbatch');
    is_deeply([ sort map { value($_, '--nodelist') } @jobs ], [qw(node1 node2 node3)], 'one job a node');

    for my $job (@jobs) {
        my $node     = value($job, '--nodelist');
        my ($script) = grep { $job->[$_] =~ m{/touchstone\.sbatch\z} } 0 .. $#$job;
        my @words    = @$job[ $script + 1 .. $#$job ];
        is_deeply(
            [ @words[ 0 .. 4 ] ],
            [ $Fake::BASE, "$carrier->{dir}/k68", 'k68', $node, 1 ],
            "$node: where, which campaign, which host and run"
        );
        is_deeply(
            [ @words[ 5 .. 11 ] ],
            [ 'fleet', 'once', 'k68', '--run', 1, '--as', $node ],
            "$node: what it does"
        );
        is_deeply([ @words[ -4 .. -1 ] ], \@WHAT, "$node: what is measured");
        ok((grep { $_ eq 'carrier=slurm' } @words), "$node: the record will say what carried it");
        is_deeply([ grep { /\A--(?:requeue|dependency|array)/ } @$job ],
            ['--requeue'], "$node: requeued, no array");
        like(value($job, '--time'), qr/\A[1-9]\d*\z/, "$node: minutes");
    }
};

subtest 'a node that has a job of this campaign gets no other' => sub {
    my $carrier = with_slurm(qw(node1 node2 node3));
    $carrier->fake(squeue => <<'END');
echo 'node1 touchstone:k68: run 1'
echo 'node2 touchstone:k68-2: run 1'
echo 'node3 touchstone:k68: run 2'
echo 'node3 mine (null)'
END
    my $got = $carrier->run('fleet/slurm/submit', 'k68', 'nodes', @WHAT);
    is("$got->{status} " . Carrier::heard($got), '0 ', 'it ends well');
    is_deeply([ sort map { value($_, '--nodelist') } $carrier->told('sbatch') ],
        [qw(node2 node3)], 'jobs of another campaign, of another run and of others do not count');
};

subtest 'a user whom the system knows by no name is asked for by its number' => sub {
    my $carrier = with_slurm('node1');
    $carrier->fake(sacctmgr => 'echo 4');
    $carrier->write('Nameless.pm', 'package Nameless; *CORE::GLOBAL::getpwuid = sub { return }; 1;');
    $carrier->{env}{PERL5OPT} = "-I$carrier->{dir} -MNameless";
    my $got = $carrier->run('fleet/slurm/submit', 'k68', 'nodes', @WHAT);
    is("$got->{status} " . Carrier::heard($got), '0 ', 'it ends well and says nothing else');
    is_deeply(
        [
            map {
                grep { /^user=/ }
                    @$_
            } $carrier->told('sacctmgr')
        ],
        ["user=$>"],
        'its limit'
    );
};

subtest 'no more jobs are sent than Slurm lets this user have' => sub {
    my $carrier = with_slurm(map { "node$_" } 1 .. 5);
    $carrier->fake(sacctmgr => 'echo; echo 40; echo 4');
    $carrier->fake(squeue   => 'echo "node9 mine (null)"; echo " array (null)"');
    my $got = $carrier->run('fleet/slurm/submit', 'k68', 'nodes', @WHAT);
    is(scalar(my @jobs = $carrier->told('sbatch')), 2,  'two of four are left');
    is($got->{status},                              75, 'exit status: again later');
    is(
        $got->{err},
        "fleet/slurm/submit: 3 nodes without a job: Slurm takes no more now\nsay the same line again when some jobs have ended\n",
        'it says how many are left'
    );
    $got = $carrier->run('fleet/slurm/submit', '--most', '3', 'k68', 'nodes', @WHAT);
    is(scalar(@jobs = $carrier->told('sbatch')), 1, '--most sets another limit');
    $carrier->fake(sacctmgr => 'exit 1');
    $got = $carrier->run('fleet/slurm/submit', 'k68', 'nodes', @WHAT);
    is("$got->{status} " . (@jobs = $carrier->told('sbatch')), '0 5', 'without accounts there is no limit');
};

subtest 'a user without a name is asked for by its number' => sub {
    my $carrier = with_slurm('node1');
    my $nobody  = 'BEGIN { *CORE::GLOBAL::getpwuid = sub { return wantarray ? () : undef } } '
        . '$0 = shift; do $0; exit main(@ARGV)';
    my $got = $carrier->run($^X, '-e', $nobody, "$Fake::BASE/fleet/slurm/submit", 'k68', 'node1', @WHAT);
    is("$got->{status} " . Carrier::heard($got), '0 ', 'it ends well and says nothing else');
    is_deeply([ map { $_->[3] } $carrier->told('sacctmgr') ], ["user=$>"], 'Slurm is asked');
};

subtest 'a node that Slurm refuses stops no other; where it takes no more, nothing else is sent' => sub {
    my $carrier = with_slurm(map { "node$_" } 1 .. 4);
    $carrier->fake(sbatch => <<'END');
case " $* " in *" --nodelist=node2 "*) echo 'sbatch: error: Batch job submission failed: Invalid node' >&2; exit 1 ;; esac
echo 7
END
    my $got = $carrier->run('fleet/slurm/submit', 'k68', 'nodes', @WHAT);
    is($got->{status}, 1, 'exit status');
    like(
        Carrier::heard($got),
        qr/\Afleet\/slurm\/submit: no job for 'node2': .*Invalid node\n\z/,
        'the node and the reason'
    );
    is(scalar(my @jobs = $carrier->told('sbatch')), 4, 'all were tried');
    $carrier->fake(sbatch => <<'END');
echo x >>"$dir/sent"
[ "$(wc -l <"$dir/sent")" -lt 3 ] || { echo 'sbatch: error: AssocMaxSubmitJobLimit' >&2; exit 1; }
echo 7
END
    $got = $carrier->run('fleet/slurm/submit', 'k68', 'nodes', @WHAT);
    is($got->{status},                           75, 'exit status: again later');
    is(scalar(@jobs = $carrier->told('sbatch')), 3,  'nothing follows the refusal');
    like($got->{err}, qr/: 2 nodes without a job: /, 'the one that was refused counts');
};

subtest 'where Slurm does not say which jobs there are, nothing is sent' => sub {
    my $carrier = with_slurm('node1');
    $carrier->fake(squeue => 'exit 1');
    my $got = $carrier->run('fleet/slurm/submit', 'k68', 'nodes', @WHAT);
    isnt($got->{status}, 0, 'exit status');
    like($got->{err}, qr/squeue does not say which jobs there are; nothing was sent$/, 'it says so');
    is_deeply([ $carrier->told('sbatch') ], [], 'no job');
    $carrier->fake(scontrol => 'echo "Invalid hostlist" >&2; exit 1');
    $got = $carrier->run('fleet/slurm/submit', 'k68', 'node[1-', @WHAT);
    like($got->{err}, qr/: 'node\[1-' is neither a file nor a list of nodes$/, 'no list of nodes');
};

subtest 'nodes of one slot have jobs of one name, of which one runs at a time' => sub {
    my $carrier = with_slurm();
    hosts(
        $carrier,
        { name => 'a', slot => 'hv7' },
        { name => 'b', slot => 'hv7' },
        { name => 'c', slot => 'hv8' }, 'd'
    );
    my $got  = $carrier->run('fleet/slurm/submit', 'k68', 'hosts', @WHAT);
    my %job  = map { value($_, '--nodelist') => $_ } $carrier->told('sbatch');
    my %name = map { $_                      => value($job{$_}, '--job-name') } keys %job;
    is($name{a}, $name{b}, 'the same name for the same slot');
    isnt($name{a}, $name{c}, 'another for another');
    is_deeply(
        [ map { value($job{$_}, '--dependency') } qw(a b c d) ],
        [ ('singleton') x 3, '' ],
        'only a job without a slot may run at any time'
    );
};

subtest 'a hostile name is one word of sbatch' => sub {
    my $carrier = with_slurm();
    my @names   = (
        '$(touch owned)', '`id`',                 q{it's; rm -rf /}, '--wrap=id',
        '<script>',       "\xc3\xa9\xe2\x80\xae", '%j',              'x' x 200
    );
    hosts($carrier, @names);
    my $got = $carrier->run('fleet/slurm/submit', 'k68', 'hosts', @WHAT);
    is($got->{status}, 0, 'it ends well') or diag $got->{err};
    my @jobs = $carrier->told('sbatch');
    is_deeply([ sort map { value($_, '--nodelist') } @jobs ], [ sort @names ], 'each name, whole');
    is((grep { @$_ != @{ $jobs[0] } } @jobs) + 0, 0, 'no name is more than a word');
    unlike($got->{out}, qr/[\x00-\x09\x0b-\x1f\x7f]|\xe2\x80\xae/, 'the terminal gets none of its commands');
};

# Returns a carrier with a tree whose Run does as a script says, and an srun that starts what it is told to.
sub with_job {
    my ($run) = @_;
    my $carrier = Carrier->new;
    $carrier->{env} = { SLURM_CPUS_ON_NODE => 6, SLURM_JOB_ID => 41, UB_TMPDIR => undef };
    $carrier->fake(srun => 'while case $1 in --*) ;; *) false ;; esac; do shift; done; exec "$@"');
    $carrier->fake(Run  => $run);
    return $carrier;
}

# Runs a job as Slurm does, with a copy of the script, and returns what came of it.
sub job {
    my ($carrier) = @_;
    my $script = $carrier->write('job', Fake::read_file("$Fake::BASE/fleet/slurm/touchstone.sbatch"));
    return $carrier->run('sh', $script, $carrier->{tools}, '/c/k68', 'k68', 'a b', 2, 'fleet', 'once', 'k68',
        '--quick');
}

# Returns what Run was told after fleet mark, in order.
sub marks {
    my ($carrier) = @_;
    my @told = $carrier->told('Run');
    return [ map { "@$_[0, 1]" eq 'fleet mark' ? $_->[-1] : () } @told ];
}

subtest 'a job measures with all CPUs of its node, unbound, and takes its record in' => sub {
    my $carrier = with_job(<<'END');
case "$1 $2" in
'fleet once') echo "$UB_RESULTDIR $UB_TMPDIR" >"$dir/places" ;;
'fleet give') echo 'the record' ;;
'fleet collect') cat >"$dir/collected" ;;
esac
END
    my $got = job($carrier);
    is("$got->{status} " . Carrier::heard($got), '0 ', 'it ends well');
    is_deeply(
        [ $carrier->told('srun') ],
        [
            [
                qw(--ntasks=1 --cpus-per-task=6 --exact --cpu-bind=none),
                "$carrier->{tools}/Run",
                qw(fleet once k68 --quick)
            ]
        ],
        'one step'
    );
    is(
        $carrier->read('places'),
        "/c/k68/nodes /tmp\n",
        'results are on the shared folder, files on the local disk'
    );
    is_deeply(
        [ map { "@$_" } $carrier->told('Run') ],
        [
            'fleet mark --campaign /c/k68 -- a b=running',
            'fleet once k68 --quick',
            'fleet give k68 --run 2 --as a b --whole',
            'fleet collect - --campaign /c/k68 --as a b',
            'fleet mark --campaign /c/k68 -- a b=over'
        ],
        'what Run is told'
    );
    is($carrier->read('collected'), "the record\n", 'the record is taken in');
};

subtest 'a job whose node is still being measured waits, and then looks again' => sub {
    my $carrier = with_job(<<'END');
case "$1 $2" in
'fleet once') [ -e "$dir/waited" ] || exit 75 ;;
'fleet wait') touch "$dir/waited" ;;
esac
END
    my $got = job($carrier);
    is($got->{status}, 0, 'it ends well');
    is_deeply([ map { $_->[1] } grep { $_->[1] =~ /\A(?:once|wait|give)\z/ } $carrier->told('Run') ],
        [qw(once wait once give)], 'in this order');
};

subtest 'a job without a record fails and says so; a run with failed tests has a record' => sub {
    my $carrier = with_job('case $2 in once) exit 2 ;; give) echo "Run: no record" >&2; exit 1 ;; esac');
    my $got     = job($carrier);
    is($got->{status}, 1, 'exit status');
    is_deeply(
        marks($carrier),
        [ 'a b=running', 'a b=failed: exit status 2; slurm-41.out says why' ],
        'what is noted of the host'
    );
    $carrier = with_job('case $2 in once) exit 1 ;; esac');
    is(job($carrier)->{status}, 0, 'exit status 1 of a run');
    is_deeply(marks($carrier), [ 'a b=running', 'a b=over' ], 'it is over');
    $carrier = with_job('case $2 in collect) exit 1 ;; esac');
    is(job($carrier)->{status}, 1, 'a record that is not taken');
    is_deeply(marks($carrier),
        [ 'a b=running', 'a b=failed: its record was not taken; slurm-41.out says why' ],
        'is not over');
};

SKIP: {
    skip 'touchstone.nhc is for bash, as Node Health Check is, and there is none', 1
        if system('bash -c true 2>/dev/null') != 0;

    # Calls the check as Node Health Check does: die() notes a reason, and returns.
    sub check {
        my ($carrier, @words) = @_;
        my $nhc = 'die() { echo "failed $1: $2"; }; . "$0" && check_touchstone "$@"';
        my $got = $carrier->run('bash', '-c', $nhc, "$Fake::BASE/fleet/slurm/touchstone.nhc", @words);
        is($got->{err}, '', 'nothing else is said');
        return "$got->{status} $got->{out}";
    }

    subtest 'a node that was called bad some days ago is not healthy' => sub {
        my $carrier = Carrier->new;
        my $now     = time;
        my %ago     = map { $_ => $now - $_ * 86_400 - 60 } 1, 3, 40;
        my $file    = $carrier->write('verdicts', <<"END");
bad k68 $ago{3} node1
good k69 $ago{1} node1
bad k68 $ago{3} node2
bad k60 $ago{40} node3
suspect k68 $ago{3} node4
bad k68 $ago{3} node 5 \$(touch owned)
bad k68 0000000$ago{3}1x node6
bad k68 99999999999999999999 node7
END
        is(check($carrier, $file, 30, 'node1'), '0 ', 'the newest verdict counts');
        is(
            check($carrier, $file, 30, 'node2'),
            "1 failed 1: check_touchstone: Touchstone called it bad in 'k68', 3 days ago\n",
            'bad fails, with campaign and age'
        );
        is(check($carrier, $file, 30, 'node3'),              '0 ', 'not after these days');
        is(check($carrier, $file, 90, 'node3') =~ s/ .*//sr, 1,    'but after more, if told');
        is(check($carrier, $file, 30, 'node4'),              '0 ', 'suspect is not bad');
        is(check($carrier, $file, 30, "node$_"), '0 ', "a damaged line of node$_ is passed over") for 6, 7;
        is(check($carrier, $file, 30, 'node'),   '0 ', 'a node without a verdict is healthy');
        is(check($carrier, $file, 30, 'node 5 $(touch owned)') =~ s/ .*//sr, 1, 'a name is a name');
        ok(!-e "$carrier->{dir}/owned", 'and no command');
        is(
            check($carrier, "$file.none"),
            "1 failed 1: check_touchstone: cannot read '$file.none'; Run fleet judge writes it\n",
            'a file that is missing is said'
        );
    };
}

# Returns what drain makes of bad hosts, as Run fleet judge says them.
sub drained {
    my (@bad)   = @_;
    my $carrier = Carrier->new;
    my $file    = $carrier->write('json', JSON::PP->new->canonical->encode({ bad => \@bad }));
    return $carrier->run('sh', '-c', 'exec "$0" <"$1"', "$Fake::BASE/fleet/slurm/drain", $file);
}

subtest 'bad nodes become lines of scontrol, for a person to run' => sub {
    my $got =
        drained({ host => 'node3', reason => 'k68: 0.884 of 29 others like it; all CPU tests are slow' },
        { host => 'node4.example', reason => undef });
    is("$got->{status} $got->{err}", '0 ',    'it ends well');
    is($got->{out},                  <<'END', 'each with its reason');
scontrol update 'NodeName=node3' 'State=DRAIN' 'Reason=touchstone: k68: 0.884 of 29 others like it; all CPU tests are slow'
scontrol update 'NodeName=node4.example' 'State=DRAIN' 'Reason=touchstone: bad'
END
};

subtest 'hostile names and reasons stay what they are when a shell runs the line' => sub {
    my $got = drained(
        { host => 'node[1-100]' },
        { host => 'ALL,node1' },
        { host => "a\nscontrol" },
        { host => '-x' },
        {
            host   => 'node5',
            reason => qq{k68: it's "\$(touch owned)" \\\n\e[31m\xc3\xa9} . 'x' x 300
        }
    );
    is($got->{status}, 0, 'it ends well');
    is(
        $got->{err},
        join('',
            map { "fleet/slurm/drain: '$_' is bad, and this is not the name of a node\n" } 'node[1-100]',
            'ALL,node1', 'a?scontrol', '-x'),
        'what is no name of one node is said, and left out'
    );
    my $carrier = Carrier->new;
    $carrier->fake(scontrol => ':');
    is($carrier->run('sh', '-c', $got->{out})->{err}, '', 'a shell runs the lines');
    my @told = $carrier->told('scontrol');
    is(scalar @told, 1, 'there is one');
    is_deeply(
        [ @{ $told[0] }[ 0 .. 2 ] ],
        [ 'update', 'NodeName=node5', 'State=DRAIN' ],
        'the node and its state'
    );
    is(scalar @{ $told[0] }, 4, 'the reason is one word');
    like(
        $told[0][3],
        qr/\AReason=touchstone: k68: it's '\$\(touch owned\)' '\?+\[31m\?x{50,}\z/,
        'without letters that are more than text'
    );
    cmp_ok(length $told[0][3], '<=', 220, 'and not without end');
    ok(!-e "$carrier->{dir}/owned", 'nothing in it was run');
};

subtest 'what is no judgement is refused in a sentence' => sub {
    my $carrier = Carrier->new;
    for my $text ('', 'no JSON', '[]', 'null', '"x"', '{"bad":{}}', '{"bad":"x"}', '{"bad":[1]}',
        '{"bad":[null]}', '{}', '{"bad":[{"host":"node1"},{"host":[]}]}',
        '{"bad":[{"reason":"k68"}]}') {
        my $file = $carrier->write('json', $text);
        my $got  = $carrier->run('sh', '-c', 'exec "$0" <"$1"', "$Fake::BASE/fleet/slurm/drain", $file);
        is("$got->{status} $got->{out}", '2 ', "'$text': exit status 2, and no line");
        like(
            $got->{err},
            qr/\Afleet\/slurm\/drain: standard input is not what Run fleet judge DIR --format json prints: [^\n]+\n\z/,
            'why'
        );
        unlike($got->{err}, qr/ at \S+ line \d+|reference/, 'in words of its own');
    }
    is(
        drained({ host => 'node1', reason => { a => 1 } })->{out} =~ s/.*Reason=//sr,
        "touchstone: bad'\n",
        'a reason that is no text is none'
    );
};

# Returns a carrier whose ssh runs a command at home in a directory of the host, and a bundle of this tree. A
# host in the file `gone` cannot be reached.
sub with_ssh {
    my $carrier = Carrier->new;
    my $arch    = (POSIX::uname())[4];
    my $name    = "touchstone-7.1.0-linux-$arch";
    $carrier->fake(ssh => <<'END');
while [ "$1" != -- ]; do shift; done
host=$2
! grep -qxF -e "$host" "$dir/gone" || exit 255
mkdir -p "$dir/home/$host" && cd "$dir/home/$host" && HOME=$PWD && export HOME && exec /bin/sh -c "$3"
END
    mkdir "$carrier->{dir}/$name" or die "cannot make a directory: $!\n";
    symlink "$Fake::BASE/$_", "$carrier->{dir}/$name/$_" or die "cannot make a link: $!\n" for qw(Run lib);
    mkdir "$carrier->{dir}/$name/pgms" or die "cannot make a directory: $!\n";
    $carrier->write("$name/pgms/index.base", Fake::read_file("$Fake::BASE/pgms/index.base"));
    $carrier->write("$name/BUNDLE",          "arch=$arch\n");
    $carrier->write('gone',                  "gone\n");
    system('tar', '-C', $carrier->{dir}, '-chzf', "$carrier->{dir}/$name.tar.gz", $name) == 0
        or die "no bundle\n";
    $carrier->{env} = {
        BUNDLE       => "$carrier->{dir}/$name.tar.gz",
        UB_RESULTDIR => undef,
        PERL5OPT     => "-I$Fake::BASE/lib -I$Fake::BASE/t/lib -MQuiet"
    };
    return $carrier;
}

sub records { my ($carrier) = @_; return scalar(() = glob "\Q$carrier->{dir}\E/k68/runs/*/*.json") }

# Returns the hosts to which ssh was told to connect, and says whether an option could be among them.
sub connected {
    my ($carrier) = @_;
    my %to;
    for my $words ($carrier->told('ssh')) {
        my ($at) = grep { $words->[$_] eq '--' } 0 .. $#$words;
        is($#$words, $at + 2, 'a host and a command follow the last option') if $#$words != $at + 2;
        $to{ $words->[ $at + 1 ] }++;
    }
    return join ' ', sort keys %to;
}

subtest 'ssh measures a list of hosts, and one that cannot be reached stops no other' => sub {
    my $carrier = with_ssh();
    $carrier->write('hosts', "web1\ngone\n-oProxyCommand=touch\$IFS.owned slot=\$(touch\$IFS.owned)\n");
    my $got = $carrier->run('fleet/ssh', 'k68', 'hosts', @WHAT);
    like($got->{err}, qr/^fleet\/ssh: gone: does not say its architecture$/m, 'it says which');
    is(records($carrier), 2, 'the others are measured') or diag $got->{out}, $got->{err};
    is(connected($carrier), '-oProxyCommand=touch$IFS.owned gone web1', 'a name is never an option of ssh');
    is_deeply([ grep { -e } glob "\Q$carrier->{dir}\E/{,home/*/,home/*/.cache/touchstone/*/}.owned" ],
        [], 'nor a command');
    is_deeply([ glob "\Q$carrier->{dir}\E/k68/staging/*" ], [], 'what was taken in is not kept twice');
    my @events = map { JSON::PP::decode_json($_) } split /\n/, $carrier->read('k68/events.jsonl');
    is((map { $_->{what} } grep { $_->{host} eq 'gone' } @events)[-1], 'unreachable', 'what is noted of it');

    $carrier->write('gone', '');
    $got = $carrier->run('fleet/ssh', 'k68', 'hosts', @WHAT);
    is(records($carrier), 3, 'the same line again measures it when it is back')
        or diag $got->{out}, $got->{err};
    is(connected($carrier), 'gone', 'and no other');
    $carrier->run('fleet/ssh', 'k68', 'hosts', @WHAT);
    is(connected($carrier), '', 'a campaign that is measured needs no connection');

    my $command = JSON::PP::decode_json($carrier->read('k68/campaign.json'))->{command};
    is($command->{in}, $carrier->{dir}, 'the campaign knows where it was typed');
    my $typed = "BUNDLE=$carrier->{env}{BUNDLE} $Fake::BASE/fleet/ssh";
    is($command->{measure}, "$typed k68 hosts @WHAT", 'what was typed');
    is($command->{confirm}, "$typed --confirm k68",   'and what retests suspects');
};

subtest 'ssh retests the suspects of a campaign, with its programs' => sub {
    my $carrier = with_ssh();
    $carrier->write('hosts', join '', map { "web$_\n" } 1 .. 2);
    $carrier->run('fleet/ssh', 'k68', 'hosts', @WHAT);
    is(connected($carrier), 'web1 web2', 'two hosts are measured, and few hosts have no suspect');
    my $manifest = Touchstone::Pack::Fleet::Campaign::expect("$carrier->{dir}/k68");
    Touchstone::Pack::Fleet::Plan::again(
        $manifest, 1, 7,
        { name => 'web1', role => 'suspect', labels => {} },
        { name => 'web2', role => 'control', labels => {} }
    );
    my $got = $carrier->run('fleet/ssh', '--confirm', 'k68');
    like($got->{err}, qr/^retest of web1 and 1 other host, /m, 'it says whom');
    is(connected($carrier), 'web1 web2', 'both are measured') or diag $got->{out}, $got->{err};
    is(scalar(() = glob "\Q$carrier->{dir}\E/k68/confirm-1/runs/*/*.json"),
        2, 'the records are in the retests');
    ok(!-e "$carrier->{dir}/k68/confirm-1/programs", 'the programs are those of the campaign');
};

subtest 'a host without perl or room fails with its reason, and is not called measured' => sub {
    my $carrier = with_ssh();
    $carrier->fake(ssh =>
            'case $* in *uname*) uname -m ;; *tar*) cat >/dev/null ;; *) echo "perl: not found" >&2; exit 127 ;; esac'
    );
    $carrier->write('hosts', "web1\n");
    my $got = $carrier->run('fleet/ssh', 'k68', 'hosts', @WHAT);
    like($got->{err}, qr/^perl: not found\nfleet\/ssh: web1: cannot begin: exit status 127$/m,
        'what it said');
    like($carrier->read('k68/events.jsonl'), qr/failed.*cannot begin: exit status 127/,
        'what is noted of it');
    is(records($carrier), 0, 'no record');
};

subtest 'a list that Run refuses ends it with the reason' => sub {
    my $carrier = with_ssh();
    my $got     = $carrier->run('fleet/ssh', 'k68', 'none', @WHAT);
    isnt($got->{status}, 0, 'exit status');
    like($got->{err}, qr/cannot open 'none'/, 'no file');
    is($carrier->run('fleet/ssh', 'k68')->{status}, 2,  'no list: usage');
    is(connected($carrier),                         '', 'no connection');
};

# A tree whose build waits for the file `go` and says in `log` that it has begun.
sub tree_that_builds_slowly {
    my ($tree) = @_;
    my %file = (
        'fleet/programs'             => Fake::read_file("$Fake::BASE/fleet/programs"),
        'packaging/lib/Packaging.pm' => Fake::read_file("$Fake::BASE/packaging/lib/Packaging.pm"),
        'MANIFEST'                   => "MANIFEST\n",
        'packaging/bundle/Bundle.pm' => <<'END'
package Bundle;
use Packaging qw(spew);
sub compilers_lacking { return }
sub bundle_name { return "touchstone-1-linux-$_[0]" }
sub make_tree {
    my ($arch, $directory) = @_;
    open my $log, '>>', "$ENV{HOME}/log"; print {$log} "$arch\n"; close $log;
    select undef, undef, undef, 0.05 while !-e "$ENV{HOME}/go";
    spew("$directory/touchstone-1-linux-$arch/BUNDLE", "arch=$arch\n");
}
1;
END
    );
    for my $name (keys %file) {
        make_path("$tree/" . dirname($name));
        Fake::write_file("$tree/$name", $file{$name});
    }
    return $tree;
}

subtest 'programs are built once, however many hosts ask at the same time' => sub {
    my $dir  = File::Temp->newdir;
    my $tree = tree_that_builds_slowly("$dir/tree");
    local @ENV{qw(HOME SOURCE_DATE_EPOCH)} = ("$dir", 1);
    delete local $ENV{XDG_CACHE_HOME};
    my @asking = map {
        open my $said, '-|', 'sh', '-c', 'exec "$@" 2>&1', 'sh', $^X, "$tree/fleet/programs", "$dir/k68",
            'm68k'
            or die "cannot start: $!\n";
        $said;
    } 1 .. 4;
    select undef, undef, undef, 0.05 while !-e "$dir/log";
    select undef, undef, undef, 0.5;
    Fake::write_file("$dir/go", '');
    my @said = map { my $from = $_; join '', <$from> } @asking;
    is(Fake::read_file("$dir/log"),                      "m68k\n", 'one of them builds');
    is(scalar(grep { /"digest":"[0-9a-f]{64}"/ } @said), 4,        'all have the programs') or diag(@said);
    is(scalar(grep { /building/ } @said),                1,        'and one says that it builds');
};

subtest 'shellcheck finds nothing in the scripts' => sub {
    plan skip_all => $_ for Tools::lacking('shellcheck');
    for my $file (map { "$Fake::BASE/fleet/$_" } qw(ssh slurm/touchstone.sbatch slurm/touchstone.nhc)) {
        is((Touchstone::Machine::Command::output([ 'shellcheck', $file ], errors => 1))[1], '', $file);
    }
};

subtest 'each carrier says from which host a record came' => sub {
    my @carriers = qw(ssh slurm/touchstone.sbatch kubernetes/take roles/host/tasks/run.yml);
    for my $file (@carriers) {
        my $collect = qr/(?:fleet|-|'fleet',) '?collect\b/;
        my @calls   = Fake::read_file("$Fake::BASE/fleet/$file") =~ /(^[^#\n]*$collect.*(?:\n +- .*)*)/mg;
        is((grep { /--as\b/ } @calls) + 0, 1, $file);
        is(scalar @calls,                  1, 'in each call of fleet collect');
    }
};

done_testing();
