// SPDX-License-Identifier: MIT
// The objects that Python holds as compiled code does: typed containers and instances of
// compiled classes. Each refers to a row; a row that a Python object stands for always
// comes back as that object.
#include "base/py.h"

#include <stddef.h>
#include <string.h>
#include <structmember.h>

#include "compiler/support/support.h"
#include "compiler/types/object_class.h"
#include "runtime/host/values/py_numpy.h"
#include "runtime/host/values/py_reflect.h"
#include "runtime/host/values/py_values.h"
#include "runtime/host/values/py_table.h"
#include "runtime/host/state/py_enter.h"

bool py_unbox_typed(PyObject *value, const struct type *type, struct abi_row **out)
{
    struct typed_object *self = (struct typed_object *)value;
    if (!PyObject_TypeCheck(value, py_runtime()->typed_object_type) ||
            self->type != type) {
        PyErr_Format(PyExc_TypeError, "expected a %s, got %R", type->name,
                (PyObject *)Py_TYPE(value));
        return false;
    }
    gridcell_memory_retain(&self->row->memory);
    *out = self->row;
    return true;
}

// The Python class of a type: a new reference.
static PyTypeObject *class_of(const struct type *type)
{
    PyObject *class;
    if (type->kind == TYPE_INSTANCE)
        class = Py_NewRef((PyObject *)type->cell.class->python_class);
    else
        class = py_import_attr("numba.typed", type->kind == TYPE_LIST  ? "List"
                                              : type->kind == TYPE_SET ? "Set"
                                                                       : "Dict");
    if (class &&
            !PyType_IsSubtype((PyTypeObject *)class, py_runtime()->typed_object_type)) {
        PyErr_SetString(PyExc_TypeError, "not a class of typed objects");
        Py_CLEAR(class);
    }
    return (PyTypeObject *)class;
}

PyObject *py_box_typed(const struct type *type, struct abi_row *row)
{
    if (row->parent) {
        PyObject *object = Py_NewRef((PyObject *)row->parent);
        gridcell_memory_release(&row->memory);
        return object;
    }
    PyTypeObject *class = class_of(type);
    struct typed_object *self =
            class ? (struct typed_object *)class->tp_alloc(class, 0) : NULL;
    if (self) {
        self->type = type;
        self->row = row;
        row->parent = self;
    } else {
        gridcell_memory_release(&row->memory);
    }
    Py_XDECREF(class);
    return (PyObject *)self;
}

// --- The object

static void typed_dealloc(PyObject *object)
{
    struct typed_object *self = (struct typed_object *)object;
    py_dealloc_begin(object);
    Py_CLEAR(self->dict);
    if (self->row) {
        self->row->parent = NULL;
        gridcell_memory_release(&self->row->memory);
    }
    py_dealloc_end(object);
}

static int typed_traverse(PyObject *object, visitproc visit, void *arg)
{
    Py_VISIT(Py_TYPE(object));
    Py_VISIT(((struct typed_object *)object)->dict);
    return 0;
}

static int typed_clear(PyObject *object)
{
    Py_CLEAR(((struct typed_object *)object)->dict);
    return 0;
}

// _begin(type): from now on it is an empty container, or an object, of the type.
static PyObject *typed_begin(PyObject *object, PyObject *argument)
{
    struct typed_object *self = (struct typed_object *)object;
    const struct type *type = py_type_get(argument);
    if (!type || !type_is_object(type) || type_is_incomplete(type) || self->row) {
        PyErr_Format(PyExc_TypeError, "%R cannot be the type of this object", argument);
        return NULL;
    }
    if (type_is_undefined(type)) {
        PyErr_Format(PyExc_RuntimeError, "deferred type not defined: %R", argument);
        return NULL;
    }
    struct abi_row *row = py_object_create(type);
    if (!row)
        return NULL;
    row->parent = self;
    self->row = row;
    self->type = type;
    Py_RETURN_NONE;
}

static PyObject *no_type_yet(void)
{
    PyErr_SetString(PyExc_ValueError, "the type of the container is not known yet");
    return NULL;
}

// _snapshot(): the items of a list or set, the pairs of a dict
static PyObject *typed_snapshot(PyObject *object, PyObject *none)
{
    struct typed_object *self = (struct typed_object *)object;
    PyObject *list = PyList_New(0);
    const void *key, *value;
    int64_t at = 0;
    if (!list || !self->row)
        return list;
    for (int64_t i = 0; list && self->type->kind == TYPE_LIST && i < self->row->len;
            i++) {
        PyObject *item = py_box_kept(self->type->element, py_row_item(self->row, i));
        if (!item || PyList_Append(list, item) < 0)
            Py_CLEAR(list);
        Py_XDECREF(item);
    }
    while (list && type_is_container(self->type) && self->type->kind != TYPE_LIST &&
            py_table_next(self->type, self->row, &at, &key, &value)) {
        PyObject *item = py_box_kept(self->type->element, key);
        if (item && value)
            item = Py_BuildValue("NN", item, py_box_kept(self->type->cell.value, value));
        if (!item || PyList_Append(list, item) < 0)
            Py_CLEAR(list);
        Py_XDECREF(item);
    }
    return list;
}

// The field of the name; NULL with AttributeError set.
static const struct type_field *find_field(struct typed_object *self, PyObject *name)
{
    const char *text = PyUnicode_AsUTF8(name);
    const struct type_field *field =
            text && self->row ? type_cell_field(self->type, text) : NULL;
    if (!field && !PyErr_Occurred())
        PyErr_Format(PyExc_AttributeError, "'%s' object has no attribute '%U'",
                Py_TYPE(self)->tp_name, name);
    return field;
}

