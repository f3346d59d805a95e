// SPDX-License-Identifier: MIT
// What was counted of an observed kernel's launches, as Python reads it.
#include "runtime/device/kernels/py_kernel.h"

static const char *op_name(enum observed_kind kind)
{
    static const char *const names[] = {[OBSERVED_LOAD] = "load",
            [OBSERVED_STORE] = "store",
            [OBSERVED_ATOMIC] = "atomic",
            [OBSERVED_BRANCH] = "branch",
            [OBSERVED_BARRIER] = "barrier",
            [OBSERVED_PART] = "part"};
    return names[kind];
}

static const char *space_name(enum observed_space space)
{
    return space == OBSERVED_SHARED     ? "shared"
           : space == OBSERVED_CONSTANT ? "constant"
           : space == OBSERVED_LOCAL    ? "local"
                                        : "global";
}

static PyObject *numbers(const int64_t *items, size_t count)
{
    PyObject *tuple = PyTuple_New((Py_ssize_t)count);
    for (size_t i = 0; tuple && i < count; i++) {
        PyObject *item = PyLong_FromLongLong(items[i]);
        if (!item)
            Py_CLEAR(tuple);
        else
            PyTuple_SET_ITEM(tuple, (Py_ssize_t)i, item);
    }
    return tuple;
}

// (op, space, item bytes, file, line, the access's line, column and end, counts in the
// order of observed_counts, the range's ends)
static PyObject *row_tuple(const struct observed_row *row)
{
    enum { COUNTS = sizeof row->counts / sizeof(int64_t) };
    const struct span *span = &row->site.span;
    return Py_BuildValue("ssizi(iii)N(LL)", op_name(row->site.kind),
            space_name(row->site.space), row->site.item_bytes, span->file, (int)row->line,
            span->line, span->column, span->end_line == span->line ? span->end_column : 0,
            numbers((const int64_t *)&row->counts, COUNTS), (long long)row->range.low,
            (long long)row->range.high);
}

// (file, line, instructions of warps by class, of lanes, flops by width, integers)
static PyObject *work_tuple(const struct observed_work_row *row)
{
    return Py_BuildValue("ziNNNL", row->file, (int)row->line,
            numbers(row->warps, CLASS_COUNT), numbers(row->lanes, CLASS_COUNT),
            numbers(row->flops, 3), (long long)row->integers);
}

// (file, line, entries, turns, the fewest and most turns for each entry of a lane)
static PyObject *loop_tuple(const struct observed_loop_row *row)
{
    return Py_BuildValue("ziLLdd", row->file, (int)row->line, (long long)row->entries,
            (long long)row->turns, row->least, row->most);
}

void kernel_observation_destroy(struct observation *observation)
{
    if (!observation)
        return;
    observation_finish(observation);
    free(observation);
}

// A list of what `tuple` makes of each item of a VEC.
#define LIST(vec, tuple)                                                                 \
    do {                                                                                 \
        vec_each (item, (vec)) {                                                         \
            PyObject *made = list ? tuple(item) : NULL;                                  \
            if (!made || PyList_Append(list, made))                                      \
                Py_CLEAR(list);                                                          \
            Py_XDECREF(made);                                                            \
        }                                                                                \
    } while (0)

static PyObject *row_list(const struct observation *observation)
{
    PyObject *list = PyList_New(0);
    LIST(&observation->rows, row_tuple);
    return list;
}

static PyObject *work_list(const struct observation *observation)
{
    PyObject *list = PyList_New(0);
    LIST(&observation->works, work_tuple);
    return list;
}

static PyObject *loop_list(const struct observation *observation)
{
    PyObject *list = PyList_New(0);
    LIST(&observation->loops, loop_tuple);
    return list;
}

// (blocks, observed ones, shared bytes, whether functions call themselves that are not
// counted, or are linked CUDA C, rows, works, loops, what the first block told, as
// bytes: struct observed_event, struct observed_told)
PyObject *kernel_take_observation(PyObject *object, PyObject *unused)
{
    struct kernel *self = (struct kernel *)object;
    struct observation *observation = self->observation;
    (void)unused;
    if (!observation)
        Py_RETURN_NONE;
    PyObject *taken = Py_BuildValue("LLLiiNNNy#y#", (long long)observation->blocks,
            (long long)observation->observed_blocks, (long long)observation->shared_bytes,
            observation->recurses, observation->has_links, row_list(observation),
            work_list(observation), loop_list(observation),
            (const char *)observation->first_block.items,
            (Py_ssize_t)(observation->first_block.len *
                         sizeof *observation->first_block.items),
            (const char *)observation->first_told.items,
            (Py_ssize_t)(observation->first_told.len *
                         sizeof *observation->first_told.items));
    if (taken) {
        self->observation = NULL;
        kernel_observation_destroy(observation);
    }
    return taken;
}
