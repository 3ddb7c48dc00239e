# SPDX-License-Identifier: GPL-2.0-or-later
# ./Run browse: the files it writes, its messages, and what the page must never contain.
use 5.014;
use strict;
use warnings;

use File::Temp ();
use Test::More;

use lib 't/lib';
use Example;
use Stub;
use Runs;
use Scored;
use Touchstone::Base::Directories;
use Touchstone::Pack::Browse::Archive;
use Touchstone::Compare::Trend;
use Touchstone::Record::Json;
use Touchstone::Pack::Browse::Page;
use Touchstone::Score;

my @warnings;
local $SIG{__WARN__} = sub { push @warnings, @_ };

sub record {
    my ($name, @also) = @_;
    return Touchstone::Record::Json::encode(Scored::document(Runs::record($name, @also)));
}

# Returns a fake with these files in results/.runs.
sub fake {
    my (%files) = @_;
    my $fake = Stub->new;
    mkdir $_ or die "cannot make '$_': $!\n" for $fake->{results}, "$fake->{results}/.runs";
    Fake::write_file("$fake->{results}/.runs/$_", $files{$_}) for keys %files;
    return $fake;
}

# Returns the page that browse makes of these files.
sub page_of {
    my (%files) = @_;
    my $fake    = fake(%files);
    my $got     = $fake->run(['browse']);
    is("$got->{status} $got->{signal}", '0 0',                           'exit status') or diag($got->{err});
    is($got->{out},                     "$fake->{results}/index.html\n", 'the path is all that is printed');
    return (Fake::read_file("$fake->{results}/index.html"), $got, $fake);
}

# Returns forty runs of one host, of which the last twenty are a tenth faster.
sub steps {
    return map {
        my $n    = $_;
        my $name = sprintf 'vm-run-%02d', $n;
        (
            "$name.json" => record(
                $name, { '1 pipe' => [ Runs::steady(($n < 20 ? 1000 : 1100) * (1 + $n % 3 / 1000)) ] },
                started => 1795240225 + 86400 * $n,
                host    => { release => $n < 20 ? '6.1.0-30' : '6.1.0-31' }
            )
        )
    } 0 .. 39;
}

