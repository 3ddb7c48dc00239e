# SPDX-License-Identifier: GPL-2.0-or-later
# Record::Journal - the record of a run that goes on: every event is on the disk before the next pass begins,
# so that a crash or a power cut loses no pass that was finished. Record.pm shows the lines of NAME.jsonl; at
# the end NAME.json takes its place.
#
# The facts of the run grow here and nowhere else: entries are added, a block gets its end, the run its own.
# The rates of its passes are kept beside them, so that each is worked out once.
package Touchstone::Record::Journal;
use 5.014;
use strict;
use warnings;

use Errno qw(EEXIST EWOULDBLOCK);
use Fcntl qw(:flock :seek);
use IO::Handle;
use Time::HiRes qw(sleep);

use Touchstone::Base::Time;
use Touchstone::Machine::File;
use Touchstone::Machine::Limits;
use Touchstone::Record;
use Touchstone::Record::Json;
use Touchstone::Record::Schema;
use Touchstone::Score::Rate;

# A lock that others hold is asked for so often, with so many seconds between.
my ($TRIES, $PAUSE) = (20, 0.01);

my $REMEDY = 'try: UB_RESULTDIR=/var/tmp ./Run';

# Takes the first of the names that is free in the directory and starts the journal; with `replace` an older
# record of that name gives way; `taken` is what take() gave for the only name. Dies with the cause.
sub create {
    my ($class, $directory, $head, %with) = @_;
    for my $name (@{ $with{names} }) {
        my $file = "$directory/$name.jsonl";
        return $class->_starts_with($file, $head, $name, $with{taken}) if $with{taken};
        _clear($file)                                                  if $with{replace};
        next if -e "$directory/$name.json" && !$with{replace};
        while (my $journal = Touchstone::Machine::File::made($file)) {
            flock $journal, LOCK_EX | LOCK_NB;

            # Another run took it for one that was left behind, before it was locked.
            next if !Touchstone::Machine::File::is_at($journal, $file);
            return $class->_starts_with($file, $head, $name, $journal);
        }
        die "cannot write in '$directory': ", Touchstone::Machine::Limits::reported($!, $REMEDY)
            if $! != EEXIST;
    }
    die "no free name for the results in '$directory'\n";
}

# A journal with its first line, which is the head.
sub _starts_with {
    my ($class, $file, $head, $name, $journal) = @_;
    truncate $journal, 0;
    my $data = {
        %$head,
        format => $Touchstone::Record::FORMAT,
        name   => $name,
        $head->{again} ? (again => { set => $name, %{ $head->{again} } }) : (),
        map { $_ => [] } @Touchstone::Record::Schema::LISTS
    };
    my $self = bless {
        data    => $data,
        rates   => [],
        journal => $journal,
        stem    => $file =~ s/\.jsonl\z//r,
        length  => 0,
        behind  => ''
    }, $class;
    return $self if $self->_append({ record => $data });
    unlink $file;
    die "cannot write '$file': ", Touchstone::Machine::Limits::reported($self->{error}, $REMEDY);
}

# Takes the journal of that name, a new one or one that was left, for this process alone: its lock tells
# others that a run goes on, before anything stands in it. Returns a handle, or nothing where another process
# has it. Those who look whether it is locked, or remove an empty one, hold it for a moment.
sub take {
    my ($class, $directory, $name) = @_;
    my $file = "$directory/$name.jsonl";
    for (1 .. $TRIES) {
        my $journal = eval { Touchstone::Machine::File::opened($file) } or die $@, "$REMEDY\n";
        if (flock $journal, LOCK_EX | LOCK_NB) {
            return $journal if Touchstone::Machine::File::is_at($journal, $file);
        } elsif ($! != EWOULDBLOCK) {
            die "cannot lock '$file': $!\n$REMEDY\n";
        }
        sleep $PAUSE;
    }
    return;
}

# A journal of that name from a run that was cut off gives way; one that is written to does not. On NFS only
# a file that is open for writing can be locked by one alone.
sub _clear {
    my ($file) = @_;
    return if !-l $file && !-e $file;
    my $old = Touchstone::Machine::File::opened($file, there => 1);
    flock $old, LOCK_EX | LOCK_NB or die "a run of that name is still running: '$file'\n";
    unlink $file;
    return;
}

