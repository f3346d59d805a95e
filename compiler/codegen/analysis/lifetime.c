// SPDX-License-Identifier: MIT
// Last uses. An owner is a value that holds a reference on counted memory. What is made
// of it without a reference of its own (a view, a tuple, an iterator, an address) depends
// on it: the owner lives as long as anything that depends on it is used.
//
// What must hold, so that nobody reads what was released:
//  - Whatever may point into an owner's memory depends on it. So does, to be on the safe
//    side, what cannot be told: an integer computed from an address, any value with a
//    pointer that was given an owner.
//  - Uses of an iteration are where it is asked, not where the iterator was made.
//  - What a handler uses lives throughout each block whose failures come to it: a block
//    may fail at any of its instructions.
//  - Who depends on an owner by way of a phi that owns nothing may use the memory of an
//    earlier turn: such an owner is left to the end (is_long).
#include "compiler/codegen/analysis/lifetime.h"

#include <string.h>

#include "compiler/types/kinds.h"

enum { BITS = 64 };
typedef uint64_t word;

struct analysis {
    struct arena *arena;
    const struct ir_function *function;
    const struct flow *flow;
    const bool *is_owner;
    struct lifetime *lifetime;
    size_t owner_count, words;      // of a set
    const struct ir_instr **owners; // by number
    int *numbers;                   // by instruction id; -1: no owner
    word **depends;                 // by instruction id: set of owners, or NULL
    bool *is_address;               // by instruction id: an integer that may be one
    word **in, **out, **any;        // by block id: after the phis, at the end, anywhere
    word *is_long;                  // set
    word *edge, *live, *handled, *ended; // sets for a while
};

// --- Sets

static word *set_new(const struct analysis *a)
{
    return arena_array(a->arena, word, a->words);
}

static void set_copy(const struct analysis *a, word *set, const word *from)
{
    memcpy(set, from, a->words * sizeof *set);
}

static void set_clear(const struct analysis *a, word *set)
{
    memset(set, 0, a->words * sizeof *set);
}

static void set_subtract(const struct analysis *a, word *set, const word *less)
{
    for (size_t i = 0; i < a->words; i++)
        set[i] &= ~less[i];
}

static bool set_has(const word *set, int number)
{
    return set[number / BITS] >> number % BITS & 1;
}

static void set_put(word *set, int number)
{
    set[number / BITS] |= (word)1 << number % BITS;
}

static void set_drop(word *set, int number)
{
    set[number / BITS] &= ~((word)1 << number % BITS);
}

// Whether it has grown.
static bool set_join(const struct analysis *a, word *set, const word *more)
{
    word grown = 0;
    for (size_t i = 0; more && i < a->words; i++) {
        grown |= more[i] & ~set[i];
        set[i] |= more[i];
    }
    return grown;
}

static const struct ir_instr **set_list(const struct analysis *a, const word *set)
{
    size_t count = 0;
    for (size_t i = 0; i < a->words; i++)
        count += (size_t)__builtin_popcountll(set[i]);
    if (!count)
        return NULL;
    const struct ir_instr **list =
            arena_array(a->arena, const struct ir_instr *, count + 1);
    count = 0;
    for (size_t i = 0; i < a->words; i++)
        for (word left = set[i]; left; left &= left - 1)
            list[count++] = a->owners[i * BITS + (size_t)__builtin_ctzll(left)];
    return list;
}

// --- What depends on what

// Whether a value of the type may have a pointer in it; `raw`: one without a reference.
static bool has_pointer(const struct type *type, bool raw)
{
    if (!type)
        return false;
    switch (type_traits_of(type)->shape) {
    case SHAPE_NOTHING:
        return type_traits_of(type)->role == ROLE_ITERATOR;
    case SHAPE_POINTER:
    case SHAPE_RECORD:
    case SHAPE_CELLS:
        return true;
    case SHAPE_REFERENCE:
    case SHAPE_CAUGHT:
    case SHAPE_TEXT:
    case SHAPE_ARRAY:
        return !raw;
    case SHAPE_ELEMENT:
    case SHAPE_OPTIONAL:
    case SHAPE_ENUMERATE:
        return has_pointer(type->element, raw);
    case SHAPE_ITEMS:
        for (size_t i = 0; i < type->tuple.len; i++)
            if (has_pointer(type->tuple.items[i], raw))
                return true;
        return false;
    default:
        return false;
    }
}

static bool is_made_of_address(const struct analysis *a, const struct ir_instr *instr)
{
    if (instr->op == IR_PRIMITIVE && instr->primitive == PRIMITIVE_POINTER_ADDRESS)
        return true;
    if (!instr->type || instr->type->kind != TYPE_INT)
        return false;
    for (size_t i = 0; i < instr->operand_count; i++)
        if (a->is_address[instr->operands[i]->id])
            return true;
    return false;
}

