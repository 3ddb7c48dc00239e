# SPDX-License-Identifier: GPL-2.0-or-later
# Pack::Fleet::Command::Once - the command fleet once: measures this host for a campaign, or resumes. It
# prints the name of the record.
package Touchstone::Pack::Fleet::Command::Once;
use 5.014;
use strict;
use warnings;

use Touchstone::Base::Directories;
use Touchstone::Base::Text qw(plain);
use Touchstone::Base::Trouble qw(refuse);
use Touchstone::Cli::Output;
use Touchstone::Pack::Fleet::CampaignRun;
use Touchstone::Cli::ExitStatus;
use Touchstone::Cli::Measure;
use Touchstone::Machine::File;
use Touchstone::Record::Campaign;
use Touchstone::Terminal::Progress;
use Touchstone::Terminal;

# EX_TEMPFAIL: ask again later.
my $GOES_ON = 75;

my $FIXED = "fleet once names its record itself: leave UB_OUTPUT_FILE_NAME out\n";

# These count when they are said to a run that goes on; all else stands in its record.
my @LATEST = qw(quiet verbose brief strict baseline fail-on);

sub run {
    my ($options, %at) = @_;
    return Touchstone::Cli::Measure::run($options, %at) if $options->{'dry-run'};
    my $places   = Touchstone::Base::Directories::find($at{base});
    my $campaign = Touchstone::Pack::Fleet::CampaignRun::identity($options->{operands}[0], $options->{as});
    refuse($FIXED) if length Touchstone::Base::Directories::fixed_name($places);
    my $run = { want => $options, at => \%at, directory => $places->{runs}, campaign => $campaign };
    my $now = _look($run);
    return _ended($run, $now) if $now->{state} eq 'ended';
    Touchstone::Base::Directories::prepare_results($places);
    return _measured($run, %at) if !$options->{detach};
    my $child =
        Touchstone::Pack::Fleet::CampaignRun->detach(
        Touchstone::Pack::Fleet::CampaignRun::log_of($places->{runs}, $campaign));
    return $child->wait_for_begin if $child->is_parent;
    return _measured($run, %at, on_begin => sub { $child->on_begin }, progress => _lines($options));
}

sub _look {
    my ($run) = @_;
    return Touchstone::Pack::Fleet::CampaignRun::look($run->{directory}, $run->{campaign},
        $run->{want}{run} // 1);
}

# What is shown of a run that nobody looks at: lines that stay.
sub _lines {
    my ($options) = @_;
    open my $not_measuring, '>:raw', '/dev/null' or die "cannot open '/dev/null': $!\n";
    return Touchstone::Terminal::Progress->new(
        out      => \*STDERR,
        terminal => Touchstone::Terminal->detect($not_measuring),
        map { $_ => $options->{$_} } qw(quiet verbose)
    );
}

# Measures until so many runs have ended as are asked for.
sub _measured {
    my ($run, %at) = @_;
    my ($options, $refused, $held, $lock) = ($run->{want}, 0);
    while (1) {
        my $next =
            Touchstone::Pack::Fleet::CampaignRun::take($run->{directory}, $run->{campaign},
            $options->{run} // 1, $refused);
        return _ended($run, $next->{now}) if !defined $next->{name};
        die {
            exit    => $GOES_ON,
            message => "'$next->{name}' is being measured\ntry: ./Run fleet wait $options->{operands}[0]\n"
            }
            if !$next->{journal};

        # Its own journal is held meanwhile, so that fleet wait waits for both.
        $lock //= Touchstone::Machine::File::passing_lock(_lock_of_host($run),
            sub { _report_another($at{on_begin}) });

        # A journal that cannot be gone on with is held until the next one is, so that whoever waits for its
        # lock finds that one.
        $held = $next->{journal};
        my $ended   = @{ $next->{now}{ended} };
        my $status  = eval { _attempt($run, $next, %at) };
        my $trouble = $@;
        my $now     = _look($run);
        if (@{ $now->{ended} } > $ended) {
            next if $now->{state} ne 'ended';
            _name($now);
            return $status // die $trouble;
        }
        Touchstone::Pack::Fleet::CampaignRun::give_back($run->{directory}, $next);
        die "cannot read the record of '$next->{name}' in '$run->{directory}'\n" if defined $status;
        die $trouble if ref $trouble ne 'HASH' || !$trouble->{refused};
        _report($run, $trouble->{message}, $next->{attempt});
        $refused = $next->{attempt};
    }
    return;
}

# An attempt that was cut off goes on; another begins.
sub _attempt {
    my ($run, $next, %at) = @_;
    my ($options, $last) = ($run->{want}, $next->{now}{last});
    my $campaign = {
        %{ $run->{campaign} },
        attempt => $next->{attempt},
        Touchstone::Record::Campaign::labelled(@{ $options->{label} || [] })
    };
    my %of_it = (campaign_run => { campaign => $campaign, taken => $next->{journal} });
    return Touchstone::Cli::Measure::measure({ %$options, %of_it }, %at)
        if !$last || $last->{attempt} != $next->{attempt} || !$last->{on_begin};
    Touchstone::Pack::Fleet::CampaignRun::check_words($options, $last);
    my %now    = map { $_ => $options->{$_} } grep { defined $options->{$_} } @LATEST;
    my %resume = (command => 'resume', operands => [ $last->{file} ], tests => []);
    return Touchstone::Cli::Measure::measure({ %now, %of_it, %resume }, %at);
}

sub _report_another {
    my ($begun) = @_;
    print STDERR "# this host is being measured for another campaign: its end is waited for\n";
    $begun->() if $begun;
    return;
}

sub _report {
    my ($run, $why, $attempt) = @_;
    chomp $why;
    print STDERR map { plain("# $_") . "\n" } split(/\n/, $why),
        "attempt $attempt stays as it is, and attempt " . ($attempt + 1) . ' begins';
    return;
}

# A host is measured for one campaign at a time, because two measurements on one machine disturb each other:
# who holds the lock of this file measures.
sub _lock_of_host { my ($run) = @_; return "$run->{directory}/.$run->{campaign}{host_id}.lock" }

# The name of the record and the exit status of a run that ended before. Nothing was left to be started.
sub _ended {
    my ($run, $now) = @_;
    my $attempt = $now->{its};
    Touchstone::Pack::Fleet::CampaignRun::check_words($run->{want}, $attempt);

    # A run that was killed at its very end leaves its journal beside its record, and its lock.
    Touchstone::Machine::File::discard(_lock_of_host($run));
    Touchstone::Machine::File::discard(
        Touchstone::Pack::Fleet::CampaignRun::journal_of($run->{directory}, $attempt));
    _name($now);
    return 0 if $run->{want}{detach};
    my ($status, $why) = Touchstone::Cli::ExitStatus::of_stored($attempt->{facts}, $run->{want}{strict});
    return $status if !defined $why;
    my $trouble = { exit => $status, message => "$why\n" };
    die defined $run->{want}{'fail-on'} ? Touchstone::Base::Trouble::of_judge($trouble) : $trouble;
}

sub _name { my ($now) = @_; return Touchstone::Cli::Output::say("$now->{its}{name}\n") }

1;
