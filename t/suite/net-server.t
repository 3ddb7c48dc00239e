# SPDX-License-Identifier: GPL-2.0-or-later
# net --serve, the side of the other machine: where it listens, whom it serves, what it tells its operator,
# and that no peer can harm it.
use 5.014;
use strict;
use warnings;

use IO::Socket::INET;
use POSIX qw(WNOHANG);
use Test::More;
use Time::HiRes qw(sleep);

use lib 't/lib';
use Amount;
use ByHand;
use NoWarnings;
use Programs;
use Waiting;

use constant { SECONDS => 0.05, HOSTILE => Amount::of(600, 3000), MOST_GROWTH_KB => 1024 };

my $NET   = Programs::path('net');
my @TESTS = qw(tcp tcp-latency udp-latency);
my $HELLO = 'touchstone-net 1';
my ($me, %started, @namespaces) = $$;

# Kills only the processes that were started here, by their ids.
END {
    if ($$ == ($me // 0)) {
        local $?;
        kill 'TERM', $_ and waitpid $_, 0 for keys %started;
        system('ip', 'netns', 'del', $_) for @namespaces;
    }
}

# --- servers and clients that run beside the test: { pid, out, err }

sub start {
    my (@command) = @_;
    state $number = 0;
    my $net = { out => "$work/out" . ++$number, err => "$work/err$number" };
    $net->{pid} = fork // die "cannot fork: $!\n";
    if (!$net->{pid}) {
        open STDOUT, '>', $net->{out} or POSIX::_exit(126);
        open STDERR, '>', $net->{err} or POSIX::_exit(126);
        { no warnings 'exec'; exec { $command[0] } @command }
        POSIX::_exit(127);
    }
    $started{ $net->{pid} } = 1;
    return $net;
}

# Returns exit status and standard error.
sub finish {
    my ($net) = @_;
    my $status = comes(sub { waitpid($net->{pid}, WNOHANG) == $net->{pid} }) ? $? : 'still running';
    delete $started{ $net->{pid} } if $status ne 'still running';
    return ($status, slurp($net->{err}));
}

# Starts a server at a port that the system chooses; { where, port, at } are taken from its output.
sub server { return served_by($NET, @_) }

sub served_by {
    my ($program, @options) = @_;
    my @command = ref $program ? @$program : $program;
    my $server  = start(@command, '--serve', '--port', 0, @options);
    comes(sub { -e $server->{out} && slurp($server->{out}) =~ /\n/ })
        or die "no server: " . slurp($server->{err});
    @$server{qw(where port)} = slurp($server->{out}) =~ /\Anet: listening on (\S+) port (\d+)\n\z/
        or die "it says: " . slurp($server->{out});
    $server->{at} = "127.0.0.1:$server->{port}";
    return $server;
}

sub stop {
    my ($server, $signal) = @_;
    kill $signal // 'TERM', $server->{pid};
    return finish($server);
}

sub connection {
    my ($server, %also) = @_;
    return IO::Socket::INET->new(PeerAddr => '127.0.0.1', PeerPort => $server->{port}, Proto => 'tcp', %also)
        || die "cannot connect: $@\n";
}

# Returns the server's answer to these octets, until it ends the connection.
sub answer_to {
    my ($server, $bytes) = @_;
    my $connection = connection($server);
    local $SIG{PIPE} = 'IGNORE';
    syswrite $connection, $bytes;
    shutdown $connection, 1;
    local $/;
    return readline($connection) // '';
}

sub is_measured {
    my ($what, $status, $err) = @_;
    is_result($what, $status, $err =~ s/^FIGURE\|.*\n//mgr);
    return;
}

sub children_of {
    my ($pid) = @_;
    return grep { length }
        map     { my $in; open($in, '<', $_) && (readline($in) // '') =~ /\A(\d+) .*\) \S $pid / ? $1 : '' }
        glob '/proc/[0-9]*/stat';
}

# --- whom it serves

subtest 'it says where it listens, and that is loopback unless it is told otherwise' => sub {
    my $server = server();
    is($server->{where}, '127.0.0.1', 'by itself');
    is_deeply([ stop($server) ], [ 0, '' ], 'and ends without a word');
    my $all = server('--bind', '0.0.0.0');
    is($all->{where}, '0.0.0.0', 'with --bind');
    is_deeply([ stop($all, 'INT') ], [ 0, '' ], 'SIGINT ends it too');
};

subtest 'every test between two programs, one after another and several at once' => sub {
    my $server = server();
    is_measured($_, program('net', SECONDS, $_, $server->{at})) for @TESTS;
    my @clients = map { start($NET, 0.3, $_, $server->{at}) } (@TESTS) x 4;
    is_measured('one of twelve', finish($_)) for @clients;
    my ($status, $err, $out) = program('net', '--check', $server->{at});
    is_deeply([ $status, $err, $out ], [ 0, '', "net: '127.0.0.1' port $server->{port} serves\n" ],
        'a check');
    is_measured('by name', program('net', SECONDS, 'tcp', "localhost:$server->{port}"))
        if gethostbyname 'localhost';
    is_deeply([ stop($server) ], [ 0, '' ], 'and nothing is said of it');
};

subtest 'IPv6' => sub {
    my $server = eval { server('--bind', '::1') } or plan skip_all => 'there is no IPv6 here';
    is_measured($_, program('net', SECONDS, $_, "[::1]:$server->{port}")) for @TESTS;
    is_deeply([ stop($server) ], [ 0, '' ], 'nothing is said of it');
};

subtest 'a place where it cannot listen is named, with a remedy' => sub {
    my $server = server();
    my ($status, $err, $out) = program('net', '--serve', '--port', $server->{port});
    is("$status$out", 1 << 8, 'a port in use: exit 1 and nothing on standard output');
    like(
        $err,
        qr/\Anet: cannot listen on '127\.0\.0\.1' port $server->{port}: Address already in use\nnet: .*--port.*\n\z/,
        'it says so'
    );
    ($status, $err) = program('net', '--serve', '--port', 0, '--bind', '192.0.2.250');
    is($status, 1 << 8, 'an address of another machine: exit 1');
    like(
        $err,
        qr/\Anet: cannot listen on '192\.0\.2\.250' port 0: .*\nnet: --bind takes an address of this machine.*\n\z/,
        'it says so'
    );
    stop($server);
};

# Returns a connection from another address of this machine, or undef.
sub from_elsewhere {
    my ($server) = @_;
    return IO::Socket::INET->new(
        LocalAddr => '127.0.0.2',
        PeerAddr  => '127.0.0.1',
        PeerPort  => $server->{port},
        Proto     => 'tcp'
    );
}

# Returns a connection from another address that is served. This may take a moment, because the server
# forgets the guest before only a moment after that one has ended.
sub guest_from_elsewhere {
    my ($server) = @_;
    return comes(
        sub {
            my $connection = from_elsewhere($server);
            syswrite $connection, "$HELLO echo 10\n";
            return readline($connection) eq "$HELLO ok\n" && $connection;
        }
    );
}

subtest 'one peer at a time: another hears that it is busy, and is served afterwards' => sub {
    my $server = server();
    my $silent = from_elsewhere($server) or plan skip_all => 'there is only one address here';
    is_measured('one that is silent keeps nobody away', program('net', SECONDS, 'tcp', $server->{at}));
    my $other = guest_from_elsewhere($server);
    ok($other, 'the first that greets is served');
    is_error(
        "net @$_ is told",
        "'127\\.0\\.0\\.1' port \\d+ says: busy with another machine",
        program('net', @$_, $server->{at})
    ) for ['--check'], map { [ SECONDS, $_ ] } @TESTS;
    my $same = from_elsewhere($server);
    syswrite $same, "$HELLO echo 10\n";
    is(scalar readline $same, "$HELLO ok\n", 'another connection of the first is served');
    $_->close for $other, $same;
    ok(comes(sub { (program('net', '--check', $server->{at}))[0] == 0 }),
        'the other is served when the first has gone');
    my ($status, $err) = stop($server);
    like($err, qr/^net: 127\.0\.0\.1: this side has refused it: it is busy$/m, 'the operator is told');
};

subtest 'a stranger who says nothing cannot keep others out' => sub {
    my $server = server();
    from_elsewhere($server) or plan skip_all => 'there is only one address here';
    my @silent = map { from_elsewhere($server) } 1 .. 300;
    comes(sub { slurp($server->{err}) =~ /one connection too many/ });
    is_deeply(
        [ (program('net', '--check', $server->{at}))[ 0, 1 ] ],
        [ 0, '' ],
        'while it holds all places another is served'
    );
    my ($status, $err) = stop($server);
    is($status, 0, 'exit 0');
};

subtest 'what cannot serve does not say that it listens' => sub {
    for my $descriptors (3 .. 7) {
        my $command = "ulimit -n $descriptors && exec '$NET' --serve --port 0";
        my $server  = start('sh', '-c', $command);
        comes(sub { -s $server->{out} || -s $server->{err} });
        my ($port) = slurp($server->{out}) =~ / port (\d+)\n/;
        my $serves = defined $port && (program('net', '--check', "127.0.0.1:$port"))[0] == 0;
        kill 'TERM', $server->{pid} if defined $port;
        my ($status, $err) = finish($server);
        is(defined $port ? 'listens' : 'ends', $serves ? 'listens' : 'ends', "$descriptors descriptors");
        is($status == 0  ? 0         : 1,      $serves ? 0 : 1, 'the exit status') or diag "$status, '$err'";
    }
};

# Each row is [what, octets sent, the answer, the operator's message].
my @STRANGE = (
    [
        'another version',
        "touchstone-net 2 stream 1\n",
        'no another protocol is spoken here',
        'its net program is of another version: build the same'
    ],
    [
        'an unknown test',
        "$HELLO fly 1\n",
        'no this test is not known here',
        'it has asked for a test that is not known here'
    ],
    [
        'half a name',
        "$HELLO str 1\n",
        'no this test is not known here',
        'it has asked for a test that is not known here'
    ],
    [
        'no seconds',
        "$HELLO stream\n",
        'no this test is not known here',
        'it has asked for a test that is not known here'
    ],
    [
        'strange seconds',
        "$HELLO stream 1e3\n",
        'no this test is not known here',
        'it has asked for a test that is not known here'
    ],
    [
        'no time',
        "$HELLO stream 0.0\n",
        'no this test is not known here',
        'it has asked for a test that is not known here'
    ],
    [
        'a year',
        "$HELLO stream 31536000\n",
        'no this test is not known here',
        'it has asked for a test that is not known here, or for more than a day'
    ],
    [
        'a browser',
        "GET / HTTP/1.1\r\nHost: x\r\n\r\n",
        'no that is not a greeting',
        'it is not a net program: it has sent something else'
    ],
    [
        'octets',                    "\x1b[31m\x00\xff\n",
        'no that is not a greeting', 'it is not a net program: it has sent something else'
    ],
);

subtest 'a peer that is not ours is told so, and so is the operator' => sub {
    for my $case (@STRANGE) {
        my ($what, $bytes, $answer, $told) = @$case;
        my $server = server();
        like(answer_to($server, $bytes), qr/\A$HELLO $answer.*\n\z/, "$what: the answer");
        comes(sub { -s $server->{err} });
        my ($status, $err) = stop($server);
        like($err, qr/\Anet: 127\.0\.0\.1: \Q$told\E[ -~]*\n\z/, "$what: one line for the operator");
    }
};

subtest 'what comes in a test is checked' => sub {
    my $server = server();
    my $stream = connection($server);
    print {$stream} "$HELLO stream 5\n", 'x' x 8192;
    $stream->flush;
    is(join('', map { scalar readline $stream } 1, 2), "$HELLO ok\n$HELLO ready\n", 'it is ready');
    print {$stream} 'x' x 100_000;
    $stream->flush;
    shutdown $stream, 1;
    is(
        scalar readline $stream,
        "$HELLO no other bytes have arrived than are sent in this test\n",
        'other octets are told'
    );
    comes(sub { -s $server->{err} });
    my ($status, $err) = stop($server);
    like($err, qr/\Anet: 127\.0\.0\.1: it has sent other bytes/, 'and the operator is told');
};

subtest 'only datagrams of four octets from the machine of the connection are answered' => sub {
    my $server  = server();
    my $control = connection($server);
    syswrite $control, "$HELLO datagrams 5\n";
    my ($port) = readline($control) =~ /\A$HELLO ok (\d+)\n\z/ or return fail('a port');
    my %udp = map {
        $_ => IO::Socket::INET->new(
            LocalAddr => $_,
            PeerAddr  => '127.0.0.1',
            PeerPort  => $port,
            Proto     => 'udp'
        )
    } qw(127.0.0.1 127.0.0.2);
    my $sends = sub { my ($from, $datagram) = @_; $udp{$from} and $udp{$from}->send($datagram) };
    $sends->(@$_)
        for [ '127.0.0.1', 'abc' ], [ '127.0.0.1', 'abcde' ], [ '127.0.0.1', '' ],
        [ '127.0.0.1', "\0\0\0\0" ], [ '127.0.0.2', 'evil' ], [ '127.0.0.1', 'good' ];
    $udp{'127.0.0.1'}->recv(my $first, 100);
    is($first, 'good', 'the right one comes back first');
    vec(my $waiting = '', fileno $udp{'127.0.0.2'}, 1) = 1 if $udp{'127.0.0.2'};
    is($udp{'127.0.0.2'} ? select($waiting, undef, undef, 0) : 0, 0, 'nothing for another address');
    shutdown $control, 1;
    like(scalar readline $control, qr/\A$HELLO done 4 1 [0-9.]+\n\z/, 'one was counted');
    stop($server);
};

# Returns the control connection and a UDP socket of a session of datagrams, and the port that it serves.
sub datagrams {
    my ($server) = @_;
    my $control = connection($server);
    syswrite $control, "$HELLO datagrams 60\n";
    my ($port) = readline($control) =~ /\A$HELLO ok (\d+)\n\z/ or die "no port\n";
    return ($control, udp_to($port), $port);
}

sub udp_to {
    my ($port) = @_;
    return IO::Socket::INET->new(
        LocalAddr => '127.0.0.1',
        PeerAddr  => '127.0.0.1',
        PeerPort  => $port,
        Proto     => 'udp'
    ) || die "cannot make a UDP socket: $@\n";
}

# Sends these numbers, and then others until one of them comes back; returns the numbers that came back.
sub echoed {
    my ($udp, $last, @numbers) = @_;
    $udp->send(pack 'N', $_) for @numbers;
    my @came;
    comes(
        sub {
            $udp->send(pack 'N', ++$last);
            push @came, unpack 'N', $_ for received($udp, 0.05);
            return grep { $_ == $last } @came;
        }
    );
    return grep {
        my $came = $_;
        grep { $_ == $came } @numbers
    } @came;
}

# Returns the datagrams that come until there is none for these seconds.
sub received {
    my ($udp, $seconds) = @_;
    my @came;
    while (is_readable($udp, $seconds)) { $udp->recv(my $datagram, 100); push @came, $datagram }
    return @came;
}

sub is_readable {
    my ($handle, $seconds) = @_;
    vec(my $bits = '', fileno $handle, 1) = 1;
    return select($bits, undef, undef, $seconds) > 0;
}

subtest 'a session of datagrams belongs to the port of the first one, and its numbers grow' => sub {
    my $server = server();
    my ($control, $udp, $port) = datagrams($server);
    my $other = udp_to($port);
    is_deeply([ echoed($udp, 1000, 5, 6, 5, 6, 6, 7) ], [ 5, 6, 7 ], 'no number is answered twice');
    $other->send(pack 'N', $_) for 2000 .. 2002;
    echoed($udp, 3000);
    ok(!is_readable($other, 0), 'nothing for another port of the same machine');
    is_deeply([ echoed($udp, 4000, 1000 + 0x80000000) ], [], 'nor for a number that is far away');
    $_->close for $control, $udp, $other;
    ($control, $udp) = datagrams($server);
    is_deeply([ echoed($udp, 1, 0xfffffffe, 0xffffffff) ], [ 0xfffffffe, 0xffffffff ], 'after the largest');
    stop($server);
};

subtest 'the end of the connection ends a session, also while datagrams come' => sub {
    my $server = server();
    my ($control, $udp) = datagrams($server);
    my $number  = 0;
    my $goes_on = sub {
        $udp->send(pack 'N', ++$number);
        $udp->recv(my $datagram, 100) if is_readable($udp, 0.1);
    };
    $goes_on->() for 1 .. 10;
    shutdown $control, 1;
    ok(comes(sub { $goes_on->() for 1 .. 100; return is_readable($control, 0) }), 'it ends');
    like(scalar readline $control, qr/\A$HELLO done \d+ \d+ [0-9.]+\n\z/, 'with a report');
    stop($server);
};

# --- how it ends

subtest 'a signal ends it and all that it serves, and each client says so' => sub {
    for my $test (@TESTS) {
        my $server = server();
        my $client = start($NET, 20, $test, $server->{at});
        comes(sub { children_of($server->{pid}) }) if $^O eq 'linux';

        # The signal comes after the greeting, when the test is under way.
        sleep 0.2;
        my @children = $^O eq 'linux' ? children_of($server->{pid}) : ();
        is_deeply([ stop($server) ], [ 0, '' ], "$test: exit 0 and no word");
        is(scalar(grep { kill 0, $_ } @children), 0, "$test: no child is left");
        is_error(
            "$test: the client",
            "'127\\.0\\.0\\.1' port \\d+ has ended the connection (?:in the middle of the test|without an answer)",
            finish($client)
        );
    }
};

subtest 'a client that is killed leaves nothing at the server' => sub {
    plan skip_all => 'only Linux shows the children of a process' if $^O ne 'linux';
    my $server = server();
    for my $test (@TESTS) {
        my $client = start($NET, 20, $test, $server->{at});
        comes(sub { children_of($server->{pid}) });
        kill 'KILL', $client->{pid};
        finish($client);
        ok(comes(sub { !children_of($server->{pid}) }), $test);
    }
    my ($status) = stop($server);
    is($status, 0, 'exit 0');
};

# --- what no peer can do to it

# Read the server's processor time in ticks, and its resident memory in KB.
sub ticks_of {
    return slurp("/proc/$_[0]/stat") =~ /\) \S(?: \S+){10} (\d+) (\d+)/ ? $1 + $2 : die "no times\n";
}

sub memory_of { return slurp("/proc/$_[0]/status") =~ /^VmRSS:\s*(\d+)/m ? $1 : die "no memory\n" }

subtest 'lines for the operator are few, however many strangers come' => sub {
    my $server = server();
    answer_to($server, "stranger $_\n") for 1 .. 100;
    ok(comes(sub { slurp($server->{err}) =~ tr/\n// >= 10 }), 'ten are told of');
    my ($status, $err) = stop($server);
    cmp_ok($err =~ tr/\n//, '<=', 21, 'and not many more');
    unlike($err, qr/stranger/, 'in words of its own');
};

# Makes a library with which fork and accept fail while a file exists; returns undef if it cannot be made or
# has no effect on net.
sub failing_library {
    open my $out, '>', "$work/fork.c" or die "cannot write: $!\n";
    print {$out} <<'C';
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

__attribute__((constructor)) static void probe(void)
{
	if (getenv("PROBE"))
		_exit(123);
}

pid_t fork(void)
{
	if (access(getenv("NO_FORK"), F_OK) == 0) {
		errno = EAGAIN;
		return -1;
	}
	return ((pid_t (*)(void))dlsym(RTLD_NEXT, "fork"))();
}

int accept(int fd, struct sockaddr *a, socklen_t *size)
{
	if (access(getenv("NO_ACCEPT"), F_OK) == 0) {
		errno = EMFILE;
		return -1;
	}
	return ((int (*)(int, struct sockaddr *, socklen_t *))dlsym(RTLD_NEXT, "accept"))(fd, a, size);
}
C
    close $out or die "cannot write: $!\n";
    system("cc -shared -fPIC -w -o '$work/fork.so' '$work/fork.c' -ldl 2>/dev/null") == 0 or return undef;
    local @ENV{qw(LD_PRELOAD PROBE)} = ("$work/fork.so", 1);
    return (run($NET))[0] == 123 << 8 ? "$work/fork.so" : undef;
}

subtest 'a fork or an accept that fails is told, and the next one is served' => sub {
    my $library = failing_library();
    plan skip_all => 'no preloaded library can be made here' if !$library || $^O ne 'linux';
    local @ENV{qw(LD_PRELOAD NO_FORK NO_ACCEPT)} = ($library, "$work/no-fork", "$work/no-accept");
    my $server = server();
    delete @ENV{qw(LD_PRELOAD)};
    for my $case (
        [ 'no-fork',   '127\.0\.0\.1: cannot make a process for it: Resource temporarily unavailable' ],
        [ 'no-accept', 'cannot accept a connection: Too many open files' ]) {
        my ($file, $says) = @$case;
        open my $out, '>', "$work/$file" or die "cannot write: $!\n";
        my $connection = connection($server);
        ok(comes(sub { slurp($server->{err}) =~ /^net: $says$/m }), "$file: it says so")
            or diag slurp($server->{err});
        my $before = ticks_of($server->{pid});
        sleep 0.5;
        cmp_ok(ticks_of($server->{pid}) - $before, '<', 25, "$file: and does not run in circles");
        unlink "$work/$file";
        ok(comes(sub { (program('net', '--check', $server->{at}))[0] == 0 }), "$file: it serves again");
    }
    my ($status) = stop($server);
    is($status, 0, 'exit 0');
};

# These are greetings with some octets changed, removed or doubled, and random octets.
my @KINDS = (
    sub {
        join '', map { chr int rand 256 } 1 .. 1 + rand 200;
    },
    sub {
        my $text = "$HELLO stream 1\n";
        substr $text, rand length $text, 1, chr int rand 256 for 1 .. 1 + rand 4;
        $text;
    },
    sub { my $text = "$HELLO datagrams 1\n"; substr $text, rand length $text, rand 5, ''; $text },
    sub { my $text = "$HELLO echo 1\n"; $text . substr $text, rand length $text },
    sub { "$HELLO " . 'x' x rand 5000 },
    sub {
        "$HELLO " . (qw(stream echo datagrams check))[ rand 4 ] . " 1\n" . join '',
            map { chr int rand 256 } 1 .. rand 20_000;
    },
    sub { 'touchstone-net ' . '9' x (1 + rand 100) . " stream 1\n" },
    sub {
        "$HELLO stream " . join('', map { (0 .. 9, '.', '-', 'e', 'n')[ rand 14 ] } 1 .. 1 + rand 60) . "\n";
    },
    sub { '' },
);

sub attack {
    my ($server, $n) = @_;
    my $connection = connection($server);
    local $SIG{PIPE} = 'IGNORE';
    my $bytes = $KINDS[ $n % @KINDS ]->();
    syswrite $connection, $bytes if length $bytes;
    setsockopt $connection, SOL_SOCKET, SO_LINGER, pack 'll', 1, 0 if $n % 3 == 0;
    if ($n % 5 == 0) { shutdown $connection, 1; sysread $connection, my $answer, 1000 }
    return $n % 7 == 0 ? $connection : undef;
}

subtest 'hostile connections by the hundred change nothing' => sub {
    plan skip_all => 'only Linux tells the memory of another process' if $^O ne 'linux';
    srand 7117;

    # NET_SERVER may name a build with sanitizers, for a test by hand.
    my $server = served_by($ENV{NET_SERVER} // $NET);
    is_measured('before', program('net', SECONDS, 'tcp', $server->{at}));
    my $before = memory_of($server->{pid});
    my @held;
    for my $n (1 .. HOSTILE) {
        push @held, grep { $_ } eval { attack($server, $n) };
        shift @held if @held > 200;
    }
    cmp_ok(memory_of($server->{pid}) - $before,
        '<', MOST_GROWTH_KB, 'the server has not grown while they are there');
    @held = ();
    ok(comes(sub { (program('net', '--check', $server->{at}))[0] == 0 }), 'it serves');
    is_measured("$_ after", program('net', SECONDS, $_, $server->{at})) for @TESTS;
    ok(comes(sub { !children_of($server->{pid}) }), 'no process is left of them');
    my ($status, $err) = stop($server);
    is($status, 0, 'exit 0');
    unlike($err, qr/[^\n -~]|died|Sanitizer/, 'nothing of theirs is printed, and no process died of it');
};

# --- two machines

# Joins two namespaces by a pair of devices, and returns the commands that run in each.
sub two_machines {
    my @names = map { "ts$$-$_" } 1, 2;
    for my $name (@names) {
        system("ip netns add $name 2>/dev/null") == 0 or return;
        push @namespaces, $name;
    }
    my $joined =
        system("ip link add ts$$ netns $names[0] type veth peer name ts$$ netns $names[1] 2>/dev/null") == 0;
    for my $i (0, 1) {
        my $inside = "ip -n $names[$i]";
        $joined &&= system(
            "$inside addr add 10.71.17.@{[ $i + 1 ]}/24 dev ts$$ && $inside link set ts$$ up && $inside link set lo up 2>/dev/null"
        ) == 0;
    }
    return $joined ? map { [ 'ip', 'netns', 'exec', $_ ] } @names : ();
}

subtest 'between two machines' => sub {
    my ($here, $there) = two_machines() or plan skip_all => 'no network namespaces can be made here';
    my $server = served_by([ @$there, $NET ], '--bind', '10.71.17.2');
    my $at     = "10.71.17.2:$server->{port}";
    is_measured($_, run(@$here, $NET, SECONDS, $_, $at)) for @TESTS;
    my $client = start(@$here, $NET, 20, 'tcp-latency', $at);
    ok(comes(sub { (run(@$there, $NET, '--check', $at))[0] != 0 }), 'the first machine is served');
    is_error('another machine', 'busy with another machine', run(@$there, $NET, '--check', $at));
    stop($server);
    is_error(
        'the server is stopped',
        q('10\.71\.17\.2' port \d+ has ended the connection in the middle of the test),
        finish($client)
    );
    is_error(
        'nothing there',
        q(nothing listens at '10\.71\.17\.2' port 7117: start 'pgms/net --serve --bind ADDR' there),
        run(@$here, $NET, '--check', '10.71.17.2')
    );
    is_error(
        'no way',
        q(cannot reach '10\.99\.0\.1' port 7117: Network is unreachable),
        run(@$here, $NET, '--check', '10.99.0.1')
    );
    is_error(
        'no machine',
        q((?:no answer from|cannot reach) '10\.71\.17\.9' port 7117),
        run(@$here, $NET, '--check', '10.71.17.9')
    );
};

done_testing;
