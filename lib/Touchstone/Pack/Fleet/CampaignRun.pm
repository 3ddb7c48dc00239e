# SPDX-License-Identifier: GPL-2.0-or-later
# Pack::Fleet::CampaignRun - what this host has measured for a campaign, as the directory of its records
# tells, and who measures. Clocks and ids of processes have no say in it: a run has ended where its record
# says so, and goes on where its journal is locked.
#
#   {
#     campaign => { id, host, host_id, machine },
#     run      => 1, which is asked for,
#     state    => 'none', 'running', 'cut off' or 'ended', of that run,
#     ended    => [ attempts that ended ],
#     last     => the last attempt, or undef,
#     its      => the attempt of that run, if any
#   }
#
# An attempt: { attempt => 2, name, file => the record, or the journal where that is all, facts => those of a
# record that can be read, ended => 1, on_begin => 1 where anything stands in it }.
package Touchstone::Pack::Fleet::CampaignRun;
use 5.014;
use strict;
use warnings;

use Errno ();
use Fcntl qw(FD_CLOEXEC F_GETFD);
use IO::Handle;
use POSIX ();

use Touchstone::Base::Trouble qw(or_refuse refuse);
use Touchstone::Machine::File;
use Touchstone::Machine::Identity;
use Touchstone::Machine::Sysfile;
use Touchstone::Record;
use Touchstone::Record::Campaign;
use Touchstone::Record::Journal;
use Touchstone::Run::Request;
use Touchstone::Suite;

# A host in a campaign, by its name there or by what it calls itself.
sub identity {
    my ($id, $host) = @_;
    my $machine = Touchstone::Machine::Identity::machine_id();
    $host //= Touchstone::Machine::Identity::name();
    return {
        id      => $id,
        host    => $host,
        host_id => Touchstone::Record::Campaign::host_id($machine, $host),
        machine => Touchstone::Record::Campaign::machine($machine)
    };
}

# Looks at the directory of records for a run of this campaign. A run may end after its record was looked for
# and before its lock was: then it only seems to be cut off, and a second look sees its record.
sub look {
    my @which = @_;
    my $now   = _seen(@which);
    return $now->{last} && $now->{state} ne 'running' && $now->{state} ne 'ended' ? _seen(@which) : $now;
}

sub _seen {
    my ($directory, $campaign, $run) = @_;
    my @attempts = _attempts($directory, $campaign);
    my @ended    = grep { $_->{ended} } @attempts;
    my $last     = $attempts[-1];
    my %now      = (campaign => $campaign, run => $run, ended => \@ended, last => $last);
    return { %now, state => 'ended',   its => $ended[ $run - 1 ] } if @ended >= $run;
    return { %now, state => 'none',    its => undef }              if !$last || $last->{ended};
    return { %now, state => 'running', its => $last }              if is_held($directory, $last);
    return { %now, $last->{on_begin} ? (state => 'cut off', its => $last) : (state => 'none', its => undef) };
}

sub is_held {
    my ($directory, $attempt) = @_;
    return Touchstone::Record::Journal->is_written(journal_of($directory, $attempt));
}

sub journal_of { my ($directory, $attempt) = @_; return "$directory/$attempt->{name}.jsonl" }

# What a detached run says.
sub log_of { my ($directory, $campaign) = @_; return "$directory/$campaign->{id}.$campaign->{host_id}.said" }

