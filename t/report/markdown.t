#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# The report for issues and forums begins with a summary of at most ten lines; tables, what was wrong, and the
# run itself in a fold follow. Text of a record never becomes markup.
use 5.014;
use strict;
use warnings;

use Test::More;

use lib 't/lib';
use NoWarnings;
use Example;
use Fake;
use Pasted;
use Scored;
use Touchstone::Record::Json;
use Touchstone::Record;
use Touchstone::Report::Render::Markdown;
use Touchstone::Report::Run::Brief;
use Touchstone::Score;

my $NOTHING = "\xe2\x81\xa0";

sub complete {
    my ($record) = @_;
    return Scored::document(Touchstone::Record::Json::decode(Touchstone::Record::Json::encode($record)));
}

sub golden {
    my ($name) = @_;
    return complete(Touchstone::Record->load("$Fake::BASE/t/golden/$name.json", 'nowhere'));
}
sub markdown { my ($record) = @_; return Scored::report('markdown', $record) }
sub tables   { my ($text)   = @_; return $text =~ /^((?:\|.*\n)+)/mg }
sub cells    { my ($line)   = @_; return scalar(() = $line =~ /(?<!\\)(?:\\\\)*\|/g) - 1 }

# These make a paragraph and a cell of a text.
sub paragraph { my ($text) = @_; return Touchstone::Report::Render::Markdown::render([ text => $text ]) }

sub marked {
    my ($text) = @_;
    return (split /\n/,
        Touchstone::Report::Render::Markdown::render([ table => { head => [$text], rows => [] } ]))[0] =~
        s/\A\| (.*) \|\z/$1/r;
}

# Returns the lines above the first table.
sub summary {
    my ($text) = @_;
    return grep { length } split /\n/, $text =~ s/^\*\*.*//msr;
}

subtest 'the index comes first, then the machine, then tables, what was wrong, and the run itself' => sub {
    my $text  = markdown(golden('sure'));
    my @order = map { index $text, $_ } "# vm: Partial System Benchmarks Index (2 of 12 tests) 1910 ",
        "\n\n- Partial System Benchmarks Index (2 of 12 tests), 1 copy: 1910 \xc2\xb10.62 % (1890 \xe2\x80\x93 1913)\n",
        "\n- Machine: 2 \xc3\x97 Intel", "\n- Touchstone 7.0.0, vm-",  "\n- warning: ",
        "\n- Below: 1 note: boost\n",    "\n| Test | Index | Score |", "\n- note: CPUs are boosted",
        "\n<details>\n<summary>Raw data of this run</summary>\n\n", "\n-----BEGIN TOUCHSTONE RUN ";
    is(join(' ', sort { $a <=> $b } @order), "@order", 'in this order');
    is((grep { $_ < 0 } @order),             0,        'and all are there');
};

subtest 'a run that is not valid says so first and beside each index' => sub {
    my $record = golden('sure');
    push @{ $record->{warnings} },
        { id => 'battery', text => 'the machine runs on its battery', remedy => 'plug it in', invalid => 1 };
    my ($title, $first, @rest) = summary(markdown(complete($record)));
    is($title, '# vm: not valid', 'in the title');
    is(
        $first,
        '- Not valid: the machine runs on its battery; plug it in',
        'in the first line, with the remedy'
    );
    is(
        scalar(grep { / Index .* not valid\z/ } @rest),
        scalar(grep { / Index / } @rest),
        'and beside each index'
    );
    like(markdown(complete($record)), qr/^\*\*not valid \S+ Sat Nov 21/m, 'and above each table');
    unlike(markdown(golden('sure')), qr/not valid/i, 'nothing of it in a valid one');
};

subtest 'the summary has at most ten lines, whatever was wrong' => sub {
    my $record = golden('fixed');
    @$record{qw(status schedule)} = ('stopped', { kind => 'default', copies => [ 1, 2, 4 ] });
    $record->{failures} = [ map { { test => "t$_", why => "exit status $_" } } 1 .. 9 ];
    push @{ $record->{warnings} }, map { { id => 'battery', text => "battery $_", invalid => 1 } } 1 .. 3;
    my @summary = summary(markdown(complete($record)));
    cmp_ok(scalar @summary, '<=', 10, 'ten');
    like($summary[-1], qr/\A- Below: \d more/, 'the last says how much is below');
};

