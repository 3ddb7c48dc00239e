#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# Plants faults, one at a time, in a copy of lib, and runs the tests that should find them:
#
#   t/faults.pl              all faults
#   t/faults.pl NAME ...     those whose names begin so
#
# It prints a line for each fault: the test that found it, or that no test did. Exit status 1 if one was not
# found or cannot be planted. A fault is a pattern, which must match once in the modules of lib, and what
# replaces it.
use 5.014;
use strict;
use warnings;

use Cwd qw(abs_path);
use File::Basename qw(dirname);
use File::Find qw(find);
use File::Temp ();

my $TREE = dirname(dirname(abs_path(__FILE__)));

# name, pattern, replacement, tests
#<<<
my @FAULTS = (
    # wrong columns
    [ 'column: Markdown shows the CV as interval',
      qr/brief      => sub \{ sureness\(\$_\[0\]\{precision\}\) \},/,
      'brief => sub { plus_minus($_[0]{cv}) },',
      'markdown golden formats' ],
    [ 'column: CSV has low and high exchanged',
      qr/\[ low               => _limit\(0\)/,
      '[ low => _limit(1)',
      'golden formats report' ],
    [ 'column: page has the score as passes',
      qr/cell  => sub \{ \$_\[0\]\{passes\} \},/,
      'cell => sub { $_[0]{score} },',
      'html golden' ],
    [ 'column: the table of titles lists other scores',
      qr/\@score\{\@titles\}/,
      q(@score{reverse @titles}),
      'golden report formats' ],
    [ 'column: log shows the disturbed as outliers',
      qr/my \@outliers = \@\{ \$_\[0\]\{outliers\} \};/,
      'my @outliers = ($_[0]{disturbed} || ());',
      'golden report' ],

    # wrong signs
    [ 'sign: faster where slower',
      qr/return \(\$ratio > 1 \? \$FASTER : \$SLOWER, undef\);/,
      'return ($ratio > 1 ? $SLOWER : $FASTER, undef);',
      'compare compare-run duet' ],
    [ 'sign: a duet has verdicts exchanged',
      qr/return \(\$figure->\{ratio\} > 1 \? \$FASTER : \$SLOWER, undef\)/,
      'return ($figure->{ratio} > 1 ? $SLOWER : $FASTER, undef)',
      'duet sequential-test builds compare' ],
    [ 'sign: fewer seconds count as slower',
      qr/return \(\$test->\{better\} \/\/ ''\) eq 'lower'/,
      q(return ($test->{better} // '') eq 'nothing'),
      'direction rate score' ],
    [ 'sign: an interval is upside down',
      qr/return \(\[ min\(\@ratios\), max\(\@ratios\) \], \$several\);/,
      'return ([ max(@ratios), min(@ratios) ], $several);',
      'compare' ],
    [ 'sign: steal makes a pass fast',
      qr/\(\(\$part\{steal\} \+ \$others\) \/ \$wanted|\(\$part\{steal\} \+ \$others\) \/ \$wanted/,
      '(-$part{steal} + $others) / $wanted',
      'disturbance undisturbed over-time diagnostics' ],

    # wrong units
    [ 'unit: thousands as millions',
      qr/\[ M => 1e6 \], \[ k => 1e3 \]/,
      '[ M => 1e3 ], [ k => 1e6 ]',
      'symbols base' ],
    [ 'unit: percent ten times too large',
      qr/my \$percent = \$part \* 100;/,
      'my $percent = $part * 1000;',
      'symbols base markdown golden' ],
    [ 'unit: megabytes for gigabytes',
      qr/\[ GB => 2\*\*20 \], \[ MB => 2\*\*10 \]/,
      '[ MB => 2**20 ], [ GB => 2**10 ]',
      'symbols machine' ],
    [ 'unit: CV of CSV is a part',
      qr/sprintf '%\.4g', \$_\[0\]\{cv\} \* 100/,
      q(sprintf '%.4g', $_[0]{cv}),
      'golden formats report' ],
    [ 'unit: minutes of an option as seconds',
      qr/m => 60, h => 3600/,
      'm => 1, h => 3600',
      'options adaptive plan' ],
    [ 'unit: milliseconds as microseconds',
      qr/\[ ms => 0\.1, 1e-3 \]/,
      '[ ms => 0.1, 1e-6 ]',
      'symbols direction report lmb1997 list terminal' ],

    # missing rows and figures
    [ 'row: CSV leaves the indexes out',
      qr/map \{ \@\{ \$_->\{lines\} \} \} \@\{ \$block->\{tables\} \}/,
      '()',
      'golden formats report' ],
    [ 'row: JUnit leaves what failed out',
      qr/\(\$_->\{what\} eq 'failed' \? 'failure' : 'skipped'\) => \$_->\{why\}/,
      'failed => undef',
      'formats' ],
    [ 'row: an invalid run passes JUnit',
      qr/name => 'the run is valid', failure => \$run->\{why\}/,
      q(name => 'the run is valid'),
      'formats' ],
    [ 'row: a comparison has no indexes',
      qr/\(map \{ _judged\('index', \$_\) \} \@\{ \$pair->\{indexes\} \}\),/,
      '',
      'formats' ],
    [ 'row: an index leaves its last test out',
      qr/my \$score = _product\(\$parts, map \{ index_of\(\$_, \$_->\{score\}\) \} \@tests\);/,
      'my $score = _product($parts, map { index_of($_, $_->{score}) } @tests[ 0 .. $#tests - 1 ]);',
      'score' ],
    [ 'row: facts that differ are not listed',
      qr/return keys %values > 1;/,
      'return keys %values > 2;',
      'differences compare-run' ],

    # verdicts
    [ 'verdict: no correction for many tests',
      qr/Touchstone::Stats::Significance::holm\(map \{ \$_->\{p\} \} \@own\)/,
      'map { $_->{p} } @own',
      'compare compare-run' ],
    [ 'verdict: exit 0 for a slower run',
      qr/worse => 1, unknown => 125/,
      'worse => 0, unknown => 125',
      'status compare-run compare builds' ],
    [ 'verdict: an unclear comparison passes',
      qr/worse => 1, unknown => 125/,
      'worse => 1, unknown => 0',
      'status compare-run compare builds' ],
    [ 'verdict: the word for inconclusive',
      qr/inconclusive     => \{ word => 'inconclusive',/,
      q(inconclusive => { word => 'no difference',),
      'comparison-report compare-run golden' ],
    [ 'verdict: a bad host is called cleared',
      qr/bad        => \{ word => 'bad',       class => 'bad' \},/,
      q(bad => { word => 'cleared', class => 'good' },),
      'fleet-report fleet-run fleet-judging' ],
    [ 'verdict: runs that are not valid are judged',
      qr/my \@invalid = \@\$called or return;/,
      'return;',
      'compare compare-run' ],
    [ 'verdict: a roll-out that is worse is not',
      qr/\$change->\{difference\} < 0 && !\(\$ignored/,
      '$change->{difference} > 9 && !($ignored',
      'before-after rollout' ],
    [ 'verdict: an index without a failed test is whole',
      qr/partial   => \$partial,/,
      'partial => 0,',
      'score report diagnostics' ],

    # lost notes and marks
    [ 'note: other processes are no mark',
      qr/counter => 'other', limit => 0\.1/,
      q(counter => 'other', limit => 100),
      'disturbance undisturbed diagnostics' ],
    [ 'note: a quota is no mark',
      qr/counter => 'throttled', limit => 0\.005/,
      q(counter => 'throttled', limit => 100),
      'disturbance diagnostics' ],
    [ 'note: copies apart are no mark',
      qr/lacks_overlap\(\$rates\[\$_\]\) \? 'overlap' : \(\)/,
      '()',
      'disturbance diagnostics' ],
    [ 'note: too few passes are not noted',
      qr/passes    => \{ late    => 1, finding => \\&_too_few,   note    => 1 \},/,
      q(passes => { late => 1, finding => sub { return (text => '') }, note => 1 },),
      'diagnostics readers strict' ],
    [ 'note: two speeds are not noted',
      qr/levels    => \{ late    => 1, finding => \\&_levels,/,
      q(levels => { late => 1, finding => sub { return (text => '') },),
      'over-time' ],
    [ 'note: invalid without its remedy',
      qr/remedy  => \$first->\{remedy\},/,
      q(remedy => '',),
      'diagnostics report html markdown readers' ],
    [ 'note: a warning that makes invalid is a note',
      qr/\$_->\{invalid\} \? 'invalid' : _kind/,
      q($_->{invalid} ? 'note' : _kind),
      'diagnostics report html markdown' ],

    # what a run does
    [ 'run: a test has no warm-up of its own',
      qr/return \$test->\{warm\} \? \(warm => \$test->\{warm\}\) : \(\)/,
      'return ()',
      'plan measures' ],
    [ 'run: a resumed run measures all again',
      qr/\$test->\{done\}\{ \$pass->\{round\} \} = 1;/,
      '',
      'resume' ],
    [ 'run: a signal ends with exit status 1',
      qr/my \$exit = \$signal \? 128 \+/,
      'my $exit = $signal ? 1 + 0 *',
      'signals' ],
    [ 'run: the baseline divides the wrong way',
      qr/: \$figure \/ \$test->\{baseline\}\)/,
      ': $test->{baseline} / $figure)',
      'direction score' ],
    [ 'run: usual pressure of other copy counts counts',
      qr/push \@\{ \$seen\{"\$pass->\{copies\} \$pass->\{test\}"\}\{\$_\} \}/,
      'push @{ $seen{$pass->{test}}{$_} }',
      'disturbance' ],
    [ 'run: a failed pass is measured as 0',
      qr/sub is_invalid \{/,
      'sub is_invalid { return 0;',
      'rate score' ],

    # pages and strangers
    [ 'page: markup of strangers is kept',
      qr/\$text =~ s\/<\/&lt;\/g;/,
      '',
      'document golden markup' ],
    [ 'page: CSV gives formulas to spreadsheets',
      qr/\$text =~ s\/\\A\(\?=\[=\+\\@-\]\)\/'\/;/,
      '',
      'golden formats comparison-report compare-run damage compared-run' ],
    [ 'page: GitHub reads a command of a stranger',
      qr/_escaped\(\$title, "%\\r\\n:,"\)/,
      '$title',
      'formats' ],
    [ 'record: a record of another format is read',
      qr/data->\{format\} != \$format/,
      'data->{format} > 1e9',
      'record trouble resume damage' ],
    [ 'fleet: a record that is there is another one',
      qr/eq \$text\) \? 1 : 0;/,
      q{eq $text) ? 0 : 0;},
      'collect' ],
);
#>>>

my %modules;
find(
    {
        no_chdir => 1,
        wanted   => sub { $modules{ substr $_, length "$TREE/" } = slurp($_) if /\.pm\z/ }
    },
    "$TREE/lib"
);
my @chosen = @ARGV ? grep { is_chosen($_->[0]) } @FAULTS : @FAULTS;
die "no fault has such a name\n" if !@chosen;
my $copy   = copy_of_tree();
my $missed = 0;
for my $fault (@chosen) {
    my $result = eval { plant(@$fault) } // "NOT PLANTED: $@";
    chomp $result;
    $missed++ if $result =~ /\ANOT/;
    printf "%-55s %s\n", $fault->[0], $result;
}
printf "%d of %d faults found\n", @chosen - $missed, scalar @chosen;
exit($missed ? 1 : 0);

sub is_chosen {
    my ($name) = @_;
    return scalar grep { index($name, $_) == 0 } @ARGV;
}

# Everything but lib is a link to the tree.
sub copy_of_tree {
    my $temp = File::Temp->newdir;
    chmod 0755, $temp;    # some tests run commands as another user
    system('cp', '-R', "$TREE/lib", "$temp/lib") == 0 or die "cannot copy lib\n";
    for my $entry (grep { !m{/(?:lib|results|\.git)\z} } glob "\Q$TREE\E/*") {
        symlink $entry, $temp . substr($entry, length $TREE) or die "cannot make a link: $!\n";
    }

    # Tests ask where they are, so they must be files of the copy.
    unlink "$temp/t", "$temp/Run";
    system('cp', '-R', "$TREE/t", "$TREE/Run", "$temp/") == 0 or die "cannot copy t\n";
    return $temp;
}

# Returns which test found the fault.
sub plant {
    my ($name, $pattern, $replacement, $tests) = @_;
    my @hits = grep { $modules{$_} =~ $pattern } sort keys %modules;
    die "the pattern matches in @{[ scalar @hits ]} modules @hits\n" if @hits != 1;
    my ($file) = @hits;
    my $text   = $modules{$file};
    my $times  = $text =~ s/$pattern/$replacement/g;
    die "the pattern matches $times times in $file\n" if $times != 1;
    my @tests = sound_tests($tests);
    spew("$copy/$file", $text);
    my $found = found_by(@tests);
    spew("$copy/$file", $modules{$file});
    return $found // 'NOT FOUND';
}

sub found_by {
    my (@files) = @_;
    for my $file (@files) {
        return $file if !passes($file);
    }
    return;
}

sub passes {
    my ($file) = @_;
    return system("cd '$copy' && prove -l '$file' >/dev/null 2>&1 </dev/null") == 0;
}

# Returns the files of tests with these names. A test that fails without a fault, too, finds nothing.
sub sound_tests {
    my ($names) = @_;
    state %is_sound;
    my @files = map { substr $_, length "$copy/" }
        grep { -f } map { glob "\Q$copy\E/{t,t/*,t/*/*}/$_.t" } split ' ', $names;
    die "no such tests: $names\n" if !@files;
    for my $file (@files) {
        $is_sound{$file} //= passes($file);
        die "$file fails without a fault\n" if !$is_sound{$file};
    }
    return @files;
}

sub slurp {
    my ($file) = @_;
    open my $in, '<:raw', $file or die "cannot read '$file': $!\n";
    local $/;
    return scalar <$in>;
}

sub spew {
    my ($file, $text) = @_;
    open my $out, '>:raw', $file or die "cannot write '$file': $!\n";
    print {$out} $text;
    close $out or die "cannot write '$file': $!\n";
    return;
}
