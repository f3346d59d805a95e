// SPDX-License-Identifier: MIT
// Ranges of the history: each text, and the ranges that it names.
#include "tests/unit/test.h"

#include "base/str.h"
#include "kernel/history/history_ranges.h"

static const struct {
    const char *text, *ranges; // session:start-stop
} pairs[] = {
        {"", ""},
        {"4", "0:4-5 "},
        {"1-3", "0:1-4 "},
        {"1:3 7", "0:1-3 0:7-8 "},
        {"~1/", "-1:1-0 "},
        {"~0/1-2", "0:1-3 "},
        {"243/1-5", "243:1-6 "},
        {"~8/1-~6/5", "-8:1-0 -7:1-0 -6:1-6 "},
        {"1-~2/3", ""},
        {"~8/1-9223372036854775807/5", ""}, // more sessions than there can be
        {"~8/1-99999999999999999999999/5 ~9223372036854775807/1-9223372036854775807/1",
                ""},
        {"~1/2-9223372036854775807", "-1:2-1000000001 "},
        {"9223372036854775807", "0:1000000000-1000000001 "},
        {"1-99999999999999999999", "0:1-1000000001 "},
        {"nonsense 1- -3 2x ~ /", ""},
};

TEST(ranges)
{
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        struct history_ranges ranges = {0};
        struct str text = {0};
        history_ranges_parse(&ranges, pairs[i].text);
        vec_each (range, &ranges.list)
            str_printf(
                    &text, "%lld:%lld-%lld ", range->session, range->start, range->stop);
        CHECK_STR(str_text(&text), pairs[i].ranges);
        str_finish(&text);
        history_ranges_finish(&ranges);
    }
}
