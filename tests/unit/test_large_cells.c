// SPDX-License-Identifier: MIT
// Cells of a million lines, or of one: what reads their text without Python takes time
// and memory in proportion, and no stack. A pass that is not linear in one of these texts
// does not end within the time of a test. `LARGE_CELL_MB=10
// build/tests/unit/test_large_cells` takes the sizes of notebooks with data in them.
#include "tests/unit/test.h"

#include "kernel/cells/context.h"
#include "kernel/cells/highlight.h"
#include "kernel/cells/text.h"
#include "kernel/cells/transform.h"
#include "kernel/history/history_ranges.h"

static size_t size;

static const char *const pieces[] = {"x = 1\n", "x", "(", "[{", ")", "'", "\"\"\"", "\\",
        "\\\n", "\n", " ", "    x\n", "#", "# x\n", "%time x\n", "!ls {x}\n", "x?\n",
        "?x\n", "a = !b\n", "a = %b\n", "f'{", "}", ";", ",", ".x", "x.", "0", "1-3 ",
        "~", "lambda ", "if x:\n", "def f(a, b):\n", "import a as b\n",
        "for i in j: k = l\n", "@", "\xc3\xa9", "\xff", "%%x\n", "$x ", "{x} ", "'''\n",
        "(\n", "x = (\n", "\\ud83d"};

static char *repeat(const char *piece)
{
    const char *megabytes = getenv("LARGE_CELL_MB");
    size = (megabytes ? strtoul(megabytes, NULL, 10) : 1) << 20;
    char *text = malloc(size + 1);
    size_t len = strlen(piece);
    for (size_t i = 0; i < size; i++)
        text[i] = piece[i % len];
    text[size] = '\0';
    return text;
}

static void ignore(const char *name, size_t len, enum binding kind, void *data)
{
    (void)name;
    (void)kind;
    *(size_t *)data += len;
}

TEST(transform_is_linear)
{
    static const struct transform_options options = {0};
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) {
        char *text = repeat(pieces[i]), *source = transform_cell(text, size, &options);
        CHECK(source != NULL);
        transform_ends_with_semicolon(text, size);
        transform_is_cell_magic(text, size);
        free(source);
        free(text);
    }
}

TEST(what_stands_before_the_cursor_is_linear)
{
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) {
        char *text = repeat(pieces[i]);
        size_t total = 0;
        struct context context = context_find(text, size);
        CHECK(context.line <= size && context_name_start(text, size) <= size);
        CHECK(context_expression_start(text, size) <= size);
        context_each_binding(text, size, ignore, &total);
        context_byte_offset(text, size);
        context_char_offset(text, size);
        free(text);
    }
}

TEST(colours_and_text_are_linear)
{
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) {
        char *text = repeat(pieces[i]);
        struct str out = {0};
        highlight_source(&out, text, size);
        CHECK(out.len >= size / 2);
        str_clear(&out);
        text_append_valid(&out, text, size);
        text_append_paired(&out, text, size);
        text_append_json(&out, text, size);
        struct history_ranges ranges = {0};
        history_ranges_parse(&ranges, text);
        history_ranges_finish(&ranges);
        str_finish(&out);
        free(text);
    }
}
