// SPDX-License-Identifier: MIT
// Calls: finding out what is called, binding arguments, calling jitted functions.
#include "compiler/typing/infer.h"

#include <string.h>

bool rule_apply(struct rule *r)
{
    switch (r->instr->op) {
    case IR_CALL:
        return rule_call(r);
    case IR_CONST:
        return rule_global(r);
    case IR_GETATTR:
        return rule_getattr(r);
    case IR_SETATTR:
        return rule_setattr(r);
    case IR_GETITEM:
        return rule_getitem(r);
    case IR_SETITEM:
        return rule_setitem(r);
    case IR_BINARY:
    case IR_INPLACE:
        return rule_binary(r);
    case IR_UNARY:
        return rule_unary(r);
    case IR_COMPARE:
        return rule_compare(r);
    case IR_TRUTH:
        return rule_truth(r);
    case IR_UNPACK:
        return rule_unpack(r);
    case IR_BUILD_SLICE:
        return rule_slice(r);
    case IR_BUILD_TUPLE: {
        const struct type **types = memory_alloc((r->arg_count + 1) * sizeof *types);
        for (size_t i = 0; i < r->arg_count; i++)
            types[i] = r->args[i]->type;
        r->type = type_tuple(types, r->arg_count);
        free(types);
        return true;
    }
    default:
        return rule_fail(r, ERROR_UNSUPPORTED,
                "a list is not supported in a compiled function yet: "
                "use a tuple or an array.");
    }
}

// --- Builtins

// The position of a keyword in the builtin's parameter names, or -1.
static int find_param(const char *params, const char *keyword)
{
    size_t len = strlen(keyword);
    int position = 0;
    for (const char *name = params; *name; position++) {
        size_t name_len = strcspn(name, " ");
        if (name_len == len && !memcmp(name, keyword, len))
            return position;
        name += name_len;
        name += strspn(name, " ");
    }
    return -1;
}

static bool bind_builtin_keyword(struct rule *r, const struct builtin *builtin, size_t i)
{
    const struct ir_instr *call = r->instr;
    const char *keyword = call->call.keywords[i];
    int position = find_param(builtin->params, keyword);
    if (position < 0)
        return rule_fail(r, ERROR_TYPING,
                "%s() got an unexpected keyword argument '%s'%s", r->name, keyword,
                builtin->params[0] ? "" : " (it takes positional arguments only)");
    if (r->args[position])
        return rule_fail(r, ERROR_TYPING, "%s() got multiple values for argument '%s'",
                r->name, keyword);
    r->args[position] =
            call->operands[call->operand_count - call->call.keyword_count + i];
    if ((size_t)position >= r->arg_count)
        r->arg_count = (size_t)position + 1;
    return true;
}

static bool bind_builtin(struct rule *r, const struct builtin *builtin)
{
    struct ir_instr *call = r->instr;
    size_t positional = call->operand_count - 1 - call->call.keyword_count;
    size_t capacity = positional + call->call.keyword_count + 16;
    r->args = call->operands + 1;
    r->arg_count = positional;
    if (call->call.keyword_count) {
        r->args = arena_array(&r->in->function->arena, struct ir_instr *, capacity);
        memcpy(r->args, call->operands + 1, positional * sizeof *r->args);
    }
    for (size_t i = 0; i < call->call.keyword_count; i++)
        if (!bind_builtin_keyword(r, builtin, i))
            return false;
    bool has_enough = r->arg_count >= (size_t)builtin->min_args;
    for (size_t i = 0; has_enough && i < (size_t)builtin->min_args; i++)
        has_enough = r->args[i] != NULL;
    if (!has_enough)
        return rule_fail(r, ERROR_TYPING, "%s() takes at least %d argument%s, %zu given",
                r->name, builtin->min_args, builtin->min_args == 1 ? "" : "s",
                r->arg_count);
    if (builtin->max_args >= 0 && r->arg_count > (size_t)builtin->max_args)
        return rule_fail(r, ERROR_TYPING, "%s() takes at most %d argument%s, %zu given",
                r->name, builtin->max_args, builtin->max_args == 1 ? "" : "s",
                r->arg_count);
    return true;
}

