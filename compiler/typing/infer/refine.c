// SPDX-License-Identifier: MIT
// The item types of containers that start empty, or with other numbers than they get
// later: found out from what is put into them. When a container's type changes, the
// function is typed anew with what is known by then.
//
// What is known is kept at the instruction that makes the container (instr->refined): a
// display, a call such as list(), or the parameter that brings it in. It outlives
// infer_start_again, and only climbs: an item's type is replaced by one that holds it and
// the new one. That ends, and so do the rounds.
//
// A store is seen at a use, so the way leads back from the use to all instructions that
// may have made the container: through phis, through operators that return an operand,
// and through outer containers that hold it.

#include <string.h>

#include "compiler/typing/infer/infer.h"

// One fact about a container, on its way back to where the container is made.
struct refinement {
    struct infer *in;
    const struct type *element, *value; // what is put in; value: of a dict
    bool is_cell; // a variable that inner functions share: it widens in those, too
    VEC(const struct ir_instr *) seen; // phis lead round in loops
};

// The type that holds both; NULL means that nothing is known.
static const struct type *merge(const struct type *old, const struct type *new)
{
    if (!old || !new)
        return old ? old : new;
    const struct type *both = type_unify(old, new);
    return both ? both : old; // putting it in is what fails then
}

// The container that the instruction makes, with other items. What it is does not depend
// on its type alone: at first it has none.
static const struct type *container_of(const struct ir_instr *instr,
        const struct type *element, const struct type *value)
{
    bool is_typed = instr->type && instr->type->cell.is_typed;
    if (instr->op == IR_BUILD_SET || (instr->type && instr->type->kind == TYPE_SET))
        return type_set(element, is_typed);
    if (instr->op == IR_BUILD_DICT || (instr->type && instr->type->kind == TYPE_DICT))
        return type_dict(element, value, is_typed);
    return type_list(element, is_typed);
}

// Nothing is noted that the container's own type says already: a new note makes the
// function be typed anew.
static void refine_here(struct refinement *to, struct ir_instr *instr)
{
    const struct type *old = instr->refined;
    const struct type *element = merge(old ? old->element : NULL, to->element);
    const struct type *value = merge(old ? old->cell.value : NULL, to->value);
    const struct type *known = instr->type;
    if (instr->op != IR_PHI && known &&
            merge(known->element, element) == known->element &&
            merge(known->cell.value, value) == known->cell.value)
        return;
    const struct type *refined = container_of(instr, element, value);
    if (refined == old)
        return;
    instr->refined = refined;
    to->in->is_refined = true;
}

// The function that is called, unless the program overloads it.
static const char *function_of(const struct type *callee)
{
    return callee->kind == TYPE_FUNCTION ? callee->function : NULL;
}

// Or what it is where no overload fits.
static const char *function_in_the_end(const struct type *callee)
{
    bool is_overloaded = callee->kind == TYPE_DISPATCHER && callee->source &&
                         callee->source->is_overloaded;
    return is_overloaded ? callee->source->builtin : function_of(callee);
}

static bool is_constructor(const struct ir_instr *call)
{
    const struct type *callee = call->operands[0]->type;
    static const char *const names[] = {"builtins.list", "builtins.dict", "builtins.set",
            "typed.List", "typed.Dict", "typed.Set"};
    const char *called = callee ? function_in_the_end(callee) : NULL;
    if (!called || call->operand_count != 1)
        return false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(called, names[i]))
            return true;
    return false;
}

static void refine_value(struct refinement *to, struct ir_instr *value);

// Items of `container` are containers that get what `to` says.
static void refine_items(struct refinement *to, struct ir_instr *container)
{
    const struct type *outer = container->type;
    if (!outer || !type_is_container(outer))
        return;
    bool is_dict = outer->kind == TYPE_DICT;
    const struct type *item = is_dict ? outer->cell.value : outer->element;
    if (!item || !type_is_container(item))
        return;
    const struct type *element = merge(item->element, to->element);
    const struct type *value = merge(item->cell.value, to->value);
    bool is_typed = item->cell.is_typed;
    const struct type *refined = item->kind == TYPE_LIST ? type_list(element, is_typed)
                                 : item->kind == TYPE_SET
                                         ? type_set(element, is_typed)
                                         : type_dict(element, value, is_typed);
    if (is_dict)
        infer_refine(to->in, container, outer->element, refined);
    else
        infer_refine(to->in, container, refined, NULL);
}

