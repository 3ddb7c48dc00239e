# SPDX-License-Identifier: GPL-2.0-or-later
# Pack::Fleet::Judge - many machines, one judgement: reads the directory of a campaign, or one of records
# alone, and says of each host how fast it is among its like, and which are slow:
#
#   judge('campaigns/k68', smallest => 0.03, group_by => ['type'], allow_missing => 0.05)
#
#   {
#     campaign  => the manifest, or undef without one,
#     directory => 'campaigns/k68',
#     standing  => who is where (Pack::Fleet::Status), or undef,
#     warnings  => [ { id => 'cloned', text, remedy, hosts => [ 'web1', 'web2' ] } ],
#     damaged   => [ { file, why } ],               what looks like a record and is none
#     ended     => 1795240525,              when the last run ended, or undef
#     passports => [ { passport, hosts => 30, names => [ 'web1', ... ], differs => [ ... ] } ],  (Pack::Fleet::Groups)
#     confirmations => [ { campaign => 'k68-confirm-1', hosts => 5, received => 5 } ],
#     groups    => [ ... ],                 (Pack::Fleet::Judge, with what explains it, Pack::Fleet::FactAssociation)
#     counts    => { bad => 1, suspect => 0, fast => 0, cleared => 1, inconclusive => 0 },
#     smallest  => 0.03,
#     status    => 0 | 1 | 125
#   }
package Touchstone::Pack::Fleet::Judge;
use 5.014;
use strict;
use warnings;

use List::Util qw(max);

use Touchstone::Base::Random;
use Touchstone::Base::Text qw(natural_key plain plural);
use Touchstone::Pack::Fleet::Campaign qw(confirmations);
use Touchstone::Pack::Fleet::FactAssociation qw(add_associations);
use Touchstone::Pack::Fleet::Groups qw(dividing_fact make_groups passports two_clusters);
use Touchstone::Pack::Fleet::Ranking qw($MEAN figures rank_hosts with_mean);
use Touchstone::Pack::Fleet::Retests qw($BAD add_retests);
use Touchstone::Pack::Fleet::Stats::Outliers qw($FEWEST $SMALLEST suspects);
use Touchstone::Pack::Fleet::Stats::VarianceComponents qw(variance_of);
use Touchstone::Pack::Fleet::Status qw(is_short read_status);
use Touchstone::Pack::Fleet::Store;
use Touchstone::Stats qw(deviation mean median);

# Hosts are judged by runs that are not valid, and this warning says so.
my $DOUBT = 'doubt';

# Hosts build nothing, so what is skipped for want of a library is missing where their programs were built.
my $UNBUILT = qr/ skipped: it was built without /;
my $BUILD   = 'install it where their programs are built, and measure again in a new campaign';

# More disturbed passes than this part are worth a warning.
my $DISTURBED = 0.1;

# The same records give the same judgement.
my $SEED = 20261123;

sub judge {
    my ($directory, %with) = @_;
    die "cannot judge '$directory': no such directory\n" if !-d $directory;
    my $manifest = Touchstone::Pack::Fleet::Campaign::read($directory);
    my $read     = Touchstone::Pack::Fleet::Store::read($directory);
    my $smallest = $with{smallest} // $SMALLEST;
    my $standing = $manifest && read_status(
        $directory,
        manifest => $manifest,
        members  => $read->{members},
        now      => $with{now}
    );
    my @groups = map { of_group($_, smallest => $smallest) } make_groups($read->{members}, $with{group_by});
    my @confirmations =
        map { add_retests(\@groups, $_, $smallest) } confirmations($directory);
    my $random = Touchstone::Base::Random::generator($SEED);
    add_associations($_, $random) for @groups;
    return {
        campaign  => $manifest,
        directory => $directory,
        standing  => $standing,
        warnings  => [ @{ $standing ? $standing->{warnings} : [] }, _of_runs(@groups) ],
        ended     => max(map { $_->{ended} || () } @{ $read->{members} }),
        damaged   => $read->{damaged},
        passports => [
            map {
                { %$_, hosts => scalar @{ $_->{hosts} }, names => $_->{hosts} }
            } passports($read->{members})
        ],
        confirmations => \@confirmations,
        groups        => \@groups,
        counts        => counts(\@groups),
        smallest      => $smallest,
        status        => status(\@groups, $standing, $with{allow_missing})
    };
}

