# SPDX-License-Identifier: GPL-2.0-or-later
# Suite::Platform::Parts: the place of each part, and the digits of figures.
use 5.014;
use strict;
use warnings;

use File::Basename qw(dirname);
use List::Util qw(max);
use Test::More;

use lib 't/lib';
use NoWarnings;
use Scored;
use Touchstone::Base::Symbols qw($TIMES);
use Touchstone::Report::PublishedResults;
use Touchstone::Report::Classic;
use Touchstone::Report::Document;
use Touchstone::Report::Render::Html;
use Touchstone::Report::Render::Markdown;
use Touchstone::Report::Render::Text;
use Touchstone::Suite::Platform::Parts;
use Touchstone::Suite::Platform::Rows;
use Touchstone::Suite::Platform::Tables;
use Touchstone::Suite::Published;

my $BASE  = dirname(dirname(dirname(__FILE__)));
my $SUITE = Touchstone::Suite::Platform::Rows->suite;
my $PUBLISHED =
    Touchstone::Suite::Published::load("$BASE/pgms/platform.csv", %{ $SUITE->{published}{platform} });
my %ALL = map { $_ => $SUITE->{groups}{$_} } qw(compress hash transfer);

# `width` is half the interval, as a share of the value; 0 for none.
sub result {
    my ($name, $score, %more) = @_;
    my $width = delete $more{width} // 0.02;
    return {
        name     => $name,
        score    => $score,
        interval => $width ? [ $score * max(0, 1 - $width), $score * (1 + $width) ] : undef,
        %more
    };
}

