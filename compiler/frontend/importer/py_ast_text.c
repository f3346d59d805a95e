// SPDX-License-Identifier: MIT
// The text that a Python function was compiled from, and its tree.
#include "compiler/frontend/importer/py_ast_private.h"

#include <string.h>

PyObject *py_lines_of_cell(const char *file)
{
    PyObject *name = PyUnicode_FromString("gridcell._gridcell");
    PyObject *module = name ? PyImport_GetModule(name) : NULL;
    PyObject *cells = module ? PyObject_GetAttrString(module, "cell_sources") : NULL;
    PyObject *entry = cells ? PyMapping_GetItemString(cells, file) : NULL;
    PyObject *lines = entry ? PySequence_GetItem(entry, 2) : NULL;
    py_error_drop();
    Py_XDECREF(entry);
    Py_XDECREF(cells);
    Py_XDECREF(module);
    Py_XDECREF(name);
    return lines;
}

static PyObject *lines_of_file(PyObject *function, const char *file)
{
    PyObject *linecache = PyImport_ImportModule("linecache");
    PyObject *lines = linecache ? PyObject_CallMethod(linecache, "getlines", "sO", file,
                                          PyFunction_GetGlobals(function))
                                : NULL;
    Py_XDECREF(linecache);
    return lines;
}

// The lines of the function's file: a list, or NULL with err set.
static PyObject *read_lines(PyObject *function, struct source *source, struct error *err)
{
    PyObject *lines = py_lines_of_cell(source->file);
    if (!lines)
        lines = lines_of_file(function, source->file);
    if (!lines) {
        error_from_python(err);
    } else if (!PyList_Check(lines) || !PyList_GET_SIZE(lines)) {
        error_set(err, ERROR_SYSTEM, SPAN_NONE,
                "could not get the source code of '%s': %s has no readable text",
                source->name, source->file);
        Py_CLEAR(lines);
    }
    return lines;
}

// A new str, or NULL with an exception set.
static PyObject *join_lines(PyObject *lines)
{
    PyObject *separator = PyUnicode_FromString("");
    PyObject *text = separator ? PyUnicode_Join(separator, lines) : NULL;
    Py_XDECREF(separator);
    return text;
}

// Whether the line begins, behind the indent, with one of the characters, or with the
// word.
static bool line_begins(
        PyObject *lines, Py_ssize_t index, size_t indent, const char *with, bool is_word)
{
    PyObject *line = py_list_get(lines, index);
    const char *text = line ? PyUnicode_AsUTF8(line) : NULL;
    bool is_so = text && strspn(text, " ") >= indent &&
                 (is_word ? str_starts_with(text + indent, with)
                          : text[indent] && strchr(with, text[indent]) != NULL);
    py_error_drop();
    Py_XDECREF(line);
    return is_so;
}

static size_t indent_of(PyObject *lines, Py_ssize_t index)
{
    PyObject *line = py_list_get(lines, index);
    const char *text = line ? PyUnicode_AsUTF8(line) : NULL;
    size_t indent = text ? strspn(text, " ") : 0;
    py_error_drop();
    Py_XDECREF(line);
    return indent;
}

// What stands above a function in its text: as many lines as in its file. A function
// inside another one is indented, so an `if` has to come before it.
static PyObject *lines_above(Py_ssize_t count, size_t indent)
{
    static const char opening[] = "if True:\n";
    Py_ssize_t empty = indent ? count - 1 : count;
    PyObject *lines = empty < 0 ? NULL : PyUnicode_New(empty, 127);
    if (lines && PyUnicode_Fill(lines, 0, empty, '\n') < 0)
        Py_CLEAR(lines);
    PyObject *all =
            lines ? PyUnicode_FromFormat("%U%s", lines, indent ? opening : "") : NULL;
    Py_XDECREF(lines);
    return all;
}

// Whether a line below the first of a function, which has this indent, is still part of
// it.
static bool is_within(PyObject *lines, Py_ssize_t index, size_t indent)
{
    return line_begins(lines, index, 0, "\r\n#", false) ||
           line_begins(lines, index, indent, " \t\r\n#)]}", false);
}