// a + b holds what both hold: what is put into the sum was meant for both.
static void refine_binary(struct refinement *to, struct ir_instr *instr)
{
    for (size_t i = 0; i < 2; i++)
        if (instr->operands[i]->type && type_is_container(instr->operands[i]->type))
            refine_value(to, instr->operands[i]);
}

// A slice of a list is a list of the same items, and not one of them.
static bool is_slice(const struct ir_instr *instr)
{
    const struct type *index = instr->operands[1]->type;
    return index && index->kind == TYPE_SLICE;
}

// Other instructions than these make no container that could still change: what they give
// has the type of an operand that was typed, or is a copy made by the library.
static void refine_value(struct refinement *to, struct ir_instr *value)
{
    for (size_t i = 0; i < to->seen.len; i++)
        if (to->seen.items[i] == value)
            return;
    vec_push(&to->seen, value);
    switch (value->op) {
    case IR_BUILD_LIST:
    case IR_BUILD_SET:
    case IR_BUILD_DICT:
        refine_here(to, value);
        break;
    case IR_ARG:
        if (value->type && (to->is_cell || type_is_incomplete(value->type)))
            refine_here(to, value);
        break;
    case IR_CALL:
        if (is_constructor(value))
            refine_here(to, value);
        break;
    case IR_PHI:
        for (size_t i = 0; i < value->operand_count; i++)
            refine_value(to, value->operands[i]);
        break;
    case IR_BINARY:
    case IR_INPLACE:
        refine_binary(to, value);
        break;
    case IR_GETITEM:
        if (is_slice(value))
            refine_value(to, value->operands[0]);
        else
            refine_items(to, value->operands[0]);
        break;
    case IR_UNPACK:
        if (value->operands[0]->op == IR_BUILD_TUPLE && value->index >= 0 &&
                (size_t)value->index < value->operands[0]->operand_count)
            refine_value(to, value->operands[0]->operands[value->index]);
        break;
    case IR_PAIR_FIRST: // of an ITERNEXT of a GETITER
        refine_items(to, value->operands[0]->operands[0]->operands[0]);
        break;
    default:
        break;
    }
}

void infer_refine(struct infer *in, struct ir_instr *container,
        const struct type *element, const struct type *value)
{
    struct refinement to = {.in = in, .element = element, .value = value};
    refine_value(&to, container);
    vec_finish(&to.seen);
}

void infer_refine_cell(
        struct infer *in, struct ir_instr *cell, const struct type *element)
{
    struct refinement to = {.in = in, .element = element, .is_cell = true};
    refine_value(&to, cell);
    vec_finish(&to.seen);
}

void infer_refine_as(struct infer *in, struct ir_instr *value, const struct type *wanted)
{
    const struct type *type = value->type;
    if (!wanted || !type || type == wanted || type->kind != wanted->kind ||
            !type_is_container(type))
        return;
    infer_refine(in, value, wanted->element, wanted->cell.value);
}

bool infer_refine_both(struct infer *in, struct ir_instr *value, const struct type *a,
        const struct type *b)
{
    if (a->kind != b->kind || !type_is_container(a) || in->is_refined)
        return in->is_refined;
    if (type_is_incomplete(a) || type_is_incomplete(b))
        return false; // `[]` is no typed.List, whatever comes into it
    const struct type *element = type_unify(a->element, b->element);
    const struct type *held =
            a->cell.value ? type_unify(a->cell.value, b->cell.value) : NULL;
    if (element)
        infer_refine(in, value, element, held);
    return in->is_refined;
}

// Only when nothing else changes: what is put into an argument further on is better known
// than this guess.
bool infer_refine_arguments(struct infer *in)
{
    struct ir_block *entry = in->function->blocks.items[0];
    ir_each_instr(instr, entry)
    {
        if (instr->op != IR_ARG || !instr->type || !type_is_container(instr->type) ||
                !type_is_incomplete(instr->type))
            continue;
        infer_refine(in, instr, type_int64,
                instr->type->kind == TYPE_DICT ? type_int64 : NULL);
    }
    return in->is_refined;
}

// The caller converts to these types: an empty list becomes one of the callee's items.
void infer_settle_arguments(struct infer *in)
{
    ir_each_instr(instr,
            in->function->blocks.items[0]) if (instr->op == IR_ARG && instr->refined)
            in->function->params[instr->index] = instr->refined;
}