static bool depends_on_operands(struct analysis *a, const struct ir_instr *instr)
{
    if (is_made_of_address(a, instr))
        a->is_address[instr->id] = true;
    return instr->op == IR_ITERNEXT || a->is_address[instr->id] ||
           has_pointer(instr->type, a->is_owner[instr->id]);
}

static bool find_dependence(struct analysis *a, const struct ir_instr *instr)
{
    bool is_changed = false;
    if (!depends_on_operands(a, instr))
        return false;
    for (size_t i = 0; i < instr->operand_count; i++) {
        const word *more = a->depends[instr->operands[i]->id];
        if (more && !a->depends[instr->id])
            a->depends[instr->id] = set_new(a);
        is_changed |= more && set_join(a, a->depends[instr->id], more);
    }
    return is_changed;
}

static void find_dependences(struct analysis *a)
{
    for (bool is_changed = true; is_changed;) {
        is_changed = false;
        for (size_t i = 0; i < a->flow->order_len; i++)
            ir_each_instr(instr, a->flow->order[i]) is_changed |=
                    find_dependence(a, instr);
    }
    for (size_t i = 0; i < a->flow->order_len; i++)
        ir_each_instr(phi, a->flow->order[i])
        {
            if (phi->op == IR_PHI && !a->is_owner[phi->id])
                set_join(a, a->is_long, a->depends[phi->id]);
        }
}

// --- Who lives where

static bool is_reached(const struct analysis *a, const struct ir_block *block)
{
    return a->flow->position[block->id] >= 0;
}

// Who lives on the way from a block into its successor.
static void join_edge(struct analysis *a, word *live, const struct ir_block *from,
        const struct ir_block *to)
{
    const struct ir_instr *phi;
    set_copy(a, a->edge, a->in[to->id]);
    for (phi = to->first; phi && phi->op == IR_PHI; phi = phi->next)
        if (a->is_owner[phi->id])
            set_drop(a->edge, a->numbers[phi->id]);
    for (phi = to->first; phi && phi->op == IR_PHI; phi = phi->next)
        for (size_t way = 0; way < to->predecessors.len; way++)
            if (to->predecessors.items[way] == from)
                set_join(a, a->edge, a->depends[phi->operands[way]->id]);
    set_join(a, live, a->edge);
}

// Who lives before an instruction, given who does after it.
static void step_back(struct analysis *a, word *live, const struct ir_instr *instr)
{
    if (a->is_owner[instr->id])
        set_drop(live, a->numbers[instr->id]);
    for (size_t i = 0; i < instr->operand_count; i++)
        set_join(a, live, a->depends[instr->operands[i]->id]);
}

static void find_handled(struct analysis *a, const struct ir_block *block)
{
    const struct ir_block *handler = ir_handler(block);
    set_clear(a, a->handled);
    if (handler)
        join_edge(a, a->handled, block, handler);
}

static bool find_live(struct analysis *a, const struct ir_block *block)
{
    struct ir_block *successors[2];
    size_t count = ir_successors(block, successors);
    for (size_t i = 0; i < count; i++)
        join_edge(a, a->out[block->id], block, successors[i]);
    find_handled(a, block);
    set_copy(a, a->live, a->out[block->id]);
    set_join(a, a->any[block->id], a->live);
    for (const struct ir_instr *instr = block->last; instr && instr->op != IR_PHI;
            instr = instr->previous) {
        step_back(a, a->live, instr);
        set_join(a, a->live, a->handled);
        set_join(a, a->any[block->id], a->live);
    }
    return set_join(a, a->in[block->id], a->live);
}

static void find_all_live(struct analysis *a)
{
    for (bool is_changed = true; is_changed;) {
        is_changed = false;
        for (size_t i = a->flow->order_len; i-- > 0;)
            is_changed |= find_live(a, a->flow->order[i]);
    }
}

// --- Who ends where

// The header of a loop in strips is entered from its own end (loops/strip.c), where its
// phis must have what they had: they end behind it, or are left to the end.
static void find_long(struct analysis *a)
{
    for (size_t i = 0; i < a->flow->order_len; i++) {
        const struct ir_block *block = a->flow->order[i];
        const struct ir_instr *phi = block->first;
        for (; a->flow->is_header[block->id] && phi && phi->op == IR_PHI; phi = phi->next)
            if (a->is_owner[phi->id] && !set_has(a->out[block->id], a->numbers[phi->id]))
                set_put(a->is_long, a->numbers[phi->id]);
    }
    for (size_t i = 0; i < a->owner_count; i++) {
        bool is_long = set_has(a->is_long, (int)i);
        a->lifetime->is_long[a->owners[i]->id] = is_long;
        a->lifetime->has_long |= is_long;
    }
}

