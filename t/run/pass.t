# SPDX-License-Identifier: GPL-2.0-or-later
# Pass: if a pass cannot be prepared its test has failed, but the run goes on.
use 5.014;
use strict;
use warnings;

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

done_testing;
