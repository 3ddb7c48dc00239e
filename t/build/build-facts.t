# SPDX-License-Identifier: GPL-2.0-or-later
# Build: how the programs were built, which programs and tools are measured, and "unknown" if nothing tells.
use 5.014;
use strict;
use warnings;

use Cwd ();
use Digest::SHA qw(sha256_hex);
use File::Temp ();
use Test::More;

use lib 't/lib';
use NoWarnings;
use Example;
use Fake;
use Touchstone::Build;
use Touchstone::Machine::Command;
use Touchstone::Machine::Sysfile;
use Touchstone::Record::Journal;
use Touchstone::Record;
use Touchstone::Suite;

delete @ENV{qw(CC MULTI_SH_WORK_FACTOR)};
my $dir   = File::Temp->newdir;
my $suite = Touchstone::Suite::load();

# Runs the code where only these files exist, and only these commands answer ('sort --version' => 'sort
# 9.1').
sub on_machine {
    my ($has, $code) = @_;
    no warnings 'redefine';
    local *Touchstone::Machine::Sysfile::text = sub { return $has->{ $_[0] } };
    local *Touchstone::Machine::Command::find = sub {
        my ($name) = @_;
        return (grep { /\A\Q$name\E(?: |\z)/ } keys %$has) ? $name =~ m{/} ? $name : "$dir/bin/$name" : undef;
    };
    local *Touchstone::Machine::Command::first_line =
        sub { push @{ $has->{asked} }, "@_"; return $has->{"@_"} };
    return $code->();
}

sub facts_of {
    my ($text) = @_;
    return on_machine({ 'bin/build.facts' => $text }, sub { Touchstone::Build::facts('bin') });
}

# Returns all facts for tests by name; $has->{asked} lists the commands that were run for them.
sub complete_of {
    my ($has, @names) = @_;
    return on_machine($has, sub { Touchstone::Build::complete('bin', $suite->expand(@names)) });
}

subtest 'the build is described by the file that make wrote' => sub {
    is_deeply(
        facts_of("compiler=cc\nflags_unixbench=-O3 -DX=1\ncompiler_version=cc (Debian) 12\nflags_user=\n"),
        {
            compiler         => 'cc',
            flags_unixbench  => '-O3 -DX=1',
            compiler_version => 'cc (Debian) 12',
            flags_user       => ''
        },
        'names and values'
    );
    is_deeply(
        facts_of($_),
        { compiler => 'unknown', compiler_version => 'unknown' },
        'no file, or no facts in it'
    ) for undef, '', "rubbish\n=\n = \n";
    is(Touchstone::Build::facts("$dir/none")->{compiler}, 'unknown', 'no directory');
};

