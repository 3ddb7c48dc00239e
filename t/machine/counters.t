# SPDX-License-Identifier: GPL-2.0-or-later
# Counters, read from made-up files instead of /proc and /sys.
use 5.014;
use strict;
use warnings;

use File::Basename qw(dirname);
use File::Path qw(make_path);
use File::Temp ();
use POSIX ();
use Test::More;

use lib 't/lib';
use NoWarnings;
use Touchstone::Machine::Counters;

my $dir   = File::Temp->newdir;
my $tick  = POSIX::sysconf(POSIX::_SC_CLK_TCK());
my $roots = 0;

# Returns a directory with these files.
sub root_with {
    my (%files) = @_;
    my $root = "$dir/" . ++$roots;
    make_path($root);
    put($root, %files);
    return $root;
}

sub put {
    my ($root, %files) = @_;
    for my $name (sort keys %files) {
        make_path(dirname("$root/$name"));
        open my $out, '>', "$root/$name" or die "cannot write '$root/$name': $!\n";
        print {$out} $files{$name};
        close $out or die "cannot write '$root/$name': $!\n";
    }
    return;
}

sub counters {
    my ($root, @cpus) = @_;
    return Touchstone::Machine::Counters->new({ usable => [ @cpus ? @cpus : 0 ] }, $root);
}

# Returns the differences after these files have replaced the first.
sub past {
    my ($first, $then, @cpus) = @_;
    my $root     = root_with(%$first);
    my $counters = counters($root, @cpus);
    my $before   = $counters->look;
    put($root, %$then);
    return Touchstone::Machine::Counters::since($before, $counters->look);
}

# Returns the text of /proc/stat; the arguments are seconds: user nice system idle iowait irq softirq steal.
sub stat_of {
    return 'cpu  ' . join(' ', map { $_ * $tick } @_) . " 0 0\ncpu0 1 2 3 4\nctxt 5\n";
}

subtest 'stolen time and that of other processes are seconds of all CPUs' => sub {
    my $past = past(
        { 'proc/stat' => stat_of(100, 10, 50, 1000, 5, 1,   2,   7) },
        { 'proc/stat' => stat_of(103, 10, 51, 1009, 8, 1.5, 2.5, 7.25) }
    );
    is($past->{steal}, 0.25, 'stolen');

    # The sum is 3 + 0 + 1 + 0.5 + 0.5, less what this test itself used.
    ok($past->{other} > 4 && $past->{other} <= 5, 'busy without idle and waiting')
        or diag("other is $past->{other}");
    ok(!exists $past->{busy} && !exists $past->{own}, 'what they were made of is not told');
};

subtest 'CPU time of our own children is not that of others' => sub {
    my $past = Touchstone::Machine::Counters::since({ seconds => 1, busy => 10, own => 2 },
        { seconds => 3, busy => 13, own => 4.5 });
    is_deeply($past, { seconds => 2, other => 0.5 }, '3 s were busy, 2.5 s of these were ours');
};

subtest 'pressure is read as seconds in which some process waited' => sub {
    my $line =
        "some avg10=0.00 avg60=0.00 avg300=0.00 total=%d\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=%d\n";
    my $past = past(
        { map { ("proc/pressure/$_" => sprintf $line, 1_000_000, 900) } qw(cpu io memory) },
        {
            'proc/pressure/cpu'    => sprintf($line, 1_500_000, 9_999_999),
            'proc/pressure/io'     => sprintf($line, 1_000_250, 0),
            'proc/pressure/memory' => sprintf($line, 1_000_000, 1)
        }
    );
    is_deeply(
        [ map { $past->{"psi_$_"} } qw(cpu io memory) ],
        [ 0.5, 0.00025, 0 ],
        'microseconds of the line "some"'
    );
};

