# SPDX-License-Identifier: GPL-2.0-or-later
# The tests of the suite storage run by hand: what one operation is, which file they use, how they write and
# read where the page cache cannot be bypassed, and that they notice a disk that has other data.
use 5.014;
use strict;
use warnings;

use File::Path qw(make_path);
use Test::More;

use lib 't/lib';
use ByHand;
use Files;
use NoWarnings;
use OnDisk;
use Programs;
use Sources ();
use Touchstone::Suite;
use Touchstone::Suite::Storage::Conditions;

my $DIRECT   = 'seq-read';
my @NAMES    = ('seq-write', 'rand-read-32', $DIRECT);
my @CACHED   = ($DIRECT, SECONDS, 'kept', 'cached');
my $WHOLE_MB = 256;
OnDisk::begin(@NAMES, 'diskread');

# The size of the file, and the means, of a result.
sub means_of {
    my ($err) = @_;
    return join ' ', $err =~ /^FIGURE\|size\|(\d+)\|each$/m, $err =~ /^HOW\|(.*)/mg;
}

sub kept_files { return join ' ', names_in("$place/kept") }

sub without_file {
    unlink map { "$place/kept/$_" } names_in("$place/kept");
    return;
}

sub is_measured {
    my ($what, $means, $status, $err) = @_;
    is_result($what, $status, $err);
    is(means_of($err), $means, "$what: the size and the means") or diag($err);
    return;
}

my @ROWS = grep { $_->{suite} eq 'storage' && $_->{kept} } Touchstone::Suite::load()->tests;

subtest 'the rows share the file of disk-read, and have the time to write it at 1 MB a second' => sub {
    my ($other) = grep { $_->{name} eq 'disk-read' } Touchstone::Suite::load()->tests;
    is(scalar @ROWS, 4, 'four tests');
    for my $row (@ROWS) {
        is($row->{kept}, $other->{kept}, "$row->{name}: the directory");
        cmp_ok($row->{patience}, '>=', $WHOLE_MB, "$row->{name}: the seconds");
        cmp_ok($row->{space},    '>=', 32 * 1024, "$row->{name}: the space for the smallest file");
        ok($row->{single}, "$row->{name}: one copy");
    }
};

subtest 'each measures, tells size and means, and leaves the file alone' => sub {
    for my $program (@NAMES) {
        my ($status, $err) = in_place([], $program);
        is_measured($program, "$WHOLE_MB direct", $status, $err);
        like(
            $err,
            $program =~ /32/ ? qr/^COUNT\|\d+\|1\|lps$/m : qr/^COUNT\|[\d.e+]+\|0\|MBps$/m,
            "$program: the unit"
        );
    }
    is_result('cached', in_place([], @CACHED));
    is(kept_files(),            'blocks blocks.lock', 'the file is kept');
    is(-s "$place/kept/blocks", $WHOLE_MB << 20,      'and has its size');
    is(left_behind(),           '',                   'nothing else is there');
    is_result('disk-read after writes', in_place([], 'diskread'));
};

