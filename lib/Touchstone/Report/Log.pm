# SPDX-License-Identifier: GPL-2.0-or-later
# Report::Log - what was run and what came of it, pass by pass:
#
#   pipe, 2 copies, round 3, 1.0 s: 6278551.2 lps
#     copies: 3139210.1 3139341.1; started within 0.02 ms; 99.9 % of the time in common
package Touchstone::Report::Log;
use 5.014;
use strict;
use warnings;

use Touchstone::Report;
use Touchstone::Text;

my $SHOWN_COPIES = 16;

sub render {
    my ($model, $record) = @_;
    my @lines = ("Touchstone $model->{version}: run $model->{name}", _facts($model, $record), '');
    for my $block (@{ $record->{results} }) {
        push @lines, map { _pass($_) } grep { $_->{copies} == $block->{copies} } @{ $record->{passes} };
        push @lines, '', map { _score($_, $block) } @{ $block->{tests} };
        push @lines, '';
    }
    push @lines, map { ($_->{text}, map { "  | $_" } @{ $_->{output} }) } @{ $model->{failures} }, @{ $model->{skipped} };
    push @lines, map { $_->{text} } @{ $model->{warnings} };
    push @lines, '', Touchstone::Report::scaling_lines($model->{scaling}, 'title') if $model->{scaling};
    return join '', map { Touchstone::Text::plain($_) . "\n" } @lines;
}

sub _facts {
    my ($model, $record) = @_;
    my ($build, $schedule) = @$model{qw(build schedule)};
    return (
        'compiler: ' . ($build->{compiler_version} // 'unknown'), 'flags: ' . ($build->{flags_unixbench} // 'unknown'),
        (map { "compiler of the test C: $_->{command} ($_->{version})" } grep { $_ } $build->{measured_compiler}),
        "schedule: $schedule->{kind}, seed " . ($schedule->{seed} // 'none'), 'placement: ' . ($record->{pin} // 'none'),
    );
}

sub _pass {
    my ($pass) = @_;
    my $round = $pass->{round} ? "round $pass->{round}" : 'warm-up';
    my $copies = $pass->{copies} == 1 ? '1 copy' : "$pass->{copies} copies";
    my @lines = (sprintf '%s, %s, %s, %.1f s: %.1f %s', $pass->{test}, $copies, $round, $pass->{window}, $pass->{rate} // 0, $pass->{unit});
    push @lines, "  command: $pass->{command}" if defined $pass->{command};
    push @lines, '  CPUs: ' . join ' ', @{ $pass->{cpus} } if ref $pass->{cpus};
    push @lines, _copies($pass) if $pass->{copies} > 1;
    push @lines, map { "  | $_" } split /\n/, $pass->{output} // '';
    return @lines;
}

sub _copies {
    my ($pass) = @_;
    my @rates = @{ $pass->{rates} || [] };
    my $more = @rates > $SHOWN_COPIES ? ' ... (' . @rates . ' in all)' : '';
    splice @rates, $SHOWN_COPIES if $more;
    my $line = '  copies: ' . join(' ', map { sprintf '%.1f', $_ } @rates) . $more;
    $line .= sprintf '; started within %.2f ms', $pass->{skew} * 1e3 if defined $pass->{skew};
    $line .= sprintf '; %.1f %% of the time in common', $pass->{share} * 100 if defined $pass->{share};
    return $line;
}

sub _score {
    my ($test, $block) = @_;
    my @lines = sprintf '%s: %.1f %s, %d of %d passes', $test->{name}, @$test{qw(score unit samples passes)};
    push @lines, sprintf '  %.1f DMIPS (passes of the loop a second / 1757)', $test->{dmips} if defined $test->{dmips};
    return @lines;
}

1;
