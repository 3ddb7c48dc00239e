# SPDX-License-Identifier: GPL-2.0-or-later
# Suite::Truth::Probe::Exit - is there a hypervisor, and what does it cost to reach it? Witnesses are the
# time of cpuid, which no guest may answer by itself, and what CPU, firmware and the kernel's command line
# say.
package Touchstone::Suite::Truth::Probe::Exit;
use 5.014;
use strict;
use warnings;

use Touchstone::Base::Figure qw(spelled two_digits);
use Touchstone::Base::Text qw(grouped_count);
use Touchstone::Base::Untrusted qw(as_hash);
use Touchstone::Suite::Truth::Figures qw(figures median_of system_fact);

# Nanoseconds of cpuid: less than the first without a hypervisor; the second to the third with one; more
# than the last with one below another.
my ($BARE, $ONE, $ONE_AT_MOST, $NESTED) = (100, 400, 2000, 4000);

# A longer rdtsc is not the CPU's own.
my $TRAPPED = 100;

# Limits: nanoseconds, nanoseconds of a cycle, states of src/truth/truth-exit.c.
my ($NS, $CYCLE, $STATE) = ([ 0, 1e9 ], [ 0.05, 100 ], [ 0, 4 ]);

my @BYPASS = (
    undef,
    'This CPU has no speculative store bypass to protect against.',
    'The kernel does not protect against speculative store bypass, and no process can switch that protection.',
    'The kernel protects against speculative store bypass, and no process can switch that protection.'
);
my $SWITCHED = 4;

sub judge {
    my ($facts, $result, $passes) = @_;
    my %is =
        map { $_ => median_of(figures($passes, $_, $NS)) } qw(call cpuid rdtsc fault open closed);
    $is{cycle}  = median_of(figures($passes, 'cycle',  $CYCLE));
    $is{bypass} = median_of(figures($passes, 'bypass', $STATE));
    $is{$_}     = system_fact($facts, $_) for qw(hypervisor virtualisation nested);
    my ($verdict, @sentences) = _verdict(\%is);
    return {
        verdict  => $verdict,
        sentence => join(' ', @sentences, _trap(\%is), _call(\%is), _bypass(\%is)),
        evidence => [ _evidence($facts, \%is) ]
    };
}

sub _time {
    my ($ns) = @_;
    return $ns >= 1000 ? two_digits($ns / 1000) . ' ' . spelled('us') : two_digits($ns) . ' ns';
}

sub _verdict {
    my ($probe) = @_;
    my $cpuid = $probe->{cpuid};
    return ('unclear', 'This CPU has no instruction with which a program can reach a hypervisor.') if !$cpuid;
    my $takes = 'cpuid takes ' . _time($cpuid);
    return ('unclear', "\u$takes, and the system does not report whether there is a hypervisor.")
        if !defined $probe->{hypervisor};
    return _guest($probe, $takes) if $probe->{hypervisor} eq 'yes';
    return _bare($probe, $takes);
}

# The CPU says that there is a hypervisor.
sub _guest {
    my ($probe, $takes) = @_;
    return ('confirmed', 'An exit to the hypervisor costs ' . _time($probe->{cpuid}) . '.', _nested($probe))
        if $probe->{cpuid} >= $ONE;
    return ('unclear', "The CPU reports a hypervisor, but $takes: that is fast for an exit.");
}

# The time of cpuid alone is one witness: a paravirtual guest has cheap exits although it is nested, and a
# slow host has dear ones although it is not.
sub _nested {
    my ($probe) = @_;
    my $long = $probe->{cpuid} > $NESTED;
    if (defined $probe->{nested}) {
        my $text = "the kernel's command line has '$probe->{nested}'";
        return "This is a nested guest: the exit is slow, and $text." if $long;
        return "This may be a nested guest with cheap exits: $text.";
    }
    return 'Exits through two hypervisors take that long, but nothing else indicates a second one.' if $long;
    return 'The time of cpuid does not show whether this is one slow hypervisor or a nested one.'
        if $probe->{cpuid} > $ONE_AT_MOST;
    return 'A second hypervisor would not be detected if exits to the first are cheap.';
}

