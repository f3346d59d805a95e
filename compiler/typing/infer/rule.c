// SPDX-License-Identifier: MIT
// What rules are written with: messages, looking at arguments, emitting resolved
// instructions.
#include "compiler/typing/rules/containers/container.h"
#include "compiler/types/datetime.h"
#include "compiler/typing/infer/stages.h"
#include "compiler/typing/rules/containers/objects.h"

#include <stdlib.h>
#include <string.h>

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

bool rule_no_match(struct rule *r, const char *help)
{
    struct str args = {0};
    add_arguments(r, &args);
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

// --- Looking at arguments

const struct type *rule_value_type(const struct type *type)
{
    if (type->kind == TYPE_OPTIONAL)
        type = type->element;
    return type->kind == TYPE_ENUM && type->enumeration.is_int ? type->element : type;
}

const struct type *rule_arg_type(const struct rule *r, size_t i)
{
    return rule_value_type(r->args[i]->type);
}

bool rule_has_arg(const struct rule *r, size_t i)
{
    return i < r->arg_count && r->args[i];
}

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

// An item of a tuple of constants, as loops have them that are unrolled.
static const struct constant *constant_item(const struct ir_instr *item)
{
    const struct ir_instr *tuple = item->operands[0], *at = item->operands[1];
    if (at->op != IR_CONST || at->constant.type != type_int64 || at->constant.integer < 0)
        return NULL;
    size_t index = (size_t)at->constant.integer;
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
    if (is_hasattr && (!name || name->type != type_string))
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
    return (value->op == IR_BINARY || value->op == IR_INPLACE) &&
           rule_constant_int(value->operands[0], &left) &&
           rule_constant_int(value->operands[1], &right) &&
           fold_integers(value->binary, left, right, out);
}

static const struct type *dtype_by_name(const char *name)
{
    const struct type *const types[] = {type_bool, type_int8, type_int16, type_int32,
            type_int64, type_uint8, type_uint16, type_uint32, type_uint64, type_float16,
            type_float32, type_float64, type_complex64, type_complex128};
    static const char *const codes[] = {"b1 ?", "i1 b", "i2 h", "i4 i", "i8 l q int intp",
            "u1 B", "u2 H", "u4 I", "u8 L Q uint uintp", "f2 e half", "f4 f single",
            "f8 d float double", "c8 F csingle", "c16 D complex cdouble"};
    name += strchr("<=|", name[0]) && name[0] ? 1 : 0;
    size_t len = strlen(name);
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        if (!strcmp(types[i]->name, name))
            return types[i];
        for (const char *code = codes[i]; *code;
                code += strcspn(code, " "), code += strspn(code, " "))
            if (len && len == strcspn(code, " ") && !strncmp(code, name, len))
                return types[i];
    }
    return NULL;
}

// 'U5', 'S12': texts of so many characters, or bytes
static const struct type *text_type_named(const char *name)
{
    char *end;
    name += strchr("<=|", name[0]) && name[0] ? 1 : 0;
    if ((name[0] != 'U' && name[0] != 'S') || name[1] < '1' || name[1] > '9')
        return NULL;
    long len = strtol(name + 1, &end, 10);
    if (*end || len > 1 << 20)
        return NULL;
    return type_cells(name[0] == 'U' ? type_string : type_bytes, (size_t)len);
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
    const struct type *type = dtype_by_name(constant->string.text);
    if (!type)
        type = text_type_named(constant->string.text);
    return type ? type : time_type_named(constant->string.text);
}

// --- Emitting

struct ir_instr *rule_value(struct rule *r, struct ir_instr *value)
{
    struct infer *in = r->in;
    if (value->id < in->value_count && in->values[value->id])
        return in->values[value->id];
    return value;
}

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

// The value that a variable has before it is set; NULL for types that have no such
// constant.
struct ir_instr *rule_zero(struct rule *r, const struct type *type)
{
    struct constant constant = {.type = type};
    switch (type->kind) {
    case TYPE_NONE:
    case TYPE_BOOL:
    case TYPE_INT:
    case TYPE_FLOAT:
    case TYPE_COMPLEX:
    case TYPE_TIME:
    case TYPE_BFLOAT:
        return emit_constant(r, constant);
    case TYPE_ENUM:
        if (type->element->kind == TYPE_STRING)
            constant.string.text = "";
        return emit_constant(r, constant);
    case TYPE_STRING:
        constant.string.text = "";
        return emit_constant(r, constant);
    case TYPE_ARRAY:
        constant.array.data = "";
        constant.array.shape =
                arena_array(&r->in->function->arena, int64_t, type->array.ndim + 1);
        return emit_constant(r, constant);
    case TYPE_LIST:
    case TYPE_SET:
    case TYPE_DICT:
        return rule_empty_container(r, type);
    case TYPE_OPTIONAL:
        return rule_cast(r, rule_none(r), type);
    case TYPE_TUPLE: {
        struct ir_instr **items = arena_array(
                &r->in->function->arena, struct ir_instr *, type->tuple.len + 1);
        for (size_t i = 0; i < type->tuple.len; i++)
            if (!(items[i] = rule_zero(r, type->tuple.items[i])))
                return NULL;
        return rule_tuple(r, items, type->tuple.len);
    }
    default:
        return NULL;
    }
}

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

struct ir_instr *rule_cast(
        struct rule *r, struct ir_instr *value, const struct type *type)
{
    value = rule_value(r, value);
    if (value->type == type)
        return value;
    struct constant folded = {0};
    if (value->op == IR_CONST && fold_cast(&value->constant, type, &folded))
        return emit_constant(r, folded);
    if (!rule_check_function_value(r, value->type, type))
        return value;
    return rule_emit(r, IR_CAST, type, &value, 1);
}

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
