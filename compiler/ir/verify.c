// SPDX-License-Identifier: MIT
// The invariants of the IR, in one place, and their check. Whoever builds or rewrites IR
// leaves them true at the end of its pass; whoever reads IR relies on them unasked.
//
// Shape, on both levels:
//  - A block's id is its place in function->blocks, an instruction's id is below next_id
//    and its own: analyses keep their findings in plain arrays by these numbers.
//  - blocks.items[0] is the entry. No edge leads to it, so that what stands in it runs
//    once: slots, arguments and constants of loops go there.
//  - A block ends with its only terminator, and begins with its phis.
//  - Edges are written down twice, as targets of terminators and as predecessors, and the
//    two agree. The order of the predecessors is that of the phis' operands.
// SSA, on both levels:
//  - An operand is placed, has a result, and dominates its use; that of a phi dominates
//    the end of the predecessor that it comes from. In a handler this is the block that
//    failed, which may have ended early: only what stands before its first operation
//    that can fail may flow into a handler's phi (conversion_place in resolve.c).
//  - How many operands there are is a column of ir_ops.def, or a rule of this file.
// The resolved level besides:
//  - Nothing is left of the Python level, and each result has a type.
//  - Operands have exactly the types that ir_ops.def says. Code generation converts
//    nothing: it would take the bits of one type for another's.
//
// Not checked, as only their makers can know: that a CATCH comes once on each way out of
// a handler, that an ITERNEXT runs before its PAIR_FIRST is asked, that spans are of the
// user's text, and types of a primitive's operands (primitives.def; emitters assert
// them).
//
// A broken invariant is a defect of ours. It ends the compilation with an error, not the
// process: the check runs for users, too, since a wrong result would be worse.
#include "compiler/ir/ir.h"

#include "compiler/types/abi.h"
#include "compiler/types/kinds.h"

struct verifier {
    const struct ir_function *function;
    struct ir_block *
            *dominators; // immediate, by block id; NULL while unknown or unreachable
    int *order;          // position in reverse postorder, by block id; -1: unreachable
    bool *is_taken;      // by instruction id: one with it was seen
    struct error *err;
};

static bool broken(struct verifier *v, const struct ir_instr *instr, const char *what)
{
    struct str text = {0};
    if (instr)
        ir_print_instr_shape(instr, &text);
    error_set(v->err, ERROR_INTERNAL, instr ? instr->span : SPAN_NONE,
            "internal: invalid IR in %s: %s: %s", v->function->name, what,
            str_text(&text));
    str_finish(&text);
    return false;
}

// --- Dominators, by Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm"
// (2001): functions have few blocks, for which repeated passes in reverse postorder beat
// Lengauer and Tarjan's trees.

static int visit_postorder(
        struct verifier *v, struct ir_block *block, struct ir_block **list, int count)
{
    v->order[block->id] = 0;
    struct ir_block *successors[2];
    size_t successor_count = ir_successors(block, successors);
    for (size_t i = 0; i < successor_count; i++)
        if (v->order[successors[i]->id] < 0)
            count = visit_postorder(v, successors[i], list, count);
    list[count] = block;
    return count + 1;
}

// Walks up both ways until they meet: of two blocks the one later in the order cannot
// dominate the other.
static struct ir_block *common_dominator(
        struct verifier *v, struct ir_block *a, struct ir_block *b)
{
    while (a != b) {
        if (v->order[a->id] > v->order[b->id])
            a = v->dominators[a->id];
        else
            b = v->dominators[b->id];
    }
    return a;
}

static struct ir_block *dominator_of_predecessors(
        struct verifier *v, struct ir_block *block)
{
    struct ir_block *dominator = NULL;
    // those without a dominator yet are behind this block, on the way back of a loop
    vec_each (predecessor, &block->predecessors) {
        if (v->order[(*predecessor)->id] < 0 || !v->dominators[(*predecessor)->id])
            continue;
        dominator =
                dominator ? common_dominator(v, dominator, *predecessor) : *predecessor;
    }
    return dominator;
}

