# SPDX-License-Identifier: GPL-2.0-or-later
# Report::Render::Html - a document as HTML: whole pages, and texts made fit for them. No other module writes
# markup, but those that draw pictures (Report::Plot).
package Touchstone::Report::Render::Html;
use 5.014;
use strict;
use warnings;

use Touchstone::Report::Document;
use Touchstone::Report::Plot::Chart;
use Touchstone::Report::Plot;
use Touchstone::Report::Render::Html::Script;
use Touchstone::Report::Render::Html::Style;

*text = \&Touchstone::Report::Plot::escaped;

my %MARKUP = (
    heading => \&_heading,
    text    => sub {
        my (undef, @items) = @_;
        return map { _element('p', $_) } @items;
    },
    points => sub {
        my (undef, @items) = @_;
        return ('<ul>', (map { _element('li', $_) } @items), '</ul>');
    },
    form => sub {
        my (undef, @lines) = @_;
        return '<pre>' . join("\n", map { text($_) } @lines) . '</pre>';
    },
    command => sub { return '<pre class="command"><code>' . text($_[1]) . '</code></pre>' },
    table   => \&_table,
    chart   => sub { return Touchstone::Report::Plot::Chart::svg($_[1]) },
    picture => sub { return $_[1] },
    list    => \&_list,
    terms   => \&_terms,
    fold    => \&_fold,
    section => \&_section,
    block   => \&_block,
);

