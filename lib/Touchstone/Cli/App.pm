# SPDX-License-Identifier: GPL-2.0-or-later
# Cli::App - what the command does: measure, compare, or show something. Run alone catches what dies here.
package Touchstone::Cli::App;
use 5.014;
use strict;
use warnings;

use Touchstone::Base::Places;
use Touchstone::Base::Text;
use Touchstone::Cli::Completion;
use Touchstone::Cli::Manual;
use Touchstone::Cli::Options;
use Touchstone::Cli::Outcome;
use Touchstone::Cli::Output;
use Touchstone::Compare::Against;
use Touchstone::Compare::Archive;
use Touchstone::Compare::Baseline;
use Touchstone::Compare::Run;
use Touchstone::Compare::SelfCompare;
use Touchstone::Compare::Trend;
use Touchstone::Compare;
use Touchstone::Record;
use Touchstone::Report::Browse;
use Touchstone::Report::Files;
use Touchstone::Run::Resume;
use Touchstone::Run::Session;
use Touchstone::Score;
use Touchstone::Suite::Lbt::Tables;
use Touchstone::Suite;
use Touchstone::Terminal::Progress;
use Touchstone;

my %USAGE = (exit => 2);
my $CANNOT_TELL = 125;

# Exit status for the words of the command line. `manual`: the file whose POD is the manual; `base`: the tree it is in.
sub main {
    my ($manual, $base, @words) = @_;
    my ($want, $suite, @tests) = eval { _understand(@words) } or die { %USAGE, message => $@ };
    return Touchstone::Cli::Output::say(Touchstone::Cli::Output::help())            if $want->{help};
    return Touchstone::Cli::Output::say("Touchstone $Touchstone::VERSION\n")    if $want->{version};
    return _manual($manual, $base)                                         if $want->{man};
    return Touchstone::Cli::Output::say(Touchstone::Cli::Output::list($suite, $want->{json})) if $want->{list};
    return Touchstone::Cli::Output::say(Touchstone::Cli::Completion::script($want->{completion}, $suite)) if defined $want->{completion};
    my $places = Touchstone::Base::Places::find($base);
    return _report($want, $suite, $places)  if defined $want->{report};
    return _compare($want, $suite, $places) if $want->{compare};
    return _browse($places)                 if $want->{browse};
    return _form($want, $places)            if defined $want->{'lbt-form'};
    return _measure($want, $suite, $places, @tests);
}

# Words that are no tests are runs to compare, or the two builds of a duet.
sub _understand {
    my (@words) = @_;
    my $want  = Touchstone::Cli::Options::parse(@words);
    my $suite = Touchstone::Suite::load();
    return ($want, $suite) if $want->{compare} || defined $want->{resume};
    $want->{duet} = [ splice @{ $want->{tests} }, 0, 2 ] if $want->{duet};
    return ($want, $suite, $suite->expand(@{ $want->{tests} } ? @{ $want->{tests} } : 'index'));
}

# An installed command has another name.
sub _manual {
    my ($file, $base) = @_;
    my $pod = Touchstone::Record->text_of($file);
    return Touchstone::Cli::Output::say(Touchstone::Cli::Manual::text(Touchstone::Base::Places::is_source($base) ? $pod : Touchstone::Cli::Manual::installed($pod)));
}

