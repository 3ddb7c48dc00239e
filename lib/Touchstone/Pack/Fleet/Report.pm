# SPDX-License-Identifier: GPL-2.0-or-later
# Pack::Fleet::Report - reports on fleets, in each form: the hosts of a campaign, judged (fleet), or who of
# them is where (standing); what changed between two campaigns (rollout); a run among others of its kind
# (peers).
#
#   render('html', rollout => $found)
#
# All are an answer in sentences, the most important first, and parts of Report::Document below it.
package Touchstone::Pack::Fleet::Report;
use 5.014;
use strict;
use warnings;

use Touchstone::Base::Signs qw($DASH);
use Touchstone::Base::Text qw(plain_data);
use Touchstone::Pack::Fleet::Report::Exports;
use Touchstone::Pack::Fleet::Report::Headline;
use Touchstone::Pack::Fleet::Report::HostPages qw($CSS);
use Touchstone::Pack::Fleet::Report::Judgement;
use Touchstone::Pack::Fleet::Report::Peers;
use Touchstone::Pack::Fleet::Report::Rollout;
use Touchstone::Record::Json;
use Touchstone::Report::Csv;
use Touchstone::Report::Render::Html;
use Touchstone::Report::Render::Markdown;
use Touchstone::Report::Render::Text;

our @FORMATS = qw(text markdown html csv json);

# Functions of what was found: `about` is the line above the heading of a page, `heading` is one of the first
# sentence, `rows` begin with the names of the columns, and `data` is what JSON has instead of all.
my %SUBJECT = (
    fleet => {
        about     => \&Touchstone::Pack::Fleet::Report::Judgement::about,
        title     => \&Touchstone::Pack::Fleet::Report::Judgement::title,
        is_bad    => sub { return $_[0]{counts}{bad} },
        sentences => \&Touchstone::Pack::Fleet::Report::Headline::sentences,
        parts     => \&Touchstone::Pack::Fleet::Report::Judgement::parts,
        rows      => \&Touchstone::Pack::Fleet::Report::Exports::rows,
        data      => \&Touchstone::Pack::Fleet::Report::Exports::data
    },
    standing => {
        sentences => sub { return },
        parts     => \&Touchstone::Pack::Fleet::Report::Judgement::standing
    },
    rollout => {
        about     => sub { return 'Touchstone: a roll-out' },
        title     => sub { return "\u$_[0]{verdict} $DASH roll-out $DASH Touchstone" },
        is_bad    => sub { return $_[0]{status} == 1 },
        heading   => sub { return "\u$_[0]" },
        sentences => \&Touchstone::Pack::Fleet::Report::Rollout::sentences,
        parts     => \&Touchstone::Pack::Fleet::Report::Rollout::parts,
        rows      => \&Touchstone::Pack::Fleet::Report::Rollout::rows
    },
    peers => {
        about     => sub { return 'Touchstone: a run among others' },
        title     => sub { return "$_[0]{run}{called} among others $DASH Touchstone" },
        is_bad    => sub { return $_[0]{status} == 1 },
        sentences => \&Touchstone::Pack::Fleet::Report::Peers::sentences,
        parts     => \&Touchstone::Pack::Fleet::Report::Peers::parts,
        rows      => \&Touchstone::Pack::Fleet::Report::Peers::rows
    }
);

my %FORM = (
    text     => \&_text,
    markdown => sub { return Touchstone::Report::Render::Markdown::render(_document(@_)) },
    html     => \&_html,
    csv      => \&_csv
);

# `ascii`: the reader of a text has no other signs.
sub render {
    my ($format, $kind, $found, %reader) = @_;
    my $subject = $SUBJECT{$kind};
    return Touchstone::Record::Json::encode($subject->{data} ? $subject->{data}->($found) : $found)
        if $format eq 'json';
    my $form = $FORM{$format} or die "there is no format '$format', only @FORMATS\n";
    return $form->($subject, plain_data($found), %reader);
}

# The files that stand with a campaign, as [ name, text ]: the page, those of its hosts, and the verdicts.
# `up` leads from their directory to the one that was judged, where it is another.
sub files {
    my ($judgement, $up) = @_;
    my $plain = { %{ plain_data($judgement) }, up => $up // '' };
    return (
        [ 'index.html' => _html($SUBJECT{fleet}, $plain) ],
        Touchstone::Pack::Fleet::Report::HostPages::pages($plain),
        [ verdicts => Touchstone::Pack::Fleet::Report::Exports::verdicts($plain) ]
    );
}

# A text begins with the first sentence, so that a script can take it.
sub _text {
    my ($subject, $found, %reader) = @_;
    my @sentences = $subject->{sentences}->($found);
    return Touchstone::Report::Render::Text::render_for(
        \%reader,
        @sentences ? [ text => @sentences ] : (),
        $subject->{parts}->($found)
    );
}

sub _html {
    my ($subject, $found) = @_;
    return Touchstone::Report::Render::Html::document(
        $subject->{title}->($found),
        [ _document($subject, $found) ],
        style => $CSS
    );
}

sub _document {
    my ($subject, $found)  = @_;
    my ($first,   @others) = $subject->{sentences}->($found);
    my $heading = $subject->{heading} ? $subject->{heading}->($first) : $first;
    return (
        [ in => ['html'], [ text => { text => $subject->{about}->($found), class => 'when' } ] ],
        [
            section =>
                { title => { text => $heading, class => $subject->{is_bad}->($found) ? 'bad' : undef } },
            @others ? [ text => @others ] : (),
            $subject->{parts}->($found)
        ]
    );
}

sub _csv {
    my ($subject, $found) = @_;
    return join '', map {
        join(',', map { Touchstone::Report::Csv::field($_) } @$_) . "\n"
    } $subject->{rows}->($found);
}

1;
