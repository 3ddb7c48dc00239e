# SPDX-License-Identifier: GPL-2.0-or-later
# The measured scripts, their input texts and the baselines are what the suite says they are.
use 5.014;
use strict;
use warnings;

use Cwd qw(abs_path);
use Digest::SHA qw(sha256_hex);
use File::Basename qw(dirname);
use File::Copy qw(copy);
use File::Temp;
use Math::BigInt;
use Test::More;

use lib 't/lib';
use Tools;

my $ROOT    = abs_path(dirname(__FILE__) . '/../..');
my $MULTI   = "$ROOT/pgms/multi.sh";
my @TOOLS   = qw(sort od grep tee wc rm);
my $WORD    = 'lamp';
my $SCRATCH = File::Temp->newdir;

delete @ENV{qw(UB_BINDIR UB_TESTDIR MULTI_SH_WORK_FACTOR)};
$ENV{LC_ALL} = 'C';

sub text_of {
    my ($file) = @_;
    open my $in, '<:raw', $file or die "cannot open '$file': $!\n";
    local $/;
    return scalar <$in>;
}

sub write_to {
    my ($file, $text) = @_;
    open my $out, '>', $file or die "cannot open '$file': $!\n";
    print {$out} $text;
    close $out or die "cannot write '$file': $!\n";
    return $file;
}

my $directories = 0;

