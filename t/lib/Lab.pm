# SPDX-License-Identifier: GPL-2.0-or-later
# Lab - what all parts of t/fleet/lab share: hosts by their number, files, commands and waiting.
package Lab;
use 5.014;
use strict;
use warnings;

use Exporter qw(import);
use Time::HiRes qw(sleep time);

our @EXPORT = qw($USER $UID address_of name_of run slurp spew until_true);

# A host's name and address follow from its number. The controller is at the first address.
our $NET  = '10.23.0';
our $USER = 'op';
our $UID  = 4711;

# Nothing here takes this many seconds unless it is broken, or the machine is very busy.
my $PATIENCE = 240;

sub run {
    my (@command) = @_;
    system(@command) == 0 or die "lab: '@command' failed\n";
    return;
}

sub spew {
    my ($file, $text, $mode) = @_;
    open my $out, '>', $file or die "lab: cannot write '$file': $!\n";
    print {$out} $text;
    close $out or die "lab: cannot write '$file': $!\n";
    chmod $mode, $file if defined $mode;
    return;
}

sub slurp {
    my ($file) = @_;
    open my $in, '<', $file or return '';
    local $/;
    return scalar(<$in>) // '';
}

sub until_true {
    my ($what, $is) = @_;
    my $end = time + $PATIENCE;
    until ($is->()) {
        die "lab: waited $PATIENCE s for $what\n" . slurp("$ENV{LAB}/log") if time > $end;
        sleep 0.02;
    }
    return;
}

sub name_of { return "web$_[0]" }

sub address_of { return "$NET." . (1 + $_[0]) }

1;
