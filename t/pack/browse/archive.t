# SPDX-License-Identifier: GPL-2.0-or-later
# Archive: facts of stored runs. They are read quickly from a record that is as it was written, and from the
# whole record otherwise.
use 5.014;
use strict;
use warnings;

use File::Temp ();
use Test::More;

use lib 't/lib';
use Example;
use Fake;
use Runs;
use Scored;
use Touchstone::Pack::Browse::Archive;
use Touchstone::Record::ResultReader;
use Touchstone::Record::Journal;
use Touchstone::Record::Json;
use Touchstone::Record;
use Touchstone::Score;

my @warnings;
local $SIG{__WARN__} = sub { push @warnings, @_ };

my %finished = map {
    my $record = Scored::document(Touchstone::Record->load("$Fake::BASE/t/golden/$_.json", 'nowhere'));
    ($_ => Touchstone::Record::Json::encode($record))
} qw(record sure fixed);
$finished{runs} = Touchstone::Record::Json::encode(
    Scored::document(
        Runs::record(runs => { '1 pipe' => [ Runs::steady(1000) ], '4 pipe' => [ Runs::steady(3000) ] })
    )
);

# Makes an archive with these files.
sub archive {
    my ($files, %reports) = @_;
    my $dir = File::Temp->newdir;
    mkdir "$dir/runs" or die "cannot make '$dir/runs': $!\n";
    Fake::write_file("$dir/runs/$_", $files->{$_}) for keys %$files;
    Fake::write_file("$dir/$_",      $reports{$_}) for keys %reports;
    return Touchstone::Pack::Browse::Archive::read({ results => "$dir", runs => "$dir/runs" });
}

# Returns facts as text, with numbers in the form of a record, however they were computed.
sub said {
    my ($facts) = @_;
    return Touchstone::Record::Json::encode_line($facts) =~
        s/(?<=[\[ ])"?(-?\d+(?:\.\d+)?)"?(?=[,\]}])/sprintf '%.12g', $1/gaer;
}

for my $name (sort keys %finished) {
    subtest "$name: what is read quickly is what is computed from the whole" => sub {
        my ($quick, @results) = Touchstone::Record::ResultReader::parted($finished{$name}, {});
        ok($quick,                   'it is read quickly') or return;
        ok(!exists $quick->{passes}, 'without its passes');
        my $whole = Touchstone::Record->of_text("$name.json", $finished{$name});
        is(
            said(Touchstone::Pack::Browse::Archive::short_of($quick, @results, 'x', 'complete')),
            said(
                Touchstone::Pack::Browse::Archive::short_of(
                    $whole, Touchstone::Score::scores($whole),
                    'x',    'complete'
                )
            ),
            'the same facts'
        );
    };
}

