# SPDX-License-Identifier: GPL-2.0-or-later
# What a check says of invented machines: its screen, its verdicts about planted lies, and its room.
use 5.014;
use strict;
use warnings;

use Test::More;

use lib 't/lib';
use NoWarnings;
use Checked;
use Fake;
use Touchstone::Pack::Check::Screen;
use Touchstone::Pack::Check::Surroundings;
use Touchstone::Report::Compare::Groups;

my %golden = Checked::files();
is($golden{$_}, Fake::read_file("$Fake::BASE/t/golden/$_"), "$_ is the golden text") for sort keys %golden;

sub screen { return Checked::screen(Checked::result(@_)) }

subtest 'planted lies' => sub {
    my $shared = 'CPU 0 runs at 3.4 GHz. CPUs 0 and 1 share a core';
    my %lies   = (
        'threads of one core, as reported' => [
            { truth => { vcpu => [ confirmed => "$shared, as reported." ] } },
            qr/^! Its 2 CPUs are two threads of one core\.$/m
        ],
        'threads of one core that are reported as two' => [
            {
                truth => {
                    vcpu =>
                        [ contradicted => "$shared, contrary to the reported topology: a line takes 18 ns." ]
                }
            },
            qr/two threads of one core, which it does not report\.$/m
        ],
        'commits without a flush' => [
            {
                scores => { commit => 310_000 },
                truth  => {
                    disk => [
                        unclear =>
                            'None of 295,809 commits made the disk flush, and the drive counted fewer writes.'
                    ]
                }
            },
            qr/^Commit, not durable .*^! Commits do not reach the disk: none of 295,809 commits/ms
        ],
        'a file system that does not flush' => [
            { truth => { disk => [ contradicted => 'None of 9 commits made the disk flush.' ] } },
            qr/^! Commits do not reach the disk: none of 9/m
        ],
        'a quota' => [
            {
                host     => { usable_cpus => 1 },
                counters => { throttled   => 0.48 },
                warnings => [ { id => 'quota', text => 'CPU quota: 0.5 of 2 CPUs', invalid => 1 } ]
            },
            qr/^! Not valid: .*^! The CPU quota stopped the tests for 48 % of the time\.$/ms
        ],
        'one usable CPU' => [ { host => { usable_cpus => 1 } }, qr/^! Only 1 of its 2 CPUs can be used\.$/m ],
        'neighbours'     =>
            [ { counters => { steal => 0.081 } }, qr/^! Neighbours took 8\.1 % of the CPU time\.$/m ],
        'neighbours on the other thread of its core' => [
            {
                truth => {
                    vcpu => [
                        contradicted => 'For 72 % of the time it had less than three quarters of its core: '
                            . 'it is a hyperthread, and its sibling does not belong to this machine. '
                            . 'The hypervisor took 0.46 % of the time, /proc/stat reports 0 %.'
                    ]
                }
            },
            qr/^! Neighbours used the other thread of a core for 72 % of the time\.\n(?!!)/m
        ],
        'passes of the same work that differ' => [
            { rates => { json => [ 500, 450, 820, 450 ], execl => [ 1, 9 ] } },
            qr/^! Neighbours or a changing clock: passes of json took up to 1\.8 times as long\.$/m
        ],
        'other processes' =>
            [ { counters => { other => 0.7 } }, qr/^! Other processes of this machine used 0\.70 CPUs\.$/m ],
    );
    for my $lie (sort keys %lies) {
        my ($how, $pattern) = @{ $lies{$lie} };
        like(screen(%$how), $pattern, $lie);
    }
    unlike(screen(), qr/^!/m, 'an honest machine has no verdict');
    my $unclear = 'CPU 0 runs at 3.7 GHz. Whether CPUs 0 and 1 share a core is unclear: a line takes 28 ns.';
    unlike(screen(truth    => { vcpu => [ unclear => $unclear ] }), qr/^!/m, 'an unclear core is no verdict');
    unlike(screen(counters => { other => 0.7 }, rates => { json => [ 500, 820 ] }),
        qr/Neighbours/, 'passes that other processes of the machine disturbed are no sign of neighbours');
};

