# SPDX-License-Identifier: GPL-2.0-or-later
# Suite::Lmb1997::Parts - the tables of Touchstone::Suite::Lmb1997::Tables as parts of a page:
#
#   program      system           real      95 %     user     sys
#   m-stadis1.f  this machine   1.05 s  +- 1.2 %   102 ms  931 ms
#   m-stadis1.f  KPC NT 4.0       23 s
#   m-stadis1.f  KPC Linux        29 s
#
#   the load took 0.55 (0.54 to 0.57) of the sum of the same programs alone
package Touchstone::Suite::Lmb1997::Parts;
use 5.014;
use strict;
use warnings;

use Touchstone::Base::Figure qw(figure seconds sureness);
use Touchstone::Base::Text qw(grouped many plain_data short);

my ($UNKNOWN, $THIS) = ('---', 'this machine');

# A terminal shows systems by these short names.
my %SHORT = (
    'KPC PentiumPro-200 Windows NT 4.0' => 'KPC NT 4.0',
    'KPC PentiumPro-200 Linux 2.0.27'   => 'KPC Linux',
    'DEC 2100-5/250 Digital Unix'       => 'DEC Unix',
    'DEC 2100-5/250 Windows NT 3.51'    => 'DEC NT',
);

# A line of a terminal has $WIDTH letters. Words from a record have $SHORT there, and $LONG on a page.
my ($WIDTH, $SHORT, $LONG) = (98, 60, 400);

# Ratios from here on are shown as whole numbers; that is two digits.
my $LEAST_WHOLE = 10;

# `wide` is for a page; otherwise no line has more than 100 letters.
sub parts {
    my ($tables, %with) = @_;
    return if !$tables;
    $tables = plain_data($tables);
    return (
        [ heading => 'Programs of 1997' ],
        [ text => $with{wide} ? $tables->{note} : $tables->{note} =~ /(\S.{0,@{[ $WIDTH - 1 ]}})(?=\s|\z)/g ],
        _together($tables->{copies}),
        (
            @{ $tables->{programs} }
            ? (
                _fold(
                    'Seconds of each program, here and in 1997',
                    $with{wide},
                    _programs($tables, %with),
                    _legend($tables, %with)
                ),
                _times($tables, %with),
                _array($tables),
                _cached($tables),
                _disk($tables)
                )
            : ()
        ),
        ($tables->{load}    ? _load($tables->{load}, %with)       : ()),
        ($tables->{options} ? _options($tables->{options}, %with) : ())
    );
}

# Folds what is long on a page; `wide` is said before the parts.
sub _fold {
    my ($title, $wide, @parts) = @_;
    return $wide ? [ fold => $title, @parts ] : @parts;
}

sub _together {
    my ($copies) = @_;
    return $copies == 1
        ? ()
        : [ text =>
            "With $copies copies at once: the seconds of a unit, of all the units that they do together" ];
}

# Shows seconds as the article does.
sub _watch { return defined $_[0] ? sprintf '%.0f s', $_[0] : $UNKNOWN }

sub _seconds { return defined $_[0] ? seconds(@_) : $UNKNOWN }

# Shows two digits: a time from the middle pass alone does not tell how sure it is.
sub _roughly { my ($seconds) = @_; return _seconds($seconds, [ 0, 2 * $seconds ]) }

sub _times_of { my ($ratio) = @_; return sprintf $ratio < $LEAST_WHOLE ? '%.1f' : '%.0f', $ratio }

# Returns "0.55", or "0.550 (0.540 to 0.561)".
sub _ratio {
    my ($ratio, $interval) = @_;
    return $UNKNOWN if !defined $ratio;
    return sprintf '%.2f', $ratio if !$interval;
    my ($middle, @limits) = map { figure($_, $interval) } $ratio, @$interval;
    return "$middle ($limits[0] to $limits[1])";
}

# Returns half of the interval of a time as a part of the time.
sub _sureness {
    my ($time) = @_;
    return $UNKNOWN if !defined $time->{real} || !$time->{interval};
    return sureness(($time->{interval}[1] - $time->{interval}[0]) / 2 / $time->{real});
}

sub _system {
    my ($system, %with) = @_;
    return $with{wide} ? $system : $SHORT{$system} // $system;
}

