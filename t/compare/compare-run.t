# SPDX-License-Identifier: GPL-2.0-or-later
# ./Run compare with stored runs: names and paths, exit status, formats, and messages about runs that
# cannot be compared.
use 5.014;
use strict;
use warnings;

use JSON::PP ();
use Test::More;

use lib 't/lib';
use Example;
use Stub;
use Runs;
use Touchstone::Record::Json;
use Touchstone::Suite;

my $fake = Stub->new;
my $runs = "$fake->{results}/.runs";
mkdir $_ or die "cannot make '$_': $!\n" for $fake->{results}, $runs;

# Stores another run with steady rates.
sub store {
    my ($name, $rate, %also) = @_;
    my $step = delete $also{step};
    Fake::write_file(
        "$runs/$name.json",
        Touchstone::Record::Json::encode(
            Runs::record($name, { '1 pipe' => [ Runs::steady($rate, $step) ] }, %also)
        )
    );
    return;
}

store(base  => 1000);
store(same  => 1000.2);
store(slow  => 970, build => { flags_unixbench => '-O0' });
store(fast  => 1030);
store(noisy => 1000, step => 0.05);
my $CLASSIC = Fake::read_file('t/golden/classic.txt');
Fake::write_file("$fake->{dir}/classic", $CLASSIC);

sub compare { my (@words) = @_; return $fake->run([ 'compare', @words ]) }

# Tests that a comparison ends with this status and an empty standard error.
sub ends {
    my ($status, @words) = @_;
    my $got = compare(@words);
    is("$got->{status} $got->{signal}", "$status 0", "'@words' ends with $status") or diag($got->{err});
    is($got->{err},                     '',          'and says nothing else');
    return $got->{out};
}

# Tests for one sentence on standard error, an empty standard output, and status 2, or another.
sub refused {
    my ($sentence, @words) = @_;
    my $status = ref $words[-1] ? ${ pop @words } : 2;
    my $got    = compare(@words);
    like($got->{err}, qr/\ARun: $sentence\n\z/, "'@words' is refused");
    is("$got->{status} $got->{signal}$got->{out}", "$status 0", 'without an answer');
    return;
}

subtest 'two runs that do not differ end with 0' => sub {
    my $out = ends(0, 'base', 'same');
    like($out, qr/^Machines and builds are the same, as far as recorded\.$/m, 'nor do their machines');
    like($out, qr/\Ano difference: base and same are within 0\.4 % /,         'the verdict');
};

subtest 'a slower run ends with 1, and the cause stands on top' => sub {
    my $out = ends(1, 'base', 'slow');
    like($out, qr/^One fact differs: flags\.\n.*^  flags +-O3 +-O0$/ms, 'flags');
    like($out, qr/\Avm with -O0 is 3\.0 % slower than vm with -O3 /,    'the verdict');
};

subtest 'a faster run ends with 0' => sub {
    like(ends(0, 'base', 'fast'), qr/\Afast is 3\.0 % faster than base /, 'the verdict');
    ends(0, 'slow', 'base');
};

subtest 'runs of which one is not valid end with 125, whatever they measured' => sub {
    store($_->[0], $_->[1], warnings => [ { id => 'x', text => 'half a CPU', invalid => 1 } ])
        for [ 'invalid-slow' => 500 ], [ 'invalid-same' => 1000.2 ], [ 'invalid-fast' => 2000 ];
    for my $invalid (qw(invalid-slow invalid-same invalid-fast)) {
        for my $words ([ 'base', $invalid ], [ $invalid, 'base' ], [ 'base', 'same', $invalid ]) {
            my $out = ends(125, @$words);
            like($out, qr/\Anot valid: \Q$invalid\E: half a CPU\n/, 'which run, and why');
            unlike($out, qr/^\S.* is (?:\S+ % (?:slower|faster)|slower|faster)/m, 'and no answer');
        }
    }
    ends(125, qw(--fail-on 90% base invalid-slow));
    ends(1, 'base', 'slow');
};

subtest 'runs that cannot be told apart end with 125' => sub {
    like(ends(125, 'base', 'noisy'),
        qr/^  inconclusive \(1\)  pipe: could still be 5 % either way$/m, 'noise');
};

subtest 'several runs are compared with the first, and the worst decides' => sub {
    my $out = ends(1, 'base', 'same', 'slow');
    is(scalar(() = $out =~ /^(?:same|slow) compared with base:$/mg), 2, 'two comparisons');
    like($out, qr/^  Test +base +same +slow$/m, 'and a table of all');
    ends(0, 'base', 'same', 'fast');
};

subtest 'only what is slower by more than --fail-on is worse' => sub {
    ends(0, '--fail-on',   '5%',   'base', 'slow');
    ends(1, '--fail-on=2', 'base', 'slow');
    ends(1, 'base',        'slow', '--fail-on', '0.5%');
};

