# SPDX-License-Identifier: GPL-2.0-or-later
# Report::Fleet::Forms - an answer in sentences, with parts of a page below it, as text, Markdown, HTML, CSV
# or JSON.
#
#   written($found, 'html',
#       called    => 'a roll-out',
#       sentences => \&sentences,       of what was found: the answer first
#       parts     => \&parts,           of what was found, pages => 1 where pictures can be shown
#       rows      => \&rows,            of what was found, below the names of the columns
#       title     => \&title,           of a page
#       heading   => sub { "\u$_[0]" }, of the first sentence, for a page
#       ascii     => 1)                 the reader of a text has no other signs
package Touchstone::Report::Fleet::Forms;
use 5.014;
use strict;
use warnings;

use Touchstone::Base::Signs qw($DASH);
use Touchstone::Base::Text qw(plain_data);
use Touchstone::Record::Json;
use Touchstone::Report::Csv;
use Touchstone::Report::Render::Html;
use Touchstone::Report::Render::Markdown;
use Touchstone::Report::Render::Text;

my %FORM = (text => \&_text, markdown => \&_markdown, html => \&_html, csv => \&_csv);

# The formats that there are.
our @FORMATS = qw(text markdown html csv json);

sub written {
    my ($found, $format, %how) = @_;
    $format //= 'text';
    return Touchstone::Record::Json::encode($found) if $format eq 'json';
    my $form = $FORM{$format} or die "$how{called} has no format '$format', only @FORMATS\n";
    return $form->(plain_data($found), %how);
}

sub _text {
    my ($found, %how) = @_;
    my @parts = ([ text => $how{sentences}->($found) ], $how{parts}->($found));
    return Touchstone::Report::Render::Text::render_for(\%how, @parts);
}

sub _markdown {
    my ($found, %how)    = @_;
    my ($first, @others) = $how{sentences}->($found);
    return Touchstone::Report::Render::Markdown::render(
        [ heading => $how{heading}->($first) ],
        @others ? [ text => @others ] : (),
        $how{parts}->($found)
    );
}

sub _html {
    my ($found, %how)    = @_;
    my ($first, @others) = $how{sentences}->($found);
    my $heading = Touchstone::Report::Render::Html::text($how{heading}->($first));
    my $class   = $found->{status} == 1 ? ' class="bad"' : '';
    return Touchstone::Report::Render::Html::page(
        $how{title}->($found) . " $DASH Touchstone",
        Touchstone::Report::Render::Html::fragment(
            [ picture => qq{<p class="when">Touchstone: $how{called}</p>\n<h1$class>$heading</h1>} ],
            @others ? [ text => @others ] : (),
            $how{parts}->($found, pages => 1)
        )
    );
}

sub _csv {
    my ($found, %how) = @_;
    return join '', map {
        join(',', map { Touchstone::Report::Csv::field($_) } @$_) . "\n"
    } $how{rows}->($found);
}

1;
