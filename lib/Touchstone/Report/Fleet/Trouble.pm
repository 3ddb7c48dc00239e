# SPDX-License-Identifier: GPL-2.0-or-later
# Report::Fleet::Trouble - what makes the figures of a fleet less worth, in words: hosts that did not measure
# with the same programs, warnings, and records that do not belong to the campaign.
package Touchstone::Report::Fleet::Trouble;
use 5.014;
use strict;
use warnings;

use Touchstone::Base::Text qw(many natural_key short);
use Touchstone::Report::Fleet::Phrases qw(names number shown_name);

# A fact and a passport have so many letters; so many hosts or files are named.
my ($FACT, $PASSPORT, $NAMED) = (90, 12, 6);

# Tells whether all measured with the same programs.
sub programs {
    my ($judgement) = @_;
    my @passports = @{ $judgement->{passports} || [] } or return;
    return
        'Programs: the same on all hosts (passport '
        . short($passports[0]{passport} // 'unknown', $PASSPORT) . ').'
        if @passports == 1;
    return 'Programs: ' . @passports . ' passports, and hosts are compared within each of them: ' . join '; ',
        map {
        my @differs = @{ $_->{differs} || [] };
        short($_->{passport} // 'unknown', $PASSPORT) . ' on '
            . many(number($_->{hosts}), 'host')
            . (@differs ? ' (' . join(', ', map { short($_, $FACT) } @differs) . ')' : '')
        } @passports;
}

# A warning as lines, of which the second is the remedy.
sub warning {
    my ($warning) = @_;
    my @hosts = sort { natural_key($a) cmp natural_key($b) } @{ $warning->{hosts} || [] };
    return
          (@hosts ? names($NAMED, @hosts) . ': ' : '')
        . $warning->{text}
        . (length($warning->{remedy} // '') ? "\n$warning->{remedy}" : '');
}

# What was found in the campaign that does not belong there.
sub strange {
    my ($judgement) = @_;
    my $standing    = $judgement->{standing} || {};
    my $conflicts   = number($standing->{conflicts});
    my @unexpected  = map { ref $_ ? $_->{host} : $_ } @{ $standing->{unexpected} || [] };
    return (
        $conflicts
        ? many($conflicts, 'record')
            . " in conflicts/: another of the same key is there, and none was replaced\nlook whether two machines have one name"
        : (),
        @unexpected
        ? names($NAMED, @unexpected)
            . ' delivered records, but '
            . (@unexpected == 1 ? 'is' : 'are')
            . ' not expected'
        : (),
        _files('refused',     @{ $standing->{refused}  || [] }),
        _files('cannot read', @{ $judgement->{damaged} || [] })
    );
}

# "refused 'x.json': it was cut short" for each file, or how many more there are.
sub _files {
    my ($what, @files) = @_;
    my @more  = splice @files, @files > $NAMED ? $NAMED : @files;
    my @lines = map {
              "$what '"
            . shown_name($_->{file}, $FACT)
            . "': $_->{why}"
            . (length($_->{remedy} // '') ? "\n$_->{remedy}" : '')
    } @files;
    return (@lines, @more ? "$what " . many(scalar @more, 'more file') : ());
}

1;
