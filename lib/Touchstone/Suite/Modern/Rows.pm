# SPDX-License-Identifier: GPL-2.0-or-later
# Suite::Modern::Rows - the suite of 2026: properties in which current machines differ, and an index. Suite.pm
# explains a row.
package Touchstone::Suite::Modern::Rows;
use 5.014;
use strict;
use warnings;

# A table of round physical figures, whose index is 1000 in every test; docs/tests/modern.md explains it.
my $TABLE     = 'yardstick';
my $YARDSTICK = 'Yardstick of 2026';

my @COMPUTE = (
    {
        name  => 'json',
        title => 'JSON Parsing',
        label => 'JSON parsing',
        about => 'parse a JSON text, hash and count its strings'
    },
    {
        name  => 'interp',
        title => 'Bytecode Interpreter',
        label => 'Bytecode interpreter',
        about => 'interpret a program of a small register machine'
    },
    {
        name  => 'branch',
        title => 'Unpredictable Branches',
        label => 'Unpredictable branches',
        about => 'branches that depend on random bits'
    },
    {
        name  => 'matrix',
        title => 'Matrix Product',
        label => 'Matrix product',
        about => 'multiply matrices of floats with the widest vectors'
    },
);

# Without huge pages most loads also have to look up where their page lies.
my %HUGE = (
    remedy => {
              'huge pages' => 'let programs ask for them: write madvise into '
            . '/sys/kernel/mm/transparent_hugepage/enabled'
    }
);

# What a load takes is shown too.
my %CHASE  = (program => 'chase', per => [ 1, 'load' ]);
my @MEMORY = (
    {
        name   => 'mem-latency',
        title  => 'Memory Latency',
        label  => 'Latency, 256 MB',
        about  => 'follow pointers through 256 MB in a random order',
        args   => [ '%{seconds}', 262_144, 1, 'huge' ],
        memory => 262_144,
        setup  => 0.3,
        %CHASE,
        %HUGE
    },
    {
        name   => 'cache-latency',
        title  => 'Cache Latency',
        label  => 'Latency, 8 MB',
        about  => 'follow pointers through 8 MB, about the size of a cache',
        args   => [ '%{seconds}', 8192, 1, 'huge' ],
        memory => 8192,
        %CHASE,
        %HUGE
    },
    {
        name   => 'mem-parallel',
        title  => 'Memory Parallelism',
        label  => '16 concurrent loads',
        about  => 'follow sixteen chains of pointers through 256 MB concurrently',
        args   => [ '%{seconds}', 262_144, 16, 'huge' ],
        memory => 262_144,
        setup  => 0.3,
        %CHASE,
        %HUGE
    },
    {
        name     => 'mem-bandwidth',
        title    => 'Memory Bandwidth',
        label    => 'Bandwidth, 192 MB',
        about    => 'add two arrays of 64 MB into a third; read, fill and copy them',
        program  => 'stream',
        args     => [ '%{seconds}', 65_536 ],
        pace     => 'slow',
        shortest => 1,
        memory   => 196_608,
        setup    => 0.2,
        %HUGE
    },
);

# A team does the work of all copies: threads of one program.
my %TEAM  = (team  => 1,       args => [ '%{seconds}', '%{copies}' ]);
my %PAIRS = (place => 'cross', %TEAM);

my @THREADS = (
    {
        name     => 'handoff',
        title    => 'Thread Hand-off',
        label    => 'Hand-off, pairs of threads',
        about    => 'wake a sleeping thread on another core and wait for its answer',
        tail     => 'hand-off',
        per      => [ 1, 'round trip' ],
        pace     => 'slow',
        shortest => 1,
        %PAIRS
    },
    {
        name  => 'lock',
        title => 'Shared Lock',
        label => 'Lock shared by all threads',
        about => 'lock a shared mutex, change data, unlock it, compute for 100 ns',
        %TEAM
    },
    {
        name  => 'thread',
        title => 'Thread Creation',
        label => 'Thread creation',
        about => 'create a thread and wait for its end',
        per   => [ 1, 'thread' ]
    },
    {
        name  => 'heap',
        title => 'Heap of Threads',
        label => 'Allocation in threads',
        about => 'free a block and allocate another; one in eight goes to the next thread',
        %TEAM
    },
    {
        name  => 'bounce',
        title => 'Cache Line Bounce',
        label => 'Cache line, pairs of threads',
        about => 'a cache line goes to another core and comes back',
        per   => [ 1, 'round trip' ],
        %PAIRS
    },
);

