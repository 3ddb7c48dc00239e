#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# Report::Export::*: forms for programs of others. Each form is read back, of a plain record and of records
# whose every text was written by an attacker; where their own programs are installed, these judge too.
use 5.014;
use strict;
use warnings;

use File::Temp ();
use IO::Socket::INET ();
use JSON::PP ();
use POSIX ();
use Test::More;

use lib 't/lib';
use Amount;
use Fake;
use Hostile;
use Scored;
use Tools;
use Touchstone::Report::Forms;
use Touchstone::Cli::Output;
use Touchstone::Compare;
use Touchstone::Machine::Command;
use Touchstone::Record;
use Touchstone::Report::Compare;
use Touchstone::Score;
use Waiting;

my $DIR = File::Temp->newdir;
my @warnings;
local $SIG{__WARN__} = sub { push @warnings, @_ };

# What an attacker may write: ends of strings, lines, commands and elements, and letters that XML lacks.
my @HOSTILE = (
    q{a"b\\},          "x\n::error::y\r", q{,= tag=1 field="}, q{<b>&]]>'"},
    "\xef\xbf\xbe",    "\xe2\x80\xae",    "\xff\xfe\x00",      '::stop-commands::x',
    "%0A::add-mask::", '# EOF',           '{}|$(reboot)`',     "\xf0\x9f\x90\x9a"
);
@HOSTILE = (join('', @HOSTILE), '::stop-commands::x') if !Amount::is_all();

sub plain { return Touchstone::Record->load("$Fake::BASE/t/golden/$_[0].json", 'nowhere') }

# The facts and results of a hostile record, each made once. Records of strangers keep what decides on
# arithmetic.
my %known;

sub hostile_report {
    my ($form, $text) = @_;
    my $of = $known{$text} //= do {
        my $facts = Hostile::record(plain('sure'), $text, keep => qr{/unit\z});
        [ $facts, Touchstone::Score::score_run($facts) ];
    };
    return Touchstone::Report::Files::render($form, undef, @$of);
}

sub compared {
    my ($text) = @_;
    my ($one, $other) =
        map { Scored::run($_) } map { defined $text ? Hostile::record($_, $text) : $_ } plain('sure'),
        plain('sure');
    my $found = Touchstone::Compare::compare(runs => [ $one, { %$other, name => "$other->{name}x" } ]);
    my $first = $found->{pairs}[0]{tests}[0];
    @$first{qw(verdict ratio interval)} = ('slower', 0.97, [ 0.96, 0.98 ]);
    return $found;
}