# Tests that every element is closed, and that the page contains nothing that our pages must not have.
sub is_sound {
    my ($page, $what) = @_;
    my @open;
    my ($body) = $page =~ m{<main>\n(.*)</main>}s;
    my $wrong;
    while ($body =~ m{<(/?)(\w+)((?:\s+[\w:-]+(?:="[^"<>]*")?)*)\s*(/?)>|<}g) {
        my ($end, $tag, $attributes, $empty) = ($1, $2, $3, $4);
        if (!defined $tag) { $wrong //= 'no tag at ' . substr $body, pos($body) - 1, 60; next }
        $wrong //= "forbidden: $tag$attributes"
            if $tag        =~ /\A(?:script|style|link|iframe|object)\z/
            || $attributes =~ /\s(?:on\w+|style|src)=/
            || $attributes =~ /href="(?!#|[\w.%-]+")/;
        next if $empty || $tag eq 'input';
        if (!$end) { push @open, $tag; next }
        my $last = pop(@open) // 'nothing';
        $wrong //= "$last ended by $tag" if $last ne $tag;
    }
    is($wrong // (@open ? "not ended: @open" : ''), '', "$what: the page is sound");
    return;
}

subtest 'no records at all give a page and a line that say so' => sub {
    my ($page, $got, $fake) = page_of();
    like($page, qr/There are no stored runs yet/, 'the page');
    is($got->{err}, "# there are no stored runs in '$fake->{results}/.runs'\n", 'the line');
    is_sound($page, 'empty');
    my $new = Stub->new;
    $got = $new->run(['browse']);
    is("$got->{status} $got->{out}", "0 $new->{results}/index.html\n", 'also where there was no directory');
};

subtest 'nothing but index.html is written' => sub {
    my (undef, $got, $fake) =
        page_of('one.json' => record(one => { '1 pipe' => [ Runs::steady(1000) ] }), 'bad.json' => 'x');
    is(join(' ', Fake::entries($fake->{results})), '.runs index.html', 'in results');
    is(
        join(' ', Fake::entries("$fake->{results}/.runs")),
        'bad.json one.json',
        'and nothing among the records'
    );
    is($got->{err}, "# files that cannot be read: 1, named on the page\n", 'what is damaged is said');
};

subtest 'the same records give the same page' => sub {
    my ($page, undef, $fake) = page_of(steps());
    $fake->run(['browse']);
    is(Fake::read_file("$fake->{results}/index.html"), $page, 'byte for byte');
};

subtest 'a change stands on top: when, by how much, in which run, and what else differs' => sub {
    my ($page) = page_of(steps());
    is_sound($page, 'steps');
    my ($changes) = $page =~ m{<caption>Changes, the largest first; (.*?)</table>}s;
    like(
        $changes,
        qr{<a href="#test=pipe-1">Pipe throughput</a></th>.*?>\+10 %</span></td>.*?<td data-is="Copies">1</td><td data-key="\d+" data-is="Since">2026-12-11</td><td class="left" data-is="Also changed">kernel: 6\.1\.0-30 \xe2\x86\x92 6\.1\.0-31</td>.*?<a href="#r19">vm-run-20</a></td>},
        'a row'
    );
    like($page, qr{<text class="good[^"]*"[^>]*>\+10 %<tspan[^>]*> since 11 Dec</tspan></text>}, 'a mark');
    cmp_ok(index($page, 'Changes, '), '<', index($page, '<figure>'), 'before the pictures');
    is(scalar(() = $page =~ /<figure>/g), 2, 'the index and the test');
    like($page, qr{<td[^>]*>40</td>}, 'each with a table');
};

subtest 'each chart has an address of its own, and links above the charts have those of the tests' => sub {
    my %rates = ('1 pipe' => [ Runs::steady(1000) ], '1 syscall' => [ Runs::steady(500) ]);
    my ($page) = page_of(
        map {
            my $host = $_;
            map { ("$host$_.json" => record("$host$_", \%rates, host => { name => $host })) } 1, 2
        } qw(web one&two)
    );
    my @ids = $page =~ /id="(test=[^"]*)"/g;
    is_deeply(
        [ grep { /pipe/ } @ids ],
        [ 'test=pipe-1', 'test=pipe-1&amp;host=one_26two', 'test=pipe-1&amp;host=web' ],
        'a test and its hosts'
    );
    my %seen;
    is(scalar(grep { $seen{$_}++ } @ids), 0, 'no address twice');
    my ($links) = $page =~ m{<h2>History</h2>\s*<nav[^>]*>(.*?)</nav>}s;
    is_deeply([ $links   =~ /href="#([^"]*)"/g ], [ grep { !/host/ } @ids ], 'the links');
    is(scalar(() = $page =~ /<figure>/g), scalar(grep { /host/ } @ids), 'no chart without one');
};

subtest 'dates are those of the place of the run, wherever they stand' => sub {
    my %files = map {
        my $n = $_;
        (
            "r$n.json" => record(
                "r$n", { '1 pipe' => [ Runs::steady($n < 6 ? 1000 : 2000) ] },
                started    => 1795649400 + 86400 * $n,
                utc_offset => 8 * 3600
            )
        )
    } 0 .. 11;
    my ($page) = page_of(%files);
    like(
        $page,
        qr{>r6</span></th>.*?<td class="left" data-key="2026-12-02 [\d:]+">2026-12-02 \d\d:\d\d<},
        'the table of runs'
    );
    my ($changes) = $page =~ m{<caption>Changes, the largest first; (.*?)</table>}s;
    like($changes, qr{<td data-key="\d+" data-is="Since">2026-12-02</td>.*>r6</a>}, 'the change');
    like($page,    qr{>\+100 %<tspan[^>]*> since 2 Dec<},                           'its mark');
    unlike($page, qr{2026-12-01.*r6</a>}, 'and none of Greenwich');
};

# Returns the rows of the table of runs by the names of the runs.
sub rows_of {
    my ($page)  = @_;
    my ($table) = $page =~ m{<caption>All stored runs, newest first</caption>(.*?)</table>}s;
    return map { m{id="r\d+"[^>]*>([^<]*)<} ? ($1 => $_) : () } $table =~ m{<tr>.*?</tr>}g;
}

# Returns a record whose indexes are partial with these copy counts.
sub partial {
    my ($name, $rates, @counts) = @_;
    my $run = Scored::document(Runs::record($name, $rates));
    my %is  = map { $_ => 1 } @counts;
    for my $block (grep { $is{ $_->{copies} } } @{ $run->{results} }) {
        $_->{partial} = 1 for @{ $block->{indexes} };
    }
    return Touchstone::Record::Json::encode($run);
}

subtest 'an index that is not the whole has no figure, and its run says so' => sub {
    my %rates = ('1 pipe' => [ Runs::steady(1000) ], '2 pipe' => [1900]);
    my ($page) = page_of(
        'none.json'  => partial(none => \%rates, 1, 2),
        'half.json'  => partial(half => \%rates, 2),
        'whole.json' => record(whole => \%rates)
    );
    my %row = rows_of($page);
    like($row{none}, qr{<td data-key=""></td><td data-key=""></td>.*2 scores, index partial}, 'neither');
    like($row{half}, qr{>100\b.*?</td><td data-key=""></td>.*<span>partial with 2 copies</span>},
        'one of two');
    like($row{whole}, qr{190 <small>no interval</small>}, 'both');
    unlike($row{whole}, qr{<span>}, 'without a note');
};

subtest 'a run that is not valid says so and why, and is neither ranked nor part of a history' => sub {
    my %files = map {
        my $n = $_;
        (
            "r$n.json" => record(
                "r$n",
                { '1 pipe' => [ Runs::steady($n == 7 ? 3000 : 1000) ] },
                started  => 1795240225 + 86400 * $n,
                warnings => $n == 7
                ? [
                    {
                        id      => 'disturbed',
                        text    => '5 of 6 passes <were> disturbed',
                        remedy  => 'x',
                        invalid => 1
                    }
                    ]
                : []
            )
        )
    } 0 .. 7;
    my ($page) = page_of(%files);
    is_sound($page, 'with a run that is not valid');
    my %row = rows_of($page);
    like(
        $row{r7},
        qr{<s class="struck">300</s> <small class="not-valid">not valid</small>},
        'its index is struck out'
    );
    like($row{r7}, qr{<b class="not-valid">not valid: 5 of 6 passes &lt;were&gt; disturbed</b>}, 'why');
    unlike($row{r6}, qr{<s\b|not valid}, 'others say nothing');
    my ($ranking) = $page =~ m{(<section id="ranking".*?</section>)}s;
    like($ranking, qr{<b>100</b>},                                          'the one before is ranked');
    like($ranking, qr{7 runs</small>},                                      'its history is without it');
    like($page,    qr{1 needs a look: <a href="#runs">1 run</a> not valid}, 'it is counted on top');
};

subtest 'what all runs have in common is said once, above them' => sub {
    my %rates = ('1 pipe' => [ Runs::steady(1000) ]);
    my ($page) = page_of('a.json' => record(a => \%rates), 'b.json' => record(b => \%rates));
    like(
        $page,
        qr{<p class="agreed">All runs: host vm, complete, default schedule, 2 \xc3\x97 Xeon, kernel 6\.1, cc 12, built with -O3\.</p>},
        'everything'
    );
    unlike($page, qr{<th scope="col"[^>]*>(?:Kernel|CPU|Compiler|Schedule|Build)</th>}, 'without columns');
    ($page) = page_of(
        'a.json' => record(a => \%rates),
        'b.json' => record(b => \%rates, host => { release => '6.2' })
    );
    like($page, qr{<p class="agreed">All runs: host vm, complete, default schedule, 2 \xc3\x97 Xeon, cc 12},
        'all but one');
    like($page, qr{<th scope="col" class="left">Kernel</th>}, 'which has a column');
};

subtest 'host and date have columns only for runs whose names do not say them' => sub {
    my %rates  = ('1 pipe' => [ Runs::steady(1000) ]);
    my ($page) = page_of('vm-2026-11-21-01.json' => record('vm-2026-11-21-01' => \%rates));
    my ($head) = $page =~ m{newest first</caption>\n<thead>(.*?)</thead>}s;
    unlike($head, qr{>(?:Host|Date)<}, 'none');
    ($page) = page_of(
        'vm-2026-11-21-01.json' => record('vm-2026-11-21-01' => \%rates),
        'mine.json'             => record(mine               => \%rates),
        'b.json'                => record(b                  => \%rates, host => { name => 'other' })
    );
    my %row = rows_of($page);
    like(
        $row{mine},
        qr{<td class="left" data-key="vm">vm</td><td class="left" data-key="2026-11-21 06:50">2026-11-21 06:50</td>},
        'one that was named by hand'
    );
    like(
        $row{'vm-2026-11-21-01'},
        qr{<td data-key="vm"></td><td data-key="2026-11-21 06:50"></td>},
        'not the other'
    );
};

subtest 'no figure has more digits than its interval supports' => sub {
    my ($page) = page_of('r.json' =>
            record('r', { '1 pipe' => [ Runs::steady(1234567, 0.05) ], '2 pipe' => [ 7654321, 7654322 ] }));
    unlike($page, qr/(?:123|765)\d*[1-9]\d lps/, 'neither sure nor unsure ones');
    like($page, qr{7\.65 M lps <small>no interval</small>}, 'which say so');
};

subtest 'where there are too few runs to tell it is said' => sub {
    my %rates = ('1 pipe' => [ Runs::steady(1000) ]);
    my ($page) = page_of('r.json' => record('r', \%rates));
    like($page, qr{<p>To find changes, this host needs 6 comparable runs\.</p>},    'in its history');
    like($page, qr{<td class="left more" data-key="">needs 6 comparable runs</td>}, 'in the ranking');
    ($page) =
        page_of(map { ("$_.json" => record($_, \%rates, host => { name => $_ eq 'b' ? '' : $_ })) } qw(a b));
    like($page, qr{<a href="#h1">unknown</a>}, 'a host without a name');
};

subtest 'the command is the one that works here' => sub {
    my $places = { results => '/srv/it\'s', source => 1 };
    local $ENV{UB_RESULTDIR};
    is(Touchstone::Base::Directories::command($places),                   './Run',      'in the tree');
    is(Touchstone::Base::Directories::command({ %$places, source => 0 }), 'touchstone', 'installed');
    $ENV{UB_RESULTDIR} = 'x';
    is(
        Touchstone::Base::Directories::command($places),
        q{UB_RESULTDIR='/srv/it'\\''s' ./Run},
        'with results elsewhere'
    );
    my ($page, undef, $fake) = page_of('r.json' => record('r', { '1 pipe' => [ Runs::steady(1000) ] }));
    like($page, qr{data-command="UB_RESULTDIR=\Q$fake->{results}\E \./Run compare" data-hosts="vm">},
        'on the page');
};

subtest 'a name of 10,000 letters is shown in part' => sub {
    my ($page) = page_of(
        'r.json' => record('r', { '1 pipe' => [ Runs::steady(1000) ] }, host => { name => 'long' x 2500 }));
    unlike($page, qr/(?:long){20}/, 'everywhere');
};

subtest 'all runs are in the table, newest first, with links to what stands beside' => sub {
    my $fake = Stub->new;
    $fake->run(
        [qw(--quick -c 1 pipe hanoi)],
        env  => { UB_OUTPUT_FILE_NAME => $_ },
        does => { hanoi               => 'fail' }
    ) for 'first & <b>', 'second';
    Fake::write_file("$fake->{results}/.runs/cut.jsonl", Example::journal());
    my $got  = $fake->run(['browse']);
    my $page = Fake::read_file("$fake->{results}/index.html");
    is_sound($page, 'runs');
    my @names = $page =~ m{id="r\d+"[^>]*>([^<]*)<}g;
    is(join('|', sort @names), 'cut|first &amp; &lt;b&gt;|second', 'the names');
    like($page, qr{href="first%20%26%20%3Cb%3E\.html">},   'the page');
    like($page, qr{href="first%20%26%20%3Cb%3E">text</a>}, 'the text');
    like($page, qr{>cut off},                              'what was cut off');
    like($page, qr{<span>1 failed or skipped</span>},      'what failed');
};

subtest 'hostile names and texts do no harm' => sub {
    my $evil = qq{"><script>alert(1)</script>'&\e[2J\x{1}};
    my %host = map { $_ => $evil } qw(name os release version);
    my %also = (
        host     => { %host, cpus => [ { id => 0, model => $evil, bogomips => $evil, flags => [] } ] },
        build    => { compiler_version => $evil, flags_unixbench => $evil },
        baseline => $evil,
        pin      => 'none',
        warnings => [ { id => 'x', text => $evil, remedy => $evil } ],
        status   => $evil,
        set      => { name => $evil, asked => $evil }
    );
    my %files = map {
        my $n   = $_;
        my $run = Runs::record("x$n", { '1 pipe' => [ Runs::steady($n < 20 ? 1000 : 2000) ] },
            %also, started => 1795240225 + $n);
        $_->{title} = $evil for @{ $run->{tests} };
        ("x$n\"><script>'.json" => Touchstone::Record::Json::encode(Scored::document($run)))
    } 10 .. 29;
    $files{"\e]0;<script>.json"} = "bad <script>";
    my ($page) = page_of(%files);
    is_sound($page, 'evil');
    unlike($page, qr/[\x00-\x09\x0b-\x1f](?<!\t)/, 'no control characters');
    is(scalar(() = $page =~ /<script/g), 1, 'one script');
};

subtest 'a directory that cannot be written gives an error and keeps the old page' => sub {
    my $fake = fake('one.json' => record(one => { '1 pipe' => [ Runs::steady(1000) ] }));
    mkdir "$fake->{results}/index.html" or die "cannot make a directory: $!\n";
    my $got = $fake->run(['browse']);
    like($got->{err}, qr{\ARun: cannot write '\Q$fake->{results}\E/index\.html': }, 'the cause');
    is("$got->{status} $got->{out}",               '1 ',               'no answer');
    is(join(' ', Fake::entries($fake->{results})), '.runs index.html', 'nothing is left behind');
    my $file = "$fake->{dir}/file";
    Fake::write_file($file, 'x');
    $got = $fake->run(['browse'], env => { UB_RESULTDIR => "$file/results" });
    like(
        $got->{err},
        qr{\ARun: cannot write results in '\Q$file\E/results': .*\ntry: UB_RESULTDIR=/var/tmp \./Run\n\z},
        'a place that cannot be made'
    );
};

subtest 'it goes with nothing else' => sub {
    my $fake = Stub->new;
    my $got  = $fake->run([qw(browse --quick)]);
    is(
        "$got->{status} $got->{err}",
        "2 Run: unknown option '--quick' of browse\n"
            . "it is an option of duet, self-compare, fleet plan, fleet once and a line without a command\n"
            . "try: ./Run help browse\n",
        'an option'
    );
    $got = $fake->run([qw(browse pipe)]);
    is(
        "$got->{status} $got->{err}",
        "2 Run: browse takes no operands: 'pipe' is one too many\ntry: ./Run help browse\n",
        'a test'
    );
    $got = $fake->run([qw(--quick -c 1 pipe)], env => { UB_OUTPUT_FILE_NAME => 'index' });
    like($got->{err}, qr/index\.html is the page of all runs/, 'no report takes its name');
};

is("@Fake::PERL_WARNINGS@warnings", '', 'no warning of Perl');
done_testing;
