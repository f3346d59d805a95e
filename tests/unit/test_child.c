// SPDX-License-Identifier: MIT
// Child processes: their output, input, end, and interruption.
#include "tests/unit/test.h"

#include <signal.h>
#include <time.h>

#include "base/str.h"
#include "kernel/process/child.h"

// Runs a shell command to its end; its stdout and stderr in the two texts.
static int run(const char *command, struct child_options options, struct str *out,
        struct str *err_out)
{
    const char *argv[] = {"sh", "-c", command, NULL};
    struct child child;
    struct error err = {0};
    options.argv = argv;
    CHECK(child_start(&child, &options, &err));
    for (;;) {
        char buffer[256];
        size_t len = 0;
        enum child_event event = child_read(&child, buffer, sizeof buffer, &len);
        if (event == CHILD_ENDED)
            break;
        if (event == CHILD_OUTPUT)
            str_append_bytes(out, buffer, len);
        else if (event == CHILD_ERRORS)
            str_append_bytes(err_out, buffer, len);
    }
    return child_finish(&child);
}

TEST(streams_are_told_apart)
{
    struct str out = {0}, errors = {0};
    CHECK_INT(run("echo a; echo b >&2; exit 3", (struct child_options){0}, &out, &errors),
            3);
    CHECK_STR(str_text(&out), "a\n");
    CHECK_STR(str_text(&errors), "b\n");
    str_finish(&out);
    str_finish(&errors);
}

TEST(streams_are_merged)
{
    struct str out = {0}, errors = {0};
    CHECK_INT(run("echo a; echo b >&2", (struct child_options){.merges_errors = true},
                      &out, &errors),
            0);
    CHECK_STR(str_text(&out), "a\nb\n");
    str_finish(&out);
    str_finish(&errors);
}

TEST(a_terminal_is_a_terminal)
{
    struct str out = {0}, errors = {0};
    run("test -t 1 && echo yes", (struct child_options){.uses_terminal = true}, &out,
            &errors);
    CHECK_STR(str_text(&out), "yes\r\n");
    str_finish(&out);
    str_finish(&errors);
}

TEST(input_larger_than_a_pipe)
{
    size_t len = 300000;
    char *input = malloc(len);
    memset(input, 'x', len);
    struct str out = {0}, errors = {0};
    run("cat", (struct child_options){.input = input, .input_len = len}, &out, &errors);
    CHECK_INT(out.len, len);
    str_finish(&out);
    str_finish(&errors);
    free(input);
}

TEST(stdin_is_at_its_end)
{
    struct str out = {0}, errors = {0};
    run("cat; echo done", (struct child_options){0}, &out, &errors);
    CHECK_STR(str_text(&out), "done\n");
    str_finish(&out);
    str_finish(&errors);
}

TEST(an_interrupt_ends_it)
{
    const char *argv[] = {"sleep", "30", NULL};
    struct child child;
    struct error err = {0};
    CHECK(child_start(&child, &(struct child_options){.argv = argv}, &err));
    char buffer[16];
    size_t len;
    child_read(&child, buffer, sizeof buffer, &len);
    child_interrupt(&child);
    while (child_read(&child, buffer, sizeof buffer, &len) != CHILD_ENDED)
        ;
    CHECK_INT(child_finish(&child), -SIGINT);
}

static void take_no_notice(int number)
{
    (void)number;
}

// Before it has a session of its own, and while it still has our handlers.
TEST(an_interrupt_at_its_begin_ends_it)
{
    enum { MOMENTS = 200, STEP_NS = 5000 };
    const char *argv[] = {"sleep", "0.2", NULL};
    void (*before)(int) = signal(SIGINT, take_no_notice);
    int lost = 0;
    for (int i = 0; i < MOMENTS; i++) {
        struct child child;
        struct error err = {0};
        CHECK(child_start(&child, &(struct child_options){.argv = argv}, &err));
        nanosleep(&(struct timespec){.tv_nsec = (long)i * STEP_NS}, NULL);
        child_interrupt(&child);
        lost += child_finish(&child) != -SIGINT;
    }
    signal(SIGINT, before);
    CHECK_INT(lost, 0);
}

TEST(a_missing_program_is_127)
{
    const char *argv[] = {"no-such-program", NULL};
    struct child child;
    struct error err = {0};
    CHECK(child_start(&child, &(struct child_options){.argv = argv}, &err));
    char buffer[16];
    size_t len;
    while (child_read(&child, buffer, sizeof buffer, &len) != CHILD_ENDED)
        ;
    CHECK_INT(child_finish(&child), 127);
}
