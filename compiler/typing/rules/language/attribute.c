// SPDX-License-Identifier: MIT
// Attributes and methods of values of any type: which room knows them.
#include <string.h>

#include "compiler/types/datetime.h"
#include "compiler/types/object_class.h"
#include "compiler/typing/infer/rule.h"
#include "compiler/typing/rules/arrays/arrays.h"
#include "compiler/typing/rules/containers/container.h"
#include "compiler/typing/rules/containers/objects.h"
#include "compiler/typing/rules/cuda/cuda.h"
#include "compiler/typing/rules/language/language.h"
#include "compiler/typing/rules/numbers/numbers.h"
#include "compiler/typing/rules/text/text.h"

static const struct attribute *find(const struct attribute *table, const char *name)
{
    for (; table && table->name; table++)
        if (!strcmp(table->name, name))
            return table;
    return NULL;
}

static const struct attribute *attributes_of(const struct type *type)
{
    return type->kind == TYPE_ARRAY ? rule_array_attributes
           : type_is_number(type)   ? rule_number_attributes
                                    : NULL;
}

static const struct attribute *methods_of(const struct type *type)
{
    return type->kind == TYPE_ARRAY  ? rule_array_methods
           : type->kind == TYPE_TIME ? rule_time_methods
           : type_is_number(type)    ? rule_number_methods
                                     : NULL;
}

bool rule_method(struct rule *r)
{
    struct ir_instr *callee = r->instr->operands[0];
    if (callee->op != IR_GETATTR)
        return infer_refuse_method(r->in, callee->type, r->instr->span);
    r->receiver = callee->operands[0];
    r->name = callee->attribute;
    r->args = r->instr->operands + 1;
    r->arg_count = r->instr->operand_count - 1;
    const struct type *type = rule_value_type(r->receiver->type);
    if (!r->arg_count && rule_has_hash(r->receiver->type, r->name)) {
        r->args = &r->receiver;
        r->arg_count = 1;
        return rule_hash(r);
    }
    if (rule_has_overloaded_method(r, type))
        return rule_overloaded_method(r, type);
    if (type == type_string || type == type_bytes)
        return rule_text_method(r);
    if (type->kind == TYPE_SLICE)
        return rule_slice_indices(r);
    if (rule_named_has(type, r->name))
        return rule_named_method(r, type);
    if (type_is_container(type))
        return rule_container_method(r);
    if (type->kind == TYPE_DICT_VIEW)
        return rule_dict_view_method(r);
    if (type->kind == TYPE_INSTANCE)
        return rule_instance_method(r);
    if (type->kind == TYPE_TUPLE)
        return rule_tuple_method(r, type);
    const struct attribute *method = find(methods_of(type), r->name);
    if (!method)
        return rule_builtin_method(
                r, rule_method_builtin(r->in->function->rules, type, r->name)->name);
    return rule_call_method(r, type, method);
}

// --- What the value is, and what knows the attribute

static bool has_hash(const struct rule *r, const struct type *type)
{
    return rule_has_hash(r->args[0]->type, r->name);
}

static bool get_hash(struct rule *r, const struct type *type)
{
    r->type = type_method(r->args[0]->type);
    return true;
}

static bool is_member(const struct rule *r, const struct type *type)
{
    return r->args[0]->type->kind == TYPE_ENUM;
}

static bool get_of_member(struct rule *r, const struct type *type)
{
    return rule_enum_attribute(r, r->args[0]->type);
}

static bool has_member(const struct rule *r, const struct type *type)
{
    return rule_enum_has(type, r->name);
}

static bool has_named_item(const struct rule *r, const struct type *type)
{
    return rule_named_item(type, r->name) >= 0;
}

static bool get_named_item(struct rule *r, const struct type *type)
{
    int i = rule_named_item(type, r->name);
    r->type = type->tuple.items[i];
    r->value = r->is_emitting ? rule_tuple_get(r, r->args[0], (size_t)i) : NULL;
    return true;
}

static bool has_named_attribute(const struct rule *r, const struct type *type)
{
    return rule_named_has(type, r->name);
}

static bool has_record_field(const struct rule *r, const struct type *type)
{
    return type->kind == TYPE_ARRAY && !type->array.ndim && rule_has_field(type, r->name);
}

static bool get_field(struct rule *r, const struct type *type)
{
    return rule_get_field(r, r->name);
}

