# SPDX-License-Identifier: GPL-2.0-or-later
# config.pl - finds out what the compilers, the linker and the libraries of this machine can do, for the
# Makefile. Each question starts a compiler, so the answers are stored. The questions are asked again when a
# compiler, its options, or a directory of headers or libraries has changed.
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
my @FOLDERS     = glob '/usr/{include,lib,lib64} /usr/local/{include,lib} /usr/{include,lib}/*-linux-*';

# Identifies a file and its last change.
sub identity {
    my ($path) = @_;
    my @is = stat $path or return ();
    return join ' ', $path, @is[ 0, 1, 7, 9 ];
}

# Returns a line that changes whenever an answer might.
sub key {
    my @commands = map {
        my $word = $_;
        $word =~ m{/} ? $word : map { "$_/$word" } split /:/, $ENV{PATH} // ''
    } split ' ', "$cc $fc";
    my @named = map { /\A-[IL](.+)/ ? $1 : () } split ' ', "$cflags $ldflags";

    # A copy of a built tree has another script that asks the same.
    my @script = (stat $0)[ 7, 9 ];
    my $key    = join ' | ', $cc, $fc, $cflags, $ldflags, (map { $ENV{$_} // '' } @ENVIRONMENT), "@script",
        map { identity($_) } @commands, @FOLDERS, @named;
    return $key =~ s/\s/ /gr;
}

# Returns the output of a command, or nothing if it fails. The user's options may contain quotes, so a shell
# reads them, as in a recipe.
sub ask {
    my ($command, $input) = @_;
    $input = defined $input ? "printf '%s\\n' '$input' |" : '</dev/null';
    my $said = `{ $input $command; } 2>/dev/null`;
    return $? == 0 ? $said : undef;
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
    my $program =
        "#include <$header>\nint main(void) { void (*volatile f)(void) = (void (*)(void))$function; return f == 0; }";
    return links('', $program, "-l$name") ? $name : '';
}

sub tune {
    my ($target) = @_;
    return takes('-mcpu=native -mtune=native') if $target =~ /\A(?:powerpc64|ppc64)/;
    return takes($target =~ /\Ariscv64/ ? '-march=rv64gc' : '-march=native -mtune=native');
}

# glibc defines its version for the preprocessor. musl does not, but its loader prints a version when it is
# started alone.
sub libc {
    my ($loader) = (`$cc $cflags $ldflags '-###' -x c /dev/null 2>&1` // '') =~ m{[" ](/[^" ]*ld-musl[^" ]*)};
    return "musl $1" if defined $loader && `'$loader' 2>&1` =~ /^Version (.*)/m;
    my $said = ask("$cc $cflags -E -P -x c -", "#include <limits.h>\nglibc __GLIBC__.__GLIBC_MINOR__");
    return ($said // '') =~ /^glibc (\d+) *\. *(\d+)/m ? "glibc $1.$2" : 'unknown';
}

sub answers {
    my $fortran = defined ask("$fc -x f95 -o '$trial' -", 'end');
    return (
        TUNE             => tune(first_line(ask("$cc -dumpmachine"))),
        UNROLL           => takes('-Werror -funroll-all-loops') ? '-funroll-all-loops' : '-funroll-loops',
        ALIGN            => takes('-Werror -falign-loops=32')   ? '-falign-loops=32'   : '',
        STATIC           => links('-static', 'int main(void) { return 0; }', '-lm') ? '-static' : '',
        ZSTD             => has('zstd.h',        'ZSTD_compress2', 'zstd'),
        CRYPTO           => has('openssl/evp.h', 'EVP_MD_CTX_new', 'crypto'),
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

sub make_folder {
    my $path = '';
    for my $part (split m{/}, $obj) { $path .= "$part/"; mkdir $path }
    return;
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

my $key = key();
if (kept() ne "# $key\n") {
    make_folder();
    my @answers = answers();
    unlink $trial;
    write_answers($key, @answers);
}
print "$file\n";
