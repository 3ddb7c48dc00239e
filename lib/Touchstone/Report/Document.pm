# SPDX-License-Identifier: GPL-2.0-or-later
# Report::Document - what a report says, apart from its form: a list of parts, which
# Report::Render::* lay out.
#
#   [ heading => ITEM ]                  in a section of a page one level lower; `level => 1`: of the page
#   [ text    => ITEM, ... ]             paragraphs
#   [ points  => ITEM, ... ]             a point may have several lines, which only text keeps
#   [ table   => { ... } ]               see below
#   [ form    => 'Vendor:  Cyrix', ... ] lines as they are, in letters of one width
#   [ command => './Run --quick' ]       a line to type
#   [ chart   => { title => 'Line', x => 'copies', y => 'seconds',
#                  lines => [ { name => 'A', points => [ [ 1, 0.5 ] ], this => 1 } ] } ]
#   [ fold    => ITEM, PART, ... ]       a page shows these parts when its reader asks; `open => 1`: at once
#   [ section => { id, title }, PART, ... ]       `says` instead of `title` is for pages only, as with tables
#   [ block   => { class, id, as => 'nav' }, PART, ... ]   parts that look different on a page
#   [ in      => 'page', PART, ... ]     parts for some forms only, by their properties in Report::Forms: a
#                                        `page`, a `plain` text, a `narrow` or a `wide` form; a sub may make
#                                        them when it comes to that
#
#   [ attached => { title, says, lines => [...], too_long } ]     lines that a program reads, with a sentence
#                                        above them; `too_long` is a form for sprintf, with the limit
#
# These are for pages only:
#
#   [ list    => { class, label }, ITEM, ... ]       items that are no sentences: boxes, links
#   [ terms   => [ ITEM, ITEM ], ... ]               terms with what belongs to them
#                                                    an item of these may be { parts => [ PART, ... ] }
#   [ picture => $markup ]                           of Report::Plot; a table beside it has its figures
#
# An ITEM is a TEXT or { text => TEXT, class => 'dim', ... }; a TEXT is a string or a list of strings and of
# spans:
#
#   { text => TEXT, as => 'b', class => 'bad', link => '#g1', title => 'where a pointer rests' }
#   { text => '29300000', number => 1 }              digits in groups of three, where that can be shown
#   { text => 'a b', unbroken => 1 }                 no line ends within it
#   { text => TEXT, brief => TEXT }                  only a page has room for the first
#   { break => '; ' }                                a new line on a page, this text elsewhere
#   { picture => $markup }                           on pages only
#   { text => 'Open all', opens => 'details.passes' }  a button for all folds of a class, on pages only
#   { fold => TEXT, points => [ ITEM, ... ] }        on a page a list that opens, elsewhere the text
#
# Items, spans, sections, blocks may have data => { score => 1 } and an id for scripts.
#
# A table has columns, each with a title and a cell for what is in a row, or heads and rows of cells:
#
#   { caption => ITEM,
#     description    => ITEM,                    on pages only: the caption, where the words before the table serve as
#                                         one elsewhere
#     columns => [ { title => ITEM, cell => sub { ITEM for $_[0] }, foot => sub { ITEM for $_[0] },
#                    left, more, rest, spare => 1, in => 'page', if => sub { is needed for all of @_ } } ],
#     rows    => [ $test, ... ],          { group => ITEM } heads those that follow it, on a page;
#                                         { gap => ITEM } stands for rows that are left out
#     foot    => [ $index, ... ],
#
#     head    => [ 'Test', 'Ratio' ],     without columns
#     rows    => [ [ 'pipe', '1.03' ] ],
#     left    => [0],                     columns that are aligned left, usually the first
#     spare   => [2],                     columns that go where no row has anything in them
#     more, rest => [...],                columns that a page shows when its reader asks for them
#
#     within  => 80,                      in text only: a wider table is continued below itself
#     class   => 'pinned' }               on pages only
#
# A cell that is sorted by something else than its text is { text, key }.
package Touchstone::Report::Document;
use 5.014;
use strict;
use warnings;

use Exporter qw(import);

use Touchstone::Base::Symbols qw($DASH);
use Touchstone::Report::Forms;

our @EXPORT_OK = qw(number plain);

my $EMPTY = qr/\A(?:-*|$DASH)\z/;

# An ITEM or TEXT without all that only pages can show.
sub plain {
    my ($text) = @_;
    return $text // '' if !ref $text;
    return join '', map { plain($_) } @$text if ref $text eq 'ARRAY';
    return '' if defined $text->{opens};
    return $text->{break} // plain($text->{fold} // $text->{brief} // $text->{text});
}

# A number as a span.
sub number { my ($number) = @_; return { text => $number, number => 1 } }

# The parts that a form has, with the tables as heads and rows.
sub for_form {
    my ($form, @parts) = @_;
    return map { _for_form($form, @$_) } @parts;
}

