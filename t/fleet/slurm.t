#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# fleet/slurm with Slurm itself, of four nodes on this machine: campaigns from nothing to their records, and
# jobs that are cancelled, requeued and killed while they measure. It takes some minutes and needs root:
#
#   make && prove -l t/fleet/slurm.t
#
# TOUCHSTONE_CASES, a pattern, plays those alone whose names match.
use 5.014;
use strict;
use warnings;

use File::Temp ();
use JSON::PP ();
use Test::More;
use Time::HiRes qw(sleep time);

use lib 't/lib', 'lib';
use Cases;
use Fake;

{ package Slurm; require './t/fleet/slurm'; }
if (my $trouble = Slurm::trouble()) { plan skip_all => "no Slurm here: $trouble" }

# Nothing here takes this many seconds unless it is broken or the machine is very busy.
my $PATIENCE = 300;

# Some seconds of passes, so that a job can be hit while it measures.
my @WHAT = qw(--quick -c 1 pipe syscall execl spawn);

my $temp = File::Temp->newdir;
my $lab  = "$temp/lab";
is(Slurm::up($lab, 4), 0, 'a Slurm of four nodes is up') or BAIL_OUT('see its logs');
END { Slurm::down($lab) if defined $lab && -e $lab }

# Returns status and both streams of a command in the lab.
sub said {
    my (@words) = @_;
    local $ENV{UB_TMPDIR} = "$temp";
    open my $from, '-|', Slurm::words_in($lab, 'sh', '-c', 'exec "$@" 2>&1', 'sh', @words)
        or die "cannot fork: $!\n";
    local $/;
    my $text = <$from> // '';
    close $from;
    return ($? >> 8, $text);
}

sub submit { my ($name, @words) = @_; return said("$Fake::BASE/fleet/slurm/submit", "$temp/$name", @words) }

sub until_true {
    my ($what, $is_true) = @_;
    my $until = time + $PATIENCE;
    until ($is_true->()) {
        if (time > $until) {
            diag(
                (said('squeue'))[1],
                (said('sinfo', '-N', '-l'))[1],
                map { "$_\n" . Fake::read_file($_) } glob "$temp/*/nodes/*.out"
            );
            BAIL_OUT("waited in vain until $what");
        }
        sleep 0.2;
    }
    return;
}

sub jobs {
    return grep { length } split /\n/, (said('squeue', '-h', '-o', '%i %n %T'))[1];
}

sub until_idle {
    until_true('no job is left', sub { !jobs() });
    return;
}

# Returns { HOST => [ records ] } of a campaign.
sub records {
    my ($name) = @_;
    my %of;
    for my $file (sort glob "$temp/$name/runs/*/*.json") {
        my $record = JSON::PP->new->utf8->decode(Fake::read_file($file));
        push @{ $of{ $record->{campaign}{host} } }, $record;
    }
    return \%of;
}

# Says how many records each host has: node1 1, node2 1
sub counted {
    my ($name) = @_;
    my $of = records($name);
    return join ', ', map { "$_ " . @{ $of->{$_} } } sort keys %$of;
}

