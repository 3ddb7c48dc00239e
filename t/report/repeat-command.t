# SPDX-License-Identifier: GPL-2.0-or-later
# Report::Run::System: the command line of a record measures the same again.
use 5.014;
use strict;
use warnings;

use Test::More;

use lib 't/lib';
use NoWarnings;
use Stub;
use Touchstone::Report::Run::System;
use Touchstone::Run::Plan;

my $fake = Stub->new;

# The command line of the record of a run with these words.
sub repeated {
    my (@words) = @_;
    my $got = $fake->run([@words]);
    is($got->{status}, 0, "@words") or diag($got->{err});
    return Touchstone::Report::Run::System::command($fake->record);
}

subtest 'a run is repeated by the options that it had' => sub {
    is(repeated(qw(--quick -c 1 -c 3 --seed 7 pipe syscall)),
        './Run --quick -c 1 -c 3 --seed 7 pipe syscall', 'tests');
    is(repeated(qw(--quick -c 2 --seed 8 arithmetic)), './Run --quick -c 2 --seed 8 arithmetic', 'a group');
    is(repeated(qw(--quick -c 1 --seed 9)), './Run --quick -c 1 --seed 9', 'the index needs no name');
    is(
        repeated(qw(--classic -i 1 -c 1 --seed 9 pipe)),
        './Run --classic -i 1 -c 1 --seed 9 pipe',
        'the classic schedule'
    );
    my $line = repeated(qw(--quick --scaling --seed 3 pipe));
    is($line, './Run --quick --scaling --seed 3 pipe', 'scaling');
};

subtest 'one command does not repeat every run' => sub {
    my %facts = (
        tests    => [ { name   => 'pipe' } ],
        blocks   => [ { copies => 1 } ],
        schedule => { kind => 'default', precision => $Touchstone::Run::Plan::PRECISION, seed => 1 }
    );
    is(Touchstone::Report::Run::System::command(\%facts), './Run -c 1 --seed 1 pipe', 'one run');
    is(Touchstone::Report::Run::System::command({ %facts, campaign => { id => 'x' } }), undef, 'a campaign');
    is(Touchstone::Report::Run::System::command({ %facts, purpose  => 'duet' }),        undef, 'a duet');
    $facts{schedule}{precision} = 0.01;
    like(Touchstone::Report::Run::System::command(\%facts), qr/ --precision 1% /, 'another precision');
};

done_testing;
