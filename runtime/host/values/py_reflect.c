// SPDX-License-Identifier: MIT
// Plain lists, sets and dicts as arguments and results. What compiled code changes in an
// argument is written back to the object when the call ends, and one object stays one:
// passed twice, or returned, it is the same list on both sides.
#include "base/py.h"

#include <string.h>

#include "compiler/support/support.h"
#include "runtime/host/values/py_reflect.h"
#include "runtime/host/values/py_values.h"
#include "runtime/host/values/py_table.h"

enum { FEW = 8, PIECE_BYTES = 1 << 20 };

// An object and the row that stands for it during a call; both are kept alive.
struct reflected {
    PyObject *object;
    struct abi_row *row;
    const struct type *type;
    bool is_argument;
};

static _Thread_local struct reflection *current;

void py_reflection_begin(struct reflection *reflection)
{
    *reflection = (struct reflection){.outer = current};
    current = reflection;
}

// The latest of the first few items that is an argument and the object; 0: none is.
// Counted from 1.
static size_t look_through(PyObject *object)
{
    size_t at = current->items.len < FEW ? current->items.len : FEW;
    while (at && (current->items.items[at - 1].object != object ||
                         !current->items.items[at - 1].is_argument))
        at--;
    return at;
}

// The row of an object that was unboxed in this call already, or NULL.
static struct abi_row *find_row(PyObject *object, const struct type *type)
{
    if (!current || !current->items.len)
        return NULL;
    size_t at =
            (size_t)(uintptr_t)map_get_bytes(&current->by_object, &object, sizeof object);
    if (!at)
        at = look_through(object);
    if (!at || current->items.items[at - 1].type != type)
        return NULL;
    return current->items.items[at - 1].row;
}

static void join(
        PyObject *object, struct abi_row *row, const struct type *type, bool is_argument)
{
    if (!current || type->cell.is_typed)
        return;
    gridcell_memory_retain(&row->memory);
    row->parent = object;
    vec_push(&current->items,
            (struct reflected){Py_NewRef(object), row, type, is_argument});
    if (is_argument && current->items.len > FEW)
        map_set_bytes(&current->by_object, &object, sizeof object,
                (void *)(uintptr_t)current->items.len);
}

// --- Rows and their items

// Where counted memory is in each item, which lies in `few` or is to be freed.
static int64_t *counted_places(const struct type *const *types, const size_t *offsets,
        size_t count, int64_t few[FEW], size_t *place_count)
{
    *place_count = 0;
    for (size_t i = 0; i < count; i++)
        *place_count += abi_counted(types[i], 0, NULL);
    int64_t *places =
            *place_count <= FEW ? few : PyMem_Calloc(*place_count, sizeof *places);
    size_t at = 0;
    for (size_t i = 0; places && i < count; i++)
        at += abi_counted(types[i], offsets[i], places + at);
    return places;
}

static struct abi_row *made(struct abi_row *row, int64_t *places, const int64_t few[FEW])
{
    if (places != few)
        PyMem_Free(places);
    if (!row)
        PyErr_NoMemory();
    return row;
}

struct abi_row *py_row_create(const struct type *const *types, const size_t *offsets,
        size_t count, size_t item_bytes, int64_t capacity)
{
    size_t place_count;
    int64_t few[FEW] = {0};
    int64_t *places = counted_places(types, offsets, count, few, &place_count);
    struct abi_row *row = places ? gridcell_row_create(capacity, (int64_t)item_bytes,
                                           (int64_t)place_count, places)
                                 : NULL;
    return made(row, places, few);
}

static struct abi_row *create_table(const struct type *type)
{
    const struct type *entry = type->cell.fields[TABLE_ENTRIES].type->element;
    size_t place_count, offset = 0;
    int64_t few[FEW] = {0};
    int64_t *places = counted_places(&entry, &offset, 1, few, &place_count);
    struct abi_row *row = places ? gridcell_table_create((int64_t)abi_stride(entry),
                                           (int64_t)place_count, places)
                                 : NULL;
    return made(row, places, few);
}

struct abi_row *py_list_create(const struct type *item, int64_t capacity)
{
    size_t offset = 0;
    return py_row_create(&item, &offset, 1, abi_stride(item), capacity);
}

