# SPDX-License-Identifier: GPL-2.0-or-later
# The program net as the measuring side: its results, and its messages about a peer that is missing, is not
# ours, or does wrong. net-server.t tests the other side.
use 5.014;
use strict;
use warnings;

use Fcntl qw(F_SETFD);
use IO::Socket::INET;
use POSIX qw(WNOHANG);
use Test::More;
use Time::HiRes qw(sleep);

use lib 't/lib';
use ByHand;
use NoWarnings;
use Programs;
use Waiting;

use constant { SECONDS => 0.05, BLOCK => 8192 };

my $NET   = Programs::path('net');
my @TESTS = qw(tcp tcp-latency udp-latency unix unix-latency);
my $HELLO = 'touchstone-net 1';
my @started;
my $me = $$;

END {
    if ($$ == ($me // 0)) { local $?; kill 'KILL', $_ and waitpid $_, 0 for @started }
}

# Tests the result, as for every program, and returns the figures that come before it: { name => number }.
sub is_measured {
    my ($what, $status, $err) = @_;
    my %figures = $err =~ /^FIGURE\|(\w+)\|([0-9.]+(?:e-\d+)?)$/mg;
    is_result($what, $status, $err =~ s/^FIGURE\|.*\n//mgr);
    return \%figures;
}

# --- a peer of the test's own making: what it does with a connection

sub listening {
    my $listener = IO::Socket::INET->new(Listen => 5, LocalAddr => '127.0.0.1', Proto => 'tcp')
        or die "cannot listen: $@\n";
    return ($listener, '127.0.0.1:' . $listener->sockport);
}

# Returns the place where a peer listens. The connection is closed when `serves` returns.
sub peer {
    my ($serves) = @_;
    my ($listener, $place) = listening();
    my $pid = fork // die "cannot fork: $!\n";
    return push(@started, $pid) && $place if $pid;
    $SIG{PIPE} = 'IGNORE';
    while (my $connection = $listener->accept) {
        $connection->autoflush(1);
        $serves->($connection);
        close $connection;
    }
    POSIX::_exit(0);
}

# These read a line, read so many octets, and send a line of the protocol.
sub line { my ($connection) = @_; return scalar readline $connection }

sub take { my ($connection, $size) = @_; return read $connection, my $taken, $size }

sub say_ours { my ($connection, $words) = @_; return print {$connection} "$HELLO $words\n" }

# A peer that greets, takes the first block and says that it is ready; then it does what `serves` says.
sub ready_peer {
    my ($serves) = @_;
    return peer(
        sub {
            my ($connection) = @_;
            line($connection);
            say_ours($connection, 'ok');
            take($connection, BLOCK);
            say_ours($connection, 'ready');
            $serves->($connection);
        }
    );
}

# Takes everything, and returns the number of octets.
sub take_all {
    my ($connection) = @_;
    my $bytes = 0;
    while (my $n = read $connection, my $taken, BLOCK) { $bytes += $n }
    return $bytes;
}

# --- net, started and waited for later: { pid, err }

sub start {
    my (@arguments) = @_;
    my $err         = "$work/err" . @started;
    my $pid         = fork // die "cannot fork: $!\n";
    if (!$pid) {
        open STDERR, '>', $err or POSIX::_exit(126);
        { no warnings 'exec'; exec {$NET} $NET, @arguments }
        POSIX::_exit(127);
    }
    push @started, $pid;
    return { pid => $pid, err => $err };
}

sub finish {
    my ($net)  = @_;
    my $ended  = comes(sub { waitpid $net->{pid}, WNOHANG });
    my $status = $ended ? $? : 'still running';
    @started = grep { $_ != $net->{pid} } @started if $ended;
    return ($status, slurp($net->{err}));
}

# Returns the living children of a process, on Linux only.
sub children_of {
    my ($pid) = @_;
    my @children;
    for my $file (glob '/proc/[0-9]*/stat') {
        open my $in, '<', $file or next;
        my ($id, $state, $parent) = (readline($in) // '') =~ /\A(\d+) .*\) (\S) (\d+)/ or next;
        push @children, $id if $parent == $pid && $state ne 'Z';
    }
    return @children;
}

# Tests that take seconds run beside all others: [what, pattern, net].
my $silent = peer(sub { sleep 60 });
my $stuck  = ready_peer(sub { sleep 60 });
my @slow   = (
    [
        'a port that says nothing',
        "hangs, or is something else than 'net --serve': no answer within 5 seconds",
        start('--check', $silent)
    ],
    [
        'a port that says it slowly',
        'no answer within 5 seconds',
        start('--check', peer(sub { my ($c) = @_; print {$c} 'x' and sleep 0.5 for 1 .. 60 }))
    ],
    [
        'a peer that takes nothing more',
        'has neither sent nor taken anything for 10 seconds',
        start(2, 'tcp', $stuck)
    ],
    [
        'a peer that sends nothing back',
        'has neither sent nor taken anything for 10 seconds',
        start(SECONDS, 'tcp-latency', peer(sub { say_ours($_[0], 'ok'); sleep 60 }))
    ],
    [
        'a peer without datagrams',
        'no datagram has come back from .*, UDP port 9: a firewall|has ended the connection in the middle of the test: Connection refused',
        start(SECONDS, 'udp-latency', peer(sub { say_ours($_[0], 'ok 9'); sleep 60 }))
    ],
);

subtest 'every test measures between two processes of this machine' => sub {
    for my $test (@TESTS) {
        my ($status, $err) = program('net', SECONDS, $test);
        my $figures = is_measured($test, $status, $err);
        ok(exists $figures->{"${_}_cpu"}, "$test: CPU seconds of the $_") for qw(sender receiver);
        like(
            $err,
            $test =~ /latency/ ? qr/^COUNT\|\d+\|1\|lps$/m : qr/^COUNT\|[0-9.e+]+\|0\|MiBps$/m,
            "$test: its unit"
        );
        is($figures->{lost}, $test eq 'udp-latency' ? 0 : undef, "$test: datagrams lost");
        is(
            !!($figures->{calls} && $figures->{reads}),
            !!($test !~ /latency/),
            "$test: calls and reads are told of a stream"
        );
    }
};

subtest 'the figure of a stream is what has arrived over the time, in MiB per second' => sub {
    for my $test (qw(tcp unix)) {
        my ($status, $err) = program('net', SECONDS, $test);
        my ($rate, $seconds) = $err =~ /^COUNT\|([^|]+).*\nTIME\|(\S+)/m;
        my ($calls)  = $err =~ /^FIGURE\|calls\|(\d+)/m;
        my $expected = $calls * BLOCK / 2**20 / $seconds;
        cmp_ok(abs($rate / $expected - 1), '<', 0.001, "$test: $calls writes");
    }
};

subtest 'what the receiving process uses is part of the CPU time' => sub {
    my ($status, $err) = program('net', 0.2, 'unix');
    my ($user, $system) = $err =~ /^CPU\|(\S+)\|(\S+)/m;
    my %cpu = $err =~ /^FIGURE\|(sender|receiver)_cpu\|(\S+)/mg;
    cmp_ok($user + $system,               '>=', $cpu{receiver}, 'at least that of the receiver');
    cmp_ok($cpu{sender} + $cpu{receiver}, '>',  0,              'and the two use some');
};

# Starts net with a result descriptor and a gate, as Run does: { pid, result, ready, gate }.
sub start_at_gate {
    my (@arguments) = @_;
    my @pipes = map { pipe my $read, my $write or die "cannot make a pipe: $!\n"; [ $read, $write ] } 1 .. 3;
    my $pid   = fork // die "cannot fork: $!\n";
    if (!$pid) {
        fcntl $_, F_SETFD, 0 for $pipes[0][1], $pipes[1][1], $pipes[2][0];
        @ENV{qw(TS_RESULT TS_READY TS_GATE TS_COPY TS_SLICES)} =
            (fileno $pipes[0][1], fileno $pipes[1][1], fileno $pipes[2][0], 7, 1);
        open STDERR, '>', "$work/err" or POSIX::_exit(126);
        { no warnings 'exec'; exec {$NET} $NET, @arguments }
        POSIX::_exit(127);
    }
    push @started, $pid;
    return {
        pid    => $pid,
        result => $pipes[0][0],
        ready  => $pipes[1][0],
        gate   => $pipes[2][1],
        err    => "$work/err"
    };
}

subtest 'under Run each test is set up before the gate, and reports to the result descriptor' => sub {
    for my $test (@TESTS) {
        my $net = start_at_gate(0.15, $test);
        is(sysread($net->{ready}, my $byte, 10), 1, "$test: ready");
        close $net->{gate};
        my $result = $net->{result};
        my @lines  = <$result>;
        is_deeply([ finish($net) ], [ 0, '' ], "$test: exit 0, and standard error stays empty");
        is(scalar(grep { !/\A7\|(?:COUNT|TIME|CPU|PREEMPTED|SLEPT|FAULTS|SLICE|FIGURE)\|[^|]/ } @lines),
            0, "$test: lines of copy 7 only");
        my @slices = map { /SLICE\|(\d+)\|(\d+)/ ? [ $1, $2 ] : () } @lines;
        cmp_ok(scalar @slices, '>=', 2, "$test: at least two slices");
        is($slices[0][1], 0, "$test: the first is the start");
        my ($seconds) = map { /\|TIME\|(\S+)/ } @lines;
        is(sprintf('%.6f', ($slices[-1][0] - $slices[0][0]) / 1e9), $seconds, "$test: they cover the time");
    }
};

subtest 'a net whose Run is gone ends, though its peer hangs' => sub {
    my $net = start_at_gate(100, 'tcp', $stuck);
    close $net->{$_} for qw(gate result);
    my ($status) = finish($net);
    is($status, 1 << 8, 'exit 1');
    $net = start_at_gate(100, 'unix');
    close $net->{$_} for qw(gate result);
    ($status) = finish($net);
    is($status, 1 << 8, 'exit 1 without another machine');
};

subtest 'words that are no call are refused' => sub {
    is_usage("'@$_'", program('net', @$_))
        for [], [1], [ 1, 'sctp' ], [ 1, 'unix', 'host' ], [ 1, 'unix-latency', 'host' ],
        [ 1, 'tcp', 'host', 'more' ], [ 0, 'tcp' ], [ 'x', 'tcp' ],
        ['--check'], [ '--check', 'a', 'b' ], [ '--serve', 'x' ], [ '--serve', '--port' ],
        [ '--serve', '--port', 65536 ], [ '--serve', '--port', 'x' ],
        [ '--serve', '--bind' ], map { [ 1, 'tcp', $_ ] } '', ':7', '::1', 'a:', 'a:0', 'a:65536', 'a:7x',
        'a:-7', '[::1', '[::1]7', '[]', '[]:7', 'a:7:7', 'h' x 300;
};

subtest 'a machine that cannot be reached is named, with a remedy' => sub {
    my ($listener, $place) = listening();
    my ($port) = $place =~ /:(\d+)/;
    close $listener;
    is_error(
        "$_, nothing there",
        "nothing listens at '127\\.0\\.0\\.1' port $port: start 'pgms/net --serve --bind ADDR --port $port' there",
        program('net', $_ eq '--check' ? ($_, $place) : (SECONDS, $_, $place))
    ) for qw(--check tcp tcp-latency udp-latency);
    is_error(
        'a name that is none',
        "cannot find the address of 'no such name': .",
        program('net', '--check', 'no such name:7')
    );
    is_error('an address that is none', "'(?:::)' port 7", program('net', '--check', '[::]:7'));
};

# Each row is [what, what it sends at once, pattern of the message].
my @STRANGERS = (
    [ 'an SSH server', "SSH-2.0-OpenSSH_9.2\r\n", "is not 'net --serve': it prints 'SSH-2.0-OpenSSH_9.2'" ],
    [
        'an HTTP server',
        "HTTP/1.1 400 Bad Request\r\n\r\n",
        "is not 'net --serve': it prints 'HTTP/1.1 400 Bad Request'"
    ],
    [ 'octets',       "\x00\xff\x1b[31m\n",  "is not 'net --serve': it prints ''" ],
    [ 'an escape',    "abc\x1b]0;title\a\n", "it prints 'abc'" ],
    [ 'a long line',  'x' x 100_000,         "it prints '" . 'x' x 79 . "'" ],
    [ 'half a line',  'half',                "it prints 'half'" ],
    [ 'half of ours', 'touchstone-net',      "it prints 'touchstone-net'" ],
    [
        'nothing',
        '',
        "has ended the connection without an answer: it is something else than 'net --serve', or has no room left"
    ],
    [
        'another version',
        "touchstone-net 2 ok\n",
        'of another version, whose protocol is 2 and not 1: build the same Touchstone on both machines'
    ],
    [ 'no version',      "touchstone-net x ok\n",                 q{is not 'net} ],
    [ 'a large version', "touchstone-net 99999999999999 ok\n",    q{is not 'net} ],
    [ 'a refusal',       "$HELLO no busy with another machine\n", 'says: busy with another machine' ],
    [ 'another answer',  "$HELLO done 1 2 3\n",                   "says 'done 1 2 3' where 'ok' is due" ],
    [ 'half a word',     "$HELLO okay\n",                         "says 'okay' where 'ok' is due" ],
    [ 'no word',         "$HELLO\n",                              "says '' where 'ok' is due" ],
);

subtest 'a port that is not ours, or does not want to, is told from one that is' => sub {
    for my $stranger (@STRANGERS) {
        my ($what, $sends, $says) = @$stranger;
        my $place = peer(
            sub {
                my ($connection) = @_;
                print {$connection} $sends;
                shutdown $connection, 1;
                take_all($connection);
            }
        );
        my ($status, $err) = program('net', '--check', $place);
        is_error($what, "'127\\.0\\.0\\.1' port \\d+ .*\Q$says\E", $status, $err);
        unlike($err, qr/[^\n -~]/, "$what: nothing of it is printed raw");
    }
    is_error(
        'a connection reset at once',
        'has ended the connection without an answer|Connection reset',
        program(
            'net',
            '--check',
            peer(
                sub {
                    setsockopt $_[0], SOL_SOCKET, SO_LINGER, pack 'll', 1, 0;
                }
            )
        )
    );
    is_deeply(
        [ program('net', '--check', peer(sub { line($_[0]); say_ours($_[0], 'ok') })) ],
        [ 0, '', slurp("$work/out") ],
        'one of ours is no error'
    );
    like(slurp("$work/out"), qr/\Anet: '127\.0\.0\.1' port \d+ serves\n\z/, 'and one line says so');
};

# Each row is [what, what a ready peer does, pattern of the message].
my @BAD_STREAMS = (
    [
        'fewer octets',
        sub { say_ours($_[0], 'done ' . (take_all($_[0]) - 1) . ' 5 0.1') },
        'wrong result: \d+ bytes were sent and \d+ have arrived'
    ],
    [
        'more octets',
        sub { say_ours($_[0], 'done ' . (take_all($_[0]) + 1) . ' 5 0.1') },
        'wrong result: \d+ bytes were sent and \d+ have arrived'
    ],
    [ 'no report', sub { take_all($_[0]) }, 'has ended the connection in the middle of the test' ],
    [
        'half a report',
        sub { take_all($_[0]); say_ours($_[0], 'done 12 3') },
        q(gives a report that cannot be read: ' 12 3')
    ],
    [
        'a wrong report',
        sub { take_all($_[0]); say_ours($_[0], 'done 12 x 0.1') },
        'gives a report that cannot be read'
    ],
    [
        'too much of one',
        sub { take_all($_[0]); say_ours($_[0], 'done 12 3 0.1 4') },
        'gives a report that cannot be read'
    ],
    [
        'huge numbers',
        sub { take_all($_[0]); say_ours($_[0], 'done ' . '9' x 30 . ' 3 1') },
        'gives a report that cannot be read'
    ],
    [
        'a refusal',
        sub { take_all($_[0]); say_ours($_[0], 'no other octets have arrived') },
        'says: other octets have arrived'
    ],
    [ 'a quick end', sub { take($_[0], 100_000) }, 'has ended the connection in the middle of the test' ],
    [
        'a word, and the end',
        sub { say_ours($_[0], 'no room any more') },
        'says: room any more|has ended the connection in the middle'
    ],
);

subtest 'a peer that does its part wrong gives no result' => sub {
    is_error("$_->[0]", $_->[2], program('net', SECONDS, 'tcp', ready_peer($_->[1]))) for @BAD_STREAMS;
    is_error(
        'another byte',
        'wrong result: byte 0 came back as 1',
        program(
            'net', SECONDS,
            'tcp-latency',
            peer(
                sub {
                    my ($connection) = @_;
                    line($connection);
                    say_ours($connection, 'ok');
                    take($connection, 1);
                    print {$connection} "\1";
                    sleep 1;
                }
            )
        )
    );
};

# A peer for datagrams. For each datagram it sends the list of datagrams that `answer` returns.
sub datagram_peer {
    my ($answer, $extra) = @_;
    return peer(
        sub {
            my ($connection) = @_;
            my $udp = IO::Socket::INET->new(LocalAddr => '127.0.0.1', Proto => 'udp')
                or die "cannot make a socket: $@\n";
            line($connection);
            say_ours($connection, 'ok ' . $udp->sockport);
            my ($seen, $answered) = (0, 0);
            while (defined(my $from = $udp->recv(my $datagram, 100))) {
                last if unpack('N', $datagram) == 0;
                my @answers = $answer->($datagram, $seen++);
                $answered += !!@answers;
                $udp->send($_, 0, $from) for @answers;
            }
            say_ours($connection, "done 4 $seen 0.1");
        }
    );
}

subtest 'lost datagrams are counted, and late, short and long answers are no answers' => sub {
    my ($status, $err) = program('net', 1.5, 'udp-latency', datagram_peer(sub { $_[1] == 5 ? () : $_[0] }));
    my $figures = is_measured('the sixth is lost', $status, $err);
    is($figures->{lost}, 1, 'one is counted');
    my $held = '';
    ($status, $err) = program(
        'net', 1.2,
        'udp-latency',
        datagram_peer(
            sub {
                my ($datagram, $n) = @_;
                return $n == 3 ? do { $held = $datagram; () } : ($held, 'abc', 'abcde', $datagram, $datagram);
            }
        )
    );
    $figures = is_measured('late and double answers', $status, $err);
    is($figures->{lost}, 1, 'one is counted');
};

subtest 'every datagram lost is no result' => sub {
    is_error(
        'none but the first',
        'no datagram has come back in time, 1 were lost',
        program('net', 0.5, 'udp-latency', datagram_peer(sub { $_[1] == 0 ? $_[0] : () }))
    );
    is_error(
        'the port is closed',
        'has ended the connection in the middle of the test',
        program(
            'net', 5,
            'udp-latency',
            peer(
                sub {
                    my ($connection) = @_;
                    my $udp = IO::Socket::INET->new(LocalAddr => '127.0.0.1', Proto => 'udp')
                        or die "cannot make a socket: $@\n";
                    say_ours($connection, 'ok ' . $udp->sockport);
                    $udp->recv(my $datagram, 100);
                    $udp->send($datagram);
                }
            )
        )
    );
};

subtest 'the two processes notice when the other is gone' => sub {
    plan skip_all => 'only Linux shows the children of a process' if $^O ne 'linux';
    for my $test (@TESTS) {
        my $net   = start(20, $test);
        my $child = comes(sub { (children_of($net->{pid}))[0] });
        kill 'KILL', $child;
        is_error(
            "$test, the receiver is killed",
            'the receiving process was killed by signal 9',
            finish($net)
        );
        $net   = start(20, $test);
        $child = comes(sub { (children_of($net->{pid}))[0] });
        kill 'KILL', $net->{pid};
        finish($net);
        ok(comes(sub { !kill 0, $child or slurp("/proc/$child/stat") =~ /\) Z/ }),
            "$test, the sender is killed: the receiver ends");
    }
};

subtest 'a peer that is slow to answer is given up' => sub {
    is_error($_->[0], "'127\\.0\\.0\\.1' port \\d+.*(?:$_->[1])|$_->[1]", finish($_->[2])) for @slow;
};

done_testing;
