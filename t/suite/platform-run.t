# SPDX-License-Identifier: GPL-2.0-or-later
# The suite of 2024 as a run: the input of its tests, what they measure beside their scores, and a run beside
# its reference.
use 5.014;
use strict;
use warnings;

use File::Temp ();
use Test::More;

use lib 't/lib';
use NoWarnings;
use Stub;

my $fake = Stub->new;
my $dir  = File::Temp->newdir;
my @BASE = qw(-c 1 --quick --seed 1);

# Returns the names of the files in a directory.
sub left { return join ' ', Fake::entries("$_[0]") }

sub of_test {
    my ($record, $name) = @_;
    my ($test) = grep { $_->{name} eq $name } @{ $record->{results}[0]{tests} };
    return $test || {};
}

# Returns the arguments of a pass.
sub command {
    my ($record, $test) = @_;
    my ($pass) = grep { $_->{test} eq $test } @{ $record->{passes} };
    return $pass->{command} // '';
}

subtest 'measurements of a test have scores of their own' => sub {
    my $got = $fake->run([ qw(--seed 1 -c 2), qw(zstd-3 inputs) ]);
    is($got->{status}, 0, 'measured') or diag($got->{err});
    my $record = $fake->record;
    my ($back) = @{ of_test($record, 'zstd-3')->{measures} };
    is(
        join(' ', @$back{qw(name unit better score passes precision)}),
        'decompress MBps higher 8346 6 0',
        'copies are added up, and it is sure'
    );
    is_deeply($back->{interval}, [ 8346, 8346 ], 'with an interval');
    my %time = map { $_->{name} => $_->{score} } @{ of_test($record, 'inputs')->{measures} };
    is($time{'p99.9'},                              0.0003,      'of times the mean counts');
    is(of_test($record, 'zstd-3')->{figures}{size}, 2 * 1048034, 'a figure without a unit is none');
    my $csv = $fake->run([ 'report', $record->{name}, '--format', 'csv' ])->{out};
    like(
        $csv,
        qr/^2,zstd-3,2260,MBps,.*\n2,zstd-3 decompress,8346,MBps,8346,8346,0,6,0,,,,,yes,,,,$/m,
        'a line of the CSV'
    );
    like($csv, qr/^2,inputs p50,0\.0001,s,/m, 'and of times');
};

subtest 'compressors work on the file that is named' => sub {
    Fake::write_file("$dir/data file", "three\n" x 1000);
    my $got = $fake->run([ @BASE, '--input', "$dir/data file", qw(zstd-memcpy zstd-1) ]);
    is($got->{status}, 0, 'measured') or diag($got->{err});
    my $record = $fake->record;
    like(command($record, 'zstd-memcpy'), qr/'\Q$dir\E\/data file'\z/, 'as the last argument');
    is(join(' ', @{ $record->{equipment}{input} }{qw(bytes library)}), '6000 zstd 1.5.5', 'size and library');
    like($record->{equipment}{input}{sha256}, qr/\A(?:[0-9a-f]{64}|unknown)\z/, 'and its sum');
    like($got->{out},                         qr/data file/,                    'the report names it');
    like(
        $fake->run([ @BASE, 'zstd-1' ])->{out},
        qr/1,048,000 random bytes \(seeded\)/,
        'without one, bytes of a seed'
    );
    unlike(command($fake->record, 'zstd-1'), qr/data/, 'which need no argument');
};

subtest 'an input that changes while it is measured makes the run invalid' => sub {
    my $run = $fake->start([ @BASE, '--strict', '--input', "$dir/data file", 'zstd-1' ],
        does => { zstd => 'measure,work' });
    $fake->wait_for_file($run, "$fake->{state}/hanging.0");
    Fake::write_file("$dir/data file", "four\n" x 1001);
    kill 'INT', $run->{pid};
    my $got = $fake->wait_for_end($run);
    like(
        $got->{err},
        qr/^# not valid: the input '\Q$dir\E\/data file' was changed while it was measured: results are of several inputs; repeat the run$/m,
        'why the run is not valid'
    );
    unlink "$fake->{state}/hanging.0";
};

