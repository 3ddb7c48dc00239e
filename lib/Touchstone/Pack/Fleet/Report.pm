# SPDX-License-Identifier: GPL-2.0-or-later
# Pack::Fleet::Report - reports on fleets, in each form: the hosts of a campaign, judged (fleet), or who of
# them is where (standing); what changed between two campaigns (rollout); a run among others of its kind
# (peers).
#
#   render('text', rollout => $found)
#
# All are an answer in sentences, the most important first, and parts of Report::Document below it.
package Touchstone::Pack::Fleet::Report;
use 5.014;
use strict;
use warnings;

use Touchstone::Base::Symbols qw($DASH);
use Touchstone::Base::Text qw(plain_data);
use Touchstone::Report::Forms;
use Touchstone::Pack::Fleet::Report::Exports;
use Touchstone::Pack::Fleet::Report::Headline;
use Touchstone::Pack::Fleet::Report::HostPages qw($CSS);
use Touchstone::Pack::Fleet::Report::Judgement;
use Touchstone::Pack::Fleet::Report::Peers;
use Touchstone::Pack::Fleet::Report::Rollout;

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
        title     => sub { return "$_[0]{run}{label} among others $DASH Touchstone" },
        is_bad    => sub { return $_[0]{status} == 1 },
        sentences => \&Touchstone::Pack::Fleet::Report::Peers::sentences,
        parts     => \&Touchstone::Pack::Fleet::Report::Peers::parts,
        rows      => \&Touchstone::Pack::Fleet::Report::Peers::rows
    }
);

# Shows only the hosts whose name, slot or labels have what a reader types.
my $FILTER = <<'JS';
(function () {
	const tables = Array.from(document.querySelectorAll('table.hosts'));
	if (!tables.length) return;
	const words = Object.assign(document.createElement('input'), { type: 'search' });
	const label = document.createElement('label');
	label.className = 'screen';
	label.append('Filter hosts by name, slot or label ', words);
	(document.querySelector('.tally') || tables[0]).after(label);
	words.addEventListener('input', () => {
		const wanted = words.value.toLowerCase().split(/\s+/);
		tables.forEach(table => {
			if (words.value !== '' && table.closest('details')) table.closest('details').open = true;
			Array.from(table.tBodies).forEach(body => Array.from(body.rows).forEach(row => {
				row.hidden = !wanted.every(word => row.textContent.toLowerCase().includes(word));
			}));
		});
	});
})();
JS

# `ascii`: the reader of a text has no other signs.
sub render {
    my ($format, $kind, $result, %reader) = @_;
    my $subject = $SUBJECT{$kind};
    my $plain   = plain_data($result);
    my %has     = (
        document => sub { return { %reader, %{ _document($subject, $plain) } } },
        rows     => sub { return $subject->{rows}->($plain) },
        data     => sub { return $subject->{data} ? $subject->{data}->($result) : $result }
    );
    return Touchstone::Report::Forms::render($format, fleet => \%has);
}

# The files that stand with a campaign, as [ name, text ]: the page, those of its hosts, and the verdicts.
# `up` leads from their directory to the one that was judged, where it is another.
sub files {
    my ($judgement, $up) = @_;
    my $plain = { %{ plain_data($judgement) }, up => $up // '' };
    return (
        [ 'index.html' => render($Touchstone::Report::Forms::PAGE, fleet => $plain) ],
        Touchstone::Pack::Fleet::Report::HostPages::pages($plain),
        [ verdicts => Touchstone::Pack::Fleet::Report::Exports::verdicts($plain) ]
    );
}

# A text begins with the first sentence, so that a script can take it; it is the heading of other forms.
sub _document {
    my ($subject, $result) = @_;
    my ($first,   @others) = $subject->{sentences}->($result);
    my @parts = $subject->{parts}->($result);
    return { parts => \@parts } if !defined $first;
    my %title = (
        text  => $subject->{heading}           ? $subject->{heading}->($first) : $first,
        class => $subject->{is_bad}->($result) ? 'bad'                         : undef
    );
    return {
        title  => $subject->{title}->($result),
        style  => $Touchstone::Pack::Fleet::Report::HostPages::CSS,
        script => $FILTER,
        parts  => [
            [ in => 'narrow', [ text => $first, @others ], @parts ],
            [ in => 'page', [ text    => { text  => $subject->{about}->($result), class => 'when' } ] ],
            [ in => 'wide', [ section => { title => \%title }, @others ? [ text => @others ] : (), @parts ] ]
        ]
    };
}

1;
