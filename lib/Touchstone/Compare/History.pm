# SPDX-License-Identifier: GPL-2.0-or-later
# Compare::History - stored runs for Compare::Drift: those of the machines of a comparison, and the set of one
# --again. Each is that of Compare::Run with
#
#   group => 'a text',    equal in runs that nothing known sets apart: the same programs on the same kernel
#
# A machine has complete and valid runs, and no duets. The newest of each host are read, without their passes,
# as browse reads them.
package Touchstone::Compare::History;
use 5.014;
use strict;
use warnings;

use Touchstone::Base::Directories;
use Touchstone::Compare::Run;
use Touchstone::Record::ResultReader;
use Touchstone::Record;
use Touchstone::Score;

# So many runs of a host are read, the newest by name.
my $MOST = 24;

# So many hosts are looked at: more are compared for other reasons.
my $HOSTS = 4;

# Facts whose change may change every score.
my @LEVEL = map { "h $_" }
    qw(release version cmdline microcode governor cpu_driver boost smt mitigations memory_gb clock_source
    virtualisation);

# The runs beside these. Without them a comparison is complete, so no file that cannot be read ends one.
sub comparable_runs {
    my ($places, @runs) = @_;
    my %seen;
    my @hosts = grep { defined && length && !$seen{$_}++ } map { $_->{facts}{'h name'} } @runs;
    return if @hosts > $HOSTS;
    my @files = eval { Touchstone::Record->files($places->{runs}) };
    my %known;
    return map { _of_host($places, $_, \%known, @files) } @hosts;
}

sub _of_host {
    my ($places, $host, $cache, @files) = @_;
    my $begin = Touchstone::Base::Directories::file_name($host);
    my @own   = reverse sort grep { /\A\Q$begin\E-\d{4}-\d\d-\d\d-\d+\.json(?:\.gz)?\z/ } @files;
    splice @own, $MOST if @own > $MOST;
    return grep { $_->{facts}{'h name'} eq $host }
        map {
        my $file = "$places->{runs}/$_";
        eval { _run($file, $cache) } || ()
        } @own;
}

sub _run {
    my ($file, $cache) = @_;
    my ($facts, $results) =
        Touchstone::Record::ResultReader::parted(Touchstone::Record->text_of($file), $cache)
        or return;
    return if defined $facts->{duet} || ($facts->{status} // '') ne 'complete';
    my $run = comparable_history($facts, $results);
    return $run->{invalid} ? () : $run;
}

# A run as one of a history.
sub comparable_history {
    my ($facts, $results) = @_;
    my $run        = Touchstone::Compare::Run::from_record($facts, $results);
    my @conditions = (@$facts{qw(passport baseline)}, @{ $run->{facts} }{@LEVEL});
    return { %$run, group => join "\n", map { $_ // '' } @conditions };
}

# The set of --again that a stored run belongs to, in the order of the numbers of its runs, or nothing:
#
#   {
#       name    => 'vm-2026-11-21-01',       that of the first
#       of      => 5,
#       every   => 3600, or undef,
#       words   => [ those of the command ],
#       members => [ { number => 1, name, file, complete => 1 } ]
#   }
sub set_of {
    my ($places, $run) = @_;
    my $facts = Touchstone::Record->load($run, $places->{runs});
    my $again = $facts->{again} or return;
    my @members =
        sort { $a->{number} <=> $b->{number} || $a->{name} cmp $b->{name} }
        map  { _member("$places->{runs}/$_", $again->{set}) }
        grep { _may_be($_, $facts->{host}{name}, $again->{set}) } Touchstone::Record->files($places->{runs});
    return { name => $again->{set}, (map { $_ => $again->{$_} } qw(of every words)), members => \@members };
}

# Names begin with that of the host, and the date is not before that of the first run.
sub _may_be {
    my ($file, $host, $set) = @_;
    my $begin = Touchstone::Base::Directories::file_name($host);
    my ($date, $first) =
        map { /\A\Q$begin\E-(\d{4}-\d\d-\d\d)-\d+(?:\.json(?:l|\.gz)?)?\z/ ? $1 : undef } $file, $set;
    return defined $date && $date ge($first // '');
}

# Most files are of no set, and only their texts are looked at.
sub _member {
    my ($file, $set) = @_;
    my $text = eval { Touchstone::Record->text_of($file) } // return;
    return if $text !~ /"again": \{/ || index($text, $set) < 0;
    my $facts = eval { Touchstone::Record->of_text($file, $text) } or return;
    my $again = $facts->{again}                                    or return;
    return if $again->{set} ne $set;
    my $complete = ($facts->{status} // '') eq 'complete' && $file !~ /\.jsonl\z/;
    return {
        number   => $again->{number},
        name     => $facts->{name},
        file     => $file,
        complete => $complete ? 1 : 0
    };
}

# The numbers of runs that no file has.
sub missing_numbers {
    my ($set) = @_;
    my %has   = map { $_->{number} => 1 } @{ $set->{members} };
    return grep { !$has{$_} } 1 .. $set->{of};
}

# The complete runs of a set, with `number` and `of`. Runs that are not valid count too, as this is what was
# measured.
sub runs_of_set {
    my ($set) = @_;
    return map {
        my $facts = Touchstone::Record->load($_->{file}, '.');
        +{ %{ comparable_history($facts, Touchstone::Score::scores($facts)) }, %$_ };
    } grep { $_->{complete} } @{ $set->{members} };
}

1;
