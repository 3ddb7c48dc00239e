# SPDX-License-Identifier: GPL-2.0-or-later
# Terminal::StatusLine - the line that is written over while a run goes on: how far it is, how long it still
# takes, what runs now and which test is least certain.
#
#   [====|====|==  |    |    |    ]  1:21 to 2:40 left  2 copies: shell8    least certain: context1 +- 4.2 %
#   [==|==|= |  |  |  ]  1:21-2:40 left  shell8 x 2    unsure: context1 +- 4.2 %
#   [=|=|=| | | ]  1:21-2:40 left  shell8 x 2
#   refining 2 copies: context1  +- 2.1 %, wanted +- 1.5 %  9 of 12 sure  0:47 at most
#
# A line is a hash: `kind`, and for each of its @PARTS a list of forms, the longest first. Lines of a kind
# have the same parts. Where there is no room parts become shorter, the least important first. All passes of
# a copy count use the forms that fit the widest line among them, and a part that became shorter remains so
# while the window is as wide, so that nothing jumps to and fro.
package Touchstone::Terminal::StatusLine;
use 5.014;
use strict;
use warnings;

use List::Util qw(sum min max);

use Touchstone::Base::Figure qw(part sureness);
use Touchstone::Base::Signs qw(ascii);
use Touchstone::Base::Text qw(copies named);
use Touchstone::Terminal::Bar;
use Touchstone::Terminal::Wrap;

# The parts stand in the order of @PARTS. They become shorter by one form at a time, in the order of @SHRINK.
my @PARTS  = qw(bar time now news reached least sure until);
my @SHRINK = qw(bar time now least sure bar least reached time until now bar now time bar until);

# Fewer passes tell too little about how much they vary.
my $FEWEST = 3;

# utf8 allows letters beyond ASCII.
sub new {
    my ($class, %how) = @_;
    return bless {
        utf8    => $how{utf8},
        rounds  => [],
        shrunk  => {},
        widest  => '',
        left    => 0,
        most    => 0,
        known   => {},
        over    => {},
        lost    => {},
        varying => []
    }, $class;
}

sub plan {
    my ($self, $plan) = @_;
    @$self{qw(left in_turn)} = ($plan->{seconds}, $plan->{schedule} eq 'classic');
    $self->{most} = $plan->{most};
    return;
}

# A block tells when it begins how long it may take beyond its passes; the unused part of the last block's
# time is no longer to come.
sub block {
    my ($self, $block) = @_;
    $self->{most} -= $self->{block}{beyond} if $self->{block};
    my @passes = grep { $_->{round} } @{ $block->{passes} };
    my $count  = max(0, map { $_->{round} } @passes);
    my @rounds = map { [ 0, 0 ] } 1 .. $count;
    $rounds[ $_->{round} - 1 ][1]++ for @passes;
    @$self{qw(block rounds known shrunk over lost)} = ($block, \@rounds, {}, {}, {}, {});
    $self->{widest} = (sort { length $b <=> length $a || $a cmp $b } map { $_->{test}{name} } @passes)[0]
        // '';
    my %planned;
    $planned{ $_->{test}{name} }++ for @passes;
    $self->{varying} = [ grep { $planned{$_} >= $FEWEST } sort keys %planned ];
    $self->{fullest} = $self->_fullest;
    return;
}

# Most names have no more letters, so few lines of a pass are wider than this.
my $NAME = 8;

sub _fullest {
    my ($self) = @_;
    my $line = $self->_line_of({ test => { name => $self->{widest} }, round => 1 }, $self->{block}{copies});
    return { %$line, least => [ _least_forms(substr($self->{widest}, 0, $NAME) . " +- 0.25 %") ] };
}

sub done {
    my ($self, $pass) = @_;
    return if $self->{over}{"$pass->{round} $pass->{test}{name}"}++;
    $_ = max(0, $_ - $pass->{seconds}) for @$self{qw(left most)};
    $self->{rounds}[ $pass->{round} - 1 ][0]++ if $pass->{round};
    return;
}

# A test that is lost has no passes left, so their time is no longer to come.
sub lost {
    my ($self, $name) = @_;
    $self->{lost}{$name} = 1;
    for my $pass (grep { $_->{test}{name} eq $name } @{ $self->{block}{passes} }) {
        next if $self->{over}{"$pass->{round} $name"}++;
        $_ = max(0, $_ - $pass->{seconds}) for @$self{qw(left most)};
        $self->{rounds}[ $pass->{round} - 1 ][1]-- if $pass->{round};
    }
    return;
}

sub certain {
    my ($self, $name, $sureness) = @_;
    $self->{known}{$name} = $sureness;
    return;
}

sub pass {
    my ($self, $pass, $copies) = @_;
    return $self->{line} = $self->_line_of($pass, $copies);
}

# Only the widest form tells that a pass is a warm-up. There is room for that, because no test is known yet
# to be the least certain.
sub _line_of {
    my ($self, $pass, $copies) = @_;
    my $test  = { name => $pass->{test}{name}, copies => $copies };
    my $warm  = $pass->{round} ? '' : 'warm-up of ';
    my $round = "$pass->{round}/" . max($pass->{round}, scalar @{ $self->{rounds} });

    # These blanks keep the parts behind the name in their place.
    my $blanks = ' ' x max(0, length($self->{widest}) - length $test->{name});
    return {
        kind  => 'pass',
        bar   => [ $self->_bars, $round, '' ],
        time  => [ $self->_times ],
        least => [ $self->_least ],
        now   => [ copies($copies) . ": $warm$test->{name}$blanks", named($test) . $blanks, $test->{name} ],
    };
}

sub again {
    my ($self, $pass, $copies) = @_;
    my $test  = { name => $pass->{test}{name}, copies => $copies };
    my $named = named($test);
    return $self->{line} = {
        kind => 'again',
        now  => [ copies($copies) . ": $test->{name} again, pass $pass->{round}", "$named again" ]
    };
}

sub refine {
    my ($self, %now) = @_;
    my $test = { name => $now{pass}{test}{name}, copies => $now{copies} };
    my ($reached, $wanted) = map { sureness($_) } @now{qw(reached wanted)};
    my $later = $self->{most} - $self->{block}{beyond};
    return $self->{line} = {
        kind    => 'refine',
        now     => [ 'refining ' . copies($now{copies}) . ": $test->{name}", named($test), $test->{name} ],
        reached => [ "$reached, wanted $wanted",                             $reached,     '' ],
        sure    => [ "$now{sure} of $now{tests} sure",                '' ],
        until   => [ clock($now{left} + max(0, $later)) . ' at most', clock($now{left} + max(0, $later)) ],
    };
}

# Returns the line of a pass that tells how far it is; that text comes first to the user.
sub doing {
    my ($self, $text) = @_;
    return { kind => 'doing', now => $self->{line}{now} || [''], news => [$text] };
}

# Returns "1:21", the time that the passes of the plan still take.
sub left { my ($self) = @_; return clock($self->{left}) }

sub _times {
    my ($self) = @_;
    my ($left, $most) = map { clock($self->{$_}) } qw(left most);
    return $self->{most} > $self->{left} + 1
        ? ("$left to $most left", "$left-$most left", "$most at most", $most)
        : ("$left left", $left);
}

# In the classic schedule the passes of a test follow each other, so all rounds would fill at once: they
# become one.
sub _bars {
    my ($self) = @_;
    my @rounds = @{ $self->{rounds} };
    @rounds = [
        map {
            my $i = $_;
            sum(map { $_->[$i] } @rounds)
        } 0,
        1
        ]
        if $self->{in_turn} && @rounds;
    return Touchstone::Terminal::Bar::forms(rounds => \@rounds, utf8 => $self->{utf8});
}

# Names the least certain test by the intervals if all tests have one, otherwise by the variation. It says
# nothing while tests are to come that may vary more; where each test has all its passes in a row, two tests
# are enough. Tests with fewer than $FEWEST passes in the plan do not count.
sub _least {
    my ($self) = @_;
    my @tests  = grep { !$self->{lost}{$_} } @{ $self->{varying} };
    my @begun  = grep { (($self->{known}{$_} || {})->{passes} // 0) >= $FEWEST } @tests;
    return '' if !@begun || @begun < ($self->{in_turn} ? min(2, scalar @tests) : @tests);
    my %known = map { $_ => $self->{known}{$_} } @begun;
    my $by    = (grep { !defined $_->{precision} } values %known) ? 'cv' : 'precision';
    my ($name) =
        sort { $known{$b}{$by} <=> $known{$a}{$by} || $a cmp $b }
        grep { defined $known{$_}{$by} } keys %known
        or return '';
    my $figure =
        $by eq 'cv'
        ? 'CV ' . part($known{$name}{cv})
        : sureness($known{$name}{precision});
    return _least_forms("$name $figure");
}

sub _least_forms { my ($what) = @_; return ("least certain: $what", "unsure: $what", '') }

# Fits the line into these columns. The least certain test stands last, so it can give way for once without
# moving the rest.
sub fitted {
    my ($self, $line, $columns) = @_;
    $_ and $_->{utf8} = $self->{utf8} for $line, $self->{fullest};
    my $short = \$self->{shrunk}{"$line->{kind} $columns"};
    $$short //= $line->{kind} eq 'pass' && $self->{fullest} ? _shortened($self->{fullest}, $columns, {}) : {};
    my ($fits) = grep { _fits($line, $columns, $_) } map {
        { %$$short, least => $_ }
    } ($$short->{least} // 0) .. 2;
    $fits //= $$short = _shortened($line, $columns, $$short);
    return Touchstone::Terminal::Wrap::cut(_text($line, $fits), max(0, $columns));
}

sub _fits {
    my ($line, $columns, $short) = @_;
    return Touchstone::Terminal::Wrap::columns(_text($line, $short)) <= $columns;
}

# `short` is { part => which of its forms, from 0 }.
sub _text {
    my ($line, $short) = @_;
    my @forms = map { my $forms = $line->{$_} || ['']; $forms->[ min($short->{$_} // 0, $#$forms) ] } @PARTS;
    my $text  = join('  ', grep { defined && length } @forms) =~ s/ +\z//r;
    return $line->{utf8} ? $text : ascii($text);
}

# The forms become at least as short as `from`. When a part had to go, an earlier one may have room again.
sub _shortened {
    my ($line, $columns, $from) = @_;
    my (%short, %step);
    %short = %$from;
    for my $part (@SHRINK) {
        last if _fits($line, $columns, \%short);
        my $forms = $line->{$part} || [''];
        $short{$part} = max($short{$part} // 0, min(++$step{$part}, $#$forms));
    }
    for my $part (qw(bar now)) {
        $short{$part}--
            while ($short{$part} // 0) > ($from->{$part} // 0)
            && _fits($line, $columns, { %short, $part => $short{$part} - 1 });
    }
    return \%short;
}

# Returns "1:21" or "1:02:03".
sub clock {
    my ($seconds) = @_;
    return $seconds < 3600 ? sprintf '%d:%02d', $seconds / 60, $seconds % 60 : sprintf '%d:%02d:%02d',
        $seconds / 3600, $seconds / 60 % 60, $seconds % 60;
}

1;
