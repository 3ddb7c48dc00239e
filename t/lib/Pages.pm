# SPDX-License-Identifier: GPL-2.0-or-later
# Pages - makes a page of every kind from runs with fake programs, golden records and pretended machines, as
# files in a directory.
#
#   my $pages = Pages->new;
#   { name => 'unixbench', file => '/tmp/x/unixbench.html', record => {...} or nothing } for $pages->list
package Pages;
use 5.014;
use strict;
use warnings;

use File::Basename qw(dirname);
use lib dirname(__FILE__);
use Fake;
use Forms;
use Modern;
use Runs;
use Scored;
use Touchstone::Cli::Compare;
use Touchstone::Suite::Lbt::ReportForm;
use Touchstone::Compare::Run;
use Touchstone::Compare;
use Touchstone::Record::Json;
use Touchstone::Record;
use Touchstone::Score;

# These keep the runs from using an X server or kernel source of this machine.
my %ALONE = (DISPLAY => undef, KERNEL_SRC => '/nowhere');

# Rates that differ as on real machines, and a test that fails.
my %UNEVEN = (
    pipe    => 'rates 3064197;3124197;2964197;3064297;3054197;2264197',
    execl   => 'rates 2992;2792;3092;3192;2892;2952',
    syscall => 'rates 1890776;1880776;1990776',
    spawn   => 'exit 3'
);
my %RUNS = (
    unixbench => { words => [qw(--quick -c 1 -c 2 pipe execl syscall spawn hanoi)], does => \%UNEVEN },
    bytemark  => { words => [qw(--quick -c 1 bytemark)] },
    lbt       => { words => [qw(--quick -c 1 lbt)] },
    lmb1997   => { words => [qw(--quick -c 1 lmb1997)] },
    platform  => { words => [qw(--quick -c 1 platform)] },
);

# Starts all runs at once, since most of their time is waiting.
sub new {
    my ($class) = @_;
    my $self    = bless { fake => Fake->new, pages => [] }, $class;
    my %fake    = map { $_ => Fake->new } keys %RUNS;
    my %run     = map {
        $_ =>
            $fake{$_}->start([ @{ $RUNS{$_}{words} }, '--seed', 1 ], does => $RUNS{$_}{does}, env => {%ALONE})
    } sort keys %RUNS;
    for my $name (sort keys %RUNS) {
        my $got = $fake{$name}->wait_for_end($run{$name});
        my ($run) = $fake{$name}->names or die "no run of $name: $got->{err}\n";
        $self->add(
            $name,
            Fake::read_file("$fake{$name}{results}/$run.html"),
            Touchstone::Record::Json::decode(Fake::read_file("$fake{$name}{results}/.runs/$run.json"))
        );
    }
    $self->_add_golden;
    $self->_add_invented;
    $self->_add_form;
    return $self;
}

sub list { my ($self) = @_; return @{ $self->{pages} } }

sub add {
    my ($self, $name, $text, $record) = @_;
    my $file = "$self->{fake}{dir}/$name.html";
    Fake::write_file($file, $text);
    push @{ $self->{pages} }, { name => $name, file => $file, text => $text, record => $record };
    return $self->{pages}[-1];
}

# Renders the page of a record again.
sub report {
    my ($record) = @_;
    return Scored::report('html', $record);
}

sub _add_golden {
    my ($self) = @_;
    for my $name (qw(sure fixed)) {
        my $record = Touchstone::Record->load("$Fake::BASE/t/golden/$name.json", 'nowhere');
        $self->add($name eq 'fixed' ? 'byte1984' : "golden-$name", report($record), $record);
    }
    return;
}

# Returns rates of one more test than the other run has, with differences of all kinds.
sub _rates {
    my ($times) = @_;
    my @names =
        qw(dhry2reg whetstone-double execl fstime fsbuffer fsdisk pipe context1 spawn syscall shell1 shell8);
    return {
        map {
            my $n = $_;
            map {
                ("$_ $names[$n]" =>
                        [ Runs::steady(1000 * ($n + 1) * $_ * ($n % 3 == 1 ? $times : 1), 0.002 * (1 + $n)) ])
            } 1, 4
        } 0 .. $#names
    };
}

sub comparison {
    my (@records) = @_;
    return Touchstone::Cli::Compare::render(
        'html',
        Touchstone::Compare::compare(
            runs => [ map { Scored::run($_) } @records ]
        )
    );
}

# Returns the records of invented runs by their names.
sub records {
    my %line = map {
        my $n = $_;
        map {
            ("$n $_->[0]" =>
                    [ Runs::steady($_->[1] * $n / (1 + 0.08 * ($n - 1) + 0.001 * $n * ($n - 1)), 0.004) ])
        } [ pipe => 1e6 ], [ syscall => 2e6 ], [ spawn => 9e3 ]
    } 1, 2, 4, 8, 16;
    return {
        modern         => Modern::record(scaling => 1, copies => [ 1, 2, 4, 8 ], cpus => 8),
        'modern-other' => Modern::record(
            name   => 'other',
            host   => 'other',
            copies => [ 1, 2 ],
            faster => { latency => 0.7 }
        ),
        old => Runs::record(old => _rates(1), build => { compiler_version => 'gcc 12' }),
        new => Runs::record(
            new   => _rates(1.06),
            build => { compiler_version => 'clang 19' },
            host  => { name             => 'another', release => '6.12' }
        ),
        worse => Runs::record(worse => { %{ _rates(0.91) }, '1 pipe' => [ 1 .. 3 ] }),
        map({ ("vm-$_->[0]" => _build(@$_)) }[ O0 => 1 ], [ O2 => 2.1 ], [ O3 => 2.2 ]),
        scaling => Runs::record(
            scaling        => \%line,
            scaling_wanted => 1,
            host           => { online_cpus => 8, usable_cpus => 8, usable_cpu_ids => [ 0 .. 7 ] }
        )
    };
}

# The record of a build with this flag, by how much faster it is.
sub _build {
    my ($flag, $times) = @_;
    return Runs::record(
        "vm-$flag" => _rates($times),
        duet       => 'x-1',
        set        => { name            => $flag, asked => "-$flag" },
        build      => { flags_unixbench => "-$flag" }
    );
}

sub _add_invented {
    my ($self) = @_;
    my %run = %{ records() };
    $self->add(index => report($run{old}), $run{old});
    $self->add($_    => report($run{$_}),  $run{$_}) for qw(modern scaling);
    my %compared = (
        'modern-comparison' => [qw(modern modern-other)],
        comparison          => [qw(old new)],
        'comparison-three'  => [qw(old new worse)],
        'builds-two'        => [qw(vm-O0 vm-O2)],
        'builds-three'      => [qw(vm-O0 vm-O2 vm-O3)]
    );
    $self->add($_ => comparison(@run{ @{ $compared{$_} } })) for sort keys %compared;
    return;
}

sub _add_form {
    my ($self) = @_;
    $self->add('form', Touchstone::Suite::Lbt::ReportForm::render('html', Forms::desktop()));
    return;
}

# Returns the index of all results, or nothing if there is none yet.
sub browser {
    my ($self) = @_;
    my $fake = $self->{fake};
    mkdir $_ for $fake->{results}, "$fake->{results}/.runs";
    for my $page (grep { $_->{record} } $self->list) {
        Fake::write_file("$fake->{results}/.runs/$page->{name}.json",
            Touchstone::Record::Json::encode({ %{ $page->{record} }, name => $page->{name} }));
    }
    my $got = $fake->run(['browse']);
    return $got->{status} ? undef : $self->add(browser => Fake::read_file("$fake->{results}/index.html"));
}

1;
