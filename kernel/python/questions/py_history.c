// SPDX-License-Identifier: MIT
// The answers to history requests.
#include "kernel/python/state/py_state.h"

#include <string.h>

#include "kernel/history/history.h"
#include "kernel/python/questions/py_questions.h"

static long long integer_or(const json_t *content, const char *key, long long otherwise)
{
    const json_t *value = json_object_get(content, key);
    return json_is_integer(value) ? json_integer_value(value) : otherwise;
}

json_t *history_answer(const json_t *content)
{
    const char *access = json_string_value(json_object_get(content, "hist_access_type"));
    struct history_query query = {
            .wants_output = json_is_true(json_object_get(content, "output")),
            .is_raw = !json_is_false(json_object_get(content, "raw")),
            .session = integer_or(content, "session", 0),
            .start = integer_or(content, "start", 0),
            .stop = integer_or(content, "stop", 0),
            .count = -1,
    };
    bool is_known = !access || !strcmp(access, "range") || !strcmp(access, "tail") ||
                    !strcmp(access, "search");
    if (!is_known)
        return json_array();
    if (access && !strcmp(access, "range")) {
        query.access = HISTORY_RANGE;
    } else {
        query.count = integer_or(content, "n", -1);
        if (access && !strcmp(access, "search")) {
            query.access = HISTORY_SEARCH;
            query.pattern = json_string_value(json_object_get(content, "pattern"));
            query.is_unique = json_is_true(json_object_get(content, "unique"));
        }
    }
    return history_ask(&query);
}

json_t *interp_history(json_t *content)
{
    return json_pack("{ss so}", "status", "ok", "history", history_answer(content));
}
