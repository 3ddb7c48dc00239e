# SPDX-License-Identifier: GPL-2.0-or-later
# Suite::Truth::Tables - the verdicts of a run, by the names of the probes:
#
#   { clock => {
#         verdict  => 'confirmed',
#         sentence => 'The clocks agree within 0.3 ppm.',
#         evidence => [ [ 'steps back between CPUs', '0 of 1,474,490 exchanges' ], ... ] }, ... }
package Touchstone::Suite::Truth::Tables;
use 5.014;
use strict;
use warnings;

use Touchstone::Base::Untrusted qw(as_hash as_hashes as_list as_number as_text as_word);
use Touchstone::Suite::Truth::Rows;

my $UNCLEAR = 'unclear';
our @VERDICTS = ('confirmed', 'contradicted', $UNCLEAR);
my %IS_VERDICT = map { $_ => 1 } @VERDICTS;

# Words have at most so many letters: a sentence, what a figure is of, a figure.
my ($SENTENCE, $WHAT, $FIGURE) = (600, 80, 200);

# Nothing when no probe has anything to say.
sub tables {
    my ($facts, $results) = @_;
    my ($block) = grep { (as_number($_->{copies}, 1, 1) // 0) == 1 } as_hashes($results->{blocks});
    my %result  = map  { as_word($_->{name}) => $_ } map { as_hashes($block->{$_}) } qw(tests verdict_tests);
    my %verdicts;
    for my $probe (Touchstone::Suite::Truth::Rows::probes()) {
        my ($name, $package, $row) = @$probe;
        my $any = $package->can('of_any_run');
        next if !$result{ $row->{name} } && !($any && $any->($facts));
        my $verdict =
            $package->can('judge')->($facts, $result{ $row->{name} }, [ _passes($facts, $row->{name}) ]);

        # What nobody asked for is told only where it says something.
        next if !$verdict || !$result{ $row->{name} } && $verdict->{verdict} eq $UNCLEAR;
        $verdicts{$name} = _checked($verdict);
    }
    return %verdicts ? \%verdicts : undef;
}

sub _passes {
    my ($facts, $name) = @_;
    return
        grep { as_word($_->{test}) eq $name && (as_number($_->{round}, 0, 1e6) // 0) > 0 }
        as_hashes($facts->{passes});
}

sub _checked {
    my ($verdict) = @_;
    die "no verdict: '$verdict->{verdict}'\n" if !$IS_VERDICT{ $verdict->{verdict} };
    return {
        verdict  => $verdict->{verdict},
        sentence => as_text($verdict->{sentence}, $SENTENCE) // '',
        evidence => [
            map  { [ as_text($_->[0], $WHAT) // '', as_text($_->[1], $FIGURE) // '' ] }
            grep { ref eq 'ARRAY' && defined $_->[1] } as_list($verdict->{evidence})
        ]
    };
}

1;
