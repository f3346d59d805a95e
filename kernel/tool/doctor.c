// SPDX-License-Identifier: MIT
// `gridcell doctor`: looks at what a notebook needs, one line each, and says what to do
// about what is missing. The status tells scripts whether anything is broken.
#include <dirent.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/str.h"
#include "kernel/python/environment.h"
#include "kernel/tool/ask_python.h"
#include "kernel/tool/commands.h"

enum finding { FINDING_OK, FINDING_NOTE, FINDING_PROBLEM };

struct doctor {
    struct str python;
    json_t *facts; // the answer of that Python; NULL: it gave none
    bool is_unfit; // it cannot load the package
    int problem_count, spec_count;
};

// Prints one JSON object.
static const char question[] =
        "import json, linecache, sys\n"
        "def version(name):\n"
        "    try:\n"
        "        from importlib import metadata\n" // which 3.7 has not
        "        return metadata.version(name)\n"
        "    except Exception: return None\n"
        "names = ('numpy', 'jupyter_client', 'jupyterlab', 'notebook', 'ipython', "
        "'jedi',\n"
        "         'debugpy', 'matplotlib', 'ipywidgets', 'comm', 'numba')\n"
        "answer = {'version': sys.version.split()[0], 'prefix': sys.prefix,\n"
        "          'is_virtual': sys.prefix != sys.base_prefix,\n"
        "          'packages': {name: version(name) for name in names}}\n"
        "source = 'def add(n): return n + 1\\n'\n"
        "linecache.cache['doctor.py'] = len(source), None, [source], 'doctor.py'\n"
        "exec(compile(source, 'doctor.py', 'exec'))\n"
        "try:\n"
        "    import gridcell\n"
        "except BaseException as error:\n"
        "    answer['unfit'] = str(error)\n"
        "try:\n"
        "    import gridcell\n"
        "    answer['info'] = gridcell.info()\n"
        "    gridcell.activate()\n"
        "    import numba\n"
        "    answer['sum'] = int(numba.njit(add)(41))\n"
        "except BaseException as error:\n"
        "    answer['error'] = f'{type(error).__name__}: {error}'\n"
        "print(json.dumps(answer, default=str))\n";

static void report(
        struct doctor *doctor, enum finding finding, const char *text, const char *advice)
{
    static const char *const marks[] = {"ok", "note", "PROBLEM"};
    printf("%-8s %s\n", marks[finding], text);
    if (advice)
        printf("%-8s   -> %s\n", "", advice);
    doctor->problem_count += finding == FINDING_PROBLEM;
}

static const char *fact(const struct doctor *doctor, const char *group, const char *name)
{
    return json_string_value(
            json_object_get(json_object_get(doctor->facts, group), name));
}

// ---- Python and the compiler

static void ask(struct doctor *doctor)
{
    struct str answer = {0}, failure = {0};
    char *const command[] = {
            (char *)str_text(&doctor->python), "-c", (char *)question, NULL};
    ask_program(command, true, &answer, &failure);
    doctor->facts = json_loads(str_text(&answer), 0, NULL);
    struct str text = {0};
    const char *version = json_string_value(json_object_get(doctor->facts, "version"));
    const char *unfit = json_string_value(json_object_get(doctor->facts, "unfit"));
    doctor->is_unfit = unfit != NULL;
    if (!doctor->facts)
        str_printf(&text, "Python: %s",
                failure.len ? str_text(&failure) : "its answer cannot be read");
    else if (unfit)
        str_printf(&text, "Python %s: %s", version, unfit);
    else
        str_printf(&text, "Python %s: %s", version, str_text(&doctor->python));
    bool is_fine = doctor->facts && !unfit;
    report(doctor, is_fine ? FINDING_OK : FINDING_PROBLEM, str_text(&text),
            is_fine ? NULL
                    : "activate another environment, or name its interpreter with "
                      "--python");
    str_finish(&text);
    str_finish(&answer);
    str_finish(&failure);
}

