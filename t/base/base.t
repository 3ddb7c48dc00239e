#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# Base: lists of names, words for shells and addresses, dates and spans of time.
use 5.014;
use strict;
use warnings;

use Test::More;

use lib 't/lib';
use NoWarnings;
use Touchstone::Base::Text qw(did_you_mean list_and_more list_with percent_encoded plural quoted);
use Touchstone::Base::Time qw(age clock date duration local_time span);

# Each subtest holds pairs: what a call gives, and what it is to give.
sub gives {
    my (@pairs) = @_;
    while (my ($got, $expected) = splice @pairs, 0, 2) { is($got, $expected, $expected) }
    return;
}

subtest 'names in a sentence' => sub {
    gives(
        plural(1, 'test')                                          => '1 test',
        plural(2, 'pass', 'passes')                                => '2 passes',
        list_and_more(2, 'a', 'b')                                 => 'a, b',
        list_and_more(2, 'a' .. 'd')                               => 'a, b and 2 more',
        list_with('or', 'a')                                       => 'a',
        list_with('or', 'a' .. 'c')                                => 'a, b or c',
        did_you_mean('pip', [ 'pipe', 'spawn' ])                   => "did you mean 'pipe'? ",
        did_you_mean('pip', [ 'pipe', 'pipa' ], sub { "--$_[0]" }) => 'did you mean --pipa or --pipe? ',
        did_you_mean('quadratic', ['pipe'])                        => ''
    );
};

subtest 'words of a shell and of an address' => sub {
    gives(
        quoted('a/b-c=1,2:x+y')           => 'a/b-c=1,2:x+y',
        quoted('')                        => "''",
        quoted("it's")                    => q{'it'\''s'},
        quoted("a\n")                     => "'a\n'",
        percent_encoded("a b/\xc3\xbc.-") => 'a%20b%2F%C3%BC.-',
        percent_encoded('a-b', qr/-/)     => 'a%2Db'
    );
};

subtest 'dates and spans' => sub {
    my $then = 1_795_240_225.8;
    is(join('|', local_time($then, 3600)), 'Sat Nov 21 2026|06:50:25', 'in English, an hour from UTC');
    is(date('%Y-%m-%d %H:%M', $then),      '2026-11-21 05:50',         'in a form');
    is(date('%H:%M', $then, -3600),        '04:50',                    'elsewhere');
    my %spans = (
        'duration' => [ \&duration, 89.4, '89 s',       90,   '1 min 30 s', 3600, '1 h', 3700, '1 h 01 min' ],
        'clock'    => [ \&clock,    81,   '1:21',       3723, '1:02:03' ],
        'age'      => [ \&age,      -5,   '0 seconds',  119.9, '119 seconds', 7199,    '119 minutes' ],
        'span'     => [ \&span,     89,   '89 seconds', 90,    '2 minutes',   345_600, '4 days' ],
    );
    for my $name (sort keys %spans) {
        my ($sub, @pairs) = @{ $spans{$name} };
        while (my ($seconds, $expected) = splice @pairs, 0, 2) {
            is($sub->($seconds), $expected, "$name of $seconds");
        }
    }
};

done_testing;
