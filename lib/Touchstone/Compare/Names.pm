# SPDX-License-Identifier: GPL-2.0-or-later
# Compare::Names - what runs are called in sentences and in heads of tables: by their host and, where several
# are of one host, by what tells them apart:
#
#   m7a-large, c7i-large
#   vm with kernel 6.12, vm with kernel 6.15
#   vm (native build), vm (portable build)
#   vm on 2026-11-21, 14:02, vm on 2026-11-21, 15:10
#   o2, o3                                             sets of one --build
package Touchstone::Compare::Names;
use 5.014;
use strict;
use warnings;

use Touchstone::Base::Text qw(plain width);
use Touchstone::Base::Time qw(date);
use Touchstone::Build;

# A longer name keeps this many letters of its beginning and of its end, where numbers are.
my ($LONGEST, $HEAD, $TAIL) = (32, 17, 12);

# What may tell runs of one host apart, each as a sub from a run to words behind the host, or undef. The
# first that is known of all, and different in all, is taken.
my @APART = (
    sub { my ($run) = @_; return $run->{set} && "($run->{set}{name})" },
    sub { my ($run) = @_; return defined $run->{place} ? "($run->{place})" : undef },
    _with('h model',   sub { return $_[0] =~ s/\((?:R|TM)\)|\bCPU\b.*//gr =~ s/ +/ /gr =~ s/ \z//r }),
    _with('h release', sub { return "kernel $_[0]" }),
    sub {
        my $kind = Touchstone::Build::kind($_[0]{facts}{'b isa'});
        return $kind && "($kind)";
    },
    _with('b compiler_version', sub { return $_[0] =~ s/ ?\([^()]*\)//r }),
    _with('b flags',            sub { return $_[0] }),
    sub { my ($day) = _begun(@_); return $day && "on $day" },
    sub { my ($day, $time) = _begun(@_); return $day && "on $day, $time" },
);

# The names of these runs, which are as Compare::Run gives them.
sub called {
    my (@runs)  = @_;
    my @builds  = _builds(@runs);
    my @hosts   = _without_domain(map { plain($_->{facts}{'h name'} // $_->{name}) } @runs);
    my %of_host = ();
    push @{ $of_host{ $hosts[$_] } }, $_ for 0 .. $#runs;
    my @called = @builds;
    for my $host (@builds ? () : keys %of_host) {
        my @places = @{ $of_host{$host} };
        @called[@places] = @places == 1 ? $host : _apart($host, @runs[@places]);
    }
    my @short = map { _cut($_) } @called;
    return _are_different(@short) ? @short : _numbered(@runs);
}

# Cuts the names of runs; what is the same then, but was not, gets a number.
sub _numbered {
    my (@runs) = @_;
    my (%known, %used);
    return map {
        my $name = $_->{name};
        $known{$name} //= do {
            my $cut  = _cut(plain($name));
            my $many = ++$used{$cut};
            $many > 1 ? "$cut ($many)" : $cut;
        }
    } @runs;
}

# The sets of one --build, or the directories of a duet, have names of their own.
sub _builds {
    my (@runs) = @_;
    return if !defined $runs[0]{duet} || grep { ($_->{duet} // '') ne $runs[0]{duet} } @runs;
    my @names = map { plain($_->{set} ? $_->{set}{name} : $_->{place} // '') } @runs;
    return _are_different(@names) && !(grep { !length } @names) ? @names : ();
}

sub _apart {
    my ($host, @runs) = @_;
    for my $words (@APART) {
        my @words = map { $words->($_) } @runs;
        return map { plain("$host $_") } @words
            if !(grep { !defined || !length } @words) && _are_different(@words);
    }
    return map { plain($_->{name}) } @runs;
}

sub _are_different {
    my (@texts) = @_;
    my %seen = map { $_ => 1 } @texts;
    return keys %seen == @texts;
}

sub _with {
    my ($fact, $words) = @_;
    return sub {
        my ($run) = @_;
        my $value = $run->{facts}{$fact} // '';
        return length $value ? 'with ' . $words->($value) : undef;
    };
}

# The day and the time of day at which a run began.
sub _begun {
    my ($run) = @_;
    return if !defined $run->{started};
    return map { date($_, @$run{qw(started utc_offset)}) } '%Y-%m-%d', '%H:%M';
}

# A domain that all hosts have says nothing; what begins with a number may be an address.
sub _without_domain {
    my (@hosts) = @_;
    my %domains = map { (/\A[^.\d][^.]*(\..+)\z/s ? $1 : '') => 1 } @hosts;
    my ($domain, @others) = keys %domains;
    return @hosts if @others || !length $domain;
    return map { substr $_, 0, length($_) - length $domain } @hosts;
}

sub _cut {
    my ($text) = @_;
    return $text if width($text) <= $LONGEST;
    utf8::decode(my $letters = $text);
    my $cut = substr($letters, 0, $HEAD) . '...' . substr $letters, -$TAIL;
    utf8::encode($cut) if utf8::is_utf8($cut);
    return $cut;
}

1;