static char *write_cell(void)
{
    const char *folder = getenv("TMPDIR");
    struct str path = {0};
    str_printf(
            &path, "%s/gridcell-doctor-XXXXXX.py", folder && *folder ? folder : "/tmp");
    char *name = str_take(&path);
    int fd = mkstemps(name, 3);
    static const char cell[] = "import sys\n"
                               "print(6 * 7, sys.version.split()[0])\n";
    bool is_written = fd >= 0 && write(fd, cell, sizeof cell - 1) == sizeof cell - 1;
    if (fd >= 0)
        close(fd);
    if (is_written)
        return name;
    free(name);
    return NULL;
}

// `release`: of the Python that cells run in, with the end of its line.
static void report_release(struct doctor *doctor, const char *release)
{
    const char *other = json_string_value(json_object_get(doctor->facts, "version"));
    int len = (int)strcspn(release, "\n");
    struct str text = {0};
    bool is_same = !other || ((int)strlen(other) == len && !strncmp(other, release, len));
    str_printf(&text, "a cell runs");
    if (!is_same)
        str_printf(&text,
                " in Python %.*s, which gridcell was built with; the environment has %s",
                len, release, other);
    report(doctor, is_same ? FINDING_OK : FINDING_NOTE, str_text(&text),
            is_same ? NULL
                    : "its packages are used, with the standard library of the former; "
                      "for one release build gridcell with the environment's Python");
    str_finish(&text);
}

// The interpreter that the kernel embeds, in the environment that was named.
static void check_cell(struct doctor *doctor)
{
    struct str answer = {0}, failure = {0};
    const char *host = environment_host();
    char *cell = write_cell(),
         *executable = host ? strdup(host) : realpath("/proc/self/exe", NULL);
    const char *prefix = json_string_value(json_object_get(doctor->facts, "prefix"));
    if (json_is_true(json_object_get(doctor->facts, "is_virtual")) && prefix)
        setenv("VIRTUAL_ENV", prefix, 1);
    char *const own[] = {executable, "run", cell, NULL};
    char *const guest[] = {executable, "-m", "gridcell", "run", cell, NULL};
    if (cell && executable)
        ask_program(host ? guest : own, false, &answer, &failure);
    if (!strncmp(str_text(&answer), "42 ", 3))
        report_release(doctor, str_text(&answer) + 3);
    else
        report(doctor, FINDING_PROBLEM, "no cell runs",
                "what gridcell says above is why; the environment must be of the Python "
                "that gridcell was built with");
    if (cell)
        unlink(cell);
    free(cell);
    free(executable);
    str_finish(&answer);
    str_finish(&failure);
}

static bool is_too_old(const char *numpy)
{
    int major = 0, minor = 0;
    return sscanf(numpy, "%d.%d", &major, &minor) == 2 &&
           (major < 1 || (major == 1 && minor < 26));
}

static void check_compiler(struct doctor *doctor)
{
    struct str text = {0};
    const char *error = json_string_value(json_object_get(doctor->facts, "error"));
    const char *numpy = fact(doctor, "packages", "numpy");
    const char *llvm = fact(doctor, "info", "llvm");
    if (!numpy) {
        report(doctor, FINDING_PROBLEM, "NumPy is missing: nothing can be compiled",
                "pip install numpy");
    } else if (is_too_old(numpy)) {
        str_printf(&text, "NumPy %s is too old: functions are compiled for 1.26 or later",
                numpy);
        report(doctor, FINDING_PROBLEM, str_text(&text), "pip install -U numpy");
    } else if (error || json_integer_value(json_object_get(doctor->facts, "sum")) != 42) {
        str_printf(&text, "the compiler does not work: %s", error ? error : "wrong sum");
        report(doctor, FINDING_PROBLEM, str_text(&text),
                "build or install gridcell for this Python");
    } else {
        str_printf(&text, "functions are compiled: LLVM %s, NumPy %s", llvm ? llvm : "?",
                numpy);
        report(doctor, FINDING_OK, str_text(&text), NULL);
    }
    str_finish(&text);
}

