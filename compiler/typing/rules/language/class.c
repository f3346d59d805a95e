// SPDX-License-Identifier: MIT
// Calling a type: casts such as int32(x), float(x), np.float64(x), complex(a, b).
#include "compiler/typing/builtins.h"
#include "compiler/typing/rules/containers/container.h"
#include "compiler/types/datetime.h"
#include "compiler/types/object_class.h"
#include "compiler/typing/rules/containers/objects.h"
#include "compiler/typing/rules/text/text.h"

#include <string.h>

// Python's own int, float and complex keep a width that numba's types of that name would
// not.
static const struct type *class_result(const struct rule *r, const struct type *type)
{
    const struct ir_instr *callee = r->instr->operands[0];
    const char *origin = callee->op == IR_CONST ? callee->origin : NULL;
    if (!origin || r->arg_count == 0)
        return type;
    const struct type *arg = rule_arg_type(r, 0);
    if (!strcmp(origin, "int") && arg->kind == TYPE_INT)
        return arg;
    if (!strcmp(origin, "float") && arg->kind == TYPE_FLOAT)
        return arg;
    if (!strcmp(origin, "complex") && type_is_number(arg)) {
        bool is_single = arg == type_float32 || arg == type_complex64;
        if (r->arg_count == 2)
            is_single = arg == type_float32 && rule_arg_type(r, 1) == type_float32;
        return is_single ? type_complex64 : type_complex128;
    }
    return type;
}

static bool make_complex(struct rule *r)
{
    for (size_t i = 0; i < 2; i++)
        if (!type_is_number(rule_arg_type(r, i)) ||
                rule_arg_type(r, i)->kind == TYPE_COMPLEX)
            return rule_no_match(r, "complex() takes real numbers.");
    if (!r->is_emitting)
        return true;
    struct ir_instr *parts[] = {rule_cast(r, r->args[0], r->type->element),
            rule_cast(r, r->args[1], r->type->element)};
    r->value = rule_primitive(r, PRIMITIVE_COMPLEX, r->type, parts, 2);
    return true;
}

static bool make_zero(struct rule *r)
{
    if (r->is_emitting)
        r->value = rule_zero(r, r->type);
    return true;
}

// Whether the class is named as Python's own is: it takes no arrays.
static bool is_pythons(const struct ir_instr *class)
{
    static const char *const names[] = {"int", "float", "complex", "bool"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (class->op == IR_CONST && class->origin && !strcmp(class->origin, names[i]))
            return true;
    return false;
}

// np.float64(array), or of a list: a new array.
static bool convert_array(struct rule *r)
{
    if (!rule_array_of_list(r, 0, false))
        return r->in->err->kind == ERROR_NONE;
    struct ir_instr *args[] = {r->args[0], r->instr->operands[0]};
    r->args = args;
    r->arg_count = 2;
    r->type = NULL;
    return rule_library(r, "shapes.array");
}

// int(object), float(object), complex(object), bool(object): by the class's method.
static bool convert_instance(struct rule *r)
{
    static const char *const wanted[][2] = {{"__int__", "__index__"},
            {"__float__", "__index__"}, {"__complex__", "__float__"}};
    const struct type *instance = rule_arg_type(r, 0), *result = r->type;
    if (result == type_bool)
        return rule_instance_truth(r);
    const char *const *names = wanted[result->kind == TYPE_COMPLEX ? 2
                                      : result->kind == TYPE_FLOAT ? 1
                                                                   : 0];
    const char *name = object_method_find(instance, names[0]) ? names[0] : names[1];
    if (!object_method_find(instance, name) && result->kind == TYPE_COMPLEX)
        name = "__index__";
    if (!object_method_find(instance, name))
        name = names[0];
    if (!rule_instance_operation(r, name) || !r->type)
        return false;
    if (!type_is_number(r->type) || type_conversion(r->type, result) == CONVERT_NEVER)
        return rule_fail(r, ERROR_TYPING, "%s() gives %s, which is no %s", name,
                r->type->name, result->name);
    if (result->kind != TYPE_INT && r->type->kind != result->kind) {
        r->type = result;
        if (r->is_emitting)
            r->value = rule_cast(r, r->value, result);
    }
    return true;
}

bool rule_class(struct rule *r)
{
    const struct ir_instr *callee = r->instr->operands[0];
    r->name = callee->type->element->name;
    if (callee->type->element->kind == TYPE_INSTANCE)
        return rule_instance_new(r, callee->type->element);
    r->args = r->instr->operands + 1;
    r->arg_count = r->instr->operand_count - 1;
    if (callee->type->element == type_string)
        return rule_text_class(r);
    if (callee->type->element->kind == TYPE_ENUM)
        return rule_enum_class(r);
    if (callee->type->element->kind == TYPE_TUPLE && callee->type->element->tuple.names)
        return rule_named_class(r);
    if (callee->type->element->kind == TYPE_TIME && !r->instr->call.keyword_count)
        return rule_time_class(r, callee->type->element);
    if (callee->type->element->kind == TYPE_BFLOAT)
        return rule_bfloat_class(r);
    rule_bfloat_widen(r);
    if (!type_is_number(callee->type->element) || r->instr->call.keyword_count)
        return rule_no_match(
                r, "Only number types can be called, with positional arguments.");
    r->type = class_result(r, callee->type->element);
    if (r->arg_count == 0)
        return make_zero(r);
    if (rule_arg_type(r, 0) == type_string && r->type != type_bool)
        return rule_text_to_number(r);
    if (r->arg_count == 2 && r->type->kind == TYPE_COMPLEX)
        return make_complex(r);
    const struct type *type = rule_arg_type(r, 0);
    if (type->kind == TYPE_INSTANCE && r->arg_count == 1 && is_pythons(callee))
        return convert_instance(r);
    if (r->type == type_bool && type_is_container(type))
        return rule_container_truth(r);
    bool truth;
    if (type->kind == TYPE_LITERAL && infer_known_truth(r->args[0], &truth))
        return rule_do_constant(
                r, (struct constant){.type = type_bool, .integer = truth});
    if (r->type == type_bool && type->kind == TYPE_TUPLE)
        return rule_do_constant(
                r, (struct constant){.type = type_bool, .integer = type->tuple.len != 0});
    if (type->kind == TYPE_STRING && r->arg_count == 1) { // bool("...")
        if (r->is_emitting)
            r->value = rule_cast(r, r->args[0], r->type);
        return true;
    }
    if (r->arg_count == 1 && !is_pythons(callee) && r->in->target == TARGET_HOST &&
            (type->kind == TYPE_ARRAY || type->kind == TYPE_LIST))
        return convert_array(r);
    bool is_span = type->kind == TYPE_TIME && type->time.is_delta;
    bool is_count = is_span || (type->kind == TYPE_TIME && !is_pythons(callee));
    if (r->arg_count == 1 && ((r->type == type_int64 && is_count) ||
                                     (r->type == type_bool && type->kind == TYPE_TIME))) {
        if (r->is_emitting)
            r->value = rule_cast(r, rule_cast(r, r->args[0], type), r->type);
        return true;
    }
    if (r->arg_count != 1 || !type_is_number(type) ||
            (type_conversion(type, r->type) == CONVERT_NEVER && r->type != type_bool))
        return rule_no_match(r,
                "The argument must be one number; a complex number has no real "
                "value: use .real.");
    if (r->is_emitting)
        r->value = rule_cast(r, r->args[0], r->type);
    return true;
}
