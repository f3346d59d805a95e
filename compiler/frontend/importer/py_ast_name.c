// SPDX-License-Identifier: MIT
// Imports names and attributes, and resolves names that are not local to constants.
#include "compiler/frontend/importer/py_ast_private.h"

#include "base/py_compat.h"

#include <string.h>

// What a name means in the module. As the next.
static int look_up_global(struct importer *im, const char *name, PyObject **object)
{
    PyObject *key = PyUnicode_FromString(name);
    int status = key ? py_dict_get(im->globals, key, object) : -1;
    if (status > 0 && py_import_lazy(im->globals, key, object) < 0) {
        Py_CLEAR(*object);
        status = -1;
    }
    Py_XDECREF(key);
    return status;
}

// The object of a name that is not local. 1: found (new reference), 0: there is none, -1:
// error.
static int look_up(
        struct importer *im, const char *name, PyObject **object, PyObject **cell)
{
    *object = *cell = NULL;
    for (Py_ssize_t i = 0; im->closure && i < PyTuple_GET_SIZE(im->freevars); i++) {
        const char *freevar = PyUnicode_AsUTF8(PyTuple_GET_ITEM(im->freevars, i));
        if (freevar && !strcmp(freevar, name)) {
            *cell = PyTuple_GET_ITEM(im->closure, i);
            *object = PyCell_Get(*cell);
            return *object != NULL;
        }
    }
    int status = look_up_global(im, name, object);
    if (status != 0)
        return status;
    *cell = Py_Ellipsis; // neither
    return py_dict_get_text(im->builtins, name, object);
}

// Notes what a name meant, for the runtime to see when it means something else.
static bool watch(struct importer *im, const char *name, PyObject *object, PyObject *cell)
{
    if (!im->source->watched || cell == Py_Ellipsis)
        return true;
    PyObject *entry = Py_BuildValue("(OsO)", cell ? cell : Py_None, name, object);
    bool is_done = entry && PyList_Append(im->source->watched, entry) == 0;
    Py_XDECREF(entry);
    return is_done || error_from_python(im->err);
}

// A function that is compiled before its name is bound (its decorator has signatures) is
// what the name will mean. A new reference, or NULL.
static PyObject *function_itself(const struct importer *im, const char *name)
{
    while (im->outer)
        im = im->outer;
    const char *own =
            im->code ? PyUnicode_AsUTF8(((PyCodeObject *)im->code)->co_name) : NULL;
    return own && !strcmp(own, name) ? Py_XNewRef((PyObject *)im->source->owner) : NULL;
}

// A name's `lazy import` fails where the name is used.
static struct ast_node *fail_at(struct importer *im, struct span span)
{
    bool is_import = PyErr_ExceptionMatches(PyExc_ImportError);
    struct error cause = {0};
    error_from_python(is_import ? &cause : im->err);
    if (is_import)
        error_set(im->err, ERROR_TYPING, span, "ImportError: %s", cause.message);
    return NULL;
}

static struct ast_node *import_global(
        struct importer *im, PyObject *node, const char *name, PyObject **object)
{
    struct ast_node *out = py_node_new(im, AST_CONSTANT, node);
    PyObject *cell;
    int status = look_up(im, name, object, &cell);
    if (status < 0)
        return fail_at(im, out->span);
    if (status == 0 && (*object = function_itself(im, name)))
        return py_resolve_constant(im, *object, name, out) ? out : NULL;
    if (status == 0) {
        out->constant.origin = arena_printf(
                &im->source->arena, "NameError: name '%s' is not defined", name);
        return out;
    }
    return watch(im, name, *object, cell) && py_resolve_constant(im, *object, name, out)
                   ? out
                   : NULL;
}

static const char *module_text(struct importer *im, PyObject *module)
{
    PyObject *repr = PyObject_Repr(module);
    const char *text = repr ? PyUnicode_AsUTF8(repr) : NULL;
    const char *copy = arena_printf(&im->source->arena, "%s", text ? text : "?");
    py_error_drop();
    Py_XDECREF(repr);
    return copy;
}

// The name of the namespace that looks like this one; NULL when none does.
static PyObject *similar_name(PyObject *namespace, const char *name)
{
    PyObject *find = py_import_attr("difflib", "get_close_matches");
    PyObject *names = find ? PyObject_Dir(namespace) : NULL;
    PyObject *found = names ? PyObject_CallFunction(find, "sO", name, names) : NULL;
    PyObject *first = found && PyObject_IsTrue(found) == 1 ? py_list_get(found, 0) : NULL;
    py_error_drop();
    Py_XDECREF(find);
    Py_XDECREF(names);
    Py_XDECREF(found);
    return first;
}