// Who lives at the end of a block that leads here, and not here. It may hold nothing on
// this way: then its release does nothing.
static void find_starts(struct analysis *a, const struct ir_block *block)
{
    word *ended = a->ended;
    set_clear(a, ended);
    vec_each (from, &block->predecessors)
        if (is_reached(a, *from))
            set_join(a, ended,
                    ir_handler(*from) == block ? a->any[(*from)->id]
                                               : a->out[(*from)->id]);
    const struct ir_instr *phi;
    for (phi = block->first; phi && phi->op == IR_PHI; phi = phi->next)
        if (a->is_owner[phi->id]) {
            int number = a->numbers[phi->id];
            a->lifetime->is_again[phi->id] = set_has(ended, number) ||
                                             set_has(a->is_long, number) ||
                                             a->flow->is_header[block->id];
            set_put(ended, number);
        }
    set_subtract(a, ended, a->in[block->id]);
    set_subtract(a, ended, a->is_long);
    a->lifetime->at_start[block->id] = set_list(a, ended);
}

static void find_ends(struct analysis *a, const struct ir_block *block)
{
    find_handled(a, block);
    set_copy(a, a->live, a->out[block->id]);
    set_join(a, a->live, a->handled);
    for (const struct ir_instr *instr = block->last; instr && instr->op != IR_PHI;
            instr = instr->previous) {
        set_clear(a, a->ended);
        if (a->is_owner[instr->id])
            set_put(a->ended, a->numbers[instr->id]);
        for (size_t i = 0; i < instr->operand_count; i++)
            set_join(a, a->ended, a->depends[instr->operands[i]->id]);
        set_subtract(a, a->ended, a->live);
        set_subtract(a, a->ended, a->is_long);
        a->lifetime->after[instr->id] = set_list(a, a->ended);
        step_back(a, a->live, instr);
        set_join(a, a->live, a->handled);
    }
}

static void number_owners(struct analysis *a)
{
    size_t id_count = (size_t)a->function->next_id;
    a->owners = arena_array(a->arena, const struct ir_instr *, id_count + 1);
    a->numbers = arena_array(a->arena, int, id_count + 1);
    for (size_t i = 0; i < a->flow->order_len; i++)
        ir_each_instr(instr, a->flow->order[i])
        {
            bool is_owner = a->is_owner[instr->id];
            a->numbers[instr->id] = is_owner ? (int)a->owner_count : -1;
            if (is_owner)
                a->owners[a->owner_count++] = instr;
        }
    a->words = (a->owner_count + BITS - 1) / BITS;
}

static void open_sets(struct analysis *a)
{
    size_t id_count = (size_t)a->function->next_id, blocks = a->function->blocks.len;
    a->depends = arena_array(a->arena, word *, id_count + 1);
    a->is_address = arena_array(a->arena, bool, id_count + 1);
    a->in = arena_array(a->arena, word *, blocks + 1);
    a->out = arena_array(a->arena, word *, blocks + 1);
    a->any = arena_array(a->arena, word *, blocks + 1);
    a->is_long = set_new(a);
    a->edge = set_new(a);
    a->live = set_new(a);
    a->handled = set_new(a);
    a->ended = set_new(a);
    for (size_t i = 0; i < a->flow->order_len; i++) {
        int id = a->flow->order[i]->id;
        a->in[id] = set_new(a);
        a->out[id] = set_new(a);
        a->any[id] = set_new(a);
    }
    for (size_t i = 0; i < a->owner_count; i++) {
        a->depends[a->owners[i]->id] = set_new(a);
        set_put(a->depends[a->owners[i]->id], (int)i);
    }
}

struct lifetime *lifetime_find(struct arena *arena, const struct ir_function *function,
        const struct flow *flow, const bool *is_owner)
{
    size_t id_count = (size_t)function->next_id;
    struct lifetime *lifetime = arena_new(arena, struct lifetime);
    struct analysis a = {.arena = arena,
            .function = function,
            .flow = flow,
            .is_owner = is_owner,
            .lifetime = lifetime};
    lifetime->after = arena_array(arena, const struct ir_instr **, id_count + 1);
    lifetime->at_start =
            arena_array(arena, const struct ir_instr **, function->blocks.len + 1);
    lifetime->is_again = arena_array(arena, bool, id_count + 1);
    lifetime->is_long = arena_array(arena, bool, id_count + 1);
    number_owners(&a);
    if (!a.owner_count)
        return lifetime;
    open_sets(&a);
    find_dependences(&a);
    find_all_live(&a);
    find_long(&a);
    for (size_t i = 0; i < flow->order_len; i++) {
        find_starts(&a, flow->order[i]);
        find_ends(&a, flow->order[i]);
    }
    return lifetime;
}
