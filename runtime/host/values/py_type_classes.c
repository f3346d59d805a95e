// SPDX-License-Identifier: MIT
// The classes of numba.types below Type (Integer, Array, UniTuple, ...), and how
// users make types by calling them.
#include "base/py.h"

#include <string.h>

#include "base/str.h"
#include "compiler/types/datetime.h"
#include "runtime/host/values/py_type_attributes.h"
#include "runtime/host/values/py_values.h"

// --- making types by calling the classes

// What numba.core.described_types makes of the arguments that numba's class takes: types
// that code has no values of, or that are there under another name.
static PyObject *new_described(PyTypeObject *class, PyObject *args, PyObject *kwargs)
{
    PyObject *make = py_import_attr("numba.core.described_types", "make");
    PyObject *first = make ? PyTuple_Pack(1, class) : NULL;
    PyObject *all = first ? PySequence_Concat(first, args) : NULL;
    PyObject *type = all ? PyObject_Call(make, all, kwargs) : NULL;
    Py_XDECREF(all);
    Py_XDECREF(first);
    Py_XDECREF(make);
    return type;
}

static PyObject *new_scalar(PyTypeObject *class, PyObject *args, PyObject *kwargs)
{
    const char *name;
    if (PyTuple_GET_SIZE(args) != 1 || kwargs)
        return new_described(class, args, kwargs);
    if (!PyArg_ParseTuple(args, "s", &name))
        return NULL;
    PyObject *names = PyObject_GetAttrString(py_runtime()->module, "type_names");
    PyObject *type = NULL;
    if (names && py_dict_get_text(names, name, &type) == 0)
        type = new_described(class, args, NULL);
    Py_XDECREF(names);
    return type;
}

// What numba.core.typing.makers makes of the arguments.
static PyObject *make_by(const char *maker, PyObject *args, PyObject *kwargs)
{
    PyObject *function = py_import_attr("numba.core.typing.makers", maker);
    PyObject *type = function ? PyObject_Call(function, args, kwargs) : NULL;
    Py_XDECREF(function);
    return type;
}

static bool is_nested_array(PyObject *dtype)
{
    return !strcmp(Py_TYPE(dtype)->tp_name, "NestedArray");
}

static PyObject *new_array(PyTypeObject *class, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {
            "dtype", "ndim", "layout", "readonly", "name", "aligned", NULL};
    PyObject *dtype_object, *name = NULL;
    int ndim, is_readonly = 0, is_aligned = 1;
    const char *layout;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "Ois|pOp", names, &dtype_object, &ndim,
                &layout, &is_readonly, &name, &is_aligned))
        return NULL;
    if (is_nested_array(dtype_object))
        return make_by("array_of_arrays", args, kwargs);
    const struct type *dtype = py_type_from(dtype_object);
    if (!dtype)
        return NULL;
    if (ndim < 0 || ndim > 32 || strlen(layout) != 1 || !strchr("CFA", *layout)) {
        PyErr_Format(PyExc_ValueError, "invalid layout '%s' or number of dimensions %d",
                layout, ndim);
        return NULL;
    }
    enum array_layout order = (enum array_layout)strcspn("CFA", layout);
    return py_type_wrap(type_array_in(dtype, ndim, order, is_readonly, is_aligned, 0));
}

static PyObject *new_uniform_tuple(PyTypeObject *class, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"dtype", "count", NULL};
    PyObject *dtype;
    Py_ssize_t count;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "On", names, &dtype, &count))
        return NULL;
    const struct type *item = py_type_from(dtype);
    if (!item)
        return NULL;
    if (count < 0 || count > 100000)
        return PyErr_Format(PyExc_ValueError, "invalid tuple length %zd", count);
    const struct type **items = PyMem_Calloc((size_t)count + 1, sizeof *items);
    if (!items)
        return PyErr_NoMemory();
    for (Py_ssize_t i = 0; i < count; i++)
        items[i] = item;
    PyObject *type = py_type_wrap(type_tuple(items, (size_t)count));
    PyMem_Free(items);
    return type;
}

static PyObject *new_tuple(PyTypeObject *class, PyObject *args, PyObject *kwargs)
{
    PyObject *sequence, *tuple = NULL;
    if (PyArg_ParseTuple(args, "O", &sequence))
        tuple = PySequence_Tuple(sequence);
    const struct type *type = tuple ? py_type_or_tuple(tuple) : NULL;
    Py_XDECREF(tuple);
    return type ? py_type_wrap(type) : NULL;
}

