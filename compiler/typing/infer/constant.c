// SPDX-License-Identifier: MIT
// What a value is, where that is known while types are found: literals, globals, what
// types tell, and constants of the launch that the function is compiled for.
#include <stdlib.h>
#include <string.h>

#include "compiler/types/dtype_name.h"
#include "compiler/typing/infer/rule.h"
#include "compiler/typing/infer/stages.h"

static bool fold_power(int64_t base, int64_t exponent, int64_t *out)
{
    *out = 1;
    if (exponent < 0 || exponent > 63)
        return false;
    for (int64_t i = 0; i < exponent; i++)
        if (__builtin_mul_overflow(*out, base, out))
            return false;
    return true;
}

// Where numbers are small and not negative, as in shapes; the rest is computed when the
// code runs.
static bool fold_integers(enum ir_binary op, int64_t a, int64_t b, int64_t *out)
{
    switch (op) {
    case BINARY_ADD:
        return !__builtin_add_overflow(a, b, out);
    case BINARY_SUB:
        return !__builtin_sub_overflow(a, b, out);
    case BINARY_MUL:
        return !__builtin_mul_overflow(a, b, out);
    case BINARY_FLOORDIV:
        *out = b > 0 && a >= 0 ? a / b : 0;
        return b > 0 && a >= 0;
    case BINARY_LSHIFT:
        *out = a >= 0 && b >= 0 && b < 32 && a < (1LL << 31) ? a << b : 0;
        return *out || !a;
    case BINARY_RSHIFT:
        *out = a >= 0 && b >= 0 && b < 63 ? a >> b : 0;
        return a >= 0 && b >= 0 && b < 63;
    case BINARY_MOD:
        *out = b > 0 && a >= 0 ? a % b : 0;
        return b > 0 && a >= 0;
    case BINARY_POW:
        return fold_power(a, b, out);
    default:
        return false;
    }
}

static bool is_call_of(const struct ir_instr *value, const char *name, size_t count)
{
    return value->op == IR_CALL && value->operand_count == count + 1 &&
           value->operands[0]->type && value->operands[0]->type->kind == TYPE_FUNCTION &&
           value->operands[0]->type->function &&
           !strcmp(value->operands[0]->type->function, name);
}

// A bound, or what it is when left out; in range, where a negative step begins or ends
// one before.
static bool slice_bound(const struct ir_instr *bound, int64_t len, int64_t missing,
        int64_t step, int64_t *out)
{
    *out = missing;
    if (bound->type == type_none)
        return true;
    if (!rule_constant_int(bound, out))
        return false;
    int64_t least = step < 0 ? -1 : 0, most = step < 0 ? len - 1 : len;
    *out += *out < 0 ? len : 0;
    *out = *out < least ? least : *out > most ? most : *out;
    return true;
}

bool rule_constant_slice(const struct ir_instr *slice, int64_t len, int64_t *start,
        int64_t *stop, int64_t *step)
{
    *step = 1;
    bool has_step = slice->op == IR_BUILD_SLICE && slice->operand_count > 2 &&
                    slice->operands[2]->type != type_none;
    return slice->op == IR_BUILD_SLICE &&
           (!has_step || rule_constant_int(slice->operands[2], step)) && *step &&
           slice_bound(slice->operands[0], len, *step < 0 ? len - 1 : 0, *step, start) &&
           slice_bound(slice->operands[1], len, *step < 0 ? -1 : len, *step, stop);
}

// The tuple that parts of it are taken of, and the place of an item there.
static const struct ir_instr *whole_tuple(const struct ir_instr *tuple, int64_t *index)
{
    int64_t start, stop, step;
    while (tuple->op == IR_GETITEM && tuple->operands[0]->type &&
            tuple->operands[0]->type->kind == TYPE_TUPLE &&
            rule_constant_slice(tuple->operands[1],
                    (int64_t)tuple->operands[0]->type->tuple.len, &start, &stop, &step)) {
        *index = start + *index * step;
        tuple = tuple->operands[0];
    }
    return tuple;
}

