// SPDX-License-Identifier: GPL-2.0-or-later
/* main.h - the functions that C and Fortran call in each other. */
#ifndef MAIN_H
#define MAIN_H

#include <stdint.h>

/* The Fortran program defines these. `kilobytes` is for programs that work on the large array. */
void begin(int64_t kilobytes);
void unit(void);
void check(void);

/* The Fortran program calls these. */
_Noreturn void fortran_wrong(const char *what);
_Noreturn void fortran_fail(const char *what);
/* Ends the program because data that was written is missing. */
_Noreturn void fortran_lost(const char *what);
void fortran_figure(const char *name, int64_t value);
/* Ends a program that was told the size of the large array but has no such array. */
void fortran_no_array(int64_t kilobytes);

#endif
