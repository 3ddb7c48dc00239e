# SPDX-License-Identifier: GPL-2.0-or-later
# Cli::Completion - generates the completion scripts of the command line from the tables of Commands, Options
# and Suite: one for bash 3.2 and later, with or without the package bash-completion, and one for zsh 5 and
# later. The templates of both are at the end of this file. The scripts start no program; they read the names
# of runs from a directory.
#
# In the script for bash each command is a branch of a `case`, with its options and the kinds of its operands:
#
#     report) left='--scaling --price ...' operands='run' formats='text markdown ...' ;;
#
# In the one for zsh it has specifications of _arguments:
#
#     (report) options=('--scaling[...]' ...) operands=('1:RUN:_touchstone_runs') ;;
package Touchstone::Cli::Completion;
use 5.014;
use strict;
use warnings;

use Touchstone;
use Touchstone::Base::Text qw(single_quoted);
use Touchstone::Cli::Commands;
use Touchstone::Cli::ListText;
use Touchstone::Cli::Options;
use Touchstone::Cli::Output;
use Touchstone::Suite;

# The texts by shell: each begins below a line that names its shell.
my %TEXT = do { local $/; (split /^=== (\w+)\n/m, <DATA>)[ 1 .. 4 ] };

my %PARTS = (bash => \&_parts_of_bash, zsh => \&_parts_of_zsh);

# How values of these kinds are completed; one of another kind only if it has words of its own.
my %HOW = (run => 'run', format => 'format', file => 'file', path => 'file', place => 'directory');

# How these operands are completed; the others by the kinds of their values.
my %OPERAND = (TEST => 'test', NAME => 'listed', WORD => 'helped');

# Words that `list` takes besides the names of tests and groups.
my $LISTED = "$Touchstone::Cli::ListText::GROUPS $Touchstone::Cli::ListText::RUNS";

# In zsh these actions complete values; a value of another kind is not completed.
my %ACTION = (
    run       => '_touchstone_runs',
    file      => '_files',
    directory => '_path_files -/',
    test      => '_touchstone_tests',
    listed    => "_touchstone_tests $LISTED",
    helped    => '_touchstone_helped'
);

sub run {
    my ($options) = @_;
    return Touchstone::Cli::Output::say(script($options->{operands}[0], Touchstone::Suite::load()));
}

sub script {
    my ($shell, $suite) = @_;
    my $facts = _known($suite);
    my %part  = (VERSION => $Touchstone::VERSION, $PARTS{$shell}->($facts));
    return $TEXT{$shell} =~ s/\@([A-Z]+)\@/$part{$1}/gr;
}

