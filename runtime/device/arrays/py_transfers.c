// SPDX-License-Identifier: MIT
// The ledger of copies between host and device: what %transfers shows. The last ones are
// kept; the GIL guards it.
#include <stdio.h>
#include <string.h>

#include "base/activity.h"
#include "runtime/device/arrays/py_device_array.h"

enum { KEPT = 4096, LABEL_BYTES = 96 };

struct transfer {
    bool to_device, is_shared;
    size_t size_bytes;
    double seconds;
    char label[LABEL_BYTES];
};

static struct {
    struct transfer kept[KEPT];
    size_t count; // of all so far
    char label[LABEL_BYTES];
} ledger;

void transfer_label(PyObject *function, const char *param)
{
    if (function)
        snprintf(ledger.label, sizeof ledger.label, "%s: argument %s",
                PyUnicode_AsUTF8(((PyFunctionObject *)function)->func_name), param);
    else
        ledger.label[0] = '\0';
}

static struct transfer *next_entry(bool to_device, size_t size_bytes)
{
    struct transfer *entry = &ledger.kept[ledger.count++ % KEPT];
    *entry = (struct transfer){.to_device = to_device, .size_bytes = size_bytes};
    memcpy(entry->label, ledger.label, sizeof entry->label);
    return entry;
}

void transfer_note(bool to_device, size_t size_bytes, double seconds, bool is_pageable)
{
    activity_note_copy(to_device ? ACTIVITY_TO_DEVICE : ACTIVITY_TO_HOST, ledger.label,
            transfer_clock() - seconds, size_bytes, is_pageable);
    next_entry(to_device, size_bytes)->seconds = seconds;
}

void transfer_note_shared(size_t size_bytes)
{
    next_entry(true, size_bytes)->is_shared = true;
}

double transfer_clock(void)
{
    return activity_clock();
}

// transfers(clear): [(direction, bytes, seconds, label)], oldest first
static PyObject *take_transfers(PyObject *module, PyObject *clear)
{
    size_t first = ledger.count > KEPT ? ledger.count - KEPT : 0;
    PyObject *list = PyList_New(0);
    for (size_t i = first; list && i < ledger.count; i++) {
        const struct transfer *entry = &ledger.kept[i % KEPT];
        PyObject *item = Py_BuildValue("(snds)",
                entry->is_shared   ? "shared"
                : entry->to_device ? "to device"
                                   : "to host",
                (Py_ssize_t)entry->size_bytes, entry->seconds, entry->label);
        if (!item || PyList_Append(list, item) < 0)
            Py_CLEAR(list);
        Py_XDECREF(item);
    }
    if (list && PyObject_IsTrue(clear) == 1)
        ledger.count = 0;
    return list;
}

PyMethodDef py_transfers_functions[] = {
        {"cuda_transfers", take_transfers, METH_O,
                "The latest copies between host and device; true forgets them."},
        {0},
};
