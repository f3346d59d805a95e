// SPDX-License-Identifier: MIT
// An interrupt that the cell does not notice, because C code runs that never looks: after
// a moment loops over iterators are told; after half a second so is the user, who may
// then wait or end the kernel. I/O thread.
#include "kernel/session/interrupts.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/str.h"
#include "kernel/session/kernel.h"

enum { HOOK_MS = 40, TELL_MS = 500, LOOK_MS = 250 };

enum { STAGE_NONE, STAGE_WATCHED, STAGE_HOOKED, STAGE_TOLD };

static const char question[] =
        "Type end to end the kernel now, which loses its variables; or wait: ";

static void tell(struct kernel *kernel, const struct origin *origin, const char *text)
{
    channels_send(&kernel->channels,
            &(struct message_spec){.channel = CHANNEL_IOPUB,
                    .origin = origin,
                    .topic = "stream.stderr",
                    .msg_type = "stream",
                    .content_stolen = json_text_stolen(
                            json_pack("{s:s, s:s}", "name", "stderr", "text", text))});
}

static void ask(struct kernel *kernel, const struct origin *origin)
{
    kernel->awaits_choice = true;
    channels_send(&kernel->channels,
            &(struct message_spec){.channel = CHANNEL_STDIN,
                    .origin = origin,
                    .msg_type = "input_request",
                    .content_stolen = json_text_stolen(
                            json_pack("{s:s, s:b}", "prompt", question, "password", 0))});
}

static void tell_and_ask(struct kernel *kernel)
{
    char place[512];
    struct str text = {0};
    struct origin *origin = iopub_origin(&kernel->channels);
    str_append(&text, "Interrupted, but the cell is in C code that does not look at "
                      "interrupts");
    if (interp_describe_place(place, sizeof place))
        str_printf(&text, " (%s)", place);
    str_append(&text,
            ".\nIt stops when that code returns, and keeps all variables. To stop "
            "it now, restart the kernel, which loses them.\n");
    tell(kernel, origin, str_text(&text));
    if (atomic_load(&kernel->main.allows_input))
        ask(kernel, origin);
    str_finish(&text);
    origin_release(origin);
}

// `since_ms`: what it is about. One that came meanwhile stays.
static void forget(struct kernel *kernel, long long since_ms)
{
    if (kernel->interrupt_stage >= STAGE_HOOKED)
        interp_unhook_iterators();
    kernel->interrupt_stage = STAGE_NONE;
    kernel->awaits_choice = false;
    atomic_compare_exchange_strong(&kernel->interrupted_ms, &since_ms, 0);
}

// Goes on to what the time since the interrupt calls for; the milliseconds until the
// next.
static int advance(struct kernel *kernel, int64_t elapsed_ms)
{
    if (kernel->interrupt_stage == STAGE_NONE) {
        interp_watch_interrupt();
        kernel->interrupt_stage = STAGE_WATCHED;
    } else {
        interp_break_call();
    }
    if (kernel->interrupt_stage == STAGE_WATCHED) {
        if (elapsed_ms < HOOK_MS)
            return (int)(HOOK_MS - elapsed_ms);
        interp_hook_iterators();
        kernel->interrupt_stage = STAGE_HOOKED;
    }
    if (kernel->interrupt_stage == STAGE_HOOKED) {
        if (elapsed_ms < TELL_MS)
            return HOOK_MS;
        tell_and_ask(kernel);
        kernel->interrupt_stage = STAGE_TOLD;
    }
    return LOOK_MS;
}

void interrupts_send(struct kernel *kernel)
{
    // a real signal also ends a system call that waits
    if (atomic_load(&kernel->runs_python))
        pthread_kill(kernel->main_thread, SIGINT);
}

void interrupts_note(struct kernel *kernel)
{
    if (!atomic_load(&kernel->runs_python))
        return;
    if (!pthread_equal(pthread_self(), kernel->main_thread)) {
        // only there does it end a system call that waits
        pthread_kill(kernel->main_thread, SIGINT);
        return;
    }
    atomic_store(&kernel->is_interrupted, true);
    // a second interrupt starts over only where the first was seen
    long long before = interp_saw_interrupt() ? atomic_load(&kernel->interrupted_ms) : 0;
    atomic_compare_exchange_strong(&kernel->interrupted_ms, &before, clock_ms());
    queue_wake(&kernel->channels.outgoing);
    queue_wake(&kernel->input_replies);
    interp_interrupt();
}

int interrupts_poll(struct kernel *kernel)
{
    long long since_ms = atomic_load(&kernel->interrupted_ms);
    if (!since_ms)
        return -1;
    bool was_seen = kernel->interrupt_stage != STAGE_NONE && interp_saw_interrupt();
    if (was_seen || !atomic_load(&kernel->runs_python)) {
        forget(kernel, since_ms);
        return -1;
    }
    int64_t elapsed_ms = clock_ms() - since_ms;
    return advance(kernel, elapsed_ms < 0 ? 0 : elapsed_ms);
}

// The cell that runs gets a reply, so that its client does not wait for ever.
static void end_kernel(struct kernel *kernel)
{
    struct origin *origin = iopub_origin(&kernel->channels);
    tell(kernel, origin, "The kernel was ended.\n");
    if (origin)
        channels_reply(&kernel->channels, origin, "execute_reply",
                json_pack("{s:s, s:s, s:s, s:[]}", "status", "error", "ename",
                        "KeyboardInterrupt", "evalue", "the kernel was ended",
                        "traceback"),
                NULL);
    channels_status(&kernel->channels, origin, "idle");
    origin_release(origin);
    kernel->ends_now = true;
}

bool interrupts_take_answer(struct kernel *kernel, struct message *message)
{
    if (!kernel->awaits_choice)
        return false;
    const char *value = json_string_value(json_object_get(message->content, "value"));
    kernel->awaits_choice = false;
    if (value && !strncasecmp(value + strspn(value, " \""), "end", 3))
        end_kernel(kernel);
    message_destroy(message);
    return true;
}
