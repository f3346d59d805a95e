// SPDX-License-Identifier: MIT
// What the debugger answers to each command: itself, what needs no adapter; by asking
// Python; else what debugpy's adapter says, made fit for notebooks.
#include "kernel/debugger/debugger.h"

#include <string.h>

#include "base/log.h"
#include "base/str.h"
#include "kernel/cells/cell_file.h"
#include "kernel/interface/interp.h"
#include "kernel/cells/murmur2.h"

// References of variables that Python was asked for itself begin here; the adapter's are
// small.
#define OWN_REFERENCES (1 << 30)

static json_t *arguments_of(const struct message *message)
{
    return json_object_get(message->content, "arguments");
}

static const char *text_argument(const struct message *message, const char *name)
{
    return json_string_value(json_object_get(arguments_of(message), name));
}

// The answer of a function in gridcell.ipython.debugger.
static void ask_python(struct debugger *debugger, struct message *message,
        const char *function, json_t *arguments)
{
    struct error err = {0};
    json_t *body = interp_debug(function, arguments, &err);
    if (body)
        debugger_answer(debugger, message, body);
    else
        debugger_refuse(debugger, message, "%s", err.message);
}

// The same, where there is nothing to answer.
static void tell_python(
        struct debugger *debugger, const char *function, json_t *arguments)
{
    struct error err = {0};
    json_decref(interp_debug(function, arguments, &err));
    if (err.kind)
        log_write(LOG_WARNING, "debugger: %s: %s", function, err.message);
}

// ---- the session

static json_t *breakpoint_list(const struct debugger *debugger)
{
    json_t *list = json_array(), *points;
    const char *path;
    json_object_foreach(debugger->breakpoints, path, points)
    {
        json_array_append_new(
                list, json_pack("{s:s, s:O}", "source", path, "breakpoints", points));
    }
    return list;
}

static void serve_info(struct debugger *debugger, struct message *message)
{
    char prefix[CELL_FILE_SIZE];
    cell_file_prefix(prefix);
    debugger_answer(debugger, message,
            json_pack("{s:b, s:s, s:I, s:s, s:s, s:o, s:O, s:b, s:[s], s:b}", "isStarted",
                    debugger->adapter.fd >= 0, "hashMethod", "Murmur2", "hashSeed",
                    (json_int_t)MURMUR2_CELL_SEED, "tmpFilePrefix", prefix,
                    "tmpFileSuffix", CELL_FILE_SUFFIX, "breakpoints",
                    breakpoint_list(debugger), "stoppedThreads", debugger->stopped,
                    "richRendering", 1, "exceptionPaths", "Python Exceptions",
                    "copyToGlobals", 1));
}

static void serve_initialize(struct debugger *debugger, struct message *message)
{
    struct error err = {0};
    if (debugger_open(debugger, &err)) {
        tell_python(debugger, "compiled_begin", NULL);
        debugger_forward(debugger, message, "initialize",
                json_incref(arguments_of(message)), NULL);
    } else
        debugger_refuse(debugger, message, "%s", err.message);
}

// Frames of the kernel's own package are nobody's to step through.
static json_t *rules(void)
{
    return json_pack("[{s:s, s:b}, {s:s, s:b}, {s:s, s:b}]", "module", "gridcell",
            "include", 0, "module", "gridcell.ipython", "include", 0, "path",
            "**/gridcell/__main__.py", "include", 0);
}

static void serve_attach(struct debugger *debugger, struct message *message)
{
    json_t *given = arguments_of(message);
    json_t *arguments = json_is_object(given) ? json_copy(given) : json_object();
    json_object_set_new(arguments, "connect",
            json_pack("{s:s, s:i}", "host", debugger->address, "port", debugger->port));
    if (!json_object_get(arguments, "rules"))
        json_object_set_new(arguments, "rules", rules());
    if (!json_object_get(arguments, "justMyCode"))
        json_object_set_new(arguments, "justMyCode", json_true());
    // a program that a cell starts would wait for a client of its own
    json_object_set_new(arguments, "subProcess", json_false());
    json_object_set_new(arguments, "logToFile", json_false());
    debugger_forward(debugger, message, "attach", arguments, NULL);
}

// The debugger has done it already, when the adapter was ready.
static void serve_configuration_done(struct debugger *debugger, struct message *message)
{
    debugger_answer(debugger, message, NULL);
}

static void finish_disconnect(
        struct debugger *debugger, struct message *message, json_t *response)
{
    debugger_pass(debugger, message, response);
    tell_python(debugger, "compiled_end", NULL);
    debugger_close(debugger);
}

