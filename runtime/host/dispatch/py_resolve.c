// SPDX-License-Identifier: MIT
// What the Python objects that a function refers to mean while compiling: numbers,
// arrays, modules, types, builtins, other jitted functions.
#include "runtime/host/values/py_callable.h"
#include "runtime/host/values/py_extension.h"
#include "runtime/host/values/py_c_function.h"
#include "runtime/host/values/py_numpy.h"

#include <string.h>

#include "compiler/frontend/ufunc_names.h"
#include "compiler/typing/builtins.h"
#include "runtime/host/dispatch/py_overload.h"
#include "runtime/host/dispatch/py_dispatch.h"
#include "runtime/host/dispatch/py_ufunc.h"

struct resolution {
    struct source *source;
    struct constant *out;
    struct error *err;
};

static bool keep_alive(struct resolution *to, PyObject *object)
{
    return PyList_Append(to->source->captured, object) == 0 || error_from_python(to->err);
}

static const char *copy_text(struct resolution *to, PyObject *text, Py_ssize_t *len)
{
    const char *utf8 = text ? PyUnicode_AsUTF8AndSize(text, len) : NULL;
    if (!utf8) {
        error_from_python(to->err);
        return NULL;
    }
    return arena_strndup(&to->source->arena, utf8, (size_t)*len);
}

// --- names of builtins

// An attribute, or NULL. NumPy imports numpy.random and others when they are first named,
// which takes longer than most compilations: what a module does not hold yet, it has not.
static PyObject *attribute_of(PyObject *object, const char *name)
{
    PyObject *held = NULL;
    if (!PyModule_Check(object))
        return PyObject_GetAttrString(object, name);
    py_dict_get_text(PyModule_GetDict(object), name, &held);
    return held;
}

// The object behind "numpy.random.rand"; NULL without an exception when there is none, or
// when the program has not imported its module: then it cannot hold the object.
static PyObject *find_named(const char *canonical)
{
    char path[128];
    if (strlen(canonical) >= sizeof path)
        return NULL;
    strcpy(path, canonical);
    char *rest = strchr(path, '.');
    if (!rest || !strcmp(canonical, "cuda") || str_starts_with(canonical, "cuda.") ||
            str_starts_with(canonical, "numba."))
        return NULL; // these objects carry their name
    *rest++ = '\0';
    PyObject *module_name = PyUnicode_FromString(strcmp(path, "np") ? path : "numpy");
    PyObject *object = module_name ? PyImport_GetModule(module_name) : NULL;
    Py_XDECREF(module_name);
    while (object && rest) {
        char *next = strchr(rest, '.');
        if (next)
            *next++ = '\0';
        Py_SETREF(object, attribute_of(object, rest));
        rest = next;
    }
    py_error_drop();
    return object;
}

static bool add_builtin(PyObject *names, const char *canonical)
{
    PyObject *object = find_named(canonical);
    if (!object)
        return true;
    PyObject *key = PyLong_FromVoidPtr(object), *name = PyUnicode_FromString(canonical);
    bool done = key && name && PyDict_SetDefault(names, key, name); // borrowed: not used
    Py_XDECREF(key);
    Py_XDECREF(name);
    Py_DECREF(object); // its module keeps it
    return done;
}

static PyObject *builtin_names(struct runtime *runtime)
{
    Py_ssize_t module_count = PyDict_Size(PyImport_GetModuleDict());
    if (runtime->builtins && runtime->builtins_module_count == module_count)
        return runtime->builtins;
    Py_CLEAR(runtime->builtins);
    runtime->builtins_module_count = module_count;
    PyObject *names = PyDict_New();
    for (const char *const *name = compiler_builtin_names(); names && *name; name++)
        if (!add_builtin(names, *name))
            Py_CLEAR(names);
    return runtime->builtins = names;
}

