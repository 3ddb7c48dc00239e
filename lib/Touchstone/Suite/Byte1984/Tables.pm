# SPDX-License-Identifier: GPL-2.0-or-later
# Suite::Byte1984::Tables - what a run of the suite of 1984 says beside the 15 machines of the article:
#
#   { copies   => 1,
#     machines => [ MACHINE, ... ],        table 1, this machine first; empty when none was measured
#     headline => {                        or undef
#         machine  => 'VAX-11/780',
#         times    => 5300,                how many times faster this machine is
#         interval => [low, high],         or undef
#         of       => ['pipe', ...],       benchmarks of the mean
#         missing  => ['fcall'],
#         below    => ['fcall'] },         those of the missing that are below the resolution
#     compiler => {                        or undef
#         seconds, interval, user, sys },
#     least    => { dynamic => 'text 1228 + ...', static => ... },     the shortest C program; each where known
#     room     => { memory_kb, limit_kb, swap_kb, swapped, passes },   each where known: numbers of passes
#     multi    => {                        or undef
#         machines => [ LINE, ... ],       this machine first
#         fit      => of PiecewiseLine,
#         cpus     => 2,                   or undef
#         single   => 0.001,               or undef
#         share    => slope / single } }   or undef
#
# This MACHINE is
#
#   { this      => 1,
#     machine   => 'vm',
#     system    => 'GNU/Linux 6.18',
#     cells     => { pipe_real => 0.00053, pipe_user => 0.0001, fcall => undef, ... },
#     waiting   => 0.0001,                 for a pipe: real - user - system, below 0 when both run at once
#     intervals => { pipe_real => [low, high], ... },
#     below     => { fcall => 1 } }
#
# and a published one has, beside machine, system, cells and waiting,
#
#   { note      => 'compiled without the optimiser', where there is one
#     times     => { pipe => 6038, fcall => undef, ... },
#     composite => 5300 }                  their geometric mean
#
# A LINE has machine, system, note, seconds (6 figures) and slope; that of this machine also this, intervals
# (6) and slope_interval. Times are seconds, undef where not known.
package Touchstone::Suite::Byte1984::Tables;
use 5.014;
use strict;
use warnings;

use List::Util qw(sum);

use Touchstone::Base::Untrusted qw(as_hash as_hashes as_number as_text as_word);
use Touchstone::Suite::Byte1984::PiecewiseLine;
use Touchstone::Stats::Confidence;
use Touchstone::Stats qw(geometric_mean mean);

our @BENCHMARKS = qw(pipe scall fcall sieve dwrite dread shell loop);

# The composite is without dread, which two machines have not.
our @COMPOSITE = grep { $_ ne 'dread' } @BENCHMARKS;
our $SHELLS    = 6;

# The article compares everything with this machine.
our $STANDARD = 'VAX-11/780';

# A published line of the multitasking test has at least so many points.
my $LEAST_POINTS = 3;

# A figure beyond these is no time that somebody measured, and a ratio would be no number.
my ($SHORTEST, $LONGEST) = (1e-15, 1e12);

# Words of a record about a build have at most this many letters.
my $BRIEF = 60;

# The column of a benchmark's elapsed seconds.
sub column { return $_[0] eq 'fcall' ? 'fcall' : "$_[0]_real" }

# The tables of a run whose facts have `published` rows; nothing when no test of 1984 was measured.
sub tables {
    my ($facts, $results) = @_;
    my ($block) = grep { %{ $_->{measured} } || %{ $_->{below} } }
        sort { $a->{copies} <=> $b->{copies} } map { _block($_) } @{ $results->{blocks} };
    return if !$block;
    my $host = $facts->{host} || {};
    my %this = (
        this    => 1,
        machine => as_word($host->{name}),
        system  => join ' ',
        grep { length } map { as_word($_) } @$host{qw(os release)}
    );
    my $published = $facts->{published} || {};
    my @machines  = _machines($block, \%this, $published->{'byte1984-machines'});
    return {
        copies   => $block->{copies},
        machines => \@machines,
        headline => scalar _headline($block, @machines),
        compiler => scalar _compiler($block),
        least    => _least($facts->{build}),
        room     => _room($facts, $block->{copies}),
        multi    => scalar _multi(
            $block, \%this,
            $published->{'byte1984-multi'},
            $host->{usable_cpus} // $host->{online_cpus}
        ),
    };
}

