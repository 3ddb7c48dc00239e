# SPDX-License-Identifier: GPL-2.0-or-later
# Pack::Fleet::Command::Turn - fleet turn waits until a host may measure; fleet mark records the state of
# hosts. Both print nothing.
package Touchstone::Pack::Fleet::Command::Turn;
use 5.014;
use strict;
use warnings;

use Touchstone::Base::Directories;
use Touchstone::Base::Text qw(plain);
use Touchstone::Base::Trouble qw(or_refuse refuse);
use Touchstone::Pack::Fleet::Campaign;
use Touchstone::Pack::Fleet::RecordIndex;
use Touchstone::Pack::Fleet::Leases;
use Touchstone::Base::Trouble;

# A shell's status of a command that a signal ended.
my $SIGNALLED = 128;

# What ends a host's turn. One that cannot be reached may still be measuring.
my %ENDS = map { $_ => 1 } qw(over failed);

sub run {
    my ($options, %at) = @_;
    my $name     = $options->{campaign} // refuse("$options->{command} needs --campaign DIR\n");
    my $results  = Touchstone::Base::Directories::find($at{base})->{results};
    my $manifest = or_refuse(
        sub {
            Touchstone::Pack::Fleet::Campaign::expect(
                Touchstone::Pack::Fleet::Campaign::title($results, $name));
        }
    );
    return $options->{command} eq 'fleet turn'
        ? _turn($manifest, $options->{operands}[0])
        : _mark($manifest, $options->{operands});
}

sub _turn {
    my ($manifest, $host) = @_;
    _expected($manifest, $host);
    my $records =
        grep { $_->{host} eq $host } values %{ Touchstone::Pack::Fleet::RecordIndex::read_index($manifest) };
    return 0 if $records >= $manifest->{runs};
    return Touchstone::Base::Trouble::with_stop_signals(
        sub {
            my ($stopped) = @_;
            if (Touchstone::Pack::Fleet::Leases::wait_for($manifest, $host, $stopped)) {
                Touchstone::Pack::Fleet::RecordIndex::note_event($manifest->{directory}, $host, 'turn');
                return 0;
            }
            return $SIGNALLED + $Touchstone::Base::Trouble::SIGNAL{ $stopped->() };
        }
    );
}

# Nothing is noted where one of the marks is wrong.
sub _mark {
    my ($manifest, $marks) = @_;
    my %expected = map { $_->{name} => 1 } @{ $manifest->{hosts} };
    my @marks    = map { [ _parted($_, \%expected) ] } @$marks;
    $expected{ $_->[0] } or _expected($manifest, $_->[0]) for @marks;
    for my $mark (@marks) {
        my ($host, $what, $why) = @$mark;
        Touchstone::Pack::Fleet::RecordIndex::note_event($manifest->{directory},
            $host, $what, defined $why ? (why => $why) : ());
        Touchstone::Pack::Fleet::Leases::give_back($manifest, $host, time) if $ENDS{$what};
    }
    return 0;
}

# Returns host, what, and why. The name of a host may have = in it, and so may why it failed: the longest name
# that is expected counts.
sub _parted {
    my ($mark, $expected) = @_;
    my ($host, $text);
    while ($mark =~ /=(?=running\z|over\z|unreachable(?:\z|: )|failed: )/g) {
        my ($name, $rest) = (substr($mark, 0, $-[0]), substr $mark, $+[0]);
        ($host, $text) = ($name, $rest) if !defined $host || $expected->{$name};
    }
    return ($host, split /: /, $text, 2);
}

sub _expected {
    my ($manifest, $host) = @_;
    return if grep { $_->{name} eq $host } @{ $manifest->{hosts} };
    refuse(   "no host '"
            . plain($host)
            . "' was planned in '$manifest->{directory}'\n"
            . "try: ./Run fleet judge $manifest->{directory} --format status\n");
}

1;
