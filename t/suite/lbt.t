# SPDX-License-Identifier: GPL-2.0-or-later
# Lbt: the user's answers for fields of the toolkit's form, the figures that it takes from a run, and the
# tables of the network and X tests.
use 5.014;
use strict;
use warnings;

use Test::More;

use lib 't/lib';
use NoWarnings;
use Forms;
use Scored;
use Touchstone::Base::Text;
use Touchstone::Record::Json;
use Touchstone::Report::Render::Markdown;
use Touchstone::Report::Render::Text;
use Touchstone::Suite::Lbt::Field;
use Touchstone::Suite::Lbt::Options;
use Touchstone::Suite::Lbt::Parts;
use Touchstone::Suite::Lbt::Tables;

my $HOST = Forms::container()->{host};

sub said {
    my (@words) = @_;
    return eval { Touchstone::Suite::Lbt::Field::given(@words) } // $@;
}

# Returns the lines of the results of a run, by key: 'a line | another'.
sub results_of {
    my $json = Touchstone::Record::Json::decode(
        Touchstone::Suite::Lbt::Parts::json(
            Touchstone::Suite::Lbt::Tables::form(Scored::parted(Forms::run($HOST, @_)))
        )
    );
    return { map { $_ => join ' | ', @{ $json->{results}{$_}{text} } } keys %{ $json->{results} } };
}

subtest 'a field is named by its key, by block and heading, or by a heading that is the only one' => sub {
    is_deeply(said("$_=X"), { 'cpu-vendor' => 'X' }, $_)
        for 'cpu-vendor', 'CPU Vendor', 'Cpu-VENDOR', ' cpu  vendor ', 'cpu.vendor:';
    is_deeply(said("$_=133 MHz"), { 'cpu-core-clock' => '133 MHz' }, $_)
        for 'core clock', 'Core-Clock', 'CPU Core clock', 'cpu-core-clock';
    my %is = (
        'Mbd. model'                    => 'motherboard-model',
        'cpu mbd. chipset'              => 'motherboard-chipset',
        'SMP'                           => 'smp',
        'SMP (number of processors)'    => 'smp',
        'Resolution/vert. refresh rate' => 'resolution',
        'Video board Model'             => 'video-model',
        'kernel version'                => 'kernel-version',
        'libc version'                  => 'libc-version',
        'gcc libc version'              => 'libc-version',
        'Test notes'                    => 'test-notes',
        'COMMENTS'                      => 'comments',
        'Driver/Settings'               => 'disk-settings',
        'swap size'                     => 'swap-size',
        'Cache type/speed'              => 'cache-type',
        'X server vendor'               => 'x-vendor',
        'size'                          => 'disk-size'
    );
    is_deeply(said("$_=1"), { $is{$_} => '1' }, $_) for sort keys %is;
    is_deeply(said("$_=1"), { $_      => '1' }, $_) for @Touchstone::Suite::Lbt::Field::KEYS;
};

subtest 'a value is any one line of text' => sub {
    is(said("comments=$_->[0]")->{comments}, $_->[1], "'$_->[1]'")
        for [ 'a = b = c', 'a = b = c' ], [ '  blanks  ', 'blanks' ],
        [ "\xc3\xa9t\xc3\xa9", "\xc3\xa9t\xc3\xa9" ], [ "two\nlines\e[2J", 'two?lines?[2J' ],
        [ '0',                 '0' ],                 [ "\xff",            '?' ];
    is_deeply(said('cpu-vendor=A', 'disk-vendor=B'), { 'cpu-vendor' => 'A', 'disk-vendor' => 'B' },
        'several');
    is_deeply(said(), {}, 'none');
};

