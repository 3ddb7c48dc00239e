# SPDX-License-Identifier: GPL-2.0-or-later
# Suite::Byte1984::Parts - the tables of Touchstone::Suite::Byte1984::Tables as parts of a page:
#
#   machine               pipe   scall   fcall  sieve   dwrite    dread    shell     loop
#   this machine        534 us  1.32 ms  below  60 us   310 us   121 us  2.05 ms   310 us
#   VAX-11/780 4.1 BSD   3.2 s    4.8 s  1.0 s  1.7 s    2.0 s    8.0 s    3.3 s    2.6 s
#
#   This machine is 5,300 times as fast as a VAX-11/780 (5,200 to 5,400): the geometric mean over pipe, ..., loop.
package Touchstone::Suite::Byte1984::Parts;
use 5.014;
use strict;
use warnings;

use List::Util qw(max);

use Touchstone::Base::Figure qw(memory part seconds three_digits two_digits);
use Touchstone::Base::Symbols qw($DASH);
use Touchstone::Base::Text qw(grouped plain_data short width);
use Touchstone::Suite::Byte1984::Tables;
use Touchstone::Suite::Published qw(@NARROW @WIDE $THIS $UNKNOWN columns fitted notes table together usable);

my $BELOW = 'below';

# The article has a dash in both tables; in table 3 it stands for shells that would not complete.
my $FAILED     = 'failed';
my @BENCHMARKS = @Touchstone::Suite::Byte1984::Tables::BENCHMARKS;
my @WITH_CPU   = qw(pipe scall sieve shell loop);

# The time of a pipe that its real, user and system time leave.
my $WAITING = 'pipe_waiting';

# In a terminal a name has this many letters, and tables this many columns.
my ($LETTERS, $COLUMNS) = (19, 80);

# Above this a number without an exponent is too long to read.
my $LONG = 1e12;

sub parts {
    my ($tables, %with) = @_;
    return if !$tables;
    $tables = plain_data($tables);
    my @machines = @{ $tables->{machines} };
    my @times    = @machines     ? (_tables(@machines), _below(@machines)) : ();
    my @faster   = @machines > 1 ? _times($tables->{headline}, @machines)  : ();
    my @waiting  = (
        _waiting($tables, @machines),
        _compiler($tables->{compiler}),
        _least($tables->{least} || {}),
        _room($tables->{room}   || {})
    );
    my @notes = @machines || $tables->{multi} ? _notes($tables) : ();
    my ($shells, @multi) = $tables->{multi} ? _multi($tables->{multi}) : ();
    my @headline = headline($tables, %with);
    return fitted(
        { text => $COLUMNS, points => $COLUMNS - 4 },
        [ heading => 'Benchmarks of 1984' ],
        @headline ? [ text => @headline ] : (),
        together($tables->{copies}),
        [ @NARROW, @times, @faster, _points(@waiting, @notes), $shells ? ($shells, @multi) : () ],
        [
            @WIDE,
            @faster,
            (@times ? [ fold => 'Seconds per unit of work, and published figures', @times ] : ()),
            _points(@waiting),
            ($shells ? (reverse(@multi), [ fold => $shells->[1]{caption}, $shells ])      : ()),
            (@notes  ? [ fold => 'Notes on the published figures', [ points => @notes ] ] : ())
        ]
    );
}

sub _points { return @_ ? [ points => @_ ] : () }

