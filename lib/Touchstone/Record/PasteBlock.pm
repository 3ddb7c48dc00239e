# SPDX-License-Identifier: GPL-2.0-or-later
# Record::PasteBlock - what the results of a run follow from, as a block of text that can be pasted and read
# back:
#
#   -----BEGIN TOUCHSTONE RUN vm-2026-11-21-01-----
#   eNrtvXt0G8eVJv63 ...
#   -----END TOUCHSTONE RUN 13812 bytes, crc32 1a2b3c4d-----
#
# This is base64 of a zlib stream of the record as JSON, thinned by thinned(). Bytes
# and checksum are those of the stream. CRC-32 and not SHA-256: it comes with zlib, without which there is no
# block, and against forgery neither would help. Lines are short enough to be quoted in mail without
# being wrapped.
package Touchstone::Record::PasteBlock;
use 5.014;
use strict;
use warnings;

use List::Util qw(max min);
use MIME::Base64 qw(decode_base64 encode_base64);

use Touchstone::Base::Direction;
use Touchstone::Base::Text qw(percent_encoded plain);
use Touchstone::Record::Json;
use Touchstone::Record::Largest;
use Touchstone::Score::Rate;
use Touchstone::Suite;

my $LINE = 72;
my $BEST = 9;

# A longer stream leaves the slices of many copies out: with its tables a report would exceed the limit of
# many forums.
my $LONG = 18_000;

# A small block must not become a large text: that grows in pieces, so that it cannot grow far beyond its
# limit.
my $PIECE = 1_000;

my $SHOWN  = 40;
my $DASHES = '-----BEGIN';
my $ZLIB   = 'this Perl has no Compress::Zlib';

# These characters stand between words where lines were wrapped, quoted or made a page.
my $TAG   = qr/<[^<>]{1,500}>/;
my $GAP   = qr/(?>[\s>|]+|&gt;|&nbsp;|\xc2\xa0|$TAG){1,100}/a;
my $NAME  = qr/[\w.%](?:-?[\w.%]){0,800}/a;
my $BEGIN = qr/-----BEGIN${GAP}TOUCHSTONE${GAP}RUN${GAP}($NAME)-----/;
my $END =
    qr/-----END${GAP}TOUCHSTONE${GAP}RUN${GAP}(\d{1,9})${GAP}bytes,${GAP}crc32${GAP}([0-9a-f]{8})-----/a;

# Letters that are no part of any line: blanks, also those of no width, marks of quotations and tables, and
# what fills the last line of other people's base64.
my $EMPTY_ELEMENT = qr/[\s>|]|\xc2[\xa0\xad]|\xe2\x80[\x8b-\x8f]|\xe2\x81\xa0|\xef\xbb\xbf|=3D|=/a;
my %ENTITY        = (amp => '&', gt => '>', lt => '<', nbsp => ' ', plus => '+', sol => '/', equals => '=');

# The block of a document (Record), { text }, or { why => there is none }.
sub block {
    my ($record) = @_;
    _has_zlib() or return { why => "$ZLIB, so there is nothing here that could be read back" };
    my $bytes = _compressed(thinned($record));
    my $short =
        length $bytes > $LONG
        ? _compressed(thinned($record, short => 1))
        : $bytes;
    $bytes = $short if length $short < length $bytes;
    return {
        text => join '',
        map { "$_\n" } '-----BEGIN TOUCHSTONE RUN ' . _worded($record->{name}) . '-----',
        (encode_base64($bytes, "") =~ tr{=}{}dr) =~ /(.{1,$LINE})/g,
        sprintf(
            '-----END TOUCHSTONE RUN %d bytes, crc32 %08x-----',
            length $bytes,
            Compress::Zlib::crc32($bytes)
        )
    };
}

sub _compressed {
    my ($thin) = @_;
    return Compress::Zlib::compress(Touchstone::Record::Json::encode_line($thin), $BEST);
}

sub _has_zlib {
    return eval { require Compress::Zlib; 1 }
}

# A name as a word in which no row of dashes begins.
sub _worded {
    my ($name) = @_;
    return percent_encoded($name, qr/[^\w.-]|\A-|(?<=-)-|-\z/a);
}

