# SPDX-License-Identifier: GPL-2.0-or-later
# Report::Browse - all stored runs as one page, for people who pick machines and watch them: a ranking of the
# hosts, their newest runs test by test, campaigns of many hosts, all runs, and the history of each host.
package Touchstone::Report::Browse;
use 5.014;
use strict;
use warnings;

use Touchstone::Base::Signs qw($DOT);
use Touchstone::Base::Text qw(many short);
use Touchstone::Report::Browse::Campaigns;
use Touchstone::Report::Browse::Host;
use Touchstone::Report::Browse::Looks;
use Touchstone::Report::Browse::Newest;
use Touchstone::Report::Browse::Ranking;
use Touchstone::Report::Browse::Runs;
use Touchstone::Report::Browse::Script;
use Touchstone::Report::Browse::Words qw(shown span);
use Touchstone::Report::Render::Html qw(folded page table text);

# So many hosts are linked to before the list of them is folded.
my $LINKED = 12;

# The model has what Compare::Archive found: runs and damaged; `hosts` of Compare::Trend and `ranking` of
# Compare::Ranking; campaigns, of Fleet::Summary; `command` is how to start Run here, quoted for a shell.
# `chosen` may name the host that others are compared with.
sub render {
    my ($found) = @_;
    my ($runs, $hosts) = @$found{qw(runs hosts)};
    my %model = (
        %$found,
        chosen => $found->{chosen} // _chosen($found->{ranking}),
        which  => _which($runs),
        number => { map { $hosts->[$_]{name} => $_ } 0 .. $#$hosts },
        year   => @$runs ? substr($runs->[0]{date}, 0, 4) : undef
    );
    my @parts =
        @$runs
        ? (
        _ways(\%model),
        Touchstone::Report::Browse::Ranking::render(\%model),
        Touchstone::Report::Browse::Newest::render(\%model),
        Touchstone::Report::Browse::Campaigns::render(\%model),
        Touchstone::Report::Browse::Runs::render(\%model)
        )
        : Touchstone::Report::Browse::Campaigns::render(\%model);
    return page(
        @$runs ? 'Results: ' . _extent($runs) . ' - Touchstone' : 'Results - Touchstone',
        join('',
            "<h1>Results</h1>\n", _summary(\%model), @parts,
            _damaged(@{ $model{damaged} }),
            map { Touchstone::Report::Browse::Host::render(\%model, $_) } 0 .. $#$hosts),
        style  => $Touchstone::Report::Browse::Looks::CSS,
        script => $Touchstone::Report::Browse::Script::JS
    );
}

# A number for each host: their names may be cut, and then be the same.
sub _which {
    my ($runs) = @_;
    my ($n, %which) = (0);
    $which{ $_->{host} } //= $n++ for @$runs;
    return \%which;
}

# The host that others are compared with: the slowest of the first ranking.
sub _chosen {
    my ($ranking) = @_;
    my ($first)   = @{ $ranking->{indexes} };
    return $first->{hosts}[-1]{name} if $first;
    my ($tests) = @{ $ranking->{tests} };
    return $tests ? $tests->{hosts}[0]{name} : '';
}

sub _summary {
    my ($model) = @_;
    my $runs    = $model->{runs};
    my $command = text($model->{command});
    return "<p>There are no stored runs yet. <code>$command</code> makes one, <code>$command "
        . "--browse</code> then makes this page anew.</p>\n"
        if !@$runs;
    my ($first, $last)  = (sort map { $_->{date} } @$runs)[ 0, -1 ];
    my ($many,  @looks) = _looks($model);
    return '<p class="when">'
        . join(
        ' ' . $DOT . ' ',
        _extent($runs) . ', ' . span($first, $last),
        @looks ? "$many need" . ($many == 1 ? 's' : '') . ' a look: ' . join('; ', @looks) : ()
        ) . "</p>\n";
}

sub _extent {
    my ($runs) = @_;
    my %hosts = map { $_->{host} => 1 } @$runs;
    return many(scalar @$runs, 'run') . ' of ' . many(scalar keys %hosts, 'host');
}

# How many things should be looked at, and links to them.
sub _looks {
    my ($model) = @_;
    my ($first) = @{ $model->{ranking}{indexes} };
    my @slower  = grep { $_->{change} && $_->{change}{slower} } $first ? @{ $first->{hosts} } : ();
    my $void    = grep { defined $_->{void} } @{ $model->{runs} };
    my $damaged = @{ $model->{damaged} };
    return (
        @slower + $void + $damaged,
        (
            @slower ? join(', ',
                map { qq{<a href="#h$model->{number}{ $_->{name} }">} . shown($_->{name}) . '</a>' } @slower)
                . ' became slower' : ()
        ),
        ($void    ? qq{<a href="#runs">} . many($void, 'run') . '</a> not valid'           : ()),
        ($damaged ? qq{<a href="#damaged">} . many($damaged, 'file') . '</a> not readable' : ())
    );
}

# Links to the parts of the page.
sub _ways {
    my ($model) = @_;
    my @hosts =
        map { qq{<a href="#h$_">} . shown($model->{hosts}[$_]{name}) . '</a>' } 0 .. $#{ $model->{hosts} };
    my $links = @hosts ? 'History of ' . join(', ', @hosts) : '';
    return '<nav class="screen">'
        . join("\n",
        '<p><a href="#ranking">Ranking</a> '
            . $DOT
            . (@{ $model->{campaigns} || [] } ? qq{ <a href="#campaigns">Campaigns</a> $DOT} : '')
            . ' <a href="#runs">Runs</a>'
            . (@hosts && @hosts <= $LINKED ? ' ' . $DOT . " $links" : '') . '</p>',
        @hosts > $LINKED ? folded('History of ' . @hosts . ' hosts', "<p>$links</p>\n") : ())
        . "</nav>\n";
}

sub _damaged {
    my (@damaged) = @_;
    return '' if !@damaged;
    return qq{<section id="damaged">\n<h2>Files that cannot be read</h2>\n}
        . table(
        caption => 'Files and what is wrong with them',
        head    => [ 'File', 'What is wrong' ],
        rows    => [ map { [ text(short($_->{file}, 200)), text($_->{why}) ] } @damaged ],
        left    => [ 0, 1 ]
        ) . "</section>\n";
}

1;
