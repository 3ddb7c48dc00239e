// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * tidy.h - what a measured program does on its way out, so that nothing of it stays behind:
 *
 *	static void remove_file(void)
 *	{
 *		if (path)
 *			unlink(path);
 *	}
 *	...
 *	bench_tidy(remove_file);
 *
 * The function is called once, whatever ends the process: exit, the ends of bench.h and channel.h, a
 * reader of the results that has gone, SIGHUP, SIGINT, SIGPIPE, SIGQUIT, SIGTERM or SIGXCPU. Only
 * SIGKILL and _exit are left out. A signal that was ignored at the start stays ignored; after any
 * other the process still ends by that signal.
 *
 * It may do what a signal handler may. No signal interrupts it, and errno is kept. A process that
 * was forked has nothing to tidy until it calls bench_tidy itself.
 *
 * A program that does not call this is linked without it.
 */
#ifndef TIDY_H
#define TIDY_H

/* The last function is called first. */
void bench_tidy(void (*tidy)(void));

#endif
