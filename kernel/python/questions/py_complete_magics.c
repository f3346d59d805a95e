// SPDX-License-Identifier: MIT
// Completions of lines that are no Python: magics, their options and values, files.
#include "kernel/python/questions/py_complete.h"

#include <ctype.h>
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "kernel/python/state/py_magic_table.h"
#include "kernel/python/state/py_text.h"

// What may follow a magic's name, one word after the other.
static const struct argument_list {
    const char *magic, *words;
} argument_lists[] = {
        {"timeit", "-n -r -t -c -p -q -o -v"},
        {"time", "--no-raise-error"},
        {"prun", "-l -r -s -T -D -q"},
        {"capture", "--no-stderr --no-stdout --no-display"},
        {"run", "-n -i -e -t -N -d -p -m -G"},
        {"reset", "-f -s in out dhist array"},
        {"history", "-n -o -p -t -f -g -l -u"},
        {"hist", "-n -o -p -t -f -g -l -u"},
        {"writefile", "-a --append"},
        {"save", "-r -f -a"},
        {"load", "-r -s -y -n"},
        {"store", "-d -z -r"},
        {"who", "int float str list dict tuple function module"},
        {"whos", "int float str list dict tuple function module"},
        {"xmode", "Plain Context Verbose Minimal Docs Doctest"},
        {"colors", "neutral linux lightbg nocolor"},
        {"pdb", "on off 1 0"},
        {"automagic", "on off"},
        {"autoreload", "0 1 2 3 off now explicit all complete -p -l"},
        {"matplotlib", "inline agg auto gtk gtk3 gtk4 ipympl macosx notebook osx qt qt5 "
                       "qt6 svg tk widget wx --list"},
        {"pylab", "inline --no-import-all"},
        {"script", "--bg --err --no-raise-error --out --proc bash sh perl python3 ruby"},
        {"bash", "--bg --err --no-raise-error --out --proc"},
        {"sh", "--bg --err --no-raise-error --out --proc"},
        {"pip", "install uninstall list show freeze download check"},
        {"html", "--isolated"},
        {"load_ext", "autoreload"},
        {"config", "IPCompleter IPCompleter.use_jedi IPCompleter.greedy InlineBackend "
                   "InlineBackend.figure_format InlineBackend.figure_formats "
                   "InlineBackend.rc InlineBackend.close_figures "
                   "InteractiveShell.ast_node_interactivity InteractiveShell.xmode"},
};

static bool is_variable(PyObject *name)
{
    return PyDict_Contains(shell_get()->user_ns, name) == 1;
}

// hides_names: no percent sign was typed, so that a variable comes before the magic.
static void add_percent_names(struct completion *completion, enum magic_kind kind,
        const char *prefix, const char *percents, bool hides_names)
{
    PyObject *names = magic_names(kind);
    for (Py_ssize_t i = 0; names && i < PyList_GET_SIZE(names); i++) {
        PyObject *magic = PyList_GET_ITEM(names, i); // borrowed: names is ours
        const char *name = PyUnicode_AsUTF8(magic);
        if (!name || !str_starts_with(name, prefix) ||
                (hides_names && is_variable(magic)))
            continue;
        struct str text = {0};
        str_printf(&text, "%s%s", percents, name);
        match_add_text(completion, str_text(&text), "magic",
                kind == MAGIC_LINE ? MATCH_LINE_MAGIC : MATCH_CELL_MAGIC);
        str_finish(&text);
    }
    py_error_drop();
    Py_XDECREF(names);
}

void match_magics(struct completion *completion, const char *prefix, size_t percents)
{
    if (percents < 2)
        add_percent_names(completion, MAGIC_LINE, prefix, "%", percents == 0);
    add_percent_names(completion, MAGIC_CELL, prefix, "%%", percents == 0);
}

// ---- files

static bool is_folder(const char *folder, const struct dirent *entry)
{
    if (entry->d_type == DT_DIR)
        return true;
    if (entry->d_type != DT_LNK && entry->d_type != DT_UNKNOWN)
        return false;
    struct str path = {0};
    struct stat state;
    str_printf(&path, "%s%s", folder, entry->d_name);
    bool is_one = stat(str_text(&path), &state) == 0 && S_ISDIR(state.st_mode);
    str_finish(&path);
    return is_one;
}

