// SPDX-License-Identifier: MIT
// Which requests a failed cell takes with it. What was queued when it failed is simple: a
// barrier goes through the I/O thread, and what arrives before it is aborted. But a
// notebook sends "run all" a message at a time, over some milliseconds, and a quick cell
// fails before the last was sent. Such requests name their cell; they are told by their
// dates, which are of one clock, that of the front end: it sent them when nobody can have
// seen the failure yet.
#include "kernel/session/abort.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "kernel/session/kernel.h"

// Shorter than anybody reacts, longer than a front end takes from one cell to the next.
#define UNSEEN_MS 50

int64_t message_sent_ms(const struct message *message)
{
    const char *date = json_string_value(json_object_get(message->header, "date"));
    struct tm day = {0};
    double seconds = 0;
    if (!date || sscanf(date, "%4d-%2d-%2dT%2d:%2d:%lf", &day.tm_year, &day.tm_mon,
                         &day.tm_mday, &day.tm_hour, &day.tm_min, &seconds) != 6)
        return -1;
    if (!(seconds >= 0 && seconds < 61))
        return -1;
    day.tm_year -= 1900;
    day.tm_mon -= 1;
    return (int64_t)timegm(&day) * 1000 + (int64_t)(seconds * 1000);
}

static const char *session_of(const struct message *message)
{
    const char *session = json_string_value(json_object_get(message->header, "session"));
    return session ? session : "";
}

static bool names_cell(const struct message *message)
{
    return json_is_string(json_object_get(message->metadata, "cellId"));
}

static void extend(struct abort_window *window, const struct message *message, int64_t ms)
{
    int64_t sent = message_sent_ms(message);
    snprintf(window->session, sizeof window->session, "%s", session_of(message));
    window->until_ms = sent < 0 ? -1 : sent + ms + UNSEEN_MS;
}

void abort_begin(struct lane *lane, const struct message *failed, int64_t took_ms)
{
    lane->is_aborting = true;
    channels_send_barrier(&lane->kernel->channels, lane);
    if (names_cell(failed))
        extend(&lane->abort_window, failed, took_ms);
}

bool abort_covers(struct lane *lane, const struct message *message)
{
    struct abort_window *window = &lane->abort_window;
    bool is_unseen = names_cell(message) && window->until_ms > 0 &&
                     !strcmp(window->session, session_of(message)) &&
                     message_sent_ms(message) <= window->until_ms;
    if (is_unseen)
        extend(window, message, 0);
    return is_unseen || lane->is_aborting || atomic_load(&lane->is_stopping);
}
