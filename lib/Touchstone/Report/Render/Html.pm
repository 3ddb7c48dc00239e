# SPDX-License-Identifier: GPL-2.0-or-later
# Report::Render::Html - pages and tables of HTML, and texts made fit for them.
package Touchstone::Report::Render::Html;
use 5.014;
use strict;
use warnings;

use Exporter qw(import);

use Touchstone::Report::Render::Html::Script;
use Touchstone::Report::Render::Html::Style;

our @EXPORT_OK = qw(folded page spaced table text);

# Returns a whole page; the body is markup already. `style` and `script` are those of this kind of page and
# are added to the common ones. The page allows only these two, by their hashes: no attribute and no text of
# a record can bring a style, a script or a request.
sub page {
    my ($title, $body, %also) = @_;
    my $style  = $Touchstone::Report::Render::Html::Style::CSS . ($also{style}  // '');
    my $script = $Touchstone::Report::Render::Html::Script::JS . ($also{script} // '');
    my $policy =
          "default-src 'none'; style-src "
        . _hash($style)
        . '; script-src '
        . _hash($script)
        . "; base-uri 'none'; form-action 'none'";
    return join '', "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n",
        qq{<meta http-equiv="Content-Security-Policy" content="$policy">\n},
        qq{<meta name="viewport" content="width=device-width, initial-scale=1">\n},
        '<title>', text($title),
        "</title>\n<style>$style</style>\n</head>\n<body>\n<main>\n$body</main>\n<script>$script</script>\n</body>\n</html>\n";
}

# If Perl came without Digest::SHA, the policy has to allow more.
sub _hash {
    my ($text) = @_;
    return
        eval { require Digest::SHA; "'sha256-" . Digest::SHA::sha256_base64($text) . "='" }
        // q{'unsafe-inline'};
}

# Makes a text of any origin fit for a page.
sub text {
    my ($text) = @_;
    return '' if !defined $text;
    $text =~ s/&/&amp;/g;
    $text =~ s/</&lt;/g;
    $text =~ s/>/&gt;/g;
    $text =~ s/"/&quot;/g;
    $text =~ s/'/&#39;/g;
    return $text;
}

# Returns a table. Cells are markup already; a cell that is sorted by something else than its text is
# [markup, key]. These are columns: `left`, beside the first, those that are aligned left; `more` and `rest`,
# those that Report::Render::Html::Style shows when the reader asks for more columns. `class` is of the table. A row
# { group => markup } heads those that follow it.
sub table {
    my (%t) = @_;
    my %class;
    for my $class (qw(left more rest)) {
        push @{ $class{$_} }, $class for grep { $_ } @{ $t{$class} || [] };
    }
    my $row = sub {
        my ($scope, $cells) = @_;
        return qq{<tr class="group"><th scope="rowgroup" colspan="${\ scalar @{ $t{head} } }">}
            . "$cells->{group}</th></tr>\n"
            if ref $cells eq 'HASH';
        return '<tr>'
            . join('',
            map { _cell($cells->[$_], $class{$_}, $scope && ($scope eq 'col' || !$_) ? $scope : undef) }
                0 .. $#$cells)
            . "</tr>\n";
    };
    my @bodies = ([]);
    for my $cells (@{ $t{rows} }) {
        push @bodies,          [] if ref $cells eq 'HASH' && @{ $bodies[-1] };
        push @{ $bodies[-1] }, $row->('row', $cells);
    }
    return join '', _asks_for_columns(\%t), '<div class="scroll"><table',
        (length $t{class} ? qq{ class="$t{class}"} : ()), ">\n",
        (length $t{caption} ? "<caption>$t{caption}</caption>\n" : ()), '<thead>', $row->('col', $t{head}),
        "</thead>\n", (map { ("<tbody>\n", @$_, "</tbody>\n") } @bodies),
        (@{ $t{foot} || [] } ? ('<tfoot>', (map { $row->('row', $_) } @{ $t{foot} }), "</tfoot>\n") : ()),
        "</table></div>\n";
}

# A fold without contents: what it opens are columns of the table behind it.
sub _asks_for_columns {
    my ($t) = @_;
    return '' if !@{ $t->{more} || [] } && !@{ $t->{rest} || [] };
    my $class = @{ $t->{rest} || [] } ? 'columns' : 'columns narrow';
    return qq{<details class="$class"><summary>More columns</summary></details>\n};
}

# `scope` marks a cell that heads its column or row.
sub _cell {
    my ($cell, $classes, $scope) = @_;
    my ($markup, $key) = ref $cell ? @$cell : $cell;
    my $tag     = $scope ? 'th' : 'td';
    my @classes = grep { $_ ne 'left' || length($markup // '') } @{ $classes || [] };
    return join '', "<$tag", ($scope ? qq{ scope="$scope"} : ()),
        (@classes ? qq{ class="@classes"} : ()),
        (defined $key ? ' data-key="' . text($key) . '"' : ()), '>', $markup // '', "</$tag>";
}

# Returns something long that opens when the user wants to see it; both texts are markup.
sub folded {
    my ($summary, $content) = @_;
    return "<details>\n<summary>$summary</summary>\n$content</details>\n";
}

# Figures of this many digits are read in groups of three.
my $LONG = 5;

# "29300000" is "29 300 000", with narrow blanks where no line breaks.
sub spaced {
    my ($figure) = @_;
    my ($sign, $whole, $rest) = $figure =~ /\A(-?)(\d{$LONG,})(.*)\z/as or return $figure;
    1 while $whole =~ s/(\d)(\d{3})(?=&|\z)/$1&#8239;$2/a;
    return "$sign$whole$rest";
}

1;
