# SPDX-License-Identifier: GPL-2.0-or-later
# Report::Run::HostFacts - facts about a machine as people say them. Each sub gets the text of a record and
# returns one for a page; a text that it does not understand stays as it is.
#
#   memory     24684096                            24 GB
#   aslr       2                                   on (full)
#   clock      416.6                               417 ns
#   uptime     08:54:30 up  2:38,  0 user, ...     2 h 38 min
#   caches     L1d 48K, L2 2M                      L1d 48 KB, L2 2 MB
package Touchstone::Report::Run::HostFacts;
use 5.014;
use strict;
use warnings;

use Touchstone::Base::Figure qw(three_digits);

sub memory {
    my ($kilobytes) = @_;
    return $kilobytes if $kilobytes !~ /\A\d{1,15}\z/a;
    return $kilobytes ? Touchstone::Base::Figure::memory($kilobytes) : 'none';
}

my %ASLR = (0 => 'off', 1 => 'on (not for the heap)', 2 => 'on (full)');
sub aslr { return $ASLR{ $_[0] } // $_[0] }

sub clock {
    my ($ns) = @_;
    return $ns =~ /\A\d{1,9}(?:\.\d+)?\z/a ? three_digits($ns) . ' ns' : $ns;
}

# The output of uptime has the time of day, users and the load, too, which other facts have or nobody needs.
sub uptime {
    my ($said)  = @_;
    my ($up)    = $said =~ /\bup\s+(.+?),\s+(?:\d+\s+users?,\s+)?load average/a or return $said;
    my ($clock) = $up   =~ s/,?\s*(\d+:\d\d)\z//a ? $1 : undef;
    my ($h, $m) = split /:/, $clock // '';
    my @together = (length $up ? $up : (), defined $clock ? ($h + 0 . ' h', $m + 0 . ' min') : ());
    return join ' ', @together;
}

sub caches {
    my ($said) = @_;
    return $said =~ s/\b(\d+)([KMG])\b/$1 $2B/agr;
}

# A virtual disk says that it turns, whatever is behind it.
sub drive_settings {
    my ($said) = @_;
    $said =~ s/\brotational yes\b/calls itself a turning disk/;
    $said =~ s/\brotational no\b/solid state/;
    $said =~ s{\bread-ahead (\d{1,9}) KB\b}{'read-ahead ' . memory($1)}ae;
    $said =~ s/\bwrite cache write (back|through)\b/write-$1 cache/;
    return $said;
}

# 'retbleed: Vulnerable; mds: Not affected; srbds: Not affected' becomes ('retbleed: vulnerable', '2 more: not
# affected'). Some states have colons, but no semicolons.
sub mitigations {
    my ($said) = @_;
    my @all    = split /;\s*/, $said;
    return $said if grep { !/\A[\w-]+: ./a } @all;
    my @affected = grep { !/\A[\w-]+: Not affected\z/ai } @all;
    my $spared   = @all - @affected;
    my @said     = map { s/: Mitigation: /: /r =~ s/(?<=: )Vulnerable/vulnerable/r } @affected;
    return (@said, $spared ? (@said ? "$spared more" : "all $spared") . ': not affected' : ());
}

# Says the counts that are known: '1 socket, 2 cores, 2 threads (1 per core), 1 NUMA node'.
sub topology {
    my ($host) = @_;
    my $many = sub {
        my ($key, $one) = @_;
        my $n = $host->{$key};
        return defined $n && $n =~ /\A\d+\z/a ? $n == 1 ? "1 $one" : "$n ${one}s" : ();
    };
    my $per     = $many->('threads_per_core', 'thread');
    my $threads = $many->('threads',          'thread');
    my @said    = (
        $many->('sockets', 'socket'),
        $many->('cores',   'core'),
        defined $threads ? $threads . (defined $per ? ' (' . ($per =~ s/ .*//r) . ' per core)' : '') : (),
        $many->('numa_nodes', 'NUMA node')
    );
    return @said ? join ', ', @said : undef;
}

1;
