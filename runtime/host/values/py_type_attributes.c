// SPDX-License-Identifier: MIT
// What types of numba.types tell of themselves: attributes, and methods of a class alone.
#include "base/py.h"

#include "base/memory.h"
#include "compiler/types/datetime.h"
#include "runtime/host/values/py_type_attributes.h"
#include "runtime/host/values/py_values.h"

static const struct type *type_of(PyObject *self)
{
    return ((struct py_type *)self)->type;
}

// Objects of classes that programs derive have no type of the class's kind: none at
// first, then one of their own. NULL with an error for these.
static const struct type *made_type(PyObject *self, const char *attribute)
{
    const struct type *type = type_of(self);
    if (type && type->kind != TYPE_EXTENSION)
        return type;
    PyErr_Format(PyExc_AttributeError,
            "'%s' object has no attribute '%s': its class is derived from one of numba's "
            "types, and has what it defines itself",
            Py_TYPE(self)->tp_name, attribute);
    return NULL;
}

static PyObject *get_if_made(PyObject *self, void *row)
{
    const PyGetSetDef *getter = row;
    return made_type(self, getter->name) ? getter->get(self, NULL) : NULL;
}

PyGetSetDef *py_getters_of_made(PyGetSetDef *getters)
{
    size_t count = 0;
    while (getters[count].name)
        count++;
    PyGetSetDef *rows = memory_zalloc((count + 1) * sizeof *rows);
    for (size_t i = 0; i < count; i++) {
        rows[i] = getters[i];
        rows[i].get = get_if_made;
        rows[i].closure = &getters[i];
    }
    return rows; // the class keeps them
}

// A literal has what its value's type has.
static const struct type *number_of(PyObject *self)
{
    const struct type *type = type_of(self);
    return type->kind == TYPE_LITERAL ? type->element : type;
}

static PyObject *get_bitwidth(PyObject *self, void *closure)
{
    return PyLong_FromLong(number_of(self)->bits);
}

static PyObject *get_signed(PyObject *self, void *closure)
{
    return PyBool_FromLong(number_of(self)->is_signed);
}

static PyObject *get_element(PyObject *self, void *closure)
{
    const struct type *element = type_of(self)->element;
    if (!element)
        Py_RETURN_NONE;
    return py_type_wrap(element);
}

static PyObject *get_ndim(PyObject *self, void *closure)
{
    return PyLong_FromLong(type_of(self)->array.ndim);
}

static PyObject *get_layout(PyObject *self, void *closure)
{
    static const char *const names[] = {"C", "F", "A"};
    return PyUnicode_FromString(names[type_of(self)->array.layout]);
}

static PyObject *get_mutable(PyObject *self, void *closure)
{
    return PyBool_FromLong(!type_of(self)->array.is_readonly);
}

static PyObject *get_aligned(PyObject *self, void *closure)
{
    return PyBool_FromLong(type_of(self)->array.is_aligned);
}

static PyObject *get_is_contig(PyObject *self, void *closure)
{
    return PyBool_FromLong(type_of(self)->array.layout != LAYOUT_A);
}

static PyObject *get_is_c_contig(PyObject *self, void *closure)
{
    const struct type *type = type_of(self);
    return PyBool_FromLong(type->array.layout == LAYOUT_C);
}

static PyObject *get_types(PyObject *self, void *closure)
{
    return py_type_tuple(type_of(self)->tuple.items, type_of(self)->tuple.len);
}

static PyObject *get_count(PyObject *self, void *closure)
{
    return PyLong_FromSize_t(type_of(self)->tuple.len);
}

static PyObject *get_first_item(PyObject *self, void *closure)
{
    if (!type_of(self)->tuple.len)
        Py_RETURN_NONE;
    return py_type_wrap(type_of(self)->tuple.items[0]);
}

Py_ssize_t py_tuple_type_len(PyObject *self)
{
    const struct type *type = made_type(self, "__len__");
    return type ? (Py_ssize_t)type->tuple.len : -1;
}

