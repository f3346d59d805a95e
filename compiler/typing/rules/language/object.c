// SPDX-License-Identifier: MIT
// What programs ask of values whatever they are: isinstance, type, getattr, hasattr,
// hash; and slices as values.
#include <string.h>

#include "compiler/types/object_class.h"
#include "compiler/typing/infer/infer.h"
#include "compiler/typing/infer/rule.h"
#include "compiler/typing/rules/arrays/arrays.h"
#include "compiler/typing/rules/language/language.h"
#include "compiler/typing/rules/text/text.h"

// --- isinstance

// Of an optional value: whether there is one, where its type is asked for.
static bool optional_instance(struct rule *r, const struct type *type)
{
    bool is_known = true;
    bool if_present = infer_is_instance(type->element, r->args[1], &is_known);
    bool if_none = infer_is_instance(type_none, r->args[1], &is_known);
    if (!is_known)
        return rule_no_match(
                r, "The second argument must be a class, or a tuple of them.");
    if (if_present == if_none)
        return rule_do_constant(
                r, (struct constant){.type = type_bool, .integer = if_present});
    r->type = type_bool;
    if (!r->is_emitting)
        return true;
    r->value = rule_compare_op(r, if_present ? COMPARE_NE : COMPARE_EQ, r->args[0],
            rule_cast(r, rule_none(r), type));
    return true;
}

// The classes of exceptions that a value is, alone or as a tuple; 0: it is something
// else.
static size_t exception_classes(struct rule *r, const struct constant **out)
{
    const struct ir_instr *value = r->args[1];
    const struct type *type = value->type;
    bool is_tuple = type->kind == TYPE_TUPLE;
    size_t count = is_tuple ? type->tuple.len : 1;
    struct constant *classes =
            arena_array(&r->in->function->arena, struct constant, count + 1);
    const struct constant *whole = rule_constant(value);
    for (size_t i = 0; i < count; i++) {
        bool is_display = is_tuple && value->op == IR_BUILD_TUPLE;
        const struct constant *class = is_display ? rule_constant(value->operands[i])
                                       : is_tuple && whole ? &whole->tuple.items[i]
                                                           : whole;
        if (!class || class->type->kind != TYPE_EXCEPTION)
            return 0;
        classes[i] = *class;
    }
    *out = classes;
    return count;
}

// Of an exception that was caught, as the clauses of its try ask.
static bool caught_instance(struct rule *r)
{
    const struct constant *classes = NULL;
    size_t count = exception_classes(r, &classes);
    if (!count)
        return rule_no_match(r, "A caught exception is asked for classes of exceptions: "
                                "isinstance(e, (ValueError, KeyError)).");
    r->type = type_bool;
    if (!r->is_emitting)
        return true;
    struct ir_instr *caught = rule_value(r, r->args[0]);
    r->value = rule_emit(r, IR_MATCH, type_bool, &caught, 1);
    r->value->match = (struct ir_match){.classes = classes, .count = count};
    return true;
}

bool rule_isinstance(struct rule *r)
{
    int64_t truth;
    if (r->args[0]->type == type_caught)
        return caught_instance(r);
    if (r->args[0]->type->kind == TYPE_OPTIONAL)
        return optional_instance(r, r->args[0]->type);
    if (!rule_known_instance(r->instr, &truth))
        return rule_no_match(
                r, "The second argument must be a class, or a tuple of them.");
    return rule_do_constant(r, (struct constant){.type = type_bool, .integer = truth});
}

bool rule_type(struct rule *r)
{
    const struct type *type = r->args[0]->type;
    if (type->kind == TYPE_OPTIONAL)
        return rule_no_match(r, "The value may be None, or not.");
    return rule_do_constant(
            r, (struct constant){.type = type_class(type), .instance = type});
}

// literal_unroll(tuple) outside of a loop's head
bool rule_identity(struct rule *r)
{
    r->type = r->args[0]->type;
    r->value = r->is_emitting ? rule_value(r, r->args[0]) : NULL;
    return true;
}

// tuple(), tuple(a_tuple)
bool rule_tuple_call(struct rule *r)
{
    const struct type *type = r->arg_count ? rule_arg_type(r, 0) : type_tuple(NULL, 0);
    bool is_record = rule_is_record_array(type) && rule_record_tuple_type(type);
    if (is_record) {
        r->type = rule_record_tuple_type(type);
        if (r->is_emitting)
            r->value = rule_record_tuple(r, rule_cast(r, r->args[0], type));
        return true;
    }
    if (type->kind != TYPE_TUPLE)
        return rule_no_match(r,
                "tuple() takes a tuple: the length of other values is not known when the "
                "code is compiled.");
    r->type = type_tuple(type->tuple.items, type->tuple.len);
    if (r->is_emitting)
        r->value =
                r->arg_count ? rule_cast(r, r->args[0], r->type) : rule_tuple(r, NULL, 0);
    return true;
}

