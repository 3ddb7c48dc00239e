# SPDX-License-Identifier: GPL-2.0-or-later
# The suites: every row is whole, every test has its program, every program its test, and groups and indexes
# are of tests that exist.
use 5.014;
use strict;
use warnings;

use File::Basename qw(basename dirname);
use File::Glob qw(bsd_glob);
use List::Util ();
use Test::More;

use lib 't/lib';
use NoWarnings;
use Programs;
use Touchstone::Compare::Baseline;
use Touchstone::Suite;

my $base  = dirname(dirname(dirname(__FILE__)));
my $suite = Touchstone::Suite::load();
my %row   = map { $_->{name} => $_ } $suite->tests;

# Each line has name, title, seconds and class of the classic schedule.
my @CLASSIC = map { [ split /\|/ ] } grep { length } split /\n/, <<'END';
dhry2reg|Dhrystone 2 using register variables|10|long
whetstone-double|Double-Precision Whetstone|10|long
execl|Execl Throughput|30|short
fstime|File Copy 1024 bufsize 2000 maxblocks|30|short
fsbuffer|File Copy 256 bufsize 500 maxblocks|30|short
fsdisk|File Copy 4096 bufsize 8000 maxblocks|30|short
fstime-w|File Write 1024 bufsize 2000 maxblocks|30|short
fsbuffer-w|File Write 256 bufsize 500 maxblocks|30|short
fsdisk-w|File Write 4096 bufsize 8000 maxblocks|30|short
fstime-r|File Read 1024 bufsize 2000 maxblocks|30|short
fsbuffer-r|File Read 256 bufsize 500 maxblocks|30|short
fsdisk-r|File Read 4096 bufsize 8000 maxblocks|30|short
pipe|Pipe Throughput|10|long
context1|Pipe-based Context Switching|10|long
spawn|Process Creation|30|short
syscall|System Call Overhead|10|long
shell1|Shell Scripts (1 concurrent)|60|short
shell8|Shell Scripts (8 concurrent)|60|short
shell16|Shell Scripts (16 concurrent)|60|short
END

sub names {
    return map { $_->{name} } $suite->expand(@_);
}

sub sorted { return join ' ', sort @_ }

sub repeated {
    my %seen;
    return grep { $seen{$_}++ == 1 } @_;
}

