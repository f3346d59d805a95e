// SPDX-License-Identifier: MIT
// Types that code speaks of: np.dtype("f4"), and arrays of a type, as float64[:, ::1].
#include "compiler/typing/builtins.h"

bool rule_np_dtype(struct rule *r)
{
    const struct type *type = rule_dtype(r->args[0]);
    if (!type)
        return rule_no_match(r, "dtype() takes a type such as np.float32, or its name as "
                                "a literal, such as 'float32' or 'f4'.");
    return rule_do_constant(
            r, (struct constant){.type = type_class(type), .instance = type});
}

static bool is_none(const struct ir_instr *value)
{
    return value->type == type_none;
}

// `:` or `::1`
static bool is_full_slice(const struct ir_instr *part, bool *is_contiguous)
{
    int64_t step = 0;
    *is_contiguous = false;
    if (part->op != IR_BUILD_SLICE || part->operand_count < 2 ||
            !is_none(part->operands[0]) || !is_none(part->operands[1]))
        return false;
    if (part->operand_count < 3 || is_none(part->operands[2]))
        return true;
    *is_contiguous = rule_constant_int(part->operands[2], &step) && step == 1;
    return *is_contiguous;
}

bool rule_class_item(struct rule *r)
{
    if (r->is_emitting) // its index is taken apart by now
        return rule_do_constant(r, (struct constant){.type = r->instr->type,
                                           .instance = r->instr->type->element});
    struct ir_instr *index = r->args[1];
    bool is_tuple = index->op == IR_BUILD_TUPLE, is_first = false, is_last = false;
    size_t ndim = is_tuple ? index->operand_count : 1;
    bool is_good = ndim > 0;
    for (size_t i = 0; is_good && i < ndim; i++) {
        bool is_contiguous;
        is_good = is_full_slice(is_tuple ? index->operands[i] : index, &is_contiguous);
        is_first = is_first || (i == 0 && is_contiguous);
        is_last = is_contiguous;
    }
    if (!is_good)
        return rule_no_match(r, "A type indexed by ':' for each dimension is that of an "
                                "array: float64[:], float64[:, ::1].");
    enum array_layout layout = is_last ? LAYOUT_C : is_first ? LAYOUT_F : LAYOUT_A;
    const struct type *type =
            type_array(r->args[0]->type->element, (int)ndim, layout, false);
    return rule_do_constant(
            r, (struct constant){.type = type_class(type), .instance = type});
}