// _get(name), _set(name, value): fields
static PyObject *typed_get(PyObject *object, PyObject *name)
{
    struct typed_object *self = (struct typed_object *)object;
    const struct type_field *field = find_field(self, name);
    if (!field)
        return NULL;
    const char *place = (const char *)self->row->memory.data + field->offset_bytes;
    struct abi_row *inner;
    memcpy(&inner, place, type_is_object(field->type) ? sizeof inner : 0);
    if (type_is_object(field->type) && !inner)
        return PyErr_Format(
                PyExc_AttributeError, "the attribute '%U' is not set yet", name);
    return py_box_kept(field->type, place);
}

// Sets the field to the value; false with TypeError set, where it does not fit.
static bool set_field(
        struct typed_object *self, const struct type_field *field, PyObject *value)
{
    const struct type *given = py_typeof(value), *held = field->type;
    bool fits = given != type_pyobject && type_conversion(given, held) != CONVERT_NEVER;
    if (!fits) {
        PyErr_Format(PyExc_TypeError,
                "cannot set attribute '%s' of type %s to a value of type %s", field->name,
                field->type->name, given->name);
        return false;
    }
    struct abi_row *holder = py_list_create(held, 1);
    if (!holder || !py_row_add(holder, held, value)) {
        if (holder)
            gridcell_memory_release(&holder->memory);
        return false;
    }
    // an array of Python's is kept alive by memory of its own
    size_t size = abi_size(field->type);
    char *place = (char *)self->row->memory.data + field->offset_bytes;
    struct abi_array *array = py_row_item(holder, 0);
    if (field->type->kind == TYPE_ARRAY && !array->memory)
        array->memory = gridcell_array_keep(NULL, array->parent);
    for (size_t i = 0; i < size; i++) {
        char *new = py_row_item(holder, 0);
        char byte = place[i];
        place[i] = new[i];
        new[i] = byte;
    }
    gridcell_memory_release(&holder->memory);
    return true;
}

static PyObject *typed_set(PyObject *object, PyObject *args)
{
    struct typed_object *self = (struct typed_object *)object;
    PyObject *name, *value;
    if (!PyArg_ParseTuple(args, "UO", &name, &value))
        return NULL;
    const struct type_field *field = find_field(self, name);
    if (!field)
        return NULL;
    // a 0-d array stands for its item, as in compiled code
    bool is_item = PyArray_Check(value) && PyArray_NDIM((PyArrayObject *)value) == 0 &&
                   type_conversion(py_typeof(value), field->type) == CONVERT_NEVER;
    value = is_item ? PyArray_Return((PyArrayObject *)Py_NewRef(value))
                    : Py_NewRef(value);
    bool is_set = value && set_field(self, field, value);
    Py_XDECREF(value);
    return is_set ? Py_NewRef(Py_None) : NULL;
}

static PyObject *typed_get_type(PyObject *object, void *closure)
{
    const struct typed_object *self = (const struct typed_object *)object;
    if (!self->type)
        return no_type_yet();
    return py_type_wrap(self->type);
}

static PyObject *typed_has_type(PyObject *object, void *closure)
{
    return PyBool_FromLong(((struct typed_object *)object)->type != NULL);
}

static PyGetSetDef typed_getset[] = {
        {"_numba_type_", typed_get_type, NULL, "the type", NULL},
        {"_typed", typed_has_type, NULL, "whether the type is known", NULL},
        {0},
};

static PyMethodDef typed_methods[] = {
        {"_begin", typed_begin, METH_O, NULL},
        {"_snapshot", typed_snapshot, METH_NOARGS, NULL},
        {"_get", typed_get, METH_O, NULL},
        {"_set", typed_set, METH_VARARGS, NULL},
        {NULL, NULL, 0, NULL},
};

static PyMemberDef typed_members[] = {
        PY_DICT(struct typed_object),
        PY_WEAKREFS(struct typed_object),
        {0},
};

static PyType_Slot typed_slots[] = {
        {Py_tp_doc, "An object that compiled code shares with Python."},
        {Py_tp_dealloc, typed_dealloc},
        {Py_tp_traverse, typed_traverse},
        {Py_tp_clear, typed_clear},
        {Py_tp_getset, typed_getset},
        {Py_tp_methods, typed_methods},
        {Py_tp_members, typed_members},
        {0, NULL},
};

// --- Arrays of Python's in compiled containers

// Reads fields alone, as it is asked without the GIL.
bool py_parent_holds(const void *parent, const char *low, const char *high)
{
    PyArrayObject *array = (PyArrayObject *)parent;
    if (!py_numpy_is_loaded() || !PyArray_Check(array))
        return true;
    const char *first = PyArray_BYTES(array), *last = first;
    for (int i = 0; i < PyArray_NDIM(array); i++) {
        npy_intp way = (PyArray_DIM(array, i) - 1) * PyArray_STRIDE(array, i);
        if (PyArray_DIM(array, i) == 0)
            return false;
        *(way < 0 ? &first : &last) += way;
    }
    return low >= first && high <= last + PyArray_ITEMSIZE(array);
}

bool py_typed_init(struct runtime *runtime)
{
    runtime->typed_object_type =
            py_add_type("gridcell._gridcell.TypedObject", sizeof(struct typed_object),
                    Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC, typed_slots);
    return runtime->typed_object_type != NULL;
}
