# SPDX-License-Identifier: GPL-2.0-or-later
# Cgroup, and the memory that control groups leave, on machines made of files.
use 5.014;
use strict;
use warnings;

use File::Basename qw(dirname);
use File::Path qw(make_path);
use File::Temp ();
use Test::More;

use lib 't/lib';
use NoWarnings;
use Touchstone::Machine::Sysfile;
use Touchstone::Machine::Resources;

# Returns a root directory with these files.
sub root_of {
    my (%files) = @_;
    my $root = File::Temp->newdir;
    for my $path (keys %files) {
        make_path(dirname("$root/$path"));
        open my $out, '>', "$root/$path" or die "cannot write '$path': $!\n";
        print {$out} $files{$path};
        close $out or die "cannot write '$path': $!\n";
    }
    return $root;
}

sub folders {
    my ($controller, $text) = @_;
    my $root = root_of('proc/self/cgroup' => $text);
    return [
        map {
            [ map { s{\A\Q$root\E/sys/fs/cgroup}{}r } @$_ ]
        } Touchstone::Machine::Sysfile::cgroup_folders($controller, $root)
    ];
}

subtest 'groups are found up to the root, where their controller may be mounted' => sub {
    is_deeply(
        folders(memory => "0::/a/b\n"),
        [ [ '/a/b', '/a', '' ], [ '/unified/a/b', '/unified/a', '/unified' ] ],
        'version 2'
    );
    is_deeply(
        folders(memory => "4:cpu,cpuacct:/x\n3:memory:/m\n"),
        [ [ '/memory/m', '/memory' ], [ '/memory/m', '/memory' ] ],
        'version 1, of this controller'
    );
    is_deeply(
        folders(cpu => "4:cpu,cpuacct:/x\n"),
        [ [ '/cpu/x', '/cpu' ], [ '/cpu,cpuacct/x', '/cpu,cpuacct' ] ],
        'by both names'
    );
    is_deeply(folders(memory => "0::/\n"), [ [''], ['/unified'] ], 'the root alone');
    is_deeply(folders(memory => $_), [], 'nothing of rubbish') for '', "rubbish\n", "0:\n";
    is_deeply([ Touchstone::Machine::Sysfile::cgroup_folders('memory', root_of()) ],
        [], 'nor where there is no such file');
};

my $MEMINFO = "MemTotal:       1000000 kB\nMemFree:         100000 kB\nMemAvailable:    600000 kB\n";

sub memory {
    my $memory = Touchstone::Machine::Resources::memory(root_of(@_));
    return join ' ', map { $_ // 'unknown' } @$memory{qw(all free)};
}

subtest 'the memory is that of the machine or of the tightest group around' => sub {
    my @group = ('proc/meminfo' => $MEMINFO, 'proc/self/cgroup' => "0::/a/b\n");
    is(memory('proc/meminfo' => $MEMINFO),                        '1000000 600000', 'no group');
    is(memory(@group),                                            '1000000 600000', 'a group without limits');
    is(memory(@group, 'sys/fs/cgroup/a/b/memory.max' => "max\n"), '1000000 600000', 'that says so');
    is(
        memory(
            @group,
            'sys/fs/cgroup/a/b/memory.max'     => "204800000\n",
            'sys/fs/cgroup/a/b/memory.current' => "102400000\n"
        ),
        '200000 100000',
        'a limit'
    );
    is(
        memory(
            @group,
            'sys/fs/cgroup/a/memory.max'     => "204800000\n",
            'sys/fs/cgroup/a/memory.current' => "102400000\n",
            'sys/fs/cgroup/a/memory.stat'    => "anon 5\ninactive_file 51200000\n"
        ),
        '200000 150000',
        'of the group above, whose page cache can be had'
    );
    is(
        memory(@group, 'sys/fs/cgroup/a/b/memory.max' => "204800000\n"),
        '200000 200000',
        'nobody says what is used'
    );
    is(
        memory(
            'proc/meminfo'                                 => $MEMINFO,
            'proc/self/cgroup'                             => "3:memory:/m\n",
            'sys/fs/cgroup/memory/m/memory.limit_in_bytes' => "204800000\n",
            'sys/fs/cgroup/memory/m/memory.usage_in_bytes' => "204800000\n"
        ),
        '200000 0',
        'version 1'
    );
    is(
        memory(
            'proc/meminfo'                                 => $MEMINFO,
            'proc/self/cgroup'                             => "3:memory:/m\n",
            'sys/fs/cgroup/memory/m/memory.limit_in_bytes' => "9223372036854771712\n"
        ),
        '1000000 600000',
        'its way to say no limit'
    );
    is(memory('proc/meminfo' => "MemTotal: 1000 kB\nMemFree: 500 kB\n"), '1000 500', 'an old kernel');
    is(
        memory(
            'proc/meminfo'     => $MEMINFO,
            'proc/self/limits' =>
                "Max data size             unlimited            unlimited            bytes\nMax address space         102400000            unlimited            bytes\n"
        ),
        '100000 600000',
        'a limit of processes'
    );
    is(memory(), 'unknown unknown', 'a system without such files');
};

done_testing;
