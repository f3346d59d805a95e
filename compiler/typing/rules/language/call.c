// SPDX-License-Identifier: MIT
// Operations, and calls: finding out what is called, and binding arguments of builtins.

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/frontend/ufunc_names.h"
#include "compiler/typing/infer/rule.h"
#include "compiler/typing/rules/arrays/arrays.h"
#include "compiler/typing/rules/containers/container.h"
#include "compiler/typing/rules/cuda/cuda.h"
#include "compiler/typing/rules/language/language.h"
#include "compiler/typing/rules/numbers/numbers.h"

static bool type_tuple_display(struct rule *r)
{
    const struct type **types = memory_alloc((r->arg_count + 1) * sizeof *types);
    for (size_t i = 0; i < r->arg_count; i++)
        types[i] = r->args[i]->type;
    r->type = type_tuple(types, r->arg_count);
    free(types);
    return true;
}

// The rule of each operation of Python's level. Inference types the others by itself.
static bool (*const rules[IR_OP_COUNT])(struct rule *r) = {
        [IR_CALL] = rule_call,
        [IR_PARALLEL_FOR] = rule_parallel_for,
        [IR_CONST] = rule_global,
        [IR_GETATTR] = rule_getattr,
        [IR_SETATTR] = rule_setattr,
        [IR_GETITEM] = rule_getitem,
        [IR_SETITEM] = rule_setitem,
        [IR_DELITEM] = rule_delitem,
        [IR_BINARY] = rule_binary,
        [IR_INPLACE] = rule_binary,
        [IR_UNARY] = rule_unary,
        [IR_COMPARE] = rule_compare,
        [IR_TRUTH] = rule_truth,
        [IR_UNPACK] = rule_unpack,
        [IR_UNPACK_REST] = rule_unpack,
        [IR_BUILD_SLICE] = rule_slice,
        [IR_BUILD_TUPLE] = type_tuple_display,
        [IR_BUILD_LIST] = rule_display,
        [IR_BUILD_SET] = rule_display,
        [IR_BUILD_DICT] = rule_display,
};

