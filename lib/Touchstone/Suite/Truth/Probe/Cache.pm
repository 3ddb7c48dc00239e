# SPDX-License-Identifier: GPL-2.0-or-later
# Suite::Truth::Probe::Cache - how much of the reported cache can a program use?
# Witnesses are the times of loads from random lines, and how fast bytes are read from first to last.
package Touchstone::Suite::Truth::Probe::Cache;
use 5.014;
use strict;
use warnings;

use List::Util qw(max min);

use Touchstone::Base::Figure qw(two_digits);
use Touchstone::Base::Untrusted qw(as_hash as_hashes as_number);
use Touchstone::Stats;
use Touchstone::Suite::Truth::Curve qw(cost crossing fitted);
use Touchstone::Suite::Truth::Figures qw(figures if_known median_of others system_fact system_number);

# Limits of figures: ns, GB/s, KB.
my ($NS, $SPEED, $KB) = ([ 0.01, 1e6 ], [ 0.001, 1e6 ], [ 1, 1e9 ]);

# A plateau is that of the second level between these parts of it, and that of what follows between these.
my ($SECOND, $NEXT) = ([ 0.25, 0.75 ], [ 1.25, 2.5 ]);

# What follows the second level is a level of its own below this part of the time of memory.
my $OWN_LEVEL = 0.7;

# A program can count on less than this part of what is told, or on no less; half of it is read like memory
# below the first factor, and like a cache above the second.
my ($HALF, $LIKE_MEMORY, $LIKE_CACHE) = (0.5, 1.2, 1.3);

# A cache that seems larger than this multiple of the reported size means that something disturbed the loads.
my $TOO_MUCH = 2;

# Small pages take no longer by less than this part; this part of the memory must be in huge ones.
my ($ALIKE, $IN_HUGE) = (0.05, 0.9);

# Memory is slower than the nearest level by so many times, or its plateau was not reached.
my $STEP = 1.5;

# Other programs that use more of a CPU than this take part of the cache.
my $BUSY = 0.1;

sub judge {
    my ($facts, $result, $passes) = @_;
    my $probe = _found($facts, $passes) or return;
    my ($verdict, $sentence) = _verdict($probe);
    return {
        verdict  => $verdict,
        sentence => join(' ', $sentence, _notes($probe)),
        evidence => [ _evidence($facts, $probe) ]
    };
}

# Points of a pass, or medians of all passes, in the order of sizes.
sub _curve {
    my ($what, $limits, @passes) = @_;
    my %of;
    for my $figures (map { (as_hashes($_->{figures}))[0] || {} } @passes) {
        for my $name (keys %$figures) {
            my ($kb) = $name =~ /\A\Q$what\E-(\d{1,9})\z/a or next;
            my $value = as_number($figures->{$name}, $limits) // next;
            push @{ $of{$kb} }, $value;
        }
    }
    return [ map { [ $_ + 0, median_of(@{ $of{$_} }) ] } sort { $a <=> $b } keys %of ];
}

