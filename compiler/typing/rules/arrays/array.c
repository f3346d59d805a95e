// SPDX-License-Identifier: MIT
// Attributes and methods of arrays.

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "compiler/types/abi.h"
#include "compiler/types/datetime.h"
#include "compiler/types/object_class.h"
#include "compiler/typing/infer/rule.h"
#include "compiler/typing/infer/stages.h"
#include "compiler/typing/rules/arrays/arrays.h"
#include "compiler/typing/rules/cuda/cuda.h"
#include "compiler/typing/rules/numbers/numbers.h"
#include "compiler/typing/rules/text/text.h"

// --- Attributes of arrays

static bool shape_or_strides(
        struct rule *r, enum ir_primitive primitive, const struct type *type)
{
    assert(type->kind == TYPE_ARRAY);
    size_t ndim = (size_t)type->array.ndim;
    const struct type **items = memory_alloc((ndim + 1) * sizeof *items);
    for (size_t i = 0; i < ndim; i++)
        items[i] = type_int64;
    const struct type *tuple = type_tuple(items, ndim);
    free(items);
    return rule_do_primitive(r, primitive, tuple, type);
}

static bool array_shape(struct rule *r, const struct type *type)
{
    return shape_or_strides(r, PRIMITIVE_ARRAY_SHAPE, type);
}

static bool array_strides(struct rule *r, const struct type *type)
{
    return shape_or_strides(r, PRIMITIVE_ARRAY_STRIDES, type);
}

static bool array_ndim(struct rule *r, const struct type *type)
{
    return rule_do_constant(
            r, (struct constant){.type = type_int64, .integer = type->array.ndim});
}

static bool array_size(struct rule *r, const struct type *type)
{
    return rule_do_primitive(r, PRIMITIVE_ARRAY_SIZE, type_int64, type);
}

static bool array_itemsize(struct rule *r, const struct type *type)
{
    return rule_do_constant(r, (struct constant){.type = type_int64,
                                       .integer = (int64_t)abi_size(type->element)});
}

static bool array_nbytes(struct rule *r, const struct type *type)
{
    r->type = type_int64;
    if (r->is_emitting) {
        struct ir_instr *array = rule_cast(r, r->args[0], type);
        struct ir_instr *size =
                rule_primitive(r, PRIMITIVE_ARRAY_SIZE, type_int64, &array, 1);
        r->value = rule_binary_op(r, BINARY_MUL, type_int64, size,
                rule_int(r, type_int64, (int64_t)abi_size(type->element)));
    }
    return true;
}

static bool array_dtype(struct rule *r, const struct type *type)
{
    return rule_do_constant(r, (struct constant){.type = type_class(type->element),
                                       .instance = type->element});
}

static const struct type *array_like(
        const struct type *type, const struct type *dtype, enum array_layout layout)
{
    assert(type->kind == TYPE_ARRAY);
    return type_array_in(dtype, type->array.ndim, layout, type->array.is_readonly,
            type->array.is_aligned, type->array.address_space);
}

static bool array_transpose(struct rule *r, const struct type *type)
{
    enum array_layout layout = type->array.layout;
    if (type->array.ndim > 1)
        layout = layout == LAYOUT_C ? LAYOUT_F : layout == LAYOUT_F ? LAYOUT_C : LAYOUT_A;
    return rule_do_primitive(
            r, PRIMITIVE_ARRAY_TRANSPOSE, array_like(type, type->element, layout), type);
}

static bool array_part(
        struct rule *r, const struct type *type, enum ir_primitive primitive)
{
    bool is_real = primitive == PRIMITIVE_ARRAY_REAL;
    if (type->element->kind != TYPE_COMPLEX && is_real) {
        r->type = type;
        r->value = r->is_emitting ? rule_cast(r, r->args[0], type) : NULL;
        return true;
    }
    if (type->element->kind != TYPE_COMPLEX)
        return rule_library(r, "complexes.imag_of_reals");
    return rule_do_primitive(
            r, primitive, array_like(type, type->element->element, LAYOUT_A), type);
}

