// SPDX-License-Identifier: MIT
// Requests that need no Python, on the control channel and beside cells.
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct kernel;
struct message;
struct origin;

// A question that waits behind the cell that runs, until its turn or its time has come.
struct postponed {
    struct origin *origin;
    const char *msg_type; // static
    int64_t deadline_ms;
};

#define POSTPONED_LIMIT_MS 1000

// All of them on the I/O thread unless said.
// Serves a request of the control channel; takes it.
void control_serve(struct kernel *kernel, struct message *message_stolen);
// Answers what needs no Python. False when the message is not of that kind, or has to
// wait behind other requests.
bool control_answer_at_once(struct kernel *kernel, const struct message *message);
// Main thread: the same, in the order of requests, unless it was answered since.
bool control_answer_in_turn(struct kernel *kernel, const struct message *message);
// Answers what waited too long; the milliseconds until the next, or -1.
int control_poll(struct kernel *kernel);
void control_finish(struct kernel *kernel);
// Any thread: shutdown on the shell channel waits its turn.
void control_answer_shutdown(struct kernel *kernel, const struct message *message);
