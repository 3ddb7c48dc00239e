# SPDX-License-Identifier: GPL-2.0-or-later
# Suite::Lbt::Rows - the Linux Benchmarking Toolkit of 1997: a kernel compile, Whetstone, the X server, the
# network; and UnixBench's 2D graphics.
package Touchstone::Suite::Lbt::Rows;
use 5.014;
use strict;
use warnings;

# Each of x11perf's tests has the rate a second whose score is 1000. Behind a name stands what UnixBench
# calls it, and what it was called here.
my @DRAWN = (
    [
        rects => [ 'rectangles', 'Rectangles' ],
        1, 'filled rectangles, plain, tiled and large',
        rect10            => 7180000,
        rect100           => 110000,
        oddtilerect10     => 1430000,
        eschertilerect100 => 18000
    ],
    [
        lines => [ 'lines', 'Lines' ],
        0, 'thin, wide and dashed lines and outlines',
        seg100c3  => 421000,
        wvseg100  => 584000,
        ddline100 => 453000,
        worect500 => 9790
    ],
    [
        circle => [ 'circles', 'Circles' ],
        0, 'circles, outlines and slices',
        circle500    => 28900,
        wddcircle100 => 8300,
        wpcircle100  => 39000,
        fspcircle100 => 187000
    ],
    [
        ellipse => [ 'ellipses', 'Ellipses' ],
        1, 'ellipses, dashed and filled',
        ddellipse100  => 88900,
        wddellipse100 => 6680,
        pellipse10    => 1350000,
        fspellipse100 => 269000
    ],
    [
        shapes => [ 'polygons', 'Shapes' ],
        0, 'triangles and trapezoids',
        triangle10        => 969000,
        trap300           => 11600,
        oddostrap300      => 2080,
        eschertiletrap300 => 2450
    ],
    [
        aashapes => [ 'aa polygons', 'Antialiased Shapes' ],
        1, 'trapezoids with smooth edges',
        aa4trap300        => 1460,
        aa1trap10         => 357000,
        aatrap2x300       => 5710,
        addaatrapezoid300 => 4460
    ],
    [
        polys => [ 'complex polygons', 'Polygons' ],
        0, 'polygons with many corners',
        complex10          => 655000,
        '64poly100convex'  => 105000,
        '64poly10complex'  => 353000,
        '64poly100complex' => 105000
    ],
    [
        text => [ 'text', 'Text' ],
        1, 'characters, plain and antialiased',
        polytext16 => 369000,
        rgb24text  => 2510,
        caa10text  => 15300,
        ca24text   => 2540
    ],
    [
        blit => [ 'images and blits', 'Blitting' ],
        1, 'scrolling and copying of areas',
        scroll100       => 52000,
        copypixwin10    => 502000,
        deepcopyplane10 => 151000,
        putimagexy500   => 0.1
    ],
    [
        window => [ 'windows', 'Windows' ],
        1, 'windows with 25 children: pop up, move, resize',
        popup    => 660000,
        move     => 120000,
        movetree => 877000,
        resize   => 136000
    ],
);

# These are nearest to the operations of the program that the toolkit names.
my @XBENCH = (
    qw(seg500 hseg500 vseg500 dseg100 wline100 orect100 rect100 rect500 tilerect100 srect100 circle100),
    qw(fcircle100 complex100 copywinwin100 scroll500 copyplane100 copypixwin100 fitext)
);

my %X11 = (
    program   => 'x11',
    class     => 'short',
    requires  => 'display',
    needs     => { x11perf => 'x11-apps' },
    elsewhere => 'unknown',
    single    => 1,
    remedy    => { font => 'fonts are in the package xfonts-base' }
);

# Each of x11perf's tests has three repetitions of two seconds.
my $CLASSIC_SECONDS = 6;

sub _drawn {
    my ($name, $titles, $index, $about, @rates) = @{ $_[0] };
    my ($title, $former) = @$titles;
    my @tests;
    while (my ($test, $rate) = splice @rates, 0, 2) { push @tests, "$test=$rate" }
    return {
        name     => "2d-$name",
        title    => "2D graphics: $title",
        label    => ucfirst $title =~ s/\Aaa /antialiased /r,
        kind     => '2D graphics',
        also     => ["Graphics 2D $former"],
        category => 'graphics',
        index    => $index,
        about    => $about,
        pace     => 'brief',
        setup    => 0.5,
        mean_of  => scalar @tests,
        %X11,
        seconds => $CLASSIC_SECONDS * @tests,
        args    => [ '%{seconds}', '%{display}', @tests ]
    };
}

