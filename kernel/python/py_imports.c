// SPDX-License-Identifier: MIT
// The import hook: our packages under the names that libraries look for, and work to be
// done right after certain modules were imported. Costs nothing until such a name is
// imported.
#include "kernel/python/state/py_state.h"

#include <stdlib.h>
#include <string.h>

#include "kernel/process/stack_guard.h"
#include "kernel/python/execute/py_execute.h"
#include "kernel/python/py_module.h"
#include "kernel/python/state/py_text.h"

struct loader {
    PyObject_HEAD PyObject *inner; // the loader that does the work
};

// ---- after an import

static int fill_linecache(PyObject *module)
{
    PyObject *cache = PyObject_GetAttrString(module, "cache");
    int status = cache ? PyDict_Update(cache, shell_get()->cell_sources) : -1;
    Py_XDECREF(cache);
    return status;
}

static int replace_getpass(PyObject *module)
{
    PyObject *function = PyObject_GetAttrString(shell_get()->kernel_module, "getpass");
    int status = function ? PyObject_SetAttrString(module, "getpass", function) : -1;
    Py_XDECREF(function);
    return status;
}

// Has a function of ours change the module.
static int apply(const char *owner, const char *function, PyObject *module)
{
    PyObject *result = py_call_module(owner, function, "(O)", module);
    Py_XDECREF(result);
    return result ? 0 : -1;
}

static int install_comms(PyObject *module)
{
    return apply("gridcell.ipython.comms", "install", module);
}

static int install_debugging(PyObject *module)
{
    return apply("gridcell.ipython.debugging", "install", module);
}

// The shell becomes what extensions expect as the parent of their configured objects.
static int join_traitlets(PyObject *module)
{
    return apply("gridcell.ipython.traits", "join", module);
}

static int watch_figures(PyObject *module)
{
    shell_get()->wants_figures = true;
    return 0;
}

static int offer_inline_backend(PyObject *module)
{
    return apply("gridcell.ipython.figures", "offer_inline", module);
}

static int watch_compiled_code(PyObject *module)
{
    PyObject *capsule = PyObject_GetAttrString(module, "interrupt");
    const struct interrupt_hooks *hooks =
            capsule ? PyCapsule_GetPointer(capsule, INTERRUPT_CAPSULE) : NULL;
    if (hooks) {
        interp_set_compiled_interrupt(hooks);
        hooks->set_stack_floor(stack_guard_floor);
    }
    Py_XDECREF(capsule); // the module, which owns the hooks, is never unloaded
    return hooks ? PyObject_SetAttrString(
                           module, "cell_sources", shell_get()->cell_sources)
                 : -1;
}

// Processes that are spawned get our sys.path; their interpreter must fit it.
static int choose_spawned_python(PyObject *module)
{
    PyObject *python = interp_own_executable();
    PyObject *done = python && python != Py_None
                             ? py_call_method(module, "set_executable", "(O)", python)
                             : Py_XNewRef(python);
    Py_XDECREF(python);
    Py_XDECREF(done);
    return done ? 0 : -1;
}

static const struct hook {
    const char *module;
    int (*run)(PyObject *module);
} hooks[] = {
        {"linecache", fill_linecache},
        {"getpass", replace_getpass},
        {"comm", install_comms},
        {"pdb", install_debugging},
        {"traitlets.config.configurable", join_traitlets},
        {"multiprocessing.spawn", choose_spawned_python},
        {"matplotlib.pyplot", watch_figures},
        {"matplotlib.backends.registry", offer_inline_backend},
        {"gridcell._gridcell", watch_compiled_code},
};

static const struct hook *hook_of(const char *name)
{
    for (size_t i = 0; i < sizeof hooks / sizeof *hooks; i++) {
        if (!strcmp(hooks[i].module, name))
            return &hooks[i];
    }
    return NULL;
}

static PyObject *loader_exec(PyObject *self, PyObject *module)
{
    struct loader *loader = (struct loader *)self;
    PyObject *result = py_call_method(loader->inner, "exec_module", "(O)", module);
    PyObject *name = result ? PyObject_GetAttrString(module, "__name__") : NULL;
    const char *text = name ? PyUnicode_AsUTF8(name) : NULL;
    const struct hook *hook = text ? hook_of(text) : NULL;
    // the module itself is fine: a failing hook must not make its import fail
    if (hook && hook->run(module) < 0)
        py_error_report(module);
    Py_XDECREF(name);
    return result;
}

