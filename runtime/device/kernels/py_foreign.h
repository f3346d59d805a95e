// SPDX-License-Identifier: MIT
// Foreign code as Python gives it: a list of (kind, name, bytes).
#pragma once

#include "base/py.h"
#include "compiler/types/source.h"

// Gives the source what the object's `_links` names; false with err set.
bool py_foreign_attach(PyObject *owner, struct source *source, struct error *err);

// The codes as such a list.
PyObject *py_foreign_list(const struct foreign_code *const *codes, size_t count);

// The address in this process of a function of the code, which is compiled and loaded for
// it; NULL with err set. Takes the GIL.
void *py_foreign_address(const struct foreign_code *const *codes, size_t count,
        const char *function, struct error *err);

// nvrtc(source, name, cc, lto) and link(code, kind, links, cc, lto, as_ptx) of the
// module.
extern PyMethodDef py_foreign_functions[];
