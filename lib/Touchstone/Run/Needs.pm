# SPDX-License-Identifier: GPL-2.0-or-later
# Run::Needs - what tests need that is no program of ours: the source of a kernel, an X server, another machine, memory. Found before
# anything is measured:
#
#   { values  => { display => 'xvfb', peer => '10.0.0.2:7117', kernel => '/usr/src/linux-source-6.1.tar.xz', ... },   for Suite::filled
#     facts   => { display => { server => 'The X.Org Foundation', ... }, ... },                                       for the record
#     space   => { kernel => 2200000 },                                                                               KB
#     held    => [ directories that go with the run ],
#     trouble => { peer => [ failures => 'nobody listens', 'what to do' ] } }
package Touchstone::Run::Needs;
use 5.014;
use strict;
use warnings;

use List::Util qw(min max);
use POSIX qw(ceil);

use Touchstone::Base::Text;
use Touchstone::Cli::Options;
use Touchstone::Machine::Command;
use Touchstone::Machine::Resources;
use Touchstone::Record::Channel;
use Touchstone::Suite::Lbt::KernelSource;
use Touchstone::Suite::Platform::Needs;

# The words of the command line that choose it, and what each belongs to.
my %OPTION = ('kernel-config' => [ 'kernel', 'the test kernel' ], 'x-display' => [ 'display', 'the tests of the group x11' ], peer => [ 'peer', 'the tests of the group net' ],
    input => [ 'input', 'the tests of the group compress' ], 'hash-size' => [ 'data', 'the tests of the group hash' ], channel => [ 'channel', 'the test inputs' ],
    map { $_ => [ 'places', 'the tests of the group transfer' ] } qw(medium depot));
our @OPTIONS = sort keys %OPTION;
my %FIND = (kernel => \&_kernel, display => \&_display, peer => \&_peer, array => \&_arrays, arrays => \&_arrays,
    map { $_ => Touchstone::Suite::Platform::Needs->can($_) } qw(input data channel places));
my $SKIPPED = 77;
my $CONFIGURATION = 'tinyconfig';
my $OWN_DISPLAY   = 'xvfb';
# KB of the large array of 1997: 64 MB, or this part of the memory; and of what is free that copies may take together.
my %ARRAY = (most => 65536, least => 256, part => 1 / 16, of_free => 0.75);

