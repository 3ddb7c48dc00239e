# SPDX-License-Identifier: GPL-2.0-or-later
# Options: correct and wrong words of the command line.
use 5.014;
use strict;
use warnings;

use Test::More;

use lib 't/lib';
use Fake;
use NoWarnings;
use Screen;
use Touchstone::Cli::Commands;
use Touchstone::Cli::Help;
use Touchstone::Cli::Options;
use Touchstone::Record::Json;
use Touchstone::Report::Forms;
use Touchstone::Suite;

# Each option has its value here and what that must become. A switch has no value.
my %VALUE = (
    iterations      => [ '3',                  3 ],
    copies          => [ '4',                  [4] ],
    seed            => [ '4711',               4711 ],
    pin             => [ '0,2-3',              '0,2-3' ],
    format          => [ 'html',               'html' ],
    price           => [ 'EUR40/h',            [ { amount => 40, unit => 'EUR/h' } ] ],
    precision       => [ '0.5%',               0.005 ],
    budget          => [ '10m',                600 ],
    baseline        => [ 'host-2026-11-21-01', 'host-2026-11-21-01' ],
    peer            => [ '10.0.0.2:7117',      '10.0.0.2:7117' ],
    'x-display'     => [ ':0',                 ':0' ],
    'kernel-config' => [ 'defconfig',          'defconfig' ],
    lbt             => [ 'comments=none',      ['comments=none'] ],
    build           => [ 'o2=-O2',             ['o2=-O2'] ],
    input           => [ 'a file',             'a file' ],
    'hash-size'     => [ '3G',                 3_000_000_000 ],
    channel         => [ 'sockets',            'sockets' ],
    medium          => [ '/mnt/a b',           '/mnt/a b' ],
    depot           => [ 'there',              'there' ],
    among           => [ 'results/.runs',      ['results/.runs'] ],
    'append-to'     => [ 'team.csv',           'team.csv' ],
    stamina         => [ '3600',               3600 ],
    'fail-on'       => [ '5%',                 0.05 ],
    again           => [ '3',                  3 ],
    every           => [ '1h',                 3600 ],
    run             => [ '2',                  2 ],
    as              => [ 'web 1',              'web 1' ],
    label           => [ 'rack=b4',            ['rack=b4'] ],
    campaign        => [ 'campaigns/k68',      'campaigns/k68' ],
    'group-by'      => [ 'rack',               ['rack'] ],
    smallest        => [ '3%',                 0.03 ],
    'allow-missing' => [ '5%',                 0.05 ],
    control         => [ 'ring=old',           'ring=old' ],
    wave            => [ '2/4',                '2/4' ],
    within          => [ '60',                 60 ],
);

# Commands whose options these are, and options that others need.
my %COMMAND = (
    json       => ['list'],
    format     => [qw(report run)],
    concurrent => [qw(duet a b)],
    whole      => [qw(fleet give c)],
    campaign   => [qw(fleet turn web1)],
    within     => [qw(fleet confirm dir)],
    (map { $_ => ['place'] } qw(among append-to)),
    (map { $_ => [qw(fleet once c)] } qw(run as label detach)),
    (map { $_ => [qw(fleet judge dir)] } qw(group-by smallest allow-missing control wave)),
);
my %NEEDS = ('fail-on' => [qw(--baseline x)], every => [qw(--again 3)]);

sub want { return Touchstone::Cli::Options::parse(@_) }

sub trouble {
    my (@words) = @_;
    return eval { want(@words); 1 } ? 'it was taken' : $@;
}

sub spelled { my ($name) = @_; return length $name > 1 ? "--$name" : "-$name" }

