// SPDX-License-Identifier: MIT
// `gridcell install`: writes the kernelspec (kernel.json and logos) where Jupyter looks
// for it.
#include <ctype.h>
#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/files.h"
#include "base/str.h"
#include "kernel/tool/commands.h"
#include "kernel/protocol/message.h"
#include "kernel/python/environment.h"
#include "kernelspec/logos.h"

struct install {
    bool is_user, is_sys_prefix;
    const char *prefix, *name, *display_name, *python;
    const char *given_python; // as typed
    json_t *variables;        // of --env; NULL: none
    struct str folder, own_python;
};

static bool add_variable(struct install *install, const char *setting, struct error *err)
{
    const char *equals = strchr(setting, '=');
    if (!equals || equals == setting)
        return error_set(err, ERROR_VALUE, SPAN_NONE,
                "install: --env NAME=VALUE: what is '%s'?", setting);
    struct str name = {0};
    str_append_bytes(&name, setting, (size_t)(equals - setting));
    if (!install->variables)
        install->variables = json_object();
    int status = json_object_set_new(
            install->variables, str_text(&name), json_string(equals + 1));
    str_finish(&name);
    return status == 0 || error_set(err, ERROR_VALUE, SPAN_NONE,
                                  "install: --env %s is not valid UTF-8", setting);
}

static bool parse_arguments(
        struct install *install, int argc, char **argv, struct error *err)
{
    *install = (struct install){.name = "gridcell", .display_name = "Python (gridcell)"};
    for (int i = 0; i < argc; i++) {
        const char *value;
        if (!strcmp(argv[i], "--user"))
            install->is_user = true;
        else if (!strcmp(argv[i], "--sys-prefix"))
            install->is_sys_prefix = true;
        else if ((value = option_value(argc, argv, &i, "--prefix")))
            install->prefix = value;
        else if ((value = option_value(argc, argv, &i, "--name")))
            install->name = value;
        else if ((value = option_value(argc, argv, &i, "--display-name")))
            install->display_name = value;
        else if ((value = option_value(argc, argv, &i, "--python")))
            install->given_python = value;
        else if ((value = option_value(argc, argv, &i, "--env"))) {
            if (!add_variable(install, value, err))
                return false;
        } else
            return error_set(
                    err, ERROR_VALUE, SPAN_NONE, "install: what is '%s'?", argv[i]);
    }
    if (install->is_user + install->is_sys_prefix + (install->prefix != NULL) > 1)
        return error_set(err, ERROR_VALUE, SPAN_NONE,
                "install: only one of --user, --sys-prefix and --prefix");
    for (const char *c = install->name; *c || c == install->name; c++) {
        if (!isalnum((unsigned char)*c) && (!*c || !strchr("-_.", *c)))
            return error_set(err, ERROR_VALUE, SPAN_NONE,
                    "install: a name consists of letters, digits, '-', '_' and '.'");
    }
    return true;
}

// The environment of --python, or the one that is active, or the one in this folder.
static bool find_sys_prefix(
        struct install *install, struct str *prefix, struct error *err)
{
    const char *active = getenv("VIRTUAL_ENV");
    if (install->python) {
        str_append(prefix, install->python);
        for (int i = 0; i < 2; i++) {
            const char *slash = strrchr(str_text(prefix), '/');
            if (!slash)
                return error_set(err, ERROR_VALUE, SPAN_NONE,
                        "install: --python needs the full path, ENVIRONMENT/bin/python");
            prefix->len = (size_t)(slash - prefix->text);
            prefix->text[prefix->len] = '\0';
        }
        return true;
    }
    char *here = realpath(".venv", NULL);
    if (!(active && *active) && !here)
        return error_set(err, ERROR_SYSTEM, SPAN_NONE,
                "install: no environment is active; activate one or give --python");
    str_append(prefix, active && *active ? active : here);
    free(here);
    // the front end may be started without the environment: its kernel names it
    str_printf(&install->own_python, "%s/bin/python", str_text(prefix));
    install->python = str_text(&install->own_python);
    return true;
}

static bool find_folder(struct install *install, struct error *err)
{
    struct str *folder = &install->folder;
    const char *home = getenv("HOME"), *data = getenv("XDG_DATA_HOME");
    const char *jupyter = getenv("JUPYTER_DATA_DIR");
    if (install->is_user && jupyter && *jupyter)
        str_append(folder, jupyter);
    else if (install->is_user && data && *data)
        str_printf(folder, "%s/jupyter", data);
    else if (install->is_user && home)
        str_printf(folder, "%s/.local/share/jupyter", home);
    else if (install->is_user)
        return error_set(err, ERROR_SYSTEM, SPAN_NONE, "install: HOME is not set");
    else if (install->prefix)
        str_printf(folder, "%s/share/jupyter", install->prefix);
    else if (!install->is_sys_prefix)
        str_append(folder, "/usr/local/share/jupyter");
    else if (find_sys_prefix(install, folder, err))
        str_append(folder, "/share/jupyter");
    else
        return false;
    str_printf(folder, "/kernels/%s", install->name);
    return true;
}

