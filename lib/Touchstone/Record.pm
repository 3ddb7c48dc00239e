# SPDX-License-Identifier: GPL-2.0-or-later
# Record - the run as a file, format 1: results/runs/NAME.json, and while it runs NAME.jsonl, a line after every event, so that a
# crash or a power cut loses no pass that was finished.
#
#   {"record": {"format": 1, "name": "host-2026-11-21-01", ...}}
#   {"blocks": {"copies": 1, "started": 1795240225.8}}
#   {"passes": {"test": "pipe", "copies": 1, "round": 1, "window": 1, "timebase": 1, "unit": "lps", "counts": [3481930],
#     "times": [1], "user": [0.2114], "sys": [0.786], "starts": [1463594847824], "slices": ["102479647:352368 ..."], ...}}
#   {"failures": {"test": "C", "copies": 1, "why": "exit status 1"}}
package Touchstone::Record;
use 5.014;
use strict;
use warnings;

use Errno qw(EEXIST);
use Fcntl qw(O_CREAT O_EXCL O_WRONLY);
use IO::Handle;

use Touchstone::Json;

our $FORMAT = 1;

# Lists of a record that grow while it runs, and what an entry must have; %IS says what the words mean.
my %ENTRY = (
    blocks   => { copies => 'number', started => 'number' },
    passes   => { test => 'text', copies => 'number', round => 'number', timebase => 'number', unit => 'text',
                  counts => 'numbers', times => 'numbers', starts => 'starts', slices => 'slices' },
    failures => { test => 'text', copies => 'number', why => 'text' },
    skipped  => { test => 'text', why => 'text' },
    warnings => { id => 'text', text => 'text' },
);
my %HEAD = (name => 'text', started => 'number', utc_offset => 'number', tool => 'object', host => 'object', build => 'object', locale => 'object',
    schedule => 'object', tests => 'list', categories => 'list');
my %OBJECT = (
    tool => { name => 'text', version => 'text' },
    host => { name => 'text', os => 'text', release => 'text', version => 'text', machine => 'text', platform => 'text',
              uptime => 'text', runlevel => 'text', online_cpus => 'number', cpus => 'list' },
    locale => { name => 'text', charmap => 'text', collate => 'text' }, schedule => { kind => 'kind' }, build => {},
);
my %ROW = (
    tests      => { name => 'text', title => 'text', category => 'text', baseline => 'baseline' },
    categories => { key => 'text', title => 'text', index => 'texts' },
);

my $NUMBER = qr/\A-?\d+(?:\.\d+)?(?:e[-+]?\d+)?\z/i;
my $SLICES = qr/\A(?:\d+:\d+(?:\.\d+)?(?:e[-+]?\d+)?(?: |\z))*\z/i;
my %IS = (
    number  => sub { defined $_[0] && !ref $_[0] && $_[0] =~ $NUMBER },
    text    => sub { defined $_[0] && !ref $_[0] },
    list    => sub { ref $_[0] eq 'ARRAY' },
    object  => sub { ref $_[0] eq 'HASH' },
    texts   => sub { ref $_[0] eq 'ARRAY' && !grep { !defined || ref } @{ $_[0] } },
    kind    => sub { defined $_[0] && $_[0] =~ /\A(?:default|quick|classic)\z/ },
    # Lists with a gap for each copy that reported none.
    starts  => sub { ref $_[0] eq 'ARRAY' && !grep { defined && (ref || $_ !~ $NUMBER) } @{ $_[0] } },
    slices  => sub { ref $_[0] eq 'ARRAY' && !grep { defined && (ref || $_ !~ $SLICES) } @{ $_[0] } },
    baseline => sub { !defined $_[0] || !ref $_[0] && $_[0] =~ $NUMBER && $_[0] > 0 },
    numbers => sub { ref $_[0] eq 'ARRAY' && @{ $_[0] } && !grep { !defined || ref || $_ !~ $NUMBER || $_ <= 0 } @{ $_[0] } },
);

# Takes the first of the names that is free in the directory and starts the journal; with `replace` an older record of that name
# gives way. Dies with the cause.
sub create {
    my ($class, $directory, $head, %with) = @_;
    for my $name (@{ $with{names} }) {
        my $file = "$directory/$name.jsonl";
        unlink $file if $with{replace};
        next if -e "$directory/$name.json" && !$with{replace};
        if (sysopen my $journal, $file, O_CREAT | O_EXCL | O_WRONLY, 0666) {
            my $data = { %$head, format => $FORMAT, name => $name, map { $_ => [] } keys %ENTRY };
            my $self = bless { data => $data, journal => $journal, stem => "$directory/$name" }, $class;
            $self->_append({ record => $data }) or die "cannot write '$file': $self->{trouble}\n";
            return $self;
        }
        die "cannot write in '$directory': $!\nUB_RESULTDIR names another place for the results\n" if $! != EEXIST;
    }
    die "no free name for the results in '$directory'\n";
}

sub data { return $_[0]{data} }

