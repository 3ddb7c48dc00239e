# SPDX-License-Identifier: GPL-2.0-or-later
# Suite::Lbt::KernelSource - finds the source that the test `kernel` builds, and judges whether it can be
# built here. It changes nothing.
#
#   my $path = find();
#   my ($kind, $why, $remedy) = trouble($path, config => 'tinyconfig', cc => 'cc');
#   my $facts = facts($path, config => 'tinyconfig');
#
# A source is a tree or a tar file: `/usr/src/linux-source-6.1.tar.xz`.
package Touchstone::Suite::Lbt::KernelSource;
use 5.014;
use strict;
use warnings;

use File::Spec ();
use File::Temp ();
use POSIX ();

use Touchstone::Machine::Command;
use Touchstone::Machine::Sysfile;

my $USUAL = '/usr/src';
my $SMALL = 'tinyconfig';
my $GET   = 'apt-get install linux-source, or KERNEL_SRC=tree or tar file';

# These rows are those of src/lbt/kernel/make.c: pattern of the machine's name, the kernel's name for it.
my @ARCHITECTURES = map { [ split /=/ ] } qw(
    x86_64=x86_64 amd64=x86_64 i?86=i386 aarch64*=arm64 arm64=arm64 arm*=arm ppc*=powerpc riscv*=riscv
    s390*=s390 mips*=mips loongarch*=loongarch sparc64=sparc64 sparc*=sparc parisc64=parisc64
    parisc*=parisc m68k*=m68k);

# These architectures have a directory of another name below arch/.
my %DIRECTORY = (x86_64 => 'x86', i386 => 'x86', sparc64 => 'sparc', parisc64 => 'parisc');

# A tool is [commands of which one is enough, Debian's package].
my @TOOLS    = ([ [qw(gmake make)], 'make' ], [ ['flex'], 'flex' ], [ ['bison'], 'bison' ], [ ['bc'], 'bc' ]);
my %UNPACKER = (
    xz  => [ 'xz',    'xz-utils' ],
    gz  => [ 'gzip',  'gzip' ],
    tgz => [ 'gzip',  'gzip' ],
    txz => [ 'xz',    'xz-utils' ],
    bz2 => [ 'bzip2', 'bzip2' ],
    zst => [ 'zstd',  'zstd' ]
);

# A library is [what it is, Debian's package, header, linker's option]. No program can be made without the
# first.
my $C_LIBRARY = [ 'the C library for programs', 'libc6-dev', 'stdlib.h' ];
my $ELF       = [ 'libelf',    'libelf-dev', 'libelf.h',           '-lelf' ];
my $CRYPTO    = [ 'libcrypto', 'libssl-dev', 'openssl/opensslv.h', '-lcrypto' ];

# KB that a build needs, measured with Linux 6.1 plus a third: a tree has 1.3 GB, its objects 60 MB in a
# small configuration and 1 GB in others.
my %SPACE = (source => 1_900_000, small => 300_000, other => 1_500_000);

# A probe and what the compiler makes of it need this many bytes.
my $ROOM = 1_000_000;

# This many bytes hold the first members of a tar file, however it is compressed.
my $START = 4_000_000;

# Returns a path, or undef. `named` is the user's choice, `directory` the place where a system keeps sources.
sub find {
    my (%how) = @_;
    my $named = exists $how{named} ? $how{named} : $ENV{KERNEL_SRC};
    return File::Spec->rel2abs($named) if defined $named && length $named;
    my $directory = $how{directory} // $USUAL;
    my @found =
        grep { -f "$directory/$_" }
        grep { /\Alinux-source-[0-9][^\/]*\.tar\.(?:xz|gz|bz2|zst)\z/ }
        Touchstone::Machine::Sysfile::names($directory);
    my ($newest) = sort { _by_version($b, $a) || $a cmp $b } @found;
    return defined $newest ? "$directory/$newest" : undef;
}

