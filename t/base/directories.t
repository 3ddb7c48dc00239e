#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# Touchstone::Base::Directories: where results go from a source tree, a bundle and an installed copy, and
# what they are called.
use 5.014;
use strict;
use warnings;

use File::Temp ();
use Test::More;

use POSIX ();

use Touchstone::Base::Directories;

use lib 't/lib';
use NoWarnings;
delete @ENV{ grep { /^(?:UB|XDG)_/ } keys %ENV };

sub touch {
    for my $file (@_) {
        open my $out, '>', $file or die "cannot write '$file': $!\n";
        close $out;
    }
    return;
}

sub place {
    my $dir = File::Temp->newdir;
    mkdir "$dir/.runs" or die "cannot make a directory: $!\n";
    return { results => $dir, runs => "$dir/.runs" };
}

sub first_name { return (Touchstone::Base::Directories::names(@_))[0] }

subtest 'the number is the first that neither a report nor a record has' => sub {
    my $place = place();
    is(first_name($place, 'host', '2026-11-21'), 'host-2026-11-21-01', 'from 01');
    touch("$place->{results}/host-2026-11-21-01", "$place->{results}/host-2026-11-21-03.html");
    is(first_name($place, 'host', '2026-11-21'), 'host-2026-11-21-02', 'a gap is free');
    touch("$place->{runs}/host-2026-11-21-02.jsonl");
    is(first_name($place, 'host', '2026-11-21'),
        'host-2026-11-21-04', 'a record or a journal takes a number too');
    is(first_name($place, 'host', '2026-11-22'), 'host-2026-11-22-01', 'another day begins anew');
    is(first_name($place, 'hos',  '2026-11-21'), 'hos-2026-11-21-01',  'as does another host');
    touch(map { sprintf "$place->{results}/host-2026-11-21-%02d", $_ } 1 .. 120);
    is(first_name($place, 'host', '2026-11-21'), 'host-2026-11-21-121', 'there is no last number');
};

# A home of programs of this kind, which has what makes it one.
my %HAS = (source => 'Makefile', bundle => 'BUNDLE', installed => 'Run');

sub home_of {
    my ($kind) = @_;
    my $home = File::Temp->newdir;
    chmod 0755, "$home";
    touch("$home/Run", "$home/$HAS{$kind}");
    return $home;
}

# Returns what a sub gives for another user, whom modes of files bind; undef where that cannot be.
sub as_other {
    my ($code) = @_;
    pipe my $out, my $in or die "cannot make a pipe: $!\n";
    my $pid = fork // die "cannot fork: $!\n";
    if (!$pid) {
        if (!$>) { ($(, $)) = (65534, '65534 65534'); ($<, $>) = (65534, 65534) }
        my $said = eval { $code->() } // $@;
        syswrite $in, $said;
        POSIX::_exit(0);
    }
    close $in;
    my $said = do { local $/; <$out> };
    waitpid $pid, 0;
    return $said;
}

subtest 'a source tree has results beside it, an installed copy in the home of the user' => sub {
    local $ENV{HOME} = '/home/jo';
    my ($tree, $copy) = map { home_of($_) } qw(source installed);
    my $place = Touchstone::Base::Directories::find("$tree");
    is("$place->{kind} $place->{results} $place->{tmp}", "source $tree/results $tree/tmp", 'a tree');
    is(Touchstone::Base::Directories::command($place),   './Run',                          'is ./Run');
    $place = Touchstone::Base::Directories::find("$copy");
    my $state = '/home/jo/.local/state/touchstone';
    is("$place->{kind} $place->{results} $place->{tmp}", "installed $state/results $state/tmp", 'a copy');
    is(Touchstone::Base::Directories::command($place),   'touchstone', 'is touchstone');
    local $ENV{XDG_STATE_HOME} = '/state';
    is(
        Touchstone::Base::Directories::find("$copy")->{runs},
        '/state/touchstone/results/.runs',
        'XDG_STATE_HOME'
    );
    $ENV{XDG_STATE_HOME} = 'state';
    is(Touchstone::Base::Directories::find("$copy")->{results}, "$state/results", 'but no relative one');
};

