# SPDX-License-Identifier: GPL-2.0-or-later
# Taking - programs in Perl that take turns as the harness does (src/turn.h).
package Taking;
use 5.014;
use strict;
use warnings;

# Writes a program: `look` is what it tells of a turn, `does` what it does in each, whose number is $n.
sub write_program {
    my ($file, %with) = @_;
    my $does = $with{does} // '';
    unlink $file;
    open my $out, '>', $file or die "cannot write '$file': $!\n";
    print {$out} <<"PERL";
#!$^X
use strict; use warnings; \$| = 1;
open my \$result, '>&=', \$ENV{TS_RESULT} or die; \$result->autoflush(1);
open my \$ready, '>&=', \$ENV{TS_READY} or die; syswrite \$ready, 't'; close \$ready;
open my \$gate, '<&=', \$ENV{TS_GATE} or die; sysread \$gate, my \$byte, 1;
open my \$turn, '<&=', \$ENV{TS_TURN} or die;
my \$n = 0;
while (sysread \$turn, my \$text, 16) {
    \$n++;
    $does;
    print {\$result} "\$ENV{TS_COPY}|TURN|", 1_000_000 * \$n, "|0|$with{look}\\n";
}
print {\$result} "\$ENV{TS_COPY}|COUNT|\$n|1|lps\\n\$ENV{TS_COPY}|TIME|1\\n";
PERL
    close $out or die "cannot write '$file': $!\n";
    chmod 0755, $file;
    return $file;
}

1;
