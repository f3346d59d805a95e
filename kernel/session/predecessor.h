// SPDX-License-Identifier: MIT
// What became of the kernel that had the same connection file before: a launcher starts
// the next one with it, and nobody else tells why the last one was killed.
#pragma once

// Reads the mark of the last kernel on the connection file, and leaves this one's.
void predecessor_look(const char *connection_file);
// What there is to tell in the first cell, once; NULL: nothing.
const char *predecessor_take_note(void);
// This kernel ends in order.
void predecessor_leave(const char *connection_file);
