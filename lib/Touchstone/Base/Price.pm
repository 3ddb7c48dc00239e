# SPDX-License-Identifier: GPL-2.0-or-later
# Base::Price - what a machine costs, as people write it: 1200, 1200USD, EUR40, EUR40/month, 0.0832USD/h. A
# price is { amount, unit }, without a unit where none is written.
package Touchstone::Base::Price;
use 5.014;
use strict;
use warnings;

our $ALLOWED = 'an amount above 0, such as 1200, 1200USD, EUR40 or 0.0832USD/h';
our $MEANS = 'an amount has at most 9 digits on each side of its point; its unit begins with a letter, $ or '
    . '/, and has at most 12 printable characters, none of them a digit or a blank';

# A digit in a unit would make 1e3 the amount 1.
my $UNIT   = qr{[A-Za-z\$/][!-/:-~]{0,11}};
my $AMOUNT = qr{[0-9]{1,9}(?:\.[0-9]{1,9})?};

# The price of a text, or nothing.
sub parsed {
    my ($text) = @_;
    my ($before, $amount, $behind) = $text =~ m{\A([A-Za-z\$]*)($AMOUNT)([^0-9].*)?\z}s or return;
    $behind //= '';
    return if $amount <= 0 || length $before && length $behind && $behind !~ m{\A/};
    my $unit = $before . $behind;
    return if length $unit && !is_unit($unit);
    return { amount => $amount + 0, length $unit ? (unit => $unit) : () };
}

sub is_unit { my ($text) = @_; return $text =~ /\A$UNIT\z/ ? 1 : 0 }

# "USD": what stands behind "per", also for a price without a unit.
sub per { my ($unit) = @_; return $unit // 'unit of price' }

# "1200 USD"
sub as_text {
    my ($price) = @_;
    return join ' ', grep { defined } @$price{qw(amount unit)};
}

1;
