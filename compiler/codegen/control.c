// SPDX-License-Identifier: MIT
// Control flow: blocks and phis, branches, returns, the ways out with an error, and the
// polling of loops for interruption.
#include "compiler/codegen/bounds/bounds.h"
#include "compiler/codegen/emulated/lanes.h"
#include "compiler/codegen/cuda/debug_info.h"

#include <llvm-c/DebugInfo.h>
#include <stdio.h>
#include <string.h>

LLVMBasicBlockRef body_block(struct body *body, const char *name)
{
    return LLVMAppendBasicBlockInContext(body->gen->context, body->function, name);
}

LLVMBasicBlockRef body_block_after(struct body *body, const char *name)
{
    LLVMBasicBlockRef next =
            LLVMGetNextBasicBlock(LLVMGetInsertBlock(body->gen->builder));
    if (next)
        return LLVMInsertBasicBlockInContext(body->gen->context, next, name);
    return body_block(body, name);
}

static void finish_return(struct body *body, value status)
{
    LLVMBuilderRef builder = body->gen->builder;
    switch (body->mode) {
    case RETURN_STATUS:
        LLVMBuildRet(builder, status);
        break;
    case RETURN_VOID:
        LLVMBuildRetVoid(builder);
        break;
    case RETURN_JUMP:
        LLVMBuildStore(builder, status, body->status_slot);
        LLVMBuildBr(builder, body->exit);
        break;
    }
}

void control_return(struct body *body, value status)
{
    LLVMBuilderRef builder = body->gen->builder;
    if (exception_catch(body, status))
        return;
    if (!body->owns_memory) {
        finish_return(body, status);
        return;
    }
    LLVMBasicBlockRef from = LLVMGetInsertBlock(builder);
    if (!body->cleanup) {
        body->cleanup = body_block(body, "cleanup");
        LLVMPositionBuilderAtEnd(builder, body->cleanup);
        body->cleanup_status = LLVMBuildPhi(builder, body->gen->i32, "status");
        LLVMPositionBuilderAtEnd(builder, from);
    }
    LLVMAddIncoming(body->cleanup_status, &status, &from, 1);
    LLVMBuildBr(builder, body->cleanup);
}

// Tells LLVM that the first successor of a branch is hardly ever taken.
static void mark_unlikely(struct codegen *gen, value branch)
{
    LLVMMetadataRef weights[3] = {
            LLVMMDStringInContext2(gen->context, "branch_weights", 14),
            LLVMValueAsMetadata(value_i32(gen, 1)),
            LLVMValueAsMetadata(value_i32(gen, 1048575)),
    };
    LLVMMetadataRef node = LLVMMDNodeInContext2(gen->context, weights, 3);
    LLVMSetMetadata(branch, LLVMGetMDKindIDInContext(gen->context, "prof", 4),
            LLVMMetadataAsValue(gen->context, node));
}

void control_branch_unlikely(
        struct body *body, value condition, LLVMBasicBlockRef yes, LLVMBasicBlockRef no)
{
    struct codegen *gen = body->gen;
    mark_unlikely(gen, LLVMBuildCondBr(gen->builder, condition, yes, no));
}

static void leave_if(struct body *body, value condition, value status, const char *name)
{
    LLVMBuilderRef builder = body->gen->builder;
    LLVMBasicBlockRef next = body_block_after(body, "next");
    LLVMBasicBlockRef failure = body_block(body, name);
    control_branch_unlikely(body, condition, failure, next);
    LLVMPositionBuilderAtEnd(builder, failure);
    control_return(body, status);
    LLVMPositionBuilderAtEnd(builder, next);
}

void control_check_call(struct body *body, value status, struct span span)
{
    LLVMBuilderRef builder = body->gen->builder;
    value failed = LLVMBuildICmp(
            builder, LLVMIntNE, status, value_i32(body->gen, STATUS_OK), "");
    LLVMBasicBlockRef next = body_block_after(body, "next");
    LLVMBasicBlockRef failure = body_block(body, "failed");
    control_branch_unlikely(body, failed, failure, next);
    LLVMPositionBuilderAtEnd(builder, failure);
    exception_trace_call(body, span);
    control_return(body, status);
    LLVMPositionBuilderAtEnd(builder, next);
}

static const char *class_of(enum error_kind kind)
{
    switch (kind) {
    case ERROR_ZERO_DIVISION:
        return "ZeroDivisionError";
    case ERROR_INDEX:
        return "IndexError";
    case ERROR_VALUE:
        return "ValueError";
    case ERROR_TYPE:
        return "TypeError";
    default:
        return "RuntimeError";
    }
}

