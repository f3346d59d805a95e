// SPDX-License-Identifier: MIT
// Arithmetic on shapes and strides, free of any device.
#include "runtime/device/layout.h"

int64_t layout_count(const int64_t *shape, int ndim, int64_t item_bytes)
{
    int64_t count = 1, bytes = item_bytes > 0 ? item_bytes : 1;
    for (int i = 0; i < ndim; i++) {
        if (shape[i] == 0)
            return 0;
    }
    for (int i = 0; i < ndim; i++) {
        if (shape[i] < 0 || __builtin_mul_overflow(bytes, shape[i], &bytes))
            return -1;
        count *= shape[i];
    }
    return count;
}

void layout_strides(
        const int64_t *shape, int ndim, int64_t item_bytes, char order, int64_t *strides)
{
    int64_t step = item_bytes;
    for (int i = 0; i < ndim; i++) {
        int axis = order == 'F' ? i : ndim - 1 - i;
        strides[axis] = step;
        step *= shape[axis] > 0 ? shape[axis] : 1;
    }
}

bool layout_is_contiguous(const int64_t *shape, const int64_t *strides, int ndim,
        int64_t item_bytes, char order)
{
    int64_t step = item_bytes;
    bool is_contiguous = true;
    for (int i = 0; i < ndim; i++) {
        int axis = order == 'F' ? i : ndim - 1 - i;
        if (shape[axis] == 0)
            return true;
        if (shape[axis] != 1 && strides[axis] != step)
            is_contiguous = false;
        step *= shape[axis];
    }
    return is_contiguous;
}

bool layout_is_aligned(
        uint64_t address, const int64_t *strides, int ndim, uint64_t alignment)
{
    uint64_t places = address;
    for (int axis = 0; axis < ndim; axis++)
        places |= (uint64_t)strides[axis];
    return places % alignment == 0;
}

void layout_extent(const int64_t *shape, const int64_t *strides, int ndim,
        int64_t item_bytes, int64_t *low, int64_t *high)
{
    *low = 0;
    *high = 0;
    int64_t last = 0;
    for (int i = 0; i < ndim; i++) {
        if (shape[i] == 0) {
            *low = 0;
            return;
        }
        int64_t reach = (shape[i] - 1) * strides[i];
        if (reach < 0)
            *low += reach;
        else
            last += reach;
    }
    *high = last + item_bytes;
}
