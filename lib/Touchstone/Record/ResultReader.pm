# SPDX-License-Identifier: GPL-2.0-or-later
# Record::ResultReader - the record of a run that has ended, read quickly: the results that stand in it are
# believed, because to score two thousand runs anew would take minutes.
#
#   my ($facts, $results) = parted($text, $known);
#
# gives what Score gives, less what is large or not needed. Such a text is written by Json::encode, whose
# members of the first level begin with two blanks. The passes are cut out there, and only their form is
# checked; nothing comes back for a text that must be read whole.
package Touchstone::Record::ResultReader;
use 5.014;
use strict;
use warnings;

use Touchstone::Record::Json;
use Touchstone::Record::Largest;
use Touchstone::Record::Schema;
use Touchstone::Record;
use Touchstone::Suite;

# These are large, or different in every run, and not read here: their form alone is looked at.
my %FORM = (passes => \&_are_passes, map { $_ => \&_is_json } qw(scaling published_results speedup));

# These, and what suites add, seldom differ between runs: equal texts are read once.
my @KEPT = qw(build locale tests tool suites categories indexes published equipment);

# These members of a test in the results, and those that suites add, are one line each, or an object of
# scalars; the last one of a test is not among them.
my @NOT_READ =
    qw(baseline clean_score cost cv disturbed error index index_interval missing outliers over_time passes
    precision rates samples scale seconds share sys);

# A record has some forty members, of which suites add a few. Texts that are longer than this are not kept to
# be known again.
my ($MOST_MEMBERS, $LONGEST_KEPT) = (1000, 1_000_000);

# Texts of the members of the first level by name, or nothing. Within texts there are no line breaks, so
# these are their beginnings.

# Other members are no record's.
my %IS_READ = (%{ Touchstone::Record::Schema::known() }, results => 1);

