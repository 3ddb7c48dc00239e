# SPDX-License-Identifier: GPL-2.0-or-later
# Damaged and forged records and other texts are read, or refused with a message that names the file or the
# line; no report fails because of what was read. t/fuzz/readers.pl does the same with many more.
use 5.014;
use strict;
use warnings;

use File::Temp ();
use Test::More;

use lib 't/lib';
use Amount;
use CpuTime;
use Mutation;
use Example;
use Touchstone::Record::Json;

my $dir     = File::Temp->newdir;
my %readers = map { $_->{name} => $_ } Mutation::readers($dir);

# `case` is named if a text makes a reader hang.
sub shown {
    my ($case, @text) = @_;
    return CpuTime::within($case, sub { Mutation::fault_of(@text) });
}

# Returns what is wrong with how this text is taken as a record, or nothing. A refusal is stored in
# `refused`.
sub fault_of {
    my ($name, $text, $refused, $case) = @_;
    my $got = shown($case // $name, $readers{record}, "$dir/$name", $text);
    $$refused = $got->{refused};
    return $got->{fault};
}

# Returns the example with one change, as text.
sub changed {
    my ($change) = @_;
    my $record = Example::record();
    $change->($record);
    return Touchstone::Record::Json::encode($record);
}

sub check_refused {
    my ($what, $text, $words, $name) = @_;
    is(fault_of($name // 'refused.json', $text, \my $why, $what), '', "$what: no trouble");
    return like($why, $words, "$what: refused");
}

subtest 'the example itself is read and reported' => sub {
    is(fault_of('good.json',  Touchstone::Record::Json::encode(Example::record())), '', 'as a record');
    is(fault_of('good.jsonl', Example::journal()),                                  '', 'as a journal');
    is(fault_of('cut.jsonl',  Example::journal() =~ s/.{30}\z//sr), '', 'as a journal that was cut');
};

subtest 'what is no record is refused' => sub {
    my %is = (
        ''                    => 'line 1',
        "\n\n"                => 'line 3',
        'text'                => 'line 1',
        "{\n\"format\": 2,\n" => 'line [23]',
        '{"format": 2} {}'    => 'line 1',
        "\xff\xfe{\0}\0"      => 'line 1',
        '[' x 100_000         => 'line 1',
        '{}'                  => 'format',
        '{"format": 2}'       => 'missing',
        map { $_ => 'it is not an object' } '[]', '0', '""', 'null', '"text"',
    );
    check_refused(length $_ > 30 ? 'many brackets' : "'" . s/[^ -~]/?/gr . "'", $_, qr/$is{$_}/)
        for sort keys %is;
    check_refused('a text report', "   BYTE UNIX Benchmarks (Version 7.0.0)\n", qr/line 1: /);
};

subtest 'another format is refused' => sub {
    my %is = (
        3   => 'its format is 3, this version reads format 2',
        0   => 'its format is 0',
        1.5 => 'its format is 1.5',
        -1  => 'its format is -1'
    );
    for my $format (sort keys %is) {
        check_refused("format $format", changed(sub { $_[0]{format} = 0 + $format }), qr/\Q$is{$format}\E/);
    }
    check_refused('no format',                changed(sub { delete $_[0]{format} }), qr/format/);
    check_refused('a format of another kind', changed(sub { $_[0]{format} = [1] }),  qr/format/);
};

# Each row is a path with slashes to a value, the value that is put there, and words of the refusal if they
# are not the last step of the path.
my @LISTS = qw(tests categories blocks passes failures skipped warnings);
my @WRONG = (
    (map { [ $_, undef ], [ $_, 7 ], [ $_, 'text' ], [ $_, [] ] } qw(tool host locale schedule)),
    (map { [ $_, undef ], [ $_, 7 ], [ $_, 'text' ], [ $_, {} ] } @LISTS),
    [ 'build', undef ],
    [ 'build', [] ],
    (
        map { [ "$_/0", undef, qr/\b$_\W+(?:entry )?1\b/ ], [ "$_/1", 'text', qr/\b$_\W+(?:entry )?2\b/ ] }
            @LISTS
    ),
    [ 'name',             undef ],
    [ 'name',             {} ],
    [ 'started',          'yesterday' ],
    [ 'utc_offset',       [] ],
    [ 'host/name',        [] ],
    [ 'host/online_cpus', 'two' ],
    [ 'host/cpus',        {} ],
    [ 'tool/version',     undef ],
    [ 'schedule/kind',    'slow' ],
    [ 'schedule/kind',    undef ],
    [ 'locale/name',      {} ],
    [ 'tests/0/title',    undef ],
    (map { [ 'tests/0/baseline', $_ ] } 0, -1, 'x', '1e999', {}),
    [ 'categories/0/index', 'pipe' ],
    [ 'categories/0/index', [ {} ], qr/index/ ],
    [ 'blocks/0/copies',    'x' ],
    [ 'blocks/0/started',   undef ],
    (map { [ 'passes/3/counts', $_ ] } [0], [-5], 'x', [ [] ], undef, ['1e999']),
    [ 'passes/3/counts', [], qr/counts|different lengths/ ],
    (map { [ 'passes/3/times', $_ ] } [0], [undef], undef),
    (
        map {
            my $place = $_;
            map { [ $place, $_ ] } 1e20, -1
        } qw(passes/3/seconds passes/3/started blocks/0/started)
    ),
    [ 'passes/3/timebase', undef ],
    [ 'passes/3/timebase', -1 ],
    [ 'passes/3/unit',     [] ],
    [ 'passes/3/test',     undef ],
    [ 'passes/3/round',    {} ],
    [ 'passes/3/starts',   ['x'] ],
    (
        map { [ 'passes/3/slices', $_ ] } ['x'],
        ['-5:1'],
        ['5:5 4:6'],
        ['5:5 6:4'],
        ['5:5:5 6:6:4'],
        ['5:5:'],
        [7],
        [ [] ]
    ),
    [ 'passes/11/counts', [1],         qr/lengths|counts/ ],
    [ 'passes/11/starts', [ 1, 2, 3 ], qr/different lengths/ ],
    [ 'passes/11/copies', 3,           qr/copies|lengths/ ],
    (
        map {
            my $list = $_;
            map { [ "passes/3/$list", $_, qr/different lengths/ ] } [], [ 1, 2 ]
        } qw(user sys preempted slept minor_faults major_faults counted)
    ),
    (map { [ 'passes/3/events', $_ ] } {}, ['x'], [ { cycles_user => 'many' } ], [ { cycles_user => [] } ]),
    [ 'passes/3/uncounted', { hardware => [] } ],
    [ 'failures/0/why',     [] ],
    [ 'failures/0/copies',  'x' ],
    [ 'skipped/0/test',     {} ],
    [ 'warnings/0/text',    undef ],
);

sub put {
    my ($record, $path, $value) = @_;
    my @steps = split m{/}, $path;
    my $last  = pop @steps;
    $record = ref $record eq 'ARRAY' ? $record->[$_] : $record->{$_} for @steps;
    if   (ref $record eq 'ARRAY') { $record->[$last] = $value }
    else                          { $record->{$last} = $value }
    return;
}

subtest 'a record of the wrong shape is refused and the place named' => sub {
    for my $wrong (@WRONG) {
        my ($path, $value, $words) = @$wrong;
        $words //= quotemeta((split m{/}, $path)[-1]);
        check_refused("$path is " . Touchstone::Record::Json::encode_line($value),
            changed(sub { put($_[0], $path, $value) }), qr/$words/);
    }
};

# The end of the last block is computed from its last pass.
subtest 'a journal with a time that no calendar has is refused' => sub {
    for my $what (qw(started seconds)) {
        my $text = Example::journal() =~ s/.*\K("$what": )[\d.]+/${1}1e20/sr;
        check_refused(
            "$what of the last pass",
            $text, qr/'passes\/\d+\/$what' is missing or wrong/,
            'forged.jsonl'
        );
    }
};

subtest 'what is no speed of a CPU is shown as it is' => sub {
    for my $speed ('.5.00', '1.2.3', '.', '9' x 400) {
        my $text = changed(sub { put($_[0], 'host/cpus/0/bogomips', $speed) });
        is(fault_of('speed.json', $text, \my $why), '', substr($speed, 0, 20) . ': no trouble');
        is($why,                                    '', 'it is read');
    }
};

subtest 'a record of a long run is read' => sub {
    my $why;
    my $slices = join ' ', map { $_ * 100_000_000 . ":$_" } 1 .. Amount::of(10_000, 100_000);
    is(fault_of('long.json', changed(sub { put($_[0], 'passes/11/slices/0', $slices) }), \$why) . $why,
        '', 'many slices');
    my $copies = Amount::of(500, 5000);
    my $many   = changed(
        sub {
            put($_[0], "passes/11/$_->[0]", $_->[1])
                for [ copies => $copies ], [ slices => [ ('5:5') x $copies ] ],
                map { [ $_ => [ (5) x $copies ] ] } qw(counts times starts user sys);
        }
    );
    is(fault_of('many.json', $many, \$why) . $why, '', 'many copies');
};

# Reports and scores read the values at these places. Each of these values may be refused, or be read and
# shown.
my @ODD = (
    undef,     -1, 9e99, 'text', '1e999', '9' x 400, "\e[2J<script>\n", [], {}, [undef], [ {} ], [ 1, 'x' ],
    ['1e999'], [ '9' x 400 ]
);

# The record keeps only these passes, because each is read thousands of times: each test in each block, one
# warm-up, and two passes so that a value in the first or last pass meets another.
my @SHORT = (0, 2, 4, 5, 8, 9, 11);
my $LAST  = $#SHORT;
sub short { my ($record) = @_; @{ $record->{passes} } = @{ $record->{passes} }[@SHORT]; return $record }

# Those for one place: a few in turn, or all.
sub odd_values {
    my ($n)  = @_;
    my $few  = Amount::of(1, scalar @ODD);
    my @turn = map { ($n * $few + $_) % @ODD } 0 .. $few - 1;
    return map { Touchstone::Record::Json::encode_line($_) } @ODD[@turn];
}

subtest 'whatever stands anywhere, it is refused or every report can be made' => sub {
    my @places;
    my $walk;
    $walk = sub {
        my ($data, @path) = @_;
        push @places, join '/', @path if @path;
        if    (ref $data eq 'HASH') { $walk->($data->{$_}, @path, $_) for sort keys %$data }
        elsif (ref $data eq 'ARRAY') {
            $walk->($data->[$_], @path, $_) for grep { $_ == 0 || $_ == $LAST } 0 .. $#$data;
        }
    };
    $walk->(short(Example::record()));
    for my $n (grep { $_ % Amount::of(6, 1) == 0 } 0 .. $#places) {
        my $path = $places[$n];
        my @faults;

        # The texts before and after the value are made once for all values.
        my ($before, $behind) = split /"the odd value"/,
            changed(sub { short($_[0]); put($_[0], $path, 'the odd value') });
        for my $value (odd_values($n)) {
            my $fault =
                fault_of('odd.json', "$before$value$behind", \my $why, "$path is " . substr $value, 0, 20);
            push @faults, substr($value, 0, 20) . ": $fault" if $fault;
        }
        is(join('', @faults), '', $path);
    }
};

for my $name (sort keys %readers) {
    subtest "what the reader of a $name takes is shown without harm, and what it refuses is named" => sub {
        my $reader = $readers{$name};
        my $file   = "$dir/$reader->{file}";
        my (@faults, %taken);
        for my $sample (@{ $reader->{samples} }) {
            my $got = shown("a sample of $name", $reader, $file, $sample);
            is($got->{fault} . $got->{refused}, '', 'a sample is read');
        }
        for my $n (1 .. Amount::of(2, 60)) {
            my $got = shown("mutation $n of $name", $reader, $file, Mutation::mutated($reader));
            push @faults, "mutation $n: $got->{fault}" if $got->{fault};
            $taken{ $got->{refused} ? 'refused' : 'read' }++;
        }
        is(join('', @faults), '', 'damaged ones');
        my $least = Amount::of(0, 8);
        is(join(', ', grep { ($taken{$_} // 0) < $least } qw(read refused)),
            '', 'some were read and some were refused');
    };
}

done_testing;
