// SPDX-License-Identifier: MIT
// Runs magics by name, and what all of them share: options, splitting, and expansion of
// variables.
#include "kernel/magics/py_magics.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "kernel/cells/transform.h"
#include "kernel/python/state/py_magic_table.h"
#include "kernel/python/state/py_state.h"
#include "kernel/python/state/py_text.h"

// The value of a user's magic that lets a semicolon at the end of `code` hide it.
static PyObject *silenced(PyObject *function, PyObject *code, PyObject *value_stolen)
{
    Py_ssize_t len;
    const char *text = value_stolen && magic_has_mark(function,
                                               "_ipython_magic_output_can_be_silenced")
                               ? PyUnicode_AsUTF8AndSize(code, &len)
                               : NULL;
    if (text && transform_ends_with_semicolon(text, (size_t)len))
        Py_SETREF(value_stolen, Py_NewRef(Py_None));
    return value_stolen;
}

// What is typed where a kernel stands, in cells is no magic.
static bool is_of_debugger(const char *name)
{
    return !strcmp(name, "thread") || !strcmp(name, "block") || !strcmp(name, "barrier");
}

// Says which magic is not there, and whether there is one of the other kind.
static void refuse_unknown(int kind, const char *name)
{
    static const char line[] = "Line magic function `%", cell[] = "Cell magic `%%";
    const char *wanted = kind == MAGIC_LINE ? line : cell;
    if (kind == MAGIC_LINE && magic_exists(MAGIC_CELL, name))
        py_usage_error("%s%s` not found (But cell magic `%%%%%s` exists, did you mean "
                       "that instead?).",
                wanted, name, name);
    else if (kind == MAGIC_CELL && magic_exists(MAGIC_LINE, name))
        py_usage_error("%s%s` not found (But line magic `%%%s` exists, did you mean "
                       "that instead?).",
                wanted, name, name);
    else if (kind == MAGIC_LINE && is_of_debugger(name))
        py_usage_error("%%%s works where a kernel with debug=True stands: at the prompt "
                       "of breakpoint(), or in Evaluate Code of JupyterLab's debugger.",
                name);
    else
        py_usage_error("%s%s` not found.", wanted, name);
}

static PyObject *refuse_empty_body(const char *name)
{
    if (magic_find(MAGIC_LINE, name))
        return py_usage_error(
                "%%%%%s is a cell magic, but the cell body is empty. Did you mean the "
                "line magic %%%s (single %%)?",
                name, name);
    return py_usage_error("%%%%%s is a cell magic, but the cell body is empty.", name);
}

// ---- where a magic stands

// Whether code is gridcell's own, whose names are nobody's business.
static bool is_own(PyObject *globals)
{
    PyObject *name = NULL;
    py_dict_get_text(globals, "__name__", &name);
    const char *text = name && PyUnicode_Check(name) ? PyUnicode_AsUTF8(name) : NULL;
    bool is_ours = text && str_starts_with(text, "gridcell.");
    py_error_drop();
    Py_XDECREF(name);
    return is_ours;
}

// The names of the function that the command or magic stands in, as a new reference;
// NULL, without an exception, where it stands in none.
static PyObject *names_of_caller(void)
{
    PyFrameObject *frame = PyEval_GetFrame(); // borrowed: it is running
    PyObject *globals = frame ? PyFrame_GetGlobals(frame) : NULL;
    PyObject *locals = globals && !is_own(globals) ? PyFrame_GetLocals(frame) : NULL;
    py_error_drop();
    Py_XDECREF(globals);
    return locals;
}

// Whether a magic runs code that may name what the function has that it stands in.
static bool runs_code(const char *name)
{
    return words_have("time timeit prun debug gpu_timeit transfers", name, strlen(name));
}

