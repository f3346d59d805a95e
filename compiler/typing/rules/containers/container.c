// SPDX-License-Identifier: MIT
// Lists, sets and dicts. What they do is written in library/list.py, set.py and dict.py;
// here it is found out what operations put into them, and which of those functions they
// are. How containers are made: display.c.

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/types/object_class.h"
#include "compiler/typing/infer/infer.h"
#include "compiler/typing/infer/rule.h"
#include "compiler/typing/infer/stages.h"
#include "compiler/typing/rules/containers/container.h"

static const char *module_of(const struct type *type)
{
    return type->kind == TYPE_LIST ? "list" : type->kind == TYPE_SET ? "set" : "dict";
}

// Calls library function `name` of the module of the container's kind, whose arguments
// are r->args.
static bool call(struct rule *r, const struct type *type, const char *name)
{
    struct arena *arena = &r->in->function->arena;
    return rule_library(r, arena_printf(arena, "%s.%s", module_of(type), name));
}

// --- Items

bool rule_container_getitem(struct rule *r)
{
    assert(type_is_container(rule_arg_type(r, 0)));
    const struct type *type = rule_arg_type(r, 0), *index = rule_arg_type(r, 1);
    if (type_is_incomplete(type)) {
        r->type = type->kind == TYPE_DICT     ? type->cell.value
                  : index->kind == TYPE_SLICE ? type
                                              : type->element;
        return true;
    }
    if (type->kind == TYPE_DICT)
        return rule_library(r, "dict.get_item");
    if (type->kind != TYPE_LIST)
        return rule_no_match(r, "A set has no order: its items cannot be indexed.");
    if (index->kind == TYPE_SLICE)
        return rule_library(r, "list.get_slice");
    if (!type_is_integer(index))
        return rule_no_match(r, "A list is indexed by integers and slices.");
    return rule_library(r, "list.get_item");
}

bool rule_container_setitem(struct rule *r)
{
    assert(type_is_container(rule_arg_type(r, 0)));
    const struct type *type = rule_arg_type(r, 0), *index = rule_arg_type(r, 1);
    const struct type *value = r->args[2]->type;
    bool is_slice = type->kind == TYPE_LIST && index->kind == TYPE_SLICE;
    const struct type *stored = value;
    if (is_slice)
        stored = type_iterated(rule_value_type(value));
    if (type->kind == TYPE_SET ||
            (type->kind == TYPE_LIST && !is_slice && !type_is_integer(index)))
        return rule_no_match(r, "A list is indexed by integers and slices.");
    if (is_slice && !stored && !type_is_incomplete(value))
        return rule_no_match(r, "A slice is set to something that can be looped over.");
    if (type->kind == TYPE_DICT)
        infer_refine(r->in, r->args[0], index, stored);
    else if (stored)
        infer_refine(r->in, r->args[0], stored, NULL);
    const struct type *held = type->kind == TYPE_DICT ? type->cell.value : type->element;
    if (held && stored)
        infer_refine_as(r->in, r->args[2], is_slice ? type : held);
    if (type_is_incomplete(type) || type_is_incomplete(value) || r->in->is_refined)
        return true;
    if (!rule_check_stored(r, held, stored) ||
            (type->kind == TYPE_DICT && !rule_check_stored(r, type->element, index)))
        return false;
    if (type->kind == TYPE_DICT && type->cell.is_typed && r->is_emitting) {
        rule_note_stored(r, r->args[1], type->element);
        rule_note_stored(r, r->args[2], held);
    }
    return type->kind == TYPE_DICT
                   ? rule_library(r, "dict.put")
                   : rule_library(r, is_slice ? "list.put_slice" : "list.put_item");
}

bool rule_delitem(struct rule *r)
{
    const struct type *type = rule_arg_type(r, 0);
    r->name = "delitem";
    if (type->kind == TYPE_INSTANCE)
        return rule_instance_operation(r, "__delitem__");
    if (type->kind == TYPE_DICT)
        return rule_library(r, "dict.remove_item");
    if (type->kind != TYPE_LIST)
        return rule_no_match(r, "Items of lists and dicts can be deleted.");
    return rule_library(r, rule_arg_type(r, 1)->kind == TYPE_SLICE ? "list.remove_slice"
                                                                   : "list.remove_item");
}

bool rule_container_unpack(struct rule *r)
{
    assert(type_is_container(rule_arg_type(r, 0)));
    const struct type *type = rule_arg_type(r, 0);
    int count = r->instr->count;
    if (type_is_incomplete(type))
        return true;
    assert(type->kind == TYPE_LIST); // infer_list_unpacked has seen to all others
    bool is_rest = r->instr->op == IR_UNPACK_REST;
    return rule_unpack_by(r, is_rest     ? "list.unpack_rest"
                             : count < 0 ? "list.unpack_open"
                                         : "list.unpack");
}

