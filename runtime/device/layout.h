// SPDX-License-Identifier: MIT
// How an n-dimensional array lies in memory: strides, contiguity, extent, broadcasting.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { LAYOUT_MAX_NDIM = 32 };

// Number of elements, or -1 when it, or the size in bytes, does not fit in 63 bits.
int64_t layout_count(const int64_t *shape, int ndim, int64_t item_bytes);
// Strides of a contiguous array, rows first ('C') or columns first ('F').
void layout_strides(
        const int64_t *shape, int ndim, int64_t item_bytes, char order, int64_t *strides);
// Whether the elements follow each other without gaps in that order. Axes of length 1 do
// not count.
bool layout_is_contiguous(const int64_t *shape, const int64_t *strides, int ndim,
        int64_t item_bytes, char order);
// Whether each element, wherever the axes end, lies at a multiple of `alignment` bytes.
bool layout_is_aligned(
        uint64_t address, const int64_t *strides, int ndim, uint64_t alignment);
// The bytes that the array touches, as offsets from its first element: [*low, *high).
void layout_extent(const int64_t *shape, const int64_t *strides, int ndim,
        int64_t item_bytes, int64_t *low, int64_t *high);
