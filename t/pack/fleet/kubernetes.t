#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# fleet/kubernetes: the Jobs of a campaign as other programs read them, what a pod does, and how records come
# from the logs of pods, with a kubectl that stands in for Kubernetes' own. No cluster ever ran them.
use 5.014;
use strict;
use warnings;

use JSON::PP ();
use Test::More;

use lib 't/lib';
use Carrier;
use Fake;
use NoWarnings;
use Touchstone::Machine::Command;

my @WHAT  = qw(--quick -c 1 pipe);
my $IMAGE = 'registry.example/touchstone@sha256:' . '0123456789abcdef' x 4;
my @ASKED = ('--image', $IMAGE, '--cpus', 4);

# Names of hosts that could be more than texts, in YAML, in Kubernetes' commands or in a shell.
my @HOSTILE = (
    '- a: b',             '{x: [y]}',
    '*alias',             '!!python/object:os.system',
    '# none',             q{it's "quoted" \\n},
    '$(HOME) $$(HOME) $', '`id`',
    'yes',                '017',
    '~',                  '---',
    '<script>',           "\xc3\xa9\xe2\x80\xae\xf0\x9f\x98\x80",
    'x' x 200,            '../../etc'
);

my $PYTHON = <<'END';
import json, sys, yaml
json.dump(list(yaml.safe_load_all(sys.stdin)), sys.stdout)
END

sub has_yaml { return system(q{python3 -c 'import yaml' 2>/dev/null}) == 0 }

# Returns the Jobs that a YAML text is to another program.
sub parsed {
    my ($carrier, $yaml) = @_;
    my $file = $carrier->write('jobs.yaml', $yaml);
    my $got  = $carrier->run('sh', '-c', 'exec python3 -c "$0" <"$1"', $PYTHON, $file);
    is($got->{err}, '', 'YAML');
    return @{ JSON::PP->new->utf8->decode($got->{out}) };
}

sub hosts {
    my ($carrier, %of) = @_;
    my @hosts = map { ref ? $_ : { name => $_ } } @{ delete $of{hosts} };
    return $carrier->write('hosts', JSON::PP->new->canonical->encode({ %of, hosts => \@hosts }));
}

sub utf8 { my ($bytes) = @_; utf8::decode(my $text = $bytes); return $text }

SKIP: {
    skip 'YAML is read with python3 and its module yaml (Debian: python3-yaml)', 2 if !has_yaml();

    subtest 'each node has a Job of its own, bound to it and with nothing shared' => sub {
        my $carrier = Carrier->new;
        my $got     = $carrier->run('fleet/kubernetes/make', @ASKED, 'k68', 'node/web1', 'web2', '--', @WHAT);
        is("$got->{status} " . Carrier::heard($got), '0 ', 'it ends well');
        my @jobs = parsed($carrier, $got->{out});
        is_deeply([ sort map { $_->{spec}{template}{spec}{nodeName} } @jobs ], [qw(web1 web2)], 'one a node');
        is((grep { !$_->{spec}{suspend} } @jobs) + 0, 1, 'as many begin as may measure at once');
        my ($job) = grep { $_->{spec}{template}{spec}{nodeName} eq 'web1' } @jobs;
        my $pod   = $job->{spec}{template}{spec};
        my $main  = $pod->{containers}[0];
        is($job->{spec}{podReplacementPolicy}, 'Failed', 'two pods of a Job never run at once');
        is($pod->{restartPolicy},              'Never',  'a pod ends with its container');
        is_deeply($pod->{tolerations},          [ { operator => 'Exists' } ],  'every taint is tolerated');
        is_deeply($main->{resources}{requests}, $main->{resources}{limits},    'the pod is Guaranteed');
        is_deeply($main->{resources}{limits},   { cpu => 4, memory => '2Gi' }, 'with what was asked for');
        is_deeply(
            $main->{securityContext}{seccompProfile},
            { type => 'Unconfined' },
            'no filter of system calls'
        );
        is($main->{image}, $IMAGE, 'the image by its digest');
        is_deeply(
            [ map { $_->{hostPath}{path} } @{ $pod->{volumes} } ],
            [qw(/var/lib/touchstone /etc/machine-id)],
            "the node's directory and number"
        );
        is_deeply([ @{ $main->{args} }[ 0 .. 8 ] ], [qw(k68 1 web1 fleet once k68 --run 1 --as)],
            'who it is');
        is_deeply([ @{ $main->{args} }[ -4 .. -1 ] ], \@WHAT, 'what is measured');
    };

    subtest 'a hostile name is a text for every reader' => sub {
        my $carrier = Carrier->new;
        hosts($carrier, hosts => [ map { { name => $_, slot => $_, labels => { l => $_ } } } @HOSTILE ]);
        my $got = $carrier->run('fleet/kubernetes/make', @ASKED, 'k68', 'hosts', '--', @WHAT);
        is("$got->{status} $got->{err}", '0 ', 'it ends well');
        unlike($got->{out}, qr/[^\n -~]/, 'nothing but ASCII');
        my @jobs = parsed($carrier, $got->{out});
        my @utf8 = sort map { utf8($_) } @HOSTILE;
        is_deeply([ sort map { $_->{spec}{template}{spec}{nodeName} } @jobs ],
            \@utf8, 'the names of the nodes');

        for my $of (qw(host slot)) {
            is_deeply([ sort map { $_->{metadata}{annotations}{"touchstone/$of"} } @jobs ], \@utf8,
                "the $of");
        }
        my @args = map { $_->{spec}{template}{spec}{containers}[0]{args} } @jobs;
        is_deeply([ sort map { expanded($_->[2]) } @args ], \@utf8, 'what Kubernetes makes of the words');
        my %name = map { $_->{metadata}{name} => 1 } @jobs;
        is(scalar keys %name, @HOSTILE + 0, 'each Job has a name of its own');
        is((grep { length > 63 || !/\A[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\z/ } keys %name) + 0,
            0, 'of letters that Kubernetes takes');
        is(
            (
                grep {
                    keys %$_ != 2
                        || grep { !/\A[0-9a-f]{16}\z/ }
                        values %$_
                } map { $_->{metadata}{labels} } @jobs
            ) + 0,
            0,
            'labels are hashes'
        );
    };
}

# Returns a word as a container gets it, if no variable has the name: two dollars are one.
sub expanded { my ($word) = @_; return $word =~ s/\$\$/\$/gr }

subtest 'what cannot be a Job is refused, with what is allowed' => sub {
    my $carrier = Carrier->new;
    my %wrong   = (
        'an image without a digest' => [
            [ '--image', 'touchstone:7.1.0', '--cpus', 4 ],
            qr/^\S+: --image needs a name with a digest: REPO\@sha256:\.\.\.$/m
        ],
        'a digest that is cut' => [ [ '--image', substr($IMAGE, 0, -1), '--cpus', 4 ], qr/--image needs/ ],
        'no image'   => [ [ '--cpus', 4 ],       qr/^\S+: --image is missing: a name with a digest/m ],
        'no CPUs'    => [ [ '--image', $IMAGE ], qr/^\S+: --cpus is missing: a whole number/m ],
        'half a CPU' => [ [ '--image', $IMAGE, '--cpus', '500m' ], qr/--cpus needs a whole number/ ],
        'a directory of the tree' => [ [ @ASKED, '--results', 'here' ], qr/--results needs a directory/ ],
        'an option that is none'  => [ [ @ASKED, '--cpu', 4 ],          qr/unknown option '--cpu'/ ],
    );
    for my $what (sort keys %wrong) {
        my $got = $carrier->run('fleet/kubernetes/make', @{ $wrong{$what}[0] }, 'k68', 'web1');
        is($got->{status}, 2, "$what: exit status");
        like($got->{err}, $wrong{$what}[1], "$what: why");
        is($got->{out}, '', "$what: no Job");
    }
    ok(!-e "$carrier->{dir}/k68", 'no campaign was made');
};

subtest "Kubernetes' own schemas take the Jobs, and refuse a mistyped key" => sub {
    plan skip_all => 'kubernetes-validate is not installed (PyPI: kubernetes-validate)'
        if !Touchstone::Machine::Command::find('kubernetes-validate');
    my $carrier = Carrier->new;
    my $yaml    = $carrier->run('fleet/kubernetes/make', @ASKED, 'k68', 'web1', 'web2', '--', @WHAT)->{out};
    my $file    = $carrier->write('jobs.yaml', $yaml);
    for my $version (qw(1.28 1.30 1.33)) {
        my $got = $carrier->run('kubernetes-validate', '--strict', '-k', $version, $file);
        is($got->{status}, 0, "version $version") or diag $got->{out}, $got->{err};
    }
    for my $key (qw(backoffLimit podReplacementPolicy nodeName hostPath seccompProfile)) {
        my $wrong = $carrier->write('wrong.yaml', $yaml =~ s/\b$key:/${key}s:/gr);
        isnt($carrier->run('kubernetes-validate', '--strict', $wrong)->{status}, 0, "'${key}s' is refused");
    }
};

# Makes a campaign of hosts, and returns a carrier whose kubectl says what is in files.
sub with_cluster {
    my (%of) = @_;
    my $carrier = Carrier->new;
    hosts($carrier, carrier => 'kubernetes', %of);
    my $got = $carrier->run("$Fake::BASE/Run", 'fleet', 'plan', 'hosts', '--campaign', 'k68', @WHAT);
    is($got->{err}, '', 'a campaign is planned');
    $carrier->{plan} = JSON::PP->new->utf8->decode($got->{out});
    $carrier->fake(kubectl => <<'END');
[ "$1 $2" != '-n bench' ] || shift 2
case "$1 $2" in
'get jobs') cat "$dir/jobs" ;;
'get pods') cat "$dir/pods.${4##*,touchstone/host=label-}" ;;
'logs '*) cat "$dir/log.$2" ;;
esac
END
    return $carrier;
}