bool rule_unpack_by(struct rule *r, const char *name)
{
    int count = r->instr->count;
    struct ir_instr number = {.op = IR_CONST, .id = INT32_MAX, .type = type_int64};
    struct ir_instr *args[] = {r->args[0],
            r->is_emitting ? rule_int(r, type_int64, r->instr->index) : &number,
            r->is_emitting ? rule_int(r, type_int64, count < 0 ? -count : count)
                           : &number};
    r->args = args;
    r->arg_count = 3;
    return rule_library(r, name);
}

// --- Operators

bool rule_container_length(struct rule *r)
{
    assert(type_is_container(rule_arg_type(r, 0)));
    const struct type *type = rule_arg_type(r, 0);
    r->type = type_int64;
    if (!r->is_emitting)
        return true;
    struct ir_instr *container = rule_cast(r, r->args[0], type);
    bool is_list = type->kind == TYPE_LIST;
    r->value = rule_primitive(r, is_list ? PRIMITIVE_LIST_LEN : PRIMITIVE_CELL_GET,
            type_int64, &container, 1);
    if (!is_list)
        r->value->immediate = TABLE_USED;
    return true;
}

bool rule_container_truth(struct rule *r)
{
    if (!rule_container_length(r))
        return false;
    r->type = type_bool;
    if (r->is_emitting)
        r->value = rule_cast(r, r->value, type_bool);
    return true;
}

static const struct type *put_together(const struct type *a, const struct type *b)
{
    if (!type_is_container(a) || !type_is_container(b) || a->kind != b->kind)
        return NULL;
    return a->element && b->element ? type_unify(a->element, b->element) : NULL;
}

static bool list_binary(struct rule *r, enum ir_binary op, bool is_inplace)
{
    const struct type *a = rule_arg_type(r, 0), *b = rule_arg_type(r, 1);
    if (op == BINARY_MUL)
        return (a->kind == TYPE_LIST ? type_is_integer(b) : type_is_integer(a))
                       ? rule_library(r, is_inplace             ? "list.repeat_in_place"
                                         : a->kind == TYPE_LIST ? "list.repeat"
                                                                : "list.repeat_right")
                       : rule_no_match(r, "A list is repeated by an integer.");
    if (op == BINARY_ADD && is_inplace && a->kind == TYPE_LIST) {
        const struct type *item = type_iterated(b);
        if (!item)
            return rule_no_match(r, "A list grows by something that can be looped over.");
        infer_refine(r->in, r->args[0], item, NULL);
        if (r->in->is_refined)
            return true;
        if (!type_is_incomplete(a) && !rule_check_stored(r, a->element, item))
            return false;
        return rule_library(r, "list.extend_in_place");
    }
    const struct type *element = put_together(a, b);
    if (op != BINARY_ADD || !element)
        return rule_no_match(r, "Lists are joined by + to lists of the same type.");
    infer_refine(r->in, r->args[0], element, NULL);
    infer_refine(r->in, r->args[1], element, NULL);
    return r->in->is_refined || rule_library(r, "list.concat");
}

bool rule_container_binary(struct rule *r, enum ir_binary op, bool is_inplace)
{
    assert(type_is_container(rule_arg_type(r, 0)) ||
            type_is_container(rule_arg_type(r, 1)));
    const struct type *a = rule_arg_type(r, 0), *b = rule_arg_type(r, 1);
    const char *name = op == BINARY_OR    ? "union"
                       : op == BINARY_AND ? "intersection"
                       : op == BINARY_SUB ? "difference"
                       : op == BINARY_XOR ? "symmetric_difference"
                                          : NULL;
    if (a->kind == TYPE_LIST || b->kind == TYPE_LIST)
        return list_binary(r, op, is_inplace);
    if (a->kind != b->kind || !name || (a->kind == TYPE_DICT && op != BINARY_OR))
        return rule_no_match(
                r, "Sets have the operators | & - ^ with sets, dicts | with dicts.");
    if (op == BINARY_OR || op == BINARY_XOR)
        infer_refine(r->in, r->args[0], b->element, b->cell.value);
    if (r->in->is_refined)
        return true;
    if ((op == BINARY_OR || op == BINARY_XOR) &&
            (!rule_check_stored(r, a->element, b->element) ||
                    (a->kind == TYPE_DICT &&
                            !rule_check_stored(r, a->cell.value, b->cell.value))))
        return false;
    char full[64];
    snprintf(full, sizeof full, "%s%s", name, is_inplace ? "_in_place" : "");
    return call(r, a, full);
}

