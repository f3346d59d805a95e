// SPDX-License-Identifier: MIT
// A body as a whole: its blocks and phis, branches, returns, and what comes before and
// after each instruction.
#include "base/guard.h"
#include "compiler/codegen/analysis/flow.h"
#include "compiler/codegen/base/types.h"
#include "compiler/codegen/base/value.h"
#include "compiler/codegen/body/declare.h"
#include "compiler/codegen/body/exception.h"
#include "compiler/codegen/body/exit.h"
#include "compiler/codegen/body/line_hook.h"
#include "compiler/codegen/body/ownership.h"
#include "compiler/codegen/bounds/bounds.h"
#include "compiler/codegen/calls/call.h"
#include "compiler/codegen/control.h"
#include "compiler/codegen/cuda/debug_info.h"
#include "compiler/codegen/emit.h"
#include "compiler/codegen/emulated/lanes.h"
#include "compiler/codegen/body/observe.h"
#include "compiler/codegen/loops/strip.h"
#include "compiler/codegen/loops/turn.h"
#include "compiler/codegen/loops/twice.h"
#include "compiler/ir/analyses.h"

#include <assert.h>
#include <llvm-c/DebugInfo.h>
#include <stdio.h>
#include <string.h>

// "n" for the first value of a name in the function, then "n.1", "n.2": LLVM would put
// the number right behind the name, and a variable of the user may be called so.
static const char *distinct_name(struct body *body, const char *name)
{
    uintptr_t count = (uintptr_t)map_get(&body->names, name);
    map_set(&body->names, name, (void *)(count + 1));
    return count ? arena_printf(&body->gen->arena, "%s.%zu", name, (size_t)count) : name;
}

static void name_leaves(struct body *body, const struct ir_instr *instr, value *leaves)
{
    if (!instr->variable || !instr->type)
        return;
    const struct leaf_list *list = type_leaves(body->gen, instr->type);
    for (size_t i = 0; i < list->len; i++) {
        size_t len;
        value leaf = leaves[i];
        if (!leaf || !LLVMIsAInstruction(leaf))
            continue;
        LLVMGetValueName2(leaf, &len);
        if (len)
            continue;
        char name[128];
        snprintf(name, sizeof name, "%.80s%s", instr->variable, list->items[i].suffix);
        const char *distinct = distinct_name(body, name);
        LLVMSetValueName2(leaf, distinct, strlen(distinct));
    }
}

static void emit_return(struct body *body, const struct ir_instr *instr)
{
    if (instr->operand_count && !body->generator) {
        const struct ir_instr *result = instr->operands[0];
        ownership_return(body, result);
        value_store(body->gen, result->type, body->result, 0, operand(body, instr, 0));
    }
    value status = value_i32(body->gen, STATUS_OK);
    ownership_end(body, instr);
    if (ownership_ends_all(body))
        control_leave(body, status);
    else
        control_return(body, status);
}

static value branch_condition(struct body *body, const struct ir_instr *branch)
{
    int way = lanes_assume_branch(body, branch);
    return way < 0 ? operand(body, branch, 0)[0] : value_bool(body->gen, way == 0);
}

// The condition of a branch was computed where it stands; what is assumed about it (rows
// of threads, strips) may leave only one way.
static void end_block(struct body *body, const struct ir_instr *instr)
{
    LLVMBuilderRef builder = body->gen->builder;
    assert(!LLVMGetBasicBlockTerminator(LLVMGetInsertBlock(builder)));
    lanes_leave(body, instr);
    switch (instr->op) {
    case IR_JUMP:
        turn_mark(body, instr,
                LLVMBuildBr(builder,
                        body_edge_target(body, instr->block, instr->targets[0])));
        break;
    case IR_BRANCH:
        observe_branch(body, operand(body, instr, 0)[0], instr->span);
        if (!strip_branch(body, instr))
            LLVMBuildCondBr(builder, branch_condition(body, instr),
                    body_edge_target(body, instr->block, instr->targets[0]),
                    bounds_leave(body, instr->block,
                            body_edge_target(body, instr->block, instr->targets[1])));
        break;
    case IR_RETURN:
        emit_return(body, instr);
        break;
    case IR_GUARD:
        LLVMBuildBr(builder, body_edge_target(body, instr->block, instr->targets[0]));
        break;
    case IR_RERAISE:
        exception_reraise(body, instr);
        break;
    default:
        exception_raise(body, instr);
        break;
    }
}

// For what is said where this fails. In the library the caller's place stands.
static void note_place(const struct body *body, const struct ir_instr *instr)
{
    if (!body->options->is_library)
        guard_at(&instr->span);
}

void body_emit_terminator(struct body *body, const struct ir_instr *instr)
{
    note_place(body, instr);
    debug_at(body, instr->span);
    line_hook_at(body, instr);
    turn_end(body, instr->block);
    end_block(body, instr);
}

void body_emit_instr(struct body *body, const struct ir_instr *instr)
{
    note_place(body, instr);
    debug_at(body, instr->span);
    line_hook_at(body, instr);
    assert(!ir_is_terminator(instr->op));
    value *out = value_row(body->gen, type_leaf_count(body->gen, instr->type));
    body->values[instr->id] = out;
    bounds_ask_trusted(body, instr);
    emit_value(body, instr, out);
    name_leaves(body, instr, body->values[instr->id]);
    debug_assigned(body, instr);
    line_hook_assigned(body, instr);
    ownership_define(body, instr);
    ownership_end(body, instr);
    // the row may have been replaced by the instruction itself (ITERNEXT)
}

