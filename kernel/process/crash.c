// SPDX-License-Identifier: MIT
// A fatal signal: before the process ends by it, the I/O thread tells the front end which
// it was and where Python stood, after all that was printed. The thread that crashed only
// writes down its place, and waits a bounded time.
//
// The handler runs on the thread that crashed, on an alternate stack, amid anything: it
// may hold the allocator's lock, or the GIL. So it calls nothing that takes a lock: it
// fills in `crash`, stores the signal and waits. The I/O thread, which is whole, does the
// rest: it reads `crash` after the signal, which is stored last.
#include "kernel/process/crash.h"

#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "base/log.h"
#include "base/machine.h"
#include "base/mapped_file.h"
#include "kernel/cells/cell_file.h"
#include "kernel/process/stack_guard.h"

#define TELLING_LIMIT_MS 1000

enum { MOST_FRAMES = 10 };

// What the thread that crashed leaves for the I/O thread.
struct crash {
    void *address; // that was accessed
    void *place;   // of the instruction
    bool has_address, overflowed;
    int trace_fd; // where Python stood, as faulthandler writes it; -1: unknown
};

// Written by crash_watch on the main thread, before any handler can run; the atomics by
// whoever crashes. Only the first thread that crashes (is_claimed) writes `crash`.
static const struct process_hooks *hooks; // set before the first handler, and kept
static struct kernel *kernel;             // for the hooks
static pthread_t telling_thread;
static atomic_bool is_watched; // somebody can be told
static pid_t watched_pid;      // a forked child has nobody to tell
static atomic_int crash_signal;
static atomic_bool is_told, is_claimed;
static struct crash crash;
static _Thread_local volatile sig_atomic_t is_writing;
static sigjmp_buf writing_failed;
static char crash_stack[65536]; // the main thread's own may be what overflowed
static atomic_bool is_ending;

static const int fatal_signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
enum { SIGNAL_COUNT = sizeof fatal_signals / sizeof *fatal_signals };
static struct sigaction displaced[SIGNAL_COUNT]; // faulthandler's: its turn is the end
static struct sigaction restored[SIGNAL_COUNT];  // by faulthandler, when it is disabled

// The C library's own, under the name that nobody replaces.
// Our own sigaction below would put the handlers it is to set aside.
extern int __sigaction(
        int number, const struct sigaction *action, struct sigaction *before);

// By raise and not by returning: the fault would only come again for some signals, and an
// abort() not at all. The signal may be blocked, as it is in its own handler.
static void raise_with(int number, const struct sigaction *action)
{
    sigset_t only;
    __sigaction(number, action, NULL);
    sigemptyset(&only);
    sigaddset(&only, number);
    pthread_sigmask(SIG_UNBLOCK, &only, NULL);
    raise(number);
}

// faulthandler's handler first, if it was enabled; when it is done it raises the signal
// once more, and we come here again with is_ending set.
static void end_by(int number)
{
    struct sigaction usual = {.sa_handler = SIG_DFL};
    for (size_t i = 0; i < SIGNAL_COUNT; i++) {
        if (fatal_signals[i] == number && displaced[i].sa_handler &&
                !atomic_exchange(&is_ending, true))
            raise_with(number, &displaced[i]);
    }
    raise_with(number, &usual);
}

static void pause_ms(int ms)
{
    struct timespec pause = {.tv_sec = ms / 1000, .tv_nsec = (long)(ms % 1000) * 1000000};
    nanosleep(&pause, NULL);
}

// What Python would say may lie in what was destroyed: then there is no more of it.
// A second fault while it is written jumps back here (handle_crash looks at is_writing
// first). siglongjmp is safe as nothing in between holds anything.
static void write_place(int fd)
{
    if (sigsetjmp(writing_failed, 0) == 0) {
        is_writing = true;
        hooks->write_place(fd);
    }
    is_writing = false;
}

// si_code above 0 means that the processor raised it: only then is si_addr an address,
// and not the sender of a kill().
static void note_crash(int number, const siginfo_t *info, const void *context)
{
    crash.place = (void *)machine_instruction(context);
    crash.address = info->si_addr;
    crash.has_address = (number == SIGSEGV || number == SIGBUS) && info->si_code > 0;
    crash.overflowed = crash.has_address && stack_guard_overflowed(crash.address);
    crash.trace_fd = memfd_create("crash", MFD_CLOEXEC);
    if (crash.trace_fd >= 0)
        write_place(crash.trace_fd);
}

