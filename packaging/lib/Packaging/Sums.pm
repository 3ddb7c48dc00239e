# SPDX-License-Identifier: GPL-2.0-or-later
# Packaging::Sums - SHA256SUMS, the list of a release's files with their sums, as sha256sum writes it:
#
#   9c1185a5c5e9fc54612808977ee8f548b2258d31d0c9d2f3a2b1d0f0f9c1f6a1  touchstone-8.0.0.tar.gz
package Packaging::Sums;
use 5.014;
use strict;
use warnings;

use Digest::SHA ();
use Exporter qw(import);
use Packaging qw(slurp);

our @EXPORT_OK = qw(check stated sum_of sums);

sub sum_of { my ($file) = @_; return Digest::SHA->new(256)->addfile($file, 'b')->hexdigest }

# Returns the text of SHA256SUMS for a directory.
sub sums {
    my ($directory) = @_;
    return join '', map { sum_of("$directory/$_") . "  $_\n" } _files($directory);
}

# All files of a release but the list itself and its signature.
sub _files {
    my ($directory) = @_;
    opendir my $in, $directory or die "cannot read '$directory': $!\n";
    my @files = sort grep { /\A(?:touchstone-.*|get)\z/ && -f "$directory/$_" } readdir $in;
    return @files;
}

# Returns { name => sum } of what the list in a directory states.
sub stated {
    my ($directory) = @_;
    my %stated;
    for my $line (split /^/, slurp("$directory/SHA256SUMS")) {
        $line =~ m{\A([0-9a-f]{64})  ([^/\s]+)\n\z}
            or die "SHA256SUMS has a line that is not a sum and a name: it was cut or changed\n";
        die "SHA256SUMS has '$2' twice\n" if $stated{$2};
        $stated{$2} = $1;
    }
    die "SHA256SUMS lists nothing\n" if !%stated;
    return \%stated;
}

# Dies where the list in a directory is not that of its files, all and no others. Returns their names.
sub check {
    my ($directory) = @_;
    my $stated = stated($directory);
    for my $name (sort keys %$stated) {
        die "'$name' is missing, which SHA256SUMS lists\n" if !-f "$directory/$name";
        die "'$name' does not have the sum that SHA256SUMS states: it was cut or changed\n"
            if sum_of("$directory/$name") ne $stated->{$name};
    }
    my ($more) = grep { !$stated->{$_} } _files($directory);
    die "'$more' is not in SHA256SUMS\n" if defined $more;
    return sort keys %$stated;
}

1;
