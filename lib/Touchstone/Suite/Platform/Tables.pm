# SPDX-License-Identifier: GPL-2.0-or-later
# Suite::Platform::Tables - what a run of the suite of 2024 says, as the tables of its document:
#
#   { blocks    => [ {
#         copies      => 1,
#         compression => COMPRESSION,      each undef where nothing of it was measured
#         hashes      => HASHES,
#         channel     => CHANNEL,
#         transfers   => TRANSFERS } ],
#     hardware  => HARDWARE,           or undef
#     published => [ {
#         kind    => 'compression',
#         systems => [ names ],
#         rows    => [ {
#             name    => 'zstd -1',
#             part    => 'compress',
#             unit    => 'MB/s',
#             this    => MEASURED,
#             figures => { system => 1130 } } ] } ],
#     apart     => [ 'why published figures are not side by side with those of this run' ] }
#
# COMPRESSION:
#
#   { library => 'zstd 1.5.4',
#     input   => { file => undef, name, bytes => 1048000, sha256, seeded => 1 },
#     levels  => 22,
#     mean    => 4170,
#     copied  => 5140,
#     rows    => [ {
#         test         => 'zstd-1',
#         name         => 'zstd 1.5.4 -1',
#         fastest      => 1130,
#         fastest_back => 4173,
#         size         => 1048034,
#         ratio        => 100.003,
#         compress     => MEASURED,
#         decompress   => MEASURED }, ... ] }
#
# HASHES:
#
#   { bytes        => 1e8,
#     libcrypto    => 'OpenSSL 3.0.17',
#     instructions => 'SHA-1, SHA-256',
#     rows         => [ {
#         test  => 'hash-md5',
#         title => 'MD5',
#         part  => 'command',
#         how   => 'md5sum 9.1',
#         runs  => [ 0.29, 0.3, 0.3 ],
#         speed => MEASURED,
#         time  => MEASURED }, ... ],
#     missing      => [ { how => 'libcrypto, file', why => 'it was not built', titles => ['MD5'] } ] }
#
# CHANNEL:
#
#   { kind       => 'pty',
#     per_second => MEASURED,
#     emission   => MEASURED,
#     reception, p50, p99, 'p99.9', max,
#     emitted    => 8000,
#     received, sessions,
#     seconds    => [ 4000, 4000 ] }
#
# TRANSFERS:
#
#   { medium => { directory, system },
#     depot  => { directory, system },
#     rows   => [ {
#         test  => 'transfer-10kb',
#         size  => '10 KB',
#         files => 100,
#         bytes => 1e6,
#         write => MEASURED,
#         read, copy, back,
#         cold  => 'partly',
#         parts => { read => 'cold', copy => 'cold', back => 'warm' } }, ... ] }
#
# HARDWARE, as far as the record tells:
#
#   { architecture   => 'x86_64',
#     cpus           => [ { model => 'Intel Celeron N4020', bogomips => 2188, count => 2 } ],
#     online         => 2,
#     cores          => 2,
#     memory_kb      => 3892312,
#     video          => 'Intel Corporation UHD Graphics 600',
#     virtualisation => 'xen 4.17.2',
#     container      => 'none' }
#
# MEASURED: { value, interval => [low, high] or undef, precision => half of it as a part of the value },
# undef where not known. Speeds in MB/s, times in seconds.
package Touchstone::Suite::Platform::Tables;
use 5.014;
use strict;
use warnings;

use List::Util qw(first max sum);

use Touchstone::Base::Untrusted qw(as_hash as_hashes as_number as_text as_word);
use Touchstone::Stats qw(mean);
use Touchstone::Suite::Platform::Published;
use Touchstone::Suite::Platform::Rows;

