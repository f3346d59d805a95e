// SPDX-License-Identifier: MIT
// The embedded interpreter: its start in the user's environment, and its stop.
#include "kernel/python/state/py_state.h"

#include <dlfcn.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "kernel/history/history.h"
#include "kernel/magics/py_magics.h"
#include "kernel/python/display/py_display.h"
#include "kernel/python/environment.h"
#include "kernel/python/execute/py_execute.h"
#include "kernel/python/py_module.h"
#include "kernel/python/state/py_text.h"

static bool uses_own_library; // and not the standard library of the environment

// ---- start

static bool fail(struct error *err, const char *what)
{
    if (!PyErr_Occurred())
        return error_set(err, ERROR_RUNTIME, SPAN_NONE, "%s failed", what);
    struct error cause = {0};
    error_from_python(&cause);
    return error_set(err, ERROR_RUNTIME, SPAN_NONE, "%s failed: %s", what, cause.message);
}

// An environment of another release of this Python gives its packages, and not its
// standard library, which fits that release's executable only.
static PyStatus choose_home(PyConfig *config, const char *python)
{
    char release[32], version[16];
    Dl_info info;
    snprintf(release, sizeof release, "%.*s", (int)strcspn(Py_GetVersion(), " +"),
            Py_GetVersion());
    snprintf(version, sizeof version, "%d.%d", PY_MAJOR_VERSION, PY_MINOR_VERSION);
    if (getenv("PYTHONHOME") || !environment_has_other_release(python, release) ||
            !dladdr(dlsym(RTLD_DEFAULT, "Py_GetVersion"), &info))
        return PyStatus_Ok();
    char *home = environment_find_home(info.dli_fname, version);
    PyStatus status =
            home ? PyConfig_SetBytesString(config, &config->home, home) : PyStatus_Ok();
    uses_own_library = home != NULL;
    if (home)
        log_write(LOG_WARNING,
                "cells run in Python %s, which gridcell was built with, and with its "
                "standard library; the environment of %s, whose packages are used, is of "
                "another release",
                release, python);
    free(home);
    return status;
}

static PyStatus configure(
        PyConfig *config, const char *python, const char *connection_file)
{
    char *arguments[] = {"ipykernel_launcher.py", "-f", (char *)connection_file};
    PyConfig_InitPythonConfig(config);
    config->parse_argv = 0;
    config->install_signal_handlers = 0;
    config->configure_c_stdio = 0;
    config->pathconfig_warnings = 0;
    PyStatus status = PyConfig_SetBytesString(config, &config->program_name, python);
    if (!PyStatus_Exception(status))
        status = PyConfig_SetBytesString(config, &config->executable, python);
    if (!PyStatus_Exception(status))
        status = choose_home(config, python);
    if (!PyStatus_Exception(status))
        status = PyConfig_SetBytesArgv(config, connection_file ? 3 : 1, arguments);
    if (!PyStatus_Exception(status))
        status = PyConfig_Read(config);
    return status;
}

static bool start_python(
        const char *python, const char *connection_file, struct error *err)
{
    PyConfig config;
    PyImport_AppendInittab("_gridcell_kernel", kernel_module_init);
    PyStatus status = configure(&config, python, connection_file);
    if (!PyStatus_Exception(status))
        status = Py_InitializeFromConfig(&config);
    PyConfig_Clear(&config);
    if (PyStatus_Exception(status))
        return error_set(err, ERROR_SYSTEM, SPAN_NONE, "Python did not start from %s: %s",
                python, status.err_msg ? status.err_msg : "unknown reason");
    return true;
}

