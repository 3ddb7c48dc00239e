# SPDX-License-Identifier: GPL-2.0-or-later
# Image - an OCI image from nothing: perl, the tools that tests of the shell and of hashes start, and the
# bundle in /touchstone. Everything that buildah keeps is in a directory of ours, with the driver vfs, which
# mounts nothing.
#
#   my $store = Image->new("$scratch");
#   $store->add('x86_64', $bundle, undef);        perl and the tools of this machine
#   $store->add('aarch64', $bundle, 'debs');      those of Debian's packages in a directory
#   $store->save("$to/touchstone-8.0.0-oci.tar");
package Image;
use 5.014;
use strict;
use warnings;

use Config;
use Cwd ();
use Exporter qw(import);
use File::Basename qw(dirname);
use POSIX ();

use Packaging qw(archive epoch has lacking run spew version);

our @EXPORT_OK = qw(here trouble);

# What OCI calls the architectures.
my %CALLED =
    (x86_64 => 'amd64', aarch64 => 'arm64', riscv64 => 'riscv64', ppc64le => 'ppc64le', s390x => 's390x');

# Run begins with env, and tests start the others. Those that are not here are missing in the image, and Run
# says which tests lack them.
my @TOOLS = qw(env sh sort od tee wc rm grep cat uname md5sum sha256sum sha512sum);

# The user of the image.
my $USER = 10001;

sub user { return $USER }

# The architecture of this machine, whose perl and tools can be copied.
sub here { return (POSIX::uname())[4] }

# Returns why no image can be made here, or nothing.
sub trouble {
    return 'root is needed' if $> != 0;
    return lacking(qw(buildah tar xz ldd));
}

sub new {
    my ($class, $scratch) = @_;
    return bless { scratch => $scratch }, $class;
}

# Runs buildah, and returns what it prints.
sub buildah {
    my ($self, @words) = @_;
    my @store = map { ("--$_", "$self->{scratch}/$_") } qw(root runroot);
    my $said  = run({ env => { BUILDAH_ISOLATION => 'chroot', BUILDAH_HISTORY => 'false' } },
        'buildah', '--storage-driver', 'vfs', @store, @words);
    chomp $said;
    return $said;
}

# Makes the image of an architecture, and puts it into the index.
sub add {
    my ($self, $arch, $bundle, $debs) = @_;
    my $called = $CALLED{$arch} // die "no image for '$arch': OCI has no name for it here\n";
    my $tree   = "$self->{scratch}/tree-$arch";
    $self->buildah('manifest', 'create', 'touchstone') if !$self->{index}++;
    defined $debs ? _of_packages($tree, $debs) : _of_this_machine($tree);
    _furnish($tree, $arch, $bundle);
    my $container = $self->buildah('from',  '--arch', $called, 'scratch');
    my $inside    = $self->buildah('mount', $container);
    run('cp', '-a', "$tree/.", $inside);
    $self->buildah('umount', $container);
    $self->buildah('config', _config($called), $container);
    $self->buildah('commit', '-q', '--format', 'oci', '--timestamp', epoch(), '--rm', $container,
        "touchstone:$arch");
    $self->buildah('manifest', 'add', '--os', 'linux', '--arch', $called, 'touchstone', "touchstone:$arch");
    return;
}

# The words that describe it, and how it is started.
sub _config {
    my ($called) = @_;
    my %label = (
        title         => 'Touchstone',
        description   => 'UnixBench, rewritten: the same tests and index, in minutes, with intervals',
        version       => version(),
        licenses      => 'GPL-2.0-or-later',
        created       => POSIX::strftime('%Y-%m-%dT%H:%M:%SZ', gmtime epoch()),
        documentation => 'docs/packages.md',
    );
    return (
        '--os', 'linux', '--arch', $called, '--user',
        "$USER:$USER",
        '--volume',
        '/results',
        '--workingdir',
        '/results',
        '--entrypoint',
        '["/touchstone/Run"]',
        '--cmd', '',
        (
            map { ('--env', $_) } 'PATH=/usr/bin:/bin', 'HOME=/results',
            'UB_RESULTDIR=/results',                    'UB_TMPDIR=/results/tmp'
        ),
        map { ('--label', "org.opencontainers.image.$_=$label{$_}") } sort keys %label
    );
}

# Copies perl with its modules, and the tools, with the libraries that they need.
sub _of_this_machine {
    my ($tree) = @_;
    my %program = map { my $from = has($_); $from ? ("/usr/bin/$_" => Cwd::abs_path($from)) : () } @TOOLS;
    $program{'/usr/bin/perl'} = Cwd::abs_path($^X);
    my %modules = map { $_ => 1 } grep { -d } @Config{qw(privlibexp archlibexp)},
        grep { m{/perl-base\z} } @INC;

    # A record leaves a pod compressed, and of perl's modules that are used this one alone needs a library.
    my @zlib    = grep { -e } map { "$_/auto/Compress/Raw/Zlib/Zlib.so" } $Config{archlibexp};
    my %library = map  { $_ => 1 } run('ldd', @zlib, sort values %program) =~ m{^\s.*?(/\S+) \(0x}mg;
    for my $file (
        (map { [ $program{$_}, $_ ] } sort keys %program),
        map { [ $_, $_ ] } sort keys %modules,
        sort keys %library
    ) {
        my ($from, $to) = @$file;
        run('mkdir', '-p', $tree . dirname($to));
        run('cp', '-RL', $from, "$tree$to");
    }
    return;
}

# Unpacks Debian's packages: perl-base, perl-modules, libperl, dash, coreutils, grep, and their libraries.
sub _of_packages {
    my ($tree, $debs) = @_;
    my @files = sort glob "\Q$debs\E/*.deb" or die "no packages in '$debs': *.deb\n";
    run('mkdir',    '-p',        $tree);
    run('dpkg-deb', '--extract', $_, $tree) for @files;
    run('rm',       '-rf',       map { "$tree/$_" } qw(usr/share/doc usr/share/man usr/share/locale var etc));
    return;
}

# Adds the bundle, the user and the volume; modes are those of a package whatever this user's are.
sub _furnish {
    my ($tree, $arch, $bundle) = @_;
    spew("$tree/etc/passwd", "touchstone:x:${USER}:${USER}::/results:/bin/sh\n");
    spew("$tree/etc/group",  "touchstone:x:${USER}:\n");
    run('mkdir', '-p', map { "$tree/$_" } qw(touchstone results tmp proc dev sys));
    run('ln',    '-s', 'usr/bin', "$tree/bin") if !-e "$tree/bin";
    run('tar',   '-C', "$tree/touchstone", '--strip-components=1', '-xf', $bundle);
    my ($is) = run('cat', "$tree/touchstone/BUNDLE") =~ /^arch=(\S+)$/m;
    die "'$bundle' is a bundle for " . ($is // 'nothing') . ", not for $arch\n" if ($is // '') ne $arch;
    run('chown', '-R', '0:0',         $tree);
    run('chmod', '-R', 'u+rwX,go=rX', $tree);
    chmod oct 1777, "$tree/tmp";
    chown $USER, $USER, "$tree/results";
    return;
}

# Writes the index and its images as an archive that is byte-identical for equal images. The name in it is
# what podman calls the image: a version alone would become the image 8.0.0:latest.
sub save {
    my ($self, $file) = @_;
    my $layout = "$self->{scratch}/layout";
    $self->buildah('manifest', 'push', '-q', '--all', 'touchstone', "oci:$layout:touchstone:" . version());
    archive($layout, '.', $file);
    return $file;
}

1;
