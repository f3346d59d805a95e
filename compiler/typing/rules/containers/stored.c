// SPDX-License-Identifier: MIT
// What a list, set or dict takes in: values of its type, and those that become so.
//
// Types alone say that a float is no integer and a number no bool: that is refused here,
// in tuples too. Whether an int64 is one of the container's narrower numbers, only its
// value says: as an item it is cast, as numba does it, but a key that changed would be
// another key. Functions of the library ask with is_kept() before they take one in.

#include "compiler/typing/infer/infer.h"
#include "compiler/typing/infer/rule.h"
#include "compiler/typing/rules/containers/container.h"

// Whether values of `from` are not of the kind that `to` is of, though they can be cast.
static bool is_other_kind(const struct type *from, const struct type *to)
{
    if (from->kind == TYPE_OPTIONAL || to->kind == TYPE_OPTIONAL)
        return is_other_kind(rule_value_type(from), rule_value_type(to));
    if (from->kind == TYPE_TUPLE && to->kind == TYPE_TUPLE) {
        for (size_t i = 0; i < from->tuple.len && i < to->tuple.len; i++)
            if (is_other_kind(from->tuple.items[i], to->tuple.items[i]))
                return true;
        return false;
    }
    if (from->kind == TYPE_ENUM && from->enumeration.is_int)
        from = from->element;
    if (from == to)
        return false;
    bool is_broken = from->kind == TYPE_FLOAT || from->kind == TYPE_BFLOAT;
    return (type_is_integer(to) && is_broken) ||
           (to->kind == TYPE_BOOL && (is_broken || type_is_integer(from))) ||
           (from->kind == TYPE_TIME && type_conversion(from, to) == CONVERT_UNSAFE);
}

bool rule_check_stored(struct rule *r, const struct type *wanted, const struct type *type)
{
    if (type_is_incomplete(type))
        return true;
    if (type_conversion(type, wanted) != CONVERT_NEVER && !is_other_kind(type, wanted))
        return true;
    return rule_no_match(r, "The container holds values of another type, and the value "
                            "cannot become one without loss.");
}

void rule_note_stored(struct rule *r, const struct ir_instr *value, const struct type *to)
{
    struct ir_cast_note **end = &r->in->function->cast_notes;
    if (type_conversion(value->type, to) != CONVERT_UNSAFE || rule_constant(value))
        return;
    for (; *end; end = &(*end)->next)
        if ((*end)->from == value->type && (*end)->to == to)
            return;
    *end = arena_new(&r->in->function->arena, struct ir_cast_note);
    **end = (struct ir_cast_note){r->instr->span.line, value->type, to, NULL};
}

// --- Keys

// key_of(d, key): the key as one of the container's, where it is of their kind
bool rule_library_key_of(struct rule *r)
{
    const struct type *key = rule_arg_type(r, 0)->element, *given = rule_arg_type(r, 1);
    bool is_same_kind =
            key && ((type_is_number(key) && type_is_number(given)) ||
                           (key->kind == TYPE_TUPLE && given->kind == TYPE_TUPLE));
    r->type = r->args[1]->type;
    if (is_same_kind && type_conversion(given, key) <= CONVERT_UNSAFE &&
            !is_other_kind(given, key))
        r->type = key;
    if (key && key->kind == TYPE_ENUM && key->enumeration.is_int && given == key->element)
        r->type = key;
    if (r->is_emitting)
        r->value = rule_cast(r, r->args[1], r->type);
    return true;
}

// How many bits of an integer a float, or a part of a complex number, has.
static int precision(const struct type *type)
{
    const struct type *real = type->kind == TYPE_COMPLEX ? type->element : type;
    return real->bits == 64 ? 53 : real->bits == 32 ? 24 : 11;
}

// Whether integers of `from` may become other numbers as `to`. What a float loses as a
// narrower one is not asked: that is what the narrower type is for.
static bool may_change(const struct type *from, const struct type *to)
{
    if (!type_is_integer(from))
        return false;
    if (type_is_integer(to))
        return type_conversion(from, to) == CONVERT_UNSAFE;
    return (to->kind == TYPE_FLOAT || to->kind == TYPE_COMPLEX) &&
           from->bits - from->is_signed > precision(to);
}

// Adds to *kept, NULL at first, whether `value`, or all that it holds, is the same as a
// `to`; it stays NULL where that is always so.
static bool add_is_kept(struct rule *r, struct ir_instr *value, const struct type *to,
        struct ir_instr **kept)
{
    const struct type *from = rule_value_type(value->type);
    if (from->kind == TYPE_TUPLE && to->kind == TYPE_TUPLE) {
        for (size_t i = 0; i < from->tuple.len && i < to->tuple.len; i++) {
            struct ir_instr *item =
                    r->is_emitting ? rule_tuple_get(r, rule_cast(r, value, from), i)
                                   : rule_stand_in(r, from->tuple.items[i]);
            if (!add_is_kept(r, item, to->tuple.items[i], kept))
                return false;
        }
        return true;
    }
    if (!may_change(from, to))
        return true;
    struct ir_instr *parts[] = {
            r->is_emitting ? rule_cast(r, value, to) : rule_stand_in(r, to), value};
    r->args = parts;
    r->arg_count = 2;
    r->type = NULL;
    if (!rule_library(r,
                type_is_integer(to) ? "table.is_same_integer" : "table.is_same_in_float"))
        return false;
    if (!r->is_emitting)
        *kept = value;
    else
        *kept = *kept ? rule_binary_op(r, BINARY_AND, type_bool, *kept, r->value)
                      : r->value;
    return true;
}

// is_kept(d, key): whether key_of() gives the same key, rather than one with other digits
bool rule_library_is_kept(struct rule *r)
{
    const struct type *key = rule_arg_type(r, 0)->element;
    struct ir_instr *given = r->args[1], *kept = NULL;
    if (key && type_conversion(rule_value_type(given->type), key) <= CONVERT_UNSAFE &&
            !add_is_kept(r, given, key, &kept))
        return false;
    if (!kept)
        return rule_do_constant(r, (struct constant){.type = type_bool, .integer = 1});
    r->type = type_bool;
    r->value = r->is_emitting ? kept : NULL;
    return true;
}