static bool array_real(struct rule *r, const struct type *type)
{
    return array_part(r, type, PRIMITIVE_ARRAY_REAL);
}

static bool array_imag(struct rule *r, const struct type *type)
{
    return array_part(r, type, PRIMITIVE_ARRAY_IMAG);
}

// a.flags, which like a bound method is nothing but its array
bool rule_is_array_flags(const struct ir_instr *value)
{
    return value->op == IR_GETATTR && !strcmp(value->attribute, "flags");
}

static bool array_flags(struct rule *r, const struct type *type)
{
    r->type = type_method(type);
    return true;
}

// Whether the program does nothing with the value but get and set items of it.
static bool is_only_indexed(const struct rule *r)
{
    vec_each (block, &r->in->function->blocks)
        ir_each_instr(user,
                *block) for (size_t i = 0; i < user->operand_count;
                             i++) if (user->operands[i] == r->instr &&
                                      (i || (user->op != IR_GETITEM &&
                                                    user->op !=
                                                            IR_SETITEM))) return false;
    return true;
}

bool rule_is_array_items(const struct ir_instr *value)
{
    return value->op == IR_GETATTR && !strcmp(value->attribute, "flat") && value->type &&
           value->type->kind == TYPE_METHOD;
}

static bool array_flat(struct rule *r, const struct type *type)
{
    if (r->is_emitting ? !rule_is_array_items(r->instr) : !is_only_indexed(r))
        return rule_array_flat(r, type);
    r->type = type_method(type);
    return true;
}

static bool array_matrices(struct rule *r, const struct type *type)
{
    return type->array.ndim == 2 ? array_transpose(r, type)
                                 : rule_library(r, "shapes.matrix_transpose");
}

const struct attribute rule_array_attributes[] = {{"T", array_transpose},
        {"mT", array_matrices}, {"ctypes", rule_array_pointer}, {"dtype", array_dtype},
        {"flags", array_flags}, {"flat", array_flat}, {"imag", array_imag},
        {"itemsize", array_itemsize}, {"nbytes", array_nbytes}, {"ndim", array_ndim},
        {"real", array_real}, {"shape", array_shape}, {"size", array_size},
        {"strides", array_strides}, {NULL, NULL}};

// --- Methods

static const struct type *fresh_like(const struct type *type, const struct type *dtype)
{
    return type_array(dtype, type->array.ndim, LAYOUT_C, false);
}

// A new C array of `type`, filled from the receiver.
static bool copy_receiver(struct rule *r, const struct type *type)
{
    if (!rule_can_allocate(r))
        return false;
    r->type = type;
    if (!r->is_emitting)
        return true;
    const struct type *from = rule_value_type(r->receiver->type);
    struct rule shape = *r;
    shape.args = &r->receiver;
    shape.arg_count = 1;
    array_shape(&shape, from);
    r->value = rule_primitive(r, PRIMITIVE_ARRAY_EMPTY, type, &shape.value, 1);
    struct ir_instr *operands[] = {r->value, rule_cast(r, r->receiver, from)};
    rule_primitive(r, PRIMITIVE_ARRAY_COPY_INTO, type_none, operands, 2);
    return true;
}

static bool array_copy(struct rule *r, const struct type *type)
{
    return copy_receiver(r, fresh_like(type, type->element));
}

static bool array_astype(struct rule *r, const struct type *type)
{
    if (r->arg_count == 1 && !rule_settle_dtype(r, r->args[0]))
        return false;
    const struct type *dtype = r->arg_count == 1 ? rule_dtype(r->args[0]) : NULL;
    if (!dtype || (!rule_time_casts(type->element, dtype) &&
                          type_conversion(type->element, dtype) == CONVERT_NEVER))
        return rule_no_match(r, "astype() takes a dtype that the items convert to.");
    bool is_fortran = type->array.layout == LAYOUT_F;
    return copy_receiver(r,
            type_array(dtype, type->array.ndim, is_fortran ? LAYOUT_F : LAYOUT_C, false));
}