# The options that none of these tests heeds.
sub idle_options {
    my ($want, @tests) = @_;
    my %required = map { ($_->{requires} // '') => 1 } @tests;
    return grep { defined $want->{$_} && !$required{ $OPTION{$_}[0] } } @OPTIONS;
}

sub belongs_to { my ($option) = @_; return "it belongs to $OPTION{$option}[1]" }

# A row as these words change it: how long its unit takes with as much as there is to work on; and a line that is there once is for one
# copy.
sub suited {
    my ($want, $test) = @_;
    return { %$test, single => 1 } if ($test->{requires} // '') eq 'channel' && Touchstone::Suite::Platform::Needs::is_one_line($want);
    my $bytes = defined $test->{per_gb} ? Touchstone::Suite::Platform::Needs::bytes($want, $test->{requires}) : undef;
    return $bytes ? { %$test, least_seconds => $bytes / 1e9 * $test->{per_gb} } : $test;
}

# setup: want, places, cc, stopped, progress, tests, copies (all counts), scratch (a directory for small files)
sub find {
    my (%setup) = @_;
    # Preflight has words for a program that is not there.
    my %test  = map { $_->{requires} => $_ } grep { $_->{requires} && -x "$setup{places}{bin}/$_->{program}" } @{ $setup{tests} };
    my %found = (values => {}, facts => {}, space => {}, trouble => {}, held => []);
    for my $kind (sort keys %test) {
        my $one = $FIND{$kind}->("$setup{places}{bin}/$test{$kind}{program}", %setup, test => $test{$kind}, ask => sub { _asked($setup{stopped}, @_) });
        $found{values} = { %{ $found{values} }, %{ $one->{values} || {} } };
        push @{ $found{held} }, @{ $one->{held} || [] };
        push @{ $found{watched} }, $one->{watched} if $one->{watched};
        for my $what (qw(facts space trouble)) { $found{$what}{$kind} = $one->{$what} if defined $one->{$what} }
    }
    return \%found;
}

sub _kernel {
    my ($program, %setup) = @_;
    my $config = $setup{want}{'kernel-config'} // $CONFIGURATION;
    my $source = Touchstone::Suite::Lbt::KernelSource::find();
    my @trouble = Touchstone::Suite::Lbt::KernelSource::trouble($source, config => $config, cc => $setup{cc}, scratch => $setup{scratch});
    # make takes neither.
    @trouble = (failures => "no kernel can be built in '$setup{places}{tmp}', whose name has a blank or a colon", 'UB_TMPDIR names another place')
        if !@trouble && $setup{places}{tmp} =~ /[\s:]/;
    return { trouble => \@trouble } if @trouble;
    $setup{progress}->note("reading the source of the kernel, $source");
    @trouble = Touchstone::Suite::Lbt::KernelSource::trouble_inside($source, scratch => $setup{scratch});
    return { trouble => \@trouble } if @trouble;
    return {
        values => { kernel => $source, config => $config, kernel_cc => $setup{cc} }, space => Touchstone::Suite::Lbt::KernelSource::space_kb($source, config => $config),
        facts  => Touchstone::Suite::Lbt::KernelSource::facts($source, config => $config, scratch => $setup{scratch}),
    };
}

# The one that is named, that of the session, or one of our own.
sub _display {
    my ($program, %setup) = @_;
    my ($display) = grep { length } map { $_ // '' } $setup{want}{'x-display'}, $ENV{DISPLAY}, $OWN_DISPLAY;
    return { trouble => [ failures => "DISPLAY is '" . Touchstone::Base::Text::short(Touchstone::Base::Text::plain($display), 60) . "', which is no display such as :0", '--x-display xvfb measures a server of its own' ] }
        if !Touchstone::Cli::Options::is_display($display);
    my ($text, @trouble) = _asked($setup{stopped}, $program, '--facts', $display);
    return { trouble => \@trouble } if @trouble;
    my %facts = $text =~ /^(\w+)=(.*)$/mg;
    return { values => { display => $display }, facts => { map { $_ => Touchstone::Base::Text::plain($facts{$_}) } keys %facts } };
}

# Without one the tests talk to a process of this machine.
sub _peer {
    my ($program, %setup) = @_;
    my $peer = $setup{want}{peer} // return { facts => { address => 'this machine' } };
    my ($text, @trouble) = _asked($setup{stopped}, $program, '--check', $peer);
    return { trouble => \@trouble } if @trouble;
    return { values => { peer => $peer }, facts => { address => $peer } };
}

# Arrays that fit into the machine, as many as the copies of a test have together.
sub _arrays {
    my ($program, %setup) = @_;
    my ($all, $free) = @{ Touchstone::Machine::Resources::memory() }{qw(all free)};
    my $size   = int max($ARRAY{least}, min($ARRAY{most}, grep { defined } defined $all ? $all * $ARRAY{part} : undef));
    my $arrays = ($setup{test}{single} ? 1 : max(@{ $setup{copies} })) * grep { /%\{array\}/ } @{ $setup{test}{args} };
    my $needed = $size * $arrays / $ARRAY{of_free};
    return { values => { array => $size } } if !defined $free || $needed <= $free;
    return { trouble => [ skipped => sprintf('%d MB of memory are needed for %s, %d MB are free', ceil($needed / 1024), $arrays == 1 ? 'the large array' : "$arrays large arrays", $free / 1024), 'end other programs, or run fewer copies (-c)' ] };
}

# What is not any more what was found, in words.
sub changes {
    my ($found) = @_;
    return map { Touchstone::Suite::Platform::Needs::changed(@$_) // () } @{ $found->{watched} || [] };
}

# Of a program that does not speak our language, such as the loader of libraries.
sub _last_words {
    my ($status, $text) = @_;
    my ($said) = map { Touchstone::Record::Channel::readable($_) } $text =~ /(\S.*)/;
    return 'it ended with status ' . ($status >> 8) . (defined $said ? ": $said" : '');
}

# What a program says, and why it cannot be used: (text, kind, why, remedy).
sub _asked {
    my ($stopped, @command) = @_;
    my ($status, $text) = Touchstone::Machine::Command::output(\@command, errors => 1, stopped => $stopped);
    return $text if $status == 0;
    my $got = Touchstone::Record::Channel::parse($text);
    my ($why, $remedy) = split /; /, $got->{error} // $got->{skip} // _last_words($status, $text), 2;
    return ($text, $status >> 8 == $SKIPPED ? 'skipped' : 'failures', $why, $remedy);
}

1;
