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

use Touchstone::Base::Figure qw(figure part human seconds plus_minus);
use Touchstone::Base::Symbols qw($PLUS_MINUS $TIMES);
use Touchstone::Base::Text qw(grouped plain_data plural short);
use Touchstone::Suite::Published qw(@NARROW @WIDE $THIS $UNKNOWN brief columns lines notes table);

# A terminal shows so many published systems at a time, whose names have so many letters if the notes have no
# short one; and so many letters of words from a record.
my ($SIDE_BY_SIDE, $SYSTEM, $WORDS) = (2, 19, 50);

# A point has lines of $LINE letters in a terminal, and a figure has $LONGEST, or $NARROW in a narrow table.
my ($LINE, $LONGEST, $NARROW) = (96, 10, 6);
my ($MB, $GB) = (1e6, 1e9);
my $GIB_KB = 2**20;

# Rounding brings a speed from the first two values on to the next power of ten, so it needs a digit less
# after the point. Below $SMALL two significant digits are shown.
my ($TEN, $HUNDRED, $SMALL, $SMALLEST) = (9.995, 99.95, 0.095, 0.00095);

# A half-interval above this part of a figure is shown without a number.
my $WIDE = 9.99;

my @KINDS = (
    [ compression => 'Compression and memory', \&_compression ],
    [ hashes      => 'Hashes',                 \&_hashes ],
    [ channel     => 'Input channel',          \&_channel ],
    [ transfers   => 'File transfers',         \&_transfers ]
);
my %HEADING = map { $_->[0] => $_->[1] } @KINDS;

# The first column of the published figures.
my %FIRST = (compression => 'compressor', hashes => 'hash', channel => 'channel', transfers => 'size');
my %LINE  = (pty => 'pseudo-terminals', sockets => 'sockets');

sub parts {
    my ($tables) = @_;
    return if !$tables;
    $tables = plain_data($tables);
    my @blocks = map { _block($_) } @{ $tables->{blocks} };
    return (_hardware($tables->{hardware}), @blocks, _published($tables));
}

