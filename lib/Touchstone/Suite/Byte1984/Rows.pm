# SPDX-License-Identifier: GPL-2.0-or-later
# Suite::Byte1984::Rows - the benchmarks that UnixBench grew from (BYTE, August 1984): fixed work whose
# seconds count. Suite.pm explains a row.
package Touchstone::Suite::Byte1984::Rows;
use 5.014;
use strict;
use warnings;

use Touchstone::Suite;

my $MACHINES  = 'byte1984-machines';
my $MULTI     = 'byte1984-multi';
my $REFERENCE = 'VAX-11/780';

# The text of the article has 16 words, a line each, 69 bytes.
my $TEXT  = '%{testdir}/tst84.src';
my %SHELL = (
    program => 'looper',
    needs   => { %Touchstone::Suite::SHELL_TOOLS, cksum => 'coreutils', mkdir => 'coreutils' },
    inputs  => ['tst84.src'],
    pace    => 'brief',
    warm    => 0.2,
    version => 2,
    since   => '7.1.0',
);
my @CHECKED = ('%{seconds}', '-s', '-k', '%{bin}/tst-check.sh', '/bin/sh');
my %FILE    = (args => [ '%{seconds}', '%{work}' ], space => 256);

my @COLUMNS = (
    (
        map {
            my $name = $_;
            map { "${name}_$_" } qw(real user sys)
        } qw(pipe scall sieve shell loop)
    ),
    qw(fcall dwrite_real dread_real)
);

# `column` has the machines' seconds, where the article has any.
my @ONCE = (
    {
        name   => 'pipe84',
        title  => 'Pipe 1984',
        label  => 'Pipe',
        kind   => 'Kernel',
        column => 'pipe_real',
        about  => 'half a megabyte through a pipe to a child, 512 bytes at a time'
    },
    {
        name   => 'scall84',
        title  => 'System Calls 1984',
        label  => 'System calls',
        kind   => 'Kernel',
        column => 'scall_real',
        per    => [ 25_000, 'call' ],
        about  => '25,000 calls of getpid'
    },
    {
        name   => 'fcall84',
        title  => 'Function Calls 1984',
        label  => 'Function calls',
        kind   => 'CPU',
        column => 'fcall',
        per    => [ 50_000, 'call' ],
        about  => '50,000 function calls, minus 50,000 assignments'
    },
    {
        name   => 'sieve84',
        title  => 'Sieve 1984',
        label  => 'Sieve',
        kind   => 'CPU',
        column => 'sieve_real',
        about  => 'the primes below 16,386, ten times'
    },
    {
        name    => 'dwrite84',
        title   => 'Disk Write 1984',
        label   => 'Disk write',
        kind    => 'Files (page cache)',
        column  => 'dwrite_real',
        about   => 'create a file and write 256 blocks of 512 bytes',
        version => 2,
        since   => '7.1.0',
        %FILE
    },
    {
        name   => 'dread84',
        title  => 'Disk Read 1984',
        label  => 'Disk read',
        kind   => 'Files (page cache)',
        column => 'dread_real',
        index  => 0,
        about  => '256 blocks of 512 bytes from random places of a file',
        %FILE
    },
    {
        name   => 'shell84',
        title  => 'Shell 1984',
        label  => 'Shell script',
        kind   => 'Shell',
        column => 'shell_real',
        about  => 'one shell script on 16 words: sort, od, grep, tee, wc, rm',
        %SHELL,
        args  => [ @CHECKED, '%{bin}/tst.sh', $TEXT ],
        space => 64
    },
    {
        name   => 'loop84',
        title  => 'Loop 1984',
        label  => 'Loop',
        kind   => 'CPU',
        column => 'loop_real',
        per    => [ 1_000_000, 'step' ],
        about  => 'count to a million in a register'
    },
    {
        name    => 'cc84',
        title   => 'C Compiler 1984',
        label   => 'C compiler',
        kind    => 'Programs',
        index   => 0,
        about   => 'compile and link a small C program',
        program => 'looper',
        args    => [
            '%{seconds}', '-s', '-k', '%{bin}/cc-check.sh', '%{cc}', '-o', 'cctest', '%{testdir}/cctest.c'
        ],
        needs  => { '%{cc}' => 'gcc' },
        inputs => ['cctest.c'],
        space  => 256,
        pace   => 'brief',
        warm   => 0.2
    },
);

sub _multi {
    my ($shells) = @_;
    return {
        name     => "multi84-$shells",
        title    => "Multitasking 1984 ($shells concurrent)",
        label    => "Concurrent shell scripts: $shells",
        kind     => 'Shell',
        index    => 0,
        baseline => [ $MULTI, $REFERENCE, "n$shells" ],
        %SHELL,
        about => "the script of shell84, $shells concurrently",
        space => 64 * $shells,
        args  => [ @CHECKED, '%{bin}/multi.sh', $shells, $TEXT ],
        env   => { MULTI_SH_WORK_FACTOR => 1 },
    };
}

my %COMMON = (
    category => 'byte1984',
    better   => 'lower',
    index    => 1,
    class    => 'short',
    pace     => 'brief',
    seconds  => 10
);
my @MULTI = map { _multi($_) } 1 .. 6;
my @TESTS = map { _row(%COMMON, %$_) } @ONCE, @MULTI;

# The article's own names stand for its tests too. That of its pipes is a test of UnixBench, and that of its
# shell scripts a group of it.
my @OF_ARTICLE = qw(scall fcall sieve dwrite dread loop);

sub _row {
    my (%row) = @_;
    my $column = delete $row{column};
    $row{baseline} //= [ $MACHINES, $REFERENCE, $column ] if defined $column;
    return \%row;
}

sub suite {
    return {
        name    => 'byte1984',
        order   => 2,
        version => 2,
        tests   => \@TESTS,
        groups  => {
            byte1984 => [ map { $_->{name} } @TESTS ],
            multi84  => [ map { $_->{name} } @MULTI ],
            map { $_ => ["${_}84"] } @OF_ARTICLE
        },
        categories => [ [ byte1984 => '1984 Benchmarks' ] ],
        reference  => $REFERENCE,
        machines   => { $REFERENCE => "a $REFERENCE" },
        published  => {
            $MACHINES => { text => [qw(machine system)], numbers => \@COLUMNS, notes => ['note'] },
            $MULTI    =>
                { text => [qw(machine system)], numbers => [ map { "n$_" } 1 .. 6 ], notes => ['note'] },
        },
        budget => 90,
    };
}

1;
