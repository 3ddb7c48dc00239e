#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# The documents and the manual say what the code says: a fact that stands in two places is compared here,
# unless make docs writes the second. Their links lead somewhere, and their commands are understood.
use 5.014;
use strict;
use warnings;

use File::Basename qw(basename);
use File::Find qw(find);
use File::Glob qw(bsd_glob);
use File::Temp ();
use List::Util qw(sum);
use POSIX ();
use Test::More;

use lib 't/lib';
use Fake;
use Tools;
use Touchstone::Cli::Commands;
use Touchstone::Cli::Help;
use Touchstone::Cli::Options;
use Touchstone::Compare::Baseline;
use Touchstone::Machine::Advice;
use Touchstone::Record::Warnings;
use Touchstone::Machine::Command;
use Touchstone::Run::Pass;
use Touchstone::Run::Preamble;
use Touchstone::Score::Disturbance;
use Touchstone::Score::Scaling;
use Touchstone::Stats::Usl;
use Touchstone::Stats;
use Touchstone::Compare::Judgement;
use Touchstone::Machine;
use Touchstone::Suite::UnixBench::Rows;
use Touchstone::Record;
use Touchstone::Report::Forms;
use Touchstone::Base::Figure;
use Touchstone::Run::Plan;
use Touchstone::Suite::Lbt::Field;
use Touchstone::Suite;
use Touchstone;

my $BASE = $Fake::BASE;
require "$BASE/docs/make/make.pl";

my %text     = map { $_ => source($_) } qw(Run Makefile .ci/run), Docs::documents();
my ($manual) = $text{Run} =~ /^__END__\n(.*)/ms;
my $suite    = Touchstone::Suite::load();

sub source {
    my ($file) = @_;
    return Fake::read_file("$BASE/$file");
}

# Returns the files of all modules.
sub modules {
    my @found;
    find({ wanted => sub { push @found, $_ if /\.pm\z/ }, no_chdir => 1 }, "$BASE/lib");
    return sort @found;
}

# A document as one line of words, without the signs of Markdown.
sub plain {
    my ($file) = @_;
    my $text = $text{$file} =~ s/\[([^\]]*)\]\([^)]*\)/$1/gr =~ s/\\([|*])/\0$1/gr;
    return words($text =~ s/\*\*|`|(?<!\0)\|/ /gr =~ s/\0//gr =~ s/\( /(/gr =~ s/ (?=[,.:;)])//gr);
}

# The part of a document below a heading.
sub part {
    my ($file, $heading) = @_;
    my ($part) = $text{$file} =~ /^## \Q$heading\E\n(.*?)(?:^## |\z)/ms;
    return $part // die "$file has no '$heading'\n";
}

# The cells of the rows of all tables in a text.
sub rows {
    my ($text) = @_;
    return map {
        [ map { s/\A +| +\z//gr =~ s/`//gr } split /(?<!\\)\|/, $_ ]
        }
        grep { !/\A[ |-]*\z/ } $text =~ /^\|(.*)\|$/mg;
}

sub words { my ($text) = @_; return $text =~ s/\s+/ /gr }

sub sorted { return join ' ', sort @_ }

# These are "-q, --quiet" or "--classic" for every option of the table.
my @spelled = map { my @names = @$_; @names > 1 ? "-$names[0], --$names[1]" : "--$names[0]" }
    Touchstone::Cli::Options::names();

subtest 'no test limits the time of a whole file' => sub {
    for my $file (bsd_glob("$BASE/t/{*,*/*}/*.t")) {
        unlike(Fake::read_file($file), qr/^(?:Time::HiRes::)?alarm\b/m, $file);
    }
};

subtest 'the manual and help spell every option as the table does, and no other' => sub {
    my %is_shown = map { $_ => 1 }
        map {
        Touchstone::Cli::Help::text(undef, './Run', undef, split / /, $_->{name}) =~
            /^ +((?:-\w, )?--[\w-]+)/mg
        } Touchstone::Cli::Commands::named('measure'), Touchstone::Cli::Commands::all();
    my @help   = keys %is_shown;
    my @manual = map { s/B<([^>]*)>/$1/gr } $manual =~ /^=item ((?:B<-\w>, )?B<--[\w-]+>)/mg;
    is(sorted(@help),   sorted(@spelled), 'help of the commands');
    is(sorted(@manual), sorted(@spelled), 'the manual');
};

subtest 'no document names an option that does not exist' => sub {
    my %known = map { $_ => 1 } map { /--([\w-]+)/ } @spelled;

    # These belong to all commands.
    $known{$_} = 1 for qw(help version);

    # These belong to pgms/net, packaging/get and packaging/release/build.
    $known{$_} = 1 for qw(serve bind port to from version secret bundles replace);

    # This belongs to packaging/bundle/build.
    $known{arch} = 1;

    # And these to fleet/ssh, fleet/slurm and fleet/kubernetes.
    $known{$_} = 1 for qw(confirm most image cpus results);
    for my $document ((map { [ $_ => $text{$_} ] } Docs::documents()), [ manual => $manual ]) {
        my ($name, $text) = @$document;

        # Nor are those ours that stand behind another command.
        my $ours    = $text                      =~ s/docker\s+run\b(?:\s+-[\w-]+(?:[ =][\w\/:=.-]+)?)+//gr;
        my @unknown = grep { !$known{$_} } $ours =~ /(?<![\w-])--([a-z][\w-]*)/g;
        is("@unknown", '', $name);
    }
};

subtest 'the manual names every format of report' => sub {
    my ($said) = words($manual) =~ /=item B<--format> I<FORM> (.*?)\./;
    like($said, qr/\b$_\b/, $_) for Touchstone::Report::Forms::names('run');
};

subtest 'make docs has nothing to do, and every test is explained' => sub {
    is(join("\n", Docs::complaints()), '', 'no complaint');
};

subtest 'the warm-up is as long as the documents say' => sub {
    my %of_pace = map { $_->{pace} => $_ } $suite->tests;
    my @warm    = map {
        Touchstone::Run::Plan::make(schedule => 'default', copies => [1], seed => 1, tests => [$_])
            ->{blocks}[0]{passes}[0]{window}
    } @of_pace{qw(brief fast slow)};
    is("@warm[0 .. 1]", '0.1 0.1', 'of the shorter tests');
    like(plain('docs/running.md'), qr/\($warm[0] s; $warm[2] s for the 0.8 s tests\)/, 'all');
};