# Says which Jobs there are: [ host, what of it ], and notes them and their pods for kubectl.
sub cluster {
    my ($carrier, %is) = @_;
    my @jobs;
    for my $host (@{ $carrier->{plan}{todo} }) {
        my $name = $host->{name};
        my $is   = $is{$name} || {};
        my %note = map { ("touchstone/$_->[0]" => "$_->[1]") } [ host => $name ],
            [ slot => $host->{slot} // '' ], [ order => $host->{order} ];
        push @jobs,
            {
            metadata => {
                name        => "job-$name",
                annotations => \%note,
                labels      => { 'touchstone/host' => "label-$name", %{ $is->{labels} || {} } }
            },
            spec   => { suspend    => $is->{suspended} ? JSON::PP::true : JSON::PP::false },
            status => { conditions => $is->{conditions} || [] }
            };
        my $pod  = { metadata => { name => "pod-$name" }, status => { phase => $is->{phase} // 'Running' } };
        my @pods = $pod->{status}{phase} eq 'Gone' ? () : $pod;
        $carrier->write("pods.$name", JSON::PP->new->canonical->encode({ items => \@pods }));
    }
    $carrier->write('jobs', JSON::PP->new->canonical->encode({ items => \@jobs }));
    return;
}

my %ENDED  = (conditions => [ { type => 'Complete', status => 'True' } ], phase => 'Succeeded');
my %FAILED = (
    conditions => [
        {
            type    => 'Failed',
            status  => 'True',
            reason  => 'BackoffLimitExceeded',
            message => "it=failed\n3 times"
        }
    ],
    phase => 'Failed'
);
my %WAITS = (suspended => 1, phase => 'Gone');

# Measures a host as a pod does, and returns the log.
sub measured {
    my ($carrier, $host) = @_;
    my ($todo) = grep { $_->{name} eq $host } @{ $carrier->{plan}{todo} };
    my $env    = { %{ $carrier->{env} || {} } };
    my $run    = $carrier->{fake}->run($todo->{words}, env => $env);
    is($run->{status}, 0, "$host is measured") or diag $run->{err};
    return $run->{out}
        . $carrier->{fake}->run([ 'fleet', 'give', 'k68', '--as', $host, '--whole' ], env => $env)->{out};
}

# Returns the words of kubectl's calls that begin so.
sub asked {
    my ($calls, @begin) = @_;
    return map { "@$_" } grep { "@$_[ 0 .. $#begin ]" eq "@begin" } @$calls;
}

sub events {
    my ($carrier) = @_;
    return map { JSON::PP::decode_json($_) } split /\n/, $carrier->read('k68/events.jsonl');
}

subtest 'records are taken from logs, failures are noted, and the next Jobs begin' => sub {
    my $carrier = with_cluster(
        at_once => 2,
        seed    => 1,
        hosts   => [ qw(a b e), map { { name => $_, slot => 's' } } qw(c d) ]
    );
    cluster($carrier, a => \%ENDED, b => \%FAILED, map { $_ => \%WAITS } qw(c d e));
    $carrier->write('log.pod-a',
        "2026-11-23T04:00:00.000000000Z noise\n" . measured($carrier, 'a') =~
            s/^/2026-11-23T04:00:01.123456789Z /mgr);
    my $got = $carrier->run('fleet/kubernetes/take', 'k68', '-n', 'bench');
    is($got->{status}, 75, 'some have not ended');
    like($got->{out}, qr/^taken a k68\.\w+\.1$/m, 'the record of the one that has');
    like(
        $got->{err},
        qr/^fleet\/kubernetes\/take: the Job of 'b' failed: it:failed\?3 times$/m,
        'the failure of another'
    );
    my @calls = $carrier->told('kubectl');
    is((grep { "@$_[ 0, 1 ]" ne '-n bench' } @calls) + 0, 0, 'its own words are for every call of kubectl');
    splice @$_, 0, 2 for @calls;
    is_deeply([ asked(\@calls, 'logs') ], ['logs pod-a'], 'one log is read');
    is_deeply(
        [ asked(\@calls, 'label') ],
        ['label --overwrite job job-a touchstone/taken=yes'],
        'and not again'
    );
    my @begun = asked(\@calls, 'patch');
    is(scalar @begun, 2, 'as many begin as may measure at once');
    like($begun[0], qr/^patch job job-[cde] --type=merge --patch \{"spec":\{"suspend":false\}\}$/,
        'by a patch');
    is((grep { / job-[cd] / } @begun) + 0, 1, 'one of a slot');
    my %last = map { $_->{host} => $_->{what} } events($carrier);
    is(
        "$last{a} $last{b} " . join(' ', grep { $last{$_} eq 'running' } sort keys %last),
        'over failed ' . join(' ', sort map { / job-(.) / } @begun),
        'what is noted'
    );
};

subtest 'what was taken is not read again, and a log without its record is said' => sub {
    my $carrier = with_cluster(at_once => 2, hosts => [qw(a b)]);
    cluster($carrier, a => { %ENDED, labels => { 'touchstone/taken' => 'yes' } }, b => \%ENDED);
    $carrier->write('log.pod-b', measured($carrier, 'b') =~ s/^TOUCHSTONE \S+ \w+ 1\/.*\n//mr);
    my $got = $carrier->run('fleet/kubernetes/take', 'k68');
    is_deeply([ asked([ $carrier->told('kubectl') ], 'logs') ], ['logs pod-b'], 'only the other is read');
    is($got->{status}, 1, 'exit status');
    like($got->{err},
        qr/^fleet\/kubernetes\/take: no record of 'b': none was taken from the log of 'pod-b'$/m, 'which');
    cluster(
        $carrier,
        a => { %ENDED, labels => { 'touchstone/taken' => 'yes' } },
        b => { %ENDED, phase  => 'Gone' }
    );
    like(
        $carrier->run('fleet/kubernetes/take', 'k68')->{err},
        qr/no record of 'b': its pod and its log are gone$/m,
        'a pod that is gone'
    );
    $carrier->told('kubectl');
    $carrier->write('log.pod-b', measured($carrier, 'b'));
    cluster($carrier, a => { %ENDED, labels => { 'touchstone/taken' => 'yes' } }, b => \%ENDED);
    is($carrier->run('fleet/kubernetes/take', 'k68')->{status}, 0, 'when all are in it ends well');
};

subtest 'a pod that delivers the record of another host gets it into the conflicts' => sub {
    my $carrier = with_cluster(at_once => 2, hosts => [qw(a b)]);
    cluster($carrier, a => { %ENDED, phase => 'Gone' }, b => \%ENDED);
    $carrier->write('log.pod-b', measured($carrier, 'a'));
    my $got = $carrier->run('fleet/kubernetes/take', 'k68');
    is($got->{status}, 1, 'exit status');
    like($got->{err}, qr/conflict: the record of 'b' in .*: it names the host 'a'/s, 'the reason');
    is_deeply([ glob "\Q$carrier->{dir}\E/k68/runs/*/*" ], [], 'nothing came in');
};

subtest 'where kubectl fails nothing is taken, and nothing begins' => sub {
    my $carrier = with_cluster(hosts => ['a']);
    $carrier->fake(kubectl => 'echo refused >&2; exit 1');
    my $got = $carrier->run('fleet/kubernetes/take', 'k68');
    isnt($got->{status}, 0, 'exit status');
    like($got->{err},
        qr/^fleet\/kubernetes\/take: kubectl does not say which Jobs there are; nothing was taken$/m, 'why');
    $carrier->fake(kubectl => q(echo '{"items": []}'));
    like(
        $carrier->run('fleet/kubernetes/take', 'k68')->{err},
        qr/no Jobs of the campaign 'k68'\n.*make prints them$/m,
        'no Jobs'
    );
    like($carrier->run('fleet/kubernetes/take', 'none')->{err}, qr/no campaign in 'none'/, 'no campaign');
};

# Starts the command of a Job as a container has it: as the first process of its own, in a file system that
# has the tree as /touchstone and a directory of the node as /results.
sub pod {
    my ($carrier, $job, $number) = @_;
    my ($main) = @{ $job->{spec}{template}{spec}{containers} };
    my @words  = map { expanded($_) } @{ $main->{command} }, @{ $main->{args} };
    my %env    = (map { $_->{name} => $_->{value} } @{ $main->{env} });
    my $root   = "$carrier->{dir}/root$number";
    my $make   = <<'END';
set -eu
root=$1 tree=$2 dir=$3
shift 3
mkdir -p "$root" "$dir/node"
mount -t tmpfs pod "$root"
for here in /usr /bin /lib /lib64 /etc /dev /proc; do
    [ ! -e "$here" ] || { mkdir "$root$here" && mount --rbind "$here" "$root$here"; }
done
mkdir -p "$root$dir" "$root/touchstone" "$root/results" "$root/tmp"
mount --bind "$dir" "$root$dir"
mount --bind "$tree" "$root/touchstone"
mount --bind "$dir/node" "$root/results"
exec chroot "$root" "$@"
END
    return $carrier->{fake}->start(
        [ $make, 'sh', $root, $Fake::BASE, $carrier->{dir}, @words ],
        command => [qw(unshare --mount --pid --fork --kill-child --mount-proc sh -c)],
        env     => { %env, PERL5OPT => '-I/touchstone/lib -I/touchstone/t/lib -MQuiet' }
    );
}

subtest "a pod's command measures once, however many pods there are, and its log has the record" => sub {
    plan skip_all => 'root, namespaces and python3 with yaml (Debian: python3-yaml) are needed'
        if $> != 0 || !has_yaml() || system('unshare --mount --pid --fork true 2>/dev/null') != 0;
    my $carrier = Carrier->new;
    my $host    = q{it's $(HOME) "a" b};
    hosts($carrier, hosts => [$host]);
    my ($job) =
        parsed($carrier, $carrier->run('fleet/kubernetes/make', @ASKED, 'k68', 'hosts', '--', @WHAT)->{out});
    my @got = map { $carrier->{fake}->wait_for_end($_) } map { pod($carrier, $job, $_) } 1, 2;
    my @records;
    for my $got (@got) {
        is($got->{status}, 0, 'a pod ends well') or diag $got->{err};
        push @records, join '', grep { /^TOUCHSTONE / } map { "$_\n" } split /\n/, $got->{out};
    }
    like(
        $records[0],
        qr/^TOUCHSTONE k68\.\w+\.1 begin:.*^TOUCHSTONE k68\.\w+\.1 end:/ms,
        'its log has the record'
    );
    is($records[1], $records[0],                                            'both have the same one');
    is(scalar(my @files = glob "\Q$carrier->{dir}\E/node/.runs/*.json"), 1, 'the node has one record');
    $carrier->write('log', $got[1]{out});
    my $taken = $carrier->run('sh', '-c', qq{exec '$Fake::BASE/Run' fleet collect - --campaign k68 <log});
    is("$taken->{status} $taken->{err}", '0 ', 'Run takes it in');
    like($taken->{out}, qr/^taken \Q$host\E k68\.\w+\.1$/, 'as that of its host');
};

done_testing();
