# SPDX-License-Identifier: GPL-2.0-or-later
# Report - a record with its results, arranged for all reports: what stands in which table, in which order, under which heading.
#
#   { version, title, when => [ 'Sat Nov 21 2026', '01:57:38' ], host => {...}, locale => {...}, cpus => [{ id, model, bogomips, flags }], brief => 0,
#     blocks => [ { date => 'Sat Nov 21 2026', from => '01:57:38', to => '01:58:04', cpus => '2 CPUs', copies => '1 parallel copy',
#                   count => 1, tests => [ Score's rows, seconds in ms, us or ns ], exact => [ the same in seconds ], below => [ rows ],
#                   tables => [ { heading, rows => [...], even => { heading, rows } in one unit, when all rows are seconds, lines => [ an index each: { label, score, places, interval, times its baseline, gained ... } ], base, reference } ], passes => what Report::Passes gives, spreads => the same of how far copies are apart } ],
#     beside => { byte1984 => what Touchstone::Suite::Byte1984::Tables gives }, scaling => { copies, rows } or undef, speedup => Scaling's table or undef, curves => the same with points, whenever there are two copy counts, failures => [ { test, text, short, remedy, output } ], skipped => [ the same ], warnings => [...],
#     unfinished => 'Stopped before its end: nothing with 2 copies' or undef }
package Touchstone::Report;
use 5.014;
use strict;
use warnings;

use List::Util qw(max);
use POSIX ();

use Touchstone::Base::Speed;
use Touchstone::Base::Text;
use Touchstone::Report::Passes;
use Touchstone::Score::Scaling;

my @DAYS   = qw(Sun Mon Tue Wed Thu Fri Sat);
# Unit, how many make a second, from how many seconds it is used for the figures of a test, and for one with three digits.
my @UNITS  = map { [ $_->[0], $Touchstone::Base::Speed::IN_SECOND{ $_->[0] }, @$_[ 1, 2 ] ] }
    [ s => 100, 1 ], [ ms => 0.1, 1e-3 ], [ us => 1e-4, 1e-6 ], [ ns => 0, 0 ];
# The unit of a table whose figures have none of their own: seconds of 1984 in ns would not fit into a column of
# the text report.
my $EVEN = [ us => $Touchstone::Base::Speed::IN_SECOND{us} ];
my @MONTHS = qw(Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec);

sub model {
    my ($record) = @_;
    my %results = map { $_->{copies} => $_ } @{ $record->{results} };
    my %units   = map { $_->{name} => unit_for($_->{score}) } grep { Touchstone::Base::Speed::is_lower_better($_) } reverse map { @{ $_->{tests} } } @{ $record->{results} };
    return plain({
        version  => $record->{tool}{version}, host => $record->{host}, locale => $record->{locale}, name => $record->{name},
        cpus     => $record->{host}{cpus}, brief => $record->{brief} ? 1 : 0, build => $record->{build}, flags => _flags($record->{build}), schedule => $record->{schedule},
        when     => [ defined $record->{started} ? local_time($record, $record->{started}) : () ], map({ $_ => $record->{$_} } qw(pin purpose programs status suites equipment)),
        passport => $record->{passport}, baseline => $record->{baseline}, set => _set($record->{set}),
        blocks   => [ map { _block($record, $_, $results{ $_->{copies} }, \%units) } @{ $record->{blocks} } ],
        units    => \%units, beside => $record->{beside} || {}, scaling => _explained($record, $record->{scaling}),
        speedup => _explained($record, $record->{speedup}),
        curves => _explained($record, scalar Touchstone::Score::Scaling::curves($record)), titles => [ _titles($record) ],
        failures => [ map { _trouble($_, 'failed') } @{ $record->{failures} } ],
        skipped  => [ map { _trouble($_, 'skipped') } @{ $record->{skipped} } ],
        warnings => $record->{warnings}, unfinished => _unfinished($record), unlike => [ _unlike($record) ],
    });
}

