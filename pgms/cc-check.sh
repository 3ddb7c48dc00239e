#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# cc-check.sh COMMAND... - runs a command that compiles testdir/cctest.c into ./cctest, and then that
# program, which must print the known output. The exit status is 0 if it does.
set -eu

trap 'rm -f cctest' EXIT
trap 'exit 1' HUP INT TERM

rm -f cctest
"$@"
said=$(./cctest)
[ "$said" = "cctest 44061 952 19.406" ] || {
	echo "cc-check.sh: the program that was compiled says '$said'" >&2
	exit 1
}
