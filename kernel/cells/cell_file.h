// SPDX-License-Identifier: MIT
// The files that cells are known by: front ends with a debugger compute the same names.
#pragma once

#include <stddef.h>
#include <sys/types.h>

#include "base/error.h"

#define CELL_FILE_SUFFIX ".py"
#define CELL_FILE_SIZE 256

// The folder of this process with its slash: /tmp/ipykernel_PID/.
void cell_file_prefix(char prefix[CELL_FILE_SIZE]);
// The name of a cell with this text.
void cell_file_name(char name[CELL_FILE_SIZE], const char *code, size_t len);
// A cell with this name runs as In[number]; and which number that was, or 0. Any thread.
void cell_file_note(const char *name, int number);
int cell_file_number(const char *name);
// Writes the cell's file, for front ends that want to read it.
bool cell_file_write(const char *code, size_t len, struct error *err);
// Removes what was written.
void cell_file_remove_all(void);
