#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# Run in a directory in which every user can write: what a stranger has laid there is neither followed nor
# used. As root the stranger is another user; otherwise the links are our own, since none is followed,
# whoever laid it.
use 5.014;
use strict;
use warnings;

use File::Temp ();
use JSON::PP ();
use Test::More;

use lib 't/lib';
use Campaigns;
use Fake;
use Touchstone::Base::Directories;
use Touchstone::Pack::Fleet::Campaign;
use Touchstone::Pack::Fleet::Leases;
use Touchstone::Pack::Fleet::RecordIndex;
use Touchstone::Machine::File;
use Touchstone::Machine::Workdir;
use Touchstone::Pack::Fleet::CampaignRun;
use Waiting qw(comes);

my $STRANGER = 4242;
my @MODES    = (01777, 0777);
my $MEASURES = { pipe => 'measure' };
my $HOST_ID  = Touchstone::Pack::Fleet::CampaignRun::identity('k68', 'web1')->{host_id};
my @ONCE     = qw(fleet once k68 --as web1 --quick -c 1 pipe);

# Does something as the stranger.
sub strangely {
    my ($code) = @_;
    local $> = $> ? $> : $STRANGER;
    return $code->();
}

# Makes a directory in which every user can write. Where it is sticky, kernels with fs.protected_symlinks do
# not follow links in it either.
sub public {
    my ($directory, $mode) = @_;
    -d $directory or mkdir $directory or die "cannot make '$directory': $!\n";
    chmod $mode, $directory or die "cannot change a mode: $!\n";
    return $directory;
}

# Returns a fake whose directory of results anybody may write in, beside a victim.
sub fake {
    my ($mode) = @_;
    my $fake = Fake->new;
    chmod 0755, $fake->{temp};
    public($fake->{results}, $mode);
    Fake::write_file("$fake->{dir}/victim", "precious\n");
    return $fake;
}

sub laid {
    my ($fake, $link, $to) = @_;
    strangely(sub { symlink "$fake->{dir}/$to", $link or die "cannot lay a link: $!\n" });
    return $link;
}

# What is beside the directory of results: the victim as it was, and nothing new.
sub is_unharmed {
    my ($fake, $what) = @_;
    is(Fake::read_file("$fake->{dir}/victim"), "precious\n", "$what: the victim is as it was");
    ok(!-e "$fake->{dir}/outside", "$what: nothing is made outside");
    return;
}

