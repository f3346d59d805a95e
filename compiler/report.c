// SPDX-License-Identifier: MIT
// Reports of defects. Two of the same defect are one file, by its name.
#include "compiler/report.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/build_id.h"
#include "base/file_store.h"
#include "base/files.h"
#include "base/guard.h"
#include "base/map.h"
#include "base/memory.h"
#include "compiler/ir/ir.h"
#include "compiler/support/host_hooks.h"

// What is asked for before a compilation. Most take less; LLVM ends the process where it
// gets none.
enum { ROOM_BYTES = 16 << 20 };
enum { MOST_IR_BYTES = 1 << 20, MOST_FOLDER_BYTES = 8 << 20 };

// No other file of a folder that the user chose has it.
#define SUFFIX ".report.txt"

bool report_check_room(struct span at, struct error *err)
{
    return memory_has_room(ROOM_BYTES) ||
           error_set(err, ERROR_MEMORY, at,
                   "no memory to compile with: the compiler needs %d MiB to begin, and "
                   "the system or a limit of this process does not give them. Let go of "
                   "large objects, or raise the limit.",
                   ROOM_BYTES >> 20);
}

void report_given_up(const char *pass, struct error *err)
{
    const struct guard_failure *failure = guard_last();
    error_clear(err);
    if (!report_check_room(failure->at, err))
        return;
    error_set(err, ERROR_INTERNAL, failure->at,
            "internal: the compiler failed in its pass \"%s\": %s", pass, failure->text);
}

// --- The parts of a report

static void add_versions(struct str *out)
{
    struct utsname system = {0};
    uname(&system);
    str_printf(out, "gridcell %s ", GRIDCELL_VERSION);
    build_id_append(out);
    str_printf(out, "\n%s %s %s", system.sysname, system.release, system.machine);
    const char *host = host_hooks.versions ? host_hooks.versions() : NULL;
    str_printf(out, "\n%s\n", host ? host : "no Python");
}

static void add_function(const struct report *report, struct str *out)
{
    static const char *const targets[] = {[TARGET_HOST] = "the CPU",
            [TARGET_EMULATOR] = "the emulated device",
            [TARGET_GPU] = "a GPU"};
    const struct source *source = report->source;
    str_printf(out, "\nfunction %s, line %d, for %s\narguments (", source->qualname,
            source->first_line, targets[report->target]);
    for (size_t i = 0; i < report->param_count; i++)
        str_printf(out, "%s%s", i ? ", " : "", report->params[i]->name);
    str_append(out, ")\n");
    char *text = host_hooks.source_text ? host_hooks.source_text(source) : NULL;
    str_printf(out, "\n--- source\n%s\n", text ? text : "(unknown)");
    free(text);
}

// By file and offset, which stay the same where the process puts its files elsewhere.
static void add_frame(void *place, struct str *out)
{
    Dl_info info = {0};
    if (!place || !dladdr(place, &info) || !info.dli_fname) {
        str_append(out, "  code in no file\n");
        return;
    }
    const char *slash = strrchr(info.dli_fname, '/');
    str_printf(out, "  %s+0x%zx %s\n", slash ? slash + 1 : info.dli_fname,
            (size_t)((char *)place - (char *)info.dli_fbase),
            info.dli_sname ? info.dli_sname : "");
}

static void add_failure(const struct guard_failure *failure, struct str *out)
{
    str_append(out, "\n--- where the compiler stood\n");
    if (failure->signal)
        add_frame(failure->place, out);
    for (int i = 0; i < failure->frame_count; i++)
        add_frame(failure->frames[i], out);
}

struct dump {
    const struct ir_function *function;
    struct str text;
};

static void print_ir(void *data)
{
    struct dump *dump = data;
    ir_print_shape(dump->function, &dump->text);
}

// Guarded, as the IR may be what is broken.
static void add_ir(const struct ir_function *function, struct str *out)
{
    struct dump dump = {.function = function};
    str_append(out, "\n--- IR, without the values of constants\n");
    if (!guard_run(print_ir, &dump))
        str_append(out, "(cannot be printed)\n");
    else
        str_append_bytes(out, str_text(&dump.text),
                dump.text.len < MOST_IR_BYTES ? dump.text.len : MOST_IR_BYTES);
    str_finish(&dump.text);
}

static void describe(const struct report *report, const struct error *err,
        const struct guard_failure *failure, struct str *out)
{
    str_printf(out, "%s\n", err->message);
    if (err->span.line)
        str_printf(out, "while it was at line %d\n", err->span.line);
    str_append(out, "\n");
    add_versions(out);
    if (report->source)
        add_function(report, out);
    if (failure)
        add_failure(failure, out);
    if (report->function)
        add_ir(report->function, out);
}

// --- The file

static bool find_folder(struct str *path)
{
    const char *chosen = getenv("GRIDCELL_REPORT_DIR");
    if (chosen)
        str_append(path, chosen);
    else if (file_store_home(path))
        str_append(path, "/reports");
    return path->len > 0;
}

static void name_file(
        const struct report *report, const struct error *err, struct str *path)
{
    const char *name = report->source ? report->source->name : "compiler";
    struct str key = {0};
    str_printf(&key, "%s %d %s", err->message, err->span.line,
            report->source && report->source->file ? report->source->file : "");
    str_append_char(path, '/');
    for (; *name; name++)
        str_append_char(path, *name == '/' || *name == '<' || *name == '>' ? '_' : *name);
    str_printf(path, "-%016llx" SUFFIX,
            (unsigned long long)map_hash(str_text(&key), key.len));
    str_finish(&key);
}

void report_write(const struct report *report, struct error *err)
{
    if (err->kind != ERROR_INTERNAL)
        return;
    // other guarded work may fail while this is written down
    struct guard_failure failure = *guard_last();
    bool is_given_up = failure.text[0] && strstr(err->message, failure.text);
    struct str folder = {0}, path = {0}, text = {0};
    if (find_folder(&folder)) {
        describe(report, err, is_given_up ? &failure : NULL, &text);
        str_append(&path, str_text(&folder));
        name_file(report, err, &path);
        file_make_folders(path.text, 0700);
        // for the user's eyes only; who sends it may read it first
        if (file_replace(path.text, text.text, text.len, FILE_PRIVATE))
            error_note(err,
                    "\n\nThis is a defect of gridcell. A report for its makers is in %s: "
                    "the function's source and types, none of your data.",
                    path.text);
        else
            error_note(err,
                    "\n\nThis is a defect of gridcell. No report of it could be written "
                    "to %s: %s",
                    path.text, strerror(errno));
        const struct file_store store = {str_text(&folder), SUFFIX};
        file_store_trim(&store, MOST_FOLDER_BYTES);
    }
    str_finish(&folder);
    str_finish(&path);
    str_finish(&text);
}
