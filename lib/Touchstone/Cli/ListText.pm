# SPDX-License-Identifier: GPL-2.0-or-later
# Cli::ListText - tests and groups as text, as wide as the terminal:
#
#   The index, which ./Run measures: 12 tests, 45 s with one copy
#
#     dhry2reg          Dhrystone 2 using register variables            7 s
#     dc                Dc: sqrt(2) to 99 decimal places               14 s
#                     ! 'dc' is not installed; install the package dc
#
# A line that begins with exactly two blanks begins with the name of a test or a group.
package Touchstone::Cli::ListText;
use 5.014;
use strict;
use warnings;

use List::Util qw(min);

use Touchstone::Base::Symbols qw($TIMES);
use Touchstone::Base::Text qw(plural);
use Touchstone::Base::Time qw(duration);
use Touchstone::Cli::List;

# Where nothing is known of who reads it, a list has $USUAL columns; it has never more than $WIDEST. One of
# less than $NARROW has no room beside a name.
my ($USUAL, $WIDEST, $NARROW) = (80, 100, 60);

# Columns of names, and of times and marks at the right.
my ($NAME, $TIME, $MARK) = (17, 11, 5);

# A group and its other name take more. A title has no more than $TITLE, so that its time is not far away.
my ($NAMES, $TITLE) = (20, 46);

# The words that mean every group and the stored runs.
our ($GROUPS, $RUNS) = qw(groups runs);

