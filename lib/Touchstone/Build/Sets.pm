# SPDX-License-Identifier: GPL-2.0-or-later
# Build::Sets - the sets of programs that --build asks for: how and in which tree each is made, where it is,
# and the words for make. `clang=CC=clang,-O2` becomes
#
#   { name      => 'clang',
#     asked     => 'CC=clang,-O2',
#     flags     => '-O2',
#     compilers => { CC => 'clang' } }
package Touchstone::Build::Sets;
use 5.014;
use strict;
use warnings;

use Digest::SHA qw(sha256_hex);
use Fcntl qw(:flock);
use File::Find ();
use File::Path qw(remove_tree);

use Touchstone;
use Touchstone::Base::Directories;
use Touchstone::Build;
use Touchstone::Machine::Command;
use Touchstone::Machine::File;

# The name becomes a directory; the Makefile allows the same names.
my $NAME = qr/[\w][\w.-]{0,60}/a;

# No letter here means anything to a shell or to make.
my $FLAGS = qr{[\w.,:+=/% -]{0,1000}}a;

# Machine::clock_cost measures with this program.
my $ALSO = 'clock';

# Returns the set that NAME=FLAGS asks for, or nothing if the text is malformed.
sub parsed {
    my ($text) = @_;
    my ($name, $asked) = $text =~ /\A($NAME)=($FLAGS)\z/ or return;
    my (%compiler, @flags);
    for my $word (map { _words($_) } split ' ', $asked) {
        if ($word =~ /\A(CC|FC)=(.*)\z/) { length $2 or return; $compiler{$1} = $2 }
        else                             { push @flags, $word }
    }
    return { name => $name, asked => $asked, flags => join(' ', @flags), compilers => \%compiler };
}

# '-O2,-g' is two words, but all commas behind -Wl, -Wa or -Wp belong to that flag.
sub _words {
    my ($text) = @_;
    my ($list, $rest) = $text =~ /\A(.*?)(?:(?:\A|,)(-W[lap],.*))?\z/;
    return grep { length } split(/,+(?=-|CC=|FC=)/, $list), $rest // '';
}

# Returns the word of the command line that asked for the set.
sub asked { my ($set) = @_; return "$set->{name}=$set->{asked}" }

# Returns the places with those of a set in them: its tree, where make builds it, and its programs.
sub places {
    my ($places, $text) = @_;
    my $set  = parsed($text);
    my $tree = tree($places);
    return { %$places, tree => $tree, bin => "$tree/pgms.d/$set->{name}", own_bin => 0, set => $set };
}

# The command of the compiler in C that a set is built with.
sub compiler {
    my ($set) = @_;
    return $set->{compilers}{CC} // Touchstone::Build::compiler();
}

sub compilers {
    my ($set) = @_;
    return map { "$_=$set->{compilers}{$_}" } sort keys %{ $set->{compilers} };
}

# Returns words for make that build only the programs these tests need, because a flag may be wrong for
# another. Without a Fortran compiler the programs in Fortran are left out, unless the set asks for such a
# compiler.
sub make_words {
    my ($set, @tests) = @_;
    my %needed = map { $_ => 1 } $ALSO, map { ($_->{program}, @{ $_->{parts} || [] }) } @tests;
    delete @needed{ grep { /\.f\z/ } keys %needed }
        if !defined $set->{compilers}{FC}
        && !Touchstone::Machine::Command::find(Touchstone::Build::fortran());
    return (
        "BUILD=$set->{name}", "FLAGS=$set->{flags}", compilers($set),
        'ONLY=' . join ' ',   sort keys %needed
    );
}

# An installed copy and a bundle may be read-only, so their sources are copied to the user's cache, which
# then is a source tree without Run:
#
#   ~/.cache/touchstone/8.0.0-283548db3e9d/    version, and the first digits of the hash of its files
#       Makefile src/ pgms/ testdir/           as they are in source/
#       pgms.d/NAME/                           what --build NAME=FLAGS has built
#       lock                                   is locked while something is built; its time is the last use
#
# Anybody may remove all of it: it is made anew when it is needed. make cannot name a path with blanks, which
# a home may have, so nothing is built from where the sources are installed.

# Digits of the hash in a name.
my $DIGITS = 12;

# A cache of another version goes when no build has used it for so many days.
my $DAYS       = 30;
my $CACHE_NAME = qr/\A\d+(?:\.\d+)+(?:-[0-9a-f]{$DIGITS})?\z/a;

