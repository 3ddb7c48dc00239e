# SPDX-License-Identifier: GPL-2.0-or-later
# Report::Export::Ci - figures for systems that test: JUnit's XML (Jenkins, GitLab, Forgejo), messages of
# GitHub's Actions, test cases of LAVA:
#
#   <testcase classname="touchstone.test" name="pipe, 1 copy"><failure message="slower: -3.1 %"/></testcase>
#   ::error title=pipe, 1 copy::slower by 3.1 %25
#   lava-test-case pipe-1 --result pass --measurement 3237107.4 --units lps
#
# Texts of records come from strangers. None may end an attribute or begin a command.
package Touchstone::Report::Export::Ci;
use 5.014;
use strict;
use warnings;

use Touchstone::Base::Text qw(plural);
use Touchstone::Compare::Judgement qw($SLOWER $FASTER $SAME);
use Touchstone::Machine::Command;
use Touchstone::Report::Figures qw(label exact);
use Touchstone::Report::Verdict qw(word);

my $LAVA = 'lava-test-case';

# GitHub shows ten messages of a step.
my $MESSAGES = 10;

my %XML = ('&' => '&amp;', '<' => '&lt;', '>' => '&gt;', '"' => '&quot;', "'" => '&apos;');

# XML 1.0 has no U+FFFE and U+FFFF; control characters are gone already.
sub _xml {
    my ($text) = @_;
    $text =~ s/\xef\xbf[\xbe\xbf]/?/g;
    return $text =~ s/([&<>"'])/$XML{$1}/gr;
}

sub _suite {
    my ($name, $properties, @cases) = @_;
    my %count = map {
        my $what = $_;
        ($what => scalar grep { $_->{$what} } @cases)
    } qw(failure skipped);
    my @lines = (
        sprintf(
            '  <testsuite name="%s" tests="%d" failures="%d" skipped="%d" errors="0">',
            _xml($name),
            scalar @cases,
            @count{qw(failure skipped)}
        ),
        '    <properties>',
        (
            map  { sprintf '      <property name="%s" value="%s"/>', $_->[0], _xml($_->[1]) }
            grep { defined $_->[1] } @$properties
        ),
        '    </properties>',
        (map { _case($_) } @cases),
        '  </testsuite>'
    );
    return join '', map { "$_\n" } @lines;
}

sub _case {
    my ($case) = @_;
    my $begin  = sprintf '    <testcase classname="%s" name="%s"', map { _xml($_) } @$case{qw(class name)};
    my ($what) = grep { defined $case->{$_} } qw(failure skipped);
    return sprintf '%s><%s message="%s"/></testcase>', $begin, $what, _xml($case->{$what}) if $what;
    return sprintf '%s><system-out>%s</system-out></testcase>', $begin, _xml($case->{text});
}

sub _document {
    my (@suites) = @_;
    return join '', qq{<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n}, @suites, "</testsuites>\n";
}

# A case for each figure; what failed or was skipped is so here.
sub junit_of_run {
    my ($all) = @_;
    my $run   = $all->{run};
    my @cases = (
        $run->{valid}
        ? ()
        : { class => 'touchstone.run', name => 'the run is valid', failure => $run->{why} },
        (
            map {
                {
                    class => "touchstone.$_->{kind}",
                    name  => label($_),
                    text  => exact($_->{score}) . " $_->{unit}"
                }
            } @{ $all->{figures} }
        ),
        map {
            {
                class => 'touchstone.test',
                name  => defined $_->{copies} ? label($_) : $_->{test},
                ($_->{what} eq 'failed' ? 'failure' : 'skipped') => $_->{why}
            }
        } @{ $all->{lost} }
    );
    return _document(
        _suite($run->{name}, [ map { [ $_ => $run->{$_} ] } qw(host version passport) ], @cases));
}

sub junit_of_comparison {
    my (@pairs) = @_;
    return _document(
        map {
            my $pair = $_;
            _suite("$pair->{name} against $pair->{of}",
                [], map { _verdict_case($_, $pair->{why}) } @{ $pair->{figures} })
        } @pairs
    );
}

# Worse is a failure; what cannot be told is no pass. `invalid`: why nothing is judged.
sub _verdict_case {
    my ($figure, $invalid) = @_;
    my $text = _text($figure) . (defined $invalid ? "; $invalid" : '');
    my %case = (class => "touchstone.$figure->{kind}", name => label($figure));
    return { %case, failure => $text } if $figure->{verdict} eq $SLOWER;
    return { %case, text    => $text } if $figure->{verdict} eq $FASTER || $figure->{verdict} eq $SAME;
    return { %case, skipped => $text };
}

# "slower: -3.1 % (-3.6 to -2.5 %)"
sub _text {
    my ($figure) = @_;
    my ($ratio, $low, $high) = map { defined $_ ? ($_ - 1) * 100 : undef } @$figure{qw(ratio low high)};
    return word($figure->{verdict}) . (defined $figure->{why} ? ": $figure->{why}" : '') if !defined $ratio;
    my $between = defined $low ? sprintf ' (%+.1f to %+.1f %%)', $low, $high : '';
    return sprintf '%s: %+.1f %%%s', word($figure->{verdict}), $ratio, $between;
}

# In the text of a command and in its properties these would end it.
sub _escaped {
    my ($text, $letters) = @_;
    return $text =~ s/([$letters])/sprintf '%%%02X', ord $1/ger;
}

sub _message {
    my ($level, $title, $text) = @_;
    return sprintf "::%s title=%s::%s\n", $level, _escaped($title, "%\r\n:,"), _escaped($text, "%\r\n");
}

sub github_of_run {
    my ($all)    = @_;
    my $run      = $all->{run};
    my @messages = map {
        _message(
            $_->{what} eq 'failed' ? 'error'   : 'warning',
            defined $_->{copies}   ? label($_) : $_->{test},
            "$_->{what}: $_->{why}"
        )
    } @{ $all->{lost} };
    unshift @messages, _message(error => $run->{name}, "the run is not valid: $run->{why}") if !$run->{valid};
    return _most(@messages)
        || _message(notice => $run->{name}, plural(scalar @{ $all->{figures} }, 'figure'));
}

# The worst come first.
sub github_of_comparison {
    my (@pairs) = @_;
    my @messages;
    for my $pair (@pairs) {
        push @messages, _message(error => $pair->{name}, "nothing is judged: $pair->{why}")
            if !$pair->{valid};
        my @worse = sort { $a->{ratio} <=> $b->{ratio} }
            grep { $_->{verdict} eq $SLOWER && defined $_->{ratio} } @{ $pair->{figures} };
        push @messages, map { _message(error => label($_), _text($_) . " against $pair->{of}") } @worse;
    }
    my @unlike = grep { defined } $pairs[0]{unlike};
    return join '', _most((map { _message(warning => $pairs[0]{of}, $_) } @unlike), @messages),
        @messages ? () : map { _message(notice => $_->{name}, "nothing slower than $_->{of}") } @pairs;
}

sub _most {
    my (@messages) = @_;
    return join '', @messages[ 0 .. ($#messages < $MESSAGES ? $#messages : $MESSAGES - 1) ];
}

# Commands for a shell of LAVA; where that has no such command, the lines that LAVA reads. A run that is not
# valid has a case that fails.
sub lava_of_run {
    my ($all) = @_;
    my $form =
        Touchstone::Machine::Command::find($LAVA)
        ? "$LAVA %s --result %s%s\n"
        : "<LAVA_SIGNAL_TESTCASE TEST_CASE_ID=%s RESULT=%s%s>\n";
    my ($measured, $unit) =
        $form =~ /SIGNAL/ ? (' MEASUREMENT=', ' UNITS=') : (' --measurement ', ' --units ');
    my @cases = map {
        my $figure = $_;
        sprintf $form, _word("$figure->{test}-$figure->{copies}"), 'pass',
              $measured
            . exact($figure->{score})
            . $unit
            . _word($figure->{unit})
    } @{ $all->{figures} };
    push @cases, map {
        sprintf $form, _word(join '-', $_->{test}, $_->{copies} // ()),
            $_->{what} eq 'failed' ? 'fail' : 'skip', ''
    } @{ $all->{lost} };
    push @cases, sprintf $form, 'run-valid', 'fail', '' if !$all->{run}{valid};
    return join '', @cases;
}

# A name of a case has letters, digits, dots, lines and hyphens.
sub _word { my ($text) = @_; return $text =~ s/[^\w.-]+/-/gra }

1;
