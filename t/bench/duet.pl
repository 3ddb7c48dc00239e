#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# Measures whether a duet finds a build that is slower by a known part, and whether it calls equal builds
# equal, with real programs. The slower build is the same source, whose harness uses up so much more CPU time
# at each look at its clock. Beside it: the way of two CPUs at once, and whole commands one after the other,
# as hyperfine repeats them, each with the same time.
#
#   perl -Ilib t/bench/duet.pl [--hogs N] [--slow P] [--duets N] [--equal N] [--budget S] [--ways turns,once,commands]
#
#   3 % slower, 2 hogs: by turns        10 of 10 duets found all of dhry2reg pipe syscall, 3 of 3 tests; 41 s each   ok
use 5.014;
use strict;
use warnings;

use Cwd qw(getcwd);
use File::Copy qw(copy);
use File::Temp ();
use Getopt::Long qw(GetOptions);
use List::Util qw(sum);
use Time::HiRes qw(time);

use Touchstone::Record::Json;
use Touchstone::Stats qw(median);
use Touchstone::Stats::Significance;

my %want = (hogs => 0, slow => 3, duets => 10, equal => 0, budget => 180, ways => 'turns');
GetOptions(\%want, qw(hogs=i slow=f duets=i equal=i budget=i ways=s tests=s)) or exit 2;
my @TESTS = split /,/, $want{tests} // 'dhry2reg,pipe,syscall';
my $base  = getcwd();
my $temp  = File::Temp->newdir;

# What a slower harness does at each look, in CPU time of its process.
my $DELAY = <<'C';
static void delay(void)
{
	static double last;
	struct timespec t;
	double until;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	until = (double)t.tv_sec + (double)t.tv_nsec / 1e9;
	until += last > 0 ? (until - last) * DELAY_PART : 0;
	do {
		clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
		last = (double)t.tv_sec + (double)t.tv_nsec / 1e9;
	} while (last < until);
}

C

# A tree with the programs of the tests, their harness slower by this part.
sub build {
    my ($name, $part) = @_;
    system(
        "mkdir -p '$temp/$name/pgms' '$temp/$name/testdir' && cp -r '$base/src' '$base/Makefile' '$temp/$name'"
            . " && cp $base/pgms/*.base $base/pgms/*.sh $base/pgms/*.csv '$temp/$name/pgms'"
            . " && cp $base/testdir/*.pl '$temp/$name/testdir'") == 0
        or die "cannot copy the sources\n";
    my $file = "$temp/$name/src/bench.c";
    open my $in, '<', $file or die "cannot read '$file': $!\n";
    my $text = join '', <$in>;
    close $in;
    my $delay = $DELAY =~ s/DELAY_PART/$part/r;
    $text =~ s/^(?=bool bench_tick)/$delay/m           or die "bench.c has no bench_tick\n";
    $text =~ s/(?=\tb->count = count;\n)/\tdelay();\n/ or die "bench_tick counts otherwise\n";
    open my $out, '>', $file or die "cannot write '$file': $!\n";
    print {$out} $text;
    close $out or die "cannot write '$file': $!\n";
    system("cd '$temp/$name' && make -s ONLY='@TESTS' >'$temp/$name.log' 2>&1") == 0
        or die "cannot build: see $temp/$name.log\n";
    return "$temp/$name/pgms";
}

my @hogs;

sub start_hogs {
    for (1 .. $want{hogs}) {
        my $pid = fork // die "cannot fork: $!\n";
        if (!$pid) { 1 while 1 }
        push @hogs, $pid;
    }
    return;
}
END { kill KILL => @hogs if @hogs }

# A duet by Run: { verdicts => { pipe => 'slower' }, seconds }.
sub by_run {
    my ($option, $one, $other, $seed) = @_;
    local $ENV{UB_RESULTDIR} = "$temp/results";
    my $begun = time;
    my @words = ($option, $one, $other, '-c', 1, '--budget', "$want{budget}s", '--seed', $seed, @TESTS);
    open my $run, "'$^X' '$base/Run' @words --format json 2>/dev/null |" or die "cannot run: $!\n";
    my $text = join '', <$run>;
    close $run;
    my $got  = Touchstone::Record::Json::decode($text);
    my %told = map { $_->{name} => $_ } @{ $got->{pairs}[0]{tests} };
    return { decided => \%told, seconds => time - $begun };
}

# Whole commands of a second one after the other, the builds in turn; Welch's test of their wall times.
sub by_commands {
    my ($one,   $other) = @_;
    my ($begun, %rates) = (time);
    while (time - $begun < $want{budget}) {
        for my $test (@TESTS) {
            for my $side (0, 1) {
                my $bin     = ($one, $other)[$side];
                my $got     = `'$bin/$test' 1 2>&1 >/dev/null`;
                my ($count) = $got =~ /^COUNT\|(\d+)/m or die "$test: $got";
                my ($time)  = $got =~ /^TIME\|([\d.]+)/m;
                push @{ $rates{$test}[$side] }, log($count / $time);
            }
        }
    }
    my @p = Touchstone::Stats::Significance::holm(
        map { Touchstone::Stats::Significance::welch(@{ $rates{$_} })->{p} } @TESTS);
    my %told;
    for my $i (0 .. $#TESTS) {
        my $ratio = exp(median(@{ $rates{ $TESTS[$i] }[1] }) - median(@{ $rates{ $TESTS[$i] }[0] }));
        $told{ $TESTS[$i] } =
            { ratio => $ratio, verdict => $p[$i] > 0.05 ? 'inconclusive' : $ratio < 1 ? 'slower' : 'faster' };
    }
    return { decided => \%told, seconds => time - $begun };
}

my %WAY = (
    turns    => [ 'by turns',         sub { by_run('duet', @_) } ],
    once     => [ 'both at once',     sub { by_run('duet', '--concurrent', @_) } ],
    commands => [ 'commands in turn', \&by_commands ]
);

# Duets of two builds in one way; how many had the verdict in all tests, in any, and how many tests.
sub duets {
    my ($way, $number, $verdict, @bins) = @_;
    my ($all, $any, $tests, $seconds, %ratios) = (0) x 4;
    for my $n (1 .. $number) {
        my $got = $WAY{$way}[1]->(@bins, 100 + $n);
        my @had = grep { ($got->{decided}{$_}{verdict} // '') =~ $verdict } @TESTS;
        $all++ if @had == @TESTS;
        $any++ if @had;
        $tests   += @had;
        $seconds += $got->{seconds};
        push @{ $ratios{$_} }, $got->{decided}{$_}{ratio} // 1 for @TESTS;
        printf STDERR "  %s %2d: %3.0f s  %s\n", $way, $n, $got->{seconds}, join '  ', map {
            sprintf '%s %.4f %s', $_, $got->{decided}{$_}{ratio} // 0, $got->{decided}{$_}{verdict} // '-'
        } @TESTS;
    }
    return {
        all     => $all,
        any     => $any,
        tests   => $tests,
        seconds => $seconds / ($number || 1),
        ratios  => \%ratios
    };
}

sub told {
    my ($what, $way, $line, $ok) = @_;
    printf "%-28s %-18s %s%s\n", "$what, $want{hogs} hogs:", $WAY{$way}[0], $line,
        defined $ok ? $ok ? '   ok' : '   MISSED' : '';
    return;
}

$| = 1;
my ($same, $again, $slow) = (build('same', 0), build('again', 0), build('slow', $want{slow} / 100));
start_hogs();
for my $way (split /,/, $want{ways}) {
    if ($want{duets}) {
        my $got = duets($way, $want{duets}, qr/\Aslower\z/, $same, $slow);
        told(
            "$want{slow} % slower",
            $way,
            sprintf(
                'found in all %d tests in %d of %d duets, %d of %d tests; %.0f s each; ratios %s',
                scalar @TESTS,
                $got->{all}, $want{duets}, $got->{tests}, @TESTS * $want{duets},
                $got->{seconds},
                join ' ', map { sprintf '%s %.3f', $_, median(@{ $got->{ratios}{$_} }) } @TESTS
            ),
            $way eq 'turns' ? $got->{all} >= 0.9 * $want{duets} : undef
        );
    }
    next if !$want{equal};
    my $got = duets($way, $want{equal}, qr/\A(?:slower|faster)\z/, $same, $again);
    told(
        'equal builds',
        $way,
        sprintf(
            'an alarm in %d of %d duets, %d of %d tests; %.0f s each',
            $got->{any}, $want{equal}, $got->{tests}, @TESTS * $want{equal},
            $got->{seconds}
        ),
        $way eq 'turns' ? $got->{any} <= 0.05 * $want{equal} : undef
    );
}
