// SPDX-License-Identifier: MIT
// History in an SQLite file with the tables that IPython uses, so that its tools read
// ours. Outputs go into the file only where the user wants that, as with IPython. The
// session gets its number when the first entry is written or asked for.
#include "kernel/history/history.h"

#include <sqlite3.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/memory.h"
#include "base/str.h"
#include "kernel/process/descriptors.h"

#define BUSY_MS 500

struct history_store {
    sqlite3 *database;
    long long session;
    long long count; // entries of this session
};

static const char schema[] =
        "CREATE TABLE IF NOT EXISTS sessions (session integer primary key autoincrement, "
        "start timestamp, end timestamp, num_cmds integer, remark text);"
        "CREATE TABLE IF NOT EXISTS history (session integer, line integer, source text, "
        "source_raw text, PRIMARY KEY (session, line));"
        "CREATE TABLE IF NOT EXISTS output_history (session integer, line integer, "
        "output text, PRIMARY KEY (session, line));"
        // what is not kept: SQLite's own file without a name, which ends with the process
        "CREATE TEMP TABLE own_output (line integer PRIMARY KEY, output text);"
        // rows are written once, and read from end to end: two megabytes of pages of
        // each are kept for nothing
        "PRAGMA main.cache_size = -256; PRAGMA temp.cache_size = -64;";

static bool fail(sqlite3 *database, struct error *err)
{
    return error_set(err, ERROR_SYSTEM, SPAN_NONE, "%s",
            database ? sqlite3_errmsg(database) : "no memory");
}

static bool run_sql(sqlite3 *database, const char *sql, struct error *err)
{
    return sqlite3_exec(database, sql, NULL, NULL, NULL) == SQLITE_OK ||
           fail(database, err);
}

// ---- opening

void history_store_prepare(void)
{
    sqlite3_initialize();
}

// Local time as Python's datetime writes it.
static void write_now(char text[32])
{
    time_t now = time(NULL);
    struct tm parts;
    localtime_r(&now, &parts);
    strftime(text, 32, "%Y-%m-%d %H:%M:%S.000000", &parts);
}

static sqlite3 *open_database(const char *path, bool *is_damaged, struct error *err)
{
    sqlite3 *database = NULL;
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_FULLMUTEX;
    int status = sqlite3_open_v2(path, &database, flags, NULL);
    if (status == SQLITE_OK) {
        sqlite3_busy_timeout(database, BUSY_MS);
        status = sqlite3_exec(database, schema, NULL, NULL, NULL);
    }
    *is_damaged = status == SQLITE_NOTADB || status == SQLITE_CORRUPT;
    if (status == SQLITE_OK)
        return database;
    fail(database, err);
    sqlite3_close(database);
    return NULL;
}

static bool start_session(struct history_store *store, struct error *err)
{
    char now[32];
    sqlite3_stmt *statement = NULL;
    write_now(now);
    bool is_ok = sqlite3_prepare_v2(store->database,
                         "INSERT INTO sessions (start, remark) VALUES (?, '')", -1,
                         &statement, NULL) == SQLITE_OK &&
                 sqlite3_bind_text(statement, 1, now, -1, SQLITE_STATIC) == SQLITE_OK &&
                 sqlite3_step(statement) == SQLITE_DONE;
    if (is_ok)
        store->session = sqlite3_last_insert_rowid(store->database);
    else
        fail(store->database, err);
    sqlite3_finalize(statement);
    return is_ok;
}

struct history_store *history_store_open(const char *path, struct error *err)
{
    struct history_store *store = memory_zalloc(sizeof *store);
    bool is_damaged = false;
    store->database = open_database(path, &is_damaged, err);
    if (is_damaged) {
        // what it held stays beside it, for whoever can read it
        struct str aside = {0};
        str_printf(&aside, "%s.damaged", path);
        if (rename(path, str_text(&aside)) == 0) {
            *err = (struct error){0};
            store->database = open_database(path, &is_damaged, err);
        }
        str_finish(&aside);
    }
    if (store->database && start_session(store, err)) {
        descriptors_allow((const void *)(uintptr_t)sqlite3_close);
        descriptors_note_open(path);
        return store;
    }
    sqlite3_close(store->database);
    free(store);
    return NULL;
}

long long history_store_session(const struct history_store *store)
{
    return store->session;
}

void history_store_close(struct history_store *store)
{
    char now[32];
    struct str sql = {0};
    write_now(now);
    str_printf(&sql,
            "UPDATE sessions SET end = '%s', num_cmds = %lld WHERE session = %lld", now,
            store->count, store->session);
    struct error ignored = {0};
    run_sql(store->database, str_text(&sql), &ignored);
    str_finish(&sql);
    sqlite3_close(store->database);
    free(store);
}

// ---- writing

