# SPDX-License-Identifier: GPL-2.0-or-later
# Base::Symbols - signs beyond ASCII that reports show, as bytes of UTF-8, and what stands for them where a
# reader has ASCII alone: the text report of UnixBench, the log, and terminals of other locales.
package Touchstone::Base::Symbols;
use 5.014;
use strict;
use warnings;

use Exporter qw(import);

our @EXPORT_OK = qw($ARROW $DASH $DOT $MICRO $MINUS $PLUS_MINUS $TIMES ascii signed);

our $PLUS_MINUS = "\xc2\xb1";
our $TIMES      = "\xc3\x97";
our $MICRO      = "\xc2\xb5";
our $DOT        = "\xc2\xb7";
our $MINUS      = "\xe2\x88\x92";
our $DASH       = "\xe2\x80\x93";
our $ARROW      = "\xe2\x86\x92";

my %ASCII = (
    $PLUS_MINUS => '+-',
    $TIMES      => 'x',
    $MICRO      => 'u',
    $DOT        => '-',
    $MINUS      => '-',
    $DASH       => '-',
    $ARROW      => '->',
);
my ($SIGN) = map { qr/($_)/ } join '|', map { quotemeta } sort keys %ASCII;

# Returns a text with these signs in ASCII. Other letters stay, such as those of a host's name.
sub ascii {
    my ($text) = @_;
    return $text if $text !~ /[\x80-\xff]/;
    return $text =~ s/$SIGN/$ASCII{$1}/gr;
}

# Returns a number that sprintf has given a sign with a real minus; what is rounded to nothing has a plus.
sub signed {
    my ($number) = @_;
    return $number =~ s/\A-(?=[0.]+\z)/+/r =~ s/\A-/$MINUS/r;
}

1;
