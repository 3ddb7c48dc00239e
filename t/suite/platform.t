# SPDX-License-Identifier: GPL-2.0-or-later
# Platform: the tables of a run of the suite of 2024, and the published figures beside it.
use 5.014;
use strict;
use warnings;

use File::Basename qw(dirname);
use Test::More;

use lib 't/lib';
use Near;
use NoWarnings;
use Scored;
use Touchstone::Record::Json;
use Touchstone::Report::Render::Html;
use Touchstone::Report::Render::Markdown;
use Touchstone::Report::Render::Text;
use Touchstone::Score;
use Touchstone::Suite::Platform::Parts;
use Touchstone::Suite::Platform::Rows;
use Touchstone::Suite::Platform::Tables;
use Touchstone::Suite::Published;

my $BASE  = dirname(dirname(dirname(__FILE__)));
my $SUITE = Touchstone::Suite::Platform::Rows->suite;
my $PUBLISHED =
    Touchstone::Suite::Published::load("$BASE/pgms/platform.csv", %{ $SUITE->{published}{platform} });
my ($VM, $VOSTRO, $LATITUDE) =
    ('VM x86_64 on Mac M2 zstd 1.4.5', 'Dell Vostro Celeron zstd 1.5.5', 'Dell Latitude Alpine 3.20');
my ($QEMU, $E5510) = ('QEMU x86_64 on Mac M2', 'Dell Latitude E5510');
my @ODD = (
    undef, '', 'x', '1x', '0', 0, -1, '1e400', 'nan', 'inf', '-inf', 1e300, 1e-300, [], {},
    [ 1, 2 ],
    [ 2, 1 ],
    "1\0", '0x10', ' ', "<b>\e[31m\n", "\xff" x 300
);

sub result {
    my ($name, $score, %more) = @_;
    return { name => $name, score => $score, interval => [ $score * 0.98, $score * 1.02 ], %more };
}

sub compressor {
    my ($name, $score, %more) = @_;
    my $copies = $more{copies} || 1;
    return result(
        $name, $score,
        measures => [ result('decompress', 4100, unit => 'MBps') ],
        figures  => {
            size  => ($name eq 'zstd-memcpy' ? 1_048_000 : 1_048_033) * $copies,
            input => 1_048_000 * $copies
        }
    );
}

sub pass_of {
    my ($test, $round, @figures) = @_;
    return {
        test    => $test,
        copies  => scalar @figures,
        round   => $round,
        figures => [ map { +{ fastest => $_->[0], 'decompress-fastest' => $_->[1] } } @figures ]
    };
}

sub hashing {
    my ($name, @without) = @_;
    my %without = map { $_ => 1 } @without;
    return result(
        $name, 500,
        rates    => [ 500, 400, 250, 500 ],
        figures  => { bytes => 100e6 },
        measures =>
            [ map { result($_, 600, rates => [ 625, 500, 1000 ]) } grep { !$without{$_} } qw(file memory) ],
        @without
        ? (missing => [ map { +{ name => $_, why => 'it was built without libcrypto' } } @without ])
        : ()
    );
}

sub channel {
    return result(
        'inputs', 8500,
        figures => {
            emitted    => 9000,
            received   => 9000,
            sessions   => 9,
            'second-1' => 4000,
            'second-2' => 4500,
            'second-4' => 1
        },
        measures => [
            map { result(@$_, unit => 's') } [ emission => 0.1 ],
            [ reception => 0.11 ],
            [ p50       => 1e-4 ],
            [ p99       => 2e-4 ],
            [ 'p99.9'   => 3e-4 ],
            [ max       => 1e-3 ]
        ]
    );
}

sub transfer {
    my ($name, @cold) = @_;
    my %cold;
    @cold{qw(cold-read cold-copy cold-back)} = @cold;
    return result(
        $name, 70,
        figures  => \%cold,
        measures => [ map { result(@$_) } [ write => 80 ], [ read => 900 ], [ back => 800 ] ]
    );
}