# The reader of each form: dies, or gives how many figures it found.
my $LABEL  = qr/\w+="(?:[^"\\\n]|\\["\\n])*"/;
my $NUMBER = qr/-?\d+(?:\.\d+)?(?:e[-+]?\d+)?/;
my %READ   = (
    prometheus => sub {
        my ($text) = @_;
        my (%seen, $family, $figures);
        for my $line (split /\n/, $text) {
            if ($line =~ /^# HELP (\w+) \S/) { die "$1 twice" if $seen{$1}++; $family = $1; next }
            if ($line =~ /^# TYPE (\w+) gauge$/) { die "TYPE $1 after HELP $family" if $1 ne $family; next }
            my ($name) = $line =~ /^(\w+)(?:\{$LABEL(?:,$LABEL)*\})? $NUMBER$/ or die "no sample: $line";
            die "$name in the family $family" if $name ne $family;
            $figures++                        if $name eq 'touchstone_score';
        }
        return $figures;
    },
    openmetrics => sub {
        my ($text) = @_;
        die 'no end' if $text !~ /\n# EOF\n\z/ || $text =~ /# EOF\n./;
        return scalar(() = $text =~ /^touchstone_score\{$LABEL(?:,$LABEL)*\} $NUMBER$/mg);
    },
    influx => sub {
        my ($text) = @_;
        my $tag    = qr/(?:[^,= \\\n]|\\[,= ])+/;
        my $field  = qr/\w+=(?:$NUMBER|\d+i|true|false)/;
        /^touchstone(?:,$tag=$tag)+ $field(?:,$field)* \d+$/ or die "no point: $_" for split /\n/, $text;
        return scalar(() = $text =~ /^touchstone,.*passes=/mg);
    },
    bmf => sub {
        my $data = JSON::PP->new->utf8->decode($_[0]);
        return scalar grep { exists $_->{rate}{value} } values %$data;
    },
    'gh-benchmark' => sub {
        return scalar grep { $_->{unit} ne 'index' } @{ JSON::PP->new->utf8->decode($_[0]) };
    },
    jsonl => sub {
        my @lines = map { JSON::PP->new->utf8->decode($_) } split /\n/, $_[0];
        return scalar grep { $_->{kind} eq 'test' } @lines;
    },
    junit => sub {
        my ($text) = @_;
        die 'a letter that XML lacks' if $text =~ /[\x00-\x08\x0b\x0c\x0e-\x1f]|\xef\xbf[\xbe\xbf]/;
        my $rest = $text =~ s/<[?\/]?\w[\w-]*(?: [\w-]+="[^"<]*")*[\/?]?>//gr;
        die "this is no XML: $rest" if $rest =~ /[<>]/ || $text =~ /&(?!(?:amp|lt|gt|quot|apos);)/;
        return scalar(() = $text =~ /<testcase classname="touchstone.test"/g);
    },
    github => sub {
        /^::(?:error|warning|notice) title=[^:,]*::[^\r]+$/ or die "no command: $_" for split /\n/, $_[0];
        return 2;
    },
    lava => sub {
        my $word = qr/[\w.-]+/a;
        /^<LAVA_SIGNAL_TESTCASE TEST_CASE_ID=$word RESULT=pass MEASUREMENT=$NUMBER UNITS=$word>$/
            || /^lava-test-case $word --result pass --measurement $NUMBER --units $word$/
            or die "no case: $_"
            for split /\n/, $_[0];
        return scalar(split /\n/, $_[0]) - 1;
    },
);

subtest 'each form for other programs is read here' => sub {
    is_deeply([ sort keys %READ ], [ sort(Touchstone::Report::Forms::exports('run')) ], 'of a run');
};

for my $form (sort keys %READ) {
    subtest "$form can be read" => sub {
        is(eval { $READ{$form}->(Scored::report($form, plain('sure'))) } // $@, 2, 'both tests are there');
    };
    subtest "$form can be read whatever a record calls itself" => sub {
        for my $text (@HOSTILE) {
            my $made = eval { hostile_report($form, $text) };
            my $name = $text =~ s/[^ -~]/?/gr;
            is(defined $made ? eval { $READ{$form}->($made) } // $@ : $@, 2, "'$name'");
        }
    };
}

for my $form (Touchstone::Report::Forms::exports('comparison')) {
    subtest "$form of a comparison can be read whatever a record calls itself" => sub {
        for my $text (undef, @HOSTILE) {
            my $made = Touchstone::Report::Compare::render($form, compared($text));
            my $name = ($text // 'plain') =~ s/[^ -~]/?/gr;
            is(eval { $READ{$form}->($made) } // $@, 2, "'$name'");
        }
    };
}

subtest 'a test that became slower fails in a comparison, and what cannot be told is no pass' => sub {
    my $junit = Touchstone::Report::Compare::render(junit => compared());
    like($junit, qr/failures="1"/,                                            'one failure');
    like($junit, qr/<failure message="slower: -3\.0 % \(-4\.0 to -2\.0 %\)"/, 'which says by how much');
    my $github = Touchstone::Report::Compare::render(github => compared());
    like($github, qr/^::error title=\w+%2C 1 copy::slower: -3\.0 %25 \(-4\.0 to -2\.0 %25\)/, 'a message');
    my $alike = compared();
    $_->{verdict} = 'inconclusive' for map { (@{ $_->{tests} }, @{ $_->{indexes} }) } @{ $alike->{pairs} };
    like(Touchstone::Report::Compare::render(junit => $alike), qr/failures="0" skipped="3"/, 'skipped');
};

subtest 'GitHub gets ten messages, the worst first' => sub {
    my $found = compared();
    my ($test) = @{ $found->{pairs}[0]{tests} };
    $found->{pairs}[0]{tests} = [ map { +{ %$test, name => "t$_", ratio => 1 - $_ / 100 } } 1 .. 15 ];
    my @said = split /\n/, Touchstone::Report::Compare::render(github => $found);
    is(scalar @said, 10, 'ten');
    like($said[0], qr/title=t15%2C/, 'the worst');
};

subtest 'a run that is not valid says so' => sub {
    my $facts = plain('sure');
    push @{ $facts->{warnings} }, { id => 'invalid', text => 'this is worth nothing', invalid => 1 };
    like(Scored::report(prometheus     => $facts), qr/^touchstone_run_valid 0$/m,               'prometheus');
    like(Scored::report(influx         => $facts), qr/valid=false/,                             'influx');
    like(Scored::report(jsonl          => $facts), qr/"valid": 0/,                              'jsonl');
    like(Scored::report(junit          => $facts), qr/<failure message="this is worth nothing/, 'junit');
    like(Scored::report(github         => $facts), qr/^::error .*not valid/m,                   'github');
    like(Scored::report('gh-benchmark' => $facts), qr/not valid: this is worth nothing/, 'gh-benchmark');
    like(Scored::report(openmetrics    => $facts), qr/^touchstone_run_valid 0$/m,        'openmetrics');
    like(Scored::report(lava           => $facts), qr/run-valid\b.*\bfail\b/i,           'lava');
    like(Scored::report(csv            => $facts), qr/\A[^\n]*\bvalid\b.*,no\b/s,        'csv');
    my $bmf = JSON::PP->new->utf8->decode(Scored::report(bmf => $facts));
    is_deeply($bmf->{run}, { valid => { value => 0 } }, 'bmf');
    is(eval { $READ{bmf}->(Scored::report(bmf => $facts)) } // $@, 2, 'whose figures are still there');
    my $silent = join ' ',
        grep { Scored::report($_ => $facts) eq Scored::report($_ => plain('sure')) }
        Touchstone::Report::Forms::names('run');
    is($silent, 'table', 'each form, but for the table of UnixBench');
};

subtest 'a comparison with a run that is not valid names no test slower' => sub {
    my %of = map { $_ => plain('sure') } qw(before after third);
    @{ $of{$_} }{qw(name host)} = ($_, { %{ $of{$_}{host} }, name => $_ }) for keys %of;
    for my $pass (@{ $of{after}{passes} }) { $_ = defined $_ ? $_ / 2 : undef for @{ $pass->{counts} } }
    $of{after}{warnings} = [ { id => 'invalid', text => 'this is worth nothing', invalid => 1 } ];
    my @runs  = map { Scored::run($of{$_}) } qw(before after third);
    my $found = Touchstone::Compare::compare(runs => [ @runs[ 0, 1 ] ]);
    is($found->{status}, 125, 'the exit status');
    is(Touchstone::Compare::compare(runs => [ @runs[ 0, 1 ] ], fail_on => 0.9)->{status},
        125, 'with --fail-on');
    is(Touchstone::Compare::compare(runs => [ @runs[ 0, 2 ] ], fail_on => 0.1)->{status},
        0, 'which valid runs do not have');
    my $why = 'after is not valid: this is worth nothing';

    for my $form (Touchstone::Report::Forms::names('comparison')) {
        my $text = Touchstone::Report::Compare::render($form, $found, columns => 80);
        unlike(
            $text =~ s/<svg.*?<\/svg>//gsr,
            qr/(?<!right: )\b(?:slower|faster)\b(?! \(0\))/i,
            "$form: no verdict"
        );
        like($text, qr/inconclusive|nothing is judged/i, "$form: but inconclusive");
    }
    my $junit = Touchstone::Report::Compare::render(junit => $found);
    like($junit, qr/failures="0" skipped="3"/, 'JUnit: skipped');
    is(scalar(() = $junit =~ /<skipped message="inconclusive: -50.*?; \Q$why\E"/g), 3, 'with the reason');
    is(
        Touchstone::Report::Compare::render(github => $found),
        "::error title=after::nothing is judged: $why\n",
        'GitHub: the reason alone'
    );

    # What else is compared keeps its verdicts.
    my $three = Touchstone::Compare::compare(runs => [ @runs[ 0, 1, 2 ] ]);
    is($three->{status}, 125, 'three runs of which one is not valid');
    my @valid =
        map { JSON::PP->new->decode($_) } split /\n/, Touchstone::Report::Compare::render(jsonl => $three);
    is(
        join(', ', map { "$_->{run}: $_->{valid} $_->{verdict}" } grep { $_->{kind} eq 'index' } @valid),
        'after: 0 inconclusive, third: 1 no difference',
        'the pair of the others is judged'
    );
};

subtest 'seconds go inverted to a reader that takes higher for better' => sub {
    my ($entry) = grep { $_->{name} =~ /\Apipe84,/ }
        @{ JSON::PP->new->utf8->decode(Scored::report('gh-benchmark', plain('fixed'))) };
    is($entry->{unit}, '1/s', 'the unit says so');
    cmp_ok($entry->{value}, '>', 100, 'and the figure is its inverse');
};

subtest 'what failed and what was skipped is no missing line' => sub {
    my $facts = plain('sure');
    push @{ $facts->{failures} }, { test => 'spawn', copies => 1, why => 'no processes' };
    push @{ $facts->{skipped} }, { test => 'dc', why => "'dc' is not installed" };
    my $junit = Scored::report(junit => $facts);
    like($junit, qr/name="spawn, 1 copy"><failure message="no processes"/,         'failed');
    like($junit, qr/name="dc"><skipped message="&apos;dc&apos; is not installed"/, 'skipped');
    like(Scored::report(lava => $facts), qr/spawn-1.*fail\S*\n.*dc.*skip/i,        'for LAVA');
};

subtest 'the summary of a step gets the Markdown report, a megabyte at most' => sub {
    local $ENV{GITHUB_STEP_SUMMARY} = "$DIR/summary";
    Touchstone::Cli::Output::add_step_summary(sub { "# first\n" });
    Touchstone::Cli::Output::add_step_summary(sub { "line\n" x 300_000 });
    my $text = Fake::read_file("$DIR/summary");
    like($text, qr/\A# first\nline\n/, 'one behind the other');
    cmp_ok(length $text, '<=', 1_048_576, 'not more than is shown');
    like($text, qr/line\n\n\nThe rest is too long to be shown here\.\n\z/, 'it ends in whole lines');
    local $ENV{GITHUB_STEP_SUMMARY} = "$DIR/none/summary";
    ok(
        !eval {
            Touchstone::Cli::Output::add_step_summary(sub { 'x' });
            1;
        },
        'a file that cannot be written to'
    );
    like($@, qr/cannot open '\S+', which GITHUB_STEP_SUMMARY names: /, 'is named');
    delete local $ENV{GITHUB_STEP_SUMMARY};
    ok(
        eval {
            Touchstone::Cli::Output::add_step_summary(sub { die 'called' });
            1;
        },
        'elsewhere nothing is made'
    );
};

# Writes each form of all records, and gives the files.
sub files_of {
    my ($form) = @_;
    my @texts  = (Scored::report($form, plain('sure')), map { hostile_report($form, $_) } @HOSTILE);
    my $n      = 0;
    return map {
        my $file = "$DIR/$form." . $n++;
        open my $out, '>:raw', $file or die "cannot write: $!";
        print {$out} $_;
        close $out or die "cannot write: $!";
        $file
    } @texts;
}

# Says why a command refuses any of these files.
sub refused {
    my (@command) = @_;
    my ($status, $said) = Touchstone::Machine::Command::output(\@command, errors => 1);
    return $status ? "$status: $said" : '';
}

# The Python that has a module: packages of the system belong to that of the system.
sub python {
    my ($module) = @_;
    my ($python) = grep {
        Touchstone::Machine::Command::find($_)
            && (Touchstone::Machine::Command::output([ $_, '-c', "import $module" ], errors => 1))[0] == 0
    } qw(python3 /usr/bin/python3);
    return $python;
}

subtest 'promtool takes the metrics' => sub {
    plan skip_all => $_ for Tools::lacking('promtool');
    my $each = 'for file; do promtool check metrics <"$file" || { echo "$file"; exit 1; }; done';
    is(refused('sh', '-c', $each, 'sh', files_of('prometheus')), '', 'all of them');
};

subtest "Prometheus' own library reads both forms" => sub {
    plan skip_all => 'prometheus_client is not installed (Debian: python3-prometheus-client)'
        if !python('prometheus_client');
    my $read = sub {
        my ($module, $form) = @_;
        my $program =
              "import sys, $module as p\n"
            . "for file in sys.argv[1:]:\n"
            . "    list(p.text_string_to_metric_families(open(file, newline='\\n').read()))\n";
        return refused(python('prometheus_client'), '-c', $program, files_of($form));
    };
    is($read->('prometheus_client.parser',             'prometheus'),  '', 'prometheus');
    is($read->('prometheus_client.openmetrics.parser', 'openmetrics'), '', 'openmetrics');
};

# What node_exporter says at its address, or undef while it is not there yet.
sub metrics {
    my ($port) = @_;
    my $socket = IO::Socket::INET->new(PeerAddr => '127.0.0.1', PeerPort => $port, Timeout => 5)
        or return undef;
    print {$socket} "GET /metrics HTTP/1.0\r\n\r\n";
    local $/;
    return scalar <$socket>;
}

subtest "node_exporter's textfile collector shows the metrics" => sub {
    plan skip_all => $_ for Tools::lacking('prometheus-node-exporter');
    my @files = files_of('prometheus');
    for my $place (0 .. $#files) {
        mkdir "$DIR/collected" or die "cannot make: $!" if !-d "$DIR/collected";
        my $text = Fake::read_file($files[$place]);
        open my $out, '>:raw', "$DIR/collected/touchstone.prom" or die "cannot write: $!";
        print {$out} $text;
        close $out or die "cannot write: $!";
        next if $place && $place != 2;
        my $free = IO::Socket::INET->new(Listen => 1, LocalAddr => '127.0.0.1') or die "no port: $@";
        my $port = $free->sockport;
        close $free;
        my $pid = fork // die "cannot fork: $!";

        if (!$pid) {
            open STDERR, '>', '/dev/null';
            open STDOUT, '>', '/dev/null';
            exec 'prometheus-node-exporter', '--collector.disable-defaults', '--collector.textfile',
                "--collector.textfile.directory=$DIR/collected", "--web.listen-address=127.0.0.1:$port"
                or POSIX::_exit(1);
        }
        my $said = comes(sub { metrics($port) });
        kill 'KILL', $pid;
        waitpid $pid, 0;
        like($said // '', qr/^touchstone_score\{.*test="pipe/m, 'scores are there') if !$place;
        like($said // '', qr/^touchstone_run_info\{/m,          'the run too');
        like($said // '', qr/^node_textfile_scrape_error 0$/m,  'nothing was wrong');
    }
};

subtest 'JUnit keeps to its schema' => sub {
    plan skip_all => $_ for Tools::lacking('xmllint');
    my $file = "$DIR/compared.xml";
    open my $out, '>:raw', $file or die "cannot write: $!";
    print {$out} Touchstone::Report::Compare::render(junit => compared($HOSTILE[3]));
    close $out or die "cannot write: $!";
    my @check = ('xmllint', '--noout', '--schema', "$Fake::BASE/t/formats/junit.xsd");
    is(refused(@check, $file, files_of('junit')), '', 'of runs and of comparisons');
};

for my $form (qw(bmf gh-benchmark jsonl)) {
    subtest "$form keeps to its schema" => sub {
        plan skip_all => 'jsonschema is not installed (Debian: python3-jsonschema)' if !python('jsonschema');
        my $texts = $form eq 'jsonl' ? "text.split('\\n')[:-1]" : '[text]';
        my $program =
              "import sys, json, jsonschema\n"
            . "schema = json.load(open(sys.argv[1]))\n"
            . "for file in sys.argv[2:]:\n"
            . "    text = open(file, encoding='utf-8', newline='\\n').read()\n"
            . "    for line in $texts:\n"
            . "        jsonschema.validate(json.loads(line), schema)\n";
        my $schema = "$Fake::BASE/t/formats/$form.schema.json";
        is(refused(python('jsonschema'), '-c', $program, $schema, files_of($form)), '', 'all of them');
    };
}

is("@warnings", '', 'no warning');
done_testing();
