#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# The probe of exits: what it says of made-up figures, and its program run by hand.
use 5.014;
use strict;
use warnings;

use Config;
use Test::More;

use lib 't/lib';
use ByHand;
use NoWarnings;
use Passes;

delete @ENV{qw(TS_RESULT TS_COPY TS_READY TS_GATE TS_CPUS TS_SLICES)};

my %GUEST = (hypervisor => 'yes', virtualisation => 'kvm');
my %BARE  = (hypervisor => 'no',  virtualisation => 'none');

sub exits { my (%figures) = @_; return passes({ call => 130, cycle => 0.3125, bypass => 2, %figures }) }

subtest 'a guest whose exits are those of one hypervisor is confirmed, and a nested one is not excluded' =>
    sub {
    my $said = said('Exit', \%GUEST, exits(cpuid => [ 1414, 1400, 1420, 1410, 1500, 1405 ]));
    says('one', 'confirmed',
        qr/\AAn exit to the hypervisor costs 1\.4 \S*s\. A second hypervisor would not be detected/, $said);
    like($said->{sentence}, qr/A system call costs 420 cycles\./, 'the call is in cycles of the chain');
    is(evidence($said, 'cpuid, the least'), "1.4 \xc2\xb5s, 4,500 cycles", 'its evidence');
    };

subtest 'a nested guest is named by two witnesses only' => sub {
    says(
        'slow', 'confirmed',
        qr/through two hypervisors take that long, but nothing else indicates/,
        said('Exit', \%GUEST, exits(cpuid => 18_000))
    );
    says(
        'slow and named',
        'confirmed',
        qr/This is a nested guest: .* 'nested_pvm=1'/,
        said('Exit', { %GUEST, nested => 'nested_pvm=1' }, exits(cpuid => 18_000))
    );
    says(
        'named, with cheap exits',
        'confirmed',
        qr/This may be a nested guest with cheap exits/,
        said('Exit', { %GUEST, nested => 'nested_pvm=1' }, exits(cpuid => 1414))
    );
    says(
        'between', 'confirmed',
        qr/The time of cpuid does not show/,
        said('Exit', \%GUEST, exits(cpuid => 3000))
    );
};

subtest 'bare metal is confirmed when cpuid is quick and nothing names a hypervisor' => sub {
    says(
        'bare', 'confirmed',
        qr/\AThere is no hypervisor: cpuid takes 40 ns\./,
        said('Exit', \%BARE, exits(cpuid => 40))
    );
    says(
        'one witness', 'unclear',
        qr/there is no second source/,
        said('Exit', { hypervisor => 'no' }, exits(cpuid => 40))
    );
    says(
        'slow', 'unclear',
        qr/no hypervisor, but cpuid takes 1\.4 \S*s/,
        said('Exit', \%BARE, exits(cpuid => 1400))
    );
};

subtest 'a hypervisor that hides is found by time and by name' => sub {
    my %hidden = (hypervisor => 'no', virtualisation => 'vmware');
    says(
        'hidden', 'contradicted',
        qr/no hypervisor, but cpuid takes 1\.4 \S*s, and the system reports vmware/,
        said('Exit', \%hidden, exits(cpuid => 1400))
    );
    says(
        'only named', 'unclear',
        qr/reports vmware, and cpuid takes 40 ns/,
        said('Exit', \%hidden, exits(cpuid => 40))
    );
};

subtest 'a quick cpuid in a guest is no exit' => sub {
    says('quick',   'unclear', qr/that is fast for an exit/, said('Exit', \%GUEST, exits(cpuid => 60)));
    says('unclear', 'unclear', qr/that is fast for an exit/, said('Exit', \%GUEST, exits(cpuid => 250)));
};

