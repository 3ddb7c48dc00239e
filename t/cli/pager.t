#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# The manual on a terminal, page by page.
use 5.014;
use strict;
use warnings;

use File::Temp ();
use POSIX ();
use Test::More;

use lib 't/lib';
use Fake;
use NoWarnings;
use Pty;

plan skip_all => 'no pseudo-terminals as those of Linux' if !Pty->new(80);

my $temp = File::Temp->newdir;
my $path = "$temp/bin:$ENV{PATH}";
mkdir "$temp/bin" or die "cannot make a directory: $!\n";

# Returns (what stands on a terminal of 70 columns, the exit status).
sub shown {
    my (%env) = @_;
    my $pty   = Pty->new(70);
    my $pid   = fork // die "cannot fork: $!\n";
    if (!$pid) {
        delete @ENV{qw(PAGER LESS)};
        %ENV = (%ENV, PATH => $path, TERM => 'dumb', %env);
        POSIX::setsid();
        open STDIN,  '<',  $pty->{path} or POSIX::_exit(126);
        open STDOUT, '>',  $pty->{path} or POSIX::_exit(126);
        open STDERR, '>&', \*STDOUT     or POSIX::_exit(126);
        exec $^X, "$Fake::BASE/Run", 'manual' or POSIX::_exit(126);
    }
    my $text = $pty->read_until_gone($pid);
    return ($text, $pty->{status});
}

# A pager that says who it is, and then does this.
sub pager {
    my ($name, $does) = @_;
    Fake::write_file("$temp/bin/$name", "#!/bin/sh\necho this is $name \"\$\@\"\n$does\n");
    chmod 0755, "$temp/bin/$name";
    return;
}

pager(less => 'cat');
pager(mine => 'cat');

subtest 'PAGER shows it, or less' => sub {
    my ($text, $status) = shown(PAGER => 'mine -x');
    is($status, 0, 'exit status 0');
    like($text, qr/\Athis is mine -x\nNAME\n/, 'PAGER with its words');
    is(join("\n", grep { length > 70 } split /\n/, $text), '', 'no line is wider than the window');
    like((shown())[0],            qr/\Athis is less -R\nNAME\n/, 'without it less');
    like((shown(PAGER => ''))[0], qr/\Athis is less -R\nNAME\n/, 'an empty one is none');
};

subtest 'a pager that is not there fails nothing' => sub {
    my ($text, $status) = shown(PAGER => 'no-such-pager -R');
    like($text, qr/\Athis is less -R\nNAME\n/, 'the usual one is taken');
    is($status, 0, 'exit status 0');
    mkdir "$temp/empty" or die "cannot make a directory: $!\n";
    ($text, $status) = shown(PATH => "$temp/empty");
    like($text, qr/\ANAME\n.*^SEE ALSO$/ms, 'without any it is printed');
    is($status, 0, 'exit status 0');
    ($text, $status) = shown(PATH => "$temp/empty", PAGER => 'X=1 no-such-pager');
    like($text, qr/^NAME\n.*^SEE ALSO$/ms, 'so it is where only the shell finds that one is missing');
};

subtest 'who leaves the pager early has seen enough' => sub {
    pager(leaves => 'read line; echo "$line"');
    my ($text, $status) = shown(PAGER => 'leaves');
    is("$status $text", "0 this is leaves\nNAME\n", 'it ends without a word');
    pager(interrupted => 'trap : INT; kill -INT 0; cat >/dev/null; echo still here');
    ($text, $status) = shown(PAGER => 'interrupted');
    is("$status $text", "0 this is interrupted\nstill here\n", 'Ctrl-C is for the pager');
};

subtest 'in a pipe it is printed' => sub {
    local $ENV{PAGER} = "$temp/bin/mine";
    my $text = `"$^X" "$Fake::BASE/Run" manual`;
    like($text, qr/\ANAME\n/, 'without a pager');
    is(join("\n", grep { length > 80 } split /\n/, $text), '', 'in 80 columns');
};

done_testing;