# Returns the tree in which builds of these places are made: the source tree, or one in the cache.
sub tree {
    my ($places) = @_;
    return $places->{base} if $places->{source};
    my $hash = _hash("$places->{base}/source");
    return join '/', Touchstone::Base::Directories::of_user($ENV{XDG_CACHE_HOME}, '.cache'),
        $Touchstone::VERSION . (defined $hash ? '-' . substr $hash, 0, $DIGITS : '');
}

# Returns a lock that keeps others from building in the tree, and in a cache brings the sources there; dies
# with the cause.
sub locked {
    my ($places) = @_;
    my ($tree, $source) = ($places->{tree}, "$places->{base}/source");
    return _lock("$tree/Makefile") if $places->{source};
    die "this copy has no sources: there is no '$source/Makefile'\ninstall it again\n"
        if !-e "$source/Makefile";
    my $lock = eval {
        Touchstone::Machine::File::make_directory($tree);
        Touchstone::Machine::File::locked("$tree/lock");
    } or die $@ . remedy($places);
    utime undef, undef, "$tree/lock";
    return $lock if eval { _bring($source, $tree); 1 };
    my $why = $@;
    remove_tree($tree, { error => \my $errors }) if !-e "$tree/pgms.d";
    die $why . remedy($places);
}

# Opens a file and waits until nobody else has it locked.
sub _lock {
    my ($file) = @_;
    open my $lock, '<:raw', $file or die "cannot open '$file': $!\n";
    flock $lock, LOCK_EX;
    return $lock;
}

# What helps where the cache cannot be written.
sub remedy {
    my ($places) = @_;
    return 'try: XDG_CACHE_HOME=/var/tmp ' . Touchstone::Base::Directories::command_line($places) . "\n";
}

# Removes the caches beside a tree that are of no use any more, and returns their paths.
sub remove_old {
    my ($tree) = @_;
    my ($cache, $name) = $tree =~ m{\A(.*)/([^/]+)\z}s;
    opendir my $in, $cache or return;
    my @old = grep { _is_old($_) } map { "$cache/$_" } grep { $_ =~ $CACHE_NAME && $_ ne $name } readdir $in;
    for my $path (@old) {
        open my $lock, '<:raw', "$path/lock" or next;
        flock($lock, LOCK_EX | LOCK_NB) && !_is_measured($path) or next;
        remove_tree($path, { error => \my $errors });
    }
    return sort grep { !-e } @old;
}

sub _is_old {
    my ($path) = @_;
    return 0 if -l $path;
    my @is = lstat "$path/lock" or return 0;
    return $is[9] < time - $DAYS * 24 * 3600;
}

# A run holds the programs that it measures.
sub _is_measured {
    my ($path) = @_;
    for my $programs (glob "\Q$path\E/pgms.d/*") {
        open my $held, '<:raw', $programs or next;
        return 1 if !flock $held, LOCK_EX | LOCK_NB;
    }
    return 0;
}

# The paths of all files of the sources, as make install leaves them.
sub _files {
    my ($source) = @_;
    my @files;
    my $look = sub { push @files, substr $_, 1 + length $source if -f && !m{/lock\z} };
    File::Find::find({ wanted => $look, no_chdir => 1 },
        grep { -e } map { "$source/$_" } qw(Makefile src pgms testdir));
    my @sorted = sort @files;
    return @sorted;
}

# The hash of all of them, or undef where there are none.
sub _hash {
    my ($source) = @_;
    return if !-d $source;
    return eval {
        sha256_hex(map { Digest::SHA->new(256)->addfile("$source/$_")->hexdigest . "  $_\n" }
                _files($source));
    };
}

# Makes a tree like the sources. Files that are equal stay, with their times, so that make builds only what
# has changed. What a killed run left half-way is replaced.
sub _bring {
    my ($source, $tree) = @_;
    my %wanted = map { $_ => 1 } _files($source);
    for my $file (grep { !$wanted{$_} } _files($tree)) {
        unlink "$tree/$file";
    }
    for my $file (sort keys %wanted) {
        my ($from, $to) = map { "$_/$file" } $source, $tree;
        my $text = _text($from) // die "cannot read '$from': $!\n";
        next if $text eq (_text($to) // "no $text");
        Touchstone::Machine::File::make_directory($to =~ s{/[^/]*\z}{}r);
        Touchstone::Machine::File::write_file($to, $text);
        chmod oct(200) | (stat $from)[2] & oct 777, $to;
    }
    return;
}

sub _text {
    my ($file) = @_;
    open my $in, '<:raw', $file or return;
    local $/;
    return scalar(<$in>) // '';
}

1;
