# SPDX-License-Identifier: GPL-2.0-or-later
# The labels of Compare::Run: what runs are called in sentences.
use 5.014;
use strict;
use warnings;

use Test::More;

use lib 't/lib';
use NoWarnings;
use Runs;
use Touchstone::Base::Text;
use Touchstone::Compare::Run;

# Returns a run of a host with further facts.
sub run_of {
    my ($host, %is) = @_;
    my %facts = map { /\A[hb] / ? ($_ => delete $is{$_}) : () } keys %is;
    return { name => 'run', facts => { 'h name' => $host, %facts }, %is };
}

sub called { return join ' | ', Touchstone::Compare::Run::labels(@_) }

subtest 'runs of different hosts are called by their host' => sub {
    is(called(map { run_of($_) } qw(c7i m7a)),           'c7i | m7a',       'alone');
    is(called(map { run_of("$_.fra1.x") } qw(c7i m7a)),  'c7i | m7a',       'without a domain that all have');
    is(called(run_of('a.fra1'), run_of('a.fra2')),       'a.fra1 | a.fra2', 'but with one that some have');
    is(called(map { run_of($_) } qw(10.0.0.1 10.1.0.1)), '10.0.0.1 | 10.1.0.1', 'and addresses are whole');
};

subtest 'runs of one host are called by what tells them apart' => sub {
    my %common = ('h model' => 'Xeon', started => 1795240226, utc_offset => 3600);
    my $two    = sub {
        my ($fact, @values) = @_;
        return called(map { run_of('vm', %common, $fact => $_) } @values);
    };
    is($two->('h release', '6.12', '6.15'),   'vm with kernel 6.12 | vm with kernel 6.15', 'kernel');
    is($two->('b isa', 'baseline', 'native'), 'vm (portable build) | vm (native build)',   'kinds of builds');
    is(
        $two->('b compiler_version', 'gcc (Debian 12.2.0-14) 12.2.0', 'clang 19'),
        'vm with gcc 12.2.0 | vm with clang 19',
        'compiler, in short'
    );
    is($two->('b flags', '-O2',                      '-O3'),  'vm with -O2 | vm with -O3',         'build');
    is($two->('h model', 'Intel(R) Xeon(R) CPU @ 2', 'EPYC'), 'vm with Intel Xeon | vm with EPYC', 'CPU');
    is($two->(started => 1795240226, 1795340226), 'vm on 2026-11-21 | vm on 2026-11-22', 'day');
    is($two->(started => 1795240226, 1795250226), 'vm on 2026-11-21, 06:50 | vm on 2026-11-21, 09:37',
        'time');
    is($two->(name => 'vm-01', 'vm-02'), 'vm-01 | vm-02', 'in the end their own names');
    is(
        called(run_of('x'), map { run_of('vm', started => $_) } 1795240226, 1795340226),
        'x | vm on 2026-11-21 | vm on 2026-11-22',
        'beside another host'
    );
};

subtest 'what does not tell all of them apart is not taken' => sub {
    my @kernels = qw(6.1 6.1 6.2);
    is(
        called(map { run_of('vm', 'h release' => $kernels[$_], started => 1795240226 + $_ * 86400) } 0 .. 2),
        join(' | ', map { "vm on 2026-11-2$_" } 1 .. 3),
        'two kernels of three runs'
    );
};

subtest 'sets of one --build and directories of a duet have names of their own' => sub {
    is(called(map { run_of('vm', duet => 'd', set   => { name => $_ }) } qw(o2 o3)), 'o2 | o3', 'sets');
    is(called(map { run_of('vm', duet => 'd', place => $_) } qw(old new)), 'old | new', 'directories');
    is(
        called(map { run_of('vm', duet => $_, set => { name => "o$_" }) } 2, 3),
        'vm (o2) | vm (o3)',
        'not of two'
    );
};

subtest 'a run without a host is called by its name' => sub {
    is(called(map { Runs::compared_run($_,  { '1 pipe' => [1] }) } qw(a b)), 'a | b', 'two');
    is(called(map { Runs::compared_run('a', { '1 pipe' => [1] }) } 1, 2),    'a | a', 'twice the same');
};

subtest 'long names are cut in the middle, and stay different' => sub {
    my @called = Touchstone::Compare::Run::labels(map { run_of('x' x 60 . $_) } 1, 2);
    is(join(' ', map { length } @called), '32 32', 'short');
    isnt($called[0], $called[1], 'their ends are there');
    @called =
        Touchstone::Compare::Run::labels(map { run_of("$_-" . 'x' x 60 . "-$_", name => $_ x 60) } qw(a b));
    like($called[0], qr/\Aa-x+\.\.\.x+-a\z/, 'and their beginnings');
    my $inner = 'x' x 40;
    is(
        called(map { { name => "$inner$_$inner", facts => {} } } 1, 2),
        'x' x 17 . '...' . 'x' x 12 . ' | ' . 'x' x 17 . '...' . 'x' x 12 . ' (2)',
        'or a number follows'
    );
};

subtest 'a hostile name is data' => sub {
    my $called = called(run_of("a\e[31m\n\xff"), run_of('b'));
    unlike($called, qr/[\x00-\x1f\x7f]/, 'without control characters');
    ok(Touchstone::Base::Text::is_utf8(called(map { run_of("\xc3\xa4" x 60 . $_) } 1, 2)),
        'cut between letters');
};

done_testing;
