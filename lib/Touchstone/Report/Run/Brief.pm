# SPDX-License-Identifier: GPL-2.0-or-later
# Report::Run::Brief - a run for an issue, a forum or a page of documentation: a summary of at most ten lines,
# all figures, what else was wrong, and folded at the end the run itself (Touchstone::Record::PasteBlock):
#
#   # vm: System Benchmarks Index 1782 +-0.6 %
#
#   - System Benchmarks Index, 1 copy: 1782 +-0.6 % (1771 to 1793)
#   - Machine: 2 x AMD EPYC 9R14, 24 GB, KVM guest, Linux 6.18.44, gcc 12.2.0 -O3
#   - Below: 3 notes: locale, load-average, passes
#
#   | Test | Index | Score | 95 % interval | CV | Passes |
#   |---|---:|---:|---:|---:|---:|
#   | Pipe throughput | 2773 | 3.45 M lps | +-0.4 % | 0.5 % | 6 |
package Touchstone::Report::Run::Brief;
use 5.014;
use strict;
use warnings;

use Touchstone::Base::Figure qw(shown plus_minus);
use Touchstone::Base::Symbols qw($DASH);
use Touchstone::Base::Text qw(copies plural);
use Touchstone::Record::PasteBlock;
use Touchstone::Record;
use Touchstone::Report::PublishedResults;
use Touchstone::Report::Columns;
use Touchstone::Report::SpeedupText;
use Touchstone::Report::Groups;
use Touchstone::Report::Host;
use Touchstone::Report::Model;
use Touchstone::Report::Price;
use Touchstone::Report::Tails;
use Touchstone::Report::Undisturbed;
use Touchstone::Suite;
use Touchstone::Report::Run::Warnings;

# The summary has so many lines below the title, of which so many are for copy counts.
my ($LINES, $COUNTS) = (9, 2);

sub parts {
    my ($model) = @_;
    my ($summary, @below) = _summary($model);
    return (
        [ heading => _title($model) ],
        [ points  => @$summary ],
        Touchstone::Report::Groups::parts($model),
        (map { _tables($model, $_) } @{ $model->{blocks} }),
        Touchstone::Report::Tails::parts($model),
        (@below ? [ points => @below ] : ()),
        (
            defined $model->{repeats}
            ? ([ text => 'This command repeats the run:' ], [ command => $model->{repeats} ])
            : ()
        ),
        Touchstone::Report::PublishedResults::parts($model, markup => 1)
    );
}

# The raw data of the run, or why they are not here.
sub attached {
    my ($facts, $results) = @_;
    my $block = Touchstone::Record::PasteBlock::block(Touchstone::Record::document($facts, $results));
    return [ text => "Not here: $block->{why}" ] if !defined $block->{text};
    return [
        attached => {
            title       => 'Raw data of this run',
            description =>
                'This block contains the raw data of the run. It is not needed to read the report, and can be '
                . 'left out. From a file with this block, Run can make every report, and compare other runs '
                . 'with it: ./Run report FILE.',
            lines    => [ split /\n/, $block->{text} ],
            too_long => 'Not here: the block would be longer than the %d characters that a GitHub '
                . "issue allows. Attach the record of the run, results/.runs/$facts->{name}.json"
        }
    ];
}

# The host with what was measured, in a few words.
sub _title {
    my ($model) = @_;
    my ($line)  = map { Touchstone::Report::Model::indexes($_) } @{ $model->{blocks} };
    my $state =
          $model->{invalid} ? 'not valid'
        : $line             ? Touchstone::Report::Model::name_of_index($line) . ' ' . _figure($line)
        :                     _scores($model);
    return "$model->{host}{name}: $state";
}

sub _scores {
    my ($model) = @_;
    my $measured = Touchstone::Report::Model::measured($model);
    return Touchstone::Report::Model::scores($model) ? "$measured, no overall index" : $measured;
}

