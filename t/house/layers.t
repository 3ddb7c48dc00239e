#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# The rooms of the house, as DESIGN.md lists them from the roof down: each may use the rooms below it, and
# none above.
use 5.014;
use strict;
use warnings;

use File::Find qw(find);
use File::Glob qw(bsd_glob);
use Test::More;

use lib 't/lib';
use Amount;
use Fake;
use Touchstone::Suite;

my $LIB = "$Fake::BASE/lib";

# Suite is the list of suites, which knows none of them; Suite::* are the suites.
my ($picture) = Fake::read_file("$Fake::BASE/DESIGN.md") =~ /^## The rooms\n(.*?)^## /ms;
my @ROOMS     = reverse(($picture // '') =~ /^    ([A-Z]\w*(?:::\*)?) /mg);
my %FLOOR     = map { $ROOMS[$_] => $_ } 0 .. $#ROOMS;

# Modules that suites share.
my %SHARED = map { $_ => 1 } qw(Published);

my %text;
find({ no_chdir => 1, wanted => sub { $text{ module_of($_) } = Fake::read_file($_) if /\.pm\z/ } }, $LIB);
my @packs =
    map { m{([^/]+/[^/]+)/\z} ? $1 =~ s{/}{::}r : () } bsd_glob("\Q$LIB\E/Touchstone/{Suite,Pack}/*/");

sub module_of { my ($file) = @_; return substr($file, length "$LIB/") =~ s{/}{::}gr =~ s/\.pm\z//r }

sub room_of {
    my ($module) = @_;
    return 'Base' if $module eq 'Touchstone';
    my (undef, $room, $more) = split /::/, $module;
    return 'Pack::*' if $room eq 'Pack';
    return $room eq 'Suite' && defined $more && !$SHARED{$more} ? 'Suite::*' : $room;
}

# Returns a text without its comments: whole lines, and what follows the end of a statement.
sub code_of {
    my ($text) = @_;
    return join "\n", map { s/\A\s*#.*//r =~ s/(?<=[;{}(,])\s+# .*//r } split /\n/, $text;
}

# Returns all of our modules that a text names outside of comments, by name or by file.
sub named_in {
    my ($text) = @_;
    my %named;
    for my $words (split /\n/, code_of($text)) {
        $named{ $_ =~ s{/}{::}gr } = 1 for $words =~ m{\b(Touchstone(?:/\w+)+)[.]pm\b}g;
        for my $name ($words =~ /\b(Touchstone(?:::\w+)+)/g) {
            $name =~ s/::\w+\z// while length $name && !$text{$name};
            $named{$name} = 1 if $name =~ /::/;
        }
    }
    my @names = sort keys %named;
    return @names;
}

subtest 'every module is in a room' => sub {
    is($ROOMS[0], 'Base', 'the ground');
    for my $module (sort keys %text) {
        ok(defined $FLOOR{ room_of($module) }, $module);
        next if $module eq 'Touchstone';
        my $called = $module =~ s/\ATouchstone:://r;
        like(
            $text{$module},
            qr/\A# SPDX-License-Identifier: GPL-2\.0-or-later\n# \Q$called\E - /,
            'its header has its name'
        );
    }
};

subtest 'no room uses one above it' => sub {
    for my $module (sort keys %text) {
        my @above = grep { $FLOOR{ room_of($_) } > $FLOOR{ room_of($module) } } named_in($text{$module});
        is("@above", '', $module);
    }
};

# Whatever way a module has to load another, perl knows in the end what was loaded. Suites and packs are
# plug-ins: Suite may load their roles, for whatever room asks it.
subtest 'no module loads one from a room above it' => sub {
    my @modules = sort keys %text;
    my $every   = Amount::of(9, 1);
    for my $module (map { $modules[ $_ * $every ] } 0 .. $#modules / $every) {
        my $file = $module =~ s{::}{/}gr . '.pm';
        open my $said, '-|', $^X, "-I$LIB", '-e', "require '$file'; print map { qq{\$_\n} } keys %INC"
            or die "cannot start perl: $!\n";
        my @loaded = map  { m{\A(Touchstone/.*)\.pm\z} ? $1 =~ s{/}{::}gr : () } map { chomp; $_ } <$said>;
        my @above  = grep { $FLOOR{ room_of($_) } > $FLOOR{ room_of($module) } } @loaded;
        is(join(' ', grep { room_of($_) ne 'Suite::*' && !/\ATouchstone::Pack::\w+::Options\z/ } @above),
            '', $module);
    }
};

subtest 'what a module names it uses' => sub {
    for my $module (sort keys %text) {
        my %used = map { $_ => 1 } $module, $text{$module} =~ /^ *(?:use|require) (Touchstone[\w:]*)\b/mg;
        is(join(' ', grep { !$used{$_} } named_in($text{$module})), '', $module);
    }
};

subtest 'no module names a suite or a pack of which it is not' => sub {
    for my $module (sort keys %text) {
        my ($own) = $module =~ /\ATouchstone::((?:Suite|Pack)::\w+)::/;
        my @others = grep {
            my $pack = $_;
            $pack ne ($own // '') && grep { /\ATouchstone::\Q$pack\E::/ } named_in($text{$module})
        } @packs;
        is("@others", '', $module);
    }
};

# Names of tests, groups, tables, indexes, machines, units, options and needs. Words of letters alone, such as
# pipe or display, have other meanings, too; but for machines, units and the names of suites, of which
# platform is also a fact of a host.
sub words_of_suites {
    my $suite = Touchstone::Suite::load();
    my @all   = values %{ $suite->{suites} };
    my @added = map  { $_->can('options')->() } values %{ Touchstone::Suite::packages('Options') };
    my @words = grep { /[\d-]/ } (
        (map { $_->{name} } $suite->tests),
        (map { keys %$_ } $suite->groups, map { $_->{published} || {} } @all),
        (map { $_->{key} } map { @{ $_->{indexes} || [] } } @all),
        (
            map { $_->[0] =~ s/ .*//r } map {
                (@{ $_->{table} || [] }, map { @$_[ 1 .. $#$_ ] } @{ $_->{headings} || [] })
            } @added
        ),
        (map { keys %{ $_->can('needs')->() } } values %{ Touchstone::Suite::packages('Needs') })
    );
    my @keys = map { /-/ ? s/-/_/gr : () } @words;
    return (
        @words, @keys,
        (grep { $_ ne 'platform' } map { $_->{name} } @all),
        (map { keys %{ $_->{machines} || {} } } @all),
        map { keys %{ $_->{units} || {} } } @all
    );
}

# Base::Text takes from texts the words that readers of UnixBench's report look for: one is this unit.
my %LANGUAGE = ('Touchstone::Base::Text' => 'MWIPS');

subtest 'no module outside a suite or a pack has a word of it' => sub {
    my $word = join '|', map { quotemeta } words_of_suites();
    for my $module (grep { room_of($_) !~ /::\*\z/ } sort keys %text) {
        is(join(' ', code_of($text{$module}) =~ /(?<![\w.-])($word)(?![\w-])/g),
            $LANGUAGE{$module} // '', $module);
    }
};

# Keys of categories have other meanings, too, but no condition on one.
subtest 'one module alone knows which category has the index of the machine' => sub {
    my $key  = join '|', map { quotemeta $_->[0] } Touchstone::Suite::load()->categories;
    my @know = grep { $text{$_} =~ /\$(?:key|OF_MACHINE|_->\{key\}) (?:eq|ne|=) '(?:$key)'/ }
        grep { room_of($_) ne 'Suite::*' } sort keys %text;
    is("@know", 'Touchstone::Score::Index', 'the rule of names of indexes');
};

done_testing;
