#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# Runs of the toolkit's tests with fake programs: what they need besides programs, how they are run, and the
# form at the end.
use 5.014;
use strict;
use warnings;

use File::Temp ();
use Test::More;

use lib 't/lib';
use Stub;
use Touchstone::Base::Symbols;
use Touchstone::Suite::Lbt::KernelSource;

my @QUICK = qw(--quick -c 1);

# Only the existence of the tool counts, since x11 is a fake too.
my $tools = File::Temp->newdir;
symlink $Fake::PROGRAM, "$tools/x11perf" or die "cannot make a fake: $!\n";
my @ALONE = (DISPLAY => undef, KERNEL_SRC => '/nowhere', PATH => "$ENV{PATH}:$tools");

sub commands {
    my ($fake, $test) = @_;
    my %seen;
    return grep { !$seen{$_}++ }
        map { $_->{command} =~ s{.*/bin/}{}r } grep { $_->{test} eq $test } @{ $fake->record->{passes} };
}

sub lines_of {
    my ($got, $pattern) = @_;
    return join "\n", grep { /$pattern/ } split /\n/, $got->{err};
}

subtest 'the X tests are told which server, and run with one copy only' => sub {
    my $fake = Stub->new;
    my $got  = $fake->run([ qw(--quick -c 1 -c 2), 'graphics', 'net-unix' ], env => {@ALONE});
    is($got->{status}, 0, 'exit 0') or diag($got->{err});
    is(
        join(' ', map { $_->{copies} } grep { $_->{test} eq '2d-text' } @{ $fake->record->{passes} }),
        '1 1 1 1 1 1 1',
        'one copy'
    );
    is(
        join(' ', map { $_->{copies} } grep { $_->{test} eq 'net-unix' } @{ $fake->record->{passes} }),
        '1 1 1 1 1 1 1 2 2 2 2 2 2 2',
        'others have both'
    );
    like(
        (commands($fake, '2d-text'))[-1],
        qr/\Ax11 0\.15 xvfb polytext16=369000 rgb24text=2510 caa10text=15300 ca24text=2540\z/,
        'a server of its own, and the four tests'
    );
    like(
        $got->{out},
        qr/^2D Graphics Benchmarks Index Values +BASELINE +RESULT +INDEX\n2D graphics: aa polygons +15\.0 +1000\.0 +666\.7$/m,
        'their table'
    );
    like($got->{out}, qr/^2D Graphics Benchmarks Index Score +666\.7$/m, 'and their index');
    is_deeply(
        $fake->record->{equipment}{display},
        {
            display    => 'xvfb',
            server     => 'The Cheese Foundation',
            version    => 12101007,
            dimensions => '1024x768',
            depth      => 24
        },
        'the record knows the server'
    );
    is($fake->record->{results}[0]{tests}[0]{figures}{aa1trap10}, 5000, 'and the rates of the parts');
};

subtest 'a server is named by --x-display, by DISPLAY or is our own' => sub {
    my $fake = Stub->new;
    $fake->run([ @QUICK, '2d-rects' ], env => { @ALONE, DISPLAY => ':7' });
    like((commands($fake, '2d-rects'))[-1], qr/\Ax11 \S+ :7 /, 'DISPLAY');
    $fake->run([ @QUICK, '--x-display', 'xvfb', '2d-rects' ], env => { @ALONE, DISPLAY => ':7' });
    like((commands($fake, '2d-rects'))[-1], qr/\Ax11 \S+ xvfb /, '--x-display before DISPLAY');
    is($fake->record->{wanted}{'x-display'}, 'xvfb', 'the record has what was said');
};

