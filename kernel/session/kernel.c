// SPDX-License-Identifier: MIT
// The kernel from start to end. The sockets are bound before Python starts, so that the
// front end finds them at once.
#include "kernel/session/kernel.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "base/log.h"
#include "kernel/cells/cell_file.h"
#include "kernel/debugger/debugger.h"
#include "kernel/process/descriptors.h"
#include "kernel/session/predecessor.h"

int64_t clock_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

// Nobody can type into the kernel: what reads descriptor 0 shall find its end at once.
static void close_stdin(void)
{
    int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (fd > 0) {
        dup2(fd, 0);
        close(fd);
    }
}

static bool queues_init(struct kernel *kernel, struct error *err)
{
    pthread_mutex_init(&kernel->lanes_lock, NULL);
    return lane_init(&kernel->main, kernel, err) &&
           queue_init(&kernel->input_replies, err) && queue_init(&kernel->outgoing, err);
}

static void queue_drain(struct queue *queue, void (*destroy)(struct queue_node *node))
{
    struct queue_node *node;
    while (queue->last && (node = queue_pop(queue)))
        destroy(node);
    queue_finish(queue);
}

static void destroy_message(struct queue_node *node)
{
    message_destroy((struct message *)node);
}

static void destroy_packet(struct queue_node *node)
{
    packet_destroy((struct packet *)node);
}

// Opens the way to the front end: after it, requests queue up for the main thread.
static bool kernel_open(struct kernel *kernel, const char *connection_file,
        const struct interp_options *options, struct error *err)
{
    kernel->main_thread = pthread_self();
    kernel->started_ms = wire_clock_ms();
    backlog_init(&kernel->backlog);
    if (!connection_read(&kernel->connection, connection_file, err) ||
            !wire_init(&kernel->wire, kernel->connection.signature_scheme,
                    kernel->connection.key, err) ||
            !queues_init(kernel, err) || !sockets_bind(kernel, err))
        return false;
    kernel->kernel_info = kernel_info_content(interp_has_debugger(options));
    predecessor_look(connection_file);
    close_stdin();
    if (!iopub_init(kernel, err) || !capture_start(&kernel->capture, err))
        return false;
    log_set_fd(kernel->capture.original[1]);
    if (!io_thread_start(kernel, err))
        return false;
    descriptors_guard(&kernel->connection);
    signals_attach(kernel);
    crash_watch(kernel);
    front_end_attach(kernel);
    return true;
}

// Safe on a kernel that was opened half.
static void kernel_close(struct kernel *kernel)
{
    descriptors_release();
    signals_detach();
    crash_unwatch();
    if (kernel->io_thread)
        io_thread_finish(kernel);
    front_end_detach();
    capture_stop(&kernel->capture);
    log_set_fd(STDERR_FILENO);
    sockets_close(kernel);
    lane_finish(&kernel->main);
    comm_routes_finish(kernel);
    queue_drain(&kernel->input_replies, destroy_message);
    queue_drain(&kernel->outgoing, destroy_packet);
    iopub_finish(kernel);
    backlog_finish(&kernel->backlog);
    wire_finish(&kernel->wire);
    connection_finish(&kernel->connection);
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
        debugger_stop(&kernel);
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
