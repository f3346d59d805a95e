// SPDX-License-Identifier: MIT
// Rewrites a typed function to the resolved level: what the rules emit takes the place of
// each Python operation, casts become explicit, and what types rule out is dropped.
//
// Runs once per function, when the types of its whole group are settled. The rules are
// asked again, now to emit: they put new instructions before the old one and say which
// value takes its place (in->values, by the old one's id). Old instructions stay where
// they are until the end, for rules look at them: at what an operand was made by, at
// attributes' names and calls. New instructions have ids from value_count on; they are
// not resolved.
//
// What must hold afterwards (ir_verify checks it): no Python operation is left, operands
// have exactly the types that their instruction takes, and phis' operands the phi's type.

#include <assert.h>
#include <string.h>

#include "base/guard.h"
#include "compiler/typing/infer/infer.h"
#include "compiler/typing/infer/rule.h"
#include "compiler/typing/infer/stages.h"

// What became of a value: itself where it was not replaced, or is new.
static struct ir_instr *value_of(struct infer *in, struct ir_instr *value)
{
    return value->id < in->value_count && in->values[value->id] ? in->values[value->id]
                                                                : value;
}

static void map_operands(struct infer *in, struct ir_instr *instr)
{
    for (size_t i = 0; i < instr->operand_count; i++)
        instr->operands[i] = value_of(in, instr->operands[i]);
}

// Of a branch that types decide. The block that is not taken is dropped by
// ir_order_blocks, unless another way leads to it.
static void set_jump(struct ir_instr *branch, struct ir_block *target)
{
    assert(branch->op == IR_BRANCH);
    branch->op = IR_JUMP;
    branch->operand_count = 0;
    branch->targets[0] = target;
}

// A literal argument of a library function has no value but its type; what it raises
// names it.
static void tell_literals(struct rule *r, struct ir_instr *raise)
{
    for (size_t i = 0; i < raise->operand_count; i++) {
        const struct type *type = raise->operands[i]->type;
        if (type->kind == TYPE_LITERAL && type->element == type_string)
            raise->operands[i] = rule_cast(r, raise->operands[i], type_string);
    }
}

static bool resolve_terminator(struct infer *in, struct ir_instr *instr)
{
    struct rule r = {.in = in, .instr = instr, .is_emitting = true};
    if (instr->op == IR_RAISE)
        tell_literals(&r, instr);
    if (instr->op == IR_RETURN && in->function->is_generator)
        instr->operands[0] = rule_none(&r);
    else if (instr->op == IR_RETURN)
        instr->operands[0] = rule_cast(&r, instr->operands[0], in->function->returns);
    bool truth;
    if (instr->op == IR_BRANCH && infer_known_truth(instr->operands[0], &truth))
        set_jump(instr, instr->targets[!truth]);
    else
        map_operands(in, instr);
    return true;
}

// A loop over the empty tuple: its body was not typed, so that its item has no type.
static void drop_iteration(struct ir_instr *next)
{
    next->op = IR_CONST;
    next->operand_count = 0;
    next->constant = (struct constant){.type = type_none};
}

// The dicts, views of these and sets whose entries a loop goes over, side by side.
struct loop_tables {
    struct ir_instr **items;
    size_t len, place_count; // how many, of how many places that the loop goes over
    int places;              // which of the places these are: bits
};

enum { MAX_TABLE_PLACES = 31 };

static void find_tables(
        struct infer *in, struct ir_instr *iterable, struct loop_tables *to)
{
    enum type_kind kind = iterable->type->kind;
    bool is_made_here =
            iterable->op == IR_CALL && (kind == TYPE_ENUMERATE || kind == TYPE_ZIP);
    if (is_made_here) {
        size_t end = kind == TYPE_ZIP ? 1 + iterable->type->tuple.len : 2;
        for (size_t i = 1; i < end && i < iterable->operand_count; i++)
            find_tables(in, iterable->operands[i], to);
        return;
    }
    if (type_has_entries(iterable->type) && to->place_count < MAX_TABLE_PLACES) {
        to->items[to->len++] = value_of(in, iterable);
        to->places |= 1 << to->place_count;
    }
    to->place_count++;
}