# The source of both scripts:
#
#   { commands => [ {                 that of measuring first, as Commands has them, and
#         options  => [ {             as Options::described has them, and
#             how   => 'words',       or run, format, file, directory, key, other, or '' for a switch
#             known => ['none', ...]  words or keys (KEY=) of its value
#         } ],
#         operands => [ [ 'run', known ... ] ], how each is completed; the last one also those that follow, if
#         many     => 1 } ],                    more are allowed
#     options  => [ all of them ],
#     first    => [ words of which each begins a command ],
#     families => { fleet => [names] },
#     tests    => [ [name, title] ],
#     groups   => [names] }
sub _known {
    my ($suite) = @_;
    my @commands = (Touchstone::Cli::Commands::named('measure'), Touchstone::Cli::Commands::all());
    my %is_first;
    return {
        commands => [ map { _command($_) } @commands ],
        options  => [ map { _option($_) } Touchstone::Cli::Options::described() ],
        first    => [ grep { !$is_first{$_}++ } map { $_->{name} =~ s/ .*//r } @commands[ 1 .. $#commands ] ],
        families => {
            map {
                my $family = $_;
                $family => [ map { $_->{name} =~ s/\A\w+ //r } Touchstone::Cli::Commands::of_family($family) ]
            } Touchstone::Cli::Commands::families()
        },
        tests  => [ map { [ @$_{qw(name title)} ] } $suite->tests ],
        groups => [ sort keys %{ $suite->groups } ]
    };
}

sub _command {
    my ($command) = @_;
    my @operands = Touchstone::Cli::Commands::operands($command);
    return {
        %$command,
        options  => [ map { _option($_) } Touchstone::Cli::Options::described($command) ],
        operands => [ map { _operand($command, $_, $operands[$_]{name}) } 0 .. $#operands ],
        many     => @operands && $operands[-1]{many}
    };
}

sub _option {
    my ($option) = @_;
    my $how =
          !defined $option->{kind}    ? ''
        : @{ $option->{keys} }        ? 'key'
        : $option->{name} eq 'format' ? 'format'
        : @{ $option->{words} }       ? 'words'
        :                               $HOW{ $option->{kind} } // 'other';
    return { %$option, how => $how, known => [ @{ $option->{words} }, map { "$_=" } @{ $option->{keys} } ] };
}

# How an operand is completed, and its words.
sub _operand {
    my ($command, $number, $name) = @_;
    return [ $OPERAND{$name} ] if $OPERAND{$name};
    my $kind  = Touchstone::Cli::Commands::operand_kind($command, $number);
    my @words = @{ Touchstone::Cli::Options::kind($kind)->{words} || [] };
    return @words ? [ words => @words ] : [ $HOW{$kind} // 'other' ];
}

sub _parts_of_bash {
    my ($facts) = @_;
    my ($usual, @commands) = @{ $facts->{commands} };
    return (
        SHORT    => _branches_of_letters($facts),
        HOW      => _branches_of_values($facts),
        NOT      => _branches_of_exclusions($facts),
        COMMANDS => join("\n", map { _branch_of_command($_) } @commands),
        MEASURE  => _branch_of_command($usual) =~ s/\A.*?\) //r =~ s/ ;;\z//r,
        FAMILIES => join('|', map { "'/$_'" } sort keys %{ $facts->{families} }),
        MEMBERS  => join("\n",
            map { "        $_) known='@{ $facts->{families}{$_} }' ;;" } sort keys %{ $facts->{families} }),
        FIRST   => join(' ', @{ $facts->{first} }),
        MANY    => join('|', map { "--$_->{name}" } grep { $_->{many} } @{ $facts->{options} }),
        LETTERS => join(' ', map { "-$_->{short}" } grep { defined $_->{short} } @{ $facts->{options} }),
        LISTED  => $LISTED,
        TESTS   => join(' ', map({ $_->[0] } @{ $facts->{tests} }), @{ $facts->{groups} }),
    );
}

# The kinds of operands are words; "+" follows the last one if more are allowed.
sub _branch_of_command {
    my ($command) = @_;
    my @operands  = map { $_->[0] } @{ $command->{operands} };
    my @known     = map { @$_[ 1 .. $#$_ ] } @{ $command->{operands} };
    push @operands, '+' if $command->{many};
    return sprintf "        '%s') left='%s' operands='%s' formats='%s' ;;", $command->{name},
        join(' ', map { "--$_->{name}" } @{ $command->{options} }, { name => 'help' }), "@operands",
        join ' ', @known, @{ $command->{formats} || [] };
}

# Returns branches of a case from pairs [body, name]; names with the same body share a branch.
sub _branches {
    my (@pairs) = @_;
    my (%names, @order);
    for my $pair (@pairs) {
        push @order,                    $pair->[0] if !$names{ $pair->[0] };
        push @{ $names{ $pair->[0] } }, $pair->[1];
    }
    return join "\n", map { '        ' . join('|', @{ $names{$_} }) . ") $_ ;;" } @order;
}

sub _branches_of_letters {
    return _branches(
        map  { [ "name=--$_->{name}", "-$_->{short}" ] }
        grep { defined $_->{short} } @{ $_[0]{options} }
    );
}

sub _branches_of_values {
    my ($facts) = @_;
    return _branches(
        map  { [ "how='$_->{how}'" . (@{ $_->{known} } ? " known='@{ $_->{known} }'" : ''), "--$_->{name}" ] }
        grep { $_->{how} } @{ $facts->{options} }
    );
}

# The options that cannot be combined with one of this name.
sub _excluded {
    my ($facts, $option) = @_;
    my $name        = $option->{name};
    my %is_excluded = map { $_ => 1 } split ' ', $option->{not} // '';
    for my $other (@{ $facts->{options} }) {
        $is_excluded{ $other->{name} } = 1 if grep { $_ eq $name } split ' ', $other->{not} // '';
    }
    return sort keys %is_excluded;
}

sub _branches_of_exclusions {
    my ($facts) = @_;
    my @pairs = map { [ $_, _excluded($facts, $_) ] } @{ $facts->{options} };
    return _branches(
        map {
            my ($option, @names) = @$_;
            [ "not='" . join(' ', map { "--$_" } @names) . "'", "--$option->{name}" ]
            }
            grep { @$_ > 1 } @pairs
    );
}

sub _parts_of_zsh {
    my ($facts) = @_;
    my ($usual, @commands) = @{ $facts->{commands} };
    my @first = map { [ $_->{name}, $_->{help} ] } grep { $_->{name} !~ / / } @commands;
    push @first, map { [ $_, Touchstone::Cli::Commands::family($_) ] } sort keys %{ $facts->{families} };
    return (
        COMMANDS => join("\n", map { _branch_of_zsh($facts, $_) } @commands),
        MEASURE  => _branch_of_zsh($facts, $usual, '*'),
        FAMILIES => join('|', sort keys %{ $facts->{families} }),
        MEMBERS  => join("\n",
            map { "        ($_) members=(@{ $facts->{families}{$_} }) ;;" }
            sort keys %{ $facts->{families} }),
        FIRST  => _lines(map { "$_->[0]:$_->[1]" } @first),
        TESTS  => _lines(map { "$_->[0]:$_->[1]" } @{ $facts->{tests} }),
        GROUPS => join(' ', @{ $facts->{groups} }),
    );
}

sub _lines {
    return join "\n", map { '        ' . single_quoted($_ =~ s/([\\])/\\$1/gr) } @_;
}

sub _branch_of_zsh {
    my ($facts, $command, $pattern) = @_;
    my @operands = @{ $command->{operands} };
    my $number   = 0;
    my @lines    = (map { _specification($facts, $command, $_) } @{ $command->{options} });
    push @lines, single_quoted('(-h --help)') . "{-h,--help}'[explain this command]'";
    for my $operand (@operands) {
        $number++;
        my $place = $command->{many} && $number == @operands ? '*' : $number;
        push @lines, single_quoted("$place:argument:" . _action(@$operand));
    }
    return join "\n", '        (' . ($pattern // single_quoted($command->{name})) . ')',
        $pattern ? '            command=' : (),
        "            formats=(@{ $command->{formats} || [] })", '            arguments=(',
        (map { "                $_" } @lines), '            ) ;;';
}

sub _spellings {
    my ($option) = @_;
    return ((defined $option->{short} ? "-$option->{short}" : ()), "--$option->{name}");
}

# A specification of an option, on one line.
sub _specification {
    my ($facts, $command, $option) = @_;
    my %of_command = map { $_->{name} => $_ } @{ $command->{options} };
    my @without    = map { _spellings($_) } map { $of_command{$_} // () } _excluded($facts, $option),
        $option->{many} ? () : $option->{name};
    return
          single_quoted("(@without)" . ($option->{many} ? '*' : ''))
        . _named($option)
        . single_quoted('[' . ($option->{help} =~ s/([\\\[\]])/\\$1/gr) . ']' . _value($option));
}

# A letter has its value in its own word or in the next one; a name has it behind = or in the next word.
sub _named {
    my ($option) = @_;
    my @names = _spellings($option);
    if ($option->{how}) { $_ .= /\A--/ ? '=' : '+' for @names }
    return @names > 1 ? '{' . join(',', @names) . '}' : $names[0];
}

sub _value {
    my ($option) = @_;
    return '' if !$option->{how};
    return ':value:' . _action($option->{how}, @{ $option->{known} });
}

# _arguments puts words of its own before those of an action that has no blank before it.
sub _action {
    my ($how, @known) = @_;
    return " _touchstone_keys @known" if $how eq 'key';
    return "(@known)"                 if $how eq 'words';
    return '{compadd -a formats}'     if $how eq 'format';
    return $ACTION{$how} // ' ';
}

1;

__DATA__
=== bash
# bash completion of Touchstone @VERSION@, for bash 3.2 and later. `Run completion bash` prints it.
# shellcheck shell=bash

# Sets for an option: its long name, how its value is completed if it has one, and the options that it
# excludes.
_touchstone_option() {
    case $1 in
@SHORT@
        *) name=$1 ;;
    esac
    how='' known='' not=''
    case $name in
@HOW@
    esac
    case $name in
@NOT@
    esac
}

# Removes this option, if it may be given once, and those that it excludes.
_touchstone_given() {
    local option rest=''
    _touchstone_option "$1"
    for option in $left; do
        case " $not " in *" $option "*) continue ;; esac
        if [ "$option" = "$name" ]; then
            case $option in @MANY@) ;; *) continue ;; esac
        fi
        rest="$rest $option"
    done
    left=$rest
}

# Sets the options and operands of a command, which is one word or two; other words measure.
_touchstone_command() {
    case $1 in
@COMMANDS@
        *) return 1 ;;
    esac
}

# Reads a word of several letters; behind a letter that has a value, the rest is that value.
_touchstone_letters() {
    local letters=$1
    while [ "$letters" ]; do
        _touchstone_given "-${letters:0:1}"
        letters=${letters:1}
        [ -z "$how" ] || break
    done
    [ -z "$letters" ] || how=''
}

# Sets the words up to the cursor; bash splits them at = and : too.
_touchstone_words() {
    local i word gap=1 line=$COMP_LINE bare
    words=()
    for ((i = 0; i <= COMP_CWORD; i++)); do
        word=${COMP_WORDS[i]}
        bare=${line#"${line%%[![:space:]]*}"}
        [ "$i" = 0 ] || gap=$((${#line} - ${#bare}))
        case $gap/${words[*]: -1}/$word in
            0/*[=:]/*|0/*/[=:]*) words[${#words[@]} - 1]+=$word ;;
            *) words+=("$word") ;;
        esac
        line=${bare#"$word"}
    done
}

# Reads the words before the last one.
_touchstone_read() {
    local i word
    for ((i = first; i < ${#words[@]} - 1; i++)); do
        word=${words[i]}
        if [ "$how" ]; then
            how=''
            continue
        fi
        case $ended$word in
            --) ended=/ ;;
            --*=*) _touchstone_given "${word%%=*}"; how='' ;;
            --*) _touchstone_given "$word" ;;
            -?*) _touchstone_letters "${word#-}" ;;
            *) count=$((count + 1)) ;;
        esac
    done
}

# Decides how a word is completed that is no value of the option before it.
_touchstone_word() {
    local kind number=0
    case $ended$cur in
        --*=*)
            _touchstone_option "${cur%%=*}"
            stem=${cur%%=*}=
            cur=${cur#*=}
            how=${how:-other}
            return ;;
        -*) how='option'; return ;;
    esac
    how='option'
    for kind in $operands; do
        [ "$kind" != + ] || return 0
        how=$kind
        number=$((number + 1))
        [ "$number" -le "$count" ] || return 0
    done
    how='option'
}

_touchstone_offer() {
    local word
    for word in $1; do
        case $word in "$cur"*) COMPREPLY+=("$stem$word") ;; esac
    done
}

_touchstone_options() {
    local option
    for option in $left; do _touchstone_offer "$option"; done
    for option in @LETTERS@; do
        _touchstone_option "$option"
        case " $left " in *" $name "*) _touchstone_offer "$option" ;; esac
    done
}

# Sets REPLY to a word as the shell would read it, but without expansions.
_touchstone_unquoted() {
    local i letter quote=''
    REPLY=''
    for ((i = 0; i < ${#1}; i++)); do
        letter=${1:i:1}
        case $quote$letter in
            \\|\"\\) i=$((i + 1)); REPLY+=${1:i:1} ;;
            \"|\') quote=$letter ;;
            \"\"|\'\') quote='' ;;
            *) REPLY+=$letter ;;
        esac
    done
    case $1 in \~/*) REPLY=$HOME/${REPLY#??} ;; esac
}

# Sets REPLY to where the command on the line keeps its records: see XDG_STATE_HOME in its manual.
_touchstone_records() {
    local command link links=0 state=${XDG_STATE_HOME-}
    if [ "${UB_RESULTDIR-}" ]; then
        REPLY=$UB_RESULTDIR/.runs
        return
    fi
    _touchstone_unquoted "${words[0]}"
    command=$REPLY
    case $command in */*) ;; *) command=$(type -P -- "$command") ;; esac
    while [ -L "$command" ] && [ $((links += 1)) -lt 20 ] && link=$(readlink "$command"); do
        case $link in /*) command=$link ;; *) command=${command%/*}/$link ;; esac
    done
    if [ -e "${command%/*}/Makefile" ]; then
        REPLY=${command%/*}/results/.runs
        return
    fi
    case $state in /*) ;; *) state=$HOME/.local/state ;; esac
    REPLY=$state/touchstone/results/.runs
}

# Prints the names of runs, a line each; a name that begins with - would be an option. The subshell keeps its
# settings to itself.
_touchstone_list() {
    (
        CDPATH='' cd -- "$1" >/dev/null 2>&1 || exit
        set +f
        shopt -u failglob nullglob
        for run in *.json *.json.gz *.jsonl; do
            case $run in -*|*[[:cntrl:]]*) continue ;; esac
            [ ! -f "$run" ] || printf '%s\n' "${run%.json*}"
        done
    )
}

# Names come quoted. Within open quotes only names that need none are offered.
_touchstone_runs() {
    local run quoted REPLY open=''
    case $cur in
        */*) return ;;
        \"*|\'*) open=${cur:0:1} cur=${cur:1} ;;
    esac
    _touchstone_records
    while IFS= read -r run; do
        [ "$run" ] || continue
        printf -v quoted %q "$run"
        [ -z "$open" ] || [ "$quoted" = "$run" ] || continue
        case $quoted/$run in "$cur"*|*/"$cur"*) COMPREPLY+=("$stem$quoted") ;; esac
    done <<END
$(_touchstone_list "$REPLY")
END
}

# bash replaces only what stands behind the last = or : of a word.
_touchstone_cut() {
    local i mark rest whole=${words[${#words[@]} - 1]} most=0
    for mark in = :; do
        case $COMP_WORDBREAKS in *"$mark"*) ;; *) continue ;; esac
        case $whole in *"$mark"*) rest=${whole##*"$mark"} ;; *) continue ;; esac
        [ $((${#whole} - ${#rest})) -le "$most" ] || most=$((${#whole} - ${#rest}))
    done
    for ((i = 0; i < ${#COMPREPLY[@]}; i++)); do COMPREPLY[i]=${COMPREPLY[i]:most}; done
}

# Before bash 4 there is no compopt, and files are offered where nothing else is.
_touchstone_compopt() {
    [ "${BASH_VERSINFO[0]}" -lt 4 ] || compopt "$@" 2>/dev/null || :
}

# Offers the names of commands of a family, such as fleet.
_touchstone_members() {
    case $1 in
@MEMBERS@
    esac
    _touchstone_offer "$known"
}

_touchstone() {
    local IFS=$' \t\n' words cur stem='' ended='' count=0 first=1 name='' how='' known='' not=''
    local left='' operands='' formats=''
    COMPREPLY=()
    _touchstone_words
    [ ${#words[@]} -gt 1 ] || return
    # A file follows > and the like.
    case ${words[${#words[@]} - 2]} in *[\<\>]) return ;; esac
    cur=${words[${#words[@]} - 1]}
    if [ ${#words[@]} -gt 2 ] && _touchstone_command "${words[1]}"; then
        first=2
    elif [ ${#words[@]} -gt 3 ] && _touchstone_command "${words[1]} ${words[2]}"; then
        first=3
    elif [ ${#words[@]} = 3 ] && case /${words[1]} in @FAMILIES@) ;; *) false ;; esac then
        _touchstone_members "${words[1]}"
        _touchstone_compopt +o default
        return
    else
        @MEASURE@
        [ ${#words[@]} != 2 ] || operands="first +"
    fi
    _touchstone_read
    [ "$how" ] || _touchstone_word
    case $how in run|file) ;; *) _touchstone_compopt +o default ;; esac
    case $how in
        option) _touchstone_options ;;
        first) _touchstone_offer '@TESTS@ @FIRST@' ;;
        test) _touchstone_offer '@TESTS@' ;;
        listed) _touchstone_offer '@TESTS@ @LISTED@' ;;
        helped) _touchstone_offer '@TESTS@ @FIRST@ measure'; [ "$count" = 0 ] || _touchstone_members "${words[first]}" ;;
        words) _touchstone_offer "${known:-$formats}" ;;
        format) _touchstone_offer "$formats" ;;
        key) _touchstone_offer "$known"; _touchstone_compopt -o nospace ;;
        run) _touchstone_runs ;;
        directory) _touchstone_compopt -o dirnames ;;
    esac
    _touchstone_cut
}

complete -o default -F _touchstone Run touchstone
=== zsh
#compdef Run touchstone
# zsh completion of Touchstone @VERSION@, for zsh 5 and later. `Run completion zsh` prints it.

# Completes runs that are stored where the command on the line keeps them (see XDG_STATE_HOME in its manual),
# and files where no run fits.
_touchstone_runs() {
    local expl directory command=${(Q)words[1]} home=${XDG_STATE_HOME:-}
    local -a runs
    command=${command/#\~\//$HOME/}
    [[ $command == */* ]] || command=${commands[$command]:-}
    command=${command:A}
    [[ $home == /* ]] || home=$HOME/.local/state
    if [[ -n ${UB_RESULTDIR:-} ]]; then
        directory=$UB_RESULTDIR/.runs
    elif [[ -e ${command:h}/Makefile ]]; then
        directory=${command:h}/results/.runs
    else
        directory=$home/touchstone/results/.runs
    fi
    runs=($directory/*.json(|l|.gz)(N-.:t))
    runs=(${runs%.json(|l|.gz)})
    runs=(${(u)runs:#(-*|*[[:cntrl:]]*)})
    _wanted runs expl 'stored run' compadd -a runs || _files
}

# Keys of KEY=VALUE.
_touchstone_keys() {
    local expl
    [[ -prefix *= ]] || _wanted keys expl key compadd -S '' - "$@"
}

_touchstone_tests() {
    local -a tests groups
    tests=(
@TESTS@
    )
    groups=(@GROUPS@ $@)
    _describe -t tests test tests
    local ret=$?
    _describe -t groups group groups || return ret
}

_touchstone_commands() {
    local -a commands
    commands=(
@FIRST@
    )
    _describe -t commands command commands
}

_touchstone_helped() {
    _touchstone_commands
    local ret=$?
    _touchstone_tests measure || return ret
}

_touchstone_first() {
    _touchstone_commands
    local ret=$?
    _touchstone_tests || return ret
}

_touchstone() {
    local curcontext=$curcontext state state_descr command=
    local -a arguments formats members line
    local -A opt_args
    (( CURRENT > 2 )) && command=$words[2]
    if [[ $command == (@FAMILIES@) ]]; then
        if (( CURRENT == 3 )); then
            case $command in
@MEMBERS@
            esac
            compadd -a members
            return
        fi
        command+=" $words[3]"
    fi
    case $command in
@COMMANDS@
@MEASURE@
    esac
    if [[ -n $command ]]; then
        # The command is no operand.
        local -i length=${(w)#command}
        words=($words[1] "${(@)words[2 + length,-1]}")
        (( CURRENT -= length ))
    elif (( CURRENT == 2 )); then
        arguments=("${(@)arguments:#\**}" '*:test:_touchstone_first')
    fi
    _arguments -s -S $arguments
}

# compinit loads this file in order to complete a word; a shell that reads it only registers the function.
if [[ ${funcstack[1]:-} == _touchstone ]]; then
    _touchstone "$@"
elif (( $+functions[compdef] )); then
    compdef _touchstone Run touchstone
else
    print -u2 'completion of Touchstone: run compinit first'
    return 1
fi
