# SPDX-License-Identifier: GPL-2.0-or-later
# Pack::Fleet::Report::HostPages - the hosts of a judgement one by one, a hundred a page: hosts-1.html,
# hosts-2.html
# ... in the order of their names. Each has its verdict, why, its figures, and its records.
package Touchstone::Pack::Fleet::Report::HostPages;
use 5.014;
use strict;
use warnings;

use Exporter qw(import);

use Touchstone::Base::Figure qw(part);
use Touchstone::Base::Symbols qw($DASH $DOT);
use Touchstone::Base::Text qw(copies natural_key plural short);
use Touchstone::Pack::Fleet::Report::Phrases
    qw(class label limits quoted ratio remarks run shown_name table ways word);
use Touchstone::Report::Render::Html;

our @EXPORT_OK = qw($CSS addresses remarks_of ways_to_pages);

# The style of the pages of a fleet, an addition to that of all pages.
our $CSS = <<'CSS';
.spans { stroke: var(--dim); stroke-opacity: .55; fill: none; }
.hosts { stroke: var(--accent); fill: none; stroke-width: 5; stroke-linecap: round; }
.crowd .hosts { stroke-width: 2.5; }
.crowd .spans { stroke-opacity: .3; }
.heat { stroke: var(--ground); stroke-width: .5; }
.even { fill: var(--band); }
.slow1, .slow2, .slow3, .slow4 { fill: var(--bad); }
.fast1, .fast2, .fast3, .fast4 { fill: var(--good); }
.slow1, .fast1 { fill-opacity: .2; } .slow2, .fast2 { fill-opacity: .4; } .slow3, .fast3 { fill-opacity: .65; }
.bad-mark { fill: var(--bad); stroke: var(--bad); }
.suspect-mark { fill: var(--second); stroke: var(--second); }
.fast-mark { fill: var(--good); stroke: var(--good); }
.other-mark { fill: var(--ground); stroke: var(--ink); }
.leader { stroke: var(--dim); stroke-dasharray: 2 3; fill: none; }
.mean { box-sizing: border-box; padding-left: 3.6rem; }
.strips { width: 100%; }
.strips :is(th, td):nth-child(2) { width: 50%; min-width: 9rem; }
.when { font-size: .875rem; margin: 0; }
h1 { font-size: 1.75rem; line-height: 1.25; margin: .2rem 0 .4rem; }
.tally { list-style: none; display: flex; flex-wrap: wrap; gap: .5rem; padding: 0; margin: 1rem 0; }
.tally li { border: 1px solid var(--line); border-radius: .3rem; padding: .25rem .8rem .3rem; min-width: 5rem; }
.tally b { display: block; font-size: 1.5rem; line-height: 1.3; font-variant-numeric: tabular-nums; }
.tally .is-bad { border-color: var(--bad); color: var(--bad); }
.tally .is-suspect { border-color: var(--second); color: var(--second); }
.tally .is-missing { border-color: var(--second); color: var(--second); }
.case { border-left: 5px solid var(--line); padding: .1rem 0 .1rem .9rem; margin: 1rem 0; }
.case.is-bad { border-color: var(--bad); }
.case.is-suspect { border-color: var(--second); }
.case h3 { margin: 0; font-size: 1.1rem; }
.case h3 small { font-weight: 400; font-size: .95rem; }
.case ul { margin: .2rem 0; padding-left: 1.1rem; }
.command { background: var(--band); border: 1px solid var(--line); border-radius: .3rem; padding: .5rem .8rem; margin: .4rem 0 1rem; }
.remedy { font-weight: 600; }
span.remedy { display: block; }
.legend span { margin-right: 1.2rem; white-space: nowrap; }
.legend svg { display: inline; vertical-align: -2px; }
.suspect { color: var(--second); }
.fast { color: var(--good); }
.far { font-weight: 600; }
.strips :is(th, td):nth-child(2) { text-align: left; }
.strips :is(th, td):last-child { white-space: nowrap; }
.strips td { vertical-align: middle; padding-top: 0; padding-bottom: 0; }
.strips th { vertical-align: middle; }
section.host { margin-top: 1.8rem; }
section.host h2 { margin: 0; }
:target { background: var(--band); }
.ways { list-style: none; display: flex; flex-wrap: wrap; gap: 0 1.2rem; padding: 0; margin: .3rem 0; }
@media (max-width: 40rem) {
.tally li { min-width: 4rem; }
.strips thead th { white-space: normal; }
.hosts :is(th, td) { padding-left: .3rem; padding-right: .3rem; white-space: normal; }
.hosts td.left:last-child { min-width: 4rem; }
}
@media print {
h1 { font-size: 15pt; } .tally b { font-size: 13pt; }
.strips svg { max-width: none !important; }
.case { break-inside: avoid; }
}
CSS

my $ON_A_PAGE = 100;

# Where each host is, by its reference: { host, group, number, page, address }.
sub addresses {
    my ($judgement) = @_;
    my @places;
    for my $group (@{ $judgement->{groups} }) {
        push @places,
            map { +{ host => $_, group => $group, key => natural_key($_->{host}) } } @{ $group->{hosts} };
    }
    @places = sort { $a->{key} cmp $b->{key} || $a->{host}{host_id} cmp $b->{host}{host_id} } @places;
    for my $i (0 .. $#places) {
        my ($number, $page) = ($i + 1, 1 + int($i / $ON_A_PAGE));
        $places[$i] =
            { %{ $places[$i] }, number => $number, page => $page, address => "hosts-$page.html#h$number" };
    }
    return { map { $_->{host} => $_ } @places };
}

