# SPDX-License-Identifier: GPL-2.0-or-later
# Options: correct and wrong words of the command line.
use 5.014;
use strict;
use warnings;

use Test::More;

use lib 't/lib';
use NoWarnings;
use Touchstone::Cli::Help;
use Touchstone::Cli::Options::Values;
use Touchstone::Cli::Options;
use Touchstone::Record::Json;

# Each option has its value here and what that must become. A switch has no value.
my %VALUE = (
    iterations      => [ '3',                  3 ],
    copies          => [ '4',                  [4] ],
    seed            => [ '4711',               4711 ],
    pin             => [ '0,2-3',              '0,2-3' ],
    report          => [ 'host-2026-11-21-01', 'host-2026-11-21-01' ],
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
    stamina         => [ '3600',               3600 ],
    'lbt-form'      => [ 'host-2026-11-21-01', 'host-2026-11-21-01' ],
    'fail-on'       => [ '5%',                 0.05 ],
    resume          => [ 'host-2026-11-21-01', 'host-2026-11-21-01' ],
    completion      => [ 'zsh',                'zsh' ],
    again           => [ '3',                  3 ],
    every           => [ '1h',                 3600 ],
    once            => [ 'kernel-6-8',         'kernel-6-8' ],
    run             => [ '2',                  2 ],
    as              => [ 'web 1',              'web 1' ],
    label           => [ 'rack=b4',            ['rack=b4'] ],
    wait            => [ 'kernel-6-8',         'kernel-6-8' ],
    state           => [ 'kernel-6-8',         'kernel-6-8' ],
    give            => [ 'kernel-6-8',         'kernel-6-8' ],
    plan            => [ 'hosts',              'hosts' ],
    campaign        => [ 'campaigns/k68',      'campaigns/k68' ],
    turn            => [ 'web1',               'web1' ],
    mark            => [ 'web1=over',          ['web1=over'] ],
    'group-by'      => [ 'rack',               ['rack'] ],
    smallest        => [ '3%',                 0.03 ],
    'allow-missing' => [ '5%',                 0.05 ],
    control         => [ 'ring=old',           'ring=old' ],
    wave            => [ '2/4',                '2/4' ],
    confirm         => [ 'campaigns/k68',      'campaigns/k68' ],
);

# Options that are allowed only together with others.
my %WITH = (
    json           => ['--list'],
    format         => [qw(--report run)],
    compare        => [qw(a b)],
    duet           => [qw(a b)],
    'duet-at-once' => [qw(a b)],
    'fail-on'      => [qw(--compare a b)],
    every          => [qw(--again 3)],
    whole          => [qw(--give c)],
    campaign       => [qw(--turn web1)],
    (map { $_ => [qw(--once c)] } qw(run as label detach)),
    (map { $_ => [qw(--fleet dir)] } qw(group-by smallest allow-missing control wave)),
);

my $RULES = Touchstone::Cli::Options::rules();

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
            my @with   = @{ $WITH{$long} || [] };
            my %forms  = ($option => [$option]);
            %forms = (
                "$option $word" => [ $option, $word ],
                length $name > 1
                ? ("$option=$word" => ["$option=$word"])
                : ("$option$word" => ["$option$word"])
            ) if defined $word;
            for my $form (sort keys %forms) {
                my $got = eval { want(@{ $forms{$form} }, @with) } || {};
                is_deeply($got->{$long}, $expected // 1, $form)    || diag($@);
            }
        }
    }
};

subtest 'what is not asked for is not wanted' => sub {
    my $nothing = want();
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
    is_deeply(want(qw(-vb pipe)),                   want(qw(-v -b pipe)), 'short switches in one word');
    is_deeply(want(qw(-q -v pipe)),                 want(qw(-v pipe)),    'of -q and -v the last one counts');
    is_deeply(want(qw(-vqb pipe)),                  want(qw(-q -b pipe)), 'also in one word');
    is_deeply(want(qw(pipe -- -q --list))->{tests}, [qw(pipe -q --list)], 'after -- everything is a test');
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
    (
        map { [ 'once', $_, 'the name of a campaign: letters, digits, - and _' ] } 'a b',
        '../a', 'a.b', '-a', 'a-', "a\n", "caf\xc3\xa9", 'x' x 65
    ),
    (map { [ 'run',   $_, 'a whole number from 1 to 999' ] } qw(0 1000 x -1 1.5), "1\n"),
    (map { [ 'as',    $_, 'the name of a host', 'once' ] } "a\nb", "a\t", 'x' x 201),
    (map { [ 'label', $_, 'LABEL=VALUE', 'once' ] } qw(rack =b4 4=rack ra/ck=1), "rack=\n"),
    (map { [ 'seed',  $_, 'a whole number from 0' ] } qw(-1 x 1.5 1e3 10000000000), "1\n", ' '),
    (
        map { [ 'pin', $_, 'none, spread, pack or a list of CPUs' ] } '0,',
        ',0', '0,5-2', 'spread,pack', '0 1', "0\n", qw(x NONE 0--1 0- -1 0;1 3-1)
    ),
    (map { [ 'format', $_, 'text, markdown, html, csv' ] } qw(pdf TEXT tex), 'text,html', "html\n"),
);

