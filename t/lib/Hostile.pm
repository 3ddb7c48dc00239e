# SPDX-License-Identifier: GPL-2.0-or-later
# Hostile - a record whose texts were written by an attacker: every free text of the Schema, wherever it is
# in the record, begins with the same hostile text, and so do the names in objects that allow any name. Equal
# texts stay equal, so that passes still belong to their tests.
#
#   my $bad = Hostile::record($record, '<script>harmed = 1</script>');
#   my $bad = Hostile::record($record, "\xe2\x80\xae", keep => qr{/(?:test|name)\z});    these places stay
package Hostile;
use 5.014;
use strict;
use warnings;

use Touchstone::Record::Json;
use Touchstone::Record::Schema;

my $FORMAT = 1;

# Objects whose members may have any name.
my $OPEN = qr{/(?:tools|binaries|figures|units|missing|wanted|lbt)\z};

# These parts are computed from the rest, and must not contradict it.
my @COMPUTED = qw(results beside scaling speedup);

sub record {
    my ($record, $text, %how) = @_;
    my $data = Touchstone::Record::Json::decode(Touchstone::Record::Json::encode($record));
    delete @$data{@COMPUTED};
    my %sites;
    _collect(\$data, '', \%sites);
    for my $place (sort keys %sites) {
        next if $how{keep} && $place =~ $how{keep} || !_is_free($data, $place, $sites{$place}[0]);

        # The run's name becomes a file name, so its text is shortened.
        my $new = $place eq '/name' ? \&_fit_for_a_name : sub { $_[0] };
        $$_ = $new->($text . $$_) for @{ $sites{$place} };
    }
    return $data;
}

# Caches whether the Schema allows any text at a place.
my %free;

sub _is_free {
    my ($data, $place, $site) = @_;
    return $free{$place} //= do {
        my $was = $$site;
        $$site = "x$was";
        my $wrong = Touchstone::Record::Schema::complaint($data, $FORMAT);
        $$site = $was;
        defined $wrong ? 0 : 1;
    };
}

# Collects references to all texts by their place, in which list indexes are replaced by *.
sub _collect {
    my ($at, $place, $sites) = @_;
    my $data = $$at;
    if (ref $data eq 'HASH') {
        _collect(\$data->{$_}, $place =~ $OPEN ? "$place/*" : "$place/$_", $sites) for sort keys %$data;
    } elsif (ref $data eq 'ARRAY') {
        _collect(\$data->[$_], "$place/*", $sites) for 0 .. $#$data;
    } elsif (defined $data) {
        push @{ $sites->{$place} }, $at;
    }
    return;
}

sub _fit_for_a_name {
    my ($text) = @_;
    $text =~ s{[/\x00-\x1f]}{}g;
    my $cut = length $text > 200 ? substr($text, 0, 100) . substr $text, -100 : $text;
    return $cut =~ s/\A\.+//r;
}

1;
