# SPDX-License-Identifier: GPL-2.0-or-later
# Suite::Platform::Parts - the tables of Touchstone::Suite::Platform::Tables as parts of a page:
#
#   Compressor name  Compress.  Decompress.  Compr. size   Ratio  Filename
#   memcpy               4476         4203    1,048,000  100.00  1,048,000 random bytes (seeded)
#   zstd 1.5.5 -19       4.23         4175    1,048,033  100.00  1,048,000 random bytes (seeded)
#
#   Mean decompression: 4170 MB/s of 22 levels of zstd, 4203 MB/s of memcpy
package Touchstone::Suite::Platform::Parts;
use 5.014;
use strict;
use warnings;

use Touchstone::Base::Figure qw(figure part people seconds sureness);
use Touchstone::Base::Signs qw($PLUS_MINUS $TIMES);
use Touchstone::Base::Text qw(grouped many plain_data short);

my ($UNKNOWN, $THIS) = ('---', 'this machine');

# A terminal shows published systems by these short names; names that are not here are cut.
my %SHORT = (
    'VM x86_64 on Mac M2 zstd 1.4.5' => 'Mac M2 VM zstd 1.4.5',
    'Dell Vostro Celeron zstd 1.5.5' => 'Dell Vostro zstd 1.5.5',
    'QEMU x86_64 on Mac M2'          => 'QEMU on Mac M2',
    'Dell Latitude Alpine 3.20'      => 'Dell Latitude',
);
my ($SYSTEM, $SIDE_BY_SIDE) = (19, 2);

# A line of a terminal has $WIDTH letters, words from a record have $WORDS in it, and a figure has $LONGEST,
# or $NARROW in a narrow table.
my ($WIDTH, $WORDS, $LONGEST, $NARROW) = (98, 50, 10, 6);
my ($MB, $GB) = (1e6, 1e9);
my $GIB_KB = 2**20;

# Rounding brings a speed from the first two values on to the next power of ten, so it needs a digit less
# after the point. Below $SMALL two significant digits are shown.
my ($TEN, $HUNDRED, $SMALL, $SMALLEST) = (9.995, 99.95, 0.095, 0.00095);

# A half-interval above this part of a figure is shown without a number.
my $UNSURE = 9.99;

my %PART =
    (compression => \&_compression, hashes => \&_hashes, channel => \&_channel, transfers => \&_transfers);
my @ORDER   = (qw(compression hashes channel transfers));
my %HEADING = (
    compression => 'Compression and memory',
    hashes      => 'Hashes',
    channel     => 'Input channel',
    transfers   => 'File transfers'
);
my %LINE = (pty => 'pseudo-terminals', sockets => 'sockets');