static const char *last_part(const char *name)
{
    const char *dot = strrchr(name, '.');
    return dot ? dot + 1 : name;
}

static bool call_builtin(struct rule *r, const char *name)
{
    const struct builtin *builtin = builtin_find(name);
    if (!builtin)
        return rule_fail(r, ERROR_TYPING,
                "Unknown function '%s': it is not supported in compiled code", name);
    r->name = last_part(name);
    r->data = builtin->data;
    return bind_builtin(r, builtin) && builtin->rule(r);
}

// --- Jitted functions

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

static bool bind_jitted(struct rule *r, struct binding *binding)
{
    struct arena *arena = &r->in->function->arena;
    struct source *callee = binding->callee;
    size_t keyword_count = r->instr->call.keyword_count;
    binding->positional = r->arg_count - keyword_count;
    binding->order = arena_array(arena, int, callee->param_count + 1);
    binding->types = arena_array(arena, const struct type *, callee->param_count + 1);
    struct error err = {0};
    if (!source_bind(callee, binding->positional, r->instr->call.keywords, keyword_count,
                binding->order, &err))
        return rule_fail(r, ERROR_TYPING, "%s() %s", callee->name, err.message);
    for (size_t i = 0; i < callee->param_count; i++) {
        if (callee->params[i].is_star)
            binding->types[i] = star_type(r, binding, i);
        else if (binding->order[i] >= 0)
            binding->types[i] = r->args[binding->order[i]]->type;
        else
            binding->types[i] = callee->params[i].default_value.type;
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
    struct ir_instr **values = arena_array(
            &r->in->function->arena, struct ir_instr *, callee->param_count + 1);
    for (size_t i = 0; i < callee->param_count; i++)
        values[i] = rule_cast(r, emit_argument(r, binding, i), callee->params[i]);
    r->value = rule_emit(r, IR_CALL_DIRECT, callee->returns, values, callee->param_count);
    r->value->callee = callee;
}

bool rule_jitted(struct rule *r)
{
    struct binding binding = {.callee = rule_constant(r->instr->operands[0])->source};
    r->name = binding.callee->name;
    r->args = r->instr->operands + 1;
    r->arg_count = r->instr->operand_count - 1;
    if (!bind_jitted(r, &binding))
        return false;
    struct signature signature = {
            .params = binding.types, .param_count = binding.callee->param_count};
    if (binding.callee->signature_count) {
        const struct signature *declared = choose_signature(r, &binding);
        if (!declared)
            return false;
        signature = *declared;
    }
    struct ir_function *callee =
            infer_callee(r->in, binding.callee, signature, r->instr->span);
    if (!callee)
        return false;
    r->type = callee->returns;
    if (r->is_emitting)
        emit_call(r, &binding, callee);
    return true;
}

// --- All calls

bool rule_call(struct rule *r)
{
    struct ir_instr *callee = r->instr->operands[0];
    const struct constant *constant = rule_constant(callee);
    switch (callee->type->kind) {
    case TYPE_METHOD:
        return rule_method(r);
    case TYPE_CLASS:
        return rule_class(r);
    case TYPE_FUNCTION:
        if (constant)
            return call_builtin(r, constant->name);
        break;
    case TYPE_DISPATCHER:
        if (constant)
            return rule_jitted(r);
        break;
    case TYPE_EXCEPTION:
        return rule_fail(r, ERROR_UNSUPPORTED,
                "an exception can only be raised in a compiled "
                "function, not kept in a variable.");
    default:
        return rule_fail(r, ERROR_TYPING, "A value of type %s cannot be called",
                callee->type->name);
    }
    return rule_fail(r, ERROR_UNSUPPORTED,
            "the function that is called must be known when the code is compiled.");
}
