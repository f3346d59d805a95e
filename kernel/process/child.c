// SPDX-License-Identifier: MIT
// fork and exec with as little in between as POSIX allows, and one poll loop for all
// descriptors.
#include "kernel/process/child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
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
    struct termios modes;
    if (openpty(&pair[0], &pair[1], NULL, NULL, &size) < 0)
        return false;
    // the terminal driver takes three times as long over lines that it ends in \r\n as
    // end_lines() does
    if (tcgetattr(pair[1], &modes) == 0) {
        modes.c_oflag &= ~(tcflag_t)OPOST;
        tcsetattr(pair[1], TCSANOW, &modes);
    }
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

// In the child: only calls that are safe after fork in a process with threads. Signals
// are blocked until they no longer run our handlers: an interrupt of before then waits.
static void run_child(const struct child_options *options, const struct ends *ends)
{
    sigset_t none;
    signal(SIGINT, SIG_DFL);
    signal(SIGPIPE, SIG_DFL);
    signal(SIGXFSZ, SIG_DFL);
    setsid();
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
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
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    child->pid = _Fork(); // what libraries do at a fork may wait for their threads
    if (child->pid == 0)
        run_child(options, &ends);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    close_if_open(&ends.input[0]);
    close_if_open(&ends.output[1]);
    close_if_open(&ends.errors[1]);
    child->output = ends.output[0];
    child->errors = ends.errors[0];
    child->input = ends.input[1];
    child->is_terminal = options->uses_terminal && !options->input;
    child->input_text = options->input;
    child->input_left = options->input_len;
    const int own[] = {child->input, child->output, child->errors};
    for (int i = 0; i < 3; i++) {
        if (own[i] >= 0)
            fcntl(own[i], F_SETFL, O_NONBLOCK);
    }
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

// Appends what one of our ends holds now; closes it at its end. True when there are
// bytes. After a few bytes there is no more, or only what a program writes line by line:
// to ask again would wait for each line.
static bool take(int *fd, char *buffer, size_t size, size_t *len)
{
    enum { FEW_BYTES = 2048 };
    ssize_t got = FEW_BYTES;
    while (*len < size && got >= FEW_BYTES) {
        got = read(*fd, buffer + *len, size - *len);
        if (got == 0 || (got < 0 && errno != EINTR && errno != EAGAIN))
            close_if_open(fd);
        if (got <= 0)
            break;
        *len += (size_t)got;
    }
    return *len > 0;
}

// A program that writes line after line would wake us for each: once output flows, what
// comes within some milliseconds is taken together.
static void gather(struct child *child, int *fd, char *buffer, size_t size, size_t *len)
{
    enum { MOST_ROUNDS = 10 };
    const struct timespec pause = {0, 300000};
    bool flowed = child->flows;
    size_t before = 0;
    child->flows = true;
    for (int i = 0; flowed && i < MOST_ROUNDS && *fd >= 0 && *len < size; i++) {
        before = *len;
        nanosleep(&pause, NULL);
        take(fd, buffer, size, len);
        if (*len == before)
            break;
    }
}

static bool is_bare_newline(const struct child *child, const char *buffer, size_t i)
{
    return buffer[i] == '\n' && !(i ? buffer[i - 1] == '\r' : child->ends_in_return);
}

// Puts a \r before each \n that has none, in a buffer that holds twice as much: a program
// may have made the terminal do so itself.
static size_t end_lines(struct child *child, char *buffer, size_t len)
{
    size_t added = 0;
    for (size_t i = 0; i < len; i++)
        added += is_bare_newline(child, buffer, i);
    char last = len ? buffer[len - 1] : '\0';
    size_t to = len + added;
    for (size_t from = len; from < to && from-- > 0;) {
        bool is_bare = is_bare_newline(child, buffer, from);
        buffer[--to] = buffer[from];
        if (is_bare)
            buffer[--to] = '\r';
    }
    child->ends_in_return = last == '\r';
    return len + added;
}

enum child_event child_read(struct child *child, char *buffer, size_t size, size_t *len)
{
    enum { WAIT_MS = 100 };
    struct pollfd fds[] = {{child->output, POLLIN, 0}, {child->errors, POLLIN, 0},
            {child->input, POLLOUT, 0}};
    if (child->output < 0 && child->errors < 0)
        return CHILD_ENDED;
    *len = 0;
    int ready = poll(fds, 3, WAIT_MS);
    // a grandchild may keep the descriptors open after the child itself is gone
    if (ready <= 0)
        child->flows = false;
    if (ready == 0 && has_exited(child))
        return CHILD_ENDED;
    if (ready <= 0)
        return CHILD_QUIET;
    if (fds[2].revents)
        feed(child);
    if (fds[0].revents && take(&child->output, buffer, size / 2, len)) {
        gather(child, &child->output, buffer, size / 2, len);
        if (child->is_terminal)
            *len = end_lines(child, buffer, *len);
        return CHILD_OUTPUT;
    }
    if (fds[1].revents && take(&child->errors, buffer, size, len))
        return CHILD_ERRORS;
    return CHILD_QUIET;
}

// To all that it has started; to itself alone while it is on its way to a session of its
// own.
static void send_signal(struct child *child, int number)
{
    if (!has_exited(child) && kill(-child->pid, number) < 0 && errno == ESRCH)
        kill(child->pid, number);
}

void child_interrupt(struct child *child)
{
    send_signal(child, SIGINT);
}

void child_kill(struct child *child)
{
    send_signal(child, SIGKILL);
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
