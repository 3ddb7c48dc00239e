#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# Reports on fleets: what an operator reads first, what each form holds, and that no name does harm.
use 5.014;
use strict;
use warnings;

use File::Temp ();
use Test::More;

use lib 't/lib';
use NoWarnings;
use Fake;
use Judged;
use Touchstone::Base::Text;
use Touchstone::Pack::Fleet::Campaign;
use Touchstone::Pack::Fleet::Sections;
use Touchstone::Record::Json;
use Touchstone::Pack::Browse::Page;
use Touchstone::Pack::Fleet::Report;
use Touchstone::Pack::Fleet::Report::Headline;
use Touchstone::Pack::Fleet::Report::Phrases;
use Touchstone::Pack::Fleet::Report::Exports;

sub answer { return join ' ', Touchstone::Pack::Fleet::Report::Headline::sentences($_[0]) }
sub text   { return Touchstone::Pack::Fleet::Report::render('text', fleet => @_) }

# The fleet without those that stand out, or with others.
sub with_verdicts {
    my (%verdict) = @_;
    my $fleet = Judged::fleet(calm => 1);
    for my $host (map { @{ $_->{hosts} } } @{ $fleet->{groups} }) {
        $host->{verdict} = $verdict{ $host->{host} } // '';
    }
    return $fleet;
}

subtest 'the first sentence is the answer' => sub {
    like(
        answer(Judged::fleet()),
        qr/\Aweb09 is 9\.\d % slower than hosts like it \(confirmed, 3 runs\)\. 2 hosts are suspect.* 2 hosts are missing: db9 and web98\. /,
        'one that is bad, suspects, missing'
    );
    like(
        answer(with_verdicts(web01 => 'bad', web02 => 'bad')),
        qr/\A2 hosts are slow: web0[12] \([\d.]+ % \w+\) and web0[12] \([\d.]+ % \w+\)\.\z/,
        'two that are bad'
    );
    like(
        answer(with_verdicts),
        qr/\ANo host stands out: all 30 were judged; the slowest is web30 \(1\.9 % slower\), within what these hosts differ by\.\z/,
        'none'
    );
    my $noisy = with_verdicts();
    $noisy->{groups}[0]{detectable} = 0.09;
    my ($disturbed) = grep { $_->{id} eq 'disturbed' } @{ $noisy->{warnings} };
    push @{ $noisy->{warnings} }, $disturbed = { id => 'disturbed', text => 'much was' } if !$disturbed;
    $disturbed->{hosts} = [ map { $_->{host} } @{ $noisy->{groups}[0]{hosts} } ];
    like(
        answer($noisy),
        qr/differ by\. Hosts up to 9\.0 % slow cannot be distinguished from the others here\. Other work ran on 30 of the 34 hosts while they were measured\./,
        'no more than what such a fleet can show'
    );
    like(
        answer(with_verdicts(web01 => 'suspect')),
        qr/\A1 of 30 hosts is suspect, not yet confirmed: web01 \([\d.]+ % \w+\)\.\z/,
        'a suspect'
    );
    like(
        answer(with_verdicts(web01 => 'inconclusive')),
        qr/\Aweb01 is inconclusive even after new runs\.\z/,
        'new runs that do not tell'
    );
};

subtest 'a host that is slow in a few figures is named with the worst of them' => sub {
    my $fleet = Judged::fleet();
    my ($disk) = grep { $_->{host} eq 'web22' } @{ $fleet->{groups}[0]{hosts} };
    $_->{verdict}    = '' for @{ $fleet->{groups}[0]{hosts} };
    $disk->{verdict} = 'bad';
    like(
        answer($fleet),
        qr/\Aweb22 is 12 % slower than the 29 others like it in 6 figures, most in File copy, 4 KB buffer\./,
        'the drive'
    );
    @$disk{qw(ratio interval)} = (0.94, [ 0.93, 0.95 ]);
    like(
        answer($fleet),
        qr/\Aweb22 is 12 % slower than .* in 6 figures, most in/,
        'though they draw the mean down'
    );
};

