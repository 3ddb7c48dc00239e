#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# tst-check.sh COMMAND... - runs a command that starts tst.sh once or several times, each on
# testdir/tst84.src, and compares the files of each tst.sh with the known ones for the C locale. The exit
# status is 0 if all are right.
set -eu

kept=tst-check.$$
mkdir "$kept"
trap 'rm -rf "$kept"' EXIT
trap 'exit 1' HUP INT TERM

fail()
{
	echo "tst-check.sh: $1" >&2
	exit 1
}

LC_ALL=C TST_SH_KEEP=$PWD/$kept MULTI_SH_WORK_FACTOR=1 "$@"

for sorted in "$kept"/sort.*; do
	[ -e "$sorted" ] || fail "no tst.sh has run"
	id=${sorted##*.}
	[ "$(cksum <"$sorted")" = "2831385775 69" ] || fail "the text is not sorted as it should be"
	[ "$(cksum <"$kept/grep.$id")" = "298275152 14" ] || fail "the lines found are not the right ones"
	read -r lines words bytes <"$kept/wc.$id"
	[ "$lines $words $bytes" = "3 3 14" ] || fail "wc counted $lines, $words and $bytes"
	[ "$(wc -l <"$kept/od.$id")" -eq 6 ] || fail "the dump is not as long as it should be"
done