static bool is_bounds(const struct rule *r, const struct type *type)
{
    if (type->kind == TYPE_RANGE)
        return !rule_method_builtin(r->in->function->rules, type, r->name);
    return type->kind == TYPE_SLICE && strcmp(r->name, "indices") != 0;
}

static bool get_bound(struct rule *r, const struct type *type)
{
    return rule_slice_attribute(r);
}

// typed.List, and classes of types that a program derived: "types.Name#3".
static bool is_typed_class(const struct rule *r, const struct type *type)
{
    return type->kind == TYPE_FUNCTION && type->function &&
           (str_starts_with(type->function, "typed.") ||
                   str_starts_with(type->function, "types."));
}

static bool get_of_typed_class(struct rule *r, const struct type *type)
{
    return rule_typed_attribute(r, type->function);
}

// Of a function that a program overloads, what it is where no overload fits.
static const char *function_behind(const struct type *type)
{
    if (type->kind == TYPE_FUNCTION)
        return type->function;
    const struct source *source = type->kind == TYPE_DISPATCHER ? type->source : NULL;
    return source && source->is_overloaded ? source->builtin : NULL;
}

static bool is_ufunc_method(const struct rule *r, const struct type *type)
{
    const char *function = function_behind(type);
    return function && rule_ufunc_has_method(r, function, r->name);
}

static bool get_ufunc_method(struct rule *r, const struct type *type)
{
    return rule_ufunc_attribute(r, function_behind(type), r->name);
}

static bool is_function(const struct rule *r, const struct type *type)
{
    return type->kind == TYPE_FUNCTION;
}

static bool get_coordinate(struct rule *r, const struct type *type)
{
    return rule_cuda_index(r, type->function);
}

static bool is_limits(const struct rule *r, const struct type *type)
{
    return type->kind == TYPE_LITERAL && type_is_number(type->element);
}

static bool is_flags(const struct rule *r, const struct type *type)
{
    return type->kind == TYPE_METHOD && rule_is_array_flags(r->args[0]);
}

static bool get_flag(struct rule *r, const struct type *type)
{
    return rule_array_flag(r, r->args[0]->operands[0]);
}

static bool has_own_attribute(const struct rule *r, const struct type *type)
{
    return find(attributes_of(type), r->name);
}

static bool get_own_attribute(struct rule *r, const struct type *type)
{
    return find(attributes_of(type), r->name)->rule(r, type);
}

static bool is_method(const struct rule *r, const struct type *type)
{
    const struct rule_set *rules = r->in->function->rules;
    return find(methods_of(type), r->name) || type->kind == TYPE_SLICE ||
           rule_method_builtin(rules, type, r->name) ||
           rule_tuple_has_method(type, r->name) ||
           rule_dict_view_has_method(type, r->name) ||
           (type == type_string && rule_text_has_method(r->name)) ||
           (type == type_bytes && rule_bytes_has_method(r->name)) ||
           (type_is_container(type) && rule_container_has_method(rules, type, r->name));
}

static bool get_method(struct rule *r, const struct type *type)
{
    r->type = type_method(type);
    return true;
}

static bool is_instance(const struct rule *r, const struct type *type)
{
    return type->kind == TYPE_INSTANCE;
}

static bool is_pointer(const struct rule *r, const struct type *type)
{
    return type->kind == TYPE_POINTER && type != type_random_generator();
}

static bool is_class(const struct rule *r, const struct type *type)
{
    return type->kind == TYPE_CLASS && type->element &&
           type->element->kind == TYPE_INSTANCE;
}

static bool get_of_class(struct rule *r, const struct type *type)
{
    return rule_class_attribute(r, type->element);
}

static bool has_cell(const struct rule *r, const struct type *type)
{
    return type_is_object(type) && type_cell_field(type, r->name);
}

static bool has_field(const struct rule *r, const struct type *type)
{
    return rule_has_field(type, r->name);
}

static bool has_dtype_attribute(const struct rule *r, const struct type *type)
{
    return rule_has_dtype_attribute(type, r->name);
}

