# SPDX-License-Identifier: GPL-2.0-or-later
# Suite::Lmb1997::Tables - what a run of the suite of 1997 says beside the seconds of the article:
#
#   { copies      => 1,
#     note        => 'what those seconds are worth',
#     systems     => [ 'KPC PentiumPro-200 Windows NT 4.0', ... ],    those that have a figure
#     programs    => [ PROGRAM, ... ],     all 16 in the suite's order; empty when none was measured
#     load        => LOAD,                 or undef
#     options     => {                     or undef
#         c        => '-O2',
#         fortran  => '-O2',
#         user     => '-g',
#         programs => [ {
#             name      => 'm-permut',
#             none      => 102,
#             optimised => 47,
#             ratio     => 2.17,
#             real, interval } ] },
#     legend      => [ 'KPC Linux 2.0.27: gcc 2.7.2.1-5', ... ],      machines and compilers of those systems
#     cached      => [ names of disk programs whose files fit into the memory ],
#     disk        => { write_mbps => 900, read_mbps => 4000 },        or undef
#     array_kb    => 65536,
#     array_usual => 65536 }
#
# A PROGRAM is
#
#   { name      => 'm-permut',
#     real      => 0.031,
#     interval  => [low, high],
#     user      => 0.03,
#     sys       => 0,
#     published => { 'KPC ...' => 47 },
#     best      => { 'KPC ...' => 1 },     systems that were the faster ones on their machine
#     times     => { 'KPC ...' => 22 } }   how many times faster this is, where the article states the work
#
# and the LOAD
#
#   { real     => 4.2,
#     interval,
#     cpus     => 2,
#     programs => [ { name => 'm-permut', seconds => 0.6, single => 0.031, single_interval }, ... ],
#     absent   => [ { name => 'm-comb.f', why => 'it was not built' } ],
#     unknown  => [ names that have no seconds alone ],
#     sum      => 7.6,
#     ratio    => 0.55,
#     ratio_interval,
#     others   => [ { system => 'KPC ...', seconds => 2806, sum => 2994, ratio => 0.94 }, ... ] }
#
# Times are seconds, undef where not known.
package Touchstone::Suite::Lmb1997::Tables;
use 5.014;
use strict;
use warnings;

use List::Util qw(first sum);

use Touchstone::Base::Text qw(plain short);
use Touchstone::Base::Untrusted qw(as_hash as_hashes as_number);
use Touchstone::Stats::Confidence;
use Touchstone::Suite::Lmb1997::Rows;
use Touchstone::Suite::Published qw(notes);

my %STATED = map { $_ => 1 } qw(m-nnstadis.c m-stadis1.f);
my ($NT, $LINUX)    = ('KPC PentiumPro-200 Windows NT 4.0', 'KPC PentiumPro-200 Linux 2.0.27');
my ($UNIX, $DEC_NT) = ('DEC 2100-5/250 Digital Unix', 'DEC 2100-5/250 Windows NT 3.51');
my @SYSTEMS = ($NT, $LINUX, $UNIX, $DEC_NT);

# The article compares two systems of one machine, twice.
my @PAIRS = ([ $NT, $LINUX ], [ $UNIX, $DEC_NT ]);

# The figures of the second machine's load have names of their own.
my @LOADED = ($NT, $LINUX, map { "$_ 1 processor" } $UNIX, $DEC_NT);
my ($NONE, $OPTIMISED) = map { "KPC NT 4.0 $_" } qw(-none -O);
my $LOAD     = 'load1997';
my $TABLE    = 'lmb1997';
my $ARRAY_KB = 65536;

# A figure beyond these is no time that this suite takes; those of the article are from a watch. The second
# line limits figures that are no times.
my ($SHORTEST, $LONGEST, $WATCH)   = (1e-9, 99_999, 1);
my ($LEAST,    $MOST,    $MOST_KB) = (1e-3, 1e9,    1e12);

# Words of others have at most so many letters.
my $BRIEF = 60;

my ($LOAD_ROW) = grep { $_->{name} eq $LOAD } @{ Touchstone::Suite::Lmb1997::Rows->suite->{tests} };
our @PROGRAMS =
    map { $_->{name} } grep { $_->{name} ne $LOAD } @{ Touchstone::Suite::Lmb1997::Rows->suite->{tests} };

# The programs that read and write at random have files of so many KB. Twice as much memory has room for
# them.
my %FILE_KB = map { $_->{name} => $_->{space} }
    grep { $STATED{ $_->{name} } } @{ Touchstone::Suite::Lmb1997::Rows->suite->{tests} };
my $ROOM = 2;

# Tests by the programs that the load starts.
my %TEST = map { $_->{program} => $_->{name} } @{ Touchstone::Suite::Lmb1997::Rows->suite->{tests} };
our @OF_LOAD = map { $TEST{$_} } @{ $LOAD_ROW->{parts} };

