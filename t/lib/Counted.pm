# SPDX-License-Identifier: GPL-2.0-or-later
# Counted - a measured program, and what it counted: a pass as Run stores it, or how it ended.
#
#   my $pass = Counted::pass('fault', 0.1);
#   my $cost = Counted::cost('context1', 0.1, env => { TS_CPUS => 0 });
#   Counted::output('pipe', 0.1, events => 'cycles', filter => { perf => EACCES })
package Counted;
use 5.014;
use strict;
use warnings;

use File::Temp ();

use Filtered;
use Programs;
use Touchstone::Record::Channel;
use Touchstone::Run::Pass;
use Touchstone::Score;
use Touchstone::Suite;

my $work = File::Temp->newdir;

# What a program says, as Record::Channel has it, and its exit status; `arguments` in the place of its own.
sub output {
    my ($program, $seconds, %with) = @_;
    my @counts    = defined $with{events} ? (Programs::path('count-events'), $with{events}) : ();
    my @arguments = @{ $with{arguments} || [ Programs::arguments($program, $seconds, $work) ] };
    my $pid       = open(my $in, '-|') // die "cannot fork: $!\n";
    if (!$pid) {
        delete @ENV{ grep { /\ATS_/ } keys %ENV };
        %ENV = (%ENV, %{ $with{env} || {} });
        open STDERR, '>&', \*STDOUT;
        Filtered::filter(%{ $with{filter} }) if $with{filter};
        exec @counts, Programs::path($program), @arguments or POSIX::_exit(127);
    }
    my $text = join '', <$in>;
    close $in;
    return ({ %{ Touchstone::Record::Channel::parse($text) }, status => $? >> 8 }, $text);
}

# A pass of the test that a program stands for.
sub pass {
    my ($program, $seconds, %with) = @_;
    my ($row) = grep { $_->{program} eq $program } Touchstone::Suite::load()->tests;
    my ($got, $text) = output($program, $seconds, %with);
    die "'$program' ended with $got->{status}: $text\n" if $got->{status} || !$got->{count};
    my %pass = (test => $row, round => 1, window => $seconds, events => $with{events});
    return Touchstone::Run::Pass::_entry(\%pass, 1, [undef],
        { started => 0, seconds => $seconds, command => $program, output => '', copies => [$got] });
}

# What an operation costs, from one pass.
sub cost {
    my ($program, $seconds, %with) = @_;
    my $pass   = pass($program, $seconds, %with);
    my %result = (
        name   => $pass->{test},
        better => 'higher',
        score  => $pass->{counts}[0] / $pass->{times}[0] * $pass->{timebase}
    );
    return Touchstone::Score::Cost::of_test({ %result, rates => [ $result{score} ] }, [$pass], [$pass]);
}

1;
