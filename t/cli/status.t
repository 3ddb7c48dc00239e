#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# One kind of error has one exit status, whichever command meets it: docs/trouble.md has the rule.
use 5.014;
use strict;
use warnings;

use POSIX ();
use Test::More;

use lib 't/lib';
use Stub;

my $fake = Stub->new;
my $dir  = $fake->{dir};
my ($good, $campaign) = ('good', "$dir/campaign");
mkdir $_ or die "cannot make '$_': $!\n" for $fake->{results}, "$fake->{results}/.runs", "$dir/empty";
Fake::write_file("$fake->{results}/.runs/$good.json", Fake::read_file("$Fake::BASE/t/golden/record.json"));
Fake::write_file("$dir/text",                         "hello\n");
Fake::write_file("$dir/hosts",                        "web1\n");
Fake::write_file("$dir/bad.json",                     "{}\n");

# Commands that read a run, and what stands in the place of its name.
my @OF_RUN = (
    'report RUN',
    "report $good --baseline RUN",
    '--quick -c 1 --baseline RUN pipe',
    '--quick -c 1 --baseline RUN --again 2 pipe',
    '-c 1 --baseline RUN --fail-on 5% pipe',
    "compare RUN $good",
    "compare $good RUN",
    'resume RUN',
    "place RUN --among $fake->{results}/.runs",
    'form RUN'
);
my @OF_CAMPAIGN = (
    'fleet judge DIR',
    "fleet judge DIR $campaign",
    'fleet judge DIR --format status',
    "fleet collect $dir/text --campaign DIR",
    'fleet turn web1 --campaign DIR',
    'fleet mark web1=over --campaign DIR',
    'fleet confirm DIR',
    "place $good --among DIR"
);

sub refused {
    my ($command, $sentence) = @_;
    my $got = $fake->run([ split ' ', $command ]);
    is("$got->{status} $got->{out}", '2 ', $command =~ s/\Q$dir\E/DIR/gr) or diag($got->{err});
    like($got->{err}, $sentence, 'with the reason');
    return;
}

is($fake->run([ 'fleet', 'plan', "$dir/hosts", '--campaign', $campaign, qw(--quick -c 1 pipe) ])->{status},
    0, 'a campaign is made');