# The notes on all tables, then those on machines: "SCI-1000 Sys III+: a machine before production ...".
sub _notes {
    my ($tables) = @_;
    my $notes    = notes('byte1984');
    my @lines    = $tables->{multi} ? grep { !$_->{this} } @{ $tables->{multi}{machines} } : ();
    my @noted    = grep { length($_->{note} // '') } @{ $tables->{machines} }, @lines;
    return (
        @{ $notes->{note} },
        @lines ? @{ $notes->{multi} } : (),
        map { _label($_) . ": $_->{note}." } @noted
    );
}

# Returns "waiting time of a pipe (real - user - system): 426 us of 1.15 ms here; 1.9 s of 3.2 s on a
# VAX-11/780, for its disk". With several copies it returns nothing: the seconds of a unit are not those of a
# process then.
sub _waiting {
    my ($tables, @machines) = @_;
    my ($this) = grep { $_->{this} } @machines;
    return if $tables->{copies} > 1 || !$this || !defined $this->{waiting};
    my ($standard) =
        grep { $_->{machine} eq $Touchstone::Suite::Byte1984::Tables::STANDARD && defined $_->{waiting} }
        grep { !$_->{this} } @machines;
    my $value_of = sub {
        my ($machine) = @_;
        return join ' of ', map { _cell($machine, $_) } $WAITING, 'pipe_real';
    };
    my $here =
          $this->{waiting} > 0
        ? $value_of->($this) . ' here'
        : 'no time here, because its two processes run concurrently';
    return "waiting time of a pipe (real $DASH user $DASH system): $here"
        . ($standard ? '; ' . $value_of->($standard) . " on a $standard->{machine}, for its disk" : '');
}

# Returns "cc84 compiles and links a C program in 84.1 ms, user + system 60.2 + 21.0 ms; the article has no
# figure of it".
sub _compiler {
    my ($compiler) = @_;
    return if !$compiler;
    my $cpu  = _cpu({ this => 1, cells => { map { ("cc_$_" => $compiler->{$_}) } qw(user sys) } }, 'cc');
    my $real = seconds(@$compiler{qw(seconds interval)});
    return
        "cc84 compiles and links a C program in $real, user + system $cpu; the article has no figure for it";
}

# Returns "the shortest C program: text 1228 + data 544 + bss 8 = 1780 bytes; linked statically text ...".
sub _least {
    my ($least) = @_;
    my @sizes = (
        defined $least->{dynamic} ? $least->{dynamic}                    : (),
        defined $least->{static}  ? "linked statically $least->{static}" : ()
    );
    return @sizes ? 'the shortest C program: ' . join '; ', @sizes : ();
}

# Returns a sentence for each limit that the tests may have met: one of memory, no swap, pages that were
# swapped.
sub _room {
    my ($room) = @_;
    my ($limit, $all, $swap, $swapped) = @$room{qw(limit_kb memory_kb swap_kb swapped)};
    return (
        $limit && $all
        ? 'memory is limited to '
            . memory($limit) . ' of '
            . memory($all)
            . ': by ulimit -v or -d for each process, or by a control group for all'
        : (),
        defined $swap
            && $swap == 0 ? 'this machine has no swap: processes that do not fit into its memory are killed'
        : (),
        $swapped ? "pages were swapped in $swapped of $room->{passes} passes: their times include the disk"
        : ()
    );
}

# Returns "2.1 ms (2.0 ms to 2.2 ms)".
sub _seconds_within {
    my ($value, @limits) = @_;
    my $middle = seconds($value, \@limits);
    my ($unit) = $middle =~ / (\S+)\z/;
    my ($low, $high) = map { seconds($_, \@limits, $unit) } @limits;
    return "$middle ($low to $high)";
}

# Shows three digits with commas, "5,300", or as many as the interval of `of` supports; that is usually the
# value itself.
sub _shown {
    my ($value, $interval, $base) = @_;
    return sprintf '%.1e', $value if abs $value >= $LONG;
    return grouped(three_digits($value, $interval, abs($base // $value) * (1 + 5e-4)) =~ s/\A-(?=[0.]+\z)//r);
}

# Compares with one published figure, which has two digits or three: "5,300".
sub _factor {
    my ($times) = @_;
    return !defined $times ? $UNKNOWN : $times >= $LONG ? sprintf '%.1e', $times : two_digits($times);
}

# Shows the mean over all tests with the digits of the headline, because our figures alone decide how sure it
# is.
sub _mean_factor {
    my ($times, $headline) = @_;
    return $UNKNOWN if !defined $times;
    my $interval = $headline && $headline->{interval};
    return _shown($times, $interval && [ map { $_ * $times / $headline->{times} } @$interval ]);
}

# Shows seconds to a tenth, as the article does.
sub _published {
    my ($seconds) = @_;
    return !defined $seconds ? $UNKNOWN : sprintf $seconds < $LONG / 1e8 ? '%.1f s' : '%.1e s', $seconds;
}

sub _label {
    my ($machine) = @_;
    return join ' ', grep { length } @$machine{qw(machine system)};
}

# A table of machines, whose names a page has in two columns.
sub _table {
    my ($caption, $rows, @columns) = @_;
    my @names = (
        [ machine => \&_name,                          @NARROW ],
        [ Machine => \&_machine,                       @WIDE ],
        [ System  => sub { short($_[0]{system}, 40) }, left => 1, @WIDE ]
    );
    return table($caption, [ @names, @columns ], $rows, class => 'pinned', within => $COLUMNS);
}

sub _name {
    my ($machine) = @_;
    my $name      = $machine->{this} ? $THIS : _label($machine);
    return width($name) > $LETTERS ? short($name, $LETTERS - 3) : $name;
}

sub _machine {
    my ($machine) = @_;
    my $name = short($machine->{machine}, 40);
    return !$machine->{this} ? $name : length $name ? "$name ($THIS)" : $THIS;
}

sub _cell {
    my ($machine, $column) = @_;
    my $seconds = $column eq $WAITING ? $machine->{waiting} : $machine->{cells}{$column};
    return _published($seconds) if !$machine->{this};
    return $BELOW               if $machine->{below}{ $column =~ s/_real\z//r };
    return 'none'               if $column eq $WAITING && defined $seconds && $seconds <= 0;
    return defined $seconds ? seconds($seconds, $machine->{intervals}{$column}) : $UNKNOWN;
}

sub _tables {
    my (@machines) = @_;
    my $cell = sub { _cell($_[0], Touchstone::Suite::Byte1984::Tables::column($_[1])) };
    return (
        _table('Time for one unit of work', \@machines, columns($cell,  @BENCHMARKS)),
        _table('CPU time, user + system',   \@machines, columns(\&_cpu, @WITH_CPU))
    );
}

# Returns "0.1 + 1.2 s", with both times in the unit of the longer one.
sub _cpu {
    my ($machine, $name) = @_;
    my @seconds = @{ $machine->{cells} }{ "${name}_user", "${name}_sys" };
    return $BELOW                                if $machine->{this} && $machine->{below}{$name};
    return $UNKNOWN                              if !grep { defined } @seconds;
    return _sum(map { _published($_) } @seconds) if !$machine->{this};
    my ($unit) = seconds(max(grep { defined } @seconds)) =~ / (\S+)\z/;
    return _sum(map { defined $_ ? seconds($_, undef, $unit) : $UNKNOWN } @seconds);
}

# Adds two texts that have the same unit.
sub _sum {
    my ($user, $sys) = @_;
    my ($unit) = "$user $sys" =~ / (\S+)\z/;
    $user =~ s/ \Q$unit\E\z// if defined $unit;
    return "$user + $sys";
}

sub _below {
    my ($this) = @_;
    return %{ $this->{below} } ? [ text => "$BELOW: below the resolution here" ] : ();
}

# Returns ("This machine is 5,300 times as fast as a VAX-11/780 (5,200 to 5,400)", "the geometric ..."), or
# nothing.
sub headline {
    my ($tables, %with) = @_;
    my $headline = $tables->{headline} or return;
    my ($times, @limits) = map { _shown($_, @$headline{qw(interval times)}) } $headline->{times},
        @{ $headline->{interval} || [] };
    my %below   = map { $_ => 1 } @{ $headline->{below} };
    my @missing = map { $below{$_} ? "$_ (below the resolution)" : $_ } @{ $headline->{missing} };
    return (
          ($tables->{copies} == 1 ? 'This machine is ' : "With $tables->{copies} copies this machine is ")
        . $times
            . " times as fast as a $headline->{machine} ("
            . (@limits  ? "$limits[0] to $limits[1]" : 'no interval') . ')'
            . (@missing ? ', partial'                : '')
            . ($with{doubt} // ''),
        'the geometric mean over '
            . join(', ', @{ $headline->{of} })
            . (@missing ? '; without ' . join ', ', @missing : '')
    );
}

sub _times {
    my ($headline, @machines) = @_;
    return _table(
        'How many times as fast this machine is; all 7: geometric mean of all but dread',
        [ grep { !$_->{this} } @machines ],
        columns(sub { _factor($_[0]{times}{ $_[1] }) }, @BENCHMARKS),
        [ 'all 7' => sub { _mean_factor($_[0]{composite}, $headline) } ]
    );
}

# Returns the table of shells, what the line of this machine says, and a chart.
sub _multi {
    my ($multi) = @_;
    my @counts  = 1 .. $Touchstone::Suite::Byte1984::Tables::SHELLS;
    my $caption = "Time for $counts[0] to $counts[-1] concurrent shells, and slope: for each additional one";
    return (
        _table($caption, $multi->{machines}, columns(\&_shells, @counts), [ slope => \&_slope ]),
        [ points => _line($multi) ],
        [ chart  => _chart($multi, @counts) ]
    );
}

sub _shells {
    my ($machine, $count) = @_;
    my $seconds = $machine->{seconds}[ $count - 1 ];
    return $machine->{this} ? $UNKNOWN : $FAILED if !defined $seconds;
    return $machine->{this} ? seconds($seconds, $machine->{intervals}[ $count - 1 ]) : _published($seconds);
}

sub _slope {
    my ($machine) = @_;
    my $slope = $machine->{slope};
    return
          !defined $slope  ? $UNKNOWN
        : $machine->{this} ? seconds($slope, $machine->{slope_interval})
        :                    _factor($slope) . ' s';
}

# Returns what the line of this machine says: "each additional shell costs 2.1 ms (2.0 ms to 2.2 ms), 45 % of
# one alone" with "the line has no bend"; or "the line bends at 2.1 shells (1.9 to 2.4)" with the cost of a
# further shell before and after. "there are 2 usable CPUs" follows.
sub _line {
    my ($multi) = @_;
    my $fit     = $multi->{fit};
    my $there   = usable($multi->{cpus});
    my $lacks =
        defined $multi->{machines}[0]{slope}
        ? 'no interval of the slope and no bend'
        : 'no slope and no bend';
    return ("$lacks: $fit->{why}", $there) if defined $fit->{why};
    my $share = defined $multi->{share} ? ', ' . part($multi->{share}) . ' of one shell' : '';
    return (_cost('each additional shell costs', $fit, 'slope') . $share, 'the line has no bend', $there)
        if !defined $fit->{bend};
    my ($bend, @limits) = @$fit{qw(bend bend_low bend_high)};
    return (
        sprintf('the line bends at %s shells (%s to %s)', map { _shown($_, \@limits, $bend) } $bend, @limits),
        _cost('before it each additional shell costs', $fit, 'before'),
        _cost('after it',                              $fit, 'after'),
        $there
    );
}

sub _cost {
    my ($words, $fit, $slope) = @_;
    return "$words " . _seconds_within(@$fit{ $slope, "${slope}_low", "${slope}_high" });
}

sub _chart {
    my ($multi, @counts) = @_;
    my @lines;
    for my $machine (@{ $multi->{machines} }) {
        my @points = map { [ $_, $machine->{seconds}[ $_ - 1 ] ] }
            grep { defined $machine->{seconds}[ $_ - 1 ] } @counts;
        push @lines,
            {
            name   => $machine->{this} ? $THIS : _label($machine),
            points => \@points,
            this   => $machine->{this}
            };
    }
    return { title => 'Concurrent shells', x => 'concurrent shells', y => 'seconds', lines => \@lines };
}

1;