// A loop over a dict runs over a list of its keys, one over a view over a list of what
// that shows, and minds whether the number of entries changes.
static bool resolve_iterable(struct infer *in, struct ir_instr *instr)
{
    struct rule r = {.in = in, .instr = instr, .is_emitting = true, .name = "getiter"};
    const struct type *type;
    struct loop_tables tables = {.items = arena_array(&in->function->arena,
                                         struct ir_instr *, MAX_TABLE_PLACES + 1)};
    find_tables(in, instr->operands[0], &tables);
    map_operands(in, instr);
    if (!rule_container_iterable(&r, instr->operands[0], &type, &instr->operands[0]))
        return false;
    struct ir_instr *items = instr->operands[0];
    instr->operand_count = 1 + tables.len;
    instr->operands =
            arena_array(&in->function->arena, struct ir_instr *, instr->operand_count);
    instr->operands[0] = items;
    for (size_t i = 0; i < tables.len; i++)
        instr->operands[1 + i] = tables.items[i];
    instr->immediate = tables.places;
    return true;
}

// A loop over a value of a type that the program added.
static bool resolve_extension_loop(struct infer *in, struct ir_instr *instr)
{
    struct rule r = {.in = in, .instr = instr, .is_emitting = true};
    bool has = true;
    r.name = ir_op_name(instr->op);
    map_operands(in, instr);
    struct ir_instr *operand = instr->operands[0];
    if (instr->op == IR_GETITER && !rule_extension_iterator(&r, operand, &has))
        return false;
    if (instr->op == IR_ITERNEXT && !rule_extension_next(&r, operand))
        return false;
    if (instr->op == IR_PAIR_FIRST || instr->op == IR_PAIR_SECOND)
        r.value = rule_tuple_get(&r, operand, instr->op == IR_PAIR_SECOND);
    in->values[instr->id] = r.value;
    return has && r.value;
}

static bool is_extension_loop(const struct ir_instr *instr)
{
    const struct ir_instr *operand = instr->operands[0];
    if (instr->op == IR_PAIR_FIRST || instr->op == IR_PAIR_SECOND)
        return operand->op == IR_ITERNEXT && is_extension_loop(operand);
    if (instr->op == IR_ITERNEXT)
        return operand->type && operand->type->kind == TYPE_TUPLE;
    return operand->type->kind == TYPE_EXTENSION;
}

static bool refuse_early_use(struct infer *in, const struct ir_instr *phi)
{
    return error_set(in->err, ERROR_TYPING, phi->span,
            "variable '%s' of type %s may be used before it is set",
            phi->variable ? phi->variable : "?", phi->type->name);
}

static bool resolve_unassigned(struct infer *in, struct ir_instr *phi)
{
    struct ir_instr *first = phi;
    while (first->op == IR_PHI)
        first = first->next;
    struct rule r = {.in = in, .instr = first, .is_emitting = true};
    in->values[phi->id] = rule_zero(&r, phi->type);
    return in->values[phi->id] || refuse_early_use(in, phi);
}