// What the program overloads comes before what we have.
bool rule_apply(struct rule *r)
{
    bool is_done = false;
    assert(rules[r->instr->op]);
    if (!rule_operator_overload(r, &is_done) || is_done)
        return is_done;
    return rules[r->instr->op](r);
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

// Ufuncs and reductions can put their result into an array.
static bool takes_out(const struct builtin *builtin)
{
    return builtin->is_ufunc || (builtin->library && builtin->data) ||
           (str_starts_with(builtin->name, "numpy.") &&
                   strstr(builtin->name, "cum") != NULL);
}

// Ufuncs spread their results in `out`; that of a reduction or running total has their
// shape.
static bool put_out(struct rule *r, const struct builtin *builtin)
{
    return builtin->is_ufunc ? rule_put_out(r) : rule_put_result(r);
}

static bool bind_builtin_keyword(struct rule *r, const struct builtin *builtin, size_t i)
{
    const struct ir_instr *call = r->instr;
    const char *keyword = call->call.keywords[i];
    struct ir_instr *value =
            call->operands[call->operand_count - call->call.keyword_count + i];
    bool is_idle = false;
    if (!rule_idle_keyword(r, builtin, keyword, value, &is_idle))
        return false;
    if (is_idle)
        return true;
    int position = find_param(builtin->params, keyword);
    if (position < 0 && takes_out(builtin) && !strcmp(keyword, "out")) {
        r->out = value;
        return true;
    }
    // to count the bits of what an operand becomes in another type would count others
    bool takes_dtype = strcmp(builtin->name, "numpy.bitwise_count") != 0;
    if (position < 0 && builtin->is_ufunc && r->in->target == TARGET_HOST &&
            ((takes_dtype && !strcmp(keyword, "dtype")) || !strcmp(keyword, "where"))) {
        *(keyword[0] == 'd' ? &r->ufunc_dtype : &r->ufunc_where) = value;
        return true;
    }
    if (position < 0)
        return rule_fail(r, ERROR_TYPING,
                "%s() got an unexpected keyword argument '%s'%s", r->name, keyword,
                builtin->params[0] ? "" : " (it takes positional arguments only)");
    if (r->args[position])
        return rule_fail(r, ERROR_TYPING, "%s() got multiple values for argument '%s'",
                r->name, keyword);
    r->args[position] = value;
    if ((size_t)position >= r->arg_count)
        r->arg_count = (size_t)position + 1;
    return true;
}

// Where functions of the library that reduce arrays take keepdims: behind the others.
static size_t keepdims_position(const struct builtin *builtin)
{
    return (size_t)builtin->max_args - 1 - (find_param(builtin->params, "out") >= 0);
}

// Brings arguments of reductions from NumPy's order into that of the library's functions,
// which do not see `out`.
static void arrange_reduction(struct rule *r, const struct builtin *builtin)
{
    int out = find_param(builtin->params, "out");
    int keepdims = find_param(builtin->params, "keepdims");
    struct ir_instr **args = arena_array(
            &r->in->function->arena, struct ir_instr *, (size_t)builtin->max_args + 24);
    size_t next = 0, count = 0;
    for (size_t i = 0; i < r->arg_count; i++) {
        if ((int)i == out) {
            r->out = r->args[i];
            continue;
        }
        size_t to = (int)i == keepdims ? keepdims_position(builtin) : next++;
        args[to] = r->args[i];
        count = args[to] && to >= count ? to + 1 : count;
    }
    r->args = args;
    r->arg_count = count;
}

static bool check_arg_count(struct rule *r, const struct builtin *builtin)
{
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

// Arguments in the order of the parameters; a method's receiver is the first.
static bool bind_builtin(struct rule *r, const struct builtin *builtin)
{
    struct ir_instr *call = r->instr;
    size_t positional = call->operand_count - 1 - call->call.keyword_count;
    size_t first = r->receiver != NULL;
    size_t capacity = first + positional + call->call.keyword_count + 16;
    r->args = call->operands + 1;
    r->arg_count = first + positional;
    if (builtin->params[0] == '*') // the rule looks at the call itself
        return true;
    if (call->call.keyword_count || first) {
        r->args = arena_array(&r->in->function->arena, struct ir_instr *, capacity);
        r->args[0] = r->receiver;
        memcpy(r->args + first, call->operands + 1, positional * sizeof *r->args);
    }
    for (size_t i = 0; i < call->call.keyword_count; i++)
        if (!bind_builtin_keyword(r, builtin, i))
            return false;
    if (builtin->is_ufunc && r->arg_count == (size_t)builtin->max_args + 1)
        r->out = r->args[--r->arg_count];
    if (!check_arg_count(r, builtin))
        return false;
    if (takes_out(builtin) && !builtin->is_ufunc)
        arrange_reduction(r, builtin);
    return true;
}

static const char *last_part(const char *name)
{
    const char *dot = strrchr(name, '.');
    return dot ? dot + 1 : name;
}

static bool has_array_argument(const struct rule *r)
{
    for (size_t i = 0; i < r->arg_count; i++)
        if (r->args[i] && rule_arg_type(r, i)->kind == TYPE_ARRAY)
            return true;
    return false;
}

// The last argument of a reduction, a literal: left out where it is False.
static bool check_keepdims(struct rule *r, size_t position)
{
    if (!rule_has_arg(r, position))
        return true;
    const struct constant *keepdims = rule_constant(r->args[position]);
    if (!keepdims || keepdims->type != type_bool)
        return rule_no_match(r,
                "keepdims must be the literal True or False: the number of dimensions of "
                "the result depends on it.");
    if (!keepdims->integer)
        r->arg_count = position;
    return true;
}

// The class as a value, which stands for the dtype's name: functions of the library do
// not see literals.
static struct ir_instr *class_value(struct rule *r, const struct type *dtype)
{
    const struct type *type = type_class(dtype);
    struct constant constant = {.type = type, .instance = dtype};
    if (r->is_emitting)
        return rule_constant_of(r, type, constant);
    struct ir_instr *value = arena_new(&r->in->function->arena, struct ir_instr);
    *value = (struct ir_instr){.op = IR_CONST, .type = type, .constant = constant};
    return value;
}

// Puts classes in place of names such as 'f4' among the arguments for a `dtype`.
static void resolve_dtype_names(struct rule *r, const struct builtin *builtin)
{
    const char *name = builtin->params;
    for (size_t i = 0; *name && i < r->arg_count; i++) {
        size_t len = strcspn(name, " ");
        bool is_dtype = len == 5 && !memcmp(name, "dtype", 5) && rule_has_arg(r, i);
        const struct constant *text = is_dtype ? rule_constant(r->args[i]) : NULL;
        const struct type *dtype =
                text && text->type == type_string ? rule_dtype(r->args[i]) : NULL;
        if (dtype)
            rule_replace_arg(r, i, class_value(r, dtype));
        name += len + (name[len] == ' ');
    }
}

static void note_product(struct rule *r, const struct builtin *builtin)
{
    static const char *const names[] = {"dot", "vdot", "matmul"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(last_part(builtin->name), names[i]) && rule_has_arg(r, 1))
            rule_note_strided(
                    r, arena_printf(&r->in->function->arena, "np.%s()", names[i]));
}

enum { METHOD_OF_QUANTILES = 4 };

static bool call_library(struct rule *r, const struct builtin *builtin)
{
    assert(builtin->library);
    if (str_starts_with(builtin->library, "quantiles.") &&
            !rule_settle_method(r, METHOD_OF_QUANTILES))
        return false;
    if (!r->in->source->options.is_library && !rule_whole_arguments(r, builtin))
        return false;
    resolve_dtype_names(r, builtin);
    if (r->is_emitting && str_starts_with(builtin->library, "products."))
        note_product(r, builtin);
    return (!builtin->data || check_keepdims(r, keepdims_position(builtin))) &&
           rule_library(r, builtin->library);
}

// Whether parameter i is an array, which a tuple of numbers may stand for.
static bool is_array_like(const char *params, size_t i)
{
    static const char names[] =
            "a b x y x1 x2 v m p ary xp fp q weights condition values element "
            "test_elements "
            "vals ind indices ar1 ar2 arr a1 a2 filt z u array bins start stop c c1 c2 w "
            "seq "
            "fweights aweights prepend append obj";
    const char *param = words_from(params, i);
    return words_have(names, param, strcspn(param, " "));
}

// Tuples of numbers as arrays; in what the functions that join take, every part.
static bool convert_tuples(struct rule *r, const struct builtin *builtin, bool is_join)
{
    if (r->in->source->options.is_library || builtin->params[0] == '*' ||
            str_starts_with(builtin->name, "numpy.random."))
        return true;
    if (is_join)
        return !r->arg_count || rule_arg_type(r, 0)->kind != TYPE_TUPLE ||
               rule_arrays_in_tuple(r, 0, true);
    bool is_grid = !strcmp(builtin->name, "numpy.histogram2d");
    for (size_t i = is_grid ? 3 : 0; i < r->arg_count; i++)
        if (rule_has_arg(r, i) && is_array_like(builtin->params, i) &&
                !rule_array_of_items(r, i, true))
            return false;
    if (!strcmp(builtin->name, "numpy.choose") && r->arg_count > 1 &&
            rule_arg_type(r, 1)->kind == TYPE_TUPLE)
        return rule_arrays_in_tuple(r, 1, true);
    return true;
}

// A number stands for an array of no dimensions in what else takes arrays alone.
static bool convert_number(struct rule *r)
{
    static const char names[] =
            "sum prod mean var std min max amin amax ptp any all argmin argmax "
            "count_nonzero cumsum cumprod cumulative_sum cumulative_prod nansum nanprod "
            "nanmean nanvar nanstd nanmin nanmax nanargmin nanargmax nanmedian nancumsum "
            "nancumprod median percentile quantile nanpercentile nanquantile average "
            "unique argsort transpose flatnonzero argwhere trim_zeros broadcast_to "
            "piecewise "
            "zeros_like ones_like empty_like full_like";
    if (r->in->source->options.is_library || !rule_has_arg(r, 0))
        return true;
    return !words_have(names, r->name, strlen(r->name)) || rule_array_of_number(r, 0);
}

// What concatenate() joins has axes, but for axis=None.
static bool check_joined(struct rule *r)
{
    bool is_flat = rule_has_arg(r, 1) && rule_arg_type(r, 1) == type_none;
    const struct type *given = rule_has_arg(r, 0) ? rule_arg_type(r, 0) : NULL;
    if (strcmp(r->name, "concatenate") != 0 || is_flat || !given ||
            given->kind != TYPE_TUPLE)
        return true;
    for (size_t i = 0; i < given->tuple.len; i++) {
        const struct type *item = given->tuple.items[i];
        if (type_is_number(item) || (item->kind == TYPE_ARRAY && !item->array.ndim))
            return rule_no_match(r, "Numbers and zero-dimensional arrays cannot be "
                                    "concatenated, but with axis=None; np.append() and "
                                    "np.hstack() take them.");
    }
    return true;
}

// Literals of str and bytes are arrays of no dimensions to np.asarray() and its like.
static bool convert_text(struct rule *r)
{
    static const char names[] = "array asarray asanyarray broadcast_to";
    const struct constant *text = rule_has_arg(r, 0) ? rule_constant(r->args[0]) : NULL;
    if (!text || (text->type != type_string && text->type != type_bytes) ||
            !text->string.len || text->string.len == SIZE_MAX ||
            !words_have(names, r->name, strlen(r->name)))
        return true;
    size_t len = 0; // in characters
    for (size_t i = 0; i < text->string.len; i++)
        len += text->type == type_bytes || (text->string.text[i] & 0xC0) != 0x80;
    return rule_array_of_text(r, 0, class_value(r, type_cells(text->type, len)));
}

static bool is_row(const struct type *type)
{
    if (type->kind == TYPE_TUPLE)
        return type->tuple.len && type_is_number(type->tuple.items[0]);
    return type->kind == TYPE_ARRAY
                   ? type->array.ndim == 1
                   : type->kind == TYPE_LIST && type_is_number(type->element);
}

// np.cov() and np.corrcoef() of a tuple of one row have no dimensions, as of the row; of
// an array of one row, whose shape is not known here, they fail.
static void take_single_row(struct rule *r)
{
    const struct type *given = rule_has_arg(r, 0) ? rule_arg_type(r, 0) : NULL;
    bool is_alone = !rule_has_arg(r, 1) || rule_arg_type(r, 1) == type_none;
    const struct constant *rowvar = rule_has_arg(r, 2) ? rule_constant(r->args[2]) : NULL;
    if (is_alone && (!rule_has_arg(r, 2) || (rowvar && rowvar->integer)) && given &&
            given->kind == TYPE_TUPLE && given->tuple.len == 1 &&
            is_row(given->tuple.items[0]))
        rule_replace_arg(r, 0,
                r->is_emitting ? rule_tuple_get(r, r->args[0], 0)
                               : rule_stand_in(r, given->tuple.items[0]));
}

// NumPy's functions take lists of numbers, and those that do not join take lists of
// arrays.
static bool convert_lists(struct rule *r, const struct builtin *builtin)
{
    static const char joins_tuples[] =
            "concatenate stack hstack vstack dstack column_stack row_stack";
    static const char *const joins[] = {"numpy.concatenate", "numpy.stack",
            "numpy.hstack", "numpy.vstack", "numpy.dstack", "numpy.column_stack",
            "numpy.row_stack", "numpy.array", "numpy.asarray", "numpy.select",
            "numpy.linalg.multi_dot"};
    bool of_arrays = true, is_method = str_starts_with(builtin->name, "ndarray.");
    bool is_numpy = str_starts_with(builtin->name, "numpy.");
    if (is_method || is_numpy)
        rule_tuples_of_lists(r, builtin->params);
    if (is_numpy && (rule_settle_empty(r) || !convert_text(r)))
        return false;
    if (is_method)
        return convert_tuples(r, builtin, false);
    if (!strcmp(builtin->name, "numpy.cov") || !strcmp(builtin->name, "numpy.corrcoef"))
        take_single_row(r);
    // where they may not be copied the library says that they have to be
    bool may_not_copy = rule_has_arg(r, 4) &&
                        (!strcmp(r->name, "asarray") || !strcmp(r->name, "asanyarray"));
    if (!is_numpy || may_not_copy || !strcmp(r->name, "shuffle") ||
            !strcmp(r->name, "array") || !strcmp(r->name, "result_type") ||
            !strcmp(r->name, "broadcast_shapes") || !strcmp(r->name, "block"))
        return true;
    for (size_t i = 0; i < sizeof joins / sizeof *joins; i++)
        of_arrays = of_arrays && strcmp(joins[i], builtin->name) != 0;
    if (!convert_number(r) || !check_joined(r))
        return false;
    for (size_t i = 0; i < r->arg_count; i++)
        if (!rule_array_of_list(r, i, of_arrays))
            return false;
    bool is_join = !of_arrays && words_have(joins_tuples, r->name, strlen(r->name));
    return (!of_arrays && !is_join) || convert_tuples(r, builtin, is_join);
}

static bool apply_where(struct rule *r, const struct builtin *builtin)
{
    struct ir_instr *out = r->out;
    r->out = r->ufunc_where; // so that nothing fuses the result into what reads it
    bool done = has_array_argument(r) ? rule_elementwise(r, builtin->name)
                : builtin->library    ? call_library(r, builtin)
                                      : builtin->rule(r);
    if (!done || !rule_ufunc_select(r, out))
        return false;
    if (!out)
        rule_take_number(r);
    return true;
}

// What makes arrays takes `order`, where others sort by fields, and `dtype`.
static bool settle_options(struct rule *r, const struct builtin *builtin)
{
    int order = find_param(builtin->params, "order");
    int dtype = find_param(builtin->params, "dtype");
    if (r->in->target != TARGET_HOST || r->in->source->options.is_library)
        return true;
    return (order < 0 || find_param(builtin->params, "kind") >= 0 ||
                   rule_settle_order(r, (size_t)order)) &&
           (dtype < 0 || !rule_has_arg(r, (size_t)dtype) ||
                   rule_settle_dtype(r, r->args[dtype]));
}

static bool apply_builtin(struct rule *r, const struct builtin *builtin)
{
    if (!settle_options(r, builtin))
        return false;
    if (rule_array_of_display(r, builtin->name))
        return true;
    if (r->in->target == TARGET_HOST && !convert_lists(r, builtin))
        return r->in->err->kind == ERROR_NONE;
    if (builtin->is_ufunc && !rule_ufunc_convert(r))
        return r->in->err->kind == ERROR_NONE;
    if (builtin->is_ufunc && r->ufunc_where)
        return apply_where(r, builtin);
    if (builtin->is_ufunc && has_array_argument(r))
        return rule_elementwise(r, builtin->name);
    bool is_reduced = false;
    if (!rule_reduce_map(r, builtin, &is_reduced) || is_reduced)
        return is_reduced;
    bool is_bfloat = rule_computes_bfloat(r, builtin->name), is_wide;
    if (is_bfloat && !rule_bfloat_enter(r, builtin->name, &is_wide))
        return false;
    if (!(builtin->library ? call_library(r, builtin) : builtin->rule(r)))
        return false;
    if (is_bfloat && !is_wide && !strstr(builtin->name, ".bfloat16_to_"))
        rule_bfloat_narrow(r);
    return true;
}

bool rule_apply_builtin(struct rule *r, const char *name)
{
    if (str_starts_with(name, FUSED_PREFIX))
        return rule_fused(r, name);
    if (str_starts_with(name, UFUNC_PREFIX))
        return rule_user_ufunc(r, name);
    if (rule_is_ufunc_method(r, name))
        return rule_ufunc_method(r, name);
    const struct builtin *builtin = rule_find_builtin(r, name);
    if (!builtin)
        return rule_fail(r, ERROR_TYPING,
                "Unknown function '%s': it is not supported in compiled code", name);
    r->name = last_part(name);
    r->data = builtin->data;
    if (!bind_builtin(r, builtin))
        return false;
    return apply_builtin(r, builtin) && put_out(r, builtin);
}

bool rule_apply_builtin_method(struct rule *r, const char *name)
{
    const struct builtin *builtin = rule_find_builtin(r, name);
    r->data = builtin->data;
    return bind_builtin(r, builtin) && apply_builtin(r, builtin) && put_out(r, builtin);
}

// --- All calls

static bool unknown_callee(struct rule *r)
{
    return rule_fail(r, ERROR_UNSUPPORTED,
            "the function that is called must be known when the code is compiled.");
}

static bool call_function(struct rule *r)
{
    const char *name = r->instr->operands[0]->type->function;
    bool is_done = false;
    if (!name)
        return unknown_callee(r);
    if (!rule_overloaded_arrays(r, name, &is_done))
        return false;
    return is_done || rule_apply_builtin(r, name);
}

static bool call_dispatcher(struct rule *r)
{
    return r->instr->operands[0]->type->source ? rule_jitted(r) : unknown_callee(r);
}

static bool call_exception(struct rule *r)
{
    return rule_fail(r, ERROR_UNSUPPORTED,
            "an exception can only be raised in a compiled "
            "function, not kept in a variable.");
}

// A value of a type that the program adds, by the method that it has for that.
static bool call_extension(struct rule *r)
{
    r->receiver = r->instr->operands[0];
    r->name = "__call__";
    return rule_overloaded_method(r, r->receiver->type);
}

// float(x), np.int8(x), by what the program overloads first.
static bool call_class(struct rule *r)
{
    bool is_done = false;
    if (!rule_overloaded_class(r, &is_done))
        return false;
    return is_done || rule_class(r);
}

// By the kind of what is called; NULL: it cannot be.
static bool (*const calls[TYPE_KIND_COUNT])(struct rule *r) = {
        [TYPE_CALLABLE] = rule_call_value,
        [TYPE_FOREIGN] = rule_call_value,
        [TYPE_FUNCTION] = call_function,
        [TYPE_DISPATCHER] = call_dispatcher,
        [TYPE_CLASS] = call_class,
        [TYPE_METHOD] = rule_method,
        [TYPE_EXCEPTION] = call_exception,
        [TYPE_CHOICE] = rule_call_choice,
        [TYPE_CLOSURE] = rule_jitted,
        [TYPE_EXTENSION] = call_extension,
};

bool rule_call(struct rule *r)
{
    const struct type *type = r->instr->operands[0]->type, *callee = type;
    if (type->kind == TYPE_OPTIONAL && type->element->kind == TYPE_CALLABLE)
        callee = type->element; // one that is None fails when it is called
    return calls[callee->kind]
                   ? calls[callee->kind](r)
                   : rule_fail(r, ERROR_TYPING, "A value of type %s cannot be called",
                             type->name);
}
