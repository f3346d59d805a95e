// SPDX-License-Identifier: MIT
// Loops over the entries of dicts, views of these and sets, which may not change their
// number meanwhile.
#pragma once

#include "compiler/codegen/base/body.h"

// How many entries the table has now.
value table_count(struct body *body, const struct ir_instr *table);
// Raises RuntimeError where these are not as many as when the loop began; with `asked`,
// only where that is true.
void table_check(struct body *body, const struct ir_instr *table, value opened_count,
        value asked, struct span span);