# The systems of each program stand in the order of its time, as in the article, this machine among them.
sub _programs {
    my ($tables, %with) = @_;
    my @rows = map {
        my $program   = $_;
        my $published = $program->{published};
        my @ours      = (
            _seconds(@$program{qw(real interval)}),
            _sureness($program), map { _seconds($program->{$_}) } qw(user sys)
        );
        map { [ $program->{name}, @{ $_->{row} } ] } _by_time(
            { seconds => $program->{real}, row => [ $THIS, @ours ] },
            map {
                +{
                    seconds => $published->{$_},
                    row     => [ _system($_, %with), _watch($published->{$_}), ('') x 3 ]
                }
                }
                grep { defined $published->{$_} } @{ $tables->{systems} }
        );
    } @{ $tables->{programs} };
    return [
        table => {
            caption => 'Time for one unit of work, best first: this machine among systems of 1997',
            rows    => \@rows,
            class   => 'pinned',
            left    => [ 0, 1 ],
            spare   => [3],
            head    => [ 'program', 'system', 'real', '95 %', 'user', 'sys' ]
        }
    ];
}

# Returns what took the fewest seconds first, and what has none last.
sub _by_time {
    return ((sort { $a->{seconds} <=> $b->{seconds} } grep { defined $_->{seconds} } @_),
        grep { !defined $_->{seconds} } @_);
}

# Tells in how many programs each system was the faster one of its machine.
sub _legend {
    my ($tables, %with) = @_;
    my @systems = @{ $tables->{systems} } or return;
    my @best    = map { keys %{ $_->{best} } } @{ $tables->{programs} };
    my @often   = map {
        my $one = $_;
        _system($one, %with) . ' ' . grep { $_ eq $one } @best
    } @systems;
    my $faster = 'faster of the two systems of a machine: ' . join ', ', @often;
    return [ points => $faster, @{ $tables->{legend} } ];
}

# The article made the disk matter by a small cache.
sub _cached {
    my ($tables) = @_;
    my @names    = @{ $tables->{cached} } or return;
    my $fit      = @names == 1 ? 'its file fits' : 'their files fit';
    return [ text => join(' and ', @names) . ": $fit into the page cache: no disk" ];
}

# Returns the ratios for the programs whose work the article states.
sub _times {
    my ($tables, %with) = @_;
    my @stated  = grep { $_->{times} && %{ $_->{times} } } @{ $tables->{programs} } or return;
    my @systems = grep {
        my $system = $_;
        grep { defined $_->{times}{$system} } @stated
    } @{ $tables->{systems} };
    my @rows = map {
        my $times = $_->{times};
        [ $_->{name}, map { _factor($times->{$_}) } @systems ]
    } @stated;
    return [
        table => {
            caption => 'How many times faster this machine is, where the article states the work',
            rows    => \@rows,
            head    => [ 'program', map { _system($_, %with) } @systems ]
        }
    ];
}

# Shows two digits: "1,600".
sub _factor {
    my ($times) = @_;
    return $UNKNOWN if !defined $times;
    my $rounded = sprintf '%.1e', $times;
    return grouped(sprintf $rounded < 1 ? '%.2g' : $rounded < $LEAST_WHOLE ? '%.1f' : '%.0f', $rounded);
}

sub _array {
    my ($tables) = @_;
    my ($kb, $usual) = @$tables{qw(array_kb array_usual)};
    return if !defined $kb;
    return [
        text => sprintf 'The large array has %.4g MB%s',
        $kb / 1024,
        $kb == $usual ? '' : sprintf ', not %.0f: its figures are not those of a machine with more memory',
        $usual / 1024
    ];
}

sub _disk {
    my ($tables) = @_;
    my $disk     = $tables->{disk} or return;
    my @rates    = map {
        my ($what, $key) = @$_;
        defined $disk->{$key}
            ? sprintf $disk->{$key} < $LEAST_WHOLE ? "$what %.2g MB/s" : "$what %.0f MB/s", $disk->{$key}
            : ()
    } [ written => 'write_mbps' ], [ read => 'read_mbps' ];
    return [
        text => 'm-debi.c: ' . join(', ', @rates) . ($tables->{copies} == 1 ? '' : ', all copies together') ];
}

