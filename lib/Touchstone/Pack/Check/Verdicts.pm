# SPDX-License-Identifier: GPL-2.0-or-later
# Pack::Check::Verdicts - findings of a check that matter to a tenant, the gravest first.
package Touchstone::Pack::Check::Verdicts;
use 5.014;
use strict;
use warnings;

use List::Util qw(max min);

use Touchstone::Base::Figure qw(two_digits);
use Touchstone::Base::Untrusted qw(as_hash as_hashes as_number as_text as_word);

# The probes in their order, with their names on the screen.
my @PROBES = ([ vcpu => 'CPU' ], [ cache => 'cache' ], [ disk => 'disk' ], [ clock => 'clocks' ]);
my ($SENTENCE, $LETTERS) = (600, 300);

# Less than these parts of the time are not worth a word: of the CPUs that a hypervisor kept, of a CPU that
# other processes used, of the time in which a quota stopped the tests.
my %LEAST = (steal => 0.01, other => 0.1, throttled => 0.01);

# The work of these tests is the same in each pass and needs only a core, its caches and memory. A pass that
# takes this many times as long as another shared them, or had another clock.
my ($VARIES, @STEADY) = (1.2, qw(dhry2reg json matrix));

# Warnings before a run that a tenant should read here.
my %SHOWN = map { $_ => 1 } qw(quota cpus battery debug-kernel work-network work-tmpfs);

# All of them; those that did not run have the verdict "not run".
sub probes {
    my ($results) = @_;
    my $truth = as_hash(as_hash($results->{published_results})->{truth});
    return map {
        my ($key, $name) = @$_;
        my $probe   = as_hash($truth->{$key});
        my $verdict = as_word($probe->{verdict});
        +{
            key      => $key,
            name     => $name,
            verdict  => length $verdict ? $verdict : 'not run',
            sentence => as_text($probe->{sentence}, $SENTENCE) // ''
        }
    } @PROBES;
}

