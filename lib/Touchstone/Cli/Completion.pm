# SPDX-License-Identifier: GPL-2.0-or-later
# Cli::Completion - generates the completion scripts of the command line from the tables of Options and Suite:
# one for bash 3.2 and later, with or without the package bash-completion, and one for zsh 5 and later. The
# templates of both stand at the end of this file. The scripts start no program; they read the names of runs
# from a directory.
#
# In the script for bash the options are branches of a `case`:
#
#     case $name in
#         --report|--baseline|--resume) how='run' ;;
#         --pin) how='words' known='none spread pack' ;;
#
# In the one for zsh they are specifications of _arguments: what excludes them, their spellings, their
# meaning, and how a value is completed:
#
#     '(--list --report -q --quiet)'{-q,--quiet}'[print nothing on the terminal but errors]'
#     '(--list --report --pin)--pin=[none, spread, pack or a list of CPUs]:value:(none spread pack)'
package Touchstone::Cli::Completion;
use 5.014;
use strict;
use warnings;

use Touchstone;
use Touchstone::Base::Text qw(single_quoted);
use Touchstone::Cli::ListText;
use Touchstone::Cli::Options;
use Touchstone::Cli::Output;
use Touchstone::Suite;

# The texts by shell: each begins below a line that names its shell.
my %TEXT = do { local $/; (split /^=== (\w+)\n/m, <DATA>)[ 1 .. 4 ] };

# What makes the parts of a text that are not in both.
my %PARTS = (bash => \&_parts_of_bash, zsh => \&_parts_of_zsh);

# A value of these kinds is completed in this way; one of another kind only where it has words of its own.
my %HOW = (run => 'run', format => 'format', file => 'file', place => 'directory');

# In zsh these actions complete values; a value of another kind is not completed.
my %ACTION = (
    run       => '_touchstone_runs',
    format    => '_touchstone_formats',
    file      => '_files',
    directory => '_path_files -/'
);

sub run {
    my ($options) = @_;
    return Touchstone::Cli::Output::say(script($options->{completion}, Touchstone::Suite::load()));
}

sub script {
    my ($shell, $suite) = @_;
    my $facts = known($suite);
    my %part  = (
        VERSION => $Touchstone::VERSION,
        LISTED  => $Touchstone::Cli::ListText::GROUPS,
        $PARTS{$shell}->($facts),
    );
    return $TEXT{$shell} =~ s/\@([A-Z]+)\@/$part{$1}/gr;
}

# Returns what both scripts are made of:
#
#   { options => [ {                  as Options::described has them, and
#         how    => 'words',          or run, format, file, directory, key, other, or '' for a switch
#         known  => ['none', ...],    words or keys (KEY=) that its value can be completed to
#         beside => [names],          options that may stand beside it
#         others => [names] } ],      those that may not
#     tests    => [ [name, title] ],
#     groups   => [names],
#     verbs    => [names],
#     of_verbs => [names],
#     alone    => [names],            options that take no tests
#     formats  => { verb => [...] } }
sub known {
    my ($suite) = @_;
    my $rules   = Touchstone::Cli::Options::rules();
    my @options = Touchstone::Cli::Options::described();
    for my $option (@options) {
        my (@beside, @others);
        push @{ $rules->fit($option->{name}, $_->{name}) ? \@beside : \@others }, $_->{name}
            for grep { $_ != $option } @options;
        @$option{qw(beside others how)} = (\@beside, \@others, _how($option));
        $option->{known} = [ @{ $option->{words} }, map { "$_=" } @{ $option->{keys} } ];
    }
    return {
        options  => \@options,
        verbs    => [ $rules->verbs ],
        of_verbs => [ $rules->of_verbs ],
        alone    => [ $rules->without_words ],
        tests    => [ map { [ @$_{qw(name title)} ] } $suite->tests ],
        groups   => [ sort keys %{ $suite->groups } ],
        formats  => {
            map  { $_ => [ $rules->formats($_) ] }
            grep { $rules->fit($_, 'format') } $rules->verbs
        },
    };
}

sub _how {
    my ($option) = @_;
    return ''    if !defined $option->{kind};
    return 'key' if @{ $option->{keys} };
    return @{ $option->{words} } ? 'words' : $HOW{ $option->{kind} } // 'other';
}