subtest 'every option is understood in every spelling' => sub {
    for my $names (Touchstone::Cli::Options::names()) {
        my $long = $names->[-1];
        my ($word, $expected) = @{ $VALUE{$long} || [] };
        for my $name (@$names) {
            my $option = spelled($name);
            my @first  = @{ $COMMAND{$long} || [] };
            my @with   = @{ $NEEDS{$long}   || [] };
            my %forms  = ($option => [$option]);
            %forms = (
                "$option $word" => [ $option, $word ],
                length $name > 1
                ? ("$option=$word" => ["$option=$word"])
                : ("$option$word" => ["$option$word"])
            ) if defined $word;
            for my $form (sort keys %forms) {
                my $got = eval { want(@first, @{ $forms{$form} }, @with) } || {};
                is_deeply($got->{$long}, $expected // 1, $form)            || diag($@);
            }
        }
    }
};

subtest 'what is not asked for is not wanted' => sub {
    my $nothing = want();
    is(delete $nothing->{command}, 'measure', 'without a command it measures');
    is(join(' ', grep { my $v = $nothing->{$_}; defined $v && (!ref $v || @$v) } sort keys %$nothing),
        '', 'no words, no wishes');
    is_deeply(want('pipe')->{tests}, ['pipe'], 'a test is a test');
    ok(!want('-c', 2)->{$_}, "-c does not mean $_")
        for map { $_->{name} } grep { !$_->{many} } Touchstone::Cli::Options::described();
};

subtest 'options may stand before, between and after tests' => sub {
    my $expected = want(qw(-q -c 1 -c 4 -i 3 pipe syscall));
    is_deeply($expected->{tests},  [qw(pipe syscall)], 'tests keep their order');
    is_deeply($expected->{copies}, [ 1, 4 ],           'so do copies');
    for my $line (
        'pipe syscall -q -c 1 -c 4 -i 3',
        '-c1 pipe -qc4 syscall -i3',
        'pipe -c 1 --copies=4 --iterations=3 syscall --quiet',
        '-q -i 3 -c 1 pipe -c 4 -- syscall'
    ) {
        is_deeply(want(split / /, $line), $expected, $line);
    }
    is_deeply(want(qw(-vb pipe)),               want(qw(-v -b pipe)), 'short switches in one word');
    is_deeply(want(qw(-q -v pipe)),             want(qw(-v pipe)),    'of -q and -v the last one counts');
    is_deeply(want(qw(-vqb pipe)),              want(qw(-q -b pipe)), 'also in one word');
    is_deeply(want(qw(pipe -- -q fs))->{tests}, [qw(pipe -q fs)],     'after -- everything is a test');
    is_deeply(
        want('pipe', '', '-')->{tests},
        [ 'pipe', '', '-' ],
        'odd words are left to those who know the tests'
    );
    is_deeply(want(qw(pipe pipe))->{tests}, [qw(pipe pipe)], 'tests may be named twice');
    local $ENV{POSIXLY_CORRECT} = 1;
    open my $other, '-|', $^X, (map { "-I$_" } @INC), '-MTouchstone::Cli::Options', '-e',
        'print Touchstone::Cli::Options::parse(qw(pipe -i 7))->{iterations}'
        or die "cannot run '$^X': $!\n";
    is(scalar(<$other>), 7, 'also where the environment wants options first');
    close $other;
};

subtest 'parsing leaves nothing behind' => sub {
    local @ARGV = qw(-q pipe);
    want(qw(-v syscall));
    is("@ARGV", '-q pipe', 'the words of the process are not touched');
    ok(!want('pipe')->{verbose}, 'a second command line begins anew');
    is_deeply(want('-c', 2)->{copies}, [2], 'also with lists');
    my @words = qw(pipe -c 3 -q);
    want(@words);
    is("@words", 'pipe -c 3 -q', 'the words given are not touched');
};

# Every message quotes option and value, and then says what is allowed.
my $NUMBER = 'a whole number from 1 to';
my @BAD    = (
    (
        map { [ 'c', $_, $NUMBER ], [ 'i', $_, $NUMBER ] }
            qw(0 -1 x 1.5 +1 1e3 0x10 00 01 4q 1000001 99999999999999999999),
        ' 1',
        '1 ',
        "1\n",
        "\x{b2}",
        '4,8'
    ),
    (map { [ 'run',   $_, 'a whole number from 1 to 999' ] } qw(0 1000 x -1 1.5), "1\n"),
    (map { [ 'as',    $_, 'the name of a host' ] } "a\nb",               "a\t", 'x' x 201),
    (map { [ 'label', $_, 'LABEL=VALUE' ] } qw(rack =b4 4=rack ra/ck=1), "rack=\n"),
    (map { [ 'seed',  $_, 'a whole number from 0' ] } qw(-1 x 1.5 1e3 10000000000), "1\n", ' '),
    (
        map { [ 'pin', $_, 'none, spread, pack or a list of CPUs' ] } '0,',
        ',0', '0,5-2', 'spread,pack', '0 1', "0\n", qw(x NONE 0--1 0- -1 0;1 3-1)
    ),
);

my %BAD_OPERAND = (
    'fleet once CAMPAIGN' => [
        'the name of a campaign: letters, digits, - and _',
        'a b', '../a', 'a.b', "a\n", "caf\xc3\xa9", 'x' x 65
    ],
    'report RUN'            => [ 'the name or path of a stored run', '' ],
    'completion SHELL'      => [ 'bash or zsh', 'fish', '' ],
    'fleet mark HOST=STATE' => [ 'HOST=STATE, with the state running, over', 'web1', 'web1=gone', '=over' ],
);

subtest 'a bad operand names the command, the operand and the allowed values' => sub {
    for my $operand (sort keys %BAD_OPERAND) {
        my ($allowed, @values) = @{ $BAD_OPERAND{$operand} };
        my ($command) = $operand =~ /\A(.*) \S+\z/;
        like(trouble(split(/ /, $command), $_),
            qr/\A\Q$command\E needs \Q$allowed\E.*, not '\Q$_\E'\n\z/s, $operand)
            for @values;
    }
    like(
        trouble(qw(report x --format), $_),
        qr/\A--format of a report needs text, .*, not '\Q$_\E'\n\z/s,
        "--format $_"
    ) for qw(pdf TEXT tex), 'text,html', "html\n";
};

subtest 'a bad value names the option, the value and what is allowed' => sub {
    for my $bad (@BAD) {
        my ($name, $value, $allowed) = @$bad;
        my @first = @{ $COMMAND{$name} || [] };
        my $shown = $value =~ s/([^ -~])/sprintf '\x%02x', ord $1/ger;
        like(
            trouble(@first, spelled($name), $value),
            qr/\A-{1,2}\Q$name\E needs (?:one of )?$allowed.*, not '\Q$value\E'\n(?:LABEL [^\n]*\n)?\z/s,
            spelled($name) . " '$shown'"
        );
    }
    like(trouble("--$_=", 'pipe'), qr/\A--?\w[\w-]* needs .*(?:not ''|value: )/, "--$_= has no value")
        for qw(copies iterations seed pin);
    like(
        trouble('--precision', $_),
        qr/\A--precision needs a percentage.*, not '\Q$_\E'\n\z/,
        "--precision $_"
    ) for qw(0 0% 100 -1 x 1%%), '1,5', '', '1 %', '1e1';
    like(trouble('--budget', $_), qr/\A--budget needs a time.*, not '\Q$_\E'\n\z/, "--budget $_")
        for qw(0 0s -1 10d x m 1:30), '', '1 m';
    like(trouble('--hash-size', $_), qr/\A--hash-size needs a size.*, not '\Q$_\E'\n\z/, "--hash-size $_")
        for qw(0 999 1T -1 x 3GG 1e9 10000G), '', '1 G', '3,5G';
    like(
        trouble('--channel', $_),
        qr/\A--channel needs pty, sockets, or two devices.*, not '\Q$_\E'\n\z/,
        "--channel $_"
    ) for split(' ', 'x PTY /dev/a /dev/a, ,/dev/a /dev/a,/dev/b,/dev/c'), '';
    like(trouble("--$_", ''), qr/\A--$_ needs the path of a \w+, not ''\n\z/, "--$_ has a value")
        for qw(input medium depot);
    like(trouble('-c', 1, '-c', 0), qr/\A-c needs .*, not '0'\n\z/, 'the second of several');
};

subtest 'the largest and the smallest values are taken' => sub {
    is_deeply(want('-c', 1, '-c', 1_000_000)->{copies}, [ 1, 1_000_000 ], '-c');
    is(want('-i', $_)->{iterations}, $_, "-i $_") for 1, 1_000_000;
    is(want('--budget', $_->[0])->{budget}, $_->[1], "--budget $_->[0]")
        for [ '90', 90 ], [ '90s', 90 ], [ '1.5m', 90 ], [ '2h', 7200 ];
    is(want('--precision', $_->[0])->{precision}, $_->[1], "--precision $_->[0]")
        for [ '2', 0.02 ], [ '0.25%', 0.0025 ], [ '99.9999%', 0.999999 ];
    is(want('--hash-size', $_->[0])->{'hash-size'}, $_->[1], "--hash-size $_->[0]")
        for [ '1K', 1000 ], [ '1000', 1000 ], [ '100MB', 1e8 ], [ '1.5G', 1.5e9 ], [ '9999G', 9.999e12 ];
    is(want('--seed', $_)->{seed}, $_, "--seed $_") for 0, 999_999_999;
    is(
        Touchstone::Record::Json::encode_line(
            [ want('--seed', '007')->{seed}, want('-i', 3)->{iterations}, want('-c', 2)->{copies} ]
        ),
        '[7, 3, [2]]',
        'numbers are numbers'
    );
    is(want('--pin', $_)->{pin}, $_, "--pin $_") for qw(none spread pack 0 0-0), '5,3,1', '0-1,4-7,99999';
    is(want('report', 'x', '--format', $_)->{format}, $_, "--format $_")
        for Touchstone::Report::Forms::names('run');
};

subtest 'an unknown option is named, and what was meant' => sub {
    for my $word (qw(--nonsense --Quiet --classics -Z -1)) {
        like(trouble('pipe', $word), qr{\Aunknown option '\Q$word\E'\n.*try: ./Run help measure\n\z}s, $word);
    }
    like(trouble('-qZv'),         qr/\Aunknown option '-Z'/,                '-Z among others');
    like(trouble('--nonsense=5'), qr/\Aunknown option '--nonsense(?:=5)?'/, 'with a value');
    my %meant = ('--Quick' => '--quick or --quiet', '--copis=4' => '--copies');
    like(trouble($_), qr{\ndid you mean $meant{$_}\?\ntry: ./Run help measure}, $_) for sort keys %meant;
    unlike(trouble('-Z'), qr/did you mean/, 'a letter is near to nothing');
    is(
        trouble(qw(compare a b -c 2)),
        "unknown option '-c' of compare\n"
            . "it is an option of duet, self-compare, fleet plan, fleet once, place and a line without a command\n"
            . "try: ./Run help compare\n",
        'an option of other commands'
    );
    is(
        trouble(qw(--report x)),
        "unknown option '--report'\nreport is a command, which comes first and has no dashes\n"
            . "try: ./Run help report\n",
        'a command with dashes'
    );
};

subtest 'a command is the first word' => sub {
    is_deeply([ @{ want(qw(report a)) }{qw(command operands tests)} ], [ 'report', ['a'], [] ], 'report');
    is_deeply(
        [ @{ want(qw(duet a b pipe fs -q)) }{qw(command operands tests)} ],
        [ 'duet', [qw(a b)], [qw(pipe fs)] ],
        'operands, then tests'
    );
    is_deeply(
        [ @{ want(qw(fleet once k pipe)) }{qw(command operands tests)} ],
        [ 'fleet once', ['k'], ['pipe'] ],
        'a command of two words'
    );
    is(
        trouble(qw(pipe report)),
        "unknown test 'report'\nreport is a command, which comes first\ntry: ./Run help report\n",
        'later it is not a command'
    );
    is(
        trouble(qw(campare a b)),
        "unknown test 'campare'\ndid you mean the command compare?\ntry: ./Run help\n",
        'a mistyped one'
    );
    like(
        trouble('fleet'),
        qr/\Afleet needs a command\ncommands: plan, turn, .* give\ntry: .* help fleet\n\z/,
        'fleet is none'
    );
    is(trouble(qw(fleet plam)),
        "unknown command 'fleet plam'\ndid you mean fleet plan?\ntry: ./Run help fleet\n",
        'of fleet');
};

subtest 'no command has the name of a test, a group or a suite' => sub {
    my $suite = Touchstone::Suite::load();
    my %taken = map { $_ => 1 } (map { $_->{name} } $suite->tests), keys %{ $suite->groups },
        keys %{ $suite->{suites} };
    ok(!$taken{$_}, $_)
        for map { $_->{name} } Touchstone::Cli::Commands::named('measure'), Touchstone::Cli::Commands::all(),
        map { { name => $_ } } Touchstone::Cli::Commands::families();
};

subtest 'help is a command, and an option of each' => sub {
    is_deeply([ @{ want($_) }{qw(command operands)} ],  [ 'help', [] ],          $_) for qw(-h --help help);
    is_deeply([ @{ want(@$_) }{qw(command operands)} ], [ 'help', ['compare'] ], "@$_")
        for [qw(compare -h)], [qw(compare a b --help)], [qw(help compare)];
    is_deeply([ @{ want(@$_) }{qw(command operands)} ], [ 'help', [qw(fleet plan)] ], "@$_")
        for [qw(fleet plan -h)], [qw(help fleet plan)];
    is_deeply([ @{ want(qw(fleet -h)) }{qw(command operands)} ], [ 'help', ['fleet'] ], 'fleet -h');
    is(want($_)->{command}, 'version', $_) for qw(-V --version version);
};

# All that the usage of UnixBench's Run names.
subtest q(UnixBench's own command lines) => sub {
    my %line = (
        ''                     => {},
        '-q'                   => { quiet      => 1 },
        '-v'                   => { verbose    => 1 },
        '-i 3'                 => { iterations => 3 },
        '-c 1'                 => { copies     => [1] },
        '-c 1 -c 4'            => { copies     => [ 1, 4 ] },
        '-q -i 10 -c 2 system' => { quiet      => 1, iterations => 10, copies => [2], tests => ['system'] },
        'dhry2reg whetstone-double' => { tests => [qw(dhry2reg whetstone-double)] },
        'graphics'                  => { tests => ['graphics'] },
        'index 2d-rects'            => { tests => [qw(index 2d-rects)] },
    );
    for my $line (sort keys %line) {
        my $want  = eval { want(split ' ', $line) } || { trouble => $@ };
        my %given = map { $_ => $want->{$_} }
            grep { ref $want->{$_} ? @{ $want->{$_} } : defined $want->{$_} } keys %$want;
        is_deeply(\%given, { command => 'measure', %{ $line{$line} } }, "./Run $line");
    }
};

subtest 'a value is missing, or one too many' => sub {
    for my $names (Touchstone::Cli::Options::names()) {
        for my $name (@$names) {
            my $option = spelled($name);
            my @with   = @{ $COMMAND{ $names->[-1] } || [] };
            if ($VALUE{ $names->[-1] }) {
                like(trouble(@with, $option), qr/\A\Q$option\E needs a value: \S.*\n\z/, "$option alone");
            } elsif (length $name > 1) {
                like(trouble(@with, "$option=1"), qr/\A\Q$option\E takes no value\n\z/, "$option=1");
            }
        }
    }
};

subtest 'what cannot go together is refused' => sub {
    my %refused = (
        '--quick --classic'      => qr/--quick and --classic cannot be combined: --quick is a schedule/,
        '--quick -i 3'           => qr/--quick and -i cannot be combined: --quick is a schedule/,
        '-i 3 --quick pipe'      => qr/--quick and -i cannot be combined: --quick is a schedule/,
        '--quick -i 1 --classic' => qr/--quick and --classic cannot/,
        '--format html'          => qr/--format needs a comparison/,
        'report run pipe' => qr/report takes RUN only: 'pipe' is one too many\ncompare takes several runs$/m,
        'browse run'      => qr/browse takes no operands: 'run' is one too many\ntry: /,
        'compare a'       => qr/compare needs at least 2 operands: RUN RUN \.\.\.\ntry: /,
        'duet a'          => qr/duet needs at least 2 operands: DIR DIR \[TEST \.\.\.\]\ntry: /,
        'duet a b --precision 1%' =>
            qr/--precision cannot be combined with duet, but with --concurrent: builds/,
        '--build a= --build b= --precision 1%' =>
            qr/--precision cannot be combined with several --build: builds/,
        'resume x pipe'                      => qr/resume takes RUN only: 'pipe' is one too many$/m,
        'resume x --seed 1'                  => qr/unknown option '--seed' of resume$/m,
        'list --dry-run'                     => qr/unknown option '--dry-run' of list$/m,
        '--quick --budget 5m'                => qr/--budget and --quick .* default schedule only$/m,
        '-i 3 --precision 1%'                => qr/--precision and -i .* default schedule only$/m,
        '--fail-on 5%'                       => qr/--fail-on needs --baseline$/m,
        '--again 2 --build a= --build b='    => qr/--build and --again cannot be combined: --build compares/,
        'report x --baseline y --fail-on 5%' => qr/unknown option '--fail-on' of report/,
        'compare a b --format log'    => qr/--format of a comparison needs text.* or junit, not 'log'$/m,
        'self-compare --classic'      => qr/unknown option '--classic' of self-compare/,
        '--build o=-O2 --build o=-O3' => qr/--build names 'o' twice/,
        '--build o=-O2 --format html' => qr/--format needs a comparison/,
    );
    like(trouble(split / /, $_), qr/\A(?:$refused{$_})/m, $_) for sort keys %refused;
    is(trouble(split / /, $_), 'it was taken', $_)
        for '--baseline x --fail-on 5% pipe',
        '--baseline x --fail-on 5% --build o2=-O2', 'duet a b --concurrent --precision 1%',
        'duet a b --fail-on 5%',   'compare a b --fail-on 5%', '--classic -i 3', 'list --json',
        'report run --format csv', '--quick -c 2 --seed 1',    '-q -b', '-v -b', '--scaling -c 3 --quick',
        'report run --scaling',    'list pipe',                'list --json pipe';
};

subtest 'the first screen fits, and has the options and commands that everybody needs' => sub {
    my $help = Touchstone::Cli::Help::text(80, './Run');
    cmp_ok(scalar(my @lines = split /\n/, $help), '<=', 45, 'at most 45 lines');
    my @options = $help =~ /^ +(?:-\w, )?--([\w-]+)/mg;
    is("@options", 'copies quick iterations scaling again dry-run baseline build quiet verbose',
        'ten options');
    for my $command (Touchstone::Cli::Commands::all()) {
        my ($first) = split / /, $command->{name};
        like($help, qr/^ +\Q$first\E /m, $first);
    }
    like($help, qr/\Ausage: \.\/Run /, 'it begins with the usage');
    is(join(' ', grep { !/\A[ -~]*\z/ } split /\n/, $help), '', 'all is plain text');
    unlike(Touchstone::Cli::Help::text(80, 'touchstone'), qr/--build o2/, 'which has nothing to build');
    like(
        Touchstone::Cli::Help::text(80, 'touchstone'),
        qr/^  touchstone browse /m,
        'an installed one is called so'
    );
};

subtest 'help of each command is the golden text' => sub {
    my %files = Screen::files();
    is($files{'help.txt'}, Fake::read_file("$Fake::BASE/t/golden/help.txt"), 't/golden/help.txt');
};

done_testing;
