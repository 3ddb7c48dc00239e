#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# fake.pl - fake.c in Perl, for a machine without a compiler (make check-installed). fake.c says what it does
# and has the table of results, which is read from there: FAKE_SOURCE, or the place where it is written in by
# t/installed.pl. t/house/installed.t looks that both know the same behaviours.
use 5.014;
use strict;
use warnings;

use Time::HiRes ();

my ($LIFE, $LINES, $DESCRIPTORS) = (120, 16384, 256);
my $SOURCE = $ENV{FAKE_SOURCE} // 'WRITTEN IN';
my $began  = 4711e9;
my ($name, $directory, $copy, $calls) = ('', '', $ENV{TS_COPY} // '', 0);

sub die_of { my ($what) = @_; print STDERR "fake: $what: $!\n"; exit 255 }

sub print_line { my ($handle, $text) = @_; return syswrite $handle, "$text\n" }

sub complain { my ($text) = @_; return print_line(\*STDERR, $text) }

sub hang { sleep while 1; return }

sub open_state {
    my ($what) = @_;
    my $path = ($ENV{FAKE_STATE} // '.') . "/$what.$copy";
    open my $out, '>>:raw', $path or die_of($path);
    return $out;
}

sub note { my ($what, $text) = @_; print_line(open_state($what), $text); return }

# Descriptors of the environment stay open, as they are not this program's.
my %held;

sub descriptor {
    my ($variable, $mode) = @_;
    my $number = $ENV{$variable} // return;
    return $held{$variable} //=
        do { open my $handle, $mode, $number or die_of($variable); binmode $handle; $handle };
}

sub say_line {
    my ($text) = @_;
    my $result = descriptor('TS_RESULT', '>&=');
    print_line($result // \*STDERR, ($result ? "$copy|" : '') . $text);
    return;
}

sub start {
    my ($ready, $gate) = (descriptor('TS_READY', '>&='), descriptor('TS_GATE', '<&='));
    $ready && (syswrite($ready, 'r') // 0) != 1 and die_of('ready');
    $gate && !defined sysread $gate, my $byte, 1 and die_of('gate');
    return;
}

sub text {
    my ($file) = @_;
    open my $in, '<:raw', $file or die_of($file);
    local $/;
    return scalar <$in>;
}

# The results and figures of fake.c: { what => [count, seconds, unit] }, { what => [figures] }.
sub tables {
    my ($results, $more) = text($SOURCE) =~ /^} results\[\] = \{\n(.*?)^};.*^} more\[\] = \{\n(.*?)^};/ms;
    my (%result,  %figures);
    while ($results =~ /^\t\{ "([^"]+)", ([\d.e]+)(?: \/ ([\d.]+))?, ([\d.]+), "(\w+)" \}/mg) {
        $result{$1} = [ $2 / ($3 // 1), $4, $5 ];
    }
    while ($more =~ /^\t\{ "(\w+)", \{(.*?)\} \}/msg) {
        my ($what, $list) = ($1, $2);
        $figures{$what} = [ $list =~ /"([^"]+)"/g ];
    }
    return (\%result, \%figures);
}

sub last_name { my ($path) = @_; return $path =~ s{.*/}{}sr }

sub measured {
    my $detail    = '';
    my $is_looper = $name eq 'looper';
    $detail = $ARGV[1] // ''       if $name eq 'net' || $name eq 'hash';
    $detail = last_name($ARGV[-1]) if $is_looper;
    for my $i (0 .. $#ARGV - 1) {
        $detail = $ARGV[ $i + 1 ] if $name eq 'fstime' && $ARGV[$i] eq '-b';
        $detail = $ARGV[ $i + 1 ] if $is_looper        && last_name($ARGV[$i]) eq 'multi.sh';
    }
    my $by_seconds = $is_looper && grep { $_ eq '-s' } @ARGV;
    return join ' ', $by_seconds ? "$name -s" : $name, length $detail ? $detail : ();
}

sub say_figures {
    my ($figures) = @_;
    if ($name eq 'x11') {
        say_line("FIGURE|$_|5000") for map { s/=.*//sr } @ARGV[ 2 .. $#ARGV ];
    }
    say_line("FIGURE|$_") for @{ $figures->{$name} || [] };
    return;
}

sub say_result {
    my ($other) = @_;
    my ($result, $figures) = tables();
    my ($measure, $seconds, $unit) = @{ $result->{ measured() } || [ 1000, 1, 'lps' ] };
    my $time       = $seconds > 0 ? $seconds : 1;
    my $is_seconds = $unit eq 's' && !($seconds > 0);
    my $count      = defined $other ? $other : sprintf '%.15g', $measure;
    say_line(sprintf 'SLICE|%.15g|0',     $began);
    say_line(sprintf 'SLICE|%.15g|%s',    $began + $time * 1e9, $is_seconds ? '1' : $count);
    say_line(sprintf 'COUNT|%s|%.15g|%s', $count, $seconds, $unit);
    say_line(sprintf 'TIME|%.15g',        $time);
    say_line('CPU|0.5|0.25');
    say_figures($figures);
    return;
}

sub each_of { my ($text) = @_; return split /;/, $text }

sub number { my ($text) = @_; return $text =~ /\A\s*(-?\d+)/ ? $1 : 0 }

sub measure { start(); say_result(); return }

sub hang_early { note(hanging => $$); hang(); return }

sub hang_late { start(); hang_early(); return }

sub hang_stubbornly { $SIG{$_} = 'IGNORE' for qw(TERM INT HUP); hang_late(); return }

# It ends as soon as nobody reads its results any more.
sub work {
    require IO::Poll;
    my $result = descriptor('TS_RESULT', '>&=');
    start();
    note(hanging => $$);
    1 until IO::Poll::_poll(-1, fileno $result, 0) == 1;
    exit 1;
}

sub end_with_status { my ($status) = @_; complain('out of cheese'); exit number($status) }

sub flood {
    my $line = 'x' x 63;
    local $| = 1;
    print "$line\n" x $LINES;
    complain($line) for 1 .. $LINES;
    return;
}

sub leave_child_behind {
    my $pid = fork // die_of('cannot fork');
    if (!$pid) { $SIG{TERM} = 'IGNORE'; alarm $LIFE; hang() }
    note(grandchild => $pid);
    measure();
    return;
}

sub now { return sprintf '%.0f', 1e9 * Time::HiRes::clock_gettime(Time::HiRes::CLOCK_MONOTONIC()) }

sub let_second_be_late {
    my ($count) = @_;
    sleep 1 if $copy eq '1';
    note(ready => now());
    start();
    note(started => now());
    say_result($count);
    return;
}

sub is_null_device {
    my @in   = stat STDIN;
    my @null = stat '/dev/null';
    return @in && -c _ && $in[6] == $null[6];
}

sub look {
    require Cwd;
    my @open = grep { -e "/proc/self/fd/$_" } 0 .. $DESCRIPTORS - 1;
    note(
        saw => join "\n",
        "pid=$$",
        'group=' . getpgrp(0),
        'cwd=' . Cwd::getcwd(),
        'input=' . (is_null_device() ? 'null' : 'other'),
        "args=@ARGV",
        "fds=@open",
        map { "$_=$ENV{$_}" } grep { /\A(?:TS_|TST_|MULTI_|WANTED)/ } sort keys %ENV
    );
    return;
}

my %KNOWN = (
    measure => \&measure,
    rates   => sub {
        my @counts = each_of($_[0]);
        start();
        say_result($counts[ $calls % @counts ]);
    },
    lines          => sub { complain($_) for each_of($_[0]) },
    channel        => sub { start(); say_line($_) for each_of($_[0]) },
    apart          => sub { $began += 9e8 * number($copy); measure() },
    hang           => \&hang_early,
    'hang-late'    => \&hang_late,
    stubborn       => \&hang_stubbornly,
    work           => \&work,
    signal         => sub { start(); kill $_[0] =~ /\A(?:SEGV|KILL)\z/ ? $_[0] : number($_[0]), $$; hang() },
    exit           => \&end_with_status,
    nothing        => \&start,
    flood          => sub { flood();                                     measure() },
    'flood-lines'  => sub { flood();                                     complain($_) for each_of($_[0]) },
    skip           => sub { say_line('SKIP|this machine has no cheese'); exit 77 },
    'skip-alone'   => sub { complain('SKIP|this machine has no cheese'); exit 77 },
    grandchild     => \&leave_child_behind,
    'third-fails'  => sub { start(); hang() if $copy ne '2'; end_with_status(3) },
    'second-quits' => sub { exit 0 if $copy eq '1'; measure() },
    'second-idle'  => sub {
        start();
        say_line($copy eq '1' ? 'COUNT|0|1|lps' : 'COUNT|1000|1|lps');
        say_line('TIME|1');
    },
    'second-late' => \&let_second_be_late,
    look          => \&look,
    see           => sub { look();  syswrite STDOUT, "see me\n";            measure() },
    part          => sub { start(); say_line("MISSING|$_[0]|no such font"); say_result() },
    talk          => sub { start(); say_line("NOW|$_ objects") for 1 .. 3;  say_result() },
);

sub find_plan {
    my ($key) = @_;
    return ($ENV{FAKE} // '') =~ /^\Q$key\E=(.*)$/m ? $1 : undef;
}

# The step for this call. A file that grows by an byte counts the calls of this copy.
sub choose_step {
    my ($plan) = @_;
    my $file = open_state("calls.$name");
    $calls = -s $file;
    syswrite $file, '.';
    my @steps = split /,/, $plan, -1;
    return $steps[ $calls < $#steps ? $calls : $#steps ] // '';
}

# What a program says before a run about a display or another machine.
my %SAID = (
    zstd => "library=zstd 1.5.5\n",
    hash => "libcrypto=OpenSSL 3.0.15\nmd5sum=md5sum 9.1\nsha256sum=sha256sum 9.1\nsha512sum=sha512sum 9.1\n",
);

sub answer_before_run {
    my $trouble = find_plan("$name $ARGV[0]");
    if (defined $trouble) {
        complain($trouble);
        exit($trouble =~ /\ASKIP/ ? 77 : 1);
    }
    print $SAID{$name} // 'display='
        . ($ARGV[1] // '')
        . "\nserver=The Cheese Foundation\nversion=12101007\ndimensions=1024x768\ndepth=24\n";
    exit 0;
}

alarm $LIFE;

# Streams are bytes, whatever PERLIO, PERL_UNICODE or PERL5OPT say.
binmode $_ for *STDIN, *STDOUT, *STDERR;
($directory, $name) = $0 =~ m{(?:([^/]*)/)?([^/]*)\z};
$directory //= '';
answer_before_run() if @ARGV && $ARGV[0] =~ /\A--(?:facts|check)\z/;
my $own  = $name eq 'fake' && @ARGV;
my $plan = $own ? join(' ', @ARGV > 1 ? @ARGV[ 0, 1 ] : ($ARGV[0], '')) : undef;
if (!$own) {
    my $asked = find_plan("$directory/$name") // find_plan($name);
    $plan = defined $asked ? choose_step($asked) : 'measure';
}
my ($behaviour, $argument) = $plan =~ /\A([^ ]*) ?(.*)\z/s;
note(pids => $$) if defined $ENV{FAKE_STATE};
if (!$KNOWN{$behaviour}) {
    print STDERR "fake: no behaviour '$behaviour'\n";
    exit 255;
}
$KNOWN{$behaviour}->($argument);
exit 0;
