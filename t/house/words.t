#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# One language: documents, messages, pages, comments and names use the standard term, in plain sentences. No
# retired term is left in a text for users; each private term has one definition; and the number of places
# that break a rule may only fall. `t/house/words.t messages` lists the places of one kind, `t/house/words.t
# lib/Touchstone/Run` those of files whose names begin so.
use 5.014;
use strict;
use warnings;

use File::Find qw(find);
use File::Glob qw(bsd_glob);
use List::Util qw(first);
use Test::More;

use lib qw(lib t/lib);
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

# Rules of style: a pattern, and a suggestion.
my $NOUNS = join '|', qw(host run pass test copy line CPU core thread page machine row file round slot process
    client operation call kind column second minute hour day week month year byte);
my $COUNT = join '|', qw(\d one two three four five six eight ten twelve once twice times line pass page run
    times lines bytes runs passes copies seconds minutes files hosts loops calls);
my $THING = join '|',
    qw(reports? pages? options? records? files? logs? programs? kernels? tables? lines? messages?
    documents? manual systems? machines? hosts? runs? tests? suites? plans? rows? sentences? notes? commands?
    scores? figures? probes? verdicts? headers? comments? headings? texts?);
my $FREE = join '|',
    qw(was were is are it they he she has had have do does did can cannot could may might must goes
    came comes makes made else stands ran runs);
