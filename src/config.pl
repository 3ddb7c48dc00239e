# SPDX-License-Identifier: GPL-2.0-or-later
# config.pl - finds out what the compilers, the linker and the libraries of this machine can do, for the
# Makefile. Each question starts a compiler, so the answers are stored. The questions are asked again when a
# compiler, a linker, size(1), their options, or a directory of headers or libraries has changed. A compiler
# that is started by a script cannot be seen.
#
# A "no" changes flags, and so scores. It counts only while a plain program can be built: a full disk or a
# limit must not pass for a compiler that lacks something, so the script fails then, and make with it.
#
#   $ CC=cc FC=gfortran CFLAGS= LDFLAGS= perl src/config.pl obj
#   obj/config.mk
#
# The file is text for make:
#
#   # cc 2049 1310 1719837412 ...
#   TUNE := -march=native -mtune=native
#   STATIC := -static
#   ZSTD := zstd
use 5.014;
use strict;
use warnings;

# The script loads no more modules than these, since a make with nothing to do waits for it.

my ($obj) = @ARGV;
my ($cc, $fc, $cflags, $ldflags) = map { $ENV{$_} // '' } qw(CC FC CFLAGS LDFLAGS);
my $file  = "$obj/config.mk";
my $trial = "$obj/trial.$$";

# Environment variables that change what the compilers do.
my @ENVIRONMENT = qw(PATH CPATH C_INCLUDE_PATH LIBRARY_PATH COMPILER_PATH GCC_EXEC_PREFIX SDKROOT);
my @FOLDERS     = glob '/usr/{include,lib,lib32,lib64} /usr/local/{include,lib} /usr/{include,lib}/*-linux-*'
    . ' /lib /lib32 /lib64 /lib/*-linux-* /usr/lib/gcc/*/*';
my @TOOLS = qw(ld ld.bfd ld.gold ld.lld ld.mold as size);

# Below the root that --sysroot names, and in a directory named alone (''), these have headers and libraries.
my @BELOW = ('', qw(/include /lib /usr/include /usr/lib /usr/lib64));

# Identifies a file and its last change.
sub identity {
    my ($path) = @_;
    my @is = stat $path or return ();
    return join ' ', $path, @is[ 0, 1, 7, 9 ];
}

# Returns the paths that the options of a command may name: words, and what follows -I, -L, -B or a =.
sub named {
    my ($options) = @_;
    my @words     = map { tr/'"//dr } $options =~ /((?:"[^"]*"|'[^']*'|[^\s"'])+)/g;
    return map { ($_, /\A-[ILB](.+)/, /=(.+)/) } @words;
}

# Returns a line that changes whenever an answer might.
sub key {
    my %folders = map {
        $_ => [ grep { length } split /:/, $ENV{$_} // '' ]
    } @ENVIRONMENT;
    my @searched = map { @{ $folders{$_} } } grep { $_ ne 'PATH' } @ENVIRONMENT;
    my @commands = map {
        my $word = $_;
        $word =~ m{/} ? $word : map { "$_/$word" } @{ $folders{PATH} }, @{ $folders{COMPILER_PATH} }
    } split(' ', "$cc $fc"), @TOOLS;
    my @named = map {
        my $path = $_;
        map { "$path$_" } @BELOW
    } named("$cc $fc $cflags $ldflags"), @searched;

    # A copy of a built tree has another script that asks the same.
    my @script = (stat $0)[ 7, 9 ];
    my $key    = join ' | ', $cc, $fc, $cflags, $ldflags, (map { $ENV{$_} // '' } @ENVIRONMENT), "@script",
        map { identity($_) } @commands, @FOLDERS, @named;
    return $key =~ s/\s/ /gr;
}

# Returns the status of a command as a shell has it, its output, and what it complains of. The user's options
# may contain quotes, so a shell reads them, as in a recipe.
sub tried {
    my ($command, $input) = @_;
    $input = defined $input ? "printf '%s\\n' '$input' |" : '</dev/null';
    my $said = `{ $input $command; } 2>'$trial.said'`;
    die "cannot start a shell: $!\n" if $? == -1;
    my ($status, $complaint) = ($? & 127 ? 128 + ($? & 127) : $? >> 8, '');
    if (open my $in, '<', "$trial.said") { local $/; $complaint = <$in> // '' }
    return ($status, $said, $complaint);
}

# This program is larger than any that the questions build, one that is linked statically included.
my $PLAIN = 'int main(void) { static volatile char large[2097152] = { 1 }; return large[0] - 1; }';

# Returns the output of a command, or nothing if it fails. Dies if a signal has ended it, or if a plain
# program cannot be built either.
sub ask {
    my ($status, $said, $complaint) = tried(@_);
    return $said if $status == 0;
    if ($status <= 128 && $complaint !~ /\bsignal\b|unable to execute command/) {
        ($status, undef, $complaint) = tried("$cc $cflags $ldflags -x c -o '$trial' -", $PLAIN);
        return if $status == 0;
    }
    chomp $complaint;
    die "what the compilers can do cannot be found out: '$cc' cannot build a plain program\n$complaint\n";
}

sub first_line {
    my ($text) = @_;
    return ($text // '') =~ /\A(.*)/ ? $1 : '';
}

sub takes { my ($flags) = @_; return defined ask("$cc $flags -fsyntax-only -x c /dev/null") ? $flags : '' }

sub links {
    my ($flags, $program, @more) = @_;
    return defined ask("$cc $cflags $ldflags $flags -x c -o '$trial' - @more", $program);
}

# Returns the library's name if a program with this header and function links with it, else nothing.
sub has {
    my ($header, $function, $name) = @_;
    my $program = "#include <$header>\n"
        . "int main(void) { void (*volatile f)(void) = (void (*)(void))$function; return f == 0; }";
    return links('', $program, "-l$name") ? $name : '';
}

# Returns the version of a library that a header defines, for one that is linked in: the program cannot meet
# another version then.
sub version_of {
    my ($header, $macro) = @_;
    my $said   = ask("$cc $cflags -E -P -x c -", "#include <$header>\nversion $macro");
    my ($text) = ($said // '') =~ /^version (.*)/m;
    return join('', ($text // '') =~ /"([^"]*)"/g) =~ /(\d[\w.]*)/ ? $1 : 'unknown';
}

# Macros of the compiler that tell the levels of x86-64.
my @LEVELS = (
    [ 'x86-64-v2' => qw(__SSE3__ __SSSE3__ __SSE4_1__ __SSE4_2__ __POPCNT__) ],
    [ 'x86-64-v3' => qw(__AVX__ __AVX2__ __BMI__ __BMI2__ __F16C__ __FMA__ __LZCNT__ __MOVBE__) ],
    [ 'x86-64-v4' => qw(__AVX512F__ __AVX512BW__ __AVX512CD__ __AVX512DQ__ __AVX512VL__) ],
);

# Returns the highest level of x86-64 that these flags give the compiler, or nothing elsewhere.
sub level {
    my ($flags) = @_;
    my $said    = $flags =~ /native/ ? ask("$cc $cflags $flags -dM -E -x c /dev/null") : undef;
    my %has     = map { $_ => 1 } ($said // '') =~ /^#define (__\w+__)/mg;
    my $level   = $has{__x86_64__} ? 'x86-64' : '';
    for my $one ($level ? @LEVELS : ()) {
        my ($name, @macros) = @$one;
        last if grep { !$has{$_} } @macros;
        $level = $name;
    }
    return $level;
}

sub tune {
    my ($target) = @_;
    return takes('-mcpu=native -mtune=native') if $target =~ /\A(?:powerpc64|ppc64)/;
    return takes($target =~ /\Ariscv64/ ? '-march=rv64gc' : '-march=native -mtune=native');
}

# What makes the headers of a system show its own calls beside those of POSIX, by a macro of its compiler. The
# headers of FreeBSD, OpenBSD and DragonFly show everything to a program that asks for nothing, and hide what
# is not in POSIX from one that asks for POSIX.
my @FEATURES = (
    [ __APPLE__  => '-D_DARWIN_C_SOURCE' ],
    [ __NetBSD__ => '-D_NETBSD_SOURCE' ],
    map { [ $_ => '' ] } qw(__FreeBSD__ __OpenBSD__ __DragonFly__)
);
my $POSIX = '-D_POSIX_C_SOURCE=200809L';

# Files may be larger than 2 GB, and have larger numbers, than the first interface of 32-bit systems can tell.
sub features {
    my %has     = map { $_ => 1 } (ask("$cc $cflags -dM -E -x c /dev/null") // '') =~ /^#define (\w+)/mg;
    my ($found) = map { $_->[1] } grep { $has{ $_->[0] } } @FEATURES;
    my $flags   = $found // $POSIX;
    my $program = "#include <sys/types.h>\ntypedef char is_wide[sizeof(off_t) >= 8 ? 1 : -1];";
    return $flags if defined ask("$cc $cflags $flags -fsyntax-only -x c -", $program);
    return "$flags -D_FILE_OFFSET_BITS=64" =~ s/\A //r;
}

# Some CPUs of 32 bits have no instructions for atomics of 64 bits. A library has them for most of these.
sub atomic {
    my $program =
          "#include <stdatomic.h>\n#include <stdint.h>\n_Atomic uint64_t count;\n"
        . 'int main(void) { atomic_store(&count, 1); return (int)(atomic_fetch_add(&count, 1) - 1); }';
    return '' if links('-std=gnu11', $program);
    return links('-std=gnu11', $program, '-latomic') ? '-latomic' : 'none';
}

# The option that replaces the beginning of paths in what debuggers read.
sub prefix_map {
    my ($option) = grep { takes("-Werror $_/=/") } qw(-ffile-prefix-map= -fdebug-prefix-map=);
    return $option // '';
}

# glibc defines its version for the preprocessor. musl does not, but its loader prints a version when it is
# started alone.
sub libc {
    my ($loader) = (`$cc $cflags $ldflags '-###' -x c /dev/null 2>&1` // '') =~ m{[" ](/[^" ]*ld-musl[^" ]*)};
    return "musl $1" if defined $loader && `'$loader' 2>&1` =~ /^Version (.*)/m;
    my $said = ask("$cc $cflags -E -P -x c -", "#include <limits.h>\nglibc __GLIBC__.__GLIBC_MINOR__");
    return ($said // '') =~ /^glibc (\d+) *\. *(\d+)/m ? "glibc $1.$2" : 'unknown';
}

# Returns the size of the shortest program with these flags, or nothing where there is no such program or no
# size(1): what the compiler and the libraries add to each.
sub least {
    my ($flags) = @_;
    return '' if !links($flags, 'int main(void) { return 0; }');
    my (undef, $said) = tried("size '$trial'");
    my (@bytes) = $said =~ /\A *text\s+data\s+bss\b.*\n *(\d+)\s+(\d+)\s+(\d+)\s/ or return '';
    return sprintf 'text %d + data %d + bss %d = %d bytes', @bytes, $bytes[0] + $bytes[1] + $bytes[2];
}

sub answers {
    my $fortran = defined ask("$fc -x f95 -o '$trial' -", 'end');
    my $tune    = tune(first_line(ask("$cc -dumpmachine")));
    my $zstd    = has('zstd.h',        'ZSTD_compress2', 'zstd');
    my $crypto  = has('openssl/evp.h', 'EVP_MD_CTX_new', 'crypto');
    my $static  = links('-static', 'int main(void) { return 0; }', '-lm') ? '-static' : '';
    return (
        TUNE             => $tune,
        TUNE_LEVEL       => level($tune),
        UNROLL           => takes('-Werror -funroll-all-loops') ? '-funroll-all-loops' : '-funroll-loops',
        ALIGN            => takes('-Werror -falign-loops=32')   ? '-falign-loops=32'   : '',
        FEATURES         => features(),
        ATOMIC           => atomic(),
        PREFIX_MAP       => prefix_map(),
        STATIC           => $static,
        LEAST            => least(''),
        LEAST_STATIC     => $static && least($static),
        ZSTD             => $zstd,
        ZSTD_VERSION     => $zstd && version_of('zstd.h', 'ZSTD_VERSION_STRING'),
        CRYPTO           => $crypto,
        CRYPTO_VERSION   => $crypto && version_of('openssl/opensslv.h', 'OPENSSL_VERSION_TEXT'),
        HAS_FORTRAN      => $fortran ? 'yes'                            : '',
        FORTRAN_VERSION  => $fortran ? first_line(ask("$fc --version")) : '',
        COMPILER_VERSION => first_line(ask("$cc --version")),
        LIBC             => libc(),
        LINKER           => first_line(ask("$cc $cflags $ldflags -Wl,--version")) || 'unknown',
    );
}

sub kept {
    open my $in, '<', $file or return '';
    return scalar(<$in>) // '';
}

sub write_answers {
    my ($key, @answers) = @_;
    open my $out, '>', "$file.$$" or die "cannot write '$file.$$': $!\n";
    print {$out} "# $key\n";
    while (my ($name, $value) = splice @answers, 0, 2) {
        print {$out} "$name := ", $value =~ s/\$/\$\$/gr =~ s/#/\\#/gr, "\n";
    }
    close $out or die "cannot write '$file.$$': $!\n";
    rename "$file.$$", $file or die "cannot rename '$file.$$': $!\n";
    return;
}

END { unlink $trial, "$trial.said", "$file.$$" }

my $key = key();
if (kept() ne "# $key\n") {
    require File::Path;
    File::Path::make_path($obj);
    write_answers($key, answers());
}
print "$file\n";