// With a home of our own, site finds a venv's packages, and not those of an installation
// (conda, pyenv) that is no venv.
static bool add_packages(const char *python)
{
    static const char code[] =
            "import os, site, sys\n"
            "root = os.path.dirname(os.path.dirname(os.path.abspath(python)))\n"
            "if not os.path.exists(os.path.join(root, 'pyvenv.cfg')):\n"
            "    sys.path[:] = [p for p in sys.path if p == site.USER_SITE or "
            "not p.endswith(('site-packages', 'dist-packages'))]\n"
            "    site.addsitedir(os.path.join(root, 'lib', 'python%d.%d' % "
            "sys.version_info[:2], 'site-packages'))\n"
            "    sys.prefix = sys.exec_prefix = root\n";
    if (!uses_own_library)
        return true;
    PyObject *space = PyDict_New(), *path = PyUnicode_DecodeFSDefault(python),
             *done = NULL;
    if (space && path && PyDict_SetItemString(space, "python", path) == 0)
        done = PyRun_String(code, Py_file_input, space, space);
    bool is_ok = done != NULL;
    Py_XDECREF(done);
    Py_XDECREF(path);
    Py_XDECREF(space);
    return is_ok;
}

PyObject *interp_own_executable(void)
{
    if (!uses_own_library)
        return Py_NewRef(Py_None);
    char name[32];
    snprintf(name, sizeof name, "bin/python%d.%d", PY_MAJOR_VERSION, PY_MINOR_VERSION);
    PyObject *prefix = PySys_GetObject("base_prefix"); // borrowed: made strong here
    Py_XINCREF(prefix);
    PyObject *path = prefix ? PyUnicode_FromFormat("%U/%s", prefix, name) : NULL;
    const char *text = path ? PyUnicode_AsUTF8(path) : NULL;
    if (text && access(text, X_OK) != 0)
        Py_SETREF(path, Py_NewRef(Py_None));
    Py_XDECREF(prefix);
    return path;
}

static bool set_paths(void)
{
    PyObject *path = PySys_GetObject("path"); // borrowed: made strong on the next line
    Py_XINCREF(path);
    PyObject *empty = PyUnicode_FromString("");
    bool is_ok = path && empty && PyList_Insert(path, 0, empty) == 0;
    if (is_ok && shell_get()->package_path && !interp_is_guest()) {
        PyObject *package = PyUnicode_DecodeFSDefault(shell_get()->package_path);
        is_ok = package && PyList_Append(path, package) == 0;
        Py_XDECREF(package);
    }
    Py_XDECREF(empty);
    Py_XDECREF(path);
    return is_ok;
}

static bool set_variable(const char *name, const char *text)
{
    PyObject *environment = py_import_attr("os", "environ");
    PyObject *value = PyUnicode_DecodeFSDefault(text);
    bool is_ok = environment && value &&
                 PyMapping_SetItemString(environment, name, value) == 0;
    Py_XDECREF(value);
    Py_XDECREF(environment);
    return is_ok;
}

// The Python that the command `numba` runs: the one that this kernel is.
static bool set_child_python(void)
{
    PyObject *path = py_import_attr("sys", "executable");
    const char *text = path && PyUnicode_Check(path) ? PyUnicode_AsUTF8(path) : NULL;
    bool is_ok = !PyErr_Occurred() &&
                 (!text || !*text || set_variable("GRIDCELL_PYTHON", text));
    Py_XDECREF(path);
    return is_ok;
}

// Python programs that cells start find `numba` as cells do: children/sitecustomize.py
// in front of their PYTHONPATH.
static bool set_child_path(void)
{
    const char *package = shell_get()->package_path, *old = getenv("PYTHONPATH");
    if (!package)
        return true;
    struct str path = {0};
    str_printf(&path, "%s/gridcell/children", package);
    if (old && strstr(old, str_text(&path))) {
        str_finish(&path);
        return true;
    }
    struct str programs = {0}; // the command `numba`
    const char *old_programs = getenv("PATH");
    str_printf(&programs, "%s/bin%s%s", str_text(&path), old_programs ? ":" : "",
            old_programs ? old_programs : "");
    if (old && *old)
        str_printf(&path, ":%s", old);
    bool is_ok = set_variable("PYTHONPATH", str_text(&path)) &&
                 set_variable("PATH", str_text(&programs)) && set_child_python();
    str_finish(&path);
    str_finish(&programs);
    return is_ok;
}

