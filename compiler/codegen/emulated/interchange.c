// SPDX-License-Identifier: MIT
// Kernels that are one loop with a stride of the grid ("for i in range(grid(1), n,
// gridsize(1))"): run thread by thread they jump through memory. Where the turns of a
// thread do not depend on each other, the emulated device runs turn by turn over all
// threads instead: neighbouring threads then touch neighbouring elements. Found here; the
// body is emitted for one turn.
#include "compiler/codegen/analysis/flow.h"
#include "compiler/codegen/analysis/reach.h"
#include "compiler/codegen/base/value.h"
#include "compiler/codegen/emulated/interchange.h"
#include "compiler/codegen/emulated/lanes.h"
#include "compiler/codegen/emulated/segments.h"
#include "compiler/ir/analyses.h"

enum { LEAST_STRIDE = 32 };

static bool is_pure_primitive(enum ir_primitive primitive)
{
    switch (primitive) {
    case PRIMITIVE_RANGE:
    case PRIMITIVE_ARRAY_SHAPE:
    case PRIMITIVE_ARRAY_STRIDES:
    case PRIMITIVE_ARRAY_LEN:
    case PRIMITIVE_ARRAY_SIZE:
    case PRIMITIVE_ARRAY_TRANSPOSE:
    case PRIMITIVE_CUDA_THREAD_IDX:
    case PRIMITIVE_CUDA_BLOCK_IDX:
    case PRIMITIVE_CUDA_BLOCK_DIM:
    case PRIMITIVE_CUDA_GRID_DIM:
    case PRIMITIVE_CUDA_LANE_ID:
    case PRIMITIVE_CUDA_GRID:
    case PRIMITIVE_CUDA_GRID_SIZE:
        return true;
    default:
        return primitive <= PRIMITIVE_BITS || ir_is_pure_intrinsic(primitive);
    }
}

// Code outside of the loop runs again for each turn: it must neither act nor read what
// the loop may change.
static bool is_pure(const struct ir_instr *instr)
{
    switch (instr->op) {
    case IR_CALL_DIRECT:
        return false;
    case IR_PRIMITIVE:
        return is_pure_primitive(instr->primitive);
    default:
        return true;
    }
}

// The only loop's header, or NULL if there is none or more than one.
static const struct ir_block *only_header(const struct flow *flow)
{
    const struct ir_block *header = NULL;
    for (size_t i = 0; i < flow->order_len; i++) {
        if (!flow->is_header[flow->order[i]->id])
            continue;
        if (header)
            return NULL;
        header = flow->order[i];
    }
    return header;
}

// Whether a block of a loop neither leaves it nor waits for other threads.
static bool stays_inside(const struct ir_block *block, const bool *in_loop)
{
    struct ir_block *successors[2];
    size_t count = ir_successors(block, successors);
    for (size_t i = 0; i < count; i++)
        if (!in_loop[successors[i]->id]) // break
            return false;
    ir_each_instr(instr, block) if (segments_is_barrier(instr)) return false;
    return count > 0;
}

static bool is_suitable(
        struct arena *arena, const struct flow *flow, const struct ir_block *header)
{
    const struct ir_instr *iternext = flow_deciding_iternext(header);
    if (!iternext || iternext->operands[0]->operands[0]->type->kind != TYPE_RANGE)
        return false;
    const bool *in_loop = flow_loop(arena, flow, header);
    for (size_t i = 0; i < flow->order_len; i++) {
        const struct ir_block *block = flow->order[i];
        bool is_inside = in_loop[block->id] && block != header;
        if (!is_inside)
            ir_each_instr(instr,
                    block) if (!is_pure(instr) ||
                               (block == header && instr->op == IR_PHI)) return false;
        if (is_inside && !stays_inside(block, in_loop))
            return false;
    }
    return true;
}

const struct ir_block *interchange_find(struct codegen *gen, const struct ir_function *ir)
{
    if (call_has_barrier(ir))
        return NULL;
    const struct flow *flow = gen->analyses->flow(&gen->arena, ir);
    const struct ir_block *header = only_header(flow);
    return header && is_suitable(&gen->arena, flow, header) ? header : NULL;
}

