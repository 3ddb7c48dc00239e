# SPDX-License-Identifier: GPL-2.0-or-later
# Inherited - closes in what a test starts the files that whatever runs the tests holds open. They would count
# against a limit on open files.
package Inherited;
use 5.014;
use strict;
use warnings;

use Fcntl qw(F_SETFD FD_CLOEXEC);

# The handles stay open here: one of them may be in use.
our @handles = map { open my $file, '<&=', $_; $file } 3 .. 255;
defined fileno $_ and fcntl $_, F_SETFD, FD_CLOEXEC for @handles;

1;
