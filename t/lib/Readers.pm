# SPDX-License-Identifier: GPL-2.0-or-later
# Readers - what other people's programs look for in the text report of UnixBench, as facts of our interface,
# and the report read by its columns, which says what they must find.
#
#   my $form = Readers::form($report);           # dies where a line has another form
#   is_deeply([ Readers::complaints($text, $form) ], []);
#
#   { version => '7.1.0', beside => 'text behind the report', blocks => [ { copies => 1, from => '01:57:38',
#     to => '01:58:04', results => [ [title, score, unit, seconds, samples] ], tables => [ { heading, unit,
#     rows => [ [title, baseline, result, index] ], indexes => [ [label, index] ] } ] } ] }
#
# All figures are texts, as they stand in the report.
package Readers;
use 5.014;
use strict;
use warnings;

my $NUMBER = qr/[-+]?[0-9]*\.?[0-9]+/;
my $TITLE  = qr/\A[A-Z][\w\-\(\) ]+\z/;

# No line beside the report may match this, since some reader would take it for a result, a count of copies,
# an end or an error.
our $FORBIDDEN = qr/lps|MWIPS |Index Score|Benchmark Run:|of tests|aborting|COUNT|Dhrystone/;

# Units of a rate that readers know by name.
my %KNOWN = map { $_ => 1 } qw(KBps lps lpm score);

sub _results {
    my ($form) = @_;
    return map { @{ $_->{results} } } @{ $form->{blocks} };
}

sub _tables {
    my ($form) = @_;
    return map { @{ $_->{tables} } } @{ $form->{blocks} };
}

sub _rows {
    my ($form) = @_;
    return grep { $_->[1] ne '---' } map { @{ $_->{rows} } } _tables($form);
}

sub _indexes {
    my ($form) = @_;
    return map { @{ $_->{indexes} } } _tables($form);
}

# Readers that search for a capital and the letters of UnixBench's titles find these rows only.
sub _plain {
    return grep { $_->[0] =~ $TITLE } @_;
}

# What a reader wants it for, its expression, and all that this must find, in order.
our @READERS = (
    {
        name       => 'the index of the machine, not a partial one',
        expression => qr/\nSystem Benchmarks Index Score\s+($NUMBER)/,
        finds      => sub {
            map { $_->[1] } grep { $_->[0] eq 'System Benchmarks Index Score' } _indexes($_[0]);
        }
    },
    {
        name       => 'results with unit, time and samples',
        expression => qr/\n([A-Z][\w\-\(\) ]+)\s+($NUMBER) (\w+)\s+\(($NUMBER) (\w+), (\d+) samples\)/,
        finds      => sub {
            map { (@$_[ 0 .. 3 ], 's', $_->[4]) } _plain(_results($_[0]));
        }
    },
    {
        name       => 'rows of an index',
        expression => qr/\n([A-Z][\w\-\(\) ]+)\s+($NUMBER)\s+($NUMBER)\s+($NUMBER)/,
        finds      => sub {
            map { @$_ } _plain(_rows($_[0]));
        }
    },
    {
        name       => 'copies',
        expression => qr/running (\d+) parallel cop[yies]+ of tests/,
        finds      => sub {
            map { $_->{copies} } @{ $_[0]{blocks} };
        }
    },
    {
        name       => 'begin and end',
        expression => qr/^Benchmark Run: .+ (\d+:\d+:\d+) - (\d+:\d+:\d+)$/m,
        finds      => sub {
            map { @$_{qw(from to)} } @{ $_[0]{blocks} };
        }
    },
    {
        name       => 'the result in the line after a heading',
        expression => qr/^.+ Benchmarks .*Index .* INDEX\n.*?(\S+)\s+\S+$/m,
        finds      => sub {
            map { $_->{rows}[0][2] } grep { $_->{heading} =~ /. Benchmarks / } _tables($_[0]);
        }
    },
    {
        name       => 'scores by their units',
        expression => qr/^.+? ([\d.]+) (KBps|lps|lpm|score)\s+\([\d.]+ s, \d+ samples?\)/m,
        finds      => sub {
            map { @$_[ 1, 2 ] } grep { $KNOWN{ $_->[2] } } _results($_[0]);
        }
    },
    {
        name       => 'three figures with a digit behind the point',
        expression => qr/([0-9]+\.[0-9]) +([0-9]+\.[0-9]) +([0-9]+\.[0-9])/,
        finds      => sub {
            map { (@$_[ 1, 2 ], $_->[3] =~ /\A(\d+\.\d)/) } _rows($_[0]);
        }
    },
    {
        name       => 'every index score, at the end of its line',
        expression => qr/Index Score.*\s+([0-9\.]+)$/m,
        finds      => sub {
            map { $_->[1] } _indexes($_[0]);
        }
    },
    {
        name       => 'the last line with a unit',
        expression => qr/\A(?s:.*)^(?=.*(?:lps|MWIPS ))(.*)$/m,
        finds      => sub {
            my ($last) = grep { $_->[2] =~ /\A(?:lps|MWIPS)\z/ } reverse _results($_[0]);
            return $last ? sprintf('%-40s %12s %-5s (%s s, %s samples)', @$last) : ();
        }
    },
);