# Waits until a node has some passes of a campaign, and has more to measure.
sub until_measuring {
    my ($name, $node) = @_;
    until_true(
        "$node measures",
        sub {
            local $ENV{UB_RESULTDIR} = "$temp/$name/nodes";
            my ($status, $text) = said("$Fake::BASE/Run", 'fleet', 'state', $name, '--as', $node);
            my $state = eval { JSON::PP::decode_json($text) } || {};
            return ($state->{state} // '') eq 'running' && ($state->{pass} // 0) >= 2;
        }
    );
    return;
}

sub job_of {
    my ($node) = @_;
    return (map { /\A(\d+) \Q$node\E / ? $1 : () } jobs())[0];
}

shows 'a campaign from nothing ends with a record of each node' => sub {
    my ($status, $text) = submit('nothing', 'node[1-4]', @WHAT);
    is($status,                                       0, 'the jobs are sent') or diag $text;
    is(scalar(() = $text =~ /^node[1-4] job \d+$/mg), 4, 'four of them');
    until_idle();
    is(counted('nothing'), 'node1 1, node2 1, node3 1, node4 1', 'one record each');
    for my $record (map { @$_ } values %{ records('nothing') }) {
        is($record->{campaign}{carrier}, 'slurm',    "$record->{campaign}{host}: it says what carried it");
        is($record->{status},            'complete', 'it is complete');
    }
    my $cpus = () = Fake::read_file('/proc/cpuinfo') =~ /^processor/mg;
    is(records('nothing')->{node1}[0]{host}{usable_cpus},
        $cpus, 'a job may use every CPU of its node, wherever Slurm would bind it');
    ($status, $text) = submit('nothing', 'node[1-4]', @WHAT);
    is("$status $text",   '0 ', 'the same line again sends nothing');
    is(join(' ', jobs()), '',   'no job');
};

shows 'a job that is cancelled in a pass resumes with the next submit' => sub {
    submit('cancelled', 'node1', @WHAT);
    until_measuring('cancelled', 'node1');
    said('scancel', job_of('node1'));
    until_idle();
    is(counted('cancelled'), '', 'it has no record');
    my ($status, $text) = submit('cancelled', 'node1', @WHAT);
    like($text, qr/^node1 job \d+$/m, 'it has a job again');
    until_idle();
    is(counted('cancelled'), 'node1 1', 'one record');
    ok(records('cancelled')->{node1}[0]{resumed}, 'which was resumed');
};

shows 'a job that is requeued in a pass resumes by itself' => sub {
    submit('requeued', 'node2', @WHAT);
    until_measuring('requeued', 'node2');
    is((said('scontrol', 'requeue', job_of('node2')))[0], 0, 'it is requeued');
    until_idle();
    is(counted('requeued'), 'node2 1', 'one record');
    ok(records('requeued')->{node2}[0]{resumed}, 'which was resumed');
};

shows 'a node that loses its power in a pass measures the rest when it is back' => sub {
    submit('power', 'node[3-4]', @WHAT);
    until_measuring('power', 'node3');
    is(Slurm::kill_node($lab, 'node3'), 0, 'slurmd and all of the job are killed');
    until_true('the node is down', sub { (said(qw(sinfo -h -o %T -n node3)))[1] =~ /down/ });
    my ($status, $text) = submit('power', 'node[3-4]', @WHAT);
    unlike($text, qr/node3/, 'its job waits for it, so a submit sends no other') or diag $text;
    Slurm::start_node($lab, 'node3');
    until_idle();
    is(counted('power'), 'node3 1, node4 1', 'one record each');
    ok(records('power')->{node3}[0]{resumed}, 'which was resumed');
};

shows 'slurmd that dies alone takes no measurement with it' => sub {
    submit('daemon', 'node1', @WHAT);
    until_measuring('daemon', 'node1');
    Slurm::kill_node($lab, 'node1', 'slurmd');
    until_true('the node is down', sub { (said(qw(sinfo -h -o %T -n node1)))[1] =~ /down/ });
    Slurm::start_node($lab, 'node1');
    until_idle();
    is(counted('daemon'), 'node1 1', 'one record');
};

shows 'a partition that is down keeps the jobs, and a second submit adds none' => sub {
    said(qw(scontrol update PartitionName=all State=DOWN));
    submit('down', 'node[1-2]', @WHAT);
    is(scalar(my @jobs = jobs()), 2, 'two jobs wait');
    my ($status, $text) = submit('down', 'node[1-2]', @WHAT);
    unlike("$status $text", qr/ job |\A[^0]/, 'the second submit sends nothing');
    is(scalar(@jobs = jobs()), 2, 'there are still two');
    said(qw(scontrol update PartitionName=all State=UP));
    until_idle();
    is(counted('down'), 'node1 1, node2 1', 'one record each');
};

shows 'nodes of one slot are measured one at a time, and no more jobs are sent than allowed' => sub {
    Fake::write_file("$temp/hosts", join '', map { "node$_ slot=hv7\n" } 1 .. 3);
    my ($status, $text) =
        said("$Fake::BASE/fleet/slurm/submit", '--most', 2, "$temp/slot", "$temp/hosts", @WHAT);
    is($status, 75, 'one of three is left') or diag $text;
    until_idle();
    is(scalar(split /,/, counted('slot')), 2, 'two are measured');
    ($status, $text) = submit('slot', "$temp/hosts", @WHAT);
    is($status, 0, 'the third is sent');
    until_idle();
    is(counted('slot'), 'node1 1, node2 1, node3 1', 'one record each');
    my @runs = sort { $a->{started} <=> $b->{started} } map { @$_ } values %{ records('slot') };
    cmp_ok($runs[ $_ - 1 ]{ended}, '<=', $runs[$_]{started}, "run $_ ended before the next began")
        for 1 .. $#runs;
};

shows 'nothing is left' => sub {
    Slurm::down($lab);
    ok(!-e $lab, 'no directory');
    my @left = grep { Fake::read_file("$_/environ") =~ /SLURM_CONF=\Q$temp\E/ } glob '/proc/[0-9]*';
    is("@left", '', 'no process');
};

done_testing();
