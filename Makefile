# SPDX-License-Identifier: GPL-2.0-or-later
# make            builds every program into pgms/
# make check      the tests          make bench    the figures of t/bench/
# make install    PREFIX= DESTDIR=   make clean
#
# UB_GCC_OPTIONS replaces the flags of the UnixBench suite. CFLAGS and LDFLAGS are added to everything, and where they contradict a
# suite's flags these win: a CFLAGS that happens to be in the environment must not change a score.

CC ?= cc
PREFIX ?= /usr/local

STANDARD := -std=gnu11 -D_POSIX_C_SOURCE=200809L
WARNINGS := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes -Wformat=2 -Wundef

# gnu11 and not c11: UnixBench's reference build contracts multiplications and additions, which strict C11 turns off.
takes = $(shell $(CC) $(1) -fsyntax-only -x c /dev/null 2>/dev/null && echo $(1))
TARGET := $(shell $(CC) -dumpmachine 2>/dev/null)
tune = $(if $(filter powerpc64% ppc64%,$(TARGET)),$(call takes,-mcpu=native -mtune=native),$(if \
	$(filter riscv64%,$(TARGET)),$(call takes,-march=rv64gc),$(call takes,-march=native -mtune=native)))

# Flags per suite, by the name of its folder.
FLAGS_harness := -O2
FLAGS_unixbench := $(if $(UB_GCC_OPTIONS),$(UB_GCC_OPTIONS),-O3 -ffast-math $(tune))

# Behind everything else: link-time optimisation would evaluate the tests away.
NO_LTO := -fno-lto

HARNESS := obj/bench.o obj/channel.o obj/pin.o
compile = @mkdir -p $(@D) && $(CC) $(STANDARD) $(WARNINGS) -Isrc $(CFLAGS) $(1) $(NO_LTO) -c -o $@ $<
link = @mkdir -p $(@D) && $(CC) $(CFLAGS) $(1) $(LDFLAGS) $(NO_LTO) -o $@ $(filter %.o,$^) $(LIBS_$(@F))

# One source file, one program: src/SUITE/NAME.c is pgms/NAME. LIBS_NAME: libraries beyond libc.
SOURCES := $(wildcard src/*/*.c)
PROGRAMS := $(addprefix pgms/,$(basename $(notdir $(SOURCES))))

# Programs that are one text compiled in several ways.
ARITHMETIC := arithoh register short int long float double
DHRYSTONE := dhry2 dhry2reg dhry2-strict
WHETSTONE := whetstone-double whetstone-strict
VARIANTS := $(addprefix pgms/,$(ARITHMETIC) $(DHRYSTONE) $(WHETSTONE))

INPUTS := testdir/large.txt

all: $(PROGRAMS) $(VARIANTS) $(INPUTS) pgms/build.facts

include $(wildcard src/*/variants/*.mk)

$(HARNESS): obj/%.o: src/%.c $(wildcard src/*.h) pgms/build.facts
	$(call compile,$(FLAGS_harness))

suite = $(firstword $(subst /, ,$*))
obj/%.o: src/%.c $(wildcard src/*.h) pgms/build.facts
	$(call compile,$(FLAGS_$(suite)))

define program
pgms/$(notdir $(1)): obj/$(1).o $(HARNESS)
	$$(call link,$$(FLAGS_$(firstword $(subst /, ,$(1)))))
endef
$(foreach source,$(SOURCES),$(eval $(call program,$(source:src/%.c=%))))

testdir/large.txt: testdir/large.pl
	@perl $< >$@.new && mv $@.new $@

# What was built with what, for the record of a run; written only when it changes, and then everything is built anew.
export FACT_compiler = $(CC)
export FACT_flags_unixbench = $(FLAGS_unixbench) $(NO_LTO)
export FACT_flags_harness = $(FLAGS_harness) $(NO_LTO)
export FACT_flags_user = $(strip $(CFLAGS) $(LDFLAGS))
export FACT_ub_gcc_options = $(UB_GCC_OPTIONS)
pgms/build.facts: FORCE
	@mkdir -p $(@D) && { for name in compiler flags_unixbench flags_harness flags_user ub_gcc_options; do \
		eval "printf '%s=%s\n' $$name \"\$$FACT_$$name\""; done; \
		printf 'compiler_version=%s\n' "`$(CC) --version 2>/dev/null | head -n 1`"; } >$@.new
	@if cmp -s $@.new $@; then rm $@.new; else mv $@.new $@; fi

check: all
	@prove -l t

# Writes the expected reports anew; read the difference like code.
golden:
	@perl -Ilib t/golden/record.pl

bench: all
	@for script in t/bench/*.pl; do echo "# $$script"; perl -Ilib $$script || exit 1; done

export INSTALLED = $(DESTDIR)$(PREFIX)
install: all
	@umask 022; set -e; home="$$INSTALLED/lib/touchstone"; mkdir -p "$$INSTALLED/bin" "$$home/lib"; \
		cp Run README USAGE LICENSE "$$home"; cp -R pgms testdir "$$home"; cp -R lib/. "$$home/lib"; \
		chmod -R a+rX,go-w "$$home"; ln -sf ../lib/touchstone/Run "$$INSTALLED/bin/touchstone"

clean:
	@rm -rf obj $(PROGRAMS) $(VARIANTS) $(INPUTS) pgms/build.facts pgms/*.new testdir/*.new

FORCE:
.PHONY: all check golden bench install clean FORCE
.DELETE_ON_ERROR:
