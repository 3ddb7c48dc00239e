# SPDX-License-Identifier: GPL-2.0-or-later
# Baseline: the file that is delivered, files like it, and damaged files.
use 5.014;
use strict;
use warnings;

use File::Basename qw(dirname);
use File::Temp ();
use Test::More;

use lib 't/lib';
use NoWarnings;
use Touchstone::Compare::Baseline;

my $dir = File::Temp->newdir;

sub file_of {
    my ($text, $name) = @_;
    my $file = "$dir/" . ($name // 'index.base');
    open my $out, '>', $file or die "cannot write '$file': $!\n";
    print {$out} $text;
    close $out or die "cannot write '$file': $!\n";
    return $file;
}

sub trouble {
    my ($file) = @_;
    return eval { Touchstone::Compare::Baseline::load($file); 1 } ? 'it was read' : $@;
}

subtest 'the baselines are those of the SPARCstation 20-61' => sub {
    is_deeply(
        Touchstone::Compare::Baseline::load(dirname(dirname(dirname(__FILE__))) . '/pgms/index.base'),
        {
            dhry2reg           => 116700,
            'whetstone-double' => 55,
            execl              => 43,
            fstime             => 3960,
            fsbuffer           => 1655,
            fsdisk             => 5800,
            pipe               => 12440,
            context1           => 4000,
            spawn              => 126,
            shell1             => 42.4,
            shell8             => 6,
            syscall            => 15000,
            grep               => 1,
            sysexec            => 25,
            map({ ("2d-$_" => 15) } qw(rects ellipse aashapes text blit window)),
        },
        'name by name'
    );
};

subtest 'a file is read line by line' => sub {
    my $file = file_of(
        "# George\n\n  # indented\n \t\npipe|10|lps|12440|12441|10\nshell1|60.0|lpm|42.4|42.4|3  \nfs_w-2.a|30|KBps|0.5|0.5|3\r\n"
    );
    is_deeply(
        Touchstone::Compare::Baseline::load($file),
        { pipe => 12440, shell1 => 42.4, 'fs_w-2.a' => 0.5 },
        'comments, empty lines, fractions, both kinds of line end'
    );
    is_deeply(
        Touchstone::Compare::Baseline::load(file_of('pipe|10|lps|1|1|10')),
        { pipe => 1 },
        'the last line may lack its end'
    );
    is_deeply(Touchstone::Compare::Baseline::load(file_of('')),            {}, 'an empty file holds none');
    is_deeply(Touchstone::Compare::Baseline::load(file_of("# nothing\n")), {}, 'nor does one of comments');
    is(Touchstone::Compare::Baseline::load(file_of("pipe|10|lps|007|007|10\n"))->{pipe} . '',
        '7', 'scores are numbers');
    is_deeply(
        Touchstone::Compare::Baseline::load(file_of("pipe|1|lps|5|5|1\n", "a 'b' \"c\"\n")),
        { pipe => 5 },
        'any file name'
    );
};

subtest 'a damaged line is named by file and line' => sub {
    my $good    = 'pipe|10|lps|12440|12440|10';
    my @damaged = (
        'pipe',                      'pipe|10|lps|12440|12440',
        "$good|1",                   'pipe|10|lps|x|12440|10',
        'pipe|10|lps|12440|x|10',    'pipe|ten|lps|1|1|10',
        'pipe|10||1|1|10',           '|10|lps|1|1|10',
        'pipe|10|lps|-5|-5|10',      'pipe|10|lps|1e5|1e5|10',
        'pipe|10|lps|0x10|0x10|10',  'pipe|10|lps|.5|.5|10',
        'pipe|10|lps|1,5|1,5|10',    'pipe|10|lps|nan|nan|1',
        'pipe|10|lps|1|1|2.5',       'pipe 10 lps 1 1 10',
        'pipe|10|l ps|1|1|1',        "pi\0pe|10|lps|1|1|10",
        "p\xc3\xafpe|10|lps|1|1|10", "\xff\xfe\0",
        'x' x 100_000,               '|' x 100_000,
        "$good;pipe"
    );
    for my $line (@damaged) {
        my $file  = file_of("# a comment\n\nsyscall|10|lps|15000|15000|10\n$line\n");
        my $shown = substr($line, 0, 40) =~ s/[^ -~]/?/gr;
        like(
            trouble($file),
            qr/\A'\Q$file\E' line 4: not a baseline, expected name\|seconds\|unit\|score\|score\|passes\n\z/,
            "'$shown'"
        );
    }
    for my $score ('0', '0.0', '000') {
        my $file = file_of("pipe|10|lps|$score|$score|10\n");
        like(trouble($file), qr/\A'\Q$file\E' line 1: the score of 'pipe' is 0\n\z/, "a score of $score");
    }
    my $twice = file_of("$good\n#\n$good\n");
    like(trouble($twice), qr/\A'\Q$twice\E' line 3: 'pipe' is there twice\n\z/, 'a name twice');
    my $huge = file_of('pipe|10|lps|' . '9' x 400 . "|1|10\n");
    like(trouble($huge), qr/\A'\Q$huge\E' line 1: /, 'a score that is no number any more');
};

subtest 'line numbers begin anew with each file' => sub {
    trouble(file_of("#\n#\nrubbish\n"));
    like(trouble(file_of("rubbish\n")), qr/ line 1: /, 'after a file that was left in the middle');
    open my $other, '<', __FILE__ or die "cannot open '@{[__FILE__]}': $!\n";
    <$other> for 1 .. 7;
    like(trouble(file_of("#\nrubbish\n")), qr/ line 2: /, 'while another is being read');
    close $other;
};

subtest 'a file that cannot be read is named with the cause' => sub {
    like(trouble("$dir/none"), qr/\Acannot open baselines '\Q$dir\E\/none': \S.*\n\z/,    'none there');
    like(trouble("$dir"),      qr/\Acannot (?:open|read) baselines '\Q$dir\E': \S.*\n\z/, 'a directory');
SKIP: {
        skip 'this user may read everything', 1 if $> == 0;
        my $file = file_of('', 'closed');
        chmod 0, $file;
        like(trouble($file), qr/\Acannot open baselines '\Q$file\E': \S.*\n\z/, 'one without permission');
    }
};

done_testing;
