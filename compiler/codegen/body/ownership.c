// SPDX-License-Identifier: MIT
// Arrays, strings and objects made by compiled code are reference-counted (struct
// abi_memory). Each SSA value that may bring in such memory (an allocation, a call, a phi
// of these) has a slot that holds one reference to its latest incarnation; views and
// tuples derived from it need none, as their definition is dominated by its own. A slot
// is released, and cleared, as soon as neither the value nor what depends on it is used
// any more (analysis/lifetime.c), and by failures on their way out.
//
// What must hold, for each path through the function:
//  - A slot holds one reference, or NULL. It is cleared where the body begins, so that a
//    failure on any path may release all slots without asking which were reached, and
//    which are released already.
//  - Arguments are the caller's: none has a slot, and none is released here.
//  - The result leaves with one reference: that of its slot, which is cleared, or a new
//    one. Only what `ownership_returns_borrowed` names leaves without, and its callers
//    make no slot for it.
//  - What is stored in an object or a list has a reference of its own (values/row.c): a
//    new one, or that of its slot, where the value ends with the store.
//  - At a return, and where a value that is not a phi is made, the slots of all values
//    that end are clear, but for those that live to the end (is_long).
#include "compiler/codegen/analysis/flow.h"
#include "compiler/codegen/analysis/lifetime.h"
#include "compiler/codegen/base/types.h"
#include "compiler/codegen/base/value.h"
#include "compiler/codegen/body/declare.h"
#include "compiler/codegen/body/exception.h"
#include "compiler/codegen/body/ownership.h"
#include "compiler/types/kinds.h"

#include <assert.h>

enum {
    MOST_SINGLE = 32,  // slots that are each their own
    MOST_MEETINGS = 4, // of ways, one behind the other, that a lent result comes through
};

// Whether counted memory can be anywhere among the leaves, or in what comes out of the
// value: an open ITERATOR has no such leaf of its own (memory_leaf_count), but its items
// may.
static bool is_counted_type(const struct type *type)
{
    return type && type_is_counted(type);
}

// Whether an ITERNEXT is over a list: it may change while its item is in use.
static bool brings_items(const struct ir_instr *next)
{
    return next->op == IR_ITERNEXT && next->operands[0]->type &&
           type_iterates_list(next->operands[0]->type);
}

// Whether a field's value stays in its object, which the caller keeps, for as long as the
// function runs.
bool ownership_borrows(const struct body *body, const struct ir_instr *instr)
{
    return instr->op == IR_PRIMITIVE && instr->primitive == PRIMITIVE_CELL_GET &&
           instr->operands[0]->op == IR_ARG && body->ir->fields == FIELDS_STAY;
}

// Whether the value is an array, or a view of one, that an argument of its function
// brings. Of where ways meet so many lead there, or one goes round a loop: no.
//
// Results that are lent: a function of the library that returns a view of what it was
// given takes no reference on it: the caller's argument outlives the call. LLVM could
// not remove the pair of atomic operations after inlining.
static bool is_of_argument(
        struct codegen *gen, const struct ir_instr *instr, unsigned meetings)
{
    if (instr->op == IR_ARG)
        return true;
    if (instr->op == IR_PHI) {
        for (size_t i = 0; i < instr->operand_count; i++)
            if (!meetings || !is_of_argument(gen, instr->operands[i], meetings - 1))
                return false;
        return true;
    }
    if (instr->op == IR_CALL_DIRECT) {
        if (!codegen_declare(gen, instr->callee, instr->callee->symbol)->borrows)
            return false;
        for (size_t i = 0; i < instr->operand_count; i++)
            if (is_counted_type(instr->operands[i]->type) &&
                    !is_of_argument(gen, instr->operands[i], meetings))
                return false;
        return true;
    }
    return instr->op == IR_PRIMITIVE &&
           (instr->primitive == PRIMITIVE_ARRAY_VIEW ||
                   instr->primitive == PRIMITIVE_ARRAY_TRANSPOSE ||
                   instr->primitive == PRIMITIVE_ARRAY_RESHAPE ||
                   instr->primitive == PRIMITIVE_ARRAY_BROADCAST ||
                   instr->primitive == PRIMITIVE_ARRAY_STRIDED) &&
           is_of_argument(gen, instr->operands[0], meetings);
}