# Links to the pages; `this` is where the reader is.
sub ways_to_pages {
    my ($addresses, $this) = @_;
    my %pages = map { $_->{page} => 1 } values %$addresses;
    return map { $_ == ($this // 0) ? "page $_" : { text => { text => "page $_", link => "hosts-$_.html" } } }
        sort { $a <=> $b } keys %pages;
}

# Returns [ name of the file, page ] for each.
sub pages {
    my ($judgement) = @_;
    my $addresses = addresses($judgement);
    my %of;
    push @{ $of{ $_->{page} } }, $_ for sort { $a->{number} <=> $b->{number} } values %$addresses;
    return map { [ "hosts-$_.html", _page($judgement, $addresses, $_, @{ $of{$_} }) ] }
        sort { $a <=> $b } keys %of;
}

sub _page {
    my ($judgement, $addresses, $page, @places) = @_;
    my $title = join ' to ', map { shown_name($_->{host}{host}, 40) } @places[ 0, -1 ];
    my @ways  = ways_to_pages($addresses, $page);
    my @fleet = ({ text => { text => 'The fleet', link => 'index.html' } }, @ways > 1 ? @ways : ());
    return Touchstone::Report::Render::Html::document(
        "Hosts $title $DOT " . (($judgement->{campaign} || {})->{campaign} // 'Touchstone'),
        [
            [ block   => { class => 'screen' },       ways('Pages', @fleet) ],
            [ section => { title => "Hosts $title" }, map { _host($judgement, $_) } @places ]
        ],
        style => $CSS
    );
}

sub _host {
    my ($judgement, $place) = @_;
    my $host  = $place->{host};
    my @facts = (
        "group $place->{group}{number}",
        defined $host->{slot} ? "slot $host->{slot}" : (),
        (map { "$_ $host->{labels}{$_}" } sort keys %{ $host->{labels} || {} }),
        defined $host->{disturbed} ? part($host->{disturbed}) . ' of passes disturbed' : ()
    );
    my @verdict =
        length word($host) ? (' ', { text => word($host), as => 'small', class => class($host) }) : ();
    return [
        section =>
            { class => 'host', id => "h$place->{number}", title => [ shown_name($host->{host}), @verdict ] },
        [ text => _speed($host), { text => join(" $DOT ", map { short($_, 80) } @facts), class => 'dim' } ],
        remarks_of($host, $place),
        _figures($host, $place->{group}),
        _records($judgement, $host)
    ];
}

sub _speed {
    my ($host) = @_;
    return 'None of its figures could be compared.' if !defined $host->{ratio};
    my $limits = limits($host);
    $limits = ", 95 % interval $limits" if length $limits;
    return ratio($host) . " of the median of its group over all figures$limits.";
}

# What is known of a host that stands out, as points.
sub remarks_of {
    my ($host, $place) = @_;
    my @points =
        map { ref $_ ? { %$_, text => ucfirst $_->{text} } : ucfirst } remarks($place->{group}, $host);
    return @points ? [ points => @points ] : ();
}

# A row for each test, two columns for each number of copies.
sub _figures {
    my ($host, $group) = @_;
    my (%of, @tests, %copies);
    for my $figure (grep { ($host->{figures}{ $_->{key} } || {})->{ratio} } @{ $group->{figures} }) {
        my ($name, $copies) = @$figure{qw(name copies)};
        push @tests, $figure if !$of{$name};
        $of{$name}{$copies} = $host->{figures}{ $figure->{key} };
        $copies{$copies} = 1;
    }
    my @columns = map {
        my $copies = $_;
        my $lookup = sub { return $of{ $_[0]{name} }{$copies} || {} };
        my $ratio  = sub { +{ text => ratio($_[0]), class => $_[0]{far} ? 'far' : undef } };
        (
            { title => copies($copies), cell => sub { $ratio->($lookup->(@_)) } },
            { title => '95 % interval', cell => sub { limits($lookup->(@_)) || $DASH }, more => 1 }
        )
    } sort { $a <=> $b } keys %copies;
    my $caption = 'Speed of ' . shown_name($host->{host}, 40) . ', of the median of its group';
    return table(
        { caption => $caption, class => 'pinned' }, \@tests,
        { title   => 'Figure', cell  => \&label },  @columns
    );
}

# Links to the records, and how to see one as a page of its own. Their paths begin in the directory that was
# judged, or at the root.
sub _records {
    my ($judgement, $host) = @_;
    my @files   = @{ $host->{links} || [] } or return;
    my @links   = map { (', ', _link($judgement, $_)) } @files;
    my $path    = quoted($files[-1] =~ m{\A/} ? $files[-1] : "$judgement->{directory}/$files[-1]");
    my $command = run($judgement) . " report $path --format html";
    my $records = @files == 1 ? 'Its record: ' : 'Its ' . plural(scalar @files, 'record') . ': ';
    return [
        text => map { +{ text => $_, class => 'dim' } } [ $records, @links[ 1 .. $#links ] ],
        [ 'All data of the record: ', { text => $command, as => 'code' } ]
    ];
}

# A file that is elsewhere is only named.
sub _link {
    my ($judgement, $file) = @_;
    my $name = short($file =~ s{.*/}{}r, 80);
    return $name if $file =~ m{\A/};
    return { text => $name, link => _address(($judgement->{up} // '') . $file) };
}

# A path as an address of a page.
sub _address {
    my ($path) = @_;
    return $path =~ s{([^A-Za-z0-9/._~-])}{sprintf '%%%02X', ord $1}ger;
}

1;
