// SPDX-License-Identifier: MIT
// PARALLEL_FOR: a function that runs a part of the loop for the thread pool, the call
// that shares the parts out, and the adding up of their results in order.
#include "compiler/codegen/base/types.h"
#include "compiler/codegen/base/value.h"
#include "compiler/codegen/body/counted_loop.h"
#include "compiler/codegen/body/declare.h"
#include "compiler/codegen/body/exit.h"
#include "compiler/codegen/body/ownership.h"
#include "compiler/codegen/loops/parallel_for.h"

#include <assert.h>
#include <string.h>

enum { BOUND_COUNT = 3 };

// Operands: three bounds, what the body uses, one initial total for each result.
static size_t captured_count(const struct ir_instr *instr)
{
    assert(instr->operand_count >= instr->parallel->result_count + BOUND_COUNT);
    return instr->operand_count - instr->parallel->result_count - BOUND_COUNT;
}

// The types of what the body uses, behind its bounds.
static const struct type *captured_type(const struct ir_instr *instr)
{
    const struct ir_function *body = instr->parallel->body_function;
    return type_tuple(body->params + BOUND_COUNT, captured_count(instr));
}

static value *operand_leaves(struct body *body, const struct ir_instr *instr,
        size_t first, size_t count, unsigned *len)
{
    struct codegen *gen = body->gen;
    *len = 0;
    for (size_t i = 0; i < count; i++)
        *len += (unsigned)type_leaf_count(gen, instr->operands[first + i]->type);
    value *leaves = value_row(gen, *len);
    size_t at = 0;
    for (size_t i = 0; i < count; i++) {
        size_t part = type_leaf_count(gen, instr->operands[first + i]->type);
        memcpy(leaves + at, operand(body, instr, first + i), part * sizeof *leaves);
        at += part;
    }
    return leaves;
}

// Shared by all threads, and only read. It is in this function's frame: nobody leaves
// before all parts are done.
static value context_slot(struct body *body, const struct ir_instr *instr)
{
    struct codegen *gen = body->gen;
    const struct type *type = captured_type(instr);
    unsigned len;
    value *leaves = operand_leaves(body, instr, BOUND_COUNT, captured_count(instr), &len);
    value slot =
            value_alloca(body, LLVMArrayType2(gen->i8, abi_size(type) + 1), "captured");
    LLVMSetAlignment(slot, 16);
    value_store(gen, type, slot, 0, leaves);
    return slot;
}

// --- What this function knows of what the body takes

// Of what nothing comes to, which has no interval, anything may be thought.
static struct interval known_interval(
        const struct body *body, const struct ir_instr *instr)
{
    struct interval interval = body->intervals[instr->id];
    bool is_known = type_is_integer(instr->type) && interval.low <= interval.high;
    return is_known ? interval : (struct interval){INT64_MIN, INT64_MAX};
}

// A part's numbers lie among those of the whole range. No part runs of an empty one.
static struct interval *argument_intervals(
        struct body *body, const struct ir_instr *instr, size_t count)
{
    struct interval *all = arena_array(&body->gen->arena, struct interval, count);
    for (size_t i = 0; i < count; i++)
        all[i] = known_interval(body, instr->operands[i]);
    struct interval start = all[0], stop = all[1];
    bool is_up = all[2].low > 0, is_down = all[2].high < 0;
    int64_t low = is_up || (!is_down && start.low < stop.low) ? start.low : stop.low;
    int64_t high = is_down || (!is_up && start.high > stop.high) ? start.high : stop.high;
    all[0] = all[1] = (struct interval){low, high < low ? low : high};
    return all;
}

static bool is_plain_constant(value leaf)
{
    return LLVMIsAConstantInt(leaf) || LLVMIsAConstantFP(leaf) ||
           LLVMIsAConstantPointerNull(leaf);
}

// Of leaves of the parameters; the first three are the bounds, of which each part has
// others, but for the step.
static struct argument_facts *make_facts(
        struct codegen *gen, const value *leaves, unsigned count)
{
    struct argument_facts *facts = arena_new(&gen->arena, struct argument_facts);
    value *constants = value_row(gen, count);
    unsigned *same = arena_array(&gen->arena, unsigned, count);
    for (unsigned i = 0; i < count; i++) {
        bool is_shared = i >= BOUND_COUNT - 1;
        constants[i] = is_shared && is_plain_constant(leaves[i]) ? leaves[i] : NULL;
        same[i] = i;
        for (unsigned k = BOUND_COUNT; is_shared && k < i; k++)
            if (leaves[k] == leaves[i]) {
                same[i] = k;
                break;
            }
    }
    facts->constants = constants;
    facts->same = same;
    return facts;
}

