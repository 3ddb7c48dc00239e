# SPDX-License-Identifier: GPL-2.0-or-later
# Pack::Fleet::Peers::References - a set of reference records as members (Pack::Fleet::HostRun). The set is
#
#   a directory      of records, of a campaign, or of results (whose records are in .runs/)
#   a record         NAME.json, also packed by gzip
#   records in a row in one file, also packed: those of `cat .runs/*.json`, or a line each (JSON lines)
#   a text           with compact blocks (Record::PasteBlock), as mails and threads have them
#
# read() gives { members => [ ... ], damaged => [ { file => 'set.json, record 3', why => 'line 1: ...' } ] }.
package Touchstone::Pack::Fleet::Peers::References;
use 5.014;
use strict;
use warnings;

use Touchstone::Base::Text qw(plain);
use Touchstone::Pack::Fleet::Campaign;
use Touchstone::Pack::Fleet::HostRun;
use Touchstone::Pack::Fleet::Store;
use Touchstone::Record::PasteBlock;
use Touchstone::Record;
use Touchstone::Record::ResultReader;
use Touchstone::Record::Largest;
use Touchstone::Record::Schema;
use Touchstone::Score;

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
        if -e "$place/$Touchstone::Pack::Fleet::Campaign::MANIFEST"
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
    my ($file, $text, $known) = @_;
    my ($facts, $results) =
        Touchstone::Record::ResultReader::parted($text, $known, @Touchstone::Pack::Fleet::HostRun::FIGURES);
    if (!$facts) {
        $facts   = Touchstone::Record->of_text($text =~ /$JOURNAL/ ? 'set.jsonl' : 'set', $text);
        $results = Touchstone::Score::scores($facts);
    }
    return Touchstone::Pack::Fleet::HostRun::of($facts, $results, $file);
}

sub _of_block {
    my ($file, $block) = @_;
    die "$block->{why}\n" if defined $block->{why};
    my $wrong = Touchstone::Record::Schema::complaint($block->{data}, $Touchstone::Record::FORMAT);
    die "$wrong\n" if defined $wrong;
    my $facts = Touchstone::Record::facts($block->{data});
    return Touchstone::Pack::Fleet::HostRun::of($facts, Touchstone::Score::scores($facts), $file);
}

# The reason without the file, which stands before it.
sub _why { my ($why) = @_; return plain($why =~ s/\A'[^']*' is no record of a run: //r =~ s/\n+\z//r) }

1;
