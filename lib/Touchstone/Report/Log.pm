# SPDX-License-Identifier: GPL-2.0-or-later
# Report::Log - what was run and how it ended, pass by pass:
#
#   pipe, 2 copies, round 3, 1.0 s: 6278551.2 lps
#     copies: 3139210.1 3139341.1; started within 0.02 ms; 99.9 % of the time in common
package Touchstone::Report::Log;
use 5.014;
use strict;
use warnings;

use Touchstone::Base::Figure qw(seconds);
use Touchstone::Base::Symbols qw(ascii);
use Touchstone::Base::Direction;
use Touchstone::Base::Text qw(copies plain);
use Touchstone::Record::Warnings;
use Touchstone::Report::Columns;
use Touchstone::Report::SpeedupText;
use Touchstone::Report::Groups;
use Touchstone::Report::Host;
use Touchstone::Report::Run::Scaling;
use Touchstone::Report::Price;
use Touchstone::Report::Tails;
use Touchstone::Report::Undisturbed;
use Touchstone::Suite;

my $SHOWN_COPIES = 16;

sub render {
    my ($model, $facts, $results) = @_;
    my @lines = (
        "Touchstone $model->{version}: run $model->{name}",
        (map { "not valid: $_->{text}" } $model->{invalid} || ()),
        _facts($model, $facts), ''
    );
    my @passes = map { [ $facts->{passes}[$_], $results->{passes}[$_] ] } 0 .. $#{ $facts->{passes} };
    for my $block (@{ $model->{blocks} }) {
        push @lines, map { _pass(@$_) } grep { $_->[0]{copies} == $block->{count} } @passes;
        push @lines, '', map { _score($_) } @{ $block->{exact} };
        push @lines,
            map { "$_->{name}: $Touchstone::Report::Columns::BELOW" } @{ $block->{below_resolution} };
        push @lines, Touchstone::Report::Groups::of_log($block);
        push @lines, '';
    }
    push @lines, Touchstone::Report::Price::sentences($model);
    push @lines, map {
        ($_->{text}, map { "  | $_" } @{ $_->{output} })
    } @{ $model->{failures} }, @{ $model->{skipped} };
    push @lines, map { $_->{text} } @{ $model->{warnings} };
    push @lines, @{ $model->{unlike} };
    push @lines, '', Touchstone::Report::SpeedupText::lines($model->{scaling}, 'title') if $model->{scaling};
    push @lines, '', Touchstone::Report::Run::Scaling::lines($model->{speedup}, 'title')
        if $model->{speedup};
    return join '', map { plain(ascii($_)) . "\n" } @lines;
}

sub _facts {
    my ($model, $facts)    = @_;
    my ($build, $schedule) = @$model{qw(build schedule)};
    return (
        (map { "build: $_" } grep { defined } $model->{set}),
        'compiler: ' . ($build->{compiler_version} // 'unknown'),
        "flags: $model->{flags}",
        Touchstone::Report::Host::comparable($model),
        (
            map  { "compiler that is measured: $_->{command} ($_->{version})" }
            grep { $_ } $build->{measured_compiler}
        ),
        (defined $model->{passport} ? "passport: $model->{passport}" : ()),
        "schedule: $schedule->{kind}, seed " . ($schedule->{seed} // 'none'),
        'placement: ' .                        ($facts->{pin}     // 'none'),
    );
}

sub _pass {
    my ($pass, $judged) = @_;
    my $round  = $pass->{round} ? "round $pass->{round}" : 'warm-up';
    my $copies = copies($pass->{copies});
    my @lines  = (
        sprintf '%s, %s, %s, %.1f s: %s', $pass->{test}, $copies, $round, $pass->{window},
        _rate($pass, $judged->{rate})
            . ($pass->{unit} eq $Touchstone::Base::Direction::SECONDS ? '' : " $pass->{unit}")
    );
    push @lines, "  command: $pass->{command}" if defined $pass->{command};
    push @lines, '  CPUs: ' . join ' ', @{ $pass->{cpus} } if ref $pass->{cpus};
    push @lines, _copies($pass, $judged) if $pass->{copies} > 1;
    push @lines, _around($pass, @{ $judged->{marks} || [] });
    push @lines, map { "  | $_" } split /\n/, $pass->{output} // '';
    return @lines;
}

sub _rate {
    my ($pass, $rate) = @_;
    return $pass->{unit} eq $Touchstone::Base::Direction::SECONDS
        ? seconds($rate)
        : sprintf '%.1f', $rate;
}

# These counters tell what happened during a pass, and whether that makes the pass doubtful.
my @COUNTED = (
    [ other      => 'other processes %.2f s' ],
    [ steal      => 'stolen %.2f s' ],
    [ throttled  => 'throttled %.2f s' ],
    [ swapped    => '%d pages swapped' ],
    [ psi_cpu    => 'waiting for CPU %.2f s' ],
    [ psi_io     => 'for disks %.2f s' ],
    [ psi_memory => 'for memory %.2f s' ],
    [ mhz        => '%.0f MHz' ]
);

sub _around {
    my ($pass, @marks) = @_;
    my $c    = $pass->{counters} || {};
    my @seen = map { sprintf $_->[1], $c->{ $_->[0] } } grep { ($c->{ $_->[0] } // 0) >= 0.005 } @COUNTED;
    my @preempted = grep { defined } @{ $pass->{preempted} || [] };
    push @seen, 'preempted ' . join(' ', splice @preempted, 0, $SHOWN_COPIES) if grep { $_ } @preempted;
    my @lines = @seen ? '  during the pass: ' . join ', ', @seen : ();
    push @lines, '  DISTURBED by ' . join ', ', Touchstone::Record::Warnings::causes(@marks) if @marks;
    return @lines;
}

sub _copies {
    my ($pass, $judged) = @_;
    my @rates = @{ $judged->{rates} };
    my $more  = @rates > $SHOWN_COPIES ? ' ... (' . @rates . ' in all)' : '';
    splice @rates, $SHOWN_COPIES if $more;
    my $line = '  copies: ' . join(' ', map { _rate($pass, $_) } @rates) . $more;
    $line .= sprintf '; started within %.2f ms',        $judged->{skew} * 1e3  if defined $judged->{skew};
    $line .= sprintf '; %.1f %% of the time in common', $judged->{share} * 100 if defined $judged->{share};
    return $line;
}

sub _score {
    my ($test) = @_;
    my @lines = Touchstone::Report::Columns::log_lines($test);
    push @lines, '  user ' . seconds($test->{user}) . ', system ' . seconds($test->{sys})
        if defined $test->{user} && defined $test->{sys};
    push @lines, map { "  $_" } Touchstone::Report::Undisturbed::lines($test);
    push @lines, '  ' . Touchstone::Report::Columns::each_part($test) if $test->{each};
    push @lines, map { "  $_" } Touchstone::Report::Tails::lines($test);
    my $derived = Touchstone::Suite::derived()->{ $test->{name} } || {};
    push @lines, map { sprintf '  %.1f %s', $test->{$_}, $derived->{$_}{unit} }
        grep { defined $test->{$_} } sort keys %$derived;
    return @lines;
}

1;