subtest 'runs are named by name, by path, and by path without suffix' => sub {
    my $by_name = ends(0, 'base', 'same');
    is(ends(0, "$runs/base.json", "$runs/same"), $by_name, 'the same');
};

subtest 'a journal of a run that was cut off is compared' => sub {
    Fake::write_file("$runs/cut.jsonl", substr Example::journal(), 0, -40);
    like(ends(125, 'cut', 'base'), qr/^  - \S.*: this run did not come to its end$/m, 'and said to be one');
};

my %SHAPE = (
    text     => qr/\Avm with -O0 is 3\.0 % slower than vm with -O3 /,
    markdown => qr/\A# vm with /,
    html     => qr/\A<!DOCTYPE html>\n/,
    csv      => qr/\Aa,b,test,/,
    json     => qr/\A\{\n/
);

subtest 'every format is printed, with the same status' => sub {
    for my $format (sort keys %SHAPE) {
        my $out = ends(1, '--format', $format, 'base', 'slow');
        like($out, $SHAPE{$format}, "$format begins as it should");
        like($out, qr/-O0|slow/,    'and names the run');
    }
    is(JSON::PP->new->decode(ends(125, '--format', 'json', 'base', 'noisy'))->{status},
        125, 'JSON holds the status');
};

subtest 'text reports of UnixBench give ratios without intervals' => sub {
    my $out = ends(125, "$fake->{dir}/classic", "$fake->{dir}/classic");
    like($out =~ s/\n +/ /gr,
        qr/a text report of UnixBench holds no passes, so there are ratios without intervals/, 'said');
    like($out, qr/^  pipe +3\.24 M lps +3\.24 M lps +\+0\.0 % +- +not tested$/m, 'a ratio');
    ends(125, 'base', "$fake->{dir}/classic");
};

subtest 'a text report with missing rows is compared by the rest, and they are named' => sub {
    Fake::write_file("$fake->{dir}/missing", $CLASSIC =~ s/^System Call Overhead +2104465.*\n//mr);
    my $out = ends(125, "$fake->{dir}/classic", "$fake->{dir}/missing");
    like($out =~ s/\n +/ /gr, qr/'System Call Overhead' is in the index and has no result/, 'in the report');
    like($out,                qr/^  - not in \S+: syscall with 1 copy$/m, 'in the comparison');
    like($out,                qr/^  pipe +3\.24 M /m,                     'the rest');
};

subtest 'a run compared with itself is said to be that' => sub {
    like(ends(0, 'base', 'base'),            qr/^  - base is compared with itself$/m, 'by name');
    like(ends(0, 'base', "$runs/base.json"), qr/^  - base is compared with itself$/m, 'by path');
};

subtest 'a report of UnixBench 6 has the tests of a run of ours' => sub {
    my $suite  = Touchstone::Suite::load();
    my @names  = map { $_->{name} } $suite->expand('all', grep { /^2d-/ } map { $_->{name} } $suite->tests);
    my %unit   = Fake::read_file('t/classic/version-6-all.txt') =~ /^(\S.*?) +[\d.]+ (\w+) +\(/mg;
    my $record = Runs::record(all => { map { ("1 $_" => [ Runs::steady(1000) ]) } @names });
    my %base   = Fake::read_file('t/classic/version-6-all.txt') =~ /^(\S.*?) +([\d.]+) +[\d.]+ +[\d.]+$/mg;
    $_->{unit}     = $unit{ ($suite->expand($_->{test}))[0]{title} }      for @{ $record->{passes} };
    $_->{baseline} = $base{ ($suite->expand($_->{name}))[0]{title} } // 1 for @{ $record->{tests} };
    Fake::write_file("$runs/all.json", Touchstone::Record::Json::encode($record));
    my $out = ends(125, "$Fake::BASE/t/classic/version-6-all.txt", 'all');
    unlike($out, qr/not in|here and .* there/, 'nothing is only in one, or in another unit');
    is(scalar(() = $out =~ / -  not comparable$/mg), 7, 'what cannot be compared has no ratio');
    is(
        scalar(() = $out =~ / \S*\d\S* [%x] +-  not tested$/mg),
        @names - 7 + 1,
        'all others have one, and the index'
    );
};

subtest 'runs of other versions of a suite are not comparable' => sub {
    store(later => 1000, suites => { unixbench => 2 });
    my $out = ends(125, 'base', 'later');
    like($out, qr/^One fact differs: suite\.$/m,                                              'on top');
    like($out, qr/^  not tested \(1\)  pipe: another version of the test: 1 here, 2 there$/m, 'in the list');
};

subtest 'runs without a common test tell nothing' => sub {
    Fake::write_file("$runs/other.json",
        Touchstone::Record::Json::encode(Runs::record(other => { '1 spawn' => [ Runs::steady(5) ] })));
    like(
        ends(125, 'base', 'other'),
        qr/^base and other have no test in common\n.*^  - not in other: pipe with 1 copy$/ms,
        'and say why'
    );
};

subtest 'a run that is not there is refused' => sub {
    refused(qr{no run 'nowhere' here or in '\Q$runs\E'\ntry: \./Run list runs}, 'base', 'nowhere');
    refused(qr/compare needs the name or path of a stored run, not ''/,         '',     'base');
};

subtest 'a record of a newer format is refused' => sub {
    store(newer => 1000, format => 3);
    refused(qr/'\Q$runs\E\/newer\.json' is not a run record: its format is 3, this version reads format 2/,
        'base', 'newer');
};

subtest 'a journal without a whole line is refused' => sub {
    Fake::write_file("$runs/stump.jsonl", substr Example::journal(), 0, 100);
    refused(qr/'\Q$runs\E\/stump\.jsonl' is not a run record: line 1: the journal has no complete line/,
        'stump', 'base');
};

subtest 'a damaged journal is refused with the line' => sub {
    my @lines = split /\n/, Example::journal();
    $lines[4] = substr $lines[4], 0, 20;
    Fake::write_file("$runs/torn.jsonl", join '', map { "$_\n" } @lines);
    refused(qr/'\Q$runs\E\/torn\.jsonl' is not a run record: line 5: [^\n]+/, 'torn', 'base');
};

subtest 'a damaged text report is refused with the line' => sub {
    Fake::write_file("$fake->{dir}/bad", $CLASSIC =~ s/3237107\.4 lps/many lps/r);
    refused(qr/'\Q$fake->{dir}\E\/bad' is not a report of UnixBench: line \d+: 'many' is not a score[^\n]*/,
        'base', "$fake->{dir}/bad");
};

subtest 'a file that is neither a record nor a report is refused' => sub {
    Fake::write_file("$fake->{dir}/junk", "hello\n");
    refused(qr/'\Q$fake->{dir}\E\/junk' is not a run record: line 1: [^\n]+/, 'base', "$fake->{dir}/junk");
    Fake::write_file("$fake->{dir}/nothing", '');
    refused(qr/'\Q$fake->{dir}\E\/nothing' is not a run record: line 1: [^\n]+/,
        'base', "$fake->{dir}/nothing");
    refused(qr/'\Q$fake->{dir}\E' is not a run record: it is a directory\ntry: [^\n]+/, 'base', $fake->{dir});
};

subtest 'one run is no comparison' => sub {
    my $needs = qr{compare needs at least 2 operands: RUN RUN \.\.\.\ntry: \./Run help compare};
    refused($needs, 'base');
    refused($needs);
};

subtest 'an allowance that is no percentage is refused' => sub {
    for my $bad ('0', '-1', 'x', '100%') {
        refused(qr/--fail-on needs a percentage above 0 and below 100, such as 0\.5%, not '\Q$bad\E'/,
            "--fail-on=$bad", 'base', 'same');
    }
};

subtest 'a comparison writes no file' => sub {
    my @before = Fake::entries($runs);
    compare('base', 'slow');
    is_deeply([ Fake::entries($runs) ],            \@before,  'among the runs');
    is_deeply([ Fake::entries($fake->{results}) ], ['.runs'], 'among the results');
};

subtest 'an answer that cannot be written is trouble' => sub {
    plan skip_all => 'no /dev/full here' if !-c '/dev/full';
    my $got = $fake->run([ 'compare', 'base', 'same' ], stdout => '/dev/full');
    like($got->{err}, qr/\ARun: cannot write to standard output: [^\n]+\n\z/, 'said');
    is($got->{status}, 125, 'and it does not end as if a run were worse');
};

subtest 'what the machine cannot tell is no difference' => sub {
    mkdir "$runs/self" or die "cannot make '$runs/self': $!\n";
    Fake::write_file("$runs/self/vm.json",
        '{"format": 1, "host": "vm", "model": "Xeon", "run": "x", "smallest": {"1 pipe": 0.04, "1 system": 0.04}}'
    );
    like(ends(0, 'base', 'slow'), qr/^  no difference \(1\)  pipe$/m, '3 % where 4 % is the smallest');
};

subtest 'a damaged result of self-compare is refused with its name' => sub {
    for my $text ('null', '{"format": 1', '[]') {
        Fake::write_file("$runs/self/vm.json", $text);
        refused(qr/'\Q$runs\E\/self\/vm\.json' is damaged: [^\n]+/, 'base', 'slow', \125);
    }
};

is_deeply(\@Fake::PERL_WARNINGS, [], 'Perl complained about nothing');
done_testing;
