#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# Touchstone::Base::Places: the names of results.
use 5.014;
use strict;
use warnings;

use File::Temp ();
use Test::More;

use Touchstone::Base::Places;

$SIG{__WARN__} = sub { fail("no warning: $_[0]") };
delete @ENV{ grep { /^UB_/ } keys %ENV };

sub touch {
    for my $file (@_) {
        open my $out, '>', $file or die "cannot write '$file': $!\n";
        close $out;
    }
    return;
}

sub place {
    my $dir = File::Temp->newdir;
    mkdir "$dir/runs" or die "cannot make a directory: $!\n";
    return { results => $dir, runs => "$dir/runs" };
}

sub first_name { return (Touchstone::Base::Places::names(@_))[0] }

subtest 'the number is the first that neither a report nor a record has' => sub {
    my $place = place();
    is(first_name($place, 'host', '2026-11-21'), 'host-2026-11-21-01', 'from 01');
    touch("$place->{results}/host-2026-11-21-01", "$place->{results}/host-2026-11-21-03.html");
    is(first_name($place, 'host', '2026-11-21'), 'host-2026-11-21-02', 'a gap is free');
    touch("$place->{runs}/host-2026-11-21-02.jsonl");
    is(first_name($place, 'host', '2026-11-21'),
        'host-2026-11-21-04', 'a record or a journal takes a number too');
    is(first_name($place, 'host', '2026-11-22'), 'host-2026-11-22-01', 'another day begins anew');
    is(first_name($place, 'hos',  '2026-11-21'), 'hos-2026-11-21-01',  'as does another host');
    touch(map { sprintf "$place->{results}/host-2026-11-21-%02d", $_ } 1 .. 120);
    is(first_name($place, 'host', '2026-11-21'), 'host-2026-11-21-121', 'there is no last number');
};

subtest 'a host name becomes a name for files' => sub {
    my $place = place();
    is(first_name($place, 'a/b',         'D'), 'a_b-D-01',         'no directory');
    is(first_name($place, '..',          'D'), '_.-D-01',          'nothing hidden');
    is(first_name($place, '-x',          'D'), '_x-D-01',          'no option');
    is(first_name($place, '',            'D'), 'unknown-D-01',     'never nothing');
    is(first_name($place, qq{a "b" <c>}, 'D'), qq{a "b" <c>-D-01}, 'the rest stays');
};

subtest 'UB_OUTPUT_FILE_NAME must be a name' => sub {
    my $place = place();
    for my $name ('a/b', '.hidden', 'x' x 201, "a\nb", 'runs') {
        local $ENV{UB_OUTPUT_FILE_NAME} = $name;
        ok(!defined eval { Touchstone::Base::Places::fixed_name($place) }, substr $name, 0, 20);
        like($@, qr/\AUB_OUTPUT_FILE_NAME (?:needs a name without|cannot be) /, 'it is named');
    }
    local $ENV{UB_OUTPUT_FILE_NAME} = 'my run';
    is(Touchstone::Base::Places::fixed_name($place), 'my run', 'a good one is taken');
};

done_testing;
