// SPDX-License-Identifier: MIT
// Kernels for the emulated device: one call runs a block of threads. A kernel without
// barriers becomes a loop over the threads (emulator/rows.c), one with barriers a loop
// for each part between them (emulator/segments.c), or, where threads may come to a
// barrier by different ways, a coroutine for each thread (emulator/rounds.c).
#include "compiler/backends/emulator/emulator.h"

#include <assert.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "compiler/backends/cpu/jit.h"
#include "compiler/backends/emulator/block.h"
#include "compiler/codegen/analysis/counters.h"
#include "compiler/codegen/analysis/reach.h"
#include "compiler/codegen/base/types.h"
#include "compiler/codegen/base/value.h"
#include "compiler/codegen/body/declare.h"
#include "compiler/codegen/body/exit.h"
#include "compiler/codegen/emulated/interchange.h"
#include "compiler/codegen/emulated/segments.h"

value block_field(struct block_entry *entry, LLVMTypeRef type, size_t offset)
{
    struct codegen *gen = entry->gen;
    return LLVMBuildLoad2(
            gen->builder, type, value_offset(gen, entry->block, offset), "");
}

// All blocks of a grid are given the same arguments; they are loaded once for each block.
static void load_args(struct block_entry *entry, value args)
{
    struct codegen *gen = entry->gen;
    const struct ir_function *ir = entry->ir;
    size_t *offsets = arena_array(&gen->arena, size_t, ir->param_count + 1), count = 0;
    abi_block_layout(ir->params, ir->param_count, offsets);
    for (size_t i = 0; i < ir->param_count; i++)
        count += type_leaf_count(gen, ir->params[i]);
    entry->args = value_row(gen, count);
    for (size_t i = 0; i < ir->param_count; i++) {
        const char *name =
                ir->param_names && ir->param_names[i] ? ir->param_names[i] : "";
        value_load(gen, ir->params[i], value_offset(gen, args, offsets[i]), 0, name,
                entry->args + entry->arg_count);
        entry->arg_count += type_leaf_count(gen, ir->params[i]);
    }
}

// Opens i32 name(block, args) and loads what all threads share.
static void open_entry(struct block_entry *entry, const char *name)
{
    struct codegen *gen = entry->gen;
    LLVMTypeRef params[2] = {gen->ptr, gen->ptr};
    value function = LLVMAddFunction(
            gen->module, name, LLVMFunctionType(gen->i32, params, 2, false));
    codegen_attribute(gen, function, LLVMAttributeFunctionIndex, "nounwind", 0);
    entry->body = (struct body){
            .gen = gen, .ir = entry->ir, .function = function, .mode = RETURN_STATUS};
    entry->body.allocas = body_block(&entry->body, "entry");
    LLVMPositionBuilderAtEnd(gen->builder, entry->body.allocas);
    entry->block = LLVMGetParam(function, 0);
    load_args(entry, LLVMGetParam(function, 1));
    for (size_t axis = 0; axis < 3; axis++) {
        value extent = block_field(entry, gen->i32,
                offsetof(struct abi_emulated_block, block_dim) + 4 * axis);
        value_set_range(gen, extent, 1, EMULATED_BLOCK_THREADS + 1);
        entry->extent[axis] = LLVMBuildZExt(gen->builder, extent, gen->i64, "");
    }
}

void block_close(struct block_entry *entry)
{
    LLVMBuildRet(entry->gen->builder, value_i32(entry->gen, STATUS_OK));
}

// Leaves the block with a thread's error, noting which thread it was.
void block_return_failure(
        struct block_entry *entry, value status, const value *coordinates)
{
    struct codegen *gen = entry->gen;
    for (size_t axis = 0; axis < 3; axis++) {
        size_t offset = offsetof(struct abi_emulated_block, failed_thread) + 4 * axis;
        LLVMBuildStore(
                gen->builder, coordinates[axis], value_offset(gen, entry->block, offset));
    }
    LLVMBuildRet(gen->builder, status);
}

void block_check_stop(struct block_entry *entry)
{
    struct codegen *gen = entry->gen;
    value flag = block_field(entry, gen->ptr, offsetof(struct abi_emulated_block, stop));
    value stop = LLVMBuildLoad2(gen->builder, gen->i32, flag, "");
    LLVMSetVolatile(stop, true);
    value is_set = LLVMBuildICmp(gen->builder, LLVMIntNE, stop, value_i32(gen, 0), "");
    control_fail_if(&entry->body, is_set, value_i32(gen, STATUS_INTERRUPTED));
}