subtest 'pages to and from swap are counted together' => sub {
    my $past = past(
        { 'proc/vmstat' => "nr_free 1\npswpin 10\npswpout 20\npgfault 5\n" },
        { 'proc/vmstat' => "nr_free 2\npswpin 13\npswpout 24\npgfault 99\n" }
    );
    is($past->{swapped}, 7, '3 and 4');
    ok(!exists past({ 'proc/vmstat' => "pswpin 1\n" }, {})->{swapped}, 'half of it is not told');
};

subtest 'throttling is that of the cgroups this process is in' => sub {
    my $v2   = "usage_usec 5\nnr_periods 5\nnr_throttled 3\nthrottled_usec %d\n";
    my $v1   = "nr_periods 5\nnr_throttled 3\nthrottled_time %.0f\n";
    my %case = (
        'version 2'                        => [ "0::/a/b\n",   'sys/fs/cgroup/a/b/cpu.stat', $v2, 1e6 ],
        'version 2, seen from a container' => [ "0::/a/b\n",   'sys/fs/cgroup/cpu.stat',     $v2, 1e6 ],
        'version 2, of a group above'      => [ "0::/a/b/c\n", 'sys/fs/cgroup/a/cpu.stat',   $v2, 1e6 ],
        'version 2 beside version 1'       =>
            [ "4:memory:/a\n0::/a\n", 'sys/fs/cgroup/unified/a/cpu.stat', $v2, 1e6 ],
        'version 1' =>
            [ "4:memory:/m\n3:cpu,cpuacct:/a\n0::/\n", 'sys/fs/cgroup/cpu,cpuacct/a/cpu.stat', $v1, 1e9 ],
        'version 1 under the short name' =>
            [ "3:cpuacct,cpu:/a\n", 'sys/fs/cgroup/cpu/a/cpu.stat', $v1, 1e9 ],
        'version 1, seen from a container' =>
            [ "3:cpu,cpuacct:/docker/x\n", 'sys/fs/cgroup/cpu/cpu.stat', $v1, 1e9 ],
    );
    for my $what (sort keys %case) {
        my ($groups, $file, $text, $second) = @{ $case{$what} };
        is(
            past({ 'proc/self/cgroup' => $groups, $file => sprintf($text, 2 * $second) },
                { $file => sprintf($text, 2.5 * $second) })->{throttled},
            0.5, $what
        );
    }
};

subtest 'a group without a quota of its own is throttled by those above' => sub {
    my $text   = "nr_throttled 0\nthrottled_usec %d\n";
    my %before = (
        'proc/self/cgroup' => "0::/a/b\n",
        map { ($_ => sprintf $text, 0) } 'sys/fs/cgroup/a/cpu.stat', 'sys/fs/cgroup/a/b/cpu.stat'
    );
    is(past(\%before, { 'sys/fs/cgroup/a/cpu.stat' => sprintf $text, 300_000 })->{throttled},
        0.3, 'the one above was');
    is(
        past(
            \%before,
            {
                'sys/fs/cgroup/a/cpu.stat'   => sprintf($text, 300_000),
                'sys/fs/cgroup/a/b/cpu.stat' => sprintf $text,
                200_000
            }
        )->{throttled},
        0.5,
        'both were'
    );
};

subtest 'groups that do not limit the CPU tell nothing of throttling' => sub {
    my %none = (
        'no controller' => "usage_usec 5\nuser_usec 5\n",
        nothing         => '',
        rubbish         => "nr_throttled_x 1\nthrottled_usec many\n"
    );
    for my $what (sort keys %none) {
        ok(
            !exists past({ 'proc/self/cgroup' => "0::/a\n", 'sys/fs/cgroup/a/cpu.stat' => $none{$what} }, {})
                ->{throttled},
            $what
        );
    }
    my $other = "nr_throttled 1\nthrottled_time 5\n";
    ok(
        !exists past(
            {
                'proc/self/cgroup'                        => "3:cpuset,cpuacct:/a\n",
                'sys/fs/cgroup/cpuset,cpuacct/a/cpu.stat' => $other
            },
            {}
        )->{throttled},
        'other controllers of version 1'
    );
};

