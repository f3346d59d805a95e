// SPDX-License-Identifier: MIT
// Calls of functions that others compiled, by the conventions of CUDA C: numba's, which
// gives the result through a pointer and a status as the value, or C's own.
#include "compiler/codegen/analysis/reach.h"
#include "compiler/codegen/base/types.h"
#include "compiler/codegen/base/value.h"
#include "compiler/codegen/cuda/cuda.h"
#include "compiler/codegen/values/array.h"
#include "compiler/support/foreign.h"
#include "compiler/support/host_hooks.h"

enum { MAX_ARGUMENTS = 128 };

struct arguments {
    value items[MAX_ARGUMENTS];
    LLVMTypeRef types[MAX_ARGUMENTS];
    unsigned count;
};

static void add_argument(struct arguments *arguments, value item)
{
    if (arguments->count == MAX_ARGUMENTS)
        return;
    arguments->types[arguments->count] = LLVMTypeOf(item);
    arguments->items[arguments->count++] = item;
}

// C passes what is narrower than an int as an int.
static value widened(struct codegen *gen, const struct type *type, value item)
{
    if (type->kind == TYPE_BOOL)
        return LLVMBuildZExt(gen->builder, item, gen->i32, "");
    if (type->kind != TYPE_INT || type->bits >= 32)
        return item;
    return type->is_signed ? LLVMBuildSExt(gen->builder, item, gen->i32, "")
                           : LLVMBuildZExt(gen->builder, item, gen->i32, "");
}

// An array is what numba's struct of it holds: two pointers of the host, the number of
// items and their size, the data, shape and strides.
static void add_array(struct codegen *gen, struct arguments *arguments,
        const struct type *type, const value *leaves)
{
    value size = value_i64(gen, 1);
    for (int axis = 0; axis < type->array.ndim; axis++)
        size = LLVMBuildMul(gen->builder, size, leaves[ARRAY_SHAPE(axis)], "");
    add_argument(arguments, LLVMConstNull(gen->ptr));
    add_argument(arguments, LLVMConstNull(gen->ptr));
    add_argument(arguments, size);
    add_argument(arguments, value_i64(gen, (int64_t)array_item_bytes(type)));
    add_argument(arguments, leaves[ARRAY_DATA]);
    for (int i = 0; i < 2 * type->array.ndim; i++)
        add_argument(arguments, leaves[ARRAY_DIMS + i]);
}

static void add_operand(struct codegen *gen, struct arguments *arguments,
        const struct type *type, const value *leaves)
{
    if (type->kind == TYPE_ARRAY)
        add_array(gen, arguments, type, leaves);
    else
        add_argument(arguments, widened(gen, type, leaves[0]));
}

// The function to call: a name that the linker finds, or its address in this process.
static value callee(struct body *body, const struct ir_instr *instr, LLVMTypeRef returns,
        const struct arguments *arguments)
{
    struct codegen *gen = body->gen;
    const char *name = instr->operands[0]->constant.string.text;
    if (gen->target->kind == TARGET_GPU)
        return codegen_external(gen, name, returns, arguments->types, arguments->count);
    struct foreign_list codes = {0};
    call_foreign_code(gen->root, &codes);
    struct error failure = {0};
    void *address = host_hooks.foreign_address ? host_hooks.foreign_address(codes.items,
                                                         codes.len, name, &failure)
                                               : NULL;
    vec_finish(&codes);
    if (address)
        return codegen_address(gen, address);
    codegen_fail(gen, ERROR_UNSUPPORTED, instr->span, "%s",
            failure.kind ? failure.message : "foreign functions need a GPU");
    return NULL;
}

void foreign_call(struct body *body, const struct ir_instr *instr, value *out)
{
    struct codegen *gen = body->gen;
    bool has_result = instr->type != type_none;
    bool is_c = instr->immediate & FOREIGN_AS_IN_C;
    LLVMTypeRef memory = has_result ? type_memory(gen, instr->type) : gen->i8, returns;
    LLVMTypeRef passed = has_result ? LLVMTypeOf(widened(gen, instr->type,
                                              LLVMGetUndef(type_llvm(gen, instr->type))))
                                    : gen->void_type;
    struct arguments arguments = {.count = 0};
    value slot = NULL;
    if (!is_c) {
        slot = value_alloca(body, memory, "result");
        gen->has_private_memory = true;
        add_argument(&arguments, slot);
    }
    for (size_t i = 1; i < instr->operand_count; i++)
        add_operand(gen, &arguments, instr->operands[i]->type, operand(body, instr, i));
    returns = is_c ? passed : gen->i32;
    value function = callee(body, instr, returns, &arguments);
    if (!function)
        return;
    value returned = LLVMBuildCall2(gen->builder,
            LLVMFunctionType(returns, arguments.types, arguments.count, false), function,
            arguments.items, arguments.count, "");
    codegen_attribute(gen, returned, LLVMAttributeFunctionIndex, "convergent", 0);
    if (!has_result)
        return;
    if (slot)
        value_load(gen, instr->type, slot, 0, "", out);
    else
        out[0] = LLVMTypeOf(returned) == type_llvm(gen, instr->type)
                         ? returned
                         : LLVMBuildTrunc(gen->builder, returned,
                                   type_llvm(gen, instr->type), "");
}
