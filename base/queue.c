// SPDX-License-Identifier: MIT
// A mutexed list and an eventfd, which is written only when the list was empty.
#include "base/queue.h"

#include <errno.h>
#include <poll.h>
#include <stdint.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

bool queue_init(struct queue *queue, struct error *err)
{
    int fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (fd < 0)
        return error_set(err, ERROR_SYSTEM, SPAN_NONE, "eventfd: %s", strerror(errno));
    pthread_mutex_init(&queue->lock, NULL);
    queue->first = NULL;
    queue->last = &queue->first;
    queue->event_fd = fd;
    return true;
}

void queue_finish(struct queue *queue)
{
    if (!queue->last)
        return;
    close(queue->event_fd);
    pthread_mutex_destroy(&queue->lock);
    queue->last = NULL;
}

void queue_push(struct queue *queue, struct queue_node *node)
{
    node->next = NULL;
    pthread_mutex_lock(&queue->lock);
    bool was_empty = !queue->first;
    *queue->last = node;
    queue->last = &node->next;
    pthread_mutex_unlock(&queue->lock);
    if (was_empty)
        queue_wake(queue);
}

struct queue_node *queue_pop(struct queue *queue)
{
    pthread_mutex_lock(&queue->lock);
    struct queue_node *node = queue->first;
    if (node) {
        queue->first = node->next;
        if (!queue->first)
            queue->last = &queue->first;
    }
    pthread_mutex_unlock(&queue->lock);
    return node;
}

struct queue_node *queue_take(
        struct queue *queue, bool (*matches)(const struct queue_node *node))
{
    pthread_mutex_lock(&queue->lock);
    struct queue_node **link = &queue->first;
    while (*link && !matches(*link))
        link = &(*link)->next;
    struct queue_node *node = *link;
    if (node) {
        *link = node->next;
        if (!*link)
            queue->last = link;
    }
    pthread_mutex_unlock(&queue->lock);
    return node;
}

void queue_wake(struct queue *queue)
{
    uint64_t one = 1;
    int saved_errno = errno;
    ssize_t written = write(queue->event_fd, &one, sizeof one);
    (void)written;
    errno = saved_errno;
}

void queue_clear_event(struct queue *queue)
{
    uint64_t count;
    ssize_t got = read(queue->event_fd, &count, sizeof count);
    (void)got;
}

void queue_wait(struct queue *queue, int timeout_ms)
{
    queue_wait_beside(queue, timeout_ms, -1);
}

void queue_wait_beside(struct queue *queue, int timeout_ms, int fd)
{
    // poll passes over a negative descriptor
    struct pollfd fds[] = {
            {.fd = queue->event_fd, .events = POLLIN}, {.fd = fd, .events = POLLIN}};
    poll(fds, 2, timeout_ms);
    queue_clear_event(queue);
}