sub _for_form {
    my ($form, $kind, @what) = @_;
    return [ table => table($form, $what[0]) ] if $kind eq 'table';
    if ($kind eq 'in') {
        my ($readers, @parts) = @what;
        return Touchstone::Report::Forms::takes($form, $readers)
            ? for_form($form, map { ref eq 'CODE' ? $_->() : $_ } @parts)
            : ();
    }
    return [ $kind, @what ] if $kind !~ /\A(?:fold|section|block)\z/;
    my ($settings, @parts) = @what;
    return [ $kind => $settings, for_form($form, @parts) ];
}

# The same for forms without folds, sections and blocks, with plain texts.
sub flat {
    my ($form, @parts) = @_;
    return map { _flat(@$_) } for_form($form, @parts);
}

sub _flat {
    my ($kind, @what) = @_;
    return map { _flat(@$_) } @what[ 1 .. $#what ] if $kind eq 'fold' || $kind eq 'block';
    if ($kind eq 'section') {
        my ($settings, @parts) = @what;
        return ((defined $settings->{title} ? [ heading => plain($settings->{title}) ] : ()),
            map { _flat(@$_) } @parts);
    }
    return                                     if $kind =~ /\A(?:list|terms|picture)\z/;
    return [ table => _plain_table($what[0]) ] if $kind eq 'table';
    return [ $kind, $kind =~ /\A(?:chart|attached)\z/ ? @what : map { plain($_) } @what ];
}

sub _plain_table {
    my ($table) = @_;
    return {
        %$table,
        caption => defined $table->{caption} ? plain($table->{caption}) : undef,
        head    => [ map { plain($_) } @{ $table->{head} } ],
        rows    => [ map { _plain_row($table, $_) } @{ $table->{rows} }, @{ $table->{foot} || [] } ]
    };
}

sub _plain_row {
    my ($table, $row) = @_;
    return [ map { plain($_) } @$row ] if ref $row eq 'ARRAY';
    return                             if !defined $row->{gap};
    return [ plain($row->{gap}), ('...') x $#{ $table->{head} } ];
}

# A table as heads and rows, as far as this form has its columns, without spare columns that are empty.
sub table {
    my ($form, $table) = @_;
    return _needed($table->{columns} ? _of_columns($form, $table) : $table);
}

sub _of_columns {
    my ($form, $table) = @_;
    my @subjects = grep { !_is_group($_) } @{ $table->{rows} };
    my @columns =
        grep { !$_->{in} || Touchstone::Report::Forms::takes($form, $_->{in}) }
        grep { !$_->{if} || $_->{if}->(@subjects) } @{ $table->{columns} };
    my %new;
    for my $list (qw(left more rest spare)) {
        $new{$list} = [ grep { $columns[$_]{$list} } 0 .. $#columns ];
    }
    my $cells = sub {
        my ($columns, $row) = @_;
        return [ map { $_->{$columns} ? $_->{$columns}->($row) : '' } @columns ];
    };
    my %own = map { $_ => $table->{$_} } grep { exists $table->{$_} } qw(caption description within class);
    return {
        %own, %new,
        left => [ 0, grep { $_ } @{ $new{left} } ],
        head => [ map { $_->{title} } @columns ],
        rows => [ map { _is_group($_) ? $_ : $cells->(cell => $_) } @{ $table->{rows} } ],
        foot => [ map { $cells->(foot => $_) } @{ $table->{foot} || [] } ]
    };
}

sub _is_group { my ($row) = @_; return ref $row eq 'HASH' && (defined $row->{group} || defined $row->{gap}) }

sub _needed {
    my ($table) = @_;
    my @rows = grep { ref eq 'ARRAY' } @{ $table->{rows} };
    my %gone;
    for my $spare (@{ $table->{spare} || [] }) {
        $gone{$spare} = 1 if !grep { plain($_->[$spare]) !~ $EMPTY } @rows;
    }
    return $table if !%gone;
    my @kept = grep { !$gone{$_} } 0 .. $#{ $table->{head} };
    my %at   = map  { $kept[$_] => $_ } 0 .. $#kept;
    my %new;
    for my $list (grep { $table->{$_} } qw(left more rest)) {
        $new{$list} = [ grep { defined } map { $at{$_} } @{ $table->{$list} } ];
    }
    my $only = sub {
        return [ map { ref eq 'ARRAY' ? [ @$_[@kept] ] : $_ } @{ $_[0] } ];
    };
    return {
        %$table, %new,
        head => [ @{ $table->{head} }[@kept] ],
        rows => $only->($table->{rows}),
        foot => $only->($table->{foot} || [])
    };
}

# The columns that are aligned left: { 0 => 1 }.
sub left_columns {
    my ($table) = @_;
    return map { $_ => 1 } @{ $table->{left} || [0] };
}

1;
