// SPDX-License-Identifier: MIT
// Which build of gridcell this is.
#pragma once

#include "base/str.h"

// Appends the identity that the linker gave the file which holds this code, in hex
// digits; "unknown" where it gave none.
void build_id_append(struct str *out);