static void find_dominators(struct verifier *v)
{
    size_t block_count = v->function->blocks.len;
    for (size_t i = 0; i < block_count; i++)
        v->order[i] = -1;
    struct ir_block **list = memory_zalloc(block_count * sizeof *list);
    int count = visit_postorder(v, v->function->blocks.items[0], list, 0);
    for (int i = 0; i < count; i++)
        v->order[list[i]->id] = count - 1 - i;
    v->dominators[0] = v->function->blocks.items[0]; // itself, which ends each walk up
    for (bool changed = true; changed;) {
        changed = false;
        for (int i = count - 2; i >= 0; i--) {
            struct ir_block *dominator = dominator_of_predecessors(v, list[i]);
            changed = changed || v->dominators[list[i]->id] != dominator;
            v->dominators[list[i]->id] = dominator;
        }
    }
    free(list);
}

static bool block_dominates(
        struct verifier *v, const struct ir_block *a, const struct ir_block *b)
{
    while (v->order[b->id] > v->order[a->id])
        b = v->dominators[b->id];
    return a == b;
}

// Of two instructions of the block that is being checked, in order: ids are taken as they
// come. Walking back instead would take the square of a long block's length.
static bool comes_before(
        const struct verifier *v, const struct ir_instr *a, const struct ir_instr *b)
{
    return a != b && a->id >= 0 && a->id < v->function->next_id && v->is_taken[a->id];
}

// --- SSA

static bool check_operand(struct verifier *v, const struct ir_instr *instr, size_t i)
{
    const struct ir_instr *operand = instr->operands[i];
    if (!operand)
        return broken(v, instr, "missing operand");
    if (!operand->block)
        return broken(v, instr, "operand is not placed in a block");
    if (!ir_has_result(operand->op))
        return broken(v, instr, "operand has no result");
    if (instr->op == IR_PHI) {
        const struct ir_block *from = instr->block->predecessors.items[i];
        // nothing flows in from where the entry does not lead
        if (v->order[from->id] >= 0 && !block_dominates(v, operand->block, from))
            return broken(v, instr, "operand does not reach the phi");
        return true;
    }
    if (operand->block == instr->block
                    ? !comes_before(v, operand, instr)
                    : !block_dominates(v, operand->block, instr->block))
        return broken(v, instr, "operand does not dominate its use");
    return true;
}

static bool check_operand_count(struct verifier *v, const struct ir_instr *instr)
{
    int count = ir_operand_count(instr->op);
    if (count >= 0 && instr->operand_count != (size_t)count)
        return broken(v, instr, "wrong number of operands");
    if (instr->op == IR_PHI && instr->operand_count != instr->block->predecessors.len)
        return broken(v, instr, "phi does not match its predecessors");
    if (instr->op == IR_CALL && instr->operand_count < 1 + instr->call.keyword_count)
        return broken(v, instr, "call of nothing");
    return true;
}

// --- Types on the resolved level

static bool check_same(
        struct verifier *v, const struct ir_instr *instr, const struct type *type)
{
    for (size_t i = 0; i < instr->operand_count; i++)
        if (instr->operands[i]->type != type)
            return broken(v, instr, "operand type differs");
    return true;
}

static bool check_binary(struct verifier *v, const struct ir_instr *instr)
{
    const struct type *left = instr->operands[0]->type, *right = instr->operands[1]->type;
    if (left != instr->type)
        return broken(v, instr, "left operand type differs");
    // a whole exponent keeps its type, as powers of it are multiplications
    if (right != left && !(instr->binary == BINARY_POW &&
                                 (right == type_int64 || right == type_uint64)))
        return broken(v, instr, "right operand type differs");
    return true;
}

static bool check_compare(struct verifier *v, const struct ir_instr *instr)
{
    if (instr->type != type_bool)
        return broken(v, instr, "result is not bool");
    // identity is asked of unlike things: an optional and None
    if (instr->compare == COMPARE_IS || instr->compare == COMPARE_IS_NOT)
        return true;
    return check_same(v, instr, instr->operands[0]->type);
}

static bool check_build_tuple(struct verifier *v, const struct ir_instr *instr)
{
    bool has_items =
            instr->type->kind == TYPE_TUPLE || instr->type->kind == TYPE_EXTENSION;
    if (!has_items || instr->type->tuple.len != instr->operand_count)
        return broken(v, instr, "type is no tuple of so many items");
    for (size_t i = 0; i < instr->operand_count; i++)
        if (instr->operands[i]->type != instr->type->tuple.items[i])
            return broken(v, instr, "item type differs");
    return true;
}

