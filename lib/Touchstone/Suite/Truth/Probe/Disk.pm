# SPDX-License-Identifier: GPL-2.0-or-later
# Suite::Truth::Probe::Disk - does a commit mean that the disk has the data? Witnesses are what the drive
# counted while a program committed, what it says of its cache, and how long its flushes took.
package Touchstone::Suite::Truth::Probe::Disk;
use 5.014;
use strict;
use warnings;

use List::Util qw(sum);

use Touchstone::Base::Figure qw(seconds two_digits);
use Touchstone::Machine::Advice;
use Touchstone::Base::Text qw(grouped_count);
use Touchstone::Suite::Truth::Figures qw(figures if_known median_of system_fact);

# Limits of figures: counts, ms, ns.
my ($COUNT, $MS, $NS) = ([ 0, 1e12 ], [ 0, 1e9 ], [ 0, 1e12 ]);

# Flushes of a pass that are so near to those of its commits are all of them. A file system may need two.
my ($NEAR, $MOST_EACH) = (0.05, 2);

# So many passes without flushes of others are two witnesses.
my $WITNESSES = 2;

# Seconds of a flush: no device was asked; capacitors or a host; a medium or a remote volume.
my ($NO_DEVICE, $LEAST_MEMORY, $MOST_MEMORY, $MEDIUM) = (5e-6, 10e-6, 60e-6, 300e-6);

# A disk of 15,000 rpm turns so many times a second; twice as many writes of one place are not on a disk.
my $TURNS = 250;

# Where a guest cannot see what the host does.
my $VIRTUAL = qr/\A(?:vd|xvd)/;

my @RULES = (\&_without_drive, \&_without_flush, \&_with_others, \&_too_fast_for_turns, \&_by_time);

sub judge {
    my ($facts, $result, $passes) = @_;
    my $probe = {
        %{ _seen($passes) },
        map { $_ => system_fact($facts, $_) }
            qw(drives write_cache rotational file_system mount_options hypervisor)
    };
    for my $rule (@RULES) {
        my ($verdict, $sentence) = $rule->($probe) or next;
        return { verdict => $verdict, sentence => $sentence, evidence => [ _evidence($probe) ] };
    }
    return;
}

# What the passes tell. Those in which others flushed, too, tell nothing of the time of a flush.
sub _seen {
    my ($passes) = @_;
    my @all      = map  { _pass($_) } @$passes;
    my @known    = grep { defined $_->{flushes} } @all;
    my @clean    = grep { $_->{each} } @known;
    my %of       = map {
        my $key = $_;
        $key => sum(0, map { $_->{$key} } @clean)
    } qw(commits flushes ms);
    return {
        passes      => scalar @all,
        known       => scalar @known,
        clean       => scalar @clean,
        each        => @clean ? $clean[0]{each} : undef,
        all_commits => sum(0, map { $_->{commits} } @known),
        all_flushes => sum(0, map { $_->{flushes} } @known),
        writes      => sum(0, map { $_->{writes} } @known),
        flush       => $of{flushes} ? $of{ms} / 1e3 / $of{flushes} : undef,
        commits     => $of{commits},
        flushes     => $of{flushes},
        _times($passes),
    };
}

sub _times {
    my ($passes) = @_;
    my ($commit, $write) = map { median_of(figures($passes, $_, $NS)) } qw(commit_ns write_ns);
    return (map { defined $_->[1] ? ($_->[0] => $_->[1] / 1e9) : () } [ commit => $commit ],
        [ write => $write ]);
}

# `each`: how many flushes a commit makes, where those of the pass are all of them.
sub _pass {
    my ($pass)    = @_;
    my ($commits) = figures([$pass], 'commits', $COUNT) or return;
    my ($flushes, $writes) = map { (figures([$pass], $_, $COUNT))[0] } qw(flushes drive_writes);
    my ($ms) = figures([$pass], 'flush_ms', $MS);
    my ($each) =
        grep { $commits && defined $flushes && abs($flushes / $commits / $_ - 1) <= $NEAR } 1 .. $MOST_EACH;
    return {
        commits => $commits,
        flushes => $flushes,
        writes  => $writes // 0,
        ms      => $ms     // 0,
        each    => $each
    };
}

sub _without_drive {
    my ($probe) = @_;
    return if $probe->{known};
    my $type = $probe->{file_system} // 'unknown';
    my $why =
          $Touchstone::Machine::Advice::IN_MEMORY{$type}  ? "the work directory is in memory ($type)"
        : $Touchstone::Machine::Advice::ON_NETWORK{$type} ? "the work directory is on another machine ($type)"
        : defined $probe->{drives}
        ? "the drive below ($probe->{drives}) does not count flushes; Linux does since 5.5"
        : 'the system does not report which drive holds the work directory'
        . ($type eq 'unknown' ? '' : " ($type)");
    return ('unclear', ucfirst "$why, so no drive can be tested. UB_TMPDIR selects another directory.");
}

