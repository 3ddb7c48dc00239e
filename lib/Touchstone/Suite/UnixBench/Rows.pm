# SPDX-License-Identifier: GPL-2.0-or-later
# Suite::UnixBench::Rows - the tests and groups of UnixBench, and the few of our own beside them. Suite.pm
# explains a row. Titles and categories are UnixBench's to the letter: text reports of both are compared by
# them.
package Touchstone::Suite::UnixBench::Rows;
use 5.014;
use strict;
use warnings;

use Touchstone::Suite;

# The VAX-11/780 does so many Dhrystones a second and has 1 MIPS by definition.
our $DHRYSTONES_PER_MIPS = 1757;

my @CPU = (
    {
        name    => 'dhry2reg',
        title   => 'Dhrystone 2 using register variables',
        label   => 'Dhrystone 2',
        kind    => 'CPU',
        index   => 1,
        about   => 'integers, strings, records and calls, mixed as in programs of the eighties',
        derived => {
            dmips => {
                divisor => $DHRYSTONES_PER_MIPS,
                unit    => "DMIPS (passes of the loop a second / $DHRYSTONES_PER_MIPS)"
            }
        }
    },
    {
        name  => 'whetstone-double',
        title => 'Double-Precision Whetstone',
        label => 'Whetstone',
        kind  => 'CPU',
        index => 1,
        about => 'floating-point arithmetic and the mathematical functions of libm'
    },
    {
        name  => 'syscall',
        title => 'System Call Overhead',
        label => 'System call',
        kind  => 'Kernel',
        index => 1,
        about => 'five cheap system calls: dup, close, getpid, getuid, umask'
    },
    {
        name  => 'pipe',
        title => 'Pipe Throughput',
        label => 'Pipe throughput',
        kind  => 'Kernel',
        index => 1,
        about => 'one process writes 512 bytes into a pipe and reads them back'
    },
    {
        name      => 'context1',
        title     => 'Pipe-based Context Switching',
        label     => 'Context switch',
        kind      => 'Kernel',
        index     => 1,
        warm      => 0.05,
        elsewhere => 'half',
        about     => 'two processes pass a counter back and forth through two pipes'
    },
);

my @PROCESS = (
    {
        name    => 'spawn',
        title   => 'Process Creation',
        label   => 'Process creation',
        kind    => 'Kernel',
        index   => 1,
        seconds => 30,
        pace    => 'brief',
        warm    => 0.2,
        version => 2,
        since   => '7.1.0',
        about   => 'fork a process that exits immediately, and wait for it'
    },
    {
        name    => 'execl',
        title   => 'Execl Throughput',
        label   => 'Execl',
        kind    => 'Kernel',
        index   => 1,
        seconds => 30,
        pace    => 'brief',
        warm    => 0.1,
        about   => 'a process replaces itself with a fresh copy of its program'
    },
);

# A row has a name, the buffer in bytes, the same for people, the file in blocks of 1024 bytes, and the
# seconds of its warm-up: until a file was written once, the kernel looks for memory.
my @FILES = (
    [ fsbuffer => 256,  '256 B', 500,  0.1 ],
    [ fstime   => 1024, '1 KB',  2000, 0.1 ],
    [ fsdisk   => 4096, '4 KB',  8000, 0.2 ]
);
my @ACTIONS = (
    [ '',   'Copy',  'copy one file to another',     2 ],
    [ '-w', 'Write', 'write a file again and again', 2 ],
    [ '-r', 'Read',  'read a file again and again',  2 ],
);

sub _file_test {
    my ($file, $action)                        = @_;
    my ($name, $buffer, $size, $blocks, $warm) = @$file;
    my ($suffix, $verb, $about, $files)        = @$action;
    return {
        name    => "$name$suffix",
        title   => "File $verb $buffer bufsize $blocks maxblocks",
        label   => 'File ' . lc($verb) . ", $size buffer",
        kind    => 'Files (page cache)',
        index   => $suffix ? 0 : 1,
        about   => "$about, $buffer bytes at a time, $blocks KB in all",
        seconds => 30,
        pace    => 'brief',
        class   => 'short',
        program => 'fstime',
        space   => $files * $blocks,
        warm    => $warm,
        args    => [ $suffix || '-c', '-t', '%{seconds}', '-d', '%{work}', '-b', $buffer, '-m', $blocks ],
    };
}

