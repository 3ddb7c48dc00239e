# SPDX-License-Identifier: GPL-2.0-or-later
# Report::Compare::Forest: the places of points, lines, bands and arrows of a comparison, and the text of its
# marks.
use 5.014;
use strict;
use warnings;

use Test::More;

use lib 't/lib';
use NoWarnings;
use Runs;
use Touchstone::Base::Symbols qw(ascii);
use Touchstone::Compare;
use Touchstone::Report::Compare::Baseline;
use Touchstone::Report::Compare::Forest;
use Touchstone::Report::Compare;
use Touchstone::Report::Plot;
use Touchstone::Report::Render::Html;
use Touchstone::Report::Render::Markdown;
use Touchstone::Report::Render::Text;

my @NAMES = ('A', 'B');

# Returns a figure as Compare gives it.
sub row {
    my ($name, $ratio, $far, %also) = @_;
    my $verdict = $ratio / $far > 1 ? 'faster' : $ratio * $far < 1 ? 'slower' : 'no difference';
    return {
        name       => $name,
        title      => $name,
        copies     => 1,
        unit       => 'lps',
        scores     => [ 1, $ratio ],
        intervals  => [],
        ratio      => $ratio,
        interval   => [ $ratio / $far, $ratio * $far ],
        detectable => $far - 1,
        verdict    => $verdict,
        %also
    };
}

sub unknown {
    my ($name, $ratio) = @_;
    return row(
        $name, 1, 1,
        ratio      => $ratio,
        interval   => undef,
        detectable => undef,
        verdict    => 'not tested',
        why        => '3 passes, 6 needed'
    );
}

# Returns the markup of all pictures; the figures with the name of an index are indexes.
sub pictures {
    my (@rows) = @_;
    my $pair = {
        tests   => [ grep { $_->{name} !~ /index/ } @rows ],
        indexes => [ grep { $_->{name} =~ /index/ } @rows ]
    };
    return map { $_->[1] }
        grep   { $_->[0] eq 'picture' }
        Touchstone::Report::Compare::Forest::parts(pair => $pair, names => \@NAMES);
}

# Returns the part of a picture that is the row of a name.
sub part_of {
    my ($name, $svg) = @_;
    my ($line) = grep { />\Q$name\E<\/span>/ } split /\n/, $svg;
    return $line;
}

# Returns the places of the labels of the scale.
sub scale {
    my ($svg) = @_;
    return map { /class="dim middle" x="([\d.]+)%" y="[\d.]+">([^<?]*)</ ? (ascii($2) => $1) : () }
        split /(?=<text)/, $svg;
}

subtest 'a point stands at its ratio, its line at its interval, its band at what could not be seen' => sub {
    my ($svg) = pictures(row(one => 1.02, 1.005), row(two => 0.97, 1.01), row(three => 1, 1.05));
    my %at = scale($svg);
    ok($at{'+4 %'} > $at{0} && $at{0} > $at{'-4 %'}, 'faster is at the right');
    my ($x) = part_of(one => $svg) =~ /<circle (?:class="open" )?cx="([\d.]+)%"/;
    ok(abs($x - $at{0} - 0.5 * ($at{'+4 %'} - $at{0})) < 0.5, 'half of the way to +4 %');
    my ($from, $to) = part_of(one => $svg) =~ /class="stroke" x1="([\d.]+)%" x2="([\d.]+)%"/;
    ok($from < $x && $x < $to && abs($from + $to - 2 * $x) < 0.3, 'the line is around it');
    my ($band, $width) =
        part_of(three => $svg) =~ /class="range" height="12" width="([\d.]+)%" x="([\d.]+)%"/ ? ($2, $1) : ();
    ok(abs($band + $width / 2 - $at{0}) < 0.5, 'the band is around 1');
};

subtest 'verdicts differ in words, in marks and in colour' => sub {
    my ($svg) = pictures(
        row(up   => 1.1, 1.01),
        row(down => 0.9, 1.01),
        row(same => 1,   1.01),
        row(open => 1,   1.2, verdict => 'inconclusive', why => 'could still be 5 % either way')
    );
    like(part_of(up   => $svg), qr/<span class="good">\xe2\x96\xb2 faster<.*<g class="good">/, 'faster: up');
    like(part_of(down => $svg), qr/<span class="bad">\xe2\x96\xbc slower<.*<g class="bad">/, 'slower: down');
    like(
        part_of(same => $svg),
        qr/>\xe2\x97\x8b no difference<.*<circle class="open" /,
        'no difference: a ring'
    );
    like(
        part_of(open => $svg),
        qr/title="open: .*inconclusive: could still be 5 % either way".*>\? inconclusive</,
        'inconclusive: a question mark, and why'
    );
    like(
        $svg,
        qr/aria-label="1 copy: 1 slower, 1 faster, 1 no difference, 1 inconclusive\. The table has the figures\."/,
        'and all are counted for who cannot see it'
    );
};