# What others took during the passes: { steal => part of the CPU time that the copies wanted, other => CPUs
# that processes of this machine used, throttled => part of the time }. A key is absent where nothing counts
# it.
sub taken {
    my ($facts) = @_;
    my $usable = as_number(as_hash($facts->{host})->{usable_cpus}, 1, 1e6) // 1;
    my (%sum, %of);
    for my $pass (as_hashes($facts->{passes})) {
        my $counters = as_hash($pass->{counters});
        my $seconds  = as_number($counters->{seconds}, 1e-9, 1e9) // next;
        my $copies   = min(as_number($pass->{copies}, 1, 1e6) // 1, $usable);
        for my $what (keys %LEAST) {
            my $value = as_number($counters->{$what}, 0, 1e9) // next;
            $sum{$what} += $value;
            $of{$what}  += $seconds * ($what eq 'steal' ? $copies : 1);
        }
    }
    return { map { $_ => $sum{$_} / $of{$_} } keys %sum };
}

# { test, factor } of the test with one copy whose slowest pass took the most times as long as its fastest;
# undef if that is little.
sub variation {
    my ($block) = @_;
    my %steady  = map { $_ => 1 } @STEADY;
    my ($most)  = sort { $b->{factor} <=> $a->{factor} } map {
        my @rates = grep { $_ > 0 } @{ $_->{rates} || [] };
        @rates > 1 ? { test => $_->{name}, factor => max(@rates) / min(@rates) } : ()
    } grep { $steady{ $_->{name} } } @{ ($block || {})->{tests} };
    return $most && $most->{factor} >= $VARIES ? $most : undef;
}

# [ { text, bad => 1 } ]
sub verdicts {
    my ($facts, $result) = @_;
    my %probe      = map { $_->{key} => $_ } @{ $result->{probes} };
    my @neighbours = (_siblings($probe{vcpu}), _taken($result->{taken}));
    return (
        (defined $result->{invalid} ? { text => "Not valid: $result->{invalid}.", bad => 1 } : ()),
        _warnings($facts),
        _affinity($facts),
        _cores($result, $probe{vcpu}),
        _commits($result, $probe{disk}),
        (map { _contradicted($probe{$_}) } qw(vcpu cache clock)),
        @neighbours ? @neighbours : _varied($result)
    );
}

sub _warnings {
    my ($facts) = @_;
    return map { { text => ucfirst(as_text($_->{text}, $LETTERS) // '') . '.', bad => 1 } }
        grep { $SHOWN{ as_word($_->{id}) } } as_hashes($facts->{warnings});
}

sub _affinity {
    my ($facts) = @_;
    my ($online, $usable) =
        map { as_number(as_hash($facts->{host})->{$_}, 1, 1e6) } qw(online_cpus usable_cpus);
    return if !$online || !$usable || $usable >= $online;
    return if grep { as_word($_->{id}) eq 'quota' } as_hashes($facts->{warnings});
    return { text => "Only $usable of its $online CPUs can be used.", bad => 1 };
}

# CPUs that are one core matter even if the machine reports them.
sub _cores {
    my ($result, $probe) = @_;
    my ($first, $second) =
        ($probe ? $probe->{sentence} : '') =~ /\bCPUs (\d+) and (\d+) share a core, (?:as|contrary)\b/
        or return;
    my $hidden = $probe->{sentence} =~ /share a core, contrary/ ? ', which it does not report' : '';
    return { text => "Its 2 CPUs are two threads of one core$hidden.", bad => 1 } if $result->{cpus} == 2;
    return { text => "CPUs $first and $second are two threads of one core$hidden.", bad => 1 };
}

# Commits without a flush that are faster than any device have two witnesses, whatever the drive counted.
my $NO_DEVICE = 20e-6;

# True if commits are not durable.
sub is_not_durable {
    my ($seconds, $probe) = @_;
    return 0 if !$probe;
    return 1 if $probe->{verdict} eq 'contradicted';
    return $seconds < $NO_DEVICE && $probe->{sentence} =~ /\ANone of .* made the disk flush/ ? 1 : 0;
}

sub _commits {
    my ($result, $probe) = @_;
    my ($commit) = grep { $_->{key} eq 'commit' } @{ $result->{figures} };
    my $seconds = $commit ? $commit->{value} : $NO_DEVICE;
    return if !is_not_durable($seconds, $probe);
    return {
        text => 'Commits do not reach the disk: '
            . (
            $probe->{verdict} eq 'contradicted'
            ? lcfirst $probe->{sentence}
            : lcfirst((split /, /, $probe->{sentence})[0]) . ", and one takes $commit->{text}."
            ),
        bad => 1
    };
}

# A sentence of the clock's speed and those of CPUs that share a core are shown elsewhere, and so is time
# that the hypervisor took and reports.
my $SIBLING = qr/\bFor (\d+) % of the time .*\bits sibling does not belong to this machine/;

sub _contradicted {
    my ($probe) = @_;
    return if !$probe || $probe->{verdict} ne 'contradicted';
    my @sentences = grep { !/\bGHz\b|\bshare a core\b|\bas reported\b|$SIBLING|\btook 0/ }
        split /(?<=\.) (?=[A-Z])/, $probe->{sentence};
    return @sentences ? { text => join(' ', @sentences), bad => 1 } : ();
}

sub _siblings {
    my ($probe)   = @_;
    my ($percent) = ($probe ? $probe->{sentence} : '') =~ $SIBLING or return;
    return { text => "Neighbours used the other thread of a core for $percent % of the time.", bad => 1 };
}

sub _varied {
    my ($result) = @_;
    my $most = $result->{variation} or return;
    return {
        text => "Neighbours or a changing clock: passes of $most->{test} took up to "
            . two_digits($most->{factor})
            . " times as long.",
        bad => 1
    };
}

sub _taken {
    my ($taken) = @_;
    return {
        text => 'The system does not count the CPU time of others, so interference is unknown.',
        bad  => 1
        }
        if !defined $taken->{steal} && !defined $taken->{other};
    my %part    = map { $_ => $taken->{$_} } grep { ($taken->{$_} // 0) >= $LEAST{$_} } keys %LEAST;
    my $percent = sub { two_digits(100 * $_[0]) . ' %' };
    return (
        (
            $part{throttled}
            ? {
                text => 'The CPU quota stopped the tests for '
                    . $percent->($part{throttled})
                    . ' of the time.',
                bad => 1
                }
            : ()
        ),
        (
            $part{steal}
            ? { text => 'Neighbours took ' . $percent->($part{steal}) . ' of the CPU time.', bad => 1 }
            : ()
        ),
        (
            $part{other}
            ? {
                text => 'Other processes of this machine used ' . two_digits($part{other}) . ' CPUs.',
                bad  => 1
                }
            : ()
        )
    );
}

1;
