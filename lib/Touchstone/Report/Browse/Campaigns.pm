# SPDX-License-Identifier: GPL-2.0-or-later
# Report::Browse::Campaigns - the campaigns that are stored with the runs: when, how many hosts, who is bad or
# missing, and where the page of each is.
package Touchstone::Report::Browse::Campaigns;
use 5.014;
use strict;
use warnings;

use Touchstone::Base::Signs qw($DASH);
use Touchstone::Base::Text qw(many);
use Touchstone::Report::Browse::Words qw(day shown);
use Touchstone::Report::Render::Html qw(folded table text);

# So many stand on the page, the newest; older ones are folded.
my $OPEN = 12;

# The model has campaigns, as Fleet::Summary::all returns them.
sub render {
    my ($model)   = @_;
    my @campaigns = @{ $model->{campaigns} || [] } or return '';
    my @older     = splice @campaigns, @campaigns > $OPEN ? $OPEN : @campaigns;
    return join '', qq{<section id="campaigns">\n<h2>Campaigns</h2>\n},
        _table('Campaigns, the newest first', @campaigns),
        @older ? folded(many(scalar @older, 'older campaign'), _table('Older campaigns', @older)) : (),
        (grep { !defined $_->{status} } @campaigns, @older)
        ? '<p class="dim">Not looked at yet: <code>'
        . text($model->{command})
        . " --fleet DIR</code> makes the page of a campaign.</p>\n"
        : (),
        "</section>\n";
}

sub _table {
    my ($caption, @campaigns) = @_;
    return table(
        caption => $caption,
        head    => [ 'Campaign', 'When', 'Hosts', 'Bad', 'Suspects', 'Missing' ],
        class   => 'pinned',
        rows    => [ map { _row($_) } @campaigns ]
    );
}

sub _row {
    my ($is)  = @_;
    my $name  = shown($is->{id});
    my $when  = $is->{ended} // $is->{made};
    my @named = map { shown($_, 24) } @{ $is->{named} || [] };
    my $bad   = $is->{bad} // 0;
    return [
          ($is->{page}        ? qq{<a href="campaigns/$name/index.html">$name</a>} : $name)
        . (defined $is->{why} ? ' <small>cannot be read</small>'                   : ''),
        defined $when ? [ text(_date($when)), $when ] : $DASH,
        defined $is->{received}
            && defined $is->{expected}
            && $is->{received} < $is->{expected} ? "$is->{received} of $is->{expected}" : $is->{expected}
            // $DASH,
        !defined $is->{status}
        ? $DASH
        : $bad ? [
            qq{<span class="bad">$bad</span> <small>}
                . join(', ', @named, $bad > @named ? '...' : ())
                . '</small>',
            $bad
            ]
        : 0,
        map { defined $is->{status} ? $is->{$_} // $DASH : $DASH } qw(suspects missing)
    ];
}

sub _date {
    my ($seconds) = @_;
    my ($day, $month, $year) = (gmtime $seconds)[ 3 .. 5 ];
    return day(sprintf '%04d-%02d-%02d', $year + 1900, $month + 1, $day);
}

1;
