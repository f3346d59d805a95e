// SPDX-License-Identifier: MIT
// Where nested values break into lines.
#include "tests/unit/test.h"

#include "kernel/cells/pretty_layout.h"

static void text(struct layout *layout, const char *word)
{
    layout_text(layout, word, strlen(word), (int)strlen(word));
}

// [word, word, ...] of `count` words
static void list(struct layout *layout, const char *word, int count)
{
    layout_begin(layout, 1);
    text(layout, "[");
    for (int i = 0; i < count; i++) {
        if (i > 0) {
            text(layout, ",");
            layout_breakable(layout, " ");
        }
        text(layout, word);
    }
    layout_end(layout, 1);
    text(layout, "]");
}

static void check(struct layout *layout, const char *expected)
{
    layout_flush(layout);
    CHECK_STR(str_text(&layout->out), expected);
    layout_finish(layout);
}

TEST(what_fits_stays_on_one_line)
{
    struct layout layout;
    layout_init(&layout, 10);
    list(&layout, "ab", 2);
    check(&layout, "[ab, ab]");
}

TEST(a_group_breaks_at_all_its_places)
{
    struct layout layout;
    layout_init(&layout, 10);
    list(&layout, "abc", 3);
    check(&layout, "[abc,\n abc,\n abc]");
}

TEST(the_outer_group_breaks_first)
{
    struct layout layout;
    layout_init(&layout, 12);
    layout_begin(&layout, 1);
    text(&layout, "(");
    list(&layout, "a", 2);
    text(&layout, ",");
    layout_breakable(&layout, " ");
    list(&layout, "b", 3);
    layout_end(&layout, 1);
    text(&layout, ")");
    check(&layout, "([a, a],\n [b, b, b])");
}

TEST(a_forced_end_of_line_keeps_the_indentation)
{
    struct layout layout;
    layout_init(&layout, 20);
    layout_begin(&layout, 2);
    text(&layout, "x");
    layout_break(&layout);
    text(&layout, "y");
    layout_end(&layout, 2);
    check(&layout, "x\n  y");
}
