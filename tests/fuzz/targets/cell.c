// SPDX-License-Identifier: MIT
// What reads the text of a cell without Python: magics to code, colours, what stands
// before the cursor, ranges of the history.
#include "tests/fuzz/targets/target.h"

#include "kernel/cells/context.h"
#include "kernel/cells/highlight.h"
#include "kernel/cells/transform.h"
#include "kernel/history/history_ranges.h"

static void count(const char *name, size_t len, enum binding kind, void *data)
{
    (void)kind;
    REQUIRE(name && len);
    ++*(size_t *)data;
}

static void look(const char *code, size_t len)
{
    size_t bindings = 0;
    struct context context = context_find(code, len);
    REQUIRE(context.line <= len && context.statement <= len);
    REQUIRE(context.string == CONTEXT_NONE || context.string <= len);
    REQUIRE(context_name_start(code, len) <= len &&
            context_expression_start(code, len) <= len);
    context_each_binding(code, len, count, &bindings);
    transform_ends_with_semicolon(code, len);
    transform_is_cell_magic(code, len);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct transform_options options = {0};
    if (memchr(data, '\0', size))
        return 0; // such cells are left as they are
    char *code = malloc(size + 1);
    memcpy(code, data, size);
    code[size] = '\0';
    struct str colours = {0};
    struct history_ranges ranges = {0};
    free(transform_cell(code, size, &options));
    highlight_source(&colours, code, size);
    look(code, size);
    history_ranges_parse(&ranges, code);
    history_ranges_finish(&ranges);
    str_finish(&colours);
    free(code);
    return 0;
}