sub _parts_of_bash {
    my ($facts) = @_;
    return (
        SHORT   => _branches_of_letters($facts),
        HOW     => _branches_of_values($facts),
        BESIDE  => _beside($facts),
        FORMATS => _branches_of_formats($facts),
        MANY    => _either(map { $_->{name} } grep { $_->{many} } @{ $facts->{options} }),
        VERBS   => _either(_verbs($facts)),
        ALONE   => _either(@{ $facts->{alone} }),
        NEEDING => _either(@{ $facts->{of_verbs} }),
        OPTIONS => join(' ', map { "--$_->{name}" } @{ $facts->{options} }),
        LETTERS => join(' ', map { "-$_->{short}" } grep { defined $_->{short} } @{ $facts->{options} }),
        TESTS   => join(' ', map({ $_->[0] } @{ $facts->{tests} }), @{ $facts->{groups} }),
    );
}

# Options such as --help stand alone, like the verbs.
sub _verbs {
    my ($facts) = @_;
    my %seen;
    return grep { !$seen{$_}++ } @{ $facts->{verbs} }, @{ $facts->{alone} };
}

sub _either {
    return join '|', map { "--$_" } @_;
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

# An option is listed beside itself too, so that options which exclude the same others share a branch.
sub _beside {
    my ($facts) = @_;
    my @order = map { $_->{name} } @{ $facts->{options} };
    my @pairs;
    for my $option (@{ $facts->{options} }) {
        my %with = map { $_ => 1 } $option->{name}, @{ $option->{beside} };
        push @pairs,
            [ "beside='" . join(' ', map { "--$_" } grep { $with{$_} } @order) . "'", "--$option->{name}" ];
    }
    return _branches(@pairs);
}

sub _branches_of_formats {
    my ($facts) = @_;
    return _branches(
        map { [ "known='@{ $facts->{formats}{$_} }'", "--$_" ] }
        sort keys %{ $facts->{formats} }
    );
}

sub _parts_of_zsh {
    my ($facts) = @_;
    my %needing = map { $_ => 1 } @{ $facts->{of_verbs} };
    return (
        VERBS   => _either(@{ $facts->{verbs} }),
        OPTIONS => _specifications($facts, grep { !$needing{ $_->{name} } } @{ $facts->{options} }),
        NEEDING => _specifications($facts, grep { $needing{ $_->{name} } } @{ $facts->{options} }),
        WORDS   => _either(sort keys %needing),
        FORMATS => _formats($facts),
        TESTS   => _lines(map { "$_->[0]:$_->[1]" } @{ $facts->{tests} }),
        GROUPS  => join(' ', @{ $facts->{groups} }),
    );
}

sub _lines {
    return join "\n", map { '        ' . single_quoted($_) } @_;
}

sub _spellings {
    my ($option) = @_;
    return ((defined $option->{short} ? "-$option->{short}" : ()), "--$option->{name}");
}

# Returns a specification, a line each, for every option that is given.
sub _specifications {
    my ($facts, @options) = @_;
    my %option = map { $_->{name} => $_ } @{ $facts->{options} };
    my %alone  = map { $_         => 1 } @{ $facts->{alone} };
    my @lines;
    for my $option (@options) {
        my @without = map { _spellings($option{$_}) } @{ $option->{others} },
            $option->{many} ? () : $option->{name};
        push @without, '*' if $alone{ $option->{name} };
        push @lines,
              single_quoted("(@without)" . ($option->{many} ? '*' : ''))
            . _named($option)
            . single_quoted('[' . ($option->{help} =~ s/([\\\[\]])/\\$1/gr) . ']' . _value($option));
    }
    return join "\n", map { "        $_" } @lines;
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
    my @known = @{ $option->{known} };

    # _arguments puts words of its own before those of an action that has no blank before it.
    my $action =
          $option->{how} eq 'key'   ? " _touchstone_keys @known"
        : $option->{how} eq 'words' ? "(@known)"
        :                             $ACTION{ $option->{how} } // ' ';
    return ":value:$action";
}

sub _formats {
    my ($facts) = @_;
    return join "\n",
        map { "        (--$_) formats=(@{ $facts->{formats}{$_} }) ;;" } sort keys %{ $facts->{formats} };
}

1;

__DATA__
=== bash
# bash completion of Touchstone @VERSION@, for bash 3.2 and later. `Run --completion bash` prints it.
# shellcheck shell=bash

# Sets for an option: its long name, how its value is completed if it has one, and the options that may stand
# beside it.
_touchstone_option() {
    case $1 in
@SHORT@
        *) name=$1 ;;
    esac
    how='' known=''
    case $name in
@HOW@
    esac
    case $name in
@BESIDE@
        *) beside=$left ;;
    esac
}

# Removes the options that cannot stand beside this one.
_touchstone_said() {
    local option rest=''
    _touchstone_option "$1"
    for option in $left; do
        case " $beside " in *" $option "*) ;; *) continue ;; esac
        if [ "$option" = "$name" ]; then
            case $option in @MANY@) ;; *) continue ;; esac
        fi
        rest="$rest $option"
    done
    left=$rest
    case $name in @VERBS@) verb=$name ;; esac
}

