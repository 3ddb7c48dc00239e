// SPDX-License-Identifier: GPL-2.0-or-later
/* main.h - what C and Fortran call of each other. */
#ifndef MAIN_H
#define MAIN_H

#include <stdint.h>

/* Of the Fortran program. `kilobytes` is for those that work on the large array. */
void begin(int64_t kilobytes);
void unit(void);
void check(void);

/* For the Fortran program. */
_Noreturn void fortran_wrong(const char *what);
_Noreturn void fortran_fail(const char *what);
/* What was written is not there. */
_Noreturn void fortran_lost(const char *what);
void fortran_figure(const char *name, int64_t value);
/* Ends a program that was told how large an array should be, and has none. */
void fortran_no_array(int64_t kilobytes);

#endif