subtest 'what is not as Json writes it is not read quickly' => sub {
    my $good = $finished{runs};
    my %bad  = (
        'a blank more'                 => $good =~ s/\A\{\n/{\n /r,
        'no end'                       => substr($good, 0, -1),
        'half'                         => substr($good, 0, length($good) / 2),
        'something behind'             => "$good\n1",
        'a missing comma'              => $good =~ s/,\n(  "passport|  "pin)/\n$1/r,
        'a bracket less in the passes' => $good =~ s/("passes": \[.*?"counts": \[[^\]]*)\]/$1/sr,
        'a quote less in the passes'   => $good =~ s/("passes": \[.*?"unit": ")lps"/$1lps/sr,
        'a wrong word in the passes'   => $good =~ s/("passes": \[.*?"window": )1/$1one/sr,
        'a control character'          => $good =~ s/("passes": \[.*?"unit": "l)ps/$1\x01/sr,
        'an object not closed' => $good =~ s/\n    \},\n    \{\n      "copies"/\n    {\n      "copies"/r,
        'no results'           => $good =~ s/^  "results"/  "other"/mr,
        'a member twice'       => $good =~ s/^(  "pin": .*\n)/$1$1/mr,
        'another format'       => $good =~ s/^  "format": 2/  "format": 3/mr,
        'a score that is none' => $good =~ s/("score": )[\d.]+/$1"fast"/r,
        'an interval of one'   => $good =~ s/("interval": \[[\d.]+), [\d.]+/$1/r,
        nothing                => '',
        'a list'               => "[\n]\n",
        'deep'        => $good =~ s/("scaling": ).*?(?=,\n  ")/$1 . ('[' x 20000) . (']' x 20000)/ser,
        'many copies' => $good =~ s/("scaling": ).*?(?=,\n  ")/$1 . '[' . join(', ', 1 .. 70000) . ']'/ser =~
            s/^  "pin"/   "pin"/mr,
    );
    for my $what (sort keys %bad) {
        isnt($bad{$what}, $good, "$what: it is another text");
        is(scalar Touchstone::Record::ResultReader::parted($bad{$what}, {}), undef,
            "$what: not read quickly");
    }
};

subtest 'what the whole reading refuses is not read quickly' => sub {
    my $good    = $finished{runs};
    my ($first) = $good =~ /^(  "passes": \[\n.*?\n    \},\n)/ms;
    my %of      = (
        'a key of a pass'          => $good =~ s/("passes": .*?)"test": "pipe"/$1"tesT": "pipe"/sr,
        'a list of another length' => $good =~ s/("counts": \[)[\d.]+\]/$1]/r,
        'another number of copies' => $good =~ s/(\Q$first\E)/$1 =~ s{"copies": 1}{"copies": 2}r/er,
        'a text for a number'      => $good =~ s/"round": 1/"round": "one"/r,
        'an escape that is none'   => $good =~ s/("passes": .*?"test": ")pipe/$1p\\Cipe/sr,
        'half an escape'           => $good =~ s/("passes": .*?"test": ")pipe/$1p\\u00ipe/sr,
        'a negative time'          => $good =~ s/"times": \[1\]/"times": [-1]/r,
        'an escape in the results' => $good =~ s/("results": .*?"category": ")/$1\\C/sr,
    );
    for my $name (qw(tests name blocks categories passes host warnings)) {
        my $member = qr/^  "$name": .*?(?=,\n  "|\n\}\n\z)/ms;
        $of{"no $name"}     = $good =~ s/$member,\n|,\n$member//r;
        $of{"$name are $_"} = $good =~ s/$member/  "$name": $_/r
            for grep { !($name eq 'name' && /x|5/) } '5', '"x"', '{}', 'null';
    }
    $of{"indexes are $_"} = $good =~ s/^  "locale"/  "indexes": $_,\n  "locale"/mr for '5', '"x"', '{}';
    my $known = {};
    ok(Touchstone::Record::ResultReader::parted($good, $known), 'the sound one is');
    for my $what (sort keys %of) {
        isnt($of{$what}, $good, "$what: another text");
        ok(!eval { Touchstone::Record->of_text('x.json', $of{$what}) }, "$what: refused");
        is(scalar Touchstone::Record::ResultReader::parted($of{$what}, $known),
            undef, "$what: not read quickly");
    }
    my $found = archive({ 'x.json' => $of{'a key of a pass'} });
    is_deeply(
        $found->{damaged},
        [ { file => 'x.json', why => "'passes/1/test' is missing or wrong" } ],
        'it is listed as damaged'
    );
};

subtest 'a test has the flags of its own suite, and an index the conditions of its own tests' => sub {
    my $run = Runs::record(
        'r', { '1 pipe' => [ Runs::steady(1000) ], '1 pipe84' => [ Runs::steady(10) ] },
        suites => { unixbench => 7, byte1984 => 1 },
        build  =>
            { flags_unixbench => '-O3', flags_byte1984 => '-O2', flags_harness => '-O1', flags_user => '-g' }
    );
    for my $row (grep { $_->{name} eq 'pipe84' } @{ $run->{tests} }) {
        @$row{qw(suite category)} = ('byte1984', 'other');
    }
    $run->{categories} = [
        { key => 'system', title => 'System', index => ['pipe'] },
        { key => 'other',  title => 'Other',  index => ['pipe84'] }
    ];
    my ($got) =
        @{ archive({ 'r.json' => Touchstone::Record::Json::encode(Scored::document($run)) })->{runs} };
    my $said = sub {
        return join ', ',
            sort map { "$_->{title} $_->{conditions}{build} $_->{conditions}{'version of the test'}" }
            @{ $got->{ $_[0] } };
    };
    is($said->('tests'),   'Title of pipe -O3 -g 7, Title of pipe84 -O2 -g 1', 'tests');
    is($said->('indexes'), 'Other -O2 -g 1, System -O3 -g 7',                  'indexes');
    $run->{build}{flags_byte1984_pipe84} = '-O0';
    ($got) = @{ archive({ 'r.json' => Touchstone::Record::Json::encode(Scored::document($run)) })->{runs} };
    is(
        $said->('tests'),
        'Title of pipe -O3 -g 7, Title of pipe84 -O2 -O0 -g 1',
        'those of a single program belong to its suite'
    );
};

subtest 'a word names its run and no other' => sub {
    my $dir = File::Temp->newdir;
    mkdir "$dir/runs" or die "cannot make '$dir/runs': $!\n";
    Fake::write_file("$dir/runs/$_.json", $finished{runs}) for qw(x x.json README -y);
    Fake::write_file("$dir/README",       'read me');
    my $found =
        Touchstone::Pack::Browse::Archive::read({ results => "$dir", runs => "$dir/runs", base => "$dir" });
    is(join(' ', sort map { $_->{word} } @{ $found->{runs} }), './-y README.json x x.json.json', 'each');
};

subtest 'of two files of one name that are both none the first is damaged' => sub {
    my $dir = File::Temp->newdir;
    mkdir $_ or die "cannot make '$_': $!\n" for "$dir/runs", "$dir/runs/x.json", "$dir/runs/x.jsonl";
    my $found = Touchstone::Pack::Browse::Archive::read({ results => "$dir", runs => "$dir/runs" });
    is(join(' ', map { $_->{why} } @{ $found->{damaged} }), 'not a regular file', 'said so');
};

subtest 'runs come newest first, with their facts' => sub {
    my $later = Touchstone::Record::Json::encode(
        Scored::document(
            Runs::record(
                later   => { '1 pipe' => [ Runs::steady(1000) ] },
                started => 1795340000,
                set     => { name => 'o2', asked => '-O2' },
                duet    => '1-2-3'
            )
        )
    );
    my $found = archive({ 'runs.json' => $finished{runs}, 'later.json' => $later });
    is(join(' ', map { $_->{name} } @{ $found->{runs} }), 'later runs', 'both');
    my ($new, $old) = @{ $found->{runs} };
    is_deeply(
        {
            map { $_ => $old->{$_} }
                qw(name word host date kernel compiler build schedule status cpu duet set invalid baseline
                lost counts links)
        },
        {
            name     => 'runs',
            word     => 'runs',
            host     => 'vm',
            date     => '2026-11-21 06:50',
            kernel   => '6.1',
            compiler => 'cc 12',
            build    => '-O3',
            schedule => 'default',
            status   => 'complete',
            cpu      => "2 \xc3\x97 Xeon",
            duet     => 0,
            set      => 0,
            invalid  => undef,
            baseline => 'George',
            lost     => 0,
            counts   => [ 1, 4 ],
            links    => {}
        },
        'the facts'
    ) or diag(explain($old));
    is("$new->{build} $new->{duet}", 'o2: -O2 1', 'a build of --build, in a duet');
    is(
        join(', ', map { "$_->{name} x $_->{copies}" } @{ $old->{tests} }, @{ $old->{indexes} }),
        'pipe x 1, pipe x 4, index x 1, index x 4',
        'tests and indexes'
    );
};

subtest 'journals are read whole: cut off, or running' => sub {
    my $dir = File::Temp->newdir;
    mkdir "$dir/runs" or die "cannot make '$dir/runs': $!\n";
    my $places = { results => "$dir", runs => "$dir/runs" };
    Fake::write_file("$dir/runs/cut.jsonl", Example::journal() . '{"passes": {"te');
    my $journal = Touchstone::Record::Journal->create("$dir/runs", { Example::head() }, names => ['now']);
    is(
        join(', ',
            map      { "$_->{name} $_->{status}" }
                sort { $a->{name} cmp $b->{name} }
                @{ Touchstone::Pack::Browse::Archive::read($places)->{runs} }),
        'cut cut off, now running',
        'both'
    );
    undef $journal;
};

subtest 'reports that stand beside are linked, whatever their names' => sub {
    my $found = archive(
        {
            'one.json'       => $finished{runs},
            'a b&c%20.json'  => $finished{runs},
            '-x.json'        => $finished{runs},
            "new\nline.json" => $finished{runs}
        },
        one             => 'text',
        'one.html'      => 'page',
        'a b&c%20.html' => 'page'
    );
    my %of = map { $_->{name} => $_ } @{ $found->{runs} };
    is_deeply($of{one}{links},        { text => 'one', html => 'one.html' }, 'both');
    is_deeply($of{'a b&c%20'}{links}, { html => 'a%20b%26c%2520.html' },     'percent-encoded');
    is($of{'-x'}{word},       './-x', 'no option');
    is($of{'new?line'}{word}, undef,  'a name that no command line has');
};

subtest 'damaged records are named with what is wrong, and other files are ignored' => sub {
    my $found = archive(
        {
            'runs.json'         => $finished{runs},
            'half.json'         => substr($finished{runs}, 0, 5000),
            'empty.json'        => '',
            'junk.jsonl'        => "junk\n",
            "evil\e[2J<b>.json" => '{}',
            'notes.txt'         => 'hello',
            '.hidden.json'      => 'x',
            'later.json'        => $finished{runs} =~ s/"format": 2/"format": 3/r
        }
    );
    is(join(' ', map { $_->{name} } @{ $found->{runs} }), 'runs', 'the good one');
    my %why = map { $_->{file} => $_->{why} } @{ $found->{damaged} };
    is(join(' ', sort keys %why), 'empty.json evil?[2J<b>.json half.json junk.jsonl later.json',
        'the others');
    like($why{'half.json'}, qr/\Aline \d+: /, 'the line');
    is($why{'later.json'}, 'its format is 3, this version reads format 2', 'the format');
};

subtest 'a directory, and what may not be read, in the place of a record is damaged' => sub {
    my $dir = File::Temp->newdir;
    mkdir $_ or die "cannot make '$_': $!\n" for "$dir/runs", "$dir/runs/x.json";
    my $found = Touchstone::Pack::Browse::Archive::read({ results => "$dir", runs => "$dir/runs" });
    is_deeply($found, { runs => [], damaged => [ { file => 'x.json', why => 'not a regular file' } ] },
        'said so');
};

subtest 'no directory is no run' => sub {
    is_deeply(Touchstone::Pack::Browse::Archive::read({ results => '/nowhere', runs => '/nowhere/runs' }),
        { runs => [], damaged => [] }, 'nothing');
};

subtest 'of a run with a record and a journal the newer one counts' => sub {
    my $dir = File::Temp->newdir;
    mkdir "$dir/runs" or die "cannot make '$dir/runs': $!\n";
    Fake::write_file("$dir/runs/x.json",  $finished{runs});
    Fake::write_file("$dir/runs/x.jsonl", Example::journal());
    utime 1000, 1000, "$dir/runs/x.json";
    is_deeply([ Touchstone::Record->files("$dir/runs") ], ['x.jsonl'], 'the journal');
    utime 500, 500, "$dir/runs/x.jsonl";
    is_deeply([ Touchstone::Record->files("$dir/runs") ], ['x.json'], 'the record');
};

is("@warnings", '', 'no warning of Perl');
done_testing;
