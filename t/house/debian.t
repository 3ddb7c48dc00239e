#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# debian/: what it repeats of the rest of the tree is the same there, and each override of lintian says why.
# packaging/debian/try builds the package and tries it.
use 5.014;
use strict;
use warnings;

use File::Find qw(find);
use Test::More;
use Time::Local qw(timegm);

use lib 't/lib', 'packaging/lib';
use Fake;
use Packaging;

delete $ENV{SOURCE_DATE_EPOCH};
my @MONTHS = qw(Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec);
my %MONTH  = map { $MONTHS[$_] => $_ } 0 .. $#MONTHS;
my @DAYS   = qw(Sun Mon Tue Wed Thu Fri Sat);

sub text { my ($file) = @_; return Fake::read_file("$Fake::BASE/debian/$file") }

# Returns the entries of a changelog, the newest first: { version, maintainer, day, time }, where day is the
# name of the day of the week.
sub entries {
    my ($text) = @_;
    my @entries;
    while ($text =~ /^touchstone \((\S+)-\d+\) .*?^ -- (.*?>)  (\w{3}), (.*?)$/gms) {
        my %entry = (version => $1, maintainer => $2, day => $3);
        my ($day, $month, $year, @clock) = $4 =~ /\A(\d\d) (\w{3}) (\d{4}) (\d\d):(\d\d):(\d\d) \+0000\z/
            or next;
        $entry{time} = timegm(reverse(@clock), $day, $MONTH{$month}, $year);
        push @entries, \%entry;
    }
    return @entries;
}

my @entries = entries(text('changelog'));

subtest 'the changelog has the version and the day of the other places' => sub {
    my ($newest) = @entries or return fail('an entry in the form of Debian, in UTC');
    is($newest->{version}, Packaging::version(), 'the version is that of lib/Touchstone.pm');
    is($newest->{time},    Packaging::epoch(),   'the time is that of CHANGELOG.md, at midnight');
    my $changes = Fake::read_file("$Fake::BASE/CHANGELOG.md");
    for my $entry (@entries) {
        my (undef, undef, undef, $day, $month, $year, $weekday) = gmtime $entry->{time};
        my $date = sprintf '%04d-%02d-%02d', $year + 1900, $month + 1, $day;
        like($changes, qr/^## \Q$entry->{version}\E - $date$/m, "$entry->{version} is in CHANGELOG.md");
        is($entry->{day}, $DAYS[$weekday], 'and its day of the week is right');
    }
    my $headings = () = text('changelog') =~ /^touchstone /mg;
    is(scalar(@entries), $headings, 'every entry was read');
};

subtest 'the maintainer is the same everywhere' => sub {
    my ($maintainer) = text('control') =~ /^Maintainer: (.+)$/m;
    ok(length($maintainer // ''), 'control has one');
    is($_->{maintainer}, $maintainer, "changelog of $_->{version}") for @entries;
    like(text('copyright'), qr/^Upstream-Contact: \Q$maintainer\E$/m, 'copyright');
};

subtest 'copyright has every licence that a file names' => sub {
    my %known = map { $_ => 1 } text('copyright') =~ /^License: (\S+)$/mg;
    my @wrong;
    my $read = 0;
    find(
        {
            no_chdir => 1,
            wanted   => sub {
                return if !-f || !/\.(?:pm|pl|t|c|h|f90|sh|mk)\z/;
                my ($licence) = Fake::read_file($_) =~ /^\W*SPDX-License-Identi[f]ier: (\S+)/m or return;
                $read++;
                push @wrong, $_ if !$known{$licence};
            }
        },
        map { "$Fake::BASE/$_" } qw(lib src pgms testdir packaging)
    );
    is("@wrong", '', 'no other');
    cmp_ok($read, '>', 100, 'many files were read');
};

subtest 'the programs get no flags but those of their suites' => sub {
    my $rules = text('rules');
    my ($ours) = $rules =~ /^OURS = (.*)$/m;
    like(" $ours ", qr/ \Q$_\E /, $_) for qw(FLAVOUR=portable CFLAGS= FFLAGS= LDFLAGS= UB_GCC_OPTIONS=);
    for my $step (qw(dh_auto_build dh_auto_install)) {
        like($rules, qr/^\t$step -- .*\$\(OURS\)/m, "$step passes them");
    }
    like($rules, qr/^export DEB_BUILD_MAINT_OPTIONS = hardening=-all optimize=-all$/m, 'no hardening');
};

# Returns what is wrong with overrides: those that no comment explains, and those that hide a tag wherever it
# is found.
sub unexplained {
    my ($text,      %whole) = @_;
    my ($explained, @wrong) = (0);
    for my $line (split /\n/, $text) {
        if ($line =~ /\A#/) { $explained = 1; next }
        if ($line !~ /\S/)  { $explained = 0; next }
        push @wrong, "no reason: $line" if !$explained;
        push @wrong, "no place: $line"  if $line !~ /\[\S+\]\z/ && !$whole{ (split ' ', $line)[-1] };
    }
    return @wrong;
}

subtest 'each override of lintian has a reason and a place' => sub {
    is_deeply(
        [ unexplained("# A reason.\na: tag [x]\na: tag\n\na: tag [y]") ],
        [ 'no place: a: tag', 'no reason: a: tag [y]' ],
        'what lacks one is found'
    );
    is_deeply([ unexplained(text('touchstone.lintian-overrides')) ], [], 'the package');
    is_deeply([ unexplained(text('source/lintian-overrides'), 'no-debian-changes' => 1) ],
        [], 'the source; one tag has no place');
};

subtest 'the tests of the package are there' => sub {
    my @tests = map { split ' ' } text('tests/control') =~ /^Tests: (.+)$/mg;
    ok(scalar @tests,                    'some are named');
    ok(-x "$Fake::BASE/debian/tests/$_", $_) for @tests;
    like(text('tests/control'), qr{\bcheck-installed RUN=/usr/bin/touchstone$}m, 'and those of make');
};

done_testing;