subtest 'what is no field or no value is refused, and the message says what is allowed' => sub {
    like(said($_), qr/\A--lbt needs FIELD=VALUE, such as cpu-vendor=Cyrix, not '\Q$_\E'\n\z/, "'$_'")
        for 'cpu-vendor', '', '=', '=x', 'cpu-vendor=', 'cpu-vendor=  ';
    like(
        said('cpu-vendro=X'),
        qr/\Aunknown field of --lbt in 'cpu-vendro=X'\ndid you mean 'cpu-vendor'.*\?\n\z/,
        'the nearest name'
    );
    like(
        said('xyzzyplugh=1'),
        qr/\Aunknown field of --lbt in 'xyzzyplugh=1'\nfields are cpu-vendor, cpu-model, .*, comments\n\z/,
        'nothing is near'
    );
    is(
        said('vendor=X'),
        "--lbt needs one field, and 'vendor' may be cpu-vendor, disk-vendor or video-vendor\n",
        'three have that heading'
    );
    is(said('version=X'), "--lbt needs one field, and 'version' may be kernel-version or gcc-version\n",
        'two have');
    is(said('cpu vendor=A', 'CPU-Vendor=B'),
        "--lbt sets 'cpu-vendor' twice: 'cpu vendor=A' and 'CPU-Vendor=B'\n", 'twice');
    unlike(said("\e[2J=x"), qr/\e/, 'nothing of it reaches the terminal raw');
};

subtest 'the nearest names are those with the fewest wrong letters' => sub {
    my @names = qw(pipe spawn syscall shell1 shell8);
    is(join(' ', Touchstone::Base::Text::nearest('pipa',      @names)), 'pipe',          'a wrong letter');
    is(join(' ', Touchstone::Base::Text::nearest('SPWAN',     @names)), 'spawn',         'two swapped');
    is(join(' ', Touchstone::Base::Text::nearest('shell',     @names)), 'shell1 shell8', 'one left out');
    is(join(' ', Touchstone::Base::Text::nearest('quadratic', @names)), '',              'none is near');
    is(join(' ', Touchstone::Base::Text::nearest('',          @names)), '',              'nothing');
};

subtest 'what the user says wins over what was found, and is named' => sub {
    my $form = Touchstone::Suite::Lbt::Tables::form(
        Forms::run(
            $HOST,
            { 'pipe 1' => 1 },
            lbt => said('cpu-vendor=Cyrix', 'bus clock=66 MHz', 'test notes=cold')
        )
    );
    my %field = map { $_->[2] => $_->[1] } map { @{ $_->{lines} } } @{ $form->{blocks} };
    is(
        "$field{'cpu-vendor'} $field{'bus-clock'} $field{'cpu-model'}",
        'Cyrix 66 MHz Intel(R) Xeon(R) Processor',
        'two of three'
    );
    is("@{ $form->{given} }", 'cpu-vendor bus-clock test-notes', 'they are told apart');
    is($form->{notes}[0],     'cold',                            'notes come before those of the run');
};

subtest 'the time of a compilation is in minutes and whole seconds' => sub {
    my %want = (
        0.52   => '0m01s',
        59.4   => '0m59s',
        59.96  => '1m00s',
        72.31  => '1m12s',
        432    => '7m12s',
        599.5  => '10m00s',
        754.2  => '12m34s',
        36_000 => '600m00s'
    );
    is(Touchstone::Suite::Lbt::Parts::minutes($_), $want{$_}, "$_ s") for sort { $a <=> $b } keys %want;
    is(Touchstone::Suite::Lbt::Parts::minutes(72.31, $_->[0]), $_->[1], $_->[2])
        for [ [ 72.2, 72.4 ], '1m12s', 'whole ones, however sure' ], [ [ 10, 150 ], '1m12s', 'wide' ],
        [ [ 0, 400 ], '1m10s', 'very wide' ];
};

subtest 'what is not there is not called unknown' => sub {
    my $form = sub {
        my (%with) = @_;
        my %host = (%$HOST, %{ delete $with{host} || {} });
        return Touchstone::Suite::Lbt::Parts::text(
            Touchstone::Suite::Lbt::Tables::form(
                Scored::parted(Forms::run(\%host, { 'pipe 1' => 1 }, %with))
            )
        );
    };
    like(
        $form->(),
        qr/^Linux kernel Compilation Time: +not measured/m,
        'a kernel that was not compiled has no version'
    );
    like(
        $form->(equipment => { kernel => { version => '6.1.9' } }),
        qr/^Linux kernel \(6\.1\.9\) Compilation Time: +not measured/m,
        'one that was found has'
    );
    like($form->(host => { swap_kb => 0 }), qr/^Swap size: +none$/m, 'no swap');
    like(
        $form->(equipment => { display => { display => 'xvfb' } }),
        qr/^X server chipset choice: +none \(Xvfb: the processor draws\)$/m,
        'a server without a board'
    );
    like(
        $form->(equipment => { display => { display => ':0' } }),
        qr/^X server chipset choice: +unknown$/m,
        'one that may have a board'
    );
};

subtest 'a compilation is shown for each number of jobs' => sub {
    my $got = results_of({ 'kernel 1' => 100, 'kernel 4' => [ 30, 32 ] },
        equipment => { kernel => { version => '6.1.90', configuration => 'tinyconfig' } });
    is(
        $got->{kernel},
        '1m40s, 1 job (user 90 s, system 10 s; ±0.28 %; tinyconfig) | 0m31s, 4 jobs (user 28 s, system 3 s; no interval; tinyconfig)',
        'two lines'
    );
    is(results_of({ 'pipe 1' => 1 })->{kernel}, 'not measured', 'or one that says it was not');
};

subtest 'Whetstones are those of the build that the toolkit asks for' => sub {
    is(
        results_of({ 'whetstone-o2 1' => 100, 'whetstone-double 1' => 300 })->{whetstones},
        '100.00 MWIPS, ±0.28 %',
        'when there are some'
    );
    is(
        results_of({ 'whetstone-double 1' => 300 })->{whetstones},
        "300.00 MWIPS, ±0.28 % (whetstone-double, built with -O3; not the toolkit's whetstone-o2)",
        'otherwise it says so'
    );
    is(
        results_of({ 'whetstone-o2 2' => [200] })->{whetstones},
        '200.0 MWIPS, no interval, 2 copies',
        'of two copies'
    );
};

subtest 'the index of UnixBench is the geometric mean of nine, of the fewest copies' => sub {
    my %base = (
        execl    => 43,
        fstime   => 3960,
        fsbuffer => 1655,
        fsdisk   => 5800,
        pipe     => 12440,
        context1 => 4000,
        spawn    => 126,
        syscall  => 15000,
        shell8   => 6
    );
    my %nine = map { ("$_ 1" => $base{$_} * ($_ eq 'pipe' ? 512 : 1)) } keys %base;
    is(
        results_of({ %nine, 'pipe 2' => 1e6, 'whetstone-double 1' => 1e6 })->{unixbench},
        '20.000, ±0.08 %',
        'the ninth root of 512 is two'
    );
    delete $nine{'shell8 1'};
    is(
        results_of({ map { ($_ => [ $nine{$_} ]) } keys %nine })->{unixbench},
        '21.8, no interval (partial: without shell8)',
        'one is missing'
    );
    like(
        results_of(\%nine, baseline => 'run-01')->{unixbench},
        qr/ \(against run-01\)\z/,
        'against another run'
    );
    is(results_of({ 'whetstone-double 1' => 1 })->{unixbench}, 'not measured', 'arithmetic is no part of it');
};

subtest 'BYTEmark\'s two indexes and the X score are those of the run' => sub {
    my $got = results_of(
        { 'idea 1' => 220.21 * 2, 'numeric-sort 1' => 118.73 * 8, 'string-sort 1' => [ 14.459 * 3 ] });
    is($got->{'bytemark-integer'}, '4.0000, ±0.18 % (against AMD K6/233)', 'integer');
    is($got->{'bytemark-memory'},
        '3.000, no interval (partial: without bitfield) (against AMD K6/233)', 'memory');
    is(
        results_of({ 'xbench 1' => [97243] })->{xbench},
        '97243 (X score, not xStones), no interval',
        'the X score'
    );
};

subtest 'BYTEmark\'s two indexes are also those against the Pentium of the toolkit\'s example' => sub {
    my %pentium = (machine  => 'Dell XPS P90', idea => 65.382, numeric_sort => 38.993, string_sort => 2.238);
    my %mine    = ('idea 1' => 65.382 * 2, 'numeric-sort 1' => 38.993 * 8, 'string-sort 1' => [ 2.238 * 3 ]);
    my $values  = sub { return results_of(\%mine, published => { 'bytemark-machines' => [@_] }) };
    my $got     = $values->({ machine => 'AMD K6/233', idea => 1 }, \%pentium);
    like(
        $got->{'bytemark-integer'},
        qr/\A1\.\d+, .* \(against AMD K6\/233\) \| 4\.0000, ±0\.18 % \(against Dell XPS P90, a Pentium 90\)\z/,
        'the geometric mean of 2 and 8'
    );
    like(
        $got->{'bytemark-memory'},
        qr/ \| 3\.000, no interval \(partial: without bitfield\) \(against Dell XPS P90, a Pentium 90\)\z/,
        'a partial one'
    );
    unlike($values->($_)->{'bytemark-integer'}, qr/Pentium/, 'but not without its figures')
        for { machine => 'Dell XPS P90', idea => 65 }
    , { machine => 'x' }, 'x', { %pentium, idea => -1 };
};

subtest 'what failed or was skipped says why it was not measured' => sub {
    my $got = results_of(
        { 'pipe 1' => 1 },
        failures => [ { test => 'kernel', copies => 2, why => 'flex is missing' } ],
        skipped  => [ { test => 'xbench', why    => 'no x11perf' }, { test => 'idea', why => 'too old' } ]
    );
    is(
        join(' | ', map { $got->{$_} } qw(kernel xbench bytemark-integer bytemark-memory)),
        'not measured (failed: flex is missing) | not measured (skipped: no x11perf) | not measured (skipped: too old) | not measured',
        'each its own'
    );
};

# Returns the kinds of the parts, with the headings.
sub kinds_of {
    my ($measured, %with) = @_;
    my @parts =
        Touchstone::Suite::Lbt::Parts::parts(Scored::tables(Lbt => Forms::run($HOST, $measured, %with)));
    return join ', ', map { $_->[0] eq 'heading' ? "'$_->[1]'" : $_->[0] } @parts;
}

subtest 'the form stands in reports of runs that asked for it' => sub {
    is(kinds_of({ 'pipe 1' => 1, 'idea 1' => 2 }, form_wanted => 0), '', 'not in others');
    is(
        kinds_of({ 'pipe 1' => 1 }, form_wanted => 1),
        "'Linux Benchmarking Toolkit', points, form",
        'whatever was measured'
    );
    is(
        kinds_of({ 'net-tcp 1' => 1, 'net-tcp-latency 1' => 1 }, form_wanted => 1),
        "'Linux Benchmarking Toolkit', table, table, points, form",
        'behind the tables'
    );
    is(kinds_of({ 'net-tcp 1'      => 1 }, form_wanted => 0), "'Network', table", 'a table comes without it');
    is(kinds_of({ 'whetstone-o2 1' => 1 }, form_wanted => 0), '', 'and no heading without a table');
    is(Touchstone::Suite::Lbt::Options::asked($_->[0])->{form_wanted}, $_->[1], $_->[2])
        for [ { tests => ['net'] }, 0, 'the network does not ask' ],
        [ { tests => [ 'net', 'lbt' ] }, 1, 'the group does' ],
        [ { tests => ['pipe'], lbt => ['smp=2'] }, 1, 'and so does a field' ],
        [ { tests => [ '2d-text', 'kernel' ], lbt => [] }, 0, 'but no single test' ];
};

subtest 'a run that does not say whether it asked for the form did so when it has most of the toolkit' =>
    sub {
    my %nine = map { ("$_ 1" => 1) } @Touchstone::Suite::Lbt::Rows::SYSTEM;
    is(kinds_of({ 'net-tcp 1'             => 1 }), "'Network', table", 'the network alone');
    is(kinds_of({ %nine, 'whetstone-o2 1' => 1 }), '',                 'ten of 24 tests');
    is(
        kinds_of({ %nine, 'whetstone-o2 1' => 1, 'kernel 1' => 1, 'idea 1' => 1, 'numeric-sort 1' => 1 }),
        "'Linux Benchmarking Toolkit', points, form",
        '13 of them'
    );
    is(
        kinds_of({ 'pipe 1' => 1 }, lbt => { smp => '2' }),
        "'Linux Benchmarking Toolkit', points, form",
        'or when it says what the form is to say'
    );
    };

