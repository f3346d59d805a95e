// SPDX-License-Identifier: MIT
// What was counted of an observed kernel's launches, as Python reads it.
#include "runtime/device/kernels/py_kernel.h"

static const char *op_name(enum observed_kind kind)
{
    static const char *const names[] = {[OBSERVED_LOAD] = "load",
            [OBSERVED_STORE] = "store",
            [OBSERVED_ATOMIC] = "atomic",
            [OBSERVED_BRANCH] = "branch",
            [OBSERVED_BARRIER] = "barrier"};
    return names[kind];
}

static const char *space_name(enum observed_space space)
{
    return space == OBSERVED_SHARED     ? "shared"
           : space == OBSERVED_CONSTANT ? "constant"
           : space == OBSERVED_LOCAL    ? "local"
                                        : "global";
}

// (op, space, item bytes, file, line, the access's line, column and end, counts in the
// order of observed_counts)
static PyObject *row_tuple(const struct observed_row *row)
{
    const struct observed_counts *counts = &row->counts;
    return Py_BuildValue("ssizi(iii)(LLLLLLLLLLLLL)", op_name(row->site.kind),
            space_name(row->site.space), row->site.item_bytes, row->site.span.file,
            (int)row->line, row->site.span.line, row->site.span.column,
            row->site.span.end_line == row->site.span.line ? row->site.span.end_column
                                                           : 0,
            (long long)counts->requests, (long long)counts->lanes,
            (long long)counts->bytes, (long long)counts->sectors,
            (long long)counts->sectors_ideal, (long long)counts->distinct,
            (long long)counts->wavefronts, (long long)counts->conflicts,
            (long long)counts->even, (long long)counts->strides,
            (long long)counts->changes, (long long)counts->divergent,
            (long long)counts->skipped);
}

void kernel_observation_destroy(struct observation *observation)
{
    if (!observation)
        return;
    vec_finish(&observation->rows);
    free(observation);
}

PyObject *kernel_take_observation(PyObject *object, PyObject *unused)
{
    struct kernel *self = (struct kernel *)object;
    struct observation *observation = self->observation;
    (void)unused;
    if (!observation)
        Py_RETURN_NONE;
    PyObject *rows = PyList_New(0);
    vec_each (row, &observation->rows) {
        PyObject *tuple = rows ? row_tuple(row) : NULL;
        if (!tuple || PyList_Append(rows, tuple))
            Py_CLEAR(rows);
        Py_XDECREF(tuple);
    }
    PyObject *taken = rows ? Py_BuildValue("LLLO", (long long)observation->blocks,
                                     (long long)observation->observed_blocks,
                                     (long long)observation->shared_bytes, rows)
                           : NULL;
    Py_XDECREF(rows);
    if (taken) {
        self->observation = NULL;
        kernel_observation_destroy(observation);
    }
    return taken;
}
