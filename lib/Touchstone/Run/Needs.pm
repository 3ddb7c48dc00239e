# SPDX-License-Identifier: GPL-2.0-or-later
# Run::Needs - finds, before anything is measured, what tests need that is no program of ours, such as a file,
# a server, another machine or memory. A need has the name that `requires` of a row has, here `disk`:
#
#   {
#     values  => { place => '/mnt/fast', ... } for Suite::filled,
#     facts   => { disk => { model => 'Fast 1 TB', ... }, ... } for the record,
#     space   => { disk => 2200000 } in KB,
#     held    => [ directories that go with the run ],
#     watched => [ subs that say in words what is not any more what was found ],
#     trouble => { disk => [ failures => 'why it cannot be used', 'what to do' ] },
#   }
package Touchstone::Run::Needs;
use 5.014;
use strict;
use warnings;

use Touchstone::Machine::Command;
use Touchstone::Record::Channel;
use Touchstone::Suite;

my $SKIPPED = 77;

# Suites know their needs, in the files Needs.pm of their folders. needs() returns, by what `requires` of a
# row says,
#
#   {
#     disk => {
#       find    => a sub that returns what was found, of this kind alone,
#       options => { 'fast-disk' => 'the tests of the group disks' }: words that choose it, and their tests,
#       supported_tests  => a sub that returns a row as the words change it; it may be missing,
#       lacks   => a sub that tells what is lacking as far as that is seen without starting anything, as
#                  (kind, why, remedy) or nothing; it may be missing,
#     },
#   }
#
# `find` is called with the program, with what `find` below is called with, and with `test`, the row, and
# `ask`, which runs a program and returns what it says, or (text, kind, why, remedy). `suited` is called with
# the words and the row. With tests, only what their suites know.
sub _kinds {
    my (@tests) = @_;
    my $packages = Touchstone::Suite::packages('Needs', map { $_->{suite} } @tests);
    return { map { %{ $_->can('needs')->() } } values %$packages };
}

# Returns the words of the command line that choose what a test needs.
sub options {
    my @tables =
        map { $_->can('options')->()->{table} || [] } values %{ Touchstone::Suite::packages('Options') };
    my @words = sort map { $_->[0] =~ m{\A([\w-]+)} } map { @$_ } @tables;
    return @words;
}

# Returns the options that none of these tests heeds.
sub idle_options {
    my ($options, @tests) = @_;
    my $kinds  = _kinds(@tests);
    my %heeded = map { %{ ($kinds->{ $_->{requires} // '' } || {})->{options} || {} } } @tests;
    return grep { defined $options->{$_} && !$heeded{$_} } options();
}

sub belongs_to {
    my ($option) = @_;
    my ($whose)  = grep { defined } map { ($_->{options} || {})->{$option} } values %{ _kinds() };
    return "it is for $whose";
}

# Returns rows as these words change them.
sub supported_tests {
    my ($options, @tests) = @_;
    my $kinds = _kinds(@tests);
    return map {
        my $change = ($kinds->{ $_->{requires} // '' } || {})->{supported_tests};
        $change ? $change->($options, $_) : $_
    } @tests;
}

# Returns what is lacking as far as that is seen without starting anything, as `trouble` above has it.
sub lacking {
    my $kinds = _kinds();
    my %trouble;
    for my $kind (grep { $kinds->{$_}{lacks} } sort keys %$kinds) {
        my @trouble = $kinds->{$kind}{lacks}->();
        $trouble{$kind} = \@trouble if @trouble;
    }
    return \%trouble;
}

# Finds all that these tests need. The setup:
#
#   want     => the words, as Cli::Options gives them
#   tests    => [ rows ]
#   places   => of the programs
#   cc       => the compiler that tests measure
#   copies   => [ all counts ]
#   sides    => how many builds live side by side
#   scratch  => a directory for small files
#   progress => a Terminal::Progress
#   stopped  => a sub that gives the signal that stops the run
sub find {
    my (%setup) = @_;

    # Preflight has words for a program that is not there.
    my %test = map { $_->{requires} => $_ }
        grep { $_->{requires} && -x "$setup{places}{bin}/$_->{program}" } @{ $setup{tests} };
    my %found = (values => {}, facts => {}, space => {}, trouble => {}, held => []);
    my $kinds = _kinds(@{ $setup{tests} });
    for my $kind (sort keys %test) {
        my $one = $kinds->{$kind}{find}->(
            "$setup{places}{bin}/$test{$kind}{program}", %setup,
            test => $test{$kind},
            ask  => sub { _asked($setup{stopped}, @_) }
        );
        $found{values} = { %{ $found{values} }, %{ $one->{values} || {} } };
        push @{ $found{held} },    @{ $one->{held} || [] };
        push @{ $found{watched} }, $one->{watched} if $one->{watched};
        for my $what (qw(facts space trouble)) {
            $found{$what}{$kind} = $one->{$what} if defined $one->{$what};
        }
    }
    return \%found;
}

# Returns in words what is not any more what was found.
sub changes {
    my ($facts) = @_;
    return map { $_->() // () } @{ $facts->{watched} || [] };
}

# A program may not speak our language, such as the loader of libraries.
sub _last_words {
    my ($status, $text) = @_;
    my ($line) = map { Touchstone::Record::Channel::readable($_) } $text =~ /(\S.*)/;
    return 'it ended with status ' . ($status >> 8) . (defined $line ? ": $line" : '');
}

# Returns what a program says, and why it cannot be used: (text, kind, why, remedy).
sub _asked {
    my ($stopped, @command) = @_;
    my ($status,  $text) = Touchstone::Machine::Command::output(\@command, errors => 1, stopped => $stopped);
    return $text if $status == 0;
    my $got = Touchstone::Record::Channel::parse($text);
    my ($why, $remedy) = split /; /, $got->{error} // $got->{skip} // _last_words($status, $text), 2;
    return ($text, $status >> 8 == $SKIPPED ? 'skipped' : 'failures', $why, $remedy);
}

1;
