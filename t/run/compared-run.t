# SPDX-License-Identifier: GPL-2.0-or-later
# Compare::Run: records, journals and text reports of UnixBench, read for Compare.
use 5.014;
use strict;
use warnings;

use File::Temp ();
use Test::More;

use lib 't/lib';
use NoWarnings;
use Example;
use Fake;
use Runs;
use Scored;
use Touchstone::Compare::Run;
use Touchstone::Record::Json;
use Touchstone::Score;
use Touchstone::Suite;

my $dir    = File::Temp->newdir;
my $titles = Touchstone::Suite::load()->titles;

sub stored {
    my ($file, $text) = @_;
    Fake::write_file("$dir/$file", $text);
    return "$dir/$file";
}

sub loaded { return Touchstone::Compare::Run::load($_[0], "$dir", $titles) }

sub refused {
    return eval { loaded(@_); 1 } ? 'nothing' : $@;
}

subtest 'a stored run is found by name and by path' => sub {
    my $path = stored('vm-01.json', Touchstone::Record::Json::encode(Example::record()));
    is(loaded('vm-01')->{name}, 'vm-01', 'by name');
    is_deeply(loaded($path), loaded('vm-01'), 'by path');
};

subtest 'a record gives the scores and passes of every test and copy count' => sub {
    my $run = loaded('vm-01');
    is_deeply([ sort keys %{ $run->{tests} } ], [ '1 hanoi', '1 pipe', '2 hanoi', '2 pipe' ], 'tests');
    my $pipe = $run->{tests}{'1 pipe'};
    is(
        "$pipe->{name}, $pipe->{title}, $pipe->{copies}, $pipe->{unit}, $pipe->{better}",
        'pipe, Pipe Throughput, 1, lps, higher',
        'what it is'
    );
    is(@{ $pipe->{rates} }, 2,                           'two passes; a warm-up is none');
    is($pipe->{score},      3481931 / (1 + 1e-6),        'the score');
    is($pipe->{index},      10 * $pipe->{score} / 12440, 'the index');
};

subtest 'a record gives its indexes and the tests they are of' => sub {
    my $run = loaded('vm-01');
    is_deeply(
        { map { $_ => $run->{indexes}{$_}{tests} } keys %{ $run->{indexes} } },
        { '1 system' => ['pipe'], '2 system' => ['pipe'] },
        'one for each copy count'
    );
    is($run->{indexes}{'1 system'}{score}, $run->{tests}{'1 pipe'}{index}, 'of one test');
};

subtest 'the version of a test in a text report follows from the Touchstone that made it' => sub {
    my $text    = Fake::read_file("$Fake::BASE/t/classic/version-6-all.txt");
    my %version = (
        '6.0.0' => [ undef, undef ],
        '7.0.0' => [ 1,     1 ],
        '7.0.9' => [ 1,     1 ],
        '7.1.0' => [ 1,     2 ],
        '8.0.0' => [ 1,     2 ]
    );
    for my $made (sort keys %version) {
        my $run = loaded(stored("made-by-$made", $text =~ s/\(Version [\d.]+\)/(Version $made)/r));
        is_deeply([ map { $run->{tests}{"1 $_"}{version} } qw(pipe spawn) ], $version{$made},
            "version $made");
    }
};

subtest 'the version of a test is its own, in old records that of its suite' => sub {
    my @rows = map {
        {
            name     => $_->[0],
            title    => $_->[0],
            category => 'system',
            suite    => 'unixbench',
            baseline => 100,
            version  => $_->[1]
        }
    } [ pipe => 1 ], [ spawn => 2 ];
    my $new = Scored::run(
        Runs::record(
            a      => { '1 pipe'  => [1], '1 spawn' => [1] },
            suites => { unixbench => 2 },
            tests  => \@rows
        )
    );
    is("$new->{tests}{'1 pipe'}{version} $new->{tests}{'1 spawn'}{version}", '1 2', 'its own');
    my $run = Scored::run(Runs::record(a => { '1 pipe' => [1] }, suites => { unixbench => 3 }));
    is($run->{tests}{'1 pipe'}{version},            3,     'known');
    is(loaded('vm-01')->{tests}{'1 pipe'}{version}, undef, 'unknown');
};

