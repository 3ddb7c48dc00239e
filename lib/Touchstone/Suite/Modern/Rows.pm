# SPDX-License-Identifier: GPL-2.0-or-later
# Suite::Modern::Rows - the suite of 2026: what machines of today differ in, and an index of it. Suite.pm
# explains a row.
package Touchstone::Suite::Modern::Rows;
use 5.014;
use strict;
use warnings;

# A table of round physical figures, which has the index 1000 in everything. docs/tests/modern.md has it for
# people.
my $TABLE     = 'yardstick';
my $YARDSTICK = 'Yardstick of 2026';

my @COMPUTE = ();

my @MEMORY = ();

my @THREADS = ();

my @KERNEL = (
    {
        name    => 'null-call',
        title   => 'Null System Call',
        label   => 'Null system call',
        about   => 'getpid: into the kernel and out again',
        program => 'syscall',
        args    => [ '%{seconds}', 'getpid' ]
    },
    {
        name    => 'clock-read',
        title   => 'Clock Read',
        label   => 'Clock reading',
        about   => 'read the monotonic clock',
        program => 'clock'
    },
);

my @LATENCY = ();

my @DURABLE = ();

# These are in no index.
my @ASIDE = ();

# The five groups of the index count alike, whatever the number of their tests.
my @GROUPS = (
    [ compute => 'Compute', \@COMPUTE ],
    [ memory  => 'Memory',  \@MEMORY ],
    [ threads => 'Threads', \@THREADS ],
    [ kernel  => 'Kernel',  \@KERNEL ],
    [ latency => 'Latency', \@LATENCY ],
);
my @DURABLE_GROUP = ([ durable => 'Durable', \@DURABLE ]);

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
            kind => $kind,
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
        name       => 'modern',
        order      => 7,
        version    => 1,
        budget     => 180,
        reference  => $YARDSTICK,
        machines   => { $YARDSTICK => 'the Yardstick of 2026, a table of round figures' },
        categories => [ [ modern => 'Modern' ] ],
        tests      => [ (map { _rows($_->[1], 1, @{ $_->[2] }) } @groups, @durable), @ASIDE ],
        groups     => {
            modern       => [ map { _names(@$_) } @all ],
            'modern-all' => [ _names((map { @$_ } @all), @ASIDE) ],
            (map { ("modern-$_->[0]" => [ _names(@{ $_->[2] }) ]) } @groups, @durable)
        },
        called  => { 'modern-all' => 'modern, and its tests that are in no index' },
        indexes => [
            _index(modern => 'Modern', { groups => \@lists }, @indexed),
            (
                map {
                    _index("modern-$_->[0]", "Modern $_->[1]", { part_of => 'modern' }, _names(@{ $_->[2] }))
                } @groups
            ),
            (map { _index("modern-$_->[0]", "Modern $_->[1]", {}, _names(@{ $_->[2] })) } @durable)
        ],
        published => { $TABLE => { text => ['machine'], numbers => [ map { _column($_) } @indexed ] } },
    };
}

1;
