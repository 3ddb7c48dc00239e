# SPDX-License-Identifier: GPL-2.0-or-later
# Both Whetstone programs have one source; whetstone-strict keeps module 4, which compilers delete from the
# other.

WHETSTONE := whetstone-double whetstone-strict
VARIANTS += $(WHETSTONE)
N4_whetstone-double := const
N4_whetstone-strict := volatile

define whetstone
LIBS_$(1) := -lm
$(OBJ)/unixbench/variants/$(1).o: src/unixbench/variants/whetstone.c \
		src/unixbench/variants/whetstone.mk $(wildcard src/*.h) $(BIN)/build.facts
	$$(call compile,$$(FLAGS_unixbench) -DN4_INPUT=$(N4_$(1)))
$(BIN)/$(1): $(OBJ)/unixbench/variants/$(1).o $(HARNESS)
	$$(call link,$$(FLAGS_unixbench))
endef
$(foreach program,$(WHETSTONE),$(eval $(call whetstone,$(program))))