// Operations of the resolved level from the start have their operands replaced; all
// others are left to the rules.
static bool resolve_instr(struct infer *in, struct ir_instr *instr)
{
    if (ir_is_terminator(instr->op))
        return resolve_terminator(in, instr);
    switch (instr->op) {
    case IR_PHI: // at the end, when all operands are there
        return !instr->assigned || !instr->type || resolve_unassigned(in, instr);
    case IR_ARG:
        return true;
    case IR_CONST:
        if (!infer_is_computed(instr))
            return true;
        break;
    case IR_ITERNEXT:
        if (is_extension_loop(instr))
            return resolve_extension_loop(in, instr);
        if (infer_never_iterates(instr)) {
            drop_iteration(instr);
            return true;
        }
        map_operands(in, instr);
        return true;
    case IR_YIELD: {
        struct rule cast = {.in = in, .instr = instr, .is_emitting = true};
        instr->operands[0] = rule_cast(&cast, instr->operands[0], in->function->yields);
        return true;
    }
    case IR_GETITER:
        if (instr->operands[0]->type->kind == TYPE_CLASS) { // of an enum
            struct rule r = {.in = in, .instr = instr, .is_emitting = true};
            instr->operands[0] = rule_members(&r, instr->operands[0]->type);
            return true;
        }
        return is_extension_loop(instr) ? resolve_extension_loop(in, instr)
                                        : resolve_iterable(in, instr);
    case IR_PAIR_FIRST:
    case IR_PAIR_SECOND:
        if (is_extension_loop(instr))
            return resolve_extension_loop(in, instr);
        map_operands(in, instr);
        return true;
    case IR_BUILD_TUPLE:
    case IR_MAKE_CLOSURE:
    case IR_OBJMODE:
    case IR_CAUGHT:
    case IR_MATCH:
    case IR_CATCH:
    case IR_CHAIN:
    case IR_NAME:
        map_operands(in, instr);
        return true;
    default:
        break;
    }
    if (!in->source->options.is_library)
        guard_at(&instr->span);
    struct rule r = {.in = in, .instr = instr, .is_emitting = true};
    r.name = ir_op_name(instr->op);
    r.args = instr->operands;
    r.arg_count = instr->operand_count;
    if (!in->session->stages->rules->apply(&r))
        return false;
    if (r.value && instr->variable && !r.value->variable &&
            r.value->id >= in->value_count) {
        r.value->variable = instr->variable;
        r.value->version = instr->version;
    }
    in->values[instr->id] = r.value;
    return true;
}

static bool goes_to(const struct ir_block *from, const struct ir_block *to)
{
    struct ir_block *successors[2];
    size_t count = ir_successors(from, successors);
    return (count > 0 && successors[0] == to) || (count > 1 && successors[1] == to);
}

// Some conditions are known only now, when all is resolved: what they rule out was taken
// for reached while types were inferred.
static void reach_again(struct infer *in)
{
    const struct ir_function *function = in->function;
    const struct ir_block **waiting =
            memory_zalloc(function->blocks.len * sizeof *waiting);
    size_t count = 0;
    memset(in->reached, 0, function->blocks.len);
    in->reached[0] = true;
    waiting[count++] = function->blocks.items[0];
    while (count) {
        struct ir_block *successors[2];
        size_t len = ir_successors(waiting[--count], successors);
        for (size_t i = 0; i < len; i++) {
            if (in->reached[successors[i]->id])
                continue;
            in->reached[successors[i]->id] = true;
            waiting[count++] = successors[i];
        }
    }
    free(waiting);
}

// Takes away the predecessors, and the phis' operands for them, that types rule out.
static bool keep_edges(struct infer *in, struct ir_block *block)
{
    size_t kept = 0;
    for (size_t i = 0; i < block->predecessors.len; i++) {
        struct ir_block *from = block->predecessors.items[i];
        bool is_taken = in->reached[from->id] && goes_to(from, block);
        if (!is_taken)
            continue;
        block->predecessors.items[kept] = from;
        ir_each_instr(phi, block)
        {
            if (phi->op != IR_PHI)
                break;
            phi->operands[kept] = phi->operands[i];
        }
        kept++;
    }
    ir_each_instr(phi, block) if (phi->op == IR_PHI) phi->operand_count = kept;
    block->predecessors.len = kept;
    return true;
}

