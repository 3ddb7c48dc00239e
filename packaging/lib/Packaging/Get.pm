# SPDX-License-Identifier: GPL-2.0-or-later
# Packaging::Get - the copy of packaging/get that a release has: with its version and the public key.
package Packaging::Get;
use 5.014;
use strict;
use warnings;

use Exporter qw(import);
use Packaging qw($ROOT slurp);

our @EXPORT_OK = qw(filled);

# Returns the text of get for a version and a key.
sub filled {
    my ($version, $key) = @_;
    my $text = slurp("$ROOT/packaging/get");
    $text =~ s/^VERSION=$/VERSION=$version/m or die "packaging/get has no empty line VERSION=\n";
    $text =~ s/^KEY=$/KEY=$key/m             or die "packaging/get has no empty line KEY=\n";
    return $text;
}

1;
