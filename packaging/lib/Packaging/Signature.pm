# SPDX-License-Identifier: GPL-2.0-or-later
# Packaging::Signature - SHA256SUMS.minisig, the signature of a release, checked by minisign or, where that is
# missing, by openssl 3 or newer. So that openssl can do it, a release is signed by minisign -l: Ed25519 over
# the file itself, not over its BLAKE2b.
#
#   untrusted comment: touchstone 8.0.0
#   RWQf6LRCGA9i5...    "Ed", number of the key, signature of the file
#   trusted comment: touchstone 8.0.0
#   QtKMXWyYcwdpZAlPF7tE2EN...    signature of the first one and this comment
package Packaging::Signature;
use 5.014;
use strict;
use warnings;

use Exporter qw(import);
use MIME::Base64 qw(decode_base64);
use Packaging qw(has said scratch slurp spew);

our @EXPORT_OK = qw(check key_in);

# A public key in DER is these bytes and the 32 of the key.
my $DER = pack 'H*', '302a300506032b6570032100';

# Returns the key of a public key file, which is its second line, as text.
sub key_in {
    my ($file) = @_;
    my ($key)  = slurp($file) =~ /^([A-Za-z0-9+\/]{56})\r?$/m;
    die "'$file' is not a public key of minisign\n" if !$key || decode_base64($key) !~ /\AEd.{40}\z/s;
    return $key;
}

# Dies with a sentence unless the sums in a directory were signed with the key as those of this version.
sub check {
    my ($directory, $key, $version) = @_;
    my $file = "$directory/SHA256SUMS.minisig";
    die "'$directory' has no SHA256SUMS.minisig: it is not signed\n" if !-f $file;
    my ($signature, $comment, $global) =
        slurp($file) =~ /\A.*\n([A-Za-z0-9+\/]{99}=)\ntrusted comment: (.*)\n([A-Za-z0-9+\/]{86}==)\n\z/
        or die "'$file' is no signature of minisign: it was cut or changed\n";
    my ($kind, $number) = unpack 'a2 a8', decode_base64($signature);
    die "'$file' was made without minisign -l, which get needs\n" if $kind eq 'ED';
    die "'$file' was made with another key than the one given\n"
        if $number ne substr decode_base64($key), 2, 8;
    die "the signature does not fit SHA256SUMS: one of them was changed\n"
        if !_fits($directory, $key, $signature, $comment, $global);
    die "the signature is that of '$comment', not of version $version\n" if $comment ne "touchstone $version";
    return;
}

sub _fits {
    my ($directory, $key, $signature, $comment, $global) = @_;
    if (has('minisign')) {
        my ($status) = said('minisign', '-V', '-q', '-P', $key, '-x', "$directory/SHA256SUMS.minisig",
            '-m', "$directory/SHA256SUMS");
        return $status == 0;
    }
    die "nothing here can check a signature: install minisign, or openssl 3 or newer\n" if !has('openssl');
    my $first = substr decode_base64($signature), 10;
    return _fits_openssl($key, slurp("$directory/SHA256SUMS"), $first)
        && _fits_openssl($key, "$first$comment",               decode_base64($global));
}

sub _fits_openssl {
    my ($key, $text, $signature) = @_;
    my $scratch = scratch();
    spew("$scratch/key",       $DER . substr decode_base64($key), 10);
    spew("$scratch/text",      $text);
    spew("$scratch/signature", $signature);
    my ($status, $said) = said(
        'openssl',      'pkeyutl', '-verify',       '-pubin',
        '-keyform',     'DER',     '-rawin',        '-inkey',
        "$scratch/key", '-in',     "$scratch/text", '-sigfile',
        "$scratch/signature"
    );
    die "nothing here can check a signature: install minisign, or openssl 3 or newer\n"
        if $said =~ /rawin|not supported/i;
    return $status == 0;
}

1;