# ([ the lines of the summary ], what it has no room for)
sub _summary {
    my ($model) = @_;
    my $invalid = $model->{invalid};
    my @lines   = (
        ($invalid                     ? _not_valid($invalid) : ()),
        (defined $model->{unfinished} ? $model->{unfinished} : ()),
        _indexes($model),
        (map { ucfirst } Touchstone::Report::Price::sentences($model)),
        Touchstone::Report::PublishedResults::headlines($model),
        'Machine: ' . join(', ', Touchstone::Report::Host::facts($model)),
        (map { ucfirst } Touchstone::Report::Host::comparable($model)),
        join(', ',
            "Touchstone $model->{version}",
            $model->{name},
            grep { length } join ' ',
            @{ $model->{when} })
    );
    my $notes = Touchstone::Report::Run::Warnings::by_weight($model);
    my @grave = map { _notes($_) } @{ $notes->{grave} };
    my @light = map { @{ $_->{ids} } } @{ $notes->{light} };
    my $room  = $LINES - @lines;
    $room-- if @light || @grave > $room;
    $room = 0 if $room < 0;
    my @more  = @grave > $room ? splice @grave, $room : ();
    my @below = (
        @more  ? @more . ' more' : (),
        @light ? plural(scalar @light, 'note') . ': ' . join ', ',
        @light : ()
    );
    push @lines, @grave, @below ? 'Below: ' . join '; ', @below : ();
    return (\@lines, @{ $model->{unlike} || [] }, @more, map { _notes($_) } @{ $notes->{light} });
}

sub _not_valid {
    my ($invalid) = @_;
    return 'Not valid: ' . join '; ', map { Touchstone::Report::Run::Warnings::without_log($_) }
        grep { defined } @$invalid{qw(text remedy)};
}

# A line for each copy count, of many for the fewest and the most.
sub _indexes {
    my ($model) = @_;
    my @blocks = grep { Touchstone::Report::Model::indexes($_) } @{ $model->{blocks} };
    @blocks = @blocks[ 0, -1 ] if @blocks > $COUNTS;
    my $invalid = $model->{invalid} ? " $DASH not valid" : '';
    return map { (_of_copies($_, Touchstone::Report::Model::indexes($_)) . $invalid, _lost($_)) } @blocks;
}

# What disturbances took of the first index of a copy count.
sub _lost {
    my ($block) = @_;
    my ($line)  = Touchstone::Report::Model::indexes($block);
    my $text    = Touchstone::Report::Undisturbed::of_index($line);
    return defined $text ? copies($block->{count}) . ": $text" : ();
}

# "System Benchmarks Index, 2 copies: 3390 +-0.6 % (3370 to 3410), 1.90 x one copy"; several indexes share a
# line.
sub _of_copies {
    my ($block, @lines) = @_;
    my ($line,  @more)  = @lines;
    my $copies = copies($block->{count});
    return "$copies: " . join '; ',
        map { Touchstone::Report::Model::name_of_index($_) . ' ' . _figure($_) } @lines
        if @more;
    my @limits = map { shown($_, $line->{interval}) } @{ $line->{interval} || [] };
    my $range =
        @limits ? " ($limits[0] $DASH $limits[1])" : ', ' . Touchstone::Report::Model::no_interval_of($block);
    return
          Touchstone::Report::Model::name_of_index($line)
        . ", $copies: "
        . _figure($line)
        . $range
        . (defined $line->{gained} ? ', ' . Touchstone::Report::SpeedupText::over_first($line) : '');
}

sub _figure {
    my ($line) = @_;
    return join ' ', shown(@$line{qw(score interval places)}),
        $line->{interval} ? plus_minus($line->{precision}) : ();
}

# What was wrong, with its remedy.
sub _notes {
    my ($group) = @_;
    my $remedy = defined $group->{remedy} ? "; $group->{remedy}" : '';
    return map { "$group->{kind}: $_$remedy" } @{ $group->{texts} };
}

sub _tables {
    my ($model, $block) = @_;
    my @tests   = Touchstone::Suite::arranged(sub { $_[0]{name} }, @{ $block->{tests} });
    my @indexes = Touchstone::Report::Model::indexes($block);
    return if !@tests && @{ $block->{verdict_tests} || [] } && !@{ $block->{below_resolution} };
    my %differs =
        map { $_->{name} => 1 } map { @{ $_->{rows} } } grep { !$_->{is_index} } @{ $block->{tables} };
    my $test = {
        title => 'Test',
        cell  => \&Touchstone::Suite::label,
        foot  => sub { $_[0]{label} }
    };
    my $text = $model->{invalid} ? "not valid $DASH " : q();
    return map { [ table => $_ ] } {
        caption => "$text$block->{date} $block->{from}, $block->{copies}",
        columns => [ $test, Touchstone::Report::Columns::of_markdown() ],
        rows    => [
            map {
                { %$_, lacks_overlap => $differs{ $_->{name} } }
            } @tests
        ],
        foot => \@indexes
        },
        Touchstone::Report::Columns::fixed_work($block);
}

1;
