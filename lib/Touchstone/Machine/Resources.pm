# SPDX-License-Identifier: GPL-2.0-or-later
# Machine::Resources - memory, limits, load and power that a run has at its disposal. Facts that are not
# found are undef.
package Touchstone::Machine::Resources;
use 5.014;
use strict;
use warnings;

use List::Util qw(min max);

use Touchstone::Machine::Sysfile;

my $SUPPLIES = '/sys/class/power_supply';
my @LIMITS   = (
    [ 'Max processes'     => 'processes' ],
    [ 'Max open files'    => 'open files' ],
    [ 'Max stack size'    => 'stack' ],
    [ 'Max locked memory' => 'locked memory' ],
);

sub facts {
    my %kb = (Touchstone::Machine::Sysfile::text('/proc/meminfo') // '') =~ /^(\w+):[ \t]+(\d{1,15})\b/mga;
    my ($load) = (Touchstone::Machine::Sysfile::text('/proc/loadavg') // '') =~ /\A(\d{1,6}\.\d{1,3}) /a;
    return {
        memory_kb       => $kb{MemTotal},
        memory_limit_kb => _memory_limit($kb{MemTotal}),
        swap_kb         => $kb{SwapTotal},
        huge_pages      => _huge_pages(\%kb),
        limits          => _limits(),
        load            => $load,
        power           => _power(),
    };
}

# Returns what ulimit or a control group leaves of this memory, or nothing where they leave all of it.
sub _memory_limit {
    my ($total) = @_;
    my $all = memory()->{all};
    return defined $total && defined $all && $all < $total ? $all : undef;
}

# Returns { all, free }, the KB of the machine or of the tightest control group around this process. A value
# is undef if the system does not tell it; `all` is never above what ulimit grants a process. `root` stands
# before /proc and /sys, for tests.
sub memory {
    my ($root) = @_;
    $root //= '';
    my %kb =
        (Touchstone::Machine::Sysfile::text("$root/proc/meminfo") // '') =~ /^(\w+):[ \t]+(\d{1,15})\b/mga;
    my @groups = grep { defined $_->{all} }
        map { _limited($_) } map { @$_ } Touchstone::Machine::Sysfile::cgroup_folders('memory', $root);
    my ($all, $free) = map {
        my $what = $_->[0];
        min(grep { defined } $_->[1], map { $_->{$what} } @groups)
    } [ all => $kb{MemTotal} ], [ free => $kb{MemAvailable} // $kb{MemFree} ];
    my @limits = (Touchstone::Machine::Sysfile::text("$root/proc/self/limits") // '') =~
        /^Max (?:address space|data size) +(\d{1,15})\b/mga;
    return { all => min(grep { defined } $all, map { int $_ / 1024 } @limits), free => $free };
}

# Returns the limits of one control group. The page cache counts as used there, but its memory can be had.
sub _limited {
    my ($group) = @_;
    my $limit = _either($group, 'memory.max', 'memory.limit_in_bytes');
    return {} if $limit !~ /\A\d{1,15}\z/a;
    my $used = _either($group, 'memory.current', 'memory.usage_in_bytes');
    my ($cache) =
        (Touchstone::Machine::Sysfile::text("$group/memory.stat") // '') =~ /^inactive_file (\d{1,18})$/m;
    return {
        all  => int $limit / 1024,
        free => $used =~ /\A\d{1,18}\z/a
        ? max(0, int(($limit - $used + ($cache // 0)) / 1024))
        : int $limit / 1024
    };
}

# Returns the line of a file by its name in version 2 of control groups, or in version 1.
sub _either {
    my ($group, $new, $old) = @_;
    return Touchstone::Machine::Sysfile::line("$group/$new")
        // Touchstone::Machine::Sysfile::line("$group/$old") // '';
}

# Returns 'transparent: madvise; 0 of 2048 kB'.
sub _huge_pages {
    my ($kb)   = @_;
    my ($mode) = (Touchstone::Machine::Sysfile::text('/sys/kernel/mm/transparent_hugepage/enabled') // '') =~
        /\[(\w+)\]/a;
    my @parts;
    push @parts, "transparent: $mode" if defined $mode;
    push @parts, "$kb->{HugePages_Total} of $kb->{Hugepagesize} kB"
        if defined $kb->{HugePages_Total} && defined $kb->{Hugepagesize};
    return @parts ? join('; ', @parts) : undef;
}

# Returns 'processes 12345, open files 1024, stack 8 MB, locked memory 64 KB'. These are the soft limits,
# which users may raise up to the hard ones.
sub _limits {
    my $text = Touchstone::Machine::Sysfile::text('/proc/self/limits') // '';
    my @parts;
    for my $limit (@LIMITS) {
        my ($line,  $name) = @$limit;
        my ($value, $unit) = $text =~ /^\Q$line\E +(unlimited|\d{1,20}) +(?:unlimited|\d+) +(\w+)/ma or next;
        push @parts, "$name " . ($unit eq 'bytes' ? _size($value) : $value);
    }
    return @parts ? join(', ', @parts) : undef;
}

sub _size {
    my ($bytes) = @_;
    return $bytes if $bytes eq 'unlimited';
    for my $unit ([ GB => 1 << 30 ], [ MB => 1 << 20 ], [ KB => 1 << 10 ]) {
        return $bytes / $unit->[1] . " $unit->[0]" if $bytes > 0 && $bytes % $unit->[1] == 0;
    }
    return "$bytes bytes";
}

# A mains supply that is plugged in decides. USB counts only when no battery discharges, because USB sockets
# say "online" for many reasons.
sub _power {
    my (%online, %status);
    for my $name (Touchstone::Machine::Sysfile::names($SUPPLIES)) {
        my ($type, $scope, $online, $status) =
            map { Touchstone::Machine::Sysfile::line("$SUPPLIES/$name/$_") // '' }
            qw(type scope online status);

        # A supply of this scope is the battery of a mouse or the like.
        next if $scope eq 'Device';
        $online{$type}   = 1 if $online eq '1';
        $status{$status} = 1 if $type eq 'Battery';
        $status{absent}  = 1 if $type eq 'Mains' && $online eq '0';
    }
    return 'mains'   if $online{Mains};
    return 'battery' if $status{Discharging};
    return 'mains'   if $online{USB} || grep { $status{$_} } 'Charging', 'Full', 'Not charging';
    return %status && $status{absent} && keys %status > 1 ? 'battery' : undef;
}

1;
