#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# Campaigns in a lab of six hosts with real ssh, in which hosts, links and controllers die. It takes a quarter
# of an hour and needs root: TOUCHSTONE_ALL=1 prove -lv t/fleet/cases.t. TOUCHSTONE_CASES, a pattern, plays
# those alone whose names match.
#
# A play is stopped where a host or a controller is to die: `hold` makes a file, and the program that stands
# in front of Run or sftp waits as long as it is there.
#
#   turn-web2    before web2 gets its turn         get-web2    before its record is fetched
#   got-web2     after that, before it is taken in
use 5.014;
use strict;
use warnings;

use JSON::PP ();
use POSIX ();
use Test::More;
use Time::HiRes qw(sleep time);

use lib 't/lib';
use Amount;
use Ansible;
use Cases;
use Fake;
use Touchstone::Machine::Command;

my $BASE = $Fake::BASE;
my $LAB  = "$BASE/t/fleet/lab";
my $ARCH = (POSIX::uname())[4];

# Nothing takes so many seconds.
my $PATIENCE = 300;

plan skip_all => 'it is long: TOUCHSTONE_ALL=1 plays it' if !Amount::is_all();
my $trouble = Ansible::trouble();
plan skip_all => $trouble if defined $trouble;
chomp($trouble = `$LAB check`);
plan skip_all => "there can be no lab here: $trouble" if length $trouble;

my $ansible = Ansible->new;
my $dir     = $ansible->{dir};
$ENV{LAB} = "$dir/lab";
my $bundle = $ansible->bundle(real => 1, programs => [qw(pipe syscall hanoi)]);
my $hooks  = "$dir/hooks";
mkdir $hooks or die "cannot make '$hooks': $!\n";

# The lab ends when this does, however it ends.
pipe my $read, my $write or die "cannot make a pipe: $!\n";
{
    open my $stdin, '<&', \*STDIN or die "cannot keep standard input: $!\n";
    open STDIN,     '<&', $read   or die "cannot redirect standard input: $!\n";
    lab('up', '--while-open', 6);
    open STDIN, '<&', $stdin or die "cannot restore standard input: $!\n";
}
close $read;

END {
    my $status = $?;
    system "$LAB down" if defined $dir && -e "$dir/lab";
    $? = $status;
}

sub lab {
    my (@words) = @_;
    system("$LAB @words >$dir/lab.out 2>&1") == 0
        or die "lab @words failed\n", Fake::read_file("$dir/lab.out");
    return;
}

# These stop where they are told to, and are Run and sftp then.
sub program {
    my ($name, $text) = @_;
    Fake::write_file("$dir/$name", $text);
    chmod oct 755, "$dir/$name";
    return "$dir/$name";
}
my $STOP = <<"END";
#!/bin/sh
stop() {
    [ -e "$hooks/\$1" ] || return 0
    : >"$hooks/reached"
    while [ -e "$hooks/\$1" ]; do sleep 0.05; done
}
END
my $run = program('run', <<"END");
$STOP
for host; do :; done
[ "\$1 \$2" = 'fleet turn' ] && stop "turn-\$host"
exec $^X $BASE/Run "\$@"
END
my $sftp = program('sftp', <<"END");
$STOP
batch=\$(cat)
for host; do :; done
host=\${host#[} host=\${host%]}
case "\$batch" in get*) stop "get-\$host" ;; esac
printf '%s\\n' "\$batch" | sftp "\$@" || exit
case "\$batch" in get*) stop "got-\$host" ;; esac
END

sub hold    { my ($name) = @_;        return Fake::write_file("$hooks/$name", '') }
sub release { unlink glob "$hooks/*"; return }

sub until_true {
    my ($what, $is) = @_;
    my $end = time + $PATIENCE;
    until ($is->()) {
        die "waited $PATIENCE s for $what\n" if time > $end;
        sleep 0.02;
    }
    return;
}

