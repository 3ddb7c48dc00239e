# SPDX-License-Identifier: GPL-2.0-or-later
# Suite::Lbt::Parts - the report form of Touchstone::Suite::Lbt::Tables as text and as JSON, and its tables
# as parts of a page. The form:
#
#   CPU
#   ===
#   Vendor:                      GenuineIntel
#   Core clock:                  3600 MHz (base), 4900 MHz (maximum)
#   ------------------------------------------------------------------------
#   RESULTS
#   =======
#   Linux kernel (6.1.90) Compilation Time:  1m12s, 1 job (user 65 s, system 6 s; +- 0.4 %)
#   Whetstones:                              2345.6 MWIPS, +- 0.3 %
package Touchstone::Suite::Lbt::Parts;
use 5.014;
use strict;
use warnings;

use List::Util qw(max);

use Touchstone::Base::Figure qw(figure human plus_minus three_digits);
use Touchstone::Base::Symbols qw($MICRO);
use Touchstone::Base::Text qw(copies plain_data plural width);
use Touchstone::Record::Json;
use Touchstone::Suite::Published qw($UNKNOWN columns notes table);

my ($WIDTH, $RULE) = (100, '-' x 72);
my $ABSENT = 'not measured';

# A result has its heading, its unit, and the digits after the point that are shown without an interval.
my %RESULT = (
    whetstones         => [ 'Whetstones',             ' MWIPS',                  1 ],
    xbench             => [ 'Xbench',                 ' (X score, not xStones)', 0 ],
    unixbench          => [ 'Unixbench system INDEX', '',                        1 ],
    'bytemark-integer' => [ 'BYTEmark integer INDEX', '',                        3 ],
    'bytemark-memory'  => [ 'BYTEmark memory INDEX',  '',                        3 ],
);

# Half of the interval, as a part of the score.
my $HALF =
    [ '95 %' => sub { defined $_[0]{precision} ? plus_minus($_[0]{precision}) : $UNKNOWN }, spare => 1 ];

sub text {
    my ($form) = @_;
    return join '', map { "$_\n" } _lines(plain_data($form));
}

sub _lines {
    my ($form) = @_;
    my @given  = @{ $form->{given} };
    my @notes  = (@{ $form->{notes} }, @given ? 'Given by the user: ' . join ', ', @given : ());
    my @lines  = (_underlined($form->{title}), '');
    push @lines, $RULE, _underlined($_->{title}), _aligned(map { [ @$_[ 0, 1 ] ] } @{ $_->{lines} })
        for @{ $form->{blocks} };
    push @lines, $RULE, _underlined('Test notes'), map { _wrapped('', $_, 2) } @notes;
    push @lines, $RULE, _underlined('RESULTS'),    _aligned(map { _result($_) } @{ $form->{results} });
    push @lines, $RULE, _underlined('Comments (optional)'),
        (length $form->{comments} ? _wrapped('', $form->{comments}, 2) : ''), $RULE;
    return map { s/ +\z//r } @lines;
}

sub _underlined { return ($_[0], '=' x length $_[0]) }

# Lays out [heading, value] pairs with the values below each other.
sub _aligned {
    my (@lines) = @_;
    my $column = 3 + max(map { width($_->[0]) } @lines);
    return map {
        my ($heading, $value) = @$_;
        _wrapped("$heading:" . ' ' x ($column - 1 - width($heading)), $value, $column)
    } @lines;
}

# Breaks lines at a width that forums and mail keep; lines after the first begin at the column of the values.
# A word that is too long is broken.
sub _wrapped {
    my ($line, $text, $column) = @_;
    utf8::decode($_) for $line, $text;
    my @lines;
    my $empty = 1;
    for my $word (split ' ', $text) {
        while (length $word) {
            my $room = $WIDTH - length($line) - ($empty ? 0 : 1);
            if (length $word > $room && !$empty) {
                push @lines, $line;
                ($line, $empty) = (' ' x $column, 1);
                next;
            }
            $line .= ($empty ? '' : ' ') . substr $word, 0, $room, '';
            $empty = 0;
        }
    }
    push @lines, $line;
    utf8::encode($_) for @lines;
    return @lines;
}

# Returns a line for each figure.
sub _result {
    my ($result) = @_;
    my $heading = $result->{key} eq 'kernel' ? _of_kernel($result) : $RESULT{ $result->{key} }[0];
    return map { [ $heading, $_ ] } _values($result);
}

# A source that was not found has no version.
sub _of_kernel {
    my ($result) = @_;
    my $version = @{ $result->{figures} } || $result->{version} !~ /\Aunknown/ ? "($result->{version}) " : '';
    return "Linux kernel ${version}Compilation Time";
}

sub _values {
    my ($result) = @_;
    return $ABSENT . (defined $result->{why} ? " ($result->{why})" : '') if !@{ $result->{figures} };
    return
        map { $result->{key} eq 'kernel' ? _compilation($result, $_) : _value($result, $_) }
        @{ $result->{figures} };
}

# Returns '1m12s, 2 jobs (user 65 s, system 6 s; +- 0.4 %; tinyconfig, x86_64)'.
sub _compilation {
    my ($result, $figure) = @_;
    my $cpu = join ', ',
        map { defined $figure->{ $_->[1] } ? sprintf '%s %.0f s', $_->[0], $figure->{ $_->[1] } : () }
        [ user => 'user' ], [ system => 'sys' ];
    my @about = grep { defined && length } $cpu, _plus_minus($figure), $result->{source};
    return
          minutes($figure->{score}, $figure->{interval}) . ', '
        . plural($figure->{copies}, 'job') . ' ('
        . join('; ', @about) . ')';
}

sub _plus_minus {
    my ($figure) = @_;
    return plus_minus($figure->{interval} ? $figure->{precision} : undef);
}

# Returns '1m12s', because the toolkit asks for no fractions of seconds.
sub minutes {
    my ($seconds, $interval) = @_;
    my $seconds_text = figure($seconds, $interval);
    my $whole        = $seconds_text =~ /\./ ? sprintf('%.0f', $seconds) : $seconds_text;
    return sprintf '%dm%02ds', int($whole / 60), $whole % 60;
}

sub _value {
    my ($result, $figure) = @_;
    my (undef, $unit, $places) = @{ $RESULT{ $result->{key} } };
    my $value =
        $figure->{interval}
        ? figure($figure->{score}, $figure->{interval})
        : sprintf "%.${places}f", $figure->{score};
    my @without = @{ $figure->{without} || [] };
    my $against = $figure->{against} // $result->{against};
    my @about   = (
        (@without         ? '(partial: without ' . join(', ', @without) . ')' : ()),
        (defined $against ? "(against $against)"                              : ()),
        (
            ($result->{test} // '') eq 'whetstone-double'
            ? '(whetstone-double'
                . (defined $result->{flags} ? ", built with $result->{flags}" : '')
                . "; not the toolkit's whetstone-o2)"
            : ()
        ),
    );
    return join ' ',
        "$value$unit, "
        . join(', ', _plus_minus($figure), $figure->{copies} == 1 ? () : copies($figure->{copies})),
        @about;
}

# Returns the form for programs: fields by key, and results by key with their figures.
sub json {
    my ($form)  = @_;
    my $plain   = plain_data($form);
    my %results = map {
        my $result = $_;
        (
            $result->{key} => {
                (map { $_ => $result->{$_} } grep { $_ ne 'key' } keys %$result),
                text => [ _values($result) ]
            }
        )
    } @{ $form->{results} };
    return Touchstone::Record::Json::encode(
        {
            title  => $plain->{title},
            fields => {
                (map { ($_->[2] => $_->[1]) } map { @{ $_->{lines} } } @{ $plain->{blocks} }),
                'test-notes' => join('; ', @{ $plain->{notes} }),
                comments     => $plain->{comments}
            },
            given   => $plain->{given},
            results => \%results,
        }
    );
}

sub parts {
    my ($tables) = @_;
    return if !$tables;
    my ($net, $x11, $form, $peer) = @{ plain_data($tables) }{qw(net x11 form peer)};
    my $heading = $form ? 'Linux Benchmarking Toolkit' : join ' and ', @$net ? 'Network' : (),
        @$x11 ? 'X Server' : ();
    return (
        [ heading => $heading ],
        _peer($peer, @$net),
        (map { _network($_) } @$net),
        _drawings(@$x11), $form ? ([ points => @{ notes('lbt')->{rule} } ], [ form => _lines($form) ]) : ()
    );
}

# Tells where the other end of a connection was, if a test can have it on another machine.
sub _peer {
    my ($peer, @net) = @_;
    my @far = grep { $_->{name} !~ /\Anet-unix/ } map { @{ $_->{throughput} }, @{ $_->{latency} } } @net;
    return if !defined $peer || !@far;
    return [
        text => $peer eq 'this machine'
        ? 'TCP and UDP: loopback, to another process of this machine'
        : "TCP and UDP: to $peer"
    ];
}

sub _network {
    my ($net)      = @_;
    my $with       = $net->{copies} == 1 ? '' : ', ' . copies($net->{copies});
    my @throughput = (
        [ Rate => sub { human(@{ $_[0] }{qw(score interval unit)}) } ],
        $HALF,
        columns(\&_whole, [ Calls        => 'calls' ],      [ Reads          => 'reads' ]),
        columns(\&_cpu,   [ 'Sender CPU' => 'sender_cpu' ], [ 'Receiver CPU' => 'receiver_cpu' ])
    );
    my @latency = (
        [ 'Per second' => sub { human(@{ $_[0] }{qw(score interval)}) } ],
        $HALF,
        [ 'Round trip' => \&_round_trip ],
        [ Lost         => sub { _whole($_[0], 'lost') }, spare => 1 ]
    );
    my $table = sub {
        my ($caption, $rows, @columns) = @_;
        return if !@$rows;
        return table(
            "$caption$with", [ [ Test => 'title' ], @columns ], $rows,
            class  => 'pinned',
            within => 80
        );
    };
    return (
        $table->('Network throughput',  $net->{throughput}, @throughput),
        $table->('Network round trips', $net->{latency},    @latency)
    );
}

sub _round_trip {
    my ($test) = @_;
    my $time = $test->{microseconds};
    return defined $time ? three_digits($time, $test->{microseconds_interval}) . " ${MICRO}s" : $UNKNOWN;
}

# Figures need not be there.
sub _whole { my ($test, $key) = @_; return defined $test->{$key} ? sprintf '%.0f', $test->{$key} : $UNKNOWN }
sub _cpu { my ($test, $key) = @_; return defined $test->{$key} ? sprintf '%.2f s', $test->{$key} : $UNKNOWN }

# Returns what each test draws, and what it could not draw.
sub _drawings {
    my (@tests) = @_;
    return if !@tests;
    my (@rows, @partial);
    for my $test (@tests) {
        my ($title, $parts, $missing) = @$test{qw(title parts missing)};
        push @rows,    map { [ $title, $_->[0], sprintf $_->[1] < 100 ? '%.3g' : '%.0f', $_->[1] ] } @$parts;
        push @rows,    map { [ $title, $_->{name}, 'not done' ] } @$missing;
        push @partial, map { _not_done($test, $_) } @$missing;
    }
    my @columns = map {
        my $i = $_;
        [ (qw(Test Part), 'Per second')[$i], sub { $_[0][$i] }, left => $i < 2 ]
    } 0 .. 2;
    return (table('What the X tests are made of', \@columns, \@rows), @partial ? [ points => @partial ] : ());
}

sub _not_done {
    my ($test, $part)    = @_;
    my ($done, $missing) = map { scalar @{ $test->{$_} } } qw(parts missing);
    return sprintf '%s: without %s, the mean of the other %d of %d: %s', $test->{title}, $part->{name}, $done,
        $done + $missing, $part->{why};
}

1;
