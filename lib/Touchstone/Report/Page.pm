# SPDX-License-Identifier: GPL-2.0-or-later
# Report::Page - lays out a page as plain text, Markdown or HTML. A page is a list of parts:
#
#   [ heading => 'Comparison' ]
#   [ text    => 'one thing differs: compiler' ]
#   [ points  => 'first', 'second' ]                  a point may have several lines, which only text keeps
#   [ table   => { caption => 'Results',
#                  says    => ...,                    on pages only: the caption, where the words before the
#                                                     table serve as one elsewhere
#                  head    => [ 'Test', 'Ratio' ],
#                  rows    => [ [ 'pipe', '1.03' ] ],
#                  left    => [0],                    columns that are aligned left, usually the first
#                  spare   => [2],                    columns that go where no row has anything in them
#                  within  => 80,                     in text only: a wider table is continued below itself
#                  class, more, rest } ]              on pages only, as Report::Render::Html has them
#   [ fold    => 'All levels', PART, ... ]            a page shows these parts when its reader asks for them
#   [ form    => 'Vendor:  Cyrix', 'Model:   6x86L' ] lines as they are, in letters of one width
#   [ chart   => { title => 'Line', x => 'copies', y => 'seconds',
#                  lines => [ { name => 'A', points => [ [ 1, 0.5 ] ], this => 1 } ] } ]
#   [ picture => $markup ]                            on pages only; a table beside it has its figures
package Touchstone::Report::Page;
use 5.014;
use strict;
use warnings;

use List::Util qw(max sum);
use POSIX qw(ceil);

use Touchstone::Base::Signs qw($DASH);
use Touchstone::Base::Text qw(short width);
use Touchstone::Report::Plot::Chart;
use Touchstone::Report::Render::Html;

my %TEXT = (
    heading => sub { return ($_[0], '=' x width($_[0])) },
    text    => sub { return @_ },
    points  => sub {
        return map { '  - ' . s/\n/\n    /gr } @_;
    },
    form  => sub { return @_ },
    table => sub { return _text_table(_needed($_[0])) },
    chart => sub { return Touchstone::Report::Plot::Chart::text($_[0]) },
);
my %MARKDOWN = (
    heading => sub { return '# ' . _marked($_[0]) },
    text    => sub {
        return map { _begun($_) } @_;
    },
    points => sub {
        return map { '- ' . _begun($_) } @_;
    },
    form  => \&_fenced,
    table => sub { return _markdown_table(_needed($_[0])) },
    chart => \&_markdown_chart,
);
my %HTML = (
    heading => sub { return '<h1>' . Touchstone::Report::Render::Html::text($_[0]) . '</h1>' },
    text    => sub {
        return map { '<p>' . Touchstone::Report::Render::Html::text($_) . '</p>' } @_;
    },
    points => sub {
        return ('<ul>', (map { '<li>' . Touchstone::Report::Render::Html::text($_) . '</li>' } @_), '</ul>');
    },
    form => sub {
        return '<pre>' . join("\n", map { Touchstone::Report::Render::Html::text($_) } @_) . '</pre>';
    },
    table   => sub { return _html_table(_needed($_[0])) },
    chart   => sub { return Touchstone::Report::Plot::Chart::svg($_[0]) },
    picture => sub { return @_ },
);

sub text     { return _laid_out(\%TEXT,     @_) }
sub markdown { return _laid_out(\%MARKDOWN, @_) }

# For readers that have ASCII alone. A sign may have two letters there, which columns have to know.
sub ascii { return text(@{ _in_ascii(\@_) }) }

sub _in_ascii {
    my ($is) = @_;
    return
          ref $is eq 'ARRAY' ? [ map { _in_ascii($_) } @$is ]
        : ref $is eq 'HASH'  ? { map { $_ => _in_ascii($is->{$_}) } keys %$is }
        : defined $is        ? Touchstone::Base::Signs::ascii($is)
        :                      undef;
}

sub html {
    my ($title, @parts) = @_;
    return Touchstone::Report::Render::Html::page($title, _markup(\%HTML, @parts));
}

# Lays out parts for a page that has its own main heading, as markup: their headings are one level lower.
sub fragment {
    my (@parts) = @_;
    return _markup(
        { %HTML, heading => sub { return '<h2>' . Touchstone::Report::Render::Html::text($_[0]) . '</h2>' } },
        @parts
    );
}

sub _markup {
    my ($form, @parts) = @_;
    return join '', map { "$_\n" } map {
        my ($kind, @what) = @$_;
        $kind eq 'fold' ? _folded($form, @what) : $form->{$kind}->(@what)
    } @parts;
}

sub _folded {
    my ($form, $title, @parts) = @_;
    return Touchstone::Report::Render::Html::folded(Touchstone::Report::Render::Html::text($title),
        _markup($form, @parts)) =~ s/\n\z//r;
}