void control_raise_if(struct body *body, value condition, enum error_kind kind,
        const char *message, struct span span)
{
    // a condition known to be false: no code and no site
    if (LLVMIsAConstantInt(condition) && !LLVMConstIntGetZExtValue(condition))
        return;
    int site = codegen_raise_site(body, kind, class_of(kind), NULL, message, span);
    leave_if(body, condition, value_i32(body->gen, site), "raise");
}

void control_raise_format_if(struct body *body, value condition, enum error_kind kind,
        const char *plain, const char *format, const struct type *tuple,
        const value *leaves, struct span span)
{
    if (body->gen->target->kind != TARGET_HOST) {
        control_raise_if(body, condition, kind, plain, span);
        return;
    }
    LLVMBuilderRef builder = body->gen->builder;
    LLVMBasicBlockRef next = body_block_after(body, "next");
    LLVMBasicBlockRef failure = body_block(body, "raise");
    control_branch_unlikely(body, condition, failure, next);
    LLVMPositionBuilderAtEnd(builder, failure);
    exception_raise_format(body, kind, format, tuple, leaves, span);
    LLVMPositionBuilderAtEnd(builder, next);
}

void control_fail_if(struct body *body, value condition, value status)
{
    leave_if(body, condition, status, "failed");
}

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

static void emit_phi(struct body *body, const struct ir_instr *instr, value *out)
{
    const struct leaf_list *list = type_leaves(body->gen, instr->type);
    for (size_t i = 0; i < list->len; i++)
        out[i] = LLVMBuildPhi(
                body->gen->builder, type_llvm(body->gen, list->items[i].type), "");
}

static void emit_arg(struct body *body, const struct ir_instr *instr, value *out)
{
    size_t at = 0;
    for (int i = 0; i < instr->index; i++)
        at += type_leaf_count(body->gen, body->ir->params[i]);
    size_t count = type_leaf_count(body->gen, instr->type);
    memcpy(out, body->args + at, count * sizeof *out);
    if (instr->type->kind != TYPE_ARRAY || !instr->type->array.ndim)
        return;
    // the stride of the dense axis is a constant, which is what vectorisation needs to
    // know
    int ndim = instr->type->array.ndim;
    value item = value_i64(body->gen, (int64_t)array_item_bytes(instr->type));
    if (instr->type->array.layout == LAYOUT_C)
        out[ARRAY_STRIDE(instr->type, ndim - 1)] = item;
    else if (instr->type->array.layout == LAYOUT_F)
        out[ARRAY_STRIDE(instr->type, 0)] = item;
}

static void emit_tuple(struct body *body, const struct ir_instr *instr, value *out)
{
    for (size_t i = 0; i < instr->operand_count; i++) {
        size_t count = type_leaf_count(body->gen, instr->operands[i]->type);
        memcpy(out, operand(body, instr, i), count * sizeof *out);
        out += count;
    }
}

static void emit_tuple_get(struct body *body, const struct ir_instr *instr, value *out)
{
    const struct type *tuple = instr->operands[0]->type;
    value *from = operand(body, instr, 0);
    if (tuple->kind == TYPE_TUPLE || tuple->kind == TYPE_CLOSURE ||
            tuple->kind == TYPE_CHOICE)
        for (int i = 0; i < instr->index; i++)
            from += type_leaf_count(body->gen, tuple->tuple.items[i]);
    else // dim3, slice, range, complex: all leaves are alike
        from += instr->index;
    memcpy(out, from, type_leaf_count(body->gen, instr->type) * sizeof *out);
}

static void emit_select(struct body *body, const struct ir_instr *instr, value *out)
{
    size_t count = type_leaf_count(body->gen, instr->type);
    value condition = operand(body, instr, 0)[0];
    for (size_t i = 0; i < count; i++)
        out[i] = value_select(body->gen, condition, operand(body, instr, 1)[i],
                operand(body, instr, 2)[i]);
}

// Negative ones count from the end.
static void emit_tuple_index(struct body *body, const struct ir_instr *instr, value *out)
{
    struct codegen *gen = body->gen;
    value index = operand(body, instr, 0)[0], len = value_i64(gen, instr->immediate);
    value is_negative =
            LLVMBuildICmp(gen->builder, LLVMIntSLT, index, value_i64(gen, 0), "");
    out[0] = value_select(
            gen, is_negative, LLVMBuildAdd(gen->builder, index, len, ""), index);
    if (gen->target->kind == TARGET_GPU)
        return;
    value is_outside = LLVMBuildICmp(gen->builder, LLVMIntUGE, out[0], len, "");
    control_raise_if(
            body, is_outside, ERROR_INDEX, "tuple index out of range", instr->span);
}

