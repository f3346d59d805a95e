// SPDX-License-Identifier: MIT
// A test program: include this once, write TEST(name) { CHECK(...); }, link. Its main
// runs every test, or those named on the command line, prints the results as TAP and
// exits 0 when none failed.
#pragma once

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct test {
    const char *name;
    void (*run)(void);
    struct test *next;
};

static struct test *test_first, **test_tail = &test_first;
static int test_failures;
static bool test_skipped;

static void test_register(struct test *test)
{
    *test_tail = test;
    test_tail = &test->next;
}

#define TEST(id)                                                                         \
    static void test_##id(void);                                                         \
    __attribute__((constructor)) static void test_register_##id(void)                    \
    {                                                                                    \
        static struct test entry = {#id, test_##id, NULL};                               \
        test_register(&entry);                                                           \
    }                                                                                    \
    static void test_##id(void)

#define TEST_FAIL(...)                                                                   \
    do {                                                                                 \
        fprintf(stderr, "%s:%d: ", __FILE__, __LINE__);                                  \
        fprintf(stderr, __VA_ARGS__);                                                    \
        fputc('\n', stderr);                                                             \
        test_failures++;                                                                 \
    } while (0)

// A failed check is counted, and the test goes on.
#define CHECK(condition)                                                                 \
    do {                                                                                 \
        if (!(condition))                                                                \
            TEST_FAIL("CHECK(%s) failed", #condition);                                   \
    } while (0)

#define CHECK_INT(actual, expected)                                                      \
    do {                                                                                 \
        long long actual_ = (long long)(actual), expected_ = (long long)(expected);      \
        if (actual_ != expected_)                                                        \
            TEST_FAIL("%s is %lld, expected %lld", #actual, actual_, expected_);         \
    } while (0)

#define CHECK_STR(actual, expected)                                                      \
    do {                                                                                 \
        const char *actual_ = (actual), *expected_ = (expected);                         \
        if (!actual_ || strcmp(actual_, expected_))                                      \
            TEST_FAIL("%s is\n  \"%s\", expected\n  \"%s\"", #actual,                    \
                    actual_ ? actual_ : "(null)", expected_);                            \
    } while (0)

#define CHECK_CONTAINS(actual, part)                                                     \
    do {                                                                                 \
        const char *actual_ = (actual), *part_ = (part);                                 \
        if (!actual_ || !strstr(actual_, part_))                                         \
            TEST_FAIL("%s is\n  \"%s\", which lacks\n  \"%s\"", #actual,                 \
                    actual_ ? actual_ : "(null)", part_);                                \
    } while (0)

// For what must hold before the test can go on: counts the failure and leaves the test.
#define REQUIRE(condition)                                                               \
    do {                                                                                 \
        if (!(condition)) {                                                              \
            TEST_FAIL("REQUIRE(%s) failed", #condition);                                 \
            return;                                                                      \
        }                                                                                \
    } while (0)

// Leaves the test, which then counts as skipped.
#define SKIP(reason)                                                                     \
    do {                                                                                 \
        fprintf(stderr, "skipped: %s\n", reason);                                        \
        test_skipped = true;                                                             \
        return;                                                                          \
    } while (0)

static bool test_is_selected(const struct test *test, int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        if (strstr(test->name, argv[i]))
            return true;
    }
    return argc < 2;
}

int main(int argc, char **argv)
{
    int run = 0, failed = 0;
    for (struct test *test = test_first; test; test = test->next) {
        if (!test_is_selected(test, argc, argv))
            continue;
        int before = test_failures;
        test_skipped = false;
        test->run();
        run++;
        failed += test_failures != before;
        printf("%s %d %s%s\n", test_failures != before ? "not ok" : "ok", run, test->name,
                test_skipped ? " # SKIP" : "");
        fflush(stdout);
    }
    printf("1..%d\n", run);
    return failed != 0;
}