static bool array_fill(struct rule *r, const struct type *type)
{
    assert(type->kind == TYPE_ARRAY);
    if (type->array.is_readonly)
        return rule_fail(
                r, ERROR_TYPING, "Cannot modify readonly array of type: %s", type->name);
    if (r->arg_count == 1 && rule_takes_text(r, type, rule_arg_type(r, 0)))
        return rule_fill_texts(r, type,
                r->is_emitting ? rule_cast(r, r->receiver, type) : NULL, r->args[0]);
    if (r->arg_count != 1 ||
            type_conversion(rule_arg_type(r, 0), type->element) == CONVERT_NEVER)
        return rule_no_match(r, "fill() takes one value that converts to the dtype.");
    r->type = type_none;
    if (r->is_emitting) {
        struct ir_instr *operands[] = {
                rule_cast(r, r->receiver, type), rule_cast(r, r->args[0], type->element)};
        r->value = rule_primitive(r, PRIMITIVE_ARRAY_FILL, type_none, operands, 2);
    }
    return true;
}

static bool array_transposed(struct rule *r, const struct type *type)
{
    if (r->arg_count && r->args[0]->type != type_none)
        return rule_transpose_by(r);
    r->args = &r->receiver;
    r->arg_count = 1;
    return array_transpose(r, type);
}

// Methods that the library implements: of its own, or as the function of the same name
const struct builtin *rule_method_builtin(
        const struct rule_set *rules, const struct type *type, const char *name)
{
    static const char *const functions[] = {"all", "any", "argmax", "argmin", "cumprod",
            "cumsum", "dot", "max", "mean", "min", "prod", "ptp", "std", "sum", "var"};
    char full[64];
    bool is_array = type->kind == TYPE_ARRAY, is_range = type->kind == TYPE_RANGE;
    if (!is_array && !is_range && type != type_random_generator())
        return NULL;
    snprintf(full, sizeof full, "%s.%s",
            is_array   ? "ndarray"
            : is_range ? "range"
                       : "generator",
            name);
    const struct builtin *builtin = rules->find_builtin(full);
    for (size_t i = 0; !builtin && is_array && i < sizeof functions / sizeof *functions;
            i++) {
        snprintf(full, sizeof full, "numpy.%s", functions[i]);
        builtin = strcmp(functions[i], name) ? NULL : rules->find_builtin(full);
    }
    return builtin;
}

const struct attribute rule_array_methods[] = {{"astype", array_astype},
        {"copy", array_copy}, {"fill", array_fill}, {"reshape", rule_reshape},
        {"transpose", array_transposed}, {NULL, NULL}};

bool rule_call_method(
        struct rule *r, const struct type *type, const struct attribute *method)
{
    bool has_options = r->instr->call.keyword_count ||
                       (method->rule == array_copy && r->arg_count) ||
                       (method->rule == array_astype && r->arg_count > 1);
    if (has_options && (method->rule == array_copy || method->rule == array_astype))
        return rule_builtin_method(
                r, rule_method_builtin(r->in->function->rules, type, r->name)->name);
    if (has_options && method->rule != rule_reshape)
        return rule_no_match(r, "This method takes positional arguments only.");
    bool takes_shape = method->rule == rule_reshape || method->rule == array_transposed;
    for (size_t i = 0; takes_shape && i < r->arg_count; i++)
        rule_tuple_of_list(r, i);
    return method->rule(r, type);
}

bool rule_array_flag(struct rule *r, struct ir_instr *array)
{
    static const struct {
        const char *name, *function;
    } flags[] = {{"c_contiguous", "views.is_c"}, {"contiguous", "views.is_c"},
            {"f_contiguous", "views.is_f"}, {"forc", "views.is_c_or_f"}};
    const struct type *type = rule_value_type(array->type);
    if (!strcmp(r->name, "writeable"))
        return rule_do_constant(r, (struct constant){.type = type_bool,
                                           .integer = !type->array.is_readonly});
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        if (!strcmp(flags[i].name, r->name)) {
            r->args = &array;
            r->arg_count = 1;
            return rule_library(r, flags[i].function);
        }
    return rule_fail(r, ERROR_TYPING, "Unknown attribute '%s' of flags", r->name);
}
