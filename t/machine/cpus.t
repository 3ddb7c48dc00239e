# SPDX-License-Identifier: GPL-2.0-or-later
# Cpus on machines made of files: masks, quotas, topologies, and files that are none of these.
use 5.014;
use strict;
use warnings;

use File::Basename qw(dirname);
use File::Path qw(make_path);
use File::Temp ();
use Test::More;

use lib 't/lib';
use NoWarnings;
use Touchstone::Machine::Cpus;

my $CPU = 'sys/devices/system/cpu';

# Makes a directory with these files, which exists as long as the object.
sub machine {
    my (%file) = @_;
    my $root = File::Temp->newdir;
    for my $name (sort keys %file) {
        make_path(dirname("$root/$name"));
        open my $out, '>', "$root/$name" or die "cannot write '$root/$name': $!\n";
        print {$out} $file{$name};
        close $out or die "cannot write '$root/$name': $!\n";
    }
    return $root;
}

sub cpus_of {
    my $root = machine(@_);
    return Touchstone::Machine::Cpus::read_all("$root");
}

sub status {
    return ('proc/self/status' =>
            "Name:\tRun\nCpus_allowed:\tff\nCpus_allowed_list:\t$_[0]\nMems_allowed_list:\t0\n");
}

# Returns { core => { id => core }, usable => [...] } for four CPUs on two cores, numbered as usual: siblings
# are two apart.
sub smt { return { usable => [ @_ ? @_ : 0 .. 3 ], core => { 0 => 0, 1 => 1, 2 => 0, 3 => 1 } } }

subtest 'a list of CPUs is read, and anything else is none' => sub {
    my %list = ('0' => '0', '0-3' => '0 1 2 3', '0,2-3,8' => '0 2 3 8', '7-7' => '7', '10,9' => '10 9');
    is(join(' ', Touchstone::Machine::Cpus::list_of($_)), $list{$_}, "'$_'") for sort keys %list;
    for my $text (
        '',      ' ',   'all', '0-',  '-1',  '0,',       ',0', '0--3',
        '0-3-5', '0 1', "0\n", '0x1', '1.5', '99999999', "0\0"
    ) {
        is(join(' ', Touchstone::Machine::Cpus::list_of($text)), '', 'no list: ' . ($text =~ s/[^ -~]/?/gr));
    }
};

subtest 'without /sys the CPUs are those that /proc counts' => sub {
    my $found = cpus_of('proc/stat' => "cpu  9 9 9\ncpu0 4 4 4\ncpu2 5 5 5\nintr 7\n", status('0-3'));
    is("@{ $found->{online} } / @{ $found->{usable} }", '0 2 / 0 2', 'one of three is offline');
};

# Makes these commands, which print the answers, the only ones, and returns how many CPUs there are.
sub count_with {
    my (%answer) = @_;
    my $commands =
        machine(map { $_ => "#!/bin/sh\ncase \"\$*\" in $answer{$_} *) exit 1 ;; esac\n" } keys %answer);
    chmod 0755, map { "$commands/$_" } keys %answer;
    local $ENV{PATH} = "$commands";
    return scalar @{ cpus_of()->{online} };
}

subtest 'without /proc the CPUs are those that getconf or sysctl counts' => sub {
    my %linux = (getconf => '_NPROCESSORS_ONLN) echo 6 ;;');
    is(count_with(%linux, sysctl => '*) echo 9 ;;'),                 6,  'Linux, FreeBSD, OpenBSD and macOS');
    is(count_with(getconf        => 'NPROCESSORS_ONLN) echo 12 ;;'), 12, 'NetBSD: no underscore');
    is(count_with(sysctl         => "'-n hw.ncpuonline') echo 3 ;; '-n hw.ncpu') echo 4 ;;"),
        3, 'sysctl: those online');
    is(count_with(getconf => '_NPROCESSORS_ONLN) echo undefined ;;', sysctl => "'-n hw.ncpu') echo 8 ;;"),
        8, 'an answer that is no number');
    is(count_with(),                          1, 'no command');
    is(count_with(getconf => '*) echo 0 ;;'), 1, 'none');
};