# Why a detached run that is over did not end, in its own last words, or nothing.
sub last_words {
    my ($directory, $campaign) = @_;
    my $text = Touchstone::Machine::Sysfile::text(log_of($directory, $campaign)) // return;
    return $text =~ /^(?!# )[\w.-]+: ([^\n]+)\n(?:(?!# )[^\n]+\n)*\z/m ? $1 : undef;
}

sub _attempts {
    my ($directory, $campaign) = @_;
    opendir my $dir, $directory or return $!{ENOENT} ? () : die "cannot read '$directory': $!\n";
    my %numbers;
    for my $name (map { /\A(.*)\.jsonl?\z/s ? $1 : () } readdir $dir) {
        my $parsed = Touchstone::Record::Campaign::parsed($name) or next;
        next if $parsed->{id} ne $campaign->{id} || $parsed->{host_id} ne $campaign->{host_id};
        $numbers{ $parsed->{attempt} } = $name;
    }
    closedir $dir;
    return map { _attempt($directory, $numbers{$_}, $_) } sort { $a <=> $b } keys %numbers;
}

# Where there are both, the run either went on, and its journal tells that it did so once more than its
# record, or it ended, and the record has all of the journal.
sub _attempt {
    my ($directory, $name, $number) = @_;
    my ($record, $journal) = map { _read("$directory/$name.$_") } qw(json jsonl);
    my $is_later = $journal && $record && _resumed($journal) > _resumed($record);
    my $it       = $is_later || !$record || !$record->{facts} && $journal ? $journal : $record;
    my $ended    = $it && !$is_later && $record && (($it->{facts} || {})->{status} // '') eq 'complete';
    return {
        attempt  => $number,
        name     => $name,
        on_begin => $it    ? 1            : 0,
        ended    => $ended ? 1            : 0,
        file     => $it    ? $it->{file}  : undef,
        facts    => $it    ? $it->{facts} : undef,
    };
}

# What stands in a file, if anything does: a journal without a whole line is one that was just begun.
sub _read {
    my ($file) = @_;
    return if !-s $file;
    my $text = eval { Touchstone::Record->text_of($file) };
    return if defined $text && $file =~ /\.jsonl\z/ && $text !~ /\n/;
    my $facts = defined $text ? eval { Touchstone::Record->of_text($file, $text) } : undef;
    return { file => $file, facts => $facts };
}

sub _resumed { my ($it) = @_; return scalar @{ ($it->{facts} || {})->{resumed} || [] } }

# Takes the next run of the campaign for this process:
#
#   { now => what there is, once taken, attempt => its number, name, journal => the handle whose lock it has }
#
# `journal` is missing where another process measures, and all but `now` where nothing is to be done.
# `refused`: the attempt that cannot be gone on with.
sub take {
    my ($directory, $campaign, $run, $refused) = @_;
    my $now = look($directory, $campaign, $run);
    while (1) {
        return { now => $now } if $now->{state} eq 'ended';
        my $number  = _next($now, $refused // 0);
        my $name    = Touchstone::Record::Campaign::name({ %$campaign, attempt => $number });
        my %next    = (now => $now, attempt => $number, name => $name);
        my $journal = Touchstone::Record::Journal->take($directory, $name) or return \%next;

        # Whoever had it before may have ended the run, or begun the next attempt.
        my $then = $now;
        $now = look($directory, $campaign, $run);
        return { %next, now => $now, journal => $journal }
            if $now->{state} ne 'ended' && _next($now, $refused // 0) == $number;
        unlink "$directory/$name.jsonl" if -z $journal;
        close $journal;
    }
    return;
}

# A run that did not begin leaves nothing behind.
sub give_back {
    my ($directory, $next) = @_;
    my $journal = journal_of($directory, $next);
    unlink $journal if -z $journal;
    return;
}

sub _next {
    my ($now, $refused) = @_;
    my $last = $now->{last} or return 1;
    return $last->{ended} || $last->{attempt} <= $refused ? $last->{attempt} + 1 : $last->{attempt};
}

# Dies where these words ask for other things than an attempt measures.
sub check_words {
    my ($options, $attempt) = @_;
    my $facts = $attempt->{facts} or return;
    my $suite = Touchstone::Suite::load();
    my @names = @{ $options->{tests} };
    @names = $suite->default->{group} // () if !@names;
    my @tests    = or_refuse(sub { $suite->expand(@names) });
    my $schedule = $facts->{schedule};
    my @copies   = $options->{scaling} ? () : @{ $options->{copies} || [] };
    my $asked =
        _described(Touchstone::Run::Request::kind($options), @copies ? \@copies : $schedule->{copies},
        @tests);
    my $there = _described($schedule->{kind}, $schedule->{copies}, @{ $facts->{tests} });
    return if $asked eq $there;
    refuse(   "'$attempt->{name}' measures $there, and these arguments ask for $asked\n"
            . "other measurements need a campaign of another name\n");
}

sub _described {
    my ($kind, $copies, @tests) = @_;
    my %seen;
    my @copies = grep     { !$seen{$_}++ } map { $_ + 0 } @{ $copies || [] };
    my @names  = sort map { $_->{name} } @tests;
    return "@names" . (@copies ? " with -c " . join ' -c ', @copies : '') . " ($kind schedule)";
}

# Work that goes on without the terminal, or the connection, that it was started from.
#
#   my $child = Touchstone::Pack::Fleet::CampaignRun->detach($log);
#   return $child->wait_for_begin if $child->is_parent;      the exit status, when the work has begun or cannot
#   ...
#   $child->on_begin;                                         in the other: from now on it is alone
#
# Until then both have the same streams, so that whoever called is told of every trouble.

# The child leads a session of its own, which the end of a connection does not reach.
sub detach {
    my ($class, $log) = @_;
    pipe my $out, my $in or die "cannot make a pipe: $!\n";
    $_->flush for \*STDOUT, \*STDERR;

    # Where it was ignored, nobody could ask how the child ended.
    $SIG{CHLD} = 'DEFAULT';
    my $pid = fork // die "cannot start another process: $!\n";
    if ($pid) {
        close $in;
        return bless { pid => $pid, out => $out }, $class;
    }
    close $out;
    POSIX::setsid();
    $SIG{HUP} = 'IGNORE';
    _let_go();
    open STDIN, '<:raw', '/dev/null' or die "cannot open '/dev/null': $!\n";
    return bless { in => $in, log => $log }, $class;
}

# Whoever called may wait for the end of a pipe that it left open for us. What we opened ourselves would be
# closed in programs that we start, and so can be told.
sub _let_go {
    for my $number (map { /\A(\d+)\z/ && $1 > 2 ? $1 : () } Touchstone::Machine::Sysfile::names('/dev/fd')) {
        open my $handle, '<&=', $number or next;
        my $flags = fcntl $handle, F_GETFD, 0;
        next if !defined $flags || $flags & FD_CLOEXEC;
        close $handle;
    }
    return;
}

sub is_parent { return defined $_[0]{pid} }

# Returns 0 when the work has begun, or else the exit status with which it ended, of which it has told why.
sub wait_for_begin {
    my ($self) = @_;
    my $word = readline $self->{out};
    return 0 if defined $word;
    waitpid $self->{pid}, 0;
    my ($status, $signal) = ($? >> 8, $? & 127);
    die "the measurement was killed by signal $signal before it began\n" if $signal;
    return $status;
}

# What is said from now on stands in the log, behind a line for each process. Where there can be none, the
# work goes on without.
sub on_begin {
    my ($self) = @_;
    my $in     = delete $self->{in} or return;
    my $log    = eval { Touchstone::Machine::File::opened($self->{log}, append => 1) };
    print STDERR "# the output from now on is lost: $@" if !$log;
    open $log, '>:raw', '/dev/null' or die "cannot open '/dev/null': $!\n" if !$log;
    for my $stream (\*STDOUT, \*STDERR) {
        $stream->flush;
        open $stream, '>>&', $log or next;
        binmode $stream;
    }
    print STDERR POSIX::strftime("# process $$ begins at %Y-%m-%d %H:%M:%S\n", localtime);
    local $SIG{PIPE} = 'IGNORE';
    syswrite $in, "begun\n";
    close $in;
    return;
}

1;