// A row of one item: zeros for the fields.
static struct abi_row *create_fields(const struct type *type)
{
    size_t len = type->cell.len, few_offsets[FEW] = {0};
    const struct type *few_types[FEW] = {NULL};
    bool is_few = len <= FEW;
    const struct type **types = is_few ? few_types : PyMem_Calloc(len, sizeof *types);
    size_t *offsets = is_few ? few_offsets : PyMem_Calloc(len, sizeof *offsets);
    for (size_t i = 0; types && offsets && i < len; i++) {
        types[i] = type->cell.fields[i].type;
        offsets[i] = type->cell.fields[i].offset_bytes;
    }
    struct abi_row *row = types && offsets ? py_row_create(types, offsets, len,
                                                     type->cell.size_bytes, 1)
                                           : NULL;
    if (!is_few) {
        PyMem_Free(types);
        PyMem_Free(offsets);
    }
    if (row && gridcell_row_splice(row, 0, 0, 1) != STATUS_OK) {
        gridcell_memory_release(&row->memory);
        PyErr_NoMemory();
        return NULL;
    }
    return row;
}

struct abi_row *py_object_create(const struct type *type)
{
    if (type->kind == TYPE_LIST)
        return py_list_create(type->element, 0);
    if (type_has_entries(type))
        return create_table(type);
    struct abi_row *row = create_fields(type);
    if (!row)
        return NULL;
    for (size_t i = 0; i < type->cell.len; i++) {
        if (!type_is_container(type->cell.fields[i].type))
            continue;
        struct abi_row *part = py_object_create(type->cell.fields[i].type);
        if (!part) {
            gridcell_memory_release(&row->memory);
            return NULL;
        }
        memcpy(py_object_field(type, row, i), &part, sizeof part);
    }
    return row;
}

void *py_object_field(const struct type *type, const struct abi_row *row, size_t index)
{
    return (char *)row->memory.data + type->cell.fields[index].offset_bytes;
}

void *py_row_item(const struct abi_row *row, int64_t index)
{
    return (char *)row->memory.data + index * row->item_bytes;
}

PyObject *py_box_kept(const struct type *type, const void *source)
{
    size_t count = abi_counted(type, 0, NULL), size = abi_size(type);
    int64_t few[8], *places = count <= 8 ? few : PyMem_Calloc(count, sizeof *places);
    if (!places)
        return PyErr_NoMemory();
    abi_counted(type, 0, places);
    for (size_t i = 0; i < count; i++) {
        struct abi_memory *memory;
        memcpy(&memory, (const char *)source + places[i], sizeof memory);
        gridcell_memory_retain(memory);
    }
    if (places != few)
        PyMem_Free(places);
    _Alignas(16) char aligned[256];
    if (size > sizeof aligned)
        return py_box(type, source);
    memcpy(aligned, source, size);
    return py_box(type, aligned);
}

// Piece by piece: a longer one may stop for an interrupt, which waits until later here.
bool py_row_extend(struct abi_row *row, int64_t count)
{
    int64_t most = PIECE_BYTES / (row->item_bytes + 1) + 1;
    for (; count > 0; count -= most)
        if (gridcell_row_splice(row, row->len, 0, count < most ? count : most) !=
                STATUS_OK) {
            PyErr_NoMemory();
            return false;
        }
    return true;
}

bool py_row_add(struct abi_row *row, const struct type *item, PyObject *value)
{
    return py_row_extend(row, 1) && py_unbox(value, item, py_row_item(row, row->len - 1));
}

// --- Arguments

static bool fill_list(PyObject *list, const struct type *item, struct abi_row *row)
{
    Py_ssize_t len = PyList_GET_SIZE(list);
    if (!py_row_extend(row, len))
        return false;
    for (Py_ssize_t i = 0; i < len; i++) {
        PyObject *value = py_list_get(list, i);
        bool done = value && py_unbox_item(value, item, py_row_item(row, i));
        Py_XDECREF(value);
        if (!done)
            return false;
    }
    return true;
}

static bool fill(PyObject *value, const struct type *type, struct abi_row *row)
{
    return type->kind == TYPE_LIST ? fill_list(value, type->element, row)
                                   : py_table_fill(value, type, row);
}

bool py_unbox_object(PyObject *value, const struct type *type, struct abi_row **out)
{
    if (type->kind == TYPE_INSTANCE || type->cell.is_typed)
        return py_unbox_typed(value, type, out);
    struct abi_row *row = find_row(value, type);
    if (row) {
        gridcell_memory_retain(&row->memory);
        *out = row;
        return true;
    }
    bool is_right = type->kind == TYPE_LIST  ? PyList_Check(value)
                    : type->kind == TYPE_SET ? PySet_Check(value)
                                             : PyDict_Check(value);
    if (!is_right) {
        PyErr_Format(PyExc_TypeError, "expected a %s, got %R", type->name,
                (PyObject *)Py_TYPE(value));
        return false;
    }
    row = py_object_create(type);
    if (!row)
        return false;
    if (!fill(value, type, row)) {
        gridcell_memory_release(&row->memory);
        return false;
    }
    join(value, row, type, true);
    *out = row;
    return true;
}