// An item of a tuple of constants, as loops have them that are unrolled.
static const struct constant *constant_item(const struct ir_instr *item)
{
    const struct ir_instr *at = item->operands[1];
    if (at->op != IR_CONST || at->constant.type != type_int64 || at->constant.integer < 0)
        return NULL;
    int64_t place = at->constant.integer;
    const struct ir_instr *tuple = whole_tuple(item->operands[0], &place);
    size_t index = (size_t)place;
    const struct constant *found = NULL;
    if (tuple->op == IR_BUILD_TUPLE && index < tuple->operand_count &&
            tuple->operands[index]->op == IR_CONST)
        found = &tuple->operands[index]->constant;
    else if (tuple->op == IR_CONST && tuple->constant.type &&
             tuple->constant.type->kind == TYPE_TUPLE &&
             index < tuple->constant.tuple.len)
        found = &tuple->constant.tuple.items[index];
    return found && (found->type == type_string || found->type == type_bool ||
                            found->type == type_int64)
                   ? found
                   : NULL;
}

const struct constant *rule_constant(const struct ir_instr *value)
{
    if (is_call_of(value, "numba.literally", 1))
        value = value->operands[1];
    if (value->op == IR_GETITEM)
        return constant_item(value);
    return value->op == IR_CONST && value->constant.type ? &value->constant : NULL;
}

// Asks the rules by which the function of the call is typed; false for one that is in
// none.
static bool has_attribute(
        const struct ir_instr *call, const struct type *type, const char *name)
{
    const struct rule_set *rules = call->block ? call->block->function->rules : NULL;
    return rules && rules->has_attribute(rules, type, name);
}

// a.ndim, np.ndim(a), len(tuple) and hasattr(a, "name"): what types tell
static bool known_from_types(const struct ir_instr *value, int64_t *out)
{
    bool is_attribute = value->op == IR_GETATTR && !strcmp(value->attribute, "ndim");
    bool is_ndim = is_call_of(value, "numpy.ndim", 1),
         is_len = is_call_of(value, "builtins.len", 1);
    bool is_hasattr = is_call_of(value, "builtins.hasattr", 2);
    if (is_call_of(value, "builtins.isinstance", 2))
        return rule_known_instance(value, out);
    if (value->op == IR_CALL && rule_known_match(value, out))
        return true;
    if (value->op == IR_CALL && value->operand_count == 2 && value->operands[1]->type &&
            value->operands[0]->type && value->operands[0]->type->kind == TYPE_FUNCTION &&
            value->operands[0]->type->function &&
            library_describe(
                    value->operands[0]->type->function, value->operands[1]->type, out))
        return true;
    if (!is_attribute && !is_ndim && !is_len && !is_hasattr)
        return false;
    const struct type *type = value->operands[!is_attribute]->type;
    if (!type || (is_attribute && type->kind != TYPE_ARRAY) ||
            (is_len && type->kind != TYPE_TUPLE))
        return false;
    const struct constant *name = is_hasattr ? rule_constant(value->operands[2]) : NULL;
    // what overloads add to a type, only the rule of the call can ask
    if (is_hasattr &&
            (!name || name->type != type_string || type->kind == TYPE_EXTENSION))
        return false;
    *out = is_hasattr                 ? has_attribute(value, type, name->string.text)
           : is_len                   ? (int64_t)type->tuple.len
           : type->kind == TYPE_ARRAY ? type->array.ndim
                                      : 0;
    return true;
}

int rule_launch_constant(const struct ir_instr *value)
{
    if (value->op == IR_ARG)
        return value->index < LAUNCH_PARAMS && value->type &&
                               value->type->kind == TYPE_INT
                       ? value->index
                       : -1;
    if (value->op == IR_PRIMITIVE && value->primitive == PRIMITIVE_CUDA_BLOCK_DIM)
        return LAUNCH_BLOCK_DIM + value->immediate;
    if (value->op == IR_PRIMITIVE && value->primitive == PRIMITIVE_CUDA_GRID_DIM)
        return LAUNCH_GRID_DIM + value->immediate;
    if (value->op != IR_GETATTR || value->operands[0]->type->kind != TYPE_FUNCTION)
        return -1;
    const char *base = value->operands[0]->type->function;
    int first = !strcmp(base, "cuda.blockDim")  ? LAUNCH_BLOCK_DIM
                : !strcmp(base, "cuda.gridDim") ? LAUNCH_GRID_DIM
                                                : -1;
    return first < 0 ? -1 : first + value->attribute[0] - 'x';
}

