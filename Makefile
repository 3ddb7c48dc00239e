# SPDX-License-Identifier: GPL-2.0-or-later
# make            builds every program into pgms/
# make check      the tests          make bench    the figures of t/bench/
# make install    PREFIX= DESTDIR=   make clean
# make BUILD=o2 UB_GCC_OPTIONS=-O2   builds into builds/o2/ instead, for UB_BINDIR=builds/o2; make clean BUILD=o2
#
# UB_GCC_OPTIONS replaces the flags of the suites UnixBench and BYTEmark. CFLAGS and LDFLAGS are added to everything, and where
# they contradict a suite's flags these win: a CFLAGS that happens to be in the environment must not change a score.

CC ?= cc
PREFIX ?= /usr/local

# A word of the command line, never of an environment that happens to have one.
BUILD :=
LETTERS := a b c d e f g h i j k l m n o p q r s t u v w x y z 0 1 2 3 4 5 6 7 8 9 _ . - \
	A B C D E F G H I J K L M N O P Q R S T U V W X Y Z
foreign := $(value BUILD)
$(foreach letter,$(LETTERS),$(eval foreign := $$(subst $(letter),,$$(foreign))))
$(if $(foreign)$(filter .% -%,$(value BUILD)),$(error BUILD is '$(value BUILD)', allowed is a name of letters, \
	digits, _ . and - that begins with neither . nor -))
$(if $(BUILD),$(if $(filter check golden bench install,$(MAKECMDGOALS)),$(error BUILD is for building and cleaning only)))
BIN := $(if $(BUILD),builds/$(BUILD),pgms)
OBJ := $(if $(BUILD),builds/$(BUILD)/obj,obj)

STANDARD := -std=gnu11 -D_POSIX_C_SOURCE=200809L
WARNINGS := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes -Wformat=2 -Wundef

# gnu11 and not c11: UnixBench's reference build contracts multiplications and additions, which strict C11 turns off.
takes = $(shell $(CC) $(1) -fsyntax-only -x c /dev/null 2>/dev/null && echo $(1))
TARGET := $(shell $(CC) -dumpmachine 2>/dev/null)
tune = $(if $(filter powerpc64% ppc64%,$(TARGET)),$(call takes,-mcpu=native -mtune=native),$(if \
	$(filter riscv64%,$(TARGET)),$(call takes,-march=rv64gc),$(call takes,-march=native -mtune=native)))

# Flags per suite, by the name of its folder.
FLAGS_harness := -O2
# The articles' compilers were told to optimise and no more.
FLAGS_byte1984 := -O2
# The Linux Benchmarking Toolkit asks for it: strict arithmetic.
FLAGS_lbt := -O2 -fno-fast-math
# The reference of BYTEmark's published numbers.
FLAGS_bytemark := $(if $(UB_GCC_OPTIONS),$(UB_GCC_OPTIONS),-O3)
FLAGS_unixbench := $(if $(UB_GCC_OPTIONS),$(UB_GCC_OPTIONS),-O3 -ffast-math $(tune))

# Libraries of its own make a program of BYTEmark independent of the order in which a dynamic linker finds them.
links = $(shell mkdir -p $(OBJ) && echo 'int main(void) { return 0; }' | $(CC) $(CFLAGS) $(LDFLAGS) $(1) -x c -o $(OBJ)/linked.$$$$ - -lm \
	2>/dev/null && rm $(OBJ)/linked.$$$$ && echo $(1))
LINK_bytemark := $(call links,-static)

# Behind everything else: link-time optimisation would evaluate the tests away.
NO_LTO := -fno-lto

HEADERS := $(wildcard src/*.h src/*/*.h src/*/*/*.h)
HARNESS := $(addprefix $(OBJ)/,bench.o channel.o pin.o)
compile = @mkdir -p $(@D) && $(CC) $(STANDARD) $(WARNINGS) -Isrc $(CFLAGS) $(1) $(NO_LTO) -c -o $@ $<
link = @mkdir -p $(@D) && $(CC) $(CFLAGS) $(1) $(LDFLAGS) $(NO_LTO) -o $@ $(filter %.o,$^) $(LIBS_$(@F))

# One source file, one program: src/SUITE/NAME.c is pgms/NAME. LIBS_NAME: libraries beyond libc.
SOURCES := $(wildcard src/*/*.c)
PROGRAMS := $(basename $(notdir $(SOURCES)))
LIBS_fourier := -lm
LIBS_neural-net := -lm
LIBS_x11 := -lm

all:

# Programs that are one text compiled in several ways: each .mk adds its own to VARIANTS.
include $(wildcard src/*/variants/*.mk)

BUILT := $(addprefix $(BIN)/,$(PROGRAMS) $(VARIANTS))
# What another build needs beside its programs.
COPIED := $(if $(BUILD),$(addprefix $(BIN)/,$(notdir $(wildcard pgms/*.sh pgms/*.base pgms/*.csv))))
INPUTS := testdir/large.txt

all: $(BUILT) $(COPIED) $(INPUTS) $(BIN)/build.facts $(BIN)/build.sources

$(HARNESS): $(OBJ)/%.o: src/%.c $(HEADERS) $(BIN)/build.facts
	$(call compile,$(FLAGS_harness))

suite = $(firstword $(subst /, ,$*))
$(OBJ)/%.o: src/%.c $(HEADERS) $(BIN)/build.facts
	$(call compile,$(FLAGS_$(suite)))

# src/SUITE/shared/*.c are part of every program of that suite, src/SUITE/NAME/*.c of the program NAME.
shared = $(patsubst src/%.c,$(OBJ)/%.o,$(wildcard src/$(firstword $(subst /, ,$(1)))/shared/*.c src/$(1)/*.c))

define program
$(BIN)/$(notdir $(1)): $(OBJ)/$(1).o $(call shared,$(1)) $(HARNESS)
	$$(call link,$$(FLAGS_$(firstword $(subst /, ,$(1)))) $$(LINK_$(firstword $(subst /, ,$(1)))))
endef
$(foreach source,$(SOURCES),$(eval $(call program,$(source:src/%.c=%))))

ifneq ($(COPIED),)
$(COPIED): $(BIN)/%: pgms/%
	@mkdir -p $(@D) && cp $< $@
endif

# Two builds may be made at once: a name of its own for each.
testdir/large.txt: testdir/large.pl
	@perl $< >$@.$$$$.new && mv $@.$$$$.new $@

# What was built with what, for the record of a run; written only when it changes, and then everything is built anew.
export FACT_compiler = $(CC)
SUITES := harness $(sort $(notdir $(patsubst %/,%,$(dir $(SOURCES)))))
$(foreach suite,$(SUITES),$(eval export FACT_flags_$(suite) = $$(FLAGS_$(suite)) $$(NO_LTO)))
export FACT_flags_user = $(strip $(CFLAGS) $(LDFLAGS))
export FACT_ub_gcc_options = $(UB_GCC_OPTIONS)

# glibc tells the preprocessor which it is; musl tells nobody, but its loader, started alone, prints a version.
linking = $(CC) $(CFLAGS) $(LDFLAGS)
$(BIN)/build.facts: FORCE
	@mkdir -p $(@D) && { for name in compiler $(SUITES:%=flags_%) flags_user ub_gcc_options; do \
		eval "printf '%s=%s\n' $$name \"\$$FACT_$$name\""; done; \
		printf 'compiler_version=%s\n' "`$(CC) --version 2>/dev/null | head -n 1`"; \
		libc=$$(printf '\043include <limits.h>\nglibc __GLIBC__.__GLIBC_MINOR__\n' | $(CC) $(CFLAGS) -E -P -x c - 2>/dev/null | \
			sed -n 's/^glibc \([0-9][0-9]*\) *\. *\([0-9]\)/glibc \1.\2/p'); \
		loader=$$($(linking) '-###' -x c /dev/null 2>&1 | sed -n 's/.*[" ]\(\/[^" ]*ld-musl[^" ]*\).*/\1/p'); \
		[ -z "$$loader" ] || libc=$$("$$loader" 2>&1 | sed -n 's/^Version /musl /p'); \
		linker=$$($(linking) -Wl,--version 2>/dev/null | head -n 1); \
		printf '%s\n' 'linkage_bytemark=$(if $(LINK_bytemark),static,dynamic)' "libc=$${libc:-unknown}" "linker=$${linker:-unknown}"; } >$@.new
	@if cmp -s $@.new $@; then rm $@.new; else mv $@.new $@; fi

# Which sources the programs are of: written behind the last of them, and nothing is built anew for it. USAGE has a command that
# prints the same.
$(BIN)/build.sources: $(BUILT) FORCE
	@{ find Makefile src -type f ! -name '.*' ! -name '*~' | LC_ALL=C sort | perl -MDigest::SHA=sha256_hex -e \
		'print sha256_hex(map { chomp; Digest::SHA->new(256)->addfile($$_)->hexdigest . "  $$_\n" } <STDIN>), "\n"' 2>/dev/null || \
		echo unknown; } >$@.new
	@if cmp -s $@.new $@; then rm $@.new; else mv $@.new $@; fi

# Many tests wait for something most of their time.
check: all
	@prove -j$$((2 * `getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1`)) -l t

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
	@rm -rf $(if $(BUILD),$(BIN),obj $(BUILT) $(INPUTS) pgms/build.facts pgms/build.sources pgms/*.new testdir/*.new)

FORCE:
.PHONY: all check golden bench install clean FORCE
.DELETE_ON_ERROR:
