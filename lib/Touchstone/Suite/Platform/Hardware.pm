# SPDX-License-Identifier: GPL-2.0-or-later
# Suite::Platform::Hardware - the hardware of a run of this suite, as far as its record tells.
# Touchstone::Suite::Platform::Tables puts it beside its tables:
#
#   { architecture   => 'x86_64',
#     cpus           => [ { model => 'Intel Celeron N4020', bogomips => 2188, count => 2 } ],
#     online         => 2,
#     cores          => 2,
#     memory_kb      => 3892312,
#     video          => 'Intel Corporation UHD Graphics 600',
#     virtualisation => 'xen 4.17.2',
#     container      => 'none' }
package Touchstone::Suite::Platform::Hardware;
use 5.014;
use strict;
use warnings;

use Touchstone::Base::Untrusted qw(as_hashes as_number as_text);

my $UNKNOWN = 'unknown';

# A fact has at most this many letters, and this many kinds of CPU are shown. A number outside of its limits
# is not believed.
my ($LETTERS, $MOST_KINDS) = (50, 4);
my ($COUNT, $KB, $BOGOMIPS) = ([ 1, 1e6 ], [ 1, 1e12 ], [ 1e-2, 1e6 ]);

# Returns facts about the host of a record, undef where unknown; nothing if the record knows none of them.
sub facts {
    my ($host) = @_;
    my %fact = (
        architecture => _known($host->{machine}),
        online       => as_number($host->{online_cpus}, $COUNT),
        cores        => as_number($host->{cores},       $COUNT),
        memory_kb    => as_number($host->{memory_kb},   $KB),
        video        => scalar _video($host),
        map { $_ => _known($host->{$_}) } qw(virtualisation container),
    );
    my @cpus = _kinds($host->{cpus});
    return @cpus || (grep { defined } values %fact) ? { %fact, cpus => \@cpus } : undef;
}

sub _known {
    my ($fact) = @_;
    my $text = as_text($fact, $LETTERS) // return undef;
    return $text eq $UNKNOWN ? undef : $text;
}

# A board may name no maker, or have the maker's name in its own.
sub _video {
    my ($host) = @_;
    my ($vendor, $model) = map { _known($host->{"video_$_"}) } qw(vendor model);
    return $vendor if !defined $model || $model eq ($vendor // '');
    return _known(join ' ', grep { defined } $vendor, $model);
}

# Counts the CPUs of each model, in the order of the record. bogomips are those of the first.
sub _kinds {
    my ($cpus) = @_;
    my (@kinds, %kind);
    for my $cpu (as_hashes($cpus)) {
        my $model    = _known($cpu->{model}) // next;
        my $bogomips = as_number($cpu->{bogomips}, $BOGOMIPS);
        push @kinds, $kind{$model} = { model => $model, bogomips => $bogomips } if !$kind{$model};
        $kind{$model}{count}++;
    }
    return @kinds <= $MOST_KINDS ? @kinds : @kinds[ 0 .. $MOST_KINDS - 1 ];
}

1;
