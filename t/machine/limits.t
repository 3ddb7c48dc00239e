#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# Limits of the shell: a Run that meets one names it, loses nothing that it has measured, and leaves nothing
# behind.
use 5.014;
use strict;
use warnings;

use Errno qw(EAGAIN EFBIG EMFILE ENOENT);
use File::Find ();
use File::Temp ();
use POSIX ();
use Test::More;

use lib 't/lib';
use Fake;
use Inherited;
use Touchstone::Machine::Limits;

# Only root raises a limit above the hard one, so other users are told where to raise it.
my $WHERE = qr/(?: where it was set)?/;

my $fake = Fake->new;

sub limited {
    my ($limit, @command) = @_;
    return [ '/bin/sh', '-c', "ulimit $limit && exec \"\$@\"", 'sh', @command ? @command : @Fake::RUN ];
}

# Returns what is left of work directories.
sub left {
    return join ' ', map {
        my $dir = $_;
        grep { /\A\.(?!runs\z)|touchstone-|new/ } Fake::entries($dir)
    } $fake->{tmp}, $fake->{results}, "$fake->{results}/.runs";
}

# Returns what Limits says of a failure. Root is not bound by limits of processes, so this runs as another
# user then.
sub explained {
    my ($limit, $said) = @_;
    my $script = 'if (!$>) { ($(, $)) = (65534, 65534); ($<, $>) = (65534, 65534) } '
        . 'print Touchstone::Machine::Limits::explanation($ARGV[0], 1) // "nothing"';
    my @command =
        @{ limited($limit, $^X, "-I$Fake::BASE/lib", '-MTouchstone::Machine::Limits', '-e', $script, $said) };
    open my $out, '-|', @command or die "cannot start a shell: $!\n";
    local $/;
    return scalar <$out>;
}

subtest 'with too few descriptors to begin, one sentence says so' => sub {
    for my $files (4 .. 14) {
        my $got =
            $fake->run([qw(--quick -c 1 pipe)], command => limited("-n $files", $^X, "$Fake::BASE/Run"));
        next if $got->{status} == 127;
        is("$got->{status} $got->{out}", '1 ', "$files: exit status 1");
        like(
            $got->{err},
            qr/\ARun: only \d+ more files can be opened: raise the limit with 'ulimit -n 256'\n\z/,
            "$files: and why"
        );
    }
    my $got = $fake->run([qw(--quick -c 8 pipe)], command => limited('-n 20'));
    is($got->{status}, 1, 'enough to begin, and too few for the copies: exit status 1');
    like(
        $got->{err},
        qr/^# pipe failed: cannot make a pipe.*\(the limit on open files(?:, 20,)? is reached: raise it with 'ulimit -n 4096'$WHERE\)$/m,
        'the line of the test names the limit'
    );
};

# Debian's package perl-base has only some modules of Perl's core. Here each module that Run asks for is
# missing in turn.
subtest 'where modules of Perl are missing, one sentence says what to install' => sub {
    my ($asked) = Fake::read_file("$Fake::BASE/Run") =~ /for my \$file \(qw\((.*?)\)\)/;
    my @files   = split ' ', $asked // '';
    my $dir     = File::Temp->newdir;
    for my $file (@files) {
        mkdir "$dir/" . ($file =~ s{/.*}{}r);
        Fake::write_file("$dir/$file", '1');
    }
    my $text_with = sub {
        my $script = '@INC = shift; open STDERR, ">&", \*STDOUT; do shift; print "begun"';
        open my $out, '-|', $^X, '-e', $script, "$dir", "$Fake::BASE/Run", 'help'
            or die "cannot start perl: $!\n";
        local $/;
        my $text = <$out> // '';
        return $text . (close $out ? ' 0' : ' ' . ($? >> 8));
    };
    like($text_with->(), qr/begun 0\z/, 'with all of them Perl goes on');
    for my $file (@files) {
        unlink "$dir/$file";
        is($text_with->(), "Run: perl is not complete, '$file' is missing: install the package perl\n 1",
            $file);
        Fake::write_file("$dir/$file", '1');
    }
    my %used = map { $_ => 1 } @files;
    for my $base (grep { m{/perl-base\z} } @INC) {
        my %lacking = map { $_ => 1 } grep { !-e "$base/$_" } map { s{::}{/}gr . '.pm' } modules_of_core();
        is(join(' ', grep { !$used{$_} } sort keys %lacking), '', "all that $base lacks");
    }
};

# The modules of others that ours load at their beginning.
sub modules_of_core {
    my @modules;
    File::Find::find(
        sub {
            push @modules, Fake::read_file($_) =~ /^use ([A-Z][\w:]*)/mg if /\.pm\z/;
        },
        "$Fake::BASE/lib"
    );
    return grep { !/\ATouchstone\b/ } @modules;
}