# What a call takes is shown too.
my @KERNEL = (
    {
        name   => 'fault',
        title  => 'Page Fault',
        label  => 'Page fault',
        about  => 'write to fresh pages, which are mapped and unmapped in groups of 4,096',
        per    => [ 1, 'fault' ],
        memory => 16_384
    },
    {
        name    => 'fork',
        title   => 'Fork of 64 MB',
        label   => 'Fork of 64 MB',
        about   => 'fork a process of 64 MB, whose child writes to 1,024 pages',
        program => 'fork64',
        per     => [ 1, 'fork' ],
        setup   => 0.05,
        memory  => 69_632
    },
    {
        name    => 'null-call',
        title   => 'Null System Call',
        label   => 'Null system call',
        about   => 'getpid: into the kernel and out again',
        program => 'syscall',
        args    => [ '%{seconds}', 'getpid' ],
        per     => [ 1,            'call' ]
    },
    {
        name  => 'signal',
        title => 'Signal to Itself',
        label => 'Signal to itself',
        about => 'send a signal to this process and handle it',
        per   => [ 1, 'signal' ]
    },
    {
        name    => 'clock-read',
        title   => 'Clock Read',
        label   => 'Clock reading',
        about   => 'read the monotonic clock',
        program => 'clock',
        per     => [ 1, 'reading' ]
    },
    {
        name  => 'events',
        title => 'Event Loop',
        label => 'Event loop of 64 pipes',
        about => 'wait for one of 64 pipes, read a byte and write it into another',
        per   => [ 1, 'event' ]
    },
    {
        name     => 'tcp',
        title    => 'TCP Requests',
        label    => 'TCP requests within the machine',
        about    => 'send 64 bytes to a server on 127.0.0.1, which answers with 1,024',
        per      => [ 1, 'request' ],
        pace     => 'slow',
        shortest => 1
    },
);

# The result is p99 of how late each copy's sleeper wakes.
my %LATE = (
    program  => 'wakeup',
    better   => 'lower',
    seen     => 'copy',
    tail     => 'wake-up',
    late     => 1,
    pace     => 'slow',
    shortest => 1
);

my @LATENCY = (
    {
        name  => 'wakeup',
        title => 'Wake-up',
        label => 'Wake-up, idle (p99)',
        about => 'how late a sleeper wakes on an idle machine: p99',
        args  => [ '%{seconds}', 0 ],
        %LATE
    },
    {
        name  => 'loaded',
        title => 'Wake-up Under Load',
        label => 'Wake-up, busy (p99)',
        about => 'how late a sleeper wakes while every CPU computes: p99',
        args  => [ '%{seconds}', -1, '%{copies}' ],
        %LATE
    },
);

my %DISK = (pace => 'slow', shortest => 1);

my @DURABLE = (
    {
        name  => 'commit',
        title => 'Durable Commit',
        label => 'Commit of 4 KB',
        about => 'write 4 KB to a log and wait until they are on stable storage',
        tail  => 'commit',
        per   => [ 1, 'commit' ],
        space => 20_000,
        setup => 0.05,
        %DISK
    },
    {
        name  => 'replace',
        title => 'Durable Replacement',
        label => 'Replacement of a file',
        about => 'replace a file of 16 KB so that a power loss leaves the old or the new one',
        tail  => 'replacement',
        per   => [ 1, 'replacement' ],
        space => 100,
        %DISK
    },
    {
        name    => 'disk-read',
        title   => 'Disk Read',
        label   => 'Random read of 4 KB',
        about   => 'read 4 KB at a random place bypassing the page cache, one read at a time',
        tail    => 'disk read',
        per     => [ 1, 'read' ],
        program => 'diskread',
        args    => [ '%{seconds}', '%{kept}' ],
        kept    => 'blocks',
        space   => 262_200,

        # The first pass writes 256 MB, which a memory card takes half a minute for.
        patience => 300,
        %DISK
    },
);

# These are in no index.
my @ASIDE = (
    {
        name   => 'mem-latency-4k',
        title  => 'Memory Latency 4K Pages',
        label  => 'Latency, 256 MB in small pages',
        about  => 'the same as mem-latency in pages of the usual size',
        kind   => 'Memory',
        args   => [ '%{seconds}', 262_144, 1, 'small' ],
        memory => 262_144,
        setup  => 0.3,
        %CHASE
    },
    {
        name  => 'cache-256k',
        title => 'Cache Latency 256K',
        label => 'Latency, 256 KB',
        about => "follow pointers through 256 KB, usually in a core's own cache",
        kind  => 'Memory',
        args  => [ '%{seconds}', 256, 1, 'huge' ],
        %CHASE,
        %HUGE
    },
    {
        name     => 'handoff-same',
        title    => 'Thread Hand-off Same CPU',
        label    => 'Hand-off of threads on one CPU',
        about    => 'the same as handoff between two threads on one CPU',
        kind     => 'Threads',
        program  => 'handoff',
        args     => [ '%{seconds}', 2 ],
        place    => 'same',
        pace     => 'slow',
        shortest => 1
    },
    {
        name    => 'fault-threads',
        title   => 'Page Fault of Threads',
        label   => 'Page fault, threads of one program',
        about   => 'the same as fault in threads that share an address space',
        kind    => 'Kernel',
        program => 'fault',
        args    => [ '%{seconds}', '%{copies}' ],
        team    => 1,
        memory  => 16_384
    },
);

