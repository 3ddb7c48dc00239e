# SPDX-License-Identifier: GPL-2.0-or-later
# Recipe - packages of other systems, each in packaging/THING. A recipe repeats no fact of ours: it has @NAME@
# where the fact stands once it is filled in. The digest could not stand in it, since it is that of an archive
# which holds the recipe too.
#
#   Version:        @VERSION@          Version:        8.0.0
#   sha256sums=('@SHA256@')            sha256sums=('9f2c...')
package Recipe;
use 5.014;
use strict;
use warnings;

use Digest::SHA ();
use Exporter qw(import);
use File::Path qw(make_path);

use Packaging qw($ROOT epoch name run said slurp spew version);

our @EXPORT_OK = qw(as_ordinary facts filled make_recipe recipe_files try_installed);

# This is all that recipes say of us and that is no property of an archive.
my %ABOUT = (
    SUMMARY    => 'UNIX benchmark suite with the tests and index of UnixBench',
    HOME       => 'https://touchstone.example/',
    DOWNLOAD   => 'https://touchstone.example/releases/',
    LICENCE    => 'GPL-2.0-or-later',
    MAINTAINER => 'Touchstone maintainers <maintainers@touchstone.example>',
);

my @DAYS   = qw(Sun Mon Tue Wed Thu Fri Sat);
my @MONTHS = qw(Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec);

# Returns what may be filled in, for a source archive.
sub facts {
    my ($archive) = @_;
    my ($day, $month, $year, $weekday) = (gmtime epoch())[ 3 .. 6 ];
    return {
        %ABOUT,
        VERSION => version(),
        EPOCH   => epoch(),
        DAY     => sprintf('%s %s %02d %d', $DAYS[$weekday], $MONTHS[$month], $day, $year + 1900),
        SIZE    => -s $archive,
        map { ("SHA$_" => Digest::SHA->new($_)->addfile($archive, 'b')->hexdigest) } 256,
        512,
    };
}

sub filled {
    my ($text, $facts) = @_;
    return $text =~ s{\@([A-Z]+\d*)\@}{$facts->{$1} // die "a recipe asks for \@$1\@, which is no fact\n"}ger;
}

# The files of packaging/THING that are the recipe.
sub recipe_files {
    my ($thing) = @_;
    my $folder = "$ROOT/packaging/$thing";
    opendir my $in, $folder or die "cannot read '$folder': $!\n";
    my @files = sort grep { -f "$folder/$_" && !/\A(?:build|try)\z|~\z/ } readdir $in;
    return @files;
}

# Makes the source archive in a directory, and next to it, in a directory named like the thing, its recipe.
# Returns the paths of both. Packages bear the modes of what they are made of, so these are the same for all.
sub make_recipe {
    my ($thing, $to) = @_;
    die "packaging/$thing/build: where to? It takes a directory\n" if !defined $to;
    umask oct 22;
    make_path("$to/$thing");
    run("$ROOT/packaging/dist/build", $to);
    my $archive = "$to/" . name() . '.tar.gz';
    my $facts   = facts($archive);
    for my $file (recipe_files($thing)) {
        spew("$to/$thing/$file", filled(slurp("$ROOT/packaging/$thing/$file"), $facts));
    }
    return ($archive, "$to/$thing");
}

# A command of root in a namespace where root has the number of an ordinary user, and owns the same files.
sub as_ordinary {
    my (@command) = @_;
    return $> ? @command : (qw(unshare --map-user=1000 --map-group=1000), @command);
}

# A root whose /usr is that of this system with the contents of a package laid over it, read-only, as in an
# installed system. What is mounted vanishes with the namespace.
my $AS_INSTALLED = <<'END';
set -eu
contents=$1 root=$2
shift 2
mkdir -p "$root/usr" "$root/proc" "$root/dev" "$root/tmp" "$root/etc"
for each in bin sbin lib lib64; do [ ! -e "/$each" ] || ln -s "usr/$each" "$root/$each"; done
mount -t overlay overlay -o "lowerdir=$contents/usr:/usr" "$root/usr"
mount --rbind /proc "$root/proc"
mount --rbind /dev "$root/dev"
mount -t tmpfs tmpfs "$root/tmp"
exec chroot "$root" "$@"
END

# Runs the contents of a package, unpacked in a directory, as after an installation: its version, and a
# measurement of one test. Returns undef, or why this cannot be tried here.
sub try_installed {
    my ($contents, $root) = @_;
    my $version = version();
    my %env     = (HOME => '/tmp/home', PATH => "$ENV{PATH}:/usr/sbin:/sbin", LC_ALL => 'C');
    my @within  = ({ env => \%env }, qw(unshare -rm sh -c), $AS_INSTALLED, 'sh', $contents);
    return 'a user may not mount here' if (said(@within, "$root/0", 'true'))[0] != 0;
    my $said = run(@within, "$root/1", 'touchstone', '--version');
    die "the installed copy says '$said' instead of its version\n" if $said ne "Touchstone $version\n";
    $said = run(@within, "$root/2", qw(touchstone --quick -c 1 pipe));
    die "the installed copy measured nothing:\n$said" if $said !~ /^Pipe Throughput +[\d.]+ +[\d.]+ /m;
    return;
}

1;
