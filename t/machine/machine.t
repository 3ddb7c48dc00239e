# SPDX-License-Identifier: GPL-2.0-or-later
# Machine: every fact is present on every machine, and is "unknown" if nothing tells it.
use 5.014;
use strict;
use warnings;

use Cwd ();
use File::Temp ();
use I18N::Langinfo ();
use POSIX ();
use Test::More;

use lib 't/lib';
use NoWarnings;
use Filtered;
use Pretend qw(on_machine host_of cpus_of check_complete %CPUS @NEW);
use Touchstone::Machine::Cpus;
use Touchstone::Machine::Disk;
use Touchstone::Machine::Sysfile;
use Touchstone::Machine;

my $dir = File::Temp->newdir;

subtest 'this machine has every fact' => sub {
    my $cpus = Touchstone::Machine::Cpus::read_all();
    my $host = Touchstone::Machine::host_facts($cpus, "$dir");
    check_complete('here', $host);
    is($host->{threads}, @{ $cpus->{online} }, 'as many threads as there are CPUs');
SKIP: {
        # In a chroot the root is not a mount point, so its file system is unknown.
        skip 'the mounts are not known here', 4
            if (Touchstone::Machine::Sysfile::text('/proc/self/mountinfo') // '') !~ m{^\d+ \d+ \S+ \S+ / }m;
        is($host->{work_directory}, Cwd::realpath("$dir"), 'the work directory');
        isnt($host->{$_}, 'unknown', $_) for qw(file_system mount_options device);
    }
    is($host->{name}, (POSIX::uname())[1], 'its name is that of the system');
    is(
        join(' ', map { $_->{id} } @{ $host->{cpus} }),
        "@{ $cpus->{online} }",
        'an entry for each CPU that is online'
    );
    is(
        "$host->{online_cpus} $host->{usable_cpus}",
        @{ $cpus->{online} } . " $cpus->{usable_count}",
        'and their number'
    );
};

subtest 'a process behind a filter of system calls knows it' => sub {
    plan skip_all => 'this system or this Perl knows no filter of system calls' if !Filtered::can();
    my $seccomp = sub { return Touchstone::Machine::Guest::facts('')->{seccomp} };
    my $before  = $seccomp->() // plan skip_all => 'the kernel does not tell';
    my @command = ($^X, '-Ilib', '-It/lib', '-MFiltered', '-MTouchstone::Machine::Guest', '-e');
    my $say     = 'print Touchstone::Machine::Guest::facts("")->{seccomp}';
    open my $out, '-|', @command, "Filtered::filter(look => \$_) for 0, 1; $say"
        or die "cannot start Perl: $!\n";
    my $said = <$out>;
    close $out;
    my ($had) = $before =~ /\A(\d+)/;
    my $both = ($had // 0) + 2 . ' filters';
    like($said, qr/\A(?:\Q$both\E|filter)\z/, 'two more than before');
    is($seccomp->(), $before, 'and this process is behind none of them');
};

subtest 'a machine without commands and files has every fact too' => sub {
    my $host = host_of();
    check_complete('nothing', $host);
    is(
        "$host->{platform} $host->{uptime} $host->{cpu_quota}",
        'unknown unknown unknown',
        'what nothing tells is unknown'
    );
    my $bare  = host_of(uname => [ Linux => 'x', '6.1', '#1 SMP', 'x86_64' ]);
    my @known = grep { $bare->{$_} ne 'unknown' } @NEW;
    is("@known",    'threads',           'so is all that is new, but for the number of CPUs');
    is($host->{os}, (POSIX::uname())[0], 'the kernel stands for the system');
    is_deeply(
        [ map { "$_->{id} $_->{model} $_->{bogomips} @{ $_->{flags} }" } @{ $host->{cpus} } ],
        [ '0 unknown unknown ', '2 unknown unknown ' ],
        'CPUs are counted at least'
    );
    local $ENV{PATH} = "$dir/none";
    check_complete('no PATH', Touchstone::Machine::host_facts(\%CPUS));
    local $ENV{PATH};
    check_complete('PATH unset', Touchstone::Machine::host_facts(\%CPUS));
};

subtest 'commands are believed' => sub {
    my $up   = '01:57:38 up  1:08,  0 user,  load average: 0.1, 0.2, 0.3';
    my $host = host_of('uname -o' => 'GNU/Linux', 'uname -i' => 'x86_64', uptime => $up, runlevel => 'N 5');
    is("$host->{os} $host->{platform} $host->{runlevel}", 'GNU/Linux x86_64 5', 'uname and runlevel');
    is($host->{uptime},                                   $up,                  'uptime');
    is(host_of(runlevel => 'unknown')->{runlevel},        'unknown',            'a runlevel that is none');
    is(host_of()->{runlevel},                             '', 'no runlevel is shown as nothing');
};

subtest 'without uptime a line like it is made' => sub {
    my $line =
        host_of('/proc/uptime' => "93784.12 180000.00\n", '/proc/loadavg' => "0.10 0.20 0.30 1/123 4567\n")
        ->{uptime};
    like(
        $line,
        qr/\A\d\d:\d\d:\d\d up 1 days,  2:03, load average: 0\.10, 0\.20, 0\.30\z/,
        'a day, two hours and three minutes'
    );
    like(
        host_of('/proc/uptime' => "59.9 1\n")->{uptime},
        qr/ up 0 days,  0:00, load average: unknown\z/,
        'a load that nothing tells'
    );
    is(host_of('/proc/uptime' => $_)->{uptime}, 'unknown', 'rubbish') for '', "\n", "rubbish\n", "\0";
};

subtest 'CPUs are described as their makers do' => sub {
    my $about =
        "model name\t: Intel(R) Xeon(R) : special\nbogomips\t: 5400.00\nflags\t\t: fpu pae mce mmx sep syscall ht lm vmx\npower management:\n";
    my @intel = cpus_of(join "\n", map { "processor\t: $_\nvendor_id\t: GenuineIntel\n$about" } 0 .. 3);
    is(
        join(' / ', map { "$_->{id} $_->{model} $_->{bogomips}" } @intel),
        '0 Intel(R) Xeon(R) : special 5400.00 / 2 Intel(R) Xeon(R) : special 5400.00',
        'x86: those that are online'
    );
    is(
        join(', ', sort @{ $intel[0]{flags} }),
        'Hyper-Threading, Intel virtualization, MMX, Physical Address Ext, SYSCALL/SYSRET, SYSENTER/SYSEXIT, x86-64',
        'flags by name, others left out'
    );
    my ($amd) = cpus_of("processor : 0\nmodel name : AMD\nflags : svm lmx htt pae mmxext mmx\n");
    is(
        join(', ', @$amd{qw(model bogomips)}, @{ $amd->{flags} }),
        'AMD, unknown, MMX, AMD MMX, Physical Address Ext, AMD virtualization',
        "a flag counts as a whole word, in UnixBench's order"
    );
    my ($arm) = cpus_of(
        "processor\t: 0\nBogoMIPS\t: 48.00\nFeatures\t: fp asimd\nCPU implementer\t: 0x41\n\nprocessor\t: 1\n"
    );
    is("$arm->{model} $arm->{bogomips} @{ $arm->{flags} }", 'unknown 48.00 ', 'arm64: no model');
    my ($power) = cpus_of("processor\t: 0\ncpu\t\t: POWER9, altivec supported\nclock\t\t: 3800.000000MHz\n");
    is($power->{model}, 'POWER9, altivec supported', 'POWER');

    for my $rubbish (
        '', "\n\n\n", "\0\0", "processor\n", "processor : x\n",
        ": :\n:\n",
        'x' x 100_000,
        "processor : 7\nmodel name : another\n"
    ) {
        is(
            join(' ', map { "$_->{id} $_->{model}" } cpus_of($rubbish)),
            '0 unknown 2 unknown',
            'rubbish: ' . (substr($rubbish, 0, 20) =~ s/[^ -~]/?/gr)
        );
    }
};

subtest 'the clock is read as often as its program can' => sub {
    my $cost = sub {
        my ($text) = @_;
        return on_machine({ 'bin/clock 0.01' => $text }, sub { Touchstone::Machine::clock_cost('bin') });
    };
    is($cost->("COUNT|400000|1|lps\nTIME|0.010000\nCPU|0.01|0\n"), 25,        'a good clock');
    is($cost->("COUNT|7001|1|lps\nTIME|0.010001\n"),               1428.5,    'a slow one');
    is($cost->($_),                                                'unknown', 'no answer')
        for undef, '', "COUNT|0|1|lps\nTIME|0.01\n", "COUNT|5|60|lps\nTIME|0.01\n",
        "ERROR|the clock went back by 5 ns\n", "COUNT|12|1|lps\n", "TIME|0.01\n";
    is(Touchstone::Machine::clock_cost("$dir/none"), 'unknown', 'no program');
SKIP: {
        skip 'the program is not built', 1 if !-x 'pgms/clock';
        like(Touchstone::Machine::clock_cost('pgms'),
            qr/\A\d+(?:\.\d)?\z/, 'here a number with one decimal at most');
    }
};

subtest 'free space is a number or nothing' => sub {
    like(Touchstone::Machine::Disk::free_space("$dir"), qr/\A\d+\z/, 'here');
    is(Touchstone::Machine::Disk::free_space("$dir/none"), undef, 'no such directory');
    my $head = "Filesystem     1024-blocks    Used Available Capacity Mounted on\n";
    my %df   = (
        "/dev/sda1 1000 400 600 40% /\n"                         => 600,
        "a disk 1 of 2   1000 400 600 40% /mnt/a b 1 2 3 4% x\n" => 600,
        "tmpfs 10 10 0 100% /tmp\n"                              => 0,
        "/dev/sda1 1000 1100 -100 110% /\n"                      => -100,
        "none 0 0 0 - /proc\n"                                   => undef,
        "\n"                                                     => undef,
    );
    for my $line (sort keys %df) {
        is(
            on_machine(
                { 'df -Pk work' => $head . $line },
                sub { Touchstone::Machine::Disk::free_space('work') }
            ),
            $df{$line},
            $line =~ s/\n//r
        );
    }
    is(on_machine({}, sub { Touchstone::Machine::Disk::free_space('work') }), undef, 'no df');
};

subtest 'the locale is the American one where there is one, and is put back' => sub {
    for my $has ([ 'en_US.utf8', 'C' ], [ 'en_US.UTF-8', 'C' ], ['C']) {
        my ($now, %known) = ('start', start => 1, map { $_ => 1 } @$has);
        no warnings 'redefine';
        local *POSIX::setlocale = sub {
            my (undef, $name) = @_;
            return $now if !defined $name;
            return $known{$name} ? $now = $name : undef;
        };
        local *I18N::Langinfo::langinfo = sub { return "charmap of $now" };
        is_deeply(
            Touchstone::Machine::locale_facts(),
            {
                name => $has->[0],
                map { $_ => "charmap of $has->[0]" } qw(charmap collate)
            },
            "$has->[0]: its own character map"
        );
        is($now, 'start', 'the locale of Run is as before');
    }
    my $before = POSIX::setlocale(POSIX::LC_ALL());
    my $facts  = Touchstone::Machine::locale_facts();
    is(join(' ', grep { !length($facts->{$_} // '') } qw(name charmap collate)),
        '', 'here nothing is missing');
    is(POSIX::setlocale(POSIX::LC_ALL()), $before, 'and nothing has changed');
};

subtest 'waiting ends when there is nothing to wait for, when told to, and in any case' => sub {
    my $wait = sub {
        my ($what, $file, $text, $cap, $stop) = @_;
        my $code = Touchstone::Machine->can("wait_for_$what");
        return on_machine(
            { $file => $text },
            sub {
                $code->($cap, sub { $stop });
            }
        );
    };
    my ($idle, $busy) = ("0.00 0.01 0.05 1/123 4567\n", "9.00 9.01 9.05 5/123 4567\n");
    is($wait->('quiet', '/proc/loadavg', $idle, 600, 0), 1, 'nothing else runs');
    is($wait->('quiet', '/proc/loadavg', $busy, 0.1, 0), 0, 'something runs on and on');
    is($wait->('quiet', '/proc/loadavg', $busy, 600, 1), 0, 'somebody wants to stop');
    is($wait->('quiet', '/proc/loadavg', $_,    600, 0), 1, 'nothing tells') for undef, '', 'rubbish';
    my $told = 0;
    on_machine(
        { '/proc/loadavg' => $_ },
        sub {
            Touchstone::Machine::wait_for_quiet(0.2, sub { 0 }, sub { $told++ });
        }
    ) for $idle, $busy;
    is($told, 1, 'who waits is told so once');
    my $dirty = "MemTotal: 1 kB\nDirty:   999999 kB\nWriteback:  5 kB\nWritebackTmp: 999999 kB\n";
    cmp_ok($wait->('disk', '/proc/meminfo', $_->[0], $_->[1], $_->[2]),
        '<', 60, "disk, $_->[3]: the seconds it took")
        for [ $dirty, 0.1, 0, 'on and on' ], [ $dirty, 600, 1, 'stop' ],
        [ $dirty =~ s/999999/0/r, 600, 0, 'written' ], [ undef, 600, 0, 'nothing tells' ],
        [ '', 600, 0, 'nothing in it' ];
};

done_testing;
