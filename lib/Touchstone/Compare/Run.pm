# SPDX-License-Identifier: GPL-2.0-or-later
# Compare::Run - a stored run or a classic text report as Compare wants it, and the labels of several:
#
#   {
#       name    => 'vm-2026-11-21-01',
#       report  => 1 for a report of UnixBench,
#       started, utc_offset,
#       place   => the directory of its programs, if it is of a duet,
#       facts   => what Compare::Differences says of the machine and the build,
#       duet    => undef,
#       tool    => { name, version },
#       set     => that of --build,
#       price   => { amount => 40, unit => 'USD' }, if it is known,
#       invalid    => why they are not valid: that of Record::Warnings, or undef,
#       unfair  => the same where it took turns with others: what disturbs all sides alike is no reason,
#       note    => why its scores are doubtful otherwise, or undef,
#       unbuilt => [ builds of --build that failed ],
#       tests   => {
#           '1 pipe' => {
#               name       => 'pipe',
#               title      => 'Pipe Throughput',
#               copies     => 1,
#               unit       => 'lps',
#               score, interval, error, rates, index, missing as Score has them,
#               better     => 'higher',
#               version    => 1,
#               conditions => { 'size of the data' => 100000000 },
#               unlike     => why UnixBench's is another test,
#               work       => what it does, if versions of UnixBench differ in that,
#               part       => 1 for a measure of a test, whose name stands before its own
#               costs      => { passes, events of EventSplit } of Score::Cost, or { why } there are none; not for a measure,
#                             nor where only results were read
#
#               and, of a duet of interleaved blocks:
#               most_rounds => the most that it could have
#               margin     => a smaller difference is none
#               passes     => those of the facts that count, but for a measure
#           }
#       },
#       indexes => { '1 system' => { title, copies => 1, score, tests => [names],
#                                    role  => answer, part or aside, of Score::Index
#                                    label => the name of a part
#                                    order => its place among those of its copy count } }
#   }
package Touchstone::Compare::Run;
use 5.014;
use strict;
use warnings;

use Touchstone::Base::Direction qw(is_lower_better);
use Touchstone::Base::Text qw(plain plural width);
use Touchstone::Base::Time qw(date);
use Touchstone::Build;
use Touchstone::Compare::Differences;
use Touchstone::Compare::EventSplit;
use Touchstone::Record::PasteBlock;
use Touchstone::Record::ClassicReader;
use Touchstone::Record::Largest;
use Touchstone::Record::Warnings;
use Touchstone::Record;
use Touchstone::Score::Cost;
use Touchstone::Score::Index;
use Touchstone::Score;

# A longer name keeps this many letters of its beginning and of its end, where numbers are.
my ($LONGEST, $HEAD, $TAIL) = (32, 17, 12);