sub new_directory {
    my ($name) = @_;
    my $path = "$SCRATCH/" . ++$directories . ($name // '');
    mkdir $path or die "cannot make '$path': $!\n";
    return $path;
}

sub files_in {
    my ($directory) = @_;
    opendir my $handle, $directory or die "cannot open '$directory': $!\n";
    return sort grep { !/^\.\.?$/ } readdir $handle;
}

# Runs (in => directory, env => {}, command => []), and returns status, standard output, standard error.
sub run {
    my (%how) = @_;
    my $files = new_directory();
    my $pid   = fork // die "cannot fork: $!\n";
    if (!$pid) {
        %ENV = (%ENV, %{ $how{env} || {} });
        chdir($how{in} // $files)
            && open(STDIN,  '<', '/dev/null')
            && open(STDOUT, '>', "$files/out")
            && open(STDERR, '>', "$files/err")
            or die "cannot start: $!\n";
        exec { $how{command}[0] } @{ $how{command} } or die "cannot run '$how{command}[0]': $!\n";
    }
    waitpid $pid, 0;
    return {
        status => $? & 127 ? "signal $?" : $? >> 8,
        out    => text_of("$files/out"),
        err    => text_of("$files/err")
    };
}

sub multi {
    my ($copies, %how) = @_;
    return run(%how, command => [ '/bin/sh', $MULTI, $copies ]);
}

sub path_of {
    my ($program) = @_;
    my ($found)   = grep { -x } map { "$_/$program" } split /:/, $ENV{PATH};
    return $found;
}

# Returns a directory that holds only these tools.
sub toolbox {
    my (@tools) = @_;
    my $box = new_directory();
    symlink path_of($_), "$box/$_" or die "cannot link '$_': $!\n" for @tools;
    return $box;
}

sub figures {
    my ($text, $pattern) = @_;
    my @lines   = split /\n/, $text;
    my @lengths = sort { $a <=> $b } map { length } @lines;
    my @found   = grep { /$pattern/ } @lines;
    return {
        bytes         => length $text,
        lines         => scalar @lines,
        words         => scalar(() = $text =~ /\S+/g),
        found         => scalar @found,
        'bytes found' => length join('', map { "$_\n" } @found),
        longest       => $lengths[-1],
        median        => ($lengths[ $#lengths / 2 ] + $lengths[ @lengths / 2 ]) / 2,
    };
}

subtest 'sort.src has the shape that the shell tests are known for' => sub {
    my $text = text_of("$ROOT/testdir/sort.src");
    my %want = (
        bytes         => 8546,
        lines         => 362,
        words         => 1200,
        found         => 35,
        'bytes found' => 924,
        longest       => 82,
        median        => 18
    );
    is_deeply figures($text, 'the'), \%want, 'bytes, lines, words and lines with "the"';
    unlike $text, qr/[^\n -~]/, 'plain ASCII';
    my $dump = run(command => [ 'od', "$ROOT/testdir/sort.src" ]);
    is scalar(split /\n/, $dump->{out}), 536, 'lines of its dump';
};

my $large = run(command => [ $^X, "$ROOT/testdir/large.pl" ]);

subtest 'large.txt has the shape that grep is known for' => sub {
    is $large->{status}, 0, 'large.pl ends well';
    my $is   = figures($large->{out}, $WORD);
    my %want = (bytes => 708_495, lines => 10_000, words => 61_664, found => 1_032);
    is $is->{$_}, $want{$_}, $_ for sort keys %want;
};

subtest 'large.txt is the same on every Perl' => sub {
    is sha256_hex($large->{out}), '5a8ca31ddead0b291c44a54606afbe3e0a974971c4bbc6e24e569c490d0d22fe',
        'the known bytes';
    my $again = run(
        command => [ $^X, "$ROOT/testdir/large.pl" ],
        env     => { PERL_HASH_SEED => 7, PERL_RAND_SEED => 7 }
    );
    ok $again->{out} eq $large->{out}, 'whatever the order of hashes';
};

subtest 'the sample in large.pl is part of large.txt' => sub {
    my @sample = text_of("$ROOT/testdir/large.pl") =~ /^#   (\d+ .*\n)/mg;
    is scalar @sample, 3, 'three lines';
    ok index($large->{out}, $sample[$_]) >= 0, 'line ' . ($_ + 1) for 0 .. $#sample;
};

subtest 'cctest.c has the size that the compiler test is known for' => sub {
    my $figures = figures(text_of("$ROOT/testdir/cctest.c"), 'int');
    is $figures->{lines}, 156,  'lines';
    is $figures->{bytes}, 3584, 'bytes';
};

subtest 'cctest.c compiles without a warning and prints what its header says' => sub {
    my $source = "$ROOT/testdir/cctest.c";
    my ($cc)   = split ' ', $ENV{CC} || 'cc';
    plan skip_all => "$cc is missing" if !path_of($cc) && !-x $cc;
    my $directory = new_directory();
    my $compiled  = run(in => $directory, command => [ $cc, '-Wall', '-o', 'cctest', $source ]);
    is $compiled->{status}, 0,  'status of the compiler';
    is $compiled->{err},    '', 'warnings';
    my $ran = run(command => ["$directory/cctest"]);
    is $ran->{status}, 0, 'status of the program';
    my ($known) = text_of($source) =~ /"(cctest .*)"/;
    is $ran->{out}, "$known\n", 'its checksum';
};

subtest 'dc.dat gives the square root of two in lines that no dc wraps' => sub {
    plan skip_all => $_ for Tools::lacking('dc');
    my $dc   = path_of('dc');
    my $root = Math::BigInt->new(2)->bmul(Math::BigInt->new(10)->bpow(198))->bsqrt->bstr;
    my $want = '1.' . substr($root, 1, 50) . "\n" . substr($root, 51) . "\n";

    # Debian's dc crashes where neither HOME nor the list of users tells it a directory.
    my $got = run(
        command => [ '/bin/sh', '-c', 'exec dc <"$1"', 'sh', "$ROOT/testdir/dc.dat" ],
        env     => { HOME => '/' }
    );
    is $got->{out}, $want, 'the first 50 places, then the other 49';
    is $got->{err}, '',    'no complaint';
    unlike $got->{status}, qr/signal/, 'nothing has killed it';
    cmp_ok figures($want, '.')->{longest}, '<', 70, 'longest line';
};

subtest 'the baselines are those of George' => sub {
    my %want = (
        dhry2reg           => [ 10, lps   => 116700, 10 ],
        'whetstone-double' => [ 10, MWIPS => '55.0', 10 ],
        execl              => [ 30, lps   => '43.0', 3 ],
        fstime             => [ 30, KBps  => 3960,   3 ],
        fsbuffer           => [ 30, KBps  => 1655,   3 ],
        fsdisk             => [ 30, KBps  => 5800,   3 ],
        pipe               => [ 10, lps   => 12440,  10 ],
        context1           => [ 10, lps   => 4000,   10 ],
        spawn              => [ 30, lps   => 126,    3 ],
        shell1             => [ 60, lpm   => 42.4,   3 ],
        shell8             => [ 60, lpm   => 6,      3 ],
        syscall            => [ 10, lps   => 15000,  10 ],
        grep               => [ 30, lpm   => 1,      3 ],
        sysexec            => [ 10, lps   => 25,     10 ],
        map({ ("2d-$_" => [ 24, score => 15, 3 ]) } qw(rects ellipse aashapes text blit window)),
    );
    my @lines = grep { !/^#/ } split /\n/, text_of("$ROOT/pgms/index.base");
    my @want  = map {
        my ($seconds, $unit, $score, $passes) = @{ $want{$_} };
        "$_|$seconds|$unit|$score|$score|$passes"
    } keys %want;
    is_deeply [ sort @lines ], [ sort @want ], 'name, seconds, unit, score twice, passes';
};

subtest 'multi.sh works and leaves nothing behind, whatever its directory is called' => sub {
    for my $name ('', ' two words', q{ 'quote" $HOME `x` *}) {
        for my $copies (1, 8) {
            my $directory = new_directory($name);
            my $ran       = multi($copies, in => $directory);
            is $ran->{status},            0,  "status of multi.sh $copies in '$name'";
            is $ran->{out} . $ran->{err}, '', 'says nothing';
            is_deeply [ files_in($directory) ], [], 'leaves nothing';
        }
    }
};

subtest 'multi.sh finds tst.sh and its text beside itself, whatever the tree is called' => sub {
    my $tree = new_directory(q{ a 'tree" $x});
    mkdir "$tree/$_" or die "cannot make '$tree/$_': $!\n" for qw(pgms testdir);
    copy("$ROOT/$_", "$tree/$_")
        or die "cannot copy '$_': $!\n"
        for qw(pgms/multi.sh pgms/tst.sh testdir/sort.src);
    for my $call (
        [ new_directory(), "$tree/pgms/multi.sh" ],
        [ $tree,           'pgms/multi.sh' ],
        [ "$tree/pgms",    'multi.sh' ]
    ) {
        my ($where, $script) = @$call;
        my $ran = run(in => $where, command => [ '/bin/sh', $script, 1 ]);
        is $ran->{status}, 0, "status of '$script'" or diag $ran->{err};
    }
};

subtest 'the scripts run as programs' => sub {
    is run(command => [ $MULTI, 1 ])->{status}, 0, 'multi.sh';
    is run(command => [ "$ROOT/pgms/tst.sh", "$ROOT/testdir/sort.src" ])->{status}, 0, 'tst.sh';
};

subtest 'tst.sh sorts, dumps, searches and counts' => sub {
    my $box = toolbox(grep { $_ ne 'rm' } @TOOLS);
    chmod 0755, write_to("$box/rm", "#!/bin/sh\n") or die "cannot make rm: $!\n";
    my $directory = new_directory();
    is multi(1, in => $directory, env => { PATH => $box })->{status}, 0, 'works with an rm that does nothing';
    my %left = map { /^(\w+)\.\d+$/ ? ($1 => text_of("$directory/$_")) : ($_ => '') } files_in($directory);
    is_deeply [ sort keys %left ], [qw(grep od sort wc)], 'four files carry the process id';
    my $source = text_of("$ROOT/testdir/sort.src");
    ok $left{sort} eq join('', sort { $a cmp $b } $source =~ /.*\n/g), 'the text is sorted';
    is scalar(split /\n/, $left{od}), 536, 'its dump has all lines';
    ok $left{od} eq join('', sort { $a cmp $b } $left{od} =~ /.*\n/g), 'in the order of addresses';
    ok $left{grep} eq join('', grep { /the/ } $left{sort} =~ /.*\n/g), 'the lines with "the" are kept';
    is_deeply [ (split ' ', $left{wc})[ 0, 2 ] ], [ 35, 924 ], 'and counted';
};

subtest 'multi.sh sorts another text when it is told one' => sub {
    my $box = toolbox(grep { $_ ne 'rm' } @TOOLS);
    chmod 0755, write_to("$box/rm", "#!/bin/sh\n") or die "cannot make rm: $!\n";
    my $directory = new_directory();
    my $other     = write_to(new_directory(q{ a 'text" $x}) . '/two words', "other\n" x 2);
    my %env       = (PATH => $box, MULTI_SH_WORK_FACTOR => 3);
    my $ran       = run(in => $directory, command => [ '/bin/sh', $MULTI, 2, $other ], env => \%env);
    is $ran->{status}, 0, 'status' or diag $ran->{err};
    my @sorted = map { text_of("$directory/$_") } grep { /^sort/ } files_in($directory);
    is_deeply \@sorted, [ ("other\n" x 6) x 2 ], 'so many times, in each copy';
};

subtest 'multi.sh fails and says so when a tool is missing' => sub {
    for my $missing (@TOOLS) {
        my $directory = new_directory();
        my $ran = multi(2, in => $directory, env => { PATH => toolbox(grep { $_ ne $missing } @TOOLS) });
        is $ran->{status}, 1, "status without $missing";
        like $ran->{err}, qr/^tst\.sh: /m, 'tst.sh says why';
        is_deeply [ files_in($directory) ], [], 'leaves nothing' if $missing ne 'rm';
    }
};

subtest 'multi.sh fails when files cannot grow' => sub {
    for my $blocks (1, 20) {
        my $directory = new_directory();
        my $limited   = 'trap "" XFSZ; ulimit -f "$1"; exec /bin/sh "$2" 1';
        my $ran = run(in => $directory, command => [ '/bin/sh', '-c', $limited, 'sh', $blocks, $MULTI ]);
        is $ran->{status}, 1, "status with files of $blocks blocks";
        like $ran->{err}, qr/^tst\.sh: /m, 'tst.sh says why';
        is_deeply [ files_in($directory) ], [], 'leaves nothing';
    }
};

subtest 'multi.sh fails in a directory it may not write' => sub {
    my $directory = new_directory();
    chmod 0555, $directory;
    plan skip_all => 'this user may write everywhere' if -w $directory;
    my $ran = multi(1, in => $directory);
    is $ran->{status}, 1, 'status';
    like $ran->{err}, qr/^tst\.sh: /m, 'tst.sh says why';
};

subtest 'multi.sh fails when the text is missing' => sub {
    my $ran = multi(1, env => { UB_TESTDIR => new_directory() });
    is $ran->{status}, 1, 'status';
    like $ran->{err}, qr/^tst\.sh: cannot sort the text/m, 'tst.sh says why';
};

subtest 'multi.sh fails when one of its copies fails' => sub {
    my $bin = new_directory();
    write_to("$bin/tst.sh", "mkdir first 2>/dev/null || exit 0\nexit 3\n");
    my $ran = multi(3, env => { UB_BINDIR => $bin });
    is $ran->{status}, 1, 'status';
    like $ran->{err}, qr/status 3/, 'names the status';
};

subtest 'MULTI_SH_WORK_FACTOR multiplies the text and N the copies' => sub {
    my $bin = new_directory();
    write_to("$bin/tst.sh", qq{cat "\$@" >input.\$\$\n});
    for my $factor (1, 2, 5) {
        my $directory = new_directory();
        is multi(3, in => $directory, env => { UB_BINDIR => $bin, MULTI_SH_WORK_FACTOR => $factor })
            ->{status}, 0, "factor $factor";
        is_deeply [ map { -s "$directory/$_" } files_in($directory) ], [ (8546 * $factor) x 3 ],
            'the text of each copy';
    }
    is multi(1, env => { MULTI_SH_WORK_FACTOR => 2 })->{status}, 0, 'the real tst.sh takes it';
};

subtest 'wrong arguments are usage errors' => sub {
    my @wrong = ([], ['0'], ['x'], ['-1'], ['1.5'], [''], ['10000'], [ 1, 'FILE', 3 ]);
    for my $arguments (@wrong) {
        my $ran = run(command => [ '/bin/sh', $MULTI, @$arguments ]);
        is $ran->{status}, 2, "status of multi.sh @$arguments";
        like $ran->{err}, qr/allowed are 1 to 9999\nusage: multi\.sh N \[FILE\]\n\z/, 'says what is allowed';
    }
    is multi(1, env => { MULTI_SH_WORK_FACTOR => $_ })->{status}, 2, "factor $_" for 0, 'x';
    is run(command => [ '/bin/sh', "$ROOT/pgms/tst.sh" ])->{status}, 2, 'tst.sh without a file';
};

subtest 'shellcheck finds nothing in the scripts' => sub {
    plan skip_all => $_ for Tools::lacking('shellcheck');
    my $shellcheck = path_of('shellcheck');
    is run(command => [ $shellcheck, '-s', 'sh', $MULTI, "$ROOT/pgms/tst.sh" ])->{out}, '', 'no remarks';
};

done_testing;
