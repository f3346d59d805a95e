// SPDX-License-Identifier: MIT
// Entries wait in memory; a thread of its own writes them a moment later, so that neither
// a cell nor the start of the kernel waits for a disk.
#include "kernel/history/history.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/files.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/str.h"
#include "base/vec.h"
#include "kernel/cells/text.h"

#define GATHER_MS 200
#define OUTPUT_LIMIT 65536 // a longer output is not kept

struct entries {
    struct history_entry *items;
    size_t len, capacity;
};

static struct {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    struct entries waiting; // guarded by lock
    bool has_writer;        // guarded by lock
    bool is_finished;       // guarded by lock
    pthread_t writer;

    pthread_mutex_t store_lock;  // taken before lock
    struct history_store *store; // NULL until the first use; guarded by store_lock
    char *chosen; // in place of the usual file; NULL: none; guarded by store_lock
    // What the environment says, read once: guarded by store_lock
    bool has_environment;
    char *named; // NULL: it names no file
    char *usual;
    struct entries batch; // taken from waiting and not written yet; guarded by store_lock
} history = {.lock = PTHREAD_MUTEX_INITIALIZER,
        .changed = PTHREAD_COND_INITIALIZER,
        .store_lock = PTHREAD_MUTEX_INITIALIZER};

// ---- the store

static void read_environment(void) // needs the store lock
{
    const char *named = getenv("GRIDCELL_HISTORY"), *data = getenv("XDG_DATA_HOME"),
               *home = getenv("HOME");
    struct str path = {0};
    if (data && *data == '/')
        str_printf(&path, "%s/gridcell/history.sqlite", data);
    else if (home && *home == '/')
        str_printf(&path, "%s/.local/share/gridcell/history.sqlite", home);
    else
        str_append(&path, ":memory:");
    history.named = named ? memory_strdup(*named ? named : ":memory:") : NULL;
    history.usual = str_take(&path);
    history.has_environment = true;
}

void history_begin(void)
{
    pthread_mutex_lock(&history.store_lock);
    if (!history.has_environment)
        read_environment();
    pthread_mutex_unlock(&history.store_lock);
    history_store_prepare();
}

void history_use_memory(void)
{
    pthread_mutex_lock(&history.store_lock);
    if (!history.has_environment)
        read_environment();
    free(history.named);
    history.named = memory_strdup(":memory:");
    pthread_mutex_unlock(&history.store_lock);
}

static const char *choose_path(void) // needs the store lock
{
    if (!history.has_environment)
        read_environment();
    return history.named    ? history.named
           : history.chosen ? history.chosen
                            : history.usual;
}

// SQLite would make it as the umask says, and its journal like it. What cells hold is for
// nobody else; a file of the user's choice keeps the mode that it has. An existing file
// is not opened: closing it would end SQLite's locks on it, where a cell reads it, too.
static void prepare_file(const char *path)
{
    struct stat status;
    file_make_folders(path, 0700);
    int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, FILE_PRIVATE);
    if (fd >= 0)
        close(fd);
    else if (path == history.usual && !lstat(path, &status) && S_ISREG(status.st_mode) &&
             (status.st_mode & (S_IRWXG | S_IRWXO)) && chmod(path, FILE_PRIVATE))
        log_write(LOG_DEBUG, "%s: %s", path, strerror(errno));
}

static struct history_store *open_store(void) // needs the store lock
{
    struct error err = {0};
    if (history.store)
        return history.store;
    const char *path = choose_path();
    if (strcmp(path, ":memory:"))
        prepare_file(path);
    history.store = history_store_open(path, &err);
    if (!history.store) {
        log_write(LOG_WARNING, "history is kept for this session only: %s: %s", path,
                err.message);
        err = (struct error){0};
        history.store = history_store_open(":memory:", &err);
    }
    return history.store;
}

// ---- writing

static void entry_finish(struct history_entry *entry)
{
    free(entry->raw);
    free(entry->source);
    free(entry->output);
}

// Needs the store lock.
static void write_waiting(void)
{
    pthread_mutex_lock(&history.lock);
    for (size_t i = 0; i < history.waiting.len; i++)
        vec_push(&history.batch, history.waiting.items[i]);
    history.waiting.len = 0;
    pthread_mutex_unlock(&history.lock);
    if (!history.batch.len || !open_store())
        return;
    struct error err = {0};
    if (!history_store_write(
                history.store, history.batch.items, history.batch.len, &err)) {
        // another kernel may hold the file: the entries stay for the next time
        log_write(LOG_INFO, "history was not written: %s", err.message);
        return;
    }
    for (size_t i = 0; i < history.batch.len; i++)
        entry_finish(&history.batch.items[i]);
    history.batch.len = 0;
}