my %NET = (program => 'net', class => 'short', pace => 'brief', seconds => 10, elsewhere => 'unknown');
my @NET = (
    {
        name     => 'net-tcp',
        title    => 'TCP Throughput',
        label    => 'TCP throughput',
        kind     => 'Network',
        about    => 'send 8,192 bytes at a time to another process or machine',
        requires => 'peer',
        args     => [ '%{seconds}', 'tcp', '%{peer}' ],
        %NET
    },
    {
        name     => 'net-tcp-latency',
        title    => 'TCP Latency',
        label    => 'TCP round trips',
        kind     => 'Network',
        about    => 'one byte there and back',
        requires => 'peer',
        args     => [ '%{seconds}', 'tcp-latency', '%{peer}' ],
        %NET
    },
    {
        name     => 'net-udp-latency',
        title    => 'UDP Latency',
        label    => 'UDP round trips',
        kind     => 'Network',
        about    => 'a datagram of four bytes there and back',
        requires => 'peer',
        args     => [ '%{seconds}', 'udp-latency', '%{peer}' ],
        %NET
    },
    {
        name  => 'net-unix',
        title => 'Unix Socket Throughput',
        label => 'Unix socket throughput',
        kind  => 'Network',
        about => 'send 8,192 bytes at a time through a pair of sockets',
        args  => [ '%{seconds}', 'unix' ],
        %NET
    },
    {
        name  => 'net-unix-latency',
        title => 'Unix Socket Latency',
        label => 'Unix socket round trips',
        kind  => 'Network',
        about => 'one byte there and back through a pair of sockets',
        args  => [ '%{seconds}', 'unix-latency' ],
        %NET
    },
);

my @TESTS = (
    {
        name     => 'kernel',
        title    => 'Linux Kernel Compile',
        label    => 'Linux kernel compile',
        kind     => 'Programs',
        about    => 'compile a Linux kernel with as many jobs as there are copies',
        class    => 'short',
        pace     => 'whole',
        seconds  => 60,
        better   => 'lower',
        team     => 1,
        requires => 'kernel',
        patience => 4 * 3600,
        setup    => 10,
        space    => 2_200_000,
        needs    => { '%{cc}' => 'gcc' },
        args     => [ '%{seconds}', '%{copies}', '%{kept}', '%{kernel}', '%{config}', '%{kernel_cc}' ]
    },
    {
        name    => 'whetstone-o2',
        title   => 'Double-Precision Whetstone at -O2',
        label   => 'Whetstone at -O2',
        kind    => 'CPU',
        about   => 'whetstone-double with strict arithmetic, as the toolkit compiles it',
        class   => 'long',
        pace    => 'fast',
        seconds => 10
    },
    {
        name     => 'xbench',
        title    => 'X Score',
        label    => 'X score',
        kind     => '2D graphics',
        about    => 'lines, rectangles, circles, copies and text on an X server',
        pace     => 'brief',
        shortest => 2,
        setup    => 1.2,
        mean_of  => scalar @XBENCH,
        %X11,
        seconds => $CLASSIC_SECONDS * @XBENCH,
        args    => [ '%{seconds}', '%{display}', @XBENCH ]
    },
    @NET,
);

my @GRAPHICS = map { _drawn($_) } @DRAWN;
my @INDEX    = map { $_->{name} } grep { $_->{index} } @GRAPHICS;

# The toolkit has UnixBench without its arithmetic.
our @SYSTEM = qw(execl fstime fsbuffer fsdisk pipe context1 spawn shell8 syscall);

sub suite {
    return {
        name      => 'lbt',
        order     => 4,
        version   => 1,
        reference => 'George',
        budget    => 150,
        units     => { MWIPS => 'million Whetstone instructions per second' },
        tests     => [ (map { +{ category => 'lbt', %$_ } } @TESTS), @GRAPHICS ],
        groups    => {

            # This group is what the toolkit has, without 2D graphics.
            lbt      => [ qw(kernel whetstone-o2 xbench), @SYSTEM, qw(bytemark-integer bytemark-memory net) ],
            x11      => [ (map { $_->{name} } @GRAPHICS), 'xbench' ],
            graphics => \@INDEX,
            gindex   => [qw(index graphics)],
            net      => [ map { $_->{name} } @NET ],
            network  => ['net'],
        },
        categories =>
            [ [ graphics => '2D Graphics Benchmarks' ], [ lbt => 'Linux Benchmarking Toolkit', 1 ] ],
    };
}

1;
