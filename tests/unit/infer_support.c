// SPDX-License-Identifier: MIT
// The embedded Python and the resolver of the typing tests.
#include "infer_support.h"

#include <string.h>

#include "base/map.h"
#include "compiler/compiler.h"
#include "compiler/support/host_hooks.h"
#include "compiler/typing/builtins.h"

static const char prelude[] =
        "import linecache, math, random, operator, types\n"
        "class Class:\n"
        "    def __init__(self, name): self.class_name = name\n"
        "class Builtin:\n"
        "    def __init__(self, name): self.builtin_name = name\n"
        "class Jitted:\n"
        "    def __init__(self, function): self.function = function\n"
        "def jit(function): return Jitted(function)\n"
        "def space(prefix, names):\n"
        "    module = types.SimpleNamespace(is_space=True)\n"
        "    for name in names.split(): setattr(module, name, Builtin(prefix + '.' + "
        "name))\n"
        "    return module\n"
        "cuda = space('cuda', 'grid gridsize syncthreads threadIdx blockIdx blockDim "
        "gridDim laneid')\n"
        "cuda.shared = space('cuda.shared', 'array')\n"
        "cuda.local = space('cuda.local', 'array')\n"
        "cuda.atomic = space('cuda.atomic', 'add max cas')\n"
        "np = space('numpy', 'sqrt zeros empty empty_like minimum absolute full arctan2 "
        "power '\n"
        "    'divide add multiply maximum broadcast_to ndim sum mean arange dot "
        "left_shift')\n"
        "np.random = space('numpy.random', 'rand seed')\n"
        "for name in ('int8 int16 int32 int64 uint8 uint16 uint32 uint64 float32 float64 "
        "'\n"
        "             'complex64 complex128').split():\n"
        "    globals()[name] = Class(name)\n"
        "    setattr(np, name, Class(name))\n"
        "prange = Builtin('numba.prange')\n"
        "import sys, importlib\n"
        "sys.modules['numpy'] = np\n"
        "gridcell = sys.modules['gridcell'] = types.ModuleType('gridcell')\n"
        "gridcell._gridcell = types.ModuleType('gridcell._gridcell')\n"
        "gridcell._gridcell.CPUDispatcher = lambda function, *options: jit(function)\n"
        "gridcell._gridcell.load_lapack = lambda: False\n"
        "gridcell.seeding = types.SimpleNamespace(load=lambda: None)\n"
        "def library(folder, name):\n"
        "    module, function = name.split('.')\n"
        "    gridcell.__path__ = [str(folder).rpartition('/')[0]]\n"
        "    for value in vars(importlib.import_module('gridcell.library')).values():\n"
        "        if hasattr(value, '__gridcell_builtin__'):\n"
        "            value.builtin_name = value.__gridcell_builtin__\n"
        "    return getattr(importlib.import_module('gridcell.library.' + module), "
        "function)\n"
        "G = 7\n"
        "SHAPE = (4, 8)\n"
        "count = 0\n"
        "def define(code):\n"
        "    global count\n"
        "    count += 1\n"
        "    name = '<test %d>' % count\n"
        "    linecache.cache[name] = (len(code), None, code.splitlines(True), name)\n"
        "    space = dict(globals())\n"
        "    exec(compile(code, name, 'exec'), space)\n"
        "    f = space['f']\n"
        "    return f.function if isinstance(f, Jitted) else f\n";

static PyObject *main_globals;
static PyObject *parsed;
static struct map sources; // of Jitted objects, by address
static struct py_resolver resolver;

const struct type *support_type(const char *name)
{
    const struct type *const types[] = {type_bool, type_int8, type_int16, type_int32,
            type_int64, type_uint8, type_uint16, type_uint32, type_uint64, type_float32,
            type_float64, type_complex64, type_complex128, type_none, type_string};
    const char *bracket = strchr(name, '[');
    size_t len = bracket ? (size_t)(bracket - name) : strlen(name);
    const struct type *scalar = NULL;
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (strlen(types[i]->name) == len && !memcmp(types[i]->name, name, len))
            scalar = types[i];
    if (!scalar || !bracket)
        return scalar;
    int ndim = 1;
    for (const char *c = bracket; *c; c++)
        ndim += *c == ',';
    enum array_layout layout = strstr(bracket, "::1]")   ? LAYOUT_C
                               : strstr(bracket, "[::1") ? LAYOUT_F
                                                         : LAYOUT_A;
    return type_array(scalar, ndim, layout, false);
}

