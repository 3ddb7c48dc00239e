# SPDX-License-Identifier: GPL-2.0-or-later
# Pack::Browse::Command - browse: the page of all stored runs.
package Touchstone::Pack::Browse::Command;
use 5.014;
use strict;
use warnings;

use Touchstone::Base::Directories;
use Touchstone::Base::Text qw(plain);
use Touchstone::Cli::Output;
use Touchstone::Pack::Browse::Archive;
use Touchstone::Pack::Browse::Ranking;
use Touchstone::Pack::Browse::Series;
use Touchstone::Machine::File;
use Touchstone::Record;
use Touchstone::Suite;
use Touchstone::Pack::Browse::Page;

# The path of the page is the answer.
sub run {
    my ($options, %at) = @_;
    my $places = Touchstone::Base::Directories::find($at{base});

    # The records may be where nobody may write.
    Touchstone::Base::Directories::prepare_results({ %$places, runs => $places->{results} });
    Touchstone::Record->sweep(@$places{qw(results runs)}, "$places->{runs}/self");
    my $archive = Touchstone::Pack::Browse::Archive::read($places);
    my $hosts   = Touchstone::Pack::Browse::Series::hosts(@{ $archive->{runs} });
    my $packs   = Touchstone::Suite::packages('Sections');
    my $command = plain(Touchstone::Base::Directories::command($places));
    my $page    = Touchstone::Pack::Browse::Page::render(
        {
            %$archive,
            hosts    => $hosts,
            sections => [ map { $packs->{$_}->can('sections')->($places, $command) } sort keys %$packs ],
            ranking  => Touchstone::Pack::Browse::Ranking::rank($archive->{runs}, $hosts),
            command  => $command
        }
    );
    my $file = Touchstone::Machine::File::write_file("$places->{results}/index.html", $page);
    print STDERR map { plain("# $_") . "\n" }
        @{ $archive->{runs} } ? () : "there are no stored runs in '$places->{runs}'",
        @{ $archive->{damaged} }
        ? 'files that cannot be read: ' . @{ $archive->{damaged} } . ", named on the page"
        : ();
    return Touchstone::Cli::Output::say("$file\n");
}

1;
