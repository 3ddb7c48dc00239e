#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# tst.sh FILE... - a small round of work for a shell: sorts the text, sorts its dump by address, and keeps
# and counts its lines with "the". This uses four files in the current directory, which are removed at the
# end. The checks are builtins of the shell, because another process would be measured too.
#
#   TST_SH_KEEP     a directory in which the four files are made instead, and kept for tst-check.sh

fail()
{
	echo "tst.sh: $1" >&2
	rm -f "${in}sort.$$" "${in}od.$$" "${in}grep.$$" "${in}wc.$$"
	exit 1
}

if [ $# -eq 0 ]; then
	echo "usage: tst.sh FILE..." >&2
	exit 2
fi

# With pipefail, if the shell has it, a pipe also fails with its first commands; else empty files show it.
command set -o pipefail 2>/dev/null

in=${TST_SH_KEEP:-}
in=${in:+$in/}
sort "$@" >"${in}sort.$$" || fail "cannot sort the text"
od "${in}sort.$$" | sort -n -k 1 >"${in}od.$$" || fail "cannot sort the dump"
grep the "${in}sort.$$" | tee "${in}grep.$$" | wc >"${in}wc.$$" || fail "cannot count the lines"
[ -s "${in}od.$$" ] || fail "od printed nothing"
[ -s "${in}grep.$$" ] || fail "grep or tee left no line"
[ -s "${in}wc.$$" ] || fail "wc printed nothing"
[ -n "$in" ] || rm sort.$$ od.$$ grep.$$ wc.$$ || fail "cannot remove the temporary files"
