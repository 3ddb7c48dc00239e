# SPDX-License-Identifier: GPL-2.0-or-later
# Record::Campaign - what a record says of the campaign that it belongs to, in which many hosts are measured
# alike:
#
#   "campaign": { "id": "k68", "host": "web1", "host_id": "9f31c07d5a64b2e8", "machine": "51d09c3a7e442f10",
#                 "attempt": 1, "carrier": "ansible", "slot": "hv07", "order": 17, "seed": 4711,
#                 "labels": { "rack": "b4" } }
#
# Its key is id, host_id and attempt, and the name of its file follows from the key: whoever delivers a record
# twice delivers one file. A name of a host alone may be that of two, and clones of an image share the number
# of their installation, so host_id is made of both; `machine` is made of the latter alone, and tells clones.
package Touchstone::Record::Campaign;
use 5.014;
use strict;
use warnings;

use Digest::SHA qw(sha256_hex);

use Touchstone::Machine::Identity;

# An id becomes part of names of files, jobs and addresses.
our $ID         = qr/[A-Za-z0-9](?:[A-Za-z0-9_-]{0,62}[A-Za-z0-9])?/;
our $ID_ALLOWED = 'letters, digits, - and _, at most 64, such as kernel-6-8';
my $HOST_ID = qr/[0-9a-f]{16}/;
my $ATTEMPT = qr/[1-9]\d{0,3}/;

my $SALT   = 'touchstone';
my $DIGITS = 16;

# Labels of these names stand in the record beside the others.
our @OWN_LABELS = qw(carrier slot order seed);

sub is_id { my ($text) = @_; return $text =~ /\A$ID\z/ }

# This may be the name of a host, which is whatever an inventory says.
sub is_host {
    my ($text) = @_;
    return
           length $text
        && length $text <= $Touchstone::Machine::Identity::LONGEST_NAME
        && $text !~ /[\x00-\x1f\x7f]/;
}

sub host_id { my ($machine_id, $name) = @_; return _sum("$SALT$machine_id$name") }
sub machine { my ($machine_id) = @_; return _sum("$SALT$machine_id") }

sub _sum { my ($text) = @_; return substr sha256_hex($text), 0, $DIGITS }

# Makes the name of a record from what it says of its campaign.
sub name { my ($campaign) = @_; return join '.', @$campaign{qw(id host_id attempt)} }

# Returns the parts of such a name as { id, host_id, attempt }, or nothing.
sub parsed {
    my ($name) = @_;
    my ($id, $host_id, $attempt) = $name =~ /\A($ID)\.($HOST_ID)\.($ATTEMPT)\z/ or return;
    return { id => $id, host_id => $host_id, attempt => $attempt };
}

# Returns labels, given as KEY=VALUE, as members of the record: those of OWN_LABELS, and the others.
sub labelled {
    my (@words) = @_;
    my %all     = map { my ($key, $value) = split /=/, $_, 2; ($key => $value) } @words;
    my %own     = map { $_ => delete $all{$_} } grep { defined $all{$_} } @OWN_LABELS;
    return (%own, labels => \%all);
}

1;
