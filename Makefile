# SPDX-License-Identifier: GPL-2.0-or-later
# make            builds every program into pgms/
# make check      the tests          make bench    the figures of t/bench/
# make check-all  all tests, also those that take long, with a browser and with many more inputs
# make fuzz       damaged inputs by the thousand
# make docs       writes what documents repeat: tables of the suites, options, contents
# make pictures   makes their pictures and example pages, with Chromium
# make tidy       brings the Perl into the form of .perltidyrc; tidy-check names the files that are not in it
# make dist       the source archive, into dist/
# make install    PREFIX= DESTDIR= MANDIR= DOCDIR=   make man   make clean
# make check-installed RUN=/usr/bin/touchstone   the tests, of an installed copy
# make BUILD=o2 FLAGS=-O2   builds into pgms.d/o2/ instead, for UB_BINDIR=pgms.d/o2; make clean BUILD=o2
# make ONLY="pipe hanoi"    these programs alone
# make FLAVOUR=portable     for every CPU of this architecture, equal to the octet wherever it is made
#
# FLAGS replaces the flags of every suite, UB_GCC_OPTIONS those of UnixBench and BYTEmark. CFLAGS and LDFLAGS
# are added to every command, FFLAGS to Fortran's. If these contradict a suite's flags, the suite's flags
# win: a CFLAGS that happens to be in the environment must not change a score.

CC ?= cc
# make's own default for FC may be a compiler that does not understand our Fortran.
ifeq ($(origin FC),default)
FC := gfortran
endif
# FLAVOUR is taken from the command line only. native, the default, is UnixBench's: the flags of unixbench
# name this CPU. portable leaves these flags out; everything that is shipped is portable.
FLAVOUR := native
$(if $(filter-out native portable,$(value FLAVOUR))$(filter-out 1,$(words $(value FLAVOUR))), \
	$(error FLAVOUR is '$(value FLAVOUR)', allowed are native and portable))
PREFIX ?= /usr/local
MANDIR ?= $(PREFIX)/share/man
# DOCDIR is taken from the command line only: other projects' variables of that name hold a folder for all.
DOCDIR := $(PREFIX)/lib/touchstone

# BUILD is taken from the command line only, because an environment may have a variable of that name by
# chance.
BUILD :=
LETTERS := a b c d e f g h i j k l m n o p q r s t u v w x y z 0 1 2 3 4 5 6 7 8 9 _ . - \
	A B C D E F G H I J K L M N O P Q R S T U V W X Y Z
foreign := $(value BUILD)
$(foreach letter,$(LETTERS),$(eval foreign := $$(subst $(letter),,$$(foreign))))
$(if $(foreign)$(filter .% -%,$(value BUILD)),$(error BUILD is '$(value BUILD)', allowed is a name \
	of letters, digits, _ . and - that begins with neither . nor -))
OF_FIRST := check check-all check-installed fuzz docs pictures tidy tidy-check golden bench man dist install
$(if $(BUILD),$(if $(filter $(OF_FIRST),$(MAKECMDGOALS)),$(error BUILD is for building and cleaning only)))
BIN := $(if $(BUILD),pgms.d/$(BUILD),pgms)
OBJ := $(if $(BUILD),pgms.d/$(BUILD)/obj,obj)

# The standard is gnu11 because strict c11 turns off the contraction of multiplications and additions, which
# UnixBench's reference build has. FEATURES makes the headers of each system show what the sources use.
STANDARD = -std=gnu11 $(FEATURES)
WARNINGS := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wstrict-prototypes \
	-Wmissing-prototypes -Wformat=2 -Wundef

# config.mk sets what compilers, linker and libraries can do: TUNE and the level of x86-64 that it means,
# UNROLL, ALIGN, STATIC, FEATURES, ATOMIC, ZSTD, CRYPTO, HAS_FORTRAN and their versions.
quoted = '$(subst ','\'',$(1))'
ifneq ($(filter-out clean man docs dist check-installed tidy tidy-check,$(or $(MAKECMDGOALS),all)),)
CONFIG := $(shell CC=$(call quoted,$(CC)) FC=$(call quoted,$(FC)) CFLAGS=$(call quoted,$(CFLAGS)) \
	LDFLAGS=$(call quoted,$(LDFLAGS)) perl src/config.pl $(OBJ))
