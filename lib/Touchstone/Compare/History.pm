# SPDX-License-Identifier: GPL-2.0-or-later
# Compare::History - the stored runs of the machines of a comparison, for Compare::Drift: each is that of
# Compare::Run with
#
#   group => 'a text',    equal in runs that nothing known sets apart: the same programs on the same kernel
#
# Complete and valid runs count, and no duets. The newest of each host are read, without their passes, as
# --browse reads them.
package Touchstone::Compare::History;
use 5.014;
use strict;
use warnings;

use Touchstone::Base::Directories;
use Touchstone::Compare::Run;
use Touchstone::Record::ResultReader;
use Touchstone::Record;

# So many runs of a host are read, the newest by name.
my $MOST = 24;

# So many hosts are looked at: more are compared for other reasons.
my $HOSTS = 4;

# Facts whose change may change every score.
my @LEVEL = map { "h $_" }
    qw(release version cmdline microcode governor cpu_driver boost smt mitigations memory_gb clock_source
    virtualisation);

# The runs beside these. Without them a comparison is complete, so no file that cannot be read ends one.
sub beside {
    my ($places, @runs) = @_;
    my %seen;
    my @hosts = grep { defined && length && !$seen{$_}++ } map { $_->{facts}{'h name'} } @runs;
    return if @hosts > $HOSTS;
    my @files = eval { Touchstone::Record->files($places->{runs}) };
    my %known;
    return map { _of_host($places, $_, \%known, @files) } @hosts;
}

sub _of_host {
    my ($places, $host, $known, @files) = @_;
    my $begin = Touchstone::Base::Directories::file_name($host);
    my @own   = reverse sort grep { /\A\Q$begin\E-\d{4}-\d\d-\d\d-\d+\.json\z/ } @files;
    splice @own, $MOST if @own > $MOST;
    return grep { $_->{facts}{'h name'} eq $host }
        map {
        my $file = "$places->{runs}/$_";
        eval { _run($file, $known) } || ()
        } @own;
}

sub _run {
    my ($file, $known) = @_;
    my ($facts, $results) =
        Touchstone::Record::ResultReader::parted(Touchstone::Record->text_of($file), $known)
        or return;
    return if defined $facts->{duet} || ($facts->{status} // '') ne 'complete';
    my $run = of($facts, $results);
    return $run->{void} ? () : $run;
}

# A run as one of a history.
sub of {
    my ($facts, $results) = @_;
    my $run        = Touchstone::Compare::Run::of($facts, $results);
    my @sets_apart = (@$facts{qw(passport baseline)}, @{ $run->{facts} }{@LEVEL});
    return { %$run, group => join "\n", map { $_ // '' } @sets_apart };
}

1;
