# SPDX-License-Identifier: GPL-2.0-or-later
# Record::Classic::Text - the text of a report without what programs, mail and forums put around it: escape
# codes of terminals, progress that overwrites a line, marks of quoting, time stamps of build logs, strange
# blanks, separators of thousands. A page becomes text. Each line keeps its number.
package Touchstone::Record::Classic::Text;
use 5.014;
use strict;
use warnings;
use re '/a';

use List::Util qw(min);

use Touchstone::Record::Classic::Html;

# Codes of terminals: of colours and movements, of titles, of character sets, and of one letter.
my $CODE = qr/\e(?:\[[0-?]*[ -\/]*[@-~]|\][^\a\e\n]*(?:\a|\e\\)?|[()*+#][0-9A-Za-z]|[0-9=>A-Za-z\\])/;
my $SKIP = qr/\e\[[0-9]*C/;

# Blanks in UTF-8: without a break, of a figure, thin, narrow, ideographic; and the first of these in Latin-1.
my $WIDE  = qr/\xc2\xa0|\xe2\x80[\x82-\x8a\xaf]|\xe3\x80\x80|(?<![\x80-\xff])\xa0+/;
my $NO    = qr/\xe2\x80[\x8b-\x8f]|\xe2\x81\xa0|\xef\xbb\xbf|\xc2\xad/;
my $GROUP = qr/(?:[,'_]|\xe2\x80\x99|\xc2\xa0|\xe2\x80[\x87\x89\xaf])/;

# A figure that its writer divided into thousands. No figure has more of them than this.
my $GROUPED = qr/(?<![0-9.,])([0-9]{1,3}(?:$GROUP[0-9]{3}){1,10})(?=\.[0-9])/;

# The beginning of each line of a build log, of a journal and of a container.
my $BEFORE = qr/(?:
      \d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z|[+-]\d\d:?\d\d)?
    | \[[^\[\]\n]{1,40}\]
    | [A-Z][a-z][a-z][ ][ \d]\d[ ]\d\d:\d\d:\d\d[ ][^\s:]{1,60}[ ][^\s:]{1,60}:
    | [A-Za-z0-9][\w.-]{0,60}[ \t]{0,20}\|
    )(?=[ \t]|$)/amx;

# A tag of a forum.
my $TAG = qr{\[/?(?:b|code|color|font|i|pre|quote|size)(?:=[^\[\]\n]{0,40})?\]}i;

my $QUOTE = qr/[>|\#*+ \t]/;
my $SOFT  = $Touchstone::Record::Classic::Html::SOFT;

# Returns the same lines. $SOFT of Classic::Html separates those that stand in one line of the source.
sub cleaned {
    my ($text) = @_;
    $text =~ s/\r+\n/\n/g;
    $text =~ tr/\r/\n/ if $text !~ /\n/;
    if ($text =~ /\e/) {
        $text =~ s/$SKIP/ /g;
        $text =~ s/$CODE//g;
    }
    $text =~ s/$SOFT/ /g if index($text, $SOFT) >= 0;
    $text = Touchstone::Record::Classic::Html::lines_of($text)
        if Touchstone::Record::Classic::Html::is_page($text);
    $text =~ s/^([^\n]*[\r\x08][^\n]*)/_overwritten($1)/gem if $text =~ /[\r\x08]/;
    $text =~ s/$NO//g                                       if $text =~ /[\x80-\xff]/;
    $text =~ s/$TAG//g;
    $text =~ s/$GROUPED/$1 =~ tr{0-9}{}cdr/ge;
    $text =~ s/$WIDE/ /g if $text =~ /[\x80-\xff]/;
    $text =~ s/^(?:$QUOTE+|$BEFORE){1,8}//gm;
    return $text;
}

# What a terminal shows in the end of a line that programs wrote over: the last part that has letters, and
# without those that a backspace took away.
sub _overwritten {
    my ($line) = @_;
    my ($last) = grep { /\S/ } reverse split /\r/, $line;
    my $shown  = '';
    for my $piece (split /(\x08+)/, $last // '') {
        if ($piece =~ /\A\x08/) {
            substr $shown, -min(length $piece, length $shown), length $shown, '' if length $shown;
        } else {
            $shown .= $piece;
        }
    }
    return $shown;
}

1;