PyObject *py_tuple_type_item(PyObject *self, Py_ssize_t index)
{
    const struct type *type = made_type(self, "__getitem__");
    if (!type)
        return NULL;
    if (index < 0 || (size_t)index >= type->tuple.len) {
        PyErr_SetString(PyExc_IndexError, "tuple index out of range");
        return NULL;
    }
    return py_type_wrap(type->tuple.items[index]);
}

static PyObject *get_record_size(PyObject *self, void *closure)
{
    return PyLong_FromSize_t(type_of(self)->record.size_bytes);
}

// A list of (name, type, offset, title); of nested arrays (type of the items, shape).
static PyObject *get_record_members(PyObject *self, void *closure)
{
    const struct type *type = type_of(self);
    PyObject *list = PyList_New(0);
    for (size_t i = 0; list && i < type->record.len; i++) {
        const struct type_field *field = &type->record.fields[i];
        PyObject *member = Py_BuildValue("(sNnz)", field->name,
                py_field_with_shape(py_type_wrap(field->type), field),
                (Py_ssize_t)field->offset_bytes, field->title);
        if (!member || PyList_Append(list, member) < 0)
            Py_CLEAR(list);
        Py_XDECREF(member);
    }
    return list;
}

static PyObject *get_record_dtype(PyObject *self, void *closure)
{
    return py_dtype_from_type(type_of(self));
}

// Array.copy(dtype=None, ndim=None, layout=None, readonly=None): the type with some parts
// changed.
static PyObject *array_copy(PyObject *self, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"dtype", "ndim", "layout", "readonly", NULL};
    const struct type *type = made_type(self, "copy"),
                      *dtype = type ? type->element : NULL;
    PyObject *new_dtype = Py_None, *ndim = Py_None, *layout = Py_None,
             *readonly = Py_None;
    if (!type || !PyArg_ParseTupleAndKeywords(args, kwargs, "|OOOO", names, &new_dtype,
                         &ndim, &layout, &readonly))
        return NULL;
    if (new_dtype != Py_None && !(dtype = py_type_from(new_dtype)))
        return NULL;
    long dims = ndim == Py_None ? type->array.ndim : PyLong_AsLong(ndim);
    enum array_layout order = type->array.layout;
    if (layout != Py_None) {
        const char *text = PyUnicode_AsUTF8(layout);
        if (!text)
            return NULL;
        order = *text == 'C' ? LAYOUT_C : *text == 'F' ? LAYOUT_F : LAYOUT_A;
    }
    int is_readonly =
            readonly == Py_None ? type->array.is_readonly : PyObject_IsTrue(readonly);
    if (PyErr_Occurred())
        return NULL;
    return py_type_wrap(type_array_in(dtype, (int)dims, order, is_readonly > 0,
            type->array.is_aligned, type->array.address_space));
}

PyGetSetDef py_bits_getset[] = {
        PY_GETTER("bitwidth", get_bitwidth),
        {0},
};
PyGetSetDef py_integer_getset[] = {
        PY_GETTER("bitwidth", get_bitwidth),
        PY_GETTER("signed", get_signed),
        {0},
};
PyGetSetDef py_complex_getset[] = {
        PY_GETTER("bitwidth", get_bitwidth),
        PY_GETTER("underlying_float", get_element),
        {0},
};
PyGetSetDef py_array_getset[] = {
        PY_GETTER("dtype", get_element),
        PY_GETTER("ndim", get_ndim),
        PY_GETTER("layout", get_layout),
        PY_GETTER("mutable", get_mutable),
        PY_GETTER("aligned", get_aligned),
        PY_GETTER("is_contig", get_is_contig),
        PY_GETTER("is_c_contig", get_is_c_contig),
        {0},
};
PyMethodDef py_array_methods[] = {
        {"copy", PY_KEYWORDS(array_copy), "The type with some of its parts changed."},
        {NULL, NULL, 0, NULL},
};
// The class of a named tuple; of others tuple
static PyObject *get_instance_class(PyObject *self, void *closure)
{
    PyObject *class = type_of(self)->tuple.class_object;
    return Py_NewRef(class ? class : (PyObject *)&PyTuple_Type);
}