// What kernels run on, and why it is no GPU.
static void check_device(struct doctor *doctor)
{
    struct str text = {0};
    const json_t *cuda = json_object_get(json_object_get(doctor->facts, "info"), "cuda");
    const json_t *device = json_array_get(json_object_get(cuda, "devices"), 0);
    const char *name = json_string_value(json_object_get(device, "name"));
    const char *fallback = json_string_value(json_object_get(cuda, "fallback"));
    const char *error = json_string_value(json_object_get(cuda, "error"));
    const char *reason = name ? fallback : error;
    if (!cuda)
        return;
    str_printf(&text, "CUDA kernels run on: %s", name ? name : "nothing");
    if (reason)
        str_printf(&text, " (%.*s)", (int)strcspn(reason, "\n"), reason);
    if (!name)
        report(doctor, FINDING_PROBLEM, str_text(&text),
                "GRIDCELL_DEVICE=emulator runs them without a GPU");
    else if (fallback)
        report(doctor, FINDING_NOTE, str_text(&text),
                "for a GPU, nvidia-smi must show one, also in a container (--gpus all)");
    else
        report(doctor, FINDING_OK, str_text(&text), NULL);
    str_finish(&text);
}

static void check_ptx(struct doctor *doctor)
{
    struct str text = {0};
    const char *nvvm = fact(doctor, "info", "libnvvm");
    const char *missing = fact(doctor, "info", "libnvvm_missing");
    bool is_broken = missing && strstr(missing, "cannot be loaded");
    if (!json_object_get(doctor->facts, "info"))
        return;
    str_printf(&text, "PTX is made by %s", nvvm ? nvvm : "LLVM");
    if (is_broken)
        str_printf(&text, ": %s", missing);
    report(doctor, is_broken ? FINDING_NOTE : FINDING_OK, str_text(&text),
            is_broken ? "pip install --force-reinstall 'gridcell[cuda]', or take it away"
                      : NULL);
    str_finish(&text);
}

// `without`: what is missed where there is no such package.
static void check_package(struct doctor *doctor, const char *name, const char *without)
{
    struct str text = {0}, advice = {0};
    const char *version = fact(doctor, "packages", name);
    str_printf(&advice, "pip install %s", name);
    if (version)
        str_printf(&text, "%s %s", name, version);
    else
        str_printf(&text, "without %s %s", name, without);
    report(doctor, version ? FINDING_OK : FINDING_NOTE, str_text(&text),
            version ? NULL : str_text(&advice));
    str_finish(&text);
    str_finish(&advice);
}

static void check_packages(struct doctor *doctor)
{
    check_package(doctor, "jedi", "completion does not look into code that has not run");
    check_package(doctor, "debugpy", "there is no debugger");
    check_package(doctor, "comm", "there are no widgets");
    check_package(doctor, "matplotlib", "there are no figures");
}

static bool is_program(const char *path)
{
    return path && (!strchr(path, '/') || access(path, X_OK) == 0);
}

static const char *option_of(const json_t *argv, const char *name)
{
    for (size_t i = 0; i + 1 < json_array_size(argv); i++) {
        const char *argument = json_string_value(json_array_get(argv, i));
        if (argument && !strcmp(argument, name))
            return json_string_value(json_array_get(argv, i + 1));
    }
    return NULL;
}

// A program of that name, or an interpreter that runs the package.
static bool starts_gridcell(const json_t *argv)
{
    const char *program = json_string_value(json_array_get(argv, 0));
    const char *option = json_string_value(json_array_get(argv, 1));
    const char *module = json_string_value(json_array_get(argv, 2));
    const char *slash = program ? strrchr(program, '/') : NULL;
    return program && (!strcmp(slash ? slash + 1 : program, "gridcell") ||
                              (option && module && !strcmp(option, "-m") &&
                                      !strcmp(module, "gridcell")));
}