// Classes over one other type.
static PyObject *new_over(PyObject *args, const struct type *(*make)(const struct type *))
{
    PyObject *object;
    if (!PyArg_ParseTuple(args, "O", &object))
        return NULL;
    const struct type *element = py_type_or_tuple(object);
    return element ? py_type_wrap(make(element)) : NULL;
}

static PyObject *new_optional(PyTypeObject *class, PyObject *args, PyObject *kwargs)
{
    return new_over(args, type_optional);
}

static PyObject *new_pointer(PyTypeObject *class, PyObject *args, PyObject *kwargs)
{
    return new_over(args, type_pointer);
}

static PyObject *new_meminfo(PyTypeObject *class, PyObject *args, PyObject *kwargs)
{
    return new_over(args, type_meminfo);
}

// What a class or function of numba.core.types gives for two objects.
static PyObject *made_by(const char *name, PyObject *one, PyObject *other)
{
    PyObject *make = py_import_attr("numba.core.types", name);
    PyObject *made = make ? PyObject_CallFunctionObjArgs(make, one, other, NULL) : NULL;
    Py_XDECREF(make);
    return made;
}

// The type of values that are known to have begun as `initial`, unless that is None.
static PyObject *begun(const struct type *type, PyObject *initial)
{
    PyObject *plain = py_type_wrap(type);
    if (initial == Py_None || !plain)
        return plain;
    PyObject *made = made_by("_Begun", plain, initial);
    Py_DECREF(plain);
    return made;
}

// ListType(item), SetType(item), and the plain ones: List(item, reflected=False)
static PyObject *new_list(PyTypeObject *class, PyObject *args, PyObject *kwargs)
{
    int is_reflected = 0;
    PyObject *dtype, *initial = Py_None;
    static char *names[] = {"dtype", "reflected", "initial_value", NULL};
    if (!PyArg_ParseTupleAndKeywords(
                args, kwargs, "O|pO", names, &dtype, &is_reflected, &initial))
        return NULL;
    const struct type *item = py_type_or_tuple(dtype);
    const char *name = strrchr(class->tp_name, '.') ? strrchr(class->tp_name, '.') + 1
                                                    : class->tp_name;
    bool is_typed = strstr(name, "Type") != NULL;
    if (!item)
        return NULL;
    return begun(name[0] == 'L' ? type_list(item, is_typed) : type_set(item, is_typed),
            initial);
}

static PyObject *new_dict(PyTypeObject *class, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"keyty", "valty", "initial_value", NULL};
    PyObject *key, *value, *initial = Py_None;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "OO|O", names, &key, &value, &initial))
        return NULL;
    const struct type *keys = py_type_from(key);
    const struct type *values = keys ? py_type_from(value) : NULL;
    if (keys && keys->kind == TYPE_CELLS) // items of arrays of texts are texts
        keys = keys->element;
    return values ? begun(type_dict(keys, values, true), initial) : NULL;
}

// LiteralList(types), LiteralStrKeyDict({literal: type})
static PyObject *new_mixed(PyTypeObject *class, PyObject *args, PyObject *kwargs)
{
    PyObject *types, *initial, *order; // what a display began as, which these do not keep
    return PyArg_ParseTuple(args, "O|OO", &types, &initial, &order)
                   ? made_by("_mixed", (PyObject *)class, types)
                   : NULL;
}

static PyMethodDef instance_methods[] = {
        {"define", py_type_define, METH_O, "Say what a deferred type stands for."},
        {NULL, NULL, 0, NULL},
};
static PyObject *new_function(PyTypeObject *class, PyObject *args, enum type_kind kind)
{
    PyObject *object, *get_pointer, *convention; // of functions of C: as all are here
    const struct type **params = NULL;
    size_t count = 0;
    if (!PyArg_ParseTuple(args, kind == TYPE_FOREIGN ? "O!|OO" : "O!",
                py_runtime()->signature_type, &object, &get_pointer, &convention))
        return NULL;
    struct py_signature *signature = (struct py_signature *)object;
    if (!signature->returns)
        return PyErr_Format(
                PyExc_TypeError, "%s needs a return type: %R", class->tp_name, object);
    if (!py_types_from_sequence(signature->args, &params, &count))
        return NULL;
    const struct type *type =
            type_function_value(kind, signature->returns, params, count);
    PyMem_Free(params);
    return py_type_wrap(type);
}

// FunctionType(signature)
static PyObject *new_callable(PyTypeObject *class, PyObject *args, PyObject *kwargs)
{
    return new_function(class, args, TYPE_CALLABLE);
}

