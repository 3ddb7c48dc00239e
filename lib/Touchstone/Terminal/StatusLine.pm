# SPDX-License-Identifier: GPL-2.0-or-later
# Terminal::StatusLine - the line that is written over while a run goes on: how far all of it is, how long it
# still takes, what runs now, and where no table stands below it, the index so far and the noisiest test.
#
#   ━━━━━━━━━━╸─────────  51 %  3:10 left (4:20 at most)  2 copies: shell8
#   ━━━━━╸────  51 %  3:10 left  shell8 × 2  index ~1080 so far
#   ━━━━━━━━━━━━━━━╸────  81 %  0:40 left (0:47 at most)  2 copies: context1 again  10/12 at ±1.5 %
#   building 23 of 61
#
# A line is a hash: `kind`, and for each of its @PARTS a list of forms, the longest first. Where there is no
# room parts become shorter, the least important first. All lines of a kind use the forms that fit the widest
# of them, and a part that became shorter remains so while the window is as wide, so that nothing jumps to and
# fro.
package Touchstone::Terminal::StatusLine;
use 5.014;
use strict;
use warnings;

use List::Util qw(max min);

use Touchstone::Base::Figure qw(plus_minus);
use Touchstone::Base::Symbols qw($TIMES);
use Touchstone::Base::Text qw(copies);
use Touchstone::Base::Time qw(clock);

# The parts stand in the order of @PARTS. They become shorter by one form at a time, in the order of @SHRINK.
my @PARTS  = qw(bar share time now news reached index noisy);
my @SHRINK = qw(now bar noisy bar time noisy bar index reached now time reached share index time bar now);

# It is made with terminal; time, a Terminal::Remaining; and figures, a Terminal::Figures.
sub new {
    my ($class, %with) = @_;
    return bless { %with, shrunk => {}, widest => '' }, $class;
}

sub block {
    my ($self, $block) = @_;
    my @names = map { $_->{test}{name} } @{ $block->{passes} };
    @$self{qw(copies shrunk)} = ($block->{copies}, {});
    $self->{widest} = (sort { length $b <=> length $a || $a cmp $b } @names)[0] // '';
    return;
}

# A pass of the rounds. The blanks keep the parts behind the name in their place. Only the widest form tells
# that a pass is a warm-up.
sub pass {
    my ($self, $pass) = @_;
    my $name = $pass->{test}{name};
    return $self->_line('pass', $name, $pass->{round} ? '' : ' warms up');
}

# A pass beyond the rounds; `now` is what Progress was told.
sub refine {
    my ($self, %now) = @_;
    my $line = $self->_line('refine', $now{pass}{test}{name}, ' again');
    my $goal = plus_minus($now{wanted}) =~ s/\.0(?= %)//r;
    $line->{reached} = [ "$now{reached}/$now{tests} at $goal", "$now{reached}/$now{tests}", '' ];
    return $line;
}

sub decide {
    my ($self, %now) = @_;
    my $line = $self->_line('refine', $now{pass}{test}{name}, ' again');
    $line->{reached} = [ "$now{decided}/$now{tests} decided", "$now{decided}/$now{tests}", '' ];
    return $line;
}

sub again { my ($self, $pass) = @_; return $self->_line('refine', $pass->{test}{name}, ' again') }

sub _line {
    my ($self, $kind, $name, $how) = @_;
    my $blanks = ' ' x max(0, length($self->{widest}) - length $name);
    return $self->{line} = {
        kind  => $kind,
        bar   => [ bar_forms($self->{time}->share, utf8 => $self->{terminal}->is_utf8), '' ],
        share => [ sprintf('%2d %%', 100 * $self->{time}->share),                       '' ],
        time  => [ $self->_times ],
        now   => [ $self->_now($name, $how, $blanks) ],
        index => [ $self->_index ],
        noisy => [ $self->_noisy ]
    };
}

sub _now {
    my ($self, $name, $how, $blanks) = @_;
    return ((map { copies($self->{copies}) . ": $name$_$blanks" } $how, ''),
        "$name $TIMES $self->{copies}$blanks");
}

# Returns the line of a pass that tells how far it is; that text comes first to the user.
sub doing {
    my ($self, $text) = @_;
    my $line = $self->{line} || {};
    return {
        kind => 'doing',
        bar => [ @{ $line->{bar} || [''] }[ -2, -1 ] ],
        (map { $_ => $line->{$_} || [''] } qw(share now)), news => [$text]
    };
}

# A line for what is not a pass: { text, done, all }. The bar is that of the work, where it can be counted.
sub stage {
    my ($self, $stage) = @_;
    my ($done, $all)   = @$stage{qw(done all)};
    my @bar = $all ? bar_forms($done / $all, utf8 => $self->{terminal}->is_utf8) : ();
    return { kind => 'stage', bar => [ @bar, '' ], now => [ $stage->{text} ] };
}

# Returns "1:21", the time that the run is expected to take still.
sub left { my ($self) = @_; return clock($self->{time}->left) }

