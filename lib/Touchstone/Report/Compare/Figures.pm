# SPDX-License-Identifier: GPL-2.0-or-later
# Report::Compare::Figures - the figures of a pair as parts of a report: tables, on pages with a picture above
# each, and what explains them.
package Touchstone::Report::Compare::Figures;
use 5.014;
use strict;
use warnings;

use Touchstone::Report::Compare::Forest;
use Touchstone::Report::Compare::Tables;
use Touchstone::Report::Compare::Verdict;
use Touchstone::Report::Document;

# What one of the columns is called, and what the verdicts allow for.
my $LIMIT = 'Min. detectable';
my $HOLM  = 'Verdicts are corrected for their number (Holm).';

# Scores of a busy machine have another ratio than turns that met the same.
my $TURNS = 'Paired speed, interval and verdict come from turns that met the same moments; what a build'
    . ' delivered over the whole run may have another ratio.';

# `names` are those of both runs; `among` the pairs with which the pictures share a scale; `how` as Tables has
# it, with `of`, what is shown if it is not all.
sub parts {
    my ($pair, $names, $among, %how) = @_;
    return (
        Touchstone::Report::Compare::Tables::of_two($pair, $names, %how),
        [ in => ['html'], on_page($pair, $names, $among, $how{of}) ]
    );
}

# A picture of each copy count with its table.
sub on_page {
    my ($pair, $names, $among, $of) = @_;
    my ($first, @others) = Touchstone::Report::Compare::Tables::copy_counts($pair);
    return
        map { _of_copies($_, $pair, $names, $among, of => $of, legend => !defined $of && $_ == $first) }
        $first // (), @others;
}

sub _of_copies {
    my ($copies, $pair, $names, $among, %with) = @_;
    my %some;
    for my $kind (qw(tests indexes)) {
        $some{$kind} = [ grep { $_->{copies} == $copies } @{ $pair->{$kind} } ];
    }
    my @picture = Touchstone::Report::Compare::Forest::parts(
        pair  => \%some,
        names => $names,
        among => $among,
        %with
    );
    return (
        @picture,
        Touchstone::Report::Compare::Tables::of_page(
            \%some, $names,
            of       => @picture && defined $with{of} ? "$with{of} in figures" : $with{of},
            pictured => scalar @picture
        )
    );
}

# Explains what these parts show of some pairs, in each form, if there is anything to explain.
sub how_to_read {
    my ($parts, @pairs) = @_;
    my @rows = map { (@{ $_->{tests} }, @{ $_->{indexes} }) } @pairs;
    return if !grep { $_->{interval} } @rows;
    my @turns = (grep { $_->{sittings} } @rows) ? $TURNS : ();
    return map {
        my $has_limit = grep { "@{ $_->{head} }" =~ /\Q$LIMIT\E/ }
            _tables(Touchstone::Report::Document::for_form($_, @$parts));
        [
            in => [$_],
            [
                text => join ' ',
                $HOLM, @turns,
                $has_limit ? "$LIMIT: the smallest difference that would have been noticed." : (),
                Touchstone::Report::Compare::Verdict::of_common(@rows)
            ]
        ]
    } qw(text markdown html);
}

sub _tables {
    return map {
        my ($kind, $of, @parts) = @$_;
        $kind eq 'table' ? $of : $kind =~ /\A(?:fold|block|section)\z/ ? _tables(@parts) : ()
    } @_;
}

1;
