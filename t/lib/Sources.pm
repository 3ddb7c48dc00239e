# SPDX-License-Identifier: GPL-2.0-or-later
# Sources - a copy of Makefile, src and all compiled objects in a temporary directory, for tests that build
# with other flags or with changed sources: make compiles what has changed, and links.
package Sources;
use 5.014;
use strict;
use warnings;

use Exporter qw(import);
use File::Basename qw(dirname);
use File::Temp ();

use lib dirname(__FILE__);
use Files;

our @EXPORT = qw($dir run build change slurp spew);

# Flags of a make that started this test must not affect the builds here.
delete @ENV{qw(MAKEFLAGS MFLAGS MAKELEVEL CFLAGS LDFLAGS UB_GCC_OPTIONS)};
our $dir = File::Temp->newdir;
mkdir "$dir/pgms" or die "cannot make '$dir/pgms': $!\n";

# The copies keep their times, by which make finds out what is old.
system('cp', '-Rp', 'Makefile', 'src', grep({ -e } 'obj'), "$dir") == 0 or die "cannot copy the sources\n";
system('cp', '-p', 'pgms/build.facts', "$dir/pgms") == 0 or die "cannot copy\n" if -e 'pgms/build.facts';
my ($make) = grep { system("command -v $_ >/dev/null 2>&1") == 0 } qw(gmake make);

# Returns exit status, standard output and standard error of a command.
sub run {
    my @command = @_;
    open my $out, '-|', 'sh', '-c', 'exec "$@" 2>"$0"', "$dir/stderr", @command
        or die "cannot run '$command[0]': $!\n";
    local $/;
    my $stdout = <$out>;
    close $out;
    my $status = $? >> 8;
    return ($status, $stdout // '', slurp("$dir/stderr"));
}

sub build {
    my ($program, @settings) = @_;
    return run($make, '-s', '-C', "$dir", @settings, "pgms/$program");
}

# Replaces text once in a source of the copy. Returns a function that restores the source.
sub change {
    my ($file, $from, $to) = @_;
    my $path     = "$dir/src/unixbench/variants/$file";
    my $original = slurp($path);
    (my $text = $original) =~ s/\Q$from\E/$to/ or die "'$from' is not in $file\n";
    spew($path, $text);
    return sub { spew($path, $original) };
}

1;
