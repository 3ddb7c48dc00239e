# SPDX-License-Identifier: GPL-2.0-or-later
# Suite::Truth::Probe::Memory - is the memory there that the system says is free, or does a host hand it out
# only when it is used? Witnesses are what the first use of a page costs more than the third, and whether the
# system has a host that could take memory back.
package Touchstone::Suite::Truth::Probe::Memory;
use 5.014;
use strict;
use warnings;

use List::Util qw(max sum);

use Touchstone::Base::Figure qw(seconds two_digits);
use Touchstone::Base::Text qw(grouped_count);
use Touchstone::Suite::Truth::Figures qw(figures median_of system_fact system_number);

# What these figures are called.
my @QUANTILES =
    ([ p50 => 'half within' ], [ p99 => '99 % within' ], [ p999 => '99.9 % within' ], [ max => 'at most' ]);

# Limits of figures: ns, ms, counts.
my ($NS, $MS, $COUNT) = ([ 1, 1e12 ], [ 0, 1e9 ], [ 0, 1e15 ]);

# The first use of a page that costs so many times the third is work of a host; less than the second figure
# is none.
my ($SLOWER, $SAME) = (1.5, 1.2);

# So many passes must show it.
my $WITNESSES = 2;

# A reclaiming host stops a guest for so many ms in all.
my $STOOD = 5;

sub judge {
    my ($facts, $result, $passes) = @_;
    my @pairs = grep { @$_ == 2 } map { _pair($_) } @$passes;
    my %is    = (
        passes  => scalar @$passes,
        killed  => scalar(grep { $_ } figures($passes, 'killed', $COUNT)),
        slower  => scalar(grep { $_->[0] / $_->[1] >= $SLOWER } @pairs),
        largest => max(0, map { $_->[0] / $_->[1] } @pairs),
        first   => median_of(map { $_->[0] } @pairs),
        third   => median_of(map { $_->[1] } @pairs),
        stood   => sum(0, figures($passes, 'gap_ms_1', $MS)) - sum(0, figures($passes, 'gap_ms_3', $MS)),
        pages   => max(0, figures($passes, 'pages',      $COUNT)),
        bytes   => max(0, figures($passes, 'page_bytes', $COUNT)),
        balloon => sum(0, map { system_number($facts, "balloon_$_", $COUNT) // 0 } qw(inflate deflate)),
        map { $_ => system_fact($facts, $_) } qw(hypervisor page_reporting virtualisation)
    );
    my ($verdict, @sentences) = _verdict(\%is, scalar @pairs);
    return {
        verdict  => $verdict,
        sentence => join(' ', @sentences, _stood(\%is)),
        evidence => [ _evidence(\%is, $passes) ]
    };
}

# What the middle page cost in the first round and in the third.
sub _pair {
    my ($pass) = @_;
    return [ map { figures([$pass], "p50_$_", $NS) } 1, 3 ];
}

sub _verdict {
    my ($probe, $pairs) = @_;
    return ('unclear',
        'The system killed the program: out of memory, before it had used the memory that is reported as free.'
    ) if $probe->{killed};
    return ('unclear', "Memory could be compared in only $pairs of $probe->{passes} passes.")
        if $pairs < $WITNESSES;
    my ($first, $third) = map { seconds($_ / 1e9) } @$probe{qw(first third)};
    my $costs = "The first use of memory costs $first per page, a later one $third";
    return _handed_out($probe, $costs) if $probe->{slower} >= $WITNESSES;
    return ('unclear',
              "$costs; in one of $probe->{passes} passes it was "
            . two_digits($probe->{largest})
            . ' times as much.')
        if $probe->{largest} >= $SLOWER;
    return ('unclear', "$costs: no clear difference.") if $probe->{first} / $probe->{third} >= $SAME;
    return _is_there($probe, "$costs: the first use is as fast as the next");
}

sub _handed_out {
    my ($probe, $costs) = @_;
    return ('contradicted', "$costs: the host allocates it only at first use.")
        if ($probe->{hypervisor} // '') eq 'yes' || $probe->{balloon} || defined $probe->{page_reporting};
    return ('unclear',
        "$costs; no hypervisor is known that could allocate it, so this may be the kernel's own work.");
}

# Memory that goes back to the host at once costs the same in each round.
sub _is_there {
    my ($probe, $same) = @_;
    return ('unclear',
        "$same. Either all of it is allocated, or freed memory returns to the host immediately (page_reporting): both"
            . ' look the same.')
        if defined $probe->{page_reporting};
    return ('unclear',
        "$same; the host's balloon has moved " . grouped_count($probe->{balloon}) . ' pages since boot.')
        if $probe->{balloon};
    return ('unclear', "$same; the system does not report whether a host could take it back.")
        if !defined $probe->{hypervisor};
    return ('confirmed', "$same, and nothing here returns memory to a host.");
}

sub _stood {
    my ($probe) = @_;
    return if $probe->{stood} < $STOOD;
    return
          'The machine stalled for '
        . two_digits($probe->{stood})
        . ' ms more than during later use: the host freed memory, or neighbours ran.';
}

sub _evidence {
    my ($probe, $passes) = @_;
    my @rounds = map {
        my $round = $_;
        my %cost  = map { $_ => median_of(figures($passes, "${_}_$round", $NS)) } qw(p50 p99 p999);
        $cost{max} = max(0, figures($passes, "max_$round", $NS));
        defined $cost{p50}
            ? [
            'cost per page, ' . (qw(first second third))[ $round - 1 ] . ' use',
            join ', ',
            map { defined $cost{ $_->[0] } ? "$_->[1] " . seconds($cost{ $_->[0] } / 1e9) : () } @QUANTILES
            ]
            : ()
    } 1 .. 3;
    my $gaps = join ', ', map { grouped_count(sum(0, figures($passes, "gaps_$_", $COUNT))) } 1 .. 3;
    return (
        @rounds,
        [ 'gaps of more than 1 ms while nothing else ran, per round', @rounds ? $gaps : undef ],
        [
            'memory per pass, at most',
            $probe->{pages}
                && $probe->{bytes} ? sprintf('%.0f MB', $probe->{pages} * $probe->{bytes} / 1e6) : undef
        ],
        [ 'passes in which the first use was slower', "$probe->{slower} of $probe->{passes}" ],
        [ "pages that the host's balloon moved",      grouped_count($probe->{balloon}) ],
        [ 'hypervisor, reported by the CPU',          $probe->{hypervisor} ],
        [ 'reporting of free memory to the host',     $probe->{page_reporting} ]
    );
}

1;
