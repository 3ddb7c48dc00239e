# SPDX-License-Identifier: GPL-2.0-or-later
# Suite::Platform::Published - the published figures of 2024 beside those of a run that were measured in the
# same way. Touchstone::Suite::Platform::Tables shows the result.
package Touchstone::Suite::Platform::Published;
use 5.014;
use strict;
use warnings;

use Touchstone::Base::Untrusted qw(as_hashes as_number as_text as_word);
use Touchstone::Suite::Platform::Rows;

my $SUITE = Touchstone::Suite::Platform::Rows->suite;
my ($MEMCPY, $CHANNEL) = qw(zstd-memcpy inputs);
my $LEVELS = grep { $_ ne $MEMCPY } @{ $SUITE->{groups}{compress} };

# The published figures were measured with an input of this many bytes, and hashes with these amounts of
# data.
my $INPUT     = 1_048_000;
my $INPUT_ROW = 'input';
my %DATA      = (100e6 => '100 MB', 3e9 => '3 GB');

# A session of the channel has this many movements.
my $SESSION = 1000;

# The key is our implementation of a hash, the value the published one that stands beside it.
my %COMPARABLE_HASH = (command => 'command', file => 'hashlib');

# A figure lies within these limits, the name of a system has this many letters, and this many systems are
# shown.
my ($LEAST, $MOST, $NAME, $MOST_SYSTEMS) = (1e-3, 999_999_999_999, 30, 6);

# Returns (published => [...], not_compared => [...]) for a block of a run and the rows of the published
# table.
sub comparison {
    my ($block, $rows) = @_;
    my $published = _published($rows);
    return (
        published    => [ map { _comparison($_, $published) } _comparable($block) ],
        not_compared => [ $published->{systems} ? _not_compared($block) : () ]
    );
}

# Returns the table by figure; `systems` is undef if the table has none:
#
#   { figure  => { test => { part => { system => number } } },
#     systems => [ in the order of the table ] }
sub _published {
    my ($rows) = @_;
    my (%figure, @systems, %seen);
    for my $row (as_hashes($rows)) {
        my ($system, $test, $part) =
            (as_text($row->{system}, $NAME), map { as_word($_) } @$row{qw(test part)});
        my $value = as_number($row->{figure}, $LEAST, $MOST);
        next if !defined $system || !defined $value;
        push @systems, $system if !$seen{$system}++;
        $figure{$test}{$part}{$system} = $value;
    }
    _put_ratios(\%figure);
    return { figure => \%figure, systems => @systems ? \@systems : undef };
}

# Inputs had several lengths, so a compressed size is comparable only as its ratio to the size of its input.
sub _put_ratios {
    my ($figure) = @_;
    my $input = ($figure->{zstd} || {})->{input} || {};
    for my $parts (grep { $_->{size} } values %$figure) {
        my $sizes = $parts->{size};
        delete @$sizes{ grep { !defined $input->{$_} } keys %$sizes };
        $parts->{ratio} = { map { $_ => $sizes->{$_} / $input->{$_} * 100 } keys %$sizes };
    }
}

# Returns what a block of one copy measured as the published figures were, as [kind, rows]. A row is [test,
# key, name, part, unit, what this machine has].
sub _comparable {
    my ($block) = @_;
    return if $block->{copies} != 1;
    my ($compression, $hashes, $channel, $transfers) = @$block{qw(compression hashes channel transfers)};
    return (
        $compression
            && _is_published_input($compression) ? [ compression => _compared_speeds($compression) ] : (),
        $hashes && _published_size($hashes) ? [ hashes  => _compared_hashes($hashes) ]    : (),
        $channel                            ? [ channel => _compared_sessions($channel) ] : (),
        $transfers ? [ transfers => map { _compared_rates($_) } @{ $transfers->{rows} } ] : ()
    );
}

sub _is_published_input {
    my ($compression) = @_;
    return $compression->{input}{seeded} && $compression->{input}{bytes} == $INPUT;
}

sub _published_size { my ($hashes) = @_; return defined $hashes->{bytes} ? $DATA{ $hashes->{bytes} } : undef }

sub _only {
    my ($value) = @_;
    return defined $value ? { value => $value, interval => undef, precision => undef } : undef;
}

