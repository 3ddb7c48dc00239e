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
use Touchstone::Base::Text qw(named plain_data);
use Touchstone::Record::Json;
use Touchstone::Report::Csv;
use Touchstone::Report::Fleet::Lines;
use Touchstone::Report::Fleet::Rollout::Answer;
use Touchstone::Report::Fleet::Rollout::Tables;
use Touchstone::Report::Fleet::Rollout::Trust;
use Touchstone::Report::Page;
use Touchstone::Report::Page::Markup;
use Touchstone::Stats::BeforeAfter;

my %FORM = (
    text     => \&_text,
    markdown => sub {
        my ($first, @others) = Touchstone::Report::Fleet::Rollout::Answer::sentences($_[0]);
        return Touchstone::Report::Page::markdown(
            [ heading => "\u$first" ],
            @others ? [ text => @others ] : (),
            _parts($_[0])
        );
    },
    html => \&_html,
    csv  => \&_csv,
    json => sub { return Touchstone::Record::Json::encode($_[0]) },
);

# The formats that there are.
our @FORMATS = qw(text markdown html csv json);

# `ascii`: the reader of a text has no other signs.
sub written {
    my ($found, $format, %how) = @_;
    my $form = $FORM{ $format // 'text' } or die "a roll-out has no format '$format', only @FORMATS\n";
    return $form->(($format // '') eq 'json' ? $found : plain_data($found), %how);
}

sub _text {
    my ($found, %how) = @_;
    my @parts = ([ text => Touchstone::Report::Fleet::Rollout::Answer::sentences($found) ], _parts($found));
    return $how{ascii} ? Touchstone::Report::Page::ascii(@parts) : Touchstone::Report::Page::text(@parts);
}

sub _html {
    my ($found) = @_;
    my ($first, @others) = Touchstone::Report::Fleet::Rollout::Answer::sentences($found);
    my $title = Touchstone::Report::Page::Markup::text("\u$first");
    my $class = $found->{status} == 1 ? ' class="bad"' : '';
    my $head  = qq{<p class="when">Touchstone: a roll-out</p>\n<h1$class>$title</h1>};
    return Touchstone::Report::Page::Markup::page(
        "\u$found->{verdict} $DASH roll-out $DASH Touchstone",
        Touchstone::Report::Page::fragment(
            [ picture => $head ],
            @others ? [ text => @others ] : (),
            _parts($found, pages => 1)
        )
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
sub _csv {
    my ($found) = @_;
    my @rows = map { _row($_) }
        $found->{all} ? { name => 'all figures', %{ $found->{all} } } : (),
        @{ $found->{figures} };
    return join '', map {
        join(',', map { Touchstone::Report::Csv::field($_) } @$_) . "\n"
    } \@COLUMNS, @rows;
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
