// SPDX-License-Identifier: MIT
// Small things that all rooms of Python need: text to and from Python, JSON to and from
// Python, and calls by name. All of it needs the GIL.
#pragma once

#include "base/py.h"

#include <jansson.h>

#include "base/str.h"

// ---- py_json.c
PyObject *py_from_json(const json_t *value);
// Any object; what JSON lacks becomes its str(). NULL with an exception on failure.
json_t *py_to_json(PyObject *object);
// The text of a str for JSON: lone surrogates become escapes.
json_t *py_text_to_json(PyObject *text);
json_t *json_text(const char *text, size_t len);

// ---- py_text.c
// UTF-8 of a str, lone surrogates escaped; *holder owns the bytes. NULL with an
// exception.
const char *py_utf8(PyObject *text, Py_ssize_t *len, PyObject **holder);
// Appends a str and gives it up. False, with the exception cleared: there was none
// (NULL).
bool py_append_stolen(struct str *out, PyObject *text);
PyObject *py_text(const char *text, size_t len);
// A strong attribute of an imported module; NULL without an exception when it is not
// there.
PyObject *py_loaded_module(const char *name);
void py_write_stream(const char *stream, const char *text, size_t len);
void py_print(const char *format, ...) __attribute__((format(printf, 1, 2)));
// Calls object.method(args...) with a Py_BuildValue format; NULL format: no arguments.
PyObject *py_call_method(PyObject *object, const char *method, const char *format, ...);
// Calls module.function(args...), importing the module.
PyObject *py_call_module(
        const char *module, const char *function, const char *format, ...);
// UsageError: a magic was called wrongly. Returns NULL.
PyObject *py_usage_error(const char *format, ...) __attribute__((format(printf, 1, 2)));