# Describes the machine as the document does. Unknown facts are named, because the reader may know them.
sub _hardware {
    my ($hardware) = @_;
    return if !$hardware;
    my %fact = map { $_ => $hardware->{$_} // 'unknown' } qw(architecture cores online video virtualisation);
    my @cpus = map {
        my $bogomips = defined $_->{bogomips} ? sprintf '%.2f', $_->{bogomips} : 'unknown';
        "CPU: $_->{count} $TIMES $_->{model}, $bogomips bogomips"
    } @{ $hardware->{cpus} };
    my @points = (
        "architecture: $fact{architecture}",
        (@cpus ? @cpus : 'CPU: unknown'),
        "cores: $fact{cores}, CPUs: $fact{online}",
        'memory: ' . _memory($hardware->{memory_kb}),
        "graphics: $fact{video}",
        "virtualisation: $fact{virtualisation}",
        map { "container: $_" } grep { $_ ne 'none' } $hardware->{container} // ()
    );

    # A page has a section of its own about the machine.
    return ([ heading => 'Hardware' ], [ fold => 'As the document lists it', [ points => @points ] ]);
}

sub _memory {
    my ($kb) = @_;
    return 'unknown' if !defined $kb;
    return $kb < $GIB_KB ? sprintf '%.3g MiB', $kb / 1024 : sprintf '%.3g GiB', $kb / $GIB_KB;
}

sub _block {
    my ($block) = @_;
    my $together = $block->{copies} == 1 ? '' : ", $block->{copies} copies together";
    return map {
        my ($kind, $heading, $parts) = @$_;
        $block->{$kind} ? ([ heading => $heading . $together ], $parts->($block->{$kind})) : ()
    } @KINDS;
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

sub _plus_minus {
    my ($measured) = @_;
    my $precision = $measured && $measured->{precision};
    return $UNKNOWN if !defined $precision;
    return $precision > $WIDE ? 'over 999 %' : plus_minus($precision);
}

# Returns "812 +-2.0 %", in few letters, or the figure alone.
sub _compact {
    my ($measured) = @_;
    return $UNKNOWN if !$measured;
    my $precision = $measured->{precision};
    return _figure($measured, $NARROW)
        . (
          !defined $precision ? ''
        : $precision > $WIDE  ? " $PLUS_MINUS>999 %"
        :                       " $PLUS_MINUS" . part($precision)
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

# Returns columns of a figure and of how sure it is.
sub _interval_columns {
    my ($title, $label, $key) = @_;
    return ([ $title => sub { _figure($_[0]{$key}) } ],
        [ $label => sub { _plus_minus($_[0]{$key}) }, spare => 1 ]);
}

# Shows the table of the document and the scores; a page has room for both in one.
sub _compression {
    my ($compression) = @_;
    my $rows          = $compression->{rows};
    my $file          = _input($compression);
    my @lines         = (_mean($compression), _file($compression->{input}));
    my $of_document   = table(
        'MB/s of the fastest pass',
        [
            [ 'Compressor name' => 'name' ],
            _fastest('Compress.', 'Decompress.', 'Compr. size', 'Ratio'),
            [ Filename => sub { $file }, left => 1 ]
        ],
        $rows
    );
    my @scores = map { _interval_columns($_,      '95 %',      $_) } qw(compress decompress);
    my @all    = map { _interval_columns(ucfirst, $PLUS_MINUS, $_) } qw(compress decompress);
    push @all,
        map { [ @$_, more => 1 ] }
        _fastest('Fastest pass, compress', 'Fastest pass, decompress', 'Size', 'Ratio (%)');
    my $all = table(
        'MB/s: scores of all passes, and of the fastest one',
        [ [ Compressor => 'name' ], @all ],
        $rows, class => 'pinned'
    );
    return (
        [
            @NARROW, $of_document,
            @lines,  table('MB/s: scores of all passes', [ [ test => 'name' ], @scores ], $rows)
        ],
        [
            @WIDE,  [ text => "Input: $file" ],
            @lines, [ fold => @$rows == 1 ? 'All speeds' : 'All speeds of ' . @$rows . ' compressors', $all ]
        ]
    );
}

# Returns columns of the fastest pass with these titles.
sub _fastest {
    my ($there, $back, $size, $ratio) = @_;
    return (
        columns(sub { _speed($_[0]{ $_[1] }) }, [ $there => 'fastest' ], [ $back => 'fastest_back' ]),
        [ $size  => sub { _count($_[0]{size}) } ],
        [ $ratio => sub { defined $_[0]{ratio} ? sprintf '%.2f', $_[0]{ratio} : $UNKNOWN } ]
    );
}

sub _input {
    my ($compression) = @_;
    my $input = $compression->{input};
    return $input->{seeded} ? _count($input->{bytes}) . ' random bytes (seeded)' : $input->{name} // $UNKNOWN;
}

sub _mean {
    my ($compression) = @_;
    my ($mean, $levels, $copied) = @$compression{qw(mean levels copied)};
    my @means = (
        defined $mean
        ? _speed($mean) . ' MB/s of ' . plural($levels, 'level') . ' of zstd'
        : (),
        defined $copied ? _speed($copied) . ' MB/s of memcpy' : ()
    );
    return @means ? [ text => 'Mean decompression: ' . join ', ', @means ] : ();
}

# Describes an input file that the user named.
sub _file {
    my ($input) = @_;
    return if !defined $input->{file};
    my $bytes = defined $input->{bytes} ? _count($input->{bytes}) : 'unknown';
    return [
        text => [ 'input: ', brief($input->{file}, $WORDS), ", $bytes bytes" ],
        'SHA-256: ' . ($input->{sha256} // 'unknown')
    ];
}

sub _hashes {
    my ($hashes) = @_;
    my @runs = columns(
        sub { _short_time($_[0]{runs}[ $_[1] ]) },
        [ '1st run' => 0 ],
        [ '2nd run' => 1 ],
        [ '3rd run' => 2 ]
    );
    return (
        table(
            'Seconds of each of the first three passes; MB/s of all passes',
            [
                [ hash => 'title' ],
                [ by   => 'how', left => 1 ],
                @runs, _interval_columns('MB/s', '95 %', 'speed')
            ],
            $hashes->{rows},
            class => 'pinned'
        ),
        [
            points => 'data: '
                . (defined $hashes->{bytes} ? _count($hashes->{bytes}) . ' bytes' : 'of unknown size'),
            (defined $hashes->{libcrypto} ? [ 'libcrypto: ', brief($hashes->{libcrypto}, $WORDS) ] : ()),
            [ 'SHA instructions of the CPU: ', brief($hashes->{instructions} // 'unknown', $WORDS) ],
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
    my ($channel) = @_;
    my $second    = $channel->{per_second};
    my $many      = $second ? human(@$second{qw(value interval)}) : $UNKNOWN;
    my @rows      = (
        [ 'movements per second', $many, _plus_minus($second) ],
        map {
            my ($key, $label) = @$_;
            [ $label, _duration($channel->{$key}), _plus_minus($channel->{$key}) ]
        } [ emission => 'emission of 1,000 movements' ],
        [ reception => 'reception of 1,000 movements' ],
        [ p50       => 'latency, 50 % within' ],
        [ p99       => 'latency, 99 % within' ],
        [ 'p99.9'   => 'latency, 99.9 % within' ],
        [ max       => 'latency, largest' ]
    );
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
        [ points => [ 'lines: ', brief($line, $WORDS) ], _arrived($channel), _each_second($channel) ]
    );
}

# A pass of a single second would show its score again.
sub _each_second {
    my ($channel) = @_;
    my @each = map { sprintf '%.0f', $_ } @{ $channel->{seconds} } or return;
    return 'movements of each second: only in a pass of two seconds or more; with -i 1 it takes ten'
        if @each == 1;
    return lines("movements in each second of a pass (the last may be incomplete): @each", $LINE);
}

sub _duration {
    my ($measured) = @_;
    return $measured ? seconds(@$measured{qw(value interval)}) : $UNKNOWN;
}

sub _arrived {
    my ($channel) = @_;
    return if !grep { defined } @$channel{qw(emitted received)};
    my ($emitted, $received, $sessions) = map { _count($_) } @$channel{qw(emitted received sessions)};
    return "movements of a pass: $emitted emitted, $received received"
        . (defined $channel->{sessions} ? ", sessions: $sessions" : '');
}

sub _transfers {
    my ($transfers) = @_;
    my @rows        = @{ $transfers->{rows} };
    my @rates       = map {
        my ($title, $key) = @$_;
        [ $title => sub { _compact($_[0]{$key}) } ]
    } (map { [ $_ => $_ ] } qw(write read copy)), [ 'read back' => 'back' ];
    my $have_intervals = grep { $_ && defined $_->{precision} } map { @$_{qw(write read copy back)} } @rows;
    my @places         = map {
        my $place = $transfers->{$_};
        [
            "$_: ", brief($place->{directory} // 'unknown', $WORDS),
            ', ',   $place->{system} // 'file system unknown'
        ]
    } qw(medium depot);
    return (
        table(
            'MB/s' . ($have_intervals ? ", $PLUS_MINUS half of the 95 % interval" : ''),
            [
                [ files => sub { "$_[0]{files} $TIMES $_[0]{size}" } ],
                [ total => sub { _total($_[0]{bytes}) } ],
                @rates,
                [ reads => 'cold', left => 1 ]
            ],
            \@rows,
            class => 'pinned'
        ),
        [ points => @places, _partly(@rows) ],
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

# The tables are long and of interest to few. A terminal shows two systems at a time.
sub _published {
    my ($tables)     = @_;
    my @published    = @{ $tables->{published} };
    my @not_compared = map { "$_: no comparison" } @{ $tables->{not_compared} };
    return if !@published && !@not_compared;
    my @folds;
    for my $kind (@published) {
        my @systems = @{ $kind->{systems} };
        my @all     = _comparison($kind, @systems);
        my @pairs;
        push @pairs, _comparison($kind, splice @systems, 0, $SIDE_BY_SIDE) while @systems;
        push @folds, [ fold => $HEADING{ $kind->{kind} }, [ @NARROW, @pairs ], [ @WIDE, @all ] ];
    }
    return ([ heading => 'Published figures' ], @folds, @not_compared ? [ points => @not_compared ] : ());
}

sub _comparison {
    my ($published, @systems) = @_;
    my $notes   = notes('platform');
    my @titles  = map { { text => $_, brief => ($notes->{$_} || [ short($_, $SYSTEM) ])->[0] } } @systems;
    my @columns = columns(
        sub { _as_published($_[0]{figures}{ $_[1] }, $_[0]{unit}) },
        map { [ $titles[$_], $systems[$_] ] } 0 .. $#systems
    );
    my $what = sub {
        join ', ', grep { length } @{ $_[0] }{qw(part unit)};
    };
    return table(
        $notes->{ $published->{kind} }[0],
        [
            [ $FIRST{ $published->{kind} } => 'name' ],
            [ ''                           => $what, left => 1 ],
            [ $THIS                        => \&_plainly ],
            @columns
        ],
        $published->{rows},
        class => 'pinned'
    );
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
