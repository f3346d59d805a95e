// SPDX-License-Identifier: MIT
// numba.cuda inside kernels: indices, shared and local memory, barriers, atomics.

#include <string.h>

#include "compiler/types/abi.h"
#include "compiler/types/intrinsics.h"
#include "compiler/typing/infer/infer.h"
#include "compiler/typing/infer/rule.h"
#include "compiler/typing/rules/cuda/cuda.h"

bool rule_is_device(struct rule *r)
{
    return r->in->target != TARGET_HOST ||
           rule_fail(r, ERROR_TYPING,
                   "cuda.%s can only be used in a CUDA kernel or device function",
                   r->name);
}

bool rule_not_callable(struct rule *r)
{
    return rule_fail(r, ERROR_TYPING, "cuda.%s is not a function", r->name);
}

// A function of ours as a value.
static bool do_function(struct rule *r, const char *name)
{
    return rule_do_constant(
            r, (struct constant){.type = type_function_of(name), .name = name});
}

// cg.this_grid(): the group is known by its type alone, sync is its method
bool rule_cuda_this_grid(struct rule *r)
{
    return rule_is_device(r) && do_function(r, "cuda.cg.grid_group");
}

bool rule_cuda_sync_grid(struct rule *r)
{
    if (!rule_is_device(r))
        return false;
    r->type = type_int32;
    if (r->is_emitting) {
        rule_primitive(r, PRIMITIVE_CUDA_SYNCGRID, type_none, NULL, 0);
        r->value = rule_int(r, type_int32, 0);
    }
    return true;
}

static const struct {
    const char *name;
    enum ir_primitive primitive;
} bases[] = {{"cuda.threadIdx", PRIMITIVE_CUDA_THREAD_IDX},
        {"cuda.blockIdx", PRIMITIVE_CUDA_BLOCK_IDX},
        {"cuda.blockDim", PRIMITIVE_CUDA_BLOCK_DIM},
        {"cuda.gridDim", PRIMITIVE_CUDA_GRID_DIM}};

static enum ir_primitive primitive_of(const struct type *type)
{
    for (size_t i = 0; type->kind == TYPE_FUNCTION && i < sizeof bases / sizeof *bases;
            i++)
        if (!strcmp(bases[i].name, type->function))
            return bases[i].primitive;
    return PRIMITIVE_MATH_SIN; // none of them
}

bool rule_is_coordinates(const struct rule *r, const struct type *type)
{
    return r->in->target != TARGET_HOST && primitive_of(type) != PRIMITIVE_MATH_SIN;
}

struct ir_instr *rule_coordinates(struct rule *r, const struct type *type)
{
    struct ir_instr *axes[3];
    for (int axis = 0; axis < 3; axis++) {
        axes[axis] = rule_primitive(r, primitive_of(type), type_int32, NULL, 0);
        axes[axis]->immediate = axis;
    }
    return rule_tuple(r, axes, 3);
}

// cuda.threadIdx.x and its kin
bool rule_cuda_index(struct rule *r, const char *base)
{
    const char *axis = r->name;
    if (!strcmp(base, "cuda.cg.grid_group") && !strcmp(axis, "sync"))
        return do_function(r, "cuda.cg.sync");
    for (size_t i = 0; i < sizeof bases / sizeof *bases; i++) {
        if (strcmp(bases[i].name, base))
            continue;
        if (axis[0] < 'x' || axis[0] > 'z' || axis[1])
            break;
        r->name = bases[i].name + strlen("cuda.");
        r->arg_count = 0;
        if (!rule_is_device(r) ||
                !rule_do_primitive(r, bases[i].primitive, type_int32, NULL))
            return false;
        if (r->is_emitting)
            r->value->immediate = axis[0] - 'x';
        return true;
    }
    return rule_fail(r, ERROR_TYPING, "Unknown attribute '%s' of %s", axis, base);
}

bool rule_global(struct rule *r)
{
    const struct constant *constant = &r->instr->constant;
    if (constant->type->kind == TYPE_EXTENSION) // what lower_constant wrote
        return rule_call_source(r, constant->source, NULL, 0, 0);
    r->name = "laneid";
    return rule_is_device(r) &&
           rule_do_primitive(r, PRIMITIVE_CUDA_LANE_ID, type_int32, NULL);
}

// grid(n), gridsize(n)
bool rule_cuda_grid(struct rule *r)
{
    int64_t ndim;
    if (!rule_is_device(r))
        return false;
    if (!rule_constant_int(r->args[0], &ndim))
        return rule_fail(r, ERROR_TYPING,
                "RequireLiteralValue: cuda.%s() takes a literal 1, 2 or 3", r->name);
    if (ndim < 1 || ndim > 3)
        return rule_fail(r, ERROR_VALUE, "argument can only be 1, 2, 3");
    const struct type *items[] = {type_int64, type_int64, type_int64};
    r->type = ndim == 1 ? type_int64 : type_tuple(items, (size_t)ndim);
    if (r->is_emitting) {
        r->value = rule_primitive(r, (enum ir_primitive)r->data, r->type, NULL, 0);
        r->value->immediate = (int)ndim;
    }
    return true;
}