bool rule_negate(struct rule *r)
{
    if (!r->is_emitting)
        return true;
    r->value = rule_not_op(r, r->value);
    return true;
}

static bool swap_and_call(struct rule *r, const struct type *type, const char *name)
{
    struct ir_instr *swapped[] = {r->args[1], r->args[0]};
    r->args = swapped;
    return call(r, type, name);
}

bool rule_container_compare(struct rule *r)
{
    assert(type_is_container(rule_arg_type(r, 0)) ||
            type_is_container(rule_arg_type(r, 1)));
    const struct type *a = rule_arg_type(r, 0), *b = rule_arg_type(r, 1);
    enum ir_compare op = r->instr->compare;
    bool is_membership = op == COMPARE_IN || op == COMPARE_NOT_IN;
    if (type_is_incomplete(a) || type_is_incomplete(b)) {
        r->type = type_bool;
        if (!is_membership && a->kind == b->kind) {
            infer_refine_as(r->in, r->args[0], b);
            infer_refine_as(r->in, r->args[1], a);
        }
        return true;
    }
    if (is_membership)
        return swap_and_call(r, b, "contains") && (op == COMPARE_IN || rule_negate(r));
    if (a->kind != b->kind)
        return op == COMPARE_EQ || op == COMPARE_NE || op == COMPARE_IS ||
                               op == COMPARE_IS_NOT
                       ? rule_do_constant(r, (struct constant){.type = type_bool,
                                                     .integer = op == COMPARE_NE ||
                                                                op == COMPARE_IS_NOT})
                       : rule_no_match(r, "These values have no order.");
    if (op == COMPARE_IS || op == COMPARE_IS_NOT) {
        r->type = type_bool;
        if (!r->is_emitting)
            return true;
        r->value = a == b ? rule_primitive(r, PRIMITIVE_CELL_IS, type_bool, r->args, 2)
                          : rule_int(r, type_bool, 0);
        return op == COMPARE_IS || rule_negate(r);
    }
    if (a->kind == TYPE_DICT && op != COMPARE_EQ && op != COMPARE_NE)
        return rule_no_match(r, "Dicts have no order.");
    switch (op) {
    case COMPARE_EQ:
        return call(r, a, "equal");
    case COMPARE_NE:
        return call(r, a, "equal") && rule_negate(r);
    case COMPARE_LT:
        return call(r, a, "less");
    case COMPARE_GT:
        return swap_and_call(r, a, "less");
    case COMPARE_LE:
        return call(r, a, "less_equal");
    default:
        return swap_and_call(r, a, "less_equal");
    }
}

// --- Methods

static const struct builtin *find_method(
        const struct rule_set *rules, const struct type *type, const char *name)
{
    char full[64];
    snprintf(full, sizeof full, "%s.%s", module_of(type), name);
    return rules->find_builtin(full);
}

bool rule_container_has_method(
        const struct rule_set *rules, const struct type *type, const char *name)
{
    return find_method(rules, type, name) != NULL;
}

// What the method puts into its receiver, as far as the arguments tell.
static void refine_by_method(struct rule *r, const struct type *type)
{
    const char *name = r->name;
    bool is_insert = !strcmp(name, "insert"), is_list = type->kind == TYPE_LIST;
    struct ir_instr *call = r->instr;
    if (call->operand_count < (is_insert ? 3u : 2u))
        return;
    struct ir_instr *given = call->operands[is_insert ? 2 : 1];
    const struct type *argument = rule_value_type(given->type);
    if (!strcmp(name, "append") || is_insert || !strcmp(name, "add")) {
        infer_refine(r->in, r->receiver, given->type, NULL);
        if (type->element)
            infer_refine_as(r->in, given, type->element);
    } else if (type->kind == TYPE_DICT && call->operand_count == 3 &&
               call->operands[2]->type != type_none &&
               (!strcmp(name, "setdefault") || !strcmp(name, "get") ||
                       !strcmp(name, "pop"))) {
        infer_refine(r->in, r->receiver, given->type, call->operands[2]->type);
        if (type->cell.value)
            infer_refine_as(r->in, call->operands[2], type->cell.value);
    } else if (type->kind == TYPE_DICT && !strcmp(name, "update") &&
               argument->kind == TYPE_DICT) {
        infer_refine(r->in, r->receiver, argument->element, argument->cell.value);
    } else if ((is_list && !strcmp(name, "extend")) ||
               (type->kind == TYPE_SET && !strcmp(name, "update"))) {
        const struct type *item = type_iterated(argument);
        if (item)
            infer_refine(r->in, r->receiver, item, NULL);
    }
}

// The names end with NULL.
static bool is_among(const char *const *names, const char *name)
{
    while (*names && strcmp(*names, name) != 0)
        names++;
    return *names != NULL;
}

