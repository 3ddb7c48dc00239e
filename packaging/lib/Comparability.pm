# SPDX-License-Identifier: GPL-2.0-or-later
# Comparability - whether versions keep the promise of their numbers: what CHANGELOG.md says of scores, and
# the digests of what each suite measures (packaging/suites.csv), version by version.
#
#   ## 7.2.1 - 2027-03-01
#
#   Scores: comparable with 7.2.0
#
#   - lbt, 2027-02-11: scores unchanged: an error message is longer; 1.001 times the scores, 20 pairs of runs
#
# packaging/suites.csv has a line for each suite of a version, and another one each time it changed since:
#
#   version,suite,tests,digest
#   7.2.0,lbt,1,5a0c0d0bd1f3...
package Comparability;
use 5.014;
use strict;
use warnings;

my $VERSION = qr/[0-9]\.[0-9]\.[0-9]/;

# Returns the entries, newest first: [ { version, date, scores, with, new, claims => { suite => number } } ].
# Dies where one has another form.
sub entries {
    my ($text) = @_;
    my ($head, @parts) = split /^## /m, $text;
    my @entries = map { _entry($_) } @parts;
    @entries or die "there is no entry\n";
    for my $i (1 .. $#entries) {
        my ($newer, $older) = @entries[ $i - 1, $i ];
        $newer->{version} gt $older->{version} && $newer->{date} ge $older->{date}
            or die "$newer->{version} stands above $older->{version}, but is not newer\n";
    }
    return @entries;
}

sub _entry {
    my ($text) = @_;
    my ($version, $date) = $text =~ /\A($VERSION) - (\d{4}-\d\d-\d\d)\n/a
        or die "'" . ($text =~ /\A(.*)/)[0] . "' is no version of three digits with its day\n";
    my @scores = $text =~ /^Scores: (.*)$/mg;
    @scores == 1 or die "$version has " . @scores . " lines 'Scores: ...', expected 1\n";
    my %entry = (version => $version, date => $date, claims => {});
    my $known = $scores[0] =~ /\A(?<is>first\ release)\z
        |\A(?<is>comparable)\ with\ (?<with>$VERSION)(?:,\ new:\ (?<new>\S.*))?\z
        |\A(?<is>not\ comparable)\ with\ (?<with>$VERSION)\z/x;
    $known or die "$version: 'Scores: $scores[0]' is not understood\n";
    @entry{qw(scores with new)} = @+{qw(is with new)};
    _claim(\%entry, $_) for $text =~ /^- (.*scores unchanged.*(?:\n  \S.*)*)/mg;
    return \%entry;
}

# A claim says what was measured, so it has a figure.
sub _claim {
    my ($entry, $claim) = @_;
    my ($suite, $day, $why) = $claim =~ /\A(\w+), (\d{4}-\d\d-\d\d): scores unchanged: (\S.*)\z/as
        or die "$entry->{version}: '- $claim' is no 'SUITE, DAY: scores unchanged: REASON; FIGURE'\n";
    $why =~ /\S; .*\d/s or die "$entry->{version}: the claim of $suite has no figure behind its reason\n";
    $entry->{claims}{$suite}++;
    return;
}