static const char *text_attribute(
        PyObject *object, const char *name, struct source *source)
{
    int failed;
    PyObject *value = py_attr_or_null(object, name, &failed);
    const char *text = value && PyUnicode_Check(value) ? PyUnicode_AsUTF8(value) : NULL;
    text = text ? arena_strdup(&source->arena, text) : NULL;
    Py_XDECREF(value);
    return text;
}

static bool resolve_jitted(PyObject *object, struct constant *out, struct error *err)
{
    struct source *source = map_get_bytes(&sources, &object, sizeof object);
    out->type = type_dispatcher;
    if (!source) {
        PyObject *function = PyObject_GetAttrString(object, "function");
        source = source_create("jitted");
        map_set_bytes(&sources, &object, sizeof object, source);
        Py_INCREF(object); // its address is the key
        bool is_done = py_ast_import(function, source, &resolver, err);
        Py_DECREF(function);
        if (!is_done)
            return false;
    }
    out->source = source;
    return true;
}

static bool resolve_number(PyObject *object, struct constant *out)
{
    if (PyBool_Check(object)) {
        out->type = type_bool;
        out->integer = object == Py_True;
    } else if (PyLong_Check(object)) {
        out->type = type_int64;
        out->integer = PyLong_AsLongLong(object);
    } else if (PyFloat_Check(object)) {
        out->type = type_float64;
        out->real = PyFloat_AsDouble(object);
    } else {
        return false;
    }
    return true;
}

static bool resolve_tuple(
        PyObject *object, struct source *source, struct constant *out, struct error *err);

static bool resolve_builtin(PyObject *object, struct source *source, struct constant *out)
{
    PyObject *module = PyObject_GetAttrString(object, "__module__");
    PyObject *name = PyObject_GetAttrString(object, "__name__");
    py_error_drop();
    bool is_named = name && PyUnicode_Check(name);
    if (is_named) {
        const char *prefix =
                module && PyUnicode_Check(module) ? PyUnicode_AsUTF8(module) : "random";
        out->name = arena_printf(&source->arena, "%s.%s", prefix, PyUnicode_AsUTF8(name));
    }
    Py_XDECREF(module);
    Py_XDECREF(name);
    const char *const *names = compiler_builtin_names();
    for (; is_named && *names; names++) {
        if (!strcmp(*names, out->name)) {
            out->type = type_function;
            return true;
        }
    }
    return false;
}

static bool resolve_marked(PyObject *object, struct source *source, struct constant *out)
{
    const char *class = text_attribute(object, "class_name", source);
    const char *builtin = text_attribute(object, "builtin_name", source);
    if (class) {
        out->instance = support_type(class);
        out->type = type_class(out->instance);
    } else if (builtin) {
        out->type = type_function;
        out->name = builtin;
    }
    return class || builtin;
}

static bool resolve_type(PyObject *object, struct constant *out)
{
    static const char *const names[] = {"int64", "float64", "bool", "complex128"};
    PyTypeObject *const types[] = {
            &PyLong_Type, &PyFloat_Type, &PyBool_Type, &PyComplex_Type};
    for (int i = 0; i < 4; i++) {
        if (object == (PyObject *)types[i]) {
            out->instance = support_type(names[i]);
            out->type = type_class(out->instance);
            return true;
        }
    }
    return false;
}