subtest 'each warning and failure has its remedy' => sub {
    my $record = complete(Example::record());
    my $text   = markdown($record);
    for my $trouble (map { @{ $record->{$_} } } qw(warnings failures skipped)) {
        like($text, qr/^- .*\Q$trouble->{why}\E/m,       $trouble->{why})    if defined $trouble->{why};
        like($text, qr/^- .*; \Q$trouble->{remedy}\E$/m, $trouble->{remedy}) if defined $trouble->{remedy};
    }
};

subtest 'every row of a table has as many cells as its head' => sub {
    for my $name (qw(record sure fixed)) {
        for my $table (tables(markdown(golden($name)))) {
            my ($head, $rule, @rows) = split /\n/, $table;
            is_deeply([ grep { cells($_) != cells($head) } $rule, @rows ], [], "$name: $head");
            like($rule, qr/\A\|(?:---:?\|)+\z/, 'a rule below the head');
        }
    }
};

subtest 'nothing is HTML but the fold of the block, as not every forum shows it' => sub {
    for my $name (qw(record sure fixed)) {
        my $text = markdown(golden($name));
        is(join(' ', $text =~ /(?<!\\)(<[^>]*>)/g), '<details> <summary> </summary> </details>', $name);
    }
};

subtest 'the block at the end is in a fence, and is the run' => sub {
    my $text = markdown(golden('sure'));
    like(
        $text,
        qr/\n\n```\n-----BEGIN TOUCHSTONE RUN [^\n]*-----\n.*\n-----END TOUCHSTONE RUN [^\n]*-----\n```\n\n<\/details>\n\z/s,
        'fenced, with an empty line on both sides'
    );
    is(
        Touchstone::Record->of_text('page.md', $text)->{name},
        golden('sure')->{name},
        'read back from the report'
    );
    is(markdown(complete(Touchstone::Record->of_text('page.md', $text))),
        $text, 'which gives the same report');
};

subtest 'a block that no issue would take is a sentence' => sub {
    my $short = [ text => 'a run' ];
    my $made  = sub {
        my ($letters) = @_;
        my %block = (
            title       => 'T',
            description => 'S',
            lines       => [ ('x' x 75) x ($letters / 76) ],
            too_long    => 'not %d'
        );
        return Touchstone::Report::Render::Markdown::document(
            { parts => [ $short, [ attached => \%block ] ] });
    };
    is($made->(65_536), "a run\n\nnot 65536\n", 'instead of it');
    like($made->(65_000), qr/\Aa run\n\n<details>.*<\/details>\n\z/s, 'one that fits is there');
    my $facts = golden('sure');
    my ($part) = Touchstone::Report::Run::Brief::attached($facts, Touchstone::Score::score_run($facts));
    like(
        $part->[1]{too_long},
        qr/^Not here: the block would be longer than .*\. Attach the record of the run, results\/\.runs\/\S+\.json$/,
        'with the remedy'
    );
};

subtest 'without Compress::Zlib there is a sentence' => sub {
    local $INC{'Compress/Zlib.pm'} = undef;
    like(markdown(golden('sure')), qr/^Not here: this Perl has no Compress::Zlib, so/m, 'why');
};

