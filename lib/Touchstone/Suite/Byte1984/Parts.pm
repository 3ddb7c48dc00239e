# SPDX-License-Identifier: GPL-2.0-or-later
# Suite::Byte1984::Parts - the tables of Touchstone::Suite::Byte1984::Tables as parts of a page:
#
#   machine               pipe   scall   fcall  sieve   dwrite    dread    shell     loop
#   this machine        534 us  1.32 ms  below  60 us   310 us   121 us  2.05 ms   310 us
#   VAX-11/780 4.1 BSD   3.2 s    4.8 s  1.0 s  1.7 s    2.0 s    8.0 s    3.3 s    2.6 s
#
#   This machine is 5,300 times a VAX-11/780 (5,200 to 5,400): the geometric mean over pipe, ..., loop.
package Touchstone::Suite::Byte1984::Parts;
use 5.014;
use strict;
use warnings;

use List::Util qw(max);
use POSIX qw(floor);

use Touchstone::Base::Figure qw(memory part seconds);
use Touchstone::Base::Signs qw($DASH);
use Touchstone::Base::Text qw(grouped plain_data short width);
use Touchstone::Suite::Byte1984::Tables;

my ($UNKNOWN, $BELOW) = ('---', 'below');

# The article has a dash in both tables; in table 3 it stands for shells that would not complete.
my $FAILED   = 'failed';
my $THIS     = 'this machine';
my @WITH_CPU = qw(pipe scall sieve shell loop);

# The time of a pipe that its real, user and system time leave.
my $WAITING = 'pipe_waiting';

# A figure has at most $MOST significant digits, a comparison with a figure of the article $FEW, as the
# article's own.
my ($MOST, $FEW) = (3, 2);

# In a terminal a name has this many letters, and tables this many columns.
my ($LETTERS, $COLUMNS) = (19, 80);

# Above this a number without an exponent is too long to read.
my $LONG  = 1e12;
my @NOTES = (
    "Published figures: BYTE, August 1984, to a tenth of a second. $UNKNOWN: not available.",
    'Not as in 1984: units of work are repeated in one process; only pipe and the shells start others.',
    'Not as in 1984: fcall is elapsed time, not user time; pipes and files stay in memory.',
    'Sys III+: with Berkeley enhancements.',
);
my $NOTE_OF_FAILED = "$FAILED: would not complete. This test also finds limits on the processes of a user.";

# `wide` is for a page; otherwise no table has more than 80 columns.
sub parts {
    my ($tables, %with) = @_;
    return if !$tables;
    $tables = plain_data($tables);
    my @machines = @{ $tables->{machines} };
    my @times    = @machines     ? (_tables($with{wide}, @machines), _below(@machines)) : ();
    my @faster   = @machines > 1 ? _times($tables->{headline}, $with{wide}, @machines)  : ();
    my @waiting =
        (_waiting($tables, @machines), _compiler($tables->{compiler}), _least($tables->{least} || {}));
    push @waiting, _room($tables->{room} || {});
    my @said  = @machines || $tables->{multi} ? _notes($tables)                 : ();
    my @notes = @said                         ? [ points => @said ]             : ();
    my @multi = $tables->{multi}              ? _multi($tables->{multi}, %with) : ();
    return _within(
        $with{wide},
        [ heading => 'Benchmarks of 1984' ],
        (map { [ text => @$_ ] } grep { @$_ } [ headline($tables, %with) ]),
        _together($tables->{copies}),
        $with{wide}
        ? (
            @faster,
            (@times   ? [ fold   => 'Seconds of a unit of work, and published figures', @times ] : ()),
            (@waiting ? [ points => @waiting ]                                                   : ()),
            @multi,
            (@notes ? [ fold => 'Notes on the published figures', @notes ] : ())
            )
        : (@times, @faster, (map { [ points => @$_ ] } grep { @$_ } [ @waiting, @said ]), @multi)
    );
}

