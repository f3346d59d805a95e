// SPDX-License-Identifier: MIT
// Only files are looked at: starting the interpreter to ask it would cost as much as our
// own start.
#include "kernel/python/environment.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/str.h"

#define DEFAULT_PYTHON "/usr/bin/python3"

static const char *host; // set before anything else runs

void environment_set_host(const char *python)
{
    host = python;
}

const char *environment_host(void)
{
    return host;
}

static char *join(const char *folder, const char *name)
{
    struct str path = {0};
    str_printf(&path, "%s/%s", folder, name);
    return str_take(&path);
}

static bool exists(const char *folder, const char *name)
{
    char *path = join(folder, name);
    bool found = access(path, F_OK) == 0;
    free(path);
    return found;
}

static bool is_program(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISREG(info.st_mode) && access(path, X_OK) == 0;
}

// The folder of the running executable. The caller frees it.
static char *executable_folder(void)
{
    char path[4096];
    ssize_t len = readlink("/proc/self/exe", path, sizeof path - 1);
    if (len <= 0)
        return strdup(".");
    path[len] = '\0';
    char *slash = strrchr(path, '/');
    *(slash ? slash : path) = '\0';
    return strdup(path);
}

static char *parent_of(const char *path)
{
    char *copy = strdup(path), *slash = strrchr(copy, '/');
    if (slash)
        *slash = '\0';
    return copy;
}

// A name without a slash is looked up on PATH. The caller frees it; NULL: not found.
static char *resolve(const char *python)
{
    if (strchr(python, '/'))
        return is_program(python) ? strdup(python) : NULL;
    const char *search = getenv("PATH");
    while (search && *search) {
        size_t len = strcspn(search, ":");
        struct str path = {0};
        str_append_bytes(&path, search, len);
        str_printf(&path, "/%s", python);
        if (is_program(str_text(&path)))
            return str_take(&path);
        str_finish(&path);
        search += len + (search[len] == ':');
    }
    return NULL;
}

char *environment_choose_python(const char *python)
{
    if (python)
        return resolve(python);
    if (host)
        return strdup(host);
    const char *active = getenv("VIRTUAL_ENV");
    if (active && *active)
        return join(active, "bin/python");
    char *folder = executable_folder(), *root = parent_of(folder);
    char *found = exists(root, ".venv/bin/python") ? join(root, ".venv/bin/python")
                                                   : strdup(DEFAULT_PYTHON);
    free(root);
    free(folder);
    return found;
}

// The value of `key = value` in a pyvenv.cfg; "" when it is not there.
static void read_setting(FILE *file, const char *key, char *value, size_t size)
{
    char line[1024];
    value[0] = '\0';
    rewind(file);
    while (fgets(line, sizeof line, file)) {
        size_t len = strcspn(line, " =");
        if (len != strlen(key) || strncmp(line, key, len))
            continue;
        const char *start = line + len + strspn(line + len, " =");
        snprintf(value, size, "%.*s", (int)strcspn(start, "\r\n"), start);
        return;
    }
}

static bool check_virtual(
        FILE *config, const char *python, const char *version, struct error *err)
{
    char found[256], home[1024];
    read_setting(config, "version", found, sizeof found);
    if (!found[0])
        read_setting(config, "version_info", found, sizeof found);
    read_setting(config, "home", home, sizeof home);
    size_t len = strlen(version);
    if (found[0] && (strncmp(found, version, len) || (found[len] && found[len] != '.'))) {
        return error_set(err, ERROR_SYSTEM, SPAN_NONE,
                "%s is Python %s, but this kernel embeds Python %s", python, found,
                version);
    }
    if (home[0] && access(home, F_OK)) {
        return error_set(err, ERROR_SYSTEM, SPAN_NONE,
                "the environment of %s is broken: its base %s does not exist", python,
                home);
    }
    return true;
}

static bool check(const char *python, const char *version, struct error *err)
{
    if (!is_program(python))
        return error_set(err, ERROR_SYSTEM, SPAN_NONE,
                "no Python environment: %s does not exist", python);
    char *bin = parent_of(python), *root = parent_of(bin),
         *path = join(root, "pyvenv.cfg");
    FILE *config = fopen(path, "r");
    bool is_ok = true;
    if (config) {
        is_ok = check_virtual(config, python, version, err);
        fclose(config);
    } else {
        struct str library = {0};
        str_printf(&library, "lib/python%s/os.py", version);
        if (!exists(root, str_text(&library)) && !exists("/usr", str_text(&library)))
            is_ok = error_set(err, ERROR_SYSTEM, SPAN_NONE,
                    "%s has no library of Python %s, which this kernel embeds", python,
                    version);
        str_finish(&library);
    }
    free(path);
    free(root);
    free(bin);
    return is_ok;
}

char *environment_find_python(const char *python, const char *version, struct error *err)
{
    if (host)
        return strdup(host);
    char *path = environment_choose_python(python);
    if (!path) {
        error_set(err, ERROR_SYSTEM, SPAN_NONE, "no Python environment: %s not found",
                python);
        return NULL;
    }
    if (check(path, version, err))
        return path;
    free(path);
    return NULL;
}

// ---- releases of one version

