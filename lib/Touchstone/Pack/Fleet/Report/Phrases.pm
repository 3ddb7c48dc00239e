# SPDX-License-Identifier: GPL-2.0-or-later
# Pack::Fleet::Report::Phrases - what the parts of a report on a fleet have in common. What was found of a
# host or a figure has a ratio and an interval:
#
#   ratio($found)                         0.884
#   slower($found)                        12 % slower
#   limits($found)                        0.871 to 0.897
#   word($host)                           bad, suspect, suspect (fast), fast, cleared, inconclusive
#   figure($figure)                       Dhrystone 2 x 8, with a real sign of times
#   names(3, @hosts)                      web1, web2, web3 and 4 more
#
# A judgement is that of Touchstone::Pack::Fleet::Judge::judge.
package Touchstone::Pack::Fleet::Report::Phrases;
use 5.014;
use strict;
use warnings;

use Exporter qw(import);

use Touchstone::Base::Figure qw(part);
use Touchstone::Base::Symbols qw($DASH $TIMES);
use Touchstone::Base::Text qw(named plural short);
use Touchstone::Record::Json;
use Touchstone::Report::Verdict;
use Touchstone::Suite;

our @EXPORT_OK = (
    qw(are best_known class figure hosts_that label limits names number percent ratio shown_name slower),
    qw(spread),
    qw(cannot_be_read outstanding_hosts limit_range missing p remarks with_limits word),
    qw(command for_letters for_page table ways),
    qw(confirm measure quoted run)
);

# A name of a stranger has at most this many letters, and a fact.
my ($WIDEST, $FACT) = (60, 30);

# Missing hosts are one of these, in the order of the report.
our @MISSING = qw(failed unreachable running given_up);
my %MISSING = (given_up => 'given up');

sub for_page    { return [ in => 'page',  @_ ] }
sub for_letters { return [ in => 'plain', @_ ] }

# A command line to type; text and Markdown indent it.
sub command {
    my ($command) = @_;
    return (for_letters([ form => "  $command" ]), for_page([ command => $command ]));
}

# A row of links.
sub ways { my ($label, @items) = @_; return [ list => { class => 'ways', label => $label }, @items ] }

# A table, if it has rows; `of`: all but its rows and columns.
sub table {
    my ($title, $rows, @columns) = @_;
    return @$rows ? [ table => { %$title, rows => $rows, columns => \@columns } ] : ();
}

