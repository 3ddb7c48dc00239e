# SPDX-License-Identifier: GPL-2.0-or-later
# Web - a server on 127.0.0.1 for what downloads. It serves the files below a directory, and can cut them.
#
#   my $web = Web->new($directory);
#   $web->cut('good/a.tar.gz');     # from now on: half of the file, with the whole length in its head
#   $web->cut('good/a.tar.gz', 1);  # the same without a length, which a client cannot notice
#   $web->endless('good/SHA256SUMS');    # a file that goes on and on
#   $web->refuse('good/SHA256SUMS');     # an error whose text would command a terminal
#   is_deeply([ $web->asked ], ['good/SHA256SUMS'], 'what was asked for');
package Web;
use 5.014;
use strict;
use warnings;

use IO::Socket::INET;
use POSIX ();

sub new {
    my ($class, $directory) = @_;
    my $socket = IO::Socket::INET->new(LocalAddr => '127.0.0.1', Listen => 20, ReuseAddr => 1)
        or die "cannot serve on 127.0.0.1: $@\n";
    my $self = bless { directory => $directory, port => $socket->sockport }, $class;
    $self->{owner} = $$;
    $self->{child} = fork // die "cannot fork: $!\n";
    return $self if $self->{child};
    $SIG{PIPE} = 'IGNORE';
    $SIG{$_} = 'DEFAULT' for qw(INT TERM);
    while (my $client = $socket->accept) { $self->_serve($client) }
    POSIX::_exit(0);
}

sub address { my ($self) = @_; return "http://127.0.0.1:$self->{port}" }

# Files whose names end in .cut or .short tell the server what to do with the file of the name before that.
sub cut {
    my ($self, $path, $without_length) = @_;
    _write('>', "$self->{directory}/$path." . ($without_length ? 'short' : 'cut'), '');
    return;
}

sub endless { my ($self, $path) = @_; return _write('>', "$self->{directory}/$path.endless", '') }
sub refuse  { my ($self, $path) = @_; return _write('>', "$self->{directory}/$path.refused", '') }

# Returns what was asked for since this was called last.
sub asked {
    my ($self) = @_;
    my $log = "$self->{directory}/.asked";
    open my $in, '<', $log or return;
    chomp(my @asked = <$in>);
    unlink $log;
    return @asked;
}

sub _write {
    my ($how, $file, $text) = @_;
    open my $out, $how, $file or die "cannot write '$file': $!\n";
    print {$out} $text;
    close $out or die "cannot write '$file': $!\n";
    return;
}

sub _serve {
    my ($self, $client) = @_;
    my ($path) = (<$client> // '') =~ m{\AGET /(\S*) };
    1 while (<$client> // '') =~ /\S/;
    return if !defined $path;
    _write('>>', "$self->{directory}/.asked", "$path\n");
    my $file = "$self->{directory}/$path";
    return print {$client} "HTTP/1.1 404 \e[31mEvil\e]0;title\a\x9b\xc2\x9b2J\r\nContent-Length: 0\r\n\r\n"
        if -e "$file.refused";
    return _send_on($client) if -e "$file.endless";
    open my $in, '<:raw', $file
        or return print {$client} "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n";
    my $text = do { local $/; <$in> };
    my $half = substr $text, 0, length($text) / 2;
    print {$client} "HTTP/1.1 200 OK\r\nConnection: close\r\n",
        -e "$file.short" ? '' : 'Content-Length: ' . length($text) . "\r\n", "\r\n",
        -e "$file.short" || -e "$file.cut" ? $half : $text;
    close $client;
    return;
}

# Without end is 200 MB here.
sub _send_on {
    my ($client) = @_;
    print {$client} "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n";
    for (1 .. 3200) { print {$client} 'x' x 65536 or last }
    return;
}

sub DESTROY {
    my ($self) = @_;
    return if $self->{owner} != $$ || !$self->{child};
    local ($?, $!);
    kill 'KILL', $self->{child};
    waitpid $self->{child}, 0;
    return;
}

1;
