// SPDX-License-Identifier: MIT
// One failure on its way up: what kind, where in the user's source, and in which words.
#pragma once

#include <stdarg.h>
#include <stdbool.h>

// A region of the user's source. Lines count from 1, columns from 0 in UTF-8 bytes, as
// CPython's ast does; line 0 means "no place". `file` is borrowed and outlives the error.
struct span {
    const char *file;
    int line, column;
    int end_line, end_column;
};

#define SPAN_NONE ((struct span){0})

// Each kind becomes one Python exception class; base/py.c holds the table.
enum error_kind {
    ERROR_NONE = 0,
    ERROR_TYPING,      // numba.core.errors.TypingError
    ERROR_UNSUPPORTED, // numba.core.errors.UnsupportedError
    ERROR_LOWERING,    // numba.core.errors.LoweringError
    ERROR_INTERNAL,    // the same class: a defect of the compiler, see compiler/report.h
    ERROR_NAME,        // NameError
    ERROR_TYPE,        // TypeError
    ERROR_VALUE,       // ValueError
    ERROR_INDEX,       // IndexError
    ERROR_KEY,         // KeyError
    ERROR_ATTRIBUTE,   // AttributeError
    ERROR_OVERFLOW,    // OverflowError
    ERROR_ZERO_DIVISION,
    ERROR_ASSERTION,
    ERROR_RUNTIME,   // RuntimeError
    ERROR_MEMORY,    // MemoryError
    ERROR_SYSTEM,    // OSError: a file, socket or environment is not as needed
    ERROR_INTERRUPT, // KeyboardInterrupt
    ERROR_DEVICE,    // numba.cuda.cudadrv.driver.CudaAPIError; `code` holds the driver's
                     // code
    ERROR_DEVICE_SUPPORT, // numba.cuda.cudadrv.error.CudaSupportError
    ERROR_NVVM,           // numba.cuda.cudadrv.error.NvvmError
    ERROR_PYTHON,         // a Python exception is set and is the error
};

#define ERROR_MESSAGE_SIZE 1200

struct error {
    enum error_kind kind;
    int code;
    struct span span;
    char message[ERROR_MESSAGE_SIZE];
};

// Records a failure and returns false. The first failure wins: a set error stays as it
// is.
bool error_set(struct error *err, enum error_kind kind, struct span span,
        const char *format, ...) __attribute__((format(printf, 4, 5)));
bool error_set_va(struct error *err, enum error_kind kind, struct span span,
        const char *format, va_list args);

// Appends to the message of a set error, for context that an outer caller knows. Returns
// false.
bool error_note(struct error *err, const char *format, ...)
        __attribute__((format(printf, 2, 3)));

void error_clear(struct error *err);
