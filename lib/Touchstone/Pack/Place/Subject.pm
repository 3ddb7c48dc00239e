# SPDX-License-Identifier: GPL-2.0-or-later
# Pack::Place::Subject - results of UnixBench's index in a run, a report or a record, as entries of a table
# (Pack::Place::Table): one for each number of copies with all twelve tests.
#
#   { ..., interval => [1059, 1081], name => 'vm-2026-11-26-01', facts => those of Compare::Differences }
package Touchstone::Pack::Place::Subject;
use 5.014;
use strict;
use warnings;

use Touchstone::Base::Text qw(plain);
use Touchstone::Base::Time qw(date);
use Touchstone::Compare::Differences;
use Touchstone::Pack::Place::Table qw(@TESTS index_of);
use Touchstone::Score::Index;

# Results of a report as Compare::Run has it. Indexes are computed from the scores, because a record may have
# another reference.
sub of_run {
    my ($run) = @_;
    my (%scores, %index);
    for my $test (grep { !$_->{part} && !defined $_->{unlike} } values %{ $run->{tests} }) {
        $scores{ $test->{copies} }{ $test->{name} } = $test->{score};
    }
    for my $key (keys %{ $run->{indexes} }) {
        my ($copies, $name) = split / /, $key, 2;
        $index{$copies} = $run->{indexes}{$key} if _is_of_machine($name);
    }
    my %about = _about($run->{name}, $run->{tool}, $run->{facts});
    return map { _of_copies(\%about, $_, $scores{$_}, $index{$_}) }
        sort { $a <=> $b } keys %scores;
}

# The same of a record, from its facts and its results.
sub of_record {
    my ($facts, $results) = @_;
    my @whole = grep { _has_index($_) } @{ $results->{blocks} } or return;
    my %about = (
        _about($facts->{name}, $facts->{tool}, Touchstone::Compare::Differences::of_record($facts)),
        date => defined $facts->{started} ? date('%Y-%m-%d', @$facts{qw(started utc_offset)}) : ''
    );
    return map {
        my ($index) = grep { _is_of_machine($_->{key}) } @{ $_->{indexes} || [] };
        _of_copies(\%about, $_->{copies}, { map { $_->{name} => $_->{score} } @{ $_->{tests} } }, $index)
    } @whole;
}

sub _is_of_machine { my ($key) = @_; return Touchstone::Score::Index::name_of($key) eq 'index' }

sub _has_index {
    my ($block) = @_;
    my %score   = map { $_->{name} => $_->{score} } @{ $block->{tests} };
    return !grep { !$score{$_} || $score{$_} <= 0 } @TESTS;
}

sub _about {
    my ($name, $tool, $facts) = @_;
    my $version = $tool->{version} // '';
    return (
        name    => $name,
        machine => plain($facts->{'h name'}  // $name // ''),
        cpu     => plain($facts->{'h model'} // ''),
        class   => _class($facts),
        date    => '',
        version => ($tool->{name} // '') eq 'UnixBench' ? $version : "Touchstone $version",
        facts   => $facts,
        ($facts->{'h usable_cpus'} // '') =~ /\A([1-9]\d*)\z/a ? (cpus => 0 + $1) : ()
    );
}

sub _of_copies {
    my ($about, $copies, $scores, $index) = @_;
    return if grep { !$scores->{$_} || $scores->{$_} <= 0 } @TESTS;
    my $score = index_of($scores, @TESTS);
    my $scale = $index && $index->{score} && $index->{interval} ? $score / $index->{score} : undef;
    return {
        %$about,
        copies => $copies,
        index  => $score,
        scores => { map { $_ => $scores->{$_} } @TESTS },
        $scale ? (interval => [ map { $_ * $scale } @{ $index->{interval} } ]) : ()
    };
}

# The class of a machine that is known to be virtual; that of others is unknown.
my %CLASS = (container => 'emulated or container', virtualisation => 'virtual machine');

sub _class {
    my ($facts) = @_;
    my ($kind) = grep { ($facts->{"h $_"} // '') !~ /\A(?:|none|unknown|no)\z/ } qw(container virtualisation);
    return $kind ? $CLASS{$kind} : 'not stated';
}

# The row of a table for such an entry.
sub row {
    my ($entry) = @_;
    my $facts   = $entry->{facts};
    my %of      = map { $_ => $facts->{"h $_"} // '' } qw(os release machine virtualisation);
    return {
        (map { $_ => $entry->{$_} } qw(machine cpu class cpus date copies)),
        kind       => $of{virtualisation},
        os_kernel  => join(' ', grep { length } @of{qw(os release)}),
        unixbench  => $entry->{version},
        arch       => $of{machine},
        index      => sprintf('%.1f', $entry->{index}),
        index_from => 'computed',
        (map { $_ => sprintf '%.1f', $entry->{scores}{$_} } @TESTS),
        flags       => $facts->{'b flags'}            // '',
        note        => $facts->{'b compiler_version'} // '',
        source      => $entry->{name},
        transcribed => 'no'
    };
}

1;