subtest 'a screen has 25 lines of 80 columns, whatever was found' => sub {
    my $long = 'A program can use less. ' . 'This sentence is long and goes on. ' x 12;
    my $text = screen(
        host     => { release => 'x' x 100, device => '/dev/' . 'y' x 90 },
        truth    => { map { $_ => [ contradicted => $long ] } qw(vcpu cache disk clock) },
        warnings => [ { id => 'quota', text => 'CPU quota: 1 of 2 CPUs', invalid => 1 } ],
        counters => { steal => 0.2, other => 1 },
        skipped  => [ map { { test => $_, why => "it needs $_" } } qw(commit spawn) ],
        without  => [qw(commit spawn)]
    );
    my @lines = split /\n/, $text;
    cmp_ok(scalar @lines, '<=', 25, 'lines');
    is_deeply([ grep { Touchstone::Base::Text::columns($_) > 80 } @lines ], [], 'columns');
    like($text,      qr/^! \d+ more: \S+ check \S+ --format markdown$/m, 'the rest is counted');
    like($lines[-1], qr/not valid$/,                                     'the line to quote is marked');
};

subtest 'a machine that reports nothing' => sub {
    my %none = map { $_ => 'unknown' }
        qw(caches file_system device drive_interface drive_size kernel release machine virtualisation);
    my $text = screen(
        host  => { %none, cpus => [], cores => undef, memory_kb => undef },
        truth => { map { $_ => undef } qw(vcpu cache disk clock) }
    );
    unlike($text, qr/unknown(?! CPU| number)|^Memory  $/m, 'has shorter lines');
    like($text, qr/^CPU     unknown CPU, 2 CPUs/m, 'and a line for its CPUs');
};

subtest 'cloud-init and os-release are read, as far as they can be' => sub {
    require File::Temp;
    my $root = File::Temp->newdir;
    mkdir "$root/$_" for qw(etc run run/cloud-init);
    is_deeply({ Touchstone::Pack::Check::Surroundings::facts("$root") }, {}, 'neither');
    Fake::write_file("$root/etc/os-release", qq{NAME=x\nPRETTY_NAME="Debian GNU/Linux 13 (trixie)"\n});
    Fake::write_file("$root/run/cloud-init/instance-data.json",
        '{"v1":{"cloud_name":"aws","region":"eu-west-1"}}');
    is_deeply({ Touchstone::Pack::Check::Surroundings::facts("$root") },
        { distribution => 'Debian GNU/Linux 13 (trixie)', cloud => 'aws, eu-west-1' }, 'both');
    Fake::write_file("$root/run/cloud-init/instance-data.json", '{"v1":[');
    is({ Touchstone::Pack::Check::Surroundings::facts("$root") }->{cloud}, undef, 'a damaged file');
};

subtest 'two checks: which machine is faster, and for what' => sub {
    my $test =
        sub { my ($name, $verdict, $ratio) = @_; +{ name => $name, verdict => $verdict, ratio => $ratio } };
    my @sentences = Touchstone::Report::Compare::Groups::by_purpose(
        'web1',
        {
            label => 'web2',
            tests => [
                $test->('json',            'faster',       1.3),
                $test->('matrix',          'faster',       1.12),
                $test->('execl',           'inconclusive', 0.7),
                $test->('mem-latency',     'faster',       1.2),
                $test->('mem-bandwidth',   'slower',       0.9),
                $test->('seq-write',       'slower',       0.25),
                $test->('seq-read-cached', 'slower',       0.8)
            ]
        }
    );
    is_deeply(
        \@sentences,
        [
            'web2 is faster for computing (+12 to +30 %)',
            "web1 is faster for the disk (4.00 \xc3\x97) and cached files (+25 %)",
            'faster in some tests and slower in others: memory',
            'no clear difference: the kernel'
        ],
        'each machine with its purposes'
    );
};

subtest 'the machine in few words' => sub {
    my $same = 'A program can use about 25 MB (25 MB to 25 MB) of the reported L3 of 32 MB.';
    my $text = screen(
        truth => { cache          => [ confirmed => $same ] },
        host  => { virtualisation => 'unknown hypervisor' }
    );
    like($text, qr/^Caches .*; 25 MB found$/m,          'a range with equal ends is one figure');
    like($text, qr/, guest of an unknown hypervisor\b/, 'an unknown hypervisor');
};

done_testing;
