// SPDX-License-Identifier: MIT
// Pipes in place of file descriptors 1 and 2.
#pragma once

#include <stdbool.h>

#include "base/error.h"
#include "base/str.h"

// Of the arrays, 0 is stdout and 1 is stderr. The caller guards it against use by two
// threads.
struct capture {
    bool is_active;
    int original[2];    // what the descriptors were
    int pipe[2];        // read ends
    int ready_fd;       // readable while one of the pipes holds something
    struct str tail[2]; // an incomplete UTF-8 sequence
};

bool capture_start(struct capture *capture, struct error *err);
// Gives the descriptors back.
void capture_stop(struct capture *capture);
// True when one of the pipes holds something.
bool capture_has_text(const struct capture *capture);
// Moves what the pipe holds (up to 64 KiB) to `text` as valid UTF-8; false when it is
// empty.
bool capture_read(struct capture *capture, int stream, struct str *text);
