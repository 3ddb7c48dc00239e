#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# Runs the tests that make sense for an installed copy against it:
#
#   $ make check-installed RUN=/usr/bin/touchstone
#   $ perl t/installed.pl /usr/bin/touchstone run signals      these alone
#
# This needs perl and nothing else, and writes only where temporary files are. The tests run in a tree of
# links to what is installed:
#
#   Run lib/ pgms/ testdir/    those of the copy
#   src/ Makefile              copies of those in its source/
#   t/ docs/                   a copy and a link to this tree's
#   obj/fake                   what stands in for programs; made by a compiler, or in Perl where there is none
#
# A test cannot meet a module, a program or an input of the source tree, since these are not in there.
package Installed;
use 5.014;
use strict;
use warnings;

use Cwd qw(abs_path);
use File::Basename qw(dirname);
use File::Temp ();

# The tests for an installed copy: what Run does, says and refuses, the arithmetic and the reports with this
# perl, and what the programs measure.
our @TESTS = qw(
    adaptive advice again against archive base baseline baseline-run before-after block board browse
    build-facts byte1984 byte1984-piecewise-line byte1984-report byte1984-run bytemark bytemark-run
    cache campaign cause cgroup channel chart check check-result classic-reader clock collect command compare
    compare-run compared-run comparison-report completion components confidence cost cost-sentence
    cost-split counted-events counters
    cpus curve damage diagnostics differences direction directories disturbance document drift duet
    duet-rounds effort environment event-split explained fact fleet-judging fleet-report fleet-run flips
    forest
    formats golden groups html inputs intervals json largest launcher lbt lbt-form lbt-run leases
    leftovers like limits lines list lmb1997 lmb1997-disk lmb1997-load lmb1997-report lost machine
    machines many-passes markdown markup measures members moderated modern-conditions modern-durable
    modern-index modern-memory modern-report needs net net-server once once-killed options orphans
    outliers over-time pager pass passport percentile pipeline place plan platform platform-hash
    platform-report plot position price published random ranking rate record repeat-command report
    report-mutations report-shapes resume rollout run run-labels scaling score self-compare
    self-compare-run sequential sequential-test series signals significance standing stats
    status storage store strangers stub suite symbols table tails terminal too-few trend trouble truth
    truth-exit truth-line turns undisturbed unixbench-versions untrusted usl values work workdir x11
);

# Why the others are left out. t/house/installed.t looks that each test is in one of both.
our %LEFT_OUT = (
    'it is about the source tree, its documents or its form' => [
        qw(
            build builds carriers comments docs examples foreign installed kubernetes laws layers man new-test
            pictures portable strict packs-apart words
        )
    ],
    'it is about packages, releases or other programs that read reports' => [
        qw(
            ansible changelog debian fit get packages readers reuse workflows
        )
    ],
    'it compiles sources that it has changed; t/try-programs.pl runs every program' => [
        qw(
            byte1984-programs bytemark-coding bytemark-solving bytemark-sorting child config dhrystone harness
            kernel kernel-source lmb1997-programs modern-compute modern-kernel modern-latency modern-threads
            platform-compress platform-inputs platform-run platform-transfer programs truth-cache
            truth-programs truth-vcpu whetstone
        )
    ],
    'it needs a browser' => [
        qw(
            pages pages-browse pages-fleet pages-hostile
        )
    ],
);

# The files of these tests, which may be named as files, or of all.
sub tests {
    my ($tree, @names) = @_;
    my @tests = map { s{\A(?:.*/)?(.+?)(?:\.t)?\z}{$1}sr } @names ? @names : @TESTS;
    my %file =
        map { m{\A\Q$tree\E/(.*?([^/]+)\.t)\z} ? ($2 => $1) : () } glob "\Q$tree\E/{t/*/*.t,t/*/*/*.t}";
    my ($unknown) = grep { !$file{$_} } @tests;
    die "no test '$unknown' in '$tree/t'\n" if defined $unknown;
    return map { $file{$_} } sort @tests;
}