// The file that the instruction lies in.
static const char *library_of(void *place)
{
    struct mapped_file file;
    const char *path = mapped_file_find(place, &file) ? file.path : NULL;
    const char *slash = path ? strrchr(path, '/') : NULL;
    return slash ? slash + 1 : path && *path ? path : NULL;
}

// By the thread that crashed, where the I/O thread cannot: it crashed itself, or is held
// up. The offset within the library is for whoever looks into it with a debugger.
static void tell_alone(int number, const void *context)
{
    void *place = (void *)machine_instruction(context);
    struct mapped_file file;
    uintptr_t start = mapped_file_find(place, &file) ? file.start : 0;
    const char *name = sigabbrev_np(number), *library = library_of(place);
    log_write(LOG_ERROR, "The kernel died of SIG%s in %s+0x%llx.", name ? name : "?",
            library ? library : "?", (unsigned long long)((uintptr_t)place - start));
}

// In this order: a fault of our own writing; the second turn after faulthandler; a full
// stack, which is no end; a real crash, which is told by the first thread that has one.
static void handle_crash(int number, siginfo_t *info, void *context)
{
    if (is_writing)
        siglongjmp(writing_failed, 1);
    if (atomic_load(&is_ending)) // faulthandler is done
        end_by(number);
    if (number == SIGSEGV && info->si_code > 0 && stack_guard_open(info->si_addr)) {
        hooks->report(kernel, PROCESS_STACK_FULL);
        return;
    }
    bool is_child = getpid() != watched_pid;
    bool can_tell = atomic_load(&is_watched) && !is_child &&
                    !pthread_equal(pthread_self(), telling_thread);
    if (can_tell && !atomic_exchange(&is_claimed, true)) {
        note_crash(number, info, context);
        atomic_store(&crash_signal, number);
        hooks->report(kernel, PROCESS_CRASHED);
        for (int ms = 0; ms < TELLING_LIMIT_MS && !atomic_load(&is_told); ms += 5)
            pause_ms(5);
        if (!atomic_load(&is_told))
            tell_alone(number, context);
    } else if (can_tell) {
        // another thread crashed first and ends the process
        pause_ms(2 * TELLING_LIMIT_MS);
    } else if (is_child) {
        write_place(STDERR_FILENO);
    } else {
        tell_alone(number, context);
    }
    end_by(number);
}

