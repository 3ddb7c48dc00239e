# SPDX-License-Identifier: GPL-2.0-or-later
# Json: the same data give the same bytes, written data can be read, and damage is reported with its line.
use 5.014;
use strict;
use warnings;

use Encode ();
use JSON::PP ();
use Test::More;

use lib 't/lib';
use NoWarnings;
use Touchstone::Record::Json;

# The written form is compared, because Perl does not distinguish text from number in comparisons.
sub dense { return Touchstone::Record::Json::encode_line($_[0]) }
sub again { return Touchstone::Record::Json::decode(Touchstone::Record::Json::encode($_[0])) }

sub trouble {
    my ($text) = @_;
    return eval { Touchstone::Record::Json::decode($text); 1 } ? 'it was read' : $@;
}

my %DATA = (
    format => 2,
    name   => 'host-01',
    empty  => {},
    none   => [],
    absent => undef,
    passes => [
        { counts => [ 1, 2 ], test => 'pipe', slices => [ '102479647:352368 204:9', undef ] },
        { counts => [3.25],   test => 'C' }
    ],
);

subtest 'pretty text keeps a row of numbers in one line and sorts the names' => sub {
    is(Touchstone::Record::Json::encode({ passes => [ { counts => [ 1, 2 ], test => 'pipe' } ], a => 1 }),
        <<'END', 'as in the header of the module');
{
  "a": 1,
  "passes": [
    {
      "counts": [1, 2],
      "test": "pipe"
    }
  ]
}
END
    is(Touchstone::Record::Json::encode([]), "[]\n", 'an empty list');
    is(Touchstone::Record::Json::encode({}), "{}\n", 'an empty object');
};

subtest 'the same data give the same bytes' => sub {
    my @keys      = map { "key$_" } 1 .. 200;
    my %forwards  = map { $_ => 1 } @keys;
    my %backwards = map { $_ => 1 } reverse @keys;
    is(
        Touchstone::Record::Json::encode(\%forwards),
        Touchstone::Record::Json::encode(\%backwards),
        'whatever order they came in'
    );
    is(
        Touchstone::Record::Json::encode(again(\%DATA)),
        Touchstone::Record::Json::encode(\%DATA),
        'also after they were read'
    );
    is_deeply(again(\%DATA), \%DATA, 'and they are the same data');
};

subtest 'a journal line is one line' => sub {
    my $line = dense({ %DATA, text => "two\nlines\r\n" });
    unlike($line, qr/[\n\r]/, 'without a line break');
    is_deeply(
        Touchstone::Record::Json::decode($line),
        { %DATA, text => "two\nlines\r\n" },
        'with everything in it'
    );
};

subtest 'numbers stay numbers and texts stay texts' => sub {
    is(dense([ 0, -1, 1.5, 12345678901234567, 1e20, 1e-7, 0.1 ]),
        '[0, -1, 1.5, 12345678901234567, 1e+20, 1e-07, 0.1]', 'numbers');
    is(
        dense([ '0', '1.5', '007', '', 'null', 'true' ]),
        '["0", "1.5", "007", "", "null", "true"]',
        'texts that look like something else'
    );
    my ($text, $number) = ('x86', 42);
    my $used = "$number copies";
    is(dense([ $text, $number ]), '["x86", 42]', 'a number that was printed');
    is(dense([ '007' + 0 ]),      '[7]',         'a text that was made a number');
    is(dense([undef]),            '[null]',      'nothing');
    like(dense([ 9**9**9, -9**9**9 ]), qr/\A\["-?Inf\w*", "-Inf\w*"\]\z/i, 'JSON has no infinity');
};

subtest 'every byte comes back, and the text is JSON for others too' => sub {
    my $controls = join '', map { chr } 0 .. 0x7f;
    is(Touchstone::Record::Json::decode(dense([$controls]))->[0], $controls, 'control characters and ASCII');
    for my $text (
        $controls,
        "Gr\xc3\xb6\xc3\x9fe \xe2\x82\xac \xf0\x9f\x8e\xb5",
        '\\" </script>',
        "\xe2\x80\xa8"
    ) {
        my $json = dense([$text]);
        unlike($json, qr/[\x00-\x1f\x7f]/, 'no raw control character');
        is(Touchstone::Record::Json::decode($json)->[0], $text, 'it comes back');
        my $other = eval { JSON::PP->new->utf8->decode($json)->[0] };
        is($other, Encode::decode('UTF-8', $text), 'another reader sees the same');
    }
};

