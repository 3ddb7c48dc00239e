// SPDX-License-Identifier: GPL-2.0-or-later
/* make.c - the arguments and the environment of make. */
#include "lbt/kernel/make.h"

#include "bench.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

extern char **environ;

/*
 * The kernel's names of architectures; lib/Touchstone/Suite/Lbt/KernelSource.pm has the same list.
 * make is told the architecture because otherwise a small configuration on x86_64 builds a 32-bit
 * kernel.
 */
static const struct architecture {
	const char *machine, *name;
	int bits;
} architectures[] = {
	{ "x86_64", "x86_64", 64 },
	{ "amd64", "x86_64", 64 },
	{ "i?86", "i386", 32 },
	{ "aarch64*", "arm64", 64 },
	{ "arm64", "arm64", 64 },
	{ "arm*", "arm", 32 },
	{ "ppc*", "powerpc", 0 },
	{ "riscv*", "riscv", 0 },
	{ "s390*", "s390", 0 },
	{ "mips*", "mips", 0 },
	{ "loongarch*", "loongarch", 0 },
	{ "sparc64", "sparc64", 64 },
	{ "sparc*", "sparc", 0 },
	{ "parisc64", "parisc64", 64 },
	{ "parisc*", "parisc", 0 },
	{ "m68k*", "m68k", 32 },
};

static struct {
	const char *compiler;	/* NULL: the kernel chooses */
	char *jobs, *cc, *hostcc, *arch;
	struct architecture architecture;
} make;

/* These variables would change the build or hide its lines. */
static bool is_foreign(const char *variable)
{
	const char *const names[] = { "ARCH=", "SUBARCH=", "CROSS_COMPILE=", "LLVM=", "LLVM_IAS=",
		"O=", "V=", "W=", "C=", "M=", "MO=", "KBUILD_", "KCONFIG_", "KCFLAGS=",
		"KCPPFLAGS=", "KAFLAGS=", "KRUSTFLAGS=", "HOSTCFLAGS=", "HOSTLDFLAGS=",
		"USERCFLAGS=", "USERLDFLAGS=", "LOCALVERSION=", "MAKEFLAGS=", "GNUMAKEFLAGS=",
		"MFLAGS=", "MAKELEVEL=", "MAKEFILES=", "TAR_OPTIONS=" };

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strncmp(variable, names[i], strlen(names[i])) == 0)
			return true;
	return false;
}

static void clean_environment(void)
{
	for (size_t i = 0; environ[i];) {
		char *name = is_foreign(environ[i]) ? make_text("%s", environ[i]) : NULL;

		if (!name) {
			i++;
			continue;
		}
		name[strcspn(name, "=")] = '\0';
		if (unsetenv(name) == -1)
			bench_fail("cannot clean the environment");
		free(name);
	}
	if (setenv("CCACHE_DISABLE", "1", 1) == -1 || setenv("LC_ALL", "C", 1) == -1)
		bench_fail("cannot set the environment");
}

char *make_text(const char *format, ...)
{
	va_list values;
	char *text;
	int length;

	va_start(values, format);
	length = vsnprintf(NULL, 0, format, values);
	va_end(values);
	text = length < 0 ? NULL : malloc((size_t)length + 1);
	if (!text)
		bench_fail("no memory for a text");
	va_start(values, format);
	vsnprintf(text, (size_t)length + 1, format, values);
	va_end(values);
	return text;
}

/* A machine that is not in the list has the same name in the kernel and the system. */
static struct architecture find_architecture(void)
{
	static struct utsname system;

	if (uname(&system) == -1)
		bench_fail("cannot tell what machine this is");
	for (size_t i = 0; i < sizeof architectures / sizeof *architectures; i++)
		if (fnmatch(architectures[i].machine, system.machine, 0) == 0)
			return architectures[i];
	return (struct architecture){ system.machine, system.machine, 0 };
}

void make_begin(long jobs, const char *compiler)
{
	clean_environment();
	make.compiler = compiler;
	make.architecture = find_architecture();
	make.jobs = make_text("-j%ld", jobs);
	make.arch = make_text("ARCH=%s", make.architecture.name);
	make.cc = make_text("CC=%s", compiler ? compiler : "");
	make.hostcc = make_text("HOSTCC=%s", compiler ? compiler : "");
	errno = 0;
}

const char *make_compiler(void)
{
	return make.compiler ? make.compiler : "the kernel's choice";
}

const char *make_architecture(void)
{
	return make.architecture.name;
}

int make_bits(void)
{
	return make.architecture.bits;
}

struct command_end make_run(const char *tree, const char *objects, const char *target,
		const char *now)
{
	char *where = make_text("O=%s", objects);
	char *words[] = { "gmake", "-C", (char *)tree, make.jobs, where, make.arch, (char *)target,
		NULL, NULL, NULL };
	const struct command c = {
		.words = words, .otherwise = "make", .now = now, .counts = true
	};
	struct command_end end;

	if (make.compiler) {
		words[7] = make.cc;
		words[8] = make.hostcc;
	}
	end = command_run(&c);
	free(where);
	return end;
}
