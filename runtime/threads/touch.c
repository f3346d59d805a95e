// SPDX-License-Identifier: MIT
// Reading ahead: one byte a page, as what is there, or not, is there by pages. Each page
// is read in another of its lines: those a page apart share a few sets of the cache,
// where they would wait for one another.
#include "runtime/threads/touch.h"

#include "compiler/support/support.h"
#include "runtime/threads/fault.h"

enum { PAGE = 4096, LINE = 64, FEW = 4 * PAGE };

static size_t bytes_to_page(const void *start)
{
    return PAGE - (uintptr_t)start % PAGE;
}

static size_t next_line(size_t line)
{
    return (line + LINE) % PAGE;
}

// Few pages are sooner read than asked about.
static bool is_known(const void *start, size_t bytes)
{
    return bytes > FEW &&
           (fault_is_known(start, bytes) || support_block_holds(start, bytes));
}

void touch(const void *start, size_t bytes)
{
    const volatile char *at = start;
    if (!bytes || is_known(start, bytes))
        return;
    (void)at[0];
    (void)at[bytes - 1];
    size_t line = 0;
    for (size_t i = bytes_to_page(start); i + PAGE <= bytes; i += PAGE) {
        (void)at[i + line];
        line = next_line(line);
    }
}

void touch_to_write(void *start, size_t bytes)
{
    char *at = start;
    if (!bytes || support_block_holds(start, bytes))
        return;
    __atomic_fetch_or(&at[0], 0, __ATOMIC_RELAXED);
    __atomic_fetch_or(&at[bytes - 1], 0, __ATOMIC_RELAXED);
    size_t line = 0;
    for (size_t i = bytes_to_page(start); i + PAGE <= bytes; i += PAGE) {
        __atomic_fetch_or(&at[i + line], 0, __ATOMIC_RELAXED);
        line = next_line(line);
    }
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