void body_emit_block(struct body *body, const struct ir_block *block)
{
    LLVMPositionBuilderAtEnd(body->gen->builder, body->starts[block->id]);
    body->block = block;
    call_enter_block(body, block);
    line_hook_enter(body);
    strip_phis(body, block);
    observe_phis(body, block);
    const struct ir_instr *instr = block->first;
    for (; instr && instr->op == IR_PHI; instr = instr->next) {
        body->values[instr->id] =
                value_row(body->gen, type_leaf_count(body->gen, instr->type));
        emit_phi(body, instr, body->values[instr->id]);
        name_leaves(body, instr, body->values[instr->id]);
    }
    ownership_phis(body, block);
    observe_enter(body, block);
    bounds_enter(body, block);
    for (const struct ir_instr *phi = block->first; phi != instr; phi = phi->next) {
        debug_assigned(body, phi);
        line_hook_assigned(body, phi);
    }
    for (; instr && !codegen_failed(body->gen); instr = instr->next) {
        if (ir_is_terminator(instr->op))
            body_emit_terminator(body, instr);
        else
            body_emit_instr(body, instr);
    }
    if (!body->ends[block->id])
        body->ends[block->id] = LLVMGetInsertBlock(body->gen->builder);
}

// Last: the LLVM block that an IR block ends in is known once all of it is emitted.
static void connect_phis(struct body *body)
{
    for (size_t i = 0; i < body->flow->order_len; i++) {
        const struct ir_instr *phi = body->flow->order[i]->first;
        for (size_t j = 0; phi && phi->op == IR_PHI; phi = phi->next)
            body_connect_phi(body, phi, j++);
    }
    observe_close(body, body_edge_source);
}

static void emit_cleanup(struct body *body)
{
    if (!body->cleanup)
        return;
    LLVMPositionBuilderAtEnd(body->gen->builder, body->cleanup);
    ownership_release_all(body);
    control_leave(body, body->cleanup_status);
}

static const struct source_options default_options;

// The line that a block's code begins at, after its phis.
static int first_line(const struct ir_block *block)
{
    ir_each_instr(instr,
            block) if (instr->op != IR_PHI && instr->span.line) return instr->span.line;
    return block->span.line;
}

// A kernel's fastmath is of the device functions that it calls, too, as the compiler's
// flag is in CUDA C; our own formulas stay exact.
static const struct source_options *options_of(const struct body *body)
{
    struct codegen *gen = body->gen;
    const struct source *source = body->ir->source;
    if (!source)
        return &default_options;
    const struct source *root = gen->root ? gen->root->source : NULL;
    bool is_given = gen->target->kind == TARGET_GPU && root && root->options.fastmath &&
                    !source->options.fastmath && !flow_is_of_library(body->ir);
    if (!is_given)
        return &source->options;
    struct source_options *options = arena_new(&gen->arena, struct source_options);
    *options = source->options;
    options->fastmath = true;
    return options;
}

// All tables are by the ids of the IR, in the module's arena, and end with the module.
void body_open(struct body *body)
{
    struct codegen *gen = body->gen;
    assert(body->ir->is_resolved && gen->analyses);
    size_t block_count = body->ir->blocks.len, id_count = (size_t)body->ir->next_id;
    body->options = options_of(body);
    body->flow = gen->analyses->flow(&gen->arena, body->ir);
    body->intervals = gen->analyses->intervals(
            body->ir, body->facts ? body->facts->intervals : NULL, &gen->arena);
    body->values = arena_array(&gen->arena, value *, id_count + 1);
    body->iterators = arena_array(&gen->arena, struct iterator *, id_count + 1);
    body->strips = arena_array(&gen->arena, struct strip *, block_count);
    body->turns = arena_array(&gen->arena, value, block_count);
    body->checked = arena_array(&gen->arena, bool, block_count);
    bounds_prepare(body, id_count);
    body->starts = arena_array(&gen->arena, LLVMBasicBlockRef, block_count);
    body->landings = arena_array(&gen->arena, struct landing *, block_count);
    body->ends = arena_array(&gen->arena, LLVMBasicBlockRef, block_count);
    debug_enter(body);
    line_hook_open(body);
    ownership_plan(body);
    LLVMBasicBlockRef before = LLVMGetInsertBlock(gen->builder);
    for (size_t i = 0; i < body->ir->param_count && body->ir->param_names; i++)
        if (body->ir->param_names[i])
            distinct_name(body, body->ir->param_names[i]); // taken
    for (size_t i = 0; i < body->flow->order_len; i++) {
        char name[32];
        int line = first_line(body->flow->order[i]);
        snprintf(name, sizeof name, line ? "line%d" : "block", line);
        body->starts[body->flow->order[i]->id] =
                body_block(body, distinct_name(body, name));
    }
    LLVMPositionBuilderAtEnd(gen->builder, before);
    observe_open(body);
    LLVMBuildBr(gen->builder, body->starts[body->flow->order[0]->id]);
}

// Emits the whole IR function; the builder stands where its code is to begin.
void body_emit(struct body *body)
{
    struct codegen *gen = body->gen;
    body_open(body);
    if (body->lanes)
        lanes_begin(body->lanes, body, body->flow->order[0]);
    if (body->turn.header)
        body->turn.end = body_block(body, "turn.end");
    for (size_t i = 0; i < body->flow->order_len && !codegen_failed(gen);) {
        size_t count = twice_emit(body, i, body_emit_block);
        if (!count)
            body_emit_block(body, body->flow->order[i]);
        i += count ? count : 1;
    }
    if (body->turn.header) {
        LLVMPositionBuilderAtEnd(gen->builder, body->turn.end);
        control_leave(body, value_i32(gen, STATUS_OK));
    }
    map_finish(&body->names);
    if (codegen_failed(gen))
        return;
    exception_finish_landings(body);
    connect_phis(body);
    emit_cleanup(body);
}

const struct emitter control_emitter = {
        .body = body_emit, .instr = body_emit_instr, .value = emit_value};
