# SPDX-License-Identifier: GPL-2.0-or-later
# Pack::Place::Position - where a result of UnixBench's index stands among others with as many copies.
# of(entry, entries) gives
#
#   { copies => 1, cpus => 2, index => 1071.3, interval => [1059, 1081], invalid => 'why',
#     tests => 12,                          of which the values that are compared are indexes
#     value => 1071.3, values => [low, high],       of this result
#     copies_of => [1, 1],                  the fewest and the most of the others
#     below => 133, of => 188, percent => 71, percents => [69, 73],
#     lower, higher => { machine, cpu, class, version, date, value, source },      the nearest ones
#     cpu => { name => 'EPYC 7763', of => 6, values => [960, ...], below => 3 },   those with the same CPU
#     classes => [ { class => 'server', of => 18, below => 7 } ],
#     versions => ['5.1.2', '5.1.3', '6.0.0'], years => [2011, 2025] }
#
# or { copies, index, why => 'a reason' } if it cannot be compared. With several copies, versions of UnixBench
# do not do the same work in the file tests, so indexes are of the other tests if all scores are known.
package Touchstone::Pack::Place::Position;
use 5.014;
use strict;
use warnings;

use Exporter qw(import);

use Touchstone::Pack::Place::Table qw(@TESTS index_of);

our @EXPORT_OK = qw($FEWEST @CLASSES chosen);

# Fewer results are a list, without a percentage.
our $FEWEST = 5;

# Machines with about as many CPUs have at most this many times as many, or as few.
my $ABOUT = 1.25;

our @CLASSES = (
    'single-board',
    'laptop or desktop',
    'virtual machine',
    'server',
    'emulated or container',
    'not stated'
);

my @WITHOUT_FILES = grep { !/\Afs/ } @TESTS;

# What marks names of CPUs that are the same model.
my $DECORATION = qr/\((?:R|TM|C)\)|\bCPU\b|\bProcessor\b|\b\d+-Core\b|@.*|\bwith\b.*|\bw\/.*|\(.*\)/i;

# Versions with another index.
my $OTHER_INDEX = qr/\A[0-4]\./a;

sub of {
    my ($entry, $entries) = @_;
    my %about =
        map { $_ => $entry->{$_} }
        grep { defined $entry->{$_} } qw(copies cpus index interval invalid version);
    my $why = _why_not($entry);
    return { %about, why => $why } if defined $why;
    my ($tests, @chosen) = chosen($entry, $entries);
    my $value  = _value($entry, $tests);
    my @range  = $entry->{interval} ? map { $_ * $value / $entry->{index} } @{ $entry->{interval} } : ();
    my @lower  = grep                     { $_->{value} < $value } @chosen;
    my @higher = grep                     { $_->{value} >= $value } @chosen;
    return {
        %about,
        tests => scalar @$tests,
        value => $value,
        of    => scalar @chosen,
        @chosen            ? (copies_of => _ends(map { $_->{copies} } @chosen)) : (),
        @range             ? (values => \@range)                                : (),
        @chosen >= $FEWEST ? _percents($value, \@range, @chosen)                : (),
        @lower             ? (lower => _shown($lower[-1]))                      : (),
        @higher            ? (higher => _shown($higher[0]))                     : (),
        _same_cpu($entry, $value, @chosen),
        classes => [ map { _of_class($_, $value, @chosen) } @CLASSES ],
        _sources(@chosen)
    };
}

sub _ends {
    my @sorted = sort { $a <=> $b } @_;
    return [ @sorted[ 0, -1 ] ];
}

sub _why_not {
    my ($entry) = @_;
    my ($copies, $cpus) = @$entry{qw(copies cpus)};
    return 'UnixBench before 5 has another index, of other tests'
        if ($entry->{version} // '') =~ $OTHER_INDEX;
    return if $copies == 1 || !defined $cpus || $copies == $cpus;
    return "only results with 1 copy or one copy per CPU are placed, not $copies copies on $cpus CPUs";
}

# ([ tests of the values ], entries with values in their order): those with as many copies, and with one for
# each of about as many CPUs.
sub chosen {
    my ($entry, $entries) = @_;
    my $copies = $entry->{copies};
    my $tests  = $copies > 1 && $entry->{scores} ? \@WITHOUT_FILES : \@TESTS;
    my @chosen =
        grep { !_is_itself($entry, $_) && _is_like($copies, $_) && ($tests == \@TESTS || $_->{scores}) }
        @$entries;
    my @valued = map { +{ %$_, value => _value($_, $tests) } } @chosen;
    return ($tests, sort { $a->{value} <=> $b->{value} || $a->{machine} cmp $b->{machine} } @valued);
}

sub _is_itself {
    my ($entry, $other) = @_;
    return defined $entry->{name} && defined $other->{name} && $entry->{name} eq $other->{name};
}

sub _is_like {
    my ($copies, $entry) = @_;
    return $entry->{copies} == 1 if $copies == 1;
    return 0 if $entry->{copies} == 1 || $entry->{copies} != ($entry->{cpus} // $entry->{copies});
    return abs(log($entry->{copies} / $copies)) <= log $ABOUT;
}

# The whole index is known without the scores.
sub _value {
    my ($entry, $tests) = @_;
    return $tests == \@TESTS ? $entry->{index} : index_of($entry->{scores}, @$tests);
}

sub _percents {
    my ($value, $range, @chosen) = @_;
    my $percent = sub {
        my ($than) = @_;
        return sprintf '%.0f', 100 * (grep { $_->{value} < $than } @chosen) / @chosen;
    };
    return (
        below   => scalar(grep { $_->{value} < $value } @chosen),
        percent => 0 + $percent->($value),
        @$range ? (percents => [ map { 0 + $percent->($_) } @$range ]) : ()
    );
}

sub _shown {
    my ($entry) = @_;
    return {
        map  { $_ => $entry->{$_} }
        grep { length($entry->{$_} // '') } qw(machine cpu class version date value source)
    };
}

sub _of_class {
    my ($class, $value, @chosen) = @_;
    my @of = grep { class_of($_) eq $class } @chosen or return;
    return { class => $class, of => scalar @of, below => scalar(grep { $_->{value} < $value } @of) };
}

# An unknown class counts as not stated.
sub class_of {
    my ($entry) = @_;
    my ($class) = grep { $_ eq ($entry->{class} // '') } @CLASSES;
    return $class // $CLASSES[-1];
}

sub _same_cpu {
    my ($entry, $value, @chosen) = @_;
    my $name = model($entry->{cpu});
    return if !length $name;
    my @same = grep { lc model($_->{cpu}) eq lc $name } @chosen or return;
    return (
        same_cpu => {
            name   => $name,
            of     => scalar @same,
            values => [ map { $_->{value} } @same ],
            @same >= $FEWEST ? (below => scalar(grep { $_->{value} < $value } @same)) : ()
        }
    );
}

# The model of a CPU without what differs between reports: "AMD EPYC 7763".
sub model {
    my ($cpu)   = @_;
    my ($first) = split /, /, $cpu // '';
    return join ' ', split ' ', ($first // '') =~ s/$DECORATION/ /gr;
}

sub _sources {
    my (@chosen) = @_;
    my %version  = map      { $_->{version} => 1 } grep      { defined $_->{version} } @chosen;
    my @years    = sort map { substr $_->{date}, 0, 4 } grep { length($_->{date} // '') } @chosen;
    return (
        versions => [ sort keys %version ],
        @years ? (years => [ map { 0 + $_ } @years[ 0, -1 ] ]) : ()
    );
}

1;
