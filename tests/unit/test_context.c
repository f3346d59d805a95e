// SPDX-License-Identifier: MIT
// Code that is being typed: what is open at its end, and which names it binds.
#include <stdio.h>
#include <string.h>

#include "kernel/cells/context.h"
#include "tests/unit/test.h"

static struct context find(const char *code)
{
    return context_find(code, strlen(code));
}

TEST(strings)
{
    CHECK(find("x = 'ab").string == 5 && find("x = 'ab").quote == '\'');
    CHECK(find("x = 'ab'").string == CONTEXT_NONE);
    CHECK(find("x = rb\"a").string_begin == 4);
    CHECK(find("'''a\nb'").string == 3);
    CHECK(find("'a\nb").string == CONTEXT_NONE);
    CHECK(find("'a\\'b").string == 1);
    CHECK(find("# it's").is_comment && find("# it's").string == CONTEXT_NONE);
    CHECK(!find("# it's\nx").is_comment);
}

TEST(format_strings)
{
    struct context inside = find("f'a{x.");
    CHECK(inside.string == CONTEXT_NONE && inside.bracket == 3);
    CHECK(find("f'a{x}b").string == 2);
    CHECK(find("f'a{{x.").string == 2);
    CHECK(find("f'{d[\"k").string == 6);
    CHECK(find("f'{x}' + y").string == CONTEXT_NONE);
}

TEST(brackets_and_statements)
{
    CHECK(find("f(a, (b), c").bracket == 1);
    CHECK(find("f(a)").bracket == CONTEXT_NONE);
    CHECK(find("f(']', ").bracket == 1);
    CHECK(find("x = 1; y.").statement == 7);
    CHECK(find("if x:\n    y").statement == 10);
    CHECK(find("f(1,\n  2").statement == 0);
    CHECK(find("!echo don't").is_escape);
    CHECK(find("%%time\nx = 'a").string == 12);
    CHECK(find("%%ti").is_cell_magic && !find("%%time\nx").is_cell_magic);
    CHECK(find("x = 5 \\\n % y").is_escape == false);
}

static size_t start_of(const char *code)
{
    return context_expression_start(code, strlen(code));
}

TEST(expressions)
{
    CHECK(start_of("x = a.b[0].c") == 4);
    CHECK(start_of("x + f(a, ')')") == 4);
    CHECK(start_of("print('abc'") == 6);
    CHECK(start_of("return [1, 2]") == 7);
    CHECK(start_of("x = {1: 2}") == 4);
    CHECK(start_of("x + ") == 4);
    CHECK(start_of("a)") == 2);
    CHECK(start_of("df['a'].b()") == 0);
}

static void note(const char *name, size_t len, enum binding kind, void *data)
{
    char *list = data;
    size_t used = strlen(list);
    snprintf(list + used, 200 - used, "%.*s%d ", (int)len, name, (int)kind);
}

static bool binds(const char *code, const char *expected)
{
    char list[200] = "";
    context_each_binding(code, strlen(code), note, list);
    if (strcmp(list, expected))
        printf("# %s: %s\n", code, list);
    return !strcmp(list, expected);
}

TEST(bindings)
{
    CHECK(binds("alpha = beta == 3", "alpha0 "));
    CHECK(binds("def f(a, *, b=None):\n    return a", "f1 a3 b3 None3 "));
    CHECK(binds("class A(B):\n  x: int = 1", "A2 x0 int0 "));
    CHECK(binds("for i, j in pairs: pass", "i0 j0 "));
    CHECK(binds("import os, sys as system\nfoo", "os0 sys0 system0 "));
    CHECK(binds("a, b = 1, 2", "a0 b0 "));
    CHECK(binds("f(key=1)", ""));
    CHECK(binds("lambda x: y", "x3 "));
    CHECK(binds("'a = 1'; # b = 2", ""));
}