static void explain_missing(
        struct importer *im, PyObject *namespace, const char *name, struct ast_node *out)
{
    PyObject *similar = similar_name(namespace, name);
    const char *text = similar ? PyUnicode_AsUTF8(similar) : NULL;
    const char *advice =
            !text ? "There is no such name in it."
                  : arena_printf(&im->source->arena,
                            "There is no such name in it. Did you mean '%s'?", text);
    out->constant.origin = arena_printf(&im->source->arena,
            "Unknown attribute '%s' of type Module(%s)\n\n%s", name,
            module_text(im, namespace), advice);
    py_error_drop();
    Py_XDECREF(similar);
}

// `name` of the namespace `base`, both known now.
static struct ast_node *import_member(struct importer *im, PyObject *node,
        const struct ast_node *value, PyObject *base, const char *name, PyObject **object)
{
    struct ast_node *out = py_node_new(im, AST_CONSTANT, node);
    int failed = 0;
    *object = py_attr_or_null(base, name, &failed);
    if (failed) {
        error_from_python(im->err);
        return NULL;
    }
    if (!*object) {
        explain_missing(im, base, name, out);
        return out;
    }
    const char *origin =
            arena_printf(&im->source->arena, "%s.%s", value->constant.origin, name);
    if (!py_resolve_constant(im, *object, origin, out))
        return NULL;
    if (out->kind == AST_CONSTANT && out->constant.value.type == type_pyobject &&
            PyModule_Check(base))
        out->constant.value.object.module = module_text(im, base);
    return out;
}

// Whether it is the `value` or `name` of a member of an Enum, which is known now.
static bool is_enum_part(PyObject *object, const char *name)
{
    return (!strcmp(name, "value") || !strcmp(name, "name")) &&
           py_has_attr((PyObject *)Py_TYPE(object), "__members__");
}

// Whether it is the `_fields` of a named tuple or its class.
static bool is_named_part(PyObject *object, const char *name)
{
    bool is_tuple = PyTuple_Check(object) ||
                    (PyType_Check(object) &&
                            PyType_IsSubtype((PyTypeObject *)object, &PyTuple_Type));
    return is_tuple && !strcmp(name, "_fields") && py_has_attr(object, name);
}

// Attributes of modules and Enum classes are constants.
static bool is_namespace(const struct type *type)
{
    return type == type_module ||
           (type->kind == TYPE_CLASS && type->element->kind == TYPE_ENUM);
}

static struct ast_node *import_attribute(
        struct importer *im, PyObject *node, PyObject **object)
{
    const char *name = py_node_text(im, node, "attr");
    PyObject *value_node = name ? py_node_get(im, node, "value") : NULL;
    PyObject *base = NULL;
    struct ast_node *value = value_node ? py_import_chain(im, value_node, &base) : NULL;
    struct ast_node *out = value;
    if (value && value->kind == AST_CONSTANT && !value->constant.value.type) {
        out = value; // an unknown name stays one
    } else if (value && value->kind == AST_CONSTANT && base &&
               (is_namespace(value->constant.value.type) || is_enum_part(base, name) ||
                       is_named_part(base, name))) {
        out = import_member(im, node, value, base, name, object);
    } else if (value) {
        out = py_node_new(im, AST_ATTRIBUTE, node);
        out->attribute.value = value;
        out->attribute.name = name;
    }
    Py_XDECREF(base);
    Py_XDECREF(value_node);
    return out;
}

static struct ast_node *import_name(
        struct importer *im, PyObject *node, PyObject **object)
{
    const char *name = py_node_text(im, node, "id");
    if (!name)
        return NULL;
    int local = scope_find(&im->scope, name);
    if (local < 0 && im->own_name && !strcmp(im->own_name, name))
        return py_import_own_name(im, node);
    if (local < 0)
        return import_global(im, node, name, object);
    struct ast_node *out = py_node_new(im, AST_LOCAL, node);
    out->local = local;
    return out;
}

struct ast_node *py_import_chain(struct importer *im, PyObject *node, PyObject **object)
{
    const char *class = py_node_class(node);
    if (!strcmp(class, "Name"))
        return import_name(im, node, object);
    if (!strcmp(class, "Attribute"))
        return import_attribute(im, node, object);
    return py_import_expr(im, node);
}