subtest 'bytes that are no UTF-8 still give text that is' => sub {
    my %broken = (
        'a lone byte'               => "caf\xe9",
        'a cut letter'              => "Gr\xc3",
        'a long form'               => "\xc0\xaf",
        'half a pair'               => "\xed\xa0\x80",
        'beyond the last character' => "\xf4\x90\x80\x80",
        'bytes of all kinds'        => join('', map { chr } 0x80 .. 0xff),
    );
    for my $what (sort keys %broken) {
        my $json = dense([ $broken{$what} ]);
        ok(eval { Encode::decode('UTF-8', my $copy = $json, Encode::FB_CROAK); 1 },
            "$what is written as UTF-8")
            || diag($@);
        ok(eval { Touchstone::Record::Json::decode($json); 1 }, "$what is read") || diag($@);
    }
};

subtest 'what others write is read' => sub {
    my $text =
        qq( \t{"a" :[1 ,-2.5E+1,\r\n 0e0],"b": {"c":null , "d":true,"e":false},"":"\\u00e9\\uD83C\\uDFB5\\/\\b\\f\\n\\r\\t\\"\\\\"}\n );
    is_deeply(
        Touchstone::Record::Json::decode($text),
        {
            a  => [ 1, -25, 0 ],
            b  => { c => undef, d => 1, e => 0 },
            '' => "\xc3\xa9\xf0\x9f\x8e\xb5/\b\f\n\r\t\"\\"
        },
        'white space, exponents, escapes'
    );
    is(Touchstone::Record::Json::decode('"\ud83cx"'),
        "\xef\xbf\xbdx", 'half a pair becomes the replacement character');
    is(Touchstone::Record::Json::decode('"\udfb5"'), "\xef\xbf\xbd", 'so does the other half');
    is_deeply(Touchstone::Record::Json::decode(JSON::PP->new->pretty->canonical->encode(\%DATA)),
        \%DATA, 'JSON::PP');
    is_deeply(JSON::PP->new->decode(Touchstone::Record::Json::encode(\%DATA)), \%DATA, 'and the other way');
};

subtest 'a damaged text is named by line' => sub {
    my %wrong = (
        ''                       => 'line 1: a value is missing',
        "\n\n  "                 => 'line 3: a value is missing',
        "{\n\"a\": 1,\n\"b\" 2}" => "line 3: ':' is missing",
        "{\"a\": 1\n\n"          => qr/\Aline [13]: ',' or '\}' is missing/,
        "[1,\n2\n3]"             => qr/\Aline [23]: ',' or '\]' is missing/,
        "{\n'a': 1}"             => qr/\Aline [12]: a name in quotes is missing/,
        "[1,\n]"                 => qr/\Aline [12]: a value is missing/,
        "{\"a\":1,\n}"           => qr/\Aline [12]: a name in quotes is missing/,
        "\n[1] x"                => 'line 2: something follows the end',
        "\"a\nb\""               => qr/\Aline 1: a text/,
        "[\n\"a\\x\"]"           => qr/\Aline 2: a text/,
        "[\n\"a"                 => qr/\Aline 2: a text/,
        "[\n\"\\u12\"]"          => qr/\Aline 2: a text/,
        '"tab	"'                 => qr/\Aline 1: a text/,
    );
    for my $text (sort keys %wrong) {
        my $is = $wrong{$text};
        like(trouble($text), ref $is ? $is : qr/\A\Q$is\E\n\z/, dense($text));
    }
    my @refused = (
        qw(nul truex nullnull 01 1. .5 +1 - 0x10 NaN Infinity 1e 1_000 {"a"} [} {] ]),
        '1e400', '-1e309', '9' x 400, '[1,,2]', '{,}', "\x00", "\xef\xbb\xbf{}"
    );
    for my $text (@refused) {
        like(trouble($text), qr/\Aline 1: /, dense($text) . ' is refused');
    }
};

subtest 'nesting has an end' => sub {
    like(trouble('[' x 1_000_000),     qr/\Aline 1: nested too deeply/, 'lists');
    like(trouble('{"a":' x 1_000_000), qr/\Aline 1: nested too deeply/, 'objects');
    is(trouble('[' x 40 . ']' x 40), 'it was read', 'forty levels are fine');
};

subtest 'a text cut anywhere is refused' => sub {
    my $text = Touchstone::Record::Json::encode(\%DATA);
    chomp $text;
    my @read = grep { trouble(substr $text, 0, $_) eq 'it was read' } 0 .. length($text) - 1;
    is_deeply(\@read, [], 'at every length');
};

subtest 'large texts are read whole' => sub {
    my $slices = join ' ', map { ($_ * 100_000_000) . ":$_" } 1 .. 100_000;
    is(Touchstone::Record::Json::decode(dense([$slices]))->[0], $slices, 'a text of a megabyte');
    my @numbers = 1 .. 100_000;
    is(scalar @{ Touchstone::Record::Json::decode(Touchstone::Record::Json::encode(\@numbers)) },
        100_000, 'a list of a hundred thousand');
};

done_testing;