# The notes on all tables, then those on machines: "SCI-1000 Sys III+: a machine before production ...".
sub _notes {
    my ($tables) = @_;
    my @lines    = $tables->{multi} ? grep { !$_->{this} } @{ $tables->{multi}{machines} } : ();
    my @noted    = grep { length($_->{note} // '') } @{ $tables->{machines} }, @lines;
    return (
        @NOTES,
        (grep { defined $_->{machine} } @lines) ? $NOTE_OF_FAILED : (),
        map {
            join(' ', grep { length } @$_{qw(machine system)})
                . ": $_->{note}."
        } @noted
    );
}

# Breaks the lines of points and texts where there is no page to do it.
sub _within {
    my ($wide, @parts) = @_;
    return @parts if $wide;
    my %room = (text => $COLUMNS, points => $COLUMNS - 4);
    return map {
        my ($kind, @what) = @$_;
        [ $kind, $room{$kind} ? map { Touchstone::Base::Text::folded($_, $room{$kind}) } @what : @what ]
    } @parts;
}

sub _together {
    my ($copies) = @_;
    return $copies == 1
        ? ()
        : [ text =>
            "With $copies copies at once: the seconds of a unit, of all the units that they do together" ];
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
    my $of = sub {
        my ($machine) = @_;
        return join ' of ', map { _cell($machine, $_) } $WAITING, 'pipe_real';
    };
    my $here =
        $this->{waiting} > 0 ? $of->($this) . ' here' : 'no time here, as its two processes run at once';
    return "waiting time of a pipe (real $DASH user $DASH system): $here"
        . ($standard ? '; ' . $of->($standard) . " on a $standard->{machine}, for its disk" : '');
}

# Returns "cc84 compiles and links a C program in 84.1 ms, user + system 60.2 + 21.0 ms; the article has no
# figure of it".
sub _compiler {
    my ($compiler) = @_;
    return if !$compiler;
    my $cpu  = _cpu({ this => 1, cells => { map { ("cc_$_" => $compiler->{$_}) } qw(user sys) } }, 'cc');
    my $real = seconds(@$compiler{qw(seconds interval)});
    return
        "cc84 compiles and links a C program in $real, user + system $cpu; the article has no figure of it";
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
        $swapped
        ? "pages were swapped in $swapped of $room->{passes} passes: their seconds are those of a disk, too"
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

# Returns the power of ten of the last digit to be shown.
sub _place {
    my ($value, $interval, $most) = @_;
    return 0 if $value == 0;
    my $half  = $interval ? ($interval->[1] - $interval->[0]) / 2 : 0;
    my $first = _power($value, $most);
    my $place = $first - $most + 1;
    $place = max($place, floor(log($half) / log 10) - 1) if $half > 0;
    return $place > $first ? $first : $place;
}

# Returns the power of ten of the first digit when this many are shown: 999.6 is 1000 with three.
sub _power {
    my ($value, $digits) = @_;
    return 0 + (sprintf('%.*e', $digits - 1, $value) =~ /e(.*)/)[0];
}

# Rounds to a power of ten, with commas: "5,300".
sub _shown {
    my ($value, $place) = @_;
    return sprintf '%.1e', $value if abs $value >= $LONG;
    my $text =
        $place <= 0
        ? sprintf('%.*f', -$place, $value)
        : sprintf('%.0f', floor($value / 10**$place + 0.5) * 10**$place);
    return grouped($text =~ s/\A-(?=[0.]+\z)//r);
}

# Compares with one published figure, which has two digits or three: "5,300".
sub _factor {
    my ($times) = @_;
    return defined $times ? _shown($times, _place($times, undef, $FEW)) : $UNKNOWN;
}

# Shows the mean over all tests with the digits of the headline, because our figures alone decide how sure it
# is.
sub _mean_factor {
    my ($times, $headline) = @_;
    return $UNKNOWN if !defined $times;
    my $interval = $headline && $headline->{interval};
    my $limits   = $interval && [ map { $_ * $times / $headline->{times} } @$interval ];
    return _shown($times, _place($times, $limits, $MOST));
}

# Shows seconds to a tenth, as the article does.
sub _published {
    my ($seconds) = @_;
    return !defined $seconds ? $UNKNOWN : sprintf $seconds < $LONG / 1e8 ? '%.1f s' : '%.1e s', $seconds;
}

sub _name {
    my ($machine) = @_;
    return $THIS if $machine->{this};
    my $name = join ' ', grep { length } @$machine{qw(machine system)};
    return width($name) > $LETTERS
        ? short($name, $LETTERS - 3)
        : $name;
}

# Returns the names of machine and system for a page.
sub _names {
    my ($machine) = @_;
    my ($name, $system) = map { short($_, 40) } @$machine{qw(machine system)};
    return ($machine->{this} ? (length $name ? "$name ($THIS)" : $THIS) : $name, $system);
}

sub _cell {
    my ($machine, $column) = @_;
    my $seconds = $column eq $WAITING ? $machine->{waiting} : $machine->{cells}{$column};
    return _published($seconds) if !$machine->{this};
    return $BELOW               if $machine->{below}{ $column =~ s/_real\z//r };
    return 'none'               if $column eq $WAITING && defined $seconds && $seconds <= 0;
    return defined $seconds
        ? seconds($seconds, $machine->{intervals}{$column})
        : $UNKNOWN;
}

sub _tables {
    my ($wide, @machines) = @_;
    my @names = @Touchstone::Suite::Byte1984::Tables::BENCHMARKS;
    my $table = sub {
        my ($caption, $columns, $cell) = @_;
        my @rows = map {
            my $machine = $_;
            [ _named($wide, $machine), map { $cell->($machine, $_) } @$columns ]
        } @machines;
        return [ table =>
                { caption => $caption, rows => \@rows, _head($wide), head => [ _heads($wide), @$columns ] } ];
    };
    return (
        $table->(
            'Time for one unit of work',
            \@names,
            sub {
                my ($machine, $name) = @_;
                return _cell($machine, Touchstone::Suite::Byte1984::Tables::column($name));
            }
        ),
        $table->('CPU time, user + system', \@WITH_CPU, \&_cpu)
    );
}

# How a page, or a text, shows the name of a machine, the heads of such columns, and their tables.
sub _named { my ($wide, $machine) = @_; return $wide ? _names($machine)      : _name($machine) }
sub _heads { return $_[0]                            ? ('Machine', 'System') : 'machine' }

sub _head {
    my ($wide) = @_;
    return $wide ? (left => [ 0, 1 ], class => 'pinned') : (left => [0], within => $COLUMNS);
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
    return %{ $this->{below} } ? [ text => "$BELOW: below what can be measured here" ] : ();
}

# Returns ("This machine is 5,300 times a VAX-11/780 (5,200 to 5,400)", 'the geometric mean over ...'), or
# nothing.
sub headline {
    my ($tables, %with) = @_;
    my $headline = $tables->{headline} or return;
    my $place    = _place(@$headline{qw(times interval)}, $MOST);
    my @limits   = map { _shown($_, $place) } @{ $headline->{interval} || [] };
    my %below    = map { $_ => 1 } @{ $headline->{below} };
    my @missing  = map { $below{$_} ? "$_ (below what can be measured)" : $_ } @{ $headline->{missing} };
    return (
          ($tables->{copies} == 1 ? 'This machine is ' : "With $tables->{copies} copies this machine is ")
        . _shown($headline->{times}, $place)
            . " times a $headline->{machine} ("
            . (@limits  ? "$limits[0] to $limits[1]" : 'no interval') . ')'
            . (@missing ? ', partial'                : '')
            . ($with{doubt} // ''),
        'the geometric mean over '
            . join(', ', @{ $headline->{of} })
            . (@missing ? '; without ' . join ', ', @missing : '')
    );
}

sub _factors {
    my ($machine) = @_;
    return map { _factor($machine->{times}{$_}) } @Touchstone::Suite::Byte1984::Tables::BENCHMARKS;
}

sub _times {
    my ($headline, $wide, @machines) = @_;
    my @rows =
        map { [ _named($wide, $_), _factors($_), _mean_factor($_->{composite}, $headline) ] }
        grep { !$_->{this} } @machines;
    return [
        table => {
            caption => 'How many times faster this machine is; all 7: geometric mean of all but dread',
            rows    => \@rows,
            _head($wide),
            head => [ _heads($wide), @Touchstone::Suite::Byte1984::Tables::BENCHMARKS, 'all 7' ]
        }
    ];
}

sub _multi {
    my ($multi, %with) = @_;
    my @counts = 1 .. $Touchstone::Suite::Byte1984::Tables::SHELLS;
    my @rows;
    for my $machine (@{ $multi->{machines} }) {
        my @seconds = @{ $machine->{seconds} };
        my @shown   = map {
                  $machine->{this} && defined $seconds[$_] ? seconds($seconds[$_], $machine->{intervals}[$_])
                : defined $seconds[$_] || $machine->{this} ? _published($seconds[$_])
                : $FAILED
        } 0 .. $#seconds;
        push @rows, [ _named($with{wide}, $machine), @shown, _slope($machine) ];
    }
    my $said  = "Time for $counts[0] to $counts[-1] concurrent shells, and slope: for each further one";
    my $table = [
        table => {
            caption => $said,
            _head($with{wide}),
            head => [ _heads($with{wide}), @counts, 'slope' ],
            rows => \@rows
        }
    ];
    my @line  = [ points => _line($multi) ];
    my $chart = [ chart  => _chart($multi, @counts) ];
    return $with{wide} ? ($chart, @line, [ fold => $said, $table ]) : ($table, @line, $chart);
}

sub _slope {
    my ($machine) = @_;
    my $slope = $machine->{slope};
    return
          !defined $slope  ? $UNKNOWN
        : $machine->{this} ? seconds($slope, $machine->{slope_interval})
        :                    _shown($slope, _place($slope, undef, $FEW)) . ' s';
}

# Returns what the line of this machine says: "each further shell costs 2.1 ms (2.0 ms to 2.2 ms), 45 % of
# one alone" with "the line has no bend"; or "the line bends at 2.1 shells (1.9 to 2.4)" with the cost of a
# further shell before and after. "there are 2 usable CPUs" follows.
sub _line {
    my ($multi) = @_;
    my ($fit, $cpus) = @$multi{qw(fit cpus)};
    my $there =
          !defined $cpus ? 'how many CPUs are usable is unknown'
        : $cpus == 1     ? 'there is 1 usable CPU'
        :                  "there are $cpus usable CPUs";
    my $lacks =
        defined $multi->{machines}[0]{slope}
        ? 'no interval of the slope and no bend'
        : 'no slope and no bend';
    return ("$lacks: $fit->{why}", $there) if defined $fit->{why};
    return (
        _cost('each further shell costs', $fit, 'slope')
            . (
            defined $multi->{share}
            ? ', ' . part($multi->{share}) . ' of one alone'
            : ''
            ),
        'the line has no bend',
        $there
    ) if !defined $fit->{bend};
    my $place = _place($fit->{bend}, [ @$fit{qw(bend_low bend_high)} ], $MOST);
    return (
        sprintf('the line bends at %s shells (%s to %s)',
            map { _shown($_, $place) } @$fit{qw(bend bend_low bend_high)}),
        _cost('before it each further shell costs', $fit, 'before'),
        _cost('behind it',                          $fit, 'after'),
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
            name   => $machine->{this} ? $THIS : join(' ', grep { length } @$machine{qw(machine system)}),
            points => \@points,
            this   => $machine->{this}
            };
    }
    return { title => 'Concurrent shells', x => 'concurrent shells', y => 'seconds', lines => \@lines };
}

1;
