# SPDX-License-Identifier: GPL-2.0-or-later
# Bundle - makes touchstone-VERSION-linux-ARCH.tar.xz and .tar.gz: static programs for every CPU of an
# architecture, and the Perl scripts that drive them. Nothing in it depends on where, when or by whom it was
# made; compilers and libraries decide alone.
package Bundle;
use 5.014;
use strict;
use warnings;

use Cwd ();
use Exporter qw(import);
use File::Find qw(find);

use Packaging qw($ROOT archive copy_of_sources has lacking name run said scratch slurp spew version);

our @EXPORT_OK = qw(@ARCHITECTURES bundle_name compilers_lacking make_bundle make_tree tools_lacking);

# Each architecture has the names that GNU's compilers and Debian's packages give it.
my %TARGET = (
    x86_64  => { triplet => 'x86_64-linux-gnu',      debian => 'amd64' },
    aarch64 => { triplet => 'aarch64-linux-gnu',     debian => 'arm64' },
    riscv64 => { triplet => 'riscv64-linux-gnu',     debian => 'riscv64' },
    ppc64le => { triplet => 'powerpc64le-linux-gnu', debian => 'ppc64el' },
    s390x   => { triplet => 's390x-linux-gnu',       debian => 's390x' },
);
our @ARCHITECTURES = qw(x86_64 aarch64 riscv64 ppc64le s390x);

# A bundle must stay below this: so much is downloaded for a first try.
my $MOST_BYTES = 15_000_000;

