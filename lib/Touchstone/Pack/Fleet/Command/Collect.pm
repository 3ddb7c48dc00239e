# SPDX-License-Identifier: GPL-2.0-or-later
# Pack::Fleet::Command::Collect - the command fleet collect: records into a campaign. Standard output has a
# line for each that is in it now, standard error what was not taken and why:
#
#   taken web1 k68.9f31c07d5a64b2e8.1
#   known web2 k68.0c2be8812a3f9d10.1
package Touchstone::Pack::Fleet::Command::Collect;
use 5.014;
use strict;
use warnings;

use Touchstone::Base::Directories;
use Touchstone::Base::Text qw(plain plural);
use Touchstone::Base::Trouble qw(or_refuse refuse);
use Touchstone::Cli::Output;
use Touchstone::Cli::App;
use Touchstone::Pack::Fleet::Campaign;
use Touchstone::Pack::Fleet::Collect;

my %IS_IN = map { $_ => 1 } qw(taken known);

sub run {
    my ($want, %at) = @_;
    my @froms = @{ $want->{operands} };
    my $name  = $want->{campaign} // refuse("fleet collect needs --campaign DIR, which takes the records\n");
    my $results   = Touchstone::Base::Directories::find($at{base})->{results};
    my $directory = Touchstone::Pack::Fleet::Campaign::called($results, $name);
    or_refuse(sub { Touchstone::Pack::Fleet::Campaign::expect($directory) });
    my $trouble = 0;
    my $seen    = Touchstone::Pack::Fleet::Collect::collect(
        $directory,
        \@froms,
        sub {
            my ($found) = @_;
            if (!$IS_IN{ $found->{what} }) {
                $trouble++;
                return Touchstone::Cli::App::tell_trouble(_trouble($found));
            }
            Touchstone::Cli::App::tell_trouble(_warning($found)) if defined $found->{warning};
            return Touchstone::Cli::Output::say(
                "$found->{what} " . plain($found->{host}) . " $found->{key}\n");
        },
        $want->{as}
    );
    _tell_of_others($seen);
    return $trouble ? 1 : 0;
}

sub _trouble {
    my ($found) = @_;
    my $of      = defined $found->{host} ? "of '" . plain($found->{host}) . "' " : '';
    my $from    = defined $found->{from} ? plain($found->{from})                 : undef;
    my $said =
        $found->{what} eq 'conflict'
        ? "conflict: the record ${of}in '$from' is kept in '$found->{kept}': $found->{why}"
        : "refused: the record ${of}in '$from': $found->{why}";
    return join "\n", $said, $found->{remedy} // ();
}

sub _warning {
    my ($found) = @_;
    return "warning: the record of '" . plain($found->{host}) . "' is taken, and $found->{warning}";
}

sub _tell_of_others {
    my ($seen) = @_;
    my @said = (
        $seen->{others}  ? plural($seen->{others},  'file') . ' of no record of this campaign' : (),
        $seen->{running} ? plural($seen->{running}, 'run') . ' not ended yet'                  : ()
    );
    Touchstone::Cli::App::tell_trouble('passed over ' . join(', ', @said) . "\n") if @said;
    return;
}

1;
