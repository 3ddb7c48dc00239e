#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# Figures and signs for people: no more digits than an interval supports, and ASCII where a reader has no
# more.
use 5.014;
use strict;
use warnings;

use Test::More;

use lib 't/lib';
use Touchstone::Base::Figure qw(memory no_interval human);
use Touchstone::Base::Symbols qw($ARROW $MICRO $PLUS_MINUS $TIMES ascii);
use Touchstone::Base::Text qw(grouped natural_key);
use Touchstone::Suite;

subtest 'people read three digits, and thousands from ten thousand on' => sub {
    my @rows = (
        [ 1.5      => '1.50 lps' ],
        [ 345.6    => '346 lps' ],
        [ 6227.3   => '6227 lps' ],
        [ 9999.7   => '10.0 k lps' ],
        [ 82512    => '82.5 k lps' ],
        [ 999950   => '1.00 M lps' ],
        [ 38412345 => '38.4 M lps' ],
        [ 2.5e9    => '2.50 G lps' ],
        [ 38412345, '38 M lps', [ 20e6, 60e6 ] ],
        [ 6227.3,   '6230 lps', [ 6100, 6300 ] ],
    );
    for my $row (@rows) {
        my ($value, $shown, $interval) = @$row;
        is(human($value, $interval, 'lps'), $shown, $shown);
    }
    is(human(5), '5.00', 'without a unit');
};

subtest 'memory has the size that its maker gives it' => sub {
    is_deeply([ map { memory($_) } 24682416, 2048000, 8130000, 1572864, 512000, 1.1e9 ],
        [ '24 GB', '2 GB', '8 GB', '1.5 GB', '500 MB', '1 TB' ], 'sizes');
};

subtest 'a missing interval says what it lacks' => sub {
    is(no_interval(3), 'no interval: 3 passes, 6 needed', 'passes');
    is(no_interval(1), 'no interval: 1 pass, 6 needed',   'one');
    is(no_interval(9), 'no interval',                     'enough of them, but all may be equal');
};

subtest 'signs become ASCII, and other letters stay' => sub {
    is(ascii("${PLUS_MINUS}1.5 % 2 ${TIMES} 3 ${MICRO}s $ARROW b\xc3\xa4r"),
        "+-1.5 % 2 x 3 us -> b\xc3\xa4r", 'signs');
};

subtest 'tests stand in the order of their suite, others behind, and numbers count' => sub {
    my @arranged =
        Touchstone::Suite::arranged(sub { $_[0] }, qw(x10 x9 shell8 pipe fsdisk dhry2reg fsbuffer));
    is("@arranged", 'dhry2reg pipe fsbuffer fsdisk shell8 x9 x10', 'order');
    is(Touchstone::Suite::shown('no such test')->{label}, undef,   'unknown');
    cmp_ok(natural_key('zstd-2'), 'lt', natural_key('zstd-10'), 'zstd-2 before zstd-10');
};

subtest 'digits before the point are grouped' => sub {
    my %grouped = map { $_ => $_ } 7, 999, '0.12345', '-12', 'inf';
    @grouped{ 1000, 1234567, '-12345.6789' } = ('1,000', '1,234,567', '-12,345.6789');
    is(grouped($_), $grouped{$_}, "figure $_") for sort keys %grouped;
};

done_testing;
