#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# Every report of a fixed record must equal its golden file, and that of a hostile record must not contain
# anything forbidden. If a report is meant to change, run `make golden`, then review the difference.
use 5.014;
use strict;
use warnings;

use JSON::PP ();
use POSIX ();
use Test::More;

use lib 't/lib';
use Amount;
use Fake;
use Golden;
use Scored;
use Touchstone::Machine::Command;
use Touchstone::Record::Json;
use Touchstone::Record;

my $RECORD = "$Fake::BASE/t/golden/record.json";

# A record as JSON is looked at by itself.
my ($GOLDEN, $FIXED, $SURE) = map {
    my %files = %{ $Golden::FILES{$_} };
    delete $files{json};
    \%files
} qw(record fixed sure);

my @warnings;
local $SIG{__WARN__} = sub { push @warnings, @_ };

sub golden_record { return Touchstone::Record->load($RECORD, 'nowhere') }

sub render {
    my ($format, $record) = @_;
    return Scored::report($format, $record);
}

for my $format (sort keys %$GOLDEN) {
    subtest "the $format report is $GOLDEN->{$format}" => sub {
        is(
            Golden::kept(render($format, golden_record())),
            Fake::read_file("$Fake::BASE/t/golden/$GOLDEN->{$format}"),
            'byte for byte'
        );
    };
}

for my $kind ([ sure => 'with intervals', $SURE ], [ fixed => 'of fixed work', $FIXED ]) {
    my ($name, $what, $files) = @$kind;
    for my $format (sort keys %$files) {
        subtest "the $format report $what is $files->{$format}" => sub {
            my $record = Touchstone::Record->load("$Fake::BASE/t/golden/$name.json", 'nowhere');
            is(
                Golden::kept(render($format, $record)),
                Fake::read_file("$Fake::BASE/t/golden/$files->{$format}"),
                'byte for byte'
            );
        };
    }
}

subtest 'make golden finds its modules' => sub {
    my ($status, $said) =
        Touchstone::Machine::Command::output([ $^X, '-c', "$Fake::BASE/t/golden/record.pl" ], errors => 1);
    is($status, 0, 'its script compiles') or diag($said);
};

subtest 'the golden record is written as a record is written' => sub {
    my $text = Fake::read_file($RECORD);
    is(Touchstone::Record::Json::encode(Touchstone::Record::Json::decode($text)), $text, 'byte for byte');
};

subtest 'every date comes from the record and not from this machine' => sub {
    for my $zone ('UTC', 'America/St_Johns', 'XYZ-13') {
        local $ENV{TZ} = $zone;
        POSIX::tzset();
        like(render('text', golden_record()),
            qr/^Benchmark Run: Sat Nov 21 2026 01:57:38 - 01:58:04$/m, $zone);
    }
    delete $ENV{TZ};
    POSIX::tzset();
};

# --- pages

my $ENTITY = qr/&(?:amp|lt|gt|quot|#39|#x?[0-9a-f]+);/;
my %VOID   = map { $_ => 1 } qw(meta br hr img input col wbr);

# No page may have these: attributes that hold a style or a script, and elements that fetch or hide
# something.
my $FORBIDDEN_ATTRIBUTE =
    qr/ (?:style|on[a-z]+|src|srcset|srcdoc|action|formaction|background|poster|http-equiv="(?!Content-Security-Policy"))/;
my %FORBIDDEN = map { $_ => 1 }
    qw(iframe object embed link base form img image use foreignObject audio video source template noscript);

# A page may have links to what stands beside it, by relative addresses.
my $BESIDE = qr{(?:\.runs/)?[\w.-](?:[\w.-]|%[0-9A-F]{2})*};