# Reads a word of several letters; behind a letter that has a value, the rest is that value.
_touchstone_letters() {
    local letters=$1
    while [ "$letters" ]; do
        _touchstone_said "-${letters:0:1}"
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
    for ((i = 1; i < ${#words[@]} - 1; i++)); do
        word=${words[i]}
        if [ "$how" ]; then
            how=''
            continue
        fi
        case $ended$word in
            --) ended=/ ;;
            --*=*) _touchstone_said "${word%%=*}"; how='' ;;
            --*) _touchstone_said "$word" ;;
            -?*) _touchstone_letters "${word#-}" ;;
            *) operands=$((operands + 1)) ;;
        esac
    done
}

# Decides how a word is completed that is no value of the option before it.
_touchstone_word() {
    case $ended$cur in
        --*=*)
            _touchstone_option "${cur%%=*}"
            stem=${cur%%=*}=
            cur=${cur#*=}
            how=${how:-other}
            return ;;
        -*) how='option'; return ;;
    esac
    case $verb in
        --compare) how='run' ;;
        --list) how='listed' ;;
        --duet) if [ "$operands" -lt 2 ]; then how='directory'; else how='test'; fi ;;
        @ALONE@) how='option' ;;
        *) how='test' ;;
    esac
}

_touchstone_offer() {
    local word
    for word in $1; do
        case $word in "$cur"*) COMPREPLY+=("$stem$word") ;; esac
    done
}

_touchstone_options() {
    local option
    for option in $left; do
        case $verb$option in @NEEDING@) ;; *) _touchstone_offer "$option" ;; esac
    done
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
        for run in *.json *.jsonl; do
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

_touchstone_formats() {
    case ${verb:---report} in
@FORMATS@
    esac
    _touchstone_offer "$known"
}

_touchstone() {
    local IFS=$' \t\n' words cur stem='' verb='' ended='' operands=0 name='' how='' known='' beside=''
    local left='@OPTIONS@'
    COMPREPLY=()
    _touchstone_words
    [ ${#words[@]} -gt 1 ] || return
    # A file follows > and the like.
    case ${words[${#words[@]} - 2]} in *[\<\>]) return ;; esac
    _touchstone_read
    cur=${words[${#words[@]} - 1]}
    [ "$how" ] || _touchstone_word
    case $how in run|file) ;; *) _touchstone_compopt +o default ;; esac
    case $how in
        option) _touchstone_options ;;
        test) _touchstone_offer '@TESTS@' ;;
        listed) _touchstone_offer '@TESTS@ @LISTED@' ;;
        words) _touchstone_offer "$known" ;;
        format) _touchstone_formats ;;
        key) _touchstone_offer "$known"; _touchstone_compopt -o nospace ;;
        run) _touchstone_runs ;;
        directory) _touchstone_compopt -o dirnames ;;
    esac
    _touchstone_cut
}

complete -o default -F _touchstone Run touchstone
=== zsh
#compdef Run touchstone
# zsh completion of Touchstone @VERSION@, for zsh 5 and later. `Run --completion zsh` prints it.

# Sets verb to what the line is about, if that is not measuring.
_touchstone_verb() {
    local word
    verb=
    for word in $words[2,CURRENT-1]; do
        case ${word%%=*} in (@VERBS@) verb=${word%%=*} ;; esac
    done
}

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
    runs=($directory/*.json(|l)(N-.:t))
    runs=(${runs%.json(|l)})
    runs=(${(u)runs:#(-*|*[[:cntrl:]]*)})
    _wanted runs expl 'stored run' compadd -a runs || _files
}

_touchstone_formats() {
    local expl verb
    local -a formats
    _touchstone_verb
    case ${verb:---report} in
@FORMATS@
    esac
    _wanted formats expl format compadd -a formats
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

_touchstone_words() {
    local verb
    _touchstone_verb
    case $verb in
        (--compare) _touchstone_runs ;;
        (--list) _touchstone_tests @LISTED@ ;;
        (--duet) if (( $#line <= 2 )); then _path_files -/; else _touchstone_tests; fi ;;
        (*) _touchstone_tests ;;
    esac
}

_touchstone() {
    local verb curcontext=$curcontext context state state_descr
    local -a options line
    local -A opt_args
    options=(
@OPTIONS@
    )
    _touchstone_verb
    if [[ -n $verb ]] || (( ${words[(I)(@WORDS@)(|=*)]} )); then options+=(
@NEEDING@
        )
    fi
    _arguments -s -S $options '*:test:_touchstone_words'
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
