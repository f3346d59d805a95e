// SPDX-License-Identifier: MIT
// Fatal signals: that they are told, what is told, and that the process ends by them all
// the same. Each test crashes a process of its own.
#include "tests/unit/test.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "kernel/process/crash.h"

// Shared with the processes that crash.
struct told {
    atomic_int reports, turns;
    char line[256], place[1024];
};

static struct told *told;
static bool tells; // the teller does its work

static void report(struct kernel *kernel, enum process_event event)
{
    (void)kernel;
    if (event == PROCESS_CRASHED)
        atomic_fetch_add(&told->reports, 1);
}

static void write_text(int fd, const char *text)
{
    if (write(fd, text, strlen(text)) < 0)
        _exit(1);
}

// As faulthandler writes it.
static void write_place(int fd)
{
    write_text(fd, "Thread 0x1 (most recent call first):\n");
    for (int i = 0; i < 3; i++)
        write_text(fd, "  File \"/opt/app/lib.py\", line 7 in again\n");
    write_text(fd, "  File \"/opt/app/run.py\", line 12 in <module>\n");
}

static void crash_while_writing(int fd)
{
    (void)fd;
    raise(SIGSEGV);
}

static void *tell(void *argument)
{
    const struct timespec pause = {.tv_nsec = 1000000};
    struct str line = {0}, place = {0};
    while (!crash_is_pending())
        nanosleep(&pause, NULL);
    while (!tells)
        nanosleep(&pause, NULL);
    crash_describe(&line, &place);
    snprintf(told->line, sizeof told->line, "%s", str_text(&line));
    snprintf(told->place, sizeof told->place, "%s", str_text(&place));
    crash_end();
    return argument;
}

static void watch(const struct process_hooks *hooks)
{
    pthread_t teller;
    pthread_create(&teller, NULL, tell, NULL);
    crash_watch(hooks, NULL, teller);
}

static void touch_nothing(void)
{
    volatile uintptr_t address = 0x10;
    *(volatile int *)address = 1;
}

// The status of a process that watches and then runs the function.
static int status_of(void (*run)(void), const struct process_hooks *hooks)
{
    int status = 0;
    if (!told)
        told = mmap(NULL, sizeof *told, PROT_READ | PROT_WRITE,
                MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    memset(told, 0, sizeof *told);
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        watch(hooks);
        run();
        _exit(0);
    }
    CHECK(waitpid(child, &status, 0) == child);
    return status;
}

static const struct process_hooks usual = {report, write_place};

TEST(crash_is_told_with_its_place)
{
    tells = true;
    int status = status_of(touch_nothing, &usual);
    CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV);
    CHECK_INT(atomic_load(&told->reports), 1);
    CHECK(strstr(told->line, "The kernel died of SIGSEGV (Segmentation fault)"));
    CHECK(strstr(told->line, "at address 0x10."));
    CHECK_STR(told->place, "\n  File /opt/app/lib.py:7, in again (3 times)"
                           "\n  File /opt/app/run.py:12");
}

static void give_up(void)
{
    abort();
}

TEST(abort_has_no_address)
{
    tells = true;
    int status = status_of(give_up, &usual);
    CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
    CHECK(strstr(told->line, "SIGABRT") && !strstr(told->line, "address"));
}

TEST(crash_in_the_search_for_the_place_is_told_without_it)
{
    static const struct process_hooks broken = {report, crash_while_writing};
    tells = true;
    int status = status_of(touch_nothing, &broken);
    CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV);
    CHECK(strstr(told->line, "SIGSEGV"));
    CHECK_STR(told->place, "");
}

TEST(process_ends_though_nobody_tells)
{
    struct timespec begin, end;
    tells = false;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    int status = status_of(touch_nothing, &usual);
    clock_gettime(CLOCK_MONOTONIC, &end);
    CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV);
    CHECK(end.tv_sec - begin.tv_sec < 10);
    CHECK_STR(told->line, "");
}

static void note_turn(int number)
{
    (void)number;
    atomic_fetch_add(&told->turns, 1);
}

// What faulthandler.enable() does.
static void enable_other(void)
{
    struct sigaction other = {.sa_handler = note_turn, .sa_flags = SA_NODEFER};
    sigaction(SIGSEGV, &other, NULL);
    touch_nothing();
}

TEST(faulthandler_has_its_turn_after_ours)
{
    tells = true;
    int status = status_of(enable_other, &usual);
    CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV);
    CHECK(strstr(told->line, "SIGSEGV"));
    CHECK_INT(atomic_load(&told->turns), 1);
}

static void crash_unwatched(void)
{
    crash_unwatch();
    touch_nothing();
}

TEST(nothing_is_told_after_the_end_of_the_watch)
{
    tells = true;
    int status = status_of(crash_unwatched, &usual);
    CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV);
    CHECK_INT(atomic_load(&told->reports), 0);
}
