# SPDX-License-Identifier: GPL-2.0-or-later
# Pack::Fleet::Peers::Filter - which of a set of members (Pack::Fleet::HostRun) are of the kind of one: of the
# same hardware and the same programs, or, where these are too few, of what comes next. chosen($run,
# \@members) gives
#
#   {
#     members  => [ [ members of a machine ], ... ],
#     hardware => 'equal', or 'alike': the same CPU model and virtualisation,
#     programs => 'equal': one passport, 'portable': portable builds, or 'other',
#     enough   => 1 where there are at least $FEWEST machines,
#     equal    => machines of equal hardware and programs,
#     itself, invalid, unlike => records that are left out: of the run or its machine, not valid, without one test
#                 in common
#   }
#
# A machine of a campaign has one place, however often it was measured. Elsewhere nobody knows which records
# are of one machine, and each record is one.
package Touchstone::Pack::Fleet::Peers::Filter;
use 5.014;
use strict;
use warnings;

use Exporter qw(import);

use Touchstone::Base::Text qw(plain);
use Touchstone::Build;
use Touchstone::Pack::Fleet::Campaign qw($MANIFEST);
use Touchstone::Pack::Fleet::HostRun qw(@FIGURES @GROUPED from_record);
use Touchstone::Pack::Fleet::Store;
use Touchstone::Record;
use Touchstone::Record::PasteBlock;
use Touchstone::Record::ResultReader;
use Touchstone::Record::Largest;
use Touchstone::Record::Schema;
use Touchstone::Score;

our @EXPORT_OK = qw($FEWEST chosen is_same);

# Fewer machines say nothing of what is usual.
our $FEWEST = 5;

my @EQUAL = @GROUPED;
my @ALIKE = qw(model virtualisation);

my $UNKNOWN = qr/\A(?:unknown)?\z/;

# Hardware counts more than programs: their difference can be said, and is the same for all tests of a
# compiler.
my @LADDER = map {
    my $programs = $_->[1];
    { hardware => $_->[0], programs => $programs }
    } [qw(equal equal)], [qw(equal portable)], [qw(equal other)], [qw(alike equal)], [qw(alike portable)],
    [qw(alike other)];