// --- Shared and local arrays

static bool bad_dimension(struct rule *r, const struct ir_instr *dim)
{
    struct str help = {0};
    if (literal_ask_parts(r->in, dim, "the shape", r->instr->span))
        return false;
    if (r->in->source->options.is_library && !rule_library_on_host(r))
        return false;
    str_printf(&help, "The shape must be known when the kernel is compiled: ");
    if (dim->variable)
        str_printf(&help, "'%s' is not. ", dim->variable);
    str_append(&help, "Use literals, global variables, captured constants; in the kernel "
                      "itself also its integer parameters, cuda.blockDim and "
                      "cuda.gridDim.");
    rule_no_match(r, str_text(&help));
    str_finish(&help);
    rule_ask_launch(r, dim);
    return false;
}

static bool constant_items(const struct ir_instr *value, int64_t *shape)
{
    const struct constant *constant = rule_constant(value);
    if (!constant)
        return false;
    for (size_t i = 0; i < constant->tuple.len; i++) {
        if (!type_is_integer(constant->tuple.items[i].type))
            return false;
        shape[i] = constant->tuple.items[i].integer;
    }
    return true;
}

// Reads a shape known now into `shape`, allocated in the function's arena.
static bool read_shape(struct rule *r, int64_t **shape, size_t *ndim)
{
    struct ir_instr *value = r->args[0];
    bool is_tuple = value->type->kind == TYPE_TUPLE;
    *ndim = is_tuple ? value->type->tuple.len : 1;
    *shape = arena_array(&r->in->function->arena, int64_t, *ndim + 1);
    if (is_tuple && value->op == IR_BUILD_TUPLE) {
        for (size_t i = 0; i < *ndim; i++)
            if (!rule_constant_int(value->operands[i], &(*shape)[i]))
                return bad_dimension(r, value->operands[i]);
        return true;
    }
    if (is_tuple ? !constant_items(value, *shape) : !rule_constant_int(value, *shape))
        return bad_dimension(r, value);
    return true;
}

enum { MOST_LOCAL_BYTES = 512 * 1024 }; // of a thread, on every device

// A device's own refusal would come without a place, and the CPU's stack has no such
// limit. Shared memory differs between devices: it is looked at before a launch.
static bool check_size(struct rule *r, const struct type *dtype, const int64_t *shape,
        size_t ndim, enum ir_primitive primitive)
{
    int64_t size = (int64_t)abi_size(dtype);
    bool is_too_large = false;
    for (size_t i = 0; i < ndim; i++)
        is_too_large = __builtin_mul_overflow(size, shape[i], &size) || is_too_large;
    if (is_too_large)
        return rule_fail(r, ERROR_TYPING, "the array is larger than any memory");
    if (primitive == PRIMITIVE_CUDA_LOCAL_ARRAY && size > MOST_LOCAL_BYTES)
        return rule_fail(r, ERROR_TYPING,
                "a local array of %lld bytes is too large: a thread has at most %d bytes "
                "of local memory. Give each thread a part of an array in global memory.",
                (long long)size, MOST_LOCAL_BYTES);
    return true;
}

// The shape r->args[0], which must be known now.
struct known_shape {
    int64_t *items;
    size_t ndim;
};

static bool has_less(const struct known_shape *shape, int64_t least)
{
    for (size_t i = 0; i < shape->ndim; i++)
        if (shape->items[i] < least)
            return true;
    return false;
}

static bool make_array(struct rule *r, const struct type *dtype,
        const struct known_shape *known, enum ir_primitive primitive)
{
    int64_t *shape = known->items;
    size_t ndim = known->ndim;
    if (!check_size(r, dtype, shape, ndim, primitive))
        return false;
    int space = primitive == PRIMITIVE_CUDA_SHARED_ARRAY ? 3 : 5;
    r->type = type_array_in(dtype, (int)ndim, LAYOUT_C, false, true, space);
    if (r->is_emitting) {
        r->value = rule_primitive(r, primitive, r->type, NULL, 0);
        r->value->immediate_shape = shape;
    }
    return true;
}

// For NumPy's makers of arrays, which may be empty
bool rule_local_array(struct rule *r, const struct type *dtype)
{
    struct known_shape shape;
    if (!read_shape(r, &shape.items, &shape.ndim))
        return false;
    if (has_less(&shape, 0))
        return rule_fail(r, ERROR_VALUE, "negative dimensions are not allowed");
    return make_array(r, dtype, &shape, PRIMITIVE_CUDA_LOCAL_ARRAY);
}