subtest 'the measured compiler is named with its version' => sub {
    my $version = sub {
        my ($cc) = @_;
        return on_machine({ 'gcc-12 --version' => 'gcc-12 12.2.0' },
            sub { Touchstone::Build::measured_compiler($cc) });
    };
    is_deeply($version->('gcc-12'), { command => 'gcc-12', version => 'gcc-12 12.2.0' }, 'one that is there');
    is_deeply($version->('nocc'),   { command => 'nocc',   version => 'unknown' },       'one that is not');
    is(Touchstone::Build::measured_compiler("$dir/none")->{version}, 'unknown', 'one that was never there');
    for my $named ([ undef, 'cc' ], [ '', 'cc' ], [ ' ', 'cc' ], [ 'gcc -m32', 'gcc -m32' ]) {
        local $ENV{CC} = $named->[0];
        delete local $ENV{CC} if !defined $named->[0];
        is(Touchstone::Build::compiler(), $named->[1], "CC is '" . ($named->[0] // 'not set') . "'");
    }
};

subtest 'library, linker and sources are what make wrote' => sub {
    my $facts = complete_of(
        {
            'bin/build.facts'   => "libc=musl 1.2.3\nlinker=GNU ld 2.40\ntools=x\nbinaries=x\n",
            'bin/build.sources' => "0a1b\n"
        },
        'pipe'
    );
    is(
        "$facts->{libc}, $facts->{linker}, $facts->{sources}",
        'musl 1.2.3, GNU ld 2.40, 0a1b',
        'as it stands there'
    );
    is_deeply(
        [ @$facts{qw(tools binaries)} ],
        [ {}, { pipe => 'unknown' } ],
        'no line of that file stands for a table'
    );
    $facts = complete_of({ 'bin/build.sources' => "\n" }, 'pipe');
    is(
        join(' ', map { $facts->{$_} } qw(compiler compiler_version libc linker sources)),
        'unknown ' x 4 . 'unknown',
        'or unknown'
    );
};

subtest 'flags of a suite or of a single program of it are facts of its tests alone' => sub {
    my $text = join '',
        map { "flags_$_=-O\n" } qw(unixbench byte1984 byte1984_pipe84 harness user lmb1997_fortran);
    my $kept = sub {
        my $facts = complete_of({ 'bin/build.facts' => $text }, @_);
        return join ' ', map { s/\Aflags_//r } grep { /\Aflags_/ } sort keys %$facts;
    };
    is($kept->('pipe'),   'harness unixbench user',                'pipe');
    is($kept->('pipe84'), 'byte1984 byte1984_pipe84 harness user', 'pipe84');
};

subtest 'libraries that are linked in are facts of the tests that have them, those that are loaded are not' =>
    sub {
    my $text = "libraries=libzstd libcrypto\nlibraries_platform=libzstd 1.5.4, libcrypto 3.0.22\n";
    my $kept = sub {
        my $facts = complete_of({ 'bin/build.facts' => $text }, @_);
        return join ' ', map { "$_=$facts->{$_}" } grep { /\Alibraries/ } sort keys %$facts;
    };
    is($kept->('zstd-1'), 'libraries_platform=libzstd 1.5.4, libcrypto 3.0.22', 'a compressor');
    is($kept->('pipe'),   '',                                                   'pipe has none');
    };

subtest 'the size of the shortest program is a fact of the suite that shows it' => sub {
    my $text = "least_byte1984=text 1\nleast_byte1984_static=text 2\n";
    my $kept = sub {
        return join ' ', grep { /\Aleast/ } sort keys %{ complete_of({ 'bin/build.facts' => $text }, @_) };
    };
    is($kept->('cc84'), 'least_byte1984 least_byte1984_static', 'a test of 1984');
    is($kept->('pipe'), '',                                     'another');
};

subtest 'each program file is named once with its SHA-256' => sub {
    my %has =
        ('bin/fstime' => "\x7fELF\xff", 'bin/looper' => 'l', 'bin/multi.sh' => 'm', 'bin/tst.sh' => 't');
    is_deeply(
        complete_of({%has}, qw(fstime fsdisk fsbuffer-r))->{binaries},
        { fstime => sha256_hex("\x7fELF\xff") },
        'a program of three tests'
    );
    is_deeply(
        complete_of({%has}, qw(shell1 shell8 dc))->{binaries},
        { map { $_ => sha256_hex($has{"bin/$_"}) } qw(looper multi.sh tst.sh) },
        'the scripts of the shell tests are measured too'
    );
    is_deeply(complete_of({}, 'pipe')->{binaries}, { pipe => 'unknown' }, 'a program that is missing');
    is_deeply(complete_of({})->{binaries},         {},                    'no test');
};

subtest 'each tool that the tests measure is asked once' => sub {
    my %has = (
        '/bin/sh --version' => 'GNU bash, version 5.2',
        map { ("$_ --version" => "$_ 9.1") } qw(sort od grep tee wc rm dc cc)
    );
    is_deeply(complete_of({%has}, 'pipe')->{tools}, {},                 'a test without tools');
    is_deeply(complete_of({%has}, 'dc')->{tools},   { dc => 'dc 9.1' }, 'dc');
    my $all = complete_of(\%has, qw(shell1 shell8 shell16 grep C dc));
    is_deeply($all->{tools},
        { sh => 'GNU bash, version 5.2', map { $_ => "$_ 9.1" } qw(sort od grep tee wc rm dc cc) }, 'all');
    is_deeply(
        [ sort @{ $has{asked} } ],
        [ sort '/bin/sh --version', map { "$_ --version" } qw(sort od grep tee wc rm dc cc) ],
        'no question twice'
    );
    is_deeply($all->{measured_compiler}, { command => 'cc', version => 'cc 9.1' }, 'the measured compiler');
    ok(!exists complete_of({%has}, 'pipe')->{measured_compiler}, 'only when it is measured');
    my %none = %{ complete_of({}, qw(shell1 C dc))->{tools} };
    is_deeply([ values %none ], [ map { 'unknown' } keys %none ], 'tools that are missing');
};

# Makes a tool of the test's own, whose commands may end with `exit N`.
sub make_tool {
    my ($name, $script) = @_;
    Fake::write_file("$dir/tools/$name", "#!/bin/sh\n$script\n");
    chmod 0755, "$dir/tools/$name";
    return;
}

subtest 'a tool that tells no version is known by its file' => sub {
    mkdir "$dir/tools" or die "cannot make '$dir/tools': $!\n";
    make_tool(sort => "echo 'sort: bad option' >&2; exit 2");
    make_tool('busybox',
        '[ $# -eq 0 ] || exit 1; echo "BusyBox v1.36.1 (2023-11-07) multi-call binary."; echo "usage"');
    make_tool(grep => 'exit 0');
    make_tool(tee  => 'while read -r line; do :; done; echo "tee 1 [$LC_ALL]"');
    symlink 'busybox', "$dir/tools/od" or die "cannot link: $!\n";
    symlink 'sort',    "$dir/tools/wc" or die "cannot link: $!\n";
    Fake::write_file("$dir/tools/rm", 'no program');
    local $ENV{PATH} = "$dir/tools";
    my $tools = Touchstone::Build::complete("$dir", $suite->expand('shell1'))->{tools};
    my $place = Cwd::abs_path("$dir/tools");
    my $sort =
        "sort ($place/sort, SHA-256 " . substr(sha256_hex(Fake::read_file("$place/sort")), 0, 12) . ')';
    is("$tools->{sort}, $tools->{wc}", "$sort, $sort", 'its real name, place and a part of its SHA-256');
    like(
        $tools->{grep},
        qr/\Agrep \(\Q$place\E\/grep, SHA-256 [0-9a-f]{12}\)\z/,
        'also one that says nothing'
    );
    is($tools->{od},  'BusyBox v1.36.1 (2023-11-07) multi-call binary.', 'busybox says which it is');
    is($tools->{rm},  'unknown',                                         'a file that cannot be run');
    is($tools->{tee}, 'tee 1 [C]', 'nobody waits for input, and everybody speaks plain English');
    like($tools->{sh}, qr/\d/, "the shell here: $tools->{sh}");
    is_deeply(
        [ Fake::entries("$dir/tools") ],
        [qw(busybox grep od rm sort tee wc)],
        'no tool has written a file'
    );
};

subtest 'a work factor of the shell tests is told unless it is 1' => sub {
    for my $set ([ undef, undef ], [ '', undef ], [ 1, undef ], [ 10, 10 ], [ '01', '01' ], [ 'x', 'x' ]) {
        local $ENV{MULTI_SH_WORK_FACTOR} = $set->[0] // '';
        delete $ENV{MULTI_SH_WORK_FACTOR} if !defined $set->[0];
        is(complete_of({}, 'shell1')->{work_factor}, $set->[1], "'" . ($set->[0] // 'not set') . "'");
    }
};

# The results of a run without passes.
my %NOTHING = (passes => [], blocks => [], published_results => {});

subtest 'a record holds the facts, and older ones without them can be read' => sub {
    my %head = Example::head();
    my $new  = Touchstone::Record::Journal->create(
        "$dir",
        {
            %head,
            build    => Touchstone::Build::complete("$Fake::BASE/pgms", $suite->expand('all')),
            suites   => { unixbench => 1 },
            passport => 'f' x 64
        },
        names => ['new']
    );
    my $read = eval { Touchstone::Record->load($new->finish(\%NOTHING), "$dir") } || { trouble => $@ };
    is_deeply($read, $new->data, 'new') or diag($read->{trouble});
    ok(eval { Touchstone::Record->load("$Fake::BASE/t/golden/record.json", "$dir") }, 'old') or diag($@);
    my %wrong = (binaries => 'x', tools => [], sources => {}, libc => []);
    for my $fact (sort keys %wrong) {
        my $bad = Touchstone::Record::Journal->create(
            "$dir",
            { %head, build => { $fact => $wrong{$fact} } },
            names => ["bad-$fact"]
        );
        ok(!eval { Touchstone::Record->load($bad->finish(\%NOTHING), "$dir") }, "$fact of another kind");
        like($@, qr/'build\/$fact' is missing or wrong/, 'is refused');
    }
    my $bad = Touchstone::Record::Journal->create("$dir", { %head, suites => 1 }, names => ['bad-suites']);
    ok(
        !eval { Touchstone::Record->load($bad->finish(\%NOTHING), "$dir") }
            && $@ =~ /'suites' is missing or wrong/,
        'so are suites'
    );
};

done_testing;
