// SPDX-License-Identifier: MIT
// What rules are written with: messages, the rules of rooms above, and emitting resolved
// instructions.
//
// A rule runs in two situations that it must serve with the same conditions. While types
// are found (not r->is_emitting) it looks at operands' types alone, which may still
// change, and sets r->type; it is asked again in each round. While a function is resolved
// it also emits, once, and sets r->value. What is emitted goes before r->instr and lives
// in the function's arena, as do arrays of arguments that a rule makes up.
//
// Errors: a rule that fails says so with rule_fail or rule_no_match and returns false.
// One that cannot know its type yet returns true and leaves r->type NULL.

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/types/told.h"
#include "compiler/typing/infer/rule.h"
#include "compiler/typing/infer/stages.h"

// --- Messages

void rule_describe(const struct ir_instr *arg, struct str *text)
{
    const struct constant *constant = arg ? rule_constant(arg) : NULL;
    if (constant && constant->type == type_string)
        str_printf(text, "Literal[str](%s)", constant->string.text);
    else if (constant && constant->type == type_int64)
        str_printf(text, "Literal[int](%lld)", (long long)constant->integer);
    else
        str_append(text, !arg ? "omitted" : arg->type ? arg->type->name : "undefined");
}

static void add_arguments(struct rule *r, struct str *text)
{
    for (size_t i = 0; i < r->arg_count; i++) {
        if (i)
            str_append(text, ", ");
        rule_describe(r->args[i], text);
    }
}

// Names the arguments as numba does, whose users search for these texts.
bool rule_no_match(struct rule *r, const char *help)
{
    assert(r->name);
    struct str args = {0};
    add_arguments(r, &args);
    r->in->session->is_of_library = r->in->source->options.is_library;
    // numba's own functions in Python
    bool is_cuda_array =
            !strcmp(r->name, "shared.array") || !strcmp(r->name, "local.array");
    const char *dot = strchr(r->name, '.');
    if (r->receiver)
        error_set(r->in->err, ERROR_TYPING, r->instr->span,
                "No implementation of method '%s' of type %s found for signature:\n \n "
                ">>> "
                "%s(%s)\n \n%s",
                r->name, r->receiver->type->name, r->name, str_text(&args), help);
    else
        error_set(r->in->err, ERROR_TYPING, r->instr->span,
                "No implementation of function Function(<%sfunction %s>) found for "
                "signature:\n \n >>> %s(%s)\n \n%s",
                is_cuda_array ? "" : "built-in ", r->name,
                dot && is_cuda_array ? dot + 1 : r->name, str_text(&args), help);
    str_finish(&args);
    return false;
}

bool rule_fail(struct rule *r, enum error_kind kind, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    error_set_va(r->in->err, kind, r->instr->span, format, args);
    va_end(args);
    return false;
}

bool rule_library_on_host(struct rule *r)
{
    return r->in->target == TARGET_HOST ||
           rule_fail(r, ERROR_TYPING,
                   "This function is not available in CUDA code: on the CPU it allocates "
                   "memory or calls a library. Call it on the host and pass its result, "
                   "or write it as a loop (random numbers: numba.cuda.random)");
}

// Users did not write the library: there the reason is a general one.
bool rule_on_host(struct rule *r, const char *format, ...)
{
    if (r->in->target == TARGET_HOST || r->in->source->options.is_library)
        return rule_library_on_host(r);
    va_list args;
    va_start(args, format);
    error_set_va(r->in->err, ERROR_TYPING, r->instr->span, format, args);
    va_end(args);
    return false;
}

// --- Rules of the rooms above

static const struct rule_set *rules_of(const struct rule *r)
{
    return r->in->session->stages->rules;
}

const struct builtin *rule_find_builtin(const struct rule *r, const char *name)
{
    return rules_of(r)->find_builtin(name);
}

bool rule_call_builtin(struct rule *r, const char *name)
{
    return rules_of(r)->call_builtin(r, name);
}

bool rule_builtin_method(struct rule *r, const char *name)
{
    return rules_of(r)->builtin_method(r, name);
}

// --- Emitting

// Rules are given old instructions as operands, and keep what they emitted: both are
// looked up here, so that they need not know which they have.
struct ir_instr *rule_value(struct rule *r, struct ir_instr *value)
{
    struct infer *in = r->in;
    if (value->id < in->value_count && in->values[value->id])
        return in->values[value->id];
    return value;
}

