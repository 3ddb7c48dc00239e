# SPDX-License-Identifier: GPL-2.0-or-later
# Dhrystone is compiled in two units, because a compiler that sees both deletes the work.

DHRYSTONE := dhry2 dhry2reg dhry2-strict
VARIANTS += $(DHRYSTONE)
DEFINES_dhry2 := -DREG= -DENDLESS=1
DEFINES_dhry2reg := -DREG=register -DENDLESS=1
DEFINES_dhry2-strict := -DREG=register -DENDLESS=0

# Unit 1 must call these functions and not contain them. Without nm they are not checked.
NM ?= nm
CALLED := choose_kind add_numbers fill_tables compare_letters compare_texts
apart = @if command -v $(firstword $(NM)) >/dev/null 2>&1; then for name in $(CALLED); do \
	$(NM) -P $< | grep "^_*$$name U" >/dev/null || { rm -f $@; \
	echo "$@: unit 1 ($<) does not call '$$name' in unit 2: work was merged or deleted," \
			'check the compiler flags' >&2; exit 1; }; \
	done; fi

DHRYSTONE_NEEDS := $(addprefix src/unixbench/variants/,dhrystone.h dhrystone.mk) \
	$(wildcard src/*.h) $(BIN)/build.facts

define dhrystone
$(OBJ)/unixbench/variants/$(1)_%.o: src/unixbench/variants/dhrystone_%.c $(DHRYSTONE_NEEDS)
	$$(call compile,$$(FLAGS_unixbench) $$(DEFINES_$(1)))
$(BIN)/$(1): $(OBJ)/unixbench/variants/$(1)_1.o $(OBJ)/unixbench/variants/$(1)_2.o $(HARNESS)
	$$(apart)
	$$(call link,$$(FLAGS_unixbench))
endef
$(foreach program,$(DHRYSTONE),$(eval $(call dhrystone,$(program))))
