# SPDX-License-Identifier: GPL-2.0-or-later
# Record - the run as a file, format 1: results/runs/NAME.json, and while it runs NAME.jsonl, a line after every event, so that a
# crash or a power cut loses no pass that was finished.
#
#   {"record": {"format": 1, "name": "host-2026-11-21-01", ...}}
#   {"blocks": {"copies": 1, "started": 1795240225.8}}
#   {"passes": {"test": "pipe", "copies": 1, "round": 1, "window": 1, "timebase": 1, "unit": "lps", "counts": [3481930],
#     "times": [1], "user": [0.2114], "sys": [0.786], "starts": [1463594847824], "slices": ["102479647:352368 ..."], ...}}
#   {"failures": {"test": "C", "copies": 1, "why": "exit status 1"}}
package Touchstone::Record;
use 5.014;
use strict;
use warnings;

use Errno qw(EEXIST);
use Fcntl qw(O_CREAT O_EXCL O_WRONLY);
use IO::Handle;

use Touchstone::Json;
use Touchstone::Schema;

our $FORMAT = 1;
my $REMEDY = 'UB_RESULTDIR names another place for the results';

# Takes the first of the names that is free in the directory and starts the journal; with `replace` an older record of that name
# gives way. Dies with the cause.
sub create {
    my ($class, $directory, $head, %with) = @_;
    for my $name (@{ $with{names} }) {
        my $file = "$directory/$name.jsonl";
        unlink $file if $with{replace};
        next if -e "$directory/$name.json" && !$with{replace};
        if (sysopen my $journal, $file, O_CREAT | O_EXCL | O_WRONLY, 0666) {
            my $data = { %$head, format => $FORMAT, name => $name, map { $_ => [] } @Touchstone::Schema::LISTS };
            my $self = bless { data => $data, journal => $journal, stem => "$directory/$name" }, $class;
            return $self if $self->_append({ record => $data });
            unlink $file;
            die "cannot write '$file': $self->{trouble}\n$REMEDY\n";
        }
        die "cannot write in '$directory': $!\n$REMEDY\n" if $! != EEXIST;
    }
    die "no free name for the results in '$directory'\n";
}

sub data { return $_[0]{data} }

# One more block, pass, failure, skipped test or warning. A journal that cannot be written is no reason to stop measuring.
sub add {
    my ($self, $list, $entry) = @_;
    push @{ $self->{data}{$list} }, $entry;
    $self->_append({ $list => $entry });
    return $entry;
}

sub _append {
    my ($self, $line) = @_;
    my $journal = $self->{journal};
    my $text    = Touchstone::Json::encode_line($line) . "\n";
    my $wrote   = syswrite $journal, $text;
    if (!defined $wrote || $wrote != length $text) {
        $self->{trouble} //= defined $wrote ? 'it was written in part only' : "$!";
        return 0;
    }
    $journal->sync;
    return 1;
}

# Writes the whole record beside the journal and removes that. Dies with the cause; the journal then stays.
sub finish {
    my ($self) = @_;
    $self->write_file("$self->{stem}.json", Touchstone::Json::encode($self->{data}));
    close $self->{journal};
    unlink "$self->{stem}.jsonl";
    return "$self->{stem}.json";
}

# Beside and renamed: nobody ever sees half a file, and a full disk destroys nothing.
sub write_file {
    my ($self, $file, $text) = @_;
    my $new = "$file.new$$";
    my $ok = open my $out, '>', $new;
    my $error = $!;
    if ($ok) {
        $ok = print {$out} $text;
        $error = $!;
        # Closed in any case: at its end Perl would complain of what is still in the buffer.
        if (!close $out) { $error = $! if $ok; $ok = 0 }
    }
    if ($ok) { $ok = rename $new, $file; $error = $! }
    return $file if $ok;
    unlink $new;
    die "cannot write '$file': $error\n";
}

# Data of a stored run, by path or by name in the directory. Dies naming file and line.
sub load {
    my ($class, $run, $directory) = @_;
    my ($file) = grep { -f } $run =~ m{\.jsonl?\z} ? $run : (), map { ("$_.json", "$_.jsonl") } $run, "$directory/$run";
    $file //= $run if -e $run;
    die "no run '$run' here or in '$directory'\n" if !defined $file;
    open my $in, '<', $file or die "cannot open '$file': $!\n";
    my $text = do { local $/; <$in> } // '';
    close $in or die "cannot read '$file': $!\n";
    my $data;
    eval { $data = $file =~ /\.jsonl\z/ ? _from_journal($text) : Touchstone::Json::decode($text); 1 } or die "'$file' is no record of a run: $@";
    my $wrong = Touchstone::Schema::complaint($data, $FORMAT);
    die "'$file' is no record of a run: $wrong\n" if defined $wrong;
    return $data;
}

# The last line of a run that was cut off may be half a line.
sub _from_journal {
    my ($text) = @_;
    my @lines = split /\n/, $text, -1;
    my $rest  = pop @lines;
    die "line 1: the journal holds no whole line\n" if !@lines;
    my $data;
    for my $i (0 .. $#lines) {
        my $line = eval { Touchstone::Json::decode($lines[$i]) } // die 'line ' . ($i + 1) . ': ' . ($@ =~ s/^line \d+: //r || "no data\n");
        my ($list, @more) = ref $line eq 'HASH' ? keys %$line : ();
        if ($i == 0 && !@more && ($list // '') eq 'record') { $data = $line->{record}; next }
        die 'line ' . ($i + 1) . ": no entry of a journal\n"
            if @more || ref $data ne 'HASH' || !grep { $_ eq ($list // '') && ref $data->{$_} eq 'ARRAY' } @Touchstone::Schema::LISTS;
        push @{ $data->{$list} }, $line->{$list};
    }
    return $data;
}

1;
