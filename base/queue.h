// SPDX-License-Identifier: MIT
// First in, first out, between threads; the consumer can poll `event_fd` beside other
// descriptors.
#pragma once

#include <pthread.h>
#include <stdbool.h>

#include "base/error.h"

// The first member of what is queued.
struct queue_node {
    struct queue_node *next;
};

struct queue {
    pthread_mutex_t lock;
    struct queue_node *first, **last; // guarded by lock
    int event_fd;
};

bool queue_init(struct queue *queue, struct error *err);
// Closes the descriptor; what is still queued belongs to the caller, who pops it before.
void queue_finish(struct queue *queue);

// Any thread.
void queue_push(struct queue *queue, struct queue_node *node_stolen);
// The oldest, or NULL.
struct queue_node *queue_pop(struct queue *queue);
// The oldest that `matches`, ahead of its turn, or NULL.
struct queue_node *queue_take(
        struct queue *queue, bool (*matches)(const struct queue_node *node));
// Makes the consumer look, though nothing is pushed. Any thread, and async-signal-safe.
void queue_wake(struct queue *queue);
// Forgets wake-ups so far: call it before popping until NULL.
void queue_clear_event(struct queue *queue);
// Waits until something was pushed, a wake-up, a signal, or the time is over (-1: no
// limit).
void queue_wait(struct queue *queue, int timeout_ms);
// The same, or until the descriptor is readable; -1: none.
void queue_wait_beside(struct queue *queue, int timeout_ms, int fd);
