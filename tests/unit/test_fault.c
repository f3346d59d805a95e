// SPDX-License-Identifier: MIT
// The fault gate, with a few instructions in a page of their own in place of compiled
// code.
#include "tests/unit/test.h"

#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runtime/threads/fault.h"
#include "runtime/threads/places.h"
#include "runtime/threads/touch.h"
#include "compiler/support/support.h"

// Code of functions (void *result, const void *args)
#if defined(__aarch64__)
static const unsigned char read_args[] = {
        0x20, 0, 0x40, 0xb9, 0xc0, 0x03, 0x5f, 0xd6}; // *args
static const unsigned char recurse[] = {
        0xfd, 0x7b, 0xbf, 0xa9, 0xff, 0xff, 0xff, 0x97}; // calls itself
static const unsigned char invalid[] = {0, 0, 0, 0};
static const unsigned char jump_away[] = {0, 0, 0x80, 0xd2, 0, 0, 0x1f, 0xd6}; // to 0
static const unsigned char call_args[] = {0xfd, 0x7b, 0xbf, 0xa9, 0x20, 0, 0x3f,
        0xd6, // args()
        0xfd, 0x7b, 0xc1, 0xa8, 0xc0, 0x03, 0x5f, 0xd6};
#else
static const unsigned char read_args[] = {0x8b, 0x06, 0xc3};           // *args
static const unsigned char recurse[] = {0xe8, 0xfb, 0xff, 0xff, 0xff}; // calls itself
static const unsigned char invalid[] = {0x0f, 0x0b};                   // ud2
static const unsigned char divide[] = {0x31, 0xc9, 0x99, 0xf7, 0xf9};  // by 0
static const unsigned char jump_away[] = {0x31, 0xc0, 0xff, 0xe0};     // to 0
static const unsigned char call_args[] = {0x48, 0x83, 0xec, 0x08, 0xff, 0xd6, // args()
        0x48, 0x83, 0xc4, 0x08, 0xc3};
#endif

static abi_entry code_of(const unsigned char *bytes, size_t count)
{
    fault_watch();
    void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
            MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    abi_entry entry;
    memcpy(page, bytes, count);
    __builtin___clear_cache(page, (char *)page + count);
    memcpy(&entry, &page, sizeof entry);
    return entry;
}

#define CODE(bytes) code_of(bytes, sizeof(bytes))

TEST(answers_what_the_code_returns)
{
    const int32_t number = 41;
    CHECK_INT(fault_call(CODE(read_args), NULL, &number), 41);
}

TEST(unmapped_memory)
{
    const int32_t number = 42;
    abi_entry entry = CODE(read_args);
    for (int i = 0; i < 3; i++) {
        CHECK_INT(fault_call(entry, NULL, (const void *)16), STATUS_FAULT);
        CHECK_INT(fault_last()->signal, SIGSEGV);
        CHECK(fault_last()->address == (void *)16);
        CHECK_INT(fault_call(entry, NULL, &number), 42);
    }
}

// Memory that no one may read stands for all of which the question is whether it was
// read.
struct claim {
    struct fault_known known;
    const char *start;
    size_t bytes;
};

static bool is_claimed(const struct fault_known *self, const void *start, size_t bytes)
{
    const struct claim *claim = (const struct claim *)self;
    return (const char *)start >= claim->start &&
           (const char *)start + bytes <= claim->start + claim->bytes;
}

static int32_t touch_all(void *result, const void *args)
{
    touch(args, 16 * 4096);
    return 43;
}

TEST(only_unknown_memory_is_read_ahead)
{
    fault_watch();
    size_t bytes = 16 * 4096;
    char *start = mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    struct claim whole = {{is_claimed}, start, bytes},
                 part = {{is_claimed}, start, bytes - 1};
    CHECK_INT(fault_call_knowing(touch_all, NULL, start, &whole.known), 43);
    CHECK_INT(fault_call_knowing(touch_all, NULL, start, &part.known), STATUS_FAULT);
    CHECK_INT(fault_call(touch_all, NULL, start), STATUS_FAULT);
    munmap(start, bytes);
}

