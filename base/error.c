// SPDX-License-Identifier: MIT
// Filling in struct error. Nothing here allocates, so that reporting never fails.
#include "base/error.h"

#include <stdio.h>
#include <string.h>

bool error_set_va(struct error *err, enum error_kind kind, struct span span,
        const char *format, va_list args)
{
    if (err->kind != ERROR_NONE)
        return false;
    err->kind = kind;
    err->span = span;
    vsnprintf(err->message, sizeof err->message, format, args);
    return false;
}

bool error_set(struct error *err, enum error_kind kind, struct span span,
        const char *format, ...)
{
    va_list args;
    va_start(args, format);
    error_set_va(err, kind, span, format, args);
    va_end(args);
    return false;
}

bool error_note(struct error *err, const char *format, ...)
{
    size_t used = strlen(err->message);
    va_list args;
    va_start(args, format);
    vsnprintf(err->message + used, sizeof err->message - used, format, args);
    va_end(args);
    return false;
}

void error_clear(struct error *err)
{
    err->kind = ERROR_NONE;
    err->code = 0;
    err->span = SPAN_NONE;
    err->message[0] = '\0';
}
