// SPDX-License-Identifier: MIT
// Ufuncs: calls of those that programs make, on numbers and arrays, and the methods of
// all (reduce, accumulate, reduceat, outer, at).

#include <stdio.h>
#include <string.h>

#include "compiler/frontend/ufunc_names.h"
#include "compiler/types/object_class.h"
#include "compiler/typing/infer/rule.h"
#include "compiler/typing/rules/arrays/arrays.h"
#include "compiler/typing/rules/numbers/numbers.h"

// --- Calls

// Arguments: the inputs, then perhaps `out`, which may also be a keyword.
static bool bind(struct rule *r, const struct source *source)
{
    struct ir_instr *call = r->instr;
    size_t keywords = call->call.keyword_count;
    r->name = source->name;
    r->args = call->operands + 1;
    r->arg_count = call->operand_count - 1 - keywords;
    for (size_t i = 0; i < keywords; i++) {
        if (strcmp(call->call.keywords[i], "out") != 0 ||
                r->arg_count > source->param_count)
            return rule_fail(r, ERROR_TYPING,
                    "%s() got an unexpected keyword argument '%s'; compiled code gives "
                    "ufuncs their inputs and `out`",
                    r->name, call->call.keywords[i]);
        r->out = r->args[r->arg_count + i];
    }
    if (r->arg_count == source->param_count + 1)
        r->out = r->args[--r->arg_count];
    if (r->arg_count != source->param_count)
        return rule_fail(r, ERROR_TYPING,
                "%s() takes %zu inputs, and perhaps an array for the result; %zu given",
                r->name, source->param_count, r->arg_count);
    return true;
}

static bool has_array(const struct rule *r)
{
    for (size_t i = 0; i < r->arg_count; i++)
        if (rule_arg_type(r, i)->kind == TYPE_ARRAY)
            return true;
    return false;
}

bool rule_user_ufunc(struct rule *r, const char *name)
{
    struct source *source = ufunc_find(name);
    if (!source)
        return rule_fail(r, ERROR_TYPING, "this ufunc does not exist any more");
    if (!bind(r, source))
        return false;
    for (size_t i = 0; r->in->target == TARGET_HOST && i < r->arg_count; i++)
        if (!rule_array_of_list(r, i, false))
            return r->in->err->kind == ERROR_NONE;
    if (has_array(r))
        return rule_elementwise(r, name) && rule_put_out(r);
    struct ir_instr *out = r->out;
    bool done = rule_call_source(r, source, r->args, r->arg_count, 0);
    r->out = out;
    return done && rule_put_out(r);
}

// --- dtype= and where=

bool rule_ufunc_convert(struct rule *r)
{
    if (!r->ufunc_dtype || rule_value_type(r->ufunc_dtype->type) == type_none)
        return true;
    if (!rule_settle_dtype(r, r->ufunc_dtype))
        return false;
    struct ir_instr **args =
            arena_array(&r->in->function->arena, struct ir_instr *, r->arg_count + 24);
    for (size_t i = 0; i < r->arg_count; i++) {
        struct ir_instr *given[] = {r->args[i], r->ufunc_dtype};
        args[i] = rule_library_value(r, "ufunc_options.as_dtype", given, 2);
        if (!args[i])
            return false;
    }
    r->args = args;
    return true;
}

bool rule_ufunc_select(struct rule *r, struct ir_instr *out)
{
    if (!r->type)
        return true;
    struct ir_instr *result = r->value;
    if (!r->is_emitting) {
        result = ir_instr_create(r->in->function, IR_CALL_DIRECT, 0, r->instr->span);
        result->type = r->type;
    }
    struct ir_instr none = {.op = IR_CONST, .type = type_none};
    struct ir_instr *nothing = r->is_emitting ? rule_none(r) : &none;
    struct ir_instr *given[] = {out ? out : nothing, result, r->ufunc_where};
    struct ir_instr *value = rule_library_value(r, "ufunc_options.put_where", given, 3);
    r->type = value ? value->type : NULL;
    r->value = r->is_emitting ? value : NULL;
    r->out = NULL;
    return value || r->in->err->kind == ERROR_NONE;
}

// --- Methods

static const char *const methods[] = {"reduce", "accumulate", "reduceat", "outer", "at"};

static bool is_ufunc(const struct rule *r, const char *function)
{
    if (str_starts_with(function, UFUNC_PREFIX))
        return true;
    const struct builtin *builtin = rule_find_builtin(r, function);
    return builtin && builtin->is_ufunc;
}