sub slurp {
    my ($file) = @_;
    open my $in, '<:raw', $file or die "cannot read '$file': $!\n";
    local $/;
    return scalar <$in>;
}

# Returns the directory of the copy that a command starts, or dies.
sub home_of {
    my ($command) = @_;
    die "name the installed command: make check-installed RUN=/usr/bin/touchstone\n"
        if !length($command // '');
    my $run  = abs_path($command);
    my $home = dirname($run // '');
    die "'$command' is no installed command\n" if !defined $run || !-f $run || !-e "$home/lib/Touchstone.pm";
    die "'$command' is the Run of a source tree, which make check tests\n" if -e "$home/Makefile";
    my ($missing) = grep { !-e } map { "$home/$_" } qw(pgms testdir source/src source/Makefile);
    die "'$command' is not complete: there is no '$missing'\n" if defined $missing;
    return $home;
}

# Makes the tree of links in a directory.
sub stage {
    my ($tree, $home, $stage) = @_;
    system('cp', '-R', "$tree/t", "$stage/t") == 0 or die "cannot copy '$tree/t'\n";
    for my $name (qw(Run lib pgms testdir)) {
        symlink "$home/$name", "$stage/$name" or die "cannot make a link: $!\n";
    }

    # Tests may change a source, and root could write to a link.
    system('cp', '-R', "$home/source/src", "$home/source/Makefile", $stage) == 0
        or die "cannot copy '$home/source'\n";
    symlink "$tree/docs", "$stage/docs" or die "cannot make a link: $!\n";
    mkdir "$stage/obj" or die "cannot make a directory: $!\n";
    my $made = system("cc -std=gnu11 -O1 -o '$stage/obj/fake' '$stage/t/fake/fake.c' 2>/dev/null") == 0;
    fake_in_perl($stage) if !$made || $ENV{TOUCHSTONE_FAKE_IN_PERL};
    return;
}

# The stand-in reads the table of results from the source of the other.
sub fake_in_perl {
    my ($stage) = @_;
    my $text = slurp("$stage/t/fake/fake.pl") =~ s{WRITTEN IN}{$stage/t/fake/fake.c}r;
    unlink "$stage/obj/fake";
    open my $out, '>', "$stage/obj/fake" or die "cannot write '$stage/obj/fake': $!\n";
    print {$out} $text;
    close $out or die "cannot write '$stage/obj/fake': $!\n";
    chmod 0755, "$stage/obj/fake";
    return;
}

# Every installed program runs for 0.05 s and proves its work.
sub programs_work {
    my ($stage) = @_;
    my $works = system($^X, '-Ilib', 't/try-programs.pl') == 0;
    print $works
        ? "every program has measured for 0.05 s\n"
        : "a program of the copy does not work, as said above\n";
    return $works;
}

sub main {
    my ($command, @names) = @_;
    my $home  = home_of($command);
    my $tree  = dirname(dirname(abs_path(__FILE__)));
    my @tests = tests($tree, @names);
    my $stage = File::Temp->newdir;
    local @SIG{qw(INT TERM HUP)} = (sub { chdir '/'; exit 130 }) x 3;

    # Modules, programs and results that this environment names are not those of the copy.
    delete @ENV{ grep { /\A(?:UB_|XDG_|PERL5|TOUCHSTONE_(?!FAKE)|MAKE|MFLAGS)/ } keys %ENV };
    stage($tree, $home, "$stage");
    chdir "$stage" or die "cannot enter '$stage': $!\n";
    print "testing '$home'\n";
    my $works = programs_work("$stage");
    require App::Prove;
    my $prove = App::Prove->new;
    my $jobs  = 2 * (`getconf _NPROCESSORS_ONLN 2>/dev/null` || 1);
    $prove->process_args('-l', "-j$jobs", @tests);
    my $passes = $prove->run;
    chdir '/';
    return $works && $passes ? 0 : 1;
}

if (!caller) {
    my $status = eval { main(@ARGV) };
    print STDERR "check-installed: $@" if !defined $status;
    exit($status // 2);
}

1;
