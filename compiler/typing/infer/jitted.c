// SPDX-License-Identifier: MIT
// Calls of functions that are compiled too: jitted ones, and those of the library.

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/frontend/source.h"
#include "compiler/types/object_class.h"
#include "compiler/typing/infer/infer.h"
#include "compiler/typing/infer/rule.h"

struct binding {
    struct source *callee;
    int *order;                // by parameter: as source_bind says
    const struct type **types; // by parameter
    size_t positional;
};

static size_t star_count(const struct binding *binding, size_t param)
{
    return binding->order[param] < 0
                   ? 0
                   : binding->positional - (size_t)binding->order[param];
}

static const struct type *star_type(
        struct rule *r, const struct binding *binding, size_t param)
{
    size_t count = star_count(binding, param);
    const struct type **types = memory_alloc((count + 1) * sizeof *types);
    for (size_t i = 0; i < count; i++)
        types[i] = r->args[(size_t)binding->order[param] + i]->type;
    const struct type *tuple = type_tuple(types, count);
    free(types);
    return tuple;
}

static bool is_optional(const struct type *type)
{
    return type && type->kind == TYPE_OPTIONAL;
}

// Whether the parameter is what a container that holds None, too, is given or asked for,
// or one of a question that has an answer for None.
static bool may_be_none(const struct rule *r, const struct source_param *param)
{
    static const char *const names[] = {"x", "value", "default"};
    static const char *const asks[] = {
            "numpy.iscomplexobj", "numpy.isrealobj", "numpy.isscalar"};
    const struct type *called =
            r->instr->op == IR_CALL ? r->instr->operands[0]->type : NULL;
    const char *callee =
            called && called->kind == TYPE_FUNCTION ? called->function : NULL;
    for (size_t i = 0; callee && i < sizeof asks / sizeof *asks; i++)
        if (!strcmp(asks[i], callee))
            return true;
    const struct type *container = rule_has_arg(r, 0) ? rule_arg_type(r, 0) : NULL;
    if (!container || !param->name || !type_is_container(container) ||
            !is_optional(
                    container->cell.value ? container->cell.value : container->element))
        return false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(names[i], param->name))
            return true;
    return false;
}

// The type that a library function gets for a parameter (NULL: left out): a literal one
// where the default is a string or a bool, so that the code can depend on it.
static const struct type *library_parameter(const struct rule *r,
        const struct source_param *param, const struct ir_instr *given)
{
    const struct type *wanted = param->has_default ? param->default_value.type : NULL;
    bool is_option = wanted && (wanted == type_string || wanted == type_bool);
    if (!given)
        return is_option ? literal_type(&param->default_value) : wanted;
    if (param->name && !strcmp(param->name, "dtype") && rule_dtype(given))
        return type_class(rule_dtype(given));
    if (is_optional(given->type) && may_be_none(r, param))
        return given->type;
    const struct constant *constant = rule_constant(given);
    bool is_count = param->name &&
                    (!strcmp(param->name, "axes") || !strcmp(param->name, "ndmin"));
    if (is_count && constant && constant->type == type_int64)
        return literal_type(constant);
    bool is_literal =
            constant && (constant->type == type_string || constant->type == type_bool);
    return is_option && is_literal ? literal_type(constant)
                                   : rule_value_type(given->type);
}

// Whether the value is a tuple of integers known now, put together here.
static bool constant_tuple(
        struct rule *r, const struct ir_instr *value, struct constant *tuple)
{
    if (value->op != IR_BUILD_TUPLE || value->type->kind != TYPE_TUPLE)
        return false;
    size_t len = value->operand_count;
    struct constant *items =
            arena_array(&r->in->function->arena, struct constant, len + 1);
    for (size_t i = 0; i < len; i++) {
        items[i].type = type_int64;
        if (!rule_constant_int(value->operands[i], &items[i].integer))
            return false;
    }
    *tuple = (struct constant){.type = value->type, .tuple = {items, len}};
    return true;
}

// A parameter that the callee is compiled for each value of.
static bool take_literal(struct rule *r, struct binding *binding, size_t param)
{
    struct source *callee = binding->callee;
    if (param > 63 || !(callee->literal_params >> param & 1))
        return true;
    const struct ir_instr *given =
            binding->order[param] >= 0 ? r->args[binding->order[param]] : NULL;
    const struct constant *constant =
            given ? rule_constant(given) : &callee->params[param].default_value;
    struct constant number = {.type = type_int64};
    if (given && constant_tuple(r, given, &number))
        constant = &number;
    else if (!constant && given && rule_constant_int(given, &number.integer))
        constant = &number;
    const struct type *type = constant ? literal_type(constant) : NULL;
    if (!type && callee->hoped_literals >> param & 1)
        return !given || !literal_hope(r->in, given, callee->name, r->instr->span);
    if (!type && given && given->type->kind != TYPE_LITERAL && rule_ask_launch(r, given))
        return rule_fail(r, ERROR_TYPING, "%s needs a literal", callee->name);
    if (!type && given && given->type->kind != TYPE_LITERAL &&
            literal_ask_parts(r->in, given, callee->name, r->instr->span))
        return false;
    if (!type && given && given->type->kind != TYPE_LITERAL)
        return literal_ask(r->in, given, callee->name, r->instr->span);
    binding->types[param] = type ? type : binding->types[param];
    return true;
}

