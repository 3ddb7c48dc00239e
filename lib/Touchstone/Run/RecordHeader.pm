# SPDX-License-Identifier: GPL-2.0-or-later
# Run::RecordHeader - makes what a record begins with: facts about machine and build, what was asked for, and
# what it is measured against.
package Touchstone::Run::RecordHeader;
use 5.014;
use strict;
use warnings;

use Time::Local qw(timegm);

use Touchstone::Build;
use Touchstone::Base::Time;
use Touchstone::Machine::Cpus;
use Touchstone::Machine;
use Touchstone::Run::Needs;
use Touchstone;

# Makes the head of a record, of the places of its programs. `run` is what Run::Session was given; `duet` is
# the identity that the records of a duet share, or undef.
sub make {
    my ($places,  $run, $duet) = @_;
    my ($request, $survey) = @$run{qw(request survey)};
    my ($options, $suite, $baselines, @tests) =
        (@$request{qw(want suite)}, $survey->{baselines}, @{ $request->{tests} });
    my $host = Touchstone::Machine::host_facts($request->{cpus}, $places->{tmp});
    $host->{clock_cost_ns} = Touchstone::Machine::clock_cost($places->{bin});
    my $build    = Touchstone::Build::complete($places->{bin}, @tests);
    my $now      = Touchstone::Base::Time::now();
    my $suites   = $suite->suites_of(@tests);
    my %versions = map { $_ => $suites->{$_}{version} } keys %$suites;
    return {
        tool       => { name => 'Touchstone', version => $Touchstone::VERSION },
        started    => $now,
        utc_offset => utc_offset($now),
        host       => $host,
        build      => $build,
        locale     => Touchstone::Machine::locale_facts(),
        status     => 'running',
        suites     => \%versions,
        passport   => Touchstone::Build::passport(%$build, suites => \%versions),
        purpose    => $survey->{purpose},
        programs   => $places->{bin},
        duet       => $duet,
        set        => $places->{set} && { map { $_ => $places->{set}{$_} } qw(name asked) },
        ref $options->{again}    ? (again    => $options->{again})                  : (),
        $options->{campaign_run} ? (campaign => $options->{campaign_run}{campaign}) : (),
        schedule       => _schedule(@$run{qw(plan survey)}),
        pin            => $options->{pin} // _placement($survey),
        brief          => $options->{brief} ? 1 : 0,
        price          => ($options->{price} || [])->[0],
        scaling_wanted => $options->{scaling} ? 1 : 0,
        tests          => [ map { _test($_, $baselines->{scores}) } @tests ],
        categories     => [ _categories($suite, $baselines->{scores}) ],
        indexes        => $baselines->{indexes},
        baseline       => $baselines->{name},
        equipment      => $survey->{needs}{facts},
        wanted         => _wanted($options),
        %{ $request->{asked} },
        published => %{ $baselines->{published} } ? $baselines->{published} : undef,
    };
}

# The seconds that local time is ahead. Time::Local takes a year of more than three digits as it is, and
# others as one of a century near this one.
sub utc_offset {
    my ($now) = @_;
    my @local = localtime $now;
    $local[5] += 1900;
    return timegm(@local) - int $now;
}

# The copies of builds that take turns have a CPU each.
sub _placement {
    my ($survey) = @_;
    return $survey->{schedule}{turns} && Touchstone::Machine::Cpus::can_place() ? 'spread' : 'none';
}

# The record has all that is needed to plan the rest of a run that was cut off.
sub _schedule {
    my ($plan, $survey) = @_;
    my $wanted = $survey->{schedule};
    return {
        kind      => $plan->{schedule},
        copies    => $wanted->{copies},
        precision => $plan->{precision},
        (map { $_ => $plan->{$_} } grep { $plan->{$_} } qw(most_rounds margin within)),
        $wanted->{rows} ? (rows => $wanted->{rows}) : (),
        map { $_ => $plan->{$_} // $wanted->{$_} } qw(seed rounds iterations budget limit)
    };
}

# Returns the words of the command line that name what is measured.
sub _wanted {
    my ($options) = @_;
    my %words =
        map { $_ => $options->{$_} } grep { defined $options->{$_} } Touchstone::Run::Needs::options();
    return %words ? \%words : undef;
}

sub _test {
    my ($test, $baselines) = @_;
    my $baseline = $baselines->{ $test->{name} };
    return {
        baseline  => $baseline->{score},
        baselines => $baseline->{by_copies},
        $test->{better} eq 'lower' ? (better => 'lower') : (),
        (
            map  { $_ => $test->{$_} }
            grep { defined $test->{$_} } qw(per scale rule requires unlike verdict tail late)
        ),
        map { $_ => $test->{$_} } qw(name title category suite version)
    };
}

# A category without an index has a mean of the tests that have a baseline, as UnixBench prints it.
sub _categories {
    my ($suite, $baselines) = @_;
    return map {
        my ($key, $title, $separate) = @$_;
        my @mine  = grep { $_->{category} eq $key } $suite->tests;
        my @index = map  { $_->{name} } grep { $_->{index} } @mine;
        my @based = map  { $_->{name} } grep { $_->{baseline} || $baselines->{ $_->{name} } } @mine;
        +{
            key   => $key,
            title => $title,
            $separate ? (separate => 1) : (),
            index => \@index,
            @index || $separate || !@based ? () : (based => \@based)
        }
    } $suite->categories;
}

1;