sub _report {
    my ($want, $suite, $places) = @_;
    my $record = Touchstone::Record->load($want->{report}, $places->{runs});
    $record->{scaling_wanted} = 1 if $want->{scaling};
    my $reference = defined $want->{baseline} ? Touchstone::Compare::Run::load($want->{baseline}, $places->{runs}, $suite->titles) : undef;
    Touchstone::Compare::Baseline::put($record, $reference) if $reference;
    Touchstone::Score::complete($record);
    Touchstone::Score::put_beside(Touchstone::Compare::Against::put($record, $reference, $places)) if $reference;
    return Touchstone::Cli::Output::say(Touchstone::Report::Files::render($want->{format} // 'text', $record));
}

sub _form {
    my ($want, $places) = @_;
    my $given  = eval { Touchstone::Suite::Lbt::Tables::given(@{ $want->{lbt} }) } or die { %USAGE, message => $@ };
    my $record = Touchstone::Record->load($want->{'lbt-form'}, $places->{runs});
    $record->{lbt} = { %{ $record->{lbt} || {} }, %$given };
    return Touchstone::Cli::Output::say(Touchstone::Cli::Output::form($want->{format} // 'text', Touchstone::Score::complete($record)));
}

# The page of all stored runs; its path is the answer.
sub _browse {
    my ($places) = @_;
    # The records may be where nobody may write.
    Touchstone::Base::Places::prepare_results({ %$places, runs => $places->{results} });
    Touchstone::Record->sweep($places->{results});
    my $found = Touchstone::Compare::Archive::read($places);
    my $page  = Touchstone::Report::Browse::render({ %$found, hosts => Touchstone::Compare::Trend::hosts(@{ $found->{runs} }), command => Touchstone::Base::Text::plain(Touchstone::Base::Places::command($places)) });
    my $file  = Touchstone::Record->write_file("$places->{results}/index.html", $page);
    print STDERR map { Touchstone::Base::Text::plain("# $_") . "\n" } @{ $found->{runs} } ? () : "there are no stored runs in '$places->{runs}'",
        @{ $found->{damaged} } ? 'files that cannot be read: ' . @{ $found->{damaged} } . ", named on the page" : ();
    return Touchstone::Cli::Output::say("$file\n");
}

# Whoever waits for the exit status of a comparison must not take trouble for "worse".
sub _compare {
    my ($want, $suite, $places) = @_;
    my $comparison = eval {
        my @runs     = map { +{ %{ Touchstone::Compare::Run::load($_, $places->{runs}, $suite->titles) }, from => $_ } } @{ $want->{tests} };
        my $smallest = Touchstone::Compare::SelfCompare::find($places, @runs);
        my $found    = Touchstone::Compare::compare(runs => \@runs, fail_on => $want->{'fail-on'}, smallest => $smallest);
        Touchstone::Cli::Output::say(Touchstone::Cli::Output::comparison($want->{format} // 'text', $found));
        $found;
    } or die { %USAGE, message => $@ };
    return $comparison->{status};
}

# Wrappers of UnixBench look for the word aborting when a run fails: a test then has no row. One that lacks a part has.
sub _measure {
    my ($want, $suite, $places, @tests) = @_;
    my $record;
    ($record, $want) = Touchstone::Run::Resume::reopen($want, $places) if defined $want->{resume};
    my $setup = Touchstone::Run::Session::prepare($want, $suite, $places, $record ? $suite->expand(@{ $want->{tests} }) : @tests);
    $setup->{record} = $record;
    return Touchstone::Cli::Output::say(Touchstone::Cli::Output::dry_run($setup->{plan}, $setup->{cpus}, map { $_->{set} || () } @{ $setup->{builds} })) if $want->{'dry-run'};
    $setup->{progress} = Touchstone::Terminal::Progress->new(out => \*STDERR, map { $_ => $want->{$_} } qw(quiet verbose));
    $setup->{report}   = \&Touchstone::Cli::Outcome::report;
    my $status = eval { Touchstone::Run::Session::run($setup) };
    return $status if defined $status;
    my $trouble = ref $@ eq 'HASH' ? $@ : { exit => 1, message => $@ };
    # As the end of a duet or of --fail-on 1 means "worse".
    my $is_gate = $want->{duet} || defined $want->{'fail-on'};
    $trouble->{exit} = $CANNOT_TELL if $is_gate && $trouble->{exit} == 1;
    $trouble->{message} =~ s/$/; aborting/m if !$trouble->{measured};
    die $trouble;
}

1;
