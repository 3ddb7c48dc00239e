#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# multi.sh N [FILE] - runs N copies of tst.sh at the same time, each on FILE or testdir/sort.src, in the
# current directory. shell1, shell8 and shell16 measure this script, so it starts no process besides the
# copies.
#
#   MULTI_SH_WORK_FACTOR     how many times each copy gets the text; 1 by default
#   UB_BINDIR, UB_TESTDIR    directories of tst.sh and sort.src, if they are not beside this script

usage()
{
	echo "multi.sh: $1 is '$2', allowed are 1 to 9999" >&2
	echo "usage: multi.sh N [FILE]" >&2
	exit 2
}

whole_number()
{
	case $2 in
	'' | 0* | *[!0-9]* | ?????*) usage "$@" ;;
	esac
}

case $0 in
*/*) here=${0%/*} ;;
*) here=. ;;
esac
copies=${1-}
[ $# -le 2 ] || copies=$*
text=${2:-${UB_TESTDIR:-$here/../testdir}/sort.src}
factor=${MULTI_SH_WORK_FACTOR:-1}
whole_number N "$copies"
whole_number MULTI_SH_WORK_FACTOR "$factor"

set --
while [ $# -lt "$factor" ]; do
	set -- "$@" "$text"
done

pids=
while [ "$copies" -gt 0 ]; do
	/bin/sh "${UB_BINDIR:-$here}/tst.sh" "$@" &
	pids="$pids $!"
	copies=$((copies - 1))
done

failed=0
for pid in $pids; do
	wait "$pid" || failed=$?
done
[ $failed -eq 0 ] || echo "multi.sh: a copy of tst.sh ended with status $failed" >&2
[ $failed -eq 0 ]