// Whether a number is computed from the thread's place in x and what all threads share;
// `is_far`: or from how many threads there are.
static bool comes_from(const struct ir_instr *instr, bool is_far)
{
    if (instr->op == IR_CAST)
        return comes_from(instr->operands[0], is_far);
    if (instr->op == IR_BINARY && instr->binary <= BINARY_MUL)
        return comes_from(instr->operands[0], is_far) ||
               comes_from(instr->operands[1], is_far);
    if (is_far && instr->op == IR_CONST)
        return instr->constant.integer >= LEAST_STRIDE;
    if (instr->op != IR_PRIMITIVE)
        return false;
    switch (instr->primitive) {
    case PRIMITIVE_CUDA_GRID:
        return !is_far; // of one axis, as it is a number
    case PRIMITIVE_CUDA_THREAD_IDX:
        return !is_far && instr->immediate == 0;
    case PRIMITIVE_CUDA_GRID_SIZE:
    case PRIMITIVE_CUDA_BLOCK_DIM:
        return is_far;
    default:
        return false;
    }
}

static bool has_int64(const struct ir_instr *range)
{
    for (size_t i = 0; i < range->operand_count; i++) {
        const struct type *type = range->operands[i]->type;
        if (type->kind != TYPE_INT || !type->is_signed || type->bits != 64)
            return false;
    }
    return true;
}

bool interchange_strides(
        struct arena *arena, const struct flow *flow, const struct ir_block *header)
{
    const struct ir_instr *iternext =
            flow->is_header[header->id] ? flow_deciding_iternext(header) : NULL;
    const struct ir_instr *range = iternext ? iternext->operands[0]->operands[0] : NULL;
    if (!range || range->op != IR_PRIMITIVE || range->primitive != PRIMITIVE_RANGE ||
            range->operand_count != 3 || !has_int64(range) ||
            !comes_from(range->operands[0], false) ||
            !comes_from(range->operands[2], true))
        return false;
    const struct ir_block *exit = header->last->targets[1];
    if (header->last->targets[0] == header || exit->predecessors.len != 1 ||
            exit->first->op == IR_PHI)
        return false;
    const bool *in_loop = flow_loop(arena, flow, header);
    for (size_t i = 0; i < flow->order_len; i++) {
        const struct ir_block *block = flow->order[i];
        if (in_loop[block->id] && block != header && !stays_inside(block, in_loop))
            return false;
    }
    return true;
}

// The number of this turn, and whether the thread has such a turn. In a loop for threads
// that have one, `any` is set ahead of it.
value interchange_item(struct body *body, const struct ir_instr *iternext,
        const struct type *range, const value *leaves, value *position)
{
    struct codegen *gen = body->gen;
    LLVMBuilderRef b = gen->builder;
    bool is_signed = range->element->is_signed;
    LLVMTypeRef type = LLVMTypeOf(leaves[0]);
    value turn = type == gen->i64 ? body->turn.number
                                  : LLVMBuildTrunc(b, body->turn.number, type, "");
    *position =
            LLVMBuildNSWAdd(b, leaves[0], LLVMBuildNSWMul(b, turn, leaves[2], ""), "");
    if (lanes_assume_turn(body, iternext))
        return value_bool(gen, true);
    value is_up =
            is_signed ? LLVMBuildICmp(b, LLVMIntSGT, leaves[2], LLVMConstNull(type), "")
                      : value_bool(gen, true);
    value below = LLVMBuildICmp(
            b, is_signed ? LLVMIntSLT : LLVMIntULT, *position, leaves[1], "");
    value above = LLVMBuildICmp(b, LLVMIntSGT, *position, leaves[1], "");
    value has_turn = value_select(gen, is_up, below, above);
    value others = LLVMBuildLoad2(b, gen->i1, body->turn.any, "");
    LLVMBuildStore(b, LLVMBuildOr(b, others, has_turn, ""), body->turn.any);
    return has_turn;
}
