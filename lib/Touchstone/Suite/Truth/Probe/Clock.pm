# SPDX-License-Identifier: GPL-2.0-or-later
# Suite::Truth::Probe::Clock - do the clocks of this machine agree, and does none of them go back? Witnesses
# are the rates of the clocks against each other, and the times that two CPUs hand each other.
package Touchstone::Suite::Truth::Probe::Clock;
use 5.014;
use strict;
use warnings;

use List::Util qw(max min sum);

use Touchstone::Base::Figure qw(two_digits);
use Touchstone::Base::Text qw(grouped_count);
use Touchstone::Suite::Truth::Figures qw(figures median_of system_fact);

# Millionths: a time service may make the clock so much faster or slower; rates that are nearer to each other
# than this are the same; a time of day that differs by more was set meanwhile.
my ($SERVICE, $SAME) = (500, 1);

# Limits of figures: ratios of rates, millionths, nanoseconds, counts, ticks a second.
my ($RATIO, $PPM, $NS, $COUNT, $TICKS) = ([ 0, 1e6 ], [ 0, 1e9 ], [ 0, 1e9 ], [ 0, 1e15 ], [ 1, 1e12 ]);

# A reading that takes this part of a system call or more is one.
my $IS_CALL = 0.6;

# A step that is seen in one pass alone has one witness.
my $WITNESSES = 2;

my $BETWEEN = 'between the first CPU and the last';

my $SHARED = 'An error common to all clocks cannot be detected without a second machine.';

sub judge {
    my ($facts, $result, $passes) = @_;
    my %seen = map {
        $_ => [ map { ($_ - 1) * 1e6 } figures($passes, $_, $RATIO) ]
    } qw(raw real);
    my %is = (
        %seen,
        ticks => [ figures($passes, 'ticks', $TICKS) ],
        blur  => _most(figures($passes, 'blur', $PPM))
    );
    my @steps = figures($passes, 'clock_back', $COUNT);
    $is{exchanges} = sum(0, figures($passes, 'exchanges', $COUNT));
    $is{steps}     = sum(0, @steps);
    $is{stepped}   = grep { $_ > 0 } @steps;
    $is{behind}    = sum(0, figures($passes, 'ticks_back', $COUNT));
    $is{service}   = median_of(@{ $is{raw} });
    $is{counter}   = _spread_ppm(@{ $is{ticks} });
    my ($verdict, @sentences) = _verdict(\%is, scalar @$passes);
    return {
        verdict  => $verdict,
        sentence => join(' ', @sentences, _by_call($passes), $SHARED),
        evidence => [ _evidence($facts, \%is, $passes) ]
    };
}

sub _most {
    return @_ ? max(map { abs } @_) : 0;
}

# By how many millionths the largest of these differs from the least.
sub _spread_ppm { return @_ ? (max(@_) / min(@_) - 1) * 1e6 : undef }

# The verdict and what it rests on. Both clocks go through the same time service.
sub _verdict {
    my ($probe, $passes) = @_;
    my $within = _most(@{ $probe->{real} }, @{ $probe->{raw} }) + $probe->{blur};
    my $steps =
          grouped_count($probe->{steps})
        . " steps back $BETWEEN in "
        . grouped_count($probe->{exchanges})
        . ' exchanges';
    return ('unclear', "No clock could be compared in $passes passes.") if !@{ $probe->{real} };
    return ('contradicted',
        "The monotonic clock goes backwards: $steps, seen in $probe->{stepped} of $passes passes.")
        if $probe->{stepped} >= $WITNESSES;
    return ('unclear', "The monotonic clock went backwards in one of $passes passes: $steps.")
        if $probe->{stepped};
    return _different_rates($probe) if abs($probe->{service} // 0) > $SERVICE;
    my $agree = 'The clocks agree within ' . two_digits($within) . ' ppm';
    $agree = _with_service($probe) if $within > $SAME;
    return ('unclear', "$agree; no two CPUs are usable, so steps back could not be tested.")
        if !$probe->{exchanges};
    return ('confirmed',
        "$agree; no step back $BETWEEN in " . grouped_count($probe->{exchanges}) . ' exchanges.');
}

# The counter of the CPU is the second witness: it keeps its rate while the clock does not.
sub _different_rates {
    my ($probe) = @_;
    my $text =
        'The monotonic clock differs by ' . two_digits($probe->{service}) . ' ppm from the hardware clock';
    return ('unclear', "$text, more than a time service may cause.")
        if !defined $probe->{counter} || $probe->{counter} > $SAME + $probe->{blur};
    return ('contradicted', "$text, more than a time service may cause, and the CPU counter is steady.");
}

sub _with_service {
    my ($probe) = @_;
    my $set     = _most(@{ $probe->{real} }) > $SAME + $probe->{blur};
    my $slewed  = abs($probe->{service} // 0) > $SAME;
    return join '; ',
        $slewed
        ? 'A time service makes the clock '
        . two_digits(abs $probe->{service}) . ' ppm '
        . ($probe->{service} > 0 ? 'slower' : 'faster')
        . ' than the hardware clock'
        : 'The clocks agree within ' . two_digits(_most(@{ $probe->{raw} }) + $probe->{blur}) . ' ppm',
        $set ? 'the time of day was set during the run' : ();
}

sub _by_call {
    my ($passes) = @_;
    my ($libc, $call) = map { median_of(figures($passes, $_, $NS)) } qw(libc call);
    return if !$libc || !$call || $libc < $IS_CALL * $call;
    return 'Each reading is a system call and takes ' . two_digits($libc) . ' ns.';
}

sub _evidence {
    my ($facts, $probe, $passes) = @_;
    my %largest =
        map { $_ => two_digits(_most(@{ $probe->{$_} })) . ' ppm at most' }
        grep { @{ $probe->{$_} } } qw(raw real);
    my ($libc, $call) = map { median_of(figures($passes, $_, $NS)) } qw(libc call);
    my $ticks  = median_of(@{ $probe->{ticks} });
    my $source = system_fact($facts, 'clocksource');
    return (
        [ 'clock of the machine against the monotonic clock', $largest{raw} ],
        [ 'time of day against the monotonic clock',          $largest{real} ],
        [ 'uncertainty of both',                              two_digits($probe->{blur}) . ' ppm' ],
        [
            "steps back $BETWEEN",
            $probe->{exchanges}
            ? grouped_count($probe->{steps})
                . ' of the clock, '
                . grouped_count($probe->{behind})
                . ' of the counter, in '
                . grouped_count($probe->{exchanges})
                . ' exchanges'
            : 'not tried: no two CPUs could be chosen'
        ],
        [
            'counter of the CPU',
            $ticks ? sprintf(
                '%.6f GHz, from pass to pass within %s ppm',
                $ticks / 1e9,
                two_digits($probe->{counter})
                )
            : undef
        ],
        [ 'a reading takes',           $libc ? two_digits($libc) . ' ns' : undef ],
        [ 'by a system call it takes', $call ? two_digits($call) . ' ns' : undef ],
        [ 'source of the clocks, reported by the kernel', $source ]
    );
}

1;