# A new campaign of these hosts; slots => { web1 => 'a' }.
sub campaign {
    my ($name, $hosts, %how) = @_;
    my $file  = "$dir/$name.yml";
    my %hosts = map { $_ => { touchstone_slot => $how{slots}{$_} // $_ } } @$hosts;
    Fake::write_file($file, JSON::PP->new->canonical->encode({ all => { hosts => \%hosts } }));
    my %with = (
        touchstone_campaign    => $name,
        touchstone_directory   => "$dir/$name",
        touchstone_words       => '--quick -c 1 pipe syscall hanoi',
        touchstone_bundle      => $how{bundle} // $bundle,
        touchstone_run         => $run,
        touchstone_reconnect   => 1,
        ansible_ssh_extra_args => '-o ServerAliveInterval=1 -o ServerAliveCountMax=4',
        %{ $how{with} || {} }
    );
    return { name => $name, at => "$dir/$name", inventory => $file, hosts => $hosts, with => \%with };
}

sub begin {
    my ($it, %how) = @_;
    return $ansible->start(
        'measure.yml',
        inventory   => $it->{inventory},
        with        => $it->{with},
        before      => [ $LAB, 'do', @{ $how{before} || [] } ],
        environment => { ANSIBLE_SFTP_EXECUTABLE => $sftp }
    );
}

sub play { my ($it, %how) = @_; return $ansible->finish(begin($it, %how)) }

sub said { my ($got) = @_; return $got->{out} . $got->{err} }

# Each host that has records, with how many, and who has what other standing.
sub received {
    my ($it) = @_;
    my $records = Ansible::records($it->{at});
    return join ' ', map { "$_:" . @{ $records->{$_} } } sort keys %$records;
}

sub all_received {
    my ($it, $what) = @_;
    return is(
        received($it),
        join(' ', map { "$_:1" } sort @{ $it->{hosts} }),
        $what // 'each host has one record'
    );
}

sub last_event {
    my ($it, $host) = @_;
    my ($last) = grep { ($_->{host} // q()) eq $host } reverse map { JSON::PP::decode_json($_) } split /\n/,
        Fake::read_file("$it->{at}/events.jsonl");
    return join ': ', grep { defined } @{ $last || {} }{qw(what why)};
}

# The play of a finished campaign.
sub is_finished {
    my ($it) = @_;
    my $got = play($it);
    is(Ansible::sum($got, 'changed'), 0, 'played again it changes nothing') or diag(said($got));
    unlike($got->{out}, qr/Look what is there/, 'and connects to no host');
    return all_received($it, 'each host still has one record');
}

# How many passes a host has measured for a campaign.
sub passes_on {
    my ($it, $n) = @_;
    my ($journal) = glob "$dir/lab/$n/home/op/.cache/touchstone/results/.runs/$it->{name}.*.jsonl"
        or return 0;
    return scalar(() = Fake::read_file($journal) =~ /\n/g);
}

sub in_a_pass {
    my ($it, $n) = @_;
    return until_true("a pass on web$n", sub { passes_on($it, $n) > 4 });
}

sub reached {
    return until_true('the play to be there', sub { -e "$hooks/reached" });
}

# A record of web2 that was fetched by half.
sub halve {
    my ($it)   = @_;
    my ($web2) = grep { $_->{name} eq 'web2' } @{ Ansible::json("$it->{at}/campaign.json")->{hosts} };
    my $file   = "$it->{at}/staging/$web2->{order}.json";
    truncate $file, (-s $file) / 2 or die "cannot cut '$file': $!\n";
    return;
}

# Where a host or a controller dies: { name, hold => what is held, when => what is waited for, noted => what
# becomes of a host }.
my @MOMENTS = (
    { name => 'before it measures', id => 'early', hold => 'turn-web2', when => \&reached },
    { name => 'in a pass', id => 'pass', when => sub { in_a_pass($_[0], 2) } },
    { name => 'after the record and before the fetch', id => 'get', hold => 'get-web2', when => \&reached },
    {
        name  => 'during the fetch',
        id    => 'got',
        hold  => 'got-web2',
        when  => sub { reached(); halve(@_) },
        noted => 'failed: checksum mismatch'
    }
);

shows 'of one slot one host is measured at a time, and one that is never reached stops nobody' => sub {
    my %slots = (web1 => 'a', web2 => 'a', web3 => 'b', web4 => 'b', web5 => 'b', web6 => 'c');
    my $it    = campaign('slots', [ sort keys %slots ], slots => \%slots);
    lab('cut', 6);
    my $got = play($it);
    like($got->{status}, qr/\A[24]\z/, 'exit status: missing, or lost on the way');
    is(received($it), join(' ', map { "web$_:1" } 1 .. 5), 'the others are received') or diag(said($got));
    like(last_event($it, 'web6'), qr/\Aunreachable: .*ssh/, 'it is noted with the words of ssh');
    like(said($got),              qr/unreachable.*ssh/s,    'which the report has');
    like($got->{out}, qr/\QTASK [host : Say what was found]\E(?!.*^TASK)/ms, 'the play ends with its answer');
    lab('join', 6);
    play($it);
    all_received($it);
    my %times;

    for my $records (values %{ Ansible::records($it->{at}) }) {
        push @{ $times{ $_->{campaign}{slot} } }, [ @$_{qw(started ended)} ] for @$records;
    }
    for my $slot (sort keys %times) {
        my @in = sort { $a->[0] <=> $b->[0] } @{ $times{$slot} };
        is(scalar(grep { $in[$_][0] < $in[ $_ - 1 ][1] } 1 .. $#in), 0, "no two records of '$slot' overlap");
    }
    is_finished($it);
};

for my $moment (@MOMENTS) {
    shows "a host dies $moment->{name}" => sub {
        my $it = campaign("host-$moment->{id}", [qw(web1 web2)]);
        hold($moment->{hold}) if $moment->{hold};
        my $play = begin($it);
        $moment->{when}->($it);
        lab('kill', 2);
        release();
        my $got = $ansible->finish($play);
        like($got->{status}, qr/\A[24]\z/, 'exit status: missing, or lost on the way');
        is(received($it),           'web1:1', 'the other one is received') or diag(said($got));
        is(last_event($it, 'web2'), $moment->{noted} // 'unreachable', 'it is noted');
        lab('reboot', 2);
        play($it);
        all_received($it);
        is_finished($it);
    };
}

for my $moment (@MOMENTS) {
    shows "the controller dies $moment->{name}" => sub {
        my $it = campaign("controller-$moment->{id}", [qw(web1 web2)]);
        hold($moment->{hold}) if $moment->{hold};
        my $play = begin($it, before => ['--apart']);
        $moment->{when}->($it);
        kill 'KILL', $play->{pid};
        waitpid $play->{pid}, 0;
        release();
        my $got = play($it);
        is($got->{recap}{web2}{unreachable}, 0, 'the same command goes on') or diag(said($got));
        all_received($it);
        my @attempts = map { $_->{campaign}{attempt} } map { @$_ } values %{ Ansible::records($it->{at}) };
        is("@attempts", '1 1', 'nothing is measured twice');
        is_finished($it);
    };
}

shows 'a host that starts anew in a pass is measured to the end by the same play' => sub {
    my $it   = campaign('anew', ['web2'], with => { touchstone_reconnect => 6 });
    my $play = begin($it);
    in_a_pass($it, 2);
    lab('reboot', 2);
    my $got = $ansible->finish($play);
    all_received($it) or diag(said($got));
};

shows 'a host that dies in its second run is noted, and is measured twice in the end' => sub {
    my $it   = campaign('twice', [qw(web1 web2)], with => { touchstone_runs => 2 });
    my $play = begin($it);
    until_true('the second run of web2',
        sub { @{ Ansible::records($it->{at})->{web2} // [] } == 1 && passes_on($it, 2) > 4 });
    lab('kill', 2);
    my $got = $ansible->finish($play);
    like($got->{status}, qr/\A[24]\z/, 'exit status: missing, or lost on the way');
    is(received($it),           'web1:2 web2:1', 'what has ended is received') or diag(said($got));
    is(last_event($it, 'web2'), 'unreachable',   'it is noted');
    lab('reboot', 2);
    play($it);
    is(received($it),                      'web1:2 web2:2', 'each host has two records');
    is(Ansible::sum(play($it), 'changed'), 0,               'played again it changes nothing');
};

shows 'a link that is cut for a while is no matter' => sub {
    my $it   = campaign('link', ['web2']);
    my $play = begin($it);
    in_a_pass($it, 2);
    lab('cut', 2);
    sleep 1.5;
    lab('join', 2);
    my $got = $ansible->finish($play);
    all_received($it) or diag(said($got));
    is($got->{recap}{web2}{unreachable}, 0, 'Ansible does not even tell of it');
};

shows 'a second play of one campaign is refused while the first is at work' => sub {
    my $it = campaign('two', ['web1']);
    hold('turn-web1');
    my $play = begin($it);
    reached();
    my $second = play($it);
    isnt($second->{status}, 0, 'it is refused');
    like(
        said($second),
        qr/another ansible-playbook, process \d+, is at work on the campaign/,
        'with the reason'
    );
    release();
    like(said($ansible->finish($play)), qr/1 host: fewer than 5 of one kind/, 'few hosts are noted first');
    all_received($it);
};

shows 'a disk that is full on a host' => sub {
    my $it   = campaign('full-host', [qw(web1 web3)]);
    my $work = '/home/op/.cache/touchstone';
    lab('in', 3, "sh -c 'mkdir -p $work && mount -t tmpfs -o size=128k,uid=4711 tmpfs $work'");
    play($it);
    is(received($it), 'web1:1', 'the other one is received');
    like(last_event($it, 'web3'), qr/\Afailed: .*(?:space|ENOSPC)/i, 'it is noted with the reason');
    lab('in', 3, "umount $work");
    play($it);
    all_received($it);
};

shows 'a disk that is full on the controller' => sub {
    my $it = campaign('full-controller', ['web1']);
    mkdir $it->{at};
    mkdir "$it->{at}/staging";
    my @full =
        (qw(unshare -m sh -c), 'mount -t tmpfs -o size=8k tmpfs "$0" && exec "$@"', "$it->{at}/staging");
    my $got = play($it, before => \@full);
    is(received($it), '', 'nothing is received') or diag(said($got));
    like(last_event($it, 'web1'), qr/\A(?:failed: .|unreachable)/, 'it is noted');
    play($it);
    all_received($it);
};

shows 'a host without perl' => sub {
    my $it = campaign('perl', [qw(web1 web4)]);
    lab('in', 4, "mount --bind /dev/null $^X");
    play($it);
    is(received($it), 'web1:1', 'the other one is received');
    is(
        last_event($it, 'web4'),
        'failed: perl is missing or incomplete: install the package perl',
        'it says so'
    );
    lab('in', 4, "umount $^X");
};

shows 'a host without python3' => sub {
    my $it      = campaign('python', [qw(web1 web4)]);
    my @pythons = grep { -x && !-l } glob '/usr/bin/python3*';
    lab('in', 4, "mount --bind /dev/null $_") for @pythons;
    play($it);
    is(received($it), 'web1:1', 'the other one is received');
    is(
        last_event($it, 'web4'),
        'failed: python3 is missing: install it, or measure with fleet/ssh, which does without',
        'it says so, and what needs none'
    );
    lab('in', 4, "umount $_") for @pythons;
};

shows 'a host of another architecture' => sub {
    my $it = campaign('arch', [qw(web1 web4)]);
    Fake::write_file("$dir/lab/4/run/uname", qq(#!/bin/sh\n[ "\$1" = -m ] && echo mips || echo Linux\n));
    chmod oct 755, "$dir/lab/4/run/uname";
    my $uname = Touchstone::Machine::Command::find('uname');
    lab('in', 4, "mount --bind /run/uname $uname");
    play($it);
    is(received($it), 'web1:1', 'the other one is received');
    like(
        last_event($it, 'web4'),
        qr/\Afailed: no programs for mips: .*the variable touchstone_bundle names one\z/,
        'it says what there is not, and the remedy'
    );
    my $both = campaign(
        'both',
        [qw(web1 web4)],
        bundle => [
            $bundle,
            $ansible->bundle(
                arch     => 'mips',
                real     => 1,
                programs => [qw(pipe syscall hanoi)]
            )
        ]
    );
    play($both);
    all_received($both, 'with bundles for both, both are measured');
    is_deeply(
        [ sort keys %{ Ansible::json("$both->{at}/campaign.json")->{programs} } ],
        [ sort 'mips', $ARCH ],
        'the manifest names the programs of each'
    );
    lab('in', 4, "umount $uname");
};

shows 'clones have one installation, and a record each' => sub {
    my $it = campaign('clones', [qw(web1 web5)]);
    lab('in', 5, 'umount /etc/machine-id');
    my $id = Fake::read_file("$dir/lab/5/machine-id");
    Fake::write_file("$dir/lab/5/machine-id", Fake::read_file("$dir/lab/1/machine-id"));
    lab('reboot', 5);
    play($it);
    all_received($it);
    my %machines = map { $_->{campaign}{machine} => 1 } map { @$_ } values %{ Ansible::records($it->{at}) };
    is(scalar keys %machines, 1, 'the records tell that they are clones');
    Fake::write_file("$dir/lab/5/machine-id", $id);
};

shows 'a host whose clock is a year off' => sub {
    my ($faketime) = glob '/usr/lib/*/faketime/libfaketime.so.1';
    plan skip_all => 'libfaketime is not installed' if !defined $faketime;
    my $it    = campaign('clock', [qw(web1 web4)]);
    my $year  = "LD_PRELOAD=$faketime FAKETIME=-365d FAKETIME_DONT_FAKE_MONOTONIC=1";
    my $place = "$dir/lab/4/run";
    lab('in', 4, "sh -c 'cp $^X /run/perl.own && chmod 755 /run/perl.own'");
    Fake::write_file("$place/perl", qq(#!/bin/sh\nexec env $year /run/perl.own "\$@"\n));
    chmod oct 755, "$place/perl";
    lab('in', 4, "mount --bind /run/perl $^X");
    play($it);
    all_received($it);
    my $off = Ansible::records($it->{at})->{web4}[0]{started} - time;
    cmp_ok($off, '<', -364 * 86_400, 'its record is of last year');
    like(
        `$^X $BASE/Run fleet judge $it->{at} --format status`,
        qr/web4: its clock is slow by about 36[45] days/,
        'the report says that it is wrong'
    );
    lab('in', 4, "umount $^X");
};

shows 'a host whose programs were exchanged' => sub {
    my $first = campaign('shipped', ['web3']);
    play($first);
    all_received($first);
    my ($pipe) = glob "$dir/lab/3/home/op/.cache/touchstone/programs/*/pgms/pipe";
    my $bytes = Fake::read_file($pipe);
    Fake::write_file($pipe, "$bytes\n");
    my $it = campaign('exchanged', [qw(web1 web3)]);
    play($it);
    is(received($it), 'web1:1', 'the other one is received');
    like(
        last_event($it, 'web3'),
        qr/its programs are not those that were planned for \Q$ARCH\E: build fingerprint/,
        'what it measured is refused'
    );
    Fake::write_file($pipe, $bytes);
};

shows 'the lab leaves nothing' => sub {
    close $write;
    until_true('the lab to end', sub { system("$LAB do true 2>/dev/null") != 0 });
    lab('down');
    ok(!-e "$dir/lab", 'no directory');
    is(scalar(() = Fake::read_file('/proc/self/mountinfo') =~ m{\Q$dir\E/lab}g), 0, 'no mount');
    unlike(`ip link`, qr/\bbr0\b/, 'no interface');
};

done_testing;