// Puts names into the user's namespace; those that they hide, as a new dict.
static PyObject *show_names(PyObject *names)
{
    PyObject *user_ns = shell_get()->user_ns, *hidden = PyDict_New();
    PyObject *keys = hidden ? PyDict_Keys(names) : NULL;
    for (Py_ssize_t i = 0; keys && i < PyList_GET_SIZE(keys); i++) {
        PyObject *key = PyList_GET_ITEM(keys, i), *old = NULL; // borrowed: keys is ours
        if (py_dict_get(user_ns, key, &old) > 0 && PyDict_SetItem(hidden, key, old) < 0)
            Py_CLEAR(hidden);
        Py_XDECREF(old);
    }
    if (!keys || !hidden || PyDict_Update(user_ns, names) < 0)
        Py_CLEAR(hidden);
    Py_XDECREF(keys);
    return hidden;
}

// Takes them away again, but for those that the code has set.
static void hide_names(PyObject *names, PyObject *hidden)
{
    PyObject *user_ns = shell_get()->user_ns, *items = PyDict_Items(names);
    for (Py_ssize_t i = 0; items && i < PyList_GET_SIZE(items); i++) {
        PyObject *item = PyList_GET_ITEM(items, i); // borrowed: items is ours
        PyObject *key = PyTuple_GET_ITEM(item, 0), *now = NULL;
        if (py_dict_get(user_ns, key, &now) > 0 && now == PyTuple_GET_ITEM(item, 1))
            PyDict_DelItem(user_ns, key);
        Py_XDECREF(now);
    }
    PyDict_Update(user_ns, hidden);
    py_error_drop();
    Py_XDECREF(items);
}

// Runs a built-in magic; one that runs code, with the names of the function around it.
static PyObject *run_built_in(
        const struct magic *magic, const char *name, PyObject *line, PyObject *body)
{
    PyObject *locals = runs_code(name) ? names_of_caller() : NULL, *names = NULL;
    if (locals && locals != shell_get()->user_ns)
        names = PyDict_New();
    bool is_ok = !names || PyDict_Update(names, locals) == 0;
    PyObject *hidden = names && is_ok ? show_names(names) : NULL;
    is_ok = is_ok && (!names || hidden);
    PyObject *result = is_ok ? magic->run(name, line, body) : NULL;
    PyObject *type, *value, *traceback;
    PyErr_Fetch(&type, &value, &traceback);
    if (hidden)
        hide_names(names, hidden);
    PyErr_Restore(type, value, traceback);
    py_drop(hidden, names, locals);
    return result;
}

// `body`: of a cell magic; NULL for one of a line.
static PyObject *run_magic(
        enum magic_kind kind, const char *name, PyObject *line, PyObject *body)
{
    PyObject *function, *result = NULL;
    const struct magic *magic;
    bool expands = magic_find_any(kind, name, &function, &magic);
    PyObject *argument = expands ? magic_expand(line) : Py_NewRef(line);
    if (argument && function)
        result = silenced(function, body ? body : argument,
                PyObject_CallFunctionObjArgs(function, argument, body, NULL));
    else if (argument && magic && body && !magic->allows_no_body &&
             PyUnicode_GET_LENGTH(body) == 0)
        result = refuse_empty_body(name);
    else if (argument && magic)
        result = run_built_in(magic, name, argument, body);
    else if (argument)
        refuse_unknown(kind, name);
    py_drop(argument, function);
    return result;
}

PyObject *magic_run_line(const char *name, PyObject *line)
{
    return run_magic(MAGIC_LINE, name, line, NULL);
}

PyObject *magic_run_cell(const char *name, PyObject *line, PyObject *body)
{
    return run_magic(MAGIC_CELL, name, line, body);
}

PyObject *magic_run_built_in(const char *name, PyObject *line, PyObject *body)
{
    enum magic_kind kind = body ? MAGIC_CELL : MAGIC_LINE;
    const struct magic *magic = magic_find(kind, name);
    if (!magic)
        refuse_unknown(kind, name);
    return magic ? magic->run(name, line, body) : NULL;
}

// ---- options

