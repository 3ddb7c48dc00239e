# SPDX-License-Identifier: GPL-2.0-or-later
# Report::Model - the facts and the results of a run, arranged for all reports: what stands in which table,
# in which order, under which heading. It is made once and handed to every report.
#
#   {
#       version, name, host, locale, build, schedule, equipment and more of the facts,
#       when       => [ 'Sat Nov 21 2026', '01:57:38' ],
#       cpus       => [ { id, model, bogomips, flags } ],
#       blocks     => [
#           {
#               date    => 'Sat Nov 21 2026',
#               from    => '01:57:38',
#               to      => '01:58:04',
#               cpus    => '2 CPUs',
#               copies  => '1 parallel copy',
#               count   => 1,
#               tests   => [ Score's rows, seconds in ms, us or ns; each has that in seconds as `exact` ],
#               exact   => [ the same in seconds ],
#               below_resolution => [ rows ],
#               verdict_tests    => [ rows of tests that have a verdict and no score ],
#               tables  => [ a category each, as _tables gives it ],
#               passes  => { test => [ a pass each, as _pass gives it ] },
#               spreads => what Score::Rate::evenness says of each test
#           }
#       ],
#       published  => { byte1984 => what this suite shows, against => the comparison with a baseline },
#       scaling    => { copies, rows } or undef,
#       speedup    => Score::Scaling's table or undef,
#       curves     => the same with points, whenever there are two copy counts,
#       failures   => [ { test, text, short, remedy, output } ],
#       skipped    => [ the same ],
#       warnings   => [ those of Record::Warnings ],
#       invalid       => why its scores are not valid, as Record::Warnings has it, or undef,
#       unfinished => 'Stopped before its end: nothing with 2 copies' or undef
#   }
package Touchstone::Report::Model;
use 5.014;
use strict;
use warnings;

use Touchstone::Base::Figure qw(no_interval);
use Touchstone::Base::Direction qw(is_lower_better);
use Touchstone::Base::Text qw(copies plain_data plural);
use Touchstone::Base::Time qw(local_time);
use Touchstone::Build;
use Touchstone::Record::Warnings;
use Touchstone::Report::SpeedupText;
use List::Util qw(min);

# The unit of a table whose figures have none of their own: seconds of 1984 in ns would not fit into a column
# of the text report.
my $EVEN = [ us => $Touchstone::Base::Direction::IN_SECOND{us} ];

sub build_model {
    my ($facts, $results) = @_;
    my @results = @{ $results->{blocks} };
    my %block   = map { $_->{copies} => $_ } @results;
    my $against = $results->{against};
    my %units =
        map         { $_->{name} => Touchstone::Base::Figure::unit_for($_->{score}) }
        grep        { is_lower_better($_) }
        reverse map { @{ $_->{tests} } } @results;
    return plain_data(
        {
            version  => $facts->{tool}{version},
            host     => $facts->{host},
            locale   => $facts->{locale},
            name     => $facts->{name},
            cpus     => $facts->{host}{cpus},
            brief    => $facts->{brief} ? 1 : 0,
            build    => $facts->{build},
            flags    => Touchstone::Build::measured_flags($facts->{build}),
            schedule => $facts->{schedule},
            when => [ defined $facts->{started} ? local_time($facts->{started}, $facts->{utc_offset}) : () ],
            map({ $_ => $facts->{$_} } qw(pin price purpose programs status suites equipment)),
            passport => $facts->{passport},
            baseline => $facts->{baseline},
            set      => _set($facts->{set}),
            blocks   => [
                map { _block($facts, $results, $_, $block{ $_->{copies} }, \%units) } @{ $facts->{blocks} }
            ],
            published => { %{ $results->{published_results} }, $against ? (against => $against) : () },
            map({ $_ => _explained($facts, $results, $results->{$_}) } qw(scaling speedup curves)),
            titles     => [ _titles(@results) ],
            failures   => [ map { _trouble($_, 'failed') } @{ $facts->{failures} } ],
            skipped    => [ map { _trouble($_, 'skipped') } @{ $facts->{skipped} } ],
            warnings   => Touchstone::Record::Warnings::collect($facts, $results),
            invalid    => Touchstone::Record::Warnings::why_invalid($facts, $results),
            unfinished => _unfinished($facts, @results),
            unlike     => [ _unlike($facts, @results) ],
        }
    );
}

# Tells how far an unfinished run came, which a reader of its index must know.
my %HOW_IT_ENDED = (stopped => 'Stopped before its end', running => 'Still running, or interrupted');

