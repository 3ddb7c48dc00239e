# SPDX-License-Identifier: GPL-2.0-or-later
# Report::Fleet::Rollout - what Fleet::Rollout found as text, Markdown, HTML, CSV or JSON. The answer comes
# first, then what changed, then whether to trust it, then the figures:
#
#   worse: 2 of 24 figures are slower after the change; pipe × 4 most: −3.0 % (−3.6 to −2.4 %)
#   all figures together: −0.3 % (−0.6 to −0.1 %)
#   changed between k67 and k68: kernel 6.1.0-40 → 6.1.0-41 on 11 of 12 hosts
#
#     Figure     Change   95 % interval  Verdict  Can hide  Limit       p
#     pipe × 4   −3.0 %  −3.6 to −2.4 %  worse           –  1.3 %  0.0122
package Touchstone::Report::Fleet::Rollout;
use 5.014;
use strict;
use warnings;

use Touchstone::Base::Signs qw($DASH);
use Touchstone::Base::Text qw(named);
use Touchstone::Report::Fleet::Forms;
use Touchstone::Report::Fleet::Lines;
use Touchstone::Report::Fleet::Rollout::Headline;
use Touchstone::Report::Fleet::Rollout::Tables;
use Touchstone::Report::Fleet::Rollout::Trust;
use Touchstone::Stats::BeforeAfter;

# `ascii`: the reader of a text has no other signs.
sub written {
    my ($found, $format, %how) = @_;
    return Touchstone::Report::Fleet::Forms::written(
        $found, $format, %how,
        called    => 'a roll-out',
        title     => sub { "\u$_[0]{verdict} $DASH roll-out" },
        heading   => sub { "\u$_[0]" },
        sentences => \&Touchstone::Report::Fleet::Rollout::Headline::sentences,
        parts     => \&_parts,
        rows      => \&_rows
    );
}

sub _parts {
    my ($found, %how) = @_;
    my @doubts = Touchstone::Report::Fleet::Rollout::Trust::points($found);
    return (
        @doubts     ? [ points => @doubts ] : (),
        $how{pages} ? _picture($found)      : (),
        Touchstone::Report::Fleet::Rollout::Tables::parts($found, %how)
    );
}

my %LOOK = (
    $Touchstone::Stats::BeforeAfter::WORSE  => 'bad',
    $Touchstone::Stats::BeforeAfter::FASTER => 'good'
);

sub _picture {
    my ($found) = @_;
    return Touchstone::Report::Fleet::Lines::picture('Change of each figure, with its 95 % interval',
        map { +{ %$_, name => named($_), class => $LOOK{ $_->{verdict} } } } @{ $found->{figures} });
}

my @COLUMNS = qw(test copies suite hosts controls ratio low high p verdict hides limit drift slowest);

# A line a figure; the first is the mean over all.
sub _rows {
    my ($found) = @_;
    my $all = $found->{all};
    return (\@COLUMNS, map { _row($_) } $all ? { name => 'all figures', %$all } : (), @{ $found->{figures} });
}

sub _row {
    my ($figure) = @_;
    return [
        @$figure{qw(name copies suite hosts controls ratio)},
        @{ $figure->{interval} || [ '', '' ] },
        @$figure{qw(p verdict hides limit drift)},
        join ' ',
        map { $_->{host} } @{ $figure->{worst} || [] }
    ];
}

1;
