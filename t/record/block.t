#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# Record::PasteBlock: a block of letters gives back the results of its run to the last digit,
# whatever mail and forums have done to it, and nothing else is taken for a block.
use 5.014;
use strict;
use warnings;

use Compress::Zlib ();
use File::Temp ();
use MIME::Base64 qw(encode_base64);
use Test::More;

use lib 't/lib';
use NoWarnings;
use Amount;
use CpuTime;
use Example;
use Fake;
use Pasted;
use Runs;
use Scored;
use Touchstone::Compare::Run;
use Touchstone::Record::PasteBlock;
use Touchstone::Record::Json;
use Touchstone::Record;
use Touchstone::Score::Rate;
use Touchstone::Score;

my $GOLDEN = "$Fake::BASE/t/golden";
my $dir    = File::Temp->newdir;

sub copied {
    my ($data) = @_;
    return Touchstone::Record::Json::decode(Touchstone::Record::Json::encode($data));
}
sub complete { my ($record) = @_; return Scored::document(copied($record)) }
sub golden   { my ($name)   = @_; return Touchstone::Record->load("$GOLDEN/$name.json", 'nowhere') }
sub block    { my ($record) = @_; return Touchstone::Record::PasteBlock::block($record)->{text} }

# A block has no CPU times, and so its CSV has no costs of operations.
sub without_costs { my ($csv) = @_; return $csv =~ s/(?:,[^,\n]*){7}$//mgr }

sub read_back {
    my ($text, @name) = @_;
    return CpuTime::within('a text that begins ' . substr($text, 0, 200),
        sub { Touchstone::Record->of_text('page.txt', $text, @name) });
}

sub trouble {
    my @given = @_;
    return eval { read_back(@given); 1 } ? 'nothing' : $@;
}

# Returns the next pseudo-random number below a limit. The passes are thus the same on every machine.
my $state = 1;
sub chance { my ($below) = @_; $state = ($state * 16807) % 2147483647; return $state % $below }

# Returns a pass of some copies, with about ten slices a second at slightly different times.
sub measured {
    my ($test, $copies, $round) = @_;
    my $begin  = 53_162_311_799_539 + chance(1e9);
    my @starts = map { $begin + chance(2e8) } 1 .. $copies;
    my @slices = map { [ slices(1000 + chance(1e6)) ] } 1 .. $copies;
    my @ends   = map { [ split /:/, $_->[-1] ] } @slices;
    return {
        test     => $test,
        copies   => $copies,
        round    => $round,
        window   => 1,
        timebase => 1,
        unit     => 'lps',
        started  => 1795240226.12345 + $round,
        seconds  => 1.0203,
        command  => "/home/somebody/pgms/$test 1",
        output   => "a line of $test\n",
        user     => [ (0.5) x $copies ],
        sys      => [ (0.4) x $copies ],
        counts   => [ map { $_->[1] } @ends ],
        times    => [ map { int($_->[0] / 1e3) / 1e6 } @ends ],
        starts   => \@starts,
        slices   => [ map { "@$_" } @slices ],
        counters => {
            seconds    => 1.1,
            other      => chance(40) / 100,
            steal      => chance(3) ? 0 : 0.07,
            throttled  => 0,
            swapped    => 0,
            psi_cpu    => chance(5e5) / 1e6,
            psi_io     => 0,
            psi_memory => chance(3) / 100,
            mhz        => 2445
        },
    };
}

sub slices {
    my ($speed) = @_;
    my ($when, $count) = (0, 0);
    return map {
        $when  += 1e8 + chance(1e7);
        $count += int($speed / 10) + chance($speed);
        "$when:$count:" . int($when / 1000);
    } 1 .. 10;
}

# Returns a run with so many passes for each test and copy count. `also` replaces fields.
sub run_of {
    my ($tests, $passes, %also) = @_;
    my @names  = map { "test$_" } 1 .. $tests;
    my $record = Runs::record(
        'vm-2026-11-21-01',
        {
            map {
                my $copies = $_;
                map { ("$copies $_" => []) } @names
            } 1,
            2
        },
        %also
    );
    $record->{tests} = [
        map {
            {
                name     => $_,
                title    => "Title of $_",
                category => 'system',
                suite    => 'unixbench',
                baseline => 100
            }
        } @names
    ];
    $record->{categories}[0]{index} = [@names];
    $record->{blocks}               = [ map { { copies => $_, started => $record->{started} } } 1, 2 ];
    $record->{passes}               = [
        map {
            my $copies = $_;
            map {
                my $round = $_;
                map { measured($_, $copies, $round) } @names
            } 0 .. $passes
        } 1,
        2
    ];
    return $record;
}

sub marks {
    my ($record) = @_;
    return [
        map  { join ' ', "$_->{test} $_->{copies} $_->{round}", @{ $_->{marks} || [] } }
        grep { $_->{round} } @{ $record->{passes} }
    ];
}

# Returns a run with so many copies that slices are left out.
sub crowded {
    my $record = run_of(1, 0);
    $record->{blocks}[1]{copies} = 40;
    $record->{passes} = [ map { measured('test1', 40, $_) } 1 .. 12 ];
    return $record;
}

# Returns a run with figures beside the scores, parts that could not be done, a reference, and a block
# without an end.
sub rich {
    my $record = run_of(2, 4);
    for my $pass (@{ $record->{passes} }) {
        @$pass{qw(units missing figures)} = (
            { decompress => 'MBps' },
            { fitext     => 'no such font' },
            [ map { { lost => chance(9), decompress => 4000 + chance(1000) / 7 } } 1 .. $pass->{copies} ]
        );
    }
    $record->{against} = {
        name        => 'good',
        notes       => ['a note'],
        differences => [ { thing => 'kernel', values => [ 'a', 'b' ] } ],
        indexes     => [],
        tests       => [
            {
                name      => 'test1',
                copies    => 1,
                unit      => 'lps',
                scores    => [ 1,  2 ],
                intervals => [ [], [ 1.9, 2.1 ] ],
                ratio     => 2,
                verdict   => 'faster'
            }
        ]
    };
    return $record;
}

my %RUNS = (
    'the example'             => Example::record(),
    'a run of several copies' => run_of(3, 5),
    'figures and a reference' => rich(),
    'many copies'             => crowded(),
    'rates alone'             =>
        Runs::record('r', { '1 pipe' => [ Runs::steady(1000) ], '2 pipe' => [ Runs::steady(1900) ] }),
    map { ("$_.json" => golden($_)) } qw(record sure fixed),
);

# A value without what follows from the slices and CPU times that a block does not have.
sub encoded {
    my ($value) = @_;
    return Touchstone::Record::Json::encode([$value]) =~
        s/^\s*"(?:undisturbed\w*|lost\w*|took|tells|untold|consistency)": [^\n]*\n//mgr =~
        s/^\s*"cost": \{[^{}]*\},?\n//mgr =~ s/,(?=\n *\})//gr;
}

for my $name (sort keys %RUNS) {
    subtest "a block gives back the results to the last digit: $name" => sub {
        my $record = complete($RUNS{$name});
        my $back   = Scored::document(read_back(block($record)));
        is(encoded($back->{$_}), encoded($record->{$_}), $_)
            for qw(results scaling beside speedup tests blocks warnings schedule);
        is_deeply(marks($back), marks($record), 'marks of disturbance');
        is($back->{compact}, 1,              'it says that it is from a block');
        is(block($back),     block($record), 'its block is the same');
    };
}

subtest 'some of these passes are disturbed, and some copies were apart' => sub {
    my $record = complete($RUNS{'a run of several copies'});
    my %marks  = map { $_ => 1 } map { @{ $_->{marks} || [] } } @{ $record->{passes} };
    is(join(' ', sort keys %marks), 'cpu other overlap steal', 'marks of several kinds');
};

subtest 'the rate of a pass is the same with the slices that are left' => sub {
    for my $case (1 .. Amount::of(30, 300)) {
        my $pass = measured('pipe', 2 + chance(3), 1);

        # Some copies also start long after others, or after others have ended.
        $pass->{starts}[-1] += chance(4) * 4e8;
        my ($thin) =
            @{ Touchstone::Record::PasteBlock::thinned({ %{ $RUNS{'the example'} }, passes => [$pass] })
                ->{passes} };
        my ($was, $is) = map { Touchstone::Score::Rate::of_pass($_) } $pass, copied($thin);
        is_deeply($is, $was, "pass $case")                                                        or last;
        unlike("@{ $thin->{slices} }", qr/\d:\d+:/, 'no CPU times')                               or last;
        cmp_ok(length "@{ $thin->{slices} }", '<', length "@{ $pass->{slices} }", 'fewer slices') or last;
    }
};

# The table without the four columns that follow from slices.
sub scores_of {
    my ($record) = @_;
    return without_costs(Scored::report('csv', $record)) =~ s/(?:,[^,\n]*){4}$//mgr;
}

# The figures belong to the second pass, of two copies, and are written exactly as they are here.
subtest 'figures that no run writes are kept or refused' => sub {
    my %kept = (
        'times of twenty digits'   => [ times  => '1.0000071234567890123', '0.33333333333333333333' ],
        'counts of twenty digits'  => [ counts => '12345678901234567890',  '7' ],
        'parts of counts'          => [ counts => '3481930.12345678901',   '0.1e-7' ],
        'starts that are late'     => [ starts => '899999999999999999',    '899999999999999001' ],
        'a start with an exponent' => [ starts => '1.463594847824e12',     '1463594847830' ],
        'a start long before'      => [ starts => 0,                       '1463594847830' ],
        'a baseline in quotes'               => [ baseline => '"1e5"' ],
        'a baseline with noughts'            => [ baseline => '"100.50"' ],
        'seconds that are nothing in quotes' => [ counters => '"0.0"' ],
    );
    my %refused = (
        'half a nanosecond'       => [ starts => 5,      0.5 ],
        'a start before all time' => [ starts => -5,     5 ],
        'a start that is no time' => [ starts => '9e29', 5 ],
        'half a round'            => [ round  => 0.5 ],
        'a round of nothing'      => [ round  => '"0.0"' ]
    );
    my $forged = sub {
        my ($list, @values) = @_;
        my $record = copied($RUNS{'a run of several copies'});
        my ($pass) = grep { $_->{copies} == 2 && $_->{round} == 2 } @{ $record->{passes} };
        if ($list eq 'baseline') { $_->{baseline} = 'HERE' for @{ $record->{tests} } }
        else {
            $pass->{$list} =
                $list eq 'counters' ? { seconds => 'HERE', psi_cpu => 1 } : @values > 1 ? ['HERE'] : 'HERE';
        }
        return Touchstone::Record::Json::encode($record) =~ s/"HERE"/join ', ', @values/ger;
    };
    for my $what (sort keys %kept) {
        my $record = eval {
            Scored::document(Touchstone::Record->of_text('forged.json', $forged->(@{ $kept{$what} })));
        };
        ok($record, "$what: read") or diag($@), next;
        my $back = complete(read_back(block($record)));
        is(scores_of($back), scores_of($record), "$what: kept");
    }
    for my $what (sort keys %refused) {
        ok(!eval { Touchstone::Record->of_text('forged.json', $forged->(@{ $refused{$what} })) },
            "$what: refused");
        like($@, qr/'passes\/\d+\/$refused{$what}[0]/, "$what: the place is named");
    }
};

subtest 'a long block has what follows from slices in their place, and so has its own block' => sub {
    my $record = $RUNS{'many copies'};
    my @passes = @{ read_back(block($record))->{passes} };
    is(
        (
            grep {
                !$_->{common} || grep { defined } @{ $_->{slices} }, @{ $_->{starts} }
            } @passes
        ),
        0,
        'of every pass'
    );
    is((grep { $_->{common} } @{ read_back(block($RUNS{'a run of several copies'}))->{passes} }),
        0, 'a short one has the slices');
    my %other = (rates => [ 1, 2 ], rate => -1, share => 'x');
    for my $key (sort keys %other) {
        my @changed = (
            { %{ $passes[0] }, common => { %{ $passes[0]{common} }, $key => $other{$key} } },
            @passes[ 1 .. $#passes ]
        );
        like(trouble(Touchstone::Record::Json::encode({ %$record, passes => \@changed })),
            qr/passes\/1/, "$key is checked");
    }
};

subtest 'reports of a block are those of the run' => sub {
    for my $name (qw(record sure fixed)) {
        my ($record, $back) =
            (complete(golden($name)), Scored::document(read_back(block(golden($name)))));
        is(Scored::report($_, $back), Scored::report($_, $record), "$name: $_") for qw(text table markdown);
        is(
            without_costs(Scored::report('csv', $back)),
            without_costs(Scored::report('csv', $record)),
            "$name: csv"
        );
    }
};

subtest 'a run of the index with two copy counts takes less than 25,000 letters' => sub {
    my $block = block(run_of(12, 7));
    cmp_ok(length $block, '<', 25_000, '168 passes');
    unlike($block, qr/^.{77}/m, 'in lines of at most 76');
    unlike($block, qr/=/,       'without marks that mail changes');
    like(
        $block,
        qr{\A-----BEGIN TOUCHSTONE RUN vm-2026-11-21-01-----\n(?:[A-Za-z0-9+/]{72}\n)+[A-Za-z0-9+/]{1,72}\n-----END TOUCHSTONE RUN \d+ bytes, crc32 [0-9a-f]{8}-----\n\z},
        'as its first and last lines say'
    );
};

subtest 'what explains no score is not in a block' => sub {
    my $record = run_of(
        1, 2,
        host      => { cmdline => 'root=UUID=0815', work_directory => '/home/somebody/tmp' },
        programs  => '/home/somebody/pgms',
        wanted    => { input  => '/home/somebody/x' },
        equipment => { places => { path => '/home/somebody/medium', medium => 'given' } },
        failures  => [ { test => 'C', why => 'exit status 1', output => '/home/somebody/x.c:1: error' } ]
    );
    my $back = read_back(block($record));
    unlike(
        Touchstone::Record::Json::encode($back),
        qr/somebody|0815|a line of|mhz/,
        'no command line, directory or output'
    );
    is_deeply([ grep { !$_->{round} } @{ $back->{passes} } ], [], 'and no warm-up');
    is($back->{failures}[0]{why}, 'exit status 1', 'why something failed is');
    is_deeply($back->{equipment}, { places => { medium => 'given' } }, 'and what was measured with');
};

subtest 'any name of a run is one word of the first line, and chooses its block' => sub {
    for my $name (
        'vm',         'my machine', 'a--b',   '-',       '-----END', 'x-',
        "b\xc3\xa4r", '50%',        '100%25', "<b>'\"&", 'a-----',   'x' x 255
    ) {
        my $text = "some text\n" . block({ %{ $RUNS{'the example'} }, name => $name });
        like($text, qr/^-----BEGIN TOUCHSTONE RUN [\w.%]+(?:-[\w.%]+)*-----$/m, "'$name': a word");
        is(read_back($text, $name)->{name}, $name, "'$name': the name");
    }
};

my $example = block($RUNS{'the example'});
my %forms   = Pasted::forms($example);
subtest 'a block is read whatever mail, forums and pages have made of it' => sub {
    my $same = Touchstone::Record::Json::encode(read_back($example));
    is(eval { Touchstone::Record::Json::encode(read_back($forms{$_})) } // $@, $same, $_)
        for sort keys %forms;
};

subtest 'of several runs the name chooses, and without one the error names them' => sub {
    my $other = block({ %{ $RUNS{'the example'} }, name => 'vm-02' });
    my $text  = "> $example\n and mine:\n$other";
    is(read_back($text, 'vm-02')->{name}, 'vm-02', 'by name');
    is(
        trouble($text),
        "'page.txt' is not a run record: it holds several runs: add a colon and the name of one: vm-01, vm-02\n",
        'without'
    );
    is(
        trouble($text, 'vm-03'),
        "'page.txt' is not a run record: it holds no run 'vm-03', only vm-01, vm-02\n",
        'by another name'
    );
};

subtest 'all blocks of a text are read, a quoted one once, and a damaged one has its reason' => sub {
    my $other = block({ %{ $RUNS{'the example'} }, name => 'vm-02' });
    my $torn  = $other =~ s/\n[^\n]{72}\n/\n/r =~ s/vm-02/vm-03/r;
    my @found = Touchstone::Record::PasteBlock::all("> $example\n and mine:\n$other\n$example\n$torn");
    is(join(' ', map { $_->{name} } @found), 'vm-01 vm-02 vm-03', 'names, in their order');
    is(join(' ', map { $_->{data} ? $_->{data}{name} : 'none' } @found), 'vm-01 vm-02 none', 'data');
    like($found[2]{why}, qr/\Ais damaged: it has \d+ bytes, and \d+ by its last line\z/, 'the reason');
    is(scalar(my @none = Touchstone::Record::PasteBlock::all('no block')), 0, 'a text without one');
};

subtest 'a run that is quoted again is one run, and a whole copy is enough' => sub {
    my $quoted = $example =~ s/^/> /gmr;
    my $cut    = substr $quoted, 0, 300;
    is(eval { read_back($_->[1])->{name} } // $@, 'vm-01', $_->[0])
        for [ 'twice', "$quoted$example" ], [ 'cut, then whole', "$cut\n...\n$example" ],
        [ 'whole, then cut', "$example\n$cut" ];
    my $changed = block({ %{ $RUNS{'the example'} }, ended => 1795240299 });
    is(
        trouble("$example$changed"),
        "'page.txt' is not a run record: the block 'vm-01' is there more than once with different contents: keep one\n",
        'two that differ are not'
    );
};

# Returns a block with other bytes in it, whose last line says that it is complete.
sub forged {
    my ($bytes) = @_;
    return
          "-----BEGIN TOUCHSTONE RUN forged-----\n"
        . (encode_base64($bytes, "") =~ tr{=}{}dr)
        . sprintf "\n-----END TOUCHSTONE RUN %d bytes, crc32 %08x-----\n", length $bytes,
        Compress::Zlib::crc32($bytes);
}

sub forged_text { my ($text) = @_; return forged(Compress::Zlib::compress($text, 9)) }

subtest 'what is damaged or no record is refused with the file and the reason' => sub {
    my @lines = split /^/, $example;
    my %is    = (
        'is cut off: its last line (-----END TOUCHSTONE RUN ...) is missing' =>
            join('', @lines[ 0 .. $#lines - 1 ]),
        'it has no first line of a block (-----BEGIN TOUCHSTONE RUN ...)' => join('', @lines[ 1 .. $#lines ]),
        'its checksum is wrong' => $example =~ s/(?<=\n.{30})(.)/$1 eq 'a' ? 'b' : 'a'/er,
        'by its last line'      => join('', @lines[ 0, 1 ], @lines[ 3 .. $#lines ]),
        "line 4 does not belong to a block: '[...]'" =>
            join('', @lines[ 0 .. 2 ], "[...]\n", @lines[ 4 .. $#lines ]),
        'not zlib data'           => forged('x' x 500),
        'its data ends too early' => forged(substr Compress::Zlib::compress(join ' ', 1 .. 1000), 0, 500),
        'holds no record: line 1: a value is missing'  => forged_text('hello'),
        "the block 'forged' is empty"                  => forged_text('null'),
        'it is not an object'                          => forged_text('[]'),
        'it has no format number'                      => forged_text('{}'),
        'its format is 3, this version reads format 2' => forged_text('{"format": 3}'),
        "'blocks' is missing or wrong"                 => forged_text('{"format": 2}'),
        "'passes/1/counts' is missing or wrong"        => forged_text(
            Touchstone::Record::Json::encode_line(
                { %{ $RUNS{'the example'} }, passes => [ { copies => 1 } ] }
            )
        ),
        'is larger than 8 MB: no run is so large' => forged_text(' ' x 9_000_000),
    );
    for my $words (sort keys %is) {
        my $said = trouble($is{$words});
        like($said, qr/\A'page.txt' is not a run record: [^\n]*\Q$words\E[^\n]*\n\z/, $words);
    }
};

subtest 'a block that would become gigabytes is stopped while it grows' => sub {
    my ($deflate) = Compress::Zlib::deflateInit();
    my $megabyte  = ' ' x 1e6;
    my $stream    = join '', (map { scalar(($deflate->deflate($megabyte))[0]) } 1 .. 40),
        scalar(($deflate->flush)[0]);
    cmp_ok(length $stream, '<', 60_000, 'it is small');
    like(trouble(forged($stream)), qr/the block 'forged' is larger than 8 MB: no run is so large/, 'refused');
};

subtest 'a record whose texts hold the lines of a block is still a record' => sub {
    my $record = Example::record();
    $record->{host}{name} = "-----BEGIN TOUCHSTONE RUN x-----\n";
    is(read_back(Touchstone::Record::Json::encode($record))->{name}, 'vm-01', 'it is read as one');
};

subtest 'without Compress::Zlib there is a sentence, and reading names the remedy' => sub {
    local $INC{'Compress/Zlib.pm'} = undef;
    my $block = Touchstone::Record::PasteBlock::block($RUNS{'the example'});
    is($block->{text}, undef, 'no block');
    is($block->{why}, 'this Perl has no Compress::Zlib, so there is nothing here that could be read back',
        'why');
    is(
        trouble($example),
        "'page.txt' is not a run record: this Perl has no Compress::Zlib\ninstall it: the package perl-IO-Compress on Fedora and similar systems, otherwise perl\n",
        'reading'
    );
    is(read_back(Touchstone::Record::Json::encode(Example::record()))->{name},
        'vm-01', 'a record is read as ever');
};

subtest 'what was changed anywhere is read as it was, or refused in words' => sub {
    my $same  = Touchstone::Record::Json::encode(read_back($example));
    my @texts = map { $forms{$_} } sort keys %forms;
    my @put   = (
        "\n",       "\0", "\xff", '-----',    '=',       '&#x', '&', '<', '>', '-----BEGIN TOUCHSTONE RUN ',
        '-----END', 'A',  '{',    "\xe2\x80", ' ' x 300, '9' x 30, '%', '[...]'
    );
    my %seen;
    for (1 .. Amount::of(60, 400)) {
        my $text = $texts[ chance(scalar @texts) ];
        substr $text, chance(length $text), chance(30), chance(3) ? $put[ chance(scalar @put) ] : ''
            for 0 .. chance(2);
        my $data = eval { read_back($text) };
        my $fine =
            $data
            ? Touchstone::Record::Json::encode($data) eq $same
            : $@ =~ /\A'page\.txt' is not a run record: [^\n]*[a-z0-9)'\]]\n\z/ && $@ !~ / at \S+ line \d/;
        $seen{ $data ? 'read' : 'refused' }++;
        ok($fine, 'neither other data nor a crash') or diag($data ? 'other data' : $@), last if !$fine;
    }
    cmp_ok($seen{$_} // 0, '>', Amount::of(0, 5), "some were $_") for qw(read refused);
};

subtest 'many first lines are no trouble' => sub {
    like(trouble("-----BEGIN TOUCHSTONE RUN a-----\n" x 9_000), qr/the block 'a' is cut off/, 'refused');
    like(
        trouble("-----BEGIN TOUCHSTONE RUN a-----\n" x 20_000),
        qr/it holds more than 10000 blocks, which is too many for a text/,
        'and not even looked at beyond a limit'
    );
    like(trouble('-----BEGIN ' . ' ' x 1e6), qr/neither JSON nor a text with a block/, 'and blanks');
    like(
        trouble("-----BEGIN TOUCHSTONE RUN " . 'a-' x 1e5),
        qr/is not a run record/,
        'and a name without end'
    );
};

subtest 'a pasted run is compared like a stored one' => sub {
    Fake::write_file("$dir/page.txt",
        "A new machine\n\n" . $forms{'escaped'} . block({ %{ $RUNS{'the example'} }, name => 'vm-02' }));
    my $run = Touchstone::Compare::Run::load("$dir/page.txt:vm-01", "$dir", {});
    my $was = Scored::run(complete($RUNS{'the example'}));
    delete $_->{costs} for map { values %{ $_->{tests} } } $run, $was;
    is_deeply([ @$run{qw(name tests indexes)} ], [ @$was{qw(name tests indexes)} ], 'by path and name');
    Fake::write_file("$dir/classic.txt", Scored::report('text', complete($RUNS{'the example'})) . $example);
    my ($test) = values %{ Touchstone::Compare::Run::load("$dir/classic.txt", "$dir", {})->{tests} };
    cmp_ok(scalar @{ $test->{rates} }, '>', 0, 'of a text report with a block behind it the block is taken');
};

subtest 'Run takes a page, standard input and FILE:NAME for a run, and says what it cannot do with them' =>
    sub {
    my $fake = Fake->new;
    my $page = "$dir/pasted page.txt";
    Fake::write_file($page, $forms{'quoted twice, with CRLF'} . $forms{'a table of lines'});
    mkdir "$fake->{results}$_"
        or die "cannot make '$fake->{results}$_': $!\n"
        for grep { !-d "$fake->{results}$_" } '', '/.runs';
    Fake::write_file("$fake->{results}/.runs/vm-01.json",
        Touchstone::Record::Json::encode($RUNS{'the example'}));
    my $wanted = without_costs($fake->run([ 'report', 'vm-01', '--format', 'csv' ])->{out});
    is(without_costs($fake->run([ 'report', $_, '--format', 'csv' ])->{out}), $wanted, $_)
        for $page, "$page:vm-01";
    is(
        without_costs(
            $fake->run(
                [ 'report', '-', '--format', 'csv' ],
                command => [
                    '/bin/sh', '-c', 'page=$1; shift; exec "$@" <"$page"',
                    'sh', $page, $^X, "$Fake::BASE/Run"
                ]
            )->{out}
        ),
        $wanted,
        'standard input'
    );
    like(
        $fake->run([ 'compare', 'vm-01', $page ])->{out},
        qr/\Avm-01 against vm-01: not tested /,
        'a comparison'
    );
    like(
        $fake->run([ 'report', 'vm-01', '--baseline', $page ])->{out},
        qr/^Against the reference vm-01$/m,
        'a baseline'
    );
    like(
        $fake->run([ 'resume', $page ])->{err},
        qr/\ARun: cannot resume '\Q$page\E': it holds results of a run, but not all that resuming needs\n/,
        'it cannot be gone on with'
    );
    like(
        $fake->run([ 'report', "$page:x" ])->{err},
        qr/\ARun: '\Q$page\E' is not a run record: it holds no run 'x', only vm-01\n/,
        'a name that is not there'
    );
    my $got = $fake->run([ 'compare', "$page:x", 'vm-01' ]);
    is(
        "$got->{status}: $got->{err}",
        "2: Run: '$page' is not a run record: it holds no run 'x', only vm-01\n",
        'nor in a comparison'
    );
    like(
        $fake->run([ 'report', "$dir/nothing:x" ])->{err},
        qr/\ARun: no run '\Q$dir\E\/nothing:x' here or in /,
        'a file that is not there'
    );
    };

subtest 'a stored run whose name has a colon is found as ever' => sub {
    Fake::write_file("$dir/a:b.json",
        Touchstone::Record::Json::encode({ %{ $RUNS{'the example'} }, name => 'a:b' }));
    Fake::write_file("$dir/a", $example);
    is(Touchstone::Record->load('a:b',          "$dir")->{name},    'a:b',   'by name');
    is(Touchstone::Record->load("$dir/a:b",     'nowhere')->{name}, 'a:b',   'by path');
    is(Touchstone::Record->load("$dir/a:vm-01", 'nowhere')->{name}, 'vm-01', 'and a file beside it');
};

done_testing;