# Of a run that is not complete: how far it came. Whoever reads its index must know.
my %HOW_IT_ENDED = (stopped => 'Stopped before its end', running => 'Still running, or cut off');
sub _unfinished {
    my ($record) = @_;
    my $how   = $HOW_IT_ENDED{ $record->{status} // '' } or return undef;
    my %has   = map { $_->{copies} => 1 } grep { @{ $_->{tests} } || @{ $_->{below} } } @{ $record->{results} };
    my %ended = map { $_->{copies} => 1 } grep { defined $_->{ended} } @{ $record->{blocks} };
    my %asked = map { $_ => 1 } @{ ($record->{schedule} || {})->{copies} || [] }, keys %has;
    my @asked = sort { $a <=> $b } keys %asked;
    my @lacks = ([ 'nothing', grep { !$has{$_} } @asked ], [ 'not all passes', grep { $has{$_} && !$ended{$_} } @asked ]);
    my @said  = map { my ($what, @copies) = @$_; @copies ? "$what with " . join(', ', map { Touchstone::Base::Text::copies($_) } @copies) : () } @lacks;
    return join ': ', $how, @said ? join '; ', @said : ();
}

# Which scores must not be put beside UnixBench's of the same titles: a line for each reason.
sub _unlike {
    my ($record) = @_;
    my %has = map { $_->{name} => 1 } map { @{ $_->{tests} } } @{ $record->{results} };
    my %names;
    my @unlike = grep { defined $_->{unlike} && $has{ $_->{name} } } @{ $record->{tests} };
    push @{ $names{ $_->{unlike} } }, $_->{name} for @unlike;
    return map { "not comparable with UnixBench's: " . join(', ', @{ $names{$_} }) . " ($_)" } sort keys %names;
}

# "'o3': -O3" of a build that --build asked for.
sub _set {
    my ($set) = @_;
    return $set ? "'$set->{name}': " . ($set->{asked} =~ /\S/ ? $set->{asked} : 'no flags') : undef;
}

# Of the suites that were measured.
sub _flags {
    my ($build) = @_;
    my @suites = grep { !/\A(?:harness|user)\z/ } map { /\Aflags_(\w+)\z/ } sort keys %$build;
    return @suites == 1 ? $build->{"flags_$suites[0]"} : @suites ? join '; ', map { qq{$_: $build->{"flags_$_"}} } @suites : 'unknown';
}

# A copy in which every text is fit for a line: hosts and strangers' records may call themselves anything. So are names of members: those of
# tools are shown, and those of tests must be found by what the tests are called.
sub plain {
    my ($data) = @_;
    return defined $data ? Touchstone::Base::Text::plain($data) : undef if !ref $data;
    return ref $data eq 'HASH' ? { map { Touchstone::Base::Text::plain($_) => plain($data->{$_}) } keys %$data } : [ map { plain($_) } @$data ];
}

sub _block {
    my ($record, $block, $results, $units) = @_;
    my @tests = map { in_unit($_, $units->{ $_->{name} }) } @{ $results->{tests} };
    my ($date, $from) = local_time($record, $block->{started});
    my (undef, $to)   = local_time($record, $block->{ended} // _last_seen($record, $block));
    my $online = $record->{host}{online_cpus};
    return {
        date => $date, from => $from, to => $to, count => $block->{copies}, tests => \@tests, exact => $results->{tests}, below => $results->{below},
        cpus   => $online == 1         ? '1 CPU'           : "$online CPUs",
        copies => $block->{copies} == 1 ? '1 parallel copy' : "$block->{copies} parallel copies",
        tables => [ _tables($record, $results, \@tests) ], passes => Touchstone::Report::Passes::of_block($record, $results, $units),
        spreads => Touchstone::Report::Passes::spreads_of_block($record, $results),
    };
}

# [unit, how many of it make a second] in which this many seconds have three digits or more before the point; a test keeps it in all
# blocks of a report.
sub unit_for {
    my ($seconds) = @_;
    my ($unit) = grep { $seconds >= $_->[2] } @UNITS;
    return $unit;
}

# A result with its seconds in another unit.
sub in_unit {
    my ($test, $unit) = @_;
    return $test if !$unit;
    my %in = (%$test, unit => $unit->[0]);
    $in{$_} = $in{$_} * $unit->[1] for grep { defined $in{$_} } qw(score baseline clean_score);
    $in{$_} = [ map { $_ * $unit->[1] } @{ $in{$_} } ] for grep { $in{$_} } qw(interval);
    return \%in;
}

# "534 us": three digits, or as many as the interval supports when that is fewer; in the unit that reads best, or in this one.
sub seconds {
    my ($seconds, $interval, $wanted) = @_;
    my $round = abs $seconds * (1 + 5e-4);
    my ($unit, $by) = @{ (grep { defined $wanted ? $_->[0] eq $wanted : $round >= $_->[3] } @UNITS)[0] || $UNITS[-1] };
    return three_digits($seconds * $by, $interval && [ map { $_ * $by } @$interval ], $round * $by) . " $unit";
}

# "1.93", "178", "17800": or fewer where the interval supports no more. `round`: a size that has no more digits when it is rounded.
sub three_digits {
    my ($value, $interval, $round) = @_;
    $round //= abs $value * (1 + 5e-4);
    my $digits = $round > 0 ? 2 - POSIX::floor(POSIX::log10($round)) : 0;
    my $sure   = _digits(@{ $interval || [] });
    return _rounded($value, defined $sure && $sure < $digits ? $sure : $digits);
}

# Date and time of day at the place of the run, in English.
sub local_time {
    my ($record, $epoch) = @_;
    my ($s, $m, $h, $day, $month, $year, $weekday) = gmtime($epoch + $record->{utc_offset});
    return (sprintf('%s %s %02d %d', $DAYS[$weekday], $MONTHS[$month], $day, $year + 1900), sprintf('%02d:%02d:%02d', $h, $m, $s));
}

# Of a run that was cut off.
sub _last_seen {
    my ($record, $block) = @_;
    my ($last) = grep { $_->{copies} == $block->{copies} } reverse @{ $record->{passes} };
    return $last && defined $last->{started} ? $last->{started} + ($last->{seconds} // 0) : $block->{started};
}

# A table for each category: its tests, and a line for each of its indexes.
sub _tables {
    my ($record, $results, $tests) = @_;
    my $copies = $results->{copies};
    my %title = map { $_->{key} => $_->{title} } @{ $record->{categories} };
    my (%of, @tables);
    push @{ $of{ $_->{category} } }, $_ for @{ $results->{indexes} };
    for my $category (grep { $of{$_} } map { $_->{key} } @{ $record->{categories} }) {
        my @lines = map { +{ _index_line($_), _beside_others($record, $copies, $_) } } @{ $of{$category} };
        my $partial = !grep { !$_->{partial} } @lines;
        my @rows    = grep { $_->{category} eq $category } @$tests;
        my $heading = $title{$category} . ($partial ? ' Partial Index' : ' Index Values');
        push @tables, { category => $category, heading => $heading, lines => \@lines, rows => \@rows, title => $title{$category},
            even => _even($heading, grep { $_->{category} eq $category } @{ $results->{tests} }),
            reference => _only_baseline($record), base => Touchstone::Base::Speed::scale_of((grep { defined $_->{index} } @rows)[0] || {}) };
    }
    return @tables;
}

# The text report has no unit beside a figure of a table: where all are seconds they are in one unit, which
# the heading names.
sub _even {
    my ($heading, @tests) = @_;
    return undef if grep { !Touchstone::Base::Speed::is_lower_better($_) } @tests;
    return { heading => "$heading ($EVEN->[0])", rows => [ map { in_unit($_, $EVEN) } @tests ] };
}

# `places`: decimals where a form has a fixed number of them.
sub _index_line {
    my ($index) = @_;
    return (label => "$index->{title} Index Score" . ($index->{partial} ? ' (Partial Only)' : ''), places => _is_small($index) ? 3 : 1,
        map({ $_ => $index->{$_} } qw(name title score partial reference interval precision disturbed clean_score)));
}

# An index beside that of its baseline, and beside that of the first copy count: `base` is the index of `reference`, which is this many
# `times` slower; `gained` is how many times as much as `first` copies have.
sub _beside_others {
    my ($record, $copies, $index) = @_;
    my ($times, @limits) = map { Touchstone::Base::Speed::times($index, $_) } $index->{score}, @{ $index->{interval} || [] };
    return (reference => $index->{reference} // _only_baseline($record), base => Touchstone::Base::Speed::scale_of($index), times => $times, times_interval => @limits ? \@limits : undef,
        _gained($record->{scaling}, $copies, $index->{name}));
}

sub _gained {
    my ($scaling, $copies, $name) = @_;
    my ($row)   = grep { $_->{name} eq $name } @{ ($scaling || {})->{rows} || [] } or return;
    my ($place) = grep { $scaling->{copies}[$_] == $copies } 1 .. $#{ $scaling->{copies} } or return;
    my ($gain, @limits) = map { Touchstone::Base::Speed::times_of_gain($_) } grep { defined } $row->{gains}[$place], @{ $row->{intervals}[$place] || [] };
    return (gained => $gain, gained_interval => @limits ? \@limits : undef, first => $scaling->{copies}[0]);
}

# Where suites with several are in one run the record does not say which is whose.
sub _only_baseline {
    my ($record) = @_;
    my $name = $record->{baseline};
    return defined $name && $name !~ /, / ? $name : undef;
}

# Whose baseline has the index 1, and not 10.
sub _is_small { my ($figure) = @_; return defined $figure->{scale} && $figure->{scale} < $Touchstone::Base::Speed::BASELINE_INDEX }

# Of all tests that have a result, sorted.
sub _titles {
    my ($record) = @_;
    my %seen;
    return sort grep { !$seen{$_}++ } map { $_->{title} } map { @{ $_->{tests} } } @{ $record->{results} };
}

sub _trouble {
    my ($entry, $verb) = @_;
    my $where = defined $entry->{copies} ? " with $entry->{copies} " . ($entry->{copies} == 1 ? 'copy' : 'copies') : '';
    # Lines of its own: the model makes each fit, and a line break would not be.
    my @output = split /\n/, $entry->{output} // '';
    return { test => $entry->{test}, text => "$entry->{test} $verb$where: $entry->{why}", short => "$entry->{test}$where: $entry->{why}", remedy => $entry->{remedy}, output => \@output };
}

# A table of several copy counts with what its figures are: a row of scores has their `unit`, one of a partial index
# has the `part` of its tests that were measured.
sub _explained {
    my ($record, $table) = @_;
    return $table if !$table;
    my @blocks = @{ $record->{results} };
    my %is = map { $_->{name} => { unit => Touchstone::Base::Speed::unit_of($_) } } map { @{ $_->{tests} } } @blocks;
    my @all = (@{ $record->{categories} }, @{ $record->{indexes} || [] });
    my %whole = map { $_->{key} => scalar @{ $_->{index} || $_->{tests} } } @all;
    for my $index (grep { $_->{partial} } map { @{ $_->{indexes} } } @blocks) {
        $is{ $index->{name} } = { title => "$index->{title} Partial Index", part => _part($index, $whole{ $index->{key} }) };
    }
    return { %$table, rows => [ map { +{ %$_, %{ $is{ $_->{name} } || {} } } } @{ $table->{rows} } ] };
}

sub _part {
    my ($index, $whole) = @_;
    my $is = @{ $index->{tests} };
    return "$is of $whole tests" if $is < $whole;
    return $is == $whole ? 'parts of a test are missing' : $is == 1 ? '1 test' : "$is tests";
}

# What a run with several copy counts shows beside its scores: a line a test, the values and the gain of each count over the first.
sub scaling_lines {
    my ($scaling, $label) = @_;
    my @labels = (_values_are($scaling), map { row_label($_, $label) } @{ $scaling->{rows} });
    my $form = '%-' . max(18, map { Touchstone::Base::Text::width($_) } @labels) . 's' . ' %10s' . ' %10s  %-22s' x (@{ $scaling->{copies} } - 1);
    my ($first, @more) = map { Touchstone::Base::Text::copies($_) } @{ $scaling->{copies} };
    my @lines = (sprintf $form, shift @labels, $first, map { ($_, 'gain, 95 % interval') } @more);
    for my $row (@{ $scaling->{rows} }) {
        my ($value, @values) = @{ $row->{values} };
        my @gains = map { gain($row->{gains}[$_], $row->{intervals}[$_]) } 1 .. @values;
        push @lines, sprintf $form, shift @labels, value($value), map { (value($values[$_]), $gains[$_]) } 0 .. $#values;
    }
    return map { s/ +\z//r } @lines;
}

# What stands in the columns of the copy counts.
sub _values_are {
    my ($scaling) = @_;
    my $scores = grep { defined $_->{unit} } @{ $scaling->{rows} };
    return $scores == @{ $scaling->{rows} } ? 'score (unit)' : $scores ? 'index, or score (unit)' : 'index';
}

# What a row of several copy counts is called: by its name, for the terminal, or by its title. The unit is that of a
# score; an index has none.
sub row_label {
    my ($row, $label) = @_;
    my $name = $label eq 'name' && defined $row->{part} ? "partial $row->{name}" : $row->{$label};
    my $unit = $label eq 'name' ? spoken_unit($row->{unit}) : $row->{unit};
    return $name . (defined $row->{part} ? ", $row->{part}" : '') . (defined $unit ? " ($unit)" : '');
}

# Words in the place of units that programs search the terminal for.
my %SPOKEN = (lps => 'per second', lpm => 'per minute', MWIPS => 'million Whetstone instructions per second');
sub spoken_unit { my ($unit) = @_; return $SPOKEN{ $unit // '' } // $unit }

# Of a table of gains. Units a second may be far fewer than one.
sub value { my ($value) = @_; return sprintf $value > 0 && $value < 1 ? '%.3g' : '%.1f', $value }

# A figure with no more digits than its interval supports: the last two digits of it are uncertain.
sub figure {
    my ($value, $interval) = @_;
    return _rounded($value, _digits(@{ $interval || [] }) // 1);
}

# The same on pages, where a figure without an interval has four digits, and no more than so many behind the point.
my ($FOUR, $SMALLEST) = (4, 1e-300);
sub shown {
    my ($value, $interval, $places) = @_;
    return figure($value, $interval) if defined _digits(@{ $interval || [] }) || abs $value < $SMALLEST || $value - $value != 0;
    my $first  = (sprintf('%.*e', $FOUR - 1, $value) =~ /e(.*)/)[0];
    my $digits = $FOUR - 1 - $first;
    return _rounded($value, defined $places && $places < $digits ? $places : $digits);
}

sub shown_index { my ($test) = @_; return shown(@$test{qw(index index_interval)}, index_places($test)) }

# Behind the point; below 0, so many zeros stand before it. Nothing when the interval has no width.
sub _digits {
    my ($low, $high) = @_;
    my $half = defined $low ? ($high - $low) / 2 : 0;
    return $half > 0 ? 1 - POSIX::floor(POSIX::log10($half)) : undef;
}

sub _rounded {
    my ($value, $digits) = @_;
    return sprintf '%.*f', $digits > 9 ? 9 : $digits, $value if $digits >= 0;
    my $unit = 10**-$digits;
    return sprintf '%.0f', POSIX::floor($value / $unit + 0.5) * $unit;
}

# The index of a test with as many digits as the interval of its score supports.
sub index_figure {
    my ($test) = @_;
    return $test->{index_interval} ? figure($test->{index}, $test->{index_interval}) : sprintf '%.*f', index_places($test), $test->{index};
}

# A baseline of BYTEmark has five digits.
sub baseline_figure { my ($test) = @_; return sprintf _is_small($test) ? '%.9g' : '%.1f', $test->{baseline} }

sub index_places { my ($test) = @_; return _is_small($test) ? 2 : 1 }

# The figure of a line of a table of indexes.
sub index_score {
    my ($line) = @_;
    return $line->{interval} ? figure($line->{score}, $line->{interval}) : sprintf '%.*f', $line->{places}, $line->{score};
}

# "1.2 %" of a part of 0.012.
sub part {
    my ($part) = @_;
    my $percent = $part * 100;
    return sprintf '%.*f %%', $percent >= 10 ? 0 : $percent >= 1 ? 1 : 2, $percent;
}

# How sure a score is, in words.
sub sureness {
    my ($precision) = @_;
    return defined $precision ? '+- ' . part($precision) : 'n too small';
}

# A field of a CSV. Titles of ours need no quotes; a record from elsewhere may hold anything, also what a spreadsheet takes for a formula:
# within quotes it still does, behind an apostrophe it does not.
sub field {
    my ($text) = @_;
    $text //= '';
    return $text if $text !~ /[",\r\n]|\A[=+\@-]/ || $text =~ /\A-?[\d.]+(?:e[-+]?\d+)?\z/;
    $text =~ s/\A(?=[=+\@-])/'/;
    $text =~ s/"/""/g;
    return qq{"$text"};
}

# "96 %, 94 to 98".
sub gain {
    my ($gain, $interval) = @_;
    return 'n/a' if !defined $gain;
    my ($middle, @limits) = map { sprintf('%.0f', $_) =~ s/^-0\z/0/r } $gain, @{ $interval || [] };
    return "$middle %" . (@limits ? ", $limits[0] to $limits[1]" : '');
}

1;
