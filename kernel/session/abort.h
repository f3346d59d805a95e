// SPDX-License-Identifier: MIT
// Which requests a failed cell takes with it. The lane's thread.
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct lane;
struct message;

// Execute requests of a session that name their cell are aborted when sent up to then.
struct abort_window {
    char session[80];
    int64_t until_ms; // by the front end's clock; below 1: none
};

// A request failed after so long: those that were sent before anybody saw it are aborted.
void abort_begin(struct lane *lane, const struct message *failed, int64_t took_ms);
// When a request was sent, in milliseconds by its own clock, without its zone; -1:
// unknown.
int64_t message_sent_ms(const struct message *message);
bool abort_covers(struct lane *lane, const struct message *message);
