// SPDX-License-Identifier: MIT
// Output is buffered until it is known whether it fits; when the line is full, the
// outermost group with buffered breakables breaks at all of them.
#include "kernel/cells/pretty_layout.h"

#include <string.h>

void layout_init(struct layout *layout, int max_width)
{
    *layout = (struct layout){.max_width = max_width};
    layout_begin(layout, 0);
}

void layout_finish(struct layout *layout)
{
    str_finish(&layout->out);
    str_finish(&layout->store);
    vec_finish(&layout->buffer);
    vec_finish(&layout->groups);
    vec_finish(&layout->open);
}

static void end_line(struct layout *layout, int indent)
{
    str_append(&layout->out, layout->newline ? layout->newline : "\n");
    for (int i = 0; i < indent; i++)
        str_append_char(&layout->out, ' ');
    layout->out_width = indent;
}

static void write_first(struct layout *layout)
{
    struct layout_item *item = &layout->buffer.items[layout->head++];
    layout->buffer_width -= item->width;
    if (item->group >= 0) {
        struct layout_group *group = &layout->groups.items[item->group];
        group->pending--;
        if (group->breaks) {
            end_line(layout, item->indent);
            return;
        }
        if (group->pending == 0)
            group->is_queued = false;
    }
    str_append_bytes(&layout->out, layout->store.text + item->offset, item->len);
    layout->out_width += item->width;
}

static bool is_buffered(const struct layout *layout)
{
    return layout->head < layout->buffer.len;
}

static void forget_written(struct layout *layout)
{
    if (is_buffered(layout))
        return;
    layout->buffer.len = layout->head = 0;
    str_clear(&layout->store);
}

// The outermost queued group with buffered breakables, now set to break; -1: none. Queued
// groups further out that have no breakable yet will break too.
static int take_outermost(struct layout *layout)
{
    int depth = -1, taken = -1;
    for (size_t i = 0; i < layout->groups.len; i++) {
        struct layout_group *group = &layout->groups.items[i];
        if (group->is_queued && group->pending > 0 &&
                (depth < 0 || group->depth <= depth)) {
            depth = group->depth;
            taken = (int)i;
        }
    }
    for (size_t i = 0; i < layout->groups.len; i++) {
        struct layout_group *group = &layout->groups.items[i];
        if (group->is_queued && ((int)i == taken || depth < 0 || group->depth < depth)) {
            group->breaks = true;
            group->is_queued = false;
        }
    }
    return taken;
}

// Groups at the end that are over and have nothing buffered are of no more use.
static void drop_ended_groups(struct layout *layout)
{
    int last_open = layout->open.len ? vec_last(&layout->open) : -1;
    while (layout->groups.len && (int)layout->groups.len - 1 > last_open &&
            vec_last(&layout->groups).pending == 0)
        layout->groups.len--;
}

static void break_where_full(struct layout *layout)
{
    while (layout->out_width + layout->buffer_width > layout->max_width) {
        int taken = take_outermost(layout);
        if (taken < 0)
            return;
        while (layout->groups.items[taken].pending > 0)
            write_first(layout);
        while (is_buffered(layout) && layout->buffer.items[layout->head].group < 0)
            write_first(layout);
    }
    forget_written(layout);
}

static void put(struct layout *layout, const char *text, size_t len, int width, int group)
{
    struct layout_item item = {layout->store.len, len, width, layout->indent, group};
    str_append_bytes(&layout->store, text, len);
    vec_push(&layout->buffer, item);
    layout->buffer_width += width;
    break_where_full(layout);
}

void layout_text(struct layout *layout, const char *text, size_t len, int width)
{
    if (is_buffered(layout)) {
        put(layout, text, len, width, -1);
        return;
    }
    str_append_bytes(&layout->out, text, len);
    layout->out_width += width;
}

static void flush_line(struct layout *layout)
{
    layout_flush(layout);
    end_line(layout, layout->indent);
}

void layout_breakable(struct layout *layout, const char *separator)
{
    int number = vec_last(&layout->open);
    struct layout_group *group = &layout->groups.items[number];
    if (group->breaks) {
        flush_line(layout);
        return;
    }
    group->pending++;
    put(layout, separator, strlen(separator), (int)strlen(separator), number);
}

void layout_break(struct layout *layout)
{
    take_outermost(layout);
    flush_line(layout);
}

void layout_begin(struct layout *layout, int indent)
{
    struct layout_group group = {.depth = (int)layout->open.len, .is_queued = true};
    drop_ended_groups(layout);
    vec_push(&layout->open, (int)layout->groups.len);
    vec_push(&layout->groups, group);
    layout->indent += indent;
}

void layout_end(struct layout *layout, int indent)
{
    if (layout->open.len <= 1)
        return;
    layout->indent -= indent;
    int number = vec_pop(&layout->open);
    struct layout_group *group = &layout->groups.items[number];
    if (group->pending == 0)
        group->is_queued = false;
}

void layout_flush(struct layout *layout)
{
    while (is_buffered(layout))
        write_first(layout);
    layout->buffer_width = 0;
    forget_written(layout);
}
