// SPDX-License-Identifier: MIT
// Finds the type of every value of a function: a fixed point over the SSA form, in
// rounds, following only edges that types do not rule out (sparse conditional
// propagation, as Wegman and Zadeck do it for constants, but of types).
//
// What must hold: within one run of rounds a value's type only climbs (int64 to float64
// to an optional), so that rounds end; a block that was reached stays so. The one
// exception is a container whose items turn out to be of another type than its uses were
// typed with. Then everything is forgotten but what is known of containers (refine.c),
// which itself only climbs, and the rounds begin anew.
//
// Rules may be asked about an instruction many times, in any state of its operands'
// types, and must give the same answer for the same types: they change nothing but r and
// what is written for containers. Nothing is emitted before the types are settled.

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/guard.h"
#include "compiler/typing/infer/infer.h"
#include "compiler/typing/infer/rule.h"
#include "compiler/typing/infer/stages.h"
#include "compiler/types/functions.h"

// --- Single instructions

static bool is_undefined(const struct ir_instr *value)
{
    return value->op == IR_CONST && !value->constant.type && !value->origin;
}

static bool refuse_unassigned(struct infer *in, const struct ir_instr *instr)
{
    for (size_t i = 0; i < instr->operand_count; i++)
        if (instr->operands[i]->assigned && !instr->operands[i]->type)
            return error_set(in->err, ERROR_TYPING, instr->span,
                    "variable '%s' referenced before assignment",
                    instr->operands[i]->variable);
    return true;
}

// A method is that of a value, which rules look at: it may have lost its type since,
// where what a container holds is asked about again.
static bool is_typed(const struct ir_instr *value)
{
    return value->type && (value->op != IR_GETATTR || value->operands[0]->type);
}

// Whether all operands have types; false without an error while some do not yet.
// A variable that no path has set is an error only where it is used.
static bool has_typed_operands(struct infer *in, struct ir_instr *instr)
{
    for (size_t i = 0; i < instr->operand_count; i++) {
        struct ir_instr *operand = instr->operands[i];
        if (is_undefined(operand))
            return error_set(in->err, ERROR_TYPING, instr->span,
                    "variable '%s' referenced before assignment", operand->variable);
        if (!is_typed(operand))
            return false;
    }
    return true;
}

// A branch whose condition has no type yet is taken by neither edge: the types behind it
// would be those of code that may never run. When nothing else is left to do they are
// forced, both ways.
bool infer_edge_is_taken(
        struct infer *in, const struct ir_block *from, const struct ir_block *to)
{
    const struct ir_instr *last = from->last;
    bool truth;
    if (!in->reached[from->id])
        return false;
    if (last->op != IR_BRANCH)
        return true;
    if (!last->operands[0]->type)
        return in->is_forced;
    return !infer_known_truth(last->operands[0], &truth) || last->targets[!truth] == to;
}

// Of a variable that is read where it has not been assigned: the type it has elsewhere.
static bool type_unassigned(
        struct infer *in, const struct ir_instr *phi, const struct type **type)
{
    for (size_t i = 0; i < phi->assigned->len; i++) {
        const struct ir_instr *value = phi->assigned->values[i];
        if (!value->type || type_is_incomplete(value->type))
            continue;
        const struct type *unified = *type ? type_unify(*type, value->type) : value->type;
        if (!unified)
            return infer_refuse_to_unify(in, phi, *type, value, phi->assigned->lines[i]);
        *type = unified;
    }
    return true;
}

// Operands that have no type yet, and those of edges that are not taken, do not count: a
// loop's variable has its first type from before the loop. None says little there: what
// the turns give comes first, as a use of it may be for that alone.
static bool type_phi(struct infer *in, struct ir_instr *phi, const struct type **type)
{
    *type = phi->type;
    if (phi->assigned)
        return type_unassigned(in, phi, type);
    for (size_t i = 0; i < phi->operand_count; i++) {
        const struct type *operand = phi->operands[i]->type;
        const struct ir_block *from = phi->block->predecessors.items[i];
        if (!infer_edge_is_taken(in, from, phi->block))
            continue;
        // Types wait for the next round: what is found out without them would be kept.
        if (!operand && in->is_refined && from->id < phi->block->id)
            return true;
        if (!operand)
            continue;
        const struct type *unified = *type ? type_unify(*type, operand) : operand;
        if (!unified && infer_refine_both(in, phi, *type, operand))
            continue;
        if (!unified)
            return infer_refuse_to_unify(
                    in, phi, *type, phi->operands[i], phi->lines ? phi->lines[i] : 0);
        *type = unified;
    }
    if (*type == type_none && !phi->type && infer_awaits_turn(in, phi))
        *type = NULL;
    return true;
}