static const struct type *omitted_type(
        const struct source *callee, const struct source_param *param)
{
    bool is_typed = callee->signature_count || callee->is_overloaded || callee->is_ufunc;
    return param->omitted && !is_typed ? param->omitted : param->default_value.type;
}

static bool bind_jitted(struct rule *r, struct binding *binding, size_t keyword_count)
{
    struct arena *arena = &r->in->function->arena;
    struct source *callee = binding->callee;
    binding->positional = r->arg_count - keyword_count;
    binding->order = arena_array(arena, int, callee->param_count + 1);
    binding->types = arena_array(arena, const struct type *, callee->param_count + 1);
    struct error err = {0};
    const char **keywords = keyword_count ? r->instr->call.keywords : NULL;
    if (!source_bind(callee, binding->positional, keywords, keyword_count, binding->order,
                &err))
        return rule_fail(r, ERROR_TYPING, "%s() %s", callee->name, err.message);
    for (size_t i = 0; i < callee->param_count; i++) {
        if (callee->params[i].is_star)
            binding->types[i] = star_type(r, binding, i);
        else if (callee->options.is_library)
            binding->types[i] = library_parameter(r, &callee->params[i],
                    binding->order[i] >= 0 ? r->args[binding->order[i]] : NULL);
        else if (binding->order[i] >= 0)
            binding->types[i] = r->args[binding->order[i]]->type;
        else
            binding->types[i] = omitted_type(callee, &callee->params[i]);
        if (!take_literal(r, binding, i))
            return false;
    }
    return true;
}

static enum conversion signature_fit(
        const struct signature *signature, const struct binding *binding, int *cost)
{
    enum conversion worst = CONVERT_EXACT;
    *cost = 0;
    if (signature->param_count != binding->callee->param_count)
        return CONVERT_NEVER;
    for (size_t i = 0; i < signature->param_count; i++) {
        enum conversion conversion =
                type_conversion(binding->types[i], signature->params[i]);
        worst = conversion > worst ? conversion : worst;
        *cost += (int)conversion;
    }
    return worst;
}

// In CUDA code an array is taken as it is (its address space, its order); other arguments
// are converted. Without a signature for these arguments: compiled for them.
static void convert_to_declared(
        struct rule *r, const struct binding *binding, struct signature *signature)
{
    enum conversion best = CONVERT_NEVER;
    int best_cost = 0;
    for (size_t i = 0; i < binding->callee->signature_count; i++) {
        int cost;
        const struct signature *declared = &binding->callee->signatures[i];
        if (declared->param_count != binding->callee->param_count)
            continue;
        const struct type **types = arena_copy(&r->in->function->arena, declared->params,
                declared->param_count * sizeof *types);
        for (size_t j = 0; j < declared->param_count; j++) {
            const struct type *type = binding->types[j];
            if (type->kind == TYPE_ARRAY && types[j]->kind == TYPE_ARRAY &&
                    type->element == types[j]->element &&
                    type->array.ndim == types[j]->array.ndim)
                types[j] = type;
        }
        struct signature fitting = {declared->returns, types, declared->param_count};
        enum conversion fit = signature_fit(&fitting, binding, &cost);
        if (fit < best || (fit == best && fit != CONVERT_NEVER && cost < best_cost)) {
            best = fit;
            best_cost = cost;
            *signature = fitting;
        }
    }
}

// The declared signature that fits best, or NULL with an error.
static const struct signature *choose_signature(
        struct rule *r, const struct binding *binding)
{
    const struct signature *best = NULL;
    enum conversion best_fit = CONVERT_NEVER;
    int best_cost = 0;
    for (size_t i = 0; i < binding->callee->signature_count; i++) {
        int cost;
        const struct signature *signature = &binding->callee->signatures[i];
        enum conversion fit = signature_fit(signature, binding, &cost);
        if (fit < best_fit || (best && fit == best_fit && cost < best_cost)) {
            best = signature;
            best_fit = fit;
            best_cost = cost;
        }
    }
    if (!best)
        rule_no_match(
                r, "None of the function's declared signatures takes these arguments.");
    return best;
}