// The release that a venv was made by.
static void read_venv_release(const char *root, char *release, size_t size)
{
    char *path = join(root, "pyvenv.cfg");
    FILE *config = fopen(path, "r");
    free(path);
    if (!config)
        return;
    read_setting(config, "version", release, size);
    if (!release[0])
        read_setting(config, "version_info", release, size);
    fclose(config);
    // virtualenv writes 3.11.7.final.0
    size_t len = strspn(release, "0123456789.");
    release[len > 0 && release[len - 1] == '.' ? len - 1 : len] = '\0';
}

// The release of an installation, by its header.
static void read_installed_release(
        const char *root, const char *version, char *release, size_t size)
{
    static const char name[] = "#define PY_VERSION";
    char line[256];
    struct str path = {0};
    str_printf(&path, "%s/include/python%s/patchlevel.h", root, version);
    FILE *header = fopen(str_text(&path), "r");
    str_finish(&path);
    while (header && !release[0] && fgets(line, sizeof line, header)) {
        const char *quote = strchr(line, '"');
        if (quote && !strncmp(line, name, strlen(name)))
            snprintf(release, size, "%.*s", (int)strcspn(quote + 1, "\""), quote + 1);
    }
    if (header)
        fclose(header);
}

bool environment_has_other_release(const char *python, const char *release)
{
    char found[64] = "", version[16];
    const char *dot = strchr(release, '.');
    size_t len = dot ? (size_t)(dot - release) + 1 + strcspn(dot + 1, ".") : 0;
    snprintf(version, sizeof version, "%.*s", (int)len, release);
    char *bin = parent_of(python), *root = parent_of(bin);
    struct str library = {0};
    str_printf(&library, "lib/python%s/os.py", version);
    read_venv_release(root, found, sizeof found);
    if (!found[0] && exists(root, str_text(&library)))
        read_installed_release(root, version, found, sizeof found);
    str_finish(&library);
    free(root);
    free(bin);
    return found[0] && strcmp(found, release) != 0;
}

char *environment_find_home(const char *library, const char *version)
{
    struct str name = {0};
    str_printf(&name, "lib/python%s/os.py", version);
    char *real = realpath(library, NULL), *folder = parent_of(real ? real : library);
    free(real);
    while (*folder && !exists(folder, str_text(&name))) {
        char *up = parent_of(folder);
        free(folder);
        folder = up;
    }
    str_finish(&name);
    if (*folder)
        return folder;
    free(folder);
    return NULL;
}

// ---- packages

// The folders of PYTHONPATH.
static bool is_on_path(const char *name)
{
    const char *at = getenv("PYTHONPATH");
    bool found = false;
    while (!found && at && *at) {
        size_t len = strcspn(at, ":");
        char *folder = strndup(at, len);
        found = len > 0 && exists(folder, name);
        free(folder);
        at += len + (at[len] == ':');
    }
    return found;
}

// The packages of an installation; Debian's has folders of its own.
static bool is_installed(const char *root, const char *version, const char *name)
{
    struct str folder = {0};
    bool found = false;
    static const char *const places[] = {"site-packages", "dist-packages"};
    for (int i = 0; !found && i < 2; i++) {
        str_clear(&folder);
        str_printf(&folder, "%s/lib/python%s/%s", root, version, places[i]);
        found = exists(str_text(&folder), name);
    }
    str_finish(&folder);
    return found;
}

static bool is_in_home(const char *version, const char *name)
{
    const char *home = getenv("HOME"), *without = getenv("PYTHONNOUSERSITE");
    if (!home || (without && *without))
        return false;
    char *root = join(home, ".local");
    bool found = is_installed(root, version, name);
    free(root);
    return found;
}

// Whether an environment also sees the packages of the Python that it was made from.
static bool sees_system(const char *root)
{
    char *path = join(root, "pyvenv.cfg"), value[16] = "true";
    FILE *config = fopen(path, "r");
    if (config) {
        read_setting(config, "include-system-site-packages", value, sizeof value);
        fclose(config);
    }
    free(path);
    return !strcmp(value, "true");
}

bool environment_has_package(const char *python, const char *version, const char *name)
{
    char *bin = parent_of(python), *root = parent_of(bin);
    bool found = is_on_path(name) || is_installed(root, version, name);
    if (!found && sees_system(root))
        found = is_in_home(version, name) || is_installed("/usr/local", version, name) ||
                is_installed("/usr", version, name) ||
                exists("/usr/lib/python3/dist-packages", name);
    free(root);
    free(bin);
    return found;
}

// As an extension module we lie in the package.
static char *find_own_package(void)
{
    Dl_info own;
    if (!dladdr((void *)(uintptr_t)environment_find_package, &own))
        return NULL;
    char *folder = parent_of(own.dli_fname), *root = parent_of(folder); // links stay
    free(folder);
    return root;
}

char *environment_find_package(void)
{
    if (host)
        return find_own_package();
    static const char *const places[] = {
            "/python", "/../lib/gridcell/python", "/../share/gridcell/python"};
    char *folder = executable_folder(), *found = NULL;
    for (size_t i = 0; !found && i < sizeof places / sizeof *places; i++) {
        struct str path = {0};
        str_printf(&path, "%s%s", folder, places[i]);
        if (exists(str_text(&path), "gridcell"))
            found = realpath(str_text(&path), NULL);
        str_finish(&path);
    }
    free(folder);
    return found;
}
