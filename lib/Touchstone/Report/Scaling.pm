# SPDX-License-Identifier: GPL-2.0-or-later
# Report::Scaling - the table of Touchstone::Scaling, for the terminal, the log and the page:
#
#   copies (8 usable CPUs)          1          2          4          8         16
#   pipe
#     value                    2840.1     5605.6    10722.8    17886.5    17978.5
#     speed-up                   1.00       1.97       3.78       6.30       6.33
#     efficiency                100 %       99 %       94 %       79 %       79 %
#     contention 0.4 % (0.0 to 1.1), coherency 0.42 % (0.34 to 0.49)
#     peak at 15.3 copies (14.4 to 17.1), beyond what was measured
package Touchstone::Report::Scaling;
use 5.014;
use strict;
use warnings;

use POSIX qw(floor);

# This module is a part of the page, whose tables it uses.
use Touchstone::Report::Markup qw(table text);
use Touchstone::Text;

# Lines of the table; `label`: name or title of the tests.
sub lines {
    my ($table, $label) = @_;
    my $row = sub { sprintf '%-22s' . ' %10s' x @{ $table->{copies} }, @_ };
    my @lines = $row->('copies (' . _cpus($table) . ')', @{ $table->{copies} });
    my $reason = _reason_of_all($table);
    for my $test (@{ $table->{rows} }) {
        push @lines, $test->{$label}, $row->('  value', map { Touchstone::Report::value($_) } @{ $test->{values} }),
            $row->('  speed-up', map { _factor($_) } @{ $test->{speedup} }), $row->('  efficiency', map { _percent($_) } @{ $test->{efficiency} });
        push @lines, map { "  $_" } _law($test->{fit}) if !defined $reason;
    }
    push @lines, "no law: $reason" if defined $reason;
    return map { s/ +\z//r } @lines;
}

# A section for the page.
sub html {
    my ($table) = @_;
    my @head = ('Test', map { text(Touchstone::Text::copies($_)) } @{ $table->{copies} });
    my $part = sub {
        my ($caption, $key, $shown) = @_;
        my @rows;
        push @rows, [ text($_->{title}), map { $shown->($_) } @{ $_->{$key} } ] for @{ $table->{rows} };
        return table(caption => $caption, head => \@head, rows => \@rows);
    };
    return join '', "<h2>Speed-up</h2>\n", $part->('Speed-up, ' . text(_cpus($table)), speedup => \&_factor),
        $part->('Efficiency', efficiency => \&_percent), _laws($table);
}

sub _laws {
    my ($table) = @_;
    my @rows;
    for my $row (grep { !defined $_->{fit}{why} } @{ $table->{rows} }) {
        my $fit = $row->{fit};
        push @rows, [ map { text($_) } $row->{title}, _share($fit, 'contention'), _share($fit, 'coherency'), _peak($fit),
            defined $fit->{r2} ? sprintf('%.3f', $fit->{r2}) : 'n/a' ];
    }
    my $laws = @rows ? table(caption => 'Universal Scalability Law (95 % intervals)',
        head => [ 'Test', 'Contention', 'Coherency', 'Peak', 'R2' ], rows => \@rows) : '';
    my $reason  = _reason_of_all($table);
    my @without = defined $reason ? $reason : map { "$_->{title}: $_->{fit}{why}" } grep { defined $_->{fit}{why} } @{ $table->{rows} };
    return $laws . join '', map { '<p>No law: ' . text($_) . "</p>\n" } @without;
}

sub _cpus {
    my ($table) = @_;
    return $table->{cpus} == 1 ? '1 usable CPU' : "$table->{cpus} usable CPUs";
}

sub _factor  { return defined $_[0] ? sprintf('%.2f', $_[0]) : 'n/a' }
sub _percent { return defined $_[0] ? sprintf('%.0f %%', $_[0]) : 'n/a' }

# Why no test has a law, when that is one reason: too few copy counts, mostly.
sub _reason_of_all {
    my ($table) = @_;
    my %reasons = map { ($_->{fit}{why} // '') => 1 } @{ $table->{rows} };
    my ($reason, @more) = keys %reasons;
    return length $reason && !@more ? $reason : undef;
}

sub _law {
    my ($fit) = @_;
    return "no law: $fit->{why}" if defined $fit->{why};
    return ('contention ' . _share($fit, 'contention') . ', coherency ' . _share($fit, 'coherency'), _peak($fit));
}

# "3.0 % (2.5 to 3.6)"
sub _share {
    my ($fit, $name) = @_;
    my ($is, $low, $high) = map { defined $_ ? $_ * 100 : undef } @$fit{ $name, "${name}_low", "${name}_high" };
    my $form = _form($is, $low, $high);
    return sprintf("$form %%", $is) . _interval($form, $low, $high);
}

sub _peak {
    my ($fit) = @_;
    my ($is, $low, $high) = @$fit{qw(best best_low best_high)};
    my $form = _form($is // $low, $low, $high);
    return defined $low ? sprintf("no peak seen, none below $form copies", $low) : 'no peak seen' if !defined $is;
    my $peak = sprintf("peak at $form ", $is) . ($is == 1 ? 'copy' : 'copies') . _interval($form, $low, $high);
    return $peak . ($fit->{beyond} ? ', beyond what was measured' : '');
}

sub _interval {
    my ($form, $low, $high) = @_;
    return sprintf(" ($form to ", $low) . (defined $high ? sprintf($form, $high) : 'no limit') . ')';
}

# As many digits as the interval supports: its width has two.
sub _form {
    my ($is, $low, $high) = @_;
    my $width = defined $high && defined $low && $high > $low ? $high - $low : abs($is // 0) / 10;
    my $digits = $width > 0 ? 1 - floor(log($width) / log 10) : 0;
    return '%.' . ($digits < 0 ? 0 : $digits > 5 ? 5 : $digits) . 'f';
}

1;
