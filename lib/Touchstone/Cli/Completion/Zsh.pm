# SPDX-License-Identifier: GPL-2.0-or-later
# Cli::Completion::Zsh - the script that completes words in zsh 5 and later. It knows the options as
# _arguments wants them: what excludes them, their spellings, what they are, and how a value is completed:
#
#     '(--list --report -q --quiet)'{-q,--quiet}'[print nothing on the terminal but errors]'
#     '(--list --report --pin)--pin=[none, spread, pack or a list of CPUs]:value:(none spread pack)'
package Touchstone::Cli::Completion::Zsh;
use 5.014;
use strict;
use warnings;

use Touchstone::Base::Text qw(single_quoted);
use Touchstone;

my $TEXT = do { local $/; <DATA> };

# These actions complete values; a value of another kind is not completed.
my %ACTION = (
    run       => '_touchstone_runs',
    format    => '_touchstone_formats',
    file      => '_files',
    directory => '_path_files -/'
);

sub script {
    my ($known) = @_;
    my %needing = map { $_ => 1 } @{ $known->{of_verbs} };
    my %part    = (
        VERSION => $Touchstone::VERSION, VERBS => join('|', map { "--$_" } @{ $known->{verbs} }),
        OPTIONS => _specifications($known, grep { !$needing{ $_->{name} } } @{ $known->{options} }),
        NEEDING => _specifications($known, grep { $needing{ $_->{name} } } @{ $known->{options} }),
        WORDS   => join('|', map { "--$_" } sort keys %needing),
        FORMATS => _formats($known),
        TESTS   => _lines(map { "$_->[0]:$_->[1]" } @{ $known->{tests} }),
        GROUPS  => join(' ', @{ $known->{groups} }),
        LISTED  => join(' ', @{ $known->{listed} }),
    );
    return $TEXT =~ s/\@([A-Z]+)\@/$part{$1}/gr;
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
    my ($known, @options) = @_;
    my %option = map { $_->{name} => $_ } @{ $known->{options} };
    my %alone  = map { $_         => 1 } @{ $known->{alone} };
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
    my ($known) = @_;
    return join "\n",
        map { "        (--$_) formats=(@{ $known->{formats}{$_} }) ;;" } sort keys %{ $known->{formats} };
}

1;

__DATA__
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
