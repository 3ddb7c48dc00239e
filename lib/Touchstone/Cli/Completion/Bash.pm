# SPDX-License-Identifier: GPL-2.0-or-later
# Cli::Completion::Bash - the script that completes words in bash 3.2 and later, with or without the package
# bash-completion. It knows the options as branches of a `case`:
#
#     case $name in
#         --report|--baseline|--resume) how='run' ;;
#         --pin) how='words' known='none spread pack' ;;
package Touchstone::Cli::Completion::Bash;
use 5.014;
use strict;
use warnings;

use Touchstone;

my $TEXT = do { local $/; <DATA> };

sub script {
    my ($known) = @_;
    my %part = (
        VERSION => $Touchstone::VERSION,
        SHORT   => _short($known),
        HOW     => _how($known),
        BESIDE  => _beside($known),
        FORMATS => _formats($known),
        MANY    => _either(map { $_->{name} } grep { $_->{many} } @{ $known->{options} }),
        VERBS   => _either(_verbs($known)),
        ALONE   => _either(@{ $known->{alone} }),
        NEEDING => _either(@{ $known->{of_verbs} }),
        OPTIONS => join(' ', map { "--$_->{name}" } @{ $known->{options} }),
        LETTERS => join(' ', map { "-$_->{short}" } grep { defined $_->{short} } @{ $known->{options} }),
        LISTED  => join(' ', @{ $known->{listed} }),
        TESTS   => join(' ', map({ $_->[0] } @{ $known->{tests} }), @{ $known->{groups} }),
    );
    return $TEXT =~ s/\@([A-Z]+)\@/$part{$1}/gr;
}

# Options such as --help stand alone, like the verbs.
sub _verbs {
    my ($known) = @_;
    my %seen;
    return grep { !$seen{$_}++ } @{ $known->{verbs} }, @{ $known->{alone} };
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

sub _short {
    return _branches(
        map  { [ "name=--$_->{name}", "-$_->{short}" ] }
        grep { defined $_->{short} } @{ $_[0]{options} }
    );
}

sub _how {
    my ($known) = @_;
    return _branches(
        map  { [ "how='$_->{how}'" . (@{ $_->{known} } ? " known='@{ $_->{known} }'" : ''), "--$_->{name}" ] }
        grep { $_->{how} } @{ $known->{options} }
    );
}

# An option is listed beside itself too, so that options which exclude the same others share a branch.
sub _beside {
    my ($known) = @_;
    my @order = map { $_->{name} } @{ $known->{options} };
    my @pairs;
    for my $option (@{ $known->{options} }) {
        my %with = map { $_ => 1 } $option->{name}, @{ $option->{beside} };
        push @pairs,
            [ "beside='" . join(' ', map { "--$_" } grep { $with{$_} } @order) . "'", "--$option->{name}" ];
    }
    return _branches(@pairs);
}

sub _formats {
    my ($known) = @_;
    return _branches(
        map { [ "known='@{ $known->{formats}{$_} }'", "--$_" ] }
        sort keys %{ $known->{formats} }
    );
}

1;

__DATA__
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
