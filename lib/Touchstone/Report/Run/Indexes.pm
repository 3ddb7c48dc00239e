# SPDX-License-Identifier: GPL-2.0-or-later
# Report::Run::Indexes - the indexes of a run, a card for each copy count, and how to read them:
#
#   System Benchmarks Index - single copy    System Benchmarks Index - 2 copies (one per CPU)
#   1315 +-0.4 %                             2510 +-0.6 %
#   95 % interval: 1310 - 1321               95 % interval: 2495 - 2525
#                                            1.91 x one copy
#   Higher is better. 10 = SPARCstation 20-61 (1995). The interval covers these minutes only; another day
#   may differ.
package Touchstone::Report::Run::Indexes;
use 5.014;
use strict;
use warnings;

use Touchstone::Base::Figure qw(shown plus_minus);
use Touchstone::Base::Symbols qw($DASH $DOT);
use Touchstone::Base::Text qw(copies);
use Touchstone::Report::PublishedResults;
use Touchstone::Report::Document qw(number);
use Touchstone::Report::SpeedupText;
use Touchstone::Report::Model;
use Touchstone::Report::Price;
use Touchstone::Report::Undisturbed;
use Touchstone::Suite;

# A run with more copy counts than these has cards of the fewest, of one per CPU, and of the most.
my $CARDS = 4;

sub parts {
    my ($model) = @_;
    my @blocks = grep { Touchstone::Report::Model::indexes($_) } @{ $model->{blocks} };
    return (
        @blocks ? _cards($model, @blocks) : _without($model),
        map { [ text => ucfirst s/[^.]\K\z/./r ] } Touchstone::Report::Price::sentences($model),
        Touchstone::Report::PublishedResults::headlines(_without_own_index($model, @blocks))
    );
}