PyGetSetDef py_tuple_getset[] = {
        PY_GETTER("instance_class", get_instance_class),
        PY_GETTER("types", get_types),
        PY_GETTER("count", get_count),
        {0},
};
// The keys of a display of a dict
static PyObject *get_fields(PyObject *self, void *closure)
{
    const struct type *type = type_of(self);
    PyObject *names = PyTuple_New((Py_ssize_t)type->tuple.len);
    for (size_t i = 0; names && i < type->tuple.len; i++)
        py_tuple_put(&names, (Py_ssize_t)i, PyUnicode_FromString(type->tuple.names[i]));
    return names;
}

PyGetSetDef py_mixed_getset[] = {
        PY_GETTER("types", get_types),
        PY_GETTER("count", get_count),
        PY_GETTER("fields", get_fields),
        {0},
};
PyGetSetDef py_uniform_tuple_getset[] = {
        PY_GETTER("instance_class", get_instance_class),
        PY_GETTER("types", get_types),
        PY_GETTER("count", get_count),
        PY_GETTER("dtype", get_first_item),
        {0},
};
PyGetSetDef py_optional_getset[] = {
        PY_GETTER("type", get_element),
        {0},
};
PyGetSetDef py_pointer_getset[] = {
        PY_GETTER("dtype", get_element),
        {0},
};
PyGetSetDef py_class_getset[] = {
        PY_GETTER("instance_type", get_element),
        PY_GETTER("dtype", get_element),
        {0},
};
PyGetSetDef py_record_getset[] = {
        PY_GETTER("size", get_record_size),
        PY_GETTER("_parts", get_record_members),
        PY_GETTER("dtype", get_record_dtype),
        {0},
};

static PyObject *get_value(PyObject *self, void *closure)
{
    return py_type_wrap(type_of(self)->cell.value);
}

static PyObject *get_signature(PyObject *self, void *closure)
{
    const struct type *type = type_of(self);
    return py_signature_new(type->element, type->tuple.items, type->tuple.len);
}

static PyObject *get_unit(PyObject *self, void *closure)
{
    char name[TIME_STEP_NAME];
    time_step_name(type_of(self), name);
    return PyUnicode_FromString(name);
}

static PyObject *get_unit_code(PyObject *self, void *closure)
{
    return PyLong_FromLong(type_of(self)->time.unit);
}

PyGetSetDef py_list_getset[] = {
        PY_GETTER("dtype", get_element),
        PY_GETTER("item_type", get_element),
        {0},
};
PyGetSetDef py_dict_getset[] = {
        PY_GETTER("key_type", get_element),
        PY_GETTER("value_type", get_value),
        {0},
};
PyGetSetDef py_function_getset[] = {
        PY_GETTER("signature", get_signature),
        PY_GETTER("sig", get_signature),
        {0},
};
PyGetSetDef py_time_getset[] = {
        PY_GETTER("unit", get_unit),
        PY_GETTER("unit_code", get_unit_code),
        {0},
};

// --- What stands for an object of Python's

// The module, by the name that the type has of it. The compiler takes some namespaces
// that are no modules, such as cuda.atomic, for modules, too.
static PyObject *get_module(PyObject *self, void *closure)
{
    const char *name = type_of(self)->function;
    PyObject *text = PyUnicode_FromString(name ? name : "");
    PyObject *module = text ? PyImport_GetModule(text) : NULL;
    Py_XDECREF(text);
    if (!module && !PyErr_Occurred())
        PyErr_Format(PyExc_AttributeError, "%s is no module that is imported",
                type_of(self)->name);
    return module;
}

static PyObject *get_enum_class(PyObject *self, void *closure)
{
    PyObject *class = type_of(self)->enumeration.class_object;
    return class ? Py_NewRef(class)
                 : PyErr_Format(PyExc_AttributeError, "%s has no class in Python",
                           type_of(self)->name);
}

PyGetSetDef py_module_getset[] = {
        PY_GETTER("pymod", get_module),
        {0},
};
PyGetSetDef py_enum_getset[] = {
        PY_GETTER("instance_class", get_enum_class),
        PY_GETTER("dtype", get_element),
        {0},
};
