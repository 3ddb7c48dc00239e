#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# Unchanged: make check leaves a test out only while nothing that counts has changed since it passed.
use 5.014;
use strict;
use warnings;

use Cwd qw(getcwd);
use File::Copy qw(copy);
use File::Path qw(make_path remove_tree);
use File::Temp ();
use Test::More;

use lib 't/lib';
use Files;

delete @ENV{qw(TOUCHSTONE_UNCHANGED TOUCHSTONE_ALL)};
my $dir = File::Temp->newdir;
make_path(map { "$dir/$_" } qw(src t/lib lib));
copy("$_", "$dir/$_") or die "cannot copy '$_': $!\n" for 't/lib/Unchanged.pm';

sub write_test {
    my ($statement) = @_;
    spew("$dir/t/x.t", <<"PERL");
use lib 't/lib';
use Unchanged;
use Test::More;
use lib 'lib';
use Used;
chdir '/';
exit if !fork;
wait;
$statement;
done_testing;
PERL
    return;
}

# Runs the test there, and returns 'ran', 'skipped' or 'failed'.
sub outcome {
    my (%env) = (TOUCHSTONE_UNCHANGED => 1, @_);
    local @ENV{ keys %env } = values %env;
    my $here = getcwd();
    chdir $dir or die "cannot go to '$dir': $!\n";
    my $said   = `$^X t/x.t 2>&1`;
    my $status = $?;
    chdir $here or die "cannot go back: $!\n";
    return $status ? 'failed' : $said =~ /\A1\.\.0 # SKIP nothing/ ? 'skipped' : 'ran';
}

spew("$dir/Makefile",    "all:\n");
spew("$dir/src/a.c",     "int a;\n");
spew("$dir/lib/Used.pm", "package Used; 1;\n");
write_test('pass');

subtest 'it is left out when it has passed, and only by make check' => sub {
    is(outcome(),                          'ran',     'the first time');
    is(outcome(),                          'skipped', 'the second time');
    is(outcome(TOUCHSTONE_ALL => 1),       'ran',     'by make check-all');
    is(outcome(TOUCHSTONE_UNCHANGED => 0), 'ran',     'by itself');
    is(outcome(),                          'skipped', 'again');
};

subtest 'it runs again when something has changed' => sub {
    my %changes = (
        'a source'            => sub { spew("$dir/src/a.c", "int b;\n") },
        'a new source'        => sub { spew("$dir/src/b.c", "int b;\n") },
        'a source is missing' => sub { unlink "$dir/src/b.c" },
        'the Makefile'        => sub { spew("$dir/Makefile",    "all: a\n") },
        'a module it loads'   => sub { spew("$dir/lib/Used.pm", "package Used; 2;\n") },
        'a module of tests'   =>
            sub { spew("$dir/t/lib/Unchanged.pm", slurp("$dir/t/lib/Unchanged.pm") . "\n") },
        'the test' => sub { write_test('ok(1)') },
    );
    for my $what (sort keys %changes) {
        $changes{$what}->();
        is(outcome(), 'ran',     $what);
        is(outcome(), 'skipped', "$what: once");
    }
    spew("$dir/lib/Other.pm", "package Other; 1;\n");
    is(outcome(), 'skipped', 'but not for a module that it does not load');
};

subtest 'what failed runs again' => sub {
    for my $statement ('fail', 'die 1') {
        write_test($statement);
        is(outcome(), 'failed', $statement) for 1, 2;
    }
};

subtest 'it runs again when a tool has come that it may have lacked' => sub {
    write_test('subtest part => sub { plan skip_all => "no tool" }; pass');
    make_path("$dir/bin");
    utime 1e9, 1e9, "$dir/bin";
    local $ENV{PATH} = "$dir/bin:$ENV{PATH}";
    is(outcome(), 'ran',     'with another PATH');
    is(outcome(), 'skipped', 'as long as that stays');
    spew("$dir/bin/tool", '');
    is(outcome(), 'ran', 'with a new tool there');
};

subtest 'it passes where nothing can be noted' => sub {
    remove_tree("$dir/obj");
    spew("$dir/obj", 'no directory');
    is(outcome(), 'ran', 'once');
    is(outcome(), 'ran', 'and again');
};

done_testing;
