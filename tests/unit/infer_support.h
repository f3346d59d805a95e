// SPDX-License-Identifier: MIT
// For tests of typing: an embedded Python in which functions are defined, and a resolver
// that knows numbers, builtins and stand-ins for types, CUDA objects and jitted
// functions.
#pragma once

#include "base/py.h"
#include "compiler/frontend/importer/py_ast.h"
#include "compiler/ir/ir.h"

// The source of function `f` defined by `code`, imported; NULL with err set. Code that
// uses the stand-ins: int32 ... complex128 (types), cuda, np (namespaces), jit
// (decorator).
struct source *support_import(const char *code, struct error *err);
// The type with this name (as numba prints it), also of 1-d to 3-d arrays such as
// "float32[:,::1]".
const struct type *support_type(const char *name);
// Types a function for space-separated argument types; NULL with err set.
struct ir_function *support_infer(struct source *source, const char *types,
        enum target_kind target, struct error *err);
