// SPDX-License-Identifier: MIT
// Line breaking of nested values: text, places where it may break, and groups that break
// together.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"
#include "base/vec.h"

struct layout_item {
    size_t offset, len; // in `store`
    int width, indent;
    int group; // whose breakable it is; -1: plain text
};

struct layout_group {
    int depth;
    int pending; // breakables of it that are buffered
    bool breaks, is_queued;
};

struct layout {
    int max_width;
    const char *newline; // what ends a line; NULL: "\n"
    struct str out, store;
    int out_width, buffer_width, indent;
    VEC(struct layout_item) buffer;
    size_t head; // first buffered item
    VEC(struct layout_group) groups;
    VEC(int) open; // stack of group numbers
};

void layout_init(struct layout *layout, int max_width);
void layout_finish(struct layout *layout);
// `width` counts characters.
void layout_text(struct layout *layout, const char *text, size_t len, int width);
// A blank, or the end of the line when its group does not fit.
void layout_breakable(struct layout *layout, const char *separator);
// Ends the line where the text itself has a line's end: the outermost group that still
// waits breaks too.
void layout_break(struct layout *layout);
void layout_begin(struct layout *layout, int indent);
void layout_end(struct layout *layout, int indent);
// Writes out what is buffered; the text is then in layout->out.
void layout_flush(struct layout *layout);
