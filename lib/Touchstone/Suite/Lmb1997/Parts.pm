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

use Touchstone::Base::Figure qw(figure seconds plus_minus two_digits);
use Touchstone::Base::Text qw(plain_data plural);
use Touchstone::Suite::Published
    qw(@NARROW @WIDE $THIS $UNKNOWN brief columns fitted notes table together usable);

# A line of a terminal has 100 letters. Words from a record have $SHORT there.
my %WIDTH = (text => 98, points => 96);
my $SHORT = 60;

# Ratios from here on are shown as whole numbers; that is two digits.
my $LEAST_WHOLE = 10;

sub parts {
    my ($tables) = @_;
    return if !$tables;
    $tables = plain_data($tables);
    my @of_programs = (
        [ fold => 'Seconds of each program, here and in 1997', _programs($tables), _legend($tables) ],
        _times($tables), _array($tables), _cached($tables), _disk($tables)
    );
    return fitted(
        \%WIDTH,
        [ heading => 'Programs of 1997' ],
        [ @WIDE,   [ text => $tables->{note} ] ],
        [ @NARROW, [ text => split /\n/, Touchstone::Base::Text::folded($tables->{note}, $WIDTH{text}) ] ],
        together($tables->{copies}),
        (@{ $tables->{programs} } ? @of_programs                 : ()),
        ($tables->{load}          ? _load($tables->{load})       : ()),
        ($tables->{options}       ? _options($tables->{options}) : ())
    );
}

# Shows seconds as the article does.
sub _watch { return defined $_[0] ? sprintf '%.0f s', $_[0] : $UNKNOWN }

sub _seconds { return defined $_[0] ? seconds(@_) : $UNKNOWN }

# Shows two digits: a time from the middle pass alone does not tell how sure it is.
sub _roughly { my ($seconds) = @_; return _seconds($seconds, [ 0, 2 * $seconds ]) }

# Returns "0.55", or "0.550 (0.540 to 0.561)".
sub _ratio {
    my ($ratio, $interval) = @_;
    return $UNKNOWN if !defined $ratio;
    return sprintf '%.2f', $ratio if !$interval;
    my ($middle, @limits) = map { figure($_, $interval) } $ratio, @$interval;
    return "$middle ($limits[0] to $limits[1])";
}

# Returns half of the interval of a time as a part of the time.
sub _plus_minus {
    my ($time) = @_;
    return $UNKNOWN if !defined $time->{real} || !$time->{interval};
    return plus_minus(($time->{interval}[1] - $time->{interval}[0]) / 2 / $time->{real});
}

sub _system {
    my ($system) = @_;
    return { text => $system, brief => (notes('lmb1997')->{"short $system"} || [$system])->[0] };
}