# One more block, pass, failure, skipped test or warning. A journal that cannot be written is no reason to stop measuring.
sub add {
    my ($self, $list, $entry) = @_;
    push @{ $self->{data}{$list} }, $entry;
    $self->_append({ $list => $entry });
    return $entry;
}

sub _append {
    my ($self, $line) = @_;
    my $journal = $self->{journal};
    my $text    = Touchstone::Json::encode_line($line) . "\n";
    my $wrote   = syswrite $journal, $text;
    if (!defined $wrote || $wrote != length $text) {
        $self->{trouble} //= defined $wrote ? 'it was written in part only' : "$!";
        return 0;
    }
    $journal->sync;
    return 1;
}

# Writes the whole record beside the journal and removes that. Dies with the cause; the journal then stays.
sub finish {
    my ($self) = @_;
    $self->write_file("$self->{stem}.json", Touchstone::Json::encode($self->{data}));
    close $self->{journal};
    unlink "$self->{stem}.jsonl";
    return "$self->{stem}.json";
}

# Beside and renamed: nobody ever sees half a file, and a full disk destroys nothing.
sub write_file {
    my ($self, $file, $text) = @_;
    my $new = "$file.new$$";
    my $ok = open my $out, '>', $new;
    $ok &&= print {$out} $text;
    my $error = $!;
    if ($ok) { $ok = close $out; $error = $! }
    if ($ok) { $ok = rename $new, $file; $error = $! }
    return $file if $ok;
    unlink $new;
    die "cannot write '$file': $error\n";
}

# Data of a stored run, by path or by name in the directory. Dies naming file and line.
sub load {
    my ($class, $run, $directory) = @_;
    my ($file) = grep { -f } $run =~ m{\.jsonl?\z} ? $run : (), map { ("$_.json", "$_.jsonl") } $run, "$directory/$run";
    $file //= $run if -e $run;
    die "no run '$run' here or in '$directory'\n" if !defined $file;
    open my $in, '<', $file or die "cannot open '$file': $!\n";
    my $text = do { local $/; <$in> } // '';
    close $in or die "cannot read '$file': $!\n";
    my $data = eval { $file =~ /\.jsonl\z/ ? _from_journal($text) : Touchstone::Json::decode($text) };
    die "'$file' is no record of a run: $@" if !$data;
    my $wrong = _what_is_wrong($data);
    die "'$file' is no record of a run: $wrong\n" if defined $wrong;
    return $data;
}

# The last line of a run that was cut off may be half a line.
sub _from_journal {
    my ($text) = @_;
    my @lines = split /\n/, $text, -1;
    my $rest  = pop @lines;
    die "line 1: the journal holds no whole line\n" if !@lines;
    my $data;
    for my $i (0 .. $#lines) {
        my $line = eval { Touchstone::Json::decode($lines[$i]) } // die 'line ' . ($i + 1) . ': ' . ($@ =~ s/^line \d+: //r || "no data\n");
        my ($list) = ref $line eq 'HASH' ? keys %$line : ();
        if ($i == 0 && ($list // '') eq 'record') { $data = $line->{record}; next }
        die 'line ' . ($i + 1) . ": no entry of a journal\n" if !$data || ref $data ne 'HASH' || !defined $list || !$ENTRY{$list} || ref $data->{$list} ne 'ARRAY';
        push @{ $data->{$list} }, $line->{$list};
    }
    return $data;
}

sub _what_is_wrong {
    my ($data) = @_;
    return 'it is no object' if ref $data ne 'HASH';
    my $format = $data->{format};
    return 'it has no format number' if !$IS{number}->($format);
    return "its format is $format, this version reads format $FORMAT" if $format != $FORMAT;
    my $wrong = _wrong_in($data, \%HEAD, '');
    $wrong //= _wrong_in($data->{$_}, $OBJECT{$_}, "$_: ") for sort keys %OBJECT;
    $wrong //= _wrong_list($data, $_, $ROW{$_}) for sort keys %ROW;
    $wrong //= _wrong_list($data, $_, $ENTRY{$_}) for sort keys %ENTRY;
    return $wrong if defined $wrong;
    for my $pass (@{ $data->{passes} }) {
        return "a pass of '$pass->{test}' has lists of different lengths"
            if grep { @{ $pass->{$_} } != @{ $pass->{counts} } } qw(times starts slices);
    }
    return;
}

sub _wrong_list {
    my ($data, $list, $shape) = @_;
    return "'$list' is missing" if ref $data->{$list} ne 'ARRAY';
    for my $i (0 .. $#{ $data->{$list} }) {
        my $entry = $data->{$list}[$i];
        my $where = "$list, entry " . ($i + 1) . ': ';
        return "${where}it is no object" if ref $entry ne 'HASH';
        my $wrong = _wrong_in($entry, $shape, $where);
        return $wrong if defined $wrong;
    }
    return;
}

sub _wrong_in {
    my ($object, $shape, $where) = @_;
    for my $key (sort keys %$shape) {
        return "$where'$key' is missing or wrong" if !$IS{ $shape->{$key} }->($object->{$key});
    }
    return;
}

1;