// SA_NODEFER: a fault within the handler must come to the handler, or the system ends the
// process without a word.
static void watch_signal(int number)
{
    struct sigaction action = {.sa_sigaction = handle_crash,
            .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
    sigemptyset(&action.sa_mask);
    __sigaction(number, &action, NULL);
}

void crash_watch(
        const struct process_hooks *given, struct kernel *owner, pthread_t teller)
{
    stack_t stack = {.ss_sp = crash_stack, .ss_size = sizeof crash_stack};
    sigaltstack(&stack, NULL);
    watched_pid = getpid();
    hooks = given;
    kernel = owner;
    telling_thread = teller;
    atomic_store(&is_watched, true);
    for (size_t i = 0; i < SIGNAL_COUNT; i++)
        watch_signal(fatal_signals[i]);
}

static int index_of(int number)
{
    for (int i = 0; i < (int)SIGNAL_COUNT; i++) {
        if (fatal_signals[i] == number)
            return i;
    }
    return -1;
}

// faulthandler, which may be enabled at any time, gets its turn after ours: a full stack
// is noticed by such a signal, and is not the end. Its flags are its own: the handlers of
// the module signal are without, those of compiled code take SA_SIGINFO.
static bool is_faulthandlers(const struct sigaction *action)
{
    return (action->sa_flags & SA_NODEFER) && !(action->sa_flags & SA_SIGINFO) &&
           atomic_load(&is_watched) && !atomic_load(&is_ending) &&
           watched_pid == getpid();
}

// ---- in place of the C library's

// Interposed for all libraries of the process. faulthandler asks for the handler before
// its own to restore it when it is disabled: it is told ours, which is true.
__attribute__((visibility("default"))) int sigaction(
        int number, const struct sigaction *action, struct sigaction *before)
{
    int i = action ? index_of(number) : -1;
    if (i >= 0 && is_faulthandlers(action)) {
        displaced[i] = *action;
        __sigaction(number, NULL, &restored[i]);
        return __sigaction(number, NULL, before);
    }
    if (i >= 0 && displaced[i].sa_handler && action->sa_handler == restored[i].sa_handler)
        displaced[i] = (struct sigaction){0};
    return __sigaction(number, action, before);
}

void crash_unwatch(void)
{
    atomic_store(&is_watched, false);
}

bool crash_is_pending(void)
{
    return atomic_load(&crash_signal);
}

// ---- the report

static void describe_signal(struct str *line, int number)
{
    const char *name = sigabbrev_np(number), *library = library_of(crash.place);
    str_printf(
            line, "The kernel died of SIG%s (%s)", name ? name : "?", strsignal(number));
    if (library)
        str_printf(line, " in %s", library);
    if (crash.overflowed)
        str_append(line, ": the stack overflowed");
    else if (crash.has_address)
        str_printf(
                line, " at address 0x%llx", (unsigned long long)(uintptr_t)crash.address);
    str_append_char(line, '.');
}

// `python -m gridcell kernel`, below the frames of the cells.
static bool starts_the_kernel(const char *file, const char *name)
{
    static const char program[] = "/gridcell/__main__.py";
    size_t len = strlen(file);
    return len >= sizeof program - 1 &&
           !strcmp(file + len - (sizeof program - 1), program) &&
           !strcmp(name, "run_command");
}

// One line of ours for one of faulthandler's, `  File "F", line N in NAME`; false: it is
// none, or all that follow are the kernel's own.
static bool describe_frame(struct str *text, const char *line)
{
    char file[512], name[128];
    int number;
    if (sscanf(line, " File \"%511[^\"]\", line %d in %127[^\n]", file, &number, name) !=
                    3 ||
            starts_the_kernel(file, name))
        return false;
    int cell = cell_file_number(file);
    if (cell)
        str_printf(text, "\n  Cell In[%d], line %d", cell, number);
    else
        str_printf(text, "\n  File %s:%d", file, number);
    if (strcmp(name, "<module>") != 0)
        str_printf(text, ", in %s", name);
    return true;
}

static void end_frame(struct str *text, const struct str *frame, int times)
{
    if (frame->len)
        str_append(text, str_text(frame));
    if (times > 1)
        str_printf(text, " (%d times)", times);
}

// The innermost frames; what recursion repeats counts as one.
static void describe_place(struct str *text)
{
    char trace[8192];
    ssize_t len =
            crash.trace_fd < 0 ? -1 : pread(crash.trace_fd, trace, sizeof trace - 1, 0);
    int count = 0, times = 0;
    struct str frame = {0}, next = {0};
    trace[len > 0 ? len : 0] = '\0';
    for (char *line = strstr(trace, "  File"); line && count <= MOST_FRAMES;
            line = strstr(line + 1, "\n  File")) {
        str_clear(&next);
        if (!describe_frame(&next, *line == '\n' ? line + 1 : line))
            break;
        if (times && !strcmp(str_text(&next), str_text(&frame))) {
            times++;
            continue;
        }
        end_frame(text, &frame, times);
        str_clear(&frame);
        str_append(&frame, count++ == MOST_FRAMES ? "\n  ..." : str_text(&next));
        times = 1;
    }
    end_frame(text, &frame, times);
    str_finish(&frame);
    str_finish(&next);
}

void crash_describe(struct str *line, struct str *place)
{
    describe_signal(line, atomic_load(&crash_signal));
    describe_place(place);
}

// By the I/O thread, once all is sent. The thread that crashed ends the process by its
// signal, so that whoever waits for it sees which; only if it does not is it ended here.
void crash_end(void)
{
    atomic_store(&is_told, true);
    pause_ms(2 * TELLING_LIMIT_MS);
    _exit(128 + atomic_load(&crash_signal));
}
