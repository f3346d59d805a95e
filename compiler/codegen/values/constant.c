// SPDX-License-Identifier: MIT
// Constants: of numbers, strings, tuples of these, and captured arrays.
#include "compiler/codegen/base/types.h"
#include "compiler/codegen/base/value.h"
#include "compiler/codegen/values/array.h"
#include "compiler/codegen/values/constant.h"
#include "compiler/codegen/values/text.h"

#include <assert.h>
#include <string.h>

enum { GPU_CONSTANT_SPACE = 4, GPU_CONSTANT_BYTES = 63 << 10 };
// Larger arrays stay outside of the module.
enum { MODULE_BYTES = 1 << 20 };

// The bytes as a constant of the module, or where the source keeps them: LLVM takes long
// over very large constants.
// Copied into the module: the user's array may change or go, and a captured array is a
// constant, as numba has it. Constant memory of a GPU is 64 KiB; what does not fit goes
// to global memory, which costs speed and nothing else.
static value array_bytes(struct codegen *gen, const struct constant_array *array)
{
    if (array->size_bytes > MODULE_BYTES && gen->target->kind != TARGET_GPU &&
            !array->is_in_constant_memory)
        return codegen_address(gen, array->data);
    value data = codegen_text(gen, array->data, array->size_bytes);
    LLVMSetAlignment(data, 16);
    if (!array->is_in_constant_memory ||
            gen->constant_bytes + array->size_bytes > GPU_CONSTANT_BYTES)
        return data;
    gen->constant_bytes += (array->size_bytes + 15) & ~(size_t)15;
    if (gen->target->kind != TARGET_GPU) {
        LLVMSetValueName2(data, CONSTANT_MEMORY, strlen(CONSTANT_MEMORY));
        return data;
    }
    value moved = LLVMAddGlobalInAddressSpace(
            gen->module, LLVMGlobalGetValueType(data), "constant", GPU_CONSTANT_SPACE);
    LLVMSetInitializer(moved, LLVMGetInitializer(data));
    LLVMSetGlobalConstant(moved, true);
    LLVMSetLinkage(moved, LLVMPrivateLinkage);
    LLVMSetAlignment(moved, 16);
    LLVMDeleteGlobal(data);
    return LLVMConstAddrSpaceCast(moved, gen->ptr);
}

// A captured array.
static void array_constant(
        struct body *body, const struct constant *constant, value *leaves)
{
    struct codegen *gen = body->gen;
    const struct type *type = constant->type;
    const int64_t *strides = constant->array.device_strides;
    value data, shape[MAX_NDIM];
    assert(type->kind == TYPE_ARRAY && type->array.ndim <= MAX_NDIM);
    if (strides) {
        data = codegen_address(
                gen, (const void *)(uintptr_t)constant->array.device_address);
    } else {
        data = array_bytes(gen, &constant->array);
    }
    for (int i = 0; i < type->array.ndim; i++)
        shape[i] = value_i64(gen, constant->array.shape[i]);
    array_describe(body, type, data, shape, leaves);
    for (int i = 0; strides && i < type->array.ndim; i++)
        leaves[ARRAY_STRIDE(type, i)] = value_i64(gen, strides[i]);
}

static void tuple_constant(
        struct body *body, const struct constant *constant, value *leaves)
{
    for (size_t i = 0; i < constant->tuple.len; i++) {
        const struct constant *item = &constant->tuple.items[i];
        value_constant(body, item, leaves);
        leaves += type_leaf_count(body->gen, item->type);
    }
}

void value_constant(struct body *body, const struct constant *constant, value *leaves)
{
    struct codegen *gen = body->gen;
    const struct type *type = constant->type;
    switch (type->kind) {
    case TYPE_BOOL:
        leaves[0] = value_bool(gen, constant->integer != 0);
        break;
    case TYPE_INT:
        leaves[0] = LLVMConstInt(type_llvm(gen, type),
                (unsigned long long)constant->integer, type->is_signed);
        break;
    case TYPE_FLOAT:
        leaves[0] = value_float(gen, type, constant->real);
        break;
    case TYPE_COMPLEX:
        leaves[0] = value_float(gen, type->element, constant->complex_parts[0]);
        leaves[1] = value_float(gen, type->element, constant->complex_parts[1]);
        break;
    case TYPE_STRING:
        text_constant(body, constant, leaves);
        break;
    case TYPE_TUPLE:
        tuple_constant(body, constant, leaves);
        break;
    case TYPE_ARRAY:
        array_constant(body, constant, leaves);
        break;
    case TYPE_ENUM:
    case TYPE_TIME:
    case TYPE_BFLOAT: {
        struct constant inside = *constant;
        inside.type = type->element;
        value_constant(body, &inside, leaves);
        break;
    }
    case TYPE_POINTER:
    case TYPE_FOREIGN:
        leaves[0] = codegen_address(gen, (const void *)(intptr_t)constant->integer);
        break;
    default:
        if (type_leaf_count(gen, type))
            codegen_fail(
                    gen, ERROR_INTERNAL, SPAN_NONE, "no constant of type %s", type->name);
    }
}
