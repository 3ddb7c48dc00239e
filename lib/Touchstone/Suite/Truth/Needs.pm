# SPDX-License-Identifier: GPL-2.0-or-later
# Suite::Truth::Needs - what the system says of itself, which the probes compare with what they find. Each
# fact is a text, and missing where the system does not tell it:
#
#   threads_per_core    '1'
#   caches              'L1d 32K, L1i 32K, L2 512K, L3 32M', of the first CPU
#   l3_kb               '32768'
#   mhz                 '2445.4', as /proc/cpuinfo has it now
#   hypervisor          'yes' or 'no', by the flag of the CPU
#   virtualisation      'kvm', 'none', ...
#   container           'docker', 'none', ...
#   nested              'nested_pvm=1': words of the kernel's command line about a hypervisor below another;
#                       what it lets its own guests do (kvm_intel.nested) is none
#   page_reporting      the same of memory that the host gets back, or 'virtio-balloon', whose device asks for
#                       it; mitigations: of attacks
#   vulnerability NAME  'Mitigation: Retpolines'
#   clocksource         'tsc', and clocksources all that there are
#   file_system         of the work directory; mount_options
#   drives              'vda', or several that it lies on
#   balloon_inflate     '0': pages that a balloon of the host took since the start; balloon_deflate: gave back
#   write_cache         'write back' where that is so of any of them; rotational '1' where that is so
package Touchstone::Suite::Truth::Needs;
use 5.014;
use strict;
use warnings;

use List::Util qw(max min);

use Touchstone::Base::Text qw(plain short);
use Touchstone::Machine::Cpus;
use Touchstone::Machine::Disk;
use Touchstone::Machine::Guest;
use Touchstone::Machine::Resources;
use Touchstone::Machine::Sysfile;

my $CPUS     = '/sys/devices/system/cpu';
my $CLOCKS   = '/sys/devices/system/clocksource/clocksource0';
my $BALLOONS = '/sys/bus/virtio/drivers/virtio_balloon';
my $LETTERS  = 200;

# KB that may be touched: this part of what is free, at most, at least, and where that is not known.
my %SPARE = (part => 1 / 4, most => 4 << 20, least => 1024, unknown => 65_536);

# Words of the kernel's command line, by the facts that they are.
my @WORDS = (
    [ nested         => qr/\A(?!kvm).*(?:nested|pvm)/i ],
    [ page_reporting => qr/page_reporting/ ],
    [ mitigations    => qr/\A(?:mitigations|spec_\w+|spectre_\w+|nospec\w*|pti|nopti|kpti|retbleed|mds)\b/ ],
    [ clock          => qr/\A(?:clocksource|tsc)=/ ],
    [ idle           => qr/\A(?:cpuidle\w*|haltpoll|idle)\b/ ],
);

sub needs {
    return {
        truth   => { find => \&_find },
        stamina => {
            find            => sub { return {} },
            options         => { stamina => 'the test truth-stamina' },
            supported_tests => \&_longer
        }
    };
}

# One pass that lasts so long.
sub _longer {
    my ($options, $test) = @_;
    my $seconds = $options->{stamina} // return $test;
    return { %$test, pace => 'whole', whole => $seconds, seconds => $seconds };
}