// Arguments of a kernel or thread function: one pointer, the hidden four, the leaves.
value *block_thread_args(struct block_entry *entry, value first, const value *coordinates)
{
    value *args = value_row(entry->gen, 5 + entry->arg_count);
    args[0] = first;
    args[1] = entry->block;
    memcpy(args + 2, coordinates, 3 * sizeof *args);
    memcpy(args + 5, entry->args, entry->arg_count * sizeof *args);
    return args;
}

// x, y, z of a thread by its number.
void block_coordinates(struct block_entry *entry, value number, value *coordinates)
{
    LLVMBuilderRef b = entry->gen->builder;
    for (int axis = 0; axis < 3; axis++) {
        value here = LLVMBuildURem(b, number, entry->extent[axis], "");
        coordinates[axis] = LLVMBuildTrunc(b, here, entry->gen->i32, "");
        number = LLVMBuildUDiv(b, number, entry->extent[axis], "");
    }
}

// Known only when all of the kernel is emitted; code that asks for it reads a global.
// What is behind it, the dynamic part, is to begin at a multiple of 16.
static void set_static_shared_bytes(struct compiled *compiled, struct codegen *gen)
{
    compiled->static_shared_bytes = (gen->shared_bytes + 15) & ~(size_t)15;
    value global = LLVMGetNamedGlobal(gen->module, "static_shared_bytes");
    if (global)
        LLVMSetInitializer(
                global, value_i64(gen, (int64_t)compiled->static_shared_bytes));
}

static bool is_counter(const struct ir_function *kernel, size_t param)
{
    ir_each_instr(instr,
            kernel->blocks.items[0]) if (instr->op == IR_ARG &&
                                         instr->index ==
                                                 (int)param) return counters_are(kernel,
            instr);
    return false;
}

// Lists the array arguments, if there is one that the kernel only counts in and the
// others are known.
static void list_arrays(struct compiled *compiled, struct arena *arena)
{
    const struct ir_function *ir = compiled->function;
    size_t *offsets = arena_array(arena, size_t, ir->param_count + 1);
    struct array_argument *list =
            arena_array(arena, struct array_argument, ir->param_count + 1);
    size_t count = 0;
    bool counts = false;
    compiled->argument_bytes = abi_block_layout(ir->params, ir->param_count, offsets);
    for (size_t i = 0; i < ir->param_count; i++) {
        const struct type *type = ir->params[i];
        if (type->kind == TYPE_INT || type->kind == TYPE_FLOAT ||
                type->kind == TYPE_BOOL || type->kind == TYPE_COMPLEX)
            continue;
        if (type->kind != TYPE_ARRAY)
            return;
        list[count] = (struct array_argument){
                offsets[i], type->array.ndim, abi_size(type->element), is_counter(ir, i)};
        counts |= list[count++].is_counter;
    }
    if (counts) {
        compiled->array_arguments = list;
        compiled->array_argument_count = count;
    }
}

struct emulated_names {
    const char *thread, *entry, *frame_bytes; // frame_bytes: NULL without barriers
};

// Which form the block takes. Cut at its barriers is best, as loops over threads
// vectorise; coroutines are for what cannot be cut. Without barriers, turns together come
// before threads one by one: neighbours then read neighbouring memory.
static bool emit_module(struct compilation *c, struct emulated_names *names)
{
    struct compiled *compiled = c->compiled;
    struct codegen *gen = c->emulated.gen;
    const struct ir_function *ir = compiled->function;
    struct block_entry entry = {.gen = gen,
            .ir = ir,
            .syncs_grid = c->reach.syncs_grid,
            .joins_blocks = compiled->joins_blocks};
    if (c->emulated.segments) {
        names->frame_bytes = NULL; // no thread has a frame
        compiled->private->shown_symbol = names->entry;
        open_entry(&entry, names->entry);
        compiled->frame_bytes = emulated_segments_emit(&entry, c->emulated.segments);
    } else if (names->frame_bytes) {
        open_entry(&entry, names->entry);
        emulated_rounds_emit(&entry, names->thread, names->frame_bytes);
    } else if (c->emulated.header) {
        compiled->private->shown_symbol = names->entry;
        open_entry(&entry, names->entry);
        emulated_turns_emit(&entry, c->emulated.header);
    } else {
        struct callee *kernel = codegen_declare(gen, ir, names->thread);
        LLVMSetLinkage(kernel->function, LLVMExternalLinkage);
        if (!codegen_emit_pending(
                    gen)) // what the kernel is made of decides how it may run
            return false;
        open_entry(&entry, names->entry);
        emulated_loop_emit(&entry, kernel);
    }
    codegen_emit_pending(gen);
    set_static_shared_bytes(compiled, gen);
    return !codegen_failed(gen);
}

