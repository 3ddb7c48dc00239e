# SPDX-License-Identifier: GPL-2.0-or-later
# Pack::Fleet::Collect - records into a campaign, each exactly once. What comes of each:
#
#   { what => 'taken', host => 'web1', key => 'k68.9f31c07d5a64b2e8.1', warning => 'its clock is slow ...' }
#   { what => 'known', host => 'web1', key => 'k68.9f31c07d5a64b2e8.1' }
#   { what => 'conflict', host => 'web1', key => ..., from, why, remedy, kept => 'conflicts/...' }
#   { what => 'refused', host => 'web1' or undef, from => '/srv/got/web1.json', why, remedy, kind }
#
# A record is written beside its place, synced, and then given its name by link(2), which fails where
# something has it: nobody ever sees half a record, and none is replaced. What was refused stays where it was;
# what lies in the campaign's staging goes from there when its record is safe.
package Touchstone::Pack::Fleet::Collect;
use 5.014;
use strict;
use warnings;

use Digest::SHA qw(sha256_hex);
use File::Spec;

use Touchstone::Base::Text qw(plain plural);
use Touchstone::Machine::File;
use Touchstone::Pack::Fleet::Campaign qw(expect folder_of);
use Touchstone::Pack::Fleet::Inbox;
use Touchstone::Pack::Fleet::Leases;
use Touchstone::Pack::Fleet::RecordIndex qw(file_of note_event refusals);
use Touchstone::Pack::Fleet::Status qw(clock_off clock_words);
use Touchstone::Record;
use Touchstone::Record::Campaign;
use Touchstone::Record::ResultReader;
use Touchstone::Record::Largest;

my $LOCK = 'collect.lock';

# So many digits of its sum name another record of a key that is there.
my $DIGITS = 16;

# What is of no record of this campaign.
my $FOREIGN = 'foreign';

# Takes records into the campaign in a directory from files, directories or `-`. `said` is called with what
# comes of each. `asked`: the host from which all of them came, where the carrier knows it. Returns { others,
# running }: files that are of no record of this campaign, and runs that have not ended.
sub collect {
    my ($directory, $froms, $events, $asked) = @_;
    my $manifest = expect($directory);
    my $arrivals = Touchstone::Pack::Fleet::Inbox->new($manifest);
    my $self     = bless {
        manifest  => $manifest,
        directory => $directory,
        hosts     => { map { $_->{name} => $_ } @{ $manifest->{hosts} } },
        refused   => refusals($directory),
        seen      => {},
        asked     => $asked
        },
        __PACKAGE__;
    die {
        exit    => 2,
        message => "no host '" . plain($asked) . "' in the campaign '$manifest->{campaign}'\n"
        }
        if defined $asked && !$self->{hosts}{$asked};
    Touchstone::Pack::Fleet::RecordIndex::sweep($directory);
    for my $from (@$froms) {
        $arrivals->each(
            $from,
            sub {
                my ($arrival) = @_;
                my $outcome = $self->_found($arrival);
                $self->_note_refusal($outcome, $arrivals)     if $outcome->{what} eq 'refused';
                $self->_settle($arrival, $outcome, $arrivals) if $outcome->{what} ne 'refused';
                $events->($outcome);
            }
        );
    }
    return { others => $arrivals->others, running => $arrivals->running };
}

sub _found {
    my ($self, $arrival) = @_;
    my $earlier = $self->_known_by_name($arrival);
    return $earlier if $earlier;
    my $outcome = eval { $self->_taken($arrival) };
    return $outcome if $outcome;
    my $died = $@;
    my ($why, @remedy) = split /\n/, ref $died ? $died->{why} : $died;
    return {
        what   => 'refused',
        from   => $arrival->{from},
        path   => $arrival->{path} // $arrival->{log},
        why    => $why,
        remedy => @remedy ? "@remedy" : undef,
        ref $died ? (map { $_ => $died->{$_} } qw(host kind)) : ()
    };
}

# Nothing that is here already needs to be read.
sub _known_by_name {
    my ($self, $arrival) = @_;
    return if !defined $arrival->{text} || !defined $arrival->{name};
    my $parsed = Touchstone::Record::Campaign::parsed($arrival->{name});
    return
           if !$parsed
        || $parsed->{id} ne $self->{manifest}{campaign}
        || !$self->_is_here(@$arrival{qw(name text)});
    my $earlier = $self->_received->{ $arrival->{name} } or return;
    return if $self->_is_of_another($earlier->{host});
    return { what => 'known', key => $arrival->{name}, host => $earlier->{host} };
}

# Says whether a record that calls its host so did not come from there: a host may say anything of itself.
sub _is_of_another {
    my ($self, $host) = @_;
    return defined $self->{asked} && $self->{asked} ne $host ? 1 : 0;
}