# The systems of each program stand in the order of its time, as in the article, this machine among them.
sub _programs {
    my ($tables) = @_;
    my @rows;
    for my $program (@{ $tables->{programs} }) {
        my $published = $program->{published};
        my @theirs    = grep { defined $published->{$_} } @{ $tables->{systems} };
        push @rows,
            map { +{ %$_, name => $program->{name} } } _by_time({ %$program, seconds => $program->{real} },
            map { +{ system => _system($_), seconds => $published->{$_} } } @theirs);
    }
    return _table(
        'Time for one unit of work, best first: this machine among systems of 1997',
        \@rows,
        [ program => 'name' ],
        [ system  => sub { $_[0]{system} // $THIS }, left => 1 ],
        [ real    => \&_real ],
        [ '95 %'  => _ours(\&_plus_minus), spare => 1 ],
        columns(sub { $_[0]{system} ? '' : _seconds($_[0]{ $_[1] }) }, qw(user sys))
    );
}

sub _table {
    my ($caption, $rows, @columns) = @_;
    return table($caption, \@columns, $rows, class => 'pinned');
}

sub _real {
    my ($row) = @_;
    return $row->{system} ? _watch($row->{seconds}) : _seconds(@$row{qw(real interval)});
}

# Returns the cells of a column that only this machine has.
sub _ours {
    my ($cell) = @_;
    return sub { $_[0]{system} ? '' : $cell->($_[0]) }
}

# Returns what took the fewest seconds first, and what has none last.
sub _by_time {
    return ((sort { $a->{seconds} <=> $b->{seconds} } grep { defined $_->{seconds} } @_),
        grep { !defined $_->{seconds} } @_);
}

# Tells in how many programs each system was the faster one of its machine.
sub _legend {
    my ($tables) = @_;
    my @systems = @{ $tables->{systems} } or return;
    my %often;
    $often{$_}++ for map { keys %{ $_->{best} } } @{ $tables->{programs} };
    my @often  = map { [ _system($_), ' ' . ($often{$_} // 0) ] } @systems;
    my $faster = [ 'faster of the two systems of a machine: ',
        map { ($_ ? ', ' : '', @{ $often[$_] }) } 0 .. $#often ];
    return [ points => $faster, @{ $tables->{legend} } ];
}

# The article made the disk matter by a small cache.
sub _cached {
    my ($tables) = @_;
    my @names    = @{ $tables->{cached} } or return;
    my $fit      = @names == 1 ? 'its file fits' : 'their files fit';
    return [ text => join(' and ', @names) . ": $fit into the page cache, so the disk is not measured" ];
}

# Returns the ratios for the programs whose work the article states.
sub _times {
    my ($tables) = @_;
    my @stated   = grep { $_->{times} && %{ $_->{times} } } @{ $tables->{programs} } or return;
    my @systems  = grep {
        my $system = $_;
        grep { defined $_->{times}{$system} } @stated
    } @{ $tables->{systems} };
    return table(
        'How many times as fast this machine is, if the article specifies the work',
        [
            [ program => 'name' ],
            columns(sub { _factor($_[0]{times}{ $_[1] }) }, map { [ _system($_), $_ ] } @systems)
        ],
        \@stated
    );
}

# Shows two digits: "1,600".
sub _factor {
    my ($times) = @_;
    return !defined $times ? $UNKNOWN : $times < 1 ? sprintf '%.2g', $times : two_digits($times);
}

sub _array {
    my ($tables) = @_;
    my ($kb, $usual) = @$tables{qw(array_kb array_usual)};
    return if !defined $kb;
    return [
        text => sprintf 'The large array has %.4g MB%s',
        $kb / 1024,
        $kb == $usual ? '' : sprintf ', not %.0f: not comparable with machines with more memory',
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
    my ($load) = @_;
    my @rows   = _by_time({ %$load, seconds => $load->{real} }, @{ $load->{others} });
    my @each   = @{ $load->{programs} };
    my $each   = table(
        'Each program of the load',
        [
            [ program               => 'name' ],
            [ 'alone'               => sub { _seconds(@{ $_[0] }{qw(single single_interval)}) } ],
            [ 'in the load'         => sub { _roughly($_[0]{seconds}) } ],
            [ 'in the load / alone' => \&_longer ]
        ],
        \@each
    );
    return (
        [ heading => 'Load of 1997' ],
        [ points  => _took($load), _absent($load), _share($load) ],
        table(
            'All programs except m-carac.c concurrently, best first, and the sum of their single times',
            [
                [ system       => sub { $_[0]{system} // $THIS } ],
                [ load         => \&_real ],
                [ sum          => sub { $_[0]{system} ? _watch($_[0]{sum}) : _seconds($_[0]{sum}) } ],
                [ 'load / sum' => sub { _ratio($_[0]{ratio}) } ]
            ],
            \@rows
        ),
        @each ? [ fold => 'Each program of the load', $each ] : ()
    );
}

sub _longer {
    my ($program) = @_;
    return $UNKNOWN if !defined $program->{single};
    my $ratio = $program->{seconds} / $program->{single};
    return sprintf $ratio < $LEAST_WHOLE ? '%.1f' : '%.0f', $ratio;
}

sub _took {
    my ($load) = @_;
    my $count  = defined $load->{count} ? sprintf '%.0f', $load->{count} : @{ $load->{programs} };
    return (
        'load1997 took '
            . _seconds(@$load{qw(real interval)}) . ' ('
            . ($load->{interval} ? _plus_minus($load) : 'no interval')
            . ') until its last program had ended',
        $count ? plural($count, 'program') . ' took part' : 'an unknown number of programs took part',
        usable($load->{cpus})
    );
}

sub _absent {
    my ($load) = @_;
    return map {
        defined $_->{why}
            ? [ "without $_->{name}: ", brief($_->{why}, $SHORT) ]
            : "without $_->{name}"
    } @{ $load->{absent} };
}

sub _share {
    my ($load) = @_;
    my @unknown = @{ $load->{unknown} };

    # If no program was measured alone, their names tell nothing and are left out.
    my @names =
        @unknown && @unknown != @{ $load->{programs} }
        ? 'without single times: ' . join ', ', @unknown
        : ();
    my $remedy = @unknown ? 'measure them in the same run, as lmb1997 does' : 'its programs are unknown';
    return (@names, "there is no sum of single times: $remedy") if !defined $load->{sum};
    return (
        'the load took '
            . _ratio(@$load{qw(ratio ratio_interval)})
            . ' of the sum of the single times of these programs',
        '1: as long as in sequence; lower: CPUs shared the work; higher: they slowed each other down'
    );
}

sub _options {
    my ($options) = @_;
    my $flags = sub {
        my ($what, $key) = @_;
        my $flags = $options->{$key} // return;
        return length $flags ? [ "$what: ", brief($flags, $SHORT) ] : "$what: none";
    };
    my @flags = ($flags->(C => 'c'), $flags->(Fortran => 'fortran'));
    push @flags, $flags->('all, in addition', 'user') if length($options->{user} // '');
    my $table = table(
        'KPC NT 4.0 without and with the optimiser (/g5 /Ox), and this build',
        [
            [ program      => 'name' ],
            [ none         => sub { _watch($_[0]{none}) } ],
            [ '-O'         => sub { _watch($_[0]{optimised}) } ],
            [ 'none / -O'  => sub { _ratio($_[0]{ratio}) } ],
            [ 'this build' => sub { _seconds(@{ $_[0] }{qw(real interval)}) } ]
        ],
        $options->{programs}
    );
    return (
        [ heading => 'Compiler options' ],
        [ fold    => 'Published seconds without and with the optimiser', $table ],
        @flags ? ([ text => 'Flags of this build' ], [ points => @flags ]) : (),
        [ text => '--build none=-O0 --build o2=-O2 measures both here.' ]
    );
}

1;
