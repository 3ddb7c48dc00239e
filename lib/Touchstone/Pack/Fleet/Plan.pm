# SPDX-License-Identifier: GPL-2.0-or-later
# Pack::Fleet::Plan - a campaign from what was asked for, and what of it is still to be measured:
#
#   {
#     campaign => 'k68', directory => '/srv/results/campaigns/k68', runs => 1, at_once => 3, lease => 1800,
#     words    => [ '--quick' ],
#     todo     => [ { name => 'web1', order => 1, slot => 'hv07', labels => {}, run => 1, words => [
#                     'fleet', 'once', 'k68', '--run', '1', '--as', 'web1', '--label', 'slot=hv07', '--quick' ] } ],
#     standing => what Pack::Fleet::Status says
#   }
package Touchstone::Pack::Fleet::Plan;
use 5.014;
use strict;
use warnings;

use File::Spec;
use List::Util qw(max);
use POSIX qw(ceil);

use Touchstone::Base::Random;
use Touchstone::Base::Text qw(list_and_more plain);
use Touchstone::Base::Trouble qw(refuse);
use Touchstone::Pack::Fleet::Campaign qw(confirmations);
use Touchstone::Pack::Fleet::RecordIndex;
use Touchstone::Pack::Fleet::Status qw(read_status);
use Touchstone::Record::Campaign;
use Touchstone::Record::Json;

my $RETRIES = 2;

# Where neighbours are unknown, so large a part of the hosts may measure at once.
my $PART = 0.1;

# A lease is long enough for a run that takes twice as long as it may, and for what comes before and after.
my ($LEASE_TIMES, $LEASE_MORE, $LEASE_LEAST) = (2, 600, 1800);

# So long may the name of a campaign be.
my $LONGEST_ID = 64;

# A refusal names so many things.
my $NAMED = 3;

my $ANOTHER = "choose another name for another campaign; a campaign is never changed\n";

# Returns the manifest of a campaign, made from `asked`, what read_hosts() returned, or the one
# that is there, if it is the same. `with`: campaign, words, seconds (what a run takes at most), seed (if none
# was asked for), of (the campaign whose suspects are measured again), dry (nothing is written).
sub make {
    my ($directory, $asked, %with) = @_;
    my $there = Touchstone::Pack::Fleet::Campaign::read($directory);
    Touchstone::Pack::Fleet::RecordIndex::sweep($directory)          if $there || !$with{dry};
    return { %{ manifest($asked, %with) }, directory => $directory } if !$there && $with{dry};
    $there //= Touchstone::Pack::Fleet::Campaign::write($directory, manifest($asked, %with));
    my @differences = _differences($there, $asked, %with);
    refuse("the campaign '$there->{campaign}' in '$directory' is another one: ",
        join('; ', @differences), "\n$ANOTHER")
        if @differences;
    return $there;
}

# Returns the manifest of a campaign that measures hosts of another again, as Pack::Fleet::Retests has chosen
# them: the next one in its directory. Nothing but `runs` differs from how they were measured.
sub again {
    my ($manifest, $runs, $seed, @chosen) = @_;
    my $number = 1 + grep { 1 } confirmations($manifest->{directory});
    my $suffix = "-confirm-$number";
    my $id     = substr($manifest->{campaign}, 0, $LONGEST_ID - length $suffix) =~ s/[-_]+\z//r;
    my %asked  = (
        hosts => \@chosen,
        runs  => $runs,
        map { $_ => $manifest->{$_} } qw(carrier retries at_once lease programs)
    );
    return make(
        "$manifest->{directory}/confirm-$number", \%asked,
        campaign => "$id$suffix",
        words    => $manifest->{words},
        seed     => $seed,
        of       => $manifest->{campaign}
    );
}

