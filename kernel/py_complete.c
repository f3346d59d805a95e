// SPDX-License-Identifier: MIT
// Completion from what is there: names, attributes of objects, modules to import, magics,
// files. No object is called and nothing is imported that is not loaded already.
#include "kernel/py_shell.h"

#include <ctype.h>
#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "kernel/py_magics.h"

struct completion {
    PyObject *matches; // set of str
    PyObject *types;   // dict: str -> what it is
    size_t start;      // byte offset of what is replaced
};

static const char *const keywords[] = {"False", "None", "True", "and", "as", "assert",
        "async", "await", "break", "class", "continue", "def", "del", "elif", "else",
        "except", "finally", "for", "from", "global", "if", "import", "in", "is",
        "lambda", "nonlocal", "not", "or", "pass", "raise", "return", "try", "while",
        "with", "yield"};

static bool is_name_char(char c)
{
    return isalnum((unsigned char)c) || c == '_' || (unsigned char)c >= 0x80;
}

static size_t byte_offset(const char *text, long long position)
{
    size_t offset = 0;
    while (text[offset] && position-- > 0) {
        offset++;
        while (((unsigned char)text[offset] & 0xC0) == 0x80)
            offset++;
    }
    return offset;
}

static long long char_offset(const char *text, size_t bytes)
{
    long long count = 0;
    for (size_t i = 0; i < bytes; i++)
        count += ((unsigned char)text[i] & 0xC0) != 0x80;
    return count;
}

static const char *type_of(PyObject *object)
{
    if (PyModule_Check(object))
        return "module";
    if (PyType_Check(object))
        return "class";
    return PyCallable_Check(object) ? "function" : "instance";
}

static void add(struct completion *completion, PyObject *name, const char *type)
{
    PyObject *label = PyUnicode_FromString(type);
    if (label && PySet_Add(completion->matches, name) == 0)
        PyDict_SetItem(completion->types, name, label);
    PyErr_Clear();
    Py_XDECREF(label);
}

static void add_text(struct completion *completion, const char *name, const char *type)
{
    PyObject *text = PyUnicode_DecodeFSDefault(name);
    if (text)
        add(completion, text, type);
    PyErr_Clear();
    Py_XDECREF(text);
}

// Names that start with `prefix`; private ones only when the prefix is.
static bool is_match(PyObject *name, const char *prefix)
{
    const char *text = PyUnicode_Check(name) ? PyUnicode_AsUTF8(name) : NULL;
    PyErr_Clear();
    return text && str_starts_with(text, prefix) && (prefix[0] == '_' || text[0] != '_');
}

static void add_dict_names(
        struct completion *completion, PyObject *dict, const char *prefix)
{
    PyObject *keys = PyDict_Keys(dict);
    for (Py_ssize_t i = 0; keys && i < PyList_GET_SIZE(keys); i++) {
        PyObject *key = PyList_GET_ITEM(keys, i), *value = NULL; // borrowed: keys is ours
        if (is_match(key, prefix) && py_dict_get(dict, key, &value) > 0)
            add(completion, key, type_of(value));
        Py_XDECREF(value);
    }
    PyErr_Clear();
    Py_XDECREF(keys);
}

static void add_names(struct completion *completion, const char *prefix)
{
    PyObject *builtins = PyImport_ImportModule("builtins");
    add_dict_names(completion, shell_get()->user_ns, prefix);
    if (builtins)
        add_dict_names(completion, PyModule_GetDict(builtins),
                prefix); // borrowed: builtins lives on
    Py_XDECREF(builtins);
    for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++) {
        if (str_starts_with(keywords[i], prefix))
            add_text(completion, keywords[i], "keyword");
    }
    PyErr_Clear();
}

// ---- attributes

