// SPDX-License-Identifier: MIT
// Questions over comms: the answer, which bears the question's id, goes to the lane that
// asked, whatever subshell the front end takes the comm to belong to. Where there are no
// subshells nothing is kept.
#include "kernel/session/comm_routes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "kernel/session/kernel.h"

// Oldest first; a question that nobody answers is forgotten in the end.
struct comm_routes {
    struct comm_question {
        char *comm, *id, *lane;
    } questions[64];
    size_t count;
};

static void question_finish(struct comm_question *question)
{
    free(question->comm);
    free(question->id);
    free(question->lane);
}

static void forget(struct comm_routes *routes, size_t i)
{
    question_finish(&routes->questions[i]);
    routes->count--;
    memmove(routes->questions + i, routes->questions + i + 1,
            (routes->count - i) * sizeof *routes->questions);
}

// Of a question or an answer: content.data.content.id.
static const char *id_of(const json_t *content)
{
    const json_t *data = json_object_get(content, "data");
    return json_string_value(json_object_get(json_object_get(data, "content"), "id"));
}

static const char *comm_of(const json_t *content)
{
    return json_string_value(json_object_get(content, "comm_id"));
}

static size_t find(const struct comm_routes *routes, const char *comm, const char *id)
{
    size_t i = 0;
    while (i < routes->count && (strcmp(routes->questions[i].id, id) != 0 ||
                                        strcmp(routes->questions[i].comm, comm) != 0))
        i++;
    return i;
}

void comm_routes_note(struct kernel *kernel, const json_t *content)
{
    const char *comm = comm_of(content), *id = id_of(content);
    if (!comm || !id)
        return;
    pthread_mutex_lock(&kernel->lanes_lock);
    if (kernel->lanes && !kernel->comm_routes)
        kernel->comm_routes = memory_zalloc(sizeof *kernel->comm_routes);
    struct comm_routes *routes = kernel->comm_routes;
    if (routes) {
        size_t same = find(routes, comm, id);
        if (same < routes->count)
            forget(routes, same);
        else if (routes->count == sizeof routes->questions / sizeof *routes->questions)
            forget(routes, 0);
        routes->questions[routes->count++] = (struct comm_question){memory_strdup(comm),
                memory_strdup(id), memory_strdup(lane_current(kernel)->id)};
    }
    pthread_mutex_unlock(&kernel->lanes_lock);
}

bool comm_routes_take(struct kernel *kernel, const struct message *message, char lane[37])
{
    const char *comm = comm_of(message->content), *id = id_of(message->content);
    if (strcmp(message->msg_type, "comm_msg") != 0 || !comm || !id)
        return false;
    pthread_mutex_lock(&kernel->lanes_lock);
    struct comm_routes *routes = kernel->comm_routes;
    size_t i = routes ? find(routes, comm, id) : 0;
    bool is_known = routes && i < routes->count;
    if (is_known) {
        snprintf(lane, 37, "%s", routes->questions[i].lane);
        forget(routes, i);
    }
    pthread_mutex_unlock(&kernel->lanes_lock);
    return is_known;
}

void comm_routes_finish(struct kernel *kernel)
{
    while (kernel->comm_routes && kernel->comm_routes->count)
        forget(kernel->comm_routes, 0);
    free(kernel->comm_routes);
    kernel->comm_routes = NULL;
}