subtest 'of a host that was measured again the new runs are told' => sub {
    my $fleet = Judged::fleet();
    my ($disk) = grep { $_->{host} eq 'web22' } @{ $fleet->{groups}[0]{hosts} };
    $_->{verdict} = '' for @{ $fleet->{groups}[0]{hosts} };
    @$disk{qw(verdict confirmed)} = (
        'bad',
        {
            runs     => 3,
            ratio    => 0.99,
            interval => [ 0.98, 1.00 ],
            figures  => {
                '1 fstime' => { ratio => 0.95, interval => [ 0.945, 0.955 ], verdict => 'bad' },
                '1 fsdisk' => { ratio => 0.98, interval => [ 0.965, 0.995 ], verdict => 'inconclusive' },
                '1 pipe'   => { ratio => 0.99, interval => [ 0.96,  1.02 ],  verdict => 'inconclusive' },
                ''         => { ratio => 0.99, interval => [ 0.98,  1.00 ],  verdict => 'cleared' }
            }
        }
    );
    like(
        answer($fleet),
        qr/\Aweb22 is 5\.0 % slower than hosts like it in File copy, 1 KB buffer /,
        'the figure that is bad'
    );
    my ($slow) = grep { $_->{host} eq 'web09' } @{ $fleet->{groups}[0]{hosts} };
    @$slow{qw(verdict confirmed)} =
        ('bad', { %{ $disk->{confirmed} }, ratio => 0.9, interval => [ 0.89, 0.91 ] });
    like(
        answer($fleet),
        qr/\A2 hosts are slow: web09 \(10 % slower\) and web22 \(5\.0 % slower in File copy/,
        'where all is slow, the mean'
    );
    $slow->{verdict} = '';
    $disk->{verdict} = 'inconclusive';
    like(
        text($fleet) =~ s/\s+/ /gr,
        qr/inconclusive in Pipe throughput: 1\.0 % slower \(\S+2\.0 to 4\.0 %\); 1 more/,
        'why it is inconclusive'
    );
    $fleet = Judged::fleet(calm => 1);
    delete @{ $fleet->{groups}[0]{hosts}[0] }{qw(ratio interval of_day)};
    $fleet->{groups}[0]{hosts}[0]{invalid} = 'x';
    $_->{of_day} = 1 for @{ $fleet->{groups}[0]{hosts} }[ 1 .. 29 ];
    like(text($fleet), qr/^One run per host:/m,
        'a host without a valid run does not hide that there was one');
};

subtest 'the page counts the runs that the hosts have' => sub {
    my $fleet = Judged::fleet(calm => 1);
    my @hosts = map { @{ $_->{hosts} } } @{ $fleet->{groups} };
    $_->{runs} = [ 1, 2 ] for @hosts;
    $hosts[0]{runs} = [1];
    like(
        Touchstone::Pack::Fleet::Report::Judgement::about($fleet),
        qr/ 1 to 2 runs per host\z/,
        'in its head'
    );
};

subtest 'a fleet of which nothing can be said says why' => sub {
    my $fleet = Judged::fleet(calm => 1);
    splice @{ $fleet->{groups} }, 0, 1;
    like(answer($fleet), qr/\ANo host could be judged: 4 hosts: fewer than 5 are not judged\./, 'few hosts');
    $fleet->{groups} = [];
    $fleet->{standing}{received} = 0;
    is(answer($fleet), 'No host has a record yet, of 34 that are expected.', 'no record');
    my $text = text($fleet);
    like($text, qr/34 hosts expected: 0 received/, 'the standing');
    ok(length Touchstone::Pack::Fleet::Report::render('html', fleet => $fleet),
        'there is a page nevertheless');
};

subtest 'two groups in one have nobody who is bad, and the fact that divides them' => sub {
    my $fleet = Judged::fleet(calm => 1, alone => 1);
    my @names = map { $_->{host} } @{ $fleet->{groups}[0]{hosts} };
    $fleet->{groups}[0]{split} = {
        clusters => [ [ @names[ 0 .. 8 ] ], [ @names[ 9 .. 29 ] ] ],
        ratio    => 0.93,
        fact     => 'kernel',
        values   => [ '6.8', '6.1' ]
    };
    like(
        answer($fleet),
        qr/\AGroup 1 is two groups: 9 hosts are 0\.930 times as fast as 21 others, and kernel divides them \(6\.8 and 6\.1\)\./,
        'the sentence'
    );
};

subtest 'a fact that divides the hosts is the answer, without a gap' => sub {
    my $fleet = with_verdicts;
    my $group = $fleet->{groups}[0];
    $_->{divided}       = 0 for @{ $group->{figures} };
    $group->{goes_with} = [
        {
            associated => ['microcode'],
            part       => 0.66,
            p          => 0.0005,
            values     => [
                { text => '0x1', hosts => 14, ratio => 0.963 },
                { text => '0x2', hosts => 16, ratio => 1.0 }
            ]
        }
    ];
    my $sentence = 'microcode divides the hosts: 14 with 0x1 are 3.7 % slower than 16 with 0x2'
        . ' (66 % of the variance between hosts).';
    like(answer($fleet), qr/\A\Q$sentence\E No host stands out/, 'first where nobody is bad');
    $group->{hosts}[0]{verdict} = 'bad';
    like(answer($fleet), qr/\A(?!microcode).*\Q$sentence\E\z/, 'last where a host is');
    $group->{split} = { clusters => [ [1], [2] ], ratio => 0.9 };
    unlike(answer($fleet), qr/\Q$sentence\E/, 'two groups have a sentence of their own');
};

subtest 'a host that is slow again within what hosts differ by is said so' => sub {
    my $fleet = with_verdicts(web01 => 'inconclusive');
    my ($host) = grep { $_->{host} eq 'web01' } @{ $fleet->{groups}[0]{hosts} };
    $host->{confirmed} = { verdict => 'inconclusive', within => 1, ratio => 0.95, runs => 3 };
    is(answer($fleet),
        'web01 (5.0 % slower) is slow again in new runs, but within what these hosts differ by.', 'so');
};

subtest 'a group of few hosts has a plain table' => sub {
    my $fleet = with_verdicts;
    like(text($fleet), qr/Host +Of median +95 % interval/, 'a judged one has intervals');
    @{ $_->{hosts} } = @{ $_->{hosts} }[ 0 .. 2 ], $_->{judged} = 0 for @{ $fleet->{groups} };
    unlike(text($fleet), qr/95 % interval/, 'few hosts do not');
    unlike(
        Touchstone::Pack::Fleet::Report::render('html', fleet => $fleet),
        qr/Lines: 95 % intervals|<th[^>]*>95 % interval/,
        'nor on a page'
    );
};

subtest 'the slowest host is measured again on request' => sub {
    my $fleet = with_verdicts;
    $fleet->{campaign} = { campaign => 'k68', carrier => 'ansible', words => [] };
    like(
        text($fleet),
        qr/^To measure the slowest host, web30, again with two from the middle:\n+  ansible-playbook .*confirm\.yml/m,
        'by a command'
    );
};

subtest 'where hosts are fast nobody is slow, and no more is said' => sub {
    my $fleet = with_verdicts;
    $fleet->{groups}[0]{hosts}[-1]{fast} = 1;
    like(answer($fleet), qr/\ANo host is slow: all 30 were judged; .* is faster than the others\.\z/, 'so');
};

subtest 'each form begins with the same answer' => sub {
    my $fleet = Judged::fleet();
    my ($first) = Touchstone::Pack::Fleet::Report::Headline::sentences($fleet);
    is((split /\n/, text($fleet))[0], $first, 'text');
    is((split /\n/, Touchstone::Pack::Fleet::Report::render('markdown', fleet => $fleet))[0],
        "# $first", 'Markdown');
    like(Touchstone::Pack::Fleet::Report::render('html', fleet => $fleet),
        qr/<h1[^>]*>\Q$first\E<\/h1>/, 'page');
    is(
        Touchstone::Record::Json::decode(Touchstone::Pack::Fleet::Report::render('json', fleet => $fleet))
            ->{answer}[0],
        $first, 'JSON'
    );
};

subtest 'the text says why and what to type' => sub {
    my $text = text(Judged::fleet());
    like(
        $text,
        qr/^  - web09 \(slow\): all CPU tests .*\n    look at governor/m,
        'the signature and its remedy'
    );
    like($text, qr/only this host has governor powersave \(others: performance\)/, 'what only it has');
    like($text, qr{fleet/confirm\.yml -e touchstone_campaign=k68-rollout$}m,       'how to confirm');
    like($text, qr{unreachable: no news: web98\n\n  .*fleet/measure\.yml}, 'how to measure what is missing');
    like($text, qr/Between hosts 1\.1 % \(0\.8 to 1\.6\), between runs/,   'the natural spread');
    like(
        $text,
        qr/To detect a change of 1 %: 14 hosts \S+ 2 runs on each side, or 5 hosts \S+ 2 runs before and after\./,
        'the plan'
    );
    like($text, qr/governor: 61 % of the variance, p 0\.001; powersave: 3 hosts, 0\.941/,
        'what goes with it');
    like($text, qr/web04 and web05: two names have one machine-id/, 'a warning');
    unlike(Touchstone::Pack::Fleet::Report::render('text', fleet => Judged::fleet(), ascii => 1),
        qr/[\x80-\xff]/, 'in ASCII');
};

subtest 'tables fit 80 columns, and long ones have the ends, the quartiles and all that stand out' => sub {
    my $text = text(Judged::fleet(hosts => 1000));
    my @rows = $text =~ /^  (.*? +[01]\.\d+ +.*)$/mg;
    is(scalar(grep { Touchstone::Base::Text::width("  $_") > 80 } @rows), 0, '80 columns');
    my ($table) = $text =~ /^(  Host +Of median.*?)\n\n/ms;
    my @lines   = split /\n/, $table;
    my $skipped = 0;
    $skipped += $1 while $table =~ /\((\d+) more\)/g;
    my $shown = grep { /^  web\d/ } @lines;
    is($shown + $skipped, 1000, 'each host is there or counted');
    cmp_ok($shown, '<=', 30, 'few are there');
    my @out = $table =~ /^  web\S+ .*(slow|suspect|fast|cleared)$/mg;
    is(scalar @out, 5, 'those that stand out are');
};

subtest 'CSV has a line for each host and figure' => sub {
    my $fleet = Judged::fleet(prefix => qq{a,"b" });
    my @lines = split /\n/, Touchstone::Pack::Fleet::Report::render('csv', fleet => $fleet);
    is(scalar @lines, 1 + 30 * 25 + 4 * (1 + 12), 'lines');
    my $columns = () = $lines[0] =~ /,/g;
    my ($bad) = grep { /,mean,/ && /,bad,/ } @lines;
    like($bad, qr/\A1,"a,""b"" web09",[0-9a-f]{16},hv02,1,mean,,,0\.90\d+,/, 'the mean of the bad one');
};

subtest 'JSON names the bad with reason, and numbers are numbers' => sub {
    my $fleet = Judged::fleet();
    $fleet->{warnings}[0]{hosts} = [ '12', '1e3' ];
    my $json = Touchstone::Pack::Fleet::Report::render('json', fleet => $fleet);
    my $data = Touchstone::Record::Json::decode($json);
    is(join(' ', map { $_->{host} } @{ $data->{bad} }),      'web09',       'bad');
    is(join(' ', map { $_->{host} } @{ $data->{suspects} }), 'web22 web26', 'suspects');
    my ($bad) = @{ $data->{bad} };
    like($bad->{reason}, qr/\Ak68-rollout: 0\.90\d of 29 others like it; all CPU tests/, 'the reason');
    is(scalar @{ $bad->{figures} },  18,      'its figures');
    is(scalar @{ $bad->{interval} }, 2,       'its interval');
    is($bad->{signature},            'clock', 'its signature');
    is_deeply([ map { $_->{host} } @{ $data->{missing} } ], [ 'db9', 'web98' ], 'missing');
    my $standing = $data->{standing};
    is(
        $standing->{expected},
        $standing->{received} +
            $standing->{failed} +
            $standing->{unreachable} +
            $standing->{running} +
            $standing->{given_up},
        'the sum'
    );
    is(scalar @{ $data->{groups}[0]{hosts} }, 30, 'all hosts are there');
    unlike($json, qr/"(?:ratio|p|copies|low|high)": "/, 'no number is a text');
    is_deeply($data->{warnings}[0]{hosts}, [ '12', '1e3' ], 'and no name is a number');
    like($json, qr/"12", ?"1e3"/, 'in quotes');
};

subtest 'verdicts are a line for each host that was judged' => sub {
    my $verdicts = Touchstone::Pack::Fleet::Report::Exports::verdicts(Judged::fleet());
    my %many;
    $many{$1}++ while $verdicts =~ /^(\w+) k68-rollout 1795317005 web\d+$/mg;
    is_deeply(\%many, { bad => 1, suspect => 2, good => 27 }, 'bad, suspect, good');
    is(scalar(() = $verdicts =~ /\n/g), 30, 'and no others: of hosts in small groups nothing is known');
};

subtest 'commands are those of the carrier, quoted for a shell' => sub {
    my %wanted = (
        ansible => 'ansible-playbook -i INVENTORY fleet/measure.yml -e touchstone_campaign=k68-rollout '
            . q(-e '{touchstone_words: -c 1 -c 8}'),
        slurm      => 'fleet/slurm/submit /srv/campaigns/k68-rollout FILE -c 1 -c 8',
        kubernetes =>
            'fleet/kubernetes/make ... /srv/campaigns/k68-rollout FILE -- -c 1 -c 8 | kubectl apply -f -',
        ssh => 'fleet/ssh /srv/campaigns/k68-rollout FILE -c 1 -c 8'
    );
    for my $carrier (sort keys %wanted) {
        is(Touchstone::Pack::Fleet::Report::Phrases::measure(Judged::fleet(carrier => $carrier)),
            $wanted{$carrier}, $carrier);
    }
    my %said = (
        q(-e touchstone_runs=3 -e '{touchstone_words: --quick}')     => [ 3, '--quick' ],
        q(-e '{touchstone_words: ["--label", "rack=b 4, it'\''s"]}') => [ 1, '--label', q(rack=b 4, it's) ],
        ''                                                           => [1],
    );
    for my $end (sort keys %said) {
        my $judged = Judged::fleet(carrier => 'ansible');
        @{ $judged->{campaign} }{qw(runs words)} = (shift @{ $said{$end} }, $said{$end});
        my $line = Touchstone::Pack::Fleet::Report::Phrases::measure($judged);
        is($line =~ s/.*=k68-rollout ?//r, $end, "what is measured is said: '$end'");
    }
    my $fleet = Judged::fleet(carrier => 'slurm');
    @$fleet{qw(run home)} = ('touchstone', "/opt/it's/");
    is(
        Touchstone::Pack::Fleet::Report::Phrases::measure($fleet),
        q('/opt/it'\''s/fleet'/slurm/submit /srv/campaigns/k68-rollout FILE -c 1 -c 8),
        'a reader who is elsewhere gets the path'
    );
    is(
        Touchstone::Pack::Fleet::Report::Phrases::confirm($fleet),
        q('/opt/it'\''s/fleet'/slurm/submit --confirm /srv/campaigns/k68-rollout),
        'retests, too'
    );
    $fleet->{campaign}{carrier} = 'pdsh';
    is(
        Touchstone::Pack::Fleet::Report::Phrases::confirm($fleet),
        'touchstone fleet confirm /srv/campaigns/k68-rollout',
        'another carrier gets the name of an installed command'
    );
    $fleet->{campaign}{command} =
        { in => q(/home/o'p), measure => 'fleet/ssh k68 list', confirm => 'fleet/ssh --confirm k68' };
    is(
        Touchstone::Pack::Fleet::Report::Phrases::measure($fleet),
        q(cd '/home/o'\''p' && fleet/ssh k68 list),
        'what was typed is repeated'
    );
    $fleet->{here} = q(/home/o'p);
    is(
        Touchstone::Pack::Fleet::Report::Phrases::confirm($fleet),
        'fleet/ssh --confirm k68',
        'as it was, for a reader who is there'
    );
    undef $fleet->{campaign};
    is(Touchstone::Pack::Fleet::Report::Phrases::measure($fleet), undef, 'none without a campaign');
};

my %EVIL = (
    'tags'          => q{<script>harmed = 1</script>"'&},
    'controls'      => "\e]0;gotcha\a\e[31m\r\n\t\x00",
    'broken UTF-8'  => "\xff\xfe \xc3(",
    'a path'        => '../../etc/passwd$(reboot)`x`',
    'other letters' => "\xe5\x8c\x97\xe4\xba\xac\xe2\x80\xae",
    'many letters'  => 'x' x 190
);

subtest 'names of strangers do no harm' => sub {
    for my $kind (sort keys %EVIL) {
        my $fleet = Judged::fleet(prefix => $EVIL{$kind});
        $fleet->{groups}[0]{title} = $EVIL{$kind};
        my ($json) = eval { Touchstone::Pack::Fleet::Report::render('json', fleet => $fleet) };
        ok(eval { Touchstone::Record::Json::decode($json) }, "$kind: JSON");
        for my $form (qw(text markdown csv)) {
            my $made = Touchstone::Pack::Fleet::Report::render($form, fleet => $fleet);
            unlike($made, qr/[\x00-\x09\x0b-\x1f\x7f]/, "$kind: $form has no control characters");
            ok(Touchstone::Base::Text::is_utf8($made), "$kind: $form is UTF-8");
        }
        for my $file (Touchstone::Pack::Fleet::Report::files($fleet)) {
            my ($name, $text) = @$file;
            unlike($text, qr/[\x00-\x08\x0b-\x1f\x7f]/, "$kind: $name has no control characters");
            next if $name eq 'verdicts';
            is(scalar(() = $text =~ /<script/g), 1, "$kind: $name has its own script alone");
        }
    }
};

# The links of the pages that lead nowhere.
sub broken_links {
    my %page = map { @$_ } @_;
    my @broken;
    for my $name (sort grep { /\.html\z/ } keys %page) {
        while ($page{$name} =~ /href="([^"]*)"/g) {
            my ($file, $anchor) = $1 =~ /\A([^#]*)(?:#(.*))?\z/;
            next if $file =~ m{\Aruns/2026-11/k68-rollout\.[0-9a-f]{16}\.1\.json\z};
            my $there = $page{ length $file ? $file : $name };
            push @broken, "$name: $1" if !defined $there || defined $anchor && $there !~ / id="\Q$anchor\E"/;
        }
    }
    return @broken;
}

subtest 'pages of a large fleet are small, and each host is on one of them' => sub {
    my $fleet = Judged::fleet(hosts => 1000);
    my @files = Touchstone::Pack::Fleet::Report::files($fleet);
    my %page  = map { @$_ } @files;
    is(join("\n", broken_links(@files)),                  '', 'every link leads to something');
    is(scalar(grep { /\Ahosts-\d+\.html\z/ } keys %page), 11, 'pages of 100 hosts');
    my $hosts = join '', map { $page{$_} } grep { /hosts/ } keys %page;
    my %seen;
    $seen{$_}++ for $hosts =~ /<section id="h\d+" class="host">\n<h2>(\w+)/g;
    is(scalar keys %seen,                     1004, 'all hosts');
    is(scalar(grep { $_ != 1 } values %seen), 0,    'each once');
    cmp_ok(length $page{'index.html'}, '<', 2_000_000, 'the first page');
    my @paths = $page{'index.html'} =~ /<path class="hosts" d="([^"]*)"/g;
    is(scalar @paths, 1, 'a strip for the mean of the group that is judged');
    is(scalar(() = $page{'index.html'} =~ /<svg[^>]*class="fluid small"/g),
        24 + 12, 'a row of a heat map for each figure');
    is(scalar(() = $paths[0] =~ /M/g), 995, 'with a point for each host that does not stand out');
};

subtest 'groups can be reached from the top of the page' => sub {
    my $page  = Touchstone::Pack::Fleet::Report::render('html', fleet => Judged::fleet());
    my ($top) = split /<h2>/, $page;
    is(join(' ', $top =~ /<a href="#(g\d+)">/g), 'g1 g2', 'both');
    my @lost = grep { $page !~ /id="\Q$_\E"/ } $page =~ /href="#([^"]+)"/g;
    is("@lost", '', 'each place is there');
    my $one = Touchstone::Pack::Fleet::Report::render('html', fleet => Judged::fleet(alone => 1));
    unlike($one, qr/aria-label="Groups"/, 'one group needs no way to it');
};

subtest 'a page of hosts has its figures and its record' => sub {
    my @files     = Touchstone::Pack::Fleet::Report::files(Judged::fleet(directory => '/srv/a b'));
    my %page      = map { @$_ } @files;
    my ($section) = $page{'hosts-1.html'} =~ m{(<section id="h13" class="host">.*?</section>)}s;
    like($section, qr{<h2>web09 <small class="bad">slow</small></h2>},    'the verdict');
    like($section, qr{<a href="runs/2026-11/k68-rollout\.\w+\.1\.json">}, 'a link to its record');
    like($section, qr{\./Run report &#39;/srv/a b/runs/},                 'the command');
    is(scalar(() = $section =~ /<tr><th scope="row">/g), 12, 'a row for each test');
};

# A directory with campaigns: one that was judged, one that was only planned, and folders that are none.
sub campaigns {
    my $temp = File::Temp->newdir;
    my $of   = sub {
        my ($id, %more) = @_;
        my $fleet = Judged::fleet(%more);
        $fleet->{campaign}{campaign} = $id;
        Touchstone::Pack::Fleet::Campaign::write("$temp/$id",
            { %{ $fleet->{campaign} }, directory => undef });
        return $fleet;
    };
    my $judged = $of->('k68');
    Touchstone::Pack::Fleet::Campaign::write_summary("$temp/k68",
        Touchstone::Pack::Fleet::Campaign::summary($judged));
    Fake::write_file("$temp/k68/index.html", 'x');
    $of->('k69', calm => 1, alone => 1);
    mkdir "$temp/$_" for 'empty', '.hidden';
    return $temp;
}

subtest 'a list of campaigns reads no record' => sub {
    my $temp  = campaigns();
    my @found = Touchstone::Pack::Fleet::Campaign::summaries("$temp");
    is(join(' ', map { "$_->{id}:$_->{expected}" } @found), 'k68:36 k69:30', 'both, with their hosts');
    my ($k68, $k69) = @found;
    is(join(' ', @$k68{qw(received missing bad suspects status page)}), '34 2 1 2 1 1', 'what was found');
    is_deeply($k68->{named}, ['web09'], 'who is bad');
    is($k69->{status}, undef, 'nobody has judged the other');
    Fake::write_file("$temp/k68/summary.json", '{ "bad": "<b>"');
    is((Touchstone::Pack::Fleet::Campaign::summaries("$temp"))[0]{status},
        undef, 'nor one whose summary is damaged');
    Fake::write_file("$temp/k68/summary.json",
        '{ "named": [], "expected": "<b>", "received": 1, "bad": 1, "suspects": 0, "missing": 0, "status": 0 }'
    );
    is((Touchstone::Pack::Fleet::Campaign::summaries("$temp"))[0]{expected}, 36, 'or says what is no number');
    Fake::write_file("$temp/k69/campaign.json", '{');
    my ($damaged) = grep { $_->{id} eq 'k69' } Touchstone::Pack::Fleet::Campaign::summaries("$temp");
    like($damaged->{why}, qr/is not a manifest of a campaign/, 'a damaged manifest is told');
    is_deeply([ Touchstone::Pack::Fleet::Campaign::summaries("$temp/nowhere") ], [], 'no campaigns: none');
};

subtest 'the page of all runs lists campaigns' => sub {
    my $temp    = campaigns();
    my $results = File::Temp->newdir;
    symlink "$temp", "$results/campaigns" or die "cannot make a link: $!\n";
    my $page = Touchstone::Pack::Browse::Page::render(
        {
            runs     => [],
            damaged  => [],
            hosts    => [],
            ranking  => { indexes => [], tests => [], unranked => [] },
            sections => [ Touchstone::Pack::Fleet::Sections::sections({ results => "$results" }, './Run') ],
            command  => './Run'
        }
    );
    like($page, qr{<h2>Campaigns</h2>}, 'the section');
    my @rows = $page =~ m{<tr><th scope="row">(.*?)</tr>}g;
    is(scalar @rows, 2, 'a row for each');
    like(
        $rows[0],
        qr{<a href="campaigns/k68/index.html">k68</a>.*22 Nov 2026.*34 of 36.*1</span> <small>web09.*>2<.*>2<}s,
        'link, day, hosts, bad, suspects, missing'
    );
    unlike($rows[1], qr/<a /, 'one without a page has no link');
    like($page, qr{\./Run fleet judge DIR}, 'but the command that makes it');
};

done_testing;
