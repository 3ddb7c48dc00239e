# SPDX-License-Identifier: GPL-2.0-or-later
# An index with parts: which index is the answer of a run, and in which order reports show it, its parts, what
# stands for itself beside it, and single tests.
use 5.014;
use strict;
use warnings;

use File::Temp ();
use List::Util qw(sum);
use Test::More;

use lib 't/lib';
use NoWarnings;
use Modern;
use Scored;
use Touchstone::Compare;
use Touchstone::Machine::File;
use Touchstone::Record;
use Touchstone::Report::Compare;
use Touchstone::Report::Groups;
use Touchstone::Report::Summary;
use Touchstone::Score;
use Touchstone::Score::Index;

my @GROUPS  = qw(compute memory threads kernel latency);
my $RECORD  = Modern::record();
my $MODEL   = Scored::model($RECORD);
my ($BLOCK) = @{ Touchstone::Score::score_run($RECORD)->{blocks} };
my %INDEX   = map { $_->{key} => $_ } @{ $BLOCK->{indexes} };

# Whether these patterns match one behind the other.
sub in_order {
    my ($text, $what, @patterns) = @_;
    my $at = 0;
    for my $pattern (@patterns) {
        pos($text) = $at;
        return ok(0, "$what: no $pattern where it should be") if $text !~ /$pattern/gm;
        $at = pos $text;
    }
    return ok(1, $what);
}

subtest 'the answer is the index that is no part; beside one with parts another stands for itself' => sub {
    my %role = Touchstone::Score::Index::roles(@{ $BLOCK->{indexes} });
    is($role{modern},           'answer', 'the whole');
    is($role{"modern-$_"},      'part',   "its part $_") for @GROUPS;
    is($role{'modern-durable'}, 'aside',  'the disk');
    my @warned;
    local $SIG{__WARN__} = sub { push @warned, @_ };
    my %bare = Touchstone::Score::Index::roles(map { +{ %$_, category => undef } } @{ $BLOCK->{indexes} });
    is_deeply([ \%bare, @warned ], [ \%role ], 'a record without categories is no trouble');
    my @equal = map { { key => $_, category => 'bytemark' } } qw(integer floating);
    is(scalar Touchstone::Score::Index::answers(@equal), 2, 'indexes without parts are answers');
    is((Touchstone::Score::Index::answers({ key => 'part', part_of => 'gone', category => 'x' }))[0]{key},
        'part', 'a part without its whole is one');
};

subtest 'groups count alike, whatever the number of their tests' => sub {
    my $mean = exp(sum(map { log $INDEX{"modern-$_"}{score} } @GROUPS) / @GROUPS);
    ok(abs($INDEX{modern}{score} / $mean - 1) < 1e-9, 'the index is the mean of its parts');
    is($INDEX{modern}{weights}{wakeup}, 0.1, 'a test of two has a tenth');
};

subtest 'a run of one group has the index of that, not a partial one of the whole' => sub {
    my ($block) = @{ Touchstone::Score::score_run(Modern::record(only => ['compute']))->{blocks} };
    is_deeply([ map { $_->{key} } @{ $block->{indexes} } ], ['modern-compute'], 'its index');
    my ($two) = @{ Touchstone::Score::score_run(Modern::record(only => [qw(compute memory)]))->{blocks} };
    is_deeply(
        [ map { $_->{key} } @{ $two->{indexes} } ],
        [qw(modern modern-compute modern-memory)],
        'of two groups the whole says what both are together'
    );
    is($two->{indexes}[0]{partial}, 1, 'as a partial index');
    like(
        Scored::report('markdown', Modern::record(only => ['compute'])),
        qr/\A# vm: Modern Compute Index \d/,
        'the answer'
    );
};

subtest 'a run of the disk alone has its index as the answer' => sub {
    like(
        Scored::report('markdown', Modern::record(only => ['durable'])),
        qr/\A# vm: Modern Durable Index \d/,
        'the answer'
    );
};

