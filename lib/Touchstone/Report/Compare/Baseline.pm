# SPDX-License-Identifier: GPL-2.0-or-later
# Report::Compare::Baseline - a run and the stored run that is its reference, as parts of a report: the
# sentence, lists and figures of a comparison of two. The numbers are those of Touchstone::Compare::Baseline.
#
#   this run is 20 % faster than good-2026-11-21-01 (+19 to +22 %): zstd-1 decompress, 1 copy
#
#   Test              reference  this run  Speed  95 % interval  Verdict
#   zstd-1 decompress      4173      5017  +20 %   +19 to +22 %  faster
package Touchstone::Report::Compare::Baseline;
use 5.014;
use strict;
use warnings;

use Touchstone::Base::Text qw(plain_data short);
use Touchstone::Build;
use Touchstone::Compare;
use Touchstone::Report::Compare::Headline qw(facts on_page reach sentences);
use Touchstone::Report::Compare::Cause;
use Touchstone::Report::Compare::Groups;
use Touchstone::Report::Compare::Tables;
use Touchstone::Report::Verdict;

# A note has at most this many letters.
my $NOTE = 300;

my @NAMES = ('reference', $Touchstone::Report::Compare::Headline::THIS_RUN);

# A stranger's record may have any word.
my %KNOWN = map { $_ => $_ } Touchstone::Report::Verdict::order();

sub parts {
    my ($against) = @_;
    return if !$against;
    my $comparison = _comparison($against);
    my ($pair)     = @{ $comparison->{pairs} };
    my @notes      = map { short($_, $NOTE) } @{ $pair->{notes} };
    my @figures    = Touchstone::Report::Compare::Tables::figures($pair, \@NAMES, [$pair], classic => 1);
    return (
        [ heading => "Against the reference $comparison->{label}[0]" ],
        [ in      => ['text'],            [ text => sentences($comparison) ] ],
        [ in      => [qw(markdown html)], [ text => on_page($comparison) ] ],
        Touchstone::Report::Compare::Groups::parts($pair),
        Touchstone::Report::Compare::Cause::parts($pair, $comparison->{differences}),
        [
            text => facts($comparison),
            reach($comparison)
        ],
        @notes ? [ points => @notes ] : (),
        Touchstone::Report::Compare::Tables::of_facts({ %$comparison, label => \@NAMES }),
        @figures,
        Touchstone::Report::Compare::Tables::how_to_read(\@figures, $pair)
    );
}

# Returns "this run is 20 % slower than good-2026-11-21-01 (-21 to -19 %): system index, 1 copy". Which run
# is not valid, and why, stands before it in every report.
sub headline {
    my ($against) = @_;
    return (sentences({ %{ _comparison($against) }, invalid => [], unlike => undef }))[0];
}

# The comparison of two that the record holds. Indexes of two runs with different references are on two
# scales, so only their ratio is shown.
sub _comparison {
    my ($against) = @_;
    my %data = %{ plain_data($against) };
    $_->{verdict} = $KNOWN{ $_->{verdict} } // $Touchstone::Compare::UNKNOWN
        for @{ $data{tests} }, @{ $data{indexes} };
    $_->{scaled} = 1 for @{ $data{indexes} };
    return {
        label       => [ $data{name}, $NAMES[1] ],
        runs        => [ $data{name}, $NAMES[1] ],
        differences => $data{differences},
        $data{drift} ? (drift => $data{drift}) : (),
        invalid => $data{invalid} || [],
        unlike  => scalar _unlike_builds(@{ $data{differences} }),
        pairs   => [ { label => $NAMES[1], map { $_ => $data{$_} } qw(notes tests indexes cause) } ]
    };
}

# What the comparison of two builds of different kinds begins with.
sub _unlike_builds {
    my (@differences) = @_;
    my ($isa)         = grep { $_->{thing} eq 'programs for' } @differences or return;
    my @kinds         = map { Touchstone::Build::kind($_) // () } @{ $isa->{values} };
    return 'not builds of one kind: ' . Touchstone::Build::only_with(@kinds) . '.';
}

1;
