// SPDX-License-Identifier: MIT
// Answers to what front ends ask about code: they call nothing of the user's. All of it
// needs the GIL.
#pragma once

#include "base/py.h"

#include <jansson.h>

// ---- py_complete.c
// _gridcell_kernel.complete(code): the reply to a completion at the end of the code.
PyObject *complete_code(PyObject *self, PyObject *code);
// The reply to a complete_request.
json_t *complete_request(json_t *content);

// ---- py_introspect.c
// The replies to an inspect_request and an is_complete_request.
json_t *introspect_page(json_t *content);
json_t *introspect_completeness(json_t *content);

// ---- py_history.c
// The rows that a history_request with this content asks for.
json_t *history_answer(const json_t *content);

// ---- py_answers.c
// _gridcell_kernel.answer(question, content): what a front end is told, as a dict.
PyObject *answers_give(PyObject *self, PyObject *args);
