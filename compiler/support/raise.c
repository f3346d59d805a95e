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
    static const char *const classes[] = {ABI_RAISED_CLASSES};
    int32_t place = 0;
    while (strcmp(class_name, classes[place]) != 0)
        place++;
    // Python's errors of either direction say more than a text
    raised.class_name = strncmp(class_name, "Unicode", 7) ? class_name : "UnicodeError";
    return place + 1;
}

struct raise_site raised_site(const char *message, int32_t has_arguments,
        const char *class_name, void *class_object)
{
    return (struct raise_site){.class_name = class_name          ? class_name
                                             : raised.class_name ? raised.class_name
                                                                 : "ValueError",
            .class_object = class_object,
            .message = class_name ? message : raised.message,
            .is_format = message && has_arguments,
            .has_arguments = has_arguments};
}

bool compiler_take_raised(const char **class_name, const char **message)
{
    *class_name = raised.class_name;
    *message = raised.message;
    raised.class_name = NULL;
    return *class_name != NULL;
}