// The first row that is for the value gets the attribute r->name of r->args[0]; `type` is
// the value's, without the optional around it.
static const struct {
    bool (*is_for)(const struct rule *r, const struct type *type);
    bool (*get)(struct rule *r, const struct type *type);
} rows[] = {
        // First what minds the type as it is: an optional and a member of an IntEnum are
        // hashed and shown as such, not as the value inside.
        {has_hash, get_hash},
        {is_member, get_of_member},
        // The names that a program gave to a tuple's items hide the tuple's own methods.
        {has_named_item, get_named_item},
        {has_named_attribute, rule_named_attribute},
        // So do those of a record's fields.
        {has_record_field, get_field},
        {is_bounds, get_bound},
        // Functions, the special ones first: all others are taken for cuda.threadIdx and
        // its kin, which refuse what they are not.
        {is_typed_class, get_of_typed_class},
        {is_ufunc_method, get_ufunc_method},
        {is_function, get_coordinate},
        // What stands for something else: np.finfo(...), a.flags.
        {is_limits, rule_limits_attribute},
        {is_flags, get_flag},
        // The tables of builtin types; no other row is for one of these.
        {has_own_attribute, get_own_attribute},
        {is_method, get_method},
        // Objects of classes hide nothing of the builtin types, and are hidden by
        // nothing:
        // a class without the name asks what the program overloads.
        {is_instance, rule_instance_getattr},
        {is_pointer, rule_pointer_attribute},
        {is_class, get_of_class},
        {has_member, rule_enum_member},
        {has_cell, rule_cell_getattr},
        // Fields come behind the attributes of arrays, as in NumPy's recarrays.
        {has_field, get_field},
        {has_dtype_attribute, rule_dtype_attribute},
};

bool rule_attribute(struct rule *r, const char *name)
{
    const struct type *type = rule_arg_type(r, 0);
    r->name = name;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].is_for(r, type))
            return rows[i].get(r, type);
    return rule_overloaded_attribute(r, type);
}

bool rule_getattr(struct rule *r)
{
    return rule_attribute(r, r->instr->attribute);
}

// a.flat = values, and so on: by a function of the library.
static const char *filler_of(const struct type *object, const char *name)
{
    static const char *const names[][2] = {{"flat", "iteration.fill_flat"},
            {"real", "iteration.fill_real"}, {"imag", "iteration.fill_imag"}};
    object = rule_value_type(object);
    for (size_t i = 0; object->kind == TYPE_ARRAY && i < sizeof names / sizeof *names;
            i++)
        if (!strcmp(names[i][0], name))
            return names[i][1];
    return NULL;
}

bool rule_setattr(struct rule *r)
{
    const struct type *object = rule_arg_type(r, 0);
    const char *filler = filler_of(object, r->instr->attribute);
    bool is_set;
    if (object->kind == TYPE_INSTANCE)
        return rule_instance_setattr(r, object);
    if (type_is_object(object) && type_cell_field(object, r->instr->attribute))
        return rule_cell_setattr(r, object);
    if (rule_has_field(rule_arg_type(r, 0), r->instr->attribute))
        return rule_set_field(r, r->instr->attribute, 1);
    if (filler)
        return rule_library(r, filler);
    if (!rule_overloaded_setattr(r, &is_set) || is_set)
        return is_set;
    return rule_fail(r, ERROR_TYPING, "Cannot resolve setattr: (%s).%s = %s",
            r->args[0]->type->name, r->instr->attribute, r->args[1]->type->name);
}

bool rule_has_attribute(
        const struct rule_set *rules, const struct type *type, const char *name)
{
    static const char *const slice_names[] = {"start", "stop", "step", "indices"};
    if (rule_has_hash(type, name))
        return true;
    if (type->kind == TYPE_ENUM)
        return !strcmp(name, "name") || !strcmp(name, "value");
    for (size_t i = 0; type->kind == TYPE_SLICE && i < 4; i++)
        if (!strcmp(slice_names[i], name))
            return true;
    type = rule_value_type(type);
    if (type_is_number(type) && rule_number_is_scalars(name))
        return false;
    if (rule_named_item(type, name) >= 0 || rule_named_has(type, name) ||
            rule_has_field(type, name))
        return true;
    return find(attributes_of(type), name) || find(methods_of(type), name) ||
           rule_method_builtin(rules, type, name) || rule_tuple_has_method(type, name) ||
           rule_dict_view_has_method(type, name) ||
           (type == type_string && rule_text_has_method(name)) ||
           (type_is_container(type) && rule_container_has_method(rules, type, name)) ||
           (type->kind == TYPE_INSTANCE && rule_instance_has(type, name));
}