// The folder of a path as it can be opened: ~ is the home folder.
static char *real_folder(const char *path, size_t len)
{
    const char *home = getenv("HOME");
    struct str folder = {0};
    bool is_home = len >= 2 && path[0] == '~' && path[1] == '/' && home;
    if (is_home)
        str_append(&folder, home);
    str_append_bytes(&folder, path + is_home, len - is_home);
    if (len == 0)
        str_append(&folder, "./");
    return str_take(&folder);
}

void match_files(struct completion *completion, const char *path, bool only_folders)
{
    enum { MAX_FILES = 2000 };
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    size_t folder_len = slash ? (size_t)(slash - path) + 1 : 0;
    char *folder = real_folder(path, folder_len);
    DIR *directory = opendir(folder);
    struct dirent *entry;
    for (int count = 0; directory && count < MAX_FILES && (entry = readdir(directory));) {
        bool is_hidden = entry->d_name[0] == '.' && name[0] != '.';
        bool is_dots = !strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..");
        if (is_hidden || is_dots || !str_starts_with(entry->d_name, name))
            continue;
        bool is_sub = is_folder(folder, entry);
        if (only_folders && !is_sub)
            continue;
        struct str text = {0};
        str_append_bytes(&text, path, folder_len);
        str_printf(&text, "%s%s", entry->d_name, is_sub ? "/" : "");
        match_add_text(completion, str_text(&text), "path", MATCH_NAME);
        str_finish(&text);
        count++;
    }
    if (directory)
        closedir(directory);
    free(folder);
}

// ---- arguments

static void add_words(
        struct completion *completion, const char *words, const char *prefix)
{
    while (*words) {
        size_t len = strcspn(words, " ");
        char *word = strndup(words, len);
        // options wait for their dash
        bool fits = word && str_starts_with(word, prefix) &&
                    (word[0] != '-' || prefix[0] == '-');
        if (fits)
            match_add_text(completion, word, "magic", MATCH_FIRST);
        free(word);
        words += len + strspn(words + len, " ");
    }
}

// Options of a magic that the user defined with magic_arguments.
static void add_parser_options(
        struct completion *completion, const char *name, const char *prefix)
{
    PyObject *words =
            py_call_module("gridcell.ipython.signatures", "magic_options", "(s)", name);
    const char *text = words && PyUnicode_Check(words) ? PyUnicode_AsUTF8(words) : NULL;
    if (text)
        add_words(completion, text, prefix);
    py_error_drop();
    Py_XDECREF(words);
}

static void add_environment(struct completion *completion, const char *prefix)
{
    extern char **environ;
    for (char **entry = environ; entry && *entry; entry++) {
        char *name = strndup(*entry, strcspn(*entry, "="));
        if (name && str_starts_with(name, prefix))
            match_add_text(completion, name, "magic", MATCH_FIRST);
        free(name);
    }
}

static void match_magic_arguments(
        struct completion *completion, const char *name, const char *word)
{
    size_t count = sizeof argument_lists / sizeof *argument_lists;
    bool is_module = !strcmp(name, "load_ext") || !strcmp(name, "reload_ext") ||
                     !strcmp(name, "aimport");
    for (size_t i = 0; i < count; i++) {
        if (!strcmp(argument_lists[i].magic, name))
            add_words(completion, argument_lists[i].words, word);
    }
    if (word[0] == '-')
        add_parser_options(completion, name, word);
    else if (is_module)
        match_modules(completion, word);
    else if (!strcmp(name, "env") || !strcmp(name, "set_env"))
        add_environment(completion, word);
    else
        match_files(completion, word, !strcmp(name, "cd"));
}

void match_arguments(struct completion *completion, const char *line, size_t cursor)
{
    const char *word = line + strlen(line);
    while (word > line && !isspace((unsigned char)word[-1]) && !strchr("\"'", word[-1]))
        word--;
    completion->start = cursor - strlen(word);
    size_t marks = strspn(line, "%!");
    char *name = strndup(line + marks, strcspn(line + marks, " \t\n"));
    if (line[0] == '!')
        match_files(completion, word, false);
    else if (name)
        match_magic_arguments(completion, name, word);
    free(name);
}