# Returns the page without its one style and its one script, and these two. Returns nothing if a page has
# more or fewer, or has them elsewhere.
sub parted {
    my ($page) = @_;
    my ($head, $style, $body, $script, $end) =
        $page =~
        m{\A(.*?)<style>(.*?)</style>(\n</head>\n<body>\n.*?)<script>(.*?)</script>(\n</body>\n</html>\n)\z}s
        or return;
    return ("$head$body$end", $style, $script);
}

# Returns what is wrong with a page, or nothing: tags that do not nest, raw markup characters, attributes
# without quotes or given twice, names used twice, links to elsewhere, and anything that makes it run or
# fetch something besides its own script.
sub untidy {
    my ($page) = @_;
    my ($rest, $style, $script) = parted($page) or return 'not one style and one script in their places';
    return "the style holds '$1'" if $style =~ m{(</|<!--|\@import|url\s*\()}i;
    return "the script holds '$1'"
        if $script =~
        m{(</script|<!--|https?:|\beval\b|\bFunction\b|innerHTML|outerHTML|insertAdjacentHTML|document\.write|\bfetch\b|XMLHttpRequest|\bimport\b)};
    return policy_of($rest, $style, $script) // _untidy($rest);
}

# The policy must allow these two by their hashes, and nothing else.
sub policy_of {
    my ($rest, $style, $script) = @_;
    my ($policy) = $rest =~ /<meta http-equiv="Content-Security-Policy" content="([^"]*)">\n/
        or return 'no policy';
    return 'text before the policy'
        if $rest !~ /\A<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<meta http-equiv/;
    return if !eval { require Digest::SHA };
    my ($of_style, $of_script) = map { "'sha256-" . Digest::SHA::sha256_base64($_) . "='" } $style, $script;
    my $wanted =
        "default-src 'none'; style-src $of_style; script-src $of_script; base-uri 'none'; form-action 'none'";
    return $policy eq $wanted ? undef : "the policy is '$policy', not '$wanted'";
}

