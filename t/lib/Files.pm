# SPDX-License-Identifier: GPL-2.0-or-later
# Files - whole files read and written, and what is in a directory.
#
#   spew("$dir/a", "text\n");
#   slurp("$dir/a");      "text\n"
#   names_in($dir);       'a', in alphabetical order
package Files;
use 5.014;
use strict;
use warnings;

use Exporter qw(import);

our @EXPORT = qw(slurp spew names_in);

sub slurp {
    my ($path) = @_;
    open my $in, '<', $path or die "cannot read '$path': $!\n";
    local $/;
    return scalar(<$in>) // '';
}

# Another file in the place of one that was there: a program that runs cannot be written to.
sub spew {
    my ($path, $text) = @_;
    unlink $path;
    open my $out, '>', $path or die "cannot write '$path': $!\n";
    print {$out} $text;
    close $out or die "cannot write '$path': $!\n";
    return;
}

sub names_in {
    my ($dir) = @_;
    opendir my $in, $dir or die "cannot read '$dir': $!\n";
    return sort grep { $_ ne '.' && $_ ne '..' } readdir $in;
}

1;
