# SPDX-License-Identifier: GPL-2.0-or-later
# Pack::Place::Command - the command place: where a stored run, a pasted report or an index stands among
# published results, or among results of one's own. Records also tell how fast machines of the same kind are
# in each test: a pack that can judge that has a module Alike with
#
#   path($set, $places)     the path of a set that has a name
#   judged(set => DIR, run => 'web7', places => those of Base::Directories), or nothing without any record:
#   { status, file => of the run, sentences, parts, columns, rows, data => for JSON }
package Touchstone::Pack::Place::Command;
use 5.014;
use strict;
use warnings;

use Touchstone::Base::Directories;
use Touchstone::Base::Symbols qw($DASH);
use Touchstone::Base::Text qw(plain short);
use Touchstone::Base::Trouble qw(or_refuse refuse);
use Touchstone::Cli::Output;
use Touchstone::Compare::Run;
use Touchstone::Pack::Place::Parts;
use Touchstone::Pack::Place::Phrases qw(brief heading);
use Touchstone::Pack::Place::Position;
use Touchstone::Pack::Place::References;
use Touchstone::Pack::Place::Strip;
use Touchstone::Pack::Place::Subject;
use Touchstone::Pack::Place::Table;
use Touchstone::Record;
use Touchstone::Report::Forms;
use Touchstone::Score;
use Touchstone::Suite;
use Touchstone::Terminal;

# The columns of a text without a terminal, the characters of a name, and the files that a report lists.
my ($COLUMNS, $LETTERS, $FILES) = (110, 60, 5);
my $NOTHING = 125;

my $NUMBER = qr/\A\d{1,9}(?:\.\d{1,6})?\z/a;