// Where a value that flows from `from` to the phi is converted: at the end of the block,
// but before anything in it can fail if the phi is of its handler.
static struct ir_instr *conversion_place(
        struct ir_block *from, const struct ir_instr *phi, const struct ir_instr *operand)
{
    struct ir_instr *last = from->last;
    bool is_handler = (last->op == IR_GUARD && last->targets[1] == phi->block) ||
                      last->op == IR_RAISE || last->op == IR_RERAISE;
    if (!is_handler)
        return last;
    if (operand->block == from && operand->op != IR_PHI)
        return operand->next;
    struct ir_instr *first = from->first;
    while (first->op == IR_PHI)
        first = first->next;
    return first;
}

// Converts what flows into a phi in the block that it comes from.
static bool resolve_phi(struct infer *in, struct ir_instr *phi)
{
    assert(phi->op == IR_PHI && phi->operand_count == phi->block->predecessors.len);
    for (size_t i = 0; i < phi->operand_count; i++) {
        struct ir_instr *operand = value_of(in, phi->operands[i]);
        struct ir_block *from = phi->block->predecessors.items[i];
        struct rule r = {.in = in,
                .instr = conversion_place(from, phi, operand),
                .is_emitting = true};
        bool is_undefined = operand->op == IR_CONST && !operand->constant.type;
        phi->operands[i] = is_undefined ? rule_zero(&r, phi->type)
                                        : rule_cast(&r, operand, phi->type);
        if (!phi->operands[i])
            return refuse_early_use(in, phi);
    }
    return true;
}

static bool resolve_phis(struct infer *in, struct ir_block *block)
{
    for (struct ir_instr *phi = block->first; phi && phi->op == IR_PHI; phi = phi->next)
        if (!resolve_phi(in, phi))
            return false;
    return true;
}

// --- What nobody uses: constants of compile-time types, bound methods, folded operations

static bool is_primitive(const struct ir_instr *instr, enum ir_primitive primitive)
{
    return instr->op == IR_PRIMITIVE && instr->primitive == primitive;
}

// The display of a list that an item is put into; NULL: it is none.
static const struct ir_instr *display_pushed_to(const struct ir_instr *instr)
{
    bool is_push = is_primitive(instr, PRIMITIVE_LIST_PUSH) &&
                   is_primitive(instr->operands[0], PRIMITIVE_LIST_NEW);
    return is_push ? instr->operands[0] : NULL;
}

// Nor is a list looked at that is only made: an array or a tuple stands for it.
static bool is_removable(const struct ir_instr *instr, const int *uses, const int *pushes)
{
    const struct ir_instr *list = display_pushed_to(instr);
    if (list)
        return uses[list->id] == pushes[list->id];
    return !uses[instr->id] && instr->op != IR_ARG &&
           (!ir_has_effect(instr->op) || is_primitive(instr, PRIMITIVE_LIST_NEW));
}

// Operations that became others, whatever their effect was: the new ones have it. Opcodes
// below IR_CONST are those of Python.
static void remove_replaced(struct infer *in)
{
    vec_each (block, &in->function->blocks) {
        struct ir_instr *next;
        for (struct ir_instr *instr = (*block)->first; instr; instr = next) {
            next = instr->next;
            if (instr->id >= in->value_count)
                continue;
            struct ir_instr *value = in->values[instr->id];
            if (instr->op < IR_CONST || (value && value != instr))
                ir_remove(instr);
        }
    }
}

static void count_uses(const struct ir_function *function, int *uses, int *pushes)
{
    vec_each (block, &function->blocks)
        ir_each_instr(instr, *block)
        {
            for (size_t i = 0; i < instr->operand_count; i++)
                uses[instr->operands[i]->id]++;
            if (display_pushed_to(instr))
                pushes[instr->operands[0]->id]++;
        }
}

