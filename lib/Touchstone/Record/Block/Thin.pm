# SPDX-License-Identifier: GPL-2.0-or-later
# Record::Block::Thin - a record without what its results do not need. Every score, interval, index, verdict
# and mark of disturbance that is computed from it is the same to the last digit; undisturbed speeds and
# consistency follow from slices, which it has not. docs/files.md says what is left out.
package Touchstone::Record::Block::Thin;
use 5.014;
use strict;
use warnings;

use List::Util qw(min max);

use Touchstone::Base::Speed;
use Touchstone::Score::Rate;
use Touchstone::Suite;

# These keys are kept as they are. The list leaves out what is computed (results, scaling, beside) and what
# only a run that goes on needs.
my @KEPT = (
    qw(format name started ended utc_offset brief pin price tool build resumed purpose duet set baseline),
    qw(scaling_wanted status passport suites locale schedule tests indexes against published blocks warnings),
    map { s/\?\z//r } sort keys %{ Touchstone::Suite::record_keys() }
);
my @PASS = qw(test copies round window timebase unit counts times team seen how figures units missing);

# These facts about the host explain no score, and may tell more about a stranger's machine than belongs into
# a forum.
my @PRIVATE = qw(cmdline work_directory);

# Score::Disturbance reads these counters; @ALWAYS are kept even when they are 0.
my @COUNTERS = qw(steal throttled other swapped hot psi_memory);
my @ALWAYS   = qw(seconds psi_io psi_cpu);

# Times keep this many decimals, in seconds: when a pass began matters to pictures only.
my %DECIMALS = (started => 1, seconds => 2);

# With `short` only the time that the copies had in common stays, and not the slices that it follows from.
sub thinned {
    my ($record, %as) = @_;
    my %thin = (compact => 1, map { $_ => $record->{$_} } grep { defined $record->{$_} } @KEPT);
    $thin{host} = { %{ $record->{host} } };
    delete @{ $thin{host} }{@PRIVATE};
    my %used = map { $_->{category} => 1 } @{ $record->{tests} }, @{ $record->{indexes} || [] };
    $thin{categories} = [ grep { $used{ $_->{key} } } @{ $record->{categories} } ];
    $thin{programs}   = $record->{programs} =~ s{.*/}{}sr
        if defined $record->{duet} && defined $record->{programs};
    $thin{equipment} =
        { map { $_ => _without($record->{equipment}{$_}, 'path') } keys %{ $record->{equipment} || {} } };
    $thin{$_} = [ map { _without($_, 'output') } @{ $record->{$_} } ] for qw(failures skipped);
    $thin{passes} = [ map { _pass($_, $as{short}) } grep { $_->{round} } @{ $record->{passes} } ];
    return \%thin;
}

sub _without {
    my ($hash, @keys) = @_;
    my %rest = map { $_ => $hash->{$_} } grep { defined $hash->{$_} } keys %$hash;
    delete @rest{@keys};
    return \%rest;
}

sub _pass {
    my ($pass, $short) = @_;
    my %thin = map { $_ => $pass->{$_} } grep { defined $pass->{$_} } @PASS;
    $thin{$_} = sprintf('%.*f', $DECIMALS{$_}, $pass->{$_}) + 0
        for grep { defined $pass->{$_} } keys %DECIMALS;

    # Reports show the CPU time of fixed work.
    if ($pass->{unit} eq $Touchstone::Base::Speed::SECONDS) {
        $thin{$_} = $pass->{$_} for grep { $pass->{$_} } qw(user sys);
    }
    $thin{turns} = [ map { _turns($_) } @{ $pass->{turns} } ] if $pass->{turns};
    my $counters = _counters($pass->{counters});
    $thin{counters} = $counters if $counters;
    my $common = ($short || $pass->{common})
        && @{ $pass->{counts} } > 1 ? Touchstone::Score::Rate::common($pass) : undef;
    return { %thin, $common ? (common => $common, _no_progress($pass)) : _progress($pass) };
}

# The times of turns to a microsecond: a ratio of builds has no finer digits.
sub _turns {
    my ($text) = @_;
    return join ' ', map {
        my ($place, $wall, $cpu, @rest) = split /:/;
        join ':', $place, (map { $_ < 1000 ? $_ : 1000 * int($_ / 1000 + 0.5) } $wall, $cpu), @rest
    } split / /, $text;
}

sub _counters {
    my ($c) = @_;
    return if !$c || ($c->{seconds} // 0) <= 0;
    return {
        (map { $_ => $c->{$_} } grep { $c->{$_} } @COUNTERS),
        map { $_ => $c->{$_} } grep { defined $c->{$_} } @ALWAYS
    };
}

# Returns starts and slices. One copy needs none. Each of several copies needs the slices around the
# beginning and the end of their common time, and its last one. All times of a pass count from its first
# start.
sub _progress {
    my ($pass) = @_;
    my ($starts, $slices) = @$pass{qw(starts slices)};
    my @copies = 0 .. $#{ $pass->{counts} };
    my @known  = grep { length($slices->[$_] // '') && defined $starts->[$_] } @copies;
    return _no_progress($pass) if @copies == 1 || @known < @copies;
    my @lists = map { [ split / / ] } @$slices;
    return (starts => $starts, slices => $slices) if grep { !@$_ } @lists;
    my $first = min(@$starts);
    my ($from, $to) = (max(@$starts), min(map { $starts->[$_] + _when($lists[$_][-1]) } @copies));
    return (
        starts => [ map { $_ - $first } @$starts ],
        slices =>
            [ map { join ' ', _needed($lists[$_], $from - $starts->[$_], $to - $starts->[$_]) } @copies ]
    );
}

sub _no_progress {
    my ($pass) = @_;
    return map {
        $_ => [ map { undef } @{ $pass->{counts} } ]
    } qw(starts slices);
}

sub _when { my ($slice) = @_; return (split /:/, $slice)[0] }

# Returns the slices that a count between two slices is worked out from, at each of these times: the last
# before it, and the first that is not. Their CPU times go.
sub _needed {
    my ($slices, @times) = @_;
    my %needed = ($#$slices => 1);
    for my $time (grep { $_ > 0 } @times) {
        my ($after) = grep { _when($slices->[$_]) >= $time } 0 .. $#$slices;
        $needed{$_} = 1 for grep { defined && $_ >= 0 } defined $after ? ($after - 1, $after) : ();
    }
    return map { s/\A[^:]*:[^:]*\K:.*//r } @$slices[ sort { $a <=> $b } keys %needed ];
}

1;