// SIGINT becomes KeyboardInterrupt while a cell runs; a handler that the user sets is
// respected. The process may have its own C handler already, which then stays in place.
static bool set_interrupt_handler(void)
{
    struct sigaction before;
    sigaction(SIGINT, NULL, &before);
    PyObject *handler = py_import_attr("_signal", "default_int_handler");
    PyObject *old =
            handler ? py_call_module("_signal", "signal", "(iO)", SIGINT, handler) : NULL;
    if (before.sa_handler != SIG_DFL)
        sigaction(SIGINT, &before, NULL);
    Py_XDECREF(old);
    Py_XDECREF(handler);
    return old != NULL;
}

static bool set_prompts(void)
{
    PyObject *first = PyUnicode_FromString("In : "),
             *second = PyUnicode_FromString("...: ");
    bool is_ok = first && second && PySys_SetObject("ps1", first) == 0 &&
                 PySys_SetObject("ps2", second) == 0;
    Py_XDECREF(second);
    Py_XDECREF(first);
    return is_ok;
}

static bool set_names(void)
{
    struct shell *shell = shell_get();
    PyObject *empty = PyUnicode_FromString(""),
             *builtins = PyImport_ImportModule("builtins");
    PyObject *get_instance = PyObject_GetAttrString(shell->kernel_module, "get_ipython");
    PyObject *show = PyObject_GetAttrString(shell->kernel_module, "display");
    PyObject *leave = shell->exit_type ? PyObject_CallNoArgs(shell->exit_type) : NULL;
    PyObject *here = py_call_module("os", "getcwd", NULL);
    if (!here)
        py_error_drop();
    shell->directories = here ? Py_BuildValue("[O]", here) : PyList_New(0);
    const struct {
        const char *name;
        PyObject *value;
    } names[] = {{"In", shell->parsed_inputs}, {"_ih", shell->parsed_inputs},
            {"Out", shell->outputs}, {"_oh", shell->outputs}, {"_dh", shell->directories},
            {"_", empty}, {"__", empty}, {"___", empty}, {"_i", empty}, {"_ii", empty},
            {"_iii", empty}, {"exit", leave}, {"quit", leave},
            {"get_ipython", get_instance}};
    bool is_ok = builtins && show &&
                 PyObject_SetAttrString(builtins, "get_ipython", get_instance) == 0 &&
                 PyObject_SetAttrString(builtins, "__IPYTHON__", Py_True) == 0 &&
                 PyObject_SetAttrString(builtins, "display", show) == 0;
    for (size_t i = 0; is_ok && i < sizeof names / sizeof *names; i++)
        is_ok = names[i].value &&
                PyDict_SetItemString(shell->user_ns, names[i].name, names[i].value) == 0;
    const char *session = getenv("JPY_SESSION_NAME");
    PyObject *session_name = session ? PyUnicode_DecodeFSDefault(session) : NULL;
    if (session_name)
        PyDict_SetItemString(shell->user_ns, "__session__", session_name);
    shell->last_result = Py_XNewRef(empty);
    Py_XDECREF(session_name);
    Py_XDECREF(here);
    Py_XDECREF(leave);
    Py_XDECREF(show);
    Py_XDECREF(get_instance);
    Py_XDECREF(builtins);
    Py_XDECREF(empty);
    return is_ok;
}

static bool set_display_hook(void)
{
    PyObject *hook = PyObject_GetAttrString(shell_get()->kernel_module, "displayhook");
    bool is_ok = hook && PySys_SetObject("displayhook", hook) == 0;
    Py_XDECREF(hook);
    return is_ok;
}