static PyObject *loader_create(PyObject *self, PyObject *spec)
{
    return py_call_method(((struct loader *)self)->inner, "create_module", "(O)", spec);
}

// inspect, pkgutil and others ask the loader for source and resources.
static PyObject *loader_getattr(PyObject *self, PyObject *name)
{
    PyObject *value = PyObject_GenericGetAttr(self, name);
    if (value || !PyErr_ExceptionMatches(PyExc_AttributeError))
        return value;
    py_error_drop();
    return PyObject_GetAttr(((struct loader *)self)->inner, name);
}

static void loader_dealloc(PyObject *self)
{
    Py_XDECREF(((struct loader *)self)->inner);
    py_dealloc_end(self);
}

static PyMethodDef loader_methods[] = {
        {"exec_module", loader_exec, METH_O, NULL},
        {"create_module", loader_create, METH_O, NULL},
        {NULL, NULL, 0, NULL},
};

// ---- finding

// The spec that the other finders have for `name`; None when they have none.
static PyObject *find_elsewhere(PyObject *self, PyObject *name, PyObject *path)
{
    PyObject *finders = PySys_GetObject("meta_path"); // borrowed: copied on the next line
    finders = finders ? PySequence_List(finders) : NULL;
    PyObject *spec = Py_NewRef(Py_None);
    for (Py_ssize_t i = 0; finders && spec == Py_None && i < PyList_GET_SIZE(finders);
            i++) {
        PyObject *finder = PyList_GET_ITEM(finders, i); // borrowed: finders is ours
        if (finder == self)
            continue;
        PyObject *method = PyObject_GetAttrString(finder, "find_spec");
        if (!method) {
            py_error_drop();
            continue;
        }
        Py_SETREF(spec, PyObject_CallFunctionObjArgs(method, name, path, NULL));
        Py_DECREF(method);
        if (!spec)
            break;
    }
    Py_XDECREF(finders);
    return spec;
}

static PyObject *find_hooked(PyObject *self, PyObject *name, PyObject *path)
{
    PyObject *spec = find_elsewhere(self, name, path);
    if (!spec || spec == Py_None)
        return spec;
    PyTypeObject *type = (PyTypeObject *)shell_get()->loader_type;
    struct loader *loader = (struct loader *)type->tp_alloc(type, 0);
    int status = loader ? 0 : -1;
    if (loader) {
        loader->inner = PyObject_GetAttrString(spec, "loader");
        if (!loader->inner ||
                PyObject_SetAttrString(spec, "loader", (PyObject *)loader) < 0)
            status = -1;
    }
    Py_XDECREF((PyObject *)loader);
    if (status < 0)
        Py_CLEAR(spec);
    return spec;
}

// A module of ours; `file` is relative to the folder of the package.
static PyObject *own_spec(const char *name, const char *file, bool is_package)
{
    struct str path = {0}, folder = {0};
    str_printf(&path, "%s/gridcell/%s", shell_get()->package_path, file);
    str_append_bytes(
            &folder, str_text(&path), (size_t)(strrchr(path.text, '/') - path.text));
    PyObject *function =
            py_import_attr("_frozen_importlib_external", "spec_from_file_location");
    PyObject *args = Py_BuildValue("(ss)", name, str_text(&path));
    PyObject *kwargs = is_package ? Py_BuildValue("{s[s]}", "submodule_search_locations",
                                            str_text(&folder))
                                  : PyDict_New();
    PyObject *spec =
            function && args && kwargs ? PyObject_Call(function, args, kwargs) : NULL;
    Py_XDECREF(kwargs);
    Py_XDECREF(args);
    Py_XDECREF(function);
    str_finish(&folder);
    str_finish(&path);
    return spec;
}

// A module of gridcell.ipython that stands in for one of IPython, ipykernel,
// matplotlib_inline. `file` is relative to the folder of the stand-ins.
static PyObject *stand_in_spec(const char *name, const char *file, bool is_package)
{
    struct str path = {0};
    str_printf(&path, "ipython/packages/%s", file);
    PyObject *spec = own_spec(name, str_text(&path), is_package);
    str_finish(&path);
    return spec;
}