# Returns a run of some tests: names => fields that differ from the usual figures.
sub record_of {
    my (%with)   = @_;
    my %more     = map { $_ => $with{$_} } grep { exists $with{$_} } qw(width);
    my $speed    = $with{speed} // 1000;
    my $measures = sub {
        return measures =>
            [ map { my ($name, $value) = @$_; result($name, $value, rates => [ ($value) x 3 ], %more) } @_ ];
    };
    my %test = (
        (
            map {
                my $size = $_ eq 'zstd-memcpy' ? 1_048_000 : 1_048_033;
                $_ => result(
                    $_, $speed, %more,
                    $measures->([ decompress => 4100 ]),
                    figures => { size => $with{size} // $size, input => 1_048_000 }
                )
            } @{ $ALL{compress} }
        ),
        (
            map {
                $_ => result(
                    $_, $speed / 2, %more,
                    rates => [ map { $_ * $speed } 0.5, 0.4, 0.25 ],
                    $measures->([ file => 600 ], [ memory => 700 ]), figures => { bytes => 100e6 }
                )
            } @{ $ALL{hash} }
        ),
        inputs => result(
            'inputs',
            8500,
            %more,
            $measures->(
                [ emission  => 0.1 ],
                [ reception => 0.11 ],
                [ p50       => 1e-4 ],
                [ p99       => 2e-4 ],
                [ 'p99.9'   => 3e-4 ],
                [ max       => 1e-3 ]
            ),
            figures => {
                emitted  => 17_000,
                received => 17_000,
                sessions => 17,
                map { ("second-$_" => 8500 + $_) } 1 .. $with{seconds} // 2
            }
        ),
        (
            map {
                $_ => result(
                    $_, 70, %more,
                    $measures->(
                        [ write => 80 ],
                        [ read  => $with{rate} // 900 ],
                        [ back  => $with{rate} // 800 ]
                    ),
                    figures => { 'cold-read' => 1, 'cold-copy' => $with{cold} // 1, 'cold-back' => 1 }
                )
            } @{ $ALL{transfer} }
        ),
    );
    my @tests = map { $test{$_} } grep { !$with{only} || $_ =~ $with{only} } sort keys %test;
    $with{change}->(@tests) if $with{change};
    return {
        host      => { sha_instructions => 'SHA-1, SHA-256', %{ $with{host} || {} } },
        published => { platform         => $with{published} // $PUBLISHED },
        results   => [ map { +{ copies => $_, tests => \@tests } } @{ $with{copies} || [1] } ],
        passes    => [
            map {
                my $name = $_->{name};
                +{
                    test    => $name,
                    copies  => 1,
                    round   => 1,
                    figures => [ { fastest => $with{fastest} // 1130, 'decompress-fastest' => 4173 } ]
                }
            } @tests
        ],
        equipment => $with{equipment}
            || {
            input => { bytes => 1_048_000, sha256 => 'seeded', library => 'zstd 1.5.4' },
            data => { bytes => 100e6, libcrypto => 'OpenSSL 3.0.17', md5sum => 'md5sum (GNU coreutils) 9.1' },
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

sub tables_of { return Scored::tables(Platform => record_of(@_)) }

sub text_of {
    return Touchstone::Report::Render::Text::render(Touchstone::Suite::Platform::Parts::parts(tables_of(@_)));
}

# Returns the lines that match, with two blanks between their columns.
sub lines_with {
    my ($text, $pattern) = @_;
    return join "\n", map { s/\S\K {2,}/  /gr } grep { /$pattern/ } split /\n/, $text;
}

# The report of a run with two levels and one algorithm.
my $WHOLE = <<'END';
Compression and memory
======================

MB/s of the fastest pass

  Compressor name  Compress.  Decompress.  Compr. size   Ratio  Filename
  memcpy                1130         4173    1,048,000  100.00  1,048,000 random bytes (seeded)
  zstd 1.5.4 -1         1130         4173    1,048,033  100.00  1,048,000 random bytes (seeded)
  zstd 1.5.4 -19        1130         4173    1,048,033  100.00  1,048,000 random bytes (seeded)

Mean decompression: 4173 MB/s of 2 levels of zstd, 4173 MB/s of memcpy

MB/s: scores of all passes

  test            compress    95 %  decompress    95 %
  memcpy              1000  ±2.0 %        4100  ±2.0 %
  zstd 1.5.4 -1       1000  ±2.0 %        4100  ±2.0 %
  zstd 1.5.4 -19      1000  ±2.0 %        4100  ±2.0 %

Hashes
======

Seconds of each of the first three passes; MB/s of all passes

  hash  by                          1st run  2nd run  3rd run  MB/s    95 %
  MD5   md5sum (GNU coreutils) 9.1     0.20     0.25     0.40   500  ±2.0 %
  MD5   libcrypto, file                0.17     0.17     0.17   600  ±2.0 %
  MD5   libcrypto, memory              0.14     0.14     0.14   700  ±2.0 %

  - data: 100,000,000 bytes
  - libcrypto: OpenSSL 3.0.17
  - SHA instructions of the CPU: SHA-1, SHA-256

Input channel
=============

Movements through a relay

                                  score    95 %
  movements per second             8500  ±2.0 %
  emission of 1,000 movements    100 ms  ±2.0 %
  reception of 1,000 movements   110 ms  ±2.0 %
  latency, 50 % within           100 µs  ±2.0 %
  latency, 99 % within           200 µs  ±2.0 %
  latency, 99.9 % within         300 µs  ±2.0 %
  latency, largest              1.00 ms  ±2.0 %

  - lines: pseudo-terminals
  - movements of a pass: 17,000 emitted, 17,000 received, sessions: 17
  - movements in each second of a pass (the last may be incomplete): 8501 8502

File transfers
==============

MB/s, ± half of the 95 % interval

  files        total        write        read         copy   read back  reads
  100 × 10 KB   1 MB  80.0 ±2.0 %  900 ±2.0 %  70.0 ±2.0 %  800 ±2.0 %  cold
  1 × 1 GB      1 GB  80.0 ±2.0 %  900 ±2.0 %  70.0 ±2.0 %  800 ±2.0 %  cold

  - medium: /mnt/stick, vfat (/dev/sdb1)
  - depot: /mnt/depot, 9p

Published figures
=================

Compression and memory: speeds of the fastest pass; inputs differ in length, so compare ratios

  compressor                    this machine  Mac M2 VM zstd 1.4.5  Dell Vostro zstd 1.5.5
  input       size, bytes          1,048,000             1,048,576               1,048,000
  memcpy      compress, MB/s            1130                  4578                    4476
  memcpy      decompress, MB/s          4173                  5140                    4203
  zstd -1     compress, MB/s            1130                   242                    1130
  zstd -1     decompress, MB/s          4173                  5017                    4173
  zstd -1     size, bytes          1,048,033             1,048,610               1,048,034
  zstd -1     ratio, %                100.00                100.00                  100.00
  zstd -19    compress, MB/s            1130                   ---                    4.23
  zstd -19    decompress, MB/s          4173                   ---                    4175
  zstd -19    size, bytes          1,048,033                   ---               1,048,033
  zstd -19    ratio, %                100.00                   ---                  100.00

Hashes: those of the command; Python's hashlib is compared with libcrypto on the file

  hash                 this machine  Dell Latitude
  MD5   command, MB/s           500         344.83
  MD5   command, s             0.20           0.29
  MD5   hashlib, MB/s           600            500
  MD5   hashlib, s             0.17           0.20

Input channel: 1,000 movements; rate: movements per tenth of a second (it/cs in the document)

  channel                     this machine  QEMU on Mac M2  Dell Latitude E5510
  session  movements, number          1000            1000                 1000
  session  emission, ms              100.0             811                  117
  session  rate, in 0.1 s             1000             123                  854

File transfers: published for a USB stick; its depot write is compared with copying from the medium

  size                      this machine  QEMU on Mac M2  Dell Latitude E5510
  10 KB  write, MB/s                80.0            1.37                 20.2
  10 KB  read, MB/s                  900            2.52                 44.4
  10 KB  depot write, MB/s          70.0            0.08                 1.17
END

subtest 'the text of a small run is known to the last letter' => sub {
    is(text_of(only => qr/memcpy|zstd-(?:1|19)\z|md5|inputs|transfer-(?:10kb|1gb)/), $WHOLE, 'all parts');
};

subtest 'the hardware stands before the figures, in every form' => sub {
    my %host = (
        machine        => 'x86_64',
        cpus           => [ map { +{ model => 'Celeron', bogomips => '2188.8' } } 1, 2 ],
        online_cpus    => 2,
        cores          => 2,
        memory_kb      => 3_892_312,
        virtualisation => 'xen 4.17.2',
        container      => 'docker'
    );
    my @points = (
        'architecture: x86_64',
        "CPU: 2 \xc3\x97 Celeron, 2188.80 bogomips",
        'cores: 2, CPUs: 2',
        'memory: 3.71 GiB',
        'graphics: unknown',
        'virtualisation: xen 4.17.2',
        'container: docker'
    );
    my @parts = Touchstone::Suite::Platform::Parts::parts(tables_of(only => qr/inputs/, host => \%host));
    like(text_of(only => qr/inputs/, host => \%host),
        qr/\AHardware\n=+\n\n\Q@{[ join '', map { "  - $_\n" } @points ]}\E\nInput channel\n/, 'text');
    like(Touchstone::Report::Render::Markdown::render(@parts) =~ s/\\//gr,
        qr/\A# Hardware\n\n\Q@{[ join '', map { "- $_\n" } @points ]}\E/, 'Markdown');
    like(
        Touchstone::Report::Render::Html::fragment(@parts),
        qr{\A<h2>Hardware</h2>\n<details>\n<summary>As the document lists it</summary>\n<ul>\n<li>architecture: x86},
        'page'
    );
    like(
        text_of(only => qr/inputs/, host => { memory_kb => 393_216, container => 'none' }),
        qr/^  - CPU: unknown\n  - cores: unknown, CPUs: unknown\n  - memory: 384 MiB\n  - graphics: un/m,
        'what is not known'
    );
};

subtest 'no line in a terminal has more than 100 letters' => sub {
    my $long = "\xc3\xa4" x 300;
    my %most = (
        equipment => {
            input =>
                { file => "/$long/$long", bytes => 999_999_999_999, sha256 => 'f' x 64, library => $long },
            data => {
                bytes     => 999_999_999_999,
                libcrypto => $long,
                map { ("${_}sum" => $long) } qw(md5 sha256 sha512)
            },
            channel => { kind => $long },
            places  => { map { $_ => $long } qw(medium medium_fs depot depot_fs) }
        }
    );
    my @systems =
        map { my $row = $_; +{ %$row, system => "$row->{system} $long", figure => 999_999_999_999 } }
        @$PUBLISHED;
    my $lack = sub {
        for my $test (@_) {
            $test->{missing}  = [ map { +{ name => $_, why => $long } } qw(file memory) ];
            $test->{measures} = [];
        }
    };
    my %host = (
        (map { $_ => $long } qw(machine video_vendor video_model virtualisation container)),
        cpus        => [ map { +{ model => "$_ $long", bogomips => 999_999 } } 1 .. 9 ],
        memory_kb   => 1e12,
        cores       => 1e6,
        online_cpus => 1e6
    );
    for my $run (
        {},
        {%most},
        { host          => \%host },
        { %most, change => $lack },
        { published     => \@systems },
        { width         => 0, cold => 0.5 },
        {
            speed   => 9_999_999,
            fastest => 9_999_999,
            size    => 999_999_999_999,
            rate    => 999_999,
            seconds => 60
        },
        { speed  => 1e-3, fastest => 1e-4, rate => 1e-3, width => 50 },
        { width  => 1e-9 },
        { copies => [ 1, 999_999 ] }
    ) {
        my $text = text_of(%$run);
        utf8::decode($text);
        cmp_ok(max(map { length } split /\n/, $text), '<=', 100, join ' ', sort keys %$run)
            or diag(grep { length > 101 } map { "$_\n" } split /\n/, $text);
    }
};

subtest 'speeds have the digits of the document' => sub {
    my %want = (
        4.2345 => '4.23',
        9.994  => '9.99',
        9.996  => '10.0',
        36.84  => '36.8',
        99.94  => '99.9',
        99.96  => '100',
        457.6  => '458',
        5139.6 => '5140',
        0.0823 => '0.082'
    );
    like(
        text_of(only => qr/zstd-1\z/, fastest => $_),
        qr/^  zstd 1\.5\.4 -1 +\Q$want{$_}\E +4173 /m,
        "$_ MB/s"
    ) for sort { $a <=> $b } keys %want;
};

subtest 'a figure that nobody is sure of has no interval' => sub {
    my $text = text_of(width => 0, only => qr/zstd-1\z|md5|inputs|transfer-1gb/);
    is(
        lines_with($text, qr/^  (?:zstd 1\.5\.4 -1 +\d+ +\d+$|MD5 .*sum|movements per|1 .*1 GB)/),
        join("\n",
            '  zstd 1.5.4 -1  1000  4100',
            '  MD5  md5sum (GNU coreutils) 9.1  0.20  0.25  0.40  500',
            '  movements per second  8500',
            "  1 $TIMES 1 GB  1 GB  80.0  900  70.0  800  cold"),
        'of too few passes: there are no columns for them'
    );
    like(
        text_of(width => 20, only => qr/md5|1gb/),
        qr/ over 999 %\n.*>999 %  cold\n/s,
        'nor has one a number that is far off'
    );
};

subtest 'a file that was given has its name in the table and its place below' => sub {
    my $text = text_of(
        only      => qr/zstd-1\z/,
        equipment => {
            input => {
                file    => '/usr/share/dict/words',
                bytes   => 985_084,
                sha256  => 'ab' x 32,
                library => 'zstd 1.5.4'
            }
        }
    );
    like($text, qr/^  zstd 1\.5\.4 -1 +1130 +4173 +1,048,033 +100\.00  words$/m, 'name');
    is(
        lines_with($text, qr/^(?:input|SHA-256)/),
        "input: /usr/share/dict/words, 985,084 bytes\nSHA-256: " . 'ab' x 32,
        'place, size and sum'
    );
    like($text, qr/^Mean decompression: 4173 MB\/s of 1 level of zstd$/m, 'the mean of one level');
    is(
        lines_with($text, qr/no comparison/),
        '  - Compression: the published figures are of about 1 MB of random bytes: no comparison',
        'what it cannot be compared with'
    );
};

subtest 'parts of a hash that are missing are told with the reason' => sub {
    my $without = sub {
        for my $test (@_) {
            $test->{measures} = [];
            $test->{missing} =
                [ { name => 'file', why => 'no libcrypto' }, { name => 'memory', why => 'no libcrypto' } ];
        }
    };
    my $text = text_of(only => qr/hash/, change => $without);
    is(
        lines_with($text, qr/^  (?:SHA|MD5)-?\d* .* %\z/),
        join("\n",
            '  MD5  md5sum (GNU coreutils) 9.1  0.20  0.25  0.40  500  ±2.0 %',
            map { "  SHA-$_  sha${_}sum  0.20  0.25  0.40  500  ±2.0 %" } 256,
            512),
        'the commands'
    );
    is(
        lines_with($text, qr/no libcrypto/),
        "  - libcrypto, file: no libcrypto (MD5, SHA-256, SHA-512)\n  - libcrypto, memory: no libcrypto (MD5, SHA-256, SHA-512)",
        'and why nothing else'
    );
    unlike($text, qr/hashlib,/, 'hashlib has nothing beside it');
};

subtest 'however many seconds a pass has, their rates are one point' => sub {
    my $tables = tables_of(only => qr/inputs/, seconds => 40);
    my $points = sub {
        my ($form) = @_;
        my @points = $form->(Touchstone::Suite::Platform::Parts::parts($tables)) =~ /^ *- /mg;
        return scalar @points;
    };
    is($points->(\&Touchstone::Report::Render::Text::render),     3, 'text');
    is($points->(\&Touchstone::Report::Render::Markdown::render), 3, 'Markdown');
    my $text = text_of(only => qr/inputs/, seconds => 40);
    like(
        $text,
        qr/^  - movements in each second of a pass .*: 8501 .*\n    85\d\d .* 8540$/ms,
        'its lines are set in'
    );
    my $short = text_of(only => qr/inputs/, seconds => 1);
    like(
        $short,
        qr/^  - movements of each second: only in a pass of two seconds or more; with -i 1 it takes ten$/m,
        'a short pass says how to get them'
    );
    unlike($short, qr/8501/, 'and does not repeat its score');
};

subtest 'reads that were cold in part are told one by one' => sub {
    my $text = text_of(only => qr/transfer-1/, cold => 0.4);
    is(
        lines_with($text, qr/^  - 1/),
        '  - 10 KB, 100 KB, 1 MB, 10 MB, 100 MB, 1 GB: read cold, copy partly, read back cold',
        'sizes together'
    );
    like($text, qr/^  1 $TIMES 1 GB .*  partly$/m, 'and in a word in the table');
};

subtest 'each copy count has its headings' => sub {
    my $text = text_of(copies => [ 1, 4 ], only => qr/md5|inputs/);
    is(
        join(', ', $text =~ /^(\S.*)\n=+$/mg),
        'Hashes, Input channel, Hashes, 4 copies together, Input channel, 4 copies together, Published figures',
        'in this order'
    );
    like(
        text_of(copies => [4], only => qr/md5/),
        qr/^  - The published figures are of one copy: no comparison$/m,
        'none of one copy'
    );
};

subtest 'a page has room for the names of all systems' => sub {
    my @parts = Touchstone::Suite::Platform::Parts::parts(tables_of(only => qr/zstd-1\z|10kb/));
    my @heads =
        map {
        join '|',
            map { ref ? $_->{text} : $_ }
            @{ $_->[1]{head} }
        }
        grep { $_->[0] eq 'table' }
        map  { $_->[0] eq 'fold' ? @$_[ 2 .. $#$_ ] : $_ }
        Touchstone::Report::Document::for_form('html', @parts);
    is($heads[2], 'compressor||this machine|VM x86_64 on Mac M2 zstd 1.4.5|Dell Vostro Celeron zstd 1.5.5',
        'compressors');
    is($heads[3], 'size||this machine|QEMU x86_64 on Mac M2|Dell Latitude E5510', 'transfers');
    like(Touchstone::Report::Render::Markdown::render(@parts),
        qr/^\| zstd -1 \| compress, MB\/s \| 1130 \| 242 \| 1130 \|$/m, 'Markdown');
    like(Touchstone::Report::Render::Html::fragment(@parts),
        qr/<h2>File transfers<\/h2>.*<h2>Published figures<\/h2>/s, 'HTML');
    my @more = (
        @$PUBLISHED,
        map { +{ %$_, system => "third $_->{figure}", test => 'zstd-1', part => 'compress' } } $PUBLISHED->[0]
    );
    is(scalar(my @found = text_of(only => qr/zstd-1\z/, published => \@more) =~ /^  compressor /mg),
        2, 'in a terminal a third system has a table of its own');
};

subtest 'long words of others are cut in a terminal and whole on a page' => sub {
    my $place = '/mnt/' . 'x' x 90;
    my @tables =
        (tables_of(only => qr/10kb/, equipment => { places => { medium => $place, medium_fs => 'ext4' } }));
    like(Touchstone::Report::Render::Text::render(Touchstone::Suite::Platform::Parts::parts(@tables)),
        qr/^  - medium: \/mnt\/x{45}\.\.\., ext4$/m, 'cut');
    like(Touchstone::Report::Render::Html::fragment(Touchstone::Suite::Platform::Parts::parts(@tables)),
        qr/<li>medium: \Q$place\E, ext4</, 'whole');
};

subtest 'readers of classic reports find no result in these parts' => sub {
    my $model = {
        version   => '7',
        host      => { map { $_ => 'x' } qw(name os release version machine platform uptime runlevel) },
        locale    => { map { $_ => 'C' } qw(name charmap collate) },
        cpus      => [],
        blocks    => [],
        brief     => 1,
        build     => {},
        published => {
            platform => tables_of(
                equipment => {
                    places  => { medium => '1.0 lps (1.0 s, 6 samples)', depot => '5.0 MWIPS ' },
                    channel => { kind   => 'lpm 1.0 lps (10.0 s, 7 samples)' }
                }
            )
        }
    };
    my $text = Touchstone::Report::Classic::render($model);
    like($text, qr/^File transfers$/m, 'they are in the text');
    unlike(
        $text,
        qr/\blps\b|MWIPS |^System Benchmarks|Index Score|BASELINE/m,
        'and hold no word that is looked for'
    );
    is(join(' ', Touchstone::Report::PublishedResults::headlines($model)), '', 'nor a headline');
};

subtest 'nothing is said when nothing was measured' => sub {
    is(scalar(my @none = Touchstone::Suite::Platform::Parts::parts(undef)), 0, 'no part');
    unlike(text_of(published => [], only => qr/md5/),
        qr/ublished/, 'nor of published figures when there are none');
};

done_testing;
