# SPDX-License-Identifier: GPL-2.0-or-later
# Report::Run::Warnings - what a reader must know before the scores, and what else there is to know, by
# weight. What makes a run not valid, or cut it short, is a banner; failures, skipped tests and warnings that
# matter are a list; notes, which a run of an ordinary machine has too, are folded:
#
#   Not valid: 204 of 206 passes were disturbed by other processes. Run it again on an idle machine.
#
#   Failed: pipe with 1 copy: exit status 3
#   What to do: ...
#
#   > 3 notes: load-average, locale, passes
package Touchstone::Report::Run::Warnings;
use 5.014;
use strict;
use warnings;

use Touchstone::Base::Text qw(plural);
use Touchstone::Report::Model;

# More items than these would push the results off the first screen.
my $SHOWN = 4;

# A fold names so many notes.
my $NAMED = 6;

# So many words of a kind are named in a text.
my $MERGED = 12;

my %WORD = (failed => 'Failed', skipped => 'Skipped', warning => 'Warning', note => 'Note');

# What makes the scores not valid, or incomplete; nothing for a good run.
sub banners {
    my ($model) = @_;
    return map { [ block => { class => 'banner' }, [ text => @$_ ] ] }
        grep { @$_ } [ _invalid($model) ], [ _unfinished($model) ];
}

sub _invalid {
    my ($model) = @_;
    my $invalid = $model->{invalid} or return;
    my $passes  = grep { $_->{id} eq 'disturbed' } @{ $invalid->{reasons} };
    my $text    = $invalid->{text};
    $text =~ s/; [^;]* (?:may be|is at least) [^;]* below that of an idle machine//g if _has_loss($model);
    return (
        [
            _bold('Not valid:'),
            ' ' . ucfirst($text =~ s/[^.]\K\z/./r),
            $passes ? (' ', { text => 'Which passes', link => '#passes' }) : ()
        ],
        map { 'What to do: ' . without_log($_) } $invalid->{remedy} // ()
    );
}

# Whether the card of an index shows what interference cost: one figure of it is enough.
sub _has_loss {
    my ($model) = @_;
    return grep { $_->{shows_loss} } map { Touchstone::Report::Model::indexes($_) } @{ $model->{blocks} };
}

