# SPDX-License-Identifier: GPL-2.0-or-later
# Pack::Check::Command - the command check: a run of a fixed choice of tests whose answer is one screen. Its
# record is that of any run.
package Touchstone::Pack::Check::Command;
use 5.014;
use strict;
use warnings;

use File::Basename qw(dirname);
use File::Temp ();

use Touchstone::Base::Directories;
use Touchstone::Base::Trouble qw(or_refuse refuse);
use Touchstone::Cli::FinishRun;
use Touchstone::Cli::Measure;
use Touchstone::Cli::Options;
use Touchstone::Cli::Output;
use Touchstone::Pack::Check::Choice;
use Touchstone::Pack::Check::Data;
use Touchstone::Pack::Check::Parts;
use Touchstone::Pack::Check::Progress;
use Touchstone::Pack::Check::Result;
use Touchstone::Pack::Check::Screen;
use Touchstone::Pack::Check::Surroundings;
use Touchstone::Record;
use Touchstone::Report::Forms;
use Touchstone::Score;

my $MISSING = 1;

# A check works here if its own directories cannot be written.
my @ELSEWHERE = ('/var/tmp', '/tmp', '/dev/shm');

sub run {
    my ($options, %at) = @_;
    my ($operand) = @{ $options->{operands} };
    return defined $operand ? _stored($options, $operand, $at{base}) : _measured($options, %at);
}

sub _stored {
    my ($options, $operand, $base) = @_;
    my $places = Touchstone::Base::Directories::find($base);
    my $facts  = or_refuse(sub { Touchstone::Record->load($operand, $places->{runs}) });
    refuse("'$operand' is not a check\ntry: ./Run report $operand\n") if !$facts->{check};
    return _answer($options,
        Touchstone::Pack::Check::Result::build_result($facts, Touchstone::Score::score_run($facts)));
}

sub _measured {
    my ($options, %at) = @_;
    local @ENV{qw(UB_RESULTDIR UB_TMPDIR)} = @ENV{qw(UB_RESULTDIR UB_TMPDIR)};
    my $made   = _writable_places($at{base});
    my $choice = Touchstone::Pack::Check::Choice::wanted(no_disk => defined $made->{work_directory});
    my @seed   = defined $options->{seed} ? ('--seed', $options->{seed}) : ();
    my $wanted = Touchstone::Cli::Options::parse('--quick', @seed, @{ $choice->{tests} });
    my %check  = (
        version => $Touchstone::Pack::Check::Choice::VERSION,
        Touchstone::Pack::Check::Surroundings::facts(),
        map { defined $made->{$_} ? ($_ => $made->{$_}) : () } 'work_directory'
    );
    my $quiet    = $options->{quiet};
    my $progress = Touchstone::Pack::Check::Progress->new(out => \*STDERR, quiet => $quiet);
    my %request  = (
        %$wanted,
        quiet     => $quiet,
        'dry-run' => $options->{'dry-run'},
        rows      => $choice->{rows},
        within    => $Touchstone::Pack::Check::Choice::SECONDS,
        check     => \%check
    );
    return Touchstone::Cli::Measure::run(
        \%request, %at,
        progress => $progress,
        finish   => sub { return _finished($options, $made, @_) }
    );
}

# Results and files of tests go elsewhere if they cannot be written where they belong. The new directories
# are removed at the end. Returns { results, work_directory => why the usual ones cannot be used }.
sub _writable_places {
    my ($base) = @_;
    my $places = Touchstone::Base::Directories::find($base);
    my %made;
    for my $place ([ results => 'UB_RESULTDIR' ], [ tmp => 'UB_TMPDIR' ]) {
        my ($name, $variable) = @$place;
        my $usual = $places->{$name};
        next if _can_write($usual);
        my ($other) = grep { Touchstone::Base::Directories::is_writable($_) } @ELSEWHERE or next;
        my $directory = File::Temp->newdir('touchstone-check-XXXXXX', DIR => $other);
        push @{ $made{directories} }, $directory;
        $ENV{$variable} = "$directory";
        $made{ $name eq 'tmp' ? 'work_directory' : 'results' } = "cannot write in '$usual'";
    }
    return \%made;
}

sub _can_write {
    my ($directory) = @_;
    $directory = dirname($directory) while !-e $directory && dirname($directory) ne $directory;
    return Touchstone::Base::Directories::is_writable($directory);
}

# The end of a run: its record is complete, and the screen is the answer.
sub _finished {
    my ($options, $made, $outcome) = @_;
    my $run    = Touchstone::Cli::FinishRun::stored($outcome, $outcome->{records}[0]);
    my $signal = $outcome->{signal};
    my $result = Touchstone::Pack::Check::Result::build_result(@$run{qw(facts results)});
    $result->{unstored} = $made->{results};
    my $status  = _answer($options, $result);
    my @trouble = map { s/\n.*//sr } @{ $run->{trouble} };
    die {
        exit     => 128 + $Touchstone::Base::Trouble::SIGNAL{$signal},
        message  => "stopped by SIG$signal\nresume it: ./Run resume $run->{facts}{name}\n",
        measured => 1
        }
        if $signal;
    die { exit => $MISSING, message => join('; ', @trouble) . "\n", measured => 1 } if @trouble;
    return $status;
}

# Prints a check, and returns the exit status.
sub _answer {
    my ($options, $result) = @_;
    my %has = (
        text     => sub { return Touchstone::Pack::Check::Screen::text($result) },
        document => sub { return Touchstone::Pack::Check::Parts::document($result) },
        rows     => sub { return Touchstone::Pack::Check::Data::rows($result) },
        data     => sub { return Touchstone::Pack::Check::Data::data($result) },
        yabs     => sub { return Touchstone::Pack::Check::Data::yabs($result) }
    );
    Touchstone::Cli::Output::say(
        Touchstone::Report::Forms::render($options->{format} // 'text', check => \%has));
    return @{ $result->{missing} } ? $MISSING : 0;
}

1;