subtest 'an index is a diamond at the end, below a line' => sub {
    my ($svg) = pictures(row(index => 1.02, 1.001), row(pipe => 1.02, 1.01));
    ok(index($svg, '>pipe<') < index($svg, '>index<'), 'the tests come first');
    like($svg, qr/^<div class="ratio rule".*class="row bold"[^<]*>index<.*\xe2\x97\x86/m, 'a diamond');
    unlike(part_of(pipe => $svg), qr/\xe2\x97\x86|bold/, 'a test is none');
};

subtest 'what is a thousand times faster leaves the scale of the others by an arrow' => sub {
    my ($svg) = pictures(
        (map { row("t$_", 1 + $_ / 100, 1.01) } 1 .. 8),
        row(huge => 1000,  1.1),
        row(tiny => 0.001, 1.1),
        row(wide => 1,     3)
    );
    my %at = scale($svg);
    ok($at{'+5 %'} - $at{0} > 4, 'the others keep their scale');
    like(
        part_of(huge => $svg),
        qr/>1000 \S+<.*x="98%" [^>]*>\xe2\x96\xb6/,
        'an arrow to the right, and the figure'
    );
    unlike(part_of(huge => $svg), qr/class="stroke"/, 'and nothing within');
    like(part_of(tiny => $svg), qr/>0\.001 \S+<.*x="2%" [^>]*>\xe2\x97\x80/, 'one to the left');
    is(scalar(() = part_of(wide => $svg) =~ /\xe2\x96\xb6|\xe2\x97\x80/g),
        2, 'an interval that leaves it on both sides has two');
};