// --- Results

static PyObject *new_list(const struct type *type, struct abi_row *row)
{
    PyObject *list = PyList_New(0);
    if (list)
        join(list, row, type, false);
    for (int64_t i = 0; list && i < row->len; i++) {
        PyObject *item = py_box_kept(type->element, py_row_item(row, i));
        if (!item || PyList_Append(list, item) < 0)
            Py_CLEAR(list);
        Py_XDECREF(item);
    }
    return list;
}

static PyObject *new_table(const struct type *type, struct abi_row *row)
{
    PyObject *table = type->kind == TYPE_SET ? PySet_New(NULL) : PyDict_New();
    if (table)
        join(table, row, type, false);
    if (table && !py_table_read(table, type, row))
        Py_CLEAR(table);
    return table;
}

PyObject *py_box_object(const struct type *type, struct abi_row *row)
{
    if (type->kind == TYPE_INSTANCE || type->cell.is_typed)
        return py_box_typed(type, row);
    PyObject *object = row->parent               ? Py_NewRef((PyObject *)row->parent)
                       : type->kind == TYPE_LIST ? new_list(type, row)
                                                 : new_table(type, row);
    gridcell_memory_release(&row->memory);
    return object;
}

// --- The way back

static bool is_plain_number(const struct type *type)
{
    return type_is_number(type) && type->kind != TYPE_COMPLEX;
}

// Whether the object is what boxing the item would give. Sets no exception.
bool py_stands_for(PyObject *object, const struct type *type, const void *item)
{
    if (type == type_int64 && PyLong_CheckExact(object)) {
        int overflow = 0;
        int64_t number = PyLong_AsLongLongAndOverflow(object, &overflow);
        return !overflow && !memcmp(&number, item, sizeof number);
    }
    if (is_plain_number(type)) {
        char same[16] = {0};
        bool is_same =
                py_unbox(object, type, same) && !memcmp(same, item, abi_size(type));
        py_error_drop();
        return is_same;
    }
    if (type_is_object(type)) {
        struct abi_row *row;
        memcpy(&row, item, sizeof row);
        return row && row->parent == object;
    }
    PyObject *boxed = py_box_kept(type, item);
    bool is_same = boxed == object ||
                   (boxed && type->kind != TYPE_ARRAY &&
                           PyObject_RichCompareBool(boxed, object, Py_EQ) == 1);
    Py_XDECREF(boxed);
    py_error_drop();
    return is_same;
}

static bool write_item(
        PyObject *list, Py_ssize_t i, const struct type *type, const void *item)
{
    PyObject *old = i < PyList_GET_SIZE(list) ? py_list_get(list, i) : NULL;
    if (old && py_stands_for(old, type, item)) {
        Py_DECREF(old);
        return true;
    }
    PyObject *new = py_box_kept(type, item);
    bool done = new && (old ? PyList_SetItem(list, i, Py_NewRef(new)) == 0
                            : PyList_Append(list, new) == 0);
    Py_XDECREF(old);
    Py_XDECREF(new);
    return done;
}

static bool write_list(PyObject *list, const struct type *type, const struct abi_row *row)
{
    for (int64_t i = 0; i < row->len; i++)
        if (!write_item(list, (Py_ssize_t)i, type->element, py_row_item(row, i)))
            return false;
    Py_ssize_t len = (Py_ssize_t)row->len;
    return PyList_GET_SIZE(list) <= len ||
           PyList_SetSlice(list, len, PyList_GET_SIZE(list), NULL) == 0;
}

static bool write_object(PyObject *object, const struct type *type, struct abi_row *row)
{
    return type->kind == TYPE_LIST ? write_list(object, type, row)
                                   : py_table_write_back(object, type, row);
}

static bool write_back(struct reflection *reflection)
{
    size_t count = reflection->items.len; // boxing adds new objects behind
    bool done = true;
    for (size_t i = 0; done && i < count; i++) {
        struct reflected item = reflection->items.items[i];
        if (item.is_argument)
            done = write_object(item.object, item.type, item.row);
    }
    return done;
}