subtest 'every row has what a test needs' => sub {
    my %category = map { $_->[0] => 1 } $suite->categories;
    for my $test ($suite->tests) {
        my $name    = $test->{name};
        my @missing = grep { !length($test->{$_} // '') }
            qw(name title about category class pace seconds program suite);
        is("@missing", '', "$name lacks nothing");
        like($name,          qr/\A[A-Za-z0-9][\w-]*(?:\.[cf])?\z/,    "$name is a word for the command line");
        like($test->{title}, qr/\A(?:2D|[A-Z])[A-Za-z0-9 _():'-]*\z/, "title of $name");
        unlike($test->{about}, qr/[\n\t]|\A\s|\s\z/, "$name is explained in one line");
        ok($category{ $test->{category} }, "category of $name");
        ok(
            $test->{class}        =~ /\A(?:long|short|sure)\z/
                && $test->{pace}  =~ /\A(?:tiny|brief|fast|medium|slow|whole)\z/
                && $test->{index} =~ /\A[01]\z/,
            "class, pace and index of $name"
        );
        ok($test->{seconds} > 0 && $test->{space} =~ /\A\d+\z/ && $test->{place} =~ /\A(?:|same|cross)\z/,
            "seconds, space and place of $name");
        my @places = map { /%\{.*?\}/g } @{ $test->{args} }, keys %{ $test->{needs} };
        is(
            join(
                ' ',
                grep {
                    !/\A%\{(?:seconds|copies|bin|testdir|work|kept|cc|cpu|display|peer|kernel|config|kernel_cc|array|input|bytes|channel|medium|depot|drives|spare)\}\z/
                } @places
            ),
            '',
            "$name asks for nothing unknown"
        );
        ok(scalar(grep { $_ eq '%{seconds}' } @{ $test->{args} }), "$name is told how long to run");
    }
};

subtest 'no name and no title stands for two things' => sub {
    is(join(' ',  repeated(map { $_->{name} } $suite->tests)), '', 'names');
    is(join(', ', repeated(map { ($_->{title}, @{ $_->{also} || [] }) } $suite->tests)),
        '', 'titles, former ones among them');
    is(join(' ',  repeated(keys %row, keys %{ $suite->groups })), '', 'names of tests and groups');
    is(join(', ', repeated(map { $_->[0] } $suite->categories)),  '', 'categories');
};

subtest 'labels of tests are short, and go with a kind that tables are grouped by' => sub {
    my %labels;
    push @{ $labels{ "$_->{suite}: " . Touchstone::Suite::shown($_->{name})->{label} } }, $_->{name}
        for $suite->tests;
    is(join(', ', map { $_->{name} } grep { length($_->{label} // '') > 34 } $suite->tests),
        '', 'no label is longer than 34 letters');
    is(join(', ', map { $_->{name} } grep { !defined $_->{label} != !defined $_->{kind} } $suite->tests),
        '', 'each with a label has a kind');
    is(join(', ', grep { @{ $labels{$_} } > 1 } sort keys %labels), '', 'no label stands for two tests');
};

subtest 'titles, seconds and classes are those of UnixBench' => sub {
    for my $expected (@CLASSIC) {
        my $test = $row{ $expected->[0] } || {};
        is(
            join('|', map { $_ // '' } @$test{qw(name title seconds class)}),
            join('|', @$expected),
            $expected->[0]
        );
        is($test->{category}, 'system', "$expected->[0] is a system benchmark");
    }
    is(
        join(' ', map { "$_ $row{$_}{seconds}" } qw(hanoi C dc grep sysexec)),
        'hanoi 20 C 60 dc 30 grep 30 sysexec 10',
        'the others with seconds of their own'
    );
    is_deeply(
        { map { $_ => $row{$_}{title} } qw(sysexec hanoi C dc grep arithoh short 2d-blit) },
        {
            sysexec   => 'Exec System Call Overhead',
            hanoi     => 'Recursion Test -- Tower of Hanoi',
            C         => 'C Compiler Throughput (gcc)',
            dc        => 'Dc: sqrt(2) to 99 decimal places',
            grep      => "Grep a large file (system's grep)",
            arithoh   => 'Arithoh',
            short     => 'Arithmetic Test (short)',
            '2d-blit' => '2D graphics: images and blits',
        },
        'and their titles'
    );
    is($suite->titles->{ $_->[0] }{name}, $_->[1], "'$_->[0]' is known too")
        for [ 'Arithoh (huh?)', 'arithoh' ], [ 'Graphics 2D Blitting', '2d-blit' ],
        map { [ "C Compiler Throughput$_", 'C' ] } '', ' (cc)', ' (gcc)';
    is(
        join(' ',
            grep { !$row{$_} } qw(register dhry2 dhry2-strict whetstone-strict context1-same context1-cross)),
        '',
        'none is missing'
    );
    is($row{"context1-$_"}{place}, $_, "context1-$_ is placed") for qw(same cross);
    is(
        join(' ',
            grep { $row{$_}{category} ne 'misc' } qw(C dc hanoi grep sysexec context1-same arithoh double)),
        '',
        'misc and arithmetic are no system benchmarks'
    );
};

subtest 'every suite has a version' => sub {
    my %named  = map { $_->{suite} => 1 } $suite->tests;
    my $suites = $suite->suites_of($suite->tests);
    is_deeply([ sort keys %$suites ], [ sort keys %named ], 'those that have tests, and no other');
    like($suites->{$_}{version}, qr/\A[1-9]\d*\z/, $_)             for sort keys %named;
    like($suites->{$_}{budget},  qr/\A[1-9]\d*\z/, "budget of $_") for sort keys %named;
    my %newest;
    for my $test ($suite->tests) { push @{ $newest{ $test->{suite} } }, $test->{version} }
    is($suites->{$_}{version}, List::Util::max(@{ $newest{$_} }), "$_ has the version of its newest test")
        for sort keys %named;
    my %against = map { $_->{suite} => 1 } grep { $_->{baseline} || $_->{index} } $suite->tests;
    is(length($suites->{$_}{reference} // '') ? 1 : 0, $against{$_} // 0, "reference of $_")
        for sort keys %named;
    is(join(' ', sort keys %{ $suite->suites_of($suite->expand('pipe')) }),
        'unixbench', 'of some tests: their own');
};

subtest 'every group has members, each of which is a test or a group and comes once' => sub {
    my $groups = $suite->groups;
    for my $group (sort keys %$groups) {
        is(join(' ', repeated(@{ $groups->{$group} })), '', "none comes twice in $group");
    }
    for my $one (values %{ $suite->{suites} }) {
        for my $group (sort keys %{ $one->{groups} }) {
            ok(scalar @{ $one->{groups}{$group} }, "$group is not empty");
            is(join(' ', grep { !$row{$_} && !$groups->{$_} } @{ $one->{groups}{$group} }),
                '', "every member of $group exists");
        }
    }
    my %of = map { $_->{suite} => 1 } grep { $_->{suite} ne 'unixbench' } $suite->tests;
    is(join(' ', grep { !$groups->{$_} } sort keys %of), '', 'every other suite has a group of its name');
};

subtest 'pages spell out units, those of suites too, and leave others as they are' => sub {
    my %spelled = (
        lps   => 'per second',
        lpm   => 'per minute',
        MWIPS => 'million Whetstone instructions per second',
        Mops  => 'million bytecodes per second',
        ms    => 'ms'
    );
    is(Touchstone::Suite::spoken_unit($_),    $spelled{$_}, $_) for sort keys %spelled;
    is(Touchstone::Suite::spoken_unit(undef), undef,        'no unit is none');
};

subtest 'the names of the article stand for its tests, but where UnixBench has the name' => sub {
    is(join(' ', names($_)),     "${_}84", $_) for qw(scall fcall sieve dwrite dread loop);
    is(join(' ', names('pipe')), 'pipe',   'pipe is UnixBench\'s');
    is(scalar(grep { /84\z/ } names('shell')), 0, 'and so is shell');
};

subtest 'the tests of UnixBench and our own beside them are its suite' => sub {
    is(
        sorted(names('all'), names('own')),
        sorted(map { $_->{name} } grep { $_->{suite} eq 'unixbench' } $suite->tests),
        'each once'
    );
    is(join(' ', grep { $row{$_}{index} || $row{$_}{baseline} } names('own')), '', 'ours have no baseline');
    is(
        join(
            ' ',
            map {
                scalar grep { $_ eq 'register' }
                    names($_)
            } qw(all own)
        ),
        '0 1',
        "register, which UnixBench's Run does not know, is in own alone"
    );
};

subtest 'the index of a suite is of tests that have a baseline' => sub {
    my $score = Touchstone::Compare::Baseline::load("$base/pgms/index.base");
    my @index = grep { $_->{index} } $suite->tests;
    is(join(' ', grep { !$row{$_}{baseline} && !$score->{$_} } map { $_->{name} } @index),
        '', 'each test has one');
    my %group = (system => 'index', graphics => 'graphics');
    for my $category (sort keys %group) {
        is(
            sorted(map { $_->{name} } grep { $_->{category} eq $category } @index),
            sorted(names($group{$category})),
            "the group $group{$category} is the index of its category"
        );
    }
    is(scalar(my @twelve = names('index')), 12, 'the index is of twelve');
    is(
        sorted(map { $_->{name} } grep { $_->{category} eq 'byte1984' } @index),
        'dwrite84 fcall84 loop84 pipe84 scall84 shell84 sieve84',
        'that of 1984 is the seven that all machines of 1984 have'
    );
};

subtest 'whatever is asked for comes once, in the order asked for' => sub {
    is_deeply([ names('pipe') ],                       ['pipe'],              'a test');
    is_deeply([ names('syscall', 'pipe', 'syscall') ], [ 'syscall', 'pipe' ], 'a test twice');
    is_deeply(
        [ names('shell8', 'load', 'shell') ],
        [qw(shell8 shell1 shell16)],
        'a test and groups that hold it'
    );
    is_deeply([ names($_) ], $suite->groups->{$_}, "the group $_") for sort keys %{ $suite->groups };
    is(scalar(my @all = names(keys %{ $suite->groups }, keys %row)), scalar keys %row, 'everything at once');
    is_deeply([ names() ], [], 'nothing');
};

subtest 'an unknown test suggests the nearest names' => sub {
    my %near = (
        pip                => qr/'pipe'/,
        pipes              => qr/'pipe'/,
        DHRY2REG           => qr/'dhry2reg'/,
        dhyr2reg           => qr/'dhry2reg'/,
        sysclal            => qr/'syscall'/,
        'whetstone-doubel' => qr/'whetstone-double'/,
        indx               => qr/'index'/,
        shell2             => qr/'shell1' or 'shell8'|'shell'/,
        systm              => qr/'system'/,
    );
    for my $word (sort keys %near) {
        ok(!eval { $suite->expand('pipe', $word); 1 }, "'$word' is unknown");
        like($@, qr/\Aunknown test '$word'\ndid you mean $near{$word}.*list/s, "'$word' has a neighbour");
    }
    for my $word ('zzzzzzzzzz', 'x' x 100_000, '-x', '%{bin}', '.*', "a\nb") {
        ok(!eval { $suite->expand($word); 1 }, 'a word like no other');
        like($@, qr{\Aunknown test '\Q$word\E'\n(?:did you mean .*\n)?try: ./Run list\n\z}, 'points to list');
    }
    eval { $suite->expand('zzzzzzzzzz') };
    unlike($@, qr/did you mean/, 'what is near to nothing gets no suggestion');
};

# Make builds these programs: one of each source, and the variants.
my %source = (
    (map { basename($_, '.c') => $_ } bsd_glob("$base/src/*/*.c")),
    map { basename($_, '.f90') . '.f' => $_ } bsd_glob("$base/src/*/*.f90")
);
my %script  = map { basename($_) => $_ } bsd_glob("$base/pgms/*.sh");
my %variant = map { $_           => 1 } Programs::variants();

subtest 'every test has its program' => sub {
    ok(%variant && %source, 'sources and variants were found');
    for my $test ($suite->tests) {
        my $program = $test->{program};
        ok($source{$program} || $variant{$program} || $script{$program}, "$test->{name} is run by $program");
        is(join(' ', grep { !$script{$_} } map { m{%\{bin\}/(.+)} } @{ $test->{args} }),
            '', "the scripts of $test->{name} are there");
        my @built =
            grep { !-e "$base/testdir/$_" && !-e "$base/testdir/" . s/\.txt\z/.pl/r } @{ $test->{inputs} };
        is("@built", '', "the inputs of $test->{name} are there or are made");
    }
};

subtest 'every program has its test' => sub {
    my %used = map { $_->{program} => 1 } $suite->tests;
    $used{'count-events'} = 'starts the programs of tests';
    ok($used{$_}, "$_ is a test") for sort keys %source, keys %variant;
    is(join(' ', grep { $source{$_} } sort keys %variant), '', 'no program is made in two ways');
};

subtest 'a header is named by its path below src' => sub {
    my @files = map { bsd_glob("$base/src/$_") } map { ("$_.c", "$_.h") } '*', '*/*', '*/*/*';
    ok(@files > 100, 'the sources are found');
    for my $file (@files) {
        open my $in, '<', $file or die "cannot open '$file': $!\n";
        is(join(' ', grep { !-f "$base/src/$_" } map { /^\s*#\s*include "([^"]*)"/ } <$in>), '', $file);
        close $in;
    }
};

subtest 'the baselines agree with the tests' => sub {
    my $score = Touchstone::Compare::Baseline::load("$base/pgms/index.base");
    is(
        sorted(keys %$score),
        sorted(names(qw(index graphics)), qw(grep sysexec)),
        'they are of the index, the graphics, grep and sysexec'
    );
    open my $in, '<', "$base/pgms/index.base" or die "cannot open the baselines: $!\n";
    for my $line (grep { !/^#/ } <$in>) {
        my ($name, $seconds, $unit, undef, undef, $passes) = split /\|/, $line =~ s/\s+\z//r;
        is($seconds, $row{$name}{seconds},                  "seconds of $name");
        is($passes,  $row{$name}{class} eq 'long' ? 10 : 3, "passes of $name");
    }
    close $in;
};

done_testing;
