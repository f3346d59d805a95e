// SPDX-License-Identifier: MIT
// inspect_types: under each line of the user's source, what it became and with which
// types.

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "compiler/types/source.h"
#include "compiler/typing/infer/annotate.h"

static size_t count_lines(const struct ir_function *function)
{
    size_t count = function->blocks.len;
    vec_each (block, &function->blocks)
        ir_each_instr(instr, *block) count++;
    return count;
}

// The line of what the block does first; a phi stands there too, and not where it is
// read.
static int block_line(const struct ir_block *block)
{
    const struct ir_instr *instr = block->first;
    while (instr && instr->op == IR_PHI)
        instr = instr->next;
    return instr ? instr->span.line : block->span.line;
}

// Numbers the values of each variable in order, from 0; indexed by the instructions' ids.
static int *number_versions(struct ir_function *function, const char **variables)
{
    int *versions = arena_array(&function->arena, int, function->next_id + 1);
    struct map counts = {0};
    vec_each (block, &function->blocks) {
        ir_each_instr(instr, *block)
        {
            if (!instr->variable || instr->id >= function->next_id)
                continue;
            intptr_t seen = (intptr_t)map_get(&counts, instr->variable);
            versions[instr->id] = (int)seen;
            variables[instr->id] = instr->variable;
            map_set(&counts, instr->variable, (void *)(seen + 1));
        }
    }
    map_finish(&counts);
    return versions;
}

// The length of a name such as "x.12" at `text`, and the number in it; 0 for anything
// else.
static size_t name_length(const char *text, size_t *stem, long *id)
{
    *stem = 0;
    while (isalnum((unsigned char)text[*stem]) || text[*stem] == '_' ||
            (unsigned char)text[*stem] >= 0x80)
        ++*stem;
    const char *digits = text + *stem + 1;
    if (!*stem || isdigit((unsigned char)*text) || text[*stem] != '.' ||
            !isdigit((unsigned char)*digits))
        return 0;
    char *end;
    *id = strtol(digits, &end, 10); // of a text of the program's it may be any number
    return (size_t)(end - text);
}

// Copies the text with each value under its variable's name: x, x.1, x.2 in order, as
// users know them from numba.
static void append_with_versions(struct str *out, const char *text,
        const struct ir_function *function, const char *const *variables,
        const int *versions)
{
    while (*text) {
        size_t stem;
        long id;
        size_t len = name_length(text, &stem, &id);
        bool is_value = len && id < function->next_id && variables[id] &&
                        strlen(variables[id]) == stem &&
                        !strncmp(variables[id], text, stem);
        if (is_value) {
            str_append_bytes(out, text, stem);
            if (versions[id])
                str_printf(out, ".%d", versions[id]);
            text += len;
            continue;
        }
        len = stem ? stem : 1;
        str_append_bytes(out, text, len);
        text += len;
    }
}

void annotate_function(struct ir_function *function)
{
    struct ir_annotation *lines =
            arena_array(&function->arena, struct ir_annotation, count_lines(function));
    size_t count = 0;
    const char **variables =
            arena_array(&function->arena, const char *, function->next_id + 1);
    int *versions = number_versions(function, variables);
    struct str text = {0}, named = {0};
    vec_each (block, &function->blocks) {
        lines[count].line = block_line(*block);
        lines[count++].text = arena_printf(&function->arena, "label %d", (*block)->id);
        ir_each_instr(instr, *block)
        {
            if (instr->op == IR_CONST && !instr->type)
                continue;
            str_clear(&text);
            ir_print_instr(instr, &text);
            str_clear(&named);
            append_with_versions(&named, str_text(&text), function, variables, versions);
            lines[count].line =
                    instr->op == IR_PHI ? block_line(*block) : instr->span.line;
            lines[count++].text =
                    arena_printf(&function->arena, "  %s", str_text(&named));
        }
    }
    str_finish(&named);
    str_finish(&text);
    function->annotations = lines;
    function->annotation_count = count;
}

static size_t indentation(const char *line)
{
    return strspn(line, " \t");
}

static void append_annotations(
        const struct ir_function *function, int line, const char *source, struct str *out)
{
    bool has_some = false;
    for (size_t i = 0; i < function->annotation_count; i++) {
        if (function->annotations[i].line != line)
            continue;
        str_append_bytes(out, source, indentation(source));
        str_printf(out, "# %s\n", function->annotations[i].text);
        has_some = true;
    }
    if (has_some)
        str_append(out, "\n");
}

static void append_source_line(const char *line, struct str *out)
{
    size_t len = strlen(line);
    while (len && (line[len - 1] == '\n' || line[len - 1] == '\r'))
        len--;
    str_append_bytes(out, line, len);
    str_append(out, "\n\n");
}

bool annotate_print(const struct ir_function *function, const char *const *source_lines,
        size_t line_count, struct str *out, struct error *err)
{
    if (!function || !function->source)
        return error_set(err, ERROR_VALUE, SPAN_NONE, "the function has no source");
    str_printf(out, "# File: %s\n", function->source->file);
    for (size_t i = 0; i < line_count; i++) {
        int line = function->source->first_line + (int)i;
        str_printf(out, "# --- LINE %d --- \n", line);
        append_annotations(function, line, source_lines[i], out);
        append_source_line(source_lines[i], out);
    }
    return true;
}
