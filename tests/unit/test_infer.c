// SPDX-License-Identifier: MIT
// From Python source and argument types to resolved IR: return types and errors, as
// infer_cases.txt lists them.
#include "test.h"

#include "infer_support.h"

// The return type of function f, or the error's text, in a static buffer.
static const char *outcome(enum target_kind target, const char *code, const char *types)
{
    static char text[ERROR_MESSAGE_SIZE];
    struct error err = {0};
    struct source *source = support_import(code, &err);
    struct ir_function *function =
            source ? support_infer(source, types, target, &err) : NULL;
    if (function && !ir_verify(function, &err))
        function = NULL;
    snprintf(text, sizeof text, "%s", function ? function->returns->name : err.message);
    source_destroy(source);
    return text;
}

// What follows the word on this line, or NULL when the line begins otherwise.
static const char *after(const char *line, const char *word)
{
    size_t len = strlen(word);
    return strncmp(line, word, len) ? NULL : line + len + (line[len] == ' ');
}

// Makes line ends of what stands for them.
static void unescape(const char *from, char *to)
{
    for (; *from; from++) {
        bool is_line_end = from[0] == '\\' && from[1] == 'n';
        *to++ = is_line_end ? '\n' : *from;
        from += is_line_end;
    }
    *to = '\0';
}

struct infer_case {
    enum target_kind target;
    char types[128];
    struct str code;
};

static bool starts_case(struct infer_case *current, const char *line)
{
    const char *host = after(line, "for:"), *emulator = after(line, "on emulator:");
    if (!host && !emulator)
        return false;
    current->target = host ? TARGET_HOST : TARGET_EMULATOR;
    snprintf(current->types, sizeof current->types, "%s", host ? host : emulator);
    str_clear(&current->code);
    return true;
}

// Whether the line ends the case: it is run, and what is expected compared.
static bool ends_case(struct infer_case *current, const char *line, int number)
{
    char expected[ERROR_MESSAGE_SIZE];
    const char *all = after(line, "gives:"), *part = after(line, "says:");
    if (!all && !part)
        return false;
    unescape(all ? all : part, expected);
    const char *actual =
            outcome(current->target, str_text(&current->code), current->types);
    if (all ? strcmp(actual, expected) != 0 : !strstr(actual, expected))
        TEST_FAIL("infer_cases.txt:%d: expected\n  \"%s\", came\n  \"%s\"", number,
                expected, actual);
    return true;
}

TEST(outcomes)
{
    FILE *file = fopen(TEST_DATA "/infer_cases.txt", "r");
    REQUIRE(file);
    struct infer_case current = {0};
    char line[ERROR_MESSAGE_SIZE];
    int count = 0;
    for (int number = 1; fgets(line, sizeof line, file); number++) {
        line[strcspn(line, "\n")] = '\0';
        if (ends_case(&current, line, number))
            count++;
        else if (!starts_case(&current, line))
            str_printf(&current.code, "%s\n", line);
    }
    CHECK(count > 0);
    str_finish(&current.code);
    fclose(file);
}

TEST(error_places)
{
    struct error err = {0};
    struct source *source =
            support_import("def f(x):\n    y = x\n    return y + 'a'\n", &err);
    REQUIRE(source);
    CHECK(!support_infer(source, "int64", TARGET_HOST, &err));
    CHECK_INT(err.kind, ERROR_TYPING);
    CHECK_INT(err.span.line, 3);
    CHECK_INT(err.span.column, 11);
    CHECK_INT(err.span.end_column, 18);
    CHECK_CONTAINS(err.span.file, "<test");
    source_destroy(source);
}
