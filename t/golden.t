#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# Every report of a fixed record against its golden file, and of a hostile one against what may never stand in it. When a report is
# meant to change: `make golden`, then review the difference.
use 5.014;
use strict;
use warnings;

use JSON::PP ();
use POSIX ();
use Test::More;

use lib 't/lib';
use Fake;
use Touchstone::Json;
use Touchstone::Output;
use Touchstone::Record;
use Touchstone::Score;

my $RECORD = "$Fake::BASE/t/golden/record.json";
my %GOLDEN = (text => 'classic.txt', html => 'report.html', csv => 'report.csv', table => 'table.csv', log => 'report.log');
my %FIXED  = (text => 'fixed.txt', markdown => 'fixed.md', html => 'fixed.html', csv => 'fixed.csv', log => 'fixed.log');
my %SURE   = (markdown => 'sure.md', html => 'sure.html', csv => 'sure.csv', log => 'sure.log');

my @warnings;
local $SIG{__WARN__} = sub { push @warnings, @_ };

sub golden_record { return Touchstone::Record->load($RECORD, 'nowhere') }

sub render {
    my ($format, $record) = @_;
    return Touchstone::Output::render($format, Touchstone::Score::complete($record));
}

for my $format (sort keys %GOLDEN) {
    subtest "the $format report is $GOLDEN{$format}" => sub {
        is(render($format, golden_record()), Fake::read_file("$Fake::BASE/t/golden/$GOLDEN{$format}"), 'byte for byte');
    };
}

for my $kind ([ sure => 'with intervals', \%SURE ], [ fixed => 'of fixed work', \%FIXED ]) {
    my ($name, $what, $files) = @$kind;
    for my $format (sort keys %$files) {
        subtest "the $format report $what is $files->{$format}" => sub {
            my $record = Touchstone::Record->load("$Fake::BASE/t/golden/$name.json", 'nowhere');
            is(render($format, $record), Fake::read_file("$Fake::BASE/t/golden/$files->{$format}"), 'byte for byte');
        };
    }
}

subtest 'the golden record is written as a record is written' => sub {
    my $text = Fake::read_file($RECORD);
    is(Touchstone::Json::encode(Touchstone::Json::decode($text)), $text, 'byte for byte');
};

subtest 'every date comes from the record and not from this machine' => sub {
    for my $zone ('UTC', 'America/St_Johns', 'XYZ-13') {
        local $ENV{TZ} = $zone;
        POSIX::tzset();
        like(render('text', golden_record()), qr/^Benchmark Run: Sat Nov 21 2026 01:57:38 - 01:58:04$/m, $zone);
    }
    delete $ENV{TZ};
    POSIX::tzset();
};

# Pages.