bool rule_ufunc_has_method(const struct rule *r, const char *function, const char *name)
{
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
        if (!strcmp(methods[i], name))
            return is_ufunc(r, function);
    return false;
}

// The method as a function: "reduce:numpy.add".
bool rule_ufunc_attribute(struct rule *r, const char *function, const char *name)
{
    struct str text = {0};
    str_printf(&text, "%s:%s", name, function);
    r->type = type_function_of(str_text(&text));
    str_finish(&text);
    if (r->is_emitting)
        r->value = rule_constant_of(r, r->type,
                (struct constant){.type = type_function, .name = r->type->function});
    return true;
}

bool rule_is_ufunc_method(const struct rule *r, const char *name)
{
    const char *colon = strchr(name, ':');
    return colon && is_ufunc(r, colon + 1);
}

// The library would take them for numbers. Those of NumPy's ufuncs have been unwrapped.
static bool has_own_array(const struct rule *r)
{
    for (size_t i = 1; i < r->instr->operand_count; i++)
        if (type_has_own_array(r->instr->operands[i]->type))
            return true;
    return false;
}

bool rule_ufunc_method(struct rule *r, const char *name)
{
    const char *colon = strchr(name, ':'), *function = colon + 1;
    bool is_wide = !strcmp(function, "numpy.add") || !strcmp(function, "numpy.multiply");
    bool has_wide = name[0] == 'r' || name[0] == 'a'; // of reductions
    char builtin[64];
    snprintf(builtin, sizeof builtin, "ufunc.%.*s%s", (int)(colon - name), name,
            is_wide && has_wide && strncmp(name, "at:", 3) != 0 ? "_wide" : "");
    const struct type *type = type_function_of(function);
    struct constant constant = {.type = type_function, .name = type->function};
    if (r->is_emitting) {
        r->receiver = rule_constant_of(r, type, constant);
    } else {
        r->receiver = arena_new(&r->in->function->arena, struct ir_instr);
        *r->receiver =
                (struct ir_instr){.op = IR_CONST, .type = type, .constant = constant};
    }
    r->name = rule_find_builtin(r, builtin)->name + strlen("ufunc.");
    if (has_own_array(r))
        return rule_no_match(r, "It takes an array of a class of the program's own as "
                                "np.asarray() gives it.");
    return rule_builtin_method(r, builtin);
}

// --- out=

bool rule_out_holds(struct rule *r, const struct type *out, const struct type *result)
{
    return arith_can_hold(out->element, result) ||
           rule_no_match(r,
                   "`out` is of a narrower kind of numbers than the result, which NumPy "
                   "refuses, too: convert the inputs, or give it another array.");
}

bool rule_put_result(struct rule *r)
{
    const struct type *out = r->out ? rule_value_type(r->out->type) : NULL;
    if (!out || out->kind != TYPE_ARRAY || !r->type)
        return rule_put_out(r);
    bool is_array = r->type->kind == TYPE_ARRAY;
    if (out->array.ndim != (is_array ? r->type->array.ndim : 0))
        return rule_no_match(r, "`out` has as many dimensions as the result.");
    struct ir_instr *result = r->value;
    if (!r->is_emitting) {
        result = ir_instr_create(r->in->function, IR_CALL_DIRECT, 0, r->instr->span);
        result->type = r->type;
    }
    struct ir_instr *given[] = {r->out, result};
    if (is_array && !rule_library_value(r, "views.check_shape", given, 2))
        return false;
    return rule_put_out(r);
}

bool rule_put_out(struct rule *r)
{
    const struct type *out = r->out ? rule_value_type(r->out->type) : NULL;
    if (!out || out == type_none || !r->type)
        return true;
    bool is_array = r->type->kind == TYPE_ARRAY;
    const struct type *element = is_array ? r->type->element : r->type;
    if (out->kind == TYPE_ARRAY && !rule_out_holds(r, out, element))
        return false;
    if (out->kind != TYPE_ARRAY || out->array.is_readonly ||
            (is_array && r->type->array.ndim > out->array.ndim))
        return rule_no_match(r, "`out` is an array that the result fits into.");
    if (r->is_emitting) {
        struct ir_instr *target = rule_cast(r, r->out, out);
        struct ir_instr *operands[] = {target, r->value};
        if (!is_array)
            operands[1] = rule_cast(r, r->value, out->element);
        rule_primitive(r, is_array ? PRIMITIVE_ARRAY_COPY_INTO : PRIMITIVE_ARRAY_FILL,
                type_none, operands, 2);
        r->value = target;
    }
    r->type = out;
    return true;
}
