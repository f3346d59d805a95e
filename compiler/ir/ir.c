// SPDX-License-Identifier: MIT
// Building and changing the SSA form: functions, blocks, instructions and their order.
#include "compiler/ir/ir.h"

#include <ctype.h>
#include <stdatomic.h>
#include <string.h>

#include "compiler/types/intrinsics.h"

enum { MANY = -1 };

static const struct {
    const char *text;
    int operands;
    bool has_result, has_effect;
} ops[] = {
#define OP(name, text, operands, has_result, has_effect)                                 \
    {text, operands, has_result, has_effect},
#include "compiler/ir/ir_ops.def"
#undef OP
};

static const char *const primitives[] = {
#define PRIMITIVE(name, text) text,
#include "compiler/ir/primitives.def"
#undef PRIMITIVE
};

// A name that no other function of the process has, of letters, digits and underscores.
// Two functions of the user may have one name, and one function has a version for each
// set of types. The number is the process's, so that it must not get into what is kept on
// disk: backend_plain_name takes it off again.
static const char *unique_symbol(struct arena *arena, const char *name)
{
    static atomic_uint count;
    char *symbol = arena_printf(arena, "gc_%s_%u", name, atomic_fetch_add(&count, 1) + 1);
    for (char *c = symbol; *c; c++)
        if (!isalnum((unsigned char)*c))
            *c = '_';
    return symbol;
}

struct ir_function *ir_function_create(const char *name)
{
    struct ir_function *function = memory_zalloc(sizeof *function);
    function->name = function->qualname = arena_strdup(&function->arena, name);
    function->symbol = unique_symbol(&function->arena, name);
    function->times_named = arena_array(&function->arena, atomic_uint, 1);
    atomic_init(function->times_named, 0);
    return function;
}

void ir_function_clear(struct ir_function *function)
{
    vec_each (block, &function->all_blocks)
        vec_finish(&(*block)->predecessors);
    function->all_blocks.len = function->blocks.len = 0;
    function->loop_notes = NULL;
}

// Instructions and all they point to lie in the arena; predecessors alone are from
// malloc, since a list that grows in an arena leaves its old copies there.
void ir_function_destroy(struct ir_function *function)
{
    if (!function)
        return;
    vec_each (block, &function->all_blocks)
        vec_finish(&(*block)->predecessors);
    vec_finish(&function->all_blocks);
    vec_finish(&function->blocks);
    arena_finish(&function->arena);
    free(function);
}

// `blocks` is what is reached, in order; passes drop blocks from it. `all_blocks` keeps
// them for the end: an edge that a pass has not looked at yet may still lead to one.
struct ir_block *ir_block_create(struct ir_function *function)
{
    struct ir_block *block = arena_new(&function->arena, struct ir_block);
    block->id = (int)function->blocks.len;
    block->function = function;
    vec_push(&function->blocks, block);
    vec_push(&function->all_blocks, block);
    return block;
}

struct ir_instr *ir_instr_create(struct ir_function *function, enum ir_op op,
        size_t operand_count, struct span span)
{
    struct ir_instr *instr = arena_new(&function->arena, struct ir_instr);
    instr->op = op;
    instr->id = function->next_id++;
    instr->span = span;
    instr->operand_count = operand_count;
    if (operand_count)
        instr->operands = arena_array(&function->arena, struct ir_instr *, operand_count);
    return instr;
}

void ir_append(struct ir_block *block, struct ir_instr *instr)
{
    instr->block = block;
    instr->previous = block->last;
    instr->next = NULL;
    if (block->last)
        block->last->next = instr;
    else
        block->first = instr;
    block->last = instr;
}

void ir_insert_before(struct ir_instr *place, struct ir_instr *instr)
{
    instr->block = place->block;
    instr->previous = place->previous;
    instr->next = place;
    if (place->previous)
        place->previous->next = instr;
    else
        place->block->first = instr;
    place->previous = instr;
}

