# SPDX-License-Identifier: GPL-2.0-or-later
# Base::Untrusted: a value that is not a figure or word within its limits counts as missing.
use 5.014;
use strict;
use warnings;

use Test::More;

use lib 't/lib';
use NoWarnings;
use Touchstone::Base::Untrusted;

subtest 'a number within limits is one' => sub {
    is(Touchstone::Base::Untrusted::as_number($_->[0], 1, 100), $_->[1], "'$_->[0]'")
        for [ 1, 1 ], [ 100, 100 ], [ '2.50', 2.5 ], [ '1e1', 10 ];
    is(Touchstone::Base::Untrusted::as_number(5, [ 1, 100 ]), 5, 'limits as a list');
    for my $none (undef, '', 'x', '0.9', 101, -1, 'inf', 'nan', '1 2', [5], {}) {
        is(Touchstone::Base::Untrusted::as_number($none, 1, 100),
            undef, 'none: ' . (defined $none ? "'$none'" : 'undef'));
    }
};

subtest 'hashes are those of a list that are some' => sub {
    is_deeply(
        [ Touchstone::Base::Untrusted::as_hashes([ { a => 1 }, 'x', [], undef, { b => 2 } ]) ],
        [ { a => 1 }, { b => 2 } ],
        'of a list'
    );
    is_deeply([ map { Touchstone::Base::Untrusted::as_hashes($_) } undef, 'x', {} ], [],
        'of what is no list');
    is_deeply([ map { Touchstone::Base::Untrusted::as_hash($_) } undef, 'x', [], { a => 1 } ],
        [ {}, {}, {}, { a => 1 } ], 'one');
    is_deeply(
        [ map { Touchstone::Base::Untrusted::as_list($_) } undef, 'x', {}, [ 1, 2 ] ],
        [ 1, 2 ],
        'a list'
    );
};

subtest 'a text is one line of words, and not long' => sub {
    is(Touchstone::Base::Untrusted::as_text(" a\t\n b ", 10), 'a?? b', 'control characters are shown')
        or diag(Touchstone::Base::Untrusted::as_text(" a\t\n b ", 10));
    is(Touchstone::Base::Untrusted::as_text('a' x 20, 10), 'a' x 10 . '...', 'short');
    is(Touchstone::Base::Untrusted::as_text($_, 10), undef, 'nothing') for undef, '', '   ', [], {};
    is(Touchstone::Base::Untrusted::as_word($_), '', 'no word') for undef, [], {};
};

done_testing;
