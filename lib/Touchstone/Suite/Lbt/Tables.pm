# SPDX-License-Identifier: GPL-2.0-or-later
# Suite::Lbt::Tables - what a run says in the manner of the Linux Benchmarking Toolkit: its report form, and
# the parts of its network and X tests. A form is
#
#   { title    => 'LINUX BENCHMARKING TOOLKIT REPORT FORM',
#     blocks   => [ { title => 'CPU', lines => [ [ 'Vendor', 'GenuineIntel', 'cpu-vendor' ], ... ] }, ... ],
#     given    => [ keys of what the user said ],
#     notes    => [ 'a line', ... ],
#     comments => '',
#     results  => [ RESULT, ... ] }
#
# A RESULT has a key, and figures or a reason why there is none:
#
#   { key     => 'kernel',
#     version => '6.1.90',
#     source  => 'tinyconfig, x86_64',
#     figures => [ {
#         copies   => 1,
#         score    => 72.31,
#         interval => [low, high],
#         precision,
#         user     => 65.2,
#         sys      => 6.1 } ] }
#   { key => 'whetstones', figures => [ {...} ], test => 'whetstone-o2' }
#   { key => 'unixbench', figures => [ { ..., without => ['shell8'] } ] }
#   { key => 'bytemark-memory', figures => [ { ..., against => 'AMD K6/233' }, { ..., against => '...' } ] }
#   { key => 'xbench', figures => [], why => 'skipped: x11perf is not installed' }
package Touchstone::Suite::Lbt::Tables;
use 5.014;
use strict;
use warnings;

use List::Util qw(first);

use Touchstone::Base::Figure;
use Touchstone::Base::Text qw(plain plural short);
use Touchstone::Base::Time qw(local_time);
use Touchstone::Base::Untrusted qw(as_hash as_hashes as_list as_number);
use Touchstone::Build;
use Touchstone::Record::Warnings;
use Touchstone::Score::Index;
use Touchstone::Suite::Lbt::Field;
use Touchstone::Suite::Lbt::Options;
use Touchstone::Suite::Lbt::Rows;
use Touchstone::Suite::Published;
use Touchstone::Suite;

my $UNKNOWN = 'unknown';

# The machine that has the index 1 in the toolkit's own example.
my $PENTIUM = 'Dell XPS P90';

# A value of the form has at most so many letters, and what stands in brackets so few.
my ($LONGEST, $BRIEF) = (500, 40);

# A figure of a stranger's record beyond these is no measurement.
my @MEASURED = (1e-15, 1e15);

# Fields that are made of several facts.
my %MADE = (
    'cpu-model'      => \&_models,
    'smp'            => \&_processors,
    'ram-total'      => sub { return _size($_[0]{host}{memory_kb}) },
    'ram-type'       => \&_modules,
    'disk-settings'  => \&_settings,
    'kernel-version' => sub { return _joined(' ', @{ $_[0]{host} }{qw(kernel release)}) },
    'swap-size'      => \&_swap,
    'x-chipset'      => \&_chipset,
    'gcc-version'    => sub { return $_[0]{build}{compiler_version} },
    'gcc-options'    => \&_options,
    'libc-version'   => sub { return $_[0]{build}{libc} },
);

# Older records do not tell: they asked for it when they have most tests of the toolkit.
sub _wants_form {
    my ($facts) = @_;
    return $facts->{form_wanted} if defined $facts->{form_wanted};
    return 1                     if %{ as_hash($facts->{lbt}) };
    my %has     = map { $_->{name} => 1 } @{ $facts->{tests} };
    my @toolkit = @{ Touchstone::Suite::load()->groups->{$Touchstone::Suite::Lbt::Options::GROUP} };
    return 2 * (grep { $has{$_} } @toolkit) > @toolkit ? 1 : 0;
}

