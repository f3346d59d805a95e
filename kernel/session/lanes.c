// SPDX-License-Identifier: MIT
// Lanes beside the main one: subshells, which front ends ask for, and the side lane,
// which answers questions about code while the main thread runs a cell. Each is a thread
// with a queue.
#include "kernel/session/lanes.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/memory.h"
#include "kernel/process/descriptors.h"
#include "kernel/process/signals.h"
#include "kernel/session/comm_routes.h"
#include "kernel/session/kernel.h"
#include "kernel/session/shell.h"

#define SIDE_IDLE_MS 3000 // the side lane's thread ends after that
#define STOP_LIMIT_MS 300
#define MOST_SUBSHELLS 256

static _Thread_local struct lane *own_lane; // NULL: the main one, or no lane's thread

struct lane *lane_current(struct kernel *kernel)
{
    return own_lane ? own_lane : &kernel->main;
}

bool lane_init(struct lane *lane, struct kernel *kernel, struct error *err)
{
    lane->kernel = kernel;
    lane->idle_limit_ms = -1;
    if (!queue_init(&lane->requests, err))
        return false;
    descriptors_note(lane->requests.event_fd);
    return true;
}

void lane_finish(struct lane *lane)
{
    struct queue_node *node;
    while (lane->requests.last && (node = queue_pop(&lane->requests)))
        message_destroy((struct message *)node);
    queue_finish(&lane->requests);
}

void lane_push(struct lane *lane, struct message *message)
{
    if (atomic_fetch_add(&lane->queued_count, 1) == 0)
        atomic_store(&lane->started_ms, clock_ms());
    queue_push(&lane->requests, &message->node);
}

// ---- threads

// Nobody pushes to the side lane between the look and the end. A message that came is
// returned.
static struct message *retire(struct lane *lane)
{
    struct kernel *kernel = lane->kernel;
    pthread_mutex_lock(&kernel->lanes_lock);
    struct message *message = (struct message *)queue_pop(&lane->requests);
    if (!message && kernel->side == lane)
        kernel->side = NULL;
    pthread_mutex_unlock(&kernel->lanes_lock);
    return message;
}

static struct message *next_request(struct lane *lane)
{
    struct message *message = (struct message *)queue_pop(&lane->requests);
    while (!message && !atomic_load(&lane->is_stopping)) {
        int fd, wait_ms = shell_idle(lane, &fd);
        bool is_limited = lane->idle_limit_ms >= 0 && wait_ms < 0;
        int64_t start = clock_ms();
        queue_wait_beside(
                &lane->requests, is_limited ? lane->idle_limit_ms : wait_ms, fd);
        message = (struct message *)queue_pop(&lane->requests);
        if (!message && is_limited && clock_ms() - start >= lane->idle_limit_ms)
            return retire(lane);
    }
    return message;
}

static bool wait_for_python(struct lane *lane)
{
    const struct timespec pause = {.tv_nsec = 2000000};
    while (!atomic_load(&lane->kernel->has_python) && !atomic_load(&lane->is_stopping))
        nanosleep(&pause, NULL);
    return atomic_load(&lane->kernel->has_python);
}

static void *lane_main(void *argument)
{
    struct lane *lane = argument;
    struct kernel *kernel = lane->kernel;
    struct message *message;
    own_lane = lane;
    pthread_setname_np(pthread_self(), lane->id[0] ? "gridcell-sub" : "gridcell-side");
    signals_unblock_all();
    if (wait_for_python(lane) && interp_thread_begin()) {
        while (!atomic_load(&kernel->is_stopping) && (message = next_request(lane)))
            shell_serve(lane, message);
        interp_thread_end();
    }
    origin_release(lane->origin);
    atomic_store(&lane->has_ended, true);
    queue_wake(&kernel->channels.outgoing);
    return NULL;
}

// Needs the lock. NULL when there can be no more.
static struct lane *add_lane(struct kernel *kernel, const char *id, int idle_limit_ms)
{
    struct error err = {0};
    struct lane *lane = memory_zalloc(sizeof *lane);
    snprintf(lane->id, sizeof lane->id, "%s", id);
    bool is_ready = lane_init(lane, kernel, &err);
    lane->idle_limit_ms = idle_limit_ms;
    if (!is_ready || pthread_create(&lane->thread, NULL, lane_main, lane)) {
        log_write(LOG_ERROR, "no thread for another shell: %s", strerror(errno));
        lane_finish(lane);
        free(lane);
        return NULL;
    }
    lane->next = kernel->lanes;
    kernel->lanes = lane;
    return lane;
}