# The linker says this of getaddrinfo and dlopen in two lines. Programs call these for names of hosts and for
# modules of OpenSSL, and no test needs either.
my $NEEDED    = 'in statically linked applications requires at runtime';
my $OF_STATIC = qr/^[^\n]*\bin function `[^'\n]+':\n[^\n]*\bwarning: Using '\w+' \Q$NEEDED\E[^\n]*\n/m;

sub bundle_name { my ($arch) = @_; return name() . "-linux-$arch" }

# Returns in words what is missing for an architecture, or nothing.
sub tools_lacking {
    my ($arch) = @_;
    return compilers_lacking($arch) // lacking('xz');
}

# The same for its programs alone.
sub compilers_lacking {
    my ($arch) = @_;
    my $triplet = ($TARGET{$arch} || return 'no bundle is made for it')->{triplet};
    return lacking('make', 'tar', map { "$triplet-$_" } qw(gcc ar nm strip));
}

# Makes the archives of an architecture in a directory. Returns { files, without => [ names ], said =>
# warnings of the compilers }.
sub make_bundle {
    my ($arch, $to) = @_;
    my $scratch = scratch();
    my $made    = make_tree($arch, "$scratch");
    my $files   = _packed("$scratch", bundle_name($arch), $to);
    return { %$made, files => $files };
}

# Makes the directory that is packed, with the name of the bundle. Returns { without, said }.
sub make_tree {
    my ($arch, $scratch) = @_;
    my $home = "$scratch/" . bundle_name($arch);
    local %ENV = _environment();
    my $mask = umask 022;
    copy_of_sources("$scratch/tree");
    my $said = _built("$scratch/tree", $arch, "$scratch/root");
    rename "$scratch/root/usr/lib/touchstone", $home or die "cannot rename what make install made: $!\n";
    die "make install leaves no sources\n" if !-e "$home/source/Makefile";
    _strip($home, "$TARGET{$arch}{triplet}-strip");
    my %facts = slurp("$home/pgms/build.facts") =~ /^(\w+)=(.*)$/mg;
    _describe($home, $arch, \%facts);

    # The figures of ./Run check where there is no perl.
    spew("$home/check.sh", slurp("$ROOT/packaging/bundle/check.sh"));
    chmod oct 755, "$home/check.sh" or die "cannot make check.sh a program: $!\n";
    _licences($home, $arch, \%facts);
    _look_for_paths($home, $scratch, Cwd::abs_path($scratch));
    umask $mask;
    return { said => $said, without => [ _without(\%facts) ] };
}

# Only this of the environment may change what is built. faketime, with which a trial has another day, works
# by LD_PRELOAD.
my $KEPT = qr/\A(?:PATH|HOME|TMPDIR|SOURCE_DATE_EPOCH|LD_PRELOAD|FAKETIME\w*)\z/;

sub _environment {
    my %kept = map { $_ => $ENV{$_} } grep { $_ =~ $KEPT } keys %ENV;
    return (%kept, LC_ALL => 'C', TZ => 'UTC');
}

# Builds and installs below a directory. Returns what the compilers complain of.
sub _built {
    my ($tree, $arch, $root) = @_;
    my $triplet = $TARGET{$arch}{triplet};
    my $fortran = has("$triplet-gfortran") ? "$triplet-gfortran" : '';
    my @words   = (
        'FLAVOUR=portable', 'LDFLAGS=-static', "CC=$triplet-gcc", "FC=$fortran",
        "AR=$triplet-ar",   "NM=$triplet-nm"
    );
    my $said = run('make', '-s', '-C', $tree, '-j' . _cpus(), @words, 'all');
    $said .=
        run('make', '-s', '-C', $tree, @words, "DESTDIR=$root", 'PREFIX=/usr', 'DOCDIR=/usr/lib/touchstone',
        'install');
    return $said =~ s/$OF_STATIC//gr;
}

sub _cpus {
    my ($status, $said) = said('getconf', '_NPROCESSORS_ONLN');
    return $status == 0 && $said =~ /\A(\d+)$/m ? $1 : 1;
}

sub _strip {
    my ($home, $strip) = @_;
    run($strip, '--strip-all', grep { is_program($_) } glob "\Q$home\E/pgms/*");
    return;
}

sub is_program { my ($file) = @_; return -f $file && substr(slurp($file), 0, 4) eq "\x7fELF" }

# Libraries that are linked in, by name, as build.facts tells them.
sub _libraries {
    my ($facts) = @_;
    return map { split / /, $_, 2 } split /, /, $facts->{libraries_platform} // '';
}

sub _without {
    my ($facts) = @_;
    my %library = _libraries($facts);
    return ((grep { !$library{$_} } qw(libzstd libcrypto)), $facts->{fortran} ? () : 'Fortran');
}

# The file BUNDLE tells Run that this is neither a source tree nor an installed copy.
sub _describe {
    my ($home, $arch, $facts) = @_;
    my %library = _libraries($facts);
    my @lines   = (
        [ version   => version() ],
        [ arch      => $arch ],
        [ libc      => $facts->{libc} ],
        [ libzstd   => $library{libzstd}   // 'none' ],
        [ libcrypto => $library{libcrypto} // 'none' ]
    );
    spew("$home/BUNDLE", join '', map { "$_->[0]=$_->[1]\n" } @lines);
    return;
}

# What is linked in: its name, its licence in words, the packages of Debian that may have the text.
sub _parts {
    my ($arch, $facts) = @_;
    my %library = _libraries($facts);
    my $debian  = $TARGET{$arch}{debian};
    my ($gcc)   = $facts->{compiler_version} =~ / (\d+)[\d.]*\z/;
    my @parts   = (
        [
            glibc => "$facts->{libc} (all programs): LGPL-2.1-or-later",
            'libc6-dev',
            "libc6-dev-$debian-cross"
        ],
        [
            gcc => 'libgcc (all programs)'
                . ($facts->{fortran} ? ' and libgfortran (those that end in .f)' : '')
                . ": GPL-3.0-or-later with\n    the GCC Runtime Library Exception",
            map { ("gcc-$_-base", "gcc-$_-$TARGET{$arch}{triplet}-base") } grep { defined } $gcc
        ],
    );
    push @parts, [ libquadmath => 'libquadmath (programs that end in .f): LGPL-2.1-or-later', 'libquadmath0' ]
        if $facts->{fortran} && $arch =~ /\A(?:x86_64|ppc64le)\z/;
    push @parts, [ libzstd => "libzstd $library{libzstd} (zstd): BSD-3-Clause", 'libzstd-dev' ]
        if $library{libzstd};
    push @parts,
        [
        openssl =>
            "libcrypto of OpenSSL $library{libcrypto} (hash): Apache-2.0, with which hash is under GPL-3.0",
        'libssl-dev'
        ]
        if $library{libcrypto};
    return @parts;
}

my $LICENCES = <<'END';
Touchstone is under the GNU General Public License, version 2 or later: see LICENSE. Its programs in
pgms/ are static; these libraries are linked in, each under its own licence:

%s
The whole sources of Touchstone are in source/, with which every program can be linked again with
another version of a library: in source/,

    make FLAVOUR=portable LDFLAGS=-static

The libraries are those of the release of Debian whose compiler pgms/build.facts names;
their sources are at https://snapshot.debian.org/. %s
END

# Texts come from the machine that builds, where it has them.
sub _licences {
    my ($home, $arch, $facts) = @_;
    my (@lines, @texts);
    for my $part (_parts($arch, $facts)) {
        my ($name, $words, @packages) = @$part;
        push @lines, "    $words\n";
        my ($text) = grep { -r } map { "/usr/share/doc/$_/copyright" } @packages or next;
        spew("$home/licences/$name", slurp($text));
        push @texts, $name;
    }
    for my $common (grep { -r "/usr/share/common-licenses/$_" } qw(Apache-2.0 GPL-3 LGPL-2.1)) {
        spew("$home/licences/$common", slurp("/usr/share/common-licenses/$common"));
        push @texts, $common;
    }
    my $texts = @texts ? 'Their licences are beside this file.' : 'Their licences come with these.';
    spew("$home/licences/README", sprintf $LICENCES, join('', @lines), $texts);
    return;
}

# A path of the machine that builds would make the next build differ.
sub _look_for_paths {
    my ($home, @paths) = @_;
    my $path = join '|', map { quotemeta } @paths;
    my @with;
    find(
        {
            no_chdir => 1,
            wanted   => sub { push @with, $_ if -f && slurp($_) =~ /$path/ }
        },
        $home
    );
    die "a path of this build is in ", join(', ', map { substr $_, 1 + length $home } sort @with), "\n"
        if @with;
    return;
}

# xz comes first, because its size counts.
sub _packed {
    my ($directory, $name, $to) = @_;
    my @files = map { "$name.tar.$_" } qw(xz gz);
    for my $file (@files) {
        archive($directory, $name, "$directory/$file");
        spew("$to/$file.$$", slurp("$directory/$file"));
        rename "$to/$file.$$", "$to/$file" or die "cannot rename '$to/$file.$$': $!\n";
    }
    my $bytes = -s "$to/$files[0]";
    die "$files[0] has $bytes bytes, allowed are $MOST_BYTES\n" if $bytes >= $MOST_BYTES;
    return [ map { "$to/$_" } @files ];
}

1;