sub _compared_speeds {
    my ($compression) = @_;
    my @rows = [ 'zstd', 'input', $INPUT_ROW, 'size', 'bytes', _only($compression->{input}{bytes}) ];
    for my $row (@{ $compression->{rows} }) {
        my @of = @$row{qw(test short)};
        push @rows, map { _row(@of, @$_) } [ 'compress', 'MB/s', _only($row->{fastest}) ],
            [ 'decompress', 'MB/s', _only($row->{fastest_back}) ];
        push @rows, map { _row(@of, @$_) } [ 'size', 'bytes', _only($row->{size}) ],
            [ 'ratio', '%', _only($row->{ratio}) ]
            if $row->{test} ne $MEMCPY;
    }

    # The published mean is over all levels, so a mean over some is not comparable.
    my $mean = $compression->{levels} == $LEVELS ? $compression->{mean} : undef;
    return (@rows, [ 'zstd', 'mean decompress', 'mean of levels', 'decompress', 'MB/s', _only($mean) ]);
}

# Returns a row whose key is its part.
sub _row { my ($test, $name, $part, @rest) = @_; return [ $test, $part, $name, $part, @rest ] }

# Returns speeds, and seconds where these are published.
sub _compared_hashes {
    my ($hashes) = @_;
    my $size = _published_size($hashes);
    return map {
        my $part = $COMPARABLE_HASH{ $_->{part} };
        (
            [ $_->{test}, "$part $size",         $_->{title}, $part, 'MB/s', $_->{speed} ],
            [ $_->{test}, "$part $size seconds", $_->{title}, $part, 's',    $_->{time} ]
        )
    } grep { defined $COMPARABLE_HASH{ $_->{part} } } @{ $hashes->{rows} };
}

sub _compared_rates {
    my ($row) = @_;
    return map { _row(@$row{qw(test size)}, $_->[0], 'MB/s', $row->{ $_->[1] }) } [ write => 'write' ],
        [ read => 'read' ], [ 'depot write' => 'copy' ];
}

# Returns a session as the document presents it. Its rates are movements in a tenth of a second, although it
# calls them it/cs, which would be a hundredth.
sub _compared_sessions {
    my ($channel) = @_;
    my $emission = $channel->{emission};
    return (
        [ $CHANNEL, 'iterations',  'session', 'movements', 'number',   _only($emission && $SESSION) ],
        [ $CHANNEL, 'emission ms', 'session', 'emission',  'ms',       _in_ms($emission) ],
        [ $CHANNEL, 'rate it/cs',  'session', 'rate',      'in 0.1 s', _in_a_tenth($emission) ]
    );
}

sub _in_a_tenth {
    my ($seconds) = @_;
    my $interval  = $seconds  && $seconds->{interval};
    my $limits    = $interval && $interval->[0] ? [ reverse @$interval ] : undef;
    return $seconds && _as($seconds, $limits, sub { $SESSION / 10 / $_[0] });
}

sub _in_ms {
    my ($seconds) = @_;
    return $seconds && _as($seconds, $seconds->{interval}, sub { $_[0] * 1000 });
}

sub _as {
    my ($measured, $limits, $in) = @_;
    my $interval = $limits && [ map { $in->($_) } @$limits ];
    return { %$measured, value => $in->($measured->{value}), interval => $interval };
}

# Returns the rows that are in both tables.
sub _comparison {
    my ($comparable, $published) = @_;
    my ($kind,       @rows)      = @$comparable;
    my (@both,       %seen);
    for my $row (grep { $_->[-1] } @rows) {
        my ($test, $key, %shown);
        ($test, $key, @shown{qw(name part unit this)}) = @$row;
        my $figures = ($published->{figure}{$test} || {})->{$key};
        next if !$figures || !%$figures;
        $seen{$_} = 1 for keys %$figures;
        push @both, { %shown, figures => $figures };
    }

    # The length of an input matters to sizes only.
    @both = grep { $_->{name} ne $INPUT_ROW } @both if !grep { $_->{unit} eq '%' } @both;
    my @systems = grep { $seen{$_} } @{ $published->{systems} || [] };
    $#systems = $MOST_SYSTEMS - 1 if @systems > $MOST_SYSTEMS;
    return @both ? { kind => $kind, systems => \@systems, rows => \@both } : ();
}

sub _not_compared {
    my ($block) = @_;
    return 'The published figures are of one copy' if $block->{copies} != 1;
    my ($compression, $hashes) = @$block{qw(compression hashes)};
    my $other = $compression && !_is_published_input($compression);
    return (
        $other ? 'Compression: the published figures are of about 1 MB of random bytes'                  : (),
        $hashes && !_published_size($hashes) ? 'Hashes: the published figures are of 100 MB and of 3 GB' : ()
    );
}

1;
