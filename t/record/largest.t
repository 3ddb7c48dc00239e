# SPDX-License-Identifier: GPL-2.0-or-later
# What is read has a limit, whoever made it, and so has what is built of it: a sentence names both, and
# memory stays small.
use 5.014;
use strict;
use warnings;

use File::Temp ();
use POSIX ();
use Test::More;

use lib 't/lib';
use NoWarnings;
use Example;
use Fake;
use Runs;
use Touchstone::Record;
use Touchstone::Record::ClassicReader;
use Touchstone::Record::ResultReader;
use Touchstone::Record::Json;
use Touchstone::Record::Largest;
use Touchstone::Pack::Fleet::LogEncoding;

my $dir  = File::Temp->newdir;
my $fake = Fake->new;
my $GOOD = Touchstone::Record::Json::encode(Runs::record('good', { '1 pipe' => [ 1 .. 6 ] }));

sub written {
    my ($name, $text) = @_;
    Fake::write_file("$dir/$name", $text);
    return "$dir/$name";
}

sub trouble {
    my ($name, $text) = @_;
    return eval { Touchstone::Record->of_text("$dir/$name", $text); 'it was read' } // $@;
}

# A record with a member, which its sorted ones allow at the end.
sub with { my ($member) = @_; return $GOOD =~ s/\n\}\n\z/,\n  $member\n}\n/r }

subtest 'files and streams beyond the limit are refused before they are read' => sub {
    my $good = written('good.json', $GOOD);
    for my $name (qw(s.json s.jsonl s.txt s.json.gz)) {
        open my $out, '>', "$dir/$name" or die "cannot write: $!\n";
        truncate $out, 20e9 or plan skip_all => "no file can be so large here: $!";
        close $out;
    }
    my %said = (
        's.json'    => [ 'report',  "$dir/s.json" ],
        's.jsonl'   => [ 'report',  "$dir/s.jsonl" ],
        's.txt'     => [ 'compare', "$dir/s.txt", $good ],
        's.json.gz' => [ 'place',   $good,        '--among',    "$dir/s.json.gz" ],
        'baseline'  => [ 'report',  $good,        '--baseline', "$dir/s.json" ],
    );
    for my $what (sort keys %said) {
        my $got = $fake->run($said{$what}, command => limited());
        is($got->{status}, 2, "$what: exit 2");
        like(
            $got->{err},
            qr/\ARun: '\Q$dir\E\/s\.[.\w]+' (?:is|has a line) larger than 200 MB: no record is so large\n\z/,
            'and why'
        );
    }
    for my $words ([qw(report -)], [ qw(compare -), $good ]) {
        my $got = $fake->run($words, command => limited(' </dev/zero'));
        like(
            $got->{err},
            qr/\ARun: standard input is larger than 200 MB: no record is so large\n\z/,
            "@$words[0, 1]"
        );
    }
};

