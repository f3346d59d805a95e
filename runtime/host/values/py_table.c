// SPDX-License-Identifier: MIT
// Dicts and sets between Python and compiled code. The host fills in the entries alone:
// compiled code makes the table for them when it first looks something up
// (compiler/library/table.py).
#include "runtime/host/values/py_table.h"

#include <string.h>

#include "compiler/support/support.h"
#include "runtime/host/values/py_reflect.h"
#include "runtime/host/values/py_values.h"

// The entries of a table, and where key and value are in each.
struct entries {
    struct abi_row *row;
    size_t key, value;
};

// Where part `part` of an entry is.
static size_t part_offset(const struct type *entry, size_t part)
{
    size_t offset = 0, at = 0;
    for (size_t i = 0; i <= part; i++)
        at = abi_place(entry->tuple.items[i], &offset);
    return at;
}

static struct entries entries_of(const struct type *type, const struct abi_row *row)
{
    const struct type *entry = type->cell.fields[TABLE_ENTRIES].type->element;
    struct entries entries = {.key = part_offset(entry, 1)};
    if (type->kind == TYPE_DICT)
        entries.value = part_offset(entry, 2);
    memcpy(&entries.row, py_object_field(type, row, TABLE_ENTRIES), sizeof entries.row);
    return entries;
}

// The next entry that is in use; sets have no values.
static bool next_entry(
        const struct entries *entries, int64_t *at, const void **key, const void **value)
{
    for (; *at < entries->row->len; ++*at) {
        const char *place = py_row_item(entries->row, *at);
        int64_t hash;
        memcpy(&hash, place, sizeof hash);
        if (hash == -1)
            continue;
        *key = place + entries->key;
        *value = entries->value ? place + entries->value : NULL;
        ++*at;
        return true;
    }
    return false;
}

bool py_table_next(const struct type *type, const struct abi_row *row, int64_t *at,
        const void **key, const void **value)
{
    struct entries entries = entries_of(type, row);
    return next_entry(&entries, at, key, value);
}

// A table of one place says that it is yet to be made.
static void forget_places(const struct type *type, const struct abi_row *row)
{
    struct abi_row *places;
    memcpy(&places, py_object_field(type, row, TABLE_PLACES), sizeof places);
    gridcell_row_splice(places, 0, places->len, 1);
}

bool py_table_fill(PyObject *table, const struct type *type, struct abi_row *row)
{
    PyObject *pairs =
            type->kind == TYPE_DICT ? PyDict_Items(table) : PySequence_List(table);
    struct entries entries = entries_of(type, row);
    Py_ssize_t len = pairs ? PyList_GET_SIZE(pairs) : 0;
    bool done = pairs && py_row_extend(entries.row, len);
    for (Py_ssize_t i = 0; done && i < len; i++) {
        PyObject *pair = PyList_GET_ITEM(pairs, i); // borrowed: nobody else has the list
        PyObject *key = type->kind == TYPE_DICT ? PyTuple_GET_ITEM(pair, 0) : pair;
        char *place = py_row_item(entries.row, i);
        done = py_unbox_item(key, type->element, place + entries.key);
        if (done && type->kind == TYPE_DICT)
            done = py_unbox(
                    PyTuple_GET_ITEM(pair, 1), type->cell.value, place + entries.value);
    }
    Py_XDECREF(pairs);
    if (entries.row->len)
        forget_places(type, row);
    memcpy(py_object_field(type, row, TABLE_USED), &entries.row->len,
            sizeof entries.row->len);
    return done;
}

static bool put(PyObject *table, PyObject *key, PyObject *value)
{
    return value ? PyDict_SetItem(table, key, value) == 0 : PySet_Add(table, key) == 0;
}

bool py_table_read(PyObject *table, const struct type *type, const struct abi_row *row)
{
    struct entries entries = entries_of(type, row);
    const void *key, *value;
    int64_t at = 0;
    bool done = true;
    while (done && next_entry(&entries, &at, &key, &value)) {
        PyObject *boxed_key = py_box_kept(type->element, key);
        PyObject *boxed =
                boxed_key && value ? py_box_kept(type->cell.value, value) : NULL;
        done = boxed_key && (boxed || !value) && put(table, boxed_key, boxed);
        Py_XDECREF(boxed_key);
        Py_XDECREF(boxed);
    }
    return done;
}

// --- The way back

// Whether the dict or set holds just what the row does, in its order if it has one.
static bool is_unchanged(
        PyObject *table, const struct type *type, const struct abi_row *row)
{
    struct entries entries = entries_of(type, row);
    const void *key, *value;
    int64_t at = 0;
    PyObject *pairs =
            type->kind == TYPE_DICT ? PyDict_Items(table) : PySequence_List(table);
    Py_ssize_t i = 0;
    bool is_same = pairs != NULL;
    while (is_same && next_entry(&entries, &at, &key, &value)) {
        PyObject *pair = i < PyList_GET_SIZE(pairs) ? py_list_get(pairs, i++) : NULL;
        if (!pair)
            is_same = false;
        else if (value)
            is_same = py_stands_for(PyTuple_GET_ITEM(pair, 0), type->element, key) &&
                      py_stands_for(PyTuple_GET_ITEM(pair, 1), type->cell.value, value);
        else
            is_same = py_stands_for(pair, type->element, key);
        Py_XDECREF(pair);
    }
    is_same = is_same && i == PyList_GET_SIZE(pairs);
    py_error_drop();
    Py_XDECREF(pairs);
    return is_same;
}

// The values that stay as they were remain the same objects.
static bool keep_objects(PyObject *old, PyObject *table, const struct type *type,
        const struct abi_row *row)
{
    struct entries entries = entries_of(type, row);
    const void *key, *value;
    int64_t at = 0;
    bool done = true;
    while (done && next_entry(&entries, &at, &key, &value)) {
        PyObject *boxed_key = py_box_kept(type->element, key), *known = NULL;
        if (!boxed_key || py_dict_get(old, boxed_key, &known) < 0)
            done = false;
        else if (known && py_stands_for(known, type->cell.value, value))
            done = PyDict_SetItem(table, boxed_key, known) == 0;
        Py_XDECREF(boxed_key);
        Py_XDECREF(known);
    }
    return done;
}

bool py_table_write_back(
        PyObject *table, const struct type *type, const struct abi_row *row)
{
    if (is_unchanged(table, type, row))
        return true;
    if (type->kind == TYPE_SET) {
        return PySet_Clear(table) == 0 && py_table_read(table, type, row);
    }
    PyObject *old = PyDict_Copy(table);
    if (!old)
        return false;
    PyDict_Clear(table);
    bool done = py_table_read(table, type, row) && keep_objects(old, table, type, row);
    Py_DECREF(old);
    return done;
}