// Most globals are constants with a type of their own; this one is an instruction that
// each use runs.
bool infer_is_computed(const struct ir_instr *instr)
{
    const struct type *type = instr->constant.type;
    if (type && type->kind == TYPE_EXTENSION)
        return true;
    return type == type_function && !strcmp(instr->constant.name, "cuda.laneid");
}

static bool is_numpy_function(const struct constant *constant)
{
    const char *class = constant->object.class_name;
    return str_starts_with(constant->object.module, "<module 'numpy' ") &&
           (strstr(class, "'numpy._ArrayFunctionDispatcher'") ||
                   strstr(class, "'numpy.ufunc'"));
}

// A Python object that compiled code does not know; always false.
static bool refuse_object(struct infer *in, const struct ir_instr *instr)
{
    const struct constant *constant = &instr->constant;
    const char *dot = instr->origin ? strrchr(instr->origin, '.') : NULL;
    if (constant->object.module && dot && is_numpy_function(constant))
        return error_set(in->err, ERROR_TYPING, instr->span,
                "Use of unsupported NumPy function 'numpy%s' or unsupported use of the "
                "function.",
                dot);
    if (constant->object.module && dot)
        return error_set(in->err, ERROR_TYPING, instr->span,
                "Unknown attribute '%s' of type Module(%s)", dot + 1,
                constant->object.module);
    const char *container = constant->object.type_name;
    if (container && instr->origin)
        return error_set(in->err, ERROR_TYPING, instr->span,
                "The use of a %.60s type, assigned to variable '%.60s' in globals, is "
                "not supported as globals are considered compile-time constants and "
                "there is no known way to compile a %.60s type as a constant.\n\nPass it "
                "as an argument, or make it a tuple or an array.",
                container, instr->origin, container);
    return error_set(in->err, ERROR_TYPING, instr->span,
            "Untyped global name '%s': Cannot determine Numba type of %s",
            instr->origin ? instr->origin : "?", constant->object.class_name);
}

static bool type_constant(
        struct infer *in, struct ir_instr *instr, const struct type **type)
{
    const struct constant *constant = &instr->constant;
    *type = constant->type;
    if (constant->type == type_function)
        *type = type_function_of(constant->name);
    else if (constant->type == type_module)
        *type = type_module_of(constant->name);
    else if (constant->type == type_dispatcher)
        *type = type_dispatcher_of(constant->source, constant->source->name);
    if (!constant->type && instr->origin)
        return error_set(in->err, ERROR_TYPING, instr->span, "%s", instr->origin);
    return constant->type != type_pyobject || refuse_object(in, instr);
}

// Loops over values of types that the program added call its code (iteration.c).
static bool type_extension_iterator(
        struct infer *in, struct ir_instr *instr, const struct type **type)
{
    struct rule rule = {.in = in, .instr = instr, .name = "getiter"};
    bool has;
    if (!rule_extension_iterator(&rule, instr->operands[0], &has))
        return false;
    *type = has ? rule.type : NULL;
    return true;
}

static bool type_extension_next(
        struct infer *in, struct ir_instr *instr, const struct type **type)
{
    struct rule rule = {.in = in, .instr = instr, .name = "iternext"};
    if (!rule_extension_next(&rule, instr->operands[0]))
        return false;
    *type = rule.type->tuple.items[0];
    return true;
}