sub _shell_test {
    my ($concurrent) = @_;
    return {
        name    => "shell$concurrent",
        title   => "Shell Scripts ($concurrent concurrent)",
        label   => "Shell scripts, $concurrent concurrent",
        kind    => 'Shell',
        index   => $concurrent < 16 ? 1 : 0,
        about   => "sort, od, grep, tee and wc from $concurrent concurrent shell scripts",
        seconds => 60,
        pace    => 'slow',
        warm    => 0.2,
        program => 'looper',
        args    => [ '%{seconds}', '/bin/sh', '%{bin}/multi.sh', $concurrent ],
        needs   => \%Touchstone::Suite::SHELL_TOOLS,
        inputs  => ['sort.src'],
        space   => 64 * $concurrent,
    };
}

my @ARITHOH = (title => 'Arithoh', also => [ 'Arithoh (huh?)', 'Arithmetic Test (arithoh)' ]);
my $UNLIKE  = "Touchstone does this work, compilers delete UnixBench's";
my %NUMBERS = (register => 'int in register variables');
my $WORK    = 'a hundred multiplications, divisions, additions and subtractions';

sub _arithmetic_test {
    my ($type) = @_;
    my $about =
        $type eq 'arithoh'
        ? 'the loop of the other arithmetic tests, without the arithmetic'
        : "$WORK of " . ($NUMBERS{$type} || $type);
    return {
        name => $type,
        $type eq 'arithoh' ? @ARITHOH : (title => "Arithmetic Test ($type)"),
        label  => $type eq 'arithoh' ? 'Arithmetic, only the loop' : "Arithmetic, $type",
        kind   => 'CPU',
        about  => $about,
        unlike => $UNLIKE
    };
}

# testdir/dc.dat prints two lines, because versions of dc break longer ones at different places.
my $SQUARE_ROOT_OF_TWO =
    "1.41421356237309504880168872420969807856967187537694\n8073176679737990732478462107038850387534327641572";

# UnixBench's Run cannot make these; it delivers the program of the first, and does not know its name.
my @OWN = (
    _arithmetic_test('register'),
    {
        name  => 'dhry2',
        title => 'Dhrystone 2 without register variables',
        label => 'Dhrystone 2, plain variables',
        kind  => 'CPU',
        about => 'dhry2reg with plain variables'
    },
    {
        name  => 'dhry2-strict',
        title => 'Dhrystone 2 strict',
        label => 'Dhrystone 2, strict',
        kind  => 'CPU',
        about => 'dhry2reg with every statement executed'
    },
    {
        name  => 'whetstone-strict',
        title => 'Double-Precision Whetstone strict',
        label => 'Whetstone, strict',
        kind  => 'CPU',
        about => 'whetstone-double with the integer module executed, which compilers delete'
    },
    {
        name      => 'context1-same',
        title     => 'Pipe-based Context Switching (one CPU)',
        label     => 'Context switch, one CPU',
        kind      => 'Kernel',
        program   => 'context1',
        warm      => 0.05,
        elsewhere => 'half',
        place     => 'same',
        about     => 'context1 with both processes on one CPU'
    },
    {
        name      => 'context1-cross',
        title     => 'Pipe-based Context Switching (two CPUs)',
        label     => 'Context switch, two CPUs',
        kind      => 'Kernel',
        program   => 'context1',
        warm      => 0.05,
        elsewhere => 'half',
        place     => 'cross',
        about     => 'context1 with the processes on CPUs of two cores'
    },
    {
        name  => 'clock',
        title => 'Clock Reading',
        label => 'Clock reading',
        kind  => 'Kernel',
        about => 'read the monotonic clock'
    },
);

