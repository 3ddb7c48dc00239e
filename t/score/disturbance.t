# SPDX-License-Identifier: GPL-2.0-or-later
# Disturbance: which passes are marked, at each limit and beyond it.
use 5.014;
use strict;
use warnings;

use Test::More;

use lib 't/lib';
use NoWarnings;
use Touchstone::Record::Warnings;
use Touchstone::Score::Disturbance;

sub pass_of {
    my ($counters, %also) = @_;
    return {
        test     => 'pipe',
        copies   => 1,
        round    => 1,
        counters => $counters && { seconds => 10, %$counters },
        %also
    };
}

# Returns the marks of passes, which have their rates in them, too; cpus is the number of CPUs of the machine.
sub marked {
    my ($cpus, @passes) = @_;
    my %facts = (host => { usable_cpus => $cpus }, passes => \@passes);
    return map { +{ @$_ ? (marks => $_) : () } } Touchstone::Score::Disturbance::marks(\%facts, @passes);
}

sub marks_of { my ($pass, $cpus) = @_; return join ' ', @{ (marked($cpus // 1, $pass))[0]{marks} || [] } }

# The limits for a pass of ten seconds on one CPU are: 1 % and 0.04 s for ticks; 0.5 %; 10 %, 0.5 % for the
# CPU and 0.04 s; one page, one event; 2 %.
my %EDGE = (
    steal     => [ 'steal',      0.14 ],
    throttled => [ 'throttled',  0.05 ],
    other     => [ 'other',      1.09 ],
    swap      => [ 'swapped',    0 ],
    heat      => [ 'hot',        0 ],
    memory    => [ 'psi_memory', 0.2 ],
);

subtest 'a counter at its limit is no disturbance, beyond it is one' => sub {
    for my $mark (sort keys %EDGE) {
        my ($counter, $limit) = @{ $EDGE{$mark} };
        is(marks_of(pass_of({ $counter => $limit - 1e-6 })), '', "$mark: just at it") if $limit;
        is(marks_of(pass_of({ $counter => 0 })),             '', "$mark: none at all");
        is(marks_of(pass_of({ $counter => $limit + ($limit ? 1e-6 : 1) })), $mark, "$mark: a little more");
        is(marks_of(pass_of({ $counter => 1e9 })),                          $mark, "$mark: very much more");
    }
};

subtest 'a longer pass may hold more of everything' => sub {
    is(marks_of(pass_of({ seconds => 1, throttled => 0.006 })), 'throttled', '6 ms of a second');
    is(marks_of(pass_of({ seconds => 2, throttled => 0.006 })), '',          '6 ms of two');
    is(marks_of(pass_of({ seconds => 0.1, steal => 0.04, other => 0.04 })), '', 'ticks of a short pass');
};

subtest 'more CPUs share the work of others' => sub {

    # With 100 CPUs the limit is 0.1 + 100 * 0.005 = 0.6 of the ten seconds, and 0.04 s.
    is(marks_of(pass_of({ other => 6.03 }), 100),   '',      '6.03 s of 100 CPUs');
    is(marks_of(pass_of({ other => 6.05 }), 100),   'other', '6.05 s');
    is(marks_of(pass_of({ other => 6.03 }), 1),     'other', '6.03 s of one CPU');
    is(marks_of(pass_of({ other => 1.08 }), undef), '',      'an unknown number of CPUs is one');
};

subtest 'waiting for disks or CPUs is judged against what is usual for the test' => sub {
    for my $what (qw(io cpu)) {

        # Half of each pass is usual here; 20 % of ten seconds more is the limit.
        my @usual  = map { pass_of({ "psi_$what" => 5 }) } 1 .. 6;
        my @passes = marked(
            1, @usual,
            pass_of({ "psi_$what" => 6.9 }),
            pass_of({ "psi_$what" => 7.1 }),
            pass_of({ "psi_$what" => 0 })
        );
        is_deeply(
            [ map { $_->{marks} ? "@{ $_->{marks} }" : '' } @passes ],
            [ ('') x 7, $what, '' ],
            "$what: only what is far above the usual"
        );
        is(marks_of(pass_of({ "psi_$what" => 10 })), '', "$what: a single pass is its own usual");
    }
};

subtest 'each test and copy count has its own usual' => sub {
    my @passes = marked(
        1,
        (map { pass_of({ psi_io => 9 }) } 1 .. 3),
        (map { pass_of({ psi_io => 0 }, test => 'spawn') } 1 .. 3),
        pass_of({ psi_io => 3 }, test => 'spawn'),
        (map { pass_of({ psi_io => 0 }, copies => 2) } 1 .. 3),
        pass_of({ psi_io => 3 }, copies => 2)
    );
    is_deeply(
        [ map { $_->{marks} ? 1 : 0 } @passes ],
        [ 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1 ],
        'what one does always disturbs another'
    );
};

subtest 'warm-ups do not make the usual' => sub {
    my @passes = marked(
        1,
        (map { pass_of({ psi_cpu => 10 }, round => 0) } 1 .. 9),
        (map { pass_of({ psi_cpu => 0 }) } 1 .. 3),
        pass_of({ psi_cpu => 3 })
    );
    is_deeply([ map { $_->{marks} ? 1 : 0 } @passes[ 9 .. 12 ] ], [ 0, 0, 0, 1 ], 'nine of them before');
    is_deeply($passes[0]{marks},                                  ['cpu'], 'but they are marked themselves');
    is(marks_of(pass_of({ psi_cpu => 10 }, round => 0)), '', 'a warm-up without passes has no usual');
};

subtest 'copies that ran together for less than four fifths of the time are marked' => sub {
    is(marks_of(pass_of(undef, share => $_)), 'overlap', "a share of $_") for 0, 0.5, 0.799;
    is(marks_of(pass_of(undef, share => 0.5, coarse => 1)),
        '', 'but not of copies that could not have ended nearer to each other');
    is(marks_of(pass_of(undef, share => $_)), '', 'a share of ' . ($_ // 'nobody knows')) for 0.8, 1, undef;
};

subtest 'a pass may have several marks' => sub {
    is(
        marks_of(
            pass_of(
                { steal => 5, other => 5, swapped => 1, hot => 1, throttled => 5, psi_memory => 5 },
                share => 0.1
            )
        ),
        'overlap steal throttled other swap heat memory',
        'all at once'
    );
    is(
        join(' ', sort keys %Touchstone::Score::Disturbance::MARK),
        'cpu heat io memory other overlap steal swap throttled',
        'each has its words'
    );
};

subtest 'nothing is known of a pass without counters' => sub {
    is(marks_of(pass_of(undef)), '', 'none');
    is(marks_of(pass_of({ seconds => undef, steal => 9 })), '', 'without its time');
    is(marks_of(pass_of({ seconds => 0,     steal => 9 })), '', 'of no time');
    is(
        marks_of(
            pass_of({ map { $_ => undef } qw(steal throttled other swapped hot psi_memory psi_io psi_cpu) })
        ),
        '',
        'that are all unknown'
    );
};

subtest 'a pass is judged by its counters and not by a mark that it has' => sub {
    my $pass = pass_of({ steal => 0 }, marks => ['steal']);
    is(marks_of($pass),       '',      'a mark without a cause is none');
    is("@{ $pass->{marks} }", 'steal', 'and the pass stays as it is');
    is_deeply([ Touchstone::Score::Disturbance::marks({ host => {}, passes => [] }) ], [], 'of no passes');
};

subtest 'marks are counted, the most frequent first' => sub {
    my @passes = ([qw(other steal)], ['other'], [qw(swap io)], ['other'], ['swap'], []);
    is_deeply(
        [ Touchstone::Score::Disturbance::counted(@passes) ],
        [ [ other => 3 ], [ swap => 2 ], [ io => 1 ], [ steal => 1 ] ],
        'then by name'
    );
    is_deeply([ Touchstone::Score::Disturbance::counted() ],       [], 'of nothing');
    is_deeply([ Touchstone::Score::Disturbance::counted([], []) ], [], 'of undisturbed passes');
};

done_testing;