sub _untidy {
    my ($page) = @_;
    $page =~ s/\A<!DOCTYPE html>\n// or return 'no document type';
    my (@open, %id, %wanted);
    while ($page =~ /\G([^<]*)<([^>]*)>/gc) {
        my ($text, $tag) = ($1, $2);
        return "raw markup in '$text'" if $text =~ />|&(?!)/ || $text =~ s/$ENTITY//gr =~ /&/;
        my ($close, $name, $attributes, $closed) =
            $tag =~ m{\A(/?)([a-z][A-Za-z0-9]*)((?: [a-z][A-Za-z0-9-]*(?:="[^"]*")?)*)(/?)\z}
            or return "no tag: '$tag'";
        return "a raw & in '$tag'" if $attributes =~ s/$ENTITY//gr =~ /&/;
        my $wrong = _wrong_attributes($name, $attributes, \%id, \%wanted);
        return $wrong if defined $wrong;
        if    (!$close)                    { push @open, $name if !$VOID{$name} && !$closed }
        elsif (($open[-1] // '') eq $name) { pop @open }
        else                               { return "</$name> within '@open'" }
    }
    return "open at the end: '@open'" if @open;
    my ($nowhere) = grep { !$id{$_} } sort keys %wanted;
    return "a link to '#$nowhere', which is nowhere" if defined $nowhere;
    return $page =~ /\G\s*\z/ ? undef : 'something follows the end';
}

# `id` are the names of elements, `wanted` the names that links lead to.
sub _wrong_attributes {
    my ($element, $attributes, $id, $wanted) = @_;
    return "a forbidden element '$element'"
        if $FORBIDDEN{$element} || $element eq 'style' || $element eq 'script';
    return "a forbidden attribute in '$element$attributes'"
        if $attributes =~ s/="[^"]*"/=""/gr =~ $FORBIDDEN_ATTRIBUTE
        && $attributes !~ /\A http-equiv="Content-Security-Policy" /;
    my %seen;
    while ($attributes =~ / ([A-Za-z0-9-]+)(?:="([^"]*)")?/g) {
        my ($name, $value) = ($1, $2 // '');
        return "'$name' twice in '$element'" if $seen{$name}++;
        return "the name '$value' twice"     if $name eq 'id' && $id->{$value}++;
        return "a reference to '$value'"     if $name =~ /href\z/ && $value !~ m{\A(?:#.+|$BESIDE)\z};
        $wanted->{$1} = 1                    if $name =~ /href\z/ && $value =~ /\A#(.+)\z/;
    }
    return;
}

my $PAGE = render('html', golden_record());

subtest 'the page is well-formed and needs nothing from outside' => sub {
    is(untidy($PAGE), undef, 'tags nest, text is escaped, nothing foreign');
    for my $wanted (
        '>1911<',
        '>3791<',
        'Pipe Throughput',
        'Partial System Benchmarks Index',
        './Run --classic -i 1 -c 1 -c 2',
        '<b>Failed:</b> spawn',
        '<b>Skipped:</b> dc'
    ) {
        ok(index($PAGE, $wanted) >= 0, "it shows '$wanted'");
    }
};

subtest 'other pages are well-formed, too' => sub {
    my $record = golden_record();
    my $links  = { text => 'vm%231', json => '.runs/vm%231.json', index => 'index.html' };
    my @made   = (Scored::model($record), $record, Touchstone::Score::score_run($record));
    my $linked = Touchstone::Report::Files::render('html', @made, links => $links);
    is(untidy($linked), undef, 'one with links');
    for my $name (qw(sure fixed)) {
        my $page = render('html', Touchstone::Record->load("$Fake::BASE/t/golden/$name.json", 'nowhere'));
        is(untidy($page), undef, $name);
        cmp_ok(scalar(() = $page =~ /<title>/g),
            '>=', 1 + 15, 'with a line for this machine and for the fourteen that have figures')
            if $name eq 'fixed';
    }
};

# Each of these must be noticed by untidy().
my %DAMAGE = (
    'a style in an attribute'  => sub { $_[0] =~ s/<h1/<h1 style="color:red"/r },
    'a script in an attribute' => sub { $_[0] =~ s/<h1/<h1 onclick="x()"/r },
    'one in a picture'         => sub { $_[0] =~ s/<svg /<svg onload="x()" /r =~ s/<h1/<h1 onload="x()"/r },
    'a second script'              => sub { $_[0] =~ s{</main>}{<script>x()</script></main>}r },
    'a second style'               => sub { $_[0] =~ s{</main>}{<style>a { b: c }</style></main>}r },
    'another script than its sum'  => sub { $_[0] =~ s{<script>}{<script> }r },
    'another style than its sum'   => sub { $_[0] =~ s{<style>}{<style> }r },
    'no policy'                    => sub { $_[0] =~ s/<meta http-equiv[^>]*>\n//r },
    'a wider policy'               => sub { $_[0] =~ s/default-src 'none'/default-src */r },
    'an element that is not ended' => sub { $_[0] =~ s{</h1>}{}r },
    'a raw letter of markup'       => sub { $_[0] =~ s{</h1>}{ & </h1>}r },
    'a picture from elsewhere'     => sub { $_[0] =~ s{</h1>}{</h1><img src="http://example.org/x">}r },
    'a link to elsewhere'          => sub { $_[0] =~ s{</h1>}{</h1><a href="http://example.org/">x</a>}r },
    'a script as a link'           => sub { $_[0] =~ s{</h1>}{</h1><a href="javascript:x()">x</a>}r },
    'a link to nowhere'            => sub { $_[0] =~ s{</h1>}{</h1><a href="#nowhere">x</a>}r },
    'a name that is twice'         => sub { $_[0] =~ s{</h1>}{</h1><p id="same"></p><p id="same"></p>}r },
    'something behind the end'     => sub { "$_[0]<p>x</p>" },
);

subtest 'a page that is not is found out' => sub {
    ok(defined untidy($DAMAGE{$_}->($PAGE)), $_) for sort keys %DAMAGE;
};

# --- hostile records

my @HOSTILE = (
    "<b>\"x'&amp;</b><script>alert(1)</script>",
    "\e]0;gotcha\a\e[31mred\x00\x7f",
    "\xff\xfe\xc3(broken",
    "C1 \xc2\x9b31m",
    "C1 raw \x9b31m",
    "\xe2\x80\xae\xe2\x81\xa6\xe2\x80\x8f\xe2\x80\x8e\xd8\x9ctxet",
    "two\nlines\r\n   System Benchmarks Index Score   9999.9\n",
    '%s%n $(reboot) `reboot` =1+1',
    'x' x 100_000
);

# Returns the golden record with `text` in place of all its free text.
sub hostile_record {
    my ($text) = @_;
    my $record = golden_record();
    $record->{host}{$_}     = $text for qw(name os release version machine platform uptime runlevel kernel);
    $_->{flags}             = [ $text, $text ] for @{ $record->{host}{cpus} };
    @$_{qw(model bogomips)} = ($text, $text)   for @{ $record->{host}{cpus} };
    $record->{locale}{$_}   = $text            for qw(name charmap collate);
    $record->{build}{$_}    = $text            for keys %{ $record->{build} };
    $record->{build}{measured_compiler} = { command => $text, version => $text };
    $record->{tool}{$_}                 = $text for qw(name version);
    @$record{qw(name pin)}              = ($text, $text);
    $record->{schedule}{seed}           = $text;
    $_->{title}                         = $text       for @{ $record->{categories} };
    $_->{title}                         = $text       for @{ $record->{tests} };
    @$_{qw(unit command output)}        = ($text) x 3 for @{ $record->{passes} };
    @$_{qw(why remedy output)}          = ($text) x 3 for map { @{ $record->{$_} } } qw(failures skipped);
    @$_{qw(id text remedy)}             = ($text) x 3 for @{ $record->{warnings} };
    return $record;
}

sub shown { return substr($_[0], 0, 30) =~ s/([^ -~])/sprintf '\x%02x', ord $1/ger }

for my $hostile (@HOSTILE[ 0 .. Amount::of(2, $#HOSTILE) ]) {
    my $name = shown($hostile);
    subtest "text like $name does no harm in any report" => sub {
        for my $format (qw(text markdown html csv table log json)) {
            my $report = render($format, hostile_record($hostile));
            ok($report !~ /[\x00-\x08\x0b-\x1f\x7f]/, "$format: no control characters but the ends of lines")
                or diag(shown($&));
            my $characters = $report;
            ok(utf8::decode($characters),    "$format: sound UTF-8");
            ok($characters !~ /[\x80-\x9f]/, "$format: no control characters of the second kind");
        }
        my $page = render('html', hostile_record($hostile));
        is(untidy($page), undef, 'html: well-formed, with no script and no reference of its own');
        is(
            render('text', hostile_record($hostile)) =~ tr/\n//,
            render('text', golden_record())          =~ tr/\n//,
            'text: as many lines as ever'
        );
        is(
            render($_, hostile_record($hostile)) =~ tr/\n//,
            render($_, golden_record())          =~ tr/\n//,
            "$_: as many lines as ever"
        ) for qw(csv table);
        ok(eval { JSON::PP->new->utf8->decode(render('json', hostile_record($hostile))) },
            'json: any reader can read it')
            or diag($@);
    };
}

subtest 'text in other alphabets stays as it is' => sub {
    my $name = "b\xc3\xa4r-\xe6\x97\xa5\xe6\x9c\xac";
    ok(index(render($_, hostile_record($name)), $name) >= 0, $_) for qw(text html csv log json);
};

subtest 'nothing of this makes Perl complain' => sub { is_deeply(\@warnings, [], 'no warning') };

done_testing;
