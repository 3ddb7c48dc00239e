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
use Touchstone::Record;

my %IS_IN = map { $_ => 1 } qw(taken known);

sub run {
    my ($options, %at) = @_;
    my @froms = @{ $options->{operands} };
    my $name  = $options->{campaign}
        // refuse("fleet collect needs --campaign DIR, which takes the records\n");
    my $results   = Touchstone::Base::Directories::find($at{base})->{results};
    my $directory = Touchstone::Pack::Fleet::Campaign::title($results, $name);
    or_refuse(sub { Touchstone::Pack::Fleet::Campaign::expect($directory) });
    my $trouble = 0;
    my $absent  = grep { $_ ne $Touchstone::Record::STANDARD_INPUT && !-e } @froms;
    my $seen    = Touchstone::Pack::Fleet::Collect::collect(
        $directory,
        \@froms,
        sub {
            my ($outcome) = @_;
            if (!$IS_IN{ $outcome->{what} }) {
                $trouble++;
                return Touchstone::Cli::App::print_trouble(_trouble($outcome));
            }
            Touchstone::Cli::App::print_trouble(_warning($outcome)) if defined $outcome->{warning};
            return Touchstone::Cli::Output::say(
                "$outcome->{what} " . plain($outcome->{host}) . " $outcome->{key}\n");
        },
        $options->{as}
    );
    _report_others($seen);
    return $absent ? 2 : $trouble ? 1 : 0;
}

sub _trouble {
    my ($outcome) = @_;
    my $whose     = defined $outcome->{host} ? "of '" . plain($outcome->{host}) . "' " : '';
    my $from      = defined $outcome->{from} ? plain($outcome->{from})                 : undef;
    my $text =
        $outcome->{what} eq 'conflict'
        ? "conflict: the record ${whose}in '$from' is kept in '$outcome->{kept}': $outcome->{why}"
        : "refused: the record ${whose}in '$from': $outcome->{why}";
    return join "\n", $text, $outcome->{remedy} // ();
}

sub _warning {
    my ($outcome) = @_;
    return "warning: the record of '" . plain($outcome->{host}) . "' is taken, and $outcome->{warning}";
}

sub _report_others {
    my ($seen) = @_;
    my @warnings = (
        $seen->{others}  ? plural($seen->{others},  'file') . ' of no record of this campaign' : (),
        $seen->{running} ? plural($seen->{running}, 'run') . ' not ended yet'                  : ()
    );
    Touchstone::Cli::App::print_trouble('passed over ' . join(', ', @warnings) . "\n") if @warnings;
    return;
}

1;
