#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# Laws of the source, as counters that may only fall: markup and names of forms outside of their modules, subs
# that are there twice, dead exports, modules with one user, and the size of each room. words.t has the names.
use 5.014;
use strict;
use warnings;

use File::Find qw(find);
use Test::More;

use lib 't/lib';
use Fake;

# The numbers of today: a change that takes some away lowers the number, and one that needs more raises it and
# says why.
my %MOST = (
    'lines with markup outside of Render::Html and Plot' => 0,
    'names of forms outside of Forms, Render and Export' => 7,
    'subs with a twin in another module'                 => 0,
    'exports that nothing imports, or that do not exist' => 0,
    'modules below 60 lines with one user'               => 7,
    'modules'                                            => 313,
    'lines of Perl in t/'                                => 66_000,
);
my $LIB = "$Fake::BASE/lib";
my (%code, %lines);
find(
    {
        no_chdir => 1,
        wanted   => sub {
            return if !/\.pm\z/;
            my $module = substr($_, length "$LIB/") =~ s{/}{::}gr =~ s/\.pm\z//r;
            my @kept   = grep { !/\A\s*(?:#|\z)/ } split /\n/, Fake::read_file($_) =~ s/^=\w.*?^=cut$//gmsr;
            $lines{$module} = @kept;
            $code{$module}  = join "\n", @kept;
        }
    },
    $LIB
);
my @modules = sort keys %code;

# Tests that there is no more of something than there was.
sub no_more {
    my ($what, $most, @found) = @_;
    cmp_ok(scalar @found, '<=', $most, $what)
        or diag(join "\n", 'one of these is new:', @found > 40 ? @found[ 0 .. 39 ] : @found);
    note(scalar(@found) . " $what");
    return;
}

sub lines_with {
    my ($pattern, $allowed) = @_;
    return map {
        my $module = $_;
        map { "$module: " . s/\A\s+//r } grep { /$pattern/ } split /\n/, $code{$module}
    } grep { !/$allowed/ } @modules;
}

no_more(
    $_,
    $MOST{$_},
    lines_with(
        qr{</?(?:table|tr|td|th|p|div|li|ul|dl|dd|dt|span|svg|path|section|h\d|a)\b},
        qr/\ATouchstone::Report::(?:Render::Html|Plot)\b/
    )
) for 'lines with markup outside of Render::Html and Plot';

no_more(
    $_,
    $MOST{$_},
    lines_with(
        qr/(?<![\w>{\$-])'(?:markdown|html|jsonl|junit|github)'/,
        qr/\ATouchstone::Report::(?:Render|Export|Forms|Document)\b/
    )
) for 'names of forms outside of Forms, Render and Export';

# The body of a sub with its variables as one name and without blanks.
sub bodies {
    my ($module) = @_;
    my @bodies;
    while ($code{$module} =~ /^sub (\w+) (\{(?:[^\n]*\}$|.*?^\}))/gms) {
        my ($name, $body) = ($1, $2);
        $body =~ s/[\$\@%]\w+/\$v/g;
        $body =~ s/\s+//g;
        push @bodies, [ $name, $body ] if length $body >= 60;
    }
    return @bodies;
}
my %seen;
for my $module (@modules) {
    push @{ $seen{ $_->[1] } }, "${module}::$_->[0]" for bodies($module);
}
no_more($_, $MOST{$_}, map { "@$_" } grep { @$_ > 1 } values %seen) for 'subs with a twin in another module';

# The tests: how long they are, and those of t/slow.
my @perl_of_tests;
find({ no_chdir => 1, wanted => sub { push @perl_of_tests, $_ if /\.(?:t|pm|pl)\z/ } }, "$Fake::BASE/t");
no_more(
    $_,
    $MOST{$_},
    map {
        grep { !/\A\s*(?:#|\z)/ } split /\n/,
            Fake::read_file($_)
    } @perl_of_tests
) for 'lines of Perl in t/';

my @slow = Fake::read_file("$Fake::BASE/t/slow") =~ /^(t.*)$/mg;
is_deeply([ grep { !-f "$Fake::BASE/$_" } @slow ], [], 't/slow names tests that there are');

# Commands, tests and makers of documents import, too, and have no common ending.
my @sources;
find(
    {
        no_chdir => 1,
        wanted   => sub {
            return $File::Find::prune = 1 if m{/(?:\.git|pgms|results)\z};
            return                        if !-f || -s _ > 1e6;
            my $text = Fake::read_file($_);
            push @sources, $text if $text =~ /^use Touchstone::/m;
        }
    },
    map { "$Fake::BASE/$_" } grep { -e "$Fake::BASE/$_" } qw(Run lib fleet t docs packaging)
);
my %imported;
for my $text (@sources) {
    while ($text =~ /^use (Touchstone[\w:]*)\s+qw\(([^)]*)\)/mg) {
        $imported{"$1 $_"} = 1 for split ' ', $2;
    }
}
my @dead;
for my $module (@modules) {
    my ($list) = $code{$module} =~ /^our \@EXPORT_OK\s*=\s*(.*?);/ms or next;
    for my $name (grep { $_ ne 'qw' } $list =~ /([\w\$\@%]+)/g) {
        my $is_there =
            $name =~ /\A\w/
            ? qr/^\s*sub \Q$name\E\b|^\*\Q$name\E\b/m
            : qr/\bour\b[^;=]*\Q$name\E\b/;
        push @dead, "$module $name" if !$imported{"$module $name"} || $code{$module} !~ $is_there;
    }
}
no_more($_, $MOST{$_}, @dead) for 'exports that nothing imports, or that do not exist';

# Roles of suites and packs are called by their folder, and commands by the table of options, not by name.
my $ROLE    = qr/::(?:Rows|Tables|Parts|Needs|Conditions|Options|Sections)\z/;
my %command = map {
    map { $_ => 1 }
        /\bmodule\s+=> '([\w:]+)'/g
} values %code;
my %users;
for my $module (@modules) {
    my %used = map { $_ => 1 } $code{$module} =~ /^\s*(?:use|require) (Touchstone[\w:]+)/mg,
        map({ s{/}{::}gr } $code{$module} =~ m{\b(Touchstone/[\w/]+)\.pm\b}g);
    push @{ $users{$_} }, $module for grep { $code{$_} && $_ ne $module } keys %used;
}
no_more($_, $MOST{$_},
    grep { $lines{$_} < 60 && @{ $users{$_} || [] } == 1 && !/$ROLE/ && !$command{s/\ATouchstone:://r} }
        @modules)
    for 'modules below 60 lines with one user';
no_more($_, $MOST{$_}, @modules) for 'modules';

# The picture of the rooms in DESIGN.md says how many lines of code each may have.
subtest 'no room is larger than DESIGN.md says' => sub {
    my ($picture) = Fake::read_file("$Fake::BASE/DESIGN.md") =~ /^## The rooms\n(.*?)^## /ms;
    my %most = ($picture // '') =~ /^    ([A-Z]\w*(?:::\*)?) +([\d,]+)  /mg;
    my %size;
    $size{ room_of($_) } += $lines{$_} for @modules;
    for my $room (sort keys %size) {
        my $most = $most{$room} // '0';
        cmp_ok($size{$room}, '<=', $most =~ s/,//gr, "$room: at most $most lines");
        note("$room $size{$room}");
    }
};

sub room_of {
    my ($module) = @_;
    return 'Base' if $module eq 'Touchstone';
    my (undef, $room, $more) = split /::/, $module;
    return 'Pack::*' if $room eq 'Pack';
    return $room eq 'Suite' && defined $more && $more ne 'Published' ? 'Suite::*' : $room;
}

done_testing;