// The module that an `import` in the code itself binds to `name`, when it is loaded
// already.
static PyObject *module_imported_as(const char *code, const char *name)
{
    size_t len = strlen(name);
    for (const char *p = code; (p = strstr(p, "import ")); p += 7) {
        const char *word = p + 7 + strspn(p + 7, " ");
        size_t module_len = strcspn(word, " ,;\n");
        const char *rest = word + module_len + strspn(word + module_len, " ");
        const char *as =
                str_starts_with(rest, "as ") ? rest + 3 + strspn(rest + 3, " ") : word;
        bool is_it = !strncmp(as, name, len) && !is_name_char(as[len]);
        char *module = is_it ? strndup(word, module_len) : NULL;
        PyObject *found = module ? py_loaded_module(module) : NULL;
        free(module);
        if (found)
            return found;
    }
    return NULL;
}

static PyObject *root_object(const char *code, const char *name)
{
    PyObject *object = NULL;
    if (py_dict_get_text(shell_get()->user_ns, name, &object) > 0)
        return object;
    PyErr_Clear();
    PyObject *builtins = PyImport_ImportModule("builtins");
    if (builtins)
        py_dict_get_text(
                PyModule_GetDict(builtins), name, &object); // borrowed: builtins lives on
    PyErr_Clear();
    Py_XDECREF(builtins);
    return object ? object : module_imported_as(code, name);
}

// The object that a dotted name stands for; NULL when there is none.
static PyObject *dotted_object(const char *code, const char *dotted)
{
    char *copy = strdup(dotted), *rest = NULL;
    char *part = strtok_r(copy, ".", &rest);
    PyObject *object = part ? root_object(code, part) : NULL;
    while (object && (part = strtok_r(NULL, ".", &rest)))
        Py_SETREF(object, PyObject_GetAttrString(object, part));
    PyErr_Clear();
    free(copy);
    return object;
}

static void add_attributes(
        struct completion *completion, PyObject *object, const char *prefix)
{
    PyObject *names = PyObject_Dir(object);
    for (Py_ssize_t i = 0; names && i < PyList_GET_SIZE(names); i++) {
        PyObject *name = PyList_GET_ITEM(names, i); // borrowed: names is ours
        if (!is_match(name, prefix))
            continue;
        // a descriptor's getter may be slow or have effects: only modules and types are
        // looked into
        bool is_safe = PyModule_Check(object) || PyType_Check(object);
        PyObject *value = is_safe ? PyObject_GetAttr(object, name) : NULL;
        PyErr_Clear();
        add(completion, name, value ? type_of(value) : "instance");
        Py_XDECREF(value);
    }
    PyErr_Clear();
    Py_XDECREF(names);
}

// ---- modules, magics, files

static void add_modules(struct completion *completion, const char *prefix)
{
    PyObject *names =
            py_call_module("gridcell.ipython.modules", "completions", "(s)", prefix);
    for (Py_ssize_t i = 0; names && PyList_Check(names) && i < PyList_GET_SIZE(names);
            i++)
        add(completion, PyList_GET_ITEM(names, i), "module"); // borrowed: names is ours
    PyErr_Clear();
    Py_XDECREF(names);
}

static void add_magics(
        struct completion *completion, enum magic_kind kind, const char *prefix)
{
    PyObject *names = magic_names(kind);
    const char *percents = kind == MAGIC_LINE ? "%" : "%%";
    for (Py_ssize_t i = 0; names && i < PyList_GET_SIZE(names); i++) {
        const char *name =
                PyUnicode_AsUTF8(PyList_GET_ITEM(names, i)); // borrowed: names is ours
        if (!name || !str_starts_with(name, prefix))
            continue;
        struct str text = {0};
        str_printf(&text, "%s%s", percents, name);
        add_text(completion, str_text(&text), "magic");
        str_finish(&text);
    }
    PyErr_Clear();
    Py_XDECREF(names);
}

static void add_files(struct completion *completion, const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    char *folder = slash ? strndup(path, (size_t)(slash - path) + 1) : strdup("./");
    DIR *directory = opendir(folder);
    struct dirent *entry;
    while (directory && (entry = readdir(directory))) {
        bool is_hidden = entry->d_name[0] == '.' && name[0] != '.';
        if (is_hidden || !str_starts_with(entry->d_name, name) ||
                !strcmp(entry->d_name, ".") || !strcmp(entry->d_name, ".."))
            continue;
        struct str text = {0};
        str_printf(&text, "%s%s%s", slash ? folder : "", entry->d_name,
                entry->d_type == DT_DIR ? "/" : "");
        add_text(completion, str_text(&text), "path");
        str_finish(&text);
    }
    if (directory)
        closedir(directory);
    free(folder);
}

