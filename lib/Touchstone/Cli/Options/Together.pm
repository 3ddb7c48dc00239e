# SPDX-License-Identifier: GPL-2.0-or-later
# Cli::Options::Together - which options can be said together, and which of them take tests.
package Touchstone::Cli::Options::Together;
use 5.014;
use strict;
use warnings;

use Touchstone::Base::Text qw(list_with plural);
use Touchstone::Build::Sets;
use Touchstone::Cli::Options::Values;

# These win over every other word.
my @FIRST = qw(help man version);

# A verb does something else than measure the tests that are named; these options go with each verb.
my @MEASURING =
    qw(quiet verbose brief copies seed pin precision budget strict price baseline fail-on scaling dry-run);
my @SCHEDULES = qw(quick classic iterations);
my %GOES_WITH = (
    list       => ['json'],
    browse     => [],
    completion => [],
    report     => [qw(format baseline scaling price)],
    compare    => [qw(format fail-on price)],
    resume     => [qw(quiet verbose brief strict)],
    state      => [qw(as run)],
    wait       => [qw(as run)],
    give       => [qw(as run whole)],
    confirm    => [],
    turn       => ['campaign'],
    mark       => ['campaign'],
    collect    => [qw(campaign as)],
    fleet      => [qw(format group-by smallest allow-missing control wave)],
    like       => ['format'],
);

# The host's side of a campaign measures.
my @OF_ONCE = qw(run as label detach);

# These need a verb.
my @OF_VERBS =
    (qw(json format run as label detach whole), qw(campaign group-by smallest allow-missing control wave));

# --fail-on sets the limit of these.
my @JUDGING       = qw(baseline compare duet duet-at-once);
my %TAKES         = (browse => 'no words', report => 'one run', resume => 'one run');
my @WITHOUT_TESTS = qw(browse report resume completion state wait give confirm turn mark);

# Two of a pair exclude each other: schedules, and what belongs to the default one alone.
my @EITHER = (
    [qw(quick classic)],
    [qw(quick iterations)],
    map {
        my $narrow = $_;
        map { [ $narrow, $_ ] } @SCHEDULES
    } qw(precision budget)
);

# `suite_verbs` are those of suites, as Suite explains them; `suite_words` names all options of suites.
sub new {
    my ($class, %of) = @_;
    my %verb      = map { $_->{name} => $_ } @{ $of{suite_verbs} };
    my @measuring = (@MEASURING, grep { !$verb{$_} } @{ $of{suite_words} });
    return bless {
        suite_verbs => \%verb,
        goes_with   => {
            %GOES_WITH,
            duet           => [ grep({ $_ ne 'precision' } @measuring), @SCHEDULES, 'format' ],
            'duet-at-once' => [ @measuring,                             @SCHEDULES, 'format' ],
            build          => [ @measuring,                             @SCHEDULES, 'format' ],
            plan           => [ @measuring,                             @SCHEDULES, 'campaign' ],
            once           => [ @measuring,                             @SCHEDULES, @OF_ONCE ],
            'self-compare' => [ grep({ !/\A(?:precision|budget|fail-on|price)\z/ } @measuring), 'quick' ],
            map { $_->{name} => $_->{with} } values %verb
        },
        without_tests => [ @WITHOUT_TESTS, sort keys %verb ],
    }, $class;
}

# 1 where two options can be said together.
sub fit {
    my ($self, @two) = @_;
    for my $pair ([@two], [ reverse @two ]) {
        my ($one, $other) = @$pair;
        my $with = $self->{goes_with}{$one};
        return 0 if grep({ $_ eq $one } @FIRST) || $with && !grep { $_ eq $other } @$with;
        return 0 if grep { $_->[0] eq $one && $_->[1] eq $other } @EITHER;
    }
    return 1;
}

# Names of verbs, of options that belong to one of these, and of options that take no tests.
sub verbs         { my ($self) = @_; my @verbs = sort keys %{ $self->{goes_with} }; return @verbs }
sub of_verbs      { return @OF_VERBS }
sub without_tests { my ($self) = @_; return (@FIRST, @{ $self->{without_tests} }) }

sub formats {
    my ($self, $verb) = @_;
    return @Touchstone::Cli::Options::Values::FORMATS if $verb eq 'report';
    return @Touchstone::Cli::Options::Values::FLEETS  if $verb eq 'fleet';
    return @{ ($self->{suite_verbs}{$verb} || {})->{formats}
            || \@Touchstone::Cli::Options::Values::COMPARISONS };
}

# Dies with a message where these words, { name => value }, cannot be said together.
sub check {
    my ($self, $want) = @_;
    return if grep { $want->{$_} } @FIRST;
    my @given = grep { $_ ne 'tests' && is_given($want, $_) } sort keys %$want;
    $self->_check_verbs($want, @given);
    _check_schedules($want);
    $self->_check_format($want) if defined $want->{format};
    $self->_check_operands($want);
    _check_prices($want);
    _check_builds($want);
    return;
}

