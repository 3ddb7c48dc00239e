# SPDX-License-Identifier: GPL-2.0-or-later
# Suite::Platform::Rows - the indicators of a platform team of 2024: compression and memory, hashes, an input
# channel, file transfers. Suite.pm explains a row.
package Touchstone::Suite::Platform::Rows;
use 5.014;
use strict;
use warnings;

my $PUBLISHED = 'platform';
my %COMMON    = (category => 'platform', class => 'short', patience => 4 * 3600);

# A third of the window is for one direction, the rest for the other: in the classic schedule 1 s and 2 s.
my %COMPRESS = (%COMMON, kind => 'Compression', pace => 'tiny', seconds => 3, requires => 'input');
my %HASH     = (
    %COMMON,
    kind     => 'Hashes',
    pace     => 'tiny',
    seconds  => 3,
    requires => 'data',
    kept     => 'data',
    program  => 'hash',
    space    => 97_657,
    fewest   => 3,
    setup    => 0.15
);
my $LEVELS = 22;

# A GB takes so many seconds at a level, both directions, rounded up. These are for the plan: a wrong one
# makes a wrong forecast and nothing else.
my @PER_GB = (2, 2, 3, 5, 10, 15, 18, 20, 22, 28, 35, 40, 60, 70, 80, 110, 150, 200, 250, 260, 270, 280);

# A row has the size as a word, how many files, MB of a file that is written and copied, and seconds that the
# passes may take.
my @SIZES = (
    [ '10 KB',  100, 0.01, 12 ],
    [ '100 KB', 100, 0.1,  12 ],
    [ '500 KB', 100, 0.5,  12 ],
    [ '1 MB',   10,  1,    8 ],
    [ '10 MB',  10,  10,   8 ],
    [ '100 MB', 10,  100,  15 ],
    [ '500 MB', 2,   500,  15 ],
    [ '1 GB',   1,   1000, 15 ]
);

sub _level {
    my ($level) = @_;
    return {
        name    => "zstd-$level",
        title   => "Zstd Level $level",
        label   => "zstd level $level",
        about   => "compress with libzstd at level $level, and decompress",
        program => 'zstd',
        library => [ 'libzstd' => 'libzstd-dev' ],
        args    => [ '%{seconds}', $level, '%{input}' ],
        per_gb  => $PER_GB[ $level - 1 ],
        %COMPRESS
    };
}

sub _hash {
    my ($algorithm, $title, $per_gb) = @_;
    return {
        name   => "hash-$algorithm",
        title  => "Hash $title",
        label  => $title,
        about  => "$title of a file: ${algorithm}sum, libcrypto, and libcrypto in memory",
        needs  => { "${algorithm}sum" => 'coreutils' },
        args   => [ '%{seconds}', $algorithm, '%{kept}', '%{bytes}' ],
        per_gb => $per_gb,
        %HASH
    };
}

sub _transfer {
    my ($size, $count, $mb, $seconds) = @{ $_[0] };
    return {
        name  => 'transfer-' . lc($size =~ s/ //r),
        title => "File Transfer $size",
        label => $count == 1 ? "1 file of $size" : "$count files of $size",
        kind  => 'File transfers',
        about => "write, read, copy and read back "
            . ($count == 1 ? "a file of $size" : "$count files of $size"),
        %COMMON,
        program  => 'transfer',
        pace     => 'whole',
        whole    => $seconds,
        seconds  => $seconds,
        single   => 1,
        space    => 2 * $count * $mb * 1e3,
        requires => 'places',
        args     => [ '%{seconds}', $mb * 1e6, $count, '%{medium}', '%{depot}' ]
    };
}

# A group for each of these lists of tests, and one of all.
sub _groups {
    my (%tests) = @_;
    my %groups;
    for my $group (keys %tests) {
        $groups{$group} = [ map { $_->{name} } @{ $tests{$group} } ];
    }
    return { %groups, transfers => ['transfer'], platform => [qw(compress hash channel transfer)] };
}

sub suite {
    my @compress = (
        {
            name    => 'zstd-memcpy',
            title   => 'Memory Copy',
            label   => 'Memory copy (memcpy)',
            about   => "memcpy of the compressors' input to a second buffer and back",
            program => 'memcpy',
            args    => [ '%{seconds}', '%{input}' ],
            per_gb  => 1,
            %COMPRESS
        },
        map { _level($_) } 1 .. $LEVELS
    );
    my @hash = map { _hash(@$_) } [ md5 => 'MD5', 7 ], [ sha256 => 'SHA-256', 9 ], [ sha512 => 'SHA-512', 8 ];
    my $channel = {
        name  => 'inputs',
        title => 'Input Channel',
        label => 'Pointer movements',
        kind  => 'Input channel',
        about => 'pointer movements through a relay to a receiver',
        %COMMON,
        pace     => 'brief',
        seconds  => 10,
        requires => 'channel',
        args     => [ '%{seconds}', '%{channel}' ]
    };
    my @transfer = map { _transfer($_) } @SIZES;
    return {
        name    => 'platform',
        order   => 6,
        version => 1,
        budget  => 100,
        tests   => [ @compress, @hash, $channel, @transfer ],
        groups  =>
            _groups(compress => \@compress, hash => \@hash, channel => [$channel], transfer => \@transfer),
        categories => [ [ platform => 'Platform Benchmarks', 1 ] ],
        published  => { $PUBLISHED => { text => [qw(system test part)], numbers => ['figure'] } },
    };
}

1;