# The CPU says that there is none.
sub _bare {
    my ($probe, $takes) = @_;
    my $named = $probe->{virtualisation};
    return ('unclear', "The CPU reports no hypervisor, and $takes; there is no second source.")
        if !defined $named;
    return ('confirmed',    "There is no hypervisor: $takes.") if $named eq 'none' && $probe->{cpuid} < $BARE;
    return ('contradicted', "The CPU reports no hypervisor, but $takes, and the system reports $named.")
        if $named ne 'none' && $probe->{cpuid} >= $ONE;
    return ('unclear', "The CPU reports no hypervisor, but $takes.") if $named eq 'none';
    return ('unclear', "The CPU reports no hypervisor, the system reports $named, and $takes.");
}

sub _trap {
    my ($probe) = @_;
    return if !$probe->{rdtsc} || $probe->{rdtsc} <= $TRAPPED;
    return 'Reading the CPU counter traps to the hypervisor: ' . _time($probe->{rdtsc}) . '.';
}

sub _cycles {
    my ($probe, $ns) = @_;
    return $ns && $probe->{cycle} ? $ns / $probe->{cycle} : undef;
}

# A count to two digits, "450".
sub _rounded { my ($count) = @_; return $count < 1 ? '0' : grouped_count(sprintf '%.1e', $count) }

sub _call {
    my ($probe) = @_;
    my ($call, $fault) = map { _cycles($probe, $_) } @$probe{qw(call fault)};
    return if !$call;
    return
          'A system call costs '
        . _rounded($call)
        . ' cycles'
        . ($fault ? ', a new page ' . _rounded($fault) : '') . '.';
}

sub _bypass {
    my ($probe) = @_;
    my $state   = $probe->{bypass} // 0;
    return $BYPASS[$state] // () if $state != $SWITCHED || !$probe->{open} || !$probe->{closed};
    my $percent = sprintf '%.0f', 100 * ($probe->{closed} / $probe->{open} - 1);
    return
          'Protection against speculative store bypass would add '
        . ($percent > 0 ? "$percent %" : 'nothing')
        . ' to a system call.';
}

sub _with_cycles {
    my ($probe, $ns) = @_;
    return if !$ns;
    my $cycles = _cycles($probe, $ns);
    return _time($ns) . (defined $cycles ? ', ' . _rounded($cycles) . ' cycles' : '');
}

sub _evidence {
    my ($facts, $probe) = @_;
    my $claims = as_hash(as_hash($facts->{equipment})->{truth});
    return (
        [ 'cpuid, the least', scalar _with_cycles($probe, $probe->{cpuid}) // 'this CPU has none' ],
        [ 'rdtsc, the least', scalar _with_cycles($probe, $probe->{rdtsc}) ],
        [ 'system call that does nothing, minimum',       scalar _with_cycles($probe, $probe->{call}) ],
        [ 'first write to a page, median',                scalar _with_cycles($probe, $probe->{fault}) ],
        [ 'system call open to speculative store bypass', scalar _with_cycles($probe, $probe->{open}) ],
        [ 'system call protected against it',             scalar _with_cycles($probe, $probe->{closed}) ],
        [ 'hypervisor, as the CPU says',                  $probe->{hypervisor} ],
        [ 'hypervisor, as the system reports it',         $probe->{virtualisation} ],
        [ "kernel command line options for a second one", $probe->{nested} ],
        _vulnerabilities($facts)
    );
}

# Those that this CPU does not have stand in one line.
sub _vulnerabilities {
    my ($facts) = @_;
    my $claims = as_hash(as_hash($facts->{equipment})->{truth});
    my (@none, @lines);
    for my $fact (grep { /\Avulnerability / } sort keys %$claims) {
        my $text = system_fact($facts, $fact) // next;
        if ($text eq 'Not affected') { push @none, $fact =~ s/\Avulnerability //r }
        else                         { push @lines, [ $fact => $text ] }
    }
    return (@lines, @none ? [ 'not affected by' => join ', ', @none ] : ());
}

1;