sub _times {
    my ($self) = @_;
    my ($left, $most) = map { clock($self->{time}->$_) } qw(left most);
    return $left ne $most
        ? ("$left left ($most at most)", "$left-$most left", "$left left", $left)
        : (("$left left") x 3, $left);
}

sub _index {
    my ($self) = @_;
    my $index  = $self->{figures}->index_of($self->{copies}) or return '';
    my $about  = sprintf '%.' . ($index->{score} < 100 ? 1 : 0) . 'f', $index->{score};
    return ("index ~$about so far", "index ~$about", '');
}

sub _noisy {
    my ($self) = @_;
    my ($name, $figure) = $self->{figures}->noisiest or return '';
    return ("noisiest: $name $figure", "noisy: $name $figure", '');
}

# Fits the line into these columns. `below`: a table stands below it and has the figures. The noisiest test
# stands last, so it can give way for once without moving the rest.
sub fitted {
    my ($self, $line, $columns, $below) = @_;
    my $kept  = "$line->{kind} $columns " . ($below ? 1 : 0);
    my %shown = (%$line, $below ? (index => [''], noisy => ['']) : ());
    my $short = \$self->{shrunk}{$kept};
    $$short //= $self->_shortened($self->_fullest(\%shown, $below), $columns, {});
    my ($fits) = grep { $self->_fits(\%shown, $columns, $_) } map {
        { %$$short, noisy => $_ }
    } ($$short->{noisy} // 0) .. 2;
    $fits //= $$short = $self->_shortened(\%shown, $columns, $$short);
    return Touchstone::Base::Text::cut_off($self->_text(\%shown, $fits), max(0, $columns));
}

# Most names have no more letters, so few lines are wider than this.
my $NAME = 8;

# A line with all parts that lines of its kind can come to have.
sub _fullest {
    my ($self, $line, $below) = @_;
    return $line if $line->{kind} !~ /\A(?:pass|refine)\z/;
    my %full = (%$line, now => [ $self->_now($self->{widest}, ' warms up', '') ]);
    return \%full if $below;
    my $name = substr $self->{widest}, 0, $NAME;
    $full{noisy} = [ (map { "$_$name +0.25 %" } 'noisiest: ', 'noisy: '), '' ];
    $full{index} = [ 'index ~1080 so far', 'index ~1080', '' ] if $self->{figures}->has_index;
    return \%full;
}

sub _fits {
    my ($self, $line, $columns, $short) = @_;
    return Touchstone::Base::Text::columns($self->_text($line, $short)) <= $columns;
}

# `short` is { part => which of its forms, from 0 }.
sub _text {
    my ($self, $line, $short) = @_;
    my @forms = map { my $forms = $line->{$_} || ['']; $forms->[ min($short->{$_} // 0, $#$forms) ] } @PARTS;
    return $self->{terminal}->fit(join('  ', grep { defined && length } @forms) =~ s/ +\z//r);
}

# The forms become at least as short as `from`. When a part had to go, an earlier one may have room again.
sub _shortened {
    my ($self, $line, $columns, $from) = @_;
    my (%short, %step);
    %short = %$from;
    for my $part (@SHRINK) {
        last if $self->_fits($line, $columns, \%short);
        my $forms = $line->{$part} || [''];
        $short{$part} = max($short{$part} // 0, min(++$step{$part}, $#$forms));
    }
    for my $part (qw(time now index bar)) {
        $short{$part}--
            while ($short{$part} // 0) > ($from->{$part} // 0)
            && $self->_fits($line, $columns, { %short, $part => $short{$part} - 1 });
    }
    return \%short;
}

# A bar of letters says how far something has come, in one of several widths:
#
#   [===============               ]       ━━━━━━━━━━━━━━━╸──────────────

# A bar has these widths in columns.
my @WIDTHS = (40, 30, 20, 10);

# This is a column that is to come, where there are letters beyond ASCII.
our $EMPTY = "\xe2\x94\x80";

# Each set has the letters for what is done, for half a column of it, for what is to come, and for the ends.
my %ASCII = (full => '=', half => '', empty => ' ', ends => [ '[', ']' ]);
my %LINES = (full => "\xe2\x94\x81", half => "\xe2\x95\xb8", empty => $EMPTY, ends => [ '', '' ]);

# Returns the forms of a bar, the widest first. `utf8`: whether letters beyond ASCII may be used.
sub bar_forms {
    my ($share, %how) = @_;
    my $letters = $how{utf8} ? \%LINES : \%ASCII;
    my ($left, $right) = @{ $letters->{ends} };
    return map { $left . _between($letters, $_ - length "$left$right", $share) . $right } @WIDTHS;
}

# A bar looks full only when all is done.
sub _between {
    my ($letters, $width, $share) = @_;
    my $halves = int 2 * $width * max(0, min(1, $share));
    my $half   = $halves % 2 ? $letters->{half} : '';
    my $full   = int $halves / 2;
    return $letters->{full} x $full . $half . $letters->{empty} x ($width - $full - (length $half ? 1 : 0));
}

1;