static bool type_iteration(
        struct infer *in, struct ir_instr *instr, const struct type **type)
{
    const struct type *operand = instr->operands[0]->type;
    if (instr->op == IR_PAIR_SECOND) {
        *type = type_bool;
    } else if (instr->op == IR_PAIR_FIRST) {
        *type = operand;
    } else if (instr->op == IR_ITERNEXT) {
        if (operand->kind == TYPE_TUPLE)
            return type_extension_next(in, instr, type);
        *type = type_iterated(operand);
    } else {
        if (operand->kind == TYPE_EXTENSION) {
            if (!type_extension_iterator(in, instr, type))
                return false;
            if (*type)
                return true;
        }
        operand = rule_value_type(operand);
        if (type_has_entries(operand)) {
            *type = type_iterator(type_list(type_iterated(operand), false));
            return true;
        }
        if (rule_is_text_array(operand) && operand->array.ndim == 1) {
            *type = type_iterator(type_list(operand->element->element, false));
            return true;
        }
        if (!type_iterated(operand) && type_tuple_of_choices(operand))
            operand = type_tuple_of_choices(operand); // see rule_container_iterable
        if (!type_iterated(operand))
            return error_set(in->err, ERROR_TYPING, instr->span,
                    "No implementation of function Function(<built-in function getiter>) "
                    "found "
                    "for signature:\n \n >>> getiter(%s)\n \n%s",
                    operand->name,
                    operand->kind == TYPE_TUPLE
                            ? "A tuple is looped over only when its items have one type."
                            : "A loop runs over a range, an array, a list, a tuple, "
                              "enumerate or zip.");
        *type = type_iterator(
                operand->kind == TYPE_CLASS ? rule_members_type(operand) : operand);
    }
    return true;
}

// The function as a value: what it captured, each with its type.
static const struct type *type_of_closure(const struct ir_instr *instr)
{
    const struct type **items =
            memory_alloc((instr->operand_count + 1) * sizeof(struct type *));
    for (size_t i = 0; i < instr->operand_count; i++)
        items[i] = instr->operands[i]->type;
    const struct type *type = type_closure(instr->closure, items, instr->operand_count);
    free(items);
    return type;
}

// Dicts and sets move what they hold: several threads cannot add to one.
static bool check_shared_store(struct infer *in, const struct ir_instr *instr)
{
    if (!in->source->is_loop_part || instr->op != IR_SETITEM)
        return true;
    const struct ir_instr *object = instr->operands[0];
    if (object->op != IR_ARG ||
            (object->type->kind != TYPE_DICT && object->type->kind != TYPE_SET))
        return true;
    return error_set(in->err, ERROR_UNSUPPORTED, instr->span,
            "several turns of a prange loop would change '%s' (%s) at the same time: "
            "collect the items in an array, or loop over range.",
            object->variable ? object->variable : "?", object->type->name);
}

// Code generation keeps the axes of an array in buffers of that length.
static bool check_ndim(struct infer *in, const struct type *type, struct span span)
{
    return !type || type->kind != TYPE_ARRAY || type->array.ndim <= MAX_NDIM ||
           error_set(in->err, ERROR_TYPING, span,
                   "maximum supported dimension for an ndarray is %d, found %d", MAX_NDIM,
                   type->array.ndim);
}

// All that is left to the rules: the only place that calls them while types are found.
static bool type_by_rule(
        struct infer *in, struct ir_instr *instr, const struct type **type)
{
    if (!check_shared_store(in, instr))
        return false;
    if (!in->source->options.is_library)
        guard_at(&instr->span);
    struct rule rule = {.in = in, .instr = instr, .name = ir_op_name(instr->op)};
    rule.args = instr->operands;
    rule.arg_count = instr->operand_count;
    if (!in->session->stages->rules->apply(&rule))
        return false;
    *type = rule.type;
    return check_ndim(in, rule.type, instr->span);
}

static void reach(struct infer *in, struct ir_block *block)
{
    in->changed = in->changed || !in->reached[block->id];
    in->reached[block->id] = true;
}

// Terminators have no type: they say which blocks are reached next.
static bool follow(struct infer *in, struct ir_instr *last)
{
    struct ir_block *successors[2];
    size_t count = ir_successors(last->block, successors);
    for (size_t i = 0; i < count; i++)
        if (infer_edge_is_taken(in, last->block, successors[i]))
            reach(in, successors[i]);
    return infer_check_raise(in, last) &&
           (last->op != IR_RETURN || infer_return(in, last));
}

