// SPDX-License-Identifier: MIT
// What extensions hang on get_ipython(): transformers of a cell's text and syntax tree,
// handlers of exceptions. Costs next to nothing while nobody does.
#include "kernel/python/state/py_state.h"

#include "kernel/python/display/py_display.h"
#include "kernel/python/execute/py_execute.h"
#include "kernel/python/state/py_text.h"

static bool has_members(PyObject *object)
{
    return object && PyObject_Size(object) > 0;
}

// The shell's list `name`, when it has members.
static PyObject *hooks_of(const char *name)
{
    PyObject *instance = shell_get()->instance;
    PyObject *list = instance ? PyObject_GetAttrString(instance, name) : NULL;
    if (!has_members(list))
        Py_CLEAR(list);
    py_error_drop();
    return list;
}

// What gridcell.ipython.hooks.`function` makes of the object with the hooks of that name.
static PyObject *apply(const char *function, PyObject *object, const char *name)
{
    PyObject *hooks = hooks_of(name);
    if (!hooks)
        return Py_NewRef(object);
    PyObject *result =
            py_call_module("gridcell.ipython.hooks", function, "(OO)", object, hooks);
    Py_DECREF(hooks);
    return result;
}

PyObject *hooks_clean_text(PyObject *cell)
{
    PyObject *clean = apply("transform_text", cell, "input_transformers_cleanup");
    if (clean)
        Py_SETREF(clean, apply("transform_lines", clean, "input_transformers_line"));
    return clean;
}

PyObject *hooks_finish_text(PyObject *source)
{
    return apply("transform_text", source, "input_transformers_post");
}

PyObject *hooks_transform_tree(PyObject *tree)
{
    return apply("transform_tree", tree, "ast_transformers");
}

// Whether the shell's object itself has one of the functions that run cells.
static bool may_be_replaced(PyObject *instance)
{
    static const char *const names[] = {"run_cell", "run_ast_nodes"};
    PyObject *own = instance ? PyObject_GetAttrString(instance, "__dict__") : NULL;
    bool has_any = false;
    for (size_t i = 0; own && i < sizeof names / sizeof *names; i++) {
        PyObject *found = NULL;
        has_any |= py_dict_get_text(own, names[i], &found) > 0;
        Py_XDECREF(found);
    }
    py_error_drop();
    Py_XDECREF(own);
    return has_any;
}

bool hooks_run(PyObject *cell, bool is_stored, bool is_silent)
{
    PyObject *instance = shell_get()->instance;
    if (!may_be_replaced(instance))
        return false;
    PyObject *done =
            py_call_module("gridcell.ipython.replaced", "run", "(OOOO)", instance, cell,
                    is_stored ? Py_True : Py_False, is_silent ? Py_True : Py_False);
    bool has_run = done != Py_False;
    Py_XDECREF(done);
    return has_run;
}

bool hooks_show(PyObject *exception)
{
    PyObject *instance = shell_get()->instance;
    PyObject *shown =
            instance ? py_call_method(instance, "_show_failure", "(O)", exception) : NULL;
    bool is_shown = shown == Py_True;
    if (instance && !shown) {
        json_decref(traceback_report(true));
        is_shown = true;
    }
    Py_XDECREF(shown);
    return is_shown;
}

json_t *hooks_report_failure(void)
{
    if (!shell_get()->instance)
        return traceback_report(true);
    PyObject *type = NULL, *exception = NULL, *traceback = NULL;
    PyErr_Fetch(&type, &exception, &traceback);
    PyErr_NormalizeException(&type, &exception, &traceback);
    if (traceback)
        PyException_SetTraceback(exception, traceback);
    bool is_shown = hooks_show(exception);
    PyErr_Restore(type, exception, traceback);
    return traceback_report(!is_shown);
}