subtest 'large ratios alone have a scale of ratios' => sub {
    my ($svg) = pictures(row(one => 3, 1.01), row(two => 20, 1.01), row(three => 0.9, 1.01));
    my %at = scale($svg);
    ok(defined $at{'1 x'} && $at{'10 x'} > $at{'1 x'}, 'labels are factors');
    my @places = sort { $a <=> $b } values %at;
    is(scalar(grep { $places[$_] - $places[ $_ - 1 ] < 5 } 1 .. $#places), 0, 'that do not touch');
};

subtest 'what is there is explained, and nothing else' => sub {
    my $legend = sub {
        return (
            Touchstone::Report::Compare::Forest::parts(
                pair   => { tests => [@_], indexes => [] },
                names  => \@NAMES,
                legend => 1
            )
        )[0][1]{text};
    };
    like($legend->(row(one => 1.1, 1.01)), qr/compared with A \(right: faster\).*Grey/, 'dot and band');
    unlike($legend->(row(one => 1.1, 1.01)), qr/Diamond|not tested/, 'no diamond');
    like(
        $legend->(row(one => 1.1, 1.01), unknown(two => 1)),
        qr/Without a line: not tested/,
        'what was not tested'
    );
};

subtest 'several pairs share a scale' => sub {
    my @pairs = map { { tests => [ row(pipe => $_, 1.01), row(spawn => 1.01, 1.01) ], indexes => [] } } 1.03,
        1.06;
    my @shown = map {
        my $pair = $_;
        join '',
            map { $_->[1] }
            Touchstone::Report::Compare::Forest::parts(pair => $pair, names => \@NAMES, among => \@pairs)
    } @pairs;
    is_deeply({ scale($shown[0]) }, { scale($shown[1]) }, 'scale');
    my @apart = map { { tests => [ row(pipe => $_, 1.01) ], indexes => [] } } 1.02, 90;
    like(
        (Touchstone::Report::Compare::Forest::parts(pair => $apart[0], names => \@NAMES, among => \@apart))
        [0][1],
        qr/>\+2 %</,
        'unless one would be lost in that of the other'
    );
    unlike("@shown", qr/Dot: speed/, 'and are explained only when that is wanted');
};

subtest 'runs that do not differ at all have a scale' => sub {
    my ($svg) = pictures(row(one => 1, 1), row(two => 1, 1));
    like(part_of(one => $svg), qr/<circle class="open"/, 'with points');
    unlike($svg, qr/nan|inf/i, 'of numbers');
};

subtest 'what has no interval is a hollow point, and says why' => sub {
    my ($svg) = pictures(row(pipe => 1.02, 1.01), unknown(slow => 1.01), unknown(far => 50));
    like(part_of(slow => $svg), qr/>\? not tested<.*<circle class="open"/, 'a point');
    unlike(part_of(slow => $svg), qr/class="stroke"|class="range"/, 'without line and band');
    like(part_of(far => $svg), qr/\xe2\x96\xb6/, 'an arrow where it is beyond the scale');
    like($svg,                 qr/title="slow: \+1\.0 %, not tested: 3 passes, 6 needed"/, 'which says why');
};

subtest 'without any ratio there is no picture' => sub {
    is_deeply([ pictures() ],                                          [], 'of nothing');
    is_deeply([ pictures(unknown(zero => undef), unknown(nil => 0)) ], [], 'of zero');
};

subtest 'a hundred tests are several pictures on one scale' => sub {
    my @pictures =
        pictures((map { row("t$_", 1 + ($_ % 7 - 3) / 100, 1.01) } 1 .. 100), row(index => 1.01, 1.001));
    is(
        join('|', map { m{<figcaption>(.*?)</figcaption>} } @pictures),
        '1 copy, 1 to 36 of 101|1 copy, 37 to 72 of 101|1 copy, 73 to 101 of 101',
        'each says which'
    );
    my %scales = map {
        my %at = scale($_);
        (join(' ', map { "$_ $at{$_}" } sort keys %at) => 1)
    } @pictures;
    is(scalar keys %scales, 1, 'one scale');
    cmp_ok(length(join '', @pictures), '<', 250_000, 'and are small');
};

subtest 'nothing in a picture is forbidden to a page' => sub {
    my $svg = join '',
        pictures(row(qq{<b onclick="x" style='y'>&}, 1.1, 1.01), row(qq{"index"</svg>}, 1.1, 1.01));
    unlike($svg =~ s/"[^"]*"/""/gr =~ s/>[^<]*/>/gr, qr/ style=| on\w+=|<b/, 'no attribute but its own');
    is(scalar(() = $svg =~ m{</svg>}g), scalar(() = $svg =~ m{<svg\b}g), 'and no end but its own');
};

subtest 'a run beside its reference and builds side by side have it on pages alone' => sub {
    my @runs =
        map { Runs::compared_run("r$_", { '1 pipe' => [ Runs::steady(1000 + 30 * $_) ] }, duet => 'x') } 0, 1;
    my $comparison = Touchstone::Compare::compare(runs => \@runs);
    my ($pair)     = @{ $comparison->{pairs} };
    my @against    = Touchstone::Report::Compare::Baseline::parts(
        { name => 'r0', differences => [], map { $_ => $pair->{$_} } qw(notes tests indexes) });
    like(
        Touchstone::Report::Render::Html::fragment(@against),
        qr/>reference faster<.*>this run faster<.*<table\b/s,
        'against a reference, above its table'
    );
    my $html = Touchstone::Report::Compare::render(
        html => { %$comparison, builds => [ map { { name => $_, asked => '-O' } } qw(o0 o2) ] });
    like($html, qr/>r0 faster<.*>r1 faster<.*<caption>Scores, 1 copy/s, 'builds');
    unlike(
        Touchstone::Report::Render::Text::render(@against)
            . Touchstone::Report::Render::Markdown::render(@against),
        qr/svg|faster</,
        'not in text and Markdown'
    );
};

subtest 'a scale reaches as far as most of what is shown' => sub {
    my %reach =
        ('1 2 3' => 3, '1 1 1 12' => 12, '1 1 1 12.1' => 1, '0 0 5' => 5, '0' => 0, '' => 0, '7' => 7);
    is(Touchstone::Report::Plot::reach(12, split / /), $reach{$_}, "of '$_'") for sort keys %reach;
};

subtest 'many rows are dealt out to sheets' => sub {
    is_deeply([ Touchstone::Report::Plot::sheets('t', 2, 1, 2) ], [ [ 't', 1, 2 ] ], 'few are on one');
    is_deeply(
        [ Touchstone::Report::Plot::sheets('t', 2, 1 .. 5) ],
        [ [ 't, 1 to 2 of 5', 1, 2 ], [ 't, 3 to 4 of 5', 3, 4 ], [ 't, 5 to 5 of 5', 5 ] ],
        'more on several'
    );
    is_deeply([ Touchstone::Report::Plot::sheets('t', 2) ], [ ['t'] ], 'none on one without rows');
};

done_testing;
