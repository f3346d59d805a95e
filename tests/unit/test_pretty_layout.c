// SPDX-License-Identifier: MIT
// Where nested values break into lines.
#include "tests/unit/test.h"

#include "kernel/cells/pretty_layout.h"

static struct layout layout; // of one test, from layout_init to `check`

static void text(const char *word)
{
    layout_text(&layout, word, strlen(word), (int)strlen(word));
}

// [word, word, ...] of `count` words
static void list(const char *word, int count)
{
    layout_begin(&layout, 1);
    text("[");
    for (int i = 0; i < count; i++) {
        if (i > 0) {
            text(",");
            layout_breakable(&layout, " ");
        }
        text(word);
    }
    layout_end(&layout, 1);
    text("]");
}

static void check(const char *expected)
{
    layout_flush(&layout);
    CHECK_STR(str_text(&layout.out), expected);
    layout_finish(&layout);
}

TEST(what_fits_stays_on_one_line)
{
    layout_init(&layout, 10);
    list("ab", 2);
    check("[ab, ab]");
}

TEST(a_group_breaks_at_all_its_places)
{
    layout_init(&layout, 10);
    list("abc", 3);
    check("[abc,\n abc,\n abc]");
}

TEST(the_outer_group_breaks_first)
{
    layout_init(&layout, 12);
    layout_begin(&layout, 1);
    text("(");
    list("a", 2);
    text(",");
    layout_breakable(&layout, " ");
    list("b", 3);
    layout_end(&layout, 1);
    text(")");
    check("([a, a],\n [b, b, b])");
}

TEST(a_forced_end_of_line_keeps_the_indentation)
{
    layout_init(&layout, 20);
    layout_begin(&layout, 2);
    text("x");
    layout_break(&layout);
    text("y");
    layout_end(&layout, 2);
    check("x\n  y");
}
