# SPDX-License-Identifier: GPL-2.0-or-later
# Report::Figures - a run, or a comparison, as a flat list of figures, from which Report::Export makes what
# other people's programs read. A run gives
#
#   {
#       run     => { name, host, started, ended, version, passport, valid => 1, why => undef },
#       figures => [
#           {
#               kind => 'test',            or 'index'
#               suite => 'unixbench', test => 'pipe', title => 'Pipe Throughput',
#               copies => 1, unit => 'lps', better => 'higher',
#               score => 3237107.4, low => 3230011.8, high => 3241912.5,    without an interval undef
#               index => 2602.2, passes => 6, disturbed => 0, user_seconds => 1e-8 and so on of Report::Run::Cost
#           }
#       ],
#       lost    => [ { test, copies, what => 'failed' or 'skipped', why } ]
#   }
#
# An index is known by the group of its tests: index, bytemark-memory. A comparison gives, for each pair of
# runs,
#
#   { of => 'the first run', name => 'the second', valid => 1, why => undef,
#     figures => [ { kind, test, title, copies, unit, scores, ratio, low, high, verdict } ] }
package Touchstone::Report::Figures;
use 5.014;
use strict;
use warnings;

use Exporter qw(import);

use Touchstone::Base::Text qw(copies plain_data);
use Touchstone::Record::Warnings;
use Touchstone::Report::Run::Cost;

our @EXPORT_OK = qw(label exact);

# The index of the machine has this key in records, and this name as a group.
my %GROUP = (system => 'index');

sub of_run {
    my (undef, $facts, $results) = @_;
    my %suite   = map { $_->{name} => $_->{suite} // '' } @{ $facts->{tests} };
    my $invalid = Touchstone::Record::Warnings::why_invalid($facts, $results);
    return plain_data(
        {
            run => {
                name     => $facts->{name},
                host     => $facts->{host}{name},
                started  => $facts->{started},
                ended    => $facts->{ended} // $facts->{started},
                version  => $facts->{tool}{version},
                passport => _digest($facts->{passport}),
                valid    => $invalid ? 0 : 1,
                why      => $invalid && $invalid->{text}
            },
            figures => [ map { _block($_, \%suite) } @{ $results->{blocks} } ],
            lost    => [ map { _lost($facts, @$_) } [ failed => 'failures' ], [ skipped => 'skipped' ] ]
        }
    );
}

sub _digest { my ($passport) = @_; return ref $passport ? $passport->{digest} : $passport }

sub _block {
    my ($block, $suite) = @_;
    return (
        (map { _figure('test', $block, $_->{name}, $suite->{ $_->{name} }, $_) } @{ $block->{tests} }),
        map {
            _figure(
                'index', $block,
                $GROUP{ $_->{key} } // $_->{key},
                $suite->{ $_->{tests}[0] },
                { %$_, unit => 'index', better => 'higher', index => $_->{score} }
            )
        } @{ $block->{indexes} }
    );
}

sub _figure {
    my ($kind, $block, $name, $suite, $result) = @_;
    my ($low, $high) = @{ $result->{interval} || [] };
    return {
        kind   => $kind,
        suite  => $suite // '',
        test   => $name,
        copies => $block->{copies},
        low    => $low,
        high   => $high,
        %{ Touchstone::Report::Run::Cost::figures($result) },
        map { $_ => $result->{$_} } qw(title unit better score index passes disturbed partial)
    };
}

sub _lost {
    my ($facts, $what, $list) = @_;
    return
        map { +{ what => $what, test => $_->{test}, copies => $_->{copies}, why => $_->{why} } }
        @{ $facts->{$list} || [] };
}

sub of_comparison {
    my ($comparison) = @_;
    return @{
        plain_data(
            [
                map {
                    my $pair = $_;
                    {
                        of   => $comparison->{runs}[0],
                        name => $pair->{name},
                        _valid(@{ $pair->{invalid} || [] }),
                        unlike  => $comparison->{unlike},
                        figures => [
                            (map { _judged('index', $_) } @{ $pair->{indexes} }),
                            map { _judged('test', $_) } @{ $pair->{tests} }
                        ]
                    }
                } @{ $comparison->{pairs} }
            ]
        )
    };
}

# Whether the runs of a pair are valid, and if not, why: then nothing is judged.
sub _valid {
    my (@invalid) = @_;
    return (valid => 1) if !@invalid;
    return (valid => 0, why => join '; ', map { "$_->{label} is not valid: $_->{text}" } @invalid);
}

sub _judged {
    my ($kind, $figure) = @_;
    my ($low,  $high)   = @{ $figure->{interval} || [] };
    return {
        kind => $kind,
        test => $figure->{name},
        low  => $low,
        high => $high,
        map { $_ => $figure->{$_} } qw(title copies unit scores ratio verdict why)
    };
}

# "pipe, 1 copy": what people call a figure.
sub label {
    my ($figure) = @_;
    return "$figure->{test}, " . copies($figure->{copies});
}

# A number with all digits that a reader of doubles needs.
sub exact { my ($number) = @_; return sprintf '%.15g', $number }

1;
