# SPDX-License-Identifier: GPL-2.0-or-later
# Record - the run as a file, format 2: results/.runs/NAME.json, and while it runs NAME.jsonl, a line after
# every event, so that a crash or a power cut loses no pass that was finished. A run is stored and shown as
# its facts and its results in one document.
#
#   {"record": {"format": 2, "name": "host-2026-11-21-01", ...}}
#   {"blocks": {"copies": 1, "started": 1795240225.8}}
#   {"passes": {"test": "pipe", "copies": 1, "round": 1, "window": 1, "timebase": 1, "unit": "lps",
#     "counts": [3481930], "times": [1], "user": [0.2114], "sys": [0.786], "starts": [1463594847824],
#     "slices": ["102479647:352368 ..."], ...}}
#   {"failures": {"test": "C", "copies": 1, "why": "exit status 1"}}
package Touchstone::Record;
use 5.014;
use strict;
use warnings;

use Errno ();
use Time::HiRes ();

use Touchstone::Base::Text qw(did_you_mean plain);
use Touchstone::Machine::File;
use Touchstone::Machine::Sysfile;
use Touchstone::Record::Json;
use Touchstone::Record::Largest;
use Touchstone::Record::Schema;
use Touchstone::Record::Warnings;
use Touchstone::Suite;

our $FORMAT         = 2;
our $STANDARD_INPUT = '-';

# A stored run is NAME.json, NAME.json.gz or, as long as it is measured, NAME.jsonl.
my $SUFFIX = qr/\.json(?:l|\.gz)?\z/;

# So many names of runs are compared with one that no run has, if they have these first letters in common.
my ($COMPARED, $BEGIN) = (20, 3);

# A journal is read in pieces of so many bytes until a line ends.
my $PIECE = 65_536;

# The newest run in the directory that `fits`, or nothing; the last few are looked at.
my $LOOKED_AT = 5;

