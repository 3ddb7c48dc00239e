// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * dhrystone.h - types, two globals and the procedures of unit 2, which both units of Dhrystone
 * know. P1 to P8 and F1 to F3 are the labels of the published descriptions. Neither unit may see
 * more of the other: a compiler that sees both evaluates the work away.
 */
#ifndef DHRYSTONE_H
#define DHRYSTONE_H

enum { TEXT = 31, CELLS = 50 };

enum kind { KIND_0, KIND_1, KIND_2, KIND_3, KIND_4 };

/*
 * Only the first variant is used; the union preserves what the compiler may assume about aliases.
 */
struct record {
	struct record *link;
	enum kind kind;
	union {
		struct {
			enum kind choice;
			int number;
			char text[TEXT];
		} full;
		struct {
			enum kind choice;
			char text[TEXT];
		} text;
		struct {
			char first, second;
		} letters;
	} as;
};

extern int global_number;
extern char global_letter;

void choose_kind(enum kind from, enum kind *to);					/* P6 */
void add_numbers(int x, int y, int *sum);						/* P7 */
void fill_tables(int vector[CELLS], int matrix[CELLS][CELLS], int x, int y);		/* P8 */
enum kind compare_letters(char x, char y);						/* F1 */
int compare_texts(char s[TEXT], char u[TEXT]);						/* F2 */
int is_kind_2(enum kind kind);								/* F3 */

#endif
