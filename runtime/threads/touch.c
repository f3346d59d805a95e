// SPDX-License-Identifier: MIT
// Reading ahead: one byte a page, as what is there, or not, is there by pages.
#include "runtime/threads/touch.h"

enum { PAGE = 4096 };

void touch(const void *start, size_t bytes)
{
    const volatile char *at = start;
    for (size_t i = 0; i < bytes; i += PAGE)
        (void)at[i];
    if (bytes)
        (void)at[bytes - 1];
}

void touch_to_write(void *start, size_t bytes)
{
    char *at = start;
    for (size_t i = 0; i < bytes; i += PAGE)
        __atomic_fetch_or(&at[i], 0, __ATOMIC_RELAXED);
    if (bytes)
        __atomic_fetch_or(&at[bytes - 1], 0, __ATOMIC_RELAXED);
}

// Rows of items that are close are read from end to end.
static void touch_row(const char *data, int64_t len, int64_t stride, size_t item_bytes)
{
    if (stride > -PAGE && stride < PAGE) {
        int64_t reach = (len - 1) * stride;
        touch(data + (reach < 0 ? reach : 0),
                (size_t)(reach < 0 ? -reach : reach) + item_bytes);
        return;
    }
    for (int64_t i = 0; i < len; i++)
        touch(data + i * stride, item_bytes);
}

void touch_array(const char *data, const int64_t *shape, const int64_t *strides, int ndim,
        size_t item_bytes)
{
    if (!ndim)
        touch(data, item_bytes);
    else if (ndim == 1 && *shape > 0)
        touch_row(data, *shape, *strides, item_bytes);
    for (int64_t i = 0; ndim > 1 && i < *shape; i++)
        touch_array(data + i * *strides, shape + 1, strides + 1, ndim - 1, item_bytes);
}