// 1: the object is a builtin and *out is set; 0: it is none; -1: err is set.
static int resolve_builtin(struct resolution *to, PyObject *object)
{
    PyObject *names = builtin_names(py_runtime());
    PyObject *key = names ? PyLong_FromVoidPtr(object) : NULL, *name = NULL;
    int found = key ? py_dict_get(names, key, &name) : -1;
    Py_ssize_t len;
    if (found > 0) {
        to->out->type = type_function;
        to->out->name = copy_text(to, name, &len);
        found = to->out->name ? 1 : -1;
    } else if (found < 0) {
        error_from_python(to->err);
    }
    Py_XDECREF(key);
    Py_XDECREF(name);
    return found;
}

// Objects of ours that stand for a builtin say so in an attribute.
static int resolve_marked(struct resolution *to, PyObject *object)
{
    int failed;
    PyObject *name = py_attr_or_null(object, "__gridcell_builtin__", &failed);
    Py_ssize_t len;
    if (failed)
        py_error_drop();
    if (!name || !PyUnicode_Check(name)) {
        Py_XDECREF(name);
        return 0;
    }
    to->out->type = type_function;
    to->out->name = copy_text(to, name, &len);
    Py_DECREF(name);
    return to->out->name ? 1 : -1;
}

// --- values

// A number of a known type, through its ABI form.
static bool resolve_number(
        struct resolution *to, PyObject *object, const struct type *type)
{
    union {
        uint8_t truth;
        int64_t integer;
        double reals[2];
        char bytes[16];
    } value = {.reals = {0}};
    const struct type *wide = type->kind == TYPE_FLOAT     ? type_float64
                              : type->kind == TYPE_COMPLEX ? type_complex128
                              : type->kind == TYPE_INT
                                      ? (type->is_signed ? type_int64 : type_uint64)
                                      : type;
    if (!py_unbox(object, wide, &value))
        return error_from_python(to->err);
    to->out->type = type;
    if (type->kind == TYPE_FLOAT)
        to->out->real = value.reals[0];
    else if (type->kind == TYPE_COMPLEX)
        memcpy(to->out->complex_parts, value.reals, sizeof value.reals);
    else
        to->out->integer = type->kind == TYPE_BOOL ? value.truth : value.integer;
    return true;
}

static bool resolve_string(struct resolution *to, PyObject *object);
static bool resolve_dispatcher(struct resolution *to, PyObject *object);

// A member of an Enum, as its value.
static bool resolve_member(
        struct resolution *to, PyObject *object, const struct type *type)
{
    if (type->enumeration.is_numbered) {
        to->out->type = type;
        return py_enum_number(type, object, &to->out->integer) ||
               error_from_python(to->err);
    }
    PyObject *value = PyObject_GetAttrString(object, "value");
    if (!value)
        return error_from_python(to->err);
    bool done = type->element->kind == TYPE_STRING
                        ? resolve_string(to, value)
                        : resolve_number(to, value, type->element);
    to->out->type = type;
    Py_DECREF(value);
    return done;
}

static bool resolve_string(struct resolution *to, PyObject *object)
{
    Py_ssize_t len = 0;
    to->out->type = type_string;
    to->out->string.text = copy_text(to, object, &len);
    to->out->string.len = (size_t)len;
    return to->out->string.text != NULL;
}

// What nobody has registered, unless a package of the environment does so when it is
// asked.
static bool resolve_unknown(struct resolution *to, PyObject *object)
{
    if (py_extensions_load())
        return py_resolve(object, to->source, to->out, to->err);
    PyObject *text = PyObject_Str((PyObject *)Py_TYPE(object));
    Py_ssize_t len;
    to->out->type = type_pyobject;
    to->out->object.class_name = copy_text(to, text, &len);
    to->out->object.object = object;
    to->out->object.module = NULL;
    const struct type *type = PyDict_Check(object) ? NULL : py_typeof(object);
    to->out->object.type_name = type && type_is_container(type) ? type->name : NULL;
    py_error_drop();
    Py_XDECREF(text);
    return to->out->object.class_name && keep_alive(to, object);
}

// Functions in a tuple are told apart by their types.
static const struct type *precise_type(const struct constant *constant)
{
    if (constant->type == type_dispatcher)
        return type_dispatcher_of(constant->source, constant->source->name);
    if (constant->type == type_function)
        return type_function_of(constant->name);
    return constant->type;
}

// A value of a type that the program added: what its lower_constant wrote is a function
// without parameters, which each use calls.
static bool resolve_extension(
        struct resolution *to, PyObject *object, const struct type *type)
{
    PyObject *reader = py_extension_constant(object, type);
    if (!reader)
        return error_from_python(to->err);
    bool done = reader == Py_None ? resolve_unknown(to, object)
                                  : resolve_dispatcher(to, reader);
    if (done && reader != Py_None)
        to->out->type = type;
    Py_DECREF(reader);
    return done && keep_alive(to, object);
}

// `named`: the type of a named tuple; NULL: the tuple is a plain one.
static bool resolve_tuple(
        struct resolution *to, PyObject *object, const struct type *named)
{
    size_t len = (size_t)PyTuple_GET_SIZE(object);
    struct constant *items = arena_array(&to->source->arena, struct constant, len + 1);
    const struct type **types =
            arena_array(&to->source->arena, const struct type *, len + 1);
    for (size_t i = 0; i < len; i++) {
        if (!py_resolve(PyTuple_GET_ITEM(object, (Py_ssize_t)i), to->source, &items[i],
                    to->err))
            return false;
        types[i] = precise_type(&items[i]);
        if (types[i]->kind == TYPE_EXTENSION ||
                (named && types[i] != named->tuple.items[i]))
            return resolve_unknown(to, object);
    }
    to->out->type = named ? named : type_tuple(types, len);
    to->out->tuple.items = items;
    to->out->tuple.len = len;
    return true;
}

// A frozen copy: later changes of the array are not seen.
static bool resolve_array(struct resolution *to, PyObject *object)
{
    PyArrayObject *array = (PyArrayObject *)object;
    const struct type *dtype = py_type_from_dtype((PyObject *)PyArray_DESCR(array));
    if (!dtype)
        return resolve_unknown(to, object);
    PyObject *copy = PyArray_NewCopy(array, NPY_CORDER);
    if (!copy || !keep_alive(to, copy)) {
        Py_XDECREF(copy);
        return error_from_python(to->err);
    }
    PyArrayObject *frozen = (PyArrayObject *)copy;
    int ndim = PyArray_NDIM(frozen);
    to->out->type = type_array(dtype, ndim, LAYOUT_C, true);
    to->out->array.data = PyArray_DATA(frozen);
    to->out->array.shape = arena_copy(
            &to->source->arena, PyArray_DIMS(frozen), (size_t)ndim * sizeof(int64_t));
    to->out->array.size_bytes = (size_t)PyArray_NBYTES(frozen);
    Py_DECREF(copy); // `captured` keeps it
    return true;
}

// An array on a device, which kernels use where it lies: they see what others write, and
// write to it.
static bool resolve_device_array(struct resolution *to, PyObject *object)
{
    struct device_view view;
    PyObject *array = py_runtime()->device_arrays->view(object, &view);
    if (!array || !keep_alive(to, array)) {
        Py_XDECREF(array);
        return error_from_python(to->err);
    }
    struct arena *arena = &to->source->arena;
    size_t bytes = (size_t)view.ndim * sizeof(int64_t);
    to->out->type = view.type;
    to->out->array.shape = arena_copy(arena, view.shape, bytes);
    to->out->array.device_strides = arena_copy(arena, view.strides, bytes);
    to->out->array.device_address = view.address;
    Py_DECREF(array); // `captured` keeps it
    return true;
}

static bool resolve_class(struct resolution *to, const struct type *instance)
{
    to->out->type = type_class(instance);
    to->out->instance = instance;
    return true;
}

static bool resolve_dispatcher(struct resolution *to, PyObject *object)
{
    to->out->type = type_dispatcher;
    to->out->source = py_dispatcher_source(object, to->err);
    return to->out->source && keep_alive(to, object);
}

// A function of ctypes, by its address.
static bool resolve_foreign(struct resolution *to, PyObject *object)
{
    void *address;
    to->out->type = py_foreign_type(object);
    if (!to->out->type || !py_foreign_unbox(object, &address))
        return error_from_python(to->err);
    to->out->integer = (int64_t)(uintptr_t)address;
    return keep_alive(to, object);
}

