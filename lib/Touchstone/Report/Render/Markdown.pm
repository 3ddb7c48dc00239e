# SPDX-License-Identifier: GPL-2.0-or-later
# Report::Render::Markdown - a document as Markdown. Texts may be a stranger's: they stay texts.
package Touchstone::Report::Render::Markdown;
use 5.014;
use strict;
use warnings;

use List::Util qw(max);

use Touchstone::Base::Text qw(short);
use Touchstone::Report::Document;
use Touchstone::Report::Plot::Chart;

# An issue takes this many letters.
my $MOST = 65_536;

my %LINES = (
    heading => sub { return '# ' . _marked($_[0]) },
    text    => sub {
        return map { _capitalised($_) } @_;
    },
    points => sub {
        return map { '- ' . _capitalised($_) } @_;
    },
    form     => \&_fenced,
    command  => \&_fenced,
    table    => \&_table,
    chart    => \&_chart,
    attached => \&_attached,
);

# A document. What is attached must fit into an issue, because a part of it is worth nothing.
sub document {
    my ($document) = @_;
    my @parts      = Touchstone::Report::Document::flat('markdown', @{ $document->{parts} });
    my $whole      = _rendered(@parts);
    return $whole if length $whole <= $MOST;
    return _rendered(map { $_->[0] eq 'attached' ? [ text => sprintf $_->[1]{too_long}, $MOST ] : $_ }
            @parts);
}

sub render { my (@parts) = @_; return _rendered(Touchstone::Report::Document::flat('markdown', @parts)) }

# Parts have an empty line between them.
sub _rendered {
    my (@parts) = @_;
    return join "\n", map {
        my ($kind, @what) = @$_;
        join '', map { "$_\n" } map { s/ +\z//r } $LINES{$kind}->(@what)
    } @parts;
}

# A fold; a forum that has none shows two marks, and the lines can be read back all the same.
sub _attached {
    my ($file) = @_;
    return (
        '<details>', "<summary>$file->{title}</summary>",
        '',          _capitalised($file->{description}),
        '',          _fenced(@{ $file->{lines} }),
        '',          '</details>'
    );
}

sub _table {
    my ($table) = @_;
    my @lines = map {
        '| ' . join(' | ', map { _marked(($_ // '') =~ s/ +\z//r) } @$_) . ' |'
    } $table->{head}, @{ $table->{rows} };
    my %left = Touchstone::Report::Document::left_columns($table);
    my $rule = '|' . join '', map { $left{$_} ? '---|' : '---:|' } 0 .. $#{ $table->{head} };
    return ((length($table->{caption} // '') ? ('**' . _marked($table->{caption}) . '**', '') : ()),
        $lines[0], $rule, @lines[ 1 .. $#lines ]);
}

# Texts may be a stranger's. Marks of Markdown, of HTML in it and of mathematics are escaped. Forums look for
# further marks in the finished page, where an escape is gone: these get a letter without width, which ends a
# name, a number or an address.
my $LONGEST = 1000;
my $NOTHING = "\xe2\x81\xa0";
my $DOMAIN =
    qr/(?:[a-z]{2}|biz|com|edu|gov|net|org|pro|web|xxx|aero|asia|coop|ddd|info|museum|name|onion|shop|xn--[a-z0-9-]+)(?![a-z0-9])|[\x80-\xff]/ai;
my @SOUGHT = (
    qr/-----(?=BEGIN|END)/,                  # edges of a block of Touchstone::Record::PasteBlock
    qr/\@(?=[\w\x80-\xff])/a, qr/\#(?=[\w\x80-\xff])/a, qr/[!\$%&~^](?=[\d"])/a,
    qr/\bGH-(?=\d)/ai,                       # people, issues, tags and the like
    qr{/(?=/)}, qr/\b(?:mailto|xmpp|tel):(?=[^ ])/ai, qr/\bwww(?=\.)/ai,
    qr/(?<=[\w\x80-\xff])\.(?=$DOMAIN)/a,    # addresses
    qr/\[(?=[\w\/*])/a, qr/:(?=(?:[-+]1|100|1234|\w*[a-z]\w*):)/ai,    # BBCode, emoji
);

# Most cells of a table are words and figures in which there is nothing to escape.
my $TAME = qr/\A(?!.*(?:\bGH-|-----))(?:[A-Za-z0-9,;()+?=-]|[.](?![A-Za-z])| (?! ))*\z/is;

sub _marked {
    my ($text) = @_;
    return $text if length $text < $LONGEST && $text =~ $TAME;
    $text = short($text, $LONGEST);
    for my $sought (@SOUGHT) { $text =~ s/($sought)/$1$NOTHING/g }
    $text =~ s/([\\`*_{}\[\]<>|#&~\$])/\\$1/g;
    $text =~ s/\s+/ /ga;
    return $text;
}

# Makes a text fit for the beginning of a line: it is no item of a list, no rule below a heading, and no
# code.
sub _capitalised {
    my ($text) = @_;
    $text = _marked($text) =~ s/\A +//r;
    $text =~ s/\A(?=[-+=])/\\/;
    $text =~ s/\A(\d{1,9})(?=[.)])/$1\\/a;
    return $text;
}

# A chart of letters needs letters of one width.
sub _chart {
    my ($chart) = @_;
    my @lines = Touchstone::Report::Plot::Chart::text({ %$chart, title => undef });
    return ((length($chart->{title} // '') ? ('**' . _marked($chart->{title}) . '**', '') : ()),
        _fenced(@lines));
}

# The fence is longer than any row of backquotes in the lines, so no name can end the block.
sub _fenced {
    my (@lines) = @_;
    my $fence = '`' x max(3, map { 1 + length } map { /(`+)/g } @lines);
    return ($fence, @lines, $fence);
}

1;