static void wait_to_gather(void) // needs the lock
{
    struct timespec end;
    clock_gettime(CLOCK_MONOTONIC, &end);
    end.tv_nsec += GATHER_MS * 1000000L;
    end.tv_sec += end.tv_nsec / 1000000000L;
    end.tv_nsec %= 1000000000L;
    while (!history.is_finished && pthread_cond_clockwait(&history.changed, &history.lock,
                                           CLOCK_MONOTONIC, &end) != ETIMEDOUT)
        continue;
}

static void *run_writer(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&history.lock);
    while (!history.is_finished) {
        if (!history.waiting.len) {
            pthread_cond_wait(&history.changed, &history.lock);
            continue;
        }
        wait_to_gather();
        pthread_mutex_unlock(&history.lock);
        pthread_mutex_lock(&history.store_lock);
        write_waiting();
        pthread_mutex_unlock(&history.store_lock);
        pthread_mutex_lock(&history.lock);
    }
    pthread_mutex_unlock(&history.lock);
    return NULL;
}

// Signals are for the other threads.
static bool start_writer(void)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    bool is_started = !pthread_create(&history.writer, NULL, run_writer, NULL);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return is_started;
}

static void add_entry(struct history_entry entry)
{
    pthread_mutex_lock(&history.lock);
    vec_push(&history.waiting, entry);
    if (!history.has_writer)
        history.has_writer = start_writer();
    pthread_cond_signal(&history.changed);
    pthread_mutex_unlock(&history.lock);
}

void history_record(int line, const char *raw, const char *source)
{
    add_entry((struct history_entry){
            line, memory_strdup(raw), memory_strdup(source), NULL, false});
}

void history_record_output(int line, const char *output, bool is_kept)
{
    if (strlen(output) <= OUTPUT_LIMIT)
        add_entry(
                (struct history_entry){line, NULL, NULL, memory_strdup(output), is_kept});
}

void history_finish(void)
{
    pthread_mutex_lock(&history.lock);
    history.is_finished = true;
    bool has_writer = history.has_writer;
    history.has_writer = false;
    pthread_cond_signal(&history.changed);
    pthread_mutex_unlock(&history.lock);
    if (has_writer)
        pthread_join(history.writer, NULL);
    pthread_mutex_lock(&history.store_lock);
    write_waiting();
    for (size_t i = 0; i < history.batch.len; i++)
        entry_finish(&history.batch.items[i]);
    vec_finish(&history.batch);
    vec_finish(&history.waiting);
    if (history.store)
        history_store_close(history.store);
    history.store = NULL;
    free(history.chosen);
    free(history.named);
    free(history.usual);
    history.chosen = history.named = history.usual = NULL;
    history.has_environment = false;
    pthread_mutex_unlock(&history.store_lock);
}

char *history_file(void)
{
    pthread_mutex_lock(&history.store_lock);
    char *path = memory_strdup(choose_path());
    pthread_mutex_unlock(&history.store_lock);
    return path;
}

bool history_choose_file(const char *path)
{
    pthread_mutex_lock(&history.store_lock);
    bool is_free = !history.store;
    if (is_free) {
        free(history.chosen);
        history.chosen = memory_strdup(*path ? path : ":memory:");
    }
    pthread_mutex_unlock(&history.store_lock);
    return is_free;
}

// ---- answers

static json_t *text_json(const char *text)
{
    struct str valid = {0};
    text_append_valid(&valid, text, strlen(text));
    json_t *value = json_stringn(str_text(&valid), valid.len);
    str_finish(&valid);
    return value;
}

json_t *history_row(long long session, long long line, const char *input,
        const char *output, const struct history_query *query)
{
    json_t *text = text_json(input);
    if (!query->wants_output)
        return json_pack("[IIo]", (json_int_t)session, (json_int_t)line, text);
    return json_pack("[II[oo]]", (json_int_t)session, (json_int_t)line, text,
            output ? text_json(output) : json_null());
}

json_t *history_ask(const struct history_query *query)
{
    struct error err = {0};
    pthread_mutex_lock(&history.store_lock);
    write_waiting();
    json_t *rows = open_store() ? history_store_query(history.store, query, &err) : NULL;
    pthread_mutex_unlock(&history.store_lock);
    if (!rows)
        log_write(LOG_WARNING, "history could not be read: %s", err.message);
    return rows ? rows : json_array();
}

long long history_session(void)
{
    pthread_mutex_lock(&history.store_lock);
    long long session = open_store() ? history_store_session(history.store) : 0;
    pthread_mutex_unlock(&history.store_lock);
    return session;
}
