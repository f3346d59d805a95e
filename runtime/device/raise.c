// SPDX-License-Identifier: MIT
// Exceptions that threads of a kernel raise, in words.
#include "runtime/device/device.h"

#include <string.h>

bool device_raise(const struct compiled *compiled, int32_t status, const int32_t *thread,
        const int32_t *block, int line, struct error *err)
{
    size_t site_index = (size_t)status - 1;
    if (site_index >= compiled->raise_site_count)
        return error_set(
                err, ERROR_RUNTIME, SPAN_NONE, "kernel ended with status %d", status);
    const struct raise_site *site = &compiled->raise_sites[site_index];
    struct span span = site->span;
    if (line)
        span.line = line;
    const char *name = site->function ? strrchr(site->function, '.') : NULL;
    name = name ? name + 1 : site->function;
    // numba lists the coordinates as z, y, x
    error_set(err, site->kind ? site->kind : ERROR_RUNTIME, span,
            "In function '%s', file %s, line %d, tid=[%d, %d, %d] ctaid=[%d, %d, %d]%s%s",
            name ? name : "?", span.file ? span.file : "?", span.line, thread[2],
            thread[1], thread[0], block[2], block[1], block[0], site->message ? ": " : "",
            site->message ? site->message : "");
    err->code = status;
    return false;
}