sub run {
    my ($options, %at) = @_;
    my $places = Touchstone::Base::Directories::find($at{base});
    my $found  = eval {
        my $those = _found($options, $places);
        _append($options->{'append-to'}, $those) if defined $options->{'append-to'};
        _say($options->{format} // 'text', $those);
        $those;
    };
    die Touchstone::Base::Trouble::of_judge($@) if !$found;
    return $found->{alike} ? $found->{alike}{status} : @{ $found->{placed} } ? 0 : $NOTHING;
}

# { name, entries => those of the run, references, alike?, positions, placed => those with others }
sub _found {
    my ($options, $places) = @_;
    my ($operand) = @{ $options->{operands} };
    my @sets = @{ $options->{among} || [] };
    @sets = @sets ? map { _path($_, $places) } @sets : $Touchstone::Pack::Place::References::NAME;
    my @read = map {
        my $set = $_;
        or_refuse(sub { Touchstone::Pack::Place::References::read($set) })
    } @sets;
    my $alike   = @sets == 1 && $read[0]{records} ? _alike($sets[0], $operand, $places) : undef;
    my @entries = or_refuse(sub { _entries($operand, $options, $places, $alike) });
    my %all     = (
        name    => join(', ', map { $_->{name} } @read),
        entries => [ map { @{ $_->{entries} } } @read ],
        damaged => [ map { @{ $_->{damaged} } } @read ]
    );
    my @positions = map { Touchstone::Pack::Place::Position::of($_, $all{entries}) } @entries;
    refuse("'$sets[0]' holds no result of all twelve tests of the index\n")
        if !$alike && !@{ $all{entries} };
    return {
        name       => $entries[0] ? $entries[0]{name} : $operand // '',
        entries    => \@entries,
        references => \%all,
        alike      => $alike,
        positions  => \@positions,
        placed     => [ grep { $_->{of} } @positions ]
    };
}

sub _judge { return (values %{ Touchstone::Suite::packages('Alike') })[0] }

# A set may have a name that the pack knows.
sub _path {
    my ($set, $places) = @_;
    my $package = _judge();
    return $package && !-e $set ? $package->can('path')->($set, $places) : $set;
}

sub _alike {
    my ($set, $run, $places) = @_;
    my $package = _judge() or return;
    return $package->can('judged')->(set => $set, run => $run, places => $places);
}

# The results of the run; what the pack of machines found may be one of the references.
sub _entries {
    my ($operand, $options, $places, $alike) = @_;
    my @entries = eval { _entries_of($operand, $options, $places) };
    my $why     = $@;
    return @entries if @entries || !$why && $alike;
    die $why        if !$alike;
    return eval { _entries_of($alike->{file}, $options, $places) };
}

sub _entries_of {
    my ($operand, $options, $places) = @_;
    my $copies = ($options->{copies} || [])->[0];
    if (defined $operand && $operand =~ $NUMBER && !-e $operand) {
        die "an index is above 0, not '$operand'\n" if $operand <= 0;
        return {
            name    => 'an index',
            machine => '',
            cpu     => '',
            copies  => $copies // 1,
            index   => 0 + $operand
        };
    }
    my @entries = _entries_of_run($operand, $places->{runs});
    die 'there is no index of all twelve tests', _in($operand), "\n" if !@entries;
    return @entries if !defined $copies;
    my @wanted = grep { $_->{copies} == $copies } @entries;
    die "there is no index with $copies copies", _in($operand), "\n" if !@wanted;
    return @wanted;
}

sub _in { my ($operand) = @_; return defined $operand ? " in '" . plain($operand) . "'" : '' }

sub _entries_of_run {
    my ($operand, $directory) = @_;
    if (!defined $operand) {
        my $facts = Touchstone::Record->newest($directory, sub { 1 })
            // die "no stored run in '$directory'\ntry: ./Run place RUN, or ./Run place INDEX\n";
        return Touchstone::Pack::Place::Subject::of_record($facts, Touchstone::Score::scores($facts));
    }
    my $facts = eval { Touchstone::Record->load($operand, $directory) };
    return Touchstone::Pack::Place::Subject::of_record($facts, Touchstone::Score::scores($facts)) if $facts;
    my $titles = Touchstone::Suite::load()->titles;
    my @runs   = Touchstone::Compare::Run::load_each($operand, $directory, $titles);
    return map { Touchstone::Pack::Place::Subject::of_run($_) } @runs;
}

sub _append {
    my ($file, $found) = @_;
    my @rows = map { $_->{scores} ? Touchstone::Pack::Place::Subject::row($_) : () } @{ $found->{entries} };
    refuse("only runs can be appended to '$file', not a bare index\n") if !@rows;
    return or_refuse(sub { Touchstone::Pack::Place::Table::append($file, @rows); 1 });
}

sub _say {
    my ($format, $found) = @_;
    my $terminal = Touchstone::Terminal->detect(\*STDOUT);
    my %has      = (
        document => sub { return { ascii => !$terminal->is_utf8, %{ _document($found) } } },
        rows     => sub { return _rows($found) },
        data     => sub { return _data($found) }
    );
    my $text = Touchstone::Report::Forms::render($format, place => \%has);
    return Touchstone::Cli::Output::say($text) if $format ne 'text';

    # The answer is a line if there are no columns, so that a script can take the first.
    my ($answer, $rest) = $text =~ /\A(.*?\n)(.*)\z/s;
    return Touchstone::Cli::Output::say(
        Touchstone::Cli::Output::wrapped($answer) . Touchstone::Cli::Output::wrapped($rest, $COLUMNS));
}

sub _sentences {
    my ($found) = @_;
    return @{ $found->{alike}{sentences} } if $found->{alike};
    my @positions = @{ $found->{positions} };

    # A text may have several reports.
    my @names = map { short(plain($_->{name} // $found->{name}), $LETTERS) } @{ $found->{entries} };
    return map {
        "$names[$_], " . heading($positions[$_]) . ': ' . brief($positions[$_], $found->{references}{name})
    } 0 .. $#positions;
}

sub _document {
    my ($found) = @_;
    my ($first, @others) = _sentences($found);
    my $references = $found->{references};
    my @parts      = (
        Touchstone::Pack::Place::Parts::of_positions($references, @{ $found->{positions} }),
        _damaged(@{ $references->{damaged} })
    );
    @parts = (@{ $found->{alike}{parts} }, @parts ? ([ heading => 'Indexes' ], @parts) : ())
        if $found->{alike};
    my $is_bad = $found->{alike} && $found->{alike}{status} == 1;
    my %title  = (text => $first, class => $is_bad ? 'bad' : undef);
    return {
        title => short(plain($found->{name}), $LETTERS) . " among others $DASH Touchstone",
        style => Touchstone::Pack::Place::Parts::css() . ($found->{alike} ? $found->{alike}{style} : ''),
        parts => [
            [ in => 'narrow', [ text => $first, @others ], @parts ],
            [ in => 'page',   [ text => { text => 'Touchstone: a result among others', class => 'when' } ] ],
            [
                in => 'wide',
                [
                    section => { title => \%title },
                    $found->{alike} && @others ? [ text => @others ] : (), @parts
                ]
            ]
        ]
    };
}

sub _damaged {
    my (@damaged) = @_;
    return if !@damaged;
    my @named = map { "cannot be read: $_->{file}: $_->{why}" } @damaged;
    my $more  = @named - $FILES;
    splice @named, $FILES, $more, "and $more more that cannot be read" if $more > 0;
    return [ points => @named ];
}

my @COLUMNS = qw(what name copies suite below of percentile low high);

sub _rows {
    my ($found)   = @_;
    my @of_alike  = $found->{alike} ? @{ $found->{alike}{rows} }    : ();
    my @columns   = $found->{alike} ? @{ $found->{alike}{columns} } : @COLUMNS;
    my @positions = map {
        my $position = $_;
        my @percents = map { defined $_ ? $_ / 100 : '' } $position->{percent},
            @{ $position->{percents} || [ undef, undef ] };
        my %row;
        @row{@COLUMNS} =
            ('place', 'index', $position->{copies}, 'unixbench', @$position{qw(below of)}, @percents);
        [ map { $row{$_} // '' } @columns ]
    } @{ $found->{placed} };
    return (\@columns, @of_alike, @positions);
}

sub _data {
    my ($found) = @_;
    return {
        $found->{alike}
        ? %{ $found->{alike}{data} }
        : (name => $found->{name}, damaged => $found->{references}{damaged}),
        references => $found->{references}{name},
        positions  => $found->{positions}
    };
}

1;