sub record_of {
    my ($tests, @passes) = @_;
    return {
        host      => { sha_instructions => 'SHA-1, SHA-256' },
        published => { platform         => $PUBLISHED },
        results   => [ { copies => 1, tests => $tests } ],
        passes    => \@passes,
        equipment => {
            input => { bytes => 1_048_000, sha256 => 'seeded', library => 'zstd 1.5.4' },
            data  => {
                bytes     => 100_000_000,
                libcrypto => 'OpenSSL 3.0.17',
                md5sum    => 'md5sum (GNU coreutils) 9.1',
                sha256sum => '9.1'
            },
            channel => { kind => 'pty' },
            places  => {
                medium    => '/mnt/stick',
                medium_fs => 'vfat (/dev/sdb1)',
                depot     => '/mnt/depot',
                depot_fs  => '9p'
            }
        },
    };
}

sub block_of { return Scored::tables(Platform => record_of([@_]))->{blocks}[0] }

# Returns the rows of a kind beside published figures: 'zstd -1 compress' => row.
sub beside {
    my ($tables, $kind) = @_;
    my ($table) = grep { $_->{kind} eq $kind } @{ $tables->{published} } or return {};
    return {
        map {
            join(' ', grep { length } @$_{qw(name part unit)}) => $_
        } @{ $table->{rows} }
    };
}

# Whatever a record holds, its tables can be made, are JSON, and become a page in each form.
sub check_harmless {
    my ($record, $name) = @_;
    my $tables = eval { Scored::tables(Platform => $record) };
    is($@, '', "$name: it lives");
    ok(eval { Touchstone::Record::Json::encode($tables); 1 }, "$name: JSON") or diag($@);
    my @wide = eval { Touchstone::Suite::Platform::Parts::parts($tables, wide => 1) };
    my $html = eval { Touchstone::Report::Render::Html::fragment(@wide) };
    my $text = eval {
        join '', $html,
            Touchstone::Report::Render::Text::render(Touchstone::Suite::Platform::Parts::parts($tables)),
            Touchstone::Report::Render::Markdown::render(@wide);
    };
    is($@, '', "$name: pages");
    unlike(
        $text,
        qr/[\x00-\x09\x0b-\x1f]|\b(?:nan|inf) (?:s|[mun]s|MB|bytes|%|\+-)/i,
        "$name: no odd letter, no odd figure"
    );
    unlike($html, qr/<b>/, "$name: no mark of others");
    return $tables;
}

subtest 'a run without tests of the suite has no such tables' => sub {
    is(
        Scored::tables(
            Platform =>
                record_of([ result('pipe', 1), result('zstd', 1), result('memcpy', 1), result('hash', 1) ])
        ),
        undef, 'undef'
    );
    is(Scored::tables(Platform => $_), undef, 'nor has an odd record') for { }
    , { results => [] }, { results => 'x' }, { results => [ undef, 7, { tests => {} }, { copies => 1 } ] };
};

