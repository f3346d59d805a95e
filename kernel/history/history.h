// SPDX-License-Identifier: MIT
// What was typed, in this session and earlier ones: recorded off the main path, asked for
// seldom. No Python.
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

struct history_entry {
    int line;
    char *raw, *source; // NULL: this is only the output of an earlier entry
    char *output;       // text/plain of the result; NULL: none
    bool keeps_output;  // for later sessions
};

enum history_access { HISTORY_TAIL, HISTORY_RANGE, HISTORY_SEARCH };

struct history_query {
    enum history_access access;
    bool wants_output, is_raw, is_unique;
    const char *pattern;   // of a search: a glob; NULL: any
    long long session;     // of a range: 0 is this one, -1 the one before
    long long start, stop; // of a range: lines, `stop` excluded; 0: to the end
    long long count;       // the last so many; -1: all
};

// ---- history.c: any thread
// Reads the environment, where it is called before cells run, which may change it while
// other threads would read it: main thread.
void history_begin(void);
// This process keeps what it runs to itself: no file, whatever the environment names.
void history_use_memory(void);
// Texts are copied; nothing is written before the call returns.
void history_record(int line, const char *raw, const char *source);
// An output that is not kept can be asked for in this session only.
void history_record_output(int line, const char *output, bool is_kept);
// The file, to be freed; `:memory:` for none. history_choose_file gives another, unless
// the environment names one: false once this session has begun to use it.
char *history_file(void);
bool history_choose_file(const char *path);
// A list of [session, line, input] or [session, line, [input, output]], oldest first.
json_t *history_ask(const struct history_query *query);
long long history_session(void);
// Writes what is left.
void history_finish(void);

// ---- history_store.c, or history_memory.c where there is no SQLite
struct history_store;
// Has SQLite read the environment now.
void history_store_prepare(void);
// Makes the file when there is none; `:memory:` keeps everything in this process.
struct history_store *history_store_open(const char *path, struct error *err);
// Notes the end of the session.
void history_store_close(struct history_store *store);
bool history_store_write(struct history_store *store, const struct history_entry *entries,
        size_t count, struct error *err);
json_t *history_store_query(struct history_store *store,
        const struct history_query *query, struct error *err);
long long history_store_session(const struct history_store *store);
// One row of an answer.
json_t *history_row(long long session, long long line, const char *input,
        const char *output, const struct history_query *query);
