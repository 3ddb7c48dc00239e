#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# The scripts of completion in real shells at a terminal: completed words become arguments of a command
# that writes them to a file.
use 5.014;
use strict;
use warnings;

use File::Path qw(make_path);
use File::Temp ();
use IO::Handle;
use POSIX ();
use Test::More;
use Time::HiRes qw(time sleep);

use lib 't/lib';
use Fake;
use NoWarnings;
use Tools;
use Touchstone::Cli::Completion;
use Touchstone::Cli::Commands;
use Touchstone::Cli::Options;
use Touchstone::Machine::Command;
use Touchstone::Suite::Lbt::Field;
use Touchstone::Suite;

$SIG{PIPE} = 'IGNORE';

my $suite    = Touchstone::Suite::load();
my @tests    = (map({ $_->{name} } $suite->tests), keys %{ $suite->groups });
my $PATIENCE = 240;

sub sorted { return join ' ', sort @_ }

# Each shell starts with these. `Run` and the other commands write their words to a file; the prompt shows
# that the shell waits for input.
my $COMMANDS = <<'END';
touchstone() { printf '%s\0' "$@" >"$HOME/../words"; }
Run() { touchstone "$@"; }
END
my %SHELL = (
    bash =>
        { file => 'home/rc', command => 'bash --noprofile --rcfile home/rc -i', all => "\e*", rc => <<'END' },
PS1='$ ' PROMPT_COMMAND='echo >>"$HOME/../waiting"'
set +H
bind 'set bell-style none' 'set show-all-if-ambiguous on' 'set completion-query-items 0' 'set page-completions off' 'set enable-bracketed-paste off'
eval "$(cat "$HOME/../script")"
END
    zsh => { file => 'home/.zshrc', command => 'zsh -d -i', all => "\x18l\x18a", rc => <<'END' },
PS1='$ ' LISTMAX=10000
unsetopt beep auto_menu prompt_cr prompt_sp
precmd() { echo >>"$HOME/../waiting"; }
bindkey -e
fpath=("$HOME/functions" $fpath)
autoload -Uz compinit && compinit -u -D
zle -C all-matches complete-word _generic
bindkey '^Xa' all-matches
bindkey '^Xl' list-choices
zstyle ':completion:all-matches:*' old-matches only
zstyle ':completion:all-matches::::' completer _all_matches
eval "$(cat "$HOME/../script")"
END
);

