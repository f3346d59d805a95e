// SPDX-License-Identifier: MIT
// The kernel's own descriptors, which cells cannot close: not by os.closerange(3, 256),
// not by os.dup2() over them, and not by a number that they took for theirs. A close that
// comes from other code than the kernel's and its libraries' finds such a number not
// open. Forked children close what they like.
//
// No lock anywhere: close() is called by every thread, from signal handlers and between
// fork and exec. A bit for each number says that it was noted, and beside it the inode
// tells whether the number is still what was noted. errno is left as it was, since
// close() must not change it when it succeeds.
#include "kernel/process/descriptors.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/log.h"
#include "base/mapped_file.h"

// Numbers above are not guarded; the kernel's are low, as it opens them first.
enum { MOST_DESCRIPTORS = 4096, WORD_BITS = 64, MOST_OWNERS = 4 };

struct range {
    uintptr_t first, end;
};

static atomic_int guarded_pid;         // 0: nothing is guarded
static descriptors_owner owns_address; // set before guarded_pid
static atomic_ullong words[MOST_DESCRIPTORS / WORD_BITS];
static atomic_ullong inodes[MOST_DESCRIPTORS]; // of what was noted
static struct range owners[MOST_OWNERS];       // code that may close them
static atomic_int owner_count;
static atomic_bool has_told;

// The C library's own, under names that nobody replaces.
extern int __close(int fd);
extern int __dup2(int from, int to);

static bool is_marked(int fd)
{
    return fd > STDERR_FILENO && fd < MOST_DESCRIPTORS &&
           atomic_load(&words[fd / WORD_BITS]) >> (fd % WORD_BITS) & 1;
}

static unsigned long long inode_of(int fd)
{
    struct stat status;
    int saved_errno = errno;
    unsigned long long inode = fstat(fd, &status) ? 0 : status.st_ino;
    errno = saved_errno;
    return inode;
}

// The inode first: who sees the bit finds it.
void descriptors_note(int fd)
{
    if (fd <= STDERR_FILENO || fd >= MOST_DESCRIPTORS)
        return;
    atomic_store(&inodes[fd], inode_of(fd));
    atomic_fetch_or(&words[fd / WORD_BITS], 1ULL << (fd % WORD_BITS));
}

static void forget(int fd)
{
    if (is_marked(fd))
        atomic_fetch_and(&words[fd / WORD_BITS], ~(1ULL << (fd % WORD_BITS)));
}

// Whether the number still stands for what was noted: the C library closes files of its
// own without a word here, and the number is soon another's.
static bool is_noted(int fd)
{
    if (!is_marked(fd))
        return false;
    if (inode_of(fd) == atomic_load(&inodes[fd]))
        return true;
    forget(fd);
    return false;
}

// Code is told from code by where it lies: a library's mapped range. At the start only,
// on one thread.
void descriptors_allow(const void *function)
{
    struct mapped_file file;
    int count = atomic_load(&owner_count);
    if (count == MOST_OWNERS || !mapped_file_find(function, &file))
        return;
    owners[count] = (struct range){file.start, file.end};
    atomic_store(&owner_count, count + 1);
}

// Called with the address that the call returns to. Code that was jitted, or is in no
// library, is nobody's.
static bool is_owner(const void *caller)
{
    uintptr_t at = (uintptr_t)caller;
    for (int i = atomic_load(&owner_count); i-- > 0;) {
        if (at >= owners[i].first && at < owners[i].end)
            return true;
    }
    return false;
}

void descriptors_note_open(const char *path)
{
    DIR *folder = opendir("/proc/self/fd");
    struct dirent *entry;
    char target[PATH_MAX];
    while (folder && (entry = readdir(folder))) {
        int fd = atoi(entry->d_name);
        ssize_t len = readlinkat(dirfd(folder), entry->d_name, target, sizeof target - 1);
        target[len > 0 ? len : 0] = '\0';
        bool is_wanted = path ? !strncmp(target, path, strlen(path)) : target[0] != '/';
        if (fd != dirfd(folder) && is_wanted)
            descriptors_note(fd);
    }
    if (folder)
        closedir(folder);
}

void descriptors_guard(descriptors_owner owns)
{
    owns_address = owns;
    descriptors_allow((const void *)(uintptr_t)descriptors_guard);
    descriptors_note_open(NULL);
    atomic_store(&guarded_pid, getpid());
}

void descriptors_release(void)
{
    atomic_store(&guarded_pid, 0);
}

// A connection that a front end made: libzmq's, at any number.
// libzmq accepts them at any time without our seeing it: their own address says that they
// belong to one of the kernel's ports.
static bool is_connection(int fd)
{
    struct sockaddr_storage address = {0};
    socklen_t len = sizeof address;
    int saved_errno = errno;
    bool is_ours =
            !getsockname(fd, (struct sockaddr *)&address, &len) && owns_address(&address);
    errno = saved_errno;
    return is_ours;
}

static bool is_guarded(int fd)
{
    return fd > STDERR_FILENO && atomic_load(&guarded_pid) &&
           atomic_load(&guarded_pid) == getpid() && (is_noted(fd) || is_connection(fd));
}

static void tell_once(void)
{
    if (!atomic_exchange(&has_told, true))
        log_write(LOG_WARNING,
                "a cell closed descriptors of the kernel: they stay open (only this "
                "first time is told)");
}

// ---- in place of the C library's

// Whether code at `caller` may close the number, or put another file under it.
static bool may_take(int fd, const void *caller)
{
    if (is_owner(caller)) {
        forget(fd);
    } else if (is_guarded(fd)) {
        tell_once();
        errno = EBADF;
        return false;
    }
    return true;
}

__attribute__((visibility("default"))) int close(int fd)
{
    return may_take(fd, __builtin_return_address(0)) ? __close(fd) : -1;
}

__attribute__((visibility("default"))) int dup2(int from, int to)
{
    return from == to || may_take(to, __builtin_return_address(0)) ? __dup2(from, to)
                                                                   : -1;
}

__attribute__((visibility("default"))) int dup3(int from, int to, int flags)
{
    return from == to || may_take(to, __builtin_return_address(0))
                   ? (int)syscall(SYS_dup3, from, to, flags)
                   : -1;
}

static int close_between(unsigned first, unsigned last, int flags)
{
    return first > last ? 0 : (int)syscall(SYS_close_range, first, last, flags);
}

// In pieces between the guarded numbers. Above MOST_DESCRIPTORS nothing is guarded, so
// that the last piece is one call.
static int close_others(unsigned first, unsigned last, int flags)
{
    if (first > last || !atomic_load(&guarded_pid) ||
            atomic_load(&guarded_pid) != getpid())
        return (int)syscall(SYS_close_range, first, last, flags);
    for (unsigned fd = first; fd <= last && fd < MOST_DESCRIPTORS; fd++) {
        if (!is_guarded((int)fd))
            continue;
        tell_once();
        if (fd > first && close_between(first, fd - 1, flags))
            return -1;
        first = fd + 1;
    }
    return close_between(first, last, flags);
}

__attribute__((visibility("default"))) int close_range(
        unsigned first, unsigned last, int flags)
{
    return close_others(first, last, flags);
}

__attribute__((visibility("default"))) void closefrom(int low)
{
    close_others(low > 0 ? (unsigned)low : 0, UINT_MAX, 0);
}