bool ownership_returns_borrowed(struct codegen *gen, const struct ir_function *function)
{
    assert(function->is_resolved);
    if (gen->target->kind != TARGET_HOST || function->is_generator ||
            !function->returns || function->returns->kind != TYPE_ARRAY ||
            !flow_is_of_library(function))
        return false;
    vec_each (block, &function->blocks) {
        const struct ir_instr *last = (*block)->last;
        if (last->op == IR_RETURN &&
                !is_of_argument(gen, last->operands[0], MOST_MEETINGS))
            return false;
    }
    return true;
}

static bool brings_new(struct body *body, const struct ir_instr *call)
{
    struct codegen *gen = body->gen;
    return gen->target->kind != TARGET_HOST ||
           !codegen_declare(gen, call->callee, call->callee->symbol)->borrows;
}

static bool makes_memory(struct body *body, const struct ir_instr *instr)
{
    if (!is_counted_type(instr->type) || ownership_borrows(body, instr))
        return false;
    if (instr->op == IR_CAUGHT)
        return exception_is_held(body, instr);
    if (instr->op == IR_CALL_DIRECT)
        return brings_new(body, instr);
    if (instr->op == IR_PARALLEL_FOR || instr->op == IR_OBJMODE ||
            (instr->op == IR_PAIR_FIRST && brings_items(instr->operands[0])))
        return true;
    if (instr->op == IR_PAIR_FIRST) // the generator forgets it when it is asked again
        return type_asks_generator(instr->operands[0]->operands[0]->type);
    return instr->op == IR_PRIMITIVE &&
           (instr->primitive == PRIMITIVE_ARRAY_EMPTY ||
                   instr->primitive == PRIMITIVE_ARRAY_ZEROS ||
                   instr->primitive == PRIMITIVE_LLVM_TEXT ||
                   instr->primitive == PRIMITIVE_TEXT_CALL ||
                   instr->primitive == PRIMITIVE_TEXT_BUILD ||
                   instr->primitive == PRIMITIVE_CALL_VALUE ||
                   instr->primitive == PRIMITIVE_LIST_NEW ||
                   instr->primitive == PRIMITIVE_LIST_LOAD ||
                   instr->primitive == PRIMITIVE_LIST_PART ||
                   instr->primitive == PRIMITIVE_CELL_NEW ||
                   instr->primitive == PRIMITIVE_CELL_GET);
}

// Whether some operand of an array-valued instruction brings counted memory.
static bool derives(const struct ir_instr *instr, const bool *is_counted)
{
    if (!is_counted_type(instr->type))
        return false;
    for (size_t i = 0; i < instr->operand_count; i++)
        if (is_counted[instr->operands[i]->id])
            return true;
    return false;
}

// The places of counted memory among the leaves of a type, from `start` on; with `leaves`
// NULL only their number. An array as argument has no memory of its own (the leaf is
// NULL, which retain and release take), but its type cannot tell that.
static size_t memory_leaf_count(
        struct codegen *gen, const struct type *type, size_t *leaves, size_t start)
{
    if (type_traits_of(type)->counted == COUNTED_FIRST) {
        if (leaves)
            leaves[0] = start; // ARRAY_MEMORY, STRING_MEMORY, CAUGHT_MEMORY, the object
        return 1;
    }
    if (type->kind == TYPE_ITERATOR)
        return 0;
    if (type_traits_of(type)->counted == COUNTED_ELEMENT)
        return memory_leaf_count(gen, type->element, leaves, start);
    size_t count = 0;
    if (type_traits_of(type)->counted == COUNTED_ITEMS)
        for (size_t i = 0; i < type->tuple.len; i++) {
            count += memory_leaf_count(
                    gen, type->tuple.items[i], leaves ? leaves + count : NULL, start);
            start += type_leaf_count(gen, type->tuple.items[i]);
        }
    return count;
}

static void count_reference(struct body *body, value memory, bool is_release)
{
    struct codegen *gen = body->gen;
    if (gen->target->kind != TARGET_HOST)
        return; // on devices there is none to count
    value function = codegen_external(gen,
            is_release ? "gridcell_memory_release" : "gridcell_memory_retain",
            gen->void_type, &gen->ptr, 1);
    codegen_call(gen, function, &memory, 1, "");
}

static void each_memory(struct body *body, const struct type *type, const value *leaves,
        void (*visit)(struct body *body, value memory, size_t index, void *context),
        void *context)
{
    if (!is_counted_type(type))
        return;
    size_t count = memory_leaf_count(body->gen, type, NULL, 0);
    size_t *indices = arena_array(&body->gen->arena, size_t, count + 1);
    memory_leaf_count(body->gen, type, indices, 0);
    for (size_t i = 0; i < count; i++)
        visit(body, leaves ? leaves[indices[i]] : NULL, i, context);
}

// A constant is NULL, or memory of the module: neither is counted.
static void retain_memory(struct body *body, value memory, size_t index, void *context)
{
    if (!LLVMIsConstant(memory))
        count_reference(body, memory, false);
}

static void release_memory(struct body *body, value memory, size_t index, void *context)
{
    if (!LLVMIsConstant(memory))
        count_reference(body, memory, true);
}

void ownership_retain(struct body *body, const struct type *type, const value *leaves)
{
    each_memory(body, type, leaves, retain_memory, NULL);
}

void ownership_release(struct body *body, const struct type *type, const value *leaves)
{
    each_memory(body, type, leaves, release_memory, NULL);
}

// Without a branch: a release of NULL does nothing.
static void release_unless(struct body *body, value memory, size_t index, void *context)
{
    value none = LLVMConstNull(body->gen->ptr);
    count_reference(body, value_select(body->gen, context, none, memory), true);
}

void ownership_release_unless(
        struct body *body, const struct type *type, const value *leaves, value condition)
{
    each_memory(body, type, leaves, release_unless, condition);
}

static value slot_part(struct body *body, value slot, size_t index)
{
    return value_offset(body->gen, slot, 8 * index);
}

static void keep_memory(struct body *body, value memory, size_t index, void *context)
{
    LLVMBuildStore(body->gen->builder, memory, slot_part(body, context, index));
}

// The new one is in its slot before the old one goes: at no point does a slot hold what
// was freed.
static void replace_memory(struct body *body, value memory, size_t index, void *context)
{
    struct codegen *gen = body->gen;
    value slot = slot_part(body, context, index);
    value old = LLVMBuildLoad2(gen->builder, gen->ptr, slot, "");
    LLVMBuildStore(gen->builder, memory, slot);
    count_reference(body, old, true);
}

static void release_slot(struct body *body, value memory, size_t index, void *context)
{
    struct codegen *gen = body->gen;
    value slot = slot_part(body, context, index);
    count_reference(body, LLVMBuildLoad2(gen->builder, gen->ptr, slot, ""), true);
}

// Also where its reference is given away: who clears a slot has taken over what it held.
static void clear_slot(struct body *body, value memory, size_t index, void *context)
{
    struct codegen *gen = body->gen;
    LLVMBuildStore(
            gen->builder, LLVMConstNull(gen->ptr), slot_part(body, context, index));
}

// Whether the instruction puts its last operand into a list or an object.
static bool is_store(const struct ir_instr *instr)
{
    return instr->op == IR_PRIMITIVE &&
           (instr->primitive == PRIMITIVE_LIST_STORE ||
                   instr->primitive == PRIMITIVE_LIST_PUSH ||
                   instr->primitive == PRIMITIVE_LIST_APPEND ||
                   instr->primitive == PRIMITIVE_LIST_SET_PART ||
                   instr->primitive == PRIMITIVE_CELL_SET);
}

