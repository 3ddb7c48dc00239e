// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * dhrystone_2 - unit 2 of Dhrystone: the procedures that unit 1 calls without seeing them. The
 * command line sets REG, the keyword register or nothing.
 */
#include "unixbench/variants/dhrystone.h"

#include <string.h>

void choose_kind(enum kind from, enum kind *to)
{
	*to = from;
	if (!is_kind_2(from))
		*to = KIND_3;
	switch (from) {
	case KIND_0:
		*to = KIND_0;
		break;
	case KIND_1:
		if (global_number > 100)
			*to = KIND_0;
		else
			*to = KIND_3;
		break;
	case KIND_2:
		*to = KIND_1;
		break;
	case KIND_3:
		break;
	case KIND_4:
		*to = KIND_2;
		break;
	}
}

void add_numbers(int x, int y, int *sum)
{
	int part;

	part = x + 2;
	*sum = y + part;
}

void fill_tables(int vector[CELLS], int matrix[CELLS][CELLS], int x, int y)
{
	REG int column;
	REG int row;

	row = x + 5;
	vector[row] = y;
	vector[row + 1] = vector[row];
	vector[row + 30] = row;
	for (column = row; column <= row + 1; column++)
		matrix[row][column] = row;
	matrix[row][row - 1] += 1;
	matrix[row + 20][row] = vector[row];
	global_number = 5;
}

enum kind compare_letters(char x, char y)
{
	char first, second;

	first = x;
	second = first;
	if (second != y)
		return KIND_0;
	global_letter = first;
	return KIND_1;
}

int compare_texts(char s[TEXT], char u[TEXT])
{
	REG int i;
	char letter;

	letter = 'A';
	i = 2;
	while (i <= 2)
		if (compare_letters(s[i], u[i + 1]) == KIND_0) {
			letter = 'A';
			i += 1;
		}
	if (letter >= 'W' && letter < 'Z')
		i = 7;
	if (letter == 'R')
		return 1;
	if (strcmp(s, u) > 0) {
		i += 7;
		global_number = i;
		return 1;
	}
	return 0;
}

int is_kind_2(enum kind kind)
{
	enum kind copy;

	copy = kind;
	if (copy == KIND_2)
		return 1;
	return 0;
}
