# SPDX-License-Identifier: GPL-2.0-or-later
# Suite::Truth::Probe::Vcpu - is a CPU a core, and who else uses it? Each answer needs two witnesses: pairs
# of own CPUs are judged by the time of a line and by what they keep of their speed; a neighbour by additions
# and by instructions that do nothing, while the clock stays; lost time by pauses and by the kernel's queue.
package Touchstone::Suite::Truth::Probe::Vcpu;
use 5.014;
use strict;
use warnings;

use List::Util qw(max min sum);

use Touchstone::Base::Figure qw(two_digits);
use Touchstone::Base::Text qw(grouped_count);
use Touchstone::Base::Untrusted qw(as_hash as_number);
use Touchstone::Stats;
use Touchstone::Suite::Truth::Figures qw(figures if_known median_of others pairs system_fact system_number);

# One core: a line takes less than this many ns and a CPU keeps less than this part of its additions. Two
# cores: more than these.
my %SAME  = (line => 25, kept => 0.75);
my %OTHER = (line => 40, kept => 0.9);

# A slice has few additions below this part of the best twentieth. A neighbour works in this part of the
# slices or more. Instructions that do nothing then are below this part of the others, and the clock is
# within these.
my ($FEW, $OFTEN, $FEWER, $STEADY) = (0.75, 0.05, 0.85, [ 0.95, 1.05 ]);

# A multiplication may differ from what it should take by this part.
my $EXACT = 0.05;

# Parts of the time: lost is so much that it matters, and so many times what /proc/stat says; others are busy
# with this part of a CPU; a process that waited longer for its turn does not know who took the rest.
my ($LOST, $TIMES, $BUSY, $WAITED) = (0.01, 4, 0.1, 0.05);

# Programs of this machine that use more CPUs than this part of the time in which a neighbour worked may be
# that neighbour.
my $OTHERS = 0.5;

# Limits of figures.
my ($GHZ, $CYCLES, $PART, $COUNT) = ([ 0.01, 100 ], [ 0.01, 1000 ], [ 0, 1000 ], [ 0, 1e9 ]);

sub judge {
    my ($facts, $result, $passes) = @_;
    my $probe = _found($facts, $passes);
    return if !@{ $probe->{ghz} } || !@{ $probe->{wide} };
    my @lines = (_pairs($probe), _neighbour($probe), _lost($probe));
    my ($against, $open, $agree) = map {
        my $kind = $_;
        scalar grep { $_->[0] eq $kind } @lines
    } qw(against open agree);
    return {
        verdict  => $against ? 'contradicted' : $open || !$agree ? 'unclear' : 'confirmed',
        sentence => join(' ', _clock($probe), map { $_->[1] } @lines),
        evidence => [ _evidence($probe) ]
    };
}

sub _pooled {
    my ($passes, $what, $limits, @parts) = @_;
    return [ sort { $a <=> $b } map { figures($passes, "$what-$_", $limits) } @parts ];
}

sub _mean { return @_ ? sum(@_) / @_ : undef }

