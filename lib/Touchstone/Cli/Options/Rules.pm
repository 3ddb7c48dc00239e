# SPDX-License-Identifier: GPL-2.0-or-later
# Cli::Options::Rules - which options go together, and which of them take tests, by the columns of the table
# of Cli::Options.
package Touchstone::Cli::Options::Rules;
use 5.014;
use strict;
use warnings;

use Touchstone::Base::Text qw(list_with plural);
use Touchstone::Cli::Options::Values;

# The command where no verb is given.
my %MEASURE = (name => 'measure', module => 'Cli::Measure', measures => 1);

# `options`: all of them, as Cli::Options has them. Each verb gets its name and `takes_option`, the options
# that it takes.
sub new {
    my ($class, @options) = @_;
    my @verbs   = map  { +{ %{ $_->{verb} }, name => $_->{name} } } grep { $_->{verb} } @options;
    my @plain   = grep { !$_->{verb} } @options;
    my $measure = {%MEASURE};
    for my $verb ($measure, @verbs) {
        $verb->{takes_option} = { map { $_->{name} => 1 } grep { _is_taken($verb, $_) } @plain };
    }
    return bless {
        option  => { map { $_->{name} => $_ } @options },
        order   => [@options],
        verb    => { map { $_->{name} => $_ } @verbs },
        verbs   => [ (grep { $_->{exclusive} } @verbs), grep { !$_->{exclusive} } @verbs ],
        measure => $measure
    }, $class;
}