# Starts a shell at a terminal, in its own directory; skips the subtest if that is impossible. `script` is
# the place of the script if its text is not read at the start.
sub terminal {
    my ($shell, %also) = @_;
    plan skip_all => $_ for Tools::lacking($shell);

    # Other programs named script take different options.
    plan skip_all => 'there is no script of util-linux'
        if !Touchstone::Machine::Command::find('script') || `script --version 2>&1` !~ /util-linux/;
    plan skip_all => 'there are no pseudo-terminals here'
        if `script -qc 'echo works' /dev/null 2>/dev/null </dev/null` !~ /works/;
    my $dir = File::Temp->newdir;
    mkdir "$dir/$_" or die "cannot make '$dir/$_': $!\n" for qw(home home/functions);
    my $is = $SHELL{$shell};
    Fake::write_file("$dir/script", '');
    Fake::write_file("$dir/" . ($also{script} // 'script'),
        Touchstone::Cli::Completion::script($shell, $suite));
    Fake::write_file("$dir/$is->{file}", $COMMANDS . $is->{rc});
    my %env = (
        PATH    => $ENV{PATH},
        HOME    => "$dir/home",
        TERM    => 'dumb',
        INPUTRC => '/dev/null',
        LC_ALL  => 'C',
        SHELL   => '/bin/sh'
    );
    pipe my $typed, my $keys or die "cannot make a pipe: $!\n";
    my $pid = fork // die "cannot fork: $!\n";

    if (!$pid) {
        %ENV = %env;
        alarm 2 * $PATIENCE;
        close $keys;
        chdir $dir && open(STDIN, '<&', $typed) && open(STDOUT, '>', 'screen') && open STDERR, '>&', \*STDOUT
            or POSIX::_exit(126);
        exec 'script', '-qc', $is->{command}, '/dev/null' or POSIX::_exit(126);
    }
    $keys->autoflush(1);
    return { dir => $dir, pid => $pid, keys => $keys, prompts => 0, all => $is->{all} };
}

# Returns the words that a command gets when these keys are typed; with `all`, all completions of the last
# word replace it.
sub typed {
    my ($terminal, $keys) = @_;
    $terminal->{prompts} = _prompts($terminal);
    unlink "$terminal->{dir}/words";
    print { $terminal->{keys} } "$keys\n";
    _prompts($terminal);
    return Fake::read_file("$terminal->{dir}/words") =~ /([^\0]*)\0/g;
}

sub all { my ($terminal, $keys) = @_; return typed($terminal, $keys . $terminal->{all}) }

# Returns the number of prompts, as soon as there is a new one.
sub _prompts {
    my ($terminal) = @_;
    my $until = time + $PATIENCE;
    while (1) {
        my $prompts = -s "$terminal->{dir}/waiting" || 0;
        return $prompts if $prompts > $terminal->{prompts};
        die "the shell does not answer\n", Fake::read_file("$terminal->{dir}/screen") if time > $until;
        sleep 0.005;
    }
}

sub leave {
    my ($terminal) = @_;
    print { $terminal->{keys} } "exit\n";
    close $terminal->{keys};
    waitpid $terminal->{pid}, 0;
    is($?, 0, 'the shell ends');
    my $screen = Fake::read_file("$terminal->{dir}/screen");
    unlike($screen, qr/not found|syntax error|bad |parse error|_touchstone/, 'and has not complained')
        or diag($screen);
    return;
}

my ($measure, @commands) = (Touchstone::Cli::Commands::named('measure'), Touchstone::Cli::Commands::all());
my %is_first = map { $_->{name} =~ s/ .*//r => 1 } @commands;

# Returns the long options of a command, with dashes and --help.
sub options {
    my ($command) = @_;
    return sorted('--help', map { "--$_->{name}" } Touchstone::Cli::Options::described($command));
}

# Each row is [words, the completions after them].
my @LISTS = (
    (map { [ "$_->{name} --", options($_) ] } @commands),
    [ 'report x --form', '--format' ],
    [ 'fleet ',          sorted(map { s/fleet //r } grep { /\Afleet / } map { $_->{name} } @commands) ],
    [ 'completion ',     'bash zsh' ],
    (
        map { [ "$_->{name} --format ", sorted(@{ $_->{formats} }) ] } grep { $_->{formats} } $measure,
        @commands
    ),
    [ '--lbt ',                      sorted(map { "$_=" } @Touchstone::Suite::Lbt::Field::KEYS) ],
    [ '--lbt cpu-model=x --lbt smp', 'smp=' ],
    (
        map  { [ "--$_->{name} ", sorted(@{ $_->{words} }) ] }
        grep { @{ $_->{words} } && $_->{name} ne 'format' } Touchstone::Cli::Options::described($measure)
    ),
    [ '-qc 1 --x-display :0 shell', sorted(grep { /\Ashell/ } @tests) ],
    [ '--quick -- pipe fs',         sorted(grep { /\Afs/ } @tests) ],
    [ 'duet a b dhry',              sorted(grep { /\Adhry/ } @tests) ],
    [ 'self-compare dhry',          sorted(grep { /\Adhry/ } @tests) ],
    [ 'fleet once k dhry',          sorted(grep { /\Adhry/ } @tests) ],
);
$_->[0] =~ s/\Ameasure // for @LISTS;

# Each row has the words before and after one completion key.
my @ONE = (
    [ '--quic'              => '--quick' ],
    [ 'resu'                => 'resume' ],
    [ 'report x --form'     => 'report',    'x', '--format' ],
    [ '--classic --qui'     => '--classic', '--quiet' ],
    [ 'report x --format=h' => 'report',    'x', '--format=html' ],
    [ '--pin=sp'            => '--pin=spread' ],
    [ '--x-display xv'      => '--x-display', 'xvfb' ],
    [ '-c 2 pla'            => '-c',    '2', 'platform' ],
    [ 'list pip'            => 'list',  'pipe' ],
    [ 'list gro'            => 'list',  'groups' ],
    [ 'list run'            => 'list',  'runs' ],
    [ 'help comp'           => 'help',  'comp' ],
    [ 'help compa'          => 'help',  'compare' ],
    [ 'fleet pl'            => 'fleet', 'plan' ],
);

for my $shell (qw(bash zsh)) {
    subtest "$shell completes every option, every test and the values that are known" => sub {
        my $terminal = terminal($shell);
        is(sorted(all($terminal, 'Run --')), options($measure),              'options');
        is(sorted(all($terminal, 'Run ')),   sorted(@tests, keys %is_first), 'tests, groups and commands');
        for my $list (@LISTS) {
            my ($words, $completed) = @$list;
            my @got = all($terminal, "touchstone $words");
            splice @got, 0, (() = $words =~ /\S+(?= )/g);
            is(sorted(@got), $completed, "touchstone $words");
        }
        is(join(' ', typed($terminal, "Run $_->[0]\t")), join(' ', @$_[ 1 .. $#$_ ]), "Run $_->[0]") for @ONE;
        leave($terminal);
    };
}

subtest 'zsh finds the script among its functions, and says so where it cannot use it' => sub {
    my $terminal = terminal('zsh', script => 'home/functions/_touchstone');
    is(join(' ', typed($terminal, "Run $_->[0]\t")), join(' ', @$_[ 1 .. $#$_ ]), "Run $_->[0]") for @ONE;
    leave($terminal);
    my $file = File::Temp->new;
    Fake::write_file("$file", Touchstone::Cli::Completion::script('zsh', $suite));
    my ($status, $said) =
        Touchstone::Machine::Command::output([ 'zsh', '-f', '-c', 'source $1', 'zsh', "$file" ], errors => 1);
    is($said,                   "completion of Touchstone: run compinit first\n", 'without compinit');
    is($status >> 8 || $status, 1,                                                'and fails');
};

# Makes a command below the directory of a terminal; `source` puts it into a tree where it was built.
my $WRITER = "#!/bin/sh\nprintf '%s\\0' \"\$@\" >\"\$HOME/../words\"\n";

sub command {
    my ($terminal, $directory, %is) = @_;
    make_path("$terminal->{dir}/$directory");
    Fake::write_file("$terminal->{dir}/$directory/Run", $WRITER);
    chmod 0755, "$terminal->{dir}/$directory/Run";
    Fake::write_file("$terminal->{dir}/$directory/Makefile", '') if $is{source};
    return;
}

sub records {
    my ($terminal, $directory, @files) = @_;
    make_path("$terminal->{dir}/$directory");
    Fake::write_file("$terminal->{dir}/$directory/$_", '{}') for @files;
    return;
}

my @HOSTILE = (
    'a b', "b'c", 'c"d',
    'd$(touch pwned)',
    'e`touch pwned`',
    'f;touch pwned',
    'g ~h',    'h !i', 'i[ack]*', 'j\\k', 'k:l=m n',
    'l&m|n>o', 'm #n', 'n{1,2}',  "o-\xc3\xbc", 'p%s\\n', 'q$HOME'
);

for my $shell (qw(bash zsh)) {
    subtest "$shell completes records by any name, and none is executed" => sub {
        my $terminal = terminal($shell);
        command($terminal, 'tree', source => 1);
        records(
            $terminal, 'tree/results/.runs', map { "$_.json" } @HOSTILE,
            "S\nt",    "U\ev", '-x', 'w one', 'w two', '$(touch pwned)',
            '~x',      'z'
        );
        records($terminal, 'tree/results/.runs/self', 'zz.json');
        for my $name (@HOSTILE) {
            my $first = substr $name, 0, 1;
            is(join('|', typed($terminal, "tree/Run report $first\t")), "report|$name", "report $name");
            is(join('|', typed($terminal, "tree/Run --baseline=$first\t")),
                "--baseline=$name", "--baseline=$name");
        }
        is(
            join('|', typed($terminal, "tree/Run compare z w\t$_\t")),
            "compare|z|w $_",
            "what two have in common, then w $_"
        ) for $shell eq 'bash' ? qw(one two) : ();
        is(
            join('|', typed($terminal, "tree/Run report \\\$\\(\t")),
            'report|$(touch pwned)',
            'a name that begins badly'
        );
        is(join('|', typed($terminal, "tree/Run report \\~\t")), 'report|~x', 'and another');
        is(join('|', typed($terminal, "tree/Run report $_\t")),
            "report|$_", 'control characters are not offered')
            for qw(S U);
        is(join('|', typed($terminal, "tree/Run report \"z\t")), 'report|z', 'within quotes');
        is(
            sorted(all($terminal, 'tree/Run report ')),
            sorted('report', @HOSTILE, 'w one', 'w two', '$(touch pwned)', '~x', 'z'),
            'all of them'
        );
        is(join('|', grep { -e "$terminal->{dir}/$_" } 'pwned', 'home/pwned', 'o'),
            '', 'nothing was executed');
        leave($terminal);
    };

    subtest "$shell looks for records where the command keeps them" => sub {
        my $terminal = terminal($shell);
        my $dir      = $terminal->{dir};
        command($terminal, $_, source => 1) for 'tree', 'a "tree', 'home/tree';
        records($terminal, "$_/results/.runs", 'x-' . s/\W+/-/gr . '.json')
            for 'tree', 'a "tree', 'home/tree';
        records($terminal, 'tree/results/.runs', 'journal.jsonl', 'both.json', 'both.jsonl');
        command($terminal, 'lib/touchstone');
        make_path("$dir/bin", "$dir/other");
        symlink '../lib/touchstone/Run', "$dir/bin/touchstone" or die "cannot make a link: $!\n";
        symlink '../tree/Run',           "$dir/other/Run"      or die "cannot make a link: $!\n";
        records($terminal, 'home/.local/state/touchstone/results/.runs', 'x-state.json');
        records($terminal, 'said/.runs',                                 'x-said.json');
        my %found = (
            'tree/Run'        => 'x-tree',
            './tree/Run'      => 'x-tree',
            'a\\ \\"tree/Run' => 'x-a-tree',
            "'a \"tree'/Run"  => 'x-a-tree',
            '~/tree/Run'      => 'x-home-tree',
            'other/Run'       => 'x-tree',
            'bin/touchstone'  => 'x-state',
            touchstone        => 'x-state'
        );
        is(join('|', typed($terminal, "$_ report x\t")), "report|$found{$_}", $_) for sort keys %found;
        is(join('|', typed($terminal, "tree/Run compare jour\tbo\t")),
            'compare|journal|both', 'of a journal, and once of a run that has both');
        is(join('|', typed($terminal, "tree/Run report tree/Mak\t")),
            'report|tree/Makefile', 'a file where no record fits');
        is(join('|', typed($terminal, "tree/Run --input tree/Mak\t")),
            '--input|tree/Makefile', 'a file where one is wanted');
        is(join('|', map { s{/\z}{}r } typed($terminal, "tree/Run --medium tree/res\t")),
            '--medium|tree/results', 'a directory');
        is(join('|', typed($terminal, "tree/Run --medium tree/Mak\t")), '--medium|tree/Mak', 'and no file');
        is(
            join('|', map { s{/\z}{}r } typed($terminal, "tree/Run duet oth\t lib/touc\t pipe8\t")),
            'duet|other|lib/touchstone|pipe84',
            'two directories, then tests'
        );
        typed($terminal, "export UB_RESULTDIR=\"$dir/said\"");
        is(join('|', typed($terminal, "tree/Run resume x\t")), 'resume|x-said', 'UB_RESULTDIR');
        typed($terminal, "export UB_RESULTDIR= XDG_STATE_HOME=\"$dir/none\"");
        is(join('|', typed($terminal, "touchstone form x\t")), 'form|x', 'XDG_STATE_HOME');
        leave($terminal);
    };
}

subtest 'bash needs nothing but itself, whatever options of the shell are set' => sub {
    plan skip_all => 'there is no bash' if !Touchstone::Machine::Command::find('bash');
    my $dir = File::Temp->newdir;
    Fake::write_file("$dir/script", Touchstone::Cli::Completion::script('bash', $suite));
    make_path("$dir/.runs");
    Fake::write_file("$dir/.runs/a b.json", '{}');
    my $ask = 'source "$1/script"; cd "$1"; shift; '
        . 'COMP_LINE="$*" COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMP_POINT=${#COMP_LINE}; _touchstone; printf "%s\n" "${COMPREPLY[@]}"';
    local @ENV{qw(PATH UB_RESULTDIR CDPATH)} = ('', '.', '/');
    my $bash = Touchstone::Machine::Command::find('bash') // '/bin/bash';

    for my $set (
        '', 'set -f;', 'set -u;',
        'shopt -s failglob;',
        'shopt -s nullglob dotglob extglob;',
        'IFS=ab-;', 'set -o posix;',
        'set -e;'
    ) {
        my ($status, $said) = Touchstone::Machine::Command::output(
            [ $bash, '-c', "$set$ask", 'bash', "$dir", 'Run', 'report', '' ],
            errors => 1);
        is("$status $said", "0 a\\ b\n", "a record with '$set'");
        ($status, $said) = Touchstone::Machine::Command::output(
            [ $bash, '-c', "$set$ask", 'bash', "$dir", 'Run', '--quick', '--ba' ],
            errors => 1);
        is("$status $said", "0 --baseline\n", "an option with '$set'");
    }
};

subtest 'shellcheck finds nothing in the script for bash' => sub {
    plan skip_all => $_ for Tools::lacking('shellcheck');
    my $file = File::Temp->new;
    Fake::write_file("$file", Touchstone::Cli::Completion::script('bash', $suite));
    is((Touchstone::Machine::Command::output([ 'shellcheck', '-s', 'bash', "$file" ], errors => 1))[1],
        '', 'no remarks');
};

subtest './Run completion prints the script, and goes with nothing else' => sub {
    my $fake = Fake->new;
    for my $shell (qw(bash zsh)) {
        my $got = $fake->run([ 'completion', $shell ]);
        is("$got->{status} $got->{err}", '0 ',                               $shell);
        is($got->{out}, Touchstone::Cli::Completion::script($shell, $suite), 'it is the same each time');
        unlike($got->{out}, qr/\@[A-Z]+\@/, 'every part was put in');
    }
    is(
        $fake->run([qw(completion fish)])->{err},
        "Run: completion needs bash or zsh, not 'fish'\n",
        'another shell'
    );
    is($fake->run([qw(completion bash pipe)])->{status}, 2, 'with a test');
    is(
        $fake->run([qw(completion bash --quick)])->{err},
        "Run: unknown option '--quick' of completion\n"
            . "it is an option of duet, self-compare, fleet plan, fleet once and a line without a command\n"
            . "try: ./Run help completion\n",
        'with an option'
    );
    is_deeply(\@Fake::PERL_WARNINGS, [], 'Perl did not complain');
};

done_testing;