# Compares versions: 6.10 is newer than 6.9, and 6.1.2 newer than 6.1. The ends of the names are no version.
sub _by_version {
    my @of = map { [ (s/\.tar\..*//r) =~ /([0-9]+)/g ] } @_;
    while (@{ $of[0] } || @{ $of[1] }) {
        my $order = (shift @{ $of[0] } // -1) <=> (shift @{ $of[1] } // -1);
        return $order if $order;
    }
    return 0;
}

# Returns () if the source can be built, otherwise ('skipped' or 'failures', why, the remedy).
sub trouble {
    my ($path, %how) = @_;
    my @trouble;
    eval { @trouble = _trouble($path, %how); 1 }
        or return ('failures', $@ =~ s/\n.*//sr, 'try: UB_TMPDIR=/var/tmp ./Run');
    return @trouble;
}

sub _trouble {
    my ($path, %how) = @_;
    return ('skipped', 'there is no Linux kernel source', $GET) if !defined $path;
    my @wrong = _wrong_path($path);
    return ('failures', @wrong) if @wrong;
    my $dir     = _scratch($how{scratch});
    my @missing = _missing($path, config => $SMALL, cc => 'cc', probe => sub { _compiles($dir, @_) }, %how);
    return _advice(@missing) if @missing;
    @wrong = -d $path ? _wrong_tree($path) : _wrong_tar($path, %how);
    return @wrong ? ('failures', @wrong) : ();
}

# Judges in the same way what is inside a tar file, which takes seconds.
sub trouble_inside {
    my ($path, %how) = @_;
    return if -d $path;
    my $arch = _directory();
    return ('failures', _no_source($path))       if !length _packed($path, 'Makefile',       %how);
    return ('failures', _no_architecture($path)) if !length _packed($path, "$arch/Makefile", %how);
    return;
}

# Returns the directory of this machine's architecture.
sub _directory { return 'arch/' . ($DIRECTORY{ architecture() } // architecture()) }

sub _no_source { my ($path) = @_; return ("'$path' is not a kernel source: it has no Makefile", $GET) }

sub _no_architecture {
    my ($path) = @_;
    return ("the kernel source '$path' has no " . _directory() . ', which this machine needs', $GET);
}

sub _wrong_path {
    my ($path) = @_;
    -e $path                or return ("the kernel source '$path' cannot be read: $!",                $GET);
    -r _ && (!-d _ || -x _) or return ("the kernel source '$path' cannot be read: permission denied", $GET);
    -d _ || -f _            or return ("the kernel source '$path' is neither a tree nor a tar file",  $GET);
    return;
}

# Returns [what, package] for everything that is needed and missing.
sub _missing {
    my ($path, %how) = @_;
    my @tools   = (@TOOLS, -d $path ? () : [ ['tar'], 'tar' ], _unpacker($path));
    my @missing = map { [ $_->[0][-1], $_->[1] ] } grep {
        !grep { Touchstone::Machine::Command::find($_) }
            @{ $_->[0] }
    } @tools;
    my @cc = split ' ', $how{cc};
    return (@missing, [ "the compiler '$how{cc}'", 'gcc' ])
        if !@cc || !Touchstone::Machine::Command::find($cc[0]);
    my $compiles = sub { my (undef, undef, @needs) = @{ $_[0] }; return $how{probe}->(\@cc, @needs) };
    return (@missing, [ @$C_LIBRARY[ 0, 1 ] ]) if !$compiles->($C_LIBRARY);
    my @libraries = ($ELF, $how{config} eq $SMALL ? () : $CRYPTO);
    return (@missing, map { [ @$_[ 0, 1 ] ] } grep { !$compiles->($_) } @libraries);
}

sub _unpacker {
    my ($path)   = @_;
    my ($suffix) = $path =~ /\.([a-z0-9]+)\z/;
    return if -d $path || !defined $suffix || !$UNPACKER{$suffix};
    my ($command, $package) = @{ $UNPACKER{$suffix} };
    return [ [$command], $package ];
}

sub _advice {
    my (@missing) = @_;
    my %seen;
    my @packages = grep { !$seen{$_}++ } map { $_->[1] } @missing;
    my @named    = map  { "$_->[0] (package $_->[1])" } @missing;
    my $why =
        @named == 1
        ? "$named[0] is missing"
        : join(', ', @named[ 0 .. $#named - 1 ]) . " and $named[-1] are missing";
    return ('skipped', $why, "apt-get install @packages");
}

# Makes a directory for small files. It dies with the cause if there is no room, because a compiler would
# then fail as if it lacked a header.
sub _scratch {
    my ($parent) = @_;
    my $dir = eval { File::Temp->newdir(defined $parent ? (DIR => $parent) : ()) }
        or die "cannot make a directory for small files: $!\n";
    _put("$dir/room", "\0" x $ROOM);
    unlink "$dir/room";
    return $dir;
}

sub _put {
    my ($file, $text) = @_;
    open my $out, '>:raw', $file or die "cannot write '$file': $!\n";
    my $printed = print {$out} $text;
    die "cannot write '$file': $!\n" if !close $out || !$printed;
    return;
}

# Says whether a program can be made with this header and library.
sub _compiles {
    my ($dir, $cc, $header, @library) = @_;
    _put("$dir/probe.c", "#include <$header>\nint main(void) { return 0; }\n");
    local $ENV{TMPDIR} = "$dir";
    my ($status) =
        Touchstone::Machine::Command::output([ @$cc, '-o', "$dir/probe", "$dir/probe.c", @library ]);
    return $status == 0;
}

sub _wrong_tree {
    my ($path) = @_;
    my $arch = _directory();

    # The kernel itself has this rule.
    return ("the kernel source '$path' cannot be built: its path has blanks or colons", 'another path')
        if $path =~ /[\s:]/;
    -f "$path/Makefile" or return _no_source($path);
    -d "$path/$arch"    or return _no_architecture($path);
    my ($built) = grep { -e "$path/$_" } '.config', 'include/config', "$arch/include/generated";
    return if !defined $built;
    return (
        "a kernel was configured in the tree '$path' itself: it has $built",
        "make mrproper in a copy of it, and KERNEL_SRC=the copy"
    );
}

sub _wrong_tar {
    my ($path,   %how)   = @_;
    my ($status, @names) = _first_names($path, %how);
    return ("'$path' is not a tar file that tar can read", $GET) if $status != 0 && !@names;
    return ("the tar file '$path' is empty",               $GET) if $status == 0 && !@names;
    return;
}

# Returns (status, names) of the first members of a tar file. Its first bytes are enough for tar, though it
# complains. They are copied to a name of our own, which tar takes neither for an option nor for another
# host.
sub _first_names {
    my ($path, %how) = @_;
    my $dir = _scratch($how{scratch});
    open my $in, '<:raw', $path or return (-1);
    my $size = read $in, my ($start), $START;
    _put("$dir/start", $start // '');
    my ($status, $text) = _tar('-tf', "$dir/start");
    return ($status, split /\n/, $text);
}

sub _tar {
    my (@arguments) = @_;
    local $ENV{TAR_OPTIONS} = '';
    return Touchstone::Machine::Command::output([ 'tar', @arguments ]);
}

# Returns the KB of disk that a build needs.
sub space_kb {
    my ($path, %how) = @_;
    my $objects = ($how{config} // $SMALL) eq $SMALL ? $SPACE{small} : $SPACE{other};
    return $objects + (-d $path ? 0 : $SPACE{source});
}

# Returns what a record says about the source, each a word or 'unknown'.
sub facts {
    my ($path, %how) = @_;
    my $makefile =
        -d $path ? Touchstone::Machine::Sysfile::text("$path/Makefile") : _packed($path, 'Makefile', %how);
    my $sha256 = eval { require Digest::SHA; -d $path ? _sha256_of_tree($path) : _sha256_of_file($path) };
    return {
        path          => $path,
        version       => _version($makefile // ''),
        sha256        => $sha256      // 'unknown',
        configuration => $how{config} // $SMALL,
        architecture  => architecture()
    };
}

# The Makefile has VERSION = 6, PATCHLEVEL = 1, SUBLEVEL = 158, and EXTRAVERSION = with nothing or -rc3.
sub _version {
    my ($makefile) = @_;
    my ($major, $minor, $patch) =
        map { $makefile =~ /^$_[ \t]*=[ \t]*([0-9]+)[ \t]*$/m ? $1 : return 'unknown' }
        qw(VERSION PATCHLEVEL SUBLEVEL);
    my ($extra) = $makefile =~ /^EXTRAVERSION[ \t]*=[ \t]*([-.+\w]*)[ \t]*$/ma;
    return "$major.$minor.$patch" . ($extra // '');
}

# Returns the text of a member, which may be in a directory that holds all members. tar stops at the first
# member of that name, because reading on takes long.
sub _packed {
    my ($path, $member, %how) = @_;
    my (undef, @names) = _first_names($path, %how);
    my %top    = map { m{\A((?:\./)*[^/.][^/]*/)} ? ($1 => 1) : () } @names;
    my ($dots) = map { m{\A((?:\./)*)} } @names;
    my $top    = keys %top == 1 ? (keys %top)[0] : $dots                      // '';
    my $tar    = Touchstone::Machine::Command::first_line('tar', '--version') // '';
    my @once   = $tar =~ /GNU tar/ ? '--occurrence=1' : $tar =~ /bsdtar/ ? '-q' : ();
    my ($status, $text) = _tar('-xOf', File::Spec->rel2abs($path), @once, "$top$member");
    return $text;
}

sub _sha256_of_file {
    my ($path) = @_;
    return Digest::SHA->new(256)->addfile($path, 'b')->hexdigest;
}

# Returns the SHA-256 of lines `SHA-256 of the contents path`, sorted by path. A link counts by where it
# leads. .git is left out, because it is no source.
sub _sha256_of_tree {
    my ($tree) = @_;
    my $sum = Digest::SHA->new(256);
    for my $name (sort(_files_in($tree, ''))) {
        my $path   = "$tree/$name";
        my $digest = Digest::SHA::sha256_hex(-l $path ? 'link to ' . readlink $path : _contents($path));
        $sum->add("$digest  " . $name =~ s/([\\\n])/sprintf '\\x%02x', ord $1/ger . "\n");
    }
    return $sum->hexdigest;
}

sub _contents {
    my ($path) = @_;
    open my $in, '<:raw', $path or die "cannot open '$path': $!\n";
    local $/;
    return scalar(<$in>) // '';
}

# Returns paths of files and links below `$tree/$below`, relative to the tree.
sub _files_in {
    my ($tree, $below) = @_;
    opendir my $dir, "$tree/$below" or die "cannot read '$tree/$below': $!\n";
    my @names = map { $below . $_ } grep { !/\A(?:\.|\.\.|\.git)\z/ } readdir $dir;
    closedir $dir;
    return map { -l "$tree/$_" || -f _ ? $_ : -d _ ? _files_in($tree, "$_/") : () } @names;
}

# Returns the kernel's name for this machine.
sub architecture {
    my ($machine) = @_;
    $machine //= (POSIX::uname())[4];
    for my $row (@ARCHITECTURES) {
        my ($pattern, $name) = @$row;
        my $regex = join '', map { $_ eq '*' ? '.*' : $_ eq '?' ? '.' : quotemeta } split //, $pattern;
        return $name if $machine =~ /\A$regex\z/s;
    }
    return $machine;
}

1;
