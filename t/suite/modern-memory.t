# SPDX-License-Identifier: GPL-2.0-or-later
# chase and stream run by hand: what they take and tell, which pages they get, and that their proofs notice
# wrong work. Wrong work is the same source with a few words replaced by functions of this test.
use 5.014;
use strict;
use warnings;

use Test::More;

use lib 't/lib';
use ByHand;
use Files;
use NoWarnings;
use Programs;
use Touchstone::Suite;

# Damage is found in what is done after it, so there is more time for that.
use constant { SECONDS => 0.01, LONG => 0.1 };

my $SRC      = "$Programs::BASE/src";
my @COMPILER = Programs::compiler();
my @FLAGS    = ('-std=gnu11', '-D_POSIX_C_SOURCE=200809L', '-O1', "-I$SRC");
my $PAGES    = "$SRC/modern/shared/pages.c";

# The harness is compiled once.
my @HARNESS = map { "$work/$_.o" } qw(bench channel perf pin turn);
for my $object (@HARNESS) {
    my ($name) = $object =~ m{([^/]+)\.o\z};
    my ($status, $err) = run(@COMPILER, @FLAGS, '-c', '-o', $object, "$SRC/$name.c");
    die "cannot compile the harness: $err\n" if $status != 0;
}

# The small sizes that are enough for a test.
my %SMALL = (chase => [ 4096, 1, 'huge' ], stream => [4096]);

# Compiles this source and the pages with these flags. Returns what the compiler says, or ''.
sub built {
    my ($name, $text, @flags) = @_;
    Files::spew("$work/$name.c", $text);
    my ($status, $err) =
        run(@COMPILER, @FLAGS, @flags, '-o', "$work/$name", "$work/$name.c", $PAGES, @HARNESS);
    return $status == 0 ? '' : $err || "status $status";
}

# What is damaged is the memory that the program was given, when it asks for its second batch.
my $DAMAGED = <<'C';
#include "bench.h"
#include "modern/shared/pages.h"
#include <string.h>

static struct pages given;
static uint64_t asked;

static struct pages noted(size_t bytes, enum pages_kind kind)
{
	return given = pages_map(bytes, kind);
}

static bool damaged(struct bench *b)
{
	uint64_t *words = given.memory;

	if (++asked == 2)
		DAMAGE;
	return bench_next(b);
}
#define pages_map noted
#define bench_next damaged
C

