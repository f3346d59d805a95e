// SPDX-License-Identifier: MIT
// Errors that have a text of their own, per thread.
#include "compiler/support/raise.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static _Thread_local struct raised raised;

struct raised *raised_last(void)
{
    return &raised;
}

int32_t support_raise(const char *class_name, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(raised.message, sizeof raised.message, format, args);
    va_end(args);
    raised.class_name = class_name;
    return !strcmp(class_name, "ValueError")  ? RAISED_VALUE_ERROR
           : !strcmp(class_name, "TypeError") ? RAISED_TYPE_ERROR
                                              : RAISED_OVERFLOW_ERROR;
}

bool compiler_take_raised(const char **class_name, const char **message)
{
    *class_name = raised.class_name;
    *message = raised.message;
    raised.class_name = NULL;
    return *class_name != NULL;
}
