# SPDX-License-Identifier: GPL-2.0-or-later
# Mutation - damaged and forged texts for everything that reads files. Data that are read are shown in every
# form there is, and faults in how a text was handled are described. The mutations are the same with every
# version of Perl.
package Mutation;
use 5.014;
use strict;
use warnings;

# Perl's warnings since they were last taken, including those of the modules below.
my @warned;

BEGIN {
    $SIG{__WARN__} = sub { push @warned, @_ }
}
use File::Basename qw(dirname);
use File::Glob qw(bsd_glob);
use List::Util qw(first);

use lib dirname(__FILE__);
use Example;
use Scored;
use Touchstone::Cli::Compare;
use Touchstone::Report::Forms;
use Touchstone::Report::Readings;
use Touchstone::Compare::Baseline;
use Touchstone::Compare::Run;
use Touchstone::Compare;
use Touchstone::Record::ClassicReader;
use Touchstone::Record::Json;
use Touchstone::Record;
use Touchstone::Score;
use Touchstone::Suite;

my $ROOT = dirname(__FILE__) . '/../..';

# Text of an attacker. JSON has it with escapes, other texts raw and on one line.
my $RAW  = "\e[2J<script>alert(1)</script>'\"&|`\xc2\x9b\x07";
my $JSON = Touchstone::Record::Json::encode_line("$RAW\n=1\r\x{0}\xff") =~ s/\A"|"\z//gr;

my @DIGITS = ('0', '-', 'e9', '9' x 20, '1e400', '.5', '7', '1.5', '-3', '9' x 400, '1e-300', '0.0');
my @JSON   = (
    @DIGITS, '"',  '\\', '{',    '}',      '[',    ']', ',',   ':',  'null',
    '"":',   "\n", "\0", "\xff", '\ud800', '[[[[', ' ', '"x"', '[]', '{}'
);
my @CLASSIC = (
    @DIGITS,                               "\n",
    "\r\n",                                "\n\n",
    ' ',                                   ' ' x 500,
    "\t",                                  "\0",
    "\xff",                                "\xef\xbb\xbf",
    '(',                                   ')',
    ' s, ',                                '---',
    '-' x 72,                              "\n" . '=' x 72 . "\n",
    'samples)',                            ' Index Score ',
    'Index Values',                        "\nBenchmark Run: ",
    "\n   BYTE UNIX Benchmarks (Version ", "\x{85}",
    'x' x 300
);
my @BASES = (@DIGITS, '|', '||', "\n", '#', ' ', "\0", "\xff", "\r\n", 'pipe');

# Returns everything that reads files written by others. `file` is the name of the text to be read, `samples`
# are valid texts. `read` returns data or dies, `shown` returns everything made of the data as [form, text],
# `says` is how a refusal begins. `tokens` and `hostile` are inserted into texts, the latter at a place that
# matches `words`.
sub readers {
    my ($dir) = @_;
    my $record = {
        read    => sub { Touchstone::Record->load($_[0], "$dir") },
        shown   => \&_reports,
        says    => qr/'\Q$dir\E\/[^']+' is not a run record: /,
        tokens  => \@JSON,
        hostile => $JSON,
        words   => qr/(?<=: ")[^"\\]*(?=")/
    };
    my %titles  = map { $_->{title} => $_ } Touchstone::Suite::load()->tests;
    my $classic = {
        name    => 'classic',
        file    => 'report',
        samples => [ map { text_of($_) } bsd_glob("$ROOT/t/classic/*.txt") ],
        read    => sub { Touchstone::Record::ClassicReader::parse(text_of($_[0]), \%titles) },
        shown   => \&_classic,
        says    => qr/line \d+: /,
        tokens  => \@CLASSIC,
        hostile => $RAW,
        words   => qr/[A-Za-z]+/
    };
    return (
        {
            name => 'record',
            file => 'damaged.json',
            %$record,
            samples => [
                Touchstone::Record::Json::encode(Example::record()), text_of("$ROOT/t/golden/record.json")
            ]
        },
        { name => 'journal', file => 'damaged.jsonl', samples => [ Example::journal() ], %$record },
        {
            name    => 'baselines',
            file    => 'index.base',
            samples => [ text_of("$ROOT/pgms/index.base") ],
            read    => \&Touchstone::Compare::Baseline::load,
            shown   => \&_data,
            says    => qr/'\Q$dir\E\/[^']+' line \d+: /,
            tokens  => \@BASES,
            hostile => $RAW,
            words   => qr/\w+/
        },
        $classic,
        {
            %$classic,
            name  => 'old-run',
            read  => sub { Touchstone::Compare::Run::load($_[0], "$dir", \%titles) },
            shown => \&_compared,
            says  => qr/'\Q$dir\E\/report' is not a [^\n]*: line \d+: /
        },
        {
            %$record,
            name    => 'comparison',
            file    => 'compared.json',
            samples => [ map { text_of("$ROOT/t/golden/$_.json") } qw(record sure) ],
            read    => sub { Touchstone::Compare::Run::load($_[0], "$dir", \%titles) },
            shown   => \&_compared
        },
    );
}

