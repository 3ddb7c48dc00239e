# SPDX-License-Identifier: GPL-2.0-or-later
# whetstone-o2 has the source of whetstone-double, and the flags that the toolkit asks for.

VARIANTS += whetstone-o2
LIBS_whetstone-o2 := -lm
$(OBJ)/lbt/variants/whetstone-o2.o: src/unixbench/variants/whetstone.c \
	src/lbt/variants/whetstone.mk $(wildcard src/*.h) $(BIN)/build.facts
	$(call compile,$(FLAGS_lbt) -DN4_INPUT=const)
$(BIN)/whetstone-o2: $(OBJ)/lbt/variants/whetstone-o2.o $(HARNESS)
	$(call link,$(FLAGS_lbt))
