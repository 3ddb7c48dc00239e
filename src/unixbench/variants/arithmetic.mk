# SPDX-License-Identifier: GPL-2.0-or-later
# arithmetic.mk - builds a program for each type from one source. A program has the name of its type, except
# arithoh and register.

ARITHMETIC := arithoh register short int long float double
VARIANTS += $(ARITHMETIC)
TYPE_arithoh := -DNUMBER=int -DSTORAGE= -DLOOP_ONLY
TYPE_register := -DNUMBER=int -DSTORAGE=register

$(ARITHMETIC:%=$(OBJ)/unixbench/variants/%.o): $(OBJ)/unixbench/variants/%.o: \
	src/unixbench/variants/arithmetic.c \
		src/unixbench/variants/arithmetic.mk $(wildcard src/*.h) $(BIN)/build.facts
	$(call compile,$(FLAGS_unixbench) $(or $(TYPE_$*),-DNUMBER=$* -DSTORAGE=))

$(ARITHMETIC:%=$(BIN)/%): $(BIN)/%: $(OBJ)/unixbench/variants/%.o $(HARNESS)
	$(call link,$(FLAGS_unixbench))