static bool make_folders(const char *folder, const char *hint, struct error *err)
{
    char *path = strdup(folder);
    bool is_made = path != NULL;
    for (char *at = path; is_made && at;) {
        at = strchr(at + 1, '/');
        if (at)
            *at = '\0';
        is_made = !mkdir(path, 0755) || errno == EEXIST;
        if (!is_made)
            error_set(err, ERROR_SYSTEM, SPAN_NONE, "install: %s: %s%s", path,
                    strerror(errno), errno == EACCES || errno == EROFS ? hint : "");
        if (at)
            *at = '/';
    }
    free(path);
    return is_made;
}

static bool write_file(const struct install *install, const char *name, const void *bytes,
        size_t len, struct error *err)
{
    struct str path = {0};
    str_printf(&path, "%s/%s", str_text(&install->folder), name);
    bool is_written = file_replace(str_text(&path), bytes, len, FILE_SHARED) ||
                      error_set(err, ERROR_SYSTEM, SPAN_NONE, "install: %s: %s",
                              str_text(&path), strerror(errno));
    str_finish(&path);
    return is_written;
}

// How a front end starts the kernel: the executable, or the environment's interpreter
// with the package. A new reference; NULL: `err` says why.
static json_t *make_command(const struct install *install, struct error *err)
{
    const char *host = environment_host();
    if (host)
        return json_pack("[s, s, s, s, s, s]", install->python ? install->python : host,
                "-m", "gridcell", "kernel", "-f", "{connection_file}");
    char *executable = realpath("/proc/self/exe", NULL);
    if (!executable) {
        error_set(err, ERROR_SYSTEM, SPAN_NONE, "install: /proc/self/exe: %s",
                strerror(errno));
        return NULL;
    }
    json_t *argv = install->python
                           ? json_pack("[s, s, s, s, s, s]", executable, "kernel", "-f",
                                     "{connection_file}", "--python", install->python)
                           : json_pack("[s, s, s, s]", executable, "kernel", "-f",
                                     "{connection_file}");
    free(executable);
    return argv;
}

// The text of kernel.json, which the caller frees; NULL: `err` says why.
static char *make_spec(const struct install *install, struct error *err)
{
    json_t *argv = make_command(install, err);
    if (!argv && err->kind != ERROR_NONE)
        return NULL;
    json_t *spec = json_pack("{s:o, s:s, s:s, s:s, s:s, s:{s:b, s:[s]}}", "argv", argv,
            "display_name", install->display_name, "language", "python", "interrupt_mode",
            "signal", "kernel_protocol_version", PROTOCOL_VERSION, "metadata", "debugger",
            1, "supported_encryption", "curve");
    if (spec && install->variables)
        json_object_set(spec, "env", install->variables);
    char *text = spec ? json_dumps(spec, JSON_INDENT(1)) : NULL;
    if (!text)
        error_set(err, ERROR_VALUE, SPAN_NONE, "install: not valid UTF-8");
    json_decref(spec);
    return text;
}

// The front end starts the kernel in any folder, with any PATH: the whole path now. Links
// stay, as an environment's interpreter is one.
static bool find_python(struct install *install, struct error *err)
{
    const char *given =
            install->given_python ? install->given_python : environment_host();
    if (!given || given[0] == '/') {
        install->python = given; // which may be installed later
        return true;
    }
    char *found = environment_choose_python(given);
    if (!found)
        return error_set(err, ERROR_SYSTEM, SPAN_NONE,
                "install: --python %s: there is no such program", given);
    char *folder = found[0] == '/' ? NULL : realpath(".", NULL);
    if (folder)
        str_printf(&install->own_python, "%s/%s", folder,
                found + (strncmp(found, "./", 2) ? 0 : 2));
    else
        str_append(&install->own_python, found);
    free(folder);
    free(found);
    install->python = str_text(&install->own_python);
    return true;
}

// What makes a kernel of the folder, kernel.json, comes last.
static bool write_files(struct install *install, const char *spec, struct error *err)
{
    const char *hint = install->is_user ? "" : " (--user needs no rights)";
    if (!make_folders(str_text(&install->folder), hint, err))
        return false;
    for (size_t i = 0; i < logo_count; i++) {
        if (!write_file(install, logos[i].name, logos[i].bytes, logos[i].len, err))
            return false;
    }
    return write_file(install, "kernel.json", spec, strlen(spec), err);
}

static bool install_spec(struct install *install, struct error *err)
{
    if (!find_python(install, err) || !find_folder(install, err))
        return false;
    char *spec = make_spec(install, err);
    bool is_done = spec && write_files(install, spec, err);
    free(spec);
    return is_done;
}

int command_install(int argc, char **argv)
{
    struct install install;
    struct error err = {0};
    bool is_done =
            parse_arguments(&install, argc, argv, &err) && install_spec(&install, &err);
    if (is_done)
        printf("installed the kernel %s in %s\n", install.name,
                str_text(&install.folder));
    else
        fprintf(stderr, "gridcell: error: %s\n", err.message);
    str_finish(&install.folder);
    str_finish(&install.own_python);
    json_decref(install.variables);
    return is_done ? 0 : 2;
}
