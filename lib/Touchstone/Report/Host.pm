# SPDX-License-Identifier: GPL-2.0-or-later
# Report::Host - the machine and the build of a run in one line, which a reader needs beside its scores:
#
#   2 x AMD EPYC 9R14, 24 GB, KVM guest, Linux 6.18.2-amd64, gcc 12.2.0 -O3
package Touchstone::Report::Host;
use 5.014;
use strict;
use warnings;

use Touchstone::Base::Figure qw(memory);
use Touchstone::Base::Symbols;
use Touchstone::Base::Text qw(short);
use Touchstone::Build;
use Touchstone::Machine::Identity;

# A fact has this many letters in the line; all of it stands under the facts.
my $LETTERS = 60;

# More flags than these are too many for a line: those that choose the code stay.
my $FLAGS = 24;

my $NONE = qr/\A(?:none|unknown|)\z/;

# The facts of the line, without those that are unknown.
sub facts {
    my ($model) = @_;
    my $host = $model->{host};
    return map { short($_, $LETTERS) } grep { length } (
        _cpus($model), _memory($host->{memory_kb}),
        _guest($host),
        (join ' ', grep { defined && $_ !~ $NONE } $host->{kernel} // $host->{os}, $host->{release}),
        _build($model)
    );
}

# "ext4 on /dev/vda1 (/tmp)": the volume of the work directory, or nothing where it is unknown.
sub volume {
    my ($model) = @_;
    my $host = $model->{host};
    my ($system, $device, $directory) =
        map { short($_, $LETTERS) }
        map { defined $_ && $_ !~ $NONE ? $_ : '' } @$host{qw(file_system device work_directory)};
    my $text = join ' on ', grep { length } $system, $device;
    return if !length $text;
    return $text . (length $directory ? " ($directory)" : '');
}

# What scores of programs that were not built for this CPU can be compared with; nothing for a native build.
sub comparable {
    my ($model) = @_;
    my $isa     = $model->{build}{isa}          // return;
    my $kind    = Touchstone::Build::kind($isa) // return;
    return                                            if $isa eq 'native';
    return "$kind: compare with portable builds only" if $isa eq 'baseline';
    return short($kind, $LETTERS) . ': compare with builds for the same only';
}

# "2 x AMD EPYC 9R14"
sub _cpus {
    my ($model) = @_;
    my (%count, @order);
    for my $cpu (map { Touchstone::Machine::Identity::cpu_name($_->{model}) } @{ $model->{cpus} }) {
        push @order, $cpu if !$count{$cpu}++;
    }
    return "$model->{host}{online_cpus} CPUs"         if !@order;
    $count{ $order[0] } = $model->{host}{online_cpus} if @order == 1;
    return join ' + ', map { "$count{$_} $Touchstone::Base::Symbols::TIMES $_" } @order;
}

sub _memory {
    my ($kb) = @_;
    return defined $kb && $kb =~ /\A\d+\z/a && $kb > 0 ? memory($kb) : ();
}

sub _guest {
    my ($host) = @_;
    my @is;
    my ($under, $in) = map { $_ // 'none' } @$host{qw(virtualisation container)};
    push @is, Touchstone::Machine::Identity::hypervisor_name($under) . ' guest' if $under !~ $NONE;
    push @is, "$in container"                                                   if $in    !~ $NONE;
    return @is;
}

# "gcc 12.2.0 -O3", with its name when a run measured one of several builds.
sub _build {
    my ($model) = @_;
    my $compiler = $model->{build}{compiler_version} // return;
    my ($name, $version) = _compiler($compiler);
    my $flags = $model->{flags} // 'unknown';
    $flags = join ' ', $flags =~ /(?<!\S)-(?:O\S*|march=\S+)/g if length $flags > $FLAGS;
    return join ' ', grep { length && $_ ne 'unknown' } defined $name ? "$name $version" : $compiler, $flags;
}

# "cc (Debian 12.2.0-14+deb12u1) 12.2.0" is gcc, whatever its command is called; "Debian clang version 14.0.6"
# is clang.
sub _compiler {
    my ($line) = @_;
    return (clang => $1) if $line =~ /\bclang version (\d+(?:\.\d+)+)/a;
    my ($name, $version) = $line =~ /\A(\S+) \(.*\) (\d+(?:\.\d+)+)\b/a or return;
    return ($name eq 'cc' ? 'gcc' : $name, $version);
}

1;
