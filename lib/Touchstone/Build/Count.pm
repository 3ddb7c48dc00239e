# SPDX-License-Identifier: GPL-2.0-or-later
# Build::Count - how many of its programs a make has built while it runs. The recipes of our Makefile say
# nothing, so the programs themselves are looked at:
#
#   my $count = Touchstone::Build::Count->new($base, [ 'make', '-C', $base, 'all' ], $stopped);
#   $count->stage       { text => 'building 23 of 61', done => 23, all => 61 }
package Touchstone::Build::Count;
use 5.014;
use strict;
use warnings;

use Touchstone::Machine::Command;

# This is in a command that links a program.
my $PROGRAM = qr{ -o (pgms(?:\.d/[^/\s]+)?/[^/\s]+) };

# make -n names what might be built, without building it. Some make, or another Makefile, may name nothing.
sub new {
    my ($class, $base, $make, $stopped) = @_;
    my ($name, @words) = @$make;
    my ($status, $text) = Touchstone::Machine::Command::output([ $name, '-n', @words ], stopped => $stopped);
    my %programs = $status == 0 ? map { $_ => 1 } $text =~ /$PROGRAM/g : ();
    return bless { files => [ map { "$base/$_" } sort keys %programs ], begun => time }, $class;
}

# make removes a program before it builds it anew, and leaves alone what needs no building.
sub stage {
    my ($self) = @_;
    my ($done, $missing) = (0, 0);
    for my $file (@{ $self->{files} }) {
        my $made = (stat $file)[9];
        if    (!defined $made)          { $missing++ }
        elsif ($made >= $self->{begun}) { $done++ }
    }
    my $all = $done + $missing;
    return { text => 'building' . ($all ? " $done of $all" : ''), done => $done, all => $all };
}

1;
