// SPDX-License-Identifier: MIT
// Loads and stores that tell a GPU how to cache them; elsewhere they are plain ones.
#include "compiler/codegen/arrays/array.h"
#include "compiler/codegen/base/types.h"
#include "compiler/codegen/base/value.h"
#include "compiler/codegen/cuda/cuda.h"
#include "compiler/codegen/values/array.h"

#include <stdio.h>

#include "compiler/types/intrinsics.h"

// The letter of an inline assembly operand; 0: none has this type.
static char register_class(const struct type *type)
{
    if (type->kind == TYPE_FLOAT)
        return type->bits == 32 ? 'f' : type->bits == 64 ? 'd' : 0;
    return type->bits == 16 ? 'h' : type->bits == 32 ? 'r' : type->bits == 64 ? 'l' : 0;
}

// Operands: array, indices, for a store the value; immediate: enum cache_hint.
void cached_primitive(struct body *body, const struct ir_instr *instr, value *out)
{
    struct codegen *gen = body->gen;
    const struct type *array = instr->operands[0]->type, *type = array->element;
    bool is_store = instr->primitive == PRIMITIVE_CUDA_CACHED_STORE;
    value address = array_address(body, instr);
    const value *item = is_store ? operand(body, instr, instr->operand_count - 1) : NULL;
    array_tell_access(body, array, address, is_store ? ACCESS_STORE : ACCESS_LOAD, item,
            instr->span);
    char letter = gen->target->kind == TARGET_GPU ? register_class(type) : 0;
    if (!letter) {
        if (is_store)
            value_store(gen, type, address, 0, item);
        else
            value_load(gen, type, address, 0, "", out);
        return;
    }
    char text[64], constraints[16];
    value args[2] = {address, is_store ? *item : NULL};
    snprintf(text, sizeof text, is_store ? "st.%s.b%d [$0], $1;" : "ld.%s.b%d $0, [$1];",
            cache_hint_operators[instr->immediate], type->bits);
    snprintf(constraints, sizeof constraints,
            is_store ? "l,%c,~{memory}" : "=%c,l,~{memory}", letter);
    value result = gpu_assembly(gen, text, constraints,
            is_store ? gen->void_type : type_llvm(gen, type), args, is_store ? 2 : 1,
            false);
    if (!is_store)
        out[0] = result;
}
