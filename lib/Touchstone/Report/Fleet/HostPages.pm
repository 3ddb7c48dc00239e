# SPDX-License-Identifier: GPL-2.0-or-later
# Report::Fleet::HostPages - the hosts of a judgement one by one, a hundred a page: hosts-1.html,
# hosts-2.html ... in the order of their names. Each has its verdict, why, its figures, and its records.
package Touchstone::Report::Fleet::HostPages;
use 5.014;
use strict;
use warnings;

use Touchstone::Base::Figure qw(part);
use Touchstone::Base::Signs qw($DASH $DOT);
use Touchstone::Base::Text qw(copies many natural_key short);
use Touchstone::Report::Fleet::ConfirmCommand;
use Touchstone::Report::Fleet::Style;
use Touchstone::Report::Fleet::Judgement;
use Touchstone::Report::Fleet::Phrases qw(class label limits ratio shown_name word);
use Touchstone::Report::Render::Html qw(page table text);

my $ON_A_PAGE = 100;

# Where each host is, by its reference: { number, file, address }.
sub addresses {
    my ($judgement) = @_;
    my @hosts       = map { $_->[0] } sort { $a->[1] cmp $b->[1] || $a->[0]{host_id} cmp $b->[0]{host_id} }
        map { [ $_, natural_key($_->{host}) ] } map { @{ $_->{hosts} } } @{ $judgement->{groups} };
    my %at;
    for my $i (0 .. $#hosts) {
        my $file = 'hosts-' . (1 + int($i / $ON_A_PAGE)) . '.html';
        $at{ $hosts[$i] } =
            { host => $hosts[$i], number => $i + 1, file => $file, address => "$file#h" . ($i + 1) };
    }
    return \%at;
}

# Returns [ name of the file, page ] for each.
sub pages {
    my ($judgement) = @_;
    my $at = addresses($judgement);
    my (%of, %group);
    for my $group (@{ $judgement->{groups} }) { $group{$_} = $group for @{ $group->{hosts} } }
    push @{ $of{ $_->{file} } }, $_ for sort { $a->{number} <=> $b->{number} } values %$at;
    my @files = map { "hosts-$_.html" } 1 .. keys %of;
    return map { [ $_, _page($judgement, \%group, $_, \@files, @{ $of{$_} }) ] } @files;
}

sub _page {
    my ($judgement, $group, $file, $files, @places) = @_;
    my ($first, $last) = map { shown_name($_->{host}{host}, 40) } @places[ 0, -1 ];
    my $title = "Hosts $first to $last";
    return page(
        "$title $DOT " . (($judgement->{campaign} || {})->{campaign} // 'Touchstone'),
        join('',
            '<nav class="screen"><p><a href="index.html">The fleet</a>',
            (map { _to_page($_, $file) } @$files > 1 ? @$files : ()),
            "</p></nav>\n<h1>",
            text($title),
            "</h1>\n",
            map { _host($judgement, $group->{ $_->{host} }, $_) } @places),
        style => $Touchstone::Report::Fleet::Style::CSS
    );
}

sub _to_page {
    my ($other, $this) = @_;
    my ($number) = $other =~ /(\d+)/;
    return " $DOT " . ($other eq $this ? "page $number" : qq{<a href="$other">page $number</a>});
}

sub _host {
    my ($judgement, $group, $place) = @_;
    my $host  = $place->{host};
    my $word  = word($host);
    my $class = class($host);
    my @facts = (
        "group $group->{number}",
        defined $host->{slot} ? "slot $host->{slot}" : (),
        (map { "$_ $host->{labels}{$_}" } sort keys %{ $host->{labels} || {} }),
        defined $host->{disturbed} ? part($host->{disturbed}) . ' of passes disturbed' : ()
    );
    my @said = Touchstone::Report::Fleet::Judgement::remarks($group, $host);
    return join '', qq{<section class="host" id="h$place->{number}">\n<h2>}, text(shown_name($host->{host})),
        length $word ? qq{ <small class="$class">} . text($word) . '</small>' : '', "</h2>\n<p>",
        text(_speed($host)), "</p>\n",
        '<p class="dim">', text(join " $DOT ", map { short($_, 80) } @facts), "</p>\n",
        @said ? ('<ul>', (map { '<li>' . text($_) . '</li>' } @said), "</ul>\n") : (),
        _figures($group, $host), _records($judgement, $host), "</section>\n";
}

sub _speed {
    my ($host) = @_;
    return 'No figure of it could be compared.' if !defined $host->{ratio};
    my $limits = limits(@$host{qw(ratio interval)});
    return
          ratio(@$host{qw(ratio interval)})
        . ' of the median of its group over all figures'
        . (length $limits ? ", 95 % interval $limits" : '') . '.';
}

# A row for each test, a column for each number of copies.
sub _figures {
    my ($group, $host) = @_;
    my (%of, @names, %copies);
    for my $figure (grep { ($host->{figures}{ $_->{key} } || {})->{ratio} } @{ $group->{figures} }) {
        push @names, $figure if !$of{ $figure->{name} };
        $of{ $figure->{name} }{ $figure->{copies} } = $host->{figures}{ $figure->{key} };
        $copies{ $figure->{copies} } = 1;
    }
    return '' if !@names;
    my @copies = sort { $a <=> $b } keys %copies;
    return table(
        caption => 'Speed of ' . text(shown_name($host->{host}, 40)) . ', of the median of its group',
        head    => [ 'Figure', map { text(copies($_)), '95 % interval' } @copies ],
        class   => 'pinned',
        more    => [ map { 2 * $_ } 1 .. @copies ],
        rows    => [
            map {
                my $name = $_->{name};
                [ text(label($_)), map { _cells($of{$name}{$_}) } @copies ]
            } @names
        ]
    );
}

sub _cells {
    my ($is) = @_;
    return ($DASH, $DASH) if !$is;
    my $ratio = ratio(@$is{qw(ratio interval)});
    return (
        $is->{far} ? qq{<span class="far">$ratio</span>} : $ratio,
        text(limits(@$is{qw(ratio interval)})) || $DASH
    );
}

# Links to the records, and how to see one as a page of its own. Their paths begin in the directory that was
# judged, or at the root.
sub _records {
    my ($judgement, $host) = @_;
    my @files = @{ $host->{links} || [] } or return '';
    my @links = map { _link($judgement, $_) } @files;
    my $path  = $files[-1] =~ m{\A/} ? $files[-1] : "$judgement->{directory}/$files[-1]";
    return
          '<p class="dim">'
        . (@links == 1 ? 'Its record' : 'Its ' . many(scalar @links, 'record')) . ': '
        . join(', ', @links)
        . "</p>\n<p class=\"dim\">All that the record holds: <code>"
        . text(Touchstone::Report::Fleet::ConfirmCommand::run($judgement) . ' --report ')
        . text(Touchstone::Report::Fleet::ConfirmCommand::quoted($path))
        . " --format html</code></p>\n";
}

# A file that is elsewhere is only named.
sub _link {
    my ($judgement, $file) = @_;
    my $name = text(short($file =~ s{.*/}{}r, 80));
    return $name if $file =~ m{\A/};
    return '<a href="' . address(($judgement->{up} // '') . $file) . qq{">$name</a>};
}

# A path as an address of a page.
sub address {
    my ($path) = @_;
    return $path =~ s{([^A-Za-z0-9/._~-])}{sprintf '%%%02X', ord $1}ger;
}

1;
