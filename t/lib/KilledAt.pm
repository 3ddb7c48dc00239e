# SPDX-License-Identifier: GPL-2.0-or-later
# KilledAt - kills a Run just before its n-th call that changes something on the disk; KILLED_AT in its
# environment is n. It must be loaded before the code that is to be killed is compiled.
package KilledAt;
use 5.014;
use strict;
use warnings;

use IO::Handle;

# Children of the Run inherit KILLED_AT, so the Run's own process id is kept.
my ($run, $calls);

sub moment {
    return if !$ENV{KILLED_AT};
    $run //= $$;
    kill 'KILL', $$ if $$ == $run && ++$calls == $ENV{KILLED_AT};
    return;
}

BEGIN {
    no strict 'refs';
    no warnings 'redefine';
    my $sync = \&IO::Handle::sync;
    *CORE::GLOBAL::rename = sub ($$) { moment();  return CORE::rename($_[0], $_[1]) };
    *CORE::GLOBAL::link   = sub ($$) { moment();  return CORE::link($_[0], $_[1]) };
    *CORE::GLOBAL::unlink = sub (@) { moment();   return CORE::unlink(@_) };
    *CORE::GLOBAL::mkdir  = sub (_;$) { moment(); return CORE::mkdir($_[0], $_[1] // 0777) };
    *CORE::GLOBAL::rmdir  = sub (_) { moment();   return CORE::rmdir($_[0]) };
    *CORE::GLOBAL::flock  = sub (*$) { moment();  return CORE::flock($_[0], $_[1]) };
    *CORE::GLOBAL::sysopen =
        sub (*$$;$) { moment(); return CORE::sysopen($_[0], $_[1], $_[2], $_[3] // 0666) };
    *CORE::GLOBAL::syswrite = sub (*$;$$) {
        moment();
        return CORE::syswrite($_[0], $_[1], $_[2] // length $_[1], $_[3] // 0);
    };
    *IO::Handle::sync = sub { moment(); return $sync->(@_) };
}

1;
