// SPDX-License-Identifier: MIT
// Magics that are a few lines of Python: functions of gridcell.ipython, imported when
// they are first used. They take the line, and the cell where there is one.
#include "kernel/magics/py_magics.h"

#include <string.h>

#include "kernel/python/state/py_state.h"
#include "kernel/python/state/py_text.h"

static const struct {
    const char *name, *module, *function;
} functions[] = {
#define PYTHON_MAGIC(name, kinds, module, function, expands, summary)                    \
    {#name, "gridcell.ipython." #module, #function},
#include "kernel/magics/python_magics.def"
#undef PYTHON_MAGIC
};

static PyObject *run_function(const char *name, PyObject *line, PyObject *body)
{
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        if (strcmp(functions[i].name, name))
            continue;
        if (body)
            return py_call_module(
                    functions[i].module, functions[i].function, "(OO)", line, body);
        return py_call_module(functions[i].module, functions[i].function, "(O)", line);
    }
    return py_usage_error("no such magic: %s", name);
}

const struct magic magics_python[] = {
#define PYTHON_MAGIC(name, kinds, module, function, expands, summary)                    \
    {#name, kinds, run_function, summary, expands, false},
#include "kernel/magics/python_magics.def"
#undef PYTHON_MAGIC
        {NULL, 0, NULL, NULL, false, false},
};