static PyObject *find_stand_in(const char *name)
{
    struct str file = {0};
    str_printf(&file, "%s/__init__.py", name);
    PyObject *spec = stand_in_spec(name, str_text(&file), true);
    str_finish(&file);
    return spec;
}

// ---- stand-ins that seem to be imported

// Programs look for these names in sys.modules to know a notebook. Their code runs when
// one of their attributes or submodules is asked for.
static const struct {
    const char *name, *file;
    bool is_package;
} lazy_modules[] = {
        {"IPython", "IPython/__init__.py", true},
        {"ipykernel", "ipykernel/__init__.py", true},
        {"ipykernel.zmqshell", "ipykernel/zmqshell.py", false},
};

enum { LAZY_COUNT = sizeof lazy_modules / sizeof *lazy_modules };

// Runs the module's code, once.
static bool load_lazy(PyObject *module)
{
    PyObject *dict = PyModule_GetDict(module), *own = NULL; // borrowed: module lives on
    if (py_dict_get_text(dict, "__getattr__", &own) <= 0)
        return !PyErr_Occurred();
    Py_DECREF(own);
    if (PyDict_DelItemString(dict, "__getattr__") < 0)
        return false;
    PyObject *loader = PyObject_GetAttrString(module, "__loader__");
    PyObject *result =
            loader ? py_call_method(loader, "exec_module", "(O)", module) : NULL;
    Py_XDECREF(result);
    Py_XDECREF(loader);
    return result != NULL;
}

static PyObject *lazy_getattr(PyObject *module, PyObject *name)
{
    const char *text = PyUnicode_Check(name) ? PyUnicode_AsUTF8(name) : NULL;
    // tools that look through sys.modules ask all of them for such names
    bool is_probe = text && str_starts_with(text, "__") && strcmp(text, "__version__") &&
                    strcmp(text, "__all__");
    if (is_probe || !text)
        return PyErr_Format(PyExc_AttributeError, "%S", name);
    if (!load_lazy(module))
        return NULL;
    return PyObject_GetAttr(module, name);
}

static PyMethodDef lazy_method = {"__getattr__", lazy_getattr, METH_O, NULL};

static bool add_lazy(const char *name, const char *file, bool is_package)
{
    PyObject *spec = stand_in_spec(name, file, is_package);
    PyObject *module =
            spec ? py_call_module("_frozen_importlib", "module_from_spec", "(O)", spec)
                 : NULL;
    PyObject *function = module ? PyCFunction_New(&lazy_method, module) : NULL;
    bool is_ok = function &&
                 PyObject_SetAttrString(module, "__getattr__", function) == 0 &&
                 PyDict_SetItemString(PyImport_GetModuleDict(), name, module) == 0;
    Py_XDECREF(function);
    Py_XDECREF(module);
    Py_XDECREF(spec);
    return is_ok;
}

static bool add_lazy_modules(void)
{
    bool is_ok = true;
    for (int i = 0; is_ok && shell_get()->package_path && i < LAZY_COUNT; i++) {
        if (strcmp(lazy_modules[i].name, "IPython") || !shell_get()->uses_real_ipython)
            is_ok = add_lazy(lazy_modules[i].name, lazy_modules[i].file,
                    lazy_modules[i].is_package);
    }
    return is_ok;
}

// A submodule of a lazy package is imported: the package's own code comes first.
static bool load_parent(const char *name)
{
    for (int i = 0; i < LAZY_COUNT; i++) {
        size_t len = strlen(lazy_modules[i].name);
        if (strncmp(name, lazy_modules[i].name, len) || name[len] != '.')
            continue;
        PyObject *module = py_loaded_module(lazy_modules[i].name);
        bool is_ok = !module || load_lazy(module);
        Py_XDECREF(module);
        return is_ok;
    }
    return true;
}

// ---- the finder

static bool is_numba_name(const char *name)
{
    static const char *const names[] = {"numba", "numbapro", "pyculib", "accelerate"};
    size_t len = strcspn(name, ".");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strlen(names[i]) == len && !strncmp(names[i], name, len))
            return true;
    }
    return false;
}

