# SPDX-License-Identifier: GPL-2.0-or-later
# Terminal::Progress - what standard error shows while a run goes on.
#
# A terminal has a line that is written over (Touchstone::Terminal::StatusLine), and where there is room a
# table below it (Touchstone::Terminal::Table). A file or pipe gets a line for each round. Both get a line for
# each trouble:
#
#   ━━━━━━━━━━╸─────────  51 %  3:10 left (4:20 at most)  2 copies: shell8
#     index so far        1 copy            2 copies            passes
#     dhry2reg              3711   ±0.8 %       7363   ±1.1 %   10 + 4
#
#   # 2 copies, round 3, 1:21 left
#
# People log this together with the report, and programs search the log for results. So no line here may
# begin with a capital or hold what programs look for (classic titles, units, "of tests").
package Touchstone::Terminal::Progress;
use 5.014;
use strict;
use warnings;

use POSIX ();
use Scalar::Util ();

use Touchstone::Base::Figure qw(plus_minus);
use Touchstone::Base::Text qw(copies plain tame);
use Touchstone::Base::Time qw(clock);
use Touchstone::Terminal::Figures;
use Touchstone::Terminal::Remaining;
use Touchstone::Terminal::StatusLine;
use Touchstone::Terminal::Table;
use Touchstone::Terminal;

