# SPDX-License-Identifier: GPL-2.0-or-later
# Build::Sets - the sets of programs that --build asks for: what each is made with, where it is, and what make
# is told of it.
#
#   clang=CC=clang,-O2    { name => 'clang', asked => 'CC=clang,-O2', flags => '-O2', compilers => { CC => 'clang' } }
package Touchstone::Build::Sets;
use 5.014;
use strict;
use warnings;

use Touchstone::Build;
use Touchstone::Machine::Command;

# As in the Makefile: the name becomes a directory.
my $NAME = qr/[\w][\w.-]{0,60}/a;

# Nothing that a shell or make takes for anything but a letter.
my $FLAGS = qr{[\w.,:+=/% -]{0,1000}}a;

# Machine::clock_cost measures with it.
my $ALSO = 'clock';

# What NAME=FLAGS says, or nothing when it says nothing.
sub parsed {
    my ($text) = @_;
    my ($name, $asked) = $text =~ /\A($NAME)=($FLAGS)\z/ or return;
    my (%compiler, @flags);
    for my $word (map { _words($_) } split ' ', $asked) {
        if ($word =~ /\A(CC|FC)=(.*)\z/) { length $2 or return; $compiler{$1} = $2 }
        else                             { push @flags, $word }
    }
    return { name => $name, asked => $asked, flags => join(' ', @flags), compilers => \%compiler };
}

# '-O2,-g' is two words; -Wl, and its like have the commas behind them for themselves.
sub _words {
    my ($text) = @_;
    my ($list, $rest) = $text =~ /\A(.*?)(?:(?:\A|,)(-W[lap],.*))?\z/;
    return grep { length } split(/,+(?=-|CC=|FC=)/, $list), $rest // '';
}

# The word that asked for it.
sub asked { my ($set) = @_; return "$set->{name}=$set->{asked}" }

# The places of a set, from those of the tree.
sub places {
    my ($places, $text) = @_;
    my $set = parsed($text);
    return { %$places, bin => "$places->{base}/pgms.d/$set->{name}", own_bin => 0, set => $set };
}

sub compilers {
    my ($set) = @_;
    return map { "$_=$set->{compilers}{$_}" } sort keys %{ $set->{compilers} };
}

# Words for make: the programs that these tests need, and no others, for a flag may be wrong for one of them.
# Without a compiler of Fortran those in it are no matter of make's, unless one is asked for.
sub make_words {
    my ($set, @tests) = @_;
    my %needed = map { $_ => 1 } $ALSO, map { ($_->{program}, @{ $_->{parts} || [] }) } @tests;
    delete @needed{ grep { /\.f\z/ } keys %needed }
        if !defined $set->{compilers}{FC}
        && !Touchstone::Machine::Command::find(Touchstone::Build::fortran());
    return (
        "BUILD=$set->{name}", "FLAGS=$set->{flags}", compilers($set),
        'ONLY=' . join ' ',   sort keys %needed
    );
}

1;
