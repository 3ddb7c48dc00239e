# SPDX-License-Identifier: GPL-2.0-or-later
# Run::Resume - goes on with a run that was cut off: what it was to be, and whether this is still the machine
# and the build that it began on.
package Touchstone::Run::Resume;
use 5.014;
use strict;
use warnings;

use Touchstone::Base::Trouble;
use Touchstone::Build::Sets;
use Touchstone::Compare::Differences;
use Touchstone::Record::Journal;
use Touchstone::Run::Needs;
use Touchstone::Run::Preamble;

# Returns (record, what was wanted), as the record tells; `want` has what may change: quiet, verbose, strict.
sub reopen {
    my ($options, $places, $suite) = @_;
    my $record = eval {
        Touchstone::Record::Journal->reopen($options->{operands}[0],
            $places->{runs}, ($options->{campaign_run} || {})->{taken});
    }
        or _refuse($@);
    my $data     = $record->data;
    my $schedule = $data->{schedule};
    _refuse("cannot resume '$data->{name}': runs of several builds cannot be resumed\n")
        if ($data->{purpose} // '') eq 'duet';
    _refuse("cannot resume '$data->{name}': an older version recorded it, without the numbers of copies\n")
        if !@{ $schedule->{copies} || [] };
    _refuse("cannot resume '$data->{name}': it has no test that can be measured\n") if !@{ $data->{tests} };
    _check_known($suite, $data);
    my %wanted = (
        %$options, (map { $_ => $data->{wanted}{$_} } Touchstone::Run::Needs::options()),
        build   => [ $data->{set} ? Touchstone::Build::Sets::asked($data->{set}) : () ],
        copies  => $schedule->{copies},
        pin     => $data->{pin},
        brief   => $data->{brief},
        scaling => undef,
        tests   => [ map { $_->{name} } @{ $data->{tests} } ],
        map({ $_ => $schedule->{$_} } qw(seed iterations precision budget limit rows within)),
        command           => ($data->{purpose} // '') eq 'self-compare' ? 'self-compare' : 'measure',
        $schedule->{kind} => 1,
    );
    return ($record, \%wanted);
}

sub _check_known {
    my ($suite, $data) = @_;
    my %known = map  { $_->{name} => 1 } $suite->tests;
    my @gone  = grep { !$known{$_} } map { $_->{name} } @{ $data->{tests} };
    _refuse("cannot resume '$data->{name}': no suite here has " . join(', ', @gone) . "\n") if @gone;
    return;
}

# A run that cannot be gone on with may be begun anew, which other troubles do not call for.
sub _refuse {
    my ($why) = @_;
    die { exit => $Touchstone::Base::Trouble::USAGE, message => $why, refused => 1 };
}

# Passes of two machines or builds in one record would be no run.
sub check_same {
    my ($then, $now) = @_;
    my @differ =
        Touchstone::Compare::Differences::differences(map { Touchstone::Compare::Differences::of_record($_) }
            $then,
        { %$now, schedule => $then->{schedule} });
    return if !@differ;
    my $what = join '; ', map {
              $_->{values}[0] eq $_->{values}[1]
            ? $_->{values}[1]
            : "$_->{thing} was $_->{values}[0], is $_->{values}[1]"
    } @differ;
    return _refuse("cannot resume '$then->{name}', something has changed since then: $what\n");
}

# Dies unless all that the first part measured can still be measured: its passes would be lost otherwise.
sub check_lost {
    my ($then, @lost) = @_;
    my %known = map { _lost($_) => 1 } @{ $then->{failures} }, @{ $then->{skipped} };
    my @lines =
        Touchstone::Run::Preamble::losses(grep { !$known{ $_->{test} } && !$known{ _lost($_) } } @lost)
        or return;
    die "cannot resume '$then->{name}': " . join('; ', @lines) . "\n";
}

# A test may be lost with some numbers of copies only.
sub _lost { my ($lost) = @_; return join ' ', $lost->{test}, $lost->{copies} // () }

1;