// ExternalFunctionPointer(signature)
static PyObject *new_foreign(PyTypeObject *class, PyObject *args, PyObject *kwargs)
{
    return new_function(class, args, TYPE_FOREIGN);
}

static PyObject *new_time(PyObject *args, bool is_delta)
{
    const char *name;
    Py_ssize_t len;
    if (!PyArg_ParseTuple(args, "s#", &name, &len))
        return NULL;
    int multiple;
    enum time_unit unit = time_step_named(name, (size_t)len, &multiple);
    if (unit == TIME_NO_UNIT)
        return PyErr_Format(PyExc_ValueError, "no unit of time is named '%s'", name);
    return py_type_wrap(type_time((int)unit, multiple, is_delta));
}

// NPDatetime(unit)
static PyObject *new_date(PyTypeObject *class, PyObject *args, PyObject *kwargs)
{
    return new_time(args, false);
}

// NPTimedelta(unit)
static PyObject *new_span(PyTypeObject *class, PyObject *args, PyObject *kwargs)
{
    return new_time(args, true);
}

static PyObject *new_class(PyTypeObject *class, PyObject *args, PyObject *kwargs)
{
    return new_over(args, type_class);
}

static PyObject *new_record(PyTypeObject *class, PyObject *args, PyObject *kwargs)
{
    PyObject *dtype;
    if (PyTuple_GET_SIZE(args) != 1 || kwargs) // as numba's class is called
        return make_by("record_of", args, kwargs);
    if (!PyArg_ParseTuple(args, "O", &dtype))
        return NULL;
    const struct type *type = py_type_from(dtype);
    return type ? py_type_wrap(type) : NULL;
}

static PyObject *new_enum(PyTypeObject *class, PyObject *args, PyObject *kwargs)
{
    return make_by("enum_member", args, kwargs);
}

// Module(module)
static PyObject *new_module(PyTypeObject *class, PyObject *args, PyObject *kwargs)
{
    PyObject *module;
    if (!PyArg_ParseTuple(args, "O!", &PyModule_Type, &module))
        return NULL;
    const char *name = PyModule_GetName(module);
    return name ? py_type_wrap(type_module_of(name)) : NULL;
}

// --- the classes

enum {
    NO_KIND = -1,
    UNIFORM_TUPLE = -2,
    RAW_POINTER = -3,
    NUMBER = -4,
    BASE_TUPLE = -5,
    TYPED_LIST = -6,
    TYPED_SET = -7,
    TIMEDELTA = -8,
    MIXED_LIST = -9,
    MIXED_DISPLAY_DICT = -10,
    BYTES = -11
};