// --- Attributes by name

static const char *literal_name(struct rule *r)
{
    const struct constant *name = rule_constant(r->args[1]);
    return name && name->type == type_string ? name->string.text : NULL;
}

// Members of a type that the program added are what its overloads say. False while they
// are being asked.
static bool find_attribute(struct rule *r, const char *name, bool *has)
{
    const struct type *type = r->args[0]->type;
    *has = rule_has_attribute(r->in->function->rules, type, name);
    return *has || type->kind != TYPE_EXTENSION ||
           rule_overloads_have(r, type, name, has);
}

// Whether all objects have the attribute, from `object`, though compiled code can't use
// it.
static bool is_of_every_object(const char *name)
{
    static const char *const names[] = {"class", "delattr", "dir", "doc", "eq", "format",
            "ge", "getattribute", "getstate", "gt", "hash", "init", "init_subclass", "le",
            "lt", "ne", "new", "reduce", "reduce_ex", "repr", "setattr", "sizeof", "str",
            "subclasshook"};
    size_t len = strlen(name);
    if (len < 5 || strncmp(name, "__", 2) != 0 || strcmp(name + len - 2, "__") != 0)
        return false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strlen(names[i]) == len - 4 && !strncmp(names[i], name + 2, len - 4))
            return true;
    return false;
}

// hasattr(value, "name"), which types tell
bool rule_hasattr(struct rule *r)
{
    const char *name = literal_name(r);
    if (!name)
        return rule_no_match(r, "The attribute's name must be a literal.");
    bool has;
    if (!find_attribute(r, name, &has))
        return false;
    has = has || is_of_every_object(name);
    return rule_do_constant(r, (struct constant){.type = type_bool, .integer = has});
}

// getattr(value, "name"[, default])
bool rule_getattr_call(struct rule *r)
{
    const char *name = literal_name(r);
    if (!name)
        return rule_no_match(r, "The attribute's name must be a literal.");
    bool has = true;
    if (r->arg_count == 3 && !find_attribute(r, name, &has))
        return false;
    if (!has) {
        r->type = r->args[2]->type;
        r->value = r->is_emitting ? rule_value(r, r->args[2]) : NULL;
        return true;
    }
    r->arg_count = 1;
    return rule_attribute(r, name);
}

bool rule_callable(struct rule *r)
{
    const struct type *type = r->args[0]->type;
    bool is_callable =
            type->kind == TYPE_FUNCTION || type->kind == TYPE_DISPATCHER ||
            type->kind == TYPE_CLOSURE || type->kind == TYPE_CALLABLE ||
            type->kind == TYPE_FOREIGN || type->kind == TYPE_CLASS ||
            type->kind == TYPE_METHOD ||
            (type->kind == TYPE_INSTANCE && object_method_find(type, "__call__"));
    return rule_do_constant(
            r, (struct constant){.type = type_bool, .integer = is_callable});
}

// --- hash

static struct ir_instr *emit_hash(
        struct rule *r, struct ir_instr *value, const struct type *type);

static struct ir_instr *emit_tuple_hash(
        struct rule *r, struct ir_instr *tuple, const struct type *type)
{
    struct ir_instr **hashes =
            arena_array(&r->in->function->arena, struct ir_instr *, type->tuple.len + 1);
    for (size_t i = 0; i < type->tuple.len; i++)
        hashes[i] = emit_hash(r, rule_tuple_get(r, tuple, i), type->tuple.items[i]);
    struct ir_instr *count = rule_int(r, type_int64, (int64_t)type->tuple.len);
    if (!type->tuple.len)
        hashes[0] = rule_int(r, type_int64, 0);
    struct ir_instr *operands[] = {
            rule_tuple(r, hashes, type->tuple.len ? type->tuple.len : 1), count};
    return rule_text_call(r, TEXT_HASH_ITEMS, type_int64, operands, 2);
}

static struct ir_instr *emit_hash(
        struct rule *r, struct ir_instr *value, const struct type *type)
{
    enum text_call call = TEXT_HASH_INT;
    const struct type *wide = type_int64;
    if (type->kind == TYPE_ENUM)
        return emit_hash(r, rule_cast(r, value, type->element), type->element);
    type = rule_value_type(type);
    if (type->kind == TYPE_TUPLE)
        return emit_tuple_hash(r, value, type);
    if (type->kind == TYPE_STRING) {
        call = TEXT_HASH;
        wide = type;
    } else if (type->kind == TYPE_FLOAT) {
        call = TEXT_HASH_FLOAT;
        wide = type_float64;
    } else if (type->kind == TYPE_COMPLEX) {
        call = TEXT_HASH_COMPLEX;
        wide = type_complex128;
    } else if (type->kind == TYPE_INT && !type->is_signed) {
        call = TEXT_HASH_UINT;
        wide = type_uint64;
    }
    struct ir_instr *operand = rule_cast(r, value, wide);
    return rule_text_call(r, call, type_int64, &operand, 1);
}