static struct emulated_names make_names(struct compiled *compiled, bool has_barrier)
{
    struct arena *arena = &compiled->private->arena;
    const char *symbol = backend_unique_name(arena, compiled->function);
    compiled->private->shown_symbol = symbol;
    return (struct emulated_names){
            .thread = symbol,
            .entry = arena_printf(arena, "%s.block", symbol),
            .frame_bytes =
                    has_barrier ? arena_printf(arena, "%s.frame_bytes", symbol) : NULL,
    };
}

// Beyond this LLVM doubles loops for conditions that stay the same in them: with all the
// loops over threads that is much to compile, and gains nothing.
enum { MOST_OPTIMISATION = 2 };

bool emulator_check(struct compilation *c)
{
    const struct ir_function *ir = c->compiled->function;
    if (ir->returns && ir->returns->kind != TYPE_NONE)
        return error_set(c->err, ERROR_TYPING, ir->blocks.items[0]->span,
                "a kernel must not return a value");
    if (c->opt_level > MOST_OPTIMISATION)
        c->opt_level = MOST_OPTIMISATION;
    return true;
}

// Whether it runs thread by thread, without copies and without loops over threads that
// take anything for granted: somebody looks.
static bool is_watched(const struct compilation *c)
{
    return c->options->debug || c->options->is_observed;
}

bool emulator_find_counters(struct compilation *c)
{
    if (!is_watched(c))
        list_arrays(c->compiled, &c->compiled->private->arena);
    return true;
}

bool emulator_open(struct compilation *c)
{
    if (!jit_start(c->err))
        return false;
    struct codegen *gen = c->emulated.gen = memory_alloc(sizeof *gen);
    c->compiled->private->opt_level = c->opt_level;
    c->context = jit_context_create();
    codegen_init(gen, &target_emulator, c->context, c->compiled->function->name, c->err);
    gen->root = c->compiled->function;
    gen->analyses = c->analyses;
    jit_target_module(gen->module);
    gen->checks_shared = c->compiled->checks_shared = c->options->debug;
    gen->is_observed = c->options->is_observed;
    gen->has_line_hooks = c->compiled->has_line_hooks = c->options->has_line_hooks;
    return true;
}

bool emulator_find_lanes(struct compilation *c)
{
    struct compiled *compiled = c->compiled;
    compiled->joins_blocks = !c->reach.has_barrier && !is_watched(c) &&
                             lanes_may_join_blocks(compiled->function);
    compiled->walks_rows = compiled->joins_blocks &&
                           lanes_walk_rows(c->emulated.gen, compiled->function);
    return true;
}

bool emulator_find_turns(struct compilation *c)
{
    if (!c->reach.has_barrier && !c->options->is_observed && !c->options->has_line_hooks)
        c->emulated.header = interchange_find(c->emulated.gen, c->compiled->function);
    return true;
}

bool emulator_find_segments(struct compilation *c)
{
    if (c->reach.has_barrier && !c->reach.syncs_grid && !is_watched(c))
        c->emulated.segments = segments_find(c->emulated.gen, c->compiled->function);
    return true;
}

bool emulator_emit(struct compilation *c)
{
    struct compiled *compiled = c->compiled;
    struct codegen *gen = c->emulated.gen;
    struct emulated_names names = make_names(compiled, c->reach.has_barrier);
    bool is_done = emit_module(c, &names);
    if (c->emulated.segments)
        segments_finish(c->emulated.segments);
    backend_take_raise_sites(compiled, gen);
    backend_take_observed(compiled, gen);
    compiled->uses_dynamic_shared = gen->uses_dynamic_shared;
    c->emulated.entry = names.entry;
    c->emulated.frame_bytes = names.frame_bytes;
    c->module = codegen_finish(gen, is_done);
    c->emulated.gen = NULL;
    free(gen);
    return c->module != NULL;
}

// LLVM knows the frame's size when it has split the coroutine; it is a constant by then.
bool emulator_settle_frame(struct compilation *c)
{
    if (c->emulated.frame_bytes)
        c->compiled->frame_bytes =
                emulated_rounds_slot_bytes(c->module, c->emulated.frame_bytes);
    return true;
}

bool emulator_load(struct compilation *c)
{
    if (!jit_load(c))
        return false;
    c->compiled->emulated_entry =
            (abi_emulated_entry)jit_lookup(c->emulated.entry, c->err);
    return c->compiled->emulated_entry != NULL;
}
