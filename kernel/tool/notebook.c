// SPDX-License-Identifier: MIT
// Reads the cells of a notebook's file, whatever stands in it.
#include "kernel/tool/notebook.h"

#include <string.h>

#include "base/str.h"

bool notebook_read(struct notebook *notebook, const char *path, struct error *err)
{
    json_error_t problem;
    *notebook = (struct notebook){.file = json_load_file(path, JSON_ALLOW_NUL, &problem)};
    notebook->cells = json_object_get(notebook->file, "cells");
    if (json_is_array(notebook->cells))
        return true;
    if (notebook->file)
        error_set(
                err, ERROR_VALUE, SPAN_NONE, "%s: not a notebook: it has no cells", path);
    else
        error_set(err, ERROR_VALUE, SPAN_NONE, "%s: not a notebook: line %d: %s", path,
                problem.line, problem.text);
    notebook_finish(notebook);
    return false;
}

void notebook_finish(struct notebook *notebook)
{
    json_decref(notebook->file);
    *notebook = (struct notebook){0};
}

bool notebook_is_code(const json_t *cell)
{
    const char *type = json_string_value(json_object_get(cell, "cell_type"));
    return type && !strcmp(type, "code");
}

// A cell's source is a text or a list of lines.
char *notebook_cell_source(const json_t *cell, size_t *len)
{
    const json_t *source = json_object_get(cell, "source");
    struct str text = {0};
    if (json_is_string(source))
        str_append_bytes(&text, json_string_value(source), json_string_length(source));
    size_t i;
    const json_t *line;
    json_array_foreach(source, i, line)
    {
        if (json_is_string(line))
            str_append_bytes(&text, json_string_value(line), json_string_length(line));
    }
    *len = text.len;
    return str_take(&text);
}

bool notebook_may_raise(const json_t *cell)
{
    size_t i;
    const json_t *tag;
    json_array_foreach(json_object_get(json_object_get(cell, "metadata"), "tags"), i, tag)
    {
        if (json_is_string(tag) && !strcmp(json_string_value(tag), "raises-exception"))
            return true;
    }
    return false;
}