static const struct class_row {
    const char *name;
    int kind;   // enum type_kind, or one of the above
    int parent; // kind of an earlier row, NO_KIND for Type
    newfunc make;
    PyGetSetDef *getset;
    PyMethodDef *methods;
} class_rows[] = {
        {"numba.core.types.Number", NUMBER, NO_KIND, new_described, NULL, NULL},
        {"numba.core.types.Integer", TYPE_INT, NUMBER, new_scalar, py_integer_getset,
                NULL},
        {"numba.core.types.Float", TYPE_FLOAT, NUMBER, new_scalar, py_bits_getset, NULL},
        {"numba.core.types.Complex", TYPE_COMPLEX, NUMBER, new_scalar, py_complex_getset,
                NULL},
        {"numba.core.types.Boolean", TYPE_BOOL, NO_KIND, new_scalar, py_bits_getset,
                NULL},
        {"numba.core.types.NoneType", TYPE_NONE, NO_KIND, new_scalar, NULL, NULL},
        {"numba.core.types.UnicodeType", TYPE_STRING, NO_KIND, new_scalar, NULL, NULL},
        {"numba.core.types.Bytes", BYTES, NO_KIND, new_described, NULL, NULL},
        {"numba.core.types.BaseTuple", BASE_TUPLE, NO_KIND, new_described, NULL, NULL},
        {"numba.core.types.UniTuple", UNIFORM_TUPLE, BASE_TUPLE, new_uniform_tuple,
                py_uniform_tuple_getset, NULL},
        {"numba.core.types.Tuple", TYPE_TUPLE, BASE_TUPLE, new_tuple, py_tuple_getset,
                NULL},
        {"numba.core.types.LiteralList", MIXED_LIST, NO_KIND, new_mixed, py_mixed_getset,
                NULL},
        {"numba.core.types.LiteralStrKeyDict", MIXED_DISPLAY_DICT, NO_KIND, new_mixed,
                py_mixed_getset, NULL},
        {"numba.core.types.Array", TYPE_ARRAY, NO_KIND, new_array, py_array_getset,
                py_array_methods},
        {"numba.core.types.Optional", TYPE_OPTIONAL, NO_KIND, new_optional,
                py_optional_getset, NULL},
        {"numba.core.types.List", TYPE_LIST, NO_KIND, new_list, py_list_getset, NULL},
        {"numba.core.types.ListType", TYPED_LIST, NO_KIND, new_list, py_list_getset,
                NULL},
        {"numba.core.types.Set", TYPE_SET, NO_KIND, new_list, py_list_getset, NULL},
        {"numba.core.types.SetType", TYPED_SET, NO_KIND, new_list, py_list_getset, NULL},
        {"numba.core.types.DictType", TYPE_DICT, NO_KIND, new_dict, py_dict_getset, NULL},
        {"numba.core.types.ClassInstanceType", TYPE_INSTANCE, NO_KIND, new_described,
                NULL, instance_methods},
        {"numba.core.types.SliceType", TYPE_SLICE, NO_KIND, new_scalar, NULL, NULL},
        {"numba.core.types.RangeType", TYPE_RANGE, NO_KIND, new_described, NULL, NULL},
        {"numba.core.types.EnumerateType", TYPE_ENUMERATE, NO_KIND, new_described, NULL,
                NULL},
        {"numba.core.types.ZipType", TYPE_ZIP, NO_KIND, new_described, NULL, NULL},
        {"numba.core.types.NumpyNdIndexType", TYPE_INDICES, NO_KIND, new_described, NULL,
                NULL},
        {"numba.core.types.NumpyNdIterType", TYPE_VIEWS, NO_KIND, new_described, NULL,
                NULL},
        {"numba.core.types.NumpyFlatType", TYPE_FLAT, NO_KIND, new_described, NULL, NULL},
        {"numba.core.types.IteratorType", TYPE_ITERATOR, NO_KIND, new_described, NULL,
                NULL},
        {"numba.core.types.Dim3", TYPE_DIM3, NO_KIND, new_described, NULL, NULL},
        {"numba.core.types.Record", TYPE_RECORD, NO_KIND, new_record, py_record_getset,
                NULL},
        {"numba.core.types.NPDatetime", TYPE_TIME, NO_KIND, new_date, py_time_getset,
                NULL},
        {"numba.core.types.NPTimedelta", TIMEDELTA, NO_KIND, new_span, py_time_getset,
                NULL},
        {"numba.core.types.Bfloat16", TYPE_BFLOAT, NO_KIND, new_scalar, NULL, NULL},
        {"numba.core.types.EnumMember", TYPE_ENUM, NO_KIND, new_enum, py_enum_getset,
                NULL},
        {"numba.core.types.CPointer", TYPE_POINTER, NO_KIND, new_pointer,
                py_pointer_getset, NULL},
        {"numba.core.types.MemInfoPointer", TYPE_MEMINFO, NO_KIND, new_meminfo,
                py_pointer_getset, NULL},
        {"numba.core.types.FunctionType", TYPE_CALLABLE, NO_KIND, new_callable,
                py_function_getset, NULL},
        {"numba.core.types.ExternalFunctionPointer", TYPE_FOREIGN, NO_KIND, new_foreign,
                py_function_getset, NULL},
        {"numba.core.types.RawPointer", RAW_POINTER, NO_KIND, new_scalar, NULL, NULL},
        {"numba.core.types.EllipsisType", TYPE_ELLIPSIS, NO_KIND, new_scalar, NULL, NULL},
        {"numba.core.types.Module", TYPE_MODULE, NO_KIND, new_module, py_module_getset,
                NULL},
        {"numba.core.types.Function", TYPE_FUNCTION, NO_KIND, new_described, NULL, NULL},
        {"numba.core.types.Dispatcher", TYPE_DISPATCHER, NO_KIND, new_described, NULL,
                NULL},
        {"numba.core.types.NumberClass", TYPE_CLASS, NO_KIND, new_class, py_class_getset,
                NULL},
        {"numba.core.types.BoundFunction", TYPE_METHOD, NO_KIND, new_described, NULL,
                NULL},
        {"numba.core.types.ExceptionClass", TYPE_EXCEPTION, NO_KIND, new_described, NULL,
                NULL},
        {"numba.core.types.PyObject", TYPE_PYOBJECT, NO_KIND, new_scalar, NULL, NULL},
};