// instr->refined stays, and so does what was typed of callees; all else is found anew.
void infer_start_again(struct infer *in)
{
    struct ir_function *function = in->function;
    in->is_refined = false;
    in->changed = true;
    function->returns = in->declared;
    memset(in->reached, 0, function->blocks.len);
    in->reached[0] = true;
    vec_each (block, &function->blocks)
        ir_each_instr(instr, *block) instr->type = NULL;
}

// Functions that put something into a list, or need not know what is in it.
static bool is_telling_call(const struct ir_instr *call, const char *name)
{
    static const char *const names[] = {"builtins.len", "gridcell.cell_set",
            "heapq.heappush", "heapq.heappushpop", "heapq.heapreplace", "bisect.insort",
            "bisect.insort_left", "bisect.insort_right"};
    for (size_t i = 0; name && i < sizeof names / sizeof *names; i++)
        if (!strcmp(names[i], name))
            return true;
    for (size_t i = 1; name && !strncmp(name, "numpy.", 6) && i < call->operand_count;
            i++)
        if (call->operands[i]->op == IR_BUILD_LIST && !call->operands[i]->operand_count)
            return true;
    return name && !strncmp(name, "library.", 8);
}

// Operations that say something about a container whose items are not known yet.
static bool tells(const struct infer *in, const struct ir_instr *instr)
{
    const struct type *callee = instr->op == IR_CALL ? instr->operands[0]->type : NULL;
    switch (instr->op) {
    case IR_BUILD_LIST:
    case IR_BUILD_SET:
    case IR_BUILD_DICT:
    case IR_BUILD_TUPLE:
    case IR_MAKE_CLOSURE:
    case IR_UNPACK:
    case IR_GETITEM:
    case IR_ITERNEXT:
    case IR_PAIR_FIRST:
    case IR_PAIR_SECOND:
    case IR_GETATTR:
    case IR_SETATTR:
    case IR_SETITEM:
    case IR_TRUTH:
    case IR_COMPARE:
        return true;
    case IR_GETITER:
        return type_iterated(instr->operands[0]->type);
    case IR_CALL:
        // an overload is asked when the items are known, or will not be
        return callee->kind == TYPE_METHOD ||
               is_telling_call(instr,
                       in->is_forced ? function_in_the_end(callee) : function_of(callee));
    default:
        return ir_is_terminator(instr->op);
    }
}

static bool has_incomplete(const struct ir_instr *instr)
{
    for (size_t i = 0; i < instr->operand_count; i++)
        if (instr->operands[i]->type && type_is_incomplete(instr->operands[i]->type))
            return true;
    return false;
}

// An inner function that captured the container, and may put something into it.
static bool is_call_of_inner(const struct ir_instr *instr)
{
    return instr->op == IR_CALL && instr->operands[0]->type &&
           instr->operands[0]->type->kind == TYPE_CLOSURE;
}

// An operation on a container of unknown items waits, but not for ever: where only calls
// of inner functions are left, one of these is what would tell.
bool infer_waits(const struct infer *in, const struct ir_instr *instr)
{
    if (!has_incomplete(instr) || tells(in, instr))
        return false;
    return !in->is_forced || in->is_refined || !is_call_of_inner(instr);
}

bool infer_awaits_inner(const struct infer *in)
{
    for (size_t i = 0; i < in->function->blocks.len; i++)
        if (in->reached[i])
            ir_each_instr(instr, in->function->blocks.items[i])
            {
                if (!instr->type && is_call_of_inner(instr) && has_incomplete(instr))
                    return true;
            }
    return false;
}

bool infer_imprecise(struct infer *in, const struct ir_instr *instr)
{
    if (!instr->type || !type_is_container(instr->type) ||
            !type_is_incomplete(instr->type))
        return false;
    const char *name = instr->type->kind == TYPE_LIST  ? "list(undefined)<iv=None>"
                       : instr->type->kind == TYPE_SET ? "set(undefined)"
                                                       : instr->type->name;
    error_set(in->err, ERROR_TYPING, instr->span,
            "Cannot infer the type of %s%s, have imprecise type: %s.\n\nNothing is put "
            "into it, so the type of its items is not known. Put something in, or give "
            "the type: numba.typed.List.empty_list(int64), np.empty(0).",
            instr->variable ? "variable " : "", infer_name_of(in, instr), name);
    return true;
}