$(if $(CONFIG),,$(error src/config.pl cannot tell what the compilers can do))
include $(CONFIG)
endif

# A portable build has no flags of this CPU, and no paths of this machine in what debuggers read.
ifeq ($(FLAVOUR),portable)
TUNE :=
SAME_PATHS := $(if $(PREFIX_MAP),$(PREFIX_MAP)$(call quoted,$(CURDIR))=.)
endif

# Each suite has its flags, under the name of its folder. FLAGS on the command line replaces them, even if it
# is empty.
flags = $(if $(filter command,$(origin FLAGS)),$(FLAGS),$(1))
# Those of a program, $(2), are FLAGS_SUITE_PROGRAM where it has its own, else FLAGS_SUITE.
flags_of = $(or $(FLAGS_$(1)_$(2)),$(FLAGS_$(1)))
FLAGS_harness := -O2
# The articles of 1984 ask for an optimised compilation and no more.
FLAGS_byte1984 := $(call flags,-O2)
# The Linux Benchmarking Toolkit asks for strict arithmetic.
FLAGS_lbt := $(call flags,-O2 -fno-fast-math)
# The article of 1997 uses the optimiser and unrolled loops. clang lacks the Fortran flag and warns.
FORTRAN_FLAGS_lmb1997 := $(call flags,-O2 -funroll-all-loops)
FLAGS_lmb1997 := $(call flags,-O2 $(UNROLL))
# The reference of BYTEmark's published numbers was compiled with -O3.
FLAGS_bytemark := $(call flags,$(if $(UB_GCC_OPTIONS),$(UB_GCC_OPTIONS),-O3))
# Half of string-sort's time is spent in a loop of 21 bytes. If it crosses a multiple of 32 bytes the test is
# an eighth slower, and its place is a matter of chance, so this follows whatever flags are chosen. Old
# versions of clang lack the option and warn.
ALIGN_string-sort := $(ALIGN)
# Distributions compile programs that call a library with -O2.
FLAGS_platform := $(call flags,-O2)
# What distributions compile services with.
FLAGS_modern := $(call flags,-O2) -pthread
# This program is about the widest vectors of the processor.
FLAGS_modern_matrix := $(call flags,-O3 $(TUNE)) -pthread
FLAGS_truth := $(call flags,-O2) -pthread
FLAGS_storage := $(call flags,-O2) -pthread
FLAGS_unixbench := $(call flags,$(if $(UB_GCC_OPTIONS),$(UB_GCC_OPTIONS),-O3 -ffast-math $(TUNE)))

# Static linking makes a program of BYTEmark independent of the order in which a dynamic linker finds
# libraries.
LINK_bytemark := $(STATIC)
DEFINES_platform := $(if $(CRYPTO),-DWITH_LIBCRYPTO)

# This follows all other flags: link-time optimisation would evaluate the tests away.
NO_LTO := -fno-lto

HEADERS := $(wildcard src/*.h src/*/*.h src/*/*/*.h)
HARNESS := $(addprefix $(OBJ)/,bench.o channel.o perf.o pin.o turn.o)
# A program that calls none of these is linked without them, because the smallest programs also measure the
# cost of their own size. That is why they are in an archive.
EXTRAS := $(addprefix $(OBJ)/,child.o spread.o tidy.o watch.o)
# The old file is removed first, so that it cannot pass for the new one if the compiler fails.
compile = @mkdir -p $(@D) && rm -f $@ && \
	$(CC) $(STANDARD) $(WARNINGS) -Isrc $(CFLAGS) $(1) $(SAME_PATHS) $(NO_LTO) -c -o $@ $<
made = { test -x $@ || { echo '$(1) has made no program' >&2; false; }; }
link = @mkdir -p $(@D) && rm -f $@ && \
	$(CC) $(CFLAGS) $(1) $(LDFLAGS) $(NO_LTO) -o $@ $(filter %.o %.a,$^) $(LIBS_$(@F)) && $(call made,$(CC))

# src/SUITE/NAME.c is the one source of pgms/NAME. LIBS_NAME are its libraries beyond libc. zstd is not built
# without its library. ATOMIC_USERS have atomics of 64 bits, their own or those of shared/team.c and line.c;
# where nothing has these they are not built.
ATOMIC_USERS := bounce fault handoff heap lock rand-read-32 wakeup \
	truth-clock truth-line truth-stamina truth-vcpu
LACKING := $(if $(ZSTD),,zstd) $(if $(filter none,$(ATOMIC)),$(ATOMIC_USERS))
SOURCES := $(filter-out $(foreach program,$(LACKING),%/$(program).c),$(wildcard src/*/*.c))
PROGRAMS := $(basename $(notdir $(SOURCES)))
# src/SUITE/NAME.f90 becomes pgms/NAME.f if there is a Fortran compiler.
FORTRAN := $(if $(HAS_FORTRAN),$(wildcard src/*/*.f90))
PROGRAMS += $(notdir $(FORTRAN:.f90=.f))
LIBS_fourier := -lm
LIBS_neural-net := -lm
LIBS_x11 := -lm
LIBS_m-deriv := -lm
LIBS_m-moncar := -lm
LIBS_m-matr := -lm
LIBS_zstd := -lzstd
LIBS_hash := $(CRYPTO:%=-l%)
$(foreach program,$(ATOMIC_USERS),$(eval LIBS_$(program) := $(filter -l%,$(ATOMIC))))

all:

# These programs are one source compiled in several ways: each .mk adds its own names to VARIANTS.
include $(wildcard src/*/variants/*.mk)

EXISTING := $(PROGRAMS) $(VARIANTS)
# This also includes programs that were built when a library or a compiler was still installed.
POSSIBLE := $(sort $(EXISTING) $(basename $(notdir $(wildcard src/*/*.c))) \
	$(notdir $(patsubst %.f90,%.f,$(wildcard src/*/*.f90))))
only := $(if $(filter command,$(origin ONLY)),$(ONLY))
lacking := $(filter-out $(EXISTING),$(only))
$(if $(lacking),$(error $(if $(filter %.f,$(lacking)),'$(FC)' compiles no Fortran: )no $(lacking)))
BUILT := $(addprefix $(BIN)/,$(or $(only),$(EXISTING)))
# A separate build needs these files beside its programs.
UNBUILT := $(wildcard pgms/*.sh pgms/*.base pgms/*.csv)
COPIED := $(if $(BUILD),$(addprefix $(BIN)/,$(notdir $(UNBUILT))))
INPUTS := testdir/large.txt

all: $(BUILT) $(COPIED) $(INPUTS) $(BIN)/build.facts $(BIN)/build.sources

$(HARNESS) $(EXTRAS): $(OBJ)/%.o: src/%.c $(HEADERS) $(BIN)/build.facts
	$(call compile,$(FLAGS_harness))

archive = @mkdir -p $(@D) && rm -f $@ && $(AR) -rcs $@ $(filter %.o,$^)
$(OBJ)/extras.a: $(EXTRAS)
	$(archive)

suite = $(firstword $(subst /, ,$*))
$(OBJ)/%.o: src/%.c $(HEADERS) $(BIN)/build.facts
	$(call compile,$(call flags_of,$(suite),$(notdir $*)) $(DEFINES_$(suite)) $(ALIGN_$(notdir $*)))

# src/SUITE/NAME/*.c are part of the program NAME; from src/SUITE/shared/*.c it gets the files whose
# functions it calls.
objects = $(patsubst src/%.c,$(OBJ)/%.o,$(wildcard src/$(1)/*.c))
SHARING := $(patsubst src/%/shared,%,$(wildcard src/*/shared))
# A suite may also use what another shares.
BORROWED_truth := modern
BORROWED_storage := modern
shared = $(patsubst %,$(OBJ)/%/shared.a,$(filter $(SHARING),$(1) $(BORROWED_$(1))))

define shared_archive
$(OBJ)/$(1)/shared.a: $(call objects,$(1)/shared)
	$$(archive)
endef
$(foreach suite,$(SHARING),$(eval $(call shared_archive,$(suite))))

# $(1) is SUITE/NAME, $(2) is SUITE.
define program
$(BIN)/$(notdir $(1)): $(OBJ)/$(1).o $(call objects,$(1)) $(call shared,$(2)) $(HARNESS) $(OBJ)/extras.a
	$$(call link,$$(call flags_of,$(2),$(notdir $(1))) $$(LINK_$(2)))
endef
$(foreach source,$(SOURCES),$(eval $(call program,$(source:src/%.c=%),$(word 2,$(subst /, ,$(source))))))

# A Fortran program consists of subroutines. src/SUITE/fortran/ has the main program, in C, and the modules,
# which must be built first.
fortran_parts = $(patsubst src/%,$(OBJ)/%.o,$(basename \
	$(wildcard src/$(1)/fortran/*.c src/$(1)/fortran/*.f90)))
modules = $(patsubst src/%.f90,$(OBJ)/%.o,$(wildcard src/$(1)/fortran/*.f90))
FORTRAN_STANDARD := -std=f2008 -Wall -Wextra -Wpedantic -Wimplicit-interface
compile_fortran = @mkdir -p $(1) && rm -f $@ && \
	$(FC) $(FORTRAN_STANDARD) -I$(OBJ)/$(suite)/fortran -J$(1) $(FFLAGS) \
	$(FORTRAN_FLAGS_$(suite)) $(SAME_PATHS) $(NO_LTO) -c -o $@ $<

# Each program has a directory for its modules, because two programs may give a module the same name.
$(OBJ)/%.o: src/%.f90 $(BIN)/build.facts
	$(call compile_fortran,$(@D))
$(OBJ)/%.f.o: src/%.f90 $(BIN)/build.facts
	$(call compile_fortran,$(OBJ)/$*.modules)

# Sanitizers and word size must be the same as in the parts in C, so these of the CFLAGS are passed on.
define fortran_program
$(OBJ)/$(1).f.o: $(call modules,$(2))
$(BIN)/$(notdir $(1)).f: $(OBJ)/$(1).f.o $(call fortran_parts,$(2)) $(call shared,$(2)) $(HARNESS)
	@mkdir -p $$(@D) && rm -f $$@ && $(FC) $$(filter -fsanitize% -m%,$(CFLAGS)) $$(FORTRAN_FLAGS_$(2)) \
		$(LDFLAGS) $(NO_LTO) -o $$@ $$(filter %.o %.a,$$^) && $$(call made,$(FC))
endef
$(foreach source,$(FORTRAN),$(eval \
	$(call fortran_program,$(source:src/%.f90=%),$(word 2,$(subst /, ,$(source))))))

ifneq ($(COPIED),)
$(COPIED): $(BIN)/%: pgms/%
	@mkdir -p $(@D) && cp $< $@
endif

# Two makes may run at once, so each writes to a temporary file of its own.
testdir/large.txt: testdir/large.pl
	@perl $< >$@.$$$$.new && mv $@.$$$$.new $@

# build.facts records for the record of a run how the programs were built. It is written only when it
# changes, and then everything is built anew. All programs are removed then, since the new build may not ask
# for all of them.
export FACT_compiler = $(CC)
export FACT_fortran = $(if $(FORTRAN),$(FC))
export FACT_libraries = $(strip $(ZSTD:%=lib%) $(CRYPTO:%=lib%))
SUITES := harness $(sort $(notdir $(patsubst %/,%,$(dir $(SOURCES)))))
$(foreach suite,$(SUITES),$(eval export FACT_flags_$(suite) = $$(strip $$(FLAGS_$(suite)) $$(NO_LTO))))
# Programs with flags of their own, as SUITE_PROGRAM.
SPECIAL := modern_matrix
$(foreach program,$(SPECIAL),$(eval export FACT_flags_$(program) = $$(strip $$(FLAGS_$(program)) $$(NO_LTO))))
FORTRAN_SUITES := $(sort $(foreach source,$(FORTRAN),$(word 2,$(subst /, ,$(source)))))
$(foreach suite,$(FORTRAN_SUITES),$(eval \
	export FACT_flags_$(suite)_fortran = $$(strip $$(FORTRAN_FLAGS_$(suite)) $$(FFLAGS)) $$(NO_LTO)))
export FACT_flags_user = $(strip $(CFLAGS) $(LDFLAGS))
export FACT_ub_gcc_options = $(UB_GCC_OPTIONS)

# What the programs were compiled for: this CPU (native), every CPU of the architecture (baseline), or what a
# flag names.
all_flags = $(foreach suite,$(SUITES),$(FLAGS_$(suite))) $(foreach program,$(SPECIAL),$(FLAGS_$(program))) \
	$(CFLAGS) $(FFLAGS)
named_isa = $(sort $(patsubst -march=%,%,$(filter -march=%,$(all_flags))) \
	$(patsubst -mcpu=%,%,$(filter -mcpu=%,$(all_flags))))
export FACT_isa = $(or $(filter native,$(named_isa)),$(named_isa),baseline)
# Run compares this with the CPU before it starts a program: native may have been the CPU of another machine.
export FACT_isa_level = $(if $(filter native,$(FACT_isa)),$(TUNE_LEVEL))
export FACT_compiler_version = $(COMPILER_VERSION)
export FACT_fortran_version = $(FORTRAN_VERSION)
# Libraries that are linked in are part of what is measured. Otherwise a run tells which it has loaded.
STATIC_LIBRARIES := $(if $(filter -static -static-pie,$(CFLAGS) $(LDFLAGS)),$(ZSTD)$(CRYPTO))
versions = $(if $(ZSTD),libzstd $(ZSTD_VERSION))$(if $(ZSTD),$(CRYPTO:%=$(comma) ))$(if \
	$(CRYPTO),libcrypto $(CRYPTO_VERSION))
comma := ,
export FACT_libraries_platform = $(versions)
export FACT_linkage_bytemark = $(if $(LINK_bytemark),static,dynamic)
# The size of the shortest C program, and of the same linked statically.
export FACT_least_byte1984 = $(LEAST)
export FACT_least_byte1984_static = $(LEAST_STATIC)
export FACT_libc = $(LIBC)
export FACT_linker = $(LINKER)
FACTS := compiler fortran libraries $(SUITES:%=flags_%) $(SPECIAL:%=flags_%) \
	$(FORTRAN_SUITES:%=flags_%_fortran) flags_user ub_gcc_options \
	isa $(if $(FACT_isa_level),isa_level) compiler_version fortran_version linkage_bytemark \
	$(if $(STATIC_LIBRARIES),libraries_platform) $(if $(LEAST),least_byte1984) \
	$(if $(LEAST_STATIC),least_byte1984_static) libc linker
$(BIN)/build.facts: FORCE
	@perl src/note.pl facts $@ $(FACTS) -- $(addprefix $(@D)/,$(POSSIBLE))

# build.sources is the hash of all sources. It is written after the last program, and nothing is rebuilt
# because of it. docs/building.md has a command that prints the same hash.
$(BIN)/build.sources: $(BUILT) FORCE
	@perl src/note.pl sources $@

# obj/fake stands in for all programs in tests of Run. Tests that run at once may each find it old.
$(OBJ)/fake: t/fake/fake.c
	@mkdir -p $(@D) && $(CC) $(STANDARD) $(WARNINGS) -O1 -o $@.$$$$ $< && mv $@.$$$$ $@

# There are two jobs for each CPU, because many tests wait most of their time. TESTS names some tests instead.
# What takes long is left to check-all: t/slow has its names and the reasons.
SLOW = $(shell sed -n '/^t/p' t/slow 2>/dev/null)
TESTS = $(filter-out t/fleet/% $(SLOW),$(wildcard t/*/*.t t/*/*/*.t))
PROVE = $(if $(filter file,$(origin TESTS)),perl -It/lib -S prove -PLeft=$(words $(SLOW)),prove)
check: all $(OBJ)/fake
	@$(PROVE) -j$$((2 * `getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1`)) -l $(TESTS)

# check-all runs all tests, with pages in a browser and many more damaged and random inputs.
check-all: export TOUCHSTONE_ALL = 1
check-all: export TOUCHSTONE_BROWSER = 1
check-all: SLOW :=
check-all: PROVE := prove
check-all: check

# check-installed needs neither a compiler nor a built tree. The tests are listed in t/installed.pl.
check-installed:
	@perl t/installed.pl '$(RUN)'

# fuzz damages the files that others may give us, far more often than the tests do.
fuzz:
	@perl -Ilib t/fuzz/readers.pl 2000

docs:
	@perl docs/make/make.pl

# Pictures and example pages are of the records in docs/examples, or simulated (docs/make/Records.pm).
pictures: $(OBJ)/fake
	@perl docs/make/pictures.pl

tidy:
	@perl t/tidy.pl

tidy-check:
	@perl t/tidy.pl --check

# golden writes the expected reports anew; review the difference like code.
golden:
	@perl -Ilib t/golden/record.pl

bench: all
	@for script in t/bench/*.pl; do echo "# $$script"; perl -Ilib $$script || exit 1; done

# The manual page is made from the POD at the end of Run, by a module that some Perl packages lack.
page = perl -Ilib -MTouchstone::Cli::Manual -e \
	'print Touchstone::Cli::Manual::page(do { local (@ARGV, $$/) = "Run"; <> })'
man: touchstone.1
touchstone.1: Run lib/Touchstone.pm lib/Touchstone/Cli/Manual.pm
	@if $(page) >$@.new; then mv $@.new $@; else rm $@.new; false; fi

dist:
	@perl packaging/dist/build

# What is installed can build for this CPU (--build): source/ has what a build needs, and its hash is that of
# the tree. Files of editors are left out, since the hash does not count them.
export INSTALLED = $(DESTDIR)$(PREFIX)
export PAGES = $(DESTDIR)$(MANDIR)/man1
export DOCUMENTS = $(DESTDIR)$(DOCDIR)
install: all
	@umask 022; set -e; home="$$INSTALLED/lib/touchstone"; sources="$$home/source"; \
		rm -rf "$$sources" "$$home/fleet"; \
		mkdir -p "$$INSTALLED/bin" "$$home/lib" "$$sources/pgms" "$$sources/testdir" "$$DOCUMENTS"; \
		cp Run "$$home"; cp -R pgms testdir fleet "$$home"; cp -R lib/. "$$home/lib"; \
		cp Makefile "$$sources"; cp -R src "$$sources"; cp $(UNBUILT) "$$sources/pgms"; \
		cp $(filter-out $(INPUTS),$(wildcard testdir/*)) "$$sources/testdir"; \
		find "$$sources" "$$home/fleet" -type f \( -name '.*' -o -name '*~' \) -exec rm -f {} +; \
		chmod -R u=rwX,go=rX "$$home"; ln -sf ../lib/touchstone/Run "$$INSTALLED/bin/touchstone"
	@umask 022; set -e; cp README *.md LICENSE "$$DOCUMENTS"; cp -R docs "$$DOCUMENTS"; \
		rm -rf "$$DOCUMENTS/docs/make" "$$DOCUMENTS/docs/examples"; \
		for name in README *.md LICENSE docs; do chmod -R u=rwX,go=rX "$$DOCUMENTS/$$name"; done
	@umask 022; set -e; bash="$$INSTALLED/share/bash-completion/completions"; \
		zsh="$$INSTALLED/share/zsh/site-functions"; mkdir -p "$$bash" "$$zsh" "$$PAGES"; \
		perl Run completion bash >"$$bash/touchstone"; perl Run completion zsh >"$$zsh/_touchstone"; \
		if $(page) >"$$PAGES/touchstone.1.new"; then mv "$$PAGES/touchstone.1.new" "$$PAGES/touchstone.1"; \
		else rm "$$PAGES/touchstone.1.new"; echo 'installed without the page for man' >&2; fi

# Prints those of the optional libraries that are installed.
libraries:
	@echo '$(FACT_libraries)'

clean:
	@rm -rf $(if $(BUILD),$(BIN),obj $(addprefix $(BIN)/,$(POSSIBLE)) $(INPUTS) pgms/build.facts \
		pgms/build.sources pgms/*.new testdir/*.new touchstone.1*)

FORCE:
.PHONY: all libraries check check-all check-installed fuzz docs pictures tidy tidy-check golden bench man \
	dist install clean FORCE
.DELETE_ON_ERROR:
