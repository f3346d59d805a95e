// SPDX-License-Identifier: MIT
// An interpreter of a few words, so that the protocol side is tested without Python. A
// cell is one word: `ok`, `error`, `print TEXT`, `cprint TEXT` (by C's stdio), `input`,
// `loop`, `exit`.
#include "kernel/interface/interp.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "kernel/interface/front_end.h"

static atomic_bool interrupted;
static int execution_count;

bool interp_is_guest(void)
{
    return false;
}

bool interp_start(const struct interp_options *options, struct error *err)
{
    (void)options;
    (void)err;
    return true;
}

void interp_stop(void)
{
}

void interp_stack_is_full(void)
{
}

void interp_write_place(int fd)
{
    (void)fd;
}

void interp_interrupt(void)
{
    atomic_store(&interrupted, true);
}

static json_t *ok(void)
{
    return json_pack("{s:s, s:i, s:{}, s:[]}", "status", "ok", "execution_count",
            execution_count, "user_expressions", "payload");
}

static json_t *failed(const char *name, const char *value)
{
    json_t *content = json_pack(
            "{s:s, s:s, s:[s]}", "ename", name, "evalue", value, "traceback", name);
    front_end_publish("error", json_copy(content), NULL, NULL, 0);
    json_object_set_new(content, "status", json_string("error"));
    json_object_set_new(content, "execution_count", json_integer(execution_count));
    return content;
}

static json_t *ask(void)
{
    struct str value = {0};
    struct error err = {0};
    bool is_answered = front_end_input("name? ", false, &value, &err);
    if (is_answered)
        front_end_stream(STREAM_STDOUT, str_text(&value), value.len);
    str_finish(&value);
    return is_answered ? ok() : failed("InputError", err.message);
}

static json_t *loop(void)
{
    const struct timespec pause = {.tv_nsec = 1000000};
    while (!atomic_load(&interrupted))
        nanosleep(&pause, NULL);
    return failed("KeyboardInterrupt", "");
}

json_t *interp_execute(json_t *content, json_t *metadata)
{
    (void)metadata;
    const char *code = json_string_value(json_object_get(content, "code"));
    atomic_store(&interrupted, false);
    execution_count++;
    if (!strncmp(code, "print ", 6))
        front_end_stream(STREAM_STDOUT, code + 6, strlen(code + 6));
    else if (!strncmp(code, "cprint ", 7))
        printf("%s", code + 7);
    else if (!strcmp(code, "error"))
        return failed("FakeError", "as asked");
    else if (!strcmp(code, "input"))
        return ask();
    else if (!strcmp(code, "loop"))
        return loop();
    else if (!strcmp(code, "exit"))
        front_end_ask_exit(false);
    return ok();
}

json_t *interp_complete(json_t *content)
{
    (void)content;
    return json_pack("{s:s, s:[], s:i, s:i, s:{}}", "status", "ok", "matches",
            "cursor_start", 0, "cursor_end", 0, "metadata");
}

json_t *interp_inspect(json_t *content)
{
    (void)content;
    return json_pack(
            "{s:s, s:b, s:{}, s:{}}", "status", "ok", "found", 0, "data", "metadata");
}

json_t *interp_history(json_t *content)
{
    (void)content;
    return json_pack("{s:s, s:[]}", "status", "ok", "history");
}

json_t *interp_is_complete(json_t *content)
{
    (void)content;
    return json_pack("{s:s}", "status", "complete");
}

json_t *interp_comm_info(json_t *content)
{
    (void)content;
    return json_pack("{s:s, s:{}}", "status", "ok", "comms");
}

// Sends the buffers back.
void interp_comm(const char *msg_type, json_t *content, json_t *metadata,
        const struct message_buffer *buffers, size_t buffer_count)
{
    front_end_publish(
            msg_type, json_incref(content), json_incref(metadata), buffers, buffer_count);
}

json_t *interp_language_info(void)
{
    return json_pack("{s:{s:s, s:s, s:s, s:s}, s:s, s:[]}", "language_info", "name",
            "fake", "version", "1", "mimetype", "text/plain", "file_extension", ".txt",
            "banner", "fake", "help_links");
}

int interp_idle(int *fd)
{
    *fd = -1;
    return -1;
}

void interp_hurry_begin(void)
{
}

void interp_hurry_end(void)
{
}

bool interp_thread_begin(void)
{
    return true;
}

void interp_end_threads(void)
{
}

void interp_thread_end(void)
{
}

json_t *interp_debug(const char *function, json_t *arguments, struct error *err)
{
    (void)arguments;
    error_set(err, ERROR_RUNTIME, SPAN_NONE, "the fake has no %s", function);
    return NULL;
}

bool interp_has_debugger(const struct interp_options *options)
{
    (void)options;
    return false;
}

int interp_run_file(int argc, char **argv, const struct run_options *run)
{
    (void)run;
    (void)argc;
    (void)argv;
    return 0;
}

void interp_watch_interrupt(void)
{
}

void interp_break_call(void)
{
}

bool interp_saw_interrupt(void)
{
    return true;
}

void interp_hook_iterators(void)
{
}

void interp_unhook_iterators(void)
{
}

bool interp_describe_place(char *text, size_t size)
{
    return false;
}
