# SPDX-License-Identifier: GPL-2.0-or-later
# Fleet::Keeping - a file is given its name when all of it is safe on the disk, and never a name that
# something has. Whoever is killed meanwhile leaves .NAME.newPID, which goes with the next one of its name;
# Record->sweep removes it, too.
package Touchstone::Fleet::Keeping;
use 5.014;
use strict;
use warnings;

use Fcntl qw(:flock O_CREAT O_EXCL O_WRONLY);
use File::Path qw(make_path);
use IO::Handle;

use Touchstone::Base::Leftover;
use Touchstone::Machine::Limits;

# Writes a file into a folder; dies where something has its name.
sub keep {
    my ($folder, $name, $octets) = @_;
    my $is_new = !-d $folder;
    make_path($folder, { error => \my $errors });
    my ($why) = map { values %$_ } @{ $errors || [] };
    die "$why\n" if defined $why;
    sweep($folder, $name);
    my $new     = "$folder/.$name.new$$";
    my $trouble = _written($new, $octets);
    $trouble = $! if !defined $trouble && !link $new, "$folder/$name";
    unlink $new;
    die Touchstone::Machine::Limits::why($trouble), "\n" if defined $trouble;
    _settle($_) for $folder, $is_new ? "$folder/.." : ();
    return;
}

# Removes what killed ones were writing for a file.
sub sweep {
    my ($folder, $name) = @_;
    opendir my $dir, $folder or return;
    my %left = map { /\A\.\Q$name\E\.new(\d+)\z/ ? ("$folder/$_" => $1) : () } readdir $dir;
    closedir $dir;
    unlink grep { $left{$_} == $$ || Touchstone::Base::Leftover::may_go($_, $left{$_}) } keys %left;
    return;
}

# Returns what went wrong, or nothing.
sub _written {
    my ($file, $octets) = @_;
    sysopen my $out, $file, O_CREAT | O_EXCL | O_WRONLY, 0666 or return $!;
    binmode $out;
    flock $out, LOCK_EX;
    my $trouble = print({$out} $octets) && $out->flush && $out->sync ? undef : $!;
    close $out or $trouble //= $!;
    return $trouble;
}

# Not every system lets a directory be synced.
sub _settle {
    my ($folder) = @_;
    open my $dir, '<:raw', $folder or return;
    eval { $dir->sync };
    return;
}

1;