# Returns the lines of the table: [ { version, suite, tests, digest } ]
sub table {
    my ($csv) = @_;
    my ($head, @lines) = split /\n/, $csv;
    ($head // '') eq 'version,suite,tests,digest' or die "the table of suites has another head\n";
    return map {
        /\A($VERSION),(\w+),(\d+),([0-9a-f]{64})\z/a
            ? { version => $1, suite => $2, tests => $3, digest => $4 }
            : die "'$_' is no line of the table of suites\n"
    } @lines;
}

# Returns what is wrong: `tree` are the lines that the tree would have now.
sub complaints {
    my ($entries, $table, $tree) = @_;
    my %lines;
    push @{ $lines{ $_->{version} } }, $_ for @$table;
    my %entry = map { $_->{version} => $_ } @$entries;
    my @wrong = map { "the table has $_, the changelog has not" } grep { !$entry{$_} } sort keys %lines;
    for my $i (0 .. $#$entries) {
        my ($newer, $older) = @$entries[ $i, $i + 1 ];
        my $version = $newer->{version};
        push @wrong, _promise($newer, $older),
            _claims($newer, $lines{$version}, $older && $lines{ $older->{version} });
        if (!$lines{$version}) { push @wrong, "the table lacks $version"; next }
        push @wrong, _step($newer, $older, map { _last_of($lines{ $_->{version} }) } $newer, $older)
            if $older;
    }
    my $newest = $entries->[0]{version};
    return (@wrong, _tree($newest, _last_of($lines{$newest}), $tree));
}

# What an entry has to say follows from its number.
sub _promise {
    my ($newer, $older) = @_;
    my $is = $newer->{scores};
    $is .= " with $newer->{with}" if defined $newer->{with};
    $is .= ', new: ...'           if defined $newer->{new};
    my $must = $older ? _must($newer, $older) : 'first release';
    return $is eq $must ? () : "$newer->{version}: scores are '$is', by its number '$must'";
}

sub _must {
    my ($newer, $older) = @_;
    my $kind = _kind($newer, $older);
    return
          ($kind eq 'major' ? 'not ' : '')
        . "comparable with $older->{version}"
        . ($kind eq 'minor' ? ', new: ...' : '');
}

sub _kind {
    my ($newer, $older) = map { [ split /\./, $_->{version} ] } @_;
    return $newer->[0] ne $older->[0] ? 'major' : $newer->[1] ne $older->[1] ? 'minor' : 'patch';
}

# The newest line of each suite.
sub _last_of {
    my ($lines) = @_;
    return { map { $_->{suite} => $_ } @{ $lines || [] } };
}

# Between two versions of which the newer is comparable with the older, each suite is what it was.
sub _step {
    my ($newer, $older, $now, $before) = @_;
    my ($kind, $version) = (_kind($newer, $older), $newer->{version});
    my @wrong;
    for my $suite (sort keys %{ { %$now, %$before } }) {
        my ($new, $old) = ($now->{$suite}, $before->{$suite});
        if ($kind eq 'major') {
            push @wrong,
                "$version: $suite measures something else, and its tests are still version $old->{tests}"
                if $new
                && $old
                && $new->{digest} ne $old->{digest}
                && $new->{tests} <= $old->{tests}
                && !$newer->{claims}{$suite};
        } elsif (!$new) {
            push @wrong, "$version: $suite is gone, which takes a new first number";
        } elsif (!$old) {
            push @wrong, "$version: $suite is new, which takes a new second number" if $kind eq 'patch';
        } elsif ($new->{tests} ne $old->{tests}) {
            push @wrong, "$version: tests of $suite have a new version, which takes a new first number";
        }
    }
    return @wrong;
}

# Each change of a suite beyond what the number of the version says needs a claim of its own.
sub _claims {
    my ($entry, $lines, $before) = @_;
    my %last = $entry->{scores} eq 'comparable' ? map { $_->{suite} => $_->{digest} } @{ $before || [] } : ();
    my %changes;
    for my $line (@{ $lines || [] }) {
        my $suite = $line->{suite};
        $changes{$suite}++ if defined $last{$suite} && $last{$suite} ne $line->{digest};
        $last{$suite} = $line->{digest};
    }
    return map {
        my ($changes, $claims) = map { $_ // 0 } $changes{$_}, $entry->{claims}{$_};
        $changes > $claims
            ? "$entry->{version}: $_ changed, and there is no word why its scores are unchanged"
            : $changes < $claims && $entry->{scores} ne 'not comparable'
            ? "$entry->{version}: $_ did not change as often as it is said to be unchanged"
            : ()
    } sort keys %{ { %changes, %{ $entry->{claims} } } };
}

sub _tree {
    my ($version, $kept, $tree) = @_;
    my $now = _last_of($tree);
    return map {
        my ($old, $new) = map { $_ ? "$_->{tests} $_->{digest}" : '' } $kept->{$_}, $now->{$_};
        $old eq $new
            ? ()
            : "$_ is not what $version measured: raise the version as CHANGELOG.md says, or show there"
            . ' that its scores are unchanged; then run packaging/project/digests'
    } sort keys %{ { %$kept, %$now } };
}

1;
