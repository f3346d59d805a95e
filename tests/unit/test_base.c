// SPDX-License-Identifier: MIT
// What everything stands on: errors, strings, vectors, maps, the arena.
#include "tests/unit/test.h"

#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/map.h"
#include "base/str.h"
#include "base/vec.h"

TEST(error_keeps_the_first)
{
    struct error err = {0};
    CHECK(!error_set(&err, ERROR_TYPE, SPAN_NONE, "first %d", 1));
    CHECK(!error_set(&err, ERROR_VALUE, SPAN_NONE, "second"));
    CHECK_INT(err.kind, ERROR_TYPE);
    CHECK_STR(err.message, "first 1");
    error_note(&err, " and %s", "more");
    CHECK_CONTAINS(err.message, "first 1");
    CHECK_CONTAINS(err.message, "and more");
    error_clear(&err);
    CHECK_INT(err.kind, ERROR_NONE);
}

TEST(error_cuts_what_is_too_long)
{
    struct error err = {0};
    char text[3 * ERROR_MESSAGE_SIZE];
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    error_set(&err, ERROR_VALUE, SPAN_NONE, "%s", text);
    CHECK(strlen(err.message) < ERROR_MESSAGE_SIZE);
}

TEST(str_grows_and_hands_over)
{
    struct str str = {0};
    CHECK_STR(str_text(&str), "");
    for (int i = 0; i < 1000; i++)
        str_printf(&str, "%03d", i);
    CHECK_INT(str.len, 3000);
    str_append_bytes(&str, "a\0b", 3);
    CHECK_INT(str.len, 3003);
    char *text = str_take(&str);
    CHECK(!memcmp(text, "000001002", 9));
    CHECK_INT(str.len, 0);
    free(text);
    str_finish(&str);
}

TEST(vec_pushes_and_pops)
{
    VEC(int) list = {0};
    for (int i = 0; i < 100; i++)
        vec_push(&list, i);
    CHECK_INT(list.len, 100);
    CHECK_INT(vec_last(&list), 99);
    CHECK_INT(vec_pop(&list), 99);
    int sum = 0;
    vec_each (item, &list)
        sum += *item;
    CHECK_INT(sum, 98 * 99 / 2);
    vec_finish(&list);
    CHECK(!list.items);
}

TEST(map_finds_what_was_set)
{
    struct map map = {0};
    static int values[500];
    char key[16];
    CHECK(!map_get(&map, "missing"));
    for (int i = 0; i < 500; i++) {
        snprintf(key, sizeof key, "key%d", i);
        map_set(&map, key, &values[i]);
    }
    CHECK_INT(map.len, 500);
    CHECK(map_get(&map, "key123") == &values[123]);
    map_set(&map, "key123", &values[7]);
    CHECK(map_get(&map, "key123") == &values[7]);
    CHECK_INT(map.len, 500);
    size_t seen = 0;
    map_each(slot, &map) seen++;
    CHECK_INT(seen, 500);
    map_finish(&map);
}

TEST(arena_zeroes_and_aligns)
{
    struct arena arena = {0};
    for (size_t size = 1; size < 100000; size = size * 3 + 1) {
        char *bytes = arena_alloc(&arena, size);
        CHECK((uintptr_t)bytes % sizeof(long double) == 0);
        CHECK(bytes[0] == 0 && bytes[size - 1] == 0);
        memset(bytes, 0xff, size);
    }
    CHECK_STR(arena_printf(&arena, "%s-%d", "x", 5), "x-5");
    arena_finish(&arena);
}