# The text for these words, or a short one for none. `terminal` is a Terminal, `command` what somebody types.
# Dies with a message about an unknown word.
sub text {
    my ($catalogue, $terminal, $command, @words) = @_;
    my $width = min($terminal->columns // $USUAL, $WIDEST);
    my $self  = bless {
        catalogue => $catalogue,
        command   => $command,
        width     => $width,
        narrow    => $width < $NARROW,
        times     => $terminal->fit($TIMES),
        fit       => sub { $terminal->fit(@_) },
        paint     => sub { $terminal->painted(@_) }
        },
        __PACKAGE__;
    my @parts = map { [ $self->_part($_) ] } @words;
    @parts = $self->_short if !@words;
    push @parts, [ $self->_wrapped('No program is built yet: the first run does that.') ]
        if $catalogue->is_unbuilt;
    return join "\n", map {
        join '',
            map { "$_\n" }
            @$_
    } @parts;
}

# The parts of the short list.
sub _short {
    my ($self)    = @_;
    my $catalogue = $self->{catalogue};
    my $default   = $catalogue->suite->default;
    my @parts;
    if (defined $default->{group}) {
        my @tests = $catalogue->named($default->{group});
        push @parts,
            [
            $self->_heading(
                "\u$default->{group}: what $self->{command} measures without names",
                $self->_how_much(@tests)
            ),
            map { $self->_row($_) } @tests
            ];
    }
    my (@whole, @others);
    push @{ $self->_is_whole($_) ? \@whole : \@others }, $_ for $catalogue->groups;
    @others = grep { $_->{names}[0] ne ($default->{group} // '') } @others;
    push @parts, [ $self->_heading('More to measure'), map { $self->_group($_) } @whole ];
    push @parts, [ $self->_wrapped('Groups: ' . join ', ', map { join '=', @{ $_->{names} } } @others) ];
    push @parts,
        [
        map { $self->_wrapped($_) } "$self->{command} list NAME    a test, a group or a suite",
        "$self->{command} list $GROUPS  every group, with its tests",
        "$self->{command} list $Touchstone::Cli::List::ALL     every test of every suite"
        ];
    return @parts;
}

# True of a group with all tests of a suite, or with a text of its own.
sub _is_whole {
    my ($self, $group) = @_;
    my $suite = $self->{catalogue}->suite;
    return scalar grep { $suite->{suites}{$_} || defined $suite->{called}{$_} } @{ $group->{names} };
}

sub _part {
    my ($self, $word) = @_;
    my $catalogue = $self->{catalogue};
    return ($self->_heading('Groups'), map { $self->_group($_) } $catalogue->groups) if $word eq $GROUPS;
    return $self->_every if $word eq $Touchstone::Cli::List::ALL;
    my @tests = $catalogue->named($word);
    return $self->_test(@tests) if @tests == 1 && $tests[0]{name} eq $word;
    return ($self->_heading("$word: " . _number(@tests), $self->_how_much(@tests)),
        $self->_explained(@tests));
}

# Tests with what they do, and those of the index marked where there are others.
sub _explained {
    my ($self, @tests) = @_;
    my $mark = grep({ _indexes($_) } @tests) && grep { !_indexes($_) } @tests;
    return map { ($self->_row($_, $mark), $self->_below($_->{about})) } @tests;
}

# Every test, by category.
sub _every {
    my ($self) = @_;
    my @lines;
    for my $category ($self->{catalogue}->suite->categories) {
        my ($key, $title) = @$category;
        my @tests = grep { $_->{category} eq $key } $self->{catalogue}->tests;
        push @lines, @lines ? '' : (), $self->_heading("$title (suite $tests[0]{suite})"),
            $self->_explained(@tests);
    }
    my $same = $self->{catalogue}->suite->{called}{$Touchstone::Cli::List::ALL} // return @lines;
    return (
        $self->_wrapped("$self->{command} $Touchstone::Cli::List::ALL measures $same, not of every suite."),
        '', @lines);
}

sub _number { return plural(scalar @_, 'test') }

# "45 s with one copy"
sub _how_much {
    my ($self, @tests) = @_;
    return _duration($self->{catalogue}->time_of(@tests)) . ' with one copy';
}

sub _duration {
    my ($time) = @_;
    my $text   = $time->{seconds} > 0 ? duration($time->{seconds}) : undef;
    return $time->{open} ? defined $text ? "> $text" : 'varies' : $text;
}

sub _heading {
    my ($self, @texts) = @_;
    return ((map { $self->{paint}->(strong => $_) } $self->_wrapped(join ', ', @texts)), '');
}

sub _wrapped {
    my ($self, $text) = @_;
    return Touchstone::Base::Text::wrapped($text, width => $self->{width}, hang => ' ' x 4);
}

# A text below a name, which has so many columns.
sub _below {
    my ($self, $text, $columns) = @_;
    my $hang = ' ' x ($self->{narrow} ? 6 : ($columns // $NAME) + 3);
    return Touchstone::Base::Text::wrapped($text, width => $self->{width}, first => $hang, hang => $hang);
}

# A line of a name, which has so many columns, a text, and what stands at the right, or several lines where
# that does not fit.
sub _line {
    my ($self, $name, $text, $right, $columns) = @_;
    return ("  $name", $self->_below($text), $self->_below($right =~ s{\A +| +\z}{}gr)) if $self->{narrow};
    $columns //= $NAME;
    my $room  = $self->_room($right, $columns);
    my @texts = Touchstone::Base::Text::wrapped($text, width => $room);
    my $fits  = length $name <= $columns;
    return (
        $fits ? () : "  $name",
        sprintf("  %-${columns}s %-${room}s %s", $fits ? $name : '', shift @texts, $right) =~ s/ +\z//r,
        map { $self->_below($_, $columns) } @texts
    );
}

sub _room {
    my ($self, $right, $columns) = @_;
    return $self->{width} - 6 if $self->{narrow};
    my $room = $self->{width} - $columns - 4 - length $right;
    return $columns == $NAME ? min($room, $TITLE) : $room;
}

# Pages call a test so; the text report has its title.
sub _label { my ($test) = @_; return $test->{label} // $test->{title} }

# The indexes that a test is part of: a suite has one for a category, or several of its own.
sub _indexes {
    my ($test) = @_;
    my %seen;
    return grep { !$seen{$_}++ } $test->{index} ? $test->{heading} : (),
        map { $_->{title} } @{ $test->{indexes} || [] };
}

sub _row {
    my ($self, $test, $mark) = @_;
    my $lacks = $self->{catalogue}->lacks($test);
    my $right = sprintf "%${TIME}s", _duration($self->{catalogue}->time_of($test));
    $right .= sprintf " %-${MARK}s", _indexes($test) ? 'index' : '' if $mark;
    return ($self->_line($test->{name}, _label($test), $right),
        defined $lacks ? map({ $self->{paint}->(doubt => $_) } $self->_below("! $lacks")) : ());
}

# A group with its tests, as many as fit into its line.
sub _group {
    my ($self, $group) = @_;
    my @tests   = @{ $group->{tests} };
    my ($text)  = grep { defined } map { $self->{catalogue}->suite->{called}{$_} } @{ $group->{names} };
    my $lacking = grep { defined $self->{catalogue}->lacks($_) } @tests;
    my $right   = sprintf "%${TIME}s", _duration($self->{catalogue}->time_of(@tests));
    my $first   = _number(@tests) . ($lacking ? ", $lacking unavailable" : '') . ': ';
    my $room    = $self->_room($right, $NAMES) - length $first;
    return $self->_line(
        join(' = ', @{ $group->{names} }),
        $first . ($text // _some($room, map { $_->{name} } @tests)),
        $right, $NAMES
    );
}

# As many of these words as have room.
sub _some {
    my ($room, @words) = @_;
    my $some = shift @words;
    while (@words) {
        my $more = "$some $words[0]";
        last if length($more) + (@words > 1 ? 4 : 0) > $room;
        ($some) = ($more, shift @words);
    }
    return @words ? "$some ..." : $some;
}

# A row with what an operation of a test costs, if a run of this machine has it.
sub _costs {
    my ($self, $result, $run, $copies) = @_;
    return if !$result;
    require Touchstone::Report::Run::Cost;
    my $text = Touchstone::Report::Run::Cost::sentence($result);
    return [ costs => $self->{fit}->($text) . " ($run" . ($copies > 1 ? ", $copies copies" : '') . ')' ];
}

# All that is known of a test.
sub _test {
    my ($self, $test) = @_;
    my $catalogue = $self->{catalogue};
    my ($passes, $window) = $catalogue->passes_of($test);
    my $time  = $catalogue->time_of($test);
    my $lacks = $catalogue->lacks($test);
    my @rows  = (
        [ measures => $test->{about} ],
        [ title    => $test->{title} ],
        [ suite    => "$test->{suite}, $test->{heading}" ],
        [ index    => join(', ', _indexes($test)) || 'none' ],
        [
            time => $time->{open}
            ? 'as long as it takes'
            : _duration($time) . sprintf ' with one copy: %d %s %.3g s and a warm-up',
            $passes, $self->{times}, $window
        ],
        [ groups => join ', ', $catalogue->groups_of($test) ],
        $self->_costs($catalogue->cost_of($test)),
        [ here => defined $lacks ? "! $lacks" : $catalogue->is_unbuilt ? 'not built yet' : 'ready' ],
        [ run  => "$self->{command} $test->{name}" ],
    );
    return (
        $self->_heading("$test->{name} - " . _label($test)),
        map {
            my ($what, $text) = @$_;
            Touchstone::Base::Text::wrapped(
                $text,
                width => $self->{width},
                first => sprintf('   %-9s ', $what),
                hang  => ' ' x 13
            )
        } @rows
    );
}

1;
