# SPDX-License-Identifier: GPL-2.0-or-later
# Options - the commands and options in Markdown, made from the manual at the end of Run. From this
#
#   =item B<-c>, B<--copies> I<N>
#
#   Run I<N> copies of each test at once (F<docs/running.md>).
#
# it makes
#
#   ### -c, --copies N
#
#   Run N copies of each test at once ([running](running.md)).
package Options;
use 5.014;
use strict;
use warnings;

use Touchstone::Base::Text;

my $COLUMNS = 100;

# What stands for each letter of POD. A document becomes a link, from the folder that the documents are in.
my %MARK = (
    B => sub { return "`$_[0]`" },
    C => sub { return "`$_[0]`" },
    E => sub { return { gt => '>', lt => '<' }->{ $_[0] } // die "E<$_[0]> is not known here\n" },
    F => sub { return $_[0] =~ m{\Adocs/(.*?([\w-]+)\.md(?:#.*)?)\z} ? "[$2]($1)" : "`$_[0]`" },
    I => sub { return $_[0] },
    L => sub { return $_[0] },
);

# An option and the words that follow it are one piece of code: B<--format> I<FORM>.
sub _inline {
    my ($text) = @_;
    $text =~ s/B<([^<>]*)>((?:[ =]?(?:I<[^<>]*>|(?<=>)%))+)/'C<' . $1 . $2 =~ s{I<([^<>]*)>}{$1}gr . '>'/ge;
    1 while $text =~ s/([BCEFIL])<([^<>]*)>/$MARK{$1}->($2)/ge;
    return $text;
}

sub _heading { my ($item) = @_; return '### ' . $item =~ s/[BIC]<([^<>]*)>/$1/gr }

# A heading, an option, code as it is, or a paragraph.
sub _block {
    my ($block) = @_;
    return '## ' . ucfirst lc $1 if $block =~ /\A=head1 (COMMANDS)/;
    return ()                    if $block =~ /\A=head1 /;
    return '## ' . _inline($1)   if $block =~ /\A=head2 (.*)/;
    return _heading($1)          if $block =~ /\A=item (.*)/;
    return $block                if $block =~ /\A /;
    return join "\n", Touchstone::Base::Text::wrapped(_inline($block =~ s/\s+/ /gr), width => $COLUMNS);
}

# Markdown from the parts of the manual that explain the commands and options.
sub made {
    my ($manual)  = @_;
    my ($options) = $manual =~ /^(=head1 COMMANDS\n.*?)^=head1 ENV/ms
        or die "the manual explains no commands\n";
    my @blocks = grep { !/\A=(?:over|back|for)\b/ } split /\n\n+/, $options =~ s/\A\n+//r;
    return join "\n\n", map { _block($_) } @blocks;
}

1;
