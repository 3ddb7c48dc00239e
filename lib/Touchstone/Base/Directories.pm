# SPDX-License-Identifier: GPL-2.0-or-later
# Base::Directories - where programs, inputs, results and work directories are. There are three kinds of
# homes:
#
#   source      a source tree: it has a Makefile, builds what is missing, and keeps results beside it
#   bundle      an unpacked archive of programs: it has a file BUNDLE, and keeps results beside it where that
#               can be written
#   installed   a copy that make install made: it keeps results in the user's home
package Touchstone::Base::Directories;
use 5.014;
use strict;
use warnings;

use Cwd ();
use File::Basename qw(dirname);
use File::Path qw(make_path);
use File::Spec;
use POSIX ();

use Touchstone::Base::Text qw(quoted);
use Touchstone::Base::Trouble qw(refuse);

# Returns all directories as { base, kind, bin, testdir, results, runs, tmp, source, own_bin, remark }.
# `source` says that this is a source tree, where programs can be built; `own_bin` says that the programs are
# those of the tree: neither UB_BINDIR nor another build is used. `remark` is a line for the user where
# results are not where they would be looked for.
sub find {
    my ($base)  = @_;
    my $kind    = kind($base);
    my %written = map { $_ => scalar _next_to_programs($kind, $base, $_) } qw(results tmp);
    my %place   = (
        base    => $base,
        kind    => $kind,
        source  => $kind eq 'source' ? 1 : 0,
        bin     => _described($ENV{UB_BINDIR})    // "$base/pgms",
        testdir => _described($ENV{UB_TESTDIR})   // "$base/testdir",
        results => _described($ENV{UB_RESULTDIR}) // $written{results} // _state() . '/results',
        tmp     => _described($ENV{UB_TMPDIR})    // $written{tmp}     // _state() . '/tmp',
    );

    # Copies run in other directories, so every path is absolute.
    $place{$_}      = File::Spec->rel2abs($place{$_}) for qw(bin testdir results tmp);
    $place{runs}    = "$place{results}/.runs";
    $place{own_bin} = !defined _described($ENV{UB_BINDIR});
    $place{remark}  = "results go to '$place{results}', since '$base' cannot be written"
        if $kind eq 'bundle' && !defined $written{results} && !defined _described($ENV{UB_RESULTDIR});
    return \%place;
}

sub kind {
    my ($base) = @_;
    return -e "$base/BUNDLE" ? 'bundle' : -e "$base/Makefile" ? 'source' : 'installed';
}

# Returns the words that start Run here, quoted for a shell, with the variable that leads to the same
# results.
sub command {
    my ($place) = @_;
    my $name = command_line($place);
    return $name if !defined _described($ENV{UB_RESULTDIR});
    return 'UB_RESULTDIR=' . quoted($place->{results}) . " $name";
}