sub _is_taken {
    my ($verb, $option) = @_;
    my ($name, %own)    = ($verb->{name}, map { $_ => [ split ' ', $option->{$_} // '' ] } qw(for also));
    return 1 if grep { $_ eq $name } @{ $own{for} }, @{ $own{also} };
    return 1 if grep { $_ eq $option->{name} } @{ $verb->{with} || [] };
    return 0 if !$verb->{measures} || @{ $own{for} };
    return !grep { $_ eq $option->{name} } split ' ', $verb->{without} // '';
}

# 1 where two options can be combined.
sub fit {
    my ($self, @two) = @_;
    for my $pair ([@two], [ reverse @two ]) {
        my ($one, $other) = @$pair;
        my $verb = $self->{verb}{$one};
        return 0 if $verb && ($verb->{exclusive} || !$verb->{takes_option}{$other});
        return 0 if grep { $_ eq $other } split ' ', $self->{option}{$one}{not} // '';
    }
    return 1;
}

# Names of verbs without those that win over all others; of options that work with some verbs only; and of
# verbs that take no words.
sub verbs {
    my ($self) = @_;
    my @names = sort map { $_->{exclusive} ? () : $_->{name} } @{ $self->{verbs} };
    return @names;
}

sub of_verbs {
    my ($self) = @_;
    return map { $_->{name} }
        grep { !$_->{verb} && !$self->{measure}{takes_option}{ $_->{name} } } @{ $self->{order} };
}

sub without_words {
    my ($self) = @_;
    return map { $_->{name} } grep { $_->{exclusive} || $_->{takes} } @{ $self->{verbs} };
}

# The verb of these words; that of measuring where there is none.
sub verb {
    my ($self, $options) = @_;
    my ($verb) = grep { is_given($options, $_->{name}) } @{ $self->{verbs} };
    return $verb // $self->{measure};
}

sub formats {
    my ($self, $verb) = @_;
    return @{ $self->{verb}{$verb}{formats} || \@Touchstone::Cli::Options::Values::COMPARISONS };
}

# Dies with a message where these words, { name => value }, cannot be combined.
sub check {
    my ($self, $options) = @_;
    my $verb = $self->verb($options);
    return if $verb->{exclusive};
    my @given = grep { $_ ne 'tests' && is_given($options, $_) } sort keys %$options;
    $self->_check_verbs($options, @given);
    $self->_check_pairs(@given);
    $self->_check_format($verb, $options->{format}) if defined $options->{format};
    _check_words($verb, @{ $options->{tests} });
    _check_prices($options);
    _check_builds($options);
    return;
}

# An option that may be given several times is a list, also where it was not given.
sub is_given {
    my ($options, $name) = @_;
    return ref $options->{$name} ? @{ $options->{$name} } > 0 : defined $options->{$name};
}

# The spelling that is typed most.
sub dashed { my ($option) = @_; return defined $option->{short} ? "-$option->{short}" : "--$option->{name}" }

sub _check_verbs {
    my ($self, $options, @given) = @_;
    my @verbs = grep { $_ } map { $self->{verb}{$_} } @given;
    for my $verb (@verbs) {
        my @with = sort keys %{ $verb->{takes_option} };
        my ($other) = grep { $_ ne $verb->{name} && !$verb->{takes_option}{$_} } @given or next;
        my $hint =
             !@with     ? "--$verb->{name} takes no other option"
            : @with > 5 ? '--help shows what each is for'
            :   "--$verb->{name} can be combined with " . list_with('and', map { "--$_" } @with) . ' only';
        die "--$verb->{name} and --$other cannot be combined\n$hint\n";
    }
    return if @verbs;
    for my $option (grep { !$self->{measure}{takes_option}{$_} } @given) {
        my @with = grep { $self->{verb}{$_}{takes_option}{$option} } $self->verbs;
        die "--$option works with " . list_with('and', map { "--$_" } @with) . " only\n";
    }
    return;
}

sub _check_pairs {
    my ($self, @given) = @_;
    my %given = map { $_ => 1 } @given;
    for my $option (map { $self->{option}{$_} } @given) {
        my @needs = split ' ', $option->{needs} // '';
        die "--$option->{name} works with " . list_with('or', map { "--$_" } @needs) . " only\n"
            if @needs && !grep { $given{$_} } @needs;
        my ($other) = grep { $given{$_} } split ' ', $option->{not} // '' or next;
        die "--$option->{name} and "
            . dashed($self->{option}{$other})
            . " cannot be combined: --$option->{name} $option->{why}\n";
    }
    return;
}

sub _check_format {
    my ($self, $verb, $format) = @_;
    my @formats = $self->formats($verb->{name});
    die '--format of '
        . ($verb->{called} // 'a comparison')
        . ' needs '
        . list_with('or', @formats)
        . ", not '$format'\n"
        if !grep { $_ eq $format } @formats;
    return;
}

sub _check_words {
    my ($verb, @words) = @_;
    die "--$verb->{name} takes $verb->{takes}: '$words[0]' is one too many\n"
        . ($verb->{hint} ? "$verb->{hint}\n" : '')
        if $verb->{takes} && @words;
    my ($least, $what) = @{ $verb->{least} || [0] };
    die sprintf "--%s needs $what\n", ($verb->{name}) x 2 if @words < $least;
    return;
}

# A comparison has a price for each of its runs, or those of their records.
sub _check_prices {
    my ($options) = @_;
    my $prices    = @{ $options->{price} || [] } or return;
    my $runs      = $options->{compare} ? @{ $options->{tests} } : 1;
    return                                               if $prices == $runs;
    die "--price was given twice: a run has one price\n" if !$options->{compare};
    die '--compare of '
        . plural($runs, 'run')
        . " needs a --price for each in their order, or none, not $prices\n"
        . "without --price the prices in the records count\n";
}

sub _check_builds {
    my ($options) = @_;
    return if !@{ $options->{build} || [] };
    require Touchstone::Build::Sets;
    my %builds;
    for my $name (map { Touchstone::Build::Sets::parsed($_)->{name} } @{ $options->{build} }) {
        die "--build names '$name' twice: each build needs a name of its own\n" if $builds{$name}++;
    }
    die
        "--precision and several --build cannot be combined: builds are measured until each test is decided\n"
        if defined $options->{precision} && keys %builds > 1;
    die "--format needs a comparison, and one --build has nothing to be compared with: name a second\n"
        if defined $options->{format} && keys %builds == 1;
    return;
}

1;
