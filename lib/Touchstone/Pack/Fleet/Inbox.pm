# SPDX-License-Identifier: GPL-2.0-or-later
# Pack::Fleet::Inbox - what a carrier brought: files, directories of them, or `-` for a log that holds
# records. Each becomes
#
#   {
#     from   => '/srv/got/web1.json', how it is called in messages
#     path   => the file, or undef; log => the log that holds it,
#     name   => 'k68.9f31c07d5a64b2e8.1', as the file or the log calls it,
#     bytes => as they came,
#     text   => without compression,
#     why    => why none of both can be had,
#   }
#
# In a directory there may be other runs: what does not say that it is of this campaign is counted and passed
# over there, but for the campaign's own staging. A link in a directory is no record, wherever it leads.
package Touchstone::Pack::Fleet::Inbox;
use 5.014;
use strict;
use warnings;

use Cwd ();
use Digest::SHA qw(sha256_hex);
use Fcntl qw(O_RDONLY O_NONBLOCK);

use Touchstone::Record::Campaign;
use Touchstone::Record::Largest;
use Touchstone::Record;

my $SUFFIX = qr/\.json(?:\.gz)?\z/;
my $DIGEST = '.sha256';
my $LINK   = 'it is a symbolic link';

# Makes one for a campaign, of which `manifest` is what Pack::Fleet::Campaign::read returned.
sub new {
    my ($class, $manifest) = @_;
    return bless {
        id      => $manifest->{campaign},
        staging => Cwd::realpath("$manifest->{directory}/staging") // '',
        others  => 0,
        running => 0
    }, $class;
}

# Calls `take` with each record that is found, one after the other.
sub each {
    my ($self, $from, $take) = @_;
    return $self->_input($from, $take)
        if $from eq $Touchstone::Record::STANDARD_INPUT;
    return $self->_directory($from, $self->is_staged($from), $take) if -d $from;
    return $self->_file($from, $take);
}

# So many files were no records of this campaign, and so many were journals of runs that have not ended.
sub others  { my ($self) = @_; return $self->{others} }
sub running { my ($self) = @_; return $self->{running} }

# Says whether a path lies in the campaign's staging.
sub is_staged {
    my ($self, $path) = @_;
    my $real = Cwd::realpath($path) // return 0;
    return length $self->{staging} && index("$real/", "$self->{staging}/") == 0 ? 1 : 0;
}

sub _input {
    my ($self, $from, $take) = @_;
    my $text = eval { Touchstone::Record->bytes_of($from) };
    return $self->_log($from, $text, $take) if defined $text;
    return $take->({ from => 'standard input', why => $@ =~ s/\Astandard input is /it is /r =~ s/\n\z//r });
}

# A log, or one record as it is.
sub _log {
    my ($self, $from, $bytes, $take) = @_;
    my %at =
        $from eq $Touchstone::Record::STANDARD_INPUT
        ? (from => 'standard input')
        : (from => $from, log => $from);
    return $take->({ %at, bytes => $bytes, _text($bytes) })
        if Touchstone::Record::Largest::is_gzip($bytes) || $bytes =~ /\A\s*\{/ && !_is_log($bytes);
    require Touchstone::Pack::Fleet::LogEncoding;
    my @found = eval { Touchstone::Pack::Fleet::LogEncoding::read($bytes) };
    return $take->({ %at, why => $@ =~ s/\n\z//r || 'it holds no record' }) if !@found;
    for my $match (@found) {
        my $record = Touchstone::Pack::Fleet::LogEncoding::joined($match);
        $take->({ %at, from => "$at{from}, $record->{name}", bytes => $record->{text}, %$record });
    }
    return;
}

sub _is_log {
    my ($text) = @_;
    require Touchstone::Pack::Fleet::LogEncoding;
    return Touchstone::Pack::Fleet::LogEncoding::is_log($text);
}

# The text of bytes, or why there is none.
sub _text {
    my ($bytes) = @_;
    return (text => $bytes) if !Touchstone::Record::Largest::is_gzip($bytes);
    my $text = eval { Touchstone::Record::Largest::inflated($bytes) };
    return defined $text ? (text => $text) : (why => $@ =~ s/\n.*//sr);
}

# What is in a directory comes in its place: a list of what is left, as a tree may be deeper than Perl likes
# to call.
sub _directory {
    my ($self, $top, $staged, $take) = @_;
    my @left = $self->_names($top, $take);
    while (defined(my $path = shift @left)) {
        my $is_link = -l $path;
        if    (!$is_link && -d $path)    { unshift @left, $self->_names($path, $take) }
        elsif (!$staged)                 { $self->_among_others($path, $path =~ s{.*/}{}sr, $take) }
        elsif ($is_link)                 { $take->({ from => $path, path => $path, why => $LINK }) }
        elsif ($path !~ /\Q$DIGEST\E\z/) { $self->_file($path, $take) }
    }
    return;
}

sub _names {
    my ($self, $directory, $take) = @_;
    if (opendir my $dir, $directory) {
        return map { "$directory/$_" } sort grep { !/\A\./ } readdir $dir;
    }
    $take->({ from => $directory, path => $directory, why => "$!" });
    return;
}

# Where there may be other runs a name decides, or what stands in a file with a name of its own.
sub _among_others {
    my ($self, $path, $name, $take) = @_;
    my $parsed = Touchstone::Record::Campaign::parsed($name =~ s/(?:$SUFFIX|\.jsonl\z)//r);
    my $is_own = $parsed && $parsed->{id} eq $self->{id};
    return $self->{running}++ if $is_own && $name =~ /\.jsonl\z/ && !-e $path =~ s/l\z//r;
    return $self->{others}++  if $name !~ $SUFFIX || $parsed && !$is_own;
    return $is_own ? $take->({ from => $path, path => $path, why => $LINK }) : $self->{others}++ if -l $path;
    return $self->_file(
        $path,
        sub {
            my ($arrival) = @_;
            return $take->($arrival) if $is_own || ($arrival->{text} // '') =~ /"id"\s*:\s*"\Q$self->{id}\E"/;
            return $self->{others}++;
        }
    );
}

sub _file {
    my ($self, $path, $take) = @_;
    my %at = (from => $path, path => $path, name => $path =~ s{.*/}{}sr =~ s/$SUFFIX//r);
    my ($bytes, $why) = _bytes($path);
    return $take->({ %at, why => $why }) if !defined $bytes;
    return $self->_log($path, $bytes, $take)
        if !Touchstone::Record::Largest::is_gzip($bytes) && _is_log($bytes);
    $why = _contradicted($path, $bytes);
    return $take->({ %at, bytes => $bytes, defined $why ? (why => $why) : _text($bytes) });
}

# A digest that was sent along must be that of what came. The file with it begins with its digits, as those
# of sha256sum do.
sub _contradicted {
    my ($path, $bytes) = @_;
    my $sent = "$path$DIGEST";
    return if !-e $sent;
    my ($digest) = ((_bytes($sent))[0] // '') =~ /\A\s*([0-9a-fA-F]{64})\b/;
    return "'$sent' holds no SHA-256" if !defined $digest;
    return lc $digest eq sha256_hex($bytes)
        ? undef
        : "its SHA-256 is not the one in '$sent': cut short or changed on its way";
}

# Opening a pipe without a writer would wait for one.
sub _bytes {
    my ($path) = @_;
    return (undef, "$!")                       if !-e $path;
    return (undef, 'it is not a regular file') if !-f _;
    sysopen my $in, $path, O_RDONLY | O_NONBLOCK or return (undef, "$!");
    binmode $in;
    my $bytes = eval { Touchstone::Record::Largest::whole($in, 'it') };
    return defined $bytes ? $bytes : (undef, $@ =~ s/\n\z//r);
}

1;
