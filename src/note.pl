# SPDX-License-Identifier: GPL-2.0-or-later
# note.pl - writes what the Makefile notes of a build, and leaves a file alone that says the same already.
#
#   $ perl src/note.pl facts pgms/build.facts NAME... -- PROGRAM...
#
# writes a line for each name, 'NAME=' and the environment's FACT_NAME. If one has changed, the programs are
# removed.
#
#   $ perl src/note.pl sources pgms/build.sources
#
# writes the SHA-256 of all sources, or unknown without Perl's Digest::SHA.
use 5.014;
use strict;
use warnings;

# The script loads no more modules than it needs, since a make with nothing to do waits for it.

sub facts {
    my ($names) = @_;
    return join '', map { "$_=" . ($ENV{"FACT_$_"} // '') . "\n" } @$names;
}

# Returns the paths of all files below a path, without hidden ones and those that editors keep.
sub files {
    my ($path) = @_;
    return                                                 if -l $path;
    return -f _ && $path !~ m{/\.[^/]*\z|~\z} ? $path : () if !-d _;
    opendir my $in, $path or die "cannot read '$path': $!\n";
    return map { files("$path/$_") } grep { !/\A\.\.?\z/ } readdir $in;
}

sub sources {
    my $sum = eval {
        require Digest::SHA;
        my @files = sort(files('Makefile'), files('src'));
        Digest::SHA::sha256_hex(map { Digest::SHA->new(256)->addfile($_)->hexdigest . "  $_\n" } @files);
    };
    return ($sum // 'unknown') . "\n";
}

sub text {
    my ($file) = @_;
    open my $in, '<', $file or return '';
    local $/;
    return <$in> // '';
}

# Writes under another name first, because two makes may run at once.
sub replace {
    my ($file, $text) = @_;
    require File::Path;
    File::Path::make_path($file =~ s{/[^/]*\z}{}r);
    open my $out, '>', "$file.$$.new" or die "cannot write '$file.$$.new': $!\n";
    print {$out} $text;
    close $out or die "cannot write '$file.$$.new': $!\n";
    rename "$file.$$.new", $file or die "cannot rename '$file.$$.new': $!\n";
    return;
}

my ($what, $file, @words) = @ARGV;
my @names;
while (@words && (my $word = shift @words) ne '--') { push @names, $word }
my $text = $what eq 'facts' ? facts(\@names) : sources();
if (!-e $file || $text ne text($file)) {
    unlink @words;
    replace($file, $text);
}