static bool resolve(void *context, PyObject *object, struct source *source,
        struct constant *out, struct error *err)
{
    int failed;
    PyObject *is_space = py_attr_or_null(object, "is_space", &failed);
    bool is_jitted = !strcmp(Py_TYPE(object)->tp_name, "Jitted");
    Py_XDECREF(is_space);
    if (is_jitted)
        return resolve_jitted(object, out, err);
    if (PyModule_Check(object) || is_space) {
        out->type = type_module;
        out->name = "module";
    } else if (object == Py_None) {
        out->type = type_none;
    } else if (PyUnicode_Check(object)) {
        const char *text = PyUnicode_AsUTF8(object);
        out->type = type_string;
        out->string.text = arena_strdup(&source->arena, text ? text : "");
        out->string.len = strlen(out->string.text);
    } else if (PyTuple_Check(object)) {
        return resolve_tuple(object, source, out, err);
    } else if (PyExceptionClass_Check(object)) {
        out->type = type_exception;
        out->exception.name = ((PyTypeObject *)object)->tp_name;
    } else if (!resolve_number(object, out) && !resolve_type(object, out) &&
               !resolve_marked(object, source, out) &&
               !resolve_builtin(object, source, out)) {
        out->type = type_pyobject;
        out->object.class_name =
                arena_printf(&source->arena, "<class '%s'>", Py_TYPE(object)->tp_name);
    }
    return true;
}

static bool resolve_tuple(
        PyObject *object, struct source *source, struct constant *out, struct error *err)
{
    size_t len = (size_t)PyTuple_GET_SIZE(object);
    struct constant *items = arena_array(&source->arena, struct constant, len + 1);
    const struct type **types = arena_array(&source->arena, const struct type *, len + 1);
    for (size_t i = 0; i < len; i++) {
        if (!resolve(NULL, PyTuple_GET_ITEM(object, (Py_ssize_t)i), source, &items[i],
                    err))
            return false;
        types[i] = items[i].type;
    }
    out->type = type_tuple(types, len);
    out->tuple.items = items;
    out->tuple.len = len;
    return true;
}

static struct source *load_library(const char *name, struct error *err)
{
    PyObject *library = NULL;
    struct constant constant = {0};
    py_dict_get_text(main_globals, "library", &library);
    PyObject *function = PyObject_CallFunction(library, "ss", LIBRARY_FOLDER, name);
    Py_XDECREF(library);
    if (!function)
        error_from_python(err);
    else
        resolve_jitted(function, &constant, err);
    Py_XDECREF(function);
    if (constant.source) {
        constant.source->options.is_library = true;
        constant.source->options.is_numpy_error_model = true;
    }
    return constant.source;
}

static void start_python(void)
{
    if (main_globals)
        return;
    types_init();
    Py_Initialize();
    PyObject *module = PyImport_AddModule("__main__");
    main_globals = Py_NewRef(PyModule_GetDict(module));
    PyObject *result = PyRun_String(prelude, Py_file_input, main_globals, main_globals);
    if (!result)
        PyErr_Print();
    Py_XDECREF(result);
    parsed = PyDict_New();
    host_hooks_set(&(struct host_hooks){.load_library = load_library});
    resolver = (struct py_resolver){.constant = resolve, .parsed = parsed};
}

struct source *support_import(const char *code, struct error *err)
{
    start_python();
    PyObject *define = NULL, *function = NULL;
    py_dict_get_text(main_globals, "define", &define);
    function = PyObject_CallFunction(define, "s", code);
    Py_XDECREF(define);
    if (!function) {
        error_from_python(err);
        return NULL;
    }
    struct source *source = source_create("f");
    bool is_done = py_ast_import(function, source, &resolver, err);
    Py_DECREF(function);
    if (is_done)
        return source;
    source_destroy(source);
    return NULL;
}

struct ir_function *support_infer(struct source *source, const char *types,
        enum target_kind target, struct error *err)
{
    const struct type *params[16];
    size_t count = 0;
    char copy[256];
    snprintf(copy, sizeof copy, "%s", types);
    for (char *rest, *name = strtok_r(copy, " ", &rest); name;
            name = strtok_r(NULL, " ", &rest))
        params[count++] = support_type(name);
    return source_infer(source, params, count, NULL, target, err);
}
