# SPDX-License-Identifier: GPL-2.0-or-later
# Report::Fleet::Peers::Trust - with whom a run is compared, how alike they are, and who is left out.
package Touchstone::Report::Fleet::Peers::Trust;
use 5.014;
use strict;
use warnings;

use Touchstone::Base::Figure qw(part);
use Touchstone::Base::Text qw(many named short);
use Touchstone::Fleet::Like::Kind;

# A name has so many letters, and so many files are named.
my ($LETTERS, $FILES) = (60, 5);

my %PROGRAMS = (
    equal    => 'the same programs (one passport)',
    portable => 'portable builds, which compilers make differ a little',
    other    => 'other programs: compilers and flags are part of each difference'
);

sub points {
    my ($found) = @_;
    my $run = $found->{run};
    return (
        defined $run->{void} ? "this run is not valid, do not rely on this: " . $run->{void} : (),
        $found->{enough}     ? (_with_whom($found), _unlike($found), _limits($found))        : (),
        _doubtful($found),
        _left_out($found),
        _machines($found),
        _damaged($found)
    );
}

sub _with_whom {
    my ($found) = @_;
    my $records = $found->{records} == $found->{machines} ? '' : ' in ' . many($found->{records}, 'record');
    my $alike =
        $found->{hardware} eq 'equal'
        ? "of equal hardware ($found->{run}{kind})"
        : "of this CPU model and virtualisation ($found->{run}{kind})";
    return
          "compared with "
        . many($found->{machines}, 'machine')
        . "$records $alike, $PROGRAMS{ $found->{programs} }";
}

# What is not equal is said, with what was sought first.
sub _unlike {
    my ($found) = @_;
    return if $found->{hardware} eq 'equal' && $found->{programs} eq 'equal';
    my $needed = $Touchstone::Fleet::Like::Kind::FEWEST;
    return
          "of equal hardware with the same programs there "
        . ($found->{equal} == 1 ? 'is 1' : "are $found->{equal}")
        . ", fewer than $needed"
        . ($found->{hardware} eq 'equal' ? '' : ': CPUs, memory and sockets may differ');
}

# What would have been out of line.
sub _limits {
    my ($found) = @_;
    my @known = sort { $a->{limit} <=> $b->{limit} } grep { defined $_->{limit} } @{ $found->{figures} };
    return if !@known;
    my @ends = @known > 1 ? @known[ 0, -1 ] : @known;
    return 'a test is out of line when it is slower by '
        . join(' to ', map { part($_->{limit}) . ' (' . named($_) . ')' } @ends);
}

# What makes a run not valid may be what machines of its kind are like, such as neighbours that take time.
sub _doubtful {
    my ($found) = @_;
    return !$found->{doubtful}
        ? ()
        : "$found->{doubtful} of the $found->{records} records are not valid runs";
}

sub _left_out {
    my ($found) = @_;
    my @said = (
        $found->{itself} ? many($found->{itself}, 'record') . ' of this run or its machine'         : (),
        $found->{void}   ? many($found->{void},   'run') . ' not valid'                             : (),
        $found->{unlike} ? many($found->{unlike}, 'record') . ' without a test of the same version' : ()
    );
    my $other = $found->{read} - $found->{records} - $found->{itself} - $found->{void} - $found->{unlike};
    push @said, many($other, 'record') . ' of other machines' if $other > 0;
    return @said ? 'left out: ' . join(', ', @said) : ();
}

sub _machines {
    my ($found) = @_;
    return if !$found->{enough} || $found->{by_machine};
    return 'records without a campaign do not say which are of one machine: each counts as one';
}

sub _damaged {
    my ($found) = @_;
    my @damaged = @{ $found->{damaged} || [] };
    my $more    = @damaged - $FILES;
    splice @damaged, $FILES if $more > 0;
    return (
        (
            map { "cannot be read: '" . short($_->{file}, $LETTERS) . "': " . short($_->{why}, 2 * $LETTERS) }
                @damaged
        ),
        $more > 0 ? "and $more more that cannot be read" : ()
    );
}

1;
