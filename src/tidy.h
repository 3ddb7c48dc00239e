// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * tidy.h - what a measured program does on its way out, so that it leaves nothing behind:
 *
 *	static void remove_file(void)
 *	{
 *		if (path)
 *			unlink(path);
 *	}
 *	...
 *	bench_tidy(remove_file);
 *
 * The function is called once, whatever ends the process: exit, the ending functions of bench.h
 * and channel.h, a reader of the results that has gone, SIGHUP, SIGINT, SIGPIPE, SIGQUIT, SIGTERM
 * or SIGXCPU. Only SIGKILL and _exit skip it. A signal that was ignored at the start stays
 * ignored; after any other, the process still ends by that signal.
 *
 * The function may do only what a signal handler may. No signal interrupts it, and errno is kept.
 * A forked process has nothing to tidy until it calls bench_tidy itself.
 *
 * A program that does not call this is linked without it.
 */
#ifndef TIDY_H
#define TIDY_H

/* The function that was added last is called first. */
void bench_tidy(void (*tidy)(void));

#endif