subtest
    'a server or peer that does not answer fails its tests before anything is measured, and the rest runs' =>
    sub {
    my $fake = Stub->new;
    my $got  = $fake->run(
        [ @QUICK, '2d-rects', 'net-unix' ],
        env  => {@ALONE},
        does => { 'x11 --facts' => q{ERROR|the display ':7' cannot be opened; see xhost} }
    );
    is($got->{status}, 1, 'exit 1');
    is(
        lines_of($got, qr/^# 2d-rects/),
        q{# 2d-rects failed: the display ':7' cannot be opened; see xhost},
        'a sentence and what to do'
    );
    is($fake->record->{failures}[0]{remedy},           'see xhost', 'which is in the record');
    is(scalar @{ $fake->record->{results}[0]{tests} }, 1,           'the other was measured');
    $got = $fake->run(
        [ @QUICK, '2d-rects' ],
        env  => {@ALONE},
        does => { 'x11 --facts' => q{SKIP|'Xvfb' is not installed; install the package xvfb} }
    );
    is(
        lines_of($got, qr/^# 2d-rects/),
        q{# 2d-rects skipped: 'Xvfb' is not installed; install the package xvfb},
        'none here'
    );
    $got = $fake->run(
        [ @QUICK, '--peer', '10.0.0.2', 'net' ],
        env  => {@ALONE},
        does => { 'net --check' => 'ERROR|10.0.0.2 port 7117 does not answer' }
    );
    is($got->{status}, 1, 'a peer: exit 1');
    is(
        lines_of($got, qr/failed/),
        "# net-tcp, net-tcp-latency, net-udp-latency failed: 10.0.0.2 port 7117 does not answer\nRun: net-tcp failed, net-tcp-latency failed, net-udp-latency failed; aborting",
        'one reason is said once'
    );
    is(
        join(' ', sort map { $_->{test} } @{ $fake->record->{failures} }),
        'net-tcp net-tcp-latency net-udp-latency',
        'its three tests fail'
    );
    is(
        join(' ', sort map { $_->{name} } @{ $fake->record->{results}[0]{tests} }),
        'net-unix net-unix-latency',
        'those of this machine do not'
    );
    };

subtest 'the network is that of this machine or goes to the peer' => sub {
    my $fake = Stub->new;
    my $got  = $fake->run([ @QUICK, 'net' ], env => {@ALONE});
    is(
        join(', ', map { commands($fake, $_) } qw(net-tcp net-unix-latency)),
        'net 0.05 tcp, net 0.15 tcp, net 0.05 unix-latency, net 0.15 unix-latency',
        'no peer'
    );
    is($fake->record->{equipment}{peer}{address}, 'this machine', 'in the record');
    like($got->{out}, qr/^TCP and UDP: loopback, to another process of this machine$/m, 'and in the report');
    $got = $fake->run([ @QUICK, '--peer', '10.0.0.2:99', 'net' ], env => {@ALONE});
    is(
        join(', ', map { (commands($fake, $_))[-1] } qw(net-tcp net-udp-latency net-unix)),
        'net 0.15 tcp 10.0.0.2:99, net 0.15 udp-latency 10.0.0.2:99, net 0.15 unix',
        'a peer'
    );
    is($fake->record->{equipment}{peer}{address}, '10.0.0.2:99', 'in the record');
    like(
        $fake->run([ 'report', $fake->record->{name}, '--format', $_ ])->{out},
        qr/TCP and UDP: to 10\.0\.0\.2:99/,
        "and as $_"
    ) for qw(text markdown html);
    my @names = map { s/\.json\z//r } Fake::entries("$fake->{results}/.runs");
    like($fake->run([ 'compare', @names[ 0, 1 ] ])->{out}, qr/peer/, 'and comparisons say that it differs')
        if @names > 1;
};

subtest 'what a test cannot do makes it partial, and its index' => sub {
    my $fake = Stub->new;
    my $got  = $fake->run([ @QUICK, 'graphics' ], env => {@ALONE}, does => { x11 => 'part caa10text' });
    is($got->{status}, 1, 'exit 1: not all that was asked for');
    my $words = 'partial, without caa10text: no such font; the score is the mean of the other 3 of 4';
    like(
        $got->{err},
        qr/^# warning: 2d-text is $words; fonts are in the package xfonts-base$/m,
        'the reason, what is left and what to do'
    );
    like(
        $got->{err},
        qr/^Run: not all was measured: 2d-rects, 2d-ellipse, 2d-aashapes, 2d-text, 2d-blit, 2d-window are $words\n\z/m,
        'the last line says so once, and nothing was aborted'
    );
    my $whole = $got->{out};
    $got = $fake->run(
        [ @QUICK, '2d-text', 'net-unix' ],
        env  => {@ALONE},
        does => { x11 => 'part caa10text', net => 'exit 3' }
    );
    unlike($got->{out}, qr/REPORT FORM/, 'a form is not asked for');
    like(
        $got->{err},
        qr/^Run: net-unix failed; not all was measured: 2d-text is $words; aborting\n\z/m,
        'with a test that failed it was'
    );
    is($got->{status}, 1, 'exit 1, too');
    like($whole, qr/^2D Graphics Benchmarks Partial Index/m,                'the table');
    like($whole, qr/^2D Graphics Benchmarks Index Score \(Partial Only\)/m, 'and the index');
};

subtest 'options that choose nothing and values that cannot be are refused' => sub {
    my $fake = Stub->new;
    my %bad  = (
        '--peer=10.0.0.2 pipe' =>
            qr/--peer has no effect on these tests: it is for the tests of the group net/,
        '--x-display=:0 net'              => qr/--x-display has no effect/,
        '--kernel-config=defconfig net'   => qr/--kernel-config has no effect/,
        '--peer=a_b;c net'                => qr/--peer needs a host .*, not 'a_b;c'/,
        '--peer=-x net'                   => qr/--peer needs/,
        '--kernel-config=mrproper kernel' => qr/--kernel-config needs a target .*, not 'mrproper'/,
        '--lbt=colour=red net'            => qr/--lbt/,
        '--lbt=cpu-vendor net'            => qr/--lbt/,
        '--peer=h:0 net'                  => qr/--peer needs/,
        '--peer=h:65536 net'              => qr/--peer needs/,
        '--x-display=foo x11'             => qr/--x-display needs a display .*, not 'foo'/,
        '--x-display=-:0 x11'             => qr/--x-display needs/,
        'form x --format csv' => qr/--format of the form needs text, markdown, html or json, not 'csv'/,
        'form x pipe'         => qr/form takes RUN only: 'pipe'/
    );
    for my $words (sort keys %bad) {
        my $got = $fake->run([ split ' ', $words ], env => {@ALONE});
        is($got->{status}, 2, "$words: exit 2");
        like($got->{err}, $bad{$words}, $words);
    }
    like(
        $fake->run([qw(--dry-run -c 2 x11)], env => {@ALONE})->{out},
        qr/\Anothing here can be measured with this number of copies$/m,
        'a plan of nothing'
    );
    my $plan = sub { return $fake->run([ qw(--dry-run --quick -c 2), @_ ], env => {@ALONE})->{out} };
    like(
        $plan->('kernel'),
        qr/^2 copies: kernel as long as it takes\n  kernel +1 x as long as it takes$/m,
        'a plan of what takes as long as it takes'
    );
    like(
        $plan->('kernel', 'net-unix'),
        qr/^2 copies: \d+ s, and kernel as long as it takes$/m,
        'and of what does not, too'
    );
    like($plan->('net-unix'), qr/^2 copies: \d+ s$/m, 'which alone has its time');
    like(
        $fake->run([ @QUICK, '2d-text' ], env => { @ALONE, DISPLAY => 'foo' })->{err},
        qr/^# 2d-text failed: DISPLAY is 'foo', which is not a display such as :0; --x-display xvfb measures/m,
        'a DISPLAY that is none'
    );
    my $got = $fake->run([qw(--quick -c 2 2d-rects net-unix)], env => {@ALONE});
    is(
        lines_of($got, qr/^# 2d-rects/),
        '# 2d-rects skipped: it runs with one copy only; add -c 1',
        'two copies of an X server'
    );
};

subtest 'the form ends a run, and can be had from a stored one' => sub {
    my $fake = Stub->new;
    my $got  = $fake->run(
        [
            @QUICK,
            '--lbt',
            'cpu-vendor=Cyrix/IBM',
            qw(whetstone-o2 xbench execl fstime fsbuffer fsdisk pipe context1 spawn shell8 syscall
                bytemark-integer bytemark-memory)
        ],
        env => {@ALONE}
    );
    is($got->{status}, 0, 'exit 0') or diag($got->{err});
    like($got->{out}, qr/^LINUX BENCHMARKING TOOLKIT REPORT FORM\n=+\n/m, 'its heading');
    my ($form) = $got->{out} =~ /^(LINUX BENCHMARKING TOOLKIT REPORT FORM\n.*)/ms;
    like($form, qr/Cyrix\/IBM/,                           'what was said');
    like($form, qr/^BYTEmark $_ INDEX: .*Pentium 90\)$/m, "$_ against the Pentium that is published")
        for qw(integer memory);
    like($form, qr/Whetstones.*38\.\d* ?/, 'the Whetstones');
    my $stored = $fake->run([ 'form', $fake->record->{name} ]);
    is($stored->{status}, 0, 'from the record: exit 0') or diag($stored->{err});
    my $text = Touchstone::Base::Symbols::ascii($stored->{out}) =~ s/\s+\z//r;
    like($form, qr/\A\Q$text\E/, 'the same form');
    like($fake->run([ 'form', $fake->record->{name}, '--lbt', 'CPU Vendor=Intel' ])->{out},
        qr/Intel/, 'with other words');
    my $json = $fake->run([ 'form', $fake->record->{name}, '--format', 'json' ])->{out};
    is(eval { ref JSON::PP::decode_json($json) } // $@, 'HASH', 'as JSON');
    like($fake->run([ 'form', $fake->record->{name}, '--format', 'html' ])->{out},
        qr/<pre>.*Cyrix\/IBM/s, 'as a page');
    is($fake->run([ 'form', 'none-such' ])->{status}, 2, 'a run that is not there');
};

subtest 'the group asks for the form, also when the run is reported later or gone on with' => sub {
    my $fake = Stub->new;
    my $run =
        $fake->start([ @QUICK, 'lbt' ], env => {@ALONE}, does => { net => 'measure,measure,measure,hang' });
    $fake->wait_for_file($run, "$fake->{state}/hanging.0");
    kill INT => $run->{pid};
    my $got = $fake->wait_for_end($run);
    my ($name) = $fake->names;
    $got = $fake->run([ 'resume', $name ], env => {@ALONE});
    like($got->{out}, qr/^LINUX BENCHMARKING TOOLKIT REPORT FORM\n/m, 'gone on with') or diag($got->{err});
    is($fake->record->{form_wanted}, 1, 'the record knows');

    for my $format (qw(text markdown html)) {
        like($fake->run([ 'report', $name, '--format', $format ])->{out},
            qr/LINUX BENCHMARKING TOOLKIT REPORT FORM\n/, $format);
    }
    $fake->run([ @QUICK, 'net-unix' ], env => {@ALONE});
    is($fake->record->{form_wanted}, 0, 'another did not');
};

subtest 'words of the form break no reader of the report' => sub {
    my $fake = Stub->new;
    my $got =
        $fake->run([ @QUICK, '--lbt', 'comments=it does 9 lps and 8 MWIPS on helps', 'net-unix-latency' ],
        env => {@ALONE});
    my ($last) = (grep { /lps|MWIPS / } split /\n/, $got->{out})[-1];
    like($last, qr/\AUnix Socket Latency +90000\.0 lps /, 'the last line with a unit is a result');
    like(
        $fake->run([ 'form', $fake->record->{name} ])->{out},
        qr/^it does 9 lps and 8 MWIPS on helps$/m,
        'the form alone has them as they were said'
    );
};

subtest 'a run is gone on with only when all is there that it began with' => sub {
    my $fake = Stub->new;
    my $peer = $fake->start(
        [ @QUICK, '--peer', '10.0.0.2', qw(net-tcp net-unix) ],
        env  => {@ALONE},
        does => { net => 'measure,measure,measure,hang' }
    );
    $fake->wait_for_file($peer, "$fake->{state}/hanging.0");
    kill KILL => $peer->{pid};
    $fake->wait_for_end($peer);

    # Nobody is left who would end the program that hangs.
    kill KILL => Fake::read_file("$fake->{state}/hanging.0") =~ /(\d+)/;
    my ($name) = map { s/\.jsonl\z//r } grep { /\.jsonl\z/ } Fake::entries("$fake->{results}/.runs");
    my $got = $fake->run(
        [ 'resume', $name ],
        env  => {@ALONE},
        does => { 'net --check' => 'ERROR|nobody answers; start it' }
    );
    is($got->{status}, 1, 'the peer is gone: exit 1');
    like($got->{err},
        qr/^Run: cannot resume '\Q$name\E': net-tcp failed: nobody answers; start it; aborting$/m,
        'and why');
    ok(-e "$fake->{results}/.runs/$name.jsonl", 'the journal stays');
    $got = $fake->run([ 'resume', $name ], env => {@ALONE});
    is($got->{status}, 0, 'it is back: exit 0') or diag($got->{err});
    is(
        join(' ', sort map { $_->{name} } @{ $fake->record->{results}[0]{tests} }),
        'net-tcp net-unix',
        'with all scores'
    );
    like((commands($fake, 'net-tcp'))[-1], qr/10\.0\.0\.2\z/, 'against the same peer');
};

subtest 'against a stored run the form says so, and nothing synthetic is averaged' => sub {
    my $fake = Stub->new;
    $fake->run(
        [ @QUICK, qw(whetstone-o2 xbench bytemark-integer) ],
        env  => {@ALONE},
        does => { x11 => 'part fitext' }
    );
    my $name = $fake->record->{name};
    like(
        $fake->run([ 'form', $name ])->{out},
        qr/^Xbench: .*\(partial:\s+without fitext\)$/m,
        'a part is missing'
    );
    my $got = $fake->run(
        [ @QUICK, '--baseline', $name, '--lbt', 'comments=again', qw(whetstone-o2 xbench bytemark-integer) ],
        env => {@ALONE}
    );
    like(
        $got->{err},
        qr/^# warning: the reference '\Q$name\E' has xbench without fitext/m,
        'a baseline that is not whole'
    );
    like($got->{out}, qr/^BYTEmark integer INDEX: +1\.0+, .*\(against \Q$name\E\)$/m, 'an index against it');
    unlike($got->{out}, qr/^Linux Benchmarking Toolkit .*Index/m, 'and no mean of Whetstones and X score');
};

subtest 'a kernel is one program for all copies, in a directory that stays until the end' => sub {
    my $fake = Stub->new;
    my $tree = "$fake->{dir}/linux";
    system('mkdir', '-p', map { "$tree/arch/$_" } qw(x86 arm arm64 riscv powerpc s390 mips loongarch sparc))
        == 0
        or die "cannot make a tree\n";
    Fake::write_file("$tree/Makefile", "VERSION = 6\nPATCHLEVEL = 1\nSUBLEVEL = 158\n");
    my ($kind, $why) =
        Touchstone::Suite::Lbt::KernelSource::trouble($tree, config => 'tinyconfig', cc => 'cc');
    plan skip_all => "no kernel can be built here: $why" if defined $kind && $why !~ /Makefile/;
    my $got = $fake->run(
        [qw(--quick -c 1 -c 3 kernel)],
        env  => { @ALONE, KERNEL_SRC => $tree },
        does => { kernel             => 'talk' }
    );
    is($got->{status}, 0, 'exit 0') or diag($got->{err});
    my @passes = @{ $fake->record->{passes} };
    is(join(' ', map { "$_->{copies}:" . @{ $_->{counts} } } @passes),
        '1:1 3:1', 'one program whatever the copies');
    like(
        $passes[1]{command},
        qr{/bin/kernel 60 3 \S+/kept-kernel \Q$tree\E tinyconfig cc\z},
        'which is told how many, where, what and by which compiler'
    );
    is($fake->record->{equipment}{kernel}{version}, '6.1.158', 'the record knows the source');
    like($fake->record->{equipment}{kernel}{sha256}, qr/\A[0-9a-f]{64}\z/, 'by its hash');
    is_deeply([ Fake::entries($fake->{tmp}) ], [], 'and nothing is left');
    like(
        $fake->run([ 'form', $fake->record->{name} ])->{out},
        qr/^Linux kernel \(6\.1\.158\) Compilation Time: +7m12/m,
        'the form has it'
    );
    unlike($got->{out}, qr/Compilation Time|Toolkit/, 'which nobody asked for in the report');
    $got = $fake->run([qw(-c 1 kernel)], env => { @ALONE, KERNEL_SRC => $tree });
    is($got->{status},                      0, 'alone in the default schedule: exit 0') or diag($got->{err});
    is(scalar @{ $fake->record->{passes} }, 6, 'six passes');
    like($got->{err}, qr/^# 1 copy: kernel again, pass 6$/m, 'which are told');
    is($fake->run([ 'report', $fake->record->{name}, '--format', 'csv' ])->{status},
        0, 'and its record can be read');
};

is(join('', @Fake::PERL_WARNINGS), '', 'Perl complained of nothing');

done_testing;