enum { MAX_ALIGNMENT = 4096 };

static bool read_alignment(struct rule *r, int64_t *alignment)
{
    if (!rule_has_arg(r, 2) || r->args[2]->type == type_none)
        return true;
    if (!rule_constant_int(r->args[2], alignment))
        return rule_no_match(r, "The alignment must be a constant.");
    if (*alignment < 1 || *alignment & (*alignment - 1) || *alignment > MAX_ALIGNMENT)
        return rule_fail(r, ERROR_VALUE,
                "Alignment must be a power of 2 and at most %d, got %lld", MAX_ALIGNMENT,
                (long long)*alignment);
    return true;
}

static bool can_be_stored(const struct type *dtype)
{
    bool has_members = dtype->kind == TYPE_EXTENSION && dtype->tuple.names;
    return type_is_item(dtype) || dtype->kind == TYPE_RECORD ||
           dtype->kind == TYPE_TUPLE || has_members;
}

// cuda.shared.array, cuda.local.array
bool rule_cuda_array(struct rule *r)
{
    bool is_shared = r->data == PRIMITIVE_CUDA_SHARED_ARRAY;
    r->name = is_shared ? "shared.array" : "local.array";
    const struct type *dtype = rule_dtype(r->args[1]);
    if (!rule_is_device(r))
        return false;
    if (!dtype)
        return rule_no_match(
                r, "The dtype must be a number type such as float32 or np.int32.");
    if (!can_be_stored(dtype))
        return rule_fail(r, ERROR_TYPING,
                "unsupported type: %s\n\nThe dtype is a number type, a record, or a type "
                "of the program with a model.",
                dtype->name);
    int64_t alignment = 0;
    struct known_shape shape;
    if (!read_alignment(r, &alignment) || !read_shape(r, &shape.items, &shape.ndim))
        return false;
    bool is_dynamic = is_shared && shape.ndim == 1 && shape.items[0] == 0;
    if (has_less(&shape, 1) && !is_dynamic)
        return rule_fail(r, ERROR_VALUE, "array length <= 0");
    if (!make_array(r, dtype, &shape, (enum ir_primitive)r->data))
        return false;
    if (r->is_emitting)
        r->value->immediate = (int)alignment;
    return true;
}

// syncwarp(mask): a vote whose result nobody reads, as it waits for the lanes of a mask
bool rule_cuda_syncwarp(struct rule *r)
{
    if (!rule_has_arg(r, 0)) {
        r->data = PRIMITIVE_CUDA_SYNCWARP;
        return rule_cuda_sync(r);
    }
    if (!rule_is_device(r))
        return false;
    if (!type_is_integer(rule_arg_type(r, 0)))
        return rule_no_match(r, "The mask is an integer.");
    r->type = type_none;
    if (!r->is_emitting)
        return true;
    struct ir_instr *zero = rule_int(r, type_int32, 0);
    struct ir_instr *operands[] = {rule_cast(r, r->args[0], type_uint32), zero, zero};
    r->value = rule_primitive(r, PRIMITIVE_CUDA_WARP, type_none, operands, 3);
    r->value->immediate = MEETING_BALLOT;
    return true;
}

// A barrier without arguments; data: its primitive
bool rule_cuda_sync(struct rule *r)
{
    if (!rule_is_device(r))
        return false;
    r->type = type_none;
    if (r->is_emitting)
        r->value = rule_primitive(r, (enum ir_primitive)r->data, type_none, NULL, 0);
    return true;
}

// --- Bits

// ffs(x): x ^ (x - 1) has the lowest set bit and all below it
bool rule_cuda_ffs(struct rule *r)
{
    const struct type *type = rule_arg_type(r, 0);
    if (type->kind != TYPE_INT)
        return rule_no_match(r, "It takes an integer.");
    r->type = type_uint32;
    if (!r->is_emitting)
        return true;
    struct ir_instr *x = rule_cast(r, r->args[0], type);
    struct ir_instr *below = rule_binary_op(r, BINARY_SUB, type, x, rule_int(r, type, 1));
    struct ir_instr *low = rule_binary_op(r, BINARY_XOR, type, x, below);
    struct ir_instr *choice[] = {rule_compare_op(r, COMPARE_EQ, x, rule_int(r, type, 0)),
            rule_int(r, type_uint32, 0),
            rule_cast(r, rule_primitive(r, PRIMITIVE_POPC, type, &low, 1), type_uint32)};
    r->value = rule_primitive(r, PRIMITIVE_SELECT, type_uint32, choice, 3);
    return true;
}