static void emit_primitive(struct body *body, const struct ir_instr *instr, value *out)
{
    enum ir_primitive primitive = instr->primitive;
    if (primitive <= PRIMITIVE_MATH_ISFINITE)
        math_primitive(body, instr, out);
    else if (primitive == PRIMITIVE_THREAD_NUMBER || primitive == PRIMITIVE_THREAD_COUNT)
        out[0] = parallel_question(body, primitive == PRIMITIVE_THREAD_NUMBER);
    else if (primitive == PRIMITIVE_SELECT)
        emit_select(body, instr, out);
    else if (primitive == PRIMITIVE_BITS)
        out[0] = operand(body, instr, 0)[0];
    else if (primitive < PRIMITIVE_SELECT)
        number_primitive(body, instr, out);
    else if (primitive <= PRIMITIVE_RANDOM_SEED_NP)
        random_primitive(body, instr, out);
    else if (primitive <= PRIMITIVE_ZIP)
        range_primitive(body, instr, out);
    else if (primitive == PRIMITIVE_SLICE)
        slice_primitive(body, instr, out);
    else if (primitive == PRIMITIVE_EXTERNAL)
        call_external(body, instr, out);
    else if (primitive == PRIMITIVE_CALL_VALUE)
        callable_call(body, instr, out);
    else if (primitive >= PRIMITIVE_POINTER_ARRAY && primitive <= PRIMITIVE_ARRAY_POINTER)
        pointer_primitive(body, instr, out);
    else if (primitive == PRIMITIVE_FOREIGN)
        foreign_call(body, instr, out);
    else if (primitive <= PRIMITIVE_ARRAY_IMAG)
        array_primitive(body, instr, out);
    else if (primitive >= PRIMITIVE_LIST_NEW && primitive <= PRIMITIVE_CELL_IS)
        row_primitive(body, instr, out);
    else if (primitive == PRIMITIVE_PRINT)
        body->gen->target->print(body, instr);
    else if (primitive <= PRIMITIVE_TEXT_LEN)
        text_primitive(body, instr, out);
    else if (primitive == PRIMITIVE_TUPLE_INDEX)
        emit_tuple_index(body, instr, out);
    else if (primitive <= PRIMITIVE_CUDA_THREADFENCE)
        cuda_primitive(body, instr, out);
    else
        atomic_primitive(body, instr, out);
}

static void emit_return(struct body *body, const struct ir_instr *instr)
{
    if (instr->operand_count && !body->generator) {
        const struct ir_instr *result = instr->operands[0];
        ownership_return(body, result);
        value_store(body->gen, result->type, body->result, 0, operand(body, instr, 0));
    }
    control_return(body, value_i32(body->gen, STATUS_OK));
}

static void emit_value(struct body *body, const struct ir_instr *instr, value *out)
{
    switch (instr->op) {
    case IR_CONST:
        value_constant(body, &instr->constant, out);
        break;
    case IR_ARG:
        emit_arg(body, instr, out);
        break;
    case IR_PHI:
        emit_phi(body, instr, out);
        break;
    case IR_UNARY:
        arith_unary(body, instr, operand(body, instr, 0), out);
        break;
    case IR_BINARY:
        arith_binary(body, instr, out);
        break;
    case IR_COMPARE:
        out[0] = compare_instr(body, instr);
        break;
    case IR_BUILD_TUPLE:
    case IR_MAKE_CLOSURE:
        emit_tuple(body, instr, out);
        break;
    case IR_TUPLE_GET:
        emit_tuple_get(body, instr, out);
        break;
    case IR_GETITER:
        iter_open(body, instr);
        break;
    case IR_ITERNEXT:
        iter_next(body, instr);
        break;
    case IR_PAIR_FIRST:
        iter_item(body, instr, out);
        break;
    case IR_PAIR_SECOND:
        out[0] = operand(body, instr, 0)[0];
        break;
    case IR_CAST:
        cast_value(body, instr->operands[0]->type, instr->type, operand(body, instr, 0),
                out, instr->span);
        break;
    case IR_PRIMITIVE:
        emit_primitive(body, instr, out);
        break;
    case IR_CAUGHT:
        exception_caught(body, out);
        break;
    case IR_MATCH:
        out[0] = exception_matches(body, instr);
        break;
    case IR_PARALLEL_FOR:
        parallel_for(body, instr, out);
        break;
    case IR_OBJMODE:
        objmode_call(body, instr, out);
        break;
    case IR_YIELD:
        generator_yield(body, instr);
        break;
    case IR_CATCH:
        exception_catch_end(body, instr);
        break;
    case IR_CALL_DIRECT:
        call_direct(body, instr, out);
        break;
    default:
        codegen_fail(body->gen, ERROR_LOWERING, instr->span,
                "an instruction of the Python level reached code generation");
    }
}

