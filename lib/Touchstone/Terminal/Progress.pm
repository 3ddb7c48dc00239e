# SPDX-License-Identifier: GPL-2.0-or-later
# Terminal::Progress - what the terminal shows while a run goes on, on standard error.
#
# On a terminal a line that is written over (Touchstone::Terminal::StatusLine), otherwise a line for each
# round; and a line for each trouble:
#
#   [==|==|= |  |  |  ]  1:21-2:40 left  shell8 x 2    unsure: context1 +- 4.2 %
#   # 2 copies, round 3, 1:21 left
#
# People log this together with the report, and programs search that for results: no line here may begin with
# a capital or hold what they look for (classic titles, units, "of tests").
package Touchstone::Terminal::Progress;
use 5.014;
use strict;
use warnings;

use Touchstone::Base::Text;
use Touchstone::Terminal::StatusLine;
use Touchstone::Terminal::Wrap;
use Touchstone::Terminal;

# The words for which a line is there.
my @LOOKS = (
    [ qr/\A# \Kwarning(?=:)/                             => 'doubt' ],
    [ qr/\A# [\w, -]*\K\bskipped(?=:)/                   => 'doubt' ],
    [ qr/\A# [\w, '-]*\K\bfailed(?=:)/                   => 'bad' ],
    [ qr/\A# [\w -]*index, \d+ cop(?:y|ies): \K\d[\d.]*/ => 'strong' ],
);

my $ERASE = "\r\e[J";

# out: a handle; quiet: nothing but errors; verbose: the commands too; terminal: instead of what the handle is
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

# Of the terminal, where it is one.
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
    return $self->_once(
        Touchstone::Base::Text::copies($copies) . ($pass->{round} ? ", round $pass->{round}" : ', warm-up'),
        $self->{view}->left . ' left');
}

# A pass beyond the rounds begins.
sub again {
    my ($self, $pass, $copies) = @_;
    return $self->_show($self->{view}->again($pass, $copies)) if $self->{live};
    return $self->note(
        sprintf '%s: %s again, pass %d',
        Touchstone::Base::Text::copies($copies),
        $pass->{test}{name},
        $pass->{round}
    );
}

# A pass beyond the rounds begins, because the score of its test is not sure enough. pass, copies; reached,
# wanted: half of an interval as a part of the score; left: seconds at most; sure, tests: how many are sure
sub refine {
    my ($self, %now) = @_;
    return $self->_show($self->{view}->refine(%now)) if $self->{live};
    return $self->_once(
        Touchstone::Base::Text::copies($now{copies}) . ', more passes where the score is not sure enough',
        Touchstone::Terminal::StatusLine::clock($now{left}) . ' at most');
}

# What a long pass says of itself: every few seconds where lines stay.
my $NEWS_SECONDS = 30;

sub doing {
    my ($self, $name, $text) = @_;
    return $self->_show($self->{view}->doing(_tame($text))) if $self->{live};
    return                                                  if time - ($self->{news} // 0) < $NEWS_SECONDS;
    $self->{news} = time;
    return $self->note("$name: $text");
}

# A pass ended, or does not come because the record has it.
sub done {
    my ($self, $pass) = @_;
    $self->{view}->done($pass);
    return;
}

# A test failed: no pass of it comes any more with this copy count.
sub lost {
    my ($self, $name) = @_;
    $self->{view}->lost($name);
    return;
}

# How certain a test is so far: { passes, cv, precision }.
sub certain {
    my ($self, $name, $sureness) = @_;
    $self->{view}->certain($name, $sureness);
    return;
}

# Whether anybody looks at that.
sub wants_sureness { return $_[0]{live} }

sub command {
    my ($self, $text) = @_;
    $self->note($text) if $self->{verbose};
    return;
}

# A line that stays. Not with -q.
sub note {
    my ($self, $text) = @_;
    $self->_line($text) if !$self->{quiet};
    return;
}

# A line that stays, also with -q.
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

# Reasons can quote a program, and programs read this.
my $LOOKED_FOR = qr/lps|MWIPS |Index Score|Benchmark Run:|of tests|aborting|COUNT|Dhrystone/;

sub _tame {
    my ($text) = @_;
    $text =~ s/$LOOKED_FOR/.../g;
    return Touchstone::Base::Text::plain($text);
}

# Said once for passes of which the same can be said.
sub _once {
    my ($self, $what, $time) = @_;
    return if $self->{said} eq $what;
    $self->{said} = $what;
    return $self->note("$what, $time");
}

# The cursor waits at its beginning: when the window becomes narrower, terminals break the line and leave the
# cursor there, so that the next line can erase all of it. What was typed meanwhile has moved it. The last
# column stays free, because some go on to the next line behind it.
sub _show {
    my ($self, $line) = @_;
    return if !$self->{terminal}->is_ours;
    $self->{shown} = $line;
    return $self->_write("\r" . $self->{view}->fitted($line, $self->{terminal}->columns - 1) . "\e[J\r");
}

# In the background the line that was written over is gone, and in its place may be what people type: that
# stays.
sub _line {
    my ($self, $text) = @_;
    my @lines = Touchstone::Terminal::Wrap::lines(
        _tame($text),
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
