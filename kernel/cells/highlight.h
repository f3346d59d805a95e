// SPDX-License-Identifier: MIT
// ANSI colours for a line of Python source in a traceback.
#pragma once

#include <stddef.h>

#include "base/str.h"

// Appends `line` with colours. A string that spans lines is not known as one.
void highlight_line(struct str *out, const char *line, size_t len);
// The same for source of several lines, whose strings may span them; names of builtins
// stay plain.
void highlight_source(struct str *out, const char *source, size_t len);
