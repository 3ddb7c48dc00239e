# SPDX-License-Identifier: GPL-2.0-or-later
# Report::Readings - the reports of UnixBench in a text, as Record::ClassicReader reads them: a table for each
# number of copies, and the notes.
package Touchstone::Report::Readings;
use 5.014;
use strict;
use warnings;

use Touchstone::Base::Symbols qw($DASH);
use Touchstone::Base::Text qw(copies plain_data plural);
use Touchstone::Report::Document qw(number);
use Touchstone::Report::Forms;

my %HAS = (
    document => \&_document,
    rows     => \&_rows,
    data     => sub { return { reports => $_[0] } }
);

my @COLUMNS = (
    { title => 'Test',     left => 1, cell => sub { $_[0]{title} } },
    { title => 'Score',    cell => sub { _tenths($_[0]{score}) } },
    { title => 'Unit',     left => 1, cell => sub { $_[0]{unit} } },
    { title => 'Baseline', cell => sub { _tenths($_[0]{baseline}) } },
    { title => 'Index',    cell => sub { _tenths($_[0]{index}) }, foot => sub { _tenths($_[0]{score}) } },
);
$COLUMNS[0]{foot} = sub { "$_[0]{title} Index" . ($_[0]{partial} ? ' (partial)' : '') };

# The reports of a file in a form: each { name, line, and data or why }.
sub render {
    my ($format, $readings) = @_;
    my @names = Touchstone::Report::Forms::names('readings');
    die "a report of UnixBench has no format '$format', only ", join(', ', @names), "\n"
        if !grep { $_ eq $format } @names;
    return Touchstone::Report::Forms::render($format, readings => \%HAS, $readings);
}

sub _tenths { my ($figure) = @_; return defined $figure ? number(sprintf '%.1f', $figure) : '' }

sub _document {
    my ($readings) = plain_data(@_);
    return {
        title => "$readings->[0]{name} $DASH Touchstone",
        level => 1,
        parts => [ map { _parts($_) } @$readings ]
    };
}

sub _parts {
    my ($reading) = @_;
    my $data = $reading->{data};
    return ([ heading => $reading->{name} ], [ text => "It is not read: $reading->{why}." ]) if !$data;
    return (
        [ heading => $reading->{name} ],
        [ text    => _of_system($data) ],
        (map { _of_block($_) } @{ $data->{blocks} }),
        @{ $data->{notes} } ? [ points => @{ $data->{notes} } ] : ()
    );
}

sub _of_system {
    my ($data)  = @_;
    my $system  = $data->{system};
    my %models  = map  { $_->{model} => 1 } @{ $system->{cpus} };
    my @facts   = grep { $_ ne 'unknown' } @$system{qw(name os release machine)}, sort keys %models;
    my $version = $data->{version} // ($data->{old} ? 'of a version like 4' : 'of unknown version');
    my $tool    = $version =~ /\A[0-6o]/ ? "UnixBench $version" : "Touchstone $version";
    return join ', ', $tool, @facts;
}

sub _of_block {
    my ($block) = @_;
    my @words = (copies($block->{copies}), $block->{cpus} ? plural($block->{cpus}, 'CPU') : ());
    push @words, $block->{started} // grep { defined } @$block{qw(date from)};
    return [
        table => {
            caption => join(', ', @words),
            columns => \@COLUMNS,
            rows    => $block->{tests},
            foot    => $block->{indexes}
        }
    ];
}

sub _rows {
    my ($readings) = plain_data(@_);
    my @rows = ([qw(Report Version Copies Test Score Unit Baseline Index)]);
    for my $reading (grep { $_->{data} } @$readings) {
        my @report = ($reading->{name}, $reading->{data}{version} // '');
        for my $block (@{ $reading->{data}{blocks} }) {
            push @rows,
                map { [ @report, $block->{copies}, @$_{qw(title score unit baseline index)} ] }
                @{ $block->{tests} };
            push @rows,
                map { [ @report, $block->{copies}, "$_->{title} Index", '', '', '', $_->{score} ] }
                @{ $block->{indexes} };
        }
    }
    return @rows;
}

1;
