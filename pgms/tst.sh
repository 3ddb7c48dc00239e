#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# tst.sh FILE... - a small round of work for a shell: the text is sorted, its dump is sorted by address, its lines with
# "the" are kept and counted. It happens in four files of the current directory, which are gone at the end.
# The checks are the shell's own: another process would be measured too.

fail()
{
	echo "tst.sh: $1" >&2
	rm -f sort.$$ od.$$ grep.$$ wc.$$
	exit 1
}

if [ $# -eq 0 ]; then
	echo "usage: tst.sh FILE..." >&2
	exit 2
fi

# Where the shell has it, a pipe also fails with its first commands; elsewhere the empty files below tell.
command set -o pipefail 2>/dev/null

sort "$@" >sort.$$ || fail "cannot sort the text"
od sort.$$ | sort -n -k 1 >od.$$ || fail "cannot sort the dump"
grep the sort.$$ | tee grep.$$ | wc >wc.$$ || fail "cannot count the lines"
[ -s od.$$ ] || fail "od printed nothing"
[ -s grep.$$ ] || fail "grep or tee left no line"
[ -s wc.$$ ] || fail "wc printed nothing"
rm sort.$$ od.$$ grep.$$ wc.$$ || fail "cannot remove the temporary files"