// The operands are those of either level; the new instruction has resolved ones.
struct ir_instr *rule_emit(struct rule *r, enum ir_op op, const struct type *type,
        struct ir_instr *const *operands, size_t count)
{
    struct ir_instr *instr = ir_instr_create(r->in->function, op, count, r->instr->span);
    instr->type = type;
    for (size_t i = 0; i < count; i++)
        instr->operands[i] = rule_value(r, operands[i]);
    ir_insert_before(r->instr, instr);
    return instr;
}

struct ir_instr *rule_primitive(struct rule *r, enum ir_primitive primitive,
        const struct type *type, struct ir_instr *const *operands, size_t count)
{
    struct ir_instr *instr = rule_emit(r, IR_PRIMITIVE, type, operands, count);
    instr->primitive = primitive;
    return instr;
}

static struct ir_instr *emit_constant(struct rule *r, struct constant constant)
{
    struct ir_instr *instr = rule_emit(r, IR_CONST, constant.type, NULL, 0);
    instr->constant = constant;
    return instr;
}

struct ir_instr *rule_int(struct rule *r, const struct type *type, int64_t value)
{
    struct constant constant = {.type = type};
    if (type->kind == TYPE_FLOAT)
        constant.real = (double)value;
    else if (type->kind == TYPE_COMPLEX)
        constant.complex_parts[0] = (double)value;
    else
        constant.integer = value;
    return emit_constant(r, constant);
}

struct ir_instr *rule_none(struct rule *r)
{
    return emit_constant(r, (struct constant){.type = type_none});
}

// --- The value that a variable has before it is set

static struct ir_instr *zero_number(struct rule *r, const struct type *type)
{
    return emit_constant(r, (struct constant){.type = type});
}

static struct ir_instr *zero_text(struct rule *r, const struct type *type)
{
    return emit_constant(r, (struct constant){.type = type, .string.text = ""});
}

static struct ir_instr *zero_member(struct rule *r, const struct type *type)
{
    return type->element->kind == TYPE_STRING ? zero_text(r, type) : zero_number(r, type);
}

static struct ir_instr *zero_array(struct rule *r, const struct type *type)
{
    struct constant constant = {.type = type};
    constant.array.data = "";
    constant.array.shape =
            arena_array(&r->in->function->arena, int64_t, type->array.ndim + 1);
    return emit_constant(r, constant);
}

static struct ir_instr *zero_optional(struct rule *r, const struct type *type)
{
    return rule_cast(r, rule_none(r), type);
}

static struct ir_instr *zero_tuple(struct rule *r, const struct type *type)
{
    struct ir_instr **items =
            arena_array(&r->in->function->arena, struct ir_instr *, type->tuple.len + 1);
    for (size_t i = 0; i < type->tuple.len; i++)
        if (!(items[i] = rule_zero(r, type->tuple.items[i])))
            return NULL;
    return rule_emit(r, IR_BUILD_TUPLE, type, items, type->tuple.len);
}

// By kind. NULL: there is no such value, and the variable is refused where it may be read
// unset.
static struct ir_instr *(*const zeros[TYPE_KIND_COUNT])(
        struct rule *r, const struct type *type) = {
        [TYPE_NONE] = zero_number,
        [TYPE_BOOL] = zero_number,
        [TYPE_INT] = zero_number,
        [TYPE_FLOAT] = zero_number,
        [TYPE_COMPLEX] = zero_number,
        [TYPE_STRING] = zero_text,
        [TYPE_TUPLE] = zero_tuple,
        [TYPE_ARRAY] = zero_array,
        [TYPE_OPTIONAL] = zero_optional,
        [TYPE_ENUM] = zero_member,
        [TYPE_TIME] = zero_number,
        [TYPE_BFLOAT] = zero_number,
        [TYPE_LIST] = rule_empty_container,
        [TYPE_SET] = rule_empty_container,
        [TYPE_DICT] = rule_empty_container,
        [TYPE_EXTENSION] = zero_tuple,
};

struct ir_instr *rule_zero(struct rule *r, const struct type *type)
{
    return zeros[type->kind] ? zeros[type->kind](r, type) : NULL;
}

// --- Casts of what is known

