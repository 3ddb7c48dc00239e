// SPDX-License-Identifier: GPL-2.0-or-later
/* input.h - what is compressed, a file or bytes that every machine has, and memory for the work. */
#ifndef INPUT_H
#define INPUT_H

#include <stddef.h>

enum { INPUT_NAME = 100 };
struct input {
	char name[INPUT_NAME];	/* for messages: printable, not long */
	unsigned char *bytes;
	size_t size;
};

/* Reads a file whole; NULL is for 1,048,000 bytes in which no compressor finds anything. */
void input_read(struct input *in, const char *file);
/* Memory that was written to: no pass meets a page for the first time. */
unsigned char *input_memory(const struct input *in, size_t size);

#endif
