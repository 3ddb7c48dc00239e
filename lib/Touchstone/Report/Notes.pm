# SPDX-License-Identifier: GPL-2.0-or-later
# Report::Notes - what was wrong in a run, arranged by weight for people. What makes its scores not valid is
# in the model already (`void`) and not here.
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
package Touchstone::Report::Notes;
use 5.014;
use strict;
use warnings;

# So many words of a kind are named in a text.
my $NAMED = 12;

sub of {
    my ($model)  = @_;
    my %void     = map  { _key($_) => 1 } @{ ($model->{void} || {})->{reasons} || [] };
    my @warnings = grep { !$void{ _key($_) } } @{ $model->{warnings} };
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
    return $text =~ s/\Athe log names (?:them|the passes); |;? ?the log names (?:them|the passes)//r;
}

sub _key {
    return join "\0", map { $_ // '' } @{ $_[0] }{qw(id text)};
}

# Entries of one kind, those with one remedy where the first of them is.
sub _grouped {
    my ($kind, @entries) = @_;
    my (%with, @groups);
    for my $entry (_merged(@entries)) {
        my $known = defined $entry->{remedy} ? $with{ $entry->{remedy} } : undef;
        if (!$known) {
            push @groups,
                $known = {
                kind   => $kind,
                ids    => [],
                texts  => [],
                remedy => defined $entry->{remedy} ? without_log($entry->{remedy}) : undef,
                output => []
                };
            $with{ $entry->{remedy} } = $known if defined $entry->{remedy};
        }
        push @{ $known->{ids} },    $entry->{id} // ();
        push @{ $known->{texts} },  $entry->{text};
        push @{ $known->{output} }, @{ $entry->{output} || [] };
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
        my $known = defined $key ? $same{$key} : undef;
        if ($known) { push @{ $known->{words} }, $first; next }
        push @merged, { %$entry, words => [$first], rest => $rest };
        $same{$key} = $merged[-1] if defined $key;
    }
    return
        map { @{ $_->{words} } > 1 ? { %$_, text => _listed(@{ $_->{words} }) . $_->{rest} } : $_ } @merged;
}

sub _listed {
    my (@words) = @_;
    my @more    = splice @words, $NAMED if @words > $NAMED;
    return join(', ', @words) . (@more ? ' and ' . @more . ' more' : '');
}

1;
