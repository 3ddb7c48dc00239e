# SPDX-License-Identifier: GPL-2.0-or-later
# Run::Launcher::Result - what comes of a pass, from what its copies printed and how they ended. Run::Launcher
# shows it.
package Touchstone::Run::Launcher::Result;
use 5.014;
use strict;
use warnings;

use Config;
use POSIX qw(SIGILL);

use Touchstone::Machine::Limits;
use Touchstone::Record::Channel;
use Touchstone::Run::Compatibility;

# Bytes that are logged of the output of copies apart from their results.
my $LOGGED = 4096;

# Returns what comes of a pass whose copies have ended. `p` has what run_pass was called with, and
#
#   {
#     results => 'what they said of their results: COPY|LINE, each on a line',
#     out     => 'what they printed on standard output',
#     err     => [ what each of them printed on standard error ],
#     began   => [ when each of them began, in seconds ],
#     ended   => [ { status, when } of each ],
#     trouble => why the pass was given up, or nothing,
#   }
sub from_copies {
    my ($p, $opened, $seconds) = @_;
    my %result = (started => $opened, seconds => $seconds, output => _output($p));
    my $signal = $p->{stopped}->();
    return { %result, stopped => $signal } if $signal && !$p->{turns};
    my @lines;
    push @{ $lines[$1] }, $2 while $p->{results} =~ /^(\d{1,6})\|(.*)$/mg;
    my @copies = map  { _copy($p, $_, $lines[$_]) } 0 .. $#{ $p->{dirs} };
    my @bad    = grep { $copies[$_]{bad} } 0 .. $#copies;
    return { %result, stopped => $signal, @bad ? () : (copies => \@copies) } if $signal;

    if (my ($skipped) = grep { $copies[$_]{bad}{skip} } @bad) {
        my $why   = $copies[$skipped]{bad}{skip};
        my $limit = Touchstone::Machine::Limits::reached_in($why);
        return { %result, skip => $why . (defined $limit ? " ($limit)" : '') };
    }
    if ($p->{trouble} && $p->{trouble} ne 'a copy failed') {
        return { %result, failure => $p->{trouble} };
    }
    if (@bad) {

        # A copy that was killed because another had failed is not the cause.
        my ($first) = sort { $copies[$a]{bad}{when} <=> $copies[$b]{bad}{when} } @bad;
        my $which   = _which($p, $first);
        my $why     = $copies[$first]{bad}{why};
        my $limit   = Touchstone::Machine::Limits::explanation(
            join("\n", $why, $p->{out}, map { $_ // '' } @{ $p->{err} }),
            scalar @copies);
        my $only_idle = @bad < @copies && !grep { !$copies[$_]{bad}{idle} } @bad;
        my $idle      = $only_idle ? { idle => $which =~ s/: \z//r } : {};
        return { %result, %$idle, failure => $which . $why . (defined $limit ? " ($limit)" : '') };
    }
    return { %result, copies => \@copies };
}

# Several copies are told apart, and those of several builds are called by these.
sub _which {
    my ($p, $i) = @_;
    my $label = $p->{each}[$i]{label};
    return "$label: " if defined $label;
    my $copies = @{ $p->{dirs} };
    return $copies > 1 ? 'copy ' . ($i + 1) . " of $copies: " : '';
}

# Returns the numbers of one copy, or { bad } when they are none.
sub _copy {
    my ($p, $i, $lines) = @_;
    my $err   = $p->{err}[$i] // '';
    my $got   = Touchstone::Record::Channel::parse($lines ? join "\n", @$lines : $err);
    my $start = $p->{began}[$i] // 0;
    my $end   = $p->{ended}[$i] || { status => 0, when => $start };

    # A program that only counts is timed from its fork to its end.
    $got->{time} //= $end->{when} - $start;
    my ($exit, $signal) = ($end->{status} >> 8, $end->{status} & 127);

    # A copy tells its own words and the last of what it started: the shell knows better than looper why it
    # failed.
    my $why     = defined $got->{error} ? $got->{error} . ($lines ? _last_words($err) : '') : undef;
    my $program = $p->{each}[$i]{program} // $p->{program};
    $why //= Touchstone::Run::Compatibility::is_none($program) if $signal || $exit && !defined $got->{skip};
    $why //= _of_signal($program, $signal)                     if $signal;
    $why //= "exit status $exit" . _last_words($err)           if $exit && !defined $got->{skip};
    $why //= Touchstone::Record::Channel::complaint($got)      if !$exit;
    return $got if !defined $why && $exit != 77;
    my $idle =
        !$exit && !defined $got->{error} && !$got->{rubbish} && defined $got->{count} && $got->{count} == 0;
    my $skip = $exit == 77 ? $got->{skip} // 'it cannot run here' : undef;
    return { bad => { when => $end->{when}, why => $why, skip => $skip, idle => $idle } };
}

# A signal that has one cause is told by its cause.
sub _of_signal {
    my ($program, $signal) = @_;
    return Touchstone::Run::Compatibility::lacks_instruction($program) if $signal == SIGILL;
    return 'killed by signal ' . signal_name($signal);
}

sub signal_name {
    my ($number) = @_;
    my @names    = split / /, $Config{sig_name};
    return "$number (SIG$names[$number])";
}

sub _last_words {
    my ($err)  = @_;
    my ($last) = grep { /\S/ } reverse split /\n/, $err;
    return defined $last ? ': ' . Touchstone::Record::Channel::readable($last) : '';
}

# Returns what the copies printed. A text is told once, however many copies said it.
sub _output {
    my ($p) = @_;
    my %seen;
    my $text = join '', grep { length && !$seen{$_}++ } $p->{out}, map { $_ // '' } @{ $p->{err} };
    return substr $text, 0, $LOGGED;
}

1;