subtest 'usable are the CPUs that are online and in the mask' => sub {
    my $all = cpus_of("$CPU/online" => "0-3\n", status('0-3'));
    is(
        "@{ $all->{online} } / @{ $all->{usable} } / $all->{usable_count}",
        '0 1 2 3 / 0 1 2 3 / 4',
        'all of them'
    );
    my $mask = cpus_of("$CPU/online" => "0-7\n", status('2,5-6'));
    is(
        "@{ $mask->{online} } / @{ $mask->{usable} } / $mask->{usable_count}",
        '0 1 2 3 4 5 6 7 / 2 5 6 / 3',
        'a mask: ids come from it'
    );
    my $offline = cpus_of("$CPU/online" => "0,2-3\n", status('0-7'));
    is(
        "@{ $offline->{usable} } / $offline->{usable_count}",
        '0 2 3 / 3',
        'a CPU that is offline is not usable'
    );
    my $many = cpus_of("$CPU/online" => "0-511\n", status('256-511'));
    is("$many->{usable}[0] $many->{usable}[-1] $many->{usable_count}", '256 511 256', 'many');
    is($all->{quota},                                                  undef,         'no cgroup, no quota');
};

subtest 'what cannot be right in a mask is not believed' => sub {
    for my $mask ('', 'rubbish', '8-9', "\0", '3-1') {
        my $cpus = cpus_of("$CPU/online" => "0-1\n", status($mask));
        is(
            "@{ $cpus->{usable} } $cpus->{usable_count}",
            '0 1 2',
            'all that are online, with mask ' . ($mask =~ s/[^ -~]/?/gr)
        );
    }
    my $none = cpus_of("$CPU/online" => "0-1\n");
    is("@{ $none->{usable} }", '0 1', 'without /proc/self/status too');
};