# Sequences in the finished page that a forum would interpret, after backslashes have been removed.
my %SOUGHT = (
    'a mention' => [ qr/\@[\w\xc3]/a, '@somebody', 'at @@somebody', 'mail@example.com', "\@\xc3\xa9" ],
    'an issue'  => [ qr/#\w/a,        '#123',      'a/b#7', '#tag' ],
    'an issue by its letters' => [ qr/\bGH-\d/ai,    'GH-12', 'gh-1' ],
    'a merge request'         => [ qr/[!\$%&~^]\d/a, '!12',   '$12', '%3', '&4', '~5', '^6' ],
    'an address'              => [
        qr{//|\bwww\.|mailto:\w}a, 'http://e.xyz', 'https://e.xyz/x', 'www.e.xyz',
        '//e.xyz', 'mailto:a', 'ftp://e.xyz'
    ],
    'a domain' => [ qr/\w\.(?:com|de|sh|org)\b/ai, 'evil.com', 'a.b.de', 'EVIL.ORG/x?y', 'multi.sh' ],
    'BBCode'   => [ qr{\[[\w/]}a,        '[url=x]y[/url]', '[img]' ],
    'an emoji' => [ qr/:(?:smile|\+1):/, ':smile:',        ':+1:' ],
);
for my $what (sort keys %SOUGHT) {
    my ($found, @texts) = @{ $SOUGHT{$what} };
    subtest "no text becomes $what" => sub {
        for my $text (@texts) {
            like($text, $found, "'$text' is one");
            for my $made (marked($text), paragraph("see $text"), paragraph($text)) {
                unlike($made =~ s/\\//gr, $found, "'$text' no longer");
                is($made =~ s/\\//gr =~ s/$NOTHING//gr =~ s/\Asee |\n//gr, $text, 'and it looks the same');
            }
        }
    };
}

subtest 'no text becomes a mark' => sub {
    my @marks = (
        '<img src=x>', '<!-- x', '![i](x)', '[l](javascript:x)', '`code`', '```', '~~~', '**b** _i_ ~~s~~',
        '$x$',         '{{x}}',  '&lt;',    'a|b',               'a\\',    '\\',  '\\|', '# h'
    );
    for my $text (@marks) {
        my $made = marked($text);
        unlike($made =~ s/\\[^A-Za-z0-9 ]//gr,
            qr/[\\`*_{}\[\]<>|#&~\$]/, "'$text': each mark has its backslash");
        is($made =~ s/$NOTHING//gr =~ s/\\(.)/$1/gr, $text, 'and nothing is lost');
    }
};

subtest 'no text begins a list, a rule, a heading or code' => sub {
    for my $text (
        '- x', '+ x',   '* x', '1. x', '12) x', '---', '===', '# x',
        '> x', '    x', "\tx", '```',  '| x |', '* * *'
    ) {
        my ($line) = paragraph($text) =~ /\A(.*)\n\z/ or next;
        unlike($line, qr/\A(?: {4}|\t|[-+*=#>|`~]|\d+[.)])/a, "'$text' in a paragraph");
        unlike(
            Touchstone::Report::Render::Markdown::render([ points => $text ]),
            qr/\A- (?:[ \t]|[-+*=#>|`~]|\d+[.)])/a,
            'nor in a point'
        );
    }
};

subtest 'figures and flags stay as they are' => sub {
    is(marked($_), $_, $_)
        for '±4.0 %', '---', '12.2.0-14+deb12u1', '-O3 -ffast-math -march=native', '01:57:38',
        '3,990 to 4,010', 'no interval', '1 x Intel(R)',
        'a command --with=x';
};

subtest 'a text of many letters is cut, of broken ones and several lines is one sound line' => sub {
    cmp_ok(length marked('x' x 10_000), '<', 1100, 'short');
    like(marked("\xc3\xa9" x 10_000), qr/\A(?:\xc3\xa9){1000}\.\.\.\z/, 'between letters');
    is(marked("a\r\n# b\n\nc"), 'a \\# b c', 'one line');
};

# Returns the example with one text in place of everything that is free text.
sub hostile {
    my ($text) = @_;
    my $record = Example::record();
    $record->{host}{$_} = $text
        for qw(name os release version machine platform uptime runlevel virtualisation);
    $_->{model}                = $text for @{ $record->{host}{cpus} };
    $record->{build}{$_}       = $text for qw(compiler compiler_version flags_unixbench);
    $record->{tool}{version}   = $text;
    $_->{title}                = $text       for @{ $record->{categories} }, @{ $record->{tests} };
    $_->{unit}                 = $text       for @{ $record->{passes} };
    @$_{qw(why remedy output)} = ($text) x 3 for map { @{ $record->{$_} } } qw(failures skipped);
    @$_{qw(id text remedy)}    = ($text) x 3 for @{ $record->{warnings} };
    return complete($record);
}

my $HOSTILE =
    "| <b>x</b> \@you #12 http://evil.com ![i](http://e.com/i.png)\n# h\n```\n-----BEGIN TOUCHSTONE RUN x-----\n:smile: [url]x[/url]\r\e[31m";
subtest 'a record of hostile texts is a report like any other' => sub {
    my $text = Pasted::without_block(markdown(hostile($HOSTILE)));
    my $kind = Pasted::without_block(markdown(hostile('kind')));
    is($text =~ tr/\n//, $kind =~ tr/\n//, 'as many lines');
    is_deeply(
        [ map { cells($_) } grep { /\A\|/ } split /\n/, $text ],
        [ map { cells($_) } grep { /\A\|/ } split /\n/, $kind ],
        'as many cells in each row'
    );
    unlike($text =~ s/\\//gr, qr{$_}, "no $_") for '\@[a-z]', '#\d', '//', ':smile:', '\[(?:url|i\])', '\e';
    unlike(
        $text =~ s{^</?details>$|^<summary>Raw data of this run</summary>$}{}gmr,
        qr/(?<!\\)(?:\\\\)*<|^-----BEGIN/m,
        'no HTML and no other block'
    );
    cmp_ok(length markdown(hostile('x|' x 50_000)), '<=', 65_536, 'and not longer than an issue');
};

done_testing;