# Parts have an empty line between them.
sub _laid_out {
    my ($form, @parts) = @_;
    return join "\n", map {
        my ($kind, @what) = @$_;
        join '', map { "$_\n" } map { s/ +\z//r } $form->{$kind}->(@what)
    } grep { $form->{ $_->[0] } } _unfolded(@parts);
}

sub _unfolded {
    return map { $_->[0] eq 'fold' ? _unfolded(@$_[ 2 .. $#$_ ]) : $_ } @_;
}

my $EMPTY = qr/\A(?:-*|$DASH)\z/;

# The table without its spare columns that are empty.
sub _needed {
    my ($table) = @_;
    my %gone;
    for my $spare (@{ $table->{spare} || [] }) {
        $gone{$spare} = 1 if !grep { ($_->[$spare] // '') !~ $EMPTY } @{ $table->{rows} };
    }
    return $table if !%gone;
    my @kept = grep { !$gone{$_} } 0 .. $#{ $table->{head} };
    my %at   = map  { $kept[$_] => $_ } 0 .. $#kept;
    my %new;
    for my $list (grep { $table->{$_} } qw(left more rest)) {
        $new{$list} = [ grep { defined } map { $at{$_} } @{ $table->{$list} } ];
    }
    return {
        %$table, %new,
        head => [ @{ $table->{head} }[@kept] ],
        rows => [ map { [ @$_[@kept] ] } @{ $table->{rows} } ]
    };
}

sub _is_left {
    my ($table) = @_;
    return map { $_ => 1 } @{ $table->{left} || [0] };
}

sub _text_table {
    my ($table) = @_;
    my %left    = _is_left($table);
    my @rows    = ($table->{head}, @{ $table->{rows} });
    my @width   = map {
        my $i = $_;
        max(map { width($_->[$i] // '') } @rows)
    } 0 .. $#{ $table->{head} };
    my @lines = map {
        my @columns = @$_;
        ('', map { _text_row($_, \@width, \%left, @columns) } @rows)
    } _pieces($table, @width);
    return length($table->{caption} // '') ? ($table->{caption}, @lines) : @lines[ 1 .. $#lines ];
}

sub _text_row {
    my ($row, $width, $left, @columns) = @_;
    return '  ' . join '  ', map { _padded($row->[$_] // '', $width->[$_], !$left->{$_}) } @columns;
}

# Returns the columns of each piece of a table, with those that are aligned left in front: no more pieces than
# needed, and each about as long as the others.
sub _pieces {
    my ($table, @width) = @_;
    my $most   = $table->{within} or return [ 0 .. $#width ];
    my %left   = _is_left($table);
    my @always = grep { $left{$_} } 0 .. $#width;
    my @others = grep { !$left{$_} } 0 .. $#width;
    my $room   = $most - sum(0, map { 2 + $width[$_] } @always);
    for my $many (1 .. @others) {
        my @pieces = _dealt($many, @others);
        next if grep {
            $room < sum(map { 2 + $width[$_] } @$_)
        } @pieces;
        return map { [ @always, @$_ ] } @pieces;
    }
    return map { [ @always, $_ ] } @others;
}

# Deals columns out to so many pieces, in their order.
sub _dealt {
    my ($many, @columns) = @_;
    return map { [ splice @columns, 0, ceil(@columns / ($many - $_ + 1)) ] } 1 .. $many;
}

sub _padded {
    my ($text, $width, $right) = @_;
    my $blanks = ' ' x ($width - width($text));
    return $right ? $blanks . $text : $text . $blanks;
}

sub _markdown_table {
    my ($table) = @_;
    my @lines = map {
        '| ' . join(' | ', map { _marked(($_ // '') =~ s/ +\z//r) } @$_) . ' |'
    } $table->{head}, @{ $table->{rows} };
    my %left = _is_left($table);
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
    qr/-----(?=BEGIN|END)/,                  # edges of a block of Touchstone::Record::Block
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
sub _begun {
    my ($text) = @_;
    $text = _marked($text) =~ s/\A +//r;
    $text =~ s/\A(?=[-+=])/\\/;
    $text =~ s/\A(\d{1,9})(?=[.)])/$1\\/a;
    return $text;
}

# A chart of letters needs letters of one width.
sub _markdown_chart {
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

sub _html_table {
    my ($table) = @_;
    my $cells = sub {
        return [ map { Touchstone::Report::Render::Html::text($_) } @{ $_[0] } ];
    };
    return Touchstone::Report::Render::Html::table(
        map({ $_ => $table->{$_} } qw(left class more rest)),
        caption => Touchstone::Report::Render::Html::text($table->{caption} // $table->{says} // ''),
        head    => $cells->($table->{head}),
        rows    => [ map { $cells->($_) } @{ $table->{rows} } ]
    );
}

1;