# Returns the tables, as text, of a run whose tests reported these figures.
sub tables_of {
    my ($measured, %figures) = @_;
    my $record = Forms::run($HOST, $measured);
    for my $test (map { @{ $_->{tests} } } @{ $record->{results} }) {
        my $told = $figures{ $test->{name} } or next;
        $test->{$_} = $told->{$_} for keys %$told;
    }
    return Touchstone::Report::Render::Text::render(grep { $_->[0] =~ /\A(?:table|points)\z/ }
            Touchstone::Suite::Lbt::Parts::parts(Scored::tables(Lbt => $record)));
}

subtest 'the table of the network has what both ends told' => sub {
    my $text = tables_of(
        {
            'net-tcp 1'         => 5000,
            'net-tcp-latency 1' => 20000,
            'net-udp-latency 1' => [10000],
            'net-tcp-latency 2' => 30000
        },
        'net-tcp' => { figures => { calls => 655360, reads => 7e5, sender_cpu => 0.614, receiver_cpu => 0 } },
        'net-udp-latency' => { figures => { lost => 3 } }
    );
    like($text, qr/^Network throughput$/m, 'one of throughput');
    like(
        $text,
        qr/^  Test net-tcp +5\.24 GB\/s +±0\.28 % +655360 +700000 +0\.61 s +0\.00 s$/m,
        'calls, reads and CPU time; none is a figure too'
    );
    like(
        $text,
        qr/^  Test net-tcp-latency +20\.0 k +±0\.28 % +50\.0 \S+ +---$/m,
        'a round trip in microseconds'
    );
    like($text, qr/^  Test net-udp-latency +10\.0 k +--- +100 \S+ +3$/m, 'lost datagrams');
    like(
        $text,
        qr/^Network round trips, 2 copies\n\n.*\n  Test net-tcp-latency +30\.0 k +±0\.28 % +66\.7 \S+$/m,
        'each of two copies waits for its own'
    );
};

subtest 'the text says where the other end of the network was' => sub {
    my $said = sub {
        my ($measured, $address) = @_;
        my $record = Forms::run($HOST, $measured,
            equipment => defined $address ? { peer => { address => $address } } : undef);
        my @parts =
            grep { $_->[0] eq 'text' } Touchstone::Suite::Lbt::Parts::parts(Scored::tables(Lbt => $record));
        return Touchstone::Report::Render::Text::render(@parts)
            . Touchstone::Report::Render::Markdown::render(@parts);
    };
    is($said->({ 'net-tcp 1' => 1 }, 'this machine'),
        "TCP and UDP: loopback, to another process of this machine\n" x 2, 'loopback');
    is($said->({ 'net-udp-latency 1' => 1 }, '10.0.0.2:99'), "TCP and UDP: to 10.0.0.2:99\n" x 2, 'a peer');
    is(
        $said->({ 'net-tcp 1' => 1 }, "a\nb\e"),
        "TCP and UDP: to a?b?\n" x 2,
        'what would break a line does not'
    );
    is($said->({ 'net-tcp 1'      => 1 }),                 '', 'a record that does not know says nothing');
    is($said->({ 'whetstone-o2 1' => 1 }, 'this machine'), '', 'nor does one without such a test');
};

subtest 'the table of the X tests has their parts and names what is missing' => sub {
    my $text = tables_of(
        { '2d-rects 1' => 980, 'xbench 1' => 5 },
        '2d-rects' => {
            figures => { rect10 => 7_050_000, rect100 => 0.12345, bad => 'x', worse => -1 },
            missing => [
                { name => 'oddtilerect10', why => 'no such test' },
                { why  => 'no name' },
                'x', { name => 'eschertilerect100' }
            ]
        }
    );
    like($text, qr/^  Test 2d-rects +rect10 +7050000$/m, 'a part');
    like($text, qr/^  Test 2d-rects +rect100 +0\.123$/m, 'a slow one');
    like($text, qr/^  Test 2d-rects +$_ +not done$/m,    "$_ could not be done")
        for qw(oddtilerect10 eschertilerect100);
    like(
        $text,
        qr/^  - Test 2d-rects: without oddtilerect10, the mean of the other 2 of 4: no such test$/m,
        'why, below the table'
    );
    like(
        $text,
        qr/^  - Test 2d-rects: without eschertilerect100, the mean of the other 2 of 4: for an unknown reason$/m,
        'as far as is known'
    );
    unlike($text, qr/bad|worse|Test xbench/, 'what is no figure is left out, and a test without parts');
};

done_testing;
