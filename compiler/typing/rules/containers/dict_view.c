// SPDX-License-Identifier: MIT
// keys(), values() and items() of a dict. A view is a reference to the dict that its type
// tells from it; what it shows is looked up when it is asked. Operators are written in
// library/dict_views.py.
#include <assert.h>
#include <string.h>

#include "compiler/typing/rules/containers/container.h"

static bool is_view(const struct type *type)
{
    return type->kind == TYPE_DICT_VIEW;
}

// Keys are a set, and so are items; values are none.
static bool is_like_set(const struct type *type)
{
    return type->kind == TYPE_SET || (is_view(type) && type->bits != DICT_VALUES);
}

// d.keys(), d.values(), d.items(); data: enum dict_part
bool rule_dict_view(struct rule *r)
{
    const struct type *dict = rule_arg_type(r, 0);
    if (dict->kind != TYPE_DICT)
        return rule_no_match(r, "It is a method of dicts.");
    r->type = type_dict_view(dict, (enum dict_part)r->data);
    if (r->is_emitting)
        r->value = rule_cast(r, rule_cast(r, r->args[0], dict), r->type);
    return true;
}

// The rule of dicts, for the dict that the argument is a view of.
static bool by_dict(struct rule *r, rule_function *rule)
{
    struct ir_instr *dict = rule_viewed_dict(r, r->args[0]);
    r->args = &dict;
    return rule(r);
}

bool rule_dict_view_length(struct rule *r)
{
    return by_dict(r, rule_container_length);
}

bool rule_dict_view_truth(struct rule *r)
{
    return by_dict(r, rule_container_truth);
}

// --- Operators

bool rule_dict_view_binary(struct rule *r, enum ir_binary op)
{
    static const char *const functions[] = {
            [BINARY_OR] = "dict_views.union",
            [BINARY_AND] = "dict_views.intersection",
            [BINARY_SUB] = "dict_views.difference",
            [BINARY_XOR] = "dict_views.symmetric_difference",
    };
    const struct type *a = rule_arg_type(r, 0), *b = rule_arg_type(r, 1);
    const char *function =
            op < sizeof functions / sizeof *functions ? functions[op] : NULL;
    bool adds = op == BINARY_OR || op == BINARY_XOR;
    if (!function || !(is_view(a) ? is_like_set(a) : is_like_set(b)))
        return rule_no_match(r, "keys() and items() have the operators | & - ^ with what "
                                "can be looped over; values() have none.");
    if (type_is_incomplete(a) || type_is_incomplete(b))
        return true;
    if (!type_iterated(a) || !type_iterated(b))
        return rule_no_match(r, "The other operand is to be looped over.");
    return (!adds || rule_check_stored(r, type_iterated(a), type_iterated(b))) &&
           rule_library(r, function);
}

// --- Comparisons

static bool is_never(struct rule *r)
{
    return rule_do_constant(r, (struct constant){.type = type_bool, .integer = 0});
}

static bool find_in_view(struct rule *r, const struct type *view)
{
    static const char *const functions[] = {[DICT_KEYS] = "dict.contains",
            [DICT_VALUES] = "dict_views.has_value",
            [DICT_ITEMS] = "dict_views.has_item"};
    const struct type *item = rule_arg_type(r, 0);
    bool is_pair = item->kind == TYPE_TUPLE && item->tuple.len == 2;
    if (view->bits == DICT_ITEMS && !is_pair)
        return is_never(r);
    struct ir_instr *swapped[] = {rule_viewed_dict(r, r->args[1]), r->args[0]};
    r->args = swapped;
    return rule_library(r, functions[view->bits]);
}

static bool compare_as_sets(struct rule *r, enum ir_compare op)
{
    static const char *const functions[] = {
            [COMPARE_EQ] = "set.equal",
            [COMPARE_NE] = "set.equal",
            [COMPARE_LT] = "set.less",
            [COMPARE_LE] = "set.less_equal",
            [COMPARE_GT] = "set.less",
            [COMPARE_GE] = "set.less_equal",
    };
    struct ir_instr *swapped[] = {r->args[1], r->args[0]};
    if (op == COMPARE_GT || op == COMPARE_GE)
        r->args = swapped;
    return rule_library(r, functions[op]) && (op != COMPARE_NE || rule_negate(r));
}

bool rule_dict_view_compare(struct rule *r)
{
    const struct type *a = rule_arg_type(r, 0), *b = rule_arg_type(r, 1);
    enum ir_compare op = r->instr->compare;
    if (type_is_incomplete(a) || type_is_incomplete(b)) {
        r->type = type_bool;
        return true;
    }
    if (op == COMPARE_IN || op == COMPARE_NOT_IN)
        return find_in_view(r, b) && (op == COMPARE_IN || rule_negate(r));
    if (a == b && (op == COMPARE_IS || op == COMPARE_IS_NOT || !is_like_set(a)))
        return rule_no_match(r, "Whether two views are one object is not known; == "
                                "compares keys() and items(), and list(d.values()).");
    if (is_like_set(a) && is_like_set(b) && op <= COMPARE_GE)
        return compare_as_sets(r, op);
    if (op == COMPARE_EQ || op == COMPARE_IS)
        return is_never(r);
    if (op == COMPARE_NE || op == COMPARE_IS_NOT)
        return is_never(r) && rule_negate(r);
    return rule_no_match(r, "keys() and items() have an order with their like and sets, "
                            "values() have none.");
}

// --- Methods

bool rule_dict_view_has_method(const struct type *type, const char *name)
{
    return is_view(type) && is_like_set(type) && !strcmp(name, "isdisjoint");
}

bool rule_dict_view_method(struct rule *r)
{
    assert(rule_dict_view_has_method(rule_value_type(r->receiver->type), r->name));
    return rule_builtin_method(r, "dict_view.isdisjoint");
}
