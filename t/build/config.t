#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# src/config.pl asks once what compilers and libraries can do: a make with nothing to do starts no compiler,
# and the questions are asked again when an answer could change.
use 5.014;
use strict;
use warnings;

use Test::More;

use lib 't/lib';
use Sources;

my ($make) = grep { system("command -v $_ >/dev/null 2>&1") == 0 } qw(gmake make);
plan skip_all => 'there is no make' if !defined $make;
plan skip_all => 'there is no cc'   if system('command -v cc >/dev/null 2>&1') != 0;

# This compiler records each of its starts.
mkdir "$dir/include" or die "cannot make '$dir/include': $!\n";
spew("$dir/counted", "#!/bin/sh\necho start >>'$dir/starts'\nexec cc \"\$@\"\n");
chmod 0755, "$dir/counted" or die "cannot change the mode of '$dir/counted': $!\n";

# Returns how often a make of one program started the compiler.
sub starts {
    my (@settings) = @_;
    unlink "$dir/starts";
    my ($status, $out, $err) = run($make, '-s', '-C', "$dir", "CC=$dir/counted", 'pgms/pipe', @settings);
    is("$status $err", '0 ', 'make is content');
    return -e "$dir/starts" ? scalar(() = slurp("$dir/starts") =~ /start/g) : 0;
}

sub answers { my ($name) = @_; return slurp("$dir/obj/config.mk") =~ /^$name := (.*)$/m ? $1 : undef }

subtest 'a make with nothing to do starts no compiler' => sub {
    cmp_ok(starts(), '>', 8, 'the first one starts it');
    like(answers('COMPILER_VERSION'), qr/\S/, 'its version is kept');
    is(starts(), 0, 'the second one does not');
};

subtest 'another compiler or other flags are asked anew' => sub {
    starts();
    utime 1, 1, "$dir/counted" or die "cannot change the time of '$dir/counted': $!\n";
    cmp_ok(starts(),            '>', 8, 'a compiler that was replaced');
    cmp_ok(starts('CFLAGS=-g'), '>', 8, 'other flags');
    is(starts('CFLAGS=-g'), 0, 'and they are kept, too');
};

# Pretends that the compiler is another system's: it has this macro, or headers with a narrow off_t, or no
# atomics of 64 bits.
sub answers_of {
    my ($how, $name) = @_;
    spew("$dir/other", <<"END");
#!/bin/sh
how='$how'
case " \$* " in *' -dM '*) case \$how in __*) echo "#define \$how 1"; exit 0 ;; esac ;; esac
for last; do :; done
case \$last in -|-l*) cat >'$dir/asked.c' ;; *) exec cc "\$@" ;; esac
case \$how in
narrow) case " \$* " in *_FILE_OFFSET_BITS=64*) ;; *) ! grep -q off_t '$dir/asked.c' || exit 1 ;; esac ;;
none) ! grep -q stdatomic '$dir/asked.c' || exit 1 ;;
library) if grep -q stdatomic '$dir/asked.c'; then [ "\$last" = -latomic ] && echo >'$dir/linked'; exit; fi ;;
esac
exec cc "\$@" <'$dir/asked.c'
END
    chmod 0755, "$dir/other" or die "cannot change the mode of '$dir/other': $!\n";
    local @ENV{qw(CC FC CFLAGS LDFLAGS)} = ("$dir/other", 'no-such-compiler', '', '');
    my ($status, $out, $err) = run('perl', "$dir/src/config.pl", "$dir/other.d");
    is("$status $err", '0 ', "$how: the questions are answered");
    my ($answer) = slurp("$dir/other.d/config.mk") =~ /^$name := (.*)$/m;
    unlink "$dir/other.d/config.mk";
    return $answer;
}

subtest 'the headers of each system are asked for all of their calls' => sub {
    my $posix = '-D_POSIX_C_SOURCE=200809L';
    my %asks  = (
        __APPLE__   => '-D_DARWIN_C_SOURCE',
        __NetBSD__  => '-D_NETBSD_SOURCE',
        __linux__   => $posix,
        __unknown__ => $posix,
        narrow      => "$posix -D_FILE_OFFSET_BITS=64",
        map { $_ => '' } qw(__FreeBSD__ __OpenBSD__ __DragonFly__)
    );
    is(answers_of($_, 'FEATURES'), $asks{$_}, $_) for sort keys %asks;
};

