#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# A Run that is killed while it makes, writes, renames or removes something leaves files behind: the next Run
# removes these, and nothing else.
use 5.014;
use strict;
use warnings;

use Fcntl qw(:flock);
use File::Temp ();
use POSIX ();
use Test::More;

use lib 't/lib';
use KilledAt;
use Amount;
use Fake;
use Touchstone::Machine::Workdir;
use Touchstone::Record::Journal;
use Touchstone::Record;

my $fake = Fake->new;
my $OLD  = 3600;

# Makes a file with this age in seconds.
sub made {
    my ($file, $text, $age) = @_;
    Fake::write_file($file, $text // '');
    utime((time - ($age // 0)) x 2, $file) or die "cannot set the time of '$file': $!\n";
    return $file;
}

# Returns the id of a process that has ended.
sub gone_pid {
    my $pid = fork // die "cannot fork: $!\n";
    POSIX::_exit(0) if !$pid;
    waitpid $pid, 0;
    return $pid;
}

subtest 'whenever a run is killed, the next leaves nothing of it but what it measured' => sub {

    # The first Run of a file is a program of its own, in which nothing is replaced.
    is($fake->run([qw(-q --quick -c 1 pipe)])->{status}, 0, 'a run ends');
    my ($moment, $got, %of) = (0);
    while (1) {
        $moment += Amount::of(3, 1);
        my $run = $fake->start([qw(-q --quick -c 1 pipe)], env => { KILLED_AT => $moment });
        $got = $fake->wait_for_end($run);
        $of{ $run->{pid} } = $moment;
        last if $got->{signal} != POSIX::SIGKILL();
    }
    is("$got->{status} $got->{signal}", '0 0', 'the last one ends') or diag($got->{err});
    cmp_ok($moment, '>', 30, "there are $moment moments");
    my @left = map {
        my $dir = $_;
        map { "$dir/$_" } grep { /\A\.(?!runs\z)|touchstone-|new/ } Fake::entries($dir)
    } $fake->{tmp}, $fake->{results}, "$fake->{results}/.runs";
    is(join(' ', @left), '', 'nothing is left half-way');
    my @runs = Fake::entries("$fake->{results}/.runs");
    is(scalar(my @both = grep { /l\z/ && -e "$fake->{results}/.runs/" . s/l\z//r } @runs),
        0, 'no journal stands beside its record');
    is(
        join(
            ' ',
            grep {
                !eval { Touchstone::Record->load("$fake->{results}/.runs/$_", '') }
            } @runs
        ),
        '',
        'every record and journal can be read'
    );
};

subtest 'a run and browse sweep wherever files are written' => sub {
    my $gone = gone_pid();
    my $runs = "$fake->{results}/.runs";
    mkdir "$runs/self" or die "cannot make a directory: $!\n";
    for my $words ([qw(-q --quick -c 1 pipe)], ['browse']) {
        made($_)
            for map { ("$_/.vm.json.new$gone", "$_/.vm.json.new$gone-abcdefghij") } $fake->{results}, $runs,
            "$runs/self";
        made("$runs/torn.jsonl", '{"record": {"forma');
        my $got = $fake->run($words);
        is($got->{status}, 0, "@$words: it ends");
        unlike($got->{err}, qr/cannot be read/, 'no file is called damaged');
        is(join(' ', grep { /new|torn/ } map { Fake::entries($_) } $fake->{results}, $runs, "$runs/self"),
            '', 'nothing is left');
    }
};

subtest 'what a living run writes stays, and so does all that is not ours' => sub {
    my $dir  = File::Temp->newdir;
    my $gone = gone_pid();
    open my $held, '>', "$dir/.run.json.new$gone" or die "cannot write: $!\n";
    flock $held, LOCK_EX;
    made("$dir/.run.new$$", 'a text that is being opened');
    made("$dir/$_", 'a report', $OLD)
        for "run.new$gone", "run.json.new$gone", 'run', "run.new$gone.html", '.run', ".run.new$gone.bak",
        ".new$gone";
    mkdir "$dir/.run.html.new$gone" or die "cannot make a directory: $!\n";
    symlink "$dir/run", "$dir/.run.log.new$gone" or die "cannot make a link: $!\n";
    my @before = Fake::entries($dir);
    Touchstone::Record->sweep("$dir", "$dir/none");
    is(join(' ', Fake::entries($dir)), "@before", 'nothing is removed');
    close $held;
    Touchstone::Record->sweep("$dir");
    is(
        join(' ', Fake::entries($dir)),
        join(' ', grep { $_ ne ".run.json.new$gone" } @before),
        'until its writer has gone'
    );
    made("$dir/$_") for ".run.new$gone", ".run.json.new$gone-abcdefghij", ".run.new$gone-ABC";
    Touchstone::Record->sweep("$dir");
    is(
        join(' ', grep { /\Q$gone\E\z|-/ } Fake::entries($dir)),
        ".new$gone .run.html.new$gone .run.log.new$gone .run.new$gone-ABC run.json.new$gone run.new$gone",
        'what killed ones were writing goes, also without letters'
    );
    made("$dir/.run.new$$", '', $OLD);
    Touchstone::Record->sweep("$dir");
    ok(!-e "$dir/.run.new$$", 'an old one that nobody holds goes, even if another process has its id now');
};

subtest 'a journal goes when its record is newer or no line is whole, and no process writes to it' => sub {
    my $dir = File::Temp->newdir;
    made("$dir/ended.json",  '{}');
    made("$dir/ended.jsonl", "{}\n", $OLD);
    made("$dir/again.json",  '{}',   $OLD);
    made("$dir/again.jsonl", "{}\n");
    made("$dir/cut.jsonl",   "{}\n", $OLD);
    made("$dir/empty.jsonl", '',     $OLD);
    made("$dir/half.jsonl",  '{"record": {"forma');
    made("$dir/long.jsonl",  'x' x 200_000);
    made("$dir/later.jsonl", 'x' x 200_000 . "\n", $OLD);
    open my $held, '>', "$dir/begun.jsonl" or die "cannot write: $!\n";
    print {$held} '{"record": {"forma';
    $held->flush;
    flock $held, LOCK_EX;
    is(
        join(' ', Touchstone::Record->files("$dir")),
        'again.jsonl cut.jsonl ended.json later.jsonl',
        'what holds nothing is not counted'
    );
    Touchstone::Record->sweep("$dir");
    is(
        join(' ', Fake::entries($dir)),
        'again.json again.jsonl begun.jsonl cut.jsonl ended.json later.jsonl',
        'these four'
    );
};

subtest 'a work directory of an id that is in use again goes when nobody has locked it for a while' => sub {
    my $parent = File::Temp->newdir;
    my %made   = (empty => undef, new => 'lock.new', fresh => 'lock.new', held => 'lock.new');
    for my $name (sort keys %made) {
        mkdir "$parent/touchstone-$$-$name" or die "cannot make a directory: $!\n";
        made("$parent/touchstone-$$-$name/$made{$name}", '', $name eq 'fresh' ? 0 : $OLD) if $made{$name};
        utime((time - $OLD) x 2, "$parent/touchstone-$$-$name");
    }
    open my $held, '<', "$parent/touchstone-$$-held/lock.new" or die "cannot open: $!\n";
    flock $held, LOCK_EX;
    my $work = Touchstone::Machine::Workdir->new("$parent");
    is(join(' ', grep { -d "$parent/touchstone-$$-$_" } sort keys %made),
        'fresh held', 'but not before, and not while it is held');
};

subtest 'nothing of this makes Perl complain' => sub { is_deeply(\@Fake::PERL_WARNINGS, [], 'no warning') };

done_testing;
