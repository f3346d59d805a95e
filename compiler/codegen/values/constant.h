// SPDX-License-Identifier: MIT
// Constants of any type.
#pragma once

#include "compiler/codegen/base/body.h"

void value_constant(struct body *body, const struct constant *constant, value *leaves);