sub chosen {
    my ($run, $members) = @_;
    my (@usable, %out);
    for my $member (@$members) {
        my $why =
              _is_itself($run, $member)         ? 'itself'
            : defined $member->{invalid}        ? 'invalid'
            : !figures_in_common($run, $member) ? 'unlike'
            :                                     undef;
        if   (defined $why) { $out{$why}++ }
        else                { push @usable, $member }
    }
    my %none    = map  { $_ => $out{$_} // 0 } qw(itself invalid unlike);
    my @found   = map  { +{ %$_, members => [ _machines(_of_kind($run, $_, @usable)) ] } } @LADDER;
    my ($first) = grep { @{ $_->{members} } >= $FEWEST } @found;
    return {
        %none, %{ $first // $found[-1] },
        enough => $first ? 1 : 0,
        equal  => scalar @{ $found[0]{members} }
    };
}

# The same record under any name, and other runs of its machine.
sub _is_itself {
    my ($run, $member) = @_;
    return 1
        if defined $run->{campaign} && defined $member->{campaign} && $run->{host_id} eq $member->{host_id};
    return 0 if $run->{started} != $member->{started} || $run->{host} ne $member->{host};
    my ($this, $other) = map { $_->{figures} } $run, $member;
    my @both = grep { $other->{$_} } keys %$this;
    return !grep { abs($this->{$_}{y} - $other->{$_}{y}) > 1e-6 } @both;
}

# The keys of figures that both measured with the same version of the test.
sub figures_in_common {
    my ($run, $member) = @_;
    my ($this, $other) = map { $_->{figures} } $run, $member;
    return grep { $other->{$_} && is_same($this->{$_}, $other->{$_}) } sort keys %$this;
}

sub is_same {
    my ($one, $other) = @_;
    return ($one->{version} // '') eq ($other->{version} // '') && $one->{unit} eq $other->{unit};
}

sub _of_kind {
    my ($run, $kind, @members) = @_;
    my @facts = $kind->{hardware} eq 'equal' ? @EQUAL : @ALIKE;
    my $this  = join "\n", @{ $run->{group} }{@facts};
    return if $run->{group}{model} =~ $UNKNOWN;
    return
        grep { join("\n", @{ $_->{group} }{@facts}) eq $this && _has_programs($kind->{programs}, $run, $_) }
        @members;
}

sub _has_programs {
    my ($programs, $run, $member) = @_;
    return 1 if $programs eq 'other';
    return 1 if _is_same_passport($run, $member);
    return $programs eq 'portable' && is_portable($run) && is_portable($member);
}

sub _is_same_passport {
    my ($this, $other) = map { $_->{passport} // '' } @_;
    return $this !~ $UNKNOWN && $this eq $other;
}

sub is_portable {
    my ($member) = @_;
    return (Touchstone::Build::kind($member->{facts}{'b isa'}) // '') eq $Touchstone::Build::PORTABLE;
}

# A list of members for each machine.
sub _machines {
    my (@members) = @_;
    my (%of, @order);
    my $number = 0;
    for my $member (@members) {
        my $id = defined $member->{campaign} ? "c $member->{host_id}" : 'r ' . $number++;
        push @order,        $id if !$of{$id};
        push @{ $of{$id} }, $member;
    }
    return map { $of{$_} } @order;
}

# A set of reference records as members (Pack::Fleet::HostRun). The set is
#
#   a directory      of records, of a campaign, or of results (whose records are in .runs/)
#   a record         NAME.json, also packed by gzip
#   records in a row in one file, also packed: those of `cat .runs/*.json`, or a line each (JSON lines)
#   a text           with compact blocks (Record::PasteBlock), as mails and threads have them
#
# read() gives { members => [ ... ], damaged => [ { file => 'set.json, record 3', why => 'line 1: ...' } ] }.

# The beginning of a journal, which is one record of many lines.
my $JOURNAL = qr/\A\s*\{\s*"record":/a;

sub read {
    my ($place) = @_;
    return Touchstone::Pack::Fleet::Store::read(_records_of($place))             if -d $place;
    die "cannot open '$place': " . (-e $place ? "not a regular file\n" : "$!\n") if !-f $place;
    my (@members, @damaged, %known);
    my $take = sub {
        my ($what, $member_of) = @_;
        my $member = eval { $member_of->(\%known) };
        return push @members, $member if $member;
        return push @damaged, { file => plain($what), why => _why($@) };
    };
    _each($place, $take);
    return { members => \@members, damaged => \@damaged };
}

# A directory of results keeps its records below .runs/.
sub _records_of {
    my ($place) = @_;
    return $place
        if -e "$place/$MANIFEST"
        || !-d "$place/.runs"
        || Touchstone::Pack::Fleet::Store::files($place);
    return "$place/.runs";
}

sub _each {
    my ($file, $take) = @_;
    my $lines = Touchstone::Record::Largest::lines(_opened($file), "'$file'");
    my $first = $lines->() // '';
    return _each_record($file, $lines, $first, $take) if $first =~ /\A(?:\xef\xbb\xbf)?\s*\{/a;
    my $text = $first;
    while (defined(my $line = $lines->())) {
        $text .= $line;
        die "'$file' is ", Touchstone::Record::Largest::than($Touchstone::Record::Largest::TEXT, 'text'), "\n"
            if length $text > $Touchstone::Record::Largest::TEXT;
    }
    die "'$file' holds neither records nor blocks (-----BEGIN TOUCHSTONE RUN ...)\n"
        if !Touchstone::Record::PasteBlock::holds($text);
    for my $block (Touchstone::Record::PasteBlock::all($text)) {
        $take->("$file:$block->{name}", sub { return _of_block($file, $block) });
    }
    return;
}

sub _opened {
    my ($file) = @_;
    if ($file !~ /\.gz\z/) {
        open my $in, '<:raw', $file or die "cannot open '$file': $!\n";
        return $in;
    }
    eval { require IO::Uncompress::Gunzip }
        or die "cannot unpack '$file': this perl has no IO::Uncompress::Gunzip\n";
    no warnings 'once';
    return IO::Uncompress::Gunzip->new($file, MultiStream => 1)
        || die "cannot unpack '$file': $IO::Uncompress::Gunzip::GunzipError\n";
}

# Records in a row: one ends with a line that is a brace alone, or is a line. A journal is one record.
sub _each_record {
    my ($file, $lines, $line, $take) = @_;
    my ($text, $number) = ('', 0);
    my $whole = $line =~ /$JOURNAL/;
    for (; defined $line; $line = $lines->()) {
        die "'$file' holds a record ",
            Touchstone::Record::Largest::than($Touchstone::Record::Largest::RECORD), "\n"
            if length($text) + length $line > $Touchstone::Record::Largest::RECORD;
        next if !length $text && $line !~ /\S/;
        $text .= $line;
        next if $whole || $line !~ /\A\}\s*\z/ && !($text eq $line && $line =~ /\A.*\}\s*\z/);
        my $one = $text;
        $text = '';
        $number++;
        $take->("$file, record $number", sub { return _of_text($file, $one, @_) });
    }
    $number++;
    $take->($number > 1 ? "$file, record $number" : $file, sub { return _of_text($file, $text, @_) })
        if $text =~ /\S/;
    return;
}

sub _of_text {
    my ($file, $text, $cache) = @_;
    my ($facts, $results) = Touchstone::Record::ResultReader::parted($text, $cache, @FIGURES);
    if (!$facts) {
        $facts   = Touchstone::Record->of_text($text =~ /$JOURNAL/ ? 'set.jsonl' : 'set', $text);
        $results = Touchstone::Score::scores($facts);
    }
    return from_record($facts, $results, $file);
}

sub _of_block {
    my ($file, $block) = @_;
    die "$block->{why}\n" if defined $block->{why};
    my $wrong = Touchstone::Record::Schema::complaint($block->{data}, $Touchstone::Record::FORMAT);
    die "$wrong\n" if defined $wrong;
    my $facts = Touchstone::Record::facts($block->{data});
    return from_record($facts, Touchstone::Score::scores($facts), $file);
}

# The reason without the file, which stands before it.
sub _why { my ($why) = @_; return plain($why =~ s/\A'[^']*' is not a run record: //r =~ s/\n+\z//r) }

1;