sub _find {
    my ($program, %setup) = @_;
    my %facts = (
        _cpu(),             _guest(), of_command_line(_text('/proc/cmdline')),
        _vulnerabilities(), _clock(), _balloon()
    );
    $facts{page_reporting} = _reporting() if !length $facts{page_reporting};
    my $disk   = Touchstone::Machine::Disk::facts($setup{places}{tmp});
    my @drives = Touchstone::Machine::Disk::drive_paths($disk);
    $facts{$_} = $disk->{$_} for qw(file_system mount_options);
    %facts = (%facts, _drives(@drives));
    my $stat = join ',', grep { !/[,\s]/ } map { "$_/stat" } @drives;
    return {
        facts => {
            map { $_ => short(plain($facts{$_}), $LETTERS) } grep { length($facts{$_} // '') } keys %facts
        },
        values => { spare => _spare(), drives => length $stat ? $stat : undef }
    };
}

sub _line { my ($file) = @_; return scalar Touchstone::Machine::Sysfile::line($file) }

sub _text { my ($file) = @_; return Touchstone::Machine::Sysfile::text($file) // '' }

sub _cpu {
    my $cpuinfo = _text('/proc/cpuinfo');
    my $threads = _line("$CPUS/cpu0/topology/core_cpus_list")
        // _line("$CPUS/cpu0/topology/thread_siblings_list");
    my @threads = Touchstone::Machine::Cpus::list_of($threads // '');
    my ($flags) = $cpuinfo =~ /^flags[ \t]*:(.*)$/m;
    my ($mhz)   = $cpuinfo =~ /^cpu MHz[ \t]*:[ \t]*(\d{1,6}(?:\.\d{1,6})?)$/m;
    return (
        threads_per_core => @threads ? scalar @threads : undef,
        mhz              => $mhz,
        hypervisor       => defined $flags ? $flags =~ /\bhypervisor\b/ ? 'yes' : 'no' : undef,
        _caches("$CPUS/cpu0/cache")
    );
}

sub _caches {
    my ($directory) = @_;
    my (@caches, %kb);
    for my $index (grep { /\Aindex\d\z/a } Touchstone::Machine::Sysfile::names($directory)) {
        my ($level, $type, $size) = map { _line("$directory/$index/$_") // '' } qw(level type size);
        next if $level !~ /\A\d\z/a || $size !~ /\A(\d{1,9})K\z/a;
        $kb{$level} = max($1, $kb{$level} // 0);
        push @caches, "L$level" . lc($type =~ /\A([DI])/ ? $1 : '') . " $size";
    }
    return (caches => join(', ', @caches), map { ("l${_}_kb" => $kb{$_}) } keys %kb);
}

sub _guest {
    my $guest = Touchstone::Machine::Guest::facts(_text('/proc/cpuinfo'));
    return map { $_ => $guest->{$_} } qw(virtualisation container);
}

# What the kernel's command line says.
sub of_command_line {
    my ($line) = @_;
    my @words  = split ' ', $line;
    return map {
        my ($fact, $pattern) = @$_;
        ($fact => join ' ', grep { $_ =~ $pattern } @words)
    } @WORDS;
}

sub _vulnerabilities {
    my $directory = "$CPUS/vulnerabilities";
    return
        map { ("vulnerability $_" => _line("$directory/$_")) }
        Touchstone::Machine::Sysfile::names($directory);
}

sub _clock {
    return (
        clocksource  => _line("$CLOCKS/current_clocksource"),
        clocksources => _line("$CLOCKS/available_clocksource")
    );
}

sub _balloon {
    my %pages = _text('/proc/vmstat') =~ /^(balloon_(?:inflate|deflate)) (\d{1,15})$/mga;
    return %pages;
}

# A balloon whose device wants to know of free pages tells the host, without a word on the command line.
sub _reporting {
    my @devices = grep { /\Avirtio\d+\z/a } Touchstone::Machine::Sysfile::names($BALLOONS);
    return (grep { reports((_line("$BALLOONS/$_/features") // '')) } @devices) ? 'virtio-balloon' : undef;
}

# True where the features of a balloon, a text of bits, have that of page reporting (5).
sub reports { my ($features) = @_; return $features =~ /\A[01]{5}1/ }

# A control group may have less than the machine, and a process less than that.
sub _spare {
    my $memory = Touchstone::Machine::Resources::memory();
    my $free   = min(grep { defined } @$memory{qw(free all)}) // return $SPARE{unknown};
    return int max($SPARE{least}, min($SPARE{most}, $free * $SPARE{part}));
}

# The drive that promises least counts, where there are several.
sub _drives {
    my (@paths) = @_;
    my @caches  = grep { defined } map { _line("$_/queue/write_cache") } @paths;
    my @turns   = grep { defined } map { _line("$_/queue/rotational") } @paths;
    return (
        drives      => join(', ', map { m{([^/]+)\z} } @paths),
        write_cache => (grep { /back/ } @caches)[0] // $caches[0],
        rotational  => @turns ? max(map { $_ eq '1' ? 1 : 0 } @turns) : undef
    );
}

1;