sub is_wrong {
    my ($what, $program, $before, $pattern, @arguments) = @_;
    my $said = built('wrong', qq($before\n#include "modern/$program.c"\n));
    is($said, '', "$what: it can be built");
    return if length $said;
    is_error($what, "wrong result: $pattern", run("$work/wrong", LONG, @arguments));
    return;
}

sub figures { return { $_[0] =~ /^FIGURE\|(\w+)\|([\d.]+)/mg } }

subtest 'each tells a rate and what part of its memory is in huge pages' => sub {
    for my $size ([ 1, 1, 'small' ], [ 1, 16, 'huge' ], [ 4096, 1, 'huge' ], [ 8192, 16, 'small' ]) {
        my @got = program('chase', SECONDS, @$size);
        is_result("chase @$size", @got);
        like($got[1], qr/^COUNT\|\d[\d.]*(?:e\+\d+)?\|0\|lps$/m, "chase @$size: loads a second");
        is(join(' ', keys %{ figures($got[1]) }), 'huge', "chase @$size: and the pages")
            if $got[1] !~ /^HOW\|unknown-pages$/m;
    }
    for my $size (32, 96, 4096) {
        my @got = program('stream', SECONDS, $size);
        is_result("stream $size", @got);
        like($got[1], qr/^COUNT\|\d[\d.]*(?:e\+\d+)?\|0\|MBps$/m, "stream $size: MB a second");
        my $found = figures($got[1]);
        ok($found->{$_} > 0, "stream $size: $_ is a rate, too") for qw(read write copy);
        like($got[1], qr/^FIGURE\|$_\|[^|]+\|MBps$/m, "stream $size: $_ can be compared")
            for qw(read write copy);
    }
};

subtest 'what they cannot be told is a usage error' => sub {
    my @chase = (
        [],
        [1],
        [ 1,       1 ],
        [ 0,       1,    'huge' ],
        [ 3,       1,    'huge' ],
        [ 4096,    2,    'huge' ],
        [ 4096,    1,    'large' ],
        [ 4096,    1,    '' ],
        [ 4096,    '1x', 'huge' ],
        [ 524_288, 1,    'huge' ],
        [ '4k',    1,    'huge' ],
        [ 4096,    1,    'huge', 'more' ]
    );
    is_usage("chase @$_",  program('chase',  SECONDS, @$_)) for @chase;
    is_usage("stream @$_", program('stream', SECONDS, @$_))
        for [], [0], [31], [33], [98_336], ['32k'], [ 32, 32 ];
};

subtest 'what rows ask for is what the programs can do' => sub {
    for my $row (grep { $_->{program} =~ /\A(?:chase|stream)\z/ } Touchstone::Suite::load()->tests) {
        my @arguments = Touchstone::Suite::filled($row, seconds => SECONDS);
        my @got       = program($row->{program}, @arguments);
        is_result($row->{name}, @got);
        my $held = $row->{program} eq 'chase' ? $arguments[1] : 3 * $arguments[1];
        is($row->{memory} // 256, $held, "$row->{name}: its row knows what it holds");
        is($got[1] =~ /^MISSING/m && ($arguments[3] // '') eq 'small' ? 1 : 0,
            0, "$row->{name}: who wants small pages misses nothing");
    }
};

subtest 'pointers that lead elsewhere are noticed' => sub {
    my %damage = (
        'a node leads to itself'                    => 'words[8 * 5] = (uint64_t)(uintptr_t)&words[8 * 5]',
        'a node is left out'                        => 'words[8 * 5] = *(uint64_t *)(uintptr_t)words[8 * 5]',
        'two nodes lead where the other one should' =>
            'do { uint64_t one = words[8 * 5]; words[8 * 5] = words[8 * 9]; words[8 * 9] = one; } while (0)'
    );
    for my $how (sort keys %damage) {
        (my $before = $DAMAGED) =~ s/DAMAGE/$damage{$how}/;
        is_wrong("$how, $_ at once", 'chase', $before, 'chain \d+ has not gone', 1024, $_, 'small') for 1, 16;
    }
};

subtest 'the way is one through all lines, of any number of them' => sub {
    my $said = built('way', <<'C');
#define main unused_main
#include "modern/chase.c"
#undef main
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
	for (size_t kb = 1; kb <= 1024; kb *= 2) {
		struct pages memory = { .memory = calloc(kb, 1024), .bytes = kb * 1024 };
		struct field f = linked(&memory);
		uint64_t seen = 0, near = 0;
		struct node *node = f.nodes;

		do {
			near += node->next - node == 1 || node - node->next == 1;
			node = node->next;
			seen++;
		} while (node != f.nodes && seen <= f.mask);
		printf("%zu %d %d\n", kb, seen == f.mask + 1 && node == f.nodes, near * 4 < seen);
		free(memory.memory);
	}
	return 0;
}
C
    is($said,                 '',                                         'it can be built');
    is((run("$work/way"))[2], join('', map { 2**$_ . " 1 1\n" } 0 .. 10), 'and seldom to the next line');
};

subtest 'wrong sums and copies are noticed' => sub {
    my $at     = '(given.bytes / 8 / 3)';
    my %damage = (
        "words[$at + 61] ^= 1ULL << 50"      => 'element 61 is',
        "words[2 * $at + 122] ^= 1ULL << 50" => 'element 122 is',
    );
    for my $how (sort keys %damage) {
        (my $before = $DAMAGED) =~ s/DAMAGE/$how/;
        is_wrong($how, 'stream', $before, $damage{$how}, 32);
    }
    my $late = $DAMAGED =~ s/DAMAGE/(void)words/r . <<'C';
static void stopped(struct bench *b)
{
	uint64_t *words = given.memory;

	words[given.bytes / 8 / 3 + 7] ^= 1;
	bench_stop(b);
}
#define bench_stop stopped
C
    is_wrong('a word changes before it is read', 'stream', $late, 'the words that were read', 32);
    my $lazy = <<'C';
#include <string.h>
static void *fills(void *to, int octet, size_t bytes)
{
	return memset(to, octet, bytes / 2);
}
static void *copies(void *to, const void *from, size_t bytes)
{
	return memcpy(to, from, bytes - 1);
}
C
    is_wrong('half a memset',    'stream', "$lazy#define memset fills\n",  'memset has not reached', 32);
    is_wrong('most of a memcpy', 'stream', "$lazy#define memcpy copies\n", 'memcpy has made',        32);
};

# Runs a program with huge pages turned off for it and its children; a status of 123: that cannot be done.
my $WITHOUT = <<'C';
#include <sys/prctl.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	if (argc < 2 || prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0) != 0)
		return 123;
	execv(argv[1], argv + 1);
	return 124;
}
C

subtest 'a result without huge pages is partial, and says so' => sub {
    Files::spew("$work/without.c", $WITHOUT);
    my ($status) = run(@COMPILER, '-o', "$work/without", "$work/without.c");
    plan skip_all => 'this system cannot turn off huge pages' if $status != 0;
    ($status) = run("$work/without", '/bin/true');
    plan skip_all => 'huge pages cannot be turned off here' if $status != 0;
    for my $program (sort keys %SMALL) {
        my @got = run("$work/without", Programs::path($program), SECONDS, @{ $SMALL{$program} });
        is_result($program, @got);
        is(figures($got[1])->{huge} + 0, 0, "$program: nothing is in them");
        like($got[1], qr/^MISSING\|huge\|only 0 % of its memory is in huge pages$/m, "$program: why");
    }
    my @small = run("$work/without", Programs::path('chase'), SECONDS, 4096, 1, 'small');
    unlike($small[1], qr/^MISSING/m, 'who wants small pages does not miss them');
};

# Replaces fopen: smaps cannot be opened, is empty, or tells of these KB in huge pages.
sub with_smaps {
    my ($name, $text) = @_;
    Files::spew("$work/smaps", $text) if defined $text;
    my $path = defined $text ? "$work/smaps" : "$work/none";
    Files::spew("$work/fopen.h", <<"C");
#define _DEFAULT_SOURCE
#include <stdio.h>
#include <string.h>
static inline FILE *opened(const char *path, const char *mode)
{
	return fopen(strcmp(path, "/proc/self/smaps") == 0 ? "$path" : path, mode);
}
#define fopen opened
C
    my @sources = ("$SRC/modern/chase.c", $PAGES);
    my ($status, $err) =
        run(@COMPILER, @FLAGS, '-include', "$work/fopen.h", '-o', "$work/chase", @sources, @HARNESS);
    is($status, 0, "$name: it can be built") or diag($err);
    return run("$work/chase", SECONDS, 4096, 1, 'huge');
}

subtest 'what smaps does not tell is unknown, and nothing else is wrong' => sub {
    plan skip_all => 'only Linux has smaps' if $^O ne 'linux';
    my $ours  = "10000-ffffffffff000 rw-p 00000000 00:00 0 \n";
    my %texts = (
        'no file'                => undef,
        'an empty file'          => '',
        'a map without a figure' => "${ours}Size: 4096 kB\n",
        'a figure of no map'     => "AnonHugePages: 4096 kB\n",
        'the figure of another'  => "1000-2000 rw-p\nAnonHugePages: 4096 kB\n${ours}Size: 4 kB\n"
    );
    for my $name (sort keys %texts) {
        my @got = with_smaps($name, $texts{$name});
        is_result($name, @got);
        is(join(' ', $got[1] =~ /^(HOW\|.*|FIGURE\|.*|MISSING\|.*)$/mg), 'HOW|unknown-pages', $name);
    }
};

subtest 'nine tenths are enough' => sub {
    plan skip_all => 'only Linux has smaps' if $^O ne 'linux';
    my $ours = "10000-ffffffffff000 rw-p 00000000 00:00 0 \n";
    my %says = (
        3600   => 'FIGURE|huge|0.879|each MISSING|huge|only 88 % of its memory is in huge pages',
        3700   => 'FIGURE|huge|0.903|each',
        409600 => 'FIGURE|huge|1.000|each'
    );
    for my $kb (sort keys %says) {
        my @got = with_smaps("$kb KB", "$ours${\ 'AnonHugePages:'}  $kb kB\n");
        is(join(' ', $got[1] =~ /^((?:HOW|FIGURE|MISSING)\|.*)$/mg), $says{$kb}, "$kb KB of 4096");
    }
};

subtest 'a system that is not Linux gives memory, and nobody knows its pages' => sub {
    for my $program (sort keys %SMALL) {
        my $said = built('other', qq(#include "modern/$program.c"\n), '-U__linux__');
        is($said, '', "$program: it can be built");
        my @got = run("$work/other", SECONDS, @{ $SMALL{$program} });
        is_result($program, @got);
        is(join(' ', $got[1] =~ /^(HOW\|.*|FIGURE\|huge.*|MISSING\|.*)$/mg), 'HOW|unknown-pages', $program);
    }
};

subtest 'too little memory is a reason to skip it' => sub {
    for my $program ([ chase => 262_144, 1, 'huge' ], [ stream => 65_536 ]) {
        my ($name,   @arguments) = @$program;
        my ($status, $err)       = run('sh', '-c', 'ulimit -v 100000 && exec "$@"',
            'sh', Programs::path($name), SECONDS, @arguments);
        plan skip_all => 'this system does not limit memory' if $status == 0;
        is($status, 77 << 8, "$name: exit 77");
        like($err, qr/\ASKIP\|there is no memory for \d+ MB: Cannot allocate memory\n\z/, "$name: why");
    }
};

done_testing;