subtest 'compression has the speeds of the fastest pass and the medians of all' => sub {
    my $compression = Scored::tables(
        Platform => record_of(
            [ compressor('zstd-22', 4), compressor('zstd-memcpy', 4000), compressor('zstd-1', 1000) ],
            pass_of('zstd-1',      0, [ 9999, 9999 ]),
            pass_of('zstd-1',      1, [ 1100, 4200 ]),
            pass_of('zstd-1',      2, [ 1130, 4100 ]),
            pass_of('zstd-22',     1, [ 4.34, 4000 ]),
            pass_of('zstd-memcpy', 1, [ 4476, 4203 ])
        )
    )->{blocks}[0]{compression};
    is(
        join(', ',
            map { "$_->{name}: $_->{fastest} $_->{fastest_back} $_->{size}" } @{ $compression->{rows} }),
        'memcpy: 4476 4203 1048000, zstd 1.5.4 -1: 1130 4200 1048033, zstd 1.5.4 -22: 4.34 4000 1048033',
        'in the order of the suite, each direction by itself, not of the warm-up'
    );
    near($compression->{rows}[1]{ratio}, 1_048_033 / 1_048_000 * 100, 'the ratio in per cent');
    is_deeply(
        [ @$compression{qw(levels mean copied)} ],
        [ 2, 4100, 4203 ],
        'the mean of the levels, and memcpy'
    );
    is_deeply(
        $compression->{input},
        { file => undef, name => undef, bytes => 1_048_000, sha256 => undef, seeded => 1 },
        'the usual input'
    );
    my $median = $compression->{rows}[1];
    is_deeply([ map { $median->{$_}{value} } qw(compress decompress) ], [ 1000, 4100 ], 'medians');
    near($median->{compress}{precision}, 0.02, 'and how sure they are');
};

subtest 'of several copies the fastest pass is that of the greatest sum' => sub {
    my @tests  = compressor('zstd-1', 2000, copies => 2);
    my $record = record_of(
        [],
        pass_of('zstd-1', 1, [ 1000, 3000 ], [ 1000, 3000 ]),
        pass_of('zstd-1', 2, [ 1500, 3500 ], [ 400,  2000 ]),
        pass_of('zstd-1', 3, [ 5000, 9000 ]),
        pass_of('zstd-1', 4, [ 5000, 9000 ], [ undef, undef ])
    );
    $record->{results} = [ { copies => 2, tests => \@tests } ];
    my ($row) = @{ Scored::tables(Platform => $record)->{blocks}[0]{compression}{rows} };
    is_deeply(
        [ @$row{qw(fastest fastest_back size bytes)} ],
        [ 2000, 6000, 1_048_033, 1_048_000 ],
        'not of one copy, nor of a pass of which one is unknown; a size is that of one copy'
    );
};

subtest 'a file that was given is named with its size and SHA-256' => sub {
    my $record = record_of([ compressor('zstd-1', 1000) ]);
    my $sha256 = '0123456789abcdef' x 4;
    $record->{equipment}{input} = { file => '/usr/share/dict/words', bytes => 985_084, sha256 => $sha256 };
    my $tables = Scored::tables(Platform => $record);
    is_deeply(
        $tables->{blocks}[0]{compression}{input},
        {
            file   => '/usr/share/dict/words',
            name   => 'words',
            bytes  => 985_084,
            sha256 => $sha256,
            seeded => 0
        },
        'all of it'
    );
    is($tables->{blocks}[0]{compression}{rows}[0]{name}, 'zstd -1', 'a library without a version');
    is_deeply(
        [ $tables->{published}, $tables->{not_compared} ],
        [ [],                   ['Compression: the published figures are of about 1 MB of random bytes'] ],
        'it is not beside the published figures, and that is said'
    );
    delete $record->{equipment};
    is_deeply(
        Scored::tables(Platform => $record)->{blocks}[0]{compression}{input},
        { file => undef, name => undef, bytes => 1_048_000, sha256 => undef, seeded => 0 },
        'of an unknown input only the size is known'
    );
};

subtest 'hashes have a row for each implementation with its first three runs' => sub {
    my $hashes = block_of(hashing('hash-sha256'), hashing('hash-md5'))->{hashes};
    is(
        join(', ', map { "$_->{title} $_->{how} @{ $_->{runs} }" } @{ $hashes->{rows} }),
        join(
            ', ',
            map {
                my ($title, $command) = @$_;
                ("$title $command 0.2 0.25 0.4", map { "$title libcrypto, $_ 0.16 0.2 0.1" } qw(file memory))
            } [ 'MD5', 'md5sum (GNU coreutils) 9.1' ],
            [ 'SHA-256', 'sha256sum 9.1' ]
        ),
        'in the order of the suite'
    );
    is_deeply(
        [ @$hashes{qw(bytes libcrypto instructions missing)} ],
        [ 100_000_000, 'OpenSSL 3.0.17', 'SHA-1, SHA-256', [] ],
        'and what was measured with what'
    );
    near($hashes->{rows}[0]{time}{value},       0.2,        'seconds of the median');
    near($hashes->{rows}[0]{time}{interval}[1], 0.2 / 0.98, 'the slowest speed is the longest time');
};