// From the end of the function on, so that an operand's last use is gone before it is
// looked at; what is used only round a loop stays, and costs nothing but its computation.
static void remove_unused(struct infer *in)
{
    struct ir_function *function = in->function;
    int *uses = memory_zalloc(2 * (size_t)function->next_id * sizeof *uses);
    int *pushes = uses + function->next_id;
    remove_replaced(in);
    count_uses(function, uses, pushes);
    for (size_t i = function->blocks.len; i-- > 0;) {
        struct ir_instr *previous;
        for (struct ir_instr *instr = function->blocks.items[i]->last; instr;
                instr = previous) {
            previous = instr->previous;
            if (!is_removable(instr, uses, pushes))
                continue;
            if (display_pushed_to(instr))
                pushes[instr->operands[0]->id]--;
            for (size_t k = 0; k < instr->operand_count; k++)
                uses[instr->operands[k]->id]--;
            ir_remove(instr);
        }
    }
    free(uses);
}

// --- What can fail

// Python raises for a division by zero; with NumPy's error model the result says it.
static bool division_may_raise(const struct infer *in, const struct ir_instr *instr)
{
    if (instr->binary != BINARY_TRUEDIV && instr->binary != BINARY_FLOORDIV &&
            instr->binary != BINARY_MOD && instr->binary != BINARY_POW)
        return false;
    const struct ir_instr *divisor = instr->operands[1];
    if (divisor->op == IR_CONST && type_is_integer(divisor->type) &&
            divisor->constant.integer > 0)
        return false;
    return !in->source->options.is_numpy_error_model &&
           instr->immediate != DIVISION_AS_NUMPY;
}

// Codegen gives functions that cannot raise no status to return: what is missing here is
// an error that is lost, what is too much costs a test after each call.
static bool primitive_may_raise(const struct infer *in, const struct ir_instr *instr)
{
    switch (instr->primitive) {
    case PRIMITIVE_RANGE:
        return instr->operands[2]->op != IR_CONST ||
               !instr->operands[2]->constant.integer;
    case PRIMITIVE_ARRAY_LOAD:
    case PRIMITIVE_ARRAY_STORE:
    case PRIMITIVE_CUDA_CACHED_LOAD:
    case PRIMITIVE_CUDA_CACHED_STORE:
    case PRIMITIVE_ATOMIC_ADD ... PRIMITIVE_ATOMIC_CAS:
        return in->target == TARGET_EMULATOR ||
               in->source->options.boundscheck == BOUNDS_ALL ||
               (in->source->options.boundscheck == BOUNDS_DEFAULT &&
                       in->target == TARGET_HOST);
    case PRIMITIVE_ARRAY_VIEW:
    case PRIMITIVE_SLICE:
    case PRIMITIVE_ARRAY_COPY_INTO:
    case PRIMITIVE_ARRAY_RESHAPE:
    case PRIMITIVE_ARRAY_BROADCAST:
    case PRIMITIVE_ARRAY_EMPTY:
    case PRIMITIVE_ARRAY_ZEROS:
    case PRIMITIVE_PRINT:
    case PRIMITIVE_LIST_NEW:
    case PRIMITIVE_LIST_APPEND:
    case PRIMITIVE_LIST_SPLICE:
    case PRIMITIVE_CELL_NEW:
    case PRIMITIVE_CELL_GET:
    case PRIMITIVE_TEXT_CALL:
    case PRIMITIVE_TEXT_BUILD:
    case PRIMITIVE_TEXT_ITEM:
    case PRIMITIVE_TUPLE_INDEX:
        return true;
    case PRIMITIVE_ARRAY_STRIDED:
    case PRIMITIVE_LIST_LOAD:
    case PRIMITIVE_LIST_STORE:
    case PRIMITIVE_LIST_PART:
    case PRIMITIVE_LIST_SET_PART:
    case PRIMITIVE_LIST_PUSH:
    case PRIMITIVE_LIST_SWAP:
        return source_checks_library(&in->source->options);
    case PRIMITIVE_CALL_VALUE:
        return instr->operands[0]->type->kind == TYPE_CALLABLE;
    case PRIMITIVE_EXTERNAL:
        return instr->immediate & EXTERNAL_STATUS;
    default:
        return false;
    }
}