// Ends the session and never the kernel.
static void serve_disconnect(struct debugger *debugger, struct message *message)
{
    if (debugger->adapter.fd < 0)
        debugger_answer(debugger, message, NULL);
    else
        debugger_forward(debugger, message, "disconnect",
                json_pack("{s:b, s:b}", "restart", 0, "terminateDebuggee", 0),
                finish_disconnect);
}

// ---- sources and breakpoints

static void serve_dump_cell(struct debugger *debugger, struct message *message)
{
    json_t *code = json_object_get(arguments_of(message), "code");
    char name[CELL_FILE_SIZE];
    struct error err = {0};
    if (!json_is_string(code)) {
        debugger_refuse(debugger, message, "dumpCell needs the text code");
        return;
    }
    const char *text = json_string_value(code);
    size_t len = json_string_length(code);
    cell_file_name(name, text, len);
    if (cell_file_write(text, len, &err))
        debugger_answer(debugger, message, json_pack("{s:s}", "sourcePath", name));
    else
        debugger_refuse(debugger, message, "%s", err.message);
}

static void finish_breakpoints(
        struct debugger *debugger, struct message *message, json_t *response)
{
    json_t *source = json_object_get(arguments_of(message), "source");
    const char *path = json_string_value(json_object_get(source, "path"));
    json_t *asked = json_object_get(arguments_of(message), "breakpoints");
    if (path && json_array_size(asked))
        json_object_set(debugger->breakpoints, path, asked);
    else if (path)
        json_object_del(debugger->breakpoints, path);
    debugger_pass(debugger, message, response);
}

// debugpy knows the lines of Python code, we those of compiled code: a breakpoint is one
// for both, as a function may run as either.
static void serve_breakpoints(struct debugger *debugger, struct message *message)
{
    tell_python(debugger, "compiled_breakpoints", arguments_of(message));
    debugger_forward(debugger, message, "setBreakpoints",
            json_incref(arguments_of(message)), finish_breakpoints);
}

static void serve_source(struct debugger *debugger, struct message *message)
{
    ask_python(debugger, message, "source", arguments_of(message));
}

static void serve_modules(struct debugger *debugger, struct message *message)
{
    ask_python(debugger, message, "modules", arguments_of(message));
}

// ---- frames and variables

// How many frames of the stack are the user's: what runs a cell is left out.
static size_t user_frames(const json_t *frames)
{
    char prefix[CELL_FILE_SIZE];
    size_t i, count = 0;
    json_t *frame;
    cell_file_prefix(prefix);
    json_array_foreach(frames, i, frame)
    {
        const char *path = json_string_value(
                json_object_get(json_object_get(frame, "source"), "path"));
        if (path && str_starts_with(path, prefix))
            count = i + 1;
    }
    return count ? count : json_array_size(frames);
}

static void finish_stack(
        struct debugger *debugger, struct message *message, json_t *response)
{
    json_t *body = json_object_get(response, "body");
    json_t *frames = json_object_get(body, "stackFrames");
    size_t whole = json_array_size(frames), count = user_frames(frames);
    for (size_t i = whole; i > count; i--)
        json_array_remove(frames, i - 1);
    if (count < whole)
        json_object_set_new(body, "totalFrames", json_integer((json_int_t)count));
    debugger_pass(debugger, message, response);
}

static void serve_stack(struct debugger *debugger, struct message *message)
{
    debugger_forward(debugger, message, "stackTrace", json_incref(arguments_of(message)),
            finish_stack);
}

static void serve_variables(struct debugger *debugger, struct message *message)
{
    json_t *reference = json_object_get(arguments_of(message), "variablesReference");
    if (json_integer_value(reference) >= OWN_REFERENCES)
        ask_python(debugger, message, "children", arguments_of(message));
    else
        debugger_forward(
                debugger, message, "variables", json_incref(arguments_of(message)), NULL);
}

static void serve_inspect_variables(struct debugger *debugger, struct message *message)
{
    json_t *arguments = json_pack("{s:i}", "first", OWN_REFERENCES);
    ask_python(debugger, message, "variables", arguments);
    json_decref(arguments);
}

// Has the adapter evaluate a call of ours in a frame.
static void evaluate_in_frame(struct debugger *debugger, struct message *message,
        json_t *frame, const char *function, const char *arguments, debug_finish finish)
{
    struct str expression = {0};
    str_printf(&expression,
            "__import__('gridcell.ipython.debugger', None, None, ['*']).%s(%s)", function,
            arguments);
    debugger_forward(debugger, message, "evaluate",
            json_pack("{s:s, s:O, s:s}", "expression", str_text(&expression), "frameId",
                    frame, "context", "clipboard"),
            finish);
    str_finish(&expression);
}

