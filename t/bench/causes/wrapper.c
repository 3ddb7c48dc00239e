// SPDX-License-Identifier: GPL-2.0-or-later
// wrapper - plants a cause (t/bench/causes.pl) and starts the program of its name in real/.
#define _GNU_SOURCE
#include <limits.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

static void check(int failed, const char *what)
{
	if (failed) {
		perror(what);
		exit(1);
	}
}

#ifdef FILTER
/* It looks at an argument, so the kernel walks the list at every call. */
static void plant(const char *name)
{
	static struct sock_filter code[1000];
	unsigned short n = 0;

	(void)name;
	code[n++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[0]));
	code[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0xfedcba98, 0, 1);
	code[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO);
	code[n++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
	for (unsigned i = 0; i < 460; i++) {
		code[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, i, 0, 1);
		code[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	}
	code[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	check(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "no new privileges");
	check(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &(struct sock_fprog){ n, code }), "seccomp");
}
#elif defined(SLOW)
/* The work directory of the run has the same path on the slow file system. */
static void plant(const char *name)
{
	char place[PATH_MAX], work[PATH_MAX];
	const char *run = getenv("UB_TMPDIR");

	(void)name;
	if (!run || !getcwd(work, sizeof work))
		return;
	snprintf(place, sizeof place, "%s/%d", SLOW, (int)getpid());
	mkdir(place, 0777);
	check(unshare(CLONE_NEWNS), "mount namespace");
	check(mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) || mount(place, run, NULL, MS_BIND, NULL), "mount");
	for (char *at = work + 1; *at; at++)
		if (*at == '/') {
			*at = 0;
			mkdir(work, 0777);
			*at = '/';
		}
	mkdir(work, 0777);
	check(chdir(work), "work directory");
}
#else
static void plant(const char *name)
{
	(void)name;
#ifdef PRELOAD
	setenv("LD_PRELOAD", PRELOAD, 1);
#endif
#ifdef TOOLS
	char path[PATH_MAX];
	snprintf(path, sizeof path, "%s:%s", TOOLS, getenv("PATH"));
	setenv("PATH", path, 1);
#endif
#ifdef TWO
	const char *cpu = getenv("TS_CPUS");
	char two[32];
	if (strcmp(name, "context1") == 0 && cpu) {
		snprintf(two, sizeof two, "%s,%d", cpu, 1 - atoi(cpu));
		setenv("TS_CPUS", two, 1);
	}
#endif
}
#endif

int main(int argc, char **argv)
{
	char real[PATH_MAX];
	const char *name = argc ? strrchr(argv[0], '/') : NULL;

	check(!name || !getenv("UB_BINDIR"), "not started by Run");
	if (!getenv("PLANTED")) {
		setenv("PLANTED", "1", 1);
		plant(name + 1);
	}
	snprintf(real, sizeof real, "%s/real%s", getenv("UB_BINDIR"), name);
	execv(real, argv);
	check(1, real);
}
