# SPDX-License-Identifier: GPL-2.0-or-later
# Compare::SelfCompare - a run whose rounds belong in turn to one half and to the other, the same programs in
# both: by how much the halves differ is what this machine cannot tell. It is kept for compare in
# .runs/self/HOST.json:
#
#   {
#     "format": 1,
#     "host": "vm",
#     "model": "Xeon",
#     "run": "vm-2026-11-21-01",
#     "smallest": { "1 pipe": 0.0041, ... }
#   }
package Touchstone::Compare::SelfCompare;
use 5.014;
use strict;
use warnings;

use List::Util qw(max);

use Touchstone::Base::Directories;
use Touchstone::Compare::Differences;
use Touchstone::Compare::Run;
use Touchstone::Compare;
use Touchstone::Machine::File;
use Touchstone::Record::Json;
use Touchstone::Record::Warnings;
use Touchstone::Record;
use Touchstone::Score;

my $FORMAT = 1;

# The comparison of the halves of a run.
sub comparison {
    my ($facts, $results) = @_;
    return Touchstone::Compare::compare(runs => [ map { _half($facts, $results, $_) } 0, 1 ]);
}

# The facts of the whole run hold for its halves.
sub _half {
    my ($facts, $results, $parity) = @_;
    my @places =
        grep { my $round = $facts->{passes}[$_]{round}; $round > 0 && $round % 2 != $parity }
        0 .. $#{ $facts->{passes} };
    my %half = (
        %$facts,
        name     => $parity ? 'the even rounds' : 'the odd rounds',
        passes   => [ @{ $facts->{passes} }[@places] ],
        warnings => Touchstone::Record::Warnings::collect($facts, $results)
    );
    my @rates = map { my %rates = %$_; delete $rates{marks}; \%rates } @{ $results->{passes} }[@places];
    return Touchstone::Compare::Run::from_record(\%half, Touchstone::Score::scores(\%half, rates => \@rates));
}

# { '1 pipe' => part }: what was seen as a difference, or could have hidden.
sub smallest {
    my ($comparison) = @_;
    my ($pair)       = @{ $comparison->{pairs} };
    my %smallest;
    for my $figure (grep { $_->{interval} } @{ $pair->{tests} }, @{ $pair->{indexes} }) {
        my $middle = sqrt($figure->{interval}[0] * $figure->{interval}[1]);
        $smallest{ $figure->{key} } =
            max($figure->{interval}[1] / $middle - 1, max($middle, 1 / $middle) - 1);
    }
    return \%smallest;
}

# The figures of other tests stay as they were.
sub store {
    my ($places, $record, $smallest) = @_;
    Touchstone::Machine::File::make_directory("$places->{runs}/self");
    my ($name, $model) = _machine(Touchstone::Compare::Differences::of_record($record));
    my $before = eval { _read($places, $name, $model) };
    my %known  = (%{ $before || {} }, %$smallest);
    my %data =
        (format => $FORMAT, host => $name, model => $model, run => $record->{name}, smallest => \%known);
    return Touchstone::Machine::File::write_file(_file($places, $name),
        Touchstone::Record::Json::encode(\%data));
}

# Returns the limits that were stored for the machine of all these runs, or {}.
sub find {
    my ($places, @runs) = @_;
    my %machines = map { join("\n", _machine($_->{facts})) => $_->{facts} } @runs;
    return {} if keys %machines != 1;
    return _read($places, _machine(values %machines));
}

sub _machine {
    my ($facts) = @_;
    return map { $_ // 'unknown' } @$facts{ 'h name', 'h model' };
}

sub _file {
    my ($places, $name) = @_;
    return "$places->{runs}/self/" . Touchstone::Base::Directories::file_name($name) . '.json';
}

sub _read {
    my ($places, $name, $model) = @_;
    my $file = _file($places, $name);
    return {} if !-f $file;
    my $data;
    eval { $data = Touchstone::Record::Json::decode(Touchstone::Record->text_of($file)); 1 }
        or die "'$file' is damaged: $@";
    my %text =
        map { $_ => ref $data eq 'HASH' && !ref $data->{$_} ? $data->{$_} // '' : '' } qw(format host model);
    die "'$file' is damaged: it is not a result of self-compare\n"
        if $text{format} ne $FORMAT || ref $data->{smallest} ne 'HASH';
    return {} if $text{host} ne $name || $text{model} ne $model;
    my %smallest = %{ $data->{smallest} };
    return {
        map  { $_ => $smallest{$_} }
        grep { ($smallest{$_} // '') =~ /\A\d{1,3}(?:\.\d{1,20})?(?:e-?\d\d?)?\z/ } keys %smallest
    };
}

1;
