# SPDX-License-Identifier: GPL-2.0-or-later
# Records of strangers in a real browser: whatever their texts are, a page has the same structure, runs
# nothing, requests nothing and is no wider than the window.
use 5.014;
use strict;
use warnings;

use Test::More;

use lib 't/lib';
use NoWarnings;
use Chromium;
use Example;
use Fake;
use File::Temp ();
use Forms;
use Hostile;
use Pages;
use Runs;
use Scored;
use Tools;
use Touchstone::Base::Text;
use Touchstone::Pack::Browse::Archive;
use Touchstone::Pack::Browse::Ranking;
use Touchstone::Pack::Browse::Series;
use Touchstone::Suite::Lbt::ReportForm;
use Touchstone::Machine::Command;
use Touchstone::Record;
use Touchstone::Pack::Browse::Page;
use Touchstone::Score;

plan skip_all => 'TOUCHSTONE_BROWSER is not set (make check-all does)'
    if !length($ENV{TOUCHSTONE_BROWSER} // '');
plan skip_all => Tools::none('chromium') if !Chromium::path();

my $MARKS = "\xe2\x80\xae\xe2\x81\xa6\xe2\x80\x8f\xe2\x80\x8e\xd8\x9c\xe2\x80\xab";
my $TAGS =
    q{<b>"'&amp;</b></title></style></table></svg></script><script>window.harmed = 1</script><img src=x onerror="window.harmed = 1"><svg onload="harmed = 1"><!--]]>};
my $WORDS =
    q{" onmouseover="window.harmed = 1" style="position:fixed" x="' onload='harmed = 1' javascript:harmed=1 &#60;i&#62; url(http://example.org/x) ${harmed=1} %s%n $(reboot) =1+1 [x](javascript:harmed=1)};
my %EVIL = (
    'marks of all kinds' =>
        "$TAGS$WORDS\e]0;gotcha\a\e[31m\x00\x7f\r\n\t\xc2\x9b31m${MARKS}txet sdrawkcab\xd7\xa9\xd7\x9c\xd7\x95\xd7\x9d ",
    'broken letters'     => "$TAGS\xff\xfe \xc3($MARKS",
    'one very long word' => 'x' x 10_000,
    'very many words'    => 'lorem <ipsum> ' x 700,
);

# Without these texts a run belongs to no suite that has a section of its own.
my $IDENTITY =
    qr{/(?:test|name|key|suite|index|category|purpose|duet|requires|unit|tests|platform|machine|system)\z|\A/(?:published|indexes|categories|suites)\b|/index/\*};

my $temp    = File::Temp->newdir;
my $checks  = Fake::read_file("$Fake::BASE/t/lib/pages.js");
my $browser = Chromium->start;
my $TIDY    = Touchstone::Machine::Command::find('tidy');

sub golden { return Touchstone::Record->load("$Fake::BASE/t/golden/$_[0].json", 'nowhere') }

# Returns the example with everything that only some records have.
sub full {
    my $record = Example::record();
    return {
        %$record,
        set      => { name   => 'o2', asked => '-O2' },
        wanted   => { input  => '/tmp/x' },
        lbt      => { vendor => 'Cyrix' },
        baseline => 'George',
        purpose  => 'run',
        duet     => '1-2',
        programs => '/tmp/o2',
        passport => 'abc',
        host     => {
            %{ $record->{host} },
            map { $_ => "the $_" }
                qw(cmdline microcode caches sockets cores threads governor cpu_driver boost smt mitigations
                memory_kb memory_limit_kb swap_kb huge_pages work_directory
                file_system mount_options device virtualisation container cpu_quota clock_source clock_cost_ns
                load limits)
        },
        build => {
            %{ $record->{build} },
            libc     => 'glibc 2.36',
            linker   => 'ld 2.40',
            tools    => { sort => 'sort 9.1', od => 'od 9.1' },
            binaries => { pipe => 'abc' }
        },
        equipment => {
            input   => { path    => '/tmp/x', sha256 => 'abc',   bytes   => '6000', library => 'zstd 1.5' },
            display => { display => ':0',     server => 'X.Org', version => '1' },
            kernel  =>
                { version => '6.1', sha256 => 'x', configuration => 'tinyconfig', architecture => 'x86_64' },
            peer => { address => '10.0.0.2' }
        }
    };
}

# Returns the page of these runs, as it is made of an archive.
sub all_runs {
    my (@records) = @_;
    my (@runs, $name);
    for my $record (@records) {
        $name = Touchstone::Base::Text::plain($record->{name});
        my $results = Touchstone::Score::scores($record);
        my $run = Touchstone::Pack::Browse::Archive::short_of($record, $results, $name, $record->{status});
        push @runs, { %$run, word => $name, links => {} };
    }
    my $hosts = Touchstone::Pack::Browse::Series::hosts(@runs);
    return Touchstone::Pack::Browse::Page::render(
        {
            runs    => \@runs,
            hosts   => $hosts,
            ranking => Touchstone::Pack::Browse::Ranking::rank(\@runs, $hosts),
            damaged => [ { file => $name, why => $name } ],
            command => './Run'
        }
    );
}

# Returns runs of two hosts, the newest first: one of them changes, and one run is not valid.
sub runs_of_hosts {
    return map {
        my $n = $_;
        Runs::record(
            "run-$n", { '1 pipe' => [ Runs::steady(($n < 16 ? 1000 : 2000) + $n) ], '2 pipe' => [ 1 .. 3 ] },
            started  => 1795240225 + 86400 * $n,
            baseline => 'George',
            host     => { name => $n % 2 ? 'one' : 'other', release => $n < 16 ? '6.1' : '6.2' },
            warnings => $n == 5
            ? [ { id => 'x', text => 'something', remedy => 'a remedy', invalid => 1 } ]
            : []
        )
    } reverse 0 .. 31;
}

my %PAGES = (
    'of all runs'       => [ \&all_runs,      \&runs_of_hosts ],
    'of a run'          => [ \&Pages::report, sub { return full() } ],
    'of golden figures' => [ \&Pages::report, sub { return golden('sure') } ],
    'of fixed work'     => [ \&Pages::report, sub { return golden('fixed') } ],
    'of the toolkit'    => [ \&Pages::report, sub { return Forms::desktop() } ],
    'of a comparison'   => [
        sub { return Pages::comparison(@_[ 0, 1 ]) },
        sub {
            my $run = full();
            return ({ %$run, set => undef },
                { %$run, set => undef, host => { %{ $run->{host} }, release => '7.1' } });
        }
    ],
    'of builds' => [
        sub { return Pages::comparison(@_[ 0, 1 ]) },
        sub { my $run = full(); return ($run, { %$run, set => { name => 'o3', asked => '-O3' } }) }
    ],
    'of a form' => [
        sub {
            my $scores = Touchstone::Score::scores($_[0]);
            return Touchstone::Suite::Lbt::ReportForm::render('html', $_[0], $scores);
        },
        sub { return Forms::desktop() }
    ],
);

# Makes a page of a kind whose records have this text in all places.
sub made {
    my ($kind, $text, %how) = @_;
    my ($render, $records) = @{ $PAGES{$kind} };
    my $page = $render->(map { Hostile::record($_, $text, %how) } $records->());
    Fake::write_file("$temp/page.html", $page);
    return $page;
}

sub seen {
    $browser->look(width => 390);
    $browser->open("$temp/page.html");
    $browser->value($checks);
    $browser->value('checks.openFolds()');
    return $browser->value('checks.counts()');
}

sub is_harmless {
    is($browser->value('typeof harmed'),               'undefined', 'no script ran');
    is(join("\n", $browser->said, $browser->requests), '',          'nothing is said, nothing is asked for');
    is(join("\n", @{ $browser->value('checks.narrow()') }), '', 'the page is no wider than a narrow window');
    is(
        $browser->value(
            'document.querySelectorAll("[style], [onload], [onerror], [onmouseover], [onclick], [src], base, link, iframe, object, embed, img").length'
        ),
        0,
        'nothing foreign is in it'
    );
    return;
}

sub is_tidy {
    return if !$TIDY;
    my ($status, $said) =
        Touchstone::Machine::Command::output([ $TIDY, '-q', '-e', "$temp/page.html" ], errors => 1);

    # It knows the attributes of an svg element, but not those of one within another.
    my @said = grep { !/ <svg> proprietary attribute "(?:preserveaspectratio|viewbox|width)"\z/ } split /\n/,
        $said;
    is(join("\n", @said), '', 'tidy has nothing to say');
    return;
}

for my $kind (sort keys %PAGES) {
    for my $how ([ 'other texts' => keep => $IDENTITY ], ['all texts']) {
        my ($name, %how) = @$how;
        made($kind, 'x', %how);
        my $tame = seen();
        subtest "a page $kind is what it is whatever stands in $name" => sub {
            for my $evil (sort keys %EVIL) {
                next if length $EVIL{$evil} > 1000 && ($how{keep} || $kind !~ /figures|comparison|builds/);
                made($kind, $EVIL{$evil}, %how);
                is_deeply(seen(), $tame, "$evil: as many elements of every kind as with tame texts");
                is_harmless();
                is_tidy();
            }
        };
    }
}

subtest 'no mark of direction comes into a page' => sub {
    my $page = made('of a run', $MARKS);
    utf8::decode($page);
    unlike($page, qr/[\x{200e}\x{200f}\x{61c}\x{202a}-\x{202e}\x{2066}-\x{2069}]/, 'none');
};

done_testing;
