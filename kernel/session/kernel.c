// SPDX-License-Identifier: MIT
// The kernel from start to end. The sockets are bound before Python starts, so that the
// front end finds them at once.
#include "kernel/session/kernel.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <zmq.h>

#include "base/log.h"
#include "kernel/cells/cell_file.h"
#include "kernel/process/crash.h"
#include "kernel/process/descriptors.h"
#include "kernel/process/process.h"
#include "kernel/process/signals.h"
#include "kernel/process/usage.h"
#include "kernel/session/comm_routes.h"
#include "kernel/session/ending.h"
#include "kernel/session/front_end_calls.h"
#include "kernel/session/interrupts.h"
#include "kernel/session/kernel_info.h"
#include "kernel/session/predecessor.h"
#include "kernel/session/shell.h"

// Nobody can type into the kernel: what reads descriptor 0 shall find its end at once.
static void close_stdin(void)
{
    int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (fd > 0) {
        dup2(fd, 0);
        close(fd);
    }
}

// ---- what the rooms below report

static void deliver(struct kernel *kernel, struct message *message)
{
    if (message->channel == CHANNEL_CONTROL) {
        control_serve(kernel, message);
    } else if (message->channel == CHANNEL_STDIN) {
        if (interrupts_take_answer(kernel, message))
            return;
        if (!strcmp(message->msg_type, "input_reply") &&
                atomic_load(&kernel->awaits_input))
            queue_push(&kernel->input_replies, &message->node);
        else
            message_destroy(message);
    } else if (lanes_take(kernel, message)) {
        return;
    } else if (control_answer_at_once(kernel, message)) {
        message_destroy(message);
    } else {
        lanes_note_question(kernel, message);
        shell_push(kernel, message);
    }
}

static int begin_serving(struct kernel *kernel)
{
    descriptors_note(kernel->parent_fd);
    channels_status(&kernel->channels, NULL, "starting");
    usage_begin();
    return kernel->parent_fd;
}

static int poll_all(struct kernel *kernel)
{
    const int waits_ms[] = {control_poll(kernel), interrupts_poll(kernel),
            lanes_poll(kernel), ending_poll(kernel)};
    int least_ms = -1;
    lanes_collect(kernel);
    for (size_t i = 0; i < sizeof waits_ms / sizeof *waits_ms; i++) {
        if (waits_ms[i] >= 0 && (least_ms < 0 || waits_ms[i] < least_ms))
            least_ms = waits_ms[i];
    }
    return least_ms;
}

static bool has_captured(struct kernel *kernel)
{
    return capture_has_text(&kernel->capture);
}

static bool read_captured(
        struct kernel *kernel, enum output_stream stream, struct str *text)
{
    return capture_read(&kernel->capture, (int)stream, text);
}

static const struct protocol_hooks protocol_hooks = {
        .begin = begin_serving,
        .poll = poll_all,
        .check_crash = ending_check_crash,
        .deliver = deliver,
        .pass_barrier = lanes_pass_barrier,
        .check_end = ending_check,
        .end = control_finish,
        .has_captured = has_captured,
        .read_captured = read_captured,
};

// In signal handlers, on any thread: flags and wakes, nothing else.
static void report(struct kernel *kernel, enum process_event event)
{
    switch (event) {
    case PROCESS_INTERRUPTED:
        interrupts_note(kernel);
        break;
    case PROCESS_STACK_FULL:
        interp_stack_is_full();
        break;
    case PROCESS_TERMINATED:
        atomic_store(&kernel->wants_stop, true);
        queue_wake(&kernel->channels.outgoing);
        break;
    case PROCESS_CRASHED:
        queue_wake(&kernel->channels.outgoing);
        break;
    }
}

static const struct process_hooks process_hooks = {report, interp_write_place};

// One process has one kernel.
static const struct connection *own_connection;

static bool owns_address(const struct sockaddr_storage *address)
{
    enum channel channel;
    return connection_owns(own_connection, address, &channel);
}

// ---- from start to end

static bool queues_init(struct kernel *kernel, struct error *err)
{
    pthread_mutex_init(&kernel->lanes_lock, NULL);
    return lane_init(&kernel->main, kernel, err) &&
           queue_init(&kernel->input_replies, err);
}

static void queue_drain(struct queue *queue)
{
    struct queue_node *node;
    while (queue->last && (node = queue_pop(queue)))
        message_destroy((struct message *)node);
    queue_finish(queue);
}

// Signals are for the threads that run Python: the I/O thread inherits that it has none.
static bool start_io_thread(struct kernel *kernel, struct error *err)
{
    sigset_t before;
    pthread_sigmask(SIG_SETMASK, NULL, &before);
    signals_block_all();
    kernel->channels.captured_fd = kernel->capture.ready_fd;
    bool is_started = io_thread_start(&kernel->channels, err);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return is_started;
}

static void guard_descriptors(struct kernel *kernel)
{
    own_connection = &kernel->channels.connection;
    if (interp_is_guest())
        process_stand_in();
    descriptors_allow((const void *)(uintptr_t)zmq_ctx_new);
    descriptors_guard(owns_address);
}

// Opens the way to the front end: after it, requests queue up for the main thread.
static bool kernel_open(struct kernel *kernel, const char *connection_file,
        const struct interp_options *options, struct error *err)
{
    kernel->main_thread = pthread_self();
    kernel->started_ms = wire_clock_ms();
    kernel->channels.allows_unsigned = options->allows_unsigned;
    kernel->debug.channels = &kernel->channels;
    kernel->debug.has_python = &kernel->has_python;
    if (!queues_init(kernel, err) || !channels_open(&kernel->channels, connection_file,
                                             &protocol_hooks, kernel, err))
        return false;
    kernel->kernel_info = kernel_info_content(interp_has_debugger(options));
    predecessor_look(connection_file);
    close_stdin();
    if (!capture_start(&kernel->capture, err))
        return false;
    log_set_fd(kernel->capture.original[1]);
    // here, and not on the I/O thread: Python changes the environment while it starts,
    // and getenv on another thread may then read what was freed
    kernel->parent_fd = process_watch_parent();
    tzset(); // what the first date would do, by TZ
    if (!start_io_thread(kernel, err))
        return false;
    guard_descriptors(kernel);
    signals_attach(&process_hooks, kernel);
    crash_watch(&process_hooks, kernel, kernel->channels.io_thread);
    front_end_attach(kernel);
    return true;
}

// Safe on a kernel that was opened half.
static void kernel_close(struct kernel *kernel)
{
    descriptors_release();
    signals_detach();
    crash_unwatch();
    io_thread_finish(&kernel->channels);
    front_end_detach();
    capture_stop(&kernel->capture);
    log_set_fd(STDERR_FILENO);
    lane_finish(&kernel->main);
    comm_routes_finish(kernel);
    queue_drain(&kernel->input_replies);
    channels_close(&kernel->channels);
    free(kernel->kernel_info);
}

int kernel_run(const char *connection_file, const struct interp_options *options)
{
    static struct kernel kernel; // one per process; signal handlers see it
    struct error err = {0};
    bool is_ready = kernel_open(&kernel, connection_file, options, &err) &&
                    interp_start(options, &err);
    if (is_ready) {
        atomic_store(&kernel.has_python, true);
        shell_loop(&kernel);
        lanes_stop(&kernel);
        debugger_stop(&kernel.debug);
        interp_stop();
        cell_file_remove_all();
    }
    kernel_close(&kernel);
    predecessor_leave(connection_file);
    if (!is_ready) {
        fprintf(stderr, "gridcell: error: %s\n", err.message);
        return 2;
    }
    process_end_children();
    return 0;
}
