# SPDX-License-Identifier: GPL-2.0-or-later
# Tools - the commands that some tests need beyond README's packages, each with its package in Debian.
#
#   plan skip_all => $_ for Tools::lacking(qw(x11perf Xvfb));
#
# .ci/run installs all of these packages (t/house/docs.t).
package Tools;
use 5.014;
use strict;
use warnings;

use Touchstone::Machine::Command;

our %PACKAGE = (
    (
        map { $_ => $_ }
            qw(busybox chromium curl dc git mandoc minisign openssl prometheus-node-exporter shellcheck strace
            zsh)
    ),
    'ansible-playbook' => 'ansible-core',
    groff              => 'groff-base',
    nm                 => 'binutils',
    objdump            => 'binutils',
    promtool           => 'prometheus',
    ps                 => 'procps',
    x11perf            => 'x11-apps',
    xmllint            => 'libxml2-utils',
    Xvfb               => 'xvfb',
);

# Returns why a test that needs these commands cannot run here, or an empty list.
sub lacking {
    my (@commands) = @_;
    my @lacking = grep { !Touchstone::Machine::Command::find($_) } @commands;
    return @lacking ? none(@lacking) : ();
}

# The same of commands that have been found to be missing.
sub none {
    my (@commands) = @_;
    return join ', ', map { "'$_' is not installed (Debian: $PACKAGE{$_})" } @commands;
}

1;