# The calls of a program after those of its set-up, as the library writes them.
sub calls_of {
    my ($fault, $program, $setup) = @_;
    my ($status, $err) = with_fault($fault, $program);
    my @calls = split /\n/, slurp("$work/calls");
    is($status, 0, "$program, $fault: exit 0");
    return (means_of($err), join(', ', @calls[ $setup .. $#calls ]));
}

subtest 'a write bypasses the page cache, or is followed by a flush' => sub {
    $is_preloadable or plan skip_all => $SKIPPED;
    my ($means, $calls) = calls_of('none', 'seq-write', 2);
    is($means, "$WHOLE_MB direct", 'the usual means');
    like($calls, qr/\Apwrite(?:, pwrite)*\z/, 'writes, without a flush');
    ($means, $calls) = calls_of('direct 22', 'seq-write', 1);
    is($means, "$WHOLE_MB flushed", 'where the file cannot be opened so');
    like($calls, qr/\Apwrite, fdatasync(?:, pwrite, fdatasync)*\z/, 'a flush after each write');
    ($means, $calls) = calls_of('direct pwrite 22', 'seq-write', 2);
    is($means, "$WHOLE_MB flushed", 'where the write is refused');
    like($calls, qr/\Apwrite, fdatasync(?:, pwrite, fdatasync)*\z/, 'a flush after each write');
};

subtest '32 reads are on their way' => sub {
    $is_preloadable or plan skip_all => $SKIPPED;
    my ($means, $most) = calls_of('reads overlap', 'rand-read-32', 1);
    is($most, 32, 'no more, and no fewer') or diag(slurp("$work/calls"));
};

# Each row is [program, fault, pattern of the message].
my @FAULTS = (
    [ 'seq-write',    'writes are lost',      'wrong result: block \d+ is not the last one written$' ],
    [ 'seq-write',    'writes are elsewhere', 'wrong result: block \d+ ' ],
    [ 'seq-write',    'middle is other',      'wrong result: block \d+ differs from the data written$' ],
    [ 'seq-write',    'pwrite 5',             'cannot write to a file .*: Input/output error$' ],
    [ 'seq-write',    'direct 13',            'cannot open the file that is written: Permission denied$' ],
    [ 'seq-read',     'read is elsewhere',    'wrong result: the read of MB \d+ gave other blocks$' ],
    [ 'seq-read',     'middle is other',      'wrong result: block \d+ differs from the data written$' ],
    [ 'seq-read',     'end is other',         'wrong result: block \d+ differs from the data written$' ],
    [ 'seq-read',     'pread 5',              'cannot read MB \d+ of the file: Input/output error$' ],
    [ 'seq-read',     'direct 13',            'cannot open the file that is read: Permission denied$' ],
    [ 'rand-read-32', 'read is elsewhere',    'wrong result: the read of block \d+ gave block \d+$' ],
    [ 'rand-read-32', 'middle is other',      'wrong result: block \d+ differs from the data written$' ],
    [ 'rand-read-32', 'pread 5',              'cannot read block \d+: Input/output error$' ],
);

subtest 'what goes wrong is noticed' => sub {
    $is_preloadable or plan skip_all => $SKIPPED;
    for my $row (@FAULTS) {
        my ($program, $fault, $pattern) = @$row;
        my ($status, $err) = with_fault($fault, $program);
        is($status, 1 << 8, "$program, $fault: exit 1");
        like($err, qr/^ERROR\|[^\n]*$pattern/m, "$program, $fault: a line says why");
        without_file() if $program eq 'seq-write';
    }
};

subtest 'without reads that bypass the page cache they are skipped' => sub {
    $is_preloadable or plan skip_all => $SKIPPED;
    for my $program ('seq-read', 'rand-read-32') {
        is_skipped(
            "$program, refused",
            'no reads past the cache \(O_DIRECT\); use another: UB_TMPDIR',
            with_fault('direct 22', $program)
        );
        is_skipped(
            "$program, ignored",
            'it ignores O_DIRECT; use another: UB_TMPDIR',
            with_fault('reads fill the cache', $program)
        );
    }
};

subtest 'from the page cache only the part is read that stays there' => sub {
    $is_preloadable or plan skip_all => $SKIPPED;
    is_measured('all',        $WHOLE_MB, with_fault('cache keeps 300', @CACHED));
    is_measured('half of it', 64,        with_fault('cache keeps 100', @CACHED));
    is_skipped(
        'too little',
        'the page cache does not keep 8 MB of a file',
        with_fault('cache keeps 7', @CACHED)
    );
    my ($status, $err) = with_fault('cache shrinks', @CACHED);
    is_measured('it was dropped', $WHOLE_MB, $status, $err);
    like($err, qr/^MISSING\|cache\|only 0 % of the file stayed in the page cache$/m, 'which is told');
};

subtest 'where there is less room the file is smaller, and disk-read does not take it for its own' => sub {
    without_file();
    my @limited = ('sh', '-c', 'ulimit -f 140000; exec "$@"', 'sh');
    my ($status, $err) = in_place(\@limited, 'seq-read');
    is_result('a limit', $status, $err);
    my ($mb) = means_of($err) =~ /\A(64|128) direct\z/;
    ok($mb, 'half of the file, or a quarter, as the shell counts') or return diag($err);
    is_measured("$_, the same file", "$mb direct", in_place([], $_)) for @NAMES;
    is_skipped(
        'disk-read',
        "the file has $mb MB, because there was no room for 256 MB",
        in_place([], 'diskread')
    );
    without_file();
};

subtest 'a file that cannot be written is no result, and its part is removed' => sub {
    for my $program (@NAMES) {
        is_error(
            $program,
            'cannot write to a file in the work directory: File too large$',
            in_place([ 'sh', '-c', 'ulimit -f 8000; exec "$@"', 'sh' ], $program)
        );
        is(kept_files(), 'blocks.lock', "$program: the part is removed");
    }
    $is_preloadable or return;
    is_error(
        'a full disk',
        'cannot write to a file .*: No space left on device$',
        with_fault('pwrite 28', 'seq-write')
    );
    is(kept_files(), 'blocks.lock', 'the part is removed');
    without_file();
};

subtest 'in memory there is no disk' => sub {
    my $dir   = "$work/a place";
    my @tmpfs = mounted('mount -t tmpfs none "$0"', $dir) or plan skip_all => 'nothing can be mounted here';
    is_skipped($_, 'is in memory \(tmpfs\), .* UB_TMPDIR=/var/tmp ./Run$', in_memory(\@tmpfs, $dir, $_))
        for @NAMES;
};

subtest 'what they cannot be told is a usage error' => sub {
    for my $program (@NAMES) {
        is_usage("$program with one", in_place([], $program, SECONDS));
        is_usage("$program with more", in_place([], $program, SECONDS, 'kept', 'direct', 'more'));
        is_error(
            "$program, no directory",
            q(cannot open the directory 'none': No such file or directory$),
            in_place([], $program, SECONDS, 'none', $program eq $DIRECT ? 'direct' : ())
        );
    }
    is_usage('another word', in_place([], $DIRECT, SECONDS, 'kept', 'warm'));
};

subtest 'results by other means, or of a smaller file, are not of one test' => sub {
    my $conditions_of = sub { Touchstone::Suite::Storage::Conditions::conditions({}, {}, $_[0]) };
    is_deeply(
        $conditions_of->({ how => 'direct', figures => { size => 64 } }),
        { 'mechanism' => 'direct', 'file size' => 64 },
        'both count'
    );
    is_deeply($conditions_of->({}), { 'mechanism' => undef, 'file size' => undef }, 'nothing');
};

done_testing();
