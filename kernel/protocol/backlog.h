// SPDX-License-Identifier: MIT
// What waits in memory until front ends take it, and the limit to it.
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/vec.h"

struct channels;

// A connection to the IOPub socket, watched while output has to wait.
struct subscriber {
    int fd;
    ino_t inode;
    uint64_t progress;
    int64_t since_ms; // without progress
};

// What waits for front ends, beside wire.unsent_bytes.
struct backlog {
    int64_t limit_bytes, patience_ms;
    atomic_bool is_lifted;              // there is room, whatever waits
    int64_t full_ms;                    // of the last look while full; I/O thread
    VEC(struct subscriber) subscribers; // I/O thread
    bool owes_notice;                   // to one that was cut off; I/O thread
    bool wants_trim;                    // the heap, once all is sent; I/O thread
};

void backlog_init(struct backlog *backlog);
void backlog_finish(struct backlog *backlog);
// From now on nobody waits for room: the kernel ends. Any thread.
void backlog_lift(struct backlog *backlog);
// False while front ends take output more slowly than it comes. Any thread.
bool backlog_has_room(struct channels *channels);
// Waits for room, that long at most, or until a signal. Any thread but the I/O thread.
void backlog_await_room(struct channels *channels, int limit_ms);
// I/O thread: cuts off those who take nothing; the milliseconds until the next look, or
// -1.
int backlog_poll(struct channels *channels);
// I/O thread, somebody subscribed: says that output was dropped, if it was.
void backlog_tell(struct channels *channels);