# Says whether the record of a key is here and has this text.
sub _is_here {
    my ($self, $key, $text) = @_;
    my $file = file_of($self->{directory}, $key)                                     // return 0;
    my $here = eval { Touchstone::Record->text_of("$self->{directory}/runs/$file") } // return 0;
    return $here eq $text ? 1 : 0;
}

sub _received {
    my ($self) = @_;
    $self->{received} //= Touchstone::Pack::Fleet::RecordIndex::begin($self->{manifest});
    return Touchstone::Pack::Fleet::RecordIndex::news($self->{received});
}

# Takes a record in or dies with why not: a text, or { why, host, kind }.
sub _taken {
    my ($self, $arrival) = @_;
    my $facts = $self->_checked($arrival);
    my $key   = Touchstone::Record::Campaign::name($facts->{campaign});
    my $host  = $facts->{campaign}{host};
    my $lock  = $self->_locked;
    return $self->_conflict(
        $arrival, $self->{asked}, $key,
        "it names the host '" . plain($host) . q{'},
        'a host sends records of its own only: look at this one'
    ) if $self->_is_of_another($host);
    return { what => 'known', host => $host, key => $key } if $self->_is_here($key, $arrival->{text});
    my $other = $self->_other($facts, $key);
    return $self->_conflict($arrival, $host, $key, @$other) if $other;
    $self->_refuse_surplus($host);
    my $folder = folder_of($self->{directory}, $facts->{started});
    my $name   = $key . _suffix($arrival);
    my $month  = $folder =~ s{.*/}{}sr;
    eval { _keep($folder, $name, $arrival->{bytes}); 1 }
        or die { host => $host, why => "cannot keep it: $@" . "it stays where it was: collect it again\n" };

    # The record is safe. Without the note it will be read again.
    eval { Touchstone::Pack::Fleet::RecordIndex::note_record($self->{directory}, "$month/$name", $facts) };
    my $off = clock_off($self->{manifest}, $facts->{started}, time);
    return {
        what => 'taken',
        host => $host,
        key  => $key,
        $off ? (warning => clock_words($off)) : ()
    };
}

# Dies where a host has sent more records than its runs and the retries of them can make.
sub _refuse_surplus {
    my ($self, $host)    = @_;
    my ($runs, $retries) = @{ $self->{manifest} }{qw(runs retries)};
    my $here = grep { $_->{host} eq $host } values %{ $self->_received };
    return if $here < $runs + $retries;
    die {
        host => $host,
        why  => plural($here, 'record')
            . ' of it are here, and the plan is '
            . plural($runs,    'run') . ' and '
            . plural($retries, 'retry', 'retries') . "\n"
            . "more runs need a campaign of another name\n"
    };
}

sub _suffix {
    my ($arrival) = @_;
    return Touchstone::Record::Largest::is_gzip($arrival->{bytes}) ? '.json.gz' : '.json';
}

sub _keep {
    my ($folder, $name, $bytes) = @_;
    Touchstone::Machine::File::make_directory($folder);
    my $trouble = Touchstone::Machine::File::put("$folder/$name", $bytes, new => 1);
    die "$trouble\n" if defined $trouble;
    return;
}

# Returns the facts of a record of this campaign, of a host that is expected.
sub _checked {
    my ($self, $arrival) = @_;
    my $again = "it is still on its host: fetch it again\n";
    die "$arrival->{why}\n", defined $arrival->{bytes} ? $again : '' if defined $arrival->{why};
    die { why => "it is not a record: neither JSON nor lines of fleet give --whole\n", kind => $FOREIGN }
        if $arrival->{text} !~ /\A\s*\{/;
    my ($facts) = Touchstone::Record::ResultReader::parted($arrival->{text}, $self->{seen});
    $facts //= eval { Touchstone::Record->of_text('it', $arrival->{text}) };
    die 'damaged or cut short: ' . ($@ =~ s/\A'it' is not a run record: //r) . $again if !$facts;
    my $campaign = $facts->{campaign}
        // die { why => "it is of no campaign\n--once makes records of a campaign\n", kind => $FOREIGN };
    my $host   = $campaign->{host};
    my $id     = $self->{manifest}{campaign};
    my $refuse = sub { die { host => $host, why => $_[0], kind => $_[1] } };
    $refuse->(
        "it is of the campaign '$campaign->{id}', and this is '$id'\n"
            . "collect it with --campaign and the directory of that one\n",
        $FOREIGN
    ) if $campaign->{id} ne $id;
    $refuse->(
        "no host '"
            . plain($host)
            . "' was planned\n"
            . "plan a campaign that has this host, or say its planned name there with --as\n",
        'unexpected'
    ) if !$self->{hosts}{$host};
    $refuse->("its run was stopped: still to be resumed on its host\nrepeat its command fleet once there\n")
        if ($facts->{status} // '') ne 'complete';
    my $wrong = $self->_wrong_programs($facts);
    $refuse->($wrong) if defined $wrong;
    return $facts;
}

# Where programs were planned for an architecture, others are not those that were to be measured.
sub _wrong_programs {
    my ($self, $facts) = @_;
    my $arch     = $facts->{host}{machine};
    my $planned  = (($self->{manifest}{programs} || {})->{$arch} || {})->{passport} // return;
    my $passport = $facts->{passport}                                               // 'none';
    return if $passport eq $planned;
    return
        sprintf "its programs are not those that were planned for %s: build fingerprint %.12s, not %.12s\n"
        . "ship the planned programs to this host, and measure it in a new campaign\n", plain($arch),
        plain($passport), $planned;
}

# Returns [ why, remedy ] if a record contradicts one that is here, or nothing.
sub _other {
    my ($self, $facts, $key) = @_;
    my ($host, $host_id) = @{ $facts->{campaign} }{qw(host host_id)};
    my $file = file_of($self->{directory}, $key);
    return [ "'runs/$file' with its key is damaged", "move 'runs/$file' away and collect this one again" ]
        if defined $file && !$self->_received->{$key};
    return [ 'another record with its key is here', 'keep the right one: nothing was replaced' ]
        if defined $file;
    for my $earlier (values %{ $self->_received }) {
        return [
            "another machine has this name: its number was $earlier->{host_id} and is $host_id",
            'if two hosts have one name, rename one; if this one was reinstalled, plan a new campaign'
            ]
            if $earlier->{host} eq $host && $earlier->{host_id} ne $host_id;
        return [
            "it has the number of '" . plain($earlier->{host}) . "': $host_id",
            'one of both says a wrong name: measure it again with the right --as'
            ]
            if $earlier->{host} ne $host && $earlier->{host_id} eq $host_id;
    }
    return;
}

sub _conflict {
    my ($self, $arrival, $host, $key, $why, $remedy) = @_;
    my $sum  = substr sha256_hex($arrival->{bytes}), 0, $DIGITS;
    my $name = "$key.$sum" . _suffix($arrival);
    eval { _keep("$self->{directory}/conflicts", $name, $arrival->{bytes}); 1 }
        or $@ =~ /File exists/
        or die { host => $host, why => "$why, and it cannot be kept in conflicts: $@" };
    return {
        what   => 'conflict',
        host   => $host,
        key    => $key,
        from   => $arrival->{from},
        why    => $why,
        remedy => $remedy,
        kept   => "conflicts/$name"
    };
}

# One takes in at a time. The system gives the lock back however its holder ends.
sub _locked {
    my ($self) = @_;
    return Touchstone::Machine::File::locked("$self->{directory}/$LOCK");
}

# The same refusal is noted once. Records of other campaigns that somebody has are no matter of this one,
# unless its carrier brought them.
sub _note_refusal {
    my ($self, $outcome, $arrivals) = @_;
    return if ($outcome->{kind} // '') eq $FOREIGN && !$arrivals->is_staged($outcome->{path} // '');
    my $file   = defined $outcome->{path} ? File::Spec->rel2abs($outcome->{path}) : $outcome->{from};
    my $before = $self->{refused}{$file};
    return if $before && $before->{why} eq $outcome->{why};
    $self->{refused}{$file} = $outcome;
    eval {
        note_event(
            $self->{directory}, $outcome->{host}, 'refused',
            file => $file,
            map { $_ => $outcome->{$_} } qw(why remedy kind)
        );
    };
    return;
}

# A record is safe: nobody needs it in staging, its file is no longer one that was refused, and a host of
# which all records are here needs no turn.
sub _settle {
    my ($self, $arrival, $outcome, $arrivals) = @_;
    if (defined $arrival->{path}) {
        unlink $arrival->{path}, "$arrival->{path}.sha256" if $arrivals->is_staged($arrival->{path});
        my $file = File::Spec->rel2abs($arrival->{path});
        note_event($self->{directory}, $outcome->{host}, 'accepted', file => $file)
            if delete $self->{refused}{$file};
    }
    ($self->{held}) = Touchstone::Pack::Fleet::Leases::held($self->{manifest}, time) if !$self->{held};
    my $held = $self->{held};
    return if !$held->{ $outcome->{host} };
    my $records = grep { $_->{host} eq $outcome->{host} } values %{ $self->_received };
    Touchstone::Pack::Fleet::Leases::give_back($self->{manifest}, $outcome->{host}, time)
        if $records >= $self->{manifest}{runs};
    return;
}

1;
