# SPDX-License-Identifier: GPL-2.0-or-later
# Manual - the options in the manual at the end of Run, made from what USAGE says of them. From this
#
#   -c, --copies N     Run N copies of each test at once (section 8).
#
# it makes the item of the option, wherever that stands in the manual:
#
#   =item B<-c>, B<--copies> I<N>
#
#   Run I<N> copies of each test at once (section 8 of USAGE).
package Manual;
use 5.014;
use strict;
use warnings;

use Touchstone::Terminal::Wrap;

my $COLUMNS = 110;

# Where the texts of options begin in USAGE.
my $TEXT = 21;

# { '--copies' => ['-c, --copies N', 'Run N copies ...'] }: the first place that explains an option counts. A
# long spelling has a line of its own.
sub explained {
    my ($usage) = @_;
    my %option;
    while ($usage =~ /^  ((?:-\w, )?(--[a-z][\w-]*).*\n(?: {$TEXT}\S.*\n)*)/mg) {
        my ($lines, $name) = ($1, $2);
        my $beside = $TEXT - 3;
        my ($spelling, $text) = $lines =~ /\A(.{$beside}) (?! )(.*)/s ? ($1, $2) : split /\n/, $lines, 2;
        $option{$name} //= [ map { s/\s+/ /gr =~ s/\A | \z//gr } $spelling, $text ];
    }
    return \%option;
}

# "-c, --copies N" with its letters marked, and the words that stand for values.
sub _spelled {
    my ($spelling) = @_;
    my ($names, $value) = $spelling =~ /\A((?:-\w, )?--[\w-]+)(.*)/;
    return $names =~ s/(-[\w-]+)/B<$1>/gr . $value =~ s/([A-Z]+)/I<$1>/gr, $value =~ /([A-Z]+)/g;
}

# What is between backquotes is as it is typed; all else is words.
sub _marked {
    my ($text, @values) = @_;
    return $text =~ s/`([^`]*)`|([^`]+)/defined $1 ? "C<$1>" : _marked_words($2, @values)/ger;
}

# Values and options are marked, and sections are those of USAGE.
sub _marked_words {
    my ($text, @values) = @_;
    for my $value (@values) { $text =~ s/(?<![\w<=-])$value\b(?!=)/I<$value>/g }
    return $text =~ s/(?<![\w=,-])(--?[a-z][\w-]*)/B<$1>/gr =~ s/\b(section \d+)/$1 of USAGE/gr;
}

sub _item {
    my ($spelling, $text)   = @_;
    my ($marked,   @values) = _spelled($spelling);
    my @lines = Touchstone::Terminal::Wrap::lines(_marked($text, @values), width => $COLUMNS);
    return join '', map { "$_\n" } "=item $marked", '', @lines;
}

# The manual with its options as they should be, from the text of USAGE. Each stays where it is.
sub made {
    my ($manual, $usage) = @_;
    my $option = explained($usage);
    my $name   = qr/(?:B<-\w>, )?B<(--[\w-]+)>/;
    return $manual =~
        s/^=item $name.*\n\n(?:(?!=).*\S.*\n|\n(?!=))*/$option->{$1} ? _item(@{ $option->{$1} }) : $&/gemr;
}

1;
