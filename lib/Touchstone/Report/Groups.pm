# SPDX-License-Identifier: GPL-2.0-or-later
# Report::Groups - the parts of an index, which stand between it and the single tests, and the indexes that
# stand for themselves beside one with parts:
#
#   parts of index (modern)       1 copy    2 copies
#     compute                899 ±0.32 %  1781 ±0.2 %
#     memory                 518 ±0.31 %   849 ±0.3 %
#   index (modern-durable), 1 copy: 1156 ±0.49 % (1149 to 1163), of ext4 on /dev/vda1 (/tmp)
package Touchstone::Report::Groups;
use 5.014;
use strict;
use warnings;

use List::Util qw(max);

use Touchstone::Base::Figure qw(figure index_score report_index shown plus_minus);
use Touchstone::Base::Symbols qw($DASH);
use Touchstone::Base::Text qw(copies width);
use Touchstone::Report::SpeedupText;
use Touchstone::Report::Host;
use Touchstone::Report::Model;
use Touchstone::Report::Run::Results;

# A line has room for so many copy counts: of more it shows the fewest and the most.
my $COUNTS = 3;

# A page with more copy counts than these has columns and bars of the fewest and the most alone. The scale of
# bars reaches at least so far down and up from the reference.
my $COLUMNS = 4;
my @REACH   = (0.5, 2.3);