// The operand whose reference leaves its slot with the instruction, or NULL. Not an
// array's: one that is an argument has none to give.
static const struct ir_instr *given_by(
        const struct body *body, const struct ir_instr *instr)
{
    if (instr->op == IR_RETURN)
        return instr->operands[0];
    if (!body->lifetime || !is_store(instr))
        return NULL;
    const struct ir_instr *stored = instr->operands[instr->operand_count - 1];
    const struct ir_instr *const *ended = body->lifetime->after[instr->id];
    bool may_leave = body->owned[stored->id] &&
                     (type_is_object(stored->type) || stored->type->kind == TYPE_STRING);
    for (; may_leave && ended && *ended; ended++)
        if (*ended == stored)
            return stored;
    return NULL;
}

bool ownership_give(struct body *body, const struct ir_instr *store)
{
    assert(is_store(store));
    const struct ir_instr *stored = given_by(body, store);
    if (stored)
        each_memory(body, stored->type, NULL, clear_slot, body->owned[stored->id]);
    return stored != NULL;
}

// Releases each owner of a list at its last use; what was given away has left its slot.
static void end_all(struct body *body, const struct ir_instr *const *owners,
        const struct ir_instr *given)
{
    for (; owners && *owners; owners++) {
        if (*owners == given)
            continue;
        value slot = body->owned[(*owners)->id];
        each_memory(body, (*owners)->type, NULL, release_slot, slot);
        each_memory(body, (*owners)->type, NULL, clear_slot, slot);
    }
}

void ownership_end(struct body *body, const struct ir_instr *instr)
{
    if (body->lifetime)
        end_all(body, body->lifetime->after[instr->id], given_by(body, instr));
}

bool ownership_ends_all(const struct body *body)
{
    return body->lifetime && !body->lifetime->has_long;
}

void ownership_return(struct body *body, const struct ir_instr *result)
{
    const struct callee *callee =
            map_get_bytes(&body->gen->functions, &body->ir, sizeof body->ir);
    assert(result->type && body->values[result->id]);
    if (callee && callee->borrows)
        return;
    if (body->owned[result->id]) // what the slot holds goes to the caller
        each_memory(body, result->type, NULL, clear_slot, body->owned[result->id]);
    else
        ownership_retain(body, result->type, body->values[result->id]);
}

// A slot of its own becomes registers: where failures meet to release all slots, each of
// them is a phi over all failures. The compiler's time grows with the square of what is
// many; such slots lie in a row that stays memory, because a function of C releases it.
static void make_slot(struct body *body, const struct ir_instr *instr, size_t at)
{
    struct codegen *gen = body->gen;
    assert(!body->owned[instr->id] && is_counted_type(instr->type));
    LLVMTypeRef type =
            LLVMArrayType2(gen->ptr, memory_leaf_count(gen, instr->type, NULL, 0));
    body->owned[instr->id] = body->owned_row ? slot_part(body, body->owned_row, at)
                                             : value_alloca(body, type, "owned");
    each_memory(body, instr->type, NULL, clear_slot, body->owned[instr->id]);
}

// `needs_slot` by instruction id.
static void make_slots(struct body *body, const bool *needs_slot)
{
    struct codegen *gen = body->gen;
    size_t at = 0;
    for (size_t i = 0; i < body->flow->order_len; i++)
        ir_each_instr(instr, body->flow->order[i]) if (needs_slot[instr->id])
                body->owned_count += memory_leaf_count(gen, instr->type, NULL, 0);
    body->owns_memory = body->owned_count > 0;
    if (body->owned_count > MOST_SINGLE && gen->target->kind == TARGET_HOST)
        body->owned_row =
                value_alloca(body, LLVMArrayType2(gen->ptr, body->owned_count), "owned");
    for (size_t i = 0; i < body->flow->order_len; i++)
        ir_each_instr(instr, body->flow->order[i]) if (needs_slot[instr->id])
        {
            make_slot(body, instr, at);
            at += memory_leaf_count(gen, instr->type, NULL, 0);
        }
}

