# SPDX-License-Identifier: GPL-2.0-or-later
# Base::Time - dates and spans of time as people read them, and the time of day for records.
package Touchstone::Base::Time;
use 5.014;
use strict;
use warnings;

use Exporter qw(import);
use List::Util qw(max min);
use POSIX ();
use Time::HiRes ();

use Touchstone::Base::Text qw(plural);

our @EXPORT_OK = qw($DAY @PARTS age clock date duration local_time span);

our $DAY = 86_400;
my @DAYS = qw(Sun Mon Tue Wed Thu Fri Sat);
our @MONTHS = qw(Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec);

# The parts of the time of an operation.
our @PARTS = qw(user kernel waiting);

# Formats a time as strftime does, for a time zone this many seconds east of UTC. The names of days and
# months, %a and %b, are English in every locale.
sub date {
    my ($format, $epoch, $utc_offset) = @_;
    my @time = gmtime($epoch + ($utc_offset // 0));
    my %name = (a => $DAYS[ $time[6] ], b => $MONTHS[ $time[4] ]);
    return POSIX::strftime($format =~ s/%([ab])/$name{$1}/gr, @time);
}

# Returns the date and the time of day, 'Sat Nov 21 2026' and '01:57:38'.
sub local_time {
    return map { date($_, @_) } '%a %b %d %Y', '%H:%M:%S';
}

# Durations from here on have minutes, or hours.
my ($MINUTES, $HOUR) = (90, 3600);

# Returns "45 s", "4 min 30 s" or "2 h 05 min".
sub duration {
    my ($seconds) = @_;
    return sprintf '%d s', $seconds + 0.5 if $seconds < $MINUTES;
    my ($many, $unit, $rest, $smaller) =
        $seconds < $HOUR
        ? ($seconds / 60, 'min', $seconds % 60, 's')
        : ($seconds / $HOUR, 'h', $seconds / 60 % 60, 'min');
    return sprintf('%d', $many) . " $unit" . ($rest ? sprintf(' %02d', $rest) . " $smaller" : '');
}

# Returns "1:21" or "1:02:03".
sub clock {
    my ($seconds) = @_;
    return $seconds < $HOUR ? sprintf '%d:%02d', $seconds / 60, $seconds % 60 : sprintf '%d:%02d:%02d',
        $seconds / $HOUR, $seconds / 60 % 60, $seconds % 60;
}

# Returns "4 days", rounded, in the largest unit of which there is more than one.
sub span { my ($seconds) = @_; return _in_unit($seconds, 1.5, 0.5) }

# Returns "4 days", of which all have passed, in the largest unit of which there are two.
sub age { my ($seconds) = @_; return _in_unit(max(0, $seconds), 2, 0) }

sub _in_unit {
    my ($seconds, $least, $more) = @_;
    my ($unit) = grep { $seconds >= $least * $_->[1] } [ day => $DAY ], [ hour => $HOUR ], [ minute => 60 ];
    $unit ||= [ second => 1 ];
    return plural(int($seconds / $unit->[1] + $more), $unit->[0]);
}

# A record stores a time as seconds since 1970, in at most eleven digits. A clock that was never set may show
# any time, and a clock may be set during a run, whose passes must remain readable. All times are before this
# one, 5138-11-16, so that a calendar can still show the sum of several.
our $END = 1e11;

sub now { return max(0, min($END - 1, Time::HiRes::time())) }

# Dies with a sentence where a record would have no time to begin.
sub check_clock {
    my $time = Time::HiRes::time();
    return if $time >= 0 && $time < $END;
    my $date = date('%Y-%m-%d', $time);
    die "the clock says $date, and a record holds times from 1970 to 5138\nset the clock, see date(1)\n";
}

1;