sub newest {
    my ($class, $directory, $fits) = @_;
    my %age = map { $_ => -M "$directory/$_" // 0 }
        grep { /\.json(?:\.gz)?\z/ } Touchstone::Machine::Sysfile::names($directory);
    my @newest = sort { $age{$a} <=> $age{$b} || $b cmp $a } keys %age;
    splice @newest, $LOOKED_AT if @newest > $LOOKED_AT;
    for my $file (@newest) {
        my $data = eval { $class->load("$directory/$file", $directory) } or next;
        return $data if $fits->($data);
    }
    return;
}

# Removes from directories of records what killed runs were writing there, and journals of which the record
# came to its end or in which no line is whole.
sub sweep {
    my ($class, @directories) = @_;
    Touchstone::Machine::File::sweep(@directories);
    for my $directory (@directories) {
        my @journals = map { "$directory/$_" }
            grep { /\A[^.].*\.jsonl\z/s } Touchstone::Machine::Sysfile::names($directory);
        for my $journal (grep { Touchstone::Machine::File::is_own($_) && _is_needless($_) } @journals) {
            Touchstone::Machine::File::discard($journal, sub { _is_needless($journal) });
        }
    }
    return;
}

sub _is_needless {
    my ($journal) = @_;
    my $record = $journal =~ s/l\z//r;
    return !has_begun($journal) || -f $record && (_newest_first($record, $journal))[0] eq $record;
}

# Whether a journal holds anything. Its first line is half where the run was killed, or the disk was full,
# as it began.
sub has_begun {
    my ($journal) = @_;
    return 1 if !-f $journal || !open my $in, '<:raw', $journal;
    while (read $in, my $text, $PIECE) { return 1 if $text =~ /\n/ }
    return 0;
}

# The name of a run without the suffix of its file.
sub stem { my ($file) = @_; return $file =~ s/$SUFFIX//r }

# Names of all files that are a record or a journal that holds anything; if a run has several, the newest.
# Nothing if there is no directory. Dies with the cause.
sub files {
    my ($class, $directory) = @_;
    opendir my $dir, $directory or return $!{ENOENT} ? () : die "cannot read '$directory': $!\n";
    my %of;
    /\A[^.].*$SUFFIX/s and push @{ $of{ stem($_) } }, $_ for readdir $dir;
    closedir $dir;
    for my $name (keys %of) {
        @{ $of{$name} } = grep { !/l\z/ || has_begun("$directory/$_") } @{ $of{$name} };
    }
    return map {
              @{ $of{$_} } == 1
            ? @{ $of{$_} }
            : (map { s{.*/}{}sr } _newest_first(map { "$directory/$_" } @{ $of{$_} }))[0] // $of{$_}[0]
    } grep { @{ $of{$_} } } sort keys %of;
}

# The facts of a stored run, by path or by name in the directory, which nobody changes; of a text with blocks
# of Record::PasteBlock, FILE or FILE:NAME; `-`: standard input. Dies naming file and line.
sub load {
    my ($class, $run, $directory) = @_;
    my ($file, $block) = $class->_place($run, $directory);
    return $class->of_text($file, $class->text_of($file), $block);
}

# The same from the text of a file, a journal by its name; `block`: the name of one of its blocks.
sub of_text {
    my ($class, $file, $text, $block) = @_;
    my $shown = _shown($file);
    die "$shown is ", Touchstone::Record::Largest::than($Touchstone::Record::Largest::TEXT, 'text'), "\n"
        if length $text > $Touchstone::Record::Largest::TEXT && $text !~ /\A\s*\{/a;
    require Touchstone::Record::PasteBlock;
    my $read =
        defined $block
        || Touchstone::Record::PasteBlock::holds($text) ? \&Touchstone::Record::PasteBlock::read_text
        : $file =~ /\.jsonl\z/                          ? \&_from_journal
        :                                                 \&_from_json;
    my $data;
    eval { $data = $read->($text, $block); 1 } or die "$shown is not a run record: ", _why($text, $@);
    my $wrong = Touchstone::Record::Schema::complaint($data, $FORMAT);
    die "$shown is not a run record: $wrong\n" if defined $wrong;
    return facts($data);
}

# Json's own words say too little about a text that has nothing of a record.
sub _why {
    my ($text, $why) = @_;
    return $text =~ /\A\s*[{\[]/a
        ? $why
        : $why =~
        s/\A(line \d+: )a value is missing$/$1neither JSON nor a text with a block (-----BEGIN TOUCHSTONE RUN ...) or a report of UnixBench/mr;
}

sub _shown { my ($file) = @_; return $file eq $STANDARD_INPUT ? 'standard input' : "'$file'" }

# (file, name of the block in it). A colon is a letter of a name as others are.
sub _place {
    my ($class, $run, $directory) = @_;
    return $run if $run eq $STANDARD_INPUT;
    my $file = eval { $class->file_of($run, $directory) };
    return $file if defined $file;
    my $why = $@;
    while ($run =~ /:(?=.)/sg) {
        my ($text, $block) = (substr($run, 0, $-[0]), substr $run, $+[0]);
        return ($text, $block) if -f $text || $text eq $STANDARD_INPUT;
    }
    die $why;
}

# If a name has a record and a newer journal, the journal is the later run.
sub file_of {
    my ($class, $run, $directory) = @_;
    my @exact  = grep { -f } $run =~ $SUFFIX ? ($run, "$directory/$run") : ();
    my @named  = map  { _newest_first("$_.json", "$_.json.gz", "$_.jsonl") } $run, "$directory/$run";
    my ($file) = (@exact, @named, -e $run ? $run : ());
    die "no run '$run' here or in '$directory'\n", $class->_meant($run, $directory) if !defined $file;
    die "'$file' is not a run record: it is a directory\ntry: UB_RESULTDIR=DIR ./Run list runs\n" if -d $file;
    die "'$file' is not a run record: it is not a regular file\n" if !-f $file;
    return $file;
}

# A line of a message says which runs may have been meant. They begin like the name, and of many the most
# alike are compared.
sub _meant {
    my ($class, $run, $directory) = @_;
    my %alike;
    for my $name (map { stem($_) } eval { $class->files($directory) }) {
        $alike{$name} = length +(($name ^ $run) =~ /\A(\0*)/)[0];
    }
    my @names = sort { $alike{$b} <=> $alike{$a} || $b cmp $a } grep { $alike{$_} >= $BEGIN } keys %alike;
    splice @names, $COMPARED if @names > $COMPARED;
    my $hint = did_you_mean($run, \@names, sub { "'" . plain($_[0]) . "'" });
    return ($hint =~ s/ \z/\n/r) . "try: ./Run list runs\n";
}

# A journal that holds nothing is no later run.
sub _newest_first {
    my %time = map { $_ => /l\z/ && !has_begun($_) ? 0 : (Time::HiRes::stat($_))[9] } grep { -f } @_;
    return sort { $time{$b} <=> $time{$a} || $a cmp $b } keys %time;
}

# The text of a file, which gzip may have compressed.
sub text_of {
    my ($class, $file) = @_;
    my $bytes = $class->bytes_of($file);
    return $bytes if $file !~ /\.gz\z/ && !Touchstone::Record::Largest::is_gzip($bytes);
    my $text = eval { Touchstone::Record::Largest::inflated($bytes) };
    return $text // die _shown($file), " is not a run record: $@";
}

sub bytes_of {
    my ($class, $file) = @_;
    return Touchstone::Record::Largest::whole(\*STDIN, 'standard input') if $file eq $STANDARD_INPUT;
    open my $in, '<:raw', $file or die "cannot open '$file': $!\n";
    return Touchstone::Record::Largest::whole($in, "'$file'");
}

# Only what a record has is kept: what a stranger adds takes no memory.
sub _from_json {
    my ($text) = @_;
    return Touchstone::Record::Json::decode($text, known => Touchstone::Record::Schema::known());
}

# The last line of a run that was cut off may be half a line.
sub _from_journal {
    my ($text) = @_;
    my %as = (
        known => {
            record => Touchstone::Record::Schema::known(),
            map { $_ => 1 } @Touchstone::Record::Schema::LISTS
        },
        left => \my $left
    );
    my ($data, $number) = (undef, 0);
    while ($text =~ /^(.*)\n/mg) {
        $number++;
        my $line = eval { Touchstone::Record::Json::decode($1, %as) }
            // die "line $number: " . ($@ =~ s/^line \d+: //r || "no data\n");
        my ($list, @more) = ref $line eq 'HASH' ? keys %$line : ();
        if ($number == 1 && !@more && ($list // '') eq 'record') { $data = $line->{record}; next }
        die "line $number: not an entry of a journal\n"
            if @more
            || ref $data ne 'HASH'
            || !grep { $_ eq ($list // '') && ref $data->{$_} eq 'ARRAY' } @Touchstone::Record::Schema::LISTS;
        push @{ $data->{$list} }, $line->{$list};
    }
    die "line 1: the journal has no complete line\n" if !$number;
    return $data;
}

# A run as it is stored and shown as JSON: its facts and its results in one value, as readers of format 2
# expect it.
#
#   {
#       ...                                  the facts
#       passes   => [ { a pass, its rates and its marks }, ... ],
#       results  => [ a block for each copy count ],
#       scaling  => the gains of several copy counts, or undef,
#       speedup  => the table of --scaling, or undef,
#       published_results => { what each suite shows with published results, against => the comparison below },
#       truth    => the same of a suite whose tests have verdicts and no scores, by its name,
#       against  => the comparison with the run that --baseline named, where there is one,
#       warnings => those that were noted, and those of the end,
#       valid    => 1, or 0 where the scores are not valid,
#       why_not_valid => '204 of 206 passes were disturbed by other processes', or undef
#   }
#
# Derived values stand in a file for other readers: facts() leaves it out, and Score works it out anew.

# Scoring adds these keys to a record, and to each of its passes.
my @DERIVED         = qw(results scaling speedup published_results valid why_not_valid);
my @DERIVED_OF_PASS = qw(rate rates skew share spread coarse marks);

# Suites that judge have a key of their own.
sub _judging { state $names = [ Touchstone::Suite::judging() ]; return @$names }

sub document {
    my ($facts, $results) = @_;
    my $against = $results->{against};
    my $invalid = Touchstone::Record::Warnings::why_invalid($facts, $results);
    my @passes =
        map { +{ %{ $facts->{passes}[$_] }, %{ $results->{passes}[$_] } } } 0 .. $#{ $facts->{passes} };
    return {
        %$facts,
        passes  => \@passes,
        results => $results->{blocks},
        (map { $_ => $results->{$_} } qw(scaling speedup)),
        (
            map  { $_ => $results->{published_results}{$_} }
            grep { $results->{published_results}{$_} } _judging()
        ),
        published_results => { %{ $results->{published_results} }, $against ? (against => $against) : () },
        warnings          => Touchstone::Record::Warnings::stored($facts, $results),
        $against ? (against => $against) : (),
        valid => $invalid ? 0 : 1,
        why_not_valid => $invalid ? $invalid->{text} : undef
    };
}

# The facts of a document.
sub facts {
    my ($document) = @_;
    my %facts = %$document;
    delete @facts{ @DERIVED, _judging() };
    $facts{passes} = [ map { _pass($_) } @{ $facts{passes} } ];
    return \%facts;
}

sub _pass {
    my ($pass) = @_;
    my %pass = %$pass;
    delete @pass{@DERIVED_OF_PASS};
    return \%pass;
}

1;