static value branch_condition(struct body *body, const struct ir_instr *branch)
{
    int way = lanes_assume_branch(body, branch);
    return way < 0 ? operand(body, branch, 0)[0] : value_bool(body->gen, way == 0);
}

static void end_block(struct body *body, const struct ir_instr *instr)
{
    LLVMBuilderRef builder = body->gen->builder;
    lanes_leave(body, instr);
    switch (instr->op) {
    case IR_JUMP:
        turn_mark(body, instr,
                LLVMBuildBr(builder,
                        body_edge_target(body, instr->block, instr->targets[0])));
        break;
    case IR_BRANCH:
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

void control_poll(struct body *body)
{
    struct codegen *gen = body->gen;
    value flag =
            LLVMBuildLoad2(gen->builder, gen->i32, gen->target->stop_flag(body), "stop");
    LLVMSetVolatile(flag, true);
    value is_set = LLVMBuildICmp(gen->builder, LLVMIntNE, flag, value_i32(gen, 0), "");
    leave_if(body, is_set, value_i32(gen, STATUS_INTERRUPTED), "interrupted");
}

void body_emit_terminator(struct body *body, const struct ir_instr *instr)
{
    debug_at(body, instr->span);
    turn_end(body, instr->block);
    end_block(body, instr);
}

void body_emit_instr(struct body *body, const struct ir_instr *instr)
{
    debug_at(body, instr->span);
    value *out = value_row(body->gen, type_leaf_count(body->gen, instr->type));
    body->values[instr->id] = out;
    emit_value(body, instr, out);
    name_leaves(body, instr, body->values[instr->id]);
    debug_assigned(body, instr);
    ownership_define(body, instr);
    // the row may have been replaced by the instruction itself (ITERNEXT)
}

void body_emit_block(struct body *body, const struct ir_block *block)
{
    LLVMPositionBuilderAtEnd(body->gen->builder, body->starts[block->id]);
    body->block = block;
    call_enter_block(body, block);
    strip_phis(body, block);
    const struct ir_instr *instr = block->first;
    for (; instr && instr->op == IR_PHI; instr = instr->next) {
        body->values[instr->id] =
                value_row(body->gen, type_leaf_count(body->gen, instr->type));
        emit_phi(body, instr, body->values[instr->id]);
        name_leaves(body, instr, body->values[instr->id]);
    }
    ownership_phis(body, block);
    for (const struct ir_instr *phi = block->first; phi != instr; phi = phi->next)
        debug_assigned(body, phi);
    for (; instr && !codegen_failed(body->gen); instr = instr->next) {
        if (ir_is_terminator(instr->op))
            body_emit_terminator(body, instr);
        else
            body_emit_instr(body, instr);
    }
    if (!body->ends[block->id])
        body->ends[block->id] = LLVMGetInsertBlock(body->gen->builder);
}

static void connect_phis(struct body *body)
{
    for (size_t i = 0; i < body->flow->order_len; i++) {
        const struct ir_instr *phi = body->flow->order[i]->first;
        for (size_t j = 0; phi && phi->op == IR_PHI; phi = phi->next)
            body_connect_phi(body, phi, j++);
    }
}

static void emit_cleanup(struct body *body)
{
    if (!body->cleanup)
        return;
    LLVMPositionBuilderAtEnd(body->gen->builder, body->cleanup);
    ownership_release_all(body);
    finish_return(body, body->cleanup_status);
}

static const struct source_options default_options;

// The line that a block's code begins at, after its phis.
static int first_line(const struct ir_block *block)
{
    ir_each_instr(instr,
            block) if (instr->op != IR_PHI && instr->span.line) return instr->span.line;
    return block->span.line;
}

void body_open(struct body *body)
{
    struct codegen *gen = body->gen;
    size_t block_count = body->ir->blocks.len, id_count = (size_t)body->ir->next_id;
    body->options = body->ir->source ? &body->ir->source->options : &default_options;
    body->flow = flow_analyse(&gen->arena, body->ir);
    body->intervals = ir_find_intervals(body->ir, &gen->arena);
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
    for (size_t i = 0; i < body->flow->order_len && !codegen_failed(gen); i++)
        body_emit_block(body, body->flow->order[i]);
    if (body->turn.header) {
        LLVMPositionBuilderAtEnd(gen->builder, body->turn.end);
        finish_return(body, value_i32(gen, STATUS_OK));
    }
    map_finish(&body->names);
    if (codegen_failed(gen))
        return;
    exception_finish_landings(body);
    connect_phis(body);
    emit_cleanup(body);
}
