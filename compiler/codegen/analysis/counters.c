// SPDX-License-Identifier: MIT
// Arrays that a kernel counts in and nothing else: it adds to their items and never looks
// at one, and gives no order to what it does. Nobody can tell then when its additions
// arrive, as long as that is before the kernel ends: the emulated device gives each
// thread of the CPU a copy to count in without locks, and adds the copies up.
#include "compiler/codegen/analysis/counters.h"
#include "compiler/codegen/analysis/reach.h"

static bool is_atomic(const struct ir_instr *instr)
{
    return instr->op == IR_PRIMITIVE && instr->primitive >= PRIMITIVE_ATOMIC_ADD &&
           instr->primitive <= PRIMITIVE_ATOMIC_CAS;
}

static bool has_user(const struct ir_function *ir, const struct ir_instr *used)
{
    vec_each (block, &ir->blocks)
        ir_each_instr(instr, *block) if (ir_has_operand(instr, used)) return true;
    return false;
}

// Whether the function does what could tell threads when others' additions arrive.
static bool gives_order(const struct ir_function *ir, void *context)
{
    vec_each (block, &ir->blocks)
        ir_each_instr(instr, *block)
        {
            if (instr->op != IR_PRIMITIVE)
                continue;
            if (ir_orders_memory(instr->primitive) ||
                    instr->primitive == PRIMITIVE_CUDA_SYNCGRID ||
                    ir_is_unknown_code(instr))
                return true;
            const struct ir_instr *array =
                    instr->operand_count ? instr->operands[0] : NULL;
            bool is_shared = array && array->op == IR_PRIMITIVE &&
                             array->primitive == PRIMITIVE_CUDA_SHARED_ARRAY;
            if (is_atomic(instr) && !is_shared && has_user(ir, instr))
                return true;
        }
    return false;
}

static bool is_countable(const struct type *type)
{
    return type->kind == TYPE_ARRAY && type->array.layout == LAYOUT_C &&
           type->array.is_aligned && type->element->kind == TYPE_INT &&
           type->element->bits >= 32;
}

static bool only_counts(const struct ir_instr *user, const struct ir_instr *array)
{
    if (user->op != IR_PRIMITIVE || user->operands[0] != array)
        return false;
    for (size_t i = 1; i < user->operand_count; i++)
        if (user->operands[i] == array)
            return false;
    switch (user->primitive) {
    case PRIMITIVE_ATOMIC_ADD:
    case PRIMITIVE_ATOMIC_SUB:
    case PRIMITIVE_ARRAY_SHAPE:
    case PRIMITIVE_ARRAY_LEN:
    case PRIMITIVE_ARRAY_SIZE:
        return true;
    default:
        return false;
    }
}

bool counters_are(const struct ir_function *kernel, const struct ir_instr *array)
{
    bool counts = false;
    if (array->op != IR_ARG || !is_countable(array->type))
        return false;
    vec_each (block, &kernel->blocks)
        ir_each_instr(instr, *block)
        {
            if (instr->op == IR_ARG && instr->index == array->index && instr != array)
                return false;
            if (ir_has_operand(instr, array) && !only_counts(instr, array))
                return false;
            counts |= is_atomic(instr) && instr->operands[0] == array;
        }
    return counts && !call_reaches(kernel, gives_order, NULL);
}
