// SPDX-License-Identifier: MIT
// Arrays whose items are texts of fixed length ('U5', 'S5') as wholes: what compares
// them, fills them and loops over them is written in the library (library/texts.py).
#include "compiler/typing/builtins.h"
#include "compiler/typing/rules/text/text.h"

bool rule_is_text_array(const struct type *type)
{
    return type->kind == TYPE_ARRAY && type->element->kind == TYPE_CELLS;
}

bool rule_takes_text(const struct type *view, const struct type *value)
{
    return rule_is_text_array(view) && view->element->element == value;
}

// A value of a type, as an argument while types are found.
static struct ir_instr *placeholder(struct rule *r, const struct type *type)
{
    struct ir_instr *value =
            ir_instr_create(r->in->function, IR_CALL_DIRECT, 0, r->instr->span);
    value->type = type;
    return value;
}

bool rule_fill_texts(struct rule *r, const struct type *view, struct ir_instr *target,
        struct ir_instr *value)
{
    struct ir_instr *args[] = {target ? target : placeholder(r, view), value};
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
    static const char *const functions[] = {"texts.equal", "texts.not_equal",
            "texts.less", "texts.less_equal", "texts.greater", "texts.greater_equal"};
    return rule_library(r, functions[op]);
}