enum { CLASS_ROWS = sizeof class_rows / sizeof *class_rows };

// Objects of classes that programs derive have a type when they are first asked for.
static PyObject *class_new(PyTypeObject *class, PyObject *args, PyObject *kwargs)
{
    for (int i = 0; i < CLASS_ROWS; i++)
        if (!strcmp(class_rows[i].name, class->tp_name))
            return class_rows[i].make(class, args, kwargs);
    return class->tp_alloc(class, 0);
}

static PyTypeObject *make_class(const struct class_row *row, PyTypeObject *parent)
{
    bool is_tuple = row->getset == py_mixed_getset || row->parent == BASE_TUPLE;
    PyType_Slot slots[6] = {{Py_tp_new, class_new}};
    int count = 1;
    if (row->getset)
        slots[count++] = (PyType_Slot){Py_tp_getset, py_getters_of_made(row->getset)};
    if (row->methods)
        slots[count++] = (PyType_Slot){Py_tp_methods, row->methods};
    if (is_tuple) {
        slots[count++] = (PyType_Slot){Py_sq_length, py_tuple_type_len};
        slots[count++] = (PyType_Slot){Py_sq_item, py_tuple_type_item};
    }
    return py_add_subtype(
            parent, row->name, sizeof(struct py_type), Py_TPFLAGS_BASETYPE, slots);
}

static PyTypeObject *class_of_kind(PyTypeObject *const *made, int kind)
{
    for (int i = 0; i < CLASS_ROWS; i++)
        if (class_rows[i].kind == kind)
            return made[i];
    return py_runtime()->type_type;
}

bool py_type_classes_init(struct runtime *runtime)
{
    PyTypeObject *made[CLASS_ROWS] = {0};
    for (int i = 0; i < CLASS_ROWS; i++) {
        made[i] = make_class(&class_rows[i], class_of_kind(made, class_rows[i].parent));
        if (!made[i])
            return false;
        if (class_rows[i].kind >= 0)
            runtime->kind_types[class_rows[i].kind] = made[i];
    }
    runtime->uniform_tuple_type = class_of_kind(made, UNIFORM_TUPLE);
    runtime->mixed_list_type = class_of_kind(made, MIXED_LIST);
    runtime->mixed_dict_type = class_of_kind(made, MIXED_DISPLAY_DICT);
    runtime->timedelta_type = class_of_kind(made, TIMEDELTA);
    runtime->raw_pointer_type = class_of_kind(made, RAW_POINTER);
    runtime->typed_list_type = class_of_kind(made, TYPED_LIST);
    runtime->typed_set_type = class_of_kind(made, TYPED_SET);
    runtime->bytes_type = class_of_kind(made, BYTES);
    return true;
}

static PyTypeObject *class_of_literal(struct runtime *runtime, const struct type *base)
{
    Py_ssize_t place = !base || !runtime->literal_types ? -1
                       : base == type_bool              ? 1
                       : base == type_string            ? 2
                       : base->kind == TYPE_INT         ? 0
                                                        : -1;
    return place < 0 ? NULL
                     : (PyTypeObject *)PyTuple_GET_ITEM(runtime->literal_types, place);
}

PyTypeObject *py_type_class(const struct type *type)
{
    struct runtime *runtime = py_runtime();
    PyTypeObject *class = runtime->kind_types[type->kind];
    if (type->kind == TYPE_TUPLE && str_starts_with(type->name, "UniTuple"))
        class = runtime->uniform_tuple_type;
    if (type->kind == TYPE_TUPLE && !type->tuple.class_object)
        class = str_starts_with(type->name, "LiteralList(") ? runtime->mixed_list_type
                : str_starts_with(type->name, "LiteralStrKeyDict[")
                        ? runtime->mixed_dict_type
                        : class;
    if (type->kind == TYPE_LITERAL)
        class = class_of_literal(runtime, type->element);
    if (type->kind == TYPE_LIST && type->cell.is_typed)
        class = runtime->typed_list_type;
    if (type->kind == TYPE_SET && type->cell.is_typed)
        class = runtime->typed_set_type;
    if (type->kind == TYPE_TIME && type->time.is_delta)
        class = runtime->timedelta_type;
    if (type == type_voidptr)
        class = runtime->raw_pointer_type;
    if (type == type_bytes)
        class = runtime->bytes_type;
    return class ? class : runtime->type_type; // of a kind that users never name
}
