// SPDX-License-Identifier: MIT
// The typed Python level as inspect_types shows it.
#pragma once

#include "compiler/ir/ir.h"

// Keeps the text of the typed instructions in the function, before they are resolved.
void annotate_function(struct ir_function *function);
// Prints the lines of a source, each with that text above it; `source_lines` are those of
// the function, from its first line on.
bool annotate_print(const struct ir_function *function, const char *const *source_lines,
        size_t line_count, struct str *out, struct error *err);
