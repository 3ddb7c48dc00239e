#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# Brings all Perl files into the form that .perltidyrc describes. With --check it changes nothing, names the
# files in another form, and ends with status 1. It requires this version of perltidy, because others format
# differently.
use 5.014;
use strict;
use warnings;

use File::Find;

my $VERSION = '20220613';
my $AT_ONCE = 2;

my $check = @ARGV && $ARGV[0] eq '--check';
my $found = eval { require Perl::Tidy; $Perl::Tidy::VERSION } // 'none';
if ($found ne $VERSION) {
    print "# nothing was tidied: perltidy here is $found, and the form is that of $VERSION\n";
    exit 0;
}

# Returns the text of a file, and the text after perltidy.
sub forms {
    my ($file) = @_;
    open my $in, '<', $file or die "cannot open '$file': $!\n";
    my $text = do { local $/; <$in> };
    my ($tidy, $errors) = ('', '');
    my $failed = Perl::Tidy::perltidy(
        argv        => '',
        source      => \$text,
        destination => \$tidy,
        errorfile   => \$errors,
        perltidyrc  => '.perltidyrc'
    );
    die "perltidy cannot read '$file'\n$errors" if $failed;
    return ($text, $tidy);
}

# Programs of packaging/ and fleet/ have no suffix.
sub is_perl {
    my ($file) = @_;
    open my $in, '<', $file or return;
    return (<$in> // '') =~ /\A#!.*\bperl\b/;
}

sub treat {
    my ($file) = @_;
    my ($text, $tidy) = forms($file);
    return 0                                                           if $text eq $tidy;
    print "$file is not in the form of .perltidyrc: run 'make tidy'\n" if $check;
    return 1                                                           if $check;
    open my $out, '>', $file or die "cannot write '$file': $!\n";
    print {$out} $tidy;
    close $out or die "cannot write '$file': $!\n";
    return 0;
}

my @files = 'Run';
find(sub { push @files, $File::Find::name if /[.](?:p[lm]|t)\z/ && -f }, qw(docs fleet lib packaging src t));
find(sub { push @files, $File::Find::name if !/[.]/ && -f && -x _ && is_perl($_) },
    qw(.ci fleet packaging t/fleet));
@files = sort @files;

my @children;
for my $part (0 .. $AT_ONCE - 1) {
    my $child = fork // die "cannot start a process: $!\n";
    if ($child) {
        push @children, $child;
        next;
    }
    my $untidy = 0;
    $untidy += treat($files[$_]) for grep { $_ % $AT_ONCE == $part } 0 .. $#files;
    close STDOUT;
    exit($untidy ? 1 : 0);
}
my $status = 0;
for my $child (@children) {
    waitpid $child, 0;
    $status = 1 if $?;
}
exit $status;
