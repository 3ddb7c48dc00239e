#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# What users read says one word for one thing: no retired term stands in the documents, in the manual, in a
# text of the program, or in what it writes; and each private term has one definition.
use 5.014;
use strict;
use warnings;

use File::Find qw(find);
use File::Glob qw(bsd_glob);
use Test::More;

use lib 't/lib';
use Fake;

# A pattern, what to say instead, and the files that it may stand in.
my @RETIRED = (
    [
        qr/\bGeorge\b/, 'the reference (SPARCstation 20-61)',
        qr{docs/files\.md|Suite/\w+/(?:Rows|Tables)\.pm}
    ],
    [ qr/\bgain(?:s|ed)?\b/i,               'speed-up, in times one copy' ],
    [ qr/(?<!\bof )\bcourses?\b/i,          'history' ],
    [ qr/\bcannot tell\b/i,                 'inconclusive (a verdict)' ],
    [ qr/\bcan(?:not)? be told\b/i,         'inconclusive, or what was found' ],
    [ qr/\bmachine can tell\b/i,            'detection limit' ],
    [ qr/\bn too small\b/i,                 'no interval: 3 passes, 6 needed' ],
    [ qr/\b(?:un)?sure(?:r|ly|ness)?\b/i,   'the interval, as ±1.5 %' ],
    [ qr/\bg(?:one|oes|o|oing) on with\b/i, 'resume' ],
    [ qr/\bbeside\b/i,                      'with, next to, compared with, apart from', qr{docs/files\.md} ],
    [ qr/\bWhat was wrong\b/i,                             'Notes, or Before you trust these numbers' ],
    [ qr/\bless? certain|\bleast certain\b/i,              'noisiest, or the interval' ],
    [ qr/\bnothing else happens\b/i,                       'on an idle machine' ],
    [ qr/\bquiet(?:er)? machine\b/i,                       'idle machine' ],
    [ qr/\bvoids?\b(?!\))/i,                               'not valid', qr{DESIGN\.md} ],
    [ qr/\bdetects\b/i,                                    'min. detectable, or detection limit' ],
    [ qr/\bnot judged\b/i,                                 'not tested' ],
    [ qr/\bno difference seen\b/i,                         'no difference' ],
    [ qr/\bWithout these\b|\bnone left\b/i,                'Undisturbed only, and a dash' ],
    [ qr/\bthreads a core\b/i,                             'threads per core' ],
    [ qr/\bin what (?:they|both) differ/i,                 'differences' ],
    [ qr/\bpays for\b/i,                                   'CPU quota: 1.5 of 2 CPUs' ],
    [ qr/\bthings? differs?\b/i,                           'four facts differ' ],
    [ qr/\bhow much (?:that )?gained\b/i,                  'speed-up' ],
    [ qr/\ballowed is\b/i,                                 '-c needs a whole number, not 0' ],
    [ qr/\bexclude each other\b/i,                         'choose one of' ],
    [ qr/\bUpwards:/i,                                     'axes with titles: Speed-up, Copies' ],
    [ qr/\bnot enough points\b/i,                          'it needs 4 copy counts, this run has 2' ],
    [ qr/\bLast copy started\b|\bLeast time in common\b/i, 'Start skew, max; Overlap, min' ],
    [ qr/\btold apart\b/i,                                 'significant' ],
    [ qr/\bcould not have been seen\b/i,                   'too small to detect' ],
    [ qr/\bstill goes on\b|\buntil it is done\b/i,  'if that work is still running; wait for it to finish' ],
    [ qr/\bit is no stream\b|\bno regular file\b/i, 'not a regular file, not zlib data' ],
    [ qr/\bwhat else changed\b/i,                   'also changed' ],
    [ qr/(?<![\w+])\+-(?= ?\d)/, '± (Base::Symbols)', qr{/(?:classic|terminal-50)\.txt|\.log\z} ],
);

# These files still have retired terms: whoever replaces the last one in a file takes it out of this list,
# which ends empty.
my %NOT_YET = ();

sub source { my ($file) = @_; return Fake::read_file("$Fake::BASE/$file") }

sub below {
    my ($folder, $pattern) = @_;
    my @found;
    find({ no_chdir => 1, wanted => sub { push @found, $_ if -f && /$pattern/ } }, "$Fake::BASE/$folder");
    return map { s{\A\Q$Fake::BASE\E/}{}r } sort @found;
}