static bool resolve_exception(struct resolution *to, PyObject *object)
{
    PyObject *name = PyObject_GetAttrString(object, "__name__");
    Py_ssize_t len;
    to->out->type = type_exception;
    to->out->exception.name = copy_text(to, name, &len);
    to->out->exception.object = object;
    Py_XDECREF(name);
    return to->out->exception.name && keep_alive(to, object);
}

// A namespace whose attributes are constants.
static bool resolve_namespace(struct resolution *to, PyObject *object)
{
    PyObject *name = PyObject_GetAttrString(object, "__name__");
    Py_ssize_t len;
    to->out->type = type_module;
    to->out->name = copy_text(to, name, &len);
    Py_XDECREF(name);
    return to->out->name != NULL;
}

// A class whose objects are compiled; it gets ready when it is first seen.
static bool resolve_object_class(struct resolution *to, PyObject *object)
{
    PyObject *type = PyObject_CallMethod(object, "_prepare", NULL);
    const struct type *instance = type ? py_type_get(type) : NULL;
    Py_XDECREF(type);
    if (!instance)
        return error_from_python(to->err);
    return resolve_class(to, instance) && keep_alive(to, object);
}

// The type of the values of a class of Python's own; NULL for other classes.
static const struct type *type_of_class(PyObject *object)
{
    const struct {
        void *class;
        const struct type *type;
    } classes[] = {{&PyLong_Type, type_int64}, {&PyFloat_Type, type_float64},
            {&PyBool_Type, type_bool}, {Py_TYPE(Py_None), type_none},
            {&PyBytes_Type, type_bytes}, {&PyUnicode_Type, type_string},
            {&PyComplex_Type, type_complex128}};
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
        if (object == classes[i].class)
            return classes[i].type;
    return NULL;
}

const struct type *py_class_values(PyObject *object)
{
    const struct type *values = PyType_Check(object) ? type_of_class(object) : NULL;
    if (values || !PyType_Check(object) || !py_numpy_is_loaded() ||
            !PyType_IsSubtype((PyTypeObject *)object, &PyGenericArrType_Type))
        return values;
    values = py_type_from(object);
    py_error_drop();
    return values;
}

// int, np.float32, ValueError, an Enum.
static bool resolve_type_object(struct resolution *to, PyObject *object)
{
    if (PyExceptionClass_Check(object))
        return resolve_exception(to, object);
    if (PyType_IsSubtype((PyTypeObject *)object, py_runtime()->typed_object_type))
        return resolve_object_class(to, object);
    const struct type *instance = py_class_values(object);
    if (!instance)
        instance = py_type_of_enum(object);
    if (!instance)
        instance = py_type_of_named_tuple(object);
    return instance ? resolve_class(to, instance) : resolve_unknown(to, object);
}

// cffi's FFI objects are namespaces, too.
static bool is_ffi(PyObject *object)
{
    const char *name = Py_TYPE(object)->tp_name, *dot = strrchr(name, '.');
    return !strcmp(dot ? dot + 1 : name, "FFI") ||
           !strcmp(dot ? dot + 1 : name, "CompiledFFI");
}

static bool resolve_ffi(struct resolution *to)
{
    to->out->type = type_module;
    to->out->name = "cffi.FFI";
    return true;
}

// Of what an FFI has, from_buffer is known.
static bool is_from_buffer(PyObject *object)
{
    int failed = 0;
    PyObject *self = py_attr_or_null(object, "__self__", &failed);
    PyObject *name =
            self && is_ffi(self) ? py_attr_or_null(object, "__name__", &failed) : NULL;
    bool is_so = name && PyUnicode_Check(name) &&
                 PyUnicode_CompareWithASCIIString(name, "from_buffer") == 0;
    py_error_drop();
    Py_XDECREF(name);
    Py_XDECREF(self);
    return is_so;
}

static bool resolve_object(struct resolution *to, PyObject *object)
{
    if (is_ffi(object))
        return resolve_ffi(to);
    if (is_from_buffer(object)) {
        to->out->type = type_function;
        to->out->name = "cffi.FFI.from_buffer";
        return true;
    }
    if (py_type_get(object))
        return resolve_class(to, py_type_get(object));
    if (py_numpy_is_loaded() && PyArray_Check(object))
        return resolve_array(to, object);
    const struct type *dtype = py_type_of_dtype(object);
    if (dtype)
        return resolve_class(to, dtype);
    if (py_is_dispatcher(object))
        return resolve_dispatcher(to, object);
    PyObject *function = py_ufunc_dispatcher(object);
    bool is_ufunc = function != NULL;
    if (!function)
        function = py_gufunc_function(object);
    if (function) {
        bool done = resolve_dispatcher(to, function);
        Py_DECREF(function);
        if (done && is_ufunc)
            *to->out = (struct constant){
                    .type = type_function, .name = ufunc_register(to->out->source)};
        return done;
    }
    if (PyErr_Occurred())
        return error_from_python(to->err);
    if (py_is_foreign(object))
        return resolve_foreign(to, object);
    function = py_function_behind(object);
    if (function) {
        bool done = resolve_dispatcher(to, function) && keep_alive(to, object);
        Py_DECREF(function);
        return done;
    }
    const struct type *type = py_typeof(object);
    if (type_is_number(type))
        return resolve_number(to, object, type);
    if (to->source->options.is_device && py_runtime()->device_arrays->is_one(object))
        return resolve_device_array(to, object);
    if (type->kind == TYPE_TUPLE && PyTuple_Check(object))
        return resolve_tuple(to, object, type);
    return type->kind == TYPE_EXTENSION ? resolve_extension(to, object, type)
                                        : resolve_unknown(to, object);
}

// What was registered in place of the object. 1: *out is set; 0: nothing; -1: err is set.
static int resolve_overloaded(struct resolution *to, PyObject *object)
{
    bool is_ours = to->source->options.is_library; // relies on what it names
    PyObject *stand_in = is_ours ? NULL : py_overload_find(object);
    if (!stand_in)
        return 0;
    int found = resolve_builtin(to, object);
    const char *builtin = found > 0 ? to->out->name : NULL;
    bool done = found >= 0 && resolve_dispatcher(to, stand_in);
    struct source *overloaded = done ? to->out->source : NULL;
    if (done && builtin && overloaded->is_overloaded && !overloaded->builtin)
        overloaded->builtin = arena_strdup(&overloaded->arena, builtin);
    Py_DECREF(stand_in);
    return done ? 1 : -1;
}

bool py_resolve(
        PyObject *object, struct source *source, struct constant *out, struct error *err)
{
    struct resolution to = {source, out, err};
    *out = (struct constant){0};
    if (object == Py_None) {
        out->type = type_none;
        return true;
    }
    if (PyUnicode_CheckExact(object))
        return resolve_string(&to, object);
    if (PyBytes_CheckExact(object)) {
        out->type = type_bytes;
        out->string.len = (size_t)PyBytes_GET_SIZE(object);
        out->string.text =
                arena_strndup(&source->arena, PyBytes_AS_STRING(object), out->string.len);
        return true;
    }
    if (PyTuple_CheckExact(object))
        return resolve_tuple(&to, object, NULL);
    if (object == Py_Ellipsis) {
        out->type = type_ellipsis;
        return true;
    }
    const struct type *type = py_typeof(object);
    if (type_is_item(type))
        return resolve_number(&to, object, type);
    if (type->kind == TYPE_ENUM)
        return resolve_member(&to, object, type);
    int found = resolve_overloaded(&to, object);
    if (found == 0)
        found = resolve_builtin(&to, object);
    if (found == 0)
        found = resolve_marked(&to, object);
    if (found != 0)
        return found > 0;
    if (PyModule_Check(object))
        return resolve_namespace(&to, object);
    if (PyType_Check(object))
        return resolve_type_object(&to, object);
    return resolve_object(&to, object);
}