sub _cards {
    my ($model, @blocks) = @_;
    my @shown =
        @blocks > $CARDS
        ? ($blocks[0], (grep { _is_one_each($model, $_->{count}) } @blocks[ 1 .. $#blocks - 1 ]), $blocks[-1])
        : @blocks;
    return (
        [ list => { class => 'cards' }, map { _card($model, $_) } @shown ],
        [ text => { text  => _how_to_read($model, @blocks), class => 'dim' } ]
    );
}

sub _card {
    my ($model, $block) = @_;
    my @lines   = Touchstone::Report::Model::indexes($block);
    my $several = @lines > 1;
    return {
        class => $several ? 'several' : undef,
        parts => [
            [
                text => {
                    text => join(" $DOT ",
                        ($several ? () : Touchstone::Report::Model::name_of_index($lines[0])),
                        _copies($model, $block->{count})),
                    class => 'name'
                }
            ],
            map { [ block => {}, [ text => _figure($model, $block, $_, $several) ] ] } @lines
        ]
    };
}

# Returns "Single copy", "2 copies (one per CPU)".
sub _copies {
    my ($model, $count) = @_;
    return 'Single copy' if $count == 1;
    return copies($count) . (_is_one_each($model, $count) ? ' (one per CPU)' : '');
}

sub _is_one_each { my ($model, $count) = @_; return $count == $model->{host}{online_cpus} }

sub _figure {
    my ($model, $block, $line, $several) = @_;
    my $value =
        { %{ number(shown(@$line{qw(score interval places)})) }, as => $model->{invalid} ? 's' : 'b' };
    my $after =
          $model->{invalid}          ? { text => 'not valid', class => 'not-valid' }
        : defined $line->{precision} ? plus_minus($line->{precision})
        :                              '';
    my @name   = $several                       ? Touchstone::Report::Model::name_of_index($line) : ();
    my @limits = $line->{interval} || !$several ? _limits($block, $line)                          : ();
    return (
        { text => [ $value, ' ', $after ], class => 'figure' },
        map { { text => $_, class => 'dim' } }[ @name, (@name && @limits ? " $DOT " : ()), @limits ],
        defined $line->{gained} ? Touchstone::Report::SpeedupText::over_first($line) : (),
        _disturbances($line)
    );
}

sub _limits {
    my ($block, $line)  = @_;
    my ($from,  @shown) = map { number(shown($_, $line->{interval})) } @{ $line->{interval} || [] };
    return $from
        ? [ '95 % interval: ', $from, " $DASH ", @shown ]
        : Touchstone::Report::Model::no_interval_of($block);
}

# The cost of interference, or if slices do not show it, the index of the undisturbed passes.
sub _disturbances {
    my ($line) = @_;
    my $text = Touchstone::Report::Undisturbed::of_index($line);
    return defined $text ? ucfirst $text : _undisturbed($line);
}

# What the index is without the passes that were disturbed, where that is outside its interval.
sub _undisturbed {
    my ($line) = @_;
    my ($clean, $interval) = @$line{qw(clean_score interval)};
    return if !defined $clean;
    return if $interval && $clean >= $interval->[0] && $clean <= $interval->[1];
    my ($all, $shown) = map { shown($_, @$line{qw(interval places)}) } $line->{score}, $clean;
    return $all eq $shown ? () : "Undisturbed passes only: $shown";
}

sub _how_to_read {
    my ($model, @blocks) = @_;
    my @lines = map  { Touchstone::Report::Model::indexes($_) } @blocks;
    my @sure  = grep { $_->{interval} } @lines;
    my $reach =
          @sure            ? 'The interval covers these minutes only; another day may differ.'
        : @lines > @blocks ? ucfirst(Touchstone::Report::Model::no_interval_of($blocks[0])) . '.'
        :                    '';
    return join ' ', grep { length } 'Higher is better.', _references($model, @lines), $reach;
}

# Returns "10 = SPARCstation 20-61 (1995)." for each reference, those of several with the names of their
# indexes.
sub _references {
    my ($model, @lines) = @_;
    my $other = _other_reference($model, @lines);
    my (%of, @order);
    for my $line (@lines) {
        my $text = "$line->{base} = " . _reference($line->{reference} // $other);
        push @order, $text if !$of{$text};
        $of{$text}{ $line->{title} } //= keys %{ $of{$text} };
    }
    return map {
        my $titles = $of{$_};
        @order == 1
            ? "$_."
            : "$_ ("
            . join(', ', sort { $titles->{$a} <=> $titles->{$b} } keys %$titles) . ').'
    } @order;
}

# A record of several suites names all references in one fact. The one that is left when all others are known
# is that of the index without one.
sub _other_reference {
    my ($model, @lines) = @_;
    my %known = map  { $_ => 1 } grep { defined } map { $_->{reference} } @lines;
    my @left  = grep { !$known{$_} } split /, /, $model->{baseline} // '';
    return @left == 1 ? $left[0] : undef;
}

sub _reference {
    my ($name) = @_;
    return 'the reference' if !defined $name;
    my $machine = Touchstone::Suite::load()->machine($name);
    return defined $machine ? $machine =~ s/\Aan? //r : "the run $name";
}

# The model without the suites whose own index has said already what their headline would say.
sub _without_own_index {
    my ($model, @blocks) = @_;
    my %published = %{ $model->{published} };
    for my $block (@blocks) {
        for my $line (Touchstone::Report::Model::indexes($block)) {
            my ($suite) = $line->{name} =~ /\Aindex \((.*)\)\z/s;
            delete $published{$suite}
                if $published{ $suite // '' } && ($published{$suite}{copies} // 0) == $block->{count};
        }
    }
    return { %$model, published => \%published };
}

sub _without {
    my ($model) = @_;
    my $scores = Touchstone::Report::Model::scores($model);
    return if !$scores && Touchstone::Report::Model::verdicts($model);
    my $text =
          $scores == 0 ? 'Nothing was measured.'
        : $scores == 1 ? '1 test, which does not belong to an index.'
        :                "$scores tests. This run has no overall index.";
    return [ text => { text => $text, class => 'lead' } ];
}

1;
