# SPDX-License-Identifier: GPL-2.0-or-later
# Record::Json - data to JSON text and back, in bytes.
#
# This is not JSON::PP, because records need three things: the same data give the same bytes, with one line
# for a row of numbers; a damaged file is reported by line; and a run with many copies (20 MB) is read in
# half a second instead of five.
#
#   encode({ passes => [ { counts => [ 1, 2 ], test => 'pipe' } ] })
#
#   {
#     "passes": [
#       {
#         "counts": [1, 2],
#         "test": "pipe"
#       }
#     ]
#   }
package Touchstone::Record::Json;
use 5.014;
use strict;
use warnings;

use Touchstone::Base::Text;
use Touchstone::Record::Largest;

my $LARGEST  = 1.7e308;
my %ESCAPE   = ("\n" => '\n', "\r" => '\r', "\t" => '\t', '"' => '\"', "\\" => "\\\\");
my %UNESCAPE = (n => "\n", r => "\r", t => "\t", b => "\b", f => "\f", '"' => '"', "\\" => "\\", '/' => '/');

# Encodes data with indentation, for files and people.
sub encode {
    my ($data) = @_;
    return _pretty($data, '') . "\n";
}

# Encodes data in one line, for journals.
sub encode_line {
    my ($data) = @_;
    return _dense($data);
}

sub _pretty {
    my ($data, $indent) = @_;
    return _dense($data) if !ref $data;
    my $deeper = "$indent  ";
    if (ref $data eq 'HASH') {
        return '{}' if !%$data;
        my @members = map { $deeper . _string($_) . ': ' . _pretty($data->{$_}, $deeper) } sort keys %$data;
        return "{\n" . join(",\n", @members) . "\n$indent}";
    }
    if (ref $data eq 'ARRAY' && grep { ref } @$data) {
        return "[\n" . join(",\n", map { $deeper . _pretty($_, $deeper) } @$data) . "\n$indent]";
    }
    return _dense($data);
}

sub _dense {
    my ($data) = @_;
    if (ref $data eq 'HASH') {
        return '{' . join(', ', map { _string($_) . ': ' . _dense($data->{$_}) } sort keys %$data) . '}';
    }
    return '[' . join(', ', map { _dense($_) } @$data) . ']' if ref $data eq 'ARRAY';
    return 'null'                                            if !defined $data;
    return _is_number($data) ? "$data" : _string($data);
}

# Says whether a value is written as a number: a value that was made as one, or a text that was used as one
# and reads exactly like it. `x & ''` yields a digit for these, and nothing for other texts.
sub _is_number {
    my ($value) = @_;
    no warnings 'numeric';
    return
           length((my $empty = '') & $value)
        && $value eq 0 + $value
        && $value =~ /\A-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[-+]?\d+)?\z/i;
}