my $TABLE = 'platform';
my $SUITE = Touchstone::Suite::Platform::Rows->suite;
my %TITLE = map { $_->{name} => $_->{title} =~ s/\A(?:Hash|File Transfer) //r } @{ $SUITE->{tests} };

# Facts about the files of a transfer.
my %FILES = map { $_->{name} => { each => $_->{args}[1], count => $_->{args}[2] } }
    grep { ($_->{program} // '') eq 'transfer' } @{ $SUITE->{tests} };
my ($COMPRESS, $HASH, $TRANSFER) = map { $SUITE->{groups}{$_} } qw(compress hash transfer);
my ($MEMCPY, $CHANNEL) = qw(zstd-memcpy inputs);
my $MB = 1e6;

# A figure of a stranger's record beyond these is no measurement: [least, most] of speeds, those of a medium,
# seconds, counts, bytes.
my ($SPEED, $MEDIUM, $SECONDS, $COUNT, $BYTES) =
    ([ 1e-4, 1e7 ], [ 1e-4, 1e6 ], [ 1e-9, 99_999 ], [ 1, 1e9 ], [ 1, 999_999_999_999 ]);
my ($COPIES, $SCORE) = ([ 1, 1e6 ], [ 1e-9, 1e12 ]);

# A ratio in per cent has at most this figure. A read is cold or warm as a whole beyond these parts: the rest
# is rounding.
my ($MOST_RATIO, $COLD, $WARM) = (9_999, 0.995, 0.005);

# The document prints so many runs, and a report shows so many seconds of a channel.
my ($RUNS, $MOST_SECONDS) = (3, 60);

# Words of others have at most so many letters: a library, a file in a table, a fact, a reason, a place.
my ($NAME, $FILE, $FACT, $WHY, $PLACE) = (11, 28, 30, 45, 200);

# Implementations of a hash, and what the report calls them.
my @IMPLEMENTATIONS =
    ([ command => undef ], [ file => 'libcrypto, file' ], [ memory => 'libcrypto, memory' ]);

# The tables of a run whose facts have `published` rows; nothing when no test of the suite was measured.
sub tables {
    my ($facts, $results) = @_;
    my $with   = { map { $_ => as_hash($facts->{$_}) } qw(equipment host) };
    my @blocks = grep { $_->{compression} || $_->{hashes} || $_->{channel} || $_->{transfers} }
        map { _block($_, $facts, $with) } as_hashes($results->{blocks});
    return if !@blocks;
    @blocks = sort { $a->{copies} <=> $b->{copies} } @blocks;
    my $published = as_hash($facts->{published})->{$TABLE};
    return {
        blocks   => \@blocks,
        hardware => scalar _hardware($with->{host}),
        Touchstone::Suite::Platform::Published::comparison($blocks[0], $published)
    };
}

sub _block {
    my ($results, $facts, $with) = @_;
    my $copies = as_number($results->{copies}, $COPIES) // 1;
    my %test =
        map { as_word($_->{name}) => $_ }
        grep { defined as_number($_->{score}, $SCORE) } as_hashes($results->{tests});
    my %of = (
        %$with,
        copies => $copies,
        tests  => \%test,
        passes => [
            grep {
                       (as_number($_->{copies}, $COPIES) // 0) == $copies
                    && (as_number($_->{round}, $COUNT) // 0) > 0
            } as_hashes($facts->{passes})
        ]
    );
    return {
        copies      => $copies,
        compression => scalar _compression(\%of),
        hashes      => scalar _hashes_of(\%of),
        channel     => scalar _channel(\%of),
        transfers   => scalar _transfers(\%of)
    };
}

# The score of a result, or of one of its measures, with its interval: a MEASURED.
sub _measured {
    my ($result, $limits) = @_;
    my $value = as_number($result->{score}, $limits) // return undef;
    my ($low, $high) = map { as_number($_, 0, $limits->[1]) }
        ref $result->{interval} eq 'ARRAY' && @{ $result->{interval} } == 2 ? @{ $result->{interval} } : ();
    return { value => $value, interval => undef, precision => undef }
        if !defined $low || !defined $high || $low > $high;
    return { value => $value, interval => [ $low, $high ], precision => ($high - $low) / 2 / $value };
}

# A measure of a result by its name, or nothing.
sub _measure {
    my ($test, $name) = @_;
    return as_hash(first { as_word($_->{name}) eq $name } as_hashes($test->{measures}));
}

# A figure of one copy: a record has the sum of all copies.
sub _figure {
    my ($model, $test, $name, $limits) = @_;
    my $sum = as_number(as_hash($test->{figures})->{$name}, 0, $limits->[1] * $model->{copies});
    return defined $sum ? as_number($sum / $model->{copies}, $limits) : undef;
}

sub _equipment { my ($model, $kind) = @_; return as_hash($model->{equipment}{$kind}) }

sub _compression {
    my ($model) = @_;
    my $facts   = _equipment($model, 'input');
    my $library = as_text($facts->{library}, $NAME);
    my @rows =
        map  { _compressor($model, $_, $library, as_number($facts->{bytes}, $BYTES)) }
        grep { $model->{tests}{$_} } @$COMPRESS
        or return;
    my @back     = grep { defined } map { $_->{fastest_back} } grep { $_->{test} ne $MEMCPY } @rows;
    my ($copied) = map  { $_->{fastest_back} } grep { $_->{test} eq $MEMCPY } @rows;
    return {
        library => $library,
        input   => _input($facts, $model, @rows),
        rows    => \@rows,
        levels  => scalar @back,
        mean    => @back ? mean(@back) : undef,
        copied  => $copied
    };
}

sub _compressor {
    my ($model, $name, $library, $bytes) = @_;
    my $test = $model->{tests}{$name};
    my ($size, $input) = map { _figure($model, $test, $_, $BYTES) } qw(size input);
    $input //= $bytes;
    my $ratio = defined $size && defined $input ? $size / $input * 100 : undef;
    return {
        test         => $name,
        name         => $name eq $MEMCPY ? 'memcpy' : ($library // 'zstd') . ' -' . ($name =~ /(\d+)\z/a)[0],
        short        => $name eq $MEMCPY ? 'memcpy' : 'zstd -' . ($name =~ /(\d+)\z/a)[0],
        fastest      => scalar _fastest($model, $name, 'fastest'),
        fastest_back => scalar _fastest($model, $name, 'decompress-fastest'),
        size         => $size,
        bytes        => $input,
        ratio        => defined $ratio && $ratio <= $MOST_RATIO ? $ratio : undef,
        compress     => _measured($test,                         $SPEED),
        decompress   => _measured(_measure($test, 'decompress'), $SPEED),
    };
}

# The speed of the pass whose copies together were the fastest.
sub _fastest {
    my ($model, $name, $figure) = @_;
    my @sums;
    for my $pass (grep { as_word($_->{test}) eq $name } @{ $model->{passes} }) {
        my @each = map { as_number($_->{$figure}, $SPEED) } as_hashes($pass->{figures});
        push @sums, sum(@each) if @each == $model->{copies} && !grep { !defined } @each;
    }
    return @sums ? as_number(max(@sums), $SPEED) : undef;
}

# The usual input comes from a seed and is no file.
sub _input {
    my ($facts, $model, @rows) = @_;
    my $sha256 = as_word($facts->{sha256});
    my $file =
        $sha256 eq 'seeded' || as_word($facts->{file}) eq 'seeded'
        ? undef
        : as_text($facts->{file}, $PLACE);
    my $bytes = as_number($facts->{bytes}, $BYTES) // first { defined } map { $_->{bytes} } @rows;
    return {
        file => $file,
        name => defined $file
        ? as_text(as_word($facts->{file}) =~ s{\A.*/(?=[^/])}{}sr, $FILE)
        : undef,
        bytes  => $bytes,
        sha256 => $sha256 =~ /\A[0-9a-f]{64}\z/               ? $sha256 : undef,
        seeded => %$facts && !defined $file && defined $bytes ? 1       : 0,
    };
}

sub _hashes_of {
    my ($model) = @_;
    my $facts   = _equipment($model, 'data');
    my @names   = grep { $model->{tests}{$_} } @$HASH or return;
    my $bytes   = as_number($facts->{bytes}, $BYTES)
        // first { defined } map { _figure($model, $model->{tests}{$_}, 'bytes', $BYTES) } @names;
    return {
        bytes        => $bytes,
        libcrypto    => as_text($facts->{libcrypto},              $PLACE),
        instructions => as_text($model->{host}{sha_instructions}, $PLACE),
        rows         => [ map { _implementations($model, $_, $facts, $bytes) } @names ],
        missing      => [ _missing($model, @names) ],
    };
}

# A row for each implementation that was measured.
sub _implementations {
    my ($model, $name, $facts, $bytes) = @_;
    my $test    = $model->{tests}{$name};
    my $command = ($name =~ s/\Ahash-//r) . 'sum';
    my $version = as_text($facts->{$command}, $FACT);
    $command =
          !defined $version              ? $command
        : $version =~ /\A\Q$command\E\b/ ? $version
        :                                  as_text("$command $version", $FACT);
    my @rows;
    for my $kind (@IMPLEMENTATIONS) {
        my ($part, $how) = @$kind;
        my $result = $part eq 'command' ? $test : _measure($test, $part);
        my $speed  = _measured($result, $SPEED) or next;
        push @rows,
            {
            test  => $name,
            title => $TITLE{$name},
            part  => $part,
            how   => $how // $command,
            runs  => [ _runs($model, $result, $bytes) ],
            speed => $speed,
            time  => scalar _time($model, $speed, $bytes)
            };
    }
    return @rows;
}

# Seconds that each copy took for the data in the first passes, as the document prints them.
sub _runs {
    my ($model, $result, $bytes) = @_;
    my @rates = ref $result->{rates} eq 'ARRAY' ? @{ $result->{rates} } : ();
    return map {
        my $rate = as_number($rates[$_], $SPEED);
        defined $rate && defined $bytes
            ? as_number($bytes * $model->{copies} / $rate / $MB, $SECONDS)
            : undef
    } 0 .. $RUNS - 1;
}

# Seconds for the data.
sub _time {
    my ($model, $speed, $bytes) = @_;
    return undef if !defined $bytes;
    my $mb       = $bytes * $model->{copies} / $MB;
    my $interval = $speed->{interval};
    return _measured(
        {
            score    => $mb / $speed->{value},
            interval => $interval && $interval->[0] > 0 ? [ map { $mb / $_ } reverse @$interval ] : undef
        },
        $SECONDS
    );
}

# Each part and reason once, with the algorithms that lack it.
sub _missing {
    my ($model, @names) = @_;
    my (@missing, %seen);
    for my $name (@names) {
        for my $lack (as_hashes($model->{tests}{$name}{missing})) {
            my $part =
                first { $_->[0] eq as_word($lack->{name}) } @IMPLEMENTATIONS[ 1, 2 ]
                or next;
            my $why = as_text($lack->{why}, $WHY) // next;
            next if _measured(_measure($model->{tests}{$name}, $part->[0]), $SPEED);
            my $entry = $seen{"$part->[0] $why"} ||=
                do { push @missing, { how => $part->[1], why => $why, titles => [] }; $missing[-1] };
            push @{ $entry->{titles} }, $TITLE{$name};
        }
    }
    return @missing;
}

# Counts that belong together, such as sessions and their movements: those of the pass in the middle, of all
# its copies. Medians taken one by one need not fit each other.
sub _middle_pass {
    my ($model, $name) = @_;
    my @counted;
    for my $pass (grep { as_word($_->{test}) eq $name } @{ $model->{passes} }) {
        my %sum;
        for my $copy (as_hashes($pass->{figures})) {
            $sum{$_} += as_number($copy->{$_}, 0, $COUNT->[1]) // 0 for keys %$copy;
        }
        push @counted, \%sum if defined $sum{emitted};
    }
    @counted = sort { $a->{emitted} <=> $b->{emitted} } @counted;
    return @counted ? $counted[ int($#counted / 2) ] : undef;
}

sub _channel {
    my ($model) = @_;
    my $test    = $model->{tests}{$CHANNEL} or return;
    my $figures = _middle_pass($model, $CHANNEL) // as_hash($test->{figures});
    my @seconds;
    while (@seconds < $MOST_SECONDS) {
        push @seconds, as_number($figures->{ 'second-' . (1 + @seconds) }, 0, $COUNT->[1]) // last;
    }
    return {
        kind       => as_text(_equipment($model, 'channel')->{kind}, $PLACE),
        per_second => _measured($test, $COUNT),
        seconds    => \@seconds,
        (map { $_ => as_number($figures->{$_}, 0, $COUNT->[1]) } qw(emitted received sessions)),
        map { $_ => _measured(_measure($test, $_), $SECONDS) } qw(emission reception p50 p99 p99.9 max),
    };
}

sub _transfers {
    my ($model) = @_;
    my $places  = _equipment($model, 'places');
    my @rows    = map { _transfer($model, $_) } grep { $model->{tests}{$_} } @$TRANSFER or return;
    return {
        rows => \@rows,
        map {
            $_ => {
                directory => as_text($places->{$_},        $PLACE),
                system    => as_text($places->{"${_}_fs"}, $FACT)
            }
        } qw(medium depot)
    };
}

sub _transfer {
    my ($model, $name)  = @_;
    my ($test,  $files) = ($model->{tests}{$name}, $FILES{$name});
    my %cold = map {
        my $share = _figure($model, $test, "cold-$_", [ 0, 1 ]);
        ($_ => !defined $share ? undef : $share >= $COLD ? 'cold' : $share <= $WARM ? 'warm' : 'partly')
    } qw(read copy back);
    my %kinds = map { $_ => 1 } my @known = grep { defined } values %cold;
    return {
        test  => $name,
        size  => $TITLE{$name},
        copy  => _measured($test, $MEDIUM),
        files => $files->{count},
        bytes => $files->{count} * $files->{each},
        (map { $_ => _measured(_measure($test, $_), $MEDIUM) } qw(write read back)),
        cold  => @known < keys %cold ? undef : keys %kinds == 1 ? $known[0] : 'partly',
        parts => \%cold,
    };
}

# --- the hardware

# A fact has at most this many letters, and this many kinds of CPU are shown. A number outside of its limits
# is not believed.
my ($LETTERS, $MOST_KINDS) = (50, 4);
my ($KB, $BOGOMIPS) = ([ 1, 1e12 ], [ 1e-2, 1e6 ]);

# Returns facts about the host of a record, undef where unknown; nothing if the record knows none of them.
sub _hardware {
    my ($host) = @_;
    my %fact = (
        architecture => _known($host->{machine}),
        online       => as_number($host->{online_cpus}, $COPIES),
        cores        => as_number($host->{cores},       $COPIES),
        memory_kb    => as_number($host->{memory_kb},   $KB),
        video        => scalar _video($host),
        map { $_ => _known($host->{$_}) } qw(virtualisation container),
    );
    my @cpus = _kinds($host->{cpus});
    return @cpus || (grep { defined } values %fact) ? { %fact, cpus => \@cpus } : undef;
}

sub _known {
    my ($fact) = @_;
    my $text = as_text($fact, $LETTERS) // return undef;
    return $text eq 'unknown' ? undef : $text;
}

# A board may name no maker, or have the maker's name in its own.
sub _video {
    my ($host) = @_;
    my ($vendor, $model) = map { _known($host->{"video_$_"}) } qw(vendor model);
    return $vendor if !defined $model || $model eq ($vendor // '');
    return _known(join ' ', grep { defined } $vendor, $model);
}

# Counts the CPUs of each model, in the order of the record. bogomips are those of the first.
sub _kinds {
    my ($cpus) = @_;
    my (@kinds, %kind);
    for my $cpu (as_hashes($cpus)) {
        my $model    = _known($cpu->{model}) // next;
        my $bogomips = as_number($cpu->{bogomips}, $BOGOMIPS);
        push @kinds, $kind{$model} = { model => $model, bogomips => $bogomips } if !$kind{$model};
        $kind{$model}{count}++;
    }
    return @kinds <= $MOST_KINDS ? @kinds : @kinds[ 0 .. $MOST_KINDS - 1 ];
}

1;