static bool check_tuple_get(struct verifier *v, const struct ir_instr *instr)
{
    const struct type *tuple = instr->operands[0]->type;
    enum type_shape shape = type_traits_of(tuple)->shape;
    bool is_tuple = shape == SHAPE_ITEMS && tuple->kind != TYPE_ZIP;
    if (!is_tuple && shape != SHAPE_SLICE && shape != SHAPE_RANGE)
        return broken(v, instr, "operand is no tuple");
    return (instr->index >= 0 && (size_t)instr->index < abi_part_count(tuple)) ||
           broken(v, instr, "no such item");
}

// A callee of a group that calls itself may not be resolved yet; its signature is there.
static bool check_call(struct verifier *v, const struct ir_instr *instr)
{
    const struct ir_function *callee = instr->callee;
    if (!callee || callee->param_count != instr->operand_count)
        return broken(v, instr, "wrong number of arguments");
    for (size_t i = 0; i < instr->operand_count; i++)
        if (instr->operands[i]->type != callee->params[i])
            return broken(v, instr, "argument type differs");
    return instr->type == callee->returns || broken(v, instr, "return type differs");
}

static bool check_arg(struct verifier *v, const struct ir_instr *instr)
{
    const struct ir_function *function = v->function;
    if (instr->index < 0 || (size_t)instr->index >= function->param_count)
        return broken(v, instr, "no such parameter");
    return instr->type == function->params[instr->index] ||
           broken(v, instr, "not the parameter's type");
}

static bool check_result(struct verifier *v, const struct ir_instr *instr)
{
    return check_same(v, instr, instr->type);
}

static bool check_pair(struct verifier *v, const struct ir_instr *instr)
{
    return instr->operands[0]->op == IR_ITERNEXT ||
           broken(v, instr, "operand is no iternext");
}

static bool check_caught(struct verifier *v, const struct ir_instr *instr)
{
    return instr->operands[0]->type->kind == TYPE_CAUGHT ||
           broken(v, instr, "operand is no exception");
}

static bool check_chain(struct verifier *v, const struct ir_instr *instr)
{
    return !instr->operand_count || check_caught(v, instr);
}

static bool check_branch(struct verifier *v, const struct ir_instr *instr)
{
    return instr->operands[0]->type == type_bool || broken(v, instr, "not a bool");
}

// Of a generator: its end, which has no value.
static bool check_return(struct verifier *v, const struct ir_instr *instr)
{
    return v->function->is_generator ||
           instr->operands[0]->type == v->function->returns ||
           broken(v, instr, "not the return type");
}

// What lists are given: code generation stores an item as the list's type has it.
static bool check_primitive(struct verifier *v, const struct ir_instr *instr)
{
    bool is_added = instr->primitive == PRIMITIVE_LIST_PUSH ||
                    instr->primitive == PRIMITIVE_LIST_APPEND;
    if (is_added && instr->operands[1]->type != instr->operands[0]->type->element)
        return broken(v, instr, "item type differs");
    return true;
}

typedef bool check(struct verifier *v, const struct ir_instr *instr);

static bool check_types(struct verifier *v, const struct ir_instr *instr)
{
    static check *const checks[IR_OP_COUNT] = {
            [IR_PHI] = check_result,
            [IR_UNARY] = check_result,
            [IR_BINARY] = check_binary,
            [IR_COMPARE] = check_compare,
            [IR_BUILD_TUPLE] = check_build_tuple,
            [IR_TUPLE_GET] = check_tuple_get,
            [IR_ARG] = check_arg,
            [IR_PAIR_FIRST] = check_pair,
            [IR_PAIR_SECOND] = check_pair,
            [IR_MATCH] = check_caught,
            [IR_CATCH] = check_caught,
            [IR_CHAIN] = check_chain,
            [IR_RERAISE] = check_caught,
            [IR_CALL_DIRECT] = check_call,
            [IR_PRIMITIVE] = check_primitive,
            [IR_BRANCH] = check_branch,
            [IR_RETURN] = check_return,
    };
    if (instr->op < IR_CONST)
        return broken(v, instr, "left over from the Python level");
    if (ir_has_result(instr->op) && !instr->type)
        return broken(v, instr, "no type");
    return !checks[instr->op] || checks[instr->op](v, instr);
}