// A range that rises ends, in each part, with the stop of the whole at most; one that
// falls begins with the start at most.
static unsigned *find_limits(struct codegen *gen, const value *leaves, unsigned count,
        size_t param_count, struct interval step)
{
    unsigned *at_most = arena_array(&gen->arena, unsigned, param_count);
    int bound = step.low > 0 ? 1 : step.high < 0 ? 0 : -1;
    for (unsigned i = BOUND_COUNT; bound >= 0 && i < count && !at_most[bound]; i++)
        if (leaves[i] == leaves[bound])
            at_most[bound] = i + 1;
    return at_most;
}

// The body's code as it would be in this function's loop.
// Indices that cannot be negative or too large, strides and factors that are constants,
// and extents that are known by two names: without these a loop does not vectorise, or
// asks in each turn.
static const struct argument_facts *find_facts(
        struct body *body, const struct ir_instr *instr)
{
    struct codegen *gen = body->gen;
    size_t params = BOUND_COUNT + captured_count(instr);
    unsigned count;
    value *leaves = operand_leaves(body, instr, 0, params, &count);
    struct argument_facts *facts = make_facts(gen, leaves, count);
    struct interval *intervals = argument_intervals(body, instr, params);
    facts->intervals = intervals;
    facts->at_most = find_limits(gen, leaves, count, params, intervals[2]);
    return facts;
}

// i32 part(captured, start, stop, step, result)
// The pool knows this one form of function. It runs on another thread: it must not touch
// slots of the body around it.
static value part_function(struct body *body, const struct ir_instr *instr)
{
    struct codegen *gen = body->gen;
    const struct ir_function *ir = instr->parallel->body_function;
    assert(ir && ir->param_count == BOUND_COUNT + captured_count(instr));
    struct callee *callee = codegen_declare_copy(gen, ir, find_facts(body, instr));
    LLVMBasicBlockRef here = LLVMGetInsertBlock(gen->builder);
    LLVMTypeRef params[5] = {gen->ptr, gen->i64, gen->i64, gen->i64, gen->ptr};
    const char *name = arena_printf(&gen->arena, "%s.part", ir->symbol);
    value function = LLVMAddFunction(
            gen->module, name, LLVMFunctionType(gen->i32, params, 5, false));
    LLVMSetLinkage(function, LLVMInternalLinkage);
    codegen_attribute(gen, function, LLVMAttributeFunctionIndex, "nounwind", 0);
    LLVMPositionBuilderAtEnd(
            gen->builder, LLVMAppendBasicBlockInContext(gen->context, function, "entry"));
    const struct type *type = captured_type(instr);
    size_t count = type_leaf_count(gen, type) + 4;
    value *args = value_row(gen, count);
    args[0] = LLVMGetParam(function, 4);
    for (unsigned i = 0; i < BOUND_COUNT; i++)
        args[i + 1] = LLVMGetParam(function, i + 1);
    value_load(gen, type, LLVMGetParam(function, 0), 0, "", args + 4);
    value status = LLVMBuildCall2(
            gen->builder, callee->type, callee->function, args, (unsigned)count, "");
    LLVMBuildRet(gen->builder, status);
    LLVMPositionBuilderAtEnd(gen->builder, here);
    return function;
}

// --- Adding up

// Totals live in memory while the parts are added to them.
// In order of the parts, so that sums of floats are the same in each run with as many
// threads.
static value totals_slot(struct body *body, const struct ir_instr *instr)
{
    struct codegen *gen = body->gen;
    size_t results = instr->parallel->result_count;
    unsigned len;
    value *leaves =
            operand_leaves(body, instr, instr->operand_count - results, results, &len);
    value slot = value_alloca(
            body, LLVMArrayType2(gen->i8, abi_size(instr->type) + 1), "totals");
    LLVMSetAlignment(slot, 16);
    ownership_retain(body, instr->type, leaves);
    value_store(gen, instr->type, slot, 0, leaves);
    return slot;
}