# An option that may be given several times is a list, also where it was not given.
sub is_given {
    my ($want, $name) = @_;
    return ref $want->{$name} ? @{ $want->{$name} } > 0 : defined $want->{$name};
}

sub _check_verbs {
    my ($self, $want, @given) = @_;
    my @verbs = grep { $self->{goes_with}{$_} } @given;
    for my $verb (@verbs) {
        my @with    = @{ $self->{goes_with}{$verb} };
        my %fits    = map  { $_ => 1 } $verb, @with;
        my ($other) = grep { !$fits{$_} } @given or next;
        my $hint =
             !@with     ? "--$verb takes no other option"
            : @with > 5 ? '--help shows what each is for'
            :             "--$verb can be combined with " . list_with('and', map { "--$_" } @with) . ' only';
        die "--$verb and --$other cannot be combined\n$hint\n";
    }
    my %given = map { $_ => 1 } @given;
    for my $option (grep { $given{$_} && !@verbs } @OF_VERBS) {
        my @with = grep { $self->fit($option, $_) } sort keys %{ $self->{goes_with} };
        die "--$option works with " . list_with('and', map { "--$_" } @with) . " only\n";
    }
    die "--every works with --again only: it says how far apart runs begin\n"
        if defined $want->{every} && !defined $want->{again};
    die '--fail-on needs a comparison: ' . list_with('or', map { "--$_" } @JUDGING) . "\n"
        if defined $want->{'fail-on'} && !grep { defined $want->{$_} } @JUDGING;
    return;
}

sub _check_schedules {
    my ($want) = @_;
    my @schedules = grep { defined $want->{$_} } @SCHEDULES;
    die "choose one of --quick, --classic, -i: each is a schedule\n"
        if $want->{quick} && @schedules > 1;
    my ($narrow) = grep { defined $want->{$_} } qw(precision budget);
    die "--$narrow and "
        . ($schedules[0] eq 'iterations' ? '-i' : "--$schedules[0]")
        . " cannot be combined: --$narrow works with the default schedule only\n"
        if defined $narrow && @schedules;
    return;
}

# A report has more formats than all else.
sub _check_format {
    my ($self, $want) = @_;
    my ($verb)  = grep { defined $want->{$_} } qw(report fleet), sort keys %{ $self->{suite_verbs} };
    my @formats = $self->formats($verb // 'compare');
    my $called =
          !defined $verb                  ? 'a comparison'
        : $verb =~ /\A(?:report|fleet)\z/ ? "a $verb"
        :                                   $self->{suite_verbs}{$verb}{called};
    return if grep { $_ eq $want->{format} } @formats;
    die "--format of $called needs " . list_with('or', @formats) . ", not '$want->{format}'\n";
}

sub _check_operands {
    my ($self, $want) = @_;
    my @words = @{ $want->{tests} };
    for my $verb (grep { @words && is_given($want, $_) } @{ $self->{without_tests} }) {
        my $takes = $TAKES{$verb} // 'no words but its value';
        die "--$verb takes $takes: '$words[0]' is one too many\n"
            . ($verb eq 'report' ? "--compare takes several runs\n" : '');
    }
    die "--compare needs two runs or more, such as --compare A B\n--browse shows all stored runs\n"
        if $want->{compare} && @words < 2;
    for my $duet (grep { $want->{$_} && @words < 2 } qw(duet duet-at-once)) {
        die "--$duet needs two directories of programs or names of builds, such as --$duet pgms o2\n";
    }
    return;
}

# A comparison has a price for each of its runs, or those of their records.
sub _check_prices {
    my ($want) = @_;
    my $prices = @{ $want->{price} || [] } or return;
    my $runs   = $want->{compare} ? @{ $want->{tests} } : 1;
    return                                               if $prices == $runs;
    die "--price was given twice: a run has one price\n" if !$want->{compare};
    die '--compare of '
        . plural($runs, 'run')
        . " needs a --price for each in their order, or none, not $prices\n"
        . "without --price the prices in the records count\n";
}

sub _check_builds {
    my ($want) = @_;
    my %builds;
    for my $name (map { Touchstone::Build::Sets::parsed($_)->{name} } @{ $want->{build} || [] }) {
        die "--build names '$name' twice: each build needs a name of its own\n" if $builds{$name}++;
    }
    die
        "--precision and several --build cannot be combined: builds are measured until each test is decided\n"
        if defined $want->{precision} && keys %builds > 1;
    die "--format needs a comparison, and one --build has nothing to be compared with: name a second\n"
        if defined $want->{format} && keys %builds == 1;
    return;
}

1;
