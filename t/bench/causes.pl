#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# Plants causes in one of two equal builds and counts how often duets name them. Each program of a build is a
# wrapper (causes/wrapper.c) that plants its cause and starts the real program. Some causes need root, and the
# packages bindfs and busybox-static of Debian.
#
#   perl -Ilib t/bench/causes.pl DIRECTORY [rounds, 10 [name ...]]     0 rounds: judge the stored duets
#   perl -Ilib t/bench/causes.pl        simulated equal runs that vary from run to run
#
#   planted                             duets  right  other  none
#   filter of all system calls             10     10      0     0
use 5.014;
use strict;
use warnings;

use Cwd qw(abs_path);
use File::Basename qw(basename);
use File::Copy qw(copy);
use File::Path qw(make_path);
use List::Util qw(shuffle);

use Touchstone::Base::Random qw(normal);
use Touchstone::Compare;
use Touchstone::Compare::Run;
use Touchstone::Suite;

my ($directory, $rounds, @names) = @ARGV;
exit simulate() if !defined $directory;
make_path($directory);
$directory = abs_path($directory);

# Tests of every duet, and seconds of one.
my @TESTS   = qw(dhry2reg whetstone-double syscall pipe execl shell1);
my $SECONDS = 50;

# name => [the cause that is right, what is planted, how the wrapper is compiled, more tests]
my $TOUCH  = qq{-DPRELOAD="$directory/touch.so"};
my @MORE   = qw(spawn context1 fstime);
my %PLANTS = (
    same   => [ '',          'nothing',                           '',         @MORE, qw(null-call fsbuffer) ],
    again  => [ '',          'nothing',                           '',         @MORE, qw(null-call fsbuffer) ],
    filter => [ 'kernel',    'filter of all system calls',        '-DFILTER', @MORE, 'null-call' ],
    o0     => [ 'compiler',  '-O0 instead of -O2 and -O3',        '',         @MORE ],
    touch  => [ 'processes', '200 pages touched after each fork', $TOUCH,     @MORE ],
    two    => [ 'wake-ups',  'processes of context1 on two CPUs', '-DTWO',    @MORE ],
    tools  => [ 'programs',  'static tools of busybox', qq{-DTOOLS="$directory/tools"}, 'multi84-1' ],
    slow   => [ 'files',     'work directory on FUSE',  qq{-DSLOW="$directory/slow"},   @MORE, 'fsbuffer' ],
);

sub run { my (@command) = @_; return system(@command) == 0 || die "failed: @command\n" }

# How often a cause of equal runs is named whose tests differ by so much from run to run.
sub simulate {
    my ($pairs, $error) = (1000, 0.007);
    my $random = Touchstone::Base::Random::generator(39);
    my @rows   = Touchstone::Suite::load()->expand('index');
    for my $spread (0.01, 0.02, 0.03, 0.05) {
        my $named = grep {
            my @tests = map {
                my $y = sqrt($spread**2 + $error**2) * normal($random);
                my ($low, $high) = map { exp($y + $_ * 2 * $error) } -1, 1;
                +{
                    name     => $_->{name},
                    copies   => 1,
                    ratio    => exp $y,
                    interval => [ $low, $high ],
                    verdict  => $high < 1 ? 'slower' : $low > 1 ? 'faster' : 'no difference'
                }
            } @rows;
            (Touchstone::Compare::Cause::of_pair(\@tests, []) || { id => 'mixed' })->{id} ne 'mixed'
        } 1 .. $pairs;
        printf "run to run %2.0f %%: a cause of equal runs is named in %.1f %%\n", map { 100 * $_ } $spread,
            $named / $pairs;
    }
    return 0;
}

# A build whose programs are wrappers of those of another.
sub wrap {
    my ($name, $from, $flag) = @_;
    my $build = "$directory/builds/$name";
    return if -d $build;
    make_path("$build/real");
    run('cc', '-o', "$build/wrapper", $flag || (), 't/bench/causes/wrapper.c');
    for my $file (grep { -f } glob "$from/*") {
        my $program = basename($file);
        my $is_elf  = -B $file && -x $file;
        copy($file, "$build/real/$program");
        chmod 0755, "$build/real/$program" if -x $file;
        $is_elf ? link "$build/wrapper", "$build/$program" : run('cp', '-p', $file, "$build/$program");
    }
    return;
}

sub prepare {
    run(qw(cc -shared -fPIC -o), "$directory/touch.so", 't/bench/causes/touch.c');
    run(qw(make -s BUILD=causes-o0 FLAGS=-O0));
    make_path(map { "$directory/$_" } qw(tools slow below));
    symlink '/bin/busybox', "$directory/tools/$_" for qw(sort od grep tee wc rm);
    run('sh', '-c', "mountpoint -q '$directory/slow' || bindfs '$directory/below' '$directory/slow'");
    wrap($_, $_ eq 'o0' ? 'pgms.d/causes-o0' : 'pgms', $_ eq 'base' ? '' : $PLANTS{$_}[2])
        for 'base', keys %PLANTS;
    return;
}

sub measure {
    my ($name) = @_;
    my $number = 1;
    $number++ while -d sprintf '%s/duets/%03d-%s', $directory, $number, $name;
    local $ENV{UB_RESULTDIR} = sprintf '%s/duets/%03d-%s', $directory, $number, $name;
    my (undef, undef, undef, @more) = @{ $PLANTS{$name} };
    system './Run', 'duet', "$directory/builds/base", "$directory/builds/$name", '-c', 1, '--budget',
        "${SECONDS}s", @TESTS, @more;
    return;
}

if ($rounds // 10) {
    prepare();
    measure($_) for map { shuffle(@names ? @names : keys %PLANTS) } 1 .. $rounds // 10;
    run('umount', "$directory/slow");
}

# What the comparison of a stored duet names.
my %count;
for my $duet (sort glob "$directory/duets/*") {
    my ($name) = $duet =~ /-(\w+)\z/;
    my @records = sort glob "$duet/.runs/*.json";
    next if @records != 2;
    my $pair =
        Touchstone::Compare::compare(runs => [ map { Touchstone::Compare::Run::load($_, '', {}) } @records ])
        ->{pairs}[0];
    my $cause = $pair->{cause} || { id => '', text => '' };
    my ($right, $planted) = @{ $PLANTS{$name} };
    my $id   = $cause->{id} eq 'mixed' ? '' : $cause->{id};
    my $kind = $id eq $right ? 'right' : length $id ? 'other' : 'none';
    $count{$planted}{$_}++ for 'duets', $kind;
    printf "%-36s %s\n", $planted, $cause->{text} if $kind eq 'other';
}
my @KINDS = qw(duets right other none);
printf "%-36s %5s %6s %6s %5s\n", 'planted', @KINDS;
printf "%-36s %5d %6d %6d %5d\n", $_,        map { $_ // 0 } @{ $count{$_} }{@KINDS} for sort keys %count;