subtest 'of a test that reports seconds low figures are better' => sub {
    my $record = Runs::record(a => { '1 pipe' => [1] });
    $_->{unit} = 's' for @{ $record->{passes} };
    is(Scored::run($record)->{tests}{'1 pipe'}{better}, 'lower', 'lower');
};

subtest 'a run that did not come to its end says so' => sub {
    is(loaded('vm-01')->{note}, 'this run did not come to its end', 'a record');
    stored('cut.jsonl', Example::journal());
    is(loaded('cut')->{note}, 'this run did not come to its end', 'a journal');
    stored('half.jsonl', substr Example::journal(), 0, -30);
    is(loaded('half')->{note}, 'this run did not come to its end', 'a journal that ends in half a line');
    is(Scored::run(Runs::record(a => { '1 pipe' => [1] }))->{note}, undef, 'a whole run says nothing');
};

subtest 'a run whose scores are not valid says why, and other warnings are not told' => sub {
    my @warnings =
        ({ id => 'quota', text => 'only half a CPU', invalid => 1 }, { id => 'load', text => 'load 0.3' });
    my $run = Scored::run(Runs::record(a => { '1 pipe' => [1] }, warnings => \@warnings));
    is($run->{invalid}{text}, 'only half a CPU', 'why');
    is($run->{note},          undef,             'which is no note too');
};

subtest 'the sides of a duet are named by their programs' => sub {
    my ($run) = map { Scored::run($_) }
        Runs::record('vm-01-a' => { '1 pipe' => [1] }, duet => 'vm-01', programs => '/home/x/builds/o2');
    is("$run->{name}, $run->{duet}", 'vm-01-a (o2), vm-01', 'name and duet');
};

my $CLASSIC = Fake::read_file('t/golden/classic.txt');

subtest 'a text report of UnixBench gives scores and indexes, and no passes' => sub {
    my $run = loaded(stored('report', $CLASSIC));
    is_deeply(
        [ sort keys %{ $run->{tests} } ],
        [ '1 pipe', '1 syscall', '2 pipe', '2 syscall' ],
        'tests by their names'
    );
    is(
        "@{ $run->{tests}{'1 pipe'} }{qw(score unit index)}",
        '3237107.4 lps 2602.2',
        'figures as they stand there'
    );
    is_deeply($run->{tests}{'1 pipe'}{rates}, [], 'no passes');
    is_deeply(
        [ $run->{indexes}{'2 system'}{score}, $run->{indexes}{'2 system'}{tests} ],
        [ 3791.1,                             [qw(pipe syscall)] ],
        'an index'
    );
    is($run->{note}, 'a text report of UnixBench holds no passes, so there are ratios without intervals',
        'and says so');
};

subtest 'of UnixBench it is known what cannot be compared, of reports of ours nothing' => sub {
    my $tests = loaded('t/classic/version-6-all.txt')->{tests};
    is_deeply(
        [ sort grep { defined $tests->{"1 $_"}{unlike} } map { $_->{name} } values %$tests ],
        [ sort qw(arithoh short int long float double C) ],
        'the arithmetic and C'
    );
    is($tests->{'1 short'}{unlike}, "Touchstone does this work, compilers delete UnixBench's", 'why');
    my $ours =
        loaded(stored('ours', Fake::read_file('t/classic/version-6-all.txt') =~ s/Version 6/Version 7/r))
        ->{tests};
    is(join(' ', grep { defined $ours->{$_}{unlike} } keys %$ours), '', 'the same text of version 7');
};