static bool may_overflow(const struct infer *in, const struct ir_instr *instr)
{
    if (!in->source->options.overflow_check || !instr->type ||
            instr->type->kind != TYPE_INT)
        return false;
    return instr->op == IR_BINARY || instr->op == IR_UNARY ||
           (instr->op == IR_PRIMITIVE && instr->primitive == PRIMITIVE_ABS);
}

static bool instr_may_raise(const struct infer *in, const struct ir_instr *instr)
{
    if (may_overflow(in, instr))
        return true;
    switch (instr->op) {
    case IR_BINARY:
        return division_may_raise(in, instr);
    case IR_PRIMITIVE:
        return primitive_may_raise(in, instr);
    case IR_ITERNEXT:
        return type_asks_generator(instr->operands[0]->type);
    case IR_CAST:
        return instr->operands[0]->type->kind == TYPE_OPTIONAL ||
               instr->operands[0]->type->kind == TYPE_TUPLE ||
               rule_value_type(instr->type)->kind == TYPE_CALLABLE;
    case IR_CALL_DIRECT: // one that is not resolved yet is part of a recursion
        return !instr->callee->is_resolved || instr->callee->may_raise;
    default:
        return instr->op == IR_RAISE || instr->op == IR_RERAISE ||
               instr->op == IR_PARALLEL_FOR || instr->op == IR_OBJMODE;
    }
}

static bool has_loop(const struct ir_block *block)
{
    vec_each (from, &block->predecessors)
        if ((*from)->id >= block->id)
            return true;
    return false;
}

// Kernels under fastmath divide float32 as the device does, also where debug=True has
// other divisions by zero raise.
static void settle_division(const struct infer *in, struct ir_instr *instr)
{
    if (in->target != TARGET_HOST && in->source->options.fastmath &&
            instr->op == IR_BINARY && instr->binary == BINARY_TRUEDIV &&
            instr->type == type_float32)
        instr->immediate = DIVISION_AS_NUMPY;
}

// Loops are left when the interrupt flag is seen, which callers must hear of.
static void set_properties(struct infer *in)
{
    struct ir_function *function = in->function;
    vec_each (block, &function->blocks) {
        function->may_raise =
                function->may_raise || (in->target != TARGET_GPU && has_loop(*block));
        ir_each_instr(instr, *block)
        {
            settle_division(in, instr);
            function->may_raise = function->may_raise || instr_may_raise(in, instr);
            function->has_barrier =
                    function->has_barrier ||
                    (instr->op == IR_PRIMITIVE &&
                            (instr->primitive == PRIMITIVE_CUDA_SYNCTHREADS ||
                                    instr->primitive == PRIMITIVE_CUDA_SYNCGRID ||
                                    instr->primitive == PRIMITIVE_CUDA_WARP)) ||
                    (instr->op == IR_CALL_DIRECT && instr->callee->has_barrier);
        }
    }
}

// In the order of the blocks, in which a value comes before its uses but for phis; these
// are done last, when all that flows into them is resolved.
bool infer_resolve(struct infer *in)
{
    assert(!in->function->is_resolved && !in->values);
    struct ir_function *function = in->function;
    in->value_count = function->next_id;
    in->values = memory_zalloc((size_t)in->value_count * sizeof(struct ir_instr *));
    for (size_t i = 0; i < function->blocks.len; i++) {
        if (!in->reached[i])
            continue;
        struct ir_instr *next;
        for (struct ir_instr *instr = function->blocks.items[i]->first; instr;
                instr = next) {
            next = instr->next;
            if (instr->id < in->value_count &&
                    (!resolve_instr(in, instr) || in->err->kind))
                return false;
        }
    }
    reach_again(in);
    for (size_t i = 0; i < function->blocks.len; i++)
        if (in->reached[i] && !(keep_edges(in, function->blocks.items[i]) &&
                                      resolve_phis(in, function->blocks.items[i])))
            return false;
    ir_order_blocks(function);
    remove_unused(in);
    set_properties(in);
    function->is_resolved = true;
    return true;
}