// A parameter or an extent of the launch that the function is compiled for.
static bool known_from_launch(const struct ir_instr *value, int64_t *out)
{
    const struct source *source = value->block ? value->block->function->source : NULL;
    const struct launch_constants *launch = source ? source->launch : NULL;
    int position = launch ? rule_launch_constant(value) : -1;
    if (position < 0 || !(launch->needed >> position & 1))
        return false;
    *out = launch->values[position];
    return true;
}

// An item of a tuple that is known.
static bool known_item(const struct ir_instr *value, int64_t *out)
{
    int64_t index;
    const struct ir_instr *tuple = value->operands[0];
    const struct constant *constant = rule_constant(tuple);
    bool is_built = tuple->op == IR_BUILD_TUPLE;
    if ((!is_built && (!constant || constant->type->kind != TYPE_TUPLE)) ||
            !rule_constant_int(value->operands[1], &index))
        return false;
    int64_t len = (int64_t)(is_built ? tuple->operand_count : constant->tuple.len);
    index += index < 0 ? len : 0;
    if (index < 0 || index >= len || (is_built && tuple->call.is_starred))
        return false;
    if (is_built)
        return rule_constant_int(tuple->operands[index], out);
    *out = constant->tuple.items[index].integer;
    return type_is_integer(constant->tuple.items[index].type);
}

bool rule_constant_int(const struct ir_instr *value, int64_t *out)
{
    if (value->type && value->type->kind == TYPE_LITERAL &&
            value->type->element == type_int64) {
        *out = strtoll(value->type->function, NULL, 10);
        return true;
    }
    if (value->op == IR_CONST && value->constant.type &&
            type_is_integer(rule_value_type(value->constant.type))) {
        *out = value->constant.integer;
        return true;
    }
    if (is_call_of(value, "numba.literally", 1))
        return rule_constant_int(value->operands[1], out);
    if (known_from_types(value, out) || known_from_launch(value, out))
        return true;
    if (value->op == IR_CAST && value->type->kind == TYPE_INT)
        return rule_constant_int(value->operands[0], out);
    if (value->op == IR_GETITEM)
        return known_item(value, out);
    int64_t left, right;
    if (value->op == IR_UNARY && value->unary == UNARY_NEGATIVE)
        return rule_constant_int(value->operands[0], &left) &&
               !__builtin_sub_overflow(0, left, out);
    return (value->op == IR_BINARY || value->op == IR_INPLACE) &&
           rule_constant_int(value->operands[0], &left) &&
           rule_constant_int(value->operands[1], &right) &&
           fold_integers(value->binary, left, right, out);
}

const struct type *rule_dtype(const struct ir_instr *value)
{
    if (!value->type)
        return NULL;
    if (value->type->kind == TYPE_CLASS)
        return value->type->element;
    const struct constant *constant = rule_constant(value);
    if (!constant || constant->type != type_string)
        return NULL;
    return type_by_dtype_name(constant->string.text);
}

// Whether the value would be known with some constants of the launch, added to `needed`.
static bool depends_on_launch(const struct ir_instr *value, unsigned *needed)
{
    int64_t known;
    int position = rule_launch_constant(value);
    if (position >= 0)
        *needed |= 1u << position;
    if (position >= 0 || rule_constant_int(value, &known))
        return true;
    return (value->op == IR_BINARY || value->op == IR_INPLACE) &&
           depends_on_launch(value->operands[0], needed) &&
           depends_on_launch(value->operands[1], needed);
}

bool rule_ask_launch(struct rule *r, const struct ir_instr *value)
{
    unsigned needed = 0;
    bool is_kernel =
            r->in->target != TARGET_HOST && r->in->session->stack.items[0] == r->in;
    if (!is_kernel || !depends_on_launch(value, &needed))
        return false;
    r->in->err->code = LAUNCH_CODE | (int)needed;
    return true;
}

const char *rule_constant_text(const struct ir_instr *value, size_t *len)
{
    const struct constant *constant = rule_constant(value);
    if (!constant || constant->type != type_string)
        return NULL;
    *len = constant->string.len;
    return constant->string.text;
}