# [line, text] of each literal that is a text of words: no key, no name, no pattern, no class of a page, no
# variable. Texts of several lines are here-documents.
sub literals {
    my ($perl) = @_;
    my ($number, $end, @found) = (0);
    for my $line (split /\n/, $perl) {
        $number++;
        if (defined $end) {
            push @found, [ $number, $line ];
            undef $end if $line eq $end;
            next;
        }
        last      if $line =~ /\A__(?:DATA|END)__\z/;
        next      if $line =~ /\A\s*#/;
        $end = $1 if $line =~ /<<["']?([A-Z]\w*)["']?/;
        while ($line =~ /(?<!\w)'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|\bqq?\{([^{}]*)\}/g) {
            my $text = ($1 // $2 // $3) =~ s/\bclass=\\?"[^"]*"|\$\w+//gr;
            push @found, [ $number, $text ] if $text =~ / / || $text =~ /\A[A-Z][a-z]+\z/;
        }
    }
    return @found;
}

# [line, text, the next line] of a document or of what the program wrote, whose marks of HTML are left out.
sub lines {
    my ($text) = @_;
    $text =~ s{<(style|script)\b.*?</\1>}{$& =~ s/[^\n]//gr}gse;
    my @lines = map { s/<[^<>]*>/ /gr } split /\n/, $text;
    return map { [ $_ + 1, $lines[$_], $lines[ $_ + 1 ] // '' ] } 0 .. $#lines;
}

# "file:line: 'word': say ..." for each retired term. A term may be broken over two lines.
sub retired {
    my ($file, @lines) = @_;
    my @found;
    for my $row (@RETIRED) {
        my ($pattern, $instead, $but) = @$row;
        next if $but && $file =~ $but;
        for my $line (@lines) {
            my ($number, $text, $next) = @$line;
            my $both = $text . ' ' . ($next // '') =~ s/\A[ #*>]+//r;
            push @found, "$file:$number: '$&': say $instead" if $both =~ $pattern && $-[0] < length $text;
        }
    }
    return @found;
}

my %read = (
    (
        map { $_ => [ lines(source($_)) ] } grep { $_ ne 'CONTRIBUTING.md' } 'README',
        'DESIGN.md', below(docs => qr/\.md\z/)
    ),
    (map { $_ => [ literals(source($_)) ] } below(lib => qr/\.pm\z/), 'Makefile'),
    (map { $_ => [ lines(source($_)) ] } below('t/golden' => qr/\.(?:txt|html|md|log)\z/)),
    Run => [ lines(source('Run') =~ s/\A.*?^__END__$/$& =~ s,[^\n],,gr/emsr) ],
);

subtest 'no retired term is read by users' => sub {
    for my $file (grep { !$NOT_YET{$_} } sort keys %read) {
        is(join("\n", retired($file, @{ $read{$file} })), '', $file);
    }
};

# A file that was cleaned or removed is no fault: it is to be taken out of the list.
for my $file (sort keys %NOT_YET) {
    diag("$file has no retired term any more: take it out of the list")
        if !$read{$file} || !retired($file, @{ $read{$file} });
}

subtest 'each private term has one definition, and a reason' => sub {
    my @rows = grep { $_->[0] !~ /\A(?:Word|-+)\z/ }
        map { [ split / \| / ] } source('docs/words.md') =~ /^\| (.+) \|$/mg;
    my %defined;
    $defined{$_}++ for map { split /, /, $_->[0] } @rows;
    is($defined{$_}, 1, $_)
        for qw(pass round window copy passport reference disturbed consistency slot suspect duet),
        'not valid';
    cmp_ok(scalar @rows, '<=', 20, 'they are few');
    is(scalar(grep { @$_ != 3 || !length $_->[2] } @rows), 0, 'each has a reason');
};

subtest 'retired terms are found in a text and in a literal, and no name is taken for one' => sub {
    my $code = join "\n", q(# George), q(my %x = (gain => 'gain', say => 'a gain of 2'); # gain), '';
    is(join(' ', retired('x', literals($code))), q(x:2: 'gain': say speed-up, in times one copy),
        'a literal');
    is(scalar(retired('x', lines("of course\n<b class=\"void\">the course</b>\n"))), 1, 'a text of a page');
    is(scalar(retired('x', lines("we cannot\n  tell you\n"))), 1, 'a term of two lines');
};

done_testing;
