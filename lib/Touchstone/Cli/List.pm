# SPDX-License-Identifier: GPL-2.0-or-later
# Cli::List - the command list: what it knows of tests and groups: how long they take in the default schedule,
# and what they lack here. It starts no program that is measured, so what only these find out, such as a
# server that does not answer, is left to the run.
package Touchstone::Cli::List;
use 5.014;
use strict;
use warnings;

use Touchstone::Base::Directories;
use Touchstone::Base::Text qw(plain);
use Touchstone::Base::Trouble qw(or_refuse);
use Touchstone::Build;
use Touchstone::Cli::Output;
use Touchstone::Machine::Identity;
use Touchstone::Record;
use Touchstone::Record::Json;
use Touchstone::Run::Needs;
use Touchstone::Run::Plan;
use Touchstone::Run::Preflight;
use Touchstone::Score;
use Touchstone::Suite;
use Touchstone::Terminal;

# The word that means every test of every suite, whatever group has that name.
our $ALL = 'all';

# `places` are those of Base::Directories; without them nothing is known of what is lacking.
sub new {
    my ($class, $suite, $places) = @_;
    my @tests = Touchstone::Run::Needs::supported_tests({}, $suite->tests);
    my $self  = bless {
        suite  => $suite,
        tests  => \@tests,
        row    => { map { $_->{name}       => $_ } @tests },
        place  => { map { $tests[$_]{name} => $_ } 0 .. $#tests },
        lacks  => {},
        groups => $suite->groups,
        runs   => $places && $places->{runs},
    }, $class;
    $self->_look_at($places) if $places;
    return $self;
}

sub suite { return $_[0]{suite} }

# Rows in the order of the suites, all of them or those of these names.
sub tests {
    my ($self, @names) = @_;
    return @{ $self->{tests} } if !@names;
    return sort { $self->{place}{ $a->{name} } <=> $self->{place}{ $b->{name} } } @{ $self->{row} }{@names};
}

# Rows of a test, a group or a suite, or all of them. Dies with the nearest names where a word is neither.
sub named {
    my ($self, $word) = @_;
    return $self->tests                              if $word eq $ALL;
    return $self->tests($word)                       if $self->{row}{$word};
    return $self->tests(@{ $self->{groups}{$word} }) if $self->{groups}{$word};
    my $suites = $self->{suite}{suites};
    return grep { $_->{suite} eq $word } $self->tests if $suites->{$word};
    die Touchstone::Suite::unknown($word, map { keys %$_ } $self->{row}, $self->{groups}, $suites);
}

# What one copy of these tests takes: { seconds, most, open => whether a test takes as long as it takes }.
sub time_of {
    my ($self, @tests) = @_;
    my $plan = Touchstone::Run::Plan::make(schedule => 'default', copies => [1], seed => 1, tests => \@tests);
    return {
        seconds => $plan->{seconds} - $plan->{open},
        most    => $plan->{most} - $plan->{open},
        open    => $plan->{open} > 0 ? 1 : 0
    };
}

# How a test is measured in the default schedule: (passes, window in seconds).
sub passes_of {
    my ($self, $test) = @_;
    my $plan = Touchstone::Run::Plan::make(schedule => 'default', copies => [1], seed => 1, tests => [$test]);
    my @passes = grep { $_->{round} } map { @{ $_->{passes} } } @{ $plan->{blocks} };
    return (scalar @passes, $passes[0]{window});
}

# "'dc' is not installed; install the package dc", or undef.
sub lacks { my ($self, $test) = @_; return $self->{lacks}{ $test->{name} } }

# What an operation of a test costs, in the newest run of this machine that has it, or nothing: (its result,
# the name of the run, copies).
sub cost_of {
    my ($self, $test) = @_;
    my @found;
    my $host  = Touchstone::Machine::Identity::name();
    my $shows = sub {
        my ($run) = @_;
        return if $run->{host}{name} ne $host || !grep { $_->{test} eq $test->{name} } @{ $run->{passes} };
        my @passes = grep { $_->{test} eq $test->{name} } @{ $run->{passes} };
        @found =
            map  { [ $_->[1], $run->{name}, $_->[0] ] }
            grep { $_->[1]{cost} && !defined $_->[1]{cost}{why} }
            map {
            my $copies = $_->{copies};
            map { [ $copies, $_ ] } @{ $_->{tests} }
            } @{ Touchstone::Score::scores({ %$run, passes => \@passes })->{blocks} };
        return scalar @found;
    };
    Touchstone::Record->newest($self->{runs}, $shows) if defined $self->{runs};
    return @{ $found[0] || [] };
}

# True where the programs of the tree have not been built yet, which the next run does.
sub is_unbuilt { return $_[0]{unbuilt} }

# Groups as { names => [aliases], tests => [rows] }, those of a suite together, in the order of the suites.
sub groups {
    my ($self) = @_;
    my (%names, %of);
    for my $name (sort keys %{ $self->{groups} }) {
        push @{ $names{"@{ $self->{groups}{$name} }"} }, $name;
    }
    for my $suite (values %{ $self->{suite}{suites} }) {
        $of{$_} = $suite->{order} for keys %{ $suite->{groups} || {} };
    }
    return map { +{ names => $_, tests => [ $self->tests(@{ $self->{groups}{ $_->[0] } }) ] } }
        sort { $of{ $a->[0] } <=> $of{ $b->[0] } || $a->[0] cmp $b->[0] } values %names;
}

# Names of the groups that a test is in.
sub groups_of {
    my ($self, $test) = @_;
    return grep {
        grep { $_ eq $test->{name} }
            @{ $self->{groups}{$_} }
    } sort keys %{ $self->{groups} };
}

sub _is_built {
    my ($places, $test) = @_;
    return !grep { !-e } "$places->{bin}/$test->{program}",
        map { "$places->{testdir}/$_" } @{ $test->{inputs} };
}

# In a tree that has built nothing, a missing program tells nothing of what is lacking.
sub _look_at {
    my ($self, $places) = @_;
    my $builds = $places->{source} && $places->{own_bin};
    my %here   = (
        %$places,
        cc     => (split ' ', Touchstone::Build::compiler())[0],
        copies => [1],
        sides  => 1,
        needs  => { trouble => Touchstone::Run::Needs::lacking() }
    );
    $self->{unbuilt} = $builds && !grep { -e "$places->{bin}/$_->{program}" } $self->tests;
    my (undef, $lost) = Touchstone::Run::Preflight::sort_out(\%here, $self->tests);
    for my $one (@$lost) {
        my $test  = $self->{row}{ $one->{test} };
        my $later = $builds
            && ($one->{kind} eq 'failures' ? !_is_built($places, $test) : $self->{unbuilt}
            && $test->{library});
        my @lacks =
            $later ? Touchstone::Run::Preflight::lacks_command($here{cc}, $test) : @$one{qw(kind why remedy)};
        shift @lacks;
        $self->{lacks}{ $one->{test} } = join '; ', grep { defined } @lacks if @lacks;
    }
    return;
}

# Prints tests and groups, for people or as JSON.
# The names of the stored runs, the newest first.
sub _print_runs {
    my ($directory) = @_;
    my %time;
    for my $file (Touchstone::Record->files($directory)) {
        $time{ Touchstone::Record::stem($file) } = (stat "$directory/$file")[9] // 0;
    }
    my @names = sort { $time{$b} <=> $time{$a} || $b cmp $a } keys %time;
    return Touchstone::Cli::Output::say(join '', map { plain($_) . "\n" } @names) if @names;
    die "no stored runs in '$directory'\n";
}

sub run {
    my ($options, %at) = @_;
    my @words       = @{ $options->{operands} };
    my $directories = Touchstone::Base::Directories::find($at{base});
    require Touchstone::Cli::ListText;
    return _print_runs($directories->{runs}) if "@words" eq $Touchstone::Cli::ListText::RUNS;
    my $catalogue = Touchstone::Cli::List->new(Touchstone::Suite::load(), $directories);
    my $text      = or_refuse(
        sub {
            $options->{json}
                ? _json($catalogue, @words)
                : Touchstone::Cli::ListText::text(
                $catalogue,
                Touchstone::Terminal->detect(\*STDOUT),
                Touchstone::Cli::Output::command_line(), @words
                );
        }
    );
    return Touchstone::Cli::Output::say($text);
}

# Programs get every test unless they name some.
sub _json {
    my ($catalogue, @words) = @_;
    my $suite      = $catalogue->suite;
    my %categories = map { $_->[0] => $_->[1] } $suite->categories;
    my @tests      = map {
        my $t = $_;
        {
            category => $categories{ $t->{category} },
            seconds  => $catalogue->time_of($t)->{seconds},
            lacks    => $catalogue->lacks($t),
            map { $_ => $t->{$_} } qw(name title about suite class index better)
        }
    } @words ? map({ $catalogue->named($_) } @words) : $catalogue->tests;
    return Touchstone::Record::Json::encode({ tests => \@tests, groups => $suite->groups });
}

1;
