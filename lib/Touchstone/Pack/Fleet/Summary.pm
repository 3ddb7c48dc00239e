# SPDX-License-Identifier: GPL-2.0-or-later
# Pack::Fleet::Summary - what a list of campaigns needs to know of each. Whoever judges a campaign leaves it
# there as summary.json, so that nobody has to read a thousand records for a line of a table:
#
#   { "format": 1, "campaign": "k68", "made": 1795240225, "ended": 1795317005, "carrier": "ansible",
#     "expected": 40, "received": 38, "bad": 1, "suspects": 2, "missing": 2, "status": 1,
#     "named": ["web09"] }
#
# all() returns these of every campaign below a directory, the newest first, with `id` (the name of its
# folder), and `page` where it has one. A campaign that nobody has judged has no `status`.
package Touchstone::Pack::Fleet::Summary;
use 5.014;
use strict;
use warnings;

use Touchstone::Pack::Fleet::Campaign;
use Touchstone::Machine::File;
use Touchstone::Machine::Sysfile;
use Touchstone::Record::Campaign;
use Touchstone::Record::Json;
use Touchstone::Record;

our $FILE = 'summary.json';

my $FORMAT = 1;

# A summary names so many bad hosts, and its file is no larger than this.
my ($NAMED, $MOST_BYTES) = (5, 20_000);

my @NUMBERS = qw(made ended expected received bad suspects missing status);

sub of {
    my ($judgement) = @_;
    my ($campaign, $standing, $counts) = @$judgement{qw(campaign standing counts)};
    my @bad =
        map { $_->{host} } grep { $_->{verdict} eq 'bad' } map { @{ $_->{hosts} } } @{ $judgement->{groups} };
    return {
        format   => $FORMAT,
        campaign => $campaign->{campaign},
        made     => $campaign->{made},
        carrier  => $campaign->{carrier},
        ended    => $judgement->{ended},
        expected => $standing->{expected},
        received => $standing->{received},
        missing  => $standing->{expected} - $standing->{received},
        bad      => $counts->{bad},
        suspects => $counts->{suspect},
        status   => $judgement->{status},
        named    => [ @bad > $NAMED ? @bad[ 0 .. $NAMED - 1 ] : @bad ]
    };
}

sub write {
    my ($directory, $summary) = @_;
    return Touchstone::Machine::File::write_file("$directory/$FILE",
        Touchstone::Record::Json::encode($summary));
}

# `place`: the directory that holds the campaigns' folders.
sub all {
    my ($place) = @_;
    my @ids = grep { Touchstone::Record::Campaign::is_id($_) } Touchstone::Machine::Sysfile::names($place);
    my @found =
        map { _one($place, $_) } grep { -e "$place/$_/$Touchstone::Pack::Fleet::Campaign::MANIFEST" } @ids;
    return sort { ($b->{made} // 0) <=> ($a->{made} // 0) || $a->{id} cmp $b->{id} } @found;
}

sub _one {
    my ($place, $id) = @_;
    my $found = _judged("$place/$id/$FILE") // _planned("$place/$id");
    return { %$found, id => $id, page => -e "$place/$id/index.html" ? 1 : 0 };
}

# A summary, or undef where there is none or it is damaged: the next judgement writes it anew.
sub _judged {
    my ($file) = @_;
    return if !-e $file || -s _ > $MOST_BYTES;
    my $is = eval { Touchstone::Record::Json::decode(Touchstone::Record->text_of($file)) };
    return if ref $is ne 'HASH' || ref $is->{named} ne 'ARRAY' || grep { ref } @{ $is->{named} };
    return if grep { ref $is->{$_} || ($is->{$_} // 0) !~ /\A\d{1,12}(?:\.\d{1,9})?\z/ } @NUMBERS;
    return if ref $is->{carrier};
    return $is;
}

sub _planned {
    my ($directory) = @_;
    my $manifest = eval { Touchstone::Pack::Fleet::Campaign::read($directory) }
        or return { why => _first_line($@) };
    return {
        made     => $manifest->{made},
        carrier  => $manifest->{carrier},
        expected => scalar @{ $manifest->{hosts} }
    };
}

sub _first_line { my ($text) = @_; return (split /\n/, $text)[0] // 'it cannot be read' }

1;