// --- Blocks and edges

static bool has_predecessor(
        const struct ir_block *block, const struct ir_block *predecessor)
{
    vec_each (item, &block->predecessors)
        if (*item == predecessor)
            return true;
    return false;
}

static bool leads_to(const struct ir_block *from, const struct ir_block *to)
{
    struct ir_block *successors[2];
    for (size_t i = ir_successors(from, successors); i-- > 0;)
        if (successors[i] == to)
            return true;
    return false;
}

static bool check_successors(struct verifier *v, const struct ir_block *block)
{
    struct ir_block *successors[2];
    size_t count = ir_successors(block, successors);
    for (size_t i = 0; i < count; i++)
        if (!successors[i] || !has_predecessor(successors[i], block))
            return broken(v, block->last, "successor does not know its predecessor");
    return true;
}

// Before all that follows predecessors: one that was dropped has a number that is
// another's by now, or nobody's.
static bool check_predecessors(struct verifier *v, const struct ir_block *block)
{
    const struct ir_function *function = v->function;
    if (block->id == 0 && block->predecessors.len)
        return broken(v, block->last, "an edge leads to the entry");
    vec_each (item, &block->predecessors) {
        const struct ir_block *from = *item;
        if (from->id < 0 || (size_t)from->id >= function->blocks.len ||
                function->blocks.items[from->id] != from)
            return broken(v, block->last, "predecessor was dropped");
        if (!leads_to(from, block))
            return broken(v, block->last, "predecessor leads elsewhere");
    }
    return true;
}

static bool check_id(struct verifier *v, const struct ir_instr *instr)
{
    if (instr->id < 0 || instr->id >= v->function->next_id)
        return broken(v, instr, "id is out of range");
    if (v->is_taken[instr->id])
        return broken(v, instr, "id is another instruction's");
    return v->is_taken[instr->id] = true;
}

static bool check_block(struct verifier *v, const struct ir_block *block)
{
    if (!block->last || !ir_is_terminator(block->last->op))
        return broken(v, block->last, "block has no terminator");
    bool in_phis = true;
    ir_each_instr(instr, block)
    {
        if (instr->block != block)
            return broken(v, instr, "instruction does not know its block");
        if (instr->op == IR_PHI && !in_phis)
            return broken(v, instr, "phi after other instructions");
        in_phis = in_phis && instr->op == IR_PHI;
        if (ir_is_terminator(instr->op) && instr != block->last)
            return broken(v, instr, "terminator inside a block");
        if (!check_id(v, instr) || !check_operand_count(v, instr))
            return false;
        for (size_t i = 0; i < instr->operand_count; i++)
            if (!check_operand(v, instr, i))
                return false;
        if (v->function->is_resolved && !check_types(v, instr))
            return false;
    }
    return check_successors(v, block);
}

bool ir_verify(const struct ir_function *function, struct error *err)
{
    struct verifier v = {.function = function, .err = err};
    size_t count = function->blocks.len;
    if (!count)
        return broken(&v, NULL, "no blocks");
    v.dominators = memory_zalloc(count * sizeof *v.dominators);
    v.order = memory_zalloc(count * sizeof *v.order);
    v.is_taken = memory_zalloc((size_t)function->next_id + 1);
    bool is_valid = true;
    for (size_t i = 0; is_valid && i < count; i++) {
        const struct ir_block *block = function->blocks.items[i];
        is_valid =
                block->id == (int)i || broken(&v, NULL, "block id is not its position");
        is_valid = is_valid && (block->last || broken(&v, NULL, "empty block"));
        is_valid = is_valid && check_predecessors(&v, block);
    }
    if (is_valid)
        find_dominators(&v);
    for (size_t i = 0; is_valid && i < count; i++)
        if (v.order[i] >= 0)
            is_valid = check_block(&v, function->blocks.items[i]);
    free(v.dominators);
    free(v.order);
    free(v.is_taken);
    return is_valid;
}
