# SPDX-License-Identifier: GPL-2.0-or-later
# Machine::Kernel - how the running kernel was built and started. Facts that are not found are undef.
package Touchstone::Machine::Kernel;
use 5.014;
use strict;
use warnings;

use Touchstone::Machine::Command;
use Touchstone::Machine::Sysfile;

my $AUTOGROUP       = '/proc/sys/kernel/sched_autogroup_enabled';
my $IDLE            = '/sys/devices/system/cpu/cpuidle/current_governor_ro';
my $VULNERABILITIES = '/sys/devices/system/cpu/vulnerabilities';

# A kernel is built for debugging `with` this and not `without` that; the words `on` and `off` at its start
# turn it on and off.
my %DEBUGGING = (
    lockdep => { with => qr/^CONFIG_PROVE_LOCKING=y$/m },

    # Kernels for everyday use have this with tags in hardware, which does not count as debugging.
    kasan =>
        { with => qr/^CONFIG_KASAN=y$/m, without => qr/^CONFIG_KASAN_HW_TAGS=y$/m, off => qr/\bkasan=off\b/ },
    kmemleak => {
        with    => qr/^CONFIG_DEBUG_KMEMLEAK=y$/m,
        without => qr/^CONFIG_DEBUG_KMEMLEAK_DEFAULT_OFF=y$/m,
        on      => qr/\bkmemleak=on\b/,
        off     => qr/\bkmemleak=off\b/
    },
    debug_pagealloc => {
        with => qr/^CONFIG_DEBUG_PAGEALLOC_ENABLE_DEFAULT=y$/m,
        on   => qr/\bdebug_pagealloc=(?:on|1)\b/,
        off  => qr/\bdebug_pagealloc=(?:off|0)\b/
    },
    slub_debug => {
        with => qr/^CONFIG_SLUB_DEBUG_ON=y$/m,
        on   => qr/\bsl[ua]b_debug(?:=(?!-)|\s|\z)/a,
        off  => qr/\bsl[ua]b_debug=-/
    },
    page_poison => {
        with => qr/^CONFIG_PAGE_POISONING_ENABLE_DEFAULT=y$/m,
        on   => qr/\bpage_poison=(?:on|1)\b/,
        off  => qr/\bpage_poison=(?:off|0)\b/
    },
);

sub facts {
    my ($release, $version) = @_;
    my $cmdline = Touchstone::Machine::Sysfile::line('/proc/cmdline');
    my $config  = _config($release);
    return {
        cmdline       => $cmdline,
        debug_kernel  => _debugging($release, $cmdline // '', $config),
        preemption    => _preemption($version, $config // ''),
        scheduler     => _scheduler($config            // ''),
        idle_governor => scalar Touchstone::Machine::Sysfile::line($IDLE),
        mitigations   => _mitigations(),
        aslr          => scalar Touchstone::Machine::Sysfile::line('/proc/sys/kernel/randomize_va_space'),
        clock_source  => scalar Touchstone::Machine::Sysfile::line(
            '/sys/devices/system/clocksource/clocksource0/current_clocksource'),
    };
}

# Returns the configuration that the kernel was built with, as text, or undef. It starts gzip, because Perl
# needs three times as long to load its own module.
sub _config {
    my ($release) = @_;
    for my $file ("/boot/config-$release", "/lib/modules/$release/config") {
        my $text = Touchstone::Machine::Sysfile::text($file);
        return $text if defined $text && $text =~ /^CONFIG_/m;
    }
    return if !Touchstone::Machine::Sysfile::present('/proc/config.gz');
    my ($status, $text) = Touchstone::Machine::Command::output([ 'gzip', '-dc', '/proc/config.gz' ]);
    return $status == 0 && $text =~ /^CONFIG_/m ? $text : undef;
}

# Names the debugging options that make the kernel slow. It returns "none" only if the configuration was
# found.
sub _debugging {
    my ($release, $cmdline, $config) = @_;
    my %found;
    $found{lockdep}         = 1 if Touchstone::Machine::Sysfile::present('/proc/lockdep');
    $found{'debug release'} = 1 if $release =~ /[-+.]debug\b/;
    for my $name (sort keys %DEBUGGING) {
        my $is = $DEBUGGING{$name};
        my $built =
            defined $config && $config =~ $is->{with} && !($is->{without} && $config =~ $is->{without});
        my $asked = $is->{on} && $cmdline =~ $is->{on};
        $found{$name} = 1 if ($built || $asked) && !($is->{off} && $cmdline =~ $is->{off});
    }
    return join ', ', sort keys %found if %found;
    return defined $config ? 'none' : undef;
}

sub _preemption {
    my ($version, $config) = @_;
    my ($word) = $version =~ /\b(PREEMPT(?:_[A-Z]+)*)\b/;
    return $word if defined $word;
    return $config =~ /^CONFIG_(PREEMPT_(?:NONE|VOLUNTARY|LAZY|RT))=y$/m ? $1 : undef;
}

# Returns '250 Hz, autogroup on', as far as everybody can read it: how often a CPU looks whose turn it is, and
# whether the tasks of a terminal share one turn.
sub _scheduler {
    my ($config)  = @_;
    my ($hz)      = $config =~ /^CONFIG_HZ=([0-9]+)$/m;
    my $autogroup = Touchstone::Machine::Sysfile::line($AUTOGROUP);
    my @told      = (
        defined $hz        ? "$hz Hz"                                          : (),
        defined $autogroup ? 'autogroup ' . ($autogroup eq '0' ? 'off' : 'on') : ()
    );
    return @told ? join(', ', @told) : undef;
}

# Returns 'meltdown: Not affected; spectre_v2: Mitigation: Retpolines, STIBP: disabled'.
sub _mitigations {
    my @lines;
    for my $name (Touchstone::Machine::Sysfile::names($VULNERABILITIES)) {
        my $state = Touchstone::Machine::Sysfile::line("$VULNERABILITIES/$name") // next;
        push @lines, "$name: " . $state =~ s/\s*;\s*/, /gar if length $state;
    }
    return @lines ? join('; ', @lines) : undef;
}

1;
