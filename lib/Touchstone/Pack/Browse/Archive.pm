# SPDX-License-Identifier: GPL-2.0-or-later
# Pack::Browse::Archive - all stored runs, as short facts: what a table of runs and the trends of their scores
# are made of.
#
#   {
#       runs => [
#           {
#               name     => 'vm-2026-11-21-01',
#               word     => the same if a command can name it,
#               at       => seconds since 1970,
#               offset   => seconds by which its local time is ahead,
#               date     => '2026-11-21 23:44',
#               host, cpu, memory, kernel, compiler, build, schedule, baseline,
#               status   => 'complete',
#               invalid     => 'most passes were disturbed' where it is not valid, or undef,
#               duet     => 1 or 0,
#               set      => 1 where --build made it, or 0,
#               counts   => [1, 2],
#               tests    => [ { copies, name, title, suite, unit, better, score, interval, conditions => {...} } ],
#               indexes  => [ { copies, key, name, title, part_of, suite, scale, score, interval, partial, conditions } ],
#               warnings => [ { id, text, remedy } ],
#               lost     => 2,
#               links    => { html => 'vm-2026-11-21-01.html' },
#               facts    => what Compare::Differences says of the machine and the build
#           }
#       ],
#       damaged => [ { file => 'x.json', why => 'line 3: ...' } ]
#   }
#
# The newest comes first. The results that stand in the file of a finished run are believed
# (Record::ResultReader); what cannot be read so, and journals, are read whole and scored anew.
package Touchstone::Pack::Browse::Archive;
use 5.014;
use strict;
use warnings;

use Touchstone::Base::Symbols qw($TIMES);
use Touchstone::Base::Text qw(natural_key percent_encoded plain plain_data);
use Touchstone::Base::Time qw(date);
use Touchstone::Compare::Differences;
use Touchstone::Machine::Sysfile;
use Touchstone::Record::ResultReader;
use Touchstone::Record::Journal;
use Touchstone::Record::Warnings;
use Touchstone::Record;
use Touchstone::Score;
use Touchstone::Suite;

# Old records do not say what their indexes are set against: it was what is usual.
my $USUAL = Touchstone::Suite::load()->default->{reference};

# Conditions of the host, of how it was asked, and of what its owner built: these may differ where hosts are
# compared.
our %OF_HOST = map { $_ => 1 } 'CPU', 'usable CPUs', 'schedule', 'placement', 'build';