# What may distinguish runs of one host, each as a sub from a run to words behind the host, or undef. The
# first that is known of all, and different in all, is taken.
my @DISTINCTIONS = (
    sub { my ($run) = @_; return $run->{set} && "($run->{set}{name})" },
    sub { my ($run) = @_; return defined $run->{place} ? "($run->{place})" : undef },
    _with('h model',   sub { return $_[0] =~ s/\((?:R|TM)\)|\bCPU\b.*//gr =~ s/ +/ /gr =~ s/ \z//r }),
    _with('h release', sub { return "kernel $_[0]" }),
    sub {
        my $kind = Touchstone::Build::kind($_[0]{facts}{'b isa'});
        return $kind && "($kind)";
    },
    _with('b compiler_version', sub { return $_[0] =~ s/ ?\([^()]*\)//r }),
    _with('b flags',            sub { return $_[0] }),
    sub { my ($day) = _started(@_); return $day && "on $day" },
    sub { my ($day, $time) = _started(@_); return $day && "on $day, $time" },
);

# A run by path or name; `titles`: rows of the suites by title. The last report that can be read is the
# run of a text with several.
sub load {
    my ($run, $directory, $titles) = @_;
    return (load_each($run, $directory, $titles))[0] if defined +(_one_of($run))[1];
    my ($text, $facts) = _text_or_facts($run, $directory);
    return _of_facts($facts) if $facts;
    my $report = eval { Touchstone::Record::ClassicReader::parse($text, $titles) }
        or die _no_report($run, $@);
    return from_report($run, $report, $titles);
}

# The same of an operand that may be a text with several reports: each is a run. Those that cannot be read are
# in the notes of the others.
sub load_each {
    my ($run, $directory, $titles) = @_;
    my ($facts, @reports) = facts_or_reports($run, $directory, $titles);
    return _of_facts($facts) if $facts;
    my @refused = map { "a report is not read: $_->{why}" } grep { !$_->{data} } @reports;
    return map {
        push @{ $_->{data}{notes} }, @refused;
        from_report($_->{name}, $_->{data}, $titles);
    } grep { $_->{data} } @reports;
}

# The facts of a stored run, or undef and each report of a text, or the one that the operand names: { name,
# line, data or why it is not read }. Dies if none can be read.
sub facts_or_reports {
    my ($run, $directory, $titles) = @_;
    my ($file, $number) = _one_of($run);
    my ($text, $facts)  = _text_or_facts($file, $directory);
    return $facts if $facts;
    my @reports = eval { Touchstone::Record::ClassicReader::reports($text, $titles) }
        or die _no_report($file, $@);
    my $last = @reports;
    for my $i (1 .. $last) {
        my $report = $reports[ $i - 1 ];
        $report->{name} = _shown($file, '') . ($last > 1 ? " (report $i)" : '');
        $report->{why} =~ s/\n\z// if !$report->{data};
    }
    die "'$file' has no report $number, only ", plural($last, 'report'), "\n" if ($number // 1) > $last;
    @reports = $reports[ $number - 1 ]          if $number;
    die _no_report($file, "$reports[0]{why}\n") if !grep { $_->{data} } @reports;
    return (undef, @reports);
}

# (file, number of a report in it) for an operand such as "FILE (report 2)".
sub _one_of {
    my ($run) = @_;
    return -f $run || $run !~ /\A(.+) \(report ([1-9]\d{0,3})\)\z/s || !-f $1 ? ($run) : ($1, $2);
}

sub _no_report { my ($run, $why) = @_; return _shown($run, "'") . " is not a report of UnixBench: $why" }

sub _shown {
    my ($run, $quote) = @_;
    return $run eq $Touchstone::Record::STANDARD_INPUT ? 'standard input' : "$quote$run$quote";
}

# The text of a report, or undef and the facts of a record.
sub _text_or_facts {
    my ($run, $directory) = @_;
    my $text =
        $run eq $Touchstone::Record::STANDARD_INPUT || -f $run ? Touchstone::Record->text_of($run) : undef;
    return (undef, Touchstone::Record->load($run, $directory)) if !defined $text;

    # A pasted block knows more than the text around it.
    my $is_classic =
           length $text <= $Touchstone::Record::Largest::TEXT
        && !Touchstone::Record::PasteBlock::holds($text)
        && Touchstone::Record::ClassicReader::looks_like($text);

    # The record beside a report of ours knows more than the report.
    my $record = $run =~ s{([^/]+)\z}{.runs/$1.json}r;
    return _text_or_facts($record, $directory) if $is_classic && -f $record;
    return $is_classic ? $text : (undef, Touchstone::Record->of_text($run, $text));
}

sub _of_facts { my ($facts) = @_; return from_record($facts, Touchstone::Score::scores($facts)) }

# A run as Compare wants it, from its facts and its results.
sub from_record {
    my ($facts, $results) = @_;
    my $warnings = Touchstone::Record::Warnings::collect($facts, $results);
    my %row      = map { $_->{name} => $_ } @{ $facts->{tests} };
    my (%tests, %indexes, %events);
    push @{ $events{"$_->{copies} $_->{test}"} }, $_
        for grep { $_->{events} || $_->{uncounted} } @{ $facts->{passes} || [] };
    for my $block (@{ $results->{blocks} }) {
        my $copies  = $block->{copies};
        my $counted = ($results->{counted} || {})->{$copies};
        for my $test (@{ $block->{tests} }) {
            my @scores = _scores($facts, $copies, $row{ $test->{name} }, $test);
            if ($counted) {
                my @passes = @{ $facts->{passes} }[ @{ $counted->{ $test->{name} } } ];
                $scores[0]{passes} = \@passes if $scores[0]{most_rounds};
                $scores[0]{costs}  = _costs($test, \@passes, $events{"$copies $test->{name}"});
            }
            $tests{"$copies $_->{name}"} = $_ for @scores;
        }
        $indexes{"$copies $_->{key}"} = { %$_, copies => $copies } for _indexes(@{ $block->{indexes} });
    }
    return {
        name       => name_of($facts),
        started    => $facts->{started},
        utc_offset => $facts->{utc_offset},
        place      => place_of($facts),
        facts      => Touchstone::Compare::Differences::of_record($facts),
        duet       => $facts->{duet},
        is_check   => ref $facts->{check} ? 1 : 0,
        tool       => $facts->{tool},
        set        => $facts->{set},
        price      => $facts->{price},
        invalid    => Touchstone::Record::Warnings::why_invalid($facts, $results),
        unfair     => Touchstone::Record::Warnings::why_invalid($facts, $results, but => 'disturbed'),
        tests   => \%tests,
        indexes => \%indexes,
        judged  => { map { $_->{name} => 1 } map { @{ $_->{verdict_tests} || [] } } @{ $results->{blocks} } },
        note    => _doubts($facts, $results),
        unbuilt => [ map { $_->{text} } grep { $_->{id} eq 'build' } @$warnings ]
    };
}

sub _costs {
    my ($test, $passes, $events) = @_;
    my ($why, @costs) = Touchstone::Score::Cost::of_passes($test, $passes);
    return { why    => $why } if defined $why;
    return { passes => \@costs, events => Touchstone::Compare::EventSplit::of_passes(@{ $events || [] }) };
}

# The indexes of a block, each with what it is among the others.
sub _indexes {
    my (@indexes) = @_;
    my %role = Touchstone::Score::Index::roles(@indexes);
    return map {
        my $index = $indexes[$_];
        my $role  = $role{ $index->{key} };
        my $label = $role eq 'part' ? Touchstone::Score::Index::label($index, @indexes) : undef;
        +{
            %$index,
            role  => $role,
            label => $label,
            order => $_,
            tests => [ sort @{ $index->{tests} } ]
        }
    } 0 .. $#indexes;
}

# The score of a test, and those of what else it measured.
sub _scores {
    my ($facts, $copies, $row, $test) = @_;
    my %common = (
        copies  => $copies,
        version => Touchstone::Compare::Differences::version_of($facts, $row),
        work    => Touchstone::Compare::Differences::work(
            $facts->{tool}, $row->{name}, $copies, $facts->{host}{usable_cpus}
        ),
        conditions => Touchstone::Compare::Differences::conditions($facts, $row, $test),
        defined $facts->{duet} ? map { $_ => $facts->{schedule}{$_} } qw(most_rounds margin) : ()
    );
    my @measures = map {
        my $measure = $_;
        +{
            %common,
            part => 1,
            (map { $_ => $measure->{$_} } qw(unit better score rates interval error limited over_time)),
            name  => "$test->{name} $measure->{name}",
            title => "$test->{title} $measure->{name}"
        }
    } @{ $test->{measures} || [] };
    return (
        {
            %common,
            map { $_ => $test->{$_} }
                qw(name title unit better score rates interval error index missing consistency tail limited
                over_time)
        },
        @measures
    );
}

# Returns the name of a run in comparisons: two of a duet are told apart by the places of their programs.
sub name_of {
    my ($facts) = @_;
    my $place = place_of($facts);
    return $facts->{name} . (defined $place ? " ($place)" : '');
}

# Returns the directory of the programs of a duet.
sub place_of {
    my ($facts) = @_;
    return defined $facts->{duet} && defined $facts->{programs} ? $facts->{programs} =~ s{.*/}{}sr : undef;
}

sub _doubts {
    my ($facts, $results) = @_;
    my @doubts = ($facts->{status} // '') eq 'complete' ? () : 'this run did not come to its end';
    my %below  = map { $_->{name} => 1 } map { @{ $_->{below_resolution} } } @{ $results->{blocks} };
    push @doubts, 'below the resolution: ' . join ', ', sort keys %below if %below;
    return @doubts ? join '; ', @doubts : undef;
}

# The run of a report, the data of Record::ClassicReader, which has neither passes nor intervals.
sub from_report {
    my ($name, $report, $titles) = @_;
    my (%tests, %indexes);
    my %category = map { $_->{heading} => $_->{category} } values %$titles;
    my %own      = map { $_->{key}     => 1 } map { @{ $_->{indexes} || [] } } values %$titles;
    for my $block (_one_of_each(@{ $report->{blocks} })) {
        for my $test (@{ $block->{tests} }) {
            $tests{"$block->{copies} $test->{name}"} = {
                copies => $block->{copies},
                _classic_score($report, $test, $titles->{ $test->{title} } || {}),
                work => Touchstone::Compare::Differences::work(
                    _tool($report), $test->{name}, @$block{qw(copies cpus)}
                )
            };
        }
        for my $index (@{ $block->{indexes} }) {
            my ($key, @members) =
                _members($index, $block, $titles, $category{ $index->{title} } // 'misc', $report->{old});
            $indexes{"$block->{copies} $key"} = {
                title     => $index->{title},
                name      => Touchstone::Score::Index::name_of($key),
                copies    => $block->{copies},
                score     => $index->{score},
                reference => $own{$key} ? 'that of its suite' : undef,
                tests     => [ sort map { $_->{name} } @members ]
            };
        }
    }
    return {
        name    => $name,
        report  => 1,
        tool    => _tool($report),
        facts   => _classic_facts($report),
        tests   => \%tests,
        indexes => \%indexes,
        note    => join '; ',
        'a text report of UnixBench holds no passes, so there are ratios without intervals',
        @{ $report->{notes} }
    };
}

# Runs with as many copies replace each other: the later one counts, unless it was cut off before its
# indexes. The tests of one do not belong to the indexes of another.
sub _one_of_each {
    my (@blocks) = @_;
    my %of;
    for my $block (@blocks) {
        my $before = $of{ $block->{copies} };
        $of{ $block->{copies} } = $block if !$before || @{ $block->{indexes} } || !@{ $before->{indexes} };
    }
    return map { $of{$_} } sort { $a <=> $b } keys %of;
}

sub _classic_score {
    my ($report, $test, $row) = @_;
    return (
        better  => 'higher',
        rates   => [],
        unlike  => _is_ours($report) ? undef : $row->{unlike},
        version => _version($report, $row),
        (map { $_ => $test->{$_} } grep { !/\A(?:line|row)\z/ } keys %$test),
        _in_seconds($test, $row)
    );
}

# Returns the key of an index and its tests. An index of a suite lists them; that of a category has its index
# tests or, if none of these was measured, all others; that of version 4 has all that stand in it.
sub _members {
    my ($index, $block, $titles, $category, $all) = @_;
    my @with = grep { defined $_->{index} } @{ $block->{tests} };
    my %own  = map {
        my $test = $_;
        map { ("$_->{title}\n$test->{name}" => $_->{key}) }
            @{ ($titles->{ $test->{title} } || {})->{indexes} || [] }
    } @with;
    my @mine = grep { defined $own{"$index->{title}\n$_->{name}"} } @with;
    return ($own{"$index->{title}\n$mine[0]{name}"}, @mine) if @mine;
    @mine = grep { @{ $block->{indexes} } == 1 || ($_->{table} // '') eq $index->{title} } @with;
    return ($category, @mine) if $all;
    my @members = grep { my $row = $titles->{ $_->{title} }; !$row || $row->{index} } @mine;
    return ($category, @members ? @members : @mine);
}

# Reports show them in the unit that reads best.
sub _in_seconds {
    my ($test, $row) = @_;
    my $divisor = $Touchstone::Base::Direction::IN_SECOND{ $test->{unit} };
    return if !%$row || !$divisor || !is_lower_better($row);
    return (
        better => 'lower',
        unit   => $Touchstone::Base::Direction::SECONDS,
        score  => $test->{score} / $divisor
    );
}

# A text report of ours does not say the versions of its tests, but which Touchstone made it.
sub _version {
    my ($report, $row) = @_;
    return undef if !_is_ours($report);
    my ($made, $since) = map { [ ($_ // '') =~ /(\d+)/g, 0, 0, 0 ] } $report->{version}, $row->{since};
    my $aller = $made->[0] <=> $since->[0] || $made->[1] <=> $since->[1] || $made->[2] <=> $since->[2];
    return $aller < 0 ? $row->{version} - 1 : $row->{version};
}

# Versions of ours begin at 7.
sub _is_ours { my ($report) = @_; return ($report->{version} // 0) !~ /\A[0-6]\b/ }

sub _tool {
    my ($report) = @_;
    return { name => _is_ours($report) ? 'Touchstone' : 'UnixBench', version => $report->{version} };
}

sub _classic_facts {
    my ($report) = @_;
    my $system = $report->{system};
    my %seen;
    my $models = join ', ', grep { $_ ne 'unknown' && !$seen{$_}++ } map { $_->{model} } @{ $system->{cpus} };
    my %facts =
        map { ("h $_" => $system->{$_}) } grep { defined $system->{$_} } qw(name os release version machine);
    $facts{'h model'} = $models if length $models;
    my $tool = _tool($report);
    $facts{'r tool'}   = "$tool->{name} $tool->{version}" if defined $tool->{version};
    $facts{'r locale'} = $system->{locale}{name}          if defined $system->{locale}{name};
    return \%facts;
}

# What runs are called in sentences and in heads of tables: by their host and, if several are of one host, by
# what distinguishes them:
#
#   m7a-large, c7i-large
#   vm with kernel 6.12, vm with kernel 6.15
#   vm (native build), vm (portable build)
#   vm on 2026-11-21, 14:02, vm on 2026-11-21, 15:10
#   o2, o3                                             sets of one --build
sub labels {
    my (@runs)  = @_;
    my @builds  = _builds(@runs);
    my @hosts   = _without_domain(map { plain($_->{facts}{'h name'} // $_->{name}) } @runs);
    my %of_host = ();
    push @{ $of_host{ $hosts[$_] } }, $_ for 0 .. $#runs;
    my @labels = @builds;
    for my $host (@builds ? () : keys %of_host) {
        my @places = @{ $of_host{$host} };
        @labels[@places] = @places == 1 ? $host : _distinguished($host, @runs[@places]);
    }
    my @short = map { _cut($_) } @labels;
    return _are_different(@short) ? @short : _numbered(@runs);
}

# Cuts the names of runs; what is the same then, but was not, gets a number.
sub _numbered {
    my (@runs) = @_;
    my (%known, %used);
    return map {
        my $name = $_->{name};
        $known{$name} //= do {
            my $cut  = _cut(plain($name));
            my $many = ++$used{$cut};
            $many > 1 ? "$cut ($many)" : $cut;
        }
    } @runs;
}

# The sets of one --build, or the directories of a duet, have names of their own.
sub _builds {
    my (@runs) = @_;
    return if !defined $runs[0]{duet} || grep { ($_->{duet} // '') ne $runs[0]{duet} } @runs;
    my @names = map { plain($_->{set} ? $_->{set}{name} : $_->{place} // '') } @runs;
    return _are_different(@names) && !(grep { !length } @names) ? @names : ();
}

sub _distinguished {
    my ($host, @runs) = @_;
    for my $words (@DISTINCTIONS) {
        my @words = map { $words->($_) } @runs;
        return map { plain("$host $_") } @words
            if !(grep { !defined || !length } @words) && _are_different(@words);
    }
    return map { plain($_->{name}) } @runs;
}

sub _are_different {
    my (@texts) = @_;
    my %seen = map { $_ => 1 } @texts;
    return keys %seen == @texts;
}

sub _with {
    my ($fact, $words) = @_;
    return sub {
        my ($run) = @_;
        my $value = $run->{facts}{$fact} // '';
        return length $value ? 'with ' . $words->($value) : undef;
    };
}

# The day and the time of day at which a run began.
sub _started {
    my ($run) = @_;
    return if !defined $run->{started};
    return map { date($_, @$run{qw(started utc_offset)}) } '%Y-%m-%d', '%H:%M';
}

# A domain that all hosts have says nothing; what begins with a number may be an address.
sub _without_domain {
    my (@hosts) = @_;
    my %domains = map { (/\A[^.\d][^.]*(\..+)\z/s ? $1 : '') => 1 } @hosts;
    my ($domain, @others) = keys %domains;
    return @hosts if @others || !length $domain;
    return map { substr $_, 0, length($_) - length $domain } @hosts;
}

sub _cut {
    my ($text) = @_;
    return $text if width($text) <= $LONGEST;
    utf8::decode(my $letters = $text);
    my $cut = substr($letters, 0, $HEAD) . '...' . substr $letters, -$TAIL;
    utf8::encode($cut) if utf8::is_utf8($cut);
    return $cut;
}

1;