subtest 'the clock is the mean of the CPUs at the end, heat the sum of their events' => sub {
    my $cpu   = 'sys/devices/system/cpu/cpu';
    my %first = map {
        (
            "$cpu$_/cpufreq/scaling_cur_freq"             => "800000\n",
            "$cpu$_/thermal_throttle/core_throttle_count" => "5\n"
        )
    } 0, 1;
    my $past = past(
        \%first,
        {
            "${cpu}0/cpufreq/scaling_cur_freq"             => "3000000\n",
            "${cpu}1/cpufreq/scaling_cur_freq"             => "2000000\n",
            "${cpu}1/thermal_throttle/core_throttle_count" => "7\n"
        },
        0, 1
    );
    is($past->{mhz}, 2500, 'MHz');
    is($past->{hot}, 2,    'events');
};

subtest 'of many CPUs only some are looked at' => sub {
    my %files = map {
        ("sys/devices/system/cpu/cpu$_/cpufreq/scaling_cur_freq" => ($_ < 8 ? 1_000_000 : 9_000_000) . "\n")
    } 0 .. 99;
    is(past(\%files, {}, 0 .. 99)->{mhz}, 1000, 'the first eight');
};

subtest 'a system that counts nothing gives the time and nothing else' => sub {
    is_deeply([ keys %{ past({}, {}) } ], ['seconds'], 'no files');
    is_deeply(
        [ keys %{ past({}, { 'proc/stat' => stat_of((5) x 8), 'proc/vmstat' => "pswpin 1\npswpout 1\n" }) } ],
        ['seconds'],
        'files that came later'
    );
    my %all = (
        'proc/stat'         => stat_of((5) x 8),
        'proc/vmstat'       => "pswpin 1\npswpout 1\n",
        'proc/pressure/cpu' => "some total=5\n"
    );
    my $root     = root_with(%all);
    my $counters = counters($root);
    my $before   = $counters->look;
    unlink map { "$root/$_" } keys %all or die "cannot remove: $!\n";
    is_deeply([ keys %{ Touchstone::Machine::Counters::since($before, $counters->look) } ],
        ['seconds'], 'files that went away');
};

subtest 'a CPU that is taken away in the middle is no event' => sub {
    my $cpu  = 'sys/devices/system/cpu/cpu';
    my $root = root_with(
        map {
            (
                "$cpu$_/cpufreq/scaling_cur_freq"             => "2000000\n",
                "$cpu$_/thermal_throttle/core_throttle_count" => "5\n"
            )
        } 0,
        1
    );
    my $counters = counters($root, 0, 1);
    my $before   = $counters->look;
    unlink "$root/${cpu}1/cpufreq/scaling_cur_freq", "$root/${cpu}1/thermal_throttle/core_throttle_count";
    my $past = Touchstone::Machine::Counters::since($before, $counters->look);
    is("$past->{hot} $past->{mhz}", '0 2000', 'neither heat nor another clock');
};

subtest 'what counts backwards did not happen' => sub {
    my $past = past(
        {
            'proc/stat'        => stat_of((100) x 8),
            'proc/vmstat'      => "pswpin 9\npswpout 9\n",
            'proc/pressure/io' => "some total=500000\n"
        },
        {
            'proc/stat'        => stat_of((90) x 8),
            'proc/vmstat'      => "pswpin 1\npswpout 1\n",
            'proc/pressure/io' => "some total=100\n"
        }
    );
    is_deeply([ @$past{qw(other steal swapped psi_io)} ], [ 0, 0, 0, 0 ], 'counters that began anew');
    is(
        Touchstone::Machine::Counters::since({ seconds => 1, busy => 1, own => 1 },
            { seconds => 2, busy => 1.5, own => 2 })->{other},
        0,
        'ticks that came too late'
    );
};