static bool type_of(struct infer *in, struct ir_instr *instr, const struct type **type)
{
    switch (instr->op) {
    case IR_ARG:
        *type = instr->refined ? instr->refined : in->function->params[instr->index];
        return check_ndim(in, *type, instr->span);
    case IR_CONST:
        return infer_is_computed(instr) ? type_by_rule(in, instr, type)
                                        : type_constant(in, instr, type);
    case IR_CAUGHT:
        *type = type_caught;
        return true;
    case IR_MATCH:
        *type = type_bool;
        return true;
    case IR_CATCH:
    case IR_NAME:
        return true;
    case IR_CHAIN:
        return infer_check_chain(in, instr);
    case IR_YIELD:
        return infer_yield(in, instr);
    case IR_OBJMODE:
        *type = instr->objmode.outputs;
        return in->target == TARGET_HOST ||
               error_set(in->err, ERROR_UNSUPPORTED, instr->span,
                       "objmode() is not supported in CUDA code.");
    case IR_MAKE_CLOSURE:
        *type = type_of_closure(instr);
        return true;
    case IR_GETITER:
    case IR_ITERNEXT:
    case IR_PAIR_FIRST:
    case IR_PAIR_SECOND:
        return type_iteration(in, instr, type);
    default:
        return type_by_rule(in, instr, type);
    }
}

// Types climb a short lattice; a function that has not settled by then never will. A type
// that holds itself twice doubles with each round, and is too much for whoever takes it
// apart long before. No program has one as heavy that it comes to late.
enum { MAX_ROUNDS = 100, LATE_ROUND = 8, MAX_LATE_WEIGHT = 1 << 14 };

static bool refuse_growth(struct infer *in)
{
    const struct ir_block *entry = in->function->blocks.items[0];
    const char *name = in->grown ? in->grown->variable : NULL;
    return error_set(in->err, ERROR_TYPING, in->grown ? in->grown->span : entry->span,
            "The types of '%s' do not settle: that of %s%s%s keeps growing, as it does "
            "where a container is put into itself.",
            in->function->name, name ? "'" : "", name ? name : "a value",
            name ? "'" : "");
}

static bool set_type(struct infer *in, struct ir_instr *instr, const struct type *type)
{
    if (type == instr->type)
        return true;
    in->changed = true;
    if (instr->variable || !in->grown)
        in->grown = instr;
    instr->type = type;
    bool is_late = in->round >= LATE_ROUND;
    return !type || !is_late || type->weight < MAX_LATE_WEIGHT || refuse_growth(in);
}

bool infer_instr(struct infer *in, struct ir_instr *instr)
{
    const struct type *type = NULL;
    if (instr->op == IR_PHI) {
        if (!type_phi(in, instr, &type))
            return false;
    } else {
        if (!has_typed_operands(in, instr))
            return in->err->kind == ERROR_NONE;
        if (ir_is_terminator(instr->op))
            return follow(in, instr);
        if (infer_waits(in, instr))
            return true;
        if (infer_has_stars(instr) && !infer_expand_stars(in, instr))
            return false;
        if (infer_unpacks_iterable(instr) && !infer_list_unpacked(in, instr))
            return false;
        if (!has_typed_operands(in, instr))
            return in->err->kind == ERROR_NONE;
        if (!type_of(in, instr, &type))
            return false;
    }
    return set_type(in, instr, type);
}

// --- Functions

// In the order of the blocks: what a round finds out late is used by the next one.
static bool run_round(struct infer *in)
{
    for (size_t i = 0; i < in->function->blocks.len; i++) {
        if (!in->reached[i])
            continue;
        ir_each_instr(instr,
                in->function->blocks.items[i]) if (!infer_instr(in, instr)) return false;
    }
    return true;
}

// Nothing more is found out: what may be put into a container lies behind conditions on
// it. True if there are such.
static bool force_branches(struct infer *in)
{
    bool is_first = !in->is_forced;
    in->is_forced = true;
    for (size_t i = 0; i < in->function->blocks.len; i++) {
        const struct ir_instr *last = in->function->blocks.items[i]->last;
        if (in->reached[i] && last->op == IR_BRANCH && !last->operands[0]->type)
            for (int k = 0; k < 2; k++)
                reach(in, last->targets[k]);
    }
    return in->changed || (is_first && infer_awaits_inner(in));
}