// --- While compiled code waits for the interpreter

static bool read_list(PyObject *list, const struct type *item, struct abi_row *row)
{
    gridcell_row_splice(row, 0, row->len, 0);
    bool done = fill_list(list, item, row);
    if (!done) // some items would be zeros
        gridcell_row_splice(row, 0, row->len, 0);
    return done;
}

// A table is put together anew; the rows that it consists of change places.
static bool read_table(PyObject *table, const struct type *type, struct abi_row *row)
{
    struct abi_row *new = py_object_create(type);
    bool done = new &&py_table_fill(table, type, new);
    char *old = row->memory.data, *read = new ? new->memory.data : NULL;
    for (int64_t i = 0; done && i < row->item_bytes; i++) {
        char byte = old[i];
        old[i] = read[i];
        read[i] = byte;
    }
    if (new)
        gridcell_memory_release(&new->memory);
    return done;
}

static bool is_plain(const struct type *type)
{
    return type_is_container(type) && !type->cell.is_typed;
}

static struct abi_row *inner_row(const struct abi_row *row, int64_t i)
{
    struct abi_row *inner;
    memcpy(&inner, py_row_item(row, i), sizeof inner);
    return inner && inner->parent ? inner : NULL;
}

static bool has_inner(const struct type *type)
{
    return type->kind == TYPE_LIST && is_plain(type->element);
}

bool py_write_now(const struct type *type, struct abi_row *row)
{
    if (row->parent && !write_object(row->parent, type, row))
        return false;
    for (int64_t i = 0; has_inner(type) && i < row->len; i++) {
        struct abi_row *inner = inner_row(row, i);
        if (inner && !py_write_now(type->element, inner))
            return false;
    }
    return true;
}

// Lists within the list first: their rows stay what they are to compiled code.
bool py_read_back(PyObject *object, const struct type *type, struct abi_row *row)
{
    for (int64_t i = 0; has_inner(type) && i < row->len; i++) {
        struct abi_row *inner = inner_row(row, i);
        if (inner && !py_read_back(inner->parent, type->element, inner))
            return false;
    }
    return type->kind == TYPE_LIST ? read_list(object, type->element, row)
                                   : read_table(object, type, row);
}

// --- The end of a call

void *py_reflection_after(bool (*function)(void *), size_t state_bytes)
{
    if (!current) {
        PyErr_SetString(PyExc_TypeError,
                "a value of an extension type that @reflect or a cleanup is for can only "
                "be an argument of a call, which such code is run after");
        return NULL;
    }
    void *state = PyMem_Calloc(1, state_bytes + 1);
    if (!state)
        return PyErr_NoMemory();
    vec_push(&current->afters, (struct after_call){function, state});
    return state;
}

// All of them, whichever fails; the first exception stays.
static bool run_afters(struct reflection *reflection)
{
    bool done = true;
    for (size_t i = 0; i < reflection->afters.len; i++) { // some may add others
        struct after_call after = reflection->afters.items[i];
        PyObject *type, *value, *traceback;
        PyErr_Fetch(&type, &value, &traceback);
        bool is_done = after.function(after.state);
        if (type)
            PyErr_Restore(type, value, traceback);
        done = done && is_done;
        PyMem_Free(after.state);
    }
    vec_finish(&reflection->afters);
    return done;
}

bool py_reflection_end(struct reflection *reflection)
{
    PyObject *type, *value, *traceback;
    PyErr_Fetch(&type, &value, &traceback);
    bool done = run_afters(reflection);
    done = done && write_back(reflection);
    current = reflection->outer;
    vec_each (item, &reflection->items) {
        item->row->parent = NULL;
        gridcell_memory_release(&item->row->memory);
        Py_DECREF(item->object);
    }
    vec_finish(&reflection->items);
    map_finish(&reflection->by_object);
    if (done)
        PyErr_Restore(type, value, traceback);
    else {
        Py_XDECREF(type);
        Py_XDECREF(value);
        Py_XDECREF(traceback);
    }
    return done;
}

bool py_reflects(const struct type *type)
{
    if (type_is_container(type))
        return !type->cell.is_typed;
    if (type->kind == TYPE_OPTIONAL)
        return py_reflects(type->element);
    if (type->kind == TYPE_EXTENSION)
        return true;
    for (size_t i = 0; type->kind == TYPE_TUPLE && i < type->tuple.len; i++)
        if (py_reflects(type->tuple.items[i]))
            return true;
    return false;
}