static bool is_hashable(const struct type *type)
{
    if (type->kind == TYPE_ENUM)
        return true;
    type = rule_value_type(type);
    for (size_t i = 0; type->kind == TYPE_TUPLE && i < type->tuple.len; i++)
        if (!is_hashable(type->tuple.items[i]))
            return false;
    return type_is_item(type) || type->kind == TYPE_STRING || type->kind == TYPE_TUPLE;
}

bool rule_has_hash(const struct type *type, const char *name)
{
    return !strcmp(name, "__hash__") && type->kind != TYPE_INSTANCE && is_hashable(type);
}

// As its program says, by a method or for the function.
static bool hash_by_program(struct rule *r)
{
    bool is_done = false;
    if (!rule_overloaded_text(r, "__hash__", &is_done))
        return false;
    if (!is_done && !rule_overloaded_operator(r, "hash", r->args, &is_done))
        return false;
    return is_done || rule_no_match(r, "The type has no __hash__ method.");
}

static bool holds_of_program(const struct type *type)
{
    for (size_t i = 0; type->kind == TYPE_TUPLE && i < type->tuple.len; i++)
        if (holds_of_program(type->tuple.items[i]))
            return true;
    return rule_is_of_program(type);
}

bool rule_hash(struct rule *r)
{
    const struct type *type = rule_arg_type(r, 0);
    if (type->kind == TYPE_INSTANCE && object_method_find(type, "__hash__"))
        return rule_instance_operation(r, "__hash__");
    if (rule_is_of_program(type))
        return hash_by_program(r);
    if (type->kind == TYPE_TUPLE && holds_of_program(type))
        return rule_library(r, "operators.tuple_hash");
    if (!is_hashable(r->args[0]->type))
        return rule_no_match(r, "hash() takes a number, a string, or a tuple of those.");
    if (!rule_text_on_host(r))
        return false;
    r->type = type_int64;
    if (r->is_emitting)
        r->value = emit_hash(r, r->args[0], r->args[0]->type);
    return true;
}

// --- Slices

// slice(stop), slice(start, stop[, step])
bool rule_slice_call(struct rule *r)
{
    struct ir_instr left_out = {.op = IR_CONST, .type = type_none};
    struct ir_instr *parts[3], *none = &left_out;
    bool is_single = r->arg_count == 1;
    parts[0] = is_single ? none : r->args[0];
    parts[1] = r->args[!is_single];
    parts[2] = r->arg_count > 2 ? r->args[2] : none;
    r->args = parts;
    r->arg_count = 3;
    return rule_slice(r);
}

bool rule_slice_attribute(struct rule *r)
{
    static const char *const names[] = {"start", "stop", "step"};
    for (int i = 0; i < 3; i++) {
        if (strcmp(names[i], r->name) != 0)
            continue;
        const struct type *type = rule_arg_type(r, 0);
        r->type = type->kind == TYPE_RANGE ? type->element : type_int64;
        if (r->is_emitting) {
            r->value = rule_emit(r, IR_TUPLE_GET, r->type, &r->args[0], 1);
            r->value->index = i;
        }
        return true;
    }
    return rule_overloaded_attribute(r, rule_arg_type(r, 0));
}

// slice.indices(length)
bool rule_slice_indices(struct rule *r)
{
    if (r->arg_count != 1 || !type_is_integer(rule_arg_type(r, 0)) ||
            r->instr->call.keyword_count)
        return rule_no_match(r, "indices() takes the length, an integer.");
    if (!rule_text_on_host(r))
        return false;
    const struct type *items[3] = {type_int64, type_int64, type_int64};
    r->type = type_tuple(items, 3);
    if (r->is_emitting) {
        struct ir_instr *operands[] = {
                rule_value(r, r->receiver), rule_cast(r, r->args[0], type_int64)};
        r->value = rule_text_call(r, TEXT_SLICE_INDICES, r->type, operands, 2);
    }
    return true;
}

bool rule_match(struct rule *r)
{
    int64_t truth = 0;
    if (!infer_match((enum match_question)r->data, r->args, r->arg_count, &truth))
        return true;
    return rule_do_constant(r, (struct constant){.type = type_bool, .integer = truth});
}

bool rule_literally(struct rule *r)
{
    const struct type *type = r->args[0]->type;
    bool is_display = type->kind == TYPE_LIST || type->kind == TYPE_DICT;
    bool is_known = type->kind == TYPE_SLICE; // its type says all that code depends on
    if (is_known || (is_display && r->in->source->knows_displays))
        return rule_identity(r);
    if (type->kind != TYPE_LITERAL && !rule_constant(r->args[0]))
        return literal_ask(r->in, r->args[0], "literally()", r->instr->span);
    return rule_identity(r);
}