my $ENTITY = qr/&(?:amp|lt|gt|quot|#39|#x?[0-9a-f]+);/;
my %VOID   = map { $_ => 1 } qw(meta br hr img input col wbr);

# What is wrong with a page, or nothing: tags that do not nest, raw markup characters, attributes without quotes.
sub untidy {
    my ($page) = @_;
    $page =~ s/\A<!DOCTYPE html>\n// or return 'no document type';
    $page =~ s{<style>[^<]*</style>}{<style></style>}g;
    my @open;
    while ($page =~ /\G([^<]*)<([^>]*)>/gc) {
        my ($text, $tag) = ($1, $2);
        return "raw markup in '$text'" if $text =~ />|&(?!)/ || $text =~ s/$ENTITY//gr =~ /&/;
        my ($close, $name, $attributes, $closed) = $tag =~ m{\A(/?)([a-z][a-z0-9]*)((?: [a-z][A-Za-z-]*(?:="[^"]*")?)*)(/?)\z} or return "no tag: '$tag'";
        return "a raw & in '$tag'" if $attributes =~ s/$ENTITY//gr =~ /&/;
        if (!$close) { push @open, $name if !$VOID{$name} && !$closed }
        elsif (($open[-1] // '') eq $name) { pop @open }
        else { return "</$name> within '@open'" }
    }
    return "open at the end: '@open'" if @open;
    return $page =~ /\G\s*\z/ ? () : 'something follows the end';
}

# What makes a page run or fetch something.
my $FOREIGN = qr{<(?:script|iframe|object|embed|link|base|form|img)\b|\son\w+\s*=|javascript:|(?:src|href|action)\s*=|\@import|url\s*\(|https?://}i;

subtest 'the page is well-formed and needs nothing from outside' => sub {
    my $page = render('html', golden_record());
    is(untidy($page), undef, 'tags nest, text is escaped');
    unlike($page, $FOREIGN, 'no script and no reference');
    for my $wanted ('1910.7', '3791.1', 'Pipe Throughput', 'System Benchmarks Partial Index', '94 %', 'spawn failed', 'dc skipped') {
        ok(index($page, $wanted) >= 0, "it shows '$wanted'");
    }
};

subtest 'a page with a figure is well-formed, too' => sub {
    my $page = render('html', Touchstone::Record->load("$Fake::BASE/t/golden/fixed.json", 'nowhere'));
    is(untidy($page), undef, 'tags nest, text is escaped');
    unlike($page, $FOREIGN, 'no script and no reference');
    is(scalar(() = $page =~ /<svg /g), 1, 'it has one figure');
    is(scalar(() = $page =~ /<title>/g), 1 + 15, 'with a line for this machine and for the fourteen that have figures');
};

# Hostile records.

my @HOSTILE = ("<b>\"x'&amp;</b><script>alert(1)</script>", "\e]0;gotcha\a\e[31mred\x00\x7f", "\xff\xfe\xc3(broken", "C1 \xc2\x9b31m", "C1 raw \x9b31m",
    "two\nlines\r\n   System Benchmarks Index Score   9999.9\n", '%s%n $(reboot) `reboot` =1+1', 'x' x 100_000);

# The golden record with `text` in the place of everything that is free text in a record.
sub hostile_record {
    my ($text) = @_;
    my $record = golden_record();
    $record->{host}{$_} = $text for qw(name os release version machine platform uptime runlevel kernel);
    $_->{flags} = [ $text, $text ] for @{ $record->{host}{cpus} };
    @$_{qw(model bogomips)} = ($text, $text) for @{ $record->{host}{cpus} };
    $record->{locale}{$_} = $text for qw(name charmap collate);
    $record->{build}{$_} = $text for keys %{ $record->{build} };
    $record->{build}{measured_compiler} = { command => $text, version => $text };
    $record->{tool}{$_} = $text for qw(name version);
    @$record{qw(name pin)} = ($text, $text);
    $record->{schedule}{seed} = $text;
    $_->{title} = $text for @{ $record->{categories} };
    $_->{title} = $text for @{ $record->{tests} };
    @$_{qw(unit command output)} = ($text) x 3 for @{ $record->{passes} };
    @$_{qw(why remedy output)}   = ($text) x 3 for map { @{ $record->{$_} } } qw(failures skipped);
    @$_{qw(id text remedy)}      = ($text) x 3 for @{ $record->{warnings} };
    return $record;
}

sub shown { return substr($_[0], 0, 30) =~ s/([^ -~])/sprintf '\x%02x', ord $1/ger }

for my $hostile (@HOSTILE) {
    my $name = shown($hostile);
    subtest "text like $name does no harm in any report" => sub {
        for my $format (qw(text markdown html csv table log json)) {
            my $report = render($format, hostile_record($hostile));
            ok($report !~ /[\x00-\x08\x0b-\x1f\x7f]/, "$format: no control characters but the ends of lines") or diag(shown($&));
            my $characters = $report;
            ok(utf8::decode($characters), "$format: sound UTF-8");
            ok($characters !~ /[\x80-\x9f]/, "$format: no control characters of the second kind");
        }
        my $page = render('html', hostile_record($hostile));
        is(untidy($page), undef, 'html: well-formed');
        unlike($page =~ s/>[^<]*/>/gr, $FOREIGN, 'html: no script and no reference');
        is(render('text', hostile_record($hostile)) =~ tr/\n//, render('text', golden_record()) =~ tr/\n//, 'text: as many lines as ever');
        is(render($_, hostile_record($hostile)) =~ tr/\n//, render($_, golden_record()) =~ tr/\n//, "$_: as many lines as ever") for qw(csv table);
        ok(eval { JSON::PP->new->utf8->decode(render('json', hostile_record($hostile))) }, 'json: any reader can read it') or diag($@);
    };
}

subtest 'text in other alphabets stays as it is' => sub {
    my $name = "b\xc3\xa4r-\xe6\x97\xa5\xe6\x9c\xac";
    ok(index(render($_, hostile_record($name)), $name) >= 0, $_) for qw(text html csv log json);
};

subtest 'nothing of this makes Perl complain' => sub { is_deeply(\@warnings, [], 'no warning') };

done_testing;