subtest 'where a CPU has no atomics of 64 bits a library has them, or their programs are left out' => sub {
    is(answers_of('__linux__', 'ATOMIC'), '',         'this CPU needs no library');
    is(answers_of('library',   'ATOMIC'), '-latomic', 'a library');
    is(answers_of('none',      'ATOMIC'), 'none',     'nothing');
    my $link = sub {
        my ($program, $answer) = @_;
        my ($status,  $out)    = run($make, '-n', '-B', '-C', "$dir", "ATOMIC=$answer", "pgms/$program");
        return $status == 0 && $out =~ /(-o pgms\/$program .*)/ ? $1 : 'nothing';
    };
    like($link->('truth-clock', '-latomic'), qr/ -latomic/, 'a program with atomics is linked with it');
    unlike($link->('pipe', '-latomic'), qr/ -latomic|nothing/, 'no other program is');
    is($link->('truth-clock', 'none'), 'nothing', 'without atomics there is no such program');
    like($link->('pipe', 'none'), qr/-o/, 'and there are the others');
    my $includes = qr{^#include [<"](?:stdatomic|modern/shared/team|truth/shared/line)\.h[>"]$}m;
    my @users    = sort map { m{([^/]+)\.c\z} } grep { slurp($_) =~ $includes } glob "$dir/src/*/*.c";
    my ($named)  = slurp("$dir/Makefile") =~ /^ATOMIC_USERS := ((?:.*\\\n)*.*)/m;
    is(
        "@{[ sort grep { /\w/ } split ' ', $named ]}",
        "@users",
        'the Makefile names all programs with atomics'
    );
};

subtest 'a library that is installed later is found' => sub {
    my $ask = sub {
        local @ENV{qw(CC FC CFLAGS LDFLAGS)} = ('cc -nostdinc', 'no-such-compiler', "-I$dir/include", '');
        my ($status, $out, $err) = run('perl', "$dir/src/config.pl", "$dir/found");
        is("$status $out $err", "0 $dir/found/config.mk\n ", 'it names the file');
        return slurp("$dir/found/config.mk") =~ /^ZSTD := (.*)$/m ? $1 : undef;
    };
    is($ask->(), '', 'a header that is not there');
    spew("$dir/include/zstd.h", "static void ZSTD_compress2(void) {}\n");
    utime 1, 1, "$dir/include" or die "cannot change the time of '$dir/include': $!\n";
SKIP: {
        skip 'there is no libzstd to link with (Debian: libzstd-dev)', 1
            if system("echo 'int main(void) { return 0; }' | cc -x c -o '$dir/linked' - -lzstd 2>/dev/null")
            != 0;
        is($ask->(), 'zstd', 'and then is');
    }
};

# Runs config.pl alone, through a shell that runs some commands first. Returns its status and standard error.
sub asked {
    my ($first, %setting) = @_;
    local @ENV{qw(CC FC CFLAGS LDFLAGS)} = ("$dir/counted", 'no-such-compiler', '', '');
    local @ENV{ keys %setting } = values %setting;
    unlink "$dir/starts";
    my ($status, undef, $err) = run('sh', '-c', "$first; exec perl '$dir/src/config.pl' '$dir/alone'");
    return ($status, $err);
}

subtest 'a compiler that fails for another reason is not said to lack something' => sub {
    my ($status, $err) = asked('ulimit -f 100');
    isnt($status, 0, 'a limit for the size of files');
    like($err, qr/'\Q$dir\E\/counted' cannot build a plain program\n.*\S/, 'is reported');
    ok(!-e "$dir/alone/config.mk", 'no answer is kept');
    spew("$dir/killed", "#!/bin/sh\ncase \"\$*\" in *-static*) kill -9 \$\$ ;; esac\nexec cc \"\$@\"\n");
    chmod 0755, "$dir/killed" or die "cannot change the mode of '$dir/killed': $!\n";
    ($status, $err) = asked('true', CC => "$dir/killed");
    isnt($status, 0, 'a compiler that is killed');
    ok(!-e "$dir/alone/config.mk", 'is no answer, either');
    ($status, $err) = asked('true');
    is("$status $err", '0 ', 'without the limit it succeeds');
    like(slurp("$dir/alone/config.mk"), qr/^# .*\nTUNE := /, 'and the answers are kept');
    is(join(' ', grep { !/config\.mk\z/ } glob "$dir/alone/*"), '', 'and nothing else');
};

subtest 'the size of the shortest program is what size(1) says' => sub {
    my $said =
        "   text\t   data\t    bss\t    dec\t    hex\tfilename\n   1216\t    528\t      8\t   1752\t    6d8\tx\n";
    my $least = sub {
        my ($says) = @_;
        mkdir "$dir/sizes";
        spew("$dir/sizes/size", "#!/bin/sh\n$says\n");
        chmod 0755, "$dir/sizes/size" or die "cannot change the mode of '$dir/sizes/size': $!\n";
        my ($status, $err) = asked('true', PATH => "$dir/sizes:$ENV{PATH}");
        is("$status $err", '0 ', 'config.pl is content');
        unlink "$dir/sizes/size";
        return slurp("$dir/alone/config.mk") =~ /^LEAST := (.*)$/m ? $1 : undef;
    };
    is($least->("printf '%s' '$said'"), 'text 1216 + data 528 + bss 8 = 1752 bytes', 'the sum of its parts');
    is($least->('exit 127'),            '', 'nothing where there is no such command');
    is($least->("printf '__TEXT __DATA __OBJC others dec hex\\n1 2 3 4 10 a\\n'"),
        '', 'nothing where it says something else');
};

subtest 'make stops with the words of config.pl' => sub {
    spew("$dir/refuses", "#!/bin/sh\necho 'not today' >&2\nexit 1\n");
    chmod 0755, "$dir/refuses" or die "cannot change the mode of '$dir/refuses': $!\n";
    my ($status, $out, $err) = run($make, '-s', '-C', "$dir", "CC=$dir/refuses", 'pgms/pipe');
    is("$status $out", '2 ', 'it fails');
    like($err, qr/ cannot build a plain program\nnot today\n.*\*\*\* src\/config\.pl .*Stop\.\n\z/s,
        'and says why');
    is(scalar(() = $err =~ /not today/g), 1, 'before anything is compiled');
};

subtest 'what the compiler finds elsewhere is asked anew when it changes' => sub {
    mkdir "$dir/$_"
        or die "cannot make '$dir/$_': $!\n"
        for qw(tools sys sys/usr sys/usr/include), 'with blank';
    spew("$dir/tools/ld", '');

    # This compiler says yes to everything, because only its starts count here.
    spew("$dir/agrees", "#!/bin/sh\necho start >>'$dir/starts'\n");
    chmod 0755, "$dir/agrees" or die "cannot change the mode of '$dir/agrees': $!\n";
    my %case = (
        'a linker on PATH'          => [ 'tools/ld',        PATH          => "$ENV{PATH}:$dir/tools" ],
        'a linker in COMPILER_PATH' => [ 'tools/ld',        COMPILER_PATH => "$dir/tools" ],
        '-isystem DIR'              => [ 'sys',             CFLAGS        => "-isystem $dir/sys" ],
        '-I "DIR"'                  => [ 'with blank',      CFLAGS        => qq(-I "$dir/with blank") ],
        "-I'DIR'"                   => [ 'with blank',      CFLAGS        => qq(-I'$dir/with blank') ],
        '--sysroot=DIR'             => [ 'sys/usr/include', CFLAGS => "--sysroot=$dir/sys --sysroot=/" ],
        map { ($_ => [ 'sys', $_ => "/nonexistent:$dir/sys" ]) } qw(CPATH C_INCLUDE_PATH LIBRARY_PATH)
    );
    for my $name (sort keys %case) {
        my ($changed, @setting) = @{ $case{$name} };
        asked('true', CC => "$dir/agrees", @setting);
        asked('true', CC => "$dir/agrees", @setting);
        ok(!-e "$dir/starts", "$name: the answers are kept");
        my $time = (stat "$dir/$changed")[9];
        utime 1, $time - 10, "$dir/$changed" or die "cannot change the time of '$dir/$changed': $!\n";
        asked('true', CC => "$dir/agrees", @setting);
        ok(-e "$dir/starts", "$name: until it changes");
    }
};

subtest 'what a compiler says of itself cannot harm the Makefile' => sub {
    spew("$dir/odd",
              "#!/bin/sh\n"
            . "[ \"\$1\" != --version ] || { echo 'cc \$(shell touch \"$dir/harm\") # \$x 1.0'; exit; }\n"
            . "exec cc \"\$@\"\n");
    chmod 0755, "$dir/odd" or die "cannot change the mode of '$dir/odd': $!\n";
    my ($status, undef, $err) = run($make, '-s', '-C', "$dir", "CC=$dir/odd", 'pgms/pipe');
    is("$status $err", '0 ', 'make is content');
    like(
        slurp("$dir/pgms/build.facts"),
        qr/^compiler_version=cc \$\(shell touch "\Q$dir\E\/harm"\) # \$x 1\.0$/m,
        'it stands in the facts as it is'
    );
    ok(!-e "$dir/harm", 'and nothing was run');
};

subtest 'make clean starts no compiler and leaves no answers' => sub {
    unlink "$dir/starts";
    my ($status) = run($make, '-s', '-C', "$dir", "CC=$dir/counted", 'clean');
    is($status, 0, 'make clean');
    ok(!-e "$dir/obj" && !-e "$dir/starts", 'nothing is left, and nothing was asked');
};

done_testing;