subtest 'a limit on the size of files is a disk that is full' => sub {

    # The output goes through a pipe, because no file can be written.
    local %ENV = $fake->environment;
    open my $out, '-|', '/bin/sh', '-c', 'ulimit -f 0 && exec "$@" 2>&1', 'sh', @Fake::RUN,
        qw(--quick -c 1 pipe)
        or die "cannot start a shell: $!\n";
    my $said = do { local $/; <$out> };
    close $out;
    is($?, 1 << 8, 'no file at all: exit status 1');
    like(
        $said,
        qr/^Run: cannot write '.*': File too large \(the limit on the size of a file(?:, 0,)? is reached: raise it with 'ulimit -f unlimited'$WHERE\); aborting\n\z/m,
        'the limit is named'
    );
    is(left(), '', 'nothing is left');
    my $got = $fake->run(
        [qw(--quick -c 1 pipe syscall)],
        command => limited('-f 16'),
        env     => { UB_OUTPUT_FILE_NAME => 'small' }
    );
    is("$got->{status} $got->{signal}", '1 0', 'small files: exit status 1');
    like(
        $got->{err},
        qr/^Run: cannot write '.*small.*': File too large \(.*'ulimit -f unlimited'$WHERE\)/m,
        'the limit is named'
    );
    like($got->{out}, qr/^Pipe Throughput .*\nSystem Call Overhead /m,
        'the report has all that was measured');
    is(left(), '', 'nothing is left half-way');
};

subtest 'a program that fails for a limit is told of with it' => sub {
    my %said = (
        'sh: 0: Cannot fork'                                      => 'u',
        'cannot make a process: Resource temporarily unavailable' => 'u',
        "bash: fork: retry: x"                                    => 'u',
        'sort: open failed: Too many open files'                  => 'n',
        'cannot write: File too large'                            => 'f',
        'killed by signal 25 (SIGXFSZ)'                           => 'f',
        'killed by signal 24 (SIGXCPU)'                           => 't'
    );
    for my $said (sort keys %said) {
        my $got = $fake->run([qw(--quick -c 1 pipe)], does => { pipe => "lines $said;ERROR|something else" });
        like(
            $got->{err},
            qr/^# pipe failed: something else.* \(the limit on .* is reached: raise it with 'ulimit -$said{$said} \w+'$WHERE\)$/m,
            $said
        );
    }
    my $got = $fake->run([qw(--quick -c 1 pipe)], does => { pipe => 'lines ERROR|a fork in the road' });
    like($got->{err}, qr/^# pipe failed: a fork in the road$/m, 'and what is none is not');
};

subtest 'memory that is short is a limit only where there is one' => sub {
    plan skip_all => 'no limits are told here' if !-r '/proc/self/limits';
    my $said = 'there is no memory for 256 MB: Cannot allocate memory';
    is(explained('-v unlimited', $said), 'nothing', 'the machine has no more');
    like(
        explained("-$_ 500000", $said),
        qr/\Athe limit on (?:data in )?memory, 512000000, is reached: raise it with 'ulimit -$_ unlimited' where it was set\z/,
        "ulimit -$_"
    ) for qw(v d);
    my $got = $fake->run(['--version'], command => limited('-v 60000', $^X, "$Fake::BASE/Run"));
    is("$got->{status} $got->{out}", '1 ', 'too little to begin: exit status 1');
    is(
        $got->{err},
        "Run: only 58 MB of memory may be used: raise the limit with 'ulimit -v unlimited'\n",
        'and a sentence'
    );
};

subtest 'what hardly leaves a process or a file is named though nobody said so' => sub {
    plan skip_all => 'no limits are told here' if !-r '/proc/self/limits';
    like(explained('-n 16', 'exit status 2'),
        qr/\Ano program may open more than 16 files: raise it with 'ulimit -n 4096' where it was set\z/,
        'files');
    is(explained('-n 200', 'exit status 2'), 'nothing', 'enough of both');

    # Shells use different letters for this limit.
    my $letter = (grep { system("sh -c 'ulimit -$_ 1000' 2>/dev/null") == 0 } 'u', 'p')[0];
    plan skip_all => 'this shell cannot limit processes' if !defined $letter;
    like(
        explained("-$letter 12", 'exit status 2'),
        qr/\Aonly \d+ more processes may be started, the limit is 12: raise it with 'ulimit -u unlimited' where it was set\z/,
        'processes'
    );
};

subtest 'an error is told with its limit, if it has one' => sub {
    my %is = (EAGAIN() => 'u', EMFILE() => 'n', EFBIG() => 'f');
    for my $error (sort keys %is) {
        local $! = $error;
        my ($words, $why) = ("$!", Touchstone::Machine::Limits::why($!));
        like($why, qr/\A\Q$words\E \(the limit on .*'ulimit -$is{$error} \w+'$WHERE\)\z/, $words);
    }
    local $! = ENOENT;
    my ($words, $why) = ("$!", Touchstone::Machine::Limits::why($!));
    is($why, $words, 'none');
};

subtest 'nothing of this makes Perl complain' => sub { is_deeply(\@Fake::PERL_WARNINGS, [], 'no warning') };

done_testing;
