# SPDX-License-Identifier: GPL-2.0-or-later
# Report::Run::Headline - what a page begins with: which run it is, and of which machine:
#
#   Touchstone 8.0.0 - all runs - vm-2026-11-22-05 - 22 Nov 2026, 03:42 - 03:48 - default schedule
#   vm
#   2 x Intel Xeon Processor - 24 GB - KVM guest - Linux 6.18.44 - gcc 12.2.0 -O3   all facts
#
# It also makes the title, which tells one tab of a browser from the others:
#
#   1093 +-3.7 % - vm - Touchstone
package Touchstone::Report::Run::Headline;
use 5.014;
use strict;
use warnings;

use Touchstone::Base::Figure qw(shown plus_minus);
use Touchstone::Base::Symbols qw($DASH $DOT);
use Touchstone::Report::Host;
use Touchstone::Report::Model;

# Schedules in words; a record of elsewhere may have another.
my %SCHEDULE =
    (default => 'default schedule', quick => 'quick schedule', classic => 'classic schedule of UnixBench');

sub title {
    my ($model) = @_;
    return join " $DOT ", _answer($model), $model->{host}{name}, 'Touchstone';
}

# Returns the first index of a run; of several, with its name.
sub _answer {
    my ($model) = @_;
    return 'not valid' if $model->{invalid};
    my ($line, @more) =
        map { my @lines = Touchstone::Report::Model::indexes($_); @lines ? [@lines] : () }
        @{ $model->{blocks} };
    return Touchstone::Report::Model::measured($model) if !$line;
    my ($first, @others) = @$line;
    return join ' ', @others ? $first->{title} : (), shown(@$first{qw(score interval places)}),
        $first->{interval} ? plus_minus($first->{precision}) : ();
}

# `links`: what Report::Files found beside the page.
sub parts {
    my ($model, $links) = @_;
    my @run = (
        { text => "Touchstone $model->{version}", as => 'b' },
        defined $links->{index} ? { text => 'all runs', link => $links->{index} } : (),
        $model->{name}, _when($model), _schedule($model)
    );
    my $facts = _separated(Touchstone::Report::Host::facts($model));
    return (
        [ text    => { text => _separated(@run),     class => 'run' } ],
        [ heading => { text => $model->{host}{name}, level => 1 } ],
        [
            text => map { { text => $_, class => 'machine' } }
                [ $facts, ' ', { text => 'all facts', link => '#system' } ],
            map { ucfirst } Touchstone::Report::Host::comparable($model)
        ]
    );
}

sub _separated {
    my ($first, @more) = @_;
    return [ $first // '', map { (" $DOT ", $_) } @more ];
}

# Returns "22 Nov 2026, 03:42 - 03:48"; the date of the end only if it is another.
sub _when {
    my ($model) = @_;
    my ($date, $from) = @{ $model->{when} };
    return if !defined $date;
    my ($last) = $model->{blocks}[-1];
    my $start = _day($date) . ', ' . _minute($from);
    return $start if !$last;
    my $end = $last->{date} eq $date ? '' : _day($last->{date}) . ', ';
    return "$start $DASH $end" . _minute($last->{to});
}

# "Sat Nov 21 2026" is "21 Nov 2026".
sub _day {
    my ($date) = @_;
    return $date =~ /\A\w+ (\w+) 0?(\d+) (\d+)\z/a ? "$2 $1 $3" : $date;
}

sub _minute { my ($time) = @_; return $time =~ s/:\d\d\z//ar }

sub _schedule {
    my ($model) = @_;
    my $kind = $model->{schedule}{kind} // return;
    return ($SCHEDULE{$kind} // $kind, defined $model->{set} ? "build $model->{set}" : ());
}

1;
