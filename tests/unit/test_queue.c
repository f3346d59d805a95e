// SPDX-License-Identifier: MIT
// The queue between threads: order, wake-ups, nothing lost.
#include "tests/unit/test.h"

#include <poll.h>

#include "base/memory.h"
#include "base/queue.h"

struct item {
    struct queue_node node;
    int number;
};

static void push(struct queue *queue, int number)
{
    struct item *item = memory_zalloc(sizeof *item);
    item->number = number;
    queue_push(queue, &item->node);
}

static int pop(struct queue *queue)
{
    struct item *item = (struct item *)queue_pop(queue);
    int number = item ? item->number : -1;
    free(item);
    return number;
}

static bool is_signalled(struct queue *queue)
{
    struct pollfd fd = {.fd = queue->event_fd, .events = POLLIN};
    return poll(&fd, 1, 0) == 1;
}

TEST(keeps_order_and_signals)
{
    struct queue queue;
    struct error err = {0};
    REQUIRE(queue_init(&queue, &err));
    CHECK_INT(pop(&queue), -1);
    CHECK(!is_signalled(&queue));
    push(&queue, 1);
    push(&queue, 2);
    CHECK(is_signalled(&queue));
    queue_clear_event(&queue);
    CHECK(!is_signalled(&queue));
    CHECK_INT(pop(&queue), 1);
    push(&queue, 3);
    CHECK_INT(pop(&queue), 2);
    CHECK_INT(pop(&queue), 3);
    CHECK_INT(pop(&queue), -1);
    queue_wake(&queue);
    queue_wait(&queue, -1);
    queue_wait(&queue, 0);
    queue_finish(&queue);
}

static bool is_even(const struct queue_node *node)
{
    return ((const struct item *)node)->number % 2 == 0;
}

TEST(takes_ahead_of_turn)
{
    struct queue queue;
    struct error err = {0};
    REQUIRE(queue_init(&queue, &err));
    CHECK(!queue_take(&queue, is_even));
    for (int i = 1; i <= 4; i++)
        push(&queue, i);
    for (int i = 2; i <= 4; i += 2) {
        struct item *item = (struct item *)queue_take(&queue, is_even);
        CHECK_INT(item->number, i);
        free(item);
    }
    CHECK(!queue_take(&queue, is_even));
    push(&queue, 5); // behind the place of the one that was last
    CHECK_INT(pop(&queue), 1);
    CHECK_INT(pop(&queue), 3);
    CHECK_INT(pop(&queue), 5);
    CHECK_INT(pop(&queue), -1);
    queue_finish(&queue);
}

#define PRODUCERS 3
#define EACH 5000

static void *produce(void *argument)
{
    for (int i = 0; i < EACH; i++)
        push(argument, i);
    return NULL;
}

TEST(loses_nothing_between_threads)
{
    struct queue queue;
    struct error err = {0};
    pthread_t threads[PRODUCERS];
    long long sum = 0;
    int seen = 0;
    REQUIRE(queue_init(&queue, &err));
    for (int i = 0; i < PRODUCERS; i++)
        pthread_create(&threads[i], NULL, produce, &queue);
    while (seen < PRODUCERS * EACH) {
        int number = pop(&queue);
        if (number < 0) {
            queue_wait(&queue, 5000);
            continue;
        }
        sum += number;
        seen++;
    }
    for (int i = 0; i < PRODUCERS; i++)
        pthread_join(threads[i], NULL);
    CHECK_INT(sum, (long long)PRODUCERS * EACH * (EACH - 1) / 2);
    queue_finish(&queue);
}