subtest 'without HOME it is the home that the system knows, and nothing dies' => sub {
    local %ENV = %ENV;
    delete $ENV{HOME};
    my $copy = home_of('installed');
    my $home = (getpwuid $>)[7] // '';
    is(
        Touchstone::Base::Directories::find("$copy")->{results},
        $home =~ s{/+\z}{}r . '/.local/state/touchstone/results',
        'of this user'
    );
};

subtest 'a bundle has results beside it where that can be written, else says where they are' => sub {
    local $ENV{HOME} = '/home/jo';
    my $bundle = home_of('bundle');
    my $place  = Touchstone::Base::Directories::find("$bundle");
    is("$place->{kind} $place->{results} $place->{tmp}", "bundle $bundle/results $bundle/tmp", 'beside it');
    is($place->{remark},                                 undef,   'which needs no words');
    is(Touchstone::Base::Directories::command($place),   './Run', 'it is ./Run');
    chmod 0555, "$bundle";
    my $said = as_other(
        sub {
            my $other = Touchstone::Base::Directories::find("$bundle");
            return "$other->{tmp} $other->{remark}";
        }
    );
    my $state = '/home/jo/.local/state/touchstone';
    is(
        $said,
        "$state/tmp results go to '$state/results', since '$bundle' cannot be written",
        'a folder of somebody else'
    );
    local $ENV{UB_RESULTDIR} = '/r';
    is(as_other(sub { Touchstone::Base::Directories::find("$bundle")->{remark} // 'nothing' }),
        'nothing', 'nothing is said where UB_RESULTDIR does');
    delete $ENV{UB_RESULTDIR};
    chmod 0755, "$bundle";
    mkdir "$bundle/results" or die "cannot make a directory: $!\n";
    chmod 0777, "$bundle/results";
    chmod 0555, "$bundle";
    is(as_other(sub { Touchstone::Base::Directories::find("$bundle")->{results} }),
        "$bundle/results", 'a folder for results that can be written will do');
    chmod 0755, "$bundle";
};

subtest 'results that cannot be written are told with what helps' => sub {
    my $home = File::Temp->newdir;
    my $copy = home_of('installed');
    local $ENV{HOME} = "$home";
    chmod 0555, "$home";
    my $try = sub {
        Touchstone::Base::Directories::prepare_results(Touchstone::Base::Directories::find("$copy"));
        return 'fine';
    };
    my $results = "$home/.local/state/touchstone/results";
    is(
        as_other($try),
        "cannot write results in '$results': Permission denied\n"
            . "try: UB_RESULTDIR=/var/tmp UB_TMPDIR=/var/tmp touchstone\n",
        'a home that cannot be written'
    );
    $ENV{HOME} = '/nonexistent';
    like(as_other($try), qr/\Acannot write results in '\/nonexistent\/.*\ntry: /, 'no home');
    local $ENV{UB_TMPDIR} = '/var/tmp';
    like(as_other($try), qr/: UB_RESULTDIR=\/var\/tmp touchstone\n\z/, 'UB_TMPDIR is said already');
    chmod 0755, "$home";
};

subtest 'a host name becomes a name for files' => sub {
    my $place = place();
    is(first_name($place, 'a/b',         'D'), 'a_b-D-01',         'no directory');
    is(first_name($place, '..',          'D'), '_.-D-01',          'nothing hidden');
    is(first_name($place, '-x',          'D'), '_x-D-01',          'no option');
    is(first_name($place, '',            'D'), 'unknown-D-01',     'never nothing');
    is(first_name($place, qq{a "b" <c>}, 'D'), qq{a "b" <c>-D-01}, 'the rest stays');
};

subtest 'UB_OUTPUT_FILE_NAME must be a name' => sub {
    my $place = place();
    mkdir "$place->{results}/campaigns" or die "cannot make a directory: $!\n";
    for my $name ('a/b', '.hidden', 'x' x 201, "a\nb", 'campaigns') {
        local $ENV{UB_OUTPUT_FILE_NAME} = $name;
        ok(!defined eval { Touchstone::Base::Directories::fixed_name($place) }, substr $name, 0, 20);
        like($@, qr/\AUB_OUTPUT_FILE_NAME (?:needs a name without|cannot be) /, 'it is named');
    }
    local $ENV{UB_OUTPUT_FILE_NAME} = 'my run';
    is(Touchstone::Base::Directories::fixed_name($place), 'my run', 'a good one is taken');
};

done_testing;