# A block of results, with benchmarks by their names in the article:
# { copies, measured => { pipe => Score's row, 'multi-1' => ... }, below => { fcall => ... } }
sub _block {
    my ($results) = @_;
    my %measured = _of_1984($results->{tests});
    delete @measured{ grep { !defined _seconds($measured{$_}{score}) } keys %measured };
    return {
        copies   => $results->{copies},
        measured => \%measured,
        below    => { _of_1984($results->{below_resolution}) }
    };
}

# Rows by their names in the article.
sub _of_1984 {
    my ($tests) = @_;
    my %row     = map { ($_->{name} // '') => $_ } @{ $tests || [] };
    return map { my $row = $row{s/\A([a-z]+)/${1}84/r}; $row ? ($_ => $row) : () } _names();
}

sub _names {
    return (@BENCHMARKS, 'cc', map { "multi-$_" } 1 .. $SHELLS);
}

# Seconds above zero, or undef. CPU seconds may also be zero.
sub _seconds {
    my ($value, %with) = @_;
    return as_number($value, $SHORTEST, $LONGEST) // ($with{zero} ? as_number($value, 0, 0) : undef);
}

sub _machines {
    my ($block, $this, $published) = @_;
    my ($measured, $below) = @$block{qw(measured below)};
    return if !grep { $measured->{$_} || $below->{$_} } @BENCHMARKS;
    my (%cells, %intervals);
    for my $name (@BENCHMARKS) {
        my $test = $measured->{$name} || {};
        ($cells{ column($name) }, $intervals{ column($name) }) =
            (_seconds($test->{score}), $test->{interval});
        @cells{ "${name}_user", "${name}_sys" } = map { _seconds($_, zero => 1) } @$test{qw(user sys)}
            if $name !~ /\A(?:fcall|dwrite|dread)\z/;
    }
    my %marked = map { $_ => 1 } grep { $below->{$_} } @BENCHMARKS;
    my %ours   = (
        %$this,
        cells     => \%cells,
        waiting   => _waiting(\%cells),
        intervals => \%intervals,
        below     => \%marked
    );
    return (\%ours, map { _compared($_, \%cells) } as_hashes($published));
}

# A published machine, and how many times faster the cells are.
sub _compared {
    my ($row, $ours) = @_;
    my %cells = map { $_ => _seconds($row->{$_}, zero => 1) } sort keys %$ours;
    my %times = map {
        my $column = column($_);
        $_ => $ours->{$column} && $cells{$column} ? $cells{$column} / $ours->{$column} : undef
    } @BENCHMARKS;
    my @of = grep { defined } @times{@COMPOSITE};
    return {
        machine => as_word($row->{machine}),
        system  => as_word($row->{system}),
        _note($row),
        cells     => \%cells,
        waiting   => _waiting(\%cells),
        times     => \%times,
        composite => @of == @COMPOSITE ? geometric_mean(@of) : undef
    };
}

sub _note {
    my ($row) = @_;
    my $note = as_word($row->{note});
    return length $note ? (note => $note) : ();
}

# In the article this is what the disk costs, on which pipes were then.
sub _waiting {
    my ($cells) = @_;
    my ($real, @cpu) = @$cells{qw(pipe_real pipe_user pipe_sys)};
    return (grep { !defined } $real, @cpu) ? undef : $real - sum(@cpu);
}

# The article times the compiler and has no figure of it.
sub _compiler {
    my ($block) = @_;
    my $test    = $block->{measured}{cc} or return undef;
    my %cpu     = map { $_ => _seconds($test->{$_}, zero => 1) } qw(user sys);
    return { seconds => _seconds($test->{score}), interval => $test->{interval}, %cpu };
}

# The sizes of the shortest C program, as make found them: the article prints what size(1) says of it.
sub _least {
    my ($build) = @_;
    my %least = (
        dynamic => as_text($build->{least_byte1984},        $BRIEF),
        static  => as_text($build->{least_byte1984_static}, $BRIEF)
    );
    return { map { $_ => $least{$_} } grep { defined $least{$_} } keys %least };
}

# What the article's multitasking test is to find: limits of memory, and whether the system swaps.
sub _room {
    my ($facts, $copies) = @_;
    my %of     = map  { s/\A([a-z]+)/${1}84/r => 1 } _names();
    my @passes = grep { $of{ as_word($_->{test}) } && (as_number($_->{copies}, 1, $LONGEST) // 0) == $copies }
        as_hashes($facts->{passes});
    my $host = as_hash($facts->{host});
    return {
        (map { $_ => as_number($host->{$_}, 0, $LONGEST) } qw(memory_kb swap_kb)),
        limit_kb => as_number($host->{memory_limit_kb}, 1, $LONGEST),
        swapped  => scalar(grep { as_number(as_hash($_->{counters})->{swapped}, 1, $LONGEST) } @passes),
        passes   => scalar @passes
    };
}

# The headline is a mean over what was measured, the whole composite when nothing is missing. Its interval
# follows from our figures; those of the article are the scale.
sub _headline {
    my ($block, @machines) = @_;
    my ($standard) = grep { $_->{machine} eq $STANDARD && !$_->{this} } @machines or return;
    my @of         = grep { defined $standard->{times}{$_} } @COMPOSITE           or return;
    my @missing    = grep { !defined $standard->{times}{$_} } @COMPOSITE;
    my $times      = geometric_mean(@{ $standard->{times} }{@of});
    my @limits     = _limits($times, map { $block->{measured}{$_} } @of);
    return {
        machine  => $STANDARD,
        times    => $times,
        interval => @limits ? \@limits : undef,
        of       => \@of,
        missing  => \@missing,
        below    => [ grep { $block->{below}{$_} } @missing ]
    };
}

# The limits are like those of an index.
sub _limits {
    my ($times, @tests) = @_;
    my $spread = Touchstone::Stats::Confidence::product(
        map { [ Touchstone::Stats::Confidence::confidence(@$_{qw(score interval error)}), -1 / @tests ] }
            @tests);
    return @{ Touchstone::Stats::Confidence::limits($times, $spread) || [] };
}

sub _multi {
    my ($block, $this, $published, $cpus) = @_;
    my @tests = map { $block->{measured}{"multi-$_"} } 1 .. $SHELLS;
    return if !grep { defined } @tests;
    my @points = map {
        [ $_, [ grep { defined } map { _seconds($_) } @{ $tests[ $_ - 1 ]{rates} || [] } ] ]
    } grep { $tests[ $_ - 1 ] } 1 .. $SHELLS;
    my $fit =
          (grep { @{ $_->[1] } < $Touchstone::Stats::FEWEST } @points)
        ? { why => "each needs $Touchstone::Stats::FEWEST passes" }
        : Touchstone::Suite::Byte1984::PiecewiseLine::fit(\@points);
    my @ours   = map { $_ ? _seconds($_->{score}) : undef } @tests;
    my $single = $ours[0];
    my $row    = {
        %$this,
        seconds        => \@ours,
        intervals      => [ map { $_ ? $_->{interval} : undef } @tests ],
        slope          => $fit->{slope} // _slope(@ours),
        slope_interval => defined $fit->{slope} ? [ @$fit{qw(slope_low slope_high)} ] : undef,
    };
    return {
        machines => [ $row, map { _published_line($_) } as_hashes($published) ],
        fit      => $fit,
        cpus     => $cpus,
        single   => $single,
        share    => defined $single && defined $fit->{slope} ? $fit->{slope} / $single : undef,
    };
}

sub _published_line {
    my ($row) = @_;
    my @seconds = map { _seconds($row->{"n$_"}) } 1 .. $SHELLS;
    return {
        machine => as_word($row->{machine}),
        system  => as_word($row->{system}),
        _note($row),
        seconds => \@seconds,
        slope   => _slope(@seconds)
    };
}

# The slope of the straight line with the least squares through seconds with 1, 2, 3 ... shells. Where all
# passes are known, PiecewiseLine has the slope of the line through them.
sub _slope {
    my (@seconds) = @_;
    my @x = grep { defined $seconds[ $_ - 1 ] } 1 .. @seconds;
    return undef if @x < $LEAST_POINTS;
    my $middle = mean(@x);
    return sum(map { ($_ - $middle) * $seconds[ $_ - 1 ] } @x) / sum(map { ($_ - $middle)**2 } @x);
}

1;