static bool make_shell(void)
{
    struct shell *shell = shell_get();
    PyObject *module =
            PyImport_AddModule("__main__"); // borrowed: made strong on the next line
    shell->user_module = Py_XNewRef(module);
    shell->user_ns = module ? Py_XNewRef(PyModule_GetDict(module)) : NULL;
    shell->kernel_module = PyImport_ImportModule("_gridcell_kernel");
    return shell->user_ns && shell->kernel_module && execute_init() && display_init() &&
           magics_init() && history_init() && pretty_init() && streams_init() &&
           recursion_init() && imports_init() && input_init() && interrupt_init() &&
           parent_init() && set_paths() && set_child_path() && set_prompts() &&
           set_display_hook() && set_names() && set_interrupt_handler();
}

// Programs in pipes write as they would on a colour terminal; pagers do not wait for
// keys.
static void set_environment(void)
{
    static const char *const settings[][2] = {{"TERM", "xterm-color"}, {"CLICOLOR", "1"},
            {"FORCE_COLOR", "1"}, {"CLICOLOR_FORCE", "1"}, {"PAGER", "cat"},
            {"GIT_PAGER", "cat"}};
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
        setenv(settings[i][0], settings[i][1], 1);
}

bool interp_has_debugger(const struct interp_options *options)
{
    char version[16];
    struct error ignored = {0};
    snprintf(version, sizeof version, "%d.%d", PY_MAJOR_VERSION, PY_MINOR_VERSION);
    char *python = environment_find_python(options->python, version, &ignored);
    bool is_there = python && environment_has_package(python, version, "debugpy");
    free(python);
    return is_there;
}

bool interp_start(const struct interp_options *options, struct error *err)
{
    char version[16];
    snprintf(version, sizeof version, "%d.%d", PY_MAJOR_VERSION, PY_MINOR_VERSION);
    char *python = environment_find_python(options->python, version, err);
    if (!python)
        return false;
    interp_set_main_thread();
    shell_get()->package_path = environment_find_package();
    shell_get()->connection_file =
            options->connection_file ? strdup(options->connection_file) : NULL;
    if (!output_is_terminal())
        set_environment();
    bool is_ok =
            interp_is_guest()
                    ? guest_begin(options->connection_file) ||
                              fail(err, "taking the interpreter over")
                    : start_python(python, options->connection_file, err) &&
                              (add_packages(python) ||
                                      fail(err, "finding the environment's packages"));
    free(python);
    if (!is_ok)
        return false;
    interrupt_set_main_state(PyThreadState_Get());
    output_watch_forks();
    is_ok = make_shell();
    shell_get()->initial_names = is_ok ? PySet_New(shell_get()->user_ns) : NULL;
    if (!shell_get()->initial_names)
        return fail(err, "setting up the notebook namespace");
    if (!output_is_terminal() && shell_get()->package_path &&
            !shell_get()->uses_real_ipython)
        profile_load();
    interp_leave();
    return true;
}

// ---- stop

static void end_now(int number)
{
    (void)number;
    _exit(0);
}

// Threads and handlers that never end must not keep a kernel whose front end has gone.
static void end_after(unsigned seconds)
{
    if (output_is_terminal())
        return;
    signal(SIGALRM, end_now);
    alarm(seconds);
}

static void call_if_loaded(const char *name, const char *function)
{
    PyObject *module = py_loaded_module(name);
    PyObject *result = module ? py_call_method(module, function, NULL) : NULL;
    if (module && !result)
        py_error_report(module);
    Py_XDECREF(result);
    Py_XDECREF(module);
}

void interp_stop(void)
{
    enum { PATIENCE_SECONDS = 2 };
    if (!interp_is_paused())
        return;
    interp_enter();
    end_after(PATIENCE_SECONDS);
    // what Py_FinalizeEx would do first; the rest only frees memory of a process that
    // ends
    call_if_loaded("threading", "_shutdown");
    call_if_loaded("atexit", "_run_exitfuncs");
    output_flush();
    history_finish();
    end_after(0);
    interp_leave();
}