# Reads one directory of the places.
sub read {
    my ($places) = @_;
    my (%found, %known);
    my %reports = map { $_ => 1 } _names($places->{results});
    for my $file (Touchstone::Record->files($places->{runs})) {
        my $run = eval { _run($places, $file, \%known) };
        my $why = $@ =~ s/\A'\Q$places->{runs}\E\/\Q$file\E' is not a run record: //r;
        if ($run) { push @{ $found{runs} }, { %$run, links => _links($run->{stem}, \%reports) } }
        else {
            push @{ $found{damaged} }, plain_data({ file => $file, why => $why =~ s/\n+\z//r });
        }
    }
    my @runs = sort {
               $b->{at} <=> $a->{at}
            || natural_key($b->{stem}) cmp natural_key($a->{stem})
            || $b->{stem} cmp $a->{stem}
    } @{ $found{runs} || [] };
    return { runs => \@runs, damaged => $found{damaged} || [] };
}

sub _names {
    my ($directory) = @_;
    return grep { -f "$directory/$_" } Touchstone::Machine::Sysfile::names($directory);
}

# Links to the reports of a run beside the page.
sub _links {
    my ($stem, $reports) = @_;
    my %file = (text => $stem, html => "$stem.html");
    return {
        map  { $_ => percent_encoded($file{$_}) }
        grep { $reports->{ $file{$_} } } keys %file
    };
}

sub _run {
    my ($places, $file, $cache) = @_;
    my $directory = $places->{runs};
    my $path      = "$directory/$file";
    die "not a regular file\n" if !-f $path;
    my ($facts, $results) =
        $file !~ /\.jsonl\z/
        ? Touchstone::Record::ResultReader::parted(Touchstone::Record->text_of($path), $cache)
        : ();
    if (!$facts) {
        $facts   = Touchstone::Record->load($path, $directory);
        $results = Touchstone::Score::scores($facts);
    }
    my $stem = Touchstone::Record::stem($file);
    my $status =
        $file =~ /\.jsonl\z/
        ? (Touchstone::Record::Journal->is_written($path) ? 'running' : 'cut off')
        : $facts->{status} // 'unknown';
    return { %{ short_of($facts, $results, $stem, $status) }, word => _word($file, $stem, $places->{base}) };
}

# What names the run on a command line, or undef. What ends like a file, and what is one in the tree, would
# name another.
sub _word {
    my ($file, $stem, $base) = @_;
    return undef if plain($stem) ne $stem;
    my $is_other = Touchstone::Record::stem($stem) ne $stem || defined $base && -e "$base/$stem";
    return ($is_other ? $file : $stem) =~ s/\A-/.\/-/r;
}

# The short facts of a run; `status` of what is in that file.
sub short_of {
    my ($facts, $results, $stem, $status) = @_;
    my $differ     = Touchstone::Compare::Differences::of_record($facts);
    my $conditions = _conditions($facts, $differ);
    my %suite      = map { $_->{name} => plain($_->{suite} // '') } @{ $facts->{tests} || [] };
    my %plain;
    my $short = sub {
        my ($block, $of_result, $text, @names) = @_;
        my ($result, @tests) = @$of_result;
        return {
            copies => $block->{copies},
            _text(\%plain, $result, @$text),
            (map { $_ => $result->{$_} } qw(score interval), @names),
            suite      => $suite{ $tests[0] // '' } // '',
            conditions => $conditions->(@tests)
        };
    };
    my (@indexes, @tests);
    for my $block (@{ $results->{blocks} }) {
        push @indexes, map {
            $short->(
                $block,
                [ $_, @{ $_->{tests} } ],
                [qw(key name title reference part_of)],
                qw(partial scale)
            )
        } grep { !$_->{outside} } @{ $block->{indexes} };
        push @tests,
            map { $short->($block, [ $_, $_->{name} ], [qw(name title unit better)]) } @{ $block->{tests} };
    }
    return {
        %{ plain_data(_text_of_run($facts, $differ, $stem, $status)) },
        indexes => \@indexes,
        tests   => \@tests,
        stem    => $stem,
        at      => $facts->{started},
        offset  => $facts->{utc_offset},
        duet    => defined $facts->{duet} ? 1 : 0,
        set     => $facts->{set}          ? 1 : 0,
        invalid => _invalid($facts, $results),
        facts   => $differ,
        counts  => [ map { $_->{copies} } @{ $results->{blocks} } ],
        lost    => @{ $facts->{failures} } + @{ $facts->{skipped} },
    };
}

# Why a run is not valid, or undef.
sub _invalid {
    my ($facts, $results) = @_;
    my $invalid = Touchstone::Record::Warnings::why_invalid($facts, $results);
    return $invalid && plain($invalid->{brief});
}

# Texts of a record, which may be a stranger's.
sub _text_of_run {
    my ($facts, $differ, $stem, $status) = @_;
    return {
        name     => plain($stem),
        date     => _date($facts),
        status   => $status,
        host     => length $facts->{host}{name} ? $facts->{host}{name} : 'unknown',
        cpu      => join(' ', $facts->{host}{online_cpus}, $TIMES, $differ->{'h model'}),
        memory   => $differ->{'h memory_gb'},
        kernel   => $facts->{host}{release},
        compiler => $facts->{build}{compiler_version} // 'unknown',
        build    => _build($facts, $differ->{'b flags'} // 'unknown'),
        schedule => $facts->{schedule}{kind},
        baseline => $facts->{baseline} // $USUAL,
        warnings => $facts->{warnings},
    };
}

# Texts of a result; `plain`: those that are known already.
sub _text {
    my ($plain, $result, @names) = @_;
    return map { $_ => $plain->{ $result->{$_} } //= plain($result->{$_}) }
        grep { defined $result->{$_} } @names;
}

sub _date { my ($record) = @_; return date('%Y-%m-%d %H:%M', @$record{qw(started utc_offset)}) }

# A set of --build says its flags.
sub _build {
    my ($record, $flags) = @_;
    return $record->{set} ? "$record->{set}{name}: $record->{set}{asked}" : $flags;
}

# Tells what the programs of a suite were built with: another suite in the same run is none of its
# conditions. One that uses programs of others has all.
sub _flags {
    my ($record, $facts, $suite) = @_;
    my $build = $record->{build};
    my @own   = grep { length $build->{$_} } sort grep { /\Aflags_\Q$suite\E(?:_\w+)?\z/ } keys %$build;
    return $facts->{'b flags'} // 'unknown' if !@own;
    return join ' ', map { $build->{$_} } @own, grep { length($build->{$_} // '') } 'flags_user';
}

# A sub that gives for a test by what its scores are of one series with others of the machine, by name; the
# compiler and the kernel are no part of it. An index has those of its first test, but the versions of all.
sub _conditions {
    my ($record, $facts) = @_;
    my %common = (
        CPU           => "$record->{host}{online_cpus} x $facts->{'h model'}",
        'usable CPUs' => $record->{host}{usable_cpus},
        schedule      => $record->{schedule}{kind},
        placement     => $record->{pin},
    );
    my %row = map { $_->{name} => $_ } @{ $record->{tests} || [] };
    my %of;
    return sub {
        my ($suite, $needs) = map { $_ // '' } @{ $row{ $_[0] // '' } || {} }{qw(suite requires)};
        my $version = _versions($record, map { $row{$_} || () } @_);
        return $of{ join ' ', $suite, $needs, $version // '' } //= plain_data(
            {
                %common,
                build                 => _build($record, _flags($record, $facts, $suite)),
                'version of the test' => $version,
                %{ $record->{equipment}{$needs} || {} }
            }
        );
    };
}

# '2', or 'pipe 2, spawn 3, others 1': unchanged tests are not named. Nothing where nobody knows it.
sub _versions {
    my ($record, @rows) = @_;
    return Touchstone::Compare::Differences::version_of($record, @rows) if @rows == 1;
    my %version = map  { $_->{name} => Touchstone::Compare::Differences::version_of($record, $_) } @rows;
    my @known   = grep { defined $version{$_} } sort keys %version;
    my %seen    = map  { $version{$_} => 1 } @known;
    return (keys %seen)[0] if keys %seen < 2;
    my @changed = map { "$_ $version{$_}" } grep { $version{$_} ne '1' } @known;
    return join ', ', @changed, $seen{1} ? 'others 1' : ();
}

1;