// `second` may be NULL where the statement has no use for it.
static bool write_row(struct history_store *store, const char *sql, int line,
        const char *first, const char *second)
{
    sqlite3_stmt *statement = NULL;
    bool is_ok =
            sqlite3_prepare_v2(store->database, sql, -1, &statement, NULL) == SQLITE_OK &&
            sqlite3_bind_int64(statement, 1, store->session) == SQLITE_OK &&
            sqlite3_bind_int(statement, 2, line) == SQLITE_OK &&
            sqlite3_bind_text(statement, 3, first, -1, SQLITE_STATIC) == SQLITE_OK &&
            (!second || sqlite3_bind_text(statement, 4, second, -1, SQLITE_STATIC) ==
                                SQLITE_OK) &&
            sqlite3_step(statement) == SQLITE_DONE;
    sqlite3_finalize(statement);
    return is_ok;
}

static bool write_entry(struct history_store *store, const struct history_entry *entry)
{
    static const char input[] = "INSERT OR REPLACE INTO history (session, line, source, "
                                "source_raw) VALUES (?, ?, ?, ?)";
    static const char output[] = "INSERT OR REPLACE INTO output_history (session, line, "
                                 "output) VALUES (?, ?, ?)";
    // ?1, the session, is not stored
    static const char own[] =
            "INSERT OR REPLACE INTO temp.own_output (line, output) SELECT ?2, ?3 "
            "WHERE ?1 > 0";
    const char *place = entry->keeps_output ? output : own;
    return (!entry->raw ||
                   write_row(store, input, entry->line, entry->source, entry->raw)) &&
           (!entry->output || write_row(store, place, entry->line, entry->output, NULL));
}

bool history_store_write(struct history_store *store, const struct history_entry *entries,
        size_t count, struct error *err)
{
    long long inputs = 0;
    if (!run_sql(store->database, "BEGIN IMMEDIATE", err))
        return false;
    for (size_t i = 0; i < count; i++) {
        inputs += entries[i].raw != NULL;
        if (!write_entry(store, &entries[i])) {
            fail(store->database, err);
            run_sql(store->database, "ROLLBACK", err);
            return false;
        }
    }
    if (!run_sql(store->database, "COMMIT", err)) {
        run_sql(store->database, "ROLLBACK", err);
        return false;
    }
    store->count += inputs;
    return true;
}

// ---- answers

// Newest first, so that a limit keeps the newest. ?1 glob; ?2 session, ?3 start, ?4 stop;
// ?5 limit; ?6 this session.
static void write_query(struct str *sql, const struct history_query *query)
{
    const char *column = query->is_raw ? "source_raw" : "source";
    str_printf(sql,
            "SELECT h.session, h.line, h.%s, coalesce(o.output, n.output)%s FROM "
            "history h LEFT JOIN output_history o ON o.session = h.session AND "
            "o.line = h.line LEFT JOIN temp.own_output n ON h.session = ?6 AND "
            "n.line = h.line ",
            column, query->is_unique ? ", max(h.session * 4294967296 + h.line)" : "");
    if (query->access == HISTORY_SEARCH && query->pattern)
        str_printf(sql, "WHERE h.%s GLOB ?1 ", column);
    if (query->access == HISTORY_RANGE)
        str_append(sql, "WHERE h.session = ?2 AND h.line >= ?3 AND "
                        "(?4 <= 0 OR h.line < ?4) ");
    if (query->is_unique)
        str_printf(sql, "GROUP BY h.%s ", column);
    str_append(sql, "ORDER BY h.session DESC, h.line DESC LIMIT ?5");
}

static bool bind_query(const struct history_store *store, sqlite3_stmt *statement,
        const struct history_query *query)
{
    long long session =
            query->session <= 0 ? store->session + query->session : query->session;
    const long long numbers[] = {
            session, query->start, query->stop, query->count, store->session};
    bool is_ok = !query->pattern || query->access != HISTORY_SEARCH ||
                 sqlite3_bind_text(statement, 1, query->pattern, -1, SQLITE_STATIC) ==
                         SQLITE_OK;
    for (int i = 0; is_ok && i < 5; i++)
        is_ok = sqlite3_bind_int64(statement, i + 2, numbers[i]) == SQLITE_OK;
    return is_ok;
}

static json_t *reversed(json_t *rows)
{
    json_t *result = json_array();
    for (size_t i = json_array_size(rows); i-- > 0;)
        json_array_append(result, json_array_get(rows, i));
    json_decref(rows);
    return result;
}

json_t *history_store_query(
        struct history_store *store, const struct history_query *query, struct error *err)
{
    struct str sql = {0};
    sqlite3_stmt *statement = NULL;
    json_t *rows = json_array();
    int status = SQLITE_ERROR;
    write_query(&sql, query);
    if (sqlite3_prepare_v2(store->database, str_text(&sql), -1, &statement, NULL) ==
                    SQLITE_OK &&
            bind_query(store, statement, query)) {
        while ((status = sqlite3_step(statement)) == SQLITE_ROW) {
            const char *input = (const char *)sqlite3_column_text(statement, 2),
                       *output = (const char *)sqlite3_column_text(statement, 3);
            json_array_append_new(rows, history_row(sqlite3_column_int64(statement, 0),
                                                sqlite3_column_int64(statement, 1),
                                                input ? input : "", output, query));
        }
    }
    if (status != SQLITE_DONE) {
        fail(store->database, err);
        json_decref(rows);
        rows = NULL;
    }
    sqlite3_finalize(statement);
    str_finish(&sql);
    return rows ? reversed(rows) : NULL;
}
