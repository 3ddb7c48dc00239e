# SPDX-License-Identifier: GPL-2.0-or-later
# Published: the tables that are delivered, tables like them, and damaged tables.
use 5.014;
use strict;
use warnings;

use File::Basename qw(dirname);
use File::Temp ();
use Test::More;

use lib 't/lib';
use NoWarnings;
use Touchstone::Report::Render::Html;
use Touchstone::Report::Render::Text;
use Touchstone::Suite::Published;

my $FAILED = "failed: the test did not complete. It also reveals limits on a user's processes.";

my $BASE = dirname(dirname(dirname(__FILE__)));
my @TEXT = (text => [ 'machine', 'system' ]);
my $dir  = File::Temp->newdir;

sub file_of {
    my ($text, $name) = @_;
    my $file = "$dir/" . ($name // 'table.csv');
    open my $out, '>', $file or die "cannot write '$file': $!\n";
    print {$out} $text;
    close $out or die "cannot write '$file': $!\n";
    return $file;
}

sub trouble {
    my ($file) = @_;
    return eval { Touchstone::Suite::Published::load($file, @TEXT); 1 } ? 'it was read' : $@;
}

subtest 'the tables of 1984 are those of the article' => sub {
    my ($one, $three) =
        map { Touchstone::Suite::Published::load("$BASE/pgms/byte1984-$_.csv", @TEXT, notes => ['note']) }
        qw(machines multi);
    is(scalar(@$one), 15, 'fifteen machines');
    is_deeply(
        $one->[0],
        {
            machine     => 'VAX-11/780',
            system      => '4.1 BSD',
            pipe_real   => '3.2',
            pipe_user   => '0.1',
            pipe_sys    => '1.2',
            scall_real  => '4.8',
            scall_user  => '1.4',
            scall_sys   => '4.0',
            fcall       => '1.0',
            sieve_real  => '1.7',
            sieve_user  => '1.5',
            sieve_sys   => '0.1',
            dwrite_real => '2.0',
            dread_real  => '8.0',
            shell_real  => '3.3',
            shell_user  => '0.3',
            shell_sys   => '1.3',
            loop_real   => '2.6',
            loop_user   => '2.5',
            loop_sys    => '0.1'
        },
        'the first'
    );
    is(
        join(', ', map { $_->{machine} } grep { !defined $_->{dread_real} } @$one),
        'Masscomp, Omnibyte',
        'which have no dread'
    );
    is_deeply(
        [ sort { $a <=> $b } map { $_->{shell_real} } @$one ],
        [ map { $_->{shell_real} } @$one ],
        'they are in the order of the shell'
    );
    is_deeply(
        $three->[0],
        {
            machine => 'VAX-11/780',
            system  => '4.1 BSD',
            n1      => '4.3',
            n2      => '5.5',
            n3      => '7.8',
            n4      => '9.0',
            n5      => '11.0',
            n6      => '13.8'
        },
        'table 3'
    );
    my ($lisa) = grep { $_->{machine} eq 'Apple Lisa' } @$three;
    is($lisa->{n6}, 3 * 60 + 48.6, 'the last figure of the Lisa, 3:48.6 in the article');
    is_deeply([ map { $_->{machine} } grep { !defined $_->{n1} } @$three ],
        ['Omnibyte'], 'one has no figure at all');
    is_deeply(
        [ sort map { $_->{machine} } @$three ],
        [ sort map { $_->{machine} } @$one ],
        'the same machines in both'
    );
};

subtest 'a table is read line by line' => sub {
    my $rows = Touchstone::Suite::Published::load(
        file_of("n1,machine,system,n2\r\n0,A,S 'x',1.25\r\n,A,T,\r\n007,B\xc3\xa9,S,0.0"), @TEXT);
    is_deeply(
        $rows,
        [
            { n1      => '0',   machine => 'A', system => q{S 'x'}, n2 => '1.25' },
            { machine => 'A',   system  => 'T' },
            { n1      => '007', machine => "B\xc3\xa9", system => 'S', n2 => '0.0' }
        ],
        'columns in any order, both kinds of line end, the last may lack its own'
    );
    my $only =
        Touchstone::Suite::Published::load(file_of("program\na b\n", "a 'b' \"c\""), text => ['program']);
    is_deeply($only, [ { program => 'a b' } ], 'one column, any file name');
};

subtest 'a note may be empty' => sub {
    my @with = (@TEXT, notes => ['note']);
    my $load =
        sub { return Touchstone::Suite::Published::load(file_of("machine,system,note,n1\n$_[0]\n"), @with) };
    is_deeply($load->('A,S,,1'), [ { machine => 'A', system => 'S', n1 => '1' } ], 'without');
    is($load->('A,S,a word,1')->[0]{note}, 'a word', 'with');
    ok(!eval { $load->('A,S,"a",1') }, 'a quote ends it');
    like($@, qr/note is not printable or has a quote/, 'as in any text');
    ok(!eval { Touchstone::Suite::Published::load(file_of("machine,system\nA,B\n"), @with) },
        'it must be there');
};

subtest 'a damaged row is named by file and line' => sub {
    my %said = (
        ''                => '0 fields, expected 3',
        'A,S'             => '2 fields, expected 3',
        'A,S,1,'          => '4 fields, expected 3',
        ',' x 100_000     => '100001 fields, expected 3',
        ',S,1'            => 'no machine, expected a name',
        'A, ,1'           => 'no system, expected a name',
        "A,S,\xff"        => q{n1 is not a number: '?', expected one like 3.2, or nothing},
        'A,"S",1'         => 'system is not printable or has a quote, expected plain text',
        "A\0,S,1"         => 'machine is not printable or has a quote, expected plain text',
        "A,S\xff,1"       => 'system is not printable or has a quote, expected plain text',
        'A,S,' . 'x' x 99 => q{n1 is not a number: '} . 'x' x 40 . q{...', expected one like 3.2, or nothing},
        'C,D,5'           => q{'C,D' appears twice, expected once},
        map({ +"A,S,$_" => "n1 is not a number: '$_', expected one like 3.2, or nothing" }
            qw(-1 +1 1e5 .5 5. nan inf 0x1 1;2),
            ' 1', '1 ', '9' x 16, '1.' . '1' x 16, "\xd9\xa3"),
    );
    for my $line (sort keys %said) {
        my $file = file_of("machine,system,n1\nC,D,1\n$line\nE,F,2\n");
        is(trouble($file), "'$file' line 3: $said{$line}\n", substr($line, 0, 30) =~ s/[^ -~]/?/gr);
    }
};

subtest 'a damaged header is named' => sub {
    my %said = (
        'machine,n1'             => q{no column 'system', expected a header with machine, system},
        'machine,system,n1,n1'   => q{column 'n1' appears twice, expected once},
        'machine,machine,system' => q{column 'machine' appears twice, expected once},
        map { $_ => 'not a header, expected column names made of a to z, A to Z, 0 to 9 and _' }
            'machine,system,',
        ',machine,system', 'machine,system,n 1', "\xef\xbb\xbfmachine,system",
    );
    for my $header (sort keys %said) {
        my $file = file_of("$header\nA,B,1\n");
        is(trouble($file), "'$file' line 1: $said{$header}\n", $header =~ s/[^ -~]/?/gr);
    }
};

subtest 'a table without rows is none' => sub {
    my $file = file_of('');
    like(trouble($file), qr/\A'\Q$file\E' line 1: no column 'machine', /, 'an empty file');
    file_of("machine,system,n1\n");
    is(trouble($file), "'$file' line 2: no row, expected at least one below the header\n", 'a header alone');
};

subtest 'a file that cannot be read is named with the cause' => sub {
    like(trouble("$dir/none"), qr/\Acannot open published results '\Q$dir\E\/none': \S.*\n\z/, 'none there');
    like(trouble("$dir"), qr/\Acannot (?:open|read) published results '\Q$dir\E': \S.*\n\z/,   'a directory');
};

subtest 'asking for no text column is a mistake of the code' => sub {
    ok(!eval { Touchstone::Suite::Published::load("$BASE/pgms/byte1984-multi.csv"); 1 }, 'it dies');
    like($@, qr/no column that names a row/, 'and says so');
};

subtest 'notes have a key each' => sub {
    my $notes = Touchstone::Suite::Published::notes('byte1984');
    is(join(', ', sort keys %$notes), 'multi, note', 'comments are none');
    is_deeply($notes->{multi}, [$FAILED], 'a text may have a colon');
    ok(!eval { Touchstone::Suite::Published::notes('nothing') }, 'no file');
    like($@, qr{\Acannot open '.*/pgms/nothing\.notes': }, 'is said');
};

subtest 'a table has columns for a key or a function, and words that terminals cut or break' => sub {
    my @columns = ([ system => 'name' ], [ s => 'seconds' ], [ twice => sub { 2 * ($_[0]{seconds} // 0) } ]);
    my @rows    = ({ name => 'A', seconds => 3 }, { name => 'B' });
    my @parts   = (
        Touchstone::Suite::Published::table('Seconds', \@columns, \@rows),
        [
            fold => 'more',
            [ text   => 'a long text' ],
            [ points => 'one two', Touchstone::Suite::Published::brief('long point', 1) ]
        ]
    );
    my @fitted = Touchstone::Suite::Published::fitted({ text => 8, points => 4 }, @parts);
    is(
        Touchstone::Report::Render::Text::render(@fitted),
        join("\n",
            'Seconds', '',
            '  system    s  twice',
            '  A         3      6',
            '  B       ---      0',
            '', 'a long', 'text', '', '  - one', '    two', '  - l...', ''),
        'in a text'
    );
    like(
        Touchstone::Report::Render::Html::fragment(@fitted),
        qr{<p>a long text</p>.*<li>long point</li>}s,
        'on a page'
    );
};

done_testing;