my @RULES = (
    [ qr/\bwhat (?:$FREE)\b(?![^.;:]*\?)/im, 'name the thing: results, differences, contents' ],
    [ qr/(?<!\bthere )\b(?:is|are|was|were) no (?!longer\b|more\b)\w/im,              'is not a' ],
    [ qr/\b(?:$COUNT) an? (?!second (?:run|time|pass|one|host|copy)\b)(?:$NOUNS)\b/m, 'per' ],
    [ qr/(?:^|[.:;] )\W*Where\b(?![^.]*\?)/m,                                         'if' ],
    [
        qr/[\w)'`,](?<!\blet)(?<!\bleft)(?<!\bleave)(?<!\bis)(?<!\bare)(?<!\bwas)(?<!\bruns)(?<!\brun)(?<!\bnot) alone\b/im,
        'only, in front of the noun'
    ],
    [
        qr/\b(?:nobody|whoever|whom)\b|\b(?:$THING|those|others|passes|copies|cases?|causes?|process(?:es)?) who\b/im,
        'hosts are not persons: which, that, the status of'
    ],
    [
        qr/\bwho (?:is|are|was|were) (?:where|there|missing|late|left|slow|blamed|next|bad)\b/im,
        'the status of each host'
    ],
    [
        qr/\bso (?:many|long|often)\b(?! as\b| that\b)|(?:^|[.:;] )\W*So much\b/im,
        'this many; give the constant a name that needs no comment'
    ],
    [ qr/\bat once\b|\bby turns\b/im, 'concurrently, simultaneously, immediately, interleaved' ],
    [ qr/\boctets?\b/im,              'byte' ],
    [ qr/\banew\b/im,                 'again, from scratch' ],
    [ qr/\bkin\b/im,                  'similar' ],
    [ qr/\bmeanwhile\b/im,            'during that' ],
    [ qr/\bmend(?:s|ed|ing)?\b/im,    'fix, repair' ],
    [ qr/\breckon(?:s|ed|ing)?\b/im,  'calculate, count' ],
    [ qr/\b(?:\d+|hex|as|of|many|no|few|the) letters\b/im, 'characters, digits' ],
    [ qr/\b(?:these|those|no|its|other|more) words\b|\bwords? (?:of the command|too many)\b/im, 'arguments' ],
    [
        qr/\b(?:$THING|it|that|which|nothing|this) (?:itself )?(?:says?|said|tells?|told)\b|--[\w-]+`? (?:says?|tells?)\b/im,
        'reports show, options set, commands print, kernels report'
    ],
    [ qr/\b(?:is|are|was|were|be|been|as|than) (?:said|told)\b/im, 'is reported, is printed, is marked' ],
    [ qr/\bg(?:o|oes|oing|one) on\b/im,                            'continue, resume' ],
    [ qr/(?:^|[.:;] )\W*Of (?:an?|the|each|several|all|those|these|two|one|course)\b/m, 'for, in' ],
    [ qr/\bdiffers? from itself\b/im, 'run-to-run variance' ],
    [
        qr/\bby the way\b|\bbeyond all measure\b|\bfor want of\b|\bleave \S+ away\b|\bsays? nothing\b/im,
        'say it plainly'
    ],
);

# Words that no name has, with the standard ones; and whole names.
my %NAME = (
    told              => 'reported',
    said              => 'text, request',
    says              => 'text',
    tell              => 'print, report',
    tells             => 'text',
    untold            => 'unknown_because',
    beside            => 'published',
    void              => 'invalid',
    called            => 'label, command',
    sure              => 'narrow',
    sureness          => 'interval',
    unsure            => 'wide',
    gain              => 'speedup',
    apart             => 'lacks_overlap, split',
    alone             => 'single, only',
    who               => 'host',
    nobody            => 'none',
    octets            => 'bytes',
    octet             => 'byte',
    seat              => 'affinity',
    crew              => 'workers',
    inflow            => 'throughput',
    baton             => 'token',
    anew              => 'again',
    kin               => 'similar',
    heeding           => 'with',
    begun             => 'sentence',
    typed             => 'command_line',
    suited            => 'supported',
    outstanding_hosts => 'outstanding',
    people            => 'human',
    things            => 'facts',
    worth             => 'useful',
    mended            => 'repaired',
    meanwhile         => 'during',
);
my %WHOLE = (
    '$is'    => 'the noun',
    '$of'    => 'the noun',
    '$at'    => '$time, $index, $x',
    '$who'   => '$host',
    '$its'   => 'the noun',
    '$own'   => 'the noun',
    '$want'  => '$request',
    '$said'  => '$text',
    '$known' => '$facts',
    '$found' => '$matches',
    '$even'  => 'the noun',
    '$by'    => '$divisor',
    'sub of' => 'a verb: score_run, build_model',
);

# How many places break a rule today, by kind: whoever takes some away lowers the number.
my %MOST = (
    documents        => 0,
    messages         => 0,
    pages            => 0,
    comments         => 1823,
    names            => 100,
    'names of tests' => 727
);

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

# [line, text, next line] of each comment of Perl, C, shell, YAML or make. Samples are indented by more than a
# blank.
sub comments {
    my ($text,   $is_c)  = @_;
    my ($number, @found) = (0);
    my $sign = $is_c ? qr{(?://|/?\*)} : qr/#/;
    for my $line (split /\n/, $text) {
        $number++;
        last if $line =~ /\A__(?:DATA|END)__\z/;
        push @found, [ $number, $1, '' ] if $line =~ /(?:\A|\s)$sign (\S.*)/;
        $found[-2][2] = $found[-1][1] if @found > 1 && $found[-2][0] == $number - 1;
    }
    return @found;
}

# [line, name] of each sub and variable where it is declared, and of each key where a file has it first; in C,
# of each name where a file has it first.
sub names {
    my ($text, $is_c) = @_;
    my ($number, $end, %seen, @found) = (0);
    for my $line (split /\n/, $text) {
        $number++;
        if (defined $end) {
            undef $end if $line eq $end;
            next;
        }
        last if $line =~ /\A__(?:DATA|END)__\z/;
        my $code = $line =~ s/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'//gr;
        $code = $is_c ? $code =~ s{//.*|/\*.*|\A\s*\*.*}{}r : $code =~ s/(?:\A|\s)#.*//r;
        $end  = $1 if !$is_c && $line =~ /<<["']?([A-Z]\w*)["']?/;
        if ($is_c) {
            push @found,
                map { [ $number, $_ ] } grep { $_ ne 'void' && !$seen{$_}++ } $code =~ /\b([a-z]\w*)/g;
            next;
        }
        push @found, [ $number, "sub $1" ] if $code =~ /\bsub (\w+)/;
        push @found, [ $number, $1 ]       if $code =~ /^package ([\w:]+)/;
        push @found, map { [ $number, $_ ] }
            map { /([\$\@%]\w+)/g } $code =~ /\b(?:my|our|state) (\(.*?\)|[\$\@%]\w+)/g;
        push @found, map { [ $number, $_ ] } grep { !$seen{$_}++ } $code =~ /(\w+)\s*=>/g,
            $code =~ /\{-?(\w+)\}/g;
    }
    return map { "$_->[1]" =~ /^\W?sub\z/ ? () : $_ } @found;
}

# "file:line: 'words ...': suggestion" for each place where a text matches a pattern of the rules. The lines
# become one text, because a search of one long text is fast; a blank joins a line with its continuation.
sub broken {
    my ($rules, $file, @lines) = @_;
    my ($text, $continues, @begins, @found) = ('', 0);
    for my $line (@lines) {
        my ($number, $words, $next) = @$line;
        $words =~ s/\A[ #*>]+// if $continues;
        push @begins, [ length $text, $number ];
        $continues = ($next // '') =~ /\A[ #*>]*[\w(`'"]/ && $words =~ /\S/;
        $text .= $words . ($continues ? ' ' : "\n");
    }
    for my $rule (@$rules) {
        my ($pattern, $instead, $but) = @$rule;
        next if $but && $file =~ $but;
        while ($text =~ /$pattern/g) {
            my ($match, $from) = ($&, $+[0] - 1);
            my $number = (first { $_->[0] <= $from } reverse @begins)->[1];
            my ($more) = substr($text, $+[0], 20) =~ /\A([^\n]*)/;
            push @found, "$file:$number: '" . ($match =~ s/\n/ /gr) . "'$more: $instead";
        }
    }
    return @found;
}

sub odd     { return broken(\@RULES,   @_) }
sub retired { return broken(\@RETIRED, @_) }