# The tables of a run whose facts have `published` rows; nothing when no test of the suite was measured.
sub tables {
    my ($facts, $results) = @_;
    my ($block) =
        grep { %{ $_->{measured} } }
        sort { $a->{copies} <=> $b->{copies} }
        map  { _block($_) } as_hashes($results->{blocks});
    return if !$block;
    my $notes     = notes($TABLE);
    my $published = _published(as_hash($facts->{published})->{$TABLE});
    my @programs  = _programs($block, $published);
    my @systems   = grep {
        my $system = $_;
        grep { defined $published->{$system}{$_} } @PROGRAMS
    } @SYSTEMS;
    return {
        copies      => $block->{copies},
        note        => $notes->{note}[0],
        programs    => \@programs,
        systems     => \@systems,
        legend      => [ _legend($notes, @systems) ],
        cached      => [ _cached($block, as_hash($facts->{host})->{memory_kb}) ],
        load        => scalar _load($block, $published, as_hash($facts->{host})),
        options     => scalar _options($published, as_hash($facts->{build}), @programs),
        disk        => scalar _disk($block),
        array_kb    => scalar _array($block),
        array_usual => $ARRAY_KB,
    };
}

# A block of results: { copies, measured => { 'm-permut' => Score's row, ... } }.
sub _block {
    my ($results) = @_;
    my %row       = map { ($_->{name} // '') => $_ } as_hashes($results->{tests});
    my %measured  = map { $_ => $row{$_} } grep { $row{$_} && defined _seconds($row{$_}{score}) } @PROGRAMS,
        $LOAD;
    return {
        copies   => as_number($results->{copies}, 1, $MOST) // 1,
        measured => \%measured
    };
}

sub _seconds { my ($value) = @_; return as_number($value, $SHORTEST, $LONGEST) }

# CPU seconds may also be zero.
sub _cpu_seconds {
    my ($value) = @_;
    return _seconds($value) // as_number($value, 0, 0);
}

sub _interval {
    my ($test) = @_;
    my @limits = map { _seconds($_) } ref $test->{interval} eq 'ARRAY' ? @{ $test->{interval} } : ();
    return
           @limits == 2
        && defined $limits[0]
        && defined $limits[1]
        && $limits[0] <= $limits[1] ? \@limits : undef;
}

# Published seconds: { system => { test => seconds } }. In the article every program has the name of its
# file.
sub _published {
    my ($rows)  = @_;
    my %file    = ((map { (/\./ ? $_ : "$_.c") => $_ } @PROGRAMS), load => $LOAD);
    my %seconds = map { $_ => {} } @SYSTEMS, @LOADED, $NONE, $OPTIMISED;
    for my $row (as_hashes($rows)) {
        my ($program, $system) = map { defined && !ref ? $_ : '' } @$row{qw(program system)};
        $seconds{$system}{ $file{$program} } = as_number($row->{seconds}, $WATCH, $LONGEST)
            if $file{$program} && $seconds{$system};
    }
    return \%seconds;
}

sub _programs {
    my ($block, $published) = @_;
    my $measured = $block->{measured};
    return if !grep { $measured->{$_} } @PROGRAMS;
    my @programs;
    for my $name (@PROGRAMS) {
        my $test = $measured->{$name} || {};
        my $real = _seconds($test->{score});
        my %their =
            map { my $seconds = $published->{$_}{$name}; defined $seconds ? ($_ => $seconds) : () } @SYSTEMS;
        push @programs,
            {
            name     => $name,
            real     => $real,
            interval => _interval($test),
            (map { $_ => _cpu_seconds($test->{$_}) } qw(user sys)),
            published => \%their,
            best      => { map { $_ => 1 } _best(\%their) },
            $STATED{$name}
                && defined $real ? (times => { map { $_ => $their{$_} / $real } keys %their }) : (),
            };
    }
    return @programs;
}

# Lines of the legend about these systems and their machine.
sub _legend {
    my ($notes, @systems) = @_;
    my @machines = (grep { /\AKPC/ } @systems) ? 'KPC' : ();
    return map { @{ $notes->{$_} || [] } } @machines, @systems;
}

# Systems that were faster than the other one of their machine.
sub _best {
    my ($seconds) = @_;
    my @best;
    for my $pair (@PAIRS) {
        my ($one, $other) = @$seconds{@$pair};
        push @best, $pair->[ $one < $other ? 0 : 1 ] if defined $one && defined $other && $one != $other;
    }
    return @best;
}

sub _cached {
    my ($block, $fact) = @_;
    my $memory = as_number($fact, 0, $MOST_KB) // return;
    my @files  = grep { $FILE_KB{$_} && $block->{measured}{$_} } @PROGRAMS;
    return grep { $FILE_KB{$_} * $ROOM * $block->{copies} <= $memory } @files;
}

# Only one copy of the load counts: it is many programs by itself.
sub _load {
    my ($block, $published, $host) = @_;
    my $test = $block->{measured}{$LOAD};
    return if !$test || $block->{copies} != 1;
    my @programs = _took_part($test, $block->{measured});
    my @unknown  = map { $_->{name} } grep { !defined $_->{single} } @programs;
    my $count    = as_number(as_hash($test->{figures})->{programs}, 0, $MOST);

    # A program that nobody names is in the load and would not be in the sum.
    my $is_complete = @programs && !@unknown && ($count // @programs) == @programs;
    my $sum         = $is_complete ? sum(map { $_->{single} } @programs) : undef;
    my $real        = _seconds($test->{score});
    my @limits =
        $is_complete ? _limits($real / $sum, $test, map { $block->{measured}{ $_->{name} } } @programs) : ();
    return {
        real     => $real,
        interval => _interval($test),
        cpus     => as_number($host->{usable_cpus}, 1, $MOST) // as_number($host->{online_cpus}, 1, $MOST),
        programs => \@programs,
        count    => $count,
        absent   => [ _absent($test, @programs) ],
        unknown  => \@unknown,
        sum      => $sum,
        ratio          => $is_complete ? $real / $sum : undef,
        ratio_interval => @limits      ? \@limits     : undef,
        others         => [ sort { $a->{seconds} <=> $b->{seconds} } map { _other($_, $published) } @LOADED ],
    };
}

# Programs took part that told their seconds in the load.
sub _took_part {
    my ($test, $measured) = @_;
    my $figures = as_hash($test->{figures});
    my %seconds = map { $TEST{$_} => _seconds($figures->{$_}) } @{ $LOAD_ROW->{parts} };
    return map {
        my $single = as_hash($measured->{$_});
        +{
            name            => $_,
            seconds         => $seconds{$_},
            single          => _seconds($single->{score}),
            single_interval => _interval($single)
        }
    } grep { defined $seconds{$_} } @OF_LOAD;
}

sub _absent {
    my ($test, @programs) = @_;
    my %there = map { $_->{name} => 1 } @programs;
    my %why;
    for my $missing (as_hashes($test->{missing})) {
        my ($name, $words) = map { defined && !ref ? short(plain($_), $BRIEF) : '' } @$missing{qw(name why)};
        $why{ $TEST{$name} // $name } = $words if length $words;
    }
    return map { +{ name => $_, why => $why{$_} } } grep { !$there{$_} } @OF_LOAD;
}

# Limits of load / sum. A part of a sum counts as a factor whose exponent is its share.
sub _limits {
    my ($ratio, $load, @single) = @_;
    my $sum    = sum(map { $_->{score} } @single);
    my $spread = Touchstone::Stats::Confidence::product([ _spread($load), 1 ],
        map { [ _spread($_), -$_->{score} / $sum ] } @single);
    return @{ Touchstone::Stats::Confidence::limits($ratio, $spread) || [] };
}

sub _spread {
    my ($test) = @_;
    return Touchstone::Stats::Confidence::confidence(_seconds($test->{score}),
        _interval($test), as_number($test->{error}, 0, $MOST));
}

# A published load, if there is one, and the sum of the same programs on the same system.
sub _other {
    my ($system, $published) = @_;
    my $seconds = $published->{$system}{$LOAD} // return;
    my @single  = grep { defined } map { $published->{$system}{$_} } @OF_LOAD;
    my $sum     = @single == @OF_LOAD ? sum(@single) : undef;
    return {
        system  => $system,
        seconds => $seconds,
        sum     => $sum,
        ratio   => defined $sum ? $seconds / $sum : undef
    };
}

# The second table of the article: with and without the optimiser.
sub _options {
    my ($published, $build, @programs) = @_;
    my @rows;
    for my $program (@programs) {
        my ($none, $optimised) = map { $published->{$_}{ $program->{name} } } $NONE, $OPTIMISED;
        push @rows,
            {
            (map { $_ => $program->{$_} } qw(name real interval)),
            none      => $none,
            optimised => $optimised,
            ratio     => $none / $optimised
            }
            if defined $none && defined $optimised;
    }
    my %flags = map {
        my ($results, $fact) = @$_;
        (
            $results => defined $build->{$fact} && !ref $build->{$fact}
            ? plain(join ' ', split ' ', $build->{$fact})
            : undef
        )
    } [ c => 'flags_lmb1997' ], [ fortran => 'flags_lmb1997_fortran' ], [ user => 'flags_user' ];
    return @rows ? { %flags, programs => \@rows } : undef;
}

# Speeds of the disk, of all copies together.
sub _disk {
    my ($block) = @_;
    my $figures = as_hash(as_hash($block->{measured}{'m-debi.c'})->{figures});
    my %disk    = map { $_ => as_number($figures->{$_}, $LEAST, $MOST) } qw(write_mbps read_mbps);
    return (grep { defined } values %disk) ? \%disk : undef;
}

# Each copy has an array, and figures are sums.
sub _array {
    my ($block) = @_;
    my $all =
        first { defined }
        map { as_number(as_hash(as_hash($block->{measured}{$_})->{figures})->{array_kb}, $LEAST, $MOST) }
        @PROGRAMS;
    return defined $all ? $all / $block->{copies} : undef;
}

1;