// As a shell takes it for one word.
static void append_word(struct str *out, const char *word)
{
    bool is_plain = !word[strcspn(word, " \t\n'\"\\$`&;|<>()[]{}*?!#~")];
    str_append(out, is_plain ? "" : "'");
    for (const char *c = word; *c; c++) {
        if (*c == '\'')
            str_append(out, "'\\''");
        else
            str_append_bytes(out, c, 1);
    }
    str_append(out, is_plain ? "" : "'");
}

// What is missing of what a kernelspec names; NULL: nothing.
static char *find_missing(const json_t *argv)
{
    struct str missing = {0}, answer = {0}, failure = {0};
    const char *program = json_string_value(json_array_get(argv, 0));
    const char *python = option_of(argv, "--python");
    const char *module = option_of(argv, "-m");
    const char *gone = !is_program(program)            ? program
                       : python && !is_program(python) ? python
                                                       : NULL;
    if (gone)
        str_printf(&missing, "%s does not exist", gone);
    // `python` is whatever Jupyter runs in: only of a path it is known which one it is
    if (!gone && module && strchr(program, '/')) {
        char *const command[] = {
                (char *)program, "-c", "import gridcell; print(gridcell.__name__)", NULL};
        ask_program(command, true, &answer, &failure);
        if (!answer.len)
            str_printf(&missing, "%s has no gridcell that it can import", program);
    }
    str_finish(&answer);
    str_finish(&failure);
    return missing.len ? str_take(&missing) : NULL;
}

// The command that writes the kernelspec in this folder anew, for what is here now.
static void describe_mending(const struct doctor *doctor, const char *folder,
        const json_t *argv, struct str *out)
{
    static const char below[] = "/share/jupyter/kernels/";
    const char *at = strstr(folder, below);
    if (!at) {
        str_append(out, "rm -r ");
        append_word(out, folder);
        return;
    }
    struct str prefix = {0};
    str_append_bytes(&prefix, folder, (size_t)(at - folder));
    str_append(out, "gridcell install --prefix ");
    append_word(out, str_text(&prefix));
    if (strcmp(at + strlen(below), "gridcell") != 0)
        str_printf(out, " --name %s", at + strlen(below));
    if (option_of(argv, "--python") && !environment_host()) {
        str_append(out, " --python ");
        append_word(out, str_text(&doctor->python));
    }
    str_finish(&prefix);
}

// A kernel.json that starts a gridcell.
static void check_spec(struct doctor *doctor, const char *folder)
{
    struct str path = {0}, text = {0}, advice = {0};
    str_printf(&path, "%s/kernel.json", folder);
    json_t *spec = json_load_file(str_text(&path), 0, NULL);
    const json_t *argv = json_object_get(spec, "argv");
    str_printf(&text, "kernelspec %s", str_text(&path));
    if (starts_gridcell(argv)) {
        char *missing = find_missing(argv);
        if (missing) {
            str_printf(&text, ": %s", missing);
            describe_mending(doctor, folder, argv, &advice);
        }
        report(doctor, missing ? FINDING_PROBLEM : FINDING_OK, str_text(&text),
                missing ? str_text(&advice) : NULL);
        doctor->spec_count++;
        free(missing);
    } else if (!spec && !access(str_text(&path), F_OK)) {
        str_append(&text, " cannot be read: it is no JSON");
        report(doctor, FINDING_NOTE, str_text(&text), NULL);
    }
    json_decref(spec);
    str_finish(&path);
    str_finish(&text);
    str_finish(&advice);
}