subtest 'a bad value names the option, the value and what is allowed' => sub {
    for my $bad (@BAD) {
        my ($name, $value, $allowed) = @$bad;
        my @with  = @{ $WITH{$name} || [] };
        my $shown = $value =~ s/([^ -~])/sprintf '\x%02x', ord $1/ger;
        like(
            trouble(spelled($name), $value, @with),
            qr/\A-{1,2}\Q$name\E needs (?:one of )?$allowed.*, not '\Q$value\E'\n(?:LABEL [^\n]*\n)?\z/s,
            spelled($name) . " '$shown'"
        );
    }
    like(trouble("--$_=", 'pipe'), qr/\A--?\w[\w-]* needs .*(?:not ''|value: )/, "--$_= has no value")
        for qw(copies iterations seed pin report);
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
    like(trouble('--report', ''), qr/\A--report needs .*, not ''\n\z/, 'an empty run');
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
    is(want('--report', 'x', '--format', $_)->{format}, $_, "--format $_")
        for @Touchstone::Cli::Options::Values::FORMATS;
};

subtest 'an unknown option is named, and what was meant' => sub {
    for my $word (qw(--nonsense --Quiet --classics -Z -1)) {
        like(trouble('pipe', $word), qr/\Aunknown option '\Q$word\E'\n.*--help/, $word);
    }
    like(trouble('-qZv'),         qr/\Aunknown option '-Z'/,                '-Z among others');
    like(trouble('--nonsense=5'), qr/\Aunknown option '--nonsense(?:=5)?'/, 'with a value');
    my %meant = (
        '--comp'    => '--compare',
        '--compair' => '--compare',
        '--Quick'   => '--quick',
        '--copis=4' => '--copies'
    );
    like(trouble($_), qr/\ndid you mean (?:--\w+ or )?$meant{$_}\b.*\? --help shows/, $_)
        for sort keys %meant;
    unlike(trouble('-Z'), qr/did you mean/, 'a letter is near to nothing');
};

subtest 'help is a word, too' => sub {
    ok(want($_)->{help}, $_) for qw(-h --help help);
    is_deeply(
        [ @{ want(qw(help pipe fs)) }{qw(list tests)} ],
        [ 1, [qw(pipe fs)] ],
        'help of tests lists them'
    );
    ok(want(qw(help me))->{help}, 'help of anything else is --help');
    like(trouble(qw(pipe help)), qr{\Aunknown test 'help'\ndid you mean --help\?},
        'behind a test it is none');
};