// selp(predicate, a, b)
bool rule_cuda_select(struct rule *r)
{
    const struct type *type = type_unify(rule_arg_type(r, 1), rule_arg_type(r, 2));
    if (!type || !type_is_number(type) || !type_is_number(rule_arg_type(r, 0)))
        return rule_no_match(r, "It takes a predicate and two numbers.");
    r->type = type;
    if (!r->is_emitting)
        return true;
    struct ir_instr *operands[] = {rule_cast(r, r->args[0], type_bool),
            rule_cast(r, r->args[1], type), rule_cast(r, r->args[2], type)};
    r->value = rule_primitive(r, PRIMITIVE_SELECT, type, operands, 3);
    return true;
}

// where(condition, x, y); of numbers, devices make no array
bool rule_np_where(struct rule *r)
{
    bool is_choice = r->in->target != TARGET_HOST;
    for (size_t i = 0; i < 3; i++)
        is_choice =
                is_choice && rule_has_arg(r, i) && type_is_number(rule_arg_type(r, i));
    return is_choice ? rule_cuda_select(r) : rule_library(r, "indexing.where");
}

// --- Warps

static const struct type *meeting_type(struct rule *r, enum meeting_result result)
{
    const struct type *pair[] = {type_int32, type_bool};
    switch (result) {
    case MEETING_RESULT_SAME:
        return rule_arg_type(r, 1);
    case MEETING_RESULT_BOOL:
        return type_bool;
    case MEETING_RESULT_UINT32:
        return type_uint32;
    case MEETING_RESULT_PAIR:
        return type_tuple(pair, 2);
    default:
        return type_int32;
    }
}

// data: enum abi_meeting. Arguments: mask, item, lane; for a block the item only.
bool rule_cuda_meeting(struct rule *r)
{
    enum abi_meeting meeting = (enum abi_meeting)r->data;
    enum meeting_item brought = meetings[meeting].item;
    bool has_item = brought != MEETING_ITEM_NOTHING,
         takes_value = brought == MEETING_ITEM_VALUE,
         is_block = meeting >= MEETING_BLOCK_COUNT;
    const struct type *item = has_item ? rule_arg_type(r, is_block ? 0 : 1) : type_int32;
    if (!rule_is_device(r))
        return false;
    for (size_t i = 0; i < r->arg_count; i++) {
        const struct type *type = rule_arg_type(r, i);
        bool is_item = i == (is_block ? 0 : 1);
        if (!type_is_number(type) || (is_block && type->kind == TYPE_COMPLEX))
            return rule_no_match(r, "It takes numbers.");
        if (!is_item && !type_is_integer(type))
            return rule_no_match(r, "A mask and the number of a lane are integers.");
    }
    if (takes_value &&
            ((item->kind != TYPE_INT && item->kind != TYPE_FLOAT) || item->bits < 32))
        return rule_fail(r, ERROR_TYPING,
                "%s only supports 32- and 64-bit ints and floats", r->name);
    r->type = meeting_type(r, meetings[meeting].result);
    if (!r->is_emitting)
        return true;
    struct ir_instr *all = rule_cast(r, rule_int(r, type_int64, -1), type_uint32);
    struct ir_instr *zero = rule_int(r, type_int32, 0);
    struct ir_instr *operands[] = {
            has_item && !is_block ? rule_cast(r, r->args[0], type_uint32) : all, zero,
            r->arg_count > 2 ? rule_cast(r, r->args[2], type_int32) : zero};
    if (has_item)
        operands[1] = rule_cast(r, r->args[is_block ? 0 : 1], item);
    if (has_item && !takes_value)
        operands[1] = rule_cast(r, rule_cast(r, operands[1], type_bool), type_int32);
    r->value = rule_primitive(r, PRIMITIVE_CUDA_WARP, r->type, operands, 3);
    r->value->immediate = (int)meeting;
    return true;
}

enum { CONSTANT_SPACE = 4 };

// const.array_like(array): a captured array is constant already; this says in which
// memory
bool rule_cuda_constant(struct rule *r)
{
    const struct constant *given = rule_constant(r->args[0]);
    if (r->args[0]->type->kind != TYPE_ARRAY || !given)
        return rule_no_match(r, "It takes a NumPy array of the enclosing scope.");
    const struct type *array = r->args[0]->type;
    // as shared arrays have it: so device functions that take it know the memory, too
    r->type = type_array_in(array->element, array->array.ndim, array->array.layout,
            array->array.is_readonly, array->array.is_aligned, CONSTANT_SPACE);
    if (!r->is_emitting)
        return true;
    struct constant constant = *given;
    constant.array.is_in_constant_memory = true;
    r->value = rule_constant_of(r, r->type, constant);
    return true;
}
