# SPDX-License-Identifier: GPL-2.0-or-later
# Record::Schema - what a record of format 2 must look like before anything is computed or shown from it.
# Records come from other machines, from crashes and from strangers.
package Touchstone::Record::Schema;
use 5.014;
use strict;
use warnings;

use Touchstone::Base::Price;
use Touchstone::Base::Time;
use Touchstone::Record::Campaign;
use Touchstone::Record::Channel;
use Touchstone::Record::Largest;
use Touchstone::Suite;

# A word is a key of %IS; a hash is an object, whose key `*` stands for all others and whose keys in `?` may
# be missing; a list holds the shape of its entries.
my %CPU  = (id   => 'text', model     => 'text',  bogomips => 'text', flags => ['text']);
my %LOST = (test => 'text', 'copies?' => 'count', why => 'text', 'remedy?' => 'text', 'output?' => 'text');
my %PASS = (
    test       => 'text',
    copies     => 'count',
    round      => 'whole',
    window     => 'positive',
    timebase   => 'timebase',
    unit       => 'text',
    counts     => ['number'],
    times      => ['positive'],
    starts     => ['moment?'],
    slices     => ['slices?'],
    'warm?'    => 'positive',
    'started?' => 'time',
    'seconds?' => 'time',
    'command?' => 'text',
    'output?'  => 'text',
    'cpus?'    => ['text'],
    'team?'    => 'number',
    'seen?'    => 'text',
    'how?'     => 'text',
    'figures?' => [ { '*' => 'number' } ],
    'units?'   => { '*' => 'text' },
    'missing?' => { '*' => 'text' },
    'common?'  => {
        rate      => 'positive',
        rates     => ['positive'],
        share     => 'number',
        skew      => 'number',
        'coarse?' => 'number'
    },
    'user?'         => ['number?'],
    'sys?'          => ['number?'],
    'counters?'     => { '*' => 'number?' },
    'preempted?'    => ['number?'],
    'slept?'        => ['number?'],
    'minor_faults?' => ['number?'],
    'major_faults?' => ['number?'],
    'events?'       => [ { '*' => 'number' } ],
    'counted?'      => ['number?'],
    'uncounted?'    => { '*' => 'text' },
    'duet_blocks?'  => ['duet_blocks'],
    'handover?'     => { '*' => 'number' },
);
my %DRIFT   = (runs => 'count', days   => 'number');
my %EXTREME = (name => 'text',  copies => 'count', spread => 'number');
my %JUDGED  = (
    name          => 'text',
    copies        => 'count',
    unit          => 'text',
    scores        => 'pair',
    intervals     => 'pairs',
    'ratio?'      => 'number',
    'interval?'   => 'pair',
    'detectable?' => 'number',
    verdict       => 'text',
    'why?'        => 'text',
    'of_common?'  => 'number',
    'role?'       => 'text',
    'called?'     => 'text',
    'drift?'      => { %DRIFT, error => 'number', freedom => 'number', spread => 'number', of => 'text' }
);
my %RECORD = (
    %{ Touchstone::Suite::record_keys() },
    name       => 'name',
    started    => 'time',
    'ended?'   => 'time',
    utc_offset => 'offset',
    'brief?'   => 'number',
    'pin?'     => 'pin',
    'price?'   => { amount => 'positive', 'unit?' => 'unit' },
    tool       => { name   => 'text',     version => 'text' },
    host       => {
        name              => 'text',
        os                => 'text',
        release           => 'text',
        version           => 'text',
        machine           => 'text',
        platform          => 'text',
        uptime            => 'text',
        runlevel          => 'text',
        online_cpus       => 'count',
        'usable_cpus?'    => 'count',
        cpus              => [ \%CPU ],
        'usable_cpu_ids?' => ['text'],
        '*'               => 'text',
    },
    build => {
        'measured_compiler?' => { command => 'text', version => 'text' },
        'binaries?'          => { '*'     => 'text' },
        'tools?'             => { '*'     => 'text' },
        '*'                  => 'text',
    },
    'equipment?' => { '*' => { '*' => 'text' } },
    'wanted?'    => { '*' => 'text' },
    'resumed?'   => ['time'],
    'purpose?'   => 'text',
    'duet?'      => 'text',
    'set?'       => { name => 'text', asked => 'text' },
    'again?'     => {
        set      => 'text',
        number   => 'few',
        of       => 'few',
        'every?' => 'positive',
        words    => ['text']
    },
    'campaign?' => {
        id         => 'campaign',
        host       => 'host',
        host_id    => 'host_id',
        machine    => 'host_id',
        attempt    => 'few',
        'carrier?' => 'text',
        'slot?'    => 'text',
        'order?'   => 'text',
        'seed?'    => 'text',
        labels     => { '*' => 'text' }
    },
    'programs?'       => 'text',
    'baseline?'       => 'text',
    'scaling_wanted?' => 'number',
    'status?'         => 'text',
    'passport?'       => 'text',
    'compact?'        => 'number',
    'suites?'         => { '*'  => 'text' },
    locale            => { name => 'text', charmap => 'text', collate => 'text' },
    schedule          => {
        kind           => 'kind',
        'seed?'        => 'number',
        'precision?'   => 'positive',
        'budget?'      => 'positive',
        'limit?'       => 'positive',
        'rounds?'      => 'number',
        'most_rounds?' => 'count',
        'margin?'      => 'part',
        'iterations?'  => 'count',
        'within?'      => 'positive',
        'rows?'        => { '*' => { '*' => 'positive' } },
        'copies?'      => ['count']
    },
    tests => [
        {
            name         => 'text',
            title        => 'text',
            category     => 'text',
            'suite?'     => 'text',
            'version?'   => 'text',
            'better?'    => 'better',
            'per?'       => 'parts',
            'requires?'  => 'text',
            'scale?'     => 'positive',
            'rule?'      => 'text',
            'verdict?'   => 'number',
            'tail?'      => 'text',
            'late?'      => 'number',
            'unlike?'    => 'text',
            'baseline?'  => 'positive',
            'baselines?' => { '*' => 'positive' }
        }
    ],
    categories =>
        [ { key => 'text', title => 'text', 'apart?' => 'number', index => ['text'], 'based?' => ['text'] } ],
    'indexes?' => [
        {
            key          => 'text',
            title        => 'text',
            category     => 'text',
            'reference?' => 'text',
            'exponent?'  => 'exponent',
            'groups?'    => [ ['text'] ],
            'part_of?'   => 'text',
            'place?'     => 'text',
            'steady?'    => 'number',
            'scale?'     => 'positive',
            tests        => ['text'],
            baselines    => { '*' => 'positive' },
            'by_copies?' => { '*' => { '*' => 'positive' } }
        }
    ],
    'against?' => {
        name        => 'text',
        'status?'   => 'number',
        'fail_on?'  => 'number',
        notes       => ['text'],
        differences => [ { thing => 'text', values => ['text'] } ],
        'drift?'    => {
            machines => [ { %DRIFT, host => 'text', least => \%EXTREME, most => \%EXTREME } ],
            unknown  => ['text']
        },
        'cause?' => {
            id       => 'text',
            text     => 'text',
            tests    => ['text'],
            facts    => ['text'],
            'ratio?' => 'number',
            map { $_ => 'text' } qw(what? size? why? part?)
        },
        tests   => [ \%JUDGED ],
        indexes => [ \%JUDGED ]
    },
    'published?' => { '*' => [ { '*' => 'text' } ] },
    blocks       => [ { copies => 'count', started => 'time', 'ended?' => 'time' } ],
    passes       => [ \%PASS ],
    failures     => [ \%LOST ],
    skipped      => [ \%LOST ],
    warnings     => [
        { id => 'text', text => 'text', 'remedy?' => 'text', 'invalid?' => 'number', 'late?' => 'number' }
    ],
);