sub _found {
    my ($facts, $passes) = @_;
    my ($cpu) = figures($passes, 'cpu', $COUNT);
    my %is = (
        ghz  => _pooled($passes, 'ghz',  $GHZ,    map { sprintf '%02d', 10 * $_ + 5 } 0 .. 9),
        wide => _pooled($passes, 'wide', $CYCLES, map { sprintf '%03d', 50 * $_ + 25 } 0 .. 19),
        (map { $_ => median_of(figures($passes, $_, $CYCLES)) } qw(nops-low nops-high ghz-low ghz-high)),
        (map { $_ => median_of(figures($passes, $_, $CYCLES)) } qw(multiply should)),
        (map { $_ => scalar _mean(figures($passes, $_, $PART)) } qw(gaps waited steal interrupts)),
        tsc     => median_of(figures($passes, 'tsc', $GHZ)),
        slices  => sum(0, figures($passes, 'slices', $COUNT)),
        pairs   => [ map { +{ %$_, is => scalar _kind($_) } } pairs($passes) ],
        threads => system_number($facts, 'threads_per_core', [ 1, 1024 ]),
        others  => others($passes),
        cpus    => as_number(as_hash($facts->{host})->{online_cpus}, $COUNT),
        guest   => scalar _is_guest($facts),
        passes  => scalar @$passes,
        name    => 'CPU ' . ($cpu // 0)
    );
    $is{busy} = ($is{others} // 0) > $BUSY;
    return \%is;
}

# Whether there is a hypervisor, as CPU or firmware say; undef where neither says anything.
sub _is_guest {
    my ($facts) = @_;
    my ($flag, $named) = map { system_fact($facts, $_) } qw(hypervisor virtualisation);
    return 1 if ($flag // '') eq 'yes' || ($named // 'none') ne 'none';
    return (defined $flag || defined $named) ? 0 : undef;
}

# The value below which this part of a sorted list is.
sub _at { my ($list, $part) = @_; return $list->[ int($part * $#$list + 0.5) ] }

# The interval of a median, or how far a few passes reach.
sub _range {
    my (@values) = @_;
    my @interval = Touchstone::Stats::interval(\@values);
    return @interval ? @interval : @values ? (min(@values), max(@values)) : ();
}

# A pair is on one core (1) or on two (0), or undef: by both witnesses, whose intervals must not reach to
# the other kind. A clock that another CPU slows down is no matter.
sub _kind {
    my ($pair) = @_;
    my ($line, $wide) = @$pair{qw(line wide)};
    return if !$line || !$wide;
    my $clock = $pair->{chain} || 1;
    my ($near, $far)  = _range(@{ $pair->{passes}{line} });
    my ($low,  $high) = map { $_ / $clock } _range(@{ $pair->{passes}{wide} });
    $wide /= $clock;
    return 1 if $line < $SAME{line}  && $far < $OTHER{line} && $wide < $SAME{kept}  && $high < $OTHER{kept};
    return 0 if $line > $OTHER{line} && $near > $SAME{line} && $wide > $OTHER{kept} && $low > $SAME{kept};
    return;
}

sub _ghz { return sprintf '%.1f', $_[0] }

sub _clock {
    my ($probe) = @_;
    my $wrong =
        $probe->{multiply} && $probe->{should} && abs($probe->{multiply} / $probe->{should} - 1) > $EXACT;
    return
        sprintf 'The clock of %s is unclear: a multiplication took %.1f cycles instead of %d.',
        $probe->{name}, @$probe{qw(multiply should)}
        if $wrong;
    my $counter = $probe->{tsc} ? '; its counter runs at ' . _ghz($probe->{tsc}) : '';
    return sprintf '%s runs at %s GHz (%s to %s%s).', $probe->{name},
        map({ _ghz(_at($probe->{ghz}, $_)) } 0.5, 0.05, 0.95), $counter;
}

sub _cpus { my ($pair) = @_; return "CPUs $pair->{cpus}[0] and $pair->{cpus}[1]" }

# Each answer is [ against, open or agree; a sentence ].
sub _pairs {
    my ($probe) = @_;
    my @pairs = @{ $probe->{pairs} };
    return [ open => 'Only one CPU is usable, so there is no pair to test.' ] if !@pairs;
    my @unclaimed = grep { !defined $_->{told} } @pairs;
    my @unknown   = grep { !defined $_->{is} } @pairs;
    my @wrong     = grep { defined $_->{told} && defined $_->{is} && $_->{told} != $_->{is} } @pairs;
    return map { [ against => _wrong($_) ] } $wrong[0] if @wrong;
    return [ open => 'The system does not report which CPUs share a core.' ] if @unclaimed;
    return [ open => _unknown($probe, $unknown[0]) ]                         if @unknown;
    my @same = grep { $_->{is} } @pairs;
    return [
          agree => @same ? _cpus($same[0]) . ' share a core, as reported.'
        : @pairs == 1 ? _cpus($pairs[0]) . ' are different cores, as reported.'
        : sprintf 'None of %d other CPUs shares its core, as reported.',
        scalar @pairs
    ];
}

sub _figures_of {
    my ($pair) = @_;
    my $kept =
        $pair->{wide}
        ? sprintf('the first keeps %.0f %% (%s) of its additions', 100 * $pair->{wide}, _range_of($pair))
        : 'they hardly ran concurrently';
    return ($pair->{line} ? 'a line takes ' . two_digits($pair->{line}) . ' ns' : 'no line was measured')
        . ", $kept";
}

sub _range_of {
    my ($pair) = @_;
    return join ' to ', map { sprintf '%.0f', 100 * $_ } _range(@{ $pair->{passes}{wide} || [] });
}

sub _wrong {
    my ($pair) = @_;
    return sprintf '%s %s, contrary to the reported topology: %s.', _cpus($pair),
        $pair->{is} ? 'share a core' : 'are different cores', _figures_of($pair);
}

sub _unknown {
    my ($probe, $pair) = @_;
    return sprintf 'Whether %s share a core is unclear: %s%s.', _cpus($pair), _figures_of($pair),
        $probe->{busy} ? ', while other programs used ' . two_digits($probe->{others}) . ' CPUs' : '';
}

# Whether each other CPU of the machine is known to be another core, and stays one: a host moves CPUs.
sub _knows_all {
    my ($probe) = @_;
    return 0 if $probe->{guest};
    my @others = grep { defined $_->{is} && !$_->{is} } @{ $probe->{pairs} };
    return defined $probe->{cpus} && @others == @{ $probe->{pairs} } && @others >= $probe->{cpus} - 1;
}

# The part of the slices in which few additions were left to this CPU.
sub _share {
    my ($probe) = @_;
    my $best = _at($probe->{wide}, 0.95);
    return scalar(grep { $_ < $FEW * $best } @{ $probe->{wide} }) / @{ $probe->{wide} };
}

sub _is_seen_by_nops {
    my ($probe) = @_;
    return
           $probe->{'nops-low'}
        && $probe->{'nops-high'}
        && $probe->{'nops-low'} < $FEWER * $probe->{'nops-high'};
}

sub _is_steady {
    my ($probe) = @_;
    return if !$probe->{'ghz-low'} || !$probe->{'ghz-high'};
    my $ratio = $probe->{'ghz-low'} / $probe->{'ghz-high'};
    return $ratio >= $STEADY->[0] && $ratio <= $STEADY->[1];
}

sub _neighbour {
    my ($probe) = @_;
    my $share = _share($probe);
    return [ agree => 'No other thread came and went on its core.' ] if $share < $OFTEN;
    my $seen = sprintf 'For %.0f %% of the time it had less than three quarters of its core', 100 * $share;
    return [ open => "$seen, but no-op instructions do not show it." ] if !_is_seen_by_nops($probe);
    return [ open => "$seen, but its clock changed, too." ]            if !_is_steady($probe);
    my @pairs = @{ $probe->{pairs} };
    return [ agree => "$seen: another thread used it." ] if grep { $_->{is} } @pairs;
    return [ open  => "$seen: another thread used it; the system does not report how many there are." ]
        if !$probe->{threads};
    return [ agree => "$seen: another thread used it, and the system reports that there is one." ]
        if $probe->{threads} > 1;
    return [ open => "$seen: another thread used it, possibly for a program of this machine." ]
        if ($probe->{others} // 0) > $OTHERS * $share && !_knows_all($probe);
    return [ against => "$seen: it is a hyperthread, and its sibling does not belong to this machine." ];
}

sub _percent { my ($part) = @_; return two_digits(100 * $part) . ' %' }

# Time that this process lost was taken by somebody. Interrupts are the machine's own.
sub _lost {
    my ($probe) = @_;
    my ($gaps, $steal) = @$probe{qw(gaps steal)};
    return if !defined $gaps || !defined $steal;
    my $lost = $gaps - ($probe->{interrupts} // 0);
    $lost = 0 if $lost < 0;
    my $text = sprintf '%s took %s of the time, /proc/stat reports %s',
        $probe->{guest} ? 'The hypervisor' : 'Pauses', _percent($lost), _percent($steal);
    return [ agree => "$text." ] if $lost < $LOST || $lost < $TIMES * $steal;
    return [ open  => "$text: no hypervisor is known, and firmware and interrupts take time, too." ]
        if !$probe->{guest};
    return [ open => "$text; other programs of this machine may have taken some of it." ]
        if $probe->{busy} || ($probe->{waited} // 0) > $WAITED;
    return [ against => "$text." ];
}

sub _evidence {
    my ($probe) = @_;
    my @wide    = map { sprintf '%.1f', _at($probe->{wide}, $_) } 0.05, 0.5, 0.95;
    return (
        [ 'undisturbed slices of 0.15 ms', grouped_count($probe->{slices}) . " in $probe->{passes} passes" ],
        [
            'clock, percentiles 5, 25, 50, 75, 95',
            join ' ', map({ sprintf '%.2f', _at($probe->{ghz}, $_) } 0.05, 0.25, 0.5, 0.75, 0.95), 'GHz'
        ],
        [
            'cycles of a multiplication',
            $probe->{multiply}
            ? sprintf('%.2f', $probe->{multiply}) . ($probe->{should} ? ", should be $probe->{should}" : '')
            : undef
        ],
        [ 'additions per cycle', "$wide[1] ($wide[0] to $wide[2])" ],
        [ 'time below 3/4 of the 95th percentile', sprintf '%.0f %%', 100 * _share($probe) ],
        [
            'instructions/cycle then and otherwise',
            if_known('%.1f and %.1f', @$probe{qw(nops-low nops-high)})
        ],
        [ 'clock then and otherwise', if_known('%.2f and %.2f GHz', @$probe{qw(ghz-low ghz-high)}) ],
        (map { [ _cpus($_), _of_pair($_) ] } @{ $probe->{pairs} }),
        [ 'pauses above 50 us',                            defined $probe->{gaps} ? _parts($probe) : undef ],
        [ 'threads per core, reported by the system',      $probe->{threads} ],
        [ 'CPUs that other programs of this machine used', if_known(\&two_digits, $probe->{others}) ]
    );
}

sub _of_pair {
    my ($pair) = @_;
    my @kept = map { $pair->{$_} ? sprintf('%s %.0f %%', $_, 100 * $pair->{$_}) : () } qw(chain wide loads);
    return join '; ', $pair->{line} ? 'line ' . two_digits($pair->{line}) . ' ns' : (),
        @kept
        ? 'kept ' . join(', ', @kept) . ($pair->{wide} ? ' (wide ' . _range_of($pair) . ')' : '')
        : 'hardly ran concurrently',
        !defined $pair->{told} ? () : $pair->{told} ? 'reported as one core' : 'reported as two cores';
}

sub _parts {
    my ($probe) = @_;
    my @known = grep { defined $probe->{ $_->[0] } } (
        [ gaps       => 'lost' ],
        [ waited     => 'waited for the CPU' ],
        [ interrupts => 'interrupts' ],
        [ steal      => 'steal in /proc/stat' ]
    );
    return join ', ', map { _percent($probe->{ $_->[0] }) . " $_->[1]" } @known;
}

1;
