# SPDX-License-Identifier: GPL-2.0-or-later
# The programs commit, replace and diskread run by hand: what one operation is, that they notice a medium
# that does not keep what is written, where they cannot run, and that they leave nothing behind. What does
# not go wrong by itself does with a preloaded library.
use 5.014;
use strict;
use warnings;

use Fcntl qw(F_SETFD);
use File::Path qw(make_path);
use POSIX ();
use Test::More;

use lib 't/lib';
use ByHand;
use Files;
use NoWarnings;
use OnDisk;
use Programs;
use Sources ();
use Touchstone::Suite;

my @NAMES = qw(commit replace diskread);
OnDisk::begin(@NAMES);

sub figures { my ($err) = @_; return { $err =~ /^FIGURE\|([\w.]+)\|([^|\n]+)/mg } }

subtest 'each counts its operations, and shows a tail of as many times' => sub {
    for my $program (@NAMES) {
        my ($status, $err) = in_place([], $program);
        is_result($program, $status, $err);
        my $figure = figures($err);
        is(join(' ', sort keys %$figure), 'max p50 p90 p99 p99.9 samples', "$program: the figures");
        like($err, qr/^COUNT\|$figure->{samples}\|1\|lps$/m, "$program: a time for each count");
        my @rising = map { $figure->{$_} } qw(p50 p90 p99 p99.9 max);
        is("@rising", join(' ', sort { $a <=> $b } @rising), "$program: no quantile is below a lower one");
        is(left_behind(), '',                                "$program: nothing is left behind");
    }
    is(join(' ', names_in("$place/kept")), 'blocks blocks.lock', 'what is kept stays');
};