// Nothing more is found out: what has no type in common is an error now. True if there is
// such.
static bool force_agreement(struct infer *in)
{
    bool is_open = in->has_conflict && !in->is_final;
    in->is_final = in->is_final || is_open;
    return is_open;
}

// The last resort of all: arguments into which nothing is put.
static bool refine_arguments(struct infer *in)
{
    if (!infer_refine_arguments(in))
        return false;
    infer_start_again(in);
    return true;
}

bool infer_run_rounds(struct infer *in)
{
    assert(!in->is_active && in->reached[0]);
    in->is_active = true;
    in->is_forced = in->is_final = false;
    in->takes_none = TAKES_NO_NONE;
    in->lowest = in->depth;
    for (in->round = 0;; in->round++) {
        in->changed = in->has_conflict = in->has_none = false;
        in->grown = NULL;
        in->given = NULL;
        if (!run_round(in))
            return false;
        infer_note_given(in);
        if (in->is_refined)
            infer_start_again(in);
        if (!in->changed && !infer_take_none(in) && !force_branches(in) &&
                !refine_arguments(in) && !force_agreement(in))
            break;
        if (in->round == MAX_ROUNDS)
            return refuse_growth(in);
    }
    in->is_active = false;
    return true;
}

static bool check_containers(struct infer *in)
{
    for (size_t i = 0; i < in->function->blocks.len; i++)
        if (in->reached[i])
            ir_each_instr(instr,
                    in->function->blocks.items[i]) if (instr->op != IR_PHI &&
                                                       infer_imprecise(
                                                               in, instr)) return false;
    return true;
}

bool infer_refuse_method(struct infer *in, const struct type *method, struct span span)
{
    return error_set(in->err, ERROR_TYPING, span,
            "A method (%s) can be called, but not be used as a value: write a lambda "
            "that calls it.",
            method->name);
}

// A method is no value: code knows it where it is called, and the flags and flat items of
// an array, which are typed like one, where one of them is read or set.
static bool check_methods(struct infer *in, const struct ir_instr *instr)
{
    if (instr->op == IR_GETATTR || instr->op == IR_GETITEM)
        return true;
    for (size_t i = instr->op == IR_CALL || instr->op == IR_SETITEM;
            i < instr->operand_count; i++) {
        const struct ir_instr *operand = instr->operands[i];
        if (operand && operand->type && operand->type->kind == TYPE_METHOD)
            return infer_refuse_method(in, operand->type, instr->span);
    }
    return true;
}

// What has no type now never gets one. Phis of variables that some paths do not set are
// let through: only their uses need a value, and were refused above where they are typed.
bool infer_check_typed(struct infer *in)
{
    if (!check_containers(in))
        return false;
    infer_settle_arguments(in);
    for (size_t i = 0; i < in->function->blocks.len; i++) {
        if (!in->reached[i])
            continue;
        ir_each_instr(instr, in->function->blocks.items[i])
        {
            if (!refuse_unassigned(in, instr) || !check_methods(in, instr))
                return false;
            if (!ir_has_result(instr->op) || instr->type || is_undefined(instr) ||
                    instr->assigned)
                continue;
            if (instr->op == IR_CALL)
                return error_set(in->err, ERROR_TYPING, instr->span,
                        "cannot type infer runaway recursion\n\nNo path of '%s' returns "
                        "without calling it again, so that its type is not known.",
                        in->function->name);
            return error_set(in->err, ERROR_TYPING, instr->span,
                    "Type of %s%s cannot be determined: it depends on itself",
                    instr->variable ? "variable " : "", infer_name_of(in, instr));
        }
    }
    struct ir_function *function = in->function;
    if (function->is_generator && !function->yields) {
        function->yields = type_none;
        function->returns = type_generator(
                in->source, function->params, function->param_count, type_none);
    }
    if (!function->returns)
        function->returns = type_none;
    return true;
}
