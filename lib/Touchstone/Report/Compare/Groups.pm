# SPDX-License-Identifier: GPL-2.0-or-later
# Report::Compare::Groups - the tests of a pair by their verdict, the largest difference first:
#
#   faster (12)  whetstone-double +32 %  dhry2reg +31 %  fstime +24 %  fsbuffer +24 %  pipe +23 %
#                fsdisk +22 %  context1 +21 %
#   inconclusive (1)  spawn: could still be 5 % either way
#   slower (0)  no difference (0)
package Touchstone::Report::Compare::Groups;
use 5.014;
use strict;
use warnings;

use Touchstone::Base::Symbols qw($DOT $TIMES);
use Touchstone::Base::Text qw(list_with named width);
use Touchstone::Compare;
use Touchstone::Report::Compare::Tables;
use Touchstone::Report::Compare::Verdict qw(difference label);
use Touchstone::Report::Verdict qw(is_clear word);
use Touchstone::Suite;

# In a terminal a group has at most so many lines, and on a page names at most so many tests, as the table
# has all.
my ($LINES, $NAMED) = (4, 12);

# A blank at which no line of a page breaks.
my $FIXED = "\xc2\xa0";

# How each form has a group: what stands between two names, how many are named, and whether their blanks hold.
my %FORM = (
    text     => { form => 'text',     sign => ',',      parts => \&_as_text },
    markdown => { form => 'markdown', sign => ',',      parts => \&_as_points },
    html     => { form => 'html', sign => "$FIXED$DOT", most  => $NAMED, fixed => 1, parts => \&_as_terms },
);

# What helps against a reason.
my @REMEDY = (
    [ qr/ pass\w*, \d+ needed\z/ => 'measure again; the default schedule and --quick have enough passes' ],
    [
        qr/\Acould still be |\Asuch a difference may|may differ so much by chance| the scores may not\z/ =>
            'measure again for longer, with --budget or --precision, on an idle machine'
    ],
    [ qr/\Athe difference may still be | rounds?, \d+ needed\z/ => 'give the duet more time, with --budget' ],
    [ qr/ as much: /                    => 'interleave two builds, with ./Run duet or --build' ],
    [ qr/\Ano passes are known\z/       => 'compare the records, results/.runs/NAME.json' ],
    [ qr/\Aanother version of the test/ => 'measure both with one version of Touchstone' ],
);

# These are named even when they have no test.
my @ALWAYS = (
    $Touchstone::Compare::FASTER, $Touchstone::Compare::SLOWER,
    $Touchstone::Compare::SAME,   $Touchstone::Compare::UNKNOWN
);

# The purposes in the order of a check, with the kinds of their tests.
my @PURPOSES = (
    [ computing      => qw(CPU Compute) ],
    [ memory         => qw(Memory) ],
    [ 'the kernel'   => qw(Kernel) ],
    [ 'wake-ups'     => qw(Latency) ],
    [ 'the disk'     => qw(Disk Durable) ],
    [ 'cached files' => 'Files (page cache)' ]
);

# Returns ([verdict, tests], ...) in the order of interest; those without a test are the last.
sub _groups {
    my ($pair) = @_;
    my %of;
    push @{ $of{ $_->{verdict} } }, $_ for @{ $pair->{tests} };
    my %always = map  { $_ => 1 } @ALWAYS;
    my @named  = grep { $of{$_} || $always{$_} } @ALWAYS,
        grep { !$always{$_} } Touchstone::Report::Verdict::order();
    return map { [ $_, @{ $of{$_} || [] } ] } (grep { $of{$_} } @named), grep { !$of{$_} } @named;
}

# A group: { head => 'faster (2)', differences => whether it lists these, words => [ never broken ] }
sub _group {
    my ($form, $all, $verdict, @tests) = @_;
    my $has_differences = is_clear($verdict);
    return {
        head        => word($verdict) . ' (' . @tests . ')',
        differences => $has_differences,
        words       => [ $has_differences ? _differences($form, @tests) : _reasons($form, $all, @tests) ]
    };
}

sub _differences {
    my ($form, @tests) = @_;
    my @sorted = sort { abs(log $b->{ratio}) <=> abs(log $a->{ratio}) || $a->{name} cmp $b->{name} } @tests;
    my @more   = $form->{most} && @sorted > $form->{most} + 1 ? splice @sorted, $form->{most} : ();
    my @words  = map { _named($_, $form) . ' ' . difference($_->{ratio}) } @sorted;
    push @words, 'and ' . @more . ' more' if @more;
    return $form->{fixed} ? map { s/ /$FIXED/gr } @words : @words;
}

