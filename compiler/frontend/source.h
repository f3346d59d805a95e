// SPDX-License-Identifier: MIT
// The life of sources, and how a call's arguments meet their parameters.
#pragma once

#include "compiler/types/source.h"

struct source *source_create(const char *name);
void source_destroy(struct source *source);

// Binds call arguments to parameters: fills `order` (param_count entries) with the index
// of the positional or keyword argument for each parameter, or -1 for its default.
// ERROR_TYPE if they do not fit.
bool source_bind(const struct source *source, size_t positional_count,
        const char *const *keywords, size_t keyword_count, int *order, struct error *err);