subtest 'an implementation that could not be measured has its reason and no row' => sub {
    my $hashes = block_of(hashing('hash-md5', 'file', 'memory'), hashing('hash-sha512', 'memory'))->{hashes};
    is(
        join(', ', map { "$_->{title} $_->{part}" } @{ $hashes->{rows} }),
        'MD5 command, SHA-512 command, SHA-512 file',
        'rows of what there is'
    );
    is_deeply(
        $hashes->{missing},
        [
            { how => 'libcrypto, file', why => 'it was built without libcrypto', titles => ['MD5'] },
            {
                how    => 'libcrypto, memory',
                why    => 'it was built without libcrypto',
                titles => [ 'MD5', 'SHA-512' ]
            }
        ],
        'each reason once'
    );
    my $record = record_of([ hashing('hash-md5') ]);
    delete $record->{equipment};
    is(Scored::tables(Platform => $record)->{blocks}[0]{hashes}{bytes},
        100_000_000, 'without facts the program tells the size');
    delete $record->{results}[0]{tests}[0]{figures};
    is_deeply(
        Scored::tables(Platform => $record)->{blocks}[0]{hashes}{rows}[0]{runs},
        [ undef, undef, undef ],
        'and without a size there are no seconds'
    );
};

subtest 'the input channel has its times, its seconds and its latencies' => sub {
    my $channel = block_of(channel())->{channel};
    is_deeply([ map { $channel->{$_}{value} } qw(per_second emission reception p50 p99 p99.9 max) ],
        [ 8500, 0.1, 0.11, 1e-4, 2e-4, 3e-4, 1e-3 ], 'measured');
    is_deeply(
        [ @$channel{qw(kind emitted received sessions seconds)} ],
        [ 'pty', 9000, 9000, 9, [ 4000, 4500 ] ],
        'counted; seconds end with the first that is not there'
    );
};

subtest 'the counts of a channel are those of one pass, and fit each other' => sub {
    my @passes = map {
        +{
            test    => 'inputs',
            copies  => 1,
            round   => $_->[0],
            figures =>
                [ { emitted => $_->[1], received => $_->[1], sessions => $_->[1] / 1000, 'second-1' => 7 } ]
        }
    } [ 0, 90_000 ], [ 1, 27_000 ], [ 2, 31_000 ], [ 3, 28_000 ], [ 4, 20_000 ];
    my $record = record_of([ channel() ], @passes);
    is_deeply(
        [
            @{ Scored::tables(Platform => $record)->{blocks}[0]{channel} }
                {qw(emitted received sessions seconds)}
        ],
        [ 27_000, 27_000, 27, [7] ],
        'of four passes the second by count, without the warm-up'
    );
    $_->{figures}                 = [ (@{ $_->{figures} }) x 2 ] for @passes;
    $_->{copies}                  = 2                            for @passes;
    $record->{results}[0]{copies} = 2;
    is(Scored::tables(Platform => $record)->{blocks}[0]{channel}{sessions}, 54, 'two copies together');
};