PyObject *magic_split(PyObject *line)
{
    PyObject *words = py_call_module("shlex", "split", "(O)", line);
    if (!words && PyErr_ExceptionMatches(PyExc_ValueError)) {
        py_error_drop();
        words = PyUnicode_Split(line, NULL, -1);
    }
    return words;
}

static bool set_option(
        struct magic_options *options, char letter, const char *text, size_t len)
{
    PyObject *value = text ? py_text(text, len) : Py_NewRef(Py_None);
    Py_XSETREF(options->values[letter & 127], value);
    return value != NULL;
}

// One cluster of letters, "-n10" or "-oq"; *pos moves past it and its argument.
static bool parse_cluster(const char *name, const char **pos, const char *letters,
        struct magic_options *options)
{
    const char *p = *pos + 1;
    for (; *p && !isspace((unsigned char)*p); p++) {
        const char *known = isalpha((unsigned char)*p) ? strchr(letters, *p) : NULL;
        if (!known) {
            py_usage_error("option -%c not recognized (allowed: \"%s\")", *p, letters);
            return false;
        }
        if (known[1] != ':') {
            if (!set_option(options, *p, NULL, 0))
                return false;
            continue;
        }
        char letter = *p++;
        p += strspn(p, " \t");
        size_t len = strcspn(p, " \t");
        if (len == 0) {
            py_usage_error(
                    "option -%c requires argument (allowed: \"%s\")", letter, letters);
            return false;
        }
        *pos = p + len;
        return set_option(options, letter, p, len);
    }
    *pos = p;
    return true;
}

bool magic_parse(const char *name, PyObject *line, const char *letters,
        struct magic_options *options)
{
    const char *pos = PyUnicode_AsUTF8(line);
    if (!pos)
        return false;
    for (;;) {
        pos += strspn(pos, " \t");
        bool is_end =
                str_starts_with(pos, "--") && (!pos[2] || isspace((unsigned char)pos[2]));
        if (is_end)
            pos += 2 + strspn(pos + 2, " \t");
        if (is_end || pos[0] != '-' || !isalpha((unsigned char)pos[1]))
            break;
        if (!parse_cluster(name, &pos, letters, options)) {
            magic_options_finish(options);
            return false;
        }
    }
    options->rest = PyUnicode_FromString(pos);
    return options->rest != NULL;
}

void magic_options_finish(struct magic_options *options)
{
    for (int i = 0; i < 128; i++)
        Py_CLEAR(options->values[i]);
    Py_CLEAR(options->rest);
}

bool magic_has(const struct magic_options *options, char letter)
{
    return options->values[letter & 127] != NULL;
}

long magic_integer(const struct magic_options *options, char letter, long otherwise)
{
    PyObject *text = options->values[letter & 127];
    if (!text)
        return otherwise;
    PyObject *number = PyLong_FromUnicodeObject(text, 10);
    long value = number ? PyLong_AsLong(number) : -1;
    Py_XDECREF(number);
    return value;
}

// ---- expansion

// `locals`: names that come before the user's; NULL for none.
static PyObject *evaluate(const char *expression, PyObject *locals)
{
    PyObject *ns = shell_get()->user_ns;
    return PyRun_StringFlags(expression, Py_eval_input, ns, locals ? locals : ns, NULL);
}

// The text of `{body}`; NULL, with no exception, when it has no value.
static PyObject *expand_braces(const char *body, size_t len, PyObject *locals)
{
    struct str source = {0};
    str_append_char(&source, '(');
    str_append_bytes(&source, body, len);
    str_append_char(&source, ')');
    bool is_word =
            len > 0 && body[0] != '"' && body[0] != '\'' && !memchr(body, '\n', len);
    PyObject *value = is_word ? evaluate(str_text(&source), locals) : NULL;
    bool may_be_format = is_word && !value && PyErr_ExceptionMatches(PyExc_SyntaxError) &&
                         (memchr(body, ':', len) || memchr(body, '!', len));
    py_error_drop();
    if (may_be_format) {
        str_clear(&source);
        str_append(&source, "f\"\"\"{");
        str_append_bytes(&source, body, len);
        str_append(&source, "}\"\"\"");
        value = evaluate(str_text(&source), locals);
    }
    PyObject *text = value ? PyObject_Str(value) : NULL;
    py_error_drop();
    Py_XDECREF(value);
    str_finish(&source);
    return text;
}