subtest 'an old kernel with fewer fields is read as far as it goes' => sub {
    my $past = past({ 'proc/stat' => "cpu  $tick 0 $tick 0\n" },
        { 'proc/stat' => 'cpu  ' . 9 * $tick . " 0 $tick 0\n" });
    ok($past->{other} > 7 && $past->{other} <= 8, 'the time of others');
    ok(!exists $past->{steal},                    'no stolen time');
};

subtest 'odd content is no counter and no complaint' => sub {
    my @odd = (
        '',
        "\n",
        "\0" x 100,
        'cpu',
        "cpu \n",
        "cpu  1\n",
        "cpu  1 2\n",
        "cpu  1 2 3\n",
        "cpu  -1 -2 -3 -4\n",
        "cpu  a b c d\n",
        "cpu  1.5 2.5 3.5 4.5\n",
        "\xff\xfe\n",
        'x' x 100_000,
        '9' x 500 . "\n",
        "some\n",
        "some total=\n",
        "some total=-5\n",
        "some total=x\n",
        "full total=5\n",
        "pswpin\npswpout\n",
        "pswpin x\npswpout y\n",
        "pswpin 1\npswpin 1\n",
        "0::\n",
        "::\n",
        "0::/../../../etc\n",
        "x:cpu:/a\n",
        "3:cpu\n",
        "1:cpu:\n",
        "nr_throttled \nthrottled_usec \n",
        'cpu  ' . join(' ', ('9' x 500) x 8) . "\n"
    );
    my $cpu   = 'sys/devices/system/cpu/cpu0';
    my @files = (
        'proc/stat', 'proc/vmstat', 'proc/self/cgroup', 'sys/fs/cgroup/cpu.stat',
        (map { "proc/pressure/$_" } qw(cpu io memory)),
        "$cpu/cpufreq/scaling_cur_freq",
        "$cpu/thermal_throttle/core_throttle_count"
    );
    my %good = (
        'proc/stat'                                 => stat_of((5) x 8),
        'proc/self/cgroup'                          => "0::/\n",
        "$cpu/thermal_throttle/core_throttle_count" => "5\n",
        "$cpu/cpufreq/scaling_cur_freq"             => "5\n"
    );
    my @bad;
    for my $text (@odd) {
        my $past = past({ %good, map { $_ => $text } grep { !/cgroup/ || $text =~ /:|throttled/ } @files },
            { map { ($_ => $text) } @files });
        push @bad,
            map { "$_ $past->{$_}" } grep { $past->{$_} !~ /\A\d+(?:\.\d+)?(?:e[-+]\d+)?\z/ } keys %$past;
        push @bad, map { "$_ $past->{$_}" }
            grep { $past->{$_} !~ /\A\d+(?:\.\d+)?(?:e[-+]\d+)?\z/ }
            keys %{ past(\%good, { map { ($_ => $text) } @files }) };
    }
    is_deeply(\@bad, [], 'every figure is a number');
};

subtest 'a directory in the place of a file is no file' => sub {
    my $root = root_with();
    make_path(map { "$root/$_" } 'proc/stat',
        'proc/vmstat', 'proc/self/cgroup', 'proc/pressure/cpu',
        'sys/devices/system/cpu/cpu0/cpufreq/scaling_cur_freq');
    my $counters = counters($root);
    is_deeply([ keys %{ Touchstone::Machine::Counters::since($counters->look, $counters->look) } ],
        ['seconds'], 'the time and nothing else');
};

subtest 'this machine can be looked at' => sub {
    my $counters = Touchstone::Machine::Counters->new({ usable => [0] });
    my $past     = Touchstone::Machine::Counters::since($counters->look, $counters->look);
    my @bad      = grep { $past->{$_} !~ /\A\d+(?:\.\d+)?(?:e[-+]\d+)?\z/ } keys %$past;
    is_deeply(\@bad, [], 'every figure is a number');
};

done_testing;