static void stop_lane(struct lane *lane)
{
    atomic_store(&lane->is_stopping, true);
    queue_wake(&lane->requests);
}

void lanes_collect(struct kernel *kernel)
{
    pthread_mutex_lock(&kernel->lanes_lock);
    for (struct lane **link = &kernel->lanes; *link;) {
        struct lane *lane = *link;
        if (!atomic_load(&lane->has_ended)) {
            link = &lane->next;
            continue;
        }
        *link = lane->next;
        pthread_join(lane->thread, NULL);
        lane_finish(lane);
        free(lane);
    }
    pthread_mutex_unlock(&kernel->lanes_lock);
}

static bool has_lanes(struct kernel *kernel)
{
    pthread_mutex_lock(&kernel->lanes_lock);
    bool has_any = kernel->lanes;
    pthread_mutex_unlock(&kernel->lanes_lock);
    return has_any;
}

void lanes_stop(struct kernel *kernel)
{
    const struct timespec pause = {.tv_nsec = 5000000};
    pthread_mutex_lock(&kernel->lanes_lock);
    kernel->is_closed = true;
    for (struct lane *lane = kernel->lanes; lane; lane = lane->next)
        stop_lane(lane);
    pthread_mutex_unlock(&kernel->lanes_lock);
    for (int i = 0; i < STOP_LIMIT_MS / 5 && has_lanes(kernel); i++) {
        interp_end_threads();
        queue_wake(&kernel->channels.outgoing); // the I/O thread collects what has ended
        nanosleep(&pause, NULL);
    }
}

// ---- requests

// Needs the lock.
static struct lane *find_lane(struct kernel *kernel, const char *id)
{
    for (struct lane *lane = kernel->lanes; lane; lane = lane->next) {
        if (lane->id[0] && !strcmp(lane->id, id) && !atomic_load(&lane->is_stopping))
            return lane;
    }
    return NULL;
}

static const char *subshell_of(const struct message *message)
{
    return json_string_value(json_object_get(message->header, "subshell_id"));
}

static json_t *unknown_subshell(const char *id)
{
    json_t *evalue = json_sprintf("Unknown subshell_id '%s'", id ? id : "");
    return json_pack("{s:s, s:s, s:o, s:[]}", "status", "error", "ename",
            "UnknownSubshellError", "evalue", evalue, "traceback");
}

// What came for a subshell that is not there. A request has a reply, a comm message none.
static void refuse(struct kernel *kernel, const struct message *message)
{
    static const char suffix[] = "_request";
    char reply[64];
    channels_status(&kernel->channels, message->origin, "busy");
    if (str_ends_with(message->msg_type, suffix) && strlen(message->msg_type) < 50) {
        snprintf(reply, sizeof reply, "%.*s_reply",
                (int)(strlen(message->msg_type) - strlen(suffix)), message->msg_type);
        channels_reply(&kernel->channels, message->origin, reply,
                unknown_subshell(subshell_of(message)), NULL);
    }
    channels_status(&kernel->channels, message->origin, "idle");
}

bool lanes_take(struct kernel *kernel, struct message *message)
{
    const char *id = subshell_of(message);
    char asker[37];
    bool is_answer = comm_routes_take(kernel, message, asker);
    if (is_answer ? !asker[0] : !id)
        return false;
    pthread_mutex_lock(&kernel->lanes_lock);
    struct lane *lane = is_answer ? find_lane(kernel, asker) : NULL;
    if (!lane && id)
        lane = find_lane(kernel, id);
    if (lane)
        lane_push(lane, message);
    pthread_mutex_unlock(&kernel->lanes_lock);
    if (!lane && !id)
        return false;
    if (!lane) {
        log_write(LOG_WARNING, "a %s is for a subshell that does not exist",
                message->msg_type);
        refuse(kernel, message);
        message_destroy(message);
    }
    return true;
}

void lanes_pass_barrier(struct kernel *kernel, struct lane *lane)
{
    struct message *barrier = memory_zalloc(sizeof *barrier);
    bool is_there = lane == &kernel->main;
    pthread_mutex_lock(&kernel->lanes_lock);
    for (struct lane *at = kernel->lanes; at && !is_there; at = at->next)
        is_there = at == lane;
    if (is_there)
        lane_push(lane, barrier);
    pthread_mutex_unlock(&kernel->lanes_lock);
    if (!is_there)
        message_destroy(barrier);
}