sub _load {
    my ($load, %with) = @_;
    my @ours = (_seconds(@$load{qw(real interval)}), _seconds($load->{sum}), _ratio($load->{ratio}));
    my @rows = map { $_->{row} } _by_time(
        { seconds => $load->{real}, row => [ $THIS, @ours ] },
        map {
            my @theirs = (_watch($_->{seconds}), _watch($_->{sum}), _ratio($_->{ratio}));
            +{ seconds => $_->{seconds}, row => [ $_->{system}, @theirs ] }
        } @{ $load->{others} }
    );
    my @each = map {
        [
            $_->{name},
            _seconds(@$_{qw(alone alone_interval)}),
            _roughly($_->{seconds}),
            defined $_->{alone} ? _times_of($_->{seconds} / $_->{alone}) : $UNKNOWN
        ]
    } @{ $load->{programs} };
    return (
        [ heading => 'Load of 1997' ],
        [ points  => _took($load), _absent($load, %with), _share($load) ],
        [
            table => {
                caption => 'All programs but m-carac.c at once, best first, and the sum of their times alone',
                head    => [ 'system', 'load', 'sum', 'load / sum' ],
                rows    => \@rows
            }
        ],
        @each
        ? _fold(
            'Each program of the load',
            $with{wide},
            [
                table => {
                    caption => 'Each program of the load',
                    head    => [ 'program', 'alone', 'in the load', 'in the load / alone' ],
                    rows    => \@each
                }
            ]
            )
        : ()
    );
}

sub _took {
    my ($load) = @_;
    my $cpus   = $load->{cpus};
    my $count  = defined $load->{count} ? sprintf '%.0f', $load->{count} : @{ $load->{programs} };
    return
          'load1997 took '
        . _seconds(@$load{qw(real interval)}) . ' ('
        . ($load->{interval} ? _sureness($load) : 'no interval')
        . ') until its last program had ended',
        (
        $count ? many($count, 'program') . ' took part'
        : 'how many programs took part is not known'
        ),
        !defined $cpus ? 'how many CPUs are usable is unknown'
        : $cpus == 1   ? 'there is 1 usable CPU'
        :                "there are $cpus usable CPUs";
}

sub _absent {
    my ($load, %with) = @_;
    return map {
        "without $_->{name}"
            . (
            defined $_->{why}
            ? ': ' . short($_->{why}, $with{wide} ? $LONG : $SHORT)
            : ''
            )
    } @{ $load->{absent} };
}

sub _share {
    my ($load) = @_;
    my @unknown = @{ $load->{unknown} };

    # Names are folded, because fifteen would make a long line. If no program was measured alone, they tell
    # nothing and are left out.
    @unknown = () if @unknown == @{ $load->{programs} };
    my $names = 'without seconds alone: ' . join ', ', @unknown;
    my @names = @unknown ? Touchstone::Base::Text::folded($names, $WIDTH - 2) : ();
    my $remedy =
        @{ $load->{unknown} }
        ? 'they must be in the same run, as in lmb1997'
        : 'it is not known which took part';
    return (@names, "there is no sum of the programs alone: $remedy") if !defined $load->{sum};
    return
          'the load took '
        . _ratio(@$load{qw(ratio ratio_interval)})
        . ' of the sum of the same programs alone',
        '1: as if one by one; below: CPUs shared the work; above: they got in the way';
}

sub _options {
    my ($options, %with) = @_;
    my @rows = map {
        [
            $_->{name},              _watch($_->{none}),
            _watch($_->{optimised}), _ratio($_->{ratio}),
            _seconds(@$_{qw(real interval)})
        ]
    } @{ $options->{programs} };
    my $of = sub {
        my ($what, $flags) = @_;
        return "$what: " . (length $flags ? short($flags, $with{wide} ? $LONG : $SHORT) : 'none');
    };
    my @flags = map { my ($what, $key) = @$_; defined $options->{$key} ? $of->($what, $options->{$key}) : () }
        [ C => 'c' ], [ Fortran => 'fortran' ];
    push @flags, $of->('all, in addition', $options->{user}) if length($options->{user} // '');
    return (
        [ heading => 'Options of the compiler' ],
        _fold(
            'Published seconds without the optimiser and with it',
            $with{wide},
            [
                table => {
                    caption => 'KPC NT 4.0 without the optimiser and with it (/g5 /Ox), and this build',
                    head    => [ 'program', 'none', '-O', 'none / -O', 'this build' ],
                    rows    => \@rows
                }
            ]
        ),
        @flags ? [ text   => 'Flags of this build' ] : (),
        @flags ? [ points => @flags ]                : (),
        [ text => '--build none=-O0 --build o2=-O2 measures both here.' ]
    );
}

1;