static void find_ends(struct body *body)
{
    struct arena *arena = &body->gen->arena;
    size_t id_count = (size_t)body->ir->next_id;
    bool *is_owner = arena_array(arena, bool, id_count + 1);
    for (size_t i = 0; i < id_count; i++)
        is_owner[i] = body->owned[i] != NULL;
    body->lifetime = lifetime_find(arena, body->ir, body->flow, is_owner);
}

// Finds the values that need a slot. The builder stands where the body begins.
// Two walks: what counts as counted spreads from makers to phis and derived values until
// nothing changes; slots go to makers and to phis of counted values. A value that is not
// counted (a view of an argument) flows into such a phi with NULL or memory that the
// phi retains, so that each incarnation of the phi's slot has a reference of its own.
void ownership_plan(struct body *body)
{
    struct arena *arena = &body->gen->arena;
    size_t id_count = (size_t)body->ir->next_id;
    body->owned = arena_array(arena, value, id_count + 1);
    bool *is_counted = arena_array(arena, bool, id_count + 1);
    bool *needs_slot = arena_array(arena, bool, id_count + 1);
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < body->flow->order_len; i++)
            ir_each_instr(
                    instr, body->flow->order[i]) if (!is_counted[instr->id] &&
                                                     (makes_memory(body, instr) ||
                                                             derives(instr, is_counted)))
                    is_counted[instr->id] = changed = true;
    }
    for (size_t i = 0; i < body->flow->order_len; i++)
        ir_each_instr(instr, body->flow->order[i]) needs_slot[instr->id] =
                makes_memory(body, instr) ||
                (instr->op == IR_PHI && is_counted[instr->id]);
    make_slots(body, needs_slot);
    // a debugger may look at all variables until the function ends
    bool ends_early = body->gen->target->kind == TARGET_HOST && !body->hooked;
    if (body->owns_memory && ends_early)
        find_ends(body);
}

// Whether the slot may still hold the value's previous incarnation.
static bool is_made_again(const struct body *body, const struct ir_instr *instr)
{
    const struct lifetime *lifetime = body->lifetime;
    if (lifetime && instr->op == IR_PHI)
        return lifetime->is_again[instr->id];
    bool is_in_loop = body->flow->depth[instr->block->id] > 0 || body->generator;
    return is_in_loop && (!lifetime || lifetime->is_long[instr->id]);
}

// A new value takes its slot over from its previous incarnation.
void ownership_define(struct body *body, const struct ir_instr *instr)
{
    bool is_again = is_made_again(body, instr);
    if (body->owned[instr->id])
        each_memory(body, instr->type, body->values[instr->id],
                is_again ? replace_memory : keep_memory, body->owned[instr->id]);
}

// Phis of a block change at once: all are retained before any old value goes.
void ownership_phis(struct body *body, const struct ir_block *block)
{
    const struct ir_instr *instr;
    for (instr = block->first; instr && instr->op == IR_PHI; instr = instr->next)
        if (body->owned[instr->id])
            each_memory(body, instr->type, body->values[instr->id], retain_memory, NULL);
    for (instr = block->first; instr && instr->op == IR_PHI; instr = instr->next)
        ownership_define(body, instr);
    if (body->lifetime)
        end_all(body, body->lifetime->at_start[block->id], NULL);
}

void ownership_release_all(struct body *body)
{
    struct codegen *gen = body->gen;
    if (body->owned_row) {
        LLVMTypeRef types[] = {gen->ptr, gen->i64};
        value args[] = {body->owned_row, value_i64(gen, (int64_t)body->owned_count)};
        codegen_call(gen,
                codegen_external(
                        gen, "gridcell_memory_release_each", gen->void_type, types, 2),
                args, 2, "");
        return;
    }
    for (size_t i = 0; i < body->flow->order_len; i++)
        ir_each_instr(instr, body->flow->order[i]) if (body->owned[instr->id])
                each_memory(
                        body, instr->type, NULL, release_slot, body->owned[instr->id]);
}