# True if a text that is no record itself holds blocks.
sub holds {
    my ($text) = @_;
    return $text !~ /\A(?:\xef\xbb\xbf)?\s*\{/a && $text =~ /-----(?:BEGIN|END)${GAP}TOUCHSTONE${GAP}RUN\b/a;
}

# The data of the block of that name, or of the only one.
sub read_text {
    my ($text, $name) = @_;
    _has_zlib()
        or die
        "$ZLIB\ninstall it: the package perl-IO-Compress on Fedora and similar systems, otherwise perl\n";
    my @blocks = _blocks($text);
    die "it has no first line of a block (-----BEGIN TOUCHSTONE RUN ...)\n" if !@blocks;
    my $all    = _list(@blocks);
    my @wanted = grep { !defined $name || $_->{name} eq $name || $_->{name} eq _worded($name) } @blocks;
    die "it holds no run '$name', only $all\n"                           if !@wanted;
    die "it holds several runs: add a colon and the name of one: $all\n" if _list(@wanted) =~ /,/;
    my $data = eval { Touchstone::Record::Json::decode(_inflated(_stream(@wanted))) };
    return $data // die "the block '$wanted[0]{name}' ",
        $@ =~ s/\A(?=line \d)/holds no record: /ar || "is empty\n";
}

# All blocks of a text, in their order, as { name, data } or { name, why }. A block that is quoted again
# counts once.
sub all {
    my ($text) = @_;
    _has_zlib() or die "$ZLIB\n";
    my (%seen, @found);
    my ($left, $bytes) = (undef, $Touchstone::Record::Largest::OF_BLOCKS);
    for my $block (_blocks($text)) {
        my $stream = eval { _bytes($block) };
        my $why    = $@;
        next if defined $stream && $seen{$stream}++;
        my $data =
            defined $stream
            ? eval { Touchstone::Record::Json::decode(_inflated($stream, \$bytes), left => \$left) }
            : undef;
        $why = $@ if defined $stream;
        push @found,
            { name => $block->{name}, defined $data ? (data => $data) : (why => $why =~ s/\n+\z//r) };
    }
    return @found;
}

# The stream of blocks of one name: a thread quotes, and not always a whole block.
sub _stream {
    my (@blocks) = @_;
    my @found = map {
        eval { { bytes => _bytes($_) } }
            || { trouble => $@ }
    } @blocks;
    my %whole = map { $_->{bytes} => 1 } grep { defined $_->{bytes} } @found;
    die $found[0]{trouble}                                            if !%whole;
    die "is there more than once with different contents: keep one\n" if keys %whole > 1;
    return keys %whole;
}

sub _list {
    my (@blocks) = @_;
    my %seen;
    return join ', ', grep { !$seen{$_}++ } map { $_->{name} } @blocks;
}

# ({ name, body, line => of the first line of the body, end => [bytes, crc32] or undef where it does not end
# as a block does }, ...)
sub _blocks {
    my ($text) = @_;
    my ($line, @blocks) = (1);
    for (my ($position, $next) = (0); $position < length $text; $position = $next) {
        $next = _next_begin($text, $position + 1);
        my $part = substr $text, $position, $next - $position;
        if ($part =~ s/\A($BEGIN)//) {
            my ($first, $name) = ($1, $2);
            my ($body, $behind) = split /(?=-----END\b)/a, $part, 2;
            $line += $first =~ tr/\n//;
            die
                "it holds more than $Touchstone::Record::Largest::BLOCKS blocks, which is too many for a text\n"
                if @blocks >= $Touchstone::Record::Largest::BLOCKS;
            push @blocks,
                {
                name => $name,
                body => $body // '',
                line => $line,
                end  => defined $behind && $behind =~ /\A$END/ ? [ $1, $2 ] : undef
                };
        }
        $line += $part =~ tr/\n//;
    }
    return @blocks;
}

# Where the next row of dashes of a first line is, or the end. A list of all parts would be as large again.
sub _next_begin {
    my ($text, $position) = @_;
    $position++
        while ($position = index $text, $DASHES, $position) >= 0
        && substr($text, $position + length $DASHES, 1) =~ /\w/a;
    return $position < 0 ? length $text : $position;
}

# The stream of a block. Dies with what is wrong, as the end of a sentence.
sub _bytes {
    my ($block) = @_;
    die "is cut off: its last line (-----END TOUCHSTONE RUN ...) is missing\n" if !$block->{end};
    my $bytes = decode_base64(_letters($block));
    my ($length, $sum) = @{ $block->{end} };
    die 'is damaged: it has ' . length($bytes) . " bytes, and $length by its last line\n"
        if length $bytes != $length;
    die "is damaged: its checksum is wrong\n" if sprintf('%08x', Compress::Zlib::crc32($bytes)) ne $sum;
    return $bytes;
}

# The letters of all lines, without what mail, forums and pages put around them.
sub _letters {
    my ($block) = @_;
    my ($line, $letters) = ($block->{line}, '');
    while ($block->{body} =~ /([^\n]+|\n)/g) {
        if   ($1 eq "\n") { $line++ }
        else              { $letters .= _of_line($1, $line) }
        die 'is ', Touchstone::Record::Largest::than($Touchstone::Record::Largest::BLOCK, 'run'), "\n"
            if length $letters > $Touchstone::Record::Largest::BLOCK;
    }
    return $letters;
}

sub _of_line {
    my ($text, $line) = @_;
    return $text if $text =~ m{\A[A-Za-z0-9+/]*\z};
    $text                 =~ s/$TAG//g;
    $text                 =~ s/&(?:#(\d{1,6})|#x([0-9a-f]{1,5})|(\w{1,8}));/_character($1, $2, $3)/giae;
    $text                 =~ s/$EMPTY_ELEMENT//g;
    return $text if $text !~ m{[^A-Za-z0-9+/]};
    die "is damaged: line $line does not belong to a block: '", plain(substr $text, 0, $SHOWN), "'\n";
}

sub _character {
    my ($decimal, $hex, $word) = @_;
    my $code = defined $decimal ? $decimal : defined $hex ? hex $hex : ord($ENTITY{ lc $word } // '?');
    return $code == 0xa0 ? ' ' : $code < 0x7f ? chr $code : '?';
}

# The text of a stream; it stops where no run would be so long. `left`: the bytes that all may still have.
sub _inflated {
    my ($bytes, $left) = @_;
    my ($stream) = Compress::Zlib::inflateInit() or die "cannot be read: zlib failed\n";
    my $text = '';
    while (length $bytes) {
        my ($out, $status) = $stream->inflate(my $piece = substr $bytes, 0, $PIECE, '');
        $text .= $out // '';
        die 'is ', Touchstone::Record::Largest::than($Touchstone::Record::Largest::BLOCK, 'run'), "\n"
            if length $text > $Touchstone::Record::Largest::BLOCK;
        die "holds too much together with those before it\n"
            if $left && ($$left -= length($out // '')) < 0;
        return $text                      if $status == Compress::Zlib::Z_STREAM_END();
        die "is damaged: not zlib data\n" if $status != Compress::Zlib::Z_OK();
    }
    return die "is damaged: its data ends too early\n";
}

# A thinned record lacks what its results do not need. Every score, interval, index, verdict and mark of
# disturbance that is computed from it is the same to the last digit; undisturbed speeds and consistency
# follow from slices, which it has not. docs/files.md lists what is left out.

# These keys are kept as they are. The list leaves out what is computed (results, scaling, beside) and what
# only a run that goes on needs.
my @KEPT = (
    qw(format name started ended utc_offset brief pin price tool build resumed purpose duet set baseline),
    qw(scaling_wanted status passport suites locale schedule tests indexes against published blocks warnings),
    map { s/\?\z//r } sort keys %{ Touchstone::Suite::record_keys() }
);
my @PASS = qw(test copies round window timebase unit counts times team seen how figures units missing);

# These facts about the host explain no score, and may tell more about a stranger's machine than belongs into
# a forum.
my @PRIVATE = qw(cmdline work_directory);

# Score::Disturbance reads these counters; @ALWAYS are kept even when they are 0.
my @COUNTERS = qw(steal throttled other swapped hot psi_memory);
my @ALWAYS   = qw(seconds psi_io psi_cpu);

# Times keep this many decimals, in seconds: when a pass began matters to pictures only.
my %DECIMALS = (started => 1, seconds => 2);

# With `short` only the time that the copies had in common stays, and not the slices that it follows from.
sub thinned {
    my ($record, %as) = @_;
    my %thin = (compact => 1, map { $_ => $record->{$_} } grep { defined $record->{$_} } @KEPT);
    $thin{host} = { %{ $record->{host} } };
    delete @{ $thin{host} }{@PRIVATE};
    my %used = map { $_->{category} => 1 } @{ $record->{tests} }, @{ $record->{indexes} || [] };
    $thin{categories} = [ grep { $used{ $_->{key} } } @{ $record->{categories} } ];
    $thin{programs}   = $record->{programs} =~ s{.*/}{}sr
        if defined $record->{duet} && defined $record->{programs};
    $thin{equipment} =
        { map { $_ => _without($record->{equipment}{$_}, 'path') } keys %{ $record->{equipment} || {} } };
    $thin{$_} = [ map { _without($_, 'output') } @{ $record->{$_} } ] for qw(failures skipped);
    $thin{passes} = [ map { _pass($_, $as{short}) } grep { $_->{round} } @{ $record->{passes} } ];
    return \%thin;
}

sub _without {
    my ($hash, @keys) = @_;
    my %rest = map { $_ => $hash->{$_} } grep { defined $hash->{$_} } keys %$hash;
    delete @rest{@keys};
    return \%rest;
}

sub _pass {
    my ($pass, $short) = @_;
    my %thin = map { $_ => $pass->{$_} } grep { defined $pass->{$_} } @PASS;
    $thin{$_} = sprintf('%.*f', $DECIMALS{$_}, $pass->{$_}) + 0
        for grep { defined $pass->{$_} } keys %DECIMALS;

    # Reports show the CPU time of fixed work.
    if ($pass->{unit} eq $Touchstone::Base::Direction::SECONDS) {
        $thin{$_} = $pass->{$_} for grep { $pass->{$_} } qw(user sys);
    }
    $thin{duet_blocks} = [ map { _turns($_) } @{ $pass->{duet_blocks} } ] if $pass->{duet_blocks};
    my $counters = _counters($pass->{counters});
    $thin{counters} = $counters if $counters;
    my $common = ($short || $pass->{common})
        && @{ $pass->{counts} } > 1 ? Touchstone::Score::Rate::common($pass) : undef;
    return { %thin, $common ? (common => $common, _no_progress($pass)) : _progress($pass) };
}

# The times of turns to a microsecond: a ratio of builds has no finer digits.
sub _turns {
    my ($text) = @_;
    return join ' ', map {
        my ($place, $wall, $cpu, @rest) = split /:/;
        join ':', $place, (map { $_ < 1000 ? $_ : 1000 * int($_ / 1000 + 0.5) } $wall, $cpu), @rest
    } split / /, $text;
}

sub _counters {
    my ($c) = @_;
    return if !$c || ($c->{seconds} // 0) <= 0;
    return {
        (map { $_ => $c->{$_} } grep { $c->{$_} } @COUNTERS),
        map { $_ => $c->{$_} } grep { defined $c->{$_} } @ALWAYS
    };
}

# Returns starts and slices. One copy needs none. Each of several copies needs the slices around the
# beginning and the end of their common time, and its last one. All times of a pass count from its first
# start.
sub _progress {
    my ($pass) = @_;
    my ($starts, $slices) = @$pass{qw(starts slices)};
    my @copies = 0 .. $#{ $pass->{counts} };
    my @known  = grep { length($slices->[$_] // '') && defined $starts->[$_] } @copies;
    return _no_progress($pass) if @copies == 1 || @known < @copies;
    my @lists = map { [ split / / ] } @$slices;
    return (starts => $starts, slices => $slices) if grep { !@$_ } @lists;
    my $first = min(@$starts);
    my ($from, $to) = (max(@$starts), min(map { $starts->[$_] + _when($lists[$_][-1]) } @copies));
    return (
        starts => [ map { $_ - $first } @$starts ],
        slices =>
            [ map { join ' ', _needed($lists[$_], $from - $starts->[$_], $to - $starts->[$_]) } @copies ]
    );
}

sub _no_progress {
    my ($pass) = @_;
    return map {
        $_ => [ map { undef } @{ $pass->{counts} } ]
    } qw(starts slices);
}

sub _when { my ($slice) = @_; return (split /:/, $slice)[0] }

# Returns the slices that a count between two slices is worked out from, at each of these times: the last
# before it, and the first that is not. Their CPU times go.
sub _needed {
    my ($slices, @times) = @_;
    my %needed = ($#$slices => 1);
    for my $time (grep { $_ > 0 } @times) {
        my ($after) = grep { _when($slices->[$_]) >= $time } 0 .. $#$slices;
        $needed{$_} = 1 for grep { defined && $_ >= 0 } defined $after ? ($after - 1, $after) : ();
    }
    return map { s/\A[^:]*:[^:]*\K:.*//r } @$slices[ sort { $a <=> $b } keys %needed ];
}

1;