sub _string {
    my ($text) = @_;
    return qq{"$text"} if $text !~ /[^\x20\x21\x23-\x5b\x5d-\x7e]/;
    my $utf8 = Touchstone::Base::Text::is_utf8($text);
    $text =~ s/(["\\\x00-\x1f\x7f])/$ESCAPE{$1} || sprintf '\u%04x', ord $1/ge;
    $text =~ s/([\x80-\xff])/sprintf '\u%04x', ord $1/ge if !$utf8;
    $text =~ s/\xc2([\x80-\x9f])/sprintf '\u%04x', ord $1/ge;
    return qq{"$text"};
}

# Dies with "line N: what is wrong". Texts come from strangers, and a byte can become thirty: no more than
# $PARTS of Record::Largest are read.
#
#   known => { name => 1, other => { ... } }   of an object, only these members are kept, and of the second only
#                                              its own; what is not kept is read and forgotten
#   left  => \my $left                         the parts that several texts may still have together
sub decode {
    my ($text, %as) = @_;
    my $left = $as{left} // \my $rest;
    $$left //= $Touchstone::Record::Largest::PARTS;
    pos($text) = 0;
    my $data = _value(\$text, $left, 0, $as{known} // 1);
    $text =~ /\G\s+/gc;
    _wrong(\$text, 'something follows the end') if pos($text) < length $text;
    return $data;
}

# Blanks are matched first: of a pattern that begins with them Perl looks for the rest in all of the text.
sub _value {
    my ($text, $left, $depth, $kept) = @_;
    $$text =~ /\G\s+/gc;
    _too_many($text)          if --$$left < 0;
    return _text($text)       if $$text =~ /\G"/gc;
    return _number($text, $1) if $$text =~ /\G(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d{1,3})?)/gc;
    if ($$text =~ /\G([\[{])/gc) {
        my $is_list = $1 eq '[';
        _wrong($text, 'nested too deeply') if $depth >= $Touchstone::Record::Largest::DEPTH;
        _too_many($text)                   if ($$left -= $Touchstone::Record::Largest::CONTAINER) < 0;
        return $is_list ? _array($text, $left, $depth, $kept) : _object($text, $left, $depth, $kept);
    }
    return undef                if $$text =~ /\Gnull\b/gc;
    return $1 eq 'true' ? 1 : 0 if $$text =~ /\G(true|false)\b/gc;
    return _wrong($text, 'a value is missing');
}

sub _too_many {
    my ($text) = @_;
    return _wrong(
        $text,
        sprintf 'more than %d million values and names, which is too many for a record',
        $Touchstone::Record::Largest::PARTS / 1e6
    );
}

# Infinity would be written as a text, and read back as one. Digits beyond those that Perl writes would make
# a copy of the record differ from it. A variable that has held a fraction makes copies of whole numbers
# larger, so that these have one of their own, and no value is put in a variable on its way.
sub _number {
    my ($text, $digits) = @_;
    if (length $digits <= 15 && $digits !~ tr/.eE//) { my $whole = 0 + $digits; return $whole }
    my $number = 0 + $digits;
    _wrong($text, 'a number is too large') if length $digits > 3 && abs $number > $LARGEST;
    return length $digits > 15 ? 0 + "$number" : $number;
}

sub _object {
    my ($text, $left, $depth, $kept) = @_;
    my %object;
    return \%object if $$text =~ /\G\s*\}/gc;
    while (1) {
        $$text =~ /\G\s*"/gc or _wrong($text, 'a name in quotes is missing');
        my $name = _text($text);
        $$text =~ /\G\s*:/gc or _wrong($text, "':' is missing");
        $$left--;
        my $child = ref $kept ? $kept->{$name} // 0 : $kept;
        if ($child) { $object{$name} = _value($text, $left, $depth + 1, $child) }
        else        { _value($text, $left, $depth + 1, 0) }
        next            if $$text =~ /\G\s*,/gc;
        return \%object if $$text =~ /\G\s*\}/gc;
        _wrong($text, "',' or '}' is missing");
    }
    return;
}

sub _array {
    my ($text, $left, $depth, $kept) = @_;
    my @array;
    return \@array if $$text =~ /\G\s*\]/gc;
    while (1) {
        if ($kept) { push @array, _value($text, $left, $depth + 1, $kept) }
        else       { _value($text, $left, $depth + 1, 0) }
        next           if $$text =~ /\G\s*,/gc;
        return \@array if $$text =~ /\G\s*\]/gc;
        _wrong($text, "',' or ']' is missing");
    }
    return;
}

sub _text {
    my ($text) = @_;
    return $1 if $$text =~ /\G([^"\\\x00-\x1f]*)"/gc;
    my $value = '';
    while (1) {
        $value .= $1 if $$text =~ /\G([^"\\\x00-\x1f]+)/gc;
        return $value if $$text =~ /\G"/gc;
        if    ($$text =~ /\G\\(["\\\/bfnrt])/gc)    { $value .= $UNESCAPE{$1} }
        elsif ($$text =~ /\G\\u([0-9a-fA-F]{4})/gc) { $value .= _character($text, hex $1) }
        else { _wrong($text, 'a text does not end or holds a raw control character') }
    }
    return;
}

sub _character {
    my ($text, $code) = @_;
    if ($code >= 0xd800 && $code <= 0xdbff && $$text =~ /\G\\u([dD][c-fC-F][0-9a-fA-F]{2})/gc) {
        $code = 0x10000 + ($code - 0xd800) * 0x400 + hex($1) - 0xdc00;
    }
    $code = 0xfffd if $code >= 0xd800 && $code <= 0xdfff;
    my $character = chr $code;
    utf8::encode($character);
    return $character;
}

sub _wrong {
    my ($text, $what) = @_;
    my $line = 1 + (substr($$text, 0, pos $$text // 0) =~ tr/\n//);
    die "line $line: $what\n";
}

1;