subtest 'a machine that tells nothing has at least one CPU' => sub {
    for my $files (
        [],
        [ "$CPU/online"        => '' ],
        [ "$CPU/online"        => "rubbish\n" ],
        [ "$CPU/online"        => "\xff\xfe\0\n\n" ],
        [ "$CPU/online/x"      => 'a directory' ],
        [ 'proc/self/cgroup'   => "\0\0:::::\n0\n0::\n:\n" ],
        [ 'proc/self/status/x' => '' ]
    ) {
        my $cpus = cpus_of(@$files);
        ok(@{ $cpus->{online} } >= 1 && @{ $cpus->{usable} } >= 1 && $cpus->{usable_count} >= 1,
            'usable: ' . ($files->[0] // 'no file'));
        is(join(' ', sort keys %{ $cpus->{core} }), join(' ', sort @{ $cpus->{online} }), 'each with a core');
    }
    ok(Touchstone::Machine::Cpus::read_all()->{usable_count} >= 1, 'so has this one');
};

my %four = ("$CPU/online" => "0-3\n", status('0-3'));
sub quota { my $cpus = cpus_of(%four, @_); return join ' ', $cpus->{quota} // 'none', $cpus->{usable_count} }

subtest 'a quota of cgroups version 2 is rounded up' => sub {
    my @group = ('proc/self/cgroup' => "0::/job\n");
    my %max   = (
        '200000 100000' => '2 2',
        '150000 100000' => '1.5 2',
        '50000 100000'  => '0.5 1',
        '100001 100000' => '1.00001 2',
        '25000 10000'   => '2.5 3',
        '800000 100000' => '8 4',
        'max 100000'    => 'none 4',
        ''              => 'none 4',
        'rubbish'       => 'none 4',
        '100000 0'      => 'none 4',
        '-1 100000'     => 'none 4',
        '0 100000'      => '0 1'
    );
    is(quota(@group, 'sys/fs/cgroup/job/cpu.max' => "$_\n"), $max{$_},     "cpu.max '$_'") for sort keys %max;
    is(quota(@group),                                        'none 4',     'no cpu.max');
    is(quota(@group, 'sys/fs/cgroup/cpu.max' => "100000 100000\n"), '1 1', 'of the root, as in a container');
    is(quota('proc/self/cgroup' => "0::/\n", 'sys/fs/cgroup/cpu.max' => "100000 100000\n"),
        '1 1', 'in the root');
    is(quota(@group, 'sys/fs/cgroup/unified/job/cpu.max' => "100000 100000\n"), '1 1', 'beside version 1');
    is(quota(@group, 'sys/fs/cgroup/other/cpu.max' => "100000 100000\n"), 'none 4', 'not of another group');
    is(quota('proc/self/cgroup' => "0::/a b/c:d\n", 'sys/fs/cgroup/a b/c:d/cpu.max' => "100000 100000\n"),
        '1 1', 'odd names');
    is(quota('proc/self/cgroup' => "0::/../../x\n", 'sys/fs/cgroup/cpu.max' => "300000 100000\n"),
        '3 3', 'a group outside the name space');
};

subtest 'the tightest group around the process counts' => sub {
    my @group = ('proc/self/cgroup' => "0::/a/b/c\n");
    my $max   = sub {
        my %of = @_;
        return map { ("sys/fs/cgroup$_/cpu.max" => "$of{$_} 100000\n") } sort keys %of;
    };
    is(quota(@group, $max->('/a' => 100000, '/a/b' => 300000, '/a/b/c' => 200000)), '1 1', 'the outermost');
    is(quota(@group, $max->('/a' => 300000, '/a/b' => 200000, '/a/b/c' => 'max')), '2 2',
        'one in the middle');
    is(quota(@group, $max->('/a'       => 'max',  '/a/b/c' => 150000)), '1.5 2', 'its own');
    is(quota(@group, $max->('/a/b/c/d' => 100000, '/a/x'   => 100000)),
        'none 4', 'not those beside it or below');
};

subtest 'a quota of cgroups version 1 counts too' => sub {
    my @group =
        ('proc/self/cgroup' => "9:name=systemd:/x\n4:memory:/m\n2:cpu,cpuacct:/a/b\n1:cpuset:/s\n0::/u\n");
    my $cfs = sub {
        my ($path, $quota, $period) = @_;
        return (
            "sys/fs/cgroup/$path/cpu.cfs_quota_us"  => "$quota\n",
            "sys/fs/cgroup/$path/cpu.cfs_period_us" => "$period\n"
        );
    };
    is(quota(@group, $cfs->('cpu,cpuacct/a/b', 250000, 100000)), '2.5 3', 'its own');
    is(quota(@group, $cfs->('cpu/a/b', 250000, 100000)), '2.5 3', 'under the other name of the controller');
    is(quota(@group, $cfs->('cpu/a/b', 300000, 100000), $cfs->('cpu/a', 100000, 50000)),
        '2 2', 'an outer one is tighter');
    is(quota(@group, $cfs->('cpu',     100000, 100000)), '1 1',    'of the root, as in a container');
    is(quota(@group, $cfs->('cpu/a/b', -1,     100000)), 'none 4', 'no limit');
    is(
        quota(
            @group,
            $cfs->('memory/m',  100000, 100000),
            $cfs->('systemd/x', 1,      1),
            $cfs->('cpuset/s',  100000, 100000)
        ),
        'none 4',
        'other controllers have none'
    );
    is(quota(@group, 'sys/fs/cgroup/cpu/a/b/cpu.cfs_quota_us' => "100000\n"),
        'none 4', 'a quota without a period');
    is(
        quota(
            @group,
            $cfs->('cpu/a/b', 300000, 100000),
            'sys/fs/cgroup/unified/u/cpu.max' => "100000 100000\n"
        ),
        '1 1',
        'both versions: the tighter'
    );
    my $few = cpus_of(%four, status('1-2'), @group, $cfs->('cpu/a/b', 300000, 100000));
    is("@{ $few->{usable} } $few->{usable_count}", '1 2 2', 'a mask tighter than the quota');
};

subtest 'siblings share a core' => sub {
    my $topology = sub {
        my ($file, @lists) = @_;
        return map { ("$CPU/cpu$_/topology/$file" => "$lists[$_]\n") } 0 .. $#lists;
    };
    my $cores = sub {
        my $cpus = cpus_of(%four, @_);
        return join ' ', map { $cpus->{core}{$_} } 0 .. 3;
    };
    is($cores->($topology->('core_cpus_list',       '0,2', '1,3', '0,2', '1,3')), '0 1 0 1', 'two apart');
    is($cores->($topology->('thread_siblings_list', '0-1', '0-1', '2-3', '2-3')),
        '0 0 2 2', 'neighbours, the older name');
    is(
        $cores->(
            $topology->('core_cpus_list', '0-1', '0-1', '2-3', '2-3'),
            $topology->('thread_siblings_list', 0 .. 3)
        ),
        '0 0 2 2',
        'the newer name is preferred'
    );
    is($cores->(), '0 1 2 3', 'without topology every CPU is a core');
    is($cores->($topology->('core_cpus_list', '', 'rubbish', "\0", '-')), '0 1 2 3',
        'rubbish is no topology');
    my $half = cpus_of("$CPU/online" => "1-3\n", $topology->('core_cpus_list', '0-1', '1', '2-3', '2-3'));
    is(join(' ', map { "$_:$half->{core}{$_}" } sort keys %{ $half->{core} }),
        '1:1 2:2 3:2', 'an offline sibling has no place');
};

sub placed {
    my ($cpus, @how) = @_;
    return join ' ', map { $_ // '-' } Touchstone::Machine::Cpus::placement($cpus, @how);
}

subtest 'copies go where they are wanted' => sub {
    is(placed(smt(),        'none',   3), '- - -',       'none: the scheduler decides');
    is(placed(smt(),        'spread', 6), '0 1 2 3 0 1', 'spread: a core each first');
    is(placed(smt(),        'pack',   6), '0 2 1 3 0 2', 'pack: siblings first');
    is(placed(smt(0, 2, 3), 'spread', 3), '0 3 2',       'spread over what is usable');
    is(placed(smt(1, 2, 3), 'pack',   3), '2 1 3',       'pack what is usable');
    is(placed({ usable => [ 10, 9, 2 ], core => { map { $_ => $_ } 2, 9, 10 } }, 'spread', 3),
        '2 9 10', 'by number and not by text');
    is(placed(smt(), '3,0-1', 5), '3 0 1 3 0', 'a list: in its order, from the start again');
    is(placed(smt(), '2',     2), '2 2',       'a list of one');
    is(placed(smt(), $_,      0), '',          "no copies: $_") for qw(none spread pack 1);
};

subtest 'pairs of processes share a CPU, or share not even a core' => sub {
    my $pairs = sub { join ' ', Touchstone::Machine::Cpus::pairs(@_) };
    is($pairs->(smt(), 'same',  5), '0 1 2 3 0',   'same: one CPU a copy, spread');
    is($pairs->(smt(), 'cross', 3), '0,1 0,1 0,1', 'cross: two cores are one pair');
    my $six = { usable => [ 0 .. 5 ], core => { map { $_ => $_ - $_ % 2 } 0 .. 5 } };
    is($pairs->($six,      'cross', 4), '0,2 4,0 2,4 0,2', 'cross: three cores take turns');
    is($pairs->(smt(0, 2), 'cross', 2), '',                'cross: siblings are no pair');
    is($pairs->(smt(3),    'cross', 1), '',                'cross: one CPU is no pair');
    is($pairs->(smt(3),    'same',  2), '3 3',             'same: one CPU is enough');
    my @together = grep { my ($one, $two) = split /,/; $six->{core}{$one} == $six->{core}{$two} }
        map { Touchstone::Machine::Cpus::pairs($six, 'cross', $_) } 1 .. 40;
    is("@together", '', 'however many copies there are');
};

done_testing;