# Looks mark the word that a line is there for.
my @LOOKS = (
    [ qr/\A# \Kwarning(?=:)/           => 'doubt' ],
    [ qr/\A# [\w, -]*\K\bskipped(?=:)/ => 'doubt' ],
    [ qr/\A# [\w, '-]*\K\bfailed(?=:)/ => 'bad' ],
);

# What of a bar is to come is fainter than what is done.
my @BAR = ([ qr/(?:$Touchstone::Terminal::StatusLine::EMPTY)+/ => 'faint' ]);

# This is the figure of an answer.
my $FIGURE = qr/\A# [^:]*: \K\d[^,(;]*\d(?: %)?/;

my $ERASE = "\r\e[J";

# Makes the display of a run:
#
#   out         a handle
#   quiet       shows errors only
#   verbose     shows the commands too
#   terminal    replaces the terminal that the handle leads to
sub new {
    my ($class, %how) = @_;
    my $terminal = $how{terminal} // Touchstone::Terminal->detect($how{out});
    my $figures  = Touchstone::Terminal::Figures->new;
    my $time     = Touchstone::Terminal::Remaining->new;
    my %shows    = (terminal => $terminal, figures => $figures, time => $time);
    return bless {
        %shows,
        out       => $how{out},
        quiet     => $how{quiet},
        verbose   => $how{verbose},
        live      => !$how{quiet} && $terminal->is_live,
        view      => Touchstone::Terminal::StatusLine->new(%shows),
        table     => Touchstone::Terminal::Table->new(%shows),
        last_text => '',
    }, $class;
}

# Returns the width of the terminal, or undef if there is none.
sub columns { my ($self) = @_; return $self->{terminal}->columns }

# `has_index`: the run will have an index.
sub plan {
    my ($self, $plan, $has_index) = @_;
    $self->{$_}->plan($plan, $has_index) for qw(time figures);
    return;
}

# The passes of a copy count begin.
sub block {
    my ($self, $block) = @_;
    $self->{$_}->block($block) for qw(time figures view);
    return;
}

# A pass begins.
sub pass {
    my ($self, $pass, $copies) = @_;
    $self->{test} = $pass->{test}{name};
    return $self->_show($self->{view}->pass($pass)) if $self->{live};
    return $self->_once(copies($copies) . ($pass->{round} ? ", round $pass->{round}" : ', warm-up'),
        $self->{view}->left . ' left');
}

# A pass beyond the rounds begins.
sub again {
    my ($self, $pass, $copies) = @_;
    $self->{test} = $pass->{test}{name};
    return $self->_show($self->{view}->again($pass)) if $self->{live};
    return $self->note(sprintf '%s: %s again, pass %d', copies($copies), $pass->{test}{name}, $pass->{round});
}

# A pass beyond the rounds begins, because the interval of its test is still wide:
#
#   pass, copies
#   wanted            half of an interval as a part of the score
#   left              seconds at most
#   needed            seconds that all tests are expected to need
#   reached, tests    how many tests have such an interval, and how many there are
sub refine {
    my ($self, %now) = @_;
    $self->{test} = $now{pass}{test}{name};
    $self->{time}->refine(@now{qw(needed left)});
    return $self->_show($self->{view}->refine(%now)) if $self->{live};
    return $self->_once(copies($now{copies}) . ', extra passes until ' . plus_minus($now{wanted}),
        clock($now{left}) . ' at most');
}

# A round of builds begins, because a test is not decided yet: pass, copies, seconds left, how many tests
# are decided and how many there are.
sub decide {
    my ($self, %now) = @_;
    $self->{test} = $now{pass}{test}{name};
    $self->{time}->refine($now{left} / 2, $now{left});
    return $self->_show($self->{view}->decide(%now)) if $self->{live};
    return $self->_once(copies($now{copies}) . ', more blocks for undecided tests',
        clock($now{left}) . ' at most');
}

# What is done that is no pass: { text }, and where it can be counted, { done, all }. A terminal shows it
# until something else is shown, or until a call without it; where lines stay, one that is `told` does.
sub stage {
    my ($self, $stage) = @_;
    return $stage && $stage->{note} ? $self->note($stage->{text})                : undef if !$self->{live};
    return $stage                   ? $self->_show($self->{view}->stage($stage)) : $self->finish;
}

# A long pass tells how far it is. Where lines stay, that is shown at most every $NEWS_SECONDS seconds.
my $NEWS_SECONDS = 30;

sub doing {
    my ($self, $name, $text) = @_;
    return $self->_show($self->{view}->doing(plain(tame($text)))) if $self->{live};
    return if time - ($self->{news} // 0) < $NEWS_SECONDS;
    $self->{news} = time;
    return $self->note("$name: $text");
}

# A pass ended, or is left out because the record has it.
sub done {
    my ($self, $pass) = @_;
    $self->{time}->done($pass);
    return;
}

# A test failed: it has no more passes with this copy count.
sub lost {
    my ($self, $name) = @_;
    $self->{$_}->lost($name) for qw(time figures);
    return;
}

# What is known by now of a test with a copy count, and of the index, if there is one. Terminal::Figures tells
# what that is.
sub so_far {
    my ($self, $copies, $name, $figure, $index) = @_;
    $self->{figures}->note($copies, $name, $figure);
    $self->{figures}->note_index($copies, $index) if $index;
    return;
}

# Only a live terminal shows figures.
sub wants_figures { return $_[0]{live} }

sub command {
    my ($self, $text) = @_;
    $self->note($text) if $self->{verbose};
    return;
}

# Writes a line that stays; -q suppresses it.
sub note {
    my ($self, $text) = @_;
    $self->_line($text) if !$self->{quiet};
    return;
}

# Writes a line of the answer: { text, look }. The look is that of its figure, and a bad one is that of the
# whole line.
sub answer {
    my ($self, $line)  = @_;
    my ($look, @looks) = $line->{look};
    @looks = [ $look eq 'bad' ? qr/\A#? *\K.*/ : $FIGURE, $look ] if defined $look;
    $self->_line($line->{text}, \@looks) if !$self->{quiet};
    return;
}

# Writes a line that stays, also with -q.
sub trouble {
    my ($self, $text) = @_;
    $self->_line($text);
    return;
}

# What is written over goes.
sub finish {
    my ($self) = @_;
    $self->_write($ERASE) if $self->{shown} && $self->{terminal}->is_ours;
    $self->{shown} = undef;
    return;
}

# Writes a line once for all passes that would have the same.
sub _once {
    my ($self, $what, $time) = @_;
    return if $self->{last_text} eq $what;
    $self->{last_text} = $what;
    return $self->note("$what, $time");
}

sub _show {
    my ($self, $line) = @_;
    return if !$self->{terminal}->is_ours;
    $self->_heed_stops;
    $self->{shown} = $line;
    return $self->_write($self->_drawn);
}

# The cursor waits at the beginning of the first line. When the window becomes narrower, terminals break the
# lines and leave the cursor there, so that the next drawing can erase all of them, unless what the user typed
# has moved the cursor. The last column stays free, because some terminals go on to the next line behind it.
# Lines are overwritten and only their rests are erased, so nothing flickers.
sub _drawn {
    my ($self)  = @_;
    my $line    = $self->{shown} or return '';
    my $columns = $self->{terminal}->columns - 1;
    my @table   = $line->{kind} eq 'stage' ? () : $self->{table}->lines($self->{test});
    my $fitted  = $self->{view}->fitted($line, $columns, scalar @table);
    my @lines   = ($self->{terminal}->painted_by(\@BAR, $fitted), @table);
    return "\r" . join("\e[K\n", @lines) . "\e[J" . (@table ? "\e[" . @table . 'A' : '') . "\r";
}

# A run in the background erases no line: the one that was written over is gone, and what the user types may
# be in its place.
sub _line {
    my ($self, $text, $looks) = @_;
    my $terminal = $self->{terminal};
    my @lines    = Touchstone::Base::Text::wrapped(
        $terminal->fit(plain(tame($text))),
        width => $terminal->columns,
        first => '# ',
        hang  => '#   '
    );
    my $ours  = $terminal->is_ours;
    my $start = !$self->{shown} ? '' : $ours ? $ERASE : "\n";
    $self->{shown} = undef if !$ours;
    return $self->_write(join '', $start,
        (map { $terminal->painted_by($looks // \@LOOKS, $_) . "\n" } @lines),
        $self->_drawn);
}

# A user who stops Run with the keyboard finds the prompt below what was said, and nothing of what is written
# over; that is drawn again when Run goes on. Perl blocks a signal while its handler works, so it is let
# through.
sub _heed_stops {
    my ($self) = @_;
    return if $self->{heeds}++ || !$self->{terminal}->is_real || ($SIG{TSTP} // 'DEFAULT') ne 'DEFAULT';
    Scalar::Util::weaken(my $me = $self);
    $SIG{TSTP} = sub {
        $me->_write($ERASE) if $me && $me->{shown} && $me->{terminal}->is_ours;
        local $SIG{TSTP} = 'DEFAULT';
        kill TSTP => $$;
        POSIX::sigprocmask(POSIX::SIG_UNBLOCK(), POSIX::SigSet->new(POSIX::SIGTSTP()));
        $me->_write($me->_drawn) if $me && $me->{shown} && $me->{terminal}->is_ours;
    };
    return;
}

sub _write {
    my ($self, $text) = @_;
    print { $self->{out} } $text;
    $self->{out}->flush;
    return;
}

1;