static void check_specs_in(struct doctor *doctor, const char *data, size_t len)
{
    struct str folder = {0}, path = {0};
    str_printf(&folder, "%.*s/kernels", (int)len, data);
    DIR *kernels = len ? opendir(str_text(&folder)) : NULL;
    struct dirent *entry;
    while (kernels && (entry = readdir(kernels))) {
        if (entry->d_name[0] == '.')
            continue;
        str_clear(&path);
        str_printf(&path, "%s/%s", str_text(&folder), entry->d_name);
        check_spec(doctor, str_text(&path));
    }
    if (kernels)
        closedir(kernels);
    str_finish(&folder);
    str_finish(&path);
}

static void check_specs_under(struct doctor *doctor, const char *root, const char *below)
{
    struct str data = {0};
    if (root && *root)
        str_printf(&data, "%s%s", root, below);
    check_specs_in(doctor, str_text(&data), data.len);
    str_finish(&data);
}

// Where Jupyter looks.
static void check_specs(struct doctor *doctor)
{
    const char *at = getenv("JUPYTER_PATH"), *own = getenv("JUPYTER_DATA_DIR");
    const char *data = getenv("XDG_DATA_HOME");
    const char *prefix = json_string_value(json_object_get(doctor->facts, "prefix"));
    while (at && *at) {
        size_t len = strcspn(at, ":");
        check_specs_in(doctor, at, len);
        at += len + (at[len] == ':');
    }
    if (own && *own)
        check_specs_under(doctor, own, "");
    else if (data && *data)
        check_specs_under(doctor, data, "/jupyter");
    else
        check_specs_under(doctor, getenv("HOME"), "/.local/share/jupyter");
    if (prefix && strcmp(prefix, "/usr") != 0)
        check_specs_under(doctor, prefix, "/share/jupyter");
    check_specs_under(doctor, "/usr/local", "/share/jupyter");
    check_specs_under(doctor, "/usr", "/share/jupyter");
    if (!doctor->spec_count)
        report(doctor, FINDING_PROBLEM, "Jupyter knows no kernel of gridcell",
                "gridcell install --user, or --sys-prefix for this environment alone");
}

static void check_front_ends(struct doctor *doctor)
{
    struct str text = {0};
    const char *client = fact(doctor, "packages", "jupyter_client");
    const char *lab = fact(doctor, "packages", "jupyterlab");
    if (client) {
        str_printf(&text, "jupyter_client %s", client);
        if (lab)
            str_printf(&text, ", JupyterLab %s", lab);
        report(doctor, FINDING_OK, str_text(&text), NULL);
    } else if (doctor->facts) {
        report(doctor, FINDING_NOTE, "there is no Jupyter in this environment",
                "pip install jupyterlab, unless you use that of another one, or VS Code");
    }
    str_finish(&text);
}

int command_doctor(int argc, char **argv)
{
    struct doctor doctor = {0};
    const char *given = NULL, *value, *own_path = getenv("PYTHONPATH");
    for (int i = 0; i < argc; i++) {
        if ((value = option_value(argc, argv, &i, "--python")))
            given = value;
        else
            return refuse_argument("doctor", argv[i]);
    }
    setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
    printf("%-8s gridcell %s\n", "", GRIDCELL_VERSION);
    ask_choose_python(&doctor.python, given);
    char *path = own_path ? strdup(own_path) : NULL; // kernels start without our addition
    ask_add_package_path();
    ask(&doctor);
    if (doctor.facts && !doctor.is_unfit) {
        check_cell(&doctor);
        check_compiler(&doctor);
        check_device(&doctor);
        check_ptx(&doctor);
        check_packages(&doctor);
    }
    check_front_ends(&doctor);
    if (path)
        setenv("PYTHONPATH", path, 1);
    else
        unsetenv("PYTHONPATH");
    check_specs(&doctor);
    free(path);
    json_decref(doctor.facts);
    str_finish(&doctor.python);
    return doctor.problem_count ? 1 : 0;
}
