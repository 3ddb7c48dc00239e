# SPDX-License-Identifier: GPL-2.0-or-later
# Report::Run::Cost: the cost of an operation as a sentence, whose parts add up as they are shown.
use 5.014;
use strict;
use warnings;

use List::Util qw(sum);
use Test::More;

use lib 't/lib';
use NoWarnings;
use Touchstone::Base::Random;
use Touchstone::Report::Run::Cost;

sub sentence {
    my ($unit, %cost) = @_;
    return Touchstone::Report::Run::Cost::sentence(
        { name => 'x', unit => $unit, cost => { seconds => sum(@cost{qw(user kernel waiting)}), %cost } });
}

my %TIME   = (user         => 6e-8, kernel       => 9.5e-7, waiting   => 1e-8);
my %COUNTS = (minor_faults => 0,    major_faults => 0,      voluntary => 0, involuntary => 1e-6);
my %EVENTS = (instructions => 2140, cycles       => 1945,   per_cycle => 2140 / 1945);

my @CASES = (
    [ 'time', lps => {%TIME}, "1.02 \xc2\xb5s = 0.06 user + 0.95 kernel + 0.01 waiting" ],
    [
        'counts',
        lps => { %TIME, %COUNTS },
        "1.02 \xc2\xb5s = 0.06 user + 0.95 kernel + 0.01 waiting; 0 faults, 0 switches"
    ],
    [
        'events',
        lps => { %TIME, %COUNTS, %EVENTS },
        "1.02 \xc2\xb5s = 0.06 user + 0.95 kernel + 0.01 waiting; 0 faults, 0 switches; "
            . '2,140 instructions, 1.10 per cycle'
    ],
    [
        'user mode only',
        KBps => { %TIME, instructions_user => 90, cycles_user => 90, per_cycle => 1 },
        "per KB 1.02 \xc2\xb5s = 0.06 user + 0.95 kernel + 0.01 waiting; "
            . '90 instructions in user mode, 1.00 per cycle'
    ],
    [
        'fixed work',
        s => {
            user         => 1.5,
            kernel       => 0.5,
            waiting      => 0,
            minor_faults => 1,
            major_faults => 0,
            voluntary    => 1234.5,
            involuntary  => 0,
            migrations   => 0.25
        },
        'per unit of work 2.00 s = 1.50 user + 0.50 kernel + 0.00 waiting; '
            . '1 fault, 1,230 switches, 0.25 migrations'
    ],
);
for my $case (@CASES) {
    my ($what, $unit, $cost, $text) = @$case;
    is(sentence($unit, %$cost), $text, $what);
}

my $random = Touchstone::Base::Random::generator(39);
my $wrong  = 0;
for (1 .. 2000) {
    my ($total, @parts) =
        sentence('lps', map { $_ => 10**(-9 + 8 * $random->()) } qw(user kernel waiting)) =~
        /(\d+(?:\.\d+)?)/g;
    $wrong++ if @parts != 3 || abs($total - sum(@parts)) > 1e-9 * $total;
}
is($wrong, 0, 'the parts that are shown add up to the time that is shown');

done_testing;
