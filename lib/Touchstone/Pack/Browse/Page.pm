# SPDX-License-Identifier: GPL-2.0-or-later
# Pack::Browse::Page - all stored runs as one page, for people who pick machines and watch them: a ranking of
# the hosts, what changed, the history of each score, the newest runs test by test, campaigns of many hosts,
# and all runs.
package Touchstone::Pack::Browse::Page;
use 5.014;
use strict;
use warnings;

use Touchstone::Base::Symbols qw($DOT);
use Touchstone::Base::Text qw(plural short);
use Touchstone::Pack::Browse::Host;
use Touchstone::Pack::Browse::Assets;
use Touchstone::Pack::Browse::RankingTable;
use Touchstone::Pack::Browse::Runs;
use Touchstone::Pack::Browse::Phrases qw(joined shown span);
use Touchstone::Report::Render::Html;
use Touchstone::Report::Verdict qw(word);

# So many hosts are linked to before the list of them is folded.
my $LINKED = 12;

# The model has what Pack::Browse::Archive found: runs and damaged; `hosts` of Pack::Browse::Series and
# `ranking` of Pack::Browse::Ranking; `sections`, those of other packs; `command` is how to start Run here,
# quoted for a shell. `chosen` may name the host that others are compared with.
sub render {
    my ($archive) = @_;
    my ($runs, $hosts) = @$archive{qw(runs hosts)};
    my %model = (
        %$archive,
        chosen => $archive->{chosen} // _chosen($archive->{ranking}),
        which  => _which($runs),
        number => { map { $hosts->[$_]{name} => $_ } 0 .. $#$hosts },
        year   => @$runs ? substr($runs->[0]{date}, 0, 4) : undef
    );
    my @parts = (
        [ text    => { text => 'Touchstone: all stored runs', class => 'when' } ],
        [ heading => { text => 'Results',                     level => 1 } ],
        _summary(\%model),
        @$runs ? _ways(\%model) : (),
        Touchstone::Pack::Browse::Host::changes(\%model),
        Touchstone::Pack::Browse::RankingTable::parts(\%model),
        Touchstone::Pack::Browse::Host::histories(\%model),
        Touchstone::Pack::Browse::RankingTable::newest(\%model),
        (
            map { [ section => { id => $_->{anchor}, title => $_->{title} }, @{ $_->{parts} } ] }
                @{ $model{sections} }
        ),
        (map { Touchstone::Pack::Browse::Host::parts(\%model, $_) } 0 .. $#$hosts),
        _damaged(@{ $model{damaged} }),
        Touchstone::Pack::Browse::Runs::parts(\%model)
    );
    return Touchstone::Report::Render::Html::page(
        @$runs ? 'Results: ' . _extent($runs) . ' - Touchstone' : 'Results - Touchstone',
        Touchstone::Report::Render::Html::fragment(@parts),
        style  => $Touchstone::Pack::Browse::Assets::CSS,
        script => $Touchstone::Pack::Browse::Assets::JS
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
    my @command = map { { text => $_, as => 'code' } } $model->{command}, "$model->{command} browse";
    return [
        text => [
            'There are no stored runs yet. ',
            $command[0],
            ' makes one, ',
            $command[1],
            ' then makes this page again.'
        ]
        ]
        if !@$runs;
    my ($first, $last)  = (sort map { $_->{date} } @$runs)[ 0, -1 ];
    my ($many,  @looks) = _looks($model);
    my @phrases = _extent($runs) . ', ' . span($first, $last);
    push @phrases, [ "$many need" . ($many == 1 ? 's' : '') . ' a look: ', joined('; ', @looks) ] if @looks;
    return [ text => { text => [ joined(" $DOT ", @phrases) ], class => 'when' } ];
}

sub _extent {
    my ($runs) = @_;
    my %hosts = map { $_->{host} => 1 } @$runs;
    return plural(scalar @$runs, 'run') . ' of ' . plural(scalar keys %hosts, 'host');
}

# How many things should be looked at, and links to them.
sub _looks {
    my ($model) = @_;
    my ($first) = @{ $model->{ranking}{indexes} };
    my @slower  = grep { $_->{change} && $_->{change}{slower} } $first ? @{ $first->{hosts} } : ();
    my $invalid = grep { defined $_->{invalid} } @{ $model->{runs} };
    my $damaged = @{ $model->{damaged} };
    my @looks;
    push @looks, [ joined(', ', map { _host($model, $_->{name}) } @slower), ' became slower' ] if @slower;
    push @looks, [ { text => plural($invalid, 'run'),  link => '#runs' }, ' ' . word('invalid') ] if $invalid;
    push @looks, [ { text => plural($damaged, 'file'), link => '#damaged' }, ' not readable' ]    if $damaged;
    return (@slower + $invalid + $damaged, @looks);
}

# A link to the history of a host.
sub _host {
    my ($model, $name) = @_;
    return { text => shown($name), link => "#h$model->{number}{$name}" };
}

# Links to the parts of the page.
sub _ways {
    my ($model) = @_;
    my @hosts   = map { _host($model, $_->{name}) } @{ $model->{hosts} };
    my $many    = @hosts;
    my @ways    = (
        { text => 'Ranking', link => '#ranking' },
        (Touchstone::Pack::Browse::Host::histories($model) ? { text => 'History', link => '#history' } : ()),
        (map { { text => $_->{title}, link => "#$_->{anchor}" } } @{ $model->{sections} }),
        { text => 'Runs', link => '#runs' }
    );
    my $history = [ 'Hosts: ', joined(', ', @hosts) ];
    push @ways, $history if $many && $many <= $LINKED;
    return [
        block => { as => 'nav', class => 'screen' },
        [ text => [ joined(" $DOT ", @ways) ] ],
        $many > $LINKED ? [ fold => "$many hosts", [ text => $history ] ] : ()
    ];
}

sub _damaged {
    my (@damaged) = @_;
    return if !@damaged;
    my @columns = (
        { title => 'File',  left => 1, cell => sub { short($_[0]{file}, 200) } },
        { title => 'Error', left => 1, cell => sub { $_[0]{why} } }
    );
    return [
        section => { id => 'damaged', title => 'Files that cannot be read' },
        [
            table => {
                caption => 'Files that cannot be read, with the errors',
                class   => 'stacked',
                columns => \@columns,
                rows    => \@damaged
            }
        ]
    ];
}

1;