# What mutations of a report are made of.
sub of_reports { return { tokens => \@CLASSIC, hostile => $RAW, words => qr/[A-Za-z]+/ } }

sub text_of {
    my ($file) = @_;
    open my $in, '<', $file or die "cannot open '$file': $!\n";
    local $/;
    return scalar(<$in>) // '';
}

sub written {
    my ($file, $text) = @_;
    open my $out, '>', $file or die "cannot write '$file': $!\n";
    print {$out} $text;
    close $out or die "cannot write '$file': $!\n";
    return $file;
}

# Returns what is wrong with how this text was handled, or nothing. `refused` is set to the refusal, or
# empty.
sub fault_of {
    my ($reader, $file, $text) = @_;
    @warned = ();
    my $data    = eval { $reader->{read}->(written($file, $text)) };
    my $refused = $data ? '' : $@;
    my $fault =
        $data
        ? eval { _shown_fault($reader, $data) } // "nothing can be made of it: $@"
        : _refusal_fault($reader, $refused);
    return { fault => $fault || (@warned ? "warning: $warned[0]" : ''), refused => $refused };
}

# A refusal must consist of clear sentences with one newline at the end, and not be a crash.
sub _refusal_fault {
    my ($reader, $refused) = @_;
    return '' if $refused =~ /\A$reader->{says}\S(?:.*\S)?\n\z/s && $refused !~ / at \S+ line \d+\.$/m;
    return "refused with '$refused'";
}

