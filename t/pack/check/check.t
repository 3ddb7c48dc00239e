# SPDX-License-Identifier: GPL-2.0-or-later
# The command check: its screen, forms and exit statuses; missing directories and tests; its plan.
use 5.014;
use strict;
use warnings;

use Test::More;

use lib 't/lib';
use NoWarnings;
use Fake;
use Stub;
use Touchstone::Pack::Check::Choice;
use Touchstone::Record::Json;
use Touchstone::Record;
use Touchstone::Run::Plan;
use Touchstone::Suite;

my $stub = Stub->new;

sub check { my (@words) = @_; return $stub->run([ 'check', @words ]) }

my $first = check();
my ($run) = $first->{out} =~ /\ATouchstone check 1: (\S+), /;

subtest 'a check prints one screen' => sub {
    is($first->{status}, 0,  'exit status');
    is($first->{err},    '', 'nothing else');
    my @lines = split /\n/, $first->{out};
    cmp_ok(scalar @lines, '<=', 25, 'at most 25 lines');
    is_deeply([ grep { length > 80 } @lines ], [], 'of at most 80 columns');
    like($lines[-1], qr/\ATouchstone check 1: 1 CPU [\d,]+ \(n=\d\)/, 'the last line is the line to quote');
};

subtest 'its record is that of a run' => sub {
    my $facts = Touchstone::Record->load($run, "$stub->{results}/.runs");
    is($facts->{check}{version}, 1, 'with the version of the choice');
    my %copies;
    $copies{ $_->{test} }{ $_->{copies} } = 1 for @{ $facts->{passes} };
    is_deeply([ keys %{ $copies{commit} } ], [1], 'a disk is measured with one copy only');
    my $all = $facts->{host}{usable_cpus};
    is_deeply(
        [ sort { $a <=> $b } keys %{ $copies{json} } ],
        $all > 1 ? [ 1, $all ] : [1],
        'and CPUs with all, too'
    );
    is($stub->run([ 'report', $run ])->{status}, 0, 'report prints it');
};

subtest 'a stored check has every form' => sub {
    is(check($run)->{out}, $first->{out}, 'the screen again');
    my $data = Touchstone::Record::Json::decode(check($run, '--format', 'json')->{out});
    like($first->{out}, qr/^\Q$data->{quote}\E$/m, 'JSON has the line to quote');
    is(scalar @{ $data->{missing} }, 0, 'and no missing figure');
    my $yabs = Touchstone::Record::Json::decode(check($run, '--format', 'yabs')->{out});
    my ($cpu) = grep { $_->{key} eq 'cpu-1' } @{ $data->{figures} };
    is($yabs->{geekbench}[0]{version}, 'touchstone-check-1',           'the CPU index has its own name');
    is($yabs->{geekbench}[0]{single},  sprintf('%.0f', $cpu->{value}), 'in the keys of YABS');
    my $page = check($run, '--format', 'html')->{out};
    like($page, qr/<p class="quote">Touchstone check 1: /, 'the card');
    cmp_ok(length $page, '<', 60_000, 'is below 60 KB');
    like(check($run, '--format', 'markdown')->{out}, qr/^\| Durable commit \| /m, 'Markdown');
    like(check($run, '--format', 'csv')->{out},      qr/^commit,/m,               'CSV');
};

subtest 'operands and forms that there are not' => sub {
    my $other = $stub->run([qw(--quick -c 1 pipe)]);
    my $got   = check('nothing');
    is($got->{status}, 2, 'a run that does not exist');
    $got = check($run, '--format', 'junit');
    is($got->{status}, 2, 'a form of other commands');
    like($got->{err}, qr/--format of a check needs text, markdown, html, csv, json or yabs/, 'has a message');
    opendir my $dir, "$stub->{results}/.runs" or die "cannot read: $!\n";
    my ($plain) = grep { /\.json/ && !/\A\Q$run\E/ } readdir $dir;
    $got = check($plain =~ s/\.json.*//r);
    is($got->{status}, 2, 'a run that is not a check');
    like($got->{err}, qr/is not a check\ntry: |is not a check/, 'has a message');
};

subtest 'a missing figure has its reason, and the status is 1' => sub {
    my $got = $stub->run(['check'], does => { json => 'exit 3', commit => 'exit 3' });
    is($got->{status}, 1, 'exit status');
    like($got->{out}, qr/^! Missing: CPU, 1 copy(?: and CPU, \d+ copies)? \(json: .*exit status 3/m,
        'of an index');
    like($got->{out}, qr/^! Missing: durable commit \(/m, 'of a test');
    unlike($got->{out}, qr/^(?:Durable commit|CPU, )/m, 'no figure stands in its place');
    like($got->{out}, qr/^Touchstone check 1: 1 CPU missing/m, 'nor in the line to quote');
};

subtest 'directories that cannot be written' => sub {
    my $got = $stub->run(['check'], env => { UB_TMPDIR => '/dev/null/work' });
    is($got->{status}, 1, 'without a work directory the status is 1');
    like(
        $got->{out},
        qr{^! Missing: durable commit, .*\(cannot\s+write\s+in}ms,
        'the figures of the disk are missing'
    );
    like($got->{out}, qr/^CPU, 1 copy  /m, 'all others are there');
    $got = $stub->run(['check'], env => { UB_RESULTDIR => '/dev/null/results' });
    is($got->{status}, 0, 'without a directory for results all figures are there');
    like($got->{out}, qr{^! Not stored: cannot write in '/dev/null/results'}m, 'and the screen shows that');
};

subtest 'compare shows which machine is better, and for what' => sub {
    my $got = $stub->run([ 'compare', $run, $run ]);
    like($got->{out}, qr/^ +commit /m, 'the comparison has a line for each test');
};

subtest 'a check that is stopped is continued as a run' => sub {
    my $got = $stub->run(['check'], does => { json => 'measure,stop INT' });
    is($got->{status}, 130, 'exit status');
    like($got->{err}, qr/resume it: \S+ resume (\S+)/, 'the message names the command');
    my ($name) = $got->{err} =~ / resume (\S+)/;
    is($stub->run([ 'resume', $name ])->{status}, 0, 'resume continues it');
    is(check($name)->{status},                    0, 'and then it is complete');
};

subtest 'the plan fits into its time with any number of CPUs' => sub {
    my $wanted = Touchstone::Pack::Check::Choice::wanted();
    my @rows   = map { +{ %$_, %{ $wanted->{rows}{ $_->{name} } || {} } } }
        Touchstone::Suite::load()->expand(@{ $wanted->{tests} });
    my $limit = $Touchstone::Pack::Check::Choice::SECONDS;
    for my $cpus (1, 2, 8, 64, 256, 1024) {
        my %seen;
        my $plan = Touchstone::Run::Plan::make(
            tests    => \@rows,
            copies   => [ grep { !$seen{$_}++ } 1, $cpus ],
            schedule => 'quick',
            seed     => 1,
            usable   => $cpus,
            within   => $limit
        );
        cmp_ok($plan->{seconds}, '<=', $limit, "$cpus CPUs");
        is($plan->{rounds}, 6, 'with an interval for each figure') if $cpus <= 64;
    }
};

done_testing;
