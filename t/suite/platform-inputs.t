# SPDX-License-Identifier: GPL-2.0-or-later
# The program inputs run by hand: over pseudo-terminals, sockets and two terminals that the test has made and
# joined. If nothing goes wrong by itself, a copy of the sources is changed.
use 5.014;
use strict;
use warnings;

use Fcntl qw(F_SETFD);
use List::Util qw(min sum);
use POSIX ();
use Test::More;
use Time::HiRes qw(sleep);

use lib 't/lib';
use ByHand;
use NoWarnings;
use Programs;
use Tools;
use Waiting;
use Sources ();

use constant { SECONDS => 0.05, SESSION => 1000 };

delete @ENV{qw(TS_RESULT TS_COPY TS_READY TS_GATE TS_CPUS TS_SLICES)};
my $INPUTS = Programs::path('inputs');
my $NUMBER = qr/[0-9]+\.[0-9]+/;
my @started;
my $me = $$;

END {
    if ($$ == ($me // 0)) { local $?; kill 'KILL', $_ and waitpid $_, 0 for @started }
}

# Makes two terminals, prints their names, and passes data from each to the other, until its input ends. With
# a further argument it passes on nothing.
my $JOINED = <<'C';
#define _XOPEN_SOURCE 700
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	struct pollfd p[3] = { { .fd = -1, .events = POLLIN }, { .fd = -1, .events = POLLIN }, { .fd = 0, .events = POLLIN } };
	char octets[4096];

	(void)argv;
	for (int i = 0; i < 2; i++) {
		p[i].fd = posix_openpt(O_RDWR | O_NOCTTY);
		if (p[i].fd == -1 || grantpt(p[i].fd) || unlockpt(p[i].fd))
			return 1;
		printf("%s\n", ptsname(p[i].fd));
		/* This descriptor keeps the terminal when its user has gone. */
		if (open(ptsname(p[i].fd), O_RDWR | O_NOCTTY) == -1)
			return 1;
	}
	fflush(stdout);
	while (poll(p, 3, -1) >= 0 && !p[2].revents)
		for (int i = 0; i < 2; i++) {
			const ssize_t n = p[i].revents ? read(p[i].fd, octets, sizeof octets) : 0;
			if (n < 0 || (n > 0 && argc == 1 && write(p[!i].fd, octets, (size_t)n) != n))
				return 1;
		}
	return 0;
}
C

my ($checked, $no_pty) = program('inputs', '--check', 'pty');
plan skip_all => $no_pty =~ s{\ASKIP\|([^\n]*).*}{$1}sr if $checked == 77 << 8;

my $can_join = do {
    Sources::spew("$work/joined.c", $JOINED);
    (run(Programs::compiler(), '-std=gnu11', '-o', "$work/joined", "$work/joined.c"))[0] == 0
        && $checked == 0;
};

# Returns the names of two terminals, and a handle that keeps them open.
sub joined {
    my (@apart) = @_;
    pipe my $in,  my $life  or die "cannot make a pipe: $!\n";
    pipe my $say, my $names or die "cannot make a pipe: $!\n";
    my $pid = fork // die "cannot fork: $!\n";
    if (!$pid) {
        close $life;
        open STDIN,  '<&', $in    or POSIX::_exit(127);
        open STDOUT, '>&', $names or POSIX::_exit(127);
        { no warnings 'exec'; exec {"$work/joined"} "$work/joined", @apart }
        POSIX::_exit(127);
    }
    push @started, $pid;
    close $names;
    chomp(my @devices = map { scalar readline $say } 1, 2);
    return (@devices, $life);
}

# Returns { name => [number, unit] } of the figures.
sub figures {
    my ($err) = @_;
    return {
        map { /\AFIGURE\|([\w.-]+)\|([0-9.]+)(?:\|(\w+))?\z/ ? ($1 => [ $2, $3 // '' ]) : () } split /\n/,
        $err
    };
}

# Tests the result, as for every program, and returns the figures that come before it.
sub is_measured {
    my ($what, $status, $err) = @_;
    is_result($what, $status, $err =~ s/^FIGURE\|.*\n//mgr);
    return figures($err);
}

sub number_of { my ($figures, $name) = @_; return $figures->{$name}[0] // -1 }

sub is_whole {
    my ($what, @got) = @_;
    my $figures = is_measured($what, @got);
    my $count   = $got[1] =~ /^COUNT\|(\d+)\|1\|mps$/m ? $1 : 0;
    ok($count && $count % SESSION == 0, "$what: whole sessions are counted, in movements");
    is(
        join(' ', map { number_of($figures, $_) } qw(emitted received)),
        "$count $count",
        "$what: every movement has arrived"
    );
    is(number_of($figures, 'sessions'), $count / SESSION, "$what: of a thousand each");
    my @times = map { number_of($figures, $_) } qw(p50 p99 p99.9 max);
    ok(!grep({ $times[$_] > $times[ $_ + 1 ] } 0 .. 2) && $times[0] > 0, "$what: more of them take no less")
        or diag("@times");

    for my $name (qw(emission reception p50 p99 p99.9 max)) {
        like("@{ $figures->{$name} || [] }", qr/\A0\.\d{9} s\z|\A\d+\.\d{9} s\z/, "$what: $name in seconds");
    }
    return $figures;
}

# Each second of a pass has a rate, and the last where at least a tenth of it passed; on a busy machine a pass
# takes longer than was asked. Returns how long each of these lasted, by the name of its figure.
sub has_rates {
    my ($what, $figures, $status, $err) = @_;
    my ($time) = $err =~ /^TIME\|(\S+)$/m;
    my %lasted =
        map { ("second-$_" => min(1, $time - $_ + 1)) } grep { $time - $_ + 1 >= 0.1 } 1 .. $time + 1;
    is(join(' ', sort grep { /second/ } keys %$figures), join(' ', sort keys %lasted), $what);
    return %lasted;
}

# This runs beside other tests, for the subtest of alarms.
my $alarmed = fork // die "cannot fork: $!\n";
if (!$alarmed) {
    open STDERR, '>', '/dev/null' or POSIX::_exit(127);
    alarm 1;
    { no warnings 'exec'; exec {$INPUTS} $INPUTS, 60, 'sockets' }
    POSIX::_exit(127);
}
push @started, $alarmed;

subtest 'pseudo-terminals and sockets pass on every movement' => sub {
    is_whole('without a word', program('inputs', SECONDS));
    is_whole($_, program('inputs', SECONDS, $_)) for qw(pty sockets);
};

subtest 'the last answer is on standard output, as the document has it' => sub {
    my $before = int(Time::HiRes::time() * 1000);
    my ($status, $err, $out) = program('inputs', SECONDS, 'sockets');
    my ($start, $end) = $out =~ /\A\{"start_date": (\d+), "end_date": (\d+), "iterations": 1000\}\n\z/;
    ok(defined $start,                                           'one answer') or diag($out);
    ok($before <= ($start // 0) && ($start // 0) <= ($end // 0), 'its dates are milliseconds since 1970');
};

subtest 'a pass shorter than any time is one session' => sub {
    my @got     = program('inputs', '0.000001', 'sockets');
    my $figures = is_whole('short', @got);
    has_rates('a second of which there is less than a tenth has none', $figures, @got);
    is(number_of($figures, 'sessions'), 1, 'one');
};

subtest 'each second has a rate, and together they are all movements' => sub {
    my @got      = program('inputs', 1.3, 'sockets');
    my $figures  = is_whole('seconds', @got);
    my %lasted   = has_rates('the last one too, in part', $figures, @got);
    my $together = sum(map { number_of($figures, $_) * $lasted{$_} } keys %lasted);
    cmp_ok(abs($together - number_of($figures, 'received')),
        '<=', 2, 'the rest of the time counts as what it is');
};

subtest 'the processes share the CPU that was chosen' => sub {
    my ($status, $err) = do { local $ENV{TS_CPUS} = '0'; program('inputs', SECONDS, 'sockets') };
    plan skip_all => 'CPU 0 cannot be chosen here' if $status && $err =~ /^SKIP|cannot move to CPU/m;
    is_whole('on CPU 0', $status, $err);
};

sub settings_of { my ($device) = @_; return (run('sh', '-c', 'stty -a <"$0"', $device))[2] }

subtest 'two terminals that are joined are a line, and are left as they were' => sub {
    plan skip_all => 'no terminals can be joined here' if !$can_join;
    my ($one, $other, $life) = joined();
    my @before = map { settings_of($_) } $one, $other;
    is_whole('devices',             program('inputs', SECONDS, "$one,$other"));
    is_whole('the other way round', program('inputs', SECONDS, "$other,$one"));
    is((program('inputs', '--check', "$one,$other"))[0], 0, 'they pass the check');
    is_deeply([ map { settings_of($_) } $one, $other ], \@before, 'their settings are those of before');
};

subtest 'what is in the line before is not taken for a movement' => sub {
    plan skip_all => 'no terminals can be joined here' if !$can_join;
    my ($back, $forth, $too) = joined();
    open my $out, '>', $back or die "cannot open '$back': $!\n";
    syswrite $out, "something of another\n" x 10;
    sleep 0.2;
    is_whole('after rubbish', program('inputs', SECONDS, "$back,$forth"));
    close $out;
};

subtest '--check says nothing of what is well' => sub {
    is_deeply([ program('inputs', '--check', $_) ], [ 0, '', '' ], $_) for qw(pty sockets);
};

subtest 'what is no line is named, by the check and by the test' => sub {
    Sources::spew("$work/file", "text\n");
    my %says = (
        "$work/none,$work/none" => qr(cannot open '\Q$work\E/none': No such file),
        "$work/file,$work/none" => qr('\Q$work\E/file' is not a terminal$)m,
        '/dev/null,/dev/null'   => qr('/dev/null' is not a terminal$)m,
    );

    # The terminals are there as long as $life.
    my ($one, $other, $life) = $can_join ? joined() : ();
    if ($can_join) {
        symlink $one, "$work/link" or die "cannot make a link: $!\n";
        $says{"$one,$one"}       = qr('\Q$one\E' and '\Q$one\E' are the same device$)m;
        $says{"$one,$work/link"} = qr('\Q$one\E' and '\Q$work\E/link' are the same device$)m;
        $says{"$one,/dev/null"}  = qr('/dev/null' is not a terminal$)m;
    }
    for my $what (sort keys %says) {
        is_error($what,            $says{$what}, program('inputs', SECONDS,   $what));
        is_error("$what, checked", $says{$what}, program('inputs', '--check', $what));
    }
};

subtest 'what it cannot be told is a usage error' => sub {
    for my $what ('', 'x', 'Pty', ',', '/dev/null', '/dev/null,', ',/dev/null',
        '/dev/null,/dev/null,/dev/null') {
        is_usage("'$what'",         program('inputs', SECONDS,   $what));
        is_usage("--check '$what'", program('inputs', '--check', $what));
    }
    is_usage('a word too many',             program('inputs', SECONDS,   'pty', 'pty'));
    is_usage('--check and a word too many', program('inputs', '--check', 'pty', 'pty'));
    is_usage('--check alone',               program('inputs', '--check'));
    is_usage("seconds '$_'",                program('inputs', $_)) for '', 'x', 0, -1;
};

# --- the processes and their ends

# Starts a program in its own process group, and returns its process id when it is at work.
sub at_work {
    my ($program, @arguments) = @_;
    my $pid = fork // die "cannot fork: $!\n";
    if (!$pid) {
        setpgrp;
        open STDERR, '>', "$work/started.err" or POSIX::_exit(127);
        { no warnings 'exec'; exec {$program} $program, 60, @arguments }
        POSIX::_exit(127);
    }
    push @started, $pid;
    return $pid;
}

# Returns relay and receiver, in the order in which they were started.
sub children {
    my ($pid) = @_;
    my (undef, undef, $out) = run('ps', '-A', '-o', 'pid=,ppid=,stat=');
    return sort { $a <=> $b } map { /\A\s*(\d+)\s+$pid\s+[^Z\s]/ ? $1 : () } split /\n/, $out;
}

sub is_there { my ($pid) = @_; return (run('ps', '-o', 'stat=', '-p', $pid))[2] =~ /\A\s*[^Z\s]/ }

# Returns both children when the pass has begun.
sub with_children {
    my ($pid) = @_;
    my @children;
    comes(sub { (@children = children($pid)) == 2 }) or return;
    sleep 0.1;
    return @children;
}

my $can_make = system('command -v gmake >/dev/null 2>&1 || command -v make >/dev/null 2>&1') == 0;
my $no_look  = (run('ps', '-A', '-o', 'pid=,ppid=,stat='))[0] == 0 ? '' : Tools::none('ps');

subtest 'no process outlives the emitter, whatever ends it' => sub {
    plan skip_all => $no_look if length $no_look;
    for my $what ('pty', 'sockets', $can_join ? 'devices' : ()) {
        for my $signal (qw(KILL TERM INT)) {

            # A killed emitter leaves movements on their way, so each has devices of its own.
            my @life     = $what eq 'devices' ? joined() : ();
            my $pid      = at_work($INPUTS, @life ? "$life[0],$life[1]" : $what);
            my @children = with_children($pid);
            is(@children, 2, "$what: a relay and a receiver");
            kill $signal, $pid;
            waitpid $pid, 0;
            is($? & 127, POSIX->can("SIG$signal")->(), "$what: ended by SIG$signal");
            ok(
                comes(
                    sub {
                        !grep { is_there($_) } @children;
                    }
                ),
                "$what: SIG$signal leaves nothing behind"
            );
            is(slurp("$work/started.err"), '', "$what: nothing is said");
        }
    }
};

subtest 'a process that is killed ends the program with its name' => sub {
    plan skip_all => $no_look if length $no_look;
    for my $what ('pty', 'sockets', $can_join ? 'devices' : ()) {
        for my $which (0, 1) {

            # What the first one left on its way is not for the second.
            my @life     = $what eq 'devices' ? joined() : ();
            my $pid      = at_work($INPUTS, @life ? "$life[0],$life[1]" : $what);
            my @children = with_children($pid);
            is(@children, 2, "$what: a relay and a receiver")
                or return diag(slurp("$work/started.err"));
            kill 'KILL', $children[$which];
            waitpid $pid, 0;
            is_error($what, 'wrong result: the ' . (qw(relay receiver))[$which] . ' was killed by signal 9',
                $?, slurp("$work/started.err"));
            ok(!grep({ is_there($_) } @children), "$what: nothing is left behind");
        }
    }
};

subtest 'who starts it may have set an alarm' => sub {
    waitpid $alarmed, 0;
    is($?, POSIX::SIGALRM(), 'and it rings');
};

# --- with changed sources: one program has all changes, and FAULT=number in the environment chooses one

# This includes no header, because the sources must be able to define feature macros before the first one.
my $FAULT = <<'C';
extern char *getenv(const char *);
extern int atoi(const char *);
#define FAULT(number) (getenv("FAULT") && atoi(getenv("FAULT")) == (number))
C

# Each row is [what goes wrong, file, text of its source, replacement, pattern of the message]. N stands for
# the number of the row.
my $RELAYED = 'while ((n = bytes_read(in, bytes, sizeof bytes)) > 0)';
my $EMITTED = 'm.emitted = bench_clock();';
my $GONE    = '(?:cannot write to the first line|the receiver has gone|a line has ended)';
my $ODD     = 'movement \d+ (?:was expected|came)';
my @CHANGES = (
    [
        'a movement that is left out',
        'inputs.c', $EMITTED,
        "$EMITTED if (FAULT(N) && sent == 2500) continue;",
        'movement 2501 came where 2500 was expected'
    ],
    [
        'a last movement that is left out',
        'inputs.c',
        $EMITTED,
        "$EMITTED if (FAULT(N) && sent == 3000) continue;",
        'rubbish came where movement 3000 was expected'
    ],
    [
        'a movement that is sent twice',
        'inputs.c', $EMITTED,
        "$EMITTED if (FAULT(N) && sent == 2500) bytes_write(line, &m, sizeof m);",
        'movement 2500 came where 2501 was expected'
    ],
    [
        'movements that change places',
        'inputs.c', $EMITTED,
        "$EMITTED if (FAULT(N) && sent / 2 == 1250) m = movement_number(sent ^ 1);",
        'movement 2501 came where 2500 was expected'
    ],
    [
        'another place',
        'inputs.c', $EMITTED,
        "$EMITTED if (FAULT(N) && sent == 2500) m.dy++;",
        'movement 2500 came as 28,13 where 28,12 was expected'
    ],
    [
        'a time to come',
        'inputs.c', $EMITTED,
        "$EMITTED if (FAULT(N) && sent == 2500) m.emitted += SECOND_NS;",
        'movement 2500 came with a time that is none'
    ],
    [
        'an answer of 999',
        'inputs.c',
        '.iterations = SESSION',
        '.iterations = SESSION - FAULT(N)',
        'the answer says 999 iterations, not 1000'
    ],
    [
        'an end before the start',
        'inputs.c', '(date + took',
        '(date + (FAULT(N) ? -5 * MS_NS : 0) + took * !FAULT(N)',
        "the answer's end is before its start"
    ],
    [
        'an answer of another time',
        'inputs.c', '(date + ',
        '(date + SECOND_NS * FAULT(N) + ',
        'the answer says \d+ ms, the movements \d+ to \d+'
    ],
    [
        'no answer', 'inputs/generate.c', 'ANSWER, "{',
        'ANSWER, FAULT(N) ? "no answer\n" : "{',
        'rubbish came where the answer behind movement 1000 was expected'
    ],
    [
        'more than the answer',
        'inputs.c',
        'answer_write(&answer, text);',
        'answer_write(&answer, text); if (FAULT(N)) strcat(text, "more");',

      # What comes in one piece with the answer is found there, and what comes later is not the next movement.
        '(?:something came behind the answer to movement 1000|rubbish came where movement 1001 was expected)'
    ],
    [
        'an octet that is lost',
        'inputs.c', $RELAYED,
        "$RELAYED if (FAULT(N) && n > 9 && bytes_write(out, bytes + 1, (size_t)n - 1)) continue; else", $ODD
    ],
    [
        'octets that come twice',
        'inputs.c',                                                                     $RELAYED,
        "$RELAYED if (FAULT(N) && !bytes_write(out, bytes, (size_t)n)) continue; else", $ODD
    ],
    [
        'octets that change places',
        'inputs.c',                                                                                $RELAYED,
        "$RELAYED if (FAULT(N) && n >= 24 && (bytes[9] = bytes[8], bytes[8] = 0)) continue; else", $ODD
    ],
    [
        'fewer that are acknowledged',
        'inputs.c',
        'waiting.due = false;',
        'waiting.due = false; got.count -= FAULT(N);',
        'the receiver has counted other movements'
    ],
    [
        'a relay that ends',
        'inputs.c',
        'emitter = getppid();',
        'emitter = getppid(); if (FAULT(N)) _exit(0);', $GONE
    ],
    [
        'a receiver that ends',
        'inputs.c',
        'waiting.emitter = getppid();',
        'waiting.emitter = getppid(); if (FAULT(N)) _exit(0);', $GONE
    ],
    [
        'writes in parts',
        'inputs/generate.c',
        'write(fd, from, size)',
        'write(fd, from, FAULT(N) && size > 7 ? 7 : size)'
    ],
    [
        'short reads',
        'inputs/generate.c',
        'sizeof f->bytes - f->to',
        '(FAULT(N) ? 31 : sizeof f->bytes) - f->to'
    ],
    [
        'no waiting', 'inputs.c',
        'own[0] = end[EMITTER];',
        'own[0] = end[EMITTER]; if (FAULT(N)) fcntl(own[0], F_SETFL, O_NONBLOCK);'
    ],
);

my @OTHERS = (
    [ 'less patience', 'inputs.c', 'PATIENCE = 10', 'PATIENCE = 1' ],
    [
        'a header', 'inputs.c',
        '#include "platform/inputs/lines.h"',
        qq(#include "platform/inputs/lines.h"\n#include <fcntl.h>)
    ]
);

# Whether a program with all changes could be built.
my $is_changed = $can_make && do {
    Sources::spew("$Sources::dir/fault.h", $FAULT);
    my $number = 0;
    for my $change (@CHANGES, @OTHERS) {
        my (undef, $file, $from, $to) = @$change;
        my $source = "$Sources::dir/src/platform/$file";
        my $text   = slurp($source);
        my $with   = $to =~ s/FAULT\(N\)/'FAULT(' . ++$number . ')'/er =~ s/FAULT\(N\)/FAULT($number)/gr;
        (my $other = $text) =~ s/\Q$from\E/$with/ or die "'$from' is not in $file\n";
        Sources::spew($source, $other);
    }
    my ($status, undef, $err) =
        Sources::build('inputs', 'FLAGS=-O0', "CFLAGS=-w -include $Sources::dir/fault.h");
    is("$status$err", '0', 'the changed program is built');
    $status == 0;
};

sub with_fault {
    my ($number, @arguments) = @_;
    local $ENV{FAULT} = $number;

    # A program that ends at its fault gets more time, because a busy machine may take long to get there.
    return run("$Sources::dir/pgms/inputs", $number && defined $CHANGES[ $number - 1 ][4] ? 5 : SECONDS,
        @arguments);
}

subtest 'what does not arrive as it was sent is no result, and what arrives in parts is one' => sub {
    plan skip_all => 'there is no make' if !$is_changed;
    for my $number (1 .. @CHANGES) {
        my ($what, $says) = @{ $CHANGES[ $number - 1 ] }[ 0, 4 ];
        for my $line (qw(pty sockets)) {
            my @got = with_fault($number, $line);
            if ($says) { is_error("$what, $line", $says, @got) }
            else       { is_whole("$what, $line", @got) }
        }
    }
};

subtest 'a line whose other end is not connected is said to be so' => sub {
    plan skip_all => 'no terminals can be joined here' if !$can_join || !$is_changed;
    my ($one, $other, $life) = joined('apart');
    is_error(
        'not connected',
        'nothing has arrived for 1 seconds: is the other end of the line connected',
        with_fault(0, "$one,$other")
    );
};

done_testing;
