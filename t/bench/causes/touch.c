// SPDX-License-Identifier: GPL-2.0-or-later
// touch - a library for LD_PRELOAD: each child writes to fresh pages after fork.
#include <pthread.h>
#include <sys/mman.h>
enum { PAGES = 200, PAGE = 4096 };
static volatile char *map;
static void touch(void)
{
	for (int i = 0; i < PAGES; i++)
		map[i * PAGE]++;
}
__attribute__((constructor)) static void begin(void)
{
	map = mmap(0, PAGES * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	pthread_atfork(0, 0, touch);
}
