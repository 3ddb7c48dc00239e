# SPDX-License-Identifier: GPL-2.0-or-later
# Terminal::Progress - what standard error shows while a run goes on.
#
# A terminal has a line that is written over (Touchstone::Terminal::StatusLine); a file or pipe gets a line
# for each round. Both get a line for each trouble:
#
#   [==|==|= |  |  |  ]  1:21-2:40 left  shell8 x 2    unsure: context1 +- 4.2 %
#   # 2 copies, round 3, 1:21 left
#
# People log this together with the report, and programs search the log for results. So no line here may
# begin with a capital or hold what programs look for (classic titles, units, "of tests").
package Touchstone::Terminal::Progress;
use 5.014;
use strict;
use warnings;

use Touchstone::Base::Text qw(copies plain);
use Touchstone::Terminal::StatusLine;
use Touchstone::Terminal::Wrap;
use Touchstone::Terminal;

# Looks mark the word that a line is there for.
my @LOOKS = (
    [ qr/\A# \Kwarning(?=:)/                             => 'doubt' ],
    [ qr/\A# [\w, -]*\K\bskipped(?=:)/                   => 'doubt' ],
    [ qr/\A# [\w, '-]*\K\bfailed(?=:)/                   => 'bad' ],
    [ qr/\A# [\w -]*index, \d+ cop(?:y|ies): \K\d[\d.]*/ => 'strong' ],
);

my $ERASE = "\r\e[J";

# Makes the display of a run:
#
#   out         a handle
#   quiet       shows errors only
#   verbose     shows the commands too
#   terminal    replaces the terminal that the handle leads to
sub new {
    my ($class, %how) = @_;
    my $terminal = $how{terminal} // Touchstone::Terminal->of($how{out});
    return bless {
        out      => $how{out},
        quiet    => $how{quiet},
        verbose  => $how{verbose},
        terminal => $terminal,
        live     => !$how{quiet} && $terminal->is_live,
        view     => Touchstone::Terminal::StatusLine->new(utf8 => $terminal->is_utf8),
        said     => '',
        shown    => ''
    }, $class;
}

# Returns the width of the terminal, or undef if there is none.
sub columns { my ($self) = @_; return $self->{terminal}->columns }

sub plan {
    my ($self, $plan) = @_;
    $self->{view}->plan($plan);
    return;
}

# The passes of a copy count begin.
sub block {
    my ($self, $block) = @_;
    $self->{view}->block($block);
    return;
}

# A pass begins.
sub pass {
    my ($self, $pass, $copies) = @_;
    return $self->_show($self->{view}->pass($pass, $copies)) if $self->{live};
    return $self->_once(copies($copies) . ($pass->{round} ? ", round $pass->{round}" : ', warm-up'),
        $self->{view}->left . ' left');
}

# A pass beyond the rounds begins.
sub again {
    my ($self, $pass, $copies) = @_;
    return $self->_show($self->{view}->again($pass, $copies)) if $self->{live};
    return $self->note(sprintf '%s: %s again, pass %d', copies($copies), $pass->{test}{name}, $pass->{round});
}

# A pass beyond the rounds begins, because the score of its test is not sure enough:
#
#   pass, copies
#   reached, wanted    half of an interval as a part of the score
#   left               seconds at most
#   sure, tests        how many tests are sure, and how many there are
sub refine {
    my ($self, %now) = @_;
    return $self->_show($self->{view}->refine(%now)) if $self->{live};
    return $self->_once(
        copies($now{copies}) . ', more passes where the score is not sure enough',
        Touchstone::Terminal::StatusLine::clock($now{left}) . ' at most'
    );
}

# A long pass tells how far it is. Where lines stay, that is shown at most every $NEWS_SECONDS seconds.
my $NEWS_SECONDS = 30;

sub doing {
    my ($self, $name, $text) = @_;
    return $self->_show($self->{view}->doing(_tame($text))) if $self->{live};
    return                                                  if time - ($self->{news} // 0) < $NEWS_SECONDS;
    $self->{news} = time;
    return $self->note("$name: $text");
}

# A pass ended, or is left out because the record has it.
sub done {
    my ($self, $pass) = @_;
    $self->{view}->done($pass);
    return;
}

# A test failed: it has no more passes with this copy count.
sub lost {
    my ($self, $name) = @_;
    $self->{view}->lost($name);
    return;
}

# A test is so certain by now: { passes, cv, precision }.
sub certain {
    my ($self, $name, $sureness) = @_;
    $self->{view}->certain($name, $sureness);
    return;
}

# Only a live terminal shows how sure tests are.
sub wants_sureness { return $_[0]{live} }

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

# Writes a line that stays, also with -q.
sub trouble {
    my ($self, $text) = @_;
    $self->_line($text);
    return;
}

sub finish {
    my ($self) = @_;
    $self->_write($ERASE) if length $self->{shown} && $self->{terminal}->is_ours;
    $self->{shown} = '';
    return;
}

# A reason can quote a program, and programs look for these words.
my $LOOKED_FOR = qr/lps|MWIPS |Index Score|Benchmark Run:|of tests|aborting|COUNT|Dhrystone/;

sub _tame {
    my ($text) = @_;
    $text =~ s/$LOOKED_FOR/.../g;
    return plain($text);
}

# Writes a line once for all passes that would have the same.
sub _once {
    my ($self, $what, $time) = @_;
    return if $self->{said} eq $what;
    $self->{said} = $what;
    return $self->note("$what, $time");
}

# The cursor waits at the beginning of the line. When the window becomes narrower, terminals break the line
# and leave the cursor there, so that the next line can erase all of it, unless what the user typed has moved
# the cursor. The last column stays free, because some terminals go on to the next line behind it.
sub _show {
    my ($self, $line) = @_;
    return if !$self->{terminal}->is_ours;
    $self->{shown} = $line;
    my $fitted = $self->{view}->fitted($line, $self->{terminal}->columns - 1);
    return $self->_write("\r" . $self->{terminal}->fit($fitted) . "\e[J\r");
}

# A run in the background erases no line: the one that was written over is gone, and what the user types may
# be in its place.
sub _line {
    my ($self, $text) = @_;
    my @lines = Touchstone::Terminal::Wrap::lines(
        $self->{terminal}->fit(_tame($text)),
        width => $self->{terminal}->columns,
        first => '# ',
        hang  => '#   '
    );
    my $ours = $self->{terminal}->is_ours;
    $self->_write(
        (!length $self->{shown} ? '' : $ours ? $ERASE : "\n") . join '',
        map { $self->{terminal}->painted_by(\@LOOKS, $_) . "\n" } @lines
    );
    $self->{shown} = '' if !$ours;
    return length $self->{shown} ? $self->_show($self->{shown}) : undef;
}

sub _write {
    my ($self, $text) = @_;
    print { $self->{out} } $text;
    $self->{out}->flush;
    return;
}

1;