subtest 'file transfers have four rates and tell cold reads from warm ones' => sub {
    my $transfers = block_of(
        transfer('transfer-1gb',  0, 0,   0),
        transfer('transfer-10kb', 1, 1,   1),
        transfer('transfer-1mb',  1, 0.5, 0),
        transfer('transfer-10mb', 1, 1)
    )->{transfers};
    is(
        join(
            ', ',
            map {
                my $row = $_;
                join ' ', $row->{size}, (map { $row->{$_}{value} } qw(write read copy back)),
                    $row->{cold} // 'unknown'
            } @{ $transfers->{rows} }
        ),
        '10 KB 80 900 70 800 cold, 1 MB 80 900 70 800 partly, 10 MB 80 900 70 800 unknown, 1 GB 80 900 70 800 warm',
        'in the order of the suite'
    );
    my $all = block_of(map { transfer($_, 1, 1, 1) } @{ $SUITE->{groups}{transfer} })->{transfers}{rows};
    is(
        join(', ', map { "$_->{files} x $_->{size} = " . $_->{bytes} / 1e6 } @$all),
        '100 x 10 KB = 1, 100 x 100 KB = 10, 100 x 500 KB = 50, 10 x 1 MB = 10, 10 x 10 MB = 100, '
            . '10 x 100 MB = 1000, 2 x 500 MB = 1000, 1 x 1 GB = 1000',
        'counts and MB in all, as the document has them'
    );
    is_deeply($transfers->{rows}[1]{parts}, { read => 'cold', copy => 'partly', back => 'warm' },
        'each read');
    is_deeply(
        [ @$transfers{qw(medium depot)} ],
        [
            { directory => '/mnt/stick', system => 'vfat (/dev/sdb1)' },
            { directory => '/mnt/depot', system => '9p' }
        ],
        'places'
    );
};