static bool is_name(const char *text)
{
    static const char other[] = "0123456789";
    if (!text || !*text || strchr(other, *text))
        return false;
    for (; *text; text++) {
        bool is_letter = (*text | 32) >= 'a' && (*text | 32) <= 'z';
        if (!is_letter && *text != '_' && !strchr(other, *text) && *text > 0)
            return false;
    }
    return true;
}

static void finish_rich(
        struct debugger *debugger, struct message *message, json_t *response)
{
    if (json_is_true(json_object_get(response, "success"))) {
        json_decref(response);
        ask_python(debugger, message, "take_kept", NULL);
    } else {
        debugger_pass(debugger, message, response);
    }
}

static void serve_rich_variable(struct debugger *debugger, struct message *message)
{
    const char *name = text_argument(message, "variableName");
    json_t *frame = json_object_get(arguments_of(message), "frameId");
    if (!is_name(name)) // a group like `special variables`
        debugger_answer(debugger, message, json_pack("{s:{}, s:{}}", "data", "metadata"));
    else if (json_is_integer(frame) && json_array_size(debugger->stopped))
        evaluate_in_frame(debugger, message, frame, "keep", name, finish_rich);
    else
        ask_python(debugger, message, "rich", arguments_of(message));
}

static void serve_copy_to_globals(struct debugger *debugger, struct message *message)
{
    const char *from = text_argument(message, "srcVariableName"),
               *to = text_argument(message, "dstVariableName");
    json_t *frame = json_object_get(arguments_of(message), "srcFrameId");
    if (!is_name(from) || !is_name(to) || !json_is_integer(frame)) {
        debugger_refuse(debugger, message,
                "copyToGlobals needs srcVariableName, dstVariableName and srcFrameId");
        return;
    }
    struct str arguments = {0};
    str_printf(&arguments, "'%s', %s", to, from);
    evaluate_in_frame(debugger, message, frame, "set_global", str_text(&arguments), NULL);
    str_finish(&arguments);
}

// What stood goes on: events tell only where it stops next.
static void serve_step(struct debugger *debugger, struct message *message)
{
    json_array_clear(debugger->stopped);
    debugger_forward(debugger, message,
            json_string_value(json_object_get(message->content, "command")),
            json_incref(arguments_of(message)), NULL);
}

// ---- all

static const struct command {
    const char *name;
    void (*serve)(struct debugger *debugger, struct message *message);
} commands[] = {
        {"debugInfo", serve_info},
        {"initialize", serve_initialize},
        {"attach", serve_attach},
        {"configurationDone", serve_configuration_done},
        {"disconnect", serve_disconnect},
        {"terminate", serve_disconnect},
        {"dumpCell", serve_dump_cell},
        {"setBreakpoints", serve_breakpoints},
        {"source", serve_source},
        {"modules", serve_modules},
        {"stackTrace", serve_stack},
        {"variables", serve_variables},
        {"continue", serve_step},
        {"next", serve_step},
        {"stepIn", serve_step},
        {"stepOut", serve_step},
        {"inspectVariables", serve_inspect_variables},
        {"richInspectVariables", serve_rich_variable},
        {"copyToGlobals", serve_copy_to_globals},
};

// Whether the request is about compiled code that stands, and was answered.
static bool serve_compiled(struct debugger *debugger, struct message *message)
{
    struct error err = {0};
    json_t *body = interp_debug("compiled", message->content, &err);
    bool is_answered = !json_is_null(body);
    if (!body)
        debugger_refuse(debugger, message, "%s", err.message);
    else if (is_answered)
        debugger_answer(debugger, message, body);
    else
        json_decref(body);
    return is_answered;
}

void debug_request_serve(struct debugger *debugger, struct message *message)
{
    const char *name = json_string_value(json_object_get(message->content, "command"));
    if (!name) {
        debugger_refuse(debugger, message, "a debug_request needs the text command");
        return;
    }
    if (debugger->in_compiled && serve_compiled(debugger, message))
        return;
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        if (!strcmp(name, commands[i].name)) {
            commands[i].serve(debugger, message);
            return;
        }
    }
    json_t *arguments = arguments_of(message);
    debugger_forward(debugger, message, name,
            json_is_object(arguments) ? json_incref(arguments) : NULL, NULL);
}