static bool gives_nothing(const char *name)
{
    static const char *const names[] = {"append", "extend", "insert", "add", "update",
            "clear", "sort", "reverse", "discard", "remove", "difference_update",
            "intersection_update", "symmetric_difference_update", NULL};
    return is_among(names, name);
}

// Whether what a method keeps can be kept: what it is given, or all items of that.
static bool check_method(struct rule *r, const struct type *type)
{
    static const char *const adds[] = {"append", "add", "insert", "setdefault", NULL};
    static const char *const joins[] = {"extend", "update", "union",
            "symmetric_difference", "symmetric_difference_update", NULL};
    struct ir_instr **given = r->instr->operands + 1;
    size_t count = r->instr->operand_count - 1;
    if (is_among(adds, r->name)) {
        bool is_insert = !strcmp(r->name, "insert"), is_dict = type->kind == TYPE_DICT;
        size_t at = is_insert ? 1 : 0;
        if (at < count && !rule_check_stored(r, type->element, given[at]->type))
            return false;
        return !is_dict || count < 2 ||
               rule_check_stored(r, type->cell.value, given[1]->type);
    }
    if (!is_among(joins, r->name) || count != 1)
        return true;
    const struct type *from = rule_value_type(given[0]->type);
    if (from->kind == TYPE_DICT && type->kind == TYPE_DICT)
        return rule_check_stored(r, type->element, from->element) &&
               rule_check_stored(r, type->cell.value, from->cell.value);
    const struct type *item = type_iterated(from);
    if (!item || type->kind != TYPE_DICT)
        return !item || rule_check_stored(r, type->element, item);
    return item->kind != TYPE_TUPLE || item->tuple.len != 2 ||
           (rule_check_stored(r, type->element, item->tuple.items[0]) &&
                   rule_check_stored(r, type->cell.value, item->tuple.items[1]));
}

static bool check_position(struct rule *r, const struct type *type)
{
    static const char *const names[] = {"insert", "pop", NULL};
    return type->kind != TYPE_LIST || !is_among(names, r->name) ||
           r->instr->operand_count < 2 ||
           type_is_integer(rule_value_type(r->instr->operands[1]->type)) ||
           rule_no_match(r, "The position in a list is an integer.");
}

bool rule_container_method(struct rule *r)
{
    assert(type_is_container(rule_value_type(r->receiver->type)));
    const struct type *type = rule_value_type(r->receiver->type);
    bool is_open = type_is_incomplete(type);
    refine_by_method(r, type);
    for (size_t i = 1; i < r->instr->operand_count; i++)
        is_open = is_open || type_is_incomplete(r->instr->operands[i]->type);
    if (is_open || r->in->is_refined) {
        r->type = gives_nothing(r->name) ? type_none : NULL;
        return true;
    }
    if (!check_method(r, type) || !check_position(r, type))
        return false;
    if (type->kind == TYPE_DICT && !strcmp(r->name, "pop") &&
            r->instr->operand_count == 3)
        r->name = "pop_or";
    char full[64];
    snprintf(full, sizeof full, "%s.%s", module_of(type), r->name);
    return rule_builtin_method(r, arena_strdup(&r->in->function->arena, full));
}

// heappush(heap, item), insort(list, item): what is put in says what the list holds
bool rule_put_into_first(struct rule *r)
{
    const struct type *type = rule_arg_type(r, 0);
    if (type->kind != TYPE_LIST)
        return rule_no_match(r, "The first argument is a list.");
    if (r->data)
        infer_refine_cell(r->in, r->args[0], r->args[1]->type);
    else
        infer_refine(r->in, r->args[0], r->args[1]->type, NULL);
    if (type_is_incomplete(type) || type_is_incomplete(r->args[1]->type) ||
            r->in->is_refined) {
        r->type = r->data || !strcmp(r->name, "heappush") ? type_none : NULL;
        return true;
    }
    if (r->data && type_conversion(r->args[1]->type, type->element) > CONVERT_SAFE)
        return rule_fail(r, ERROR_TYPING,
                "Cannot unify %s and %s for a variable that an inner function "
                "assigns\n\nIt keeps the type of its first value: begin with a value of "
                "the type %s.",
                type->element->name, r->args[1]->type->name, r->args[1]->type->name);
    if (!rule_check_stored(r, type->element, r->args[1]->type))
        return false;
    char full[64];
    bool is_right = !strcmp(r->name, "insort");
    snprintf(full, sizeof full, "%s.%s%s", r->data ? "list" : "heap", r->name,
            is_right ? "_right" : "");
    return rule_library(r, arena_strdup(&r->in->function->arena, full));
}
