// SPDX-License-Identifier: MIT
// The choice between front end, terminal and forked child, in one place.
#include "kernel/interface/output.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

static atomic_bool to_terminal, in_child;

void output_use_terminal(void)
{
    atomic_store(&to_terminal, true);
}

bool output_is_terminal(void)
{
    return atomic_load(&to_terminal);
}

static void note_fork(void)
{
    atomic_store(&in_child, true);
}

void output_watch_forks(void)
{
    pthread_atfork(NULL, NULL, note_fork);
}

bool output_is_child(void)
{
    return atomic_load(&in_child);
}

static void write_all(int fd, const char *text, size_t len)
{
    while (len > 0) {
        ssize_t written = write(fd, text, len);
        if (written < 0 && errno != EINTR)
            return;
        text += written > 0 ? written : 0;
        len -= written > 0 ? (size_t)written : 0;
    }
}

void output_stream(enum output_stream stream, const char *text, size_t len)
{
    if (atomic_load(&in_child) || atomic_load(&to_terminal))
        write_all(stream == STREAM_STDOUT ? STDOUT_FILENO : STDERR_FILENO, text, len);
    else
        front_end_stream(stream, text, len);
}

static void print_line(int fd, const json_t *text)
{
    if (!json_is_string(text))
        return;
    write_all(fd, json_string_value(text), json_string_length(text));
    write_all(fd, "\n", 1);
}

static void print_message(const char *msg_type, const json_t *content)
{
    if (!strcmp(msg_type, "error")) {
        size_t i;
        const json_t *line;
        json_array_foreach(json_object_get(content, "traceback"), i, line)
        {
            print_line(STDERR_FILENO, line);
        }
    } else if (strcmp(msg_type, "execute_input")) {
        print_line(STDOUT_FILENO,
                json_object_get(json_object_get(content, "data"), "text/plain"));
    }
}

void output_publish(const char *msg_type, json_t *content_stolen, json_t *metadata_stolen,
        const struct message_buffer *buffers, size_t buffer_count)
{
    if (!atomic_load(&in_child) && !atomic_load(&to_terminal)) {
        front_end_publish(
                msg_type, content_stolen, metadata_stolen, buffers, buffer_count);
        return;
    }
    if (!atomic_load(&in_child))
        print_message(msg_type, content_stolen);
    json_decref(content_stolen);
    json_decref(metadata_stolen);
}

bool output_has_room(void)
{
    return atomic_load(&in_child) || atomic_load(&to_terminal) || front_end_has_room();
}

void output_flush(void)
{
    if (!atomic_load(&in_child) && !atomic_load(&to_terminal))
        front_end_flush();
}

void output_flush_soon(void)
{
    if (!atomic_load(&in_child) && !atomic_load(&to_terminal))
        front_end_flush_soon();
}