# The index as far as the first tests of the run tell.
sub so_far {
    my ($record, $many) = @_;
    my ($block) = @{ Touchstone::Score::score_run($record)->{blocks} };
    my %test    = map { $_->{name} => $_ } @{ $block->{tests} };
    my @done    = map { $test{ $_->{name} } } @{ $record->{tests} };
    return Touchstone::Score::index_so_far($record, 1, @done[ 0 .. $many - 1 ]);
}

subtest 'while a run goes on its index is that of the whole, as soon as all of its tests have a score' =>
    sub {
    ok(Touchstone::Score::will_have_index($RECORD), 'there will be one, with that of the disk too');
    is(so_far($RECORD, 4),         undef,    'a group that is complete is not the answer');
    is(so_far($RECORD, 21),        undef,    'one test is missing');
    is(so_far($RECORD, 22)->{key}, 'modern', 'all are there');
    is(so_far($RECORD, 25)->{key}, 'modern', 'those of the disk are not mixed into it');
    my $group = Modern::record(only => ['kernel']);
    ok(Touchstone::Score::will_have_index($group), 'a run of one group will have that of the group');
    is(so_far($group, 6),        undef,           'not yet');
    is(so_far($group, 7)->{key}, 'modern-kernel', 'now');
    ok(!Touchstone::Score::will_have_index(Modern::record(only => [qw(compute memory)])),
        'two groups have none that answers');
    };

my @PARTS = map { qr/\b\u$_\b/ } @GROUPS;

subtest 'the text report has the index, its parts and the disk in this order' => sub {
    my $text = Scored::report('text', $RECORD);
    in_order(
        $text,
        'lines of indexes',
        qr/^Modern Index Score +\d/m,
        (map { qr/^Modern \u$_ Index Score +\d/m } @GROUPS),
        qr/^Modern Durable Index Score/m
    );
    in_order(
        $text,
        'parts, then slow operations',
        qr/^Parts of the Modern Index$/m,
        @PARTS,
        qr/Durable Index, 1 copy: .*of ext4 on vda/,
        qr/^Slowest operations/m
    );
};

subtest 'a terminal has the index first, then aligned lines of its parts' => sub {
    my @said = map { $_->{text} } Touchstone::Report::Summary::answer($MODEL, columns => 80);
    like($said[0],        qr/^index \(modern\), 1 copy: /m,                   'the index');
    like($said[1],        qr/^index \(modern\), 2 copies: /m,                 'with more copies');
    like($said[2],        qr/^parts of index \(modern\) +1 copy +2 copies$/m, 'a head');
    like($said[ 3 + $_ ], qr/^  $GROUPS[$_] +\d+/m,                           "then $GROUPS[$_]") for 0 .. 4;
    my %width = map { utf8::decode(my $line = $_); length $line => 1 } @said[ 2 .. 7 ];
    is(scalar keys %width, 1, 'all end in one column');
    like($said[8], qr/^index \(modern-durable\), 1 copy: .*, of ext4 on vda$/m, 'the disk with its volume');
    is(scalar(grep { /^index/ } @said), 4, 'and no more headlines');
    unlike("@said", qr/commit|disk-read/, 'a terminal has the slowest operations of latency alone');
};

