# SPDX-License-Identifier: GPL-2.0-or-later
# Report::Run::RawPasses - every pass behind the scores of a copy count, in a folded table for each test:
#
#   Round  At (s)  Took (s)  M lps  Copy 1  Copy 2  Spread (%)  Skew (ms)  Overlap (%)  Remarks
#   1      12.30   1.02      3.482  1.740   1.742   0.11        0.02       99.9         outlier
package Touchstone::Report::Run::RawPasses;
use 5.014;
use strict;
use warnings;

use List::Util qw(sum);

use Touchstone::Report::Render::Html qw(table text folded);
use Touchstone::Base::Figure qw(part);
use Touchstone::Base::Signs qw($DASH);
use Touchstone::Base::Text qw(copies many);
use Touchstone::Record::Warnings qw(causes);
use Touchstone::Report::Plot::PassStrip;
use Touchstone::Suite;

# More copies than these share a column.
my $COLUMNS = 8;
my $UNKNOWN = $DASH;

# A button opens all folds of this class.
our $OPENS = 'details.passes';

# More tests than these have one more fold around them.
my $MANY = 6;

sub html {
    my ($block) = @_;
    my @tests   = @{ $block->{tests} };
    my $folds   = _folds($block);
    return $folds if @tests <= $MANY;
    my $passes = sum(0, map { scalar @$_ } values %{ $block->{passes} });
    return folded(copies($block->{count}) . ': ' . @tests . " tests, $passes passes", $folds) =~
        s/\A<details>/<details class="passes">/r;
}

sub _folds {
    my ($block) = @_;
    return join '',
        map { _test($block, $_, @{ $block->{passes}{ $_->{name} } || [] }) }
        Touchstone::Suite::arranged(sub { $_[0]{name} }, @{ $block->{tests} });
}

sub _test {
    my ($block, $test, @passes) = @_;
    my $copies   = copies($block->{count});
    my $together = $block->{count} > 1;
    my $apart    = $together && $block->{count} <= $COLUMNS;
    my @remarks  = map  { text(_remarks($_)) } @passes;
    my $remarked = grep { length } @remarks;
    my @head     = (
        'Round',
        'At (s)',
        'Took (s)',
        text(Touchstone::Report::Plot::PassStrip::unit($test)),
        $apart    ? map { "Copy $_" } 1 .. $block->{count}     : $together ? 'Each copy' : (),
        $together ? ('Spread (%)', 'Skew (ms)', 'Overlap (%)') : (),
        $remarked ? 'Remarks'                                  : ()
    );
    my @rows = map {
        my $pass = $passes[$_];
        [
            _pass($test, $pass),
            _copies($test, $pass, $block->{count}, $apart),
            $together ? _together($pass) : (),
            $remarked ? $remarks[$_]     : ()
        ]
    } 0 .. $#passes;
    my $name = Touchstone::Suite::shown($test->{name})->{label} // $test->{title};
    my $said = text("$name, $copies: " . many(scalar @passes, 'pass', 'passes'));
    my $fold = folded(
        $said,
        table(
            caption => $said,
            class   => 'pinned',
            head    => \@head,
            rows    => \@rows,
            left    => [ $together && !$apart ? 4 : (), $remarked ? $#head : () ]
        )
    );
    return $fold =~ s/\A<details>/<details class="passes">/r;
}

sub _pass {
    my ($test, $pass) = @_;
    return (
        $pass->{round},
        (map { defined $_ ? sprintf '%.2f', $_ : $UNKNOWN } @$pass{qw(at seconds)}),
        _value($test, $pass->{value})
    );
}

sub _value {
    my ($test, $value) = @_;
    return defined $value ? Touchstone::Report::Plot::PassStrip::value($test, $value) : $UNKNOWN;
}

sub _copies {
    my ($test, $pass, $count, $apart) = @_;
    return if $count == 1;
    my @each = map { _value($test, $_) } @{ $pass->{each} };
    return $apart ? map { $_ // $UNKNOWN } @each[ 0 .. $count - 1 ] : join ' ', @each;
}

sub _together {
    my ($pass) = @_;
    return (
        defined $pass->{spread} ? part($pass->{spread}) =~ s/ %\z//r : $UNKNOWN,
        defined $pass->{skew}   ? sprintf '%.2f',
        $pass->{skew} * 1e3 : $UNKNOWN,
        defined $pass->{share} ? sprintf '%.1f',
        $pass->{share} * 100 : $UNKNOWN
    );
}

sub _remarks {
    my ($pass) = @_;
    return join '; ', (@{ $pass->{marks} } ? join ', ', causes(@{ $pass->{marks} }) : ()),
        $pass->{outlier} ? 'outlier' : ();
}

1;
