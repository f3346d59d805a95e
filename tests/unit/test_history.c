// SPDX-License-Identifier: MIT
// The history: recorded, asked for, and found again by the next session. Built twice,
// with SQLite and without.
#include "tests/unit/test.h"

#include "kernel/history/history.h"

static struct history_store *open_memory(void)
{
    struct error err = {0};
    struct history_store *store = history_store_open(":memory:", &err);
    struct history_entry entries[] = {{1, "a = 1", "a = 1", NULL, false},
            {2, "%who", "run('who')", NULL, false}, {2, NULL, NULL, "out of 2", true},
            {3, "a = 1", "a = 1", NULL, false}, {4, "b", "b", NULL, false}};
    CHECK(store != NULL);
    CHECK(history_store_write(store, entries, sizeof entries / sizeof *entries, &err));
    return store;
}

// Compares an answer with its JSON text.
static bool gives(
        struct history_store *store, struct history_query query, const char *expected)
{
    struct error err = {0};
    json_t *rows = history_store_query(store, &query, &err);
    char *text = rows ? json_dumps(rows, JSON_COMPACT) : NULL;
    bool matches = text && !strcmp(text, expected);
    if (!matches)
        fprintf(stderr, "got %s\n", text ? text : err.message);
    free(text);
    json_decref(rows);
    return matches;
}

TEST(tail_of_history)
{
    struct history_store *store = open_memory();
    CHECK(gives(store,
            (struct history_query){.access = HISTORY_TAIL, .is_raw = true, .count = 2},
            "[[1,3,\"a = 1\"],[1,4,\"b\"]]"));
    CHECK(gives(store,
            (struct history_query){.access = HISTORY_TAIL,
                    .is_raw = true,
                    .count = 1,
                    .wants_output = true},
            "[[1,4,[\"b\",null]]]"));
    CHECK(gives(store, (struct history_query){.access = HISTORY_TAIL, .count = 0}, "[]"));
    history_store_close(store);
}

TEST(outputs_that_are_not_kept_are_of_this_session)
{
    struct error err = {0};
    struct history_store *store = open_memory();
    struct history_entry entry = {4, NULL, NULL, "out of 4", false};
    CHECK(history_store_write(store, &entry, 1, &err));
    struct history_query query = {.access = HISTORY_RANGE,
            .start = 4,
            .is_raw = true,
            .count = -1,
            .wants_output = true};
    CHECK(gives(store, query, "[[1,4,[\"b\",\"out of 4\"]]]"));
    history_store_close(store);
}

TEST(range_of_lines)
{
    struct history_store *store = open_memory();
    struct history_query query = {.access = HISTORY_RANGE,
            .start = 2,
            .stop = 3,
            .count = -1,
            .wants_output = true};
    CHECK(gives(store, query, "[[1,2,[\"run('who')\",\"out of 2\"]]]"));
    query.is_raw = true;
    CHECK(gives(store, query, "[[1,2,[\"%who\",\"out of 2\"]]]"));
    query.session = 7;
    CHECK(gives(store, query, "[]"));
    query = (struct history_query){.access = HISTORY_RANGE,
            .session = 1,
            .start = 3,
            .count = -1,
            .is_raw = true};
    CHECK(gives(store, query, "[[1,3,\"a = 1\"],[1,4,\"b\"]]"));
    history_store_close(store);
}

TEST(search_by_glob)
{
    struct history_store *store = open_memory();
    struct history_query query = {
            .access = HISTORY_SEARCH, .pattern = "a*", .count = -1, .is_raw = true};
    CHECK(gives(store, query, "[[1,1,\"a = 1\"],[1,3,\"a = 1\"]]"));
    query.is_unique = true;
    CHECK(gives(store, query, "[[1,3,\"a = 1\"]]"));
    query.pattern = "%w??";
    CHECK(gives(store, query, "[[1,2,\"%who\"]]"));
    query.is_raw = false;
    CHECK(gives(store, query, "[]"));
    query = (struct history_query){.access = HISTORY_SEARCH, .count = 1, .is_raw = true};
    CHECK(gives(store, query, "[[1,4,\"b\"]]"));
    history_store_close(store);
}

TEST(sessions_follow_one_another)
{
    char folder[] = "/tmp/gridcell-history-XXXXXX", path[64], damaged[80];
    struct error err = {0};
    CHECK(mkdtemp(folder) != NULL);
    snprintf(path, sizeof path, "%s/history.sqlite", folder);
    snprintf(damaged, sizeof damaged, "%s.damaged", path);
#ifdef HAS_SQLITE
    for (int session = 1; session <= 2; session++) {
        struct history_store *store = history_store_open(path, &err);
        struct history_entry entry = {
                1, session == 1 ? "first" : "second", "source", NULL, false};
        CHECK(store != NULL);
        CHECK_INT(history_store_session(store), session);
        CHECK(history_store_write(store, &entry, 1, &err));
        struct history_query query = {
                .access = HISTORY_RANGE, .session = -1, .is_raw = true, .count = -1};
        CHECK(gives(store, query, session == 1 ? "[]" : "[[1,1,\"first\"]]"));
        history_store_close(store);
    }
    // a file that is no database is put aside
    FILE *file = fopen(path, "w");
    for (int i = 0; i < 1000; i++)
        fputs("nonsense ", file);
    fclose(file);
    struct history_store *store = history_store_open(path, &err);
    CHECK(store != NULL);
    CHECK_INT(history_store_session(store), 1);
    history_store_close(store);
    CHECK(remove(damaged) == 0);
#else
    CHECK(history_store_open(path, &err) == NULL);
    CHECK_INT(err.kind, ERROR_SYSTEM);
#endif
    remove(path);
    CHECK(remove(folder) == 0);
}

TEST(what_was_recorded_can_be_asked_for_at_once)
{
    setenv("GRIDCELL_HISTORY", ":memory:", 1);
    history_record(1, "x", "x");
    history_record_output(1, "5", true);
    struct history_query query = {
            .access = HISTORY_TAIL, .is_raw = true, .count = 5, .wants_output = true};
    json_t *rows = history_ask(&query);
    char *text = json_dumps(rows, JSON_COMPACT);
    CHECK(text && !strcmp(text, "[[1,1,[\"x\",\"5\"]]]"));
    CHECK_INT(history_session(), 1);
    free(text);
    json_decref(rows);
    history_finish();
}