sub manifest {
    my ($asked, %with) = @_;
    my $seed  = $asked->{seed} // $with{seed};
    my @hosts = ordered($seed, @{ $asked->{hosts} });
    my $slots = grep { defined $_->{slot} } @hosts;
    return {
        format   => $Touchstone::Pack::Fleet::Campaign::FORMAT,
        campaign => $with{campaign},
        made     => time,
        seed     => $seed,
        carrier  => $asked->{carrier},
        runs     => $asked->{runs}    // 1,
        retries  => $asked->{retries} // $RETRIES,
        at_once  => $asked->{at_once} // ($slots ? scalar @hosts : max(1, int($PART * @hosts))),
        lease    => $asked->{lease}   // max($LEASE_LEAST, int($LEASE_TIMES * $with{seconds} + $LEASE_MORE)),
        words    => $with{words},
        programs => $asked->{programs} // {},
        command  => $asked->{command},
        of       => $with{of},
        hosts    => \@hosts
    };
}

# What was asked for and is not so in the campaign that is there, in words. What was not asked for may be
# anything.
sub _differences {
    my ($there, $asked, %with) = @_;
    my @differences;
    push @differences, "it is called '$there->{campaign}', not '$with{campaign}'"
        if $there->{campaign} ne $with{campaign};
    push @differences, _differences_of_hosts($there->{hosts}, $asked->{hosts});
    push @differences, 'it measures ' . _words($there->{words}) . ', not ' . _words($with{words})
        if _text($there->{words}) ne _text($with{words});
    for my $name (grep { defined $asked->{$_} } qw(carrier runs retries at_once lease seed)) {
        my ($was, $now) = map { plain($_ // 'nothing') } $there->{$name}, $asked->{$name};
        push @differences, "its $name is $was, not $now" if $was ne $now;
    }
    push @differences, _differences_of_programs($there->{programs} || {}, $asked->{programs})
        if $asked->{programs};
    return @differences;
}

sub _differences_of_hosts {
    my ($there, $asked) = @_;
    my %there = map  { $_->{name} => $_ } @$there;
    my %asked = map  { $_->{name} => $_ } @$asked;
    my @new   = grep { !$there{$_} } sort keys %asked;
    my @gone  = grep { !$asked{$_} } sort keys %there;
    my @other =
        grep { $asked{$_} && _facts($there{$_}) ne _facts($asked{$_}) } sort keys %there;
    return (
        @new   ? 'it does not have ' . _listed(@new)           : (),
        @gone  ? 'it also has ' . _listed(@gone)               : (),
        @other ? 'slot or labels differ of ' . _listed(@other) : ()
    );
}

sub _facts {
    my ($host) = @_;
    my $labels = $host->{labels} // {};
    return _text([ $host->{slot} // '', map { $_, $labels->{$_} } sort keys %$labels ]);
}

sub _differences_of_programs {
    my ($there, $asked) = @_;
    my %of    = map { $_ => 1 } keys %$there, keys %$asked;
    my @other = grep {
        my $arch = $_;
        grep { (($there->{$arch} || {})->{$_} // '') ne (($asked->{$arch} || {})->{$_} // '') }
            qw(digest passport)
    } sort keys %of;
    return @other ? 'its programs are others for ' . _listed(@other) : ();
}

sub _text { my ($list) = @_; return join "\0", @$list }

sub _words { my ($words) = @_; return @$words ? "'" . plain("@$words") . "'" : 'the defaults' }

sub _listed {
    return list_and_more($NAMED, map { "'" . plain($_) . "'" } @_);
}

# What is still to be measured: each run of all hosts, in an order of its own, before the next run of any.
sub todo {
    my ($manifest) = @_;
    my $standing   = read_status($manifest->{directory}, manifest => $manifest);
    my %given_up   = map  { $_->{host} => 1 } @{ $standing->{given_up} };
    my @hosts      = grep { !$given_up{ $_->{name} } } @{ $manifest->{hosts} };
    my @todo;
    for my $run (1 .. $manifest->{runs}) {
        my @waiting = grep { ($standing->{records}{ $_->{name} } // 0) < $run } @hosts or next;
        push @todo, map { _to_measure($manifest, $_, $run) } _in_order($manifest, $run, @waiting);
    }
    return {
        (map { $_ => $manifest->{$_} } qw(campaign runs at_once lease words carrier programs of)),
        directory => File::Spec->rel2abs($manifest->{directory}),
        todo      => \@todo,
        standing  => $standing
    };
}

# The seconds that runs of hosts take in a campaign, by the seconds of a run.
sub duration {
    my ($manifest, $seconds, $runs, @hosts) = @_;
    my %of_slot = ('' => 1);
    $of_slot{ $_->{slot} }++ for grep { defined $_->{slot} } @hosts;
    return $seconds * max(ceil(@hosts * $runs / $manifest->{at_once}), $runs * max(values %of_slot));
}

sub _in_order {
    my ($manifest, $run, @hosts) = @_;
    return sort { $a->{order} <=> $b->{order} } @hosts if $run == 1;
    my %order =
        map { $_->{name} => $_->{order} } ordered($manifest->{seed} + $run - 1, @{ $manifest->{hosts} });
    return sort { $order{ $a->{name} } <=> $order{ $b->{name} } } @hosts;
}

sub _to_measure {
    my ($manifest, $host, $run) = @_;
    my %labels = %{ $host->{labels} // {} };
    my @own    = (
        [ carrier => $manifest->{carrier} ],
        [ slot    => $host->{slot} ],
        [ order   => $host->{order} ],
        [ seed    => $manifest->{seed} ]
    );
    return {
        (map { $_ => $host->{$_} } qw(name order slot role)),
        labels => \%labels,
        run    => $run,
        words  => [
            'fleet',
            'once',
            $manifest->{campaign},
            '--run',
            "$run",
            '--as',
            $host->{name},
            (map { ('--label', "$_->[0]=$_->[1]") } grep { defined $_->[1] } @own),
            (map { ('--label', "$_=$labels{$_}") } sort keys %labels),
            @{ $manifest->{words} }
        ]
    };
}

# The order in which the hosts of a campaign are measured is random, so that what changes in time
# meets all hosts alike, and yet
#
#   - hosts of different groups (the label `group`) alternate, in the measure of how many they are, so that a
#     comparison of groups is none of morning and evening
#   - hosts of one slot stand apart, so that few have to wait for each other
#
# The same hosts and the same seed give the same order.

my $GROUP_LABEL = 'group';

# Takes hosts as { name, slot, labels } and returns them with `order`, from 1 on.
sub ordered {
    my ($seed, @hosts) = @_;
    my $random = Touchstone::Base::Random::generator($seed);
    my %groups;
    for my $host (Touchstone::Base::Random::shuffled($random, sort { $a->{name} cmp $b->{name} } @hosts)) {
        push @{ $groups{ _group_of($host) } }, $host;
    }
    my @lists = map { [ _spread($random, $groups{$_}) ] } sort keys %groups;
    my @order = _differing(_merged($random, @lists));
    return map { +{ %{ $order[$_] }, order => $_ + 1 } } 0 .. $#order;
}

sub _group_of { my ($host) = @_; return $host->{labels}{$GROUP_LABEL} // '' }

# The hosts of a group, those of each slot at equal distances.
sub _spread {
    my ($random, $hosts) = @_;
    my %slots;
    for my $i (0 .. $#$hosts) { push @{ $slots{ $hosts->[$i]{slot} // "\0$i" } }, $hosts->[$i] }
    return _merged($random, map { $slots{$_} } sort keys %slots);
}

# Lists become one in which each is spread evenly, from a random place on.
sub _merged {
    my ($random, @lists) = @_;
    my @placed;
    for my $list (@lists) {
        my $first = $random->();
        push @placed, map { [ ($_ + $first) / @$list, $list->[$_] ] } 0 .. $#$list;
    }
    return map { $_->[1] } sort { $a->[0] <=> $b->[0] || $a->[1]{name} cmp $b->[1]{name} } @placed;
}

# Adjacent hosts in the order that are of one slot: the second changes places with one of its own group, where
# that makes no new ones.
sub _differing {
    my (@order) = @_;
    for my $i (1 .. $#order) {
        next if !_touches(\@order, $i, $i);
        my ($j) = grep {
                   _group_of($order[$_]) eq _group_of($order[$i])
                && ($order[$_]{slot} // '') ne $order[$i]{slot}
                && !_touches(\@order, $_, $i)
                && !_touches(\@order, $i, $_)
        } $i + 1 .. $#order, reverse 0 .. $i - 1;
        @order[ $i, $j ] = @order[ $j, $i ] if defined $j;
    }
    return @order;
}

# Says whether the host at one place, put to another, would stand beside one of its slot.
sub _touches {
    my ($order, $from, $to) = @_;
    my $slot = $order->[$from]{slot} // return 0;
    return grep { $_ >= 0 && $_ <= $#$order && $_ != $from && ($order->[$_]{slot} // '') eq $slot } $to - 1,
        $to + 1;
}

# The hosts of a campaign as a person writes them, a line each:
#
#   # NAME [slot=S] [LABEL=VALUE] ...
#   web1 slot=hv07 rack=b4
#   db1
#
# or as a carrier writes them, where names may be anything and all but the hosts may be missing:
#
#   { "campaign": "k68", "carrier": "ansible", "runs": 1, "retries": 2, "at_once": 3, "lease": 1800,
#     "seed": 4711, "programs": { "x86_64": { "digest": "3d1f02a9...", "passport": "8ecfc154..." } },
#     "hosts": [ { "name": "web1", "slot": "hv07", "labels": { "rack": "b4" } }, ... ] }
#
# Both become the latter, as data.

# What each of these must be. `hosts` is looked at for itself.
my $WHOLE = qr/\A[1-9]\d{0,6}\z/;
my %IS    = (
    campaign => [ \&Touchstone::Record::Campaign::is_id, $Touchstone::Record::Campaign::ID_ALLOWED ],
    carrier  => [ \&_is_text,                            'a text of at most 200 characters' ],
    runs     => [ sub { $_[0] =~ /\A[1-9]\d{0,2}\z/ },   'a whole number from 1 to 999' ],
    retries  => [ sub { $_[0] =~ /\A\d{1,3}\z/ },        'a whole number from 0 to 999' ],
    at_once  => [ sub { $_[0] =~ $WHOLE },               'a whole number above 0' ],
    lease    => [ sub { $_[0] =~ $WHOLE },               'seconds, a whole number above 0' ],
    seed     => [ sub { $_[0] =~ /\A\d{1,9}\z/ },        'a whole number of at most 9 digits' ],
);
my $MOST_HOSTS = 100_000;
my $LONGEST    = 200;
my $SUM        = qr/\A[0-9a-f]{8,128}\z/;
my $LABEL      = qr/[A-Za-z_][\w.-]{0,63}/a;

# Returns the data of a text, or dies with what is wrong with it.
sub read_hosts {
    my ($text) = @_;
    my $asked  = $text =~ /\A\s*\{/ ? _of_carrier($text) : _written({ hosts => [ _hosts_of_text($text) ] });
    my @hosts  = @{ $asked->{hosts} };
    die "it names no host\n"                     if !@hosts;
    die "it names more than $MOST_HOSTS hosts\n" if @hosts > $MOST_HOSTS;
    my %seen;
    for my $host (@hosts) {
        die "it names the host '" . plain($host->{name}) . "' twice: each needs a name of its own\n"
            if $seen{ $host->{name} }++;
    }
    return $asked;
}

# What it will be when it was written into the manifest and read again: bytes that are no UTF-8 change.
sub _written {
    my ($data) = @_;
    return Touchstone::Record::Json::decode(Touchstone::Record::Json::encode($data));
}

sub _hosts_of_text {
    my ($text) = @_;
    my (@hosts, $number);
    for my $line (split /\n/, $text) {
        $number++;
        my ($name, @facts) = split ' ', $line =~ s/(?:\A|\s)#.*//sr;
        next if !defined $name;
        my @wrong = grep { !/=/ } @facts;
        die "line $number: '"
            . plain($wrong[0])
            . "' is not LABEL=VALUE: a line is NAME [slot=S] [LABEL=VALUE] ...\n"
            if @wrong;
        my @pairs = map { [ split /=/, $_, 2 ] } @facts;
        my %labels;
        for my $pair (@pairs) {
            die "line $number: '" . plain($pair->[0]) . "' stands there twice\n"
                if defined $labels{ $pair->[0] };
            $labels{ $pair->[0] } = $pair->[1];
        }
        my $slot = delete $labels{slot};
        push @hosts,
            eval { _checked_host({ name => $name, slot => $slot, labels => \%labels }) }
            // die "line $number: $@";
    }
    return @hosts;
}

sub _of_carrier {
    my ($text) = @_;
    my $asked = Touchstone::Record::Json::decode($text);
    die "'hosts' is missing or no list\n" if ref $asked->{hosts} ne 'ARRAY';
    my %known = map { $_ => 1 } keys %IS, qw(command hosts programs);
    for my $name (sort keys %$asked) {
        die "it has an unknown key '" . plain($name) . "'\n" if !$known{$name};
        my $state = $IS{$name} or next;
        my $value = $asked->{$name} // next;
        die "'$name' needs $state->[1]\n" if ref $value || !$state->[0]->($value);
    }
    my $number = 0;
    my @hosts =
        map {
        $number++;
        my $host = $_;
        eval { _checked_host($host) } // die "host $number: $@"
        } @{ $asked->{hosts} };
    return {
        (map { $_ => $asked->{$_} } grep { defined $asked->{$_} } keys %IS),
        defined $asked->{programs} ? (programs => _programs($asked->{programs})) : (),
        defined $asked->{command}  ? (command  => _command($asked->{command}))   : (),
        hosts => \@hosts
    };
}

# A host is named in words of commands and in names of nothing else, so its name may be nearly anything.
sub _checked_host {
    my ($host) = @_;
    die "it is not an object\n" if ref $host ne 'HASH';
    my ($name, $slot, $labels) = ($host->{name}, $host->{slot}, $host->{labels} // {});
    die "its name is missing\n" if ref $name || !length($name // '');
    die "the name '"
        . plain($name)
        . "' cannot be that of a host: it needs at most $LONGEST letters, none of control\n"
        if !Touchstone::Record::Campaign::is_host($name);
    my $quoted = "'" . plain($name) . "'";
    die "the slot of $quoted needs a text of at most $LONGEST letters\n"
        if defined $slot && !_is_text($slot);
    die "the labels of $quoted are not an object\n" if ref $labels ne 'HASH';
    my %own = map { $_ => 1 } @Touchstone::Record::Campaign::OWN_LABELS;

    for my $label (sort keys %$labels) {
        my $shown = "the label '" . plain($label) . "' of $quoted";
        die "$shown cannot be given: Touchstone says it itself\n" if $own{$label};
        die "$shown needs another name: a letter, then at most 63 characters of a-z, A-Z, 0-9, _ . -\n"
            if $label !~ /\A$LABEL\z/;
        die "$shown needs a text of at most $LONGEST letters\n"
            if ref $labels->{$label} || length($labels->{$label} // '') && !_is_text($labels->{$label});
    }
    return {
        name   => "$name",
        slot   => length($slot // '') ? "$slot" : undef,
        labels => { map { $_ => "$labels->{$_}" } grep { defined $labels->{$_} } keys %$labels }
    };
}

sub _is_text { my ($text) = @_; return !ref $text && length $text <= $LONGEST && $text !~ /[\x00-\x1f\x7f]/ }

sub _command {
    my ($command) = @_;
    my $wrong = Touchstone::Pack::Fleet::Campaign::complaint_of_command($command);
    die "$wrong\n" if defined $wrong;
    return $command;
}

sub _programs {
    my ($programs) = @_;
    die "'programs' is not an object\n" if ref $programs ne 'HASH';
    for my $arch (sort keys %$programs) {
        my $program = $programs->{$arch};
        die "'programs' of '" . plain($arch) . "' needs digest, passport or both, in hexadecimal digits\n"
            if ref $program ne 'HASH'
            || !keys %$program
            || grep { !/\A(?:digest|passport)\z/ || ref $program->{$_} || ($program->{$_} // '') !~ $SUM }
            keys %$program;
    }
    return $programs;
}

1;