# Returns what is typed to start Run here.
sub command_line {
    my ($place) = @_;
    return $place->{source} || ($place->{kind} // '') eq 'bundle' ? './Run' : 'touchstone';
}

# Returns the same places with the programs of another build: a directory, or a name of one that was built in
# a tree, which is that of these places or their cache. An installed copy calls its own programs pgms, too.
sub of_build {
    my ($place, $build, $tree) = @_;
    my @own   = $build eq 'pgms' ? "$place->{base}/pgms" : ();
    my ($bin) = grep { -d } $build, @own, "$tree/pgms.d/$build";
    my $makes =
        $place->{source}
        ? 'try: make BUILD=NAME FLAGS=-O2'
        : 'try: ' . command_line($place) . ' --build NAME=-O2 TEST';
    refuse("no build '$build': neither a directory of programs nor a name in pgms.d\n$makes\n")
        if !defined $bin;
    $bin = File::Spec->rel2abs($bin);
    my $is_default = Cwd::realpath($bin) eq (Cwd::realpath("$place->{base}/pgms") // '');
    return { %$place, bin => $bin, own_bin => $is_default && $place->{own_bin} };
}

# An empty variable counts as unset.
sub _described {
    my ($value) = @_;
    return length($value // '') ? $value : undef;
}

# Returns the directory of this name beside Run where files of this kind of home belong there, or nothing.
sub _next_to_programs {
    my ($kind, $base, $name) = @_;
    my $path = "$base/$name";
    return $path if $kind eq 'source';
    return       if $kind ne 'bundle';
    return is_writable(-e $path ? $path : $base) ? $path : undef;
}

sub _state { return of_user($ENV{XDG_STATE_HOME}, '.local/state') }

# Returns the user's directory for our files: below what a variable says, if that is an absolute path, else
# below this one of the home. Without HOME that is what the system's list of users says, as ~ is in a shell.
sub of_user {
    my ($named, $usual) = @_;
    return "$named/touchstone" if defined $named && $named =~ m{\A/};
    my $home = _described($ENV{HOME}) // _described((getpwuid $>)[7]) // '';
    return $home =~ s{/+\z}{}r . "/$usual/touchstone";
}

# True if files can be made in this directory. -w looks at modes only, which mean nothing to root and on what
# is mounted for reading alone.
sub is_writable {
    my ($directory) = @_;
    return -d $directory && POSIX::access($directory, POSIX::W_OK() | POSIX::X_OK());
}

# Makes the directories for results, or dies with the cause and the remedy.
sub prepare_results {
    my ($place) = @_;
    for my $directory (@$place{qw(results runs)}) {
        my $stranger = trouble_above($directory);
        die "cannot write results in '$directory': $stranger\n"
            . 'use a directory of your own: UB_RESULTDIR=~/results '
            . command_line($place) . "\n"
            if defined $stranger;
        make_path($directory, { error => \my $errors });
        next if is_writable($directory);
        my $why = "$!";
        ($why) = map { values %$_ } @$errors if @{ $errors || [] };
        my $also = defined _described($ENV{UB_TMPDIR}) ? '' : 'UB_TMPDIR=/var/tmp ';
        die "cannot write results in '$directory': $why\n"
            . "try: UB_RESULTDIR=/var/tmp $also"
            . command_line($place) . "\n";
    }
    return;
}

# Returns the first free names of the form HOST-DATE-NN, as in UnixBench. It returns several, because another
# run may take one first.
sub names {
    my ($place, $host, $date) = @_;
    my $stem = file_name($host) . "-$date";
    my %taken;
    for my $directory (@$place{qw(results runs)}) {
        opendir my $dir, $directory or next;
        $taken{$_} = 1 for map { /\A(\Q$stem\E-\d+)(?:\.|\z)/ } readdir $dir;
        closedir $dir;
    }
    return grep { !$taken{$_} } map { sprintf '%s-%02d', $stem, $_ } 1 .. 50 + keys %taken;
}

# UB_OUTPUT_FILE_NAME may be this long in bytes, so that suffixes still fit into a file name.
my $LONGEST = 200;

sub fixed_name {
    my ($place) = @_;
    my $name = $ENV{UB_OUTPUT_FILE_NAME} // '';
    die "UB_OUTPUT_FILE_NAME needs a name without '/' that does not begin with '.', "
        . "of at most $LONGEST bytes, not '$name'\n"
        if $name =~ m{/|\A\.|[\x00-\x1f]} || length $name > $LONGEST;
    die "UB_OUTPUT_FILE_NAME cannot be '$name': index.html is the page of all runs\n" if $name eq 'index';
    die "UB_OUTPUT_FILE_NAME cannot be '$name': that is a directory\n"
        if length $name && -d "$place->{results}/$name";
    return $name;
}

# The kernel accepts any text as a host name, but a file name must not hold '/', control characters or a
# leading dot.
sub file_name {
    my ($text) = @_;
    $text =~ s{[/\x00-\x1f\x7f]}{_}g;
    $text =~ s/\A[.-]/_/;
    $text = substr $text, 0, 150;
    return length $text ? $text : 'unknown';
}

# A file or directory is used only where no stranger can have laid it. Where every user can write, a
# stranger may have laid a directory, whose names he can turn to other places at any time, or a second name
# of a file of ours. There only what belongs to this user, to root or to the owner of these modules will do,
# since these could do anything anyway. Where others cannot write, or only a group can, its owner has let
# them in.

my ($UID, $LINKS) = (4, 3);
my $OF_MODULES = (stat __FILE__)[$UID] // 0;
my $WRITABLE   = 0002;

# Returns why a directory cannot be trusted, or nothing. Those above it count, too.
sub trouble_above {
    my ($directory) = @_;
    my $path        = File::Spec->canonpath(File::Spec->rel2abs($directory));
    my $subject     = 'it';
    while ((my $above = dirname($path)) ne $path) {
        my @is = lstat $path;
        return "$subject belongs to another user, and every user can write in '$above'"
            if @is && !_is_trusted(@is) && _is_open($above);
        ($path, $subject) = ($above, "'$above'");
    }
    return;
}

# Returns why a file cannot be written in its place, or nothing. A handle is what was opened under the name.
sub trouble_with {
    my ($handle, $file) = @_;
    return 'it is a link: remove it'                if -l $file;
    return 'it is not a regular file: remove it'    if !-f $handle;
    return                                          if !_is_open(dirname($file));
    return 'it belongs to another user: remove it'  if !_is_trusted(stat $handle);
    return 'it has another name as well: remove it' if (stat _)[$LINKS] > 1;
    return;
}

sub _is_trusted {
    return scalar grep { $_[$UID] == $_ } 0, $>, $OF_MODULES;
}

sub _is_open { my ($directory) = @_; return ((stat $directory)[2] // 0) & $WRITABLE }

1;
