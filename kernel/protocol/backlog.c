// SPDX-License-Identifier: MIT
// What waits in memory until front ends take it. Past a limit, the threads that write
// wait, so that a cell that prints without end costs no more than that. A front end that
// takes nothing for long is cut off: what waited for it is forgotten, and it is told when
// it comes back.
#include "kernel/protocol/backlog.h"

#include <dirent.h>
#include <errno.h>
#include <linux/sockios.h>
#include <linux/tcp.h>
#include <malloc.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>

#include "base/clock.h"
#include "base/log.h"
#include "kernel/cells/text.h"
#include "kernel/protocol/channels.h"

#define LIMIT_MIB 128
#define PATIENCE_S 15
#define LOOK_MS 100
#define TRIM_BYTES (16 << 20)

static int64_t setting(const char *name, int64_t usual)
{
    const char *text = getenv(name);
    int64_t value = text ? strtoll(text, NULL, 10) : 0;
    return value > 0 ? value : usual;
}

void backlog_init(struct backlog *backlog)
{
    backlog->limit_bytes = setting("GRIDCELL_BACKLOG_MB", LIMIT_MIB) << 20;
    backlog->patience_ms = setting("GRIDCELL_PATIENCE", PATIENCE_S) * 1000;
}

void backlog_finish(struct backlog *backlog)
{
    vec_finish(&backlog->subscribers);
}

void backlog_lift(struct backlog *backlog)
{
    atomic_store(&backlog->is_lifted, true);
}

bool backlog_has_room(struct channels *channels)
{
    return atomic_load_explicit(&channels->wire.unsent_bytes, memory_order_relaxed) <
                   channels->backlog.limit_bytes ||
           atomic_load(&channels->backlog.is_lifted);
}

void backlog_await_room(struct channels *channels, int limit_ms)
{
    const struct timespec pause = {.tv_nsec = 1000000};
    for (int ms = 0; ms < limit_ms && !backlog_has_room(channels); ms++) {
        if (nanosleep(&pause, NULL))
            return;
    }
}

// ---- who takes nothing

// Changes while the other side takes bytes; 0: nothing waits in the socket.
static uint64_t measure_progress(int fd)
{
    struct tcp_info info = {0};
    socklen_t len = sizeof info;
    int waiting = 0;
    if (ioctl(fd, SIOCOUTQ, &waiting) || waiting <= 0)
        return 0;
    if (getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &len))
        info.tcpi_bytes_acked = 0; // a local socket: the bytes that wait are all we know
    return (uint64_t)waiting + info.tcpi_bytes_acked;
}

static bool is_subscriber(struct channels *channels, int fd, struct stat *info)
{
    struct sockaddr_storage address = {0};
    socklen_t len = sizeof address;
    int listens = 0;
    socklen_t size = sizeof listens;
    enum channel channel;
    return !getsockname(fd, (struct sockaddr *)&address, &len) &&
           connection_owns(&channels->connection, &address, &channel) &&
           channel == CHANNEL_IOPUB &&
           !getsockopt(fd, SOL_SOCKET, SO_ACCEPTCONN, &listens, &size) && !listens &&
           !fstat(fd, info);
}

static struct subscriber *find_subscriber(
        struct backlog *backlog, int fd, const struct stat *info)
{
    vec_each (subscriber, &backlog->subscribers) {
        if (subscriber->fd == fd && subscriber->inode == info->st_ino)
            return subscriber;
    }
    struct subscriber fresh = {.fd = fd, .inode = info->st_ino, .since_ms = clock_ms()};
    vec_push(&backlog->subscribers, fresh);
    return &vec_last(&backlog->subscribers);
}

// libzmq gives up what waits for a connection that ends; a front end that still lives
// connects anew.
static void cut_off(struct backlog *backlog, struct subscriber *subscriber)
{
    log_write(LOG_WARNING,
            "a front end took no output for %lld s: what waits for it is dropped",
            (long long)(backlog->patience_ms / 1000));
    shutdown(subscriber->fd, SHUT_RDWR);
    subscriber->inode = 0;
    backlog->owes_notice = true;
}

static void look_at(struct channels *channels, int fd)
{
    struct backlog *backlog = &channels->backlog;
    struct stat info;
    if (!is_subscriber(channels, fd, &info))
        return;
    struct subscriber *subscriber = find_subscriber(backlog, fd, &info);
    uint64_t progress = measure_progress(fd);
    if (!progress || progress != subscriber->progress)
        subscriber->since_ms = clock_ms();
    else if (clock_ms() - subscriber->since_ms >= backlog->patience_ms)
        cut_off(backlog, subscriber);
    subscriber->progress = progress;
}

static void look_at_all(struct channels *channels)
{
    DIR *folder = opendir("/proc/self/fd");
    struct dirent *entry;
    while (folder && (entry = readdir(folder))) {
        if (entry->d_name[0] != '.')
            look_at(channels, atoi(entry->d_name));
    }
    if (folder)
        closedir(folder);
}

// A large backlog leaves the heap large, which only a hint gives back.
static void trim_afterwards(struct backlog *backlog, long long unsent_bytes)
{
    if (unsent_bytes > TRIM_BYTES)
        backlog->wants_trim = true;
    if (backlog->wants_trim && !unsent_bytes) {
        backlog->wants_trim = false;
        malloc_trim(0);
    }
}

int backlog_poll(struct channels *channels)
{
    struct backlog *backlog = &channels->backlog;
    int64_t now = clock_ms();
    trim_afterwards(backlog, atomic_load(&channels->wire.unsent_bytes));
    if (backlog_has_room(channels)) {
        // a pause of the cell alone says nothing about who reads
        if (backlog->full_ms && now - backlog->full_ms > LOOK_MS)
            backlog->subscribers.len = 0;
        backlog->full_ms = 0;
        return backlog->wants_trim ? LOOK_MS : -1;
    }
    if (!backlog->full_ms || now - backlog->full_ms >= LOOK_MS) {
        backlog->full_ms = now;
        look_at_all(channels);
    }
    return LOOK_MS / 10;
}

void backlog_tell(struct channels *channels)
{
    static const char words[] =
            "\nSome output is missing here: this front end took none for too long.\n";
    struct str content = {0};
    if (!channels->backlog.owes_notice)
        return;
    channels->backlog.owes_notice = false;
    str_append(&content, "{\"name\":\"stderr\",\"text\":");
    text_append_json(&content, words, sizeof words - 1);
    str_append_char(&content, '}');
    pthread_mutex_lock(&channels->iopub.lock);
    channels_send(channels, &(struct message_spec){.channel = CHANNEL_IOPUB,
                                    .origin = channels->iopub.origin,
                                    .topic = "stream.stderr",
                                    .msg_type = "stream",
                                    .content_stolen = str_take(&content)});
    pthread_mutex_unlock(&channels->iopub.lock);
}
