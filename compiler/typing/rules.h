// SPDX-License-Identifier: MIT
// All rules of operations and builtins, as inference calls them.
#pragma once

#include "compiler/typing/infer/stages.h"

extern const struct rule_set typing_rules;