// ---- keys of dicts and data frames

// The keys of an object that are texts; NULL, without an exception, when it has none.
static PyObject *keys_of(PyObject *object)
{
    PyObject *keys = NULL;
    if (PyDict_Check(object))
        keys = PyDict_Keys(object);
    else if (PyObject_HasAttrString(object, "_ipython_key_completions_"))
        keys = py_call_method(object, "_ipython_key_completions_", NULL);
    else if (!strncmp(Py_TYPE(object)->tp_name, "DataFrame", 9))
        keys = PySequence_List(object);
    PyObject *list = keys ? PySequence_List(keys) : NULL;
    PyErr_Clear();
    Py_XDECREF(keys);
    return list;
}

// `name["pre`: the keys that start with `prefix`. False when it is no subscript.
static bool complete_keys(
        struct completion *completion, const char *code, size_t quote, const char *prefix)
{
    size_t end = quote > 0 ? quote - 1 : 0, start = end;
    if (end == 0 || code[end] != '[')
        return false;
    while (start > 0 && (is_name_char(code[start - 1]) || code[start - 1] == '.'))
        start--;
    char *owner = strndup(code + start, end - start);
    PyObject *object = owner && *owner ? dotted_object(code, owner) : NULL;
    PyObject *keys = object ? keys_of(object) : NULL;
    for (Py_ssize_t i = 0; keys && i < PyList_GET_SIZE(keys); i++) {
        PyObject *key = PyList_GET_ITEM(keys, i); // borrowed: keys is ours
        const char *text = PyUnicode_Check(key) ? PyUnicode_AsUTF8(key) : NULL;
        if (text && str_starts_with(text, prefix))
            add(completion, key, "dict key");
    }
    PyErr_Clear();
    Py_XDECREF(keys);
    Py_XDECREF(object);
    free(owner);
    return keys != NULL;
}

// ---- what is being typed

static size_t line_start(const char *code, size_t cursor)
{
    while (cursor > 0 && code[cursor - 1] != '\n')
        cursor--;
    return cursor;
}

// The quote of a string that is open at the end of the line; 0 when there is none.
static char open_quote(const char *line, size_t len, size_t *start)
{
    char quote = '\0';
    for (size_t i = 0; i < len; i++) {
        if (quote && line[i] == '\\') {
            i++;
        } else if (quote ? line[i] == quote : line[i] == '"' || line[i] == '\'') {
            quote = quote ? '\0' : line[i];
            *start = i + 1;
        }
    }
    return quote;
}

static void complete_magic(struct completion *completion, const char *text)
{
    bool is_cell = str_starts_with(text, "%%");
    const char *prefix = text + strspn(text, "%");
    if (!is_cell)
        add_magics(completion, MAGIC_LINE, prefix);
    add_magics(completion, MAGIC_CELL, prefix);
}

static void complete_name(struct completion *completion, const char *code,
        const char *line, const char *word)
{
    const char *dot = strrchr(word, '.');
    bool is_import = str_starts_with(line, "import ") || str_starts_with(line, "from ");
    bool is_import_from = str_starts_with(line, "from ") && strstr(line, " import ");
    if (is_import && !is_import_from) {
        add_modules(completion, word);
        return;
    }
    if (is_import_from && !dot) {
        char *module = strndup(line + 5, strcspn(line + 5, " "));
        PyObject *loaded = module ? py_loaded_module(module) : NULL;
        if (loaded)
            add_attributes(completion, loaded, word);
        Py_XDECREF(loaded);
        free(module);
        return;
    }
    if (!dot) {
        add_names(completion, word);
        return;
    }
    char *owner = strndup(word, (size_t)(dot - word));
    PyObject *object = owner ? dotted_object(code, owner) : NULL;
    if (object)
        add_attributes(completion, object, dot + 1);
    Py_XDECREF(object);
    free(owner);
}

