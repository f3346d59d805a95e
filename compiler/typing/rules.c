// SPDX-License-Identifier: MIT
// Ties the rules of all rooms and the table of builtins together for inference.
#include "compiler/typing/builtins.h"
#include "compiler/typing/rules.h"
#include "compiler/typing/rules/language/language.h"

const struct rule_set typing_rules = {
        .apply = rule_apply,
        .find_builtin = builtin_find,
        .call_builtin = rule_apply_builtin,
        .builtin_method = rule_apply_builtin_method,
        .has_attribute = rule_has_attribute,
};
