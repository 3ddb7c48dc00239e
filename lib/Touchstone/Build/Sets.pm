# SPDX-License-Identifier: GPL-2.0-or-later
# Build::Sets - the sets of programs that --build asks for: how each is made, where it is, and the words for
# make. `clang=CC=clang,-O2` becomes
#
#   { name      => 'clang',
#     asked     => 'CC=clang,-O2',
#     flags     => '-O2',
#     compilers => { CC => 'clang' } }
package Touchstone::Build::Sets;
use 5.014;
use strict;
use warnings;

use Touchstone::Build::Cache;
use Touchstone::Build;
use Touchstone::Machine::Command;

# The name becomes a directory; the Makefile allows the same names.
my $NAME = qr/[\w][\w.-]{0,60}/a;

# No letter here means anything to a shell or to make.
my $FLAGS = qr{[\w.,:+=/% -]{0,1000}}a;

# Machine::clock_cost measures with this program.
my $ALSO = 'clock';

# Returns the set that NAME=FLAGS asks for, or nothing if the text is malformed.
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

# '-O2,-g' is two words, but all commas behind -Wl, -Wa or -Wp belong to that flag.
sub _words {
    my ($text) = @_;
    my ($list, $rest) = $text =~ /\A(.*?)(?:(?:\A|,)(-W[lap],.*))?\z/;
    return grep { length } split(/,+(?=-|CC=|FC=)/, $list), $rest // '';
}

# Returns the word of the command line that asked for the set.
sub asked { my ($set) = @_; return "$set->{name}=$set->{asked}" }

# Returns the places with those of a set in them: its tree, where make builds it, and its programs.
sub places {
    my ($places, $text) = @_;
    my $set  = parsed($text);
    my $tree = Touchstone::Build::Cache::tree($places);
    return { %$places, tree => $tree, bin => "$tree/pgms.d/$set->{name}", own_bin => 0, set => $set };
}

# The command of the compiler in C that a set is built with.
sub compiler {
    my ($set) = @_;
    return $set->{compilers}{CC} // Touchstone::Build::compiler();
}

sub compilers {
    my ($set) = @_;
    return map { "$_=$set->{compilers}{$_}" } sort keys %{ $set->{compilers} };
}

# Returns words for make that build only the programs these tests need, because a flag may be wrong for
# another. Without a Fortran compiler the programs in Fortran are left out, unless the set asks for such a
# compiler.
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