// combine's parameters alternate: a total, its part.
static void interleave(struct codegen *gen, const struct ir_function *combine,
        const value *totals, const value *parts, value *out)
{
    for (size_t i = 0; i < combine->param_count; i++) {
        size_t len = type_leaf_count(gen, combine->params[i]);
        const value **from = i % 2 ? &parts : &totals;
        memcpy(out, *from, len * sizeof *out);
        *from += len;
        out += len;
    }
}

static void add_part(struct body *body, const struct ir_instr *instr, value slot,
        value part, struct span span)
{
    struct codegen *gen = body->gen;
    const struct ir_function *combine = instr->parallel->combine_function;
    const struct type *parts_type = instr->parallel->body_function->returns;
    struct callee *callee = codegen_declare(gen, combine, combine->symbol);
    size_t total_count = type_leaf_count(gen, instr->type);
    size_t part_count = type_leaf_count(gen, parts_type);
    value *totals = value_row(gen, total_count), *parts = value_row(gen, part_count);
    value_load(gen, instr->type, slot, 0, "", totals);
    value_load(gen, parts_type, part, 0, "", parts);
    value *args = value_row(gen, 1 + total_count + part_count);
    args[0] = slot;
    interleave(gen, combine, totals, parts, args + 1);
    value status = LLVMBuildCall2(gen->builder, callee->type, callee->function, args,
            (unsigned)(1 + total_count + part_count), "");
    ownership_release(body, instr->type, totals);
    ownership_release(body, parts_type, parts);
    if (callee->can_fail)
        control_check_call(body, status, span);
}

static value call(struct codegen *gen, const char *name, LLVMTypeRef returns,
        const value *args, unsigned count)
{
    LLVMTypeRef types[8] = {NULL};
    for (unsigned i = 0; i < count; i++)
        types[i] = LLVMTypeOf(args[i]);
    return codegen_call(
            gen, codegen_external(gen, name, returns, types, count), args, count, "");
}

static void add_parts(struct body *body, const struct ir_instr *instr, value results,
        int64_t stride, value slot)
{
    struct codegen *gen = body->gen;
    value count = call(gen, "gridcell_parallel_count", gen->i64, &results, 1);
    struct counted_loop loop;
    value index = control_loop_open(body, count, &loop);
    value offset = LLVMBuildMul(gen->builder, index, value_i64(gen, stride), "");
    value part = LLVMBuildInBoundsGEP2(gen->builder, gen->i8, results, &offset, 1, "");
    add_part(body, instr, slot, part, instr->span);
    control_loop_close(body, &loop);
}

void parallel_for(struct body *body, const struct ir_instr *instr, value *out)
{
    struct codegen *gen = body->gen;
    const struct type *parts_type = instr->parallel->body_function->returns;
    size_t results = instr->parallel->result_count;
    int64_t stride = results ? ((int64_t)abi_size(parts_type) + 15) / 16 * 16 : 0;
    value place = value_alloca(body, gen->ptr, "parts");
    value args[7] = {part_function(body, instr), context_slot(body, instr),
            operand(body, instr, 0)[0], operand(body, instr, 1)[0],
            operand(body, instr, 2)[0], value_i64(gen, stride), place};
    value status = call(gen, "gridcell_parallel_for", gen->i32, args, 7);
    control_check_call(body, status, instr->span);
    if (!results)
        return;
    value parts = LLVMBuildLoad2(gen->builder, gen->ptr, place, "");
    value slot = totals_slot(body, instr);
    add_parts(body, instr, parts, stride, slot);
    call(gen, "gridcell_parallel_free", gen->void_type, &parts, 1);
    value_load(gen, instr->type, slot, 0, "", out);
}

void parallel_question(struct body *body, const struct ir_instr *instr, value *out)
{
    struct codegen *gen = body->gen;
    bool is_number = instr->primitive == PRIMITIVE_THREAD_NUMBER;
    if (gen->target->kind != TARGET_HOST)
        out[0] = value_i64(gen, is_number ? 0 : 1);
    else
        out[0] = call(gen, is_number ? "gridcell_thread_number" : "gridcell_thread_count",
                gen->i64, NULL, 0);
}
