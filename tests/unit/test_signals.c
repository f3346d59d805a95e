// SPDX-License-Identifier: MIT
// SIGINT and SIGTERM: what is reported, to whom, and what a forked child does. Each test
// runs in a process of its own, as handlers are the process's.
#include "tests/unit/test.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kernel/process/signals.h"

static atomic_int interrupts, terminations;

static void report(struct kernel *kernel, enum process_event event)
{
    (void)kernel;
    if (event == PROCESS_INTERRUPTED)
        atomic_fetch_add(&interrupts, 1);
    if (event == PROCESS_TERMINATED)
        atomic_fetch_add(&terminations, 1);
}

static void write_nothing(int fd)
{
    (void)fd;
}

static const struct process_hooks hooks = {report, write_nothing};

// The status with which a process ends that runs the function, which returns it.
static int status_of(int (*run)(void))
{
    int status = 0;
    pid_t child = fork();
    if (child == 0)
        _exit(run());
    CHECK(waitpid(child, &status, 0) == child);
    return status;
}

static int interrupt_is_told(void)
{
    signals_install();
    signals_attach(&hooks, NULL);
    raise(SIGINT);
    signals_detach();
    raise(SIGINT); // to nobody, and harmless
    return 10 * atomic_load(&interrupts) + atomic_load(&terminations);
}

TEST(interrupts_are_reported_while_attached)
{
    CHECK_INT(WEXITSTATUS(status_of(interrupt_is_told)), 10);
}

static int early_termination_is_told(void)
{
    signals_install();
    raise(SIGTERM);
    int early = atomic_load(&terminations);
    signals_attach(&hooks, NULL);
    return 10 * early + atomic_load(&terminations);
}

TEST(termination_before_the_start_is_reported_later)
{
    CHECK_INT(WEXITSTATUS(status_of(early_termination_is_told)), 1);
}

static void do_nothing(int number)
{
    (void)number;
}

static int replaced_handler_is_put_back(void)
{
    signals_install();
    signals_attach(&hooks, NULL);
    signal(SIGINT, do_nothing);
    raise(SIGINT);
    int before = atomic_load(&interrupts);
    signals_reinstall();
    raise(SIGINT);
    return 10 * before + atomic_load(&interrupts);
}

TEST(handler_comes_back_after_it_was_replaced)
{
    CHECK_INT(WEXITSTATUS(status_of(replaced_handler_is_put_back)), 1);
}

static int child_is_terminated(void)
{
    int status = 0;
    signals_install();
    signals_attach(&hooks, NULL);
    pid_t child = fork();
    if (child == 0) {
        raise(SIGTERM);
        _exit(0);
    }
    waitpid(child, &status, 0);
    bool is_ended = WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM;
    return 10 * is_ended + atomic_load(&terminations);
}

TEST(forked_child_ends_at_termination)
{
    CHECK_INT(WEXITSTATUS(status_of(child_is_terminated)), 10);
}

static int broken_pipe_is_harmless(void)
{
    int ends[2];
    signals_install();
    if (pipe(ends) || close(ends[0]))
        return 1;
    return write(ends[1], "x", 1) == -1 ? 0 : 2;
}

TEST(broken_pipes_do_not_end_the_process)
{
    CHECK_INT(status_of(broken_pipe_is_harmless), 0);
}

TEST(blocking_leaves_faults_of_the_thread_itself)
{
    sigset_t before, now;
    pthread_sigmask(SIG_SETMASK, NULL, &before);
    signals_block_all();
    pthread_sigmask(SIG_SETMASK, NULL, &now);
    CHECK(sigismember(&now, SIGINT) && sigismember(&now, SIGTERM));
    CHECK(!sigismember(&now, SIGSEGV) && !sigismember(&now, SIGBUS));
    CHECK(!sigismember(&now, SIGFPE) && !sigismember(&now, SIGABRT));
    signals_unblock_all();
    pthread_sigmask(SIG_SETMASK, NULL, &now);
    CHECK(!sigismember(&now, SIGINT) && !sigismember(&now, SIGTERM));
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}