static struct ir_instr *emit_argument(
        struct rule *r, const struct binding *binding, size_t param)
{
    if (binding->callee->params[param].is_star) {
        struct ir_instr **items =
                r->args + (binding->order[param] < 0 ? 0 : binding->order[param]);
        return rule_tuple(r, items, star_count(binding, param));
    }
    if (binding->order[param] >= 0)
        return r->args[binding->order[param]];
    struct ir_instr *value = rule_emit(r, IR_CONST, binding->types[param], NULL, 0);
    value->constant = binding->callee->params[param].default_value;
    return value;
}

static void emit_call(
        struct rule *r, const struct binding *binding, struct ir_function *callee)
{
    assert(r->is_emitting);
    struct ir_instr **values = arena_array(
            &r->in->function->arena, struct ir_instr *, callee->param_count + 1);
    for (size_t i = 0; i < callee->param_count; i++) {
        const struct type *type = callee->params[i];
        if (type->kind == TYPE_LITERAL || type->kind == TYPE_OMITTED ||
                type->kind == TYPE_CLASS)
            values[i] = rule_constant_of(
                    r, type, (struct constant){.type = type, .instance = type->element});
        else
            values[i] = rule_cast(r, emit_argument(r, binding, i), type);
    }
    r->value = rule_emit(r, IR_CALL_DIRECT, callee->returns, values, callee->param_count);
    r->value->callee = callee;
}

// What a closure captured comes before the arguments of its call.
static void add_captured(struct rule *r, const struct type *closure)
{
    assert(closure->kind == TYPE_CLOSURE);
    struct ir_function *function = r->in->function;
    size_t captured = closure->tuple.len;
    struct ir_instr **args =
            arena_array(&function->arena, struct ir_instr *, captured + r->arg_count + 1);
    for (size_t i = 0; i < captured; i++) {
        if (r->is_emitting) {
            args[i] = rule_tuple_get(r, r->instr->operands[0], i);
            continue;
        }
        const struct ir_instr *made = r->instr->operands[0];
        if (made->op == IR_MAKE_CLOSURE) {
            args[i] = made->operands[i];
            continue;
        }
        args[i] = ir_instr_create(function, IR_TUPLE_GET, 0, r->instr->span);
        args[i]->type = closure->tuple.items[i];
    }
    memcpy(args + captured, r->args, r->arg_count * sizeof(struct ir_instr *));
    r->args = args;
    r->arg_count += captured;
}

// Containers that came empty hold what the callee puts into them, and variables that
// inner functions share what it assigns to them.
static bool learn_from(
        struct rule *r, const struct binding *binding, const struct ir_function *callee)
{
    for (size_t i = 0; i < callee->param_count; i++) {
        const struct type *given = binding->types[i], *wanted = callee->params[i];
        if (!given || given == wanted || !type_is_container(given) ||
                binding->order[i] < 0 || binding->callee->params[i].is_star)
            continue;
        struct ir_instr *value = r->args[binding->order[i]];
        if (type_is_incomplete(given)) {
            infer_refine_as(r->in, value, wanted);
            continue;
        }
        if (given->kind == TYPE_LIST && wanted->kind == TYPE_LIST)
            infer_refine_cell(r->in, value, wanted->element);
        if (!r->in->is_refined)
            return rule_fail(r, ERROR_TYPING,
                    "Cannot unify %s and %s for a variable that the inner function '%s' "
                    "assigns",
                    given->element->name, wanted->element->name, binding->callee->name);
    }
    return true;
}

// Calls what is bound, r->args being its arguments.
static bool call_bound(struct rule *r, struct binding *binding, size_t keyword_count)
{
    if (!bind_jitted(r, binding, keyword_count))
        return false;
    struct signature signature = {
            .params = binding->types, .param_count = binding->callee->param_count};
    bool is_declared = binding->callee->signature_count &&
                       !binding->callee->options.is_part_of_callers;
    if (is_declared && r->in->target != TARGET_HOST) {
        convert_to_declared(r, binding, &signature);
    } else if (is_declared) {
        const struct signature *declared = choose_signature(r, binding);
        if (!declared)
            return false;
        signature = *declared;
    }
    struct ir_function *callee =
            infer_callee(r->in, binding->callee, signature, r->instr->span);
    if (!callee)
        return false;
    r->type = callee->returns;
    if (r->is_emitting)
        emit_call(r, binding, callee);
    else
        return learn_from(r, binding, callee);
    return true;
}

bool rule_jitted(struct rule *r)
{
    assert(r->instr->operands[0]->type->kind == TYPE_CLOSURE ||
            r->instr->operands[0]->type->kind == TYPE_DISPATCHER);
    const struct type *function = r->instr->operands[0]->type;
    bool is_closure = function->kind == TYPE_CLOSURE;
    if (!is_closure && function->source->is_overloaded)
        return rule_overloaded(r, function->source);
    struct binding binding = {
            .callee = is_closure ? function->tuple.function : function->source};
    r->name = binding.callee->name;
    r->args = r->instr->operands + 1;
    r->arg_count = r->instr->operand_count - 1;
    bool is_expression = !strcmp(binding.callee->name, "<genexpr>");
    if (is_expression && r->in->target == TARGET_HOST && !rule_begins_at_once(r->instr) &&
            !rule_start_entries(r))
        return r->in->err->kind == ERROR_NONE;
    if (is_closure)
        add_captured(r, function);
    return call_bound(r, &binding, r->instr->call.keyword_count);
}