# Returns what each reader that finds something else in a text makes of it.
sub complaints {
    my ($text, $form) = @_;
    my @complaints;
    for my $reader (@READERS) {
        my @wanted = $reader->{finds}->($form);
        my @found  = map  { s/ +\z//r } $text =~ /$reader->{expression}/g;
        my ($at)   = grep { ($found[$_] // "\0") ne ($wanted[$_] // "\0") } 0 .. $#wanted, scalar @wanted;
        push @complaints, sprintf '%s: found %s, expected %s', $reader->{name},
            map { defined $_->[$at] ? "'$_->[$at]'" : 'no more' } \@found, \@wanted
            if defined $at;
    }
    return @complaints;
}

# Returns the lines beside the report that a reader could take for a part of it. `own` are names of hosts and
# directories, which are free.
sub undisciplined {
    my ($got, @own) = @_;
    my ($before) = $got->{out} =~ /\A(.*?)(?:^={72}\n|\z)/ms;
    my $names    = join '|', map { quotemeta } @own;
    my @lines    = split /\n/, "$got->{err}$before" =~ s/$names/NAME/gr;
    return grep { !/\A(?:[ #a-z]|\z)/ || $_ =~ $FORBIDDEN } @lines;
}

# --- the report by its columns

my $HEAD = qr{
    \A\ {3}BYTE\ UNIX\ Benchmarks\ \(Version\ (\d\.\d\.\d)\)\n\n
    \ {3}System:\ .+:\ .+\n
    \ {3}OS:\ .+\ --\ .+\ --\ .+\n
    \ {3}Machine:\ .+\ \(.+\)\n
    \ {3}Language:\ \S+\ \(charmap="[^"\n]*",\ collate="[^"\n]*"\)\n
    (?:\ {3}CPU\ \d+:\ .+\ \(\S+\ bogomips\)\n(?:\ {10}\S.*\n)?)*
    \ {3}.*;\ runlevel\ .*\n\n
}x;
my $DAY   = qr/(?:Sun|Mon|Tue|Wed|Thu|Fri|Sat) [A-Z][a-z]{2} \d\d \d{4}/;
my $MANY  = qr/1(?= parallel copy )|(?!1 )\d+(?= parallel copies )/;
my $BLOCK = qr{
    \G-{72}\n
    Benchmark\ Run:\ $DAY\ (\d\d:\d\d:\d\d)\ -\ (\d\d:\d\d:\d\d)\n
    (?:1\ CPU|\d+\ CPUs)\ in\ system;\ running\ ($MANY)\ \S+\ \S+\ of\ tests\n\n
}x;
my $WIDE    = qr/(?=.{8}\n|[\d.]{9,}\n)/;
my $RESULT  = qr/\G(?! )(.{40}) (.{12}) (\S.{4,}?) \((\d+\.\d) s, (\d+) samples\)\n/;
my $HEADING = qr/\G(?! |-)(.{40})     BASELINE       RESULT    INDEX\n/;
my $ROW     = qr/\G(?! )(.{40}) (.{12}) (.{12}) ($WIDE *(?:[\d.]+|---))\n/;
my $SUM     = qr/\G {67}={8}\n/;
my $SCORE   = qr/\G(?! )(.{66}) ($WIDE *\d+\.\d+)\n/;

sub form {
    my ($text) = @_;
    $text =~ /$HEAD/g or die "the head has another form\n";
    my %form = (version => $1, blocks => []);
    while ($text =~ /$BLOCK/gc) {
        my %block = (from => $1, to => $2, copies => $3, results => [], tables => []);
        while ($text =~ /$RESULT/gc) { push @{ $block{results} }, [ _bare($1, $2, $3, $4, $5) ] }
        $text =~ /\G\n/gc or die _at($text, 'a result');
        while ($text =~ /$HEADING/gc) { push @{ $block{tables} }, _table(\$text, _bare($1)) }
        push @{ $form{blocks} }, \%block;
    }
    @{ $form{blocks} } or die _at($text, 'a block');
    $form{beside} =
          $text =~ /\G(?:-{72}\n\n(?!Benchmark Run)(.*))?\z/gcs
        ? $1 // ''
        : die _at($text, 'the end');
    return \%form;
}

sub _table {
    my ($text, $heading) = @_;
    my %table = (heading => $heading, rows => [], indexes => []);
    $table{unit} = $heading =~ / Index (?:Values )?\((\w+)\)\z/ ? $1 : undef;
    while ($$text =~ /$ROW/gc) { push @{ $table{rows} }, [ _bare($1, $2, $3, $4) ] }
    @{ $table{rows} } && $$text =~ /$SUM/gc or die _at($$text, 'a row of an index');
    while ($$text =~ /$SCORE/gc) { push @{ $table{indexes} }, [ _bare($1, $2) ] }
    @{ $table{indexes} } && $$text =~ /\G\n/gc or die _at($$text, 'an index');
    return \%table;
}

sub _bare {
    return map { s/\A +| +\z//gr } @_;
}

sub _at {
    my ($text, $what) = @_;
    my ($line) = substr($text, pos($text) // 0) =~ /\A(.*)/;
    return "$what has another form: '$line'\n";
}

1;