subtest 'a value is missing, or one too many' => sub {
    for my $names (Touchstone::Cli::Options::names()) {
        for my $name (@$names) {
            my $option = spelled($name);
            my @with   = @{ $WITH{ $names->[-1] } || [] };
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
        '--json'                 => qr/--json works with --list only$/m,
        '--format html'          =>
            qr/--format works with --build, --compare, --duet, --duet-at-once, --fleet, --lbt-form, --like and --report only$/m,
        '--report run pipe'         => qr/--report takes one run: 'pipe' is one too many$/m,
        '--list --dry-run'          => qr/--list and --dry-run cannot be combined$/m,
        'pipe --report run'         => qr/--report takes one run: 'pipe' is one too many$/m,
        '--compare a'               => qr/--compare needs two runs or more, such as/,
        '--duet-at-once a'          => qr/--duet-at-once needs two .*, such as --duet-at-once pgms o2$/m,
        '--duet a b --precision 1%' => qr/--duet and --precision cannot/,
        '--build a= --build b= --precision 1%' =>
            qr/--precision and several --build cannot be combined: builds/,
        '--duet a'            => qr/--duet needs two .*, such as --duet pgms o2$/m,
        '--compare a b -c 2'  => qr/--compare and --copies cannot be combined$/m,
        '--resume x pipe'     => qr/--resume takes one run: 'pipe' is one too many$/m,
        '--resume x --seed 1' => qr/--resume and --seed cannot be combined$/m,
        '--quick --budget 5m' => qr/--budget and --quick .* default schedule only$/m,
        '-i 3 --precision 1%' => qr/--precision and -i .* default schedule only$/m,
        '--fail-on 5%' => qr/--fail-on works with --baseline, --compare, --duet or --duet-at-once only/,
        '--report x --baseline y --fail-on 5%' => qr/--report and --fail-on cannot/,
        '--compare a b --format log'  => qr/--format of a comparison needs text.* or junit, not 'log'$/m,
        '--self-compare --classic'    => qr/--self-compare and --classic cannot/,
        '--report x --compare a b'    => qr/--compare and --report cannot/,
        '--build o=-O2 --build o=-O3' => qr/--build names 'o' twice/,
        '--build o=-O2 --format html' => qr/--format needs a comparison/,
        'compare a b'                 => qr/unknown test 'compare'\ndid you mean --compare\?/,
    );
    like(trouble(split / /, $_), qr/\A(?:$refused{$_})/m, $_) for sort keys %refused;
    is(trouble(split / /, $_), 'it was taken', $_)
        for '--baseline x --fail-on 5% pipe',
        '--baseline x --fail-on 5% --build o2=-O2', '--classic -i 3', '--list --json',
        '--report run --format csv', '--quick -c 2 --seed 1', '-q -b', '-v -b', '--scaling -c 3 --quick',
        '--report run --scaling',    '--list pipe',           '--list --json pipe';
};

# Returns the words of these options, with runs, a baseline, a set or a second price if they need them.
sub with_words {
    my (@names) = @_;
    my %is = map { $_ => 1 } @names;
    my @with =
          $is{compare} || $is{duet} || $is{'duet-at-once'} ? qw(a b)
        : $is{'fail-on'} && !$is{baseline}                 ? qw(--baseline x)
        :                                                    ();
    push @with, qw(--again 3) if $is{every} && !$is{again};
    push @with, qw(--price 5) if $is{price} && $is{compare};
    return (map({ ("--$_", $VALUE{$_} ? $VALUE{$_}[0] : ()) } @names), @with);
}

subtest 'what shells are told of pairs of options is what is taken' => sub {
    my %first = map  { $_ => 1 } qw(help man version);
    my %needs = map  { $_ => 1 } $RULES->of_verbs;
    my %verb  = map  { $_ => 1 } $RULES->verbs;
    my @long  = grep { !$first{$_} } map { $_->[-1] } Touchstone::Cli::Options::names();
    my @wrong;
    for my $one (@long) {
        for my $other (grep { $_ gt $one } @long) {
            next if grep { $needs{$_} } $one, $other and !grep { $verb{$_} } $one, $other;

            # This combination needs two builds.
            next if "$one $other" eq 'build format';
            my $trouble = trouble(with_words($one, $other));
            my $fits    = $RULES->fit($one, $other) ? 1 : 0;
            push @wrong, "$one $other"
                if $fits != ($trouble eq 'it was taken' ? 1 : 0)
                || $fits != ($RULES->fit($other, $one)  ? 1 : 0);
        }
    }
    is("@wrong", '', 'no pair differs');
    ok(!$RULES->fit($_, 'quick'), "nothing goes with --$_") for sort keys %first;
};

subtest 'the help has headings, and below them every option with what stands for its value' => sub {
    my $help     = Touchstone::Cli::Help::text(undef, './Run');
    my @headings = $help =~ /^([A-Z].*)\n  /mg;
    is(
        join(', ', @headings),
        'Measure, How exactly, Compare, Reports, Many machines: on each of them, '
            . 'Many machines: where all comes together, This command, Only for the suite lbt, '
            . 'Only for the suite platform, Only for the suite truth, Exit status',
        'the headings'
    );
    for my $option (Touchstone::Cli::Options::described()) {
        my $shown = join ', ', (defined $option->{short} ? "-$option->{short}" : ()), "--$option->{name}";
        $shown .= " $option->{value}" if defined $option->{value};
        like($help, qr/^ +\Q$shown\E +\S/m, $shown);
        is(defined $option->{value} ? 1 : 0, 1, "$shown: its value has a name") if $option->{kind};
    }
    like($help, qr/\Ausage: \.\/Run /,                   'it begins with the usage');
    like($help, qr/^Exit status\n.*0.*1.*2.*125.*128/ms, 'it ends with exit statuses');
    is(join(' ', grep { !/\A[ -~]*\z/ } split /\n/, $help), '', 'all is plain text');
    unlike(Touchstone::Cli::Help::text(80, 'touchstone'), qr/--build o2/, 'which has nothing to build');
    like(
        Touchstone::Cli::Help::text(80, 'touchstone'),
        qr/^  touchstone --list /m,
        'an installed one is called so'
    );
};

done_testing;