bool rule_call_source(struct rule *r, struct source *callee, struct ir_instr **args,
        size_t count, size_t keyword_count)
{
    assert(callee && keyword_count <= count);
    struct binding binding = {.callee = callee};
    r->name = callee->name;
    r->args = args;
    r->arg_count = count;
    return call_bound(r, &binding, keyword_count);
}

// --- The library

// Whether a function that takes an axis got something that has none.
static bool has_no_axis(
        const struct rule *r, const char *asked, const struct source *callee)
{
    const struct type *type = rule_has_arg(r, 0) ? rule_arg_type(r, 0) : type_none;
    bool is_flat =
            type_is_number(type) || (type->kind == TYPE_ARRAY && !type->array.ndim);
    for (size_t i = 0; is_flat && i < callee->param_count; i++)
        if (!strcmp(callee->params[i].name, "axis") && !strcmp(asked, "library.getitem"))
            return true;
    return false;
}

// What the library is written with is no concern of its callers: where that refuses an
// argument, the message is about the function that they called.
static void tell_caller(struct rule *r, const struct source *callee)
{
    static const char head[] =
            "No implementation of function Function(<built-in function ";
    static const char unfit[] = "An argument has a type that it does not take.",
                      no_axis[] = "A number, and an array of no dimensions, has no axis.";
    struct error *err = r->in->err;
    const char *message = err->message, *help = strstr(message, "\n \n >>> ");
    if (err->kind != ERROR_TYPING || !str_starts_with(message, head) || !help)
        return;
    const char *name = message + sizeof head - 1;
    struct arena *arena = &r->in->function->arena;
    name = arena_printf(arena, "library.%.*s", (int)strcspn(name, ">"), name);
    bool is_asked = rule_find_builtin(r, name);
    bool is_step = r->in->session->is_of_library &&
                   words_have("getitem", name + strlen("library."),
                           strlen(name + strlen("library.")));
    if (!is_asked && !is_step)
        return;
    help = strstr(help + 1, "\n \n");
    bool is_plain = is_asked && help && (strstr(name, "tuple_") || strstr(name, "list_"));
    help = is_plain                       ? arena_strdup(arena, help + strlen("\n \n"))
           : has_no_axis(r, name, callee) ? no_axis
                                          : unfit;
    *err = (struct error){.kind = ERROR_NONE};
    r->name = r->name ? r->name : ir_op_name(r->instr->op);
    rule_no_match(r, help);
}

struct ir_function *rule_library_callee(
        struct rule *r, struct source *callee, struct signature signature)
{
    struct ir_function *function = infer_callee(r->in, callee, signature, r->instr->span);
    if (!function)
        r->in->err->span = r->instr->span;
    if (!function && !r->in->source->options.is_library)
        tell_caller(r, callee);
    return function;
}

// A star takes the arguments before this one: keyword arguments come behind them.
enum { MAX_STARRED = 8 };

bool rule_library(struct rule *r, const char *name)
{
    bool is_on_host = r->in->target == TARGET_HOST;
    struct binding binding = {
            .callee = infer_library(r->in, is_on_host ? name : library_on_device(name))};
    if (!binding.callee)
        return false;
    struct source *callee = binding.callee;
    struct arena *arena = &r->in->function->arena;
    binding.order = arena_array(arena, int, callee->param_count + 1);
    binding.types = arena_array(arena, const struct type *, callee->param_count + 1);
    for (size_t i = 0, at = 0; i < callee->param_count; i++, at++) {
        binding.order[i] = rule_has_arg(r, at) ? (int)at : -1;
        if (callee->params[i].is_star) {
            binding.positional = at;
            while (binding.positional < MAX_STARRED &&
                    rule_has_arg(r, binding.positional))
                binding.positional++;
            binding.types[i] = star_type(r, &binding, i);
            at = MAX_STARRED - 1; // keywords come behind
        } else {
            binding.types[i] = library_parameter(
                    r, &callee->params[i], rule_has_arg(r, at) ? r->args[at] : NULL);
        }
    }
    struct signature signature = {
            .params = binding.types, .param_count = callee->param_count};
    struct ir_function *function = rule_library_callee(r, callee, signature);
    if (!function)
        return false;
    r->type = function->returns;
    if (r->is_emitting)
        emit_call(r, &binding, function);
    return true;
}
