# SPDX-License-Identifier: GPL-2.0-or-later
# Record: nothing that was measured is lost, and a file that is not a record is refused with a message.
use 5.014;
use strict;
use warnings;

use File::Temp ();
use Test::More;

use lib 't/lib';
use NoWarnings;
use Example;
use Touchstone::Machine::File;
use Touchstone::Record;
use Touchstone::Record::Journal;
use Touchstone::Record::Json;

my %HEAD   = Example::head();
my @EVENTS = Example::events();
my @LISTS  = qw(blocks passes failures skipped warnings);

my $dir = File::Temp->newdir('run\'s "XXXXXX', TMPDIR => 1);

my $runs = 0;
sub directory { my $path = "$dir/" . ++$runs; mkdir $path or die "cannot make '$path': $!\n"; return $path }

sub created {
    my ($path, @names) = @_;
    return Touchstone::Record::Journal->create($path, \%HEAD, names => [ @names ? @names : 'vm-01' ]);
}

sub loaded {
    my ($run) = @_;
    return eval { Touchstone::Record->load($run, "$dir") } || { trouble => $@ };
}
sub trouble { return loaded(@_)->{trouble} // 'it was loaded' }

sub entries {
    my ($path) = @_;
    opendir my $in, $path or return;
    my @n = sort grep { !/\A\.\.?\z/ } readdir $in;
    return "@n";
}

sub text_of {
    my ($file) = @_;
    open my $in, '<', $file or return '';
    local $/;
    my $text = <$in>;
    close $in;
    return $text // '';
}

sub written {
    my ($text, $name) = @_;
    my $file = "$dir/$name";
    open my $out, '>', $file or die "cannot write '$file': $!\n";
    print {$out} $text;
    close $out or die "cannot write '$file': $!\n";
    return $file;
}

subtest 'after every event the journal holds all there is' => sub {
    my $path   = directory();
    my $record = created($path);
    is_deeply(
        loaded("$path/vm-01"),
        { %HEAD, format => 2, name => 'vm-01', map { $_ => [] } @LISTS },
        'before the first'
    );
    my $lines = 1;
    for my $event (@EVENTS) {
        is($record->add(@$event), $event->[1], "$event->[0]: the entry is given back");
        my @lines = split /\n/, text_of("$path/vm-01.jsonl"), -1;
        is(@lines, ++$lines + 1, 'one line more');
        is_deeply(Touchstone::Record::Json::decode($lines[-2]), {@$event}, 'it is the event');
        is_deeply(loaded("$path/vm-01.jsonl"), $record->data, 'the whole journal is the record so far');
    }
    is(entries($path), 'vm-01.jsonl', 'and there is no other file');
};

# Results that say nothing, for a record whose facts are tested.
sub results_of {
    my ($record) = @_;
    return { passes => [ map { +{} } @{ $record->data->{passes} } ], blocks => [], published_results => {} };
}

sub finished { my ($record) = @_; return $record->finish(results_of($record)) }

subtest 'finishing turns the journal into the record' => sub {
    my $path   = directory();
    my $record = created($path);
    $record->add(@$_) for @EVENTS;
    $record->end('complete');
    is(finished($record), "$path/vm-01.json", 'it tells where');
    is(entries($path),    'vm-01.json',       'the journal and what was written beside are gone');
    is_deeply(loaded("$path/vm-01.json"), $record->data, 'everything is in it');
    my $document = Touchstone::Record::document($record->data, results_of($record));
    is(text_of("$path/vm-01.json"), Touchstone::Record::Json::encode($document), 'in canonical form');
    my $failing = created($path, 'vm-02');
    mkdir "$path/vm-02.json" or die "cannot make a directory: $!\n";
    ok(!eval { finished($failing); 1 }, 'a record that cannot be written');
    like($@, qr/\Acannot write '\Q$path\E\/vm-02\.json': \S.*\n\z/, 'is named with the cause');
    is(entries($path), 'vm-01.json vm-02.json vm-02.jsonl', 'the journal stays and no half file');
};

subtest 'nobody\'s record is overwritten' => sub {
    my $path = directory();
    finished(created($path, 'a'));
    my $running = created($path, 'b');
    symlink "$dir/nowhere", "$path/c.jsonl" or die "cannot link: $!\n";
    is(created($path, qw(a b c d))->data->{name}, 'd', 'finished, running and linked names are taken');
    ok(!-e "$dir/nowhere", 'a link is not followed');
    ok(!eval { created($path, qw(a b)); 1 } && $@ =~ /\Ano free name for the results in '\Q$path\E'\n\z/,
        'no name left');
    my $again = Touchstone::Record::Journal->create($path, \%HEAD, names => ['a'], replace => 1);
    ok(-e "$path/a.json", 'a record that is to be replaced stays until the new one is finished');
    $again->add(@{ $EVENTS[0] });
    finished($again);
    is_deeply(loaded("$path/a")->{ $EVENTS[0][0] }, [ $EVENTS[0][1] ], 'then it gives way');
    ok(!eval { created("$path/none"); 1 } && $@ =~ /\Acannot write in '\Q$path\E\/none': \S.*\ntry: /,
        'a directory that is not there');
};

subtest 'a full disk stops no measurement and destroys nothing' => sub {
    my $path   = directory();
    my $record = created($path);
SKIP: {
        open my $full, '>', '/dev/full' or skip 'no /dev/full here', 1;
        (local $record->{journal}) = $full;
        ok(eval { $record->add(@$_) for @EVENTS; 1 }, 'the journal cannot be written');
        is(@{ $record->data->{passes} }, 12, 'the passes are kept');
    }
    my $file = written('old', 'r' x 250);
    ok(
        !eval { Touchstone::Machine::File::write_file($file, 'new'); 1 },
        'a file that cannot be written beside, since a name would be too long'
    );
    is($@ =~ s/: .*//sr . ' ' . text_of($file), "cannot write '$file' old", 'leaves the old one');
};

subtest 'a run is found by name and by path' => sub {
    my $path = directory();
    finished(created($path, 'odd name\'s "x" <b>'));
    my $stem = "$path/odd name's \"x\" <b>";
    is(eval { Touchstone::Record->load($_->[0], $_->[1])->{name} }, "odd name's \"x\" <b>", $_->[2])
        for [ $stem, $dir, 'path without suffix' ], [ "$stem.json", $dir, 'path' ],
        [ "odd name's \"x\" <b>", $path, 'name' ];
    written(text_of("$stem.json") =~ s/vm/other/r, substr("$stem.jsonl", 1 + length $dir));
    utime 1e9, 1e9, "$stem.jsonl" or die "cannot set the time: $!\n";
    is(loaded($stem)->{host}{name}, 'vm', 'a finished record comes before an older journal');
    utime 1e9 - 9, 1e9 - 9, "$stem.json" or die "cannot set the time: $!\n";
    is(Touchstone::Record->file_of($stem, $dir), "$stem.jsonl", 'but not before a newer one');
    like(trouble($_), qr/\Ano run '\Q$_\E' here or in '\Q$dir\E'\ntry: \.\/Run list runs\n\z/, "none: $_")
        for 'nobody', '', '../x', "$path/x.json", "$path/x.jsonl";
    is(
        eval { Touchstone::Record->file_of(qq(odd nane's "x" <b>), $path) } // $@,
        qq(no run 'odd nane's "x" <b>' here or in '$path'\n)
            . qq(did you mean 'odd name's "x" <b>'?\n)
            . "try: ./Run list runs\n",
        'a name that is nearly one'
    );
    like(
        trouble($path),
        qr/\A'\Q$path\E' is not a run record: it is a directory\ntry: /,
        'a directory is no run'
    );
};

subtest 'a record may be compressed by gzip' => sub {
    my $path = directory();
    finished(created($path, 'packed'));
    my $text = text_of("$path/packed.json");
    require IO::Compress::Gzip;
    IO::Compress::Gzip::gzip(\$text, \my $bytes) or die "cannot compress\n";
    unlink "$path/packed.json"                   or die "cannot remove the record: $!\n";
    my $file = written($bytes, substr("$path/packed.json.gz", 1 + length $dir));
    is_deeply([ Touchstone::Record->files($path) ], ['packed.json.gz'], 'it is one of the runs');
    is(eval { Touchstone::Record->load($_, $path)->{name} } // $@, 'packed', "found as $_")
        for "$path/packed.json.gz", "$path/packed", 'packed', 'packed.json.gz';
    written(substr($bytes, 0, 200), substr("$path/packed.json.gz", 1 + length $dir));
    is(
        eval { Touchstone::Record->load('packed', $path); 1 } // $@,
        "'$path/packed.json.gz' is not a run record: its gzip is damaged or cut short\n",
        'one that is cut short is refused'
    );
};

subtest 'a line that is no single entry of a journal is named' => sub {
    my @lines = split /\n/, Example::journal();
    my %wrong = (
        'half a line'      => '{"passes": {"test',
        'nothing'          => '',
        'a number'         => '7',
        'null'             => 'null',
        'a list'           => '[]',
        'no entry'         => '{}',
        'an unknown entry' => '{"results": {}}',
        'two entries'      => '{"blocks": {"copies": 1, "started": 1}, "warnings": {"id": "a", "text": "b"}}',
        'a second head'    => $lines[0],
        'a foreign word'   => '{"format": {}}',
    );
    for my $what (sort keys %wrong) {
        my $file = written(join("\n", @lines[ 0 .. 4 ], $wrong{$what}, $lines[5], ''), 'wrong.jsonl');
        like(trouble($file), qr/\A'\Q$file\E' is not a run record: line 6: \S.*\n\z/, $what);
        next if $what eq 'a second head';
        my $first = written("$wrong{$what}\n", 'first.jsonl');
        like(
            trouble($first),
            qr/\A'\Q$first\E' is not a run record: line 1: \S.*\n\z/,
            "$what instead of the head"
        );
    }
    like(
        trouble(written(qq({"record": $_}\n), 'head.jsonl')),
        qr/\A'\Q$dir\E\/head\.jsonl' is not a run record: \S.*\n\z/,
        "a head that is $_"
    ) for qw(null 0 "" [] {} 7);
};

subtest 'text of any kind comes back' => sub {
    my $odd =
        "quote \" apostrophe ' back\\slash\n\e[2J\0 <script>&amp; Gr\xc3\xb6\xc3\x9fe \xe2\x82\xac %s \${x}";
    my $record = created(directory());
    $record->data->{host}{name} = $odd;
    $record->add(failures => { test => $odd, copies => 1, why => $odd });
    my $file = finished($record);
    is_deeply(
        [ @{ loaded($file)->{failures}[0] }{qw(test why)}, loaded($file)->{host}{name} ],
        [ ($odd) x 3 ],
        'as it was'
    );
    unlike(text_of($file), qr/[\x00-\x09\x0b-\x1f\x7f]/, 'and no control character is in the file');
};

subtest 'a journal that was cut loses at most its last line' => sub {
    my $journal = Example::journal();
    my @starts  = (0);
    push @starts, pos $journal while $journal =~ /\n/g;
    my $head = $starts[1];
    for my $length (0, 1, $head - 1, $head, $head + 1,
        map { ($_ - 1, $_, $_ + 7) } @starts[ 2 .. $#starts - 1 ]) {
        my $whole = grep { $_ && $_ <= $length } @starts;
        my $data  = loaded(written(substr($journal, 0, $length), 'cut.jsonl'));
        if ($whole) {
            is(scalar(map { @{ $data->{$_} || [] } } @LISTS), $whole - 1, "$length bytes: every whole line");
        } else {
            like(
                $data->{trouble},
                qr/\A'\Q$dir\E\/cut\.jsonl' is not a run record: .+\n\z/,
                "$length bytes: not even the first line"
            );
        }
    }
};

done_testing;