my @MISC = (
    {
        name    => 'sysexec',
        title   => 'Exec System Call Overhead',
        label   => 'Exec of /bin/true',
        kind    => 'Kernel',
        program => 'syscall',
        args    => [ '%{seconds}', 'exec' ],
        about   => 'start /bin/true and wait for it'
    },
    {
        name    => 'hanoi',
        title   => 'Recursion Test -- Tower of Hanoi',
        label   => 'Tower of Hanoi',
        kind    => 'CPU',
        also    => ['Recursion Test--Tower of Hanoi'],
        seconds => 20,
        class   => 'short',
        about   => 'recursive calls: ten disks'
    },
    {
        name    => 'C',
        title   => 'C Compiler Throughput (gcc)',
        label   => 'C compiler',
        kind    => 'Programs',
        also    => [ 'C Compiler Throughput', 'C Compiler Throughput (cc)' ],
        seconds => 60,
        class   => 'short',
        pace    => 'slow',
        warm    => 0.2,
        program => 'looper',
        args    => [ '%{seconds}', '%{cc}', '-o', 'cctest', '%{testdir}/cctest.c' ],
        needs   => { '%{cc}' => 'gcc' },
        inputs  => ['cctest.c'],
        space   => 256,
        about   => 'compile and link a small C program',
        unlike  => 'UnixBench compiles another program'
    },
    {
        name    => 'dc',
        title   => 'Dc: sqrt(2) to 99 decimal places',
        label   => 'dc: square root of 2',
        kind    => 'Programs',
        also    => ['Dc sqrt(2) to 99 decimal places'],
        seconds => 30,
        class   => 'short',
        pace    => 'brief',
        warm    => 0.1,
        program => 'looper',
        args    => [ '%{seconds}', '-a', '-o', $SQUARE_ROOT_OF_TWO, '-i', '%{testdir}/dc.dat', 'dc' ],
        needs   => { dc => 'dc' },
        inputs  => ['dc.dat'],
        about   => 'the desk calculator finds the square root of two'
    },
    {
        name    => 'grep',
        title   => "Grep a large file (system's grep)",
        label   => 'grep in a large file',
        kind    => 'Programs',
        also    => ['Grep a large file'],
        seconds => 30,
        class   => 'short',
        pace    => 'brief',
        warm    => 0.1,
        program => 'looper',
        args    => [ '%{seconds}', '-o', '1032', 'grep', '-c', 'lamp', '%{testdir}/large.txt' ],
        needs   => { grep => 'grep' },
        inputs  => ['large.txt'],
        about   => 'count the lines with a word in a text of 10,000 lines'
    },
);

my @SYSTEM = map { { category => 'system', %$_ } } @CPU, (map { { class => 'short', %$_ } } @PROCESS), (
    map {
        my $file = $_;
        map { _file_test($file, $_) } @ACTIONS
    } @FILES
    ),
    (map { { class => 'short', %$_ } } map { _shell_test($_) } 1, 8, 16);
my @NON_INDEX = map { _arithmetic_test($_) } qw(arithoh short int long float double);
my @UNIXBENCH = (@SYSTEM, map { { category => 'misc', %$_ } } @NON_INDEX, @MISC);
my %EXERCISES = (
    (map { $_ => 'processes' } qw(spawn execl sysexec)),
    (map { $_ => 'wake-ups' } qw(context1 context1-same context1-cross)),
    clock => 'other'
);
my @TESTS =
    map { { exercises => $EXERCISES{ $_->{name} }, %$_ } }
    map { { class     => 'long', pace => 'fast', seconds => 10, %$_ } } @UNIXBENCH,
    map { { category  => 'misc', %$_ } } @OWN;

my @OLDSYSTEM  = qw(execl fstime fsbuffer fsdisk pipe context1 spawn syscall);
my @SHELLS     = qw(shell1 shell8 shell16);
my @ARITHMETIC = qw(arithoh short int long float double whetstone-double);

my %GROUPS = (
    index => [
        qw(dhry2reg whetstone-double execl fstime fsbuffer fsdisk pipe context1 spawn syscall shell1 shell8)],
    oldsystem  => [@OLDSYSTEM],
    system     => [ @OLDSYSTEM, @SHELLS ],
    arithmetic => [@ARITHMETIC],
    dhry       => ['dhry2reg'],
    dhrystone  => ['dhry2reg'],
    whets      => ['whetstone-double'],
    whetstone  => ['whetstone-double'],
    load       => [@SHELLS],
    shell      => [@SHELLS],
    misc       => [qw(C dc hanoi)],
    fs         => [ map { ("$_-w", "$_-r", $_) } qw(fstime fsbuffer fsdisk) ],
    speed      => [ @ARITHMETIC, @OLDSYSTEM, @SHELLS ],
    all        => [ map { $_->{name} } @UNIXBENCH ],
    own        => [ map { $_->{name} } @OWN ],
);

sub suite {
    return {
        name       => 'unixbench',
        order      => 1,
        default    => { group => 'index', called => 'the twelve tests of the index' },
        version    => 2,
        reference  => 'George',
        machines   => { George => 'a SPARCstation 20-61 (1995)' },
        budget     => 180,
        tests      => \@TESTS,
        units      => { MWIPS => 'million Whetstone instructions per second' },
        groups     => \%GROUPS,
        called     => { all => 'every test of UnixBench' },
        categories => [ [ system => 'System Benchmarks' ], [ misc => 'Non-Index Benchmarks' ] ],
    };
}

1;