subtest 'the hardware is what the record tells of it' => sub {
    my $record = record_of([ channel() ]);
    is(Scored::tables(Platform => $record)->{hardware}, undef, 'nothing, when it tells nothing');
    my @cpus = (
        (map { +{ id => $_, model => 'Big', bogomips => '4600.00' } } 0, 1),
        map { +{ id => $_, model => 'Little', bogomips => 'unknown' } } 2 .. 4
    );
    $record->{host} = {
        machine        => 'aarch64',
        cpus           => \@cpus,
        online_cpus    => 5,
        cores          => 5,
        memory_kb      => 3_892_312,
        video_vendor   => 'Intel Corporation',
        video_model    => 'UHD Graphics 600',
        virtualisation => 'xen 4.17.2',
        container      => 'unknown'
    };
    is_deeply(
        Scored::tables(Platform => $record)->{hardware},
        {
            architecture => 'aarch64',
            cpus         => [
                { model => 'Big', bogomips => 4600, count => 2 },
                {
                    model    => 'Little',
                    bogomips => undef,
                    count    => 3
                }
            ],
            online         => 5,
            cores          => 5,
            memory_kb      => 3_892_312,
            video          => 'Intel Corporation UHD Graphics 600',
            virtualisation => 'xen 4.17.2',
            container      => undef
        },
        'all of it'
    );
    my $video = sub {
        @{ $record->{host} }{qw(video_vendor video_model)} = @_;
        return Scored::tables(Platform => $record)->{hardware}{video};
    };
    is(
        join(', ',
            map { $_ // 'undef' } $video->('none', 'none'),
            $video->('unknown', 'GPU'),
            $video->('Maker',   'unknown'),
            $video->('unknown', 'unknown')),
        'none, GPU, Maker, undef',
        'no board, half of its name, nothing known'
    );
};

subtest 'all published figures are in the table' => sub {
    my %count;
    $count{ "$_->{system}: $_->{test}" =~ s/-[^-]*\z//r }++ for @$PUBLISHED;
    is_deeply(
        \%count,
        {
            "$VM: zstd"        => 7,
            "$VOSTRO: zstd"    => 22,
            "$LATITUDE: hash"  => 18,
            "$QEMU: inputs"    => 3,
            "$E5510: inputs"   => 3,
            "$QEMU: transfer"  => 18,
            "$E5510: transfer" => 18
        },
        'as many as the document has'
    );
    my %known = map { $_->{name} => 1 } @{ $SUITE->{tests} };
    is_deeply([ grep { !$known{$_} && $_ ne 'zstd' } map { $_->{test} } @$PUBLISHED ],
        [], 'each of a test of the suite');
};

subtest 'every published figure finds its figure of a whole run' => sub {
    my @compress = @{ $SUITE->{groups}{compress} };
    my $record   = record_of(
        [
            (map { compressor($_, 1000) } @compress),
            (map { hashing($_) } @{ $SUITE->{groups}{hash} }),
            channel(),
            map { transfer($_, 1, 1, 1) } @{ $SUITE->{groups}{transfer} }
        ],
        map { pass_of($_, 1, [ 1100, 4170 ]) } @compress
    );
    my $tables = Scored::tables(Platform => $record);
    is_deeply($tables->{not_compared}, [], 'nothing stands apart');
    my $found = 0;
    $found += keys %{ $_->{figures} } for map { @{ $_->{rows} } } @{ $tables->{published} };
    is($found, @$PUBLISHED - 6 + 7, 'all but those of 3 GB, and a ratio for each compressed size');
    my ($speeds, $hashes, $channel, $rates) =
        map { beside($tables, $_) } qw(compression hashes channel transfers);
    is_deeply(
        [
            map { $speeds->{$_}{this}{value} } 'zstd -1 compress MB/s',
            'zstd -1 decompress MB/s',
            'zstd -1 size bytes',
            'mean of levels decompress MB/s'
        ],
        [ 1100, 4170, 1_048_033, 4170 ],
        'speeds of the fastest pass'
    );
    is_deeply($speeds->{'zstd -1 compress MB/s'}{figures}, { $VM => 242, $VOSTRO => 1130 },
        'of both systems');
    is_deeply(
        [ map { $speeds->{$_}{figures} } 'input size bytes', 'zstd -1 size bytes' ],
        [ { $VM => 1_048_576, $VOSTRO => 1_048_000 },        { $VM => 1_048_610, $VOSTRO => 1_048_034 } ],
        'each size has the length of its input'
    );
    near($speeds->{'zstd -1 ratio %'}{figures}{$VM}, 1_048_610 / 10_485.76, 'and their ratio');
    is_deeply($hashes->{'SHA-256 hashlib MB/s'}{figures}, { $LATITUDE => 227 }, 'hashlib');
    is($hashes->{'SHA-256 hashlib MB/s'}{this}{value}, 600, 'beside libcrypto on the file');
    near($hashes->{'MD5 command s'}{this}{value}, 0.2, 'seconds of the command');
    is_deeply([ map { $_->{this}{value}, $_->{figures} } $channel->{'session emission ms'} ],
        [ 100, { $QEMU => 811, $E5510 => 117 } ], 'emission');
    is_deeply(
        [ map { $_->{this}{value}, $_->{figures} } $channel->{'session rate in 0.1 s'} ],
        [ 1000, { $QEMU => 123, $E5510 => 854 } ],
        'and its rate'
    );
    near(
        $channel->{'session rate in 0.1 s'}{this}{interval}[0],
        1000 / 1.02,
        'the longest time is the lowest rate'
    );
    cmp_ok(abs(100 / $_->[0] * 1000 - $_->[1]), '<', 1, "$_->[0] ms are $_->[1] in a tenth of a second")
        for [ 811, 123 ], [ 117, 854 ];
    is_deeply(
        [ map { $_->{this}{value}, $_->{figures} } $rates->{'100 KB depot write MB/s'} ],
        [ 70, { $QEMU => 0.82, $E5510 => 12.19 } ],
        'the copy beside a write to the depot'
    );
};

subtest 'a published size without the length of its input is not shown' => sub {
    my $record = record_of([ compressor('zstd-1', 1000) ], pass_of('zstd-1', 1, [ 1000, 4000 ]));
    $record->{published}{platform} = [ grep { $_->{part} ne 'input' || $_->{system} ne $VM } @$PUBLISHED ];
    my $speeds = beside(Scored::tables(Platform => $record), 'compression');
    is_deeply(
        [ map { $speeds->{$_}{figures} } 'zstd -1 size bytes', 'zstd -1 compress MB/s' ],
        [ { $VOSTRO => 1_048_034 },                            { $VM => 242, $VOSTRO => 1130 } ],
        'its speed is'
    );
    $record->{published}{platform} = [ grep { $_->{part} ne 'input' } @$PUBLISHED ];
    $speeds = beside(Scored::tables(Platform => $record), 'compression');
    is_deeply([ grep { /size|ratio/ } keys %$speeds ], [], 'as in an older record');
};

subtest 'figures of another size of data are not put side by side' => sub {
    my $record = record_of([ hashing('hash-md5') ]);
    $record->{equipment}{data}{bytes} = 3e9;
    my $tables = Scored::tables(Platform => $record);
    is_deeply(
        [
            map {
                my $row = $_;
                map { "$row->{name} $row->{part} $row->{unit} $row->{figures}{$_}" }
                    keys %{ $row->{figures} }
            } @{ $tables->{published}[0]{rows} }
        ],
        [ 'MD5 command MB/s 373', 'MD5 hashlib MB/s 553' ],
        '3 GB beside 3 GB'
    );
    $record->{equipment}{data}{bytes} = 104_857_600;
    is_deeply(
        [ @{ Scored::tables(Platform => $record) }{qw(published not_compared)} ],
        [ [], ['Hashes: the published figures are of 100 MB and of 3 GB'] ],
        'another size'
    );
    is_deeply(
        beside(
            Scored::tables(
                Platform => record_of(
                    [ compressor('zstd-2', 1000), compressor('zstd-3', 900) ],
                    map { pass_of("zstd-$_", 1, [ 900, 4000 ]) } 2,
                    3
                )
            ),
            'compression'
        ),
        {},
        'nor is the mean of a few levels'
    );
};

subtest 'each copy count has tables, and only one copy stands beside the published figures' => sub {
    my $record = record_of([]);
    $record->{results} = [ map { +{ copies => $_, tests => [ hashing('hash-md5'), channel() ] } } 4, 1, 2 ];
    my $tables = Scored::tables(Platform => $record);
    is(join(' ', map { $_->{copies} } @{ $tables->{blocks} }), '1 2 4', 'in order');
    is_deeply(
        $tables->{blocks}[2]{hashes}{rows}[0]{runs},
        [ 0.8, 1, 1.6 ],
        'four copies hash four times the data'
    );
    is(scalar @{ $tables->{published} }, 2, 'of one copy');
    splice @{ $record->{results} }, 1, 1;
    is_deeply(
        [ @{ Scored::tables(Platform => $record) }{qw(published not_compared)} ],
        [ [], ['The published figures are of one copy'] ],
        'of several nothing is side by side'
    );
};

subtest 'a record without measures and figures has what it has' => sub {
    my $record = record_of([ map { result($_, 500) } 'zstd-1', 'hash-md5', 'inputs', 'transfer-1mb' ]);
    my $tables = check_harmless($record, 'an older one');
    my $block  = $tables->{blocks}[0];
    is_deeply(
        [ @{ $block->{compression}{rows}[0] }{qw(fastest fastest_back size ratio decompress)} ],
        [ undef, undef, undef, undef, undef ],
        'compression'
    );
    is(scalar @{ $block->{hashes}{rows} }, 1, 'the command');
    is_deeply(
        [ @{ $block->{channel} }{qw(emission p50 emitted seconds)} ],
        [ undef, undef, undef, [] ],
        'the channel'
    );
    is_deeply([ @{ $block->{transfers}{rows}[0] }{qw(write read back cold)} ],
        [ undef, undef, undef, undef ], 'transfers');
};

subtest 'published tables of a stranger do no harm' => sub {
    my @rows = map {
        my $odd = $_;
        (map { +{ system => $VM, test => $_, part => 'compress', figure => $odd } } 'zstd-1', 'inputs'),
            map { +{ system => 'S', test => 'zstd-1', part => 'compress', figure => 5, $_ => $odd } }
            qw(system test part)
    } @ODD;
    for my $table (
        @ODD,
        [ undef, 'text', 7, @rows ],
        { rows => 1 },
        [ map { +{ system => "system $_", test => 'zstd-1', part => 'compress', figure => 1 } } 1 .. 50 ]
    ) {
        my $record =
            record_of([ compressor('zstd-1', 1000), channel() ], pass_of('zstd-1', 1, [ 1000, 4000 ]));
        $record->{published} = { platform => $table };
        my $tables = check_harmless($record, ref $table || 'no table');
        cmp_ok(scalar @{ ($tables->{published}[0] || { systems => [] })->{systems} }, '<=', 6, 'few systems');
        $record->{published} = $table;
        is_deeply(
            [ @{ check_harmless($record, 'no tables') }{qw(published not_compared)} ],
            [ [], [] ],
            'this machine alone'
        );
    }
};

subtest 'odd results of ours do no harm either' => sub {
    my @names = ('zstd-memcpy', 'zstd-1', 'hash-md5', 'inputs', 'transfer-1mb');
    for my $odd (@ODD) {
        my %odd    = map { $_ => $odd } qw(interval rates figures measures missing);
        my $record = record_of(
            [
                (map { result($_, 7, %odd) } @names),
                { name => 'zstd-2', score => $odd, %odd },
                { name => $odd,     score => 1 },
                $odd
            ],
            $odd,
            { test => 'zstd-1', copies => 1,    round => 1, figures => $odd },
            { test => $odd,     copies => $odd, round => $odd }
        );
        is(check_harmless($record, 'an odd value everywhere')->{blocks}[0]{compression}{levels},
            0, 'no speed');
        my @measures = map {
            my $name = $_;
            (
                { name => $name, score => $odd, interval => $odd, rates => [ $odd, $odd ] },
                { name => $odd,  score => 1 }
            )
        } qw(decompress file memory emission reception p50 p99 p99.9 max write read back);
        my %figures = map { $_ => $odd }
            qw(size input bytes runs emitted received sessions second-1 cold-read cold-copy cold-back);
        $record = record_of(
            [
                map {
                    result(
                        $_, 7,
                        measures => \@measures,
                        figures  => \%figures,
                        missing  => [ $odd, { name => 'file', why => $odd }, { name => $odd, why => 'x' } ]
                    )
                } @names
            ],
            {
                test    => 'zstd-1',
                copies  => 1,
                round   => 1,
                figures => [ { fastest => $odd, 'decompress-fastest' => $odd } ]
            },
            { test => 'zstd-1', copies => 1, round => 1, figures => [$odd] }
        );
        my $facts = $record->{equipment};
        for my $kind (keys %$facts) { $facts->{$kind}{$_} = $odd for keys %{ $facts->{$kind} }, 'file' }
        $record->{host}{$_} = $odd
            for qw(sha_instructions machine cpus memory_kb online_cpus cores),
            qw(video_vendor video_model virtualisation container);
        check_harmless($record, 'odd facts of the host');
        $record->{host}{cpus} =
            [ $odd, map { +{ model => $_, bogomips => $odd } } $odd, 'a', 'b', 'c', 'd', 'e' ];
        check_harmless($record, 'odd figures and facts');
        @$facts{ keys %$facts } = ($odd) x keys %$facts;
        check_harmless($record, 'odd equipment');
        @$record{qw(equipment host passes)} = ($odd) x 3;
        $record->{results}[0]{copies} = $odd;
        check_harmless($record, 'no equipment, no host, no passes');
    }
};

done_testing;