# A Run that has no more than a gigabyte.
sub limited {
    my ($from) = @_;
    return [ '/bin/sh', '-c', 'ulimit -v 1000000; exec "$@"' . ($from // ''), 'sh', $^X, "$Fake::BASE/Run" ];
}

subtest 'what is no file is refused' => sub {
    POSIX::mkfifo("$dir/fifo", 0600) or die "cannot make a pipe: $!\n";
    for my $name ("$dir/fifo", '/dev/zero') {
        my $got = $fake->run([ 'report', $name ]);
        is($got->{status}, 2, "$name: exit 2");
        like($got->{err}, qr/not a regular file\n\z/, 'and why');
    }
    my $got = $fake->run([ 'report', "$dir" ]);
    like($got->{err}, qr/\ARun: '\Q$dir\E' is not a run record: it is a directory\n/, 'a directory');
};

subtest 'what a stranger adds to a record is read and forgotten' => sub {
    my $text  = with('"x": [' . '[],' x 1000 . '{"passes": [1]}]');
    my $facts = Touchstone::Record->of_text('x', $text);
    is_deeply($facts, Touchstone::Record->of_text('x', $GOOD), 'it is not there');
    my ($line) = Touchstone::Record::Json::encode_line({ record => Touchstone::Record::Json::decode($text) });
    ok(!exists Touchstone::Record->of_text('x.jsonl', "$line\n")->{x}, 'nor from a journal');
    like(trouble('x', with('"x": [1,,2]')), qr/line \d+: a value is missing/, 'but it is JSON');
};

subtest 'values, names and depth of JSON have limits' => sub {
    local $Touchstone::Record::Largest::PARTS = 10_000;
    my $many = qr/line \d+: more than 0 million values and names, which is too many for a record\n\z/;
    like(trouble('x', with('"x": [' . '[],' x 3000 . '1]')),  $many, 'lists, also where they are not kept');
    like(trouble('x', with('"x": [' . '1,' x 11_000 . '1]')), $many, 'numbers');
    like(trouble('x', with('"x": {' . join(',', map { qq("$_":1) } 1 .. 6000) . '}')), $many, 'names');
    like(trouble('x', with('"x": ' . '[' x 60 . ']' x 60)), qr/nested too deeply/,            'depth');
    is(trouble('x', with('"x": [' . '1,' x 5000 . '1]')), 'it was read', 'fewer are read');
    my ($line) = Touchstone::Record::Json::encode_line({ record => Touchstone::Record::Json::decode($GOOD) });
    my $pass = '{"warnings": {"id": "a", "text": "b"}}' . "\n";
    like(trouble('x.jsonl', "$line\n" . $pass x 1200), $many, 'all lines of a journal count together');
    like(trouble('x.jsonl', "$line\n" . "\n" x 1e6), qr/line 2: a value is missing/, 'empty lines are none');
};

subtest 'lists of a record that make much of little have limits' => sub {
    my $of = sub {
        my ($list, $entry, $n) = @_;
        return $GOOD =~ s/^  "$list": \[(?:\n|\])/  "$list": [@{[ join ',', ($entry) x $n ]},\n/mr;
    };
    like(trouble('x', $of->('blocks', '{"copies": 1, "started": 1}', 1001)),
        qr/'blocks' has more than 1000 entries\n\z/, 'blocks');
    is(trouble('x', $of->('blocks', '{"copies": 1, "started": 1}', 900)), 'it was read', 'fewer are read');
};

subtest 'texts have limits' => sub {
    local $Touchstone::Record::Largest::TEXT       = 100_000;
    local $Touchstone::Record::Largest::TEXT_LINES = 1000;
    like(
        trouble('x', 'words ' x 20_000),
        qr/is larger than 0 MB: no text is so large\n\z/,
        'a text that is no record'
    );
    my $head  = "   BYTE UNIX Benchmarks (Version 5.1.3)\n";
    my $parse = sub {
        return eval { Touchstone::Record::ClassicReader::parse($_[0], {}); 'it was read' } // $@;
    };
    like($parse->($head x 900), qr/the report holds no result/, 'reports of UnixBench are read');
    like(
        $parse->($head . "\n" x 1000),
        qr/line 1: it has more than 1000 lines, which is too many for a report\n\z/,
        'lines of a report'
    );
    local $Touchstone::Record::Largest::REPORTS = 100;
    like($parse->($head x 101),
        qr/line 1: it holds more than 100 reports, which is too many for a text\n\z/, 'reports');
};

subtest 'a log has limits' => sub {
    local $Touchstone::Record::Largest::LINES = 100;
    my $line = "TOUCHSTONE k68.9f31c07d5a64b2e8.1 4c7e2ab190d355f1 1/7 H4sI\n";
    is(scalar(my @one = Touchstone::Pack::Fleet::LogEncoding::read($line x 100)), 1, 'lines of one record');
    ok(!eval { Touchstone::Pack::Fleet::LogEncoding::read($line x 101); 1 }, 'more are refused');
    is($@, "it has more than 100 lines of records, which is too many for a log\n", 'with a sentence');
    my ($found) = Touchstone::Pack::Fleet::LogEncoding::read($line =~ s{1/7}{1/999999}r);
    is(
        Touchstone::Pack::Fleet::LogEncoding::joined($found)->{why},
        'neither its first nor its last line is there',
        'a record'
    );
};

subtest 'a record that is read quickly has the same limits' => sub {
    my $text   = with('"x": [' . '1,' x 5000 . '1]');
    my $parted = sub {
        my ($facts) = eval { Touchstone::Record::ResultReader::parted($_[0], {}) };
        return $facts;
    };
    my $finished = $text =~ s/\n\}\n\z/,\n  "results": []\n}\n/r;
    my $facts    = $parted->($finished);
    ok($facts && !exists $facts->{x}, 'what is added is not kept');
    local $Touchstone::Record::Largest::PARTS = 4000;
    is($parted->($finished), undef, 'too much is refused');
    like($@, qr/more than 0 million values/, 'at once');
};

done_testing;