// From the first such import on, gridcell.hook has a finder of its own. Without it: not
// found here.
static PyObject *find_numba(PyObject *self, PyObject *name, PyObject *path)
{
    struct shell *shell = shell_get();
    if (shell->has_numba_hook)
        Py_RETURN_NONE;
    shell->has_numba_hook = true;
    PyObject *result = py_call_module("gridcell.hook", "install", NULL);
    if (!result && !PyErr_ExceptionMatches(PyExc_ImportError))
        return NULL;
    py_error_drop();
    Py_XDECREF(result);
    return find_elsewhere(self, name, path);
}

static bool is_stand_in(const char *name)
{
    bool is_real = shell_get()->uses_real_ipython;
    if (!shell_get()->package_path)
        return false;
    return !strcmp(name, "ipykernel") ||
           (!is_real && (!strcmp(name, "IPython") || !strcmp(name, "matplotlib_inline")));
}

// matplotlib chooses its backend when it is imported: figures go into the notebook. The
// variable is taken back at the end of the cell, because child processes may lack that
// backend.
static void choose_backend(void)
{
    struct shell *shell = shell_get();
    if (!shell->package_path || getenv("MPLBACKEND"))
        return;
    PyObject *variables = py_import_attr("os", "environ");
    int status = -1;
    PyObject *key = PyUnicode_FromString("MPLBACKEND");
    PyObject *value = PyUnicode_FromString("module://matplotlib_inline.backend_inline");
    if (variables && key && value)
        status = PyObject_SetItem(variables, key, value);
    shell->lent_backend = status == 0;
    py_error_drop();
    Py_XDECREF(value);
    Py_XDECREF(key);
    Py_XDECREF(variables);
}

static PyObject *finder_find_spec(PyObject *self, PyObject *args)
{
    PyObject *name, *path = Py_None, *target = Py_None;
    if (!PyArg_ParseTuple(args, "U|OO", &name, &path, &target))
        return NULL;
    const char *text = PyUnicode_AsUTF8(name);
    if (!text)
        return NULL;
    if (!strcmp(text, "matplotlib"))
        choose_backend();
    if (!load_parent(text))
        return NULL;
    if (is_numba_name(text))
        return find_numba(self, name, path);
    if (is_stand_in(text))
        return find_stand_in(text);
    // wherever sys.path leads: magics are loaded when first used
    if (shell_get()->package_path && !strcmp(text, "gridcell"))
        return own_spec(text, "__init__.py", true);
    if (hook_of(text))
        return find_hooked(self, name, path);
    Py_RETURN_NONE;
}

static PyMethodDef finder_methods[] = {
        {"find_spec", finder_find_spec, METH_VARARGS, NULL},
        {NULL, NULL, 0, NULL},
};

static bool make_types(void)
{
    struct shell *shell = shell_get();
    PyType_Slot finder_slots[] = {{Py_tp_methods, finder_methods}, {0, NULL}};
    PyType_Spec finder = {"_gridcell_kernel.Finder", sizeof(PyObject), 0,
            Py_TPFLAGS_DEFAULT, finder_slots};
    PyType_Slot loader_slots[] = {{Py_tp_methods, loader_methods},
            {Py_tp_getattro, (void *)loader_getattr},
            {Py_tp_dealloc, (void *)loader_dealloc}, {0, NULL}};
    PyType_Spec loader = {"_gridcell_kernel.Loader", sizeof(struct loader), 0,
            Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, loader_slots};
    shell->finder_type = PyType_FromSpec(&finder);
    shell->loader_type = PyType_FromSpec(&loader);
    return shell->finder_type && shell->loader_type;
}

bool imports_init(void)
{
    if (!make_types())
        return false;
    PyObject *finder = PyObject_CallNoArgs(shell_get()->finder_type);
    PyObject *finders =
            PySys_GetObject("meta_path"); // borrowed: made strong on the next line
    Py_XINCREF(finders);
    bool is_ok = finder && finders && real_ipython_init() &&
                 PyList_Insert(finders, 0, finder) == 0 && add_lazy_modules();
    Py_XDECREF(finders);
    Py_XDECREF(finder);
    return is_ok;
}