# The published table of each kind has the name of its first column, and what it compares.
my %PUBLISHED = (
    compression => [
        compressor =>
            'Compression and memory: speeds of the fastest pass; inputs differ in length: compare ratios'
    ],
    hashes  => [ hash => q{Hashes: the command; Python's hashlib compared with libcrypto on the file} ],
    channel => [
        channel =>
            'Input channel: 1,000 movements; rate: movements in a tenth of a second (it/cs in the document)'
    ],
    transfers => [
        size =>
            'File transfers: published for a USB stick; depot write is compared with copying from the medium'
    ],
);

# `wide` is for a page; otherwise no line has more than 100 letters.
sub parts {
    my ($tables, %with) = @_;
    return if !$tables;
    $tables = plain_data($tables);
    my @blocks = map { _block($_, %with) } @{ $tables->{blocks} };
    return (_hardware($tables->{hardware}, %with), @blocks, _published($tables, %with));
}

# Describes the machine as the document does. Unknown facts are named, because the reader may know them.
sub _hardware {
    my ($hardware, %with) = @_;
    return if !$hardware;
    my %fact = map { $_ => $hardware->{$_} // 'unknown' } qw(architecture cores online video virtualisation);
    my @cpus = map {
        my $bogomips = $_->{bogomips};
        "CPU: $_->{count} $TIMES $_->{model}, "
            . (defined $bogomips ? sprintf '%.2f', $bogomips : 'unknown')
            . ' bogomips'
    } @{ $hardware->{cpus} };
    my @container = grep { $_ ne 'none' } $hardware->{container} // ();
    my @points    = (
        "architecture: $fact{architecture}",
        (@cpus ? @cpus : 'CPU: unknown'),
        "cores: $fact{cores}, CPUs: $fact{online}",
        'memory: ' . _memory($hardware->{memory_kb}),
        "graphics: $fact{video}",
        "virtualisation: $fact{virtualisation}",
        map { "container: $_" } @container
    );

    # A page has a section of its own about the machine.
    my $points = [ points => @points ];
    return ([ heading => 'Hardware' ],
        $with{wide} ? [ fold => 'As the document lists it', $points ] : $points);
}

sub _memory {
    my ($kb) = @_;
    return 'unknown' if !defined $kb;
    return $kb < $GIB_KB ? sprintf '%.3g MiB', $kb / 1024 : sprintf '%.3g GiB', $kb / $GIB_KB;
}

sub _block {
    my ($block, %with) = @_;
    my $together = $block->{copies} == 1 ? '' : ", $block->{copies} copies together";
    return map { ([ heading => $HEADING{$_} . $together ], $PART{$_}->($block->{$_}, %with)) }
        grep { $block->{$_} } @ORDER;
}

# The speeds of the fastest pass, there and back.
sub _both_ways {
    my ($row) = @_;
    return map { _speed($_) } @$row{qw(fastest fastest_back)};
}

# Shows a speed as the document does: below 10 with two decimals, below 100 with one, else with none.
sub _speed {
    my ($speed) = @_;
    return $UNKNOWN if !defined $speed;
    return _grouped(
        sprintf $speed < $SMALL ? '%.2g' : $speed < $TEN ? '%.2f' : $speed < $HUNDRED ? '%.1f' : '%.0f',
        $speed);
}

# Shows a figure with as many digits as its interval supports.
sub _figure {
    my ($measured, $longest) = @_;
    return $UNKNOWN if !$measured;
    my ($value, $interval) = @$measured{qw(value interval)};
    my $text =
        $interval && $interval->[1] > $interval->[0]
        ? figure($value, $interval)
        : return _speed($value);
    return length $text > ($longest // $LONGEST) ? _speed($value) : _grouped($text);
}

sub _sureness {
    my ($measured) = @_;
    my $precision = $measured && $measured->{precision};
    return $UNKNOWN if !defined $precision;
    return $precision > $UNSURE ? 'over 999 %' : sureness($precision);
}

# Returns "812 +-2.0 %", in few letters, or the figure alone.
sub _compact {
    my ($measured) = @_;
    return $UNKNOWN if !$measured;
    my $precision = $measured->{precision};
    return _figure($measured, $NARROW)
        . (
          !defined $precision  ? ''
        : $precision > $UNSURE ? " $PLUS_MINUS>999 %"
        :                        " $PLUS_MINUS" . part($precision)
        );
}

# Returns "1,048,000".
sub _count {
    my ($count) = @_;
    return defined $count ? _grouped(sprintf '%.0f', $count) : $UNKNOWN;
}

# Groups the digits of a long figure: four can be read without.
sub _grouped {
    my ($text) = @_;
    return $text =~ /\A\d{5}/a ? grouped($text) : $text;
}

# Folds a text into the lines of a point; a page folds by itself.
sub _point {
    my ($text, %with) = @_;
    return $with{wide} ? $text : Touchstone::Base::Text::folded($text, $WIDTH - 2);
}

# Cuts words from a record; a page has room for all of them.
sub _cut {
    my ($text, %with) = @_;
    return $with{wide} ? $text : short($text, $WORDS);
}

sub _compression {
    my ($compression, %with) = @_;
    my @tables = $with{wide} ? _all_speeds($compression) : (_fastest($compression), _scores($compression));
    my ($first, @more) = map { [ table => $_ ] } @tables;
    my @said = (_mean($compression), _file($compression->{input}, %with));
    return ($first, @said, @more) if !$with{wide};
    my $many = @{ $compression->{rows} };
    return ([ text => 'Input: ' . _input($compression) ],
        @said, [ fold => $many == 1 ? 'All speeds' : "All speeds of $many compressors", $first ]);
}

sub _input {
    my ($compression) = @_;
    my $input = $compression->{input};
    return $input->{seeded} ? _count($input->{bytes}) . ' random bytes (seeded)' : $input->{name} // $UNKNOWN;
}

# The table of the document.
sub _fastest {
    my ($compression) = @_;
    my $file = _input($compression);
    return {
        caption => 'MB/s of the fastest pass',
        head    => [ 'Compressor name', 'Compress.', 'Decompress.', 'Compr. size', 'Ratio', 'Filename' ],
        left    => [ 0, 5 ],
        rows    => [ map { [ $_->{name}, _both_ways($_), _size($_), $file ] } @{ $compression->{rows} } ]
    };
}

sub _size {
    my ($row) = @_;
    return (_count($row->{size}), defined $row->{ratio} ? sprintf '%.2f', $row->{ratio} : $UNKNOWN);
}

sub _scores {
    my ($compression) = @_;
    my @rows = map { [ $_->{name}, _score($_) ] } @{ $compression->{rows} };
    return {
        caption => 'MB/s: scores of all passes',
        head    => [ 'test', 'compress', '95 %', 'decompress', '95 %' ],
        rows    => \@rows,
        spare   => [ 2, 4 ]
    };
}

sub _score {
    my ($row) = @_;
    return map { (_figure($row->{$_}), _sureness($row->{$_})) } qw(compress decompress);
}

# A page has room for both tables in one.
sub _all_speeds {
    my ($compression) = @_;
    my @rows =
        map { [ $_->{name}, _score($_), _both_ways($_), _size($_) ] } @{ $compression->{rows} };
    my @fastest = map { "Fastest pass, $_" } qw(compress decompress);
    return {
        caption => 'MB/s: scores of all passes, and of the fastest one',
        class   => 'pinned',
        head    => [
            'Compressor', 'Compress', $PLUS_MINUS, 'Decompress',
            $PLUS_MINUS,  @fastest,   'Size',      'Ratio (%)'
        ],
        more  => [ 5 .. 8 ],
        rows  => \@rows,
        spare => [ 2, 4 ]
    };
}

sub _mean {
    my ($compression) = @_;
    my ($mean, $levels, $copied) = @$compression{qw(mean levels copied)};
    my @means = (
        defined $mean
        ? _speed($mean) . ' MB/s of ' . many($levels, 'level') . ' of zstd'
        : (),
        defined $copied ? _speed($copied) . ' MB/s of memcpy' : ()
    );
    return @means ? [ text => 'Mean decompression: ' . join ', ', @means ] : ();
}

# Describes an input file that the user named.
sub _file {
    my ($input, %with) = @_;
    return if !defined $input->{file};
    return [
        text => 'input: '
            . _cut($input->{file}, %with) . ', '
            . (defined $input->{bytes} ? _count($input->{bytes}) : 'unknown')
            . ' bytes',
        'SHA-256: ' . ($input->{sha256} // 'unknown')
    ];
}

sub _hashes {
    my ($hashes, %with) = @_;
    my @rows = map {
        [
            @$_{qw(title how)}, (map { _short_time($_) } @{ $_->{runs} }),
            _figure($_->{speed}), _sureness($_->{speed})
        ]
    } @{ $hashes->{rows} };
    my $table = {
        caption => 'Seconds of each of the first three passes; MB/s of all passes',
        class   => 'pinned',
        head    => [ 'hash', 'by', '1st run', '2nd run', '3rd run', 'MB/s', '95 %' ],
        left    => [ 0, 1 ],
        rows    => \@rows
    };
    return (
        [ table => { %$table, spare => [6] } ],
        [
            points => 'data: '
                . (defined $hashes->{bytes} ? _count($hashes->{bytes}) . ' bytes' : 'of unknown size'),
            (defined $hashes->{libcrypto} ? 'libcrypto: ' . _cut($hashes->{libcrypto}, %with) : ()),
            'SHA instructions of the CPU: ' . _cut($hashes->{instructions} // 'unknown', %with),
            map { "$_->{how}: $_->{why} (" . join(', ', @{ $_->{titles} }) . ')' } @{ $hashes->{missing} }
        ],
    );
}

# Shows seconds as the document does, with more digits where two after the point would be zeros.
sub _short_time {
    my ($seconds) = @_;
    return $UNKNOWN if !defined $seconds;
    return sprintf $seconds >= $SMALL ? '%.2f' : $seconds >= $SMALLEST ? '%.4f' : '%.7f', $seconds;
}

sub _channel {
    my ($channel, %with) = @_;
    my @rows = ([ 'movements per second', _many($channel->{per_second}), _sureness($channel->{per_second}) ]);
    push @rows,
        map { my ($key, $label) = @$_; [ $label, _duration($channel->{$key}), _sureness($channel->{$key}) ] }
        [ emission => 'emission of 1,000 movements' ], [ reception => 'reception of 1,000 movements' ],
        [ p50      => 'latency, 50 % within' ],        [ p99       => 'latency, 99 % within' ],
        [ 'p99.9'  => 'latency, 99.9 % within' ],      [ max       => 'latency, largest' ];
    my $line = !defined $channel->{kind} ? 'unknown' : $LINE{ $channel->{kind} } // $channel->{kind};
    return (
        [
            table => {
                caption => 'Movements through a relay',
                head    => [ '', 'score', '95 %' ],
                spare   => [2],
                rows    => \@rows
            }
        ],
        [ points => 'lines: ' . _cut($line, %with), _arrived($channel), _each_second($channel, %with) ],
    );
}

sub _many {
    my ($measured) = @_;
    return $measured ? people(@$measured{qw(value interval)}) : $UNKNOWN;
}

# A pass of a single second would show its score again.
sub _each_second {
    my ($channel, %with) = @_;
    my @each = map { sprintf '%.0f', $_ } @{ $channel->{seconds} } or return;
    return 'movements of each second: only in a pass of two seconds or more; with -i 1 it takes ten'
        if @each == 1;
    my $list = join ' ', @each;
    return _point("movements in each second of a pass (the last may be incomplete): $list", %with);
}

sub _duration {
    my ($measured) = @_;
    return $measured ? seconds(@$measured{qw(value interval)}) : $UNKNOWN;
}

sub _arrived {
    my ($channel) = @_;
    my ($emitted, $received, $sessions) = @$channel{qw(emitted received sessions)};
    return if !grep { defined } $emitted, $received;
    return
          'movements of a pass: '
        . _count($emitted)
        . ' emitted, '
        . _count($received)
        . ' received'
        . (defined $sessions ? ', sessions: ' . _count($sessions) : '');
}

sub _transfers {
    my ($transfers, %with) = @_;
    my @rows = map {
        my $row = $_;
        [
            "$row->{files} $TIMES $row->{size}",
            _total($row->{bytes}),
            (map { _compact($row->{$_}) } qw(write read copy back)),
            $row->{cold} // $UNKNOWN
        ]
    } @{ $transfers->{rows} };
    my $have_intervals = grep { defined }
        map { $_->{precision} } grep { $_ } map { @$_{qw(write read copy back)} } @{ $transfers->{rows} };
    my @places = map {
        my $place = $transfers->{$_};
        "$_: "
            . _cut($place->{directory} // 'unknown', %with) . ', '
            . ($place->{system} // 'file system unknown')
    } qw(medium depot);
    return (
        [
            table => {
                caption => 'MB/s' . ($have_intervals ? ", $PLUS_MINUS half of the 95 % interval" : ''),
                class   => 'pinned',
                rows    => \@rows,
                head    => [ qw(files total write read copy), 'read back', 'reads' ],
                left    => [ 0, 6 ]
            }
        ],
        [ points => @places, _partly(@{ $transfers->{rows} }) ],
    );
}

# Returns "50 MB".
sub _total {
    my ($bytes) = @_;
    return $bytes < $GB ? sprintf '%.4g MB', $bytes / $MB : sprintf '%.4g GB', $bytes / $GB;
}

# Tells the state of each kind of read for sizes whose reads were not all alike.
sub _partly {
    my (@rows) = @_;
    my (%sizes, @order);
    for my $row (grep { ($_->{cold} // '') eq 'partly' } @rows) {
        my ($read, $copy, $back) = @{ $row->{parts} }{qw(read copy back)};
        my $words = "read $read, copy $copy, read back $back";
        push @order,              $words if !$sizes{$words};
        push @{ $sizes{$words} }, $row->{size};
    }
    return map { join(', ', @{ $sizes{$_} }) . ": $_" } @order;
}

sub _published {
    my ($tables, %with) = @_;
    my @published = @{ $tables->{published} };
    my @apart     = map { "$_: no comparison" } @{ $tables->{apart} };
    return if !@published && !@apart;
    return (
        [ heading => 'Published figures' ],
        (map { _with_fold($_, %with) } @published),
        @apart ? [ points => @apart ] : ()
    );
}

# The tables are long and of interest to few.
sub _with_fold {
    my ($published, %with) = @_;
    my @parts = _beside($published, %with);
    return $with{wide} ? [ fold => $HEADING{ $published->{kind} }, @parts ] : @parts;
}

# A terminal shows two systems at a time.
sub _beside {
    my ($published, %with)    = @_;
    my ($head,      $caption) = @{ $PUBLISHED{ $published->{kind} } };
    my @systems = @{ $published->{systems} };
    my @parts;
    while (my @some = splice @systems, 0, $with{wide} ? scalar @systems : $SIDE_BY_SIDE) {
        my @rows = map {
            my $row = $_;
            [
                $row->{name}, (length $row->{part} ? "$row->{part}, " : '') . $row->{unit},
                _plainly($row), map { _as_published($row->{figures}{$_}, $row->{unit}) } @some
            ]
        } @{ $published->{rows} };
        push @parts,
            [
            table => {
                caption => $caption,
                class   => 'pinned',
                head    => [ $head, '', $THIS, map { _system($_, %with) } @some ],
                left    => [ 0,     1 ],
                rows    => \@rows
            }
            ];
    }
    return @parts;
}

sub _system {
    my ($system, %with) = @_;
    return $with{wide} ? $system : $SHORT{$system} // short($system, $SYSTEM);
}

# Shows a figure without its unit, which the row has.
sub _plainly {
    my ($row) = @_;
    my $this = $row->{this};
    return _count($this->{value}) if $row->{unit} =~ /\A(?:bytes|number)\z/;
    return sprintf '%.2f', $this->{value} if $row->{unit} eq '%';
    return $row->{unit} eq 's' ? _short_time($this->{value}) : _figure($this);
}

# Shows a published figure with its own digits; a ratio is worked out from two of them.
sub _as_published {
    my ($figure, $unit) = @_;
    return $UNKNOWN if !defined $figure;
    return sprintf '%.2f', $figure if $unit eq '%';
    return $unit eq 's' ? _short_time($figure) : _grouped(sprintf '%.12g', $figure);
}

1;
