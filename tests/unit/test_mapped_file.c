// SPDX-License-Identifier: MIT
// Which file an address lies in, by both ways to find out.
#include "tests/unit/test.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/mapped_file.h"

static int variable;

static void check_both(const void *address, const char *name)
{
    struct mapped_file fast, walked;
    CHECK(mapped_file_find(address, &fast));
    CHECK(mapped_file_find_by_walk(address, &walked));
    CHECK(fast.start == walked.start);
    CHECK(fast.start <= (uintptr_t)address && (uintptr_t)address < fast.end);
    CHECK(walked.start <= (uintptr_t)address && (uintptr_t)address < walked.end);
    CHECK_STR(fast.path, walked.path);
    CHECK(strstr(fast.path, name) != NULL);
}

TEST(files)
{
    check_both((void *)(uintptr_t)&check_both, "");
    check_both(&variable, "");
    // functions that sanitizers put none of their own in place of
    check_both((void *)(uintptr_t)&getenv, "libc.so.6");
    check_both((void *)(uintptr_t)&setenv, "libc.so.6");
}

TEST(two_functions_of_a_file_have_its_start)
{
    struct mapped_file one, other, own;
    CHECK(mapped_file_find((void *)(uintptr_t)&getenv, &one));
    CHECK(mapped_file_find((void *)(uintptr_t)&setenv, &other));
    CHECK(mapped_file_find((void *)(uintptr_t)&check_both, &own));
    CHECK(one.start == other.start && one.start != own.start);
}

static void check_in_none(const void *address)
{
    struct mapped_file file;
    CHECK(!mapped_file_find(address, &file));
    CHECK(!mapped_file_find_by_walk(address, &file));
}

TEST(what_lies_in_no_file)
{
    int local = 0;
    void *page = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    void *heap = malloc(1 << 20);
    check_in_none(NULL);
    check_in_none(&local);
    check_in_none(page);
    check_in_none(heap);
    free(heap);
    munmap(page, 4096);
}