// Converts a number known now; false where the result is better computed by the target.
static bool fold_cast(
        const struct constant *from, const struct type *to, struct constant *out)
{
    out->type = to;
    bool is_integer = type_is_integer(from->type);
    if (!is_integer && from->type->kind != TYPE_FLOAT)
        return false;
    double real = !is_integer ? from->real
                  : from->type->is_signed || !from->type->bits
                          ? (double)from->integer
                          : (double)(uint64_t)from->integer;
    if (to->kind == TYPE_FLOAT) {
        out->real = to->bits == 32 ? (double)(float)real : real;
        return to->bits != 16;
    }
    if (to->kind == TYPE_COMPLEX) {
        out->complex_parts[0] = to->bits == 64 ? (double)(float)real : real;
        return true;
    }
    if (!is_integer || to->kind != TYPE_INT)
        return false;
    int shift = 64 - to->bits;
    uint64_t bits = (uint64_t)from->integer << shift;
    out->integer = to->is_signed ? (int64_t)bits >> shift : (int64_t)(bits >> shift);
    return true;
}

// --- Casts of values of types that the program adds, by its own code

static struct ir_instr *call_cast(
        struct rule *r, struct ir_instr *value, const struct type *type)
{
    struct source *cast = told_cast(value->type, type);
    struct rule inner = {.in = r->in, .instr = r->instr, .is_emitting = true};
    inner.name = "cast";
    inner.args = &value;
    inner.arg_count = 1;
    if (!cast)
        rule_fail(r, ERROR_TYPING,
                "Cannot cast %s to %s: no @lower_cast() of the program is for them",
                value->type->name, type->name);
    else if (rule_call_source(&inner, cast, &value, 1, 0))
        return rule_value(r, inner.value);
    return value;
}

// Items and values that might be None are cast as what they hold.
static struct ir_instr *cast_extension(
        struct rule *r, struct ir_instr *value, const struct type *type)
{
    const struct type *from = value->type;
    if (from->kind == TYPE_OPTIONAL && from->element == type)
        return rule_emit(r, IR_CAST, type, &value, 1);
    if (from->kind == TYPE_OPTIONAL && type->kind != TYPE_OPTIONAL)
        return rule_cast(r, rule_cast(r, value, from->element), type);
    if (type->kind == TYPE_OPTIONAL && from->kind != TYPE_OPTIONAL) {
        if (from->kind != TYPE_NONE)
            value = rule_cast(r, value, type->element);
        return rule_emit(r, IR_CAST, type, &value, 1);
    }
    if (from->kind != TYPE_TUPLE || type->kind != TYPE_TUPLE)
        return call_cast(r, value, type);
    size_t len = type->tuple.len;
    struct ir_instr **items =
            arena_array(&r->in->function->arena, struct ir_instr *, len + 1);
    for (size_t i = 0; i < len; i++)
        items[i] = rule_cast(r, rule_tuple_get(r, value, i), type->tuple.items[i]);
    return rule_emit(r, IR_BUILD_TUPLE, type, items, len);
}

// Constants become constants of the type; a value that has it already stays.
struct ir_instr *rule_cast(
        struct rule *r, struct ir_instr *value, const struct type *type)
{
    value = rule_value(r, value);
    if (value->type == type)
        return value;
    struct constant folded = {.type = type};
    if (value->type->kind == TYPE_LITERAL && type == type_string) {
        assert(value->type->element == type_string);
        folded.string.text = value->type->function;
        folded.string.len = strlen(folded.string.text);
        return emit_constant(r, folded);
    }
    if (value->op == IR_CONST && fold_cast(&value->constant, type, &folded))
        return emit_constant(r, folded);
    if (!rule_check_function_value(r, value->type, type))
        return value;
    if (type_has_extension(value->type) || type_has_extension(type))
        return cast_extension(r, value, type);
    return rule_emit(r, IR_CAST, type, &value, 1);
}

// An item of a tuple that is put together here needs no instruction.
struct ir_instr *rule_tuple_get(struct rule *r, struct ir_instr *tuple, size_t index)
{
    tuple = rule_value(r, tuple);
    if (tuple->type->kind == TYPE_OPTIONAL)
        tuple = rule_cast(r, tuple, tuple->type->element);
    if (tuple->op == IR_BUILD_TUPLE || tuple->op == IR_MAKE_CLOSURE)
        return tuple->operands[index];
    struct ir_instr *item =
            rule_emit(r, IR_TUPLE_GET, tuple->type->tuple.items[index], &tuple, 1);
    item->index = (int)index;
    return item;
}

