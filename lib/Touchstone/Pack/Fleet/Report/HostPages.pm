# SPDX-License-Identifier: GPL-2.0-or-later
# Pack::Fleet::Report::HostPages - the hosts of a judgement one by one, a hundred a page: hosts-1.html,
# hosts-2.html
# ... in the order of their names. Each has its verdict, why, its figures, and its records.
package Touchstone::Pack::Fleet::Report::HostPages;
use 5.014;
use strict;
use warnings;

use Touchstone::Base::Figure qw(part);
use Touchstone::Base::Symbols qw($DASH $DOT);
use Touchstone::Base::Text qw(copies natural_key plural short);
use Touchstone::Pack::Fleet::Report::ConfirmCommand qw(quoted run);
use Touchstone::Pack::Fleet::Report::Phrases qw(class label limits ratio remarks shown_name table ways word);
use Touchstone::Pack::Fleet::Report::Style;
use Touchstone::Report::Render::Html;

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
    my ($at, $this) = @_;
    my %pages = map { $_->{page} => 1 } values %$at;
    return map { $_ == ($this // 0) ? "page $_" : { text => { text => "page $_", link => "hosts-$_.html" } } }
        sort { $a <=> $b } keys %pages;
}

# Returns [ name of the file, page ] for each.
sub pages {
    my ($judgement) = @_;
    my $at = addresses($judgement);
    my %of;
    push @{ $of{ $_->{page} } }, $_ for sort { $a->{number} <=> $b->{number} } values %$at;
    return map { [ "hosts-$_.html", _page($judgement, $at, $_, @{ $of{$_} }) ] } sort { $a <=> $b } keys %of;
}

sub _page {
    my ($judgement, $at, $page, @places) = @_;
    my $title = join ' to ', map { shown_name($_->{host}{host}, 40) } @places[ 0, -1 ];
    my @ways  = ways_to_pages($at, $page);
    my @fleet = ({ text => { text => 'The fleet', link => 'index.html' } }, @ways > 1 ? @ways : ());
    return Touchstone::Report::Render::Html::document(
        "Hosts $title $DOT " . (($judgement->{campaign} || {})->{campaign} // 'Touchstone'),
        [
            [ block   => { class => 'screen' },       ways('Pages', @fleet) ],
            [ section => { title => "Hosts $title" }, map { _host($judgement, $_) } @places ]
        ],
        style => $Touchstone::Pack::Fleet::Report::Style::CSS
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
    return 'No figure of it could be compared.' if !defined $host->{ratio};
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
        my $found  = sub { return $of{ $_[0]{name} }{$copies} || {} };
        my $ratio  = sub { +{ text => ratio($_[0]), class => $_[0]{far} ? 'far' : undef } };
        (
            { title => copies($copies), cell => sub { $ratio->($found->(@_)) } },
            { title => '95 % interval', cell => sub { limits($found->(@_)) || $DASH }, more => 1 }
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
    my $command = run($judgement) . " --report $path --format html";
    my $records = @files == 1 ? 'Its record: ' : 'Its ' . plural(scalar @files, 'record') . ': ';
    return [
        text => map { +{ text => $_, class => 'dim' } } [ $records, @links[ 1 .. $#links ] ],
        [ 'All that the record holds: ', { text => $command, as => 'code' } ]
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
