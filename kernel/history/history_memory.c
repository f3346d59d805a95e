// SPDX-License-Identifier: MIT
// History where SQLite is missing: this session's, in memory.
#include "kernel/history/history.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/vec.h"

struct history_store {
    VEC(struct history_entry) entries;
};

void history_store_prepare(void)
{
}

struct history_store *history_store_open(const char *path, struct error *err)
{
    if (!strcmp(path, ":memory:"))
        return memory_zalloc(sizeof(struct history_store));
    error_set(err, ERROR_SYSTEM, SPAN_NONE, "gridcell was built without SQLite");
    return NULL;
}

void history_store_close(struct history_store *store)
{
    vec_each (entry, &store->entries) {
        free(entry->raw);
        free(entry->source);
        free(entry->output);
    }
    vec_finish(&store->entries);
    free(store);
}

long long history_store_session(const struct history_store *store)
{
    (void)store;
    return 1;
}

bool history_store_write(struct history_store *store, const struct history_entry *entries,
        size_t count, struct error *err)
{
    (void)err;
    for (size_t i = 0; i < count; i++) {
        const struct history_entry *entry = &entries[i];
        if (entry->raw) {
            struct history_entry copy = {entry->line, memory_strdup(entry->raw),
                    memory_strdup(entry->source), NULL, false};
            vec_push(&store->entries, copy);
        }
        struct history_entry *last =
                store->entries.len ? &vec_last(&store->entries) : NULL;
        if (entry->output && last && last->line == entry->line) {
            free(last->output);
            last->output = memory_strdup(entry->output);
        }
    }
    return true;
}

static const char *text_of(const struct history_entry *entry, bool is_raw)
{
    return is_raw ? entry->raw : entry->source;
}

static bool occurs_later(const struct history_store *store, size_t index, bool is_raw)
{
    const char *text = text_of(&store->entries.items[index], is_raw);
    for (size_t i = index + 1; i < store->entries.len; i++) {
        if (!strcmp(text, text_of(&store->entries.items[i], is_raw)))
            return true;
    }
    return false;
}

static bool matches(const struct history_store *store, size_t index,
        const struct history_query *query)
{
    const struct history_entry *entry = &store->entries.items[index];
    if (query->access == HISTORY_RANGE)
        return (query->session == 0 || query->session == 1) &&
               entry->line >= query->start &&
               (query->stop <= 0 || entry->line < query->stop);
    if (query->access == HISTORY_SEARCH && query->pattern &&
            fnmatch(query->pattern, text_of(entry, query->is_raw), FNM_NOESCAPE))
        return false;
    return !query->is_unique || !occurs_later(store, index, query->is_raw);
}

json_t *history_store_query(
        struct history_store *store, const struct history_query *query, struct error *err)
{
    (void)err;
    json_t *rows = json_array();
    long long left = query->count;
    for (size_t i = store->entries.len; i-- > 0 && left != 0;) {
        if (!matches(store, i, query))
            continue;
        const struct history_entry *entry = &store->entries.items[i];
        json_array_insert_new(rows, 0,
                history_row(1, entry->line, text_of(entry, query->is_raw), entry->output,
                        query));
        left--;
    }
    return rows;
}