subtest 'what cannot be compressed is named, and the other tests run' => sub {
    Fake::write_file("$dir/empty", '');
    my %says = (
        "$dir/empty" => qr/the input '\Q$dir\E\/empty' is empty/,
        "$dir"       => qr/is not a file/,
        "$dir/none"  => qr/cannot be read: No such file/
    );
    for my $file (sort keys %says) {
        my $got = $fake->run([ @BASE, '--input', $file, qw(zstd-memcpy zstd-22 inputs) ]);
        is($got->{status}, 1, 'something is missing');
        like($got->{err}, qr/^# zstd-memcpy, zstd-22 failed: .*$says{$file}/m, "one sentence about $file")
            or diag($got->{err});
        ok(of_test($fake->record, 'inputs')->{score}, 'the other test has a score');
    }
    my $got = $fake->run([ @BASE, '--input', "$dir/a\nb", 'zstd-1' ]);
    is("$got->{status} $got->{out}", '2 ', 'a name of two lines is refused');
};

subtest 'data of a size that is asked for' => sub {
    my $got = $fake->run([ @BASE, qw(--hash-size 3M hash-md5 hash-sha512) ]);
    is($got->{status}, 0, 'measured') or diag($got->{err});
    my @said = map { command($fake->record, $_) } qw(hash-md5 hash-sha512);
    like($said[0], qr/ md5 \S+ 3000000\z/, 'bytes');
    is((split ' ', $said[0])[3],                    (split ' ', $said[1])[3], 'one directory for all');
    is($fake->record->{equipment}{data}{libcrypto}, 'OpenSSL 3.0.15',         'and the library is known');
    $got = $fake->run([ @BASE, qw(--hash-size 9999G hash-md5 inputs) ]);
    like(
        $got->{err},
        qr/^# hash-md5 skipped: .*(?:MB of memory, \d+ MB are free|KB are needed, \d+ KB are free)/m,
        'what is too large is skipped with the figure'
    );
    is($got->{status}, 1, 'and missing');
};

subtest 'a channel that cannot be used is found before the run' => sub {
    my $got = $fake->run([ @BASE, qw(--channel sockets inputs) ]);
    like(command($fake->record, 'inputs'), qr/ sockets\z/, 'the word reaches the program');
    is($fake->record->{equipment}{channel}{kind}, 'sockets', 'and the record');
    $got = $fake->run([ qw(--quick --seed 1 -c 1 -c 2 --channel), '/dev/tty1,/dev/tty2', 'inputs' ]);
    is(join(' ', map { $_->{copies} } grep { @{ $_->{tests} } } @{ $fake->record->{results} }),
        '1', 'a line that is there once is for one copy')
        or diag($got->{err});
    $got = $fake->run(
        [ @BASE, '--channel', '/dev/null,/dev/zero', qw(inputs zstd-1) ],
        does => { 'inputs --check' => "ERROR|'/dev/null' is not a terminal" }
    );
    like($got->{err}, qr{^# inputs failed: '/dev/null' is not a terminal$}m, 'its words');
    ok(of_test($fake->record, 'zstd-1')->{score}, 'the other test has a score');
};

subtest 'transfers get directories of their own, which go with the run' => sub {
    mkdir "$dir/$_" for qw(medium depot);
    Fake::write_file("$dir/medium/mine", 'keep');
    my $got = $fake->run([ @BASE, '--medium', "$dir/medium", '--depot', "$dir/depot", 'transfer-10kb' ],
        does => { transfer => 'see' });
    is($got->{status}, 0, 'measured') or diag($got->{err});
    my (undef, @word) = split ' ', command($fake->record, 'transfer-10kb');
    is("@word[ 1, 2 ]", '10000 100', 'size and count');
    like(
        "@word[ 3, 4 ]",
        qr{\A\Q$dir\E/medium/touchstone-\S+ \Q$dir\E/depot/touchstone-\S+\z},
        'below those that are named'
    );
    is(left("$dir/medium") . ', ' . left("$dir/depot"), 'mine, ', 'nothing stays but what was there');
    my $places = $fake->record->{equipment}{places};
    is("$places->{medium} $places->{depot}", "$dir/medium $dir/depot", 'the report can name them');
    ok(length $places->{medium_fs} && length $places->{depot_fs}, 'with their file systems');
    $fake->run([ @BASE, 'transfer-1gb' ]);
    is($fake->record->{equipment}{places}{depot}, 'a directory of its own', 'or below the work directory');
};

subtest 'a medium that cannot be used is named, and the other tests run' => sub {
    my %says = (
        "$dir/nowhere"         => qr/the medium '\Q$dir\E\/nowhere' cannot be used: No such file/,
        "$dir/empty"           => qr/is not a directory/,
        "$dir/depot"           => qr/--medium and --depot are the same directory/,
        "$dir/medium/../depot" => qr/the same directory/,
    );
    for my $medium (sort keys %says) {
        my $got = $fake->run(
            [ @BASE, '--medium', $medium, '--depot', "$dir/depot", qw(transfer-10kb transfer-1gb zstd-2) ]);
        like($got->{err}, qr/^# transfer-10kb, transfer-1gb failed: .*$says{$medium}/m, $medium)
            or diag($got->{err});
        is(left("$dir/depot"), '', 'nothing is left in the depot');
        ok(of_test($fake->record, 'zstd-2')->{score}, 'the other test has a score');
    }
};

subtest 'an interrupt leaves nothing in the medium' => sub {
    my $run = $fake->start([ @BASE, '--medium', "$dir/medium", '--depot', "$dir/depot", 'transfer-10kb' ],
        does => { transfer => 'work' });
    $fake->wait_for_file($run, "$fake->{state}/hanging.0");
    isnt(left("$dir/depot"), '', 'while it runs there is something');
    kill 'INT', $run->{pid};
    is($fake->wait_for_end($run)->{status},             130,      'stopped');
    is(left("$dir/medium") . ', ' . left("$dir/depot"), 'mine, ', 'nothing stays but what was there');
};

subtest 'options belong to tests of the suite' => sub {
    for my $words (
        [ '--input',     'x' ],
        [ '--hash-size', '3G' ],
        [ '--channel',   'pty' ],
        [ '--medium',    '.' ],
        [ '--depot',     '.' ]
    ) {
        my $got = $fake->run([ @BASE, @$words, 'pipe' ]);
        is($got->{status}, 2, "@$words");
        like(
            $got->{err},
            qr/\ARun: $words->[0] has no effect on these tests: it is for the test/,
            'and says where it belongs'
        );
    }
};

subtest 'a run stands beside its reference with a verdict on each figure' => sub {
    my $rates = sub {
        return 'rates ' . join ';', map { $_[0] * $_ } 1, 1.001, 0.999, 1.002, 0.998, 1.0005, 0.9995;
    };
    $fake->run([qw(-c 1 --seed 1 zstd-1 hash-md5)],
        does => { zstd => $rates->(1000), hash => $rates->(300) });
    my $good = $fake->record->{name};
    my $got  = $fake->run(
        [ qw(-c 1 --seed 1 --baseline), $good, qw(zstd-1 hash-md5) ],
        does => { zstd => $rates->(800), hash => $rates->(300) }
    );
    is($got->{status}, 0, 'measured') or diag($got->{err});
    like($got->{err}, qr/^# this run is slower than \Q$good\E in 1 of 5 tests, no difference in 4$/m,
        'in one line');
    like($got->{out}, qr/^Against the reference \Q$good\E$/m, 'a part of the report');
    like(
        $got->{out},
        qr/^  zstd-1 +1000\S* +800\S* +-20\S* % +-20\S* to -\S+ % +slower$/m,
        'with both scores'
    );
    like(
        $got->{out},
        qr/^  zstd-1 decompress +4173 +4173 +\+0\.0 % .* no difference$/m,
        'also of what else is measured'
    );
    my $record = $fake->record;
    is($record->{against}{name}, $good, 'the record holds it');

    for my $format (qw(markdown html)) {
        like(
            $fake->run([ 'report', $record->{name}, '--format', $format ])->{out},
            qr/Against the reference/,
            "and so $format can show it later"
        );
    }
    my $later = $fake->run([ 'report', $record->{name}, '--baseline', $record->{name} ])->{out};
    like($later, qr/^Against the reference \Q$record->{name}\E$/m, 'another reference later');
    unlike($later, qr/\bslower\b(?! \(0\))/, 'itself is not slower');
    my $file = "$fake->{results}/.runs/$record->{name}.json";
    my $json = Fake::read_file($file);
    for my $hostile (
        [ qr/("scores": \[)[^,\]]+, /          => '' ],
        [ qr/("verdict": )"slower"/            => '[]' ],
        [ qr/("interval": \[)[\d.]+, (?=0\.8)/ => '' ]
    ) {
        my ($from, $to) = @$hostile;
        Fake::write_file($file, $json =~ s/("against": .*?)$from/$1$2$to/sr);
        my $got = $fake->run([ 'report', $record->{name} ]);
        like(
            $got->{err},
            qr/\ARun: '.*' is not a run record: 'against\/tests\/\d+\/\w+' is missing or wrong$/,
            "a record that was changed is refused: $from"
        ) or diag($got->{out});
    }
    Fake::write_file($file, $json);
    my $compared = $fake->run([ 'compare', $good, $record->{name} ]);
    is($compared->{status}, 1, 'a comparison of the two says worse');
    like($compared->{out}, qr/^  hash-md5 memory /m, 'and has the same figures');
};

subtest 'results of different inputs are not compared' => sub {
    Fake::write_file("$dir/$_", $_ x 2000) for qw(one two);
    my @names = map { $fake->run([ qw(-c 1 --seed 1 --input), "$dir/$_", 'zstd-1' ]); $fake->record->{name} }
        qw(one two);
    my $got = $fake->run([ 'compare', @names ]);
    is($got->{status}, 125, 'cannot tell');
    like($got->{out}, qr/^  not tested \(\d\)  .*: another input$/m,     'because of the input');
    like($got->{out}, qr/^  input of the compressors +\S+ +\S+\/one; /m, 'which is a difference');
};

is("@Fake::PERL_WARNINGS", '', 'Perl has not complained');

done_testing;
