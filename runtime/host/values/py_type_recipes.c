// SPDX-License-Identifier: MIT
// What makes a type again: its class and the arguments to call it with, as pickles keep
// them.
#include "base/py.h"

#include "compiler/types/datetime.h"
#include "runtime/host/values/py_type_attributes.h"
#include "runtime/host/values/py_values.h"

static PyObject *named_recipe(const struct type *type)
{
    return Py_BuildValue("(s)", type->name);
}

static PyObject *time_recipe(const struct type *type)
{
    char name[TIME_STEP_NAME];
    time_step_name(type, name);
    return Py_BuildValue("(s)", name);
}

static PyObject *array_recipe(const struct type *type)
{
    static const char *const layouts[] = {"C", "F", "A"};
    return Py_BuildValue("(NisNON)", py_type_wrap(type->element), type->array.ndim,
            layouts[type->array.layout], PyBool_FromLong(type->array.is_readonly),
            Py_None, PyBool_FromLong(type->array.is_aligned));
}

static PyObject *tuple_recipe(const struct type *type)
{
    if (type->name[0] == 'U' && type->tuple.len)
        return Py_BuildValue(
                "(Nn)", py_type_wrap(type->tuple.items[0]), (Py_ssize_t)type->tuple.len);
    return Py_BuildValue("(N)", py_type_tuple(type->tuple.items, type->tuple.len));
}

static PyObject *dict_recipe(const struct type *type)
{
    return Py_BuildValue(
            "(NN)", py_type_wrap(type->element), py_type_wrap(type->cell.value));
}

static PyObject *element_recipe(const struct type *type)
{
    return type->element ? Py_BuildValue("(N)", py_type_wrap(type->element))
                         : Py_BuildValue("(s)", "voidptr");
}

static PyObject *function_recipe(const struct type *type)
{
    return Py_BuildValue(
            "(N)", py_signature_new(type->element, type->tuple.items, type->tuple.len));
}

static PyObject *record_recipe(const struct type *type)
{
    return Py_BuildValue("(N)", py_dtype_from_type(type));
}

// By kind; NULL: its name.
static PyObject *(*const recipes[TYPE_KIND_COUNT])(const struct type *type) = {
        [TYPE_TUPLE] = tuple_recipe,
        [TYPE_ARRAY] = array_recipe,
        [TYPE_OPTIONAL] = element_recipe,
        [TYPE_RECORD] = record_recipe,
        [TYPE_TIME] = time_recipe,
        [TYPE_POINTER] = element_recipe,
        [TYPE_MEMINFO] = element_recipe,
        [TYPE_CALLABLE] = function_recipe,
        [TYPE_FOREIGN] = function_recipe,
        [TYPE_LIST] = element_recipe,
        [TYPE_SET] = element_recipe,
        [TYPE_DICT] = dict_recipe,
        [TYPE_CLASS] = element_recipe,
};

static PyObject *recipe_of(const struct type *type)
{
    return recipes[type->kind] ? recipes[type->kind](type) : named_recipe(type);
}

// Types that their class does not make: what does, of a class of the program's or a
// length. NULL without an error: other types.
static PyObject *reduce_classed(const struct type *type)
{
    if (type->kind == TYPE_TUPLE && type->tuple.class_object) {
        PyObject *make = PyObject_GetAttrString(py_runtime()->module, "named_tuple_type");
        return Py_BuildValue("N(ON)", make, type->tuple.class_object,
                py_type_tuple(type->tuple.items, type->tuple.len));
    }
    if (type->kind == TYPE_ENUM && type->enumeration.class_object) {
        PyObject *make = py_import_attr("numba.core.typing.makers", "of_members");
        return Py_BuildValue("N(O)", make, type->enumeration.class_object);
    }
    if (type == type_bytes)
        return Py_BuildValue(
                "N()", py_import_attr("numba.core.typing.makers", "bytes_type"));
    const char *name = type->kind == TYPE_ELLIPSIS ? "ellipsis"
                       : type->kind != TYPE_SLICE  ? NULL
                       : type->has_step            ? "slice3_type"
                                                   : "slice2_type";
    if (name)
        return Py_BuildValue(
                "N(s)", py_import_attr("numba.core.typing.makers", "predefined"), name);
    if (type->kind == TYPE_CELLS) {
        bool is_bytes = type->element == type_bytes;
        PyObject *make = py_import_attr(
                "numba.core.typing.makers", is_bytes ? "char_seq" : "unicode_char_seq");
        return Py_BuildValue("N(i)", make, type->bits / (is_bytes ? 8 : 32));
    }
    return NULL;
}

PyObject *py_type_recipe(PyObject *self)
{
    const struct type *type = ((struct py_type *)self)->type;
    PyObject *classed = reduce_classed(type);
    if (classed || PyErr_Occurred())
        return classed;
    PyObject *args = recipe_of(type);
    PyObject *pair = args ? PyTuple_Pack(2, (PyObject *)Py_TYPE(self), args) : NULL;
    Py_XDECREF(args);
    return pair;
}
