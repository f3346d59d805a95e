// SPDX-License-Identifier: MIT
// Arrays whose items are texts of fixed length ('U5', 'S5') as wholes: what compares
// them, fills them and loops over them is written in the library (library/texts.py).
#include <assert.h>

#include "compiler/typing/infer/rule.h"
#include "compiler/typing/rules/text/text.h"

bool rule_takes_text(
        const struct rule *r, const struct type *view, const struct type *value)
{
    return rule_is_text_array(view) && rule_text_fits(r, view->element, value);
}

bool rule_fill_texts(struct rule *r, const struct type *view, struct ir_instr *target,
        struct ir_instr *value)
{
    assert(rule_is_text_array(view));
    struct ir_instr *args[] = {target ? target : rule_stand_in(r, view), value};
    struct rule inner = *r;
    inner.args = args;
    inner.arg_count = 2;
    if (!rule_library(&inner, "texts.fill"))
        return false;
    r->type = inner.type;
    r->value = inner.value;
    return true;
}

bool rule_compare_texts(struct rule *r, enum ir_compare op)
{
    assert(op <= COMPARE_GE);
    static const char *const functions[] = {"texts.equal", "texts.not_equal",
            "texts.less", "texts.less_equal", "texts.greater", "texts.greater_equal"};
    return rule_library(r, functions[op]);
}