sub odd_names {
    my ($file, @names) = @_;
    my @found;
    for my $place (@names) {
        my ($number, $name) = @$place;
        my ($instead) = grep { defined } $WHOLE{$name},
            @NAME{ map { lc } split /_|\W+|(?<=[a-z])(?=[A-Z])/, $name };
        push @found, "$file:$number: '$name': $instead" if defined $instead;
    }
    return @found;
}

# Scripts have no common ending.
sub scripts {
    return grep { source($_) =~ /\A#!/ && !/\.(?:t|yml)\z/ } below(fleet => qr/./), below(packaging => qr/./);
}

my @modules   = below(lib => qr/\.pm\z/);
my @c         = below(src => qr/\.[ch]\z/);
my @scripts   = scripts();
my @perl      = grep { source($_) =~ /\A#!.*perl/ } @scripts;
my @documents = ('README.md', 'DESIGN.md', below(docs => qr/\.md\z/));
my @tests     = below(t => qr/\.(?:t|pm|pl)\z/);
my $run       = source('Run');
my $manual    = $run =~ s/\A.*?^__END__$/$& =~ s,[^\n],,gr/emsr;

my %read = (
    documents => {
        (map { $_ => [ lines(source($_)) ] } @documents, qw(SECURITY.md fleet/README)),

        # It quotes words that are not to be used.
        'CONTRIBUTING.md' => [ lines(source('CONTRIBUTING.md') =~ s/"[^"]*"/$& =~ s,[^\n],,gr/gesr) ]
    },
    messages => {
        Run => [ lines($manual), literals($run) ],
        map { $_ => [ literals(source($_)) ] } @modules, @c, @scripts, 'Makefile'
    },
    pages    => { map { $_ => [ lines(source($_)) ] } below('t/golden' => qr/\.(?:txt|html|md|log)\z/) },
    comments => {
        (map { $_ => [ comments(source($_), 1) ] } @c),
        map { $_ => [ comments(source($_)) ] } @modules,
        @scripts,
        @tests,
        qw(Run Makefile .ci/run .ci/bare)
    },
    names => {
        (map { $_ => [ names(source($_), 1) ] } @c),
        map { $_ => [ names(source($_)) ] } @modules,
        @perl, 'Run'
    },
    'names of tests' => { map { $_ => [ names(source($_)) ] } @tests },
);

# What a user asked for by hand.
my %places = map {
    my $kind = $_;
    $kind => [
        map { $kind =~ /\Anames/ ? odd_names($_, @{ $read{$kind}{$_} }) : odd($_, @{ $read{$kind}{$_} }) }
        sort keys %{ $read{$kind} }
    ]
} keys %read;
if (@ARGV) {
    for my $kind (sort keys %places) {
        for my $wanted (@ARGV) {
            say for $kind eq $wanted ? @{ $places{$kind} } : grep { /\A\Q$wanted\E/ } @{ $places{$kind} };
        }
    }
    exit 0;
}

for my $kind (sort keys %MOST) {
    my @places = @{ $places{$kind} };
    cmp_ok(scalar @places, '<=', $MOST{$kind}, "$kind: places that break a rule of style")
        or diag(join "\n", "t/house/words.t '$kind' lists them all:", grep { defined } @places[ 0 .. 99 ]);
    note("$kind: " . @places);
}

subtest 'no retired term is read by users' => sub {
    my %users = map { %{ $read{$_} } } qw(documents messages pages);
    delete $users{'CONTRIBUTING.md'};
    for my $file (grep { !/\.[ch]\z/ } sort keys %users) {
        my @found = retired($file, @{ $users{$file} });
        is(join("\n", @found), '', $file) if @found;
    }
    ok(keys %users > 300, 'many files were read');
};

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
    is(
        join(' ', retired('x', literals($code))),
        q(x:2: 'gain' of 2: speed-up, in times one copy),
        'a literal'
    );
    is(scalar(retired('x', lines("of course\n<b class=\"void\">the course</b>\n"))), 1, 'a text of a page');
    is(scalar(retired('x', lines("we cannot\n  tell you\n"))), 1, 'a term of two lines');
};

subtest 'rules of style find a text, a comment and a name' => sub {
    my $odd = sub { return scalar(() = odd('x', lines($_[0]))) };
    is($odd->($_), 1, $_)
        for "see what was measured", "it is no record", "three lines a host", "Where it rains, stop",
        "in tests alone",
        'for nobody', 'So many hosts are named', "they run at\nonce", '4 octets', 'the report says 3',
        '--every says 2 s';
    is($odd->($_), 0, $_)
        for 'What was it?', 'there is no record', 'he was alone', 'is no longer', 'find where',
        'as many as that';
    is_deeply(
        [
            odd_names(
                'x', names(join "\n", 'my ($is, $isle) = {told => 1};', 'sub of { }', '# $who', q('$who'))
            )
        ],
        [ "x:1: '\$is': the noun", "x:1: 'told': reported", "x:2: 'sub of': a verb: score_run, build_model" ],
        'names'
    );
    is(scalar(odd('x', comments("int x; /* nobody */\nint nobody;\n", 1))), 1, 'a comment of C');
};

done_testing;
