# SPDX-License-Identifier: GPL-2.0-or-later
# Options - the words of the command line to what is wanted. One table is the home of every option; the manual and USAGE are checked
# against it.
package Touchstone::Options;
use 5.014;
use strict;
use warnings;

use Getopt::Long ();

# Spelling; what the value must be (a key of %VALUE), or nothing for a switch; what --help says.
my @TABLE = (
    [ 'q|quiet',   undef,     'print nothing on the terminal but errors' ],
    [ 'v|verbose', undef,     'show the commands that are run' ],
    [ 'b|brief',   undef,     'leave the details of the CPUs out of the report' ],
    [ 'i|iterations', 'count', 'N: the classic schedule with N passes of a long test, a third of that of a short one' ],
    [ 'c|copies',  'counts',  'N: run N copies at once; may be given several times' ],
    [ 'classic',   undef,     'the schedule of UnixBench: about half an hour' ],
    [ 'quick',     undef,     'three short rounds: half a minute, less certain' ],
    [ 'seed',      'seed',    'N: the order of the tests follows from this number' ],
    [ 'pin',       'pin',     'none, spread, pack or a list of CPUs such as 0,2-3: where copies run' ],
    [ 'list',      undef,     'show all tests and groups' ],
    [ 'json',      undef,     'with --list: as JSON' ],
    [ 'dry-run',   undef,     'show what would be run and how long it would take' ],
    [ 'report',    'run',     'RUN: make a report of a stored run, by name or path, on standard output' ],
    [ 'format',    'format',  'text, html, csv, json or log: the form of --report' ],
    [ 'help',      undef,     'show this' ],
    [ 'man',       undef,     'show the manual' ],
    [ 'version',   undef,     'show the version' ],
);

our @FORMATS = qw(text html csv json log);
my $MOST = 1_000_000;

# What a value must look like, and the words for it.
my $CPU = qr/\d{1,5}(?:-\d{1,5})?/;
my %VALUE = (
    count  => { is => \&_is_count, allowed => 'a whole number from 1 to 1000000' },
    counts => { is => \&_is_count, allowed => 'a whole number from 1 to 1000000', many => 1 },
    seed   => { is => sub { $_[0] =~ /\A\d{1,9}\z/ }, allowed => 'a whole number from 0 to 999999999' },
    pin    => { is => \&_is_placement, allowed => 'none, spread, pack or a list of CPUs such as 0,2-3' },
    format => { is => sub { my $v = $_[0]; grep { $_ eq $v } @FORMATS }, allowed => join(', ', @FORMATS) },
    run    => { is => sub { length $_[0] }, allowed => 'the name or path of a stored run' },
);

# { quiet => 1, copies => [1, 4], tests => [...], ... } by long names. Dies with a message.
sub parse {
    my (@words) = @_;
    my %want = (tests => []);
    my @trouble;
    {
        local $SIG{__WARN__} = sub { push @trouble, $_[0] };
        my $parser = Getopt::Long::Parser->new(config => [qw(bundling no_ignore_case permute no_auto_abbrev)]);
        local @ARGV = @words;
        $parser->getoptions(_specifications(\%want));
        push @{ $want{tests} }, @ARGV;
    }
    die _in_our_words($trouble[0]) if @trouble;
    _check(\%want);
    $want{$_} += 0 for grep { defined $want{$_} } qw(seed iterations);
    return \%want;
}

sub _specifications {
    my ($want) = @_;
    my @specifications;
    for my $row (@TABLE) {
        my ($spelling, $kind) = @$row;
        my $name = _long($spelling);
        my $spec = $name =~ /^(.)/ && $spelling =~ /\|/ ? "$name|" . substr $spelling, 0, 1 : $name;
        my $value = $kind && $VALUE{$kind};
        push @specifications, !$value ? ($spec => \$want->{$name}) : $value->{many} ? ("$spec=s" => $want->{$name} = []) : ("$spec=s" => \$want->{$name});
    }
    push @specifications, '<>' => sub { push @{ $want->{tests} }, "$_[0]" };
    return @specifications;
}

sub _long { return (split /\|/, $_[0])[-1] }

sub _in_our_words {
    my ($message) = @_;
    return "unknown option '" . _dashed($1) . "'\n--help shows all options\n" if $message =~ /^Unknown option: (.*)/;
    return "option '" . _dashed($1) . "' needs a value\n" if $message =~ /^Option (\S+) requires an argument/;
    return "option '" . _dashed($1) . "' takes no value\n" if $message =~ /^Option (\S+) does not take an argument/;
    return $message;
}

sub _dashed { return (length $_[0] > 1 ? '--' : '-') . $_[0] }

sub _check {
    my ($want) = @_;
    for my $row (grep { $_->[1] } @TABLE) {
        my ($name, $rule) = (_long($row->[0]), $VALUE{ $row->[1] });
        for my $value (ref $want->{$name} ? @{ $want->{$name} } : $want->{$name} // ()) {
            die _spelled($row->[0]) . " is '$value', allowed is $rule->{allowed}\n" if !$rule->{is}->($value);
        }
    }
    my @schedules = grep { $want->{$_} } qw(classic quick);
    push @schedules, 'iterations' if defined $want->{iterations} && !$want->{classic};
    die "--quick and the classic schedule (--classic, -i) exclude each other\n" if @schedules > 1;
    die "--list takes no tests and no --dry-run\n" if $want->{list} && (@{ $want->{tests} } || $want->{'dry-run'});
    die "--json belongs to --list\n" if $want->{json} && !$want->{list};
    die "--format belongs to --report\n" if defined $want->{format} && !defined $want->{report};
    die "--report takes no tests\n" if defined $want->{report} && @{ $want->{tests} };
    return;
}

# A range goes up.
sub _is_placement {
    my ($value) = @_;
    return 0 if $value !~ /\A(?:none|spread|pack|$CPU(?:,$CPU)*)\z/;
    return !grep { /(\d+)-(\d+)/ && $1 > $2 } split /,/, $value;
}

sub _is_count { return $_[0] =~ /\A[1-9]\d{0,6}\z/ && $_[0] <= $MOST }

# "option -c" or "option --seed".
sub _spelled {
    my ($spelling) = @_;
    return 'option ' . ($spelling =~ /^(.)\|/ ? "-$1" : "--$spelling");
}

# Lines for --help.
sub help {
    my @lines = map { sprintf "  %-18s %s\n", _shown($_->[0]), $_->[2] } @TABLE;
    return "usage: Run [options] [test ...]\n\nWithout tests: the twelve of the index, with one copy and with one for each CPU.\n\n"
        . join('', @lines) . "\nExit status: 0 all was measured, 1 something failed, 2 usage, 128 + N stopped by signal N.\n";
}

sub _shown {
    my ($spelling) = @_;
    my ($short, $long) = $spelling =~ /^(.)\|(.*)/ or return "    --$spelling";
    return "-$short, --$long";
}

# Long and short names, for the tests that compare documents with this table.
sub names { return map { [ split /\|/, $_->[0] ] } @TABLE }

1;