# A duet cannot be resumed, and neither can a run that still goes on.
sub _unfinished {
    my ($model) = @_;
    return if !defined $model->{unfinished};
    my ($how, $rest) = split /: /, $model->{unfinished}, 2;
    my $resumes = ($model->{status} // '') eq 'stopped' && ($model->{purpose} // '') ne 'duet';
    return (
        defined $rest ? [ _bold("$how:"), " $rest." ]                                : [ _bold("$how.") ],
        $resumes      ? "What to do: ./Run resume $model->{name} measures the rest." : ()
    );
}

sub _bold { my ($text) = @_; return { text => $text, as => 'b' } }

# The list of what matters, for the place above the results.
sub parts {
    my ($model) = @_;
    my @groups  = @{ by_weight($model)->{grave} } or return;
    my @more    = @groups > $SHOWN + 1 ? splice @groups, $SHOWN : ();
    return (_list(@groups), @more ? [ fold => @more . ' more', _list(@more) ] : ());
}

# The folded notes.
sub notes {
    my ($model) = @_;
    my @groups = @{ by_weight($model)->{light} } or return;
    return [ fold => title($model) . ': ' . _names(@groups), _list(@groups) ];
}

# "3 notes"
sub title {
    my ($model) = @_;
    my $many = map { @{ $_->{texts} } } @{ by_weight($model)->{light} } or return undef;
    return plural($many, 'note');
}

sub _names {
    my (@groups) = @_;
    my %seen;
    my @names = grep { !$seen{$_}++ } map { @{ $_->{ids} } } @groups;
    my @more  = splice @names, $NAMED if @names > $NAMED;
    return join ', ', @names, @more ? '...' : ();
}

sub _list {
    my (@groups) = @_;
    return [
        list => { class => 'trouble' },
        map { { class => $_->{kind}, parts => [ _item($_) ] } } @groups
    ];
}

sub _item {
    my ($group) = @_;
    my $word = $WORD{ $group->{kind} };
    return (
        [
            text => (map { [ _bold("$word:"), " $_" ] } @{ $group->{texts} }),
            map { "What to do: $_" } $group->{remedy} // ()
        ],
        @{ $group->{output} } ? [ fold => 'Its output', [ form => @{ $group->{output} } ] ] : ()
    );
}

# The warnings of a run by weight. What makes its scores not valid is in the model already (`invalid`) and not
# here.
#
#   {
#       grave => [
#           {
#               kind   => 'failed',                      or skipped, warning, note
#               ids    => ['partial'],
#               texts  => ['pipe with 1 copy: exit status 3'],
#               remedy => 'make builds it',
#               output => [ the last words of programs ]
#           }
#       ],
#       light => [ the same of kind note ]
#   }
#
# Entries that differ in one word, such as the name of a test, are one with all these words. Entries with the
# same remedy are one with several texts.
sub by_weight {
    my ($model)  = @_;
    my %invalid  = map  { _key($_) => 1 } @{ ($model->{invalid} || {})->{reasons} || [] };
    my @warnings = grep { !$invalid{ _key($_) } } @{ $model->{warnings} };
    my @light    = grep { $_->{weight} eq 'note' } @warnings;
    return {
        grave => [
            _grouped(
                failed => map {
                    { %$_, text => $_->{short} }
                } @{ $model->{failures} }
            ),
            _grouped(
                skipped => map {
                    { %$_, text => $_->{short} }
                } @{ $model->{skipped} }
            ),
            _grouped(warning => grep { $_->{weight} ne 'note' } @warnings)
        ],
        light => [ _grouped(note => @light) ]
    };
}

# Some remedies name the log, but where these notes stand it says nothing more.
sub without_log {
    my ($text) = @_;
    return $text =~
        s/\Athe log (?:names|lists) (?:them|the passes); |;? ?the log (?:names|lists) (?:them|the passes)//r;
}

sub _key {
    return join "\0", map { $_ // '' } @{ $_[0] }{qw(id text)};
}

# Entries of one kind, those with one remedy where the first of them is.
sub _grouped {
    my ($kind, @entries) = @_;
    my (%with, @groups);
    for my $entry (_merged(@entries)) {
        my $earlier = defined $entry->{remedy} ? $with{ $entry->{remedy} } : undef;
        if (!$earlier) {
            push @groups,
                $earlier = {
                kind   => $kind,
                ids    => [],
                texts  => [],
                remedy => defined $entry->{remedy} ? without_log($entry->{remedy}) : undef,
                output => []
                };
            $with{ $entry->{remedy} } = $earlier if defined $entry->{remedy};
        }
        push @{ $earlier->{ids} },    $entry->{id} // ();
        push @{ $earlier->{texts} },  $entry->{text};
        push @{ $earlier->{output} }, @{ $entry->{output} || [] };
    }
    return @groups;
}

# "zstd-1 has no ratio", "zstd-2 has no ratio" become "zstd-1, zstd-2: have no ratio" in one entry, whose
# first word stands for several.
sub _merged {
    my (@entries) = @_;
    my (%same, @merged);
    for my $entry (@entries) {
        my ($first, $rest) = $entry->{text} =~ /\A(\S+?)((?:[:,])?\s.*)\z/s;
        my $key = defined $rest ? join "\0", map { $_ // '' } @$entry{qw(id remedy)}, $rest : undef;
        $key = undef if @{ $entry->{output} || [] };
        my $earlier = defined $key ? $same{$key} : undef;
        if ($earlier) { push @{ $earlier->{words} }, $first; next }
        push @merged, { %$entry, words => [$first], rest => $rest };
        $same{$key} = $merged[-1] if defined $key;
    }
    return
        map { @{ $_->{words} } > 1 ? { %$_, text => _listed(@{ $_->{words} }) . $_->{rest} } : $_ } @merged;
}

sub _listed {
    my (@words) = @_;
    my @more    = splice @words, $MERGED if @words > $MERGED;
    return join(', ', @words) . (@more ? ' and ' . @more . ' more' : '');
}

1;