# A document { title, parts, style, script }. If it has a main heading of its own, all others are of `level`
# 2.
sub whole {
    my ($document) = @_;
    my ($title, $parts, $level) = @$document{qw(title parts level)};
    return page($title, _parts($level // 1, @$parts), map { $_ => $document->{$_} } qw(style script));
}

# A page of a document, and parts for a page that has its own main heading: their headings are one level
# lower.
sub document { my ($title, $parts, %also) = @_; return page($title, _parts(1, @$parts), %also) }
sub fragment { my (@parts) = @_; return _parts(2, @parts) }

# Parts as markup; headings have this level.
sub _parts {
    my ($level, @parts) = @_;
    return join '', map { "$_\n" } map {
        my ($kind, @what) = @$_;
        $MARKUP{$kind}->($level, @what)
    } Touchstone::Report::Document::for_form('html', @parts);
}

sub _heading {
    my ($level, $item) = @_;
    $level = $item->{level} if ref $item eq 'HASH' && $item->{level};
    return _element("h$level", $item);
}

sub _fold {
    my ($level, $title, @parts) = @_;
    my $settings = ref $title eq 'HASH' ? $title : {};
    return
          '<details'
        . _attributes($settings, 'class')
        . ($settings->{open} ? ' open' : '')
        . ">\n<summary>"
        . _text(_inline($title))
        . "</summary>\n"
        . _parts($level, @parts)
        . '</details>';
}

sub _section {
    my ($level, $settings, @parts) = @_;
    my $title   = $settings->{title} // $settings->{description};
    my $heading = defined $title ? _element("h$level", $title) . "\n" : '';
    my $inner   = _parts($level + (defined $title ? 1 : 0), @parts);
    return '<section' . _attributes($settings, qw(id class label)) . ">\n$heading$inner</section>";
}

sub _block {
    my ($level, $settings, @parts) = @_;
    my $tag = $settings->{as} // 'div';
    return "<$tag" . _attributes($settings, qw(id class)) . ">\n" . _parts($level, @parts) . "</$tag>";
}

sub _list {
    my ($level, $settings, @items) = @_;
    my $list = join "\n", '<ul' . _attributes($settings, 'class') . '>',
        (map { _element('li', $_, $level) } @items),
        '</ul>';
    return defined $settings->{label} ? '<nav' . _attributes($settings, 'label') . ">\n$list\n</nav>" : $list;
}

sub _terms {
    my ($level, @terms) = @_;
    return join "\n", '<dl>',
        (map { _element('dt', $_->[0]) . _element('dd', $_->[1], $level) } @terms),
        '</dl>';
}

# An element that holds an item, or the parts of one of a list or of terms.
sub _element {
    my ($tag, $item, $level) = @_;
    my $settings = ref $item eq 'HASH' ? $item : {};
    my $inner =
        $settings->{parts} ? "\n" . _parts($level, @{ $settings->{parts} }) : _text(_inline($item));
    return "<$tag" . _attributes($settings, qw(id class title)) . ">$inner</$tag>";
}

my %ATTRIBUTE = (label => 'aria-label');

sub _attributes {
    my ($element, @names) = @_;
    my %data = map { ("data-$_" => $element->{data}{$_}) } keys %{ $element->{data} || {} };
    return join '', map { q{ } . ($ATTRIBUTE{ $_->[0] } // $_->[0]) . '="' . text($_->[1]) . '"' }
        grep { defined $_->[1] } (map { [ $_ => $element->{$_} ] } @names),
        map { [ $_ => $data{$_} ] } sort keys %data;
}

# What is within the element of an item.
sub _inline { my ($item) = @_; return ref $item eq 'HASH' && exists $item->{text} ? $item->{text} : $item }

sub _text {
    my ($text) = @_;
    return text($text) if !ref $text;
    return join '', map { _span($_) } @$text if ref $text eq 'ARRAY';
    return _span($text);
}

sub _span {
    my ($span) = @_;
    return _text($span)     if ref $span ne 'HASH';
    return '<br>'           if defined $span->{break};
    return $span->{picture} if defined $span->{picture};
    return
          '<details><summary>'
        . _text($span->{fold})
        . '</summary><ul>'
        . join('', map { _element('li', $_) } @{ $span->{points} })
        . '</ul></details>'
        if defined $span->{fold};
    my $markup = _text($span->{text});
    $markup = spaced($markup) if $span->{number};
    $markup =~ s/ /&#160;/g if $span->{unbroken};
    return '<button type="button" hidden data-opens="' . text($span->{opens}) . qq{">$markup</button>}
        if defined $span->{opens};
    my $attributes = _attributes($span, qw(id class title));
    $markup = "<$span->{as}$attributes>$markup</$span->{as}>" if defined $span->{as};
    $markup =
        '<a' . (defined $span->{as} ? '' : $attributes) . ' href="' . text($span->{link}) . qq{">$markup</a>}
        if defined $span->{link};
    return defined $span->{as} || defined $span->{link} || !length $attributes
        ? $markup
        : "<span$attributes>$markup</span>";
}

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

# Report::Render::Html::Style shows the columns `more` and `rest` only when the reader asks for them. A row
# { group => ITEM } heads the rows below it.
sub _table {
    my (undef, $t) = @_;
    my %class;
    for my $class (qw(left more rest)) {
        push @{ $class{$_} }, $class for grep { $_ } @{ $t->{$class} || [] };
    }
    my @labels =
        ($t->{class} // '') =~ /\bstacked\b/
        ? map { Touchstone::Report::Document::plain($_) } @{ $t->{head} }
        : ();
    my $row = sub {
        my ($scope, $cells) = @_;
        return
              qq{<tr class="group"><th scope="rowgroup" colspan="${\ scalar @{ $t->{head} } }">}
            . _text(_inline($cells->{group} // $cells->{gap}))
            . "</th></tr>\n"
            if ref $cells eq 'HASH';
        return '<tr>'
            . join('',
            map { _cell($cells->[$_], $class{$_}, $scope eq 'col' || !$_ ? $scope : undef, $labels[$_]) }
                0 .. $#$cells)
            . "</tr>\n";
    };
    my @bodies = ([]);
    for my $cells (@{ $t->{rows} }) {
        push @bodies,          [] if ref $cells eq 'HASH' && @{ $bodies[-1] };
        push @{ $bodies[-1] }, $row->('row', $cells);
    }
    my $caption = _text(_inline($t->{caption} // $t->{description} // ''));
    return join '', _asks_for_columns($t), '<div class="scroll"><table', _attributes($t, 'class'), ">\n",
        (length $caption ? "<caption>$caption</caption>\n" : ()), '<thead>', $row->('col', $t->{head}),
        "</thead>\n", (map { ("<tbody>\n", @$_, "</tbody>\n") } @bodies),
        (@{ $t->{foot} || [] } ? ('<tfoot>', (map { $row->('row', $_) } @{ $t->{foot} }), "</tfoot>\n") : ()),
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
    my ($cell, $classes, $scope, $label) = @_;
    my $settings = ref $cell eq 'HASH' ? $cell : {};
    my $tag      = $scope              ? 'th'  : 'td';
    my $markup   = _text(_inline($cell));
    my @classes  = ($settings->{class} // (), grep { $_ ne 'left' || length $markup } @{ $classes || [] });
    my %is       = (
        scope      => $scope,
        class      => @classes ? "@classes" : undef,
        'data-key' => $settings->{key},
        title      => $settings->{title},
        'data-is'  => $scope || !length $markup ? undef : $label
    );
    return "<$tag" . _attributes(\%is, qw(scope class data-key data-is title)) . ">$markup</$tag>";
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
