// SPDX-License-Identifier: MIT
// fork and exec with as little in between as POSIX allows, and one poll loop for all
// descriptors.
#include "kernel/child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

struct ends {
    int input[2], output[2], errors[2]; // [0] read end, [1] write end
};

static void close_if_open(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

static void close_pair(int pair[2])
{
    close_if_open(&pair[0]);
    close_if_open(&pair[1]);
}

static bool open_terminal(int pair[2])
{
    struct winsize size = {.ws_row = 24, .ws_col = 80};
    if (openpty(&pair[0], &pair[1], NULL, NULL, &size) < 0)
        return false;
    fcntl(pair[0], F_SETFD, FD_CLOEXEC);
    fcntl(pair[1], F_SETFD, FD_CLOEXEC);
    return true;
}

static bool open_ends(const struct child_options *options, struct ends *ends)
{
    *ends = (struct ends){{-1, -1}, {-1, -1}, {-1, -1}};
    if (options->input)
        return pipe2(ends->input, O_CLOEXEC) == 0 &&
               pipe2(ends->output, O_CLOEXEC) == 0 &&
               (options->merges_errors || pipe2(ends->errors, O_CLOEXEC) == 0);
    ends->input[0] = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (options->uses_terminal && open_terminal(ends->output))
        return true;
    // where there are no terminals, in some containers, one pipe does
    bool merges_errors = options->merges_errors || options->uses_terminal;
    return pipe2(ends->output, O_CLOEXEC) == 0 &&
           (merges_errors || pipe2(ends->errors, O_CLOEXEC) == 0);
}

// In the child: only calls that are safe after fork in a process with threads.
static void run_child(const struct child_options *options, const struct ends *ends)
{
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    signal(SIGINT, SIG_DFL);
    signal(SIGPIPE, SIG_DFL);
    setsid();
    if (options->uses_terminal)
        ioctl(ends->output[1], TIOCSCTTY, 0);
    dup2(ends->input[0], STDIN_FILENO);
    dup2(ends->output[1], STDOUT_FILENO);
    dup2(ends->errors[1] >= 0 ? ends->errors[1] : ends->output[1], STDERR_FILENO);
    execvp(options->argv[0], (char *const *)options->argv);
    _exit(127);
}

bool child_start(
        struct child *child, const struct child_options *options, struct error *err)
{
    struct ends ends;
    *child = (struct child){.pid = -1, .output = -1, .errors = -1, .input = -1};
    if (!open_ends(options, &ends)) {
        close_pair(ends.input);
        close_pair(ends.output);
        close_pair(ends.errors);
        return error_set(err, ERROR_SYSTEM, SPAN_NONE, "no pipes for a child process: %s",
                strerror(errno));
    }
    child->pid = fork();
    if (child->pid == 0)
        run_child(options, &ends);
    close_if_open(&ends.input[0]);
    close_if_open(&ends.output[1]);
    close_if_open(&ends.errors[1]);
    child->output = ends.output[0];
    child->errors = ends.errors[0];
    child->input = ends.input[1];
    child->input_text = options->input;
    child->input_left = options->input_len;
    if (child->input >= 0)
        fcntl(child->input, F_SETFL, O_NONBLOCK);
    if (child->pid > 0)
        return true;
    child_finish(child);
    return error_set(
            err, ERROR_SYSTEM, SPAN_NONE, "no child process: %s", strerror(errno));
}

static void feed(struct child *child)
{
    if (child->input_left > 0) {
        ssize_t written = write(child->input, child->input_text, child->input_left);
        if (written > 0) {
            child->input_text += written;
            child->input_left -= (size_t)written;
        } else if (errno != EAGAIN && errno != EINTR) {
            child->input_left = 0;
        }
    }
    if (child->input_left == 0)
        close_if_open(&child->input);
}

static bool has_exited(struct child *child)
{
    if (!child->has_exited)
        child->has_exited = waitpid(child->pid, &child->status, WNOHANG) == child->pid;
    return child->has_exited;
}

// Reads from one of our ends; closes it at its end. True when there were bytes.
static bool take(int *fd, char *buffer, size_t size, size_t *len)
{
    ssize_t got = read(*fd, buffer, size);
    if (got > 0) {
        *len = (size_t)got;
        return true;
    }
    if (got == 0 || (errno != EINTR && errno != EAGAIN))
        close_if_open(fd);
    return false;
}

enum child_event child_read(struct child *child, char *buffer, size_t size, size_t *len)
{
    enum { WAIT_MS = 100 };
    struct pollfd fds[] = {{child->output, POLLIN, 0}, {child->errors, POLLIN, 0},
            {child->input, POLLOUT, 0}};
    if (child->output < 0 && child->errors < 0)
        return CHILD_ENDED;
    int ready = poll(fds, 3, WAIT_MS);
    // a grandchild may keep the descriptors open after the child itself is gone
    if (ready == 0 && has_exited(child))
        return CHILD_ENDED;
    if (ready <= 0)
        return CHILD_QUIET;
    if (fds[2].revents)
        feed(child);
    if (fds[0].revents && take(&child->output, buffer, size, len))
        return CHILD_OUTPUT;
    if (fds[1].revents && take(&child->errors, buffer, size, len))
        return CHILD_ERRORS;
    return CHILD_QUIET;
}

void child_interrupt(struct child *child)
{
    if (!has_exited(child))
        kill(-child->pid, SIGINT);
}

void child_kill(struct child *child)
{
    if (!has_exited(child))
        kill(-child->pid, SIGKILL);
}

int child_finish(struct child *child)
{
    close_if_open(&child->input);
    close_if_open(&child->output);
    close_if_open(&child->errors);
    while (child->pid > 0 && !child->has_exited) {
        pid_t waited = waitpid(child->pid, &child->status, 0);
        child->has_exited = waited == child->pid || (waited < 0 && errno != EINTR);
    }
    if (WIFSIGNALED(child->status))
        return -WTERMSIG(child->status);
    return WEXITSTATUS(child->status);
}