subtest 'a text report with missing rows says which' => sub {
    my $run = loaded(stored('missing', $CLASSIC =~ s/^System Call Overhead +15000.*\n//mr));
    like($run->{note}, qr/; 1 copy: 'System Call Overhead' has no row in the index; /, 'the row');
    like($run->{note}, qr/ is 1910\.7, and 2602\.2 computed from its scores\z/, 'the index that it lacks');
    is_deeply($run->{indexes}{'1 system'}{tests}, ['pipe'], 'the index is of the others');
};

subtest 'a text report tells what it knows of the machine' => sub {
    my $facts = loaded("$dir/report")->{facts};
    my ($host, $os) = $CLASSIC =~ /^ *System: (.*?): (.*)/m;
    is("$facts->{'h name'}, $facts->{'h os'}", "$host, $os", 'host and system');
    like($facts->{'r tool'}, qr/\ATouchstone \d/, 'the version');
};

subtest 'the members of an index are those of its own part of the report' => sub {
    my $graphics =
        "2D Graphics Benchmarks Index Values          BASELINE       RESULT    INDEX\n2D graphics: rectangles                         15.0         150.0    100.0\n"
        . "                                                                   ========\n2D Graphics Benchmarks Index Score                                    100.0\n";
    my $text = $CLASSIC;
    $text =~
        s/^(Pipe Throughput +[\d.]+ lps)/2D graphics: rectangles                     150.0 score   (10.0 s, 1 samples)\n$1/m;
    $text =~ s/^(System Benchmarks Index Score.*\n)/$1\n$graphics/m;
    my $run = loaded(stored('graphics', $text));
    is_deeply($run->{indexes}{'1 system'}{tests},   [qw(pipe syscall)], 'of the system');
    is_deeply($run->{indexes}{'1 graphics'}{tests}, ['2d-rects'],       'of graphics');
    my $former = loaded('t/classic/former-titles.txt');
    is_deeply($former->{indexes}{'1 misc'}{tests}, ['grep'], 'and not of the part where they stand today');
};

subtest 'a text report of its own record has the scores of the record' => sub {
    my $report = loaded("$dir/report");
    my $record = Touchstone::Compare::Run::load('t/golden/record.json', "$dir", $titles);
    for my $key (sort keys %{ $report->{tests} }) {
        is($report->{tests}{$key}{score}, sprintf('%.1f', $record->{tests}{$key}{score}), $key);
    }
};

subtest 'what is no run is refused with its name' => sub {
    stored('newer.json', Touchstone::Record::Json::encode({ %{ Example::record() }, format => 3 }));
    is(
        refused('newer'),
        "'$dir/newer.json' is not a run record: its format is 3, this version reads format 2\n",
        'a newer format'
    );
    stored('cut2.json', substr Touchstone::Record::Json::encode(Example::record()), 0, 900);
    like(
        refused('cut2'),
        qr{\A'\Q$dir\E/cut2\.json' is not a run record: line \d+: [^\n]+\n\z},
        'half a record'
    );
    stored('empty.jsonl', '');
    is(
        refused('empty'),
        "'$dir/empty.jsonl' is not a run record: line 1: the journal has no complete line\n",
        'an empty journal'
    );
    is(refused('nowhere'), "no run 'nowhere' here or in '$dir'\ntry: ./Run list runs\n", 'nothing');
    like(refused("$dir"), qr/\A[^\n]*'\Q$dir\E'[^\n]*\ntry: [^\n]+\n\z/, 'a directory');
};

subtest 'a text report that cannot be read is refused with its name and the line' => sub {
    my $file = stored('bad', $CLASSIC =~ s/3237107\.4 lps/many lps/r);
    my $line = 1 + ($CLASSIC =~ /\A(.*?)^Pipe Throughput /ms ? $1 =~ tr/\n// : 0);
    like(refused($file), qr/\A'\Q$file\E' is not a report of UnixBench: line $line: [^\n]+\n\z/, 'a row');
    like(
        refused(stored('head', "   BYTE UNIX Benchmarks (Version 6.0.0)\n")),
        qr{\A'\Q$dir\E/head' is not a report of UnixBench: line 1: [^\n]+\n\z},
        'a report without a result'
    );
};

done_testing;