subtest 'Markdown has one headline, then a table of the parts, then the tests' => sub {
    my $text = Scored::report('markdown', $RECORD);
    like($text, qr/\A# vm: Modern Index \d/, 'the title');
    in_order(
        $text, 'the order',
        qr/^- Modern Index, 1 copy/m,
        qr/^\*\*Parts of the Modern Index\*\*$/m,
        (map { qr/^\| \u$_ \| \d/m } @GROUPS),
        qr/^\| Test \| Index/m
    );
    unlike(($text =~ /\A(.*?)\*\*Parts/s)[0], qr/Compute|Durable/, 'no part before that table');
};

subtest 'a page has a card for the index alone, its parts as bars on one scale, then the tests' => sub {
    my $page = Scored::report('html', $RECORD);
    like($page, qr{<title>\d+(?:\.\d+)? }, 'the number is in the title');
    my ($cards) = $page =~ m{<ul class="cards">(.*?)</ul>}s;
    is(() = $cards =~ /<p class="figure">/g, 2, 'one figure for each copy count');
    unlike($cards, qr/Compute|Durable/, 'of the index');
    like($page, qr/1000 = exactly the round figures of the Yardstick of 2026, which no machine has\./,
        'what 1000 is');
    in_order(
        $page, 'the order', qr/class="cards"/,
        qr/results parts/,
        (map { qr{<span>\u$_</span>} } @GROUPS),
        qr/Durable Index, 1 copy: .* of ext4 on vda\./,
        qr/id="results"/
    );
    my ($parts) = $page =~ m{(<table class="results parts.*?</table>)}s;
    is(() = $parts =~ /class="bar" /g, 10 + 2, 'a bar for each part and copy count, and two in the legend');
    is(() = $parts =~ /class="whisker"/g, 10,  'each with its interval');
    like($parts, qr/>1000</, 'the reference is on the scale');
};

subtest 'a log, a table of figures and a record carry all indexes' => sub {
    my $made = Scored::reports($RECORD, qw(log csv json summary markdown));
    in_order(
        $made->{log}, 'log',
        qr/^Modern Index Score: \d/m,
        (map { qr/^  Modern \u$_ Index Score: \d/m } @GROUPS),
        qr/^Modern Durable Index Score/m
    );
    in_order(
        $made->{csv}, 'csv',
        qr/^1,Modern Index Score,/m,
        map { qr/^1,Modern \u$_ Index Score,/m } @GROUPS
    );
    my $document = Scored::document($RECORD);
    is($document->{results}[0]{indexes}[1]{part_of}, 'modern', 'what it is a part of');
    my $dir = File::Temp->newdir;
    Touchstone::Machine::File::write_file("$dir/vm-01.json", $made->{json});
    my $again = Touchstone::Record->load("$dir/vm-01.json", "$dir");
    is(Scored::report('summary', $again), $made->{summary}, 'a stored run says the same');
    Touchstone::Machine::File::write_file("$dir/pasted.md", $made->{markdown});

    # A pasted run has no slices, from which the consistency follows.
    my $pasted = Scored::report('summary', Touchstone::Record->load("$dir/pasted.md", "$dir"));
    is($pasted, $made->{summary} =~ s/^5 % of 10 ms slices .*\n//mr, 'and one that was pasted');
};

subtest 'a run that is not valid says so at every part' => sub {
    my %invalid = (%$RECORD, warnings => [ { id => 'load', text => 'busy', invalid => 1 } ]);
    my $invalid = Scored::reports(\%invalid, qw(html markdown summary text));
    like($invalid->{html},     qr{<caption>Parts of the Modern Index \S+ not valid<}, 'page');
    like($invalid->{markdown}, qr/Parts of the Modern Index \S+ not valid/,           'Markdown');
    like($invalid->{summary},  qr/^index \(modern-durable\), 1 copy: .*not valid$/m,  'terminal');
    for my $form (qw(text markdown summary)) {
        my $said = $invalid->{$form};
        like($said, qr/5 % of 10 ms slices .* tests, not valid$/m,              "$form: how even it was");
        like($said, qr/99 of 100 wake-ups came within .* late, not valid\.?$/m, "$form: the slowest ones");
    }
};

subtest 'consistency is that of steady tests alone' => sub {
    my @tests =
        grep { $_->{name} =~ /\A(?:json|interp|branch|matrix|mem-\w+|cache-\w+)\z/ } @{ $BLOCK->{tests} };
    my $mean = exp(sum(map { log $_->{consistency} } @tests) / 8);
    ok(abs($INDEX{modern}{consistency} / $mean - 1) < 1e-9, 'of compute and memory');
    is($INDEX{'modern-threads'}{consistency}, undef, 'another group has none');
    my $even = sprintf '%.0f', $mean;
    like(
        join("\n", Touchstone::Report::Groups::consistency($MODEL)),
        qr/^5 % of 10 ms slices ran below $even % of the median speed with 1 copy, \d+ % with 2 copies, in the compute and memory tests$/m,
        'in a sentence'
    );
    my @short = map {
        { %$_, $_->{test} eq 'json' ? (slices => [undef]) : () }
    } @{ Modern::record(copies => [1])->{passes} };
    my $unknown = Scored::model({ %{ Modern::record(copies => [1]) }, passes => \@short });
    is(scalar(Touchstone::Report::Groups::consistency($unknown)),
        undef, 'without the slices of a test nobody knows');
};

my @RUNS = (
    Modern::record(name => 'a', host => 'a'),
    Modern::record(name => 'b', host => 'b', faster => { memory => 1.4, threads => 0.9 })
);

sub compared {
    my ($format, @runs) = @_;
    return Touchstone::Report::Compare::render($format, comparison(@runs));
}

sub comparison {
    return Touchstone::Compare::compare(runs => [ map { Scored::run($_) } @_ ], smallest => {});
}

subtest 'the ratio of two indexes is that of their scores, also where groups count alike' => sub {
    my ($pair) = @{ comparison(@RUNS)->{pairs} };
    my %row = map { $_->{key} => $_ } @{ $pair->{indexes} };
    for my $key (map { "1 $_" } 'modern', map { "modern-$_" } @GROUPS) {
        my ($one, $other) = @{ $row{$key}{scores} };
        ok(abs($other / $one / $row{$key}{ratio} - 1) < 1e-6, $key);
        ok(!$row{$key}{scaled},                               "$key: on one scale");
    }
    ok(abs($row{'1 modern'}{ratio} / (1.4 * 0.9)**0.2 - 1) < 1e-6, 'two groups of five');
};

subtest 'a comparison has the index, its parts, then the tests, in every form' => sub {
    for my $form (qw(text markdown html)) {
        my $said = compared($form, @RUNS);
        in_order(
            $said, $form,
            qr/modern index, 1 copy/,
            qr/Parts, 1 copy/,
            @PARTS, qr/mem-bandwidth|Mem Bandwidth/
        );
        my ($head) = $said =~ /\A(.*?)Parts, 1 copy/s;
        unlike($head =~ s/.*<h1>//rs, qr/modern-compute|Compute/, "$form: no part before that");
        unlike($said,                 qr/modern-compute/,         "$form: a part has its short name");
    }
    my $three = compared('text', @RUNS, Modern::record(name => 'c', host => 'c'));
    in_order(
        $three, 'three runs',
        qr/^Parts, 1 copy$/m,
        (map { qr/^ +\u$_ +\d/m } @GROUPS),
        qr/^1 copy$/m, qr/^ +mem-bandwidth/m
    );
};

subtest 'tables and pictures of scaling call the copies of a team threads' => sub {
    my $record =
        Modern::record(only => [qw(threads latency)], copies => [ 1, 2, 4, 8 ], cpus => 8, scaling => 1);
    my $text = Scored::report('summary', $record);
    like($text, qr/^lock, threads$/m,                                 'a row says so');
    like($text, qr/^thread$/m,                                        'another does not');
    like($text, qr/^threads: one process with one thread per copy$/m, 'what that means');
    my ($lock) = $text =~ /^(lock, threads\n(?:  .*\n)+)/m;
    like($lock, qr/^  peak at 1 thread: more do less$/m, 'a test that many do worse has its peak at one');
    my ($wakeup) = $text =~ /^(wakeup\n(?:  .*\n)+)/m;
    like($wakeup, qr/not fitted: it is what each copy sees/, 'what each copy sees has no law');
    unlike($wakeup, qr/\d %/, 'and no efficiency');
    my $page = Scored::report('html', $record);
    like($page, qr/with 8 threads/, 'a picture of a team');
    like($page, qr/with 8 copies/,  'and of another');
    like($page, qr/>Threads</,      'its axis');
    unlike(Scored::report('html', Modern::record(only => ['compute'])), qr/threads/i, 'not without a team');
};

done_testing;
