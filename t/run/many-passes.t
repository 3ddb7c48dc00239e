# SPDX-License-Identifier: GPL-2.0-or-later
# A record may hold thousands of passes of a test, whoever wrote it: what is read, scored and drawn of them
# needs memory and time as their number grows, and no faster.
use 5.014;
use strict;
use warnings;

use File::Temp ();
use Test::More;

use lib 't/lib';
use NoWarnings;
use Fake;
use Runs;
use Touchstone::Base::Random;
use Touchstone::Record::Json;
use Touchstone::Report::Plot::PassStrip;
use Touchstone::Stats::Distances;

my $random = Touchstone::Base::Random::generator(4711);
my $dir    = File::Temp->newdir;

# The quantile of a list of all pairs, as text books have it.
sub of_pairs {
    my ($values, $part) = @_;
    my @far = sort { $a <=> $b } map {
        my $i = $_;
        map { abs($values->[$i] - $values->[$_]) } 0 .. $i - 1
    } 1 .. $#$values;
    my $at    = $part * $#far;
    my $below = int $at;
    return $far[$below] + ($at - $below) * (($far[ $below + 1 ] // $far[$below]) - $far[$below]);
}

subtest 'a quantile of distances is that of all pairs' => sub {
    my %values = (
        'even'        => sub { $random->() },
        'many equal'  => sub { int 5 * $random->() },
        'mostly one'  => sub { $random->() < 0.8 ? 7 : $random->() },
        'far between' => sub { exp 40 * $random->() },
        'negative'    => sub { $random->() - 0.5 },
    );
    for my $name (sort keys %values) {
        my @wrong;
        for my $n (2 .. 60) {
            my @values = map { $values{$name}->() } 1 .. $n;
            push @wrong, map { "$n values, $_" }
                grep { Touchstone::Stats::Distances::quantile(\@values, $_) != of_pairs(\@values, $_) } 0,
                0.25, 0.5, $random->(), 1;
        }
        is("@wrong", '', $name);
    }
    is(Touchstone::Stats::Distances::quantile([5], 0.25), undef, 'one value has none');
};

# A list of the pairs of these passes alone would have 8 million numbers, and needed 700 MB.
my $PASSES = 4000;
my $KB     = 400_000;

sub record_file {
    my $record = Runs::record('many', { '1 pipe' => [ map { 1000 + $random->() } 1 .. $PASSES ] });
    my $slices = join ' ', map { join ':', $_ * 5e7, $_ * 50, $_ * 49_900 } 1 .. 20;
    @$_{qw(starts slices user sys slept)} = ([4711], [$slices], [0.2], [0.7], [0]) for @{ $record->{passes} };
    Fake::write_file("$dir/many.json", Touchstone::Record::Json::encode($record));
    return "$dir/many.json";
}

subtest 'thousands of passes are read, scored and compared in little memory' => sub {
    plan skip_all => 'this shell cannot limit memory' if system("sh -c 'ulimit -v $KB' 2>/dev/null") != 0;
    my $file = record_file();
    for my $words (
        (map { [ 'report', $file, '--format', $_ ] } qw(csv html)),
        map { [ 'compare', $file, $file, '--format', $_ ] } qw(text)
    ) {
        open my $out, '-|', '/bin/sh', '-c', "ulimit -v $KB && exec \"\$@\" 2>&1", 'sh', $^X,
            "$Fake::BASE/Run", @$words
            or die "cannot start a shell: $!\n";
        my $said = do { local $/; <$out> };
        close $out;
        is($?, 0, join ' ', map { s{.*/}{}sr } @$words) or diag(substr $said, 0, 500);
    }
};

subtest 'a strip of thousands of passes has no more dots than places' => sub {
    my @passes =
        map { { round => $_, at => $_, value => 1000 + 100 * $random->(), marks => [], outlier => $_ == 7 } }
        1 .. $PASSES;
    my %is    = (test => { title => 'T', unit => 'lps', score => 1000 }, from => 1, to => $PASSES);
    my $strip = Touchstone::Report::Plot::PassStrip::markup(%is, passes => \@passes);
    my $dots  = () = $strip =~ /<circle/g;
    cmp_ok($dots, '<=', 75 * 16, 'a dot for each square of two pixels at most');
    cmp_ok($dots, '>',  75 * 3,  'and more than a line');
    is(scalar(() = $strip =~ /<path/g), 1, 'the outlier stays');
    like($strip, qr/aria-label="$PASSES passes of T/,                         'all passes are counted');
    like(Touchstone::Report::Plot::PassStrip::thinning($PASSES), qr/one dot/, 'a sentence tells it');
    my $few = Touchstone::Report::Plot::PassStrip::markup(%is, passes => [ @passes[ 0 .. 499 ] ]);
    is(scalar(() = $few =~ /<circle|<path/g), 500, 'few passes have a dot each');
    is_deeply([ Touchstone::Report::Plot::PassStrip::thinning(500) ], [], 'and no sentence');
};

done_testing;