// ---- subshells on the control channel

static size_t count_subshells(struct kernel *kernel) // needs the lock
{
    size_t count = 0;
    for (struct lane *lane = kernel->lanes; lane; lane = lane->next)
        count += lane->id[0] != '\0';
    return count;
}

void lanes_answer_create(struct kernel *kernel, const struct message *message)
{
    char id[37];
    struct lane *lane = NULL;
    wire_random_uuid(id);
    pthread_mutex_lock(&kernel->lanes_lock);
    if (!kernel->is_closed && count_subshells(kernel) < MOST_SUBSHELLS)
        lane = add_lane(kernel, id, -1);
    pthread_mutex_unlock(&kernel->lanes_lock);
    json_t *content = lane ? json_pack("{s:s, s:s}", "status", "ok", "subshell_id", id)
                           : json_pack("{s:s, s:s, s:s, s:[]}", "status", "error",
                                     "ename", "SubshellError", "evalue",
                                     "no further subshell can be made", "traceback");
    channels_reply(
            &kernel->channels, message->origin, "create_subshell_reply", content, NULL);
}

void lanes_answer_delete(struct kernel *kernel, const struct message *message)
{
    const char *id = json_string_value(json_object_get(message->content, "subshell_id"));
    pthread_mutex_lock(&kernel->lanes_lock);
    struct lane *lane = id ? find_lane(kernel, id) : NULL;
    if (lane)
        stop_lane(lane);
    pthread_mutex_unlock(&kernel->lanes_lock);
    channels_reply(&kernel->channels, message->origin, "delete_subshell_reply",
            lane ? json_pack("{s:s}", "status", "ok") : unknown_subshell(id), NULL);
}

json_t *lanes_subshells(struct kernel *kernel)
{
    json_t *ids = json_array();
    pthread_mutex_lock(&kernel->lanes_lock);
    for (struct lane *lane = kernel->lanes; lane; lane = lane->next) {
        if (lane->id[0] && !atomic_load(&lane->is_stopping))
            json_array_insert_new(ids, 0, json_string(lane->id)); // oldest first
    }
    pthread_mutex_unlock(&kernel->lanes_lock);
    return ids;
}

void lanes_answer_list(struct kernel *kernel, const struct message *message)
{
    json_t *ids = lanes_subshells(kernel);
    channels_reply(&kernel->channels, message->origin, "list_subshell_reply",
            json_pack("{s:s, s:o}", "status", "ok", "subshell_id", ids), NULL);
}

// ---- questions while a cell runs

void lanes_ask(struct kernel *kernel, struct message *message)
{
    pthread_mutex_lock(&kernel->lanes_lock);
    if (!kernel->side && !kernel->is_closed)
        kernel->side = add_lane(kernel, "", SIDE_IDLE_MS);
    struct lane *lane = kernel->side ? kernel->side : &kernel->main;
    lane_push(lane, message);
    pthread_mutex_unlock(&kernel->lanes_lock);
}

void lanes_note_question(struct kernel *kernel, struct message *message)
{
    if (!message_is_question(message) || !atomic_load(&kernel->main.queued_count))
        return;
    int64_t now = clock_ms();
    int64_t limit = atomic_load(&kernel->main.started_ms) + QUESTION_LIMIT_MS;
    message->deadline_ms = limit < now ? now : limit;
    vec_push(&kernel->question_deadlines, message->deadline_ms);
}

static bool node_is_overdue(const struct queue_node *node)
{
    const struct message *message = (const struct message *)node;
    return message->deadline_ms && message->deadline_ms <= clock_ms();
}

int lanes_poll(struct kernel *kernel)
{
    int64_t now = clock_ms();
    size_t passed = 0;
    struct message *message;
    while (passed < kernel->question_deadlines.len &&
            kernel->question_deadlines.items[passed] <= now)
        passed++;
    kernel->question_deadlines.len -= passed;
    if (passed)
        memmove(kernel->question_deadlines.items,
                kernel->question_deadlines.items + passed,
                kernel->question_deadlines.len *
                        sizeof *kernel->question_deadlines.items);
    while (passed && (message = (struct message *)queue_take(
                              &kernel->main.requests, node_is_overdue))) {
        atomic_fetch_sub(&kernel->main.queued_count, 1);
        message->deadline_ms = 0;
        lanes_ask(kernel, message);
    }
    return kernel->question_deadlines.len
                   ? (int)(kernel->question_deadlines.items[0] - now)
                   : -1;
}
