# SPDX-License-Identifier: GPL-2.0-or-later
# Run::Request - what the words of the command line ask of a run, checked against all that is known without
# writing anything or starting a program. A request never changes:
#
#   {
#     want     => the words, as Cli::Options gives them,
#     suite    => the list of suites,
#     tests    => [ rows, as the words change them ],
#     places   => where results go and what is measured usually,
#     builds   => [ places of each build that is to be measured ],
#     cpus     => what Machine::Cpus tells,
#     cc       => the compiler that tests measure,
#     asked    => { key => value } that suites take from the words into the record,
#     schedule => { what Plan::make takes beside the tests },
#     resumed  => the record that the run goes on with, or undef,
#   }
package Touchstone::Run::Request;
use 5.014;
use strict;
use warnings;

use Hash::Util qw(lock_hash);
use Time::HiRes qw(time);

use Touchstone::Base::Frozen qw(frozen);
use Touchstone::Base::Directories;
use Touchstone::Base::Trouble qw(or_refuse refuse);
use Touchstone::Build::Sets;
use Touchstone::Build;
use Touchstone::Machine::Cpus;
use Touchstone::Run::Needs;
use Touchstone::Suite;

my $UNNAMED = "name the tests: no suite here has tests by default\ntry: ./Run list\n";

# A machine is compared with itself in this many rounds.
my $SELF_COMPARE_ROUNDS = 12;

# Makes a request. `base` is the tree of the command. It dies when the words ask for what cannot be.
sub make {
    my ($options, $base) = @_;
    my $suite  = Touchstone::Suite::load();
    my @tests  = $options->{command} eq 'resume' ? () : _expanded($suite, @{ $options->{tests} });
    my $places = Touchstone::Base::Directories::find($base);
    my $resumed;
    if ($options->{command} eq 'resume') {
        require Touchstone::Run::Resume;
        ($resumed, $options) = Touchstone::Run::Resume::reopen($options, $places, $suite);
        @tests = $suite->expand(@{ $options->{tests} });
    }
    my $cpus = Touchstone::Machine::Cpus::read_all();
    _check_cpus($options, $cpus);
    _check_idle($options, @tests);
    my %request = (
        want     => $options,
        suite    => $suite,
        tests    => [ Touchstone::Run::Needs::supported_tests($options, _changed($options, @tests)) ],
        places   => $places,
        cpus     => $cpus,
        cc       => Touchstone::Build::compiler(),
        schedule => _schedule($options, $cpus),
        builds   => [ _builds($options, $places) ],
        asked    => _asked($options),
        resumed  => $resumed,
    );
    lock_hash(%request);
    return frozen(\%request);
}

sub _expanded {
    my ($suite, @names) = @_;
    @names = $suite->default->{group} // refuse($UNNAMED) if !@names;
    my @tests = or_refuse(sub { $suite->expand(@names) });
    return @tests;
}

# The rows with the keys of Plan that a command sets for its tests: { rows => { commit => { most_copies => 1
# } } }.
sub _changed {
    my ($options, @tests) = @_;
    my $rows = $options->{rows} || {};
    return map { $rows->{ $_->{name} } ? { %$_, %{ $rows->{ $_->{name} } } } : $_ } @tests;
}

sub _check_cpus {
    my ($options, $cpus) = @_;
    my %usable = map  { $_ => 1 } @{ $cpus->{usable} };
    my @absent = grep { !$usable{$_} } Touchstone::Machine::Cpus::list_of($options->{pin} // '');
    refuse("--pin cannot use CPU $absent[0]: usable are " . _ranges(@{ $cpus->{usable} }) . "\n")
        if @absent;
    return;
}

# "0-3,8" of 0, 1, 2, 3 and 8.
sub _ranges {
    my (@ids) = @_;
    my @ranges;
    for my $id (@ids) {
        if (@ranges && $id == $ranges[-1][1] + 1) { $ranges[-1][1] = $id }
        else                                      { push @ranges, [ $id, $id ] }
    }
    return join ',', map { $_->[0] == $_->[1] ? $_->[0] : "$_->[0]-$_->[1]" } @ranges;
}

sub _check_idle {
    my ($options, @tests) = @_;
    my ($idle) = Touchstone::Run::Needs::idle_options($options, @tests) or return;
    my $belongs = Touchstone::Run::Needs::belongs_to($idle);
    refuse("--$idle has no effect on these tests: $belongs\n");
}

sub _schedule {
    my ($options, $cpus) = @_;
    return {
        copies   => [ _copies($options, $cpus) ],
        schedule => kind($options),
        seed     => $options->{seed} // int(time * 1e6 + $$) % 1e9,
        usable   => $cpus->{usable_count},
        _sides($options, $cpus),
        $options->{command} eq 'self-compare' ? (rounds => $SELF_COMPARE_ROUNDS) : (),
        map { $_ => $options->{$_} } qw(iterations precision budget limit rows within),
    };
}

# The schedule that the words ask for.
sub kind {
    my ($options) = @_;
    return 'quick' if $options->{quick};
    return $options->{classic} || $options->{iterations} ? 'classic' : 'default';
}

# Several builds take turns, unless two are to run at once. The classic schedule knows passes only.
sub _sides {
    my ($options, $cpus) = @_;
    if ($options->{concurrent}) {
        my @pinned = Touchstone::Machine::Cpus::list_of($options->{pin} // '');
        return (sides => 2, cpus => @pinned || $cpus->{usable_count});
    }
    my $sides = $options->{command} eq 'duet' ? 2 : @{ $options->{build} || [] };
    return if $sides < 2;
    return (
        sides  => $sides,
        cpus   => 0,
        margin => $options->{'fail-on'},
        turns  => kind($options) eq 'classic' ? 0 : 1
    );
}

# The default is one copy, and as many as there are usable CPUs. -c says others, each of which counts once.
# --scaling adds its own, and they go up.
sub _copies {
    my ($options, $cpus) = @_;
    my %seen;
    my @asked = map { $_ + 0 } @{ $options->{copies} };
    return grep { !$seen{$_}++ } @asked ? @asked : (1, $cpus->{usable_count}) if !$options->{scaling};
    my @all = sort { $a <=> $b } grep { !$seen{$_}++ } @asked, _steps($cpus->{usable_count});
    return @all;
}

# 1, 2, 4 ... copies up to the CPUs, all of them, and twice as many.
sub _steps {
    my ($cpus) = @_;
    my @steps = ($cpus, 2 * $cpus);
    for (my $n = 1; $n < $cpus; $n *= 2) { push @steps, $n }
    return @steps;
}

sub _builds {
    my ($options, $places) = @_;
    if ($options->{command} eq 'duet') {
        my $tree = Touchstone::Build::Sets::tree($places);
        return map { Touchstone::Base::Directories::of_build($places, $_, $tree) } @{ $options->{operands} };
    }
    my @sets = @{ $options->{build} || [] } or return $places;
    return map { Touchstone::Build::Sets::places($places, $_) } @sets;
}

sub _asked {
    my ($options) = @_;
    my @hear  = grep { defined } map { $_->can('asked') } values %{ Touchstone::Suite::packages('Options') };
    my $asked = eval {
        +{ map { %{ $_->($options) } } @hear };
    } or refuse($@);
    return $asked;
}

1;
