// SPDX-License-Identifier: MIT
// Arrays that a device function makes of its own memory end with it: returning one, or a
// part of it, is refused.
#include "compiler/typing/infer/infer.h"

enum { MAX_DEPTH = 16, LOCAL_SPACE = 5 };

static bool may_be_own(const struct type *type)
{
    if (!type)
        return false;
    bool is_own = type->kind == TYPE_ARRAY && type->array.address_space == LOCAL_SPACE;
    bool has_items = type->kind == TYPE_TUPLE || type->kind == TYPE_EXTENSION;
    for (size_t i = 0; has_items && !is_own && i < type->tuple.len; i++)
        is_own = may_be_own(type->tuple.items[i]);
    return is_own;
}

// Whether the value is memory of this function, as far back as `depth` steps show.
static bool is_own(const struct ir_instr *value, int depth)
{
    if (!may_be_own(value->type) || depth == MAX_DEPTH)
        return false;
    if (value->op == IR_PRIMITIVE && value->primitive == PRIMITIVE_CUDA_LOCAL_ARRAY)
        return true;
    for (size_t i = 0; i < value->operand_count; i++)
        if (value->operands[i] != value && is_own(value->operands[i], depth + 1))
            return true;
    return false;
}

bool infer_check_own_arrays(struct infer *in)
{
    if (in->target == TARGET_HOST)
        return true;
    vec_each (block, &in->function->blocks) {
        const struct ir_instr *last = (*block)->last;
        if (last && last->op == IR_RETURN && is_own(last->operands[0], 0))
            return error_set(in->err, ERROR_TYPING, last->span,
                    "The array is memory of this function, which ends here. Let the "
                    "caller make the array and pass it to be filled.");
    }
    return true;
}
