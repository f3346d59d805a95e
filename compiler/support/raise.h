// SPDX-License-Identifier: MIT
// Errors that have a text of their own, of functions that compiled code calls: one waits
// on its thread until the code's caller takes it.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "compiler/types/abi.h"
#include "compiler/types/raise_site.h"

// Leaves the error and returns the status of its class; the code that called the function
// raises it.
int32_t support_raise(const char *class_name, const char *format, ...)
        __attribute__((format(printf, 2, 3)));
// Copied to another thread by who runs code for it.
struct raised {
    const char *class_name; // NULL: none is pending
    char message[400];
};
struct raised *raised_last(void); // of this thread
// A site as compiled code tells of it: `message` is a format of the arguments if there
// are both; without a class's name both are those of the error that was left last.
struct raise_site raised_site(const char *message, int32_t has_arguments,
        const char *class_name, void *class_object);
// The class and message of the error that was left on this thread, once; the texts are
// valid until the thread's next one.
bool compiler_take_raised(const char **class_name, const char **message);
