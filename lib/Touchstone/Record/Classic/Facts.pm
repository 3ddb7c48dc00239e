# SPDX-License-Identifier: GPL-2.0-or-later
# Record::Classic::Facts - the head of a report of any version, text or page: facts about the system. A line
# that is not understood does no harm here, because it is not a result.
package Touchstone::Record::Classic::Facts;
use 5.014;
use strict;
use warnings;
use re '/a';

# Each row has the form of a line of the head, the part of the data that it fills, and the keys of its
# values. A page has the same words in cells.
my @FACTS = (
    [ qr/\ASystem:\s*(.*):(?: (.*))?\z/,              '', qw(name os) ],
    [ qr/\AOS:\s*(.*?)(?: -- (.*?)(?: -- (.*))?)?\z/, '', qw(os release version) ],
    [ qr/\AMachine:\s*([^(\t]*?) \((.*)\)\z/,         '', qw(machine platform) ],
    [ qr/\AMachine:\s*([^:(\t]*):(?: (.*))?\z/,       '', qw(machine platform) ],
    [
        qr/\ALanguage:\s*([^(]*?) ?\(charmap="?([^",]*)"?, collate="?([^"]*?)"?\)\z/,
        'locale', qw(name charmap collate)
    ],
    [ qr/\A(?:Uptime:\s*)?(.*); runlevel ?(.*)\z/, '', qw(uptime runlevel) ],

    # Version 4 has the output of uname.
    [ qr/\ASystem -- (\S+) (\S+) (\S+)(?: (.*))?\z/, '', qw(os name release version) ],
    [ qr/\A(\d\d?:\d\d.*\bload averages?: .*)\z/a,   '', qw(uptime) ],
);
my $CPU      = qr/\A(?:CPU (\d{1,9}):|(?:CPUs:\s*)?(\d{1,9}):\s*\t)\s*(.*)\z/a;
my $BOGOMIPS = qr/\A\s*(.*?)\s*\(([^()]*) bogomips\)\z/;
my $MACHINE  = qr/(?<!\S)(x86_64|amd64|i[3-6]86|ia64|alpha\w*|parisc\w*|sparc\w*|ppc\w*|powerpc\w*|s390x?
    |arm\w*|aarch64|mips\w*|riscv\w*|m68k|sh4\w*)(?!\S)/x;

my $UNKNOWN = 'unknown';

sub unknown {
    my %system = map { $_ => $UNKNOWN } qw(name os release version machine platform uptime runlevel);
    return { %system, locale => { map { $_ => $UNKNOWN } qw(name charmap collate) }, cpus => [] };
}

# Reads a line into the system. `report` remembers whose features the next line has.
sub take {
    my ($report, $line) = @_;
    return if !length $line;
    my ($system, $flags_of) = ($report->{data}{system}, delete $report->{flags_of});
    for my $fact (@FACTS) {
        my ($form, $part, @names) = @$fact;
        my @values = $line =~ $form or next;
        my $into   = $part ? $system->{$part} : $system;
        for my $i (0 .. $#names) { $into->{ $names[$i] } = $values[$i] if length($values[$i] // '') }
        _machine($system) if $line =~ /\ASystem -- /;
        return;
    }

    if    ($line =~ $CPU) { $report->{flags_of} = _cpu($report, $1 // $2, $3) }
    elsif ($flags_of)     { _below_cpu($report, $flags_of, $line) }
    return;
}

sub _cpu {
    my ($report, $id, $words) = @_;
    my ($model, $bogomips) = $words =~ $BOGOMIPS ? ($1, $2) : ($words =~ s/\A\s+//r, $UNKNOWN);
    my $cpu = { id => $id, model => length $model ? $model : $UNKNOWN, bogomips => $bogomips, flags => [] };
    push @{ $report->{data}{system}{cpus} }, $cpu;
    return $cpu;
}

# The line below a CPU has the names of its features. A mail program may have wrapped either.
sub _below_cpu {
    my ($report, $cpu, $line) = @_;
    if ("$cpu->{model} $line" =~ $BOGOMIPS) {
        @$cpu{qw(model bogomips)} = ($1, $2);
        $report->{flags_of} = $cpu;
    } elsif ($line !~ /\A[-=]+\z/) {
        push @{ $cpu->{flags} }, split /,\s*/, $line;
        $report->{flags_of} = $cpu if $line =~ /,\z/;
    }
    return;
}

# The kind of machine stands behind the version of the kernel.
sub _machine {
    my ($system) = @_;
    $system->{machine} = $1 if $system->{version} =~ $MACHINE;
    return;
}

1;
