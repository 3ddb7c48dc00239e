# SPDX-License-Identifier: GPL-2.0-or-later
# Suite::Lbt::Options - the words of the command line that choose what the toolkit's tests work on.
package Touchstone::Suite::Lbt::Options;
use 5.014;
use strict;
use warnings;

use Touchstone::Suite::Lbt::Needs;

sub options {
    return {
        table => [
            [
                'peer', 'peer',
                'HOST[:PORT]: the machine where pgms/net --serve runs, for the tests of the network'
            ],
            [
                'x-display', 'display',
                'NAME: the X server to measure, such as :0, or xvfb for one of its own'
            ],
            [
                'kernel-config', 'config',
                'NAME: the configuration of the test kernel, such as defconfig; otherwise tinyconfig'
            ],
        ],
        values => {
            peer => { is => \&_is_peer, allowed => 'a host such as name, 10.0.0.2:7117 or [fe80::1]:7117' },
            display => {
                is      => \&Touchstone::Suite::Lbt::Needs::is_display,
                allowed => 'a display such as :0 or host:0, or xvfb',
                words   => ['xvfb']
            },
            config => {
                is      => sub { $_[0] =~ /\A\w[\w.-]{0,80}config\z/a },
                allowed => 'a target of the kernel such as tinyconfig or defconfig',
                words   => [qw(tinyconfig defconfig)]
            },
        },
    };
}

sub _is_peer {
    my ($value) = @_;
    my ($port)  = $value =~ /\A(?!-)(?:[\w.-]+|\[[\w:.%]+\])(?::(\d{1,5}))?\z/a or return 0;
    return !defined $port || $port >= 1 && $port <= 65535;
}

1;
