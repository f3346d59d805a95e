// SPDX-License-Identifier: MIT
// Reads memory, a byte of each page, before code gets it that a fault must not interrupt
// (BLAS, whose threads share the work, and Python). Where it is not there, the fault
// comes here, where compiled code can be left.
#pragma once

#include <stddef.h>
#include <stdint.h>

//
// Not read is memory that is known to be there: what the arguments of the innermost call
// own (fault_is_known), and large blocks of compiled code (support_block_holds).
void touch(const void *start, size_t bytes);
// Also writes, what was there: memory that may only be read fails here. Safe beside other
// threads that write.
void touch_to_write(void *start, size_t bytes);
// The items of an array, whatever lies between them.
void touch_array(const char *data, const int64_t *shape, const int64_t *strides, int ndim,
        size_t item_bytes);