// The text of one function, in the lines where its file has it; NULL when its lines are
// not sure to be all of it.
static PyObject *own_text(PyObject *lines, int first_line)
{
    Py_ssize_t count = PyList_GET_SIZE(lines), first = first_line - 1, end = first;
    size_t indent = first >= 0 && first < count ? indent_of(lines, first) : 0;
    while (end >= 0 && end < count && !line_begins(lines, end, indent, "def ", true))
        if (!line_begins(lines, end++, indent, "@ )\n", false))
            return NULL;
    if (end < 0 || end >= count)
        return NULL;
    for (end++; end < count && is_within(lines, end, indent);)
        end++;
    PyObject *own = PyList_GetSlice(lines, first, end);
    PyObject *body = own ? join_lines(own) : NULL;
    PyObject *above = body ? lines_above(first, indent) : NULL;
    PyObject *text = above ? PyUnicode_Concat(above, body) : NULL;
    py_error_drop();
    Py_XDECREF(above);
    Py_XDECREF(body);
    Py_XDECREF(own);
    return text;
}

static PyObject *cached_tree(
        const struct py_resolver *resolver, const char *file, PyObject *text)
{
    PyObject *entry = NULL, *tree = NULL;
    if (resolver->parsed && py_dict_get_text(resolver->parsed, file, &entry) > 0 &&
            PyUnicode_Compare(PyTuple_GET_ITEM(entry, 0), text) == 0)
        tree = Py_NewRef(PyTuple_GET_ITEM(entry, 1));
    py_error_drop();
    Py_XDECREF(entry);
    return tree;
}

static bool keep_tree(const struct py_resolver *resolver, const char *file,
        PyObject *text, PyObject *tree)
{
    if (!resolver->parsed)
        return true;
    PyObject *entry = PyTuple_Pack(2, text, tree);
    bool is_kept = entry && PyDict_SetItemString(resolver->parsed, file, entry) == 0;
    Py_XDECREF(entry);
    return is_kept;
}

PyObject *py_parse(const char *text, const char *file, int more)
{
    enum { MOST_TRIES = 4 };
    PyCompilerFlags flags = {PyCF_ONLY_AST | PyCF_IGNORE_COOKIE | more, PY_MINOR_VERSION};
    PyObject *tree = NULL;
    bool again = true;
    for (int tries = 0; again && tries < MOST_TRIES; tries++) {
        py_error_drop();
        tree = Py_CompileStringExFlags(text, file, Py_file_input, &flags, -1);
        again = !tree && PyErr_Occurred() == PyExc_SystemError;
    }
    return tree;
}

// A new reference, or NULL with an exception set.
static PyObject *parse(PyObject *text, const struct source *source)
{
    const char *bytes = PyUnicode_AsUTF8(text);
    return bytes ? py_parse(bytes, source->file, PyCF_ALLOW_TOP_LEVEL_AWAIT) : NULL;
}

// The files of the library are long, and of most of them only few functions are wanted.
static PyObject *parse_alone(PyObject *lines, const struct source *source)
{
    PyObject *text =
            source->options.is_library ? own_text(lines, source->first_line) : NULL;
    PyObject *tree = text ? parse(text, source) : NULL;
    py_error_drop();
    Py_XDECREF(text);
    return tree;
}

static PyObject *parse_file(PyObject *lines, const struct source *source,
        const struct py_resolver *resolver, struct error *err)
{
    PyObject *text = join_lines(lines);
    PyObject *tree = text ? cached_tree(resolver, source->file, text) : NULL;
    if (text && !tree) {
        tree = parse(text, source);
        if (tree && !keep_tree(resolver, source->file, text, tree))
            Py_CLEAR(tree);
    }
    if (!tree)
        error_from_python(err);
    Py_XDECREF(text);
    return tree;
}

// Whether the lines known under the file's name need not be the function's: texts of any
// origin have it, or a text that ran under the name of a file was kept.
static bool is_text_another(PyObject *function, const char *file, PyObject *kept)
{
    return !strcmp(file, "<string>") || !strcmp(file, "<ast>") ||
           (file[0] == '/' && py_has_kept_text(kept, PyFunction_GetCode(function)));
}

PyObject *py_read_tree(PyObject *function, struct source *source,
        const struct py_resolver *resolver, struct error *err)
{
    int failed;
    PyObject *own = py_attr_or_null(function, "__gridcell_tree__", &failed);
    py_error_drop();
    if (!own && is_text_another(function, source->file, resolver->kept))
        own = py_kept_tree(resolver->kept, PyFunction_GetCode(function));
    if (own) // the function was made of this tree
        return own;
    PyObject *lines = read_lines(function, source, err);
    if (!lines)
        own = py_kept_tree(resolver->kept, PyFunction_GetCode(function));
    if (own) {
        *err = (struct error){0};
        return own;
    }
    PyObject *tree = lines ? parse_alone(lines, source) : NULL;
    if (lines && !tree)
        tree = parse_file(lines, source, resolver, err);
    Py_XDECREF(lines);
    return tree;
}
