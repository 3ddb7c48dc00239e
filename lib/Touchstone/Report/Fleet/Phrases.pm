# SPDX-License-Identifier: GPL-2.0-or-later
# Report::Fleet::Phrases - what the parts of a report on a fleet say in the same way:
#
#   ratio(0.8842, [ 0.871, 0.897 ])       0.884
#   limits(0.8842, [ 0.871, 0.897 ])      0.871 to 0.897
#   word($host)                           bad, suspect, suspect (fast), fast, cleared, inconclusive
#   figure($figure)                       Dhrystone 2 x 8, with a real sign of times
#   names(3, @hosts)                      web1, web2, web3 and 4 more
#
# A judgement is that of Touchstone::Fleet::judge.
package Touchstone::Report::Fleet::Phrases;
use 5.014;
use strict;
use warnings;

use Exporter qw(import);

use Touchstone::Base::Figure;
use Touchstone::Base::Signs qw($TIMES);
use Touchstone::Base::Text qw(short);
use Touchstone::Suite;

our @EXPORT_OK = qw(class conspicuous days figure hosts_that label limits missing names number percent ratio
    shown_name spread word);

# A name of a stranger has at most this many letters.
my $WIDEST = 60;

# Missing hosts are one of these, and no others; in the order in which they are told.
our @MISSING = qw(failed unreachable running given_up);
my %MISSING = (given_up => 'given up');

sub shown_name { my ($name, $most) = @_; return short($name // '', $most // $WIDEST) }

sub ratio {
    my ($ratio, $interval) = @_;
    return $interval ? Touchstone::Base::Figure::figure($ratio, $interval) : sprintf '%.3f', $ratio;
}

sub limits {
    my ($ratio, $interval) = @_;
    return $interval ? join ' to ', map { ratio($_, $interval) } @$interval : '';
}

# What a host is, as a class of the page: bad, suspect, fast, cleared, inconclusive or nothing.
sub class {
    my ($host) = @_;
    return $host->{fast} && $host->{verdict} =~ /\A(?:suspect)?\z/ ? 'fast' : $host->{verdict};
}

sub word {
    my ($host) = @_;
    return $host->{fast} && length $host->{verdict} ? "$host->{verdict} (fast)" : class($host);
}

# The hosts of all groups that are of a class, those of a group slowest first.
sub hosts_that {
    my ($judgement, $class) = @_;
    return grep { class($_) eq $class } map { @{ $_->{hosts} } } @{ $judgement->{groups} };
}

sub figure {
    my ($figure) = @_;
    return label($figure) . ($figure->{copies} == 1 ? '' : " $TIMES $figure->{copies}");
}

# What people call a test.
sub label {
    my ($figure) = @_;
    return Touchstone::Suite::shown($figure->{name})->{label} // $figure->{title} // $figure->{name};
}

# "a, b and c", or of more than `most` names "a, b, c and 4 more".
sub names {
    my ($most, @names) = @_;
    my @shown = map { shown_name($_) } @names > $most + 1 ? @names[ 0 .. $most - 1 ] : @names;
    my $more  = @names - @shown;
    my $last  = $more ? "$more more" : @shown > 1 ? pop @shown : undef;
    return join(', ', @shown) . (defined $last ? " and $last" : '');
}

# Hosts as a number, of a number or of a list of them.
sub number { my ($hosts) = @_; return ref $hosts ? scalar @$hosts : $hosts // 0 }

# Each missing host as { host, what, why, remedy }.
sub missing {
    my ($judgement) = @_;
    my $standing = $judgement->{standing} or return;
    return map {
        my $what = $_;
        map {
            +{
                host   => $_->{host},
                what   => $MISSING{$what} // $what,
                why    => $_->{why}       // '',
                remedy => $_->{remedy}    // ''
            }
        } @{ $standing->{$what} || [] }
    } @MISSING;
}

# The figures in which a host is far from the others, the furthest first, each as [ figure, what its group
# says of it ].
sub conspicuous {
    my ($group, $host) = @_;
    my $found = $host->{figures};
    return sort { abs(log $b->[1]{ratio}) <=> abs(log $a->[1]{ratio}) || $a->[0]{key} cmp $b->[0]{key} }
        map     { [ $_, $found->{ $_->{key} } ] }
        grep    { ($found->{ $_->{key} } || {})->{far} } @{ $group->{figures} };
}

# "1.1 % (0.8 to 1.6)" for a standard deviation, or a dash's worth of nothing.
sub spread {
    my ($level) = @_;
    return if !$level || !defined $level->{sd};
    my ($sd, @ends) = map { defined $_ ? percent($_) : () } @$level{qw(sd low high)};
    return "$sd %" . (@ends == 2 && $ends[0] ne $ends[1] ? " ($ends[0] to $ends[1])" : '');
}

# "1.1" for 0.011, "0.03" for 0.0003.
sub percent {
    my ($part) = @_;
    my $percent = 100 * $part;
    return sprintf $percent >= 9.95 ? '%.0f' : $percent >= 0.095 ? '%.1f' : '%.2f', $percent;
}

# "22 Nov 2026, 03:42 UTC"
sub days {
    my ($seconds) = @_;
    return if !defined $seconds;
    my ($minute, $hour, $day, $month, $year) = (gmtime $seconds)[ 1 .. 5 ];
    return sprintf '%d %s %d, %02d:%02d UTC', $day, $Touchstone::Base::Figure::MONTHS[$month], $year + 1900,
        $hour, $minute;
}

1;
