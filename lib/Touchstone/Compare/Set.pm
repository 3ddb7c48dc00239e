# SPDX-License-Identifier: GPL-2.0-or-later
# Compare::Set - the runs of one --again, as results/.runs has them, in the order of their numbers:
#
#   {
#       name    => 'vm-2026-11-21-01',       that of the first
#       of      => 5,
#       every   => 3600, or undef,
#       words   => [ those of the command ],
#       members => [ { number => 1, name, file, complete => 1 } ]
#   }
package Touchstone::Compare::Set;
use 5.014;
use strict;
use warnings;

use Touchstone::Base::Directories;
use Touchstone::Compare::Archive;
use Touchstone::Compare::Drift;
use Touchstone::Compare::History;
use Touchstone::Record;
use Touchstone::Score;

# The set that a stored run belongs to, or nothing.
sub of_run {
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
    my ($date, $first) = map { /\A\Q$begin\E-(\d{4}-\d\d-\d\d)-\d+(?:\.jsonl?)?\z/ ? $1 : undef } $file, $set;
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
    my $complete = ($facts->{status} // '') eq 'complete' && $file =~ /\.json\z/;
    return {
        number   => $again->{number},
        name     => $facts->{name},
        file     => $file,
        complete => $complete ? 1 : 0
    };
}

# The numbers of runs that no file has.
sub missing {
    my ($set) = @_;
    my %has   = map { $_->{number} => 1 } @{ $set->{members} };
    return grep { !$has{$_} } 1 .. $set->{of};
}

# The complete runs of a set, those of Compare::History with `number` and `of`, and by how much they differ:
#
#   { runs => [ runs ], drift => { '1 pipe' => that of Compare::Drift } }
#
# Runs that are not valid count too, as this is what was measured.
sub results {
    my ($set) = @_;
    my @runs;
    for my $member (grep { $_->{complete} } @{ $set->{members} }) {
        my $facts = Touchstone::Record->load($member->{file}, '.');
        my $run   = Touchstone::Compare::History::of($facts, Touchstone::Score::scores($facts));
        push @runs, { %$run, %$member };
    }
    return { runs => \@runs, drift => @runs ? Touchstone::Compare::Drift::among(@runs) : {} };
}

1;