sub shown_name { my ($name, $most) = @_; return short($name // '', $most // $WIDEST) }

sub ratio {
    my ($figure) = @_;
    return !defined $figure->{ratio}
        ? $DASH
        : sprintf '%.3f', $figure->{ratio};
}

# "13 % slower", "2.1 % faster": the speed compared with the median.
sub slower {
    my ($figure) = @_;
    my $ratio = $figure->{ratio};
    return $DASH if !defined $ratio;
    return percent(abs 1 - $ratio) . ' % ' . ($ratio < 1 ? 'slower' : 'faster');
}

sub limits {
    my ($figure) = @_;
    return '' if !defined $figure->{ratio} || !$figure->{interval};
    return join ' to ', map { ratio({ %$figure, ratio => $_ }) } @{ $figure->{interval} };
}

# "12 % slower (10 to 13 %)"; `than`: words between both.
sub with_limits {
    my ($figure, $than) = @_;
    my @ends   = @{ $figure->{interval} || [] };
    my $sign   = ($figure->{ratio} // 1) < 1 ? -1 : 1;
    my @limits = sort { $a <=> $b } map { $sign * ($_ - 1) } @ends;
    my @shown  = map  { ($_ < 0 ? "\xe2\x88\x92" : '') . percent(abs) } @limits;
    my $limits = @shown && $shown[0] ne $shown[1] ? " ($shown[0] to $shown[1] %)" : '';
    return slower($figure) . ($than // '') . $limits;
}

# What is known best of a host: its new runs, if it has some.
sub best_known {
    my ($host) = @_;
    my $new = $host->{confirmed};
    return $new && defined $new->{ratio} ? $new : $host;
}

# What a host is, as a class of the page: bad, suspect, fast, cleared, inconclusive or nothing.
sub class {
    my ($host) = @_;
    return $host->{fast} && $host->{verdict} =~ /\A(?:suspect)?\z/ ? 'fast' : $host->{verdict};
}

sub word {
    my ($host) = @_;
    my $word =
        Touchstone::Report::Verdict::word($host->{fast} ? $host->{verdict} || 'fast' : $host->{verdict});
    return $host->{fast} && length $host->{verdict} ? "$word (fast)" : $word;
}

# The hosts of all groups that are of a class, those of a group slowest first.
sub hosts_that {
    my ($judgement, $class) = @_;
    return grep { class($_) eq $class } map { @{ $_->{hosts} } } @{ $judgement->{groups} };
}

sub figure {
    my ($figure) = @_;
    return label($figure) . ($figure->{copies} == 1 ? '' : " $TIMES $figure->{copies}");
}

# What people call a test.
sub label {
    my ($figure) = @_;
    return Touchstone::Suite::shown($figure->{name})->{label} // $figure->{title} // $figure->{name};
}

# "a, b and c", or of more than `most` names "a, b, c and 4 more".
sub names {
    my ($most, @names) = @_;
    my @shown = map { shown_name($_) } @names > $most + 1 ? @names[ 0 .. $most - 1 ] : @names;
    my $more  = @names - @shown;
    my $last  = $more ? "$more more" : @shown > 1 ? pop @shown : undef;
    return join(', ', @shown) . (defined $last ? " and $last" : '');
}

# Hosts as a number, of a number or of a list of them.
sub number { my ($hosts) = @_; return ref $hosts ? scalar @$hosts : $hosts // 0 }

sub are { return $_[0] == 1 ? 'is' : 'are' }

# A p-value; the tables that it comes from do not reach below 0.0001.
sub p {
    my ($p) = @_;
    return !defined $p ? $DASH : $p < 1e-4 ? '<0.0001' : sprintf '%.3g', $p;
}

# "1.3 % (pipe) to 4.1 % (fstime)": the detection limits of figures, the lowest and the highest.
sub limit_range {
    my ($figure) = @_;
    my @known = sort { $a->{limit} <=> $b->{limit} } grep { defined $_->{limit} } @{ $figure->{figures} };
    splice @known, 1, @known - 2 if @known > 2;
    return join ' to ', map { part($_->{limit}) . ' (' . named($_) . ')' } @known;
}

# A file of a record; `when`: that of two campaigns it is of.
sub cannot_be_read {
    my ($file) = @_;
    my $when = defined $file->{when} ? " ($file->{when})" : '';
    return
          "cannot be read: '"
        . short($file->{file}, $WIDEST)
        . "'$when: "
        . short($file->{why}, 2 * $WIDEST);
}

# Each missing host as { host, what, why, remedy }.
sub missing {
    my ($judgement) = @_;
    my @missing;
    for my $what (@MISSING) {
        for my $host (@{ ($judgement->{standing} || {})->{$what} || [] }) {
            push @missing,
                { what => $MISSING{$what} // $what, map { $_ => $host->{$_} // '' } qw(host why remedy) };
        }
    }
    return @missing;
}

# The figures in which a host is far from the others, the furthest first, each as [ figure, what its group
# says of it ].
sub outstanding_hosts {
    my ($group, $host) = @_;
    my $figures = $host->{figures};
    return sort { abs(log $b->[1]{ratio}) <=> abs(log $a->[1]{ratio}) || $a->[0]{key} cmp $b->[0]{key} }
        map     { [ $_, $figures->{ $_->{key} } ] }
        grep    { ($figures->{ $_->{key} } || {})->{far} } @{ $group->{figures} };
}

# What is known of a host that stands out, an item each: its signature with the remedy, where it is far from
# the others, what it alone has, and what new runs found.
sub remarks {
    my ($group, $host)    = @_;
    my ($signature, $new) = ($host->{signature} || {}, $host->{confirmed} || {});
    my @far   = map { figure($_->[0]) . ': ' . slower($_->[1]) } outstanding_hosts($group, $host);
    my $more  = @far - 3;
    my $again = $new->{runs} ? ' ' . plural($new->{runs}, 'time') : '';
    splice @far, 3, $more, "$more more" if $more > 0;
    return (
        $signature->{text} // (),
        (map { +{ text => $_, class => 'remedy' } } $signature->{remedy} // ()),
        @far ? 'largest deviations: ' . join('; ', @far) : (),
        (map { _unique($_) } @{ $host->{unique_facts} || [] }),
        defined $new->{ratio}
        ? ('first measurement: ' . with_limits($host), "measured again$again: " . with_limits($new))
        : (),
        _inconclusive($group, $host),
        _doubts($host)
    );
}

sub _unique {
    my ($fact) = @_;
    my ($value, $others) = map { short($_ // 'none', $FACT) } @$fact{qw(its others)};
    return "only this host has $fact->{thing} $value (others: $others)";
}

# In which figures new runs did not tell.
sub _inconclusive {
    my ($group, $host) = @_;
    return if $host->{verdict} ne 'inconclusive';
    my $new  = ($host->{confirmed} || {})->{figures} || {};
    my @open = map { [ $_, $new->{ $_->{key} } ] }
        grep { (($new->{ $_->{key} } || {})->{verdict} // '') eq 'inconclusive' } @{ $group->{figures} };
    my ($worst, @more) = sort { $a->[1]{interval}[0] <=> $b->[1]{interval}[0] } @open or return;
    my $more = @more ? '; ' . @more . ' more' : '';
    return 'inconclusive in ' . figure($worst->[0]) . ': ' . with_limits($worst->[1]) . $more;
}

# Why its runs are not valid: all of them, or those that count nevertheless.
sub _doubts {
    my ($host) = @_;
    return 'not valid: ' . $host->{invalid} if defined $host->{invalid};
    my @doubts = @{ $host->{doubts} || [] } or return;
    my $runs   = @{ $host->{runs}   || [] };
    my $which  = $runs == 1 ? 'its run is' : scalar(@doubts) . " of its $runs runs are";
    return "$which not valid: $doubts[-1]{why}";
}

# "1.1 % (0.8 to 1.6)" for a standard deviation, or a dash's worth of nothing.
sub spread {
    my ($level) = @_;
    return if !$level || !defined $level->{sd};
    my ($sd, @ends) = map { defined $_ ? percent($_) : () } @$level{qw(sd low high)};
    return "$sd %" . (@ends == 2 && $ends[0] ne $ends[1] ? " ($ends[0] to $ends[1])" : '');
}

# "1.1" for 0.011, "0.03" for 0.0003.
sub percent {
    my ($part) = @_;
    my $percent = 100 * $part;
    return sprintf $percent >= 9.95 ? '%.0f' : $percent >= 0.095 ? '%.1f' : '%.2f', $percent;
}

# What an operator types next, for the carrier of a campaign:
#
#   measure($judgement)    goes on with the hosts that are missing
#   confirm($judgement)    measures suspects and controls again
#   run($judgement)        Run itself
#
# The first two are a line for a shell, or nothing without a campaign: the typed command, if the campaign
# knows it. Otherwise FILE and INVENTORY stand for the list of hosts. A judgement knows where its reader is:
# `run` is the command, `here` the working directory, and `home`, which ends with a slash, is the directory of
# fleet/, unless the reader is there.

# HOME is the directory of the carriers, ID the name of the campaign, DIR its directory, WORDS what it
# measures, and ANSIBLE the same as variables.
my %MEASURE = (
    ansible    => 'ansible-playbook -i INVENTORY HOME/measure.yml -e touchstone_campaign=ID ANSIBLE',
    slurm      => 'HOME/slurm/submit DIR FILE WORDS',
    kubernetes => 'HOME/kubernetes/make ... DIR FILE -- WORDS | kubectl apply -f -',
    ssh        => 'HOME/ssh DIR FILE WORDS'
);
my %CONFIRM = (
    ansible    => 'ansible-playbook -i INVENTORY HOME/confirm.yml -e touchstone_campaign=ID',
    slurm      => 'HOME/slurm/submit --confirm DIR',
    kubernetes => 'HOME/kubernetes/make ... --confirm DIR | kubectl apply -f -',
    ssh        => 'HOME/ssh --confirm DIR'
);

# Where a carrier has no command of its own, these are the words of Run itself.
my $CONFIRM = 'RUN fleet confirm DIR';
my $MEASURE = 'RUN fleet plan FILE --campaign DIR WORDS';

sub measure {
    my ($judgement) = @_;
    return _command_line($judgement, 'measure') // _line($judgement, \%MEASURE, $MEASURE);
}

sub confirm {
    my ($judgement) = @_;
    return _command_line($judgement, 'confirm') // _line($judgement, \%CONFIRM, $CONFIRM);
}

sub _command_line {
    my ($judgement, $what) = @_;
    my $command = ($judgement->{campaign} || {})->{command} // return;
    my $is_here = ($judgement->{here} // '') eq $command->{in};
    return ($is_here ? '' : 'cd ' . quoted($command->{in}) . ' && ') . $command->{$what};
}

sub run { my ($judgement) = @_; return $judgement->{run} // './Run' }

sub _line {
    my ($judgement, $topic, $otherwise) = @_;
    my $campaign = $judgement->{campaign} or return;
    my $line     = $topic->{ $campaign->{carrier} // '' } // $otherwise;
    my %stands   = (
        HOME    => quoted(($judgement->{home} // '') . 'fleet'),
        RUN     => run($judgement),
        ID      => $campaign->{campaign},
        DIR     => quoted($judgement->{directory}),
        WORDS   => join(' ', map { quoted($_) } @{ $campaign->{words} || [] }),
        ANSIBLE => _variables($campaign)
    );
    return $line =~ s/\b(HOME|RUN|ID|DIR|WORDS|ANSIBLE)\b/$stands{$1}/gr =~ s/ +\z//r =~ s/ -- +(?=\|)/ /r;
}

# What a campaign is known by besides its name: with other words, or more runs, it is another one. Ansible
# prints the line with a backslash before each double quote, so plain words are YAML without any.
sub _variables {
    my ($campaign) = @_;
    my @words      = @{ $campaign->{words} || [] };
    my $plain      = join ' ', @words;
    my $is_plain   = $plain =~ m{\A[\w./=+-]+(?: [\w./=+-]+)*\z}a;
    my $value      = $is_plain ? $plain : Touchstone::Record::Json::encode_line(\@words);
    return join ' ',
        (($campaign->{runs} // 1) > 1 ? "-e touchstone_runs=$campaign->{runs}"       : ()),
        (@words                       ? '-e ' . quoted("{touchstone_words: $value}") : ());
}

# A word for a shell; names are a stranger's.
sub quoted {
    my ($word) = @_;
    return $word =~ m{\A[\w./:\@%+=,-]+\z}a ? $word : "'" . $word =~ s/'/'\\''/gr . "'";
}

1;