my $NUMBER = qr/-?+(?:0|[1-9]\d*+)(?:\.\d++)?+(?:e[-+]?\d{1,3}+)?+/;
my $STRING = qr/"[^"\\\x00-\x1f]*+(?:\\(?:["\\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\x00-\x1f]*+)*+"/;
my $SCALAR = qr/(?:$NUMBER|$STRING|null)/;
my $OBJECT = qr/\{\n(?: {12}"\w+": $SCALAR,?\n)*+ {10}\}/;
my $ROW    = qr/\[(?:$SCALAR(?:, $SCALAR)*+)?+\]/;

# (facts, results) of a finished record without what is not read, or nothing when it must be read whole.
# `known`: a hash for what was seen in others. `with`: names of figures of tests to be read, too, such as
# error and passes.
sub parted {
    my ($text, $fields, @with) = @_;
    my $left_out = $fields->{left_out}{"@with"} //= _left_out(@with);
    my %text     = _members($text) or return;
    return if grep { !exists $text{$_} } @Touchstone::Record::Schema::OF_FINISHED;
    my (%data, $left);
    for my $name (keys %text) {
        my $form = $FORM{$name} // ($IS_READ{$name} ? undef : \&_is_json);
        my $fits = eval {
            if ($form) { $form->($text{$name}, $fields, \$left) }
            else       { $data{$name} = _member($name, $text{$name}, $fields, $left_out, \$left); 1 }
        };
        next if $fits;

        # What is too much now would be so a second time.
        die $@ if ($left // 0) < 0;
        return;
    }
    return if ($data{format} // '') ne $Touchstone::Record::FORMAT;
    my $blocks = delete $data{results};
    return (\%data, { blocks => $blocks });
}

# One member of a record, or dies when it has not the form of one.
sub _member {
    my ($name, $text, $fields, $left_out, $left) = @_;
    my $is_kept = $fields->{is_kept} //=
        { map { s/\?\z//r => 1 } @KEPT, keys %{ Touchstone::Suite::record_keys() } };
    my $kept = $is_kept->{$name} && length $text <= $LONGEST_KEPT ? $fields->{kept}{$name} //= {} : {};
    return ${
        $kept->{$text} //= \do {
            my $data =
                Touchstone::Record::Json::decode($name eq 'results' ? _thinned($text, $left_out) : $text,
                left => $left);
            my $wrong = Touchstone::Record::Schema::complaint_of_member($name, $data);
            die "$wrong\n" if defined $wrong;
            $data;
        }
    };
}

my $LONGEST = 40;

sub _members {
    my ($text) = @_;
    return if substr($text, 0, 2) ne "{\n" || substr($text, -3) ne "\n}\n";
    my @starts;
    for (
        my $position = 1;
        @starts <= $MOST_MEMBERS && ($position = index $text, "\n  \"", $position) >= 0;
        $position++
    ) {
        push @starts, $position + 1;
    }
    return if @starts > $MOST_MEMBERS;
    unshift @starts, 2 if !@starts || $starts[0] != 2;
    my %members;
    for my $i (0 .. $#starts) {
        my ($start, $end) = ($starts[$i], $i < $#starts ? $starts[ $i + 1 ] - 2 : length($text) - 3);
        return
               if $i < $#starts && substr($text, $end, 2) ne ",\n"
            || substr($text, $start, $LONGEST) !~ /\A  "(\w+)": /
            || exists $members{$1};
        my $value = $start + $+[0];
        $members{$1} = substr $text, $value, $end - $value;
    }
    return %members;
}

# A pattern of the lines of a test that are not read.
sub _left_out {
    my (@with) = @_;
    my %with   = map { $_ => 1 } @with;
    my $names  = join '|', grep { !$with{$_} } @NOT_READ,
        map { keys %$_ } values %{ Touchstone::Suite::derived() };
    no warnings 'regexp';
    return qr/^ {10}"(?:$names)": (?:$SCALAR|$ROW|$OBJECT),\n/m;
}

sub _thinned {
    my ($text, $left_out) = @_;
    $text =~ s/$left_out//g;
    return $text;
}

# True if these are passes. Those of a test differ in their digits alone: with one digit for each number few
# kinds remain, of which the first is read and checked. What a number is, beyond that it is one, is so not
# seen.
my $KINDS_KEPT = 20_000;
my $BETWEEN    = "\n    },\n    {\n";

sub _are_passes {
    my ($text, $fields, $left) = @_;
    return 1 if $text eq '[]';
    return 0 if substr($text, 0, 8) ne "[\n    {\n" || substr($text, -10) ne "\n    }\n  ]";
    my $kinds = $fields->{passes} //= {};
    %$kinds = () if keys %$kinds > $KINDS_KEPT;
    my $last = length($text) - 10;
    for (my ($position, $end) = (8); $position <= $last; $position = $end + length $BETWEEN) {
        $end = index $text, $BETWEEN, $position;
        $end = $last if $end < 0;
        my $part     = substr $text, $position, $end - $position;
        my ($copies) = $part =~ /^      "copies": (\d+)/m or return 0;
        my $kind     = $part;

        # An escape is more than a number.
        $kind =~ tr/0-9/0/s if index($kind, '\u') < 0;
        next                if $kinds->{"$copies$kind"};
        return 0
            if defined Touchstone::Record::Schema::complaint_of_pass(
            Touchstone::Record::Json::decode("{\n$part\n}", left => $left));
        $kinds->{"$copies$kind"} = 1 if length $kind <= $LONGEST_KEPT;
    }
    return 1;
}

# Dies when it is no JSON.
sub _is_json {
    my ($text, $fields, $left) = @_;
    my $kind = $text;
    $kind =~ tr/0-9/0/s if index($kind, '\u') < 0;
    return 1            if $fields->{json}{$kind};
    Touchstone::Record::Json::decode(qq({"form": $text}), known => {}, left => $left);
    $fields->{json}{$kind} = 1 if length $kind <= $LONGEST_KEPT;
    return 1;
}

1;