# A finished record also holds results, of which this is read.
my %FIGURE_OF = ('interval?' => 'pair', score => 'number');
my %FINISHED  = (
    %RECORD,
    passes  => [],
    results => [
        {
            copies => 'count',
            tests  => [ { %FIGURE_OF, name => 'text', title => 'text', unit => 'text', better => 'better' } ],
            indexes => [
                {
                    %FIGURE_OF,
                    key        => 'text',
                    'part_of?' => 'text',
                    name       => 'text',
                    title      => 'text',
                    partial    => 'number',
                    tests      => ['text']
                }
            ]
        }
    ],
);
my %MEMBER =
    map { my ($name, $maybe) = /\A(\w+)(\??)\z/; ($name => { shape => $FINISHED{$_}, maybe => $maybe }) }
    keys %FINISHED;

# Every finished record has these members.
our @OF_FINISHED = ('format', grep { !$MEMBER{$_}{maybe} } sort keys %MEMBER);

# These lists grow while a run goes on: each line of its journal is an entry of one.
our @LISTS = qw(blocks passes failures skipped warnings);

# The names of all members that are read of a record that is scored anew, as Record::Json takes them.
sub known {
    state $names = { map { s/\?\z//r => 1 } 'format', keys %RECORD };
    return $names;
}

my $FIGURE = qr/\d{1,30}(?:\.\d{1,30})?(?:e[-+]?\d{1,2})?/i;
my $CPUS   = qr/\d{1,5}(?:-\d{1,5})?/;
my $TURN   = qr/\A(\d{1,9}):[1-9]\d{0,17}:\d{1,18}:\d{1,18}:\d{1,9}\z/a;
my $SLICE  = qr/\A(\d{1,18}):($FIGURE)(?::(\d{1,18}))?\z/;

# Limits far beyond any measurement keep products and quotients from becoming infinite.
my %IS = (
    text => sub { !ref $_[0] },

    # A name becomes the name of files.
    name     => sub { !ref $_[0] && $_[0] =~ m{\A[^./\x00-\x1f][^/\x00-\x1f]{0,254}\z} },
    campaign => sub { !ref $_[0] && Touchstone::Record::Campaign::is_id($_[0]) },
    host     => sub { !ref $_[0] && Touchstone::Record::Campaign::is_host($_[0]) },
    host_id  => sub { !ref $_[0] && $_[0] =~ /\A[0-9a-f]{16}\z/ },
    number   => sub { !ref $_[0] && $_[0] =~ /\A-?$FIGURE\z/ && abs $_[0] < 1e30 },
    positive => sub { !ref $_[0] && $_[0] =~ /\A$FIGURE\z/   && $_[0] > 1e-30 && $_[0] < 1e30 },
    timebase => sub { !ref $_[0] && $_[0] =~ /\A\d{1,9}\z/ },
    few      => sub { !ref $_[0] && $_[0] =~ /\A[1-9]\d{0,3}\z/ },
    part     => sub { !ref $_[0] && $_[0] =~ /\A$FIGURE\z/ && $_[0] > 0 && $_[0] < 1 },
    count    => sub { !ref $_[0] && $_[0] =~ /\A[1-9]\d{0,6}\z/ },

    # A time is in seconds, since 1970 or of a pass. Sums of some of them are still within what a calendar
    # can show.
    time => sub { !ref $_[0] && $_[0] =~ /\A$FIGURE\z/ && $_[0] < $Touchstone::Base::Time::END },
    whole => sub { !ref $_[0] && $_[0] =~ /\A\d{1,9}\z/ },

    # A moment is in whole nanoseconds, whose differences are exact.
    moment   => sub { !ref $_[0] && $_[0] =~ /\A$FIGURE\z/ && $_[0] < 1e18 && $_[0] == int $_[0] },
    pin      => sub { !ref $_[0] && $_[0] =~ /\A(?:none|spread|pack|$CPUS(?:,$CPUS)*)\z/ },
    offset   => sub { !ref $_[0] && $_[0] =~ /\A-?\d{1,6}\z/ },
    unit     => sub { !ref $_[0] && Touchstone::Base::Price::is_unit($_[0]) },
    kind     => sub { !ref $_[0] && $_[0] =~ /\A(?:default|quick|classic)\z/ },
    exponent => sub { !ref $_[0] && $_[0] =~ /\A$FIGURE\z/ && $_[0] > 0 && $_[0] <= 1 },
    better   => sub { !ref $_[0] && $_[0] =~ /\A(?:lower|higher)\z/ },
    parts    => sub {
        ref $_[0] eq 'ARRAY'
            && @{ $_[0] } == 2
            && !(grep { !defined || ref } @{ $_[0] })
            && $_[0][0] =~ /\A[1-9]\d{0,8}\z/;
    },
    slices      => \&_are_slices,
    duet_blocks => \&_are_duet_blocks,
    pair        => \&_is_pair,

    # Each of two pairs may be unknown.
    pairs => sub {
        ref $_[0] eq 'ARRAY' && @{ $_[0] } == 2 && !grep { !(ref eq 'ARRAY' && !@$_) && !_is_pair($_) }
            @{ $_[0] };
    },
);

# The first thing that is wrong with a record, in words; undef when nothing is.
sub complaint {
    my ($data, $format) = @_;
    return 'it is not an object' if ref $data ne 'HASH';
    return 'it has no format number'
        if !defined $data->{format} || ref $data->{format} || $data->{format} !~ /\A-?$FIGURE\z/;
    return "a development version made it (its format is $data->{format}): measure again"
        if $data->{format} < $format;
    return "its format is $data->{format}, this version reads format $format" if $data->{format} != $format;
    return _object($data, \%RECORD, '') // _long($data) // _copies($data->{passes});
}

# Each of these entries becomes far more when results are made of them.
sub _long {
    my ($data) = @_;
    my $most   = \%Touchstone::Record::Largest::ENTRIES;
    my ($long) = grep { $data->{$_} && @{ $data->{$_} } > $most->{$_} } sort keys %$most;
    return defined $long ? "'$long' has more than $most->{$long} entries" : undef;
}

# The same for one member of a finished record, and for one pass.
sub complaint_of_member {
    my ($name, $value) = @_;
    my $member = $MEMBER{$name};
    return !$member || $member->{maybe} && !defined $value ? undef : _shape($value, $member->{shape}, $name);
}

sub complaint_of_pass { my ($pass) = @_; return _object($pass, \%PASS, 'passes') // _copies([$pass]) }

sub _is_pair {
    my ($value) = @_;
    return
           ref $value eq 'ARRAY'
        && @$value == 2
        && !grep { !defined || ref || !/\A-?$FIGURE\z/ || abs() >= 1e30 } @$value;
}

# Neither a clock nor a count may go back: a rate would be negative.
sub _are_slices {
    my ($text) = @_;
    return 0 if ref $text;
    my ($when, $count, $cpu) = (0, 0, 0);
    for my $slice (split / /, $text) {
        return 0 if $slice !~ $SLICE || $1 < $when || $2 < $count || ($3 // $cpu) < $cpu;
        ($when, $count, $cpu) = ($1, $2, $3 // $cpu);
    }
    return 1;
}

# Places go up, and a turn has a time; nothing may tell its CPU time, and it may have counted nothing.
sub _are_duet_blocks {
    my ($text) = @_;
    return 0 if ref $text;
    my $place = -1;
    for my $turn (split / /, $text) {
        return 0 if $turn !~ $TURN || $1 <= $place;
        $place = $1;
    }
    return $place >= 0;
}

# Shapes that were taken apart are kept: thousands of records are looked at in a row.
my (%asked, %keys, %single);

sub _shape {
    my ($value, $shape, $where) = @_;
    return _object($value, $shape, $where)    if ref $shape eq 'HASH';
    return _list($value, $shape->[0], $where) if ref $shape eq 'ARRAY';
    my ($word, $maybe) = @{ $asked{$shape} //= [ $shape =~ /\A(\w+)(\??)\z/ ] };
    return if $maybe && !defined $value;
    return defined $value && $IS{$word}->($value) ? undef : "'$where' is missing or wrong";
}

# The sub of %IS that a value must answer, or nothing where it is no single value.
sub _asks { my ($shape) = @_; return ref $shape ? undef : $IS{ $shape =~ s/\?\z//r } }

sub _object {
    my ($value, $shape, $where) = @_;
    return "'$where' is missing or wrong" if ref $value ne 'HASH';
    my $path    = length $where ? "$where/" : '';
    my $members = $keys{$shape} //= [
        map       { [ /\A(\w+)(\??)\z/, $shape->{$_}, _asks($shape->{$_}) ] }
        sort grep { $_ ne '*' } keys %$shape
    ];
    for my $member (@$members) {
        my ($name, $maybe, $type, $asked) = @$member;
        next if defined $value->{$name} ? $asked && $asked->($value->{$name}) : $maybe;
        my $wrong = _shape($value->{$name}, $type, "$path$name");
        return $wrong if defined $wrong;
    }
    return if !$shape->{'*'};
    my %known = map { $_->[0] => 1 } @$members;
    for my $name (sort grep { !$known{$_} } keys %$value) {
        my $wrong = _shape($value->{$name}, $shape->{'*'}, "$path$name");
        return $wrong if defined $wrong;
    }
    return;
}

sub _list {
    my ($value, $shape, $where) = @_;
    return "'$where' is missing or wrong" if ref $value ne 'ARRAY';
    my ($type, $maybe) = ref $shape ? () : @{ $single{$shape} //= [ _asks($shape), $shape =~ /\?\z/ ] };
    for my $i (0 .. $#$value) {
        next if $type && (defined $value->[$i] ? $type->($value->[$i]) : $maybe);
        my $wrong = _shape($value->[$i], $shape, "$where/" . ($i + 1));
        return $wrong if defined $wrong;
    }
    return;
}

# Every list of a pass has one figure for each copy, and every count is one.
sub _copies {
    my ($passes) = @_;
    for my $i (0 .. $#$passes) {
        my $pass = $passes->[$i];
        my $n    = @{ $pass->{counts} };
        return "'passes/" . ($i + 1) . "/counts' is empty" if !$n;
        return "'passes/" . ($i + 1) . "/copies' is $pass->{copies}, and there are counts of $n"
            if ($pass->{team} ? 1 : $pass->{copies}) != $n;
        return "'passes/" . ($i + 1) . "' has lists of different lengths"
            if grep { @$_ != $n } @$pass{qw(times starts slices)},
            (map { $pass->{$_} // () }
                qw(user sys preempted slept minor_faults major_faults events counted duet_blocks)),
            $pass->{common} ? $pass->{common}{rates} : ();
        return "'passes/" . ($i + 1) . "/counts' is missing or wrong"
            if !Touchstone::Record::Channel::may_be_negative($pass) && grep { !$IS{positive}->($_) }
            @{ $pass->{counts} };
    }
    return;
}

1;