# This pattern is slow, so text is searched for the bare word first, which is ten times as fast.
my $NO_NUMBER = qr/(?:[\d (\[,]|: ")-?(?:nan|inf(?:inity)?)\b/i;

sub _shown_fault {
    my ($reader, $data) = @_;
    for my $shown ($reader->{shown}->($data)) {
        my ($form, $text) = @$shown;
        $text =~ s{<(style|script)>.*?</\1>}{}gs if $form eq 'html';
        my $raw = $form eq 'html' ? _raw_markup($text) : undef;
        return "$form: no number " . _around($text, $-[0])
            if $text =~ /\b(?:nan|inf(?:inity)?)\b/i && $text =~ $NO_NUMBER;
        return "$form: control characters " . _around($text, $-[0])
            if $text =~ /[\x00-\x09\x0b-\x1f\x7f]/ || $text =~ /\xc2[\x80-\x9f]/;
        return "$form: raw markup $raw" if defined $raw;
    }
    return '';
}

# After the page's own tags have been removed, no markup may be left. Its one style and one script are
# removed before.
my $OUR_TAG =
    qr{<(?!/?(?:script|style|img|iframe|object|embed|form|link|base)\b)(?:!DOCTYPE\ html|/?\w+(?:\ (?!on|style|src|href="[^#])[a-zA-Z][\w-]*(?:="[^"<>]*")?)*/?)>};

sub _raw_markup {
    my ($page) = @_;
    $page =~ s/$OUR_TAG//g;
    return $page =~ /[<>"']/ ? _around($page, $-[0]) : undef;
}

sub _around {
    my ($text, $at) = @_;
    return "'" . substr($text, $at < 20 ? 0 : $at - 20, 60) . "'";
}

# Formats that the undamaged example has too: other tests check that all are made.
my $good    = Scored::document(Example::record());
my @formats = grep {
    my $format = $_;
    eval { Scored::report($format, $good) }
} Touchstone::Report::Forms::names('run');

sub _reports {
    my ($record) = @_;
    my $made = Scored::reports($record, @formats);
    return map { [ $_ => $made->{$_} ] } @formats;
}

# Compares the run with an undamaged one, and the undamaged one with it.
sub _compared {
    my ($run) = @_;
    my $sure  = Touchstone::Compare::Run::load("$ROOT/t/golden/sure.json", 'nowhere', {});
    my @both  = map { Touchstone::Compare::compare(runs => $_) } [ $sure, $run ], [ $run, $sure ];
    return map {
        my $format = $_;
        map { [ $format => Touchstone::Cli::Compare::render($format, $_) ] } @both
    } Touchstone::Report::Forms::names('comparison');
}

sub _data {
    my ($data) = @_;
    return [ json => Touchstone::Record::Json::encode($data) ];
}

# The figures of a report must be above 0, except times, which may be rounded to it; notes must be fit for a
# terminal.
sub _classic {
    my ($data) = @_;
    my @tests  = map { @{ $_->{tests} } } @{ $data->{blocks} };
    my @scores = map {
        $_->{score},
            grep { defined }
            @$_{qw(samples baseline index)}
    } @tests;
    push @scores, map {
        ($_->{copies}, map { $_->{score} } @{ $_->{indexes} })
    } @{ $data->{blocks} };
    my $odd = first { !($_ > 0 && $_ < 1e30) } @scores;
    die "a figure is $odd\n"    if defined $odd;
    die "there is no result\n"  if !@tests;
    die "a title is too long\n" if grep { length $_->{title} > 200 } @tests;
    my @readings = ({ name => "a\e[2J<b>", data => $data }, { name => 'b', why => 'line 1: it is empty' });
    return
        map { [ $_ => Touchstone::Report::Readings::render($_, \@readings) ] }
        Touchstone::Report::Forms::names('readings');
}

my $state = 4711;

sub seed { my ($seed) = @_; $state = 1 + abs($seed) % 2147483646; return }

sub random { my ($below) = @_; $state = ($state * 48271) % 2147483647; return $state % ($below || 1) }

# Returns one of the reader's samples with one or two things changed, or with several hostile texts and no
# other change.
sub mutated {
    my ($reader) = @_;
    my @samples  = @{ $reader->{samples} };
    my $text     = $samples[ random(scalar @samples) ];
    my ($change, $most) = random(4) ? (\&_changed, 2) : (\&_hostile, 8);
    for (0 .. random($most)) { $text = $change->($reader, $text) }
    return $text;
}

sub _changed {
    my ($reader, $text) = @_;
    my @tokens = @{ $reader->{tokens} };
    my ($at, $length, $kind) = (random(length $text), 1 + random(1 + random(60)), random(10));
    if    ($kind == 0) { substr $text, $at, 1, chr random(256) }
    elsif ($kind == 1) { substr $text, $at, random(20) ? $length : length($text), '' }
    elsif ($kind == 2) { substr $text, $at, 0, $tokens[ random(scalar @tokens) ] }
    elsif ($kind == 3) { substr $text, $at, 0, substr $text, random(length $text), $length }
    elsif ($kind == 4) { return _moved(split /^/, $text) }
    elsif ($kind <= 6) { return _hostile($reader, $text) }
    else {
        my $where = _any($text, qr/\b\d+\b/);
        substr $text, $where->[0], $where->[1], $tokens[ random(scalar @tokens) ] if $where;
    }
    return $text;
}

sub _hostile {
    my ($reader, $text) = @_;
    my $where = _any($text, $reader->{words}) or return $text;
    substr $text, $where->[0], random(2) * $where->[1], $reader->{hostile};
    return $text;
}

# Swaps two lines, or doubles or removes one.
sub _moved {
    my @lines = @_ or return '';
    my ($one, $two, $kind) = (random(scalar @lines), random(scalar @lines), random(3));
    if    ($kind == 0) { @lines[ $one, $two ] = @lines[ $two, $one ] }
    elsif ($kind == 1) { splice @lines, $one, 0, $lines[$two] }
    else               { splice @lines, $one, 1 }
    return join '', @lines;
}

# Returns [place, length] of a random match.
sub _any {
    my ($text, $form) = @_;
    my @places;
    push @places, [ $-[0], $+[0] - $-[0] ] while $text =~ /$form/g;
    return $places[ random(scalar @places) ];
}

1;
