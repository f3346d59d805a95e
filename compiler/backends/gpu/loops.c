// SPDX-License-Identifier: MIT
// What the loops of a kernel do to global memory, by which its code is chosen.
#include "compiler/backends/gpu/loops.h"

#include "compiler/codegen/analysis/flow.h"
#include "compiler/codegen/analysis/reach.h"
#include "compiler/codegen/base/body.h"
#include "compiler/codegen/base/types.h"

static bool is_access(const struct ir_instr *instr, enum ir_primitive primitive)
{
    return instr->op == IR_PRIMITIVE && instr->primitive == primitive &&
           instr->operands[0]->op == IR_ARG;
}

static int loop_depth(const struct body *body, const struct ir_instr *instr)
{
    return body->flow->depth[instr->block->id];
}

enum { INDEX_STEPS = 8 }; // from an index back to what it was computed from

// Whether a value is computed from what a loop so deep loads.
static bool comes_from_load(
        const struct body *body, const struct ir_instr *from, int depth, int steps)
{
    if (!steps || from->op == IR_PHI || loop_depth(body, from) < depth)
        return false;
    if (is_access(from, PRIMITIVE_ARRAY_LOAD))
        return true;
    for (size_t i = 0; i < from->operand_count; i++)
        if (comes_from_load(body, from->operands[i], depth, steps - 1))
            return true;
    return false;
}

// Whether the innermost loop around the block goes from item to item, as far as that is
// known: where it takes the turns of a warp's 32 lanes, it has few of them.
static bool goes_by_one(const struct body *body, const struct ir_block *block)
{
    const struct ir_block *header = body->flow->innermost[block->id];
    const struct ir_instr *next = header ? flow_deciding_iternext(header) : NULL;
    const struct ir_instr *iterable = next ? next->operands[0]->operands[0] : NULL;
    if (!iterable || iterable->op != IR_PRIMITIVE ||
            iterable->primitive != PRIMITIVE_RANGE)
        return true;
    const struct ir_instr *step = iterable->operands[2];
    return step->op == IR_CONST && step->constant.integer == 1;
}

bool gpu_loop_gathers(const struct body *body)
{
    vec_each (block, &body->ir->blocks)
        ir_each_instr(instr, *block)
        {
            int depth = loop_depth(body, instr);
            if (!depth || !is_access(instr, PRIMITIVE_ARRAY_LOAD) ||
                    !goes_by_one(body, *block))
                continue;
            for (size_t i = 1; i < instr->operand_count; i++)
                if (comes_from_load(body, instr->operands[i], depth, INDEX_STEPS))
                    return true;
        }
    return false;
}

static bool has_pointer(struct codegen *gen, const struct type *type)
{
    const struct leaf_list *leaves = type_leaves(gen, type);
    for (size_t i = 0; i < leaves->len; i++)
        if (type_llvm(gen, leaves->items[i].type) == gen->ptr)
            return true;
    return false;
}

static bool stores_in_loops(const struct body *body)
{
    vec_each (block, &body->ir->blocks)
        ir_each_instr(instr, *block)
        {
            if (is_access(instr, PRIMITIVE_ARRAY_STORE) && loop_depth(body, instr))
                return true;
        }
    return false;
}

bool gpu_gains_by_disjoint(const struct body *body)
{
    const struct ir_function *ir = body->ir;
    for (size_t i = 0; i < ir->param_count; i++)
        if (ir->params[i]->kind != TYPE_ARRAY && has_pointer(body->gen, ir->params[i]))
            return false;
    return stores_in_loops(body) && !call_heeds_others(ir);
}
