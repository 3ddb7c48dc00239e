# SPDX-License-Identifier: GPL-2.0-or-later
# Suite::Published - reads a table of results that others have published, to put a run beside them. The first
# line names the columns, and each further line is a row:
#
#   machine,system,pipe_real,dread_real
#   VAX-11/780,4.1 BSD,3.2,8.0
#   Masscomp,Sys III+,5.7,
#
# Nothing between two commas means that a figure is not available. What articles say beside their tables is in
# pgms/SUITE.notes: lines of KEY: TEXT. All else here makes parts of a document, as suites show such tables.
package Touchstone::Suite::Published;
use 5.014;
use strict;
use warnings;

use Carp qw(croak);
use Exporter qw(import);
use File::Spec ();

use Touchstone::Base::Text qw(plain short);
use Touchstone::Base::Untrusted qw(as_hashes as_number);

our @EXPORT_OK = qw(@NARROW @WIDE $THIS $UNKNOWN brief columns fitted lines notes table together usable);
our ($UNKNOWN, $THIS) = ('---', 'this machine');

# Parts and columns for the forms that have no room for wide tables, and for the one that has.
our @NARROW = (in => 'plain');
our @WIDE   = (in => 'page');

my ($HOME) = File::Spec->rel2abs(__FILE__) =~ m{(.*)/lib/Touchstone/}s;

# A figure outside of these limits is no measurement.
my @MEASURED = (1e-15, 1e15);
my $NUMBER   = qr/\d{1,15}(?:\.\d{1,15})?/a;

# Returns the rows in the order of the file, { column => text }, without a key for what is not available.
# Dies naming file and line.
#
#   text       columns of words, which together name a row; all others hold numbers
#   notes      columns of words that may be empty
#   numbers    columns of numbers that must be there
sub load {
    my ($file, %with) = @_;
    my @text = @{ $with{text} || [] } or croak 'no column that names a row';
    my %note = map { $_ => 1 } @{ $with{notes} || [] };
    open my $in, '<:raw', $file or die "cannot open published results '$file': $!\n";
    die "cannot read published results '$file': it is a directory\n" if -d $in;
    my @lines = map { s/\r?\n\z//r } <$in>;
    close $in or die "cannot read published results '$file': $!\n";
    my ($line, @rows, %seen) = (1);
    my $wrong   = sub { die "'$file' line $line: $_[0]\n" };
    my $columns = _columns(shift @lines, $wrong, @text, sort(keys %note), @{ $with{numbers} || [] });

    for my $fields (@lines) {
        $line++;
        my $row  = _row($fields, $columns, $wrong, \%note, @text);
        my $name = join ',', @$row{@text};
        $wrong->("'$name' appears twice, expected once") if $seen{$name}++;
        push @rows, $row;
    }
    $line++;
    $wrong->('no row, expected at least one below the header') if !@rows;
    return \@rows;
}

sub _columns {
    my ($header, $wrong, @needed) = @_;
    my @columns = split /,/, $header // '', -1;
    my %seen;
    for my $column (@columns) {
        $wrong->('not a header, expected column names made of a to z, A to Z, 0 to 9 and _')
            if $column !~ /\A\w{1,100}\z/a;
        $wrong->("column '$column' appears twice, expected once") if $seen{$column}++;
    }
    for my $column (@needed) {
        $wrong->("no column '$column', expected a header with " . join ', ', @needed) if !$seen{$column};
    }
    return \@columns;
}

sub _row {
    my ($line, $columns, $wrong, $is_note, @text) = @_;
    my @fields = split /,/, $line, -1;
    $wrong->(@fields . ' fields, expected ' . @$columns) if @fields != @$columns;
    my (%row, %is_text);
    $is_text{$_}    = 1 for @text;
    @row{@$columns} = @fields;
    for my $column (@$columns) {
        my $field = $row{$column};
        if ($field eq '' && !$is_text{$column}) {
            delete $row{$column};
        } elsif ($is_text{$column} || $is_note->{$column}) {
            $wrong->("no $column, expected a name") if $field !~ /\S/a;
            $wrong->("$column is not printable or has a quote, expected plain text")
                if $field =~ /"/ || plain($field) ne $field;
        } elsif ($field !~ /\A$NUMBER\z/) {
            $wrong->( "$column is not a number: '"
                    . short(plain($field), 40)
                    . "', expected one like 3.2, or nothing");
        }
    }
    return \%row;
}

# Returns { test => figure } for a machine, from a suite's table in a record, which may be a stranger's. The
# column of a test has its name, with _ for -.
sub figures {
    my ($record, $table, $machine) = @_;
    my @rows   = as_hashes(($record->{published} || {})->{$table});
    my ($row)  = grep { ($_->{machine} // '') eq $machine } @rows or return {};
    my %figure = map { tr/_/-/r => as_number($row->{$_}, @MEASURED) } keys %$row;
    return { map { $_ => $figure{$_} } grep { defined $figure{$_} } keys %figure };
}

# Returns { key => [texts] }: what the notes of a suite say.
my %notes;

sub notes {
    my ($suite) = @_;
    return $notes{$suite} if $notes{$suite};
    my $file = "$HOME/pgms/$suite.notes";
    open my $in, '<:raw', $file or die "cannot open '$file': $!\n";
    my %texts;
    for my $line (<$in>) {
        my ($key, $text) = $line =~ m{\A([^#:]+): (.*)$}m or next;
        push @{ $texts{$key} }, $text;
    }
    return $notes{$suite} = \%texts;
}

# Returns a table of rows. A column is [title, key of its cell or a function of the row, what else Document
# knows of columns].
sub table {
    my ($caption, $columns, $rows, %more) = @_;
    my @columns = map {
        my ($title, $cell, %of) = @$_;
        +{ title => $title, cell => ref $cell ? $cell : sub { $_[0]{$cell} // $UNKNOWN }, %of }
    } @$columns;
    return [ table => { caption => $caption, columns => \@columns, rows => $rows, %more } ];
}

# Returns columns of such a table, whose cells are of a function of the row and the title, or of what stands
# beside the title: [title, key].
sub columns {
    my ($cell, @titles) = @_;
    return map {
        my ($title, $key) = ref eq 'ARRAY' ? @$_ : ($_, $_);
        [ $title => sub { $cell->($_[0], $key) } ]
    } @titles;
}

# Returns words of others, which terminals cut.
sub brief { my ($text, $most) = @_; return { text => $text, brief => short($text, $most) } }

# Breaks a text into lines where there is no page to do it.
sub lines {
    my ($text, $most) = @_;
    return { text => $text, brief => Touchstone::Base::Text::folded($text, $most) };
}

# The same for all texts and points of parts: { text => how many letters, points }.
sub fitted {
    my ($room, @parts) = @_;
    return map {
        my ($kind,  @what)  = @$_;
        my ($first, @inner) = @what;
              $kind =~ /\A(?:fold|in)\z/ ? [ $kind, $first, fitted($room, @inner) ]
            : $room->{$kind} ? [ $kind, map { ref ? $_ : lines($_, $room->{$kind}) } @what ]
            : $_
    } @parts;
}

# Says what seconds are of several copies.
sub together {
    my ($copies) = @_;
    return if $copies == 1;
    return [
        text => "With $copies concurrent copies: seconds per unit, for the units of all copies together" ];
}

sub usable {
    my ($cpus) = @_;
    return
          !defined $cpus ? 'the number of usable CPUs is unknown'
        : $cpus == 1     ? 'there is 1 usable CPU'
        :                  "there are $cpus usable CPUs";
}

1;
