// SPDX-License-Identifier: MIT
// The ways in which the process ends: by a shutdown, a signal or the end of the launcher,
// in order while the main thread comes out of its cell, and at once when it does not; and
// by a crash.
#include "kernel/session/ending.h"

#include <stdio.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "kernel/process/crash.h"
#include "kernel/process/process.h"
#include "kernel/session/interrupts.h"
#include "kernel/session/kernel.h"

// How long the process may live after it was asked to end, whatever Python does.
#define SHUTDOWN_LIMIT_MS 1800

enum { LATE_LINGER_MS = 200, CRASH_LINGER_MS = 300 };

void ending_begin(struct kernel *kernel)
{
    atomic_store(&kernel->is_stopping, true);
    backlog_lift(&kernel->channels.backlog); // who waits for room shall see the end
    interrupts_send(kernel);
    queue_wake(&kernel->main.requests);
}

int ending_poll(struct kernel *kernel)
{
    int64_t left_ms = kernel->end_ms - clock_ms();
    return kernel->end_ms ? (int)(left_ms < 0 ? 0 : left_ms) : -1;
}

static void begin_limit(struct kernel *kernel)
{
    if (kernel->end_ms)
        return;
    kernel->end_ms = clock_ms() + SHUTDOWN_LIMIT_MS;
    if (!atomic_load(&kernel->is_stopping))
        ending_begin(kernel);
}

// The main thread is stuck in a cell: what is queued leaves, and the process ends.
static void end_process(struct kernel *kernel)
{
    log_write(LOG_WARNING, "a cell did not stop in time; the process ends");
    io_thread_send_rest(&kernel->channels, LATE_LINGER_MS);
    process_end_children();
    _exit(0);
}

void ending_check(struct kernel *kernel, bool is_orphan)
{
    if (is_orphan)
        log_write(LOG_INFO, "the process that launched the kernel ended");
    if (is_orphan || atomic_load(&kernel->wants_stop) ||
            atomic_load(&kernel->is_stopping))
        begin_limit(kernel);
    if (kernel->ends_now || (kernel->end_ms && clock_ms() >= kernel->end_ms))
        end_process(kernel);
}

static void tell_of_crash(struct kernel *kernel)
{
    struct str line = {0}, place = {0}, text = {0};
    crash_describe(&line, &place);
    str_printf(&text, "%s%s", str_text(&line), str_text(&place));
    dprintf(kernel->capture.original[STREAM_STDERR], "gridcell: error: %s\n",
            str_text(&text));
    json_t *content = json_pack("{s:s, s:s, s:[s]}", "ename", "KernelDied", "evalue",
            str_text(&line), "traceback", str_text(&text));
    channels_send(&kernel->channels,
            &(struct message_spec){.channel = CHANNEL_IOPUB,
                    // without the lock: the thread that crashed may hold it
                    .origin = kernel->channels.iopub.origin,
                    .msg_type = "error",
                    .content_stolen = json_text_stolen(content)});
    str_finish(&line);
    str_finish(&place);
    str_finish(&text);
}

void ending_check_crash(struct kernel *kernel)
{
    if (!crash_is_pending())
        return;
    iopub_flush_at_crash(&kernel->channels);
    tell_of_crash(kernel);
    io_thread_send_rest(&kernel->channels, CRASH_LINGER_MS);
    crash_end();
}
