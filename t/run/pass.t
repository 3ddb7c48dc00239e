# SPDX-License-Identifier: GPL-2.0-or-later
# Pass: if a pass cannot be prepared its test has failed, but the run goes on.
use 5.014;
use strict;
use warnings;

use File::Temp ();
use Test::More;

use lib 't/lib';
use NoWarnings;
use Touchstone::Run::Pass;

{

    package Full;
    sub new        { return bless { cleared => [] }, shift }
    sub for_copies { return ('/none/1') }
    sub clear      { my ($self, @paths) = @_; push @{ $self->{cleared} }, @paths; return }
    sub kept       { die "cannot make the work directory 'x': No space left on device\n" }
}

subtest 'without room for what a test keeps between its passes it fails, and its directories go' => sub {
    my $workdir = Full->new;
    my %side    = (places => { bin => '/none' }, env => {});
    my $pass    = Touchstone::Run::Pass->new(
        sides   => [ \%side ],
        workdir => $workdir,
        cpus    => { usable => [0], usable_count => 1 },
        stopped => sub { 0 }
    );
    my $test = {
        name    => 'kernel',
        program => 'kernel',
        team    => 1,
        space   => 0,
        env     => {},
        args    => [ '%{seconds}', '%{kept}' ]
    };
    is_deeply(
        $pass->_launch({ test => $test, window => 1 }, 2, [undef], \%side),
        { failure => "cannot make the work directory 'x': No space left on device" },
        'the cause'
    );
    is_deeply($workdir->{cleared}, ['/none/1'], 'cleared');
};

# The passes that one pass makes. `events`: whether the kernel has counters of the processor.
sub passes_of {
    my ($round, $copies, $events) = @_;
    my @stored;
    my $fake = bless {}, 'Counting';
    no warnings qw(once redefine);
    local *Counting::_run_once = sub {
        my ($self, $pass) = @_;
        push @stored, $pass->{events} // 'none';
        return { rates => [1], has_counters => $events };
    };
    local @Counting::ISA = 'Touchstone::Run::Pass';
    $fake->run({ round => $round, test => {} }, $copies);
    return @stored;
}

subtest 'warm-ups count events, and passes with a score do not' => sub {
    my ($first, @more) = @Touchstone::Run::Pass::EVENTS;
    is_deeply([ passes_of(1, 1, 1) ], ['none'],          'a pass with a score');
    is_deeply([ passes_of(0, 1, 0) ], [$first],          'one warm-up without counters of the processor');
    is_deeply([ passes_of(0, 1, 1) ], [ $first, @more ], 'four more with them');
    is_deeply([ passes_of(0, 2, 1) ], [$first],          'one with two copies');
};

subtest 'a program that opens counters becomes that of the test' => sub {
    my $dir  = File::Temp->newdir;
    my %pass = (test => { program => 'pipe' }, events => 'cycles');
    my @args = ("$dir", \%pass, '0.1');
    is_deeply(
        { Touchstone::Run::Pass::_command(@args) },
        { program => "$dir/pipe", args => ['0.1'] },
        'where it is not built, nothing is counted'
    );
    open my $out, '>', "$dir/count-events" or die "cannot write: $!\n";
    close $out or die "cannot write: $!\n";
    chmod 0755, "$dir/count-events" or die "cannot change the mode: $!\n";
    is_deeply(
        { Touchstone::Run::Pass::_command(@args) },
        { program => "$dir/count-events", args => [ 'cycles', "$dir/pipe", '0.1' ] },
        'events, program, arguments'
    );
};

done_testing;