# Names the tests of each reason once; where it is the same for all tests of the pair, none.
sub _reasons {
    my ($form, $all, @tests) = @_;
    my (%named, @reasons);
    for my $test (@tests) {
        my $why = ($test->{why} // '') =~ s/ \(p = [^()]*\)\z|(?<=as much): .*//rs;
        push @reasons,          $why if !$named{$why};
        push @{ $named{$why} }, _named($test, $form);
    }
    my $is_all = @reasons == 1 && @tests == $all && @tests > 1;
    return map {
        my @names = $is_all ? 'all' : @{ $named{$_} };
        $names[$_] .= $form->{sign} for 0 .. $#names - 1;
        $names[-1] .= length $_ ? ':' : '';
        my @words = (@names, split / /, $_);
        $words[-1] .= $_ eq $reasons[-1] ? '' : ';';
        @words
    } @reasons;
}

# The name of a test at a copy count; on a page no line breaks within it.
sub _named {
    my ($test, $form) = @_;
    my $named = named({ %$test, name => label($test, $form->{form}) });
    return $form->{fixed} ? $named =~ s/ /$FIXED/gr : $named;
}

# Returns what could be done about the reasons, each remedy once.
sub remedies {
    my ($pair)  = @_;
    my @reasons = map { $_->{why} // () } @{ $pair->{tests} };
    return map { $_->[1] } grep {
        my $pattern = $_->[0];
        grep { $_ =~ $pattern } @reasons
    } @REMEDY;
}

# Returns the lists. `columns` of a text; `brief`: without the empty ones.
sub parts {
    my ($pair, %how) = @_;
    return if !@{ $pair->{tests} };
    my @advice = map { "What to do: $_." } remedies($pair);
    return map {
        my $form   = $_;
        my @groups = map  { _group($form, scalar @{ $pair->{tests} }, @$_) } _groups($pair);
        my @full   = grep { @{ $_->{words} } } @groups;
        my @empty  = map  { $_->{head} } grep { !$how{brief} && !@{ $_->{words} } } @groups;
        [ in => [ $form->{form} ], $form->{parts}->(\@full, \@empty, \@advice, $how{columns}) ]
    } @FORM{ sort keys %FORM };
}

sub _as_terms {
    my ($full, $empty, $advice) = @_;
    my @terms =
        map { [ ucfirst $_->{head}, join $_->{differences} ? "$FIXED$DOT " : ' ', @{ $_->{words} } ] } @$full;
    push @terms, map { [ ucfirst, 'none' ] } @$empty;
    return (@terms ? [ terms => @terms ] : (), map { [ text => _unbroken($_) ] } @$advice);
}

# A sentence in which no line breaks within an option.
sub _unbroken {
    my ($sentence) = @_;
    return [ map { /\A--/ ? { text => $_, class => 'unbroken' } : $_ } split /(--\w+)/, $sentence ];
}

sub _as_points {
    my ($full, $empty, $advice) = @_;
    my @points = map { "$_->{head}: " . join $_->{differences} ? ', ' : ' ', @{ $_->{words} } } @$full;
    return [ points => @points, @$empty ? join(', ', @$empty) : (), @$advice ];
}

sub _as_text {
    my ($full, $empty, $advice, $columns) = @_;
    my @lines = map { _wrapped($columns // $Touchstone::Report::Compare::Tables::COLUMNS, $_) } @$full;
    push @lines, '  ' . join '  ', @$empty if @$empty;
    return ([ form => @lines ], map { [ text => $_ ] } @$advice);
}

sub _wrapped {
    my ($columns, $group) = @_;
    my $line = "  $group->{head} ";
    my $hang = ' ' x width($line);
    my @lines;
    my $gap = ' ';
    for my $word (@{ $group->{words} }) {
        if (width("$line$gap$word") > $columns && $line =~ /\S\z/) {
            push @lines, $line;
            ($line, $gap) = ($hang, ' ');
        }
        $line .= "$gap$word";
        $gap = $group->{differences} ? '  ' : ' ';
    }
    push @lines, $line;
    return @lines if @lines <= $LINES || !$group->{differences};
    return (@lines[ 0 .. $LINES - 2 ], $lines[ $LINES - 1 ] . ' ...');
}

# Which of two checked machines is the faster one, and for what:
#
#   web2 is faster for computing (+12 to +30 %) and memory (+8 %)
#   web1 is faster for the disk (+20 %)
#   no clear difference: the kernel, wake-ups
sub by_purpose {
    my ($first, $pair) = @_;
    my (%better, @unclear, @mixed);
    for my $purpose (@PURPOSES) {
        my ($name, @kinds) = @$purpose;
        my @tests = _of_kinds($pair, @kinds) or next;
        my %ratios;
        push @{ $ratios{ $_->{verdict} } }, $_->{ratio} for @tests;
        my ($faster, $slower) = @ratios{ $Touchstone::Compare::FASTER, $Touchstone::Compare::SLOWER };
        if    ($faster && $slower) { push @mixed, $name }
        elsif ($faster) { push @{ $better{ $pair->{label} } }, _with_range($name, @$faster) }
        elsif ($slower) {
            push @{ $better{$first} }, _with_range($name, map { 1 / $_ } @$slower);
        } else {
            push @unclear, $name;
        }
    }
    return (
        (
            map { $better{$_} ? "$_ is faster for " . list_with('and', @{ $better{$_} }) : () }
                $pair->{label},
            $first
        ),
        (@mixed   ? 'faster in some tests and slower in others: ' . join ', ', @mixed   : ()),
        (@unclear ? 'no clear difference: ' . join ', ',                       @unclear : ())
    );
}

sub _of_kinds {
    my ($pair, @kinds) = @_;
    my %kind = map { $_ => 1 } @kinds;
    return grep { $kind{ Touchstone::Suite::shown($_->{name})->{kind} // '' } } @{ $pair->{tests} };
}

# "memory (+8 to +21 %)"
sub _with_range {
    my ($name, @ratios) = @_;
    my ($least, $most) = map { difference($_) } (sort { $a <=> $b } @ratios)[ 0, -1 ];
    return "$name (" . ($least eq $most ? $least : ($least =~ s/ (?:%|\Q$TIMES\E)\z//r) . " to $most") . ')';
}

1;
