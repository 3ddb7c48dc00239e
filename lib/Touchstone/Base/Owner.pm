# SPDX-License-Identifier: GPL-2.0-or-later
# Base::Owner - whether what lies under a name may be used. Where every user can write, a stranger may
# have laid it: a directory of his, whose names he can turn to other places at any time, or a second name of
# a file of ours. There only what belongs to this user, to root or to the owner of these modules will do,
# since these could do anything anyway. Where others cannot write, or only a group can, its owner has let
# them in.
package Touchstone::Base::Owner;
use 5.014;
use strict;
use warnings;

use File::Basename qw(dirname);
use File::Spec;

my ($UID, $LINKS) = (4, 3);
my $OF_MODULES = (stat __FILE__)[$UID] // 0;
my $WRITABLE   = 0002;

# Returns why a directory cannot be trusted, or nothing. Those above it count, too.
sub trouble_above {
    my ($directory) = @_;
    my $path        = File::Spec->canonpath(File::Spec->rel2abs($directory));
    my $called      = 'it';
    while ((my $above = dirname($path)) ne $path) {
        my @is = lstat $path;
        return "$called belongs to another user, and every user can write in '$above'"
            if @is && !_is_trusted(@is) && _is_open($above);
        ($path, $called) = ($above, "'$above'");
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
