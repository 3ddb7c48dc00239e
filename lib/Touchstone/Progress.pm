# SPDX-License-Identifier: GPL-2.0-or-later
# Progress - what the terminal shows while a run goes on, on standard error.
#
# On a terminal a line that is written over, otherwise a line for each round and each trouble:
#
#    37/78 round 3/6, 2 copies: shell8, 1:21 left
#   # 2 copies, round 3 of 6, 1:21 left
#
# People log this together with the report, and programs search that for results: no line here may begin with a capital or hold
# what they look for (classic titles, units, "of tests").
package Touchstone::Progress;
use 5.014;
use strict;
use warnings;

use Touchstone::Text;


# out: a handle; quiet: nothing but errors; verbose: the commands too
sub new {
    my ($class, %how) = @_;
    return bless { out => $how{out}, quiet => $how{quiet}, verbose => $how{verbose}, live => !$how{quiet} && -t $how{out},
        done => 0, passes => 0, left => 0, said => '' }, $class;
}

sub plan {
    my ($self, $plan) = @_;
    $self->{passes} += @{ $_->{passes} } for @{ $plan->{blocks} };
    @$self{qw(left rounds)} = @$plan{qw(seconds rounds)};
    return;
}

# A pass begins. `seconds`: how long the plan says it takes.
sub pass {
    my ($self, $pass, $copies, $seconds) = @_;
    my $many = Touchstone::Text::copies($copies);
    my $round = $pass->{round} ? "round $pass->{round}" : 'warm-up';
    if ($self->{live}) {
        my $of = $pass->{round} ? "/$self->{rounds}" : '';
        $self->_over($self->{pass} = sprintf ' %d/%d %s%s, %s: %s, %s left', $self->{done} + 1, $self->{passes}, $round, $of, $many, $pass->{test}{name}, _clock($self->{left}));
    }
    elsif ($self->{said} ne "$many $round") {
        $self->note(sprintf '%s, %s, %s left', $many, $round, _clock($self->{left}));
        $self->{said} = "$many $round";
    }
    return;
}

# A pass beyond the rounds begins.
sub again {
    my ($self, $pass, $copies) = @_;
    my $text = sprintf '%s: %s again, pass %d', Touchstone::Text::copies($copies), $pass->{test}{name}, $pass->{round};
    return $self->{live} ? $self->_over($self->{pass} = " $text") : $self->note($text);
}

# A pass beyond the rounds begins, because the score of its test is only sure to this part of it.
sub refine {
    my ($self, $pass, $copies, $precision, $left) = @_;
    my $many = Touchstone::Text::copies($copies);
    $self->_over(sprintf ' %s: %s again, sure to %.1f %%, %s at most', $many, $pass->{test}{name}, $precision * 100, _clock($left)) if $self->{live};
    return if $self->{live} || $self->{said} eq "$many more";
    $self->note(sprintf '%s, more passes where the score is not sure enough, %s at most', $many, _clock($left));
    $self->{said} = "$many more";
    return;
}

# What a long pass says of itself: every few seconds where lines stay.
my $NEWS_SECONDS = 30;
sub doing {
    my ($self, $name, $text) = @_;
    return $self->_over("$self->{pass}: " . _tame($text)) if $self->{live};
    return if time - ($self->{news} // 0) < $NEWS_SECONDS;
    $self->{news} = time;
    $self->note("$name: $text");
    return;
}

# It ended, or will not come because its test failed.
sub done {
    my ($self, $seconds) = @_;
    $self->{done}++;
    $self->{left} -= $seconds;
    $self->{left} = 0 if $self->{left} < 0;
    return;
}

sub command {
    my ($self, $text) = @_;
    $self->note($text) if $self->{verbose};
    return;
}

# A line that stays. Not with -q.
sub note {
    my ($self, $text) = @_;
    $self->_line('# ' . _tame($text)) if !$self->{quiet};
    return;
}

# A line that stays, also with -q.
sub trouble {
    my ($self, $text) = @_;
    $self->_line('# ' . _tame($text));
    return;
}

sub finish {
    my ($self) = @_;
    $self->_over('') if $self->{live};
    return;
}

# Reasons can quote a program, and programs read this.
my $LOOKED_FOR = qr/lps|MWIPS |Index Score|Benchmark Run:|of tests|aborting|COUNT|Dhrystone/;
sub _tame {
    my ($text) = @_;
    $text =~ s/$LOOKED_FOR/.../g;
    return Touchstone::Text::plain($text);
}

sub _over {
    my ($self, $text) = @_;
    $self->{width} //= _width();
    print { $self->{out} } "\r" . substr($text, 0, $self->{width} - 1) . "\e[K";
    $self->{out}->flush;
    return;
}

sub _line {
    my ($self, $text) = @_;
    print { $self->{out} } ($self->{live} ? "\r\e[K" : ''), "$text\n";
    $self->{out}->flush;
    return;
}

# 80 columns where nothing says otherwise: a line that wraps cannot be written over.
sub _width {
    my $columns = $ENV{COLUMNS} // '';
    return $columns =~ /^[1-9]\d{1,3}$/ ? $columns : 80;
}

sub _clock {
    my ($seconds) = @_;
    return sprintf '%d:%02d', $seconds / 60, $seconds % 60;
}

1;
