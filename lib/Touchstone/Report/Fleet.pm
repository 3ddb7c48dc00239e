# SPDX-License-Identifier: GPL-2.0-or-later
# Report::Fleet - what Touchstone::Fleet::judge found, as text, Markdown, HTML, CSV or JSON. The answer comes
# first: who is bad, who is suspect, who is missing; then why, and what to type next.
package Touchstone::Report::Fleet;
use 5.014;
use strict;
use warnings;

use Touchstone::Base::Text qw(plain_data);
use Touchstone::Report::Fleet::Csv;
use Touchstone::Report::Fleet::HostPages;
use Touchstone::Report::Fleet::Exports;
use Touchstone::Report::Fleet::Overview;
use Touchstone::Report::Fleet::Judgement;
use Touchstone::Report::Fleet::Verdicts;
use Touchstone::Report::Render::Markdown;
use Touchstone::Report::Render::Text;

# A judgement that has nothing but the standing of a campaign has one form, `standing`.
our @FORMATS = qw(text markdown html csv json);

my %RENDER = (
    text =>
        sub { return _text([ Touchstone::Report::Fleet::Judgement::parts($_[0], 'text') ], @_[ 1 .. $#_ ]) },
    standing =>
        sub { return _text([ Touchstone::Report::Fleet::Judgement::standing($_[0]) ], @_[ 1 .. $#_ ]) },
    markdown => sub {
        return Touchstone::Report::Render::Markdown::render(
            Touchstone::Report::Fleet::Judgement::parts($_[0], 'markdown'));
    },
    html => sub { return Touchstone::Report::Fleet::Overview::page_of($_[0]) },
    csv  => \&Touchstone::Report::Fleet::Csv::render,
    json => \&Touchstone::Report::Fleet::Exports::render,
);

# `ascii`: its reader has no other signs.
sub render {
    my ($format, $judgement, %how) = @_;
    return $RENDER{$format}->($format eq 'json' ? $judgement : plain_data($judgement), %how);
}

# The files that stand with a campaign, as [ name, text ]: the page, those of its hosts, and the verdicts.
# `up` leads from their directory to the one that was judged, where it is another.
sub files {
    my ($judgement, $up) = @_;
    my $plain = { %{ plain_data($judgement) }, up => $up // '' };
    return (
        [ 'index.html' => Touchstone::Report::Fleet::Overview::page_of($plain) ],
        Touchstone::Report::Fleet::HostPages::pages($plain),
        [ verdicts => Touchstone::Report::Fleet::Verdicts::render($plain) ]
    );
}

sub _text {
    my ($parts, %how) = @_;
    return Touchstone::Report::Render::Text::render_for(\%how, @$parts);
}

1;