// The text of `$name.attr`; NULL, with no exception, when the user has no such name.
static PyObject *expand_name(const char *name, size_t len, PyObject *locals)
{
    size_t first = 0;
    while (first < len && name[first] != '.')
        first++;
    char *root = strndup(name, first), *all = strndup(name, len);
    PyObject *known = NULL, *value = NULL;
    known = root && locals ? PyMapping_GetItemString(locals, root) : NULL;
    py_error_drop();
    if (root && !known)
        py_dict_get_text(shell_get()->user_ns, root, &known);
    if (known && all)
        value = evaluate(all, locals);
    py_error_drop();
    PyObject *text = value ? PyObject_Str(value) : NULL;
    py_error_drop();
    py_drop(value, known);
    free(all);
    free(root);
    return text;
}

static size_t closing_brace(const char *text)
{
    int depth = 0;
    for (size_t i = 0; text[i]; i++) {
        depth += text[i] == '{';
        depth -= text[i] == '}';
        if (depth == 0)
            return i;
    }
    return 0;
}

static size_t name_len(const char *text)
{
    size_t len = 0;
    if (!isalpha((unsigned char)text[0]) && text[0] != '_')
        return 0;
    while (isalnum((unsigned char)text[len]) || text[len] == '_' ||
            (text[len] == '.' &&
                    (isalpha((unsigned char)text[len + 1]) || text[len + 1] == '_')))
        len++;
    return len;
}

// Expands what stands at `text` and returns how many bytes of it that was; 0: nothing to
// expand.
static size_t expand_at(
        struct str *out, const char *text, bool is_quoted, PyObject *locals)
{
    if (text[0] == '{' && text[1] == '{') {
        str_append_char(out, '{');
        return 2;
    }
    if (text[0] == '}' && text[1] == '}') {
        str_append_char(out, '}');
        return 2;
    }
    if (text[0] == '{') {
        size_t end = closing_brace(text);
        return end > 1 && py_append_stolen(out, expand_braces(text + 1, end - 1, locals))
                       ? end + 1
                       : 0;
    }
    if (text[0] != '$' || is_quoted)
        return 0;
    if (text[1] == '$' && name_len(text + 2)) {
        str_append_char(out, '$');
        return 2;
    }
    if (text[1] == '{') {
        size_t end = closing_brace(text + 1);
        bool is_name = end > 1 && name_len(text + 2) == end - 1;
        if (is_name && py_append_stolen(out, expand_name(text + 2, end - 1, locals)))
            return end + 2;
        str_append_bytes(out, text, end + 2);
        return end > 0 ? end + 2 : 0;
    }
    size_t len = name_len(text + 1);
    return len && py_append_stolen(out, expand_name(text + 1, len, locals)) ? len + 1 : 0;
}

PyObject *magic_expand(PyObject *text)
{
    PyObject *locals = names_of_caller();
    PyObject *expanded = magic_expand_with(text, locals);
    Py_XDECREF(locals);
    return expanded;
}

PyObject *magic_expand_with(PyObject *text, PyObject *locals)
{
    const char *source = PyUnicode_AsUTF8(text);
    if (!source)
        return NULL;
    if (!strpbrk(source, "{$"))
        return Py_NewRef(text);
    struct str out = {0};
    bool is_quoted = false;
    while (*source) {
        is_quoted ^= *source == '\'';
        size_t used = expand_at(&out, source, is_quoted, locals);
        if (!used)
            str_append_char(&out, *source);
        source += used ? used : 1;
    }
    PyObject *expanded = py_text(str_text(&out), out.len);
    str_finish(&out);
    return expanded;
}