# Warnings of runs: those that do not count, the tests that some of them lack, and those that were disturbed.
sub _of_runs {
    my (@groups) = @_;
    my @hosts = map { @{ $_->{hosts} } } @groups;
    return (
        _by_text(
            'not valid',
            sub { 'measure them again, in a new campaign' },
            map {
                my $host = $_;
                map { [ "a run is not valid: $_->{why}", $host ] } @{ $host->{invalid_runs} }
            } @hosts
        ),
        _by_text(
            'lost',
            sub { $_[0] =~ $UNBUILT ? $BUILD : undef },
            map {
                my $host = $_;
                map { [ $_, $host ] } @{ $host->{lost} }
            } @hosts
        ),
        _doubtful(@hosts),
        _disturbed(@hosts)
    );
}

# A warning for each text, with the hosts of which it is said.
sub _by_text {
    my ($id, $remedy, @warnings) = @_;
    my (%hosts, %seen);
    for my $warning (@warnings) {
        my ($text, $host) = @$warning;
        push @{ $hosts{$text} }, $host->{host} if !$seen{$text}{ $host->{host_id} }++;
    }
    return map { { id => $id, text => $_, remedy => $remedy->($_), hosts => $hosts{$_} } } sort keys %hosts;
}

# Hosts are judged by runs that are not valid because of what the host is like.
sub _doubtful {
    my @of = grep { @{ $_->{doubts} } } @_ or return;
    return {
        id     => $DOUBT,
        text   => "a run is not valid, such as that of '" . plain($of[0]{host}) . "': $of[0]{doubts}[0]{why}",
        remedy => 'they are judged as measured; measure them again on an idle machine',
        hosts  => [ map { $_->{host} } @of ]
    };
}

# A warning of hosts whose passes something disturbed.
sub _disturbed {
    my (@of) = @_;
    my @hosts = map { $_->{host} } grep { $_->{disturbed} > $DISTURBED } @of;
    return !@hosts
        ? ()
        : {
        id     => 'disturbed',
        text   => sprintf('more than %.0f %% of the passes were disturbed', 100 * $DISTURBED),
        remedy => 'measure them again on an idle machine, in a new campaign',
        hosts  => \@hosts
        };
}

# What is said of one group of like hosts. Members (Pack::Fleet::HostRun) of the
# group go in:
#
#   of_group({ number => 1, title => 'AMD EPYC 7763, 8 CPUs, 32 GB', passport => '8ecf...', members => [ ... ] },
#       smallest => 0.03)
#
# and the group comes out, with
#
#   hosts     the hosts, slowest first, as host() below says; those without a valid run last
#   judged    1, or 0 and `why_not`
#   detectable   by what part a host must be slower to be found, or undef
#   figures   [ { key, name, title, copies, suite, unit, better, median => of the scores of hosts,
#             divided => 1 where hosts are of two kinds (Pack::Fleet::Stats::Outliers), variance, plan } ]
#             (variance_of)
#   index     [ { key => '8 system', title, copies, median } ]
#   variance, plan     of the mean over all figures
#   split     undef, or what divides two groups (Pack::Fleet::Groups), with `fact` and `values` where one does;
#             then there is no variance, no plan and no `detectable`, since they would be those of neither
#
# `plans => 0` leaves variance and plan out. Pack::Fleet::Retests adds what new runs of suspects say; counts()
# and status() are of all groups.

our $SUSPECT = 'suspect';

