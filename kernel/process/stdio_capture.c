// SPDX-License-Identifier: MIT
// File descriptors 1 and 2 become pipes, so that what C code and child processes write
// shows up in the notebook. The originals stay open for the log and for the last words of
// a crash.
#include "kernel/process/stdio_capture.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "kernel/cells/text.h"

#define READ_SIZE 65536

// The pipe's read end does not block, since the I/O thread reads it between other work.
// Its buffer is four reads long, or a print of some 100 KB would wait for a turn of the
// I/O thread after each 64.
static bool redirect(struct capture *capture, int stream, struct error *err)
{
    int fd = stream + 1, ends[2];
    capture->original[stream] = fcntl(fd, F_DUPFD_CLOEXEC, 3);
    if (capture->original[stream] < 0)
        capture->original[stream] = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (pipe2(ends, O_CLOEXEC))
        return error_set(err, ERROR_SYSTEM, SPAN_NONE, "pipe: %s", strerror(errno));
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    fcntl(ends[0], F_SETPIPE_SZ, 4 * READ_SIZE);
    if (dup2(ends[1], fd) < 0) {
        close(ends[0]);
        close(ends[1]);
        return error_set(err, ERROR_SYSTEM, SPAN_NONE, "dup2: %s", strerror(errno));
    }
    close(ends[1]);
    capture->pipe[stream] = ends[0];
    struct epoll_event readable = {.events = EPOLLIN};
    epoll_ctl(capture->ready_fd, EPOLL_CTL_ADD, ends[0], &readable);
    return true;
}

bool capture_start(struct capture *capture, struct error *err)
{
    *capture = (struct capture){.original = {1, 2}, .pipe = {-1, -1}};
    fflush(NULL);
    capture->ready_fd = epoll_create1(EPOLL_CLOEXEC);
    if (capture->ready_fd < 0)
        return error_set(err, ERROR_SYSTEM, SPAN_NONE, "epoll: %s", strerror(errno));
    if (!redirect(capture, 0, err)) {
        close(capture->ready_fd);
        return false;
    }
    if (!redirect(capture, 1, err)) {
        dup2(capture->original[0], 1);
        close(capture->pipe[0]);
        close(capture->ready_fd);
        return false;
    }
    // a pipe would make C's stdout wait for a full buffer
    setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
    capture->is_active = true;
    return true;
}

// In this order: what is in C's buffers goes into the pipe before that goes.
void capture_stop(struct capture *capture)
{
    if (!capture->is_active)
        return;
    fflush(NULL);
    for (int stream = 0; stream < 2; stream++) {
        dup2(capture->original[stream], stream + 1);
        close(capture->original[stream]);
        close(capture->pipe[stream]);
        str_finish(&capture->tail[stream]);
    }
    close(capture->ready_fd);
    *capture = (struct capture){0};
}

bool capture_has_text(const struct capture *capture)
{
    struct epoll_event event;
    return capture->is_active && epoll_wait(capture->ready_fd, &event, 1, 0) > 0;
}

// A character of UTF-8 may be cut by the end of a read: its first bytes wait in `tail`.
bool capture_read(struct capture *capture, int stream, struct str *text)
{
    char bytes[READ_SIZE];
    struct str *tail = &capture->tail[stream];
    if (!capture->is_active)
        return false;
    memcpy(bytes, str_text(tail), tail->len);
    ssize_t got =
            read(capture->pipe[stream], bytes + tail->len, sizeof bytes - tail->len);
    if (got <= 0)
        return false;
    size_t len = tail->len + (size_t)got, incomplete = text_incomplete_tail(bytes, len);
    str_clear(tail);
    str_append_bytes(tail, bytes + len - incomplete, incomplete);
    text_append_valid(text, bytes, len - incomplete);
    return true;
}
