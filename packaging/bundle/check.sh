#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# check.sh [DIRECTORY] - the figures of ./Run check on a system without perl: busybox and musl systems, routers,
# containers. It needs sh, awk and sort, runs the programs next to it (pgms/, or UB_BINDIR), and writes 256 MB
# into a new directory below DIRECTORY (default: UB_TMPDIR, TMPDIR or /tmp), which it removes. Each figure is
# the median of three passes. Exit status: 0, or 1 if a figure is missing; 2: usage.

case $0 in
*/*) here=${0%/*} ;;
*) here=. ;;
esac
bin=${UB_BINDIR:-$here/pgms}
if [ $# -gt 1 ] || [ ! -x "$bin/dhry2reg" ]; then
	echo "usage: check.sh [DIRECTORY], with the programs of Touchstone in $bin" >&2
	exit 2
fi
work=${1:-${UB_TMPDIR:-${TMPDIR:-/tmp}}}
kept=$(mktemp -d "$work/touchstone-check.XXXXXX" 2>/dev/null) || kept=
trap '[ -z "$kept" ] || rm -rf "$kept"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP
passes=3 missing=0
UB_BINDIR=$bin
export UB_BINDIR

cpus=$(getconf _NPROCESSORS_ONLN 2>/dev/null || nproc 2>/dev/null || grep -c '^processor' /proc/cpuinfo 2>/dev/null)
case $cpus in
'' | *[!0-9]* | 0) cpus=1 ;;
esac

# The rate of a pass on standard input: counts per second, or the figure itself if the program divides.
rate() {
	awk -F'|' '$1 == "COUNT" { count = $2; base = $3 } $1 == "TIME" { time = $2 }
		END { if (count > 0 && (!base || time > 0)) printf "%.9g\n", base ? count / time * base : count; else exit 1 }'
}

# middle COPIES PROGRAM ARGUMENT ...: the median over the passes of the rates of all copies together.
middle() {
	copies=$1 program=$bin/$2 pass=0
	shift 2
	while [ $pass -lt $passes ]; do
		{
			copy=0
			while [ $copy -lt "$copies" ]; do
				{ "$program" "$@" 2>&1 | rate || echo failed; } &
				copy=$((copy + 1))
			done
			wait
		} | awk '/failed/ { exit 1 } { sum += $1 } END { if (sum > 0) printf "%.9g\n", sum; else exit 1 }' || echo 0
		pass=$((pass + 1))
	done | sort -n | awk '{ value[NR] = $1 } END { if (NR && value[1] > 0) print value[int((NR + 1) / 2)] }'
}

# show LABEL FORM VALUE: a line of the screen; forms are time (of one operation), seconds, MB, rate and index.
show() {
	if [ -z "$3" ]; then
		printf '%-22s missing\n' "$1"
		missing=1
		return
	fi
	awk -v label="$1" -v form="$2" -v value="$3" '
		function unit(x, names,    n, name) {
			n = split(names, name, " ")
			for (i = 1; i < n && x >= 1000; i++) x /= 1000
			return sprintf(x < 9.995 ? "%.2f %s" : x < 99.95 ? "%.1f %s" : "%.0f %s", x, name[i])
		}
		BEGIN {
			if (form == "time") text = unit(1e9 / value, "ns µs ms s")
			else if (form == "seconds") text = unit(value * 1e9, "ns µs ms s")
			else if (form == "MB") text = unit(value, "MB/s GB/s TB/s")
			else if (form == "rate") text = unit(value, "/s k/s M/s")
			else text = sprintf("%.0f", value)
			printf "%-22s %s\n", label, text
		}'
}

# index COPIES: the geometric mean of the indexes of four tests, as Touchstone::Pack::Check::Choice has it; its
# fourth root is found by Newton's method, because awk of busybox may lack exp and log.
index() {
	dhry=$(middle "$1" dhry2reg 0.3) execl=$(middle "$1" execl 0.3)
	json=$(middle "$1" json 0.3) matrix=$(middle "$1" matrix 0.3)
	[ -n "$dhry" ] && [ -n "$execl" ] && [ -n "$json" ] && [ -n "$matrix" ] &&
		awk -v d="$dhry" -v e="$execl" -v j="$json" -v m="$matrix" 'BEGIN {
			product = (d / 116700 * 10) * (e / 43 * 10) * (j / 500 * 1000) * (m / 50000 * 1000)
			for (root = 1000; steps++ < 99; ) root = (3 * root + product / (root * root * root)) / 4
			printf "%.0f\n", root
		}'
}

# Ticks of the CPUs: all, and those that the hypervisor gave to others.
ticks() { awk '$1 == "cpu" { for (i = 2; i <= 9; i++) all += $i; print all + 0, $9 + 0 }' /proc/stat 2>/dev/null; }

of_cpuinfo() { awk -F': *' -v key="$1" '$1 ~ "^" key "[ \t]*$" { print $2; exit }' /proc/cpuinfo 2>/dev/null; }
before=$(ticks)
model=$(of_cpuinfo 'model name')
memory=$(awk '/^MemTotal/ { printf "%.1f GB", $2 / 1048576 }' /proc/meminfo 2>/dev/null)
echo "Touchstone check 1 without perl: $(uname -n 2>/dev/null), $(date '+%Y-%m-%d %H:%M')"
echo "CPU     ${model:-unknown}, $cpus CPUs; memory ${memory:-unknown}"
echo "System  $(uname -srm 2>/dev/null); disk tests in $work"
one=$(index 1)
show 'CPU, 1 copy' index "$one"
all=$(index "$cpus")
show "CPU, $cpus copies" index "$all"
show 'Memory latency' time "$(middle 1 chase 0.3 262144 1 huge)"
show 'Memory bandwidth' MB "$(middle 1 stream 0.6 65536)"
show 'System call' time "$(middle 1 syscall 0.3 getpid)"
show 'Process creation' time "$(middle 1 spawn 0.5)"
show 'Wake-up, p99' seconds "$(middle 1 wakeup 0.5 0)"
if [ -n "$kept" ]; then
	cd "$kept" || exit 1
	case $bin in
	/*) ;;
	*) bin=$OLDPWD/$bin UB_BINDIR=$OLDPWD/$bin ;;
	esac
	show 'Durable commit' time "$(middle 1 commit 0.5)"
	show 'Sequential write' MB "$(middle 1 seq-write 0.5 "$kept")"
	show 'Sequential read' MB "$(middle 1 seq-read 0.5 "$kept" direct)"
	show 'Cached read' MB "$(middle 1 seq-read 0.5 "$kept" cached)"
	show 'Random read' rate "$(middle 1 diskread 0.5 "$kept")"
	show 'Random read × 32' rate "$(middle 1 rand-read-32 0.5 "$kept")"
else
	echo "! The disk was not measured: cannot make a directory in $work."
	missing=1
fi
after=$(ticks)
echo "$before $after" | awk 'NF == 4 && $3 > $1 { printf "! Neighbours took %.1f %% of the CPU time.\n", 100 * ($4 - $2) / ($3 - $1) }'
echo '! Left out without perl: intervals, validity, probes, bars, the place and a record.'
echo "Touchstone check 1: 1 CPU ${one:-missing}, all $cpus CPUs ${all:-missing} (no intervals)"
exit $missing
