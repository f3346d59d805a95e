// SPDX-License-Identifier: MIT
// Where the output of cells goes: to the front end, or to the terminal in `gridcell run`.
#pragma once

#include "kernel/interface/front_end.h"

// From now on text goes to file descriptors 1 and 2, and of other messages their
// text/plain.
void output_use_terminal(void);
bool output_is_terminal(void);

// As front_end_publish, front_end_stream, front_end_flush, front_end_flush_soon and
// front_end_has_room. In a
// forked child, text goes to the child's own descriptors and messages go nowhere: the
// front end belongs to the parent.
void output_publish(const char *msg_type, json_t *content_stolen, json_t *metadata_stolen,
        const struct message_buffer *buffers, size_t buffer_count);
void output_stream(enum output_stream stream, const char *text, size_t len);
void output_flush(void);
void output_flush_soon(void);
bool output_has_room(void);
// Whether this process is a forked child.
bool output_is_child(void);
// Called once at start: from then on a forked child is known as one.
void output_watch_forks(void);