# The form of a run.
sub form {
    my ($facts, $results) = @_;
    my $form   = as_hash($facts->{lbt});
    my %values = map { $_ => _known($form->{$_}) } @Touchstone::Suite::Lbt::Field::KEYS;
    my @blocks;
    for my $block (@Touchstone::Suite::Lbt::Field::BLOCKS) {
        my ($title, @fields) = @$block;
        push @blocks, {
            title => $title,
            lines => [
                map {
                    my ($key, $heading, @fact) = @$_;
                    [ $heading, $values{$key} // _found($facts, $key, @fact) // $UNKNOWN, $key ]
                } @fields
            ]
        };
    }
    return {
        title    => 'LINUX BENCHMARKING TOOLKIT REPORT FORM',
        blocks   => \@blocks,
        given    => [ grep { defined $values{$_} } @Touchstone::Suite::Lbt::Field::KEYS ],
        notes    => [ $values{'test-notes'} // (), _notes($facts, $results) ],
        comments => $values{comments} // '',
        results  => [
            _kernel($facts, $results),
            _whetstones($facts, $results),
            _xbench($facts, $results),
            _unixbench($facts, $results),
            map { _bytemark($facts, $results, $_) } qw(integer memory)
        ],
    };
}

sub _found {
    my ($facts, $key, $test, $name) = @_;
    return _known($MADE{$key} ? $MADE{$key}->($facts) : undef) if !defined $test;
    return _known(($test eq 'host' ? $facts->{host} : _equipment($facts, $test))->{$name});
}

# Facts of what tests need, by its kind.
sub _equipment {
    my ($facts, $kind) = @_;
    return as_hash(as_hash($facts->{equipment})->{$kind});
}

# A text that says something, as one line.
sub _known {
    my ($value) = @_;
    return undef if !defined $value || ref $value || $value eq $UNKNOWN || $value !~ /\S/a;
    return short(plain($value), $LONGEST);
}

# The known ones of these texts, joined; undef when none is known.
sub _joined {
    my ($between, @texts) = @_;
    return _known(join $between, grep { defined } map { _known($_) } @texts);
}

sub _models {
    my ($facts) = @_;
    my %seen;
    return _joined(', ', grep { !$seen{$_}++ } map { $_->{model} } @{ $facts->{host}{cpus} });
}

# '8 (1 socket, 4 cores, 8 threads)'
sub _processors {
    my ($facts) = @_;
    my $host    = $facts->{host};
    my @parts   = map {
        my $n = as_number($host->{"${_}s"}, @MEASURED);
        defined $n ? plural($n, $_) : ()
    } qw(socket core thread);
    push @parts, "$host->{usable_cpus} of them usable"
        if ($host->{usable_cpus} // $host->{online_cpus}) != $host->{online_cpus};
    return $host->{online_cpus} . (@parts ? ' (' . join(', ', @parts) . ')' : '');
}

# '31.3 GB', from KB.
sub _size {
    my ($kb) = @_;
    return undef if !defined $kb || $kb !~ /\A\d{1,15}\z/a;
    return $kb < 16 * 2**20 ? sprintf '%.0f MB', $kb / 2**10 : sprintf '%.1f GB', $kb / 2**20;
}

sub _swap {
    my ($facts) = @_;
    my $kb = $facts->{host}{swap_kb} // return undef;
    return $kb eq '0' ? 'none' : _size($kb);
}

# 'DDR4 (2 x 16 GB)'
sub _modules {
    my ($facts) = @_;
    my ($type, $modules) = map { _known($facts->{host}{$_}) } qw(memory_type memory_modules);
    return defined $type && defined $modules ? "$type ($modules)" : $type // $modules;
}

# A server without a video board draws in memory.
sub _chipset {
    my ($facts) = @_;
    my $display = _equipment($facts, 'display');
    return $display->{chipset}
        // ((_known($display->{display}) // '') eq 'xvfb' ? 'none (Xvfb: the processor draws)' : undef);
}

sub _settings {
    my ($facts) = @_;
    my $host = $facts->{host};
    return _joined('; ', _joined(' ', @$host{qw(file_system mount_options)}), $host->{drive_settings});
}

sub _options {
    my ($facts) = @_;
    my $user = _known($facts->{build}{flags_user});
    return _joined('; ', Touchstone::Build::measured_flags($facts->{build}),
        defined $user ? "all: $user" : ());
}

# A reader of the form must know this beside the fields.
sub _notes {
    my ($facts, $results) = @_;
    my ($date, $time)     = local_time($facts->{started}, $facts->{utc_offset});
    my $host  = $facts->{host};
    my @notes = (
        _joined(
            ', ',
            "$facts->{tool}{name} $facts->{tool}{version}",
            "run $facts->{name}",
            "$date $time", "$facts->{schedule}{kind} schedule"
        )
    );
    my @around = map {
        my ($what, $fact) = @$_;
        my $value = _known($host->{$fact}) // 'none';
        $value eq 'none' ? () : "$what ($value)"
    } [ 'in a virtual machine' => 'virtualisation' ], [ 'in a container' => 'container' ];
    push @notes, ucfirst join ', ', @around if @around;
    push @notes, 'Stopped before its end' if ($facts->{status} // '') eq 'stopped';
    push @notes, map { _known("Not valid: $_->{text}") // () }
        grep { $_->{invalid} } @{ Touchstone::Record::Warnings::collect($facts, $results) };
    return @notes;
}

# Results by name of the smallest copy count that has any of these tests, and the count.
sub _measured {
    my ($results, @names) = @_;
    my %wanted = map { $_ => 1 } @names;
    for my $block (_blocks($results)) {
        my %found = map { $_->{name} => $_ } grep { $wanted{ $_->{name} } } @{ $block->{tests} };
        return (\%found, $block->{copies}) if %found;
    }
    return ({}, undef);
}

sub _blocks {
    my ($results) = @_;
    return sort { $a->{copies} <=> $b->{copies} } @{ $results->{blocks} };
}

# The reason why none of these tests has a result, where it is known.
sub _why {
    my ($facts, @names) = @_;
    my %wanted = map { $_ => 1 } @names;
    for my $list ([ failures => 'failed' ], [ skipped => 'skipped' ]) {
        my $entry = first { $wanted{ $_->{test} } } @{ $facts->{ $list->[0] } } or next;
        return why => join '; ',
            "$list->[1]: " . (_known($entry->{why}) // $UNKNOWN), _known($entry->{remedy}) // ();
    }
    return;
}

sub _figure {
    my ($test, %also) = @_;
    return { (map { $_ => $test->{$_} } qw(score interval precision)), %also };
}

# A result of some tests, with the reason where there is no figure.
sub _result {
    my ($facts, $key, $tests, $figures, %more) = @_;
    return { key => $key, figures => $figures, %more, @$figures ? () : _why($facts, @$tests) };
}

# Each copy count has a build of its own, which so many jobs make together.
sub _kernel {
    my ($facts, $results) = @_;
    my $source = _equipment($facts, 'kernel');
    my @figures;
    for my $block (_blocks($results)) {
        my @tests =
            grep { $_->{name} eq 'kernel' && defined as_number($_->{score}, @MEASURED) } @{ $block->{tests} };
        for my $test (@tests) {
            my %cpu = map { $_ => as_number($test->{$_}, @MEASURED) } qw(user sys);
            push @figures, _figure($test, copies => $block->{copies}, %cpu);
        }
    }
    my ($sum) = (_known($source->{sha256}) // '') =~ /\A([0-9a-f]{12})/;
    my @about = (@$source{qw(configuration architecture)}, defined $sum ? "SHA-256 $sum..." : ());
    return _result(
        $facts, 'kernel', ['kernel'], \@figures,
        version => short(_known($source->{version}) // 'unknown version', $BRIEF),
        source  => _joined(', ', @about)
    );
}

sub _whetstones {
    my ($facts, $results) = @_;
    my %flags  = ('whetstone-o2' => 'flags_lbt', 'whetstone-double' => 'flags_unixbench');
    my @names  = reverse sort keys %flags;
    my ($name) = grep { (_measured($results, $_))[1] } @names
        or return _result($facts, 'whetstones', \@names, []);
    my ($test, $copies) = _measured($results, $name);
    my @figures = _figure($test->{$name}, copies => $copies);
    return _result(
        $facts, 'whetstones', \@names, \@figures,
        test  => $name,
        flags => _known($facts->{build}{ $flags{$name} })
    );
}

sub _xbench {
    my ($facts, $results) = @_;
    my ($test,  $copies)  = _measured($results, 'xbench');
    my @figures = map {
        _figure($_, copies => $copies, without => [ map { $_->{name} } _missing($_) ])
    } values %$test;
    return _result($facts, 'xbench', ['xbench'], \@figures);
}

sub _unixbench {
    my ($facts, $results) = @_;
    my @system = @Touchstone::Suite::Lbt::Rows::SYSTEM;
    my ($test, $copies) = _measured($results, @system);
    my %has     = map { $_ => $test->{$_} } grep { $test->{$_} && defined $test->{$_}{index} } @system;
    my @tests   = map { $has{$_} // () } @system or return _result($facts, 'unixbench', \@system, []);
    my %index   = Touchstone::Score::Index::of_tests(undef, @tests);
    my $against = _known($facts->{baseline}) // 'George';
    return _result(
        $facts, 'unixbench', \@system,
        [ _figure(\%index, copies => $copies, without => [ grep { !$has{$_} } @system ]) ],
        $against =~ /\bGeorge\b/ ? () : (against => $against)
    );
}

sub _bytemark {
    my ($facts, $results, $which) = @_;
    my $key        = "bytemark-$which";
    my $definition = first { ($_->{key} // '') eq $key } @{ $facts->{indexes} || [] };
    my @wanted     = as_list($definition->{tests});
    my @figures;
    for my $block (_blocks($results)) {
        my $index   = first { $_->{key} eq $key } @{ $block->{indexes} } or next;
        my %has     = map { $_ => 1 } @{ $index->{tests} };
        my %of      = (copies => $block->{copies}, without => [ grep { !$has{$_} } @wanted ]);
        my $against = _known($index->{reference}) // _reference_of('bytemark');
        my @tests   = grep { $has{ $_->{name} } } @{ $block->{tests} };
        @figures = (_figure($index, %of, against => $against), _against_pentium($facts, \%of, @tests));
        last;
    }
    return _result($facts, $key, \@wanted, \@figures);
}

# The reference of a suite has its index 1, or 10.
sub _reference_of {
    my ($name) = @_;
    return (Touchstone::Suite::load()->{suites}{$name} || {})->{reference} // $UNKNOWN;
}

# The index of the same tests against the toolkit's machine.
sub _against_pentium {
    my ($facts, $test, @tests) = @_;
    my $theirs = Touchstone::Suite::Published::figures($facts, 'bytemark-machines', $PENTIUM);
    my @mine   = map { +{ %$_, baseline => $theirs->{ $_->{name} }, scale => 1 } } @tests;
    return if !@mine || grep { !defined $_->{baseline} } @mine;
    my %index = Touchstone::Score::Index::of_tests(undef, @mine);
    return _figure(\%index, %$test, against => "$PENTIUM, a Pentium 90");
}

# What reports show; nothing for a run without any of it:
#
#   { form => as above,                  where the run asked for it
#     peer => '10.0.0.2:7117',           or 'this machine'
#     net  => [ { copies, throughput => [rows], latency => [rows] } ],
#     x11  => [ { title, copies, parts => [ [name, rate] ], missing => [ { name, why } ] } ] }
sub tables {
    my ($facts, $results) = @_;
    my %mine = map { $_->{name} => 1 } grep { ($_->{suite} // '') eq 'lbt' } @{ $facts->{tests} };
    my $form = _wants_form($facts) ? form($facts, $results) : undef;
    my (@net, @x11);
    for my $block (_blocks($results)) {
        my @tests   = grep { $mine{ $_->{name} } } @{ $block->{tests} };
        my @network = grep { $_->{name} =~ /\Anet-/ } @tests;
        my %kind    = (throughput => [], latency => []);
        push @{ $kind{ $_->{name} =~ /-latency\z/ ? 'latency' : 'throughput' } },
            _network_row($_, $block->{copies})
            for @network;
        push @net, { copies => $block->{copies}, %kind } if @network;
        push @x11, map { _drawing($_, $block->{copies}) } grep { $_->{name} =~ /\A(?:2d-|xbench\z)/ } @tests;
    }
    return if !$form && !@net && !@x11;
    my $peer = _known(_equipment($facts, 'peer')->{address});
    return { form => $form, peer => $peer, net => \@net, x11 => \@x11 };
}

# A figure that the program of a test told beside its count; it may be zero.
sub _published {
    my ($test, $name) = @_;
    my $value = as_hash($test->{figures})->{$name};
    return as_number($value, @MEASURED) // as_number($value, 0, 0);
}

# The score is round trips a second of all copies together, each of which waits for its own.
sub _network_row {
    my ($test, $copies) = @_;
    my $trip   = sub { return $_[0] > 0 ? $copies * 1e6 / $_[0] : undef };
    my @limits = map { $trip->($_) } reverse @{ $test->{interval} || [] };
    return {
        (map { $_ => $test->{$_} } qw(name title score unit interval precision)),
        microseconds          => $trip->($test->{score}),
        microseconds_interval => @limits && !grep({ !defined } @limits) ? \@limits : undef,
        map { $_ => _published($test, $_) } qw(calls reads sender_cpu receiver_cpu lost),
    };
}

sub _drawing {
    my ($test, $copies) = @_;
    my @parts = map { my $rate = _published($test, $_); defined $rate ? [ $_, $rate ] : () }
        sort keys %{ as_hash($test->{figures}) };
    my @missing = _missing($test);
    return @parts || @missing
        ? { title => $test->{title}, copies => $copies, parts => \@parts, missing => \@missing }
        : ();
}

sub _missing {
    my ($test) = @_;
    return map { +{ name => _known($_->{name}), why => _known($_->{why}) // 'for an unknown reason' } }
        grep { defined _known($_->{name}) } as_hashes($test->{missing});
}

1;