sub of_group {
    my ($group, %with) = @_;
    my $smallest = $with{smallest} //= $SMALLEST;
    my %runs;
    push @{ $runs{ $_->{host_id} } }, $_ for @{ $group->{members} };
    my %valid = map {
        $_ => [ grep { !defined $_->{invalid} && %{ $_->{figures} } } @{ $runs{$_} } ]
    } keys %runs;
    my @sample  = grep { @{ $valid{$_} } } keys %valid;
    my %sample  = map  { $_ => $valid{$_} } @sample;
    my $figures = figures(\%sample);
    $figures = with_mean(\%sample, $figures) if @sample;
    my %ranked   = map { $_ => rank_hosts($figures->{$_}) } keys %$figures;
    my $judged   = @sample >= $FEWEST;
    my $outliers = $judged ? suspects_of(\%ranked, smallest => $smallest) : {};
    my %named    = map { $_ => $outliers->{$_}{slow} ? 'slow' : 'fast' }
        grep { $outliers->{$_}{certain} } keys %$outliers;
    my $split  = $judged ? _split($ranked{$MEAN}, \%named, \%sample, $smallest) : undef;
    my @hosts  = map { _host($_, $runs{$_}, $valid{$_}, \%ranked, $outliers->{$_}, $split) } keys %runs;
    my $is_one = $judged && !$split;
    my %about  = _variance($is_one && ($with{plans} // 1) ? _without($figures, %named) : {}, \%sample);

    for my $figure (@{ $about{figures} }) {
        $figure->{divided} =
            (grep { ($_->{figures}{ $figure->{key} } || {})->{divided} } values %$outliers) ? 1 : 0;
    }
    return {
        (map { $_ => $group->{$_} } grep { $_ ne 'members' } keys %$group),
        hosts      => [ _in_order(@hosts) ],
        judged     => $judged ? 1                                             : 0,
        why_not    => $judged ? undef                                         : _why_not(scalar @sample),
        detectable => $is_one ? detectable($ranked{$MEAN}, $outliers, %named) : undef,
        split      => $split,
        index      => [ _indexes(\%sample) ],
        %about
    };
}

sub _why_not {
    my ($hosts) = @_;
    return sprintf '%s; %d are needed', $hosts ? plural($hosts, 'host') : 'no host with a valid run', $FEWEST;
}

# Figures without the hosts that are named: how much healthy hosts scatter is what a plan needs to know.
sub _without {
    my ($figures, %named) = @_;
    return {
        map {
            my $hosts = $figures->{$_};
            $_ => { map { $_ => $hosts->{$_} } grep { !$named{$_} } keys %$hosts }
        } keys %$figures
    };
}

sub _split {
    my ($means, $named, $sample, $smallest) = @_;
    my $split = two_clusters($means, $named, $smallest) or return;
    my %facts = map { $_ => $sample->{$_}[-1]{facts} || {} } keys %$sample;
    my ($fact, $values) = dividing_fact($split->{clusters}, \%facts);
    return {
        %$split,
        clusters => [
            map {
                [ sort map { $sample->{$_}[0]{host} } @$_ ]
            } @{ $split->{clusters} }
        ],
        $fact ? (fact => $fact, values => $values) : ()
    };
}

# A host of the group. One that has no other to be compared with has no ratio, as one without a valid run:
#
#   { host => 'web3', host_id => '9f31...', slot, labels, facts,
#     runs => [ names ], links => [ files ], invalid => why none of its runs counts, or undef,
#     invalid_runs => [ { name, why } ], doubts => [ { name, why } ] of runs that are not valid and count,
#     disturbed => 0.02, lost => [ 'pipe failed: why' ],
#     ratio => 0.95, interval => [0.93, 0.97], of_day => 1,
#     figures => { '1 pipe' => { ratio, interval, p, far, of_day } },
#     p, q, verdict => 'suspect', fast => 0 }
sub _host {
    my ($id, $runs, $valid, $ranked, $outliers, $split) = @_;
    my $newest  = $runs->[-1];
    my @invalid = grep { defined $_->{invalid} } @$runs;
    my %host    = (
        (map { $_ => $newest->{$_} } qw(host host_id slot labels facts)),
        runs         => [ map { $_->{name} } @$runs ],
        links        => [ map { $_->{file} } @$runs ],
        invalid      => @$valid ? undef : @invalid ? $invalid[-1]{invalid} : 'no figures',
        invalid_runs => [ map { { name => $_->{name}, why => $_->{invalid} } } @invalid ],
        doubts => [ map { { name => $_->{name}, why => $_->{doubt} } } grep { defined $_->{doubt} } @$valid ],
        disturbed => mean(map { $_->{disturbed} // 0 } @$runs),
        lost      => [ map { @{ $_->{lost} || [] } } @$runs ],
        figures   => {},
        verdict   => '',
        fast      => 0
    );
    return \%host if !@$valid;
    my %of = map { $_ => _figure($ranked->{$_}{$id}, $outliers && $outliers->{figures}{$_}) }
        grep { $ranked->{$_}{$id} } keys %$ranked;
    my $whole = delete $of{$MEAN};
    return { %host, of_day => $whole->{of_day} } if keys %{ $ranked->{$MEAN} } < 2;
    return {
        %host,
        figures => \%of,
        (map { $_ => $whole->{$_} } qw(ratio interval of_day)),
        (map { $_ => $outliers ? $outliers->{$_} : undef } qw(p q)),
        verdict => $outliers && $outliers->{slow} && !$split ? $SUSPECT : '',
        fast    => $outliers && $outliers->{fast} && !$split ? 1        : 0,
        whole   => { map { $_ => $whole->{$_} } qw(p far limit) }
    };
}

sub _figure {
    my ($ranked, $outliers) = @_;
    return {
        (map { $_ => $ranked->{$_} } qw(ratio interval of_day)),
        p     => $outliers ? $outliers->{p}     : undef,
        far   => $outliers ? $outliers->{far}   : 0,
        limit => $outliers ? $outliers->{limit} : undef
    };
}

sub _in_order {
    my (@hosts) = @_;
    my %key = map { $_->{host} => natural_key($_->{host}) } @hosts;
    return sort {
               (defined $a->{ratio} ? $a->{ratio} : 9**9**9) <=> (defined $b->{ratio} ? $b->{ratio} : 9**9**9)
            || $key{ $a->{host} } cmp $key{ $b->{host} }
            || $a->{host_id} cmp $b->{host_id}
    } @hosts;
}

sub _variance {
    my ($figures, $sample) = @_;
    my %about;
    for my $run (map { @{ $sample->{$_} } } sort keys %$sample) {
        $about{$_} ||= $run->{figures}{$_} for keys %{ $run->{figures} };
    }
    my @keys = sort {
               ($about{$a}{suite} // '') cmp($about{$b}{suite} // '')
            || ($about{$a}{copies} // 0) <=> ($about{$b}{copies} // 0)
            || $a cmp $b
    } keys %about;
    my %of = map { $_ => variance_of($figures->{$_}) || {} }
        grep { $figures->{$_} } @keys, $MEAN;
    return (
        figures => [
            map {
                my $key = $_;
                {
                    key => $key,
                    (map { $_ => $about{$key}{$_} } qw(name title copies suite unit better)),
                    median => _median_of($key, figures => $sample),
                    map { $_ => ($of{$key} || {})->{$_} } qw(variance plan)
                }
            } @keys
        ],
        map { $_ => ($of{$MEAN} || {})->{$_} } qw(variance plan)
    );
}

# The median of the scores of hosts, in a figure or an index.
sub _median_of {
    my ($key, $kind, $sample) = @_;
    my @scores;
    for my $runs (values %$sample) {
        my @own = grep { defined } map { (($_->{$kind} || {})->{$key} || {})->{score} } @$runs;
        push @scores, mean(@own) if @own;
    }
    return @scores ? median(@scores) : undef;
}

sub _indexes {
    my ($sample) = @_;
    my %about;
    for my $run (map { @{ $sample->{$_} } } sort keys %$sample) {
        $about{$_} ||= $run->{indexes}{$_} for keys %{ $run->{indexes} || {} };
    }
    return map {
        {
            key    => $_,
            title  => $about{$_}{title},
            copies => $about{$_}{copies},
            median => _median_of($_, indexes => $sample)
        }
    } sort { $about{$a}{copies} <=> $about{$b}{copies} || $a cmp $b } keys %about;
}

# How many hosts there are of each kind.
sub counts {
    my ($groups) = @_;
    my %counts = map { $_ => 0 } qw(bad suspect fast cleared inconclusive);
    for my $host (map { @{ $_->{hosts} } } @$groups) {
        $counts{ $host->{verdict} }++ if length $host->{verdict};
        $counts{fast}++               if $host->{fast};
    }
    return \%counts;
}

# The exit status: 1 for a bad host, one that is missing beyond what is allowed, or a conflict; 125 where no
# group could be tested.
sub status {
    my ($groups, $standing, $allowed) = @_;
    return 1
        if grep { $_->{verdict} eq $BAD }
        map { @{ $_->{hosts} } } @$groups;
    return 1 if $standing && is_short($standing, $allowed);
    return (grep { $_->{judged} } @$groups) ? 0 : 125;
}

# Suspects are hosts of a group that are so far from the others that they should be measured again.
# Ranked hosts go in (Pack::Fleet::Ranking), figure by figure with the mean:
#
#   suspects_of({ '' => { web1 => { y => -0.051, error => 0.002 }, ... }, '1 pipe' => { ... } }, smallest => 0.03)
#
# and for each host that could be tested comes out
#
#   { web1 => { p => 0.0004, q => 0.012, slow => 1, fast => 0, certain => 1,
#               figures => { '1 pipe' => { p => 0.001, far => 1, divided => 0 }, '' => { ... } } }, ... }
#
# (Pack::Fleet::Stats::Outliers says what each means)
# `slow` hosts are the suspects. One that is fast is of interest, too, where it is certain.

# A plan is to find what it looks for in four of five cases, which takes so many deviations more.
my $POWER = 0.8416;

sub suspects_of {
    my ($ranked, %with) = @_;
    my %hosts;
    for my $figure (grep { $_ ne $MEAN } keys %$ranked) {
        $hosts{$_}{$figure} = $ranked->{$figure}{$_} for keys %{ $ranked->{$figure} };
    }
    my $outliers = suspects(\%hosts, %with);
    return { map { $_ => _suspect($outliers->{$_}) } keys %$outliers };
}

sub _suspect {
    my ($host)  = @_;
    my $figures = $host->{figures};
    my @far     = grep { $_->{far} } values %$figures, $host->{whole};
    my $slow    = $host->{suspect} && grep { $_->{distance} < 0 } @far;
    return {
        p       => $host->{p},
        q       => $host->{q},
        slow    => $slow                      ? 1 : 0,
        fast    => $host->{certain} && !$slow ? 1 : 0,
        certain => $host->{certain},
        figures => {
            (map { $_ => _test_of_figure($figures->{$_}) } keys %$figures),
            $MEAN => _test_of_figure($host->{whole})
        }
    };
}

sub _test_of_figure {
    my ($value) = @_;
    return { map { $_ => $value->{$_} } qw(p far divided reach limit) };
}

# The least part by which a host must be slower in everything to be found in four of five cases, or undef.
# `hosts`: ranked by their means; those that are named do not tell how others scatter.
sub detectable {
    my ($hosts, $outliers, %named) = @_;
    my @healthy = grep { !$named{$_} && $outliers->{$_} } keys %$hosts;
    return if @healthy < 2;
    my $scale = max(deviation(map { $hosts->{$_}{y} } @healthy), median(map { $_->{error} } values %$hosts));
    return 1 - exp -(median(map { $outliers->{$_}{figures}{$MEAN}{reach} } @healthy) + $POWER * $scale);
}

1;