sub said { my ($got) = @_; return "$got->{status} $got->{err}" =~ s/; aborting$//mr }

for my $mode (@MODES) {
    my $called = sprintf 'mode %04o', $mode;

    subtest "$called: no whole file is written through a link" => sub {
        my $fake = fake($mode);
        laid($fake, "$fake->{results}/index.html",        'victim');
        laid($fake, "$fake->{results}/.report.new$$",     'victim');
        laid($fake, "$fake->{results}/.report.new$$-abc", 'outside');
        is(
            said($fake->run(['browse'])),
            "0 # there are no stored runs in '$fake->{results}/.runs'\n",
            'a page'
        );
        ok(!-l "$fake->{results}/index.html", 'takes the place of a link of its name');
        Touchstone::Machine::File::write_file("$fake->{results}/report", 'new');
        is(Fake::read_file("$fake->{results}/report"), 'new', 'and a file is written beside');
        ok(!Touchstone::Machine::File::made("$fake->{results}/.report.new$$-abc"),
            'what is new is never what was there');
        is_unharmed($fake, 'after both');
    };

    subtest "$called: no journal, log or lock is opened through a link" => sub {
        for my $way (
            [ "k68.$HOST_ID.1.jsonl", qr/\ARun: cannot open '.*jsonl': it is a link: remove it/ ],
            [ ".$HOST_ID.lock",       qr/\ARun: cannot open '.*lock': it is a link: remove it/ ],
            [
                "k68.$HOST_ID.said", qr/^# the output .* lost: cannot open '.*said': it is a link/m,
                '--detach'
            ],
        ) {
            my ($name, $says, @more) = @$way;
            for my $to (qw(victim outside)) {
                my $fake = fake($mode);
                public("$fake->{results}/.runs", $mode);
                laid($fake, "$fake->{results}/.runs/$name", $to);
                my $got = $fake->run([ @ONCE, @more ], does => $MEASURES);
                like($got->{err}, $says, "$name to the $to");
                is($got->{status}, @more ? 0 : 1, @more ? 'it is measured' : 'nothing is measured');
                ok(comes(sub { -e "$fake->{results}/k68.$HOST_ID.1.html" }), 'to its end') if @more;
                is_unharmed($fake, $name);
            }
        }
    };

    subtest "$called: nothing of a campaign is opened through a link" => sub {
        my $dir = public(File::Temp->newdir, $mode);
        Fake::write_file("$dir/victim", "precious\n");
        my $fake = { dir => $dir };
        my $k68  = Campaigns::planned("$dir/k68", { hosts => [ { name => 'web1' } ] });
        public($k68, $mode);
        my $manifest = Touchstone::Pack::Fleet::Campaign::expect($k68);
        my %way      = (
            'events.jsonl' =>
                sub { Touchstone::Pack::Fleet::RecordIndex::note_event($k68, 'web1', 'running') },
            'received.jsonl' => sub {
                Touchstone::Pack::Fleet::RecordIndex::note_record($k68, 'x.json',
                    Campaigns::facts(host => 'web1'));
            },
            'leases.lock'  => sub { Touchstone::Pack::Fleet::Leases::take($manifest, 'web1', time) },
            'collect.lock' => sub { _collected($k68, $dir) },
        );
        for my $name (sort keys %way) {
            for my $to (qw(victim outside)) {
                unlink "$k68/$name";
                laid($fake, "$k68/$name", $to);
                ok(!eval { $way{$name}->(); 1 }, "$name to the $to");
                like($@, qr/cannot open '\Q$k68\E\/\Q$name\E': it is a link: remove it$/m, 'is named');
                is_unharmed($fake, $name);
            }
            unlink "$k68/$name";
            ok(eval { $way{$name}->(); 1 }, "$name: without it all is well") or diag($@);
        }
    };
}

# Collects a record, and dies of what it is told.
sub _collected {
    my ($k68, $dir) = @_;
    require Touchstone::Pack::Fleet::Collect;
    my $file = Campaigns::record($dir, host => 'web1');
    Touchstone::Pack::Fleet::Collect::collect($k68, [$file],
        sub { die "$_[0]{why}\n" if $_[0]{what} eq 'refused' });
    return;
}

subtest 'the directory of records is not one of a stranger' => sub {
    plan skip_all => 'only root can be another user' if $>;
    for my $mode (@MODES) {
        for my $make (
            sub { mkdir $_[0], 0777 or die "cannot make a directory: $!\n" },
            sub { symlink $_[1], $_[0] or die "cannot lay a link: $!\n" }
        ) {
            my $fake = fake($mode);
            mkdir "$fake->{dir}/else" or die "cannot make a directory: $!\n";
            strangely(sub { $make->("$fake->{results}/.runs", "$fake->{dir}/else") });
            for my $words ([qw(--quick -c 1 pipe)], \@ONCE) {
                my $got = $fake->run($words, does => $MEASURES);
                is(
                    said($got),
                    "1 Run: cannot write results in '$fake->{results}/.runs': it belongs to another user, and "
                        . "every user can write in '$fake->{results}'\n"
                        . "use a directory of your own: UB_RESULTDIR=~/results ./Run\n",
                    "it is refused, @$words"
                );
            }
            is($fake->calls('pipe'), 0, 'before anything is measured');
            is_deeply([ Fake::entries("$fake->{dir}/else") ], [], 'nothing is laid elsewhere');
        }
    }
};

subtest 'nor is one above it' => sub {
    plan skip_all => 'only root can be another user' if $>;
    my $dir = public(File::Temp->newdir, 01777);
    strangely(sub { mkdir "$dir/his" });
    my $why = "'$dir/his' belongs to another user, and every user can write in '$dir'";
    is(Touchstone::Base::Directories::trouble_above("$dir/his/a/b"), $why, 'it is named');
    for my $way (
        sub { Touchstone::Machine::File::write_file("$dir/his/x", 'x') },
        sub { Touchstone::Machine::File::make_directory("$dir/his/x") },
        sub { Touchstone::Machine::File::locked("$dir/his/x") },
        sub { Touchstone::Machine::Workdir->new("$dir/his") },
    ) {
        ok(!eval { $way->(); 1 }, 'a way into it');
        like($@, qr/: (?:\Q$why\E|it belongs to another user, .*)\n/, 'is refused');
    }
    is_deeply([ Fake::entries("$dir/his") ], [], 'nothing is made there');
};

subtest 'a file of a stranger is not written to, and none that has another name' => sub {
    my $dir = public(File::Temp->newdir, 0777);
    Fake::write_file("$dir/ours", "precious\n");
    link "$dir/ours", "$dir/also" or plan skip_all => 'no second names here';
    ok(!eval { Touchstone::Machine::File::opened("$dir/also") }, 'a second name');
    is($@, "cannot open '$dir/also': it has another name as well: remove it\n", 'is named');
    mkdir "$dir/folder";
    ok(!eval { Touchstone::Machine::File::locked("$dir/folder"); 1 }, 'what is no file');
    chmod 0755, $dir;
    ok(eval { Touchstone::Machine::File::opened("$dir/also") }, 'where others cannot write, it is ours');
    return if $>;
    chmod 0777, $dir;
    strangely(sub { Fake::write_file("$dir/his", '') });
    ok(!eval { Touchstone::Machine::File::opened("$dir/his") }, 'a file of his');
    is($@, "cannot open '$dir/his': it belongs to another user: remove it\n", 'is named');
};

subtest 'what others cannot write in is used, whose ever it is' => sub {
    my $fake = fake(0755);
    rename $fake->{results}, "$fake->{dir}/disk" or die "cannot rename: $!\n";
    symlink "$fake->{dir}/disk", $fake->{results} or die "cannot make a link: $!\n";
    chown $STRANGER, $STRANGER, "$fake->{dir}/disk" if !$>;
    is($fake->run([qw(-q --quick -c 1 pipe)], does => $MEASURES)->{status},
        0, 'a directory of another user, by a link of our own');
    is(scalar(my @records = Fake::entries("$fake->{dir}/disk/.runs")), 1, 'has the record');
    chmod 01777, "$fake->{dir}/disk";
    is($fake->run([qw(-q --quick -c 1 pipe)], does => $MEASURES)->{status},
        0, 'a directory of all users with records of our own');
    is(scalar(@records = Fake::entries("$fake->{dir}/disk/.runs")), 2, 'has another');
};

is_deeply(\@Fake::PERL_WARNINGS, [], 'Perl has not complained');

done_testing;