# The parts of each index of a run:
#
#   [ { whole  => the line of the index,
#       blocks => [ those that have it ],
#       rows   => [ { label => 'Compute', lines => [ a line of the model for each block, or undef ] } ] } ]
sub build_groups {
    my ($model) = @_;
    my (%whole, @order);
    for my $block (@{ $model->{blocks} }) {
        my %of;
        push @{ $of{ $_->{part_of} } }, $_ for Touchstone::Report::Model::groups($block);
        for my $line (grep { $of{ $_->{key} // q{} } } Touchstone::Report::Model::indexes($block)) {
            my $whole = $whole{ $line->{key} } //= { whole => $line, blocks => [], rows => [] };
            push @order,                $whole if !@{ $whole->{blocks} };
            push @{ $whole->{blocks} }, $block;
            _put($whole->{rows}, $#{ $whole->{blocks} }, $_) for @{ $of{ $line->{key} } };
        }
    }
    return @order;
}

sub _put {
    my ($rows, $place, $line) = @_;
    my ($row) = grep { $_->{key} eq $line->{key} } @$rows;
    push @$rows, $row = { key => $line->{key}, label => $line->{short}, lines => [] } if !$row;
    $row->{lines}[$place] = $line;
    return;
}

# Aligned lines for a terminal and its text.
sub lines {
    my ($model) = @_;
    return map { _lines($_) } build_groups($model);
}

sub _lines {
    my ($group) = @_;
    my @places  = _places($group);
    my @rows    = (
        [ "parts of $group->{whole}{name}", map { copies($group->{blocks}[$_]{count}) } @places ],
        map {
            my $row = $_;
            [ "  \l$row->{label}" . _incomplete($row), map { _figure($row->{lines}[$_]) } @places ]
        } @{ $group->{rows} }
    );
    my @wide = map {
        my $column = $_;
        max(map { width($_->[$column]) } @rows)
    } 0 .. @places;
    return map {
        my ($name, @cells) = @$_;
        join '  ', $name . ' ' x ($wide[0] - width($name)),
            map { ' ' x ($wide[ $_ + 1 ] - width($cells[$_])) . $cells[$_] }
            0 .. $#cells
    } @rows;
}

sub _places {
    my ($group) = @_;
    my @places = 0 .. $#{ $group->{blocks} };
    return @places > $COUNTS ? @places[ 0, -1 ] : @places;
}

# Says of a group that not all of its tests were measured.
sub _incomplete {
    my ($row)     = @_;
    my ($partial) = grep { $_ && $_->{partial} } @{ $row->{lines} };
    return $partial ? " ($partial->{part})" : '';
}

sub _figure {
    my ($line) = @_;
    return $DASH if !$line;
    return join ' ', report_index($line), $line->{interval} ? plus_minus($line->{precision}) : ();
}

# A table for each index with parts, and what stands for itself, for Report::Document. A page has the parts as
# bars, which show how far each is from the reference, all on one scale.
sub parts {
    my ($model) = @_;
    my @phrases = (consistency($model), asides($model, \&Touchstone::Report::Model::name_of_index));
    return (
        (
            map {
                [
                    block => { class => $model->{invalid} ? 'invalid' : undef },
                    [ table => _table($model, $_) ]
                ]
            } build_groups($model)
        ),
        @phrases
        ? (
            [ in => 'plain', [ points => @phrases ] ],
            [ in => 'page',  [ text   => map { { text => ucfirst() . '.', class => 'aside' } } @phrases ] ]
            )
        : ()
    );
}

sub _table {
    my ($model, $group) = @_;
    my $title   = Touchstone::Report::Model::name_of_index({ %{ $group->{whole} }, partial => 0 });
    my $invalid = $model->{invalid} ? " $DASH not valid" : '';
    my @rows    = map {
        {
            %$_, lines => [ map { _with_index($_) } @{ $_->{lines} } ]
        }
    } @{ $group->{rows} };
    return {
        class   => 'results parts pinned',
        caption => "Parts of the $title$invalid",
        columns => [ _columns_of_page($group, @rows), _columns($group) ],
        rows    => \@rows
    };
}

# The line of an index with what Report::Run::Results has of a test.
sub _with_index {
    my ($line) = @_;
    return $line
        && {
        %$line,
        index          => $line->{score},
        index_interval => $line->{interval},
        shown          => shown(@$line{qw(score interval places)})
        };
}

sub _columns {
    my ($group) = @_;
    my @forms = (in => 'plain');
    return (
        { title => 'Part', cell => sub { $_[0]{label} . _incomplete($_[0]) }, @forms },
        map {
            my $place = $_;
            my $cell  = sub {
                my ($shown) = @_;
                return sub { my $line = $_[0]{lines}[$place]; return $line ? $shown->($line) : $DASH };
            };
            (
                { title => copies($group->{blocks}[$place]{count}), cell => $cell->(\&index_score), @forms },
                { title => '95 % interval',                         cell => $cell->(\&_limits),     @forms }
            )
        } 0 .. $#{ $group->{blocks} }
    );
}

sub _columns_of_page {
    my ($group, @rows) = @_;
    my @places = 0 .. $#{ $group->{blocks} };
    @places = @places[ 0, -1 ] if @places > $COLUMNS;
    my @counts = map { $_->{count} } @{ $group->{blocks} };
    my $base   = $group->{whole}{base};
    my $panel  = Touchstone::Report::Run::Results::with_scale(
        { base => $base, places => \@places, counts => \@counts },
        (map { { index => $_ * $base } } @REACH),
        grep { $_ } map { @{ $_->{lines} }[@places] } @rows
    );
    return map {
        { %$_, in => 'page' }
    } {
        title => Touchstone::Report::Run::Results::bars_head($panel, 'Part'),
        cell  => sub {
            my ($row)     = @_;
            my ($partial) = grep { $_ && $_->{partial} } @{ $row->{lines} };
            my $note      = $partial ? [ ' ', { text => $partial->{part}, as => 'small' } ] : '';
            return Touchstone::Report::Run::Results::bars_cell(
                $panel,
                { text => [ $row->{label}, $note ] },
                @{ $row->{lines} }[@places]
            );
        }
        },
        (
        map {
            my $place = $_;
            my $cell  = sub { Touchstone::Report::Run::Results::index_cell($_[0]{lines}[$place], 1) };
            { title => copies($counts[$place]), cell => $cell }
        } @places
        ),
        @places > 1
        ? { title => 'Speed-up', more => 1, cell => sub { _gained($_[0]{lines}[ $places[-1] ]) } }
        : ();
}

sub _gained {
    my ($line) = @_;
    return $DASH if !$line || !defined $line->{gained};
    return Touchstone::Report::SpeedupText::over_first($line) =~ s/ (?:one copy|\d+ copies)\z//ar;
}

sub _limits {
    my ($line) = @_;
    return $DASH if !$line->{interval};
    return join ' to ', map { figure($_, $line->{interval}) } @{ $line->{interval} };
}

# A sentence for each index that stands for itself at each copy count, with the volume that it measured.
# `called` gives its name.
sub asides {
    my ($model, $label) = @_;
    my $volume  = Touchstone::Report::Host::volume($model);
    my $invalid = Touchstone::Report::Model::not_valid($model);
    my @blocks  = grep { Touchstone::Report::Model::asides($_) } @{ $model->{blocks} };
    @blocks = @blocks[ 0, -1 ] if @blocks > $COUNTS;
    return map {
        my $block = $_;
        map {
            my $limits  = $_->{interval}       ? ' (' . _limits($_) . ')'                               : '';
            my $speedup = defined $_->{gained} ? ', ' . Touchstone::Report::SpeedupText::over_first($_) : '';
            my $suffix  = defined $_->{place} && defined $volume ? ", of $volume"                       : '';
            $label->($_) . ', '
                . copies($block->{count}) . ': '
                . _figure($_)
                . "$limits$speedup$suffix$invalid"
        } Touchstone::Report::Model::asides($block)
    } @blocks;
}

# How evenly the machine does what is always the same, in a sentence.
sub consistency {
    my ($model) = @_;
    my @phrases;
    for my $block (@{ $model->{blocks} }) {
        push @phrases,
            map { [ copies($block->{count}), sprintf('%.0f %%', $_->{consistency}), _steady($block, $_) ] }
            grep { defined $_->{consistency} } Touchstone::Report::Model::indexes($block);
    }
    my ($first, @more) = @phrases > $COUNTS ? @phrases[ 0, -1 ] : @phrases;
    return if !$first;
    my ($copies, $consistency, $tests) = @$first;
    my $suffix = @more ? " with $copies" : '';
    return join ', ',
        "5 % of 10 ms slices ran below $consistency of the median speed$suffix",
        map({ "$_->[1] with $_->[0]" } @more),
        "in the $tests" . Touchstone::Report::Model::not_valid($model);
}

# "compute and memory tests"
sub _steady {
    my ($block, $line) = @_;
    my @parts = map { lcfirst $_->{short} }
        grep { defined $_->{consistency} && $_->{part_of} eq $line->{key} }
        Touchstone::Report::Model::groups($block);
    return (@parts ? join ' and ', @parts : lcfirst $line->{title}) . ' tests';
}

# The indexes of a block with parts, for the log.
sub of_log {
    my ($block) = @_;
    return if !Touchstone::Report::Model::groups($block);
    return map {
        my $line   = $_;
        my $limits = $line->{interval} ? ', ' . _limits($line) : '';
        my $consistency =
            defined $line->{consistency}
            ? sprintf ', consistency %.0f of 100', $line->{consistency}
            : '';
        (($line->{role} // '') eq 'part' ? '  ' : '')
            . "$line->{label}: "
            . _figure($line)
            . "$limits$consistency"
        } map { $_->($block) } \&Touchstone::Report::Model::indexes, \&Touchstone::Report::Model::groups,
        \&Touchstone::Report::Model::asides;
}

1;