sub _unfinished {
    my ($facts, @results) = @_;
    my $how = $HOW_IT_ENDED{ $facts->{status} // '' } or return undef;
    my %has =
        map { $_->{copies} => 1 }
        grep { @{ $_->{tests} } || @{ $_->{below_resolution} } || @{ $_->{verdict_tests} || [] } } @results;
    my %ended = map  { $_->{copies} => 1 } grep { defined $_->{ended} } @{ $facts->{blocks} };
    my %asked = map  { $_ => 1 } @{ ($facts->{schedule} || {})->{copies} || [] }, keys %has;
    my @asked = sort { $a <=> $b } keys %asked;
    my @lacks = (
        [ 'nothing',        grep { !$has{$_} } @asked ],
        [ 'not all passes', grep { $has{$_} && !$ended{$_} } @asked ]
    );
    my @phrases = map {
        my ($what, @copies) = @$_;
        @copies ? "$what with " . join(', ', map { copies($_) } @copies) : ()
    } @lacks;
    return join ': ', $how, @phrases ? join '; ', @phrases : ();
}

# Lists the scores that must not be put beside UnixBench's of the same titles, a line for each reason.
sub _unlike {
    my ($facts, @results) = @_;
    my %has = map { $_->{name} => 1 } map { @{ $_->{tests} } } @results;
    my %names;
    my @unlike = grep { defined $_->{unlike} && $has{ $_->{name} } } @{ $facts->{tests} };
    push @{ $names{ $_->{unlike} } }, $_->{name} for @unlike;
    return
        map { "not comparable with UnixBench's: " . join(', ', @{ $names{$_} }) . " ($_)" } sort keys %names;
}

# "'o3': -O3" of a build that --build asked for.
sub _set {
    my ($set) = @_;
    return $set ? "'$set->{name}': " . ($set->{asked} =~ /\S/ ? $set->{asked} : 'no flags') : undef;
}

sub _block {
    my ($facts, $results, $block, $findings, $units) = @_;
    my @tests = map {
        { %{ Touchstone::Base::Figure::in_unit($_, $units->{ $_->{name} }) }, exact => $_ }
    } @{ $findings->{tests} };
    my ($date, $from) = local_time($block->{started},                             $facts->{utc_offset});
    my (undef, $to)   = local_time($block->{ended} // _last_seen($facts, $block), $facts->{utc_offset});
    my $online = $facts->{host}{online_cpus};
    return {
        date             => $date,
        from             => $from,
        to               => $to,
        count            => $block->{copies},
        tests            => \@tests,
        exact            => $findings->{tests},
        below_resolution => $findings->{below_resolution},
        verdict_tests    => $findings->{verdict_tests},
        cpus             => plural($online, 'CPU'),
        copies           => plural($block->{copies}, 'parallel copy', 'parallel copies'),
        tables           => [ _tables($facts, $findings, $results->{scaling}, \@tests) ],
        passes           => _passes_of($facts, $results, $findings, $units),
        spreads          => $results->{spreads}{ $block->{copies} } || {},
    };
}

# When a block of a run that was cut off was seen last.
sub _last_seen {
    my ($facts, $block) = @_;
    my ($last) = grep { $_->{copies} == $block->{copies} } reverse @{ $facts->{passes} };
    return $last && defined $last->{started} ? $last->{started} + ($last->{seconds} // 0) : $block->{started};
}

# A table for each category:
#
#   {
#       heading, title, category,
#       rows  => [ its tests ],
#       even  => { heading, rows } in one unit, when all rows are seconds,
#       is_index => whether its suite says which tests an index of it has,
#       lines => [ an index each: { label, score, places, interval, base, gained, ... } ],
#       base, reference
#   }
sub _tables {
    my ($facts, $findings, $scaling, $tests) = @_;
    my $copies = $findings->{copies};
    my $whole  = _whole($facts);
    my %title  = map { $_->{key} => $_->{title} } @{ $facts->{categories} };
    my %whole  = map { $_->{key} => 1 } grep { @{ $_->{index} } } @{ $facts->{categories} };
    $whole{ $_->{category} } = 1 for @{ $facts->{indexes} || [] };
    my (%of, @tables);
    push @{ $of{ $_->{category} } }, $_ for @{ $findings->{indexes} };

    for my $category (grep { $of{$_} } map { $_->{key} } @{ $facts->{categories} }) {
        my @lines =
            map { +{ _index_line($_, $whole), _compared_with($facts, $scaling, $copies, $_) } }
            @{ $of{$category} };
        my $partial = !grep { !$_->{partial} } @lines;
        my @rows    = grep  { $_->{category} eq $category } @$tests;
        my $heading = $title{$category} . ($partial ? ' Partial Index' : ' Index Values');
        push @tables,
            {
            category  => $category,
            heading   => $heading,
            lines     => \@lines,
            is_index  => $whole{$category} // 0,
            rows      => \@rows,
            title     => $title{$category},
            even      => _even($heading, grep { $_->{category} eq $category } @{ $findings->{tests} }),
            reference => _only_baseline($facts),
            base      => Touchstone::Base::Direction::scale_of((grep { defined $_->{index} } @rows)[0] || {})
            };
    }
    return @tables;
}

# The indexes of a block that answer how fast the machine is, in the order of its tables. One of tests that a
# suite keeps out of every index is none for people.
sub indexes { return _lines_of($_[0], 'answer') }

# The indexes that are parts of one of these; and those that stand for themselves beside one with parts, such
# as that of the disk.
sub groups { return _lines_of($_[0], 'part') }
sub asides { return _lines_of($_[0], 'aside') }

sub _lines_of {
    my ($block, $role) = @_;
    return grep { ($_->{role} // 'answer') eq $role }
        map { @{ $_->{lines} } } grep { $_->{is_index} } @{ $block->{tables} };
}

# "System Benchmarks Index", "Partial System Benchmarks Index (3 of 12 tests)": what people call an index.
sub name_of_index {
    my ($line) = @_;
    my $name = $line->{title} . ($line->{title} =~ /\bindex\z/i ? '' : ' Index');
    return $line->{partial} ? "Partial $name ($line->{part})" : $name;
}

# "index", "partial index (modern)": the same for a line of words.
sub short_name { my ($line) = @_; return ($line->{partial} ? 'partial ' : '') . $line->{name} }

# Why an index of a block has no interval: by the test with the fewest passes.
sub no_interval_of {
    my ($block)  = @_;
    my ($fewest) = sort { $a <=> $b } map { $_->{passes} // () } @{ $block->{tests} };
    return no_interval($fewest);
}

# How many tests have a score with any copy count.
sub scores {
    my ($model) = @_;
    my %seen;
    return scalar grep { !$seen{ $_->{name} }++ }
        map { (@{ $_->{tests} }, @{ $_->{below_resolution} }) } @{ $model->{blocks} };
}

# What stands behind a figure in a sentence of our own form.
sub not_valid { my ($model) = @_; return $model->{invalid} ? ', not valid' : '' }

# What was measured, in words: "35 tests", or where tests have verdicts and no scores "7 verdicts".
sub measured {
    my ($model)  = @_;
    my $scores   = scores($model);
    my $verdicts = verdicts($model);
    return $scores || !$verdicts ? plural($scores, 'test') : plural($verdicts, 'verdict');
}

sub verdicts {
    my ($model) = @_;
    return scalar map { @{ $_->{verdict_tests} || [] } } @{ $model->{blocks} };
}

# The text report has no unit beside a figure of a table: where all are seconds they are in one unit, which
# the heading names.
sub _even {
    my ($heading, @tests) = @_;
    return undef if grep { !is_lower_better($_) } @tests;
    return {
        heading => "$heading ($EVEN->[0])",
        rows    => [ map { Touchstone::Base::Figure::in_unit($_, $EVEN) } @tests ]
    };
}

# `places`: decimals where a form has a fixed number of them; `part`: what a partial index covers.
sub _index_line {
    my ($index, $whole) = @_;
    return (
        short  => $index->{label} // $index->{title},
        label  => "$index->{title} Index Score" . ($index->{partial} ? ' (Partial Only)' : ''),
        places => Touchstone::Base::Figure::is_small($index) ? 3               : 1,
        part   => $index->{partial} ? _part($index, $whole->{ $index->{key} }) : undef,
        map({ $_ => $index->{$_} }
            qw(key name title part_of place role score partial reference interval precision),
            qw(disturbed clean_score consistency took per_price),
            qw(undisturbed undisturbed_low undisturbed_high lost lost_low lost_high),
            qw(shows_loss undisturbed_unknown))
    );
}

# What an index is compared with: `base` is the index of `reference`; `gained` is how many times as much as
# `first` copies have.
sub _compared_with {
    my ($facts, $scaling, $copies, $index) = @_;
    return (
        reference => $index->{reference} // _only_baseline($facts),
        base      => Touchstone::Base::Direction::scale_of($index),
        _gained(Touchstone::Report::SpeedupText::speedup_of($scaling, $copies, $index->{name}))
    );
}

sub _gained {
    my ($speedup) = @_;
    return if !$speedup || !defined $speedup->{gain};
    my ($times, @limits) =
        map { Touchstone::Base::Direction::as_times($_) } $speedup->{gain}, @{ $speedup->{interval} || [] };
    return (gained => $times, gained_interval => @limits ? \@limits : undef, first => $speedup->{first});
}

# If a run has several suites with several indexes, the record does not say which index is whose.
sub _only_baseline {
    my ($facts) = @_;
    my $name = $facts->{baseline};
    return defined $name && $name !~ /, / ? $name : undef;
}

# The titles of all tests that have a result, sorted.
sub _titles {
    my (@results) = @_;
    my %seen;
    return sort grep { !$seen{$_}++ } map { $_->{title} } map { @{ $_->{tests} } } @results;
}

sub _trouble {
    my ($entry, $verb) = @_;
    my $where = defined $entry->{copies} ? ' with ' . copies($entry->{copies}) : '';

    # Lines of its own: the model makes each fit, and a line break would not be.
    my @output = split /\n/, $entry->{output} // '';
    return {
        test   => $entry->{test},
        text   => "$entry->{test} $verb$where: $entry->{why}",
        short  => "$entry->{test}$where: $entry->{why}",
        remedy => $entry->{remedy},
        output => \@output
    };
}

# A table of several copy counts with what its figures are: a row of scores has their `unit`, one of a
# partial index has the `part` of its tests that were measured.
sub _explained {
    my ($facts, $results, $table) = @_;
    return $table if !$table;
    my @blocks = @{ $results->{blocks} };
    my %is     = map { $_->{name} => { unit => Touchstone::Base::Direction::unit_of($_) } }
        map { @{ $_->{tests} } } @blocks;
    my $whole = _whole($facts);
    for my $index (map { @{ $_->{indexes} } } @blocks) {
        my $entry = $is{ $index->{name} } //= {};
        $entry->{minor} = 1 if defined $index->{role};
        next if !$index->{partial};
        $entry->{title} = "$index->{title} Partial Index";
        $entry->{part}  = _part($index, $whole->{ $index->{key} });
    }
    return { %$table, rows => [ map { +{ %$_, %{ $is{ $_->{name} } || {} } } } @{ $table->{rows} } ] };
}

# How many tests each index has, by its key.
sub _whole {
    my ($facts) = @_;
    my @all = (@{ $facts->{categories} }, @{ $facts->{indexes} || [] });
    return { map { $_->{key} => scalar @{ $_->{based} || $_->{index} || $_->{tests} } } @all };
}

sub _part {
    my ($index, $whole) = @_;
    my $count = @{ $index->{tests} };
    return "$count of $whole tests" if $count < $whole;
    return $count == $whole ? 'parts of a test are missing' : plural($count, 'test');
}

# The passes of the tests of a block; `units` as in the model.
sub _passes_of {
    my ($facts, $results, $block, $units) = @_;
    my $beginning = min(map { defined $_->{started} ? _written($_->{started}) : () } @{ $facts->{passes} });
    my $counted   = $results->{counted}{ $block->{copies} };
    my %of;
    for my $test (@{ $block->{tests} }) {
        my $divisor = $units->{ $test->{name} } ? $units->{ $test->{name} }[1] : 1;
        my %far     = map { $_ => 1 } @{ $test->{outliers} };
        my $n       = 0;
        $of{ $test->{name} } =
            [ map { _pass($facts->{passes}[$_], $results->{passes}[$_], $beginning, $divisor, $far{ ++$n }) }
                @{ $counted->{ $test->{name} } } ];
    }
    return \%of;
}

# A number as the record has it: a page that is made as soon as a run has ended is the same later.
sub _written { my ($number) = @_; return 0 + "$number" }

# { round => 1, at => 12.3 s since the first pass of the run began, seconds => 1.02,
#   value => 3481930 in the unit of the test in the model, each => [ the same of every copy ],
#   spread, skew, share, marks => [ those of Score::Disturbance ], outlier => 0 }
sub _pass {
    my ($pass, $judged, $beginning, $divisor, $far) = @_;
    return {
        round   => $pass->{round},
        at      => defined $pass->{started} ? _written($pass->{started}) - $beginning : undef,
        seconds => $pass->{seconds} // $pass->{window},
        value   => $judged->{rate} * $divisor,
        each    => [ map { $_ * $divisor } @{ $judged->{rates} } ],
        spread  => $judged->{spread},
        skew    => $judged->{skew},
        share   => $judged->{share},
        marks   => $judged->{marks} || [],
        outlier => $far ? 1 : 0,
    };
}

1;