// Whoever removes an instruction has seen to its uses before: nobody looks for them here,
// and there are no lists of uses to be kept up.
void ir_remove(struct ir_instr *instr)
{
    struct ir_block *block = instr->block;
    if (instr->previous)
        instr->previous->next = instr->next;
    else
        block->first = instr->next;
    if (instr->next)
        instr->next->previous = instr->previous;
    else
        block->last = instr->previous;
    instr->block = NULL;
    instr->previous = instr->next = NULL;
}

bool ir_is_terminator(enum ir_op op)
{
    return op == IR_JUMP || op == IR_BRANCH || op == IR_RETURN || op == IR_RAISE ||
           op == IR_RERAISE || op == IR_GUARD;
}

bool ir_has_result(enum ir_op op)
{
    return ops[op].has_result;
}

bool ir_has_effect(enum ir_op op)
{
    return ops[op].has_effect;
}

int ir_operand_count(enum ir_op op)
{
    return ops[op].operands;
}

const char *ir_op_name(enum ir_op op)
{
    return ops[op].text;
}

bool ir_has_operand(const struct ir_instr *instr, const struct ir_instr *value)
{
    for (size_t i = 0; i < instr->operand_count; i++)
        if (instr->operands[i] == value)
            return true;
    return false;
}

// A RAISE without a handler in this function leaves it, as a RETURN does; a GUARD leads
// to the next block and, if something before it in its block failed, to the handler.
size_t ir_successors(const struct ir_block *block, struct ir_block *successors[2])
{
    const struct ir_instr *last = block->last;
    if (last && (last->op == IR_RAISE || last->op == IR_RERAISE)) {
        successors[0] = last->raise.handler;
        return last->raise.handler != NULL;
    }
    if (!last || (last->op != IR_JUMP && last->op != IR_BRANCH && last->op != IR_GUARD))
        return 0;
    successors[0] = last->targets[0];
    if (last->op == IR_JUMP)
        return 1;
    successors[1] = last->targets[1];
    return 2;
}

struct ir_block *ir_handler(const struct ir_block *block)
{
    const struct ir_instr *last = block->last;
    if (last->op == IR_GUARD)
        return last->targets[1];
    return last->op == IR_RAISE || last->op == IR_RERAISE ? last->raise.handler : NULL;
}

const char *ir_primitive_name(enum ir_primitive primitive)
{
    return primitives[primitive];
}

// The rows of intrinsics.def are the last primitives, in the same order.
const struct intrinsic *ir_intrinsic(enum ir_primitive primitive)
{
    return primitive > PRIMITIVE_ATOMIC_CAS
                   ? &intrinsics[primitive - PRIMITIVE_ATOMIC_CAS - 1]
                   : NULL;
}

static bool is_between(enum ir_primitive primitive, enum intrinsic_effect least,
        enum intrinsic_effect most)
{
    const struct intrinsic *intrinsic = ir_intrinsic(primitive);
    return intrinsic && intrinsic->effect >= least && intrinsic->effect <= most;
}

bool ir_is_pure_intrinsic(enum ir_primitive primitive)
{
    return is_between(primitive, INTRINSIC_PURE, INTRINSIC_PURE);
}

bool ir_is_intrinsic_by_thread(enum ir_primitive primitive)
{
    return is_between(primitive, INTRINSIC_BY_THREAD, INTRINSIC_BY_THREAD);
}

bool ir_heeds_others(enum ir_primitive primitive)
{
    return is_between(primitive, INTRINSIC_WAITS, INTRINSIC_FENCE);
}

bool ir_orders_memory(enum ir_primitive primitive)
{
    return is_between(primitive, INTRINSIC_FENCE, INTRINSIC_FENCE);
}

bool ir_is_unknown_code(const struct ir_instr *instr)
{
    return instr->op == IR_PRIMITIVE &&
           (instr->primitive == PRIMITIVE_FOREIGN ||
                   (instr->primitive == PRIMITIVE_LLVM_TEXT &&
                           !(instr->immediate & LLVM_TEXT_IS_PURE)));
}