subtest 'missing facts are no verdict' => sub {
    says('no cpuid', 'unclear', qr/no instruction with which/, said('Exit', {}, exits()));
    says('no flags', 'unclear', qr/does not report whether/,   said('Exit', {}, exits(cpuid => 1400)));
    my $said = said('Exit', \%GUEST, passes({ cpuid => 1400, fault => 600 }));
    unlike($said->{sentence}, qr/cycles/, 'without a cycle nothing is told in cycles');
    is(evidence($said, 'first write to a page, median'), '600 ns', 'but in time');
    ok(said('Exit', \%GUEST, []), 'no pass at all is no accident');
};

subtest 'a counter that is trapped is told' => sub {
    like(said('Exit', \%GUEST, exits(cpuid => 1400, rdtsc => 1300))->{sentence},
        qr/traps to the hypervisor: 1\.3 \S*s/, 'trapped');
    unlike(said('Exit', \%GUEST, exits(cpuid => 1400, rdtsc => 19))->{sentence}, qr/trapped/, 'not trapped');
};

subtest 'protection against speculative store bypass is told as far as it is known' => sub {
    my %said = map {
        $_ =>
            said('Exit', \%GUEST, exits(cpuid => 1400, bypass => $_, open => 131, closed => 139))->{sentence}
    } 0 .. 4;
    unlike($said{0}, qr/bypass/, 'where the kernel may not be asked, nothing');
    like($said{1}, qr/no speculative store bypass/,      'a CPU without it');
    like($said{2}, qr/does not protect/,                 'open');
    like($said{3}, qr/The kernel protects/,              'closed');
    like($said{4}, qr/would add 6 % to a system call\./, 'what it costs');
    my $free = said('Exit', \%GUEST, exits(cpuid => 1400, bypass => 4, open => 131, closed => 130));
    like($free->{sentence}, qr/would add nothing/, 'no cost below nothing');
};

subtest 'vulnerabilities of this CPU have a line each' => sub {
    my %facts = (
        %GUEST,
        'vulnerability mds'        => 'Not affected',
        'vulnerability l1tf'       => 'Not affected',
        'vulnerability spectre_v2' => 'Mitigation: Retpolines'
    );
    my $said = said('Exit', \%facts, exits(cpuid => 1400));
    is(evidence($said, 'vulnerability spectre_v2'), 'Mitigation: Retpolines', 'one that it has');
    is(evidence($said, 'not affected by'),          'l1tf, mds',              'those that it has not');
};

subtest 'the program measures what there is' => sub {
    my @ran = program('truth-exit', 0.2);
    is_result('truth-exit', @ran);
    my $figures = figures_of($ran[1]);
    cmp_ok($figures->{$_} // 0, '>', 0, $_) for qw(call fault);
    like($figures->{bypass}, qr/\A[0-4]\z/, 'a state of the protection');
    cmp_ok($figures->{$_} // 0, '>', 0, $_)
        for $Config::Config{archname} =~ /x86_64/ ? qw(cpuid rdtsc cycle) : ();
    is_usage('truth-exit', program('truth-exit'));
};

# A library that answers in the place of the kernel: a filter of system calls refuses or kills.
subtest 'a kernel that may not be asked for its protection ends nothing' => sub {
    plan skip_all => 'only Linux has this protection' if $^O ne 'linux';
    my %body = (refuses => 'errno = EPERM; return -1;', kills => 'return raise(SIGKILL);');
    for my $what (sort keys %body) {
        my $source = "#include <errno.h>\n#include <signal.h>\nint prctl(int o, ...);\n"
            . "int prctl(int o, ...) { (void)o; $body{$what} }\n";
        open my $out, '>', "$work/$what.c" or die "cannot write: $!\n";
        print {$out} $source;
        close $out or die "cannot write: $!\n";
        my ($status) =
            run(Programs::compiler(), '-shared', '-fPIC', '-o', "$work/$what.so", "$work/$what.c");
    SKIP: {
            skip 'no library can be made', 3 if $status != 0;
            local $ENV{LD_PRELOAD} = "$work/$what.so";
            my @ran = program('truth-exit', 0.1);
            is_result("a filter that $what", @ran);
            is(figures_of($ran[1])->{bypass}, 0, 'and the protection is unknown');
        }
    }
};

done_testing;