sub _found {
    my ($facts, $passes) = @_;
    my $curve = _curve('load', $NS, @$passes);
    return if @$curve < 3;
    my %is = (
        curve   => $curve,
        reads   => _curve('read', $SPEED, @$passes),
        largest => $curve->[-1][0],
        others  => others($passes),
        (map { $_ => median_of(figures($passes, $_, $NS)) } qw(in-huge in-small)),
        huge   => median_of(figures($passes, 'huge', [ 0, 1 ])),
        second => system_number($facts, 'l2_kb', $KB),
        _claim($facts)
    );
    my $plateaus = _plateaus($curve, $is{second} // 256) or return \%is;
    @is{qw(near memory)} = @$plateaus;
    return \%is if $is{memory} < $STEP * $is{near};
    my $mark = sqrt($is{near} * $is{memory});
    $is{size}  = crossing($curve, $mark);
    $is{sizes} = [ grep { defined } map { crossing(_curve('load', $NS, $_), $mark) } @$passes ];
    return \%is;
}

# The last level that the system tells of, as (claimed => KB, level => 3).
sub _claim {
    my ($facts) = @_;
    for my $level (4, 3, 2) {
        my $kb = system_number($facts, "l${level}_kb", $KB);
        return (claimed => $kb, level => $level) if $kb;
    }
    return;
}

# Nanoseconds of the level whose end is looked for, and of memory. That level is the one behind the second,
# which may be slow, and the second where memory follows it at once.
sub _plateaus {
    my ($curve, $second) = @_;
    my $largest = $curve->[-1][0];
    my $memory  = cost($curve, $largest / 4, $largest) // return;
    my $next    = cost($curve, map { max($_ * $second, $curve->[0][0]) } @$NEXT);
    my $near    = cost($curve, map { max($_ * $second, $curve->[0][0]) } @$SECOND);
    return [ $next, $memory ] if defined $next && $next > 0 && $next < $OWN_LEVEL * $memory;
    return                    if !defined $near || $near <= 0;
    return [ $near, $memory ];
}

# Sizes that were chosen are whole, those that were worked out have two digits.
sub _size {
    my ($kb) = @_;
    return $kb / 1024 . ' MB' if $kb == int $kb && $kb % 1024 == 0;
    return "$kb KB"           if $kb == int $kb && $kb < 1024;
    return $kb < 1000 ? two_digits($kb) . ' KB' : two_digits($kb / 1024) . ' MB';
}

# The interval of the size, or how far the passes reach.
sub _range {
    my ($probe)  = @_;
    my @sizes    = @{ $probe->{sizes} };
    my @interval = Touchstone::Stats::interval(\@sizes);
    return @interval ? @interval : @sizes ? (min(@sizes), max(@sizes)) : ($probe->{size}) x 2;
}

sub _at {
    my ($curve, $kb) = @_;
    my ($point) = grep { $_->[0] >= $kb } @$curve;
    return $point ? $point->[1] : undef;
}

# How much faster half of what is told is read than memory.
sub _speed {
    my ($probe) = @_;
    my @reads   = @{ $probe->{reads} };
    my ($half)  = grep { $_->[0] <= $HALF * $probe->{claimed} } reverse @reads;
    return $half && $reads[-1][0] > $probe->{claimed} ? $half->[1] / $reads[-1][1] : undef;
}

sub _verdict {
    my ($probe) = @_;
    my $claim = $probe->{claimed} ? 'L' . $probe->{level} . ' of ' . _size($probe->{claimed}) : undef;
    if (!$probe->{size}) {
        my $behind = 'Up to ' . _size($probe->{largest}) . ' no step to memory was found';
        return ('unclear', $claim ? "$behind, with a reported $claim." : "$behind.");
    }
    my ($low, $high) = _range($probe);
    my $about = sprintf 'about %s (%s to %s)', _size($probe->{size}), _size($low), _size($high);
    return ('unclear', "A program can use $about of cache; the system reports none.") if !$claim;
    return ('unclear',
        "The usable part of the $claim is unclear: only " . _size($probe->{largest}) . ' were tested.')
        if $probe->{largest} < 2 * $probe->{claimed};
    return ('unclear', "Loads find $about, more than the reported $claim: something disturbed them.")
        if $low > $TOO_MUCH * $probe->{claimed};
    return _less($probe, $claim, $about) if $high < $HALF * $probe->{claimed};
    my $speed = _speed($probe) // 0;
    return ('confirmed', "A program can use $about of the reported $claim.")
        if $low >= $HALF * $probe->{claimed} && $speed > $LIKE_CACHE;
    return ('unclear', "A program can use $about of the reported $claim.")
        if $low < $HALF * $probe->{claimed};
    return ('unclear', "Loads find $about of the $claim, but half of it is read as slowly as memory.");
}

# Less than half was found by loads.
sub _less {
    my ($probe, $claim, $about) = @_;
    my $half = $HALF * $probe->{claimed};
    my $time = _at($probe->{curve}, $half);
    my $text =
        sprintf 'A program can use %s of the reported %s: a load from %s takes %s ns',
        $about, $claim, _size($half), two_digits($time);
    my $speed = _speed($probe);
    return ('unclear', "$text, and its read speed is unknown.") if !defined $speed;
    return ('unclear', sprintf '%s, but it is read %.1f times as fast as memory.', $text, $speed)
        if $speed > $LIKE_MEMORY;
    return ('unclear', sprintf '%s; other programs of this machine used %s CPUs and share it.',
        $text, two_digits($probe->{others}))
        if ($probe->{others} // 0) > $BUSY;
    return ('contradicted', "$text, as from memory, and it is read as slowly.");
}

sub _notes {
    my ($probe) = @_;
    my ($huge, $small) = @$probe{qw(in-huge in-small)};
    my $ours = ($probe->{huge} // 1) >= $IN_HUGE;
    return (
        $probe->{largest} < 512 * 1024 ? 'Only ' . _size($probe->{largest}) . ' of memory was available.'
        : (),
        !$ours ? sprintf('Only %.0f %% of it was in huge pages.', 100 * $probe->{huge})
        : $huge && $small && $small < (1 + $ALIKE) * $huge
        ? 'Huge pages are not faster than small ones: the host uses small ones, and their tables are in these times.'
        : ()
    );
}

sub _evidence {
    my ($facts, $probe) = @_;
    my @shown = grep { my $kb = $_->[0]; $kb >= 64 && !($kb & ($kb - 1)) } @{ $probe->{curve} };
    my @reads = @{ $probe->{reads} };
    return (
        [ 'caches, as reported', system_fact($facts, 'caches') ],
        [ 'ns per load', join ', ', map { _size($_->[0]) . ' ' . two_digits($_->[1]) } @shown ],
        [
            'ns per load of the last level and of memory',
            if_known(\&two_digits, map { $_ || undef } @$probe{qw(near memory)})
        ],
        [ 'size per pass', $probe->{sizes} ? join ', ', map { _size($_) } @{ $probe->{sizes} } : undef ],
        [
            'GB/s of sequential reading',
            @reads ? join ', ',
            map { _size($_->[0]) . ' ' . two_digits($_->[1]) } @reads : undef
        ],
        [
            'ns per load from 64 MB in huge and in small pages',
            if_known(\&two_digits, map { $_ || undef } @$probe{qw(in-huge in-small)})
        ],
        [ 'CPUs that other programs of this machine used', if_known(\&two_digits, $probe->{others}) ]
    );
}

1;