# A drive that writes through keeps nothing back, so nobody asks it to flush.
sub _without_flush {
    my ($probe) = @_;
    return if $probe->{all_flushes} > $NEAR * $probe->{all_commits} || !$probe->{all_commits};
    my $none = _none($probe);
    return ('unclear', "$none, and the drive counted fewer writes than commits: it may be the wrong drive.")
        if $probe->{writes} < (1 - $NEAR) * $probe->{all_commits};
    my $cache = $probe->{write_cache} // 'unknown';
    return ('confirmed',
        "$none; it reports no write-back cache (write through), and each commit was written to it.")
        if $cache eq 'write through';
    return ('unclear', "$none, and its reported cache is $cache.") if $cache ne 'write back';
    my $options = join ', ', ($probe->{mount_options} // '') =~ /\b(nobarrier|barrier=0)\b/g;
    return ('contradicted',
              "$none, although it reports a write-back cache: the file system ("
            . join(', ', grep { length } $probe->{file_system} // 'unknown', $options)
            . ') does not flush on commit.');
}

sub _none {
    my ($probe) = @_;
    return $probe->{all_flushes}
        ? sprintf(
        '%s commits made the disk flush %s times',
        grouped_count($probe->{all_commits}),
        grouped_count($probe->{all_flushes})
        )
        : 'None of ' . grouped_count($probe->{all_commits}) . ' commits made the disk flush';
}

sub _with_others {
    my ($probe) = @_;
    return if $probe->{clean} >= $WITNESSES;
    return (
        'unclear',
        sprintf
            '%s commits and %s flushes: in %d of %d passes other programs flushed, too, or flushes were lost.',
        grouped_count($probe->{all_commits}),
        grouped_count($probe->{all_flushes}),
        $probe->{known} - $probe->{clean},
        $probe->{known}
    );
}

# A guest's drive says that it turns where nobody has said what it is.
sub _too_fast_for_turns {
    my ($probe) = @_;
    return
           if ($probe->{rotational} // '') ne '1'
        || !$probe->{commit}
        || 1 / $probe->{commit} <= 2 * $TURNS
        || _is_virtual($probe);
    return (
        'contradicted',
        sprintf
            '%s, and the disk reports that it rotates: it wrote to one place %s times per second, and no disk rotates more'
            . ' than %d times. It keeps flushed data in a cache.',
        _flushed($probe),
        grouped_count(1 / $probe->{commit}),
        $TURNS
    );
}

sub _is_virtual {
    my ($probe) = @_;
    return ($probe->{hypervisor} // 'yes') ne 'no' || ($probe->{drives} // '') =~ $VIRTUAL;
}

sub _flushed {
    my ($probe) = @_;
    my $flush = $probe->{each} == 1 ? 'flush' : "flush $probe->{each} times";
    return
          'Each of '
        . grouped_count($probe->{commits})
        . " commits made the disk $flush, in "
        . seconds($probe->{flush});
}

# The time of a flush is the second witness.
sub _by_time {
    my ($probe) = @_;
    my ($flushed, $flush) = (_flushed($probe), $probe->{flush});
    my $beyond =
        defined $probe->{commit} && defined $probe->{write} ? $probe->{commit} - $probe->{write} : undef;
    if ($flush < $NO_DEVICE) {
        return ('unclear', "$flushed: too short for a device, but a commit takes longer.")
            if !defined $beyond || $beyond >= 2 * $NO_DEVICE;
        return ('contradicted', "$flushed: it did not reach a device, because a device takes longer.");
    }
    return ('confirmed', "$flushed: as long as on a physical disk or a replicated volume.")
        if $flush > $MEDIUM;
    return ('unclear',
        "$flushed: either it has capacitors or the host ignores flushes; only a power cut can show which.")
        if $flush >= $LEAST_MEMORY && $flush <= $MOST_MEMORY;
    return ('unclear',
        "$flushed: between the times of a cache and of a physical disk. Only a power cut can show which.");
}

sub _evidence {
    my ($probe) = @_;
    return (
        [ 'commits', grouped_count($probe->{all_commits}) . " in $probe->{passes} passes" ],
        [
            'flushes that the drive counted',
            $probe->{known}
            ? grouped_count($probe->{all_flushes})
                . "; without those of others in $probe->{clean} of $probe->{known} passes"
            : undef
        ],
        [ 'a flush takes',                      if_known(\&seconds, $probe->{flush}) ],
        [ 'a commit takes, median',             if_known(\&seconds, $probe->{commit}) ],
        [ 'of which writing to the page cache', if_known(\&seconds, $probe->{write}) ],
        [ 'drive',                              $probe->{drives} ],
        [ 'its cache, as reported',             $probe->{write_cache} ],
        [
            'it rotates, as reported',
            defined $probe->{rotational}
            ? ($probe->{rotational} eq '1' ? 'yes'                                : 'no')
                . (_is_virtual($probe)     ? ', which is not reliable in a guest' : '')
            : undef
        ],
        [ 'file system', $probe->{file_system} ]
    );
}

1;
