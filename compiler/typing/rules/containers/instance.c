// SPDX-License-Identifier: MIT
// Objects of classes that are compiled: fields, properties, methods, operators.
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "compiler/types/object_class.h"
#include "compiler/typing/infer/rule.h"
#include "compiler/typing/rules/containers/container.h"
#include "compiler/typing/rules/containers/objects.h"

static bool missing(struct rule *r, const struct type *type, const char *name)
{
    return rule_fail(
            r, ERROR_TYPING, "Unknown attribute '%s' of type %s", name, type->name);
}

// --- Attributes

bool rule_instance_has(const struct type *type, const char *name)
{
    return type_cell_field(type, name) || object_method_find(type, name);
}

static bool function_constant(struct rule *r, struct source *source)
{
    r->type = type_dispatcher_of(source, source->name);
    if (r->is_emitting) {
        r->value = rule_emit(r, IR_CONST, r->type, NULL, 0);
        r->value->constant = (struct constant){.type = type_dispatcher, .source = source};
    }
    return true;
}

bool rule_instance_getattr(struct rule *r, const struct type *type)
{
    assert(type->kind == TYPE_INSTANCE);
    if (type_cell_field(type, r->name))
        return rule_cell_getattr(r, type);
    const struct object_method *method = object_method_find(type, r->name);
    if (!method)
        return rule_overloaded_attribute(r, type);
    if (method->kind == METHOD_PROPERTY)
        return rule_call_source(r, method->source, r->args, 1, 0);
    if (method->kind == METHOD_STATIC)
        return function_constant(r, method->source);
    r->type = type_method(type);
    return true;
}

bool rule_instance_setattr(struct rule *r, const struct type *type)
{
    assert(type->kind == TYPE_INSTANCE);
    r->name = r->instr->attribute;
    if (type_cell_field(type, r->name))
        return rule_cell_setattr(r, type);
    const struct object_method *method = object_method_find(type, r->name);
    if (!method || !method->setter)
        return missing(r, type, r->name);
    return rule_call_source(r, method->setter, r->args, 2, 0);
}

bool rule_class_attribute(struct rule *r, const struct type *type)
{
    assert(type->kind == TYPE_INSTANCE);
    const struct object_method *method = object_method_find(type, r->name);
    if (!method || method->kind == METHOD_PROPERTY)
        return missing(r, type, r->name);
    return function_constant(r, method->source);
}

// --- Calls

// The operands of the call behind `first`.
static bool call_with(struct rule *r, struct source *source, struct ir_instr *first)
{
    const struct ir_instr *call = r->instr;
    size_t count = call->operand_count;
    struct ir_instr **args =
            arena_array(&r->in->function->arena, struct ir_instr *, count + 1);
    args[0] = first;
    memcpy(args + 1, call->operands + 1, (count - 1) * sizeof(struct ir_instr *));
    return rule_call_source(r, source, args, count, call->call.keyword_count);
}

bool rule_instance_method(struct rule *r)
{
    const struct type *type = rule_value_type(r->receiver->type);
    return call_with(r, object_method_find(type, r->name)->source, r->receiver);
}

bool rule_instance_new(struct rule *r, const struct type *type)
{
    assert(type->kind == TYPE_INSTANCE);
    if (r->in->target != TARGET_HOST)
        return rule_fail(r, ERROR_TYPING, "CUDA code cannot make objects of a class");
    const struct object_method *method = object_method_find(type, "__init__");
    struct ir_instr *made = ir_instr_create(
            r->in->function, IR_CONST, 0, r->instr->span); // for its type alone
    made->type = type;
    if (r->is_emitting) {
        made = rule_primitive(r, PRIMITIVE_CELL_NEW, type, NULL, 0);
        for (size_t i = 0; i < type->cell.len; i++) {
            if (!type_is_container(type->cell.fields[i].type))
                continue;
            struct ir_instr *operands[] = {
                    made, rule_empty_container(r, type->cell.fields[i].type)};
            rule_primitive(r, PRIMITIVE_CELL_SET, type_none, operands, 2)->immediate =
                    (int)i;
        }
    }
    if (method && !call_with(r, method->source, made))
        return false;
    if (!method && r->instr->operand_count > 1)
        return rule_fail(
                r, ERROR_TYPING, "%s() takes no arguments", type->cell.class->name);
    r->type = type;
    r->value = r->is_emitting ? made : NULL;
    return true;
}

// --- Operations

static const struct object_method *operand_method(
        const struct rule *r, size_t i, const char *prefix, const char *name)
{
    const struct type *type = rule_value_type(r->args[i]->type);
    char full[40];
    snprintf(full, sizeof full, "__%s%s__", prefix, name);
    return type->kind == TYPE_INSTANCE ? object_method_find(type, full) : NULL;
}

bool rule_instance_binary(struct rule *r, enum ir_binary op, bool is_inplace)
{
    static const char *const names[] = {"add", "sub", "mul", "truediv", "floordiv", "mod",
            "pow", "lshift", "rshift", "and", "or", "xor", "matmul"};
    const struct object_method *method =
            is_inplace ? operand_method(r, 0, "i", names[op]) : NULL;
    if (!method)
        method = operand_method(r, 0, "", names[op]);
    if (method)
        return rule_call_source(r, method->source, r->args, 2, 0);
    method = operand_method(r, 1, "r", names[op]);
    if (!method)
        return rule_no_match(r, "The class has no method for this operator.");
    struct ir_instr *swapped[] = {r->args[1], r->args[0]};
    return rule_call_source(r, method->source, swapped, 2, 0);
}

static bool compare_identity(struct rule *r, bool is_negated)
{
    r->type = type_bool;
    if (!r->is_emitting)
        return true;
    r->value = r->args[0]->type == r->args[1]->type
                       ? rule_primitive(r, PRIMITIVE_CELL_IS, type_bool, r->args, 2)
                       : rule_int(r, type_bool, 0);
    return !is_negated || rule_negate(r);
}

bool rule_instance_compare(struct rule *r)
{
    static const char *const names[] = {"eq", "ne", "lt", "le", "gt", "ge"};
    static const char *const mirrored[] = {"eq", "ne", "gt", "ge", "lt", "le"};
    enum ir_compare op = r->instr->compare;
    struct ir_instr *swapped[] = {r->args[1], r->args[0]};
    if (op == COMPARE_IS || op == COMPARE_IS_NOT)
        return compare_identity(r, op == COMPARE_IS_NOT);
    if (op == COMPARE_IN || op == COMPARE_NOT_IN) {
        r->args = swapped;
        return rule_instance_operation(r, "__contains__") &&
               (op == COMPARE_IN || rule_negate(r));
    }
    const struct object_method *method = operand_method(r, 0, "", names[op]);
    if (method)
        return rule_call_source(r, method->source, r->args, 2, 0);
    method = operand_method(r, 1, "", mirrored[op]);
    if (method)
        return rule_call_source(r, method->source, swapped, 2, 0);
    method = op == COMPARE_NE ? operand_method(r, 0, "", "eq") : NULL;
    if (method)
        return rule_call_source(r, method->source, r->args, 2, 0) && rule_negate(r);
    if (op == COMPARE_EQ || op == COMPARE_NE)
        return compare_identity(r, op == COMPARE_NE);
    return rule_no_match(r, "The class has no method for this comparison.");
}
