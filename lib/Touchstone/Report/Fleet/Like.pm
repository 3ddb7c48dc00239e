# SPDX-License-Identifier: GPL-2.0-or-later
# Report::Fleet::Like - where a run stands among others of its kind (Fleet::Like) as text, Markdown, HTML,
# CSV or JSON. The answer comes first, then whether to trust it, then the figures:
#
#   web7 is slower than 34 of 41 like it: 17th percentile, 8 to 31 (system index, 1 copy)
#   out of line: fstime 0.62, fsbuffer 0.63 and fsdisk 0.61 times as fast as the middle of the others
#
#     Test      Compared  Percentile  95 % interval    The others  Verdict
#     fsdisk      0.61 ×         1st        0 to 7  0.97 to 1.03 ×  out of line
package Touchstone::Report::Fleet::Like;
use 5.014;
use strict;
use warnings;

use Touchstone::Base::Signs qw($DASH);
use Touchstone::Base::Text qw(named plain_data);
use Touchstone::Record::Json;
use Touchstone::Report::Csv;
use Touchstone::Report::Fleet::Like::Answer;
use Touchstone::Report::Fleet::Like::Tables;
use Touchstone::Report::Fleet::Like::Trust;
use Touchstone::Report::Fleet::Lines;
use Touchstone::Report::Page;
use Touchstone::Report::Page::Markup;

my %FORM = (
    text     => \&_text,
    markdown => sub {
        my ($first, @others) = Touchstone::Report::Fleet::Like::Answer::sentences($_[0]);
        return Touchstone::Report::Page::markdown(
            [ heading => $first ],
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
    my $form = $FORM{ $format // 'text' } or die "this has no format '$format', only @FORMATS\n";
    return $form->(($format // '') eq 'json' ? $found : plain_data($found), %how);
}

sub _text {
    my ($found, %how) = @_;
    my @parts = ([ text => Touchstone::Report::Fleet::Like::Answer::sentences($found) ], _parts($found));
    return $how{ascii} ? Touchstone::Report::Page::ascii(@parts) : Touchstone::Report::Page::text(@parts);
}

sub _html {
    my ($found) = @_;
    my ($first, @others) = Touchstone::Report::Fleet::Like::Answer::sentences($found);
    my $title = Touchstone::Report::Page::Markup::text($first);
    my $class = $found->{status} == 1 ? ' class="bad"' : '';
    return Touchstone::Report::Page::Markup::page(
        "$found->{run}{called} among others $DASH Touchstone",
        Touchstone::Report::Page::fragment(
            [ picture => qq{<p class="when">Touchstone: a run among others</p>\n<h1$class>$title</h1>} ],
            @others ? [ text => @others ] : (),
            _parts($found, _picture($found))
        )
    );
}

sub _picture {
    my ($found) = @_;
    return Touchstone::Report::Fleet::Lines::picture(
        'This run (a diamond) among the others (dots), compared with their middle',
        map { +{ %$_, name => named($_), class => $_->{far} ? ($_->{ratio} < 1 ? 'bad' : 'good') : undef } }
            @{ $found->{indexes} },
        @{ $found->{figures} }
    );
}

sub _parts {
    my ($found, @pictures) = @_;
    return ([ points => Touchstone::Report::Fleet::Like::Trust::points($found) ],
        @pictures, Touchstone::Report::Fleet::Like::Tables::parts($found));
}

my @COLUMNS = qw(what name copies suite below of percentile low high ratio least greatest p out_of_line);

sub _csv {
    my ($found) = @_;
    my @rows = (
        (map { [ 'index', _row({ %$_, suite => '' }) ] } @{ $found->{indexes} }),
        map { [ 'test', _row($_) ] } @{ $found->{figures} }
    );
    return join '', map {
        join(',', map { Touchstone::Report::Csv::field($_) } @$_) . "\n"
    } \@COLUMNS, @rows;
}

sub _row {
    my ($place) = @_;
    my $far = $place->{far};
    return (
        @$place{qw(name copies suite below of percentile low high ratio)},
        @{ $place->{spread} },
        $place->{p}, !defined $far ? '' : $far ? 'yes' : 'no'
    );
}

1;