# The five groups of the index count alike, whatever the number of their tests. Suite.pm explains steady.
my @GROUPS = (
    [ compute => 'Compute', \@COMPUTE, steady => 1 ],
    [ memory  => 'Memory',  \@MEMORY,  steady => 1 ],
    [ threads => 'Threads', \@THREADS ],
    [ kernel  => 'Kernel',  \@KERNEL ],
    [ latency => 'Latency', \@LATENCY ],
);
my @DURABLE_GROUP = ([ durable => 'Durable', \@DURABLE ]);

# What tests exercise, where their kind does not show it.
my %EXERCISES = (
    (map { $_ => 'processes' } qw(thread fault fork fault-threads)),
    (map { $_ => 'wake-ups' } qw(handoff handoff-same tcp)),
    'clock-read' => 'other'
);

my %COMMON =
    (category => 'modern', class => 'short', pace => 'brief', seconds => 10, scale => 1000, version => 1);

sub _names {
    return map { $_->{name} } @_;
}

sub _column { return $_[0] =~ tr/-/_/r }

# The rows of a group; those of an index have a baseline.
sub _rows {
    my ($kind, $indexed, @tests) = @_;
    return map {
        +{
            %COMMON,
            kind      => $kind,
            exercises => $EXERCISES{ $_->{name} },
            $indexed ? (index => 1, baseline => [ $TABLE, $YARDSTICK, _column($_->{name}) ]) : (),
            %$_
        }
    } @tests;
}

sub _index {
    my ($key, $title, $more, @tests) = @_;
    return {
        key       => $key,
        title     => $title,
        category  => 'modern',
        scale     => 1000,
        reference => $YARDSTICK,
        tests     => \@tests,
        baselines => { map { $_ => [ $TABLE, $YARDSTICK, _column($_) ] } @tests },
        %$more
    };
}

sub suite {
    my @groups  = grep { @{ $_->[2] } } @GROUPS;
    my @durable = grep { @{ $_->[2] } } @DURABLE_GROUP;
    my @lists   = map  { [ _names(@{ $_->[2] }) ] } @groups;
    my @indexed = map  { @$_ } @lists;
    my @all     = map  { $_->[2] } @groups, @durable;
    return {
        name      => 'modern',
        order     => 7,
        version   => 1,
        budget    => 180,
        reference => $YARDSTICK,
        machines  =>
            { $YARDSTICK => 'exactly the round figures of the Yardstick of 2026, which no machine has' },
        categories => [ [ modern => 'Modern' ] ],
        units      => {
            Mops   => 'million bytecodes per second',
            MFLOPS => 'million floating-point operations per second'
        },
        tests  => [ (map { _rows($_->[1], 1, @{ $_->[2] }) } @groups, @durable), _rows('Aside', 0, @ASIDE) ],
        groups => {
            modern       => [ map { _names(@$_) } @all ],
            'modern-all' => [ _names((map { @$_ } @all), @ASIDE) ],
            (map { ("modern-$_->[0]" => [ _names(@{ $_->[2] }) ]) } @groups, @durable),

            # The words that people try first.
            cpu    => [qw(dhry2reg whetstone-double modern-compute)],
            memory => ['modern-memory'],
            disk   => ['modern-durable']
        },
        called  => { 'modern-all' => 'modern, and its tests that are in no index' },
        indexes => [
            _index(modern => 'Modern', { groups => \@lists }, @indexed),
            (
                map {
                    my ($key, $title, $tests, %more) = @$_;
                    _index("modern-$key", "Modern $title", { part_of => 'modern', %more }, _names(@$tests))
                } @groups
            ),
            (
                map { _index("modern-$_->[0]", "Modern $_->[1]", { place => 'work' }, _names(@{ $_->[2] })) }
                    @durable
            )
        ],
        published => { $TABLE => { text => ['machine'], numbers => [ map { _column($_) } @indexed ] } },
    };
}

1;