struct ir_instr *rule_tuple(struct rule *r, struct ir_instr *const *items, size_t count)
{
    const struct type **types = memory_alloc((count + 1) * sizeof *types);
    for (size_t i = 0; i < count; i++)
        types[i] = rule_value(r, items[i])->type;
    struct ir_instr *tuple =
            rule_emit(r, IR_BUILD_TUPLE, type_tuple(types, count), items, count);
    free(types);
    return tuple;
}

struct ir_instr *rule_binary_op(struct rule *r, enum ir_binary op,
        const struct type *type, struct ir_instr *left, struct ir_instr *right)
{
    struct ir_instr *operands[] = {rule_cast(r, left, type), rule_cast(r, right, type)};
    struct ir_instr *result = rule_emit(r, IR_BINARY, type, operands, 2);
    result->binary = op;
    return result;
}

struct ir_instr *rule_compare_op(
        struct rule *r, enum ir_compare op, struct ir_instr *left, struct ir_instr *right)
{
    struct ir_instr *operands[] = {left, right};
    struct ir_instr *result = rule_emit(r, IR_COMPARE, type_bool, operands, 2);
    result->compare = op;
    return result;
}

bool rule_do_primitive(struct rule *r, enum ir_primitive primitive,
        const struct type *type, const struct type *operand_type)
{
    r->type = type;
    if (!r->is_emitting)
        return true;
    struct ir_instr *operands[4];
    for (size_t i = 0; i < r->arg_count; i++)
        operands[i] = rule_cast(r, r->args[i], operand_type);
    r->value = rule_primitive(r, primitive, type, operands, r->arg_count);
    return true;
}

bool rule_do_constant(struct rule *r, struct constant constant)
{
    r->type = constant.type;
    if (r->is_emitting)
        r->value = emit_constant(r, constant);
    return true;
}

struct ir_instr *rule_constant_of(
        struct rule *r, const struct type *type, struct constant constant)
{
    struct ir_instr *instr = rule_emit(r, IR_CONST, type, NULL, 0);
    instr->constant = constant;
    return instr;
}

void rule_note_parallel(struct rule *r, const char *what, const char *shown)
{
    struct ir_loop_note *note = arena_new(&r->in->function->arena, struct ir_loop_note);
    *note = (struct ir_loop_note){.line = r->instr->span.line,
            .is_parallel = true,
            .text = arena_printf(&r->in->function->arena, "%s: %s", what, shown)};
    struct ir_loop_note **end = &r->in->function->loop_notes;
    while (*end)
        end = &(*end)->next;
    *end = note;
}

struct ir_instr *rule_new_list(struct rule *r, const struct type *type, size_t room)
{
    assert(type->kind == TYPE_LIST);
    struct ir_instr *capacity = rule_int(r, type_int64, (int64_t)room);
    return rule_primitive(r, PRIMITIVE_LIST_NEW, type, &capacity, 1);
}

struct ir_instr *rule_empty_container(struct rule *r, const struct type *type)
{
    assert(type_is_container(type));
    if (type->kind == TYPE_LIST)
        return rule_new_list(r, type, 0);
    return rule_primitive(r, PRIMITIVE_CELL_NEW, type, NULL, 0);
}

// A value of the type, for rules to look at while nothing is emitted.
struct ir_instr *rule_stand_in(struct rule *r, const struct type *type)
{
    assert(type);
    struct ir_instr *value =
            ir_instr_create(r->in->function, IR_CALL_DIRECT, 0, r->instr->span);
    value->type = type;
    return value;
}

struct ir_instr *rule_not_op(struct rule *r, struct ir_instr *value)
{
    struct ir_instr *result = rule_emit(r, IR_UNARY, type_bool, &value, 1);
    result->unary = UNARY_NOT;
    return result;
}

bool rule_bind_keyword(struct rule *r, const char *keyword, int position,
        struct ir_instr *value, struct ir_instr **bound)
{
    if (position < 0 || bound[position])
        return rule_fail(r, ERROR_TYPING,
                position < 0 ? "%s() got an unexpected keyword argument '%s'"
                             : "%s() got multiple values for argument '%s'",
                r->name, keyword);
    bound[position] = value;
    return true;
}