# The journal of a run that was cut off or stopped, to go on with it: nothing is written before `go_on`. It
# is locked before it is read, because the run could end meanwhile; `taken` is the handle that take() gave.
sub reopen {
    my ($class, $run, $directory, $taken) = @_;
    my $file = Touchstone::Record->file_of($run, $directory);
    my $stem = Touchstone::Record::stem($file);
    my $old  = $taken;
    if (!$old && -e "$stem.jsonl") {
        $old = Touchstone::Machine::File::opened("$stem.jsonl", there => 1);
        flock $old, LOCK_EX | LOCK_NB or die "the run '$file' is still running\n";
    }
    die "cannot resume '$file': it holds no pass, since its run ended as it began\n"
        . "measure again: the next run removes it\n"
        if $file =~ /\.jsonl\z/ && !Touchstone::Record::has_begun($file);
    my $data = Touchstone::Record->load($run, $directory);
    die "cannot resume '$file': it holds results of a run, but not all that resuming needs\n"
        if $data->{compact};
    die "cannot resume '$file': this run is complete\n" if ($data->{status} // '') eq 'complete';
    my @rates = map { Touchstone::Score::Rate::of_pass($_) } @{ $data->{passes} };
    return bless { data => $data, rates => \@rates, stem => $stem, old => $old, behind => '' }, $class;
}

# Its journal begins anew with all that is known, in the place of whatever file that was in.
sub go_on {
    my ($self) = @_;
    my ($data, $stem) = @$self{qw(data stem)};
    $data->{status} = 'running';
    push @{ $data->{resumed} }, int Touchstone::Base::Time::now();
    delete $data->{ended};
    my %head  = (%$data, map { $_ => [] } @Touchstone::Record::Schema::LISTS);
    my @lines = ({ record => \%head });
    for my $list (@Touchstone::Record::Schema::LISTS) {
        my @entries = @{ $data->{$list} };
        @entries = map { +{ %{ $entries[$_] }, %{ $self->{rates}[$_] } } } 0 .. $#entries
            if $list eq 'passes';
        push @lines, map { +{ $list => $_ } } @entries;
    }

    # The new journal is locked before the old one is let go.
    $self->{journal} =
        Touchstone::Machine::File::write_file("$stem.jsonl",
        join('', map { Touchstone::Record::Json::encode_line($_) . "\n" } @lines),
        held => 1);
    $self->{length} = sysseek $self->{journal}, 0, SEEK_END;
    unlink "$stem.json";
    close $self->{old} if $self->{old};
    delete $self->{old};
    return $self;
}

# True if a Run writes to this journal now.
sub is_written {
    my ($class, $file) = @_;
    open my $journal, '<:raw', $file or return 0;
    return flock($journal, LOCK_SH | LOCK_NB) ? 0 : 1;
}

# Returns when nobody writes to this journal any more. The kernel wakes it, so waiting takes no time.
sub wait_for {
    my ($class, $file) = @_;
    open my $journal, '<:raw', $file or return;
    flock $journal, LOCK_SH or die "cannot wait for '$file': $!\n";
    return;
}

# The facts of the run, and the rates of its passes as Score::Rate gives them.
sub data { return $_[0]{data} }

sub rates { return $_[0]{rates} }

# Returns why the journal is behind the facts, or undef.
sub trouble { return $_[0]{trouble} }

# One more block, failure, skipped test or warning. A journal that cannot be written is no reason to stop
# measuring.
sub add {
    my ($self, $list, $entry) = @_;
    push @{ $self->{data}{$list} }, $entry;
    $self->_append({ $list => $entry });
    return $entry;
}

# One more pass, whose rates stand in its line, too.
sub add_pass {
    my ($self, $pass, $rates) = @_;
    push @{ $self->{data}{passes} }, $pass;
    push @{ $self->{rates} },        $rates;
    $self->_append({ passes => { %$pass, %$rates } });
    return $pass;
}

# A block has ended; the file of the finished run tells when.
sub end_block {
    my ($self, $block) = @_;
    $block->{ended} = Touchstone::Base::Time::now();
    return;
}

# The run has ended: it is complete, or was stopped.
sub end {
    my ($self, $status) = @_;
    @{ $self->{data} }{qw(ended status)} = (Touchstone::Base::Time::now(), $status);
    return $self->{data};
}

# A line that did not fit on the disk leaves nothing behind, and is tried again with the next one.
sub _append {
    my ($self, $line) = @_;
    my $journal = $self->{journal};
    my $text    = $self->{behind} . Touchstone::Record::Json::encode_line($line) . "\n";
    my $wrote   = syswrite $journal, $text;

    # A write that succeeded in part tells no cause; the next write of the rest does.
    my $rest = $wrote ? length($text) - $wrote : 0;
    $wrote += syswrite($journal, $text, $rest, $wrote) // 0 if $rest;
    my $error = $!;
    if (defined $wrote && $wrote == length $text) {
        $self->{length} += $wrote;
        $self->{behind} = '';
        delete $self->{trouble};
        $journal->sync;
        return 1;
    }
    $self->{error}   = $error;
    $self->{trouble} = Touchstone::Machine::Limits::why($error);
    $self->{behind}  = $text;
    truncate $journal, $self->{length};
    sysseek $journal, $self->{length}, SEEK_SET;
    return 0;
}

# Writes the whole record with its results beside the journal and removes that. Dies with the cause; the
# journal then stays.
sub finish {
    my ($self, $results) = @_;
    Touchstone::Machine::File::write_file("$self->{stem}.json",
        Touchstone::Record::Json::encode(Touchstone::Record::document($self->{data}, $results)));

    # Whoever waits for the lock finds the record alone.
    unlink "$self->{stem}.jsonl";
    close $self->{journal};
    return "$self->{stem}.json";
}

1;