// The first and the last page, and each between, however the start lies.
TEST(a_missing_page_is_found)
{
    fault_watch();
    size_t bytes = 18 * 4096;
    char *start = mmap(NULL, bytes, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    for (size_t from = 0; from <= 4096; from += from ? 4095 : 1)
        for (size_t page = 0; page < 18; page++) {
            bool is_part = page * 4096 + 4096 > from && page * 4096 < from + 16 * 4096;
            mprotect(start + page * 4096, 4096, PROT_NONE);
            CHECK_INT(fault_call(touch_all, NULL, start + from),
                    is_part ? STATUS_FAULT : 43);
            mprotect(start + page * 4096, 4096, PROT_READ);
        }
    munmap(start, bytes);
}

TEST(blocks_in_use_are_known)
{
    size_t bytes = 1 << 20;
    char *block = support_block_create(bytes);
    CHECK(support_block_holds(block, bytes));
    CHECK(support_block_holds(block + 8, bytes - 8));
    CHECK(!support_block_holds(block + 8, bytes));
    CHECK(!support_block_holds(block - 8, 16));
    support_block_destroy(block, bytes);
    CHECK(!support_block_holds(block, bytes));
    block = support_block_create(bytes);
    size_t wanted = 4 * bytes;
    char *larger = support_block_grow(block, bytes, &wanted);
    CHECK(!support_block_holds(block, bytes));
    support_block_destroy(larger, wanted);
}

TEST(traps)
{
    CHECK_INT(fault_call(CODE(invalid), NULL, NULL), STATUS_FAULT);
    CHECK_INT(fault_last()->signal, SIGILL);
#if !defined(__aarch64__) // where a division by 0 is 0
    CHECK_INT(fault_call(CODE(divide), NULL, NULL), STATUS_FAULT);
    CHECK_INT(fault_last()->signal, SIGFPE);
#endif
    CHECK_INT(fault_call(CODE(jump_away), NULL, NULL), STATUS_FAULT);
    CHECK_INT(fault_last()->signal, SIGSEGV);
}

TEST(overflown_stack)
{
    for (int i = 0; i < 3; i++)
        CHECK_INT(fault_call(CODE(recurse), NULL, NULL), STATUS_FAULT);
}

// A call inside of another one: the inner fails alone.
static int32_t call_inside(void *result, const void *args)
{
    *(int32_t *)result = fault_call(CODE(read_args), NULL, NULL);
    return fault_call(CODE(read_args), NULL, args);
}

TEST(inner_faults_are_the_inner_calls)
{
    const int32_t number = 43;
    int32_t inner = 0;
    CHECK_INT(fault_call(call_inside, &inner, &number), 43);
    CHECK_INT(inner, STATUS_FAULT);
    CHECK_INT(fault_call(call_inside, &inner, NULL), STATUS_FAULT);
    CHECK_INT(fault_call(CODE(read_args), NULL, &number), 43);
}

static void *fail_on_thread(void *statuses)
{
    ((int32_t *)statuses)[0] = fault_call(CODE(recurse), NULL, NULL);
    ((int32_t *)statuses)[1] = fault_call(CODE(read_args), NULL, NULL);
    return NULL;
}

// As the threads of pools are: with all signals blocked, and no alternate stack.
TEST(threads_that_block_signals)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pthread_t threads[4];
    int32_t statuses[4][2] = {0};
    for (int i = 0; i < 4; i++)
        REQUIRE(!pthread_create(&threads[i], NULL, fail_on_thread, statuses[i]));
    for (int i = 0; i < 4; i++) {
        pthread_join(threads[i], NULL);
        CHECK_INT(statuses[i][0], STATUS_FAULT);
        CHECK_INT(statuses[i][1], STATUS_FAULT);
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static volatile int *volatile nowhere = (volatile int *)8;

static void fail_in_this_file(void)
{
    *nowhere = 1;
}

// Whether the fault ends a child: by its signal, or by the handler of a sanitizer, which
// was there before the gate's and exits.
static bool ends_child(void (*run)(void))
{
    int status = 0;
    pid_t child = fork();
    if (!child) {
        run();
        _exit(0);
    }
    waitpid(child, &status, 0);
    return WIFSIGNALED(status) ? WTERMSIG(status) == SIGSEGV : WEXITSTATUS(status) != 0;
}

// Compiled code that calls a C function.
static int32_t call_through(void (*called)(void))
{
    void *function;
    memcpy(&function, &called, sizeof function);
    return fault_call(CODE(call_args), NULL, function);
}

TEST(what_is_called_is_left_too)
{
    for (int i = 0; i < 3; i++) {
        CHECK_INT(call_through(fail_in_this_file), STATUS_FAULT);
        CHECK_INT(fault_last()->signal, SIGSEGV);
        CHECK(fault_last()->address == (void *)8);
        CHECK(!fault_last()->is_stack);
    }
}

static void fail_an_assertion(void)
{
    assert(nowhere == NULL);
}

TEST(failed_assertions_and_aborts_are_left)
{
    CHECK_INT(call_through(fail_an_assertion), STATUS_FAULT);
    CHECK_INT(fault_last()->signal, SIGABRT);
    CHECK(strstr(fault_last()->text, "nowhere == NULL"));
    CHECK_INT(call_through(abort), STATUS_FAULT);
    CHECK_INT(fault_last()->signal, SIGABRT);
}

static void overflow(void)
{
    volatile char frame[4096];
    frame[0] = 1;
    if (nowhere)
        overflow();
    frame[1] = frame[0];
}

TEST(a_full_stack_is_told_apart)
{
    CHECK_INT(call_through(overflow), STATUS_FAULT);
    CHECK(fault_last()->is_stack);
    CHECK_INT(fault_call(CODE(recurse), NULL, NULL), STATUS_FAULT);
    CHECK(fault_last()->is_stack);
}

static void write_to_constants(void)
{
    // else clang leaves the write out
    volatile char *constant = (volatile char *)(uintptr_t) "constant";
    *constant = 'C';
}

TEST(refused_writes_are_told_apart)
{
    CHECK_INT(call_through(write_to_constants), STATUS_FAULT);
    CHECK(fault_last()->is_refused_write);
    CHECK_INT(fault_call(CODE(read_args), NULL, NULL), STATUS_FAULT);
    CHECK(!fault_last()->is_refused_write);
}

static void fail_while_held(void)
{
    fault_hold();
    fail_in_this_file();
}

static void call_held(void)
{
    call_through(fail_while_held);
}

static void call_kept(void)
{
    places_keep((const void *)fail_in_this_file);
    call_through(fail_in_this_file);
}

// A call of Python, as a handler sees it: its record lies on the stack.
static const void *python_frame;

static bool stand_in_python(struct fault_host *out)
{
    out->frame = python_frame;
    return true;
}

static void call_python(void)
{
    volatile char frame = 0;
    void (*volatile fail)(void) = fail_in_this_file; // a call, not a copy of it
    python_frame = (const void *)&frame;
    fail();
    python_frame = NULL;
}

static void call_host(void)
{
    fault_host_state = stand_in_python;
    call_through(call_python);
}

TEST(what_must_end_is_not_left)
{
    CHECK(ends_child(fail_in_this_file));
    CHECK(ends_child(call_held));
    CHECK(ends_child(call_kept));
    CHECK(ends_child(call_host));
}

// Python that called us, further up on the stack, does not matter.
TEST(python_around_the_call_is_left_alone)
{
    char frame;
    python_frame = &frame;
    fault_host_state = stand_in_python;
    CHECK_INT(call_through(fail_in_this_file), STATUS_FAULT);
    fault_hold();
    CHECK_INT(call_through(fail_in_this_file), STATUS_FAULT);
    fault_release();
    fault_host_state = NULL;
    python_frame = NULL;
}

static volatile bool was_offered;

static void offer_to_leave(int number, siginfo_t *info, void *context)
{
    was_offered = true;
    fault_leave_loose(context);
}

static void *ask_to_leave(void *thread)
{
    usleep(20000);
    pthread_kill(*(pthread_t *)thread, SIGUSR1);
    return NULL;
}

static const unsigned char turn_for_ever[] = {0xeb, 0xfe}; // jumps to itself

static int32_t run_loose(void *entry, const void *unused)
{
    fault_be_loose();
    return (*(abi_entry *)entry)(NULL, NULL);
}

static void wait_for_the_offer(void)
{
    while (!was_offered)
        usleep(1000);
}

// At an instruction of its own, and only where the code has said so.
TEST(loose_code_is_left_where_it_stands)
{
    struct sigaction action = {.sa_sigaction = offer_to_leave,
            .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
    abi_entry entry = CODE(turn_for_ever);
    pthread_t self = pthread_self(), other;
    sigaction(SIGUSR1, &action, NULL);
    for (int i = 0; i < 3; i++) {
        REQUIRE(!pthread_create(&other, NULL, ask_to_leave, &self));
        CHECK_INT(fault_call(run_loose, &entry, NULL), STATUS_INTERRUPTED);
        pthread_join(other, NULL);
    }
    CHECK_INT(fault_call(CODE(read_args), NULL, NULL), STATUS_FAULT);
    was_offered = false;
    REQUIRE(!pthread_create(&other, NULL, ask_to_leave, &self));
    call_through(wait_for_the_offer);
    CHECK(was_offered);
    pthread_join(other, NULL);
}

static void note(int number)
{
    _exit(number == SIGSEGV ? 7 : 8);
}

TEST(earlier_handlers_get_the_other_faults)
{
    pid_t child = fork();
    if (!child) {
        signal(SIGSEGV, note);
        fault_watch();
        if (fault_call(CODE(read_args), NULL, NULL) == STATUS_FAULT)
            fail_in_this_file();
        _exit(9);
    }
    int status = 0;
    waitpid(child, &status, 0);
    CHECK(WIFEXITED(status));
    CHECK_INT(WEXITSTATUS(status), 7);
}
