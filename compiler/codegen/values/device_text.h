// SPDX-License-Identifier: MIT
// Texts in code for devices: comparison, and the items of 'U' and 'S' arrays.
#pragma once

#include "compiler/codegen/base/body.h"

// What TEXT_TO_CELLS (support/text/calls.def) does on the host.
emitter device_cells_store;
value device_text_order(struct body *body, const value *a, const value *b);