# Returns the calls after those of the set-up, as one word, and how many operations were counted.
sub calls_of {
    my ($program, $setup) = @_;
    my ($count) = (with_fault('none', $program))[1] =~ /^COUNT\|(\d+)\|/m;
    my @calls   = split /\n/, slurp("$work/calls");
    return (join(', ', @calls[ $setup .. $#calls ]), $count, @calls[ 0 .. $setup - 1 ]);
}

subtest 'an operation is what is described' => sub {
    $is_preloadable or plan skip_all => $SKIPPED;
    my ($calls, $count, @setup) = calls_of('commit', 4097);
    is($calls,     join(', ', ('pwrite, fdatasync') x $count), 'commit: a write and a flush of data');
    is($setup[-1], 'fsync',                                    'commit: the log is on its medium before');
    ($calls, $count) = calls_of('replace', 4);
    is(
        $calls,
        join(', ', ('pwrite, fsync, rename, fsync directory') x $count),
        'replace: a write, a flush, a name, a flush of the directory'
    );
    ($calls, $count, @setup) = calls_of('diskread', 1);
    is("@setup$calls", 'pwrite', 'diskread: nothing but a number is changed once the file is there');
};

# Returns the first place that diskread reads after its trial and block 0, in a directory where this many
# processes read before. On a busy machine a pass may have no second one.
sub place_after {
    my ($processes) = @_;
    Sources::spew("$place/kept/blocks.lock", pack 'Q', $processes);
    with_fault('places are told', 'diskread');
    return (grep { /\A\d+\z/ } split /\n/, slurp("$work/calls"))[2];
}

subtest 'copies and later passes of disk-read have places of their own, which no disk remembers' => sub {
    $is_preloadable or plan skip_all => $SKIPPED;
    my ($first, $again, $second) = map { place_after($_) } 0, 0, 1;
    is($again, $first, 'the first is the same everywhere');
    isnt($second, $first, 'the second reads elsewhere');
    is(unpack('Q', slurp("$place/kept/blocks.lock")), 2, 'each is counted');
};

subtest 'the first pass of disk-read has the time to write its file at 1 MB a second' => sub {
    my ($row) = grep { $_->{name} eq 'disk-read' } Touchstone::Suite::load()->tests;
    cmp_ok($row->{patience}, '>=', 256, 'seconds');
};

# Each row is [program, what goes wrong, pattern of the message, or nothing if the result is right all the
# same].
my $WRITE  = 'cannot write to a file in the work directory';
my @FAULTS = (
    [ 'commit', 'write is lost',        'wrong result: block \d+ of the log differs from the data written$' ],
    [ 'commit', 'write is elsewhere',   'wrong result: block \d+ of the log differs from the data written$' ],
    [ 'commit', 'end is other',         'wrong result: block \d+ of the log differs from the data written$' ],
    [ 'commit', 'middle is other',      'wrong result: block \d+ of the log differs from the data written$' ],
    [ 'commit', 'less is read',         'cannot read block \d+$' ],
    [ 'commit', 'pwrite 28',            "$WRITE: No space left on device\$" ],
    [ 'commit', 'later pwrite 28',      "$WRITE: No space left on device\$" ],
    [ 'commit', 'fdatasync 5',          'cannot flush the data .* to its medium: Input/output error$' ],
    [ 'commit', 'fsync 5',              'cannot flush a file .* to its medium: Input/output error$' ],
    [ 'commit', 'half is written',      undef ],
    [ 'commit', 'write is interrupted', undef ],
    [ 'replace',  'rename is lost',     'wrong result: the file is not the last one' ],
    [ 'replace',  'middle is other',    'wrong result: the file is not the last one' ],
    [ 'replace',  'rename 13',          'cannot rename a file in the work directory: Permission denied$' ],
    [ 'replace',  'pwrite 28',          "$WRITE: No space left on device\$" ],
    [ 'replace',  'fsync 5',            'cannot flush a file .* to its medium: Input/output error$' ],
    [ 'replace',  'half is written',    undef ],
    [ 'diskread', 'read is elsewhere',  'wrong result: the read of block \d+ gave block \d+$' ],
    [ 'diskread', 'middle is other',    'wrong result: block \d+ differs from the data written$' ],
    [ 'diskread', 'less is read',       'cannot read block \d+$' ],
    [ 'diskread', 'pread 5',            'cannot read block 0: Input/output error$' ],
    [ 'diskread', 'direct 13',          'cannot open the file that is read: Permission denied$' ],
);

subtest 'what goes wrong is noticed, and leaves nothing behind' => sub {
    $is_preloadable or plan skip_all => $SKIPPED;
    for my $row (@FAULTS) {
        my ($program, $fault, $pattern) = @$row;
        my @got = with_fault($fault, $program);
        defined $pattern
            ? is_error("$program, $fault", $pattern, @got)
            : is_result("$program, $fault", @got);
        is(left_behind(), '', "$program, $fault: nothing is left behind");
    }
};

subtest 'without reads past the cache disk-read is skipped' => sub {
    $is_preloadable or plan skip_all => $SKIPPED;
    is_skipped('they fill it', 'it ignores O_DIRECT; use', with_fault('reads fill the cache', 'diskread'));
    is_skipped('it opens nothing', 'O_DIRECT\); use another: UB_TMPDIR', with_fault('direct 22', 'diskread'));
    is_skipped('it reads nothing', 'refuses reads of 4 KB past the cache',
        with_fault('pread 22', 'diskread'));
};

subtest 'where a file system cannot flush, what waits for that is skipped' => sub {
    $is_preloadable or plan skip_all => $SKIPPED;
    my $why = 'this file system cannot flush %s to its medium; use another: UB_TMPDIR=/var/tmp ./Run$';
    is_skipped("fsync $_", sprintf($why, 'a file'), with_fault("fsync $_", 'replace')) for 22, 38, 95;
    is_skipped('fdatasync', sprintf($why, 'the data of a file'), with_fault('fdatasync 22', 'commit'));
    is(left_behind(), '', 'nothing is left behind');
};

subtest 'a work directory in memory keeps nothing, so the tests are skipped with a remedy' => sub {
    my $remedy = 'which keeps nothing; use a disk: UB_TMPDIR=/var/tmp ./Run$';
    my $dir    = "$work/a place";
    my $upper  = 'mkdir "$0/m y" "$0/l" && mount -t tmpfs none "$0/m y" && mkdir "$0/m y/u" "$0/m y/w"'
        . ' && mount -t overlay -o "lowerdir=$0/l,upperdir=$0/m y/u,workdir=$0/m y/w" none "$0/o"';
    my %memory = (
        tmpfs => [ mounted('mount -t tmpfs none "$0"', $dir) ],
        ramfs => [ mounted('mount -t ramfs none "$0"', $dir) ]
    );
    make_path("$dir/o");
    my @overlay = mounted($upper, $dir);
    rmdir "$dir/$_" for 'm y', 'l';
    grep { @$_ } values %memory or @overlay or plan skip_all => 'nothing can be mounted here';

    for my $program (@NAMES) {
        for my $type (grep { @{ $memory{$_} } } sort keys %memory) {
            is_skipped(
                "$program, $type",
                "is in memory \\($type\\), $remedy",
                in_memory($memory{$type}, $dir, $program)
            );
        }
        next if !@overlay;
        is_skipped(
            "$program, overlay",
            "is in memory \\(overlay on tmpfs\\), $remedy",
            in_memory(\@overlay, "$dir/o", $program)
        );
        rmdir "$dir/$_" for 'm y', 'l';
    }
};

subtest 'a file that may not grow is no result' => sub {
    for my $program (qw(commit replace)) {
        is_error(
            $program,
            "$WRITE: File too large\$",
            in_place([ 'sh', '-c', 'ulimit -f 8; exec "$@"', 'sh' ], $program)
        );
        is(left_behind(), '', "$program: nothing is left behind");
    }
};

subtest 'what they cannot be told is a usage error' => sub {
    is_usage($_,                    in_place([], $_,         SECONDS, 'kept')) for qw(commit replace);
    is_usage('diskread with one',   in_place([], 'diskread', SECONDS));
    is_usage('diskread with three', in_place([], 'diskread', SECONDS, 'kept', 'kept'));
    is_error(
        'no directory',
        "cannot open the directory 'none': No such file or directory\$",
        in_place([], 'diskread', SECONDS, 'none')
    );
};

subtest 'copies make the file of disk-read once, also where a killed one left a part' => sub {
    unlink "$place/kept/blocks" or die "cannot remove: $!\n";
    Sources::spew("$place/kept/blocks.part", "a part\n");
    my ($status, $err) = run('sh', '-c', '"$1" "$2" "$0/kept" & "$1" "$2" "$0/kept"; wait $!',
        $place, Programs::path('diskread'), SECONDS);
    is($status,                            0,                    'both measure');
    is(scalar(() = $err =~ /^COUNT\|/mg),  2,                    'and have a result') or diag($err);
    is(join(' ', names_in("$place/kept")), 'blocks blocks.lock', 'there is one file');
    is(-s "$place/kept/blocks",            256 << 20,            'and it is whole');
};

# Starts a program and returns its process id when it measures.
sub at_work {
    my ($program) = @_;
    pipe my $ready,   my $to_ready or die "cannot make a pipe: $!\n";
    pipe my $at_gate, my $gate     or die "cannot make a pipe: $!\n";
    my $pid = fork // die "cannot fork: $!\n";
    if (!$pid) {
        fcntl $_, F_SETFD, 0 for $to_ready, $at_gate;
        @ENV{qw(TS_READY TS_GATE)} = (fileno $to_ready, fileno $at_gate);
        close $gate;
        chdir $place;
        { no warnings 'exec'; exec { Programs::path($program) } $program, 60 }
        POSIX::_exit(127);
    }
    close $to_ready;
    is(sysread($ready, my $byte, 1), 1, "$program: it is ready");
    close $gate;
    return $pid;
}

subtest 'a signal ends them, and their files go' => sub {
    for my $program (qw(commit replace)) {
        my $pid = at_work($program);
        isnt(left_behind(), '', "$program: it has a file");
        kill 'TERM', $pid;
        waitpid $pid, 0;
        is($?,            POSIX::SIGTERM(), "$program: ended by it");
        is(left_behind(), '',               "$program: nothing is left behind");
    }
};

done_testing();