subtest 'a run that is not there, or is none' => sub {
    for my $run (qw(nope NONE/nope TEXT BAD DIR)) {
        my $name = $run =~ s/NONE/$dir/r;
        my %is   = (TEXT => "$dir/text", BAD => "$dir/bad.json", DIR => "$dir/empty");
        $name = $is{$run} // $name;
        for my $command (@OF_RUN) {
            refused($command =~ s/RUN/$name/r,
                qr/^Run: (?:no run '|cannot (?:open|read) '|'\S+ is not a run record)/m);
        }
    }
};

subtest 'a run that cannot be resumed' =>
    sub { refused("resume $good", qr/^Run: cannot resume '.*': this run is complete/) };

subtest 'a campaign that is not there, or is none' => sub {
    for my $place ("$dir/none", "$dir/empty", "$dir/text") {
        refused(s/DIR/$place/r,
            qr/^Run: (?:no campaign in |no records? .*in |cannot (?:open|read) |'\S+ holds neither records |'\S+ is not a run record)/
        ) for @OF_CAMPAIGN;
    }
    Fake::write_file("$dir/empty/campaign.json", '{');
    refused(s/DIR/$dir\/empty/r, qr/^Run: '\S+campaign\.json' is not a manifest of a campaign: /)
        for grep { !/\Aplace/ } @OF_CAMPAIGN;
    unlink "$dir/empty/campaign.json";
};

# What is named otherwise.
my %NAMED = (
    'an unknown option'         => '--nope',
    'an unknown test'           => 'nope',
    'of two runs'               => '--again 2 nope',
    'in a campaign'             => 'fleet once k nope',
    'of the list'               => 'list nope',
    'a value'                   => '-c 0',
    'a form'                    => "report $good --format nope",
    'a form of a comparison'    => "compare $good $good --format csvx",
    'a field'                   => "form $good --lbt nope=1",
    'one word too many'         => "report $good $good",
    'one run too few'           => "compare $good",
    'options that exclude'      => '--quick --classic',
    'a build'                   => 'duet nope nope pipe',
    'a list of hosts'           => "fleet plan $dir/none --campaign $dir/new pipe",
    'a list that is a record'   => "fleet plan $dir/bad.json --campaign $dir/new pipe",
    'a host'                    => "fleet turn web9 --campaign $campaign",
    'a host that is marked'     => "fleet mark web9=over --campaign $campaign",
    'a CPU'                     => '--pin 99999 pipe',
    'the name of a campaign'    => 'fleet once a/b pipe',
    'another campaign in there' => "fleet plan $dir/hosts --campaign $campaign syscall"
);
subtest 'what else cannot be understood or is not there' => sub {
    refused($NAMED{$_}, qr/^Run: /m) for sort keys %NAMED;
};

subtest 'the version is told' => sub {
    my @got = map { $fake->run([$_]) } '-V', '--version';
    is($got[0]{out},    $got[1]{out}, '-V is --version');
    is($got[0]{status}, 0,            'with 0');
};

# Other trouble is 1, and where that would be a verdict, 125.
subtest 'an answer that cannot be written' => sub {
    plan skip_all => 'no /dev/full here' if !-c '/dev/full';
    my %status = (
        "report $good"                               => 1,
        'list'                                       => 1,
        '--version'                                  => 1,
        '--quick -c 1 pipe'                          => 1,
        "compare $good $good"                        => 125,
        "place $good --among $fake->{results}/.runs" => 125,
        "fleet judge $fake->{results}/.runs"         => 125,
        "-c 1 --baseline $good --fail-on 5% hanoi"   => 125,
    );
    for my $command (sort keys %status) {
        my $got = $fake->run([ split ' ', $command ], stdout => '/dev/full');
        is($got->{status}, $status{$command}, $command =~ s/\Q$dir\E/DIR/r);
        like($got->{err}, qr/cannot write to standard output: No space left on device/, 'with the reason');
    }
    is(scalar(grep { /json\z/ } Fake::entries("$fake->{results}/.runs")),
        3, 'the reports are stored all the same');
};

# What a comparison cannot tell is 125; what cannot be measured or written is 1, or 125 for a gate.
# t/run/signals.t has the signals.
subtest 'runs that have nothing in common, a skipped test, and places that cannot be written' => sub {
    my @run  = map { $fake->run([ qw(--quick -c 1), $_ ]); $fake->record->{name} } qw(hanoi pipe);
    my @gate = ('--fail-on', '5%', '--baseline', "$fake->{results}/.runs/$good.json");
    for (
        [ 125, "compare @run" ],
        [ 125, "compare @run --fail-on 5%" ],
        [ 0,   "report $run[0] --baseline $run[1]" ],
        [ 125, "-c 1 --fail-on 5% --baseline $run[0] pipe" ],
        [ 1,   '--quick -c 2 hanoi truth-line' ],
        (map { ([ 1, '-c 1 pipe', $_ ], [ 125, "-c 1 @gate pipe", $_ ]) } qw(UB_RESULTDIR UB_TMPDIR))
    ) {
        my ($status, $words, $place) = @$_;
        my %env = $place ? ($place => "$dir/text/place") : ();
        my $got = $fake->run([ split ' ', $words ], env => \%env);
        is($got->{status}, $status, "$words " . ($place // ''));
        like($got->{err}, qr/^Run: cannot .*; aborting\ntry: .*$place=/m, 'with a remedy') if $place;
    }
};

subtest 'a test that fails' => sub {
    is($fake->run([qw(--quick -c 1 pipe)], does => { pipe => 'exit 3' })->{status}, 1, 'is 1');
    is(
        $fake->run([ qw(-c 1 --fail-on 5% --baseline), $good, 'pipe' ], does => { pipe => 'exit 3' })
            ->{status},
        125,
        'and 125 where 1 would be a verdict'
    );
};

subtest 'nothing of this makes Perl complain' => sub { is_deeply(\@Fake::PERL_WARNINGS, [], 'no warning') };

done_testing;
