#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# ./Run self-compare: two halves of one run, what they say about the machine, and how compare uses that.
use 5.014;
use strict;
use warnings;

use JSON::PP ();
use POSIX ();
use Test::More;

use lib 't/lib';
use Stub;
use Touchstone::Base::Directories;

my $HOST  = (POSIX::uname())[1];
my @WORDS = qw(self-compare --quick -c 1);

sub file_of {
    my ($fake) = @_;
    return "$fake->{results}/.runs/self/" . Touchstone::Base::Directories::file_name($HOST) . '.json';
}
sub known { my ($fake) = @_; return JSON::PP->new->utf8->decode(Fake::read_file(file_of($fake))) }

# The warm-up is the first call, so the rounds alternate between the second rate and the first.
my $fake = Stub->new;
my $got =
    $fake->run([ @WORDS, qw(pipe syscall) ], does => { pipe => 'rates 100;104', syscall => 'rates 500' });
my ($self) = map { s/\.json\z//r } grep { /\.json\z/ } Fake::entries("$fake->{results}/.runs");

subtest 'it goes twelve times round and stores what the machine can tell' => sub {
    is($got->{status}, 0, 'it succeeds') or diag($got->{err});
    my $record = $fake->record($self);
    is(
        join(
            ' ',
            map {
                my $t = $_;
                scalar grep { $_->{round} && $_->{test} eq $t } @{ $record->{passes} }
            } qw(pipe syscall)
        ),
        '12 12',
        'twelve passes of each'
    );
    is($record->{purpose}, 'self-compare', 'the record says what it is for');
    my $known = known($fake);
    is(join(' ', @$known{qw(format host run)}), "1 $HOST $self", 'of which machine, from which run');
    is(sprintf('%.6f', $known->{smallest}{'1 pipe'}),    '0.040000', 'halves of 104 and 100 differ by 4 %');
    is(sprintf('%.6f', $known->{smallest}{'1 syscall'}), '0.000000', 'equal ones by nothing');
    is(
        join(' ', sort keys %{ $known->{smallest} }),
        '1 pipe 1 syscall 1 system',
        'there is one for the index too'
    );
};

subtest 'the table is the answer, and the file is named' => sub {
    like(
        $got->{out},
        qr/^ *pipe +-3\.8 % +4(?:\.0)? % /m,
        'by how much the halves differ, and the smallest difference'
    );
    like($got->{out}, qr/^ *syscall +\+0\.0 % /m, 'for each test');
    unlike($got->{out}, qr/BYTE UNIX|Index Score/, 'it is no report');
    my $file = file_of($fake);
    like($got->{err}, qr/^# detection limits stored in \Q$file\E, used by compare$/m, 'where it is');
    my $quiet = $fake->run([ @WORDS, '-q', 'pipe' ]);
    is($quiet->{err}, '', '-q says nothing');
    like($quiet->{out}, qr/^ *pipe +/m, 'and prints the table to a file');
};

# Stores two runs, with six passes of 100 and 101 and so on.
sub two_runs {
    my ($where, $second) = @_;
    $where->run([qw(-q -i 6 -c 1 pipe)], does => { pipe => $_ }) for 'rates 100;101', $second;
    return (grep { $_ ne $self } $where->names)[ -2, -1 ];
}

subtest 'a difference that the machine itself makes is none to compare' => sub {
    $fake->run([ @WORDS, 'pipe' ], does => { pipe => 'rates 100;104' });
    my @runs = two_runs($fake, 'rates 103;104');
    like(
        $fake->run([ 'compare', @runs, qw(--format csv) ])->{out},
        qr/,pipe,1,lps,.*,no difference,/,
        '3 % where it can tell 4 %'
    );
    rename file_of($fake), file_of($fake) . '.away' or die "cannot rename: $!\n";
    like($fake->run([ 'compare', @runs, qw(--format csv) ])->{out},
        qr/,pipe,1,lps,.*,faster,/, 'without that it is seen');
    rename file_of($fake) . '.away', file_of($fake) or die "cannot rename: $!\n";

    # Three runs that differ would say that the machine varies from run to run.
    unlink map { "$fake->{results}/.runs/$_.json" } @runs;
    like($fake->run([ 'compare', two_runs($fake, 'rates 110;111'), qw(--format csv) ])->{out},
        qr/,pipe,1,lps,.*,faster,/, 'a difference of 10 % is seen with it');
};

subtest 'a run that is not valid says so before its table' => sub {
    my $other = Stub->new;
    my $got   = $other->run([ @WORDS, qw(-c 2 pipe) ], does => { pipe => 'apart' });
    is($got->{status}, 0, 'it ends well') or diag($got->{err});
    like(
        $got->{out},
        qr/\Anot valid: the odd rounds and the even rounds: .*disturbed by .*^what to do: /ms,
        'why, and what to do'
    );
    unlike($fake->run([ @WORDS, 'pipe' ])->{out}, qr/not valid/, 'a valid one does not');
};

subtest 'what was known of other tests stays' => sub {
    my $other = Stub->new;
    $other->run([ @WORDS, 'pipe' ],    does => { pipe    => 'rates 100;104' });
    $other->run([ @WORDS, 'syscall' ], does => { syscall => 'rates 100;110' });
    $other->run([qw(self-compare --quick -c 2 syscall)]);
    my $smallest = known($other)->{smallest};
    is(sprintf('%.3f %.3f', @$smallest{ '1 pipe', '1 syscall' }),
        '0.040 0.100', 'of the first run and of the second');
    ok(exists $smallest->{'2 syscall'}, 'and of another copy count');
    $other->run([ @WORDS, 'pipe' ], does => { pipe => 'rates 100;102' });
    is(sprintf('%.3f', known($other)->{smallest}{'1 pipe'}), '0.020', 'what is measured anew is replaced');
};

subtest 'a damaged file is a clear sentence to compare, and is written anew' => sub {
    my $other = Stub->new;
    $other->run([ @WORDS, 'pipe' ]);
    my @runs = two_runs($other, 'rates 103;104');
    for my $text (
        '', "rubbish\n", "[1]\n",
        qq({ "format": 1, "host": "x" }\n),
        qq({ "format": 2, "host": "x", "model": "y", "smallest": {} }\n)
    ) {
        Fake::write_file(file_of($other), $text);
        my $compared = $other->run([ 'compare', @runs ]);
        is("$compared->{status} $compared->{out}", '125 ', 'exit status 125') or diag($compared->{err});
        like($compared->{err}, qr/\ARun: '\Q@{[ file_of($other) ]}\E' is damaged: \S.*\n\z/, 'and the cause');
    }
    is($other->run([ @WORDS, 'pipe' ])->{status}, 0, 'the next self-compare');
    is($other->run([ 'compare', @runs ])->{status}, 0, 'mends it');
};

subtest 'a run that was stopped tells nothing of the machine' => sub {
    my $other   = Stub->new;
    my $stopped = $other->run([ @WORDS, 'pipe' ], does => { pipe => 'measure,measure,stop INT' });
    is($stopped->{status}, 130, 'its exit status');
    ok(!-e file_of($other), 'nothing is stored');
};

subtest 'a test that fails is in no table' => sub {
    my $other  = Stub->new;
    my $failed = $other->run([ @WORDS, qw(pipe syscall) ], does => { pipe => 'measure,measure,exit 3' });
    is($failed->{status},                                   1,                    'exit status 1');
    is(join(' ', sort keys %{ known($other)->{smallest} }), '1 syscall 1 system', 'the others are known');
    my $all = $other->run([ @WORDS, 'pipe' ], does => { pipe => 'exit 3' });
    is($all->{status}, 1, 'when all fail too');
    like($all->{err}, qr/^Run: pipe failed; aborting$/m, 'and it says so');
};

subtest 'nothing of this makes Perl complain' => sub { is_deeply(\@Fake::PERL_WARNINGS, [], 'no warning') };

done_testing;