subtest 'the documents have every field of the form, and no other' => sub {
    my %said = map { $_->[0] => $_->[1] } rows(part('docs/tests/lbt.md', 'The report form'));
    for my $block (@Touchstone::Suite::Lbt::Field::BLOCKS) {
        my ($title, @fields) = @$block;
        is(sorted(($said{$title} // '') =~ /[a-z][a-z-]+(?=[,:]|\s*\z)/g),
            sorted(map { $_->[0] } @fields), $title);
    }
    like($said{'Test notes'}, qr/^test-notes,/, 'notes');
    is($said{Comments}, 'comments', 'comments');
};

subtest 'the worked example of an index is right' => sub {
    my ($score, $baseline, $index) =
        plain('docs/numbers.md') =~ /is an index of ([\d.]+) \/ ([\d.]+) \xc3\x97 10 = ([\d.]+)\./;
    is(sprintf('%.1f', $score / $baseline * 10), $index, 'score / baseline x 10');
};

subtest 'the documents explain every environment variable that is read, and no other' => sub {
    my @files = (
        modules(),
        bsd_glob("$BASE/src/*.c"),
        bsd_glob("$BASE/src/*/*.c"),
        bsd_glob("$BASE/src/*/*/*.c"),
        bsd_glob("$BASE/pgms/*.sh")
    );
    my %read;
    for my $file (@files) {
        $read{$_} = basename($file)
            for Fake::read_file($file) =~
            /(?:\$ENV\{|getenv\("|channel_descriptor\("|\$\{(?=[A-Z]\w+:-))([A-Z]\w*)/g;
    }

    # Run sets these for tools and does not read them.
    delete @read{qw(TAR_OPTIONS TMPDIR TS_PADDING)};
    like($text{'docs/environment.md'}, qr/\b$_\b/, "$_ of $read{$_}") for sort keys %read;
    my @explained = grep { /\A[A-Z]/ && $_ ne 'Variable' }
        map { split /, /, $_->[0] } rows($text{'docs/environment.md'});
    ok($read{$_}, "$_ is read") for @explained;
};

subtest 'the documents have the exit statuses of signals and programs' => sub {
    my %said = map { $_->[0] => $_->[1] } rows(part('docs/trouble.md', 'Exit status'));
    like($said{ 128 + $_->[1] }, qr/^stopped by $_->[0]\b/, $_->[0])
        for [ SIGHUP => POSIX::SIGHUP() ], [ SIGINT => POSIX::SIGINT() ], [ SIGTERM => POSIX::SIGTERM() ];
    my ($statuses) = source('src/bench.h') =~ /exit: (0 .*?)\./;
    like(plain('docs/programs.md'), qr/Exit status: \Q$statuses\E\./, 'programs');
};

# Each row has a number of the code, the words about it in the documents, and what it is multiplied by there.
my %LIMIT =
    map { $_->{counter} => $_->{limit} } grep { $_->{counter} } @Touchstone::Score::Disturbance::MARKS;
my %SUITE   = %{ Touchstone::Suite::load()->{suites} };
my @NUMBERS = (
    [ $Touchstone::Run::Pass::LIMIT_WINDOWS,        'after %s windows' ],
    [ $Touchstone::Run::Pass::LIMIT_SECONDS,        'windows + %s s' ],
    [ $Touchstone::Run::Pass::LIMIT_COPY,           'plus %s s for each copy beyond the CPUs' ],
    [ $Touchstone::Run::Pass::DISK_WAIT,            'dirty data is left, at most %s s' ],
    [ $Touchstone::Score::Disturbance::LEAST_SHARE, 'less than %s %% of a pass was common', 100 ],
    [ $Touchstone::Machine::MUCH_DIRTY_KB,          'less than %s MB',                      1 / 1024 ],
    [ $Touchstone::Run::Preamble::QUIET_WAIT,       'at most %s s; if it does not become idle' ],
    [ $Touchstone::Run::Preamble::QUIET_WAIT,       'other processes still ran after %s s' ],
    [ $Touchstone::Machine::Advice::MUCH_LOAD,      'load above %s in the last minute' ],
    [ $Touchstone::Machine::Advice::SLOW_CLOCK,     'and %s ns or more' ],
    [ $Touchstone::Machine::CLOCK_SECONDS,          'the program clock in %s s' ],
    [ $LIMIT{other},                                'had %s %% of a CPU',                              100 ],
    [ $LIMIT{steal},                                'steal %s %% of the time',                         100 ],
    [ $LIMIT{throttled},                            'throttled %s %% of the time',                     100 ],
    [ $LIMIT{psi_memory},                           'waited for memory for %s %% of the time',         100 ],
    [ $LIMIT{psi_io},                               'a CPU for %s percentage points of the time more', 100 ],
    [ $LIMIT{psi_cpu},                              'a CPU for %s percentage points of the time more', 100 ],
    [ $Touchstone::Score::Disturbance::OTHER_A_CPU, 'plus %s %% for each usable CPU',                  100 ],
    [ $Touchstone::Score::Disturbance::TICKS,       'each usable CPU, plus %s s' ],
    [ $Touchstone::Base::Figure::FEWEST,            'With fewer than %s passes there is' ],
    [ $Touchstone::Stats::FAR,                      'more than %s standard deviations from the median' ],
    [ $Touchstone::Run::Plan::PRECISION,            'is wider than %s %% of the score', 100 ],
    [ $SUITE{unixbench}{budget},                    'unixbench, modern %s s' ],
    [ $SUITE{byte1984}{budget},                     'bytemark, byte1984 %s s' ],
    [ $Touchstone::Run::Plan::BUDGET_TEST,          'is spent: %s s for each test' ],
    [ $Touchstone::Run::Plan::TURNS,                'at least %s ms per copy sharing a CPU', 1000 ],
    [ $Touchstone::Run::Plan::MOST_TURNS,           'per copy sharing a CPU, up to %s s' ],
    [ $Touchstone::Run::Plan::PATIENCE,             'for at most %s minutes per copy count', 1 / 60 ],
    [ $Touchstone::Compare::Judgement::SENSITIVE,   'allows a slow-down over %s %%',         100 ],
    [ $Touchstone::Suite::UnixBench::Rows::DHRYSTONES_PER_MIPS, 'the score / %s' ],
    [ $Touchstone::Stats::Usl::RESAMPLES,                       'from %s resamples' ],
    [ $Touchstone::Stats::Usl::LEAST_POINTS,                    'needs at least %s counts' ],
    [ $Touchstone::Score::Scaling::LEAST_PASSES,                'a test has fewer than %s, the index' ],
    [ $Touchstone::Record::FORMAT,                              'format %s; records' ],
);

subtest 'the numbers in the documents are those of the code' => sub {
    my $documents = join ' ', map { plain($_) } Docs::documents();
    for my $number (@NUMBERS) {
        my ($value, $phrase, $factor) = @$number;
        my $words = sprintf $phrase, $value * ($factor // 1);
        ok(index($documents, $words) >= 0, $words);
    }
    my %version = map { $_ => 1 } $documents =~ /Version (\d+\.\d+\.\d+)/g;
    is(join(' ', keys %version), $Touchstone::VERSION, 'the version');
};

subtest 'the documents name everything that a record holds' => sub {
    my $fake   = Fake->new;
    my $got    = $fake->run([qw(--quick -c 1 -c 2 pipe hanoi C)], does => { hanoi => 'fail' });
    my $record = $fake->record;
    is($record->{status}, 'complete', 'the fake run came to its end') or diag($got->{err});
    my $explained = part('docs/files.md', 'The record');
    is(
        sorted(map { $_->[0] eq 'Key' ? () : split /, /, $_->[0] } rows($explained =~ s/^### .*//msr)),
        sorted(keys %$record, qw(resumed against again truth campaign)),
        'the keys'
    );
    my %parts = (
        map({ $_ => $record->{$_} } qw(tool host build locale schedule)),
        map({ ("$_, first entry" => $record->{$_}[0]) } qw(tests categories blocks passes failures)),
        'a CPU'     => $record->{host}{cpus}[0],
        'a failure' => $record->{failures}[0],
        record      => $record
    );
    for my $part (sort keys %parts) {
        my @absent = grep { $explained !~ /\b\Q$_\E\b/ } sort keys %{ $parts{$part} };
        is("@absent", '', $part);
    }
};

subtest 'the documents have every warning, marks those that void scores, and no other' => sub {
    my $table = part('docs/trouble.md', 'Warnings');
    my %said  = map { $_->[0] => $_->[1] } grep { $_->[0] ne 'Warning' } rows($table);
    my %known = (%Touchstone::Record::Warnings::KIND, map { $_ => 1 } Touchstone::Machine::Advice::ids());
    is(sorted(keys %said), sorted(keys %known), 'ids');
    my %invalid = map { $_->{id} => 1 } grep { $_->{invalid} } Touchstone::Machine::Advice::before_run(
        copies => [1],
        tests  => [ { space => 1 } ],
        locale => { name => 'C' },
        host   => {
            power          => 'battery',
            debug_kernel   => 'kasan',
            file_system    => 'nfs',
            governor       => 'powersave',
            boost          => 'on',
            load           => 99,
            cpu_quota      => 3,
            usable_cpu_ids => [ 0 .. 3 ]
        }
    );
    is(sorted(grep { $said{$_} } keys %said), sorted(keys %invalid, 'changed', 'reference'), 'marks');
    like(words($table), qr/than the highest copy count/, 'when a quota does');
};

subtest 'the packages of README are those that .ci/run installs' => sub {
    my @commands  = $text{README} =~ /^ +sudo apt-get install -y (.*)$/mg;
    my %packages  = map { $_ => 1 } map { split ' ', s/ +(?:&&|#).*//r } @commands;
    my @installs  = $text{'.ci/run'} =~ /apt-get -qq install -y ((?:[\w\t .+-]|\\\n)+)/g;
    my %installed = map { $_ => 1 } map { split /[\s\\]+/ } @installs;
    is(join(' ', grep { !$installed{$_} } sort(keys %packages, values %Tools::PACKAGE)),
        '', '.ci/run installs every package that they or tests name');
    my ($advice) = source('lib/Touchstone/Run/Preflight.pm') =~ /apt-get install ([\w -]+)/;
    is(join(' ', grep { !$packages{$_} } split ' ', $advice), '', 'Run advises to install no other package');
    like($text{README}, qr/^    make check\b/m, 'README says how to test');
    my $bare = source('.ci/bare');
    my ($last) =
        $text{'.ci/run'} =~ /^(\.ci\/bare .*) \|\| status=\$\?\n.*make check.*\nexit "\$status"\n\z/m;
    is($last, '.ci/bare --root "$scratch/root" --elsewhere "$more"', '.ci/run ends with a minimal system');
    my ($commands) = $bare =~ /^my \@COMMANDS = (.*);$/m;

    for my $commanded (map { join ' ', @$_ } eval $commands) {
        like($text{README}, qr/^    \Q$commanded\E {2,}#/m, "README says '$commanded', which is run there");
    }
    ok(-x "$BASE/Run", './Run can be executed');
};

subtest 'the documents have every target and variable of make, and no other' => sub {
    my ($phony) = $text{Makefile} =~ /^\.PHONY: ((?:.*\\\n)*.*)/m;
    my @cells = map { $_->[0] } rows($text{'docs/building.md'});
    is(sorted(map { /\Amake(?: ([\w-]+))?\z/ ? $1 // 'all' : () } @cells),
        sorted(grep { $_ ne 'FORCE' } split ' ', $phony =~ s/\\\n//gr), 'targets');
    my @makefiles = ($text{Makefile}, map { Fake::read_file($_) } bsd_glob("$BASE/src/*/variants/*.mk"));
    my @variables = map { /^(\w+) \?=/mg } @makefiles;
    my @listed    = map { split /, / } grep { /\A[A-Z_]+(?:, [A-Z]+)*\z/ } @cells;
    is(
        sorted(@listed),
        sorted(
            @variables, qw(BUILD ONLY FLAVOUR FLAGS DOCDIR FC FFLAGS UB_GCC_OPTIONS CFLAGS LDFLAGS DESTDIR)
        ),
        'variables'
    );
    my ($flags) = $text{Makefile} =~ /\$\(UB_GCC_OPTIONS\),\$\(UB_GCC_OPTIONS\),(-.*?) \$\(TUNE\)\)/;
    like(plain('docs/building.md'), qr/UnixBench's: \Q$flags\E, and /, 'default flags');

    for my $tune (source('src/config.pl') =~ /(-m[\w-]+=[\w-]+(?: -m[\w-]+=[\w-]+)?)/g) {
        like(plain('docs/building.md'), qr/\Q$tune\E/, $tune);
    }
};

subtest 'the manual is well-formed' => sub {
    plan skip_all => 'there is no Pod::Checker' if !eval { require Pod::Checker };
    open my $out, '>', \my $complaints or die "cannot open a string: $!\n";
    my $checker = Pod::Checker->new(-warnings => 2);
    $checker->parse_from_file("$BASE/Run", $out);
    is($checker->num_errors + $checker->num_warnings, 0, 'no complaint') or diag($complaints);
};

# Tables, code and HTML have lines as long as they need.
subtest 'the documents have lines of at most 100 columns' => sub {
    for my $file (grep { !/\A[A-Z]+\.md\z/ } Docs::documents()) {
        my @long = grep { length > 100 && !/\A(?:\||    |<|\[|!\[| *- \[)/ } map { decoded($_) } split /\n/,
            $text{$file};
        is(join("\n", @long), '', "$file: no longer line");
    }
};

subtest 'no cell of a table has the blanks of a line that was cut' => sub {
    for my $file (Docs::documents()) {
        my @cut = grep { /\A\|/ && s/`[^`]*`/code/gr =~ /[^\s|] {2,}[^\s|]/ } split /\n/, $text{$file};
        is(join("\n", @cut), '', $file);
    }
};

subtest 'each table begins with its heads, and no empty line cuts it' => sub {
    for my $file (Docs::documents()) {
        my @tables = $text{$file} =~ /((?:^\|.*\n)+)/mg;
        is(join('', grep { !/\A.*\n\|[ |:-]+\n/ } @tables), '', $file);
    }
};

subtest 'every link in the documents leads to a file of ours and to a heading in it' => sub {
    for my $file (Docs::documents()) {
        my ($folder) = $file =~ m{\A(.*/)?};
        for my $link (Links::targets($text{$file})) {
            my ($path, $anchor) = split /#/, $link, 2;
            my $to    = length $path ? resolved(($folder // '') . $path) : $file;
            my $there = -e "$BASE/$to";
            ok($there, "$file: $link") or next;
            next if !defined $anchor || !-T "$BASE/$to" || $to !~ /(?:\.md|README)\z/;
            my %anchor = map { Links::anchor($_->[1]) => 1 } Links::headings(source($to));
            ok($anchor{$anchor}, "$file: $link is a heading");
        }
    }
};

# Texts of the program, its sources and tests name documents, too.
subtest 'what names a document names one that is there, with its heading' => sub {
    my @files = grep { !m{/docs/} } map { glob "'$BASE'/$_" }
        split ' ',
        'Run Makefile .ci/run src/*.[ch] src/*/*.[ch] t/*/*.t t/*/*/*.t t/*/*.pm t/*/*.pl t/*/*.md';
    for my $file (modules(), @files) {
        my $text = Fake::read_file($file);
        my $name = $file =~ s{\A\Q$BASE\E/}{}r;
        for my $link ($text =~ m{\b(docs/(?:tests/)?\w+\.md(?:#[\w-]+)?)}g) {
            my ($path, $anchor) = split /#/, $link;
            ok(-e "$BASE/$path", "$name: $link") or next;
            my %anchor = map { Links::anchor($_->[1]) => 1 } Links::headings(source($path));
            ok($anchor{$anchor}, "$name: $link is a heading") if defined $anchor;
        }
        unlike($text, qr/\bUSAGE\.md\b/, "$name does not name USAGE.md, which is gone")
            if $name ne 't/house/docs.t';
    }
};

# Commands stand in code, as "./Run --quick -c 1"; words in capital letters stand for others. A comment, and
# what the shell does with the command, is left out. `stat` is the test that the documents add.
sub commands {
    my ($text) = @_;
    my @code = ($text =~ /^ {4}(.*)$/mg, $text =~ /`([^`\n]+)`/g);
    return grep { !/[\[\]\$]|\.\.\./ } map { m{\./Run((?: [^ <>|&;)"][^<>|&;)"]*)?)} ? $1 : () }
        map { s/(?: {3,}| +#).*//r } @code;
}

subtest 'every command in the documents is understood, and its tests are known' => sub {
    my $run = 0;
    for my $file (Docs::documents()) {
        for my $command (commands($text{$file})) {
            my @words = $command =~ /'([^']*)'|(\S+)/ ? grep { defined } $command =~ /'([^']*)'|(\S+)/g : ();
            my $want  = eval { Touchstone::Cli::Options::parse(@words) };
            ok($want, "$file: ./Run$command") or diag($@), next;
            $run++;
            my @tests = grep { !/\A[A-Z]{4,}\z/ } @{ $want->{tests} };
            next if !@tests;
            eval {
                $suite->expand(grep { $_ ne 'stat' } @tests);
            };
            is($@, '', "$file: ./Run$command names tests");
        }
    }
    cmp_ok($run, '>', 30, 'commands were found');
};

# A path without what goes up again.
sub resolved {
    my ($path) = @_;
    1 while $path =~ s{[^/]+/\.\./}{};
    return $path;
}

sub decoded { my ($line) = @_; utf8::decode($line); return $line }

subtest 'the report in the documents adds up' => sub {
    my $baseline = Touchstone::Compare::Baseline::load("$BASE/pgms/index.base");
    my %of_title = map { $_->{title} => $_->{name} } $suite->tests;
    my $report   = part('docs/report.md', 'The text report, line by line');
    ok(index($report, "BYTE UNIX Benchmarks (Version $Touchstone::VERSION)") >= 0, 'it is of this version');
    my @parts = split /^ {4}System Benchmarks Index Values/m, $report;
    shift @parts;
    ok(scalar @parts, 'it has an index');
    for my $part (@parts) {
        my @rows = $part =~ /^ *([A-Z][\w() -]+?) +([\d.]+) +([\d.]+) +([\d.]+)$/mg;
        my ($score) = $part =~ /Index Score +([\d.]+)$/m;
        is(scalar @rows, 4 * 12, 'twelve rows');
        my @indexes;
        while (my ($title, $base, $result, $index) = splice @rows, 0, 4) {
            is($base, sprintf('%.1f', $baseline->{ $of_title{$title} // '' } // 0), "the baseline of $title");
            cmp_ok(
                abs($index - $result / $base * 10),
                '<',
                0.06 + $index * 0.05 / $result,
                "the index of $title"
            );
            push @indexes, $index;
        }
        cmp_ok(abs($score - exp(sum(map { log } @indexes) / @indexes)), '<', 0.1, 'the index score')
            if @indexes;
    }
};

subtest 'the example of a test builds, measures and is a whole row' => sub {
    my ($file, $code) = $text{'docs/programs.md'} =~
        m{^A test consists of a C file and a row in a table\. The file `(src/\w+/\w+\.c)`.*?\n\n(.*?^    \}\n)}ms;
    my ($row) = $text{'docs/programs.md'} =~ /^ +(\{ name => .*\}),$/m;
    ok($code && $row, 'there are a file and a row') or return;
    my $name = basename($file, '.c');
    my $test = eval $row;               ## no critic (ProhibitStringyEval)
    is($test->{name},       $name,              'both have one name');
    is(sorted(keys %$test), 'about name title', 'the row has what a row must have');
    my ($make) = grep { Touchstone::Machine::Command::find($_) } qw(gmake make);
    my $cc = length($ENV{CC} // '') ? (split ' ', $ENV{CC})[0] : 'cc';
    plan skip_all => 'there is no make or no compiler' if !$make || !Touchstone::Machine::Command::find($cc);
    my $tree = File::Temp->newdir;
    mkdir "$tree/$_" or die "cannot make '$tree/$_': $!\n" for qw(src src/unixbench);
    Fake::write_file("$tree/Makefile", $text{Makefile});
    Fake::write_file("$tree/$_", source($_)) for map { s{^\Q$BASE\E/}{}r } bsd_glob("$BASE/src/*.{[ch],pl}");
    Fake::write_file("$tree/$file", $code =~ s/^    //mgr);
    delete local @ENV{qw(MAKEFLAGS MAKELEVEL MFLAGS UB_GCC_OPTIONS)};
    my ($status, $said) =
        Touchstone::Machine::Command::output([ $make, '-s', '-C', "$tree", 'CFLAGS=-Werror', "pgms/$name" ],
        errors => 1);
    is("$status $said", '0 ', 'make builds it without a warning') or return;
    ($status, $said) = Touchstone::Machine::Command::output([ "$tree/pgms/$name", '0.05' ], errors => 1);
    is($status, 0, 'it exits with 0');
    like($said, qr/^COUNT\|[1-9]\d*\|1\|lps$/m, 'it has counted');
};

done_testing;