static size_t word_start(const char *code, size_t from, size_t cursor)
{
    while (cursor > from && (is_name_char(code[cursor - 1]) || code[cursor - 1] == '.'))
        cursor--;
    return cursor;
}

// Fills the matches for the text up to the cursor, which `code` ends at.
static void complete(struct completion *completion, const char *code)
{
    size_t cursor = strlen(code), start = line_start(code, cursor), quote_start = 0;
    const char *line = code + start;
    size_t blank = strspn(line, " \t");
    if (open_quote(line, cursor - start, &quote_start)) {
        completion->start = start + quote_start;
        if (!complete_keys(completion, code, start + quote_start - 1, line + quote_start))
            add_files(completion, line + quote_start);
        return;
    }
    bool is_first_word = !strpbrk(line + blank, " \t");
    if (line[blank] == '%' && is_first_word) {
        completion->start = start + blank;
        complete_magic(completion, line + blank);
        return;
    }
    if ((line[blank] == '!' || line[blank] == '%') && !is_first_word) {
        size_t word = cursor;
        while (word > start && !isspace((unsigned char)code[word - 1]))
            word--;
        completion->start = word;
        add_files(completion, code + word);
        if (line[blank] == '!' || PySet_GET_SIZE(completion->matches) > 0)
            return;
    }
    size_t word = word_start(code, start, cursor);
    char *text = strdup(code + word), *statement = strdup(line + blank);
    const char *last_part = strrchr(statement, ';');
    const char *clause =
            last_part ? last_part + 1 + strspn(last_part + 1, " ") : statement;
    bool is_module = str_starts_with(clause, "import ") ||
                     (str_starts_with(clause, "from ") && !strstr(clause, " import "));
    const char *dot = strrchr(text, '.');
    completion->start = dot && !is_module ? word + (size_t)(dot - text) + 1 : word;
    complete_name(completion, code, clause, text);
    free(statement);
    free(text);
}

static json_t *type_entry(PyObject *types, PyObject *name, long long start, long long end)
{
    PyObject *label = NULL;
    py_dict_get(types, name, &label);
    json_t *entry = json_pack("{sI sI so so ss}", "start", (json_int_t)start, "end",
            (json_int_t)end, "text", py_text_to_json(name), "type",
            label ? py_text_to_json(label) : json_string("<unknown>"), "signature", "");
    Py_XDECREF(label);
    return entry;
}

static json_t *make_reply(const struct completion *completion, const char *code)
{
    long long start = char_offset(code, completion->start),
              end = char_offset(code, strlen(code));
    PyObject *sorted = PySequence_List(completion->matches);
    json_t *matches = json_array(), *types = json_array();
    if (sorted)
        PyList_Sort(sorted);
    for (Py_ssize_t i = 0; sorted && i < PyList_GET_SIZE(sorted); i++) {
        PyObject *name = PyList_GET_ITEM(sorted, i); // borrowed: sorted is ours
        json_array_append_new(matches, py_text_to_json(name));
        json_array_append_new(types, type_entry(completion->types, name, start, end));
    }
    Py_XDECREF(sorted);
    return json_pack("{ss so sI sI s{so}}", "status", "ok", "matches", matches,
            "cursor_start", (json_int_t)start, "cursor_end", (json_int_t)end, "metadata",
            "_jupyter_types_experimental", types);
}

json_t *interp_complete(json_t *content)
{
    const char *code = json_string_value(json_object_get(content, "code"));
    const json_t *position = json_object_get(content, "cursor_pos");
    code = code ? code : "";
    size_t cursor = json_is_integer(position)
                            ? byte_offset(code, json_integer_value(position))
                            : strlen(code);
    char *typed = strndup(code, cursor);
    interp_enter();
    interp_set_running(true);
    struct completion completion = {PySet_New(NULL), PyDict_New(), cursor};
    if (completion.matches && completion.types)
        complete(&completion, typed);
    json_t *reply = make_reply(&completion, typed);
    Py_XDECREF(completion.types);
    Py_XDECREF(completion.matches);
    PyErr_Clear();
    interp_set_running(false);
    interp_leave();
    free(typed);
    return reply;
}
