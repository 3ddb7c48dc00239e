# SPDX-License-Identifier: GPL-2.0-or-later
# Unchanged - lets make check leave out a test of programs while nothing has changed since it passed. A test
# says
#
#   use lib 't/lib';
#   use Unchanged;                before all other modules of tests
#   use Unchanged qw(lib Run);    if these count as well
#
# obj/passed/NAME has the digest of each file that counted when the test passed: Makefile, src, testdir,
# t/fake, t/*.c, the facts of the build, the test, and the modules that it loaded. make check-all and a test
# that is run by itself leave out nothing.
package Unchanged;
use 5.014;
use strict;
use warnings;

use Cwd ();
use Digest::MD5;
use File::Basename qw(basename);
use File::Find qw(find);
use File::Path qw(make_path);
use POSIX ();

my ($base, $process) = (Cwd::getcwd(), $$);
my ($test, $passed, @also);

sub import {
    (undef, @also) = @_;
    $test   = $0;
    $passed = "$base/obj/passed/" . basename($test);
    my @then = lines($passed);
    unlink $passed if !is_unchanged(@then);
    return         if !$ENV{TOUCHSTONE_UNCHANGED} || $ENV{TOUCHSTONE_ALL} || !-e $passed;
    undef $passed;
    print "1..0 # SKIP nothing that it tests has changed since it passed (make check-all runs it)\n";
    exit 0;
}

sub is_unchanged {
    my (@then) = @_;
    my @loaded = map { m{\A\w+ ((?:lib|t/lib)/.*)} ? $1 : () } @then;
    return join("\n", @then) eq join "\n", state_of(@loaded);
}

# Returns a line for each file that counts, 'digest path', and one for the system. The folders of the PATH are
# in it, because a part that was skipped may find tomorrow the tool that it lacked.
sub state_of {
    my (@loaded) = @_;
    my @others =
        map { s{\A\Q$base/\E}{}r } grep { -f } glob "\Q$base\E/{pgms/build.*,pgms/*.sh,obj/config.mk,t/*.c}";
    my %file    = map  { $_ => 1 } $test, 'Makefile', @loaded, @others;
    my @folders = grep { -e } map { "$base/$_" } qw(src testdir t/fake), @also;
    find({ no_chdir => 1, wanted => sub { $file{s{\A\Q$base/\E}{}r} = 1 if -f } }, @folders);
    my @tools = map { join ':', $_, (stat)[ 1, 9 ] } grep { -d } split /:/, $ENV{PATH} // '';
    return join(' ', 'system', $], $>, (POSIX::uname())[ 0, 2, 4 ], @tools),
        map { digest($_) . " $_" } sort keys %file;
}

sub lines {
    my ($file) = @_;
    open my $in, '<:raw', $file or return;
    chomp(my @lines = <$in>);
    return @lines;
}

sub digest {
    my ($file) = @_;
    open my $in, '<:raw', "$base/$file" or return 'none';
    return Digest::MD5->new->addfile($in)->hexdigest;
}

sub note_passed {
    my @loaded = grep { m{\A(?:lib|t/lib)/} } map { s{\A\Q$base/\E}{}r } grep { defined } values %INC;

    # A user who may not write here runs the test each time.
    make_path("$base/obj/passed", { error => \my $ignored });
    open my $out, '>:raw', $passed or return;
    print {$out} map { "$_\n" } state_of(@loaded);
    close $out or unlink $passed;
    return;
}

# This runs after the END of Test::More, which is loaded later and decides the exit status.
END { note_passed() if $? == 0 && defined $passed && $$ == $process }

1;
