// SPDX-License-Identifier: MIT
// The kernel's descriptors, which code from elsewhere cannot close. The test itself
// counts as the kernel; what calls from a library of its own does not.
#include "tests/unit/test.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/log.h"
#include "kernel/process/descriptors.h"
#include "tests/unit/foreign_calls.h"

static bool owns_none(const struct sockaddr_storage *address)
{
    (void)address;
    return false;
}

static bool owns_local(const struct sockaddr_storage *address)
{
    return address->ss_family == AF_UNIX &&
           ((const struct sockaddr_un *)address)->sun_path[0];
}

static bool is_open(int fd)
{
    return fcntl(fd, F_GETFD) >= 0;
}

static int open_null(void)
{
    return open("/dev/null", O_RDONLY | O_CLOEXEC);
}

// A descriptor of the kernel's own.
static int open_guarded(void)
{
    int fd = open_null();
    descriptors_guard(owns_none);
    descriptors_note(fd);
    return fd;
}

TEST(closing_from_elsewhere_fails)
{
    int fd = open_guarded(), other = open_null();
    errno = 0;
    CHECK_INT(foreign_close(fd), -1);
    CHECK_INT(errno, EBADF);
    CHECK(is_open(fd));
    CHECK_INT(foreign_close(other), 0);
    CHECK(!is_open(other));
    CHECK_INT(close(fd), 0); // the kernel itself may
    CHECK(!is_open(fd));
    descriptors_release();
}

TEST(number_is_free_once_the_kernel_closed_it)
{
    int fd = open_guarded();
    close(fd);
    int again = open_null();
    CHECK_INT(again, fd);
    CHECK_INT(foreign_close(again), 0);
    descriptors_release();
}

TEST(number_that_stands_for_another_file_is_free)
{
    int fd = open_guarded(), ends[2];
    CHECK_INT(pipe(ends), 0);
    // the C library closes files of its own without a word to us
    syscall(SYS_close, fd);
    CHECK_INT((int)syscall(SYS_dup3, ends[0], fd, 0), fd);
    CHECK_INT(foreign_close(fd), 0);
    close(ends[0]);
    close(ends[1]);
    descriptors_release();
}

TEST(duplicating_over_it_fails)
{
    int fd = open_guarded(), other = open_null();
    errno = 0;
    CHECK_INT(foreign_dup2(other, fd), -1);
    CHECK_INT(errno, EBADF);
    CHECK_INT(foreign_dup2(fd, other), other); // from it is no harm
    close(fd);
    close(other);
    descriptors_release();
}

TEST(closing_a_range_leaves_it)
{
    int before = open_null(), fd = open_guarded(), after = open_null();
    CHECK(before < fd && fd < after);
    CHECK_INT(foreign_close_range((unsigned)before, (unsigned)after), 0);
    CHECK(!is_open(before) && is_open(fd) && !is_open(after));
    close(fd);
    descriptors_release();
}

TEST(sockets_are_known_by_their_address)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    snprintf(address.sun_path, sizeof address.sun_path, "/tmp/gridcell-test-%d",
            (int)getpid());
    int listener = socket(AF_UNIX, SOCK_STREAM, 0),
        other = socket(AF_UNIX, SOCK_STREAM, 0);
    descriptors_guard(owns_local);
    // opened after the guard began, and noted by nobody
    CHECK_INT(bind(listener, (struct sockaddr *)&address, sizeof address), 0);
    CHECK_INT(foreign_close(listener), -1);
    descriptors_release();
    CHECK_INT(foreign_close(other), 0);
    CHECK_INT(foreign_close(listener), 0);
    unlink(address.sun_path);
}

TEST(forked_child_closes_what_it_likes)
{
    int fd = open_guarded(), status = 0;
    pid_t child = fork();
    if (child == 0)
        _exit(foreign_close(fd) == 0 && !is_open(fd) ? 0 : 1);
    CHECK(waitpid(child, &status, 0) == child);
    CHECK_INT(status, 0);
    close(fd);
    descriptors_release();
}
